//! How the render thread waits for a frame that comes on a grid: asleep until just before it is expected, then a short spin,
//! then asleep until it is woken. Here is decided which; pure.

use crate::handoff::Taken;
use crate::time::Nanos;
use crate::time::expectation::Expectation;
use crate::time::pacer::{Pacer, Pacing};

/// How long after it was expected a frame is still looked for without sleep.
pub(crate) const OVERTIME: Nanos = Nanos::from_micros(200);

/// After spins that were in vain, one after another, so many frames at most are waited for asleep.
const MOST_RESTS: u32 = 64;

/// What to do until the next frame is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Sleep until woken.
    Asleep,
    /// Sleep until then, or until woken; and then ask again.
    Nap { until: Nanos },
    /// Look for it without sleep until then, and then ask again.
    Spin { until: Nanos },
}

/// What is known about the next frame, and how spins have paid.
#[derive(Clone, Debug)]
pub(crate) struct FrameWait {
    pacer: Pacer,
    expectation: Expectation,
    // When the next frame is handed over; none where nobody says so, or it did not come by then.
    expected: Option<Nanos>,
    // Spins in vain, one after another, and frames that are waited for asleep because of it.
    in_vain: u32,
    rests: u32,
}

impl FrameWait {
    /// On one core nobody can publish while somebody spins: there every frame is slept for.
    pub(crate) fn new(pacing: Pacing, cores: usize) -> Self {
        let pacing = if cores > 1 { pacing } else { Pacing::Relaxed };
        Self {
            pacer: Pacer::new(pacing),
            expectation: Expectation::default(),
            expected: None,
            in_vain: 0,
            rests: 0,
        }
    }

    /// A frame was taken.
    pub(crate) fn taken(&mut self, taken: &Taken) {
        let times = taken.times;
        if let Some(published) = times.published {
            self.expectation.note(published - taken.frame.render_time);
        }
        self.rests = self.rests.saturating_sub(1);
        self.expected = times.next_due.filter(|_| self.rests == 0).map(|due| self.expectation.of(due));
    }

    /// What to do now.
    pub(crate) fn next(&self, now: Nanos) -> Wait {
        let tail = self.pacer.spin_tail();
        let Some(expected) = self.expected.filter(|_| tail > Nanos::ZERO) else { return Wait::Asleep };
        let (spin_from, until) = (expected - tail, expected + OVERTIME);
        if now < spin_from {
            Wait::Nap { until: spin_from }
        } else if now < until {
            Wait::Spin { until }
        } else {
            Wait::Asleep
        }
    }

    /// A nap until `until` ended now.
    pub(crate) fn napped(&mut self, until: Nanos, now: Nanos) {
        if now >= until {
            self.pacer.note_oversleep(now - until);
        }
    }

    /// A spin ended: the frame was there, or it was in vain.
    pub(crate) fn spun(&mut self, has_come: bool) {
        if has_come {
            self.in_vain = 0;
            return;
        }
        self.expected = None;
        self.in_vain = (self.in_vain + 1).min(MOST_RESTS.ilog2());
        // The frame that did not come, and so many more.
        self.rests = 1 << self.in_vain;
    }

