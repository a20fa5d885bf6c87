//! The fields of every part of an entity, listed once: they are drawn, compared between entities, and set by this list.

mod sound;

use framewalk_runtime::scene::ranges::{self, Range};
use framewalk_runtime::scene::{
    Body, BodyKind, Camera, Color, Crowd, EntityId, Follow, Load, Motion, Shape, ShapeKind, Spawner,
    Teleporter, Transform,
};
use framewalk_runtime::time::Nanos;
use glam::Vec3;
use std::collections::HashMap;

use crate::document::component::{Component, usual};

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(f32),
    Count(u32),
    Color(Color),
    Choice(usize),
    Entity(Option<EntityId>),
    /// A button was pressed.
    Pressed,
}

/// Values of fields by their labels.
pub type Values = HashMap<String, Value>;

/// Something done with every field, in order. Labels are unique within a component.
pub trait Fields {
    fn number(&mut self, label: &str, value: &mut f32, range: Range, unit: &str);
    /// Three numbers, of which each is a field: `Position x`.
    fn vector(&mut self, label: &str, value: &mut Vec3, range: Range, unit: &str);
    fn count(&mut self, label: &str, value: &mut u32, least: u32, most: u32, unit: &str);
    fn color(&mut self, label: &str, value: &mut Color);
    /// One of several names, by its number.
    fn choice(&mut self, label: &str, value: &mut usize, names: &[&str]);
    fn entity(&mut self, label: &str, value: &mut Option<EntityId>);
    /// True where it is pressed.
    fn button(&mut self, label: &str) -> bool;
}

const LOAD: Range = Range { least: 0.0, most: Load::LONGEST.0 as f32 / 1_000.0, unit: "µs" };
const ABOVE_ZERO: f32 = f32::MIN_POSITIVE;

const SHAPES: [(&str, ShapeKind); 5] = [
    ("cube", ShapeKind::Cube { size: Vec3::ONE }),
    ("sphere", ShapeKind::Sphere { radius: 0.5 }),
    ("capsule", ShapeKind::Capsule { radius: 0.35, half_height: 0.5 }),
    ("cylinder", ShapeKind::Cylinder { radius: 0.5, half_height: 0.5 }),
    ("plane", ShapeKind::Plane { width: 10.0, depth: 10.0 }),
];
const BODIES: [(&str, BodyKind); 3] =
    [("fixed", BodyKind::Fixed), ("kinematic", BodyKind::Kinematic), ("dynamic", BodyKind::Dynamic)];
const MOTIONS: [(&str, Motion); 4] = [
    ("steady", Motion::Steady { velocity: Vec3::X }),
    ("spin", Motion::Spin { axis: Vec3::Y, degrees_per_second: 90.0 }),
    ("orbit", Motion::Orbit { center: Vec3::ZERO, axis: Vec3::Y, degrees_per_second: 90.0 }),
    ("oscillate", Motion::Oscillate { amplitude: Vec3::X, period: 2.0, phase: 0.0 }),
];
/// Where a camera stands beside what it begins to follow.
const BESIDE: Vec3 = Vec3::new(0.0, 3.0, 6.0);

pub fn transform(fields: &mut dyn Fields, transform: &mut Transform) {
    fields.vector("Position", &mut transform.position, ranges::POSITION, " m");
    fields.vector("Rotation", &mut transform.rotation_degrees, ranges::ANGLE, "°");
    fields.vector("Scale", &mut transform.scale, ranges::SCALE, "");
}

/// A transform in a run: physics moves a dynamic body at the size that it has.
pub fn running_transform(fields: &mut dyn Fields, transform: &mut Transform, is_dynamic: bool) {
    fields.vector("Position", &mut transform.position, ranges::POSITION, " m");
    fields.vector("Rotation", &mut transform.rotation_degrees, ranges::ANGLE, "°");
    if !is_dynamic {
        fields.vector("Scale", &mut transform.scale, ranges::SCALE, "");
    }
}

/// A body in a run, with the velocities that it has now where physics moves it.
pub fn running_body(fields: &mut dyn Fields, body: &mut Body, is_dynamic: bool) {
    matter(fields, body);
    if is_dynamic {
        velocities(fields, body);
    }
}

