//! Working on many entities: together, over the clipboard, in the tree; and going back in the history.

#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test that fails says where; numbers are read back"
)]

use super::editing::{Place, SCENE, enter, names, run, scene};
use super::*;
use framewalk::command::{EditorCommand, NewEntity};

fn choose_all(editor: &mut Harness<'_, EditorApp>, wanted: &[&str]) {
    for (nth, name) in wanted.iter().enumerate() {
        let modifiers = if nth == 0 { Modifiers::NONE } else { Modifiers::COMMAND };
        let row = editor.get_all_by_label(name).next().unwrap_or_else(|| panic!("no {name}"));
        row.click_modifiers(modifiers);
        editor.run();
    }
}

/// What the last pass put on the clipboard.
fn clipboard(editor: &mut Harness<'_, EditorApp>, command: EditorCommand) -> String {
    editor.state_mut().run_command(command);
    editor.step();
    let found = editor.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    editor.run();
    found.expect("something was copied")
}

fn steps(editor: &Harness<'_, EditorApp>) -> Vec<String> {
    let workspace = editor.state().workspace().unwrap();
    workspace.scenes.front.document.history().names().map(str::to_owned).collect()
}

fn done(editor: &Harness<'_, EditorApp>) -> usize {
    editor.state().workspace().unwrap().scenes.front.document.history().done_count()
}

#[test]
fn what_is_copied_in_one_project_is_pasted_in_another_with_ids_of_its_own() {
    let (from, to) = (Place::new(), Place::new());
    let mut editor = from.open();
    choose_all(&mut editor, &["Box"]);
    let text = clipboard(&mut editor, EditorCommand::Copy);
    assert!(text.starts_with("(\n    format: 1,\n    entities: ["), "{text}");
    assert!(!editor.state().is_dirty(), "copying is no change");

    let mut other = to.open();
    other.event(egui::Event::Paste(text));
    other.run();
    assert_eq!(names(&other), ["Camera", "Box", "Child", "Box", "Child"]);
    let pasted = &scene(&other).entities[3..];
    assert_eq!((pasted[0].id.0, pasted[1].id.0, pasted[1].parent), (4, 5, Some(pasted[0].id)));
    assert_eq!(steps(&other), ["Paste 2 entities"]);
    run(&mut other, EditorCommand::Save);
    let mut again = to.open();
    again.run();
    assert_eq!(scene(&again), scene(&other));
}

#[test]
fn cut_takes_away_and_paste_brings_back_and_a_bad_text_is_refused_with_its_place() {
    let place = Place::new();
    let mut editor = place.open();
    choose_all(&mut editor, &["Box"]);
    let text = clipboard(&mut editor, EditorCommand::Cut);
    assert_eq!(names(&editor), ["Camera"]);
    editor.event(egui::Event::Paste(text));
    editor.run();
    assert_eq!(names(&editor), ["Camera", "Box", "Child"]);
    let before = scene(&editor).clone();
    for (text, told) in [("hello", "1:"), ("(format: 1, entities: [(id: 1, name: \"A\", shape: 3)])", "1:")] {
        editor.event(egui::Event::Paste(text.to_owned()));
        editor.run();
        let message = editor.state().message().unwrap().text.clone();
        assert!(message.contains("pasted") && message.contains(told), "{message}");
        assert_eq!(*scene(&editor), before);
    }
}

#[test]
fn many_are_deleted_and_copied_as_one_step_each() {
    let place = Place::new();
    let mut editor = place.open();
    choose_all(&mut editor, &["Camera", "Box"]);
    run(&mut editor, EditorCommand::Duplicate);
    assert_eq!(names(&editor), ["Camera", "Camera copy", "Box", "Box copy", "Child", "Child"]);
    run(&mut editor, EditorCommand::Delete);
    assert_eq!(names(&editor), ["Camera", "Box", "Child"], "the copies were selected");
    assert_eq!(steps(&editor), ["Duplicate 2 entities", "Delete 2 entities"]);
    run(&mut editor, EditorCommand::Undo);
    run(&mut editor, EditorCommand::Undo);
    assert!(!editor.state().is_dirty());
}

#[test]
fn ten_entities_made_by_commands_are_saved_and_read_back_as_they_are() {
    let place = Place::new();
    let mut editor = place.open();
    for what in NewEntity::ALL {
        run(&mut editor, EditorCommand::Add(what));
    }
    assert_eq!(scene(&editor).entities.len(), 3 + NewEntity::ALL.len());
    run(&mut editor, EditorCommand::MakeChildOfPrevious);
    run(&mut editor, EditorCommand::MoveUp);
    run(&mut editor, EditorCommand::Save);
    let mut again = place.open();
    again.run();
    assert_eq!(scene(&again), scene(&editor));
    while done(&editor) > 0 {
        run(&mut editor, EditorCommand::Undo);
    }
    run(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), SCENE, "to the byte");
}

