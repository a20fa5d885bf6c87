//! Work in small pieces, for whoever has time: workers, and threads that wait for one of the pieces.
//!
//! ```text
//!   sim ────▶ logic ───┐  full: overflows          worker 0 ── prefers physics (a quarter of them do)
//!   render ─▶ render ──┼────────▶ general ──┐      worker 1 … ── logic, render, general, then physics
//!   sim ────▶ physics ─┘                    ▼      a thread that waits ── what it waits for, then what is short
//!   anybody ─────────────────────▶ general, full: run on the spot
//!                                                  sim, render, waiting for something else ── logic and render
//! ```
//!
//! - [`Workers`]: the threads, and their end. Without any of them everything runs on the thread that waits for it.
//! - [`Jobs`]: the way to hand jobs over: [`Jobs::submit`] for what owns all it touches, [`Jobs::scope`] for what
//!   borrows, [`Jobs::each`] for one job an item.
//! - [`Helping`]: how a thread runs jobs while it waits for something else, and is on time for that.
//! - [`stats`](mod@stats): who ran what, as plain figures that any thread may read.
//! - [`topology`]: which core each thread is to stay on, as a pure function of what the machine says of itself;
//!   [`affinity`] keeps it there, and [`seating`] tells whether it does. Those that stay nowhere keep off the core of the thread that they help.
//!
//! Four bounded queues without a lock; nothing is lost: what finds its queue full goes into `general`, and what finds
//! that full too is run by the thread that brought it. Both are counted. Nothing is allocated for a job whose closure
//! is no larger than [`INLINE_WORDS`], nor for a wait. A thread without work looks round for a moment and then sleeps in
//! a futex; a job that comes wakes one.
//!
//! What a result depends on is never who computed it: a sweep writes each entity from that entity alone.

pub mod affinity;
mod apart;
mod helping;
mod queue;
pub mod seating;
pub mod stats;
pub mod thread;
pub mod topology;

#[cfg(all(test, not(loom)))]
mod helping_tests;
#[cfg(all(test, loom))]
mod loom_models;
#[cfg(all(test, not(loom)))]
mod stress;
#[cfg(all(test, not(loom)))]
mod tests;

pub use crate::handoff::task::{Counter, INLINE_WORDS};
pub use helping::Helping;
pub use stats::{JobsStats, QueueStats, Role, ThreadStats};
pub use thread::Workers;

use crate::frame::zones::zone;
use crate::handoff::sleep::Sleepers;
use crate::handoff::sync::{AtomicBool, Ordering, spin_loop};
use crate::handoff::tally::{Over, Tally};
use crate::handoff::task::{self, Scope, Task, Wait};
use crate::time::Nanos;
use crate::time::source::RealClock;
use apart::{Apart, Home};
use queue::Bounded;
use stats::Lanes;
use std::panic::resume_unwind;
use std::sync::Arc;

/// For whom a job is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Queue {
    /// The simulation's own: sweeps over entities. Short.
    Logic,
    /// The renderer's own. Short.
    Render,
    /// Physics steps. One may take as long as a tick.
    Physics,
    /// Everything else, and what overflows.
    #[default]
    General,
}

impl Queue {
    pub const ALL: [Self; 4] = [Self::Logic, Self::Render, Self::Physics, Self::General];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logic => "logic",
            Self::Render => "render",
            Self::Physics => "physics",
            Self::General => "general",
        }
    }

    /// How many jobs wait in it at most.
    #[must_use]
    pub const fn capacity(self) -> usize {
        match self {
            Self::Logic | Self::Render => 1024,
            Self::Physics => 256,
            Self::General => 2048,
        }
    }

    const fn zone(self) -> &'static str {
        match self {
            Self::Logic => "logic job",
            Self::Render => "render job",
            Self::Physics => "physics job",
            Self::General => "general job",
        }
    }

    /// Where a thread looks that waits for a job of this queue, in this order. A physics step may take longer than all
    /// else together, so only those take one on who wait for one.
    const fn helps(self) -> &'static [Self] {
        match self {
            Self::Logic => &[Self::Logic, Self::General, Self::Render],
            Self::Render => &[Self::Render, Self::General, Self::Logic],
            Self::Physics => &[Self::Physics, Self::General, Self::Logic, Self::Render],
            Self::General => &[Self::General, Self::Logic, Self::Render],
        }
    }
}

