//! A program whose terminal goes away, in real time.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{TestProject, command};

/// Starts a run of two seconds by way of the shell, hangs it up once it runs, and waits for its end.
fn hung_up(before: &str) -> (Option<i32>, Value) {
    let (project, folder) = (TestProject::mover(), tempfile::tempdir().unwrap());
    let report = folder.path().join("report.json");
    let program = command().get_program().to_owned();
    // These tests themselves may be run under `nohup`, and a shell cannot take that back.
    let mut shell = Command::new("env");
    shell.args(["--default-signal=HUP", "sh", "-c"]).arg(format!("{before} exec \"$0\" \"$@\"")).arg(program);
    shell.arg("run").arg(project.path()).args(["--pace", "real", "--seconds", "2", "--report"]).arg(&report);
    shell.env_remove("FRAMEWALK_LOG").env_remove("RUST_LOG").stdin(Stdio::null()).stdout(Stdio::null());
    let mut run = shell.stderr(Stdio::piped()).spawn().unwrap();
    let mut log = BufReader::new(run.stderr.take().unwrap());
    let mut line = String::new();
    log.read_line(&mut line).unwrap();
    assert!(line.contains("thread_started"), "{line}");
    // The shell's own: a bare machine has no program of this name.
    let sent = Command::new("sh").args(["-c", &format!("kill -HUP {}", run.id())]).status().unwrap();
    assert!(sent.success());
    std::io::copy(&mut log, &mut std::io::sink()).unwrap();
    let status = run.wait().unwrap().code();
    (status, serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap())
}

#[test]
fn a_run_that_is_started_to_ignore_a_hang_up_goes_on_to_its_end() {
    let (status, report) = hung_up("trap '' HUP;");
    assert_eq!(status, Some(0));
    assert!(report["elapsed_nanos"].as_u64().unwrap() >= 2_000_000_000, "{report}");
}

#[test]
fn any_other_run_is_ended_by_a_hang_up_and_writes_its_report() {
    let (status, report) = hung_up("");
    assert_eq!(status, Some(130));
    assert!(report["elapsed_nanos"].as_u64().unwrap() < 2_000_000_000, "{report}");
}
