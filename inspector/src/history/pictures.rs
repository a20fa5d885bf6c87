//! Every picture, the newest of them, bounded: of a frame of the free handoff there may be several, or none.

use std::ops::Range;

use framewalk_runtime::frame::record::{FrameKind, RenderOutcome, RenderRecord};
use framewalk_runtime::time::{FrameIndex, Nanos};

use super::ring::SharedRing;
use super::{Entry, Fate, History};

/// How many pictures are kept: more than a minute of them at 240 Hz, and sixteen seconds at 1000. Older ones go, and the
/// first picture of each frame stays with its frame.
pub const PICTURES_KEPT: usize = 16_384;
/// A picture that could not be drawn may overtake those that are under way by as many places.
const OVERTAKES: u64 = 8;

/// One picture, and where it lies among the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptPicture {
    pub record: RenderRecord,
    /// Where it lies on the time axis of its run: as far from its frame as its render time is from that of the frame.
    pub played: Nanos,
    /// Which of its frame's pictures it is, from 1.
    pub nth: u32,
    /// Free handoff: since the render time of the picture before. None where there is none before, where the run was
    /// paused or stepped or time stood still between the two, and of a picture that could not be drawn.
    pub interval: Option<Nanos>,
}

impl KeptPicture {
    /// Batch and submit were both done.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        self.record.outcome == RenderOutcome::Rendered
    }
}

/// The newest pictures of all runs, in the order in which they were made. Each has its index, which it keeps.
#[derive(Clone, Debug)]
pub struct Pictures {
    // Ascending by (run, frame) and by (run, played).
    ring: SharedRing<KeptPicture>,
    // The last one that was drawn.
    drawn: Option<KeptPicture>,
}

impl Default for Pictures {
    fn default() -> Self {
        Self { ring: SharedRing::new(PICTURES_KEPT), drawn: None }
    }
}

impl Pictures {
    #[must_use]
    pub fn at_index(&self, index: u64) -> Option<&KeptPicture> {
        self.ring.get(index)
    }

    /// Index that the next one will have: how many there ever were.
    #[must_use]
    pub const fn next(&self) -> u64 {
        self.ring.next()
    }

    /// Index of the oldest one that is held.
    #[must_use]
    pub fn first(&self) -> u64 {
        self.ring.first()
    }

    /// The newest of a run, where that is the newest one that has any.
    #[must_use]
    pub fn newest_of(&self, run: u32) -> Option<&KeptPicture> {
        self.ring.last().filter(|newest| newest.record.run == run)
    }

    /// Some are gone, for newer ones.
    #[must_use]
    pub fn has_lost_some(&self) -> bool {
        self.ring.first() > 0
    }

    /// Those with these indices that are held.
    pub fn range(&self, indices: Range<u64>) -> impl DoubleEndedIterator<Item = &KeptPicture> {
        indices.filter_map(|index| self.ring.get(index))
    }

    /// Indices of those of a run that lie between two times of its time axis, both included.
    #[must_use]
    pub fn played_within(&self, run: u32, from: Nanos, to: Nanos) -> Range<u64> {
        let first = self.index_from(|picture| (picture.record.run, picture.played) < (run, from));
        let end = self.index_from(|picture| (picture.record.run, picture.played) <= (run, to));
        first..end.max(first)
    }

    /// Indices of those of the frames from `first` to `last` of a run, both included.
    #[must_use]
    pub fn of_frames(&self, run: u32, first: FrameIndex, last: FrameIndex) -> Range<u64> {
        let key = |picture: &KeptPicture| (picture.record.run, picture.record.frame);
        let from = self.index_from(|picture| key(picture) < (run, first));
        let end = self.index_from(|picture| key(picture) <= (run, last));
        from..end.max(from)
    }

    /// Those of a run on which the render thread worked at some time between the two, on the clock of the records.
    pub fn worked_within(&self, run: u32, from: Nanos, to: Nanos) -> impl Iterator<Item = &KeptPicture> {
        let first = self.index_from(|picture| (picture.record.run, picture.record.submitted()) < (run, from));
        let end = self.index_from(|picture| (picture.record.run, picture.record.taken) <= (run, to));
        self.range(first.saturating_sub(OVERTAKES)..end.saturating_add(OVERTAKES)).filter(move |picture| {
            let record = &picture.record;
            record.run == run && record.submitted() >= from && record.taken <= to
        })
    }

