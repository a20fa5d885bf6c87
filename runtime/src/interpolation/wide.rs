//! The blend of sixteen poses at once: the same arithmetic as for one, a lane for each.
//!
//! Each lane computes what it would on every machine, to the bit, however many lanes a register has: no two operations
//! are fused, and nothing is summed across lanes. The lanes are not glam's, which is built here without vector
//! instructions: so rapier asks for it, to be deterministic.

use super::lanes::{LANES, PoseLanes, Row, ScaleLanes};
use super::{ANGLE_TERMS, SHORT_CHORD_SQUARED_F32, SINE_TERMS, blend_rotation};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, f64x8, mask32x16};

// Everything that computes in lanes is inlined, and there are no closures in it: what is called instead is compiled for
// the narrowest registers there are.

/// [`super::blend`] for a block but for its scales, with alpha above 0 and below 1.
#[inline(always)]
pub(crate) fn blend_lanes<S: Simd>(
    simd: S,
    previous: &PoseLanes,
    current: &PoseLanes,
    alpha: f64,
    out: &mut PoseLanes,
) {
    blend_rotations(simd, previous, current, alpha as f32, &mut out.rotation);
    for axis in 0..3 {
        lerp(simd, &previous.position[axis], &current.position[axis], alpha)
            .store_array(&mut out.position[axis]);
    }
}

/// [`super::blend`] for the scales of a block.
#[inline(always)]
pub(crate) fn blend_scales<S: Simd>(
    simd: S,
    ScaleLanes(previous): &ScaleLanes,
    ScaleLanes(current): &ScaleLanes,
    alpha: f64,
    ScaleLanes(out): &mut ScaleLanes,
) {
    let same = is_same(simd, &previous[0], &current[0]) & is_same(simd, &previous[1], &current[1]);
    let same = same & is_same(simd, &previous[2], &current[2]);
    if same.all_true() {
        *out = *current;
        return;
    }
    for axis in 0..3 {
        let blended = lerp(simd, &previous[axis], &current[axis], alpha);
        same.select(load(simd, &current[axis]), blended).store_array(&mut out[axis]);
    }
}

/// What needs no blend, row by row, but for the scales.
#[inline(always)]
pub(crate) fn copy_lanes<S: Simd>(simd: S, from: &PoseLanes, to: &mut PoseLanes) {
    for axis in 0..3 {
        load(simd, &from.position[axis]).store_array(&mut to.position[axis]);
    }
    for part in 0..4 {
        load(simd, &from.rotation[part]).store_array(&mut to.rotation[part]);
    }
}

#[inline(always)]
fn load<S: Simd>(simd: S, row: &Row) -> f32x16<S> {
    f32x16::load_array_ref(simd, row)
}

#[inline(always)]
fn is_same<S: Simd>(simd: S, previous: &Row, current: &Row) -> mask32x16<S> {
    load(simd, previous).simd_eq(load(simd, current))
}

/// In `f64`, rounded once.
#[inline(always)]
fn lerp<S: Simd>(simd: S, previous: &Row, current: &Row, alpha: f64) -> f32x16<S> {
    let (from, to) = (load(simd, previous).widen(), load(simd, current).widen());
    let alpha = f64x8::splat(simd, alpha);
    let low = from.0 + (to.0 - from.0) * alpha;
    let high = from.1 + (to.1 - from.1) * alpha;
    low.narrow(high)
}

