//! What was changed by hand in the run that lives: it is coloured so, and can be kept.

use std::collections::HashSet;

use framewalk_runtime::scene::{EntityId, Pose, Transform};
use framewalk_runtime::world::{EntityObservation, HandEdit};

use super::EditorApp;
use crate::document::component::{Component, ComponentKind};
use crate::document::edit::Edit;
use crate::document::indexed::IndexedScene;
use crate::panels::properties::running::Part;
use crate::shell::status::Message;
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

    #[must_use]
    pub fn is_changed(&self, id: EntityId, part: Part) -> bool {
        self.changed.contains(&(id, part))
    }
}

impl EditorApp {
    /// Writes what the running world has now to the authored scene, as one step. The run goes on as it was.
    pub(crate) fn keep(&mut self, id: EntityId, part: Part) {
        let Some(workspace) = &mut self.workspace else { return };
        let watched = workspace.session.observation().and_then(|seen| seen.watched.as_ref());
        let Some(observed) = watched.filter(|watched| watched.id == id) else { return };
        let document = &workspace.scenes.front.document;
        let Some((entity, edit)) =
            document.indexed().entity(id).zip(kept(document.indexed(), observed, part))
        else {
            return;
        };
        let name = format!("Keep {} of {}", part.name(), entity.name);
        match workspace.scenes.front.document.apply(name.as_str(), edit, None) {
            Ok(reach) => {
                self.show_change(&reach);
                let text = "is kept in the authored scene; Undo takes it back after Stop.";
                self.say(Message::info(format!("The {} {text}", part.name())));
            }
            Err(problem) => self.say(Message::warning(format!("{name} was refused: {problem}"))),
        }
    }
}

/// The edit that gives an authored entity what a running one has; `None` where both are the same, or one has no such
/// part.
#[must_use]
pub fn kept(scene: &IndexedScene, observed: &EntityObservation, part: Part) -> Option<Edit> {
    let entity = scene.entity(observed.id)?;
    let (id, parts) = (entity.id, &observed.parts);
    let component = match part {
        Part::Transform => {
            let start = place::starts(scene, &[id]).into_iter().next()?;
            // A dynamic body runs in the world by itself, and is authored relative to what it hangs on.
            let hangs = observed.parent.is_some() || entity.parent.is_none();
            let local = if hangs { observed.local } else { start.above.child_of(&observed.world)? };
            let transform = written(&local, &entity.transform, parts.velocity.is_some());
            return (transform != entity.transform).then_some(Edit::Place { id, transform });
        }
        Part::Velocity => {
            let (velocity, spin) = parts.velocity?;
            Component::Body(framewalk_runtime::scene::Body { velocity, spin, ..entity.body? })
        }
        Part::Shape => Component::Shape(parts.shape?),
        Part::Motion => Component::Motion(parts.motion?),
        Part::Controlled => Component::Controlled(parts.controlled?),
        Part::Camera => Component::Camera(parts.camera?),
        Part::Sun => Component::Sun(parts.sun?),
        Part::Sky => Component::Sky(parts.sky?),
        Part::Load => Component::Load(parts.load?),
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
