//! Who ran what: plain figures, counted by each thread in a lane of its own, and read from any.
//!
//! A job is counted when it is begun: whoever has waited for it finds it in the figures.

use super::Queue;
use crate::time::Nanos;
use crossbeam_utils::CachePadded;
use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread::ThreadId;

// Relaxed throughout: plain figures, and nothing is read because of them.

/// What a reader is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobsStats {
    /// In the order of [`Queue::ALL`].
    pub queues: [QueueStats; 4],
    /// Workers first, then every other thread that ever ran a job or waited for one.
    pub threads: Vec<ThreadStats>,
}

/// One queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueStats {
    /// Jobs taken out of it and run, by all threads; those under way too.
    pub run: u64,
    /// Jobs that found it full and went into `general`.
    pub overflowed: u64,
    /// Jobs for it that found `general` full too, and were run by who brought them.
    pub on_the_spot: u64,
    /// Jobs that wait in it now.
    pub depth: usize,
    pub capacity: usize,
}

/// One thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadStats {
    pub name: String,
    pub role: Role,
    /// Jobs it ran, in the order of [`Queue::ALL`]; one under way too.
    pub jobs: [u64; 4],
    /// Of those, what it ran while it waited for something else than jobs: for a deadline, or for another thread.
    pub helped: u64,
    /// How often it went to sleep for want of work.
    pub parked: u64,
    /// Time with jobs, of a worker; of another thread, what it spent in waits for jobs, with others or without, and with
    /// jobs in waits for something else.
    pub busy: Nanos,
    /// Of that, what it stood still in waits for jobs which other threads had begun, with none to run itself. One that is not
    /// over counts when it is.
    pub waited: Nanos,
    /// It is at that now.
    pub is_busy: bool,
}

impl ThreadStats {
    #[must_use]
    pub fn all_jobs(&self) -> u64 {
        self.jobs.iter().sum()
    }
}

/// What a thread is to the jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    Worker,
    /// A worker that looks for physics first.
    PhysicsWorker,
    /// Another thread: it runs jobs while it waits.
    #[default]
    Helper,
}

/// A stretch that is not over.
#[derive(Debug)]
pub(super) struct Stretch(Nanos);

/// Threads that can be told apart; the rest share the last lane.
const LANES: usize = 64;

/// One for each thread.
pub(super) struct Lanes {
    // Told apart from other runs' in a thread's memory.
    id: u64,
    workers: usize,
    physics_first: usize,
    lanes: Box<[CachePadded<Lane>]>,
    helpers: Mutex<Vec<ThreadId>>,
    // Threads that run jobs while they wait for something else.
    helping: AtomicU32,
    overflowed: [AtomicU64; 4],
    on_the_spot: [AtomicU64; 4],
}

#[derive(Default)]
struct Lane {
    name: OnceLock<String>,
    jobs: [AtomicU64; 4],
    helped: AtomicU64,
    parked: AtomicU64,
    busy: AtomicI64,
    waited: AtomicI64,
    // Of the stretch that is not over, plus 1; 0 where none is.
    since: AtomicI64,
}

impl Lanes {
    pub(super) fn new(workers: usize, physics_first: usize) -> Self {
        static IDS: AtomicU64 = AtomicU64::new(1);
        Self {
            id: IDS.fetch_add(1, Ordering::Relaxed),
            workers,
            physics_first,
            lanes: (0..LANES).map(|_| CachePadded::default()).collect(),
            helpers: Mutex::new(Vec::new()),
            helping: AtomicU32::new(0),
            overflowed: Default::default(),
            on_the_spot: Default::default(),
        }
    }

    pub(super) const fn prefers_physics(&self, lane: usize) -> bool {
        lane < self.physics_first
    }

