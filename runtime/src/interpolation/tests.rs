use super::*;
use crate::input::TickInput;
use crate::scene::{Body, BodyKind, Color, Entity, Motion, Scene, Shape, ShapeKind, Transform};
use crate::time::{Rate, Tick};
use crate::world::{HandEdit, TickStep};
use glam::DQuat;
use proptest::prelude::*;

fn about_y(degrees: f64) -> [f64; 4] {
    let half = degrees.to_radians() / 2.0;
    [0.0, half.sin(), 0.0, half.cos()]
}

/// Degrees between two rotations, 0–180.
fn degrees_between(a: [f64; 4], b: [f64; 4]) -> f64 {
    let chord = |sign: f64| a.iter().zip(b).map(|(a, b)| (a - sign * b).powi(2)).sum::<f64>().sqrt();
    let (near, far) =
        if chord(1.0) < chord(-1.0) { (chord(1.0), chord(-1.0)) } else { (chord(-1.0), chord(1.0)) };
    (4.0 * near.atan2(far)).to_degrees()
}

fn length(quaternion: [f64; 4]) -> f64 {
    quaternion.iter().map(|value| value * value).sum::<f64>().sqrt()
}

fn mover(velocity: Vec3) -> World {
    let motion = Some(Motion::Steady { velocity });
    world(vec![Entity { id: EntityId(1), name: "Mover".to_owned(), motion, ..Entity::default() }])
}

fn world(entities: Vec<Entity>) -> World {
    World::new(&Scene { entities, ..Scene::default() }, Rate::HZ_60).expect("in order")
}

fn tick(world: &mut World, number: u64, rate: u32) {
    world.tick(&TickStep {
        tick: Tick(number),
        seconds: number as f64 / f64::from(rate),
        tick_rate: Rate::hz(rate).expect("1 to 1000"),
        input: &TickInput::default(),
    });
}

fn xs(store: &Interpolation, id: u64) -> Option<(f32, f32)> {
    store.poses(EntityId(id)).map(|(previous, current)| (previous.position.x, current.position.x))
}

#[test]
fn turns_of_179_180_and_181_degrees_take_the_short_way_at_unit_length() {
    for (whole, short) in [(179.0, 179.0), (180.0, 180.0), (181.0, 179.0)] {
        for (from, to) in [(about_y(0.0), about_y(whole)), (about_y(70.0), about_y(70.0 + whole))] {
            for step in 0..=10 {
                let alpha = f64::from(step) / 10.0;
                let blended = blend_rotation_f64(from, to, alpha);
                assert!((length(blended) - 1.0).abs() < 1e-12, "{whole} at {alpha}");
                assert!((degrees_between(from, blended) - alpha * short).abs() < 1e-7, "{whole} at {alpha}");
            }
        }
    }
}

#[test]
fn a_drawn_turn_has_the_same_speed_all_the_way_however_long_it_is() {
    // Each of the borders where an arc is halved once or twice, half a turn, and beyond it the short way back.
    for whole in [0.01, 6.0, 45.8, 46.0, 91.7, 92.0, 179.0, 180.0, 181.0, 350.0] {
        let short = if whole > 180.0 { whole - 360.0 } else { whole };
        let pose =
            |degrees| Pose { rotation: DQuat::from_array(about_y(degrees)).as_quat(), ..Pose::default() };
        for step in 1..100 {
            let alpha = f64::from(step) / 100.0;
            let blended = blend(&pose(20.0), &pose(20.0 + whole), alpha).rotation.as_dquat().to_array();
            let off = degrees_between(blended, about_y(20.0 + alpha * short));
            // 1e-4 degrees are 1.7e-6 rad.
            assert!(off < 1e-4, "{whole} at {alpha}: {off}");
        }
    }
}

#[test]
fn a_rotation_and_its_negative_blend_to_the_same_rotation() {
    // Their product is −1: the same rotation, written the other way.
    let from = about_y(40.0);
    let blended = blend_rotation_f64(from, from.map(|value| -value), 0.5);
    assert!(degrees_between(from, blended) < 1e-12, "{blended:?}");
    let nearly = about_y(40.0 + 1e-6).map(|value| -value);
    let blended = blend_rotation_f64(from, nearly, 0.25);
    assert!((degrees_between(from, blended) - 0.25e-6).abs() < 1e-12, "{blended:?}");
}

