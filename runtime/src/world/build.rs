//! From a scene to a world, and entities that come and go while it runs.

use super::components::{
    Apart, Aside, Bodied, ChildOf, Driven, Moving, Name, Placed, Role, Spawned, Spawning, Teleporting,
};
use super::motion::{Base, base_through, pose_at};
use super::pace::PhysicsPace;
use super::physics::Physics;
use super::random::Random;
use super::sounds::Cues;
use super::{CameraRow, NO_ROW, Row, StageSet, WorkLists, World, WorldError};
use crate::scene::check::check_scene;
use crate::scene::{BodyKind, Camera, Entity, EntityId, Load, Pose, Scene, Sky, Sound, SoundWhen, Sun};
use crate::time::{Rate, Tick};
use std::collections::{BTreeMap, BTreeSet};

pub fn world_from_scene(scene: &Scene, tick_rate: Rate) -> Result<World, WorldError> {
    let faults = check_scene(scene);
    if !faults.is_empty() {
        return Err(WorldError { faults });
    }
    let order = parents_first(scene);
    let highest = scene.entities.iter().map(|entity| entity.id.0).max().unwrap_or(0);
    let mut world = World {
        ecs: hecs::World::new(),
        rows: Vec::with_capacity(order.len()),
        row_of: Vec::with_capacity(order.len()),
        ids: BTreeMap::new(),
        physics: Physics::default(),
        pace: PhysicsPace::default(),
        jobs: None,
        random: Random::from_seed(scene.seed),
        seed: scene.seed,
        tick: Tick(0),
        seconds: 0.0,
        tick_rate,
        next_id: highest.saturating_add(1),
        next_serial: 0,
        revision: 1,
        rows_revision: 1,
        strips: Default::default(),
        cuts: 0,
        work: WorkLists::default(),
        sounds: Cues::default(),
        stage: StageSet::default(),
        as_authored: order.iter().zip(&scene.entities).all(|(drawn, authored)| drawn.id == authored.id),
    };
    let mut row_of: BTreeMap<EntityId, u32> = BTreeMap::new();
    let mut world_poses: Vec<Pose> = Vec::with_capacity(order.len());
    for entity in order {
        let parent = entity.parent.and_then(|id| row_of.get(&id).copied()).unwrap_or(NO_ROW);
        row_of.insert(entity.id, world.rows.len() as u32);
        let above = world_poses.get(parent as usize).copied();
        world_poses.push(world.add(
            entity,
            entity.id,
            entity.transform.pose(),
            (parent, above),
            Place::New(None),
        ));
    }
    world.stage = stage_set(&world);
    Ok(world)
}

/// The author's order, but every parent before its children. The scene has been checked: parents are there, and no
/// entity hangs on itself.
fn parents_first(scene: &Scene) -> Vec<&Entity> {
    let by_id: BTreeMap<EntityId, &Entity> =
        scene.entities.iter().map(|entity| (entity.id, entity)).collect();
    let mut order: Vec<&Entity> = Vec::with_capacity(scene.entities.len());
    let mut done: BTreeSet<EntityId> = BTreeSet::new();
    let mut chain = Vec::new();
    for entity in &scene.entities {
        let mut at = Some(entity);
        while let Some(current) = at.filter(|entity| done.insert(entity.id)) {
            chain.push(current);
            at = current.parent.and_then(|id| by_id.get(&id).copied());
        }
        order.extend(chain.drain(..).rev());
    }
    order
}

/// Finds the camera, sun and sky (the first of each, in drawing order) and sums the loads: looks at those alone.
pub fn stage_set(world: &World) -> StageSet {
    fn first<T: hecs::Component + Copy>(world: &World) -> Option<(u32, T)> {
        let mut found = world.ecs.query::<(hecs::Entity, &T)>();
        let rows = found.iter().map(|(entity, part)| (world.row_of[entity.id() as usize], *part));
        rows.min_by_key(|(row, _)| *row)
    }
    let row_of = |id: EntityId| world.ids.get(&id).map(|entity| world.row_of[entity.id() as usize]);
    let camera = first::<Camera>(world).map(|(row, camera)| CameraRow {
        row,
        camera,
        target: camera.follow.and_then(|follow| row_of(follow.target)),
    });
    let mut loads = Load::default();
    for load in world.ecs.query::<&Load>().iter() {
        loads.tick += load.tick;
        loads.frame += load.frame;
        loads.submit += load.submit;
    }
    StageSet {
        camera,
        sun: first::<Sun>(world).map(|(_, sun)| sun),
        sky: first::<Sky>(world).map(|(_, sky)| sky),
        loads,
    }
}

