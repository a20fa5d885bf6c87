//! A long run of the `pile` sample holds as much memory at its end as when the pile had come to rest.
//!
//! Twelve seconds of play; `FRAMEWALK_LONG=1 cargo test --release -p framewalk-runtime --test flat_memory` plays ten
//! minutes. A process of its own, because it reads what the whole process holds.

#![cfg(all(feature = "sim", target_os = "linux"))]

use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::scene::project::parse_project;
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::virtual_time::{VirtualOptions, VirtualRun};
use framewalk_runtime::time::Nanos;

const PROJECT: &str = include_str!("../../projects/pile/project.ron");
const SCENE: &str = include_str!("../../projects/pile/scenes/main.ron");
/// A page here and there comes and goes with the allocator.
const SLACK: u64 = 1 << 20;

/// Bytes of memory that the process holds, by the kernel's count.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux tells");
    let pages: u64 = statm.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).expect("a count");
    // Pages are 4 KiB or more: growth is never overlooked by taking the least.
    pages * 4096
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
            at_rest = resident();
        }
    }
    let at_end = resident();
    assert!(at_end <= at_rest + SLACK, "{at_rest} bytes at rest, {at_end} after {seconds} s");
    assert_eq!((frames, renders), (60 * seconds as u64 + 1, 60 * seconds as u64 + 1));
}
