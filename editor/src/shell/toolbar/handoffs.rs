//! The field in which the handoff is chosen.

use egui::{Response, RichText};
use framewalk_inspector::theme::Theme;
use framewalk_runtime::frame::record::HandoffMode;

use super::ToolbarView;
use crate::command::{Action, EditorCommand};

/// The three ways, each with what it does; the one that counts is lit and has the keyboard first.
pub(super) fn ui(response: &Response, view: &mut ToolbarView, now: HandoffMode, actions: &mut Vec<Action>) {
    let mut open = true;
    egui::Popup::from_response(response)
        .open_bool(&mut open)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            ui.set_width(300.0);
            for handoff in HandoffMode::ALL {
                let command = EditorCommand::SetHandoff(handoff);
                let choice = ui.selectable_label(handoff == now, handoff.name());
                if handoff == now && std::mem::take(&mut view.wants_focus) {
                    choice.request_focus();
                }
                if choice.on_hover_text(command.tooltip()).clicked() {
                    actions.push(Action::Command(command));
                    view.open = None;
                }
                let what = RichText::new(command.tooltip()).small().color(Theme::of(ui).dim);
                ui.add(egui::Label::new(what).wrap());
                ui.add_space(4.0);
            }
        });
    if !open {
        view.open = None;
    }
}
