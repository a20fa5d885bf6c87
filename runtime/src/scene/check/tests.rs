use super::*;
use crate::scene::format::parse_scene;

/// The faults of a scene with these entities, as `parse_scene` reports them but for their places.
fn sentences(entities: &str) -> Vec<String> {
    let text = format!("(format: 1, entities: [{entities}])");
    parse_scene(&text).err().unwrap_or_default().iter().map(Fault::sentence).collect()
}

#[test]
fn an_empty_scene_is_fine() {
    assert_eq!(check_scene(&Scene::default()), []);
}

#[test]
fn every_fault_of_a_component_is_a_sentence_with_entity_and_field() {
    const SPHERE: &str = "shape: Sphere(radius: 1, color: \"#ffffff\")";
    let with_sphere = |component: &str| format!("{SPHERE}, {component}");
    let spawner = |fields: &str| format!("spawner: ({fields}, {SPHERE})");
    for (components, expected) in [
        (
            "transform: (scale: (1, 0, 1))".to_owned(),
            "transform.scale: a scale of (1, 0, 1) leaves nothing to see: each number is above 0",
        ),
        (
            "transform: (scale: (1, 1, -2))".to_owned(),
            "transform.scale: a scale of (1, 1, -2) leaves nothing to see: each number is above 0",
        ),
        (
            "transform: (position: (NaN, 0, 0))".to_owned(),
            "transform.position: (NaN, 0, 0) is nothing to calculate with: write three finite numbers",
        ),
        (
            "transform: (rotation_degrees: (0, inf, 0))".to_owned(),
            "transform.rotation_degrees: (0, inf, 0) is nothing to calculate with: write three finite numbers",
        ),
        (
            "transform: (position: (1e39, 0, 0))".to_owned(),
            "transform.position: (inf, 0, 0) is nothing to calculate with: write three finite numbers",
        ),
        (
            "transform: (position: (0, -20000000, 0))".to_owned(),
            "transform.position: (0, -20000000, 0) m is outside -10000000 to 10000000 m",
        ),
        (
            "transform: (rotation_degrees: (1e7, 0, 0))".to_owned(),
            "transform.rotation_degrees: (10000000, 0, 0) degrees is outside -1000000 to 1000000 degrees",
        ),
        (
            "transform: (scale: (1, 1e38, 1))".to_owned(),
            "transform.scale: (1, 1e38, 1) is outside 0.000001 to 1000000",
        ),
        (
            "shape: Sphere(radius: 1e38, color: \"#ffffff\")".to_owned(),
            "shape.radius: 1e38 m is outside 0.00001 to 1000000 m",
        ),
        (
            "shape: Cube(size: (1, 1e-9, 1), color: \"#ffffff\")".to_owned(),
            "shape.size: (1, 0.000000001, 1) m is outside 0.00001 to 1000000 m",
        ),
        (
            "transform: (scale: (1e6, 1, 1)), shape: Cube(size: (100, 1, 1), color: \"#ffffff\")".to_owned(),
            "shape: with its scale it measures (100000000, 1, 1) m, outside 0.00001 to 1000000 m",
        ),
        (
            "transform: (scale: (0.0078125, 1, 1)), spawner: (every_ticks: 1, limit: 3, \
             shape: Sphere(radius: 0.001, color: \"#ffffff\"))"
                .to_owned(),
            "spawner.shape: with its scale it measures (0.0000078125, 0.001, 0.001) m, outside 0.00001 to 1000000 m",
        ),
        (with_sphere("body: (mass: 1e38)"), "body.mass: 1e38 kg is outside 0.000001 to 1000000000 kg"),
        (with_sphere("body: (friction: 1e38)"), "body.friction: 1e38 is outside 0 to 1000"),
        (
            with_sphere("body: (velocity: (1e38, 0, 0))"),
            "body.velocity: (1e38, 0, 0) m/s is outside -100000 to 100000 m/s",
        ),
        (
            with_sphere("body: (spin: (0, 1e38, 0))"),
            "body.spin: (0, 1e38, 0) rad/s is outside -100000 to 100000 rad/s",
        ),
        (
            "motion: Steady(velocity: (0, 0, -1e38))".to_owned(),
            "motion.velocity: (0, 0, -1e38) m/s is outside -100000 to 100000 m/s",
        ),
        (
            "motion: Spin(degrees_per_second: 1e38)".to_owned(),
            "motion.degrees_per_second: 1e38 degrees/s is outside -10000000 to 10000000 degrees/s",
        ),
        (
            "motion: Spin(axis: (1e38, 0, 0), degrees_per_second: 1)".to_owned(),
            "motion.axis: (1e38, 0, 0) is outside -1000000 to 1000000",
        ),
        (
            "motion: Orbit(center: (1e38, 0, 0), degrees_per_second: 1)".to_owned(),
            "motion.center: (1e38, 0, 0) m is outside -10000000 to 10000000 m",
        ),
        (
            "motion: Oscillate(amplitude: (1e38, 0, 0), period: 1)".to_owned(),
            "motion.amplitude: (1e38, 0, 0) m is outside -10000000 to 10000000 m",
        ),
        (
            "motion: Oscillate(amplitude: (1, 0, 0), period: 1e-9)".to_owned(),
            "motion.period: 0.000000001 s is outside 0.0001 to 1000000000 s",
        ),
        (
            "motion: Oscillate(amplitude: (1, 0, 0), period: 1, phase: 1e38)".to_owned(),
            "motion.phase: 1e38 turns is outside -1000000 to 1000000 turns",
        ),
        (
            spawner("every_ticks: 1, limit: 1000001"),
            "spawner.limit: 1000001 alive at once is outside 1 to 1000000",
        ),
        (
            "teleporter: (every_ticks: 1, poses: [(position: (1e38, 0, 0))])".to_owned(),
            "teleporter.poses.1.position: (1e38, 0, 0) m is outside -10000000 to 10000000 m",
        ),
        ("controlled: (speed: 1e38)".to_owned(), "controlled.speed: 1e38 m/s is outside 0 to 100000 m/s"),
        (
            "controlled: (speed: 1, jump: 1e38)".to_owned(),
            "controlled.jump: 1e38 m is outside 0 to 1000000 m",
        ),
        ("camera: (far: 1e38)".to_owned(), "camera.far: 1e38 m is outside 0.0001 to 1000000000 m"),
        ("camera: (near: 1e-38)".to_owned(), "camera.near: 1e-38 m is outside 0.0001 to 1000000 m"),
        ("sun: (strength: 1e38)".to_owned(), "sun.strength: 1e38 is outside 0 to 1000000"),
        (
            "sun: (direction: (1e38, 0, 0))".to_owned(),
            "sun.direction: (1e38, 0, 0) is outside -1000000 to 1000000",
        ),
        (
            "shape: Sphere(radius: 0, color: \"#ffffff\")".to_owned(),
            "shape.radius: a size of 0 m cannot be: write a number above 0",
        ),
        (
            "shape: Cube(size: (1, -1, 1), color: \"#ffffff\")".to_owned(),
            "shape.size: a size of -1 m cannot be: write a number above 0",
        ),
        (
            "shape: Cube(size: (1, 1, NaN), color: \"#ffffff\")".to_owned(),
            "shape.size: (1, 1, NaN) is nothing to calculate with: write three finite numbers",
        ),
        (
            "shape: Capsule(radius: 1, half_height: -1, color: \"#ffffff\")".to_owned(),
            "shape.half_height: -1 is negative: write 0 or more",
        ),
        (
            "shape: Cylinder(radius: 1, half_height: 0, color: \"#ffffff\")".to_owned(),
            "shape.half_height: a size of 0 m cannot be: write a number above 0",
        ),
        (
            "shape: Plane(width: inf, depth: 1, color: \"#ffffff\")".to_owned(),
            "shape.width: inf is no number to calculate with: write a finite one",
        ),
        ("body: ()".to_owned(), "body: a body needs a shape, which is its outline: add `shape`"),
        (with_sphere("body: (mass: 0)"), "body.mass: a mass of 0 kg cannot be: write a number above 0"),
        (with_sphere("body: (mass: -1)"), "body.mass: a mass of -1 kg cannot be: write a number above 0"),
        (
            with_sphere("body: (mass: NaN)"),
            "body.mass: NaN is no number to calculate with: write a finite one",
        ),
        (with_sphere("body: (bounce: 1.5)"), "body.bounce: 1.5 is outside 0 to 1"),
        (with_sphere("body: (bounce: -0.1)"), "body.bounce: -0.1 is outside 0 to 1"),
        (with_sphere("body: (friction: -1)"), "body.friction: -1 is negative: write 0 or more"),
        (
            with_sphere("body: (velocity: (0, -inf, 0))"),
            "body.velocity: (0, -inf, 0) is nothing to calculate with: write three finite numbers",
        ),
        (
            with_sphere("body: (), motion: Steady(velocity: (1, 0, 0))"),
            "motion: physics moves a Dynamic body, so its motion cannot: make the body Kinematic, or remove one",
        ),
        (
            with_sphere("body: (kind: Fixed), motion: Steady(velocity: (1, 0, 0))"),
            "motion: a Fixed body stands still, so its motion cannot: make the body Kinematic, or remove one",
        ),
        (
            "motion: Spin(degrees_per_second: 0)".to_owned(),
            "motion.degrees_per_second: at a rate of 0 nothing turns: write another number, or remove the motion",
        ),
        (
            "motion: Spin(axis: (0, 0, 0), degrees_per_second: 90)".to_owned(),
            "motion.axis: (0, 0, 0) points nowhere: at least one number is not 0",
        ),
        (
            "motion: Orbit(center: (0, NaN, 0), degrees_per_second: 90)".to_owned(),
            "motion.center: (0, NaN, 0) is nothing to calculate with: write three finite numbers",
        ),
        (
            "motion: Oscillate(amplitude: (1, 0, 0), period: 0)".to_owned(),
            "motion.period: a period of 0 s cannot be: write a number above 0",
        ),
        (
            "motion: Oscillate(amplitude: (1, 0, 0), period: -2)".to_owned(),
            "motion.period: a period of -2 s cannot be: write a number above 0",
        ),
        (spawner("every_ticks: 0, limit: 3"), "spawner.every_ticks: every 0 ticks is never: write 1 or more"),
        (spawner("every_ticks: 1, limit: 0"), "spawner.limit: a limit of 0 spawns nothing: write 1 or more"),
        (
            spawner("every_ticks: 1, limit: 3, spread_degrees: 181"),
            "spawner.spread_degrees: 181 degrees is outside 0 to 180 degrees",
        ),
        (
            spawner("every_ticks: 1, limit: 3, body: (mass: -1)"),
            "spawner.body.mass: a mass of -1 kg cannot be: write a number above 0",
        ),
        (
            "teleporter: (every_ticks: 1, poses: [])".to_owned(),
            "teleporter.poses: there is nowhere to go: list at least one pose",
        ),
        (
            "teleporter: (every_ticks: 0, poses: [()])".to_owned(),
            "teleporter.every_ticks: every 0 ticks is never: write 1 or more",
        ),
        (
            "teleporter: (every_ticks: 1, poses: [(), (scale: (0, 1, 1))])".to_owned(),
            "teleporter.poses.2.scale: a scale of (0, 1, 1) leaves nothing to see: each number is above 0",
        ),
        ("controlled: (speed: -1)".to_owned(), "controlled.speed: -1 is negative: write 0 or more"),
        ("sound: (hertz: 10)".to_owned(), "sound.hertz: 10 Hz is outside 20 to 20000 Hz"),
        (
            "sound: (hertz: NaN)".to_owned(),
            "sound.hertz: NaN is no number to calculate with: write a finite one",
        ),
        ("sound: (seconds: -1)".to_owned(), "sound.seconds: -1 s is outside 0 to 60 s"),
        ("sound: (volume: 1.5)".to_owned(), "sound.volume: 1.5 is outside 0 to 1"),
        (
            "sound: (max_distance: 0)".to_owned(),
            "sound.max_distance: a distance of 0 m cannot be: write a number above 0",
        ),
        (
            "camera: (fov_degrees: 180)".to_owned(),
            "camera.fov_degrees: 180 degrees is outside 1 to 179 degrees",
        ),
        (
            "camera: (fov_degrees: 0.5)".to_owned(),
            "camera.fov_degrees: 0.5 degrees is outside 1 to 179 degrees",
        ),
        ("camera: (near: 0)".to_owned(), "camera.near: a distance of 0 m cannot be: write a number above 0"),
        (
            "camera: (near: 10, far: 10)".to_owned(),
            "camera.near: near (10 m) is not below far (10 m): nothing is between them",
        ),
        (
            "camera: (follow: (target: 7, offset: (0, 1, 0)))".to_owned(),
            "camera.follow.target: no entity of this scene has the id 7",
        ),
        (
            "camera: (follow: (target: 1, offset: (0, 1, 0)))".to_owned(),
            "camera.follow.target: a camera cannot follow itself or what hangs on it: follow something else",
        ),
        (
            "sun: (direction: (0, 0, 0))".to_owned(),
            "sun.direction: (0, 0, 0) points nowhere: at least one number is not 0",
        ),
        ("sun: (strength: -1)".to_owned(), "sun.strength: -1 is negative: write 0 or more"),
        ("sky: (ambient: 2)".to_owned(), "sky.ambient: 2 is outside 0 to 1"),
        (
            "load: (tick_micros: -1)".to_owned(),
            "load.tick_micros: a load is a number of microseconds from 0 to 10000000",
        ),
        (
            "load: (submit_micros: NaN)".to_owned(),
            "load.submit_micros: a load is a number of microseconds from 0 to 10000000",
        ),
        (
            "load: (frame_micros: 1e12)".to_owned(),
            "load.frame_micros: a load is a number of microseconds from 0 to 10000000",
        ),
        ("parent: 7".to_owned(), "parent: no entity of this scene has the id 7"),
        (
            "parent: 1".to_owned(),
            "parent: its parents lead back to itself (1 → 1): nothing can hang on itself",
        ),
    ] {
        let found = sentences(&format!("(id: 1, name: \"A\", {components})"));
        assert_eq!(found, [format!("\"A\" (id 1), {expected}")], "{components}");
    }
}

