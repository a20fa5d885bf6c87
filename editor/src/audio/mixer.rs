//! Which entities sound, how loud and from where: cues and places in, what an output is told out. No clock, no device.

use framewalk_runtime::frame::sounds::Soundscape;
use framewalk_runtime::scene::{EntityId, Sound};
use framewalk_runtime::time::Nanos;
use framewalk_runtime::world::SoundCue;
use glam::Vec3;

use super::Output;
use super::spatial::{Level, level};

/// Most that sound at once; the oldest gives way to a new one.
pub const MOST_VOICES: usize = 32;

/// What nobody hears is not told: a change of gain or pan below this.
const UNHEARD: f32 = 0.001;

/// The voices of a run.
#[derive(Clone, Debug, Default)]
pub struct Mixer {
    /// In the order in which they began.
    voices: Vec<Voice>,
    started: u64,
    held: bool,
}

#[derive(Clone, Copy, Debug)]
struct Voice {
    entity: EntityId,
    sound: Sound,
    strength: f32,
    place: Vec3,
    level: Level,
    /// None: as long as the entity is there.
    left: Option<Nanos>,
    /// It was among the places once: when it is not any more, it is gone.
    placed: bool,
}

impl Mixer {
    /// Time has passed since the last update: what is over ends, what is cued begins, and what moved is heard from where
    /// it is now.
    pub fn update(
        &mut self,
        passed: Nanos,
        cues: &[SoundCue],
        scape: &Soundscape,
        output: &mut (impl Output + ?Sized),
    ) {
        if !self.held {
            self.pass(passed, output);
        }
        for cue in cues {
            self.begin(cue, scape, output);
        }
        self.move_voices(scape, output);
    }

    /// Everything stands, or goes on where it stood: a run that pauses.
    pub fn hold(&mut self, held: bool, output: &mut (impl Output + ?Sized)) {
        if self.held != held {
            self.held = held;
            output.hold(held);
        }
    }

    /// Nothing sounds any more.
    pub fn end(&mut self, output: &mut (impl Output + ?Sized)) {
        for voice in self.voices.drain(..) {
            output.stop(voice.entity);
        }
        self.hold(false, output);
    }

    /// Sounds that were started.
    #[must_use]
    pub const fn started(&self) -> u64 {
        self.started
    }

    fn pass(&mut self, passed: Nanos, output: &mut (impl Output + ?Sized)) {
        self.voices.retain_mut(|voice| {
            let Some(left) = &mut voice.left else { return true };
            *left -= passed;
            let goes_on = *left > Nanos::ZERO;
            if !goes_on {
                output.stop(voice.entity);
            }
            goes_on
        });
    }

    fn begin(&mut self, cue: &SoundCue, scape: &Soundscape, output: &mut (impl Output + ?Sized)) {
        self.voices.retain(|voice| voice.entity != cue.entity);
        if self.voices.len() == MOST_VOICES {
            output.stop(self.voices.remove(0).entity);
        }
        let seconds = f64::from(cue.sound.seconds);
        let mut voice = Voice {
            entity: cue.entity,
            sound: cue.sound,
            strength: cue.strength,
            place: cue.place,
            level: Level::default(),
            left: (seconds > 0.0).then(|| Nanos((seconds * 1e9).round() as i64)),
            placed: false,
        };
        voice.hear(scape);
        output.start(voice.entity, &voice.sound, voice.level);
        self.voices.push(voice);
        self.started += 1;
    }

    fn move_voices(&mut self, scape: &Soundscape, output: &mut (impl Output + ?Sized)) {
        self.voices.retain_mut(|voice| {
            let before = voice.level;
            let is_there = voice.hear(scape);
            if voice.left.is_none() && voice.placed && !is_there {
                output.stop(voice.entity);
                return false;
            }
            let Level { gain, pan } = voice.level;
            if (gain - before.gain).abs() < UNHEARD && (pan - before.pan).abs() < UNHEARD {
                // Small changes add up until they are told.
                voice.level = before;
            } else {
                output.set(voice.entity, voice.level);
            }
            true
        });
    }
}

impl Voice {
    /// Hears it from where it is now, or was last; false where it is not there any more.
    fn hear(&mut self, scape: &Soundscape) -> bool {
        let place = scape.place_of(self.entity);
        if let Some(place) = place {
            (self.place, self.placed) = (place, true);
        }
        let volume = self.sound.volume * self.strength;
        self.level = level(volume, self.sound.max_distance, scape.listener.as_ref(), self.place);
        place.is_some()
    }
}
