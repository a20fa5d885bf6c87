//! Keeps the frame clock in step with the display: refreshes as the render thread met them go in, shifts come out. Pure.

use std::collections::VecDeque;

use framewalk_runtime::frame::record::{FrameKind, FrameRecord, RenderRecord};
use framewalk_runtime::time::phase_lock::PhaseLock;
use framewalk_runtime::time::{FrameIndex, Nanos, Rate};

use crate::cli::run::outcome::PhaseFigures;

/// So many of the last errors are kept.
const KEPT: usize = 20_000;

/// The lock of one run, and how well it held.
#[derive(Clone, Debug)]
pub struct InStep {
    lock: PhaseLock,
    refreshes: u64,
    errors: VecDeque<Nanos>,
    newest: Option<Nanos>,
    // Frames up to this one were begun before the last shift was asked for.
    before_shift: FrameIndex,
}

impl InStep {
    /// With a display that is said to have this rate.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self {
            lock: PhaseLock::new(rate),
            refreshes: 0,
            errors: VecDeque::new(),
            newest: None,
            before_shift: FrameIndex::default(),
        }
    }

    /// The window has come to another display, or its rate has changed: nothing is known of it.
    pub fn begin_anew(&mut self, rate: Rate) {
        self.lock = PhaseLock::new(rate);
        self.newest = None;
    }

    /// A picture went to the display; perhaps it had to wait for a refresh.
    pub fn drawn(&mut self, render: &RenderRecord) {
        if let Some(refresh) = render.presented.and_then(|presented| presented.refresh) {
            self.refreshes += 1;
            self.lock.see(refresh);
        }
    }

    /// How the grid is to be shifted after this frame; `None` where it stands well, or nothing is known.
    pub fn frame(&mut self, frame: &FrameRecord) -> Option<Nanos> {
        // A late frame was at no point of the grid, and one before the last shift tells what is mended already.
        let on_grid = frame.kind == FrameKind::Running && !frame.late && frame.frame > self.before_shift;
        let phase = self.lock.phase(frame.render_time).filter(|_| on_grid)?;
        self.newest = Some(phase.error);
        if self.errors.len() == KEPT {
            self.errors.pop_front();
        }
        self.errors.push_back(phase.error);
        if phase.shift == Nanos::ZERO {
            return None;
        }
        // The next frame may be on its way already; the one after it begins with the new grid.
        self.before_shift = FrameIndex(frame.frame.0 + 1);
        Some(phase.shift)
    }

    /// How far the last frame was from a refresh; `None` while that is not known.
    #[must_use]
    pub const fn error(&self) -> Option<Nanos> {
        self.newest
    }

    /// What is reported.
    #[must_use]
    pub fn figures(&self) -> PhaseFigures {
        PhaseFigures { refreshes: self.refreshes, errors: self.errors.iter().copied().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use framewalk_runtime::frame::record::Presented;

    const PERIOD: i64 = 16_666_667;

    fn frame(n: u64, render_time: i64) -> FrameRecord {
        FrameRecord {
            frame: FrameIndex(n),
            kind: FrameKind::Running,
            render_time: Nanos(render_time),
            ..FrameRecord::default()
        }
    }

    fn locked() -> InStep {
        let mut in_step = InStep::new(Rate::HZ_60);
        for n in 0..100 {
            let at = Nanos(n * PERIOD);
            let presented = Some(Presented { at, refresh: Some(at) });
            in_step.drawn(&RenderRecord { presented, ..RenderRecord::default() });
        }
        in_step
    }

    #[test]
    fn a_shift_is_asked_for_once_and_then_not_until_a_frame_has_felt_it() {
        let mut in_step = locked();
        let at = |n: i64| n * PERIOD + 3_000_000;
        assert_eq!(in_step.frame(&frame(1, at(1))), Some(Nanos(-65_104)));
        assert_eq!(in_step.frame(&frame(2, at(2))), None, "begun before");
        assert_eq!(in_step.frame(&frame(3, at(3) - 65_104)), Some(Nanos(-65_104)));
        assert_eq!(in_step.error(), Some(Nanos(3_000_000 - 65_104)));
        assert_eq!(in_step.figures().refreshes, 100);
    }

    #[test]
    fn late_frames_and_pictures_that_did_not_wait_tell_nothing() {
        let mut in_step = locked();
        let late = FrameRecord { late: true, ..frame(1, 3_000_000) };
        assert_eq!(in_step.frame(&late), None);
        let mut unknown = InStep::new(Rate::HZ_60);
        for n in 0..100 {
            let presented = Some(Presented { at: Nanos(n * PERIOD), refresh: None });
            unknown.drawn(&RenderRecord { presented, ..RenderRecord::default() });
        }
        assert_eq!(unknown.frame(&frame(1, 3_000_000)), None);
        assert_eq!((unknown.error(), unknown.figures().refreshes), (None, 0));
    }
}
