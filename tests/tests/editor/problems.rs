//! The Problems panel: faults of the project's files with their places, and the file at that line.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use framewalk::command::EditorCommand;
use framewalk::panels::Pane;

use super::editing::{Place, run};
use super::*;

/// Passes until the files were looked through; that happens on a thread of its own.
fn looked_through(editor: &mut Harness<'_, EditorApp>) {
    while editor.state().problems().is_none() {
        std::thread::yield_now();
        editor.step();
    }
    editor.run();
}

const WRONG: &str = "(
    format: 1,
    entities: [
        (id: 1, name: \"Box\", shape: Cube(size: (1, 1, 1), color: \"#2bb58a\")),
        (id: 1, name: \"Twin\", parent: 9),
    ],
)
";

#[test]
fn every_fault_of_every_file_is_listed_and_a_click_shows_its_line() {
    let place = Place::new();
    std::fs::write(place.scene().with_file_name("other.ron"), WRONG).unwrap();
    std::fs::write(place.scene().with_file_name("more.ron"), "(format: 1, entitis: [])").unwrap();
    let mut editor = place.open();
    run(&mut editor, EditorCommand::ShowPanel(Pane::Problems));
    looked_through(&mut editor);
    let places: Vec<_> =
        editor.state().problems().unwrap().problems.iter().map(|problem| problem.fault.line).collect();
    assert_eq!(places, [Some(1), Some(5), Some(5)]);
    assert!(editor.query_by_label("Problems 3").is_some(), "the tab says how many");
    // The first is shown at once; a click shows another, in the midst of its file.
    assert!(editor.query_by_label("1 (format: 1, entitis: [])").is_some());
    let chosen = |editor: &Harness<'_, EditorApp>, place: &str| {
        let labels: Vec<String> = editor
            .query_all(egui_kittest::kittest::By::new().role(egui::accesskit::Role::ListItem))
            .filter(|node| node.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True))
            .filter_map(|node| node.accesskit_node().label())
            .collect();
        labels.iter().any(|label| label.starts_with(place))
    };
    assert!(chosen(&editor, "more.ron:1:13"));
    editor.get_all_by_label_contains("other.ron:5:").last().unwrap().click();
    editor.run();
    assert!(chosen(&editor, "other.ron:5:"));
    assert!(editor.query_by_label("2 format: 1,").is_none(), "lines are written as they stand");
    assert!(editor.query_by_label("2     format: 1,").is_some());
    // By the keyboard too.
    run(&mut editor, EditorCommand::ShowPanel(Pane::Problems));
    editor.run();
    editor.key_press(Key::ArrowUp);
    editor.key_press(Key::ArrowUp);
    editor.run();
    assert!(chosen(&editor, "more.ron:1:13"));
}

#[test]
fn without_a_fault_the_panel_says_what_will_be_there() {
    let place = Place::new();
    let mut editor = place.open();
    run(&mut editor, EditorCommand::ShowPanel(Pane::Problems));
    looked_through(&mut editor);
    assert!(editor.query_by_label_contains("No problems in the project and its scene file.").is_some());
    assert!(editor.query_by_label("Problems").is_some());
}
