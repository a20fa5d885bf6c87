//! Work that was not saved when the program ended: found, offered, and put back as one step that can be undone.

use std::path::Path;

use framewalk_runtime::scene::format::parse_scene;

use super::EditorApp;
use crate::command::answer::Answer;
use crate::document::compare::{Difference, replacement};
use crate::project::store::data::number_of;
use crate::project::store::lock::is_held;
use crate::project::store::recovery::{self, Recovered};
use crate::project::store::{is_there, read_project, read_scene};
use crate::project::{PROJECT_FILE, scene_path};
use crate::shell::question::Question;
use crate::shell::status::Message;
use crate::shell::welcome::{Unsaved, folder_name};

impl EditorApp {
    /// Looks for work that was kept of this project's scenes. It gets names under which no newer work is kept: whatever
    /// is answered, and should the program end before, it is still there.
    pub(super) fn find_recoveries(&mut self, root: &Path) {
        if self.read_only_reason().is_some() {
            return;
        }
        let Some(data) = self.store.data_folder() else { return };
        let found = recovery::found(data).into_iter().filter(|found| found.root() == Some(root));
        let put_off = |found: Recovered| match recovery::put_off(&found.file) {
            Ok(file) => Recovered { file, ..found },
            // Where it cannot have another name, nothing newer can be kept there either.
            Err(_) => found,
        };
        self.recoveries = found.map(put_off).collect();
    }

    /// Looks for what was kept of a scene that was open before, and that nobody has given up: the last good one of a file
    /// that was broken then. Newer work would be kept over it.
    pub(super) fn find_recovery_of(&mut self, scene: &Path) {
        if self.read_only_reason().is_some() {
            return;
        }
        let Some(data) = self.store.data_folder() else { return };
        let front = recovery::recovery_file(data, scene);
        let found = recovery::found(data).into_iter().find(|found| found.file == front);
        if let Some(found) = found
            && let Ok(file) = recovery::put_off(&found.file)
        {
            self.recoveries.push_back(Recovered { file, ..found });
        }
    }

    /// Work of any project that waits to be recovered, for the welcome page; looked for once each time it is shown.
    /// What another editor works on now is its own.
    pub(super) fn unsaved_work(&mut self) -> &[Unsaved] {
        let data = self.store.data_folder().map(Path::to_owned);
        self.unsaved.get_or_insert_with(|| {
            let Some(data) = data else { return Vec::new() };
            let found = recovery::found(&data).into_iter().filter_map(|found| {
                let root = found.root()?.to_owned();
                if is_held(&data, &root) {
                    return None;
                }
                let project = match read_project(&root) {
                    Ok(project) => Some(project.name),
                    Err(_) => is_there(&root.join(PROJECT_FILE)).then(|| folder_name(&root)),
                };
                let age = recovery::age(&found.file);
                Some(Unsaved { root, project, scene: found.scene_name(), age, file: found.file })
            });
            found.collect()
        })
    }

    /// Offers what was found, one after the other, while no other question stands. What is on screen already is not
    /// offered.
    pub(super) fn offer_recoveries(&mut self) {
        // What is asked about the files themselves comes first.
        if self.is_reading() {
            return;
        }
        while !self.dialogs.is_asking()
            && let Some(recovered) = self.recoveries.pop_front()
        {
            let Ok(work) = parse_scene(&recovered.text) else {
                let text = format!(
                    "Work on {} was kept but cannot be read; it is left in {}.",
                    recovered.scene.display(),
                    recovered.file.display()
                );
                self.say(Message::warning(text));
                continue;
            };
            let now = read_scene(&recovered.scene);
            let open = self.workspace.as_mut().and_then(|open| open.scene_mut(&recovered.scene));
            let shown = open.filter(|scene| scene.authored.is_some());
            let difference = match &shown {
                Some(scene) => Difference::between(scene.document.scene(), &work),
                None => Difference::between(&now.scene.unwrap_or_default(), &work),
            };
            let replaces_work = shown.as_ref().is_some_and(|scene| scene.is_to_be_kept());
            if difference.is_none() {
                match shown.filter(|_| replaces_work).zip(self.store.data_folder()) {
                    // It came back to whoever made it, and is kept for this window again.
                    Some((scene, data)) => {
                        scene.autosave.note_kept();
                        let front = recovery::recovery_file(data, &recovered.scene);
                        recovery::put_in_front(&recovered.file, &front);
                    }
                    None => recovery::remove(&recovered.file),
                }
                continue;
            }
            let mut differs = difference.lines();
            if replaces_work {
                let text = "What is on screen is not saved either: Restore puts this in its place, and Undo goes back to it.";
                differs.push(text.to_owned());
            }
            if number_of(now.text.as_bytes()) != recovered.base {
                differs.push("The file was changed since by another program.".to_owned());
            }
            self.dialogs.ask(Question::Recovered { recovered: Box::new(recovered), differs });
        }
    }

    pub(super) fn answer_recovered(&mut self, recovered: &Recovered, answer: Answer) {
        match answer {
            Answer::Restore => self.restore(recovered),
            Answer::Discard => recovery::remove(&recovered.file),
            _ => match recovery::put_off(&recovered.file) {
                Ok(file) => {
                    let text = format!(
                        "It is offered again when the project is opened, and kept in {}.",
                        file.display()
                    );
                    self.say(Message::info(text));
                }
                Err(problem) => self.say(Message::warning(problem)),
            },
        }
    }

    /// Puts the work into its scene, as one step. The scene is then as unsaved as it was.
    fn restore(&mut self, recovered: &Recovered) {
        let Ok(work) = parse_scene(&recovered.text) else { return };
        let Some(workspace) = &self.workspace else { return };
        // As the project names it, be it with its ending.
        let root = &workspace.project.root;
        let mut listed = workspace.project.project.scenes.iter();
        let name = listed.find(|name| scene_path(root, name) == recovered.scene).cloned();
        self.open_scene(&name.unwrap_or_else(|| recovered.scene_name()));
        let Some(front) = self.workspace.as_ref().map(|workspace| &workspace.scenes.front) else { return };
        if front.file.path != recovered.scene {
            // Another one runs, and that was said.
            return self.answer_recovered(recovered, Answer::Later);
        }
        let edit = replacement(front.document.scene(), &work);
        let before = front.document.revision();
        let (is_read, replaces_work) = (front.authored.is_some(), front.document.is_dirty());
        self.edit("Restore unsaved work", edit, None);
        let Some(workspace) = &mut self.workspace else { return };
        let is_listed = workspace.project.project.scenes.contains(&workspace.scenes.front.file.name);
        let front = &mut workspace.scenes.front;
        if front.document.revision() == before {
            // It was refused, and that was said: newer work is not kept over it.
            return self.answer_recovered(recovered, Answer::Later);
        }
        if !is_read {
            // Of the file nothing could be read: it is written as the work was.
            recovered.text.clone_into(&mut front.base_text);
        }
        // It stays on disk until it is saved, under the name that newer work is kept under.
        front.autosave.note_kept();
        if let Some(data) = self.store.data_folder() {
            let file = recovery::recovery_file(data, &recovered.scene);
            recovery::put_in_front(&recovered.file, &file);
        }
        let back = if replaces_work { "what was here before" } else { "the file, and gives it up" };
        let mut text = format!("Your work is back. It is not saved yet; Undo goes back to {back}.");
        if !is_listed {
            text += " project.ron does not name its scene any more: Save as gives it a name there.";
        }
        self.say(Message::info(text));
    }
}
