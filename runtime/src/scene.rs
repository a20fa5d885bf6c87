//! What an author makes: plain values, no interpolation state, no identity but the ids written here.

pub mod check;
pub use check::ranges;
pub mod fault;
pub mod format;
pub mod look;
pub mod project;
mod sound;
mod text;

pub use sound::{Sound, SoundWhen, Wave};

use crate::time::Nanos;
use glam::{EulerRot, Quat, Vec3};
use std::fmt;
use std::str::FromStr;

/// An author's number for one entity, unique in its scene and kept for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId(pub u64);

/// A whole scene, in the author's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Seeds the world's randomness.
    pub seed: u64,
    /// What to look at, for people; shown on the welcome page and in the editor.
    pub about: String,
    pub entities: Vec<Entity>,
    /// Of the file itself.
    pub unknown: Vec<Unknown>,
}

impl Scene {
    /// The entity of this id.
    #[must_use]
    pub fn entity(&self, id: EntityId) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.id == id)
    }

    /// The first entity of this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.name == name)
    }

    /// The entity whose camera is looked through: of several, the first in the author's order.
    #[must_use]
    pub fn camera(&self) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.camera.is_some())
    }

    /// Something in it may be heard.
    #[must_use]
    pub fn sounds(&self) -> bool {
        self.entities.iter().any(|entity| entity.sound.is_some())
    }

    /// What its loads make a submit take, in sum.
    #[must_use]
    pub fn submit_load(&self) -> Nanos {
        let loads = self.entities.iter().filter_map(|entity| entity.load);
        loads.fold(Nanos::ZERO, |sum, load| Nanos(sum.0.saturating_add(load.submit.0)))
    }

    /// The sun that shines: of several, the first in the author's order.
    #[must_use]
    pub fn sun(&self) -> Option<&Sun> {
        self.entities.iter().find_map(|entity| entity.sun.as_ref())
    }

    /// The sky that is drawn: of several, the first in the author's order.
    #[must_use]
    pub fn sky(&self) -> Option<&Sky> {
        self.entities.iter().find_map(|entity| entity.sky.as_ref())
    }
}

/// One thing in a scene. A component that is `None` is not there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entity {
    pub id: EntityId,
    pub name: String,
    pub parent: Option<EntityId>,
    /// Relative to the parent, where there is one.
    pub transform: Transform,
    pub shape: Option<Shape>,
    pub body: Option<Body>,
    pub motion: Option<Motion>,
    pub spawner: Option<Spawner>,
    pub crowd: Option<Crowd>,
    pub teleporter: Option<Teleporter>,
    pub controlled: Option<Controlled>,
    pub sound: Option<Sound>,
    pub camera: Option<Camera>,
    pub sun: Option<Sun>,
    pub sky: Option<Sky>,
    pub load: Option<Load>,
    /// Components that this version does not know; nothing in a run comes of them.
    pub unknown: Vec<Unknown>,
}

/// A part of a file that this version does not know: kept, and written back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    pub name: String,
    /// Its value, RON as it is written.
    pub text: String,
}

/// Position in metres, rotation as XYZ Euler degrees, scale as a factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    pub position: Vec3,
    /// Degrees about x, then y, then z of the turned axes (glam's `EulerRot::XYZ`).
    pub rotation_degrees: Vec3,
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self { position: Vec3::ZERO, rotation_degrees: Vec3::ZERO, scale: Vec3::ONE }
    }
}

impl Transform {
    /// The same as a pose, unit quaternion.
    #[must_use]
    pub fn pose(&self) -> Pose {
        let radians = self.rotation_degrees * (std::f32::consts::PI / 180.0);
        Pose {
            position: self.position,
            rotation: Quat::from_euler(EulerRot::XYZ, radians.x, radians.y, radians.z),
            scale: self.scale,
        }
    }
}

/// Position, unit rotation and scale, as simulated and drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    pub position: Vec3,
    pub rotation: Quat,
    pub scale: Vec3,
}

impl Default for Pose {
    fn default() -> Self {
        Self { position: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE }
    }
}

