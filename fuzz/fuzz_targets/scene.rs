//! A scene: read it or refuse it with places; what is read and checked can be built, runs ten ticks, and all that is
//! drawn of it is a number.
#![no_main]

#[path = "placed.rs"]
mod placed;

use framewalk_runtime::interpolation::Interpolation;
use framewalk_runtime::render::batch::Batch;
use framewalk_runtime::render::view::View;
use framewalk_runtime::scene::Scene;
use framewalk_runtime::scene::check::check_scene;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::{Rate, Tick};
use framewalk_runtime::world::{TickStep, World};

libfuzzer_sys::fuzz_target!(|text: &str| {
    match parse_scene(text) {
        Err(faults) => placed::assert_placed(text, &faults),
        Ok(scene) => play(&scene),
    }
});

fn play(scene: &Scene) {
    assert_eq!(check_scene(scene), []);
    let rate = Rate::HZ_60;
    let mut world = World::new(scene, rate).expect("what is read can be built");
    let mut store = Interpolation::new(&world);
    let (mut snapshot, mut batch) = (Snapshot { alpha: 0.5, ..Snapshot::default() }, Batch::default());
    let input = Default::default();
    for number in 1..=10 {
        let seconds = number as f64 * rate.period_secs_f64();
        world.tick(&TickStep { tick: Tick(number), seconds, tick_rate: rate, input: &input });
        store.roll(&world);
    }
    snapshot.fill(&world, &store);
    batch.fill(&snapshot, &View::default(), [320, 180]);
    for (idx, item) in batch.items.iter().enumerate() {
        let poses = snapshot.world_poses(idx);
        let finite = poses.previous.is_finite() && poses.current.is_finite() && item.drawn.is_finite();
        assert!(finite, "{item:?}");
    }
    assert!(batch.lens.clip_from_world.is_finite());
    assert_eq!(world.clone().state_hash(), world.state_hash());
}
