#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use framewalk_runtime::render::view::Lens;
use framewalk_runtime::scene::{Body, Entity, EntityId, Pose, Scene, Transform};

use super::drag::Change;
use super::handles::{drawn, hit};
use super::place::{Turning, angles_near, followers, moved, placed, starts, turning};
use super::*;
use crate::document::indexed::IndexedScene;

const SIZE: [u32; 2] = [800, 600];

/// Looks along −z at the origin from 10 m.
fn deep() -> Sight {
    sight(&Lens::fly(Vec3::new(0.0, 0.0, 10.0), 0.0, 0.0, 50.0, SIZE))
}

/// Along −z too, 6 m high on 600 points: 100 points a metre.
fn flat() -> Sight {
    sight(&Lens::orthographic(Vec3::ZERO, 0.0, 0.0, 6.0, SIZE))
}

/// Aslant, so that every axis is seen.
fn aslant() -> Sight {
    sight(&Lens::orthographic(Vec3::ZERO, 0.6, -0.5, 6.0, SIZE))
}

fn sight(lens: &Lens) -> Sight {
    Sight { outlook: Outlook::new(lens, SIZE), min: Vec2::ZERO, size: Vec2::new(800.0, 600.0) }
}

fn stand(sight: &Sight) -> Stand {
    Stand::at(Vec3::ZERO, Quat::IDENTITY, sight).unwrap()
}

fn close(a: Vec3, b: Vec3) -> bool {
    (a - b).length() < 2e-3
}

fn dragged(
    sight: &Sight,
    tool: Tool,
    handle: Handle,
    from: Vec2,
    to: Vec2,
    snap: Option<&Steps>,
) -> (Drag, Change) {
    let mut drag = Drag::begin(tool, handle, stand(sight), sight, from).unwrap();
    let change = drag.to(sight, to, snap).unwrap();
    (drag, change)
}

#[test]
fn the_handles_are_as_long_on_screen_from_any_distance() {
    for z in [3.0, 30.0, 300.0] {
        let sight = sight(&Lens::fly(Vec3::new(0.0, 0.0, z), 0.0, 0.0, 50.0, SIZE));
        let stand = stand(&sight);
        let (middle, tip) = (sight.place(Vec3::ZERO).unwrap(), sight.place(Vec3::X * stand.length).unwrap());
        assert!((tip.x - middle.x - LENGTH).abs() < 0.5, "{z} m: {}", tip.x - middle.x);
    }
    assert!((flat().metres_per_point(Vec3::new(0.0, 1.0, -40.0)).unwrap() - 0.01).abs() < 1e-5);
}

#[test]
fn each_handle_is_found_where_it_is_drawn() {
    let sight = aslant();
    let stand = stand(&sight);
    let at = |point: Vec3| sight.place(point * stand.length).unwrap();
    let find = |tool, point: Vec2| hit(&drawn(tool, &stand, &sight), point);
    for axis in Axis::ALL {
        assert_eq!(find(Tool::Move, at(axis.unit() * 0.9)), Some(Handle::Axis(axis)));
        assert_eq!(find(Tool::Scale, at(axis.unit() * 0.95)), Some(Handle::Axis(axis)));
        let [a, b] = axis.others().map(Axis::unit);
        assert_eq!(find(Tool::Move, at((a + b) * 0.41)), Some(Handle::Plane(axis)));
        // On the near half of the ring, away from where two rings meet.
        let near = (a * stand.towards_eye.dot(a) + b * stand.towards_eye.dot(b)).normalize();
        let (sine, cosine) = 0.3_f32.sin_cos();
        let aside = near * cosine + axis.unit().cross(near) * sine;
        assert_eq!(find(Tool::Rotate, at(aside)), Some(Handle::Axis(axis)), "{axis:?}");
    }
    assert_eq!(find(Tool::Move, at(Vec3::ZERO)), Some(Handle::Screen));
    assert_eq!(find(Tool::Rotate, at(Vec3::ZERO) + Vec2::new(LENGTH * 1.22, 0.0)), Some(Handle::Screen));
    assert_eq!(find(Tool::Move, Vec2::new(20.0, 20.0)), None);
    assert_eq!(find(Tool::Select, at(Vec3::ZERO)), None);
}

