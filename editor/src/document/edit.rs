//! Every change there is of a scene. Applying one returns its inverse; nothing else changes a scene.

use super::component::{Component, ComponentKind};
use super::indexed::IndexedScene;
use framewalk_runtime::scene::{Entity, EntityId, Transform, Unknown};
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
    /// Replaces the parts of the scene itself that this version does not know.
    HeadUnknown(Vec<Unknown>),
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
    /// What the scene must not be, a sentence for each fault.
    #[error("{0}")]
    Fault(String),
}

/// What an edit changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The entities it names, those that it adds or takes away among them; not what hangs on them.
    pub touched: Vec<EntityId>,
    /// What they hang on, or hung on before, where the order changes; told once it is applied.
    pub above: Vec<EntityId>,
    /// Entities come, go, or stand elsewhere in the order or in the tree.
    pub order: bool,
}

impl Reach {
    const fn of_order(touched: Vec<EntityId>) -> Self {
        Self { touched, above: Vec::new(), order: true }
    }

    /// What both change.
    #[must_use]
    pub fn joined(mut self, other: Self) -> Self {
        self.touched.extend(other.touched);
        self.above.extend(other.above);
        self.order |= other.order;
        self
    }
}

impl Edit {
    /// Removes entities with all that hangs on them, and lets cameras that stay follow none of them any more.
    #[must_use]
    pub fn deletion(scene: &IndexedScene, ids: &[EntityId]) -> Self {
        let gone: HashSet<EntityId> = scene.with_descendants(ids.iter().copied()).into_iter().collect();
        let mut followers: Vec<EntityId> = scene.followers().filter(|id| !gone.contains(id)).collect();
        followers.sort_unstable();
        let lonely = followers.into_iter().filter_map(|id| {
            let camera = scene.entity(id)?.camera?;
            let follows = camera.follow.is_some_and(|follow| gone.contains(&follow.target));
            let component = Component::Camera(framewalk_runtime::scene::Camera { follow: None, ..camera });
            follows.then_some(Self::Set { id, component })
        });
        let mut edits: Vec<Self> = lonely.collect();
        edits.push(Self::Delete(ids.to_vec()));
        if edits.len() == 1 { edits.remove(0) } else { Self::Several(edits) }
    }

    /// Changes the scene, and returns what changes it back.
    ///
    /// # Errors
    /// The edit does not fit the scene, which then is as it was.
    pub fn apply(self, scene: &mut IndexedScene) -> Result<Self, EditError> {
        let found = |changed: Option<Self>, id| changed.ok_or(EditError::NoEntity(id));
        match self {
            Self::Rename { id, name } => {
                let before = scene.change(id, |entity| std::mem::replace(&mut entity.name, name));
                found(before.map(|name| Self::Rename { id, name }), id)
            }
            Self::Place { id, transform } => {
                let before = scene.change(id, |entity| std::mem::replace(&mut entity.transform, transform));
                found(before.map(|transform| Self::Place { id, transform }), id)
            }
            Self::Set { id, component } => {
                let kind = component.kind();
                let before = scene.change(id, |entity| component.put(entity));
                let back = |before: Option<Component>| {
                    before.map_or(Self::Unset { id, kind }, |component| Self::Set { id, component })
                };
                found(before.map(back), id)
            }
            Self::Unset { id, kind } => {
                let before = scene.change(id, |entity| kind.take(entity)).ok_or(EditError::NoEntity(id))?;
                let component = before.ok_or(EditError::NoComponent { id, kind })?;
                Ok(Self::Set { id, component })
            }
            Self::SetUnknown { id, unknown } => {
                let before = scene.change(id, |entity| std::mem::replace(&mut entity.unknown, unknown));
                found(before.map(|unknown| Self::SetUnknown { id, unknown }), id)
            }
            Self::Insert(entities) => insert(scene, entities),
            Self::Delete(ids) => delete(scene, &ids),
            Self::Reparent { id, parent } => reparent(scene, id, parent),
            Self::Reorder { id, place } => reorder(scene, id, place),
            Self::Seed(seed) => Ok(Self::Seed(std::mem::replace(scene.head_mut().0, seed))),
            Self::About(about) => Ok(Self::About(std::mem::replace(scene.head_mut().1, about))),
            Self::HeadUnknown(parts) => Ok(Self::HeadUnknown(std::mem::replace(scene.head_mut().2, parts))),
            Self::Several(edits) => several(scene, edits),
        }
    }

    /// What it changes, which has to be looked at and drawn anew. Asked before or after it is applied.
    #[must_use]
    pub fn reach(&self) -> Reach {
        match self {
            Self::Seed(_) | Self::About(_) | Self::HeadUnknown(_) => Reach::default(),
            Self::Rename { id, .. }
            | Self::Place { id, .. }
            | Self::Set { id, .. }
            | Self::Unset { id, .. }
            | Self::SetUnknown { id, .. } => Reach { touched: vec![*id], ..Reach::default() },
            Self::Insert(entities) => Reach::of_order(entities.iter().map(|(_, entity)| entity.id).collect()),
            Self::Delete(ids) => Reach::of_order(ids.clone()),
            Self::Reparent { id, .. } | Self::Reorder { id, .. } => Reach::of_order(vec![*id]),
            Self::Several(edits) => edits.iter().map(Self::reach).fold(Reach::default(), Reach::joined),
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
            (Self::Seed(_), Self::Seed(_))
            | (Self::About(_), Self::About(_))
            | (Self::HeadUnknown(_), Self::HeadUnknown(_)) => true,
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
            Self::SetUnknown { unknown: parts, .. } | Self::HeadUnknown(parts) => unknown(parts),
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

fn place_of(scene: &IndexedScene, id: EntityId) -> Result<usize, EditError> {
    scene.place(id).ok_or(EditError::NoEntity(id))
}

fn insert(scene: &mut IndexedScene, entities: Vec<(usize, Entity)>) -> Result<Edit, EditError> {
    let mut new = HashSet::new();
    let is_new = |id| scene.place(id).is_none();
    if let Some((_, same)) = entities.iter().find(|(_, entity)| !new.insert(entity.id) || !is_new(entity.id))
    {
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
    scene.insert(entities);
    Ok(Edit::Delete(inserted))
}

fn delete(scene: &mut IndexedScene, ids: &[EntityId]) -> Result<Edit, EditError> {
    for id in ids {
        place_of(scene, *id)?;
    }
    let gone: HashSet<EntityId> = scene.with_descendants(ids.iter().copied()).into_iter().collect();
    Ok(Edit::Insert(scene.remove(&gone)))
}

fn reparent(scene: &mut IndexedScene, id: EntityId, parent: Option<EntityId>) -> Result<Edit, EditError> {
    place_of(scene, id)?;
    if let Some(parent) = parent {
        place_of(scene, parent)?;
        if parent == id || scene.parents(parent).any(|above| above == id) {
            return Err(EditError::ParentLoop(id));
        }
    }
    let before = scene.change(id, |entity| std::mem::replace(&mut entity.parent, parent));
    Ok(Edit::Reparent { id, parent: before.flatten() })
}

fn reorder(scene: &mut IndexedScene, id: EntityId, place: usize) -> Result<Edit, EditError> {
    let before = place_of(scene, id)?;
    if place >= scene.entities.len() {
        return Err(EditError::NoPlace(place));
    }
    scene.reorder(before, place);
    Ok(Edit::Reorder { id, place: before })
}

fn several(scene: &mut IndexedScene, edits: Vec<Edit>) -> Result<Edit, EditError> {
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
