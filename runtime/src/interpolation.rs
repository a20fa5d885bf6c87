//! Previous and current poses, rolled per tick, and the blend between them.
//!
//! The store belongs to the runtime: it is no component, in no file, no copy and no state hash.

mod eight;

pub(crate) use eight::blend_eight;

use crate::scene::{EntityId, Pose};
use crate::world::{BodyPace, World};
use glam::{Quat, Vec3, Vec4};

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
    // By row of the world at `mapped_revision`: its place in `entries`, or `NO_ENTRY`.
    entry_of_row: Vec<u32>,
    mapped_revision: Option<u64>,
    // Bodies, in the order of their entries, where physics moves them once in several ticks.
    slow: Vec<Slow>,
    pace: Option<BodyPace>,
}

/// A body between two of the steps that move it. Its entry holds the part of that way which the last tick is.
#[derive(Clone, Copy, Debug)]
struct Slow {
    serial: u64,
    entry: u32,
    cuts: u32,
    from: Pose,
    to: Pose,
}

const NO_ENTRY: u32 = u32::MAX;

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
        self.roll_slow();
    }

    /// Between ticks: what is new or was put somewhere on purpose since the last tick starts anew, the rest stays.
    pub fn settle(&mut self, world: &World) {
        self.walk(world, |entry, pose, cuts| {
            if entry.cuts != cuts {
                (entry.previous, entry.current, entry.cuts) = (pose, pose, cuts);
            }
        });
        for slow in &mut self.slow {
            slow.start_anew(&self.entries[slow.entry as usize]);
        }
    }

    /// After a walk that has set the entries of slow bodies as if they moved with every tick.
    fn roll_slow(&mut self) {
        let Some(pace) = self.pace else { return };
        for slow in &mut self.slow {
            let entry = &mut self.entries[slow.entry as usize];
            if !slow.start_anew(entry) && pace.since == 0 {
                (slow.from, slow.to) = (slow.to, entry.current);
            }
            // Along one straight line and one arc, so the blend between the two goes on at the same speed.
            entry.previous = blend(&slow.from, &slow.to, pace.share(0));
            entry.current = blend(&slow.from, &slow.to, pace.share(1));
        }
    }

    /// Calls `renew` for every entry with the world's pose and count of cuts, and adds entries for what is new.
    fn walk(&mut self, world: &World, renew: impl Fn(&mut Entry, Pose, u32)) {
        let pace = world.body_pace();
        let paced_anew = pace.map(|pace| pace.divisor) != self.pace.map(|pace| pace.divisor);
        self.pace = pace;
        if paced_anew || self.mapped_revision != Some(world.entities_revision()) {
            self.map_rows(world);
        }
        let (entries, entry_of_row) = (&mut self.entries, &self.entry_of_row);
        world.each_placed(|row, pose, cuts| {
            if let Some(entry) = entries.get_mut(entry_of_row[row as usize] as usize) {
                renew(entry, *pose, cuts);
            }
        });
        self.cuts = world.cuts();
    }

    /// Finds every row's entry anew, after rows or entries have changed.
    fn map_rows(&mut self, world: &World) {
        let (mut at, mut next_slow) = (0, 0);
        let were_slow = std::mem::take(&mut self.slow);
        self.entry_of_row.clear();
        for row in world.rows() {
            if !row.simulated {
                self.entry_of_row.push(NO_ENTRY);
                continue;
            }
            // Entries of what is gone stay until the next prune.
            while self.entries.get(at).is_some_and(|entry| entry.serial < row.serial) {
                at += 1;
            }
            if self.entries.get(at).is_none_or(|entry| entry.serial != row.serial) {
                // Serials only rise, so what is new comes after all that are here; only what a person set free to move
                // comes between them. No pose was ever cut so often, so it starts anew where it stands.
                let (previous, current) = (Pose::default(), Pose::default());
                let entry = Entry { serial: row.serial, id: row.id, cuts: u32::MAX, previous, current };
                self.entries.insert(at, entry);
            }
            self.entry_of_row.push(at as u32);
            if row.falls && self.pace.is_some() {
                while were_slow.get(next_slow).is_some_and(|slow| slow.serial < row.serial) {
                    next_slow += 1;
                }
                let known = were_slow.get(next_slow).filter(|slow| slow.serial == row.serial);
                let pose = self.entries[at].current;
                // No pose was ever cut so often, as above.
                let new = Slow { serial: row.serial, entry: 0, cuts: u32::MAX, from: pose, to: pose };
                self.slow.push(Slow { entry: at as u32, ..*known.unwrap_or(&new) });
            }
            at += 1;
        }
        self.mapped_revision = Some(world.entities_revision());
    }

    /// Removes entries of what is gone from the world; returns how many.
    pub fn prune(&mut self, world: &World) -> u32 {
        if self.pruned_revision == world.entities_revision() {
            return 0;
        }
        self.pruned_revision = world.entities_revision();
        self.mapped_revision = None;
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

impl Slow {
    /// What is new or was put somewhere stands there. True: it was.
    fn start_anew(&mut self, entry: &Entry) -> bool {
        let is_cut = self.cuts != entry.cuts;
        if is_cut {
            (self.from, self.to, self.cuts) = (entry.current, entry.current, entry.cuts);
        }
        is_cut
    }
}

/// The pose between two: position and scale straight, rotation the short way at constant angular speed.
///
/// `alpha` in [0, 1]: 0 is `previous`, 1 is `current`. Positions are computed in `f64` and rounded once, so that far
/// from the origin nothing shakes more than its own poses do. Rotations are computed in `f32`: within 2e-6 rad of
/// [`blend_rotation_f64`].
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
        blend_rotation(previous.rotation, current.rotation, alpha as f32)
    };
    let scale = if previous.scale == current.scale {
        current.scale
    } else {
        lerp(previous.scale, current.scale, alpha)
    };
    Pose { position: lerp(previous.position, current.position, alpha), rotation, scale }
}

