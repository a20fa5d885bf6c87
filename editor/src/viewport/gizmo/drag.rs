//! What a drag of a handle does: from where the pointer was and is to a move, a turn or factors.

use glam::{Vec2, Vec3};
use std::f32::consts::{PI, TAU};

use super::{Axis, Handle, LENGTH, Sight, Stand, Steps, Tool, plane_hit};
use crate::viewport::picking::Ray;

/// What has been done since the handle was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// Metres in the world.
    Move(Vec3),
    /// About a unit axis of the world, counter-clockwise where it points at whoever looks.
    Turn { axis: Vec3, degrees: f32 },
    /// Along the three axes of the handles; each above 0.
    Scale(Vec3),
}

/// A handle that is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    pub tool: Tool,
    pub handle: Handle,
    pub stand: Stand,
    hold: Hold,
}

/// By what the pointer is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hold {
    /// The place along a line through the middle.
    Line { direction: Vec3, from: f32 },
    /// The place in a plane through the middle.
    Plane { normal: Vec3, from: Vec3 },
    /// The angle in a plane through the middle, in radians: the last one, and all that was turned.
    Angle { normal: Vec3, last: f32, turned: f32 },
    /// The way along a line on screen: a ring that is seen from its edge, or a factor.
    Screen { from: Vec2, direction: Vec2 },
}

/// Nearer to its edge than this a ring is dragged along its line on screen.
const EDGE_ON: f32 = 0.16;
/// Points of travel that double a size.
const DOUBLING: f32 = 120.0;
/// No drag makes anything smaller than this part of what it was.
const LEAST_FACTOR: f32 = 0.01;

impl Drag {
    /// Takes a handle; `None` where it cannot be dragged as it is seen.
    #[must_use]
    pub fn begin(tool: Tool, handle: Handle, stand: Stand, sight: &Sight, at: Vec2) -> Option<Self> {
        let ray = sight.ray(at);
        let hold = match (tool, handle) {
            (Tool::Select, _) => return None,
            (Tool::Rotate, handle) => {
                let normal = axis_of(handle, &stand);
                if normal.dot(stand.towards_eye).abs() < EDGE_ON {
                    edge_on(normal, &stand, sight, at)?
                } else {
                    Hold::Angle { normal, last: angle(&ray, &stand, normal)?, turned: 0.0 }
                }
            }
            (Tool::Scale, Handle::Screen) => {
                Hold::Screen { from: at, direction: Vec2::new(1.0, -1.0).normalize() }
            }
            (_, Handle::Axis(axis)) => {
                let direction = stand.direction(axis);
                Hold::Line { direction, from: along(&ray, stand.center, direction)? }
            }
            (_, Handle::Plane(_) | Handle::Screen) => {
                let normal = axis_of(handle, &stand);
                Hold::Plane { normal, from: plane_hit(&ray, stand.center, normal)? }
            }
        };
        Some(Self { tool, handle, stand, hold })
    }

    /// The change with the pointer here; `None` where it is beyond the horizon, and the last one stands.
    pub fn to(&mut self, sight: &Sight, at: Vec2, snap: Option<&Steps>) -> Option<Change> {
        let ray = sight.ray(at);
        let center = self.stand.center;
        match self.tool {
            Tool::Select => None,
            Tool::Move => {
                let moved = match self.hold {
                    Hold::Line { direction, from } => direction * (along(&ray, center, direction)? - from),
                    Hold::Plane { normal, from } => plane_hit(&ray, center, normal)? - from,
                    Hold::Angle { .. } | Hold::Screen { .. } => return None,
                };
                Some(Change::Move(snap.map_or(moved, |steps| self.in_steps(moved, steps.metres))))
            }
            Tool::Rotate => {
                let degrees = self.turned(&ray, at)?.to_degrees();
                let degrees = snap.map_or(degrees, |steps| (degrees / steps.degrees).round() * steps.degrees);
                Some(Change::Turn { axis: axis_of(self.handle, &self.stand), degrees })
            }
            Tool::Scale => {
                let factor = match self.hold {
                    Hold::Line { direction, from } => along(&ray, center, direction)? / from,
                    Hold::Plane { normal, from } => {
                        let (out, from) = (plane_hit(&ray, center, normal)? - center, from - center);
                        out.dot(from) / from.length_squared()
                    }
                    Hold::Screen { from, direction } => (2.0_f32).powf((at - from).dot(direction) / DOUBLING),
                    Hold::Angle { .. } => return None,
                };
                let factor = if factor.is_finite() { factor.clamp(LEAST_FACTOR, 1000.0) } else { 1.0 };
                let factor =
                    snap.map_or(factor, |steps| (factor / steps.factor).round().max(1.0) * steps.factor);
                Some(Change::Scale(self.factors(factor)))
            }
        }
    }

