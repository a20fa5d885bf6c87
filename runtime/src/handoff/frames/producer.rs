//! The simulation's end.

use super::super::barrier::{Arrival, WaitError};
use super::super::counts::Lost;
use super::super::ring::RingPublished;
use super::super::slot::{Producer, SlotClosed};
use super::super::sync::Ordering;
use super::super::word::Exchanged;
use super::{
    BUFFERS, FrameBuffer, FrameDescriptor, HandoffClosed, HandoffStats, Holder, OtherProducers, TickSpan,
    Times, packed,
};
use crate::frame::record::{HandoffCounts, HandoffMode, ObserverWaits};
use crate::log_limit::LimitedLine;
use crate::time::motion_clock::MotionClock;
use crate::time::rest::{Asleep, Rest};
use crate::time::{FrameIndex, Nanos, Rate, Tick};

/// What publishing a frame did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The frame that nobody had taken and that this one replaced: it is dropped.
    pub replaced: Option<FrameIndex>,
}

/// A frame as it is handed over.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Publication {
    pub frame: FrameIndex,
    pub tick: Tick,
    pub render_time: Nanos,
    /// For the free handoff: the motion of its ticks.
    pub span: TickSpan,
    /// For a renderer that waits for frames: when this one is handed over, and when the next one is due.
    pub times: Times,
    /// For lockstep: how much running time to wait for the renderer; without a limit as long as it takes.
    pub patience: Option<Nanos>,
}

/// Why a frame was not published. It counts nowhere, and its snapshot stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublishError {
    #[error(transparent)]
    Closed(#[from] HandoffClosed),
    #[error("the renderer did not come to the meeting within {} s", waited.as_secs_f64())]
    TooLong { waited: Nanos },
    #[error("an observer of the frames did not come to the meeting within {} s", waited.as_secs_f64())]
    ObserverTooLong { waited: Nanos },
    #[error("an observer of the frames has ended without leaving")]
    ObserverEnded,
}

/// Every buffer of the free handoff, a bit each.
const ALL_COLD: u8 = (1 << BUFFERS) - 1;

/// The simulation's end.
pub struct FrameProducer<S> {
    slot: Producer<FrameBuffer<S>>,
    others: Option<OtherProducers<S>>,
    // The way the next frame takes. The consumer learns of a change with that frame.
    mode: HandoffMode,
    // The way the last frame took.
    used: HandoffMode,
    // The frame that a change of way took back, until the next one is published.
    taken_back: Option<FrameIndex>,
    // Free handoff: buffers that no frame was made in yet and that nobody has made ready, a bit each.
    cold: u8,
    stats: HandoffStats,
    drops_logged: LimitedLine,
}

impl<S> FrameProducer<S> {
    pub(super) fn new(
        slot: Producer<FrameBuffer<S>>,
        others: Option<OtherProducers<S>>,
        stats: HandoffStats,
    ) -> Self {
        let mode = stats.shared.mode();
        let drops_logged = LimitedLine::new(|held_back| {
            tracing::warn!(target: "framewalk", held_back, "frame_dropped");
        });
        Self { slot, others, mode, used: mode, taken_back: None, cold: ALL_COLD, stats, drops_logged }
    }

    /// The way the next frame takes.
    #[must_use]
    pub const fn mode(&self) -> HandoffMode {
        self.mode
    }

    /// The way of frames from the next one on. What is published and not taken by then is replaced by that frame, as it
    /// would be in the slot, or stays undrawn, in the free handoff; it is never lost from the counts.
    ///
    /// # Panics
    /// This handoff was made as a slot for good, with [`frame_handoff`](super::frame_handoff).
    pub fn set_mode(&mut self, mode: HandoffMode) {
        assert!(
            mode == HandoffMode::Slot || self.others.is_some(),
            "a handoff that is only a slot stays one"
        );
        self.mode = mode;
    }

    /// No frame comes by itself from now on, or frames do again: lockstep counts no waiting time then, and the renderer of
    /// the free handoff draws the picture of the time at which the [clock of the motion](FrameProducer::set_motion) stands,
    /// and sleeps. Drops that no line has told of yet are told of now, since no frame may follow for long.
    pub fn set_standing(&mut self, stands: bool) {
        if stands {
            self.drops_logged.finish();
        }
        // Release: whoever sees it sees the clock that stands.
        self.stats.shared.stands.store(u32::from(stands), Ordering::Release);
        // It may be in the middle of a long sleep, or of a motion that ends now.
        self.stats.shared.wake();
    }

    /// By which the pictures of the free handoff are drawn from now on; a new handoff's says what the monotonic clock does.
    /// Where everything stands already, the picture of its time is drawn with the next frame, or the next standing.
    pub fn set_motion(&mut self, clock: MotionClock) {
        self.stats.shared.motion.store(clock);
    }

    /// The frame rate of the renderer: its own in the free handoff, and everywhere how soon it draws a changed view
    /// without a new frame.
    pub fn set_render_rate(&mut self, rate: Rate) {
        // Relaxed: see `Shared::render_rate`.
        let before = self.stats.shared.render_rate.swap(packed(rate), Ordering::Relaxed);
        if before != packed(rate) {
            // It may sleep until a deadline of the old rate.
            self.stats.shared.wake();
        }
    }

