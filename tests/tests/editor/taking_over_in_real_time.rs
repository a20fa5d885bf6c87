//! One project in two editors, taken over and taken back with unsaved work on both sides; and work that is recovered where
//! its scene is not what it was.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use framewalk::command::naming::Naming;
use framewalk::command::{EditorCommand, NewEntity};
use framewalk::settings::Settings;

use super::comfort::is_shown;
use super::files_in_real_time::{Home, SCENE, names, run, start_and_kill, wait_for};
use super::*;

/// `to` asks for the project, and `from` gives it up. A question may stand before the button: it is asked by command.
fn hand_over(from: &mut Harness<'_, EditorApp>, to: &mut Harness<'_, EditorApp>) {
    to.state_mut().run_command(EditorCommand::TakeOver);
    to.step();
    to.step();
    wait_for(from, "it is given up", |editor| editor.read_only_reason().is_some());
    wait_for(to, "it is taken", |editor| editor.read_only_reason().is_none());
    to.run();
}

/// The first has added a cube, and the second has the project since.
fn taken_over(home: &Home) -> (Harness<'static, EditorApp>, Harness<'static, EditorApp>) {
    let mut first = home.open();
    run(&mut first, EditorCommand::Add(NewEntity::Cube));
    let mut second = home.open();
    hand_over(&mut first, &mut second);
    assert!(is_shown(&second, "Restore"), "what is not saved in the first is offered in the second");
    (first, second)
}

#[test]
fn work_that_comes_back_to_whoever_made_it_is_on_screen_there_and_not_offered() {
    for answer in ["Restore", "Later"] {
        let home = Home::new();
        let (mut first, mut second) = taken_over(&home);
        press(&mut second, answer);
        hand_over(&mut second, &mut first);
        assert!(!is_shown(&first, "Restore"), "{answer}: it is on screen");
        assert_eq!((names(&first), first.state().is_dirty()), (vec!["Box".into(), "Cube".into()], true));
        wait_for(&mut first, "it is kept, once", |_| home.kept() == 1);
        run(&mut first, EditorCommand::Save);
        run(&mut first, EditorCommand::CloseProject);
        assert!(home.text("main").contains("Cube"));
        assert_eq!(home.kept(), 0, "{answer}: nothing waits to be recovered");
    }
}

#[test]
fn what_was_added_by_whoever_had_the_project_between_is_offered_and_takes_nothing_away() {
    let home = Home::new();
    let (mut first, mut second) = taken_over(&home);
    press(&mut second, "Restore");
    run(&mut second, EditorCommand::Add(NewEntity::Sphere));
    hand_over(&mut second, &mut first);
    assert!(first.query_by_label_contains("1 entity added: Sphere").is_some(), "and not the cube");
    assert!(first.query_by_label_contains("What is on screen is not saved either").is_some());
    wait_for(&mut first, "what is on screen is kept beside it", |_| home.kept() == 2);
    assert_eq!(names(&first), ["Box", "Cube"]);
    press(&mut first, "Restore");
    assert_eq!(names(&first), ["Box", "Cube", "Sphere"]);
    run(&mut first, EditorCommand::Undo);
    assert_eq!(names(&first), ["Box", "Cube"]);
    assert!(first.state().is_dirty());
}

