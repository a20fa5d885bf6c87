//! The blend of eight poses at once: the same arithmetic as for one, a lane for each.
//!
//! The terms of the series wait for each other; two times four lanes fill the wait. The lanes are not glam's, which is
//! built here without vector instructions: so rapier asks for it, to be deterministic.

use super::{ANGLE_TERMS, SHORT_CHORD_SQUARED_F32, SINE_TERMS, blend_rotation, lerp};
use crate::scene::Pose;
use glam::Quat;
use std::ops::{Add, Mul, Sub};
use wide::f32x4;

/// From and to.
type Between<'a> = (&'a Pose, &'a Pose);

/// [`super::blend`] for eight, with alpha above 0 and below 1; `put` gets each with its number.
#[inline(always)]
pub(crate) fn blend_eight(between: &[Between<'_>; 8], alpha: f64, mut put: impl FnMut(usize, Pose)) {
    let rotations = blend_rotations(between, alpha as f32);
    for (lane, ((previous, current), rotation)) in between.iter().zip(rotations).enumerate() {
        let scale = if previous.scale == current.scale {
            current.scale
        } else {
            lerp(previous.scale, current.scale, alpha)
        };
        let position = lerp(previous.position, current.position, alpha);
        put(lane, Pose { position, rotation: Quat::from_array(rotation.to_array()), scale });
    }
}

#[inline(always)]
fn blend_rotations(between: &[Between<'_>; 8], alpha: f32) -> [f32x4; 8] {
    // Written out: the closure of an array's `map` is called, not inlined.
    let [a, b, c, d, e, f, g, h] = between;
    let from = Lanes::of([
        a.0.rotation.to_array().into(),
        b.0.rotation.to_array().into(),
        c.0.rotation.to_array().into(),
        d.0.rotation.to_array().into(),
        e.0.rotation.to_array().into(),
        f.0.rotation.to_array().into(),
        g.0.rotation.to_array().into(),
        h.0.rotation.to_array().into(),
    ]);
    let to = Lanes::of([
        a.1.rotation.to_array().into(),
        b.1.rotation.to_array().into(),
        c.1.rotation.to_array().into(),
        d.1.rotation.to_array().into(),
        e.1.rotation.to_array().into(),
        f.1.rotation.to_array().into(),
        g.1.rotation.to_array().into(),
        h.1.rotation.to_array().into(),
    ]);
    let to = to * from.dot(&to).sign();
    let chord = to - from;
    let chord_squared = chord.dot(&chord);
    // Long arcs are halved, each as often as it needs.
    if !chord_squared.is_below(SHORT_CHORD_SQUARED_F32) {
        return one_by_one(between, alpha);
    }
    let angle_squared = chord_squared * chord_squared.series(ANGLE_TERMS);
    let inverse_sine = chord_squared.series(INVERSE_SINE_TERMS);
    let weight = |share: f32| (angle_squared * (share * share)).series(SINE_TERMS) * share * inverse_sine;
    let blended = from * weight(1.0 - alpha) + to * weight(alpha);
    // Between unit quaternions it is as good as one; one step of Newton's for the inverse root makes it so.
    let excess = blended.dot(&blended) + Eight::splat(-1.0);
    if !(excess * excess).is_below(1e-8) {
        return one_by_one(between, alpha);
    }
    let blended = blended * (excess * -0.5 + Eight::splat(1.0));
    // What does not turn stays what it is, to the bit.
    blended.or_where_none(&to, &chord_squared).rows()
}

/// `θ ÷ sin θ` from `c² = 4 sin²(θ/2)`: `Σ n!² c²ⁿ ÷ (2n + 1)!`, good to 1e-8 below the longest short chord.
const INVERSE_SINE_TERMS: [f32; 6] = [1.0, 1.0 / 6.0, 1.0 / 30.0, 1.0 / 140.0, 1.0 / 630.0, 1.0 / 2772.0];

#[cold]
fn one_by_one(between: &[Between<'_>; 8], alpha: f32) -> [f32x4; 8] {
    between.map(|(previous, current)| {
        let (previous, current) = (previous.rotation, current.rotation);
        let blended = if previous == current { current } else { blend_rotation(previous, current, alpha) };
        f32x4::new(blended.to_array())
    })
}

/// One number of each of eight.
#[derive(Clone, Copy)]
struct Eight(f32x4, f32x4);

impl Eight {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(f32x4::splat(value), f32x4::splat(value))
    }

    /// −1 where it is negative, else 1.
    #[inline(always)]
    fn sign(self) -> Self {
        let sign = |of: f32x4| of.simd_lt(f32x4::ZERO).select(-f32x4::ONE, f32x4::ONE);
        Self(sign(self.0), sign(self.1))
    }

    /// All eight are; false for what is no number.
    #[inline(always)]
    fn is_below(self, limit: f32) -> bool {
        let limit = f32x4::splat(limit);
        (self.0.simd_lt(limit) & self.1.simd_lt(limit)).all()
    }

    /// `Σ termsₙ selfⁿ`.
    #[inline(always)]
    fn series<const N: usize>(self, terms: [f32; N]) -> Self {
        let (last, others) = terms.split_last().expect("a series has terms");
        others.iter().rev().fold(Self::splat(*last), |sum, term| sum * self + Self::splat(*term))
    }
}

impl Add for Eight {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for Eight {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }
}

impl Mul for Eight {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0, self.1 * other.1)
    }
}

