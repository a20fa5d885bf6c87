//! What one frame of an empty scene costs in virtual time, its record included.
//!
//! `cargo bench -p framewalk-runtime --no-default-features --features sim --bench frame`

#[path = "shared/row.rs"]
mod row;

use std::hint::black_box;

use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::Scene;
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::virtual_time::{Observed, Stamps, VirtualOptions, VirtualRun};
use framewalk_runtime::time::source::RealClock;
use row::{Aim, Row};

const FRAMES: u32 = 20_000;
const ROUNDS: usize = 15;

fn main() {
    let (frames, rounds) = if row::is_measured() { (FRAMES, ROUNDS) } else { (10, 1) };
    row::header();
    for (name, stamps) in [("manual stamps", Stamps::Virtual), ("stages measured", Stamps::Measured)] {
        Row {
            what: &format!("frame of an empty scene in virtual time, {name}"),
            unit: "ns",
            ours: row::median((0..rounds).map(|_| nanos_a_frame(stamps, frames)).collect()),
            peer: None,
            aim: Some(Aim::Cost(3000.0)),
        }
        .print();
    }
}

fn nanos_a_frame(stamps: Stamps, frames: u32) -> f64 {
    let options = VirtualOptions { stamps, observed: Observed::No, ..VirtualOptions::default() };
    let mut run = VirtualRun::new(
        &Scene::default(),
        &RunSettings::default(),
        Box::new(NullRenderer::default()),
        options,
    )
    .expect("an empty scene can run");
    let clock = RealClock::new();
    let start = clock.now();
    for _ in 0..frames {
        run.next_frame().expect("nothing fails in an empty scene");
        for record in run.drain_frames() {
            black_box(record);
        }
        run.drain_renders();
    }
    (clock.now() - start).0 as f64 / f64::from(frames)
}
