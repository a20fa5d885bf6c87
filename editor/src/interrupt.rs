//! Ctrl-C, a hang-up and a request to terminate end a run, or the editor, in order; a second one ends the process at once.

use std::sync::atomic::{AtomicBool, Ordering};

use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::source::RealClock;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Signals within this time of the first are one request: whoever ends a session sends a hang-up right behind the request
/// to terminate.
const ONE_REQUEST: Nanos = Nanos::from_millis(500);

/// Listens from now on. `wake` is called on another thread after [`interrupted`] has become true.
pub fn listen(wake: impl Fn() + Send + 'static) {
    let clock = RealClock::new();
    let mut first: Option<Nanos> = None;
    let handler = move || {
        let now = clock.now();
        match first {
            None => {
                first = Some(now);
                // Release pairs with the acquire below: only the flag itself is passed on.
                INTERRUPTED.store(true, Ordering::Release);
                wake();
            }
            Some(first) if now - first < ONE_REQUEST => {}
            Some(_) => std::process::exit(130),
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        tracing::warn!(target: "framewalk", %error, "Ctrl-C will end the process at once, and leave no report and no work");
    }
}

/// The process was asked to end.
#[must_use]
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Acquire)
}
