//! What a run sounds like: cues and places go in, tones come out.
//!
//! ```text
//!   sim ── cues (queue), places (slot) ──▶ mixer ──▶ output: speaker, or silent
//!                                            ▲
//!                                    clock: a rate of its own
//! ```
//!
//! Whose turn that is: the window's thread of `play`, which comes round a thousand times a second, or a [`thread`] of its
//! own, where a window makes passes as seldom as it likes.
//!
//! What sounds, how loud and from which side is decided in [`mixer`] and [`spatial`], which know no device; [`tone`]
//! computes the samples; [`speaker`] knows kira, and [`device`] what takes samples. Without a device everything is the
//! same, and nothing is heard; where one is lost, or comes later, sounds go on as if it had been there.

pub mod clock;
pub mod device;
pub mod mixer;
pub mod spatial;
pub mod speaker;
pub mod thread;
pub mod tone;

use std::time::Duration;

use framewalk_inspector::stats::Distribution;
use framewalk_runtime::frame::sounds::SoundReceiver;
use framewalk_runtime::scene::{EntityId, Sound};
use framewalk_runtime::time::{Nanos, Rate};
use framewalk_runtime::world::SoundCue;

use clock::AudioClock;
use mixer::Mixer;
use spatial::Level;

/// What is heard through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// The device there is, or the last one there was; none where nothing was ever heard.
    pub device: Option<String>,
    /// Frames it takes a second.
    pub sample_rate: u32,
    /// Times that a device went away, or took nothing any more.
    pub losses: u64,
    /// Times that samples came too late for it, and a gap was heard.
    pub underruns: u64,
}

/// Where tones come out, on whichever thread looks after them. Each entity has one voice at most.
pub trait Output: Send {
    /// What is heard through, and how that fared.
    fn heard(&self) -> Heard;
    /// The entity sounds from now on, anew if it does already.
    fn start(&mut self, entity: EntityId, sound: &Sound, level: Level);
    fn set(&mut self, entity: EntityId, level: Level);
    fn stop(&mut self, entity: EntityId);
    /// Everything stands still where it is, or goes on from there.
    fn hold(&mut self, held: bool);
    /// Of all together, 0–1.
    fn set_volume(&mut self, volume: f32);
}

/// Nothing is heard.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Output for Silent {
    fn heard(&self) -> Heard {
        Heard::default()
    }

    fn start(&mut self, _: EntityId, _: &Sound, _: Level) {}

    fn set(&mut self, _: EntityId, _: Level) {}

    fn stop(&mut self, _: EntityId) {}

    fn hold(&mut self, _: bool) {}

    fn set_volume(&mut self, _: f32) {}
}

/// The system's device, whenever it has one; silent where nobody can look after it, which is said.
#[must_use]
pub fn open() -> Box<dyn Output> {
    match speaker::open() {
        Ok(speaker) => Box::new(speaker),
        Err(reason) => {
            tracing::warn!(target: "framewalk", reason, "audio_silent");
            Box::new(Silent)
        }
    }
}

/// The sounds of one run, at a rate of their own.
pub struct Audio {
    output: Box<dyn Output>,
    mixer: Mixer,
    clock: AudioClock,
    receiver: SoundReceiver,
    cues: Vec<SoundCue>,
    heard: u64,
    held: bool,
}

/// What is reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AudioFigures {
    pub heard: Heard,
    pub asked: Rate,
    pub updates: u64,
    /// Updates left out, because one before them was late.
    pub missed: u64,
    /// How long after its deadline each update was made.
    pub late: Distribution,
    /// Cues that came, sounds that were started of them until the end, and cues that were lost on the way.
    pub cues: u64,
    pub started: u64,
    pub lost: u64,
}

impl Audio {
    /// Updates that begin now.
    #[must_use]
    pub fn new(output: Box<dyn Output>, receiver: SoundReceiver, now: Nanos, rate: Rate) -> Self {
        Self {
            output,
            mixer: Mixer::default(),
            clock: AudioClock::new(now, rate),
            receiver,
            cues: Vec::new(),
            heard: 0,
            held: false,
        }
    }

    /// Makes the update that is due now, if one is.
    pub fn update_if_due(&mut self, now: Nanos) {
        if !self.held
            && let Some(passed) = self.clock.due(now)
        {
            self.update(passed);
        }
    }

    /// The run stands, and so does all that is heard of it, until it goes on: meanwhile nothing is due.
    pub fn hold(&mut self, held: bool, now: Nanos) {
        if self.held == held {
            return;
        }
        self.held = held;
        if held {
            // What is over by now does not stay for as long as the run stands.
            let passed = self.clock.stop(now);
            self.update(passed);
        } else {
            self.clock.go_on(now);
        }
        self.mixer.hold(held, &mut *self.output);
    }

    /// A run that stands was stepped: what begins in that is heard once it goes on.
    pub fn look(&mut self) {
        if self.held {
            self.update(Nanos::ZERO);
        }
    }

    /// Of all sounds together, 0 to 1.
    pub fn set_volume(&mut self, volume: f32) {
        self.output.set_volume(volume);
    }

    fn update(&mut self, passed: Nanos) {
        self.cues.clear();
        let cues = &mut self.cues;
        self.receiver.drain(|cue| cues.push(cue));
        self.heard += self.cues.len() as u64;
        self.mixer.update(passed, &self.cues, self.receiver.soundscape(), &mut *self.output);
    }

    /// How long nothing is due; for ever while the run stands.
    #[must_use]
    pub fn wait(&self, now: Nanos) -> Duration {
        if self.held { Duration::MAX } else { self.clock.wait(now) }
    }

    /// The run is over: nothing sounds any more.
    pub fn end(&mut self) {
        self.mixer.end(&mut *self.output);
    }

    /// What is reported, with the cues that came too late to be heard.
    #[must_use]
    pub fn figures(&mut self) -> AudioFigures {
        let heard = &mut self.heard;
        self.receiver.drain(|_| *heard += 1);
        AudioFigures {
            heard: self.output.heard(),
            asked: self.clock.asked(),
            updates: self.clock.updates(),
            missed: self.clock.missed(),
            late: self.clock.late().clone(),
            cues: self.heard,
            started: self.mixer.started(),
            lost: self.receiver.lost(),
        }
    }
}

#[cfg(test)]
pub(crate) mod recorded;
#[cfg(test)]
mod tests;
