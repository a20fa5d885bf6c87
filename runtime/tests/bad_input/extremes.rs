//! Every number at an end of its range, in every combination that chance finds: nothing panics, and nothing that is
//! drawn stops being a number.

use super::tick;
use framewalk_runtime::interpolation::Interpolation;
use framewalk_runtime::render::batch::Batch;
use framewalk_runtime::render::view::View;
use framewalk_runtime::scene::Pose;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::Rate;
use framewalk_runtime::world::World;
use proptest::prelude::*;

/// Values of a field, with those at the ends of its range.
fn one_of(values: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    proptest::sample::select(values)
}

const POSITIONS: &[&str] = &["0", "1", "-1", "1e-38", "1e7", "-1e7"];
const ANGLES: &[&str] = &["0", "90", "1e6", "-1e6"];
const SCALES: &[&str] = &["1", "0.5", "1000", "0.001", "1e6", "1e-6"];
const SIZES: &[&str] = &["1", "0.5", "0.00001", "1e6", "1000"];
const MASSES: &[&str] = &["1", "0.000001", "1e9"];
const VELOCITIES: &[&str] = &["0", "1", "1e5", "-1e5"];

fn three(values: &'static [&'static str]) -> impl Strategy<Value = String> {
    [one_of(values), one_of(values), one_of(values)].prop_map(|v| format!("({}, {}, {})", v[0], v[1], v[2]))
}

fn shape() -> impl Strategy<Value = String> {
    let size = || one_of(SIZES);
    let kinds = prop_oneof![
        three(SIZES).prop_map(|size| format!("Cube(size: {size}")),
        size().prop_map(|radius| format!("Sphere(radius: {radius}")),
        (size(), size()).prop_map(|(radius, half)| format!("Capsule(radius: {radius}, half_height: {half}")),
        (size(), size()).prop_map(|(radius, half)| format!("Cylinder(radius: {radius}, half_height: {half}")),
        (size(), size()).prop_map(|(width, depth)| format!("Plane(width: {width}, depth: {depth}")),
    ];
    kinds.prop_map(|kind| format!("shape: {kind}, color: \"#808080\")"))
}

fn transform() -> impl Strategy<Value = String> {
    (three(POSITIONS), three(ANGLES), three(SCALES)).prop_map(|(position, angles, scale)| {
        format!("(position: {position}, rotation_degrees: {angles}, scale: {scale})")
    })
}

fn body() -> impl Strategy<Value = String> {
    (one_of(MASSES), three(VELOCITIES), three(VELOCITIES), one_of(&["0", "0.5", "1000"])).prop_map(
        |(mass, velocity, spin, friction)| {
            format!("mass: {mass}, velocity: {velocity}, spin: {spin}, friction: {friction}, bounce: 1")
        },
    )
}

fn entity() -> impl Strategy<Value = String> {
    let dynamic = (shape(), body()).prop_map(|(shape, body)| {
        format!(
            "{shape}, body: ({body}), sound: (when: Contact, seconds: 60, hertz: 20000, max_distance: 0.01)"
        )
    });
    let moved = (shape(), three(VELOCITIES), any::<bool>()).prop_map(|(shape, velocity, body)| {
        let body = if body { ", body: (kind: Kinematic)" } else { "" };
        format!("{shape}, motion: Steady(velocity: {velocity}){body}")
    });
    let orbit = (three(POSITIONS), one_of(&["1", "1e7", "-1e7"])).prop_map(|(center, turning)| {
        format!("motion: Orbit(center: {center}, axis: (1e6, 1e-6, 0), degrees_per_second: {turning})")
    });
    let swing = (three(POSITIONS), one_of(&["0.0001", "1", "1e9"])).prop_map(|(amplitude, period)| {
        format!("motion: Oscillate(amplitude: {amplitude}, period: {period}, phase: 1e6)")
    });
    let spawner = (shape(), body())
        .prop_map(|(shape, body)| format!("spawner: (every_ticks: 1, limit: 5, {shape}, body: ({body}))"));
    let teleporter =
        transform().prop_map(|pose| format!("teleporter: (every_ticks: 2, poses: [{pose}, ()])"));
    let camera = Just("camera: (near: 0.0001, far: 1e9), sun: (direction: (1e6, 0, 0))".to_owned());
    let fixed = shape().prop_map(|shape| format!("{shape}, body: (kind: Fixed)"));
    (transform(), prop_oneof![4 => dynamic, 1 => moved, 1 => orbit, 1 => swing, 1 => spawner, 1 => teleporter, 1 => camera, 2 => fixed])
        .prop_map(|(transform, parts)| format!("transform: {transform}, {parts}"))
}

fn finite(pose: &Pose) -> bool {
    pose.is_finite() && (pose.rotation.length() - 1.0).abs() < 1e-3
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn whatever_is_allowed_stays_a_number(
        entities in proptest::collection::vec((entity(), any::<bool>()), 1..6),
        rate in proptest::sample::select(&[1_u32, 10, 60, 1000][..]),
    ) {
        let entities: Vec<String> = entities.iter().enumerate().map(|(id, (parts, hangs))| {
            let parent = if *hangs && id > 0 { format!("parent: {}, ", id - 1) } else { String::new() };
            format!("(id: {id}, name: \"E{id}\", {parent}{parts})")
        }).collect();
        let text = format!("(format: 1, entities: [{}])", entities.join(",\n"));
        // What leaves its range with its parents or its scale is refused; that is what the check is for.
        let Ok(scene) = parse_scene(&text) else { return Ok(()) };
        let rate = Rate::hz(rate).expect("1 to 1000");
        let mut world = World::new(&scene, rate).expect("what is read can be built");
        let mut store = Interpolation::new(&world);
        let (mut snapshot, mut batch) = (Snapshot { alpha: 0.3, ..Snapshot::default() }, Batch::default());
        for number in 1..=20 {
            tick(&mut world, number, rate);
            store.roll(&world);
            snapshot.fill(&world, &store);
            batch.fill(&snapshot, &View::default(), [640, 360]);
            for (idx, item) in batch.items.iter().enumerate() {
                let poses = snapshot.world_poses(idx);
                prop_assert!(
                    finite(&poses.previous) && finite(&poses.current) && finite(&item.drawn),
                    "tick {number}: {item:?} of {text}"
                );
            }
            prop_assert!(batch.lens.clip_from_world.is_finite(), "tick {number}: {text}");
        }
        prop_assert_eq!(world.clone().state_hash(), world.state_hash());
    }
}