#[test]
fn what_points_at_the_eye_or_lies_on_its_edge_cannot_be_dragged() {
    let sight = flat();
    let handles: Vec<Handle> =
        drawn(Tool::Move, &stand(&sight), &sight).iter().map(|drawn| drawn.handle).collect();
    assert!(!handles.contains(&Handle::Axis(Axis::Z)));
    assert!(!handles.contains(&Handle::Plane(Axis::X)) && !handles.contains(&Handle::Plane(Axis::Y)));
    assert!(handles.contains(&Handle::Plane(Axis::Z)) && handles.contains(&Handle::Axis(Axis::X)));
    assert_eq!(Drag::begin(Tool::Move, Handle::Axis(Axis::Z), stand(&sight), &sight, Vec2::ZERO), None);
}

#[test]
fn a_move_along_an_axis_and_in_a_plane_follows_the_pointer() {
    // 100 points a metre, y down on screen.
    let (from, to) = (Vec2::new(480.0, 300.0), Vec2::new(605.0, 180.0));
    let moved = |handle, snap| match dragged(&flat(), Tool::Move, handle, from, to, snap).1 {
        Change::Move(by) => by,
        other => panic!("{other:?}"),
    };
    let steps = Steps { metres: 0.5, ..Steps::default() };
    assert!(close(moved(Handle::Axis(Axis::X), None), Vec3::new(1.25, 0.0, 0.0)));
    assert!(close(moved(Handle::Axis(Axis::Y), None), Vec3::new(0.0, 1.2, 0.0)));
    assert!(close(moved(Handle::Plane(Axis::Z), None), Vec3::new(1.25, 1.2, 0.0)));
    assert!(close(moved(Handle::Screen, None), Vec3::new(1.25, 1.2, 0.0)));
    assert_eq!(moved(Handle::Axis(Axis::X), Some(&steps)), Vec3::new(1.5, 0.0, 0.0), "1.25 rounds up");
    assert!(close(moved(Handle::Plane(Axis::Z), Some(&steps)), Vec3::new(1.5, 1.0, 0.0)));
}

#[test]
fn with_perspective_the_point_that_was_taken_stays_under_the_pointer() {
    let sight = deep();
    let at = |x: f32| sight.place(Vec3::new(x, 0.0, 0.0)).unwrap();
    let (_, change) = dragged(&sight, Tool::Move, Handle::Axis(Axis::X), at(0.7), at(2.2), None);
    let Change::Move(by) = change else { panic!("{change:?}") };
    assert!(close(by, Vec3::new(1.5, 0.0, 0.0)), "{by}");
}

#[test]
fn local_handles_move_along_the_axes_of_what_is_moved() {
    let sight = flat();
    let axes = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let stand = Stand::at(Vec3::ZERO, axes, &sight).unwrap();
    let handle = Handle::Axis(Axis::X);
    let mut drag = Drag::begin(Tool::Move, handle, stand, &sight, Vec2::new(400.0, 220.0)).unwrap();
    let change = drag.to(&sight, Vec2::new(500.0, 120.0), None).unwrap();
    let Change::Move(by) = change else { panic!("{change:?}") };
    assert!(close(by, Vec3::new(0.0, 1.0, 0.0)), "{by}");
    assert_eq!(drag.text(&change), "x +1.000 m");
}