    pub(super) fn begin_helping(&self) {
        self.helping.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn end_helping(&self) {
        self.helping.fetch_sub(1, Ordering::Relaxed);
    }

    /// How many threads help while they wait for something else.
    pub(super) fn helping(&self) -> usize {
        self.helping.load(Ordering::Relaxed) as usize
    }

    /// A worker's, under its name.
    pub(super) fn of_worker(&self, number: usize, name: &str) -> usize {
        let _ = self.lanes[number].name.set(name.to_owned());
        number
    }

    /// The calling thread's; the first time it is looked for under a lock.
    pub(super) fn of_this_thread(&self) -> usize {
        // All threads of a model are one.
        if cfg!(loom) {
            return LANES - 1;
        }
        let (id, lane) = LANE.get();
        if id == self.id {
            return lane;
        }
        let lane = self.look_up();
        LANE.set((self.id, lane));
        lane
    }

    #[cold]
    fn look_up(&self) -> usize {
        let thread = std::thread::current();
        let mut helpers = self.helpers.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let known = helpers.iter().position(|id| *id == thread.id());
        let number = known.unwrap_or_else(|| {
            helpers.push(thread.id());
            helpers.len() - 1
        });
        let lane = (self.workers + number).min(LANES - 1);
        let name = if lane == LANES - 1 { "others" } else { thread.name().unwrap_or("a thread") };
        let _ = self.lanes[lane].name.set(name.to_owned());
        lane
    }

    /// A worker's lane is its own, and from now on this thread's.
    pub(super) fn is_this_threads(&self, lane: usize) {
        LANE.set((self.id, lane));
    }

    #[inline]
    pub(super) fn ran(&self, lane: usize, queue: Queue) {
        self.add_one(lane, &self.lanes[lane].jobs[queue as usize]);
    }

    /// The job begun last was run in a wait for something else.
    pub(super) fn helped(&self, lane: usize) {
        self.add_one(lane, &self.lanes[lane].helped);
    }

    pub(super) fn parked(&self, lane: usize) {
        self.add_one(lane, &self.lanes[lane].parked);
    }

    #[inline]
    fn add_one(&self, lane: usize, figure: &AtomicU64) {
        if lane == LANES - 1 {
            figure.fetch_add(1, Ordering::Relaxed);
        } else {
            // Nobody else writes here, so no exchange is needed.
            figure.store(figure.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        }
    }

    pub(super) fn overflowed(&self, queue: Queue) {
        self.overflowed[queue as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn ran_on_the_spot(&self, queue: Queue) {
        self.on_the_spot[queue as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// A stretch begins. Inside another one nothing does: a job that waits is busy with that.
    pub(super) fn begin(&self, lane: usize, now: Nanos) -> Option<Stretch> {
        let since = &self.lanes[lane].since;
        if lane == LANES - 1 || since.load(Ordering::Relaxed) != 0 {
            return None;
        }
        since.store(now.0 + 1, Ordering::Relaxed);
        Some(Stretch(now))
    }

    pub(super) fn end(&self, lane: usize, stretch: Option<Stretch>, now: Nanos) {
        let Some(Stretch(start)) = stretch else { return };
        let lane = &self.lanes[lane];
        lane.since.store(0, Ordering::Relaxed);
        lane.busy.store(lane.busy.load(Ordering::Relaxed) + (now - start).0, Ordering::Relaxed);
    }

    /// In a wait for jobs there was none to run for so long. The lane of all others has no time of its own.
    pub(super) fn waited(&self, lane: usize, time: Nanos) {
        if lane != LANES - 1 {
            let waited = &self.lanes[lane].waited;
            waited.store(waited.load(Ordering::Relaxed) + time.0, Ordering::Relaxed);
        }
    }

    /// How long that has been, of a lane.
    pub(super) fn time_waited(&self, lane: usize) -> Nanos {
        Nanos(self.lanes[lane].waited.load(Ordering::Relaxed))
    }

    pub(super) fn read(&self, stats: &mut JobsStats, now: Nanos) {
        let helpers = self.helpers.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).len();
        let threads = (self.workers + helpers).min(LANES);
        stats.threads.resize_with(threads, ThreadStats::default);
        stats.queues = Default::default();
        for (idx, (lane, thread)) in self.lanes.iter().zip(&mut stats.threads).enumerate() {
            let name = lane.name.get().map_or("", String::as_str);
            if thread.name != name {
                name.clone_into(&mut thread.name);
            }
            thread.role = match idx {
                _ if idx < self.physics_first => Role::PhysicsWorker,
                _ if idx < self.workers => Role::Worker,
                _ => Role::Helper,
            };
            thread.jobs = std::array::from_fn(|queue| lane.jobs[queue].load(Ordering::Relaxed));
            thread.helped = lane.helped.load(Ordering::Relaxed);
            thread.parked = lane.parked.load(Ordering::Relaxed);
            thread.waited = Nanos(lane.waited.load(Ordering::Relaxed));
            let since = lane.since.load(Ordering::Relaxed);
            thread.is_busy = since != 0;
            let unfinished = if since == 0 { 0 } else { (now.0 + 1 - since).max(0) };
            thread.busy = Nanos(lane.busy.load(Ordering::Relaxed) + unfinished);
            for (queue, jobs) in stats.queues.iter_mut().zip(thread.jobs) {
                queue.run += jobs;
            }
        }
        for (idx, queue) in stats.queues.iter_mut().enumerate() {
            queue.overflowed = self.overflowed[idx].load(Ordering::Relaxed);
            queue.on_the_spot = self.on_the_spot[idx].load(Ordering::Relaxed);
        }
    }
}

thread_local! {
    // Which lane of which run was this thread's last.
    static LANE: Cell<(u64, usize)> = const { Cell::new((0, 0)) };
}
