//! The numbers a run is measured by: percentiles, animation error. Pure; no egui, no history.
//!
//! Percentile definitions differ between tools. Here it is always the **nearest rank**: of n sorted values, the one
//! at the 1-based rank ⌈p × n⌉, computed in whole numbers. So every percentile is a value that was measured.

mod distribution;

pub use distribution::{Distribution, ROUNDED};

use framewalk_runtime::frame::record::{FrameKind, FrameRecord, HandoffMode, RenderRecord};
use framewalk_runtime::time::{Nanos, Rate, Speed};

/// How percentiles are defined, for the place where one is shown.
pub const NEAREST_RANK: &str =
    "Nearest rank: of n sorted values, the one at rank p × n, rounded up. Always a value that was measured.";

/// A share of the values, as an exact fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantile {
    // Invariant: 0 < num <= den.
    num: u64,
    den: u64,
}

impl Quantile {
    pub const P50: Self = Self { num: 1, den: 2 };
    pub const P95: Self = Self { num: 95, den: 100 };
    pub const P99: Self = Self { num: 99, den: 100 };
    pub const P999: Self = Self { num: 999, den: 1000 };

    /// `num / den`; none unless it lies above 0 and at most at 1.
    #[must_use]
    pub const fn new(num: u64, den: u64) -> Option<Self> {
        if num == 0 || num > den { None } else { Some(Self { num, den }) }
    }

    /// The 1-based nearest rank among `n` values, at least 1.
    #[must_use]
    pub fn rank(self, n: usize) -> usize {
        let rank = (n as u128 * u128::from(self.num)).div_ceil(u128::from(self.den));
        usize::try_from(rank).unwrap_or(usize::MAX).max(1)
    }
}

/// The value at the nearest rank of an ascending slice; none of an empty one.
#[must_use]
pub fn nearest_rank<T: Copy>(ascending: &[T], quantile: Quantile) -> Option<T> {
    ascending.get(quantile.rank(ascending.len()) - 1).copied()
}

/// The value at the nearest rank of values in any order, without sorting them all.
#[must_use]
pub fn select_rank<T: Copy + Ord>(values: &mut [T], quantile: Quantile) -> Option<T> {
    if values.is_empty() {
        return None;
    }
    let index = quantile.rank(values.len()) - 1;
    Some(*values.select_nth_unstable(index).1)
}

/// One set of durations in figures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    pub count: usize,
    /// Exact sum ÷ count.
    pub mean_nanos: f64,
    pub p50: Nanos,
    pub p95: Nanos,
    pub p99: Nanos,
    pub p999: Nanos,
    pub max: Nanos,
}

impl Summary {
    /// Sorts the values and reads the figures off; none where there are no values.
    pub fn of(values: &mut [Nanos]) -> Option<Self> {
        values.sort_unstable();
        let max = *values.last()?;
        let at = |quantile| nearest_rank(values, quantile).unwrap_or_default();
        Some(Self {
            count: values.len(),
            mean_nanos: mean_nanos(values)?,
            p50: at(Quantile::P50),
            p95: at(Quantile::P95),
            p99: at(Quantile::P99),
            p999: at(Quantile::P999),
            max,
        })
    }

    /// As [`Summary::of`], over the absolute values: for errors, where the sign says only which way.
    pub fn of_absolute(values: impl IntoIterator<Item = Nanos>) -> Option<Self> {
        let mut absolute: Vec<Nanos> =
            values.into_iter().map(|value| Nanos(value.0.saturating_abs())).collect();
        Self::of(&mut absolute)
    }
}

/// Exact sum ÷ count, in ns; none of an empty slice.
#[must_use]
pub fn mean_nanos(values: &[Nanos]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let sum: i128 = values.iter().map(|value| i128::from(value.0)).sum();
    Some(sum as f64 / values.len() as f64)
}

/// The frame interval of a frame: its delta; none for frame 1, stepped ticks and what was changed by
/// hand, which were given no time.
#[must_use]
pub fn frame_interval(record: &FrameRecord) -> Option<Nanos> {
    match record.kind {
        FrameKind::First | FrameKind::SteppedTick | FrameKind::ByHand => None,
        FrameKind::Running | FrameKind::Resumed | FrameKind::SteppedFrame => Some(record.delta),
    }
}

/// Animation error, frame by frame: how far the simulated time that passed between two shown frames was ahead of the
/// time that passed on the display.
///
/// `(simulated time shown − that of the shown frame before) − (display time − display time before) × speed`, in ns of
/// simulated time; positive = shown too soon. Empty for frame 1, for frames that were not shown, for the first frame shown
/// after a pause, a step, or a change of tick rate, frame rate or speed, and for a picture that shows the end of a motion
/// which was over before (see [`RenderRecord::ends`]).
#[derive(Clone, Copy, Debug, Default)]
pub struct AnimationError {
    settings: Option<(u32, [Rate; 3], Speed, HandoffMode)>,
    // The last shown frame since the sequence was last broken.
    before: Option<(Nanos, Nanos)>,
}

impl AnimationError {
    /// Takes the next frame of a run, in order, with the time at which it was shown: the present, else the end of its
    /// submit; none where it was dropped, abandoned or never seen.
    pub fn next(&mut self, record: &FrameRecord, display: Option<Nanos>) -> Option<Nanos> {
        self.look(record, display.map(|display| (record.shown_time, display)))
    }

    /// As [`AnimationError::next`], for a picture that shows a simulated time of its own: in the free handoff there may be
    /// several of one frame, each at another.
    pub fn next_picture(
        &mut self,
        record: &FrameRecord,
        picture: &RenderRecord,
        display: Nanos,
    ) -> Option<Nanos> {
        self.next_seen(record, (!picture.ends).then_some(picture.shown_time), display)
    }

    /// As [`AnimationError::next_picture`], of a picture of which only the simulated time that it shows is known: none where
    /// it shows the end of a motion that was over before.
    pub fn next_seen(
        &mut self,
        record: &FrameRecord,
        shown_time: Option<Nanos>,
        display: Nanos,
    ) -> Option<Nanos> {
        let error = self.look(record, shown_time.map(|shown_time| (shown_time, display)));
        if shown_time.is_none() {
            // It was drawn when it was convenient: neither it nor what follows is measured by that.
            self.before = None;
        }
        error
    }

    fn look(&mut self, record: &FrameRecord, shown: Option<(Nanos, Nanos)>) -> Option<Nanos> {
        let mode = record.handoff.mode;
        // In the free handoff the display's rate is not that of frames.
        let rates = [record.tick_rate, record.frame_rate, record.render_rate];
        let settings = (record.run, rates, record.speed, mode);
        let continues = record.kind == FrameKind::Running && self.settings == Some(settings);
        self.settings = Some(settings);
        if !continues {
            // The break holds until a frame is shown again: a dropped first frame does not end it.
            self.before = None;
        }
        let (shown_time, display) = shown?;
        let before = self.before.replace((shown_time, display));
        let (shown_before, display_before) = before?;
        let simulated = i128::from(shown_time.0) - i128::from(shown_before.0);
        let passed = i128::from(display.0) - i128::from(display_before.0);
        let scaled = divide_rounded(passed * i128::from(record.speed.thousandths()), 1000);
        let error = simulated - scaled;
        Some(Nanos(error.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64))
    }
}

/// To the nearest whole number, halves away from zero; `divisor` above 0.
fn divide_rounded(value: i128, divisor: i128) -> i128 {
    let half = divisor / 2;
    if value < 0 { (value - half) / divisor } else { (value + half) / divisor }
}
