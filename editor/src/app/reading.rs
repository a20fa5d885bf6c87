//! Reading scenes again off the window's thread, and comparing them with their files: what is done with the answer
//! depends on how things stand when it comes.

use std::path::{Path, PathBuf};

use framewalk_runtime::time::Nanos;

use super::EditorApp;
use super::on_disk::OnDisk;
use crate::project::both::Both;
use crate::project::jobs::{Compare, Job, Progress};
use crate::project::store::ReadScene;
use crate::shell::question::{Comparison, Question};
use crate::shell::status::Message;

/// Reading that has gone on for longer is said.
const LONG: Nanos = Nanos::from_millis(300);

/// A scene's file that is being read.
#[derive(Debug)]
pub(crate) struct Reading {
    why: Why,
    progress: Progress,
    began: Nanos,
    /// It may have been changed since: it is to be looked at again.
    again: bool,
}

/// What a scene's file is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// Somebody may have changed it.
    Follow,
    /// What is here is to be thrown away for it: the document's revision when that was said.
    Revert(u64),
}

impl EditorApp {
    /// A scene's file is being read again.
    #[must_use]
    pub fn is_reading(&self) -> bool {
        self.workspace.as_ref().is_some_and(|open| open.scenes.iter().any(|scene| scene.reading.is_some()))
    }

    /// A scene is being compared with its file, to show both.
    #[must_use]
    pub fn is_comparing_sides(&self) -> bool {
        self.dialogs.comparing_sides().is_some()
    }

    /// The status bar says that a file is being read: it takes long.
    pub(super) fn reads_long(&self) -> bool {
        let now = self.now();
        let mut readings = self
            .workspace
            .iter()
            .flat_map(|open| open.scenes.iter())
            .filter_map(|scene| scene.reading.as_ref());
        readings.any(|reading| now - reading.began >= LONG)
    }

    /// Has the file of a scene read.
    pub(super) fn read_again(&mut self, file: &Path, why: Why) {
        let now = self.now();
        let Some(scene) = self.workspace.as_mut().and_then(|open| open.scene_mut(file)) else { return };
        match (&mut scene.reading, why) {
            (Some(reading), Why::Follow) => {
                reading.again = true;
                return;
            }
            (Some(reading), Why::Revert(_)) => reading.progress.give_up(),
            (None, _) => {}
        }
        // Whoever goes back to the file takes what it says, be it what it said before.
        let knows = why == Why::Follow && scene.authored.is_some() && !scene.file.is_gone;
        let known = knows.then(|| scene.file.text.clone());
        let progress = Progress::default();
        scene.reading = Some(Reading { why, progress: progress.clone(), began: now, again: false });
        self.jobs.give(Job::Read { file: file.to_owned(), known, progress });
    }

    /// Reads a scene again from its file; what was not saved is gone.
    pub(super) fn revert(&mut self, file: &Path) {
        let Some(scene) = self.workspace.as_mut().and_then(|open| open.scene_mut(file)) else { return };
        let revision = scene.document.revision();
        self.read_again(file, Why::Revert(revision));
    }

    /// What is here is to be thrown away for what is being read.
    pub(super) fn is_reverting(&self) -> bool {
        let mut scenes = self.workspace.iter().flat_map(|open| open.scenes.iter());
        scenes.any(|scene| scene.reading.as_ref().is_some_and(|reading| reading.why != Why::Follow))
    }

    /// What is here is not thrown away after all.
    pub(super) fn give_up_reverting(&mut self) {
        for scene in self.workspace.iter_mut().flat_map(|open| open.scenes.iter_mut()) {
            if let Some(reading) = scene.reading.take_if(|reading| reading.why != Why::Follow) {
                reading.progress.give_up();
                let text = format!("{} is not read: what is here stays.", scene.file.path.display());
                self.message = Some(Message::info(text));
            }
        }
    }

    /// Takes what was read of a file; `None` where it has the text that was known.
    pub(super) fn took_read(&mut self, progress: &Progress, read: Option<ReadScene>) {
        let Some(workspace) = &mut self.workspace else { return };
        let is_its = |reading: &mut Reading| reading.progress == *progress;
        // A scene may have been renamed or closed meanwhile, or what was wanted was given up.
        let found = workspace.scenes.iter_mut().find_map(|scene| {
            let reading = scene.reading.take_if(is_its)?;
            Some((scene.file.path.clone(), scene.document.revision(), scene.saving.is_writing(), reading))
        });
        let Some((file, revision, is_writing, reading)) = found else { return };
        match reading.why {
            // What was read may be what is being written over now: it is looked at again behind that.
            Why::Follow if is_writing => return self.follow_file(&file),
            Why::Follow => self.followed(&file, read),
            // What was changed meanwhile is not what was said of.
            Why::Revert(said_of) if said_of != revision => self.ask_which_counts(&file, None),
            Why::Revert(_) => {
                if let Some(read) = read {
                    self.take_read(&file, read);
                }
            }
        }
        if reading.again {
            self.follow_file(&file);
        }
    }

    /// The scene is from now on what was read; the last good one where that is refused. True where it is good.
    pub(super) fn take_read(&mut self, file: &Path, read: ReadScene) -> bool {
        let Some(workspace) = &mut self.workspace else { return false };
        let rate = workspace.session.choices.tick_rate;
        let Some(scene) = workspace.scene_mut(file) else { return false };
        scene.on_disk = OnDisk::AsRead;
        let read = scene.file.note_read(read);
        let is_good = scene.take(read, rate);
        if !is_good {
            scene.autosave.hurry();
        }
        self.say_refusal(file);
        is_good
    }

    /// Asks again, with the lines that differ: they are looked for meanwhile.
    pub(super) fn show_both(&mut self, file: PathBuf) {
        let Some(scene) = self.workspace.as_mut().and_then(|open| open.scene_mut(&file)) else { return };
        let progress = Progress::default();
        let compare = Compare {
            file: file.clone(),
            base: scene.base_text.clone(),
            scene: scene.document.scene().clone(),
            progress: progress.clone(),
        };
        self.dialogs.ask_first(Question::BothSides { file, both: Comparison::Coming(progress) });
        self.jobs.give(Job::Compare(Box::new(compare)));
    }

    /// Takes what was found to differ, or why nothing was; `None` where it was given up.
    pub(super) fn took_comparison(&mut self, progress: &Progress, both: Option<Result<Both, Vec<String>>>) {
        match both {
            Some(Ok(both)) => self.dialogs.compared(progress, both),
            Some(Err(faults)) if self.dialogs.not_compared(progress) => {
                self.say(Message::error("The scene cannot be written, and so not compared.", faults));
            }
            _ => {}
        }
    }
}
