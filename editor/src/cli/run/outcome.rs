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
    /// Of every picture, in the order of frames.
    pub renders: Vec<RenderRecord>,
    /// After the shutdown.
    pub counts: HandoffCounts,
    /// The frame rate that was asked for last.
    pub render_rate: Rate,
    pub redraws: u64,
    pub state_hash: u64,
    pub records_lost: u64,
    pub ending: Ending,
}

/// One frame with what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    pub frame: &'a FrameRecord,
    /// Every picture of it, in order: none where it was dropped or stayed undrawn, more than one only in the free handoff.
    pub pictures: &'a [RenderRecord],
    /// Of the first of them.
    pub animation_error: Option<Nanos>,
    pub poses: &'a [Option<Pose>],
}

impl Outcome {
    /// Every frame in order, each with its pictures and the animation error of the first.
    pub fn rows<'a>(&'a self, probes: usize) -> impl Iterator<Item = Row<'a>> {
        let mut errors = AnimationError::default();
        self.each_frame().enumerate().map(move |(index, (frame, pictures))| {
            let mut first = None;
            each_error(&mut errors, frame, pictures, |error| first = first.or(Some(error)));
            Row {
                frame,
                pictures,
                animation_error: first.flatten(),
                poses: self.poses.get(index * probes..(index + 1) * probes).unwrap_or_default(),
            }
        })
    }

    /// The animation error of every picture that has one.
    #[must_use]
    pub fn animation_errors(&self) -> Vec<Nanos> {
        let mut errors = AnimationError::default();
        let mut found = Vec::new();
        for (frame, pictures) in self.each_frame() {
            each_error(&mut errors, frame, pictures, |error| found.extend(error));
        }
        found
    }

    fn each_frame(&self) -> impl Iterator<Item = (&FrameRecord, &[RenderRecord])> {
        let mut left = self.renders.as_slice();
        self.frames.iter().map(move |frame| {
            // Of a frame that is not in the list, as one discarded while it was open, there is no picture either.
            let count = left.iter().take_while(|render| render.frame == frame.frame).count();
            let (pictures, rest) = left.split_at(count);
            left = rest;
            (frame, pictures)
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

/// Tells `errors` of a frame and of what was drawn of it, and `tell` the error of each picture.
fn each_error(
    errors: &mut AnimationError,
    frame: &FrameRecord,
    pictures: &[RenderRecord],
    mut tell: impl FnMut(Option<Nanos>),
) {
    let mut drawn = pictures.iter().filter(|picture| picture.outcome == RenderOutcome::Rendered).peekable();
    if drawn.peek().is_none() {
        errors.next(frame, None);
    }
    for picture in drawn {
        tell(errors.next_picture(frame, picture.shown_time, picture.submitted()));
    }
}