pub fn component(fields: &mut dyn Fields, component: &mut Component) {
    match component {
        Component::Shape(part) => shape(fields, part),
        Component::Body(part) => body(fields, part),
        Component::Motion(part) => motion(fields, part),
        Component::Spawner(part) => spawner(fields, part),
        Component::Crowd(part) => crowd(fields, part),
        Component::Teleporter(part) => teleporter(fields, part),
        Component::Controlled(part) => {
            fields.number("Speed", &mut part.speed, ranges::CONTROLLED_SPEED, " m/s");
            fields.number("Jump", &mut part.jump, ranges::JUMP, " m");
        }
        Component::Sound(part) => sound::sound(fields, part),
        Component::Camera(part) => camera(fields, part),
        Component::Sun(part) => {
            fields.vector("Direction", &mut part.direction, ranges::DIRECTION, "");
            fields.color("Color", &mut part.color);
            fields.number("Strength", &mut part.strength, ranges::STRENGTH, "");
        }
        Component::Sky(part) => {
            fields.color("Top", &mut part.top);
            fields.color("Horizon", &mut part.horizon);
            fields.color("Ground", &mut part.ground);
            fields.number("Ambient", &mut part.ambient, ranges::AMBIENT, "");
        }
        Component::Load(part) => {
            micros(fields, "Tick", &mut part.tick);
            micros(fields, "Frame", &mut part.frame);
            micros(fields, "Submit", &mut part.submit);
        }
    }
}

fn shape(fields: &mut dyn Fields, shape: &mut Shape) {
    one_of(fields, "Kind of shape", &mut shape.kind, &SHAPES);
    match &mut shape.kind {
        ShapeKind::Cube { size } => fields.vector("Size", size, ranges::SIZE, " m"),
        ShapeKind::Sphere { radius } => fields.number("Radius", radius, ranges::SIZE, " m"),
        ShapeKind::Capsule { radius, half_height } => {
            fields.number("Radius", radius, ranges::SIZE, " m");
            fields.number("Half height", half_height, Range { least: 0.0, ..ranges::SIZE }, " m");
        }
        ShapeKind::Cylinder { radius, half_height } => {
            fields.number("Radius", radius, ranges::SIZE, " m");
            fields.number("Half height", half_height, ranges::SIZE, " m");
        }
        ShapeKind::Plane { width, depth } => {
            fields.number("Width", width, ranges::SIZE, " m");
            fields.number("Depth", depth, ranges::SIZE, " m");
        }
    }
    fields.color("Color", &mut shape.color);
}

fn body(fields: &mut dyn Fields, body: &mut Body) {
    matter(fields, body);
    velocities(fields, body);
}

fn matter(fields: &mut dyn Fields, body: &mut Body) {
    one_of(fields, "Kind of body", &mut body.kind, &BODIES);
    fields.number("Mass", &mut body.mass, ranges::MASS, " kg");
    fields.number("Friction", &mut body.friction, ranges::FRICTION, "");
    fields.number("Bounce", &mut body.bounce, ranges::BOUNCE, "");
}

fn velocities(fields: &mut dyn Fields, body: &mut Body) {
    fields.vector("Velocity", &mut body.velocity, ranges::VELOCITY, " m/s");
    fields.vector("Spin", &mut body.spin, ranges::SPIN, " rad/s");
}

fn motion(fields: &mut dyn Fields, motion: &mut Motion) {
    one_of(fields, "Kind of motion", motion, &MOTIONS);
    let turning = |fields: &mut dyn Fields, axis: &mut Vec3, speed: &mut f32| {
        fields.vector("Axis", axis, ranges::DIRECTION, "");
        fields.number("Turning", speed, ranges::TURNING, "°/s");
    };
    match motion {
        Motion::Steady { velocity } => fields.vector("Velocity", velocity, ranges::VELOCITY, " m/s"),
        Motion::Spin { axis, degrees_per_second } => turning(fields, axis, degrees_per_second),
        Motion::Orbit { center, axis, degrees_per_second } => {
            fields.vector("Center", center, ranges::POSITION, " m");
            turning(fields, axis, degrees_per_second);
        }
        Motion::Oscillate { amplitude, period, phase } => {
            fields.vector("Amplitude", amplitude, ranges::POSITION, " m");
            fields.number("Period", period, ranges::PERIOD, " s");
            fields.number("Phase", phase, ranges::PHASE, "");
        }
    }
}

