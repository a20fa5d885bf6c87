//! What stands in a file for a value: names, order and defaults of every field, before it becomes a text.
//!
//! The canonical text ([`super::write`]) is a form written out; the least change of a text ([`super::update`]) comes of
//! comparing the forms before and after.

use super::read::FORMAT;
use crate::scene::{
    Body, BodyKind, Camera, Color, Controlled, Crowd, Entity, Load, Motion, Scene, Shape, ShapeKind, Sky,
    Sound, Spawner, Sun, Teleporter, Transform, Unknown,
};
use crate::time::Nanos;
use glam::Vec3;
use std::borrow::Cow;

/// A value as it is to be written.
#[derive(Clone, Debug)]
pub(in crate::scene) enum Form<'a> {
    Number(f32),
    Whole(u64),
    /// In microseconds.
    Micros(Nanos),
    Word(&'static str),
    Text(&'a str),
    Color(Color),
    Vector(Vec3),
    /// RON that is written already.
    Written(Cow<'a, str>),
    List(Vec<Form<'a>>),
    /// `Name(field: value)`; the name may be empty.
    Group(&'static str, Fields<'a>),
}

/// One field of a group.
#[derive(Clone, Debug)]
pub(in crate::scene) struct Field<'a> {
    pub name: &'a str,
    pub form: Form<'a>,
    /// It has its default, and is left out where it is not written already.
    pub is_default: bool,
}

/// The fields of a group, in their canonical order.
pub(in crate::scene) type Fields<'a> = Vec<Field<'a>>;

impl Form<'_> {
    /// Whether both are written the same: numbers are told apart by their bits, so that -0 is not 0.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.to_bits() == b.to_bits(),
            (Self::Vector(a), Self::Vector(b)) => bits(*a) == bits(*b),
            (Self::Whole(a), Self::Whole(b)) => a == b,
            (Self::Micros(a), Self::Micros(b)) => a == b,
            (Self::Word(a), Self::Word(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Color(a), Self::Color(b)) => a == b,
            (Self::Written(a), Self::Written(b)) => a == b,
            (Self::List(a), Self::List(b)) => all_same(a, b, Self::is_same),
            (Self::Group(a, a_fields), Self::Group(b, b_fields)) => a == b && are_same(a_fields, b_fields),
            _ => false,
        }
    }
}

/// Whether two groups have the same fields.
pub(in crate::scene) fn are_same(a: &[Field<'_>], b: &[Field<'_>]) -> bool {
    all_same(a, b, |a, b| a.name == b.name && a.form.is_same(&b.form))
}

fn all_same<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

fn bits(vector: Vec3) -> [u32; 3] {
    vector.to_array().map(f32::to_bits)
}

/// A field that is always written.
pub(in crate::scene) fn field<'a>(name: &'a str, form: Form<'a>) -> Field<'a> {
    Field { name, form, is_default: false }
}

/// A field that is left out where it has its default.
fn unless<'a>(name: &'a str, form: Form<'a>, default: &Form<'_>) -> Field<'a> {
    let is_default = form.is_same(default);
    Field { name, form, is_default }
}

fn number_unless(name: &str, value: f32, default: f32) -> Field<'_> {
    unless(name, Form::Number(value), &Form::Number(default))
}

fn vector_unless(name: &str, value: Vec3, default: Vec3) -> Field<'_> {
    unless(name, Form::Vector(value), &Form::Vector(default))
}

fn color_unless(name: &str, value: Color, default: Color) -> Field<'_> {
    unless(name, Form::Color(value), &Form::Color(default))
}

fn whole_unless(name: &str, value: u64, default: u64) -> Field<'_> {
    unless(name, Form::Whole(value), &Form::Whole(default))
}

/// The fields of a scene but for its entities.
pub(super) fn scene_head(scene: &Scene) -> Fields<'_> {
    vec![
        field("format", Form::Whole(FORMAT.into())),
        whole_unless("seed", scene.seed, 0),
        unless("about", Form::Text(&scene.about), &Form::Text("")),
    ]
}

pub(in crate::scene) fn unknown(parts: &[Unknown]) -> impl Iterator<Item = Field<'_>> {
    parts.iter().map(|part| field(&part.name, Form::Written(Cow::Borrowed(&part.text))))
}

