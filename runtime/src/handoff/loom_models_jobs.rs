//! What jobs are made of, in every interleaving of small runs; how to run it stands in `loom_models.rs`.

#![expect(unsafe_code, reason = "cells that loom watches")]
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::sync::Arc;

use loom::thread;

use super::sleep::Sleepers;
use super::sync::{AtomicU32, Ordering, UnsafeCell, park};
use super::task::{Counter, Task, Wait, scope};

fn model_with_preemptions(bound: usize, run: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(bound);
    builder.check(run);
}

/// Runs it on a thread of its own, as a worker does.
fn run_elsewhere(sleepers: &Arc<Sleepers<1>>, task: Task) -> thread::JoinHandle<()> {
    let sleepers = sleepers.clone();
    thread::spawn(move || {
        if let Some(bed) = task.run().wakes {
            sleepers.wake(bed);
        }
    })
}

struct Shared<T>(UnsafeCell<T>);

// SAFETY: loom watches who touches it.
unsafe impl<T> Sync for Shared<T> {}

#[test]
fn a_scope_sleeps_until_the_last_of_its_jobs_is_over_and_sees_what_they_did() {
    model_with_preemptions(3, || {
        let sleepers = Arc::new(Sleepers::<1>::with_beds(1));
        let results = [Shared(UnsafeCell::new(0)), Shared(UnsafeCell::new(0))];
        let mut threads = Vec::new();
        scope(
            |tally| {
                let mut bed = sleepers.take_bed().unwrap();
                sleepers.sleep(&mut bed, 0, |bed| !tally.wait_in(bed));
                tally.wait_no_more();
                sleepers.leave_bed(bed);
            },
            |scope| {
                for (idx, result) in results.iter().enumerate() {
                    let task = scope.task(move || {
                        // SAFETY: in a model; loom says so where somebody else touches it.
                        result.0.with_mut(|result| unsafe { *result = idx + 1 });
                    });
                    threads.push(run_elsewhere(&sleepers, task));
                }
            },
        );
        // SAFETY: as above.
        let results = results.each_ref().map(|result| result.0.with(|result| unsafe { *result }));
        assert_eq!(results, [1, 2]);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

/// Whether it keeps count of what it runs, or tells the tally at once, depends on what it has seen of the other.
#[test]
fn who_runs_one_of_its_own_jobs_sleeps_until_the_other_is_over_and_sees_what_it_did() {
    model_with_preemptions(3, || {
        let sleepers = Arc::new(Sleepers::<1>::with_beds(1));
        let results = [0, 1, 2].map(|_| Shared(UnsafeCell::new(0)));
        let (here, mut threads) = (std::cell::RefCell::new(Vec::new()), Vec::new());
        scope(
            |tally| {
                let mut wait = Wait::new(tally);
                for task in std::mem::take(&mut *here.borrow_mut()) {
                    assert!(!wait.is_done());
                    wait.run(task);
                }
                if wait.is_done() {
                    return;
                }
                wait.tell();
                let mut bed = sleepers.take_bed().unwrap();
                sleepers.sleep(&mut bed, 0, |bed| !tally.wait_in(bed));
                tally.wait_no_more();
                sleepers.leave_bed(bed);
            },
            |scope| {
                let mut tasks = results.iter().enumerate().map(|(idx, result)| {
                    scope.task(move || {
                        // SAFETY: in a model; loom says so where somebody else touches it.
                        result.0.with_mut(|result| unsafe { *result = idx + 1 });
                    })
                });
                threads.push(run_elsewhere(&sleepers, tasks.next().unwrap()));
                here.borrow_mut().extend(tasks);
            },
        );
        // SAFETY: as above.
        let results = results.each_ref().map(|result| result.0.with(|result| unsafe { *result }));
        assert_eq!(results, [1, 2, 3]);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn a_counter_left_with_a_job_pending_is_freed_by_one_of_the_two() {
    loom::model(|| {
        let sleepers = Arc::new(Sleepers::<1>::with_beds(1));
        let mut counter = Counter::new();
        let task = counter.task(|| {});
        let second = counter.task(|| {});
        let thread = run_elsewhere(&sleepers, task);
        drop(counter);
        // Unrun, it counts as over.
        drop(second);
        thread.join().unwrap();
    });
}

#[test]
fn no_wake_up_is_lost_between_looking_and_sleeping() {
    model_with_preemptions(3, || {
        let sleepers = Arc::new(Sleepers::<1>::with_beds(2));
        let work = Arc::new(AtomicU32::new(0));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let (sleepers, work) = (sleepers.clone(), work.clone());
                thread::spawn(move || {
                    let mut bed = sleepers.take_bed().unwrap();
                    // Nothing but the fences orders what is read here.
                    while work
                        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                        .is_err()
                    {
                        sleepers.sleep(&mut bed, 1, |_| work.load(Ordering::Relaxed) > 0);
                    }
                    sleepers.leave_bed(bed);
                })
            })
            .collect();
        for _ in 0..2 {
            work.fetch_add(1, Ordering::Relaxed);
            sleepers.wake_for(0);
        }
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(work.load(Ordering::Relaxed), 0);
    });
}

#[test]
fn a_bed_may_have_a_new_owner_while_its_last_is_still_being_called() {
    model_with_preemptions(3, || {
        let sleepers = Arc::new(Sleepers::<1>::with_beds(1));
        let flag = Arc::new(AtomicU32::new(0));
        let caller = {
            let (sleepers, flag) = (sleepers.clone(), flag.clone());
            thread::spawn(move || {
                for _ in 0..2 {
                    flag.fetch_add(1, Ordering::Relaxed);
                    sleepers.wake_for(0);
                }
            })
        };
        for seen in 1..=2 {
            let mut bed = sleepers.take_bed().unwrap();
            while flag.load(Ordering::Relaxed) < seen {
                sleepers.sleep(&mut bed, 1, |_| flag.load(Ordering::Relaxed) >= seen);
            }
            sleepers.leave_bed(bed);
        }
        caller.join().unwrap();
    });
}

/// Waits for a flag, and does work meanwhile: what there is to be woken for lies in two places.
#[test]
fn who_waits_for_something_else_loses_neither_that_nor_work_that_comes_meanwhile() {
    model_with_preemptions(3, || {
        let sleepers = Arc::new(Sleepers::<1>::with_beds(1));
        let (work, flag) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
        let waiter = {
            let (sleepers, work, flag) = (sleepers.clone(), work.clone(), flag.clone());
            thread::spawn(move || {
                let mut bed = sleepers.take_last_bed().unwrap();
                let mut done = 0;
                while done < 2 || flag.load(Ordering::Acquire) == 0 {
                    if sleepers.lie_down(&mut bed, 1) {
                        // Nothing but the fences orders what is read of the work.
                        let is_over = done == 2 && flag.load(Ordering::Acquire) == 1;
                        if work.load(Ordering::Relaxed) == 0 && !is_over {
                            park();
                        }
                        sleepers.get_up(&mut bed, 1);
                    } else {
                        park();
                    }
                    done += work.swap(0, Ordering::Relaxed);
                }
                sleepers.leave_bed(bed);
            })
        };
        let worker = {
            let (sleepers, work) = (sleepers.clone(), work.clone());
            thread::spawn(move || {
                for _ in 0..2 {
                    work.fetch_add(1, Ordering::Relaxed);
                    sleepers.wake_for(0);
                }
            })
        };
        flag.store(1, Ordering::Release);
        waiter.thread().unpark();
        worker.join().unwrap();
        waiter.join().unwrap();
    });
}

/// It was woken for work at the moment its own wait ended.
#[test]
fn work_that_is_declined_is_passed_on_to_another_who_sleeps() {
    model_with_preemptions(3, || {
        let sleepers = Arc::new(Sleepers::<1>::with_beds(2));
        let work = Arc::new(AtomicU32::new(0));
        let decliner = {
            let (sleepers, work) = (sleepers.clone(), work.clone());
            thread::spawn(move || {
                let mut bed = sleepers.take_bed().unwrap();
                if sleepers.lie_down(&mut bed, 1) {
                    // A timed park may end at any time.
                    loom::thread::yield_now();
                    if sleepers.get_up(&mut bed, 1) && work.load(Ordering::Relaxed) > 0 {
                        sleepers.wake_for(0);
                    }
                }
                sleepers.leave_bed(bed);
            })
        };
        let doer = {
            let (sleepers, work) = (sleepers.clone(), work.clone());
            thread::spawn(move || {
                let mut bed = sleepers.take_last_bed().unwrap();
                while work.load(Ordering::Relaxed) == 0 {
                    sleepers.sleep(&mut bed, 1, |_| work.load(Ordering::Relaxed) > 0);
                }
                sleepers.leave_bed(bed);
            })
        };
        work.store(1, Ordering::Relaxed);
        sleepers.wake_for(0);
        decliner.join().unwrap();
        doer.join().unwrap();
    });
}

#[test]
fn a_bed_that_was_left_as_its_owner_was_called_serves_the_next() {
    model_with_preemptions(3, || {
        let sleepers = Arc::new(Sleepers::<1>::with_beds(1));
        let work = Arc::new(AtomicU32::new(0));
        let caller = {
            let (sleepers, work) = (sleepers.clone(), work.clone());
            thread::spawn(move || {
                for _ in 0..2 {
                    work.fetch_add(1, Ordering::Relaxed);
                    sleepers.wake_for(0);
                }
            })
        };
        let mut bed = sleepers.take_bed().unwrap();
        if sleepers.lie_down(&mut bed, 1) {
            sleepers.get_up(&mut bed, 1);
        }
        sleepers.leave_bed(bed);
        let mut bed = sleepers.take_bed().unwrap();
        while work.load(Ordering::Relaxed) < 2 {
            sleepers.sleep(&mut bed, 1, |_| work.load(Ordering::Relaxed) == 2);
        }
        sleepers.leave_bed(bed);
        caller.join().unwrap();
    });
}
