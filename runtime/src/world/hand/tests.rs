use super::*;
use crate::scene::{Body, Entity, Scene, ShapeKind, Transform};
use crate::time::Rate;

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
    assert!(world.edit_by_hand(EntityId(1), &HandEdit::Color(white)));
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
