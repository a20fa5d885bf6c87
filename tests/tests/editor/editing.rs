//! Changing the authored scene: fields, undo, making and deleting, saving, and what is asked before work is lost.

#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test that fails says where; numbers are read back"
)]

use framewalk::command::{EditorCommand, NewEntity};
use framewalk_runtime::scene::Scene;

use super::*;

/// A project of its own with one scene, so that it can be written to.
pub struct Place {
    folder: tempfile::TempDir,
}

pub const SCENE: &str = "// My scene.
(
    format: 1,
    entities: [
        (id: 1, name: \"Camera\", transform: (position: (0, 2, 8)), camera: ()),
        // The one that matters.
        (id: 2, name: \"Box\", transform: (position: (1, 0.5, 0)), shape: Cube(size: (1, 1, 1), color: \"#2bb58a\")),
        (id: 3, name: \"Child\", parent: 2, shape: Sphere(radius: 0.2, color: \"#56b4e9\")),
    ],
)
";

impl Place {
    pub fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        let project = "(format: 1, name: \"mine\", about: \"\", scenes: [\"main\"], tick_rate: 60, frame_rate: 60, handoff: slot)";
        std::fs::create_dir_all(place.folder.path().join("project/scenes")).unwrap();
        std::fs::write(place.folder.path().join("project/project.ron"), project).unwrap();
        std::fs::write(place.scene(), SCENE).unwrap();
        place
    }

    /// What holds the project, and settings and data of its editors.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn scene(&self) -> PathBuf {
        self.folder.path().join("project/scenes/main.ron")
    }

    pub fn text(&self) -> String {
        std::fs::read_to_string(self.scene()).unwrap()
    }

    pub fn open(&self) -> Harness<'static, EditorApp> {
        let mut editor = open(Some(self.folder.path().join("project")), self.folder.path());
        editor.run();
        // The tour would stand before the outliner.
        editor.key_press(Key::Escape);
        editor.run();
        editor
    }
}

pub fn run(editor: &mut Harness<'_, EditorApp>, command: EditorCommand) {
    editor.state_mut().run_command(command);
    editor.run();
}

pub fn scene<'a>(editor: &'a Harness<'_, EditorApp>) -> &'a Scene {
    editor.state().workspace().unwrap().scenes.front.document.scene()
}

pub fn names(editor: &Harness<'_, EditorApp>) -> Vec<String> {
    scene(editor).entities.iter().map(|entity| entity.name.clone()).collect()
}

/// Types a number into the field of this label.
pub fn enter(editor: &mut Harness<'_, EditorApp>, label: &str, text: &str) {
    // Behind the label of the row stands the field, which has the same name.
    editor.get_all_by_label(label).last().unwrap_or_else(|| panic!("no {label}")).click();
    editor.run();
    editor.key_press_modifiers(Modifiers::COMMAND, Key::A);
    editor.run();
    editor.get_all_by_label(label).last().unwrap().type_text(text);
    editor.run();
    editor.key_press(Key::Enter);
    editor.run();
}

#[test]
fn a_typed_number_is_one_step_and_saving_changes_only_that() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Box");
    assert!(!editor.state().is_dirty());
    enter(&mut editor, "Position x", "-2.5");
    assert_eq!(scene(&editor).named("Box").unwrap().transform.position.x, -2.5);
    assert!(editor.state().is_dirty());
    assert_eq!(
        editor.state().workspace().unwrap().scenes.front.document.history().done_count(),
        1,
        "one typed word, one step"
    );
    assert_eq!(place.text(), SCENE, "nothing is written before it is saved");
    run(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), SCENE.replace("(1, 0.5, 0)", "(-2.5, 0.5, 0)"));
    assert!(!editor.state().is_dirty());
    run(&mut editor, EditorCommand::Undo);
    assert!(editor.state().is_dirty(), "the file has what was undone");
    run(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), SCENE, "to the byte");
}