#[test]
fn a_row_dragged_onto_another_hangs_on_it_by_one_step_and_escape_drags_nothing() {
    let place = Place::new();
    let mut editor = place.open();
    let rect = |editor: &Harness<'_, EditorApp>, name: &str| {
        editor.get_all_by_label(name).next().unwrap_or_else(|| panic!("no {name}")).rect()
    };
    let drag = |editor: &mut Harness<'_, EditorApp>, from: &str, to: egui::Pos2, escape: bool| {
        let start = rect(editor, from).center();
        editor.drag_at(start);
        editor.run();
        for part in [0.4, 0.8, 1.0] {
            editor.hover_at(start.lerp(to, part));
            editor.run();
        }
        if escape {
            editor.key_press(Key::Escape);
            editor.run();
        }
        editor.drop_at(to);
        editor.run();
    };
    let onto = rect(&editor, "Box").center();
    drag(&mut editor, "Camera", onto, true);
    assert!(!editor.state().is_dirty());
    drag(&mut editor, "Camera", onto, false);
    let camera = scene(&editor).named("Camera").unwrap();
    assert_eq!(camera.parent, Some(scene(&editor).named("Box").unwrap().id));
    assert_eq!(steps(&editor), ["Move Camera"]);
    // On itself, or on what hangs on it: refused.
    let child = rect(&editor, "Child").center();
    drag(&mut editor, "Box", child, false);
    assert_eq!(done(&editor), 1);
    run(&mut editor, EditorCommand::Undo);
    assert!(!editor.state().is_dirty());
}

#[test]
fn f2_renames_in_the_row_and_escape_leaves_the_name() {
    let place = Place::new();
    let mut editor = place.open();
    choose_all(&mut editor, &["Box"]);
    for (key, name) in [(Key::Escape, "Box"), (Key::Enter, "Crate")] {
        editor.key_press(Key::F2);
        editor.run();
        editor.event(egui::Event::Text("Crate".to_owned()));
        editor.run();
        editor.key_press(key);
        editor.run();
        assert_eq!(scene(&editor).entities[1].name, name, "{key:?}");
    }
    assert_eq!(steps(&editor), ["Rename Box to Crate"]);
}

#[test]
fn what_is_hidden_is_not_drawn_and_no_change_of_the_scene() {
    let place = Place::new();
    let mut editor = place.open();
    choose_all(&mut editor, &["Box"]);
    let drawn = |editor: &Harness<'_, EditorApp>| {
        let mut snapshot = framewalk_runtime::snapshot::Snapshot::default();
        editor.state().workspace().unwrap().scenes.front.authored.as_ref().unwrap().fill(&mut snapshot);
        snapshot.items.iter().filter(|item| item.look.is_something()).count()
    };
    assert_eq!(drawn(&editor), 2);
    press(&mut editor, "Hide Box");
    assert_eq!(drawn(&editor), 0, "its child is hidden with it");
    assert!(!editor.state().is_dirty());
    run(&mut editor, EditorCommand::ShowAll);
    assert_eq!(drawn(&editor), 2);
}

#[test]
fn the_history_names_every_step_and_a_click_goes_there() {
    let place = Place::new();
    let mut editor = place.open();
    run(&mut editor, EditorCommand::ShowPanel(framewalk::panels::Pane::History));
    assert!(editor.query_by_label_contains("Nothing was changed yet").is_some());
    run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    run(&mut editor, EditorCommand::Save);
    run(&mut editor, EditorCommand::Add(NewEntity::Sphere));
    assert!(editor.query_by_label("Add Cube, saved").is_some());
    assert!(editor.query_by_label_contains("2 steps").is_some());
    press(&mut editor, "As opened");
    assert_eq!((names(&editor).len(), done(&editor)), (3, 0));
    press(&mut editor, "Add Sphere, undone");
    assert_eq!((names(&editor).len(), done(&editor)), (5, 2));
    press(&mut editor, "Add Cube, saved");
    assert!(!editor.state().is_dirty());
}

#[test]
fn a_number_typed_as_a_sum_is_reckoned() {
    let place = Place::new();
    let mut editor = place.open();
    choose_all(&mut editor, &["Box"]);
    for (typed, x) in [("1/4", 0.25), ("2*pi", std::f32::consts::TAU), ("-(1 + 2)^2", -9.0)] {
        enter(&mut editor, "Position x", typed);
        assert_eq!(scene(&editor).named("Box").unwrap().transform.position.x, x, "{typed}");
    }
    let steps = done(&editor);
    enter(&mut editor, "Position x", "1/0");
    enter(&mut editor, "Scale x", "-2");
    assert_eq!(done(&editor), steps, "neither is taken");
    assert!(editor.query_by_label_contains("outside").is_some(), "the reason is shown");
}

#[test]
fn many_are_changed_together_by_one_step_and_only_in_what_was_changed() {
    let place = Place::new();
    let mut editor = place.open();
    choose_all(&mut editor, &["Child", "Box"]);
    enter(&mut editor, "Position y", "3");
    let at = |editor: &Harness<'_, EditorApp>, name: &str| {
        scene(editor).named(name).unwrap().transform.position.to_array()
    };
    assert_eq!((at(&editor, "Box"), at(&editor, "Child")), ([1.0, 3.0, 0.0], [0.0, 3.0, 0.0]));
    assert_eq!(done(&editor), 1);
    run(&mut editor, EditorCommand::Undo);
    assert!(!editor.state().is_dirty());
}
