//! Columns of numbers into the rows of instances, a block of them at once.
//!
//! Twelve columns of four bytes: what is portable takes them apart into fours. Where registers are longer, the
//! instructions for a whole one do the same to each four in it, and whole ones are written. Numbers are only moved, so all
//! of them write the same.

use super::instance::Instance;
use crate::interpolation::LANES;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4, f32x16, u32x4, u32x16};

/// The columns of [`Instance`], in its order.
#[inline(always)]
pub(super) fn write<S: Simd>(simd: S, columns: &[f32x16<S>; 12], out: &mut [Instance; LANES]) {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        if let Some(avx512) = simd.level().as_avx512() {
            write_sixteens(simd, avx512, columns, out);
            return;
        }
        if let Some(avx2) = simd.level().as_avx2() {
            write_eights(simd, avx2, columns, out);
            return;
        }
    }
    let _ = simd;
    for third in 0..3 {
        let [a, b] = [columns[third * 4].split(), columns[third * 4 + 1].split()];
        let [c, d] = [columns[third * 4 + 2].split(), columns[third * 4 + 3].split()];
        for (half, [a, b, c, d]) in [[a.0, b.0, c.0, d.0], [a.1, b.1, c.1, d.1]].into_iter().enumerate() {
            let (a, b, c, d) = (a.split(), b.split(), c.split(), d.split());
            write_fours(transposed([a.0, b.0, c.0, d.0]), out, half * 8, third);
            write_fours(transposed([a.1, b.1, c.1, d.1]), out, half * 8 + 4, third);
        }
    }
}

/// The instances of a block, each to be taken out alone: in thirds, of which all of a kind stand together.
///
/// They stand as the longest registers leave them, and none is taken out of two of them: what was just written is there at
/// once only where it was written as one.
#[repr(C, align(64))]
pub(super) struct Apart {
    thirds: [[[u32; 4]; LANES]; 3],
}

impl Default for Apart {
    fn default() -> Self {
        Self { thirds: [[[0; 4]; LANES]; 3] }
    }
}

impl Apart {
    /// Writes what [`write`] has for this lane.
    #[inline(always)]
    pub fn write_one(&self, lane: usize, out: &mut Instance) {
        let at = usize::from(PLACES[lane % LANES]) % LANES;
        out.words[0] = self.thirds[0][at];
        out.words[1] = self.thirds[1][at];
        out.words[2] = self.thirds[2][at];
    }
}

/// Where each lane stands in [`Apart`].
const PLACES: [u8; LANES] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];

/// As [`write`], but apart.
#[inline(always)]
pub(super) fn write_apart<S: Simd>(simd: S, columns: &[f32x16<S>; 12], out: &mut Apart) {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = *columns;
    let [first, second, third] = &mut out.thirds;
    write_third(simd, [a, b, c, d], first);
    write_third(simd, [e, f, g, h], second);
    write_third(simd, [i, j, k, l], third);
}

