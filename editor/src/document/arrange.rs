//! Moving entities in the author's order and in the tree: pure, from a scene to the edit that does it.

use std::collections::HashSet;

use framewalk_runtime::scene::{Entity, EntityId, Pose, Transform};
use glam::{EulerRot, Quat, Vec3};

use super::edit::Edit;
use super::indexed::IndexedScene;

/// One step among what hangs on the same parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    Up,
    Down,
}

/// Where entities are put: on which parent, and before which of its children; behind all others where before none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub parent: Option<EntityId>,
    pub before: Option<EntityId>,
}

/// The author's order as ids, to try moves on.
struct Order(Vec<EntityId>);

impl Order {
    fn of(scene: &IndexedScene) -> Self {
        Self(scene.entities.iter().map(|entity| entity.id).collect())
    }

    fn place(&self, id: EntityId) -> usize {
        self.0.iter().position(|other| *other == id).unwrap_or(0)
    }

    /// Moves one to a place, counted without it; the edit that does the same, where it is another place.
    fn put(&mut self, id: EntityId, place: usize) -> Option<Edit> {
        let from = self.place(id);
        self.0.remove(from);
        self.0.insert(place, id);
        (from != place).then_some(Edit::Reorder { id, place })
    }
}

/// These entities without those that hang on others of them, in the author's order.
#[must_use]
pub fn tops(scene: &IndexedScene, ids: &[EntityId]) -> Vec<EntityId> {
    let asked: HashSet<EntityId> = ids.iter().copied().collect();
    let is_top =
        |id: &EntityId| scene.place(*id).is_some() && !scene.parents(*id).any(|id| asked.contains(&id));
    let mut tops: Vec<EntityId> = asked.iter().copied().filter(is_top).collect();
    tops.sort_by_key(|id| scene.place(*id));
    tops
}

/// Moves each past its neighbour on the same parent; `None` where none of them can go further.
#[must_use]
pub fn shifted(scene: &IndexedScene, ids: &[EntityId], shift: Shift) -> Option<Edit> {
    let mut moving = tops(scene, ids);
    let chosen: HashSet<EntityId> = moving.iter().copied().collect();
    if shift == Shift::Down {
        moving.reverse();
    }
    let mut order = Order::of(scene);
    let mut edits = Vec::new();
    for id in moving {
        let at = order.place(id);
        let parent = scene.entity(id).and_then(|entity| entity.parent);
        let beside = |other: &EntityId| {
            *other != id && scene.entity(*other).is_some_and(|other| other.parent == parent)
        };
        let neighbour = match shift {
            Shift::Up => order.0[..at].iter().rposition(beside),
            Shift::Down => order.0[at + 1..].iter().position(beside).map(|place| at + 1 + place),
        };
        // Those at the end of the list stay, and those that stand behind them.
        let Some(place) = neighbour.filter(|place| !chosen.contains(&order.0[*place])) else { continue };
        edits.extend(order.put(id, place));
    }
    one(edits)
}

/// Puts entities somewhere in the tree; they stand where they stood in the world, as far as a scale allows it. `None`
/// where they are there already.
///
/// # Errors
/// Why they cannot be there, as a sentence.
pub fn moved(scene: &IndexedScene, ids: &[EntityId], to: Target) -> Result<Option<Edit>, String> {
    let moving = tops(scene, ids);
    if let Some(parent) = to.parent {
        let Some(onto) = scene.entity(parent) else { return Err("There is no such parent.".to_owned()) };
        let above: HashSet<EntityId> = std::iter::once(parent).chain(scene.parents(parent)).collect();
        if let Some(entity) = moving.iter().find(|id| above.contains(id)).and_then(|id| scene.entity(*id)) {
            return Err(match entity.id == parent {
                true => format!("{} cannot hang on itself.", entity.name),
                false => format!("{} cannot hang on {}, which hangs on it.", entity.name, onto.name),
            });
        }
    }
    let mut order = Order::of(scene);
    let mut edits = Vec::new();
    // Before one that moves itself is before the next one that stays.
    let chosen: HashSet<EntityId> = moving.iter().copied().collect();
    let mut before = to.before;
    while let Some(id) = before.filter(|id| chosen.contains(id)) {
        let siblings =
            |other: &&EntityId| scene.entity(**other).is_some_and(|other| other.parent == to.parent);
        before = order.0[order.place(id) + 1..].iter().find(siblings).copied();
    }
    for id in moving {
        let Some(entity) = scene.entity(id) else { continue };
        if entity.parent != to.parent {
            edits.push(Edit::Reparent { id, parent: to.parent });
            let transform = kept_in_place(scene, entity, to.parent);
            if transform != entity.transform {
                edits.push(Edit::Place { id, transform });
            }
        }
        let place = match before {
            Some(before) => {
                let (from, to) = (order.place(id), order.place(before));
                to - usize::from(from < to)
            }
            None => order.0.len() - 1,
        };
        edits.extend(order.put(id, place));
    }
    Ok(one(edits))
}

