//! Scripts: what is done before which frame, and what is refused.

use crate::support::{Ran, TestProject, framewalk};

fn play(script: &str, arguments: &str) -> Ran {
    let project = TestProject::mover();
    let file = project.write("script.ron", script);
    project.instant(&format!("--probe Mover --script {} {arguments}", file.display()))
}

#[test]
fn sixty_steps_are_sixty_ticks() {
    // Paused before Play, stepped before Play, and paused after 30 frames with 29 ticks.
    for (pause, at, frames, ticks) in
        [("(1, pause), ", 1, 61, 60), ("", 1, 61, 60), ("(31, pause), ", 31, 90, 89)]
    {
        let ran = play(&format!("[{pause}{}]", format!("({at}, step_frame), ").repeat(60)), "");
        assert_eq!((ran.number("frames"), ran.number("ticks")), (frames, ticks), "{pause}{at}");
        assert_eq!(ran.number("stepped_ticks"), 0);
        assert_eq!(ran.report["conserved"], true);
    }
    let ran = play(&format!("[(1, pause), {}]", "(1, step_tick), ".repeat(60)), "");
    assert_eq!((ran.number("ticks"), ran.number("stepped_ticks"), ran.number("elapsed_nanos")), (60, 60, 0));
    assert_eq!(ran.csv.integers("ticks")[1..], [1; 60]);
    assert_eq!(ran.csv.integers("delta_ns"), [0; 61]);
}

#[test]
fn paused_before_play_the_first_frame_stands() {
    let ran = play("[(1, pause)]", "");
    assert_eq!((ran.number("frames"), ran.number("ticks"), ran.number("rendered")), (1, 0, 1));
}

#[test]
fn a_script_that_ends_paused_ends_the_run() {
    let ran = play("[(10, pause)]", "");
    assert_eq!((ran.number("frames"), ran.number("ticks")), (9, 8));
}

#[test]
fn a_resumed_run_goes_on_with_one_period_and_no_burst() {
    let ran = play("[(10, pause), (500, play)]", "--frames 20");
    assert_eq!(ran.number("frames"), 20);
    assert_eq!(ran.csv.integers("delta_ns")[9], 16_666_667);
    assert_eq!(ran.csv.texts("animation_error_ns")[9], "");
    assert!(ran.csv.integers("ticks")[1..].iter().all(|ticks| *ticks <= 2));
    assert_eq!(ran.number("late_frames"), 0);
}

#[test]
fn six_stage_steps_are_one_frame() {
    let four = play(&format!("[(5, pause), {}]", "(5, step_stage), ".repeat(4)), "");
    assert_eq!((four.number("frames"), four.csv.rows.len()), (4, 4));
    let six = play(&format!("[(5, pause), {}]", "(5, step_stage), ".repeat(6)), "");
    assert_eq!((six.number("frames"), six.csv.rows.len()), (5, 5));
    let finished = play("[(5, pause), (5, step_stage), (5, step_stage), (5, step_frame)]", "");
    assert_eq!(finished.number("frames"), 5);
    let ticked = play("[(5, pause), (5, step_stage), (5, step_tick)]", "");
    assert_eq!((ticked.number("frames"), ticked.number("stepped_ticks")), (6, 1));
    for ran in [four, six, finished, ticked] {
        assert_eq!(ran.report["conserved"], true);
    }
}

#[test]
fn a_run_ends_at_its_number_of_frames_and_ticks_also_where_a_step_would_run_two_frames() {
    // The open frame brings the fourth tick, so the stepped one is not run.
    let ran = play("[(5, pause), (5, step_stage), (5, step_tick)]", "--ticks 4");
    assert_eq!((ran.number("ticks"), ran.number("frames"), ran.number("stepped_ticks")), (4, 5, 0));
    let ran = play("[(5, pause), (5, step_stage), (5, step_tick)]", "--ticks 5");
    assert_eq!((ran.number("ticks"), ran.number("frames"), ran.number("stepped_ticks")), (5, 6, 1));
    // Stepping before Play shows the first frame, and that is all there may be.
    for step in ["step_frame", "step_tick", "step_stage"] {
        let ran = play(&format!("[(1, {step})]"), "--frames 1");
        assert_eq!((ran.number("frames"), ran.number("ticks")), (1, 0), "{step}");
        assert_eq!(ran.report["conserved"], true);
    }
}

