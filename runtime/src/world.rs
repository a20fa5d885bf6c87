//! The running state of a scene: built from it at Play, thrown away at Stop.
//!
//! A tick does, in this order: removes what has lived its time, moves what keys move, moves what moves by itself (a wide
//! sweep), teleports, lets an application act, steps the physics world, and spawns. What a spawner makes is therefore first
//! seen exactly where it was put. Everything goes in the author's order, spawned entities after authored ones in the order
//! they came; no tick iterates over a hash map. Wide sweeps are jobs where there are [workers](World::set_jobs): each entity is computed from
//! itself alone, so nothing depends on who did it. A physics step may span [several ticks](World::set_physics_divisor).

mod act;
mod build;
mod components;
mod crowd;
mod hand;
mod hash;
mod motion;
mod observe;
mod pace;
mod physics;
pub(crate) mod pose;
mod random;
mod revise;
mod sounds;
mod step;
mod strips;
mod sweep;

pub use hand::HandEdit;
pub use observe::{EntityKind, EntityObservation, EntityRow, ObservedField, ObservedParts};
pub use sounds::{MOST_CUES, SoundCue};

use crate::input::TickInput;
use crate::jobs::Jobs;
use crate::scene::fault::Fault;
use crate::scene::look::Look;
use crate::scene::{EntityId, Load, Pose, Scene, Sky, Sun};
use crate::time::{Rate, Tick};
use components::{Bodied, ChildOf, Driven, Moving, Name, Placed, Role};
use glam::Vec3;
pub(crate) use pace::BodyPace;
use pace::PhysicsPace;
use physics::Physics;
use random::Random;
use sounds::Cues;
use std::collections::BTreeMap;
use strips::Strips;

pub(crate) use sweep::JOB_ENTITIES;

/// One fixed step, as the frame core asks for it.
#[derive(Clone, Copy, Debug)]
pub struct TickStep<'a> {
    /// The count of ticks after this one.
    pub tick: Tick,
    /// Simulated seconds after this tick, from the exact count: motions are functions of it.
    pub seconds: f64,
    /// One tick is `1 / tick_rate` long.
    pub tick_rate: Rate,
    pub input: &'a TickInput,
}

/// What one tick changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickOutcome {
    pub spawned: u32,
    pub despawned: u32,
    pub teleported: u32,
}

/// Everything that is simulated. A clone is deep, randomness included, and goes on exactly as the original does.
pub struct World {
    ecs: hecs::World,
    // Parents before children; authored ones first, spawned ones after them in the order they came.
    rows: Vec<Row>,
    // By `hecs::Entity::id`; `NO_ROW` where nothing lives.
    row_of: Vec<u32>,
    ids: BTreeMap<EntityId, hecs::Entity>,
    physics: Physics,
    pace: PhysicsPace,
    // No part of the state.
    jobs: Option<Jobs>,
    random: Random,
    // The scene's: crowds have a chance of their own.
    seed: u64,
    tick: Tick,
    seconds: f64,
    tick_rate: Rate,
    // Above every authored id and every id given since.
    next_id: u64,
    next_serial: u64,
    revision: u64,
    rows_revision: u64,
    // Of the ECS of this very world; a copy finds its own.
    strips: Strips,
    cuts: u64,
    work: WorkLists,
    // No part of the state.
    sounds: Cues,
    stage: StageSet,
    // Authored rows stand in the author's order: no parent stands behind what hangs on it.
    as_authored: bool,
}

/// One entity, in drawing order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub entity: hecs::Entity,
    pub id: EntityId,
    /// Never given twice, and rising along the rows: what interpolation keeps its place by.
    pub serial: u64,
    /// An earlier row, or `NO_ROW`.
    pub parent: u32,
    /// Has its own entry in the interpolation store.
    pub simulated: bool,
    /// Simulated, or below something that is.
    pub moves: bool,
    /// Physics moves it.
    pub falls: bool,
    pub look: Look,
}

pub(crate) const NO_ROW: u32 = u32::MAX;

