//! What an application's code does to a running world within a tick.

use super::components::{Bodied, Driven, Moving, Placed};
use super::hand::is_allowed;
use super::{NO_ROW, World};
use crate::scene::{BodyKind, Entity, EntityId, Pose};

impl World {
    /// Brings an entity to a pose in the space of [`World::local_pose`], as a tick does. What it hangs on may move too; a body
    /// that it leads goes the way in the physics step that follows.
    ///
    /// `false`, and nothing is changed: it is not there, a motion or physics moves it, its body is fixed, or the pose is none
    /// that a scene may have.
    pub(crate) fn move_to(&mut self, id: EntityId, pose: Pose) -> bool {
        let Some(entity) = self.ids.get(&id).copied() else { return false };
        let kind = self.ecs.get::<&Bodied>(entity).map(|bodied| bodied.body.kind).ok();
        let is_led = kind.is_none_or(|kind| kind == BodyKind::Kinematic);
        if !is_led || self.ecs.satisfies::<&Moving>(entity) || !pose.is_allowed() {
            return false;
        }
        self.take_part(entity);
        if let Ok(mut placed) = self.ecs.get::<&mut Placed>(entity) {
            placed.pose = pose;
        }
        if let Ok(mut driven) = self.ecs.get::<&mut Driven>(entity) {
            driven.position = pose.position.as_dvec3();
        }
        true
    }

    /// As [`World::spawn`], of what a scene may have. `None` also for what it may not, and for a crowd.
    pub(crate) fn spawn_checked(&mut self, entity: &Entity) -> Option<EntityId> {
        let allowed = entity.crowd.is_none() && is_allowed(Entity { id: EntityId(0), ..entity.clone() });
        allowed.then(|| self.spawn(entity))?
    }

    /// An entity that stood by itself is one that ticks move from now on, with all that hangs on it.
    fn take_part(&mut self, entity: hecs::Entity) {
        let idx = self.row_of[entity.id() as usize];
        debug_assert_ne!(idx, NO_ROW, "an entity that is there has a row");
        let row = &mut self.rows[idx as usize];
        if row.simulated {
            return;
        }
        (row.simulated, row.moves) = (true, true);
        self.follow_moves(idx as usize);
        self.rows_revision += 1;
    }
}

#[cfg(test)]
mod tests;
