use super::thread::{MOST_WORKERS, WorkersOptions, usual_workers, waiting_help};
use super::{Counter, INLINE_WORDS, Jobs, Queue, Role, Workers};
use crate::time::Nanos;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::ThreadId;

fn workers(count: usize) -> Workers {
    Workers::start(&WorkersOptions::of(count)).expect("threads")
}

#[test]
fn without_a_worker_the_thread_that_waits_runs_everything() {
    let jobs = Jobs::alone();
    let (me, ran) = (std::thread::current().id(), Arc::new(AtomicU64::new(0)));
    let mut counter = Counter::new();
    for number in 1..=100 {
        let ran = ran.clone();
        jobs.submit(Queue::Physics, &mut counter, move || {
            assert_eq!(std::thread::current().id(), me);
            ran.fetch_add(number, Ordering::Relaxed);
        });
    }
    assert_eq!(ran.load(Ordering::Relaxed), 0);
    jobs.wait(Queue::Physics, &mut counter);
    assert_eq!(ran.load(Ordering::Relaxed), 5050);
    // It can be used again.
    jobs.submit(Queue::Logic, &mut counter, || {});
    jobs.wait(Queue::Logic, &mut counter);
    let stats = jobs.stats();
    assert_eq!(stats.queues.map(|queue| queue.run), [1, 0, 100, 0]);
    assert_eq!(
        (stats.threads.len(), stats.threads[0].role, stats.threads[0].jobs),
        (1, Role::Helper, [1, 0, 100, 0])
    );
}

#[test]
fn on_real_threads_jobs_that_borrow_have_run_when_the_scope_returns() {
    for count in [0, 1, 2, 8] {
        let workers = workers(count);
        let mut numbers: Vec<u64> = (0..10_000).collect();
        let seen = AtomicUsize::new(0);
        workers.jobs().each(Queue::Logic, numbers.chunks_mut(7), |chunk| {
            seen.fetch_add(chunk.len(), Ordering::Relaxed);
            chunk.iter_mut().for_each(|number| *number = *number * 3 + 1);
        });
        assert_eq!(seen.into_inner(), 10_000, "{count} workers");
        assert!(numbers.iter().enumerate().all(|(idx, number)| *number == idx as u64 * 3 + 1));
        let stats = workers.jobs().stats();
        // 10,000 ÷ 7, rounded up; those that found the queue full lie in another row.
        assert_eq!(stats.queues.iter().map(|queue| queue.run).sum::<u64>(), 1429, "{count} workers");
        assert_eq!(stats.queues.map(|queue| queue.depth), [0; 4]);
    }
}

#[test]
fn on_real_threads_a_job_may_hand_over_more_and_wait_for_them() {
    let workers = workers(2);
    let leaves = AtomicU64::new(0);
    fn split(jobs: &Jobs, leaves: &AtomicU64, depth: u32) {
        if depth == 0 {
            leaves.fetch_add(1, Ordering::Relaxed);
            return;
        }
        jobs.each(Queue::General, [depth - 1, depth - 1], |depth| split(jobs, leaves, depth));
    }
    split(workers.jobs(), &leaves, 10);
    assert_eq!(leaves.into_inner(), 1024);
}

#[test]
fn a_full_queue_overflows_and_a_full_general_runs_it_on_the_spot() {
    let jobs = Jobs::new(0, 0, |queue| if queue == Queue::General { 3 } else { 2 });
    let (order, mut counter) = (Arc::new(std::sync::Mutex::new(Vec::new())), Counter::new());
    let mut submit = |queue, number: u32| {
        let order = order.clone();
        jobs.submit(queue, &mut counter, move || order.lock().unwrap().push(number));
    };
    // Two fit, three overflow, and two are run at once; so is the one for the full general itself.
    (1..=7).for_each(|number| submit(Queue::Logic, number));
    submit(Queue::General, 8);
    let stats = jobs.stats();
    assert_eq!(stats.queues.map(|queue| queue.depth), [2, 0, 0, 3]);
    assert_eq!(stats.queues.map(|queue| queue.capacity), [2, 2, 2, 3]);
    assert_eq!(stats.queues.map(|queue| queue.overflowed), [5, 0, 0, 0]);
    assert_eq!(stats.queues.map(|queue| queue.on_the_spot), [2, 0, 0, 1]);
    let mut counter = counter;
    jobs.wait(Queue::Logic, &mut counter);
    assert_eq!(*order.lock().unwrap(), [6, 7, 8, 1, 2, 3, 4, 5]);
}

