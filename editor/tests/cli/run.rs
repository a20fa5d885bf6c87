//! What a run counts, when it ends, and what it writes.

use crate::support::{Table, TestProject, command, framewalk, framewalk_line, instant, sample};
use serde_json::Value;

#[test]
fn ten_seconds_at_60_hz_are_601_frames_and_600_ticks() {
    let ran = TestProject::mover().instant("");
    assert_eq!((ran.number("frames"), ran.number("ticks")), (601, 600));
    assert_eq!(ran.report["elapsed_nanos"], 10_000_000_000_u64);
    assert_eq!(ran.report["conserved"], true);
    assert_eq!((&ran.report["tick_rate"], &ran.report["frame_rate"]), (&"60".into(), &"60".into()));
    for (field, value) in [
        ("stepped_ticks", 0),
        ("cut_ticks", 0),
        ("capped_ticks", 0),
        ("clamped_nanos", 0),
        ("late_frames", 0),
        ("missed_deadlines", 0),
        ("time_reversals", 0),
        ("published", 601),
        ("rendered", 601),
        ("dropped", 0),
        ("abandoned", 0),
        ("shown", 601),
        ("unseen", 0),
        ("redraws", 0),
    ] {
        assert_eq!(ran.number(field), value, "{field}");
    }
    assert_eq!(ran.csv.rows.len(), 601);
    assert_eq!(ran.csv.integers("render_time_ns")[600], 10_000_000_000);
    assert!(ran.csv.integers("pending").iter().all(|pending| *pending == 1));
    // After the first tick the picture is behind by one tick, always: no error.
    let errors = ran.csv.texts("animation_error_ns");
    assert_eq!(errors[0], "");
    assert!(errors[2..].iter().all(|error| error.parse::<i64>().unwrap().abs() <= 1), "{:?}", &errors[..9]);
}

#[test]
fn any_frame_rate_runs_exactly_600_ticks_in_ten_seconds() {
    let project = TestProject::mover();
    for rate in ["30", "60", "75", "90", "144", "165", "240", "500"] {
        let ran = project.instant(&format!("--frame-rate {rate}"));
        let frames = 10 * rate.parse::<u64>().unwrap() + 1;
        assert_eq!((ran.number("frames"), ran.number("ticks")), (frames, 600), "{rate}");
        assert_eq!(ran.report["frame_rate"], rate);
    }
}

#[test]
fn frames_seconds_and_ticks_end_where_they_say() {
    let project = TestProject::mover();
    assert_eq!(project.instant("--frames 1").number("frames"), 1);
    assert_eq!(project.instant("--frames 90").number("frames"), 90);
    let ran = project.instant("--seconds 0.5");
    assert_eq!((ran.number("frames"), ran.number("ticks")), (31, 30));
    let ran = project.instant("--seconds 0.000000001");
    assert_eq!(ran.number("frames"), 2);
    let ran = project.instant("--ticks 7 --frame-rate 25");
    // 2.4 ticks a frame: 2, 4, 7 of the 7.2 that are due by then.
    assert_eq!((ran.number("ticks"), ran.number("frames"), ran.number("cut_ticks")), (7, 4, 0));
    let ran = project.instant("--ticks 6 --frame-rate 25");
    assert_eq!((ran.number("ticks"), ran.number("frames"), ran.number("cut_ticks")), (6, 4, 1));
    assert_eq!(ran.report["conserved"], true);
}

#[test]
fn the_same_command_gives_the_same_bytes_but_for_what_is_measured() {
    let arguments = "--seconds 2 --frame-rate 144 --render-cost 11 --probe Mover";
    let (first, second) = (
        crate::support::instant(&sample("judder-lab"), arguments),
        crate::support::instant(&sample("judder-lab"), arguments),
    );
    let exact = |report: &Value| {
        let mut report = report.clone();
        report.as_object_mut().unwrap().remove("measured");
        report.to_string()
    };
    assert_eq!(exact(&first.report), exact(&second.report));
    assert_eq!(first.csv.names, second.csv.names);
    assert_eq!(first.csv.exact(), second.csv.exact());
    assert!(first.number("dropped") > 0);
    assert_eq!(first.report["state_hash"].as_str().unwrap().len(), 16);
}

