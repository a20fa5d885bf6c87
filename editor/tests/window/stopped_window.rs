//! A window's program that is stopped as a debugger stops it, for longer than the two threads have patience with one
//! another, in each handoff. Ten seconds is what a thread waits for the other at a meeting, and two what the editor waits
//! for a frame.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::play_window::{Player, STEERED, project};
use super::{Display, Editor, number};

const STOPPED: Duration = Duration::from_secs(11);
const HANDOFFS: [&str; 3] = ["slot", "lockstep", "free"];

fn signal(program: &Child, name: &str) {
    // The shell's own: a bare machine has no program of this name.
    let kill = format!("kill {name} {}", program.id());
    let sent = Command::new("sh").args(["-c", &kill]).stdin(Stdio::null()).status().unwrap();
    assert!(sent.success(), "kill {name}");
}

/// All of them at once, which takes no longer than one.
fn stop_for_a_while<'a>(programs: impl Iterator<Item = &'a Child> + Clone) {
    programs.clone().for_each(|program| signal(program, "-STOP"));
    std::thread::sleep(STOPPED);
    programs.for_each(|program| signal(program, "-CONT"));
}

/// The seconds that a line says the program was stopped for.
fn said(line: &str) -> Option<f64> {
    let (_, rest) = line.split_once("The whole program was stopped for ")?;
    let (seconds, rest) = rest.split_once(" s, by the system or by a debugger. ")?;
    assert!(rest.starts_with("No time was made up for"), "{line}");
    seconds.parse().ok()
}

#[test]
fn a_bare_window_that_was_stopped_for_eleven_seconds_says_so_and_goes_on_in_each_handoff() {
    let display = Display::start();
    let scene = project(STEERED);
    let folder = tempfile::tempdir().unwrap();
    let table = |handoff: &str| folder.path().join(format!("{handoff}.csv"));
    let mut players = HANDOFFS.map(|handoff| {
        let csv = table(handoff);
        let arguments = ["--handoff", handoff, "--csv", csv.to_str().unwrap()];
        Player::logging(&display, scene.path(), &arguments, "warn,framewalk=trace")
    });
    let mut drawn = players.each_mut().map(|player| {
        let frame = |line: &str| line.contains("picture_drawn").then(|| number(line, "frame")).flatten();
        player.log.wait_for("pictures", |line| frame(line).filter(|frame| *frame > 30))
    });
    stop_for_a_while(players.iter().map(|player| &player.program));
    for (player, drawn) in players.iter_mut().zip(&mut drawn) {
        let seconds = player.log.wait_for("what is said of the stop", said);
        assert!(seconds >= 10.0, "{seconds}");
        let after = *drawn + 60;
        let frame = |line: &str| line.contains("picture_drawn").then(|| number(line, "frame")).flatten();
        *drawn = player.log.wait_for("pictures after it", |line| frame(line).filter(|frame| *frame > after));
        signal(&player.program, "-TERM");
    }
    for (player, handoff) in players.into_iter().zip(HANDOFFS) {
        let (status, report, stderr) = player.end();
        assert_eq!(status, Some(130), "{handoff}: {stderr}");
        assert!(!stderr.contains("panicked") && !stderr.contains("ERROR"), "{handoff}: {stderr}");
        assert_eq!((&report["handoff"], &report["conserved"]), (&handoff.into(), &true.into()));
        let csv = std::fs::read_to_string(table(handoff)).unwrap();
        let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let names = lines.next().unwrap();
        let column = |name: &str| names.iter().position(|own| *own == name).unwrap();
        let [delta, ticks, clamped] = ["delta_ns", "ticks", "clamped_ns"].map(column);
        let long: Vec<Vec<&str>> =
            lines.filter(|line| line[delta].parse::<u64>().unwrap() > 5_000_000_000).collect();
        assert_eq!(long.len(), 1, "{handoff}: one frame has all of it in its delta");
        let value = |at: usize| long[0][at].parse::<u64>().unwrap();
        assert_eq!(value(clamped), value(delta) - 250_000_000, "{handoff}");
        assert!(value(ticks) <= 5, "{handoff}: {} ticks, no burst", value(ticks));
    }
}

#[test]
fn a_playing_editor_that_was_stopped_for_eleven_seconds_says_so_and_accuses_nobody_in_each_handoff() {
    let mut editors = HANDOFFS.map(|handoff| {
        let scene = project(STEERED);
        let text = format!("(format: 1, name: \"Test\", scenes: [\"main\"], handoff: {handoff})");
        std::fs::write(scene.path().join("project.ron"), text).unwrap();
        let display = Display::start();
        let settings = "(format: 1, tour_taken: true, when_hidden: KeepRunning)";
        let mut editor = Editor::of(&display, scene.path(), settings, &[]);
        editor.wait_for("the authored scene", |painted| painted.drawn == painted.wanted);
        let window = display.window("^Framewalk").expect("the window is there");
        display.xdotool(&["windowfocus", "--sync", &window]);
        display.xdotool(&["key", "F5"]);
        let frame = editor.wait_for("frames of the run", |painted| painted.frame > 30).frame;
        (editor, display, scene, frame)
    });
    stop_for_a_while(editors.iter().map(|(editor, ..)| &editor.program));
    for ((editor, display, _, frame), handoff) in editors.iter_mut().zip(HANDOFFS) {
        let accusation = |line: &str| line.contains("has not answered") || line.contains("has failed");
        let mut accused = None;
        let seconds = editor.log.wait_for("what is said of the stop", |line| {
            accused = accused.take().or_else(|| accusation(line).then(|| line.to_owned()));
            said(line)
        });
        assert!(seconds >= 10.0, "{handoff}: {seconds}");
        editor.wait_for("frames after it", |painted| painted.frame > *frame + 60);
        display.xdotool(&["key", "F8"]);
        let ended = editor.log.wait_for("the end of the run", |line| {
            accused = accused.take().or_else(|| accusation(line).then(|| line.to_owned()));
            line.contains("run_ended").then(|| line.to_owned())
        });
        assert_eq!(accused, None, "{handoff}");
        let [published, rendered, dropped, undrawn, abandoned] =
            ["published", "rendered", "dropped", "undrawn", "abandoned"]
                .map(|name| number(&ended, name).unwrap_or_else(|| panic!("{name}: {ended}")));
        assert_eq!(published, rendered + dropped + undrawn + abandoned, "{handoff}: {ended}");
        // In the free handoff four ticks may wait, and one be drawn.
        assert!(abandoned <= 5, "{handoff}: at the end only: {ended}");
        editor.is_well();
    }
}
