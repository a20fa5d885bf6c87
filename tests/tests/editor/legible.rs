//! No text is squeezed until one letter stands above the other: in every panel and dialog, in a small window, and in the
//! smaller one that a zoom of 150 % makes of it.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use framewalk::command::{EditorCommand, NewEntity};
use framewalk::panels::Pane;

use super::*;

/// A window of 1280 × 800 at a zoom of 1 and of 1.5, in points.
const SIZES: [[f32; 2]; 2] = [[1280.0, 800.0], [853.0, 533.0]];
/// Two lines are higher than this.
const ONE_LINE: f32 = 30.0;
/// What stands in several lines has room for a word or two in each.
const A_WORD: f32 = 60.0;

fn opened(settings: &Path, size: [f32; 2]) -> Harness<'static, EditorApp> {
    std::fs::write(settings.join("settings.ron"), "(format: 1, tour_taken: true)").unwrap();
    let options = options(Some(sample("first-steps")), settings, log_lines::channel().1);
    let mut editor = Harness::builder()
        .with_size(egui::Vec2::from(size))
        .with_max_steps(60)
        .build_eframe(|cc| EditorApp::new(cc, options));
    editor.run();
    editor
}

/// Texts of six letters or more that stand in a column narrower than a word, with where.
fn squeezed(editor: &Harness<'_, EditorApp>, place: &str) -> Vec<String> {
    editor
        .root()
        .children_recursive()
        .filter_map(|node| {
            let of = node.accesskit_node();
            let text = of.value().or_else(|| of.label())?;
            let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
            of.raw_bounds()?;
            let rect = node.rect();
            let is_upright = rect.height() > ONE_LINE && rect.width() < rect.height();
            let is_squeezed = letters >= 6 && is_upright && rect.width() < A_WORD;
            is_squeezed.then(|| format!("{place}: {text:?} stands in {rect:?}"))
        })
        .collect()
}

/// Every panel and every dialog in turn.
fn look_at_all(editor: &mut Harness<'_, EditorApp>, state: &str) -> Vec<String> {
    let mut found = Vec::new();
    for pane in Pane::ALL {
        editor.state_mut().run_command(EditorCommand::ShowPanel(pane));
        editor.run();
        found.extend(squeezed(editor, &format!("{state}, {}", pane.title())));
    }
    for (dialog, command) in [("preferences", EditorCommand::Settings), ("palette", EditorCommand::Palette)] {
        editor.state_mut().run_command(command);
        editor.run();
        found.extend(squeezed(editor, &format!("{state}, {dialog}")));
        if dialog == "preferences" {
            press(editor, "Keys");
            found.extend(squeezed(editor, &format!("{state}, {dialog}, keys")));
        }
        editor.key_press(Key::Escape);
        editor.run();
    }
    found
}

#[test]
fn no_text_stands_one_letter_a_line_in_any_panel_or_dialog() {
    let mut found = Vec::new();
    for size in SIZES {
        let settings = tempfile::tempdir().unwrap();
        let mut editor = opened(settings.path(), size);
        found.extend(look_at_all(&mut editor, &format!("{size:?} in Edit")));
        editor.state_mut().run_command(EditorCommand::Add(NewEntity::Spawner));
        editor.run();
        found.extend(squeezed(&editor, &format!("{size:?}, a spawner")));
        editor.state_mut().run_command(EditorCommand::CloseProject);
        editor.run();
        found.extend(squeezed(&editor, &format!("{size:?}, the unsaved question")));
        editor.key_press(Key::Escape);
        editor.run();
        press(&mut editor, "Play");
        passes(&mut editor, 20);
        press(&mut editor, "Pause");
        found.extend(look_at_all(&mut editor, &format!("{size:?} paused")));
        editor.state_mut().run_command(EditorCommand::Stop);
        editor.run();
        editor.state_mut().run_command(EditorCommand::CompareHandoffs);
        editor.run();
        found.extend(squeezed(&editor, &format!("{size:?}, compared")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_last_button_of_the_log_stands_inside_of_its_panel_in_a_small_window() {
    for size in SIZES {
        let settings = tempfile::tempdir().unwrap();
        let mut editor = opened(settings.path(), size);
        editor.state_mut().run_command(EditorCommand::ShowPanel(Pane::Log));
        editor.run();
        let button = editor.get_by_label("Clear").rect();
        let next_panel = editor.get_all_by_label("Pacing").next().unwrap().rect();
        assert!(button.right() < next_panel.left(), "{size:?}: {button} reaches beyond {next_panel}");
    }
}

#[test]
fn a_text_of_one_letter_a_line_is_found() {
    let settings = tempfile::tempdir().unwrap();
    // No panel has room for a word in it.
    let editor = opened(settings.path(), [60.0, 300.0]);
    assert!(!squeezed(&editor, "far too narrow").is_empty());
}
