//! What one frame shows: written by the frame, read by the renderer, changed by nobody in between.

mod items;

pub use items::SnapshotItems;

use crate::interpolation::{Interpolation, NO_PARENT, blend};
use crate::scene::look::Look;
use crate::scene::{EntityId, Pose, Sky, Sun};
use crate::time::{FrameIndex, Nanos, Tick};
use crate::world::World;
use crate::world::pose::composed;
use glam::{Mat3, Quat, Vec3};

/// The light of the sun, as a scene has it.
pub type SunLight = Sun;

/// The picture of one frame. Its memory is used again for the next one.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub frame: FrameIndex,
    pub tick: Tick,
    /// Which Play it belongs to.
    pub run: u32,
    pub render_time: Nanos,
    /// Where between the last two ticks it is drawn, in [0, 1).
    pub alpha: f64,
    /// The simulated time it shows.
    pub shown_time: Nanos,
    /// Free handoff: it shows the end of a motion that was over before its time.
    pub ends: bool,
    /// Every entity; parents before children.
    pub items: SnapshotItems,
    pub camera: Option<SnapshotCamera>,
    pub sun: Option<SunLight>,
    pub sky: Option<Sky>,
    /// Time that a submit of this frame is to burn.
    pub submit_load: Nanos,
}

/// One entity. Both poses are relative to the parent item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnapshotItem {
    pub entity: EntityId,
    /// Index of an earlier item, or [`SnapshotItem::NO_PARENT`].
    pub parent: u32,
    pub previous: Pose,
    pub current: Pose,
    /// Has two poses to blend; where not, they are the same.
    pub simulated: bool,
    pub look: Look,
}

impl SnapshotItem {
    pub const NO_PARENT: u32 = NO_PARENT;

    /// The pose relative to the parent, as drawn at `alpha`.
    #[must_use]
    pub fn blended(&self, alpha: f64) -> Pose {
        if self.simulated { blend(&self.previous, &self.current, alpha) } else { self.current }
    }
}

/// The scene's camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnapshotCamera {
    /// The camera's own item. It looks along its −z, +y up.
    pub item: u32,
    /// The item it follows and how far beside it, in world axes, it stands.
    pub follow: Option<(u32, Vec3)>,
    pub fov_degrees: f32,
    pub near: f32,
    pub far: f32,
}

/// One item in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldPoses {
    pub previous: Pose,
    pub current: Pose,
    pub drawn: Pose,
}

impl Snapshot {
    /// Takes the entities, camera and lights from the world and the poses from the store. The fields about the frame
    /// itself are the caller's.
    pub fn fill(&mut self, world: &World, store: &Interpolation) {
        if store.is_up_to_date(world) {
            self.items.copy(store, world.sharers());
        } else {
            // What came, went or was put somewhere by hand since the last tick is shown at once, unblended.
            let mut settled = store.clone();
            settled.settle(world);
            self.items.copy(&settled, world.sharers());
        }
        let stage = world.stage_set();
        self.camera = stage.camera.map(|found| SnapshotCamera {
            item: found.row,
            follow: found.target.zip(found.camera.follow).map(|(row, follow)| (row, follow.offset)),
            fov_degrees: found.camera.fov_degrees,
            near: found.camera.near,
            far: found.camera.far,
        });
        self.sun = stage.sun;
        self.sky = stage.sky;
        self.submit_load = stage.loads.submit;
    }

    /// So many entities fit in without more memory.
    pub fn make_room(&mut self, entities: usize) {
        self.items.make_room(entities);
    }

    /// Shows those of every crowd of a standing world where they will be at Play, each under the id of its crowd.
    pub fn add_crowds(&mut self, world: &World) {
        let mut crowds = Vec::new();
        world.each_to_gather(|entity, look, pose| {
            let parent = SnapshotItem::NO_PARENT;
            crowds.push(SnapshotItem {
                entity,
                parent,
                previous: pose,
                current: pose,
                simulated: false,
                look,
            });
        });
        self.items.extend(&crowds);
    }

    /// An entity's pose in world space as drawn at this snapshot's alpha; that of a following camera is the one it looks
    /// from. `None`: it is not in the picture.
    #[must_use]
    pub fn drawn_pose(&self, entity: EntityId) -> Option<Pose> {
        let item = self.items.roster().position(entity)?;
        if self.camera.is_some_and(|camera| camera.item as usize == item && camera.follow.is_some()) {
            return self.camera_pose(self.alpha);
        }
        Some(self.world_pose(item, &|item| item.blended(self.alpha)))
    }

    /// Where an item is drawn, in world space.
    pub(crate) fn drawn_place(&self, item: usize) -> Vec3 {
        self.world_pose(item, &|item| item.blended(self.alpha)).position
    }

    /// An item in world space: a tick ago, now, and as drawn at this snapshot's alpha.
    #[must_use]
    pub fn world_poses(&self, item: usize) -> WorldPoses {
        WorldPoses {
            previous: self.world_pose(item, &|item| item.previous),
            current: self.world_pose(item, &|item| item.current),
            drawn: self.world_pose(item, &|item| item.blended(self.alpha)),
        }
    }

    /// Every item in world space as drawn at `alpha`, in the order of the items; the memory of `out` is used again.
    pub fn drawn_all(&self, alpha: f64, out: &mut Vec<Pose>) {
        out.clear();
        out.reserve(self.items.len());
        for item in self.items.iter() {
            let local = item.blended(alpha);
            // Parents come first.
            let world = match out.get(item.parent as usize) {
                Some(parent) => parent.of_child(&local),
                None => local,
            };
            out.push(world);
        }
    }

    /// Where the scene's camera stands and looks at `alpha`, in world space, scale 1: it looks along −z, +y up.
    ///
    /// One that follows stands `offset` beside the drawn position of its target and looks at it.
    #[must_use]
    pub fn camera_pose(&self, alpha: f64) -> Option<Pose> {
        let camera = self.camera?;
        let drawn = |item: u32| self.world_pose(item as usize, &|item| item.blended(alpha));
        let pose = match camera.follow {
            None => drawn(camera.item),
            Some((target, offset)) => {
                let target = drawn(target).position;
                Pose { position: target + offset, rotation: looking_along(-offset), scale: Vec3::ONE }
            }
        };
        Some(Pose { scale: Vec3::ONE, ..pose })
    }

    fn world_pose(&self, item: usize, local: &dyn Fn(&SnapshotItem) -> Pose) -> Pose {
        let member = |item: usize| self.items.roster().members()[item];
        let parent = |item: usize| match member(item).parent {
            SnapshotItem::NO_PARENT => None,
            parent => Some(parent as usize),
        };
        composed(item, parent, |item| {
            local(&self.items.get(item).expect("an item and its parents are in the picture"))
        })
    }
}

/// The rotation that turns −z to `direction` and keeps +y up.
fn looking_along(direction: Vec3) -> Quat {
    let back = -direction.normalize_or(Vec3::NEG_Z);
    // Straight up or down there is no such up; −z is then up or down the picture.
    let side = Vec3::Y.cross(back);
    let right = if side.length_squared() > 1e-12 { side.normalize() } else { Vec3::X };
    Quat::from_mat3(&Mat3::from_cols(right, back.cross(right), back))
}

#[cfg(test)]
mod tests;
