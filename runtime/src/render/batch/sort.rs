//! Culls what is placed and makes the instances, four at a time.

use super::place::Spheres;
use super::{Batch, Detail, Instance, MeshInstances, MeshKind};
use crate::render::picture::{Outlook, PictureItem};
use crate::render::view::MOST_RINGS;
use crate::scene::EntityId;
use crate::scene::look::LookKind;
use glam::{Vec3, Vec4};
use wide::f32x4;

/// Radius on screen, in pixels, from which a round shape is cut less coarsely, and from which finely: enough that no
/// corner is seen.
const MEDIUM_PIXELS: f32 = 8.0;
const FINE_PIXELS: f32 = 48.0;

/// Shortest edge of what can be a ground, in metres.
const GROUND_EDGE: f32 = 6.0;
/// No sphere about a ground is smaller: half the diagonal of the smallest one is 4.24.
const GROUND_RADIUS: f32 = 4.2;

impl Batch {
    /// `shaped`: how many items have a look. `selected`: the index of the selected one; `also`: others that are
    /// selected, by rising ids.
    pub(super) fn sort_instances(&mut self, shaped: u32, selected: Option<usize>, also: &[EntityId]) {
        self.meshes.iter_mut().for_each(MeshInstances::clear);
        let tests = Tests::new(self);
        let Self { spheres, items, meshes, .. } = self;
        let (mut drawn, mut bare_ground) = (0, true);
        for (spheres, items) in spheres.iter().zip(items.chunks(4)) {
            let found = tests.look(spheres);
            drawn += ones(found.seen);
            // What most of a crowd is, all four of them: seen, with a shadow, and no ground.
            if found.seen & found.near_shadow & !found.wide == EVERY {
                for (lane, item) in items.iter().enumerate() {
                    let instances = &mut meshes[mesh_idx(item, &found, lane)];
                    if item.look.kind() == LookKind::Plane {
                        instances.drawn_only.push(instance(item));
                    } else {
                        instances.casting.push(instance(item));
                    }
                }
                continue;
            }
            for (lane, item) in items.iter().enumerate() {
                bare_ground &= !sort_one(item, &found, lane, meshes);
            }
        }
        (self.drawn, self.culled, self.bare_ground) = (drawn, shaped - drawn, bare_ground);
        self.selected = selected.and_then(|idx| self.selected_instance(&tests, idx));
        self.also_selected.clear();
        let also = &also[..also.len().min(MOST_RINGS)];
        for idx in 0..if also.is_empty() { 0 } else { self.items.len() } {
            // In Edit all of a crowd have one id.
            let rings = self.also_selected.len();
            if rings < MOST_RINGS && also.binary_search(&self.items[idx].entity).is_ok() {
                let ring = self.selected_instance(&tests, idx);
                self.also_selected.extend(ring);
            }
        }
    }

    /// `None` where it is not seen.
    fn selected_instance(&self, tests: &Tests, idx: usize) -> Option<(MeshKind, Instance)> {
        let (item, lane) = (&self.items[idx], idx % 4);
        let found = tests.look(&self.spheres[idx / 4]);
        let seen = found.seen & (1 << lane) != 0;
        seen.then(|| (MeshKind::ALL[mesh_idx(item, &found, lane)], instance(item)))
    }
}

/// True: it lies on the ground, and shows the shadows there.
#[inline(always)]
fn sort_one(
    item: &PictureItem,
    found: &Found,
    lane: usize,
    meshes: &mut [MeshInstances; MeshKind::COUNT],
) -> bool {
    let has = |lanes: u32| lanes & (1 << lane) != 0;
    if !has(found.seen | found.near_shadow | found.wide) {
        return false;
    }
    let instances = &mut meshes[mesh_idx(item, found, lane)];
    let ground = has(found.wide) && is_ground(item);
    let casts = has(found.near_shadow) && !ground && item.look.kind() != LookKind::Plane;
    match (has(found.seen), casts) {
        (true, true) => instances.casting.push(instance(item)),
        (true, false) if ground => instances.ground.push(instance(item)),
        (true, false) => instances.drawn_only.push(instance(item)),
        (false, true) => instances.unseen_casting.push(instance(item)),
        (false, false) => {}
    }
    ground
}

/// All four lanes.
const EVERY: u32 = 0b1111;

