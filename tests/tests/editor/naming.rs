//! Making projects and scenes, and giving scenes other names.

#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test that fails says where; numbers are read back"
)]

use framewalk::command::naming::Naming;
use framewalk::command::{EditorCommand, NewEntity};

use super::editing::{Place, SCENE, enter, names, run, scene};
use super::*;

/// Asks for it, types over what is proposed, and presses Enter.
fn name(editor: &mut Harness<'_, EditorApp>, what: Naming, typed: &str) {
    run(editor, EditorCommand::Name(what));
    editor.run();
    let label = if what == Naming::NewProject { "Folder of the project" } else { "Name of the scene" };
    editor.get_by_label(label).type_text(typed);
    editor.run();
    editor.key_press(Key::Enter);
    editor.run();
}

fn open_scene(editor: &Harness<'_, EditorApp>) -> String {
    editor.state().workspace().unwrap().scenes.front.file.name.clone()
}

fn is_dirty(editor: &Harness<'_, EditorApp>) -> bool {
    editor.state().workspace().unwrap().scenes.front.document.is_dirty()
}

fn project_text(place: &Place) -> String {
    std::fs::read_to_string(place.scene().parent().unwrap().with_file_name("project.ron")).unwrap()
}

#[test]
fn a_new_scene_is_a_file_a_name_in_the_project_and_open() {
    let place = Place::new();
    let mut editor = place.open();
    let before = project_text(&place);
    name(&mut editor, Naming::NewScene, "arena");
    assert_eq!(open_scene(&editor), "arena");
    assert_eq!(names(&editor), ["Camera", "Sun", "Sky", "Floor"]);
    assert_eq!(project_text(&place), before.replace("[\"main\"]", "[\"main\", \"arena\"]"));
    assert_eq!(place.text(), SCENE);
}

#[test]
fn a_scene_saved_under_another_name_goes_on_there_with_its_history() {
    let place = Place::new();
    let mut editor = place.open();
    editor.get_by_label("Box").click();
    editor.run();
    enter(&mut editor, "Position x", "7");
    name(&mut editor, Naming::SaveAs, "other");
    assert_eq!((open_scene(&editor).as_str(), is_dirty(&editor)), ("other", false));
    assert_eq!(place.text(), SCENE, "the first file is as it was");
    let other = std::fs::read_to_string(place.scene().with_file_name("other.ron")).unwrap();
    assert_eq!(other, SCENE.replace("(1, 0.5, 0)", "(7, 0.5, 0)"));
    run(&mut editor, EditorCommand::Undo);
    assert_eq!((scene(&editor).entities[1].transform.position.x, is_dirty(&editor)), (1.0, true));
    run(&mut editor, EditorCommand::Save);
    assert_eq!(std::fs::read_to_string(place.scene().with_file_name("other.ron")).unwrap(), SCENE);
}

#[test]
fn a_copy_is_written_as_the_scene_is_here_and_this_one_stays_open() {
    let place = Place::new();
    let mut editor = place.open();
    editor.get_by_label("Box").click();
    editor.run();
    enter(&mut editor, "Position x", "7");
    // The name that is offered is free.
    run(&mut editor, EditorCommand::Name(Naming::DuplicateScene));
    editor.run();
    editor.key_press(Key::Enter);
    editor.run();
    assert_eq!((open_scene(&editor).as_str(), is_dirty(&editor)), ("main", true));
    let copy = std::fs::read_to_string(place.scene().with_file_name("main copy.ron")).unwrap();
    assert_eq!(copy, SCENE.replace("(1, 0.5, 0)", "(7, 0.5, 0)"));
    assert_eq!(place.text(), SCENE);
    assert!(project_text(&place).contains("[\"main\", \"main copy\"]"));
}

#[test]
fn a_renamed_scene_has_its_file_its_place_in_the_project_and_its_unsaved_work() {
    let place = Place::new();
    let mut editor = place.open();
    editor.get_by_label("Box").click();
    editor.run();
    enter(&mut editor, "Position x", "7");
    name(&mut editor, Naming::RenameScene, "level 1");
    assert_eq!((open_scene(&editor).as_str(), is_dirty(&editor)), ("level 1", true));
    assert!(!place.scene().exists());
    assert!(project_text(&place).contains("[\"level 1\"]"));
    run(&mut editor, EditorCommand::Save);
    let saved = std::fs::read_to_string(place.scene().with_file_name("level 1.ron")).unwrap();
    assert_eq!(saved, SCENE.replace("(1, 0.5, 0)", "(7, 0.5, 0)"));
}

