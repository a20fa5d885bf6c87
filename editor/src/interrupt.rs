//! Ctrl-C, a hang-up and a request to terminate end a run, or the editor, in order; a second one ends the process at once.

use std::sync::atomic::{AtomicBool, Ordering};

use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::source::RealClock;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Signals within this time of the first are one request: whoever ends a session sends a hang-up right behind the request
/// to terminate.
const ONE_REQUEST: Nanos = Nanos::from_millis(500);

/// A program that is started to ignore a hang-up, as `nohup` starts one, goes on ignoring it. To be called before any thread
/// is started and before [`listen`].
///
/// What listens for signals takes the hang-up with the others, and replaces what is ignored. So it is blocked, by the first
/// thread and all that come of it: it waits for ever, and so does nothing. Only Linux tells what is ignored without `unsafe`.
pub fn keep_ignoring_hang_up() {
    #[cfg(target_os = "linux")]
    if std::fs::read_to_string("/proc/self/status").is_ok_and(|status| ignores_hang_up(&status)) {
        use nix::sys::signal::{SigSet, Signal};
        let mut blocked = SigSet::empty();
        blocked.add(Signal::SIGHUP);
        if let Err(error) = blocked.thread_block() {
            tracing::warn!(target: "framewalk", %error, "a hang-up will end this program, though it was to be ignored");
        }
    }
}

/// By the system's text on a process: a mask of ignored signals, of which the first is the hang-up.
#[cfg(target_os = "linux")]
fn ignores_hang_up(status: &str) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 == 1)
}

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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_systems_text_says_whether_a_hang_up_is_ignored() {
        assert!(ignores_hang_up("Name:\tframewalk\nSigIgn:\t0000000000001001\nSigCgt:\t0000000000000000\n"));
        assert!(!ignores_hang_up("SigBlk:\t0000000000000001\nSigIgn:\t0000000000001000\n"));
        assert!(!ignores_hang_up("nothing of the kind"));
    }
}
