//! Keeps the frame clock in step with the display: refreshes as the render thread met them go in, shifts come out. Pure.

use std::collections::VecDeque;

use framewalk_runtime::frame::record::{FrameKind, FrameRecord, RenderRecord};
use framewalk_runtime::time::phase_lock::{Phase, PhaseLock};
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
    // The grid was shifted so far, in sum, since a frame was last near a refresh.
    shifted: Nanos,
    // What looks like refreshes moves with the frames: there is nothing to be in step with.
    given_up: bool,
}

/// Within this part of a period a frame is near a refresh.
const NEAR: i64 = 16;

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
            shifted: Nanos::ZERO,
            given_up: false,
        }
    }

    /// The window has come to another display, or its rate has changed: nothing is known of it.
    pub fn begin_anew(&mut self, rate: Rate) {
        self.lock = PhaseLock::new(rate);
        self.newest = None;
        (self.shifted, self.given_up) = (Nanos::ZERO, false);
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
        let phase = self.lock.phase(frame.render_time).filter(|_| on_grid && !self.given_up)?;
        if self.runs_after_itself(phase) {
            return None;
        }
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

    /// Half a period of shifts leads to any display. What is no nearer after a whole one moves with the frames: a window
    /// whose images come back when their drawing is done, as a virtual display's do, has no beat of its own.
    fn runs_after_itself(&mut self, phase: Phase) -> bool {
        let period = self.lock.rate().period().0;
        if phase.error.0.abs() <= period / NEAR {
            self.shifted = Nanos::ZERO;
        }
        self.shifted += Nanos(phase.shift.0.abs());
        self.given_up = self.shifted.0 > period;
        if self.given_up {
            self.newest = None;
            self.errors.clear();
        }
        self.given_up
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

    /// Plays so many frames; `refresh` says where one is seen after a frame that begins then. The errors at the end.
    fn play(frames: u64, refresh: impl Fn(i64, i64) -> i64) -> Vec<Nanos> {
        let mut in_step = InStep::new(Rate::HZ_60);
        let mut shifts = 0;
        for n in 1..=frames {
            let begins = n as i64 * PERIOD + 3_000_000 + shifts;
            let at = Nanos(refresh(n as i64, begins));
            let presented = Some(Presented { at, refresh: Some(at) });
            in_step.drawn(&RenderRecord { presented, ..RenderRecord::default() });
            shifts += in_step.frame(&frame(n, begins)).map_or(0, |shift| shift.0);
        }
        in_step.figures().errors
    }

    #[test]
    fn a_display_is_met_and_one_that_only_echoes_the_frames_is_given_up() {
        let display = play(2_000, |n, _| n * PERIOD);
        let last = display.last().expect("it is locked");
        assert!(last.0.abs() < 100_000, "{last:?}");
        assert_eq!(play(2_000, |_, begins| begins + 6_000_000), []);
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
