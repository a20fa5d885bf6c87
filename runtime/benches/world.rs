//! What Play costs: a world made of a checked scene, and the check alone, an entity.
//!
//! `cargo bench -p framewalk-runtime --no-default-features --features sim --bench world`. The peer of a larger world is
//! the smallest one: linear is what has a ratio near 1.

#[path = "shared/row.rs"]
mod row;

use std::hint::black_box;

use framewalk_runtime::interpolation::Interpolation;
use framewalk_runtime::scene::check::check_scene;
use framewalk_runtime::scene::{Body, Entity, EntityId, Scene, Shape, ShapeKind, Transform};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::Rate;
use framewalk_runtime::time::source::RealClock;
use framewalk_runtime::world::World;
use glam::Vec3;
use row::Row;

/// The parent of the entity of an index.
type Parent = fn(u64) -> Option<EntityId>;

/// How the entities hang together.
const TREES: [(&str, Parent); 3] = [
    ("each alone", |_| None),
    ("all below one", |idx| (idx > 0).then_some(EntityId(1))),
    ("chains of ten", |idx| (!idx.is_multiple_of(10)).then_some(EntityId(idx))),
];

fn scene(count: u64, parent: Parent, body: Option<Body>) -> Scene {
    let entity = |idx: u64| Entity {
        id: EntityId(idx + 1),
        name: format!("Entity {idx}"),
        parent: parent(idx),
        transform: Transform { position: Vec3::X * idx as f32, ..Transform::default() },
        shape: Some(Shape {
            kind: ShapeKind::Cube { size: Vec3::splat(0.5) },
            color: framewalk_runtime::scene::Color::WHITE,
        }),
        body,
        ..Entity::default()
    };
    Scene { entities: (0..count).map(entity).collect(), ..Scene::default() }
}

fn main() {
    let (counts, rounds): (&[u64], usize) =
        if row::is_measured() { (&[1_000, 10_000, 100_000], 5) } else { (&[100], 1) };
    row::header();
    for (name, parent) in TREES {
        for body in [None, Some(Body::default())] {
            let mut smallest = None;
            for &count in counts {
                let scene = scene(count, parent, body);
                let costs = [(); 3].map(|()| Vec::with_capacity(rounds));
                let costs = (0..rounds).fold(costs, |mut costs, _| {
                    let nanos = nanos_of(&scene).map(|nanos| nanos as f64 / count as f64);
                    costs.iter_mut().zip(nanos).for_each(|(costs, nanos)| costs.push(nanos));
                    costs
                });
                let costs = costs.map(row::median);
                let first = *smallest.get_or_insert(costs);
                let bodies = if body.is_some() { ", bodies" } else { "" };
                for (part, what) in ["check", "World::new", "first fill"].into_iter().enumerate() {
                    Row {
                        what: &format!("{what} an entity, of {count} {name}{bodies}"),
                        unit: "ns",
                        ours: costs[part],
                        peer: (count > counts[0]).then_some(("the smallest of these", first[part])),
                        aim: None,
                    }
                    .print();
                }
            }
        }
    }
}

/// Of the check, of the world (its own check included), and of the first snapshot.
fn nanos_of(scene: &Scene) -> [i64; 3] {
    let clock = RealClock::new();
    let start = clock.now();
    black_box(check_scene(scene));
    let checked = clock.now();
    let world = World::new(scene, Rate::HZ_60).expect("in order");
    let made = clock.now();
    let mut snapshot = Snapshot::default();
    snapshot.fill(&world, &Interpolation::new(&world));
    black_box(&snapshot);
    [checked - start, made - checked, clock.now() - made].map(|nanos| nanos.0)
}