/// Every field of an entity.
pub(super) fn entity(entity: &Entity) -> Fields<'_> {
    let mut fields = Vec::with_capacity(6);
    fields.push(field("id", Form::Whole(entity.id.0)));
    fields.push(field("name", Form::Text(&entity.name)));
    fields.extend(entity.parent.map(|parent| field("parent", Form::Whole(parent.0))));
    let placed = transform(&entity.transform);
    let Form::Group(_, parts) = &placed else { unreachable!("a transform is a group") };
    let is_default = parts.iter().all(|part| part.is_default);
    fields.push(Field { name: "transform", form: placed, is_default });
    fields.extend(entity.shape.as_ref().map(|part| field("shape", shape(part))));
    fields.extend(entity.body.as_ref().map(|part| field("body", body(part))));
    fields.extend(entity.motion.as_ref().map(|part| field("motion", motion(part))));
    fields.extend(entity.spawner.as_ref().map(|part| field("spawner", spawner(part))));
    fields.extend(entity.crowd.as_ref().map(|part| field("crowd", crowd(part))));
    fields.extend(entity.teleporter.as_ref().map(|part| field("teleporter", teleporter(part))));
    fields.extend(entity.controlled.as_ref().map(|part| field("controlled", controlled(part))));
    fields.extend(entity.sound.as_ref().map(|part| field("sound", sound(part))));
    fields.extend(entity.camera.as_ref().map(|part| field("camera", camera(part))));
    fields.extend(entity.sun.as_ref().map(|part| field("sun", sun(part))));
    fields.extend(entity.sky.as_ref().map(|part| field("sky", sky(part))));
    fields.extend(entity.load.as_ref().map(|part| field("load", load(part))));
    fields.extend(unknown(&entity.unknown));
    fields
}

/// How many of an entity's fields stand in its first line: its id, name and parent.
pub(super) fn head_count(fields: &[Field<'_>]) -> usize {
    fields.iter().take_while(|field| is_head(field.name)).count()
}

pub(super) fn is_head(name: &str) -> bool {
    ["id", "name", "parent"].contains(&name)
}

fn transform(transform: &Transform) -> Form<'static> {
    let default = Transform::default();
    let fields = vec![
        vector_unless("position", transform.position, default.position),
        vector_unless("rotation_degrees", transform.rotation_degrees, default.rotation_degrees),
        vector_unless("scale", transform.scale, default.scale),
    ];
    Form::Group("", fields)
}

fn shape(shape: &Shape) -> Form<'static> {
    let number = |name, value| field(name, Form::Number(value));
    let color = field("color", Form::Color(shape.color));
    match shape.kind {
        ShapeKind::Cube { size } => Form::Group("Cube", vec![field("size", Form::Vector(size)), color]),
        ShapeKind::Sphere { radius } => Form::Group("Sphere", vec![number("radius", radius), color]),
        ShapeKind::Capsule { radius, half_height } => {
            Form::Group("Capsule", vec![number("radius", radius), number("half_height", half_height), color])
        }
        ShapeKind::Cylinder { radius, half_height } => {
            Form::Group("Cylinder", vec![number("radius", radius), number("half_height", half_height), color])
        }
        ShapeKind::Plane { width, depth } => {
            Form::Group("Plane", vec![number("width", width), number("depth", depth), color])
        }
    }
}

fn body(body: &Body) -> Form<'static> {
    let default = Body::default();
    let kind = match body.kind {
        BodyKind::Fixed => "Fixed",
        BodyKind::Kinematic => "Kinematic",
        BodyKind::Dynamic => "Dynamic",
    };
    let fields = vec![
        field("kind", Form::Word(kind)),
        number_unless("mass", body.mass, default.mass),
        number_unless("friction", body.friction, default.friction),
        number_unless("bounce", body.bounce, default.bounce),
        vector_unless("velocity", body.velocity, default.velocity),
        vector_unless("spin", body.spin, default.spin),
    ];
    Form::Group("", fields)
}

