//! The frame strip: one bar a frame, coloured by what became of it.

pub mod model;
mod paint;

use egui::Ui;

use crate::inspector::View;
use crate::live::InspectorAction;

/// How far the strip is zoomed.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    pub scale: model::Scale,
}

pub fn ui(ui: &mut Ui, state: &mut State, view: View<'_>) -> Option<InspectorAction> {
    paint::ui(ui, state, &view)
}
