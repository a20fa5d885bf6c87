//! Where a display's refreshes lie, as far as one can see, and how far a grid of deadlines is shifted to meet them.
//!
//! A display says no time of its own. But where a picture has to wait for a free image, the wait ends with a refresh: that
//! moment is measured on the render thread, late by what waking takes. Of many such moments a second-order loop makes one
//! estimate of where refreshes are and how far apart. A frame clock that runs on the same rate is then shifted, a little a
//! frame, until a frame begins with a refresh and has the whole time to the next one.
//!
//! Pure: no clock, no thread. All of it is whole numbers.

use super::{Nanos, Rate};

/// Sub-nanoseconds in the estimated period: 1/65536 ns.
const FINE: i128 = 1 << 16;
/// How much of a deviation goes into the estimate of where, and of how far apart: critically damped.
const WHERE_GAIN: i128 = 16;
const APART_GAIN: i128 = 1024;
/// Refreshes that must have been seen before the grid is shifted.
const ENOUGH: u64 = 24;
/// The estimate counts while its mean deviation is below this part of a period.
const STEADY: i64 = 8;
/// A period may be found to be so many thousandths longer or shorter than it is said to be.
const ODD_THOUSANDTHS: i128 = 10;
/// A grid is shifted by at most this part of a period a frame.
pub const MOST_SHIFT: i64 = 256;
/// And by this part of its distance.
const SHIFT_GAIN: i64 = 4;

/// An image that took longer than this to be had was waited for.
const WAITED: Nanos = Nanos::from_micros(300);

/// The refresh at which a free image was had, asked for and got at these times; none where nobody had to wait for one.
#[must_use]
pub fn refresh_waited_for(asked: Nanos, got: Nanos) -> Option<Nanos> {
    (got - asked > WAITED).then_some(got)
}

/// An estimate of a display's refreshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseLock {
    rate: Rate,
    // Of the display, as estimated, in 1/65536 ns; within a hundredth of the rate's.
    period: i128,
    // A refresh, as estimated, in 1/65536 ns.
    refresh: Option<i128>,
    seen: u64,
    // Mean distance of what was seen from the estimate.
    deviation: i128,
}

/// How a frame lies to the display's refreshes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phase {
    /// From the nearest refresh to the deadline, within half a period: positive where the frame begins after it.
    pub error: Nanos,
    /// What the grid is to be shifted by, positive to later.
    pub shift: Nanos,
}

impl PhaseLock {
    /// Nothing is known yet of a display that is said to have this rate.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self { rate, period: fine_period(rate), refresh: None, seen: 0, deviation: 0 }
    }

    #[must_use]
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    /// A refresh was seen, late by whatever waking took.
    pub fn see(&mut self, at: Nanos) {
        let at = i128::from(at.0) * FINE;
        let Some(refresh) = self.refresh else {
            self.refresh = Some(at);
            self.seen = 1;
            return;
        };
        let periods = round_div(at - refresh, self.period);
        if periods < 1 {
            // The same one again, or an older one.
            return;
        }
        let off = at - (refresh + periods * self.period);
        self.deviation += (off.abs() - self.deviation) / WHERE_GAIN;
        // Not to be thrown off by one that came very late.
        let off = off.clamp(-self.period / 8, self.period / 8);
        self.refresh = Some(refresh + periods * self.period + off / WHERE_GAIN);
        let said = fine_period(self.rate);
        let most = said * ODD_THOUSANDTHS / 1000;
        self.period = (self.period + off / periods / APART_GAIN).clamp(said - most, said + most);
        self.seen += 1;
    }

    /// Enough was seen, and it fits together.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.seen >= ENOUGH && self.deviation < self.period / i128::from(STEADY)
    }

    /// How a frame with this deadline lies; `None` while nothing is sure.
    #[must_use]
    pub fn phase(&self, deadline: Nanos) -> Option<Phase> {
        let refresh = self.refresh.filter(|_| self.is_locked())?;
        let since = i128::from(deadline.0) * FINE - refresh;
        let off = since - round_div(since, self.period) * self.period;
        let error = (off / FINE) as i64;
        let most = self.rate.period().0 / MOST_SHIFT;
        Some(Phase { error: Nanos(error), shift: Nanos((-error / SHIFT_GAIN).clamp(-most, most)) })
    }

    /// Mean distance of the refreshes seen lately from where they were expected.
    #[must_use]
    pub fn deviation(&self) -> Nanos {
        Nanos((self.deviation / FINE) as i64)
    }

    /// Refreshes seen.
    #[must_use]
    pub const fn seen(&self) -> u64 {
        self.seen
    }

    /// Between two refreshes, as estimated.
    #[must_use]
    pub fn period(&self) -> Nanos {
        Nanos((self.period / FINE) as i64)
    }
}

fn fine_period(rate: Rate) -> i128 {
    i128::from(rate.period().0) * FINE
}

