//! Tones through kira, to whatever they are heard through.

use std::sync::{Arc, PoisonError};

use framewalk_runtime::scene::{EntityId, Sound};
use kira::backend::Backend;
use kira::sound::static_sound::{StaticSoundData, StaticSoundHandle, StaticSoundSettings};
use kira::track::{MainTrackBuilder, TrackBuilder, TrackHandle};
use kira::{AudioManager, AudioManagerSettings, Capacities, Decibels, Frame, Panning, Tween};

use super::device::system::System;
use super::device::{DeviceBackend, Devices, Told};
use super::spatial::Level;
use super::tone::{SAMPLE_RATE, samples};
use super::{Heard, Output};

/// Different sounds of which the samples are kept.
const MOST_KEPT: usize = 64;

/// What sounds, and what it is heard through.
pub struct Speaker<B: Backend> {
    told: Told,
    voices: Vec<(EntityId, StaticSoundHandle)>,
    tones: Vec<(Sound, Arc<[Frame]>)>,
    track: TrackHandle,
    // A device is kept open for as long as it is there.
    _manager: AudioManager<B>,
}

/// The system's default device, whenever there is one.
///
/// # Errors
/// Nobody can look after it: a sentence.
pub fn open() -> Result<Speaker<DeviceBackend<System>>, String> {
    on(System)
}

/// Heard through these devices.
fn on<D: Devices>(devices: D) -> Result<Speaker<DeviceBackend<D>>, String> {
    let told = Told::default();
    let settings = settings((devices, Arc::clone(&told)));
    let manager = AudioManager::new(settings).map_err(|error| format!("no thread for sounds: {error}"))?;
    Speaker::new(manager, told)
}

/// kira's own, in a way out of our own.
fn settings<B: Backend>(backend_settings: B::Settings) -> AudioManagerSettings<B> {
    AudioManagerSettings {
        capacities: Capacities::default(),
        main_track_builder: MainTrackBuilder::new(),
        internal_buffer_size: 128,
        backend_settings,
    }
}

impl<B: Backend> Speaker<B> {
    pub(super) fn new(mut manager: AudioManager<B>, told: Told) -> Result<Self, String> {
        let track = manager.add_sub_track(TrackBuilder::new()).map_err(|error| error.to_string())?;
        Ok(Self { told, voices: Vec::new(), tones: Vec::new(), track, _manager: manager })
    }

    /// Computed once for each sound.
    fn frames(&mut self, sound: &Sound) -> Arc<[Frame]> {
        // How loud it is, and when it sounds, is not in its samples.
        let alike = |kept: &Sound| {
            (kept.wave, kept.hertz.to_bits(), kept.seconds.to_bits())
                == (sound.wave, sound.hertz.to_bits(), sound.seconds.to_bits())
        };
        if let Some((_, frames)) = self.tones.iter().find(|(kept, _)| alike(kept)) {
            return frames.clone();
        }
        let frames: Arc<[Frame]> = samples(sound).into_iter().map(Frame::from_mono).collect();
        if self.tones.len() == MOST_KEPT {
            self.tones.remove(0);
        }
        self.tones.push((*sound, frames.clone()));
        frames
    }

    #[cfg(test)]
    pub(super) fn sounding(&self) -> usize {
        self.track.num_sounds()
    }

    fn voice(&mut self, entity: EntityId) -> Option<&mut StaticSoundHandle> {
        self.voices.iter_mut().find(|(of, _)| *of == entity).map(|(_, voice)| voice)
    }
}

