//! Which frame stands in which column of the strip, without egui.

use framewalk_runtime::time::{FrameIndex, Nanos, Rate};

use crate::history::{Entry, Fold, Outcome, RunFrames};
use crate::panels::pacing::model::Plotted;
use crate::panels::pacing::model::limits::held;
use crate::view::View;

/// The strip's height in periods: a bar twice as long as its frame's period nearly fills it.
pub const PERIODS_HIGH: f64 = 2.25;

/// How wide a bar is, or how many frames it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    // Index into LADDER.
    rung: usize,
}

/// (width of a column in points, frames it stands for), from near to far.
const LADDER: [(f32, usize); 20] = [
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
    (2.0, 128),
    (2.0, 256),
    (2.0, 512),
    (2.0, 1_024),
    (2.0, 2_048),
    (2.0, 4_096),
    (2.0, 8_192),
    (2.0, 16_384),
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

    /// The nearest one at which so many columns hold so many frames; the farthest where none does.
    #[must_use]
    pub fn that_holds(frames: usize, columns: usize) -> Self {
        let holds = |(_, per_column): &(f32, usize)| per_column.saturating_mul(columns) >= frames;
        Self { rung: LADDER.iter().skip(5).position(holds).map_or(LADDER.len() - 1, |rung| rung + 5) }
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
    /// The worst frame of those it stands for: what a click selects.
    pub frame: FrameIndex,
    /// Which column of the whole history it is: the frames from index `column × frames a column` on.
    pub column: u64,
    /// Frames it stands for that are held.
    pub frames: u32,
    /// The longest frame interval among them.
    pub interval: Nanos,
    /// The worst outcome among them.
    pub outcome: Outcome,
    /// Height as a share of the strip, 0 to 1.
    pub height: f32,
    /// It reaches beyond the top.
    pub is_cut: bool,
    /// It stands for the selected frame too.
    pub is_selected: bool,
    /// Something changed before one of them: the index of that frame.
    pub change_index: Option<u64>,
}

/// The bars in view, oldest first, ending at the right edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    pub bars: Vec<Bar>,
    pub frames_per_column: u64,
}

impl Layout {
    /// The period of every frame rate that frames in view had, each once, the shortest first.
    #[must_use]
    pub fn periods(&self, view: &View<'_>) -> Vec<Nanos> {
        let frames = view.frames();
        let indices = frames.indices();
        let position = |column: u64| {
            let index = column.saturating_mul(self.frames_per_column).clamp(indices.start, indices.end);
            (index - indices.start) as usize
        };
        let (Some(first), Some(last)) = (self.bars.first(), self.bars.last()) else { return Vec::new() };
        let (from, to) = (position(first.column), position(last.column.saturating_add(1)));
        let held = held(view, Plotted::Frames, from, to);
        let mut periods: Vec<Nanos> = held.iter().map(|stretch| stretch.rate.period()).collect();
        periods.sort_unstable();
        periods.dedup();
        periods
    }

    /// First and last frame that a bar stands for.
    #[must_use]
    pub fn frames_of(&self, bar: &Bar, frames: &RunFrames<'_>) -> (FrameIndex, FrameIndex) {
        let indices = frames.indices();
        let first = bar.column.saturating_mul(self.frames_per_column).max(indices.start);
        let after = bar.column.saturating_add(1).saturating_mul(self.frames_per_column).min(indices.end);
        let frame_at = |index: u64| {
            frames.position_of_index(index).and_then(|position| frames.at(position)).map(Entry::frame)
        };
        let last = frame_at(after.saturating_sub(1)).unwrap_or(bar.frame);
        (frame_at(first).unwrap_or(bar.frame), last)
    }
}

/// Lays out as many columns as fit. The right edge is the frame with index `end`; without one it is the newest, or
/// where a selected frame would then fall outside, the view moves just far enough to hold it in its middle.
///
/// It costs what the columns cost, however many frames they stand for.
#[must_use]
pub fn layout(
    frames: &RunFrames<'_>,
    selected: Option<FrameIndex>,
    end: Option<u64>,
    columns: usize,
    scale: Scale,
) -> Layout {
    let per_column = scale.frames_per_column() as u64;
    let visible = (columns as u64).saturating_mul(per_column);
    if visible == 0 || frames.is_empty() {
        return Layout::default();
    }
    let indices = frames.indices();
    let last = indices.end - 1;
    let selected_index =
        selected.and_then(|frame| frames.position(frame)).map(|position| indices.start + position as u64);
    let right = match (end, selected_index) {
        (Some(end), _) => end.clamp(indices.start, last),
        (None, Some(selected)) if selected.saturating_add(visible) <= last => selected + visible / 2,
        (None, _) => last,
    };
    // A column always stands for the same frames, so that bars wander and never flicker: columns end at whole
    // multiples of a frame's index.
    let end_column = right / per_column;
    let first_column =
        end_column.saturating_add(1).saturating_sub(columns as u64).max(indices.start / per_column);
    let mut bars = Vec::with_capacity((end_column + 1).saturating_sub(first_column) as usize);
    // Of a rate, its period: it takes a division of 128 bits, and hardly ever changes.
    let mut known = (Rate::HZ_60, Rate::HZ_60.period());
    for column in first_column..=end_column {
        let fold = frames.fold(column * per_column..(column + 1).saturating_mul(per_column));
        if fold.frames == 0 {
            continue;
        }
        if known.0 != fold.worst_rate {
            known = (fold.worst_rate, fold.worst_rate.period());
        }
        bars.push(bar_of(column, &fold, known.1, selected_index.map(|index| index / per_column)));
    }
    Layout { bars, frames_per_column: per_column }
}

fn bar_of(column: u64, fold: &Fold, period: Nanos, selected_column: Option<u64>) -> Bar {
    let interval = fold.longest().unwrap_or(Nanos::ZERO);
    let period = period.0.max(1) as f64;
    let share = interval.0.max(0) as f64 / (period * PERIODS_HIGH);
    Bar {
        frame: fold.worst_frame,
        column,
        frames: fold.frames,
        interval,
        outcome: fold.outcome,
        height: share.min(1.0) as f32,
        is_cut: share > 1.0,
        is_selected: selected_column == Some(column),
        change_index: fold.change_index,
    }
}
