//! Wrong usage: status 2, a sentence on stderr, nothing on stdout.

use crate::support::{TestProject, command, framewalk, framewalk_line};

fn refused(line: &str, expected: &str) {
    let done = framewalk_line(line);
    assert_eq!(done.status, 2, "{line}: {done:?}");
    assert!(done.stderr.contains(expected), "{line}: {}", done.stderr);
    assert_eq!(done.stdout, "", "{line}");
}

#[test]
fn help_on_every_level_has_an_example_and_succeeds() {
    for line in ["--help", "-h", "run --help", "play --help", "check --help", "new --help", "shot --help"] {
        let done = framewalk_line(line);
        assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{line}");
        assert!(done.stdout.contains("Example"), "{line}: {}", done.stdout);
    }
    let done = framewalk_line("--version");
    assert!(done.status == 0 && done.stdout.starts_with("framewalk "), "{done:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_a_fault_and_help_that_nobody_reads_on_is_none() {
    for words in [["run", "--help"].as_slice(), &["--version"], &["--help"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let done = command().args(words).stdout(full).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(1), "{words:?}: {said}");
        assert_eq!(said, "error: this could not be written to stdout: the disk is full\n");
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let done = command().args(words).stdout(closed).output().unwrap();
        assert_eq!((done.status.code(), done.stderr.as_slice()), (Some(0), b"".as_slice()), "{words:?}");
    }
}

#[test]
fn an_unknown_flag_suggests_the_nearest() {
    refused("run p --framerate 60", "--frame-rate");
    refused("run p --reprot x", "--report");
    refused("chekc p", "did you mean the command `check`");
    refused("rnu p", "did you mean the command `run`");
    refused("nwe p", "did you mean the command `new`");
    refused("new d --template first-step", "first-steps");
}

#[test]
fn what_comes_later_is_refused_with_a_sentence() {
    refused("run p --capture x", "--capture does not exist yet");
    refused("run p --replay x", "--replay does not exist yet");
    refused("run p --handoff queue", "known: slot, lockstep, free");
    refused("run p --handoff lockstepp", "did you mean `lockstep`?");
    for command in ["export", "compare"] {
        refused(command, &format!("the command `{command}` does not exist yet"));
    }
}

#[test]
fn values_that_make_no_sense_are_refused_by_name() {
    for (option, values) in [
        ("--frames", vec!["0", "-1", "1.5", "x", "", "1000000001", "18446744073709551616"]),
        ("--ticks", vec!["0", "-1", "+1", "1000000001"]),
        ("--seconds", vec!["0", "0.0", "-1", "NaN", "inf", "1e3", "ten", "1000001", "99999999999999999999"]),
        ("--tick-rate", vec!["0", "0.5", "1001", "-60", "NaN", "60/0", ""]),
        ("--frame-rate", vec!["0", "0.5", "1001", "-60", "NaN", "60/0", ""]),
        ("--speed", vec!["-1", "8.001", "NaN", "1e1", "0.0001"]),
        ("--workers", vec!["-1", "49", "1.5", "many"]),
        ("--physics-share", vec!["-1", "-0", "+1", "101", "25%", ""]),
        ("--observers", vec!["-1", "7", "1.5", "+1", "all"]),
        ("--physics-divisor", vec!["0", "65", "-8", "+8", "2.5"]),
        ("--max-ticks", vec!["0", "-1", "+1", "1.5", "10001", "4294967296"]),
        ("--render-cost", vec!["-1", "NaN", "x", "10001"]),
        ("--size", vec!["640", "0x0", "640x", "axb", "99999x1"]),
        ("--pace", vec!["slow"]),
        ("--renderer", vec!["vulkan"]),
    ] {
        for value in values {
            let done = framewalk(["run", "p", option, value]);
            assert_eq!(done.status, 2, "{option} {value:?}: {done:?}");
            assert!(done.stderr.contains(option), "{option} {value:?}: {}", done.stderr);
        }
    }
    refused("run p --tick-rate 0.5", "1 to 1000 Hz");
    refused("run p --max-ticks 10001", "10001 is no most number of ticks in a frame: write 1 to 10000");
    for (option, expected) in [
        ("--max-ticks", "\"\" is no most number of ticks in a frame: write 1 to 10000"),
        ("--physics-divisor", "\"\" is no number of ticks that a physics step spans: write 1 to 64"),
    ] {
        let done = framewalk(["run", "p", option, ""]);
        assert!(done.status == 2 && done.stderr.contains(expected), "{option}: {done:?}");
    }
    refused("run p --physics-share 101", "write a whole number from 0 to 100");
    refused("run p --speed 9", "\"9\" is no speed: write 0 to 8 in steps of 0.001");
    refused("play p --poll 0", "1 to 1000 Hz");
    refused("play p --frame-rate 1001", "1 to 1000 Hz");
    refused("run p --observers 7", "write a whole number from 0 to 6: so many have room at a meeting");
    refused("run p --observers 1 --observer-cost -1", "write milliseconds from 0 to 10000");
    refused("run p --seconds -inf", "write seconds above 0, at most 1000000");
    refused("run p --tick-rate -60/1", "1 to 1000 Hz");
    refused("run p --size -1x5", "write width x height in pixels");
    refused("shot p o.png --size -1x5", "write width x height in pixels");
    refused("shot p o.png --seconds -inf", "write seconds from 0 to 600");
    refused("run p --frames 0", "0 is refused");
    refused("run p --seconds 0", "0 is refused");
    refused("run p --ticks 0", "0 is refused");
}

#[test]
fn a_log_filter_that_cannot_be_followed_is_said_and_the_run_goes_on() {
    let project = TestProject::mover();
    let asked = |filter: &str| {
        let line = ["run", project.path().to_str().unwrap(), "--pace", "instant", "--frames", "2"];
        let output = command().env("FRAMEWALK_LOG", filter).args(line).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let said = asked("framewalk=loud");
    assert!(said.contains("WARN FRAMEWALK_LOG=framewalk=loud is no filter"), "{said}");
    assert_eq!(asked("error"), "");
    assert_eq!(asked(""), "");
}

#[test]
fn options_that_exclude_each_other_are_refused_together() {
    refused("run p --frames 5 --seconds 1", "cannot be used with");
    refused("run p --frames 5 --ticks 5", "cannot be used with");
    refused("run p --seconds 5 --ticks 5", "cannot be used with");
    refused("run p --cadence c --pace real", "--pace real");
    refused("run p --screenshot s.png --renderer null", "--renderer gpu");
    refused("run p --report - --csv -", "only one");
    refused("play p --report - --csv -", "only one of --report and --csv can go to stdout");
    refused("play p --frames 5 --seconds 1", "cannot be used with");
    refused("run p --report a --csv a", "can go to a");
    refused("run p --report a --csv ./a", "can go to ./a");
    refused("run p --csv - --report /dev/stdout", "can go to stdout");
    let done = framewalk(["run", "p", "--report", ""]);
    assert!(done.status == 2 && done.stderr.contains("--report needs a file name"), "{done:?}");
}

#[test]
fn outputs_that_could_never_be_written_are_refused_before_the_run() {
    let project = TestProject::mover();
    let path = project.path().to_str().unwrap();
    let line = format!("run {path} --seconds 3000 --csv {path}/nowhere/a.csv --report {path}");
    let done = framewalk_line(&line);
    assert_eq!((done.status, done.stdout.as_str()), (1, ""), "{done:?}");
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("the report could not be written: it is a folder"), "{lines:?}");
    assert!(lines[1].contains("the CSV could not be written: there is no such folder"), "{lines:?}");
}

#[test]
#[cfg(unix)]
fn two_links_to_one_file_that_is_yet_to_be_made_are_one_place() {
    let project = TestProject::mover();
    for link in ["a", "b"] {
        std::os::unix::fs::symlink("later.json", project.path().join(link)).unwrap();
    }
    let path = project.path().to_str().unwrap();
    refused(&format!("run {path} --report {path}/a --csv {path}/b"), "can go to");
}

#[test]
fn a_missing_argument_is_wrong_usage() {
    let done = framewalk([""]);
    assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{done:?}");
    assert!(done.stderr.contains("the name of the project is empty: name its folder"), "{done:?}");
    refused("run", "PROJECT");
    refused("play", "PROJECT");
    refused("check", "PATH");
    refused("new", "DIR");
}

#[test]
fn names_that_the_project_does_not_have_are_refused_with_the_nearest() {
    let project = TestProject::mover();
    let path = project.path().to_str().unwrap();
    refused(&format!("run {path} --probe Muver"), "did you mean \"Mover\"?");
    refused(&format!("run {path} --scene mian"), "did you mean \"main\"?");
    refused(&format!("play {path} --scene mian"), "did you mean \"main\"?");
    refused(&format!("run {path} --ticks 5 --speed 0"), "at speed 0");
}

#[test]
fn observers_that_would_meet_nobody_are_refused_with_what_to_do() {
    let project = TestProject::mover();
    let path = project.path().to_str().unwrap();
    let never = |handoff: &str| {
        format!(
            "--observers are readers of the lockstep, and with handoff {handoff} nobody meets them: add --handoff lockstep"
        )
    };
    refused(&format!("run {path} --observers 1"), &never("slot"));
    refused(&format!("run {path} --observers 6 --handoff free"), &never("free"));
    refused(&format!("play {path} --observers 1"), &never("slot"));
    for pace in ["--pace instant", "--cadence c"] {
        refused(
            &format!("run {path} --handoff lockstep --observers 1 {pace}"),
            "--observers are threads that meet with the simulation, and --pace instant or --cadence has one thread for all",
        );
    }
    refused(&format!("run {path} --handoff lockstep --observer-cost 5"), "--observers");
    let done = framewalk_line(&format!("run {path} --pace instant --frames 1 --observers 0"));
    assert_eq!(done.status, 0, "none is none: {done:?}");
}
