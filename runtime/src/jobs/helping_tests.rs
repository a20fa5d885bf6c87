use super::{Counter, Helping, Jobs, Queue, Role};
use crate::handoff::barrier;
use crate::handoff::barrier::Arrival;
use crate::handoff::sleep::Sleepers;
use crate::time::Nanos;
use crate::time::pacer::{Pacer, Woken};
use crate::time::rest::Rest;
use crate::time::source::RealClock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// A job that nobody runs fails a test, and does not hold it up for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// Rests until none of these jobs is left: a rest of a thread that is held up may end before.
fn rest_until_none_is_left(helping: &mut Helping, jobs: &Jobs) {
    while jobs.has_work(&[Queue::Logic, Queue::Render]) {
        assert!(!helping.rest(None, &|| false), "it did more than sleep");
    }
}

/// Hands a job over, waits until somebody has run it, and says who.
fn run_by(jobs: &Jobs, queue: Queue, counter: &mut Counter) -> String {
    let (ran, runs) = mpsc::channel();
    jobs.submit(queue, counter, move || {
        ran.send(thread::current().name().map(str::to_owned)).expect("somebody waits for it");
    });
    runs.recv_timeout(PATIENCE).expect("it is run").expect("every thread here has a name")
}

fn on_thread<T: Send + 'static>(
    name: &str,
    run: impl FnOnce() -> T + Send + 'static,
) -> thread::JoinHandle<T> {
    thread::Builder::new().name(name.to_owned()).spawn(run).expect("a thread")
}

#[test]
fn on_real_threads_who_waits_for_a_deadline_runs_short_jobs_that_come_and_is_counted_for_it() {
    let (jobs, mut counter) = (Jobs::alone(), Counter::new());
    let wanted = Arc::new(AtomicBool::new(false));
    let waiter = on_thread("sim", {
        let (jobs, wanted) = (jobs.clone(), wanted.clone());
        move || {
            let mut helping = Helping::new(&jobs, Queue::Logic);
            let clock = RealClock::new();
            let far = clock.now() + Nanos::from_secs(3600);
            let interrupted = || wanted.load(Ordering::Acquire);
            let woken = Pacer::default().wait_until_by(&clock, far, interrupted, &mut helping);
            Pacer::stand_by(interrupted, &mut helping);
            woken
        }
    });
    for queue in [Queue::Logic, Queue::Render, Queue::Logic] {
        assert_eq!(run_by(&jobs, queue, &mut counter), "sim");
    }
    wanted.store(true, Ordering::Release);
    waiter.thread().unpark();
    assert_eq!(waiter.join().unwrap(), Woken::Early);
    let stats = jobs.stats();
    let sim = &stats.threads[0];
    assert_eq!((sim.name.as_str(), sim.role), ("sim", Role::Helper));
    assert_eq!((sim.jobs, sim.helped), ([2, 1, 0, 0], 3));
}

#[test]
fn on_real_threads_who_waits_at_a_meeting_runs_jobs_and_meets_all_the_same() {
    let (jobs, mut counter) = (Jobs::alone(), Counter::new());
    let mut parties = barrier(2).expect("two can meet");
    let (mut own, mut other) = (parties.remove(0), parties.remove(0));
    let waiter = on_thread("render", {
        let jobs = jobs.clone();
        move || own.meet_by(None, || true, &mut Helping::new(&jobs, Queue::Render))
    });
    for _ in 0..3 {
        assert_eq!(run_by(&jobs, Queue::Logic, &mut counter), "render");
    }
    while other.watch().arrived() == 0 {
        thread::yield_now();
    }
    assert_eq!(other.arrive(), Ok(Arrival::Met));
    assert_eq!(waiter.join().unwrap(), Ok(()));
}

#[test]
fn what_may_take_long_is_left_to_others() {
    let (jobs, mut counter) = (Jobs::alone(), Counter::new());
    for queue in Queue::ALL {
        jobs.submit(queue, &mut counter, || {});
    }
    let mut helping = Helping::new(&jobs, Queue::Render);
    rest_until_none_is_left(&mut helping, &jobs);
    let stats = jobs.stats();
    assert_eq!(stats.queues.map(|queue| queue.run), [1, 1, 0, 0]);
    assert_eq!(stats.queues.map(|queue| queue.depth), [0, 0, 1, 1]);
}

#[test]
fn its_own_jobs_come_first() {
    for (own, expected) in [(Queue::Logic, ["logic", "render"]), (Queue::Render, ["render", "logic"])] {
        let (jobs, mut counter) = (Jobs::alone(), Counter::new());
        let (ran, runs) = mpsc::channel();
        for queue in [Queue::Logic, Queue::Render] {
            let ran = ran.clone();
            jobs.submit(queue, &mut counter, move || ran.send(queue.name()).expect("it is looked at"));
        }
        rest_until_none_is_left(&mut Helping::new(&jobs, own), &jobs);
        assert_eq!(runs.try_iter().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn nothing_is_begun_that_may_not_be_over_before_the_deadline() {
    let (jobs, mut counter) = (Jobs::alone(), Counter::new());
    jobs.submit(Queue::Logic, &mut counter, || {});
    let mut helping = Helping::new(&jobs, Queue::Logic);
    assert_eq!(helping.margin(), Nanos::from_micros(250));
    assert!(helping.rest(Some(Duration::from_nanos(1)), &|| false), "it only slept");
    assert_eq!(jobs.stats().queues.map(|queue| queue.depth), [1, 0, 0, 0]);
    // Refused, jobs are taken to be a little shorter, lest it never tries again.
    assert_eq!(helping.margin(), Nanos(248_047));
}

#[test]
fn between_two_jobs_it_looks_whether_what_it_waits_for_has_come() {
    let (jobs, mut counter) = (Jobs::alone(), Counter::new());
    let ran = Arc::new(AtomicU32::new(0));
    for _ in 0..5 {
        let ran = ran.clone();
        jobs.submit(Queue::Logic, &mut counter, move || _ = ran.fetch_add(1, Ordering::Relaxed));
    }
    let mut helping = Helping::new(&jobs, Queue::Logic);
    let is_over = || ran.load(Ordering::Relaxed) == 2;
    while !is_over() {
        helping.rest(None, &is_over);
    }
    assert_eq!(ran.load(Ordering::Relaxed), 2);
}

#[test]
fn who_waits_for_something_else_is_woken_after_every_worker() {
    let sleepers = Sleepers::<1>::with_beds(2);
    // Whoever comes first: its bed is the last, and who has it is called last.
    let mut helper = sleepers.take_last_bed().expect("both are free");
    let mut worker = sleepers.take_bed().expect("one is free");
    assert!(sleepers.lie_down(&mut helper, 1) && sleepers.lie_down(&mut worker, 1));
    assert!(sleepers.wake_for(0));
    assert!(sleepers.get_up(&mut worker, 1), "it was called");
    assert!(!sleepers.get_up(&mut helper, 1), "it was not");
}
