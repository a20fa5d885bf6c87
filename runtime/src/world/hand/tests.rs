use super::*;
use crate::input::TickInput;
use crate::scene::{Body, BodyKind, Color, Entity, Scene, ShapeKind, Transform};
use crate::time::{Rate, Tick};
use crate::world::observe::EntityObservation;
use crate::world::{NO_ROW, TickStep};

fn world() -> World {
    let shape = Shape { kind: ShapeKind::Sphere { radius: 0.5 }, color: Color::hex(0x2b_b58a) };
    let turned = Transform {
        position: Vec3::new(1.0, 0.0, 0.0),
        rotation_degrees: Vec3::new(0.0, 90.0, 0.0),
        scale: Vec3::splat(2.0),
    };
    let entities = vec![
        Entity { id: EntityId(1), transform: turned, shape: Some(shape), ..Entity::default() },
        Entity { id: EntityId(2), parent: Some(EntityId(1)), shape: Some(shape), ..Entity::default() },
        Entity { id: EntityId(3), shape: Some(shape), body: Some(Body::default()), ..Entity::default() },
        Entity {
            id: EntityId(4),
            motion: Some(Motion::Steady { velocity: Vec3::X }),
            load: Some(Load::default()),
            sun: Some(Sun::default()),
            ..Entity::default()
        },
    ];
    let named = |entity: Entity| Entity { name: format!("E{}", entity.id.0), ..entity };
    let entities = entities.into_iter().map(named).collect();
    World::new(&Scene { entities, ..Scene::default() }, Rate::HZ_60).unwrap()
}

#[test]
fn a_child_put_somewhere_in_the_world_is_there_whatever_its_parent() {
    let mut world = world();
    let pose = Pose { position: Vec3::new(1.0, 2.0, -3.0), scale: Vec3::splat(3.0), ..Pose::default() };
    assert!(world.edit_by_hand(EntityId(2), &HandEdit::WorldPose(pose)));
    let found = world.world_pose(EntityId(2)).unwrap();
    assert!(found.position.abs_diff_eq(pose.position, 1e-5), "{found:?}");
    assert!(found.scale.abs_diff_eq(pose.scale, 1e-5) && found.rotation.abs_diff_eq(pose.rotation, 1e-5));
    // A quarter turn about y of the parent, at x = 1 and twice as large.
    let local = world.local_pose(EntityId(2)).unwrap();
    assert!(local.position.abs_diff_eq(Vec3::new(1.5, 1.0, 0.0), 1e-5), "{local:?}");
    let lost = Pose { position: Vec3::NAN, ..pose };
    assert!(!world.edit_by_hand(EntityId(2), &HandEdit::WorldPose(lost)));
}

#[test]
fn only_a_dynamic_body_takes_a_velocity() {
    let mut world = world();
    let edit = HandEdit::Velocity { linear: Vec3::X, angular: Vec3::Y };
    assert!(world.edit_by_hand(EntityId(3), &edit));
    assert_eq!(world.velocity(EntityId(3)), Some((Vec3::X, Vec3::Y)));
    assert!(!world.edit_by_hand(EntityId(1), &edit));
    assert!(!world.edit_by_hand(EntityId(9), &edit));
}

#[test]
fn a_colour_a_load_and_a_sun_are_seen_by_the_next_picture() {
    let mut world = world();
    let white = Color::WHITE;
    let shape = Shape { kind: ShapeKind::Sphere { radius: 0.5 }, color: white };
    assert!(world.edit_by_hand(EntityId(1), &HandEdit::Shape(shape)));
    let look = world.rows().iter().find(|row| row.id == EntityId(1)).map(|row| row.look);
    assert_eq!(look.and_then(|look| look.shape()).map(|shape| shape.color), Some(white));
    let load = Load { frame: crate::time::Nanos::from_micros(300), ..Load::default() };
    assert!(world.edit_by_hand(EntityId(4), &HandEdit::Load(load)));
    assert_eq!(world.loads(), load);
    let sun = Sun { strength: 2.0, ..Sun::default() };
    assert!(world.edit_by_hand(EntityId(4), &HandEdit::Sun(sun)));
    assert_eq!(world.stage_set().sun, Some(sun));
    assert!(!world.edit_by_hand(EntityId(4), &HandEdit::Sun(Sun { direction: Vec3::ZERO, ..sun })));
    assert!(!world.edit_by_hand(EntityId(1), &HandEdit::Load(load)), "it has none");
}

#[test]
fn another_motion_goes_on_from_where_the_entity_is() {
    let mut world = world();
    let at = Pose { position: Vec3::new(5.0, 0.0, 0.0), ..Pose::default() };
    assert!(world.edit_by_hand(EntityId(4), &HandEdit::Pose(at)));
    let circle = Motion::Orbit { center: Vec3::ZERO, axis: Vec3::Y, degrees_per_second: 90.0 };
    assert!(world.edit_by_hand(EntityId(4), &HandEdit::Motion(circle)));
    assert_eq!(world.local_pose(EntityId(4)).unwrap().position, at.position);
    let still = Motion::Oscillate { amplitude: Vec3::X, period: 0.0, phase: 0.0 };
    assert!(!world.edit_by_hand(EntityId(4), &HandEdit::Motion(still)));
}