    /// Bytes taken for pictures, shared with copies or not.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.ring.bytes()
    }

    /// Bytes that no copy shares.
    #[must_use]
    pub fn own_bytes(&self) -> usize {
        self.ring.own_bytes()
    }

    fn push(&mut self, picture: KeptPicture) {
        self.ring.push(picture);
        if picture.is_drawn() {
            self.drawn = Some(picture);
        }
    }

    /// Index of the first of which `before` does not hold.
    fn index_from(&self, before: impl Fn(&KeptPicture) -> bool) -> u64 {
        let (mut low, mut high) = (self.ring.first(), self.ring.next());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.ring.get(middle).is_some_and(&before) { low = middle + 1 } else { high = middle }
        }
        low
    }
}

impl History {
    /// The newest pictures, of all runs.
    #[must_use]
    pub const fn pictures(&self) -> &Pictures {
        &self.pictures
    }

    /// The newest picture of the newest run; of one frame there may be several.
    #[must_use]
    pub fn newest_picture(&self) -> Option<&RenderRecord> {
        self.newest_picture.as_ref().filter(|picture| picture.run == self.totals.run)
    }

    /// Takes in a picture of the frame at `index`.
    pub(super) fn note_picture(&mut self, picture: RenderRecord, index: u64) {
        let key = (picture.run, picture.frame);
        if self.newest_picture.is_none_or(|newest| (newest.run, newest.frame) <= key) {
            self.newest_picture = Some(picture);
        }
        let Some(entry) = self.at_index(index) else { return };
        let after = Nanos(picture.render_time.0.saturating_sub(entry.record.render_time.0));
        let played = Nanos(entry.played.0.saturating_add(after.0));
        let nth = entry.tries.saturating_add(1);
        let newest = self.pictures.ring.last();
        // By their order they are looked up: one that comes after newer ones is counted only.
        if newest.is_none_or(|newest| (newest.record.run, newest.record.frame) <= key) {
            let same_run = newest.filter(|newest| newest.record.run == picture.run);
            let played = same_run.map_or(played, |newest| played.max(newest.played));
            let interval = self.since_the_one_before(&picture, index);
            self.pictures.push(KeptPicture { record: picture, played, nth, interval });
        }
        if picture.run == self.totals.run && picture.outcome == RenderOutcome::Rendered {
            self.totals.pictures += 1;
            self.totals.late_pictures += u64::from(picture.late);
        }
    }

    /// From the render time of the picture before to that of this one, of the frame at `index`. Each frame between the two is
    /// looked at once: over a run, one a frame.
    fn since_the_one_before(&self, picture: &RenderRecord, index: u64) -> Option<Nanos> {
        let before = &self.pictures.drawn?.record;
        // One that stands was drawn for no deadline.
        let is_wanted = picture.outcome == RenderOutcome::Rendered
            && before.run == picture.run
            && !before.ends
            && !picture.ends;
        let from = self.index_of((before.run, before.frame)).filter(|from| is_wanted && *from <= index)?;
        let goes_on = |entry: &Entry| {
            entry.is_free() && entry.record.kind == FrameKind::Running && entry.record.speed.thousandths() > 0
        };
        let began_free = self.at_index(from).is_some_and(Entry::is_free);
        let runs_on = (from + 1..=index).all(|between| self.at_index(between).is_some_and(goes_on));
        let since = picture.render_time.0.saturating_sub(before.render_time.0);
        (began_free && runs_on && since >= 0).then_some(Nanos(since))
    }

    /// Free handoff: ticks only go forward, so what waits behind one that was drawn never will be.
    pub(super) fn mark_undrawn_before(&mut self, index: u64) {
        let run = self.totals.run;
        for older in (self.run_start.max(self.entries.first())..index).rev() {
            if !self.at_index(older).is_some_and(|entry| entry.waits_in(run) && entry.is_free()) {
                break;
            }
            self.set_fate_at(older, Fate::Undrawn);
        }
    }
}
