//! Parts of an entity of a run: what is changed and kept together, and its fields.

use framewalk_runtime::scene::{Body, Pose, Transform};
use framewalk_runtime::world::{EntityObservation, HandEdit, ObservedField};
use glam::{EulerRot, Quat, Vec3};

use super::fields::{self, Apply, Fields, Value, Values};
use crate::document::component::{Component, ComponentKind};

/// What is changed and kept together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Transform,
    /// Its kind, mass, friction and bounce.
    Body,
    /// Of a dynamic body.
    Velocity,
    Shape,
    Motion,
    Spawner,
    Teleporter,
    Controlled,
    Sound,
    Camera,
    Sun,
    Sky,
    Load,
}

impl Part {
    /// What an edit changes.
    #[must_use]
    pub const fn of(edit: &HandEdit) -> Self {
        match edit {
            HandEdit::Pose(_) | HandEdit::WorldPose(_) => Self::Transform,
            HandEdit::Velocity { .. } => Self::Velocity,
            HandEdit::Body(_) => Self::Body,
            HandEdit::Shape(_) => Self::Shape,
            HandEdit::Motion(_) => Self::Motion,
            HandEdit::Spawner(_) => Self::Spawner,
            HandEdit::Teleporter(_) => Self::Teleporter,
            HandEdit::Controlled(_) => Self::Controlled,
            HandEdit::Sound(_) => Self::Sound,
            HandEdit::Camera(_) => Self::Camera,
            HandEdit::Sun(_) => Self::Sun,
            HandEdit::Sky(_) => Self::Sky,
            HandEdit::Load(_) => Self::Load,
        }
    }

    /// In the middle of a sentence.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transform => "transform",
            Self::Body => "body",
            Self::Velocity => "velocity",
            Self::Shape => "shape",
            Self::Motion => "motion",
            Self::Spawner => "spawner",
            Self::Teleporter => "teleporter",
            Self::Controlled => "control",
            Self::Sound => "sound",
            Self::Camera => "camera",
            Self::Sun => "sun",
            Self::Sky => "sky",
            Self::Load => "load",
        }
    }

    /// The parts that a section of an observation is about; the first names it.
    #[must_use]
    pub fn of_section(section: &str) -> &'static [Self] {
        match section {
            "Transform" | "Transform (local)" => &[Self::Transform],
            "Body" => &[Self::Body, Self::Velocity],
            "Shape" => &[Self::Shape],
            "Motion" => &[Self::Motion],
            "Spawner" => &[Self::Spawner],
            "Teleporter" => &[Self::Teleporter],
            "Controlled" => &[Self::Controlled],
            "Sound" => &[Self::Sound],
            "Camera" => &[Self::Camera],
            "Sun" => &[Self::Sun],
            "Sky" => &[Self::Sky],
            "Load" => &[Self::Load],
            _ => &[],
        }
    }

    /// What no field shows, in a section that has fields.
    #[must_use]
    pub fn is_only_read(field: &ObservedField, of: &EntityObservation) -> bool {
        match (field.section, field.field) {
            ("Body", "asleep") | ("Spawner", "alive" | "made") | ("Teleporter", "next") => true,
            // Its size is that of Play.
            ("Transform" | "Transform (local)", "scale") => of.parts.velocity.is_some(),
            _ => false,
        }
    }

    const fn component(self) -> Option<ComponentKind> {
        Some(match self {
            Self::Transform | Self::Body | Self::Velocity => return None,
            Self::Shape => ComponentKind::Shape,
            Self::Motion => ComponentKind::Motion,
            Self::Spawner => ComponentKind::Spawner,
            Self::Teleporter => ComponentKind::Teleporter,
            Self::Controlled => ComponentKind::Controlled,
            Self::Sound => ComponentKind::Sound,
            Self::Camera => ComponentKind::Camera,
            Self::Sun => ComponentKind::Sun,
            Self::Sky => ComponentKind::Sky,
            Self::Load => ComponentKind::Load,
        })
    }

    /// What these changes of fields make of an entity that has the part; nothing where it is so already.
    #[must_use]
    pub fn edits(self, of: &EntityObservation, changes: &[(String, Value)]) -> Vec<HandEdit> {
        let Some(before) = Shown::of(self, of) else { return Vec::new() };
        let mut after = before.clone();
        after.list(&mut Apply(changes));
        match (before, after) {
            (before, after) if before == after => Vec::new(),
            (Shown::Transform(before, _), Shown::Transform(after, _)) => {
                let turned = before.rotation_degrees != after.rotation_degrees;
                let rotation = if turned { after.pose().rotation } else { of.local.rotation };
                vec![HandEdit::Pose(Pose { position: after.position, rotation, scale: after.scale })]
            }
            (Shown::Body(before, _), Shown::Body(after, _)) => {
                let velocities = |body: Body| (body.velocity, body.spin);
                let mut edits = Vec::new();
                let (velocity, spin) = velocities(before);
                if before != (Body { velocity, spin, ..after }) {
                    edits.push(HandEdit::Body(after));
                }
                if velocities(before) != velocities(after) {
                    edits.push(HandEdit::Velocity { linear: after.velocity, angular: after.spin });
                }
                edits
            }
            (_, Shown::Other(component)) => edit_to(component).into_iter().collect(),
            _ => Vec::new(),
        }
    }
}

