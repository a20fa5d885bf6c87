//! Threads that sleep until there is work, or until one job is over: nothing is lost between looking and sleeping, and
//! waking costs nothing while nobody sleeps.
//!
//! A sleeper lies down (says so in a mask for each kind of work that it would do), looks once more, and sleeps.
//! Whoever adds work looks at the mask of its kind after it has added it. Between lying down and looking again, and
//! between adding and looking at the mask, stands a sequentially consistent fence: of two threads that do so, one sees
//! what the other did. What is seen through a mask is a hint; who wakes whom is decided by an exchange on the bed.
//!
//! Who sleeps for something else and would do work meanwhile lies in a bed beside that: it lies down, looks for work, parks
//! as it would have, and gets up. Whoever unparks a thread may do so for one of the two or for both, so each of them is
//! looked at afterwards, and the park itself says nothing.

#![expect(unsafe_code, reason = "a bed has one user at a time, which the type system cannot see")]

use super::sync::{AtomicU32, AtomicU64, Ordering, Thread, UnsafeCell, current, fence, park, spin_loop};
use crossbeam_utils::CachePadded;

/// Threads that can sleep at once.
pub const BEDS: usize = 64;

/// Its owner is up.
const UP: u32 = 0;
/// Its owner sleeps, or is about to; the handle of its thread lies in it.
const ASLEEP: u32 = 1;
/// Somebody is taking the handle out, to wake it.
const CALLED: u32 = 2;
/// The handle is out; the owner may get up.
const AWAKE: u32 = 3;

/// Beds for threads, and who sleeps, by kind of work.
pub struct Sleepers<const KINDS: usize> {
    asleep: [CachePadded<AtomicU64>; KINDS],
    taken: CachePadded<AtomicU64>,
    beds: Box<[CachePadded<Bed>]>,
}

struct Bed {
    state: AtomicU32,
    // Written by the owner while it is up; taken by whoever moves the state from ASLEEP on.
    thread: UnsafeCell<Option<Thread>>,
}

// SAFETY: the handle is touched by one thread at a time: the owner while UP or AWAKE, the caller while CALLED. The
// exchanges on `state` order the touches.
unsafe impl Sync for Bed {}

/// A bed that is somebody's.
#[derive(Debug)]
pub struct OwnBed(usize);

impl<const KINDS: usize> Sleepers<KINDS> {
    #[must_use]
    pub fn new() -> Self {
        Self::with_beds(BEDS)
    }

    pub(crate) fn with_beds(beds: usize) -> Self {
        let bed = |_| CachePadded::new(Bed { state: AtomicU32::new(UP), thread: UnsafeCell::new(None) });
        Self {
            asleep: std::array::from_fn(|_| CachePadded::new(AtomicU64::new(0))),
            taken: CachePadded::new(AtomicU64::new(0)),
            beds: (0..beds).map(bed).collect(),
        }
    }

    /// The free bed with the lowest number; `None` where all are taken. Lower ones are woken first.
    #[must_use]
    pub fn take_bed(&self) -> Option<OwnBed> {
        self.take(|free| free.trailing_zeros())
    }

    /// The free bed with the highest number, for who is to be woken last.
    #[must_use]
    pub fn take_last_bed(&self) -> Option<OwnBed> {
        self.take(|free| free.checked_ilog2().unwrap_or(u64::BITS))
    }

    fn take(&self, choose: impl Fn(u64) -> u32) -> Option<OwnBed> {
        let all = u64::MAX >> (u64::BITS as usize - self.beds.len());
        // Relaxed: a first guess.
        let mut taken = self.taken.load(Ordering::Relaxed);
        loop {
            let bed = choose(!taken & all) as usize;
            if bed >= self.beds.len() {
                return None;
            }
            // Acquire: the last owner has left it. Relaxed where it fails: tried again.
            match self.taken.compare_exchange(taken, taken | 1 << bed, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Some(OwnBed(bed)),
                Err(now) => taken = now,
            }
        }
    }

    /// The next may have it.
    pub fn leave_bed(&self, bed: OwnBed) {
        // Acquire where it was called: as below. Relaxed where it lay there still: nobody has touched the handle.
        let state = &self.beds[bed.0].state;
        let _ = state.compare_exchange(ASLEEP, UP, Ordering::Relaxed, Ordering::Acquire);
        // Acquire: the handle is out. Who got up without waiting for that waits here.
        while state.load(Ordering::Acquire) == CALLED {
            spin_loop();
        }
        // Release: this owner's touches come before the next one's.
        self.taken.fetch_and(!(1 << bed.0), Ordering::Release);
    }

