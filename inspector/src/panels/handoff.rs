//! The Handoff panel: the way that frames take, as it stands now, who holds which buffer, who waits, and the counts.

pub mod model;
mod paint;

pub(crate) use self::paint::hatched;

use egui::Ui;
use framewalk_runtime::frame::record::HandoffMode;

use crate::live::InspectorAction;
use crate::view::View;
use crate::wording::grouped;

/// `slot · 1 203 published · 3 dropped`; empty while there is no frame.
#[must_use]
pub fn caption(view: View<'_>) -> String {
    let Some(model) = model::handoff(&view) else { return String::new() };
    let (name, counts) = (model.way.mode().name(), model.way.counts());
    let lost = match model.way.mode() {
        HandoffMode::Slot => format!("{} dropped", grouped(counts.dropped)),
        HandoffMode::Lockstep => "nothing dropped".to_owned(),
        HandoffMode::Free => format!("{} undrawn", grouped(counts.undrawn)),
    };
    format!("{name} · {} published · {lost}", grouped(counts.published))
}

pub fn ui(ui: &mut Ui, view: View<'_>) -> Option<InspectorAction> {
    paint::ui(ui, &view);
    None
}
