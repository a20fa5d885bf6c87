//! What the inspector's panels are told of this instant: how the run stands, and which keys steer it.

use framewalk_inspector::{KeyNames, LiveView, OnScreen, OpenFrame};
use framewalk_runtime::render::picture::Picture;
use framewalk_runtime::sim::RunState;
use framewalk_runtime::time::FrameIndex;

use super::Workspace;
use crate::command::EditorCommand;
use crate::command::keymap::Keymap;
use crate::session::Phase;

/// Names of keys for the inspector's sentences.
pub(super) struct KeyTexts {
    play: String,
    step_stage: String,
    go_live: String,
}

impl KeyTexts {
    pub(super) fn of(keymap: &Keymap, ctx: &egui::Context) -> Self {
        let [play, step_stage, go_live] =
            [EditorCommand::PlayOrResume, EditorCommand::StepStage, EditorCommand::GoLive]
                .map(|command| keymap.text(ctx, command));
        Self { play, step_stage, go_live }
    }
}

/// The picture on screen, as the figures of the transport want it: the same that the lines over it are about.
pub(super) const fn on_screen(picture: &Picture) -> OnScreen {
    OnScreen { run: picture.run, frame: picture.frame, alpha: picture.alpha }
}

/// This instant, as the inspector's panels want it.
pub(super) fn live_view<'a>(
    workspace: Option<&'a Workspace>,
    input_lost: u64,
    keys: &'a KeyTexts,
) -> LiveView<'a> {
    let keys = KeyNames { play: &keys.play, step_stage: &keys.step_stage, go_live: &keys.go_live };
    let Some(session) = workspace.map(|workspace| &workspace.session) else {
        return LiveView { keys, ..LiveView::default() };
    };
    let observation = session.observation();
    let open = observation
        .filter(|_| matches!(session.phase(), Phase::FrameOpen { .. } | Phase::Failed))
        .filter(|seen| matches!(seen.state, RunState::FrameOpen { .. }))
        .map(|seen| OpenFrame { record: &seen.record, stages_done: seen.stages_done });
    LiveView {
        state: session.phase(),
        open,
        details: observation.map(|seen| &seen.details),
        // No frame has this number: where nobody looked at the frame while it ran, its details are not shown as empty.
        details_frame: observation.and_then(|seen| seen.details_frame).unwrap_or(FrameIndex(0)),
        counts: session.counts(),
        handoff_chosen: session.is_live().then_some(session.choices.handoff),
        redraws: session.redraws(),
        phase_error: session.phase_error(),
        zones_lost: session.lost_zones(),
        input_lost,
        jobs: session.jobs(),
        seating: session.seating(),
        workers_hint: "In real time a run has them where the machine has two cores or more.",
        keys,
        ..LiveView::default()
    }
}
