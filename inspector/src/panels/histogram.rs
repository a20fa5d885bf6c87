//! The Histogram panel: how often which frame interval, frame time and alpha came up.

pub mod model;
mod paint;

use egui::Ui;
use framewalk_runtime::frame::stage::Stage;

use crate::live::InspectorAction;
use crate::view::View;

/// Which stage's time is shown, and what was computed last.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// None: all six together.
    pub stage: Option<Stage>,
    cached: Option<(model::Key, model::Histograms)>,
}

impl State {
    /// `1 441 frames · last 10 s`; empty while there is no frame.
    #[must_use]
    pub fn caption(&self) -> String {
        self.cached.as_ref().map_or_else(String::new, |(_, histograms)| histograms.caption.clone())
    }
}

pub fn ui(ui: &mut Ui, state: &mut State, view: View<'_>) -> Option<InspectorAction> {
    paint::ui(ui, state, &view);
    None
}
