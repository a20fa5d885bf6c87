//! Properties of an authored entity as fields to change: a drag, a typed number or a picked colour is one step.

use egui::{DragValue, Id, Response, RichText, Ui};
use framewalk_inspector::theme::Theme;
use framewalk_runtime::scene::{
    Body, BodyKind, Camera, Color, Entity, Motion, Scene, Shape, ShapeKind, Transform,
};
use framewalk_runtime::time::Nanos;
use glam::Vec3;
use std::ops::RangeInclusive;

use super::{row, section_ui};
use crate::command::Action;
use crate::document::component::{Component, ComponentKind, usual};
use crate::document::edit::Edit;
use crate::document::history::Gesture;

const ANY: RangeInclusive<f32> = -100_000.0..=100_000.0;
const POSITIVE: RangeInclusive<f32> = 0.001..=100_000.0;
const NOT_NEGATIVE: RangeInclusive<f32> = 0.0..=100_000.0;
const SHARE: RangeInclusive<f32> = 0.0..=1.0;

/// What the fields remember: which of them is being changed, so that one drag is one step.
#[derive(Debug, Default)]
pub struct EditingView {
    gesture: u64,
    active: Option<Id>,
    /// What is typed as the name, until it is entered.
    name: Option<(framewalk_runtime::scene::EntityId, String)>,
}

impl EditingView {
    /// Follows a field; true where it has changed the value.
    fn follow(&mut self, response: &Response) -> bool {
        let begins = response.drag_started() || response.gained_focus();
        if begins || (response.changed() && self.active != Some(response.id)) {
            self.gesture += 1;
            self.active = Some(response.id);
        }
        response.changed()
    }
}

/// Draws every part of the entity that can be changed.
pub fn ui(ui: &mut Ui, view: &mut EditingView, scene: &Scene, entity: &Entity, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    name_ui(ui, &theme, view, entity, actions);
    section_ui(ui, &theme, "Transform", "");
    let mut transform = entity.transform;
    if (Fields { ui: &mut *ui, theme: &theme, view: &mut *view }).transform(&mut transform) {
        let edit = Edit::Place { id: entity.id, transform };
        actions.push(step(view, format!("Move {}", entity.name), edit));
    }
    for kind in ComponentKind::ALL {
        let Some(mut component) = kind.of(entity) else { continue };
        let removed = component_head(ui, &theme, kind);
        if removed {
            let edit = Edit::Unset { id: entity.id, kind };
            actions.push(once(format!("Remove {} of {}", kind.name(), entity.name), edit));
        } else if (Fields { ui: &mut *ui, theme: &theme, view: &mut *view }).component(&mut component, scene)
        {
            let edit = Edit::Set { id: entity.id, component };
            actions.push(step(view, format!("Change {} of {}", kind.name(), entity.name), edit));
        }
    }
    for unknown in &entity.unknown {
        section_ui(ui, &theme, &unknown.name, "(unknown here; kept as it is)");
        ui.add(egui::Label::new(RichText::new(&unknown.text).monospace().color(theme.dim)).truncate());
    }
    ui.add_space(10.0);
    add_component_ui(ui, entity, actions);
}

fn step(view: &EditingView, name: String, edit: Edit) -> Action {
    Action::Edit { name, edit: Box::new(edit), gesture: Some(Gesture(view.gesture)) }
}

fn once(name: String, edit: Edit) -> Action {
    Action::Edit { name, edit: Box::new(edit), gesture: None }
}

/// The name is taken when it is entered, so that an empty one is never asked for in between.
fn name_ui(ui: &mut Ui, theme: &Theme, view: &mut EditingView, entity: &Entity, actions: &mut Vec<Action>) {
    if view.name.as_ref().is_none_or(|(id, _)| *id != entity.id) {
        view.name = Some((entity.id, entity.name.clone()));
    }
    let Some((_, typed)) = &mut view.name else { return };
    row(ui, theme, "Name", |ui| {
        let field = egui::TextEdit::singleline(typed).desired_width(f32::INFINITY);
        let response = ui.add(field).accessible_name("Name of the entity");
        if response.lost_focus() {
            let name = typed.trim().to_owned();
            if !name.is_empty()
                && name != entity.name
                && !ui.input(|input| input.key_pressed(egui::Key::Escape))
            {
                let edit = Edit::Rename { id: entity.id, name: name.clone() };
                actions.push(once(format!("Rename {} to {name}", entity.name), edit));
            }
            *typed = entity.name.clone();
        } else if !response.has_focus() {
            typed.clone_from(&entity.name);
        }
    });
}