#[test]
fn what_is_being_typed_is_in_what_is_saved() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Box");
    let type_over = |editor: &mut Harness<'_, EditorApp>, label: &str, text: &str| {
        editor.get_all_by_label(label).last().unwrap().click();
        editor.run();
        editor.key_press_modifiers(Modifiers::COMMAND, Key::A);
        editor.run();
        editor.get_all_by_label(label).last().unwrap().type_text(text);
        editor.run();
    };
    type_over(&mut editor, "Name of the entity", "Crate");
    editor.key_press_modifiers(Modifiers::COMMAND, Key::S);
    editor.run();
    assert_eq!(place.text(), SCENE.replace("\"Box\"", "\"Crate\""));
    type_over(&mut editor, "Position x", "7");
    editor.key_press_modifiers(Modifiers::COMMAND, Key::S);
    editor.run();
    assert!(place.text().contains("(7, 0.5, 0)"));
    assert!(!editor.state().is_dirty());
    // A key that leads to nothing says why.
    editor.key_press_modifiers(Modifiers::COMMAND, Key::S);
    editor.run();
    let message = editor.state().message().unwrap();
    assert_eq!(message.text, "Save scene: The scene is as in its file.");
}

#[test]
fn undo_in_a_name_field_undoes_the_text_and_not_the_scene() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Box");
    enter(&mut editor, "Position x", "4");
    editor.get_by_label("Name of the entity").click();
    editor.run();
    editor.get_by_label("Name of the entity").type_text("Y");
    editor.run();
    editor.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    editor.run();
    assert_eq!(scene(&editor).named("Box").unwrap().transform.position.x, 4.0);
}

#[test]
fn what_is_deleted_takes_its_children_along_and_comes_back_with_them() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Box");
    editor.key_press(Key::Delete);
    editor.run();
    assert_eq!(names(&editor), ["Camera"]);
    editor.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    editor.run();
    assert_eq!(names(&editor), ["Camera", "Box", "Child"]);
    assert!(!editor.state().is_dirty());
    editor.key_press_modifiers(Modifiers::COMMAND, Key::Y);
    editor.run();
    assert_eq!(names(&editor), ["Camera"]);
}

#[test]
fn a_copy_has_children_and_ids_of_its_own_and_an_added_cube_a_name_of_its_own() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Box");
    editor.key_press_modifiers(Modifiers::COMMAND, Key::D);
    editor.run();
    assert_eq!(names(&editor), ["Camera", "Box", "Box copy", "Child", "Child"]);
    let copy = scene(&editor).named("Box copy").unwrap().id;
    assert_eq!(scene(&editor).entities[3].parent, Some(copy));
    for _ in 0..2 {
        run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    }
    assert_eq!(names(&editor)[5..], ["Cube", "Cube 2"]);
    run(&mut editor, EditorCommand::Save);
    let mut again = place.open();
    again.run();
    assert_eq!(scene(&again), scene(&editor), "what was saved reads back as it is");
}

#[test]
fn what_a_scene_must_not_be_is_refused_and_nothing_is_changed() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Camera");
    let before = scene(&editor).clone();
    enter(&mut editor, "Near", "900");
    assert_eq!(*scene(&editor), before);
    let message = editor.state().message().unwrap().text.clone();
    assert!(message.contains("refused"), "{message}");
}

#[test]
fn nothing_of_the_scene_is_changed_while_it_runs() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Box");
    press(&mut editor, "Play");
    passes(&mut editor, 5);
    let before = scene(&editor).clone();
    for command in [EditorCommand::Delete, EditorCommand::Add(NewEntity::Sphere), EditorCommand::Duplicate] {
        run(&mut editor, command);
    }
    assert_eq!(*scene(&editor), before);
    assert!(editor.query_by_label("Position x").is_none(), "a running scene is read, not changed");
}

