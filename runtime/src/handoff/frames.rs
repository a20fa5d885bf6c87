//! Frames on their way from the simulation to the render thread: the slot, a descriptor, and counts that add up.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use super::counts::Ledger;
use super::slot::{Consumer, Producer, slot};
use super::sync::{Thread, current, park, park_timeout};
use super::word::Word;
use crate::frame::record::{HandoffCounts, RenderOutcome};
use crate::log_limit::RateLimit;
use crate::time::{FrameIndex, Nanos, Tick};

/// What is said about a published frame; its snapshot lies in the same buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct FrameDescriptor {
    pub frame: FrameIndex,
    /// The count of ticks after this frame.
    pub tick: Tick,
    /// The presentation time it is made for, ns on the monotonic clock.
    pub render_time: Nanos,
    /// Which of the three buffers holds its snapshot, from 0.
    pub snapshot: u64,
}

const _: () = assert!(size_of::<FrameDescriptor>() == 32, "a descriptor is 32 bytes, half a cache line");

/// What [`FrameConsumer::take`] answers: a copy of the descriptor.
pub type TakenFrame = FrameDescriptor;

/// What publishing a frame did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The frame that nobody had taken and that this one replaced: it is dropped.
    pub replaced: Option<FrameIndex>,
}

/// The frame was not published, and counts nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no frame can be published: the renderer was shut down or has ended")]
pub struct HandoffClosed;

/// Who has one of the three buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    Producer,
    Slot,
    Consumer,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Producer => "sim",
            Self::Slot => "slot",
            Self::Consumer => "render",
        })
    }
}

/// Makes the handoff of one run, over three snapshots whose memory goes round. It needs no thread: both ends may be
/// driven from one, which is what virtual time does.
#[must_use]
pub fn frame_handoff<S>(snapshots: [S; 3]) -> (FrameProducer<S>, FrameConsumer<S>, HandoffStats) {
    let (producer, consumer) =
        slot(snapshots.map(|snapshot| FrameBuffer { descriptor: FrameDescriptor::default(), snapshot }));
    let stats = HandoffStats { word: producer.word(), ledger: Arc::new(Ledger::new()) };
    let sleeper = Arc::new(OnceLock::new());
    (
        FrameProducer {
            slot: producer,
            stats: stats.clone(),
            sleeper: sleeper.clone(),
            drops_logged: RateLimit::new(),
        },
        FrameConsumer { slot: consumer, stats: stats.clone(), sleeper, in_flight: false, has_taken: false },
        stats,
    )
}

struct FrameBuffer<S> {
    descriptor: FrameDescriptor,
    snapshot: S,
}

/// The simulation's end.
pub struct FrameProducer<S> {
    slot: Producer<FrameBuffer<S>>,
    stats: HandoffStats,
    // The thread that waits for frames, once one does.
    sleeper: Arc<OnceLock<Thread>>,
    drops_logged: RateLimit,
}

impl<S> FrameProducer<S> {
    /// The free snapshot. It holds what some earlier frame left in it.
    #[must_use]
    pub fn snapshot_mut(&mut self) -> &mut S {
        &mut self.slot.buffer_mut().snapshot
    }

    /// Which of the three buffers the free snapshot is, from 0.
    #[must_use]
    pub fn snapshot_buffer(&self) -> u8 {
        self.slot.buffer_index()
    }

    /// Publishes the free snapshot as `frame` and takes another. A frame nobody had taken is dropped by this, is
    /// named in the answer and logged as `frame_dropped`, at most once a second of `render_time`. A consumer that
    /// sleeps is woken; one that is busy costs nothing.
    ///
    /// Frame 0 is no frame (the authored scene in Edit): replacing it is not logged.
    ///
    /// # Errors
    /// The consumer has closed. The frame is not counted and the snapshot stays here.
    pub fn publish(
        &mut self,
        frame: FrameIndex,
        tick: Tick,
        render_time: Nanos,
    ) -> Result<Published, HandoffClosed> {
        let snapshot = u64::from(self.slot.buffer_index());
        self.slot.buffer_mut().descriptor = FrameDescriptor { frame, tick, render_time, snapshot };
        let slot = &mut self.slot;
        let exchanged = self
            .stats
            .ledger
            .publish(|| slot.exchange(), |exchanged| exchanged.replaced)
            .map_err(|_| HandoffClosed)?;
        if exchanged.wake
            && let Some(thread) = self.sleeper.get()
        {
            thread.unpark();
        }
        let replaced = exchanged.replaced.then(|| self.slot.buffer().descriptor.frame);
        if let Some(dropped) = replaced {
            self.log_drop(dropped, frame, render_time);
        }
        Ok(Published { replaced })
    }

    /// The counts now; on this thread the producer's side stands still.
    #[must_use]
    pub fn stats(&self) -> HandoffCounts {
        self.stats.counts()
    }

    /// Who has which buffer, by its index: to look at. The consumer may have exchanged its own since.
    #[must_use]
    pub fn holders(&self) -> [Holder; 3] {
        let mut holders = [Holder::Consumer; 3];
        holders[usize::from(self.slot.word_index())] = Holder::Slot;
        holders[usize::from(self.slot.buffer_index())] = Holder::Producer;
        holders
    }

