//! The open scenes as a row of tabs: opening one, bringing one to the front, closing them, remembering them.

use std::path::{Path, PathBuf};

use egui::{Frame, Panel, Ui};

use super::on_disk::OnDisk;
use super::{EditorApp, OpenScene};
use crate::command::Action;
use crate::panels::properties::running::RunningView;
use crate::project::leaving::Next;
use crate::project::store::is_there;
use crate::project::{OpenProject, scene_path};
use crate::settings::OpenScenes;
use crate::shell::status::Message;
use crate::shell::tabs::{self, TabFacts, TabsFacts};
use crate::viewport::gizmo::Grip;
use crate::viewport::trail::Trails;

impl EditorApp {
    /// Brings a scene of the project to the front, in a tab of its own; opened where it is not.
    pub(crate) fn open_scene(&mut self, name: &str) {
        let Some(workspace) = &self.workspace else { return };
        if let Some(idx) = workspace.idx_named(name) {
            return self.bring(idx);
        }
        if self.stays_in_front() {
            return;
        }
        self.leave_front();
        let Some(workspace) = &mut self.workspace else { return };
        let rate = workspace.session.choices.tick_rate;
        workspace.scenes.open(OpenScene::read(&workspace.project.root, name, rate));
        let file = workspace.scenes.front.file.path.clone();
        self.come_to_scene();
        self.find_recovery_of(&file);
    }

    /// Brings the scene at this place of the row to the front.
    pub(crate) fn bring(&mut self, idx: usize) {
        let Some(workspace) = &self.workspace else { return };
        if idx == workspace.scenes.front_idx() || idx >= workspace.scenes.count() || self.stays_in_front() {
            return;
        }
        self.leave_front();
        if let Some(workspace) = &mut self.workspace {
            workspace.scenes.bring(idx);
        }
        self.come_to_scene();
    }

    /// Brings the next scene of the row to the front, or the one before.
    pub(crate) fn bring_beside(&mut self, forward: bool) {
        if let Some(idx) = self.workspace.as_ref().map(|workspace| workspace.scenes.beside(forward)) {
            self.bring(idx);
        }
    }

    /// A run belongs to its scene, which stays in front until Stop: true then, and said.
    fn stays_in_front(&mut self) -> bool {
        let name = self.workspace.as_ref().map(|workspace| workspace.scenes.front.file.stem().to_owned());
        let stays = self.is_live();
        if let (true, Some(name)) = (stays, name) {
            self.say(Message::warning(format!("{name} runs: Stop it, and then go to another scene.")));
        }
        stays
    }

    /// What is held is let go, and how the scene is looked at is kept for when it comes back.
    fn leave_front(&mut self) {
        self.grip(Grip::Cancel);
        self.clicks.forget();
        self.outliner.let_go();
        let Some(workspace) = &mut self.workspace else { return };
        let left_as = &mut workspace.scenes.front.left_as;
        left_as.camera = self.viewport.camera;
        left_as.outliner = std::mem::take(&mut self.outliner);
    }

    /// Shows the scene that is in front now, as it was left.
    pub(super) fn come_to_scene(&mut self) {
        let Some(workspace) = &mut self.workspace else { return };
        let front = &mut workspace.scenes.front;
        self.viewport.camera = front.left_as.camera;
        self.outliner = std::mem::take(&mut front.left_as.outliner);
        self.viewport.trails = Trails::default();
        if front.authored.is_some() {
            self.viewport.draw_anew();
        } else {
            // Nothing is drawn of a scene that is refused, and no other stands in for it.
            (self.viewport.authored, self.viewport.screen, self.viewport.before) = (None, None, None);
        }
        // What was typed in the fields of another scene is none of this one's.
        self.editing.forget();
        self.running = RunningView::default();
        let (file, is_asked) = (front.file.path.clone(), front.on_disk != OnDisk::AsRead);
        self.say_refusal(&file);
        if is_asked {
            self.follow_file(&file);
        }
        // Also after a crash the same scenes are open again.
        self.save_settings();
    }

    /// Opens a scene of the project and closes all others: for pictures of it.
    pub(crate) fn show_only(&mut self, name: &str) {
        self.open_scene(name);
        let Some(workspace) = &self.workspace else { return };
        let others = workspace.scenes.iter().filter(|scene| scene.file.name != name);
        let files: Vec<PathBuf> = others.map(|scene| scene.file.path.clone()).collect();
        self.close_scenes(&files);
    }

    /// Closes the scene in front, or asks first where it is not saved.
    pub(crate) fn close_front(&mut self, ctx: &egui::Context) {
        if let Some(name) = self.workspace.as_ref().map(|workspace| workspace.scenes.front.file.name.clone())
        {
            self.close_scene(&name, ctx);
        }
    }

    /// Closes the scene of this name, or asks first.
    pub(crate) fn close_scene(&mut self, name: &str, ctx: &egui::Context) {
        self.close_those(|scene| scene.file.name == name, ctx);
    }

    /// Closes every scene but this one.
    pub(crate) fn close_other_scenes(&mut self, kept: &str, ctx: &egui::Context) {
        self.close_those(|scene| scene.file.name != kept, ctx);
    }