/// Hangs each on the one that stands before it on the same parent; `None` where none stands before any.
#[must_use]
pub fn child_of_previous(scene: &IndexedScene, ids: &[EntityId]) -> Option<Edit> {
    let moving = tops(scene, ids);
    let first = scene.entity(*moving.first()?)?;
    let at = scene.place(first.id)?;
    let previous = scene.entities[..at].iter().rfind(|other| other.parent == first.parent)?;
    moved(scene, &moving, Target { parent: Some(previous.id), before: None }).ok().flatten()
}

/// Hangs each on the parent of its parent, right behind its parent; `None` where none hangs on anything.
#[must_use]
pub fn unparented(scene: &IndexedScene, ids: &[EntityId]) -> Option<Edit> {
    let edits = tops(scene, ids).into_iter().filter_map(|id| {
        let entity = scene.entity(id)?;
        let grandparent = scene.entity(entity.parent?)?.parent;
        let transform = kept_in_place(scene, entity, grandparent);
        let hung = Edit::Reparent { id, parent: grandparent };
        Some(match transform == entity.transform {
            true => hung,
            false => Edit::Several(vec![hung, Edit::Place { id, transform }]),
        })
    });
    one(edits.collect())
}

fn one(mut edits: Vec<Edit>) -> Option<Edit> {
    match edits.len() {
        0 => None,
        1 => edits.pop(),
        _ => Some(Edit::Several(edits)),
    }
}

/// The transform by which it stands on another parent where it stood before. What need not change is not touched, so
/// that no number becomes a rounded one.
fn kept_in_place(scene: &IndexedScene, entity: &Entity, parent: Option<EntityId>) -> Transform {
    let before = entity.parent.map_or_else(Pose::default, |id| world_pose(scene, id));
    let after = parent.map_or_else(Pose::default, |id| world_pose(scene, id));
    if before == after {
        return entity.transform;
    }
    let world = before.of_child(&entity.transform.pose());
    let back = after.rotation.conjugate();
    let position = (back * (world.position - after.position)) / after.scale;
    let rotation = back * world.rotation;
    let scale = world.scale / after.scale;
    let is_same = |a: Quat, b: Quat| a == b;
    Transform {
        position,
        rotation_degrees: match is_same(before.rotation, after.rotation) {
            true => entity.transform.rotation_degrees,
            false => degrees(rotation),
        },
        scale: if before.scale == after.scale { entity.transform.scale } else { scale },
    }
}

fn world_pose(scene: &IndexedScene, id: EntityId) -> Pose {
    let own = scene.entity(id).map(|entity| entity.transform.pose()).unwrap_or_default();
    let above = scene.parents(id).filter_map(|id| scene.entity(id));
    above.fold(own, |pose, parent| parent.transform.pose().of_child(&pose))
}

