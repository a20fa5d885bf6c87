//! What is asked before unsaved work would be lost, for each scene that has some; nothing is done before the last answer.

use std::path::PathBuf;

use super::device_loss::Closing;
use super::{EditorApp, OpenScene};
use crate::command::answer::Answer;
use crate::interrupt::interrupted;
use crate::project::jobs::Over;
use crate::project::leaving::{Leaving, Next};
use crate::shell::question::Question;
use crate::viewport::gizmo::Grip;

impl EditorApp {
    /// The scene in front is not as in its file, or has none any more.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.workspace.as_ref().is_some_and(|workspace| workspace.scenes.front.is_unsaved())
    }

    /// Some open scene is not as in its file, or has none any more.
    #[must_use]
    pub fn has_unsaved(&self) -> bool {
        self.workspace.as_ref().is_some_and(|open| open.scenes.iter().any(OpenScene::is_unsaved))
    }

    /// Does it at once, or asks first where something is unsaved.
    pub(crate) fn unless_unsaved(&mut self, next: Next, ctx: &egui::Context) {
        if matches!(next, Next::Quit) && self.device_lost().is_some() {
            // As the window's own button: nobody could read a question.
            return ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
        self.leave(next.into(), ctx);
    }

    fn leave(&mut self, mut leaving: Leaving, ctx: &egui::Context) {
        if self.is_writing_of(&leaving.next) {
            self.leaving = Some(leaving);
            return;
        }
        let undecided = self.undecided(&leaving);
        if let Some((file, scene)) = undecided.first().cloned() {
            let open = self.workspace.as_mut().and_then(|open| open.scene_mut(&file));
            let is_gone = open.is_some_and(|scene| scene.is_gone());
            self.dialogs.ask(Question::Unsaved { scene, is_gone, others: undecided.len() - 1, leaving });
            return;
        }
        let save = std::mem::take(&mut leaving.save);
        if save.is_empty() {
            self.proceed(leaving.next, ctx);
        } else {
            self.leaving = Some(leaving);
            self.save_files(&save, ctx);
        }
    }

    /// Goes on with what waited for scenes to be written.
    pub(super) fn follow_leaving(&mut self, ctx: &egui::Context) {
        if let Some(leaving) = self.leaving.take() {
            self.leave(leaving, ctx);
        }
    }

    fn is_writing_of(&self, next: &Next) -> bool {
        self.workspace.as_ref().is_some_and(|workspace| {
            let mut scenes = workspace.scenes.iter();
            scenes.any(|scene| next.is_about(&scene.file.path) && scene.saving.is_writing())
        })
    }

    /// The scenes that would lose work and about which nothing was said: file and what the title calls it.
    fn undecided(&self, leaving: &Leaving) -> Vec<(PathBuf, String)> {
        let Some(workspace) = &self.workspace else { return Vec::new() };
        // What another editor has taken over is not lost with this window.
        if workspace.access.is_read_only() && !matches!(leaving.next, Next::Revert(_)) {
            return Vec::new();
        }
        let undecided = workspace.scenes.iter().filter(|scene| {
            let file = &scene.file.path;
            let is_discarded =
                |(other, revision): &(PathBuf, u64)| other == file && *revision == scene.document.revision();
            // Where a file is gone, reading it again throws nothing away.
            let is_lost = match leaving.next {
                Next::Revert(_) => scene.document.is_dirty(),
                _ => scene.is_unsaved(),
            };
            is_lost
                && leaving.next.is_about(file)
                && !leaving.save.contains(file)
                && !leaving.discard.iter().any(is_discarded)
        });
        undecided.map(|scene| (scene.file.path.clone(), scene.file.file_name())).collect()
    }

    fn proceed(&mut self, next: Next, ctx: &egui::Context) {
        match next {
            Next::Quit => {
                self.quitting = true;
                ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            }
            Next::CloseProject => self.close_project(),
            Next::OpenPath(path) => self.open_path(&path, ctx),
            Next::MakeProject(folder, template) => self.make_project(&folder, template, ctx),
            Next::CloseScenes(files) => self.close_scenes(&files),
            Next::Revert(file) => {
                self.revert(&file);
                self.poll_jobs(ctx);
            }
        }
    }

    pub(crate) fn answer(&mut self, answer: Answer, ctx: &egui::Context) {
        let Some(question) = self.dialogs.answered() else { return };
        question.give_up();
        match (question.without_lines(), answer) {
            (Question::Unsaved { leaving, .. }, answer) => self.answer_unsaved(leaving, answer, ctx),
            (Question::ChangedOnDisk { file, .. }, Answer::KeepMine) => {
                self.write_scene(&file, Over::Anything, ctx);
            }
            (Question::ChangedOnDisk { file, .. }, Answer::TakeTheirs) => {
                self.revert(&file);
                self.poll_jobs(ctx);
            }
            (Question::ChangedOnDisk { file, .. }, Answer::ShowBoth) => {
                self.show_both(file);
                self.poll_jobs(ctx);
            }
            (Question::ChangedOnDisk { file, .. }, Answer::SaveCopy) => self.save_copy_and_revert(&file, ctx),
            (Question::Recovered { recovered, .. }, answer) => self.answer_recovered(&recovered, answer),
            _ => {}
        }
    }

    fn answer_unsaved(&mut self, mut leaving: Leaving, answer: Answer, ctx: &egui::Context) {
        let undecided = self.undecided(&leaving);
        let about = match answer {
            Answer::SaveAll | Answer::DiscardAll => &undecided[..],
            _ => undecided.get(..1).unwrap_or_default(),
        };
        match answer {
            Answer::Save | Answer::SaveAll => {
                leaving.save.extend(about.iter().map(|(file, _)| file.clone()));
            }
            Answer::Discard | Answer::DiscardAll => {
                let Some(workspace) = &mut self.workspace else { return };
                for (file, _) in about {
                    let revision = workspace.scene_mut(file).map_or(0, |scene| scene.document.revision());
                    leaving.discard.push((file.clone(), revision));
                }
            }
            // Nothing that was answered before is done either.
            _ => return,
        }
        self.leave(leaving, ctx);
    }

    /// Goes back to what the file of the scene in front says, or asks first.
    pub(crate) fn revert_front(&mut self, ctx: &egui::Context) {
        if let Some(file) = self.workspace.as_ref().map(|open| open.scenes.front.file.path.clone()) {
            self.unless_unsaved(Next::Revert(file), ctx);
        }
    }

    /// The window is to be closed: not while something is unsaved and nobody was asked.
    pub(super) fn follow_close_request(&mut self, ctx: &egui::Context) {
        let wanted = ctx.input(|input| input.viewport().close_requested());
        if wanted && let Some(closing) = self.close_with_device_lost() {
            if closing == Closing::OnceKept {
                ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            }
            return;
        }
        let is_lost = self.has_unsaved() && self.read_only_reason().is_none();
        if wanted && !self.quitting && !self.ending && (is_lost || self.is_saving()) {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.unless_unsaved(Next::Quit, ctx);
        }
    }

    /// The system, or the terminal that the program was started from, wants it to end.
    pub(super) fn follow_interrupt(&mut self, ctx: &egui::Context) {
        if (interrupted() || self.asked_to_end) && !self.ending {
            self.end(ctx);
        }
    }

    /// Ends the program without asking anything: what is not saved is kept at once, and offered at the next start.
    fn end(&mut self, ctx: &egui::Context) {
        self.ending = true;
        self.grip(Grip::Cancel);
        self.keep_unsaved();
        tracing::info!(target: "framewalk", "the program was asked to end: what is not saved is kept for recovery");
        ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        ctx.request_repaint();
    }
}
