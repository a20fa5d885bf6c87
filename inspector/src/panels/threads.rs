//! The Threads panel: a lane for each thread with what it worked and waited, and the queues that jobs wait in.

pub mod model;
mod paint;

use egui::Ui;

use self::model::Since;
use crate::live::InspectorAction;
use crate::view::View;
use crate::wording::count;

/// What the panel remembers from pass to pass.
#[derive(Clone, Debug, Default)]
pub struct State {
    since: Since,
}

/// `2 workers · 1 204 jobs`; empty while no job can be.
#[must_use]
pub fn caption(view: View<'_>) -> String {
    let Some(jobs) = view.live.jobs else { return String::new() };
    let run: u64 = jobs.stats.queues.iter().map(|queue| queue.run).sum();
    let workers = model::workers(jobs.stats).count();
    format!("{} · {}", count(workers as u64, "worker", "workers"), count(run, "job", "jobs"))
}

pub fn ui(
    ui: &mut Ui,
    state: &mut State,
    pass_millis: Option<f32>,
    view: View<'_>,
) -> Option<InspectorAction> {
    if let Some(jobs) = view.live.jobs {
        state.since.note(jobs);
    }
    paint::ui(ui, &state.since, pass_millis, &view);
    None
}
