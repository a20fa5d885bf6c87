//! Another shape or another body in a running world: it stays where it is, and as fast as it is.

use super::is_allowed;
use crate::scene::look::Look;
use crate::scene::{Body, BodyKind, Entity, Shape};
use crate::world::components::{
    Apart, Aside, Bodied, ChildOf, Driven, Moving, Placed, Role, Spawned, Teleporting,
};
use crate::world::motion::base_through;
use crate::world::{NO_ROW, WorkLists, World};

impl World {
    /// See [`super::HandEdit::Shape`].
    pub(super) fn set_shape(&mut self, entity: hecs::Entity, shape: Shape) -> bool {
        if !is_allowed(Entity { shape: Some(shape), ..Entity::default() }) {
            return false;
        }
        let Ok(mut present) = self.ecs.get::<&mut Shape>(entity) else { return false };
        let before = std::mem::replace(&mut *present, shape);
        drop(present);
        if let Ok(bodied) = self.ecs.get::<&Bodied>(entity)
            && before.kind != shape.kind
        {
            self.physics.reshape(bodied.id, &shape, bodied.scale);
        }
        let idx = self.row_of[entity.id() as usize] as usize;
        self.rows[idx].look = Look::from(Some(shape));
        self.rows_revision += 1;
        true
    }

    /// See [`super::HandEdit::Body`].
    pub(super) fn set_body(&mut self, entity: hecs::Entity, body: Body) -> bool {
        let (Ok(bodied), Ok(shape)) = (
            self.ecs.get::<&Bodied>(entity).map(|bodied| *bodied),
            self.ecs.get::<&Shape>(entity).map(|shape| *shape),
        ) else {
            return false;
        };
        if !is_allowed(Entity { shape: Some(shape), body: Some(body), ..Entity::default() }) {
            return false;
        }
        self.physics.set_matter(bodied.id, &body);
        if let Ok(mut bodied) = self.ecs.get::<&mut Bodied>(entity) {
            let Body { velocity, spin, .. } = bodied.body;
            bodied.body = Body { velocity, spin, ..body };
        }
        if body.kind != bodied.body.kind {
            self.set_body_kind(entity, body.kind, bodied);
        }
        true
    }

    fn set_body_kind(&mut self, entity: hecs::Entity, kind: BodyKind, bodied: Bodied) {
        let idx = self.row_of[entity.id() as usize] as usize;
        let (is_dynamic, is_fixed) = (kind == BodyKind::Dynamic, kind == BodyKind::Fixed);
        if is_dynamic {
            // In the world by itself, at the size its outline was made for.
            let pose = crate::scene::Pose { scale: bodied.scale, ..self.world_pose_of(entity) };
            let parent = self.rows.get(self.rows[idx].parent as usize).map(|parent| parent.id);
            let _ = self.ecs.remove_one::<ChildOf>(entity);
            if let Some(parent) = parent {
                // It is there: this is not refused.
                let _ = self.ecs.insert_one(entity, Apart(parent));
            }
            self.rows[idx].parent = NO_ROW;
            if let Ok(mut placed) = self.ecs.get::<&mut Placed>(entity) {
                placed.pose = pose;
                placed.cuts = placed.cuts.wrapping_add(1);
            }
            self.cuts += 1;
        }
        self.move_by(entity, !is_dynamic && !is_fixed, !is_fixed);
        let parent_moves = self.rows.get(self.rows[idx].parent as usize).is_some_and(|parent| parent.moves);
        self.set_role(entity, kind, parent_moves);
        let is_simulated =
            !is_fixed || self.ecs.satisfies::<&Teleporting>(entity) || self.ecs.satisfies::<&Spawned>(entity);
        let row = &mut self.rows[idx];
        row.simulated = is_simulated;
        row.falls = is_dynamic;
        row.moves = is_simulated || (parent_moves && !is_dynamic);
        self.follow_moves(idx);
        self.work = WorkLists::default();
        for idx in 0..self.rows.len() {
            self.list_work(self.rows[idx].entity);
        }
        self.revision += 1;
        self.rows_revision += 1;
    }

    /// Lets an entity be moved by its motion and by keys, or keeps these for when it may be again.
    fn move_by(&mut self, entity: hecs::Entity, motion: bool, keys: bool) {
        let mut all = self.ecs.remove_one::<Aside>(entity).unwrap_or_default();
        all.motion = self.ecs.remove_one::<Moving>(entity).map(|moving| moving.motion).ok().or(all.motion);
        all.controlled =
            self.ecs.remove_one::<Driven>(entity).map(|driven| driven.controlled).ok().or(all.controlled);
        let pose = self.ecs.get::<&Placed>(entity).map(|placed| placed.pose).unwrap_or_default();
        // The entity is there: nothing of this is refused.
        if let Some(motion) = all.motion.take_if(|_| motion) {
            let base = base_through(&motion, &pose, self.seconds);
            let _ = self.ecs.insert_one(entity, Moving { motion, base });
        }
        if let Some(controlled) = all.controlled.take_if(|_| keys) {
            let position = pose.position.as_dvec3();
            let _ = self.ecs.insert_one(entity, Driven { controlled, position });
        }
        let _ = self.ecs.insert_one(entity, all);
    }

    fn set_role(&mut self, entity: hecs::Entity, kind: BodyKind, parent_moves: bool) {
        let Ok(mut bodied) = self.ecs.get::<&mut Bodied>(entity) else { return };
        bodied.role = match kind {
            BodyKind::Dynamic => Role::Dynamic,
            BodyKind::Fixed if !parent_moves => Role::Fixed,
            BodyKind::Fixed | BodyKind::Kinematic => Role::Led,
        };
        self.physics.set_kind(bodied.id, kind, bodied.role == Role::Led);
    }

    /// What hangs on a row moves where that does, and what is fixed to it is led by it.
    pub(in crate::world) fn follow_moves(&mut self, first: usize) {
        for idx in first + 1..self.rows.len() {
            let row = self.rows[idx];
            let Some(parent) = self.rows.get(row.parent as usize).copied() else { continue };
            let moves = row.simulated || parent.moves;
            self.rows[idx].moves = moves;
            let kind = self.ecs.get::<&Bodied>(row.entity).map(|bodied| bodied.body.kind);
            if moves != row.moves
                && let Ok(kind) = kind
            {
                self.set_role(row.entity, kind, parent.moves);
            }
        }
    }
}
