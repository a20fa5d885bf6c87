//! What a snapshot says about time, whatever else is in it.

use crate::handoff::Blend;
#[cfg(feature = "sim")]
use crate::handoff::Held;
use crate::time::Nanos;

/// A snapshot that knows where between two ticks it is drawn. One that has no such thing leaves both methods as they are.
pub trait Timed {
    /// It is drawn for this render time, blended so: the renderer keeps its own time in the free handoff.
    fn show_at(&mut self, render_time: Nanos, blend: &Blend) {
        let _ = (render_time, blend);
    }

    /// The simulated time it shows, and its alpha.
    fn shown(&self) -> (Nanos, f64) {
        (Nanos::ZERO, 0.0)
    }
}

impl Timed for u64 {}

#[cfg(feature = "sim")]
impl Timed for crate::snapshot::Snapshot {
    fn show_at(&mut self, render_time: Nanos, blend: &Blend) {
        self.render_time = render_time;
        self.alpha = blend.alpha;
        self.shown_time = blend.shown_time;
        self.ends = blend.held == Held::Standing;
    }

    fn shown(&self) -> (Nanos, f64) {
        (self.shown_time, self.alpha)
    }
}
