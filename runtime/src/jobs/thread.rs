//! The workers: threads around `Jobs::work`, started together, and joined.

use super::apart::Apart;
use super::seating::{Seat, Seating};
use super::{Jobs, Queue};
use crate::frame::zones::{ZONE_RING_CAPACITY, ZoneReceiver, ZoneSender, zone_ring};
use crate::joining::Joinable;
use std::convert::Infallible;
use std::io;
use std::sync::mpsc;

/// More would be no help to a frame, and each needs a bed.
pub const MOST_WORKERS: usize = 48;

/// Which cores the threads of a run are on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Wherever the system puts them.
    System,
    /// The same; but a worker that was woken on the core that the thread `sim` runs on moves to another, and leaves that
    /// core out for as long as `sim` stays there. For as many workers as there are other cores; on Linux.
    #[default]
    Apart,
    /// Each stays on the core it is given. Who runs frames on a thread of its own, by `PacedRun` or in virtual time, keeps
    /// that on its core by [`Seat::take`].
    Pinned(Seating),
}

impl Placement {
    /// The seats of a run whose threads are to stay on cores of their own; `None` where nobody asked for that.
    #[must_use]
    pub const fn seating(&self) -> Option<&Seating> {
        match self {
            Self::Pinned(seating) => Some(seating),
            Self::System | Self::Apart => None,
        }
    }

    /// Where the thread `sim` stays.
    #[must_use]
    pub fn of_sim(&self) -> Option<Seat> {
        self.seating()?.of_sim()
    }

    /// Where the thread `render` stays.
    #[must_use]
    pub fn of_render(&self) -> Option<Seat> {
        self.seating()?.of_render()
    }

    /// `render` stays on the core of `sim`, so that whatever it does there takes time from that.
    #[must_use]
    pub fn is_shared_with_sim(&self) -> bool {
        let seats = self.seating().map(Seating::seats);
        seats.is_some_and(|seats| seats.render.is_some() && seats.render == seats.sim)
    }
}

/// How workers are set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkersOptions {
    /// At most [`MOST_WORKERS`] are started.
    pub workers: usize,
    /// How many of a hundred look for physics first; rounded to the nearest worker, a half up.
    pub physics_percent: u32,
    /// Where they run, and the threads that they help.
    pub placement: Placement,
    /// The threads `sim` and `render` of a run run jobs too, while they wait for a deadline or for each other.
    pub waiting_help: bool,
}

impl Default for WorkersOptions {
    fn default() -> Self {
        Self { workers: 0, physics_percent: 25, placement: Placement::default(), waiting_help: false }
    }
}

impl WorkersOptions {
    /// So many, and nobody else.
    #[must_use]
    pub fn of(workers: usize) -> Self {
        Self { workers, ..Self::default() }
    }

    /// So many, and whoever waits helps where the machine has a core left for that: see [`waiting_help`].
    #[must_use]
    pub fn on(cores: usize, workers: usize) -> Self {
        Self { waiting_help: waiting_help(cores, workers), ..Self::of(workers) }
    }

    /// Somebody runs jobs beside the thread that hands them over.
    #[must_use]
    pub const fn are_any(&self) -> bool {
        self.workers > 0 || self.waiting_help
    }

    /// How many of the workers look for physics first.
    #[must_use]
    pub fn physics_first(&self) -> usize {
        let workers = self.workers.min(MOST_WORKERS);
        let percent = self.physics_percent.min(100) as usize;
        (workers * percent + 50) / 100
    }
}

/// How many workers are right for a machine with so many cores: two are left to the simulation and to who draws, but
/// where there are two at all, one works, since drawing and the window sleep most of the time.
#[must_use]
pub const fn usual_workers(cores: usize) -> usize {
    match cores {
        0 | 1 => 0,
        2 | 3 => 1,
        more if more - 2 > MOST_WORKERS => MOST_WORKERS,
        more => more - 2,
    }
}

/// Whether a thread that waits for something else is to run jobs meanwhile: where there are more cores than threads at it
/// already, the workers and the one that hands jobs over. With fewer one of them would have to give way in the middle of a
/// job, and all would wait for that one.
#[must_use]
pub const fn waiting_help(cores: usize, workers: usize) -> bool {
    cores > workers + 1
}

/// Threads that run jobs, until this is dropped: then what waits is run, and they are joined.
pub struct Workers {
    jobs: Jobs,
    threads: Vec<Joinable>,
}

impl Workers {
    /// Returns when each of them looks for work: what a thread needs to begin, it has then.
    ///
    /// # Errors
    /// The system refuses a thread; those started before it have ended.
    pub fn start(options: &WorkersOptions) -> io::Result<Self> {
        Self::start_with(options, || None)
    }

    /// As [`Workers::start`]; the zones of each go to its receiver.
    ///
    /// # Errors
    /// As [`Workers::start`].
    pub fn start_recorded(options: &WorkersOptions) -> io::Result<(Self, Vec<ZoneReceiver>)> {
        let mut receivers = Vec::new();
        let workers = Self::start_with(options, || {
            let (sender, receiver) = zone_ring(ZONE_RING_CAPACITY);
            receivers.push(receiver);
            Some(sender)
        })?;
        Ok((workers, receivers))
    }

    fn start_with(
        options: &WorkersOptions,
        mut zones: impl FnMut() -> Option<ZoneSender>,
    ) -> io::Result<Self> {
        let count = options.workers.min(MOST_WORKERS);
        let jobs = Jobs::new(count, options.physics_first(), Queue::capacity);
        let is_apart = options.placement == Placement::Apart;
        if is_apart {
            jobs.0.home.look_at();
        }
        let mut workers = Self { jobs, threads: Vec::with_capacity(count) };
        let (begun, all_begun) = mpsc::channel::<Infallible>();
        for number in 0..count {
            let name = format!("worker {number}");
            let seat = options.placement.seating().and_then(|seating| seating.of_worker(number));
            let jobs = workers.jobs.clone();
            let lane = jobs.0.lanes.of_worker(number, &name);
            let (zones, begun) = (zones(), begun.clone());
            let body = move || {
                if let Some(zones) = zones {
                    zones.record_this_thread();
                }
                let _stays = seat.and_then(|seat| seat.take(&format!("worker {number}")));
                let apart = is_apart.then(|| Apart::after(number)).flatten();
                jobs.0.lanes.is_this_threads(lane);
                drop(begun);
                jobs.work(lane, apart);
            };
            // An error drops `workers`, which ends those there are.
            workers.threads.push(Joinable::spawn(std::thread::Builder::new(), &name, body)?);
        }
        drop(begun);
        // Nothing is ever sent: it returns when the last of them has let go.
        let _ = all_begun.recv();
        Ok(workers)
    }

    #[must_use]
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.jobs.stop();
        for thread in self.threads.drain(..) {
            // Jobs catch their own panics; one of a worker itself has been reported by the hook.
            let _ = thread.join();
        }
    }
}
