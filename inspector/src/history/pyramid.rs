//! What many frames come to, for columns that stand for more than one: kept in levels, each four times as coarse as the
//! one below, updated as frames come and never rebuilt.
//!
//! A frame adds 1⅓ merges on average; what a stretch of any length comes to takes a few dozen. A level holds whole
//! groups only, so a fold of a stretch reads the groups that lie inside it and single frames at its two ends.

use std::ops::Range;

use framewalk_runtime::frame::record::FrameRecord;
use framewalk_runtime::time::{FrameIndex, Nanos, Rate};

use super::entry::{Entry, Fate, Outcome};
use super::ring::SharedRing;
use crate::history::changes::{self, Change};
use crate::stats::frame_interval;

/// Groups of one level that make one of the next.
const BRANCH: u64 = 4;

/// Lowest and highest of some values; nothing while `low > high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent<T> {
    pub low: T,
    pub high: T,
}

impl Extent<i64> {
    pub const NONE: Self = Self { low: i64::MAX, high: i64::MIN };

    fn merge(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

impl Extent<f64> {
    pub const NONE: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };

    /// A value that is not finite is nothing.
    fn of(value: f64) -> Self {
        if value.is_finite() { Self { low: value, high: value } } else { Self::NONE }
    }

    const fn merge(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

/// What a stretch of frames comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fold {
    pub frames: u32,
    pub late: u32,
    pub dropped: u32,
    pub shown: u32,
    pub unseen: u32,
    /// The worst outcome among them, and the frame that has it; of several the one with the longest interval.
    pub outcome: Outcome,
    pub worst_index: u64,
    pub worst_interval: i64,
    /// Its number, and the frame rate it ran at: a bar that shows it need not look it up.
    pub worst_frame: FrameIndex,
    pub worst_rate: Rate,
    /// The longest frame interval, and its frame.
    pub longest_index: u64,
    /// Frame intervals in ns; a frame that was given no time has none.
    pub interval: Extent<i64>,
    pub overstep: Extent<i64>,
    pub alpha: Extent<f64>,
    /// Where the first frame lies on the time axis.
    pub from: Nanos,
    /// A line must not run through: a pause, a step or a lost record lies at its start or inside.
    pub is_broken: bool,
    /// The newest frame before which something changed: a rate, the speed, a pause, a step.
    pub change_index: Option<u64>,
    /// The newest frame before which a setting changed: a rate, the speed, the handoff, a limit.
    pub setting_index: Option<u64>,
}

impl Fold {
    pub const NONE: Self = Self {
        frames: 0,
        late: 0,
        dropped: 0,
        shown: 0,
        unseen: 0,
        outcome: Outcome::OnTime,
        worst_index: 0,
        worst_interval: i64::MIN,
        worst_frame: FrameIndex(0),
        worst_rate: Rate::HZ_60,
        longest_index: 0,
        interval: Extent::<i64>::NONE,
        overstep: Extent::<i64>::NONE,
        alpha: Extent::<f64>::NONE,
        from: Nanos::ZERO,
        is_broken: false,
        change_index: None,
        setting_index: None,
    };

    /// One frame, which has this index and that frame before it.
    #[must_use]
    pub fn of(index: u64, entry: &Entry, before: Option<&FrameRecord>) -> Self {
        let record = &entry.record;
        let outcome = entry.outcome();
        let interval = frame_interval(record).map(|interval| interval.0);
        let change = changes::change(before, record);
        Self {
            frames: 1,
            late: u32::from(entry.is_late()),
            dropped: u32::from(outcome == Outcome::Dropped),
            shown: u32::from(matches!(entry.fate, Fate::Shown { .. })),
            unseen: u32::from(entry.fate == Fate::Unseen),
            outcome,
            worst_index: index,
            worst_interval: interval.unwrap_or(0),
            worst_frame: record.frame,
            worst_rate: record.frame_rate,
            longest_index: index,
            interval: interval
                .map_or(Extent::<i64>::NONE, |interval| Extent { low: interval, high: interval }),
            overstep: Extent { low: record.overstep.0, high: record.overstep.0 },
            alpha: Extent::of(record.alpha),
            from: entry.played,
            is_broken: !changes::continues(before, record),
            change_index: change.map(|_| index),
            setting_index: change.filter(|change| *change == Change::Setting).map(|_| index),
        }
    }

    /// Becomes this stretch and the one right after it.
    pub fn add(&mut self, after: &Self) {
        if after.frames == 0 {
            return;
        }
        if self.frames == 0 {
            *self = *after;
            return;
        }
        if (after.outcome, after.worst_interval) > (self.outcome, self.worst_interval) {
            self.outcome = after.outcome;
            self.worst_index = after.worst_index;
            self.worst_interval = after.worst_interval;
            self.worst_frame = after.worst_frame;
            self.worst_rate = after.worst_rate;
        }
        if after.interval.high > self.interval.high {
            self.longest_index = after.longest_index;
        }
        self.frames = self.frames.saturating_add(after.frames);
        self.late = self.late.saturating_add(after.late);
        self.dropped = self.dropped.saturating_add(after.dropped);
        self.shown = self.shown.saturating_add(after.shown);
        self.unseen = self.unseen.saturating_add(after.unseen);
        self.interval = self.interval.merge(after.interval);
        self.overstep = self.overstep.merge(after.overstep);
        self.alpha = self.alpha.merge(after.alpha);
        self.is_broken |= after.is_broken;
        self.change_index = after.change_index.or(self.change_index);
        self.setting_index = after.setting_index.or(self.setting_index);
    }

    /// The longest frame interval; none where no frame was given time.
    #[must_use]
    pub fn longest(&self) -> Option<Nanos> {
        (self.interval.low <= self.interval.high).then_some(Nanos(self.interval.high))
    }
}

/// The levels above single frames.
#[derive(Clone, Debug)]
pub struct Pyramid {
    // Level l holds, at index k, what the frames from k × 4^(l+1) on to before (k + 1) × 4^(l+1) come to.
    levels: Vec<SharedRing<Fold>>,
}

impl Pyramid {
    /// For a ring of so many frames.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        let mut levels = Vec::new();
        let mut width = BRANCH as usize;
        while width <= capacity {
            levels.push(SharedRing::new(capacity / width + 1));
            width *= BRANCH as usize;
        }
        Self { levels }
    }

    /// A frame was appended; `next` is the index after its own, and `leaf` says what single frames come to.
    pub fn appended(&mut self, next: u64, leaf: impl Fn(u64) -> Fold) {
        let mut width = BRANCH;
        for level in 0..self.levels.len() {
            if !next.is_multiple_of(width) {
                break;
            }
            let group = self.gather(level, next / width - 1, &leaf);
            self.levels[level].push(group);
            width *= BRANCH;
        }
    }

    /// What a frame comes to has changed.
    pub fn changed(&mut self, index: u64, leaf: impl Fn(u64) -> Fold) {
        let mut width = BRANCH;
        for level in 0..self.levels.len() {
            let at = index / width;
            if at >= self.levels[level].next() {
                break;
            }
            let group = self.gather(level, at, &leaf);
            if let Some(stale) = self.levels[level].get_mut(at) {
                *stale = group;
            }
            width *= BRANCH;
        }
    }

    /// What the frames of a range, all of them held, come to.
    #[must_use]
    pub fn fold(&self, range: Range<u64>, leaf: impl Fn(u64) -> Fold) -> Fold {
        let mut fold = Fold::NONE;
        let mut at = range.start;
        while at < range.end {
            let (mut width, mut level) = (1, None);
            for above in 0..self.levels.len() {
                let wider = width * BRANCH;
                if !at.is_multiple_of(wider) || range.end - at < wider {
                    break;
                }
                (width, level) = (wider, Some(above));
            }
            match level {
                Some(level) => {
                    if let Some(group) = self.levels[level].get(at / width) {
                        fold.add(group);
                    }
                }
                None => fold.add(&leaf(at)),
            }
            at += width;
        }
        fold
    }

    #[must_use]
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(SharedRing::bytes).sum()
    }

    /// Bytes that no copy shares.
    #[must_use]
    pub fn own_bytes(&self) -> usize {
        self.levels.iter().map(SharedRing::own_bytes).sum()
    }

    fn gather(&self, level: usize, group: u64, leaf: &impl Fn(u64) -> Fold) -> Fold {
        let children = group * BRANCH..(group + 1) * BRANCH;
        let below = level.checked_sub(1).map(|below| &self.levels[below]);
        let mut fold = Fold::NONE;
        for child in children {
            match below {
                None => fold.add(&leaf(child)),
                Some(below) => {
                    if let Some(group) = below.get(child) {
                        fold.add(group);
                    }
                }
            }
        }
        fold
    }
}
