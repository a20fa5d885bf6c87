//! Pictures that were submitted and are under way on the GPU: what the render thread waits for them, and their records.

use std::sync::atomic::Ordering;

use super::{Pass, Turn};
use crate::frame::record::{HandoffMode, RenderRecord};
use crate::frame::recorder::RuntimeRecord;
use crate::render::guarded::guarded;
use crate::render::{Finished, Room, Timed};
use crate::time::rest::Rest;
use crate::time::{FrameIndex, Nanos};

/// How long it sleeps at most while pictures are under way: they are noticed by looking.
pub(super) const LOOK_SOON: Nanos = Nanos::from_micros(500);

/// What the render thread waited for the GPU while there was something to draw.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waits {
    /// Since the last picture.
    pub wait: Nanos,
    pub stall: Nanos,
    /// Since the beginning.
    stalls: u64,
    stalled: Nanos,
}

impl<S: Timed> Pass<S> {
    /// Sleeps for a moment, since no picture can be begun now; it counts where there is something to draw.
    pub(super) fn wait_for_room(&mut self, room: Room) -> Result<Turn, String> {
        self.attend()?;
        let is_wanted = match self.consumer.mode() {
            // Whether the simulation has come is known by coming to the meeting only.
            HandoffMode::Lockstep => !self.consumer.stands(),
            HandoffMode::Free => {
                let due = self.own_clock.next_deadline().map(|deadline| deadline <= self.clock.now());
                due.unwrap_or_else(|| self.consumer.has_come())
            }
            HandoffMode::Slot => self.consumer.has_new(),
        } || self.redraw_due_in()? == Some(Nanos::ZERO);
        let before = self.clock.now();
        self.helping.rest(Some(LOOK_SOON.to_duration()), &|| false);
        let after = self.clock.now();
        if is_wanted {
            match room {
                Room::Now => {}
                Room::InFlight => self.room.wait += after - before,
                Room::NoBuffer => self.room.stall += after - before,
            }
            // What was due meanwhile is late for it.
            self.own_clock.done(after);
        }
        Ok(Turn::Slept)
    }

    /// Sends the records of pictures whose pixels are there; true where there was one.
    pub(super) fn collect_finished(&mut self) -> Result<bool, String> {
        let mut any = false;
        while let Some(finished) = guarded("take_finished", None, || self.renderer.take_finished())? {
            let Finished { frame, redraw, at, gpu } = finished;
            any = true;
            if redraw || self.awaited.front().is_none_or(|oldest| oldest.frame != frame) {
                continue;
            }
            if let Some(mut record) = self.awaited.pop_front() {
                (record.flight.done, record.gpu) = (at, gpu);
                self.send(record);
            }
        }
        self.say_under_way();
        Ok(any)
    }

    /// Frame 0 is no frame and leaves none.
    pub(super) fn send(&mut self, record: RenderRecord) {
        if record.frame != FrameIndex::default() {
            self.options.records.send(RuntimeRecord::Render(record));
        }
    }

    /// Said before a frame is said to be rendered: who sees it rendered also sees that it is under way.
    pub(super) fn say_under_way(&self) {
        // Release: the other half of the acquire in `wait_idle`; what is done was handed over before.
        self.under_way.store(self.renderer.under_way(), Ordering::Release);
    }

    /// Of the picture just submitted: what the GPU was waited for, before it was taken and in its submit.
    pub(super) fn note_waits(&mut self, record: &mut RenderRecord) {
        let room = &mut self.room;
        record.flight.wait += std::mem::take(&mut room.wait);
        record.flight.stall += std::mem::take(&mut room.stall);
        if record.flight.stall > Nanos::ZERO {
            room.stalls += 1;
            room.stalled += record.flight.stall;
        }
        (record.flight.stalls, record.flight.stalled) = (room.stalls, room.stalled);
    }
}
