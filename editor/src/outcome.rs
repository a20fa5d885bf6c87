//! Everything a run left behind: complete, because nothing of it passed through a ring that may lose.

use crate::audio::AudioFigures;
use framewalk_inspector::stats::AnimationError;
use framewalk_runtime::frame::record::{FrameRecord, HandoffCounts, RenderOutcome, RenderRecord};
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

/// What is known of the frames before the first one kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gone {
    pub frames: u64,
    pub late: u64,
    pub missed: u64,
    pub elapsed: Nanos,
    /// Frames after which an equation did not hold.
    pub unbalanced: u64,
    pub sound_cues: u64,
}

impl Gone {
    /// One more frame is not kept.
    pub fn add(&mut self, frame: &FrameRecord) {
        self.frames += 1;
        self.late += u64::from(frame.late);
        self.missed += frame.missed;
        self.elapsed += Nanos(frame.delta.0.max(0));
        self.unbalanced += u64::from(!frame.conserved());
        self.sound_cues += u64::from(frame.figures.sound_cues);
    }
}

/// What is known only in a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InWindow {
    /// Rendered frames that went to the display, and those that did not: of the pictures whose records came.
    pub shown: u64,
    pub unseen: u64,
    pub polls: Polls,
    pub phase: PhaseFigures,
    pub audio: AudioFigures,
}

/// How the frame clock's grid lay to the display's refreshes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseFigures {
    /// Refreshes that a picture had to wait for.
    pub refreshes: u64,
    /// From the nearest refresh to the deadline of each frame, since the two were locked; of as many as are kept.
    pub errors: Vec<Nanos>,
}

/// How often the window's thread looked after the run, and for how long it did not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polls {
    pub asked: Rate,
    /// Times between one look and the next, for as many as are kept.
    pub intervals: Vec<Nanos>,
    /// The longest of all.
    pub longest: Nanos,
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
    /// Sums of frames that were not kept; nothing where all were.
    pub gone: Gone,
    pub frames: Vec<FrameRecord>,
    /// The drawn pose of each probe in each frame: `probes.len()` of them a frame; none where it is not there.
    pub poses: Vec<Option<Pose>>,
    /// Of every picture, in the order of frames.
    pub renders: Vec<RenderRecord>,
    /// After the shutdown.
    pub counts: HandoffCounts,
    pub redraws: u64,
    pub state_hash: u64,
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
    /// Every frame in order, each with its pictures and the animation error of the first.
    pub fn rows<'a>(&'a self, probes: usize) -> impl Iterator<Item = Row<'a>> {
        let mut errors = AnimationError::default();
        self.each_frame().enumerate().map(move |(index, (frame, pictures))| {
            let mut first = None;
            self.each_error(&mut errors, frame, pictures, |error| first = first.or(Some(error)));
            Row {
                frame,
                pictures,
                displayed: pictures.iter().find_map(|picture| self.shown_at(picture)),
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
            self.each_error(&mut errors, frame, pictures, |error| found.extend(error));
        }
        found
    }

    fn each_frame(&self) -> impl Iterator<Item = (&FrameRecord, &[RenderRecord])> {
        let mut left = self.renders.as_slice();
        self.frames.iter().map(move |frame| {
            // A window keeps only the newest frames, and there may be pictures of older ones.
            let gone = left.iter().take_while(|render| render.frame < frame.frame).count();
            left = &left[gone..];
            let count = left.iter().take_while(|render| render.frame == frame.frame).count();
            let (pictures, rest) = left.split_at(count);
            left = rest;
            (frame, pictures)
        })
    }

    /// Tells `errors` of a frame and of what was shown of it, and `tell` the error of each picture.
    fn each_error(
        &self,
        errors: &mut AnimationError,
        frame: &FrameRecord,
        pictures: &[RenderRecord],
        mut tell: impl FnMut(Option<Nanos>),
    ) {
        let mut shown =
            pictures.iter().filter_map(|picture| Some((picture, self.shown_at(picture)?))).peekable();
        if shown.peek().is_none() {
            errors.next(frame, None);
        }
        for (picture, display) in shown {
            tell(errors.next_picture(frame, picture, display));
        }
    }

    /// For each frame whose ticks saw input: how long after its arrival a picture of that frame, or of a later one,
    /// was shown.
    #[must_use]
    pub fn input_to_shown(&self) -> Vec<Nanos> {
        let mut shown = self.renders.iter().filter_map(|render| Some((render.frame, self.shown_at(render)?)));
        let mut next = shown.next();
        let mut latencies = Vec::new();
        for frame in &self.frames {
            let Some(arrived) = frame.input_arrived else { continue };
            while next.is_some_and(|(drawn, _)| drawn < frame.frame) {
                next = shown.next();
            }
            let Some((_, at)) = next else { break };
            latencies.push(at - arrived);
        }
        latencies
    }

    /// When a picture was shown: as a window presented it; without one, at the end of its submit.
    fn shown_at(&self, render: &RenderRecord) -> Option<Nanos> {
        let rendered = (render.outcome == RenderOutcome::Rendered).then(|| render.submitted());
        if self.window.is_some() { render.presented.map(|presented| presented.at) } else { rendered }
    }

    /// How often ticks made something sound.
    #[must_use]
    pub fn sound_cues(&self) -> u64 {
        self.gone.sound_cues
            + self.frames.iter().map(|frame| u64::from(frame.figures.sound_cues)).sum::<u64>()
    }

    /// Both equations held after every frame, and nothing was left between the threads at the end.
    #[must_use]
    pub fn conserved(&self) -> bool {
        self.gone.unbalanced == 0
            && self.frames.iter().all(FrameRecord::conserved)
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

    /// Sum of the deltas; a time reversal counts as 0.
    #[must_use]
    pub fn elapsed(&self) -> Nanos {
        let gone = self.gone.elapsed.0;
        Nanos(self.frames.iter().map(|frame| frame.delta.0.max(0)).fold(gone, i64::saturating_add))
    }
}
