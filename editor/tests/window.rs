//! The real window on a real (virtual) display: resized again and again while a scene runs.
//!
//! Needs Xvfb and xdotool, which `.ci/packages test` installs. Uses real time and a software adapter.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

#[path = "window/coming_back.rs"]
mod coming_back;
#[path = "window/display_window.rs"]
mod display_window;
#[path = "window/ended_from_outside_window.rs"]
mod ended_from_outside_window;
#[path = "window/lost_device_window.rs"]
mod lost_device_window;
#[path = "window/no_sound_window.rs"]
mod no_sound_window;
#[path = "window/play_window.rs"]
mod play_window;
#[path = "window/stopped_window.rs"]
mod stopped_window;

use std::collections::{BTreeSet, VecDeque};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn fifty_resizes_of_a_playing_window_end_alive_with_a_picture_as_large_as_the_viewport() {
    let display = Display::start();
    let mut editor = Editor::open(&display, "(format: 1)");
    editor.wait_for("the authored scene", |painted| painted.drawn == painted.wanted);
    let window = display.xdotool(&["search", "--sync", "--onlyvisible", "--name", "Framewalk"]);
    let window = window.lines().last().unwrap().to_owned();
    display.xdotool(&["windowfocus", "--sync", &window]);
    display.xdotool(&["key", "F5"]);
    editor.wait_for("a frame of the run", |painted| painted.frame > 0);

    let mut last = Painted::default();
    for step in 0..50_u32 {
        let (width, height) = (760 + (step * 149) % 620, 480 + (step * 97) % 380);
        display.xdotool(&["windowsize", &window, &width.to_string(), &height.to_string()]);
        // Each size is painted once, with whatever target there is, before the next one is asked for.
        let before = last.wanted.clone();
        last = editor.wait_for("a painted frame of the new size", |painted| painted.wanted != before);
    }
    let settled = editor.wait_for("a picture as large as the viewport", |painted| {
        painted.frame > last.frame && painted.drawn == painted.wanted
    });
    editor.is_well();
    assert_ne!(settled.drawn, "");
}

#[test]
fn a_second_window_is_resized_and_closed_while_a_scene_runs() {
    let display = Display::start();
    let mut editor = Editor::open(
        &display,
        "(format: 1, tour_taken: true, undocked: [Pacing], keys: {\"OwnWindow(Pacing)\": \"Ctrl+J\"})",
    );
    editor.wait_for("the authored scene", |painted| painted.drawn == painted.wanted);
    let main = display.window("judder-lab|^Framewalk").expect("the main window is there");
    display.xdotool(&["windowfocus", "--sync", &main]);
    display.xdotool(&["key", "F5"]);
    editor.wait_for("a frame of the run", |painted| painted.frame > 0);

    let second = display.window("^Pacing").expect("the panel has its own window");
    let mut frame = 0;
    for step in 0..20_u32 {
        let (width, height) = (300 + (step * 149) % 420, 160 + (step * 97) % 300);
        display.xdotool(&["windowsize", &second, &width.to_string(), &height.to_string()]);
        frame = editor.wait_for("a frame after a resize", |painted| painted.frame > frame).frame;
    }
    let main = display.window("judder-lab|^Framewalk").expect("the main window is there");
    display.xdotool(&["windowfocus", "--sync", &main]);
    display.xdotool(&["key", "ctrl+j"]);
    // A software adapter paints what has been asked before, first.
    for _ in 0..20 {
        frame = editor.wait_for("a later frame", |painted| painted.frame > frame + 30).frame;
        if display.window("^Pacing").is_none() {
            break;
        }
    }
    assert_eq!(display.window("^Pacing"), None, "its window is gone");
    editor.is_well();
    display.xdotool(&["key", "F8"]);
    let kept = editor.log.wait_for("what is kept", |line| line.contains("run_kept").then(|| line.to_owned()));
    assert_eq!(number(&kept, "missing"), Some(0), "{kept}");
}

