//! The renderer's end.

use std::cell::Cell;
use std::time::Duration;

use super::super::barrier::Arrival;
use super::super::counts::Taking;
use super::super::ring::{KEPT, Mark};
use super::super::slot::Consumer;
use super::super::sync::current;
use super::{Blend, FrameBuffer, FrameDescriptor, HandoffStats, Held, OtherConsumers, Times};
use crate::frame::record::{HandoffMode, RenderOutcome};
use crate::time::motion_clock::MotionClock;
use crate::time::rest::{Asleep, Rest};
use crate::time::{Nanos, Rate};

/// What [`FrameConsumer::take`] answers: a copy of the descriptor.
pub type TakenFrame = FrameDescriptor;

/// What [`FrameConsumer::take_at`] answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taken {
    pub frame: TakenFrame,
    /// It was taken before: to be drawn again at another time, and no frame of the counts.
    pub again: bool,
    /// Free handoff: what it is to be blended by. Elsewhere the snapshot says so itself.
    pub blend: Option<Blend>,
    /// When it was handed over, and when the next one is due.
    pub times: Times,
}

/// What is being drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InFlight {
    Nothing,
    Frame,
    /// One that was drawn before.
    Again,
}

/// The renderer's end. Dropping it abandons what is pending or in flight and closes the handoff.
pub struct FrameConsumer<S> {
    slot: Consumer<FrameBuffer<S>>,
    others: Option<OtherConsumers<S>>,
    // The way frames are looked for. It follows the producer's once nothing is left in the old one.
    mode: HandoffMode,
    // The way the last frame came.
    from: HandoffMode,
    stats: HandoffStats,
    in_flight: InFlight,
    last: Option<FrameDescriptor>,
    // Lockstep: no meeting comes about any more.
    broken: bool,
    // Lockstep: a meeting is over whose frame lies in front and was not taken yet.
    untaken: bool,
}

impl<S> FrameConsumer<S> {
    pub(super) fn new(
        slot: Consumer<FrameBuffer<S>>,
        others: Option<OtherConsumers<S>>,
        stats: HandoffStats,
    ) -> Self {
        let mode = stats.shared.mode();
        let in_flight = InFlight::Nothing;
        Self { slot, others, mode, from: mode, stats, in_flight, last: None, broken: false, untaken: false }
    }

    /// As [`FrameConsumer::take_at`], at no particular time: the newest.
    ///
    /// # Panics
    /// As there.
    pub fn take(&mut self) -> Option<TakenFrame> {
        self.take_at(Nanos::MAX).map(|taken| taken.frame)
    }

    /// Takes the pending frame, if there is one: it is in flight until [`FrameConsumer::finish`].
    ///
    /// In the free handoff that is the newest frame whose motion has begun at `render_time`, whether or not it was taken
    /// before; times only rise, and where the clock of the motion stands they are one time. In lockstep, asking for a frame is
    /// coming to the meeting.
    ///
    /// # Panics
    /// The frame taken before is still in flight.
    pub fn take_at(&mut self, render_time: Nanos) -> Option<Taken> {
        assert!(
            self.in_flight == InFlight::Nothing,
            "one frame is in flight at a time: finish it before the next is taken"
        );
        // Asked before the old way is looked at: whoever sees the change sees all that came before it.
        let mode = self.stats.shared.mode();
        let mut taken = self.take_from(self.mode, render_time);
        if taken.is_none() && mode != self.mode {
            self.leave();
            // A meeting came about after all: its frame is the older one, and the next look finds the new way.
            if !self.untaken {
                self.mode = mode;
            }
            taken = self.take_from(self.mode, render_time);
        }
        let taken = taken?;
        self.in_flight = if taken.again { InFlight::Again } else { InFlight::Frame };
        self.from = self.mode;
        self.last = Some(taken.frame);
        Some(taken)
    }

