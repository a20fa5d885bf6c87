//! Simulated time: the sum of the lengths of the ticks run, exact across changes of the tick rate.

use std::fmt;

use super::{NANOS_PER_SECOND, Nanos, Rate};

/// How much time a world has lived, exactly; never a sum of floats.
///
/// Held as whole nanoseconds and a fraction of one. A fraction's denominator is the least common multiple of the
/// numerators of the tick rates used, so it stays small: all whole rates up to 60 Hz together take 84 bits. Only
/// where a dozen large unrelated rates (997, 991, …), or four with numerators near 10⁹, were all used in one run
/// could it pass 120 bits; then the fraction alone is rounded down to a multiple of 2⁻⁶⁴ ns, and
/// [`SimulatedTime::is_exact`] says so.
#[derive(Clone, Copy)]
pub struct SimulatedTime {
    whole_nanos: u128,
    // Invariant: numerator < denominator ≤ MAX_DENOMINATOR. In lowest terms only where `reduced` made it so.
    numerator: u128,
    denominator: u128,
    rounded: bool,
}

/// Room for the sum of two fractions below 1 with this denominator, and for one doubling.
const MAX_DENOMINATOR: u128 = 1 << 120;
/// What a fraction is rounded down to where nothing else helps.
const ROUNDED_DENOMINATOR: u128 = 1 << 64;

impl SimulatedTime {
    /// Tick 0.
    pub const ZERO: Self = Self { whole_nanos: 0, numerator: 0, denominator: 1, rounded: false };

    /// Adds the length of `ticks` ticks at `rate`, exactly.
    pub fn add_ticks(&mut self, ticks: u64, rate: Rate) {
        let num = u128::from(rate.num());
        // ticks < 2⁶⁴, 10⁹ < 2³⁰, den < 2³⁰: below 2¹²⁴.
        let length = u128::from(ticks) * u128::from(NANOS_PER_SECOND) * u128::from(rate.den());
        self.whole_nanos = self.whole_nanos.saturating_add(length / num);
        let remainder = length % num;
        if remainder != 0 {
            self.add_fraction(remainder, num);
        }
    }

    /// Whole nanoseconds, rounded down; `i64::MAX` beyond.
    #[must_use]
    pub fn nanos(&self) -> Nanos {
        Nanos(i64::try_from(self.whole_nanos).unwrap_or(i64::MAX))
    }

    /// Seconds, for whatever is a function of simulated time: within 2⁻⁵² of the exact value, relatively, so a
    /// thing that moves by it is steady to 10⁻¹⁰ s after days.
    #[must_use]
    pub fn seconds_f64(&self) -> f64 {
        let second = u128::from(NANOS_PER_SECOND);
        let (seconds, nanos) = (self.whole_nanos / second, self.whole_nanos % second);
        seconds as f64 + (nanos as f64 + self.fraction_f64()) / 1e9
    }

    /// How much later this is than `earlier`, in seconds; negative where it is earlier. Of times that are close to each
    /// other it is as exact as an `f64` of their difference.
    #[must_use]
    pub fn seconds_since(&self, earlier: &Self) -> f64 {
        // Both are below 2⁹⁷ by far.
        let whole = self.whole_nanos as i128 - earlier.whole_nanos as i128;
        (whole as f64 + (self.fraction_f64() - earlier.fraction_f64())) / 1e9
    }

    /// The simulated time a picture shows: this time, that of the tick before the last, plus alpha of the last
    /// tick's length; to the nearest ns. At tick 0 there is no last tick, and it shows its own time.
    #[must_use]
    pub fn shown(&self, last_tick_rate: Option<Rate>, alpha: f64) -> Nanos {
        let Some(rate) = last_tick_rate else { return self.nanos() };
        let (num, den) = (f64::from(rate.num()), f64::from(rate.den()));
        // At most 10⁹ ns and a fraction: exact to far below half a ns.
        let blended = alpha * (NANOS_PER_SECOND as f64 * den / num) + self.fraction_f64();
        self.nanos() + Nanos(blended.round() as i64)
    }

