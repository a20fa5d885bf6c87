//! Which frame stands in which column of the strip, without egui.

use framewalk_runtime::time::{FrameIndex, Nanos};

use crate::history::{Entry, Outcome, RunFrames};
use crate::stats::frame_interval;

/// The strip's height in periods: a bar twice as long as its frame's period nearly fills it.
pub const PERIODS_HIGH: f64 = 2.25;

/// How wide a bar is, or how many frames it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    // Index into LADDER.
    rung: usize,
}

/// (width of a column in points, frames it stands for), from near to far.
const LADDER: [(f32, usize); 12] = [
    (16.0, 1),
    (11.0, 1),
    (8.0, 1),
    (5.0, 1),
    (3.0, 1),
    (2.0, 1),
    (2.0, 2),
    (2.0, 4),
    (2.0, 8),
    (2.0, 16),
    (2.0, 32),
    (2.0, 64),
];

impl Default for Scale {
    fn default() -> Self {
        Self { rung: 3 }
    }
}

impl Scale {
    #[must_use]
    pub fn column_width(self) -> f32 {
        LADDER[self.rung].0
    }

    #[must_use]
    pub fn frames_per_column(self) -> usize {
        LADDER[self.rung].1
    }

    /// Nearer (above 0) or farther by so many rungs, as far as there are any.
    #[must_use]
    pub fn zoomed(self, nearer: i32) -> Self {
        let rung = (self.rung as i32).saturating_sub(nearer).clamp(0, LADDER.len() as i32 - 1);
        Self { rung: rung as usize }
    }
}

/// One bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// The frame it shows: the worst of those it stands for.
    pub frame: FrameIndex,
    pub interval: Nanos,
    pub outcome: Outcome,
    /// Height as a share of the strip, 0 to 1.
    pub height: f32,
    /// It reaches beyond the top.
    pub is_cut: bool,
    /// It stands for the selected frame too.
    pub is_selected: bool,
}

/// The bars in view, oldest first, ending at the right edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    pub bars: Vec<Bar>,
}

/// Lays out as many columns as fit, the newest frame at the right; where a selected frame would fall outside, the view
/// moves just far enough to hold it in its middle.
#[must_use]
pub fn layout(frames: &RunFrames<'_>, selected: Option<FrameIndex>, columns: usize, scale: Scale) -> Layout {
    let per_column = scale.frames_per_column();
    let visible = columns.saturating_mul(per_column);
    if visible == 0 || frames.is_empty() {
        return Layout::default();
    }
    // A column always stands for the same frames, so that bars wander and never flicker: columns end at whole
    // multiples of the frame number.
    let last = frames.last().map_or(0, |entry| entry.frame().0);
    let mut end_frame = last;
    if let Some(selected) = selected
        && selected.0.saturating_add(visible as u64) <= last
    {
        end_frame = selected.0 + visible as u64 / 2;
    }
    let per_column = per_column as u64;
    let end_column = end_frame / per_column;
    let first_column = end_column.saturating_add(1).saturating_sub(columns as u64);
    let from = frames.position_at_frame(FrameIndex(first_column * per_column));
    let to = frames.position_at_frame(FrameIndex(end_column.saturating_add(1).saturating_mul(per_column)));
    let mut bars: Vec<Bar> = Vec::with_capacity(columns.min(to - from + 1));
    let mut column_now = None;
    for entry in frames.range(from, to) {
        let column = entry.frame().0 / per_column;
        let mut bar = bar_of(entry);
        bar.is_selected = selected == Some(entry.frame());
        match bars.last_mut().filter(|_| column_now == Some(column)) {
            Some(standing) => {
                let is_selected = standing.is_selected || bar.is_selected;
                if (bar.outcome, bar.interval) > (standing.outcome, standing.interval) {
                    *standing = bar;
                }
                standing.is_selected = is_selected;
            }
            None => bars.push(bar),
        }
        column_now = Some(column);
    }
    Layout { bars }
}

fn bar_of(entry: &Entry) -> Bar {
    let interval = frame_interval(&entry.record).unwrap_or(Nanos::ZERO);
    let period = entry.record.frame_rate.period().0.max(1) as f64;
    let share = interval.0.max(0) as f64 / (period * PERIODS_HIGH);
    Bar {
        frame: entry.frame(),
        interval,
        outcome: entry.outcome(),
        height: share.min(1.0) as f32,
        is_cut: share > 1.0,
        is_selected: false,
    }
}