#[inline(always)]
fn blend_rotations<S: Simd>(
    simd: S,
    previous: &PoseLanes,
    current: &PoseLanes,
    alpha: f32,
    out: &mut [Row; 4],
) {
    let one = f32x16::splat(simd, 1.0);
    let from = Turns::load(simd, &previous.rotation);
    let to = Turns::load(simd, &current.rotation);
    let to = to.times(from.dot(&to).simd_lt(f32x16::splat(simd, 0.0)).select(-one, one));
    let chord = to.minus(&from);
    let chord_squared = chord.dot(&chord);
    let angle_squared = chord_squared * series(simd, chord_squared, ANGLE_TERMS);
    let inverse_sine = series(simd, chord_squared, INVERSE_SINE_TERMS);
    let from_weight = sine_of_share(simd, angle_squared, 1.0 - alpha) * inverse_sine;
    let to_weight = sine_of_share(simd, angle_squared, alpha) * inverse_sine;
    let blended = from.times(from_weight).plus(&to.times(to_weight));
    // Between unit quaternions it is as good as one; one step of Newton's for the inverse root makes it so.
    let excess = blended.dot(&blended) - one;
    let blended = blended.times(excess * f32x16::splat(simd, -0.5) + one);
    // What does not turn stays what it is, to the bit.
    let still = chord_squared.simd_eq(f32x16::splat(simd, 0.0));
    let [x, y, z, w] = out;
    still.select(to.x, blended.x).store_array(x);
    still.select(to.y, blended.y).store_array(y);
    still.select(to.z, blended.z).store_array(z);
    still.select(to.w, blended.w).store_array(w);
    // Long arcs are halved, each as often as it needs; and what is no rotation is made one.
    let is_short = chord_squared.simd_lt(f32x16::splat(simd, SHORT_CHORD_SQUARED_F32));
    let good = is_short & (excess * excess).simd_lt(f32x16::splat(simd, 1e-8));
    if !good.all_true() {
        one_by_one(previous, current, alpha, good.to_bitmask(), out);
    }
}

/// The sine of a share of the angle over the angle, by the square of the angle.
#[inline(always)]
fn sine_of_share<S: Simd>(simd: S, angle_squared: f32x16<S>, share: f32) -> f32x16<S> {
    let squared = angle_squared * f32x16::splat(simd, share * share);
    series(simd, squared, SINE_TERMS) * f32x16::splat(simd, share)
}

/// `θ ÷ sin θ` from `c² = 4 sin²(θ/2)`: `Σ n!² c²ⁿ ÷ (2n + 1)!`, good to 1e-8 below the longest short chord.
const INVERSE_SINE_TERMS: [f32; 6] = [1.0, 1.0 / 6.0, 1.0 / 30.0, 1.0 / 140.0, 1.0 / 630.0, 1.0 / 2772.0];

/// The lanes that are not `good`.
#[cold]
#[inline(never)]
fn one_by_one(previous: &PoseLanes, current: &PoseLanes, alpha: f32, good: u64, out: &mut [Row; 4]) {
    for lane in (0..LANES).filter(|lane| good & (1 << lane) == 0) {
        let (previous, current) = (previous.rotation(lane), current.rotation(lane));
        let blended = if previous == current { current } else { blend_rotation(previous, current, alpha) };
        for (row, number) in out.iter_mut().zip(blended.to_array()) {
            row[lane] = number;
        }
    }
}

/// Row quaternions.
#[derive(Clone, Copy)]
struct Turns<S: Simd> {
    x: f32x16<S>,
    y: f32x16<S>,
    z: f32x16<S>,
    w: f32x16<S>,
}

impl<S: Simd> Turns<S> {
    #[inline(always)]
    fn load(simd: S, [x, y, z, w]: &[Row; 4]) -> Self {
        Self { x: load(simd, x), y: load(simd, y), z: load(simd, z), w: load(simd, w) }
    }

    /// In the order in which glam sums the parts of one.
    #[inline(always)]
    fn dot(&self, other: &Self) -> f32x16<S> {
        (self.x * other.x + self.z * other.z) + (self.y * other.y + self.w * other.w)
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z, w: self.w + other.w }
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z, w: self.w - other.w }
    }

    #[inline(always)]
    fn times(&self, by: f32x16<S>) -> Self {
        Self { x: self.x * by, y: self.y * by, z: self.z * by, w: self.w * by }
    }
}

/// `Σ termsₙ xⁿ`.
#[inline(always)]
fn series<S: Simd, const N: usize>(simd: S, x: f32x16<S>, terms: [f32; N]) -> f32x16<S> {
    let mut sum = f32x16::splat(simd, terms[N - 1]);
    for idx in (0..N - 1).rev() {
        sum = sum * x + f32x16::splat(simd, terms[idx]);
    }
    sum
}
