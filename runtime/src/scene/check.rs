//! What a scene must be before it can be played: every rule, and the sentence for whoever broke it.

mod placing;
pub mod ranges;
mod references;
mod touched;

pub use touched::check_touched;

use super::fault::Fault;
use super::format::write::number;
use super::{
    Body, BodyKind, Camera, Controlled, Crowd, Entity, EntityId, Load, Motion, Scene, Shape, ShapeKind, Sky,
    Sound, Spawner, Sun, Teleporter, Transform,
};
use crate::time::Nanos;
use glam::Vec3;
use ranges::Range;

/// Highest id an author may give: the runtime numbers what it spawns above it.
pub const MAX_ENTITY_ID: u64 = u32::MAX as u64;

/// Everything that is wrong with the scene, in its order; empty where it can be played.
#[must_use]
pub fn check_scene(scene: &Scene) -> Vec<Fault> {
    check_found(scene).into_iter().map(|found| found.fault).collect()
}

/// A fault, and which entity's it is.
pub(crate) struct Found {
    pub index: usize,
    pub fault: Fault,
}

/// How messages name an entity.
pub(super) fn label(name: &str, id: EntityId) -> String {
    if name.trim().is_empty() { format!("id {}", id.0) } else { format!("{name:?} (id {})", id.0) }
}

pub(super) fn check_found(scene: &Scene) -> Vec<Found> {
    let references = references::References::new(scene);
    let placing = references.placing();
    let mut found = Vec::new();
    for (index, entity) in scene.entities.iter().enumerate() {
        let mut checker = Checker::new(index, entity);
        checker.entity(entity);
        for (field, message) in references.faults(index) {
            checker.refuse(field, message);
        }
        for (field, message) in placing.faults(index) {
            checker.refuse(field, message);
        }
        found.append(&mut checker.found);
    }
    found
}

