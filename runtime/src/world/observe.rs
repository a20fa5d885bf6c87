//! What people look at in a running world: rows for a list, and one entity at length.

use super::components::{
    Apart, Bodied, ChildOf, Driven, Moving, Name, Placed, Role, Spawned, Spawning, Teleporting,
};
use super::{Row, World};
use crate::scene::{
    Body, Camera, Controlled, Crowd, EntityId, Load, Motion, Pose, Shape, ShapeKind, Sky, Sound, Spawner,
    Sun, Teleporter,
};
use crate::time::Rate;
use glam::{EulerRot, Quat, Vec3};
use std::fmt::Write;

/// What an entity is, most telling first: which icon it gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EntityKind {
    Camera,
    Sun,
    Sky,
    Spawner,
    Crowd,
    Teleporter,
    Controlled,
    Body,
    Mover,
    Shape,
    Sound,
    Load,
    #[default]
    Empty,
}

/// One line of the entity list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntityRow {
    pub id: EntityId,
    pub name: String,
    pub parent: Option<EntityId>,
    /// What it stands under in a list: as its author has it, also where it is in the world by itself.
    pub under: Option<EntityId>,
    pub kind: EntityKind,
    /// Made while running, by no author.
    pub spawned: bool,
}

/// One field of one component, ready to be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObservedField {
    /// The component.
    pub section: &'static str,
    pub field: &'static str,
    /// With its unit.
    pub value: String,
}

/// One entity of a running world, after the last tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntityObservation {
    pub id: EntityId,
    pub name: String,
    pub parent: Option<EntityId>,
    pub kind: EntityKind,
    pub spawned: bool,
    /// Relative to the parent; for a dynamic body and what has no parent, in world space.
    pub local: Pose,
    pub world: Pose,
    /// m/s and rad/s of a body.
    pub velocity: Option<(Vec3, Vec3)>,
    /// Section by section, in a fixed order.
    pub fields: Vec<ObservedField>,
    /// What of it can be changed by hand.
    pub parts: ObservedParts,
}

/// The parts of an entity that a person may change while it runs, as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObservedParts {
    /// m/s and rad/s; of a dynamic body alone.
    pub velocity: Option<(Vec3, Vec3)>,
    pub shape: Option<Shape>,
    /// Its velocities are those of Play.
    pub body: Option<Body>,
    pub spawner: Option<Spawner>,
    pub teleporter: Option<Teleporter>,
    pub motion: Option<Motion>,
    pub controlled: Option<Controlled>,
    pub sound: Option<Sound>,
    pub camera: Option<Camera>,
    pub sun: Option<Sun>,
    pub sky: Option<Sky>,
    pub load: Option<Load>,
}

impl World {
    /// Every entity in drawing order; the memory of `out` is used again.
    pub fn entity_rows(&self, out: &mut Vec<EntityRow>) {
        out.resize_with(self.rows.len(), EntityRow::default);
        for (row, line) in self.rows.iter().zip(out) {
            self.entity_row(row, line);
        }
    }

    /// Fills the line of one entity anew, in a list that [`World::entity_rows`] filled for this world; true where it
    /// says something else now.
    pub fn renew_row(&self, id: EntityId, lines: &mut [EntityRow]) -> bool {
        let Some(idx) = self.row_idx(id) else { return false };
        let (Some(row), Some(line)) = (self.rows.get(idx), lines.get_mut(idx)) else { return false };
        let before = std::mem::take(line);
        self.entity_row(row, line);
        *line != before
    }

    fn entity_row(&self, row: &Row, line: &mut EntityRow) {
        line.id = row.id;
        line.parent = self.rows.get(row.parent as usize).map(|parent| parent.id);
        line.under = line.parent.or_else(|| self.ecs.get::<&Apart>(row.entity).ok().map(|apart| apart.0));
        line.kind = self.kind_of(row);
        line.spawned = self.ecs.satisfies::<&Spawned>(row.entity);
        line.name.clear();
        if let Ok(name) = self.ecs.get::<&Name>(row.entity) {
            line.name.push_str(&name.0);
        }
    }

    fn row_idx(&self, id: EntityId) -> Option<usize> {
        self.ids.get(&id).map(|entity| self.row_of[entity.id() as usize] as usize)
    }

    /// One entity at length; the memory of `out` is used again. `false`: it is not there, and `out` is as it was.
    pub fn observe(&self, id: EntityId, out: &mut EntityObservation) -> bool {
        if !self.observe_parts(id, out) {
            return false;
        }
        let Some(entity) = self.ids.get(&id).and_then(|entity| self.ecs.entity(*entity).ok()) else {
            return false;
        };
        let mut lines = Lines { lines: &mut out.fields, used: 0 };
        lines.pose(if entity.has::<ChildOf>() { "Transform (local)" } else { "Transform" }, &out.local);
        if entity.has::<ChildOf>() {
            lines.pose("Transform (world)", &out.world);
        }
        self.describe(&entity, &mut lines);
        let used = lines.used;
        out.fields.truncate(used);
        true
    }

