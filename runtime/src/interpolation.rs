//! Previous and current poses, rolled per tick, and the blend between them.
//!
//! The store belongs to the runtime: it is no component, in no file, no copy and no state hash.

mod ahead;
mod lanes;
mod roster;
mod slow;
mod wide;

pub(crate) use ahead::{AHEAD, ask_beyond, ask_for, is_far};
pub(crate) use lanes::{LANES, PoseLanes, Poses, Row, ScaleLanes, WholeRow};
pub(crate) use roster::{LookLanes, Looks, Member, NO_PARENT, Roster};
pub(crate) use wide::{blend_lanes, blend_scales, copy_lanes};

use crate::frame::zones::zone;
use crate::jobs::Queue;
use crate::scene::{EntityId, Pose};
use crate::world::{JOB_ENTITIES, World};
use glam::{Quat, Vec3, Vec4};
use lanes::{PosesChunk, PosesPart};
use slow::SlowBodies;
use std::sync::Arc;

/// Blocks of poses to a job.
pub(crate) const PART_BLOCKS: usize = JOB_ENTITIES as usize / LANES;

/// The last two poses of every entity; of one that is not simulated, both are where it stands.
///
/// In the space of [`World::local_pose`]: relative to the parent, for dynamic bodies in world space.
#[derive(Clone, Debug, Default)]
pub struct Interpolation {
    // By row of the world, as it was at `mapped_revision`.
    roster: Arc<Roster>,
    previous: Poses,
    current: Poses,
    // Rising, as the world's rows are; with them what is gone is found, and what is new.
    serials: Vec<u64>,
    // How often each pose had been set on purpose at the last roll.
    cuts_of: Vec<u32>,
    // The world's count of cuts at the last roll: while it stands, nothing was put anywhere by hand since.
    cuts: u64,
    mapped_revision: Option<u64>,
    simulated: usize,
    gone: u32,
    // Where physics moves bodies once in several ticks, their poses here are the part of that way which the last tick is.
    slow: SlowBodies,
}

/// Whether a tick begins a motion to blend over or belongs to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Roll {
    Anew,
    Further,
}

/// Rows one after another, whole blocks of them.
struct Part<'a> {
    first: usize,
    previous: PosesPart<'a>,
    current: PosesPart<'a>,
    cuts_of: &'a mut [u32],
}

/// As [`Part`], as many rows as a sweep has entities in a job.
struct Chunk<'a> {
    first: usize,
    previous: PosesChunk<'a, PART_BLOCKS>,
    current: PosesChunk<'a, PART_BLOCKS>,
    cuts_of: &'a mut [u32; PART_BLOCKS * LANES],
}

impl Chunk<'_> {
    fn part(&mut self) -> Part<'_> {
        let (previous, current) = (self.previous.part(), self.current.part());
        Part { first: self.first, previous, current, cuts_of: self.cuts_of }
    }
}

impl<'a> Part<'a> {
    /// The parts of jobs, and what is left of them.
    fn in_chunks(self) -> (impl Iterator<Item = Chunk<'a>>, Self) {
        let (previous, last_previous) = self.previous.in_chunks();
        let (current, last_current) = self.current.in_chunks();
        let (cuts_of, last_cuts_of) = self.cuts_of.as_chunks_mut();
        let first = self.first + PART_BLOCKS * LANES * cuts_of.len();
        let firsts = (self.first..).step_by(PART_BLOCKS * LANES);
        let chunks = firsts.zip(previous.zip(current)).zip(cuts_of);
        let chunks =
            chunks.map(|((first, (previous, current)), cuts_of)| Chunk { first, previous, current, cuts_of });
        (chunks, Part { first, previous: last_previous, current: last_current, cuts_of: last_cuts_of })
    }

    const fn rows(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.cuts_of.len()
    }

    /// A tick has brought an entity here.
    #[inline]
    fn roll(&mut self, row: usize, pose: &Pose, cuts: u32) {
        let row = row - self.first;
        self.current.set(row, pose);
        if self.cuts_of[row] != cuts {
            self.previous.set(row, pose);
            self.cuts_of[row] = cuts;
        }
    }
}

