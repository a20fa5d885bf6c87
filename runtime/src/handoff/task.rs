//! A job as a value of one size, whatever its closure borrows, and the two ways to know that it has run.
//!
//! - [`Counter`]: for closures that own what they touch. Made once, waited on as often as one likes.
//! - [`scope`]: for closures that borrow. It does not return before all of them have run.
//!
//! A [`Task`] is counted from the moment it is made until it has run, or was dropped unrun; where it lies in between,
//! and who runs it, is for others to say (`jobs.rs`).

#![expect(
    unsafe_code,
    reason = "what a closure borrows is known to the count of those that are pending, which the type system cannot see"
)]

use super::tally::{Over, Payload, Tally};
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit, align_of, size_of};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;

/// Words of a closure that lie in the task itself; a larger one is boxed, which allocates.
pub const INLINE_WORDS: usize = 9;

type Store = MaybeUninit<[usize; INLINE_WORDS]>;

/// What is done with a closure that lies in a store: exactly one of the two, once.
#[derive(Clone, Copy)]
enum Act {
    Run,
    DropUnrun,
}

/// A closure that is to run once, on any thread.
pub struct Task {
    // Takes the closure out of the store.
    act: unsafe fn(*mut Store, Act),
    // Alive for as long as this task is pending: see `Counter` and `scope`.
    tally: NonNull<Tally>,
    store: Store,
}

// SAFETY: it is made of closures that are `Send` only, and of a pointer to a `Tally`, which is used through `&` and is
// `Sync` (a word and a mutex).
unsafe impl Send for Task {}

impl Task {
    /// Packs a closure that the tally counts already.
    ///
    /// # Safety
    /// The tally is where it is, and all that the closure borrows is borrowed, until the tally counts none pending.
    unsafe fn pack<F: FnOnce() + Send>(tally: &Tally, closure: F) -> Self {
        let mut store = Store::uninit();
        let fits = const { size_of::<F>() <= size_of::<Store>() && align_of::<F>() <= align_of::<Store>() };
        let act = if fits {
            // SAFETY: the store is large enough and aligned for an `F`, and it is ours alone.
            unsafe { store.as_mut_ptr().cast::<F>().write(closure) };
            act_inline::<F>
        } else {
            // SAFETY: a thin pointer fits into the first word.
            unsafe { store.as_mut_ptr().cast::<Box<F>>().write(Box::new(closure)) };
            act_boxed::<F>
        };
        Self { act, tally: NonNull::from(tally), store }
    }

    /// Runs it here. A panic in it is kept for whoever waits.
    pub fn run(self) -> Over {
        let mut task = ManuallyDrop::new(self);
        let panic = Self::call(&mut task);
        task.leave(panic)
    }

    /// Runs the closure, and says what it panicked with. The tally is still to be told.
    #[inline]
    fn call(task: &mut ManuallyDrop<Self>) -> Option<Payload> {
        let (act, store) = (task.act, &raw mut task.store);
        // SAFETY: `act` was made for what lies in this store, and a task is run or dropped, once: this one's `drop`
        // never runs.
        catch_unwind(AssertUnwindSafe(|| unsafe { act(store, Act::Run) })).err()
    }

    /// The closure is gone, run or not: so says the tally.
    fn leave(&self, panic: Option<Payload>) -> Over {
        // SAFETY: this task is pending until the subtraction, so the tally is there.
        let over = unsafe { self.tally.as_ref() }.subtract(panic);
        if over.orphaned {
            // SAFETY: a tally is orphaned by its `Counter` only, which then leaves the box it came from to the last
            // job; this was the last, and every other touch happened before.
            drop(unsafe { Box::from_raw(self.tally.as_ptr()) });
        }
        over
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        // SAFETY: as in `run`; this one was not run.
        unsafe { (self.act)(&raw mut self.store, Act::DropUnrun) };
        self.leave(None);
    }
}

/// # Safety
/// An `F` lies in the store, and is never touched again.
unsafe fn act_inline<F: FnOnce()>(store: *mut Store, act: Act) {
    // SAFETY: the caller's promise.
    let closure = unsafe { store.cast::<F>().read() };
    match act {
        Act::Run => closure(),
        Act::DropUnrun => drop(closure),
    }
}

