//! How far the time axis of the plots is zoomed, and where it ends.

use framewalk_runtime::time::{NANOS_PER_SECOND, Nanos};

use super::Window;

/// How much time the plots cover before anyone zooms; time in which everything stood is left out.
pub const WINDOW: Nanos = Nanos(10 * NANOS_PER_SECOND as i64);
/// The least they can cover.
pub const LEAST_SPAN: Nanos = Nanos(NANOS_PER_SECOND as i64 / 1_000);

/// How far the time axis is zoomed, and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeView {
    pub span: Nanos,
    /// Time at the right edge; none while it follows the newest frame, or the chosen one.
    pub end: Option<Nanos>,
}

impl Default for TimeView {
    fn default() -> Self {
        Self { span: WINDOW, end: None }
    }
}

impl TimeView {
    /// Zoomed so that the span is `factor` times as long, at most `longest`, with the time at `share` of the axis (0 to
    /// 1) staying where it is. With nothing fixed yet and `follows`, the right edge goes on following instead.
    #[must_use]
    pub fn zoomed(self, window: &Window, factor: f64, share: f64, longest: Nanos, follows: bool) -> Self {
        let longest = longest.max(LEAST_SPAN);
        let wanted = (self.span.0 as f64 * factor).clamp(LEAST_SPAN.0 as f64, longest.0 as f64);
        let span = if wanted.is_finite() { Nanos(wanted as i64) } else { self.span };
        if self.end.is_none() && follows {
            return Self { span, end: None };
        }
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 1.0 };
        let (before, after) = (window.to.0.saturating_sub(window.from.0) as f64, span.0 as f64);
        let moved = ((1.0 - share) * (after - before)) as i64;
        Self { span, end: Some(Nanos(window.to.0.saturating_add(moved))) }
    }

    /// Moved by a share of the axis, towards older frames where it is above 0.
    #[must_use]
    pub fn moved(self, window: &Window, share: f64) -> Self {
        if !share.is_finite() {
            return self;
        }
        let by = (self.span.0 as f64 * share) as i64;
        Self { end: Some(Nanos(window.to.0.saturating_sub(by))), ..self }
    }

    /// As it is, but following again where its end has been moved past the newest frame, and never before the oldest.
    #[must_use]
    pub fn held(self, oldest: Nanos, newest: Nanos) -> Self {
        let end = self.end.filter(|end| *end < newest).map(|end| end.max(oldest));
        Self { end, ..self }
    }
}
