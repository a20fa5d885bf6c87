//! Several scenes open at once: each tab a document of its own.

#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test that fails says where; numbers are read back"
)]

use framewalk::command::EditorCommand;
use framewalk::command::naming::Naming;
use framewalk::panels::Pane;

use super::comfort::is_shown;
use super::editing::{Place, SCENE, enter, names, run, scene};
use super::*;

pub const SECOND: &str = "(
    format: 1,
    entities: [
        (id: 1, name: \"Lamp\", transform: (position: (3, 0, 0)), shape: Sphere(radius: 0.5, color: \"#56b4e9\")),
        (id: 2, name: \"Wall\", shape: Cube(size: (1, 1, 1), color: \"#2bb58a\")),
    ],
)
";

/// A project with two scenes, and what each has on disk.
pub struct Two {
    pub place: Place,
}

impl Two {
    pub fn new() -> Self {
        let two = Self { place: Place::new() };
        let project = two.place.scene().parent().unwrap().with_file_name("project.ron");
        let text = std::fs::read_to_string(&project).unwrap();
        std::fs::write(project, text.replace("[\"main\"]", "[\"main\", \"second\"]")).unwrap();
        std::fs::write(two.second(), SECOND).unwrap();
        two
    }

    pub fn folder(&self) -> &Path {
        self.place.folder()
    }

    pub fn second(&self) -> PathBuf {
        self.place.scene().with_file_name("second.ron")
    }

    /// With both scenes open, the second in front.
    pub fn open(&self) -> Harness<'static, EditorApp> {
        let mut editor = self.place.open();
        from_project_panel(&mut editor, "second");
        editor
    }

    pub fn texts(&self) -> (String, String) {
        (self.place.text(), std::fs::read_to_string(self.second()).unwrap())
    }
}

/// Clicks on a scene of the list in the Project panel.
pub fn from_project_panel(editor: &mut Harness<'_, EditorApp>, name: &str) {
    run(editor, EditorCommand::ShowPanel(Pane::Project));
    editor.get_by_label(name).scroll_to_me();
    editor.run();
    press(editor, name);
    run(editor, EditorCommand::ShowPanel(Pane::Properties));
}

pub fn front(editor: &Harness<'_, EditorApp>) -> String {
    editor.state().workspace().unwrap().scenes.front.file.name.clone()
}

pub fn open_scenes(editor: &Harness<'_, EditorApp>) -> Vec<String> {
    let scenes = &editor.state().workspace().unwrap().scenes;
    scenes.iter().map(|scene| scene.file.name.clone()).collect()
}

/// Names of the scenes that are not as in their files.
pub fn unsaved(editor: &Harness<'_, EditorApp>) -> Vec<String> {
    let scenes = &editor.state().workspace().unwrap().scenes;
    let unsaved = scenes.iter().filter(|scene| scene.document.is_dirty());
    unsaved.map(|scene| scene.file.name.clone()).collect()
}

fn x_of(editor: &Harness<'_, EditorApp>, name: &str) -> f32 {
    scene(editor).named(name).unwrap().transform.position.x
}

/// The lamp of the second scene is moved to 8, then the box of the first to 7: the first is in front.
fn both_edited(editor: &mut Harness<'_, EditorApp>) {
    press(editor, "Lamp");
    enter(editor, "Position x", "8");
    press(editor, "Scene main");
    press(editor, "Box");
    enter(editor, "Position x", "7");
    assert_eq!(unsaved(editor), ["main", "second"]);
}

fn edited_texts() -> (String, String) {
    (SCENE.replace("(1, 0.5, 0)", "(7, 0.5, 0)"), SECOND.replace("(3, 0, 0)", "(8, 0, 0)"))
}

fn original_texts() -> (String, String) {
    (SCENE.to_owned(), SECOND.to_owned())
}

fn keys(editor: &mut Harness<'_, EditorApp>, modifiers: Modifiers, key: Key) {
    editor.key_press_modifiers(modifiers, key);
    editor.run();
}