    /// Closes every scene but the one in front.
    pub(crate) fn close_all_behind(&mut self, ctx: &egui::Context) {
        if let Some(kept) = self.workspace.as_ref().map(|workspace| workspace.scenes.front.file.name.clone())
        {
            self.close_other_scenes(&kept, ctx);
        }
    }

    fn close_those(&mut self, closed: impl Fn(&OpenScene) -> bool, ctx: &egui::Context) {
        let Some(workspace) = &self.workspace else { return };
        if workspace.session.is_live() && closed(&workspace.scenes.front) {
            self.stays_in_front();
            return;
        }
        let closed = workspace.scenes.iter().filter(|scene| closed(scene));
        let files: Vec<PathBuf> = closed.map(|scene| scene.file.path.clone()).collect();
        if !files.is_empty() && files.len() < workspace.scenes.count() {
            self.unless_unsaved(Next::CloseScenes(files), ctx);
        }
    }

    /// Whoever had to be asked was.
    pub(super) fn close_scenes(&mut self, files: &[PathBuf]) {
        for file in files {
            self.forget_kept_work_of(file);
            let Some(workspace) = &mut self.workspace else { return };
            let Some(idx) = workspace.idx_of(file) else { continue };
            let was_front = idx == workspace.scenes.front_idx();
            if workspace.scenes.close(idx).is_some() && was_front {
                self.viewport.gizmo.held = None;
                self.clicks.forget();
                self.come_to_scene();
            }
        }
        self.save_settings();
    }

    /// Moves a tab along the row.
    pub(crate) fn shift_tab(&mut self, from: usize, to: usize) {
        if let Some(workspace) = &mut self.workspace {
            workspace.scenes.shift(from, to);
        }
        self.save_settings();
    }

    /// Moves the tab in front one place along the row, as far as the row goes.
    pub(crate) fn shift_front(&mut self, right: bool) {
        let Some(scenes) = self.workspace.as_ref().map(|workspace| &workspace.scenes) else { return };
        let from = scenes.front_idx();
        let to = if right { Some(from + 1) } else { from.checked_sub(1) };
        if let Some(to) = to.filter(|to| *to < scenes.count()) {
            self.shift_tab(from, to);
        }
    }

    /// What is open is opened again with the project.
    pub(super) fn note_open_scenes(&mut self) {
        let Some(workspace) = &self.workspace else { return };
        if workspace.project.root.to_str().is_none() {
            // Not to be written down, see `Settings::remember`.
            return;
        }
        let scenes = &workspace.scenes;
        let open = OpenScenes {
            scenes: scenes.iter().map(|scene| scene.file.name.clone()).collect(),
            front: scenes.front.file.name.clone(),
        };
        self.settings.open_scenes.insert(workspace.project.root.clone(), open);
    }

    /// The scenes that were open in a project last, as far as it still has them, and which of them was in front. Else
    /// its first one.
    pub(super) fn remembered_scenes(&self, project: &OpenProject) -> (Vec<String>, usize) {
        let listed = &project.project.scenes;
        let is_there = |name: &String| listed.contains(name) && is_there(&scene_path(&project.root, name));
        let Some(open) = self.settings.open_scenes.get(&project.root) else {
            return (listed[..1].to_vec(), 0);
        };
        let mut names: Vec<String> = Vec::new();
        for name in open.scenes.iter().filter(|name| is_there(name)) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        if names.is_empty() {
            return (listed[..1].to_vec(), 0);
        }
        let front = names.iter().position(|name| *name == open.front).unwrap_or(0);
        (names, front)
    }

    /// The scene of this name is written to its file.
    pub(crate) fn save_scene(&mut self, name: &str, ctx: &egui::Context) {
        let Some(workspace) = &self.workspace else { return };
        let of_name = workspace.scenes.iter().filter(|scene| scene.file.name == name);
        let files: Vec<PathBuf> = of_name.map(|scene| scene.file.path.clone()).collect();
        self.save_files(&files, ctx);
    }

    /// Shows the folder of a scene's file.
    pub(crate) fn open_folder_of(&mut self, file: &Path) {
        if let Some(folder) = file.parent() {
            self.opener.open(folder, self.waker.call());
        }
    }

    /// Draws the row of tabs.
    pub(super) fn tabs_ui(&self, ui: &mut Ui, bar: Frame, actions: &mut Vec<Action>) {
        let Some(workspace) = &self.workspace else { return };
        let (front, live) = (workspace.scenes.front_idx(), workspace.session.is_live());
        let scenes = workspace.scenes.iter().enumerate();
        let tabs: Vec<TabFacts<'_>> = scenes
            .map(|(idx, scene)| TabFacts {
                name: &scene.file.name,
                title: scene.file.stem(),
                path: &scene.file.path,
                is_front: idx == front,
                is_unsaved: scene.is_unsaved(),
                is_gone: scene.is_gone(),
                is_newer_on_disk: scene.on_disk != OnDisk::AsRead,
                is_broken: !scene.file.faults.is_empty() && !scene.is_gone(),
                runs: live && idx == front,
            })
            .collect();
        let facts = TabsFacts { tabs: &tabs, keymap: &self.keymap, situation: self.situation() };
        let bar = bar.inner_margin(egui::Margin::symmetric(6, 0));
        let panel = Panel::top("scenes").exact_size(tabs::HEIGHT).frame(bar).show_separator_line(false);
        panel.show(ui, |ui| tabs::ui(ui, &facts, actions));
    }
}
