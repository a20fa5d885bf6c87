//! How many jobs have yet to run, who waits for them, and what one of them panicked with: one word and one box.

use super::sync::{AtomicU64, Mutex, Ordering};
use std::any::Any;

/// What a job panicked with.
pub type Payload = Box<dyn Any + Send>;

const WAITER: u64 = 0xFF;
const PANICKED: u64 = 1 << 8;
/// Nobody waits and nobody will: the last job takes the memory back.
const ORPHANED: u64 = 1 << 9;
/// One pending. Uppermost, so that what is taken from none goes nowhere: see [`Tally`].
const ONE: u64 = 1 << 32;

/// Below none, as a negative number.
const fn pending(word: u64) -> i32 {
    (word / ONE) as i32
}

/// Jobs that have yet to run.
///
/// The subtraction of a job is its last touch: whoever sees none pending may take the memory back. A job may be over before
/// it was added, and there are less than none then; the last one is known once all are added, so its owner adds them before
/// it waits or leaves.
pub struct Tally {
    word: AtomicU64,
    // The first panic's; locked by jobs that panic, and by whoever was told of one.
    panic: Mutex<Option<Payload>>,
    // So that a model finds one that nobody takes back.
    #[cfg(loom)]
    _tracked: loom::alloc::Track<()>,
}

/// What a job that is over leaves to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Over {
    /// It was the last, and in this bed somebody sleeps until it is.
    pub wakes: Option<usize>,
    /// It was the last, and nobody owns the tally any more.
    pub(super) orphaned: bool,
}

impl Tally {
    pub(super) fn new() -> Self {
        Self {
            word: AtomicU64::new(0),
            panic: Mutex::new(None),
            #[cfg(loom)]
            _tracked: loom::alloc::Track::new(()),
        }
    }

    /// So many jobs more.
    pub(super) fn add(&self, jobs: u32) {
        // Relaxed: only a thread that will wait, or a job that is pending itself, adds; and an exchange keeps what the
        // subtractions before it released.
        let before = self.word.fetch_add(u64::from(jobs) * ONE, Ordering::Relaxed);
        let still = i64::from(pending(before));
        assert!(still + i64::from(jobs) <= i64::from(i32::MAX), "at most two billion jobs are pending");
    }

    /// So many of those added will not be made, or are over and were run by this thread. For whoever waits, or is going to.
    pub(super) fn take_back(&self, jobs: u32) {
        // Relaxed: what they did, if anything, was done on this thread, and the wait that goes on acquires.
        self.word.fetch_sub(u64::from(jobs) * ONE, Ordering::Relaxed);
    }

    /// One job less; the tally is not to be touched after it.
    pub(super) fn subtract(&self, panic: Option<Payload>) -> Over {
        if let Some(payload) = panic {
            self.keep(payload);
        }
        // Release: whoever sees none pending sees what this job did. Acquire: whoever takes the memory back because
        // of it does so after every other job's last touch, and sees the bed of whom it has to wake made.
        let before = self.word.fetch_sub(ONE, Ordering::AcqRel);
        if pending(before) != 1 {
            return Over::default();
        }
        let wakes = (before & WAITER).checked_sub(1).map(|bed| bed as usize);
        Over { wakes, orphaned: before & ORPHANED != 0 }
    }

    /// All jobs so far are over, and what they did is visible.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.pending() == 0
    }

    /// How many are pending, once all are added.
    #[inline]
    pub(super) fn pending(&self) -> u32 {
        // Acquire: pairs with the release of every subtraction; they form one chain of read-modify-writes.
        (self.word.load(Ordering::Acquire) / ONE) as u32
    }

    /// Says in which bed somebody is about to wait, one at a time. False: there is nothing to wait for.
    #[must_use]
    pub fn wait_in(&self, bed: usize) -> bool {
        // Release: the last job, which sees the bed here, sees it made. Acquire: as in `is_done`.
        let before = self.word.fetch_or(bed as u64 + 1, Ordering::AcqRel);
        pending(before) != 0
    }

    /// Nobody sleeps any more in the bed that was named last.
    pub fn wait_no_more(&self) {
        // Relaxed: at worst a bed is called that somebody else sleeps in by now, who looks round and goes on sleeping.
        self.word.fetch_and(!WAITER, Ordering::Relaxed);
    }

    /// The payload of the first job that panicked since the last call. For after the wait.
    #[must_use]
    pub fn take_panic(&self) -> Option<Payload> {
        // Relaxed: the wait that is over has ordered it.
        if self.word.load(Ordering::Relaxed) & PANICKED == 0 {
            return None;
        }
        self.word.fetch_and(!PANICKED, Ordering::Relaxed);
        self.panic.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take()
    }

    /// The owner leaves. True: no job is pending, the memory is the owner's; else the last job's.
    pub(super) fn orphan(&self) -> bool {
        // AcqRel: as in `subtract`, of which exactly one side sees the other.
        pending(self.word.fetch_or(ORPHANED, Ordering::AcqRel)) == 0
    }

    pub(super) fn keep(&self, payload: Payload) {
        let mut kept = self.panic.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if kept.is_none() {
            *kept = Some(payload);
            // Relaxed: before this job's subtraction, which publishes it.
            self.word.fetch_or(PANICKED, Ordering::Relaxed);
        } else {
            // One is enough to be told; and what panics when it is dropped would do so in the wrong place.
            std::mem::forget(payload);
        }
    }
}
