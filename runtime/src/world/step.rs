//! The parts of one tick, in their order.

use super::components::{Bodied, Driven, Moving, Name, Placed, Role, Spawned, Spawning, Teleporting};
use super::motion::pose_at;
use super::pace::{Turn, Window};
use super::sweep::sweep;
use super::{NO_ROW, TickOutcome, TickStep, World};
use crate::scene::{Entity, SoundWhen, Spawner};
use glam::{DVec3, Quat};

impl World {
    /// A tick up to physics; [`World::end_tick`] follows. Between the two an application acts.
    pub(crate) fn begin_tick(&mut self, step: &TickStep<'_>) -> TickOutcome {
        self.tick = step.tick;
        self.seconds = step.seconds;
        self.tick_rate = step.tick_rate;
        let despawned = self.remove_expired();
        self.begin_sounds();
        // Inputs.
        self.drive(step);
        // Before physics: the wide sweep, then single objects.
        self.move_by_time();
        let teleported = self.teleport();
        TickOutcome { despawned, teleported, ..TickOutcome::default() }
    }

    /// Physics, and what comes after it.
    pub(crate) fn end_tick(&mut self, outcome: &mut TickOutcome) {
        self.run_physics();
        outcome.spawned += self.run_spawners();
        self.find_strips();
    }

    fn remove_expired(&mut self) -> u32 {
        let mut removed = 0;
        for idx in 0..self.work.mortal.len() {
            let (dies, entity) = self.work.mortal[idx];
            if dies <= self.tick.0 {
                self.bury(entity);
                removed += 1;
            }
        }
        if removed > 0 {
            self.close_ranks();
        }
        removed
    }

    /// Keys and sticks move what they control, by what a tick at its speed makes.
    fn drive(&mut self, step: &TickStep<'_>) {
        let [right, up] = step.input.steering();
        let direction = DVec3::new(right, 0.0, -up);
        let (let_go, jumps) = (step.input.let_go_of_steering(), step.input.jumps());
        for entity in &self.work.driven {
            let Ok(mut driven) = self.ecs.get::<&mut Driven>(*entity) else { continue };
            let controlled = driven.controlled;
            let velocity = direction * f64::from(controlled.speed);
            if let Ok(bodied) = self.ecs.get::<&Bodied>(*entity)
                && bodied.role == Role::Dynamic
            {
                // A body that nobody steers is left to physics; letting go stops it.
                let steered = direction != DVec3::ZERO || let_go;
                let up = if jumps { self.physics.jump_speed(controlled.jump) } else { 0.0 };
                if steered || up > 0.0 {
                    self.physics.drive(bodied.id, steered.then(|| velocity.as_vec3()), up);
                }
                continue;
            }
            let mut by = velocity * step.tick_rate.period_secs_f64();
            if jumps {
                by.y += f64::from(controlled.jump);
            }
            if by == DVec3::ZERO {
                continue;
            }
            if let Ok(mut moving) = self.ecs.get::<&mut Moving>(*entity) {
                moving.base.position += by;
            } else if let Ok(mut placed) = self.ecs.get::<&mut Placed>(*entity) {
                driven.position += by;
                placed.pose.position = driven.position.as_vec3();
            }
        }
        if jumps {
            self.cue_jumps();
        }
    }

    fn cue_jumps(&mut self) {
        for idx in 0..self.work.driven.len() {
            let entity = self.work.driven[idx];
            if self.ecs.get::<&Driven>(entity).is_ok_and(|driven| driven.controlled.jump > 0.0) {
                self.cue(entity, SoundWhen::Jump, 1.0);
            }
        }
    }

    fn move_by_time(&mut self) {
        let seconds = self.seconds;
        sweep::<(&Moving, &mut Placed)>(
            self.jobs.as_ref(),
            "sweep motions",
            &mut self.ecs,
            |(moving, placed)| {
                placed.pose = pose_at(&moving.motion, &moving.base, seconds);
            },
        );
    }

