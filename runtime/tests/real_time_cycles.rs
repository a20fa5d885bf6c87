//! Play and Stop, again and again, with real threads in real time, with workers and without: everything is given back.
//!
//! `FRAMEWALK_CYCLES=100 cargo test -p framewalk-runtime --test real_time_cycles` does a hundred; by default a few. The handoffs take
//! turns, without workers and with them: six hundred are a hundred of each.

#![cfg(feature = "sim")]

use std::alloc::System;
use std::time::Duration;

use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::jobs::thread::WorkersOptions;
use framewalk_runtime::joining::LeftThread;
use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::Scene;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::paced::PacedOptions;
use framewalk_runtime::sim::thread::LiveRun;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const DEFAULT_CYCLES: u32 = 6;
/// The first cycles make what is made once in a program: clocks, names of threads, tables of physics. One of each handoff,
/// without workers and with them.
const WARM_UP: u32 = 6;
const FRAMES: usize = 3;

/// Bytes that are allocated and not yet freed.
fn live_bytes() -> isize {
    // Growth and shrinkage of what is resized are in the two sums already.
    let stats = COUNTED.stats();
    stats.bytes_allocated as isize - stats.bytes_deallocated as isize
}

/// One Play that runs some frames, and Stop.
fn cycle(scene: &Scene, run: u32) {
    let handoff = HandoffMode::ALL[run as usize % HandoffMode::ALL.len()];
    // On any machine, however many cores it has.
    let workers = WorkersOptions::on(4, if run.is_multiple_of(2) { 2 } else { 0 });
    let settings = RunSettings { run, handoff, workers, ..RunSettings::default() };
    let renderer = Box::new(NullRenderer::new());
    let mut live =
        LiveRun::start(scene, &settings, renderer, PacedOptions::default()).expect("it can be run");
    let mut frames = 0;
    while frames < FRAMES {
        live.poll(|record| frames += usize::from(matches!(record, RuntimeRecord::Frame(_))));
        std::thread::sleep(Duration::from_millis(1));
    }
    let left = live.stop();
    // One that was not scheduled while Stop waited for it ends a moment later.
    while !left.iter().all(LeftThread::has_ended) {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(live.failure(), None);
    let counts = live.counts();
    assert!(counts.balanced() && counts.pending == 0 && counts.in_flight == 0, "{counts:?}");
}

/// Asks every millisecond, for a minute at most: a thread that has ended stands in the list for a while longer, and what
/// was its own is held as long.
fn comes_about(is_so: impl Fn() -> bool) -> bool {
    (0..60_000).any(|_| {
        std::thread::sleep(Duration::from_millis(1));
        is_so()
    })
}

#[cfg(target_os = "linux")]
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").expect("Linux lists the threads").count()
}

#[cfg(not(target_os = "linux"))]
fn threads() -> usize {
    0
}

/// What all threads have cost so far, in hundredths of a second; those that have ended too.
#[cfg(target_os = "linux")]
fn cpu_hundredths() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux says what a program costs");
    // Behind the name, which may hold anything, user and system time are the twelfth and thirteenth field.
    let (_, fields) = stat.rsplit_once(')').expect("the name ends");
    let costs = fields.split_whitespace().skip(11).take(2);
    costs.map(|cost| cost.parse::<u64>().expect("a number")).sum()
}

#[cfg(not(target_os = "linux"))]
fn cpu_hundredths() -> u64 {
    0
}

/// What the program costs while it rests.
fn idle_hundredths() -> u64 {
    let before = cpu_hundredths();
    std::thread::sleep(Duration::from_millis(500));
    cpu_hundredths() - before
}

#[test]
fn cycles_of_play_and_stop_leave_threads_and_memory_where_they_were_in_real_time() {
    let scene = parse_scene(include_str!("../../projects/first-steps/scenes/main.ron")).expect("a sample");
    let cycles = std::env::var("FRAMEWALK_CYCLES").ok().and_then(|text| text.parse().ok());
    let cycles: u32 = cycles.unwrap_or(DEFAULT_CYCLES);
    let threads_before = threads();
    for run in 1..=WARM_UP {
        cycle(&scene, run);
    }
    assert!(comes_about(|| threads() == threads_before), "{} threads, {threads_before} before", threads());
    let bytes = live_bytes();
    for run in 1..=cycles {
        cycle(&scene, WARM_UP + run);
        let all_given_back = comes_about(|| threads() == threads_before && live_bytes() == bytes);
        let (more, threads) = (live_bytes() - bytes, threads());
        assert!(
            all_given_back,
            "{more} bytes more, {threads} threads for {threads_before} after cycle {run}"
        );
    }
    // Its own thread sleeps, and there is no other: a thread that spins would cost fifty.
    let idle = idle_hundredths();
    assert!(idle <= 3, "{idle} hundredths of a second in half a second of rest");
}
