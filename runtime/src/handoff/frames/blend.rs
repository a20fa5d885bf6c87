//! Where in the last tick a picture is, by the renderer's own time. Pure.

use crate::time::{Nanos, Speed};

/// The time of a tick's motion, on the clock and in the world: from the pose of the tick before to its own.
///
/// It lies one tick behind the tick's own time, as the pictures of the other handoffs do, and behind that by a margin
/// that lets a tick come a little late.
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

/// The longest margin. A tick that is computed within it, and within half its own length, is never missed.
const LONGEST_MARGIN: Nanos = Nanos::from_millis(1);

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
        shown_begin: Nanos,
        shown_length: Nanos,
    ) -> Self {
        let Some(length) = real(tick_length, speed) else { return Self::standing(shown_begin, shown_length) };
        let margin = Nanos(length.0 / 2).min(LONGEST_MARGIN);
        let since = real(overstep, speed).unwrap_or(Nanos::ZERO);
        Self { begin: render_time - since + margin, length, shown_begin, shown_length }
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

/// So much simulated time in time on the clock; none at speed 0.
fn real(simulated: Nanos, speed: Speed) -> Option<Nanos> {
    let thousandths = i128::from(speed.thousandths());
    let real = (i128::from(simulated.0) * 1000).checked_div(thousandths)?;
    Some(Nanos(i64::try_from(real).unwrap_or(i64::MAX)))
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
