//! From a snapshot and a view to what a GPU draws: blend, place, cull, sort into instances. Pure: no device.
//!
//! Everything here is kept from frame to frame, so a warm batch allocates nothing.

mod outline;

pub use outline::LineVertex;

use super::picture::PictureItem;
use super::view::{Lens, View, ViewCamera};
use crate::interpolation::blend;
use crate::scene::{Pose, Shape, ShapeKind};
use crate::snapshot::{Snapshot, SnapshotItem};
use glam::{Vec3, Vec4};

/// Which mesh an instance is drawn with. Round shapes come in three finenesses, chosen by size on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshKind {
    Cube,
    Plane,
    Sphere(Detail),
    Capsule(Detail),
    Cylinder(Detail),
}

/// How finely a round shape is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    Coarse,
    Medium,
    Fine,
}

impl Detail {
    pub const ALL: [Self; 3] = [Self::Coarse, Self::Medium, Self::Fine];

    /// Enough that no corner is seen at this radius on screen.
    fn for_pixels(radius_pixels: f32) -> Self {
        match radius_pixels {
            pixels if pixels < 8.0 => Self::Coarse,
            pixels if pixels < 48.0 => Self::Medium,
            _ => Self::Fine,
        }
    }
}

impl MeshKind {
    pub const COUNT: usize = 11;
    /// Every kind, in the order of [`MeshKind::idx`].
    pub const ALL: [Self; Self::COUNT] = [
        Self::Cube,
        Self::Plane,
        Self::Sphere(Detail::Coarse),
        Self::Sphere(Detail::Medium),
        Self::Sphere(Detail::Fine),
        Self::Capsule(Detail::Coarse),
        Self::Capsule(Detail::Medium),
        Self::Capsule(Detail::Fine),
        Self::Cylinder(Detail::Coarse),
        Self::Cylinder(Detail::Medium),
        Self::Cylinder(Detail::Fine),
    ];

    /// Position in [`MeshKind::ALL`].
    #[must_use]
    pub const fn idx(self) -> usize {
        match self {
            Self::Cube => 0,
            Self::Plane => 1,
            Self::Sphere(detail) => 2 + detail as usize,
            Self::Capsule(detail) => 5 + detail as usize,
            Self::Cylinder(detail) => 8 + detail as usize,
        }
    }
}

/// One shape to draw, as the vertex shader reads it: 48 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct Instance {
    pub position: [f32; 3],
    /// Unit quaternion, x y z w.
    pub rotation: [f32; 4],
    /// The pose's scale times the shape's size.
    pub scale: [f32; 3],
    /// Capsules only: half height ÷ radius.
    pub stretch: f32,
    /// sRGB, red first, alpha 255.
    pub color: [u8; 4],
}

impl Instance {
    fn new(pose: &Pose, shape: &Shape) -> Self {
        let (size, stretch) = match shape.kind {
            ShapeKind::Cube { size } => (size, 0.0),
            ShapeKind::Sphere { radius } => (Vec3::splat(radius), 0.0),
            ShapeKind::Capsule { radius, half_height } => {
                (Vec3::splat(radius), half_height / radius.max(f32::MIN_POSITIVE))
            }
            ShapeKind::Cylinder { radius, half_height } => (Vec3::new(radius, half_height, radius), 0.0),
            ShapeKind::Plane { width, depth } => (Vec3::new(width, 1.0, depth), 0.0),
        };
        Self {
            position: pose.position.to_array(),
            rotation: pose.rotation.to_array(),
            scale: (pose.scale * size).to_array(),
            stretch,
            color: [shape.color.red, shape.color.green, shape.color.blue, 255],
        }
    }
}

/// The instances of one mesh. Drawn: all but the last; into the shadow map: `casting` and `unseen_casting`.
#[derive(Clone, Debug, Default)]
pub struct MeshInstances {
    /// Seen, and lying on the ground: drawn dull, with the grid on it.
    pub ground: Vec<Instance>,
    /// Seen, but too flat or too wide to throw a shadow on anything.
    pub drawn_only: Vec<Instance>,
    /// Seen, and throws a shadow.
    pub casting: Vec<Instance>,
    /// Not seen, but its shadow may be.
    pub unseen_casting: Vec<Instance>,
}

impl MeshInstances {
    fn clear(&mut self) {
        self.ground.clear();
        self.drawn_only.clear();
        self.casting.clear();
        self.unseen_casting.clear();
    }
}

/// The part of the world that the sun's shadow map covers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShadowReach {
    pub center: Vec3,
    /// Metres; in fixed steps, so that the map does not change its grain while bodies move.
    pub radius: f32,
}