/// An sRGB colour, 8 bits each, written `"#rrggbb"` in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
}

/// Why a text is no colour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is no colour: write \"#rrggbb\", two hexadecimal digits each for red, green and blue")]
pub struct ColorError {
    /// What was given.
    pub given: String,
}

impl Color {
    pub const WHITE: Self = Self::hex(0x00ff_ffff);

    /// From `0xrrggbb`.
    #[must_use]
    pub const fn hex(rgb: u32) -> Self {
        Self { red: (rgb >> 16) as u8, green: (rgb >> 8) as u8, blue: rgb as u8 }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

impl FromStr for Color {
    type Err = ColorError;

    fn from_str(text: &str) -> Result<Self, ColorError> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        digits
            // from_str_radix alone would take a sign.
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .map(Self::hex)
            .ok_or_else(|| ColorError { given: text.to_owned() })
    }
}

/// What is drawn, and the outline physics uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    pub kind: ShapeKind,
    pub color: Color,
}

impl Shape {
    /// Along x, y and z before any scale, some of them halved; above 0. What a shape has no length along counts as
    /// another of its lengths.
    pub(crate) const fn lengths(&self) -> Vec3 {
        match self.kind {
            ShapeKind::Cube { size } => size,
            ShapeKind::Sphere { radius } => Vec3::splat(radius),
            ShapeKind::Capsule { radius, half_height } => Vec3::new(radius, radius + half_height, radius),
            ShapeKind::Cylinder { radius, half_height } => Vec3::new(radius, half_height, radius),
            ShapeKind::Plane { width, depth } => Vec3::new(width, width, depth),
        }
    }
}

/// Sizes in metres before the transform's scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShapeKind {
    /// Edge lengths.
    Cube {
        size: Vec3,
    },
    Sphere {
        radius: f32,
    },
    /// Along y; `half_height` leaves the two half spheres out.
    Capsule {
        radius: f32,
        half_height: f32,
    },
    /// Along y.
    Cylinder {
        radius: f32,
        half_height: f32,
    },
    /// Flat, facing +y, centred.
    Plane {
        width: f32,
        depth: f32,
    },
}

/// How physics treats an entity. Needs a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    pub kind: BodyKind,
    /// kg, above 0.
    pub mass: f32,
    pub friction: f32,
    /// Restitution, 0–1.
    pub bounce: f32,
    /// m/s and rad/s at Play.
    pub velocity: Vec3,
    pub spin: Vec3,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            kind: BodyKind::Dynamic,
            mass: 1.0,
            friction: 0.5,
            bounce: 0.0,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyKind {
    Fixed,
    /// Moved by its motion, pushes others.
    Kinematic,
    #[default]
    Dynamic,
}

/// A pose as a function of simulated time: never a sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// m/s from the authored position.
    Steady { velocity: Vec3 },
    /// About an axis through the entity, degrees a second.
    Spin { axis: Vec3, degrees_per_second: f32 },
    /// About `center` in the plane across `axis`, degrees a second.
    Orbit { center: Vec3, axis: Vec3, degrees_per_second: f32 },
    /// `amplitude × sin(2π (time ÷ period + phase))` added to the authored position; period in seconds.
    Oscillate { amplitude: Vec3, period: f32, phase: f32 },
}

/// Makes copies of a prototype.
#[derive(Clone, Debug, PartialEq)]
pub struct Spawner {
    /// Every so many ticks, at least 1.
    pub every_ticks: u32,
    /// Ticks a copy lives; 0 = for ever.
    pub lifetime_ticks: u32,
    /// At most so many alive at once.
    pub limit: u32,
    pub shape: Shape,
    pub body: Option<Body>,
    /// Velocity is turned at random by up to so many degrees about y.
    pub spread_degrees: f32,
}

/// Many alike, made at Play. Each moves by itself: none hangs on what made it, and none is a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crowd {
    /// How many, at least 1.
    pub count: u32,
    /// Metres between neighbours, above 0: they stand in rows about the entity, in its own xz plane.
    pub spacing: f32,
    pub shape: Shape,
    /// Of each of them, in the axes of the world; the center of an orbit is beside the place of each.
    pub motion: Motion,
    /// Each is ahead in its motion by up to so many seconds, at random.
    pub apart_seconds: f32,
}

