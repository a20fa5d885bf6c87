//! The world's own randomness: seeded, copied and hashed with it.

/// SplitMix64 (Steele, Lea and Flood, 2014): one word of state, the same stream on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    #[must_use]
    pub const fn from_seed(seed: u64) -> Self {
        Self { state: seed }
    }

    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.state;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// Evenly in [−1, 1).
    pub fn signed_unit(&mut self) -> f64 {
        // 53 bits, the whole mantissa.
        (self.next_u64() >> 11) as f64 * (2.0 / 9_007_199_254_740_992.0) - 1.0
    }

    /// The whole state, for the hash.
    #[must_use]
    pub const fn state(&self) -> u64 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        let mut random = Random::from_seed(1_234_567);
        let words: Vec<u64> = (0..5).map(|_| random.next_u64()).collect();
        assert_eq!(
            words,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn signed_unit_stays_in_its_range_and_uses_both_halves() {
        let mut random = Random::from_seed(7);
        let drawn: Vec<f64> = (0..1000).map(|_| random.signed_unit()).collect();
        assert!(drawn.iter().all(|value| (-1.0..1.0).contains(value)));
        let mean = drawn.iter().sum::<f64>() / 1000.0;
        assert!(mean.abs() < 0.06, "{mean}");
    }
}