#[test]
fn on_real_threads_a_panic_reaches_whoever_waits_and_nobody_else() {
    let workers = workers(2);
    let jobs = workers.jobs();
    let mut counter = Counter::new();
    let ran = Arc::new(AtomicU64::new(0));
    for number in 0..20 {
        let ran = ran.clone();
        jobs.submit(Queue::Logic, &mut counter, move || {
            ran.fetch_add(1, Ordering::Relaxed);
            if number == 7 {
                std::panic::resume_unwind(Box::new("out of paint"));
            }
        });
    }
    let told = catch_unwind(AssertUnwindSafe(|| jobs.wait(Queue::Logic, &mut counter))).unwrap_err();
    assert_eq!(told.downcast_ref::<&str>(), Some(&"out of paint"));
    assert_eq!(ran.load(Ordering::Relaxed), 20);
    // Told once.
    jobs.wait(Queue::Logic, &mut counter);
    // And in a scope, after all others have run.
    let others = AtomicU64::new(0);
    let told = catch_unwind(AssertUnwindSafe(|| {
        jobs.each(Queue::Logic, 0..20, |number| {
            if number == 3 {
                std::panic::resume_unwind(Box::new("out of time"));
            }
            others.fetch_add(1, Ordering::Relaxed);
        });
    }));
    assert_eq!(told.unwrap_err().downcast_ref::<&str>(), Some(&"out of time"));
    assert_eq!(others.into_inner(), 19);
}

#[test]
fn a_panic_of_a_job_that_is_run_by_whoever_waits_reaches_it_once_the_others_have_run() {
    let jobs = Jobs::alone();
    let (mut counter, ran) = (Counter::new(), Arc::new(AtomicU64::new(0)));
    for number in 0..5 {
        let ran = ran.clone();
        jobs.submit(Queue::Logic, &mut counter, move || {
            if number % 2 == 1 {
                std::panic::resume_unwind(Box::new(number));
            }
            ran.fetch_add(1, Ordering::Relaxed);
        });
    }
    let told = catch_unwind(AssertUnwindSafe(|| jobs.wait(Queue::Logic, &mut counter))).unwrap_err();
    assert_eq!(told.downcast_ref::<i32>(), Some(&1));
    assert_eq!(ran.load(Ordering::Relaxed), 3);
    jobs.wait(Queue::Logic, &mut counter);
}

#[test]
fn on_real_threads_what_waits_is_run_before_the_workers_end() {
    let workers = workers(1);
    let (ran, mut counter) = (Arc::new(AtomicU64::new(0)), Counter::new());
    for _ in 0..500 {
        let ran = ran.clone();
        workers.jobs().submit(Queue::Physics, &mut counter, move || {
            ran.fetch_add(1, Ordering::Relaxed);
        });
    }
    // Nobody waits for them, and then the counter is gone too.
    drop(counter);
    drop(workers);
    assert_eq!(ran.load(Ordering::Relaxed), 500);
}

#[test]
fn on_real_threads_workers_run_jobs_that_nobody_waits_for_and_each_has_its_name() {
    let workers = workers(2);
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut counter = Counter::new();
    for queue in Queue::ALL {
        let sender = sender.clone();
        workers.jobs().submit(queue, &mut counter, move || {
            let thread = std::thread::current();
            let _: Result<(), _> = sender.send((thread.id(), thread.name().map(str::to_owned)));
        });
    }
    let here: ThreadId = std::thread::current().id();
    for _ in 0..4 {
        let (id, name) = receiver.recv().unwrap();
        assert_ne!(id, here);
        assert!(name.is_some_and(|name| name == "worker 0" || name == "worker 1"));
    }
    let stats = workers.jobs().stats();
    let roles: Vec<_> = stats.threads.iter().map(|thread| (thread.name.as_str(), thread.role)).collect();
    assert_eq!(roles, [("worker 0", Role::PhysicsWorker), ("worker 1", Role::Worker)]);
}

