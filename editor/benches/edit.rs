//! What one edit and its undo cost, in a scene of a thousand entities and in one of twenty thousand: applied, checked, noted
//! in the history, and taken over into the world that Edit shows.
//!
//! `cargo bench -p framewalk --bench edit`. A change of values costs what it touches, so that the ratio of the larger
//! scene to the smaller is to be near 1. What comes, goes or moves in the order pushes all behind it along, in memory:
//! that grows with the scene, and is held to a time.

#[path = "../../runtime/benches/shared/row.rs"]
mod row;

use framewalk::document::Document;
use framewalk::document::arrange::{Shift, Target, moved, shifted};
use framewalk::document::clip::duplicated;
use framewalk::document::component::{Component, ComponentKind, usual};
use framewalk::document::edit::{Edit, Reach};
use framewalk::viewport::authored::AuthoredWorld;
use framewalk_runtime::scene::{Entity, EntityId, Scene, Transform};
use framewalk_runtime::time::Rate;
use glam::Vec3;
use row::{Aim, Row};

/// The larger scene's cost in the smaller's, at most.
const FLAT: f64 = 1.5;
/// What an edit that moves others along may take, with its undo, in the larger scene.
const MOVED_MICROS: f64 = 2_000.0;

/// A document and the world that is shown of it.
struct Open {
    document: Document,
    world: AuthoredWorld,
    rate: Rate,
}

impl Open {
    fn new(count: u64) -> Self {
        let entities = (1..=count).map(|id| {
            let position = Vec3::new((id % 100) as f32, 0.0, (id / 100) as f32);
            let mut entity = Entity {
                id: EntityId(id),
                name: format!("E{id}"),
                parent: (id % 10 != 1).then_some(EntityId(id - (id - 1) % 10)),
                transform: Transform { position, ..Transform::default() },
                ..Entity::default()
            };
            usual(ComponentKind::Shape).put(&mut entity);
            entity
        });
        let mut document = Document::default();
        document.replace(Scene { entities: entities.collect(), ..Scene::default() });
        let rate = Rate::hz(60).expect("a rate");
        let world = AuthoredWorld::new(document.scene(), rate, 0).expect("a world");
        Self { document, world, rate }
    }

    fn and_back(&mut self, edit: Edit) {
        let reach = self.document.apply("Edit", edit, None).expect("it fits");
        self.show(&reach);
        let reach = self.document.undo();
        self.show(&reach);
    }

    fn show(&mut self, reach: &Reach) {
        self.world.follow(&self.document, reach, self.rate).expect("a world");
    }

    /// An entity in the middle on which nothing hangs, and one on which nine hang.
    fn middle(&self) -> (EntityId, EntityId) {
        let count = self.document.scene().entities.len() as u64;
        (EntityId(count / 2), EntityId(count / 2 + 1))
    }
}

fn new_entity(open: &Open) -> Entity {
    let id = open.document.indexed().free_ids(1)[0];
    Entity { id, name: "New".to_owned(), ..Entity::default() }
}

type Make = fn(&Open, usize) -> Edit;

fn main() {
    let (counts, rounds): ([u64; 2], usize) =
        if row::is_measured() { ([1_000, 20_000], 201) } else { ([100, 200], 1) };
    let edits: [(&str, Make, Option<Aim>); 10] = [
        (
            "move an entity and undo",
            |open, round| {
                let transform = Transform { position: Vec3::splat(round as f32), ..Transform::default() };
                Edit::Place { id: open.middle().0, transform }
            },
            Some(Aim::Ratio(FLAT)),
        ),
        (
            "move an entity on which nine hang and undo",
            |open, round| {
                let transform = Transform { position: Vec3::splat(round as f32), ..Transform::default() };
                Edit::Place { id: open.middle().1, transform }
            },
            Some(Aim::Ratio(FLAT)),
        ),
        (
            "give an entity a body and undo",
            |open, _| {
                let Component::Body(body) = usual(ComponentKind::Body) else { unreachable!("it is one") };
                Edit::Set { id: open.middle().0, component: Component::Body(body) }
            },
            Some(Aim::Ratio(FLAT)),
        ),
        (
            "add an entity at the end and undo",
            |open, _| {
                let place = open.document.scene().entities.len();
                Edit::Insert(vec![(place, new_entity(open))])
            },
            Some(Aim::Ratio(FLAT)),
        ),
        (
            "add an entity at the front and undo",
            |open, _| Edit::Insert(vec![(0, new_entity(open))]),
            Some(Aim::Cost(MOVED_MICROS)),
        ),
        (
            "delete an entity and undo",
            |open, _| Edit::deletion(open.document.indexed(), &[open.middle().0]),
            Some(Aim::Cost(MOVED_MICROS)),
        ),
        (
            "delete an entity on which nine hang and undo",
            |open, _| Edit::deletion(open.document.indexed(), &[open.middle().1]),
            Some(Aim::Cost(MOVED_MICROS)),
        ),
        (
            "duplicate an entity on which nine hang and undo",
            |open, _| duplicated(open.document.indexed(), &[open.middle().1]).0,
            Some(Aim::Cost(MOVED_MICROS)),
        ),
        (
            "move an entity one up and undo",
            |open, _| shifted(open.document.indexed(), &[open.middle().0], Shift::Up).expect("not the first"),
            Some(Aim::Cost(MOVED_MICROS)),
        ),
        (
            "hang an entity on another and undo",
            |open, _| {
                let to = Target { parent: Some(EntityId(1)), before: None };
                let moved = moved(open.document.indexed(), &[open.middle().0], to);
                moved.expect("it may").expect("it does")
            },
            Some(Aim::Cost(MOVED_MICROS)),
        ),
    ];
    row::header();
    let [mut small, mut large] = counts.map(Open::new);
    for (what, make, aim) in edits {
        let [theirs, ours] = row::taking_turns(
            rounds,
            [
                &mut |round| {
                    let edit = make(&small, round);
                    small.and_back(edit);
                },
                &mut |round| {
                    let edit = make(&large, round);
                    large.and_back(edit);
                },
            ],
        )
        .map(|nanos| nanos / 1_000.0);
        Row {
            what: &format!("{what}, of {} entities", counts[1]),
            unit: "µs",
            ours,
            peer: Some((&format!("the same, of {}", counts[0]), theirs)),
            aim,
        }
        .print();
    }
}