    /// Shifts the renderer's own grid of deadlines in the free handoff, positive to later. Shifts add up until it takes them.
    pub fn shift_render_grid(&mut self, by: Nanos) {
        self.stats.shared.shift_render_grid(by);
    }

    /// How long each observer waited at the meeting that published the last frame, which was over by `met`.
    #[must_use]
    pub fn observer_waits(&self, met: Nanos) -> ObserverWaits {
        match &self.others {
            Some(others) if others.observers > 0 => others.board.waits(others.lockstep.passed(), met),
            _ => ObserverWaits::default(),
        }
    }

    /// The free snapshot. It holds what some earlier frame left in it.
    #[must_use]
    pub fn snapshot_mut(&mut self) -> &mut S {
        &mut self.buffer_mut().snapshot
    }

    /// A snapshot that is to be made as large as the others, so that no frame has to do that when it is first made there: in
    /// the free handoff, where six go round and some of them seldom. Each comes once, as soon as it is nobody's; none comes in
    /// the other handoffs, whose two or three buffers have all had a frame soon.
    #[must_use]
    pub fn cold_snapshot_mut(&mut self) -> Option<&mut S> {
        let others = self.others.as_mut().filter(|_| self.mode == HandoffMode::Free)?;
        self.cold &= !(1 << others.free.buffer_index());
        let (index, buffer) = others.free.spare_mut(self.cold)?;
        self.cold &= !(1 << index);
        Some(&mut buffer.snapshot)
    }

    /// Frames have become larger than the buffers were made ready for: each comes once more.
    pub const fn cool_down(&mut self) {
        self.cold = ALL_COLD;
    }

    /// Which of the buffers the free snapshot is, from 0.
    #[must_use]
    pub fn snapshot_buffer(&self) -> u8 {
        match (self.mode, &self.others) {
            (HandoffMode::Lockstep, Some(others)) => others.lockstep.back_index(),
            (HandoffMode::Free, Some(others)) => others.free.buffer_index(),
            _ => self.slot.buffer_index(),
        }
    }

    fn buffer_mut(&mut self) -> &mut FrameBuffer<S> {
        match (self.mode, &mut self.others) {
            (HandoffMode::Lockstep, Some(others)) => others.lockstep.back_mut(),
            (HandoffMode::Free, Some(others)) => others.free.buffer_mut(),
            _ => self.slot.buffer_mut(),
        }
    }

    /// As [`FrameProducer::hand_over`], of a frame that stands and is waited for without a limit.
    ///
    /// # Errors
    /// As there.
    pub fn publish(
        &mut self,
        frame: FrameIndex,
        tick: Tick,
        render_time: Nanos,
    ) -> Result<Published, HandoffClosed> {
        let span = TickSpan::still(Nanos::ZERO);
        self.hand_over(Publication { frame, tick, render_time, span, ..Publication::default() })
            .map_err(|_| HandoffClosed)
    }

    /// Publishes the free snapshot as a frame and takes another. A consumer that sleeps is woken; one that is busy costs
    /// nothing, but in lockstep: there this waits until the renderer is done with the frame before.
    ///
    /// A frame nobody had taken is dropped by this, is named in the answer and logged as `frame_dropped`, at most once a
    /// second of `render_time`. Frame 0 is no frame (the authored scene in Edit): replacing it is not logged.
    ///
    /// # Errors
    /// The consumer has closed or an observer has ended, or one of them did not come in time. The frame is not counted and the snapshot stays here.
    pub fn hand_over(&mut self, publication: Publication) -> Result<Published, PublishError> {
        self.hand_over_by(publication, &mut Asleep)
    }

    /// As [`FrameProducer::hand_over`]; in lockstep `rest` says how it waits.
    ///
    /// # Errors
    /// As there.
    pub fn hand_over_by(
        &mut self,
        publication: Publication,
        rest: &mut impl Rest,
    ) -> Result<Published, PublishError> {
        let Publication { frame, tick, render_time, span, times, .. } = publication;
        let snapshot = u64::from(self.snapshot_buffer());
        let buffer = self.buffer_mut();
        buffer.descriptor = FrameDescriptor { frame, tick, render_time, snapshot };
        (buffer.span, buffer.times) = (span, times);
        self.change_way()?;
        let replaced = match self.mode {
            HandoffMode::Slot => self.publish_in_slot()?,
            HandoffMode::Lockstep => {
                self.meet(publication.patience, rest)?;
                None
            }
            HandoffMode::Free => {
                self.publish_in_ring(span.begin)?;
                None
            }
        };
        let replaced = self.taken_back.take().or(replaced);
        match replaced {
            Some(dropped) => self.log_drop(dropped, frame, render_time),
            // The last of a row of drops is followed by none: what was held back is said a second later.
            None => self.drops_logged.look(render_time),
        }
        Ok(Published { replaced })
    }