#[test]
fn a_scene_opens_in_a_tab_of_its_own_and_unsaved_work_behind_it_is_not_asked_about() {
    let two = Two::new();
    let mut editor = two.place.open();
    assert!(is_shown(&editor, "Scene main"), "one scene has its tab too");
    assert!(!is_shown(&editor, "Close main"), "and the only one stays open");
    press(&mut editor, "Box");
    enter(&mut editor, "Position x", "7");
    from_project_panel(&mut editor, "second");
    assert!(!is_shown(&editor, "Discard"), "nothing is lost, nothing is asked");
    assert_eq!(
        (open_scenes(&editor), front(&editor).as_str()),
        (vec!["main".into(), "second".into()], "second")
    );
    assert_eq!(names(&editor), ["Lamp", "Wall"]);
    assert!(is_shown(&editor, "Scene main, not saved"), "its tab says so");
    // From the list, an open one only comes to the front.
    from_project_panel(&mut editor, "main");
    assert_eq!((open_scenes(&editor).len(), front(&editor).as_str()), (2, "main"));
    assert_eq!(x_of(&editor, "Box"), 7.0);
}

#[test]
fn each_tab_has_its_own_history_selection_marks_and_camera() {
    let two = Two::new();
    let mut editor = two.open();
    both_edited(&mut editor);
    let camera = editor.state().wanted_view().camera;
    keys(&mut editor, Modifiers::NONE, Key::H);
    let hidden = |editor: &Harness<'_, EditorApp>| {
        editor.state().workspace().unwrap().scenes.front.document.marks.hidden.len()
    };
    assert_eq!(hidden(&editor), 1);

    press(&mut editor, "Scene second, not saved");
    let selected = |editor: &Harness<'_, EditorApp>| {
        let document = &editor.state().workspace().unwrap().scenes.front.document;
        document.selected().map(|entity| entity.name.clone())
    };
    assert_eq!((selected(&editor).as_deref(), hidden(&editor)), (Some("Lamp"), 0));
    assert_ne!(
        editor.state().wanted_view().camera,
        camera,
        "the second has no camera of its own to look from"
    );
    run(&mut editor, EditorCommand::Undo);
    run(&mut editor, EditorCommand::Undo);
    assert_eq!((x_of(&editor, "Lamp"), unsaved(&editor)), (3.0, vec!["main".to_owned()]), "only here");

    press(&mut editor, "Scene main, not saved");
    assert_eq!((selected(&editor).as_deref(), hidden(&editor)), (Some("Box"), 1));
    assert_eq!((x_of(&editor, "Box"), editor.state().wanted_view().camera), (7.0, camera));
    run(&mut editor, EditorCommand::Undo);
    assert_eq!(unsaved(&editor), [""; 0]);
    press(&mut editor, "Scene second");
    run(&mut editor, EditorCommand::Redo);
    assert_eq!(x_of(&editor, "Lamp"), 8.0);
}

#[test]
fn what_is_copied_in_one_tab_is_pasted_in_another() {
    let two = Two::new();
    let mut editor = two.open();
    press(&mut editor, "Lamp");
    editor.state_mut().run_command(EditorCommand::Copy);
    editor.step();
    let copied = editor.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    editor.run();
    press(&mut editor, "Scene main");
    run(&mut editor, EditorCommand::ClearSelection);
    editor.event(egui::Event::Paste(copied.unwrap()));
    editor.run();
    assert_eq!(names(&editor), ["Camera", "Box", "Child", "Lamp"]);
    assert_eq!(unsaved(&editor), ["main"]);
}

#[test]
fn save_all_writes_both_and_says_why_it_is_not_needed() {
    let two = Two::new();
    let mut editor = two.open();
    both_edited(&mut editor);
    keys(&mut editor, Modifiers::COMMAND | Modifiers::ALT, Key::S);
    assert_eq!(two.texts(), edited_texts());
    assert_eq!(unsaved(&editor), [""; 0]);
    assert_eq!(editor.state().message().unwrap().text, "Saved 2 scenes: main.ron, second.ron.");
    assert_eq!(front(&editor), "main");
    press(&mut editor, "File");
    let line = editor.get_by_label("Save all scenes");
    assert!(line.accesskit_node().is_disabled(), "nothing is unsaved");
    line.hover();
    for _ in 0..60 {
        editor.step();
    }
    assert!(is_shown(&editor, "Every open scene is as in its file."));
}