impl Mul<f32> for Eight {
    type Output = Self;

    #[inline(always)]
    fn mul(self, by: f32) -> Self {
        self * Self::splat(by)
    }
}

/// Eight quaternions: the x of all of them, then their y, z and w.
#[derive(Clone, Copy)]
struct Lanes([Eight; 4]);

impl Lanes {
    #[inline(always)]
    fn of([a, b, c, d, e, f, g, h]: [f32x4; 8]) -> Self {
        let (front, back) = (f32x4::transpose([a, b, c, d]), f32x4::transpose([e, f, g, h]));
        Self([
            Eight(front[0], back[0]),
            Eight(front[1], back[1]),
            Eight(front[2], back[2]),
            Eight(front[3], back[3]),
        ])
    }

    #[inline(always)]
    fn rows(self) -> [f32x4; 8] {
        let [x, y, z, w] = self.0;
        let [a, b, c, d] = f32x4::transpose([x.0, y.0, z.0, w.0]);
        let [e, f, g, h] = f32x4::transpose([x.1, y.1, z.1, w.1]);
        [a, b, c, d, e, f, g, h]
    }

    /// In the order in which glam sums the parts of one.
    #[inline(always)]
    fn dot(&self, other: &Self) -> Eight {
        let ([x, y, z, w], [ox, oy, oz, ow]) = (self.0, other.0);
        (x * ox + z * oz) + (y * oy + w * ow)
    }

    /// The other's where `number` is 0.
    #[inline(always)]
    fn or_where_none(&self, other: &Self, number: &Eight) -> Self {
        let (front, back) = (number.0.simd_eq(f32x4::ZERO), number.1.simd_eq(f32x4::ZERO));
        let part =
            |own: Eight, other: Eight| Eight(front.select(other.0, own.0), back.select(other.1, own.1));
        let ([x, y, z, w], [ox, oy, oz, ow]) = (self.0, other.0);
        Self([part(x, ox), part(y, oy), part(z, oz), part(w, ow)])
    }
}

impl Add for Lanes {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([x, y, z, w], [ox, oy, oz, ow]) = (self.0, other.0);
        Self([x + ox, y + oy, z + oz, w + ow])
    }
}

impl Sub for Lanes {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([x, y, z, w], [ox, oy, oz, ow]) = (self.0, other.0);
        Self([x - ox, y - oy, z - oz, w - ow])
    }
}

impl Mul<Eight> for Lanes {
    type Output = Self;

    #[inline(always)]
    fn mul(self, by: Eight) -> Self {
        let [x, y, z, w] = self.0;
        Self([x * by, y * by, z * by, w * by])
    }
}
