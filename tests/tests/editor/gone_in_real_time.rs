//! Work that would go with the window: a scene whose file is gone from the disk, and a program that the system ends. In
//! real time: what is kept is kept some seconds after a change.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use framewalk::command::{EditorCommand, NewEntity};
use framewalk::settings::Settings;

use super::comfort::is_shown;
use super::files_in_real_time::{Home, SCENE, in_real_time, names, run, wait_for};
use super::*;

const TAB_OF_GONE: &str = "Scene main, not saved, gone from the disk";

/// Its scene has nothing unsaved, and then its file is removed.
fn with_its_file_gone(home: &Home) -> Harness<'static, EditorApp> {
    let mut editor = home.open();
    assert!(!editor.state().is_dirty());
    std::fs::remove_file(home.scene("main")).unwrap();
    wait_for(&mut editor, "it is missed", EditorApp::is_dirty);
    editor.run();
    editor
}

fn is_struck_out(editor: &Harness<'_, EditorApp>) -> bool {
    is_shown(editor, TAB_OF_GONE)
}

#[test]
fn a_scene_whose_file_is_gone_is_unsaved_says_so_in_its_tab_and_is_written_again_by_save() {
    let home = Home::new();
    let mut editor = with_its_file_gone(&home);
    assert!(is_struck_out(&editor));
    wait_for(&mut editor, "it is kept, though nothing was changed", |_| home.kept() == 1);
    run(&mut editor, EditorCommand::SaveAll);
    assert_eq!(home.text("main"), SCENE, "to the byte");
    assert!(is_shown(&editor, "Scene main") && !editor.state().is_dirty());
    assert!(!is_shown(&editor, "Dismiss"), "what was said of it is over");
    wait_for(&mut editor, "what was kept is forgotten", |_| home.kept() == 0);
}

#[test]
fn quitting_asks_about_a_scene_whose_file_is_gone() {
    let home = Home::new();
    let mut editor = with_its_file_gone(&home);
    run(&mut editor, EditorCommand::CloseProject);
    assert!(is_shown(&editor, "main.ron is gone from the disk: it is only here"));
    press(&mut editor, "Cancel");
    assert_eq!(names(&editor), ["Box"]);
    run(&mut editor, EditorCommand::CloseProject);
    press(&mut editor, "Save");
    assert!(editor.state().workspace().is_none());
    assert_eq!((home.text("main").as_str(), home.kept()), (SCENE, 0));
}

#[test]
fn a_scene_whose_file_is_gone_can_be_given_up() {
    let home = Home::new();
    let mut editor = with_its_file_gone(&home);
    wait_for(&mut editor, "it is kept", |_| home.kept() == 1);
    run(&mut editor, EditorCommand::CloseProject);
    press(&mut editor, "Discard");
    assert!(editor.state().workspace().is_none());
    assert_eq!(home.kept(), 0, "and is not offered again");
    assert!(!home.scene("main").exists());
}

#[test]
fn a_scene_whose_file_is_gone_is_offered_after_a_kill() {
    let home = Home::new();
    let mut editor = with_its_file_gone(&home);
    wait_for(&mut editor, "it is kept", |_| home.kept() == 1);
    // As a kill leaves it: nothing is put in order.
    drop(editor);
    let mut editor = home.open();
    press(&mut editor, "Restore");
    assert_eq!(names(&editor), ["Box"]);
    run(&mut editor, EditorCommand::Save);
    assert_eq!(home.text("main"), SCENE);
}

#[test]
fn a_file_that_comes_back_leaves_nothing_unsaved() {
    for (text, box_name) in [(SCENE.to_owned(), "Box"), (SCENE.replace("Box", "Other"), "Other")] {
        let home = Home::new();
        let mut editor = with_its_file_gone(&home);
        wait_for(&mut editor, "it is kept", |_| home.kept() == 1);
        std::fs::write(home.scene("main"), text).unwrap();
        wait_for(&mut editor, "it is back", |editor| !editor.is_dirty());
        editor.run();
        assert!(is_shown(&editor, "Scene main"));
        assert_eq!(names(&editor), [box_name]);
        wait_for(&mut editor, "what was kept is forgotten", |_| home.kept() == 0);
    }
}