/// Who takes part in what, in row order, so that no tick has to search.
#[derive(Clone, Debug, Default)]
struct WorkLists {
    driven: Vec<hecs::Entity>,
    teleporters: Vec<hecs::Entity>,
    spawners: Vec<hecs::Entity>,
    sounding: Vec<hecs::Entity>,
    /// Bodies that follow their entity, or stand.
    anchored: Vec<hecs::Entity>,
    /// Removed at a tick that is known.
    mortal: Vec<(u64, hecs::Entity)>,
}

/// The camera, the lights and the loads: found once, not in every frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StageSet {
    pub camera: Option<CameraRow>,
    pub sun: Option<Sun>,
    pub sky: Option<Sky>,
    pub loads: Load,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CameraRow {
    pub row: u32,
    pub camera: crate::scene::Camera,
    /// The row of what it follows, where that is there.
    pub target: Option<u32>,
}

impl Clone for World {
    fn clone(&self) -> Self {
        Self {
            ecs: components::copy_entities(&self.ecs),
            rows: self.rows.clone(),
            row_of: self.row_of.clone(),
            ids: self.ids.clone(),
            physics: self.physics.clone(),
            jobs: self.jobs.clone(),
            random: self.random,
            work: self.work.clone(),
            strips: Strips::default(),
            sounds: self.sounds.clone(),
            ..*self
        }
    }
}

impl World {
    /// The scene at Play, tick 0.
    ///
    /// `tick_rate` is what an observation tells ticks in until the first tick brings its own.
    ///
    /// # Errors
    /// Every fault of [`crate::scene::check::check_scene`], all at once.
    pub fn new(scene: &Scene, tick_rate: Rate) -> Result<Self, WorldError> {
        let mut world = build::world_from_scene(scene, tick_rate)?;
        world.gather_crowds(scene);
        Ok(world)
    }

    /// The scene as its author sees it, for a world that stands and is edited: a crowd is one entity, and
    /// [`crate::snapshot::Snapshot::add_crowds`] shows those of it.
    ///
    /// # Errors
    /// As [`World::new`].
    pub fn standing(scene: &Scene, tick_rate: Rate) -> Result<Self, WorldError> {
        build::world_from_scene(scene, tick_rate)
    }

    /// One fixed step.
    pub fn tick(&mut self, step: &TickStep<'_>) -> TickOutcome {
        let mut outcome = self.begin_tick(step);
        self.end_tick(&mut outcome);
        outcome
    }

    /// The last tick that was run.
    #[must_use]
    pub const fn last_tick(&self) -> Tick {
        self.tick
    }

    #[must_use]
    pub fn entity_count(&self) -> usize {
        self.rows.len()
    }

    /// Physics steps that are over since Play: as many as ticks, where a step spans one.
    #[must_use]
    pub const fn physics_steps(&self) -> u64 {
        self.physics.steps()
    }

    /// Who may help with a tick; none by default. A world is the same with any number of helpers.
    pub fn set_jobs(&mut self, jobs: Option<Jobs>) {
        self.jobs = jobs;
    }

    /// Bytes that a tick's sweep over motions has to read and to write: the motion and the pose of each that has one.
    #[must_use]
    pub fn swept_bytes(&self) -> usize {
        let each = size_of::<Moving>() + size_of::<Placed>();
        self.ecs.query::<(&Moving, &Placed)>().iter().count() * each
    }

    /// How many ticks a physics step spans, 1 by default; 0 counts as 1. It acts once the step under way is over.
    ///
    /// Steps end where `tick % divisor == divisor − 1`, and the next begins with the tick after, so the first is shorter
    /// by the one tick that the scene at Play stands for. Where steps become longer, by this or by longer ticks, they do so
    /// little by little: bodies have to be drawn farther behind for it, and are drawn a hundredth slower until they are.
    pub fn set_physics_divisor(&mut self, divisor: u32) {
        self.pace.set_divisor(divisor);
    }

    /// As it was set last.
    #[must_use]
    pub const fn physics_divisor(&self) -> u32 {
        self.pace.divisor()
    }

    /// The sum over all load components. It is only told here; who runs the frame spends it.
    #[must_use]
    pub const fn loads(&self) -> Load {
        self.stage.loads
    }

    /// Changes whenever an entity comes or goes.
    #[must_use]
    pub const fn entities_revision(&self) -> u64 {
        self.revision
    }

