//! What a scene's text costs, an entity: reading it with every place and rule, writing it, and writing one edit, and its
//! undo, into the text there is; beside plain `ron` and serde over the same data.
//!
//! `cargo bench -p framewalk-runtime --bench scene_text`. `ron` only parses and prints: it keeps no comment, knows no
//! place and checks no rule. Linear is a column whose figures stay the same downward.

#[path = "shared/row.rs"]
mod row;

use std::hint::black_box;

use framewalk_runtime::scene::format::{format_text, parse_scene, update_scene, write_scene};
use framewalk_runtime::scene::{
    Body, BodyKind, Color, Entity, EntityId, Motion, Scene, Shape, ShapeKind, Transform,
};
use glam::Vec3;
use row::{Aim, Row};
use serde::{Deserialize, Serialize};

/// The same data for serde.
#[derive(Serialize, Deserialize)]
struct PlainScene {
    format: u32,
    entities: Vec<PlainEntity>,
}

#[derive(Serialize, Deserialize)]
struct PlainEntity {
    id: u64,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    transform: Option<PlainTransform>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shape: Option<PlainShape>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<PlainBody>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    motion: Option<PlainMotion>,
}

#[derive(Serialize, Deserialize)]
struct PlainVec3(f32, f32, f32);

#[derive(Serialize, Deserialize)]
struct PlainTransform {
    position: PlainVec3,
}

#[derive(Serialize, Deserialize)]
enum PlainShape {
    Cube { size: PlainVec3, color: String },
    Sphere { radius: f32, color: String },
}

#[derive(Serialize, Deserialize)]
enum PlainBodyKind {
    Fixed,
    Kinematic,
    Dynamic,
}

#[derive(Serialize, Deserialize)]
struct PlainBody {
    kind: PlainBodyKind,
    mass: f32,
    bounce: f32,
}

#[derive(Serialize, Deserialize)]
enum PlainMotion {
    Steady { velocity: PlainVec3 },
}

/// A third each: still things, bodies, movers.
fn scene(count: u64) -> Scene {
    let entity = |idx: u64| {
        let x = idx as f32 * 0.37;
        let shape = if idx.is_multiple_of(2) {
            ShapeKind::Cube { size: Vec3::new(0.5, 1.25, 0.5) }
        } else {
            ShapeKind::Sphere { radius: 0.75 }
        };
        let body = Body { kind: BodyKind::Dynamic, mass: 1.2, bounce: 0.9, ..Body::default() };
        Entity {
            id: EntityId(idx + 1),
            name: format!("Entity {idx}"),
            parent: idx.is_multiple_of(10).then_some(EntityId(idx)).filter(|parent| parent.0 > 0),
            transform: Transform { position: Vec3::new(x, 2.5, -x), ..Transform::default() },
            shape: Some(Shape { kind: shape, color: Color::hex(0x0056_b4e9) }),
            body: (idx % 3 == 1).then_some(body),
            motion: (idx % 3 == 2).then_some(Motion::Steady { velocity: Vec3::new(1.0, 0.0, 0.25) }),
            ..Entity::default()
        }
    };
    Scene { entities: (0..count).map(entity).collect(), ..Scene::default() }
}

fn by_ron(text: &str) -> PlainScene {
    ron::Options::default()
        .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
        .from_str(text)
        .expect("the same data")
}

fn main() {
    let (counts, rounds): (&[u64], usize) =
        if row::is_measured() { (&[1_000, 20_000], 15) } else { (&[50], 1) };
    row::header();
    // Of each work with the fewest entities.
    let mut fewest: Option<[f64; 7]> = None;
    for &count in counts {
        let before = scene(count);
        let text = write_scene(&before);
        let plain = by_ron(&text);
        let pretty = ron::ser::PrettyConfig::default();
        let printed = || ron::ser::to_string_pretty(&plain, pretty.clone()).expect("plain data");
        assert_eq!(parse_scene(&text).as_ref(), Ok(&before));

        let mut after = before.clone();
        after.entities[count as usize / 2].transform.position.x += 1.0;
        let edited = update_scene(&text, &after).expect("a scene");
        let nanos = row::taking_turns(
            rounds,
            [
                &mut |_| drop(black_box(by_ron(&text))),
                &mut |_| drop(black_box(parse_scene(&text))),
                &mut |_| drop(black_box(printed())),
                &mut |_| drop(black_box(write_scene(&before))),
                &mut |_| drop(black_box(update_scene(&text, &after))),
                &mut |_| drop(black_box(update_scene(&edited, &before))),
                &mut |_| drop(black_box(format_text(&text))),
            ],
        );
        let each = nanos.map(|nanos| nanos / count as f64);
        let [ron_parse, parse, ron_write, write, edit, undo, format] = each;
        let print = |what: &str, ours, peer, aim| {
            let what = format!("{what} a scene of {count}, an entity");
            Row { what: &what, unit: "ns", ours, peer, aim }.print();
        };
        print("read", parse, Some(("ron and serde", ron_parse)), Some(Aim::Ratio(2.0)));
        print("write", write, Some(("ron and serde", ron_write)), Some(Aim::Ratio(2.0)));
        let few = *fewest.get_or_insert(each);
        let beside = |idx: usize| (count > counts[0]).then_some(("the smallest of these", few[idx]));
        if let Some(peer) = beside(1) {
            print("read", parse, Some(peer), None);
        }
        print("save one edit into", edit, beside(4), None);
        print("save its undo into", undo, beside(5), None);
        print("put into canonical form", format, beside(6), None);
    }
}
