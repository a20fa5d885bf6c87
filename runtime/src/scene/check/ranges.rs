//! How large and how small each number of a scene may be.
//!
//! Wide enough for any game, and narrow enough that nothing grows out of them in hours of play that an `f32` cannot
//! hold: physics multiplies lengths up to five times with each other. [`Range`]s are inclusive.

use crate::scene::format::write::number;
use glam::Vec3;
use std::fmt;

/// From where to where, and in what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    pub least: f32,
    pub most: f32,
    /// Empty for a plain number.
    pub unit: &'static str,
}

impl Range {
    const fn new(least: f32, most: f32, unit: &'static str) -> Self {
        Self { least, most, unit }
    }

    const fn either_way(most: f32, unit: &'static str) -> Self {
        Self::new(-most, most, unit)
    }

    #[must_use]
    pub fn holds(self, value: f32) -> bool {
        (self.least..=self.most).contains(&value)
    }

    #[must_use]
    pub fn holds_all(self, values: Vec3) -> bool {
        values.to_array().into_iter().all(|value| self.holds(value))
    }

    /// A number, or several, with the unit.
    #[must_use]
    pub fn with_unit(self, given: &str) -> String {
        format!("{given} {}", self.unit).trim_end().to_owned()
    }

    /// The nearest number in it; the least for NaN.
    #[must_use]
    pub const fn nearest(self, value: f32) -> f32 {
        self.least.max(value).min(self.most)
    }
}

/// `0.0001 to 1000000 m`.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", number(self.least), self.with_unit(&number(self.most)))
    }
}

/// Each coordinate of a position, in a parent and in the world, and of what is added to one.
pub const POSITION: Range = Range::either_way(10_000_000.0, "m");
/// Each of the three Euler angles.
pub const ANGLE: Range = Range::either_way(1_000_000.0, "degrees");
/// Each of the three factors, alone and with those of the parents.
pub const SCALE: Range = Range::new(0.000_001, 1_000_000.0, "");
/// Each length of a shape, as written and as scaled.
pub const SIZE: Range = Range::new(0.000_01, 1_000_000.0, "m");
pub const MASS: Range = Range::new(0.000_001, 1_000_000_000.0, "kg");
pub const FRICTION: Range = Range::new(0.0, 1_000.0, "");
pub const BOUNCE: Range = Range::new(0.0, 1.0, "");
/// Each part of a velocity. Escaping Earth takes 11,200.
pub const VELOCITY: Range = Range::either_way(100_000.0, "m/s");
/// Each part of a spin. The fastest turbines reach 30,000.
pub const SPIN: Range = Range::either_way(100_000.0, "rad/s");
pub const TURNING: Range = Range::either_way(10_000_000.0, "degrees/s");
pub const PERIOD: Range = Range::new(0.000_1, 1_000_000_000.0, "s");
pub const PHASE: Range = Range::either_way(1_000_000.0, "turns");
/// Each part of a direction, whose length does not matter.
pub const DIRECTION: Range = Range::either_way(1_000_000.0, "");
pub const SPREAD: Range = Range::new(0.0, 180.0, "degrees");
pub const CONTROLLED_SPEED: Range = Range::new(0.0, VELOCITY.most, VELOCITY.unit);
pub const JUMP: Range = Range::new(0.0, 1_000_000.0, "m");
pub const FIELD_OF_VIEW: Range = Range::new(1.0, 179.0, "degrees");
pub const NEAR: Range = Range::new(0.000_1, 1_000_000.0, "m");
pub const FAR: Range = Range::new(0.000_1, 1_000_000_000.0, "m");
pub const STRENGTH: Range = Range::new(0.0, 1_000_000.0, "");
pub const AMBIENT: Range = Range::new(0.0, 1.0, "");
/// What people hear.
pub const HERTZ: Range = Range::new(20.0, 20_000.0, "Hz");
/// Of a tone; 0 = as long as its entity is there.
pub const SOUND_SECONDS: Range = Range::new(0.0, 60.0, "s");
pub const VOLUME: Range = Range::new(0.0, 1.0, "");
pub const MAX_DISTANCE: Range = Range::new(0.01, 1_000_000.0, "m");
/// Between neighbours of a crowd.
pub const SPACING: Range = Range::new(0.000_01, 1_000_000.0, "m");
/// How far those of a crowd may be ahead of each other.
pub const APART: Range = Range::new(0.0, 1_000_000.0, "s");
/// Of one crowd.
pub const MOST_IN_CROWD: u32 = 1_000_000;
/// Copies of one spawner alive at once.
pub const MOST_SPAWNED: u32 = 1_000_000;