#[test]
fn on_real_threads_who_waits_for_a_job_that_another_has_begun_has_stood_still_and_who_runs_its_own_has_not() {
    let workers = workers(1);
    let jobs = workers.jobs();
    let mut counter = Counter::new();
    let (begun, has_begun) = std::sync::mpsc::channel();
    let here = std::thread::current().name().map(str::to_owned);
    let looks = jobs.clone();
    jobs.submit(Queue::Logic, &mut counter, move || {
        begun.send(()).unwrap();
        // It goes on until whoever waits for it sleeps.
        let sleeps = || {
            let stats = looks.stats();
            stats.threads.iter().any(|thread| Some(&thread.name) == here.as_ref() && thread.parked > 0)
        };
        while !sleeps() {
            std::thread::yield_now();
        }
    });
    has_begun.recv().unwrap();
    assert_eq!(jobs.time_waited_here(), Nanos::ZERO);
    jobs.wait(Queue::Logic, &mut counter);
    let waited = jobs.time_waited_here();
    let of_this_thread = jobs.stats().threads.into_iter().find(|thread| thread.role == Role::Helper).unwrap();
    assert!(waited > Nanos::ZERO && of_this_thread.waited == waited, "{of_this_thread:?}");
    assert!(of_this_thread.busy >= waited, "{of_this_thread:?}");

    let alone = Jobs::alone();
    (0..10).for_each(|_| alone.submit(Queue::Logic, &mut counter, || {}));
    alone.wait(Queue::Logic, &mut counter);
    assert_eq!(alone.time_waited_here(), Nanos::ZERO);
}

#[test]
fn a_closure_of_any_size_is_run_or_dropped_once() {
    let dropped = Arc::new(());
    let jobs = Jobs::alone();
    let mut counter = Counter::new();
    let sum = Arc::new(AtomicU64::new(0));
    let small = [1_u64; INLINE_WORDS - 3];
    let large = [1_u64; 4 * INLINE_WORDS];
    for _ in 0..2 {
        let (one, two) = (dropped.clone(), dropped.clone());
        let (to_one, to_two) = (sum.clone(), sum.clone());
        jobs.submit(Queue::Logic, &mut counter, move || {
            let _kept = one;
            to_one.fetch_add(small.iter().sum(), Ordering::Relaxed);
        });
        jobs.submit(Queue::Logic, &mut counter, move || {
            let _kept = two;
            to_two.fetch_add(large.iter().sum(), Ordering::Relaxed);
        });
    }
    jobs.wait(Queue::Logic, &mut counter);
    assert_eq!(sum.load(Ordering::Relaxed), 2 * (small.len() + large.len()) as u64);
    assert_eq!(Arc::strong_count(&dropped), 1);
    // Never run: the queues are dropped with what lies in them.
    for _ in 0..3 {
        let kept = dropped.clone();
        jobs.submit(Queue::Render, &mut counter, move || drop(kept));
    }
    drop(jobs);
    assert_eq!(Arc::strong_count(&dropped), 1);
    assert!(counter.tally().is_done());
}

#[test]
fn a_quarter_of_the_workers_rounded_looks_for_physics_first() {
    for (workers, percent, expected) in [
        (0, 25, 0),
        (1, 25, 0),
        (2, 25, 1),
        (3, 25, 1),
        (4, 25, 1),
        (6, 25, 2),
        (8, 25, 2),
        (8, 0, 0),
        (8, 100, 8),
        (8, 900, 8),
        (1, 50, 1),
        (1000, 25, MOST_WORKERS / 4),
    ] {
        let options = WorkersOptions { physics_percent: percent, ..WorkersOptions::of(workers) };
        assert_eq!(options.physics_first(), expected, "{percent} % of {workers}");
    }
}

#[test]
fn two_cores_are_left_to_others_but_where_there_are_two_one_works() {
    let usual = [0, 1, 2, 3, 4, 8, 16, 256].map(usual_workers);
    assert_eq!(usual, [0, 0, 1, 1, 2, 6, 14, MOST_WORKERS]);
}

#[test]
fn who_waits_helps_where_a_core_is_left_beside_the_workers_and_who_hands_over() {
    for (cores, workers, expected) in [
        (1, 0, false),
        (2, 0, true),
        (2, 1, false),
        (3, 1, true),
        (4, 2, true),
        (4, 3, false),
        (16, 14, true),
        (2, 8, false),
    ] {
        assert_eq!(waiting_help(cores, workers), expected, "{workers} workers on {cores} cores");
        assert_eq!(WorkersOptions::on(cores, workers).waiting_help, expected);
        assert_eq!(WorkersOptions::on(cores, workers).are_any(), expected || workers > 0);
    }
}
