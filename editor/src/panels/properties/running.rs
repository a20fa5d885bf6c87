//! Properties of an entity of the running world, to change: only in this run, unless a value is kept.

use egui::{DragValue, Id, Response, RichText, Ui};
use framewalk_inspector::theme::{Theme, size};
use framewalk_runtime::scene::{Color, Entity, EntityId, Motion, Pose};
use framewalk_runtime::time::Nanos;
use framewalk_runtime::world::{EntityObservation, HandEdit, ObservedField};
use glam::{EulerRot, Quat, Vec3};
use std::ops::RangeInclusive;

use super::{capitalised, number_fitting, row, section_ui, value_ui};
use crate::app::by_hand::{ByHand, kept};
use crate::command::Action;
use crate::document::indexed::IndexedScene;

const ANY: RangeInclusive<f32> = -100_000.0..=100_000.0;
const POSITIVE: RangeInclusive<f32> = 0.001..=100_000.0;
const NOT_NEGATIVE: RangeInclusive<f32> = 0.0..=100_000.0;

/// What is changed and kept together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Transform,
    /// Of a dynamic body.
    Velocity,
    Shape,
    Motion,
    Controlled,
    Camera,
    Sun,
    Sky,
    Load,
}

impl Part {
    /// What an edit changes.
    #[must_use]
    pub const fn of(edit: &HandEdit) -> Self {
        match edit {
            HandEdit::Pose(_) | HandEdit::WorldPose(_) => Self::Transform,
            HandEdit::Velocity { .. } => Self::Velocity,
            HandEdit::Motion(_) => Self::Motion,
            HandEdit::Color(_) => Self::Shape,
            HandEdit::Controlled(_) => Self::Controlled,
            HandEdit::Camera(_) => Self::Camera,
            HandEdit::Sun(_) => Self::Sun,
            HandEdit::Sky(_) => Self::Sky,
            HandEdit::Load(_) => Self::Load,
        }
    }

    /// In the middle of a sentence.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transform => "transform",
            Self::Velocity => "velocity",
            Self::Shape => "shape",
            Self::Motion => "motion",
            Self::Controlled => "control",
            Self::Camera => "camera",
            Self::Sun => "sun",
            Self::Sky => "sky",
            Self::Load => "load",
        }
    }

    /// The part that a section of an observation is about.
    fn of_section(section: &str) -> Option<Self> {
        match section {
            "Transform" | "Transform (local)" => Some(Self::Transform),
            "Body" => Some(Self::Velocity),
            "Shape" => Some(Self::Shape),
            "Motion" => Some(Self::Motion),
            "Controlled" => Some(Self::Controlled),
            "Camera" => Some(Self::Camera),
            "Sun" => Some(Self::Sun),
            "Sky" => Some(Self::Sky),
            "Load" => Some(Self::Load),
            _ => None,
        }
    }
}

/// What the fields remember: a value that is being dragged or typed stands still, whatever the world does meanwhile.
#[derive(Debug, Default)]
pub struct RunningView {
    held: Option<(EntityId, Id, HandEdit)>,
}

/// What the panel shows of the run.
#[derive(Clone, Copy)]
pub struct RunningFacts<'a> {
    /// The authored scene; what of it the entity is, where it was authored.
    pub scene: &'a IndexedScene,
    pub authored: Option<&'a Entity>,
    pub by_hand: &'a ByHand,
}

/// Draws sections of an observation, the parts of which can be changed as fields.
pub fn ui(
    ui: &mut Ui,
    view: &mut RunningView,
    facts: &RunningFacts<'_>,
    observed: &EntityObservation,
    fields: &[ObservedField],
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(ui);
    for section in fields.chunk_by(|a, b| a.section == b.section) {
        let Some(first) = section.first() else { continue };
        let part = Part::of_section(first.section);
        head_ui(ui, &theme, facts, observed, (first.section, part), actions);
        let edit = part.and_then(|part| value_of(view, observed, part));
        let mut shown = Vec::new();
        if let Some(mut edit) = edit {
            let mut fields = Fields { ui, theme: &theme, active: None, shown: &mut shown };
            let changed = fields.edit(&mut edit, observed);
            let active = fields.active;
            hold(view, observed.id, &edit, active);
            if changed {
                actions.push(Action::ChangeRun(observed.id, edit));
            }
        }
        for field in section.iter().filter(|field| !shown.contains(&field.field)) {
            row(ui, &theme, &capitalised(field.field), |ui| value_ui(ui, &theme, &field.value));
        }
    }
}