/// Where a worker looks, in this order.
const LOGIC_FIRST: &[Queue] = &[Queue::Logic, Queue::Render, Queue::General, Queue::Physics];
const PHYSICS_FIRST: &[Queue] = &[Queue::Physics, Queue::General, Queue::Logic, Queue::Render];

/// How long a worker looks round before it sleeps: about as long as one sweep's jobs lie behind another's.
const WORKER_LOOKS_ROUND: Nanos = Nanos(10_000);
/// How long it looks away first: whoever looks for each job as it is handed over takes a line from who hands over, each time.
/// Tiny jobs, of which none would lie there for longer, cost a third less so where lines are slow to cross.
const WORKER_LETS_COME: Nanos = Nanos(2_500);
/// How long a waiting thread does: the last job of a sweep is over within that, where waking would take as long again.
const WAITER_LOOKS_ROUND: Nanos = Nanos(50_000);

/// The way to hand jobs over. Clones are the same.
#[derive(Clone)]
pub struct Jobs(Arc<Shared>);

struct Shared {
    queues: [Bounded<Task>; 4],
    sleepers: Sleepers<4>,
    stopping: AtomicBool,
    lanes: Lanes,
    home: Home,
    workers: usize,
    clock: RealClock,
}

impl Jobs {
    /// Without a worker yet; see [`Workers::start`].
    fn new(workers: usize, physics_first: usize, capacity: impl Fn(Queue) -> usize) -> Self {
        Self(Arc::new(Shared {
            queues: Queue::ALL.map(|queue| Bounded::new(capacity(queue))),
            sleepers: Sleepers::new(),
            stopping: AtomicBool::new(false),
            lanes: Lanes::new(workers, physics_first),
            home: Home::default(),
            workers,
            clock: RealClock::new(),
        }))
    }

    /// No worker: every job runs on the thread that waits for it.
    #[must_use]
    pub fn alone() -> Self {
        Self::new(0, 0, Queue::capacity)
    }

    #[must_use]
    pub fn workers(&self) -> usize {
        self.0.workers
    }

    /// Somebody beside the thread that hands a job over may run it.
    #[must_use]
    pub fn are_shared(&self) -> bool {
        self.hands() > 0
    }

    /// The calling thread is the one to be helped, and may have moved to another core since it said so last: workers that are
    /// [apart](thread::Placement::Apart) keep off it. Cheap enough for every frame.
    pub fn help_is_for_this_thread(&self) {
        self.0.home.is_here();
    }

    /// Threads that may be woken for a job that nobody waits for yet.
    fn hands(&self) -> usize {
        self.0.workers + self.0.lanes.helping()
    }

    /// Hands over one job that owns what it touches; [`Jobs::wait`] waits for all of the counter's.
    pub fn submit(&self, queue: Queue, counter: &mut Counter, job: impl FnOnce() + Send + 'static) {
        let queue = self.put(queue, counter.task(job));
        if let Some(queue) = queue {
            self.0.sleepers.wake_for(queue as usize);
        }
    }

    /// Runs other jobs, or sleeps, until all of the counter's are over. `queue` is where they were handed over.
    ///
    /// # Panics
    /// With what the first of them panicked with.
    pub fn wait(&self, queue: Queue, counter: &mut Counter) {
        let tally = counter.tally();
        self.wait_for(queue, tally);
        if let Some(payload) = tally.take_panic() {
            resume_unwind(payload);
        }
    }