fn spawner(fields: &mut dyn Fields, spawner: &mut Spawner) {
    fields.count("Every", &mut spawner.every_ticks, 1, u32::MAX, " ticks");
    fields.count("Lifetime", &mut spawner.lifetime_ticks, 0, u32::MAX, " ticks");
    fields.count("Limit", &mut spawner.limit, 1, ranges::MOST_SPAWNED, "");
    fields.number("Spread", &mut spawner.spread_degrees, ranges::SPREAD, "°");
    shape(fields, &mut spawner.shape);
    let has = usize::from(spawner.body.is_some());
    let mut wanted = has;
    fields.choice("Body of copies", &mut wanted, &["none", "with a body"]);
    if wanted != has {
        spawner.body = (wanted == 1).then(Body::default);
    }
    if let Some(part) = &mut spawner.body {
        body(fields, part);
    }
}

fn crowd(fields: &mut dyn Fields, crowd: &mut Crowd) {
    fields.count("Count", &mut crowd.count, 1, ranges::MOST_IN_CROWD, "");
    fields.number("Spacing", &mut crowd.spacing, ranges::SPACING, " m");
    fields.number("Apart", &mut crowd.apart_seconds, ranges::APART, " s");
    shape(fields, &mut crowd.shape);
    motion(fields, &mut crowd.motion);
}

fn teleporter(fields: &mut dyn Fields, teleporter: &mut Teleporter) {
    fields.count("Every", &mut teleporter.every_ticks, 1, u32::MAX, " ticks");
    let mut gone = None;
    for (nth, pose) in teleporter.poses.iter_mut().enumerate() {
        let number = nth + 1;
        fields.vector(&format!("Pose {number}"), &mut pose.position, ranges::POSITION, " m");
        fields.vector(&format!("Turned {number}"), &mut pose.rotation_degrees, ranges::ANGLE, "°");
        fields.vector(&format!("Scaled {number}"), &mut pose.scale, ranges::SCALE, "");
        if fields.button(&format!("Remove pose {number}")) {
            gone = Some(nth);
        }
    }
    if let Some(nth) = gone.filter(|nth| *nth < teleporter.poses.len()) {
        teleporter.poses.remove(nth);
    }
    if fields.button("Add a pose") {
        let last = teleporter.poses.last().copied().unwrap_or_default();
        teleporter.poses.push(Transform { position: last.position + Vec3::X, ..last });
    }
}

fn camera(fields: &mut dyn Fields, camera: &mut Camera) {
    fields.number("Field of view", &mut camera.fov_degrees, ranges::FIELD_OF_VIEW, "°");
    fields.number("Near", &mut camera.near, ranges::NEAR, " m");
    fields.number("Far", &mut camera.far, ranges::FAR, " m");
    let mut target = camera.follow.map(|follow| follow.target);
    fields.entity("Follows", &mut target);
    if target != camera.follow.map(|follow| follow.target) {
        let offset = camera.follow.map_or(BESIDE, |follow| follow.offset);
        camera.follow = target.map(|target| Follow { target, offset });
    }
    if let Some(follow) = &mut camera.follow {
        fields.vector("Offset", &mut follow.offset, ranges::DIRECTION, " m");
    }
}

fn micros(fields: &mut dyn Fields, label: &str, time: &mut Nanos) {
    let before = time.0 as f32 / 1_000.0;
    let mut micros = before;
    fields.number(label, &mut micros, LOAD, " µs");
    if micros.to_bits() != before.to_bits() {
        *time = Nanos((f64::from(micros) * 1_000.0).round() as i64);
    }
}

/// One of several kinds; another one begins with its usual values.
fn one_of<T: Copy>(fields: &mut dyn Fields, label: &str, value: &mut T, kinds: &[(&str, T)]) {
    let is = |kind: &T| std::mem::discriminant(kind) == std::mem::discriminant(value);
    let now = kinds.iter().position(|(_, kind)| is(kind)).unwrap_or(0);
    let names: Vec<&str> = kinds.iter().map(|(name, _)| *name).collect();
    let mut chosen = now;
    fields.choice(label, &mut chosen, &names);
    if chosen != now
        && let Some((_, kind)) = kinds.get(chosen)
    {
        *value = *kind;
    }
}

