//! The seats of a run, and who of its threads has taken theirs: read by whoever shows it.

use super::affinity::OnCore;
use super::topology::{Core, Seats};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

// Relaxed throughout: plain figures, and nothing is read because of them.

const NOT_YET: u8 = 0;
const STAYS: u8 = 1;
const REFUSED: u8 = 2;

/// Which core each thread of a run is to stay on, and what came of that. Clones know the same.
#[derive(Clone, Debug)]
pub struct Seating {
    seats: Seats,
    // Of `sim`, of `render`, then of the workers.
    outcomes: Arc<[AtomicU8]>,
}

/// Two that give the same seats: what came of it is no part of it.
impl PartialEq for Seating {
    fn eq(&self, other: &Self) -> bool {
        self.seats == other.seats
    }
}

impl Eq for Seating {}

impl From<Seats> for Seating {
    /// Nobody has sat down.
    fn from(seats: Seats) -> Self {
        let outcomes = (0..2 + seats.workers.len()).map(|_| AtomicU8::new(NOT_YET)).collect();
        Self { seats, outcomes }
    }
}

/// A thread that was to stay on a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seated {
    /// `sim`, `render`, `worker 0`.
    pub thread: String,
    pub core: Core,
    /// It does; else the system has refused, and it runs where it could before.
    pub stays: bool,
}

impl Seating {
    #[must_use]
    pub const fn seats(&self) -> &Seats {
        &self.seats
    }

    /// There is something to choose: on one core there is not, and nobody has a seat.
    #[must_use]
    pub const fn is_possible(&self) -> bool {
        self.seats.sim.is_some()
    }

    /// Every thread that has tried to take its seat by now: `sim`, `render`, then workers.
    #[must_use]
    pub fn seated(&self) -> Vec<Seated> {
        let names = ["sim".to_owned(), "render".to_owned()];
        let names = names.into_iter().chain((0..).map(|number| format!("worker {number}")));
        let cores = [self.seats.sim, self.seats.render].into_iter();
        let cores = cores.chain(self.seats.workers.iter().copied().map(Some));
        let all = names.zip(cores).zip(self.outcomes.iter());
        all.filter_map(|((thread, core), outcome)| {
            let outcome = outcome.load(Ordering::Relaxed);
            Some(Seated { thread, core: core?, stays: outcome == STAYS }).filter(|_| outcome != NOT_YET)
        })
        .collect()
    }

    pub(super) fn of_sim(&self) -> Option<Seat> {
        self.seat(self.seats.sim?, 0)
    }

    pub(super) fn of_render(&self) -> Option<Seat> {
        self.seat(self.seats.render?, 1)
    }

    pub(super) fn of_worker(&self, number: usize) -> Option<Seat> {
        self.seat(*self.seats.workers.get(number)?, number + 2)
    }

    fn seat(&self, core: Core, number: usize) -> Option<Seat> {
        Some(Seat { core, number, outcomes: self.outcomes.clone() })
    }
}

/// The core that one thread is to stay on.
#[derive(Clone, Debug)]
pub struct Seat {
    core: Core,
    number: usize,
    outcomes: Arc<[AtomicU8]>,
}

impl Seat {
    #[must_use]
    pub const fn core(&self) -> Core {
        self.core
    }

    /// As [`OnCore::stay`], and [`Seating::seated`] tells of it from now on.
    #[must_use]
    pub fn take(&self, thread: &str) -> Option<OnCore> {
        let stays = OnCore::stay(thread, self.core);
        if let Some(outcome) = self.outcomes.get(self.number) {
            outcome.store(if stays.is_some() { STAYS } else { REFUSED }, Ordering::Relaxed);
        }
        stays
    }
}

#[cfg(all(test, not(loom), target_os = "linux"))]
mod tests {
    use super::*;
    use crate::jobs::affinity::Mask;

    /// On a thread of its own, so that no other test is put anywhere.
    fn on_a_thread(body: impl FnOnce() + Send) {
        std::thread::scope(|scope| scope.spawn(body).join().expect("what it asserts holds"));
    }

    #[test]
    fn on_real_threads_a_seat_tells_whether_it_could_be_taken() {
        on_a_thread(|| {
            let cores = Mask::of_this_thread().expect("Linux says").cores();
            let first = *cores.first().expect("it runs somewhere");
            // No machine has that many.
            let nowhere = Core(1_000_000);
            let seats = Seats { sim: Some(first), render: Some(nowhere), workers: vec![first, first] };
            let seating = Seating::from(seats);
            assert_eq!(seating.seated(), [], "nobody has come");
            assert!(seating.of_sim().expect("a seat").take("sim").is_some());
            assert!(seating.of_render().expect("a seat").take("render").is_none());
            assert!(seating.clone().of_worker(1).expect("a seat").take("worker 1").is_some());
            assert!(seating.of_worker(2).is_none());
            let told = |thread: &str, core, stays| Seated { thread: thread.to_owned(), core, stays };
            assert_eq!(
                seating.seated(),
                [told("sim", first, true), told("render", nowhere, false), told("worker 1", first, true)]
            );
        });
    }

    #[test]
    fn on_one_core_there_is_no_seat_to_take() {
        let seating = Seating::from(Seats::default());
        assert!(!seating.is_possible());
        assert!(
            seating.of_sim().is_none() && seating.of_render().is_none() && seating.of_worker(0).is_none()
        );
        assert_eq!(seating.seated(), []);
    }
}