fn motion(motion: &Motion) -> Form<'static> {
    let number = |name, value| field(name, Form::Number(value));
    let vector = |name, value| field(name, Form::Vector(value));
    match *motion {
        Motion::Steady { velocity } => Form::Group("Steady", vec![vector("velocity", velocity)]),
        Motion::Spin { axis, degrees_per_second } => Form::Group(
            "Spin",
            vec![vector_unless("axis", axis, Vec3::Y), number("degrees_per_second", degrees_per_second)],
        ),
        Motion::Orbit { center, axis, degrees_per_second } => Form::Group(
            "Orbit",
            vec![
                vector("center", center),
                vector_unless("axis", axis, Vec3::Y),
                number("degrees_per_second", degrees_per_second),
            ],
        ),
        Motion::Oscillate { amplitude, period, phase } => Form::Group(
            "Oscillate",
            vec![
                vector("amplitude", amplitude),
                number("period", period),
                number_unless("phase", phase, 0.0),
            ],
        ),
    }
}

fn spawner(spawner: &Spawner) -> Form<'static> {
    let mut fields = vec![
        field("every_ticks", Form::Whole(spawner.every_ticks.into())),
        whole_unless("lifetime_ticks", spawner.lifetime_ticks.into(), 0),
        field("limit", Form::Whole(spawner.limit.into())),
        field("shape", shape(&spawner.shape)),
    ];
    fields.extend(spawner.body.as_ref().map(|prototype| field("body", body(prototype))));
    fields.push(number_unless("spread_degrees", spawner.spread_degrees, 0.0));
    Form::Group("", fields)
}

fn crowd(crowd: &Crowd) -> Form<'static> {
    let fields = vec![
        field("count", Form::Whole(crowd.count.into())),
        field("spacing", Form::Number(crowd.spacing)),
        field("shape", shape(&crowd.shape)),
        field("motion", motion(&crowd.motion)),
        number_unless("apart_seconds", crowd.apart_seconds, 0.0),
    ];
    Form::Group("", fields)
}

fn teleporter(teleporter: &Teleporter) -> Form<'static> {
    let poses = teleporter.poses.iter().map(transform).collect();
    let every = field("every_ticks", Form::Whole(teleporter.every_ticks.into()));
    Form::Group("", vec![every, field("poses", Form::List(poses))])
}

fn controlled(controlled: &Controlled) -> Form<'static> {
    let speed = field("speed", Form::Number(controlled.speed));
    Form::Group("", vec![speed, number_unless("jump", controlled.jump, 0.0)])
}

fn sound(sound: &Sound) -> Form<'static> {
    let default = Sound::default();
    let fields = vec![
        field("when", Form::Word(sound.when.name())),
        unless("wave", Form::Word(sound.wave.name()), &Form::Word(default.wave.name())),
        number_unless("hertz", sound.hertz, default.hertz),
        number_unless("seconds", sound.seconds, default.seconds),
        number_unless("volume", sound.volume, default.volume),
        number_unless("max_distance", sound.max_distance, default.max_distance),
    ];
    Form::Group("", fields)
}

fn camera(camera: &Camera) -> Form<'static> {
    let default = Camera::default();
    let mut fields = vec![
        number_unless("fov_degrees", camera.fov_degrees, default.fov_degrees),
        number_unless("near", camera.near, default.near),
        number_unless("far", camera.far, default.far),
    ];
    fields.extend(camera.follow.as_ref().map(|follow| {
        let target = field("target", Form::Whole(follow.target.0));
        field("follow", Form::Group("", vec![target, field("offset", Form::Vector(follow.offset))]))
    }));
    Form::Group("", fields)
}

fn sun(sun: &Sun) -> Form<'static> {
    let default = Sun::default();
    let fields = vec![
        vector_unless("direction", sun.direction, default.direction),
        color_unless("color", sun.color, default.color),
        number_unless("strength", sun.strength, default.strength),
    ];
    Form::Group("", fields)
}

fn sky(sky: &Sky) -> Form<'static> {
    let default = Sky::default();
    let fields = vec![
        color_unless("top", sky.top, default.top),
        color_unless("horizon", sky.horizon, default.horizon),
        color_unless("ground", sky.ground, default.ground),
        number_unless("ambient", sky.ambient, default.ambient),
    ];
    Form::Group("", fields)
}

fn load(load: &Load) -> Form<'static> {
    let time = |name, time| unless(name, Form::Micros(time), &Form::Micros(Nanos::ZERO));
    let fields = vec![
        time("tick_micros", load.tick),
        time("frame_micros", load.frame),
        time("submit_micros", load.submit),
    ];
    Form::Group("", fields)
}
