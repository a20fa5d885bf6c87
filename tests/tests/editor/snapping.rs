//! The steps that Ctrl rounds to: typed into the fields beside the picture, held to, and remembered.

#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test that fails says where; numbers are read back"
)]

use framewalk::viewport::gizmo::{LENGTH, Steps};
use glam::Vec3;

use super::editing::{enter, scene};
use super::space::{Place, button, pointer, seen};
use super::*;

const SCENE: &str = "(
    format: 1,
    entities: [
        (id: 1, name: \"Box\", transform: (position: (1, 0, 0)), shape: Cube(size: (1, 1, 1), color: \"#2bb58a\")),
    ],
)
";

fn steps(editor: &Harness<'_, EditorApp>) -> Steps {
    editor.state().settings().steps
}

#[test]
fn steps_are_typed_held_to_while_something_moves_and_remembered() {
    let place = Place::with(SCENE);
    let mut editor = place.open();
    press(&mut editor, "Box");
    assert_eq!(steps(&editor), Steps { metres: 0.5, degrees: 15.0, factor: 0.1 });
    press(&mut editor, "Snapping steps");
    enter(&mut editor, "Move in steps of", "3");
    enter(&mut editor, "Rotate in steps of", "45");
    enter(&mut editor, "Scale in steps of", "0.25");
    assert_eq!(steps(&editor), Steps { metres: 3.0, degrees: 45.0, factor: 0.25 });
    // A step of nothing would hold everything where it is.
    enter(&mut editor, "Move in steps of", "0");
    assert_eq!(steps(&editor).metres, 0.001);
    enter(&mut editor, "Move in steps of", "3");
    editor.key_press(Key::Escape);
    editor.run();
    assert!(editor.query_by_label("Move in steps of").is_none(), "Esc closes them");

    let from = seen(&editor, Vec3::X) + egui::vec2(LENGTH * 0.7, 0.0);
    let metre = seen(&editor, Vec3::X).x - seen(&editor, Vec3::ZERO).x;
    let to = from + egui::vec2(2.2 * metre, 0.0);
    editor.event(egui::Event::ModifiersChanged(Modifiers::COMMAND));
    pointer(&mut editor, from);
    button(&mut editor, from, true, Modifiers::COMMAND);
    for part in [0.3, 0.7, 1.0] {
        pointer(&mut editor, from + (to - from) * part);
    }
    editor.step();
    button(&mut editor, to, false, Modifiers::COMMAND);
    editor.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    editor.run();
    let position = scene(&editor).named("Box").unwrap().transform.position;
    assert_eq!(position, Vec3::new(4.0, 0.0, 0.0), "2.2 m in steps of 3 m");

    drop(editor);
    assert_eq!(steps(&place.open()), Steps { metres: 3.0, degrees: 45.0, factor: 0.25 });
}