/// The values that the fields of such a component have at first: of the same kind of shape, body and motion.
#[must_use]
pub fn first_values(component: &Component) -> Values {
    fn same<T: Copy>(kinds: &[(&str, T)], value: &T) -> Option<T> {
        let is = |kind: &T| std::mem::discriminant(kind) == std::mem::discriminant(value);
        kinds.iter().map(|(_, kind)| *kind).find(is)
    }
    let shaped = |usual: &mut Shape, like: &Shape| {
        usual.kind = same(&SHAPES, &like.kind).unwrap_or(usual.kind);
    };
    let mut first = usual(component.kind());
    match (&mut first, component) {
        (Component::Shape(first), Component::Shape(like)) => shaped(first, like),
        (Component::Body(first), Component::Body(like)) => first.kind = like.kind,
        (Component::Motion(first), Component::Motion(like)) => {
            *first = same(&MOTIONS, like).unwrap_or(*first)
        }
        (Component::Spawner(first), Component::Spawner(like)) => {
            shaped(&mut first.shape, &like.shape);
            first.body = like.body.map(|like| Body { kind: like.kind, ..Body::default() });
        }
        (Component::Crowd(first), Component::Crowd(like)) => {
            shaped(&mut first.shape, &like.shape);
            first.motion = same(&MOTIONS, &like.motion).unwrap_or(first.motion);
        }
        (Component::Teleporter(first), Component::Teleporter(like)) => {
            first.poses = vec![Transform::default(); like.poses.len()];
        }
        (Component::Camera(first), Component::Camera(like)) => {
            first.follow = like.follow.map(|follow| Follow { offset: BESIDE, ..follow });
        }
        _ => {}
    }
    let mut values = values_of(&mut first);
    // What kind it is has no first value: it is what the author chose.
    values.retain(|_, value| !matches!(value, Value::Choice(_) | Value::Entity(_)));
    values
}

/// Every field's value.
#[must_use]
pub fn values_of(of: &mut Component) -> Values {
    let mut gather = Gather::default();
    component(&mut gather, of);
    gather.0
}

/// Every field's value of a transform.
#[must_use]
pub fn values_of_transform(mut of: Transform) -> Values {
    gathered(|fields| transform(fields, &mut of))
}

/// The values of fields that are listed so.
#[must_use]
pub fn gathered(list: impl FnOnce(&mut dyn Fields)) -> Values {
    let mut gather = Gather::default();
    list(&mut gather);
    gather.0
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// `Position x`.
#[must_use]
pub fn of_axis(label: &str, axis: usize) -> String {
    format!("{label} {}", AXES[axis])
}

#[derive(Default)]
struct Gather(Values);

impl Fields for Gather {
    fn number(&mut self, label: &str, value: &mut f32, _: Range, _: &str) {
        self.0.insert(label.to_owned(), Value::Number(*value));
    }

    fn vector(&mut self, label: &str, value: &mut Vec3, _: Range, _: &str) {
        for (axis, number) in value.to_array().into_iter().enumerate() {
            self.0.insert(of_axis(label, axis), Value::Number(number));
        }
    }

    fn count(&mut self, label: &str, value: &mut u32, _: u32, _: u32, _: &str) {
        self.0.insert(label.to_owned(), Value::Count(*value));
    }

    fn color(&mut self, label: &str, value: &mut Color) {
        self.0.insert(label.to_owned(), Value::Color(*value));
    }

    fn choice(&mut self, label: &str, value: &mut usize, _: &[&str]) {
        self.0.insert(label.to_owned(), Value::Choice(*value));
    }

    fn entity(&mut self, label: &str, value: &mut Option<EntityId>) {
        self.0.insert(label.to_owned(), Value::Entity(*value));
    }

    fn button(&mut self, _: &str) -> bool {
        false
    }
}

/// Sets what was changed in one entity also in another, and nothing else.
pub struct Apply<'a>(pub &'a [(String, Value)]);

impl Apply<'_> {
    fn new_value(&self, label: &str) -> Option<&Value> {
        self.0.iter().rev().find(|(changed, _)| changed == label).map(|(_, value)| value)
    }
}