#[test]
fn a_name_that_is_taken_or_no_name_is_refused_where_it_is_typed() {
    let place = Place::new();
    let mut editor = place.open();
    name(&mut editor, Naming::NewScene, "main");
    assert!(editor.query_by_label_contains("has a scene \"main\" already").is_some());
    assert_eq!(open_scene(&editor), "main");
    editor.key_press(Key::Escape);
    editor.run();
    assert!(editor.query_by_label("Name of the scene").is_none());
}

#[test]
fn a_new_project_is_made_in_its_folder_and_open() {
    let place = Place::new();
    let mut editor = place.open();
    let folder = place.scene().parent().unwrap().parent().unwrap().with_file_name("fresh");
    name(&mut editor, Naming::NewProject, folder.to_str().unwrap());
    let workspace = editor.state().workspace().unwrap();
    assert_eq!(
        (workspace.project.root.as_path(), workspace.project.project.name.as_str()),
        (folder.canonicalize().unwrap().as_path(), "fresh")
    );
    assert!(workspace.scenes.front.authored.is_some());
    // A folder that holds something is nobody's to write into.
    name(&mut editor, Naming::NewProject, folder.to_str().unwrap());
    assert!(editor.state().message().unwrap().text.starts_with("The project was not made."));
}

#[test]
fn a_new_project_waits_for_the_answer_about_unsaved_work_and_cancel_makes_none() {
    let place = Place::new();
    let mut editor = place.open();
    editor.get_by_label("Box").click();
    editor.run();
    enter(&mut editor, "Position x", "7");
    let folder = place.scene().parent().unwrap().parent().unwrap().with_file_name("fresh");
    name(&mut editor, Naming::NewProject, folder.to_str().unwrap());
    press(&mut editor, "Cancel");
    assert!(!folder.exists());
    assert_eq!((open_scene(&editor).as_str(), is_dirty(&editor)), ("main", true));
}

#[test]
fn ten_entities_in_a_new_project_are_the_same_after_saving_and_opening_again() {
    let place = Place::new();
    let mut editor = place.open();
    let folder = place.scene().parent().unwrap().parent().unwrap().with_file_name("fresh");
    name(&mut editor, Naming::NewProject, folder.to_str().unwrap());
    name(&mut editor, Naming::NewScene, "ten");
    for what in NewEntity::ALL.into_iter().cycle().take(10) {
        run(&mut editor, EditorCommand::Add(what));
    }
    enter(&mut editor, "Position x", "1/4");
    run(&mut editor, EditorCommand::Save);
    let (made, text) =
        (scene(&editor).clone(), std::fs::read_to_string(folder.join("scenes/ten.ron")).unwrap());
    assert_eq!((made.entities.len(), is_dirty(&editor)), (14, false));
    drop(editor);
    let mut editor = open(Some(folder.clone()), place.scene().parent().unwrap());
    editor.run();
    editor.key_press(Key::Escape);
    editor.run();
    editor.state_mut().run_command(EditorCommand::ShowPanel(framewalk::panels::Pane::Project));
    editor.run();
    editor.get_by_label("ten").scroll_to_me();
    editor.run();
    press(&mut editor, "ten");
    assert_eq!(open_scene(&editor), "ten");
    assert!(scene(&editor) == &made, "what is read is what was made");
    assert_eq!(
        std::fs::read_to_string(folder.join("scenes/ten.ron")).unwrap(),
        text,
        "opening writes nothing"
    );
}

#[test]
fn the_welcome_page_makes_a_project_too() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(None, settings.path());
    editor.run();
    press(&mut editor, "New project…");
    editor.get_by_label("Folder of the project").type_text(settings.path().join("fresh").to_str().unwrap());
    editor.run();
    press(&mut editor, "Make");
    assert_eq!(editor.state().workspace().unwrap().project.project.name, "fresh");
}
