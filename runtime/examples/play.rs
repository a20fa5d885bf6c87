//! Plays a scene in real time, with this crate as a library and a game's own code in every tick, and prints what every frame
//! did.
//!
//! `cargo run -p framewalk-runtime --example play`. The frames run on this thread, the drawing on a thread of its own.

use framewalk_runtime::input::Key;
use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::Pose;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::paced::{PacedOptions, PacedRun};
use framewalk_runtime::time::Rate;
use glam::Vec3;
use std::error::Error;

/// A cube that slides along x at one metre a second by itself, and one that the code below moves.
const SCENE: &str = r"(
    format: 1,
    entities: [
        (id: 1, name: 'Cube', shape: Cube(size: (1, 1, 1), color: '#56b4e9'), motion: Steady(velocity: (1, 0, 0))),
        (id: 2, name: 'Lift', shape: Cube(size: (2, 0.2, 2), color: '#e69f00')),
    ],
)";

fn main() -> Result<(), Box<dyn Error>> {
    let scene = parse_scene(&SCENE.replace('\'', "\"")).map_err(|faults| format!("{faults:?}"))?;
    let cube = scene.named("Cube").ok_or("the scene has no cube")?.id;
    let lift = scene.named("Lift").ok_or("the scene has no lift")?.id;
    let settings =
        RunSettings { tick_rate: Rate::hz(10)?, frame_rate: Rate::HZ_60, ..RunSettings::default() };
    let renderer = Box::new(NullRenderer::new());

    let (mut run, mut render, _looks) =
        PacedRun::start(&scene, &settings, renderer, PacedOptions::default())?;
    run.sim_mut().set_probes(vec![cube, lift]);
    // Once in every tick, whatever the frame rate and the handoff: a decimetre a tick, and a metre aside while D is held.
    run.sim_mut().core_mut().set_app_tick(Box::new(move |time, input, world| {
        let right = input.axis(Key::A, Key::D) as f32;
        let position = Vec3::new(right, 0.1 * time.tick.0 as f32, 0.0);
        world.move_to(lift, Pose { position, ..Pose::default() });
    }));
    for _ in 0..31 {
        run.wait_and_run(|| false)?;
        let drawn = |probe: usize| run.sim().core().probe_poses()[probe].unwrap_or_default().position;
        let (x, y) = (drawn(0).x, drawn(1).y);
        for frame in run.drain_frames() {
            println!(
                "frame {:2}  {} ticks  tick {}  alpha {:.3}  cube's x {x:.3}  lift's y {y:.3}  late {}",
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