#[test]
fn the_state_does_not_depend_on_how_it_is_drawn() {
    let project = sample("first-steps");
    let hash = |arguments: &str| crate::support::instant(&project, arguments).report["state_hash"].clone();
    let at_60 = hash("--ticks 120");
    assert_eq!(at_60, hash("--ticks 120 --frame-rate 240"));
    assert_eq!(at_60, hash("--ticks 120 --frame-rate 25 --render-cost 90"));
    assert_ne!(at_60, hash("--ticks 121"));
}

#[test]
fn a_render_cost_of_two_periods_drops_every_other_frame() {
    let ran = TestProject::mover().instant("--frames 101 --frame-rate 100 --render-cost 20");
    assert_eq!(ran.number("published"), 101);
    assert_eq!(ran.number("rendered") + ran.number("dropped"), 101);
    // Frame 1 is in flight until frame 3's deadline, frame 2 is taken then and gone at frame 5's: so the odd ones
    // of those published meanwhile are replaced.
    assert!((49..=51).contains(&ran.number("dropped")), "{}", ran.report);
    let errors = ran.csv.texts("animation_error_ns");
    let batches = ran.csv.texts("batch_ns");
    let empty = errors.iter().zip(&batches).filter(|(_, batch)| batch.is_empty()).count() as u64;
    assert_eq!(empty, ran.number("dropped"));
    assert!(errors.iter().zip(&batches).all(|(error, batch)| !batch.is_empty() || error.is_empty()));
}

#[test]
fn both_equations_hold_in_every_line() {
    let ran = crate::support::instant(&sample("judder-lab"), "--seconds 3 --frame-rate 75 --render-cost 30");
    let column = |name: &str| ran.csv.integers(name);
    let sums =
        [column("rendered"), column("dropped"), column("abandoned"), column("pending"), column("in_flight")];
    for (row, published) in column("published").into_iter().enumerate() {
        assert_eq!(published, sums.iter().map(|column| column[row]).sum::<i64>(), "row {row}");
    }
    assert!(ran.csv.floats("alpha").iter().all(|alpha| (0.0..1.0).contains(alpha)));
    let ticks = column("ticks");
    let counts = column("tick");
    for row in 1..ticks.len() {
        assert_eq!(counts[row], counts[row - 1] + ticks[row], "row {row}");
    }
}

#[test]
fn the_csv_has_the_probes_between_the_exact_and_the_measured_columns() {
    let project = TestProject::new(
        "(id: 1, name: \"Parent\", transform: (position: (1, 2, 3))),
         (id: 2, name: \"Child\", parent: 1, transform: (position: (0, 0.5, 0)))",
    );
    let ran = project.instant("--frames 2 --probe Child --probe Parent --probe Child");
    let names = &ran.csv.names;
    assert_eq!(names[17..20], ["animation_error_ns", "Child.px", "Child.py"]);
    assert_eq!(names[24..26], ["Child.qw", "Parent.px"]);
    assert_eq!(names[31..33], ["Parent.qw", "undrawn"]);
    assert_eq!(names[38..40], ["shown_time_ns", "drain_inputs_ns"]);
    assert_eq!(names.len(), 50);
    assert_eq!(ran.csv.rows[0][18..25], ["1", "2.5", "3", "0", "0", "0", "1"]);
}

#[test]
fn data_goes_to_stdout_for_a_dash_and_nothing_else_does() {
    let project = TestProject::mover();
    let run = |option: &str| {
        let done = framewalk([
            "run".as_ref(),
            project.path(),
            "--pace".as_ref(),
            "instant".as_ref(),
            "--frames".as_ref(),
            "3".as_ref(),
            option.as_ref(),
            "-".as_ref(),
        ]);
        assert_eq!(done.status, 0, "{done:?}");
        done.stdout
    };
    let report: Value = serde_json::from_str(&run("--report")).unwrap();
    assert_eq!(report["frames"], 3);
    assert_eq!(Table::parse(&run("--csv")).rows.len(), 3);
}

#[test]
fn without_a_report_a_short_summary_is_printed() {
    let project = TestProject::mover();
    let done = framewalk(["run".as_ref(), project.path(), "--pace".as_ref(), "instant".as_ref()]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.stdout.contains("601 frames, 600 ticks in 10.000 s"), "{}", done.stdout);
    assert!(done.stdout.lines().count() < 10, "{}", done.stdout);
}

#[test]
fn a_file_that_cannot_be_written_says_why_and_where_and_the_others_are_written() {
    let project = TestProject::mover();
    // A device that is always full: nothing that could be known before the run.
    let (full, csv) = ("/dev/full", project.path().join("frames.csv"));
    let mut run = command();
    run.arg("run").arg(project.path()).args(["--pace", "instant", "--frames", "2", "--report"]).arg(full);
    let output = run.arg("--csv").arg(&csv).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr.contains("the report could not be written: the disk is full: /dev/full"), "{stderr}");
    assert_eq!(Table::parse(&std::fs::read_to_string(csv).unwrap()).rows.len(), 2);
}