/// Ticks at 60 Hz, from those that were run on.
fn run(world: &mut World, ticks: u64) {
    let input = TickInput::default();
    for _ in 0..ticks {
        let tick = Tick(world.last_tick().0 + 1);
        let seconds = tick.0 as f64 / 60.0;
        world.tick(&TickStep { tick, seconds, tick_rate: Rate::HZ_60, input: &input });
    }
}

fn with(entities: Vec<Entity>) -> World {
    let named = |(nth, entity): (usize, Entity)| Entity {
        id: EntityId(nth as u64 + 1),
        name: format!("E{}", nth + 1),
        ..entity
    };
    let entities = entities.into_iter().enumerate().map(named).collect();
    World::new(&Scene { entities, ..Scene::default() }, Rate::HZ_60).unwrap()
}

fn ball(radius: f32) -> Option<Shape> {
    Some(Shape { kind: ShapeKind::Sphere { radius }, color: Color::WHITE })
}

fn body(kind: BodyKind) -> Option<Body> {
    Some(Body { kind, ..Body::default() })
}

fn at(y: f32) -> Transform {
    Transform { position: Vec3::new(0.0, y, 0.0), ..Transform::default() }
}

fn height(world: &World, id: u64) -> f32 {
    world.world_pose(EntityId(id)).unwrap().position.y
}

fn parts(world: &World, id: u64) -> crate::world::ObservedParts {
    let mut observed = EntityObservation::default();
    assert!(world.observe(EntityId(id), &mut observed));
    observed.parts
}

#[test]
fn a_body_of_another_size_or_shape_is_as_fast_as_it_was_and_lies_on_its_new_outline() {
    let floor = Shape { kind: ShapeKind::Cube { size: Vec3::new(40.0, 2.0, 40.0) }, color: Color::WHITE };
    let mut world = with(vec![
        Entity { shape: Some(floor), body: body(BodyKind::Fixed), transform: at(-1.0), ..Entity::default() },
        Entity { shape: ball(0.5), body: body(BodyKind::Dynamic), transform: at(6.0), ..Entity::default() },
    ]);
    run(&mut world, 20);
    let (pose, velocity) = (world.world_pose(EntityId(2)), world.velocity(EntityId(2)));
    assert!(velocity.unwrap().0.y < -3.0, "{velocity:?}");
    assert!(world.edit_by_hand(EntityId(2), &HandEdit::Shape(ball(2.0).unwrap())));
    assert_eq!((world.world_pose(EntityId(2)), world.velocity(EntityId(2))), (pose, velocity));
    assert_eq!(world.rows()[1].look.shape().map(|shape| shape.kind), ball(2.0).map(|shape| shape.kind));
    run(&mut world, 300);
    assert!((height(&world, 2) - 2.0).abs() < 0.02, "{}", height(&world, 2));
    // It sleeps by now, and wakes.
    let cube = Shape { kind: ShapeKind::Cube { size: Vec3::splat(1.0) }, color: Color::WHITE };
    assert!(world.edit_by_hand(EntityId(2), &HandEdit::Shape(cube)));
    run(&mut world, 300);
    assert!((height(&world, 2) - 0.5).abs() < 0.02, "{}", height(&world, 2));
    assert!(!world.edit_by_hand(EntityId(2), &HandEdit::Shape(ball(0.0).unwrap())), "no size");
}

#[test]
fn mass_friction_and_bounce_are_set_where_it_is_and_a_bouncing_ball_bounces() {
    let floor = Shape { kind: ShapeKind::Cube { size: Vec3::new(40.0, 2.0, 40.0) }, color: Color::WHITE };
    let hard = Body { kind: BodyKind::Fixed, bounce: 1.0, ..Body::default() };
    let mut world = with(vec![
        Entity { shape: Some(floor), body: Some(hard), transform: at(-1.0), ..Entity::default() },
        Entity { shape: ball(0.5), body: body(BodyKind::Dynamic), transform: at(3.0), ..Entity::default() },
    ]);
    let bouncing = Body { bounce: 1.0, mass: 4.0, velocity: Vec3::X, ..Body::default() };
    assert!(world.edit_by_hand(EntityId(2), &HandEdit::Body(bouncing)));
    assert_eq!(
        world.velocity(EntityId(2)),
        Some((Vec3::ZERO, Vec3::ZERO)),
        "that of Play is no velocity now"
    );
    let now = parts(&world, 2).body.unwrap();
    assert_eq!((now.bounce, now.mass, now.velocity), (1.0, 4.0, Vec3::ZERO));
    // Down takes 42 ticks, up as many again.
    run(&mut world, 75);
    assert!(height(&world, 2) > 2.0, "{}", height(&world, 2));
    let none = Body { mass: 0.0, ..bouncing };
    assert!(!world.edit_by_hand(EntityId(2), &HandEdit::Body(none)));
    assert!(!world.edit_by_hand(EntityId(9), &HandEdit::Body(bouncing)), "nobody is there");
}