/// While a field of it is being changed, its value is what was typed, not what the world made of it since.
fn hold(view: &mut RunningView, id: EntityId, edit: &HandEdit, active: Option<Id>) {
    match active {
        Some(field) => view.held = Some((id, field, *edit)),
        None => {
            let same = |held: &(EntityId, Id, HandEdit)| held.0 == id && Part::of(&held.2) == Part::of(edit);
            if view.held.as_ref().is_some_and(same) {
                view.held = None;
            }
        }
    }
}

fn value_of(view: &RunningView, observed: &EntityObservation, part: Part) -> Option<HandEdit> {
    if let Some((id, _, held)) = &view.held
        && *id == observed.id
        && Part::of(held) == part
    {
        return Some(*held);
    }
    let parts = &observed.parts;
    match part {
        Part::Transform => Some(HandEdit::Pose(observed.local)),
        Part::Velocity => parts.velocity.map(|(linear, angular)| HandEdit::Velocity { linear, angular }),
        Part::Shape => parts.shape.map(|shape| HandEdit::Color(shape.color)),
        Part::Motion => parts.motion.map(HandEdit::Motion),
        Part::Controlled => parts.controlled.map(HandEdit::Controlled),
        Part::Camera => parts.camera.map(HandEdit::Camera),
        Part::Sun => parts.sun.map(HandEdit::Sun),
        Part::Sky => parts.sky.map(HandEdit::Sky),
        Part::Load => parts.load.map(HandEdit::Load),
    }
}

/// The title of a section; what was changed by hand is marked, and can be kept.
fn head_ui(
    ui: &mut Ui,
    theme: &Theme,
    facts: &RunningFacts<'_>,
    observed: &EntityObservation,
    (title, part): (&'static str, Option<Part>),
    actions: &mut Vec<Action>,
) {
    let by_hand = part.is_some_and(|part| facts.by_hand.is_changed(observed.id, part));
    let keeps = part.filter(|part| {
        facts.authored.is_some()
            && (by_hand || *part == Part::Transform)
            && kept(facts.scene, observed, *part).is_some()
    });
    if !by_hand && keeps.is_none() {
        section_ui(ui, theme, title, "");
        return;
    }
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(theme.section(title));
        if by_hand {
            let note = RichText::new("only in this run").size(size::SMALL).color(theme.run);
            ui.label(note)
                .on_hover_text("Changed by hand while it runs: gone after Stop, unless it is kept.");
        }
        if let Some(part) = keeps {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let ink = if by_hand { theme.run } else { theme.dim };
                let text = RichText::new("Keep this value").size(size::SMALL).color(ink);
                let button = ui.small_button(text).accessible_name(format!("Keep this {}", part.name()));
                let tip = "Writes it to the authored scene, as one step that Undo takes back.";
                if button.on_hover_text(tip).clicked() {
                    actions.push(Action::Keep(observed.id, part));
                }
            });
        }
    });
}

/// Fields of one part. Each says whether it was changed; every field is drawn, changed or not.
struct Fields<'a, 'b> {
    ui: &'a mut Ui,
    theme: &'a Theme,
    /// The field that is dragged or typed into.
    active: Option<Id>,
    /// Fields of the observation that are drawn here already.
    shown: &'b mut Vec<&'static str>,
}