#[test]
fn scenes_are_chosen_by_name_with_or_without_their_ending() {
    let project = TestProject::mover();
    project.write("project.ron", "(format: 1, name: \"T\", scenes: [\"main\", \"other\"])");
    project.write("scenes/other.ron", "(format: 1, entities: [])");
    for name in ["other", "other.ron"] {
        let ran = project.instant(&format!("--frames 1 --scene {name}"));
        assert_eq!(ran.report["scene"], "other");
    }
    assert_eq!(project.instant("--frames 1").report["scene"], "main");
}

#[test]
fn settings_come_from_the_project_and_arguments_win() {
    let project = TestProject::mover();
    project.write(
        "project.ron",
        "(format: 1, name: \"T\", scenes: [\"main\"], tick_rate: 30, frame_rate: 59.94, speed: 0.5, limits: (max_ticks: 1))",
    );
    let ran = project.instant("--seconds 1");
    assert_eq!((&ran.report["tick_rate"], &ran.report["frame_rate"]), (&"30".into(), &"59.94".into()));
    assert_eq!(ran.number("ticks"), 15);
    let ran = project.instant("--seconds 1 --tick-rate 60000/1001 --frame-rate 10 --speed 2 --max-ticks 3");
    assert_eq!((&ran.report["tick_rate"], &ran.report["frame_rate"]), (&"60000/1001".into(), &"10".into()));
    // 11.98 due in each of ten frames, 3 of them run.
    assert_eq!(ran.number("ticks"), 30);
    assert!(ran.number("capped_ticks") > 80 && ran.report["conserved"] == true, "{}", ran.report);
}

