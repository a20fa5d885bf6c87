//! The books of the tick equation, which show after every frame that no time got lost.

use super::{Advance, Rescaled, units_of, units_per_tick};
use crate::frame::record::TickTotals;
use crate::time::{Nanos, Rate, Speed};

/// The books, kept from what was handed in and out, never from the accumulator itself.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
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
    pub(super) fn book(&mut self, delta: Nanos, advance: &Advance, speed: Speed, rate: Rate, overstep: u128) {
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

    pub(super) fn book_stepped(&mut self, overstep: u128, rate: Rate) {
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

    /// The tick rate changes: the overstep left in old units becomes what the new segment starts with.
    pub(super) fn close_segment(&mut self, left: u128, rescaled: &Rescaled, old: u128, new: u128) {
        self.scaled_before += self.granted_units as f64 / old as f64;
        self.rounded += rescaled.lost as f64 / rescaled.lost_per_unit as f64 / new as f64;
        // left ÷ old = kept ÷ new + lost ÷ (lost_per_unit × new), in whole numbers; each side is below 2¹⁰⁰.
        let per_unit = rescaled.lost_per_unit;
        let exact = left * (new / (old / per_unit)) == rescaled.kept * per_unit + rescaled.lost;
        self.balanced &= exact && rescaled.lost < per_unit && rescaled.kept < new;
        self.start_units = rescaled.kept;
        self.granted_units = 0;
        self.segment_ticks = 0;
        self.segment_capped = 0;
        self.segment_cut = 0;
        self.segment_stepped = 0;
    }

    pub(super) fn totals(&self, rate: Rate) -> TickTotals {
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
