//! Opening and closing projects, reading scenes again, and what the welcome page offers.

use std::path::Path;

use super::holding::Access;
use super::workspace::REFUSALS;
use super::{EditorApp, OpenScene, Workspace};
use crate::document::tabs::Tabs;
use crate::project::PROJECT_FILE;
use crate::project::leaving::Next;
use crate::project::problems::Finder;
use crate::project::store::{is_there, read_project, real_path, sample_projects};
use crate::project::watch::Watch;
use crate::project::{OpenProject, open};
use crate::session::Session;
use crate::shell::status::Message;
use crate::shell::welcome::{Offer, folder_name};

impl EditorApp {
    /// Opens the project at `path`, with the scenes that were open in it last; on a fault the one before stays open.
    pub(crate) fn open_path(&mut self, path: &Path, ctx: &egui::Context) {
        match open(path) {
            Ok(project) => {
                self.close_project();
                self.settings.remember(&project.root);
                let name = project.project.name.clone();
                let root = project.root.clone();
                let access = self.access(&root);
                self.comparing = None;
                self.workspace = Some(self.workspace_of(project, access));
                self.look_for_problems();
                self.come_to_scene();
                self.find_recoveries(&root);
                if let Some(reason) = self.read_only_reason() {
                    self.say(Message::warning(reason));
                } else if self.workspace.as_ref().is_some_and(|open| open.scenes.front.authored.is_some()) {
                    self.say(Message::info(format!("Opened {name}.")));
                }
            }
            Err(faults) => {
                let text = format!("{} cannot be opened", path.display());
                self.say(Message::error(text, faults));
            }
        }
        ctx.request_repaint();
    }

    fn workspace_of(&mut self, project: OpenProject, access: Access) -> Workspace {
        let wake = self.waker.call();
        let watch = match Watch::start(&project.root, wake) {
            Ok(mut watch) => {
                if let Some(unusual) = watch.unusual() {
                    self.say(Message::warning(unusual));
                }
                Some(watch)
            }
            Err(problem) => {
                self.say(Message::warning(problem));
                None
            }
        };
        let session = Session::new(&project.project);
        let (names, front) = self.remembered_scenes(&project);
        let rate = session.choices.tick_rate;
        let mut read = names.iter().map(|name| OpenScene::read(&project.root, name, rate));
        let first = read.next().expect("a project that is open has a scene");
        let mut scenes = Tabs::new(first);
        read.for_each(|scene| scenes.push(scene));
        scenes.bring(front);
        Workspace { session, project, scenes, watch, access }
    }

    /// Stops what runs and goes back to the welcome page.
    pub(crate) fn close_project(&mut self) {
        self.stop();
        self.forget_kept_work();
        self.recoveries.clear();
        if self.workspace.is_some() && !self.undocked.is_empty() {
            // Drawn again with the next project.
            self.window_goes();
        }
        self.comparing = None;
        self.workspace = None;
        self.leaving = None;
        self.plays_once_read = false;
        self.dialogs.forget_questions();
        self.problems = Finder::default();
        self.viewport.authored = None;
        self.viewport.screen = None;
        self.viewport.before = None;
        self.viewport.forget_painted();
        self.clicks.forget();
        self.inspector = super::empty_inspector(self.settings.history_frames(), self.graphics.is_ok());
        self.offers = None;
        self.banner = None;
    }

    /// Says why the scene of this file cannot be used, or takes back what was said of it.
    pub(super) fn say_refusal(&mut self, file: &Path) {
        let Some(workspace) = &mut self.workspace else { return };
        let is_front = workspace.scenes.front.file.path == file;
        let Some(scene) = workspace.scene_mut(file) else { return };
        let about_it = format!("The scene {} ", file.display());
        // A good scene in front is told of no other one; one behind takes back what was said of it.
        let is_over = |text: &str| {
            let is_refusal = text.starts_with("The scene ") && REFUSALS.iter().any(|how| text.contains(how));
            is_refusal && (is_front || text.starts_with(&about_it))
        };
        match scene.refusal() {
            Some((text, details)) => self.say(Message::error(text, details)),
            None => self.banner = self.banner.take().filter(|banner| !is_over(&banner.text)),
        }
    }

    /// Recent projects and samples for the welcome page; read once each time it is shown.
    pub(super) fn offers(&mut self) -> &(Vec<Offer>, Vec<Offer>) {
        let recent = &self.settings.recent;
        self.offers.get_or_insert_with(|| {
            let samples = sample_projects();
            (
                recent.iter().map(|path| offer(path)).collect(),
                samples.iter().map(|path| offer(&real_path(path))).collect(),
            )
        })
    }

    pub(crate) fn forget_recent(&mut self, path: &Path) {
        self.settings.forget(path);
        self.offers = None;
        self.save_settings();
    }

    pub(super) fn poll_dialogs(&mut self, ctx: &egui::Context) {
        if let Some(path) = self.dialogs.poll() {
            self.unless_unsaved(Next::OpenPath(path), ctx);
        }
        if let Some(fault) = self.opener.poll() {
            self.say(Message::error("The system could not open it.", vec![fault]));
        }
    }