    /// Calls `body`, which may hand over jobs that borrow; back when all of them are over.
    ///
    /// # Panics
    /// With what the body panicked with, else with what the first of the jobs did.
    pub fn scope<'env, R>(
        &'env self,
        queue: Queue,
        body: impl for<'scope> FnOnce(JobScope<'scope, 'env>) -> R,
    ) -> R {
        task::scope(
            |tally| {
                // Whoever was just lying down as the jobs came may have been missed.
                let left = self.0.queues[queue as usize].len().min(self.hands());
                for _ in 0..left {
                    if !self.0.sleepers.wake_for(queue as usize) {
                        break;
                    }
                }
                self.wait_for(queue, tally);
            },
            |scope| body(JobScope { scope, jobs: self, queue }),
        )
    }

    /// One job an item; back when all are over.
    ///
    /// # Panics
    /// With what the first of them panicked with.
    pub fn each<T: Send>(&self, queue: Queue, items: impl IntoIterator<Item = T>, work: impl Fn(T) + Sync) {
        let work = &work;
        self.scope(queue, |scope| {
            let mut many = scope.scope.many();
            for item in items {
                scope.put(many.task(move || work(item)));
            }
        });
    }

    /// Renews `stats` with how things stand; it keeps its memory.
    pub fn read_stats(&self, stats: &mut JobsStats) {
        self.0.lanes.read(stats, self.0.clock.now());
        for (queue, stats) in Queue::ALL.into_iter().zip(&mut stats.queues) {
            let waiting = &self.0.queues[queue as usize];
            (stats.depth, stats.capacity) = (waiting.len(), waiting.capacity());
        }
    }

    #[must_use]
    pub fn stats(&self) -> JobsStats {
        let mut stats = JobsStats::default();
        self.read_stats(&mut stats);
        stats
    }

    /// How long the calling thread has stood still so far in waits for jobs, with none to run itself.
    #[must_use]
    pub fn time_waited_here(&self) -> Nanos {
        self.0.lanes.time_waited(self.0.lanes.of_this_thread())
    }

    /// Puts a job where there is room, and says where that is; none where it has been run on the spot.
    #[inline]
    fn put(&self, queue: Queue, task: Task) -> Option<Queue> {
        match self.0.queues[queue as usize].push(task) {
            Ok(()) => Some(queue),
            Err(task) => self.put_elsewhere(queue, task),
        }
    }

    #[cold]
    fn put_elsewhere(&self, queue: Queue, mut task: Task) -> Option<Queue> {
        if queue != Queue::General {
            self.0.lanes.overflowed(queue);
            match self.0.queues[Queue::General as usize].push(task) {
                Ok(()) => return Some(Queue::General),
                Err(back) => task = back,
            }
        }
        self.0.lanes.ran_on_the_spot(queue);
        let lane = self.0.lanes.of_this_thread();
        self.run(lane, queue, || task.run());
        None
    }

    fn wait_for(&self, queue: Queue, tally: &Tally) {
        if tally.is_done() {
            return;
        }
        let lane = self.0.lanes.of_this_thread();
        let order = queue.helps();
        let waiting = self.0.lanes.begin(lane, self.0.clock.now());
        let (mut wait, mut has_slept) = (Wait::new(tally), false);
        while !wait.is_done() {
            if self.run_next(lane, order, |task| wait.run(task)) {
                continue;
            }
            wait.tell();
            let began = self.0.clock.now();
            if !self.look_round(order, WAITER_LOOKS_ROUND, || tally.is_done()) {
                self.sleep_until(lane, order, tally);
                has_slept = true;
            }
            self.0.lanes.waited(lane, self.0.clock.now() - began);
        }
        drop(wait);
        self.0.lanes.end(lane, waiting, self.0.clock.now());
        if has_slept {
            // It may have been called for a job, and what it waited for was over before it looked for that.
            self.pass_on(order);
        }
    }

    fn sleep_until(&self, lane: usize, order: &[Queue], tally: &Tally) {
        let sleepers = &self.0.sleepers;
        // With more threads waiting than there are beds, the rest go on looking.
        let Some(mut bed) = sleepers.take_bed() else { return std::thread::yield_now() };
        self.0.lanes.parked(lane);
        sleepers.sleep(&mut bed, kinds(order), |bed| !tally.wait_in(bed) || self.has_work(order));
        tally.wait_no_more();
        sleepers.leave_bed(bed);
    }

    /// For a thread that was woken and goes: who woke it for a job believes that somebody is up for that.
    fn pass_on(&self, order: &[Queue]) {
        for queue in order.iter().filter(|queue| !self.0.queues[**queue as usize].is_empty()) {
            self.0.sleepers.wake_for(*queue as usize);
        }
    }

    /// A worker's life; `apart` from the thread it helps.
    fn work(&self, lane: usize, mut apart: Option<Apart>) {
        let order = if self.0.lanes.prefers_physics(lane) { PHYSICS_FIRST } else { LOGIC_FIRST };
        let sleepers = &self.0.sleepers;
        // As many as there are workers, at least.
        let mut bed = sleepers.take_bed().expect("there are more beds than workers");
        // Acquire: with the bed's orders, what was handed over before the stop is seen.
        let is_stopping = || self.0.stopping.load(Ordering::Acquire);
        loop {
            if self.has_work(order) {
                let busy = self.0.lanes.begin(lane, self.0.clock.now());
                while self.run_next(lane, order, Task::run) {}
                let end = self.0.clock.now();
                self.0.lanes.end(lane, busy, end);
                while !LOOKS_ROUND_ONCE && self.0.clock.now() - end < WORKER_LETS_COME {
                    spin_loop();
                }
            }
            if self.look_round(order, WORKER_LOOKS_ROUND, is_stopping) {
                if is_stopping() && !self.has_work(order) {
                    break;
                }
                continue;
            }
            self.0.lanes.parked(lane);
            sleepers.sleep(&mut bed, kinds(order), |_| is_stopping() || self.has_work(order));
            if let Some(apart) = &mut apart {
                apart.keep_off(&self.0.home);
            }
        }
        sleepers.leave_bed(bed);
    }

    /// The end of all workers, once what waits has run.
    fn stop(&self) {
        // Release: see `work`.
        self.0.stopping.store(true, Ordering::Release);
        self.0.sleepers.wake_all();
    }

    /// Runs the first job there is, as `run` does. False: there is none.
    #[inline]
    fn run_next(&self, lane: usize, order: &[Queue], run: impl FnOnce(Task) -> Over) -> bool {
        for (rank, queue) in order.iter().enumerate() {
            let waiting = &self.0.queues[*queue as usize];
            // The likely one is not asked first, which would fetch the line that whoever hands over writes. Of the
            // others, an empty one costs two loads that way, not a fence.
            if (rank == 0 || !waiting.is_empty())
                && let Some(task) = waiting.pop()
            {
                // From here, not by an answer: each move of a task is a copy, and what was written in words is slow to read
                // in longer pieces just then.
                self.run(lane, *queue, || run(task));
                return true;
            }
        }
        false
    }

    /// `run`: a job of this queue.
    #[inline]
    fn run(&self, lane: usize, queue: Queue, run: impl FnOnce() -> Over) {
        zone!(queue.zone());
        // First: whoever waits for it may read the figures as soon as it is over.
        self.0.lanes.ran(lane, queue);
        let over = run();
        if let Some(bed) = over.wakes {
            self.0.sleepers.wake(bed);
        }
    }

    fn has_work(&self, order: &[Queue]) -> bool {
        order.iter().any(|queue| !self.0.queues[*queue as usize].is_empty())
    }

    /// Waits awake for a moment. True: there is work, or `is_over`.
    fn look_round(&self, order: &[Queue], at_most: Nanos, is_over: impl Fn() -> bool) -> bool {
        let end = self.0.clock.now() + at_most;
        loop {
            if is_over() || self.has_work(order) {
                return true;
            }
            if LOOKS_ROUND_ONCE || self.0.clock.now() >= end {
                return false;
            }
            // Some tenths of a microsecond.
            for _ in 0..16 {
                spin_loop();
            }
        }
    }
}

/// A model has no time to pass.
const LOOKS_ROUND_ONCE: bool = cfg!(loom);

fn kinds(order: &[Queue]) -> u32 {
    order.iter().fold(0, |kinds, queue| kinds | 1 << *queue as u32)
}

/// Where jobs are handed over that borrow; see [`Jobs::scope`]. A job may hand over more.
#[derive(Clone, Copy)]
pub struct JobScope<'scope, 'env: 'scope> {
    scope: &'scope Scope<'scope, 'env>,
    jobs: &'env Jobs,
    queue: Queue,
}

impl<'scope> JobScope<'scope, '_> {
    /// Hands over one job.
    pub fn submit(&self, job: impl FnOnce() + Send + 'scope) {
        if let Some(queue) = self.jobs.put(self.queue, self.scope.task(job)) {
            // Made sure of here: from inside a job the end of the scope may be asleep already.
            self.jobs.0.sleepers.wake_for(queue as usize);
        }
    }

    /// One of many, before the scope ends.
    fn put(&self, task: Task) {
        if let Some(queue) = self.jobs.put(self.queue, task) {
            // Cheap; the end of the scope makes it sure.
            self.jobs.0.sleepers.wake_if_seen(queue as usize);
        }
    }
}
