//! Everything a run left behind.

pub mod figures;
pub mod gathering;

use crate::audio::AudioFigures;
use figures::{Pair, Pairs, RunFigures, Seen, each_error};
use framewalk_inspector::stats::{AnimationError, Distribution};
use framewalk_runtime::frame::record::{FrameRecord, HandoffCounts, RenderRecord};
use framewalk_runtime::scene::Pose;
use framewalk_runtime::scene::project::HandoffMode;
use framewalk_runtime::sim::observers::{Sightings, fault};
use framewalk_runtime::time::{Nanos, Rate};

/// What a run was, for the people who read its report.
#[derive(Clone, Debug)]
pub struct Identity {
    pub project: String,
    pub scene: String,
    /// Names of the probed entities, in the order of their columns.
    pub probes: Vec<String>,
    /// At the start, as the rest; a run without a frame has no others.
    pub handoff: HandoffMode,
    pub tick_rate: Rate,
    pub frame_rate: Rate,
    /// Ticks that a physics step spans.
    pub physics_divisor: u32,
    /// Its frames were given the deltas of a cadence, and no deadlines.
    pub cadence: bool,
}

/// What is known only in a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InWindow {
    pub polls: Polls,
    pub phase: PhaseFigures,
    pub audio: AudioFigures,
}

impl InWindow {
    /// Every percentile is one of the values as they were measured.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        [&self.polls.intervals, &self.phase.errors, &self.audio.late].into_iter().all(Distribution::is_exact)
    }
}

/// How the frame clock's grid lay to the display's refreshes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseFigures {
    /// Refreshes that a picture had to wait for.
    pub refreshes: u64,
    /// From the nearest refresh to the deadline of each frame, since the two were locked: absolute values.
    pub errors: Distribution,
}

/// How often the window's thread looked after the run, and for how long it did not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polls {
    pub asked: Rate,
    /// Times between one look and the next.
    pub intervals: Distribution,
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
    /// What all frames and pictures come to.
    pub figures: RunFigures,
    /// All of them where they were to be kept for the table, else none; so are poses and pictures.
    pub frames: Vec<FrameRecord>,
    /// The drawn pose of each probe in each frame: `probes.len()` of them a frame; none where it is not there.
    pub poses: Vec<Option<Pose>>,
    /// Of every picture, in the order of frames.
    pub renders: Vec<RenderRecord>,
    /// After the shutdown.
    pub counts: HandoffCounts,
    pub redraws: u64,
    /// Of the world after the last frame; none where a fault left it in the middle of one, or a tick that did not end in time.
    pub state_hash: Option<u64>,
    pub records_lost: u64,
    /// Input events that came faster than frames took them.
    pub input_lost: u64,
    /// What a window adds; `None` without one.
    pub window: Option<InWindow>,
    /// Meetings of the lockstep: each published a frame.
    pub meetings: u64,
    /// What each observer of it saw; none where nobody observed.
    pub sightings: Vec<Sightings>,
    pub ending: Ending,
}

/// One frame with what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    pub frame: &'a FrameRecord,
    /// Every picture of it, in order: none where it was dropped or stayed undrawn, more than one only in the free handoff.
    pub pictures: &'a [RenderRecord],
    /// Of the first of them that was shown: when that was, and its animation error.
    pub displayed: Option<Nanos>,
    pub animation_error: Option<Nanos>,
    pub poses: &'a [Option<Pose>],
}

impl Outcome {
    /// Every frame that was kept, in order, each with its pictures and the animation error of the first.
    pub fn rows<'a>(&'a self, probes: usize) -> impl Iterator<Item = Row<'a>> {
        let seen = if self.window.is_some() { Seen::InWindow } else { Seen::AtSubmit };
        let mut errors = AnimationError::default();
        let pairs = Pairs::new(&self.frames, &self.renders);
        pairs.enumerate().map(move |(index, Pair { frame, pictures, .. })| {
            let mut first = None;
            each_error(&mut errors, frame, pictures, seen, |error| first = first.or(Some(error)));
            Row {
                frame,
                pictures,
                displayed: pictures.iter().find_map(|picture| seen.at(picture)),
                animation_error: first.flatten(),
                poses: self.poses.get(index * probes..(index + 1) * probes).unwrap_or_default(),
            }
        })
    }

    /// Both equations held after every frame, and nothing was left between the threads at the end.
    #[must_use]
    pub fn conserved(&self) -> bool {
        self.figures.unbalanced.is_none()
            && self.counts.balanced()
            && self.counts.pending == 0
            && self.counts.in_flight == 0
    }

    /// What observers found wrong: a frame that was not whole or not the same for all of them, or one that somebody missed.
    #[must_use]
    pub fn observers_fault(&self) -> Option<String> {
        let missed = || {
            let (number, own) = (1..).zip(&self.sightings).find(|(_, own)| own.frames != self.meetings)?;
            Some(format!("observer {number} met {} of {} frames", own.frames, self.meetings))
        };
        fault(&self.sightings).or_else(missed)
    }
}
