//! Every change there is of a scene. Applying one returns its inverse; nothing else changes a scene.

use super::component::{Component, ComponentKind};
use framewalk_runtime::scene::{Entity, EntityId, Scene, Transform, Unknown};
use std::collections::HashSet;

/// One change of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    Rename {
        id: EntityId,
        name: String,
    },
    Place {
        id: EntityId,
        transform: Transform,
    },
    /// Gives an entity a component, in place of the one of its kind if it has one.
    Set {
        id: EntityId,
        component: Component,
    },
    /// Takes a component away.
    Unset {
        id: EntityId,
        kind: ComponentKind,
    },
    /// Replaces the parts that this version does not know.
    SetUnknown {
        id: EntityId,
        unknown: Vec<Unknown>,
    },
    /// Puts entities into the author's order, each at its place in the order after; places rise.
    Insert(Vec<(usize, Entity)>),
    /// Removes entities and all that hangs on them.
    Delete(Vec<EntityId>),
    /// Hangs an entity on another, or on none; its transform stays, and counts from the new parent.
    Reparent {
        id: EntityId,
        parent: Option<EntityId>,
    },
    /// Moves an entity to this place in the author's order, counted without it.
    Reorder {
        id: EntityId,
        place: usize,
    },
    Seed(u64),
    About(String),
    /// One after the other, as one.
    Several(Vec<Edit>),
}

/// Why an edit was not applied. The scene is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    #[error("there is no entity with the id {}", .0.0)]
    NoEntity(EntityId),
    #[error("the entity with the id {} has no component `{}`", id.0, kind.name())]
    NoComponent { id: EntityId, kind: ComponentKind },
    #[error("there is an entity with the id {} already", .0.0)]
    SameId(EntityId),
    #[error("there is no place {0} in the order of the entities")]
    NoPlace(usize),
    #[error("the entity with the id {} cannot hang on itself, or on what hangs on it", .0.0)]
    ParentLoop(EntityId),
}

impl Edit {
    /// Removes entities with all that hangs on them, and lets cameras that stay follow none of them any more.
    #[must_use]
    pub fn deletion(scene: &Scene, ids: &[EntityId]) -> Self {
        let gone = with_descendants(scene, ids);
        let lonely = scene.entities.iter().filter(|entity| !gone.contains(&entity.id)).filter_map(|entity| {
            let camera = entity.camera?;
            let follows = camera.follow.is_some_and(|follow| gone.contains(&follow.target));
            let component = Component::Camera(framewalk_runtime::scene::Camera { follow: None, ..camera });
            follows.then_some(Self::Set { id: entity.id, component })
        });
        let mut edits: Vec<Self> = lonely.collect();
        edits.push(Self::Delete(ids.to_vec()));
        if edits.len() == 1 { edits.remove(0) } else { Self::Several(edits) }
    }

    /// Changes the scene, and returns what changes it back.
    ///
    /// # Errors
    /// The edit does not fit the scene, which then is as it was.
    pub fn apply(self, scene: &mut Scene) -> Result<Self, EditError> {
        match self {
            Self::Rename { id, name } => {
                let entity = entity_mut(scene, id)?;
                Ok(Self::Rename { id, name: std::mem::replace(&mut entity.name, name) })
            }
            Self::Place { id, transform } => {
                let entity = entity_mut(scene, id)?;
                Ok(Self::Place { id, transform: std::mem::replace(&mut entity.transform, transform) })
            }
            Self::Set { id, component } => {
                let kind = component.kind();
                let before = component.put(entity_mut(scene, id)?);
                Ok(before.map_or(Self::Unset { id, kind }, |component| Self::Set { id, component }))
            }
            Self::Unset { id, kind } => {
                let before = kind.take(entity_mut(scene, id)?);
                let component = before.ok_or(EditError::NoComponent { id, kind })?;
                Ok(Self::Set { id, component })
            }
            Self::SetUnknown { id, unknown } => {
                let entity = entity_mut(scene, id)?;
                let before = std::mem::replace(&mut entity.unknown, unknown);
                Ok(Self::SetUnknown { id, unknown: before })
            }
            Self::Insert(entities) => insert(scene, entities),
            Self::Delete(ids) => delete(scene, &ids),
            Self::Reparent { id, parent } => reparent(scene, id, parent),
            Self::Reorder { id, place } => reorder(scene, id, place),
            Self::Seed(seed) => Ok(Self::Seed(std::mem::replace(&mut scene.seed, seed))),
            Self::About(about) => Ok(Self::About(std::mem::replace(&mut scene.about, about))),
            Self::Several(edits) => several(scene, edits),
        }
    }

    /// Whether applying this one alone is the same as applying `earlier` and then this one: both change the same thing.
    #[must_use]
    pub fn covers(&self, earlier: &Self) -> bool {
        match (self, earlier) {
            (Self::Rename { id: a, .. }, Self::Rename { id: b, .. })
            | (Self::Place { id: a, .. }, Self::Place { id: b, .. })
            | (Self::Reparent { id: a, .. }, Self::Reparent { id: b, .. })
            | (Self::SetUnknown { id: a, .. }, Self::SetUnknown { id: b, .. }) => a == b,
            (Self::Set { id: a, component }, Self::Set { id: b, component: other }) => {
                a == b && component.kind() == other.kind()
            }
            (Self::Seed(_), Self::Seed(_)) | (Self::About(_), Self::About(_)) => true,
            (Self::Several(a), Self::Several(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.covers(b))
            }
            _ => false,
        }
    }

