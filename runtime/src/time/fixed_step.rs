//! The accumulator: how much time a frame is given, and how many ticks that buys.
//!
//! Pure: no clock, no thread. The overstep is held exactly, as a whole number of *units*, where one tick is
//! `den × 10⁹ × 1000` units and one nanosecond at speed `s` thousandths is worth `s × num` units (tick rate
//! `num / den`). So no rounding happens anywhere but at a change of tick rate, and there it is booked.

mod ledger;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use self::ledger::Ledger;
use super::{NANOS_PER_SECOND, Nanos, Rate, Speed};
use crate::frame::record::TickTotals;

/// The longest delta accepted by default; the rest is clamped time.
pub const DEFAULT_MAX_DELTA: Nanos = Nanos::from_millis(250);

/// The largest `f64` that a cast to `f32` leaves below 1: from 1 − 2⁻²⁵ on it rounds to 1.0, and plain division
/// gives exactly 1.0 at some rates too.
const MAX_ALPHA: f64 = (1.0 - 1.0 / (1_u64 << 25) as f64).next_down();

/// What one frame was granted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Advance {
    pub ticks: u32,
    /// Whole ticks due beyond `max_ticks`: dropped, never queued.
    pub capped_ticks: u64,
    /// Whole ticks due beyond the number the run was asked for.
    pub cut_ticks: u64,
    pub clamped: Nanos,
    /// Rounded down to whole ns; the exact value stays inside.
    pub overstep: Nanos,
    /// Overstep ÷ tick length, below 1 as `f64` and as `f32`.
    pub alpha: f64,
    /// The delta was negative and counted as 0.
    pub time_reversal: bool,
}

/// Turns deltas into ticks, and checks after each that none got lost.
#[derive(Clone, Debug)]
pub struct FixedStep {
    // Invariant: overstep < units_per_tick(rate).
    overstep: u128,
    rate: Rate,
    speed: Speed,
    max_delta: Nanos,
    max_ticks: MaxTicks,
    ledger: Ledger,
}

/// How many ticks one frame may run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MaxTicks {
    /// The ticks in 5/60 s, rounded up: follows the tick rate.
    #[default]
    Auto,
    Fixed(u32),
}

impl MaxTicks {
    /// The number at this tick rate, at least 1.
    #[must_use]
    pub fn at(self, rate: Rate) -> u32 {
        match self {
            Self::Fixed(ticks) => ticks.max(1),
            Self::Auto => {
                let ticks = (u64::from(rate.num()) * 5).div_ceil(u64::from(rate.den()) * 60);
                u32::try_from(ticks).unwrap_or(u32::MAX).max(1)
            }
        }
    }
}

