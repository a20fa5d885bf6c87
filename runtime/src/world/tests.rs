mod divisor;

use super::*;
use crate::input::{InputEvent, InputKind, InputState, Key};
use crate::interpolation::Interpolation;
use crate::scene::{
    Body, BodyKind, Color, Controlled, Entity, Motion, Shape, ShapeKind, Spawner, Teleporter, Transform,
};
use crate::time::Nanos;

pub fn shape(kind: ShapeKind) -> Shape {
    Shape { kind, color: Color { red: 200, green: 120, blue: 40 } }
}

pub fn ball() -> Option<Shape> {
    Some(shape(ShapeKind::Sphere { radius: 0.5 }))
}

pub fn body(kind: BodyKind) -> Option<Body> {
    Some(Body { kind, mass: 1.0, friction: 0.5, bounce: 0.0, velocity: Vec3::ZERO, spin: Vec3::ZERO })
}

pub fn at(x: f32, y: f32, z: f32) -> Transform {
    Transform { position: Vec3::new(x, y, z), ..Transform::default() }
}

pub fn entity(id: u64, name: &str) -> Entity {
    Entity { id: EntityId(id), name: name.to_owned(), ..Entity::default() }
}

pub fn steady(id: u64, velocity: Vec3) -> Entity {
    Entity { motion: Some(Motion::Steady { velocity }), ..entity(id, "Mover") }
}

pub fn world(entities: Vec<Entity>) -> World {
    let scene = Scene { seed: 7, entities, ..Scene::default() };
    World::new(&scene, Rate::HZ_60).expect("the scene is in order")
}

pub fn hz(hz: u32) -> Rate {
    Rate::hz(hz).expect("1 to 1000")
}

/// Tick number `tick` at a whole rate, with keys.
pub fn tick_with(world: &mut World, tick: u64, rate: u32, input: &TickInput) -> TickOutcome {
    let seconds = tick as f64 / f64::from(rate);
    world.tick(&TickStep { tick: Tick(tick), seconds, tick_rate: hz(rate), input })
}

pub fn tick(world: &mut World, number: u64, rate: u32) -> TickOutcome {
    tick_with(world, number, rate, &TickInput::default())
}

fn position(world: &World, id: u64) -> Vec3 {
    world.world_pose(EntityId(id)).expect("it is there").position
}

fn holding(keys: &[Key]) -> TickInput {
    TickInput { held: keys.iter().copied().collect(), ..TickInput::default() }
}

fn spawner(every_ticks: u32, lifetime_ticks: u32, limit: u32) -> Entity {
    let spawner = Spawner {
        every_ticks,
        lifetime_ticks,
        limit,
        shape: shape(ShapeKind::Sphere { radius: 0.2 }),
        body: Some(Body { velocity: Vec3::new(3.0, 4.0, 0.0), ..body(BodyKind::Dynamic).expect("some") }),
        spread_degrees: 30.0,
    };
    Entity { spawner: Some(spawner), transform: at(0.0, 10.0, 0.0), ..entity(1, "Fountain") }
}

/// A ground, a pile of balls and boxes, a sweeping arm, a spawner and a moved thing: all that ticks do.
fn busy_world() -> World {
    let ground = Entity {
        shape: Some(shape(ShapeKind::Plane { width: 1000.0, depth: 1000.0 })),
        body: body(BodyKind::Fixed),
        ..entity(100, "Ground")
    };
    let arm = Entity {
        shape: Some(shape(ShapeKind::Cube { size: Vec3::new(8.0, 0.5, 0.5) })),
        body: body(BodyKind::Kinematic),
        motion: Some(Motion::Spin { axis: Vec3::Y, degrees_per_second: 40.0 }),
        transform: at(0.0, 0.4, 0.0),
        ..entity(101, "Arm")
    };
    let player = Entity {
        controlled: Some(Controlled { speed: 2.0, jump: 1.0 }),
        shape: ball(),
        ..entity(102, "Player")
    };
    let mut entities = vec![ground, arm, player, spawner(7, 40, 5)];
    for idx in 0..40_u64 {
        let kind = match idx % 4 {
            0 => ShapeKind::Cube { size: Vec3::splat(0.8) },
            1 => ShapeKind::Capsule { radius: 0.3, half_height: 0.3 },
            2 => ShapeKind::Cylinder { radius: 0.4, half_height: 0.4 },
            _ => ShapeKind::Sphere { radius: 0.4 },
        };
        let (column, layer) = (idx % 9, idx / 9);
        let (x, z) = ((column % 3) as f32 - 1.0, (column / 3) as f32 - 1.0);
        entities.push(Entity {
            shape: Some(shape(kind)),
            body: body(BodyKind::Dynamic),
            transform: at(x * 0.9, 1.0 + layer as f32, z * 0.9),
            ..entity(200 + idx, "Piece")
        });
    }
    world(entities)
}

