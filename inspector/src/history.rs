//! The recent frames and what became of each, bounded; and the slowest ones, which stay longer.
//!
//! Frames of all runs lie in one ring, oldest first, ascending by (run, frame); a lookup is a binary search. What
//! happened to a frame after its record was written arrives later, from other threads: render records, shown records,
//! and the `replaced` of a later frame. Where such a record arrives before its frame, it waits in a short queue.

use std::collections::VecDeque;

use framewalk_runtime::frame::record::{
    FrameKind, FrameRecord, RenderOutcome, RenderRecord, Shown, ShownRecord,
};
use framewalk_runtime::time::{FrameIndex, Nanos};

use crate::stats::AnimationError;

/// How many frames are kept by default.
pub const DEFAULT_CAPACITY: usize = 10_000;
/// How many of the slowest frames of the newest run are kept beside the recent ones.
pub const SLOWEST_KEPT: usize = 16;
/// Records that arrived before their frame; more are dropped and counted.
const EARLY_CAPACITY: usize = 256;

/// What became of a frame, as far as the records say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fate {
    /// Published; nothing says yet that it was taken.
    #[default]
    Pending,
    /// It has left the slot and was not replaced, so it was taken; its render record is still to come.
    InFlight,
    /// Batch and submit both done; the window has said nothing about it.
    Rendered,
    /// Rendered, and painted by the window at `at`.
    Shown { at: Nanos },
    /// Rendered, and replaced by a newer one before the window painted it.
    Unseen,
    /// Replaced in the slot before it was taken.
    Dropped { by: FrameIndex },
    /// Published, never rendered.
    Abandoned,
}

/// The colour a frame has in the strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    OnTime,
    Late,
    Abandoned,
    Dropped,
}

/// One frame, and all that is known about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    pub record: FrameRecord,
    /// Where the frame lies on the time axis: how long its run had gone on, standing still left out. Stepped frames
    /// and ticks take one period each.
    pub played: Nanos,
    pub fate: Fate,
    pub render: Option<RenderRecord>,
    /// Where the frame was shown; see [`AnimationError`] for when it is empty.
    pub animation_error: Option<Nanos>,
}

impl Entry {
    #[must_use]
    pub const fn frame(&self) -> FrameIndex {
        self.record.frame
    }

    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        match self.fate {
            Fate::Dropped { .. } => Outcome::Dropped,
            Fate::Abandoned => Outcome::Abandoned,
            _ if self.record.late => Outcome::Late,
            _ => Outcome::OnTime,
        }
    }

    fn key(&self) -> (u32, FrameIndex) {
        (self.record.run, self.record.frame)
    }

    /// Nothing later is expected about it.
    const fn is_settled(&self, windowed: bool) -> bool {
        match self.fate {
            Fate::Pending | Fate::InFlight => false,
            Fate::Rendered => !windowed,
            Fate::Shown { .. } | Fate::Unseen | Fate::Dropped { .. } | Fate::Abandoned => true,
        }
    }

    /// When the picture stood on the display: the present, else the end of its submit; none where it never did.
    fn displayed(&self, windowed: bool) -> Option<Nanos> {
        match self.fate {
            Fate::Shown { at } => Some(at),
            Fate::Rendered if !windowed => self.render.as_ref().map(RenderRecord::submitted),
            _ => None,
        }
    }
}

/// Totals of one run that the records themselves do not carry.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunTotals {
    pub run: u32,
    pub frames: u64,
    pub late: u64,
    pub dropped: u64,
    /// The tick rate changed, so scaled time is no longer a number of seconds at one rate.
    pub tick_rate_changed: bool,
}

/// Recent frames and slowest frames, bounded.
#[derive(Clone, Debug)]
pub struct History {
    // Ascending by (run, frame).
    entries: VecDeque<Entry>,
    capacity: usize,
    slowest: Vec<Entry>,
    totals: RunTotals,
    windowed: bool,
    early_renders: VecDeque<RenderRecord>,
    early_shown: VecDeque<ShownRecord>,
    early_lost: u64,
    error: AnimationError,
    // The first frame not yet handed to `error`.
    error_next: (u32, FrameIndex),
    // The newest frame whose fate is settled: older ones that are not have lost their records.
    settled: (u32, FrameIndex),
    revision: u64,
}

