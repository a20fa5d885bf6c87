//! What a person changes in a running world, while it runs and only there: no scene hears of it.

mod body;

use super::components::{Bodied, Driven, Moving, Role, Spawning, Teleporting};
use super::motion::base_through;
use super::{World, build};
use crate::scene::check::check_entity;
use crate::scene::{
    Body, Camera, Controlled, Entity, EntityId, Load, Motion, Pose, Shape, Sky, Sound, Spawner, Sun,
    Teleporter,
};
use glam::Vec3;

/// One change of one entity of a running world.
///
/// A pose or a velocity costs what it takes to set it. Anything else is checked as a scene is, with the names of its fields for
/// what would be said of it, which allocates: for what a person does, or an application now and then, not in every frame.
#[derive(Clone, Debug, PartialEq)]
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
    /// Where it has a body, that has the same outline at once, and goes on as fast as it was.
    Shape(Shape),
    /// Its kind, mass, friction and bounce; the velocities in it are those of Play, and change nothing. Of another kind
    /// it stays where it is: a dynamic one hangs on nothing and is moved by no motion from then on, and one that is
    /// dynamic no more stands by itself. A motion that it had waits for the kind that may have one.
    Body(Body),
    /// Takes part from the next tick on; what it has spawned stays as it is.
    Spawner(Spawner),
    /// Takes part from the next tick on.
    Teleporter(Teleporter),
    Controlled(Controlled),
    /// What it does from then on; what sounds already is not changed.
    Sound(Sound),
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
        match edit {
            HandEdit::Pose(pose) => self.set_pose(id, *pose),
            HandEdit::WorldPose(pose) => {
                let local = match self.parent_of(entity) {
                    Some(parent) => self.world_pose_of(parent).child_of(pose),
                    None => Some(*pose),
                };
                local.is_some_and(|pose| self.set_pose(id, pose))
            }
            HandEdit::Velocity { linear, angular } => self.set_velocity(entity, *linear, *angular),
            HandEdit::Motion(motion) => {
                is_allowed(Entity { motion: Some(*motion), ..Entity::default() })
                    && self.set_motion(entity, *motion)
            }
            HandEdit::Shape(shape) => self.set_shape(entity, *shape),
            HandEdit::Body(body) => self.set_body(entity, *body),
            HandEdit::Spawner(spawner) => {
                let Ok(mut spawning) = self.ecs.get::<&mut Spawning>(entity) else { return false };
                let part = Entity { spawner: Some(spawner.clone()), ..Entity::default() };
                let allowed = is_allowed(part);
                if allowed {
                    spawning.spawner.clone_from(spawner);
                }
                allowed
            }
            HandEdit::Teleporter(teleporter) => {
                let Ok(mut teleporting) = self.ecs.get::<&mut Teleporting>(entity) else { return false };
                let part = Entity { teleporter: Some(teleporter.clone()), ..Entity::default() };
                let allowed = is_allowed(part);
                if allowed {
                    teleporting.0.clone_from(teleporter);
                }
                allowed
            }
            HandEdit::Controlled(controlled) => {
                let Ok(mut driven) = self.ecs.get::<&mut Driven>(entity) else { return false };
                let allowed = is_allowed(Entity { controlled: Some(*controlled), ..Entity::default() });
                if allowed {
                    driven.controlled = *controlled;
                }
                allowed
            }
            HandEdit::Sound(sound) => {
                is_allowed(Entity { sound: Some(*sound), ..Entity::default() })
                    && self.set_sound(entity, *sound)
            }
            HandEdit::Camera(camera) => {
                is_allowed(Entity { camera: Some(*camera), ..Entity::default() })
                    && self.replace_part(entity, *camera)
            }
            HandEdit::Sun(sun) => {
                is_allowed(Entity { sun: Some(*sun), ..Entity::default() }) && self.replace_part(entity, *sun)
            }
            HandEdit::Sky(sky) => {
                is_allowed(Entity { sky: Some(*sky), ..Entity::default() }) && self.replace_part(entity, *sky)
            }
            HandEdit::Load(load) => {
                is_allowed(Entity { load: Some(*load), ..Entity::default() })
                    && self.replace_part(entity, *load)
            }
        }
    }

    fn set_velocity(&mut self, entity: hecs::Entity, linear: Vec3, angular: Vec3) -> bool {
        let Ok(bodied) = self.ecs.get::<&Bodied>(entity) else { return false };
        let moves = bodied.role == Role::Dynamic && linear.is_finite() && angular.is_finite();
        if moves {
            self.physics.set_velocity(bodied.id, linear, angular);
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

    /// A camera, a light or a load: found again where frames look for it.
    fn replace_part<T: hecs::Component>(&mut self, entity: hecs::Entity, part: T) -> bool {
        let Ok(present) = self.ecs.query_one_mut::<&mut T>(entity) else { return false };
        *present = part;
        self.stage = build::stage_set(self);
        true
    }
}

/// Whether a scene may have an entity with such parts.
pub(super) fn is_allowed(parts: Entity) -> bool {
    check_entity(0, &Entity { name: "changed".to_owned(), ..parts }).is_empty()
}

#[cfg(test)]
mod tests;
