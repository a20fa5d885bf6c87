//! What a scene must be before it can be played: every rule, and the sentence for whoever broke it.

mod references;

use super::fault::Fault;
use super::{
    Body, BodyKind, Camera, Controlled, Entity, EntityId, Load, Motion, Scene, Shape, ShapeKind, Sky,
    Spawner, Sun, Teleporter, Transform,
};
use crate::time::Nanos;
use glam::Vec3;

/// Highest id an author may give: the runtime numbers what it spawns above it.
pub const MAX_ENTITY_ID: u64 = u32::MAX as u64;

/// Longest time a load may burn at once.
const MAX_LOAD: Nanos = Nanos::from_secs(10);

/// Everything that is wrong with the scene, in its order; empty where it can be played.
#[must_use]
pub fn check_scene(scene: &Scene) -> Vec<Fault> {
    check_found(scene).into_iter().map(|found| found.fault).collect()
}

/// What is allowed, but may surprise: which camera, sun and sky count where there are several.
#[must_use]
pub fn scene_notes(scene: &Scene) -> Vec<Fault> {
    let several = |what: &str, has: fn(&Entity) -> bool| {
        let mut owners = scene.entities.iter().filter(|entity| has(entity));
        let (first, others) = (owners.next()?, owners.count());
        let label = label(&first.name, first.id);
        let note =
            || Fault::new(format!("the scene has {} {what}; the first, of {label}, is used", others + 1));
        (others > 0).then(note)
    };
    let notes = [
        several("cameras", |entity| entity.camera.is_some()),
        several("suns", |entity| entity.sun.is_some()),
        several("skies", |entity| entity.sky.is_some()),
    ];
    notes.into_iter().flatten().collect()
}

/// A fault, and which entity's it is.
pub(super) struct Found {
    pub index: Option<usize>,
    pub fault: Fault,
}

/// How messages name an entity.
pub(super) fn label(name: &str, id: EntityId) -> String {
    if name.trim().is_empty() { format!("id {}", id.0) } else { format!("{name:?} (id {})", id.0) }
}

pub(super) fn check_found(scene: &Scene) -> Vec<Found> {
    let references = references::References::new(scene);
    let mut found = Vec::new();
    for (index, entity) in scene.entities.iter().enumerate() {
        let mut checker = Checker::new(index, entity);
        checker.entity(entity);
        for (field, message) in references.faults(index) {
            checker.refuse(field, message);
        }
        found.append(&mut checker.found);
    }
    found
}

/// What can be said of one entity without the others.
pub(super) fn check_entity(index: usize, entity: &Entity) -> Vec<Found> {
    let mut checker = Checker::new(index, entity);
    checker.entity(entity);
    checker.found
}

struct Checker {
    index: usize,
    owner: String,
    found: Vec<Found>,
}

impl Checker {
    fn new(index: usize, entity: &Entity) -> Self {
        Self { index, owner: label(&entity.name, entity.id), found: Vec::new() }
    }

    fn refuse(&mut self, field: &str, message: impl Into<String>) {
        let fault = Fault { entity: Some(self.owner.clone()), ..Fault::new(message).in_field(field) };
        self.found.push(Found { index: Some(self.index), fault });
    }

    fn entity(&mut self, entity: &Entity) {
        if entity.id.0 > MAX_ENTITY_ID {
            self.refuse(
                "id",
                format!("ids run from 0 to {MAX_ENTITY_ID}; above are those of spawned things"),
            );
        }
        if entity.name.trim().is_empty() {
            self.refuse("name", "the name is empty: give it one to be found by");
        }
        self.transform("transform", &entity.transform);
        entity.shape.iter().for_each(|shape| self.shape("shape", shape));
        entity.body.iter().for_each(|body| self.body("body", body));
        entity.motion.iter().for_each(|motion| self.motion(motion));
        entity.spawner.iter().for_each(|spawner| self.spawner(spawner));
        entity.teleporter.iter().for_each(|teleporter| self.teleporter(teleporter));
        entity.controlled.iter().for_each(|controlled| self.controlled(controlled));
        entity.camera.iter().for_each(|camera| self.camera(camera));
        entity.sun.iter().for_each(|sun| self.sun(sun));
        entity.sky.iter().for_each(|sky| self.sky(sky));
        entity.load.iter().for_each(|load| self.load(load));
        self.combination(entity);
    }