fn degrees(rotation: Quat) -> Vec3 {
    let (x, y, z) = rotation.to_euler(EulerRot::XYZ);
    Vec3::new(x.to_degrees(), y.to_degrees(), z.to_degrees())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::edit::tests::family;

    /// Ids in the author's order with their parents, after an edit.
    fn after(mut scene: IndexedScene, edit: Option<Edit>) -> Vec<(u64, u64)> {
        edit.expect("something to do").apply(&mut scene).expect("it fits");
        scene.assert_true();
        scene.entities.iter().map(|entity| (entity.id.0, entity.parent.map_or(0, |id| id.0))).collect()
    }

    fn ids(numbers: &[u64]) -> Vec<EntityId> {
        numbers.iter().copied().map(EntityId).collect()
    }

    #[test]
    fn one_step_up_or_down_is_past_the_next_one_on_the_same_parent() {
        let down = shifted(&family(), &ids(&[2]), Shift::Down);
        assert_eq!(after(family(), down), [(1, 0), (5, 0), (3, 1), (2, 1), (4, 3)]);
        let up = shifted(&family(), &ids(&[3]), Shift::Up);
        assert_eq!(after(family(), up), [(1, 0), (3, 1), (2, 1), (5, 0), (4, 3)]);
        assert_eq!(shifted(&family(), &ids(&[1, 5]), Shift::Up), None, "both are at the top");
        assert_eq!(shifted(&family(), &ids(&[2]), Shift::Up), None);
    }

    #[test]
    fn dropped_before_another_it_stands_there_and_hangs_on_the_same_parent() {
        let to = Target { parent: None, before: Some(EntityId(1)) };
        let edit = moved(&family(), &ids(&[4, 5]), to).expect("it may");
        assert_eq!(after(family(), edit), [(5, 0), (4, 0), (1, 0), (2, 1), (3, 1)]);
        let to = Target { parent: Some(EntityId(5)), before: None };
        let edit = moved(&family(), &ids(&[1]), to).expect("it may");
        assert_eq!(after(family(), edit), [(2, 1), (5, 0), (3, 1), (4, 3), (1, 5)]);
        let there = Target { parent: Some(EntityId(3)), before: None };
        assert_eq!(moved(&family(), &ids(&[4]), there), Ok(None), "it is there already");
    }

    #[test]
    fn nothing_can_hang_on_itself_or_on_what_hangs_on_it() {
        let onto = |id| Target { parent: Some(EntityId(id)), before: None };
        assert_eq!(moved(&family(), &ids(&[1]), onto(1)), Err("E1 cannot hang on itself.".to_owned()));
        let refused = moved(&family(), &ids(&[1]), onto(4));
        assert_eq!(refused, Err("E1 cannot hang on E4, which hangs on it.".to_owned()));
    }

    #[test]
    fn what_gets_another_parent_stands_where_it_stood() {
        let mut scene = family();
        let parent = Transform {
            position: Vec3::new(2.0, 0.0, 1.0),
            rotation_degrees: Vec3::new(0.0, 90.0, 0.0),
            scale: Vec3::splat(2.0),
        };
        scene.change(EntityId(1), |entity| entity.transform = parent);
        scene.change(EntityId(3), |entity| entity.transform.position = Vec3::new(0.5, 1.0, 0.25));
        let before = world_pose(&scene, EntityId(3));
        unparented(&scene, &ids(&[3])).expect("it hangs").apply(&mut scene).expect("it fits");
        assert_eq!(scene.entity(EntityId(3)).and_then(|entity| entity.parent), None);
        let after = world_pose(&scene, EntityId(3));
        assert!((before.position - after.position).length() < 1e-5, "{before:?} {after:?}");
        assert!(before.rotation.angle_between(after.rotation) < 1e-3);
        let on = moved(&scene, &ids(&[3]), Target { parent: Some(EntityId(1)), before: None });
        on.expect("it may").expect("it does").apply(&mut scene).expect("it fits");
        assert!((before.position - world_pose(&scene, EntityId(3)).position).length() < 1e-5);
    }

    #[test]
    fn made_the_child_of_the_one_before_it_and_unparented_again_it_is_as_it_was() {
        let mut scene = family();
        let edit = child_of_previous(&scene, &ids(&[5])).expect("1 stands before it");
        edit.apply(&mut scene).expect("it fits");
        assert_eq!(scene.entity(EntityId(5)).and_then(|entity| entity.parent), Some(EntityId(1)));
        let edit = unparented(&scene, &ids(&[5])).expect("it hangs on 1");
        edit.apply(&mut scene).expect("it fits");
        assert_eq!(scene.entity(EntityId(5)).and_then(|entity| entity.parent), None);
        assert_eq!(child_of_previous(&family(), &ids(&[1])), None);
        assert_eq!(unparented(&family(), &ids(&[1, 5])), None);
    }
}