#[test]
fn opening_another_project_with_unsaved_work_asks_and_cancel_cancels() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Box");
    enter(&mut editor, "Position x", "7");
    let open = |editor: &mut Harness<'_, EditorApp>| {
        press(editor, "File");
        press(editor, "Open recent or sample");
        press(editor, "first-steps");
    };
    let project =
        |editor: &Harness<'_, EditorApp>| editor.state().workspace().unwrap().project.project.name.clone();
    open(&mut editor);
    press(&mut editor, "Cancel");
    assert_eq!((project(&editor).as_str(), editor.state().is_dirty()), ("mine", true));
    open(&mut editor);
    press(&mut editor, "Discard");
    assert_eq!((project(&editor).as_str(), place.text().as_str()), ("first-steps", SCENE));
}

#[test]
fn closing_with_unsaved_work_asks_and_cancel_cancels() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Box");
    enter(&mut editor, "Position x", "7");
    run(&mut editor, EditorCommand::CloseProject);
    assert!(editor.state().workspace().is_some(), "it asks first");
    press(&mut editor, "Cancel");
    assert!(editor.state().workspace().is_some() && editor.state().is_dirty());
    run(&mut editor, EditorCommand::CloseProject);
    press(&mut editor, "Save");
    assert!(editor.state().workspace().is_none());
    assert_eq!(place.text(), SCENE.replace("(1, 0.5, 0)", "(7, 0.5, 0)"));
}

#[test]
fn a_file_that_was_changed_meanwhile_is_not_written_over_unasked() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Box");
    enter(&mut editor, "Position x", "7");
    let theirs = SCENE.replace("(0, 2, 8)", "(0, 2, 9)");
    std::fs::write(place.scene(), &theirs).unwrap();
    run(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), theirs);
    press(&mut editor, "Save mine as a copy");
    assert_eq!(place.text(), theirs);
    let copy = std::fs::read_to_string(place.scene().with_file_name("main.mine.ron")).unwrap();
    assert_eq!(copy, SCENE.replace("(1, 0.5, 0)", "(7, 0.5, 0)"));
    assert!(!editor.state().is_dirty());
    assert_eq!(scene(&editor).named("Camera").unwrap().transform.position.z, 9.0);
}

#[test]
#[cfg(unix)]
fn a_folder_that_takes_no_file_leaves_the_old_one_whole_and_the_work_unsaved() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Box");
    enter(&mut editor, "Position x", "7");
    let mut rights = std::fs::metadata(place.scene()).unwrap().permissions();
    rights.set_mode(0o444);
    std::fs::set_permissions(place.scene(), rights).unwrap();
    run(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), SCENE);
    assert!(editor.state().is_dirty());
    let message = editor.state().message().unwrap().text.clone();
    assert!(message.contains("not saved"), "{message}");
}

#[test]
fn a_part_that_is_not_known_is_removed_as_one_step_and_its_bytes_come_back() {
    let place = Place::new();
    let known = "(id: 2, name: \"Box\", transform: (position: (1, 0.5, 0)), shape: Cube(size: (1, 1, 1), color: \"#2bb58a\")),";
    let glowing = known.replace("\"Box\", ", "\"Box\", glow: Soft( 3 /* lumens */ ), ");
    let text = SCENE.replace(known, &glowing);
    assert_ne!(text, SCENE);
    std::fs::write(place.scene(), &text).unwrap();
    let mut editor = place.open();
    press(&mut editor, "Box");
    press(&mut editor, "Remove glow");
    assert_eq!(scene(&editor).named("Box").unwrap().unknown, []);
    let history = editor.state().workspace().unwrap().scenes.front.document.history();
    assert_eq!((history.done_count(), history.undo_name()), (1, Some("Remove glow of Box")));
    run(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), SCENE, "nothing but the part is gone");
    run(&mut editor, EditorCommand::Undo);
    run(&mut editor, EditorCommand::Save);
    assert_eq!(scene(&editor).named("Box").unwrap().unknown[0].name, "glow");
    assert_eq!(place.text(), text, "to the byte, with the comment in it");
}