    fn publish_in_slot(&mut self) -> Result<Option<FrameIndex>, HandoffClosed> {
        let slot = &mut self.slot;
        let lost = |exchanged: &Exchanged| Lost::Dropped(u64::from(exchanged.replaced));
        let exchanged =
            self.stats.shared.ledger.publish(|| slot.exchange(), lost).map_err(|_| HandoffClosed)?;
        if exchanged.wake {
            self.stats.shared.wake();
        }
        Ok(exchanged.replaced.then(|| self.slot.buffer().descriptor.frame))
    }

    fn publish_in_ring(&mut self, begin: Nanos) -> Result<(), HandoffClosed> {
        let Some(others) = &mut self.others else { return Err(HandoffClosed) };
        let lost = |published: &RingPublished| Lost::Undrawn(u64::from(published.lost));
        let ledger = &self.stats.shared.ledger;
        let made_in = others.free.buffer_index();
        let published = ledger.publish(|| others.free.publish(begin.0), lost).map_err(|_| HandoffClosed)?;
        self.cold &= !(1 << made_in);
        if published.wake {
            self.stats.shared.wake();
        }
        Ok(())
    }

    fn meet(&mut self, patience: Option<Nanos>, rest: &mut impl Rest) -> Result<(), PublishError> {
        let Some(others) = &mut self.others else { return Err(HandoffClosed.into()) };
        let shared = &self.stats.shared;
        let met = match shared.ledger.arrive(|| others.lockstep.arrive()) {
            Ok(Arrival::Met) => Ok(()),
            Ok(Arrival::Waits) => others.lockstep.meet_by(patience, || !shared.stands(), rest),
            Err(broken) => Err(broken.into()),
        };
        let awaits_observer = self.stats.awaits_observer();
        // Whoever came late after all has met: then the frame is published.
        if matches!(met, Err(WaitError::TooLong { .. })) && !others.lockstep.withdraw() {
            return Ok(());
        }
        met.map_err(|error| match error {
            WaitError::TooLong { waited } if awaits_observer => PublishError::ObserverTooLong { waited },
            WaitError::TooLong { waited } => PublishError::TooLong { waited },
            // The renderer closes the slot before it breaks the barrier.
            WaitError::Broken(_) if others.observers > 0 && self.slot.consumer_is_alive() => {
                PublishError::ObserverEnded
            }
            WaitError::Broken(_) => HandoffClosed.into(),
        })
    }

    /// Leaves the old way for the new one, if another was asked for: what nobody has taken there is taken back, and the
    /// consumer learns of it. Publishing does this by itself; one thread that does both sides' work does it before the
    /// renderer is to come to a meeting.
    ///
    /// # Errors
    /// The consumer has closed.
    pub fn change_way(&mut self) -> Result<(), HandoffClosed> {
        if self.used == self.mode {
            return Ok(());
        }
        let shared = &self.stats.shared;
        match (self.used, &mut self.others) {
            (HandoffMode::Slot, _) => {
                let slot = &mut self.slot;
                let lost = |taken: &Result<bool, SlotClosed>| Lost::Dropped(u64::from(*taken == Ok(true)));
                let taken_back =
                    shared.ledger.take_back(|| slot.take_back(), lost).map_err(|_| HandoffClosed)?;
                self.taken_back = taken_back.then(|| self.slot.buffer().descriptor.frame);
            }
            (HandoffMode::Free, Some(others)) => {
                shared.ledger.take_back(|| others.free.take_back(), |undrawn| Lost::Undrawn(*undrawn));
            }
            // What was handed over at a meeting is in the renderer's hands.
            _ => {}
        }
        self.used = self.mode;
        if shared.change_mode(self.mode) {
            shared.wake();
        }
        Ok(())
    }

    /// Meetings of the lockstep so far: each published a frame.
    #[must_use]
    pub fn meetings(&self) -> u64 {
        self.stats.meetings()
    }

    /// The counts now; on this thread the producer's side stands still.
    #[must_use]
    pub fn stats(&self) -> HandoffCounts {
        self.stats.counts()
    }

    /// Who has which buffer of the present way, one after another: to look at. The consumer may have exchanged its own since.
    /// The memory of `out` is used again.
    pub fn holders(&self, out: &mut Vec<Holder>) {
        out.clear();
        match (self.mode, &self.others) {
            (HandoffMode::Lockstep, Some(others)) => {
                out.resize(2, Holder::Consumer);
                out[usize::from(others.lockstep.back_index())] = Holder::Producer;
            }
            (HandoffMode::Free, Some(others)) => {
                let (kept, pinned) = others.free.places();
                out.resize(super::BUFFERS, Holder::Spare);
                for buffer in kept {
                    out[usize::from(buffer)] = Holder::Kept;
                }
                out[usize::from(pinned)] = Holder::Consumer;
                out[usize::from(others.free.buffer_index())] = Holder::Producer;
            }
            _ => {
                out.resize(3, Holder::Consumer);
                out[usize::from(self.slot.word_index())] = Holder::Slot;
                out[usize::from(self.slot.buffer_index())] = Holder::Producer;
            }
        }
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
        match self.drops_logged.allow(now) {
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
        // Nothing follows, however this end came to its own: a renderer with a clock of its own is not to go on looking.
        self.set_standing(true);
    }
}