/// # Safety
/// A `Box<F>` lies in the store, and is never touched again.
unsafe fn act_boxed<F: FnOnce()>(store: *mut Store, act: Act) {
    // SAFETY: the caller's promise.
    let closure = unsafe { store.cast::<Box<F>>().read() };
    match act {
        Act::Run => closure(),
        Act::DropUnrun => drop(closure),
    }
}

/// Counts jobs that own what they touch.
///
/// Dropped while some are pending, it waits for none of them: the last takes its memory along.
pub struct Counter {
    // From a box; its own until it orphans it.
    tally: NonNull<Tally>,
    // Jobs that the tally does not know yet: it is told of all of them at once, before a wait and at the end, and each of them
    // costs no exchange for that.
    ahead: u32,
}

// SAFETY: a shared `Tally`, which is `Send` and `Sync`; who frees it is decided by one read-modify-write of its word.
unsafe impl Send for Counter {}
// SAFETY: as above.
unsafe impl Sync for Counter {}

impl Counter {
    #[must_use]
    pub fn new() -> Self {
        Self { tally: NonNull::from(Box::leak(Box::new(Tally::new()))), ahead: 0 }
    }

    /// A job of this counter: pending from now on.
    #[inline]
    pub fn task(&mut self, closure: impl FnOnce() + Send + 'static) -> Task {
        self.ahead += 1;
        if self.ahead == Self::MOST_AHEAD {
            let _ = self.tally();
        }
        // SAFETY: freed only after this counter is dropped.
        let tally = unsafe { self.tally.as_ref() };
        // SAFETY: the closure borrows nothing, and the box is freed by this counter where none is pending, else by
        // the last task; also where this counter is forgotten it stays.
        unsafe { Task::pack(tally, closure) }
    }

    /// The tally counts further than that both ways.
    const MOST_AHEAD: u32 = 1 << 30;

    /// That counts every job made so far.
    #[must_use]
    pub fn tally(&mut self) -> &Tally {
        // SAFETY: freed only after this counter is dropped.
        let tally = unsafe { self.tally.as_ref() };
        if self.ahead > 0 {
            tally.add(std::mem::take(&mut self.ahead));
        }
        tally
    }
}

impl Default for Counter {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        if self.tally().orphan() {
            // SAFETY: it came from a box, no task is pending, and none can be made any more.
            drop(unsafe { Box::from_raw(self.tally.as_ptr()) });
        }
    }
}

/// Where jobs are made that borrow; see [`scope`].
pub struct Scope<'scope, 'env: 'scope> {
    tally: Tally,
    // Neither lifetime may shrink or grow, as with `std::thread::Scope`: a job could else borrow what ends before it.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

impl<'scope> Scope<'scope, '_> {
    /// A job of this scope: pending from now on.
    pub fn task(&'scope self, closure: impl FnOnce() + Send + 'scope) -> Task {
        self.tally.add(1);
        // SAFETY: `scope` lets go of neither its tally nor its borrows before none is pending.
        unsafe { Task::pack(&self.tally, closure) }
    }

    /// Makes many, which are counted a handful at a time.
    pub fn many(&'scope self) -> Many<'scope> {
        Many { tally: &self.tally, counted: 0 }
    }
}

/// Makes jobs of a scope. Until it is dropped, the scope does not end.
pub struct Many<'scope> {
    tally: &'scope Tally,
    // Pending, but not made yet.
    counted: u32,
}

impl<'scope> Many<'scope> {
    const HANDFUL: u32 = 32;

    /// A job of the scope.
    pub fn task(&mut self, closure: impl FnOnce() + Send + 'scope) -> Task {
        if self.counted == 0 {
            self.tally.add(Self::HANDFUL);
            self.counted = Self::HANDFUL;
        }
        self.counted -= 1;
        // SAFETY: as in `Scope::task`; one of those counted is this one.
        unsafe { Task::pack(self.tally, closure) }
    }
}

impl Drop for Many<'_> {
    fn drop(&mut self) {
        self.tally.take_back(self.counted);
    }
}