#[test]
fn what_the_other_editor_kept_is_not_forgotten_by_one_that_has_nothing_unsaved_any_more() {
    let home = Home::new();
    let (mut first, mut second) = taken_over(&home);
    press(&mut second, "Restore");
    run(&mut first, EditorCommand::Revert);
    assert!(is_shown(&first, "Discard"), "reverting is asked about, also where nothing can be written");
    press(&mut first, "Discard");
    assert_eq!(names(&first), ["Box"]);
    hand_over(&mut second, &mut first);
    for _ in 0..30 {
        first.step();
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(home.kept(), 1, "while it is asked about, it stays");
    press(&mut first, "Restore");
    assert_eq!(names(&first), ["Box", "Cube"]);
}

#[test]
fn an_editor_that_reads_only_is_not_asked_which_of_both_counts_before_it_can_write() {
    let home = Home::new();
    let (mut first, mut second) = taken_over(&home);
    press(&mut second, "Discard");
    run(&mut second, EditorCommand::Add(NewEntity::Sphere));
    run(&mut second, EditorCommand::Save);
    wait_for(&mut first, "it is told", |editor| {
        editor.message().is_some_and(|message| message.text.contains("take the project over to say which"))
    });
    assert!(!is_shown(&first, "Keep mine"), "it could not be kept");
    hand_over(&mut second, &mut first);
    press(&mut first, "Keep mine");
    assert!(home.text("main").contains("Cube") && !home.text("main").contains("Sphere"));
}

#[test]
fn work_that_was_saved_by_the_other_editor_is_saved_here_too() {
    let home = Home::new();
    let (mut first, mut second) = taken_over(&home);
    press(&mut second, "Restore");
    run(&mut second, EditorCommand::Save);
    wait_for(&mut first, "it is seen", |editor| !editor.is_dirty());
    hand_over(&mut second, &mut first);
    assert!(!is_shown(&first, "Keep mine") && !is_shown(&first, "Restore"), "nothing is to be decided");
    run(&mut first, EditorCommand::Undo);
    assert_eq!((names(&first), first.state().is_dirty()), (vec!["Box".into()], true));
}

#[test]
fn a_question_about_kept_work_goes_with_the_project() {
    let home = Home::new();
    start_and_kill(&home);
    let mut first = home.open();
    assert!(is_shown(&first, "Restore"));
    let mut second = home.open();
    hand_over(&mut first, &mut second);
    first.run();
    assert!(!is_shown(&first, "Restore"), "it is the other one's to answer");
    press(&mut second, "Restore");
    assert_eq!(names(&second), ["Box", "Sphere"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_project_whose_editor_was_killed_and_has_not_let_it_go_yet_is_taken_once_it_has() {
    use framewalk::project::store::lock::{Asked, ProjectLock, lock_folder};
    let home = Home::new();
    let (data, root) = (home.folder.path().join("data"), home.folder.path().join("project"));
    let root = root.canonicalize().unwrap();
    let Ok(Asked::Ours(lock)) = ProjectLock::ask(&data, &root) else { panic!("nobody has it") };
    let mut killed = std::process::Command::new("true").spawn().unwrap();
    killed.wait().unwrap();
    std::fs::write(lock_folder(&data, &root).join("holder"), killed.id().to_string()).unwrap();
    let mut editor = home.open();
    assert!(editor.state().read_only_reason().is_some(), "it is still held");
    drop(lock);
    wait_for(&mut editor, "it is taken unasked", |editor| editor.read_only_reason().is_none());
}

#[test]
fn work_on_a_scene_whose_file_is_gone_since_is_put_back_and_can_be_saved() {
    let home = Home::new();
    start_and_kill(&home);
    std::fs::remove_file(home.scene("main")).unwrap();
    let mut editor = home.open();
    press(&mut editor, "Restore");
    assert_eq!(names(&editor), ["Box", "Sphere"]);
    wait_for(&mut editor, "it is kept under the name of newer work", |_| home.kept() == 1);
    run(&mut editor, EditorCommand::Save);
    assert!(!editor.state().is_dirty());
    let text = home.text("main");
    assert!(text.starts_with("// ") && text.contains("// Mine.") && text.contains("Sphere"), "{text}");
    run(&mut editor, EditorCommand::CloseProject);
    assert_eq!(home.kept(), 0);
    drop(editor);
    assert_eq!(names(&home.open()), ["Box", "Sphere"]);
}

#[test]
fn work_on_a_scene_whose_file_is_broken_since_is_put_back_and_saved_when_that_is_asked_for() {
    let home = Home::new();
    start_and_kill(&home);
    let broken = format!("<<<<<<< mine\n{SCENE}");
    std::fs::write(home.scene("main"), &broken).unwrap();
    let mut editor = home.open();
    press(&mut editor, "Restore");
    run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    run(&mut editor, EditorCommand::Save);
    assert_eq!(home.text("main"), broken, "what is there is not written over unasked");
    press(&mut editor, "Keep mine");
    assert!(!editor.state().is_dirty());
    assert!(home.text("main").contains("Sphere") && home.text("main").contains("Cube"));
}

#[test]
fn the_last_good_scene_of_a_file_that_was_broken_is_kept_until_the_file_is_good_again() {
    let home = Home::new();
    let mut editor = home.open();
    std::fs::write(home.scene("main"), &SCENE[..20]).unwrap();
    wait_for(&mut editor, "it is kept", |_| home.kept() == 1);
    assert!(!editor.state().is_dirty());
    std::fs::write(home.scene("main"), SCENE).unwrap();
    wait_for(&mut editor, "it is mended", |_| home.kept() == 0);

    std::fs::write(home.scene("main"), &SCENE[..20]).unwrap();
    wait_for(&mut editor, "it is kept again", |_| home.kept() == 1);
    run(&mut editor, EditorCommand::CloseProject);
    assert_eq!(home.kept(), 1, "nobody gave it up");
    drop(editor);
    let mut editor = home.open();
    press(&mut editor, "Restore");
    assert_eq!(names(&editor), ["Box"]);
    run(&mut editor, EditorCommand::Save);
    press(&mut editor, "Keep mine");
    assert_eq!(home.text("main"), SCENE);
}

#[test]
fn unsaved_work_is_kept_at_once_under_the_new_name_of_its_scene() {
    let home = Home::new();
    let settings = Settings { autosave_seconds: 600, tour_taken: true, ..Settings::default() };
    SettingsStore::in_folder(home.folder.path()).write(&settings).unwrap();
    let mut editor = home.open();
    run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    assert_eq!(home.kept(), 0);
    run(&mut editor, EditorCommand::Name(Naming::RenameScene));
    editor.get_by_label("Name of the scene").type_text("other");
    editor.run();
    editor.key_press(Key::Enter);
    editor.run();
    wait_for(&mut editor, "it is kept", |_| home.kept() == 1);
    drop(editor);
    let editor = home.open();
    assert!(editor.query_by_label_contains("Work on other was not saved").is_some());
}
