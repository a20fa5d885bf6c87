//! The parts that an entity may have, one at a time.

use framewalk_runtime::scene::{
    Body, Camera, Color, Controlled, Crowd, Entity, Load, Motion, Shape, ShapeKind, Sky, Sound, Spawner, Sun,
    Teleporter, Transform,
};
use framewalk_runtime::time::Nanos;
use glam::Vec3;

/// One component with its values.
#[derive(Clone, Debug, PartialEq)]
pub enum Component {
    Shape(Shape),
    Body(Body),
    Motion(Motion),
    Spawner(Spawner),
    Crowd(Crowd),
    Teleporter(Teleporter),
    Controlled(Controlled),
    Sound(Sound),
    Camera(Camera),
    Sun(Sun),
    Sky(Sky),
    Load(Load),
}

/// Which component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComponentKind {
    Shape,
    Body,
    Motion,
    Spawner,
    Crowd,
    Teleporter,
    Controlled,
    Sound,
    Camera,
    Sun,
    Sky,
    Load,
}

impl ComponentKind {
    pub const ALL: [Self; 12] = [
        Self::Shape,
        Self::Body,
        Self::Motion,
        Self::Spawner,
        Self::Crowd,
        Self::Teleporter,
        Self::Controlled,
        Self::Sound,
        Self::Camera,
        Self::Sun,
        Self::Sky,
        Self::Load,
    ];

    /// As it is written in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shape => "shape",
            Self::Body => "body",
            Self::Motion => "motion",
            Self::Spawner => "spawner",
            Self::Crowd => "crowd",
            Self::Teleporter => "teleporter",
            Self::Controlled => "controlled",
            Self::Sound => "sound",
            Self::Camera => "camera",
            Self::Sun => "sun",
            Self::Sky => "sky",
            Self::Load => "load",
        }
    }

    /// The component of this kind, where the entity has one.
    #[must_use]
    pub fn of(self, entity: &Entity) -> Option<Component> {
        match self {
            Self::Shape => entity.shape.map(Component::Shape),
            Self::Body => entity.body.map(Component::Body),
            Self::Motion => entity.motion.map(Component::Motion),
            Self::Spawner => entity.spawner.clone().map(Component::Spawner),
            Self::Crowd => entity.crowd.map(Component::Crowd),
            Self::Teleporter => entity.teleporter.clone().map(Component::Teleporter),
            Self::Controlled => entity.controlled.map(Component::Controlled),
            Self::Sound => entity.sound.map(Component::Sound),
            Self::Camera => entity.camera.map(Component::Camera),
            Self::Sun => entity.sun.map(Component::Sun),
            Self::Sky => entity.sky.map(Component::Sky),
            Self::Load => entity.load.map(Component::Load),
        }
    }

    /// Takes the component of this kind away, and returns it.
    pub fn take(self, entity: &mut Entity) -> Option<Component> {
        match self {
            Self::Shape => entity.shape.take().map(Component::Shape),
            Self::Body => entity.body.take().map(Component::Body),
            Self::Motion => entity.motion.take().map(Component::Motion),
            Self::Spawner => entity.spawner.take().map(Component::Spawner),
            Self::Crowd => entity.crowd.take().map(Component::Crowd),
            Self::Teleporter => entity.teleporter.take().map(Component::Teleporter),
            Self::Controlled => entity.controlled.take().map(Component::Controlled),
            Self::Sound => entity.sound.take().map(Component::Sound),
            Self::Camera => entity.camera.take().map(Component::Camera),
            Self::Sun => entity.sun.take().map(Component::Sun),
            Self::Sky => entity.sky.take().map(Component::Sky),
            Self::Load => entity.load.take().map(Component::Load),
        }
    }
}

impl Component {
    #[must_use]
    pub const fn kind(&self) -> ComponentKind {
        match self {
            Self::Shape(_) => ComponentKind::Shape,
            Self::Body(_) => ComponentKind::Body,
            Self::Motion(_) => ComponentKind::Motion,
            Self::Spawner(_) => ComponentKind::Spawner,
            Self::Crowd(_) => ComponentKind::Crowd,
            Self::Teleporter(_) => ComponentKind::Teleporter,
            Self::Controlled(_) => ComponentKind::Controlled,
            Self::Sound(_) => ComponentKind::Sound,
            Self::Camera(_) => ComponentKind::Camera,
            Self::Sun(_) => ComponentKind::Sun,
            Self::Sky(_) => ComponentKind::Sky,
            Self::Load(_) => ComponentKind::Load,
        }
    }

    /// Gives it to an entity, and returns the one of its kind that it takes the place of.
    pub fn put(self, entity: &mut Entity) -> Option<Self> {
        match self {
            Self::Shape(part) => entity.shape.replace(part).map(Self::Shape),
            Self::Body(part) => entity.body.replace(part).map(Self::Body),
            Self::Motion(part) => entity.motion.replace(part).map(Self::Motion),
            Self::Spawner(part) => entity.spawner.replace(part).map(Self::Spawner),
            Self::Crowd(part) => entity.crowd.replace(part).map(Self::Crowd),
            Self::Teleporter(part) => entity.teleporter.replace(part).map(Self::Teleporter),
            Self::Controlled(part) => entity.controlled.replace(part).map(Self::Controlled),
            Self::Sound(part) => entity.sound.replace(part).map(Self::Sound),
            Self::Camera(part) => entity.camera.replace(part).map(Self::Camera),
            Self::Sun(part) => entity.sun.replace(part).map(Self::Sun),
            Self::Sky(part) => entity.sky.replace(part).map(Self::Sky),
            Self::Load(part) => entity.load.replace(part).map(Self::Load),
        }
    }
}

/// A component as it is when it is added.
#[must_use]
pub fn usual(kind: ComponentKind) -> Component {
    let shape = Shape { kind: ShapeKind::Cube { size: Vec3::ONE }, color: Color::hex(0x0056_b4e9) };
    let ball = Shape { kind: ShapeKind::Sphere { radius: 0.25 }, ..shape };
    match kind {
        ComponentKind::Shape => Component::Shape(shape),
        ComponentKind::Body => Component::Body(Body::default()),
        ComponentKind::Motion => Component::Motion(Motion::Spin { axis: Vec3::Y, degrees_per_second: 90.0 }),
        ComponentKind::Spawner => Component::Spawner(Spawner {
            every_ticks: 30,
            lifetime_ticks: 240,
            limit: 8,
            shape: ball,
            body: Some(Body::default()),
            spread_degrees: 40.0,
        }),
        ComponentKind::Crowd => Component::Crowd(Crowd {
            count: 1_000,
            spacing: 2.0,
            shape,
            motion: Motion::Oscillate { amplitude: Vec3::X, period: 2.0, phase: 0.0 },
            apart_seconds: 2.0,
        }),
        ComponentKind::Teleporter => Component::Teleporter(Teleporter {
            every_ticks: 30,
            poses: vec![Transform::default(), Transform { position: Vec3::X * 2.0, ..Transform::default() }],
        }),
        ComponentKind::Controlled => Component::Controlled(Controlled { speed: 4.0, jump: 1.0 }),
        ComponentKind::Sound => Component::Sound(Sound::default()),
        ComponentKind::Camera => Component::Camera(Camera::default()),
        ComponentKind::Sun => Component::Sun(Sun::default()),
        ComponentKind::Sky => Component::Sky(Sky::default()),
        ComponentKind::Load => Component::Load(Load { tick: Nanos::from_micros(500), ..Load::default() }),
    }
}
