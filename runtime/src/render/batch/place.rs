//! Where every item of a snapshot stands in a picture, eight at a time.

use crate::interpolation::blend_eight;
use crate::render::picture::PictureItem;
use crate::snapshot::{Snapshot, SnapshotItem};
use glam::Vec3;
use wide::f32x4;

/// Of everything placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    /// Of a sphere about all shapes of ordinary size; where there is none, one of 4 m at the origin.
    pub center: Vec3,
    pub radius: f32,
    /// How many items have a look.
    pub shaped: u32,
}

/// The bounding spheres of four items side by side, so that four are culled at once. The radius of an item without a
/// shape is NaN, which nothing compares with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spheres {
    pub x: f32x4,
    pub y: f32x4,
    pub z: f32x4,
    pub radius: f32x4,
}

/// A shape that is larger than this does not widen the shadow map.
const SHADOW_LARGEST: f32 = 8.0;

/// World poses of every item, drawn at `alpha` between its two ticks, parents first; and the spheres about them.
pub(super) fn place(
    snapshot: &Snapshot,
    alpha: f64,
    items: &mut Vec<PictureItem>,
    spheres: &mut Vec<Spheres>,
) -> Bounds {
    // Every field of every item is written below: what stood here before need not be cleared.
    items.resize(snapshot.items.len(), PictureItem::default());
    spheres.clear();
    spheres.reserve(snapshot.items.len().div_ceil(4));
    let mut extent = Extent::default();
    let (blocks, rest) = snapshot.items.as_chunks::<8>();
    let (mut at, mut shaped) = (0, 0);
    for block in blocks {
        let Some((out, _)) = items[at..].split_first_chunk_mut::<8>() else { break };
        draw_eight(block, alpha, out);
        shaped += block.iter().filter(|item| item.look.is_something()).count();
        if block.iter().any(|item| item.parent != SnapshotItem::NO_PARENT) {
            (0..8).for_each(|lane| hang(&block[lane], items, at + lane));
        }
        for four in items[at..at + 8].as_chunks_mut::<4>().0 {
            let four = Spheres::about(four);
            extent.cover(&four);
            spheres.push(four);
        }
        at += 8;
    }
    for (item, at) in rest.iter().zip(at..) {
        copy(item, &mut items[at]);
        items[at].drawn = item.blended(alpha);
        hang(item, items, at);
        shaped += usize::from(item.look.is_something());
    }
    for few in items[at..].chunks_mut(4) {
        let few = Spheres::about(few);
        extent.cover(&few);
        spheres.push(few);
    }
    extent.bounds(shaped as u32)
}

/// The eight relative to their parents, as drawn.
#[inline(always)]
fn draw_eight(block: &[SnapshotItem; 8], alpha: f64, out: &mut [PictureItem; 8]) {
    for (item, out) in block.iter().zip(out.iter_mut()) {
        copy(item, out);
    }
    let moving = block.iter().any(|item| item.simulated && item.previous != item.current);
    if !moving || alpha >= 1.0 {
        for (item, out) in block.iter().zip(out) {
            out.drawn = item.current;
        }
    } else if alpha <= 0.0 {
        for (item, out) in block.iter().zip(out) {
            out.drawn = item.blended(alpha);
        }
    } else {
        let [a, b, c, d, e, f, g, h] = block;
        let between = [
            (&a.previous, &a.current),
            (&b.previous, &b.current),
            (&c.previous, &c.current),
            (&d.previous, &d.current),
            (&e.previous, &e.current),
            (&f.previous, &f.current),
            (&g.previous, &g.current),
            (&h.previous, &h.current),
        ];
        blend_eight(&between, alpha, |lane, pose| out[lane].drawn = pose);
    }
}

/// All but the pose and the radius.
#[inline(always)]
fn copy(item: &SnapshotItem, out: &mut PictureItem) {
    out.entity = item.entity;
    out.simulated = item.simulated;
    out.look = item.look;
}

/// Puts an item where its parent has it. Parents come first, so those after it are none.
fn hang(item: &SnapshotItem, items: &mut [PictureItem], at: usize) {
    let (before, after) = items.split_at_mut(at);
    if item.parent != SnapshotItem::NO_PARENT
        && let (Some(parent), Some(out)) = (before.get(item.parent as usize), after.first_mut())
    {
        out.drawn = parent.drawn.of_child(&out.drawn);
        out.simulated |= parent.simulated;
    }
}

impl Spheres {
    /// About at most four drawn items, whose radii are found here.
    #[inline(always)]
    fn about(items: &mut [PictureItem]) -> Self {
        // What the last of four may lack.
        let nothing = f32x4::new([0.0, 0.0, 0.0, f32::NAN]);
        let mut rows = [nothing; 4];
        for (row, item) in rows.iter_mut().zip(items) {
            item.radius = item.look.bounding_radius(item.drawn.scale);
            let radius = if item.look.is_something() { item.radius } else { f32::NAN };
            let position = item.drawn.position;
            *row = f32x4::new([position.x, position.y, position.z, radius]);
        }
        let [x, y, z, radius] = f32x4::transpose(rows);
        Self { x, y, z, radius }
    }
}

/// The corners of a box, found in four lanes.
struct Extent {
    low: [f32x4; 3],
    high: [f32x4; 3],
}

impl Default for Extent {
    fn default() -> Self {
        Self { low: [f32x4::splat(f32::MAX); 3], high: [f32x4::splat(f32::MIN); 3] }
    }
}

impl Extent {
    #[inline(always)]
    fn cover(&mut self, spheres: &Spheres) {
        let Spheres { x, y, z, radius } = *spheres;
        // Nothing times a number is nothing, but no number times nothing is none.
        let finite = ((x + y + z) * f32x4::ZERO).simd_eq(f32x4::ZERO);
        let counts = radius.simd_lt(f32x4::splat(SHADOW_LARGEST)) & finite;
        let every = counts.all();
        for (axis, center) in [x, y, z].into_iter().enumerate() {
            let (mut low, mut high) = (center - radius, center + radius);
            if !every {
                low = counts.select(low, f32x4::splat(f32::MAX));
                high = counts.select(high, f32x4::splat(f32::MIN));
            }
            self.low[axis] = self.low[axis].fast_min(low);
            self.high[axis] = self.high[axis].fast_max(high);
        }
    }

    fn bounds(&self, shaped: u32) -> Bounds {
        let low = Vec3::from_array(self.low.map(|of| of.to_array().into_iter().fold(f32::MAX, f32::min)));
        let high = Vec3::from_array(self.high.map(|of| of.to_array().into_iter().fold(f32::MIN, f32::max)));
        if low.x > high.x {
            return Bounds { center: Vec3::ZERO, radius: 4.0, shaped };
        }
        Bounds { center: (low + high) * 0.5, radius: (high - low).length() * 0.5, shaped }
    }
}
