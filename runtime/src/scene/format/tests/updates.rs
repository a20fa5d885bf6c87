//! The least change of a text: literal pairs first, then any scene in any layout.

use super::properties::scene;
use super::*;
use crate::scene::text::tokens;
use crate::scene::{Body, Camera, Color, EntityId, Load, Motion, Scene, Shape, ShapeKind, Unknown};
use glam::Vec3;
use proptest::collection::vec;
use proptest::prelude::*;

const COMMENTED: &str = "// A scene of two.
( format: 1, // the first
  entities: [
    // ---- things ----

    // The one that moves.
    (id: 1, name: \"Mover\", // its name
      transform: (position: (1.0, /* up */ 2., 3.)), // where
      motion: Steady(velocity: (1, 0, 0)), /* and
      so on */ shape: Sphere(radius: 0.50, color: \"#FFFFFF\") ), // done

    // The other.
    ( name: \"Other\", id: 2 )
  ]
)
// The end.
";

/// The commented text after this change of its scene.
fn after(change: impl FnOnce(&mut Scene)) -> String {
    let before = parse_scene(COMMENTED).expect("no fault");
    let mut scene = before.clone();
    change(&mut scene);
    let text = update_scene(COMMENTED, &scene).expect("a scene");
    assert_eq!(parse_scene(&text).as_ref(), Ok(&scene), "{text}");
    assert_eq!(update_scene(&text, &scene).as_ref(), Ok(&text));
    text
}

#[test]
fn an_unchanged_scene_is_the_same_text() {
    assert_eq!(after(|_| {}), COMMENTED);
}

#[test]
fn a_changed_field_changes_nothing_but_its_value() {
    let replaced = |from: &str, to: &str| COMMENTED.replacen(from, to, 1);
    type Change = fn(&mut Scene);
    let changes: [(Change, String); 10] = [
        (|scene| scene.entities[0].transform.position.y = 2.5, replaced("2.,", "2.5,")),
        (|scene| scene.entities[0].transform.position.x = -0.0, replaced("1.0, /*", "-0, /*")),
        (|scene| scene.entities[0].name = "M\"".to_owned(), replaced("\"Mover\"", "\"M\\\"\"")),
        (
            |scene| scene.entities[0].shape.iter_mut().for_each(|shape| shape.color = Color::hex(0x12)),
            replaced("#FFFFFF", "#000012"),
        ),
        (
            |scene| {
                scene.entities[0]
                    .shape
                    .iter_mut()
                    .for_each(|shape| shape.kind = ShapeKind::Cube { size: Vec3::ONE })
            },
            replaced("Sphere(radius: 0.50, color: \"#FFFFFF\")", "Cube(size: (1, 1, 1), color: \"#ffffff\")"),
        ),
        (
            |scene| scene.entities[0].transform.scale = Vec3::splat(2.0),
            replaced("3.)),", "3.), scale: (2, 2, 2)),"),
        ),
        (|scene| scene.entities[1].parent = Some(EntityId(1)), replaced("id: 2 )", "id: 2, parent: 1 )")),
        (
            |scene| {
                scene.entities[0].load = Some(Load { tick: crate::time::Nanos(1_500), ..Load::default() })
            },
            replaced("color: \"#FFFFFF\") ),", "color: \"#FFFFFF\"),\n      load: (tick_micros: 1.5) ),"),
        ),
        (|scene| scene.seed = 7, replaced("// the first\n", "// the first\n  seed: 7,\n")),
        (
            |scene| scene.unknown.push(Unknown { name: "new".to_owned(), text: "3".to_owned() }),
            replaced("  ]\n)", "  ],\n  new: 3\n)"),
        ),
    ];
    for (change, expected) in changes {
        assert_eq!(after(change), expected);
    }
}

#[test]
fn a_removed_part_takes_its_comments_along() {
    assert_eq!(
        after(|scene| scene.entities[0].motion = None),
        COMMENTED.replacen(
            "      motion: Steady(velocity: (1, 0, 0)), /* and\n      so on */ shape",
            " /* and\n      so on */ shape",
            1
        )
    );
    // What stands apart from the entity stays.
    assert_eq!(
        after(|scene| drop(scene.entities.remove(0))),
        "// A scene of two.
( format: 1, // the first
  entities: [
    // ---- things ----

    // The other.
    ( name: \"Other\", id: 2 )
  ]
)
// The end.
"
    );
    assert_eq!(
        after(|scene| drop(scene.entities.remove(1))),
        COMMENTED.replacen(", // done\n\n    // The other.\n    ( name: \"Other\", id: 2 )", " // done", 1)
    );
}

#[test]
fn entities_are_added_and_moved_with_their_comments() {
    let third = || Entity { id: EntityId(3), name: "Third".to_owned(), ..Entity::default() };
    assert_eq!(
        after(|scene| scene.entities.push(third())),
        COMMENTED.replacen("id: 2 )", "id: 2 ),\n    (id: 3, name: \"Third\")", 1)
    );
    assert_eq!(
        after(|scene| scene.entities.insert(0, third())),
        COMMENTED.replacen("entities: [", "entities: [\n    (id: 3, name: \"Third\"),", 1)
    );
    let moved = after(|scene| scene.entities.reverse());
    assert!(
        moved.contains("\n\n    // The other.\n    ( name: \"Other\", id: 2 ),\n    // ---- things"),
        "{moved}"
    );
    assert!(moved.contains("color: \"#FFFFFF\") ) // done\n  ]"), "{moved}");
}

#[test]
fn texts_of_one_line_of_tabs_and_of_windows_stay_so() {
    let third = || Entity { id: EntityId(3), name: "T".to_owned(), ..Entity::default() };
    for (before, expected) in [
        ("(format: 1)", "(format: 1, entities: [\n        (id: 3, name: \"T\"),\n    ])"),
        ("(format: 1, entities: [])", "(format: 1, entities: [\n    (id: 3, name: \"T\"),\n])"),
        (
            "(format: 1, entities: [(id: 1, name: \"A\")])",
            "(format: 1, entities: [(id: 1, name: \"A\"), (id: 3, name: \"T\")])",
        ),
        (
            "(\r\n\tformat: 1,\r\n\tentities: [\r\n\t\t(id: 1, name: \"A\"),\r\n\t],\r\n)\r\n",
            "(\r\n\tformat: 1,\r\n\tentities: [\r\n\t\t(id: 1, name: \"A\"),\r\n\t\t(id: 3, name: \"T\"),\r\n\t],\r\n)\r\n",
        ),
        (
            "\u{feff}(format: 1, entities: [(id: 1, name: \"A\",),], about: \"x\",)",
            "\u{feff}(format: 1, entities: [(id: 1, name: \"A\",), (id: 3, name: \"T\"),], about: \"x\",)",
        ),
    ] {
        let mut scene = parse_scene(before).expect("no fault");
        scene.entities.push(third());
        assert_eq!(update_scene(before, &scene).as_deref(), Ok(expected));
        assert_eq!(parse_scene(expected), Ok(scene));
    }
}

#[test]
fn options_that_are_written_stay_written() {
    let text =
        "(format: 1, entities: [(id: 1, name: \"A\", parent: None, camera: Some((near: 1.0)), body: None)])";
    let mut scene = parse_scene(text).expect("no fault");
    assert_eq!(update_scene(text, &scene).as_deref(), Ok(text));
    scene.entities[0].camera = Some(Camera { near: 2.0, far: 9.0, ..Camera::default() });
    scene.entities[0].shape = Some(Shape { kind: ShapeKind::Sphere { radius: 1.0 }, color: Color::WHITE });
    scene.entities[0].body = Some(Body::default());
    let changed = text
        .replace("(near: 1.0)", "(near: 2, far: 9)")
        .replace("body: None", "body: (kind: Dynamic)")
        .replace("\"A\",", "\"A\", shape: Sphere(radius: 1, color: \"#ffffff\"),");
    assert_eq!(update_scene(text, &scene), Ok(changed));
}

#[test]
fn a_text_that_is_no_scene_is_not_changed() {
    let found = update_scene("(format: 1, entities: [(id: 1)])", &Scene::default());
    let found: Vec<String> = found.err().unwrap_or_default().iter().map(ToString::to_string).collect();
    assert_eq!(found, ["1:30: the field `name` is missing"]);
}

/// The same scene in another layout: other blanks, comments, last commas.
pub(super) fn relaid(text: &str, trivia: &[String]) -> String {
    let mut laid = String::new();
    let tokens = tokens(text);
    for (idx, token) in tokens.iter().enumerate() {
        let blanks = &trivia[idx % trivia.len()];
        let opens = |token: &str| ["(", "[", "{", ","].contains(&token);
        if [")", "]"].contains(token) && blanks.len().is_multiple_of(3) && !opens(tokens[idx - 1]) {
            laid.push(',');
        }
        laid += blanks;
        laid += token;
    }
    laid + &trivia[0]
}

pub(super) fn trivia() -> impl Strategy<Value = Vec<String>> {
    let one = prop_oneof![
        4 => Just(String::new()),
        4 => Just(" ".to_owned()),
        2 => Just("\n    ".to_owned()),
        1 => Just("\r\n\t".to_owned()),
        1 => Just("\n\n".to_owned()),
        1 => Just(" // a, (b)\n".to_owned()),
        1 => Just("\n  // ---\n\n  // c\n  ".to_owned()),
        1 => Just("/* d */".to_owned()),
        1 => Just("/* e\n\n */ ".to_owned()),
    ];
    vec(one, 1..40)
}

/// Two scenes of which the second has entities of the first, others, in another order.
fn before_and_after() -> impl Strategy<Value = (Scene, Scene)> {
    (scene(), scene(), vec(any::<bool>(), 8), any::<bool>(), any::<u64>()).prop_map(
        |(mut before, mut after, picks, shuffled, order)| {
            let part = |text: &str| Unknown { name: "zz".to_owned(), text: text.to_owned() };
            before.entities.iter_mut().step_by(2).for_each(|entity| entity.unknown.push(part("[1, //\n 2]")));
            after.entities.iter_mut().step_by(3).for_each(|entity| entity.unknown.push(part("(a: 'b')")));
            for ((entity, old), pick) in after.entities.iter_mut().zip(&before.entities).zip(picks) {
                if pick {
                    *entity = old.clone();
                }
            }
            if shuffled {
                after.entities.sort_by_key(|entity| entity.id.0.wrapping_mul(order | 1));
            }
            (before, after)
        },
    )
}

proptest! {
    #[test]
    fn a_text_in_any_layout_is_unchanged_where_its_scene_is(scene in scene(), trivia in trivia()) {
        let text = relaid(&write_scene(&scene), &trivia);
        prop_assert_eq!(faults(&text), Vec::<String>::new(), "{}", text);
        let read = parse_scene(&text).expect("no fault");
        prop_assert_eq!(&read, &scene);
        prop_assert_eq!(update_scene(&text, &read), Ok(text));
    }

    #[test]
    fn a_changed_text_says_exactly_the_changed_scene((before, after) in before_and_after(), trivia in trivia()) {
        let text = relaid(&write_scene(&before), &trivia);
        let changed = update_scene(&text, &after).expect("a scene");
        prop_assert_eq!(faults(&changed), Vec::<String>::new(), "{}\n=>\n{}", text, changed);
        prop_assert_eq!(parse_scene(&changed), Ok(after.clone()), "{}\n=>\n{}", text, changed);
        // The same again changes nothing, and the way back is the text it began as.
        prop_assert_eq!(update_scene(&changed, &after), Ok(changed.clone()));
        let back = update_scene(&changed, &before).expect("a scene");
        prop_assert_eq!(parse_scene(&back), Ok(before));
    }

    #[test]
    fn a_canonical_text_stays_canonical((before, after) in before_and_after()) {
        prop_assert_eq!(update_scene(&write_scene(&before), &after), Ok(write_scene(&after)));
    }

    #[test]
    fn one_number_changes_one_number(scene in scene(), trivia in trivia(), x in -10.0..10.0_f32) {
        let text = relaid(&write_scene(&scene), &trivia);
        let mut after = scene.clone();
        let Some(entity) = after.entities.iter_mut().find(|entity| entity.motion.is_some()) else {
            return Ok(());
        };
        let Some(Motion::Steady { velocity }) = &mut entity.motion else { return Ok(()) };
        velocity.y = x;
        let changed = update_scene(&text, &after).expect("a scene");
        let (old, new) = (tokens(&text), tokens(&changed));
        prop_assert_eq!(old.len(), new.len());
        prop_assert!(old.iter().zip(&new).filter(|(a, b)| a != b).count() <= 1, "{}\n=>\n{}", text, changed);
    }
}
