//! Everything a run left behind: complete, because nothing of it passed through a ring that may lose.

use framewalk_inspector::stats::AnimationError;
use framewalk_runtime::frame::record::{FrameRecord, HandoffCounts, RenderOutcome, RenderRecord};
use framewalk_runtime::scene::Pose;
use framewalk_runtime::scene::project::HandoffMode;
use framewalk_runtime::time::{Nanos, Rate};

/// What a run was, for the people who read its report.
#[derive(Clone, Debug)]
pub struct Identity {
    pub project: String,
    pub scene: String,
    /// Names of the probed entities, in the order of their columns.
    pub probes: Vec<String>,
    pub handoff: HandoffMode,
    /// Rates at the start; a run without a frame has no others.
    pub tick_rate: Rate,
    pub frame_rate: Rate,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Finished,
    Interrupted,
    /// A panic or an error: one sentence with tick, stage and message.
    Failed(String),
}

/// What a run did.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub frames: Vec<FrameRecord>,
    /// The drawn pose of each probe in each frame: `probes.len()` of them a frame; none where it is not there.
    pub poses: Vec<Option<Pose>>,
    /// Of every frame taken from the slot, in the order of frames.
    pub renders: Vec<RenderRecord>,
    /// After the shutdown.
    pub counts: HandoffCounts,
    pub redraws: u64,
    pub state_hash: u64,
    pub records_lost: u64,
    pub ending: Ending,
}

/// One frame with what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    pub frame: &'a FrameRecord,
    /// None where it was dropped before it was taken.
    pub render: Option<&'a RenderRecord>,
    pub animation_error: Option<Nanos>,
    pub poses: &'a [Option<Pose>],
}

impl Outcome {
    /// Every frame in order, each with its outcome and its animation error.
    pub fn rows<'a>(&'a self, probes: usize) -> impl Iterator<Item = Row<'a>> {
        let mut renders = self.renders.iter().peekable();
        let mut errors = AnimationError::default();
        self.frames.iter().enumerate().map(move |(index, frame)| {
            let render = renders.next_if(|render| render.frame == frame.frame);
            let display = render
                .filter(|render| render.outcome == RenderOutcome::Rendered)
                .map(|render| render.submitted());
            Row {
                frame,
                render,
                animation_error: errors.next(frame, display),
                poses: self.poses.get(index * probes..(index + 1) * probes).unwrap_or_default(),
            }
        })
    }

    /// Both equations held after every frame, and nothing was left between the threads at the end.
    #[must_use]
    pub fn conserved(&self) -> bool {
        self.frames.iter().all(FrameRecord::conserved)
            && self.counts.balanced()
            && self.counts.pending == 0
            && self.counts.in_flight == 0
    }

    /// Sum of the deltas; a time reversal counts as 0.
    #[must_use]
    pub fn elapsed(&self) -> Nanos {
        Nanos(self.frames.iter().map(|frame| frame.delta.0.max(0)).fold(0, i64::saturating_add))
    }
}