/// The title of a component, with the way to be rid of it.
fn component_head(ui: &mut Ui, theme: &Theme, kind: ComponentKind) -> bool {
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        ui.label(theme.section(kind.name()));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let button = egui::Button::new(RichText::new("×").color(theme.dim)).frame(false);
            let label = format!("Remove {}", kind.name());
            ui.add(button).accessible_name(&label).on_hover_text(label).clicked()
        })
        .inner
    })
    .inner
}

fn add_component_ui(ui: &mut Ui, entity: &Entity, actions: &mut Vec<Action>) {
    ui.menu_button("Add component", |ui| {
        for kind in ComponentKind::ALL.into_iter().filter(|kind| kind.of(entity).is_none()) {
            if ui.button(kind.name()).clicked() {
                let edit = Edit::Set { id: entity.id, component: usual(kind) };
                actions.push(once(format!("Add {} to {}", kind.name(), entity.name), edit));
                ui.close();
            }
        }
    });
}

/// Fields of one component. Each says whether it was changed; every field is drawn, changed or not.
struct Fields<'a> {
    ui: &'a mut Ui,
    theme: &'a Theme,
    view: &'a mut EditingView,
}

impl Fields<'_> {
    fn component(&mut self, component: &mut Component, scene: &Scene) -> bool {
        match component {
            Component::Shape(shape) => self.shape(shape),
            Component::Body(body) => self.body(body),
            Component::Motion(motion) => self.motion(motion),
            Component::Spawner(spawner) => {
                let mut changed = self.count("Every", &mut spawner.every_ticks, 1, " ticks");
                changed |= self.count("Lifetime", &mut spawner.lifetime_ticks, 0, " ticks");
                changed |= self.count("Limit", &mut spawner.limit, 1, "");
                changed |= self.number("Spread", &mut spawner.spread_degrees, 0.0..=360.0, "°");
                changed | self.shape(&mut spawner.shape)
            }
            Component::Teleporter(teleporter) => {
                let mut changed = self.count("Every", &mut teleporter.every_ticks, 1, " ticks");
                for (nth, pose) in teleporter.poses.iter_mut().enumerate() {
                    changed |= self.vector(&format!("Pose {}", nth + 1), &mut pose.position, ANY, " m");
                }
                changed
            }
            Component::Controlled(controlled) => {
                self.number("Speed", &mut controlled.speed, NOT_NEGATIVE, " m/s")
                    | self.number("Jump", &mut controlled.jump, NOT_NEGATIVE, " m")
            }
            Component::Camera(camera) => self.camera(camera, scene),
            Component::Sun(sun) => {
                self.vector("Direction", &mut sun.direction, ANY, "")
                    | self.color("Color", &mut sun.color)
                    | self.number("Strength", &mut sun.strength, 0.0..=20.0, "")
            }
            Component::Sky(sky) => {
                self.color("Top", &mut sky.top)
                    | self.color("Horizon", &mut sky.horizon)
                    | self.color("Ground", &mut sky.ground)
                    | self.number("Ambient", &mut sky.ambient, SHARE, "")
            }
            Component::Load(load) => {
                self.micros("Tick", &mut load.tick)
                    | self.micros("Frame", &mut load.frame)
                    | self.micros("Submit", &mut load.submit)
            }
        }
    }

    fn transform(&mut self, transform: &mut Transform) -> bool {
        self.vector("Position", &mut transform.position, ANY, " m")
            | self.vector("Rotation", &mut transform.rotation_degrees, ANY, "°")
            | self.vector("Scale", &mut transform.scale, POSITIVE, "")
    }

    fn shape(&mut self, shape: &mut Shape) -> bool {
        let kinds = [
            ("cube", ShapeKind::Cube { size: Vec3::ONE }),
            ("sphere", ShapeKind::Sphere { radius: 0.5 }),
            ("capsule", ShapeKind::Capsule { radius: 0.35, half_height: 0.5 }),
            ("cylinder", ShapeKind::Cylinder { radius: 0.5, half_height: 0.5 }),
            ("plane", ShapeKind::Plane { width: 10.0, depth: 10.0 }),
        ];
        let changed = self.choice("Shape", &mut shape.kind, &kinds);
        changed
            | match &mut shape.kind {
                ShapeKind::Cube { size } => self.vector("Size", size, POSITIVE, " m"),
                ShapeKind::Sphere { radius } => self.number("Radius", radius, POSITIVE, " m"),
                ShapeKind::Capsule { radius, half_height } | ShapeKind::Cylinder { radius, half_height } => {
                    self.number("Radius", radius, POSITIVE, " m")
                        | self.number("Half height", half_height, POSITIVE, " m")
                }
                ShapeKind::Plane { width, depth } => {
                    self.number("Width", width, POSITIVE, " m") | self.number("Depth", depth, POSITIVE, " m")
                }
            }
            | self.color("Color", &mut shape.color)
    }

    fn body(&mut self, body: &mut Body) -> bool {
        let kinds =
            [("fixed", BodyKind::Fixed), ("kinematic", BodyKind::Kinematic), ("dynamic", BodyKind::Dynamic)];
        self.choice("Body", &mut body.kind, &kinds)
            | self.number("Mass", &mut body.mass, POSITIVE, " kg")
            | self.number("Friction", &mut body.friction, 0.0..=10.0, "")
            | self.number("Bounce", &mut body.bounce, SHARE, "")
            | self.vector("Velocity", &mut body.velocity, -1_000.0..=1_000.0, " m/s")
            | self.vector("Spin", &mut body.spin, -1_000.0..=1_000.0, " rad/s")
    }

    fn motion(&mut self, motion: &mut Motion) -> bool {
        let kinds = [
            ("steady", Motion::Steady { velocity: Vec3::X }),
            ("spin", Motion::Spin { axis: Vec3::Y, degrees_per_second: 90.0 }),
            ("orbit", Motion::Orbit { center: Vec3::ZERO, axis: Vec3::Y, degrees_per_second: 90.0 }),
            ("oscillate", Motion::Oscillate { amplitude: Vec3::X, period: 2.0, phase: 0.0 }),
        ];
        let changed = self.choice("Motion", motion, &kinds);
        changed
            | match motion {
                Motion::Steady { velocity } => self.vector("Velocity", velocity, ANY, " m/s"),
                Motion::Spin { axis, degrees_per_second } => {
                    self.vector("Axis", axis, ANY, "") | self.number("Speed", degrees_per_second, ANY, "°/s")
                }
                Motion::Orbit { center, axis, degrees_per_second } => {
                    self.vector("Center", center, ANY, " m")
                        | self.vector("Axis", axis, ANY, "")
                        | self.number("Speed", degrees_per_second, ANY, "°/s")
                }
                Motion::Oscillate { amplitude, period, phase } => {
                    self.vector("Amplitude", amplitude, ANY, " m")
                        | self.number("Period", period, POSITIVE, " s")
                        | self.number("Phase", phase, ANY, "")
                }
            }
    }

    fn camera(&mut self, camera: &mut Camera, scene: &Scene) -> bool {
        let mut changed = self.number("Field of view", &mut camera.fov_degrees, 1.0..=179.0, "°")
            | self.number("Near", &mut camera.near, POSITIVE, " m")
            | self.number("Far", &mut camera.far, POSITIVE, " m");
        if let Some(follow) = &mut camera.follow {
            let name = scene.entity(follow.target).map_or("nobody", |target| target.name.as_str());
            row(self.ui, self.theme, "Follows", |ui| _ = ui.label(name));
            changed |= self.vector("Offset", &mut follow.offset, ANY, " m");
        }
        changed
    }

    fn number(&mut self, label: &str, value: &mut f32, range: RangeInclusive<f32>, unit: &str) -> bool {
        let (theme, view) = (self.theme, &mut *self.view);
        let mut changed = false;
        row(self.ui, theme, label, |ui| {
            let width = ui.available_width();
            let response = ui.add_sized([width, 22.0], drag(value, range, unit)).accessible_name(label);
            changed = view.follow(&response);
        });
        changed
    }

    fn vector(&mut self, label: &str, value: &mut Vec3, range: RangeInclusive<f32>, unit: &str) -> bool {
        let (theme, view) = (self.theme, &mut *self.view);
        let mut changed = false;
        row(self.ui, theme, label, |ui| {
            let width = (ui.available_width() - 8.0) / 3.0;
            for (axis, number) in [("x", &mut value.x), ("y", &mut value.y), ("z", &mut value.z)] {
                let field = drag(number, range.clone(), "").prefix(format!("{axis} "));
                let response = ui.add_sized([width, 22.0], field).accessible_name(format!("{label} {axis}"));
                changed |= view.follow(&response);
                if !unit.is_empty() {
                    response.on_hover_text(format!("{label} {axis},{unit}"));
                }
            }
        });
        changed
    }

    fn count(&mut self, label: &str, value: &mut u32, least: u32, unit: &str) -> bool {
        let (theme, view) = (self.theme, &mut *self.view);
        let mut changed = false;
        row(self.ui, theme, label, |ui| {
            let field = DragValue::new(value)
                .range(least..=1_000_000)
                .clamp_existing_to_range(false)
                .suffix(unit.to_owned());
            let width = ui.available_width();
            let response = ui.add_sized([width, 22.0], field).accessible_name(label);
            changed = view.follow(&response);
        });
        changed
    }

    fn micros(&mut self, label: &str, value: &mut Nanos) -> bool {
        let mut micros = value.0 as f32 / 1_000.0;
        let changed = self.number(label, &mut micros, 0.0..=1_000_000.0, " µs");
        if changed {
            *value = Nanos((f64::from(micros) * 1_000.0).round() as i64);
        }
        changed
    }

    fn color(&mut self, label: &str, value: &mut Color) -> bool {
        let (theme, view) = (self.theme, &mut *self.view);
        let mut changed = false;
        row(self.ui, theme, label, |ui| {
            let mut rgb = [value.red, value.green, value.blue];
            let response = ui.color_edit_button_srgb(&mut rgb).accessible_name(label);
            changed = view.follow(&response);
            if changed {
                *value = Color { red: rgb[0], green: rgb[1], blue: rgb[2] };
            }
            ui.label(RichText::new(value.to_string()).monospace().color(theme.dim));
        });
        changed
    }

    /// One of several kinds; another one begins with its usual values.
    fn choice<T: Copy>(&mut self, label: &str, value: &mut T, kinds: &[(&str, T)]) -> bool {
        let mut changed = false;
        let is = |kind: &T, value: &T| std::mem::discriminant(kind) == std::mem::discriminant(value);
        let now = kinds.iter().find(|(_, kind)| is(kind, value)).map_or("", |(name, _)| *name);
        row(self.ui, self.theme, "Kind", |ui| {
            let width = ui.available_width();
            let shown =
                egui::ComboBox::from_id_salt(label).selected_text(now).width(width).show_ui(ui, |ui| {
                    for (name, kind) in kinds {
                        if ui.selectable_label(is(kind, value), *name).clicked() && !is(kind, value) {
                            *value = *kind;
                            changed = true;
                        }
                    }
                });
            shown.response.accessible_name(format!("Kind of {}", label.to_lowercase()));
        });
        if changed {
            self.view.gesture += 1;
            self.view.active = None;
        }
        changed
    }
}

/// A number to drag or type. What the author wrote stays as it is until it is changed.
fn drag<'a>(value: &'a mut f32, range: RangeInclusive<f32>, unit: &str) -> DragValue<'a> {
    let speed = f64::from(value.abs() * 0.005).clamp(0.005, 10.0);
    DragValue::new(value)
        .range(range)
        .clamp_existing_to_range(false)
        .speed(speed)
        .max_decimals(4)
        .suffix(unit.to_owned())
}