#[test]
fn a_frame_left_open_is_discarded_with_its_ticks_and_one_that_is_published_is_a_frame() {
    let stands = play("[(5, pause)]", "");
    let steps = |stages: usize, end: &str| {
        play(&format!("[(5, pause), {}{end}]", "(5, step_stage), ".repeat(stages)), "")
    };
    for end in ["", "(5, stop)"] {
        for stages in 0..=7 {
            let ran = steps(stages, end);
            let published = stages == 5 || stages == 6 || stages == 7;
            let frames = if published { 5 } else { 4 };
            for count in ["frames", "published", "rendered"] {
                assert_eq!(ran.number(count), frames, "{count} after {stages} stages {end}");
            }
            assert_eq!(ran.number("ticks"), frames - 1, "{stages} stages {end}");
            assert_eq!(ran.report["conserved"], true);
            let untouched = ran.report["state_hash"] == stands.report["state_hash"];
            assert_eq!(untouched, !published, "the state after {stages} stages {end}");
        }
    }
}

#[test]
fn a_stopped_run_discards_its_open_frame() {
    let ran = play("[(5, pause), (5, step_stage), (5, stop)]", "");
    assert_eq!((ran.number("frames"), ran.number("published"), ran.number("rendered")), (4, 4, 4));
    assert_eq!(play("[(5, stop)]", "").number("frames"), 4);
}

#[test]
fn a_stepped_tick_moves_the_picture_by_one_ticks_motion() {
    let ran = play("[(10, pause), (10, step_tick)]", "--frame-rate 144");
    let (x, alpha) = (ran.csv.floats("Mover.px"), ran.csv.floats("alpha"));
    assert_eq!(alpha[8], alpha[9]);
    assert!((x[9] - x[8] - 1.0 / 60.0).abs() < 1e-6, "{x:?}");
}

#[test]
fn rates_speed_and_caps_change_between_frames() {
    let ran = play(
        "[(61, set_tick_rate(30)), (121, set_speed(0.5)), (181, set_frame_rate(\"30\"))]",
        "--seconds 5",
    );
    assert_eq!((&ran.report["tick_rate"], &ran.report["frame_rate"]), (&"30".into(), &"30".into()));
    let tick = ran.csv.integers("tick");
    // 59 frames of one tick after the first, 60 of half a tick, 60 of a quarter.
    assert_eq!((tick[59], tick[119], tick[179]), (59, 89, 104));
    let errors = ran.csv.texts("animation_error_ns");
    for changed in [60, 120, 180] {
        assert_eq!(errors[changed], "", "frame {}", changed + 1);
        assert_ne!(errors[changed + 1], "");
    }
    assert_eq!(ran.report["conserved"], true);
}

#[test]
fn the_physics_divisor_changes_while_a_ball_falls_and_is_drawn_as_fast_as_it_falls() {
    let ball = "(id: 1, name: \"Ball\", transform: (position: (0, 900, 0)), \
                shape: Sphere(radius: 1, color: \"#ffffff\"), body: (kind: Dynamic, velocity: (10, 0, 0)))";
    let project = TestProject::new(ball);
    let file = project.write(
        "script.ron",
        "[(60, set_physics_divisor(4)), (120, set_physics_divisor(1)), (180, set_physics_divisor(2))]",
    );
    let arguments = "--seconds 4 --tick-rate 512 --frame-rate 60 --physics-divisor 8 --probe Ball";
    let ran = project.instant(&format!("{arguments} --script {}", file.display()));
    let x = ran.csv.floats("Ball.px");
    for (frame, pair) in x.windows(2).enumerate().skip(3) {
        let speed = (pair[1] - pair[0]) * 60.0;
        // A hundredth slower where its steps become longer again, until it is as far behind as they want it.
        assert!((9.89..10.15).contains(&speed), "frame {frame}: {speed} m/s");
    }
    assert_eq!(ran.report["conserved"], true);
}

