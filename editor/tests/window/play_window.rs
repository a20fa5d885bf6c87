//! `framewalk play` on a virtual display: steered, resized, closed, and out of breath.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use super::{Display, Lines, PATIENCE};

/// Between two looks at something that takes its time.
const STEP: Duration = Duration::from_millis(50);

/// A cube that the arrow keys move.
pub const STEERED: &str = "(id: 1, name: \"Cube\", shape: Cube(size: (1, 1, 1), color: \"#2bb58a\"), \
     controlled: (speed: 2, jump: 1)), \
     (id: 2, name: \"Camera\", transform: (position: (0, 1, 6)), camera: ())";

pub struct Player {
    pub program: Child,
    pub log: Lines,
    folder: TempDir,
}

impl Player {
    fn start(display: &Display, project: &Path, arguments: &[&str]) -> Self {
        Self::logging(display, project, arguments, "warn,framewalk=info")
    }

    pub fn logging(display: &Display, project: &Path, arguments: &[&str], filter: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_framewalk"))
            .arg("play")
            .arg(project)
            .args(["--size", "320x200", "--report"])
            .arg(folder.path().join("report.json"))
            .args(arguments)
            .env("DISPLAY", &display.name)
            .env_remove("WAYLAND_DISPLAY")
            .env("XDG_RUNTIME_DIR", folder.path())
            .env("FRAMEWALK_LOG", filter)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = Lines::of(&mut program);
        Self { program, log, folder }
    }

    fn terminate(&self) {
        // The shell's own: a bare machine has no program of this name.
        let kill = format!("kill -TERM {}", self.program.id());
        let asked = Command::new("sh").args(["-c", &kill]).status().unwrap();
        assert!(asked.success());
    }

