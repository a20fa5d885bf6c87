//! What a tick tells of sounds: cues, for whoever listens. They are no part of the state, and nothing comes of them here.

use super::World;
use super::components::Bodied;
use crate::scene::{EntityId, Sound, SoundWhen};
use crate::time::Tick;
use glam::Vec3;

/// Most cues of one tick; more are lost, and counted.
pub const MOST_CUES: usize = 256;

/// m/s along which two bodies meet: slower ones settle, and are not heard to touch.
const QUIETEST_CONTACT: f32 = 0.2;
/// m/s from which a contact is as loud as it gets.
const LOUDEST_CONTACT: f32 = 5.0;

/// An entity sounds from now on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoundCue {
    /// The tick that made it sound.
    pub tick: Tick,
    pub entity: EntityId,
    /// The sound as the entity has it in that tick.
    pub sound: Sound,
    /// Of its volume, 0–1: of a contact by how fast the bodies met, else 1.
    pub strength: f32,
    /// Where the entity was, in world space.
    pub place: Vec3,
}

/// The cues of the last tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Cues {
    cues: Vec<SoundCue>,
    lost: u64,
    /// Have not had their first tick.
    pub begun: Vec<hecs::Entity>,
}

impl Cues {
    /// Makes room once, so that no tick allocates.
    pub fn expect(&mut self, entity: hecs::Entity) {
        self.cues.reserve_exact(MOST_CUES.saturating_sub(self.cues.len()));
        self.begun.push(entity);
    }

    fn put(&mut self, cue: SoundCue) {
        if self.cues.len() < MOST_CUES {
            self.cues.push(cue);
        } else {
            self.lost += 1;
        }
    }
}

impl World {
    /// What the last tick made to sound: in the order of a tick's parts, and in each of them in the author's.
    #[must_use]
    pub fn sound_cues(&self) -> &[SoundCue] {
        &self.sounds.cues
    }

    /// Cues since Play beyond the [`MOST_CUES`] of their tick, and contacts beyond what a physics step notes.
    #[must_use]
    pub const fn sound_cues_lost(&self) -> u64 {
        self.sounds.lost
    }

    /// The row and the id of everything that may sound.
    pub(crate) fn each_sounding(&self, mut each: impl FnMut(u32, EntityId)) {
        for entity in &self.work.sounding {
            let row = self.row_of[entity.id() as usize];
            each(row, self.rows[row as usize].id);
        }
    }

    /// A tick begins: the cues of the last one are over, and what is new has its first.
    pub(super) fn begin_sounds(&mut self) {
        self.sounds.cues.clear();
        for idx in 0..self.sounds.begun.len() {
            self.cue(self.sounds.begun[idx], SoundWhen::Start, 1.0);
        }
        self.sounds.begun.clear();
    }

    /// The entity sounds, if that is when it does.
    pub(super) fn cue(&mut self, entity: hecs::Entity, when: SoundWhen, strength: f32) {
        let Some(sound) = self.sound_at(entity, when) else { return };
        let id = self.rows[self.row_of[entity.id() as usize] as usize].id;
        let place = self.world_pose_of(entity).position;
        self.sounds.put(SoundCue { tick: self.tick, entity: id, sound, strength, place });
    }

    /// A physics step is over: bodies that began to touch in it sound.
    pub(super) fn cue_contacts(&mut self) {
        self.sounds.lost += self.physics.take_unnoted_touches();
        for idx in 0..self.work.sounding.len() {
            let entity = self.work.sounding[idx];
            if self.sound_at(entity, SoundWhen::Contact).is_none() {
                continue;
            }
            let body = self.ecs.get::<&Bodied>(entity).ok().map(|bodied| bodied.id);
            let speed = body.and_then(|body| self.physics.touched_at(body)).unwrap_or(0.0);
            if speed >= QUIETEST_CONTACT {
                self.cue(entity, SoundWhen::Contact, (speed / LOUDEST_CONTACT).min(1.0));
            }
        }
    }

    /// Another sound, from now on; its first tick it has had.
    pub(super) fn set_sound(&mut self, entity: hecs::Entity, sound: Sound) -> bool {
        let Ok(present) = self.ecs.query_one_mut::<&mut Sound>(entity) else { return false };
        *present = sound;
        if let Ok(bodied) = self.ecs.get::<&Bodied>(entity) {
            self.physics.listen(bodied.id, sound.when == SoundWhen::Contact);
        }
        true
    }

    fn sound_at(&self, entity: hecs::Entity, when: SoundWhen) -> Option<Sound> {
        self.ecs.get::<&Sound>(entity).ok().map(|sound| *sound).filter(|sound| sound.when == when)
    }
}

#[cfg(test)]
mod tests;
