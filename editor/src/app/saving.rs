//! Saving off the window's thread, and keeping unsaved work for recovery.

use std::path::Path;

use framewalk_inspector::wording;
use framewalk_runtime::time::Nanos;

use super::autosave::AutosaveDue;
use super::editing::Next;
use super::{EditorApp, Workspace};
use crate::project::jobs::{Done, Job, Over, Save, Saved};
use crate::project::store;
use crate::shell::question::Question;
use crate::shell::status::Message;

/// A save that is going on, and what follows it.
#[derive(Debug, Default)]
pub(crate) struct Saving {
    /// The scene that is being written.
    is_writing: bool,
    /// It was asked for again meanwhile.
    again: bool,
    /// What is done once it is written.
    then: Option<Next>,
    /// A copy of the scene, and whether the file is read again when the copy is there.
    copy: bool,
}

impl EditorApp {
    /// A scene is being written.
    #[must_use]
    pub fn is_saving(&self) -> bool {
        self.saving.is_writing
    }

    /// Writes the scene to its file; only what was changed is changed there. Asked for while it is being written, it is
    /// written once more after that.
    pub(crate) fn save(&mut self, ctx: &egui::Context) {
        self.save_then(None, ctx);
    }

    /// The same, and does something once the scene is in its file; not where it could not be written.
    pub(crate) fn save_then(&mut self, next: Option<Next>, ctx: &egui::Context) {
        if let Some(reason) = self.read_only_reason() {
            return self.say(Message::warning(reason));
        }
        self.saving.then = next.or(self.saving.then.take());
        if self.saving.is_writing {
            self.saving.again = true;
            return;
        }
        let Some(workspace) = &self.workspace else { return };
        if !workspace.document.is_dirty() {
            return self.follow_save(ctx);
        }
        let known = workspace.project.scene_text.clone();
        self.write_scene(Over::Known(known), ctx);
    }

    /// Has the scene written to its file.
    pub(crate) fn write_scene(&mut self, over: Over, ctx: &egui::Context) {
        let Some(workspace) = &mut self.workspace else { return };
        let file = workspace.project.scene_path();
        workspace.document.begin_save();
        self.saving.is_writing = true;
        self.give_save(&file, over, ctx);
    }

    /// Has the scene written beside its file, and then reads the file again.
    pub(crate) fn save_copy_and_revert(&mut self, file: &Path, ctx: &egui::Context) {
        self.saving.is_writing = true;
        self.saving.copy = true;
        self.give_save(&store::copy_beside(file), Over::Nothing, ctx);
    }

    fn give_save(&mut self, file: &Path, over: Over, ctx: &egui::Context) {
        let Some(workspace) = &self.workspace else { return };
        let save = Save {
            file: file.to_owned(),
            base: workspace.base_text.clone(),
            scene: workspace.document.scene().clone(),
            over,
        };
        let entities = wording::count(save.scene.entities.len() as u64, "entity", "entities");
        let text = format!("Writing {}, {entities}…", file.display());
        self.jobs.give(Job::Save(Box::new(save)));
        self.message = Some(Message::info(text));
        self.poll_jobs(ctx);
    }

    /// Takes what was done with files since.
    pub(crate) fn poll_jobs(&mut self, ctx: &egui::Context) {
        while let Some(done) = self.jobs.poll() {
            match done {
                Done::Saved { file, outcome } => self.saved(&file, outcome, ctx),
                Done::Kept { file, problem } => self.kept(&file, problem),
                Done::Forgotten => {}
            }
        }
    }

    fn saved(&mut self, file: &Path, outcome: Saved, ctx: &egui::Context) {
        self.saving.is_writing = false;
        let is_copy = std::mem::take(&mut self.saving.copy);
        // Nothing else is opened before it has ended, see `unless_unsaved`; what is not of this scene changes nothing here.
        let of_front = |workspace: &&mut Workspace| is_copy || workspace.project.scene_path() == file;
        let Some(workspace) = self.workspace.as_mut().filter(of_front) else { return };
        if !is_copy {
            workspace.document.end_save(matches!(outcome, Saved::Written(_)));
        }
        match outcome {
            Saved::Written(text) => {
                if !is_copy {
                    workspace.project.scene_text = text;
                }
                self.say(Message::info(format!("Saved {}.", file.display())));
                self.look_for_problems(ctx);
                if is_copy {
                    self.revert();
                    self.follow_save(ctx);
                } else if std::mem::take(&mut self.saving.again) {
                    self.save(ctx);
                } else {
                    self.follow_save(ctx);
                }
            }
            Saved::ChangedOnDisk => {
                self.saving = Saving::default();
                self.dialogs.ask(Question::ChangedOnDisk { file: file.to_owned() });
            }
            Saved::Failed(problems) => {
                self.saving = Saving::default();
                let text = "The scene was not saved. The file is as it was, and your work is still here.";
                self.say(Message::error(text, problems));
            }
        }
    }

    /// Does this once what is being written is written; false where nothing is.
    pub(super) fn waits_for_save(&mut self, next: &Next) -> bool {
        if self.saving.is_writing {
            self.saving.then = Some(next.clone());
        }
        self.saving.is_writing
    }

    /// Goes on with what waited for the save.
    fn follow_save(&mut self, ctx: &egui::Context) {
        if let Some(next) = self.saving.then.take() {
            self.unless_unsaved(next, ctx);
        }
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
        let document = &workspace.document;
        let file = workspace.project.scene_path();
        match workspace.autosave.look(document.revision(), document.is_dirty(), after, now) {
            AutosaveDue::Nothing => {}
            AutosaveDue::In(time) => ctx.request_repaint_after(wait(time)),
            AutosaveDue::Keep => {
                let (base, scene) = (workspace.base_text.clone(), document.scene().clone());
                self.jobs.give(Job::Keep { data, file, base, scene });
                self.poll_jobs(ctx);
            }
            AutosaveDue::Forget => self.jobs.give(Job::Forget { data, file }),
        }
    }

    fn kept(&mut self, file: &Path, problem: Option<String>) {
        let now = self.now();
        let Some(workspace) = &mut self.workspace else { return };
        if workspace.project.scene_path() != file {
            return;
        }
        workspace.autosave.is_writing = false;
        if let Some(problem) = problem {
            workspace.autosave.failed(now);
            self.say(Message::warning(problem));
        }
    }

    /// The open scene is closed in order: its work is saved, or was given up on purpose.
    pub(super) fn forget_kept_work(&mut self) {
        if self.read_only_reason().is_some() {
            return;
        }
        let data = self.store.data_folder().map(Path::to_owned);
        if let (Some(data), Some(workspace)) = (data, &self.workspace)
            && workspace.autosave.has_kept()
        {
            self.jobs.give(Job::Forget { data, file: workspace.project.scene_path() });
        }
    }
}

fn wait(time: Nanos) -> std::time::Duration {
    std::time::Duration::from_nanos(time.0.max(0).unsigned_abs())
}