fn edit_to(component: Component) -> Option<HandEdit> {
    Some(match component {
        // Its movers are there: another crowd is made by the next Play.
        Component::Body(_) | Component::Crowd(_) => return None,
        Component::Shape(part) => HandEdit::Shape(part),
        Component::Motion(part) => HandEdit::Motion(part),
        Component::Spawner(part) => HandEdit::Spawner(part),
        Component::Teleporter(part) => HandEdit::Teleporter(part),
        Component::Controlled(part) => HandEdit::Controlled(part),
        Component::Sound(part) => HandEdit::Sound(part),
        Component::Camera(part) => HandEdit::Camera(part),
        Component::Sun(part) => HandEdit::Sun(part),
        Component::Sky(part) => HandEdit::Sky(part),
        Component::Load(part) => HandEdit::Load(part),
    })
}

/// A part as its fields show it.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// And whether physics moves it.
    Transform(Transform, bool),
    /// With the velocities that it has now; and whether physics moves it.
    Body(Body, bool),
    Other(Component),
}

impl Shown {
    /// Of an entity of a run, where it has the part.
    #[must_use]
    pub fn of(part: Part, observed: &EntityObservation) -> Option<Self> {
        let parts = &observed.parts;
        let is_dynamic = parts.velocity.is_some();
        let Some(kind) = part.component() else {
            return match part {
                Part::Transform => Some(Self::Transform(transform(&observed.local), is_dynamic)),
                _ => {
                    let (velocity, spin) = parts.velocity.unwrap_or_default();
                    parts.body.map(|body| Self::Body(Body { velocity, spin, ..body }, is_dynamic))
                }
            };
        };
        component(kind, observed).map(Self::Other)
    }

    /// Does something with every field.
    pub fn list(&mut self, fields: &mut dyn Fields) {
        match self {
            Self::Transform(transform, is_dynamic) => {
                fields::running_transform(fields, transform, *is_dynamic);
            }
            Self::Body(body, is_dynamic) => fields::running_body(fields, body, *is_dynamic),
            Self::Other(component) => fields::component(fields, component),
        }
    }

    /// Every field's value.
    #[must_use]
    pub fn values(&mut self) -> Values {
        fields::gathered(|fields| self.list(fields))
    }
}

/// The component of this kind that an entity of a run has; of a body, with the velocities of Play.
#[must_use]
pub fn component(kind: ComponentKind, observed: &EntityObservation) -> Option<Component> {
    let parts = &observed.parts;
    match kind {
        ComponentKind::Shape => parts.shape.map(Component::Shape),
        ComponentKind::Body => parts.body.map(Component::Body),
        ComponentKind::Motion => parts.motion.map(Component::Motion),
        ComponentKind::Spawner => parts.spawner.clone().map(Component::Spawner),
        ComponentKind::Teleporter => parts.teleporter.clone().map(Component::Teleporter),
        ComponentKind::Controlled => parts.controlled.map(Component::Controlled),
        ComponentKind::Sound => parts.sound.map(Component::Sound),
        ComponentKind::Camera => parts.camera.map(Component::Camera),
        ComponentKind::Sun => parts.sun.map(Component::Sun),
        ComponentKind::Sky => parts.sky.map(Component::Sky),
        ComponentKind::Load => parts.load.map(Component::Load),
        ComponentKind::Crowd => None,
    }
}

