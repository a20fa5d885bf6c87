//! Keeps the clock that paces the pictures in step with the display: refreshes as the render thread met them go in, shifts
//! come out. That clock is the simulation's, but in the free handoff the render thread's own. Pure.

use framewalk_inspector::stats::Distribution;
use framewalk_runtime::frame::record::{FrameKind, FrameRecord, RenderRecord};
use framewalk_runtime::time::phase_lock::{Phase, PhaseLock};
use framewalk_runtime::time::{Nanos, Rate};

use crate::outcome::PhaseFigures;

/// The lock of one run, and how well it held.
#[derive(Clone, Debug)]
pub struct InStep {
    lock: PhaseLock,
    refreshes: u64,
    // Absolute values.
    errors: Distribution,
    newest: Option<Nanos>,
    // Pictures of the free handoff so far.
    pictures: u64,
    // Frames, or pictures, up to this one were begun before the last shift was asked for.
    before_shift: u64,
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
            errors: Distribution::default(),
            newest: None,
            pictures: 0,
            before_shift: 0,
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

    /// How the simulation's grid is to be shifted after this frame; `None` where it stands well, or nothing is known.
    pub fn frame(&mut self, frame: &FrameRecord) -> Option<Nanos> {
        // A late frame was at no point of the grid.
        let on_grid = frame.kind == FrameKind::Running && !frame.late;
        self.deadline(frame.frame.0, Some(frame.render_time).filter(|_| on_grid))
    }

    /// The same of the render thread's own grid after this picture, in the free handoff.
    pub fn picture(&mut self, picture: &RenderRecord) -> Option<Nanos> {
        self.pictures += 1;
        self.deadline(self.pictures, Some(picture.render_time).filter(|_| !picture.late))
    }

    fn deadline(&mut self, number: u64, on_grid: Option<Nanos>) -> Option<Nanos> {
        // One before the last shift tells what is mended already.
        let deadline = on_grid.filter(|_| number > self.before_shift && !self.given_up)?;
        let phase = self.lock.phase(deadline)?;
        if self.runs_after_itself(phase) {
            return None;
        }
        self.newest = Some(phase.error);
        self.errors.add(Nanos(phase.error.0.saturating_abs()));
        if phase.shift == Nanos::ZERO {
            return None;
        }
        // The next one may be on its way already; the one after it begins with the new grid.
        self.before_shift = number + 1;
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
            self.errors = Distribution::default();
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
        PhaseFigures { refreshes: self.refreshes, errors: self.errors.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use framewalk_runtime::frame::record::Presented;
    use framewalk_runtime::time::FrameIndex;

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

    /// Plays so many frames; `refresh` says where one is seen after a frame that begins then. The lock at the end.
    fn play(frames: u64, refresh: impl Fn(i64, i64) -> i64) -> InStep {
        let mut in_step = InStep::new(Rate::HZ_60);
        let mut shifts = 0;
        for n in 1..=frames {
            let begins = n as i64 * PERIOD + 3_000_000 + shifts;
            let at = Nanos(refresh(n as i64, begins));
            let presented = Some(Presented { at, refresh: Some(at) });
            in_step.drawn(&RenderRecord { presented, ..RenderRecord::default() });
            shifts += in_step.frame(&frame(n, begins)).map_or(0, |shift| shift.0);
        }
        in_step
    }

    #[test]
    fn a_display_is_met_and_one_that_only_echoes_the_frames_is_given_up() {
        let display = play(2_000, |n, _| n * PERIOD);
        let last = display.error().expect("it is locked");
        assert!(last.0.abs() < 100_000, "{last:?}");
        let longest = display.figures().errors.summary().expect("it is locked").max;
        assert!(longest > last && longest <= Nanos(3_000_000), "{longest:?}");
        let echo = play(2_000, |_, begins| begins + 6_000_000);
        assert_eq!((echo.error(), echo.figures().errors.count()), (None, 0));
    }

    #[test]
    fn in_the_free_handoff_it_is_the_pictures_that_are_led_to_the_refreshes() {
        let mut in_step = InStep::new(Rate::HZ_60);
        let mut shifts = 0;
        for n in 1..=2_000_i64 {
            let due = n * PERIOD + 3_000_000 + shifts;
            let presented = Some(Presented { at: Nanos(due), refresh: Some(Nanos(n * PERIOD)) });
            let picture = RenderRecord { render_time: Nanos(due), presented, ..RenderRecord::default() };
            in_step.drawn(&picture);
            shifts += in_step.picture(&picture).map_or(0, |shift| shift.0);
        }
        assert!((-3_010_000..-2_990_000).contains(&shifts), "{shifts}");
        assert!(in_step.error().is_some_and(|error| error.0.abs() < 10_000), "{:?}", in_step.error());
        let late = RenderRecord { late: true, render_time: Nanos(9), ..RenderRecord::default() };
        assert_eq!(in_step.picture(&late), None);
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