impl<B: Backend + Send> Output for Speaker<B> {
    fn heard(&self) -> Heard {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn start(&mut self, entity: EntityId, sound: &Sound, level: Level) {
        self.stop(entity);
        let mut settings =
            StaticSoundSettings::new().volume(decibels(level.gain)).panning(Panning(level.pan));
        if sound.seconds <= 0.0 {
            settings = settings.loop_region(..);
        }
        let frames = self.frames(sound);
        let data = StaticSoundData { sample_rate: SAMPLE_RATE, frames, settings, slice: None };
        match self.track.play(data) {
            Ok(voice) => self.voices.push((entity, voice)),
            // More at once than it takes: this one is not heard.
            Err(error) => tracing::debug!(target: "framewalk", %error, "sound_not_played"),
        }
    }

    fn set(&mut self, entity: EntityId, level: Level) {
        if let Some(voice) = self.voice(entity) {
            voice.set_volume(decibels(level.gain), Tween::default());
            voice.set_panning(Panning(level.pan), Tween::default());
        }
    }

    fn stop(&mut self, entity: EntityId) {
        if let Some(at) = self.voices.iter().position(|(of, _)| *of == entity) {
            self.voices.swap_remove(at).1.stop(Tween::default());
        }
    }

    fn hold(&mut self, held: bool) {
        if held {
            self.track.pause(Tween::default());
        } else {
            self.track.resume(Tween::default());
        }
    }

    fn set_volume(&mut self, volume: f32) {
        self.track.set_volume(decibels(volume), Tween::default());
    }
}

/// Of an amplitude; −60 is silence.
fn decibels(gain: f32) -> Decibels {
    if gain > 0.001 { Decibels(20.0 * gain.log10()) } else { Decibels::SILENCE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kira::backend::mock::{MockBackend, MockBackendSettings};

    fn speaker() -> Speaker<MockBackend> {
        let settings = settings(MockBackendSettings { sample_rate: 48_000 });
        Speaker::new(AudioManager::new(settings).expect("a mock"), Told::default()).expect("a track")
    }

    /// Lets so many milliseconds be played.
    fn play(speaker: &mut Speaker<MockBackend>, millis: usize) {
        let backend = speaker._manager.backend_mut();
        // 128 samples each.
        for _ in 0..millis * 48 / 128 + 1 {
            backend.on_start_processing();
            backend.process();
        }
    }

    #[test]
    fn a_sound_is_there_until_it_is_over_and_one_without_an_end_until_it_is_stopped() {
        let mut speaker = speaker();
        let (short, endless) =
            (Sound { seconds: 0.1, ..Sound::default() }, Sound { seconds: 0.0, ..Sound::default() });
        let level = Level { gain: 0.5, pan: 0.0 };
        speaker.start(EntityId(1), &short, level);
        speaker.start(EntityId(2), &endless, level);
        play(&mut speaker, 20);
        assert_eq!(speaker.track.num_sounds(), 2);
        play(&mut speaker, 200);
        assert_eq!(speaker.track.num_sounds(), 1);
        play(&mut speaker, 2_000);
        speaker.set(EntityId(2), Level { gain: 0.2, pan: 1.0 });
        speaker.stop(EntityId(2));
        play(&mut speaker, 100);
        assert_eq!((speaker.track.num_sounds(), speaker.voices.len()), (0, 1));
    }

    #[test]
    fn what_is_held_is_not_over_before_it_goes_on() {
        let mut speaker = speaker();
        let short = Sound { seconds: 0.1, ..Sound::default() };
        speaker.start(EntityId(1), &short, Level { gain: 0.5, pan: 0.0 });
        play(&mut speaker, 20);
        speaker.hold(true);
        play(&mut speaker, 1_000);
        assert_eq!(speaker.track.num_sounds(), 1);
        speaker.hold(false);
        play(&mut speaker, 200);
        assert_eq!(speaker.track.num_sounds(), 0);
    }

    #[test]
    fn a_sound_that_begins_anew_takes_the_place_of_the_one_that_sounds() {
        let mut speaker = speaker();
        for _ in 0..5 {
            speaker.start(EntityId(1), &Sound { seconds: 1.0, ..Sound::default() }, Level::default());
            play(&mut speaker, 30);
        }
        assert_eq!((speaker.track.num_sounds(), speaker.voices.len(), speaker.tones.len()), (1, 1, 1));
    }

    #[test]
    fn an_amplitude_of_a_tenth_is_20_decibels_less() {
        for (gain, expected) in [(1.0, 0.0), (0.1, -20.0), (0.01, -40.0), (0.001, -60.0), (0.0, -60.0)] {
            assert!((decibels(gain).0 - expected).abs() < 1e-4, "{gain}");
        }
    }
}