#[test]
fn a_scene_that_plays_while_its_file_goes_is_unsaved_too() {
    let home = Home::new();
    let mut editor = home.open();
    press(&mut editor, "Play");
    std::fs::remove_file(home.scene("main")).unwrap();
    wait_for(&mut editor, "it is missed", EditorApp::is_dirty);
    wait_for(&mut editor, "it is kept", |_| home.kept() == 1);
    assert_eq!(editor.state().phase(), Phase::Playing);
    run(&mut editor, EditorCommand::Save);
    assert_eq!((home.text("main").as_str(), editor.state().is_dirty()), (SCENE, false));
}

/// With the editor's last words: what they are about is in the names of the tests.
fn said(editor: &Harness<'_, EditorApp>) -> String {
    editor.state().message().map(|message| message.text.clone()).unwrap_or_default()
}

fn is_gone(editor: &EditorApp) -> bool {
    editor.workspace().is_some_and(|open| open.scenes.front.is_gone())
}

#[test]
fn a_file_that_comes_back_as_it_was_while_it_plays_or_after_is_not_gone_any_more() {
    for back_after_stop in [false, true] {
        let home = Home::new();
        let mut editor = home.open();
        press(&mut editor, "Play");
        std::fs::remove_file(home.scene("main")).unwrap();
        wait_for(&mut editor, "it is missed", is_gone);
        if back_after_stop {
            press(&mut editor, "Stop");
            assert!(is_struck_out(&editor));
        }
        std::fs::write(home.scene("main"), SCENE).unwrap();
        wait_for(&mut editor, "it is back", |editor| !is_gone(editor));
        press(&mut editor, "Stop");
        editor.run();
        assert!(is_shown(&editor, "Scene main") && !editor.state().is_dirty());
        assert!(!is_shown(&editor, "Dismiss"), "what was said of it is over");
    }
}

#[test]
fn a_file_that_comes_back_as_it_was_leaves_nothing_unsaved_once_the_work_is_undone() {
    let home = Home::new();
    let mut editor = home.open();
    run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    std::fs::remove_file(home.scene("main")).unwrap();
    wait_for(&mut editor, "it is missed", is_gone);
    std::fs::write(home.scene("main"), SCENE).unwrap();
    wait_for(&mut editor, "it is back", |editor| !is_gone(editor));
    assert!(said(&editor).ends_with("main.ron is on the disk again, as it was."), "{}", said(&editor));
    assert!(editor.state().is_dirty(), "the cube is in no file");
    run(&mut editor, EditorCommand::Undo);
    assert!(is_shown(&editor, "Scene main") && !editor.state().is_dirty());
}

#[test]
fn a_file_that_goes_while_its_scene_plays_is_told_of_then_and_after_stop() {
    let home = Home::new();
    let mut editor = home.open();
    press(&mut editor, "Play");
    std::fs::remove_file(home.scene("main")).unwrap();
    wait_for(&mut editor, "it is missed", is_gone);
    let gone = "is gone from the disk: Save writes it again.";
    let told =
        |editor: &Harness<'_, EditorApp>, rest: &str| said(editor).ends_with(&format!("{gone} {rest}"));
    assert!(told(&editor, "The run goes on."), "{}", said(&editor));
    assert!(is_shown(&editor, "Dismiss"), "in the banner");
    press(&mut editor, "Stop");
    wait_for(&mut editor, "it is read", |editor| !editor.is_reading());
    assert!(told(&editor, "The last good scene is shown."), "{}", said(&editor));
    assert!(is_shown(&editor, "Dismiss"), "in the banner");
    assert_eq!(names(&editor), ["Box"]);
}

