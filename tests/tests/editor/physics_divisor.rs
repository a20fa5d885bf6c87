//! How many ticks a physics step spans, as a person sets it: for the run, in the toolbar, and for the project.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use framewalk_runtime::frame::record::FrameRecord;

use super::comfort::{command, is_shown, opened};
use super::editing::Place;
use super::*;

fn newest(editor: &Harness<'_, EditorApp>) -> FrameRecord {
    editor.state().inspector().history().newest().unwrap().record
}

#[test]
fn the_physics_divisor_is_typed_while_a_scene_plays_and_is_marked_once() {
    let settings = tempfile::tempdir().unwrap();
    let project = sample("first-steps").join("project.ron");
    let before = std::fs::read(&project).unwrap();
    let mut editor = opened(settings.path());
    press(&mut editor, "Skip the tour");
    press(&mut editor, "Play");
    passes(&mut editor, 20);
    assert!(!is_shown(&editor, "Physics ÷ 1"), "with every tick nothing is said of it");
    command(&mut editor, "set physics divisor");
    assert!(is_shown(&editor, "Physics ÷ 1"), "the field is there while it is open");
    editor.get_by_label("Ticks that a physics step spans, 1 to 64").type_text("65");
    editor.key_press(Key::Enter);
    editor.run();
    assert!(is_shown(&editor, "65 is no number of ticks that a physics step spans: write 1 to 64"));
    press(&mut editor, "8");
    passes(&mut editor, 20);
    assert!(is_shown(&editor, "Physics ÷ 8"));
    let last = newest(&editor).frame;
    assert_eq!(newest(&editor).physics_divisor, 8);
    press(&mut editor, "Physics ÷ 8");
    press(&mut editor, "4");
    passes(&mut editor, 20);
    let frames = editor.state().inspector().history().run(1);
    let changed = frames.range(0, usize::MAX).filter(|entry| entry.record.frame > last);
    let changed: Vec<_> = changed.filter(|entry| entry.record.settings_changed).collect();
    assert_eq!(changed.len(), 1, "one mark in strip and plots");
    assert_eq!(changed[0].record.physics_divisor, 4);
    press(&mut editor, "Stop");
    assert_eq!(std::fs::read(&project).unwrap(), before);
    // The next run begins with what was set.
    press(&mut editor, "Play");
    passes(&mut editor, 5);
    assert_eq!(newest(&editor).physics_divisor, 4);
}

#[test]
fn in_the_project_panel_the_physics_divisor_is_the_projects_and_is_written_to_its_file() {
    let place = Place::new();
    let mut editor = place.open();
    let project = place.scene().parent().unwrap().parent().unwrap().join("project.ron");
    let before = std::fs::read_to_string(&project).unwrap();
    command(&mut editor, "go to: project");
    press(&mut editor, "Physics of the project");
    press(&mut editor, "once in 4 ticks");
    let expected = before.replace("tick_rate: 60,", "tick_rate: 60, physics_divisor: 4,");
    assert_eq!(std::fs::read_to_string(&project).unwrap(), expected);
    assert!(is_shown(&editor, "project.ron: a physics step spans 4 ticks now."));
    press(&mut editor, "Play");
    passes(&mut editor, 5);
    assert_eq!(newest(&editor).physics_divisor, 4);
    press(&mut editor, "Stop");
    press(&mut editor, "Physics of the project");
    press(&mut editor, "every tick");
    // What stands in the file stays there, with another number.
    let expected = before.replace("tick_rate: 60,", "tick_rate: 60, physics_divisor: 1,");
    assert_eq!(std::fs::read_to_string(&project).unwrap(), expected);
}
