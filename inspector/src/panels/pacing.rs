//! The Pacing panel: alpha, overstep, frame interval and drops on one time axis; in the free handoff what becomes of the
//! pictures instead.

pub mod columns;
pub mod decimate;
pub mod model;
mod paint;

use egui::Ui;
use framewalk_runtime::time::FrameIndex;

use crate::live::InspectorAction;
use crate::view::View;
use model::TimeView;

/// What was computed for the last revision of the history, so that standing still costs nothing.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// How much time the plots cover, and where they end.
    pub time: TimeView,
    cached: Option<(model::Key, model::Plots)>,
    ranks: model::Ranks,
    // The chosen frame of the last pass: when it changes, the plots go to where it is.
    chosen: Option<FrameIndex>,
}

impl State {
    /// `p50 6.94 · p99 7.21 · worst 21.40 ms · last 10 s`, and how far frames begin from the display's refreshes where that
    /// is known; empty while there is no frame.
    #[must_use]
    pub fn caption(&self, view: View<'_>) -> String {
        let Some(window) = model::Window::of(&view, self.time) else { return String::new() };
        let revision = view.selection.history(view.history).revision();
        let caption = match &self.cached {
            Some((key, plots))
                if (key.revision == revision && key.window == window)
                    || (window.is_long() && key.frozen == view.selection.frozen_frame()) =>
            {
                plots.caption(&window)
            }
            _ => model::caption(&view, window),
        };
        model::with_phase(caption, &view, &window)
    }
}

pub fn ui(ui: &mut Ui, state: &mut State, view: View<'_>) -> Option<InspectorAction> {
    paint::ui(ui, state, &view)
}