fn lerp(previous: Vec3, current: Vec3, alpha: f64) -> Vec3 {
    let from = previous.as_dvec3();
    (from + (current.as_dvec3() - from) * alpha).as_vec3()
}

/// Slerp without a sine: the weights of a straight blend, corrected by series that are good for short arcs. A longer
/// arc is halved first: the middle of two unit quaternions is their sum at unit length, exactly.
fn blend_rotation(previous: Quat, current: Quat, alpha: f32) -> Quat {
    let (mut from, mut to, mut alpha) = (Vec4::from(previous), Vec4::from(current), alpha);
    if from.dot(to) < 0.0 {
        to = -to;
    }
    let mut chord_squared = (to - from).length_squared();
    // At most a right angle lies between the two, so this halves twice at most, once they are rotations.
    for _ in 0..2 {
        if chord_squared < SHORT_CHORD_SQUARED_F32 {
            break;
        }
        let middle = (from + to).normalize_or_zero();
        if alpha < 0.5 {
            (to, alpha) = (middle, alpha * 2.0);
        } else {
            (from, alpha) = (middle, alpha * 2.0 - 1.0);
        }
        chord_squared = (to - from).length_squared();
    }
    let angle_squared = chord_squared * series_f32(chord_squared, ANGLE_TERMS);
    let weight = |share: f32| share * series_f32(share * share * angle_squared, SINE_TERMS);
    let blended = from * weight(1.0 - alpha) + to * weight(alpha);
    // Slerp divides both weights by the sine of the whole angle; making the length one does that too. What cannot be
    // made one long was no rotation to begin with.
    Quat::from_vec4(blended.try_normalize().unwrap_or(Vec4::W))
}

/// A right angle halved twice is below this: `4 sin²(22.5° ÷ 2)` is 0.152.
const SHORT_CHORD_SQUARED_F32: f32 = 0.16;

/// `θ² ÷ c²` from `c² = 4 sin²(θ/2)`, and `sin x ÷ x` from `x²`: the first terms of the series that the `f64`
/// functions use, good to 1e-8 below the longest short chord.
const ANGLE_TERMS: [f32; 5] = [1.0, 1.0 / 12.0, 1.0 / 90.0, 1.0 / 560.0, 1.0 / 3150.0];
const SINE_TERMS: [f32; 4] = [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0];

fn series_f32<const N: usize>(x: f32, terms: [f32; N]) -> f32 {
    terms.iter().rev().fold(0.0, |sum, term| sum * x + term)
}

/// The straight blend of positions and scales that [`blend`] rounds.
#[must_use]
pub fn blend_vector_f64(previous: [f64; 3], current: [f64; 3], alpha: f64) -> [f64; 3] {
    std::array::from_fn(|axis| previous[axis] + (current[axis] - previous[axis]) * alpha)
}

/// The blend along the shortest arc that [`blend`] comes close to; quaternions as x, y, z, w.
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
