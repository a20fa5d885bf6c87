//! Previous and current poses, rolled per tick, and the blend between them.
//!
//! The store belongs to the runtime: it is no component, in no file, no copy and no state hash.

use crate::scene::{EntityId, Pose};
use crate::world::World;
use glam::{DVec3, Quat, Vec3};

/// The last two poses of every simulated entity.
///
/// In the space of [`World::local_pose`]: relative to the parent, for dynamic bodies in world space.
#[derive(Clone, Debug, Default)]
pub struct Interpolation {
    // By serial, rising, as the world's rows are: every walk over both is one pass, without a lookup.
    entries: Vec<Entry>,
    // The world's count of cuts at the last roll: while it stands, nothing was put anywhere by hand since.
    cuts: u64,
    pruned_revision: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub serial: u64,
    pub id: EntityId,
    pub cuts: u32,
    pub previous: Pose,
    pub current: Pose,
}

impl Interpolation {
    /// Every simulated entity as it stands: previous = current.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let mut store = Self { pruned_revision: world.entities_revision(), ..Self::default() };
        store.roll(world);
        store
    }

    /// After each tick: the current pose becomes the previous one, the world's the current one.
    ///
    /// What is new or was put somewhere on purpose starts anew: previous = current.
    pub fn roll(&mut self, world: &World) {
        self.walk(world, |entry, pose, cuts| {
            entry.previous = if entry.cuts == cuts { entry.current } else { pose };
            entry.current = pose;
            entry.cuts = cuts;
        });
    }

    /// Between ticks: what is new or was put somewhere on purpose since the last tick starts anew, the rest stays.
    pub fn settle(&mut self, world: &World) {
        self.walk(world, |entry, pose, cuts| {
            if entry.cuts != cuts {
                (entry.previous, entry.current, entry.cuts) = (pose, pose, cuts);
            }
        });
    }

    /// Calls `renew` for every entry with the world's pose and count of cuts, and adds entries for what is new.
    fn walk(&mut self, world: &World, renew: impl Fn(&mut Entry, Pose, u32)) {
        let placed = world.placed();
        let mut at = 0;
        for row in world.rows().iter().filter(|row| row.simulated) {
            let (pose, cuts) = placed.of(row);
            // Entries of what is gone stay until the next prune.
            while self.entries.get(at).is_some_and(|entry| entry.serial < row.serial) {
                at += 1;
            }
            match self.entries.get_mut(at) {
                Some(entry) => renew(entry, pose, cuts),
                // Serials only rise, so what has none here comes after all that have.
                None => self.entries.push(Entry {
                    serial: row.serial,
                    id: row.id,
                    cuts,
                    previous: pose,
                    current: pose,
                }),
            }
            at += 1;
        }
        self.cuts = world.cuts();
    }

    /// Removes entries of what is gone from the world; returns how many.
    pub fn prune(&mut self, world: &World) -> u32 {
        if self.pruned_revision == world.entities_revision() {
            return 0;
        }
        self.pruned_revision = world.entities_revision();
        let before = self.entries.len();
        let mut rows = world.rows().iter().filter(|row| row.simulated).peekable();
        self.entries.retain(|entry| {
            while rows.peek().is_some_and(|row| row.serial < entry.serial) {
                rows.next();
            }
            rows.peek().is_some_and(|row| row.serial == entry.serial)
        });
        (before - self.entries.len()) as u32
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The previous and the current pose; `None` for what is not simulated or not there.
    #[must_use]
    pub fn poses(&self, id: EntityId) -> Option<(Pose, Pose)> {
        self.entries.iter().find(|entry| entry.id == id).map(|entry| (entry.previous, entry.current))
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) const fn cuts(&self) -> u64 {
        self.cuts
    }
}

