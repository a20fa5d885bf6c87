//! The types of a scene file: its field names, what may be left out, and how each becomes a plain value.

use crate::scene::{
    Body, BodyKind, Camera, Color, Controlled, EntityId, Follow, Load, Motion, Shape, ShapeKind, Sky,
    Spawner, Sun, Teleporter, Transform,
};
use crate::time::Nanos;
use glam::Vec3;
use ron::value::RawValue;
use serde::Deserialize;

/// The file. Entities stay raw text here, so that a fault in one does not hide those of the next.
#[derive(Deserialize)]
#[serde(rename = "Scene", deny_unknown_fields)]
pub(super) struct FileScene<'a> {
    pub format: u32,
    #[serde(default)]
    pub seed: u64,
    #[serde(default)]
    pub about: String,
    #[serde(borrow, default)]
    pub entities: Vec<&'a RawValue>,
}

/// One entity. Its components stay raw text for the same reason.
#[derive(Deserialize)]
#[serde(rename = "Entity", deny_unknown_fields)]
pub(super) struct FileEntity<'a> {
    pub id: u64,
    pub name: String,
    pub parent: Option<u64>,
    #[serde(borrow)]
    pub transform: Option<&'a RawValue>,
    #[serde(borrow)]
    pub shape: Option<&'a RawValue>,
    #[serde(borrow)]
    pub body: Option<&'a RawValue>,
    #[serde(borrow)]
    pub motion: Option<&'a RawValue>,
    #[serde(borrow)]
    pub spawner: Option<&'a RawValue>,
    #[serde(borrow)]
    pub teleporter: Option<&'a RawValue>,
    #[serde(borrow)]
    pub controlled: Option<&'a RawValue>,
    #[serde(borrow)]
    pub camera: Option<&'a RawValue>,
    #[serde(borrow)]
    pub sun: Option<&'a RawValue>,
    #[serde(borrow)]
    pub sky: Option<&'a RawValue>,
    #[serde(borrow)]
    pub load: Option<&'a RawValue>,
}

/// `(x, y, z)`.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename = "Vec3")]
pub(super) struct FileVec3(f32, f32, f32);

impl From<Vec3> for FileVec3 {
    fn from(v: Vec3) -> Self {
        Self(v.x, v.y, v.z)
    }
}

impl From<FileVec3> for Vec3 {
    fn from(v: FileVec3) -> Self {
        Self::new(v.0, v.1, v.2)
    }
}

/// `"#rrggbb"`.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct FileColor(Color);

impl TryFrom<String> for FileColor {
    type Error = crate::scene::ColorError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Self)
    }
}

#[derive(Deserialize)]
#[serde(rename = "Transform", deny_unknown_fields, default)]
pub(super) struct FileTransform {
    position: FileVec3,
    rotation_degrees: FileVec3,
    scale: FileVec3,
}

impl Default for FileTransform {
    fn default() -> Self {
        let Transform { position, rotation_degrees, scale } = Transform::default();
        Self { position: position.into(), rotation_degrees: rotation_degrees.into(), scale: scale.into() }
    }
}

