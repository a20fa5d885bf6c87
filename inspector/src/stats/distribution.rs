//! The figures of durations that come one by one for as long as a run goes on, in memory that does not grow with it.

use std::collections::BTreeMap;

use framewalk_runtime::time::Nanos;

use super::{Quantile, Summary};

/// How percentiles are rounded where there were too many values to keep, for the place where one is shown.
pub const ROUNDED: &str = "within 0.05 % of the value at that rank";

/// So many values are kept as they came: half a megabyte, and eighteen minutes at 60 Hz.
const MOST_EXACT: usize = 65_536;
/// Of a rounded value that many binary digits count: it is in the middle of 1/1024 of its power of two, so at most 1/2048 of
/// it away from what was measured.
const DIGITS: u32 = 11;

/// How often which duration was measured. Count, sum and maximum are exact however many there are.
///
/// Percentiles are those of [`Summary`] to the nanosecond at first. With more than 65,536 values they are the value at the same
/// nearest rank, rounded: at most 0.05 % of it away. Then it holds a count for each rounded value, which are as many as there
/// are different ones: 1024 for each doubling of the duration, so some 20,000 between a microsecond and a second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    values: Values,
    // How many are kept as they came.
    most_exact: usize,
    count: usize,
    sum: i128,
    max: Nanos,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Values {
    Exact(Vec<Nanos>),
    // How many there are of each rounded value.
    Rounded(BTreeMap<i64, u64>),
}

impl Default for Distribution {
    fn default() -> Self {
        Self::with_most_exact(MOST_EXACT)
    }
}

impl Distribution {
    /// One that keeps every value, 8 bytes each, and so stays exact: for a run whose records are kept as well.
    #[must_use]
    pub const fn exact() -> Self {
        Self::with_most_exact(usize::MAX)
    }

    /// One that keeps so many values, 8 bytes each, and rounds where there are more.
    #[must_use]
    pub const fn with_most_exact(most_exact: usize) -> Self {
        Self { values: Values::Exact(Vec::new()), most_exact, count: 0, sum: 0, max: Nanos(i64::MIN) }
    }

    /// One more duration was measured.
    pub fn add(&mut self, value: Nanos) {
        self.count += 1;
        self.sum += i128::from(value.0);
        self.max = self.max.max(value);
        match &mut self.values {
            Values::Exact(values) if values.len() < self.most_exact => values.push(value),
            Values::Exact(values) => {
                let mut counts = BTreeMap::new();
                for value in values.drain(..).chain([value]) {
                    *counts.entry(rounded(value.0)).or_default() += 1;
                }
                self.values = Values::Rounded(counts);
            }
            Values::Rounded(counts) => *counts.entry(rounded(value.0)).or_default() += 1,
        }
    }

    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Percentiles are those of the values as they were measured.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        matches!(self.values, Values::Exact(_))
    }

    /// The figures of all of them; none where there are none.
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        let counts = match &self.values {
            Values::Exact(values) => return Summary::of(&mut values.clone()),
            Values::Rounded(counts) => counts,
        };
        // The middle of the last stretch may lie above the maximum.
        let at = |quantile: Quantile| value_at(counts, quantile.rank(self.count)).min(self.max);
        Some(Summary {
            count: self.count,
            mean_nanos: self.sum as f64 / self.count as f64,
            p50: at(Quantile::P50),
            p95: at(Quantile::P95),
            p99: at(Quantile::P99),
            p999: at(Quantile::P999),
            max: self.max,
        })
    }
}

impl FromIterator<Nanos> for Distribution {
    fn from_iter<I: IntoIterator<Item = Nanos>>(values: I) -> Self {
        let mut own = Self::default();
        values.into_iter().for_each(|value| own.add(value));
        own
    }
}

/// The value at a 1-based rank of an ascending row, given as how often each is in it.
fn value_at(counts: &BTreeMap<i64, u64>, rank: usize) -> Nanos {
    let mut passed = 0;
    for (value, count) in counts {
        passed += count;
        if passed >= rank as u64 {
            return Nanos(*value);
        }
    }
    Nanos(counts.last_key_value().map_or(0, |(value, _)| *value))
}

