//! What a person changes in a running world, while it runs and only there: no scene hears of it.

use super::components::{Bodied, Driven, Moving, Role};
use super::motion::base_through;
use super::{World, build};
use crate::scene::look::Look;
use crate::scene::{Camera, Color, Controlled, EntityId, Load, Motion, Pose, Shape, Sky, Sun};
use glam::Vec3;

/// One change of one entity of a running world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HandEdit {
    /// A teleport, in the space of [`World::local_pose`]: never blended.
    Pose(Pose),
    /// A teleport, in the space of [`World::world_pose`]: never blended.
    WorldPose(Pose),
    /// m/s and rad/s of a dynamic body.
    Velocity {
        linear: Vec3,
        angular: Vec3,
    },
    /// Goes on from where the entity is now.
    Motion(Motion),
    /// Of its shape.
    Color(Color),
    Controlled(Controlled),
    Camera(Camera),
    Sun(Sun),
    Sky(Sky),
    Load(Load),
}

impl World {
    /// Changes one entity at once. `false`, and nothing is changed: it is not there, it has no such part, or the values
    /// are none that a scene may have.
    pub fn edit_by_hand(&mut self, id: EntityId, edit: &HandEdit) -> bool {
        let Some(entity) = self.ids.get(&id).copied() else { return false };
        match *edit {
            HandEdit::Pose(pose) => self.set_pose(id, pose),
            HandEdit::WorldPose(pose) => {
                let local = match self.parent_of(entity) {
                    Some(parent) => self.world_pose_of(parent).child_of(&pose),
                    None => Some(pose),
                };
                local.is_some_and(|pose| self.set_pose(id, pose))
            }
            HandEdit::Velocity { linear, angular } => self.set_velocity(entity, linear, angular),
            HandEdit::Motion(motion) => motion_is_allowed(&motion) && self.set_motion(entity, motion),
            HandEdit::Color(color) => self.set_color(id, color),
            HandEdit::Controlled(controlled) => {
                let finite = controlled.speed.is_finite() && controlled.jump.is_finite();
                let Ok(mut driven) = self.ecs.get::<&mut Driven>(entity) else { return false };
                if finite {
                    driven.controlled = controlled;
                }
                finite
            }
            HandEdit::Camera(camera) => {
                let seen = (1.0..=179.0).contains(&camera.fov_degrees)
                    && camera.near > 0.0
                    && camera.far > camera.near
                    && camera.far.is_finite();
                seen && self.replace_part(entity, camera)
            }
            HandEdit::Sun(sun) => {
                let shines = sun.direction.try_normalize().is_some() && sun.strength.is_finite();
                shines && self.replace_part(entity, sun)
            }
            HandEdit::Sky(sky) => (0.0..=1.0).contains(&sky.ambient) && self.replace_part(entity, sky),
            HandEdit::Load(load) => {
                let bearable = |time| (crate::time::Nanos::ZERO..=Load::LONGEST).contains(&time);
                [load.tick, load.frame, load.submit].into_iter().all(bearable)
                    && self.replace_part(entity, load)
            }
        }
    }

    fn set_velocity(&mut self, entity: hecs::Entity, linear: Vec3, angular: Vec3) -> bool {
        let Ok(bodied) = self.ecs.get::<&Bodied>(entity) else { return false };
        let moves = bodied.role == Role::Dynamic && linear.is_finite() && angular.is_finite();
        if moves {
            self.physics.set_velocity(bodied.handle, linear, angular);
        }
        moves
    }

    fn set_motion(&mut self, entity: hecs::Entity, motion: Motion) -> bool {
        let seconds = self.seconds;
        let Ok(pose) = self.ecs.get::<&super::Placed>(entity).map(|placed| placed.pose) else { return false };
        let Ok(mut moving) = self.ecs.get::<&mut Moving>(entity) else { return false };
        *moving = Moving { motion, base: base_through(&motion, &pose, seconds) };
        true
    }

    fn set_color(&mut self, id: EntityId, color: Color) -> bool {
        let Some(row) = self.rows.iter_mut().find(|row| row.id == id) else { return false };
        let Ok(mut shape) = self.ecs.get::<&mut Shape>(row.entity) else { return false };
        shape.color = color;
        row.look = Look::from(Some(*shape));
        self.rows_revision += 1;
        true
    }

    /// A camera, a light or a load: found again where frames look for it.
    fn replace_part<T: hecs::Component>(&mut self, entity: hecs::Entity, part: T) -> bool {
        let Ok(present) = self.ecs.query_one_mut::<&mut T>(entity) else { return false };
        *present = part;
        self.stage = build::stage_set(self);
        true
    }
}

fn motion_is_allowed(motion: &Motion) -> bool {
    match motion {
        Motion::Steady { velocity } => velocity.is_finite(),
        Motion::Spin { axis, degrees_per_second } => {
            axis.try_normalize().is_some() && degrees_per_second.is_finite()
        }
        Motion::Orbit { center, axis, degrees_per_second } => {
            center.is_finite() && axis.try_normalize().is_some() && degrees_per_second.is_finite()
        }
        Motion::Oscillate { amplitude, period, phase } => {
            amplitude.is_finite() && *period > 0.0 && period.is_finite() && phase.is_finite()
        }
    }
}

#[cfg(test)]
mod tests;
