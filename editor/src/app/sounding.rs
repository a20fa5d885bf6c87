//! What a run in the viewport sounds like, until Stop: its sounds are looked after at their own rate, and not by the passes.

use framewalk_runtime::time::{FrameIndex, Nanos};

use super::EditorApp;
use crate::audio::thread::AudioThread;
use crate::audio::{Audio, Output, Silent, open};
use crate::session::Phase;
use crate::session::run::Drive;

/// The voices of the run that lives.
#[derive(Default)]
pub(super) struct Sounding {
    // While a run lives in which something may be heard.
    audio: Option<Looked>,
    held: bool,
    // The newest frame that a run which stands was looked at with.
    seen: Option<FrameIndex>,
    // A test's own, for the next run.
    pub next_output: Option<Box<dyn Output>>,
}

/// Who looks after them.
enum Looked {
    ByThread(AudioThread),
    /// In virtual time the passes do, on its clock.
    ByPasses(Box<Audio>),
}

impl Sounding {
    /// Nothing is heard any more, and the device is given back.
    pub fn end(&mut self) {
        if let Some(Looked::ByPasses(mut audio)) = self.audio.take() {
            audio.end();
        }
    }

    /// Of all sounds, 0 to 1.
    pub fn set_volume(&mut self, volume: f32) {
        match &mut self.audio {
            Some(Looked::ByThread(thread)) => thread.set_volume(volume),
            Some(Looked::ByPasses(audio)) => audio.set_volume(volume),
            None => {}
        }
    }

    /// While the run stands, so does all that is heard of it.
    fn hold(&mut self, held: bool, now: Nanos) {
        match &mut self.audio {
            Some(Looked::ByThread(thread)) if self.held != held => thread.hold(held),
            Some(Looked::ByPasses(audio)) => audio.hold(held, now),
            _ => {}
        }
        self.held = held;
    }

    /// One pass more.
    fn follow(&mut self, newest: Option<FrameIndex>, now: Nanos) {
        let is_stepped = self.held && self.seen != newest;
        match &mut self.audio {
            Some(Looked::ByThread(thread)) if is_stepped => thread.look(),
            Some(Looked::ByPasses(audio)) if is_stepped => audio.look(),
            Some(Looked::ByPasses(audio)) => audio.update_if_due(now),
            _ => {}
        }
        self.seen = newest;
    }
}

impl EditorApp {
    /// A run has begun: a device is opened if there is something to hear.
    pub(super) fn begin_sounding(&mut self) {
        let Some(workspace) = &mut self.workspace else { return };
        let Some(sounds) = workspace.session.take_sounds() else { return };
        let opened = self.sounding.next_output.take();
        let opened = opened.unwrap_or_else(|| match self.drive {
            Drive::Threads => open(),
            Drive::Virtual { .. } => Box::new(Silent),
        });
        let now = workspace.session.now().unwrap_or_default();
        let mut audio = Audio::new(opened, sounds, now, workspace.session.audio_rate());
        audio.set_volume(self.settings.volume());
        self.sounding.audio = match self.drive {
            Drive::Virtual { .. } => Some(Looked::ByPasses(Box::new(audio))),
            Drive::Threads => match AudioThread::start(audio) {
                Ok(thread) => Some(Looked::ByThread(thread)),
                Err(error) => {
                    tracing::warn!(target: "framewalk", %error, "audio_silent");
                    None
                }
            },
        };
        self.sounding.held = false;
        self.follow_sounds();
    }

    /// Whether the run stands is known by the passes alone.
    pub(super) fn follow_sounds(&mut self) {
        let Some(workspace) = &self.workspace else { return };
        let Some(now) = workspace.session.now() else { return };
        let newest = workspace.session.newest().map(|record| record.frame);
        self.sounding.hold(workspace.session.phase() != Phase::Playing, now);
        self.sounding.follow(newest, now);
    }
}
