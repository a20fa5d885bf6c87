//! What was changed by hand in the run that lives: it is coloured so, and can be kept.

use std::collections::HashSet;

use framewalk_runtime::scene::{Body, EntityId, Pose, Transform};
use framewalk_runtime::world::{EntityObservation, HandEdit};

use super::part::Part;
use crate::document::component::{Component, ComponentKind};
use crate::document::edit::Edit;
use crate::document::indexed::IndexedScene;
use crate::viewport::gizmo::place::{self, angles_near};

/// Parts of entities that a person changed since Play.
#[derive(Debug, Default)]
pub struct ByHand {
    changed: HashSet<(EntityId, Part)>,
}

impl ByHand {
    /// Another run: nothing was changed in it yet.
    pub fn clear(&mut self) {
        self.changed.clear();
    }

    pub fn note(&mut self, edits: &[(EntityId, HandEdit)]) {
        self.changed.extend(edits.iter().map(|(id, edit)| (*id, Part::of(edit))));
    }

    /// Which of these parts of an entity were changed.
    #[must_use]
    pub fn changed(&self, id: EntityId, parts: &[Part]) -> Vec<Part> {
        parts.iter().copied().filter(|part| self.changed.contains(&(id, *part))).collect()
    }
}

/// The edit that gives an authored entity what a running one has of these parts; `None` where both are the same, or one
/// has no such part. The transform is kept alone.
#[must_use]
pub fn kept(scene: &IndexedScene, observed: &EntityObservation, parts: &[Part]) -> Option<Edit> {
    let entity = scene.entity(observed.id)?;
    let (id, of) = (entity.id, &observed.parts);
    let component = match parts.first()? {
        Part::Transform => {
            let start = place::starts(scene, &[id]).into_iter().next()?;
            // A dynamic body runs in the world by itself, and is authored relative to what it hangs on.
            let hangs = observed.parent.is_some() || entity.parent.is_none();
            let local = if hangs { observed.local } else { start.above.child_of(&observed.world)? };
            let transform = written(&local, &entity.transform, of.velocity.is_some());
            return (transform != entity.transform).then_some(Edit::Place { id, transform });
        }
        Part::Body | Part::Velocity => {
            let mut body = entity.body?;
            if parts.contains(&Part::Body) {
                let (velocity, spin) = (body.velocity, body.spin);
                body = Body { velocity, spin, ..of.body? };
            }
            if let Some((velocity, spin)) = of.velocity.filter(|_| parts.contains(&Part::Velocity)) {
                (body.velocity, body.spin) = (velocity, spin);
            }
            Component::Body(body)
        }
        Part::Shape => Component::Shape(of.shape?),
        Part::Motion => Component::Motion(of.motion?),
        Part::Spawner => Component::Spawner(of.spawner.clone()?),
        Part::Teleporter => Component::Teleporter(of.teleporter.clone()?),
        Part::Controlled => Component::Controlled(of.controlled?),
        Part::Sound => Component::Sound(of.sound?),
        Part::Camera => Component::Camera(of.camera?),
        Part::Sun => Component::Sun(of.sun?),
        Part::Sky => Component::Sky(of.sky?),
        Part::Load => Component::Load(of.load?),
    };
    let present: Option<Component> = ComponentKind::of(component.kind(), entity);
    (present.is_some() && present.as_ref() != Some(&component)).then_some(Edit::Set { id, component })
}

/// A pose as an author would write it; what differs by less than can be seen stays as it was written. The scale of a
/// dynamic body is that of Play.
fn written(pose: &Pose, before: &Transform, dynamic: bool) -> Transform {
    let was = before.pose();
    let mut transform = *before;
    if pose.position.distance(was.position) > 1e-5 {
        transform.position = pose.position;
    }
    if pose.rotation.dot(was.rotation).abs() < 1.0 - 1e-6 {
        transform.rotation_degrees = angles_near(pose.rotation, before.rotation_degrees);
    }
    if !dynamic && pose.scale.distance(was.scale) > 1e-5 {
        transform.scale = pose.scale;
    }
    transform
}
