//! What a thread does until somebody unparks it: it sleeps, or does something else meanwhile that is soon over.

use std::time::Duration;

#[cfg(not(loom))]
use std::thread::{park, park_timeout};

#[cfg(loom)]
use loom::thread::park;

// loom schedules no time: the other threads go first, which is what the end of a timed wait amounts to.
#[cfg(loom)]
fn park_timeout(_at_most: Duration) {
    loom::thread::yield_now();
}

/// In place of a park, for a thread that waits for a deadline or for another thread.
pub trait Rest {
    /// Back when this thread was unparked or `at_most` has passed, and sometimes for no reason; the caller looks for itself.
    ///
    /// `is_over`: what the thread waits for has come, as far as a look can tell. Who does something else meanwhile asks it
    /// between the parts of that, since an unpark goes unnoticed then.
    ///
    /// True: it slept and did nothing else, so what it is late by is how late it was woken.
    fn rest(&mut self, at_most: Option<Duration>, is_over: &dyn Fn() -> bool) -> bool;
}

/// Sleeps, and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asleep;

impl Rest for Asleep {
    fn rest(&mut self, at_most: Option<Duration>, _is_over: &dyn Fn() -> bool) -> bool {
        match at_most {
            Some(at_most) => park_timeout(at_most),
            None => park(),
        }
        true
    }
}

/// Without one it sleeps.
impl<R: Rest> Rest for Option<R> {
    fn rest(&mut self, at_most: Option<Duration>, is_over: &dyn Fn() -> bool) -> bool {
        match self {
            Some(rest) => rest.rest(at_most, is_over),
            None => Asleep.rest(at_most, is_over),
        }
    }
}