    /// The same without the fields, which take most of the time: what is compared with another entity.
    pub fn observe_parts(&self, id: EntityId, out: &mut EntityObservation) -> bool {
        let Some(row) = self.row_idx(id).and_then(|idx| self.rows.get(idx)) else { return false };
        let Ok(entity) = self.ecs.entity(row.entity) else { return false };
        out.id = id;
        out.parent = self.rows.get(row.parent as usize).map(|parent| parent.id);
        out.kind = self.kind_of(row);
        out.spawned = entity.has::<Spawned>();
        out.name.clear();
        if let Some(name) = entity.get::<&Name>() {
            out.name.push_str(&name.0);
        }
        out.local = entity.get::<&Placed>().map(|placed| placed.pose).unwrap_or_default();
        out.world = self.world_pose_of(row.entity);
        out.velocity = entity.get::<&Bodied>().and_then(|bodied| self.physics.velocity(bodied.id));
        let dynamic = entity.get::<&Bodied>().is_some_and(|bodied| bodied.role == Role::Dynamic);
        let parts = &mut out.parts;
        match (entity.get::<&Teleporting>(), &mut parts.teleporter) {
            (Some(teleporting), Some(old)) => {
                let Teleporter { every_ticks, poses } = &teleporting.0;
                old.every_ticks = *every_ticks;
                old.poses.clone_from(poses);
            }
            (teleporting, old) => *old = teleporting.map(|teleporting| teleporting.0.clone()),
        }
        *parts = ObservedParts {
            velocity: out.velocity.filter(|_| dynamic),
            body: entity.get::<&Bodied>().map(|bodied| bodied.body),
            spawner: entity.get::<&Spawning>().map(|spawning| spawning.spawner.clone()),
            teleporter: parts.teleporter.take(),
            shape: entity.get::<&Shape>().map(|shape| *shape),
            motion: entity.get::<&Moving>().map(|moving| moving.motion),
            controlled: entity.get::<&Driven>().map(|driven| driven.controlled),
            sound: entity.get::<&Sound>().map(|sound| *sound),
            camera: entity.get::<&Camera>().map(|camera| *camera),
            sun: entity.get::<&Sun>().map(|sun| *sun),
            sky: entity.get::<&Sky>().map(|sky| *sky),
            load: entity.get::<&Load>().map(|load| *load),
        };
        true
    }

    fn kind_of(&self, row: &Row) -> EntityKind {
        let Ok(entity) = self.ecs.entity(row.entity) else { return EntityKind::Empty };
        if entity.has::<Camera>() {
            EntityKind::Camera
        } else if entity.has::<Sun>() {
            EntityKind::Sun
        } else if entity.has::<Sky>() {
            EntityKind::Sky
        } else if entity.has::<Spawning>() {
            EntityKind::Spawner
        } else if entity.has::<Crowd>() {
            EntityKind::Crowd
        } else if entity.has::<Teleporting>() {
            EntityKind::Teleporter
        } else if entity.has::<Driven>() {
            EntityKind::Controlled
        } else if entity.has::<Bodied>() {
            EntityKind::Body
        } else if entity.has::<Moving>() {
            EntityKind::Mover
        } else if entity.has::<Shape>() {
            EntityKind::Shape
        } else if entity.has::<Sound>() {
            EntityKind::Sound
        } else if entity.has::<Load>() {
            EntityKind::Load
        } else {
            EntityKind::Empty
        }
    }