#[test]
fn a_ring_turns_with_the_pointer_and_beyond_half_a_turn() {
    let sight = flat();
    let handle = Handle::Axis(Axis::Z);
    let on_ring = |degrees: f32| {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        Vec2::new(400.0 + LENGTH * cosine, 300.0 - LENGTH * sine)
    };
    let mut drag = Drag::begin(Tool::Rotate, handle, stand(&sight), &sight, on_ring(10.0)).unwrap();
    let mut degrees = 0.0;
    for to in [100.0, 190.0, 280.0] {
        let Some(Change::Turn { axis, degrees: now }) = drag.to(&sight, on_ring(to), None) else {
            panic!("a turn")
        };
        assert!(close(axis, Vec3::Z));
        degrees = now;
    }
    assert!((degrees - 270.0).abs() < 0.1, "{degrees}");
    let steps = Steps { degrees: 15.0, ..Steps::default() };
    let change = drag.to(&sight, on_ring(293.0), Some(&steps)).unwrap();
    assert!(matches!(change, Change::Turn { degrees: 285.0, .. }), "{change:?}");
    assert_eq!(drag.text(&change), "+285.0° about z");
}

#[test]
fn a_ring_seen_from_its_edge_is_dragged_along_its_line() {
    let sight = flat();
    let start = Vec2::new(400.0, 300.0);
    let to = start + Vec2::new(LENGTH * std::f32::consts::FRAC_PI_2, 0.0);
    let (_, change) = dragged(&sight, Tool::Rotate, Handle::Axis(Axis::Y), start, to, None);
    let Change::Turn { axis, degrees } = change else { panic!("{change:?}") };
    assert_eq!(axis, Vec3::Y);
    // Its near side goes to the right: about +y.
    assert!((degrees - 90.0).abs() < 0.1, "{degrees}");
}

#[test]
fn a_factor_is_never_nothing_nor_less() {
    let sight = flat();
    let axis = Handle::Axis(Axis::X);
    let scaled = |handle, to: Vec2, snap: Option<&Steps>| match dragged(
        &sight,
        Tool::Scale,
        handle,
        Vec2::new(480.0, 300.0),
        to,
        snap,
    )
    .1
    {
        Change::Scale(factors) => factors,
        other => panic!("{other:?}"),
    };
    assert!(close(scaled(axis, Vec2::new(560.0, 300.0), None), Vec3::new(2.0, 1.0, 1.0)));
    assert!(close(scaled(axis, Vec2::new(200.0, 300.0), None), Vec3::new(0.01, 1.0, 1.0)));
    let steps = Steps { factor: 0.25, ..Steps::default() };
    assert!(close(scaled(axis, Vec2::new(505.0, 300.0), Some(&steps)), Vec3::new(1.25, 1.0, 1.0)));
    assert!(close(scaled(axis, Vec2::new(200.0, 300.0), Some(&steps)), Vec3::new(0.25, 1.0, 1.0)));
    let uniform = scaled(Handle::Screen, Vec2::new(480.0, 300.0 - 120.0 * 2.0_f32.sqrt()), None);
    assert!(close(uniform, Vec3::splat(2.0)), "{uniform}");
}

fn family() -> Scene {
    let entity = |id, parent: Option<u64>, position, degrees: f32, scale| Entity {
        id: EntityId(id),
        parent: parent.map(EntityId),
        transform: Transform {
            position,
            rotation_degrees: Vec3::new(0.0, degrees, 0.0),
            scale: Vec3::splat(scale),
        },
        ..Entity::default()
    };
    let mut scene = Scene {
        entities: vec![
            entity(1, None, Vec3::new(1.0, 0.0, 0.0), 90.0, 2.0),
            entity(2, Some(1), Vec3::new(0.0, 1.0, 0.0), 0.0, 1.0),
            entity(3, Some(2), Vec3::ZERO, 0.0, 1.0),
            entity(4, None, Vec3::new(-1.0, 0.0, 0.0), 0.0, 1.0),
        ],
        ..Scene::default()
    };
    scene.entities[2].body = Some(Body::default());
    scene
}

