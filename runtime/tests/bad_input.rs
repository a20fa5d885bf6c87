//! Input that nobody means: scenes of any depth, at the ends of every range, and texts with careless edits.
#![cfg(feature = "sim")]

#[path = "bad_input/extremes.rs"]
mod extremes;
#[path = "bad_input/mutations.rs"]
mod mutations;

use framewalk_runtime::interpolation::Interpolation;
use framewalk_runtime::render::batch::Batch;
use framewalk_runtime::render::view::View;
use framewalk_runtime::scene::check::check_scene;
use framewalk_runtime::scene::{
    Body, BodyKind, Camera, Color, Entity, EntityId, Follow, Motion, Scene, Shape, ShapeKind, Transform,
};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::{Rate, Tick};
use framewalk_runtime::world::{TickStep, World};
use glam::Vec3;

fn tick(world: &mut World, number: u64, rate: Rate) {
    let (seconds, input) = (number as f64 * rate.period_secs_f64(), Default::default());
    world.tick(&TickStep { tick: Tick(number), seconds, tick_rate: rate, input: &input });
}

#[test]
fn a_hundred_thousand_entities_in_one_chain_are_built_ticked_and_drawn() {
    const COUNT: u64 = 100_000;
    let mut scene = Scene::default();
    scene.entities.extend((0..COUNT).map(|id| Entity {
        id: EntityId(id),
        name: format!("E{id}"),
        parent: id.checked_sub(1).map(EntityId),
        transform: Transform { position: Vec3::new(0.0, 0.25, 0.0), ..Transform::default() },
        shape: Some(Shape { kind: ShapeKind::Sphere { radius: 1.0 }, color: Color::WHITE }),
        // Each stands on all those before it.
        body: (id > 0).then(|| Body { kind: BodyKind::Fixed, ..Body::default() }),
        ..Entity::default()
    }));
    let follow = Follow { target: EntityId(COUNT - 1), offset: Vec3::new(0.0, 0.0, 5.0) };
    let camera = Camera { follow: Some(follow), ..Camera::default() };
    let name = "Camera".to_owned();
    scene.entities.push(Entity { id: EntityId(COUNT), name, camera: Some(camera), ..Entity::default() });

    assert_eq!(check_scene(&scene), []);
    let mut world = World::new(&scene, Rate::HZ_60).expect("a deep chain is no fault");
    let mut store = Interpolation::new(&world);
    tick(&mut world, 1, Rate::HZ_60);
    store.roll(&world);
    let mut snapshot = Snapshot { alpha: 0.5, ..Snapshot::default() };
    snapshot.fill(&world, &store);
    let top = Vec3::new(0.0, 0.25 * COUNT as f32, 0.0);
    assert_eq!(snapshot.drawn_pose(EntityId(COUNT - 1)).map(|pose| pose.position), Some(top));
    assert_eq!(snapshot.camera_pose(0.5).map(|pose| pose.position), Some(top + follow.offset));
    let mut batch = Batch::default();
    batch.fill(&snapshot, &View::default(), [64, 64]);
    assert_eq!(batch.items.get(COUNT as usize - 1).map(|item| item.drawn.position), Some(top));
    assert_eq!(batch.drawn + batch.culled, COUNT as u32);
}

#[test]
fn what_hangs_deep_below_a_mover_is_led_there() {
    const COUNT: u64 = 2_000;
    let mut scene = Scene::default();
    scene.entities.extend((0..COUNT).map(|id| Entity {
        id: EntityId(id),
        name: format!("E{id}"),
        parent: id.checked_sub(1).map(EntityId),
        ..Entity::default()
    }));
    scene.entities[0].motion = Some(Motion::Steady { velocity: Vec3::X });
    let last = scene.entities.last_mut().expect("there are some");
    last.shape = Some(Shape { kind: ShapeKind::Sphere { radius: 1.0 }, color: Color::WHITE });
    last.body = Some(Body { kind: BodyKind::Kinematic, ..Body::default() });
    let mut world = World::new(&scene, Rate::HZ_60).expect("a deep chain is no fault");
    tick(&mut world, 60, Rate::HZ_60);
    assert_eq!(world.world_pose(EntityId(COUNT - 1)).map(|pose| pose.position), Some(Vec3::X));
}