    /// Components that need, or exclude, each other.
    fn combination(&mut self, entity: &Entity) {
        let Some(body) = &entity.body else { return };
        if entity.shape.is_none() {
            self.refuse("body", "a body needs a shape, which is its outline: add `shape`");
        }
        let moved_by_physics = match body.kind {
            BodyKind::Dynamic => "physics moves a Dynamic body",
            BodyKind::Fixed => "a Fixed body stands still",
            BodyKind::Kinematic => return,
        };
        if entity.motion.is_some() {
            self.refuse(
                "motion",
                format!("{moved_by_physics}, so its motion cannot: make the body Kinematic, or remove one"),
            );
        }
    }

    fn transform(&mut self, field: &str, transform: &Transform) {
        self.finite_vector(&format!("{field}.position"), transform.position);
        self.finite_vector(&format!("{field}.rotation_degrees"), transform.rotation_degrees);
        let scale = &format!("{field}.scale");
        if self.finite_vector(scale, transform.scale) && transform.scale.min_element() <= 0.0 {
            let given = vector(transform.scale);
            self.refuse(scale, format!("a scale of {given} leaves nothing to see: each number is above 0"));
        }
    }

    fn shape(&mut self, field: &str, shape: &Shape) {
        let mut above_zero = |name: &str, size: f32| {
            self.above_zero(&format!("{field}.{name}"), "size", "m", size);
        };
        match shape.kind {
            ShapeKind::Cube { size } => {
                let field = format!("{field}.size");
                // The least of three passes over NaN, so finiteness comes first.
                if self.finite_vector(&field, size) {
                    self.above_zero(&field, "size", "m", size.min_element());
                }
            }
            ShapeKind::Sphere { radius } => above_zero("radius", radius),
            ShapeKind::Cylinder { radius, half_height } => {
                above_zero("radius", radius);
                above_zero("half_height", half_height);
            }
            ShapeKind::Capsule { radius, half_height } => {
                above_zero("radius", radius);
                self.not_negative(&format!("{field}.half_height"), half_height);
            }
            ShapeKind::Plane { width, depth } => {
                above_zero("width", width);
                above_zero("depth", depth);
            }
        }
    }

    fn body(&mut self, field: &str, body: &Body) {
        self.above_zero(&format!("{field}.mass"), "mass", "kg", body.mass);
        self.not_negative(&format!("{field}.friction"), body.friction);
        self.within(&format!("{field}.bounce"), body.bounce, 0.0, 1.0);
        self.finite_vector(&format!("{field}.velocity"), body.velocity);
        self.finite_vector(&format!("{field}.spin"), body.spin);
    }

    fn motion(&mut self, motion: &Motion) {
        match *motion {
            Motion::Steady { velocity } => {
                self.finite_vector("motion.velocity", velocity);
            }
            Motion::Spin { axis, degrees_per_second } => {
                self.direction("motion.axis", axis);
                self.rate("motion.degrees_per_second", degrees_per_second);
            }
            Motion::Orbit { center, axis, degrees_per_second } => {
                self.finite_vector("motion.center", center);
                self.direction("motion.axis", axis);
                self.rate("motion.degrees_per_second", degrees_per_second);
            }
            Motion::Oscillate { amplitude, period, phase } => {
                self.finite_vector("motion.amplitude", amplitude);
                self.above_zero("motion.period", "period", "s", period);
                self.finite("motion.phase", phase);
            }
        }
    }

    fn spawner(&mut self, spawner: &Spawner) {
        if spawner.every_ticks == 0 {
            self.refuse("spawner.every_ticks", "every 0 ticks is never: write 1 or more");
        }
        if spawner.limit == 0 {
            self.refuse("spawner.limit", "a limit of 0 spawns nothing: write 1 or more");
        }
        self.shape("spawner.shape", &spawner.shape);
        spawner.body.iter().for_each(|body| self.body("spawner.body", body));
        self.within("spawner.spread_degrees", spawner.spread_degrees, 0.0, 180.0);
    }

