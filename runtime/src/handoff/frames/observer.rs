//! One more reader of the lockstep, beside the renderer.

use std::sync::Arc;

use super::super::barrier::MOST_PARTIES;
use super::super::double_buffer::Reader;
use super::super::sync::{AtomicU32, AtomicU64, Ordering};
use super::{FrameBuffer, FrameDescriptor, HandoffStats, WaitError};
use crate::frame::record::{HandoffMode, MOST_OBSERVERS, ObserverWaits};
use crate::time::Nanos;
use crate::time::source::RealClock;

const _: () = assert!(
    MOST_OBSERVERS + 2 == MOST_PARTIES,
    "beside them the simulation and the renderer come to meetings"
);

/// Reads every frame of the lockstep, whole, between the meeting that published it and the next: a recorder, a second
/// picture, a test. The simulation and the renderer wait for it as for each other, so it works on a thread of its own and
/// comes back soon.
///
/// In the two other handoffs nobody meets, and it waits until frames take that way again.
///
/// [`FrameObserver::leave`] parts in peace. Dropping it, as a panic of its thread does, lets everybody else go with an error,
/// and the run ends: who looked on and is gone has not seen what it was there to see.
pub struct FrameObserver<S> {
    reader: Reader<FrameBuffer<S>>,
    number: usize,
    board: Arc<ObserverBoard>,
    stats: HandoffStats,
    clock: RealClock,
}

impl<S> FrameObserver<S> {
    pub(super) fn new(
        reader: Reader<FrameBuffer<S>>,
        number: usize,
        board: Arc<ObserverBoard>,
        stats: HandoffStats,
    ) -> Self {
        Self { reader, number, board, stats, clock: RealClock::new() }
    }

    /// Which of the observers it is, from 0: its place in [`ObserverWaits`].
    #[must_use]
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Gives its frame back, comes to the next meeting and waits until that is over: the answer says which frame it has now.
    ///
    /// `patience` counts time in which the simulation runs in lockstep; without one the wait is as long as it takes.
    ///
    /// # Errors
    /// One of the others has ended, or did not come in time. After [`WaitError::TooLong`] it still stands at the meeting, and
    /// may be asked to wait again.
    pub fn meet(&mut self, patience: Option<Nanos>) -> Result<FrameDescriptor, WaitError> {
        if !self.reader.has_arrived() {
            self.board.note_arrival(self.number, self.reader.passed() + 1, self.clock.now());
        }
        let shared = &self.stats.shared;
        let is_running = || !shared.stands() && shared.mode() == HandoffMode::Lockstep;
        self.reader.meet(patience, is_running)?;
        Ok(self.reader.front().descriptor)
    }

    /// The frame it has; `None` before the first meeting.
    ///
    /// # Panics
    /// It stands at a meeting, after [`WaitError::TooLong`].
    #[must_use]
    pub fn frame(&self) -> Option<FrameDescriptor> {
        (self.reader.passed() > 0).then(|| self.reader.front().descriptor)
    }

    /// The snapshot of that frame: the same until it comes to the next meeting. Before the first, what the handoff was made
    /// with.
    ///
    /// # Panics
    /// As [`FrameObserver::frame`].
    #[must_use]
    pub fn snapshot(&self) -> &S {
        &self.reader.front().snapshot
    }

    /// Leaves a word about the frame it has, as a hash of what it saw: the other observers can read it once they have all
    /// been to the next meeting. The last word about a frame counts.
    ///
    /// # Panics
    /// It stands at a meeting, after [`WaitError::TooLong`].
    pub fn say(&mut self, word: u64) {
        assert!(
            !self.reader.has_arrived(),
            "an observer that stands at a meeting has said what it had to say"
        );
        self.board.note_word(self.number, self.reader.passed(), word);
    }

    /// What observer `number`, which may be this one, said about the frame before the one that this one has; an older word of
    /// its, or 0, where it said nothing about that. `None`: there was no such frame, or that observer is not there.
    ///
    /// # Panics
    /// As [`FrameObserver::say`].
    #[must_use]
    pub fn said(&self, number: usize) -> Option<u64> {
        assert!(
            !self.reader.has_arrived(),
            "at a meeting the words of the frame before are being written over"
        );
        let before = self.reader.passed().checked_sub(1).filter(|before| *before > 0)?;
        self.board.word(number, before)
    }

    /// Observes no more. The others go on without it; where they wait for it, they do so no longer.
    pub fn leave(self) {
        self.board.note_end(self.number);
        self.reader.go();
    }
}

/// When each observer came to its last two meetings, and what it said about its last two frames.
pub(super) struct ObserverBoard {
    // Those who observe, a bit each.
    present: AtomicU32,
    // By the parity of the meeting: the one before the last may still be looked at when the next one is come to.
    arrivals: [[AtomicU64; 2]; MOST_OBSERVERS],
    // By the parity of the meeting that published the frame.
    words: [[AtomicU64; 2]; MOST_OBSERVERS],
}

impl ObserverBoard {
    pub(super) fn new(observers: usize) -> Self {
        Self {
            present: AtomicU32::new((1 << observers) - 1),
            arrivals: std::array::from_fn(|_| std::array::from_fn(|_| AtomicU64::new(0))),
            words: std::array::from_fn(|_| std::array::from_fn(|_| AtomicU64::new(0))),
        }
    }

    fn note_word(&self, number: usize, meeting: u64, word: u64) {
        // Relaxed: the arrival at the next meeting, which follows, releases it. Whoever may still read the word of two
        // frames ago has not come to the last meeting, and so nobody would have this frame.
        self.words[number][(meeting & 1) as usize].store(word, Ordering::Relaxed);
    }

    /// For an observer that has been to the meeting after this one and not come to the one after that.
    fn word(&self, number: usize, meeting: u64) -> Option<u64> {
        // Relaxed, both: that meeting acquired what everybody did before it. Whoever has left since is not there.
        let is_there = number < MOST_OBSERVERS && self.present.load(Ordering::Relaxed) & 1 << number != 0;
        is_there.then(|| self.words[number][(meeting & 1) as usize].load(Ordering::Relaxed))
    }

    fn note_arrival(&self, number: usize, meeting: u64, at: Nanos) {
        // Relaxed: the arrival at the barrier, which follows, releases it.
        self.arrivals[number][(meeting & 1) as usize].store(at.0.cast_unsigned(), Ordering::Relaxed);
    }

    fn note_end(&self, number: usize) {
        // Relaxed: as in `note_arrival`.
        self.present.fetch_and(!(1 << number), Ordering::Relaxed);
    }

    /// Producer, after it has been through this meeting, which was over by `met`.
    pub(super) fn waits(&self, meeting: u64, met: Nanos) -> ObserverWaits {
        // Relaxed, both: the meeting acquired what everybody did before it, and nobody writes here again before the next one
        // but one.
        let present = self.present.load(Ordering::Relaxed);
        let mut waits = ObserverWaits::default();
        for number in (0..MOST_OBSERVERS).filter(|number| present & 1 << number != 0) {
            let at = self.arrivals[number][(meeting & 1) as usize].load(Ordering::Relaxed);
            waits.set(number, met - Nanos(at.cast_signed()));
        }
        waits
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