/// What can be said of one entity without the others.
pub(crate) fn check_entity(index: usize, entity: &Entity) -> Vec<Found> {
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
        self.found.push(Found { index: self.index, fault });
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
        entity.motion.iter().for_each(|motion| self.motion("motion", motion));
        entity.spawner.iter().for_each(|spawner| self.spawner(spawner));
        entity.crowd.iter().for_each(|crowd| self.crowd(crowd));
        entity.teleporter.iter().for_each(|teleporter| self.teleporter(teleporter));
        entity.controlled.iter().for_each(|controlled| self.controlled(controlled));
        entity.sound.iter().for_each(|sound| self.sound(sound));
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
        self.vector(&format!("{field}.position"), transform.position, ranges::POSITION);
        self.vector(&format!("{field}.rotation_degrees"), transform.rotation_degrees, ranges::ANGLE);
        let scale = &format!("{field}.scale");
        if transform.scale.is_finite() && transform.scale.min_element() <= 0.0 {
            let given = vector(transform.scale);
            self.refuse(scale, format!("a scale of {given} leaves nothing to see: each number is above 0"));
        } else {
            self.vector(scale, transform.scale, ranges::SCALE);
        }
    }

    fn shape(&mut self, field: &str, shape: &Shape) {
        let mut length = |name: &str, size: f32| {
            self.above_zero(&format!("{field}.{name}"), "size", size, ranges::SIZE);
        };
        match shape.kind {
            ShapeKind::Cube { size } => {
                let field = format!("{field}.size");
                // The least of three passes over NaN, so finiteness comes first.
                if size.is_finite() && size.min_element() <= 0.0 {
                    self.above_zero(&field, "size", size.min_element(), ranges::SIZE);
                } else {
                    self.vector(&field, size, ranges::SIZE);
                }
            }
            ShapeKind::Sphere { radius } => length("radius", radius),
            ShapeKind::Cylinder { radius, half_height } => {
                length("radius", radius);
                length("half_height", half_height);
            }
            ShapeKind::Capsule { radius, half_height } => {
                length("radius", radius);
                let flat = Range { least: 0.0, ..ranges::SIZE };
                self.not_negative(&format!("{field}.half_height"), half_height, flat);
            }
            ShapeKind::Plane { width, depth } => {
                length("width", width);
                length("depth", depth);
            }
        }
    }

    fn body(&mut self, field: &str, body: &Body) {
        self.above_zero(&format!("{field}.mass"), "mass", body.mass, ranges::MASS);
        self.not_negative(&format!("{field}.friction"), body.friction, ranges::FRICTION);
        self.number(&format!("{field}.bounce"), body.bounce, ranges::BOUNCE);
        self.vector(&format!("{field}.velocity"), body.velocity, ranges::VELOCITY);
        self.vector(&format!("{field}.spin"), body.spin, ranges::SPIN);
    }

    fn motion(&mut self, field: &str, motion: &Motion) {
        let of = |name: &str| format!("{field}.{name}");
        match *motion {
            Motion::Steady { velocity } => {
                self.vector(&of("velocity"), velocity, ranges::VELOCITY);
            }
            Motion::Spin { axis, degrees_per_second } => {
                self.direction(&of("axis"), axis);
                self.turning(&of("degrees_per_second"), degrees_per_second);
            }
            Motion::Orbit { center, axis, degrees_per_second } => {
                self.vector(&of("center"), center, ranges::POSITION);
                self.direction(&of("axis"), axis);
                self.turning(&of("degrees_per_second"), degrees_per_second);
            }
            Motion::Oscillate { amplitude, period, phase } => {
                self.vector(&of("amplitude"), amplitude, ranges::POSITION);
                self.above_zero(&of("period"), "period", period, ranges::PERIOD);
                self.number(&of("phase"), phase, ranges::PHASE);
            }
        }
    }

    fn spawner(&mut self, spawner: &Spawner) {
        if spawner.every_ticks == 0 {
            self.refuse("spawner.every_ticks", "every 0 ticks is never: write 1 or more");
        }
        match spawner.limit {
            0 => self.refuse("spawner.limit", "a limit of 0 spawns nothing: write 1 or more"),
            limit if limit > ranges::MOST_SPAWNED => self.refuse(
                "spawner.limit",
                format!("{limit} alive at once is outside 1 to {}", ranges::MOST_SPAWNED),
            ),
            _ => {}
        }
        self.shape("spawner.shape", &spawner.shape);
        spawner.body.iter().for_each(|body| self.body("spawner.body", body));
        self.number("spawner.spread_degrees", spawner.spread_degrees, ranges::SPREAD);
    }

    fn crowd(&mut self, crowd: &Crowd) {
        match crowd.count {
            0 => self.refuse("crowd.count", "a crowd of 0 is nobody: write 1 or more"),
            count if count > ranges::MOST_IN_CROWD => self.refuse(
                "crowd.count",
                format!("a crowd of {count} is outside 1 to {}", ranges::MOST_IN_CROWD),
            ),
            _ => {}
        }
        self.above_zero("crowd.spacing", "distance", crowd.spacing, ranges::SPACING);
        self.shape("crowd.shape", &crowd.shape);
        self.motion("crowd.motion", &crowd.motion);
        self.not_negative("crowd.apart_seconds", crowd.apart_seconds, ranges::APART);
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
        self.not_negative("controlled.speed", controlled.speed, ranges::CONTROLLED_SPEED);
        self.not_negative("controlled.jump", controlled.jump, ranges::JUMP);
    }

    fn sound(&mut self, sound: &Sound) {
        self.number("sound.hertz", sound.hertz, ranges::HERTZ);
        self.number("sound.seconds", sound.seconds, ranges::SOUND_SECONDS);
        self.number("sound.volume", sound.volume, ranges::VOLUME);
        self.above_zero("sound.max_distance", "distance", sound.max_distance, ranges::MAX_DISTANCE);
    }

    fn camera(&mut self, camera: &Camera) {
        self.number("camera.fov_degrees", camera.fov_degrees, ranges::FIELD_OF_VIEW);
        let near = self.above_zero("camera.near", "distance", camera.near, ranges::NEAR);
        if self.number("camera.far", camera.far, ranges::FAR) && near && camera.near >= camera.far {
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
        self.not_negative("sun.strength", sun.strength, ranges::STRENGTH);
    }

    fn sky(&mut self, sky: &Sky) {
        self.number("sky.ambient", sky.ambient, ranges::AMBIENT);
    }

    fn load(&mut self, load: &Load) {
        for (field, time) in [
            ("load.tick_micros", load.tick),
            ("load.frame_micros", load.frame),
            ("load.submit_micros", load.submit),
        ] {
            if time < Nanos::ZERO || time > Load::LONGEST {
                let limit = Load::LONGEST.0 / 1000;
                self.refuse(field, format!("a load is a number of microseconds from 0 to {limit}"));
            }
        }
    }

    /// A number of this range; true when it is one.
    fn number(&mut self, field: &str, value: f32, range: Range) -> bool {
        if range.holds(value) {
            return true;
        }
        let message = match value.is_finite() {
            true => outside(&number(value), range),
            false => format!("{value} is no number to calculate with: write a finite one"),
        };
        self.refuse(field, message);
        false
    }

    /// Three numbers of this range; true when they are.
    fn vector(&mut self, field: &str, value: Vec3, range: Range) -> bool {
        if range.holds_all(value) {
            return true;
        }
        let given = vector(value);
        let message = match value.is_finite() {
            true => outside(&given, range),
            false => format!("{given} is nothing to calculate with: write three finite numbers"),
        };
        self.refuse(field, message);
        false
    }

    fn above_zero(&mut self, field: &str, what: &str, value: f32, range: Range) -> bool {
        if value <= 0.0 && value.is_finite() {
            let unit = range.unit;
            self.refuse(field, format!("a {what} of {value} {unit} cannot be: write a number above 0"));
            return false;
        }
        self.number(field, value, range)
    }

    fn not_negative(&mut self, field: &str, value: f32, range: Range) {
        if value < 0.0 && value.is_finite() {
            self.refuse(field, format!("{value} is negative: write 0 or more"));
        } else {
            self.number(field, value, range);
        }
    }

    fn turning(&mut self, field: &str, value: f32) {
        if value == 0.0 {
            self.refuse(field, "at a rate of 0 nothing turns: write another number, or remove the motion");
        } else {
            self.number(field, value, ranges::TURNING);
        }
    }

    fn direction(&mut self, field: &str, value: Vec3) {
        // Below this the length squared is no normal number, and normalising it gives NaN.
        const SHORTEST: f32 = 1e-6;
        if self.vector(field, value, ranges::DIRECTION) && value.abs().max_element() < SHORTEST {
            let given = vector(value);
            self.refuse(field, format!("{given} points nowhere: at least one number is not 0"));
        }
    }
}

/// The sentence for what is finite and still too much, or too little.
fn outside(given: &str, range: Range) -> String {
    format!("{} is outside {range}", range.with_unit(given))
}

fn vector(value: Vec3) -> String {
    let [x, y, z] = value.to_array().map(number);
    format!("({x}, {y}, {z})")
}

#[cfg(test)]
mod tests;