/// Where an entity is put: behind all rows, or in place of what is in one.
#[derive(Clone, Copy)]
pub(super) enum Place {
    New(Option<Spawned>),
    Row(Old),
}

#[derive(Clone, Copy)]
pub(super) struct Old {
    pub idx: usize,
    pub row: Row,
    pub cuts: u32,
}

impl Place {
    const fn cuts(&self) -> u32 {
        match self {
            Self::New(_) => 0,
            Self::Row(old) => old.cuts,
        }
    }
}

impl World {
    /// Adds an entity that no author made; its id is above every other.
    pub(super) fn add_spawned(
        &mut self,
        entity: &Entity,
        pose: Pose,
        parent: u32,
        spawned: Option<Spawned>,
    ) -> EntityId {
        let id = EntityId(self.next_id);
        self.next_id += 1;
        let spawned = spawned.unwrap_or(Spawned { by: None, dies: None });
        let above = self.rows.get(parent as usize).map(|row| self.world_pose_of(row.entity));
        self.add(entity, id, pose, (parent, above), Place::New(Some(spawned)));
        self.revision += 1;
        self.rows_revision += 1;
        id
    }

    /// `pose` is relative to the parent, of which the row and the world pose are given. Returns the world pose.
    pub(super) fn add(
        &mut self,
        entity: &Entity,
        id: EntityId,
        pose: Pose,
        (parent, above): (u32, Option<Pose>),
        place: Place,
    ) -> Pose {
        let spawned = match place {
            Place::New(spawned) => spawned,
            Place::Row(_) => None,
        };
        let body = entity.body.filter(|_| entity.shape.is_some());
        let dynamic = body.is_some_and(|body| body.kind == BodyKind::Dynamic);
        let fixed = body.is_some_and(|body| body.kind == BodyKind::Fixed);
        let parent_row = self.rows.get(parent as usize).copied();
        let below = |pose: &Pose| above.map_or(*pose, |above| above.of_child(pose));
        let parent_moves = parent_row.is_some_and(|row| row.moves);

        let mut builder = hecs::EntityBuilder::new();
        builder.add(Name(entity.name.clone()));
        let mut placed = Placed { pose, cuts: place.cuts() };
        if dynamic {
            placed.pose = below(&pose);
            if let Some(parent) = entity.parent {
                builder.add(Apart(parent));
            }
        } else if let Some(row) = parent_row {
            builder.add(ChildOf(row.entity));
        }
        // Physics moves a dynamic body, and a fixed one stands, whatever motion they were given.
        let motion = entity.motion.filter(|_| !dynamic && !fixed);
        if let Some(motion) = motion {
            let base = match spawned {
                Some(_) => base_through(&motion, &pose, self.seconds),
                None => Base::of(&pose),
            };
            builder.add(Moving { motion, base });
            placed.pose = pose_at(&motion, &base, self.seconds);
        }
        let controlled = entity.controlled.filter(|_| !fixed);
        let aside = Aside {
            motion: entity.motion.filter(|_| motion.is_none()),
            controlled: entity.controlled.filter(|_| controlled.is_none()),
        };
        if aside.motion.is_some() || aside.controlled.is_some() {
            builder.add(aside);
        }
        if let Some(controlled) = controlled {
            builder.add(Driven { controlled, position: placed.pose.position.as_dvec3() });
        }
        if let Some(teleporter) = &entity.teleporter {
            builder.add(Teleporting(teleporter.clone()));
        }
        if let Some(spawner) = &entity.spawner {
            builder.add(Spawning { spawner: spawner.clone(), alive: 0, made: 0 });
        }
        let world_pose = if dynamic { placed.pose } else { below(&placed.pose) };
        if let (Some(body), Some(shape)) = (body, entity.shape) {
            let led = body.kind == BodyKind::Kinematic || (fixed && parent_moves);
            let role = if dynamic {
                Role::Dynamic
            } else if led {
                Role::Led
            } else {
                Role::Fixed
            };
            let id = self.physics.insert(&body, &shape, &world_pose, led);
            if entity.sound.is_some_and(|sound| sound.when == SoundWhen::Contact) {
                self.physics.listen(id, true);
            }
            builder.add(Bodied { id, role, body, scale: world_pose.scale });
        }
        macro_rules! add_plain {
            ($($component:expr),*) => { $(if let Some(component) = $component { builder.add(component); })* };
        }
        add_plain!(
            entity.shape,
            entity.sound,
            entity.camera,
            entity.sun,
            entity.sky,
            entity.load,
            entity.crowd
        );
        add_plain!(spawned);
        builder.add(placed);
        let (handle, serial) = match place {
            Place::New(_) => {
                self.next_serial += 1;
                (self.ecs.spawn(builder.build()), self.next_serial - 1)
            }
            Place::Row(old) => {
                // What hangs on it goes on doing so: the handle stays.
                self.ecs.spawn_at(old.row.entity, builder.build());
                (old.row.entity, old.row.serial)
            }
        };

        let simulated = motion.is_some()
            || body.is_some_and(|body| body.kind != BodyKind::Fixed)
            || entity.teleporter.is_some()
            || controlled.is_some()
            || spawned.is_some();
        let row = Row {
            entity: handle,
            id,
            serial,
            parent: if dynamic { NO_ROW } else { parent },
            simulated,
            moves: simulated || (parent_moves && !dynamic),
            falls: dynamic,
            look: entity.shape.into(),
        };
        if let Place::Row(old) = place {
            self.rows[old.idx] = row;
            self.list_work(handle);
            return world_pose;
        }
        self.rows.push(row);
        let slot = handle.id() as usize;
        if self.row_of.len() <= slot {
            self.row_of.resize(slot + 1, NO_ROW);
        }
        self.row_of[slot] = self.rows.len() as u32 - 1;
        self.ids.insert(id, handle);
        self.list_work(handle);
        world_pose
    }

