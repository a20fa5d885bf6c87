//! Scenes are read again and compared off the window's thread, in real time: passes go on meanwhile, and what is given
//! up or overtaken by an edit changes nothing.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use framewalk::command::{EditorCommand, NewEntity};

use super::comfort::is_shown;
use super::files_in_real_time::{Home, in_real_time, large_scene, names, wait_for};
use super::*;

const ENTITIES: usize = 20_000;

/// A large scene, with a cube that is not saved; and, on disk, one whose first entity has another name.
fn both_changed() -> (Home, Harness<'static, EditorApp>) {
    let home = Home::new();
    std::fs::write(home.scene("main"), large_scene(ENTITIES)).unwrap();
    let mut editor = in_real_time(&home);
    command(&mut editor, EditorCommand::Add(NewEntity::Cube));
    std::fs::write(home.scene("main"), theirs()).unwrap();
    command(&mut editor, EditorCommand::Save);
    until_shown(&mut editor, "Keep mine");
    // The system tells of the change in its own time: all that follows from it is over before anything is answered.
    for _ in 0..30 {
        editor.step();
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    wait_for(&mut editor, "nothing is read any more", |editor| !editor.is_reading());
    (home, editor)
}

fn theirs() -> String {
    large_scene(ENTITIES).replacen("\"E1\"", "\"Theirs\"", 1)
}

fn command(editor: &mut Harness<'_, EditorApp>, command: EditorCommand) {
    editor.state_mut().run_command(command);
    editor.step();
}

fn answer(editor: &mut Harness<'_, EditorApp>, label: &str) {
    seen(editor);
    editor.get_by_label(label).click();
    // One pass takes the click, the next shows what came of it.
    editor.step();
    editor.step();
}

/// What is done before a question was seen answers nothing.
fn seen(editor: &mut Harness<'_, EditorApp>) {
    editor.run_steps(3);
}

fn until_shown(editor: &mut Harness<'_, EditorApp>, label: &str) {
    for _ in 0..400 {
        editor.step();
        if editor.query_by_label(label).is_some() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("never shown: {label}");
}

fn first_name(editor: &Harness<'_, EditorApp>) -> String {
    names(editor)[0].clone()
}

fn asks(editor: &Harness<'_, EditorApp>) -> bool {
    is_shown(editor, "Keep mine")
}

#[test]
fn both_sides_of_a_large_scene_are_compared_while_passes_go_on() {
    let (_home, mut editor) = both_changed();
    // However fast the machine is, nothing is compared before the window has gone on.
    let held = editor.state_mut().hold_files();
    answer(&mut editor, "Show both");
    assert!(editor.state().is_comparing_sides());
    assert!(is_shown(&editor, "Comparing…"), "the pass that asks does not wait for the answer");
    assert!(asks(&editor) && is_shown(&editor, "Compared: 0 %"), "and it can be answered without");
    drop(held);
    until_shown(&mut editor, "Only here: 2 lines. Only on disk: 1 line.");
    assert!(!editor.state().is_comparing_sides() && !is_shown(&editor, "Comparing…"));
}

#[test]
fn escape_gives_up_a_comparison_and_what_was_found_is_not_shown_later() {
    let (home, mut editor) = both_changed();
    let held = editor.state_mut().hold_files();
    answer(&mut editor, "Show both");
    seen(&mut editor);
    editor.key_press(Key::Escape);
    editor.step();
    editor.step();
    assert!(!asks(&editor) && !editor.state().is_comparing_sides());
    drop(held);
    // Answered after it: what was given up has been looked at by then.
    command(&mut editor, EditorCommand::Save);
    until_shown(&mut editor, "Keep mine");
    assert!(!is_shown(&editor, "Comparing…"));
    assert_eq!((home.text("main"), first_name(&editor)), (theirs(), "E1".to_owned()));
}

#[test]
fn what_is_being_compared_can_be_answered_without_waiting_for_it() {
    let (home, mut editor) = both_changed();
    let held = editor.state_mut().hold_files();
    answer(&mut editor, "Show both");
    answer(&mut editor, "Keep mine");
    assert!(editor.state().is_saving());
    drop(held);
    wait_for(&mut editor, "mine is written", |editor| !editor.is_saving());
    assert!(home.text("main").contains("Cube") && home.text("main").contains("\"E1\""));
    assert!(!asks(&editor) && !editor.state().is_dirty());
}

#[test]
fn theirs_is_read_while_passes_go_on_and_mine_stands_until_it_is_there() {
    let (_home, mut editor) = both_changed();
    let held = editor.state_mut().hold_files();
    answer(&mut editor, "Take theirs");
    assert!(editor.state().is_reading());
    assert_eq!((first_name(&editor).as_str(), editor.state().is_dirty()), ("E1", true));
    drop(held);
    wait_for(&mut editor, "it is read", |editor| !editor.is_reading());
    assert_eq!((first_name(&editor).as_str(), names(&editor).len()), ("Theirs", ENTITIES));
    assert!(!editor.state().is_dirty());
}

#[test]
fn escape_gives_up_reading_theirs_and_mine_stays() {
    let (_home, mut editor) = both_changed();
    let held = editor.state_mut().hold_files();
    answer(&mut editor, "Take theirs");
    editor.key_press(Key::Escape);
    editor.step();
    editor.step();
    assert!(!editor.state().is_reading());
    let message = editor.state().message().unwrap().text.clone();
    assert!(message.ends_with("main.ron is not read: what is here stays."), "{message}");
    drop(held);
    command(&mut editor, EditorCommand::Save);
    until_shown(&mut editor, "Keep mine");
    assert_eq!((first_name(&editor).as_str(), editor.state().is_dirty()), ("E1", true));
}

#[test]
fn what_is_changed_while_theirs_is_read_is_asked_about() {
    let (_home, mut editor) = both_changed();
    let held = editor.state_mut().hold_files();
    answer(&mut editor, "Take theirs");
    command(&mut editor, EditorCommand::Add(NewEntity::Sphere));
    drop(held);
    until_shown(&mut editor, "Keep mine");
    assert_eq!(first_name(&editor), "E1");
    assert!(names(&editor).iter().any(|name| name == "Sphere"), "it was not in what was given up");
    answer(&mut editor, "Take theirs");
    wait_for(&mut editor, "it is read", |editor| !editor.is_reading());
    assert_eq!(first_name(&editor), "Theirs");
}

#[test]
fn a_scene_that_is_changed_while_a_newer_one_is_read_is_asked_about() {
    let home = Home::new();
    std::fs::write(home.scene("main"), large_scene(ENTITIES)).unwrap();
    let mut editor = in_real_time(&home);
    let held = editor.state_mut().hold_files();
    std::fs::write(home.scene("main"), theirs()).unwrap();
    wait_for(&mut editor, "it is to be read", EditorApp::is_reading);
    command(&mut editor, EditorCommand::Add(NewEntity::Cube));
    drop(held);
    until_shown(&mut editor, "Keep mine");
    assert_eq!((first_name(&editor).as_str(), names(&editor).len()), ("E1", ENTITIES + 1));
}

#[test]
fn a_run_that_is_started_again_with_the_newer_scene_begins_once_that_is_read() {
    let home = Home::new();
    let scene = large_scene(50);
    std::fs::write(home.scene("main"), &scene).unwrap();
    let mut editor = in_real_time(&home);
    command(&mut editor, EditorCommand::PlayOrResume);
    std::fs::write(home.scene("main"), scene.replacen("\"E1\"", "\"Theirs\"", 1)).unwrap();
    until_shown(&mut editor, "Restart with the new scene");
    let held = editor.state_mut().hold_files();
    answer(&mut editor, "Restart with the new scene");
    assert_eq!(editor.state().phase(), Phase::Edit, "the older one is not played again");
    drop(held);
    wait_for(&mut editor, "it plays", |editor| editor.phase() == Phase::Playing);
    assert_eq!(first_name(&editor), "Theirs");
}