#[test]
fn the_series_and_the_sine_meet_where_one_takes_over() {
    // 0.1 = 4 sin²(θ/2), in degrees of rotation 2θ.
    let border = 4.0 * (SHORT_CHORD_SQUARED.sqrt() / 2.0).asin().to_degrees();
    for degrees in [border - 1e-9, border + 1e-9, border / 2.0, 1e-3, 1e-9, 0.0] {
        let blended = blend_rotation_f64(about_y(10.0), about_y(10.0 + degrees), 0.3);
        let expected = about_y(10.0 + 0.3 * degrees);
        for (found, expected) in blended.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-11, "{degrees}: {found} {expected}");
        }
    }
}

#[test]
fn what_is_no_rotation_blends_to_none_and_not_to_nan() {
    assert_eq!(blend_rotation_f64([0.0; 4], [0.0; 4], 0.5), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn steady_motion_blended_in_f64_is_exact_to_a_billionth() {
    for rate in [10.0, 60.0, 64.0] {
        for tick in 1..200_u32 {
            for alpha in [0.0, 0.125, 1.0 / 3.0, 0.9999] {
                let (previous, current) = (f64::from(tick - 1) / rate, f64::from(tick) / rate);
                let [x, ..] = blend_vector_f64([previous, 0.0, 0.0], [current, 0.0, 0.0], alpha);
                assert!((x - (f64::from(tick) - 1.0 + alpha) / rate).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn a_spin_at_ten_hertz_passes_half_a_turn_at_constant_speed() {
    let motion = Some(Motion::Spin { axis: Vec3::Y, degrees_per_second: 350.0 });
    let mut world =
        world(vec![Entity { id: EntityId(1), name: "Spinner".to_owned(), motion, ..Entity::default() }]);
    let mut store = Interpolation::new(&world);
    let mut before: Option<[f64; 4]> = None;
    for number in 1..=30 {
        tick(&mut world, number, 10);
        store.roll(&world);
        let (previous, current) = store.poses(EntityId(1)).expect("simulated");
        for step in 0..5 {
            let drawn = blend(&previous, &current, f64::from(step) / 5.0);
            assert!((drawn.rotation.length() - 1.0).abs() < 1e-6);
            let drawn = drawn.rotation.as_dquat().to_array();
            // 350°/s, a fifth of a tick of 0.1 s.
            if let Some(before) = before {
                let turned = degrees_between(before, drawn);
                assert!((turned - 7.0).abs() < 1e-4, "tick {number}, step {step}: {turned}");
            }
            before = Some(drawn);
        }
    }
}

#[test]
fn the_previous_pose_is_a_tick_old_and_not_a_frame() {
    // 60 Hz ticks drawn at 25 frames a second: two or three ticks in a frame.
    let mut world = mover(Vec3::new(60.0, 0.0, 0.0));
    let mut store = Interpolation::new(&world);
    assert_eq!(xs(&store, 1), Some((0.0, 0.0)));
    for number in 1..=3 {
        tick(&mut world, number, 60);
        store.roll(&world);
    }
    assert_eq!(xs(&store, 1), Some((2.0, 3.0)));
}

#[test]
fn what_was_put_somewhere_starts_anew_in_the_same_frame() {
    let mut world = mover(Vec3::new(60.0, 0.0, 0.0));
    let mut store = Interpolation::new(&world);
    tick(&mut world, 1, 60);
    store.roll(&world);
    let pose = Pose { position: Vec3::new(500.0, 0.0, 0.0), ..Pose::default() };
    assert!(world.set_pose(EntityId(1), pose));
    store.settle(&world);
    assert_eq!(xs(&store, 1), Some((500.0, 500.0)));
    tick(&mut world, 2, 60);
    store.roll(&world);
    assert_eq!(xs(&store, 1), Some((500.0, 501.0)));
}

#[test]
fn settling_leaves_alone_what_nobody_put_anywhere() {
    let mut world = mover(Vec3::new(60.0, 0.0, 0.0));
    let mut store = Interpolation::new(&world);
    tick(&mut world, 1, 60);
    store.roll(&world);
    store.settle(&world);
    assert_eq!(xs(&store, 1), Some((0.0, 1.0)));
}

#[test]
fn what_came_and_went_within_a_frame_leaves_no_entry() {
    let mut world = mover(Vec3::X);
    let mut store = Interpolation::new(&world);
    let short = Entity { name: "Spark".to_owned(), transform: Transform::default(), ..Entity::default() };
    let id = world.spawn(&short).expect("no parent");
    store.roll(&world);
    assert_eq!(store.len(), 2);
    assert!(world.despawn(id));
    store.roll(&world);
    assert_eq!(store.prune(&world), 1);
    assert_eq!((store.len(), store.poses(id)), (1, None));
    assert_eq!(store.prune(&world), 0);
    // What comes later is found behind the gap.
    let next = world.spawn(&short).expect("no parent");
    store.roll(&world);
    assert!(store.poses(next).is_some());
}

#[test]
fn only_simulated_entities_have_an_entry() {
    let still = Entity { id: EntityId(1), name: "Rock".to_owned(), ..Entity::default() };
    let store = Interpolation::new(&world(vec![still]));
    assert!(store.is_empty());
}

fn unit_quaternion() -> impl Strategy<Value = [f64; 4]> {
    prop::array::uniform4(-1.0..1.0_f64)
        .prop_filter("long enough to be made a unit", |value| length(*value) > 0.05)
        .prop_map(|value| value.map(|part| part / length(value)))
}

proptest! {
    #[test]
    fn a_blend_has_unit_length_and_lies_between(
        from in unit_quaternion(), to in unit_quaternion(), alpha in 0.0..1.0_f64,
        start in prop::array::uniform3(-1e4..1e4_f64), end in prop::array::uniform3(-1e4..1e4_f64),
    ) {
        let blended = blend_rotation_f64(from, to, alpha);
        prop_assert!((length(blended) - 1.0).abs() < 1e-12);
        let whole = degrees_between(from, to);
        prop_assert!((degrees_between(from, blended) - alpha * whole).abs() < 1e-6);
        prop_assert!((degrees_between(blended, to) - (1.0 - alpha) * whole).abs() < 1e-6);
        let moved = blend_vector_f64(start, end, alpha);
        for axis in 0..3 {
            let (low, high) = (start[axis].min(end[axis]), start[axis].max(end[axis]));
            prop_assert!(moved[axis] >= low - 1e-9 && moved[axis] <= high + 1e-9);
        }
    }

    #[test]
    fn a_pose_of_f32_turns_as_far_as_the_exact_blend_and_stays_unit(
        from in unit_quaternion(), to in unit_quaternion(), alpha in 0.0..=1.0_f64,
    ) {
        let pose = |q: [f64; 4]| Pose { rotation: DQuat::from_array(q).as_quat(), ..Pose::default() };
        let (from, to) = (pose(from), pose(to));
        let blended = blend(&from, &to, alpha);
        prop_assert!((blended.rotation.length() - 1.0).abs() < 1e-6);
        let exact = |pose: &Pose| pose.rotation.as_dquat().to_array();
        // Where the two are half a turn apart, both ways are short, and rounding decides.
        prop_assume!(from.rotation.dot(to.rotation).abs() > 1e-6);
        let expected = blend_rotation_f64(exact(&from), exact(&to), alpha);
        prop_assert!(degrees_between(exact(&blended), expected).to_radians() < 2e-6);
    }
}

#[test]
fn what_a_person_sets_free_between_others_is_blended_from_where_it_stands_and_they_as_before() {
    let moving = |id, velocity| Entity {
        id: EntityId(id),
        name: format!("E{id}"),
        motion: Some(Motion::Steady { velocity }),
        ..Entity::default()
    };
    let shape = Shape { kind: ShapeKind::Sphere { radius: 0.5 }, color: Color::WHITE };
    let fixed = Body { kind: BodyKind::Fixed, ..Body::default() };
    let standing = Entity { shape: Some(shape), body: Some(fixed), motion: None, ..moving(2, Vec3::ZERO) };
    let mut world = world(vec![moving(1, Vec3::X * 60.0), standing, moving(3, Vec3::X * 120.0)]);
    let mut store = Interpolation::new(&world);
    tick(&mut world, 1, 60);
    store.roll(&world);
    assert!(world.edit_by_hand(EntityId(2), &HandEdit::Body(Body::default())));
    store.prune(&world);
    store.settle(&world);
    assert_eq!([1, 2, 3].map(|id| xs(&store, id)), [Some((0.0, 1.0)), Some((0.0, 0.0)), Some((0.0, 2.0))]);
    tick(&mut world, 2, 60);
    store.roll(&world);
    assert_eq!([1, 3].map(|id| xs(&store, id)), [Some((1.0, 2.0)), Some((2.0, 4.0))]);
    let (previous, current) = store.poses(EntityId(2)).expect("it has an entry");
    assert!(previous.position.y > current.position.y, "it falls");
    assert!(world.edit_by_hand(EntityId(2), &HandEdit::Body(fixed)));
    assert_eq!(store.prune(&world), 1);
    tick(&mut world, 3, 60);
    store.roll(&world);
    assert_eq!([1, 2, 3].map(|id| xs(&store, id)), [Some((2.0, 3.0)), None, Some((4.0, 6.0))]);
}
