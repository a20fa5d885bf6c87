//! The Compare panel: the same scene under each of the three handoffs, side by side.

pub mod model;
mod paint;

use egui::Ui;
use framewalk_runtime::time::Nanos;

use crate::comparison::{ComparisonWanted, Pictures};
use crate::live::InspectorAction;
use crate::view::View;

/// The least and the most seconds that each way is given.
pub const LEAST_SECONDS: u32 = 1;
pub const MOST_SECONDS: u32 = 60;
/// The most that a picture may be made to take.
pub const MOST_RENDER_COST: Nanos = Nanos::from_millis(1_000);

/// What a person has set.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub wanted: ComparisonWanted,
}

impl Default for State {
    fn default() -> Self {
        let (seconds, pictures) = (5, Pictures::Counted);
        Self { wanted: ComparisonWanted { seconds, pictures, render_cost: Nanos::ZERO } }
    }
}

pub fn ui(ui: &mut Ui, state: &mut State, view: View<'_>) -> Option<InspectorAction> {
    paint::ui(ui, state, &view)
}
