//! Which items are seen or throw a shadow, and their instances, by mesh: a block at a time.

use super::instance::Instance;
use super::instances::{Instances, Meshes, Part};
use super::place::radius;
use super::transpose::{self, Apart};
use super::{Batch, Detail, MeshInstances, MeshKind};
use crate::interpolation::{
    AHEAD, LANES, LookLanes, Looks, Member, PoseLanes, Poses, Row, WholeRow, ask_for, is_far,
};
use crate::render::picture::{Outlook, PictureItem};
use crate::render::view::MOST_RINGS;
use crate::scene::look::{Look, LookKind};
use crate::scene::{EntityId, Pose};
use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f32x16, mask8x16, u8x16, u32x16};
use glam::{Vec3, Vec4};

/// Radius on screen, in pixels, from which a round shape is cut less coarsely, and from which finely: enough that no
/// corner is seen.
const MEDIUM_PIXELS: f32 = 8.0;
const FINE_PIXELS: f32 = 48.0;

/// Shortest edge of what can be a ground, in metres.
const GROUND_EDGE: f32 = 6.0;
/// No sphere about a ground is smaller: half the diagonal of the smallest one is 4.24.
const GROUND_RADIUS: f32 = 4.2;

impl Batch {
    /// `level`: with which of the machine's registers. `selected`: the index of the selected one; `also`: others that are
    /// selected, by rising ids.
    pub(super) fn sort_instances(&mut self, level: Level, selected: Option<usize>, also: &[EntityId]) {
        self.meshes.iter_mut().for_each(MeshInstances::clear);
        let tests = Tests::new(self);
        let Self { radii, items, meshes, .. } = self;
        let roster = items.roster();
        let placed = Placed { members: roster.members(), looks: roster.looks(), drawn: items.drawn(), radii };
        let sorted = dispatch!(level, simd => sort_with(simd, &placed, &tests, meshes));
        (self.drawn, self.bare_ground) = (sorted.drawn, sorted.bare_ground);
        self.culled = roster.shaped() - sorted.drawn;
        self.selected = selected.and_then(|idx| placed.selected_instance(&tests, idx));
        self.also_selected.clear();
        let also = &also[..also.len().min(MOST_RINGS)];
        for (idx, member) in placed.members.iter().enumerate().take_while(|_| !also.is_empty()) {
            // In Edit all of a crowd have one id.
            if self.also_selected.len() < MOST_RINGS && also.binary_search(&member.entity).is_ok() {
                self.also_selected.extend(placed.selected_instance(&tests, idx));
            }
        }
    }
}

/// Everything that stands in the picture.
struct Placed<'a> {
    members: &'a [Member],
    // In blocks, as many of each.
    looks: Looks<'a>,
    drawn: &'a Poses,
    // Of the blocks that are scaled.
    radii: &'a [WholeRow],
}

struct Sorted {
    drawn: u32,
    bare_ground: bool,
}

/// All lanes.
const EVERY: u32 = 0xffff;

#[inline(always)]
fn sort_with<S: Simd>(simd: S, placed: &Placed<'_>, tests: &Tests, meshes: &mut Meshes) -> Sorted {
    let wide_tests = tests.splat(simd);
    let mut sorted = Sorted { drawn: 0, bare_ground: true };
    let mut few = Apart::default();
    let (looks, drawn) = (&placed.looks, placed.drawn.blocks());
    let asks = is_far(drawn.len());
    for (block, lanes) in looks.lanes.iter().enumerate() {
        if asks {
            ask_for(simd, drawn, block + AHEAD);
            ask_for(simd, looks.colors, block + AHEAD);
            if !lanes.one_size {
                ask_for(simd, looks.sizes, block + AHEAD);
            }
        }
        let found = wide_tests.look(simd, placed, block);
        sorted.drawn += found.seen.count_ones();
        if found.seen | found.near_shadow | found.wide == 0 {
            continue;
        }
        let mut ground = 0;
        if found.wide != 0 {
            ground = grounds(placed, block, found.wide);
            sorted.bare_ground &= ground == 0;
        }
        let lists = Lists::new(&found, lanes, ground);
        let listed = lists.seen | lists.casts;
        if lanes.alike && lists.are_one() {
            if listed != 0 {
                let instances = list(meshes, lists.numbers(simd, lanes)[0]);
                if asks {
                    instances.ask_for(simd, AHEAD);
                }
                transpose::write(simd, &columns(simd, placed, block), instances.block_more());
            }
            continue;
        }
        transpose::write_apart(simd, &columns(simd, placed, block), &mut few);
        let numbers = lists.numbers(simd, lanes);
        let mut left = listed;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % LANES;
            left &= left - 1;
            list(meshes, numbers[lane]).push(simd, &few, lane, asks);
        }
    }
    sorted
}