#[test]
fn closing_the_project_asks_for_each_and_cancel_loses_nothing() {
    let two = Two::new();
    let mut editor = two.open();
    both_edited(&mut editor);
    run(&mut editor, EditorCommand::CloseProject);
    assert!(is_shown(&editor, "main.ron has changes that are not saved"));
    press(&mut editor, "Save");
    assert!(is_shown(&editor, "second.ron has changes that are not saved"));
    press(&mut editor, "Cancel");
    assert_eq!((two.texts(), unsaved(&editor).len()), (original_texts(), 2), "not even the first is saved");

    run(&mut editor, EditorCommand::CloseProject);
    press(&mut editor, "Discard");
    press(&mut editor, "Save");
    assert!(editor.state().workspace().is_none());
    assert_eq!(two.texts(), (original_texts().0, edited_texts().1));
}

#[test]
fn save_all_and_discard_all_answer_for_every_scene_that_is_left() {
    let two = Two::new();
    let mut editor = two.open();
    both_edited(&mut editor);
    run(&mut editor, EditorCommand::CloseProject);
    press(&mut editor, "Discard all");
    assert!(editor.state().workspace().is_none());
    assert_eq!(two.texts(), original_texts());
    drop(editor);

    let mut editor = two.place.open();
    assert_eq!(
        (open_scenes(&editor).len(), front(&editor).as_str()),
        (2, "main"),
        "what was open is open again"
    );
    press(&mut editor, "Scene second");
    both_edited(&mut editor);
    run(&mut editor, EditorCommand::CloseProject);
    press(&mut editor, "Save all");
    assert!(editor.state().workspace().is_none());
    assert_eq!(two.texts(), edited_texts());
}

#[test]
fn quitting_asks_for_each_and_ends_after_the_last_answer() {
    let two = Two::new();
    let mut editor = two.open();
    both_edited(&mut editor);
    let closes = |editor: &Harness<'_, EditorApp>| {
        let commands = &editor.output().viewport_output[&egui::ViewportId::ROOT].commands;
        commands.contains(&egui::ViewportCommand::Close)
    };
    let step = |editor: &mut Harness<'_, EditorApp>, label: &str| {
        editor.get_by_label(label).click();
        (0..3).any(|_| {
            editor.step();
            closes(editor)
        })
    };
    run(&mut editor, EditorCommand::Quit);
    assert!(!step(&mut editor, "Save"), "the second is asked about");
    assert!(!step(&mut editor, "Cancel"));
    assert_eq!((two.texts(), unsaved(&editor).len()), (original_texts(), 2));
    run(&mut editor, EditorCommand::Quit);
    assert!(!step(&mut editor, "Save"));
    assert!(step(&mut editor, "Save"), "both are written, and it ends");
    assert_eq!(two.texts(), edited_texts());
}

#[test]
fn a_tab_is_closed_by_its_button_the_middle_button_and_the_keyboard_and_unsaved_work_is_asked_about() {
    let two = Two::new();
    let mut editor = two.open();
    both_edited(&mut editor);
    press(&mut editor, "Close second");
    assert!(is_shown(&editor, "second.ron has changes that are not saved"));
    press(&mut editor, "Cancel");
    assert_eq!(open_scenes(&editor), ["main", "second"]);
    press(&mut editor, "Close second");
    press(&mut editor, "Discard");
    assert_eq!((open_scenes(&editor), front(&editor).as_str()), (vec!["main".to_owned()], "main"));
    assert_eq!((two.texts(), x_of(&editor, "Box")), (original_texts(), 7.0));

    keys(&mut editor, Modifiers::COMMAND, Key::W);
    assert_eq!(open_scenes(&editor), ["main"], "the only one stays");
    from_project_panel(&mut editor, "second");
    assert_eq!(x_of(&editor, "Lamp"), 3.0, "what was discarded is gone");
    keys(&mut editor, Modifiers::COMMAND, Key::W);
    assert_eq!(open_scenes(&editor), ["main"]);
    from_project_panel(&mut editor, "second");
    editor.get_by_label("Scene second").click_button(egui::PointerButton::Middle);
    editor.run();
    assert_eq!(open_scenes(&editor), ["main"]);
    assert_eq!(unsaved(&editor), ["main"]);
}

