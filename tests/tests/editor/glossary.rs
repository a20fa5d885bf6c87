//! Each word of the glossary on screen says what it means while the pointer is on it.

use std::collections::BTreeSet;

use framewalk::panels::Pane;
use framewalk_inspector::glossary::{Term, named_by};

use super::comfort::{command, opened};
use super::*;

/// High enough for every line of the longest panel.
const SIZE: egui::Vec2 = egui::vec2(1600.0, 1300.0);

/// Labels of a panel that name a term, and where they are.
fn terms(editor: &Harness<'_, EditorApp>) -> Vec<(String, &'static Term, egui::Pos2)> {
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, SIZE);
    let labels = editor.query_all(egui_kittest::kittest::By::new().role(egui::accesskit::Role::Label));
    let mut found = Vec::new();
    for node in labels {
        let rect = node.rect();
        let text =
            node.accesskit_node().label().or_else(|| node.accesskit_node().value()).unwrap_or_default();
        if let Some(term) = named_by(&text).filter(|_| rect.width() > 4.0 && screen.contains_rect(rect)) {
            found.push((text, term, rect.center()));
        }
    }
    found
}

#[test]
fn every_word_of_the_glossary_on_screen_has_its_sense_on_hover() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    editor.set_size(SIZE);
    press(&mut editor, "Skip the tour");
    press(&mut editor, "Play");
    passes(&mut editor, 60);
    press(&mut editor, "Pause");
    press(&mut editor, "Ball 07");
    let mut said = BTreeSet::new();
    let mut silent = Vec::new();
    for pane in Pane::ALL {
        command(&mut editor, &format!("go to: {}", pane.title()));
        for (text, term, at) in terms(&editor) {
            if said.contains(&text) {
                continue;
            }
            editor.hover_at(at);
            editor.run_steps(8);
            if editor.query_all_by_label_contains(term.sense).next().is_some()
                || editor.query_all_by_value(term.sense).next().is_some()
            {
                said.insert(text);
            } else {
                silent.push(format!("{}: {text}", pane.title()));
            }
        }
    }
    assert_eq!(silent, [""; 0], "labels that say nothing");
    for word in ["overstep", "alpha", "published", "frame interval"] {
        assert!(said.iter().any(|text| text.starts_with(word)), "{word} was on screen: {said:?}");
    }
}
