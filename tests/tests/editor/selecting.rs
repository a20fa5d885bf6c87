//! Selecting one or many: in the outliner by mouse and by keys, and in the picture.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use super::editing::{Place, run};
use super::*;
use framewalk::command::EditorCommand;

fn selected(editor: &Harness<'_, EditorApp>) -> Vec<u64> {
    let workspace = editor.state().workspace().unwrap();
    workspace.scenes.front.document.selection.ids().iter().map(|id| id.0).collect()
}

/// Clicks the row of this name with these keys held.
fn choose(editor: &mut Harness<'_, EditorApp>, name: &str, modifiers: Modifiers) {
    let row = editor.get_all_by_label(name).next().unwrap_or_else(|| panic!("no {name}"));
    row.click_modifiers(modifiers);
    editor.run();
}

#[test]
fn ctrl_adds_a_row_and_takes_it_away_and_shift_takes_all_between() {
    let place = Place::new();
    let mut editor = place.open();
    choose(&mut editor, "Camera", Modifiers::NONE);
    choose(&mut editor, "Child", Modifiers::COMMAND);
    assert_eq!(selected(&editor), [1, 3]);
    choose(&mut editor, "Camera", Modifiers::COMMAND);
    assert_eq!(selected(&editor), [3]);
    choose(&mut editor, "Camera", Modifiers::NONE);
    choose(&mut editor, "Child", Modifiers::SHIFT);
    assert_eq!(selected(&editor), [1, 2, 3]);
    let view = editor.state().wanted_view();
    assert_eq!(view.selection.map(|id| id.0), Some(3));
    assert_eq!(view.also_selected.iter().map(|id| id.0).collect::<Vec<_>>(), [1, 2], "each has its ring");
    choose(&mut editor, "Box", Modifiers::NONE);
    assert_eq!(selected(&editor), [2]);
    assert!(!editor.state().is_dirty(), "selecting is no change");
}

#[test]
fn keys_select_all_a_range_and_nothing() {
    let place = Place::new();
    let mut editor = place.open();
    editor.key_press_modifiers(Modifiers::ALT, Key::Num1);
    editor.run();
    editor.key_press(Key::ArrowDown);
    editor.run();
    assert_eq!(selected(&editor), [1]);
    for _ in 0..2 {
        editor.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
        editor.run();
    }
    assert_eq!(selected(&editor), [1, 2, 3]);
    editor.key_press(Key::Escape);
    editor.run();
    assert_eq!(selected(&editor), [0; 0]);
    editor.key_press_modifiers(Modifiers::COMMAND, Key::A);
    editor.run();
    assert_eq!(selected(&editor), [1, 2, 3]);
    run(&mut editor, EditorCommand::ClearSelection);
    assert_eq!(selected(&editor), [0; 0]);
}

#[test]
fn what_is_chosen_elsewhere_is_brought_into_sight_and_out_of_a_folded_parent() {
    let place = Place::new();
    let boxes: String = (1..=60).map(|id| format!("        (id: {id}, name: \"Box {id}\"),\n")).collect();
    let child = "        (id: 61, name: \"Last\", parent: 60),\n";
    std::fs::write(place.scene(), format!("(\n    format: 1,\n    entities: [\n{boxes}{child}    ],\n)\n"))
        .unwrap();
    let mut editor = place.open();
    assert!(editor.query_by_label("Last").is_none(), "far below");
    run(&mut editor, EditorCommand::SelectAll);
    editor.run();
    assert!(editor.query_by_label("Last").is_some(), "the primary one");
    // Folded by hand it stays folded, until something in it is chosen.
    choose(&mut editor, "Box 60", Modifiers::NONE);
    editor.key_press_modifiers(Modifiers::ALT, Key::Num1);
    editor.run();
    editor.key_press(Key::ArrowLeft);
    editor.run();
    assert!(editor.query_by_label("Last").is_none());
    run(&mut editor, EditorCommand::SelectAll);
    editor.run();
    assert!(editor.query_by_label("Last").is_some());
}
