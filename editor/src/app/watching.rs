//! Following what other programs do to the project's files, without losing what was done here.

use std::path::{Path, PathBuf};

use egui::{Frame, Panel as Bar, RichText, Ui};
use framewalk_inspector::theme::Theme;

use super::EditorApp;
use super::on_disk::OnDisk;
use super::reading::Why;
use super::workspace::gone_text;
use crate::command::{Action, EditorCommand};
use crate::project::store::{self, ReadScene};
use crate::project::watch::Due;
use crate::shell::question::Question;
use crate::shell::status::Message;

const NEWER: &str = "The scene on disk is newer than the one that plays: Stop reads it.";

const PROJECT_REFUSED: &str = "project.ron cannot be used as it is now. The last good one counts.";

impl EditorApp {
    /// Looks at the files once a burst of changes is over.
    pub(super) fn poll_files(&mut self, ctx: &egui::Context) {
        if self.problems.poll() {
            self.look_for_problems();
        }
        // Until a save has ended, its own file looks as if another program had written it.
        if self.is_saving() || self.is_reading() {
            return;
        }
        let now = self.now();
        let Some(workspace) = &mut self.workspace else { return };
        match workspace.watch.as_mut().map_or(Due::Nothing, |watch| watch.due(now)) {
            Due::Nothing => {}
            Due::In(time) => {
                ctx.request_repaint_after(time.to_duration());
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
        self.read_again(file, Why::Follow);
    }

    /// What was read of a scene's file that may have been changed; `None` where it has the text that was known.
    pub(super) fn followed(&mut self, file: &Path, read: Option<ReadScene>) {
        let Some(workspace) = &mut self.workspace else { return };
        let is_front = workspace.scenes.front.file.path == file;
        let runs = is_front && workspace.session.is_live();
        let reads_only = workspace.access.is_read_only();
        let Some(scene) = workspace.scene_mut(file) else { return };
        // It may have become known since it was read: it was saved.
        let is_new = |read: &ReadScene| {
            scene.authored.is_none()
                || read.is_gone
                || scene.is_refused_as_gone()
                || read.text != scene.file.text
        };
        let Some(read) = read.filter(is_new) else { return self.is_as_read(file) };
        if !runs && !scene.document.is_dirty() {
            let was_told = scene.is_refused_as_gone() && read.is_gone;
            let name = scene.file.stem().to_owned();
            if !was_told && self.take_read(file, read) {
                self.say(Message::info(format!("The scene {name} was changed on disk and read again.")));
            }
            return;
        }
        let (was_gone, is_dirty) = (scene.file.is_gone, scene.document.is_dirty());
        scene.note_gone(read.is_gone);
        // Half a file is no newer scene: it is looked at again when it is whole.
        let is_newer = !read.text.is_empty();
        let is_empty = !is_newer && !read.is_gone;
        if is_newer && scene.document.is_dirty() && scene.take_as_written(&read) {
            let text = format!(
                "Another program wrote {} just as it is here: nothing is unsaved any more.",
                file.display()
            );
            return self.say(Message::info(text));
        }
        // The one in front is asked about; one behind, when it comes to the front. Who cannot write is asked once they
        // can: neither of both could be kept before.
        let waits = is_newer && (runs || !is_front || reads_only);
        let on_disk = match (waits, is_empty) {
            (true, _) => OnDisk::Newer,
            (false, true) => OnDisk::Empty,
            (false, false) => OnDisk::AsRead,
        };
        let told = std::mem::replace(&mut scene.on_disk, on_disk) == on_disk;
        if runs {
            if is_newer && !told {
                self.say(Message::warning(NEWER));
            } else if read.is_gone && !was_gone {
                // A banner ends with the run, and what is not saved is not read again then: that is said once for both.
                self.say(match is_dirty {
                    true => gone_with_work(file),
                    false => Message::error(gone_text(&file.display(), "The run goes on."), Vec::new()),
                });
            } else if is_empty && !told {
                let text =
                    format!("The scene {} cannot be used as it is now. The run goes on.", file.display());
                self.say(Message { details: read.scene.err().unwrap_or_default(), ..Message::warning(text) });
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
            self.ask_which_counts(file, read.scene.err().and_then(|faults| faults.into_iter().next()));
        } else if is_newer && !told {
            let text = format!(
                "{} was changed here and on disk: its tab asks which of them counts.",
                file.display()
            );
            self.say(Message::warning(text));
        } else if read.is_gone && !was_gone {
            self.say(gone_with_work(file));
        }
    }

    /// A scene's file is there, with the text that is known: whatever was said of it is over.
    fn is_as_read(&mut self, file: &Path) {
        let Some(scene) = self.workspace.as_mut().and_then(|workspace| workspace.scene_mut(file)) else {
            return;
        };
        let was_told = scene.file.is_gone || scene.on_disk == OnDisk::Empty;
        scene.note_gone(false);
        scene.on_disk = OnDisk::AsRead;
        if was_told {
            self.say_refusal(file);
            self.say(Message::info(format!("{} is on the disk again, as it was.", file.display())));
        }
    }

    /// Asks whether the scene here or its file counts, and says what has become of the file: `fault` is what is wrong
    /// with it as it is now, if anything is known to be.
    pub(super) fn ask_which_counts(&mut self, file: &Path, fault: Option<String>) {
        let became = match fault {
            _ if !store::is_there(file) => "was removed since it was read.".to_owned(),
            None => "was written by another program since it was read.".to_owned(),
            Some(fault) => {
                let fault =
                    fault.strip_prefix(&format!("{}:", file.display())).unwrap_or(&fault).trim_start();
                format!("was written since it was read, and cannot be used as it is now ({fault}).")
            }
        };
        self.dialogs.ask(Question::ChangedOnDisk { file: file.to_owned(), became });
    }

    /// Takes what `project.ron` says now: its name and its scenes. A broken one is told of, and the last good one stays.
    fn reload_project_file(&mut self) {
        let Some(workspace) = &mut self.workspace else { return };
        match store::read_project(&workspace.project.root) {
            Ok(project) if project == workspace.project.project => {
                if self.message.as_ref().is_some_and(|message| message.text == PROJECT_REFUSED) {
                    self.say(Message::info("project.ron can be used again, and is as it was."));
                }
            }
            Ok(project) => {
                workspace.session.follow_project(&project);
                workspace.project.project = project;
                self.say(Message::info("project.ron was changed on disk and read again."));
            }
            Err(faults) => {
                self.say(Message { details: faults, ..Message::warning(PROJECT_REFUSED) });
            }
        }
    }

    /// A run goes on with a scene that is older than the one on disk: what can be done about it.
    pub(super) fn newer_ui(&self, ui: &mut Ui, theme: &Theme, actions: &mut Vec<Action>) {
        let newer =
            self.workspace.as_ref().is_some_and(|workspace| workspace.scenes.front.on_disk == OnDisk::Newer);
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

/// What is said where the file of unsaved work is gone.
fn gone_with_work(file: &Path) -> Message {
    let text = format!("{} is gone from the disk. Your work is here: Save writes it.", file.display());
    Message::warning(text)
}
