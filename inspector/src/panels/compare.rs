//! The Compare panel: the same scene under each of the three handoffs, side by side.

pub mod model;
mod paint;

use egui::Ui;

use crate::comparison::{ComparisonWanted, Pictures};
use crate::live::InspectorAction;
use crate::view::View;

/// The least and the most seconds that each way is given.
pub const LEAST_SECONDS: u32 = 1;
pub const MOST_SECONDS: u32 = 60;

/// What a person has set.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub wanted: ComparisonWanted,
}

impl Default for State {
    fn default() -> Self {
        Self { wanted: ComparisonWanted { seconds: 5, pictures: Pictures::Counted } }
    }
}

pub fn ui(ui: &mut Ui, state: &mut State, view: View<'_>) -> Option<InspectorAction> {
    paint::ui(ui, state, &view)
}