/// The pose between two: position and scale straight, rotation the short way at constant angular speed.
///
/// `alpha` in [0, 1]: 0 is `previous`, 1 is `current`. Computed in `f64`, rounded once.
#[must_use]
pub fn blend(previous: &Pose, current: &Pose, alpha: f64) -> Pose {
    if alpha <= 0.0 || previous == current {
        return *previous;
    }
    if alpha >= 1.0 {
        return *current;
    }
    let rotation = if previous.rotation == current.rotation {
        current.rotation
    } else {
        let [x, y, z, w] = blend_rotation_f64(
            previous.rotation.as_dquat().to_array(),
            current.rotation.as_dquat().to_array(),
            alpha,
        );
        Quat::from_xyzw(x as f32, y as f32, z as f32, w as f32)
    };
    Pose {
        position: lerp(previous.position, current.position, alpha),
        rotation,
        scale: lerp(previous.scale, current.scale, alpha),
    }
}

fn lerp(previous: Vec3, current: Vec3, alpha: f64) -> Vec3 {
    let from = previous.as_dvec3().to_array();
    DVec3::from_array(blend_vector_f64(from, current.as_dvec3().to_array(), alpha)).as_vec3()
}

/// The straight blend that [`blend`] uses for positions and scales.
#[must_use]
pub fn blend_vector_f64(previous: [f64; 3], current: [f64; 3], alpha: f64) -> [f64; 3] {
    std::array::from_fn(|axis| previous[axis] + (current[axis] - previous[axis]) * alpha)
}

/// The blend along the shortest arc that [`blend`] uses for rotations; quaternions as x, y, z, w.
///
/// The answer has unit length, and the angle to `previous` is `alpha` of the whole. A quaternion and its negative are
/// the same rotation and give the same answer. Two rotations half a turn apart have two short ways; one is taken.
#[must_use]
pub fn blend_rotation_f64(previous: [f64; 4], current: [f64; 4], alpha: f64) -> [f64; 4] {
    let sign = if dot(previous, current) < 0.0 { -1.0 } else { 1.0 };
    let current = current.map(|value| value * sign);
    // Now at most a right angle lies between the two (as vectors). Its chord is exact where the arc cosine of their
    // product would lose half its digits.
    let chord: [f64; 4] = std::array::from_fn(|part| current[part] - previous[part]);
    let chord_squared = dot(chord, chord);
    let (from_weight, to_weight) = if chord_squared < SHORT_CHORD_SQUARED {
        let angle_squared = angle_squared_of_chord(chord_squared);
        let weight = |share: f64| share * sine_over_angle(share * share * angle_squared);
        (weight(1.0 - alpha), weight(alpha))
    } else {
        let sum: [f64; 4] = std::array::from_fn(|part| current[part] + previous[part]);
        let angle = 2.0 * chord_squared.sqrt().atan2(dot(sum, sum).sqrt());
        (((1.0 - alpha) * angle).sin(), (alpha * angle).sin())
    };
    // Slerp divides both weights by the sine of the whole angle; making the length one does that too.
    let blended: [f64; 4] =
        std::array::from_fn(|part| previous[part] * from_weight + current[part] * to_weight);
    let length = dot(blended, blended).sqrt();
    // Only from what was no rotation to begin with.
    if !(length > 0.0 && length.is_finite()) {
        return [0.0, 0.0, 0.0, 1.0];
    }
    let inverse = 1.0 / length;
    blended.map(|value| value * inverse)
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}

/// Below this (37° of rotation) the series are good to 1e-11 and need no sine.
const SHORT_CHORD_SQUARED: f64 = 0.1;

/// `θ²` from `c² = 4 sin²(θ/2)`: `2 Σ c²ⁿ ÷ (n² (2n over n))`.
fn angle_squared_of_chord(c2: f64) -> f64 {
    const TERMS: [f64; 6] = [1.0, 1.0 / 12.0, 1.0 / 90.0, 1.0 / 560.0, 1.0 / 3150.0, 1.0 / 16632.0];
    c2 * series(c2, TERMS)
}

/// `sin x ÷ x` from `x²`.
fn sine_over_angle(x2: f64) -> f64 {
    const TERMS: [f64; 5] = [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0];
    series(x2, TERMS)
}

/// `Σ termsₙ xⁿ`.
fn series<const N: usize>(x: f64, terms: [f64; N]) -> f64 {
    terms.iter().rev().fold(0.0, |sum, term| sum * x + term)
}

#[cfg(test)]
mod tests;
