//! What one frame of an empty scene costs in virtual time, its record included.
//!
//! `cargo bench -p framewalk-runtime --no-default-features --features sim --bench frame`

use std::hint::black_box;

use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::Scene;
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::virtual_time::{Observed, Stamps, VirtualOptions, VirtualRun};
use framewalk_runtime::time::source::RealClock;

const FRAMES: u32 = 20_000;
const ROUNDS: usize = 15;

fn main() {
    println!("one frame of an empty scene in virtual time, null renderer, record drained; target 3000 ns");
    for (name, stamps) in [("manual stamps", Stamps::Virtual), ("stages measured", Stamps::Measured)] {
        let mut nanos: Vec<f64> = (0..ROUNDS).map(|_| nanos_a_frame(stamps)).collect();
        nanos.sort_by(f64::total_cmp);
        println!("{name:16} median {:7.1} ns, fastest {:7.1} ns", nanos[ROUNDS / 2], nanos[0]);
    }
}

fn nanos_a_frame(stamps: Stamps) -> f64 {
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
    for _ in 0..FRAMES {
        run.next_frame().expect("nothing fails in an empty scene");
        for record in run.drain_frames() {
            black_box(record);
        }
        run.drain_renders();
    }
    (clock.now() - start).0 as f64 / f64::from(FRAMES)
}
