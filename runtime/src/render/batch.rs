//! From a snapshot and a view to what a GPU draws: blend, place, cull, sort into instances. Pure: no device.
//!
//! Two walks over the items, a block at a time: `place` blends them and finds what they cover, which the lens and the
//! shadow map may depend on; `sort` then culls them and writes the instances to where they are sent from. Both run with
//! the widest registers the machine has, and compute the same to the bit with all of them. Everything here is kept from
//! frame to frame, so a warm batch allocates nothing.

mod changes;
mod instance;
mod instances;
mod outline;
mod place;
mod sort;
mod transpose;

pub use changes::{Changes, Holds};
pub use instance::Instance;
pub use instances::{Instances, MeshInstances, Meshes, Part};
pub use outline::LineVertex;
pub(super) use sort::drawn_as;

use super::picture::{PictureItems, TickPoses};
use super::view::{Lens, View, ViewCamera};
use crate::frame::zones::zone;
use crate::interpolation::WholeRow;
use crate::snapshot::Snapshot;
use fearless_simd::Level;
use glam::{Vec3, Vec4};
use place::Bounds;

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

/// The part of the world that the sun's shadow map covers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShadowReach {
    pub center: Vec3,
    /// Metres; in fixed steps, so that the map does not change its grain while bodies move.
    pub radius: f32,
}

/// Farthest that shadows reach from the middle of what is looked at, in metres.
const SHADOW_REACH: f32 = 28.0;

/// What one picture is made of.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub lens: Lens,
    pub size: [u32; 2],
    /// Every item of the snapshot as it stands in the picture, in the snapshot's order.
    pub items: PictureItems,
    pub meshes: Meshes,
    /// The selected shape, drawn once more for its ring.
    pub selected: Option<(MeshKind, Instance)>,
    /// Other selected shapes that are seen, which get a ring too.
    pub also_selected: Vec<(MeshKind, Instance)>,
    /// The poses of the selected one at both ticks, whether or not it has a shape or is seen.
    pub selected_poses: Option<TickPoses>,
    /// Dashed outlines, triangles in clip space.
    pub lines: Vec<LineVertex>,
    pub shadow: ShadowReach,
    /// No shape lies on the ground, so the ground itself is to show the shadows.
    pub bare_ground: bool,
    /// Shapes drawn, and shapes out of sight.
    pub drawn: u32,
    pub culled: u32,
    /// Of a sphere about each item's drawn position; NaN without a shape.
    radii: Vec<WholeRow>,
    outline: outline::Scratch,
}

impl Batch {
    /// Makes the batch anew for this snapshot and view, at a size of some area.
    pub fn fill(&mut self, snapshot: &Snapshot, view: &View, size: [u32; 2]) {
        self.fill_with(Level::new(), snapshot, view, size);
    }

    /// `level`: with which of the machine's registers.
    fn fill_with(&mut self, level: Level, snapshot: &Snapshot, view: &View, size: [u32; 2]) {
        self.size = size;
        let alpha = if view.last_tick { 1.0 } else { snapshot.alpha };
        let bounds = {
            zone!("place");
            place::place(level, &snapshot.items, alpha, &mut self.items, &mut self.radii)
        };
        self.lens = self.resolve_lens(snapshot, view, alpha, &bounds);
        self.shadow = self.shadow_reach(bounds.center, bounds.radius);
        let selected = view.selection.and_then(|id| self.items.position(id));
        {
            zone!("sort");
            self.sort_instances(level, selected, &view.also_selected);
        }
        self.outline_selected(snapshot, view, selected);
    }

    /// A scene without a camera is looked at so that all within the bounds is seen.
    fn resolve_lens(&self, snapshot: &Snapshot, view: &View, alpha: f64, bounds: &Bounds) -> Lens {
        match view.camera {
            ViewCamera::Fly { eye, yaw, pitch, fov_degrees } => {
                return Lens::fly(eye, yaw, pitch, fov_degrees, self.size);
            }
            ViewCamera::Orthographic { pivot, yaw, pitch, height } => {
                return Lens::orthographic(pivot, yaw, pitch, height, self.size);
            }
            ViewCamera::Scene => {}
        }
        match snapshot.camera.zip(snapshot.camera_pose(alpha)) {
            Some((camera, pose)) => Lens::new(&pose, camera.fov_degrees, camera.near, camera.far, self.size),
            None => Lens::framing(bounds.center, bounds.radius, self.size),
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

    fn outline_selected(&mut self, snapshot: &Snapshot, view: &View, selected: Option<usize>) {
        self.lines.clear();
        let item = selected.and_then(|idx| self.items.get(idx).map(|item| (idx, item)));
        self.selected_poses = item.map(|(idx, item)| {
            let poses = snapshot.world_poses(idx);
            TickPoses { entity: item.entity, previous: poses.previous, current: poses.current }
        });
        let Some((TickPoses { previous, current, .. }, (_, item))) = self.selected_poses.zip(item) else {
            return;
        };
        let Some(shape) = item.look.shape().filter(|_| item.simulated) else { return };
        // A body at rest stands in both poses at once: its ring already says where.
        if !view.ghosts || previous == current {
            return;
        }
        for (pose, opacity) in [(previous, 0.6), (current, 0.95)] {
            let color = Vec4::new(124.0 / 255.0, 196.0 / 255.0, 1.0, opacity);
            self.outline.dashed(&self.lens, self.size, &pose, &shape, color, &mut self.lines);
        }
    }
}

#[cfg(test)]
mod tests;