#[test]
fn steady_motion_is_the_tick_number_over_the_rate() {
    for rate in [10_u32, 60, 64] {
        let mut world = world(vec![steady(1, Vec3::X)]);
        for number in 1..=u64::from(rate) * 3 {
            tick(&mut world, number, rate);
            assert_eq!(position(&world, 1).x, (number as f64 / f64::from(rate)) as f32, "{number} at {rate}");
        }
        assert_eq!(position(&world, 1), Vec3::new(3.0, 0.0, 0.0));
    }
}

#[test]
fn physics_steps_once_a_tick() {
    let mut world = busy_world();
    (1..=90).for_each(|number| {
        tick(&mut world, number, 60);
    });
    assert_eq!(world.physics_steps(), 90);
}

#[test]
fn a_falling_body_falls_by_gravity() {
    let mut world =
        world(vec![Entity { shape: ball(), body: body(BodyKind::Dynamic), ..entity(1, "Stone") }]);
    (1..=60).for_each(|number| {
        tick(&mut world, number, 60);
    });
    let (velocity, _) = world.velocity(EntityId(1)).expect("a body");
    assert!((velocity.y + 9.81).abs() < 1e-3, "{velocity}");
    // ½ g t² = 4.905, give or take half a tick's fall of the integrator.
    assert!((position(&world, 1).y + 4.905).abs() < 0.09, "{}", position(&world, 1));
}

#[test]
fn a_collider_is_as_large_as_its_scale_says() {
    let ground = Entity {
        shape: Some(shape(ShapeKind::Cube { size: Vec3::ONE })),
        body: body(BodyKind::Fixed),
        transform: Transform { scale: Vec3::new(20.0, 2.0, 20.0), ..Transform::default() },
        ..entity(1, "Ground")
    };
    let stone = Entity {
        shape: ball(),
        body: body(BodyKind::Dynamic),
        transform: Transform { scale: Vec3::splat(3.0), ..at(0.0, 4.0, 0.0) },
        ..entity(2, "Stone")
    };
    let mut world = world(vec![ground, stone]);
    (1..=240).for_each(|number| {
        tick(&mut world, number, 60);
    });
    // Half of 2 below, 3 × 0.5 above.
    assert!((position(&world, 2).y - 2.5).abs() < 0.02, "{}", position(&world, 2));
    assert_eq!(world.local_pose(EntityId(2)).expect("there").scale, Vec3::splat(3.0));
}

#[test]
fn a_kinematic_body_goes_where_its_motion_says_and_pushes() {
    let pusher = Entity {
        shape: Some(shape(ShapeKind::Cube { size: Vec3::ONE })),
        body: body(BodyKind::Kinematic),
        ..steady(1, Vec3::X)
    };
    let ground = Entity {
        shape: Some(shape(ShapeKind::Plane { width: 40.0, depth: 40.0 })),
        body: body(BodyKind::Fixed),
        transform: at(0.0, -0.5, 0.0),
        ..entity(3, "Ground")
    };
    let pushed = Entity {
        shape: Some(shape(ShapeKind::Cube { size: Vec3::ONE })),
        body: body(BodyKind::Dynamic),
        transform: at(2.0, 0.0, 0.0),
        ..entity(2, "Box")
    };
    let mut world = world(vec![pusher, pushed, ground]);
    (1..=180).for_each(|number| {
        tick(&mut world, number, 60);
    });
    assert_eq!(position(&world, 1), Vec3::new(3.0, 0.0, 0.0));
    assert!(position(&world, 2).x > 3.9, "{}", position(&world, 2));
}

