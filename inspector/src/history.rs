//! The recent frames and what became of each, bounded; and the slowest ones, which stay longer.
//!
//! Frames of all runs lie in one ring, oldest first, ascending by (run, frame); a lookup is a guess, else a binary
//! search. Beside them lies a pyramid of what groups of them come to, so that a picture of any number of frames costs
//! what its columns cost. A copy of the whole shares both until one side changes. What happened to a frame after its record was written arrives later, from other threads: render records, shown records,
//! and the `replaced` of a later frame. Where such a record arrives before its frame, it waits in a short queue.
//!
//! Long because whatever takes a record in, and whatever looks one up, goes by the same fields.

pub mod changes;
pub mod entry;
pub mod passes;
pub mod pictures;
pub mod pyramid;
pub mod ring;
pub mod run_frames;
mod settling;
pub mod zones;

use std::collections::VecDeque;
use std::ops::Range;

use framewalk_runtime::frame::record::{
    FrameKind, FrameRecord, HandoffMode, RenderOutcome, RenderRecord, Shown, ShownRecord,
};
use framewalk_runtime::frame::zones::{Zone, ZoneThread};
use framewalk_runtime::time::{FrameIndex, Nanos};

pub use entry::{Entry, Fate, Outcome};
use passes::Passes;
pub use pictures::KeptPicture;
use pictures::Pictures;
pub use pyramid::Fold;
use pyramid::Pyramid;
use ring::SharedRing;
pub use run_frames::RunFrames;
use zones::Zones;

use crate::stats::AnimationError;

/// How many frames are kept by default.
pub const DEFAULT_CAPACITY: usize = 100_000;
/// How many of the slowest frames of the newest run are kept beside the recent ones.
pub const SLOWEST_KEPT: usize = 16;
/// Records that arrived before their frame; more are dropped and counted.
const EARLY_CAPACITY: usize = 256;

/// Totals of one run that the records themselves do not carry.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunTotals {
    pub run: u32,
    pub frames: u64,
    pub late: u64,
    pub dropped: u64,
    /// Pictures that were drawn, and those of them that the render thread began after its own deadline: only in the free
    /// handoff has it any.
    pub pictures: u64,
    pub late_pictures: u64,
    /// The tick rate changed, so scaled time is no longer a number of seconds at one rate.
    pub tick_rate_changed: bool,
    /// Frames took another way before, so the counts are not of one way alone.
    pub handoff_changed: bool,
}

/// Recent frames and slowest frames, bounded.
#[derive(Clone, Debug)]
pub struct History {
    // Ascending by (run, frame).
    entries: SharedRing<Entry>,
    pyramid: Pyramid,
    zones: Zones,
    pictures: Pictures,
    passes: Passes,
    // Index of the first frame of the newest run.
    run_start: u64,
    slowest: Vec<Entry>,
    // In the free handoff a frame may be drawn again and again.
    newest_picture: Option<RenderRecord>,
    totals: RunTotals,
    windowed: bool,
    early_renders: VecDeque<RenderRecord>,
    early_shown: VecDeque<ShownRecord>,
    early_lost: u64,
    error: AnimationError,
    // Index of the first frame not yet handed to `error`.
    error_next: u64,
    // Index after the newest frame whose fate is settled: older ones that are not have lost their records.
    settled_end: u64,
    revision: u64,
}

