//! Time that something is made to take at least, as it is written on a command line.

use framewalk_runtime::scene::Load;
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::decimal::decimal_nanos;

/// Milliseconds, as 12.5: none to as many as a load may take.
pub(super) fn cost_millis(text: &str) -> Result<Nanos, String> {
    decimal_nanos(text, 6).filter(|cost| *cost <= Load::LONGEST).ok_or_else(|| {
        format!("write milliseconds from 0 to {}, such as 12.5", Load::LONGEST.as_millis_f64())
    })
}