#[test]
fn a_name_and_an_id_are_wanted() {
    assert_eq!(
        sentences("(id: 1, name: \"\")"),
        ["id 1, name: the name is empty: give it one to be found by"]
    );
    assert_eq!(
        sentences("(id: 1, name: \" \")"),
        ["id 1, name: the name is empty: give it one to be found by"]
    );
    assert_eq!(
        sentences("(id: 4294967296, name: \"A\")"),
        ["\"A\" (id 4294967296), id: ids run from 0 to 4294967295; above are those of spawned things"]
    );
}

#[test]
fn the_same_id_twice_is_named_with_the_first_owner_and_a_free_number() {
    assert_eq!(
        sentences("(id: 3, name: \"A\"), (id: 8, name: \"B\"), (id: 3, name: \"C\")"),
        ["\"C\" (id 3), id: \"A\" has this id already: give this one a number of its own, such as 9"]
    );
    let highest = "(id: 4294967295, name: \"A\"), (id: 1, name: \"B\"), (id: 1, name: \"C\")";
    assert_eq!(
        sentences(highest),
        ["\"C\" (id 1), id: \"B\" has this id already: give this one a number of its own, such as 2"]
    );
}

#[test]
fn a_parent_loop_is_named_at_each_member_but_not_at_what_hangs_on_it() {
    let entity = |id: u64, parent: u64| format!("(id: {id}, name: \"E{id}\", parent: {parent})");
    let loop_of_three = [entity(1, 2), entity(2, 3), entity(3, 1), entity(4, 3)].join(", ");
    assert_eq!(
        sentences(&loop_of_three),
        [
            "\"E1\" (id 1), parent: its parents lead back to itself (1 → 2 → 3 → 1): nothing can hang on itself",
            "\"E2\" (id 2), parent: its parents lead back to itself (2 → 3 → 1 → 2): nothing can hang on itself",
            "\"E3\" (id 3), parent: its parents lead back to itself (3 → 1 → 2 → 3): nothing can hang on itself",
        ]
    );
}

