//! The three handoffs side by side: what a recorded run of each comes to. Pure.

use framewalk_runtime::frame::record::{
    FrameRecord, HandoffCounts, HandoffMode, RenderOutcome, RenderRecord,
};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::time::{FrameIndex, Nanos};

use crate::stats::{AnimationError, Summary};

/// All that was recorded of one run, complete and in the order of frames and pictures.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    pub frames: Vec<FrameRecord>,
    /// Of every picture.
    pub renders: Vec<RenderRecord>,
    /// When each input event was sent, in the order in which they were.
    pub inputs: Vec<Nanos>,
    pub counts: HandoffCounts,
    /// How long it ran.
    pub lasted: Nanos,
    /// What its threads cost; none where the system does not say.
    pub cpu: Option<Cpu>,
    /// Records that found their ring full: what they would have said is in no figure.
    pub records_lost: u64,
}

/// Time that threads spent on a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cpu {
    pub sim: Nanos,
    pub render: Nanos,
    pub workers: Nanos,
}

/// What one way comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    pub mode: HandoffMode,
    pub counts: HandoffCounts,
    pub frames: u64,
    /// In the undrawn frames of the free handoff: one each, but where several share a frame, or time stands.
    pub undrawn_ticks: u64,
    pub late: u64,
    pub pictures: u64,
    pub held: u64,
    pub sim_wait: Option<Summary>,
    pub render_wait: Option<Summary>,
    pub tick_to_drawn: Option<Summary>,
    pub input_to_drawn: Option<Summary>,
    /// What batch and submit of a picture took together.
    pub drawing: Option<Summary>,
    /// Input events that were sent.
    pub inputs: usize,
    /// Of the absolute values.
    pub animation_error: Option<Summary>,
    pub lasted: Nanos,
    pub cpu: Option<Cpu>,
    pub records_lost: u64,
}

impl Measured {
    #[must_use]
    pub fn of(mode: HandoffMode, recording: &Recording) -> Self {
        let Recording { frames, inputs, .. } = recording;
        let drawn: Vec<&RenderRecord> =
            recording.renders.iter().filter(|render| render.outcome == RenderOutcome::Rendered).collect();
        let late_pictures = drawn.iter().filter(|render| render.late).count();
        let late_frames = frames.iter().filter(|frame| frame.late).count();
        let summary = |values: Vec<Nanos>| Summary::of(&mut { values });
        Self {
            mode,
            counts: recording.counts,
            frames: frames.len() as u64,
            undrawn_ticks: undrawn_ticks(recording, &drawn),
            // In the free handoff the clock of the display is the render thread's.
            late: if mode == HandoffMode::Free { late_pictures } else { late_frames } as u64,
            pictures: drawn.len() as u64,
            held: drawn.iter().filter(|render| render.held).count() as u64,
            sim_wait: summary(frames.iter().map(|frame| frame.sim_wait).collect()),
            // Until the first picture it waited for the run to begin.
            render_wait: summary(drawn.iter().skip(1).map(|render| render.render_wait).collect()),
            tick_to_drawn: summary(ticks_to_drawn(frames, &drawn)),
            input_to_drawn: summary(inputs_to_drawn(frames, &drawn, inputs)),
            drawing: summary(drawn.iter().map(|render| render.batch + render.submit).collect()),
            inputs: inputs.len(),
            animation_error: Summary::of_absolute(animation_errors(frames, &drawn)),
            lasted: recording.lasted,
            cpu: recording.cpu,
            records_lost: recording.records_lost,
        }
    }
}

fn position(frames: &[FrameRecord], frame: FrameIndex) -> Option<usize> {
    frames.binary_search_by_key(&frame, |record| record.frame).ok()
}

/// Those of the undrawn frames. Of the frames without a picture they are the first: what the end of the run cut off is newer.
fn undrawn_ticks(recording: &Recording, drawn: &[&RenderRecord]) -> u64 {
    let is_drawn =
        |frame: &&FrameRecord| drawn.binary_search_by_key(&frame.frame, |picture| picture.frame).is_ok();
    let undrawn = recording.frames.iter().filter(|frame| !is_drawn(frame));
    undrawn.take(recording.counts.undrawn as usize).map(|frame| u64::from(frame.ticks)).sum()
}

/// From the end of the stage that ran a tick to the end of the submit of the first picture that blends it in: of each
/// picture that shows a newer tick than the one before.
fn ticks_to_drawn(frames: &[FrameRecord], drawn: &[&RenderRecord]) -> Vec<Nanos> {
    let mut newest = 0;
    let mut times = Vec::new();
    for picture in drawn {
        let Some(at) = position(frames, picture.frame) else { continue };
        let tick = frames[at].tick.0;
        if tick <= newest {
            continue;
        }
        newest = tick;
        let ran = frames[..=at].iter().rev().find(|frame| frame.ticks > 0);
        if let Some(ran) = ran {
            let stage = ran.stages[Stage::RunScheduler.index()];
            times.push(picture.submitted() - (stage.start + stage.duration));
        }
    }
    times
}

/// From when an input event was sent to the end of the submit of the first picture that shows a tick which saw it.
///
/// Frames take the events in the order in which they were sent, and the first tick from then on sees them.
fn inputs_to_drawn(frames: &[FrameRecord], drawn: &[&RenderRecord], inputs: &[Nanos]) -> Vec<Nanos> {
    let mut times = Vec::new();
    let mut sent = inputs.iter();
    for (at, frame) in frames.iter().enumerate() {
        for _ in 0..frame.figures.input_events {
            let Some(sent) = sent.next() else { return times };
            let Some(saw) = frames[at..].iter().find(|frame| frame.ticks > 0) else { return times };
            let first = drawn.partition_point(|picture| picture.frame < saw.frame);
            if let Some(picture) = drawn.get(first) {
                times.push(picture.submitted() - *sent);
            }
        }
    }
    times
}

fn animation_errors(frames: &[FrameRecord], drawn: &[&RenderRecord]) -> Vec<Nanos> {
    let mut error = AnimationError::default();
    let errors = drawn.iter().filter_map(|picture| {
        let frame = &frames[position(frames, picture.frame)?];
        error.next_picture(frame, picture, picture.submitted())
    });
    errors.collect()
}

/// How the handoffs are to be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparisonWanted {
    /// For each of the three.
    pub seconds: u32,
    pub pictures: Pictures,
    /// Time that the submit of each picture takes at least; the scene's own load on a submit where that is longer.
    pub render_cost: Nanos,
}

/// What becomes of the pictures of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pictures {
    /// Counted and not drawn: one takes as long as the render cost says, and no longer.
    #[default]
    Counted,
    /// Drawn off screen, by a graphics device of their own.
    Drawn,
}

/// A comparison, as far as it has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Scene, length and rates, and what became of the pictures, for the line above the table.
    pub about: String,
    /// In the order in which they ran.
    pub measured: Vec<Measured>,
    /// The way that runs now, and which share of the whole is done, 0 to 1.
    pub running: Option<(HandoffMode, f32)>,
    /// Why it ended before all three were measured.
    pub ended: Option<String>,
}
