//! A long run of the `pile` sample holds as much memory at its end as when the pile had come to rest.
//!
//! Twelve seconds of play; `FRAMEWALK_LONG=1 cargo test --release -p framewalk-runtime --test flat_memory` plays ten
//! minutes. A process of its own, because it counts what the whole process holds: by its allocator, since what the system
//! counts as resident grows and shrinks by megabytes as it joins pages.

#![cfg(feature = "sim")]

use std::alloc::System;

use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::scene::project::parse_project;
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::virtual_time::{VirtualOptions, VirtualRun};
use framewalk_runtime::time::Nanos;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

const PROJECT: &str = include_str!("../../projects/pile/project.ron");
const SCENE: &str = include_str!("../../projects/pile/scenes/main.ron");
/// Lists keep the memory of their longest; a body that wakes up may make one a little longer yet.
const SLACK: isize = 64 << 10;

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Bytes that are allocated and not yet freed.
fn held() -> isize {
    // Growth and shrinkage of what is resized are in the two sums already.
    let stats = COUNTED.stats();
    stats.bytes_allocated as isize - stats.bytes_deallocated as isize
}

#[test]
fn the_pile_holds_no_more_memory_after_minutes_than_at_rest() {
    let seconds = if std::env::var_os("FRAMEWALK_LONG").is_some() { 600 } else { 12 };
    let project = parse_project(PROJECT).expect("pile");
    let settings = RunSettings { tick_rate: project.tick_rate, ..RunSettings::default() };
    let scene = parse_scene(SCENE).expect("pile");
    let options = VirtualOptions::default();
    let mut run =
        VirtualRun::new(&scene, &settings, Box::new(NullRenderer::default()), options).expect("pile");
    let mut at_rest = 0;
    let (mut frames, mut renders) = (0_u64, 0_u64);
    for second in 1..=seconds {
        run.advance_to(Nanos::from_secs(second)).expect("pile");
        frames += run.drain_frames().count() as u64;
        renders += run.drain_renders().count() as u64;
        if second == 6 {
            at_rest = held();
        }
    }
    let at_end = held();
    assert!(at_end <= at_rest + SLACK, "{at_rest} bytes at rest, {at_end} after {seconds} s");
    assert_eq!((frames, renders), (60 * seconds as u64 + 1, 60 * seconds as u64 + 1));
}
