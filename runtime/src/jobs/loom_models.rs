//! The whole of it with one worker and queues of one place; how to run it stands in `handoff/loom_models.rs`.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use super::{Helping, Jobs, Queue};
use crate::handoff::sync::{AtomicU32, Ordering};
use crate::handoff::task::{Counter, Task};
use crate::time::rest::Rest;
use loom::thread;
use std::sync::Arc;

fn model(run: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(run);
}

fn worker(jobs: &Jobs) -> thread::JoinHandle<()> {
    let jobs = jobs.clone();
    thread::spawn(move || jobs.work(0, None))
}

#[test]
fn what_overflows_is_run_as_well_once_each() {
    model(|| {
        let jobs = Jobs::new(1, 0, |_| 1);
        let worker = worker(&jobs);
        let ran = Arc::new(AtomicU32::new(0));
        let mut counter = Counter::new();
        for bit in 0..3 {
            let ran = ran.clone();
            // Relaxed: the counter orders it.
            jobs.submit(Queue::Logic, &mut counter, move || {
                let before = ran.fetch_add(1 << (8 * bit), Ordering::Relaxed);
                assert_eq!(before >> (8 * bit) & 0xFF, 0, "run twice");
            });
        }
        jobs.wait(Queue::Logic, &mut counter);
        assert_eq!(ran.load(Ordering::Relaxed), 0x01_01_01);
        jobs.stop();
        worker.join().unwrap();
    });
}

#[test]
fn what_waits_when_it_ends_is_run_first() {
    model(|| {
        let jobs = Jobs::new(1, 0, |_| 1);
        let worker = worker(&jobs);
        let ran = Arc::new(AtomicU32::new(0));
        let mut counter = Counter::new();
        let in_job = ran.clone();
        jobs.submit(Queue::Physics, &mut counter, move || in_job.store(1, Ordering::Relaxed));
        jobs.stop();
        worker.join().unwrap();
        assert_eq!(ran.load(Ordering::Relaxed), 1);
    });
}

/// A job that says so to whoever waits for it, by no counter.
fn tell(ran: &Arc<AtomicU32>) -> impl FnOnce() + Send + 'static {
    let (ran, told) = (ran.clone(), thread::current());
    move || {
        ran.fetch_add(1, Ordering::Release);
        told.unpark();
    }
}

fn wait_until_run(ran: &AtomicU32, jobs: u32) {
    while ran.load(Ordering::Acquire) < jobs {
        thread::park();
    }
}

#[test]
fn who_waits_for_something_else_is_woken_for_every_job_and_for_that() {
    model(|| {
        let jobs = Jobs::new(0, 0, |_| 2);
        let over = Arc::new(AtomicU32::new(0));
        let waiter = {
            let (jobs, over) = (jobs.clone(), over.clone());
            thread::spawn(move || {
                let mut helping = Helping::new(&jobs, Queue::Logic);
                let is_over = || over.load(Ordering::Acquire) == 1;
                while !is_over() {
                    helping.rest(None, &is_over);
                }
            })
        };
        let (ran, mut counter) = (Arc::new(AtomicU32::new(0)), Counter::new());
        jobs.submit(Queue::Logic, &mut counter, tell(&ran));
        jobs.submit(Queue::Render, &mut counter, tell(&ran));
        // Nobody else runs them.
        wait_until_run(&ran, 2);
        over.store(1, Ordering::Release);
        waiter.thread().unpark();
        waiter.join().unwrap();
    });
}

/// Two wait for something else; the one that is called first is about to go, and there is no worker.
#[test]
fn a_job_that_finds_its_helper_about_to_go_is_passed_on_to_the_next() {
    model(|| {
        let jobs = Jobs::new(0, 0, |_| 1);
        let waiting = |over: &Arc<AtomicU32>| {
            let (mut helping, over) = (Helping::new(&jobs, Queue::Logic), over.clone());
            thread::spawn(move || {
                let is_over = || over.load(Ordering::Acquire) == 1;
                while !is_over() {
                    helping.rest(None, &is_over);
                }
            })
        };
        let (stays_until, goes_until) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
        // Whoever comes later has the lower bed.
        let (stays, goes) = (waiting(&stays_until), waiting(&goes_until));
        let (ran, mut counter) = (Arc::new(AtomicU32::new(0)), Counter::new());
        goes_until.store(1, Ordering::Release);
        jobs.submit(Queue::Logic, &mut counter, tell(&ran));
        goes.thread().unpark();
        wait_until_run(&ran, 1);
        stays_until.store(1, Ordering::Release);
        stays.thread().unpark();
        goes.join().unwrap();
        stays.join().unwrap();
    });
}

/// The one who sleeps until its own job is over is woken for another just then, and leaves without running it.
#[test]
fn a_job_that_wakes_one_whose_wait_is_over_is_run_by_the_worker() {
    model(|| {
        let jobs = Jobs::new(1, 0, |_| 1);
        let (ran, mut other) = (Arc::new(AtomicU32::new(0)), Counter::new());
        let waiter = {
            let jobs = jobs.clone();
            thread::spawn(move || {
                let mut own = Counter::new();
                jobs.submit(Queue::Physics, &mut own, || {});
                jobs.wait(Queue::Physics, &mut own);
            })
        };
        let worker = worker(&jobs);
        jobs.submit(Queue::Logic, &mut other, tell(&ran));
        // Its own thread never runs it.
        wait_until_run(&ran, 1);
        waiter.join().unwrap();
        jobs.stop();
        worker.join().unwrap();
    });
}

/// Two sleep until their own jobs are over, without a worker. The one who is called for another job finds its own undone, and
/// that is over before it looks for the other.
#[test]
fn a_job_that_wakes_one_whose_wait_ends_a_moment_later_is_passed_on_to_the_next() {
    model(|| {
        let jobs = Jobs::new(0, 0, |_| 1);
        let (mut own, mut of_other) = (Counter::new(), Counter::new());
        let (ends_soon, ends_late) = (own.task(|| {}), of_other.task(|| {}));
        let stays = {
            let jobs = jobs.clone();
            thread::spawn(move || jobs.wait(Queue::Logic, &mut of_other))
        };
        let hands_over = {
            let jobs = jobs.clone();
            thread::spawn(move || {
                let end = |task: Task| {
                    if let Some(bed) = task.run().wakes {
                        jobs.0.sleepers.wake(bed);
                    }
                };
                let (ran, mut counter) = (Arc::new(AtomicU32::new(0)), Counter::new());
                jobs.submit(Queue::Logic, &mut counter, tell(&ran));
                end(ends_soon);
                // Its own thread never runs it.
                wait_until_run(&ran, 1);
                end(ends_late);
            })
        };
        // This thread sleeps first, so it is the first that is called.
        jobs.wait(Queue::Logic, &mut own);
        hands_over.join().unwrap();
        stays.join().unwrap();
    });
}

/// The job goes on until what it has handed over is run, so only who waits at the end of the scope can.
#[test]
fn a_job_handed_over_by_a_job_finds_whoever_sleeps_at_the_end_of_the_scope() {
    model(|| {
        let jobs = Jobs::new(1, 0, |_| 2);
        let worker = worker(&jobs);
        let ran = Arc::new(AtomicU32::new(0));
        jobs.scope(Queue::Logic, |scope| {
            let ran = &ran;
            scope.submit(move || {
                scope.submit(tell(ran));
                wait_until_run(ran, 1);
            });
        });
        jobs.stop();
        worker.join().unwrap();
    });
}
