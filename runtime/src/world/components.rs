//! What an entity of a running world carries, and how all of it is copied.

use super::motion::Base;
use super::physics::BodyId;
use crate::scene::{
    Body, Camera, Controlled, Crowd, EntityId, Load, Motion, Pose, Shape, Sky, Sound, Spawner, Sun,
    Teleporter,
};
use glam::{DVec3, Vec3};

#[derive(Clone, Debug)]
pub struct Name(pub String);

/// Authored as hanging on this entity, but in the world by itself: physics moves it.
#[derive(Clone, Copy, Debug)]
pub struct Apart(pub EntityId);

/// Placed relative to this entity.
#[derive(Clone, Copy, Debug)]
pub struct ChildOf(pub hecs::Entity);

/// The pose after the last tick, relative to the parent; in world space where there is none, and for dynamic bodies.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    pub pose: Pose,
    /// How often the pose was set on purpose; interpolation starts anew when it changes.
    pub cuts: u32,
}

/// Moved by a function of time.
#[derive(Clone, Copy, Debug)]
pub struct Moving {
    pub motion: Motion,
    pub base: Base,
}

/// Its body in the physics world.
#[derive(Clone, Copy, Debug)]
pub struct Bodied {
    pub id: BodyId,
    pub role: Role,
    pub body: Body,
    /// World scale at Play, which its collider was made for.
    pub scale: Vec3,
}

/// Who leads: the physics world, or the entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Physics moves the entity.
    Dynamic,
    /// The entity's pose moves the body (kinematic, or fixed to something that moves).
    Led,
    /// Neither moves.
    Fixed,
}

#[derive(Clone, Debug)]
pub struct Spawning {
    pub spawner: Spawner,
    pub alive: u32,
    /// Copies made so far, for their names.
    pub made: u64,
}

#[derive(Clone, Debug)]
pub struct Teleporting(pub Teleporter);

/// Moved by keys. The position is kept in `f64`: it is a sum, of what a person pressed.
#[derive(Clone, Copy, Debug)]
pub struct Driven {
    pub controlled: Controlled,
    pub position: DVec3,
}

/// What moves it as authored, but cannot as the body that a person made of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aside {
    pub motion: Option<Motion>,
    pub controlled: Option<Controlled>,
}

/// Not authored: made while running.
#[derive(Clone, Copy, Debug)]
pub struct Spawned {
    pub by: Option<hecs::Entity>,
    /// The tick that removes it; none lives for ever.
    pub dies: Option<u64>,
}

/// A copy of an ECS world: the same handles, the same components, the same handles for what comes later.
pub fn copy_entities(from: &hecs::World) -> hecs::World {
    let mut to = hecs::World::new();
    let mut builder = hecs::EntityBuilder::new();
    for entity in from.iter() {
        macro_rules! copy {
            ($($component:ty),*) => {
                $(if let Some(component) = entity.get::<&$component>() {
                    builder.add::<$component>((*component).clone());
                })*
            };
        }
        copy!(Name, ChildOf, Placed, Moving, Bodied, Spawning, Teleporting, Driven, Spawned);
        copy!(Shape, Sound, Camera, Sun, Sky, Load, Crowd, Aside, Apart);
        to.spawn_at(entity.entity(), builder.build());
    }
    let free: Vec<hecs::Entity> = from.freelist().collect();
    to.set_freelist(&free);
    to
}
