//! Says when frames were given less time than had passed: one log line a second, with count and total.

use super::record::FrameRecord;
use crate::log_limit::RateLimit;
use crate::time::Nanos;

/// What stalls cost since the last line.
#[derive(Debug, Default)]
pub struct StallLog {
    limit: RateLimit,
    frames: u64,
    clamped: Nanos,
    capped_ticks: u64,
}

impl StallLog {
    /// Takes note of a frame that has run its ticks; logs at most once a second of its render time.
    pub fn note(&mut self, record: &FrameRecord) {
        if record.clamped > Nanos::ZERO || record.capped_ticks > 0 {
            self.frames += 1;
            self.clamped += record.clamped;
            self.capped_ticks += record.capped_ticks;
            if self.limit.allow(record.render_time).held_back().is_some() {
                self.line();
            }
        } else if self.limit.overdue(record.render_time).is_some() {
            self.line();
        }
    }

    fn line(&mut self) {
        tracing::warn!(
            target: "framewalk",
            frames = self.frames,
            clamped_ms = self.clamped.0 / 1_000_000,
            capped_ticks = self.capped_ticks,
            "stalled"
        );
        self.frames = 0;
        self.clamped = Nanos::ZERO;
        self.capped_ticks = 0;
    }
}

impl Drop for StallLog {
    fn drop(&mut self) {
        if self.frames > 0 {
            self.line();
        }
    }
}
