//! Deltas from a file, given to the frames one by one.

use crate::support::{Ran, TestProject, framewalk};

fn replay(deltas: &str, arguments: &str) -> Ran {
    let project = TestProject::mover();
    let file = project.write("deltas.txt", deltas);
    project.instant(&format!("--cadence {} {arguments}", file.display()))
}

#[test]
fn n_deltas_make_n_plus_one_frames_and_the_first_has_none() {
    let ran = replay("# three frames at 60 Hz\n16666667\n16666.667us\n\n16.666667ms\n", "");
    assert_eq!(ran.csv.integers("delta_ns"), [0, 16_666_667, 16_666_667, 16_666_667]);
    assert_eq!(ran.csv.integers("ticks"), [0, 1, 1, 1]);
    assert_eq!(ran.csv.integers("render_time_ns"), [0, 16_666_667, 33_333_334, 50_000_001]);
    assert_eq!(ran.number("elapsed_nanos"), 50_000_001);
    assert_eq!((ran.number("late_frames"), ran.number("missed_deadlines")), (0, 0));
}

#[test]
fn right_values_of_the_accumulator_at_50_hz() {
    // Two ticks; two and a half; half a tick; then 0.7 and 0.6 of one.
    let ran = replay("40ms\n50ms\n10ms\n14ms\n12ms\n", "--tick-rate 50 --max-ticks 5");
    assert_eq!(ran.csv.integers("ticks"), [0, 2, 2, 1, 0, 1]);
    assert_eq!(ran.csv.integers("overstep_ns"), [0, 0, 10_000_000, 0, 14_000_000, 6_000_000]);
    let ran = replay("110ms\n", "--tick-rate 50 --max-ticks 5");
    assert_eq!((ran.number("ticks"), ran.number("capped_ticks")), (5, 0));
    assert_eq!(ran.report["overstep_ticks"], 0.5);
    let ran = replay("145ms\n", "--tick-rate 50 --max-ticks 5");
    assert_eq!((ran.number("ticks"), ran.number("capped_ticks")), (5, 2));
    assert_eq!((&ran.report["overstep_ticks"], &ran.report["alpha"]), (&0.25.into(), &0.25.into()));
    for (speed, ticks) in [("0", 0), ("0.5", 2), ("1", 4)] {
        assert_eq!(replay("80ms\n", &format!("--tick-rate 50 --speed {speed}")).number("ticks"), ticks);
    }
}

#[test]
fn six_hundred_deltas_of_one_sixtieth_are_600_ticks() {
    let deltas = format!("{}{}", "16666667\n".repeat(400), "16666666\n".repeat(200));
    let ran = replay(&deltas, "");
    assert_eq!(ran.number("ticks"), 600);
    assert_eq!(ran.csv.integers("tick")[400], 400);
    assert_eq!(ran.report["overstep_ticks"], 0.0);
}

#[test]
fn a_pause_in_a_cadence_leaves_no_animation_error_behind() {
    let project = TestProject::mover();
    let deltas = project.write("deltas.txt", &"16666667\n".repeat(10));
    let script = project.write("script.ron", "[(5, pause), (5, play)]");
    let ran = project.instant(&format!("--cadence {} --script {}", deltas.display(), script.display()));
    let errors = ran.csv.texts("animation_error_ns");
    assert_eq!(errors[4], "", "the first frame after the pause");
    for error in &errors[5..] {
        assert!(error.parse::<i64>().unwrap().abs() <= 1, "{errors:?}");
    }
    // It runs at once, in the place of nothing: each of the ten deltas is still given.
    let at: Vec<i64> = [0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10].map(|n| n * 16_666_667).to_vec();
    assert_eq!(ran.csv.integers("render_time_ns"), at);
    assert_eq!(ran.csv.integers("delta_ns"), [&[0][..], &[16_666_667; 11]].concat());
}

#[test]
fn a_stop_that_comes_first_wins() {
    assert_eq!(replay("10ms\n10ms\n10ms\n", "--frames 2").number("frames"), 2);
    assert_eq!(replay("10ms\n10ms\n10ms\n", "--frames 9").number("frames"), 4);
    assert_eq!(replay("10ms\n10ms\n10ms\n", "--seconds 0.02").number("frames"), 3);
}

#[test]
fn a_faulty_cadence_names_its_line() {
    let project = TestProject::mover();
    for (text, line) in [
        ("16ms\nsixteen\n", 2),
        ("16ms\n\n16 parsecs\n", 3),
        ("", 1),
        ("# nothing\n", 1),
        ("NaN\n", 1),
        ("99999999999999999999\n", 1),
    ] {
        let file = project.write("bad.txt", text);
        let done = framewalk(["run".as_ref(), project.path(), "--cadence".as_ref(), file.as_path()]);
        assert_eq!((done.status, done.stdout.as_str()), (1, ""), "{text:?}: {done:?}");
        assert!(
            done.stderr.starts_with(&format!("{}:{line}:1: ", file.display())),
            "{text:?}: {}",
            done.stderr
        );
    }
    let done = framewalk(["run".as_ref(), project.path(), "--cadence".as_ref(), "nowhere.txt".as_ref()]);
    assert!(
        done.status == 1 && done.stderr.contains("nowhere.txt: cannot be read: there is no such file"),
        "{done:?}"
    );
}

#[test]
fn the_csv_of_a_frame_time_tool_is_refused_as_not_read_yet() {
    let project = TestProject::mover();
    let file = project.write("frames.csv", "Application,FrameTime\ngame.exe,16.7\n");
    let done = framewalk(["run".as_ref(), project.path(), "--cadence".as_ref(), file.as_path()]);
    assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{done:?}");
    assert!(done.stderr.contains("yet") && done.stderr.contains("frames.csv:1:1: "), "{}", done.stderr);
}