/// To the nearest whole number.
fn round_div(a: i128, b: i128) -> i128 {
    (a + b / 2).div_euclid(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::frame_clock::FrameClock;

    /// How late the waking after the n-th refresh is, in µs: uneven, and now and then very.
    fn lateness(n: i64) -> i64 {
        if n % 97 == 0 { 4_000 } else { (n * 7_919) % 60 }
    }

    /// The `n`-th refresh of a display of this period, from an odd start.
    fn refresh(period: i64, n: i64) -> Nanos {
        Nanos(3_000_000 + n * period)
    }

    fn seen(rate: Rate, period: i64, refreshes: i64) -> PhaseLock {
        let mut lock = PhaseLock::new(rate);
        for n in 0..refreshes {
            lock.see(refresh(period, n) + Nanos::from_micros(lateness(n)));
        }
        lock
    }

    #[test]
    fn an_image_that_was_there_at_once_tells_of_no_refresh() {
        let asked = Nanos::from_micros(1_000);
        assert_eq!(refresh_waited_for(asked, Nanos::from_micros(1_300)), None);
        assert_eq!(refresh_waited_for(asked, Nanos::from_micros(1_301)), Some(Nanos::from_micros(1_301)));
    }

    #[test]
    fn nothing_is_shifted_before_enough_was_seen() {
        let lock = seen(Rate::HZ_60, 16_666_667, ENOUGH as i64 - 1);
        assert!(!lock.is_locked());
        assert_eq!(lock.phase(Nanos::from_secs(1)), None);
        assert!(seen(Rate::HZ_60, 16_666_667, ENOUGH as i64).phase(Nanos::from_secs(1)).is_some());
    }

    #[test]
    fn the_estimate_finds_refreshes_to_a_tenth_of_a_millisecond() {
        for (said, period) in [
            ("60", 16_666_667),
            // A display that says 60 and runs at 59.94, at 60.3, at 59.
            ("60", 16_683_350),
            ("60", 16_583_748),
            ("144", 6_944_445),
            ("59.94", 16_683_350),
        ] {
            let lock = seen(said.parse().unwrap(), period, 900);
            let phase = lock.phase(refresh(period, 1_000)).expect("it is locked");
            assert!(phase.error.0.abs() < 150_000, "{said}, {period}: {phase:?}");
            assert!((lock.period().0 - period).abs() < 2_000, "{said}, {period}: {:?}", lock.period());
        }
    }

    #[test]
    fn refreshes_that_are_seen_now_and_then_do_as_well() {
        let mut lock = PhaseLock::new(Rate::HZ_60);
        for n in (0..4_000).filter(|n| n % 5 == 0 || n % 7 == 0) {
            lock.see(refresh(16_683_350, n));
        }
        let phase = lock.phase(refresh(16_683_350, 4_003)).expect("it is locked");
        assert!(phase.error.0.abs() < 50_000, "{phase:?}");
    }

    #[test]
    fn moments_that_have_no_beat_lock_nothing() {
        let mut lock = PhaseLock::new(Rate::HZ_60);
        let mut at = 0_i64;
        for n in 0_i64..600 {
            at += 4_000_000 + (n * 7_368_787) % 23_000_000;
            lock.see(Nanos(at));
        }
        assert!(!lock.is_locked(), "{:?}", lock.deviation());
        assert_eq!(lock.phase(Nanos(at)), None);
    }

    #[test]
    fn a_shift_is_small_and_goes_the_shorter_way() {
        let lock = seen(Rate::HZ_60, 16_666_667, 600);
        let zero = refresh(16_666_667, 700);
        // The estimate is late by what waking takes at the mean.
        for (off, error, shift) in [
            (4_000_000, 4_000_000, -65_104),
            (-4_000_000, -4_000_000, 65_104),
            (12_000_000, 12_000_000 - 16_666_667, 65_104),
            (16_666_667 * 3 + 100_000, 100_000, -25_000),
        ] {
            let phase = lock.phase(zero + Nanos(off)).unwrap();
            assert!((phase.error.0 - error).abs() < 150_000, "{off}: {phase:?}");
            assert!((phase.shift.0 - shift).abs() < 40_000, "{off}: {phase:?}");
            assert!(phase.shift.0.abs() <= 65_104, "{off}: {phase:?}");
        }
    }

    #[test]
    fn a_grid_is_led_to_the_refreshes_of_a_display_slower_than_it_says_and_stays_there() {
        let (period, rate) = (16_683_350, Rate::HZ_60);
        let mut lock = PhaseLock::new(rate);
        let mut grid = FrameClock::started(Nanos(11_000_000), rate);
        let mut last = Nanos::ZERO;
        let mut worst_of_the_end = 0;
        for n in 0_i64..1_800 {
            lock.see(refresh(period, n) + Nanos::from_micros(lateness(n)));
            let deadline = grid.next_deadline();
            let planned = grid.next(deadline);
            if n > 0 {
                let delta = (planned.render_time - last).0;
                assert!((16_600_000..16_740_000).contains(&delta), "frame {n}: {delta}: never a burst");
            }
            last = planned.render_time;
            if let Some(phase) = lock.phase(planned.render_time) {
                grid.shift(phase.shift);
                if n > 900 {
                    worst_of_the_end = worst_of_the_end.max(phase.error.0.abs());
                }
            }
        }
        assert!(worst_of_the_end < 400_000, "{worst_of_the_end}");
    }
}
