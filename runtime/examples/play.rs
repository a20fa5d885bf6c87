//! Plays a scene in real time, with this crate as a library, and prints what every frame did.
//!
//! `cargo run -p framewalk-runtime --example play`. The frames run on this thread, the drawing on a thread of its own.

use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::paced::{PacedOptions, PacedRun};
use framewalk_runtime::time::Rate;
use std::error::Error;

/// One cube that slides along x at one metre a second.
const SCENE: &str = r"(
    format: 1,
    entities: [(
        id: 1, name: 'Cube',
        shape: Cube(size: (1, 1, 1), color: '#56b4e9'),
        motion: Steady(velocity: (1, 0, 0)),
    )],
)";

fn main() -> Result<(), Box<dyn Error>> {
    let scene = parse_scene(&SCENE.replace('\'', "\"")).map_err(|faults| format!("{faults:?}"))?;
    let cube = scene.named("Cube").ok_or("the scene has no cube")?.id;
    let settings =
        RunSettings { tick_rate: Rate::hz(10)?, frame_rate: Rate::HZ_60, ..RunSettings::default() };
    let renderer = Box::new(NullRenderer::new());

    let (mut run, mut render, _looks) =
        PacedRun::start(&scene, &settings, renderer, PacedOptions::default())?;
    run.sim_mut().set_probes(vec![cube]);
    for _ in 0..31 {
        run.wait_and_run(|| false)?;
        let drawn = run.sim().core().probe_poses()[0].map_or(0.0, |pose| pose.position.x);
        for frame in run.drain_frames() {
            println!(
                "frame {:2}  {} ticks  tick {}  alpha {:.3}  x {drawn:.3}  late {}",
                frame.frame.0, frame.ticks, frame.tick.0, frame.alpha, frame.late
            );
        }
    }
    render.thread.wait_idle()?;
    render.thread.shutdown();

    let counts = run.counts();
    println!("published {} = rendered {} + dropped {}", counts.published, counts.rendered, counts.dropped);
    Ok(())
}
