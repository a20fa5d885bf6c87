//! The real window, its graphics device lost: the program goes on in another window, and where that is in vain, says so
//! and can be closed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt as _, EventMask};
use x11rb::rust_connection::RustConnection;

use super::play_window::{STEERED, project};
use super::{Display, Editor, PATIENCE, number};

/// Between two looks at something that takes its time.
const STEP: Duration = Duration::from_millis(50);

/// An editor whose device is lost while a file is there.
struct Losing {
    display: Display,
    editor: Editor,
    lose: PathBuf,
    _folder: tempfile::TempDir,
    _scene: tempfile::TempDir,
}

impl Losing {
    /// A cube was added, and the scene plays.
    fn playing(handoff: &str) -> Self {
        let (scene, folder) = (project(STEERED), tempfile::tempdir().unwrap());
        let text = format!("(format: 1, name: \"Test\", scenes: [\"main\"], handoff: {handoff})");
        std::fs::write(scene.path().join("project.ron"), text).unwrap();
        let lose = folder.path().join("lose");
        let display = Display::start();
        let settings =
            "(format: 1, tour_taken: true, autosave_seconds: 600, keys: {\"Add(Cube)\": \"Ctrl+J\"})";
        let variable = ("FRAMEWALK_TEST_LOSE_DEVICE", lose.to_str().unwrap());
        let mut editor = Editor::of(&display, scene.path(), settings, &[variable]);
        editor.wait_for("the authored scene", |painted| painted.drawn == painted.wanted);
        let window = window(&display);
        display.xdotool(&["windowsize", "--sync", &window, "1200", "800"]);
        display.xdotool(&["windowfocus", "--sync", &window]);
        display.xdotool(&["key", "ctrl+j"]);
        display.xdotool(&["key", "F5"]);
        editor.wait_for("frames of the run", |painted| painted.frame > 30);
        Self { display, editor, lose, _folder: folder, _scene: scene }
    }

    /// Loses it once, and waits until that was seen.
    fn lose(&mut self) {
        std::fs::write(&self.lose, "").unwrap();
        self.editor
            .log
            .wait_for("the loss", |line| line.contains("The graphics device is lost.").then_some(()));
        // Else the next one would be lost as well.
        std::fs::remove_file(&self.lose).unwrap();
    }
}

fn window(display: &Display) -> String {
    let mut waited = Duration::ZERO;
    loop {
        if let Some(window) = display.window("^Framewalk$") {
            return window;
        }
        assert!(waited < PATIENCE, "there is no window");
        std::thread::sleep(STEP);
        waited += STEP;
    }
}

/// Files of kept work.
fn kept(data: &Path) -> usize {
    let Ok(files) = std::fs::read_dir(data.join("recovery")) else { return 0 };
    files.flatten().filter(|file| file.path().extension().is_some_and(|ending| ending == "ron")).count()
}

/// As a window manager asks it.
fn ask_to_close(display: &Display, window: u32) {
    let (connection, _) = RustConnection::connect(Some(&display.name)).unwrap();
    let atom = |name: &str| connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
    let (protocols, delete) = (atom("WM_PROTOCOLS"), atom("WM_DELETE_WINDOW"));
    let message = ClientMessageEvent::new(32, window, protocols, [delete, 0, 0, 0, 0]);
    connection.send_event(false, window, EventMask::NO_EVENT, message).unwrap();
    // An answer: of a connection that is closed the server may not read what came last.
    connection.get_input_focus().unwrap().reply().unwrap();
}

#[test]
fn a_playing_editor_goes_on_in_another_window_of_the_same_size_with_the_same_run() {
    for handoff in ["slot", "lockstep", "free"] {
        let mut losing = Losing::playing(handoff);
        let mut before = window(&losing.display);
        for _ in 0..2 {
            losing.lose();
            let now = losing.editor.wait_for("a picture in the other window", |painted| {
                painted.frame > 0 && painted.drawn == painted.wanted
            });
            let data = losing.editor.settings.path();
            assert_eq!(
                kept(data),
                1,
                "{handoff}: what is unsaved was kept before the other window was opened"
            );
            losing.editor.wait_for("more of them", |painted| painted.frame > now.frame + 60);
            let after = window(&losing.display);
            assert_ne!(after, before, "{handoff}");
            let size = losing.display.xdotool(&["getwindowgeometry", "--shell", &after]);
            assert!(size.contains("WIDTH=1200") && size.contains("HEIGHT=800"), "{handoff}: {size}");
            before = after;
        }
        losing.display.xdotool(&["windowfocus", "--sync", &before]);
        losing.display.xdotool(&["key", "F8"]);
        let ended = losing
            .editor
            .log
            .wait_for("the end of the run", |line| line.contains("run_ended").then(|| line.to_owned()));
        assert_eq!(number(&ended, "run"), Some(1), "{handoff}: {ended}");
        let [published, rendered, dropped, undrawn, abandoned] =
            ["published", "rendered", "dropped", "undrawn", "abandoned"]
                .map(|name| number(&ended, name).unwrap_or_else(|| panic!("{name}: {ended}")));
        assert_eq!(published, rendered + dropped + undrawn + abandoned, "{handoff}: {ended}");
        losing.editor.wait_for("the authored scene", |painted| painted.frame == 0);
        // The work is there, and so is what undoes it: then there is nothing unsaved, and closing asks nothing.
        losing.display.xdotool(&["key", "ctrl+z"]);
        losing.display.xdotool(&["key", "ctrl+q"]);
        assert_eq!(losing.editor.status(), Some(0), "{handoff}: {:?}", losing.editor.log.tail);
        assert!(!losing.editor.log.panicked, "{handoff}: {:?}", losing.editor.log.tail);
        assert_eq!(kept(losing.editor.settings.path()), 0, "{handoff}: nothing is left to be recovered");
    }
}

#[test]
fn devices_that_are_lost_one_after_the_other_end_in_a_title_that_says_what_to_do_and_a_window_that_closes() {
    let mut losing = Losing::playing("slot");
    std::fs::write(&losing.lose, "").unwrap();
    let given_up = |line: &str| line.contains("close this window and start Framewalk again").then_some(());
    losing.editor.log.wait_for("no other window is opened", given_up);
    let title = "the graphics device is lost, your work is kept: close this window and start Framewalk again";
    let mut waited = Duration::ZERO;
    let window = loop {
        if let Some(window) = losing.display.window(title) {
            break window;
        }
        assert!(waited < PATIENCE, "the title says so");
        std::thread::sleep(STEP);
        waited += STEP;
    };
    ask_to_close(&losing.display, window.parse().unwrap());
    assert_eq!(losing.editor.status(), Some(0), "it closes: {:?}", losing.editor.log.tail);
    assert!(!losing.editor.log.panicked, "{:?}", losing.editor.log.tail);
    assert_eq!(kept(losing.editor.settings.path()), 1, "and the work is kept for the next start");
}
