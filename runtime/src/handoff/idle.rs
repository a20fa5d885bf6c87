//! Waiting until another thread has nothing to do, without a lock on that thread unless somebody waits.

use super::sync::{AtomicU32, Condvar, Mutex, Ordering};

/// Between one worker and whoever waits for it to be idle.
pub(crate) struct IdleBarrier {
    waiting: AtomicU32,
    worker_ended: Mutex<bool>,
    changed: Condvar,
}

impl IdleBarrier {
    pub(crate) fn new() -> Self {
        Self { waiting: AtomicU32::new(0), worker_ended: Mutex::new(false), changed: Condvar::new() }
    }

    /// Returns once `is_idle` holds or the worker has ended. `wake_worker` makes the worker go round its loop once
    /// more, and so come by [`IdleBarrier::announce`].
    pub(crate) fn wait(&self, wake_worker: impl FnOnce(), is_idle: impl Fn() -> bool) {
        if is_idle() {
            return;
        }
        // Relaxed: ordered before the worker's next look by the waking that follows, and by the lock.
        self.waiting.fetch_add(1, Ordering::Relaxed);
        wake_worker();
        let mut ended = lock(&self.worker_ended);
        while !*ended && !is_idle() {
            ended = self.changed.wait(ended).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        drop(ended);
        // Relaxed: at worst the worker notifies nobody once more.
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    /// Worker, each time round: something may have become idle. Costs one load while nobody waits.
    pub(crate) fn announce(&self) {
        // Relaxed: a waiter missed here has yet to wake the worker, which then comes by again.
        if self.waiting.load(Ordering::Relaxed) > 0 {
            // With the lock, so that no waiter stands between its question and its sleep.
            drop(lock(&self.worker_ended));
            self.changed.notify_all();
        }
    }

    /// Somebody waits.
    #[cfg(test)]
    pub(crate) fn is_waited_for(&self) -> bool {
        // Relaxed: a test looks until it is so.
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Worker, last of all: nobody waits for it any more.
    pub(crate) fn end(&self) {
        *lock(&self.worker_ended) = true;
        self.changed.notify_all();
    }

    pub(crate) fn has_ended(&self) -> bool {
        *lock(&self.worker_ended)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> super::sync::MutexGuard<'_, T> {
    // A flag cannot be left half written by a thread that panicked.
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