#[inline(always)]
fn write_third<S: Simd>(simd: S, [a, b, c, d]: [f32x16<S>; 4], out: &mut [[u32; 4]; LANES]) {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        let words = bytemuck::cast_slice_mut::<[u32; 4], u32>(out);
        if let Some(avx512) = simd.level().as_avx512() {
            let rows = x86::transposed_16(avx512, a.into(), b.into(), c.into(), d.into());
            let (words, _) = words.as_chunks_mut::<16>();
            for (row, out) in rows.into_iter().zip(words) {
                let row: u32x16<S> = f32x16::simd_from(simd, row).bitcast();
                row.store_array(out);
            }
            return;
        }
        if let Some(avx2) = simd.level().as_avx2() {
            use fearless_simd::{f32x8, u32x8};
            let (a, b, c, d) = (a.split(), b.split(), c.split(), d.split());
            let halves = [
                x86::transposed_8(avx2, a.0.into(), b.0.into(), c.0.into(), d.0.into()),
                x86::transposed_8(avx2, a.1.into(), b.1.into(), c.1.into(), d.1.into()),
            ];
            let (words, _) = words.as_chunks_mut::<8>();
            for (half, rows) in halves.into_iter().enumerate() {
                for (at, row) in rows.into_iter().enumerate() {
                    let row: u32x8<S> = f32x8::simd_from(simd, row).bitcast();
                    row.store_array(&mut words[at * 2 + half]);
                }
            }
            return;
        }
    }
    let _ = simd;
    let [a, b, c, d] = [a.split(), b.split(), c.split(), d.split()];
    for (half, [a, b, c, d]) in [[a.0, b.0, c.0, d.0], [a.1, b.1, c.1, d.1]].into_iter().enumerate() {
        let (a, b, c, d) = (a.split(), b.split(), c.split(), d.split());
        let fours = [transposed([a.0, b.0, c.0, d.0]), transposed([a.1, b.1, c.1, d.1])];
        for (four, rows) in fours.into_iter().enumerate() {
            for (lane, row) in rows.into_iter().enumerate() {
                let words: u32x4<S> = row.bitcast();
                words.store_array(&mut out[lane * 4 + half * 2 + four]);
            }
        }
    }
}

#[inline(always)]
fn write_fours<S: Simd>(rows: [f32x4<S>; 4], out: &mut [Instance; LANES], at: usize, third: usize) {
    for lane in 0..4 {
        let words: u32x4<S> = rows[lane].bitcast();
        words.store_array(&mut out[at + lane].words[third]);
    }
}