#[test]
fn a_body_of_another_kind_stays_where_it_is_and_is_moved_as_that_kind_is() {
    let mut world = with(vec![
        Entity { transform: at(5.0), ..Entity::default() },
        Entity {
            parent: Some(EntityId(1)),
            shape: ball(0.5),
            body: body(BodyKind::Kinematic),
            motion: Some(Motion::Steady { velocity: Vec3::X }),
            ..Entity::default()
        },
    ]);
    run(&mut world, 60);
    assert!(world.edit_by_hand(EntityId(2), &HandEdit::Body(body(BodyKind::Dynamic).unwrap())));
    let here = world.world_pose(EntityId(2)).unwrap().position;
    assert!(here.abs_diff_eq(Vec3::new(1.0, 5.0, 0.0), 1e-4), "{here}");
    assert_eq!((parts(&world, 2).motion, world.rows()[1].parent), (None, NO_ROW), "physics moves it");
    run(&mut world, 30);
    assert!(height(&world, 2) < 4.5, "it falls: {}", height(&world, 2));
    assert!(world.edit_by_hand(EntityId(2), &HandEdit::Body(body(BodyKind::Fixed).unwrap())));
    let there = world.world_pose(EntityId(2)).unwrap();
    run(&mut world, 30);
    assert_eq!(world.world_pose(EntityId(2)), Some(there), "it stands");
    assert!(world.edit_by_hand(EntityId(2), &HandEdit::Body(body(BodyKind::Kinematic).unwrap())));
    assert_eq!(parts(&world, 2).motion, Some(Motion::Steady { velocity: Vec3::X }), "its motion is back");
    run(&mut world, 60);
    let moved = world.world_pose(EntityId(2)).unwrap().position - there.position;
    assert!(moved.abs_diff_eq(Vec3::X, 1e-4), "{moved}");
    let copy = world.clone();
    assert_eq!(copy.state_hash(), world.state_hash());
}

#[test]
fn what_is_fixed_to_a_body_follows_it_once_that_moves() {
    let mut world = with(vec![
        Entity { shape: ball(0.5), body: body(BodyKind::Fixed), transform: at(9.0), ..Entity::default() },
        Entity {
            parent: Some(EntityId(1)),
            shape: ball(0.5),
            body: body(BodyKind::Fixed),
            transform: at(2.0),
            ..Entity::default()
        },
        // What falls onto the child, where that is by then.
        Entity { shape: ball(0.5), body: body(BodyKind::Dynamic), transform: at(14.0), ..Entity::default() },
    ]);
    assert!(!world.rows()[1].moves);
    assert!(world.edit_by_hand(EntityId(1), &HandEdit::Body(body(BodyKind::Kinematic).unwrap())));
    assert!(world.rows()[1].moves);
    assert!(world.edit_by_hand(EntityId(1), &HandEdit::Pose(at(0.0).pose())));
    run(&mut world, 90);
    assert!((2.9..4.0).contains(&height(&world, 3)), "it lies on the child: {}", height(&world, 3));
    assert!(world.edit_by_hand(EntityId(1), &HandEdit::Body(body(BodyKind::Fixed).unwrap())));
    assert!(!world.rows()[1].moves);
}

#[test]
fn another_spawner_and_other_poses_take_part_from_the_next_tick_on() {
    let spawner = Spawner {
        every_ticks: 10,
        lifetime_ticks: 0,
        limit: 1,
        shape: ball(0.25).unwrap(),
        body: None,
        spread_degrees: 0.0,
    };
    let teleporter = Teleporter { every_ticks: 10, poses: vec![at(1.0)] };
    let mut world = with(vec![
        Entity { spawner: Some(spawner.clone()), ..Entity::default() },
        Entity { teleporter: Some(teleporter.clone()), ..Entity::default() },
    ]);
    run(&mut world, 30);
    assert_eq!((world.entity_count(), height(&world, 2)), (3, 1.0));
    let more = Spawner { every_ticks: 5, limit: 3, shape: ball(2.0).unwrap(), ..spawner.clone() };
    assert!(world.edit_by_hand(EntityId(1), &HandEdit::Spawner(more.clone())));
    let elsewhere = Teleporter { every_ticks: 5, poses: vec![at(7.0), at(8.0)] };
    assert!(world.edit_by_hand(EntityId(2), &HandEdit::Teleporter(elsewhere.clone())));
    assert_eq!((parts(&world, 1).spawner, parts(&world, 2).teleporter), (Some(more), Some(elsewhere)));
    run(&mut world, 10);
    assert_eq!(world.entity_count(), 5);
    assert_eq!(parts(&world, 5).shape, ball(2.0), "the copies are of the new shape");
    assert_eq!(height(&world, 2), 8.0, "the eighth visit is of the second pose");
    let none = Teleporter { poses: Vec::new(), ..teleporter };
    assert!(!world.edit_by_hand(EntityId(2), &HandEdit::Teleporter(none)), "nowhere to go");
    let never = Spawner { every_ticks: 0, ..spawner };
    assert!(!world.edit_by_hand(EntityId(1), &HandEdit::Spawner(never)));
}