impl History {
    /// Room for `capacity` frames, at least 1. Memory is taken as frames arrive.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            entries: VecDeque::new(),
            capacity: capacity.max(1),
            slowest: Vec::with_capacity(SLOWEST_KEPT + 1),
            totals: RunTotals::default(),
            windowed: false,
            early_renders: VecDeque::new(),
            early_shown: VecDeque::new(),
            early_lost: 0,
            error: AnimationError::default(),
            error_next: (0, FrameIndex(0)),
            settled: (0, FrameIndex(0)),
            revision: 0,
        }
    }

    /// Starts a run: what an older one still had under way will not be rendered any more.
    pub fn begin_run(&mut self, run: u32) {
        if run == self.totals.run {
            return;
        }
        self.end_run();
        self.totals = RunTotals { run, ..RunTotals::default() };
        self.slowest.clear();
        self.early_renders.retain(|early| early.run >= run);
        self.early_shown.retain(|early| early.run >= run);
        self.revision += 1;
    }

    /// The newest run is over and its threads are joined: what was not rendered is abandoned.
    pub fn end_run(&mut self) {
        let run = self.totals.run;
        for entry in self.entries.iter_mut().rev().take_while(|entry| entry.record.run == run) {
            if matches!(entry.fate, Fate::Pending | Fate::InFlight) {
                entry.fate = Fate::Abandoned;
            }
        }
        self.settle();
        self.revision += 1;
    }

    /// Whether a window shows the frames, and says of each rendered one whether it did. Without one, a rendered frame
    /// counts as shown when its submit ended.
    pub fn set_windowed(&mut self, windowed: bool) {
        self.windowed = windowed;
    }

    /// Takes the record of a frame. Records of a run arrive in order; one that is not newer than the newest is refused
    /// and counted as lost.
    pub fn ingest_frame(&mut self, record: FrameRecord) {
        if record.run != self.totals.run {
            self.begin_run(record.run);
        }
        let key = (record.run, record.frame);
        if self.entries.back().is_some_and(|newest| newest.key() >= key) {
            self.early_lost += 1;
            return;
        }
        self.count(&record);
        if let Some(replaced) = record.replaced {
            self.set_fate((record.run, replaced), Fate::Dropped { by: record.frame });
            self.totals.dropped += 1;
        }
        self.mark_taken_before(&record);
        let played = self.played_until(&record);
        if self.entries.len() == self.capacity {
            self.entries.pop_front();
        }
        // With nothing left in the slot at the end of stage 6, the render thread has it already.
        let is_taken = record.handoff.published > 0 && record.handoff.pending == 0;
        let fate = if is_taken { Fate::InFlight } else { Fate::Pending };
        self.entries.push_back(Entry { record, played, fate, ..Entry::default() });
        self.join_early(key);
        self.keep_if_slow(record);
        self.settle();
        self.revision += 1;
    }

    pub fn ingest_render(&mut self, render: RenderRecord) {
        let key = (render.run, render.frame);
        if let Some(index) = self.index_of(key) {
            let entry = &mut self.entries[index];
            entry.render = Some(render);
            entry.fate = match (render.outcome, entry.fate) {
                (RenderOutcome::Abandoned, _) => Fate::Abandoned,
                (RenderOutcome::Rendered, known @ (Fate::Shown { .. } | Fate::Unseen)) => known,
                (RenderOutcome::Rendered, _) => Fate::Rendered,
            };
            let entry = self.entries[index].clone();
            self.refresh_slow(entry);
            self.note_settled(index);
            self.settle();
            self.revision += 1;
        } else if self.may_still_come(key) {
            self.early_lost += push_bounded(&mut self.early_renders, render);
        }
    }

    pub fn ingest_shown(&mut self, shown: ShownRecord) {
        self.windowed = true;
        let key = (shown.run, shown.frame);
        let fate = match shown.shown {
            Shown::Presented { at } => Fate::Shown { at },
            Shown::Unseen => Fate::Unseen,
        };
        if self.set_fate(key, fate) {
            self.settle();
            self.revision += 1;
        } else if self.may_still_come(key) {
            self.early_lost += push_bounded(&mut self.early_shown, shown);
        }
    }

    /// Changes whenever anything in here did.
    #[must_use]
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    #[must_use]
    pub const fn totals(&self) -> &RunTotals {
        &self.totals
    }

    /// Frames held, of all runs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Bytes held for frames: the memory taken, used or not.
    #[must_use]
    pub fn bytes(&self) -> usize {
        (self.entries.capacity() + self.slowest.capacity()) * size_of::<Entry>()
            + self.early_renders.capacity() * size_of::<RenderRecord>()
            + self.early_shown.capacity() * size_of::<ShownRecord>()
    }

    /// Records that came for no frame that is held, or too early and too many.
    #[must_use]
    pub const fn unmatched(&self) -> u64 {
        self.early_lost
    }

    /// The newest frame of the newest run.
    #[must_use]
    pub fn newest(&self) -> Option<&Entry> {
        self.entries.back().filter(|entry| entry.record.run == self.totals.run)
    }

    #[must_use]
    pub fn find(&self, run: u32, frame: FrameIndex) -> Option<&Entry> {
        self.index_of((run, frame)).map(|index| &self.entries[index])
    }

    /// The frames of one run, oldest first, by position from 0.
    #[must_use]
    pub fn run(&self, run: u32) -> RunFrames<'_> {
        let start = self.entries.partition_point(|entry| entry.record.run < run);
        let end = self.entries.partition_point(|entry| entry.record.run <= run);
        RunFrames { entries: &self.entries, start, end }
    }

    /// The slowest frames of the newest run by frame time, slowest first; some of them no longer among the recent.
    pub fn slowest(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.slowest.iter()
    }

    fn index_of(&self, key: (u32, FrameIndex)) -> Option<usize> {
        self.entries.binary_search_by_key(&key, Entry::key).ok()
    }

    fn may_still_come(&self, key: (u32, FrameIndex)) -> bool {
        key.0 >= self.totals.run && self.entries.back().is_none_or(|newest| newest.key() < key)
    }

    fn count(&mut self, record: &FrameRecord) {
        let totals = &mut self.totals;
        if let Some(newest) = self.entries.back().filter(|entry| entry.record.run == record.run) {
            totals.tick_rate_changed |= newest.record.tick_rate != record.tick_rate;
        }
        totals.frames += 1;
        totals.late += u64::from(record.late);
    }

    fn played_until(&self, record: &FrameRecord) -> Nanos {
        let Some(before) = self.entries.back().filter(|entry| entry.record.run == record.run) else {
            return Nanos::ZERO;
        };
        let gap = record.render_time - before.record.render_time;
        match record.kind {
            FrameKind::First | FrameKind::Running => before.played + gap.max(Nanos::ZERO),
            FrameKind::Resumed | FrameKind::SteppedFrame | FrameKind::SteppedTick => {
                before.played + record.frame_rate.period()
            }
        }
    }

    /// The frame before was either replaced by this one, or it had been taken.
    fn mark_taken_before(&mut self, record: &FrameRecord) {
        if let Some(before) = self.entries.back_mut().filter(|entry| entry.record.run == record.run)
            && before.fate == Fate::Pending
        {
            before.fate = Fate::InFlight;
        }
    }

    fn set_fate(&mut self, key: (u32, FrameIndex), fate: Fate) -> bool {
        let Some(index) = self.index_of(key) else { return false };
        self.entries[index].fate = fate;
        let entry = self.entries[index].clone();
        self.refresh_slow(entry);
        self.note_settled(index);
        true
    }

    fn note_settled(&mut self, index: usize) {
        let entry = &self.entries[index];
        if entry.is_settled(self.windowed) && entry.key() > self.settled {
            self.settled = entry.key();
        }
    }

    fn join_early(&mut self, key: (u32, FrameIndex)) {
        while let Some(render) = self.early_renders.front().copied() {
            if (render.run, render.frame) > key {
                break;
            }
            self.early_renders.pop_front();
            if (render.run, render.frame) == key {
                self.ingest_render(render);
            }
        }
        while let Some(shown) = self.early_shown.front().copied() {
            if (shown.run, shown.frame) > key {
                break;
            }
            self.early_shown.pop_front();
            if (shown.run, shown.frame) == key {
                self.ingest_shown(shown);
            }
        }
    }

    fn keep_if_slow(&mut self, record: FrameRecord) {
        let time = record.frame_time();
        if self.slowest.len() == SLOWEST_KEPT
            && self.slowest.last().is_some_and(|fastest| fastest.record.frame_time() >= time)
        {
            return;
        }
        let entry = self.entries.back().cloned().unwrap_or_default();
        let position = self.slowest.partition_point(|kept| kept.record.frame_time() >= time);
        self.slowest.insert(position, entry);
        self.slowest.truncate(SLOWEST_KEPT);
    }

    fn refresh_slow(&mut self, entry: Entry) {
        if let Some(kept) = self.slowest.iter_mut().find(|kept| kept.key() == entry.key()) {
            *kept = entry;
        }
    }

    /// Hands settled frames to the animation error, in order. Each frame once: O(1) a frame over a run.
    fn settle(&mut self) {
        let mut index = self.entries.partition_point(|entry| entry.key() < self.error_next);
        while let Some(entry) = self.entries.get_mut(index) {
            let key = (entry.record.run, entry.record.frame);
            if !entry.is_settled(self.windowed) && key > self.settled {
                break;
            }
            entry.animation_error = self.error.next(&entry.record, entry.displayed(self.windowed));
            self.error_next = (key.0, FrameIndex(key.1.0.saturating_add(1)));
            index += 1;
        }
    }
}