    fn teleporter(&mut self, teleporter: &Teleporter) {
        if teleporter.every_ticks == 0 {
            self.refuse("teleporter.every_ticks", "every 0 ticks is never: write 1 or more");
        }
        if teleporter.poses.is_empty() {
            self.refuse("teleporter.poses", "there is nowhere to go: list at least one pose");
        }
        for (number, pose) in teleporter.poses.iter().enumerate() {
            self.transform(&format!("teleporter.poses.{}", number + 1), pose);
        }
    }

    fn controlled(&mut self, controlled: &Controlled) {
        self.not_negative("controlled.speed", controlled.speed);
        self.not_negative("controlled.jump", controlled.jump);
    }

    fn camera(&mut self, camera: &Camera) {
        self.within("camera.fov_degrees", camera.fov_degrees, 1.0, 179.0);
        let near = self.above_zero("camera.near", "distance", "m", camera.near);
        if self.finite("camera.far", camera.far) && near && camera.near >= camera.far {
            let (near, far) = (camera.near, camera.far);
            self.refuse(
                "camera.near",
                format!("near ({near} m) is not below far ({far} m): nothing is between them"),
            );
        }
        if let Some(follow) = &camera.follow {
            self.direction("camera.follow.offset", follow.offset);
        }
    }

    fn sun(&mut self, sun: &Sun) {
        self.direction("sun.direction", sun.direction);
        self.not_negative("sun.strength", sun.strength);
    }

    fn sky(&mut self, sky: &Sky) {
        self.within("sky.ambient", sky.ambient, 0.0, 1.0);
    }

    fn load(&mut self, load: &Load) {
        for (field, time) in [
            ("load.tick_micros", load.tick),
            ("load.frame_micros", load.frame),
            ("load.submit_micros", load.submit),
        ] {
            if time < Nanos::ZERO || time > MAX_LOAD {
                let limit = MAX_LOAD.0 / 1000;
                self.refuse(field, format!("a load is a number of microseconds from 0 to {limit}"));
            }
        }
    }

    fn finite(&mut self, field: &str, value: f32) -> bool {
        if !value.is_finite() {
            self.refuse(field, format!("{value} is no number to calculate with: write a finite one"));
        }
        value.is_finite()
    }

    fn finite_vector(&mut self, field: &str, value: Vec3) -> bool {
        if !value.is_finite() {
            let given = vector(value);
            self.refuse(field, format!("{given} is nothing to calculate with: write three finite numbers"));
        }
        value.is_finite()
    }

    fn above_zero(&mut self, field: &str, what: &str, unit: &str, value: f32) -> bool {
        let fine = self.finite(field, value) && value > 0.0;
        if value.is_finite() && !fine {
            self.refuse(field, format!("a {what} of {value} {unit} cannot be: write a number above 0"));
        }
        fine
    }

    fn not_negative(&mut self, field: &str, value: f32) {
        if self.finite(field, value) && value < 0.0 {
            self.refuse(field, format!("{value} is negative: write 0 or more"));
        }
    }

    fn within(&mut self, field: &str, value: f32, least: f32, most: f32) {
        if self.finite(field, value) && !(least..=most).contains(&value) {
            self.refuse(field, format!("{value} is outside {least} to {most}"));
        }
    }

    fn rate(&mut self, field: &str, value: f32) {
        if self.finite(field, value) && value == 0.0 {
            self.refuse(field, "at a rate of 0 nothing turns: write another number, or remove the motion");
        }
    }

    fn direction(&mut self, field: &str, value: Vec3) {
        // Below this the length squared is no normal number, and normalising it gives NaN.
        const SHORTEST: f32 = 1e-6;
        if self.finite_vector(field, value) && value.abs().max_element() < SHORTEST {
            let given = vector(value);
            self.refuse(field, format!("{given} points nowhere: at least one number is not 0"));
        }
    }
}

fn vector(value: Vec3) -> String {
    format!("({}, {}, {})", value.x, value.y, value.z)
}

#[cfg(test)]
mod tests;
