//! Which entity lies under the pointer: a ray against the poses and shapes of the picture on screen. Pure.
//!
//! Whoever draws is asked first, since that tells what is seen (`app/clicks.rs`); the ray answers where it cannot.

use framewalk_runtime::render::picture::{Outlook, Picture};
use framewalk_runtime::scene::{EntityId, Pose, ShapeKind};
use glam::{Vec2, Vec3};

/// A click into the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Click {
    /// `None`: there is no picture.
    pub spot: Option<Spot>,
    /// Adds what is there to what is selected, or lets go of it.
    pub more: bool,
    /// It gives the game the keys, so it is not meant for the floor: it selects bodies only.
    pub bodies_only: bool,
}

/// A place in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// How the picture is looked at.
    pub outlook: Outlook,
    /// From its top left, in pixels.
    pub pixel: Vec2,
}

impl Spot {
    /// The nearest free thing of the picture that a ray through the place meets.
    pub fn by_ray(&self, picture: &Picture, free: impl Fn(EntityId) -> bool) -> Option<EntityId> {
        let (origin, direction) = self.outlook.ray(self.pixel);
        let items = picture.items.iter().filter(|item| free(item.entity));
        let things = items.filter_map(|item| Some((item.entity, item.drawn, item.look.shape()?.kind)));
        nearest(&Ray { origin, direction }, things).map(|(id, _)| id)
    }
}

/// A half line in the world; the direction has unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub origin: Vec3,
    pub direction: Vec3,
}

