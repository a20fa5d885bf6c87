//! Panels in windows of their own. Without a window of the system they are windows inside the main one.

use framewalk::panels::Pane;
use framewalk::shell::dock::is_open;

use super::comfort::{command, is_shown, opened};
use super::*;

/// A title of a window inside the main one is a label; a tab is a tab.
fn undocked(editor: &Harness<'_, EditorApp>) -> Vec<Pane> {
    editor.state().settings().undocked.clone()
}

fn docked(editor: &Harness<'_, EditorApp>, pane: Pane) -> bool {
    is_open(editor.state().settings().layout.as_ref().expect("the layout is kept"), pane)
}

#[test]
fn a_panel_moves_to_its_own_window_and_back_by_the_palette() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    command(&mut editor, "own window: outliner");
    assert_eq!(undocked(&editor), [Pane::Outliner]);
    assert!(!docked(&editor, Pane::Outliner));
    assert!(is_shown(&editor, "Filter entities"), "it is drawn in its window");
    command(&mut editor, "own window: outliner");
    assert_eq!(undocked(&editor), []);
    assert!(docked(&editor, Pane::Outliner));
    assert!(is_shown(&editor, "Filter entities"));
}

#[test]
fn the_menu_of_a_tab_moves_its_panel_out_and_closing_the_window_docks_it_again() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    editor.get_all_by_label("Project").next().unwrap().click_secondary();
    editor.run();
    press(&mut editor, "Move to its own window");
    assert_eq!(undocked(&editor), [Pane::Project]);
    assert!(is_shown(&editor, "Copy path"));
    press(&mut editor, "Close window");
    assert_eq!(undocked(&editor), []);
    assert!(docked(&editor, Pane::Project));
    assert!(is_shown(&editor, "Copy path"), "it is in front of its tabs");
}

#[test]
fn the_next_start_finds_the_windows_as_they_were_left() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    command(&mut editor, "own window: pacing");
    command(&mut editor, "own window: log");
    command(&mut editor, "own window: log");
    drop(editor);
    let mut editor = opened(settings.path());
    assert_eq!(undocked(&editor), [Pane::Pacing]);
    assert!(docked(&editor, Pane::Log) && !docked(&editor, Pane::Pacing));
    press(&mut editor, "Play");
    passes(&mut editor, 20);
    assert!(editor.query_all_by_label_contains("pacing plots").next().is_some());
}

#[test]
fn a_panel_that_is_closed_in_its_window_is_closed_and_the_first_layout_docks_all() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    command(&mut editor, "own window: outliner");
    command(&mut editor, "panel: outliner");
    assert_eq!(undocked(&editor), []);
    assert!(!docked(&editor, Pane::Outliner));
    command(&mut editor, "own window: stages");
    command(&mut editor, "reset layout");
    assert_eq!(undocked(&editor), []);
    assert!(docked(&editor, Pane::Outliner) && docked(&editor, Pane::Stages));
}

#[test]
fn windows_go_with_the_project_and_come_back_with_the_next() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    command(&mut editor, "own window: outliner");
    press(&mut editor, "File");
    press(&mut editor, "Close project");
    assert!(!is_shown(&editor, "Filter entities"));
    editor.get_by_label("Open judder-lab").scroll_to_me();
    editor.run();
    press(&mut editor, "Open judder-lab");
    assert!(is_shown(&editor, "Filter entities"));
}
