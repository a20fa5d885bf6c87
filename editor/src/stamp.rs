//! Telling lists apart without looking at them: what was made from one knows by its stamp that it is old.

use std::sync::atomic::{AtomicU64, Ordering};

/// No two are the same while the program runs, but copies of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp(u64);

static NEXT: AtomicU64 = AtomicU64::new(0);

impl Stamp {
    /// One that never was.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "each is another one")]
    pub fn new() -> Self {
        // Relaxed: nothing else is told by it; that every call gets another number is all there is.
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Of a list that counts its own changes: of whom, and which of its states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListStamp {
    pub of: Stamp,
    pub revision: u64,
}

impl ListStamp {
    /// Of a list that never was.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "each is another one")]
    pub fn new() -> Self {
        Self { of: Stamp::new(), revision: 0 }
    }
}
