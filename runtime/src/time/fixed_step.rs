//! The accumulator: how much time a frame is given, and how many ticks that buys.
//!
//! Pure: no clock, no thread. The overstep is held exactly, as a whole number of *units*, where one tick is
//! `den × 10⁹ × 1000` units and one nanosecond at speed `s` thousandths is worth `s × num` units (tick rate
//! `num / den`). So no rounding happens anywhere but at a change of tick rate, and there it is booked.

use super::{NANOS_PER_SECOND, Nanos, Rate, Speed};
use crate::frame::record::TickTotals;

/// The longest delta accepted by default; the rest is clamped time.
pub const DEFAULT_MAX_DELTA: Nanos = Nanos::from_millis(250);

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
        let time_reversal = delta < Nanos::ZERO;
        let given = delta.0.max(0).unsigned_abs();
        let accepted = given.min(self.max_delta.0.max(0).unsigned_abs());
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
        // overstep < old < 2⁷⁰ and new < 2⁷⁰: the product can pass 128 bits only for the longest fractions.
        let (kept, lost) = rescale(self.overstep, old, new);
        self.ledger.close_segment(lost, old, new, kept);
        self.overstep = kept;
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
        // Plain division rounds to 1.0 at some rates, and so does the later cast to f32; the largest f32 below 1
        // is below 1 in both.
        let alpha = self.overstep as f64 / units_per_tick(self.rate) as f64;
        alpha.min(f64::from(1.0_f32.next_down()))
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

/// `⌊value × new ÷ old⌋` and the remainder of that division (in units of `1 / old` of a new unit).
fn rescale(value: u128, old: u128, new: u128) -> (u128, u128) {
    let divisor = gcd(old, new);
    let (old, new) = (old / divisor, new / divisor);
    // Both share the factor 10¹², so what is left is at most 10⁹; value < 10²¹.
    let product = value * new;
    (product / old, product % old)
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The books, kept from what was handed in and out, never from the accumulator itself.
#[derive(Clone, Debug)]
struct Ledger {
    // A segment is the time between two changes of the tick rate; within it every term is a whole number of units.
    granted_units: u128,
    start_units: u128,
    segment_ticks: u64,
    segment_capped: u64,
    segment_cut: u64,
    segment_stepped: u64,
    // Totals over closed segments.
    scaled_before: f64,
    rounded: f64,
    ticks: u64,
    capped: u64,
    cut: u64,
    stepped: u64,
    clamped: Nanos,
    time_reversals: u64,
    balanced: bool,
}

impl Default for Ledger {
    fn default() -> Self {
        Self {
            granted_units: 0,
            start_units: 0,
            segment_ticks: 0,
            segment_capped: 0,
            segment_cut: 0,
            segment_stepped: 0,
            scaled_before: 0.0,
            rounded: 0.0,
            ticks: 0,
            capped: 0,
            cut: 0,
            stepped: 0,
            clamped: Nanos::ZERO,
            time_reversals: 0,
            balanced: true,
        }
    }
}

impl Ledger {
    fn book(&mut self, delta: Nanos, advance: &Advance, speed: Speed, rate: Rate, overstep: u128) {
        let kept = (delta.0.max(0) - advance.clamped.0).max(0).unsigned_abs();
        self.granted_units += units_of(kept, speed, rate);
        self.segment_ticks += u64::from(advance.ticks);
        self.segment_capped += advance.capped_ticks;
        self.segment_cut += advance.cut_ticks;
        self.ticks += u64::from(advance.ticks);
        self.capped += advance.capped_ticks;
        self.cut += advance.cut_ticks;
        self.clamped += advance.clamped;
        self.time_reversals += u64::from(advance.time_reversal);
        self.check(overstep, rate);
    }

    fn book_stepped(&mut self, overstep: u128, rate: Rate) {
        self.segment_stepped += 1;
        self.segment_ticks += 1;
        self.stepped += 1;
        self.ticks += 1;
        self.check(overstep, rate);
    }

    /// start + granted + stepped = ticks + overstep + capped + cut, in whole units.
    fn check(&mut self, overstep: u128, rate: Rate) {
        let per_tick = units_per_tick(rate);
        let inflow = self.start_units + self.granted_units + u128::from(self.segment_stepped) * per_tick;
        let whole =
            u128::from(self.segment_ticks) + u128::from(self.segment_capped) + u128::from(self.segment_cut);
        self.balanced &= overstep < per_tick && inflow == whole * per_tick + overstep;
    }

    fn close_segment(&mut self, lost: u128, old: u128, new: u128, kept: u128) {
        self.scaled_before += self.granted_units as f64 / old as f64;
        let divisor = gcd(old, new);
        self.rounded += lost as f64 / (old / divisor) as f64 / new as f64;
        self.start_units = kept;
        self.granted_units = 0;
        self.segment_ticks = 0;
        self.segment_capped = 0;
        self.segment_cut = 0;
        self.segment_stepped = 0;
    }

    fn totals(&self, rate: Rate) -> TickTotals {
        TickTotals {
            scaled_ticks: self.scaled_before + self.granted_units as f64 / units_per_tick(rate) as f64,
            stepped: self.stepped,
            ticks: self.ticks,
            capped: self.capped,
            rounded_ticks: self.rounded,
            cut: self.cut,
            clamped: self.clamped,
            time_reversals: self.time_reversals,
            balanced: self.balanced,
        }
    }
}