/// Which lists the instances of a block go to: a bit for each of them.
struct Lists {
    seen: u32,
    casts: u32,
    ground: u32,
    medium: u32,
    fine: u32,
}

impl Lists {
    #[inline(always)]
    fn new(found: &Found, looks: &LookLanes, ground: u32) -> Self {
        let round = u32::from(looks.is_round);
        Self {
            seen: found.seen,
            casts: found.near_shadow & !u32::from(looks.is_plane) & !ground,
            ground,
            medium: found.medium & round,
            fine: found.fine & round,
        }
    }

    /// All have the same answer to every question.
    #[inline(always)]
    fn are_one(&self) -> bool {
        is_one(self.seen) & is_one(self.casts) & is_one(self.ground) & is_one(self.medium) & is_one(self.fine)
    }

    /// Each one's list: four times its mesh in [`MeshKind::ALL`], and the part of it. Of what is not listed, any.
    #[inline(always)]
    fn numbers<S: Simd>(&self, simd: S, looks: &LookLanes) -> [u8; LANES] {
        let casting = u8x16::splat(simd, Part::Casting as u8);
        let drawn = lanes(simd, self.casts).select(casting, u8x16::splat(simd, Part::DrawnOnly as u8));
        let drawn = lanes(simd, self.ground).select(u8x16::splat(simd, Part::Ground as u8), drawn);
        let part = lanes(simd, self.seen).select(drawn, u8x16::splat(simd, Part::UnseenCasting as u8));
        let (none, finer) = (u8x16::splat(simd, 0), u8x16::splat(simd, PARTS));
        let finer = lanes(simd, self.medium).select(finer, none) + lanes(simd, self.fine).select(finer, none);
        let coarsest =
            u8x16::load_array(simd, COARSEST).swizzle_dyn(u8x16::load_array_ref(simd, &looks.kind));
        (coarsest * u8x16::splat(simd, PARTS) + finer + part).to_array()
    }
}

/// The coarsest mesh of each kind of look, by its number; nothing is never drawn.
const COARSEST: [u8; LANES] = {
    let mut coarsest = [0; LANES];
    coarsest[LookKind::Cube as usize] = MeshKind::Cube.idx() as u8;
    coarsest[LookKind::Plane as usize] = MeshKind::Plane.idx() as u8;
    coarsest[LookKind::Sphere as usize] = MeshKind::Sphere(Detail::Coarse).idx() as u8;
    coarsest[LookKind::Capsule as usize] = MeshKind::Capsule(Detail::Coarse).idx() as u8;
    coarsest[LookKind::Cylinder as usize] = MeshKind::Cylinder(Detail::Coarse).idx() as u8;
    coarsest
};

const PARTS: u8 = Part::ALL.len() as u8;

#[inline(always)]
fn lanes<S: Simd>(simd: S, bits: u32) -> mask8x16<S> {
    mask8x16::from_bitmask(simd, u64::from(bits))
}

/// By its number, as [`Lists::numbers`] has it.
#[inline(always)]
fn list(meshes: &mut Meshes, number: u8) -> &mut Instances {
    let number = usize::from(number);
    &mut meshes[number / Part::ALL.len()].parts[number % Part::ALL.len()]
}

/// All lanes are set, or none.
#[inline(always)]
const fn is_one(lanes: u32) -> bool {
    lanes == 0 || lanes == EVERY
}

impl Placed<'_> {
    /// `None` where it is not seen.
    fn selected_instance(&self, tests: &Tests, idx: usize) -> Option<(MeshKind, Instance)> {
        let (block, lane) = (idx / LANES, idx % LANES);
        let looks = &self.looks.lanes[block];
        let found = dispatch!(Level::new(), simd => tests.splat(simd).look(simd, self, block));
        let has = |lanes: u32| (lanes >> lane & 1) as usize;
        let lists = Lists::new(&found, looks, 0);
        let mesh = usize::from(COARSEST[usize::from(looks.kind[lane])]) + has(lists.medium) + has(lists.fine);
        let drawn = self.drawn.get(idx).filter(|_| found.seen & (1 << lane) != 0)?;
        Some((MeshKind::ALL[mesh], Instance::new(&drawn, &self.members[idx].look)))
    }
}

