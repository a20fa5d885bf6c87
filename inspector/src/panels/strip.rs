//! The frame strip: one bar a frame, or one for the worst of several, coloured by what became of it.

pub mod model;
mod paint;
pub mod range;

use egui::Ui;
use framewalk_runtime::time::FrameIndex;

use crate::live::InspectorAction;
use crate::view::View;

/// How far the strip is zoomed and moved, and what a drag in it began with.
#[derive(Clone, Debug, Default)]
pub struct State {
    pub scale: model::Scale,
    /// Index of the frame at the right edge; none while it follows the newest, or the chosen one.
    pub end: Option<u64>,
    drag_from: Option<FrameIndex>,
    // The chosen frame of the last pass: when it changes, the view goes to where it is.
    chosen: Option<FrameIndex>,
    figures: Option<(u64, (FrameIndex, FrameIndex), range::RangeFigures)>,
}

pub fn ui(ui: &mut Ui, state: &mut State, view: View<'_>) -> Option<InspectorAction> {
    paint::ui(ui, state, &view)
}