    /// Frames are still taken, as far as one can know without publishing.
    #[must_use]
    pub fn consumer_is_alive(&self) -> bool {
        self.slot.consumer_is_alive()
    }

    fn log_drop(&mut self, dropped: FrameIndex, replaced_by: FrameIndex, now: Nanos) {
        if dropped == FrameIndex::default() {
            return;
        }
        match self.drops_logged.allow(now).held_back() {
            Some(0) => tracing::warn!(
                target: "framewalk", dropped = dropped.0, replaced_by = replaced_by.0, "frame_dropped"
            ),
            Some(held_back) => tracing::warn!(
                target: "framewalk", dropped = dropped.0, replaced_by = replaced_by.0, held_back, "frame_dropped"
            ),
            None => {}
        }
    }
}

impl<S> Drop for FrameProducer<S> {
    fn drop(&mut self) {
        if let Some(held_back) = self.drops_logged.finish() {
            tracing::warn!(target: "framewalk", held_back, "frame_dropped");
        }
    }
}

/// The renderer's end. Dropping it abandons what is pending or in flight and closes the handoff.
pub struct FrameConsumer<S> {
    slot: Consumer<FrameBuffer<S>>,
    stats: HandoffStats,
    sleeper: Arc<OnceLock<Thread>>,
    // A frame was taken and not finished.
    in_flight: bool,
    has_taken: bool,
}

impl<S> FrameConsumer<S> {
    /// Takes the pending frame, if there is one: it is in flight until [`FrameConsumer::finish`].
    ///
    /// # Panics
    /// The frame taken before is still in flight.
    pub fn take(&mut self) -> Option<TakenFrame> {
        assert!(!self.in_flight, "one frame is in flight at a time: finish it before the next is taken");
        if !self.slot.has_new() {
            return None;
        }
        let slot = &mut self.slot;
        let taken = self.stats.ledger.take(|| slot.take().map(|buffer| buffer.descriptor))?;
        self.in_flight = true;
        self.has_taken = true;
        Some(taken)
    }

    /// The snapshot of the frame taken last, kept for redraws; before the first, what the handoff was made with.
    #[must_use]
    pub fn snapshot(&self) -> &S {
        &self.slot.current().snapshot
    }

    /// The descriptor of the frame taken last.
    #[must_use]
    pub fn last_taken(&self) -> Option<FrameDescriptor> {
        self.has_taken.then(|| self.slot.current().descriptor)
    }

    /// A frame is pending.
    #[must_use]
    pub fn has_new(&self) -> bool {
        self.slot.has_new()
    }

    /// A frame was taken and is not finished.
    #[must_use]
    pub fn is_in_flight(&self) -> bool {
        self.in_flight
    }

    /// The frame in flight is rendered or abandoned.
    ///
    /// # Panics
    /// No frame is in flight.
    pub fn finish(&mut self, outcome: RenderOutcome) {
        assert!(self.in_flight, "only a frame that was taken can be finished, and once");
        self.in_flight = false;
        self.stats.ledger.finish(outcome);
    }

    /// Takes nothing any more: a pending frame is abandoned, and publishing is an error from now on. What is in
    /// flight may still be finished.
    pub fn close(&mut self) {
        let slot = &mut self.slot;
        self.stats.ledger.close(|| slot.close());
    }

    /// Counts, for any thread.
    #[must_use]
    pub fn stats(&self) -> HandoffStats {
        self.stats.clone()
    }

    /// Sleeps until a frame is published, somebody unparks this thread, or `at_most` has passed; not at all where a
    /// frame is pending. It may return for no reason.
    ///
    /// # Panics
    /// Another thread has slept here before: the producer knows one thread to wake.
    pub fn sleep(&mut self, at_most: Option<Duration>) {
        let this_thread = current();
        let sleeper = self.sleeper.get_or_init(|| this_thread.clone());
        assert!(sleeper.id() == this_thread.id(), "one thread sleeps for frames");
        if self.slot.announce_sleep() {
            match at_most {
                Some(at_most) => park_timeout(at_most),
                None => park(),
            }
        }
    }
}

impl<S> Drop for FrameConsumer<S> {
    fn drop(&mut self) {
        if self.in_flight {
            self.finish(RenderOutcome::Abandoned);
        }
        self.close();
    }
}

/// Reads the counts of a handoff, from any thread.
#[derive(Clone)]
pub struct HandoffStats {
    word: Arc<CachePadded<Word>>,
    ledger: Arc<Ledger>,
}

impl HandoffStats {
    /// One consistent cut: the counts at an instant at which neither side was in the middle of a change.
    #[must_use]
    pub fn counts(&self) -> HandoffCounts {
        self.ledger.cut(&self.word)
    }

    /// As [`HandoffStats::counts`], but gives up where a side moves meanwhile.
    #[must_use]
    pub fn try_counts(&self) -> Option<HandoffCounts> {
        self.ledger.try_cut(&self.word)
    }
}

impl fmt::Debug for HandoffStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HandoffStats").field(&self.counts()).finish()
    }
}
