//! What a run in the viewport sounds like: its cues are taken with its records, and heard until Stop.

use framewalk_runtime::time::Nanos;
use framewalk_runtime::world::SoundCue;

use super::EditorApp;
use crate::audio::mixer::Mixer;
use crate::audio::{Output, Silent, open};
use crate::session::Phase;
use crate::session::run::Drive;

/// The voices of the run that lives.
#[derive(Default)]
pub(super) struct Sounding {
    // Open while a run lives in which something may be heard.
    output: Option<Box<dyn Output>>,
    mixer: Mixer,
    cues: Vec<SoundCue>,
    last: Nanos,
    // A test's own, for the next run.
    pub next_output: Option<Box<dyn Output>>,
}

impl Sounding {
    /// Nothing is heard any more, and the device is given back.
    pub fn end(&mut self) {
        if let Some(mut output) = self.output.take() {
            self.mixer.end(&mut *output);
        }
        self.mixer = Mixer::default();
    }

    /// Of all sounds, 0 to 1.
    pub fn set_volume(&mut self, volume: f32) {
        if let Some(output) = &mut self.output {
            output.set_volume(volume);
        }
    }
}

impl EditorApp {
    /// A run has begun: a device is opened if there is something to hear.
    pub(super) fn begin_sounding(&mut self) {
        let Some(workspace) = &mut self.workspace else { return };
        if workspace.session.sounds().is_none() {
            return;
        }
        let opened = self.sounding.next_output.take();
        let opened = opened.unwrap_or_else(|| match self.drive {
            Drive::Threads => open(),
            Drive::Virtual { .. } => Box::new(Silent),
        });
        self.sounding.output = Some(opened);
        self.sounding.last = workspace.session.now().unwrap_or_default();
        self.sounding.set_volume(self.settings.volume());
    }

    /// Takes what sounded since the last pass. While the run stands, so does all that is heard of it.
    pub(super) fn follow_sounds(&mut self) {
        let Some(workspace) = &mut self.workspace else { return };
        let (phase, now) = (workspace.session.phase(), workspace.session.now());
        let Sounding { output: Some(output), mixer, cues, last, .. } = &mut self.sounding else { return };
        let (Some(sounds), Some(now)) = (workspace.session.sounds(), now) else { return };
        mixer.hold(phase != Phase::Playing, &mut **output);
        cues.clear();
        sounds.drain(|cue| cues.push(cue));
        let passed = now - std::mem::replace(last, now);
        mixer.update(passed, cues, sounds.soundscape(), &mut **output);
    }
}