#[test]
fn that_the_file_of_unsaved_work_goes_while_it_plays_is_still_said_after_stop() {
    let home = Home::new();
    let mut editor = home.open();
    run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    press(&mut editor, "Play");
    std::fs::remove_file(home.scene("main")).unwrap();
    wait_for(&mut editor, "it is missed", is_gone);
    let told = "main.ron is gone from the disk. Your work is here: Save writes it.";
    assert!(said(&editor).ends_with(told), "{}", said(&editor));
    press(&mut editor, "Stop");
    wait_for(&mut editor, "it is looked at", |editor| !editor.is_reading());
    assert!(said(&editor).ends_with(told), "{}", said(&editor));
    assert_eq!(names(&editor), ["Box", "Cube"]);
}

#[test]
fn a_file_that_is_emptied_while_its_scene_plays_is_told_of_and_refused_after_stop() {
    let home = Home::new();
    let mut editor = home.open();
    let is_empty = |editor: &EditorApp| {
        editor
            .message()
            .is_some_and(|message| message.text.ends_with("cannot be used as it is now. The run goes on."))
    };
    press(&mut editor, "Play");
    std::fs::write(home.scene("main"), "").unwrap();
    wait_for(&mut editor, "it is told of", is_empty);
    assert!(!is_shown(&editor, "Restart with the new scene"), "half a file is no newer scene");
    press(&mut editor, "Stop");
    wait_for(&mut editor, "it is refused", |editor| {
        editor
            .message()
            .is_some_and(|message| message.text.ends_with("cannot be used. The last good scene is shown."))
    });
    assert_eq!(names(&editor), ["Box"]);

    std::fs::write(home.scene("main"), SCENE).unwrap();
    wait_for(&mut editor, "it is read", |editor| {
        editor.message().is_some_and(|message| message.text.contains("read again"))
    });
    press(&mut editor, "Play");
    std::fs::write(home.scene("main"), "").unwrap();
    wait_for(&mut editor, "it is told of again", is_empty);
    std::fs::write(home.scene("main"), SCENE).unwrap();
    wait_for(&mut editor, "it is as it was", |editor| {
        editor.message().is_some_and(|message| message.text.ends_with("again, as it was."))
    });
    press(&mut editor, "Stop");
    editor.run();
    assert!(is_shown(&editor, "Scene main") && !editor.state().is_dirty());
}

#[test]
fn unsaved_work_whose_file_is_gone_is_saved_without_a_question() {
    let home = Home::new();
    let mut editor = home.open();
    run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    std::fs::remove_file(home.scene("main")).unwrap();
    wait_for(&mut editor, "it is missed", |editor| {
        editor.workspace().is_some_and(|open| open.scenes.front.is_gone())
    });
    run(&mut editor, EditorCommand::Save);
    assert!(!is_shown(&editor, "Keep mine"), "nothing is there that could be lost");
    assert!(home.text("main").contains("Cube") && !editor.state().is_dirty());
}

#[test]
fn a_program_that_the_system_ends_keeps_unsaved_work_at_once_and_asks_nothing() {
    let home = Home::new();
    let settings = Settings { autosave_seconds: 600, tour_taken: true, ..Settings::default() };
    SettingsStore::in_folder(home.folder.path()).write(&settings).unwrap();
    let mut editor = in_real_time(&home);
    editor.state_mut().run_command(EditorCommand::Add(NewEntity::Cube));
    editor.step();
    // However fast the machine is, it ends before anything is written: that is waited for.
    let held = editor.state_mut().hold_files();
    editor.state_mut().end_as_asked_by_the_system();
    editor.step();
    assert!(!is_shown(&editor, "Discard"), "nobody is there to answer");
    assert_eq!(home.kept(), 0);
    drop(held);
    drop(editor);
    assert_eq!((home.kept(), home.text("main").as_str()), (1, SCENE), "kept, and not saved");
    let mut editor = home.open();
    assert!(is_shown(&editor, "Restore"));
    press(&mut editor, "Restore");
    assert_eq!(names(&editor), ["Box", "Cube"]);
}
