//! The Stages panel: six rows, what each stage did or will do, and under them the two equations.

pub mod equations;
pub mod model;
pub mod opened;
mod paint;

use egui::Ui;
use framewalk_runtime::frame::stage::Stage;

use crate::live::InspectorAction;
use crate::view::View;

/// Which rows are open.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    pub opened: [bool; Stage::COUNT],
}

/// `frame 1 204 · 1.38 ms of 6.94 ms`; empty while there is no frame.
#[must_use]
pub fn caption(view: View<'_>) -> String {
    model::caption(&view)
}

pub fn ui(ui: &mut Ui, state: &mut State, view: View<'_>) -> Option<InspectorAction> {
    paint::ui(ui, state, &view)
}