    /// Sleeps until woken. `is_needed` is asked once after this thread can be woken, and told by which number: where it
    /// says so, this does not sleep. It may come back for nothing.
    ///
    /// `kinds`: the kinds of work to be woken for, a bit each.
    pub fn sleep(&self, own: &mut OwnBed, kinds: u32, is_needed: impl FnOnce(usize) -> bool) {
        self.show(own, kinds);
        let bed = &self.beds[own.0];
        // Acquire: where somebody called meanwhile, it has begun.
        let stays_up = is_needed(own.0)
            && bed.state.compare_exchange(ASLEEP, UP, Ordering::Acquire, Ordering::Relaxed).is_ok();
        if !stays_up {
            // Acquire: the handle is out.
            while bed.state.load(Ordering::Acquire) != AWAKE {
                park();
            }
            // Relaxed: nobody touches a bed that is AWAKE but its owner.
            bed.state.store(UP, Ordering::Relaxed);
        }
        self.hide(own, kinds);
    }

    /// Lies down and does not sleep: from now on whoever adds work of these kinds unparks this thread, once. The owner then
    /// looks for work, parks where there is none, and [gets up](Self::get_up).
    ///
    /// False: it was called the last time, and whoever did that is still at it; the unpark is yet to come.
    ///
    /// # Panics
    /// It lies there already: who lies down has got up before.
    #[must_use]
    pub fn lie_down(&self, own: &mut OwnBed, kinds: u32) -> bool {
        // Acquire: where it is AWAKE the handle is out.
        match self.beds[own.0].state.load(Ordering::Acquire) {
            CALLED => return false,
            state => assert!(state != ASLEEP, "who lies down has got up before"),
        }
        self.show(own, kinds);
        true
    }

    /// After [`Self::lie_down`]: need not be woken any more. It waits for nobody, so it is as soon up as it was woken. True: it
    /// was called for work, which others believe to be looked after.
    pub fn get_up(&self, own: &mut OwnBed, kinds: u32) -> bool {
        // Acquire where it was called: the work it was called for is seen. Relaxed where it was not: nothing is read.
        let exchanged =
            self.beds[own.0].state.compare_exchange(ASLEEP, UP, Ordering::Relaxed, Ordering::Acquire);
        self.hide(own, kinds);
        exchanged.is_err()
    }

    /// Can be woken from now on, for work of these kinds; then comes the look for it.
    fn show(&self, own: &mut OwnBed, kinds: u32) {
        let bed = &self.beds[own.0];
        // SAFETY: the state is UP or AWAKE, so it is the owner's.
        bed.thread.with_mut(|thread| unsafe { *thread = Some(current()) });
        // Release: whoever sees ASLEEP sees the handle.
        bed.state.store(ASLEEP, Ordering::Release);
        let bit = 1_u64 << own.0;
        for kind in of_kinds::<KINDS>(kinds) {
            // Relaxed: ordered by the fence.
            self.asleep[kind].fetch_or(bit, Ordering::Relaxed);
        }
        // Pairs with the one in `wake_for`.
        fence(Ordering::SeqCst);
    }

    fn hide(&self, own: &mut OwnBed, kinds: u32) {
        for kind in of_kinds::<KINDS>(kinds) {
            // Relaxed: a bit that is seen too long costs a look at the bed.
            self.asleep[kind].fetch_and(!(1 << own.0), Ordering::Relaxed);
        }
    }

    /// Wakes one that does work of this kind, after some was added. False: none sleeps.
    pub fn wake_for(&self, kind: usize) -> bool {
        // Pairs with the one in `show`: either a sleeper is seen here, or it sees the work.
        fence(Ordering::SeqCst);
        self.wake_if_seen(kind)
    }

    /// As [`Self::wake_for`], but one who is just lying down may be missed: for one of many, when the last is told with
    /// that.
    pub fn wake_if_seen(&self, kind: usize) -> bool {
        // Relaxed: a hint, or ordered by the fence.
        let mut seen = self.asleep[kind].load(Ordering::Relaxed);
        while seen != 0 {
            if self.wake(seen.trailing_zeros() as usize) {
                return true;
            }
            // That one is up or getting up, and looks round before it sleeps again.
            seen &= seen - 1;
        }
        false
    }

    /// Wakes who sleeps in this bed. False: nobody does.
    pub fn wake(&self, bed: usize) -> bool {
        let bed = &self.beds[bed];
        // Acquire: the handle is there. Release: whoever gets up because of it sees the work. Relaxed where it fails: nothing is
        // read.
        if bed.state.compare_exchange(ASLEEP, CALLED, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            return false;
        }
        // SAFETY: whoever made it CALLED has it alone, until it is AWAKE.
        let thread = bed.thread.with_mut(|thread| unsafe { (*thread).take() });
        // Release: the owner touches it after this.
        bed.state.store(AWAKE, Ordering::Release);
        // After that: the bed may have a new owner already, but this is the old one's handle.
        if let Some(thread) = thread {
            thread.unpark();
        }
        true
    }

    /// Wakes everybody, once something has changed that all of them look at.
    pub fn wake_all(&self) {
        fence(Ordering::SeqCst);
        for bed in 0..self.beds.len() {
            self.wake(bed);
        }
    }
}

impl<const KINDS: usize> Default for Sleepers<KINDS> {
    fn default() -> Self {
        Self::new()
    }
}

fn of_kinds<const KINDS: usize>(kinds: u32) -> impl Iterator<Item = usize> {
    (0..KINDS).filter(move |kind| kinds & 1 << kind != 0)
}