    /// No fraction was ever rounded.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        !self.rounded
    }

    fn fraction_f64(&self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Adds `numerator / denominator` ns, which is below 1.
    fn add_fraction(&mut self, numerator: u128, denominator: u128) {
        // Nearly always the denominator is there already: no search for a common one.
        let held = match common_denominator(self.denominator, denominator) {
            Some(common) => self.over(common),
            None => self.making_room(denominator),
        };
        *self = held;
        self.numerator += numerator * (self.denominator / denominator);
        if self.numerator >= self.denominator {
            self.numerator -= self.denominator;
            self.whole_nanos = self.whole_nanos.saturating_add(1);
        }
    }

    /// The same time over a denominator that is a multiple of its own.
    fn over(self, denominator: u128) -> Self {
        Self { numerator: self.numerator * (denominator / self.denominator), denominator, ..self }
    }

    /// The same time over a multiple of `denominator`: in lowest terms where that is enough, else rounded down.
    fn making_room(self, denominator: u128) -> Self {
        let reduced = self.reduced();
        if let Some(common) = common_denominator(reduced.denominator, denominator) {
            return reduced.over(common);
        }
        let rounded = Self {
            numerator: scaled_fraction(reduced.numerator, reduced.denominator),
            denominator: ROUNDED_DENOMINATOR,
            rounded: true,
            ..self
        };
        // 2⁶⁴ × a rate's numerator is below 2⁹⁴.
        rounded.over(ROUNDED_DENOMINATOR * denominator)
    }

    fn reduced(self) -> Self {
        let divisor = greatest_common_divisor(self.denominator, self.numerator);
        Self { numerator: self.numerator / divisor, denominator: self.denominator / divisor, ..self }
    }
}

impl Default for SimulatedTime {
    fn default() -> Self {
        Self::ZERO
    }
}

/// Two times are equal when they are the same time, however they were reached.
impl PartialEq for SimulatedTime {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.reduced(), other.reduced());
        (a.whole_nanos, a.numerator, a.denominator) == (b.whole_nanos, b.numerator, b.denominator)
    }
}

impl Eq for SimulatedTime {}

impl fmt::Debug for SimulatedTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reduced = self.reduced();
        write!(f, "{} + {}/{} ns", reduced.whole_nanos, reduced.numerator, reduced.denominator)
    }
}

/// The least common multiple, where it is at most `MAX_DENOMINATOR`.
fn common_denominator(a: u128, b: u128) -> Option<u128> {
    if a.is_multiple_of(b) {
        return Some(a);
    }
    (a / greatest_common_divisor(a, b)).checked_mul(b).filter(|common| *common <= MAX_DENOMINATOR)
}

