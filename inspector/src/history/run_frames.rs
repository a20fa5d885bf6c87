//! The frames of one run, by position from 0.

use std::ops::Range;

use framewalk_runtime::frame::record::FrameRecord;
use framewalk_runtime::time::{FrameIndex, Nanos};

use super::History;
use super::entry::Entry;
use super::pyramid::Fold;

/// The frames of one run, oldest first. A position counts from the oldest that is held; an index is a frame's own for
/// as long as it is held, so columns that end at whole multiples of an index never flicker while frames come.
#[derive(Clone, Copy, Debug)]
pub struct RunFrames<'a> {
    history: &'a History,
    start: u64,
    end: u64,
}

impl<'a> RunFrames<'a> {
    pub(super) const fn new(history: &'a History, start: u64, end: u64) -> Self {
        Self { history, start, end }
    }

    #[must_use]
    pub const fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.end == self.start
    }

    #[must_use]
    pub fn at(&self, position: usize) -> Option<&'a Entry> {
        if position < self.len() { self.history.at_index(self.start + position as u64) } else { None }
    }

    /// The frame before the one at a position, also where it is the first of what is held.
    #[must_use]
    pub fn before(&self, position: usize) -> Option<&'a FrameRecord> {
        position.checked_sub(1).and_then(|before| self.at(before)).map(|entry| &entry.record)
    }

    #[must_use]
    pub fn position(&self, frame: FrameIndex) -> Option<usize> {
        let position = self.position_at_frame(frame);
        self.at(position).filter(|entry| entry.frame() == frame).map(|_| position)
    }

    /// Position of the first frame at or after `frame`.
    #[must_use]
    pub fn position_at_frame(&self, frame: FrameIndex) -> usize {
        // Without lost records a frame's number says where it lies.
        if let Some(first) = self.at(0)
            && let Some(ahead) = frame.0.checked_sub(first.frame().0)
            && let Ok(guess) = usize::try_from(ahead)
            && self.at(guess).is_some_and(|entry| entry.frame() == frame)
        {
            return guess;
        }
        self.position_from(|entry| entry.frame() < frame)
    }

    /// Position of the first frame that was played at or after `time`.
    #[must_use]
    pub fn position_at_time(&self, time: Nanos) -> usize {
        self.position_from(|entry| entry.played < time)
    }

    /// Position of the first frame whose render time is at or after `time`.
    #[must_use]
    pub fn position_at_render_time(&self, time: Nanos) -> usize {
        self.position_from(|entry| entry.record.render_time < time)
    }

    #[must_use]
    pub fn last(&self) -> Option<&'a Entry> {
        self.len().checked_sub(1).and_then(|last| self.at(last))
    }

    /// Frames from position `from` to before `to`, oldest first.
    pub fn range(&self, from: usize, to: usize) -> impl DoubleEndedIterator<Item = &'a Entry> + use<'a> {
        let to = to.min(self.len());
        let (history, start) = (self.history, self.start);
        (from.min(to)..to).filter_map(move |position| history.at_index(start + position as u64))
    }

    /// Indices of all of them.
    #[must_use]
    pub const fn indices(&self) -> Range<u64> {
        self.start..self.end
    }

    /// How many of them the window showed, and how many it never did.
    #[must_use]
    pub fn shown_and_unseen(&self) -> (u64, u64) {
        let fold = self.fold(self.indices());
        (fold.shown.into(), fold.unseen.into())
    }

    /// Position of the frame with this index, where it is one of these.
    #[must_use]
    pub fn position_of_index(&self, index: u64) -> Option<usize> {
        self.indices().contains(&index).then(|| (index - self.start) as usize)
    }

    /// What the frames of a range of indices come to, as far as they are of this run.
    #[must_use]
    pub fn fold(&self, indices: Range<u64>) -> Fold {
        let start = indices.start.clamp(self.start, self.end);
        self.history.fold(start..indices.end.clamp(start, self.end))
    }

    /// As [`RunFrames::fold`], by positions.
    #[must_use]
    pub fn fold_positions(&self, from: usize, to: usize) -> Fold {
        self.fold(self.start.saturating_add(from as u64)..self.start.saturating_add(to as u64))
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