    /// The first entity of this name, in drawing order.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<EntityId> {
        let names = self.ecs.view::<&Name>();
        self.rows
            .iter()
            .find(|row| names.get(row.entity).is_some_and(|found| found.0 == name))
            .map(|row| row.id)
    }

    /// The pose after the last tick: relative to the parent, for a dynamic body and what has no parent in world space.
    #[must_use]
    pub fn local_pose(&self, id: EntityId) -> Option<Pose> {
        let entity = *self.ids.get(&id)?;
        self.ecs.get::<&Placed>(entity).ok().map(|placed| placed.pose)
    }

    /// The pose after the last tick, in world space.
    #[must_use]
    pub fn world_pose(&self, id: EntityId) -> Option<Pose> {
        self.ids.get(&id).map(|entity| self.world_pose_of(*entity))
    }

    /// m/s and rad/s of a body; `None` for what is no body.
    #[must_use]
    pub fn velocity(&self, id: EntityId) -> Option<(Vec3, Vec3)> {
        let bodied = self.ecs.get::<&Bodied>(*self.ids.get(&id)?).ok()?;
        self.physics.velocity(bodied.id)
    }

    /// Sets a pose by hand, in the space of [`World::local_pose`]: a teleport, never blended.
    ///
    /// A motion goes on from there. A body keeps its velocity and the scale it had at Play. `false`: there is no
    /// such entity, or the pose is not one that a scene may have.
    pub fn set_pose(&mut self, id: EntityId, pose: Pose) -> bool {
        match self.ids.get(&id) {
            Some(entity) if pose.is_allowed() => {
                self.put(*entity, pose);
                true
            }
            _ => false,
        }
    }

    /// Adds an entity while running, under a fresh id above every other; `entity.id` is not used.
    ///
    /// `None`: its parent is not there.
    pub fn spawn(&mut self, entity: &crate::scene::Entity) -> Option<EntityId> {
        let parent = match entity.parent {
            None => NO_ROW,
            Some(parent) => self.rows.iter().position(|row| row.id == parent)? as u32,
        };
        let id = self.add_spawned(entity, entity.transform.pose(), parent, None);
        self.stage = build::stage_set(self);
        Some(id)
    }

    /// Removes an entity and all below it. `false`: there is no such entity.
    pub fn despawn(&mut self, id: EntityId) -> bool {
        let Some(entity) = self.ids.get(&id).copied() else { return false };
        self.bury(entity);
        self.close_ranks();
        self.stage = build::stage_set(self);
        true
    }

    /// Makes an authored entity anew, as it is given here, in the row that it has: for a world that is only looked at,
    /// so that an edit of one entity need not build the world again. What hangs on it is to be revised after it,
    /// parents first. Nothing is checked; a world so revised may go on in another order than a fresh one would.
    ///
    /// `false`: it is not there, or would stand before its parent; the world is as it was, and has to be built anew.
    pub fn revise(&mut self, entity: &crate::scene::Entity) -> bool {
        self.revise_entity(entity)
    }

    /// Takes over entities that came, went, or stand elsewhere in the order or in the tree, and what was changed of
    /// them: for a world that is only looked at, so that such an edit need not build the world again. `touched` names
    /// all of them, with all that hangs on them now and hung on them before, parents first, and `above` what they hang
    /// on now and hung on before; `place_of` says where in the scene an entity stands. `lines`, which [`World::entity_rows`] filled, is kept with it.
    ///
    /// It costs what is touched, and a few moves of memory for what stands behind; where a parent stands behind what
    /// hangs on it, a walk over the scene. Nothing is checked; a world so changed may go on in another order than a
    /// fresh one would.
    pub fn rearrange(
        &mut self,
        scene: &Scene,
        place_of: &dyn Fn(EntityId) -> Option<usize>,
        (touched, above): (&[EntityId], &[EntityId]),
        lines: &mut Vec<EntityRow>,
    ) {
        self.rearrange_entities(scene, place_of, (touched, above), lines);
    }

    /// Gives another seed, for a world that is only looked at: what crowds draw of chance is by it.
    pub fn reseed(&mut self, seed: u64) {
        self.seed = seed;
        self.random = Random::from_seed(seed);
    }

    /// Gives back memory that entities now gone have left; returns how many rows of it.
    pub fn compact(&mut self) -> u32 {
        let (len, capacity) = (self.rows.len(), self.rows.capacity());
        // Only where most of it is empty, so that a spawner's ups and downs do not allocate.
        if capacity <= 4 * len + 64 {
            return 0;
        }
        self.rows.shrink_to(2 * len);
        let lists = &mut self.work;
        lists.mortal.shrink_to(2 * lists.mortal.len());
        (capacity - self.rows.capacity()) as u32
    }

    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Changes whenever a row comes, goes, or is another than it was; its pose is not in the row.
    pub(crate) const fn rows_revision(&self) -> u64 {
        self.rows_revision
    }

    /// How often any pose was set on purpose.
    pub(crate) const fn cuts(&self) -> u64 {
        self.cuts
    }

    /// Calls `each` with the row, the pose and the count of cuts of every entity, in no order that matters: that of
    /// memory, which costs a tenth of asking row by row.
    pub(crate) fn each_placed(&self, mut each: impl FnMut(u32, &Pose, u32)) {
        for (entity, placed) in self.ecs.query::<(hecs::Entity, &Placed)>().iter() {
            each(self.row_of[entity.id() as usize], &placed.pose, placed.cuts);
        }
    }

    /// Of bodies that physics moves.
    pub(crate) fn body_pace(&self) -> BodyPace {
        self.pace.of_bodies()
    }

    pub(crate) const fn stage_set(&self) -> &StageSet {
        &self.stage
    }

    fn world_pose_of(&self, entity: hecs::Entity) -> Pose {
        let local = |entity| self.ecs.get::<&Placed>(entity).map(|placed| placed.pose).unwrap_or_default();
        pose::composed(entity, |entity| self.parent_of(entity), local)
    }

    fn parent_of(&self, entity: hecs::Entity) -> Option<hecs::Entity> {
        self.ecs.get::<&ChildOf>(entity).ok().map(|parent| parent.0)
    }

    /// Puts an entity somewhere at once, with all that hangs on it.
    fn put(&mut self, entity: hecs::Entity, mut pose: Pose) {
        if let Ok(bodied) = self.ecs.get::<&Bodied>(entity)
            && bodied.role == Role::Dynamic
        {
            pose.scale = bodied.scale;
            self.physics.place(bodied.id, &pose);
        }
        if let Ok(mut placed) = self.ecs.get::<&mut Placed>(entity) {
            placed.pose = pose;
            placed.cuts = placed.cuts.wrapping_add(1);
        }
        if let Ok(mut moving) = self.ecs.get::<&mut Moving>(entity) {
            moving.base = motion::base_through(&moving.motion, &pose, self.seconds);
        }
        if let Ok(mut driven) = self.ecs.get::<&mut Driven>(entity) {
            driven.position = pose.position.as_dvec3();
        }
        self.cuts += 1;
        self.place_bodies_under(entity);
    }

    /// Bodies led by this entity, or standing on it, are there at once and push nothing on the way.
    fn place_bodies_under(&mut self, entity: hecs::Entity) {
        for idx in 0..self.work.anchored.len() {
            let anchored = self.work.anchored[idx];
            if !self.hangs_on(anchored, entity) {
                continue;
            }
            let pose = self.world_pose_of(anchored);
            if let Ok(bodied) = self.ecs.get::<&Bodied>(anchored) {
                self.physics.place(bodied.id, &pose);
            }
        }
    }

    fn hangs_on(&self, entity: hecs::Entity, ancestor: hecs::Entity) -> bool {
        let mut at = Some(entity);
        while let Some(current) = at {
            if current == ancestor {
                return true;
            }
            at = self.parent_of(current);
        }
        false
    }
}

/// Why a scene cannot be run: every fault of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", sentences(faults))]
pub struct WorldError {
    /// Not empty.
    pub faults: Vec<Fault>,
}

fn sentences(faults: &[Fault]) -> String {
    let lines: Vec<String> = faults.iter().map(Fault::sentence).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests;
