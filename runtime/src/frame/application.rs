//! An application's own code in a run: in every tick, and once a frame between them, with something to act through.
//!
//! What a game simulates belongs into [`AppTick`]: it runs exactly as often as physics does, whatever the frame rate, the
//! handoff and the number of workers, and what it does to the world is the same each time if it is computed from what it is
//! given and from the world. What only looks different, such as a camera, may be changed in [`AppUpdate`].

use crate::input::{InputState, TickInput};
use crate::scene::{Entity, EntityId, Pose};
use crate::time::{FrameIndex, Nanos, Tick};
use crate::world::{HandEdit, TickOutcome, World};

/// What application code and agents are told about time.
///
/// Published in stage 1 with the last frame's tick and alpha, renewed before each tick, complete before the flows run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Time {
    /// Real time this frame is given.
    pub delta: Nanos,
    /// The accepted part of it at the present speed, rounded down to whole ns.
    pub scaled_delta: Nanos,
    /// Rounded to whole ns.
    pub tick_length: Nanos,
    pub alpha: f64,
    pub frame: FrameIndex,
    pub tick: Tick,
}

/// The application's own code in a tick, called once in each: stepped ones too, and capped or cut ones not, since those do
/// not run.
///
/// By then the inputs of the tick have acted, and what moves by itself is where this tick brings it; physics follows.
/// [`Time::tick`] is this tick, [`Time::tick_length`] the simulated time it spans, `input` what it alone is to see.
pub type AppTick = Box<dyn FnMut(&Time, &TickInput, &mut TickWorld<'_>) + Send>;

/// The application's own update between ticks, called at the frame rate: once a frame in stage 2, also in frames without a
/// tick.
///
/// In the free handoff, where a frame is a tick, it is called at the frame rate all the same: in the first frame at or after
/// each of its deadlines, and between two frames where ticks come more seldom. What it changes is drawn with the next tick.
/// [`Time::delta`] is the time since the last call in every handoff.
pub type AppUpdate = Box<dyn FnMut(&Time, &InputState, &mut FrameWorld<'_>) + Send>;

/// The world in the middle of a tick. What is changed takes part in this very tick, and what it leads to is drawn blended,
/// as everything that a tick does.
pub struct TickWorld<'a> {
    world: &'a mut World,
    outcome: &'a mut TickOutcome,
}

impl<'a> TickWorld<'a> {
    pub(super) const fn new(world: &'a mut World, outcome: &'a mut TickOutcome) -> Self {
        Self { world, outcome }
    }

    /// To look at. Poses are those of this tick, but of dynamic bodies, which are where the last physics step left them.
    #[must_use]
    pub const fn world(&self) -> &World {
        self.world
    }

    /// Moves an entity, in the space of [`World::local_pose`]. Its way there is drawn, and a kinematic body goes it, pushing
    /// what is in between.
    ///
    /// `false`, and nothing is changed: it is not there, a motion or physics moves it, its body is fixed, or the pose is none
    /// that a scene may have.
    pub fn move_to(&mut self, id: EntityId, pose: Pose) -> bool {
        self.world.move_to(id, pose)
    }

    /// Changes one entity at once, as a person may by hand: poses are teleports, never blended. A velocity is that of the
    /// physics step that follows. What is no pose and no velocity is checked at length, which allocates.
    ///
    /// `false`, and nothing is changed: see [`World::edit_by_hand`].
    pub fn edit(&mut self, id: EntityId, edit: &HandEdit) -> bool {
        self.world.edit_by_hand(id, edit)
    }

    /// Adds an entity under a fresh id above every other; `entity.id` is not used. Where it is put it is first seen, but a
    /// body goes on from there in this very tick.
    ///
    /// `None`: its parent is not there, its values are none that a scene may have, or it is a crowd, which is made at Play only.
    pub fn spawn(&mut self, entity: &Entity) -> Option<EntityId> {
        let id = self.world.spawn_checked(entity)?;
        self.outcome.spawned += 1;
        Some(id)
    }

    /// Removes an entity and all below it. `false`: there is no such entity.
    pub fn despawn(&mut self, id: EntityId) -> bool {
        let before = self.world.entity_count();
        let gone = self.world.despawn(id);
        self.outcome.despawned += (before - self.world.entity_count()) as u32;
        gone
    }
}

/// The world between two ticks. What is changed is seen in this frame, and takes part in the next tick.
///
/// What a change here does to the simulation depends on when frames come, so on their rate.
pub struct FrameWorld<'a> {
    world: &'a mut World,
    edited: &'a mut usize,
}

impl<'a> FrameWorld<'a> {
    pub(super) const fn new(world: &'a mut World, edited: &'a mut usize) -> Self {
        Self { world, edited }
    }

    /// To look at, as the last tick left it.
    #[must_use]
    pub const fn world(&self) -> &World {
        self.world
    }

    /// Changes one entity at once, as a person may by hand: poses are teleports, never blended. A camera that is put somewhere
    /// in every frame therefore moves with every frame. What is no pose and no velocity is checked at length, which allocates.
    ///
    /// `false`, and nothing is changed: see [`World::edit_by_hand`].
    pub fn edit(&mut self, id: EntityId, edit: &HandEdit) -> bool {
        let done = self.world.edit_by_hand(id, edit);
        *self.edited += usize::from(done);
        done
    }
}
