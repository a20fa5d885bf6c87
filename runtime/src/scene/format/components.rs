//! Each component from its place in the tree: its field names, and what may be left out.

use super::fields::{Faults, Fields, Path};
use super::read::unknown_name;
use crate::scene::text::{Kind, Node};
use crate::scene::{
    Body, BodyKind, Camera, Color, Controlled, Crowd, EntityId, Follow, Load, Motion, Shape, ShapeKind, Sky,
    Sound, SoundWhen, Spawner, Sun, Teleporter, Transform, Wave,
};
use crate::time::Nanos;
use glam::Vec3;

/// A group of these fields, perhaps named after its type.
fn fields<'f, 't, 'a>(
    faults: &'f mut Faults<'a>,
    node: Node<'t, 'a>,
    path: &'f Path<'f>,
    name: &str,
    names: &'static [&'static str],
) -> Option<Fields<'f, 't, 'a>> {
    faults.group(node, path, name)?;
    Some(Fields::of(node, names, path, faults))
}

/// One of several kinds, each with fields of its own: `Sphere(radius: 1)`.
fn kind<'f, 't, 'a>(
    faults: &'f mut Faults<'a>,
    node: Node<'t, 'a>,
    path: &'f Path<'f>,
    kinds: &[(&'static str, &'static [&'static str])],
) -> Option<(&'static str, Fields<'f, 't, 'a>)> {
    let known = || kinds.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    let given = node.name();
    if !matches!(node.kind(), Kind::Group | Kind::Word) || given.is_empty() {
        faults.expected(node, path, &format!("one of {}", known().join(", ")));
        return None;
    }
    let Some((name, names)) = kinds.iter().find(|(name, _)| *name == given) else {
        faults.refuse(node.start(), path, unknown_name("kind", given, &known()));
        return None;
    };
    if node.kind() == Kind::Word {
        faults.refuse(node.span().end, path, format!("expected `(` after `{name}`"));
        return None;
    }
    Some((*name, Fields::of(node, names, path, faults)))
}

pub(super) fn transform<'a>(
    faults: &mut Faults<'a>,
    node: Node<'_, 'a>,
    path: &Path<'_>,
) -> Option<Transform> {
    let mut fields = fields(faults, node, path, "Transform", &["position", "rotation_degrees", "scale"])?;
    let default = Transform::default();
    Some(Transform {
        position: fields.vector("position", default.position),
        rotation_degrees: fields.vector("rotation_degrees", default.rotation_degrees),
        scale: fields.vector("scale", default.scale),
    })
}

pub(super) fn shape<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Shape> {
    let (kind, mut fields) = kind(
        faults,
        node,
        path,
        &[
            ("Cube", &["size", "color"]),
            ("Sphere", &["radius", "color"]),
            ("Capsule", &["radius", "half_height", "color"]),
            ("Cylinder", &["radius", "half_height", "color"]),
            ("Plane", &["width", "depth", "color"]),
        ],
    )?;
    let mut length = |name| fields.wanted(name, 1.0, Faults::number);
    let kind = match kind {
        "Sphere" => ShapeKind::Sphere { radius: length("radius") },
        "Capsule" => ShapeKind::Capsule { radius: length("radius"), half_height: length("half_height") },
        "Cylinder" => ShapeKind::Cylinder { radius: length("radius"), half_height: length("half_height") },
        "Plane" => ShapeKind::Plane { width: length("width"), depth: length("depth") },
        _ => ShapeKind::Cube { size: fields.wanted("size", Vec3::ONE, Faults::vector) },
    };
    Some(Shape { kind, color: fields.wanted("color", Color::WHITE, Faults::color) })
}

pub(super) fn body<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Body> {
    let names = &["kind", "mass", "friction", "bounce", "velocity", "spin"];
    let mut fields = fields(faults, node, path, "Body", names)?;
    let default = Body::default();
    Some(Body {
        kind: fields.or("kind", default.kind, body_kind),
        mass: fields.number("mass", default.mass),
        friction: fields.number("friction", default.friction),
        bounce: fields.number("bounce", default.bounce),
        velocity: fields.vector("velocity", default.velocity),
        spin: fields.vector("spin", default.spin),
    })
}

fn body_kind<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<BodyKind> {
    let kinds =
        [("Fixed", BodyKind::Fixed), ("Kinematic", BodyKind::Kinematic), ("Dynamic", BodyKind::Dynamic)];
    word(faults, node, path, &kinds)
}

/// One of several bare words.
fn word<'a, T: Copy>(
    faults: &mut Faults<'a>,
    node: Node<'_, 'a>,
    path: &Path<'_>,
    words: &[(&'static str, T)],
) -> Option<T> {
    let given = node.written();
    if let Some((_, value)) = words.iter().find(|(name, _)| *name == given) {
        return Some(*value);
    }
    let known: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
    if node.kind() == Kind::Word {
        faults.refuse(node.start(), path, unknown_name("kind", given, &known));
    } else {
        faults.expected(node, path, &format!("one of {}", known.join(", ")));
    }
    None
}

pub(super) fn motion<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Motion> {
    let (kind, mut fields) = kind(
        faults,
        node,
        path,
        &[
            ("Steady", &["velocity"]),
            ("Spin", &["axis", "degrees_per_second"]),
            ("Orbit", &["center", "axis", "degrees_per_second"]),
            ("Oscillate", &["amplitude", "period", "phase"]),
        ],
    )?;
    Some(match kind {
        "Steady" => Motion::Steady { velocity: fields.wanted("velocity", Vec3::ZERO, Faults::vector) },
        "Spin" => Motion::Spin {
            axis: fields.vector("axis", Vec3::Y),
            degrees_per_second: fields.wanted("degrees_per_second", 1.0, Faults::number),
        },
        "Orbit" => Motion::Orbit {
            center: fields.wanted("center", Vec3::ZERO, Faults::vector),
            axis: fields.vector("axis", Vec3::Y),
            degrees_per_second: fields.wanted("degrees_per_second", 1.0, Faults::number),
        },
        _ => Motion::Oscillate {
            amplitude: fields.wanted("amplitude", Vec3::ZERO, Faults::vector),
            period: fields.wanted("period", 1.0, Faults::number),
            phase: fields.number("phase", 0.0),
        },
    })
}

/// Stands for a shape whose fault has been told.
const FILLER: Shape = Shape { kind: ShapeKind::Sphere { radius: 1.0 }, color: Color::WHITE };

pub(super) fn crowd<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Crowd> {
    let names = &["count", "spacing", "shape", "motion", "apart_seconds"];
    let mut fields = fields(faults, node, path, "Crowd", names)?;
    Some(Crowd {
        count: fields.wanted("count", 1, Faults::whole_u32),
        spacing: fields.wanted("spacing", 1.0, Faults::number),
        shape: fields.wanted("shape", FILLER, shape),
        motion: fields.wanted("motion", Motion::Steady { velocity: Vec3::ZERO }, motion),
        apart_seconds: fields.number("apart_seconds", 0.0),
    })
}

pub(super) fn spawner<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Spawner> {
    let names = &["every_ticks", "lifetime_ticks", "limit", "shape", "body", "spread_degrees"];
    let mut fields = fields(faults, node, path, "Spawner", names)?;
    let body_node = fields.optional("body");
    Some(Spawner {
        every_ticks: fields.wanted("every_ticks", 1, Faults::whole_u32),
        lifetime_ticks: fields.or("lifetime_ticks", 0, Faults::whole_u32),
        limit: fields.wanted("limit", 1, Faults::whole_u32),
        shape: fields.wanted("shape", FILLER, shape),
        body: body_node.and_then(|node| body(fields.faults, node, &Path::Field(path, "body"))),
        spread_degrees: fields.number("spread_degrees", 0.0),
    })
}

pub(super) fn teleporter<'a>(
    faults: &mut Faults<'a>,
    node: Node<'_, 'a>,
    path: &Path<'_>,
) -> Option<Teleporter> {
    let mut fields = fields(faults, node, path, "Teleporter", &["every_ticks", "poses"])?;
    Some(Teleporter {
        every_ticks: fields.wanted("every_ticks", 1, Faults::whole_u32),
        poses: fields.wanted("poses", Vec::new(), poses),
    })
}

fn poses<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Vec<Transform>> {
    let items = faults.list(node, path)?.enumerate();
    // Where one cannot be read, its fault stands for all.
    Some(items.filter_map(|(idx, item)| transform(faults, item, &Path::Item(path, idx + 1))).collect())
}

pub(super) fn controlled<'a>(
    faults: &mut Faults<'a>,
    node: Node<'_, 'a>,
    path: &Path<'_>,
) -> Option<Controlled> {
    let mut fields = fields(faults, node, path, "Controlled", &["speed", "jump"])?;
    Some(Controlled { speed: fields.wanted("speed", 1.0, Faults::number), jump: fields.number("jump", 0.0) })
}

