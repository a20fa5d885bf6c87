//! Saving off the window's thread, and keeping unsaved work for recovery: each scene by itself.

use std::path::{Path, PathBuf};

use framewalk_inspector::wording;
use framewalk_runtime::time::Nanos;

use super::EditorApp;
use super::autosave::AutosaveDue;
use crate::project::jobs::{Done, Job, Over, Progress, Save, Saved};
use crate::project::store;
use crate::shell::status::{Message, Writing};

/// A save that has gone on for longer says how far it is, this often.
const LONG: Nanos = Nanos::from_millis(300);
const TOLD_AGAIN: std::time::Duration = std::time::Duration::from_millis(100);

const NOT_SAVED: &str = "The scene was not saved. The file is as it was, and your work is still here.";

/// What is being written of a scene.
#[derive(Debug, Default)]
pub(crate) struct Saving {
    /// The file, where one is being written: the scene's own, or a copy beside it.
    file: Option<PathBuf>,
    /// Since when, and how much of it is done.
    began: Nanos,
    progress: Progress,
    /// It was asked for again meanwhile.
    again: bool,
    /// The document as it is being written.
    revision: u64,
}

impl Saving {
    pub(super) fn is_writing(&self) -> bool {
        self.file.is_some()
    }
}

impl EditorApp {
    /// A scene is being written.
    #[must_use]
    pub fn is_saving(&self) -> bool {
        self.workspace.as_ref().is_some_and(|open| open.scenes.iter().any(|scene| scene.saving.is_writing()))
    }

    /// What the status bar says of it: how much is done, where it takes long.
    pub(super) fn writing(&self) -> Writing {
        let all = self.workspace.iter().flat_map(|open| open.scenes.iter()).map(|scene| &scene.saving);
        // Of several, the one that was asked for first is being written, and the others wait.
        match all.filter(|saving| saving.is_writing()).min_by_key(|saving| saving.began) {
            None if self.reads_long() => Writing::Reading,
            None => Writing::Nothing,
            Some(saving) if self.now() - saving.began < LONG => Writing::Something,
            Some(saving) => Writing::Part(saving.progress.part()),
        }
    }

    /// Writes the scene in front to its file; only what was changed is changed there. Asked for while it is being
    /// written, it is written once more after that.
    pub(crate) fn save(&mut self, ctx: &egui::Context) {
        let Some(workspace) = &self.workspace else { return };
        let file = workspace.scenes.front.file.path.clone();
        self.save_files(&[file], ctx);
    }

    /// Writes every scene that is not as in its file.
    pub(crate) fn save_all(&mut self, ctx: &egui::Context) {
        let Some(workspace) = &self.workspace else { return };
        let files = workspace.unsaved();
        self.save_files(&files, ctx);
    }

    /// Writes the scenes of these files, one after the other.
    pub(crate) fn save_files(&mut self, files: &[PathBuf], ctx: &egui::Context) {
        if let Some(reason) = self.read_only_reason() {
            self.leaving = None;
            return self.say(Message::warning(reason));
        }
        for file in files {
            let Some(scene) = self.workspace.as_mut().and_then(|open| open.scene_mut(file)) else { continue };
            if scene.saving.is_writing() {
                scene.saving.again = true;
            } else if scene.is_only_here() && store::is_there(file) {
                // What it has now was read, but nobody has seen it as a scene: it may be half of somebody's work.
                self.leaving = None;
                let fault = scene.file.faults.first().cloned();
                self.ask_which_counts(file, fault);
            } else if scene.is_to_be_kept() {
                let known = scene.file.text.clone();
                self.give_scene(file, Over::Known(known));
            }
        }
        self.poll_jobs(ctx);
        // Nothing was to be written: what waits for it need not.
        if !self.is_saving() {
            self.follow_leaving(ctx);
        }
    }

    /// Has a scene written to its file.
    pub(crate) fn write_scene(&mut self, file: &Path, over: Over, ctx: &egui::Context) {
        if let Some(reason) = self.read_only_reason() {
            return self.say(Message::warning(reason));
        }
        self.give_scene(file, over);
        self.poll_jobs(ctx);
    }