#[test]
fn a_held_key_is_seen_by_a_stepped_tick_and_a_tap_by_exactly_one() {
    let project = TestProject::new("(id: 1, name: \"Player\", controlled: (speed: 6, jump: 1))");
    let file = project.write(
        "held.ron",
        "[(1, pause), (1, key_down(ArrowRight)), (1, step_tick), (1, key_up(ArrowRight)), (1, step_tick)]",
    );
    let ran = project.instant(&format!("--probe Player --script {}", file.display()));
    assert_eq!(ran.number("ticks"), 2);
    // Drawn at alpha 0: the pose of the tick before; the move of tick 1 shows after tick 2.
    let x = ran.csv.floats("Player.px");
    assert!((x[2] - 0.1).abs() < 1e-6, "{x:?}");

    for arguments in ["--tick-rate 10 --frame-rate 60", "--tick-rate 60 --frame-rate 25"] {
        let file = project.write("tap.ron", "[(5, key_down(Space)), (5, key_up(Space)), (40, stop)]");
        let ran = project.instant(&format!("--probe Player {arguments} --script {}", file.display()));
        let y = ran.csv.floats("Player.py");
        assert!((y[38] - 1.0).abs() < 1e-6, "{arguments}: one jump of 1 m, drawn at {}", y[38]);
    }
}

#[test]
fn a_faulty_script_names_file_line_and_column() {
    let project = TestProject::mover();
    for (text, place, expected) in [
        ("[\n  (1, pauze),\n]", "2:7: ", "`pause`"),
        ("[(1, set_tick_rate(1001))]", "1:20: ", "1 to 1000 Hz"),
        ("[(1, key_down(Banana))]", "1:15: ", "Banana"),
        ("[(1, play)", "1:", ""),
        ("[(0, play)]", "1:2: ", "frames count from 1"),
        ("", "1:", ""),
    ] {
        let file = project.write("script.ron", text);
        let done = framewalk(["run".as_ref(), project.path(), "--script".as_ref(), file.as_path()]);
        assert_eq!((done.status, done.stdout.as_str()), (1, ""), "{text:?}: {done:?}");
        assert!(done.stderr.starts_with(&format!("{}:{place}", file.display())), "{text:?}: {}", done.stderr);
        assert!(done.stderr.contains(expected), "{text:?}: {}", done.stderr);
    }
}

#[test]
fn a_number_of_ticks_that_never_comes_ends_the_run_with_a_sentence() {
    let project = TestProject::mover();
    let script = project.write("script.ron", "[(3, set_speed(0))]");
    let line = ["--pace", "instant", "--ticks", "5", "--script"].map(std::ffi::OsStr::new);
    let done = framewalk(
        ["run".as_ref(), project.path().as_os_str()].into_iter().chain(line).chain([script.as_os_str()]),
    );
    assert_eq!(done.status, 1, "{done:?}");
    assert!(done.stderr.contains("--ticks 5 would never be reached: at speed 0"), "{done:?}");
}

#[test]
fn a_stick_moves_what_is_controlled_as_far_as_it_is_tilted_and_buttons_jump_in_one_tick() {
    let project = TestProject::new("(id: 1, name: \"Player\", controlled: (speed: 6, jump: 1))");
    let run = |script: &str| {
        let file = project.write("script.ron", script);
        project.instant(&format!("--probe Player --frames 40 --script {}", file.display())).csv
    };
    let stick =
        run("[(5, tilt(LeftX, 0.5)), (5, tilt(LeftY, 1)), (35, tilt(LeftX, 0)), (35, tilt(LeftY, 0))]");
    let last = |column: &str, csv: &crate::support::Table| *csv.floats(column).last().unwrap();
    // 30 ticks: half a second at half of 6 m/s to the right, and at all of it away.
    assert!((last("Player.px", &stick) - 1.5).abs() < 1e-6, "{}", last("Player.px", &stick));
    assert!((last("Player.pz", &stick) + 3.0).abs() < 1e-6, "{}", last("Player.pz", &stick));
    for key in ["PadSouth", "MouseLeft", "Space"] {
        let jump = run(&format!("[(5, key_down({key})), (30, key_up({key}))]"));
        assert_eq!(last("Player.py", &jump), 1.0, "{key}: one jump however long it is held");
    }
    let cross = run("[(5, key_down(PadRight)), (35, key_up(PadRight)), (36, wheel(2)), (36, pointer(5, 6))]");
    assert!((last("Player.px", &cross) - 3.0).abs() < 1e-6);
}
