//! Making and changing things: edits and undo, of the scene in front.

use std::collections::BTreeSet;

use framewalk_runtime::scene::{Body, Camera, Color, Entity, Motion, Shape, ShapeKind, Sky, Sun};
use glam::Vec3;

use super::EditorApp;
use crate::command::NewEntity;
use crate::document::component::{ComponentKind, usual};
use crate::document::edit::{Edit, Reach};
use crate::document::history::Gesture;
use crate::shell::status::Message;
use crate::viewport::authored::AuthoredWorld;

impl EditorApp {
    /// Changes the authored scene as one step. What the scene must not be is refused with a sentence, and nothing
    /// is changed.
    pub(crate) fn edit(&mut self, name: &str, edit: Edit, gesture: Option<Gesture>) {
        if self.is_live() {
            self.say(Message::warning("A running scene is a copy: Stop, and then change the authored one."));
            return;
        }
        if let Some(reason) = self.read_only_reason() {
            return self.say(Message::warning(reason));
        }
        let Some(workspace) = &mut self.workspace else { return };
        match workspace.scenes.front.document.apply(name, edit, gesture) {
            Ok(reach) => self.show_change(&reach),
            Err(problem) => self.say(Message::warning(format!("{name} was refused: {problem}"))),
        }
    }

    /// What has changed is drawn, listed and read anew.
    pub(super) fn show_change(&mut self, reach: &Reach) {
        let Some(workspace) = &mut self.workspace else { return };
        let (document, rate) = (&workspace.scenes.front.document, workspace.session.choices.tick_rate);
        let shown = match &mut workspace.scenes.front.authored {
            Some(world) => world.follow(document, reach, rate),
            none => AuthoredWorld::new(document.scene(), rate, document.revision())
                .map(|world| *none = Some(world)),
        };
        if let Err(problem) = shown {
            self.say(Message::error("The scene cannot be shown.", vec![problem]));
        }
    }

    pub(crate) fn undo(&mut self) {
        self.turn_back(|document| document.undo());
    }

    pub(crate) fn redo(&mut self) {
        self.turn_back(|document| document.redo());
    }

    fn turn_back(&mut self, turn: impl FnOnce(&mut crate::document::Document) -> Reach) {
        let Some(workspace) = &mut self.workspace else { return };
        let reach = turn(&mut workspace.scenes.front.document);
        self.show_change(&reach);
    }

    /// Undoes or redoes until so many of the steps are done.
    pub(crate) fn jump_in_history(&mut self, count: usize) {
        self.turn_back(|document| document.jump(count));
    }

    /// A new entity at the end, in front of the view, and selected.
    pub(crate) fn add(&mut self, what: NewEntity) {
        let place_seen = {
            let camera = self.viewport.seen_from(false);
            let pivot = camera.pivot();
            Vec3::new(pivot.x.round(), pivot.y.max(0.5).round().max(0.5), pivot.z.round())
        };
        let Some(document) = self.workspace.as_ref().map(|workspace| &workspace.scenes.front.document) else {
            return;
        };
        let entities = &document.scene().entities;
        let Some(id) = document.indexed().free_ids(1).pop() else { return };
        let mut entity = new_entity(what);
        entity.id = id;
        if entity.shape.is_some() || entity.spawner.is_some() || entity.crowd.is_some() {
            entity.transform.position = place_seen;
        }
        entity.name = free_name(entities, entity.name);
        let (name, place) = (format!("Add {}", entity.name), entities.len());
        self.edit(&name, Edit::Insert(vec![(place, entity)]), None);
        self.select_made(vec![id]);
    }
}

/// A name that no entity has: with the lowest number from 2 on where it is taken.
fn free_name(entities: &[Entity], base: String) -> String {
    let mut is_taken = false;
    let mut numbers = BTreeSet::new();
    for rest in entities.iter().filter_map(|entity| entity.name.strip_prefix(&base)) {
        is_taken |= rest.is_empty();
        numbers.extend(rest.strip_prefix(' ').and_then(|number| number.parse::<u64>().ok()));
    }
    match (2..).find(|number| !numbers.contains(number)) {
        Some(free) if is_taken => format!("{base} {free}"),
        _ => base,
    }
}

/// With a name and what makes it what it is; the rest is for the author.
fn new_entity(what: NewEntity) -> Entity {
    let color = Color::hex(0x0056_b4e9);
    let shaped = |kind| Entity { shape: Some(Shape { kind, color }), ..Entity::default() };
    let cube = ShapeKind::Cube { size: Vec3::ONE };
    let capsule = ShapeKind::Capsule { radius: 0.35, half_height: 0.5 };
    let with = |kind, mut entity: Entity| {
        usual(kind).put(&mut entity);
        entity
    };
    let entity = match what {
        NewEntity::Empty => Entity::default(),
        NewEntity::Cube => shaped(cube),
        NewEntity::Sphere => shaped(ShapeKind::Sphere { radius: 0.5 }),
        NewEntity::Capsule => shaped(capsule),
        NewEntity::Cylinder => shaped(ShapeKind::Cylinder { radius: 0.5, half_height: 0.5 }),
        NewEntity::Plane => shaped(ShapeKind::Plane { width: 10.0, depth: 10.0 }),
        NewEntity::Body => Entity { body: Some(Body::default()), ..shaped(cube) },
        NewEntity::Mover => {
            Entity { motion: Some(Motion::Spin { axis: Vec3::Y, degrees_per_second: 90.0 }), ..shaped(cube) }
        }
        NewEntity::Spawner => with(ComponentKind::Spawner, Entity::default()),
        NewEntity::Crowd => with(ComponentKind::Crowd, Entity::default()),
        NewEntity::Teleporter => with(ComponentKind::Teleporter, shaped(cube)),
        NewEntity::Player => with(ComponentKind::Controlled, shaped(capsule)),
        NewEntity::Camera => Entity { camera: Some(Camera::default()), ..Entity::default() },
        NewEntity::Sun => Entity { sun: Some(Sun::default()), ..Entity::default() },
        NewEntity::Sky => Entity { sky: Some(Sky::default()), ..Entity::default() },
    };
    Entity { name: what.name().to_owned(), ..entity }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_name_has_the_lowest_number_that_is_free() {
        let free = |names: &[&str]| {
            let named = |name: &&str| Entity { name: (*name).to_owned(), ..Entity::default() };
            free_name(&names.iter().map(named).collect::<Vec<_>>(), "Cube".to_owned())
        };
        assert_eq!(free(&[]), "Cube");
        assert_eq!(free(&["Cubes", "Cube 2"]), "Cube");
        assert_eq!(free(&["Cube"]), "Cube 2");
        assert_eq!(free(&["Cube 2", "Cube", "Cube 4", "Cube x"]), "Cube 3");
    }
}
