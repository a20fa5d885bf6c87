//! Ctrl-C, a hang-up and a request to terminate end a run in order; a second one ends the process at once.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Listens from now on. `wake` is called on another thread after [`interrupted`] has become true.
pub fn listen(wake: impl Fn() + Send + 'static) {
    let handler = move || {
        // Release pairs with the acquire below: only the flag itself is passed on.
        if INTERRUPTED.swap(true, Ordering::Release) {
            std::process::exit(130);
        }
        wake();
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        tracing::warn!(target: "framewalk", %error, "Ctrl-C will end the process at once, without a report");
    }
}

/// The run was asked to end.
#[must_use]
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Acquire)
}
