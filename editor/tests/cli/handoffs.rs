//! `--handoff`: the same scene under each of the three, by literal values, and in real time by what always holds.

use crate::support::{Table, TestProject, command, framewalk, sample};
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;

#[test]
fn a_render_cost_of_40_ms_drops_waits_or_leaves_undrawn() {
    let project = TestProject::mover();
    let ran = |handoff: &str| {
        project.instant(&format!("--seconds 2 --render-cost 40 --probe Mover --handoff {handoff}"))
    };
    let figures = |ran: &crate::support::Ran| {
        ["frames", "ticks", "published", "rendered", "dropped", "undrawn", "pictures", "late_frames"]
            .map(|name| ran.number(name))
    };

    let slot = ran("slot");
    assert_eq!(figures(&slot), [121, 120, 121, 52, 69, 0, 52, 0]);
    assert_eq!((&slot.report["handoff"], &slot.report["sim_wait_ms"]["max"]), (&"slot".into(), &Value::Null));

    let lockstep = ran("lockstep");
    // A frame every 40 ms and two or three ticks in each: nothing is lost, and the time passes.
    assert_eq!(figures(&lockstep), [52, 120, 52, 52, 0, 0, 52, 50]);
    assert_eq!(lockstep.report["sim_wait_ms"]["p50"], 40.0);
    assert_eq!(lockstep.report["render_wait_ms"]["max"], 0.0);
    let waits = lockstep.csv.integers("sim_wait_ns");
    assert_eq!(waits[..4], [0, 23_333_333, 40_000_000, 40_000_000]);

    let free = ran("free");
    // The simulation keeps its 60 ticks a second; a picture shows the tick whose time it is.
    assert_eq!(figures(&free), [121, 120, 121, 52, 0, 69, 52, 0]);
    // All but the first, and the last, which is drawn where the run ends and has no deadline.
    assert_eq!((free.number("late_pictures"), free.number("held")), (50, 0));
    let pictures = free.csv.integers("pictures");
    assert_eq!(
        (pictures.iter().sum::<i64>(), pictures.iter().filter(|drawn| **drawn == 0).count()),
        (52, 69)
    );
    for ran in [slot, lockstep, free] {
        assert_eq!(ran.report["conserved"], true);
        assert_eq!(ran.report["abandoned"], 0);
        let column = |name: &str| ran.csv.integers(name);
        let sums = ["rendered", "dropped", "undrawn", "abandoned", "pending", "in_flight"].map(column);
        for (row, published) in column("published").into_iter().enumerate() {
            assert_eq!(published, sums.iter().map(|column| column[row]).sum::<i64>(), "row {row}");
        }
    }
}

#[test]
fn all_three_end_in_the_same_state_after_the_same_ticks() {
    let hash = |handoff: &str| {
        let arguments = format!("--ticks 120 --handoff {handoff}");
        crate::support::instant(&sample("first-steps"), &arguments).report["state_hash"].clone()
    };
    assert_eq!(hash("slot"), hash("lockstep"));
    assert_eq!(hash("slot"), hash("free"));
}

#[test]
fn each_handoff_gives_the_same_bytes_every_time() {
    for handoff in ["lockstep", "free"] {
        let arguments =
            format!("--seconds 1 --frame-rate 144 --render-cost 11 --probe Mover --handoff {handoff}");
        let run = || crate::support::instant(&sample("judder-lab"), &arguments);
        let (first, second) = (run(), run());
        let exact = |report: &Value| {
            let mut report = report.clone();
            report.as_object_mut().unwrap().remove("measured");
            report.to_string()
        };
        assert_eq!(exact(&first.report), exact(&second.report));
        assert_eq!(first.csv.names, second.csv.names);
        assert_eq!(first.csv.exact(), second.csv.exact());
        assert_eq!(first.number("dropped"), 0);
    }
}

#[test]
fn the_projects_handoff_counts_where_none_is_given() {
    let ran = crate::support::instant(&sample("high-rate"), "--seconds 1");
    assert_eq!(ran.report["handoff"], "free");
    assert_eq!((&ran.report["frame_rate"], &ran.report["render_rate"]), (&"512".into(), &"60".into()));
    assert_eq!((ran.number("frames"), ran.number("ticks"), ran.number("dropped")), (513, 512, 0));
    assert!(ran.number("undrawn") > 440, "{}", ran.report);
    // As steady as a clock of whole nanoseconds can be: only the second picture, at the beginning, is behind the first by
    // what it is drawn behind its time, one tick of 1.953125 ms and a margin of half of one. The last has no error.
    let ran = crate::support::instant(&sample("high-rate"), "--seconds 8");
    let errors = &ran.report["animation_error_ms"];
    assert!(errors["p99_abs"].as_f64().unwrap() < 0.000_01, "{}", ran.report);
    assert!((errors["max_abs"].as_f64().unwrap() - 2.929_687).abs() < 0.000_01, "{}", ran.report);

    let ran = crate::support::instant(&sample("high-rate"), "--seconds 1 --handoff slot");
    assert_eq!((&ran.report["handoff"], ran.number("frames")), (&"slot".into(), 61));
}

