//! The whole of it with one worker and queues of one place; how to run it stands in `handoff/loom_models.rs`.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use super::{Jobs, Queue};
use crate::handoff::sync::{AtomicU32, Ordering};
use crate::handoff::task::Counter;
use loom::thread;
use std::sync::Arc;

fn model(run: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(run);
}

fn worker(jobs: &Jobs) -> thread::JoinHandle<()> {
    let jobs = jobs.clone();
    thread::spawn(move || jobs.work(0))
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
            jobs.submit(Queue::Logic, &counter, move || {
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
        let counter = Counter::new();
        let in_job = ran.clone();
        jobs.submit(Queue::Physics, &counter, move || in_job.store(1, Ordering::Relaxed));
        jobs.stop();
        worker.join().unwrap();
        assert_eq!(ran.load(Ordering::Relaxed), 1);
    });
}