    fn take_from(&mut self, mode: HandoffMode, render_time: Nanos) -> Option<Taken> {
        let ledger = &self.stats.shared.ledger;
        match (mode, &mut self.others) {
            (HandoffMode::Lockstep, Some(others)) => {
                let (broken, untaken) = (&mut self.broken, std::mem::take(&mut self.untaken));
                ledger.take(
                    || {
                        let arrival = if untaken { Ok(Arrival::Met) } else { others.lockstep.arrive() };
                        *broken |= arrival.is_err();
                        (arrival == Ok(Arrival::Met)).then_some(())
                    },
                    |()| Taking::Met,
                )?;
                let FrameBuffer { descriptor, times, .. } = others.lockstep.front();
                Some(Taken { frame: *descriptor, again: false, blend: None, times: *times })
            }
            (HandoffMode::Free, Some(others)) => {
                let clock = self.stats.shared.motion.load();
                let now = clock.time_at(render_time);
                let too_new = Cell::new(false);
                let newest_begun = |begins: &[Mark]| {
                    let begun = begins.iter().position(|begin| *begin <= now.0);
                    // Where fewer are kept, there was none before.
                    too_new.set(begun.is_none() && begins.len() == KEPT);
                    begun.unwrap_or(begins.len() - 1)
                };
                let taken = ledger.take(
                    || others.free.take(newest_begun),
                    |taken| match taken.first {
                        true => Taking::First { passed_over: taken.passed_over },
                        false => Taking::Again,
                    },
                )?;
                let FrameBuffer { descriptor, span, times, .. } = others.free.current();
                let blend = if too_new.get() { span.blend(0.0, Held::TooNew) } else { span.at(now) };
                // No other time than this is to be shown for as long as it stands.
                let held = if clock.stands() { Held::Standing } else { blend.held };
                let blend = Blend { held, ..blend };
                let frame = FrameDescriptor { render_time, ..*descriptor };
                Some(Taken { frame, again: !taken.first, blend: Some(blend), times: *times })
            }
            _ => {
                if !self.slot.has_new() {
                    return None;
                }
                let slot = &mut self.slot;
                let (frame, times) = ledger.take(
                    || slot.take().map(|buffer| (buffer.descriptor, buffer.times)),
                    |_| Taking::First { passed_over: 0 },
                )?;
                Some(Taken { frame, again: false, blend: None, times })
            }
        }
    }

    /// Nothing is left in the old way; a meeting that nobody comes to any more is not stood at.
    fn leave(&mut self) {
        if let (HandoffMode::Lockstep, Some(others)) = (self.mode, &mut self.others) {
            self.untaken |= !others.lockstep.withdraw();
        }
    }

    /// The way frames come now, as far as this end knows: for a renderer with a clock of its own.
    #[must_use]
    pub fn mode(&self) -> HandoffMode {
        self.stats.shared.mode()
    }

    /// The frame rate that the producer has set for the renderer.
    #[must_use]
    pub fn render_rate(&self) -> Rate {
        self.stats.shared.render_rate()
    }

    /// How far the renderer's own grid is to be shifted, positive to later: all that was asked for since the last call.
    #[must_use]
    pub fn take_render_shift(&self) -> Nanos {
        self.stats.shared.take_render_shift()
    }

    /// By which pictures of the free handoff are drawn now.
    #[must_use]
    pub fn motion(&self) -> MotionClock {
        self.stats.shared.motion.load()
    }

