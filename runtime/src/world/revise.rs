//! A standing world that follows an author's edits: what is touched is made anew, the rest stays.

use super::build::{Old, Place, stage_set};
use super::components::{Bodied, Placed};
use super::observe::EntityRow;
use super::{NO_ROW, Row, WorkLists, World};
use crate::scene::look::Look;
use crate::scene::{Camera, Entity, EntityId, Load, Scene, Sky, Sun};
use std::collections::{BTreeMap, BTreeSet};

/// Up to so many, each is moved by itself; more are moved together, through other memory.
const FEW: usize = 4;

impl World {
    /// See [`World::revise`].
    pub(super) fn revise_entity(&mut self, entity: &Entity) -> bool {
        let Some(handle) = self.ids.get(&entity.id).copied() else { return false };
        let parent = match entity.parent {
            None => NO_ROW,
            Some(parent) => match self.ids.get(&parent) {
                Some(parent) => self.row_of[parent.id() as usize],
                None => return false,
            },
        };
        let idx = self.row_of[handle.id() as usize] as usize;
        // Rows stand parents first: what is to hang on a later row needs another order.
        if parent != NO_ROW && parent as usize >= idx {
            return false;
        }
        let was_on_stage = self.is_on_stage(handle);
        self.unlist(&[handle].into());
        self.make_anew(entity, idx, parent);
        self.cuts += 1;
        self.rows_revision += 1;
        if was_on_stage || self.is_on_stage(handle) {
            self.stage = stage_set(self);
        }
        true
    }

    /// See [`World::rearrange`].
    pub(super) fn rearrange_entities(
        &mut self,
        scene: &Scene,
        place_of: &dyn Fn(EntityId) -> Option<usize>,
        (touched, above): (&[EntityId], &[EntityId]),
        lines: &mut Vec<EntityRow>,
    ) {
        let placed = |id: &EntityId| Some((*id, place_of(*id)?));
        let present: Vec<(EntityId, usize)> = touched.iter().filter_map(placed).collect();
        let parent_of = |place: usize| scene.entities[place].parent.and_then(place_of);
        // Nothing but what is touched changes its place among the others, and what it hangs on or hung on: that stands
        // before the first that hangs on it. Where no parent stands behind, rows stand as the author has them.
        let is_behind = |(_, place): &(EntityId, usize)| parent_of(*place).is_none_or(|above| above < *place);
        let mut moving = present.clone();
        let rows = if self.as_authored && present.iter().all(is_behind) {
            None
        } else {
            let known: BTreeSet<EntityId> = touched.iter().copied().collect();
            let above: BTreeSet<EntityId> = above.iter().copied().filter(|id| !known.contains(id)).collect();
            moving.extend(above.iter().filter_map(placed));
            let (rows, as_authored) = parents_first(scene.entities.len(), parent_of);
            self.as_authored = as_authored;
            Some(rows)
        };
        let row_at = |place: usize| rows.as_ref().map_or(place, |rows| rows[place] as usize);

        let handles: BTreeSet<hecs::Entity> =
            touched.iter().filter_map(|id| self.ids.get(id)).copied().collect();
        let also = moving[present.len()..].iter().filter_map(|(id, _)| self.ids.get(id));
        let leaving = handles.iter().chain(also);
        let mut removed: Vec<usize> =
            leaving.map(|handle| self.row_of[handle.id() as usize] as usize).collect();
        removed.sort_unstable();
        let mut inserted: Vec<(usize, Row)> = Vec::with_capacity(moving.len());
        for (id, place) in &moving {
            inserted.push((row_at(*place), self.row_for(*id)));
        }
        inserted.sort_unstable_by_key(|(idx, _)| *idx);
        for id in touched.iter().filter(|id| place_of(**id).is_none()) {
            if let Some(gone) = self.ids.remove(id) {
                self.bury(gone);
            }
        }
        self.unlist(&handles);
        let new_lines = inserted.iter().map(|(idx, _)| (*idx, EntityRow::default())).collect();
        self.move_rows(&removed, inserted);
        for (id, place) in &present {
            let entity = &scene.entities[*place];
            let parent = entity.parent.and_then(|id| self.ids.get(&id));
            let parent = parent.map_or(NO_ROW, |parent| self.row_of[parent.id() as usize]);
            self.make_anew(entity, row_at(*place), parent);
            self.next_id = self.next_id.max(id.0.saturating_add(1));
        }
        self.cuts += 1;
        self.revision += 1;
        self.rows_revision += 1;
        self.stage = stage_set(self);
        splice(lines, &removed, new_lines);
        for (id, _) in &moving {
            self.renew_row(*id, lines);
        }
    }

    /// The row that an entity has, or one for a new one, empty yet.
    fn row_for(&mut self, id: EntityId) -> Row {
        if let Some(handle) = self.ids.get(&id) {
            return self.rows[self.row_of[handle.id() as usize] as usize];
        }
        let entity = self.ecs.spawn(());
        self.ids.insert(id, entity);
        let slot = entity.id() as usize;
        if self.row_of.len() <= slot {
            self.row_of.resize(slot + 1, NO_ROW);
        }
        let look = Look::default();
        Row { entity, id, serial: 0, parent: NO_ROW, simulated: false, moves: false, falls: false, look }
    }