/// The nearest of the given things that the ray meets, with its distance.
pub fn nearest(
    ray: &Ray,
    things: impl IntoIterator<Item = (EntityId, Pose, ShapeKind)>,
) -> Option<(EntityId, f32)> {
    things
        .into_iter()
        .filter_map(|(id, pose, shape)| Some((id, distance(ray, &pose, shape)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

/// How far along the ray the shape is met; `None` when it is missed. Inside a shape the distance is 0.
#[must_use]
pub fn distance(ray: &Ray, pose: &Pose, shape: ShapeKind) -> Option<f32> {
    let scale = pose.scale;
    if scale.min_element().abs() < 1e-9 && scale.max_element().abs() < 1e-9 {
        return None;
    }
    // The map into the shape's own space is affine, so distances along the unscaled ray stay comparable.
    let into = pose.rotation.inverse();
    let scale = Vec3::select(scale.abs().cmplt(Vec3::splat(1e-9)), Vec3::splat(1e-9), scale);
    let origin = into * (ray.origin - pose.position) / scale;
    let direction = into * ray.direction / scale;
    let hit = match shape {
        ShapeKind::Cube { size } => boxed(origin, direction, size * 0.5),
        ShapeKind::Sphere { radius } => ball(origin, direction, Vec3::ZERO, radius),
        ShapeKind::Plane { width, depth } => {
            boxed(origin, direction, Vec3::new(width * 0.5, 1e-4, depth * 0.5))
        }
        ShapeKind::Cylinder { radius, half_height } => cylinder(origin, direction, radius, half_height),
        ShapeKind::Capsule { radius, half_height } => {
            let up = Vec3::Y * half_height;
            [
                cylinder(origin, direction, radius, half_height),
                ball(origin, direction, up, radius),
                ball(origin, direction, -up, radius),
            ]
            .into_iter()
            .flatten()
            .min_by(f32::total_cmp)
        }
    };
    hit.filter(|distance| distance.is_finite())
}

fn ball(origin: Vec3, direction: Vec3, center: Vec3, radius: f32) -> Option<f32> {
    let from_center = origin - center;
    let a = direction.length_squared();
    let half_b = from_center.dot(direction);
    let c = from_center.length_squared() - radius * radius;
    if c <= 0.0 {
        return Some(0.0);
    }
    let root = half_b.mul_add(half_b, -(a * c));
    let distance = (-half_b - root.max(0.0).sqrt()) / a;
    (root >= 0.0 && distance >= 0.0).then_some(distance)
}

fn boxed(origin: Vec3, direction: Vec3, half: Vec3) -> Option<f32> {
    let mut enter = 0.0_f32;
    let mut leave = f32::INFINITY;
    for axis in 0..3 {
        if direction[axis].abs() < 1e-12 {
            if origin[axis].abs() > half[axis] {
                return None;
            }
            continue;
        }
        let a = (-half[axis] - origin[axis]) / direction[axis];
        let b = (half[axis] - origin[axis]) / direction[axis];
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    (enter <= leave).then_some(enter)
}

fn cylinder(origin: Vec3, direction: Vec3, radius: f32, half_height: f32) -> Option<f32> {
    // Inside the infinite tube between `enter` and `leave`, then cut by the two ends.
    let a = direction.x.mul_add(direction.x, direction.z * direction.z);
    let half_b = origin.x.mul_add(direction.x, origin.z * direction.z);
    let c = origin.x.mul_add(origin.x, origin.z * origin.z) - radius * radius;
    let (mut enter, mut leave) = (0.0_f32, f32::INFINITY);
    if a < 1e-12 {
        if c > 0.0 {
            return None;
        }
    } else {
        let root = half_b.mul_add(half_b, -(a * c));
        if root < 0.0 {
            return None;
        }
        enter = enter.max((-half_b - root.sqrt()) / a);
        leave = leave.min((-half_b + root.sqrt()) / a);
    }
    if direction.y.abs() < 1e-12 {
        if origin.y.abs() > half_height {
            return None;
        }
    } else {
        let low = (-half_height - origin.y) / direction.y;
        let high = (half_height - origin.y) / direction.y;
        enter = enter.max(low.min(high));
        leave = leave.min(low.max(high));
    }
    (enter <= leave).then_some(enter)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOWN_Z: Ray = Ray { origin: Vec3::new(0.0, 0.0, 10.0), direction: Vec3::NEG_Z };

    fn at(x: f32, y: f32, z: f32) -> Pose {
        Pose { position: Vec3::new(x, y, z), ..Pose::default() }
    }

    fn meets(pose: &Pose, shape: ShapeKind, expected: Option<f32>) {
        let found = distance(&DOWN_Z, pose, shape);
        match (found, expected) {
            (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-4, "{shape:?}: {found}"),
            _ => assert_eq!(found, expected, "{shape:?}"),
        }
    }

    #[test]
    fn each_shape_is_met_where_it_begins() {
        let origin = at(0.0, 0.0, 0.0);
        meets(&origin, ShapeKind::Cube { size: Vec3::new(2.0, 2.0, 4.0) }, Some(8.0));
        meets(&origin, ShapeKind::Sphere { radius: 1.5 }, Some(8.5));
        meets(&origin, ShapeKind::Cylinder { radius: 1.0, half_height: 2.0 }, Some(9.0));
        meets(&origin, ShapeKind::Capsule { radius: 1.0, half_height: 2.0 }, Some(9.0));
        meets(&origin, ShapeKind::Plane { width: 2.0, depth: 2.0 }, Some(9.0));
        // Above the cylinder's end, where only the capsule's half ball reaches.
        meets(&at(0.0, -2.5, 0.0), ShapeKind::Cylinder { radius: 1.0, half_height: 2.0 }, None);
        meets(
            &at(0.0, -2.5, 0.0),
            ShapeKind::Capsule { radius: 1.0, half_height: 2.0 },
            Some(10.0 - 0.75_f32.sqrt()),
        );
    }

    #[test]
    fn what_is_behind_or_beside_is_not_met() {
        meets(&at(0.0, 0.0, 20.0), ShapeKind::Sphere { radius: 1.0 }, None);
        meets(&at(1.1, 0.0, 0.0), ShapeKind::Sphere { radius: 1.0 }, None);
    }

    #[test]
    fn scale_and_rotation_count() {
        let stretched = Pose { scale: Vec3::new(1.0, 1.0, 3.0), ..Pose::default() };
        meets(&stretched, ShapeKind::Sphere { radius: 1.0 }, Some(7.0));
        let turned =
            Pose { rotation: glam::Quat::from_rotation_y(std::f32::consts::FRAC_PI_4), ..Pose::default() };
        meets(&turned, ShapeKind::Cube { size: Vec3::splat(2.0) }, Some(10.0 - 2.0_f32.sqrt()));
    }

    #[test]
    fn the_nearest_wins() {
        let sphere = ShapeKind::Sphere { radius: 1.0 };
        let things = [(EntityId(1), at(0.0, 0.0, -5.0), sphere), (EntityId(2), at(0.0, 0.0, 5.0), sphere)];
        assert_eq!(nearest(&DOWN_Z, things).map(|(id, _)| id), Some(EntityId(2)));
    }
}
