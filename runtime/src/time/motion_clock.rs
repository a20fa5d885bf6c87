//! The clock that pictures of the free handoff are drawn by. Pure.

use super::{Nanos, Speed};

/// Runs as fast as simulated time does, and stands in a pause: what lies on it needs no change when either begins or ends.
///
/// At clock time `t` it says `motion + (t − at) × speed`, rounded down to whole nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MotionClock {
    at: Nanos,
    motion: Nanos,
    speed: Speed,
}

impl MotionClock {
    /// What it says at this time on the monotonic clock.
    #[must_use]
    pub fn time_at(&self, now: Nanos) -> Nanos {
        let passed = i128::from(now.0) - i128::from(self.at.0);
        let moved = (passed * i128::from(self.speed.thousandths())).div_euclid(1000);
        let motion = (i128::from(self.motion.0) + moved).clamp(i64::MIN.into(), i64::MAX.into());
        Nanos(motion as i64)
    }

    /// It goes on at this speed from now on.
    #[must_use]
    pub fn running_at(&self, speed: Speed, now: Nanos) -> Self {
        Self { at: now, motion: self.time_at(now), speed }
    }

    /// It stands at `motion` from now on.
    #[must_use]
    pub const fn standing_at(motion: Nanos, now: Nanos) -> Self {
        Self { at: now, motion, speed: Speed::ZERO }
    }

    /// No time passes by it.
    #[must_use]
    pub const fn stands(&self) -> bool {
        self.speed.thousandths() == 0
    }

    /// As three words, for who hands it to another thread.
    #[must_use]
    pub(crate) const fn to_words(self) -> [u64; 3] {
        [self.at.0.cast_unsigned(), self.motion.0.cast_unsigned(), self.speed.thousandths() as u64]
    }

    #[must_use]
    pub(crate) fn of_words([at, motion, thousandths]: [u64; 3]) -> Self {
        let speed = Speed::from_thousandths(thousandths as u32).unwrap_or_default();
        Self { at: Nanos(at.cast_signed()), motion: Nanos(motion.cast_signed()), speed }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that fails says where")]

    use super::*;

    fn millis(clock: &MotionClock, at: i64) -> i64 {
        clock.time_at(Nanos::from_millis(at)).0 / 1_000_000
    }

    #[test]
    fn a_new_one_says_what_the_monotonic_clock_does() {
        for at in [i64::MIN, -1, 0, 1, 86_400_000_000_000, i64::MAX] {
            assert_eq!(MotionClock::default().time_at(Nanos(at)), Nanos(at));
        }
    }

    #[test]
    fn it_stands_in_a_pause_and_goes_on_from_there_at_any_speed() {
        let clock = MotionClock::standing_at(Nanos::from_millis(507), Nanos::from_millis(507));
        assert!(clock.stands());
        assert_eq!((millis(&clock, 507), millis(&clock, 60_000)), (507, 507));
        let half = clock.running_at("0.5".parse().unwrap(), Nanos::from_secs(60));
        assert_eq!((millis(&half, 60_000), millis(&half, 60_010)), (507, 512));
        let fast = half.running_at("8".parse().unwrap(), Nanos::from_millis(60_010));
        assert_eq!((millis(&fast, 60_010), millis(&fast, 60_020)), (512, 592));
        assert_eq!(millis(&fast, 60_009), 504, "as if it had always run so");
        assert_eq!((fast.time_at(Nanos::MAX), fast.stands()), (Nanos::MAX, false));
    }

    #[test]
    fn as_words_it_is_the_same() {
        let clock = MotionClock::standing_at(Nanos(-7), Nanos(9)).running_at(Speed::NORMAL, Nanos(8));
        assert_eq!(MotionClock::of_words(clock.to_words()), clock);
    }
}
