//! Following what other programs do to the project's files, without losing what was done here.

use std::path::{Path, PathBuf};
use std::time::Duration;

use egui::{Frame, Panel as Bar, RichText, Ui};
use framewalk_inspector::theme::Theme;
use framewalk_runtime::time::Nanos;

use super::EditorApp;
use crate::command::{Action, EditorCommand};
use crate::project::both::Both;
use crate::project::store;
use crate::project::watch::Due;
use crate::shell::question::Question;
use crate::shell::status::Message;

const NEWER: &str = "The scene on disk is newer than the one that plays: Stop reads it.";

impl EditorApp {
    /// Looks at the files once a burst of changes is over.
    pub(super) fn poll_files(&mut self, ctx: &egui::Context) {
        if self.problems.poll() {
            self.look_for_problems();
        }
        // Until a save has ended, its own file looks as if another program had written it.
        if self.is_saving() {
            return;
        }
        let now = self.now();
        let Some(workspace) = &mut self.workspace else { return };
        match workspace.watch.as_mut().map_or(Due::Nothing, |watch| watch.due(now)) {
            Due::Nothing => {}
            Due::In(time) => {
                ctx.request_repaint_after(Duration::from_nanos(time.max(Nanos::ZERO).0.unsigned_abs()));
            }
            Due::Now => {
                self.reload_project_file();
                self.follow_disk();
                self.look_for_problems();
                ctx.request_repaint();
            }
        }
    }

    /// The scenes on disk may be others now: each is read while it does not run and nothing of it is unsaved, asked
    /// about where something is, and noted while it runs. What the editor has written itself is nothing new.
    pub(super) fn follow_disk(&mut self) {
        let Some(workspace) = &self.workspace else { return };
        let files: Vec<PathBuf> = workspace.scenes.iter().map(|scene| scene.file.path.clone()).collect();
        files.iter().for_each(|file| self.follow_file(file));
    }

    /// The same of one scene.
    pub(super) fn follow_file(&mut self, file: &Path) {
        let Some(workspace) = &mut self.workspace else { return };
        let is_front = workspace.scenes.front.file.path == file;
        let runs = is_front && workspace.session.is_live();
        let reads_only = workspace.access.is_read_only();
        let Some(scene) = workspace.scene_mut(file) else { return };
        if !runs && !scene.document.is_dirty() {
            return self.reload(file);
        }
        let text = store::read_scene_text(file);
        let differs = text != scene.file.text;
        // Half a file is no newer scene: it is looked at again when it is whole.
        let is_newer = differs && !text.is_empty();
        if is_newer && scene.document.is_dirty() && scene.take_as_written(&text) {
            let text = format!(
                "Another program wrote {} just as it is here: nothing is unsaved any more.",
                file.display()
            );
            return self.say(Message::info(text));
        }
        // The one in front is asked about; one behind, when it comes to the front. Who cannot write is asked once they
        // can: neither of both could be kept before.
        let waits = is_newer && (runs || !is_front || reads_only);
        let told = std::mem::replace(&mut scene.newer_on_disk, waits);
        if runs {
            if is_newer && !told {
                self.say(Message::warning(NEWER));
            }
        } else if is_newer && reads_only {
            if !told {
                let text = format!(
                    "{} was changed on disk, and here too: take the project over to say which of them counts.",
                    file.display()
                );
                self.say(Message::warning(text));
            }
        } else if is_newer && is_front {
            self.ask_which_counts(file);
        } else if is_newer && !told {
            let text = format!(
                "{} was changed here and on disk: its tab asks which of them counts.",
                file.display()
            );
            self.say(Message::warning(text));
        } else if differs && !store::is_there(file) {
            let text =
                format!("{} is gone from the disk. Your work is here: Save writes it.", file.display());
            self.say(Message::warning(text));
        }
    }

    /// Asks whether the scene here or its file counts, and says what has become of the file.
    pub(super) fn ask_which_counts(&mut self, file: &Path) {
        let became = match store::read_scene(file).scene {
            _ if !store::is_there(file) => "was removed since it was read.".to_owned(),
            Ok(_) => "was written by another program since it was read.".to_owned(),
            Err(faults) => {
                let fault = faults.first().map_or("", String::as_str);
                let fault = fault.strip_prefix(&format!("{}:", file.display())).unwrap_or(fault).trim_start();
                format!("was written since it was read, and cannot be used as it is now ({fault}).")
            }
        };
        self.dialogs.ask(Question::ChangedOnDisk { file: file.to_owned(), became });
    }

    /// Takes what `project.ron` says now: its name and its scenes. A broken one is told of, and the last good one stays.
    fn reload_project_file(&mut self) {
        let Some(workspace) = &mut self.workspace else { return };
        match store::read_project(&workspace.project.root) {
            Ok(project) if project == workspace.project.project => {}
            Ok(project) => {
                workspace.session.follow_project(&project);
                workspace.project.project = project;
                self.say(Message::info("project.ron was changed on disk and read again."));
            }
            Err(faults) => {
                let text = "project.ron cannot be used as it is now. The last good one counts.";
                self.say(Message { details: faults, ..Message::warning(text) });
            }
        }
    }

    /// Asks again, with the lines that differ.
    pub(super) fn show_both(&mut self, file: PathBuf) {
        let Some(scene) = self.workspace.as_mut().and_then(|open| open.scene_mut(&file)) else { return };
        match scene.text() {
            Ok(mine) => {
                let both = Both::of(&mine, &store::read_scene(&file).text);
                self.dialogs.ask_first(Question::BothSides { file, both });
            }
            Err(faults) => {
                self.say(Message::error("The scene cannot be written, and so not compared.", faults));
            }
        }
    }

    /// A run goes on with a scene that is older than the one on disk: what can be done about it.
    pub(super) fn newer_ui(&self, ui: &mut Ui, theme: &Theme, actions: &mut Vec<Action>) {
        let newer = self.workspace.as_ref().is_some_and(|workspace| workspace.scenes.front.newer_on_disk);
        if !(newer && self.is_live()) {
            return;
        }
        let frame = Frame::new()
            .fill(theme.late.gamma_multiply(0.14))
            .stroke(egui::Stroke::new(1.0, theme.late))
            .inner_margin(egui::Margin::symmetric(12, 4))
            .outer_margin(egui::Margin { left: 6, right: 6, top: 0, bottom: 6 });
        Bar::top("newer").frame(frame).show_separator_line(false).show(ui, |ui| {
            ui.horizontal(|ui| {
                let text = "The scene on disk is newer than the one that plays.";
                ui.label(RichText::new(text).color(theme.text));
                let restart = ui.button("Restart with the new scene");
                if restart.on_hover_text("Stops this run, reads the scene, and plays it.").clicked() {
                    actions.push(Action::Command(EditorCommand::Restart));
                }
            });
        });
    }
}
