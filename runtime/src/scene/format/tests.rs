use super::*;
use crate::scene::{Entity, Transform};

/// The sample scenes, as they lie in the repository.
fn samples() -> [(&'static str, &'static str); 8] {
    [
        ("first-steps", include_str!("../../../../projects/first-steps/scenes/main.ron")),
        ("judder-lab", include_str!("../../../../projects/judder-lab/scenes/main.ron")),
        ("empty", include_str!("../../../../projects/empty/scenes/main.ron")),
        ("crowd", include_str!("../../../../projects/crowd/scenes/main.ron")),
        ("overload", include_str!("../../../../projects/overload/scenes/main.ron")),
        ("pile", include_str!("../../../../projects/pile/scenes/main.ron")),
        ("handoffs", include_str!("../../../../projects/handoffs/scenes/main.ron")),
        ("high-rate", include_str!("../../../../projects/high-rate/scenes/main.ron")),
    ]
}

/// The faults of a text, each as a line; empty where it is a scene.
fn faults(text: &str) -> Vec<String> {
    parse_scene(text).err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

/// The faults of a scene with one entity, id 1 and named A, that begins in line 4 at column 5.
fn faults_of(components: &str) -> Vec<String> {
    faults(&format!("(\n  format: 1,\n  entities: [\n    (id: 1, name: \"A\", {components}),\n  ],\n)\n"))
}

#[test]
fn every_sample_is_read_without_a_fault() {
    for (name, text) in samples() {
        assert_eq!(faults(text), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn every_sample_is_written_as_it_stands() {
    for (name, text) in samples() {
        let scene = parse_scene(text).expect(name);
        assert_eq!(write_scene(&scene), text, "{name}");
    }
}

#[test]
fn a_text_that_ron_cannot_read_ends_at_its_first_error() {
    for (text, expected) in [
        ("", "1:1: expected `(`, found the end of the file"),
        ("(", "1:2: the text ends too early: a closing `)` or `]` is missing"),
        ("(format: 1", "1:11: the text ends too early: a closing `)` or `]` is missing"),
        ("(format: 1,\n entities: [\n", "3:1: the text ends too early: a closing `)` or `]` is missing"),
        ("(format: 1}", "1:11: expected a comma or the closing bracket, found `}`"),
        ("{ \"format\": 1 }", "1:1: expected `(`, found `{`"),
        ("(format: 1, entities: 3)", "1:23: entities: expected a list, `[`, found `3`"),
        (
            "(format: 1, entitys: [])",
            "1:13: there is no field `entitys` here, did you mean `entities`? known: format, seed, about, entities",
        ),
        ("(format: 1, seed: 1.5)", "1:19: seed: expected a whole number, found `1.5`"),
        ("(format: 1, seed: -1)", "1:19: seed: expected a whole number from 0 on, found `-1`"),
        ("(format: 1, about: 7)", "1:20: about: expected a text in quotes, found `7`"),
        ("(format: 1, about: \"abc", "1:20: a text is not closed: its second `\"` is missing"),
        ("(format: 1 /* abc", "1:12: a comment is not closed: `*/` is missing"),
        ("(format: 1) x", "1:13: expected the end of the file, found `x`"),
    ] {
        assert_eq!(faults(text), [expected], "{text}");
    }
}

#[test]
fn a_newer_format_is_refused_before_its_fields_are() {
    for (text, expected) in [
        (
            "(format: 2, hoops: 3)",
            "1:10: format: this scene is of format 2, but this program reads up to format 1: open it with a newer one",
        ),
        ("()", "1:1: format: this scene does not say its format: begin it with `format: 1,`"),
        ("(format: 0)", "1:10: format: there is no format 0: write `format: 1`"),
        ("(format: \"1\")", "1:10: format: expected a whole number, found `\"1\"`"),
    ] {
        assert_eq!(faults(text), [expected], "{text}");
    }
}

#[test]
fn what_a_merge_has_left_is_told_once_for_each_place_and_not_as_what_it_looks_like() {
    let text = "(\n  format: 1,\n<<<<<<< HEAD\n  seed: 7,\n=======\n  seed: 8,\n>>>>>>> theirs\n  entities: [\n    \
                (id: 1, name: \"A\"),\n<<<<<<< HEAD\n    (id: 1, name: \"B\"),\n=======\n>>>>>>> theirs\n  ],\n)\n";
    let told = "a merge has left both versions here: keep one, or what is right of both, and take out the lines with \
                <<<<<<<, ======= and >>>>>>>";
    assert_eq!(faults(text), [format!("3:1: {told}"), format!("10:1: {told}")]);
    let in_text = "(\n  format: 1,\n  about: \"\n<<<<<<< HEAD\n\",\n  entities: [],\n)\n";
    assert_eq!(faults(in_text), [""; 0], "what is no fault is not looked for");
}

#[test]
fn ten_thousand_brackets_are_an_error_with_a_place() {
    for (text, expected) in [
        (
            "(".repeat(10_000),
            "1:2: expected a name, found `(`; 1:65: brackets are nested deeper than 64 levels",
        ),
        ("[".repeat(10_000), "1:1: expected `(`, found `[`; 1:65: brackets are nested deeper than 64 levels"),
        ("{".repeat(10_000), "1:1: expected `(`, found `{`; 1:65: brackets are nested deeper than 64 levels"),
        ("/*".repeat(10_000), "1:1: a comment is not closed: `*/` is missing"),
        (
            format!("(format: 1, entities: {}", "[".repeat(10_000)),
            "1:86: brackets are nested deeper than 64 levels",
        ),
        (
            format!("(format: 1, entities: [{}", "(".repeat(10_000)),
            "1:86: brackets are nested deeper than 64 levels",
        ),
        (
            format!("(format: 1, entities: [{}", "Some(".repeat(10_000)),
            "1:338: brackets are nested deeper than 64 levels",
        ),
    ] {
        assert_eq!(faults(&text).join("; "), expected, "{}", &text[..40]);
    }
}

#[test]
fn a_fault_in_a_component_says_place_entity_and_what_was_expected() {
    let known = "known: id, name, parent, transform, shape, body, motion, spawner, crowd, teleporter, controlled, sound, camera, sun, sky, load";
    let unknown_shap = format!("4:24: there is no field `shap` here, did you mean `shape`? {known}");
    for (components, expected) in [
        ("shap: 3", unknown_shap.as_str()),
        ("id: 2", "4:24: the field `id` is written twice"),
        (
            "transform: (postion: (0, 0, 0))",
            "4:36: \"A\" (id 1), transform: there is no field `postion` here, did you mean `position`? \
             known: position, rotation_degrees, scale",
        ),
        (
            "transform: (position: (0, 0))",
            "4:46: \"A\" (id 1), transform.position: expected three numbers, `(x, y, z)`, found 2",
        ),
        (
            "transform: (position: (0, 0, 0, 0))",
            "4:46: \"A\" (id 1), transform.position: expected three numbers, `(x, y, z)`, found 4",
        ),
        (
            "transform: (position: (0, \"a\", 0))",
            "4:50: \"A\" (id 1), transform.position: expected a number, found `\"a\"`",
        ),
        ("transform: (position: 0)", "4:46: \"A\" (id 1), transform.position: expected `(`, found `0`"),
        (
            "shape: Sphere(radius: 1, color: \"red\")",
            "4:56: \"A\" (id 1), shape.color: \"red\" is no colour: write \"#rrggbb\", two hexadecimal digits each for red, \
             green and blue",
        ),
        (
            "shape: Spere(radius: 1, color: \"#ffffff\")",
            "4:31: \"A\" (id 1), shape: there is no kind `Spere` here, did you mean `Sphere`? \
             known: Cube, Sphere, Capsule, Cylinder, Plane",
        ),
        ("shape: Sphere(color: \"#ffffff\")", "4:54: \"A\" (id 1), shape: the field `radius` is missing"),
        ("shape: Sphere", "4:37: \"A\" (id 1), shape: expected `(` after `Sphere`"),
        (
            "body: (kind: dynamic)",
            "4:37: \"A\" (id 1), body.kind: there is no kind `dynamic` here, did you mean `Dynamic`? \
             known: Fixed, Kinematic, Dynamic",
        ),
        ("body: (mass: true)", "4:37: \"A\" (id 1), body.mass: expected a number, found `true`"),
        ("body: (mass: 1, mass: 2)", "4:40: \"A\" (id 1), body: the field `mass` is written twice"),
        (
            "sound: (when: contact)",
            "4:38: \"A\" (id 1), sound.when: there is no kind `contact` here, did you mean `Contact`? \
             known: Start, Spawn, Teleport, Contact, Jump",
        ),
        (
            "sound: (wave: 3)",
            "4:38: \"A\" (id 1), sound.wave: expected one of Sine, Triangle, Square, Noise, found `3`",
        ),
        (
            "sound: (hz: 440)",
            "4:32: \"A\" (id 1), sound: there is no field `hz` here; \
             known: when, wave, hertz, seconds, volume, max_distance",
        ),
        (
            "spawner: (every_ticks: 3.5, limit: 3, shape: Sphere(radius: 1, color: \"#ffffff\"))",
            "4:47: \"A\" (id 1), spawner.every_ticks: expected a whole number, found `3.5`",
        ),
        (
            "camera: (follow: (target: -1, offset: (0, 0, 1)))",
            "4:50: \"A\" (id 1), camera.follow.target: expected a whole number from 0 on, found `-1`",
        ),
        ("body: (mass: #)", "4:37: expected a value, found `#`"),
        ("body: (mass: 1) shape: 3", "4:40: expected a comma or the closing bracket, found `shape`"),
        (
            "/* a */ body: /* b */ (mass: \"é\") /* c */",
            "4:53: \"A\" (id 1), body.mass: expected a number, found `\"é\"`",
        ),
    ] {
        assert_eq!(faults_of(components), [expected], "{components}");
    }
}

#[test]
fn faults_are_collected_over_entities_and_components_in_the_order_of_the_text() {
    let text = "(
    format: 1,
    entities: [
        (id: 1, name: \"A\", shape: Spere(radius: 1), body: (mass: \"x\")),
        (id: 2, nam: \"B\"),
        (id: 3, name: \"C\", sky: (ambient: 2), load: (tick_micros: -1)),
        (id: 4, name: \"D\", parent: 2),
    ],
)";
    assert_eq!(
        faults(text),
        [
            "4:35: \"A\" (id 1), shape: there is no kind `Spere` here, did you mean `Sphere`? \
             known: Cube, Sphere, Capsule, Cylinder, Plane",
            "4:66: \"A\" (id 1), body.mass: expected a number, found `\"x\"`",
            "5:17: there is no field `nam` here, did you mean `name`? known: id, name, parent, transform, shape, body, \
             motion, spawner, crowd, teleporter, controlled, sound, camera, sun, sky, load",
            "6:43: \"C\" (id 3), sky.ambient: 2 is outside 0 to 1",
            "6:67: \"C\" (id 3), load.tick_micros: a load is a number of microseconds from 0 to 10000000",
        ]
    );
}

#[test]
fn a_text_with_a_byte_order_mark_and_windows_line_ends_is_read() {
    let text = "\u{feff}(\r\n  format: 1,\r\n  entities: [(id: 1, name: \"A\", camera: (near: 0))],\r\n)\r\n";
    assert_eq!(
        faults(text),
        ["3:48: \"A\" (id 1), camera.near: a distance of 0 m cannot be: write a number above 0"]
    );
}

#[test]
fn numbers_are_written_with_the_fewest_digits() {
    let written = |x: f32| {
        let entity = Entity { name: "A".to_owned(), ..Entity::default() };
        let transform = Transform { position: glam::Vec3::new(x, 0.0, 0.0), ..Default::default() };
        let text = write_scene(&Scene { entities: vec![Entity { transform, ..entity }], ..Scene::default() });
        text.split("position: (").nth(1).and_then(|rest| rest.split(',').next()).unwrap_or("").to_owned()
    };
    for (x, text) in [
        (1.0, "1"),
        (-0.5, "-0.5"),
        (0.1, "0.1"),
        (16_777_216.0, "16777216"),
        (1e30, "1e30"),
        (1.5e-20, "1.5e-20"),
        (f32::MAX, "3.4028235e38"),
    ] {
        assert_eq!(written(x), text);
    }
}

mod canonical;
mod properties;
mod unknown;
mod updates;
