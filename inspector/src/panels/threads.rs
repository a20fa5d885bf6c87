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

/// `12 input events lost · 2 workers · 1 204 jobs`: each only where there is any, or can be.
#[must_use]
pub fn caption(view: View<'_>) -> String {
    // What is lost comes first: where the caption is too long, its end is left out.
    let lost = Some(view.live.input_lost).filter(|lost| *lost > 0);
    let lost = lost.map(|lost| format!("{} lost", count(lost, "input event", "input events")));
    let jobs = view.live.jobs.map(|jobs| {
        let run: u64 = jobs.stats.queues.iter().map(|queue| queue.run).sum();
        let workers = model::workers(jobs.stats).count() as u64;
        format!("{} · {}", count(workers, "worker", "workers"), count(run, "job", "jobs"))
    });
    lost.into_iter().chain(jobs).collect::<Vec<_>>().join(" · ")
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
