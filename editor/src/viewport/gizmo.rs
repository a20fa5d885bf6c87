//! Handles that move, turn and scale what is selected. Pure but for `paint`: where they stand, which of them is under the
//! pointer, what a drag of one does, and what comes of that for entities under parents.

pub mod drag;
pub mod handles;
pub(super) mod paint;
pub mod place;
pub mod strip;

use framewalk_runtime::render::picture::Outlook;
use framewalk_runtime::scene::Entity;
use glam::{Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use self::drag::{Change, Drag};
use super::picking::Ray;

/// What a drag of the left button does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tool {
    /// A box around what is to be selected.
    Select,
    #[default]
    Move,
    Rotate,
    Scale,
}

impl Tool {
    pub const ALL: [Self; 4] = [Self::Select, Self::Move, Self::Rotate, Self::Scale];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Select => "Select",
            Self::Move => "Move",
            Self::Rotate => "Rotate",
            Self::Scale => "Scale",
        }
    }
}

/// Along which axes the handles lie. Scaling is always along an entity's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Space {
    #[default]
    World,
    Local,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    #[must_use]
    pub const fn unit(self) -> Vec3 {
        match self {
            Self::X => Vec3::X,
            Self::Y => Vec3::Y,
            Self::Z => Vec3::Z,
        }
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        }
    }

    /// The two others.
    #[must_use]
    pub const fn others(self) -> [Self; 2] {
        match self {
            Self::X => [Self::Y, Self::Z],
            Self::Y => [Self::X, Self::Z],
            Self::Z => [Self::X, Self::Y],
        }
    }
}

/// One thing that can be dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Handle {
    /// Along it, or about it.
    Axis(Axis),
    /// In the plane across this axis.
    Plane(Axis),
    /// In the plane of the picture; for scaling, in every direction alike.
    Screen,
}

/// What Ctrl rounds to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Steps {
    pub metres: f32,
    pub degrees: f32,
    pub factor: f32,
}

impl Default for Steps {
    fn default() -> Self {
        Self { metres: 0.5, degrees: 15.0, factor: 0.1 }
    }
}

impl Steps {
    /// Within what is sensible, whatever a settings file says.
    #[must_use]
    pub fn checked(self) -> Self {
        let usual = Self::default();
        let held = |value: f32, least: f32, most: f32, usual: f32| {
            if value.is_finite() { value.clamp(least, most) } else { usual }
        };
        Self {
            metres: held(self.metres, 0.001, 1000.0, usual.metres),
            degrees: held(self.degrees, 0.1, 180.0, usual.degrees),
            factor: held(self.factor, 0.001, 10.0, usual.factor),
        }
    }
}

/// How the world stands on screen: a picture, and where it is, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    pub outlook: Outlook,
    pub min: Vec2,
    pub size: Vec2,
}

impl Sight {
    fn pixels(&self) -> Vec2 {
        Vec2::from(self.outlook.size.map(|edge| edge.max(1) as f32))
    }

    /// Where a point of the world is seen; `None` behind the eye.
    #[must_use]
    pub fn place(&self, point: Vec3) -> Option<Vec2> {
        Some(self.min + self.outlook.pixel(point)? / self.pixels() * self.size)
    }

    /// The ray from the eye through a place on screen.
    #[must_use]
    pub fn ray(&self, at: Vec2) -> Ray {
        let (origin, direction) = self.outlook.ray((at - self.min) / self.size * self.pixels());
        Ray { origin, direction }
    }

    /// Unit, from a point of the world to whoever looks.
    #[must_use]
    pub fn towards_eye(&self, point: Vec3) -> Vec3 {
        match self.place(point).filter(|_| self.outlook.orthographic) {
            Some(at) => -self.ray(at).direction,
            None => (self.outlook.eye - point).normalize_or(Vec3::Z),
        }
    }

    /// Metres that one point of the screen covers where this point of the world is.
    #[must_use]
    pub fn metres_per_point(&self, point: Vec3) -> Option<f32> {
        let at = self.place(point)?;
        let facing = self.towards_eye(point);
        let beside = plane_hit(&self.ray(at + Vec2::new(20.0, 0.0)), point, facing)?;
        let metres = beside.distance(point) / 20.0;
        (metres.is_finite() && metres > 0.0).then_some(metres)
    }
}

/// Where a ray meets the plane through a point; `None` where it runs along it or away.
pub(super) fn plane_hit(ray: &Ray, point: Vec3, normal: Vec3) -> Option<Vec3> {
    let toward = ray.direction.dot(normal);
    let along = (point - ray.origin).dot(normal) / toward;
    (toward.abs() > 1e-3 && along > 0.0 && along.is_finite()).then(|| ray.origin + ray.direction * along)
}

/// Points from the middle of the handles to the end of an axis.
pub const LENGTH: f32 = 84.0;

/// Where the handles stand: as large on screen however far that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    pub center: Vec3,
    pub axes: Quat,
    /// Metres from the middle to the end of an axis.
    pub length: f32,
    pub towards_eye: Vec3,
}

impl Stand {
    /// `None` where the middle is out of sight behind the eye.
    #[must_use]
    pub fn at(center: Vec3, axes: Quat, sight: &Sight) -> Option<Self> {
        let length = sight.metres_per_point(center)? * LENGTH;
        Some(Self { center, axes, length, towards_eye: sight.towards_eye(center) })
    }

    #[must_use]
    pub fn direction(&self, axis: Axis) -> Vec3 {
        self.axes * axis.unit()
    }

    /// How nearly an axis points at whoever looks: 1 straight, 0 across.
    #[must_use]
    pub fn facing(&self, axis: Axis) -> f32 {
        self.direction(axis).dot(self.towards_eye).abs()
    }
}

/// What is asked of the handles by the mouse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grip {
    Take {
        handle: Handle,
        stand: Stand,
        sight: Sight,
        at: Vec2,
    },
    /// The pointer is there now; `snap`: in steps.
    Drag {
        sight: Sight,
        at: Vec2,
        snap: bool,
    },
    LetGo,
    /// Two corners of a box that selects; `None` when it is done.
    Box(Option<(Vec2, Vec2)>),
    /// Everything goes back to where it was.
    Cancel,
}

/// The tool, its settings, and the drag that goes on.
#[derive(Debug, Default)]
pub struct Gizmo {
    pub tool: Tool,
    pub space: Space,
    pub steps: Steps,
    pub held: Option<Held>,
    /// Two corners of the box that is being drawn, in points.
    pub selecting: Option<(Vec2, Vec2)>,
}

/// A drag that goes on.
#[derive(Debug)]
pub struct Held {
    pub drag: Drag,
    pub change: Change,
    /// Where each entity was.
    pub starts: Vec<place::Start>,
    pub turning: place::Turning,
    /// What hangs on them but lives in the world by itself: where it was, and on which of them it hangs.
    pub followers: Vec<place::Follower>,
    /// Of the document when it began: another one ends it.
    pub revision: u64,
    /// In a running world.
    pub live: bool,
    /// Where the pointer was last, and whether it went in steps.
    pub at: (Vec2, bool),
}

impl Held {
    /// An entity as it will be authored when the handle is let go; `None` where it is not held, or not authored.
    #[must_use]
    pub fn preview(&self, entity: &Entity) -> Option<Entity> {
        let start = self.starts.iter().find(|start| start.id == entity.id && !self.live)?;
        let transform = place::placed(start, &self.change, &self.turning);
        Some(Entity { transform, ..entity.clone() })
    }
}

#[cfg(test)]
mod tests;
