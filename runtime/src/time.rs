//! Whole nanoseconds, ticks, frames and exact rates.

pub mod cadence;
pub mod decimal;
pub mod expectation;
pub mod fixed_step;
pub mod frame_clock;
pub mod grain;
pub mod motion_clock;
pub mod pacer;
pub mod phase_lock;
pub mod rest;
pub mod simulated;
pub mod source;
pub mod tail;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::{Add, AddAssign, Sub, SubAssign};
use std::str::FromStr;
use std::time::Duration;

/// Nanoseconds in a second.
pub const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// A time on the monotonic clock, or a length of time; whole nanoseconds, signed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(pub i64);

impl Nanos {
    pub const ZERO: Self = Self(0);
    pub const MAX: Self = Self(i64::MAX);

    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(1_000_000))
    }

    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros.saturating_mul(1_000))
    }

    #[must_use]
    pub const fn from_secs(seconds: i64) -> Self {
        Self(seconds.saturating_mul(NANOS_PER_SECOND as i64))
    }

    /// For whoever sleeps that long; no time at all where it is negative.
    #[must_use]
    pub const fn to_duration(self) -> Duration {
        Duration::from_nanos(if self.0 < 0 { 0 } else { self.0.unsigned_abs() })
    }

    /// For display and plots only: no time is ever summed as a float.
    #[must_use]
    pub fn as_millis_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// For display and plots only.
    #[must_use]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl Add for Nanos {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Nanos {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Nanos {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl SubAssign for Nanos {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// A count of fixed simulation steps: tick n is the state after n of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tick(pub u64);

/// Number of a frame since Play, from 1; 0 names no frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameIndex(pub u64);

/// An exact number of ticks or deadlines a second, 1–1000 Hz.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rate {
    // Lowest terms, 1 ≤ num/den ≤ 1000 and both within `Rate::MAX_TERM`: what keeps every product below in 128 bits.
    num: u32,
    den: u32,
}

/// Why a text or a pair of numbers is no rate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} {why}")]
pub struct RateError {
    /// What was given.
    pub given: String,
    pub why: NoRate,
}

/// What keeps a text or a pair of numbers from being a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRate {
    /// It is out of bounds, or no number at all.
    #[error(
        "is no rate: write 1 to 1000 Hz as a whole number (60), a decimal (59.94) or a fraction (60000/1001)"
    )]
    Other,
    /// As an exact fraction in lowest terms, a term of it is above [`Rate::MAX_TERM`].
    #[error(
        "has too many digits to be an exact rate: write at most 6 behind the point, or a fraction with terms of at most {}",
        Rate::MAX_TERM
    )]
    TooFine,
}

impl Rate {
    /// Largest numerator and denominator, in lowest terms.
    pub const MAX_TERM: u32 = 1_000_000_000;
    pub const HZ_60: Self = Self { num: 60, den: 1 };
    pub const HZ_250: Self = Self { num: 250, den: 1 };

    /// `num / den` Hz, reduced to lowest terms.
    ///
    /// # Errors
    /// Outside 1–1000 Hz, a zero denominator, or terms above [`Rate::MAX_TERM`] even when reduced.
    pub fn new(num: u64, den: u64) -> Result<Self, RateError> {
        let refused = |why| RateError { given: format!("{num}/{den}"), why };
        if den == 0 || num < den || u128::from(num) > 1000 * u128::from(den) {
            return Err(refused(NoRate::Other));
        }
        let divisor = greatest_common_divisor(num, den);
        let (num, den) = (num / divisor, den / divisor);
        match (u32::try_from(num), u32::try_from(den)) {
            (Ok(num), Ok(den)) if num <= Self::MAX_TERM && den <= Self::MAX_TERM => Ok(Self { num, den }),
            _ => Err(refused(NoRate::TooFine)),
        }
    }

    /// A whole number of Hz.
    ///
    /// # Errors
    /// Outside 1–1000.
    pub fn hz(hz: u32) -> Result<Self, RateError> {
        Self::new(u64::from(hz), 1)
    }

    /// So many times as fast, held within 1–1000 Hz; unchanged where that is no exact rate.
    #[must_use]
    pub fn scaled(self, speed: Speed) -> Self {
        let (num, den) = self.terms_at(speed);
        if num < den {
            return Self { num: 1, den: 1 };
        }
        if num > 1000 * den {
            return Self { num: 1000, den: 1 };
        }
        Self::new(num, den).unwrap_or(self)
    }

    /// So many times as fast; none where that is no rate: outside 1–1000 Hz, or in terms too large to be exact.
    #[must_use]
    pub fn times(self, speed: Speed) -> Option<Self> {
        let (num, den) = self.terms_at(speed);
        Self::new(num, den).ok()
    }

    fn terms_at(self, speed: Speed) -> (u64, u64) {
        (u64::from(self.num) * u64::from(speed.thousandths()), u64::from(self.den) * 1000)
    }

    #[must_use]
    pub const fn num(self) -> u32 {
        self.num
    }

    #[must_use]
    pub const fn den(self) -> u32 {
        self.den
    }