/// Farthest that shadows reach from the middle of what is looked at, in metres.
const SHADOW_REACH: f32 = 28.0;
/// A shape that is larger than this does not widen the shadow map.
const SHADOW_LARGEST: f32 = 8.0;

/// What one picture is made of.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub lens: Lens,
    pub size: [u32; 2],
    /// Every item of the snapshot as it stands in the picture, in the snapshot's order.
    pub items: Vec<PictureItem>,
    /// By [`MeshKind::idx`].
    pub meshes: [MeshInstances; MeshKind::COUNT],
    /// The selected shape, drawn once more for its ring.
    pub selected: Option<(MeshKind, Instance)>,
    /// Dashed outlines, triangles in clip space.
    pub lines: Vec<LineVertex>,
    pub shadow: ShadowReach,
    /// No shape lies on the ground, so the ground itself is to show the shadows.
    pub bare_ground: bool,
    /// Shapes drawn, and shapes out of sight.
    pub drawn: u32,
    pub culled: u32,
    outline: outline::Scratch,
}

impl Batch {
    /// Makes the batch anew for this snapshot and view, at a size of some area.
    pub fn fill(&mut self, snapshot: &Snapshot, view: &View, size: [u32; 2]) {
        self.size = size;
        let alpha = if view.last_tick { 1.0 } else { snapshot.alpha };
        let (center, radius) = place(snapshot, alpha, &mut self.items);
        self.lens = self.resolve_lens(snapshot, view, alpha, (center, radius));
        self.shadow = self.shadow_reach(center, radius);
        self.sort_instances(view);
        self.outline_selected(view);
    }

    /// `bounds`: center and radius of what a scene without a camera is looked at by.
    fn resolve_lens(&self, snapshot: &Snapshot, view: &View, alpha: f64, bounds: (Vec3, f32)) -> Lens {
        if let ViewCamera::Fly { eye, yaw, pitch, fov_degrees } = view.camera {
            return Lens::fly(eye, yaw, pitch, fov_degrees, self.size);
        }
        match snapshot.camera.zip(snapshot.camera_pose(alpha)) {
            Some((camera, pose)) => Lens::new(&pose, camera.fov_degrees, camera.near, camera.far, self.size),
            None => Lens::framing(bounds.0, bounds.1, self.size),
        }
    }

    /// A sphere about the shapes of ordinary size, near what is looked at.
    fn shadow_reach(&self, center: Vec3, radius: f32) -> ShadowReach {
        let center = if radius > SHADOW_REACH {
            let ahead = self.lens.eye + self.lens.forward * (SHADOW_REACH * 0.6);
            center + (Vec3::new(ahead.x, center.y, ahead.z) - center).clamp_length_max(radius - SHADOW_REACH)
        } else {
            center
        };
        let radius = (radius * 1.02).clamp(2.0, SHADOW_REACH);
        ShadowReach { center, radius: 1.25_f32.powf((radius.ln() / 1.25_f32.ln()).ceil()) }
    }

    fn sort_instances(&mut self, view: &View) {
        self.meshes.iter_mut().for_each(MeshInstances::clear);
        (self.drawn, self.culled, self.selected, self.bare_ground) = (0, 0, None, true);
        let planes = self.lens.planes();
        let pixels_per_metre = self.lens.pixels_per_metre(self.size);
        for item in &self.items {
            let Some(shape) = &item.shape else { continue };
            let position = item.drawn.position;
            if !(position.is_finite() && item.radius.is_finite()) {
                self.culled += 1;
                continue;
            }
            let seen = planes.iter().all(|plane| plane.dot(position.extend(1.0)) >= -item.radius);
            let ground = is_ground(shape, &item.drawn);
            self.bare_ground &= !ground;
            let casts = !ground
                && !matches!(shape.kind, ShapeKind::Plane { .. })
                && (position - self.shadow.center).length() < self.shadow.radius + item.radius;
            self.drawn += u32::from(seen);
            self.culled += u32::from(!seen);
            if !seen && !casts {
                continue;
            }
            let distance = (position - self.lens.eye).length().max(self.lens.near);
            let mesh = mesh_kind(shape, item.radius * pixels_per_metre / distance);
            let instance = Instance::new(&item.drawn, shape);
            let instances = &mut self.meshes[mesh.idx()];
            match (seen, casts) {
                (true, true) => instances.casting.push(instance),
                (true, false) if ground => instances.ground.push(instance),
                (true, false) => instances.drawn_only.push(instance),
                (false, _) => instances.unseen_casting.push(instance),
            }
            if seen && view.selection == Some(item.entity) {
                self.selected = Some((mesh, instance));
            }
        }
    }