    fn describe(&self, entity: &hecs::EntityRef<'_>, lines: &mut Lines<'_>) {
        if let Some(shape) = entity.get::<&Shape>() {
            lines.shape(&shape);
        }
        if let Some(bodied) = entity.get::<&Bodied>() {
            let (linear, angular) = self.physics.velocity(bodied.id).unwrap_or_default();
            let asleep = self.physics.is_asleep(bodied.id);
            lines.put("Body", "kind", format_args!("{}", role_name(bodied.role)));
            lines.put("Body", "mass", format_args!("{} kg", bodied.body.mass));
            lines.put("Body", "friction", format_args!("{}", bodied.body.friction));
            lines.put("Body", "bounce", format_args!("{}", bodied.body.bounce));
            lines.vector("Body", "velocity", linear, "m/s");
            lines.vector("Body", "spin", angular, "rad/s");
            lines.put("Body", "asleep", format_args!("{}", if asleep { "yes" } else { "no" }));
        }
        if let Some(moving) = entity.get::<&Moving>() {
            lines.motion(&moving.motion);
        }
        if let Some(spawning) = entity.get::<&Spawning>() {
            let spawner = &spawning.spawner;
            lines.ticks("Spawner", "every", u64::from(spawner.every_ticks), self.tick_rate);
            match spawner.lifetime_ticks {
                0 => lines.put("Spawner", "lifetime", format_args!("for ever")),
                ticks => lines.ticks("Spawner", "lifetime", u64::from(ticks), self.tick_rate),
            }
            lines.put("Spawner", "alive", format_args!("{} of at most {}", spawning.alive, spawner.limit));
            lines.put("Spawner", "made", format_args!("{}", spawning.made));
            lines.put("Spawner", "spread", format_args!("{}°", spawner.spread_degrees));
        }
        if let Some(crowd) = entity.get::<&Crowd>() {
            lines.put("Crowd", "count", format_args!("{}", crowd.count));
            lines.put("Crowd", "spacing", format_args!("{} m", crowd.spacing));
            lines.put("Crowd", "apart", format_args!("up to {} s", crowd.apart_seconds));
        }
        if let Some(teleporting) = entity.get::<&Teleporting>() {
            let every = u64::from(teleporting.0.every_ticks.max(1));
            lines.ticks("Teleporter", "every", every, self.tick_rate);
            lines.put("Teleporter", "poses", format_args!("{}", teleporting.0.poses.len()));
            lines.put("Teleporter", "next", format_args!("tick {}", (self.tick.0 / every + 1) * every));
        }
        if let Some(driven) = entity.get::<&Driven>() {
            lines.put("Controlled", "speed", format_args!("{} m/s", driven.controlled.speed));
            lines.put("Controlled", "jump", format_args!("{} m", driven.controlled.jump));
        }
        if let Some(sound) = entity.get::<&Sound>() {
            lines.put("Sound", "when", format_args!("{}", sound.when.name().to_lowercase()));
            lines.put("Sound", "wave", format_args!("{}", sound.wave.name().to_lowercase()));
            lines.put("Sound", "frequency", format_args!("{} Hz", sound.hertz));
            lines.put("Sound", "length", format_args!("{} s", sound.seconds));
            lines.put("Sound", "volume", format_args!("{}", sound.volume));
            lines.put("Sound", "max distance", format_args!("{} m", sound.max_distance));
        }
        if let Some(camera) = entity.get::<&Camera>() {
            lines.put("Camera", "field of view", format_args!("{}°", camera.fov_degrees));
            lines.put("Camera", "near", format_args!("{} m", camera.near));
            lines.put("Camera", "far", format_args!("{} m", camera.far));
            if let Some(follow) = camera.follow {
                lines.put("Camera", "follows", format_args!("entity {}", follow.target.0));
                lines.vector("Camera", "offset", follow.offset, "m");
            }
        }
        if let Some(sun) = entity.get::<&Sun>() {
            lines.vector("Sun", "direction", sun.direction, "");
            lines.put("Sun", "strength", format_args!("{}", sun.strength));
        }
        if let Some(sky) = entity.get::<&Sky>() {
            lines.put("Sky", "ambient", format_args!("{}", sky.ambient));
        }
        if let Some(load) = entity.get::<&Load>() {
            lines.put("Load", "tick", format_args!("{} µs", load.tick.0 as f64 / 1000.0));
            lines.put("Load", "frame", format_args!("{} µs", load.frame.0 as f64 / 1000.0));
            lines.put("Load", "submit", format_args!("{} µs", load.submit.0 as f64 / 1000.0));
        }
        if let Some(dies) = entity.get::<&Spawned>().and_then(|spawned| spawned.dies) {
            lines.put("Spawned", "removed at", format_args!("tick {dies}"));
        }
    }
}

const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Dynamic => "dynamic",
        Role::Led => "kinematic",
        Role::Fixed => "fixed",
    }
}

/// Bytes that no value needs: three numbers of seven digits and as many decimals as are shown. A value that changes does
/// not allocate when it becomes longer than ever before.
const ROOM_FOR_VALUE: usize = 64;

/// Writes rows over the old ones, so that their text's memory is used again.
struct Lines<'a> {
    lines: &'a mut Vec<ObservedField>,
    used: usize,
}

