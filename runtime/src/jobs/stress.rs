//! Many threads that hand over, wait and sleep as fast as they can.
//!
//! `FRAMEWALK_STRESS_SECONDS=60 cargo test --release -p framewalk-runtime --no-default-features --lib jobs::stress` runs
//! it for longer than the default second.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use super::{Counter, Jobs, Queue, Workers};
use crate::jobs::thread::WorkersOptions;
use crate::time::Nanos;
use crate::time::source::RealClock;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

#[test]
fn on_real_threads_at_full_speed_every_job_is_run_once_and_every_wait_ends() {
    let seconds = std::env::var("FRAMEWALK_STRESS_SECONDS").ok().map_or(1, |text| text.parse().unwrap());
    let workers = Workers::start(&WorkersOptions::of(3)).unwrap();
    let clock = RealClock::new();
    let deadline = clock.now() + Nanos::from_secs(seconds);
    let (handed_over, ran) = thread::scope(|scope| {
        let threads: Vec<_> = [Queue::Logic, Queue::Render, Queue::Physics]
            .into_iter()
            .map(|queue| {
                let (jobs, clock) = (workers.jobs().clone(), clock.clone());
                scope.spawn(move || hand_over_until(&jobs, queue, &clock, deadline))
            })
            .collect();
        let totals = threads.into_iter().map(|thread| thread.join().unwrap());
        totals.fold((0, 0), |(handed_over, ran), (more, run)| (handed_over + more, ran + run))
    });
    let stats = workers.jobs().stats();
    assert_eq!(handed_over, ran);
    let counted: u64 = stats.threads.iter().map(|thread| thread.all_jobs()).sum();
    assert_eq!(counted, handed_over, "{stats:?}");
    assert_eq!(stats.queues.map(|queue| queue.depth), [0; 4]);
    println!("{handed_over} jobs, {stats:#?}");
}

/// Now few, so that everybody sleeps between them; now many, so that queues overflow.
fn hand_over_until(jobs: &Jobs, queue: Queue, clock: &RealClock, deadline: Nanos) -> (u64, u64) {
    let (mut handed_over, ran) = (0, Arc::new(AtomicU64::new(0)));
    let mut counter = Counter::new();
    for round in 0_u64.. {
        if clock.now() >= deadline {
            break;
        }
        let count = [1, 3, 50, 4000][(round % 4) as usize];
        let (before, borrowed) = (ran.load(Ordering::Relaxed), AtomicU64::new(0));
        if round % 2 == 0 {
            jobs.each(queue, 0..count, |_| {
                borrowed.fetch_add(1, Ordering::Relaxed);
            });
            ran.fetch_add(borrowed.into_inner(), Ordering::Relaxed);
        } else {
            for _ in 0..count {
                let ran = ran.clone();
                jobs.submit(queue, &mut counter, move || {
                    ran.fetch_add(1, Ordering::Relaxed);
                });
            }
            jobs.wait(queue, &mut counter);
        }
        handed_over += count;
        assert_eq!(ran.load(Ordering::Relaxed) - before, count, "in round {round}");
    }
    (handed_over, ran.load(Ordering::Relaxed))
}