    /// One step a tick, or one for a window of them: then what leads bodies is told at its first tick, and bodies lead at
    /// its last.
    fn run_physics(&mut self) {
        let Turn { ends_early, window } = self.pace.at(self.tick.0, self.tick_rate);
        if ends_early {
            self.physics.pull(self.jobs.as_ref());
            self.step_is_over();
        }
        let Some(Window { first, last, seconds, led }) = window else { return };
        if first {
            self.lead_bodies(led);
        }
        match (first, last) {
            (true, true) => self.physics.step(seconds),
            (true, false) => self.physics.push(seconds, self.jobs.as_ref()),
            (false, true) => self.physics.pull(self.jobs.as_ref()),
            (false, false) => return,
        }
        if last {
            self.step_is_over();
        }
    }

    fn step_is_over(&mut self) {
        self.follow_bodies();
        self.cue_contacts();
    }

    fn teleport(&mut self) -> u32 {
        let mut teleported = 0;
        for idx in 0..self.work.teleporters.len() {
            let entity = self.work.teleporters[idx];
            let Some(pose) = self.ecs.get::<&Teleporting>(entity).ok().and_then(|teleporting| {
                let visit = visit(self.tick.0, teleporting.0.every_ticks)?;
                let poses = &teleporting.0.poses;
                let count = poses.len() as u64;
                if count == 0 { None } else { Some(poses[((visit - 1) % count) as usize].pose()) }
            }) else {
                continue;
            };
            self.put(entity, pose);
            self.cue(entity, SoundWhen::Teleport, 1.0);
            teleported += 1;
        }
        teleported
    }

    /// As far as `share` of the way to where they are.
    fn lead_bodies(&mut self, share: f64) {
        for entity in &self.work.anchored {
            let Ok(bodied) = self.ecs.get::<&Bodied>(*entity) else { continue };
            if bodied.role == Role::Led {
                let pose = self.world_pose_of(*entity);
                self.physics.lead(bodied.id, &pose, share);
            }
        }
    }

    fn follow_bodies(&mut self) {
        let physics = &self.physics;
        sweep::<(&Bodied, &mut Placed)>(
            self.jobs.as_ref(),
            "sweep bodies",
            &mut self.ecs,
            |(bodied, placed)| {
                if bodied.role == Role::Dynamic
                    && let Some(pose) = physics.pose_awake(bodied.id, bodied.scale)
                    && pose.is_finite()
                {
                    placed.pose = pose;
                }
            },
        );
    }

    fn run_spawners(&mut self) -> u32 {
        let mut spawned = 0;
        for idx in 0..self.work.spawners.len() {
            let entity = self.work.spawners[idx];
            let Ok(mut spawning) = self.ecs.get::<&mut Spawning>(entity) else { continue };
            let due = visit(self.tick.0, spawning.spawner.every_ticks).is_some();
            if !due || spawning.alive >= spawning.spawner.limit {
                continue;
            }
            spawning.alive += 1;
            spawning.made += 1;
            let name = self.ecs.get::<&Name>(entity).map(|name| name.0.clone()).unwrap_or_default();
            let name = format!("{name} {}", spawning.made);
            let lifetime = u64::from(spawning.spawner.lifetime_ticks);
            let dies = if lifetime == 0 { None } else { Some(self.tick.0 + lifetime) };
            let copy = copy_of(&spawning.spawner, name, self.random.signed_unit());
            drop(spawning);
            let pose = self.world_pose_of(entity);
            self.add_spawned(&copy, pose, NO_ROW, Some(Spawned { by: Some(entity), dies }));
            self.cue(entity, SoundWhen::Spawn, 1.0);
            spawned += 1;
        }
        spawned
    }
}

/// Which visit of something that happens every so many ticks falls on this tick, from 1.
fn visit(tick: u64, every_ticks: u32) -> Option<u64> {
    let every = u64::from(every_ticks.max(1));
    if tick > 0 && tick.is_multiple_of(every) { Some(tick / every) } else { None }
}

/// One copy of the prototype; `random` in [−1, 1) turns its velocity about y.
fn copy_of(spawner: &Spawner, name: String, random: f64) -> Entity {
    let degrees = f64::from(spawner.spread_degrees) * random;
    let (sin, cos) = libm::sincos(degrees.to_radians() / 2.0);
    let turn = Quat::from_xyzw(0.0, sin as f32, 0.0, cos as f32);
    let body = spawner.body.map(|mut body| {
        body.velocity = turn * body.velocity;
        body
    });
    Entity { name, shape: Some(spawner.shape), body, ..Entity::default() }
}