    /// No frame comes by itself.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.stats.shared.stands()
    }

    /// Lockstep: the simulation may still come to a meeting.
    #[must_use]
    pub const fn is_met(&self) -> bool {
        !self.broken
    }

    /// Lockstep: the simulation and this end stand at the meeting, so it is an observer that has not come; to look at.
    #[must_use]
    pub fn awaits_observer(&self) -> bool {
        self.stats.awaits_observer()
    }

    /// The snapshot of the frame in flight.
    ///
    /// # Panics
    /// In lockstep, where this end stands at a meeting: [`FrameConsumer::keep`] asks for the last one.
    #[must_use]
    pub fn snapshot(&self) -> &S {
        match (self.from, &self.others) {
            (HandoffMode::Lockstep, Some(others)) => &others.lockstep.front().snapshot,
            (HandoffMode::Free, Some(others)) => &others.free.current().snapshot,
            _ => &self.slot.current().snapshot,
        }
    }

    /// The snapshot of the frame in flight, for the free handoff to say at what time it is drawn. None in lockstep, whose
    /// frames may have other readers.
    #[must_use]
    pub fn snapshot_mut(&mut self) -> Option<&mut S> {
        match (self.from, &mut self.others) {
            (HandoffMode::Lockstep, Some(_)) => None,
            (HandoffMode::Free, Some(others)) => Some(&mut others.free.current_mut().snapshot),
            _ => Some(&mut self.slot.current_mut().snapshot),
        }
    }

    /// The snapshot of the frame taken last, for a redraw; before the first, what the handoff was made with. None: a new
    /// frame has come meanwhile, and is to be taken instead.
    pub fn keep(&mut self) -> Option<&S> {
        let kept = match (self.from, &mut self.others) {
            (HandoffMode::Lockstep, Some(others)) => {
                self.untaken |= !others.lockstep.withdraw();
                if self.untaken {
                    return None;
                }
                &others.lockstep.front().snapshot
            }
            (HandoffMode::Free, Some(others)) => &others.free.current().snapshot,
            _ => &self.slot.current().snapshot,
        };
        Some(kept)
    }

    /// The descriptor of the frame taken last.
    #[must_use]
    pub const fn last_taken(&self) -> Option<FrameDescriptor> {
        self.last
    }

    /// A frame is pending that was never taken; one of lockstep is found by coming to the meeting only.
    #[must_use]
    pub fn has_new(&self) -> bool {
        self.slot.has_new() || self.others.as_ref().is_some_and(|others| others.free.fresh() > 0)
    }

    /// There is something to take, which in the free handoff was not there when this end looked last; or frames come another
    /// way now: to look at in a spin. It orders nothing.
    #[must_use]
    pub fn has_come(&self) -> bool {
        let is_there = match (self.mode, &self.others) {
            (HandoffMode::Lockstep, Some(others)) => self.untaken || others.lockstep.is_let_go(),
            (HandoffMode::Free, Some(others)) => others.free.has_news(),
            _ => self.slot.has_new(),
        };
        is_there || self.stats.shared.mode() != self.mode
    }

    /// After [`FrameConsumer::sleep`]: stays awake now, and looks for itself. Nobody is to pay for waking it.
    pub fn get_up(&mut self) {
        match (self.mode, &mut self.others) {
            (HandoffMode::Lockstep, Some(others)) => others.lockstep.get_up(),
            // There it wakes for its own deadline, and is told of ticks only while it rests.
            (HandoffMode::Free, Some(_)) => {}
            _ => self.slot.get_up(),
        }
    }

    /// A frame was taken and is not finished.
    #[must_use]
    pub fn is_in_flight(&self) -> bool {
        self.in_flight != InFlight::Nothing
    }

    /// The frame in flight is rendered or abandoned.
    ///
    /// # Panics
    /// No frame is in flight.
    pub fn finish(&mut self, outcome: RenderOutcome) {
        match std::mem::replace(&mut self.in_flight, InFlight::Nothing) {
            InFlight::Nothing => panic!("only a frame that was taken can be finished, and once"),
            InFlight::Frame => self.stats.shared.ledger.finish(outcome),
            InFlight::Again => {}
        }
    }

    /// Takes nothing any more: a pending frame is abandoned, and publishing is an error from now on. What is in
    /// flight may still be finished.
    pub fn close(&mut self) {
        let (slot, others) = (&mut self.slot, &mut self.others);
        let untaken = std::mem::take(&mut self.untaken);
        self.stats.shared.ledger.close(|| {
            let pending = u64::from(slot.close());
            match others {
                Some(others) => (pending + others.free.close(), others.lockstep.leave() || untaken),
                None => (pending, false),
            }
        });
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
        self.sleep_by(at_most, &mut Asleep);
    }

    /// As [`FrameConsumer::sleep`], the way that `rest` says. True: it only slept.
    ///
    /// # Panics
    /// As there.
    pub fn sleep_by(&mut self, at_most: Option<Duration>, rest: &mut impl Rest) -> bool {
        let this_thread = current();
        let shared = &self.stats.shared;
        let sleeper = shared.sleeper.get_or_init(|| this_thread.clone());
        assert!(sleeper.id() == this_thread.id(), "one thread sleeps for frames");
        if !shared.announce_sleep(self.mode) {
            return true;
        }
        let may_sleep = match (self.mode, &mut self.others) {
            (HandoffMode::Lockstep, Some(others)) if !self.broken => {
                return others.lockstep.sleep_by(at_most, rest);
            }
            // Nobody comes any more; whoever ends this thread wakes it.
            (HandoffMode::Lockstep, Some(_)) => return Asleep.rest(at_most, &|| false),
            (HandoffMode::Free, Some(others)) => others.free.announce_sleep(),
            _ => self.slot.announce_sleep(),
        };
        !may_sleep || rest.rest(at_most, &|| self.has_come())
    }
}

impl<S> Drop for FrameConsumer<S> {
    fn drop(&mut self) {
        if self.in_flight != InFlight::Nothing {
            self.finish(RenderOutcome::Abandoned);
        }
        self.close();
    }
}