    /// All that was turned, also beyond a whole turn.
    fn turned(&mut self, ray: &Ray, at: Vec2) -> Option<f32> {
        match &mut self.hold {
            Hold::Angle { normal, last, turned } => {
                let now = angle(ray, &self.stand, *normal)?;
                // The short way round from where it was in the last pass.
                *turned += (now - *last + PI).rem_euclid(TAU) - PI;
                *last = now;
                Some(*turned)
            }
            Hold::Screen { from, direction } => Some((at - *from).dot(*direction) / LENGTH),
            Hold::Line { .. } | Hold::Plane { .. } => None,
        }
    }

    /// The same way, in whole steps along each axis of the handles.
    fn in_steps(&self, moved: Vec3, step: f32) -> Vec3 {
        let local = self.stand.axes.inverse() * moved;
        self.stand.axes * ((local / step).round() * step)
    }

    fn factors(&self, factor: f32) -> Vec3 {
        match self.handle {
            Handle::Screen => Vec3::splat(factor),
            Handle::Axis(axis) => Vec3::ONE + axis.unit() * (factor - 1.0),
            Handle::Plane(across) => Vec3::splat(factor) + across.unit() * (1.0 - factor),
        }
    }

    /// The numbers of a change, for people: `x +1.250 m`.
    #[must_use]
    pub fn text(&self, change: &Change) -> String {
        match *change {
            Change::Move(moved) => {
                let local = self.stand.axes.inverse() * moved;
                let parts = self.shown_axes().map(|axis| {
                    let along = local.dot(axis.unit());
                    // Adding 0 turns −0 into 0.
                    let along = (along * 1000.0).round() / 1000.0 + 0.0;
                    format!("{} {along:+.3}", axis.name())
                });
                format!("{} m", parts.collect::<Vec<_>>().join("  "))
            }
            Change::Turn { degrees, .. } => {
                let about = match self.handle {
                    Handle::Axis(axis) => format!(" about {}", axis.name()),
                    Handle::Plane(_) | Handle::Screen => String::new(),
                };
                format!("{:+.1}°{about}", (degrees * 10.0).round() / 10.0 + 0.0)
            }
            Change::Scale(factors) => match self.handle {
                Handle::Screen => format!("× {:.3}", factors.x),
                Handle::Axis(_) | Handle::Plane(_) => {
                    let parts = self.shown_axes();
                    let parts =
                        parts.map(|axis| format!("{} × {:.3}", axis.name(), factors.dot(axis.unit())));
                    parts.collect::<Vec<_>>().join("  ")
                }
            },
        }
    }

    fn shown_axes(&self) -> impl Iterator<Item = Axis> + use<> {
        let handle = self.handle;
        Axis::ALL.into_iter().filter(move |axis| match handle {
            Handle::Axis(one) => one == *axis,
            Handle::Plane(across) => across != *axis,
            Handle::Screen => true,
        })
    }

    /// Where a ring was taken, and how far it was turned, in radians: for a slice that shows it.
    #[must_use]
    pub fn slice(&self) -> Option<(Vec3, Vec3, f32)> {
        match self.hold {
            Hold::Angle { normal, last, turned } => {
                let (a, b) = normal.any_orthonormal_pair();
                let (sine, cosine) = (last - turned).sin_cos();
                Some((normal, a * cosine + b * sine, turned))
            }
            _ => None,
        }
    }
}

/// What a handle turns about, or the normal of the plane it is dragged in.
fn axis_of(handle: Handle, stand: &Stand) -> Vec3 {
    match handle {
        Handle::Axis(axis) | Handle::Plane(axis) => stand.direction(axis),
        Handle::Screen => stand.towards_eye,
    }
}

/// How far along the line through `center` it comes nearest to the ray; `None` where both run the same way.
fn along(ray: &Ray, center: Vec3, direction: Vec3) -> Option<f32> {
    let apart = center - ray.origin;
    let alike = direction.dot(ray.direction);
    let across = 1.0 - alike * alike;
    let on_ray = (apart.dot(ray.direction) - alike * apart.dot(direction)) / across;
    let on_line = (alike * apart.dot(ray.direction) - apart.dot(direction)) / across;
    (across > 1e-4 && on_ray > 0.0 && on_line.is_finite()).then_some(on_line)
}

fn angle(ray: &Ray, stand: &Stand, normal: Vec3) -> Option<f32> {
    let out = plane_hit(ray, stand.center, normal)? - stand.center;
    let (a, b) = normal.any_orthonormal_pair();
    Some(out.dot(b).atan2(out.dot(a)))
}

/// A ring seen from its edge is a line on screen: along it is a turn.
fn edge_on(normal: Vec3, stand: &Stand, sight: &Sight, at: Vec2) -> Option<Hold> {
    let line = normal.cross(stand.towards_eye).try_normalize()?;
    let (a, b) = (sight.place(stand.center)?, sight.place(stand.center + line * stand.length)?);
    Some(Hold::Screen { from: at, direction: (b - a).normalize_or_zero() })
}