impl Fields<'_, '_> {
    fn edit(&mut self, edit: &mut HandEdit, observed: &EntityObservation) -> bool {
        match edit {
            HandEdit::Pose(pose) | HandEdit::WorldPose(pose) => {
                self.pose(pose, observed.parts.velocity.is_some())
            }
            HandEdit::Velocity { linear, angular } => {
                self.vector("velocity", linear, -1_000.0..=1_000.0, "m/s")
                    | self.vector("spin", angular, -1_000.0..=1_000.0, "rad/s")
            }
            HandEdit::Motion(motion) => self.motion(motion),
            HandEdit::Color(color) => self.color("color", color),
            HandEdit::Controlled(controlled) => {
                self.number("speed", &mut controlled.speed, NOT_NEGATIVE, " m/s")
                    | self.number("jump", &mut controlled.jump, NOT_NEGATIVE, " m")
            }
            HandEdit::Camera(camera) => {
                self.number("field of view", &mut camera.fov_degrees, 1.0..=179.0, "°")
                    | self.number("near", &mut camera.near, POSITIVE, " m")
                    | self.number("far", &mut camera.far, POSITIVE, " m")
            }
            HandEdit::Sun(sun) => {
                self.vector("direction", &mut sun.direction, ANY, "")
                    | self.number("strength", &mut sun.strength, 0.0..=20.0, "")
                    | self.color("color", &mut sun.color)
            }
            HandEdit::Sky(sky) => {
                self.number("ambient", &mut sky.ambient, 0.0..=1.0, "")
                    | self.color("top", &mut sky.top)
                    | self.color("horizon", &mut sky.horizon)
                    | self.color("ground", &mut sky.ground)
            }
            HandEdit::Load(load) => {
                self.micros("tick", &mut load.tick)
                    | self.micros("frame", &mut load.frame)
                    | self.micros("submit", &mut load.submit)
            }
        }
    }

    /// The scale of a dynamic body stays as it was at Play, and is only read.
    fn pose(&mut self, pose: &mut Pose, dynamic: bool) -> bool {
        let (x, y, z) = pose.rotation.to_euler(EulerRot::XYZ);
        let mut degrees = Vec3::new(x, y, z).map(f32::to_degrees);
        let moved = self.vector("position", &mut pose.position, ANY, "m");
        let turned = self.vector("rotation", &mut degrees, ANY, "°");
        if turned {
            let [x, y, z] = degrees.to_array().map(f32::to_radians);
            pose.rotation = Quat::from_euler(EulerRot::XYZ, x, y, z);
        }
        moved | turned | (!dynamic && self.vector("scale", &mut pose.scale, POSITIVE, ""))
    }

    fn motion(&mut self, motion: &mut Motion) -> bool {
        match motion {
            Motion::Steady { velocity } => self.vector("velocity", velocity, ANY, "m/s"),
            Motion::Spin { axis, degrees_per_second } => {
                self.vector("axis", axis, ANY, "") | self.number("speed", degrees_per_second, ANY, "°/s")
            }
            Motion::Orbit { center, axis, degrees_per_second } => {
                self.vector("center", center, ANY, "m")
                    | self.vector("axis", axis, ANY, "")
                    | self.number("speed", degrees_per_second, ANY, "°/s")
            }
            Motion::Oscillate { amplitude, period, phase } => {
                self.vector("amplitude", amplitude, ANY, "m")
                    | self.number("period", period, POSITIVE, " s")
                    | self.number("phase", phase, ANY, "")
            }
        }
    }

    fn follow(active: &mut Option<Id>, response: &Response) -> bool {
        if response.dragged() || response.has_focus() {
            *active = Some(response.id);
        }
        response.changed()
    }

    fn number(
        &mut self,
        label: &'static str,
        value: &mut f32,
        range: RangeInclusive<f32>,
        unit: &str,
    ) -> bool {
        self.shown.push(label);
        let active = &mut self.active;
        let mut changed = false;
        row(self.ui, self.theme, &capitalised(label), |ui| {
            let width = ui.available_width();
            let room = characters(ui, width).saturating_sub(unit.chars().count());
            let field = drag(value, range).suffix(unit.to_owned());
            let field = field.custom_formatter(move |number, _| fitting(number, room));
            let response = ui.add_sized([width, 22.0], field).accessible_name(format!("Running {label}"));
            changed = Self::follow(active, &response);
        });
        changed
    }