    /// Takes rows out and puts others in, each at its place after; what stands behind them is found again.
    fn move_rows(&mut self, removed: &[usize], inserted: Vec<(usize, Row)>) {
        let starts = [removed.first().copied(), inserted.first().map(|(idx, _)| *idx)];
        let Some(first) = starts.into_iter().flatten().min() else { return };
        // Where the rows from the first on go, to be asked by their old places; those that are taken out by their
        // entity, which may come in again.
        let mut moved = vec![NO_ROW; self.rows.len() - first];
        let taken: BTreeMap<usize, hecs::Entity> =
            removed.iter().map(|idx| (*idx, self.rows[*idx].entity)).collect();
        let (mut out, mut come) = (removed.iter().peekable(), inserted.iter().peekable());
        let mut to = first;
        for from in first..self.rows.len() {
            if out.next_if(|gone| **gone == from).is_some() {
                continue;
            }
            while come.next_if(|(idx, _)| *idx == to).is_some() {
                to += 1;
            }
            moved[from - first] = to as u32;
            to += 1;
        }
        splice(&mut self.rows, removed, inserted);
        for (nth, row) in self.rows[first..].iter_mut().enumerate() {
            self.row_of[row.entity.id() as usize] = (first + nth) as u32;
            row.serial = self.next_serial;
            self.next_serial += 1;
        }
        for row in &mut self.rows[first..] {
            if row.parent != NO_ROW && row.parent as usize >= first {
                let old = row.parent as usize;
                row.parent = match taken.get(&old) {
                    Some(entity) if self.ecs.contains(*entity) => self.row_of[entity.id() as usize],
                    Some(_) => NO_ROW,
                    None => moved[old - first],
                };
            }
        }
    }

    /// Makes an entity anew, in the row and under the handle that it has; on a row before its own, or on none.
    fn make_anew(&mut self, entity: &Entity, idx: usize, parent: u32) {
        let row = self.rows[idx];
        if let Ok(bodied) = self.ecs.get::<&Bodied>(row.entity) {
            self.physics.remove(bodied.id);
        }
        let cuts = self.ecs.get::<&Placed>(row.entity).map_or(0, |placed| placed.cuts).wrapping_add(1);
        let above = self.rows.get(parent as usize).map(|row| self.world_pose_of(row.entity));
        let place = Place::Row(Old { idx, row, cuts });
        self.add(entity, entity.id, entity.transform.pose(), (parent, above), place);
    }

    /// They take part in nothing, until they are made anew.
    fn unlist(&mut self, handles: &BTreeSet<hecs::Entity>) {
        let WorkLists { driven, teleporters, spawners, sounding, anchored, .. } = &mut self.work;
        for list in [driven, teleporters, spawners, sounding, anchored, &mut self.sounds.begun] {
            list.retain(|other| !handles.contains(other));
        }
    }

    /// A camera, a light or a load: it takes part in what is found once for the whole world.
    fn is_on_stage(&self, handle: hecs::Entity) -> bool {
        self.ecs.entity(handle).is_ok_and(|entity| {
            entity.has::<Camera>() || entity.has::<Sun>() || entity.has::<Sky>() || entity.has::<Load>()
        })
    }
}

/// The row of each place when every parent stands before what hangs on it, and whether all are as their places.
fn parents_first(count: usize, parent_of: impl Fn(usize) -> Option<usize>) -> (Vec<u32>, bool) {
    const NOT_YET: u32 = u32::MAX;
    let mut row_of_place = vec![NOT_YET; count];
    let (mut rows, mut chain, mut as_placed) = (0, Vec::new(), true);
    for place in 0..count {
        let mut at = Some(place);
        while let Some(current) = at.filter(|place| row_of_place[*place] == NOT_YET) {
            chain.push(current);
            at = parent_of(current);
        }
        as_placed &= chain.len() < 2;
        for place in chain.drain(..).rev() {
            row_of_place[place] = rows;
            rows += 1;
        }
    }
    (row_of_place, as_placed)
}

/// Takes out what stands at some places, and puts other things in, each at its place after; both rise.
fn splice<T>(list: &mut Vec<T>, removed: &[usize], inserted: Vec<(usize, T)>) {
    if removed.len() + inserted.len() <= FEW {
        for idx in removed.iter().rev() {
            list.remove(*idx);
        }
        for (idx, item) in inserted {
            list.insert(idx, item);
        }
        return;
    }
    let starts = [removed.first().copied(), inserted.first().map(|(idx, _)| *idx)];
    let Some(first) = starts.into_iter().flatten().min() else { return };
    let mut out = removed.iter().peekable();
    let tail = list.split_off(first);
    let kept = tail.into_iter().enumerate();
    let mut kept = kept.filter(|(nth, _)| out.next_if(|gone| **gone == first + nth).is_none());
    let mut come = inserted.into_iter().peekable();
    loop {
        match come.next_if(|(idx, _)| *idx == list.len()) {
            Some((_, item)) => list.push(item),
            None => match kept.next() {
                Some((_, item)) => list.push(item),
                None => break,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::splice;

    #[test]
    fn what_is_taken_out_and_put_in_leaves_the_rest_in_order() {
        let spliced = |removed: &[usize], inserted: &[(usize, u32)]| {
            let mut list = vec![0, 1, 2, 3, 4, 5];
            splice(&mut list, removed, inserted.to_vec());
            list
        };
        assert_eq!(spliced(&[], &[]), [0, 1, 2, 3, 4, 5]);
        assert_eq!(spliced(&[1], &[(4, 1)]), [0, 2, 3, 4, 1, 5]);
        assert_eq!(spliced(&[], &[(0, 8), (7, 9)]), [8, 0, 1, 2, 3, 4, 5, 9]);
        assert_eq!(spliced(&[0, 2, 3, 5], &[(0, 8), (2, 9), (3, 7)]), [8, 1, 9, 7, 4]);
        assert_eq!(spliced(&[0, 1, 2, 3, 4, 5], &[(0, 9)]), [9]);
    }
}