/// What spheres are held against.
struct Tests {
    planes: [Vec4; 6],
    eye: Vec3,
    near_squared: f32,
    shadow_center: Vec3,
    shadow_radius: f32,
    /// Pixels per metre at one metre, squared, over the squares of the borders between two details.
    medium: f32,
    fine: f32,
}

/// The same in every lane.
struct WideTests<S: Simd> {
    planes: [[f32x16<S>; 4]; 6],
    eye: [f32x16<S>; 3],
    near_squared: f32x16<S>,
    shadow_center: [f32x16<S>; 3],
    shadow_radius: f32x16<S>,
    medium: f32x16<S>,
    fine: f32x16<S>,
}

/// One bit for each of a block.
struct Found {
    /// At least a part of it is in the picture.
    seen: u32,
    /// Where its shadow may be seen.
    near_shadow: u32,
    medium: u32,
    fine: u32,
    /// Large enough to be a ground.
    wide: u32,
}

impl Tests {
    fn new(batch: &Batch) -> Self {
        let pixels = batch.lens.pixels_per_metre(batch.size);
        Self {
            planes: batch.lens.planes(),
            eye: batch.lens.eye,
            near_squared: batch.lens.nearest() * batch.lens.nearest(),
            shadow_center: batch.shadow.center,
            shadow_radius: batch.shadow.radius,
            medium: (pixels / MEDIUM_PIXELS).powi(2),
            fine: (pixels / FINE_PIXELS).powi(2),
        }
    }

    #[inline(always)]
    fn splat<S: Simd>(&self, simd: S) -> WideTests<S> {
        let [left, right, bottom, top, near, far] = self.planes;
        WideTests {
            planes: [
                plane(simd, left),
                plane(simd, right),
                plane(simd, bottom),
                plane(simd, top),
                plane(simd, near),
                plane(simd, far),
            ],
            eye: point(simd, self.eye),
            near_squared: f32x16::splat(simd, self.near_squared),
            shadow_center: point(simd, self.shadow_center),
            shadow_radius: f32x16::splat(simd, self.shadow_radius),
            medium: f32x16::splat(simd, self.medium),
            fine: f32x16::splat(simd, self.fine),
        }
    }
}

#[inline(always)]
fn point<S: Simd>(simd: S, point: Vec3) -> [f32x16<S>; 3] {
    [f32x16::splat(simd, point.x), f32x16::splat(simd, point.y), f32x16::splat(simd, point.z)]
}

#[inline(always)]
fn plane<S: Simd>(simd: S, plane: Vec4) -> [f32x16<S>; 4] {
    let [x, y, z] = point(simd, plane.truncate());
    [x, y, z, f32x16::splat(simd, plane.w)]
}

impl<S: Simd> WideTests<S> {
    /// A comparison with NaN is false: what is no number is not seen and throws no shadow.
    #[inline(always)]
    fn look(&self, simd: S, placed: &Placed<'_>, block: usize) -> Found {
        let zero = f32x16::splat(simd, 0.0);
        let radius = radius(simd, &placed.looks, placed.drawn, placed.radii, block);
        let [x, y, z] = &placed.drawn.blocks()[block].position;
        let at = [
            f32x16::load_array_ref(simd, x),
            f32x16::load_array_ref(simd, y),
            f32x16::load_array_ref(simd, z),
        ];
        let mut seen = ((at[0] + at[1] + at[2]) * zero).simd_eq(zero);
        for plane in &self.planes {
            // Whether it reaches into the picture past this one.
            let reach = (at[0] * plane[0] + at[1] * plane[1]) + (at[2] * plane[2] + plane[3]) + radius;
            seen &= reach.simd_ge(zero);
        }
        let reach = radius + self.shadow_radius;
        let distance_squared = squared_distance(&at, &self.eye);
        let too_near = distance_squared.simd_lt(self.near_squared);
        let distance_squared = too_near.select(self.near_squared, distance_squared);
        let radius_squared = radius * radius;
        let near_shadow = squared_distance(&at, &self.shadow_center).simd_lt(reach * reach);
        Found {
            seen: seen.to_bitmask() as u32,
            near_shadow: near_shadow.to_bitmask() as u32,
            medium: (radius_squared * self.medium).simd_ge(distance_squared).to_bitmask() as u32,
            fine: (radius_squared * self.fine).simd_ge(distance_squared).to_bitmask() as u32,
            wide: radius.simd_ge(f32x16::splat(simd, GROUND_RADIUS)).to_bitmask() as u32,
        }
    }
}

