//! The canonical text of a scene: one entity a line where it fits, else one component a line.

use super::read::FORMAT;
use crate::scene::{
    Body, BodyKind, Camera, Controlled, Entity, Load, Motion, Scene, Shape, ShapeKind, Sky, Spawner, Sun,
    Teleporter, Transform,
};
use crate::time::Nanos;
use glam::Vec3;

/// Longest line of an entity before it is broken up.
const LINE_CHARS: usize = 118;

/// The scene as RON, in the author's order; the same scene is always the same text, and reads back equal.
#[must_use]
pub fn write_scene(scene: &Scene) -> String {
    let mut text = format!("(\n    format: {FORMAT},\n");
    if scene.seed != 0 {
        text += &format!("    seed: {},\n", scene.seed);
    }
    if !scene.about.is_empty() {
        text += &format!("    about: {},\n", quoted(&scene.about));
    }
    text += "    entities: [\n";
    for entity in &scene.entities {
        text += &entity_lines(entity);
    }
    text + "    ],\n)\n"
}

fn entity_lines(entity: &Entity) -> String {
    let mut head = vec![format!("id: {}", entity.id.0), format!("name: {}", quoted(&entity.name))];
    head.extend(entity.parent.map(|parent| format!("parent: {}", parent.0)));
    let components = components(entity);

    let all: Vec<&str> = head.iter().chain(&components).map(String::as_str).collect();
    let line = format!("        ({}),\n", all.join(", "));
    if line.chars().count() <= LINE_CHARS {
        return line;
    }
    let mut lines = format!("        (\n            {},\n", head.join(", "));
    for component in components {
        lines += &format!("            {component},\n");
    }
    lines + "        ),\n"
}

fn components(entity: &Entity) -> Vec<String> {
    let mut parts = Vec::new();
    if entity.transform != Transform::default() {
        parts.push(format!("transform: {}", transform(&entity.transform)));
    }
    let mut add = |name: &str, text: Option<String>| parts.extend(text.map(|text| format!("{name}: {text}")));
    add("shape", entity.shape.as_ref().map(shape));
    add("body", entity.body.as_ref().map(body));
    add("motion", entity.motion.as_ref().map(motion));
    add("spawner", entity.spawner.as_ref().map(spawner));
    add("teleporter", entity.teleporter.as_ref().map(teleporter));
    add("controlled", entity.controlled.as_ref().map(controlled));
    add("camera", entity.camera.as_ref().map(camera));
    add("sun", entity.sun.as_ref().map(sun));
    add("sky", entity.sky.as_ref().map(sky));
    add("load", entity.load.as_ref().map(load));
    parts
}

/// `Name(field: value, …)`, fields with their default left out.
#[derive(Default)]
struct Fields(Vec<String>);

impl Fields {
    fn with(mut self, name: &str, value: String) -> Self {
        self.0.push(format!("{name}: {value}"));
        self
    }

    fn number(self, name: &str, value: f32) -> Self {
        self.with(name, number(value))
    }

    fn number_unless(self, name: &str, value: f32, default: f32) -> Self {
        // Bits, so that what is left out reads back as exactly what it was.
        if value.to_bits() == default.to_bits() { self } else { self.number(name, value) }
    }

    fn vector(self, name: &str, value: Vec3) -> Self {
        self.with(name, vector(value))
    }

    fn vector_unless(self, name: &str, value: Vec3, default: Vec3) -> Self {
        if value.to_array().map(f32::to_bits) == default.to_array().map(f32::to_bits) {
            self
        } else {
            self.vector(name, value)
        }
    }

    fn named(self, name: &str) -> String {
        format!("{name}({})", self.0.join(", "))
    }

    fn unnamed(self) -> String {
        self.named("")
    }
}

fn transform(transform: &Transform) -> String {
    let default = Transform::default();
    Fields::default()
        .vector_unless("position", transform.position, default.position)
        .vector_unless("rotation_degrees", transform.rotation_degrees, default.rotation_degrees)
        .vector_unless("scale", transform.scale, default.scale)
        .unnamed()
}

fn shape(shape: &Shape) -> String {
    let fields = Fields::default();
    let color = quoted(&shape.color.to_string());
    let (name, fields) = match shape.kind {
        ShapeKind::Cube { size } => ("Cube", fields.vector("size", size)),
        ShapeKind::Sphere { radius } => ("Sphere", fields.number("radius", radius)),
        ShapeKind::Capsule { radius, half_height } => {
            ("Capsule", fields.number("radius", radius).number("half_height", half_height))
        }
        ShapeKind::Cylinder { radius, half_height } => {
            ("Cylinder", fields.number("radius", radius).number("half_height", half_height))
        }
        ShapeKind::Plane { width, depth } => ("Plane", fields.number("width", width).number("depth", depth)),
    };
    fields.with("color", color).named(name)
}