#[test]
fn a_child_moves_in_the_world_as_its_handle_did() {
    let scene = IndexedScene::from(family());
    let found = starts(&scene, &[EntityId(2)]);
    assert!(close(found[0].world.position, Vec3::new(1.0, 2.0, 0.0)));
    let about = turning(&[found[0].world], Tool::Move, Space::World).unwrap();
    let transform = placed(&found[0], &Change::Move(Vec3::new(0.0, 0.0, -3.0)), &about);
    // The parent is turned a quarter about y and twice as large: −z in the world is +x of it, by half.
    assert_eq!(transform.position, Vec3::new(1.5, 1.0, 0.0));
    assert_eq!(transform.rotation_degrees, Vec3::ZERO, "untouched, to the digit");
}

#[test]
fn what_hangs_on_a_chosen_one_goes_with_it_and_bodies_follow() {
    let scene = IndexedScene::from(family());
    let all = [EntityId(1), EntityId(2), EntityId(3), EntityId(4)];
    let found = starts(&scene, &all);
    assert_eq!(found.iter().map(|start| start.id.0).collect::<Vec<_>>(), [1, 4]);
    assert_eq!(followers(&scene, &found), [(EntityId(3), 0)]);
}

#[test]
fn several_turn_and_grow_about_their_middle() {
    let scene = IndexedScene::from(family());
    let found = starts(&scene, &[EntityId(1), EntityId(4)]);
    let poses: Vec<Pose> = found.iter().map(|start| start.world).collect();
    let about = turning(&poses, Tool::Rotate, Space::World).unwrap();
    assert_eq!(about, Turning { pivot: Vec3::ZERO, axes: Quat::IDENTITY });
    let turn = Change::Turn { axis: Vec3::Y, degrees: 90.0 };
    let first = placed(&found[0], &turn, &about);
    assert_eq!((first.position, first.rotation_degrees), (Vec3::new(0.0, 0.0, -1.0), Vec3::Y * 180.0));
    let grown = placed(&found[1], &Change::Scale(Vec3::splat(1.5)), &about);
    assert_eq!((grown.position, grown.scale), (Vec3::new(-1.5, 0.0, 0.0), Vec3::splat(1.5)));
    let pose = moved(&poses[1], &turn, &about);
    assert!(close(pose.position, Vec3::new(0.0, 0.0, 1.0)));
}

#[test]
fn angles_are_written_as_near_to_the_old_ones_as_can_be() {
    let near = |degrees: Vec3, old: Vec3| {
        let radians = degrees * (std::f32::consts::PI / 180.0);
        angles_near(Quat::from_euler(glam::EulerRot::XYZ, radians.x, radians.y, radians.z), old)
    };
    for degrees in [Vec3::Y * 100.0, Vec3::Y * 179.0, Vec3::X * 120.0, Vec3::new(10.0, 20.0, 30.0)] {
        let found = near(degrees, degrees * 0.9);
        assert!((found - degrees).length() < 0.02, "{degrees}: {found}");
    }
    let beyond = near(Vec3::Y * 10.0, Vec3::Y * 350.0);
    assert!((beyond - Vec3::Y * 370.0).length() < 0.02, "{beyond}");
}

#[test]
fn a_scale_that_is_small_already_stays_above_nothing() {
    let mut scene = family();
    scene.entities[3].transform.scale = Vec3::new(0.01, 1.0, 1.0);
    let scene = IndexedScene::from(scene);
    let found = starts(&scene, &[EntityId(4)]);
    let about = turning(&[found[0].world], Tool::Scale, Space::World).unwrap();
    let transform = placed(&found[0], &Change::Scale(Vec3::new(0.01, 1.0, 1.0)), &about);
    assert_eq!(transform.scale, Vec3::new(0.001, 1.0, 1.0));
}

#[test]
fn steps_from_a_careless_file_are_held_within_what_is_sensible() {
    let steps = Steps { metres: f32::NAN, degrees: -3.0, factor: 0.0 }.checked();
    assert_eq!(steps, Steps { metres: 0.5, degrees: 0.1, factor: 0.001 });
}
