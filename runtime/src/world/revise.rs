//! A standing world that follows an author's edits: what is touched is made anew, the rest stays.

use super::build::{Old, Place, stage_set};
use super::components::{Bodied, Placed};
use super::observe::EntityRow;
use super::{NO_ROW, Row, World};
use crate::scene::look::Look;
use crate::scene::{Camera, Entity, EntityId, Load, Scene, Sky, Sun};
use std::collections::BTreeSet;

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
        touched: &[EntityId],
        lines: &mut Vec<EntityRow>,
    ) {
        let present: Vec<(EntityId, usize)> =
            touched.iter().filter_map(|id| Some((*id, place_of(*id)?))).collect();
        let handles: BTreeSet<hecs::Entity> =
            touched.iter().filter_map(|id| self.ids.get(id)).copied().collect();
        let mut removed: Vec<usize> =
            handles.iter().map(|handle| self.row_of[handle.id() as usize] as usize).collect();
        removed.sort_unstable();
        let mut inserted: Vec<(usize, Row)> = Vec::with_capacity(present.len());
        let rows = self.rows_of(scene, place_of, &present);
        for ((id, _), idx) in present.iter().zip(&rows) {
            inserted.push((*idx, self.row_for(*id)));
        }
        inserted.sort_unstable_by_key(|(idx, _)| *idx);
        for id in touched.iter().filter(|id| place_of(**id).is_none()) {
            if let Some(gone) = self.ids.remove(id) {
                self.bury(gone);
            }
        }
        self.unlist(&handles);
        let places: Vec<usize> = inserted.iter().map(|(idx, _)| *idx).collect();
        self.move_rows(&removed, inserted);
        for ((id, place), idx) in present.iter().zip(&rows) {
            let entity = &scene.entities[*place];
            let parent = entity.parent.and_then(|id| self.ids.get(&id));
            let parent = parent.map_or(NO_ROW, |parent| self.row_of[parent.id() as usize]);
            self.make_anew(entity, *idx, parent);
            self.next_id = self.next_id.max(id.0.saturating_add(1));
        }
        self.cuts += 1;
        self.revision += 1;
        self.stage = stage_set(self);
        splice(lines, &removed, places.into_iter().map(|idx| (idx, EntityRow::default())).collect());
        for (id, _) in &present {
            self.renew_row(*id, lines);
        }
    }

    /// In which rows these are to be, with their places in the scene. Nothing else changes its place among the others,
    /// so where nothing stands before its parent, rows stand as the author has them.
    fn rows_of(
        &mut self,
        scene: &Scene,
        place_of: &dyn Fn(EntityId) -> Option<usize>,
        present: &[(EntityId, usize)],
    ) -> Vec<usize> {
        let parent_of = |place: usize| scene.entities[place].parent.and_then(place_of);
        let is_behind_parent = |place: usize| parent_of(place).is_none_or(|parent| parent < place);
        if self.as_authored && present.iter().all(|(_, place)| is_behind_parent(*place)) {
            return present.iter().map(|(_, place)| *place).collect();
        }
        const NOT_YET: u32 = u32::MAX;
        let mut row_of_place = vec![NOT_YET; scene.entities.len()];
        let (mut rows, mut chain) = (0, Vec::new());
        self.as_authored = true;
        for place in 0..scene.entities.len() {
            let mut at = Some(place);
            while let Some(current) = at.filter(|place| row_of_place[*place] == NOT_YET) {
                chain.push(current);
                at = parent_of(current);
            }
            self.as_authored &= chain.len() < 2;
            for place in chain.drain(..).rev() {
                row_of_place[place] = rows;
                rows += 1;
            }
        }
        present.iter().map(|(_, place)| row_of_place[*place] as usize).collect()
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
        Row { entity, id, serial: 0, parent: NO_ROW, simulated: false, moves: false, look }
    }

    /// Takes rows out and puts others in, each at its place after; what stands behind them is found again.
    fn move_rows(&mut self, removed: &[usize], inserted: Vec<(usize, Row)>) {
        let starts = [removed.first().copied(), inserted.first().map(|(idx, _)| *idx)];
        let Some(first) = starts.into_iter().flatten().min() else { return };
        // Where the rows from the first on go, to be asked by their old places.
        let mut moved = vec![NO_ROW; self.rows.len() - first];
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
            let idx = (first + nth) as u32;
            self.row_of[row.entity.id() as usize] = idx;
            if row.parent != NO_ROW && row.parent as usize >= first {
                row.parent = moved[row.parent as usize - first];
            }
            row.serial = self.next_serial;
            self.next_serial += 1;
        }
    }

    /// Makes an entity anew, in the row and under the handle that it has; on a row before its own, or on none.
    fn make_anew(&mut self, entity: &Entity, idx: usize, parent: u32) {
        let row = self.rows[idx];
        if let Ok(bodied) = self.ecs.get::<&Bodied>(row.entity) {
            self.physics.remove(bodied.handle);
        }
        let cuts = self.ecs.get::<&Placed>(row.entity).map_or(0, |placed| placed.cuts).wrapping_add(1);
        let above = self.rows.get(parent as usize).map(|row| self.world_pose_of(row.entity));
        let place = Place::Row(Old { idx, row, cuts });
        self.add(entity, entity.id, entity.transform.pose(), (parent, above), place);
    }

    /// They take part in nothing, until they are made anew.
    fn unlist(&mut self, handles: &BTreeSet<hecs::Entity>) {
        let work = &mut self.work;
        for list in [&mut work.driven, &mut work.teleporters, &mut work.spawners, &mut work.anchored] {
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