    /// For display and plots only.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.num) / f64::from(self.den)
    }

    /// One period or tick in seconds, for physics and display.
    #[must_use]
    pub fn period_secs_f64(self) -> f64 {
        f64::from(self.den) / f64::from(self.num)
    }

    /// `⌈10⁹ × den ÷ num⌉` ns.
    #[must_use]
    pub fn period(self) -> Nanos {
        self.time_of(1)
    }

    /// `⌈n × 10⁹ × den ÷ num⌉` ns, `i64::MAX` beyond: grid point n, counted from its reference.
    #[must_use]
    pub fn time_of(self, n: u64) -> Nanos {
        let num = u128::from(self.num);
        // n < 2⁶⁴, 10⁹ < 2³⁰, den < 2³⁰: below 2¹²⁴.
        let product = u128::from(n) * u128::from(NANOS_PER_SECOND) * u128::from(self.den);
        Nanos(i64::try_from(product.div_ceil(num)).unwrap_or(i64::MAX))
    }

    /// The largest n with `time_of(n) <= elapsed`; 0 for a negative time.
    #[must_use]
    pub fn last_point_at(self, elapsed: Nanos) -> u64 {
        let elapsed = u128::from(elapsed.0.max(0).unsigned_abs());
        let n = elapsed * u128::from(self.num) / (u128::from(NANOS_PER_SECOND) * u128::from(self.den));
        u64::try_from(n).unwrap_or(u64::MAX)
    }
}

impl Default for Rate {
    fn default() -> Self {
        Self::HZ_60
    }
}

/// `60`, `59.94`, or `60000/1001` where no short decimal is exact.
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == 1 {
            return write!(f, "{}", self.num);
        }
        for places in 1..=6_u32 {
            let scale = 10_u64.pow(places);
            if scale % u64::from(self.den) == 0 {
                let scaled = u64::from(self.num) * (scale / u64::from(self.den));
                return write!(f, "{}.{:0width$}", scaled / scale, scaled % scale, width = places as usize);
            }
        }
        write!(f, "{}/{}", self.num, self.den)
    }
}

impl fmt::Debug for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} Hz")
    }
}

impl FromStr for Rate {
    type Err = RateError;

    fn from_str(text: &str) -> Result<Self, RateError> {
        let refused_as = |why| RateError { given: text.to_owned(), why };
        let refused = || refused_as(NoRate::Other);
        let is_plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let digits = |part: &str| if is_plain(part) { part.parse::<u64>().ok() } else { None };
        let trimmed = text.trim();
        let (num, den) = if let Some((num, den)) = trimmed.split_once('/') {
            (digits(num.trim()).ok_or_else(refused)?, digits(den.trim()).ok_or_else(refused)?)
        } else if let Some((whole, fraction)) = trimmed.split_once('.') {
            let fraction = fraction.trim_end_matches('0');
            if fraction.len() > 9 {
                let is_within =
                    is_plain(fraction) && digits(whole).is_some_and(|whole| (1..1000).contains(&whole));
                return Err(if is_within { refused_as(NoRate::TooFine) } else { refused() });
            }
            let den = 10_u64.pow(fraction.len() as u32);
            let part = if fraction.is_empty() { 0 } else { digits(fraction).ok_or_else(refused)? };
            let whole = digits(whole).ok_or_else(refused)?;
            (whole.checked_mul(den).and_then(|n| n.checked_add(part)).ok_or_else(refused)?, den)
        } else {
            (digits(trimmed).ok_or_else(refused)?, 1)
        };
        Self::new(num, den).map_err(|error| refused_as(error.why))
    }
}

/// How fast simulated time runs against real time, in thousandths, 0–8000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Speed(u32);

/// Why a number is no speed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is no speed: write 0 to 8 in steps of 0.001")]
pub struct SpeedError {
    /// What was given.
    pub given: String,
}

impl Speed {
    pub const ZERO: Self = Self(0);
    pub const NORMAL: Self = Self(1000);

    /// # Errors
    /// Above 8000.
    pub fn from_thousandths(thousandths: u32) -> Result<Self, SpeedError> {
        if thousandths > 8000 {
            let given = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
            return Err(SpeedError { given });
        }
        Ok(Self(thousandths))
    }

    #[must_use]
    pub const fn thousandths(self) -> u32 {
        self.0
    }

    /// So much simulated time in time on the clock; none at speed 0.
    #[must_use]
    pub fn on_the_clock(self, simulated: Nanos) -> Option<Nanos> {
        let real = (i128::from(simulated.0) * 1000).checked_div(i128::from(self.0))?;
        Some(Nanos(i64::try_from(real).unwrap_or(i64::MAX)))
    }

    /// For display and plots only.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl Default for Speed {
    fn default() -> Self {
        Self::NORMAL
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.0) / 1000.0)
    }
}

impl FromStr for Speed {
    type Err = SpeedError;

    fn from_str(text: &str) -> Result<Self, SpeedError> {
        let refused = || SpeedError { given: text.to_owned() };
        let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
        let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let fraction = fraction.trim_end_matches('0');
        if whole.is_empty() || whole.len() > 4 || fraction.len() > 3 || !plain(whole) || !plain(fraction) {
            return Err(refused());
        }
        let whole: u32 = whole.parse().map_err(|_| refused())?;
        let part: u32 = format!("{fraction:0<3}").parse().map_err(|_| refused())?;
        Self::from_thousandths(whole * 1000 + part).map_err(|_| refused())
    }
}

pub(crate) const fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
