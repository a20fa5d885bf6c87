//! What frames are granted, before the clock has its say.

use super::{Mode, Sim};
use crate::frame::core::{FrameError, FrameGrant, UpdateTurn};
use crate::frame::record::{FrameKind, HandoffMode};
use crate::time::source::TimeSource;

impl Sim {
    pub(super) fn grant(&mut self, kind: FrameKind) -> FrameGrant {
        let (frame_rate, render_rate) = (self.grid_rate, self.frame_rate);
        FrameGrant { kind, frame_rate, render_rate, ..FrameGrant::default() }
    }

    /// Frame 1 has delta 0 however it is asked for; after it, a stepped frame is given one period.
    pub(super) fn stepped_grant(&mut self, kind: FrameKind, time: &impl TimeSource) -> FrameGrant {
        let mut grant = self.grant(kind);
        grant.render_time = time.now().max(self.last_render_time);
        if kind == FrameKind::SteppedFrame {
            if self.first_due {
                grant.kind = FrameKind::First;
            } else {
                grant.delta = self.grid_rate.period();
            }
        }
        self.first_due = false;
        grant
    }

    /// What has passed since the last frame counts as it was until now: before another speed or tick rate the free handoff
    /// has a frame of its own for that, whose frames may be a second apart. It has no tick but one that is due.
    pub(super) fn book_time(&mut self, time: &mut impl TimeSource) -> Result<(), FrameError> {
        let is_running = self.mode == Mode::Running && !self.first_due && !self.resuming;
        let (now, last) = (time.now(), self.last_render_time);
        let is_free = self.core.producer().mode() == HandoffMode::Free;
        if !is_running || !is_free || now <= last || !self.core.shows_newest(now) {
            return Ok(());
        }
        let mut grant = self.grant(FrameKind::Running);
        (grant.render_time, grant.delta) = (now, now - last);
        grant.next_due = Some(self.clock.next_deadline());
        // Those have deadlines of their own.
        grant.update = UpdateTurn::NotDue;
        self.run_whole_frame(grant, time)
    }
}
