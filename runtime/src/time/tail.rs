//! How long before a deadline a spin must begin, so that waking late is not being late. Pure.

use super::Nanos;

/// Follows the 97th percentile of how late waking is: up by a large step where it was later than the tail is long, down by
/// a small one where it was not; of 100 wakes, three that are later balance 97 that are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdaptiveTail {
    length: Nanos,
}

impl AdaptiveTail {
    /// A spin is at least, and at most, so long.
    pub const LEAST: Nanos = Nanos::from_micros(20);
    pub const MOST: Nanos = Nanos::from_micros(500);
    const START: Nanos = Nanos::from_micros(200);
    const UP: Nanos = Nanos(4_850);
    const DOWN: Nanos = Nanos(150);

    #[must_use]
    pub const fn length(self) -> Nanos {
        self.length
    }

    /// A sleep ended this late.
    pub fn note(&mut self, oversleep: Nanos) {
        let step = if oversleep > self.length { Self::UP } else { Nanos(-Self::DOWN.0) };
        self.length = (self.length + step).clamp(Self::LEAST, Self::MOST);
    }
}

impl Default for AdaptiveTail {
    fn default() -> Self {
        Self { length: Self::START }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(oversleeps: impl Iterator<Item = i64>) -> i64 {
        let mut tail = AdaptiveTail::default();
        oversleeps.for_each(|nanos| tail.note(Nanos(nanos)));
        tail.length().0
    }

    #[test]
    fn one_that_was_exceeded_grows_at_once_and_one_that_was_not_shrinks_slowly() {
        assert_eq!(after([200_001].into_iter()), 204_850);
        assert_eq!(after([200_000].into_iter()), 199_850);
    }

    #[test]
    fn it_is_held_between_20_and_500_microseconds() {
        assert_eq!(after(std::iter::repeat_n(0, 5_000)), 20_000);
        assert_eq!(after(std::iter::repeat_n(10_000_000, 5_000)), 500_000);
    }

    #[test]
    fn it_comes_to_what_ninety_seven_of_a_hundred_do_not_exceed() {
        // Evenly 0 to 100 µs: 97 µs.
        let length = after((0..200_000_i64).map(|n| (n * 7_919) % 100_000));
        assert!((92_000..102_000).contains(&length), "{length}");
    }
}