pub(super) fn sound<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Sound> {
    let names = &["when", "wave", "hertz", "seconds", "volume", "max_distance"];
    let mut fields = fields(faults, node, path, "Sound", names)?;
    let default = Sound::default();
    Some(Sound {
        when: fields.or("when", default.when, sound_when),
        wave: fields.or("wave", default.wave, wave),
        hertz: fields.number("hertz", default.hertz),
        seconds: fields.number("seconds", default.seconds),
        volume: fields.number("volume", default.volume),
        max_distance: fields.number("max_distance", default.max_distance),
    })
}

fn sound_when<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<SoundWhen> {
    word(faults, node, path, &SoundWhen::ALL.map(|when| (when.name(), when)))
}

fn wave<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Wave> {
    word(faults, node, path, &Wave::ALL.map(|wave| (wave.name(), wave)))
}

pub(super) fn camera<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Camera> {
    let mut fields = fields(faults, node, path, "Camera", &["fov_degrees", "near", "far", "follow"])?;
    let default = Camera::default();
    let follow_node = fields.optional("follow");
    Some(Camera {
        fov_degrees: fields.number("fov_degrees", default.fov_degrees),
        near: fields.number("near", default.near),
        far: fields.number("far", default.far),
        follow: follow_node.and_then(|node| follow(fields.faults, node, &Path::Field(path, "follow"))),
    })
}