#[test]
fn a_dynamic_body_stands_where_its_parent_put_it_and_leaves_it() {
    let parent = Entity { transform: at(5.0, 1.0, 0.0), ..steady(1, Vec3::X) };
    let child = Entity {
        parent: Some(EntityId(1)),
        shape: ball(),
        body: body(BodyKind::Dynamic),
        transform: at(0.0, 2.0, 0.0),
        ..entity(2, "Load")
    };
    let mut world = world(vec![parent, child]);
    assert_eq!(position(&world, 2), Vec3::new(5.0, 3.0, 0.0));
    tick(&mut world, 1, 10);
    assert_eq!(position(&world, 2).x, 5.0);
}

#[test]
fn a_child_authored_before_its_parent_is_placed_under_it() {
    let child = Entity { parent: Some(EntityId(2)), transform: at(0.0, 1.0, 0.0), ..entity(1, "Child") };
    let parent = Entity { transform: at(4.0, 0.0, 0.0), ..entity(2, "Parent") };
    let world = world(vec![child, parent]);
    assert_eq!(position(&world, 1), Vec3::new(4.0, 1.0, 0.0));
    let mut rows = Vec::new();
    world.entity_rows(&mut rows);
    assert_eq!(rows.iter().map(|row| row.id.0).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn a_faulty_scene_is_refused_with_every_fault() {
    let mut stone = Entity { shape: ball(), body: body(BodyKind::Dynamic), ..entity(1, "Stone") };
    stone.body = stone.body.map(|body| Body { mass: -1.0, ..body });
    let lost = Entity { parent: Some(EntityId(99)), ..entity(2, "Lost") };
    let scene = Scene { entities: vec![stone, lost], ..Scene::default() };
    let faults = World::new(&scene, Rate::HZ_60).err().expect("refused").faults;
    assert_eq!(faults.len(), 2, "{faults:?}");
}

#[test]
fn a_held_arrow_moves_by_its_speed_and_opposites_cancel() {
    let player = Entity { controlled: Some(Controlled { speed: 2.0, jump: 1.5 }), ..entity(1, "Player") };
    let mut world = world(vec![player]);
    for number in 1..=10 {
        tick_with(&mut world, number, 10, &holding(&[Key::ArrowRight]));
    }
    assert_eq!(position(&world, 1), Vec3::new(2.0, 0.0, 0.0));
    tick_with(&mut world, 11, 10, &holding(&[Key::ArrowRight, Key::ArrowLeft]));
    assert_eq!(position(&world, 1), Vec3::new(2.0, 0.0, 0.0));
    tick_with(&mut world, 12, 10, &holding(&[Key::ArrowUp]));
    assert_eq!(position(&world, 1), Vec3::new(2.0, 0.0, -0.2));
}

#[test]
fn a_tapped_jump_is_seen_by_exactly_one_tick() {
    let player = Entity { controlled: Some(Controlled { speed: 2.0, jump: 1.5 }), ..entity(1, "Player") };
    let mut world = world(vec![player]);
    let mut keys = InputState::default();
    for kind in [InputKind::KeyDown(Key::Space), InputKind::KeyUp(Key::Space)] {
        keys.apply(&InputEvent { at: Nanos::ZERO, kind });
    }
    for number in 1..=3 {
        tick_with(&mut world, number, 10, &keys.take_tick_input());
        assert_eq!(position(&world, 1).y, 1.5, "tick {number}");
    }
}

#[test]
fn a_steered_body_runs_at_its_speed_and_stops_when_let_go() {
    let player = Entity {
        controlled: Some(Controlled { speed: 2.0, jump: 1.0 }),
        shape: ball(),
        body: body(BodyKind::Dynamic),
        ..entity(1, "Player")
    };
    let mut world = world(vec![player]);
    tick_with(&mut world, 1, 60, &holding(&[Key::ArrowRight]));
    let (velocity, _) = world.velocity(EntityId(1)).expect("a body");
    assert!((velocity.x - 2.0).abs() < 1e-5 && velocity.y < 0.0, "{velocity}");
    let let_go = TickInput { released: [Key::ArrowRight].into_iter().collect(), ..TickInput::default() };
    tick_with(&mut world, 2, 60, &let_go);
    let (velocity, _) = world.velocity(EntityId(1)).expect("a body");
    assert_eq!(velocity.x, 0.0);
}

#[test]
fn a_spawner_keeps_its_pace_its_limit_and_its_lifetime() {
    let mut world = world(vec![spawner(2, 6, 2)]);
    let counts: Vec<(u32, u32, usize)> = (1..=12)
        .map(|number| {
            let outcome = tick(&mut world, number, 60);
            (outcome.spawned, outcome.despawned, world.entity_count() - 1)
        })
        .collect();
    // Spawned at 2 and 4, full at 6; the first is gone at 8, which makes room for the next at once.
    assert_eq!(
        counts,
        [
            (0, 0, 0),
            (1, 0, 1),
            (0, 0, 1),
            (1, 0, 2),
            (0, 0, 2),
            (0, 0, 2),
            (0, 0, 2),
            (1, 1, 2),
            (0, 0, 2),
            (1, 1, 2),
            (0, 0, 2),
            (0, 0, 2),
        ]
    );
}

#[test]
fn a_copy_is_first_seen_where_it_was_spawned_under_a_fresh_id_and_name() {
    let mut world = world(vec![entity(40, "Other"), spawner(1, 0, 10)]);
    tick(&mut world, 1, 60);
    let id = world.find("Fountain 1").expect("spawned");
    assert_eq!(id, EntityId(41));
    assert_eq!(position(&world, 41), Vec3::new(0.0, 10.0, 0.0));
    // Turned about y by at most 30°: the fall and the length stay.
    let (velocity, _) = world.velocity(id).expect("a body");
    assert!((velocity.y - 4.0).abs() < 1e-6, "{velocity}");
    assert!((velocity.length() - 5.0).abs() < 1e-5, "{velocity}");
    assert!(velocity.x >= 3.0 * 30.0_f32.to_radians().cos() - 1e-5, "{velocity}");
}

#[test]
fn a_teleporter_visits_its_poses_in_order_again_and_again() {
    let teleporter = Teleporter { every_ticks: 3, poses: vec![at(1.0, 0.0, 0.0), at(2.0, 0.0, 0.0)] };
    let mut world = world(vec![Entity { teleporter: Some(teleporter), ..entity(1, "Hopper") }]);
    let visited: Vec<(u32, f32)> =
        (1..=9).map(|number| (tick(&mut world, number, 60).teleported, position(&world, 1).x)).collect();
    assert_eq!(
        visited,
        [(0, 0.0), (0, 0.0), (1, 1.0), (0, 1.0), (0, 1.0), (1, 2.0), (0, 2.0), (0, 2.0), (1, 1.0),]
    );
}

#[test]
fn a_mover_put_elsewhere_goes_on_from_there() {
    let mut world = world(vec![steady(1, Vec3::X)]);
    tick(&mut world, 1, 10);
    let pose = Pose { position: Vec3::new(100.0, 5.0, 0.0), ..Pose::default() };
    assert!(world.set_pose(EntityId(1), pose));
    assert_eq!(position(&world, 1), Vec3::new(100.0, 5.0, 0.0));
    tick(&mut world, 2, 10);
    assert!((position(&world, 1).x - 100.1).abs() < 1e-5);
    assert!(!world.set_pose(EntityId(9), pose));
    let nowhere = Pose { position: Vec3::NAN, ..pose };
    assert!(!world.set_pose(EntityId(1), nowhere));
}

#[test]
fn a_body_put_elsewhere_is_there_and_so_is_what_hangs_on_it() {
    let platform = Entity {
        shape: Some(shape(ShapeKind::Cube { size: Vec3::ONE })),
        body: body(BodyKind::Kinematic),
        ..entity(1, "Platform")
    };
    let rail = Entity {
        parent: Some(EntityId(1)),
        shape: ball(),
        body: body(BodyKind::Fixed),
        transform: at(0.0, 1.0, 0.0),
        ..entity(2, "Rail")
    };
    let stone = Entity { shape: ball(), body: body(BodyKind::Dynamic), ..entity(3, "Stone") };
    let mut world = world(vec![platform, rail, stone]);
    let far = Pose { position: Vec3::new(50.0, 0.0, 0.0), ..Pose::default() };
    assert!(world.set_pose(EntityId(1), far));
    assert!(world.set_pose(EntityId(3), Pose { position: Vec3::new(50.0, 3.0, 0.0), ..far }));
    (1..=120).for_each(|number| {
        tick(&mut world, number, 60);
    });
    // The stone lies on the rail: 1 for the rail, half a metre for each ball.
    assert_eq!(position(&world, 2), Vec3::new(50.0, 1.0, 0.0));
    assert!((position(&world, 3).y - 2.0).abs() < 0.02, "{}", position(&world, 3));
}

#[test]
fn despawning_takes_what_hangs_on_it_along_and_keeps_the_rest_in_place() {
    let child = |id: u64, parent: u64| Entity {
        parent: Some(EntityId(parent)),
        transform: at(1.0, 0.0, 0.0),
        ..entity(id, "Child")
    };
    let mut world = world(vec![
        entity(1, "First"),
        child(2, 1),
        child(3, 2),
        Entity { transform: at(0.0, 7.0, 0.0), ..entity(4, "Second") },
        child(5, 4),
    ]);
    let revision = world.entities_revision();
    assert!(world.despawn(EntityId(1)));
    assert!(!world.despawn(EntityId(2)));
    assert_ne!(world.entities_revision(), revision);
    let mut rows = Vec::new();
    world.entity_rows(&mut rows);
    let rows: Vec<(u64, Option<u64>)> =
        rows.iter().map(|row| (row.id.0, row.parent.map(|parent| parent.0))).collect();
    assert_eq!(rows, [(4, None), (5, Some(4))]);
    assert_eq!(position(&world, 5), Vec3::new(1.0, 7.0, 0.0));
}

#[test]
fn two_runs_and_a_copy_made_midway_agree_to_the_bit() {
    let input = holding(&[Key::ArrowRight]);
    let (mut first, mut second) = (busy_world(), busy_world());
    let mut copy = None;
    for number in 1..=240 {
        tick_with(&mut first, number, 60, &input);
        tick_with(&mut second, number, 60, &input);
        assert_eq!(first.state_hash(), second.state_hash(), "tick {number}");
        if number == 100 {
            copy = Some(second.clone());
            assert_eq!(copy.as_ref().map(World::state_hash), Some(second.state_hash()));
        }
        if let Some(copy) = copy.as_mut().filter(|_| number > 100) {
            tick_with(copy, number, 60, &input);
            assert_eq!(copy.state_hash(), first.state_hash(), "copy, tick {number}");
        }
    }
}

#[test]
fn the_hash_sees_state_and_nothing_else() {
    let mut world = busy_world();
    let before = world.state_hash();
    let mut store = Interpolation::new(&world);
    store.roll(&world);
    assert_eq!(world.state_hash(), before);
    let mut other = world.clone();
    assert!(other.set_pose(EntityId(200), Pose::default()));
    assert_ne!(other.state_hash(), before);
    assert_eq!(world.state_hash(), before);
    tick(&mut world, 1, 60);
    assert_ne!(world.state_hash(), before);
    let scene = Scene { seed: 8, ..Scene::default() };
    let seeded = World::new(&scene, Rate::HZ_60).expect("in order");
    assert_ne!(seeded.state_hash(), super::tests::world(Vec::new()).state_hash());
}

#[test]
fn a_pile_stays_finite_and_on_its_ground_for_a_hundred_seconds() {
    let mut world = busy_world();
    assert!(world.despawn(EntityId(101)) && world.despawn(EntityId(1)));
    for number in 1..=6000 {
        tick(&mut world, number, 60);
    }
    for id in 200..240 {
        let pose = world.world_pose(EntityId(id)).expect("there");
        let (velocity, spin) = world.velocity(EntityId(id)).expect("a body");
        assert!(pose.is_finite() && velocity.is_finite() && spin.is_finite(), "{id}: {pose:?}");
        assert!(pose.position.y > 0.0, "{id} fell through: {pose:?}");
    }
}

#[test]
fn an_observation_reads_with_units_and_uses_its_memory_again() {
    let world = world(vec![spawner(30, 90, 4)]);
    let mut seen = EntityObservation::default();
    assert!(world.observe(EntityId(1), &mut seen));
    let value = |field: &str| {
        let row = seen.fields.iter().find(|row| row.section == "Spawner" && row.field == field);
        row.map(|row| row.value.as_str())
    };
    assert_eq!(value("every"), Some("30 ticks (0.500 s)"));
    assert_eq!(value("alive"), Some("0 of at most 4"));
    assert_eq!((seen.name.as_str(), seen.kind), ("Fountain", EntityKind::Spawner));
    let again = seen.clone();
    assert!(!world.observe(EntityId(2), &mut seen));
    assert_eq!(seen, again);
}