    fn give_scene(&mut self, file: &Path, over: Over) {
        let Some(scene) = self.workspace.as_mut().and_then(|open| open.scene_mut(file)) else { return };
        if scene.saving.is_writing() {
            // One after the other: what comes of the first is known before the second begins.
            scene.saving.again = true;
            return;
        }
        scene.document.begin_save();
        self.give_save(file, file, over);
    }

    /// Has a scene written beside its file, and then reads the file again.
    pub(crate) fn save_copy_and_revert(&mut self, file: &Path, ctx: &egui::Context) {
        if let Some(reason) = self.read_only_reason() {
            return self.say(Message::warning(reason));
        }
        let scene = self.workspace.as_mut().and_then(|open| open.scene_mut(file));
        if scene.is_some_and(|scene| scene.saving.is_writing()) {
            // One after the other, as with the scene's own file: it is asked again.
            return self.ask_which_counts(file, None);
        }
        self.give_save(file, &store::copy_beside(file), Over::Nothing);
        self.poll_jobs(ctx);
    }

    fn give_save(&mut self, scene: &Path, to: &Path, over: Over) {
        let now = self.now();
        let Some(scene) = self.workspace.as_mut().and_then(|open| open.scene_mut(scene)) else { return };
        (scene.saving.began, scene.saving.progress) = (now, Progress::default());
        scene.saving.revision = scene.document.revision();
        let save = Save {
            progress: scene.saving.progress.clone(),
            file: to.to_owned(),
            base: scene.base_text.clone(),
            scene: scene.document.scene().clone(),
            over,
        };
        scene.saving.file = Some(to.to_owned());
        let entities = wording::count(save.scene.entities.len() as u64, "entity", "entities");
        let text = format!("Writing {}, {entities}…", to.display());
        self.jobs.give(Job::Save(Box::new(save)));
        self.message = Some(Message::info(text));
    }

    /// Takes what was done with files since.
    pub(crate) fn poll_jobs(&mut self, ctx: &egui::Context) {
        while let Some(done) = self.jobs.poll() {
            match done {
                Done::Saved { file, outcome } => self.saved(&file, outcome, ctx),
                Done::Read { progress, read } => self.took_read(&progress, read.map(|read| *read)),
                Done::Compared { progress, both } => self.took_comparison(&progress, both),
                Done::Kept { file, problem } => self.kept(&file, problem),
                Done::Forgotten | Done::Held => {}
            }
        }
        if self.is_saving() || self.is_reading() || self.is_comparing_sides() {
            ctx.request_repaint_after(TOLD_AGAIN);
        }
        self.play_once_read(ctx);
    }

    fn saved(&mut self, file: &Path, outcome: Saved, ctx: &egui::Context) {
        let Some(workspace) = &mut self.workspace else { return };
        // A scene is neither closed nor given another name before its writing has ended.
        let named = |of: &Saving| of.file.as_deref() == Some(file);
        let Some(scene) = workspace.scenes.iter_mut().find(|scene| named(&scene.saving)) else { return };
        let Saving { again, revision, .. } = std::mem::take(&mut scene.saving);
        let own = scene.file.path.clone();
        let is_copy = own != file;
        if !is_copy {
            scene.document.end_save(matches!(outcome, Saved::Written(_) | Saved::WasThere(_)));
        }
        if let (Saved::WasThere(text), false) = (&outcome, is_copy) {
            // What is saved later begins with their text.
            scene.base_text.clone_from(text);
        }
        match outcome {
            Saved::Written(text) | Saved::WasThere(text) => {
                self.written.push(file.to_owned());
                if is_copy && scene.document.revision() == revision {
                    self.revert(&own);
                } else if is_copy {
                    // What was changed meanwhile is not in the copy.
                    self.ask_which_counts(&own, None);
                } else {
                    let was_refused = scene.is_only_here();
                    scene.note_written(text);
                    if was_refused {
                        self.say_refusal(&own);
                    }
                    if again {
                        self.save_files(&[own], ctx);
                    }
                }
            }
            Saved::ChangedOnDisk { fault } => {
                self.leaving = None;
                self.message = Some(Message::info(format!("{} is not written yet.", file.display())));
                self.ask_which_counts(&own, fault);
            }
            Saved::Failed(problems) => {
                self.leaving = None;
                self.say(Message::error(NOT_SAVED, problems));
            }
        }
        if !self.is_saving() {
            self.say_written();
            self.look_for_problems();
            self.follow_leaving(ctx);
        }
    }