/// The middle of the stretch that a value lies in; one of few digits is itself. The greater of two values is never rounded
/// to less than the other.
fn rounded(value: i64) -> i64 {
    let size = value.unsigned_abs();
    let dropped = (u64::BITS - size.leading_zeros()).saturating_sub(DIGITS);
    if dropped == 0 {
        return value;
    }
    let middle = ((size >> dropped) << dropped) | 1 << (dropped - 1);
    // The middle lies within the power of two of the size, which is at most 2^63.
    let middle = i64::try_from(middle).unwrap_or(i64::MAX);
    if value < 0 { -middle } else { middle }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "the values are exact")]

    use super::*;

    #[test]
    fn a_value_of_eleven_digits_is_itself_and_a_longer_one_the_middle_of_its_stretch() {
        for (value, expected) in [
            (0, 0),
            (2_047, 2_047),
            (-2_047, -2_047),
            (2_048, 2_049),
            (2_049, 2_049),
            (2_050, 2_051),
            (1_000_000, 1_000_192),
            (-1_000_000, -1_000_192),
            (i64::MAX, 0x7ff8_0000_0000_0000),
            (i64::MIN, -i64::MAX),
        ] {
            assert_eq!(rounded(value), expected, "{value}");
        }
    }

    #[test]
    fn as_many_as_are_kept_are_exact_and_with_one_more_they_are_rounded() {
        let mut distribution = Distribution::with_most_exact(3);
        for value in [5_000_001, 1, 3_000_001] {
            distribution.add(Nanos(value));
        }
        let exact = distribution.summary().unwrap();
        assert!(distribution.is_exact());
        assert_eq!((exact.p50, exact.max), (Nanos(3_000_001), Nanos(5_000_001)));
        distribution.add(Nanos(3_000_002));
        let rounded = distribution.summary().unwrap();
        assert!(!distribution.is_exact());
        assert_eq!((rounded.count, rounded.p50, rounded.p999), (4, Nanos(2_999_296), Nanos(4_999_168)));
        assert_eq!((rounded.mean_nanos, rounded.max), (2_750_001.25, Nanos(5_000_001)));
    }

    #[test]
    fn a_million_durations_take_as_much_memory_as_they_differ() {
        let mut distribution = Distribution::default();
        // From a microsecond to a second, one after the other, and the longest early on.
        distribution.add(Nanos(7_000_000_001));
        for n in 0..1_000_000_i64 {
            distribution.add(Nanos(1_000 + n * 999));
        }
        let Values::Rounded(counts) = &distribution.values else { panic!("they are rounded") };
        assert!(counts.len() < 21_000, "{} counts", counts.len());
        let summary = distribution.summary().unwrap();
        assert_eq!((summary.count, summary.max), (1_000_001, Nanos(7_000_000_001)));
    }

    /// Numbers that are the same every time, of all sizes and both signs.
    fn mixed(seed: u64) -> impl Iterator<Item = Nanos> {
        let mut state = seed;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let size = 20 + (state >> 8) % 43;
            Nanos(state.cast_signed() >> size)
        })
    }

    #[test]
    fn every_percentile_is_within_half_a_per_mille_of_the_exact_one_and_the_rest_is_exact() {
        for count in 1..300 {
            let mut values: Vec<Nanos> = mixed(count).take(count as usize).collect();
            let mut distribution = Distribution::with_most_exact(0);
            values.iter().for_each(|value| distribution.add(*value));
            let (of, exact) = (distribution.summary().unwrap(), Summary::of(&mut values).unwrap());
            assert_eq!((of.count, of.mean_nanos, of.max), (exact.count, exact.mean_nanos, exact.max));
            let percentiles =
                [(of.p50, exact.p50), (of.p95, exact.p95), (of.p99, exact.p99), (of.p999, exact.p999)];
            for (of, exact) in percentiles {
                let off = of.0.abs_diff(exact.0);
                assert!(off <= exact.0.unsigned_abs() / 2_048 + 1, "{of:?} for {exact:?}, {count} values");
            }
        }
    }
}
