//! Keeps the clock that paces the pictures in step with the display: refreshes as they were met go in, by the render thread
//! of `play` or by a pass of the editor; shifts come out. That clock is the simulation's, but in the free handoff the render
//! thread's own. Pure.

use framewalk_inspector::stats::Distribution;
use framewalk_runtime::frame::record::{FrameKind, FrameRecord, HandoffMode, RenderRecord};
use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::time::phase_lock::{MOST_SHIFT, Phase, PhaseLock};
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
    // Of the newest frame, or picture, since the last look; none where it was late.
    deadline: Option<Nanos>,
    // Deadlines up to this one may stand as they did before the last shift was asked for.
    before_shift: Nanos,
    trust: Trust,
}

/// Whether what looks like refreshes is a display's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trust {
    /// Nothing is known yet.
    Unknown,
    /// The grid is shifted on trial: refreshes of a display stay where they are. So far since then.
    Tried(Trial),
    /// They stayed. The grid was shifted by so much, in sum, since a frame was last near a refresh.
    Met { shifted: Nanos },
    /// They moved with the frames: there is nothing to be in step with.
    GivenUp,
}

/// How a frame lay when the trial began, and what was done since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Trial {
    deadline: Nanos,
    error: Nanos,
    shifted: Nanos,
    // Frames on the grid since the last shift.
    settled: u32,
}