    fn outline_selected(&mut self, view: &View) {
        self.lines.clear();
        let selected = view.selection.and_then(|id| self.items.iter().find(|item| item.entity == id));
        let Some(PictureItem { shape: Some(shape), previous, current, simulated: true, .. }) = selected
        else {
            return;
        };
        // A body at rest stands in both poses at once: its ring already says where.
        if !view.ghosts || previous == current {
            return;
        }
        for (pose, opacity) in [(previous, 0.6), (current, 0.95)] {
            let color = Vec4::new(124.0 / 255.0, 196.0 / 255.0, 1.0, opacity);
            self.outline.dashed(&self.lens, self.size, pose, shape, color, &mut self.lines);
        }
    }
}

/// World poses of every item: both ticks', and the blend of the two at `alpha`, parents first.
///
/// Returns a sphere about all shapes of ordinary size; where there is none, one of 4 m at the origin.
fn place(snapshot: &Snapshot, alpha: f64, out: &mut Vec<PictureItem>) -> (Vec3, f32) {
    let (mut low, mut high) = (Vec3::MAX, Vec3::MIN);
    out.clear();
    out.reserve(snapshot.items.len());
    for item in &snapshot.items {
        let moves = item.simulated && item.previous != item.current;
        let drawn = if moves { blend(&item.previous, &item.current, alpha) } else { item.current };
        let mut placed = PictureItem {
            entity: item.entity,
            previous: item.previous,
            current: item.current,
            drawn,
            simulated: item.simulated,
            shape: item.shape,
            radius: 0.0,
        };
        if item.parent != SnapshotItem::NO_PARENT
            && let Some(parent) = out.get(item.parent as usize)
        {
            placed.previous = parent.previous.of_child(&item.previous);
            placed.current = parent.current.of_child(&item.current);
            placed.drawn = parent.drawn.of_child(&drawn);
            placed.simulated |= parent.simulated;
        }
        if let Some(shape) = &placed.shape {
            placed.radius = bounding_radius(shape, placed.drawn.scale);
            if placed.radius < SHADOW_LARGEST && placed.drawn.position.is_finite() {
                low = low.min(placed.drawn.position - placed.radius);
                high = high.max(placed.drawn.position + placed.radius);
            }
        }
        out.push(placed);
    }
    if low.x > high.x { (Vec3::ZERO, 4.0) } else { ((low + high) * 0.5, (high - low).length() * 0.5) }
}

/// Of a sphere about the shape's middle that holds it, in metres.
#[must_use]
pub fn bounding_radius(shape: &Shape, scale: Vec3) -> f32 {
    let scale = scale.abs();
    match shape.kind {
        ShapeKind::Cube { size } => (size * scale).length() * 0.5,
        ShapeKind::Sphere { radius } => radius * scale.max_element(),
        ShapeKind::Capsule { radius, half_height } => (radius + half_height) * scale.max_element(),
        ShapeKind::Cylinder { radius, half_height } => {
            (radius * scale.x.max(scale.z)).hypot(half_height * scale.y)
        }
        ShapeKind::Plane { width, depth } => (width * scale.x).hypot(depth * scale.z) * 0.5,
    }
}

/// Flat, wide and lying on the ground: what others throw their shadows on.
fn is_ground(shape: &Shape, pose: &Pose) -> bool {
    let (extent, top) = match shape.kind {
        ShapeKind::Plane { width, depth } => ((width * pose.scale.x).min(depth * pose.scale.z), 0.0),
        ShapeKind::Cube { size } => {
            let size = size * pose.scale;
            (size.x.min(size.z), size.y * 0.5)
        }
        _ => return false,
    };
    let upright = (pose.rotation * Vec3::Y).y > 0.999;
    upright && extent >= 6.0 && (-0.005..0.05).contains(&(pose.position.y + top))
}

fn mesh_kind(shape: &Shape, radius_pixels: f32) -> MeshKind {
    let detail = Detail::for_pixels(radius_pixels);
    match shape.kind {
        ShapeKind::Cube { .. } => MeshKind::Cube,
        ShapeKind::Sphere { .. } => MeshKind::Sphere(detail),
        ShapeKind::Capsule { .. } => MeshKind::Capsule(detail),
        ShapeKind::Cylinder { .. } => MeshKind::Cylinder(detail),
        ShapeKind::Plane { .. } => MeshKind::Plane,
    }
}

#[cfg(test)]
mod tests;