/// A wait for the jobs of a tally, by the one thread that waits for them.
///
/// Of those that it runs itself it keeps count while nobody else runs any: the tally is told of all of them at once, before
/// the thread sleeps and at the end, and each of them costs no exchange for that. Where others run some too it tells the tally
/// of each: the word is on its way between them then anyway, and the threads stay in step at the queue.
pub struct Wait<'tally> {
    tally: &'tally Tally,
    // Over, but pending to the tally, which only this thread asks.
    over: u32,
    // Pending to the tally when it was asked last, and whether it was the same the time before.
    pending: u32,
    is_alone: bool,
}

impl<'tally> Wait<'tally> {
    /// So that there is always room in the tally for those that jobs hand over meanwhile.
    const MOST_OVER: u32 = 1 << 16;

    #[must_use]
    pub fn new(tally: &'tally Tally) -> Self {
        Self { tally, over: 0, pending: tally.pending(), is_alone: true }
    }

    /// Runs a task here, of this tally or of another.
    #[inline]
    pub fn run(&mut self, task: Task) -> Over {
        if task.tally != NonNull::from(self.tally) {
            return task.run();
        }
        let mut task = ManuallyDrop::new(task);
        if let Some(payload) = Task::call(&mut task) {
            self.tally.keep(payload);
        }
        self.over += 1;
        if !self.is_alone || self.over == Self::MOST_OVER {
            self.tell();
        }
        // Nobody else waits for it, and its owner is here.
        Over::default()
    }

    /// All jobs are over, and what they did is visible.
    #[must_use]
    #[inline]
    pub fn is_done(&mut self) -> bool {
        let pending = self.tally.pending();
        self.is_alone = pending == self.pending;
        self.pending = pending;
        pending == self.over
    }

    /// Tells the tally: to be done before this thread says that it sleeps.
    pub fn tell(&mut self) {
        if self.over > 0 {
            self.pending -= self.over;
            self.tally.take_back(std::mem::take(&mut self.over));
        }
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        self.tell();
    }
}

/// Calls `body`, and returns when every task that was made in it has run; `wait` waits for that, and may come back early.
///
/// # Panics
/// With what the body panicked with, else with what the first job did.
pub fn scope<'env, R>(
    wait: impl Fn(&Tally),
    body: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> R,
) -> R {
    let scope = Scope { tally: Tally::new(), scope: PhantomData, env: PhantomData };
    let outcome = catch_unwind(AssertUnwindSafe(|| body(&scope)));
    // Whatever happens, tasks that borrow are over before this frame is left.
    let on_unwind = AbortOnUnwind;
    while !scope.tally.is_done() {
        wait(&scope.tally);
    }
    std::mem::forget(on_unwind);
    match outcome {
        Err(payload) => resume_unwind(payload),
        Ok(value) => match scope.tally.take_panic() {
            Some(payload) => resume_unwind(payload),
            None => value,
        },
    }
}

struct AbortOnUnwind;

impl Drop for AbortOnUnwind {
    fn drop(&mut self) {
        std::process::abort();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{Counter, Wait};

    #[test]
    fn a_wait_keeps_count_while_it_is_alone_and_tells_of_each_once_another_runs_some_too() {
        let mut counter = Counter::new();
        let [first, second, elsewhere, third, fourth] = [(); 5].map(|()| counter.task(|| {}));
        let tally = counter.tally();
        let mut wait = Wait::new(tally);
        for (task, pending) in [(first, 5), (second, 5)] {
            assert!(!wait.is_done());
            wait.run(task);
            assert_eq!(tally.pending(), pending);
        }
        elsewhere.run();
        assert_eq!(tally.pending(), 4);
        assert!(!wait.is_done());
        // With it those before.
        wait.run(third);
        assert_eq!(tally.pending(), 1);
        assert!(!wait.is_done());
        wait.run(fourth);
        assert!(wait.is_done());
        assert!(!tally.is_done());
        drop(wait);
        assert!(tally.is_done());
    }

    #[test]
    fn a_wait_counts_none_of_what_is_not_its_own() {
        let (mut own, mut other) = (Counter::new(), Counter::new());
        let (task, of_other) = (own.task(|| {}), other.task(|| {}));
        let mut wait = Wait::new(own.tally());
        wait.run(of_other);
        assert!(other.tally().is_done());
        assert!(!wait.is_done());
        wait.run(task);
        assert!(wait.is_done());
    }
}
