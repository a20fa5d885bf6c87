//! What the disk and a crash do to several scenes that are open at once.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::process::{Child, Command, Stdio};

use framewalk::command::{EditorCommand, NewEntity};
use framewalk::settings::Settings;

use super::comfort::is_shown;
use super::disk_in_real_time::until;
use super::editing::{names, run};
use super::tabs::{SECOND, Two, from_project_panel, front, open_scenes, unsaved};
use super::*;

/// Names the project's folder in which the other process works: only then is it one.
const OTHER_PROCESS: &str = "FRAMEWALK_TEST_OTHER_TABS";

#[test]
fn on_disk_a_clean_scene_behind_is_read_again_and_an_unsaved_one_asks_when_it_comes_to_the_front() {
    let two = Two::new();
    let mut editor = two.open();
    press(&mut editor, "Scene main");
    std::fs::write(two.second(), SECOND.replace("Lamp", "Light")).unwrap();
    let behind = |editor: &Harness<'_, EditorApp>| -> Vec<String> {
        let workspace = editor.state().workspace().unwrap();
        let scene = workspace.scenes.iter().find(|scene| scene.file.name == "second").unwrap();
        scene.document.scene().entities.iter().map(|entity| entity.name.clone()).collect()
    };
    until(&mut editor, "it is read", |editor| behind(editor) == ["Light", "Wall"]);
    assert_eq!(names(&editor), ["Camera", "Box", "Child"], "the one in front stays");

    press(&mut editor, "Scene second");
    run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    press(&mut editor, "Scene main");
    let theirs = SECOND.replace("Wall", "Fence");
    std::fs::write(two.second(), &theirs).unwrap();
    until(&mut editor, "its tab says so", |editor| {
        is_shown(editor, "Scene second, not saved, changed on disk")
    });
    assert!(!is_shown(&editor, "Keep mine"), "whoever works on another scene is not disturbed");
    assert_eq!(behind(&editor), ["Light", "Wall", "Cube"]);
    press(&mut editor, "Scene second, not saved, changed on disk");
    press(&mut editor, "Take theirs");
    assert_eq!(names(&editor), ["Lamp", "Fence"]);
    assert!(is_shown(&editor, "Scene second"));

    // Saving all asks by name, too.
    run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    press(&mut editor, "Scene main");
    std::fs::write(two.second(), SECOND).unwrap();
    run(&mut editor, EditorCommand::SaveAll);
    assert!(editor.query_all_by_label_contains("second.ron was written by another program").next().is_some());
    press(&mut editor, "Keep mine");
    assert!(two.texts().1.contains("Fence") && two.texts().1.contains("Cube"));
}

#[test]
fn on_disk_the_last_good_scene_of_a_broken_file_is_offered_when_its_tab_is_opened_again() {
    let two = Two::new();
    let settings = Settings { autosave_seconds: 1, tour_taken: true, ..Settings::default() };
    SettingsStore::in_folder(two.folder()).write(&settings).unwrap();
    let mut editor = two.open();
    std::fs::write(two.second(), &SECOND[..20]).unwrap();
    let kept = |_: &Harness<'_, EditorApp>| {
        std::fs::read_dir(two.folder().join("data/recovery"))
            .is_ok_and(|files| files.flatten().next().is_some())
    };
    until(&mut editor, "it is kept", kept);
    press(&mut editor, "Close second");
    assert_eq!(open_scenes(&editor), ["main"]);
    from_project_panel(&mut editor, "second");
    press(&mut editor, "Restore");
    assert_eq!(names(&editor), ["Lamp", "Wall"]);
}

/// Started by [`killed_with_two_scenes_unsaved_the_next_start_offers_both`], else it does nothing: it works, and never
/// ends.
#[test]
fn the_process_that_is_killed() {
    let Some(folder) = std::env::var_os(OTHER_PROCESS).map(PathBuf::from) else { return };
    let mut editor = open(Some(folder.join("project")), &folder);
    editor.run();
    // What was saved is no change by another program.
    run(&mut editor, EditorCommand::Add(NewEntity::Empty));
    run(&mut editor, EditorCommand::Save);
    while editor.state().is_dirty() {
        editor.step();
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    press(&mut editor, "Scene second");
    run(&mut editor, EditorCommand::Add(NewEntity::Sphere));
    loop {
        editor.step();
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn killed_with_two_scenes_unsaved_the_next_start_offers_both() {
    let two = Two::new();
    let folder = two.folder().to_owned();
    let settings = Settings { autosave_seconds: 1, tour_taken: true, ..Settings::default() };
    SettingsStore::in_folder(&folder).write(&settings).unwrap();
    // Both are open from now on.
    let mut editor = two.open();
    press(&mut editor, "Scene main");
    run(&mut editor, EditorCommand::CloseProject);
    drop(editor);
    let kept = || {
        let files = std::fs::read_dir(folder.join("data/recovery"));
        let files = files.map(|files| files.flatten().collect()).unwrap_or_else(|_| Vec::new());
        files.iter().filter(|file| file.path().extension().is_some_and(|ending| ending == "ron")).count()
    };
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tabs_in_real_time::the_process_that_is_killed", "--nocapture"])
        .env(OTHER_PROCESS, &folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let both_are_kept = (0..1200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        kept() == 2
    });
    // SIGKILL: nothing is put in order.
    Child::kill(&mut child).unwrap();
    child.wait().unwrap();
    assert!(both_are_kept, "the work on both is kept some seconds after the change");

    let mut editor = open(Some(folder.join("project")), &folder);
    editor.run();
    for _ in 0..2 {
        assert!(
            editor.query_all_by_label_contains("1 entity added: ").next().is_some(),
            "it says what differs"
        );
        assert!(editor.query_by_label_contains("changed since by another").is_none());
        press(&mut editor, "Restore");
    }
    assert!(!is_shown(&editor, "Restore"));
    assert_eq!(
        (open_scenes(&editor), unsaved(&editor)),
        (vec!["main".into(), "second".into()], vec!["main".into(), "second".into()])
    );
    run(&mut editor, EditorCommand::SaveAll);
    assert!(two.texts().0.contains("Cube") && two.texts().1.contains("Sphere"));
    run(&mut editor, EditorCommand::CloseProject);
    assert_eq!(kept(), 0, "what is saved is not kept");
}

#[test]
fn who_takes_a_project_over_is_offered_the_unsaved_work_on_every_scene() {
    let two = Two::new();
    let mut first = two.open();
    run(&mut first, EditorCommand::Add(NewEntity::Sphere));
    press(&mut first, "Scene main");
    run(&mut first, EditorCommand::Add(NewEntity::Cube));
    let mut second = open(Some(two.folder().join("project")), two.folder());
    second.run();
    press(&mut second, "Take over");
    for _ in 0..3_000 {
        first.step();
        second.step();
        std::thread::sleep(std::time::Duration::from_millis(20));
        if first.state().read_only_reason().is_some() && second.state().read_only_reason().is_none() {
            break;
        }
    }
    second.run();
    for _ in 0..2 {
        press(&mut second, "Restore");
    }
    assert_eq!(unsaved(&second), ["main", "second"]);
    assert_eq!(
        names(&second).last().map(String::as_str),
        Some(if front(&second) == "main" { "Cube" } else { "Sphere" })
    );
    run(&mut first, EditorCommand::CloseProject);
    assert!(first.state().workspace().is_none(), "nothing is lost there: nothing is asked");
}