#[inline(always)]
fn transposed<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 4] {
    let (low, high) = (a.zip_low(c), a.zip_high(c));
    let (other_low, other_high) = (b.zip_low(d), b.zip_high(d));
    [low.zip_low(other_low), low.zip_high(other_low), high.zip_low(other_high), high.zip_high(other_high)]
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[inline(always)]
fn write_sixteens<S: Simd>(
    simd: S,
    avx512: fearless_simd::x86::Avx512,
    columns: &[f32x16<S>; 12],
    out: &mut [Instance; LANES],
) {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = columns;
    let first = x86::transposed_16(avx512, (*a).into(), (*b).into(), (*c).into(), (*d).into());
    let second = x86::transposed_16(avx512, (*e).into(), (*f).into(), (*g).into(), (*h).into());
    let third = x86::transposed_16(avx512, (*i).into(), (*j).into(), (*k).into(), (*l).into());
    // Four thirds of each of four instances, of which three registers hold what comes first, then and last.
    let begin = x86::quarters(avx512, first[0], second[0], third[0], first[1]);
    let middle = x86::quarters(avx512, second[1], third[1], first[2], second[2]);
    let end = x86::quarters(avx512, third[2], first[3], second[3], third[3]);
    let (words, _) = bytemuck::cast_slice_mut::<Instance, u32>(out).as_chunks_mut::<16>();
    for four in 0..4 {
        for (at, part) in [begin[four], middle[four], end[four]].into_iter().enumerate() {
            let part: u32x16<S> = f32x16::simd_from(simd, part).bitcast();
            part.store_array(&mut words[four * 3 + at]);
        }
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[inline(always)]
fn write_eights<S: Simd>(
    simd: S,
    avx2: fearless_simd::x86::Avx2,
    columns: &[f32x16<S>; 12],
    out: &mut [Instance; LANES],
) {
    use fearless_simd::{f32x8, u32x8};
    let [a, b, c, d, e, f, g, h, i, j, k, l] = columns;
    let [a, b, c, d] = [a.split(), b.split(), c.split(), d.split()];
    let [e, f, g, h] = [e.split(), f.split(), g.split(), h.split()];
    let [i, j, k, l] = [i.split(), j.split(), k.split(), l.split()];
    let halves = [
        [a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0, i.0, j.0, k.0, l.0],
        [a.1, b.1, c.1, d.1, e.1, f.1, g.1, h.1, i.1, j.1, k.1, l.1],
    ];
    let (words, _) = bytemuck::cast_slice_mut::<Instance, u32>(out).as_chunks_mut::<8>();
    for half in 0..2 {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = halves[half];
        let first = x86::transposed_8(avx2, a.into(), b.into(), c.into(), d.into());
        let second = x86::transposed_8(avx2, e.into(), f.into(), g.into(), h.into());
        let third = x86::transposed_8(avx2, i.into(), j.into(), k.into(), l.into());
        for pair in 0..2 {
            let (one, two) = (pair * 2, pair * 2 + 1);
            let parts = [
                x86::halves(avx2, first[one], second[one]),
                x86::halves(avx2, third[one], first[two]),
                x86::halves(avx2, second[two], third[two]),
            ];
            for at in 0..3 {
                let [near, far] = parts[at];
                let near: u32x8<S> = f32x8::simd_from(simd, near).bitcast();
                near.store_array(&mut words[half * 12 + pair * 3 + at]);
                let far: u32x8<S> = f32x8::simd_from(simd, far).bitcast();
                far.store_array(&mut words[half * 12 + 6 + pair * 3 + at]);
            }
        }
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86 {
    #[cfg(target_arch = "x86")]
    use std::arch::x86::*;
    #[cfg(target_arch = "x86_64")]
    use std::arch::x86_64::*;

    fearless_simd::kernel!(
        /// Register n holds lanes n and n + 4 of all four.
        #[inline(always)]
        pub fn transposed_8(token: Avx2, a: __m256, b: __m256, c: __m256, d: __m256) -> [__m256; 4] {
            let _ = token;
            let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
            let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
            [
                _mm256_shuffle_ps::<0x44>(ab_low, cd_low),
                _mm256_shuffle_ps::<0xee>(ab_low, cd_low),
                _mm256_shuffle_ps::<0x44>(ab_high, cd_high),
                _mm256_shuffle_ps::<0xee>(ab_high, cd_high),
            ]
        }
    );

    fearless_simd::kernel!(
        /// The first halves of both, and the second ones.
        #[inline(always)]
        pub fn halves(token: Avx2, a: __m256, b: __m256) -> [__m256; 2] {
            let _ = token;
            [_mm256_permute2f128_ps::<0x20>(a, b), _mm256_permute2f128_ps::<0x31>(a, b)]
        }
    );

    fearless_simd::kernel!(
        /// Register n holds lanes n, n + 4, n + 8 and n + 12 of all four.
        #[inline(always)]
        pub fn transposed_16(token: Avx512, a: __m512, b: __m512, c: __m512, d: __m512) -> [__m512; 4] {
            let _ = token;
            let (ab_low, ab_high) = (_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
            let (cd_low, cd_high) = (_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
            [
                _mm512_shuffle_ps::<0x44>(ab_low, cd_low),
                _mm512_shuffle_ps::<0xee>(ab_low, cd_low),
                _mm512_shuffle_ps::<0x44>(ab_high, cd_high),
                _mm512_shuffle_ps::<0xee>(ab_high, cd_high),
            ]
        }
    );

    fearless_simd::kernel!(
        /// The first quarters of all four, the second, third and last ones.
        #[inline(always)]
        pub fn quarters(token: Avx512, a: __m512, b: __m512, c: __m512, d: __m512) -> [__m512; 4] {
            let _ = token;
            let (ab_low, ab_high) = (_mm512_shuffle_f32x4::<0x44>(a, b), _mm512_shuffle_f32x4::<0xee>(a, b));
            let (cd_low, cd_high) = (_mm512_shuffle_f32x4::<0x44>(c, d), _mm512_shuffle_f32x4::<0xee>(c, d));
            [
                _mm512_shuffle_f32x4::<0x88>(ab_low, cd_low),
                _mm512_shuffle_f32x4::<0xdd>(ab_low, cd_low),
                _mm512_shuffle_f32x4::<0x88>(ab_high, cd_high),
                _mm512_shuffle_f32x4::<0xdd>(ab_high, cd_high),
            ]
        }
    );
}
