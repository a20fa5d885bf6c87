//! The context menu of a row of the outliner: every command about entities, with its key or why it is not allowed.

use egui::Ui;

use super::OutlinerFacts;
use crate::command::{Action, EditorCommand, NewEntity};

const GROUPS: &[&[EditorCommand]] = &[
    &[EditorCommand::FrameSelection, EditorCommand::Rename],
    &[EditorCommand::Cut, EditorCommand::Copy, EditorCommand::Paste],
    &[EditorCommand::Duplicate, EditorCommand::Delete],
    &[
        EditorCommand::MoveUp,
        EditorCommand::MoveDown,
        EditorCommand::MakeChildOfPrevious,
        EditorCommand::Unparent,
    ],
    &[EditorCommand::ToggleHidden, EditorCommand::ToggleLocked, EditorCommand::ShowAll],
];

/// Draws the menu of the row of this name.
pub fn ui(ui: &mut Ui, facts: &OutlinerFacts<'_>, name: &str, actions: &mut Vec<Action>) {
    ui.set_min_width(210.0);
    for group in GROUPS {
        for &command in *group {
            command_ui(ui, facts, command, actions);
        }
        ui.separator();
    }
    if ui.button("Copy name").clicked() {
        actions.push(Action::CopyText(name.to_owned()));
    }
    ui.menu_button("Add", |ui| {
        for command in NewEntity::ALL.map(EditorCommand::Add) {
            command_ui(ui, facts, command, actions);
        }
    });
}

fn command_ui(ui: &mut Ui, facts: &OutlinerFacts<'_>, command: EditorCommand, actions: &mut Vec<Action>) {
    let allowed = command.allowed(&facts.situation);
    let keys = facts.keymap.text(ui.ctx(), command);
    let button = egui::Button::new(command.label()).shortcut_text(keys).frame_when_inactive(false);
    let response = ui.add_enabled(allowed.is_ok(), button).accessible_name(command.label());
    let response = match allowed {
        Ok(()) => response.on_hover_text(command.tooltip()),
        Err(reason) => response.on_disabled_hover_text(reason),
    };
    if response.clicked() {
        actions.push(Action::Command(command));
        ui.close();
    }
}