/// How many of four lanes are set, of each of the sixteen ways to set them, four bits each.
#[inline(always)]
const fn ones(lanes: u32) -> u32 {
    (0x4332_3221_3221_2110_u64 >> (lanes * 4)) as u32 & EVERY
}

/// What four spheres are held against.
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

/// One bit for each of the four.
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

    /// A comparison with NaN is false: what is no number is not seen and throws no shadow.
    #[inline(always)]
    fn look(&self, spheres: &Spheres) -> Found {
        let Spheres { x, y, z, radius } = *spheres;
        let splat = f32x4::splat;
        let reaches = |plane: Vec4| {
            (x * splat(plane.x) + y * splat(plane.y)) + (z * splat(plane.z) + splat(plane.w)) + radius
        };
        // How far it reaches into the picture past the plane that cuts off most of it.
        let [left, right, bottom, top, near, far] = self.planes;
        let sides = reaches(left).fast_min(reaches(right));
        let ends = reaches(near).fast_min(reaches(far));
        let inside = sides.fast_min(reaches(bottom)).fast_min(reaches(top).fast_min(ends));
        let squared_from = |point: Vec3| {
            let (x, y, z) = (x - splat(point.x), y - splat(point.y), z - splat(point.z));
            x * x + y * y + z * z
        };
        let finite = ((x + y + z) * f32x4::ZERO).simd_eq(f32x4::ZERO);
        let reach = radius + splat(self.shadow_radius);
        let distance_squared = squared_from(self.eye).fast_max(splat(self.near_squared));
        let radius_squared = radius * radius;
        Found {
            seen: (inside.simd_ge(f32x4::ZERO) & finite).to_bitmask(),
            near_shadow: squared_from(self.shadow_center).simd_lt(reach * reach).to_bitmask(),
            medium: (radius_squared * splat(self.medium)).simd_ge(distance_squared).to_bitmask(),
            fine: (radius_squared * splat(self.fine)).simd_ge(distance_squared).to_bitmask(),
            wide: radius.simd_ge(splat(GROUND_RADIUS)).to_bitmask(),
        }
    }
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
        u32::from(radius_squared * border >= distance_squared)
    };
    let found =
        Found { seen: 1, near_shadow: 0, medium: from(MEDIUM_PIXELS), fine: from(FINE_PIXELS), wide: 0 };
    Drawn {
        mesh: MeshKind::ALL[mesh_idx(item, &found, 0)],
        instance: instance(item),
        ground: item.radius >= GROUND_RADIUS && is_ground(item),
    }
}

/// Flat, wide and lying on the ground: what others throw their shadows on.
fn is_ground(item: &PictureItem) -> bool {
    let (pose, size) = (&item.drawn, item.look.size() * item.drawn.scale);
    let top = match item.look.kind() {
        LookKind::Plane => 0.0,
        LookKind::Cube => size.y * 0.5,
        _ => return false,
    };
    let upright = (pose.rotation * Vec3::Y).y > 0.999;
    upright && size.x.min(size.z) >= GROUND_EDGE && (-0.005..0.05).contains(&(pose.position.y + top))
}

/// The coarsest mesh of each kind of look, by its number; nothing is never drawn.
const COARSEST: [usize; 6] = [
    0,
    MeshKind::Cube.idx(),
    MeshKind::Plane.idx(),
    MeshKind::Sphere(Detail::Coarse).idx(),
    MeshKind::Capsule(Detail::Coarse).idx(),
    MeshKind::Cylinder(Detail::Coarse).idx(),
];

/// In [`MeshKind::ALL`]: the mesh that is fine enough.
#[inline(always)]
fn mesh_idx(item: &PictureItem, found: &Found, lane: usize) -> usize {
    let kind = item.look.kind();
    let finer = (found.medium >> lane & 1) + (found.fine >> lane & 1);
    let round = matches!(kind, LookKind::Sphere | LookKind::Capsule | LookKind::Cylinder);
    COARSEST[kind as usize] + if round { finer as usize } else { 0 }
}

#[inline(always)]
fn instance(item: &PictureItem) -> Instance {
    let (pose, look) = (&item.drawn, &item.look);
    Instance {
        position: pose.position.to_array(),
        rotation: pose.rotation.to_array(),
        scale: (pose.scale * look.size()).to_array(),
        stretch: look.stretch(),
        color: look.color(),
    }
}