/// Refreshes after which the estimate knows how far apart they are, and not only where.
const KNOWN_AFTER: u64 = 120;
/// The trial shifts the grid by this part of a period, and judges after so many frames more: an estimate that ran after the
/// frames has come to rest then.
const TRIAL: i64 = 8;
const SETTLES_AFTER: u32 = 120;
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
            deadline: None,
            before_shift: Nanos(i64::MIN),
            trust: Trust::Unknown,
        }
    }

    /// The window has come to another display, or its rate has changed, or the grid has begun anew: nothing is known.
    pub fn begin_anew(&mut self, rate: Rate) {
        self.lock = PhaseLock::new(rate);
        self.newest = None;
        self.deadline = None;
        self.before_shift = Nanos(i64::MIN);
        self.trust = Trust::Unknown;
    }

    /// Something that went to the display had to wait for a refresh, until then.
    pub fn refreshed(&mut self, at: Nanos) {
        self.refreshes += 1;
        self.lock.see(at);
    }

    /// One more record of a run whose pictures are paced as this handoff does it.
    pub fn take(&mut self, record: &RuntimeRecord, paced_by: HandoffMode) {
        match (record, paced_by) {
            (RuntimeRecord::Frame(frame), HandoffMode::Slot | HandoffMode::Lockstep) => self.frame(frame),
            (RuntimeRecord::Render(picture), HandoffMode::Free) => self.picture(picture),
            _ => {}
        }
    }

    /// One more frame, where the simulation's clock paces the pictures.
    fn frame(&mut self, frame: &FrameRecord) {
        // A late frame was at no point of the grid.
        let on_grid = frame.kind == FrameKind::Running && !frame.late;
        self.deadline = Some(frame.render_time).filter(|_| on_grid);
    }

    /// One more picture, where the render thread's own does: in the free handoff.
    fn picture(&mut self, picture: &RenderRecord) {
        self.deadline = Some(picture.render_time).filter(|_| !picture.late);
    }

    /// How that grid is to be shifted after the newest of them; `None` where it stands well, or nothing is known.
    pub fn shift(&mut self) -> Option<Nanos> {
        // One before the last shift tells what is mended already.
        let deadline = self.deadline.take().filter(|deadline| *deadline > self.before_shift)?;
        let Some(phase) = self.lock.phase(deadline) else {
            self.newest = None;
            return None;
        };
        let shift = match self.trust {
            Trust::Unknown => {
                if self.lock.seen() >= KNOWN_AFTER {
                    let trial = Trial { deadline, error: phase.error, shifted: Nanos::ZERO, settled: 0 };
                    self.trust = Trust::Tried(trial);
                }
                Nanos::ZERO
            }
            Trust::Tried(trial) => self.go_on_with(trial, deadline, phase),
            Trust::Met { shifted } => self.meet(shifted, phase),
            Trust::GivenUp => Nanos::ZERO,
        };
        if shift == Nanos::ZERO {
            return None;
        }
        // The next one may be on its way already; the one after it begins with the new grid.
        self.before_shift = deadline + Nanos(self.lock.rate().period().0 * 3 / 2);
        Some(shift)
    }

    /// An eighth of a period towards the refreshes, or away where they are nearer than that; then a rest, and a verdict.
    ///
    /// A window whose images come back when their drawing is done, as a virtual display's do, has no beat of its own: what is
    /// seen there moves with the frames, however well it fits together.
    fn go_on_with(&mut self, trial: Trial, deadline: Nanos, phase: Phase) -> Nanos {
        let period = self.lock.rate().period().0;
        if trial.shifted.0.abs() < period / TRIAL {
            let towards = if trial.error.0.abs() >= period / TRIAL { -trial.error.0.signum() } else { 1 };
            let shift = Nanos(towards * period / MOST_SHIFT);
            self.trust = Trust::Tried(Trial { shifted: trial.shifted + shift, ..trial });
            return shift;
        }
        let settled = trial.settled + 1;
        self.trust = if settled < SETTLES_AFTER {
            Trust::Tried(Trial { settled, ..trial })
        } else if self.stayed(&trial, deadline, phase.error) {
            Trust::Met { shifted: Nanos::ZERO }
        } else {
            Trust::GivenUp
        };
        Nanos::ZERO
    }

    /// The frames have moved against the refreshes by what the grid was shifted, at least by half of it.
    fn stayed(&self, trial: &Trial, deadline: Nanos, error: Nanos) -> bool {
        let (said, found) = (self.lock.rate().period().0, self.lock.period().0);
        // A display that is a little slower or faster than it says moves by itself.
        let periods = (deadline.0 - trial.deadline.0 + said / 2).div_euclid(said);
        let off = error.0 - trial.error.0 - periods * (said - found) - trial.shifted.0;
        let off = (off + found / 2).rem_euclid(found) - found / 2;
        off.abs() <= trial.shifted.0.abs() / 2
    }

    /// Half a period of shifts leads to any display; after a whole one that led no nearer it is none after all.
    fn meet(&mut self, shifted: Nanos, phase: Phase) -> Nanos {
        let period = self.lock.rate().period().0;
        let near = phase.error.0.abs() <= period / NEAR;
        let shifted = if near { Nanos::ZERO } else { shifted + Nanos(phase.shift.0.abs()) };
        if shifted.0 > period {
            self.trust = Trust::GivenUp;
            self.newest = None;
            self.errors = Distribution::default();
            return Nanos::ZERO;
        }
        self.trust = Trust::Met { shifted };
        self.newest = Some(phase.error);
        self.errors.add(Nanos(phase.error.0.saturating_abs()));
        phase.shift
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

    /// What is asked for after this frame.
    fn after(in_step: &mut InStep, frame: &FrameRecord) -> Option<Nanos> {
        in_step.frame(frame);
        in_step.shift()
    }

    /// Plays so many frames; `refresh` says where one is seen after the n-th frame, which begins then. What is known at the
    /// end, and how far the grid was shifted.
    fn play(frames: u64, off: i64, refresh: impl Fn(i64, i64) -> i64) -> (InStep, i64) {
        let mut in_step = InStep::new(Rate::HZ_60);
        let mut shifts = 0;
        for n in 1..=frames {
            let begins = n as i64 * PERIOD + off + shifts;
            in_step.refreshed(Nanos(refresh(n as i64, begins)));
            shifts += after(&mut in_step, &frame(n, begins)).map_or(0, |shift| shift.0);
        }
        (in_step, shifts)
    }

    /// Uneven, and now and then very: how late what is seen after the `n`-th frame is, ns.
    fn late(n: i64) -> i64 {
        if n % 97 == 0 { 4_000_000 } else { (n * 7_919) % 60 * 1_000 }
    }

    #[test]
    fn a_shift_is_asked_for_once_and_then_not_until_a_frame_has_felt_it() {
        let (mut in_step, shifts) = play(1_000, 3_000_000, |n, _| n * PERIOD);
        assert!(in_step.error().is_some_and(|error| error.0.abs() < 10_000), "{:?}", in_step.error());
        let at = |n: i64| n * PERIOD + 3_000_000 + shifts + 1_000_000;
        assert_eq!(after(&mut in_step, &frame(1_010, at(1_010))), Some(Nanos(-65_104)));
        assert_eq!(after(&mut in_step, &frame(1_011, at(1_011))), None, "begun before");
        assert_eq!(after(&mut in_step, &frame(1_012, at(1_012) - 65_104)), Some(Nanos(-65_104)));
        assert_eq!(in_step.figures().refreshes, 1_000);
    }

    #[test]
    fn a_display_is_met_from_wherever_the_frames_lie_and_however_true_its_rate_is() {
        for period in [PERIOD, 16_683_350, 16_650_000] {
            for off in [0, 300_000, 3_000_000, 8_000_000, -7_000_000, -200_000] {
                let (in_step, _) = play(2_000, off, |n, _| n * period + late(n));
                let last = in_step.error().unwrap_or_else(|| panic!("{period}, {off}: {:?}", in_step.trust));
                assert!(last.0.abs() < 400_000, "{period}, {off}: {last:?}");
            }
        }
    }

    #[test]
    fn what_moves_with_the_frames_is_no_display_and_no_error_is_ever_shown_of_it() {
        // Drawn in software, in next to no time and in much; evenly or not.
        for takes in [0, 300_000, 1_000_000, 6_000_000, 12_000_000] {
            for uneven in [0, 1] {
                for frames in [100, 200, 310, 400, 2_000] {
                    let (in_step, shifts) =
                        play(frames, 3_000_000, |n, begins| begins + takes + uneven * late(n));
                    assert_eq!(
                        (in_step.error(), in_step.figures().errors.count()),
                        (None, 0),
                        "{takes}, {frames}"
                    );
                    assert!(shifts.abs() <= PERIOD / 8 + 65_104, "{takes}: {shifts}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_shown_of_a_display_before_it_was_tried() {
        for frames in [50, 119, 200, 290] {
            let (in_step, _) = play(frames, 3_000_000, |n, _| n * PERIOD);
            assert_eq!((in_step.error(), in_step.figures().errors.count()), (None, 0), "{frames}");
        }
    }

    #[test]
    fn another_display_is_tried_anew() {
        let (mut in_step, _) = play(2_000, 3_000_000, |_, begins| begins);
        assert_eq!(in_step.trust, Trust::GivenUp);
        in_step.begin_anew(Rate::hz(144).unwrap());
        assert_eq!((in_step.trust, in_step.error()), (Trust::Unknown, None));
    }

    #[test]
    fn in_the_free_handoff_it_is_the_pictures_that_are_led_to_the_refreshes() {
        let mut in_step = InStep::new(Rate::HZ_60);
        let mut shifts = 0;
        for n in 1..=2_000_i64 {
            let due = n * PERIOD + 3_000_000 + shifts;
            in_step.refreshed(Nanos(n * PERIOD));
            in_step.picture(&RenderRecord { render_time: Nanos(due), ..RenderRecord::default() });
            shifts += in_step.shift().map_or(0, |shift| shift.0);
        }
        assert!((-3_010_000..-2_990_000).contains(&shifts), "{shifts}");
        assert!(in_step.error().is_some_and(|error| error.0.abs() < 10_000), "{:?}", in_step.error());
        let late = 2_001 * PERIOD;
        in_step.picture(&RenderRecord { late: true, render_time: Nanos(late), ..RenderRecord::default() });
        assert_eq!(in_step.shift(), None);
    }

    #[test]
    fn late_frames_tell_nothing_and_of_many_the_newest_does() {
        let (mut in_step, shifts) = play(2_000, 3_000_000, |n, _| n * PERIOD);
        let at = |n: i64| n * PERIOD + 3_000_000 + shifts + 1_000_000;
        let late = FrameRecord { late: true, ..frame(2_010, at(2_010)) };
        assert_eq!(after(&mut in_step, &late), None);
        assert_eq!(in_step.shift(), None, "nothing came since");
        // Looked at seldom, as by passes of a slow window: one shift, however many frames there were.
        for n in 2_011..2_016 {
            in_step.frame(&frame(n, at(n as i64)));
        }
        assert_eq!(in_step.shift(), Some(Nanos(-65_104)));
        assert_eq!(in_step.shift(), None);
        let mut unknown = InStep::new(Rate::HZ_60);
        assert_eq!(after(&mut unknown, &frame(1, 3_000_000)), None);
        assert_eq!((unknown.error(), unknown.figures().refreshes), (None, 0));
    }

    #[test]
    fn an_error_is_not_shown_any_more_once_refreshes_have_lost_their_beat() {
        let (mut in_step, _) = play(2_000, 3_000_000, |n, _| n * PERIOD);
        assert!(in_step.error().is_some());
        for n in 2_001..2_100_i64 {
            in_step.refreshed(Nanos(n * PERIOD + (n * 7_368_787) % PERIOD));
        }
        after(&mut in_step, &frame(2_100, 2_100 * PERIOD));
        assert_eq!(in_step.error(), None);
    }
}