    /// Says what was written since nothing was being written.
    fn say_written(&mut self) {
        let text = match &std::mem::take(&mut self.written)[..] {
            [] => return,
            [file] => format!("Saved {}.", file.display()),
            several => {
                let name = |file: &PathBuf| file.file_name().map(|name| name.to_string_lossy().into_owned());
                let names: Vec<String> = several.iter().filter_map(name).collect();
                format!("Saved {} scenes: {}.", several.len(), names.join(", "))
            }
        };
        // What was said of an earlier try is over.
        self.banner = self.banner.take().filter(|banner| banner.text != NOT_SAVED);
        self.say(Message::info(text));
    }

    /// Keeps unsaved work for recovery when it is time, and forgets it when it is saved.
    pub(super) fn autosave(&mut self, ctx: &egui::Context) {
        let now = self.now();
        let after = self.settings.autosave();
        let Some(data) = self.store.data_folder().map(Path::to_owned) else { return };
        if self.read_only_reason().is_some() {
            return;
        }
        let Some(workspace) = &mut self.workspace else { return };
        for scene in workspace.scenes.iter_mut() {
            let document = &scene.document;
            let (data, file) = (data.clone(), scene.file.path.clone());
            let is_to_be_kept = scene.is_to_be_kept();
            match scene.autosave.look(document.revision(), is_to_be_kept, after, now) {
                AutosaveDue::Nothing => {}
                AutosaveDue::In(time) => ctx.request_repaint_after(time.to_duration()),
                AutosaveDue::Keep => self.jobs.give(scene.keeping(&data)),
                AutosaveDue::Forget => self.jobs.give(Job::Forget { data, file }),
            }
        }
        self.poll_jobs(ctx);
    }

    /// Keeps what is not kept yet of unsaved work, without waiting until it is time. It is on disk before the program
    /// ends: the thread that does it does first what it was given.
    pub(super) fn keep_unsaved(&mut self) {
        if self.read_only_reason().is_some() {
            return;
        }
        let Some(data) = self.store.data_folder().map(Path::to_owned) else { return };
        for scene in self.workspace.iter_mut().flat_map(|open| open.scenes.iter_mut()) {
            // Also one that is being kept as it was: what comes later counts.
            if scene.is_to_be_kept() && !scene.autosave.is_kept(scene.document.revision()) {
                let keep = scene.keeping(&data);
                self.jobs.give(keep);
            }
        }
    }

    fn kept(&mut self, file: &Path, problem: Option<String>) {
        let now = self.now();
        let Some(scene) = self.workspace.as_mut().and_then(|open| open.scene_mut(file)) else { return };
        scene.autosave.is_writing = false;
        if let Some(problem) = problem {
            scene.autosave.failed(now);
            self.say(Message::warning(problem));
        }
    }

    /// The project is closed in order: its work is saved, or was given up on purpose.
    pub(super) fn forget_kept_work(&mut self) {
        let Some(workspace) = &self.workspace else { return };
        let files: Vec<PathBuf> = workspace.scenes.iter().map(|scene| scene.file.path.clone()).collect();
        files.iter().for_each(|file| self.forget_kept_work_of(file));
    }

    /// The same of one scene. Where its file is there and cannot be used, nobody has been asked about it: it is still kept.
    pub(super) fn forget_kept_work_of(&mut self, file: &Path) {
        if self.read_only_reason().is_some() {
            return;
        }
        let data = self.store.data_folder().map(Path::to_owned);
        let scene = self.workspace.as_mut().and_then(|open| open.scene_mut(file));
        if let (Some(data), Some(scene)) = (data, scene)
            && scene.autosave.has_kept()
            && (scene.is_unsaved() || !scene.is_only_here())
        {
            self.jobs.give(Job::Forget { data, file: file.to_owned() });
        }
    }
}
