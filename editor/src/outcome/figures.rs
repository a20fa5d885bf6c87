//! What the frames and pictures of a run come to, one after the other: sums, maxima and percentiles of all of them, whether
//! or not anybody keeps their records.

use std::collections::VecDeque;

use framewalk_inspector::stats::{AnimationError, Distribution, frame_interval};
use framewalk_runtime::frame::record::{
    FrameRecord, HandoffMode, MOST_OBSERVERS, RenderOutcome, RenderRecord,
};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::time::Nanos;

/// Frames whose input waits to be shown, at most: those before are never told of.
const MOST_WAITING: usize = 65_536;

/// When a picture counts as shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// As a window presented it.
    InWindow,
    /// At the end of its submit: there is no window.
    AtSubmit,
}

impl Seen {
    /// When that was; none where nobody saw it.
    #[must_use]
    pub fn at(self, picture: &RenderRecord) -> Option<Nanos> {
        match self {
            Self::InWindow => picture.presented.map(|presented| presented.at),
            Self::AtSubmit => (picture.outcome == RenderOutcome::Rendered).then(|| picture.submitted()),
        }
    }
}

/// Sums and distributions of the run so far.
#[derive(Clone, Debug)]
pub struct RunFigures {
    seen: Seen,
    pub frames: u64,
    pub late: u64,
    pub missed: u64,
    /// Sum of the deltas; a time reversal counts as 0.
    pub elapsed: Nanos,
    pub sound_cues: u64,
    /// The frame after which an equation first did not hold.
    pub unbalanced: Option<FrameRecord>,
    first: Option<FrameRecord>,
    pub last: Option<FrameRecord>,
    changed: [bool; SETTINGS.len()],
    /// Drawn pictures, with those of the free handoff in which alpha was held and those that were begun late.
    pub pictures: u64,
    pub held: u64,
    pub late_pictures: u64,
    /// Ticks of the frames of the free handoff that no picture shows.
    pub undrawn_ticks: u64,
    /// Rendered frames that a window presented, and those that it did not: of the pictures whose records came.
    pub shown: u64,
    pub unseen: u64,
    pub intervals: Distribution,
    /// Absolute values, of every picture that has one.
    pub animation_errors: Distribution,
    /// At the meetings of the lockstep.
    pub sim_waits: Distribution,
    pub render_waits: Distribution,
    /// Of each observer of the lockstep, in the order of their numbers.
    pub observer_waits: [Distribution; MOST_OBSERVERS],
    pub wake_delays: Distribution,
    pub frame_times: Distribution,
    pub stages: [Distribution; Stage::COUNT],
    pub input_to_tick: Distribution,
    pub input_to_shown: Distribution,
    errors: AnimationError,
    // When the input arrived that ticks have seen and no picture has shown yet.
    waiting: VecDeque<Nanos>,
}

/// What may be changed on the way, by its name in the report.
const SETTINGS: [&str; 5] = ["tick_rate", "frame_rate", "render_rate", "handoff", "physics_divisor"];

impl RunFigures {
    /// Of a run that may go on for as long as it likes: percentiles are rounded once there are too many values.
    #[must_use]
    pub fn new(seen: Seen) -> Self {
        Self::of_distributions(seen, Distribution::default)
    }

    /// The same, where so many values of each kind are kept as they came, 8 bytes each.
    #[must_use]
    pub fn with_most_exact(seen: Seen, most_exact: usize) -> Self {
        Self::of_distributions(seen, || Distribution::with_most_exact(most_exact))
    }

    /// Of records that are all there, each in its order: percentiles are exact.
    #[must_use]
    pub fn of(frames: &[FrameRecord], pictures: &[RenderRecord], seen: Seen) -> Self {
        let mut figures = Self::of_distributions(seen, Distribution::exact);
        pictures.iter().for_each(|picture| figures.picture(picture));
        let mut pairs = Pairs::new(frames, pictures);
        for Pair { without_frame, frame, pictures } in &mut pairs {
            figures.without_frame(without_frame);
            figures.frame(frame, pictures);
        }
        figures.without_frame(pairs.rest());
        figures
    }

    fn of_distributions(seen: Seen, new: impl Fn() -> Distribution) -> Self {
        Self {
            seen,
            frames: 0,
            late: 0,
            missed: 0,
            elapsed: Nanos::ZERO,
            sound_cues: 0,
            unbalanced: None,
            first: None,
            last: None,
            changed: [false; SETTINGS.len()],
            pictures: 0,
            held: 0,
            late_pictures: 0,
            undrawn_ticks: 0,
            shown: 0,
            unseen: 0,
            intervals: new(),
            animation_errors: new(),
            sim_waits: new(),
            render_waits: new(),
            observer_waits: std::array::from_fn(|_| new()),
            wake_delays: new(),
            frame_times: new(),
            stages: std::array::from_fn(|_| new()),
            input_to_tick: new(),
            input_to_shown: new(),
            errors: AnimationError::default(),
            waiting: VecDeque::new(),
        }
    }

    /// One more picture, whichever frame it is of.
    pub fn picture(&mut self, picture: &RenderRecord) {
        if picture.outcome == RenderOutcome::Rendered {
            self.pictures += 1;
            self.held += u64::from(picture.held);
            self.late_pictures += u64::from(picture.late);
            // A frame is shown once, however often it is drawn in the free handoff.
            self.shown += u64::from(!picture.again && picture.presented.is_some());
            self.unseen += u64::from(!picture.again && picture.presented.is_none());
        }
        self.render_waits.add(picture.render_wait);
        picture.wake_delay.into_iter().for_each(|delay| self.wake_delays.add(delay));
    }