impl Interpolation {
    /// Every entity as it stands: previous = current.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let mut store = Self::default();
        store.settle(world);
        store
    }

    /// After each tick: the current pose becomes the previous one, the world's the current one.
    ///
    /// What is new or was put somewhere on purpose starts anew: previous = current.
    pub fn roll(&mut self, world: &World) {
        self.roll_as(world, Roll::Anew);
    }

    /// After a further tick of the same motion: the previous pose stays, so that the blend goes over both ticks.
    pub fn roll_further(&mut self, world: &World) {
        self.roll_as(world, Roll::Further);
    }

    fn roll_as(&mut self, world: &World, roll: Roll) {
        self.map(world);
        if roll == Roll::Anew {
            std::mem::swap(&mut self.previous, &mut self.current);
        }
        let Self { previous, current, cuts_of, slow, .. } = self;
        let mut whole = Part {
            first: 0,
            previous: previous.whole(),
            current: current.whole(),
            cuts_of: cuts_of.as_mut_slice(),
        };
        match world.placed_rows() {
            Some((jobs, placed)) => {
                let (chunks, mut last) = whole.in_chunks();
                placed.each(last.rows(), |row, pose, cuts| last.roll(row, pose, cuts));
                jobs.each(Queue::Logic, chunks, |mut chunk| {
                    zone!("roll poses");
                    let mut part = chunk.part();
                    placed.each(part.rows(), |row, pose, cuts| part.roll(row, pose, cuts));
                });
            }
            None => world.each_placed(|row, pose, cuts| whole.roll(row as usize, pose, cuts)),
        }
        self.cuts = world.cuts();
        slow.roll(world.body_pace().now, roll, previous, current, cuts_of);
    }

    /// Between ticks: what is new or was put somewhere on purpose since the last tick starts anew, the rest stays.
    pub fn settle(&mut self, world: &World) {
        self.map(world);
        let Self { previous, current, cuts_of, .. } = self;
        world.each_placed(|row, pose, cuts| {
            let row = row as usize;
            if cuts_of[row] != cuts {
                previous.set(row, pose);
                current.set(row, pose);
                cuts_of[row] = cuts;
            }
        });
        self.cuts = world.cuts();
        self.slow.settle(&self.current, &self.cuts_of);
    }

    /// Finds everything its row where that has changed.
    fn map(&mut self, world: &World) {
        let is_new = self.mapped_revision.is_none();
        let rows_changed = self.mapped_revision != Some(world.rows_revision());
        if rows_changed {
            self.map_rows(world);
        }
        self.slow.map(world, (is_new, rows_changed), (&self.current, &self.cuts_of));
    }

    /// Finds everything its row anew, after rows have come, gone or become others. What is new has been cut more often
    /// than anything ever was, so the next walk over the poses starts it anew; and so does what is simulated no more.
    fn map_rows(&mut self, world: &World) {
        let rows = world.rows();
        let known = self.serials.len();
        if self.current.len() < rows.len() {
            self.previous.resize(rows.len());
            self.current.resize(rows.len());
        }
        let (mut at, mut kept) = (0, 0);
        for row in rows {
            while at < known && self.serials[at] < row.serial {
                self.gone += u32::from(self.roster.members()[at].simulated);
                at += 1;
            }
            if at < known {
                // Serials only rise, and rows keep their order: what is known moves up, and nothing new comes before.
                assert_eq!(self.serials[at], row.serial, "what is new stands behind all that is known");
                self.keep(at, kept);
                if self.roster.members()[at].simulated && !row.simulated {
                    self.gone += 1;
                    self.cuts_of[kept] = u32::MAX;
                }
                at += 1;
            } else {
                self.serials.truncate(kept);
                self.cuts_of.truncate(kept);
                self.serials.push(row.serial);
                self.cuts_of.push(u32::MAX);
            }
            kept += 1;
        }
        let left = self.roster.members().get(at..known).unwrap_or_default();
        self.gone += left.iter().filter(|member| member.simulated).count() as u32;
        self.serials.truncate(kept);
        self.cuts_of.truncate(kept);
        self.previous.resize(kept);
        self.current.resize(kept);
        self.simulated = rows.iter().filter(|row| row.simulated).count();
        let members = rows.iter().map(|row| Member {
            entity: row.id,
            parent: row.parent,
            simulated: row.simulated,
            look: row.look,
        });
        match Arc::get_mut(&mut self.roster) {
            // Nobody else looks at it.
            Some(roster) => roster.fill(members),
            None => self.roster = Arc::new(members.collect()),
        }
        self.mapped_revision = Some(world.rows_revision());
    }

    /// What was in row `from` is in row `to` now, at or before it.
    fn keep(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        for poses in [&mut self.previous, &mut self.current] {
            let pose = poses.get(from).expect("every row has a pose");
            poses.set(to, &pose);
        }
        self.serials[to] = self.serials[from];
        self.cuts_of[to] = self.cuts_of[from];
    }

    /// Lets go of what is gone from the world; returns how many simulated entities that were since the last time.
    pub fn prune(&mut self, world: &World) -> u32 {
        if self.mapped_revision != Some(world.rows_revision()) {
            self.settle(world);
        }
        std::mem::take(&mut self.gone)
    }

    /// How many simulated entities it has poses of.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.simulated
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.simulated == 0
    }

    /// The previous and the current pose; `None` for what is not simulated or not there.
    #[must_use]
    pub fn poses(&self, id: EntityId) -> Option<(Pose, Pose)> {
        let row = self.roster.position(id).filter(|row| self.roster.members()[*row].simulated)?;
        self.previous.get(row).zip(self.current.get(row))
    }

    /// Nothing came, went, changed its look or was put anywhere by hand since the last roll.
    pub(crate) fn is_up_to_date(&self, world: &World) -> bool {
        self.mapped_revision == Some(world.rows_revision()) && self.cuts == world.cuts()
    }

    pub(crate) const fn roster(&self) -> &Arc<Roster> {
        &self.roster
    }

    /// By row: at the tick before the last.
    pub(crate) const fn previous(&self) -> &Poses {
        &self.previous
    }

    /// By row: at the last tick.
    pub(crate) const fn current(&self) -> &Poses {
        &self.current
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
