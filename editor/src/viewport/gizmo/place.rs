//! What a change makes of entities: each goes the same way in the world, whatever it hangs on.

use framewalk_runtime::scene::{BodyKind, EntityId, Pose, Transform};
use glam::{EulerRot, Quat, Vec3};

use super::drag::Change;
use super::{Space, Tool};
use crate::document::arrange::tops;
use crate::document::indexed::IndexedScene;

/// An entity before a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    pub id: EntityId,
    /// As authored; in a running world, whatever.
    pub transform: Transform,
    /// Of what it hangs on, in the world.
    pub above: Pose,
    /// Its own, in the world, as authored.
    pub world: Pose,
    /// Its own, in the world, as drawn.
    pub drawn: Pose,
}

/// What a change turns or grows about, and the axes of its factors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turning {
    pub pivot: Vec3,
    pub axes: Quat,
}

/// A body that physics will move by itself, but that is authored relative to another entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follower {
    pub id: EntityId,
    pub drawn: Pose,
    /// Which of the starts it hangs on.
    pub of: usize,
}

/// The chosen entities as authored, without those that hang on another of them: they go with it.
#[must_use]
pub fn starts(scene: &IndexedScene, ids: &[EntityId]) -> Vec<Start> {
    let roots = tops(scene, ids);
    roots
        .into_iter()
        .filter_map(|id| scene.entity(id))
        .map(|entity| {
            let above = scene.parents(entity.id).filter_map(|id| scene.entity(id));
            let mut chain: Vec<Pose> = above.map(|above| above.transform.pose()).collect();
            chain.reverse();
            let above = chain.into_iter().reduce(|above, local| above.of_child(&local)).unwrap_or_default();
            let world = above.of_child(&entity.transform.pose());
            Start { id: entity.id, transform: entity.transform, above, world, drawn: world }
        })
        .collect()
}

/// Dynamic bodies that hang on one of the starts: in a world they stand by themselves.
#[must_use]
pub fn followers(scene: &IndexedScene, starts: &[Start]) -> Vec<(EntityId, usize)> {
    let is_dynamic = |id: &EntityId| {
        let body = scene.entity(*id).and_then(|entity| entity.body);
        body.is_some_and(|body| body.kind == BodyKind::Dynamic)
    };
    let below = |of: usize| {
        let family = scene.with_descendants([starts[of].id]);
        family.into_iter().skip(1).filter(is_dynamic).map(move |id| (id, of))
    };
    (0..starts.len()).flat_map(below).collect()
}

/// Where the handles of these stand, and along which axes: about the middle of them, and in local space along those of
/// the last one. Scaling is along its own axes always.
#[must_use]
pub fn turning(poses: &[Pose], tool: Tool, space: Space) -> Option<Turning> {
    let last = poses.last()?;
    let sum: Vec3 = poses.iter().map(|pose| pose.position).sum();
    let local = space == Space::Local || tool == Tool::Scale;
    let axes = if local { last.rotation.normalize() } else { Quat::IDENTITY };
    Some(Turning { pivot: sum / poses.len() as f32, axes })
}

/// A pose of the world after a change.
#[must_use]
pub fn moved(pose: &Pose, change: &Change, turning: &Turning) -> Pose {
    let out = pose.position - turning.pivot;
    match *change {
        Change::Move(by) => Pose { position: pose.position + by, ..*pose },
        Change::Turn { axis, degrees } => {
            let turn = Quat::from_axis_angle(axis, degrees.to_radians());
            Pose {
                position: turning.pivot + turn * out,
                rotation: (turn * pose.rotation).normalize(),
                ..*pose
            }
        }
        Change::Scale(factors) => {
            let grown = turning.axes * (factors * (turning.axes.inverse() * out));
            Pose { position: turning.pivot + grown, scale: pose.scale * factors, ..*pose }
        }
    }
}

/// The transform of an entity after a change; what the change does not touch stays as it was written.
#[must_use]
pub fn placed(start: &Start, change: &Change, turning: &Turning) -> Transform {
    let world = moved(&start.world, change, turning);
    let Some(local) = start.above.child_of(&world) else { return start.transform };
    let mut transform = start.transform;
    // By less than can be seen, it has not moved.
    if world.position.distance(start.world.position) > 1e-5 {
        transform.position = tidy(local.position, 1e4);
    }
    match change {
        Change::Move(_) => {}
        Change::Turn { .. } => {
            transform.rotation_degrees = tidy(angles_near(local.rotation, transform.rotation_degrees), 1e3);
        }
        Change::Scale(factors) => {
            transform.scale = tidy(transform.scale * *factors, 1e4);
            // Never to nothing: a scale of 0 could not be undone by another factor.
            transform.scale = Vec3::select(
                transform.scale.abs().cmplt(Vec3::splat(0.001)),
                Vec3::splat(0.001).copysign(start.transform.scale),
                transform.scale,
            );
        }
    }
    transform
}

/// With no more digits than a hand can set.
fn tidy(value: Vec3, digits: f64) -> Vec3 {
    Vec3::from(value.to_array().map(|number| ((f64::from(number) * digits).round() / digits + 0.0) as f32))
}

/// Of the Euler angles of a rotation, in degrees, those nearest to other ones: a turn by 100° about y is not written as
/// 180°, 80°, 180°.
#[must_use]
pub fn angles_near(rotation: Quat, near: Vec3) -> Vec3 {
    let (x, y, z) = rotation.to_euler(EulerRot::XYZ);
    let one = Vec3::new(x, y, z).map(f32::to_degrees);
    let other = Vec3::new(one.x + 180.0, 180.0 - one.y, one.z + 180.0);
    let nearest = [one, other].map(|angles| angles - ((angles - near) / 360.0).round() * 360.0);
    let far = |angles: &Vec3| (*angles - near).length_squared();
    if far(&nearest[0]) <= far(&nearest[1]) { nearest[0] } else { nearest[1] }
}