    /// The next frame of the run, with every picture that there ever will be of it. Each of them was told of before by
    /// [`RunFigures::picture`].
    pub fn frame(&mut self, frame: &FrameRecord, pictures: &[RenderRecord]) {
        self.frames += 1;
        self.late += u64::from(frame.late);
        self.missed += frame.missed;
        self.elapsed = Nanos(self.elapsed.0.saturating_add(frame.delta.0.max(0)));
        self.sound_cues += u64::from(frame.figures.sound_cues);
        if !frame.conserved() && self.unbalanced.is_none() {
            self.unbalanced = Some(*frame);
        }
        let first = self.first.get_or_insert(*frame);
        for (changed, differs) in self.changed.iter_mut().zip(differences(first, frame)) {
            *changed |= differs;
        }
        self.last = Some(*frame);
        frame_interval(frame).into_iter().for_each(|interval| self.intervals.add(interval));
        if frame.handoff.mode == HandoffMode::Lockstep {
            self.sim_waits.add(frame.sim_wait);
            for (number, wait) in frame.observer_waits.iter() {
                self.observer_waits[number].add(wait);
            }
        }
        if frame.handoff.mode == HandoffMode::Free && pictures.is_empty() {
            self.undrawn_ticks += u64::from(frame.ticks);
        }
        self.frame_times.add(frame.frame_time());
        for (durations, stage) in self.stages.iter_mut().zip(&frame.stages) {
            durations.add(stage.duration);
        }
        frame.input_to_tick().into_iter().for_each(|latency| self.input_to_tick.add(latency));
        let of_errors = &mut self.animation_errors;
        each_error(&mut self.errors, frame, pictures, self.seen, |error| {
            error.into_iter().for_each(|error| of_errors.add(Nanos(error.0.saturating_abs())));
        });
        if let Some(arrived) = frame.input_arrived {
            if self.waiting.len() == MOST_WAITING {
                self.waiting.pop_front();
            }
            self.waiting.push_back(arrived);
        }
        self.show_input(pictures);
    }

    /// Pictures that were shown before the next frame, and whose own frame's record is lost.
    pub fn without_frame(&mut self, pictures: &[RenderRecord]) {
        self.show_input(pictures);
    }

    /// What waited to be shown was, by the first of these that was shown.
    fn show_input(&mut self, pictures: &[RenderRecord]) {
        if let Some(at) = pictures.iter().find_map(|picture| self.seen.at(picture)) {
            self.waiting.drain(..).for_each(|arrived| self.input_to_shown.add(at - arrived));
        }
    }

    /// Which settings did not stay as they are in the last frame, by their names in the report.
    #[must_use]
    pub fn changed(&self) -> Vec<&'static str> {
        // What was different from the first frame ever is, in one of the two, different from the last.
        SETTINGS.into_iter().zip(self.changed).filter(|(_, changed)| *changed).map(|(name, _)| name).collect()
    }

    /// Every percentile is one of the values as they were measured.
    #[must_use]
    pub fn are_exact(&self) -> bool {
        let waits = [&self.sim_waits, &self.render_waits, &self.wake_delays];
        let input = [&self.input_to_tick, &self.input_to_shown];
        let times = [&self.intervals, &self.animation_errors, &self.frame_times];
        let mut all = waits.into_iter().chain(input).chain(times).chain(&self.stages);
        all.all(Distribution::is_exact) && self.observer_waits.iter().all(Distribution::is_exact)
    }
}

fn differences(one: &FrameRecord, other: &FrameRecord) -> [bool; SETTINGS.len()] {
    [
        one.tick_rate != other.tick_rate,
        one.frame_rate != other.frame_rate,
        one.render_rate != other.render_rate,
        one.handoff.mode != other.handoff.mode,
        one.physics_divisor != other.physics_divisor,
    ]
}

/// Tells `errors` of a frame and of what was shown of it, and `tell` the error of each picture.
pub fn each_error(
    errors: &mut AnimationError,
    frame: &FrameRecord,
    pictures: &[RenderRecord],
    seen: Seen,
    mut tell: impl FnMut(Option<Nanos>),
) {
    let mut shown = pictures.iter().filter_map(|picture| Some((picture, seen.at(picture)?))).peekable();
    if shown.peek().is_none() {
        errors.next(frame, None);
    }
    for (picture, display) in shown {
        tell(errors.next_picture(frame, picture, display));
    }
}

/// Frames in order, each with its pictures.
pub struct Pairs<'a> {
    frames: std::slice::Iter<'a, FrameRecord>,
    pictures: &'a [RenderRecord],
}

/// One frame with its pictures, and those before them whose frame is not there.
pub struct Pair<'a> {
    pub without_frame: &'a [RenderRecord],
    pub frame: &'a FrameRecord,
    pub pictures: &'a [RenderRecord],
}

impl<'a> Pairs<'a> {
    /// Both in the order of frames.
    #[must_use]
    pub fn new(frames: &'a [FrameRecord], pictures: &'a [RenderRecord]) -> Self {
        Self { frames: frames.iter(), pictures }
    }

    /// Pictures of frames after the last one.
    #[must_use]
    pub const fn rest(&self) -> &'a [RenderRecord] {
        self.pictures
    }
}

impl<'a> Iterator for Pairs<'a> {
    type Item = Pair<'a>;

    fn next(&mut self) -> Option<Pair<'a>> {
        let frame = self.frames.next()?;
        let before = self.pictures.iter().take_while(|picture| picture.frame < frame.frame).count();
        let (without_frame, left) = self.pictures.split_at(before);
        let own = left.iter().take_while(|picture| picture.frame == frame.frame).count();
        let (pictures, rest) = left.split_at(own);
        self.pictures = rest;
        Some(Pair { without_frame, frame, pictures })
    }
}
