//! What moving an entity in a tick does to it, to what hangs on it, and to bodies that it leads.

use crate::input::{Key, TickInput};
use crate::interpolation::Interpolation;
use crate::scene::{
    Body, BodyKind, Color, Controlled, Entity, EntityId, Pose, Scene, Shape, ShapeKind, Transform,
};
use crate::time::Rate;
use crate::world::World;
use crate::world::tests::{tick, tick_with};
use glam::Vec3;

const STAND: EntityId = EntityId(1);
const CHILD: EntityId = EntityId(2);
const RAM: EntityId = EntityId(3);
const BALL: EntityId = EntityId(4);
const WALL: EntityId = EntityId(5);

fn body(id: EntityId, name: &str, kind: BodyKind, position: Vec3) -> Entity {
    Entity {
        id,
        name: name.to_owned(),
        transform: Transform { position, ..Transform::default() },
        shape: Some(Shape { kind: ShapeKind::Cube { size: Vec3::ONE }, color: Color::WHITE }),
        body: Some(Body { kind, ..Body::default() }),
        ..Entity::default()
    }
}

fn world() -> World {
    let stand = Entity { id: STAND, name: "Stand".to_owned(), ..Entity::default() };
    let fixed = body(CHILD, "Child", BodyKind::Fixed, Vec3::Z * 50.0);
    let child = Entity { parent: Some(STAND), ..fixed };
    let ram = body(RAM, "Ram", BodyKind::Kinematic, Vec3::ZERO);
    let ball = body(BALL, "Ball", BodyKind::Dynamic, Vec3::X * 1.5);
    let wall = body(WALL, "Wall", BodyKind::Fixed, Vec3::NEG_X * 50.0);
    let scene = Scene { entities: vec![stand, child, ram, ball, wall], ..Scene::default() };
    World::new(&scene, Rate::HZ_60).expect("nothing is wrong with it")
}

fn at(position: Vec3) -> Pose {
    Pose { position, ..Pose::default() }
}

#[test]
fn what_stood_is_simulated_from_its_first_move_on_and_blended_from_where_it_stood() {
    let mut world = world();
    let mut store = Interpolation::new(&world);
    tick(&mut world, 1, 60);
    store.roll(&world);
    assert_eq!(store.poses(STAND), None);
    assert!(world.move_to(STAND, at(Vec3::Y)));
    tick(&mut world, 2, 60);
    store.roll(&world);
    assert_eq!(store.poses(STAND), Some((Pose::default(), at(Vec3::Y))));
    // Nobody moves it in the next tick: it stands.
    tick(&mut world, 3, 60);
    store.roll(&world);
    assert_eq!(store.poses(STAND), Some((at(Vec3::Y), at(Vec3::Y))));
    assert_eq!(world.world_pose(CHILD).expect("it is there").position, Vec3::new(0.0, 1.0, 50.0));
}

#[test]
fn a_kinematic_body_pushes_what_is_in_its_way() {
    let mut world = world();
    for number in 1..=30_u8 {
        assert!(world.move_to(RAM, at(Vec3::X * (f32::from(number) / 30.0))));
        tick(&mut world, number.into(), 60);
    }
    let ball = world.local_pose(BALL).expect("it is there").position;
    assert!(ball.x > 1.9, "{ball}");
}

#[test]
fn a_body_that_stands_on_what_is_moved_goes_with_it() {
    let mut world = world();
    // Under the ball, which falls on it.
    for number in 1..=20_u64 {
        let way = number as f32 / 20.0;
        assert!(world.move_to(STAND, at(Vec3::new(1.5 * way, -3.0 * way, -50.0 * way))));
        tick(&mut world, number, 60);
    }
    for number in 21..=180 {
        tick(&mut world, number, 60);
    }
    let ball = world.local_pose(BALL).expect("it is there").position;
    assert!((ball.y - -2.0).abs() < 0.1, "{ball}");
}

#[test]
fn what_is_fixed_or_falls_is_not_moved() {
    let mut world = world();
    for id in [WALL, CHILD, BALL] {
        let before = world.local_pose(id);
        assert!(!world.move_to(id, at(Vec3::Y)));
        assert_eq!(world.local_pose(id), before);
    }
}

#[test]
fn keys_go_on_from_where_a_tick_has_moved_what_they_move() {
    let driven = Entity {
        id: STAND,
        name: "Driven".to_owned(),
        controlled: Some(Controlled { speed: 6.0, jump: 0.0 }),
        ..Entity::default()
    };
    let scene = Scene { entities: vec![driven], ..Scene::default() };
    let mut world = World::new(&scene, Rate::HZ_60).expect("nothing is wrong with it");
    assert!(world.move_to(STAND, at(Vec3::X * 10.0)));
    let held = [Key::ArrowRight].into_iter().collect();
    tick_with(&mut world, 1, 60, &TickInput { held, ..TickInput::default() });
    let moved = world.local_pose(STAND).expect("it is there").position.x;
    // A tenth of a metre in a tick.
    assert!((moved - 10.1).abs() < 1e-5, "{moved}");
}