    /// Looks through the project's files, on another thread.
    pub(super) fn look_for_problems(&mut self) {
        let Some(workspace) = &self.workspace else { return };
        let wake = self.waker.call();
        if let Err(problem) = self.problems.look(&workspace.project.root, wake) {
            self.say(Message::warning(problem));
        }
    }

    pub(crate) fn open_file(&mut self, path: &Path) {
        self.opener.open(path, self.waker.call());
    }

    pub(crate) fn open_scene_file(&mut self) {
        if let Some(workspace) = &self.workspace {
            let file = workspace.scenes.front.file.path.clone();
            self.open_file(&file);
        }
    }

    pub(crate) fn open_project_file(&mut self) {
        if let Some(workspace) = &self.workspace {
            let file = workspace.project.root.join(PROJECT_FILE);
            self.open_file(&file);
        }
    }

    pub(crate) fn open_scene_folder(&mut self) {
        let file = self.workspace.as_ref().map(|workspace| workspace.scenes.front.file.path.as_path());
        if let Some(folder) = file.and_then(Path::parent) {
            self.opener.open(folder, self.waker.call());
        }
    }

    pub(crate) fn choose_project(&mut self) {
        let start = self.settings.recent.first().and_then(|root| root.parent()).map(Path::to_owned);
        self.dialogs.choose_project(start, self.waker.call());
    }
}

/// A project that is gone has neither name nor description: it is offered to be forgotten. One that cannot be read says
/// why once it is opened.
fn offer(path: &Path) -> Offer {
    let (name, about) = match read_project(path) {
        Ok(project) => (project.name, project.about),
        Err(_) if is_there(&path.join(PROJECT_FILE)) => {
            (folder_name(path), "Its project.ron cannot be read: open it to see why.".to_owned())
        }
        Err(_) => (String::new(), String::new()),
    };
    Offer { path: path.to_owned(), name, about }
}

#[cfg(test)]
mod tests {
    use framewalk_runtime::time::Nanos;

    use super::*;
    use crate::app::EditorOptions;
    use crate::log_lines;
    use crate::project::store::SettingsStore;
    use crate::session::run::Drive;
    use crate::shell::status::Severity;

    fn scene(names: &[&str]) -> String {
        let entities: Vec<String> =
            names.iter().enumerate().map(|(id, name)| format!("(id: {id}, name: {name:?})")).collect();
        format!("(format: 1, entities: [{}])", entities.join(", "))
    }

    fn shown(editor: &EditorApp) -> Vec<&str> {
        let workspace = editor.workspace().expect("the project is open");
        assert!(workspace.scenes.front.authored.is_some(), "a scene is shown");
        workspace.scenes.front.document.scene().entities.iter().map(|entity| entity.name.as_str()).collect()
    }

    fn is_refused(editor: &EditorApp) -> bool {
        let message = editor.message().filter(|message| message.severity == Severity::Error);
        message.is_some_and(|message| message.text.ends_with("The last good scene is shown."))
    }

    #[test]
    fn whatever_becomes_of_the_file_the_last_good_scene_stays_until_a_better_one_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let settings = tempfile::tempdir().unwrap();
        let file = folder.path().join("scenes/main.ron");
        std::fs::create_dir(folder.path().join("scenes")).unwrap();
        std::fs::write(folder.path().join("project.ron"), "(format: 1, name: \"T\", scenes: [\"main\"])")
            .unwrap();
        std::fs::write(&file, scene(&["First"])).unwrap();
        let options = EditorOptions {
            settings: SettingsStore::in_folder(settings.path()),
            log: log_lines::channel().1,
            drive: Drive::Virtual { step: Nanos::ZERO },
            link: None,
            gate: std::sync::Arc::default(),
            project: Some(folder.path().to_owned()),
        };
        let ctx = egui::Context::default();
        let mut editor = EditorApp::start(&ctx, None, options);
        let follow = |editor: &mut EditorApp| {
            editor.follow_file(&file);
            editor.poll_jobs(&ctx);
        };
        assert_eq!(shown(&editor), ["First"]);

        let broken =
            [Some(scene(&["First"])[..20].to_owned()), Some(String::new()), Some(scene(&[""])), None];
        for text in broken {
            match &text {
                Some(text) => std::fs::write(&file, text).unwrap(),
                None => std::fs::remove_file(&file).unwrap(),
            }
            follow(&mut editor);
            assert_eq!(shown(&editor), ["First"], "{text:?}");
            assert!(is_refused(&editor), "{text:?}");

            std::fs::write(&file, scene(&["First"])).unwrap();
            follow(&mut editor);
            assert!(!is_refused(&editor), "mended after {text:?}");
        }
        std::fs::write(&file, scene(&["First", "Second"])).unwrap();
        follow(&mut editor);
        assert_eq!(shown(&editor), ["First", "Second"]);
    }
}