    /// How it meets deadlines of its own.
    pub(crate) fn pacer_mut(&mut self) -> &mut Pacer {
        &mut self.pacer
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::handoff::{FrameDescriptor, Times};

    const MS: i64 = 1_000_000;

    /// A frame for `due`, handed over `after` ns later, the next of which is due at `next`.
    fn frame(due: i64, after: i64, next: Option<i64>) -> Taken {
        Taken {
            frame: FrameDescriptor { render_time: Nanos(due), ..FrameDescriptor::default() },
            again: false,
            blend: None,
            times: Times { published: Some(Nanos(due + after)), next_due: next.map(Nanos) },
        }
    }

    /// With a spin of 100 µs before a frame is expected.
    fn waiting() -> FrameWait {
        FrameWait::new(Pacing::Tail(Nanos::from_micros(100)), 2)
    }

    #[test]
    fn it_sleeps_until_just_before_the_frame_spins_a_little_and_sleeps_again() {
        let mut wait = waiting();
        assert_eq!(wait.next(Nanos::ZERO), Wait::Asleep, "nobody has said anything");
        wait.taken(&frame(100 * MS, 300_000, Some(120 * MS)));
        let spin_from = Nanos(120 * MS + 300_000 - 100_000);
        let until = Nanos(120 * MS + 300_000 + 200_000);
        for (now, expected) in [
            (Nanos(100 * MS + 400_000), Wait::Nap { until: spin_from }),
            (spin_from - Nanos(1), Wait::Nap { until: spin_from }),
            (spin_from, Wait::Spin { until }),
            (until - Nanos(1), Wait::Spin { until }),
            (until, Wait::Asleep),
        ] {
            assert_eq!(wait.next(now), expected, "{now:?}");
        }
    }

    #[test]
    fn where_no_frame_follows_it_sleeps_and_never_spins() {
        let mut wait = waiting();
        wait.taken(&frame(0, 300_000, None));
        assert_eq!(wait.next(Nanos(MS)), Wait::Asleep);
        // What was said of a frame that has come is said no more by one after which none follows.
        wait.taken(&frame(0, 300_000, Some(20 * MS)));
        wait.taken(&frame(20 * MS, 300_000, None));
        for now in [20 * MS, 40 * MS, 40 * MS + 300_000] {
            assert_eq!(wait.next(Nanos(now)), Wait::Asleep);
        }
    }

    #[test]
    fn relaxed_and_on_one_core_every_frame_is_slept_for() {
        for (pacing, cores) in [(Pacing::Relaxed, 2), (Pacing::Precise, 1), (Pacing::Tail(Nanos::ZERO), 8)] {
            let mut wait = FrameWait::new(pacing, cores);
            wait.taken(&frame(0, 300_000, Some(20 * MS)));
            for now in [MS, 20 * MS, 20 * MS + 300_000] {
                assert_eq!(wait.next(Nanos(now)), Wait::Asleep, "{pacing:?} on {cores}");
            }
        }
    }

    #[test]
    fn the_longest_spin_is_seven_tenths_of_a_millisecond() {
        let mut wait = FrameWait::new(Pacing::Tail(Nanos::from_millis(9)), 2);
        wait.taken(&frame(0, 0, Some(20 * MS)));
        let from = Nanos(20 * MS - 500_000);
        assert_eq!(wait.next(from - Nanos(1)), Wait::Nap { until: from });
        assert_eq!(wait.next(from), Wait::Spin { until: from + Nanos::from_micros(700) });
    }

    #[test]
    fn after_spins_in_vain_frames_are_slept_for_one_then_three_at_most_sixty_three_until_a_spin_pays() {
        let mut wait = waiting();
        let mut due = 0;
        let mut slept_for = |wait: &mut FrameWait| {
            let mut slept = 0;
            loop {
                due += 20 * MS;
                wait.taken(&frame(due, 0, Some(due + 20 * MS)));
                if wait.next(Nanos(due)) != Wait::Asleep {
                    return slept;
                }
                slept += 1;
            }
        };
        assert_eq!(slept_for(&mut wait), 0);
        let slept: Vec<u32> = (0..8)
            .map(|_| {
                wait.spun(false);
                assert_eq!(wait.next(Nanos::ZERO), Wait::Asleep);
                slept_for(&mut wait)
            })
            .collect();
        assert_eq!(slept, [1, 3, 7, 15, 31, 63, 63, 63]);
        wait.spun(true);
        wait.spun(false);
        assert_eq!(slept_for(&mut wait), 1);
    }

    #[test]
    fn the_tail_follows_how_late_naps_end_and_not_who_ends_them_early() {
        let mut wait = FrameWait::new(Pacing::Precise, 2);
        let until = Nanos(20 * MS);
        wait.napped(until, until - Nanos(1));
        assert_eq!(wait.pacer_mut().spin_tail(), Nanos(200_000));
        wait.napped(until, until + Nanos(50_000));
        assert_eq!(wait.pacer_mut().spin_tail(), Nanos(199_850));
        wait.napped(until, until + Nanos(900_000));
        assert_eq!(wait.pacer_mut().spin_tail(), Nanos(204_700));
    }
}
