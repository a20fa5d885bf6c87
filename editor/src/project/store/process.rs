//! What the system says of this process.

use std::io;

/// Its status as Linux tells it, a line for each thing.
///
/// # Errors
/// A system without `/proc`.
pub fn status() -> io::Result<String> {
    std::fs::read_to_string("/proc/self/status")
}