#[inline(always)]
fn squared_distance<S: Simd>(a: &[f32x16<S>; 3], b: &[f32x16<S>; 3]) -> f32x16<S> {
    let [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    x * x + y * y + z * z
}

/// How a picture draws an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::render) struct Drawn {
    pub mesh: MeshKind,
    pub instance: Instance,
    /// After all that is not ground.
    pub ground: bool,
}

impl Drawn {
    /// Where in the picture's order it is drawn: by mesh, grounds last.
    pub const fn place(&self) -> u8 {
        self.mesh.idx() as u8 + if self.ground { MeshKind::COUNT as u8 } else { 0 }
    }
}

/// How a picture with this outlook draws an item that has a look and is seen.
pub(in crate::render) fn drawn_as(item: &PictureItem, outlook: &Outlook) -> Drawn {
    let away = item.drawn.position - outlook.eye;
    let distance_squared = away.length_squared().max(outlook.nearest * outlook.nearest);
    let radius_squared = item.radius * item.radius;
    let from = |pixels: f32| {
        let border = (outlook.pixels_per_metre / pixels).powi(2);
        usize::from(radius_squared * border >= distance_squared)
    };
    let kind = item.look.kind();
    let finer = if kind.is_round() { from(MEDIUM_PIXELS) + from(FINE_PIXELS) } else { 0 };
    Drawn {
        mesh: MeshKind::ALL[usize::from(COARSEST[kind as usize]) + finer],
        instance: Instance::new(&item.drawn, &item.look),
        ground: item.radius >= GROUND_RADIUS && is_ground(&item.look, &item.drawn),
    }
}

/// Those of the `wide` lanes of a block that are a ground.
#[inline(never)]
fn grounds(placed: &Placed<'_>, block: usize, wide: u32) -> u32 {
    let is_one = |lane: usize| {
        let idx = block * LANES + lane;
        let is_ground = |pose: Pose| is_ground(&placed.members[idx].look, &pose);
        wide & (1 << lane) != 0 && placed.drawn.get(idx).is_some_and(is_ground)
    };
    (0..LANES).fold(0, |lanes, lane| lanes | u32::from(is_one(lane)) << lane)
}

/// Flat, wide and lying on the ground: what others throw their shadows on.
fn is_ground(look: &Look, pose: &Pose) -> bool {
    let size = look.size() * pose.scale;
    let top = match look.kind() {
        LookKind::Plane => 0.0,
        LookKind::Cube => size.y * 0.5,
        _ => return false,
    };
    let upright = (pose.rotation * Vec3::Y).y > 0.999;
    upright && size.x.min(size.z) >= GROUND_EDGE && (-0.005..0.05).contains(&(pose.position.y + top))
}

/// The instances of a block, whether or not each is drawn, in columns: what is [`Instance::new`] for one.
#[inline(always)]
fn columns<S: Simd>(simd: S, placed: &Placed<'_>, block: usize) -> [f32x16<S>; 12] {
    let PoseLanes { position: [x, y, z], rotation: [turn_x, turn_y, turn_z, turn_w] } =
        &placed.drawn.blocks()[block];
    let (mut size, stretch) = size(simd, &placed.looks, block);
    if let Some(scales) = placed.drawn.scales(block) {
        for (size, scale) in size.iter_mut().zip(&scales.0) {
            *size = load(simd, scale) * *size;
        }
    }
    let color: f32x16<S> = u32x16::load_array_ref(simd, &placed.looks.colors[block].0).bitcast();
    [
        load(simd, x),
        load(simd, y),
        load(simd, z),
        load(simd, turn_x),
        load(simd, turn_y),
        load(simd, turn_z),
        load(simd, turn_w),
        size[0],
        size[1],
        size[2],
        stretch,
        color,
    ]
}

#[inline(always)]
fn load<S: Simd>(simd: S, row: &Row) -> f32x16<S> {
    f32x16::load_array_ref(simd, row)
}

/// What the meshes of a block are scaled by before the scales of their poses, and how far they are stretched.
#[inline(always)]
fn size<S: Simd>(simd: S, looks: &Looks<'_>, block: usize) -> ([f32x16<S>; 3], f32x16<S>) {
    let lanes = &looks.lanes[block];
    if lanes.one_size {
        return (point(simd, Vec3::from_array(lanes.first.size)), f32x16::splat(simd, lanes.first.stretch));
    }
    let sizes = &looks.sizes[block];
    let [x, y, z] = &sizes.size;
    ([load(simd, x), load(simd, y), load(simd, z)], load(simd, &sizes.stretch))
}
