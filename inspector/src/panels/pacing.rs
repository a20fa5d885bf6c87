//! The Pacing panel: alpha, overstep, frame interval and drops on one time axis.

pub mod decimate;
pub mod model;
mod paint;

use egui::Ui;

use crate::inspector::View;
use crate::live::InspectorAction;
use model::Figures;

/// What was computed for the last revision of the history, so that standing still costs nothing.
#[derive(Clone, Debug, Default)]
pub struct State {
    cached: Option<(model::Key, model::Plots)>,
    scratch: Vec<framewalk_runtime::time::Nanos>,
}

impl State {
    /// `p50 6.94 · p99 7.21 · worst 21.40 ms · last 10 s`; empty while there is no frame.
    #[must_use]
    pub fn caption(&self, view: View<'_>) -> String {
        let Some(window) = model::Window::of(&view) else { return String::new() };
        let revision = view.selection.history(view.history).revision();
        match &self.cached {
            Some((key, plots)) if key.revision == revision && key.window == window => plots.figures.caption(),
            _ => Figures::of(&view, window, &mut Vec::new()).caption(),
        }
    }
}

pub fn ui(ui: &mut Ui, state: &mut State, view: View<'_>) -> Option<InspectorAction> {
    paint::ui(ui, state, &view)
}