/// The frames of one run.
#[derive(Clone, Copy, Debug)]
pub struct RunFrames<'a> {
    entries: &'a VecDeque<Entry>,
    start: usize,
    end: usize,
}

impl<'a> RunFrames<'a> {
    #[must_use]
    pub const fn len(&self) -> usize {
        self.end - self.start
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.end == self.start
    }

    #[must_use]
    pub fn at(&self, position: usize) -> Option<&'a Entry> {
        if position < self.len() { self.entries.get(self.start + position) } else { None }
    }

    #[must_use]
    pub fn position(&self, frame: FrameIndex) -> Option<usize> {
        let position = self.position_at_frame(frame);
        self.at(position).filter(|entry| entry.frame() == frame).map(|_| position)
    }

    /// Position of the first frame at or after `frame`.
    #[must_use]
    pub fn position_at_frame(&self, frame: FrameIndex) -> usize {
        self.position_from(|entry| entry.frame() < frame)
    }

    /// Position of the first frame that was played at or after `time`.
    #[must_use]
    pub fn position_at_time(&self, time: Nanos) -> usize {
        self.position_from(|entry| entry.played < time)
    }

    #[must_use]
    pub fn last(&self) -> Option<&'a Entry> {
        self.len().checked_sub(1).and_then(|last| self.at(last))
    }

    /// Frames from position `from` to before `to`, oldest first.
    pub fn range(&self, from: usize, to: usize) -> impl DoubleEndedIterator<Item = &'a Entry> + use<'a> {
        let to = to.min(self.len());
        self.entries.range(self.start + from.min(to)..self.start + to)
    }

    fn position_from(&self, before: impl Fn(&Entry) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.at(middle).is_some_and(&before) { low = middle + 1 } else { high = middle }
        }
        low
    }
}

/// Adds at the back; 1 where the oldest had to go for it.
fn push_bounded<T>(queue: &mut VecDeque<T>, value: T) -> u64 {
    let full = queue.len() == EARLY_CAPACITY;
    if full {
        queue.pop_front();
    }
    queue.push_back(value);
    u64::from(full)
}
