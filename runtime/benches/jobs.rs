//! Jobs beside their peers, in the same run:
//! `cargo bench -p framewalk-runtime --no-default-features --features sim --bench jobs`.
//!
//! One thread that hands over and runs shows what the operations cost; with a worker the machine's cores pass lines to
//! each other as well. The sweep is a world's own, of movers that leave it nothing else to do, and below it stands what memory
//! alone allows.

#[path = "shared/row.rs"]
mod row;

use crossbeam_deque::{Injector, Steal, Worker};
use framewalk_runtime::input::TickInput;
use framewalk_runtime::jobs::thread::WorkersOptions;
use framewalk_runtime::jobs::{Counter, Jobs, Queue, Workers};
use framewalk_runtime::scene::{Entity, EntityId, Motion, Scene, Transform};
use framewalk_runtime::time::{Rate, Tick};
use framewalk_runtime::world::{TickStep, World};
use glam::Vec3;
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
                    jobs.submit(Queue::Logic, &mut counter, move || count(ran, n));
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
                        jobs.submit(Queue::Logic, &mut counter, move || count(ran, n));
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

const MOVERS: u64 = 100_000;
/// The memory that is copied, and a job's part of it.
const COPIED: usize = 64 << 20;
const PART: usize = 1 << 20;
/// As much as a job of the sweep has.
const SMALL_PART: usize = 1 << 16;

/// A quarter each: straight on, turning, going round and swinging.
fn movers() -> World {
    let motion = |idx: u64| match idx % 4 {
        0 => Motion::Steady { velocity: Vec3::X },
        1 => Motion::Spin { axis: Vec3::Y, degrees_per_second: 10.0 },
        2 => Motion::Orbit { center: Vec3::ZERO, axis: Vec3::Y, degrees_per_second: 20.0 },
        _ => Motion::Oscillate { amplitude: Vec3::Y, period: 2.0, phase: 0.0 },
    };
    let entity = |idx: u64| Entity {
        id: EntityId(idx + 1),
        name: format!("Mover {idx}"),
        transform: Transform {
            position: Vec3::new((idx % 300) as f32, 0.0, (idx / 300) as f32),
            ..Transform::default()
        },
        motion: Some(motion(idx)),
        ..Entity::default()
    };
    let scene = Scene { entities: (0..MOVERS).map(entity).collect(), ..Scene::default() };
    World::new(&scene, Rate::HZ_60).expect("a scene")
}

fn sweep(rounds: usize) {
    let workers = Workers::start(&WorkersOptions::of(1)).expect("a thread");
    let jobs = workers.jobs();
    let mut wide = movers();
    let mut plain = wide.clone();
    wide.set_jobs(Some(jobs.clone()));
    let tick = |world: &mut World, round: usize| {
        let (tick, seconds) = (Tick(round as u64 + 1), round as f64 / 60.0);
        black_box(world.tick(&TickStep {
            tick,
            seconds,
            tick_rate: Rate::HZ_60,
            input: &TickInput::default(),
        }));
    };
    let (from, mut to) = (vec![1_u8; COPIED], vec![0_u8; COPIED]);
    let mut again = to.clone();
    // A copy reads and writes as many bytes as the sweep does: half of them each.
    let swept = plain.swept_bytes();
    let (other, mut as_many) = (vec![1_u8; swept / 2], vec![0_u8; swept / 2]);
    let mut as_many_again = as_many.clone();
    let [two, one, copied_by_two, copied_by_one, as_many_by_two, as_many_by_one] = row::taking_turns(
        rounds,
        [
            &mut |round| tick(&mut wide, round),
            &mut |round| tick(&mut plain, round),
            &mut |_| {
                let parts = to.chunks_mut(PART).zip(from.chunks(PART));
                jobs.each(Queue::Logic, parts, |(to, from)| to.copy_from_slice(from));
                black_box(&to);
            },
            &mut |_| {
                again.copy_from_slice(&from);
                black_box(&again);
            },
            &mut |_| {
                let parts = as_many.chunks_mut(SMALL_PART).zip(other.chunks(SMALL_PART));
                jobs.each(Queue::Logic, parts, |(to, from)| to.copy_from_slice(from));
                black_box(&as_many);
            },
            &mut |_| {
                as_many_again.copy_from_slice(&other);
                black_box(&as_many_again);
            },
        ],
    );
    assert_eq!(wide.state_hash(), plain.state_hash());
    print(
        "tick of 100,000 movers, one worker",
        "µs",
        two / 1e3,
        ("plain loop", one / 1e3),
        // 1.6 times as fast.
        Some(1.0 / 1.6),
    );
    // Bytes in a nanosecond are gigabytes in a second.
    let speed = |nanos: f64| swept as f64 / nanos;
    for (what, ours, theirs) in [("one worker", two, as_many_by_two), ("plain loop", one, as_many_by_one)] {
        let what = format!("memory that this tick reads and writes, {what}");
        print(&what, "GB/s", speed(ours), ("a copy of as many bytes", speed(theirs)), None);
    }
    let copied = |nanos: f64| nanos / 1e3 / (COPIED / PART) as f64;
    print(
        "MB of memory copied, one worker",
        "µs",
        copied(copied_by_two),
        ("one thread", copied(copied_by_one)),
        None,
    );
}

fn count(ran: &AtomicU64, n: u64) {
    ran.fetch_add(n, Ordering::Relaxed);
}

fn print(what: &str, unit: &'static str, ours: f64, peer: (&str, f64), aim: Option<f64>) {
    Row { what, unit, ours, peer: Some(peer), aim: aim.map(Aim::Ratio) }.print();
}