impl History {
    /// Room for `capacity` frames, at least 1. Memory is taken as frames arrive.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            entries: SharedRing::new(capacity),
            pyramid: Pyramid::new(capacity),
            zones: Zones::default(),
            pictures: Pictures::default(),
            passes: Passes::default(),
            run_start: 0,
            slowest: Vec::with_capacity(SLOWEST_KEPT + 1),
            newest_picture: None,
            totals: RunTotals::default(),
            windowed: false,
            early_renders: VecDeque::new(),
            early_shown: VecDeque::new(),
            early_lost: 0,
            error: AnimationError::default(),
            error_next: 0,
            settled_end: 0,
            revision: 0,
        }
    }

    /// Room for another number of frames, at least 1; where there are more, the oldest go.
    pub fn set_capacity(&mut self, capacity: usize) {
        let capacity = capacity.max(1);
        let end = self.entries.next();
        let first = self.entries.first().max(end.saturating_sub(capacity as u64));
        let mut entries = SharedRing::new(capacity);
        let mut pyramid = Pyramid::new(capacity);
        for entry in (first..end).filter_map(|index| self.entries.get(index)) {
            entries.push(entry.clone());
            pyramid.appended(entries.next(), |index| leaf(&entries, index));
        }
        (self.entries, self.pyramid) = (entries, pyramid);
        // Indices count from the oldest frame that was kept.
        for index in [&mut self.run_start, &mut self.error_next, &mut self.settled_end] {
            *index = index.saturating_sub(first);
        }
        self.revision += 1;
    }

    /// Starts a run: what an older one still had under way will not be rendered any more.
    pub fn begin_run(&mut self, run: u32) {
        if run == self.totals.run {
            return;
        }
        self.end_run();
        self.zones.begin_run();
        self.totals = RunTotals { run, ..RunTotals::default() };
        self.run_start = self.entries.next();
        self.slowest.clear();
        self.early_renders.retain(|early| early.run >= run);
        self.early_shown.retain(|early| early.run >= run);
        self.revision += 1;
    }

    /// The newest run is over and its threads are joined: what was not rendered is abandoned.
    pub fn end_run(&mut self) {
        for index in self.run_start.max(self.entries.first())..self.entries.next() {
            if self.at_index(index).is_some_and(|entry| matches!(entry.fate, Fate::Pending | Fate::InFlight))
            {
                self.set_fate_at(index, Fate::Abandoned);
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
        if self.entries.last().is_some_and(|newest| newest.key() >= key) {
            self.early_lost += 1;
            return;
        }
        self.count(&record);
        self.note_dropped_by(&record);
        self.totals.dropped += u64::from(record.replaced.is_some());
        self.mark_taken_before(&record);
        if record.handoff.mode != HandoffMode::Free {
            // Ticks that waited when the handoff changed were taken back.
            self.mark_undrawn_before(self.entries.next());
        }
        let played = self.played_until(&record);
        // With nothing left in the slot at the end of stage 6, the render thread has it already.
        let is_taken = record.handoff.published > 0 && record.handoff.pending == 0;
        let mut entry = Entry { record, played, ..Entry::default() };
        if is_taken && !entry.is_free() {
            entry.fate = Fate::InFlight;
        }
        self.entries.push(entry);
        let Self { entries, pyramid, .. } = self;
        pyramid.appended(entries.next(), |index| leaf(entries, index));
        self.join_early(key);
        self.keep_if_slow(record);
        self.settle();
        self.revision += 1;
    }

    /// The frame that this one replaced was dropped.
    pub(crate) fn note_dropped_by(&mut self, record: &FrameRecord) {
        if let Some(replaced) = record.replaced
            && self.set_fate((record.run, replaced), Fate::Dropped { by: record.frame })
        {
            self.revision += 1;
        }
    }

    /// Takes a zone of one of the run's threads, in the order in which they ended.
    pub fn ingest_zone(&mut self, thread: ZoneThread, zone: Zone) {
        self.zones.push(thread, zone);
        self.revision += 1;
    }

    /// The newest zones; those of frames long past are gone.
    #[must_use]
    pub const fn zones(&self) -> &Zones {
        &self.zones
    }

    pub fn ingest_render(&mut self, render: RenderRecord) {
        let key = (render.run, render.frame);
        if let Some(index) = self.index_of(key) {
            self.note_picture(render, index);
            let Some(entry) = self.entries.get_mut(index) else { return };
            let was_late = entry.is_late();
            entry.add_picture(&render);
            if entry.is_late() != was_late {
                let Self { entries, pyramid, .. } = self;
                pyramid.changed(index, |index| leaf(entries, index));
            }
            let Some(entry) = self.entries.get_mut(index) else { return };
            if render.again {
                // The frame itself was rendered by its first picture.
                self.revision += 1;
                return;
            }
            entry.render = Some(render);
            let fate = match (render.outcome, entry.fate) {
                (RenderOutcome::Abandoned, _) => Fate::Abandoned,
                (RenderOutcome::Rendered, known @ (Fate::Shown { .. } | Fate::Unseen)) => known,
                (RenderOutcome::Rendered, _) => Fate::Rendered,
            };
            self.set_fate_at(index, fate);
            self.mark_undrawn_before(index);
            self.settle();
            self.revision += 1;
        } else if self.may_still_come(key) {
            self.early_lost += push_bounded(&mut self.early_renders, render);
        }
    }

    pub fn ingest_shown(&mut self, shown: ShownRecord) {
        self.windowed = true;
        let key = (shown.run, shown.frame);
        let (fate, shown_time) = match shown.shown {
            Shown::Presented { at, shown_time } => (Fate::Shown { at }, shown_time),
            Shown::Unseen => (Fate::Unseen, None),
        };
        if let Some(entry) = self.index_of(key).and_then(|index| self.entries.get_mut(index)) {
            entry.seen_time = shown_time;
        }
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

    /// Bytes held for frames: the memory taken, used or not. Once full, a frame costs
    /// [`History::BYTES_A_FRAME`], and what is beside the frames does not depend on their number.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let beside = self.zones.bytes() + self.pictures.bytes() + self.passes.bytes() + self.beside_bytes();
        self.entries.bytes() + self.pyramid.bytes() + beside
    }

    /// Memory of one frame: its record, what became of it, and its third of a group in the pyramid.
    pub const BYTES_A_FRAME: usize = size_of::<Entry>() + size_of::<Fold>() / 3;

    /// Bytes that no other copy of this history shares.
    #[must_use]
    pub fn own_bytes(&self) -> usize {
        let beside = self.zones.own_bytes() + self.pictures.own_bytes() + self.passes.own_bytes();
        self.entries.own_bytes() + self.pyramid.own_bytes() + beside + self.beside_bytes()
    }

    fn beside_bytes(&self) -> usize {
        self.slowest.capacity() * size_of::<Entry>()
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
        self.entries.last().filter(|entry| entry.record.run == self.totals.run)
    }

    #[must_use]
    pub fn find(&self, run: u32, frame: FrameIndex) -> Option<&Entry> {
        self.index_of((run, frame)).and_then(|index| self.at_index(index))
    }

    /// The frames of one run, oldest first, by position from 0.
    #[must_use]
    pub fn run(&self, run: u32) -> RunFrames<'_> {
        if run == self.totals.run {
            let start = self.run_start.max(self.entries.first());
            return RunFrames::new(self, start, self.entries.next());
        }
        let start = self.index_from(|entry| entry.record.run < run);
        let end = self.index_from(|entry| entry.record.run <= run);
        RunFrames::new(self, start, end)
    }

    /// The frame with this index: how many were taken in before it.
    #[must_use]
    pub fn at_index(&self, index: u64) -> Option<&Entry> {
        self.entries.get(index)
    }

    /// What the frames of a range of indices, all held, come to.
    #[must_use]
    pub fn fold(&self, indices: Range<u64>) -> Fold {
        self.pyramid.fold(indices, |index| leaf(&self.entries, index))
    }

    /// The slowest frames of the newest run by frame time, slowest first; some of them no longer among the recent.
    pub fn slowest(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.slowest.iter()
    }

    fn index_of(&self, key: (u32, FrameIndex)) -> Option<u64> {
        // Without lost records a frame lies as far back as its number says.
        let newest = self.entries.last()?;
        let back = newest.frame().0.checked_sub(key.1.0);
        let guess = back.and_then(|back| (self.entries.next() - 1).checked_sub(back));
        if let Some(guess) = guess
            && self.at_index(guess).is_some_and(|entry| entry.key() == key)
        {
            return Some(guess);
        }
        let index = self.index_from(|entry| entry.key() < key);
        self.at_index(index).filter(|entry| entry.key() == key).map(|_| index)
    }

    /// Index of the first frame of which `before` does not hold.
    fn index_from(&self, before: impl Fn(&Entry) -> bool) -> u64 {
        let (mut low, mut high) = (self.entries.first(), self.entries.next());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.at_index(middle).is_some_and(&before) { low = middle + 1 } else { high = middle }
        }
        low
    }

    fn may_still_come(&self, key: (u32, FrameIndex)) -> bool {
        key.0 >= self.totals.run && self.entries.last().is_none_or(|newest| newest.key() < key)
    }

    fn count(&mut self, record: &FrameRecord) {
        let totals = &mut self.totals;
        if let Some(newest) = self.entries.last().filter(|entry| entry.record.run == record.run) {
            totals.tick_rate_changed |= newest.record.tick_rate != record.tick_rate;
            totals.handoff_changed |= newest.record.handoff.mode != record.handoff.mode;
        }
        totals.frames += 1;
        totals.late += u64::from(record.late);
    }

    fn played_until(&self, record: &FrameRecord) -> Nanos {
        let Some(before) = self.entries.last().filter(|entry| entry.record.run == record.run) else {
            return Nanos::ZERO;
        };
        let gap = record.render_time - before.record.render_time;
        match record.kind {
            FrameKind::First | FrameKind::Running => before.played + gap.max(Nanos::ZERO),
            FrameKind::Resumed | FrameKind::SteppedFrame | FrameKind::SteppedTick | FrameKind::ByHand => {
                before.played + record.frame_rate.period()
            }
        }
    }

    /// The frame before was either replaced by this one, or it had been taken.
    fn mark_taken_before(&mut self, record: &FrameRecord) {
        let is_waiting = |entry: &&Entry| entry.waits_in(record.run) && !entry.is_free();
        if self.entries.last().filter(is_waiting).is_some()
            && let Some(before) = self.entries.get_mut(self.entries.next() - 1)
        {
            before.fate = Fate::InFlight;
        }
    }

    fn set_fate(&mut self, key: (u32, FrameIndex), fate: Fate) -> bool {
        let index = self.index_of(key);
        index.is_some_and(|index| self.set_fate_at(index, fate))
    }

    fn set_fate_at(&mut self, index: u64, fate: Fate) -> bool {
        let Some(entry) = self.entries.get_mut(index) else { return false };
        let counted = |entry: &Entry| {
            let (shown, unseen) = (matches!(entry.fate, Fate::Shown { .. }), entry.fate == Fate::Unseen);
            (entry.outcome(), shown, unseen)
        };
        let before = counted(entry);
        entry.fate = fate;
        let is_counted_anew = counted(entry) != before;
        let is_settled = entry.is_settled(self.windowed);
        let key = entry.key();
        if let Some(kept) = self.slowest.iter_mut().find(|kept| kept.key() == key) {
            kept.clone_from(entry);
        }
        if is_counted_anew {
            let Self { entries, pyramid, .. } = self;
            pyramid.changed(index, |index| leaf(entries, index));
        }
        if is_settled {
            self.settled_end = self.settled_end.max(index + 1);
        }
        true
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
        let entry = self.entries.last().cloned().unwrap_or_default();
        let position = self.slowest.partition_point(|kept| kept.record.frame_time() >= time);
        self.slowest.insert(position, entry);
        self.slowest.truncate(SLOWEST_KEPT);
    }
}

/// What one frame comes to.
fn leaf(entries: &SharedRing<Entry>, index: u64) -> Fold {
    let before = index.checked_sub(1).and_then(|before| entries.get(before)).map(|entry| &entry.record);
    entries.get(index).map_or(Fold::NONE, |entry| Fold::of(index, entry, before))
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