/// `⌊2⁶⁴ × numerator ÷ denominator⌋` for a fraction below 1, by long division: the product would pass 128 bits.
fn scaled_fraction(numerator: u128, denominator: u128) -> u128 {
    let (mut quotient, mut remainder) = (0_u128, numerator);
    for _ in 0..64 {
        remainder *= 2;
        quotient *= 2;
        if remainder >= denominator {
            remainder -= denominator;
            quotient += 1;
        }
    }
    quotient
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rate(text: &str) -> Rate {
        text.parse().unwrap()
    }

    fn after(parts: &[(u64, &str)]) -> SimulatedTime {
        let mut time = SimulatedTime::ZERO;
        for (ticks, hz) in parts {
            time.add_ticks(*ticks, rate(hz));
        }
        time
    }

    #[test]
    fn whole_seconds_of_ticks_are_whole_seconds() {
        let table: [(&[(u64, &str)], i64); 8] = [
            (&[(60, "60")], 1_000_000_000),
            (&[(600, "60")], 10_000_000_000),
            (&[(6_480_000, "60")], 108_000_000_000_000),
            (&[(2997, "59.94")], 50_000_000_000),
            (&[(60_000, "60000/1001")], 1_001_000_000_000),
            (&[(30, "60"), (72, "144")], 1_000_000_000),
            (&[(1, "60"), (2, "7"), (3, "11"), (59, "60"), (5, "7"), (8, "11")], 3_000_000_000),
            (&[(3, "64"), (61, "64"), (1, "1")], 2_000_000_000),
        ];
        for (parts, nanos) in table {
            let time = after(parts);
            assert_eq!(time, after(&[(nanos as u64 / 1_000_000, "1000")]), "{parts:?}");
            assert_eq!(time.nanos(), Nanos(nanos), "{parts:?}");
            assert_eq!(time.seconds_f64(), nanos as f64 / 1e9, "{parts:?}");
        }
    }

    #[test]
    fn ticks_one_by_one_are_the_same_time_as_all_at_once() {
        for hz in ["60", "64", "144", "59.94", "60000/1001", "997", "1000000000/999999937"] {
            let mut time = SimulatedTime::ZERO;
            for _ in 0..2_000 {
                time.add_ticks(1, rate(hz));
            }
            assert_eq!(time, after(&[(2_000, hz)]), "{hz}");
        }
    }

    #[test]
    fn nanos_are_rounded_down() {
        for (ticks, nanos) in [(0, 0), (1, 16_666_666), (2, 33_333_333), (3, 50_000_000)] {
            assert_eq!(after(&[(ticks, "60")]).nanos(), Nanos(nanos), "{ticks} ticks");
        }
        // Two thirds and a seventh part: 16 666 666 2/3 + 142 857 142 6/7 = 159 523 809 11/21.
        assert_eq!(after(&[(1, "60"), (1, "7")]).nanos(), Nanos(159_523_809));
    }

    #[test]
    fn the_seconds_between_two_times_are_exact_however_late_they_are() {
        let late = after(&[(6_480_000, "60")]);
        let mut later = late;
        later.add_ticks(1, rate("512"));
        assert_eq!(later.seconds_since(&late), 1.0 / 512.0);
        assert_eq!(late.seconds_since(&later), -1.0 / 512.0);
        later.add_ticks(2, rate("60"));
        assert!((later.seconds_since(&late) - (1.0 / 512.0 + 1.0 / 30.0)).abs() < 1e-17);
        assert_eq!(after(&[(20, "60")]).seconds_since(&after(&[(1, "3")])), 0.0);
    }

    #[test]
    fn motion_as_a_function_of_it_is_steady_after_thirty_hours() {
        let mut time = after(&[(6_480_000, "60")]);
        let mut last = time.seconds_f64();
        for _ in 0..600 {
            time.add_ticks(1, rate("60"));
            let now = time.seconds_f64();
            assert!((now - last - 1.0 / 60.0).abs() < 1e-10, "{}", now - last);
            last = now;
        }
    }

    #[test]
    fn more_unrelated_rates_than_fit_cost_less_than_a_billionth_of_a_nanosecond() {
        let mut time = SimulatedTime::ZERO;
        let primes = [997, 991, 983, 977, 971, 967, 953, 947, 941, 937, 929, 919, 911, 907, 887, 883];
        for hz in &primes[..11] {
            time.add_ticks(1, Rate::hz(*hz).unwrap());
        }
        assert!(time.is_exact());
        for hz in primes.iter().cycle().take(400) {
            time.add_ticks(1, Rate::hz(*hz).unwrap());
        }
        assert!(!time.is_exact());
        for hz in primes {
            let ran = 25 + u64::from(hz >= 929);
            time.add_ticks(u64::from(hz) - ran, Rate::hz(hz).unwrap());
        }
        // Sixteen whole seconds, but for what was rounded down.
        let missing = 16_000_000_000 - time.whole_nanos;
        assert!(missing == 0 || (missing == 1 && 1.0 - time.fraction_f64() < 1e-9), "{time:?}");
    }

    #[test]
    fn it_holds_at_its_ceiling() {
        let mut time = after(&[(u64::MAX, "1")]);
        assert_eq!(time.nanos(), Nanos::MAX);
        time.add_ticks(u64::MAX, rate("1"));
        assert_eq!(time.shown(Some(rate("1")), 0.5), Nanos::MAX);
    }

    #[test]
    fn what_is_shown_is_the_tick_before_plus_alpha_of_the_last() {
        let table = [
            (SimulatedTime::ZERO, None, 0.0, 0),
            (SimulatedTime::ZERO, None, 0.75, 0),
            (SimulatedTime::ZERO, Some("50"), 0.0, 0),
            (SimulatedTime::ZERO, Some("50"), 0.3, 6_000_000),
            (after(&[(3, "10")]), Some("10"), 0.5, 350_000_000),
            (after(&[(1, "60")]), Some("60"), 0.0, 16_666_667),
            (after(&[(1, "60")]), Some("60"), 0.5, 25_000_000),
            (after(&[(2, "60")]), Some("60"), 0.0, 33_333_333),
            // The last tick's own length counts, not that of the ticks before it.
            (after(&[(6, "60")]), Some("10"), 0.25, 125_000_000),
        ];
        for (previous, last, alpha, shown) in table {
            assert_eq!(previous.shown(last.map(rate), alpha), Nanos(shown), "{previous:?} {last:?} {alpha}");
        }
    }

    proptest! {
        #[test]
        fn it_is_the_exact_sum_whatever_rates_follow_one_another(
            parts in prop::collection::vec((0..1_000_000_u64, 1..=40_u32), 1..200),
        ) {
            // The least common multiple of 1 to 40: every tick length is a whole number of 1 / COMMON ns.
            const COMMON: u128 = 5_342_931_457_063_200;
            let (mut time, mut exact) = (SimulatedTime::ZERO, 0_u128);
            for (ticks, hz) in parts {
                time.add_ticks(ticks, Rate::hz(hz).unwrap());
                exact += u128::from(ticks) * 1_000_000_000 * (COMMON / u128::from(hz));
                prop_assert_eq!(time.whole_nanos, exact / COMMON);
                prop_assert_eq!(time.numerator * COMMON, exact % COMMON * time.denominator);
                let seconds = exact as f64 / COMMON as f64 / 1e9;
                prop_assert!((time.seconds_f64() - seconds).abs() <= seconds * 1e-15);
            }
            prop_assert!(time.is_exact());
        }
    }
}