impl From<FileTransform> for Transform {
    fn from(file: FileTransform) -> Self {
        Self {
            position: file.position.into(),
            rotation_degrees: file.rotation_degrees.into(),
            scale: file.scale.into(),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename = "Shape", deny_unknown_fields)]
pub(super) enum FileShape {
    Cube { size: FileVec3, color: FileColor },
    Sphere { radius: f32, color: FileColor },
    Capsule { radius: f32, half_height: f32, color: FileColor },
    Cylinder { radius: f32, half_height: f32, color: FileColor },
    Plane { width: f32, depth: f32, color: FileColor },
}

impl From<FileShape> for Shape {
    fn from(file: FileShape) -> Self {
        let (kind, FileColor(color)) = match file {
            FileShape::Cube { size, color } => (ShapeKind::Cube { size: size.into() }, color),
            FileShape::Sphere { radius, color } => (ShapeKind::Sphere { radius }, color),
            FileShape::Capsule { radius, half_height, color } => {
                (ShapeKind::Capsule { radius, half_height }, color)
            }
            FileShape::Cylinder { radius, half_height, color } => {
                (ShapeKind::Cylinder { radius, half_height }, color)
            }
            FileShape::Plane { width, depth, color } => (ShapeKind::Plane { width, depth }, color),
        };
        Self { kind, color }
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename = "BodyKind")]
enum FileBodyKind {
    Fixed,
    Kinematic,
    Dynamic,
}

#[derive(Deserialize)]
#[serde(rename = "Body", deny_unknown_fields, default)]
pub(super) struct FileBody {
    kind: FileBodyKind,
    mass: f32,
    friction: f32,
    bounce: f32,
    velocity: FileVec3,
    spin: FileVec3,
}

impl Default for FileBody {
    fn default() -> Self {
        let Body { kind: _, mass, friction, bounce, velocity, spin } = Body::default();
        let (velocity, spin) = (velocity.into(), spin.into());
        Self { kind: FileBodyKind::Dynamic, mass, friction, bounce, velocity, spin }
    }
}

impl From<FileBody> for Body {
    fn from(file: FileBody) -> Self {
        Self {
            kind: match file.kind {
                FileBodyKind::Fixed => BodyKind::Fixed,
                FileBodyKind::Kinematic => BodyKind::Kinematic,
                FileBodyKind::Dynamic => BodyKind::Dynamic,
            },
            mass: file.mass,
            friction: file.friction,
            bounce: file.bounce,
            velocity: file.velocity.into(),
            spin: file.spin.into(),
        }
    }
}

fn up() -> FileVec3 {
    Vec3::Y.into()
}

#[derive(Deserialize)]
#[serde(rename = "Motion", deny_unknown_fields)]
pub(super) enum FileMotion {
    Steady {
        velocity: FileVec3,
    },
    Spin {
        #[serde(default = "up")]
        axis: FileVec3,
        degrees_per_second: f32,
    },
    Orbit {
        center: FileVec3,
        #[serde(default = "up")]
        axis: FileVec3,
        degrees_per_second: f32,
    },
    Oscillate {
        amplitude: FileVec3,
        period: f32,
        #[serde(default)]
        phase: f32,
    },
}

impl From<FileMotion> for Motion {
    fn from(file: FileMotion) -> Self {
        match file {
            FileMotion::Steady { velocity } => Self::Steady { velocity: velocity.into() },
            FileMotion::Spin { axis, degrees_per_second } => {
                Self::Spin { axis: axis.into(), degrees_per_second }
            }
            FileMotion::Orbit { center, axis, degrees_per_second } => {
                Self::Orbit { center: center.into(), axis: axis.into(), degrees_per_second }
            }
            FileMotion::Oscillate { amplitude, period, phase } => {
                Self::Oscillate { amplitude: amplitude.into(), period, phase }
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(rename = "Spawner", deny_unknown_fields)]
pub(super) struct FileSpawner {
    every_ticks: u32,
    #[serde(default)]
    lifetime_ticks: u32,
    limit: u32,
    shape: FileShape,
    body: Option<FileBody>,
    #[serde(default)]
    spread_degrees: f32,
}

impl From<FileSpawner> for Spawner {
    fn from(file: FileSpawner) -> Self {
        Self {
            every_ticks: file.every_ticks,
            lifetime_ticks: file.lifetime_ticks,
            limit: file.limit,
            shape: file.shape.into(),
            body: file.body.map(Body::from),
            spread_degrees: file.spread_degrees,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename = "Teleporter", deny_unknown_fields)]
pub(super) struct FileTeleporter {
    every_ticks: u32,
    poses: Vec<FileTransform>,
}

impl From<FileTeleporter> for Teleporter {
    fn from(file: FileTeleporter) -> Self {
        let poses = file.poses.into_iter().map(Transform::from).collect();
        Self { every_ticks: file.every_ticks, poses }
    }
}

#[derive(Deserialize)]
#[serde(rename = "Controlled", deny_unknown_fields)]
pub(super) struct FileControlled {
    speed: f32,
    #[serde(default)]
    jump: f32,
}

impl From<FileControlled> for Controlled {
    fn from(file: FileControlled) -> Self {
        Self { speed: file.speed, jump: file.jump }
    }
}

#[derive(Deserialize)]
#[serde(rename = "Follow", deny_unknown_fields)]
struct FileFollow {
    target: u64,
    offset: FileVec3,
}

#[derive(Deserialize)]
#[serde(rename = "Camera", deny_unknown_fields, default)]
pub(super) struct FileCamera {
    fov_degrees: f32,
    near: f32,
    far: f32,
    follow: Option<FileFollow>,
}

impl Default for FileCamera {
    fn default() -> Self {
        let Camera { fov_degrees, near, far, follow: _ } = Camera::default();
        Self { fov_degrees, near, far, follow: None }
    }
}

impl From<FileCamera> for Camera {
    fn from(file: FileCamera) -> Self {
        let follow = file
            .follow
            .map(|follow| Follow { target: EntityId(follow.target), offset: follow.offset.into() });
        Self { fov_degrees: file.fov_degrees, near: file.near, far: file.far, follow }
    }
}

#[derive(Deserialize)]
#[serde(rename = "Sun", deny_unknown_fields, default)]
pub(super) struct FileSun {
    direction: FileVec3,
    color: FileColor,
    strength: f32,
}

impl Default for FileSun {
    fn default() -> Self {
        let Sun { direction, color, strength } = Sun::default();
        Self { direction: direction.into(), color: FileColor(color), strength }
    }
}

impl From<FileSun> for Sun {
    fn from(file: FileSun) -> Self {
        Self { direction: file.direction.into(), color: file.color.0, strength: file.strength }
    }
}

#[derive(Deserialize)]
#[serde(rename = "Sky", deny_unknown_fields, default)]
pub(super) struct FileSky {
    top: FileColor,
    horizon: FileColor,
    ground: FileColor,
    ambient: f32,
}

impl Default for FileSky {
    fn default() -> Self {
        let Sky { top, horizon, ground, ambient } = Sky::default();
        Self { top: FileColor(top), horizon: FileColor(horizon), ground: FileColor(ground), ambient }
    }
}

impl From<FileSky> for Sky {
    fn from(file: FileSky) -> Self {
        Self { top: file.top.0, horizon: file.horizon.0, ground: file.ground.0, ambient: file.ambient }
    }
}

/// Microseconds, with decimals where the time is no whole number of them.
#[derive(Deserialize)]
#[serde(rename = "Load", deny_unknown_fields, default)]
#[derive(Default)]
pub(super) struct FileLoad {
    tick_micros: f64,
    frame_micros: f64,
    submit_micros: f64,
}

impl From<FileLoad> for Load {
    fn from(file: FileLoad) -> Self {
        // A cast from float stops at the ends of i64, where `check` refuses it; NaN, which a cast would hide as 0,
        // becomes a negative time, refused too.
        let nanos = |micros: f64| Nanos(if micros.is_nan() { -1 } else { (micros * 1000.0).round() as i64 });
        Self {
            tick: nanos(file.tick_micros),
            frame: nanos(file.frame_micros),
            submit: nanos(file.submit_micros),
        }
    }
}
