//! What the Project panel writes into project.ron, and what of it a run then has.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::fixed_step::MaxTicks;

use super::comfort::{command, is_shown};
use super::editing::{Place, enter};
use super::*;

#[test]
fn what_is_typed_in_the_project_panel_is_written_to_its_file_and_counts_in_the_next_run() {
    let place = Place::new();
    let mut editor = place.open();
    let project = place.scene().parent().unwrap().parent().unwrap().join("project.ron");
    let before = std::fs::read_to_string(&project).unwrap();
    command(&mut editor, "go to: project");
    enter(&mut editor, "Tick rate of the project", "30");
    assert!(is_shown(&editor, "project.ron: the tick rate is 30 Hz now."));
    let expected = before.replace("tick_rate: 60", "tick_rate: 30");
    assert_eq!(std::fs::read_to_string(&project).unwrap(), expected);
    enter(&mut editor, "Longest delta of the project", "100");
    enter(&mut editor, "Tick cap of the project", "3");
    let reread =
        framewalk_runtime::scene::project::parse_project(&std::fs::read_to_string(&project).unwrap())
            .unwrap();
    assert_eq!(reread.limits.max_delta, Nanos::from_millis(100));
    assert_eq!(reread.limits.max_ticks, MaxTicks::Fixed(3));
    press(&mut editor, "Play");
    passes(&mut editor, 10);
    let newest = editor.state().inspector().history().newest().unwrap().record;
    assert_eq!(newest.tick_rate.to_string(), "30");
    // Nothing is changed while a scene runs.
    editor.get_by_label("Tick rate of the project").type_text("9");
    editor.run_steps(2);
    press(&mut editor, "Stop");
    enter(&mut editor, "Tick cap of the project", "auto");
    assert!(is_shown(&editor, "project.ron: the tick cap follows the tick rate now."));
}

#[test]
fn what_is_refused_stays_in_its_field_with_the_reason_and_the_file_stays_as_it_is() {
    let place = Place::new();
    let mut editor = place.open();
    let project = place.scene().parent().unwrap().parent().unwrap().join("project.ron");
    let before = std::fs::read_to_string(&project).unwrap();
    command(&mut editor, "go to: project");
    enter(&mut editor, "Tick rate of the project", "0");
    assert!(editor.query_by_label_contains("1 to 1000 Hz").is_some());
    assert_eq!(std::fs::read_to_string(&project).unwrap(), before);
    enter(&mut editor, "Tick rate of the project", "60");
    assert!(editor.query_by_label_contains("1 to 1000 Hz").is_none());
    assert_eq!(std::fs::read_to_string(&project).unwrap(), before);
}