impl FixedStep {
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self {
            overstep: 0,
            rate,
            speed: Speed::NORMAL,
            max_delta: DEFAULT_MAX_DELTA,
            max_ticks: MaxTicks::Auto,
            ledger: Ledger::default(),
        }
    }

    /// Grants one frame its ticks.
    pub fn advance(&mut self, delta: Nanos) -> Advance {
        self.advance_up_to(delta, u64::MAX)
    }

    /// As [`FixedStep::advance`], but whole ticks beyond `allowed` are cut.
    pub fn advance_up_to(&mut self, delta: Nanos, allowed: u64) -> Advance {
        self.advance_by(delta, allowed, Nanos::ZERO)
    }

    /// As [`FixedStep::advance_up_to`]; a delta up to `usual` is none too many, whatever the limit: of frames that come
    /// less often than that.
    pub fn advance_by(&mut self, delta: Nanos, allowed: u64, usual: Nanos) -> Advance {
        let time_reversal = delta < Nanos::ZERO;
        let given = delta.0.max(0).unsigned_abs();
        let accepted = given.min(self.max_delta.max(usual).0.max(0).unsigned_abs());
        let per_tick = units_per_tick(self.rate);
        let total = self.overstep + units_of(accepted, self.speed, self.rate);
        let due = u64::try_from(total / per_tick).unwrap_or(u64::MAX);
        self.overstep = total % per_tick;

        let within_cap = due.min(u64::from(self.max_ticks.at(self.rate)));
        let run = within_cap.min(allowed);
        let advance = Advance {
            ticks: u32::try_from(run).unwrap_or(u32::MAX),
            capped_ticks: due - within_cap,
            cut_ticks: within_cap - run,
            clamped: Nanos((given - accepted) as i64),
            overstep: self.overstep(),
            alpha: self.alpha(),
            time_reversal,
        };
        self.ledger.book(delta, &advance, self.speed, self.rate, self.overstep);
        advance
    }

    /// One tick outside any delta: overstep and alpha stay.
    pub fn step_tick(&mut self) -> Advance {
        let advance =
            Advance { ticks: 1, overstep: self.overstep(), alpha: self.alpha(), ..Advance::default() };
        self.ledger.book_stepped(self.overstep, self.rate);
        advance
    }

    /// Changes the tick rate and keeps alpha; what the new rate cannot hold exactly is rounded down and booked.
    pub fn set_rate(&mut self, rate: Rate) {
        if rate == self.rate {
            return;
        }
        let (old, new) = (units_per_tick(self.rate), units_per_tick(rate));
        let rescaled = rescale(self.overstep, old, new);
        self.ledger.close_segment(self.overstep, &rescaled, old, new);
        self.overstep = rescaled.kept;
        self.rate = rate;
    }

    pub fn set_speed(&mut self, speed: Speed) {
        self.speed = speed;
    }

    pub fn set_max_ticks(&mut self, max_ticks: MaxTicks) {
        self.max_ticks = max_ticks;
    }

    pub fn set_max_delta(&mut self, max_delta: Nanos) {
        self.max_delta = Nanos(max_delta.0.max(0));
    }

    #[must_use]
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    #[must_use]
    pub const fn speed(&self) -> Speed {
        self.speed
    }

    #[must_use]
    pub fn max_ticks(&self) -> u32 {
        self.max_ticks.at(self.rate)
    }

    /// What of a delta will be accepted, at the present speed; rounded down to whole ns.
    #[must_use]
    pub fn scaled(&self, delta: Nanos) -> Nanos {
        let accepted = delta.0.clamp(0, self.max_delta.0);
        let scaled = i128::from(accepted) * i128::from(self.speed.thousandths()) / 1000;
        Nanos(i64::try_from(scaled).unwrap_or(i64::MAX))
    }

    /// Overstep in whole ns of simulated time, rounded down.
    #[must_use]
    pub fn overstep(&self) -> Nanos {
        // overstep units ÷ (1000 × num) = ns of simulated time at speed 1.
        let nanos = self.overstep / (1000 * u128::from(self.rate.num()));
        Nanos(i64::try_from(nanos).unwrap_or(i64::MAX))
    }

    /// Overstep in ticks, for reports; equals [`FixedStep::alpha`] but for the last bit.
    #[must_use]
    pub fn overstep_ticks(&self) -> f64 {
        self.alpha()
    }

    /// Overstep ÷ tick length, below 1 as `f64` and as `f32`.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        let alpha = self.overstep as f64 / units_per_tick(self.rate) as f64;
        alpha.min(MAX_ALPHA)
    }

    /// The terms of the tick equation since the start, and whether it held throughout.
    #[must_use]
    pub fn totals(&self) -> TickTotals {
        self.ledger.totals(self.rate)
    }
}

/// Units in one tick: `den × 10⁹ × 1000`.
fn units_per_tick(rate: Rate) -> u128 {
    u128::from(rate.den()) * u128::from(NANOS_PER_SECOND) * 1000
}

fn units_of(nanos: u64, speed: Speed, rate: Rate) -> u128 {
    u128::from(nanos) * u128::from(speed.thousandths()) * u128::from(rate.num())
}

/// An overstep carried over to another tick length: `value ÷ old = kept ÷ new + lost ÷ (lost_per_unit × new)`.
struct Rescaled {
    /// `⌊value × new ÷ old⌋`, below `new`.
    kept: u128,
    /// In fractions of one new unit, fewer than `lost_per_unit`.
    lost: u128,
    lost_per_unit: u128,
}

fn rescale(value: u128, old: u128, new: u128) -> Rescaled {
    let divisor = gcd(old, new);
    let (old, new) = (old / divisor, new / divisor);
    // Both had the factor 10¹², so `new` is at most 10⁹ now; value < 2⁷⁰: the product is below 2¹⁰⁰.
    let product = value * new;
    Rescaled { kept: product / old, lost: product % old, lost_per_unit: old }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
