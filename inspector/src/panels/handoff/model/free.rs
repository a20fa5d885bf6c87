//! The free handoff: the last ticks that are kept, the two that are blended, and the render time between them.

use framewalk_runtime::frame::record::{HandoffCounts, RenderRecord};
use framewalk_runtime::time::{Nanos, Tick};

use crate::history::{Entry, RunFrames};
use crate::panels::stages::equations::Equation;
use crate::stats::Summary;
use crate::wording::{alpha, grouped};

/// Ticks that are kept for the render thread.
pub const KEPT: usize = 4;

/// A tick, and the simulated time of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptTick {
    pub tick: Tick,
    pub time: Nanos,
}

/// What one picture was blended from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub from: KeptTick,
    pub to: KeptTick,
    /// The simulated time that the picture shows: between the two.
    pub at: Nanos,
    /// Where between the two, below 1.
    pub alpha: f64,
    /// The tick that was due had not come: alpha was held below 1.
    pub held: bool,
}

impl Pair {
    /// `alpha 0.314 from tick 1 203 to tick 1 204`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let held = if self.held { ", held below 1" } else { "" };
        format!(
            "alpha {} from tick {} to tick {}{held}",
            alpha(self.alpha),
            grouped(self.from.tick.0),
            grouped(self.to.tick.0)
        )
    }

    /// How far the picture is behind the newest tick.
    #[must_use]
    pub fn behind(&self, newest: KeptTick) -> Nanos {
        Nanos(newest.time.0.saturating_sub(self.at.0))
    }
}

/// Everything the panel shows of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Free {
    pub counts: HandoffCounts,
    /// Newest first, at most [`KEPT`].
    pub kept: Vec<KeptTick>,
    pub pair: Option<Pair>,
    /// How long the render thread waited for its own deadlines, of the frames summed up.
    pub render_waits: Option<Summary>,
    /// Of the frames summed up: pictures whose alpha was held below 1, and those looked at.
    pub held: u64,
    pub pictures: u64,
    pub equation: Equation,
}

/// The ticks that are kept after the last of these frames: each tick is published by a frame of its own, and none of them is
/// kept that was published another way before.
#[must_use]
pub fn kept(frames: &RunFrames<'_>, until: usize) -> Vec<KeptTick> {
    let mut kept: Vec<KeptTick> = Vec::with_capacity(KEPT);
    let newest_first = frames.range(until.saturating_sub(4 * KEPT), until).rev();
    for entry in newest_first.take_while(|entry| entry.is_free()) {
        let tick = KeptTick { tick: entry.record.tick, time: entry.record.simulated_time };
        if kept.last().is_none_or(|newer| newer.tick != tick.tick) && kept.len() < KEPT {
            kept.push(tick);
        }
    }
    kept
}

/// What a picture of a frame was blended from: its last tick and the one before its first.
#[must_use]
pub fn pair(entry: &Entry, render: &RenderRecord) -> Pair {
    let record = &entry.record;
    let to = KeptTick { tick: record.tick, time: record.simulated_time };
    // A frame without a tick still shows the motion of the last.
    let ticks = record.ticks.max(1);
    let length = record.tick_length.0.saturating_mul(i64::from(ticks));
    let from = KeptTick {
        tick: Tick(record.tick.0.saturating_sub(u64::from(ticks))),
        time: Nanos(record.simulated_time.0.saturating_sub(length).max(0)),
    };
    Pair { from, to, at: render.shown_time, alpha: render.alpha, held: render.held }
}