impl Fields for Apply<'_> {
    fn number(&mut self, label: &str, value: &mut f32, _: Range, _: &str) {
        if let Some(Value::Number(new)) = self.new_value(label) {
            *value = *new;
        }
    }

    fn vector(&mut self, label: &str, value: &mut Vec3, _: Range, _: &str) {
        for (axis, number) in [&mut value.x, &mut value.y, &mut value.z].into_iter().enumerate() {
            if let Some(Value::Number(new)) = self.new_value(&of_axis(label, axis)) {
                *number = *new;
            }
        }
    }

    fn count(&mut self, label: &str, value: &mut u32, _: u32, _: u32, _: &str) {
        if let Some(Value::Count(new)) = self.new_value(label) {
            *value = *new;
        }
    }

    fn color(&mut self, label: &str, value: &mut Color) {
        if let Some(Value::Color(new)) = self.new_value(label) {
            *value = *new;
        }
    }

    fn choice(&mut self, label: &str, value: &mut usize, _: &[&str]) {
        if let Some(Value::Choice(new)) = self.new_value(label) {
            *value = *new;
        }
    }

    fn entity(&mut self, label: &str, value: &mut Option<EntityId>) {
        if let Some(Value::Entity(new)) = self.new_value(label) {
            *value = *new;
        }
    }

    fn button(&mut self, label: &str) -> bool {
        self.new_value(label) == Some(&Value::Pressed)
    }
}

/// The least number that a field takes where 0 is none.
#[must_use]
pub fn least_typed(range: Range) -> f32 {
    if range.least > 0.0 { range.least.max(ABOVE_ZERO) } else { range.least }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::component::ComponentKind;

    #[test]
    fn what_is_changed_in_one_is_set_in_another_and_nothing_else_is() {
        let mut other = Body { mass: 5.0, friction: 0.25, ..Body::default() };
        let changes =
            [("Mass".to_owned(), Value::Number(2.0)), ("Velocity y".to_owned(), Value::Number(7.0))];
        body(&mut Apply(&changes), &mut other);
        assert_eq!(other, Body { mass: 2.0, friction: 0.25, velocity: Vec3::Y * 7.0, ..Body::default() });
    }

    #[test]
    fn another_kind_begins_with_its_usual_values_and_the_same_kind_stays_as_it_is() {
        let mut round = Shape { kind: ShapeKind::Sphere { radius: 3.0 }, color: Color::WHITE };
        shape(&mut Apply(&[("Kind of shape".to_owned(), Value::Choice(1))]), &mut round);
        assert_eq!(round.kind, ShapeKind::Sphere { radius: 3.0 });
        shape(&mut Apply(&[("Kind of shape".to_owned(), Value::Choice(0))]), &mut round);
        assert_eq!(round.kind, ShapeKind::Cube { size: Vec3::ONE });
    }

    #[test]
    fn poses_are_added_behind_the_last_and_taken_away_by_their_number() {
        let Component::Teleporter(mut part) = usual(ComponentKind::Teleporter) else {
            panic!("a teleporter")
        };
        let press = |label: &str| [(label.to_owned(), Value::Pressed)];
        teleporter(&mut Apply(&press("Add a pose")), &mut part);
        assert_eq!(part.poses.len(), 3);
        teleporter(&mut Apply(&press("Remove pose 1")), &mut part);
        assert_eq!((part.poses.len(), part.poses[0].position), (2, Vec3::X * 2.0));
    }

    #[test]
    fn every_component_as_it_is_added_has_the_values_that_reset_leads_to() {
        for kind in ComponentKind::ALL {
            let mut component = usual(kind);
            let first = first_values(&component);
            if kind == ComponentKind::Teleporter {
                continue;
            }
            for (label, value) in values_of(&mut component) {
                match value {
                    Value::Choice(_) | Value::Entity(_) => {}
                    value if kind == ComponentKind::Spawner && label == "Radius" => {
                        assert_eq!(
                            (first.get(&label), value),
                            (Some(&Value::Number(0.5)), Value::Number(0.25))
                        );
                    }
                    value => assert_eq!(first.get(&label), Some(&value), "{kind:?} {label}"),
                }
            }
        }
    }

    #[test]
    fn a_camera_follows_whom_it_is_told_and_nobody() {
        let mut part = Camera::default();
        let follow = |id: Option<u64>| [("Follows".to_owned(), Value::Entity(id.map(EntityId)))];
        camera(&mut Apply(&follow(Some(3))), &mut part);
        assert_eq!(part.follow, Some(Follow { target: EntityId(3), offset: BESIDE }));
        camera(&mut Apply(&follow(None)), &mut part);
        assert_eq!(part.follow, None);
    }
}
