//! What frames are granted, before the clock has its say.

use super::Sim;
use crate::frame::core::FrameGrant;
use crate::frame::record::FrameKind;
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
}
