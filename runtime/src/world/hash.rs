//! One number for everything that is simulated.

use super::World;
use super::components::{Bodied, Driven, Moving, Placed, Role, Spawned, Spawning};
use crate::hash::Hash;
use crate::scene::ShapeKind;

impl World {
    /// 64 bits over what is simulated after the last tick: entities by id (bits of pose and velocity, kinds), what
    /// spawners and motions go on from, random state. Never over interpolation or anything drawn.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = Hash::new();
        hash.word(self.tick.0);
        hash.word(self.random.state());
        hash.word(self.next_id);
        hash.word(self.ids.len() as u64);
        for (id, handle) in &self.ids {
            let Ok(entity) = self.ecs.entity(*handle) else { continue };
            hash.word(id.0);
            let shape =
                self.ecs.get::<&crate::scene::Shape>(*handle).map_or(0, |shape| shape_code(shape.kind));
            let mut kinds = shape;
            if let Some(placed) = entity.get::<&Placed>() {
                hash.pose(&placed.pose);
            }
            if let Some(bodied) = entity.get::<&Bodied>() {
                kinds |= match bodied.role {
                    Role::Dynamic => 1 << 8,
                    Role::Led => 2 << 8,
                    Role::Fixed => 3 << 8,
                };
                let (linear, angular) = self.physics.velocity(bodied.id).unwrap_or_default();
                hash.vector(linear);
                hash.vector(angular);
            }
            if let Some(moving) = entity.get::<&Moving>() {
                kinds |= 1 << 10;
                moving.base.position.to_array().iter().for_each(|value| hash.word(value.to_bits()));
                moving.base.rotation.to_array().iter().for_each(|value| hash.word(value.to_bits()));
            }
            if let Some(driven) = entity.get::<&Driven>() {
                kinds |= 1 << 11;
                driven.position.to_array().iter().for_each(|value| hash.word(value.to_bits()));
            }
            if let Some(spawning) = entity.get::<&Spawning>() {
                kinds |= 1 << 12;
                hash.word(u64::from(spawning.alive));
                hash.word(spawning.made);
            }
            if let Some(spawned) = entity.get::<&Spawned>() {
                kinds |= 1 << 13;
                hash.word(spawned.dies.unwrap_or(u64::MAX));
            }
            hash.word(kinds);
        }
        hash.finish()
    }
}

const fn shape_code(kind: ShapeKind) -> u64 {
    match kind {
        ShapeKind::Cube { .. } => 1,
        ShapeKind::Sphere { .. } => 2,
        ShapeKind::Capsule { .. } => 3,
        ShapeKind::Cylinder { .. } => 4,
        ShapeKind::Plane { .. } => 5,
    }
}
