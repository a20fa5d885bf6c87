//! An editor that is ended from outside, as a logout does it: unsaved work is on disk when it has ended, whether its
//! window was to be seen or not.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::coming_back::{Away, Hand, while_stopped};
use super::play_window::{STEERED, project};
use super::{Display, Editor, PATIENCE};

/// Between two looks at something that takes its time.
const STEP: Duration = Duration::from_millis(50);

const SETTINGS: &str =
    "(format: 1, tour_taken: true, autosave_seconds: 600, keys: {\"Add(Cube)\": \"Ctrl+J\"})";

/// The files of work that is kept, each with its text.
fn kept(settings: &Path) -> Vec<String> {
    let Ok(files) = std::fs::read_dir(settings.join("recovery")) else { return Vec::new() };
    files.flatten().filter_map(|file| std::fs::read_to_string(file.path()).ok()).collect()
}

fn send(signals: &[&str], process: u32) {
    // The shell's own: a bare machine has no program of this name.
    let words: Vec<String> = signals.iter().map(|signal| format!("kill -{signal} {process}")).collect();
    let sent = Command::new("sh").args(["-c", &words.join("; ")]).status().unwrap();
    assert!(sent.success(), "{signals:?}");
}

fn ended(editor: &mut Editor) -> Option<i32> {
    let mut waited = Duration::ZERO;
    loop {
        if let Some(status) = editor.program.try_wait().unwrap() {
            return status.code();
        }
        assert!(waited < PATIENCE, "it does not end; the log ends with {:?}", editor.log.tail);
        std::thread::sleep(STEP);
        waited += STEP;
    }
}

/// Opens an editor, makes a change, has its window go where it is to be, and sends it the signals.
fn work_is_kept(signals: &[&str], away: Option<Away>) {
    let display = Display::start();
    let hand = Hand::at(&display);
    let scene = project(STEERED);
    let before = std::fs::read_to_string(scene.path().join("scenes/main.ron")).unwrap();
    let mut editor = Editor::open_project(&display, SETTINGS, scene.path());
    editor.wait_for("the authored scene", |painted| painted.drawn == painted.wanted);
    let window = display.window("Test|^Framewalk").expect("the main window is there");
    display.xdotool(&["windowfocus", "--sync", &window]);
    display.xdotool(&["key", "ctrl+j"]);
    editor.log.wait_for_rest("the editor after a change", Duration::from_secs(2));
    assert_eq!(kept(editor.settings.path()), [""; 0], "it is not time yet");
    if let Some(away) = away {
        hand.take_away(window.parse().unwrap(), away);
        editor.log.wait_for_rest("the editor out of sight", Duration::from_secs(2));
    }
    send(signals, editor.program.id());
    assert_eq!(ended(&mut editor), Some(130), "{:?}", editor.log.rest());
    let kept = kept(editor.settings.path());
    assert_eq!(kept.len(), 1, "{signals:?}, {away:?}");
    assert!(kept[0].contains("Cube 2") || kept[0].matches("Cube").count() > before.matches("Cube").count());
    assert_eq!(std::fs::read_to_string(scene.path().join("scenes/main.ron")).unwrap(), before);
    assert!(!editor.log.panicked, "{:?}", editor.log.tail);
}

#[test]
fn an_editor_that_is_asked_to_terminate_keeps_what_was_not_saved() {
    work_is_kept(&["TERM"], None);
}

#[test]
fn a_hang_up_right_behind_the_request_to_terminate_is_no_second_request() {
    work_is_kept(&["TERM", "HUP"], None);
}

#[test]
fn a_minimised_editor_keeps_its_work_too() {
    work_is_kept(&["HUP"], Some(Away::Minimised));
}

#[test]
fn an_editor_whose_window_is_gone_before_winit_hears_of_what_happened_to_it_keeps_its_work() {
    let display = Display::start();
    let hand = Hand::at(&display);
    let scene = project(STEERED);
    let mut editor = Editor::open_project(&display, SETTINGS, scene.path());
    editor.wait_for("the authored scene", |painted| painted.drawn == painted.wanted);
    let window = display.window("Test|^Framewalk").expect("the main window is there");
    display.xdotool(&["windowfocus", "--sync", &window]);
    display.xdotool(&["key", "ctrl+j"]);
    editor.log.wait_for_rest("the editor after a change", Duration::from_secs(2));
    let window = window.parse().unwrap();
    while_stopped(&editor.program, || {
        hand.resize(window, [900, 600]);
        hand.destroy(window);
    });
    let status = ended(&mut editor);
    let said = editor.log.rest();
    assert_eq!(status, Some(1), "{said}");
    let sentence = "error: the window was destroyed by another program; unsaved work is kept";
    assert!(said.contains(sentence), "{said}");
    let kept = kept(editor.settings.path());
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].matches("Cube").count(), 4, "{}", kept[0]);
}