#[test]
fn the_menu_of_a_tab_saves_it_and_closes_the_others() {
    let two = Two::new();
    let mut editor = two.open();
    both_edited(&mut editor);
    editor.get_by_label("Scene second, not saved").click_secondary();
    editor.run();
    press(&mut editor, "Save");
    assert_eq!((unsaved(&editor), front(&editor).as_str()), (vec!["main".to_owned()], "main"));
    assert_eq!(two.texts(), (original_texts().0, edited_texts().1));
    editor.get_by_label("Scene second").click_secondary();
    editor.run();
    press(&mut editor, "Close others");
    press(&mut editor, "Save");
    assert_eq!((open_scenes(&editor), front(&editor).as_str()), (vec!["second".to_owned()], "second"));
    assert_eq!(two.texts(), edited_texts());
}

#[test]
fn the_keyboard_walks_along_the_tabs_round_and_round() {
    let two = Two::new();
    let mut editor = two.open();
    let both = Modifiers::COMMAND | Modifiers::SHIFT;
    let walk = [
        (Modifiers::COMMAND, Key::Tab, "main"),
        (Modifiers::COMMAND, Key::Tab, "second"),
        (both, Key::Tab, "main"),
        (Modifiers::COMMAND, Key::PageDown, "second"),
        (Modifiers::COMMAND, Key::PageUp, "main"),
    ];
    for (modifiers, key, expected) in walk {
        keys(&mut editor, modifiers, key);
        assert_eq!(front(&editor), expected, "{key:?}");
    }
    // And by the Tab key and Enter, as every button.
    editor.get_by_label("Scene second").focus();
    editor.run();
    keys(&mut editor, Modifiers::NONE, Key::Enter);
    assert_eq!(front(&editor), "second");
}

#[test]
fn what_was_open_is_open_again_and_a_scene_that_is_gone_is_left_out() {
    let two = Two::new();
    let mut editor = two.open();
    run(&mut editor, EditorCommand::CloseProject);
    drop(editor);
    let editor = two.place.open();
    assert_eq!(
        (open_scenes(&editor), front(&editor).as_str()),
        (vec!["main".into(), "second".into()], "second")
    );
    drop(editor);
    std::fs::remove_file(two.second()).unwrap();
    let editor = two.place.open();
    assert_eq!(open_scenes(&editor), ["main"]);
}

#[test]
fn a_tab_follows_save_as_and_rename_and_a_new_scene_has_its_own() {
    let two = Two::new();
    let mut editor = two.open();
    both_edited(&mut editor);
    let name = |editor: &mut Harness<'_, EditorApp>, what: Naming, typed: &str| {
        run(editor, EditorCommand::Name(what));
        editor.run();
        keys(editor, Modifiers::COMMAND, Key::A);
        editor.get_by_label("Name of the scene").type_text(typed);
        editor.run();
        keys(editor, Modifiers::NONE, Key::Enter);
    };
    name(&mut editor, Naming::RenameScene, "first");
    assert!(is_shown(&editor, "Scene first, not saved"));
    name(&mut editor, Naming::SaveAs, "other");
    assert!(is_shown(&editor, "Scene other"));
    assert_eq!(
        (open_scenes(&editor), unsaved(&editor)),
        (vec!["other".into(), "second".into()], vec!["second".into()])
    );
    name(&mut editor, Naming::NewScene, "arena");
    assert_eq!(
        (open_scenes(&editor), front(&editor).as_str()),
        (vec!["other".into(), "arena".into(), "second".into()], "arena")
    );
    assert_eq!(unsaved(&editor), ["second"]);
}

