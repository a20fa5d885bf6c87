//! Making projects and scenes, and giving scenes other names.

use std::path::Path;

use framewalk_runtime::scene::project::Project;

use super::EditorApp;
use crate::command::naming::Naming;
use crate::project::stem;
use crate::project::store::template::{EMPTY_SCENE, Template, make_project};
use crate::project::store::{copy_name, scenes};
use crate::shell::naming::NamingView;
use crate::shell::status::Message;

impl EditorApp {
    /// Asks for the name that is needed.
    pub(crate) fn ask_name(&mut self, what: Naming, ctx: &egui::Context) {
        let mut taken =
            self.workspace.as_ref().map_or_else(Vec::new, |open| open.project.project.scenes.clone());
        let scene = self.workspace.as_ref().map_or("", |open| open.scenes.front.file.stem());
        if what == Naming::RenameScene {
            // Its own name with other capitals is another name.
            taken.retain(|name| stem(name) != scene);
        }
        let typed = match what {
            Naming::NewProject | Naming::NewScene => String::new(),
            Naming::SaveAs | Naming::DuplicateScene => copy_name(scene, &taken),
            Naming::RenameScene => scene.to_owned(),
        };
        self.dialogs.ask_name(NamingView::new(what, typed, taken), ctx);
    }

    /// Makes a project as `framewalk new` does, and opens it. Whoever had to be asked about unsaved work was.
    pub(super) fn make_project(&mut self, folder: &Path, template: Template, ctx: &egui::Context) {
        match make_project(folder, template) {
            Ok(()) => self.open_path(folder, ctx),
            Err(error) => {
                let text = "The project was not made.";
                self.say(Message::error(text, vec![error]));
            }
        }
    }

    /// Does what a name was asked for.
    pub(crate) fn named(&mut self, what: Naming, name: &str) {
        if let Some(reason) = self.read_only_reason() {
            return self.say(Message::warning(reason));
        }
        if self.is_saving() {
            // It would end under a name that the scene has no more.
            return self.say(Message::warning("The scene is being written: try again when that is over."));
        }
        let Some(workspace) = &self.workspace else { return };
        let front = &workspace.scenes.front;
        let (root, open) = (workspace.project.root.clone(), front.file.name.clone());
        let text = match what {
            Naming::SaveAs | Naming::DuplicateScene => front.text(),
            _ => Ok(EMPTY_SCENE.to_owned()),
        };
        let made = text.and_then(|text| {
            let project = match what {
                Naming::RenameScene => scenes::rename_scene(&root, &open, name),
                _ => scenes::make_scene(&root, name, &text),
            };
            project.map(|project| (project, text))
        });
        match made {
            Ok((project, text)) => self.follow_naming(what, name, project, text),
            Err(problems) => {
                let text = format!(
                    "{} was not done: nothing was changed on disk.",
                    what.label().trim_end_matches('…')
                );
                self.say(Message::error(text, problems));
            }
        }
    }

    fn follow_naming(&mut self, what: Naming, name: &str, project: Project, text: String) {
        // What is kept for recovery under the old name is of no use any more.
        if matches!(what, Naming::SaveAs | Naming::RenameScene) {
            let front = self.workspace.as_ref().map(|workspace| workspace.scenes.front.file.path.clone());
            front.iter().for_each(|file| self.forget_kept_work_of(file));
        }
        let places = self.places_key();
        let Some(workspace) = &mut self.workspace else { return };
        workspace.project.project.scenes = project.scenes;
        let (root, front) = (&workspace.project.root, &mut workspace.scenes.front);
        match what {
            Naming::NewScene => {
                self.say(Message::info(format!("Made the scene {name}.")));
                self.open_scene(name);
            }
            Naming::SaveAs => {
                front.file.rename(root, name);
                front.base_text.clone_from(&text);
                let was_refused = front.is_only_here();
                front.note_written(text);
                front.autosave = super::autosave::Autosave::default();
                front.document.mark_saved();
                let file = front.file.path.clone();
                if was_refused {
                    self.say_refusal(&file);
                }
                self.say(Message::info(format!("Saved as {name}: this is the open scene now.")));
            }
            Naming::RenameScene => {
                front.file.rename(root, name);
                // What was kept under the old name is forgotten: under the new one it is kept at once.
                front.autosave.begin_anew();
                // The places to look from are still this scene's.
                if let (Some(before), Some(now)) = (places, self.places_key())
                    && let Some(places) = self.settings.places.remove(&before)
                {
                    self.settings.places.insert(now, places);
                }
                self.say(Message::info(format!("The scene is called {name} now.")));
            }
            Naming::DuplicateScene => self.say(Message::info(format!("Wrote a copy as {name}."))),
            Naming::NewProject => {}
        }
        self.save_settings();
        self.look_for_problems();
    }
}
