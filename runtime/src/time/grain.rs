//! How long a piece of work takes that may be begun only where it is over before a deadline. Pure.

use super::Nanos;

/// Follows the 97th percentile of how long pieces took lately: up by a quarter where one took longer, down by one part in
/// 128 where it did not; of 100 pieces, three that take longer balance 97 that do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grain {
    length: Nanos,
}

impl Grain {
    /// It is taken to be at least, and at most, so long.
    pub const LEAST: Nanos = Nanos::from_micros(20);
    pub const MOST: Nanos = Nanos::from_millis(4);
    const START: Nanos = Nanos::from_micros(250);

    /// So long before a deadline, a piece is no longer begun.
    #[must_use]
    pub const fn length(self) -> Nanos {
        self.length
    }

    /// A piece took so long.
    pub fn note(&mut self, took: Nanos) {
        if took > self.length {
            self.change(self.length.0 / 4);
        } else {
            self.shrink();
        }
    }

    /// A piece waited and was not begun, for fear of being late: where pieces were long once and are no more, that is found
    /// out by beginning one again.
    pub fn shrink(&mut self) {
        self.change(-self.length.0 / 128);
    }

    fn change(&mut self, by: i64) {
        self.length = Nanos((self.length.0 + by).clamp(Self::LEAST.0, Self::MOST.0));
    }
}

impl Default for Grain {
    fn default() -> Self {
        Self { length: Self::START }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn after(pieces: impl Iterator<Item = i64>) -> i64 {
        let mut grain = Grain::default();
        pieces.for_each(|nanos| grain.note(Nanos(nanos)));
        grain.length().0
    }

    #[test]
    fn one_that_takes_longer_counts_for_many_that_do_not() {
        assert_eq!(after([250_001].into_iter()), 312_500);
        assert_eq!(after([250_000].into_iter()), 248_047);
    }

    #[test]
    fn it_is_held_between_20_microseconds_and_4_milliseconds() {
        assert_eq!(after(std::iter::repeat_n(0, 1_000)), 20_000);
        assert_eq!(after(std::iter::repeat_n(50_000_000, 100)), 4_000_000);
    }

    #[test]
    fn it_comes_to_what_ninety_seven_of_a_hundred_do_not_exceed() {
        // Evenly 0 to 100 µs: 97 µs.
        let length = after((0..20_000_i64).map(|n| (n * 7_919) % 100_000));
        assert!((80_000..125_000).contains(&length), "{length}");
    }

    #[test]
    fn what_was_refused_again_and_again_is_tried_again() {
        let mut grain = Grain::default();
        (0..100).for_each(|_| grain.note(Nanos::from_millis(9)));
        let refusals = (1..).find(|_| {
            grain.shrink();
            grain.length() < Nanos::from_millis(1)
        });
        assert_eq!(refusals, Some(177));
    }
}
