//! A scene in which an entity, and what hangs on it, is found at once: what an edit costs does not grow with the scene.

use std::collections::{BTreeSet, HashSet};
use std::ops::Deref;

use framewalk_runtime::scene::check::{MAX_ENTITY_ID, check_touched};
use framewalk_runtime::scene::fault::Fault;
use framewalk_runtime::scene::{Entity, EntityId, Scene, Unknown};
use rustc_hash::{FxHashMap, FxHashSet};

/// Up to so many, each is moved by itself; more are moved together, through other memory.
const FEW: usize = 2;

/// A scene, and where in it everything is. Only the edits of this document change it.
#[derive(Clone, Debug, Default)]
pub struct IndexedScene {
    scene: Scene,
    // By hashes of ids, which nobody chooses to hurt us: places are set by the thousand.
    places: FxHashMap<EntityId, usize>,
    children: FxHashMap<EntityId, Vec<EntityId>>,
    cameras: BTreeSet<EntityId>,
    // To know the highest.
    ids: BTreeSet<EntityId>,
}

impl From<Scene> for IndexedScene {
    fn from(scene: Scene) -> Self {
        let mut indexed = Self { scene, ..Self::default() };
        for place in 0..indexed.scene.entities.len() {
            let entity = &indexed.scene.entities[place];
            let (id, parent, is_camera) = (entity.id, entity.parent, entity.camera.is_some());
            indexed.places.insert(id, place);
            indexed.ids.insert(id);
            indexed.note(id, parent, is_camera);
        }
        indexed
    }
}

impl Deref for IndexedScene {
    type Target = Scene;

    fn deref(&self) -> &Scene {
        &self.scene
    }
}

impl PartialEq for IndexedScene {
    fn eq(&self, other: &Self) -> bool {
        self.scene == other.scene
    }
}

impl IndexedScene {
    /// Where in the author's order the entity of this id stands.
    #[must_use]
    pub fn place(&self, id: EntityId) -> Option<usize> {
        self.places.get(&id).copied()
    }

    /// The entity of this id.
    #[must_use]
    pub fn entity(&self, id: EntityId) -> Option<&Entity> {
        self.place(id).map(|place| &self.scene.entities[place])
    }

    /// What hangs on this one directly, in no order that means anything.
    #[must_use]
    pub fn children(&self, id: EntityId) -> &[EntityId] {
        self.children.get(&id).map_or(&[], Vec::as_slice)
    }

    /// These entities and all that hangs on them, each once and after its parent.
    #[must_use]
    pub fn with_descendants(&self, ids: impl IntoIterator<Item = EntityId>) -> Vec<EntityId> {
        let asked: Vec<EntityId> = ids.into_iter().collect();
        let known: FxHashSet<EntityId> = asked.iter().copied().collect();
        // One that hangs on another that was asked for comes with that one.
        let below = |id: EntityId| self.parents(id).any(|parent| known.contains(&parent));
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        for root in asked.into_iter().filter(|id| !below(*id)) {
            let mut at = found.len();
            if seen.insert(root) {
                found.push(root);
            }
            while let Some(id) = found.get(at).copied() {
                found.extend(self.children(id).iter().copied().filter(|child| seen.insert(*child)));
                at += 1;
            }
        }
        found
    }

    /// The parents of an entity, the nearest first. No chain is longer than the scene.
    pub fn parents(&self, id: EntityId) -> impl Iterator<Item = EntityId> {
        let above = |id: &EntityId| self.entity(*id).and_then(|entity| entity.parent);
        std::iter::successors(above(&id), move |id| above(id)).take(self.scene.entities.len())
    }

    /// So many ids that no entity has: above all others where there is room, or else the lowest that are free.
    #[must_use]
    pub fn free_ids(&self, count: usize) -> Vec<EntityId> {
        let highest = self.ids.last().map_or(0, |id| id.0);
        let room = highest.checked_add(count as u64).is_some_and(|last| last <= MAX_ENTITY_ID);
        let first = if room { highest + 1 } else { 1 };
        (first..).map(EntityId).filter(|id| self.place(*id).is_none()).take(count).collect()
    }

    /// What is wrong with these entities, in the words of the whole check.
    #[must_use]
    pub fn faults_of(&self, ids: impl IntoIterator<Item = EntityId>) -> Vec<Fault> {
        let places = ids.into_iter().filter_map(|id| self.place(id));
        check_touched(&self.scene, places, &|id| self.place(id))
    }

    /// Entities whose cameras follow somebody.
    pub(super) fn followers(&self) -> impl Iterator<Item = EntityId> {
        let camera = |id: &EntityId| self.entity(*id).and_then(|entity| entity.camera);
        self.cameras.iter().copied().filter(move |id| camera(id).is_some_and(|found| found.follow.is_some()))
    }

    /// Whether anything in it is a camera.
    #[must_use]
    pub fn has_camera(&self) -> bool {
        !self.cameras.is_empty()
    }

    /// The scene's own values, which nothing is found by.
    pub(super) fn head_mut(&mut self) -> (&mut u64, &mut String, &mut Vec<Unknown>) {
        (&mut self.scene.seed, &mut self.scene.about, &mut self.scene.unknown)
    }

    /// Changes one entity, but not its id; `None` where there is none.
    pub(super) fn change<T>(&mut self, id: EntityId, change: impl FnOnce(&mut Entity) -> T) -> Option<T> {
        let place = self.place(id)?;
        let entity = &mut self.scene.entities[place];
        let before = (entity.parent, entity.camera.is_some());
        let result = change(entity);
        let (parent, is_camera) = (entity.parent, entity.camera.is_some());
        if before != (parent, is_camera) {
            self.forget(id, before.0);
            self.note(id, parent, is_camera);
        }
        Some(result)
    }