fn body(body: &Body) -> String {
    let default = Body::default();
    let kind = match body.kind {
        BodyKind::Fixed => "Fixed",
        BodyKind::Kinematic => "Kinematic",
        BodyKind::Dynamic => "Dynamic",
    };
    Fields::default()
        .with("kind", kind.to_owned())
        .number_unless("mass", body.mass, default.mass)
        .number_unless("friction", body.friction, default.friction)
        .number_unless("bounce", body.bounce, default.bounce)
        .vector_unless("velocity", body.velocity, default.velocity)
        .vector_unless("spin", body.spin, default.spin)
        .unnamed()
}

fn motion(motion: &Motion) -> String {
    let fields = Fields::default();
    match *motion {
        Motion::Steady { velocity } => fields.vector("velocity", velocity).named("Steady"),
        Motion::Spin { axis, degrees_per_second } => fields
            .vector_unless("axis", axis, Vec3::Y)
            .number("degrees_per_second", degrees_per_second)
            .named("Spin"),
        Motion::Orbit { center, axis, degrees_per_second } => fields
            .vector("center", center)
            .vector_unless("axis", axis, Vec3::Y)
            .number("degrees_per_second", degrees_per_second)
            .named("Orbit"),
        Motion::Oscillate { amplitude, period, phase } => fields
            .vector("amplitude", amplitude)
            .number("period", period)
            .number_unless("phase", phase, 0.0)
            .named("Oscillate"),
    }
}

fn spawner(spawner: &Spawner) -> String {
    let mut fields = Fields::default().with("every_ticks", spawner.every_ticks.to_string());
    if spawner.lifetime_ticks != 0 {
        fields = fields.with("lifetime_ticks", spawner.lifetime_ticks.to_string());
    }
    fields = fields.with("limit", spawner.limit.to_string()).with("shape", shape(&spawner.shape));
    if let Some(prototype) = &spawner.body {
        fields = fields.with("body", body(prototype));
    }
    fields.number_unless("spread_degrees", spawner.spread_degrees, 0.0).unnamed()
}

fn teleporter(teleporter: &Teleporter) -> String {
    let poses: Vec<String> = teleporter.poses.iter().map(transform).collect();
    Fields::default()
        .with("every_ticks", teleporter.every_ticks.to_string())
        .with("poses", format!("[{}]", poses.join(", ")))
        .unnamed()
}

fn controlled(controlled: &Controlled) -> String {
    Fields::default().number("speed", controlled.speed).number_unless("jump", controlled.jump, 0.0).unnamed()
}

fn camera(camera: &Camera) -> String {
    let default = Camera::default();
    let mut fields = Fields::default()
        .number_unless("fov_degrees", camera.fov_degrees, default.fov_degrees)
        .number_unless("near", camera.near, default.near)
        .number_unless("far", camera.far, default.far);
    if let Some(follow) = &camera.follow {
        let target = Fields::default().with("target", follow.target.0.to_string());
        fields = fields.with("follow", target.vector("offset", follow.offset).unnamed());
    }
    fields.unnamed()
}

fn sun(sun: &Sun) -> String {
    let default = Sun::default();
    let mut fields = Fields::default().vector_unless("direction", sun.direction, default.direction);
    if sun.color != default.color {
        fields = fields.with("color", quoted(&sun.color.to_string()));
    }
    fields.number_unless("strength", sun.strength, default.strength).unnamed()
}

fn sky(sky: &Sky) -> String {
    let default = Sky::default();
    let mut fields = Fields::default();
    let colors = [
        ("top", sky.top, default.top),
        ("horizon", sky.horizon, default.horizon),
        ("ground", sky.ground, default.ground),
    ];
    for (name, color, default) in colors {
        if color != default {
            fields = fields.with(name, quoted(&color.to_string()));
        }
    }
    fields.number_unless("ambient", sky.ambient, default.ambient).unnamed()
}

fn load(load: &Load) -> String {
    let mut fields = Fields::default();
    for (name, time) in
        [("tick_micros", load.tick), ("frame_micros", load.frame), ("submit_micros", load.submit)]
    {
        if time != Nanos::ZERO {
            fields = fields.with(name, decimal(time, 1_000));
        }
    }
    fields.unnamed()
}

/// Whole units of `unit` nanoseconds with the decimals that are needed, none lost.
pub(crate) fn decimal(time: Nanos, unit: u32) -> String {
    let (nanos, unit) = (time.0.unsigned_abs(), u64::from(unit));
    let sign = if time.0 < 0 { "-" } else { "" };
    let places = unit.ilog10() as usize;
    let text = format!("{sign}{}.{:0places$}", nanos / unit, nanos % unit);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn vector(vector: Vec3) -> String {
    format!("({}, {}, {})", number(vector.x), number(vector.y), number(vector.z))
}

/// The fewest digits that read back to the same number.
pub(in crate::scene) fn number(value: f32) -> String {
    const LONGEST_PLAIN: usize = 12;
    let plain = format!("{value}");
    if plain.len() <= LONGEST_PLAIN { plain } else { format!("{value:e}") }
}

/// A text in quotes, as RON reads it back.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\n' => quoted += "\\n",
            '\r' => quoted += "\\r",
            '\t' => quoted += "\\t",
            c if c.is_control() => quoted += &format!("\\u{{{:x}}}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
