//! Keeping the workers off the core that the thread `sim` runs on, without tying them down.
//!
//! A system may wake a worker on the core of the thread that hands jobs over, though another is free: the kernel of a
//! virtual machine may, so that its other virtual cores can go on sleeping. The two then take turns, and a tick takes as
//! long as without the worker. So a worker that was woken where `sim` runs leaves that core out of those it may run on,
//! for as long as `sim` stays there: given it back at once, it would be woken there again (measured). A worker that is
//! woken elsewhere, as is usual, changes nothing.

use super::affinity::{Mask, this_core};
use super::topology::Core;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

// Relaxed throughout: a hint, and nothing is read because of it.

/// The core of the thread that is helped.
#[derive(Default)]
pub(super) struct Home {
    is_looked_at: AtomicBool,
    // Its number and 1; 0 where it is not known.
    core: AtomicUsize,
}

impl Home {
    /// Somebody keeps off it from now on.
    pub(super) fn look_at(&self) {
        self.is_looked_at.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_looked_at(&self) -> bool {
        self.is_looked_at.load(Ordering::Relaxed)
    }

    /// The calling thread is the one that is helped, and runs here.
    pub(super) fn is_here(&self) {
        if self.is_looked_at() {
            self.core.store(this_core().map_or(0, |core| core.0 + 1), Ordering::Relaxed);
        }
    }

    fn core(&self) -> Option<Core> {
        self.core.load(Ordering::Relaxed).checked_sub(1).map(Core)
    }
}

/// One thread's way off that core. It is used on one thread.
pub(super) struct Apart {
    // What it may run on, and what it was left of that.
    whole: Mask,
    held: Mask,
    left_out: Option<Core>,
}

impl Apart {
    /// For the calling thread, before which so many others keep off: `None` where there is no core for it then, or the
    /// system does not say.
    pub(super) fn after(others: usize) -> Option<Self> {
        let whole = Mask::of_this_thread()?;
        let has_room = whole.cores().len() > others + 1;
        has_room.then_some(Self { whole, held: whole, left_out: None })
    }

    /// For a thread that was just woken.
    #[inline]
    pub(super) fn keep_off(&mut self, home: &Home) {
        let home = home.core();
        if home == self.left_out {
            return;
        }
        let wanted = left_out(home, this_core());
        if wanted != self.left_out {
            self.leave_out(wanted);
        }
    }

    #[cold]
    fn leave_out(&mut self, core: Option<Core>) {
        // Somebody else may have put this thread elsewhere meanwhile: then that is what it may run on.
        let Some(now) = Mask::of_this_thread() else { return };
        if now != self.held {
            self.whole = now;
        }
        let wanted = core.and_then(|core| self.whole.without(core)).unwrap_or(self.whole);
        if wanted.hold() {
            self.held = wanted;
            self.left_out = core;
        }
    }
}

/// Which core a thread that was woken `here` is to leave out.
fn left_out(home: Option<Core>, here: Option<Core>) -> Option<Core> {
    home.filter(|home| Some(*home) == here)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn where_nobody_looks_the_helped_thread_says_nothing() {
        let home = Home::default();
        home.is_here();
        assert_eq!(home.core(), None);
        home.look_at();
        home.is_here();
        assert_eq!(home.core().is_some(), cfg!(target_os = "linux"));
    }

    #[test]
    fn only_who_was_woken_on_that_very_core_leaves_it_out() {
        let core = |number| Some(Core(number));
        for (home, here, expected) in [
            (core(0), core(0), core(0)),
            (core(3), core(3), core(3)),
            (core(0), core(1), None),
            (core(0), None, None),
            (None, core(0), None),
            (None, None, None),
        ] {
            assert_eq!(left_out(home, here), expected, "{home:?} {here:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn on_real_threads_a_worker_leaves_out_one_core_and_has_all_again_once_that_is_free() {
        let body = || {
            let whole = Mask::of_this_thread().expect("Linux says");
            let cores = whole.cores();
            assert!(Apart::after(cores.len() - 1).is_none(), "there is no core for so many");
            let Some(mut apart) = Apart::after(0) else {
                return assert_eq!(cores.len(), 1);
            };
            let (first, last) = (cores[0], cores[cores.len() - 1]);
            for core in [first, last] {
                apart.leave_out(Some(core));
                assert_eq!(Mask::of_this_thread(), whole.without(core));
                assert_ne!(this_core(), Some(core));
            }
            apart.leave_out(None);
            assert_eq!(Mask::of_this_thread(), Some(whole));

            // Whom somebody confines meanwhile is not widened again.
            let confined = whole.only(last).expect("one of them");
            assert!(confined.hold());
            for core in [Some(last), None, Some(first), None] {
                apart.leave_out(core);
                assert_eq!(Mask::of_this_thread(), Some(confined), "{core:?}");
            }
        };
        std::thread::scope(|scope| scope.spawn(body).join().expect("what it asserts holds"));
    }
}