#[test]
fn a_camera_cannot_follow_its_own_child() {
    assert_eq!(
        sentences(
            "(id: 1, name: \"A\", camera: (follow: (target: 3, offset: (0, 1, 0)))), \
             (id: 2, name: \"B\", parent: 1), (id: 3, name: \"C\", parent: 2)"
        ),
        [
            "\"A\" (id 1), camera.follow.target: a camera cannot follow itself or what hangs on it: follow something else"
        ]
    );
}

#[test]
fn a_chain_of_a_hundred_thousand_parents_is_checked_in_one_pass() {
    assert_eq!(check_scene(&chain(100_000, Transform::default())), []);
}

/// Each hangs on the one before, and each is placed like this in it.
fn chain(count: u64, transform: Transform) -> Scene {
    let entities = (0..count).map(|id| Entity {
        id: EntityId(id),
        name: format!("E{id}"),
        parent: id.checked_sub(1).map(EntityId),
        transform,
        ..Entity::default()
    });
    Scene { entities: entities.collect(), ..Scene::default() }
}

#[test]
fn what_leaves_its_range_only_with_its_parents_is_told_once() {
    let sentences = |transform| -> Vec<String> {
        check_scene(&chain(100, transform)).iter().map(Fault::sentence).collect()
    };
    let doubled = Transform { scale: Vec3::splat(2.0), ..Transform::default() };
    assert_eq!(
        sentences(doubled),
        [
            "\"E19\" (id 19), transform.scale: with its parents its scale is (1048576, 1048576, 1048576), outside \
          0.000001 to 1000000"
        ]
    );
    let apart = Transform { position: Vec3::new(0.0, 3e6, 0.0), ..Transform::default() };
    assert_eq!(
        sentences(apart),
        ["\"E3\" (id 3), transform.position: with its parents it stands at (0, 12000000, 0) m, outside \
          -10000000 to 10000000 m"]
    );
}

#[test]
fn several_cameras_are_allowed_and_a_note_says_which_is_used() {
    let text = "(format: 1, entities: [(id: 1, name: \"A\", camera: ()), (id: 2, name: \"B\", camera: (), sky: ())])";
    let scene = parse_scene(text).expect("two cameras are no fault");
    assert_eq!(
        scene_notes(&scene),
        [Fault::new("the scene has 2 cameras; the first, of \"A\" (id 1), is used")]
    );
}
