//! Jobs beside their peers, in the same run: `cargo bench -p framewalk-runtime --no-default-features --bench jobs`.
//!
//! One thread that hands over and runs shows what the operations cost; with a worker the machine's cores pass lines to
//! each other as well. A sweep is as much of the frame's real work as there is without a world, and below it stands what
//! memory alone allows.

#[path = "shared/row.rs"]
mod row;

use crossbeam_deque::{Injector, Steal, Worker};
use framewalk_runtime::jobs::thread::WorkersOptions;
use framewalk_runtime::jobs::{Counter, Jobs, Queue, Workers};
use row::{Aim, Row};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Fit their queue, as those of a sweep do.
const JOBS: u64 = 1000;
const ROUNDS: usize = 301;

type Boxed = Box<dyn FnOnce() + Send>;

fn main() {
    let rounds = if row::is_measured() { ROUNDS } else { 3 };
    row::header();
    one_thread(rounds);
    with_a_worker(rounds);
    sweep(rounds / 2 + 1);
}

fn one_thread(rounds: usize) {
    let ran = &*Box::leak(Box::new(AtomicU64::new(0)));
    let jobs = Jobs::alone();
    let mut counter = Counter::new();
    let deque = Worker::<Boxed>::new_fifo();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let [owned, borrowed, crossbeam, rayon] = row::taking_turns(
        rounds,
        [
            &mut |_| {
                for n in 0..JOBS {
                    jobs.submit(Queue::Logic, &counter, move || count(ran, n));
                }
                jobs.wait(Queue::Logic, &mut counter);
            },
            &mut |_| jobs.each(Queue::Logic, 0..JOBS, |n| count(ran, n)),
            &mut |_| {
                for n in 0..JOBS {
                    deque.push(Box::new(move || count(ran, n)));
                }
                while let Some(job) = deque.pop() {
                    job();
                }
            },
            &mut |_| {
                pool.scope(|scope| (0..JOBS).for_each(|n| scope.spawn(move |_| count(ran, n))));
            },
        ],
    )
    .map(|nanos| nanos / JOBS as f64);
    for (what, ours) in [("job that owns", owned), ("job that borrows", borrowed)] {
        for (peer, theirs) in [("crossbeam-deque, boxed", crossbeam), ("rayon scope, spawn", rayon)] {
            print(&format!("{what}, submit and run, one thread"), "ns", ours, (peer, theirs), Some(1.0));
        }
    }
    black_box(ran.load(Ordering::Relaxed));
}

fn with_a_worker(rounds: usize) {
    let ran = &*Box::leak(Box::new(AtomicU64::new(0)));
    let workers = Workers::start(&WorkersOptions::of(1)).expect("a thread");
    let jobs = workers.jobs();
    let mut counter = Counter::new();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let injector = Injector::<Boxed>::new();
    let (left, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let run_one = || match injector.steal() {
        Steal::Success(job) => {
            job();
            left.fetch_sub(1, Ordering::AcqRel);
            true
        }
        _ => false,
    };
    let [owned, borrowed, crossbeam, rayon] = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                // Awake only while there is something: the contenders take turns.
                if !run_one() && left.load(Ordering::Acquire) == 0 {
                    std::thread::park_timeout(std::time::Duration::from_millis(20));
                }
            }
        });
        let nanos = row::taking_turns(
            rounds,
            [
                &mut |_| {
                    for n in 0..JOBS {
                        jobs.submit(Queue::Logic, &counter, move || count(ran, n));
                    }
                    jobs.wait(Queue::Logic, &mut counter);
                },
                &mut |_| jobs.each(Queue::Logic, 0..JOBS, |n| count(ran, n)),
                &mut |_| {
                    left.store(JOBS, Ordering::Release);
                    for n in 0..JOBS {
                        injector.push(Box::new(move || count(ran, n)));
                    }
                    while left.load(Ordering::Acquire) > 0 {
                        run_one();
                    }
                },
                &mut |_| {
                    let (sender, receiver) = std::sync::mpsc::channel::<()>();
                    for n in 0..JOBS {
                        let sender = sender.clone();
                        pool.spawn(move || {
                            count(ran, n);
                            drop(sender);
                        });
                    }
                    drop(sender);
                    let _ = receiver.recv();
                },
            ],
        );
        stop.store(true, Ordering::Relaxed);
        nanos
    })
    .map(|nanos| nanos / JOBS as f64);
    for (what, ours) in [("job that owns", owned), ("job that borrows", borrowed)] {
        for (peer, theirs) in [("crossbeam-deque injector, boxed", crossbeam), ("rayon spawn", rayon)] {
            print(&format!("{what}, submit and run, one worker"), "ns", ours, (peer, theirs), Some(1.0));
        }
    }
    black_box(ran.load(Ordering::Relaxed));
}