impl Crowd {
    /// Where the one of this number, from 0, stands beside the crowd's entity before it moves.
    #[must_use]
    pub fn place(&self, number: u32) -> Pose {
        let columns = f64::from(self.count.max(1)).sqrt().ceil() as u32;
        let rows = self.count.max(1).div_ceil(columns);
        let along = |at: u32, of: u32| (at as f32 - (of - 1) as f32 * 0.5) * self.spacing;
        let position = Vec3::new(along(number % columns, columns), 0.0, along(number / columns, rows));
        Pose { position, ..Pose::default() }
    }
}

/// Sets a pose on purpose; such a pose is never blended.
#[derive(Clone, Debug, PartialEq)]
pub struct Teleporter {
    /// Every so many ticks, at least 1.
    pub every_ticks: u32,
    /// Visited in order, again and again.
    pub poses: Vec<Transform>,
}

/// Arrow keys, or a gamepad's cross or left stick, move it on the ground: left/right along x, up/down along −z/+z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Controlled {
    /// m/s while a key is held.
    pub speed: f32,
    /// Metres jumped at once by Space, a click or a gamepad's lower button, seen by exactly one tick (0 = no jump).
    pub jump: f32,
}

/// A perspective camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Vertical field of view, degrees, 1–179.
    pub fov_degrees: f32,
    pub near: f32,
    pub far: f32,
    /// Looks along its transform, or from `offset` beside a target towards it.
    pub follow: Option<Follow>,
}

impl Default for Camera {
    fn default() -> Self {
        Self { fov_degrees: 50.0, near: 0.1, far: 500.0, follow: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follow {
    pub target: EntityId,
    pub offset: Vec3,
}

/// A light at infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sun {
    /// Where its light goes, not zero.
    pub direction: Vec3,
    pub color: Color,
    pub strength: f32,
}

impl Default for Sun {
    fn default() -> Self {
        Self { direction: Vec3::new(-0.5, -1.0, -0.3), color: Color::WHITE, strength: 1.0 }
    }
}

/// The background, and the light from all sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sky {
    pub top: Color,
    pub horizon: Color,
    pub ground: Color,
    /// Ambient light, 0–1.
    pub ambient: f32,
}

impl Default for Sky {
    fn default() -> Self {
        Self {
            top: Color::hex(0x0012_1418),
            horizon: Color::hex(0x002b_303a),
            ground: Color::hex(0x0012_1418),
            ambient: 0.35,
        }
    }
}

/// Time burnt on purpose, to see what overload does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    pub tick: Nanos,
    pub frame: Nanos,
    pub submit: Nanos,
}

impl Load {
    /// Longest time that may be burnt at once.
    pub const LONGEST: Nanos = Nanos::from_secs(10);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_color_is_a_sharp_and_six_hexadecimal_digits() {
        assert_eq!("#2bb58A".parse(), Ok(Color { red: 0x2b, green: 0xb5, blue: 0x8a }));
        assert_eq!(Color::hex(0x002b_b58a).to_string(), "#2bb58a");
        for wrong in ["", "#", "2bb58a", "#2bb58", "#2bb58a0", "#2bb58g", "#+bb58a", "#ßßß", "red"] {
            assert_eq!(wrong.parse::<Color>(), Err(ColorError { given: wrong.to_owned() }), "{wrong}");
        }
    }

    #[test]
    fn of_several_cameras_suns_and_skies_the_first_counts() {
        let camera = |id, fov_degrees| Entity {
            id: EntityId(id),
            camera: Some(Camera { fov_degrees, ..Camera::default() }),
            ..Entity::default()
        };
        let scene = Scene { entities: vec![camera(9, 40.0), camera(2, 60.0)], ..Scene::default() };
        assert_eq!(scene.camera().map(|entity| entity.id), Some(EntityId(9)));
        assert_eq!((scene.sun(), scene.sky()), (None, None));
    }
}