#[test]
fn a_script_changes_the_handoff_while_the_run_goes_on() {
    let project = TestProject::mover();
    let script = project.write(
        "script.ron",
        "[(30, set_handoff(lockstep)), (60, set_handoff(free)), (90, set_handoff(slot)), (100, pause), \
         (100, step_tick), (100, set_handoff(free)), (100, step_tick), (100, play)]",
    );
    let ran = project.instant(&format!("--frames 120 --render-cost 20 --script {}", script.display()));
    assert_eq!((ran.report["conserved"].as_bool(), ran.number("abandoned")), (Some(true), 0));
    assert_eq!((ran.number("frames"), ran.number("stepped_ticks")), (120, 2));
    let waits = ran.csv.integers("sim_wait_ns");
    let waited = |frames: std::ops::Range<usize>| waits[frames].iter().filter(|wait| **wait > 0).count();
    assert_eq!((waited(0..29), waited(59..120)), (0, 0), "{waits:?}");
    assert!(waited(29..59) > 25, "{waits:?}");
}

/// Runs a project in real time, with report and CSV.
fn real(project: &Path, arguments: &str) -> (Value, Table) {
    let folder = tempfile::tempdir().unwrap();
    let (report, csv) = (folder.path().join("report.json"), folder.path().join("frames.csv"));
    let mut run = command();
    run.arg("run").arg(project).args(arguments.split_whitespace());
    let output =
        run.arg("--report").arg(&report).arg("--csv").arg(&csv).stdout(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    (report, Table::parse(&std::fs::read_to_string(csv).unwrap()))
}

#[test]
fn in_real_time_each_handoff_runs_to_its_end_and_loses_nothing() {
    let project = TestProject::mover();
    for handoff in ["slot", "lockstep", "free"] {
        // A picture takes as long as twelve frames: however busy the machine is, several come meanwhile.
        let (report, table) =
            real(project.path(), &format!("--seconds 1 --render-cost 200 --handoff {handoff}"));
        assert_eq!(
            (&report["conserved"], &report["abandoned"]),
            (&true.into(), &0.into()),
            "{handoff}: {report}"
        );
        let count = |name: &str| report[name].as_u64().unwrap();
        assert_eq!(count("published"), count("rendered") + count("dropped") + count("undrawn"), "{handoff}");
        assert_eq!(table.rows.len() as u64, count("published"));
        match handoff {
            "slot" => assert!(count("dropped") > 0, "{report}"),
            "lockstep" => {
                assert_eq!((count("dropped"), count("rendered")), (0, count("published")));
                assert!(report["sim_wait_ms"]["p50"].as_f64().unwrap() > 1.0, "{report}");
            }
            _ => assert!(count("dropped") == 0 && count("undrawn") > 0, "{report}"),
        }
    }
}

#[test]
fn the_summary_of_a_handoff_that_changed_names_the_last_one_and_its_equation_adds_up() {
    let project = TestProject::mover();
    let script = project.write("script.ron", "[(30, set_handoff(lockstep))]");
    let ran = project.instant(&format!("--frames 600 --script {}", script.display()));
    assert_eq!(ran.report["handoff"], "lockstep");
    assert_eq!(ran.report["changed"], serde_json::json!(["handoff"]));
    let path = project.path().display();
    let script = project.write("to_free.ron", "[(30, set_handoff(free)), (60, set_handoff(slot))]");
    let line =
        format!("run {path} --pace instant --seconds 2 --render-cost 40 --script {}", script.display());
    let summary = framewalk(line.split_whitespace()).stdout;
    assert!(summary.contains("handoff slot in the end; changed on the way: handoff)"), "{summary}");
    let numbers = summary.lines().find_map(|line| line.strip_prefix("  frames     published ")).unwrap();
    let (published, sum) = numbers.split_once(" = ").unwrap();
    let sum: u64 = sum
        .split(';')
        .next()
        .unwrap()
        .split(" + ")
        .map(|term| term.split(' ').next_back().unwrap().parse::<u64>().unwrap())
        .sum();
    assert!(summary.contains(" + undrawn "), "{summary}");
    assert_eq!(published.parse::<u64>().unwrap(), sum, "{summary}");
}

#[test]
fn the_summary_says_who_waited_and_what_stayed_undrawn() {
    let project = TestProject::mover();
    let summary = |handoff: &str| {
        let path = project.path().display().to_string();
        let line = [
            "run",
            &path,
            "--pace",
            "instant",
            "--seconds",
            "1",
            "--render-cost",
            "40",
            "--handoff",
            handoff,
        ];
        framewalk(line).stdout
    };
    assert!(
        summary("lockstep").contains("  lockstep   waits, ms: sim p50 40.000, max 40.000; render p50 0.000")
    );
    assert!(summary("free").contains("ticks undrawn; 27 pictures on 60 Hz"), "{}", summary("free"));
    assert!(!summary("slot").contains("undrawn"));
    let path = project.path().display();
    let line = format!("run {path} --pace instant --seconds 2 --render-cost 40 --handoff free");
    let summary = framewalk(line.split_whitespace()).stdout;
    let equation = "published 121 = rendered 52 + dropped 0 + undrawn 69 + abandoned 0";
    assert!(summary.contains(equation), "{summary}");
}

/// The demo of the seed, by command: 5 frames, and beside the simulation two that read them, the render thread and an
/// observer.
#[test]
fn in_real_time_of_five_frames_in_lockstep_an_observer_reads_five_whole() {
    let line = |arguments: &str| {
        let project = sample("handoffs").display().to_string();
        let line = format!("run {project} --handoff lockstep --frames 5 {arguments}");
        framewalk(line.split_whitespace())
    };
    let done = line("--observers 1");
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.stdout.contains("published 5 = rendered 5 + dropped 0 + abandoned 0"), "{done:?}");
    assert!(
        done.stdout.contains("\n  observers  1, met 5 of 5 frames, all whole; waited, ms: p50 "),
        "{done:?}"
    );
    let done = line("--observers 6");
    assert!(
        done.stdout.contains(
            "  observers  6, each met 5 of 5 frames, all whole, all saw the same; waited, ms: p50 "
        ),
        "{done:?}"
    );
    assert!(!line("--observers 0").stdout.contains("observers"));
}

