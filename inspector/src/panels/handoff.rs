//! The Handoff panel: the slot as it stands now, who holds which buffer, and the counts.

pub mod model;
mod paint;

use egui::Ui;

use crate::inspector::View;
use crate::live::InspectorAction;
use crate::wording::grouped;

/// `1 203 published · 3 dropped`; empty while there is no frame.
#[must_use]
pub fn caption(view: View<'_>) -> String {
    let Some(model) = model::handoff(&view) else { return String::new() };
    format!("{} published · {} dropped", grouped(model.counts.published), grouped(model.counts.dropped))
}

pub fn ui(ui: &mut Ui, view: View<'_>) -> Option<InspectorAction> {
    paint::ui(ui, &view);
    None
}
