//! When the update between ticks is due, where frames do not say so: in the free handoff, whose frames are ticks.

use super::{Mode, Sim};
use crate::frame::core::UpdateTurn;
use crate::frame::record::HandoffMode;
use crate::time::frame_clock::FrameClock;
use crate::time::source::TimeSource;
use crate::time::{Nanos, Rate};

/// Two grids that are rounded up to whole nanoseconds may differ by so much.
const ROUNDING: Nanos = Nanos(2);

/// A grid at the frame rate, which the ticks have none of.
#[derive(Clone, Debug)]
pub(super) struct Updates {
    clock: FrameClock,
    rate: Rate,
    // When the last one was.
    last: Nanos,
}

impl Updates {
    /// The last one was with a frame of that render time.
    pub fn begun(last: Nanos, rate: Rate) -> Self {
        Self { clock: FrameClock::begun(last, rate), rate, last }
    }

    /// At another rate they go on from the last one.
    pub fn set_rate(&mut self, rate: Rate) {
        if rate != self.rate {
            *self = Self::begun(self.last, rate);
        }
    }

    /// The next one, where it comes before the frame that is due at `frame`; else it comes with that one.
    pub fn due_before(&self, frame: Nanos) -> Option<Nanos> {
        Some(self.clock.next_deadline()).filter(|due| *due < frame - ROUNDING)
    }

    /// Its turn in a frame of that render time: with the first one at or after its deadline.
    pub fn with_frame(&mut self, render_time: Nanos) -> UpdateTurn {
        if self.clock.next_deadline() > render_time + ROUNDING {
            return UpdateTurn::NotDue;
        }
        UpdateTurn::Due { since: self.next(render_time) }
    }

    /// One that was arrived for at that time begins: how much time it is given.
    pub fn next(&mut self, arrived: Nanos) -> Nanos {
        let now = self.clock.next(arrived).render_time;
        now - std::mem::replace(&mut self.last, now)
    }
}

impl Sim {
    /// When the next frame is due on its clock, or an update before it.
    pub(super) fn next_due(&self) -> Nanos {
        let frame = self.clock.next_deadline();
        self.updates.as_ref().and_then(|updates| updates.due_before(frame)).unwrap_or(frame)
    }

    /// The update that is due before the next frame; false where none is.
    pub(super) fn run_due_update(&mut self, arrived: Nanos, time: &mut impl TimeSource) -> bool {
        let runs = self.mode == Mode::Running && !self.first_due && !self.resuming;
        let frame = self.clock.next_deadline();
        let Some(updates) =
            self.updates.as_mut().filter(|updates| runs && updates.due_before(frame).is_some())
        else {
            return false;
        };
        let since = updates.next(arrived);
        self.core.run_update(since, time);
        // The frame has not waited while this ran.
        self.arrived = None;
        true
    }

    /// After a frame: updates have a rate of their own from here on, or none.
    pub(super) fn follow_updates(&mut self) {
        let apart = self.core.producer().mode() == HandoffMode::Free
            && self.mode == Mode::Running
            && self.core.has_update();
        if !apart {
            self.updates = None;
            return;
        }
        let (last, rate) = (self.last_render_time, self.frame_rate);
        self.updates.get_or_insert_with(|| Updates::begun(last, rate)).set_rate(rate);
    }
}
