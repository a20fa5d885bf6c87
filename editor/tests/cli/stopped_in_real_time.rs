//! A program stopped as a debugger stops it, in real time.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{Table, TestProject, command};

const STOPPED: Duration = Duration::from_millis(1_500);

#[test]
fn in_real_time_a_stop_of_a_second_and_a_half_is_one_clamped_frame_and_no_burst() {
    let (project, folder) = (TestProject::mover(), tempfile::tempdir().unwrap());
    let (report, csv) = (folder.path().join("report.json"), folder.path().join("frames.csv"));
    let mut run = command();
    run.arg("run").arg(project.path()).args(["--pace", "real", "--seconds", "4"]);
    run.arg("--report").arg(&report).arg("--csv").arg(&csv).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut program = run.spawn().unwrap();
    let mut log = BufReader::new(program.stderr.take().unwrap());
    let signal = |name: &str| {
        // The shell's own: a bare machine has no program of this name.
        let kill = format!("kill {name} {}", program.id());
        let sent = Command::new("sh").args(["-c", &kill]).status().unwrap();
        assert!(sent.success(), "kill {name}");
    };
    // However long the start takes: it is stopped in the middle of the run.
    let mut line = String::new();
    log.read_line(&mut line).unwrap();
    assert!(line.contains("thread_started"), "{line}");
    std::thread::sleep(Duration::from_secs(1));
    signal("-STOP");
    std::thread::sleep(STOPPED);
    signal("-CONT");
    std::io::copy(&mut log, &mut std::io::sink()).unwrap();
    assert_eq!(program.wait().unwrap().code(), Some(0));

    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    assert_eq!(report["conserved"], true);
    let table = Table::parse(&std::fs::read_to_string(csv).unwrap());
    let (deltas, ticks, clamped) =
        (table.integers("delta_ns"), table.integers("ticks"), table.integers("clamped_ns"));
    let long: Vec<usize> = (0..deltas.len()).filter(|&frame| deltas[frame] > 1_250_000_000).collect();
    assert_eq!(long.len(), 1, "one frame has the whole stop in its delta: {deltas:?}");
    let at = long[0];
    assert_eq!((ticks[at], table.integers("late")[at]), (5, 1));
    assert_eq!(clamped[at], deltas[at] - 250_000_000);
    // 60 Hz for 4 s less the stop, and at the very least nothing like the 90 frames that were missed.
    assert!(deltas.len() <= 241 - 70, "{} frames", deltas.len());
}