#[test]
fn a_display_without_an_adapter_says_what_to_install_and_ends_with_status_1() {
    let display = Display::start();
    let settings = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_framewalk"))
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../projects/first-steps"))
        .env("DISPLAY", &display.name)
        .env_remove("WAYLAND_DISPLAY")
        .env("FRAMEWALK_CONFIG_DIR", settings.path())
        .env("FRAMEWALK_DATA_DIR", settings.path())
        .env("VK_ICD_FILENAMES", "/nonexistent")
        .env("WGPU_BACKEND", "vulkan")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    for part in
        ["the editor window could not be opened", "no graphics adapter was found", "mesa-vulkan-drivers"]
    {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
}

/// One line of the log: which frame was painted, how large its target is, and how large the viewport.
#[derive(Clone, Debug, Default)]
struct Painted {
    frame: u64,
    drawn: String,
    wanted: String,
}

impl Painted {
    fn parse(line: &str) -> Option<Self> {
        let (_, fields) = line.split_once("picture_painted")?;
        let field = |name: &str| {
            let (_, rest) = fields.split_once(name)?;
            rest.split_whitespace().next().map(str::to_owned)
        };
        Some(Self {
            frame: field("frame=")?.parse().ok()?,
            drawn: field("drawn=")?,
            wanted: field("wanted=")?,
        })
    }
}

struct Display {
    server: Child,
    name: String,
}

impl Display {
    fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts: `bash .ci/packages test` installs it");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { server, name: format!(":{}", number.trim()) }
    }

    /// A window whose title has this pattern in it.
    fn window(&self, pattern: &str) -> Option<String> {
        let search = ["search", "--onlyvisible", "--name", pattern];
        let output = Command::new("xdotool").args(search).env("DISPLAY", &self.name).output().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().last().map(str::to_owned)
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.name)
            .output()
            .expect("xdotool starts: `bash .ci/packages test` installs it");
        assert!(
            output.status.success(),
            "xdotool {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// What a program says on stderr, line by line.
struct Lines {
    lines: Receiver<String>,
    panicked: bool,
    // Frames of a run that were painted.
    painted: BTreeSet<u64>,
    tail: VecDeque<String>,
}

impl Lines {
    fn of(program: &mut Child) -> Self {
        let (send, lines) = channel();
        let stderr: Box<dyn Read + Send> = Box::new(program.stderr.take().unwrap());
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Self { lines, panicked: false, painted: BTreeSet::new(), tail: VecDeque::new() }
    }

    /// Reads on until a line is what was waited for.
    fn wait_for<T>(&mut self, what: &str, mut wanted: impl FnMut(&str) -> Option<T>) -> T {
        // Some minutes of painted frames: what has not come by then never comes.
        for _ in 0..40_000 {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|error| {
                panic!("no line about {what} ({error}); the log ends with {:#?}", self.tail)
            });
            let found = wanted(&line);
            self.keep(line);
            if let Some(found) = found {
                return found;
            }
        }
        panic!("never {what}; the log ends with {:#?}", self.tail);
    }

    /// Reads on until nothing was said for as long as that.
    fn wait_for_rest(&mut self, what: &str, silence: Duration) {
        // A program that never rests is found out by how much it says, not by how long that takes.
        for _ in 0..1_000 {
            match self.lines.recv_timeout(silence) {
                Ok(line) => self.keep(line),
                Err(RecvTimeoutError::Timeout) => return,
                Err(error) => panic!("{what} has ended ({error}); the log ends with {:#?}", self.tail),
            }
        }
        panic!("{what} never comes to rest; the log ends with {:#?}", self.tail);
    }

    /// All that is said until the program has ended.
    fn rest(&mut self) -> String {
        let mut rest = String::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            rest.push_str(&line);
            rest.push('\n');
            self.keep(line);
        }
        rest
    }

    fn keep(&mut self, line: String) {
        self.panicked |= line.contains("panicked");
        self.painted.extend(Painted::parse(&line).map(|painted| painted.frame).filter(|frame| *frame > 0));
        self.tail.push_back(line);
        if self.tail.len() > 40 {
            self.tail.pop_front();
        }
    }
}

/// The number behind `name=` in a line of the log.
fn number(line: &str, name: &str) -> Option<u64> {
    let wanted = format!("{name}=");
    line.split_whitespace().find_map(|word| word.strip_prefix(&wanted)).and_then(|value| value.parse().ok())
}

struct Editor {
    program: Child,
    log: Lines,
    /// Settings and data.
    settings: tempfile::TempDir,
}

impl Editor {
    fn open(display: &Display, first_settings: &str) -> Self {
        let project = concat!(env!("CARGO_MANIFEST_DIR"), "/../projects/judder-lab");
        Self::open_project(display, first_settings, Path::new(project))
    }

    fn open_project(display: &Display, first_settings: &str, project: &Path) -> Self {
        Self::of(display, project, first_settings, &[])
    }

    fn of(display: &Display, project: &Path, first_settings: &str, variables: &[(&str, &str)]) -> Self {
        let settings = tempfile::tempdir().unwrap();
        std::fs::write(settings.path().join("settings.ron"), first_settings).unwrap();
        // These tests themselves may be run under `nohup`: it is to hear of a hang-up all the same.
        let mut program = Command::new("env")
            .args(["--default-signal=HUP", env!("CARGO_BIN_EXE_framewalk")])
            .arg(project)
            .env("DISPLAY", &display.name)
            .env_remove("WAYLAND_DISPLAY")
            .env("XDG_RUNTIME_DIR", settings.path())
            .env("FRAMEWALK_CONFIG_DIR", settings.path())
            .env("FRAMEWALK_DATA_DIR", settings.path())
            .env("FRAMEWALK_LOG", "warn,framewalk=trace")
            .envs(variables.iter().copied())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = Lines::of(&mut program);
        Self { program, log, settings }
    }

    /// Reads the log until a painted picture satisfies `wanted`.
    fn wait_for(&mut self, what: &str, wanted: impl Fn(&Painted) -> bool) -> Painted {
        self.log.wait_for(what, |line| Painted::parse(line).filter(&wanted))
    }

    /// Waits for its end: the status.
    fn status(&mut self) -> Option<i32> {
        self.log.rest();
        self.program.wait().unwrap().code()
    }

    fn is_well(&mut self) {
        assert!(self.program.try_wait().unwrap().is_none(), "the editor has ended: {:?}", self.log.tail);
        assert!(!self.log.panicked, "a panic in the log: {:?}", self.log.tail);
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