#[test]
fn a_run_belongs_to_its_scene_which_stays_in_front_until_stop() {
    let two = Two::new();
    let mut editor = two.open();
    both_edited(&mut editor);
    press(&mut editor, "Play");
    passes(&mut editor, 5);
    assert!(is_shown(&editor, "Scene main, runs, not saved"));
    press(&mut editor, "Scene second, not saved");
    assert_eq!((front(&editor).as_str(), editor.state().phase()), ("main", Phase::Playing));
    assert_eq!(editor.state().message().unwrap().text, "main runs: Stop it, and then go to another scene.");
    press(&mut editor, "Close main");
    assert_eq!((open_scenes(&editor).len(), editor.state().phase()), (2, Phase::Playing));
    press(&mut editor, "Stop");
    press(&mut editor, "Scene second, not saved");
    press(&mut editor, "Play");
    passes(&mut editor, 5);
    let rows = editor.state().workspace().unwrap().rows();
    assert!(rows.iter().any(|row| row.name == "Lamp"), "the scene in front is what plays");
    assert_eq!(rows.len(), 2);
}

#[test]
fn a_tab_is_dragged_along_the_row() {
    let two = Two::new();
    let mut editor = two.open();
    let at = |editor: &Harness<'_, EditorApp>, label: &str| editor.get_by_label(label).rect().center();
    let (from, to) = (at(&editor, "Scene second"), at(&editor, "Scene main"));
    editor.drag_at(from);
    editor.run();
    editor.hover_at(to - egui::vec2(8.0, 0.0));
    editor.run();
    editor.drop_at(to - egui::vec2(8.0, 0.0));
    editor.run();
    assert_eq!(
        (open_scenes(&editor), front(&editor).as_str()),
        (vec!["second".into(), "main".into()], "second")
    );
}

#[test]
fn the_keyboard_moves_the_tab_in_front_along_the_row_as_far_as_it_goes() {
    let two = Two::new();
    let mut editor = two.open();
    let both = Modifiers::COMMAND | Modifiers::SHIFT;
    let walk = [
        (Key::PageDown, ["main", "second"]),
        (Key::PageUp, ["second", "main"]),
        (Key::PageUp, ["second", "main"]),
        (Key::PageDown, ["main", "second"]),
    ];
    for (key, expected) in walk {
        keys(&mut editor, both, key);
        assert_eq!(
            (open_scenes(&editor), front(&editor).as_str()),
            (expected.map(str::to_owned).into(), "second")
        );
    }
}

#[test]
fn what_is_changed_before_and_after_a_look_at_another_scene_is_two_steps() {
    let two = Two::new();
    let mut editor = two.open();
    press(&mut editor, "Lamp");
    enter(&mut editor, "Position x", "8");
    press(&mut editor, "Scene main");
    press(&mut editor, "Scene second, not saved");
    press(&mut editor, "Wall");
    enter(&mut editor, "Position x", "5");
    run(&mut editor, EditorCommand::Undo);
    assert_eq!((x_of(&editor, "Lamp"), x_of(&editor, "Wall")), (8.0, 0.0));
}

#[test]
fn a_name_that_is_being_typed_is_entered_by_the_key_that_leads_to_another_scene_and_else_let_go() {
    let two = Two::new();
    let mut editor = two.open();
    press(&mut editor, "Lamp");
    keys(&mut editor, Modifiers::NONE, Key::F2);
    editor.get_by_label("New name").type_text("Sun");
    editor.run();
    keys(&mut editor, Modifiers::COMMAND, Key::Tab);
    assert_eq!(front(&editor), "main");
    keys(&mut editor, Modifiers::COMMAND, Key::Tab);
    assert!(!is_shown(&editor, "New name"));
    assert_eq!(names(&editor), ["Sun", "Wall"]);

    keys(&mut editor, Modifiers::NONE, Key::F2);
    editor.get_by_label("New name").type_text("Moon");
    editor.run();
    run(&mut editor, EditorCommand::NextScene);
    run(&mut editor, EditorCommand::NextScene);
    assert!(!is_shown(&editor, "New name"));
    assert_eq!(names(&editor), ["Sun", "Wall"]);
}