fn follow<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Follow> {
    let mut fields = fields(faults, node, path, "Follow", &["target", "offset"])?;
    Some(Follow {
        target: EntityId(fields.wanted("target", 0, Faults::whole)),
        offset: fields.wanted("offset", Vec3::ONE, Faults::vector),
    })
}

pub(super) fn sun<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Sun> {
    let mut fields = fields(faults, node, path, "Sun", &["direction", "color", "strength"])?;
    let default = Sun::default();
    Some(Sun {
        direction: fields.vector("direction", default.direction),
        color: fields.color("color", default.color),
        strength: fields.number("strength", default.strength),
    })
}

pub(super) fn sky<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Sky> {
    let mut fields = fields(faults, node, path, "Sky", &["top", "horizon", "ground", "ambient"])?;
    let default = Sky::default();
    Some(Sky {
        top: fields.color("top", default.top),
        horizon: fields.color("horizon", default.horizon),
        ground: fields.color("ground", default.ground),
        ambient: fields.number("ambient", default.ambient),
    })
}

/// Microseconds, with decimals where the time is no whole number of them.
pub(super) fn load<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Load> {
    let mut fields = fields(faults, node, path, "Load", &["tick_micros", "frame_micros", "submit_micros"])?;
    // A cast from float stops at the ends of i64, where `check` refuses it; NaN, which a cast would hide as 0,
    // becomes a negative time, refused too.
    let mut time = |name| {
        let micros = fields.or(name, 0.0, Faults::double);
        Nanos(if micros.is_nan() { -1 } else { (micros * 1000.0).round() as i64 })
    };
    Some(Load { tick: time("tick_micros"), frame: time("frame_micros"), submit: time("submit_micros") })
}
