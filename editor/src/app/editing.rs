//! Making and changing things: edits, undo, saving, and what is asked before unsaved work would be lost.

use std::path::PathBuf;

use framewalk_runtime::scene::{Body, Camera, Color, Entity, Motion, Shape, ShapeKind, Sky, Sun};
use glam::Vec3;

use super::EditorApp;
use crate::cli::args::Template;
use crate::command::NewEntity;
use crate::document::component::{ComponentKind, usual};
use crate::document::edit::{Edit, Reach};
use crate::document::history::Gesture;
use crate::project::jobs::Over;
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
    /// In this folder, from this template.
    MakeProject(PathBuf, Template),
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
        if let Some(reason) = self.read_only_reason() {
            return self.say(Message::warning(reason));
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

    /// A new entity at the end, in front of the view, and selected.
    pub(crate) fn add(&mut self, what: NewEntity) {
        let place_seen = {
            let camera = self.viewport.seen_from(false);
            let pivot = camera.pivot();
            Vec3::new(pivot.x.round(), pivot.y.max(0.5).round().max(0.5), pivot.z.round())
        };
        let Some(document) = self.workspace.as_ref().map(|workspace| &workspace.document) else { return };
        let entities = &document.scene().entities;
        let Some(id) = document.indexed().free_ids(1).pop() else { return };
        let mut entity = new_entity(what);
        entity.id = id;
        if entity.shape.is_some() || entity.spawner.is_some() || entity.crowd.is_some() {
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

    /// Does it at once, or asks first where something is unsaved.
    pub(crate) fn unless_unsaved(&mut self, next: Next, ctx: &egui::Context) {
        if self.waits_for_save(&next) {
            return;
        }
        // What another editor has taken over is not lost with this window.
        let title = self
            .workspace
            .as_ref()
            .filter(|workspace| workspace.document.is_dirty() && !workspace.access.is_read_only());
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
            Next::MakeProject(folder, template) => self.make_project(&folder, template, ctx),
            Next::OpenScene(name) => self.open_scene(name),
            Next::Revert => self.revert(),
        }
    }

    pub(crate) fn answer(&mut self, answer: Answer, ctx: &egui::Context) {
        let Some(question) = self.dialogs.answered() else { return };
        match (question.without_lines(), answer) {
            (Question::Unsaved { next, .. }, Answer::Save) => self.save_then(Some(next), ctx),
            (Question::Unsaved { next, .. }, Answer::Discard) => self.proceed(next, ctx),
            (Question::ChangedOnDisk { .. }, Answer::KeepMine) => self.write_scene(Over::Anything, ctx),
            (Question::ChangedOnDisk { .. }, Answer::TakeTheirs) => self.revert(),
            (Question::ChangedOnDisk { file }, Answer::ShowBoth) => self.show_both(file),
            (Question::ChangedOnDisk { file }, Answer::SaveCopy) => self.save_copy_and_revert(&file, ctx),
            (Question::Recovered { recovered, .. }, answer) => self.answer_recovered(&recovered, answer),
            _ => {}
        }
    }

    /// Reads the scene again from its file; what was not saved is gone.
    pub(super) fn revert(&mut self) {
        let Some(workspace) = &mut self.workspace else { return };
        workspace.newer_on_disk = false;
        let scene = crate::project::read_scene(&mut workspace.project);
        self.show_scene(scene);
    }

    /// The window is to be closed: not while something is unsaved and nobody was asked.
    pub(super) fn follow_close_request(&mut self, ctx: &egui::Context) {
        let wanted = ctx.input(|input| input.viewport().close_requested());
        let is_lost = self.is_dirty() && self.read_only_reason().is_none();
        if wanted && !self.quitting && (is_lost || self.is_saving()) {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.unless_unsaved(Next::Quit, ctx);
        }
    }
}

/// With a name and what makes it what it is; the rest is for the author.
fn new_entity(what: NewEntity) -> Entity {
    let color = Color::hex(0x0056_b4e9);
    let shaped = |kind| Entity { shape: Some(Shape { kind, color }), ..Entity::default() };
    let cube = ShapeKind::Cube { size: Vec3::ONE };
    let capsule = ShapeKind::Capsule { radius: 0.35, half_height: 0.5 };
    let with = |kind, mut entity: Entity| {
        usual(kind).put(&mut entity);
        entity
    };
    let entity = match what {
        NewEntity::Empty => Entity::default(),
        NewEntity::Cube => shaped(cube),
        NewEntity::Sphere => shaped(ShapeKind::Sphere { radius: 0.5 }),
        NewEntity::Capsule => shaped(capsule),
        NewEntity::Cylinder => shaped(ShapeKind::Cylinder { radius: 0.5, half_height: 0.5 }),
        NewEntity::Plane => shaped(ShapeKind::Plane { width: 10.0, depth: 10.0 }),
        NewEntity::Body => Entity { body: Some(Body::default()), ..shaped(cube) },
        NewEntity::Mover => {
            Entity { motion: Some(Motion::Spin { axis: Vec3::Y, degrees_per_second: 90.0 }), ..shaped(cube) }
        }
        NewEntity::Spawner => with(ComponentKind::Spawner, Entity::default()),
        NewEntity::Crowd => with(ComponentKind::Crowd, Entity::default()),
        NewEntity::Teleporter => with(ComponentKind::Teleporter, shaped(cube)),
        NewEntity::Player => with(ComponentKind::Controlled, shaped(capsule)),
        NewEntity::Camera => Entity { camera: Some(Camera::default()), ..Entity::default() },
        NewEntity::Sun => Entity { sun: Some(Sun::default()), ..Entity::default() },
        NewEntity::Sky => Entity { sky: Some(Sky::default()), ..Entity::default() },
    };
    Entity { name: what.name().to_owned(), ..entity }
}
