//! Where every item of a snapshot stands in a picture, a block at a time.

use crate::interpolation::{
    AHEAD, LANES, Looks, Member, PoseLanes, Poses, Roster, Row, ScaleLanes, WholeRow, ask_for, blend_lanes,
    blend_scales, copy_lanes, is_far,
};
use crate::render::picture::PictureItems;
use crate::snapshot::SnapshotItems;
use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f32x16};
use glam::Vec3;

/// Of everything placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    /// Of a sphere about all shapes of ordinary size; where there is none, one of 4 m at the origin.
    pub center: Vec3,
    pub radius: f32,
}

/// A shape that is larger than this does not widen the shadow map.
const SHADOW_LARGEST: f32 = 8.0;

/// World poses of every item, drawn at `alpha` between its two ticks, parents first; and, in blocks of which something is
/// scaled, the radii of the spheres about them, NaN where there is no shape.
pub(super) fn place(
    level: Level,
    snapshot: &SnapshotItems,
    alpha: f64,
    items: &mut PictureItems,
    radii: &mut Vec<WholeRow>,
) -> Bounds {
    let roster = &**snapshot.roster();
    let drawn = items.drawn_for(snapshot.roster());
    // What is read of them is written before: what stood here need not be cleared.
    radii.resize(roster.looks().lanes.len(), WholeRow::default());
    let poses = Between { previous: snapshot.previous(), current: snapshot.current(), alpha };
    dispatch!(level, simd => place_with(simd, &poses, roster, drawn, radii))
}

/// What is blended.
struct Between<'a> {
    previous: &'a Poses,
    current: &'a Poses,
    alpha: f64,
}

#[inline(always)]
fn place_with<S: Simd>(
    simd: S,
    poses: &Between<'_>,
    roster: &Roster,
    drawn: &mut Poses,
    radii: &mut [WholeRow],
) -> Bounds {
    let mut extent = Extent::new(simd);
    let looks = roster.looks();
    let (previous, current) = (poses.previous.blocks(), poses.current.blocks());
    let asks = is_far(previous.len());
    for (block, lanes) in looks.lanes.iter().enumerate() {
        if asks {
            ask_for(simd, current, block + AHEAD);
            ask_for(simd, drawn.blocks(), block + AHEAD);
        }
        if lanes.simulated == 0 || poses.alpha >= 1.0 {
            copy_lanes(simd, &current[block], &mut drawn.blocks_mut()[block]);
            copy_scales(poses.current, block, drawn);
        } else if poses.alpha <= 0.0 {
            copy_lanes(simd, &previous[block], &mut drawn.blocks_mut()[block]);
            copy_scales(poses.previous, block, drawn);
        } else {
            if asks {
                ask_for(simd, previous, block + AHEAD);
            }
            let out = &mut drawn.blocks_mut()[block];
            blend_lanes(simd, &previous[block], &current[block], poses.alpha, out);
            if poses.previous.scales(block).is_some() || poses.current.scales(block).is_some() {
                let (from, to) = (poses.previous.scales_or_ones(block), poses.current.scales_or_ones(block));
                blend_scales(simd, from, to, poses.alpha, drawn.scale(block));
            } else {
                drawn.unscale(block);
            }
        }
        if lanes.hangs != 0 {
            hang(roster.members(), lanes.hangs, block, drawn);
        }
        if let Some(scales) = drawn.scales(block) {
            scale_radii(roster.members(), block, scales, &mut radii[block].0);
        }
        extent.cover(simd, &drawn.blocks()[block], radius(simd, &looks, drawn, radii, block));
    }
    extent.bounds()
}

/// Of the spheres about the drawn poses of a block.
#[inline(always)]
pub(super) fn radius<S: Simd>(
    simd: S,
    looks: &Looks<'_>,
    drawn: &Poses,
    radii: &[WholeRow],
    block: usize,
) -> f32x16<S> {
    if drawn.scales(block).is_some() {
        return f32x16::load_array_ref(simd, &radii[block].0);
    }
    let lanes = &looks.lanes[block];
    if lanes.one_size {
        f32x16::splat(simd, lanes.first.radius)
    } else {
        f32x16::load_array_ref(simd, &looks.sizes[block].radius)
    }
}

#[inline(always)]
fn copy_scales(from: &Poses, block: usize, drawn: &mut Poses) {
    match from.scales(block) {
        Some(scales) => *drawn.scale(block) = *scales,
        None => drawn.unscale(block),
    }
}

/// Puts those with a parent where it has them. Parents come first, so those after it are none.
#[inline(never)]
fn hang(members: &[Member], hangs: u16, block: usize, drawn: &mut Poses) {
    for lane in (0..LANES).filter(|lane| hangs & (1 << lane) != 0) {
        let idx = block * LANES + lane;
        let parent = members[idx].parent as usize;
        if parent < idx
            && let Some((parent, own)) = drawn.get(parent).zip(drawn.get(idx))
        {
            drawn.set(idx, &parent.of_child(&own));
        }
    }
}

/// The radii in a block of which something is scaled.
#[inline(never)]
fn scale_radii(members: &[Member], block: usize, scales: &ScaleLanes, radius: &mut Row) {
    *radius = [f32::NAN; LANES];
    let members = members[block * LANES..].iter().zip(radius).enumerate();
    for (lane, (member, radius)) in members.filter(|(_, (member, _))| member.look.is_something()) {
        *radius = member.look.bounding_radius(scales.get(lane));
    }
}

/// The corners of a box, found in all lanes.
struct Extent<S: Simd> {
    low: [f32x16<S>; 3],
    high: [f32x16<S>; 3],
}

impl<S: Simd> Extent<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        Self { low: [f32x16::splat(simd, f32::MAX); 3], high: [f32x16::splat(simd, f32::MIN); 3] }
    }

    #[inline(always)]
    fn cover(&mut self, simd: S, drawn: &PoseLanes, radius: f32x16<S>) {
        let [x, y, z] = &drawn.position;
        let center = [
            f32x16::load_array_ref(simd, x),
            f32x16::load_array_ref(simd, y),
            f32x16::load_array_ref(simd, z),
        ];
        // Nothing times a number is nothing, but no number times nothing is none.
        let zero = f32x16::splat(simd, 0.0);
        let finite = ((center[0] + center[1] + center[2]) * zero).simd_eq(zero);
        let counts = radius.simd_lt(f32x16::splat(simd, SHADOW_LARGEST)) & finite;
        let every = counts.all_true();
        for (axis, center) in center.into_iter().enumerate() {
            let (mut low, mut high) = (center - radius, center + radius);
            if !every {
                low = counts.select(low, f32x16::splat(simd, f32::MAX));
                high = counts.select(high, f32x16::splat(simd, f32::MIN));
            }
            self.low[axis] = self.low[axis].min(low);
            self.high[axis] = self.high[axis].max(high);
        }
    }

    fn bounds(&self) -> Bounds {
        // Of two zeros either may have been kept: a zero more makes both the same.
        let low = self.low.map(|of| of.to_array().into_iter().fold(f32::MAX, f32::min) + 0.0);
        let high = self.high.map(|of| of.to_array().into_iter().fold(f32::MIN, f32::max) + 0.0);
        let (low, high) = (Vec3::from_array(low), Vec3::from_array(high));
        if low.x > high.x {
            return Bounds { center: Vec3::ZERO, radius: 4.0 };
        }
        Bounds { center: (low + high) * 0.5, radius: (high - low).length() * 0.5 }
    }
}