#[test]
fn pinned_threads_are_on_cores_of_their_own_and_the_log_says_which() {
    let pinned = |arguments: &str| {
        let ran = instant(&sample("first-steps"), &format!("--ticks 5 {arguments}"));
        let mut lines: Vec<String> =
            ran.stderr.lines().filter(|line| line.contains("pinned")).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(pinned("--workers 1"), [""; 0]);
    let lines = pinned("--workers 1 --pin");
    if std::thread::available_parallelism().unwrap().get() < 2 {
        return assert_eq!(lines, [""; 0], "there is nothing to choose");
    }
    let [sim, worker] = &lines[..] else { panic!("a line for each thread: {lines:?}") };
    let core_of = |line: &str, thread: &str| {
        let told = line.trim_start().strip_prefix(&format!("INFO thread_pinned thread={thread:?} core="));
        told.and_then(|core| core.parse::<usize>().ok()).unwrap_or_else(|| panic!("{line}"))
    };
    assert_ne!(core_of(sim, "sim"), core_of(worker, "worker 0"));
    let told = instant(&sample("first-steps"), "--ticks 5 --workers 1 --pin");
    let cores = told.report["measured"]["cores"].clone();
    let as_the_log_says =
        serde_json::json!({ "sim": core_of(sim, "sim"), "worker 0": core_of(worker, "worker 0") });
    assert_eq!(cores, as_the_log_says, "in virtual time nobody else runs");
    assert_eq!(instant(&sample("first-steps"), "--ticks 5").report["measured"].get("cores"), None);
}

#[test]
fn workers_change_nothing_and_the_physics_divisor_is_the_projects() {
    let folder = sample("first-steps");
    let alone = instant(&folder, "--ticks 200 --workers 0");
    assert_eq!(instant(&folder, "--ticks 200").report["state_hash"], alone.report["state_hash"]);
    assert_eq!(
        instant(&folder, "--ticks 200 --workers 3 --pin").report["state_hash"],
        alone.report["state_hash"]
    );
    let eighth = instant(&folder, "--ticks 200 --physics-divisor 8");
    assert_ne!(eighth.report["state_hash"], alone.report["state_hash"]);

    let project = TestProject::mover();
    let scene = std::fs::read_to_string(folder.join("scenes/main.ron")).unwrap();
    project.write("scenes/main.ron", &scene);
    let settings = "(format: 1, name: \"T\", scenes: [\"main\"], tick_rate: 60, physics_divisor: 8)";
    project.write("project.ron", settings);
    let ran = project.instant("--ticks 200 --workers 2");
    assert_eq!(ran.report["state_hash"], eighth.report["state_hash"]);
}

#[test]
fn a_run_in_real_time_ends_by_itself_and_renders_its_last_frame() {
    let project = TestProject::mover();
    let report = project.path().join("report.json");
    let mut run = command();
    let status = run
        .arg("run")
        .arg(project.path())
        .args(["--seconds", "0.3", "--report"])
        .arg(&report)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(0));
    let report: Value = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    assert_eq!((&report["conserved"], &report["abandoned"]), (&true.into(), &0.into()));
    let number = |name: &str| report[name].as_u64().unwrap();
    assert_eq!(number("published"), number("rendered") + number("dropped"));
    assert!(number("elapsed_nanos") >= 300_000_000 && number("frames") >= 2);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_in_real_time_still_writes_its_report() {
    let project = TestProject::mover();
    let report = project.path().join("report.json");
    let mut run = command();
    run.arg("run")
        .arg(project.path())
        .args(["--seconds", "600", "--frame-rate", "1", "--report"])
        .arg(&report);
    let mut child = run.stderr(std::process::Stdio::piped()).spawn().unwrap();
    // The first log line says that the run has begun.
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
    assert!(lines.next().unwrap().unwrap().contains("thread_started"));
    // The shell's own: a bare machine has no program of this name.
    let kill = format!("kill -INT {}", child.id());
    let killed = std::process::Command::new("sh").args(["-c", &kill]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let report: Value = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    assert_eq!(report["conserved"], true);
}

#[test]
fn one_frame_and_one_tick_are_said_in_the_singular() {
    let project = TestProject::mover();
    let run = |arguments: &str| {
        let path = project.path().to_str().unwrap();
        framewalk_line(&format!("run {path} --pace instant {arguments}")).stdout
    };
    let one = run("--frames 1");
    assert!(one.contains(": 1 frame, 0 ticks in 0.000 s"), "{one}");
    let two = run("--frames 2");
    assert!(two.contains(": 2 frames, 1 tick in 0.017 s"), "{two}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_goes_through_a_pipe_behind_a_link_and_a_circle_of_links_takes_none() {
    let project = TestProject::mover();
    let path = project.path().to_str().unwrap();
    for name in ["/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1"] {
        let done = framewalk_line(&format!("run {path} --pace instant --frames 2 --csv {name}"));
        assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{name}: {done:?}");
        let lines = done.stdout.lines().filter(|line| line.contains(',')).count();
        assert!(lines >= 3 && done.stdout.starts_with("frame,"), "{name}: {done:?}");
    }
    let done = framewalk_line(&format!("run {path} --pace instant --frames 2 --csv /dev/stderr"));
    assert_eq!((done.status, done.stderr.lines().count()), (0, 3), "{done:?}");

    for (one, other) in [("loop1", "loop2"), ("loop2", "loop1")] {
        std::os::unix::fs::symlink(other, project.path().join(one)).unwrap();
    }
    let done = framewalk_line(&format!("run {path} --pace instant --frames 2 --report {path}/loop1"));
    assert_eq!((done.status, done.stdout.as_str()), (1, ""), "{done:?}");
    let why = "the report could not be written: its links lead round in a circle: ";
    assert!(done.stderr.contains(why), "{done:?}");
    assert!(project.path().join("loop1").is_symlink());
}