/// What a mover has: where it is, and where it comes from.
#[derive(Clone, Copy)]
struct Mover {
    base: [f64; 3],
    amplitude: [f64; 3],
    pose: [f32; 10],
}

const MOVERS: usize = 100_000;
const CHUNK: usize = 2048;

fn sweep(rounds: usize) {
    let workers = Workers::start(&WorkersOptions::of(1)).expect("a thread");
    let jobs = workers.jobs();
    let mover = |idx: usize| Mover { base: [idx as f64; 3], amplitude: [1.0; 3], pose: [0.0; 10] };
    let mut movers: Vec<Mover> = (0..MOVERS).map(mover).collect();
    let mut plain = movers.clone();
    let (from, mut to) = (vec![1_u8; 64 << 20], vec![0_u8; 64 << 20]);
    let mut again = to.clone();
    const COPIED: usize = 1 << 20;
    let [wide, one, copied_wide, copied] = row::taking_turns(
        rounds,
        [
            &mut |round| {
                jobs.each(Queue::Logic, movers.chunks_mut(CHUNK), |chunk| move_all(chunk, round));
                black_box(&movers);
            },
            &mut |round| {
                move_all(&mut plain, round);
                black_box(&plain);
            },
            &mut |_| {
                let chunks = to.chunks_mut(COPIED).zip(from.chunks(COPIED));
                jobs.each(Queue::Logic, chunks, |(to, from)| to.copy_from_slice(from));
                black_box(&to);
            },
            &mut |_| {
                again.copy_from_slice(&from);
                black_box(&again);
            },
        ],
    );
    print(
        "sweep of 100,000 movers, one worker",
        "µs",
        wide / 1e3,
        ("plain loop", one / 1e3),
        // 1.6 times as fast.
        Some(1.0 / 1.6),
    );
    // Read and written: bytes a nanosecond are GB a second.
    let rate = |nanos: f64| 2.0 * from.len() as f64 / nanos;
    print(
        "memory copied by two threads, time of a MB",
        "µs",
        copied_wide / 64e3,
        ("one thread", copied / 64e3),
        None,
    );
    print("bandwidth of two threads", "GB/s", rate(copied_wide), ("one thread", rate(copied)), None);
}

/// As a world's motions are: a function of time, computed whole in `f64`.
fn move_all(movers: &mut [Mover], round: usize) {
    let seconds = round as f64 / 60.0;
    for mover in movers {
        for axis in 0..3 {
            let swing = (seconds + mover.base[axis]).sin() * mover.amplitude[axis];
            mover.pose[axis] = (mover.base[axis] + swing) as f32;
        }
    }
}

fn count(ran: &AtomicU64, n: u64) {
    ran.fetch_add(n, Ordering::Relaxed);
}

fn print(what: &str, unit: &'static str, ours: f64, peer: (&str, f64), aim: Option<f64>) {
    Row { what, unit, ours, peer: Some(peer), aim: aim.map(Aim::Ratio) }.print();
}
