//! Where in the last tick a picture is, by the renderer's own time. Pure.

use crate::time::{Nanos, Speed};

/// The time of a tick's motion, on the clock and in the world: from the pose of the tick before to its own.
///
/// It lies one tick behind the tick's own time, as the pictures of the other handoffs do, and behind that by a margin
/// that lets a tick come a little late: see [`Margin`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickSpan {
    /// When the motion begins, on the monotonic clock.
    pub begin: Nanos,
    /// How long it takes there. 0: everything stands, and the tick is shown as it was simulated.
    pub length: Nanos,
    /// The simulated time of the tick before, and how much the tick added.
    pub shown_begin: Nanos,
    pub shown_length: Nanos,
}

/// How long after its time a tick's motion is drawn: as long as ticks take to come, and a little more, so that the next
/// one is there when the motion of one ends.
///
/// It rises at once, when a tick comes later than any lately, and goes back so slowly that nobody sees it. It is at most
/// two ticks: four are kept, and the one that is drawn must be among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Margin(Nanos);

impl Margin {
    /// The least there is, where half a tick is not less: what computing a small tick and waking for it take.
    const LEAST: Nanos = Nanos::from_millis(1);
    /// A tick's length by this is what it goes back with each tick: a thousandth of the motion's speed.
    const BACK: i64 = 1_000;

    /// After a tick of this length on the clock that came so late.
    pub fn after(&mut self, lateness: Nanos, length: Nanos) -> Nanos {
        let least = Self::LEAST.min(Nanos(length.0 / 2));
        let most = Nanos(length.0.saturating_mul(2));
        let wanted = Nanos(lateness.0.saturating_add(lateness.0 / 8)).max(least).min(most);
        let back = Nanos(length.0 / Self::BACK);
        self.0 = if wanted > self.0 { wanted } else { (self.0 - back).max(wanted) };
        self.0
    }
}

/// Two grids that are rounded up to whole nanoseconds may differ by so much.
const ROUNDING: Nanos = Nanos(2);

/// The largest alpha: below 1 as `f64` and as `f32`.
const JUST_BELOW_ONE: f64 = 1.0 - 1.0 / (1 << 24) as f64;

impl TickSpan {
    /// The span of a tick that came with the frame of this render time, which left `overstep` behind at this speed.
    #[must_use]
    pub fn running(
        render_time: Nanos,
        overstep: Nanos,
        tick_length: Nanos,
        speed: Speed,
        margin: Nanos,
        shown_begin: Nanos,
        shown_length: Nanos,
    ) -> Self {
        let Some(length) = Self::on_the_clock(tick_length, speed) else {
            return Self::standing(shown_begin, shown_length);
        };
        let since = Self::on_the_clock(overstep, speed).unwrap_or(Nanos::ZERO);
        Self { begin: render_time - since + margin, length, shown_begin, shown_length }
    }

    /// So much simulated time in time on the clock; none at speed 0.
    #[must_use]
    pub fn on_the_clock(simulated: Nanos, speed: Speed) -> Option<Nanos> {
        let thousandths = i128::from(speed.thousandths());
        let real = (i128::from(simulated.0) * 1000).checked_div(thousandths)?;
        Some(Nanos(i64::try_from(real).unwrap_or(i64::MAX)))
    }

    /// The span of a tick that is looked at as it is: after a step, or at speed 0.
    #[must_use]
    pub const fn standing(shown_begin: Nanos, shown_length: Nanos) -> Self {
        Self { begin: Nanos(i64::MIN), length: Nanos::ZERO, shown_begin, shown_length }
    }

    /// Where in the tick the picture of this render time is.
    #[must_use]
    pub fn at(&self, render_time: Nanos) -> Blend {
        let passed = render_time - self.begin;
        let (alpha, held) = if self.length <= Nanos::ZERO {
            (JUST_BELOW_ONE, Held::Standing)
        } else if passed - self.length > ROUNDING {
            (JUST_BELOW_ONE, Held::Late)
        } else {
            let alpha = passed.0.max(0) as f64 / self.length.0 as f64;
            (alpha.min(JUST_BELOW_ONE), Held::No)
        };
        let shown = alpha * self.shown_length.0 as f64;
        Blend { alpha, shown_time: self.shown_begin + Nanos(shown.round() as i64), held }
    }
}

/// What a picture of the free handoff is blended by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// In [0, 1).
    pub alpha: f64,
    /// The simulated time that is shown.
    pub shown_time: Nanos,
    pub held: Held,
}

/// Whether alpha was kept from reaching 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    No,
    /// The next tick is due and has not come.
    Late,
    /// No next tick is due: the picture stands.
    Standing,
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const TICK: Nanos = Nanos::from_millis(10);

    #[test]
    fn the_margin_is_a_millisecond_or_half_a_short_tick_where_ticks_come_in_time() {
        for (length, expected) in [(100_000_000, 1_000_000), (1_953_125, 976_562), (1_000_000, 500_000)] {
            let mut margin = Margin::default();
            for lateness in [0, 100, 200_000] {
                assert_eq!(margin.after(Nanos(lateness), Nanos(length)), Nanos(expected));
            }
        }
    }

    #[test]
    fn a_late_tick_raises_it_at_once_and_it_goes_back_a_thousandth_of_a_tick_at_a_time() {
        let mut margin = Margin::default();
        assert_eq!(margin.after(Nanos::from_millis(4), TICK), Nanos(4_500_000));
        assert_eq!(
            margin.after(Nanos::from_millis(4), TICK),
            Nanos(4_500_000),
            "as late as before: as it was"
        );
        assert_eq!(margin.after(Nanos::ZERO, TICK), Nanos(4_490_000));
        let last = (0..1_000).map(|_| margin.after(Nanos::ZERO, TICK)).last();
        assert_eq!(last, Some(Nanos::from_millis(1)));
    }

    #[test]
    fn it_is_two_ticks_at_most() {
        for lateness in [Nanos::from_millis(21), Nanos::from_secs(9), Nanos::MAX] {
            assert_eq!(Margin::default().after(lateness, TICK), Nanos::from_millis(20));
        }
        assert_eq!(Margin::default().after(Nanos::ZERO, Nanos::MAX), Nanos::from_millis(1));
    }
}