#[test]
fn in_real_time_a_slow_observer_makes_the_simulation_and_the_renderer_wait() {
    let project = TestProject::mover();
    let (report, _) = real(project.path(), "--frames 6 --handoff lockstep --observers 2 --observer-cost 60");
    assert_eq!(
        (&report["meetings"], &report["published"], &report["dropped"]),
        (&6.into(), &6.into(), &0.into())
    );
    let observers = report["observers"].as_array().unwrap();
    assert_eq!(observers.len(), 2);
    for one in observers {
        assert_eq!([&one["frames"], &one["whole"], &one["agreed"]], [6, 6, 6], "{report}");
        assert!(one["waited_ms"]["p50"].is_number(), "{report}");
    }
    // Each meeting but the first comes 60 ms after the one before, and the others have long been there.
    assert!(report["sim_wait_ms"]["p50"].as_f64().unwrap() > 10.0, "{report}");
    assert!(report["render_wait_ms"]["p50"].as_f64().unwrap() > 10.0, "{report}");
}

#[test]
fn in_real_time_observers_read_what_a_script_sends_by_lockstep_and_wait_for_the_rest() {
    let project = TestProject::mover();
    let script = project.write(
        "script.ron",
        "[(5, set_handoff(lockstep)), (15, set_handoff(free)), (20, set_handoff(lockstep)), (23, set_handoff(slot))]",
    );
    let arguments = format!("--frames 30 --handoff slot --observers 2 --script {}", script.display());
    let (report, _) = real(project.path(), &arguments);
    assert_eq!((&report["meetings"], &report["published"]), (&13.into(), &30.into()));
    for one in report["observers"].as_array().unwrap() {
        assert_eq!([&one["frames"], &one["whole"], &one["agreed"]], [13, 13, 13], "{report}");
    }
}

#[test]
fn without_observers_the_report_names_none_and_in_virtual_time_meetings_are_counted_too() {
    let project = TestProject::mover();
    let ran = |handoff: &str| project.instant(&format!("--frames 7 --handoff {handoff}"));
    for (handoff, meetings) in [("slot", 0), ("lockstep", 7), ("free", 0)] {
        let ran = ran(handoff);
        assert_eq!((ran.number("meetings"), &ran.report["observers"]), (meetings, &serde_json::json!([])));
    }
}