    /// About how many bytes it holds on to.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        let unknown = |parts: &[Unknown]| -> usize {
            parts.iter().map(|part| size_of::<Unknown>() + part.name.len() + part.text.len()).sum()
        };
        let entity = |entity: &Entity| {
            let poses = entity.teleporter.as_ref().map_or(0, |teleporter| teleporter.poses.len());
            size_of::<(usize, Entity)>()
                + entity.name.len()
                + poses * size_of::<Transform>()
                + unknown(&entity.unknown)
        };
        let inner = match self {
            Self::Rename { name, .. } => name.len(),
            Self::About(about) => about.len(),
            Self::Set { component: Component::Teleporter(teleporter), .. } => {
                teleporter.poses.len() * size_of::<Transform>()
            }
            Self::SetUnknown { unknown: parts, .. } => unknown(parts),
            Self::Insert(entities) => entities.iter().map(|(_, inserted)| entity(inserted)).sum(),
            Self::Delete(ids) => size_of_val(ids.as_slice()),
            Self::Several(edits) => edits.iter().map(Self::size_bytes).sum(),
            Self::Place { .. }
            | Self::Set { .. }
            | Self::Unset { .. }
            | Self::Reparent { .. }
            | Self::Reorder { .. }
            | Self::Seed(_) => 0,
        };
        size_of::<Self>() + inner
    }
}

fn place_of(scene: &Scene, id: EntityId) -> Result<usize, EditError> {
    scene.entities.iter().position(|entity| entity.id == id).ok_or(EditError::NoEntity(id))
}

fn entity_mut(scene: &mut Scene, id: EntityId) -> Result<&mut Entity, EditError> {
    let place = place_of(scene, id)?;
    Ok(&mut scene.entities[place])
}

fn insert(scene: &mut Scene, entities: Vec<(usize, Entity)>) -> Result<Edit, EditError> {
    let mut ids: HashSet<EntityId> = scene.entities.iter().map(|entity| entity.id).collect();
    if let Some((_, same)) = entities.iter().find(|(_, entity)| !ids.insert(entity.id)) {
        return Err(EditError::SameId(same.id));
    }
    let count = scene.entities.len();
    for (before, (place, _)) in entities.iter().enumerate() {
        // Behind what is there and what was put in before it.
        let rises = before == 0 || entities[before - 1].0 < *place;
        if *place > count + before || !rises {
            return Err(EditError::NoPlace(*place));
        }
    }
    let inserted = entities.iter().map(|(_, entity)| entity.id).collect();
    let mut old = std::mem::take(&mut scene.entities).into_iter();
    scene.entities.reserve(count + entities.len());
    for (place, entity) in entities {
        let missing = place - scene.entities.len();
        scene.entities.extend(old.by_ref().take(missing));
        scene.entities.push(entity);
    }
    scene.entities.extend(old);
    Ok(Edit::Delete(inserted))
}

fn delete(scene: &mut Scene, ids: &[EntityId]) -> Result<Edit, EditError> {
    let known: HashSet<EntityId> = scene.entities.iter().map(|entity| entity.id).collect();
    if let Some(id) = ids.iter().find(|id| !known.contains(id)) {
        return Err(EditError::NoEntity(*id));
    }
    let gone = with_descendants(scene, ids);
    let mut deleted = Vec::with_capacity(gone.len());
    let mut kept = Vec::with_capacity(scene.entities.len() - gone.len());
    for (place, entity) in std::mem::take(&mut scene.entities).into_iter().enumerate() {
        if gone.contains(&entity.id) {
            deleted.push((place, entity));
        } else {
            kept.push(entity);
        }
    }
    scene.entities = kept;
    Ok(Edit::Insert(deleted))
}

/// These entities and all that hangs on them.
fn with_descendants(scene: &Scene, ids: &[EntityId]) -> HashSet<EntityId> {
    let mut children: std::collections::HashMap<EntityId, Vec<EntityId>> = std::collections::HashMap::new();
    for entity in &scene.entities {
        if let Some(parent) = entity.parent {
            children.entry(parent).or_default().push(entity.id);
        }
    }
    let mut found = HashSet::new();
    let mut open = ids.to_vec();
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(children.get(&id).into_iter().flatten());
        }
    }
    found
}

fn reparent(scene: &mut Scene, id: EntityId, parent: Option<EntityId>) -> Result<Edit, EditError> {
    let place = place_of(scene, id)?;
    if let Some(parent) = parent {
        place_of(scene, parent)?;
        if with_descendants(scene, &[id]).contains(&parent) {
            return Err(EditError::ParentLoop(id));
        }
    }
    let before = std::mem::replace(&mut scene.entities[place].parent, parent);
    Ok(Edit::Reparent { id, parent: before })
}

fn reorder(scene: &mut Scene, id: EntityId, place: usize) -> Result<Edit, EditError> {
    let before = place_of(scene, id)?;
    if place >= scene.entities.len() {
        return Err(EditError::NoPlace(place));
    }
    let entity = scene.entities.remove(before);
    scene.entities.insert(place, entity);
    Ok(Edit::Reorder { id, place: before })
}

fn several(scene: &mut Scene, edits: Vec<Edit>) -> Result<Edit, EditError> {
    let mut inverses = Vec::with_capacity(edits.len());
    for edit in edits {
        match edit.apply(scene) {
            Ok(inverse) => inverses.push(inverse),
            Err(error) => {
                for inverse in inverses.into_iter().rev() {
                    inverse.apply(scene).expect("what was just done can be undone");
                }
                return Err(error);
            }
        }
    }
    inverses.reverse();
    Ok(Edit::Several(inverses))
}

#[cfg(test)]
pub(in crate::document) mod tests;
