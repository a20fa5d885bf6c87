//! Making and changing things: edits, undo, saving, and what is asked before unsaved work would be lost.

use std::collections::HashMap;
use std::path::PathBuf;

use framewalk_runtime::scene::format::update_scene;
use framewalk_runtime::scene::{Camera, Color, Entity, EntityId, Shape, ShapeKind, Sky, Sun};
use glam::Vec3;

use super::EditorApp;
use crate::command::NewEntity;
use crate::document::edit::{Edit, Reach};
use crate::document::history::Gesture;
use crate::project::store;
use crate::shell::question::{Answer, Question};
use crate::shell::status::Message;
use crate::viewport::authored::AuthoredWorld;

/// What is done once nothing unsaved stands in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    Quit,
    CloseProject,
    OpenPath(PathBuf),
    OpenScene(String),
    /// The scene is read again from its file.
    Revert,
}

impl EditorApp {
    /// The open scene is not as in its file.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.workspace.as_ref().is_some_and(|workspace| workspace.document.is_dirty())
    }

    /// Changes the authored scene as one step. What the scene must not be is refused with a sentence, and nothing
    /// is changed.
    pub(crate) fn edit(&mut self, name: &str, edit: Edit, gesture: Option<Gesture>) {
        if self.is_live() {
            self.say(Message::warning("A running scene is a copy: Stop, and then change the authored one."));
            return;
        }
        let Some(workspace) = &mut self.workspace else { return };
        match workspace.document.apply(name, edit, gesture) {
            Ok(reach) => self.show_change(&reach),
            Err(problem) => self.say(Message::warning(format!("{name} was refused: {problem}"))),
        }
    }

    /// What has changed is drawn, listed and read anew.
    pub(super) fn show_change(&mut self, reach: &Reach) {
        let Some(workspace) = &mut self.workspace else { return };
        let (document, rate) = (&workspace.document, workspace.session.choices.tick_rate);
        let shown = match &mut workspace.authored {
            Some(world) => world.follow(document, reach, rate),
            none => AuthoredWorld::new(document.scene(), rate, document.revision())
                .map(|world| *none = Some(world)),
        };
        if let Err(problem) = shown {
            self.say(Message::error("The scene cannot be shown.", vec![problem]));
        }
    }

    pub(crate) fn undo(&mut self) {
        self.turn_back(|document| document.undo());
    }

    pub(crate) fn redo(&mut self) {
        self.turn_back(|document| document.redo());
    }

    fn turn_back(&mut self, turn: impl FnOnce(&mut crate::document::Document) -> Reach) {
        let Some(workspace) = &mut self.workspace else { return };
        let reach = turn(&mut workspace.document);
        self.show_change(&reach);
    }

    /// Undoes or redoes until so many of the steps are done.
    pub(crate) fn jump_in_history(&mut self, count: usize) {
        self.turn_back(|document| document.jump(count));
    }

    pub(crate) fn delete_selection(&mut self) {
        let Some(document) = self.workspace.as_ref().map(|workspace| &workspace.document) else { return };
        let Some(entity) = document.selected() else { return };
        let name = format!("Delete {}", entity.name);
        self.edit(&name, Edit::deletion(document.indexed(), &[entity.id]), None);
    }

    /// A copy of the selection, with all that hangs on it, right behind it; the copy is selected.
    pub(crate) fn duplicate_selection(&mut self) {
        let Some(document) = self.workspace.as_ref().map(|workspace| &workspace.document) else { return };
        let Some(entity) = document.selected() else { return };
        let scene = document.scene();
        let name = format!("Duplicate {}", entity.name);
        let mut family = vec![entity.id];
        // Children may stand before their parents: until nobody is added any more.
        loop {
            let hangs = |child: &&Entity| {
                child.parent.is_some_and(|parent| family.contains(&parent)) && !family.contains(&child.id)
            };
            let more: Vec<EntityId> = scene.entities.iter().filter(hangs).map(|child| child.id).collect();
            if more.is_empty() {
                break;
            }
            family.extend(more);
        }
        let free = (free_id(&scene.entities)..).map(EntityId);
        let new_ids: HashMap<EntityId, EntityId> = family.iter().copied().zip(free).collect();
        let place = scene.entities.iter().position(|other| other.id == entity.id).map_or(0, |at| at + 1);
        let copies = scene.entities.iter().filter(|entity| new_ids.contains_key(&entity.id)).map(|entity| {
            let mut copy = entity.clone();
            copy.id = new_ids[&entity.id];
            copy.parent = entity.parent.map(|parent| new_ids.get(&parent).copied().unwrap_or(parent));
            if let Some(follow) = copy.camera.as_mut().and_then(|camera| camera.follow.as_mut()) {
                follow.target = new_ids.get(&follow.target).copied().unwrap_or(follow.target);
            }
            copy
        });
        let mut copies: Vec<Entity> = copies.collect();
        if let Some(copy) = copies.iter_mut().find(|copy| copy.id == new_ids[&entity.id]) {
            copy.name = format!("{} copy", copy.name);
        }
        let selected = new_ids[&entity.id];
        let places = copies.into_iter().enumerate().map(|(nth, copy)| (place + nth, copy)).collect();
        self.edit(&name, Edit::Insert(places), None);
        self.select(Some(selected));
    }

    /// A new entity at the end, in front of the view, and selected.
    pub(crate) fn add(&mut self, what: NewEntity) {
        let place_seen = {
            let camera = self.viewport.seen_from(false);
            let pivot = camera.pivot();
            Vec3::new(pivot.x.round(), pivot.y.max(0.5).round().max(0.5), pivot.z.round())
        };
        let Some(document) = self.workspace.as_ref().map(|workspace| &workspace.document) else { return };
        let entities = &document.scene().entities;
        let id = EntityId(free_id(entities));
        let mut entity = new_entity(what);
        entity.id = id;
        if entity.shape.is_some() {
            entity.transform.position = place_seen;
        }
        let taken = |name: &str| entities.iter().any(|entity| entity.name == name);
        let base = entity.name.clone();
        let mut number = 1;
        while taken(&entity.name) {
            number += 1;
            entity.name = format!("{base} {number}");
        }
        let (name, place) = (format!("Add {}", entity.name), entities.len());
        self.edit(&name, Edit::Insert(vec![(place, entity)]), None);
        self.select(Some(id));
    }

    /// Writes the scene to its file; only what was changed is changed there. False where it could not be.
    pub(crate) fn save(&mut self) -> bool {
        let Some(workspace) = &mut self.workspace else { return false };
        if !workspace.document.is_dirty() {
            return true;
        }
        let file = workspace.project.scene_path();
        if store::read_scene(&file).text != workspace.project.scene_text {
            self.dialogs.ask(Question::ChangedOnDisk { file });
            return false;
        }
        self.write_scene(&file)
    }

    fn write_scene(&mut self, file: &std::path::Path) -> bool {
        let Some(workspace) = &mut self.workspace else { return false };
        let text = match update_scene(&workspace.base_text, workspace.document.scene()) {
            Ok(text) => text,
            Err(faults) => {
                let faults = faults.iter().map(ToString::to_string).collect();
                self.say(Message::error("The scene cannot be written.", faults));
                return false;
            }
        };
        let saved = store::save(file, &text);
        match saved {
            Ok(()) => {
                if file == workspace.project.scene_path() {
                    workspace.project.scene_text = text;
                    workspace.document.mark_saved();
                }
                self.say(Message::info(format!("Saved {}.", file.display())));
                true
            }
            Err(problem) => {
                let text = "The scene was not saved. The file is as it was, and your work is still here.";
                self.say(Message::error(text, vec![problem]));
                false
            }
        }
    }

    /// Does it at once, or asks first where something is unsaved.
    pub(crate) fn unless_unsaved(&mut self, next: Next, ctx: &egui::Context) {
        let title = self.workspace.as_ref().filter(|workspace| workspace.document.is_dirty());
        match title.map(|workspace| workspace.project.title().1) {
            Some(scene) => self.dialogs.ask(Question::Unsaved { scene, next }),
            None => self.proceed(next, ctx),
        }
    }

    fn proceed(&mut self, next: Next, ctx: &egui::Context) {
        match next {
            Next::Quit => {
                self.quitting = true;
                ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            }
            Next::CloseProject => self.close_project(),
            Next::OpenPath(path) => self.open_path(&path, ctx),
            Next::OpenScene(name) => self.open_scene(name),
            Next::Revert => self.revert(),
        }
    }

    pub(crate) fn answer(&mut self, answer: Answer, ctx: &egui::Context) {
        let Some(question) = self.dialogs.answered() else { return };
        match (question.without_lines(), answer) {
            (Question::Unsaved { next, .. }, Answer::Save) => self.save_and(next, ctx),
            (Question::Unsaved { next, .. }, Answer::Discard) => self.proceed(next, ctx),
            (Question::ChangedOnDisk { file }, Answer::KeepMine) => _ = self.write_scene(&file),
            (Question::ChangedOnDisk { .. }, Answer::TakeTheirs) => self.revert(),
            (Question::ChangedOnDisk { file }, Answer::ShowBoth) => self.show_both(file),
            (Question::ChangedOnDisk { file }, Answer::SaveCopy) => self.save_copy_and_revert(&file),
            _ => {}
        }
    }

    fn save_and(&mut self, next: Next, ctx: &egui::Context) {
        if self.save() {
            self.proceed(next, ctx);
        }
    }

    fn save_copy_and_revert(&mut self, file: &std::path::Path) {
        if self.write_scene(&store::copy_beside(file)) {
            self.revert();
        }
    }

    /// Reads the scene again from its file; what was not saved is gone.
    fn revert(&mut self) {
        let Some(workspace) = &mut self.workspace else { return };
        workspace.newer_on_disk = false;
        let scene = crate::project::read_scene(&mut workspace.project);
        self.show_scene(scene);
    }

    /// The window is to be closed: not while something is unsaved and nobody was asked.
    pub(super) fn follow_close_request(&mut self, ctx: &egui::Context) {
        let wanted = ctx.input(|input| input.viewport().close_requested());
        if wanted && !self.quitting && self.is_dirty() {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.unless_unsaved(Next::Quit, ctx);
        }
    }
}