    /// Puts entities in, each at its place in the order after; the places rise and are all there.
    pub(super) fn insert(&mut self, entities: Vec<(usize, Entity)>) {
        let Some(first) = entities.first().map(|(place, _)| *place) else { return };
        for (_, entity) in &entities {
            self.ids.insert(entity.id);
            self.note(entity.id, entity.parent, entity.camera.is_some());
        }
        if entities.len() <= FEW {
            for (place, entity) in entities {
                self.scene.entities.insert(place, entity);
            }
        } else {
            let mut old = self.scene.entities.split_off(first).into_iter();
            for (place, entity) in entities {
                let missing = place.saturating_sub(self.scene.entities.len());
                self.scene.entities.extend(old.by_ref().take(missing));
                self.scene.entities.push(entity);
            }
            self.scene.entities.extend(old);
        }
        self.place_from(first);
    }

    /// Takes these entities out; with the place that each had, places rising.
    pub(super) fn remove(&mut self, gone: &HashSet<EntityId>) -> Vec<(usize, Entity)> {
        let mut places: Vec<usize> = gone.iter().filter_map(|id| self.place(*id)).collect();
        places.sort_unstable();
        let Some(first) = places.first().copied() else { return Vec::new() };
        let mut removed = Vec::with_capacity(places.len());
        if places.len() <= FEW {
            let taken = places.iter().rev().map(|place| (*place, self.scene.entities.remove(*place)));
            removed.extend(taken);
            removed.reverse();
        } else {
            let tail = self.scene.entities.split_off(first);
            for (nth, entity) in tail.into_iter().enumerate() {
                match gone.contains(&entity.id) {
                    true => removed.push((first + nth, entity)),
                    false => self.scene.entities.push(entity),
                }
            }
        }
        let mut parents = FxHashSet::default();
        for (_, entity) in &removed {
            self.places.remove(&entity.id);
            self.ids.remove(&entity.id);
            self.cameras.remove(&entity.id);
            self.children.remove(&entity.id);
            parents.extend(entity.parent.filter(|parent| !gone.contains(parent)));
        }
        for parent in parents {
            if let Some(children) = self.children.get_mut(&parent) {
                children.retain(|child| !gone.contains(child));
            }
        }
        self.place_from(first);
        removed
    }

    /// Moves the entity at one place to another, counted without it.
    pub(super) fn reorder(&mut self, from: usize, to: usize) {
        let entities = &mut self.scene.entities;
        if from < to {
            entities[from..=to].rotate_left(1);
        } else {
            entities[to..=from].rotate_right(1);
        }
        for place in from.min(to)..=from.max(to) {
            self.places.insert(self.scene.entities[place].id, place);
        }
    }

    fn place_from(&mut self, first: usize) {
        for (nth, entity) in self.scene.entities[first..].iter().enumerate() {
            self.places.insert(entity.id, first + nth);
        }
    }

    fn note(&mut self, id: EntityId, parent: Option<EntityId>, is_camera: bool) {
        if let Some(parent) = parent {
            self.children.entry(parent).or_default().push(id);
        }
        if is_camera {
            self.cameras.insert(id);
        }
    }

    fn forget(&mut self, id: EntityId, parent: Option<EntityId>) {
        if let Some(children) = parent.and_then(|parent| self.children.get_mut(&parent)) {
            children.retain(|child| *child != id);
        }
        self.cameras.remove(&id);
    }
}

#[cfg(test)]
impl IndexedScene {
    /// Whether everything is found where it is.
    pub(super) fn assert_true(&self) {
        let fresh = Self::from(self.scene.clone());
        let sorted = |map: &FxHashMap<EntityId, Vec<EntityId>>| {
            let mut all: Vec<(EntityId, Vec<EntityId>)> =
                map.iter().filter(|(_, of)| !of.is_empty()).map(|(id, of)| (*id, of.clone())).collect();
            all.iter_mut().for_each(|(_, of)| of.sort());
            all.sort();
            all
        };
        assert_eq!(self.places, fresh.places);
        assert_eq!(sorted(&self.children), sorted(&fresh.children));
        assert_eq!((&self.cameras, &self.ids), (&fresh.cameras, &fresh.ids));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::edit::tests::family;

    #[test]
    fn descendants_come_once_and_after_their_parents() {
        let scene = family();
        let numbers = |ids: &[u64]| {
            let found = scene.with_descendants(ids.iter().copied().map(EntityId));
            found.iter().map(|id| id.0).collect::<Vec<_>>()
        };
        assert_eq!(numbers(&[4, 1]), [1, 2, 3, 4]);
        assert_eq!(numbers(&[3, 5, 3]), [3, 4, 5]);
        assert_eq!(numbers(&[]), [0; 0]);
    }

    #[test]
    fn free_ids_are_above_all_others_until_there_is_no_room() {
        let ids = |scene: &IndexedScene| scene.free_ids(2).iter().map(|id| id.0).collect::<Vec<_>>();
        assert_eq!(ids(&family()), [6, 7]);
        let last = Entity { id: EntityId(MAX_ENTITY_ID), ..Entity::default() };
        let mut scene = family();
        scene.insert(vec![(0, last)]);
        assert_eq!(ids(&scene), [6, 7]);
    }

    #[test]
    fn what_is_wrong_is_told_of_the_touched_ones_alone() {
        let mut scene = family();
        scene.change(EntityId(2), |entity| entity.name.clear());
        assert_eq!(scene.faults_of([EntityId(1)]), []);
        let found = scene.faults_of([EntityId(2)]);
        assert_eq!(found.len(), 1);
        assert_eq!(found, framewalk_runtime::scene::check::check_scene(&scene));
    }
}