impl Lines<'_> {
    fn put(&mut self, section: &'static str, field: &'static str, value: std::fmt::Arguments<'_>) {
        if self.used == self.lines.len() {
            let value = String::with_capacity(ROOM_FOR_VALUE);
            self.lines.push(ObservedField { value, ..ObservedField::default() });
        }
        let line = &mut self.lines[self.used];
        self.used += 1;
        (line.section, line.field) = (section, field);
        line.value.clear();
        // Writing into a String does not fail.
        let _ = line.value.write_fmt(value);
    }

    fn ticks(&mut self, section: &'static str, field: &'static str, ticks: u64, rate: Rate) {
        let seconds = ticks as f64 * rate.period_secs_f64();
        let plural = if ticks == 1 { "" } else { "s" };
        self.put(section, field, format_args!("{ticks} tick{plural} ({seconds:.3} s)"));
    }

    fn vector(&mut self, section: &'static str, field: &'static str, value: Vec3, unit: &str) {
        let space = if unit.is_empty() { "" } else { " " };
        let value = without_minus_zero(value, 0.0005);
        self.put(section, field, format_args!("{:.3}, {:.3}, {:.3}{space}{unit}", value.x, value.y, value.z));
    }

    fn pose(&mut self, section: &'static str, pose: &Pose) {
        self.vector(section, "position", pose.position, "m");
        let degrees = without_minus_zero(euler_degrees(pose.rotation), 0.005);
        self.put(
            section,
            "rotation",
            format_args!("{:.2}°, {:.2}°, {:.2}°", degrees.x, degrees.y, degrees.z),
        );
        self.vector(section, "scale", pose.scale, "");
    }

    fn shape(&mut self, shape: &Shape) {
        let color = shape.color;
        match shape.kind {
            ShapeKind::Cube { size } => {
                self.put("Shape", "kind", format_args!("cube"));
                self.vector("Shape", "size", size, "m");
            }
            ShapeKind::Sphere { radius } => {
                self.put("Shape", "kind", format_args!("sphere"));
                self.put("Shape", "radius", format_args!("{radius} m"));
            }
            ShapeKind::Capsule { radius, half_height } => {
                self.put("Shape", "kind", format_args!("capsule"));
                self.put("Shape", "radius", format_args!("{radius} m"));
                self.put("Shape", "half height", format_args!("{half_height} m"));
            }
            ShapeKind::Cylinder { radius, half_height } => {
                self.put("Shape", "kind", format_args!("cylinder"));
                self.put("Shape", "radius", format_args!("{radius} m"));
                self.put("Shape", "half height", format_args!("{half_height} m"));
            }
            ShapeKind::Plane { width, depth } => {
                self.put("Shape", "kind", format_args!("plane"));
                self.put("Shape", "width", format_args!("{width} m"));
                self.put("Shape", "depth", format_args!("{depth} m"));
            }
        }
        self.put("Shape", "color", format_args!("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue));
    }

    fn motion(&mut self, motion: &Motion) {
        match motion {
            Motion::Steady { velocity } => {
                self.put("Motion", "kind", format_args!("steady"));
                self.vector("Motion", "velocity", *velocity, "m/s");
            }
            Motion::Spin { axis, degrees_per_second } => {
                self.put("Motion", "kind", format_args!("spin"));
                self.vector("Motion", "axis", *axis, "");
                self.put("Motion", "speed", format_args!("{degrees_per_second}°/s"));
            }
            Motion::Orbit { center, axis, degrees_per_second } => {
                self.put("Motion", "kind", format_args!("orbit"));
                self.vector("Motion", "center", *center, "m");
                self.vector("Motion", "axis", *axis, "");
                self.put("Motion", "speed", format_args!("{degrees_per_second}°/s"));
            }
            Motion::Oscillate { amplitude, period, phase } => {
                self.put("Motion", "kind", format_args!("oscillate"));
                self.vector("Motion", "amplitude", *amplitude, "m");
                self.put("Motion", "period", format_args!("{period} s"));
                self.put("Motion", "phase", format_args!("{phase} turns"));
            }
        }
    }
}

/// What would be written as −0.000 is 0: numbers nearer to it than half the last digit.
fn without_minus_zero(value: Vec3, half_digit: f32) -> Vec3 {
    Vec3::select(value.abs().cmplt(Vec3::splat(half_digit)), Vec3::ZERO, value)
}

fn euler_degrees(rotation: Quat) -> Vec3 {
    let (x, y, z) = rotation.to_euler(EulerRot::XYZ);
    Vec3::new(x.to_degrees(), y.to_degrees(), z.to_degrees())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_written_as_minus_zero_is_zero() {
        let tidy = without_minus_zero(Vec3::new(-0.0, -0.0004, -0.0006), 0.0005);
        assert_eq!(format!("{:.3} {:.3} {:.3}", tidy.x, tidy.y, tidy.z), "0.000 0.000 -0.001");
    }
}
