//! Says when input was lost to an overflow: one log line a second, with how much.

use crate::log_limit::RateLimit;
use crate::time::Nanos;

/// What was lost since the last line.
#[derive(Debug, Default)]
pub struct OverflowLog {
    limit: RateLimit,
    lost: u64,
}

impl OverflowLog {
    /// So many events were lost when one arrived `at` this time; logs at most once a second of that.
    pub fn note(&mut self, at: Nanos, lost: u64) {
        self.lost += lost;
        if self.limit.allow(at).held_back().is_some() {
            self.line();
        }
    }

    fn line(&mut self) {
        tracing::warn!(target: "framewalk", lost = std::mem::take(&mut self.lost), "input_overflowed");
    }
}

impl Drop for OverflowLog {
    fn drop(&mut self) {
        if self.lost > 0 {
            self.line();
        }
    }
}