    fn vector(
        &mut self,
        label: &'static str,
        value: &mut Vec3,
        range: RangeInclusive<f32>,
        unit: &str,
    ) -> bool {
        self.shown.push(label);
        let active = &mut self.active;
        let mut changed = false;
        row(self.ui, self.theme, &capitalised(label), |ui| {
            let width = (ui.available_width() - 8.0) / 3.0;
            ui.spacing_mut().button_padding.x = 1.0;
            let room = characters(ui, width).saturating_sub(2);
            for (axis, number) in [("x", &mut value.x), ("y", &mut value.y), ("z", &mut value.z)] {
                let field = drag(number, range.clone()).prefix(format!("{axis} "));
                let field = field.custom_formatter(move |number, _| fitting(number, room));
                let response = ui.add_sized([width, 22.0], field);
                let response = response.accessible_name(format!("Running {label} {axis}"));
                changed |= Self::follow(active, &response);
                if !unit.is_empty() {
                    response.on_hover_text(format!("{label} {axis}, {unit}"));
                }
            }
        });
        changed
    }

    fn micros(&mut self, label: &'static str, value: &mut Nanos) -> bool {
        let mut micros = value.0 as f32 / 1_000.0;
        let changed = self.number(label, &mut micros, 0.0..=1_000_000.0, " µs");
        if changed {
            *value = Nanos((f64::from(micros) * 1_000.0).round() as i64);
        }
        changed
    }

    fn color(&mut self, label: &'static str, value: &mut Color) -> bool {
        self.shown.push(label);
        let (theme, active) = (self.theme, &mut self.active);
        let mut changed = false;
        row(self.ui, theme, &capitalised(label), |ui| {
            let mut rgb = [value.red, value.green, value.blue];
            let response = ui.color_edit_button_srgb(&mut rgb).accessible_name(format!("Running {label}"));
            changed = Self::follow(active, &response);
            if changed {
                *value = Color { red: rgb[0], green: rgb[1], blue: rgb[2] };
            }
            ui.label(RichText::new(value.to_string()).monospace().color(theme.dim));
        });
        changed
    }
}

/// How many figures a field of this width holds.
fn characters(ui: &Ui, width: f32) -> usize {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let figure = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0')).max(1.0);
    ((width - 2.0 * ui.spacing().button_padding.x) / figure).max(1.0) as usize
}

/// With three decimals, or as many as there is room for; what would be written as −0.000 is 0.
fn fitting(number: f64, room: usize) -> String {
    let rounded = (number * 1_000.0).round() / 1_000.0 + 0.0;
    let text = number_fitting(&format!("{rounded:.3}"), room);
    // What has no figure left but 0 has no sign either.
    let is_nothing = text.chars().all(|sign| "-0.".contains(sign));
    text.strip_prefix('-').filter(|_| is_nothing).map_or(text.clone(), str::to_owned)
}

/// A number to drag or type, as it is shown elsewhere while a scene runs.
fn drag(value: &mut f32, range: RangeInclusive<f32>) -> DragValue<'_> {
    let speed = f64::from(value.abs() * 0.005).clamp(0.005, 10.0);
    DragValue::new(value).range(range).clamp_existing_to_range(false).speed(speed).max_decimals(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_as_many_decimals_as_there_is_room_for_and_nothing_has_no_sign() {
        assert_eq!(fitting(1.2504, 8), "1.250");
        assert_eq!(fitting(-12.3456, 5), "-12.3");
        assert_eq!(fitting(-0.04, 2), "0");
        assert_eq!(fitting(-0.0001, 8), "0.000");
    }

    #[test]
    fn each_change_belongs_to_the_part_whose_section_shows_it() {
        assert_eq!(Part::of(&HandEdit::WorldPose(Pose::default())), Part::Transform);
        assert_eq!(Part::of_section("Transform (local)"), Some(Part::Transform));
        assert_eq!(Part::of_section("Body"), Some(Part::Velocity));
        assert_eq!(Part::of_section("Spawner"), None, "only read");
    }
}