    pub(super) fn list_work(&mut self, handle: hecs::Entity) {
        let Ok(entity) = self.ecs.entity(handle) else { return };
        let work = &mut self.work;
        if entity.has::<Driven>() {
            work.driven.push(handle);
        }
        if entity.has::<Teleporting>() {
            work.teleporters.push(handle);
        }
        if entity.has::<Spawning>() {
            work.spawners.push(handle);
        }
        if entity.has::<Sound>() {
            work.sounding.push(handle);
            self.sounds.expect(handle);
        }
        if entity.get::<&Bodied>().is_some_and(|bodied| bodied.role != Role::Dynamic) {
            work.anchored.push(handle);
        }
        if let Some(dies) = entity.get::<&Spawned>().and_then(|spawned| spawned.dies) {
            work.mortal.push((dies, handle));
        }
    }

    /// Takes an entity out of everything but the rows and lists; [`World::close_ranks`] follows.
    pub(super) fn bury(&mut self, entity: hecs::Entity) {
        if let Ok(bodied) = self.ecs.get::<&Bodied>(entity) {
            self.physics.remove(bodied.id);
        }
        let by = self.ecs.get::<&Spawned>(entity).ok().and_then(|spawned| spawned.by);
        if let Some(mut spawning) = by.and_then(|by| self.ecs.get::<&mut Spawning>(by).ok()) {
            spawning.alive = spawning.alive.saturating_sub(1);
        }
        // It was alive a moment ago; a second burial is no fault.
        let _ = self.ecs.despawn(entity);
    }

    /// Drops the rows of what is gone, with all that hung on it, and keeps the order of the rest.
    pub(super) fn close_ranks(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        // Until all are moved up, a kept row's place is looked up through its old one.
        let mut moved: Vec<u32> = Vec::with_capacity(rows.len());
        let mut kept = 0_u32;
        for idx in 0..rows.len() {
            let mut row = rows[idx];
            let orphaned = row.parent != NO_ROW && moved[row.parent as usize] == NO_ROW;
            if orphaned {
                self.bury(row.entity);
            }
            if !self.ecs.contains(row.entity) {
                self.ids.remove(&row.id);
                moved.push(NO_ROW);
                continue;
            }
            if row.parent != NO_ROW {
                row.parent = moved[row.parent as usize];
            }
            self.row_of[row.entity.id() as usize] = kept;
            rows[kept as usize] = row;
            moved.push(kept);
            kept += 1;
        }
        rows.truncate(kept as usize);
        self.rows = rows;
        let (ecs, work) = (&self.ecs, &mut self.work);
        let WorkLists { driven, teleporters, spawners, sounding, anchored, .. } = work;
        for list in [driven, teleporters, spawners, sounding, anchored, &mut self.sounds.begun] {
            list.retain(|entity| ecs.contains(*entity));
        }
        work.mortal.retain(|(_, entity)| ecs.contains(*entity));
        self.revision += 1;
        self.rows_revision += 1;
    }
}