/// A pose with its rotation in degrees.
fn transform(pose: &Pose) -> Transform {
    let (x, y, z) = Quat::to_euler(pose.rotation, EulerRot::XYZ);
    // Adding 0 turns −0 into 0.
    let rotation_degrees = Vec3::new(x, y, z).map(f32::to_degrees) + Vec3::ZERO;
    Transform { position: pose.position, rotation_degrees, scale: pose.scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use framewalk_runtime::scene::{BodyKind, Color, Shape, ShapeKind};
    use framewalk_runtime::world::ObservedParts;

    fn falling() -> EntityObservation {
        let shape = Shape { kind: ShapeKind::Sphere { radius: 0.5 }, color: Color::WHITE };
        let parts = ObservedParts {
            velocity: Some((Vec3::NEG_Y, Vec3::ZERO)),
            shape: Some(shape),
            body: Some(Body { velocity: Vec3::X, ..Body::default() }),
            ..ObservedParts::default()
        };
        EntityObservation { parts, ..EntityObservation::default() }
    }

    fn change(label: &str, value: Value) -> [(String, Value); 1] {
        [(label.to_owned(), value)]
    }

    #[test]
    fn each_change_belongs_to_the_part_whose_section_shows_it() {
        assert_eq!(Part::of(&HandEdit::WorldPose(Pose::default())), Part::Transform);
        assert_eq!(Part::of_section("Transform (local)"), [Part::Transform]);
        assert_eq!(Part::of_section("Body"), [Part::Body, Part::Velocity]);
        assert_eq!(Part::of_section("Spawner"), [Part::Spawner]);
        assert_eq!(Part::of_section("Transform (world)"), [], "only read");
    }

    #[test]
    fn another_mass_leaves_the_velocity_alone_and_another_velocity_the_mass() {
        let heavier = Part::Body.edits(&falling(), &change("Mass", Value::Number(3.0)));
        let [HandEdit::Body(body)] = &heavier[..] else { panic!("{heavier:?}") };
        assert_eq!((body.mass, body.kind), (3.0, BodyKind::Dynamic));
        let faster = Part::Body.edits(&falling(), &change("Velocity x", Value::Number(2.0)));
        let linear = Vec3::new(2.0, -1.0, 0.0);
        assert_eq!(faster, [HandEdit::Velocity { linear, angular: Vec3::ZERO }]);
        assert_eq!(Part::Body.edits(&falling(), &change("Mass", Value::Number(1.0))), [], "it is so already");
    }

    #[test]
    fn a_change_leaves_the_rest_of_each_entity_as_it_is() {
        let mut other = falling();
        other.local = Pose { rotation: Quat::from_rotation_y(0.3), ..Pose::default() };
        let edits = Part::Transform.edits(&other, &change("Position y", Value::Number(2.0)));
        let expected = Pose { position: Vec3::Y * 2.0, ..other.local };
        assert_eq!(edits, [HandEdit::Pose(expected)], "the rotation is the same to the bit");
        let edits = Part::Shape.edits(&other, &change("Radius", Value::Number(2.0)));
        let shape = Shape { kind: ShapeKind::Sphere { radius: 2.0 }, color: Color::WHITE };
        assert_eq!(edits, [HandEdit::Shape(shape)]);
    }

    #[test]
    fn the_size_of_what_physics_moves_is_only_read() {
        let scale = ObservedField { section: "Transform", field: "scale", value: String::new() };
        assert!(Part::is_only_read(&scale, &falling()));
        assert!(!Part::is_only_read(&scale, &EntityObservation::default()));
        let values = Shown::of(Part::Transform, &falling()).map(|mut shown| shown.values());
        assert!(!values.expect("it has a pose").contains_key("Scale x"));
    }
}