    /// Waits for the end: status, report, and what was said on stderr that nobody had read before.
    pub fn end(mut self) -> (Option<i32>, Value, String) {
        let mut waited = Duration::ZERO;
        while self.program.try_wait().unwrap().is_none() {
            assert!(waited < PATIENCE, "it does not end");
            std::thread::sleep(STEP);
            waited += STEP;
        }
        let stderr = self.log.rest();
        let status = self.program.wait().unwrap().code();
        let text = std::fs::read_to_string(self.folder.path().join("report.json"))
            .unwrap_or_else(|error| panic!("no report: {error}; {stderr}"));
        (status, serde_json::from_str(&text).unwrap(), stderr)
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

pub fn project(entities: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = "(format: 1, name: \"Test\", scenes: [\"main\"], tick_rate: 60, frame_rate: 60)";
    std::fs::write(folder.path().join("project.ron"), text).unwrap();
    std::fs::create_dir(folder.path().join("scenes")).unwrap();
    std::fs::write(folder.path().join("scenes/main.ron"), format!("(format: 1, entities: [{entities}])"))
        .unwrap();
    folder
}

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../projects").join(name)
}

/// Waits until its title says that frames have come, and gives it the keyboard.
pub fn focused(display: &Display, title: &str) -> String {
    let mut waited = Duration::ZERO;
    let window = loop {
        if let Some(window) = display.window(title) {
            break window;
        }
        assert!(waited < PATIENCE, "there is no window with the title {title:?}");
        std::thread::sleep(STEP);
        waited += STEP;
    };
    display.xdotool(&["windowfocus", "--sync", &window]);
    window
}

#[test]
fn a_scene_is_steered_resized_and_closed_and_leaves_a_whole_report() {
    let display = Display::start();
    let scene = project(STEERED);
    let player = Player::start(&display, scene.path(), &[]);
    let window = focused(&display, "Test / main.*frames 60 Hz, ticks 60 Hz");
    for step in 0..30_u32 {
        let (width, height) = (200 + (step * 149) % 320, 120 + (step * 97) % 240);
        display.xdotool(&["key", if step % 2 == 0 { "Right" } else { "space" }]);
        display.xdotool(&["mousemove", "--window", &window, "20", "20", "click", "1", "click", "4"]);
        display.xdotool(&["windowsize", "--sync", &window, &width.to_string(), &height.to_string()]);
    }
    display.xdotool(&["key", "Escape"]);
    let (status, report, stderr) = player.end();
    assert_eq!(status, Some(0), "{stderr}");
    assert!(!stderr.contains("ERROR") && !stderr.contains("panicked"), "{stderr}");
    assert_eq!((&report["project"], &report["scene"]), (&"Test".into(), &"main".into()));
    assert_eq!(report["conserved"], true);
    assert_eq!(report["abandoned"], 0);
    let shown = report["shown"].as_u64().unwrap();
    assert!(shown > 0, "{report}");
    assert_eq!(report["rendered"].as_u64().unwrap(), shown + report["unseen"].as_u64().unwrap());
    let measured = &report["measured"];
    let to_tick = measured["input_to_tick_ms"]["p50"].as_f64().expect("keys were seen by ticks");
    let to_shown = measured["input_to_shown_ms"]["p50"].as_f64().expect("and shown");
    assert!(to_tick >= 0.0 && to_shown > to_tick, "{measured}");
}

#[test]
fn a_run_of_one_second_closes_its_window_and_ends_with_status_0() {
    let display = Display::start();
    let scene = project(STEERED);
    let player = Player::start(&display, scene.path(), &["--seconds", "1", "--frame-rate", "50"]);
    let (status, report, stderr) = player.end();
    assert_eq!(status, Some(0), "{stderr}");
    assert_eq!(report["frame_rate"], "50");
    let elapsed = report["elapsed_nanos"].as_u64().unwrap();
    // How soon a loaded machine lets the window close is its own affair.
    assert!(elapsed >= 1_000_000_000, "{elapsed}");
    assert_eq!(report["conserved"], true);
}

#[test]
fn what_sounds_is_counted_to_the_last_cue_whether_or_not_there_is_a_device() {
    let display = Display::start();
    let scene = project(
        "(id: 1, name: \"Camera\", transform: (position: (0, 1, 6)), camera: ()), \
         (id: 2, name: \"Jumper\", teleporter: (every_ticks: 5, poses: [(position: (2, 0, 0)), (position: (-2, 0, 0))]), \
         sound: (when: Teleport, seconds: 0.05, volume: 0.1)), \
         (id: 3, name: \"Hum\", motion: Spin(degrees_per_second: 90), sound: (when: Start, seconds: 0, volume: 0.1))",
    );
    let player = Player::start(&display, scene.path(), &["--frames", "61", "--audio-rate", "125"]);
    let (status, report, stderr) = player.end();
    assert_eq!(status, Some(0), "{stderr}");
    let audio = &report["measured"]["window"]["audio"];
    let count = |name: &str| audio[name].as_u64().unwrap_or_else(|| panic!("{name}: {audio}"));
    assert_eq!(audio["rate"], "125");
    assert!(!audio["device"].as_str().unwrap().is_empty(), "{audio}");
    // The hum, and every fifth tick.
    let expected = 1 + report["ticks"].as_u64().unwrap() / 5;
    assert_eq!(report["sound_cues"], expected);
    assert_eq!(count("cues") + count("lost"), expected);
    assert!(count("updates") > 0 && count("started") <= count("cues"), "{audio}");
    assert!(audio["late_ms"]["p99"].as_f64().unwrap() >= 0.0, "{audio}");
}

/// Long enough for a program to hear what a display told it.
pub fn a_moment() {
    std::thread::sleep(Duration::from_secs(1));
}

#[test]
fn an_overloaded_scene_holds_up_neither_the_windows_thread_nor_its_closing() {
    let display = Display::start();
    let player = Player::start(&display, &sample("overload"), &["--poll", "500"]);
    focused(&display, "overload / .*frames");
    // Frame 1 has no tick, and so no load: some more are to run.
    a_moment();
    display.xdotool(&["key", "Escape"]);
    let (status, report, stderr) = player.end();
    assert_eq!(status, Some(0), "{stderr}");
    let measured = &report["measured"];
    assert_eq!(measured["window"]["poll_rate"], "500");
    // Two milliseconds were asked for; a frame of this scene takes ten times that and more, on a loaded machine too.
    let usual = measured["window"]["poll_interval_ms"]["p50"].as_f64().unwrap();
    // Of the longest: however soon it ended, one frame had its load.
    let frame = measured["frame_time_ms"]["max"].as_f64().unwrap();
    assert!(usual < frame / 2.0, "{measured}");
}

#[test]
fn a_picture_that_takes_longer_than_closing_waits_is_abandoned_and_no_fault_of_the_counts() {
    let display = Display::start();
    let scene = project(&format!("{STEERED}, (id: 3, name: \"Slow\", load: (submit_micros: 10000000))"));
    let player = Player::start(&display, scene.path(), &["--frames", "5"]);
    let (status, report, stderr) = player.end();
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stderr.contains("thread_left thread=\"render\""), "{stderr}");
    let count = |name: &str| report[name].as_u64().unwrap();
    let (published, dropped) = (count("published"), count("dropped"));
    // One in the middle of its submit, and the newest, which waits for it.
    assert_eq!(
        (count("rendered"), count("abandoned"), &report["conserved"]),
        (0, 2, &true.into()),
        "{report}"
    );
    assert_eq!(published, dropped + 2);
}

#[test]
fn a_tick_that_takes_longer_than_closing_waits_leaves_no_state_hash() {
    let display = Display::start();
    let scene = project(&format!("{STEERED}, (id: 3, name: \"Slow\", load: (tick_micros: 10000000))"));
    let player = Player::start(&display, scene.path(), &[]);
    focused(&display, "Test / main");
    // Frame 1 has no tick, and so no load: the one after it is to begin.
    a_moment();
    player.terminate();
    let (status, report, stderr) = player.end();
    assert_eq!(status, Some(130), "{stderr}");
    assert!(stderr.contains("thread_left thread=\"sim\""), "{stderr}");
    assert_eq!((&report["frames"], &report["ticks"]), (&1.into(), &0.into()), "{report}");
    assert_eq!(report.get("state_hash"), Some(&Value::Null), "{report}");
}

#[test]
fn asked_to_terminate_it_writes_its_report_and_ends_with_status_130() {
    let display = Display::start();
    let scene = project(STEERED);
    let player = Player::start(&display, scene.path(), &[]);
    focused(&display, "Test / main.*frames");
    player.terminate();
    let (status, report, stderr) = player.end();
    assert_eq!(status, Some(130), "{stderr}");
    assert!(report["frames"].as_u64().unwrap() > 0);
}