fn free_id(entities: &[Entity]) -> u64 {
    entities.iter().map(|entity| entity.id.0).max().unwrap_or(0) + 1
}

/// With a name and what makes it what it is; the rest is for the author.
fn new_entity(what: NewEntity) -> Entity {
    let color = Color::hex(0x0056_b4e9);
    let shaped = |kind| Entity { shape: Some(Shape { kind, color }), ..Entity::default() };
    let entity = match what {
        NewEntity::Empty => Entity::default(),
        NewEntity::Cube => shaped(ShapeKind::Cube { size: Vec3::ONE }),
        NewEntity::Sphere => shaped(ShapeKind::Sphere { radius: 0.5 }),
        NewEntity::Capsule => shaped(ShapeKind::Capsule { radius: 0.35, half_height: 0.5 }),
        NewEntity::Cylinder => shaped(ShapeKind::Cylinder { radius: 0.5, half_height: 0.5 }),
        NewEntity::Plane => shaped(ShapeKind::Plane { width: 10.0, depth: 10.0 }),
        NewEntity::Camera => Entity { camera: Some(Camera::default()), ..Entity::default() },
        NewEntity::Sun => Entity { sun: Some(Sun::default()), ..Entity::default() },
        NewEntity::Sky => Entity { sky: Some(Sky::default()), ..Entity::default() },
    };
    Entity { name: what.name().to_owned(), ..entity }
}
