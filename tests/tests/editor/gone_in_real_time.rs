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
