//! The Record panel: every field of the chosen frame, with its unit and its meaning.

pub mod model;
mod paint;

use egui::Ui;

use crate::live::InspectorAction;
use crate::view::View;
use crate::wording::grouped;

#[must_use]
pub fn caption(view: View<'_>) -> String {
    let Some(entry) = view.entry() else { return String::new() };
    format!("run {} · frame {}", entry.record.run, grouped(entry.frame().0))
}

pub fn ui(ui: &mut Ui, view: View<'_>) -> Option<InspectorAction> {
    paint::ui(ui, &view)
}
