//! Play and Stop, again and again, with real threads in real time: everything is given back.
//!
//! `FRAMEWALK_CYCLES=100 cargo test -p framewalk-runtime --test real_time_cycles` does a hundred; by default a few. The handoffs take
//! turns: three hundred are a hundred of each.

#![cfg(feature = "sim")]

use std::alloc::System;
use std::time::Duration;

use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::frame::recorder::RuntimeRecord;
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
/// The first cycles make what is made once in a program: clocks, names of threads, tables of physics. One of each handoff.
const WARM_UP: u32 = 3;
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
    let settings = RunSettings { run, handoff, ..RunSettings::default() };
    let renderer = Box::new(NullRenderer::new());
    let mut live =
        LiveRun::start(scene, &settings, renderer, PacedOptions::default()).expect("it can be run");
    let mut frames = 0;
    while frames < FRAMES {
        live.poll(|record| frames += usize::from(matches!(record, RuntimeRecord::Frame(_))));
        std::thread::sleep(Duration::from_millis(1));
    }
    live.stop();
    assert_eq!(live.failure(), None);
    let counts = live.counts();
    assert!(counts.balanced() && counts.pending == 0 && counts.in_flight == 0, "{counts:?}");
}

#[cfg(target_os = "linux")]
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").expect("Linux lists the threads").count()
}

#[cfg(not(target_os = "linux"))]
fn threads() -> usize {
    0
}

#[test]
fn cycles_of_play_and_stop_leave_threads_and_memory_where_they_were_in_real_time() {
    let scene = parse_scene(include_str!("../../projects/first-steps/scenes/main.ron")).expect("a sample");
    let cycles = std::env::var("FRAMEWALK_CYCLES").ok().and_then(|text| text.parse().ok());
    let cycles: u32 = cycles.unwrap_or(DEFAULT_CYCLES);
    for run in 1..=WARM_UP {
        cycle(&scene, run);
    }
    let (bytes, threads_before) = (live_bytes(), threads());
    for run in 1..=cycles {
        cycle(&scene, WARM_UP + run);
        assert_eq!(live_bytes() - bytes, 0, "bytes more than before, after cycle {run}");
        // A thread that has been joined may stand in the list for an instant longer.
        let gone = (0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(1));
            threads() == threads_before
        });
        assert!(gone, "{} threads after cycle {run}, {threads_before} before", threads());
    }
}
