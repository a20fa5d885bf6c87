//! What a finished target shows: for picking, for labels beside bodies, and to say which frame it is.

use super::view::project;
use crate::interpolation::{Member, NO_PARENT, Poses, Roster};
use crate::scene::look::Look;
use crate::scene::{EntityId, Pose};
use crate::time::{FrameIndex, Nanos, Tick};
use glam::{Mat4, Vec2, Vec3};
use std::sync::Arc;

/// One entity as it stands in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PictureItem {
    pub entity: EntityId,
    /// In the world: between its poses at the last two ticks.
    pub drawn: Pose,
    /// Its pose, or one of its parents', is blended between two ticks.
    pub simulated: bool,
    pub look: Look,
    /// Of a sphere about the drawn position that holds the whole shape, in metres; 0 without a shape.
    pub radius: f32,
}

/// Every entity as it stands in a picture. What does not change from picture to picture is shared with the snapshots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PictureItems {
    // As long as each other.
    roster: Arc<Roster>,
    drawn: Poses,
}

impl PictureItems {
    #[must_use]
    pub fn len(&self) -> usize {
        self.drawn.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[must_use]
    pub fn get(&self, idx: usize) -> Option<PictureItem> {
        let (member, drawn) = self.roster.members().get(idx).zip(self.drawn.get(idx))?;
        Some(PictureItem {
            entity: member.entity,
            drawn,
            simulated: self.roster.moves(idx),
            look: member.look,
            radius: member.look.bounding_radius(drawn.scale),
        })
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = PictureItem> + '_ {
        (0..self.len()).map(|idx| self.get(idx).expect("every index below the length has an item"))
    }

    /// The index of an entity.
    #[must_use]
    pub fn position(&self, entity: EntityId) -> Option<usize> {
        self.roster.position(entity)
    }

    /// Its poses, to be drawn anew, after the entities were made those of the roster.
    pub(super) fn drawn_for(&mut self, roster: &Arc<Roster>) -> &mut Poses {
        if !Arc::ptr_eq(&self.roster, roster) {
            self.roster = Arc::clone(roster);
        }
        self.drawn.resize(roster.len());
        &mut self.drawn
    }

    pub(super) const fn drawn(&self) -> &Poses {
        &self.drawn
    }

    pub(super) const fn roster(&self) -> &Arc<Roster> {
        &self.roster
    }
}

impl FromIterator<PictureItem> for PictureItems {
    /// Nothing hangs on anything; the radii are those of the looks.
    fn from_iter<I: IntoIterator<Item = PictureItem>>(items: I) -> Self {
        let items: Vec<PictureItem> = items.into_iter().collect();
        let members = items.iter().map(|item| Member {
            entity: item.entity,
            parent: NO_PARENT,
            simulated: item.simulated,
            look: item.look,
        });
        Self { roster: Arc::new(members.collect()), drawn: items.iter().map(|item| item.drawn).collect() }
    }
}

/// The two poses that an entity is drawn between, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TickPoses {
    pub entity: EntityId,
    /// At the tick before.
    pub previous: Pose,
    /// At the last tick.
    pub current: Pose,
}

/// Travels with a target, so that what is read from it is always that of the picture on screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    pub run: u32,
    pub frame: FrameIndex,
    pub tick: Tick,
    pub alpha: f64,
    pub shown_time: Nanos,
    /// How many ticks before `tick` that is blended from: more than one only where several came with one frame of the free
    /// handoff; 0 before the first.
    pub motion_ticks: u32,
    /// Everything stands: what it shows belongs to no moment.
    pub ends: bool,
    /// The snapshot of this frame drawn again for another view.
    pub redraw: bool,
    /// Drawn at the last tick as simulated, not blended.
    pub last_tick: bool,
    /// Taken through the scene's own camera.
    pub through_scene_camera: bool,
    pub outlook: Outlook,
    /// Where the same frame was drawn from once more, if it was.
    pub second: Option<Outlook>,
    /// In the snapshot's order, parents before children.
    pub items: PictureItems,
    /// Of the entity that was selected in the view this is a picture of.
    pub selected: Option<TickPoses>,
}

/// How the world comes to stand in the pixels of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outlook {
    /// Clip from world; depth 0 near, 1 far.
    pub view_projection: Mat4,
    pub eye: Vec3,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Without perspective: every ray goes the same way.
    pub orthographic: bool,
    /// Pixels that one metre covers at a distance of one metre, and the least distance that counts for it: how finely
    /// round shapes are cut comes of them.
    pub pixels_per_metre: f32,
    pub nearest: f32,
}

impl Picture {
    /// The entity as this picture shows it.
    #[must_use]
    pub fn item(&self, entity: EntityId) -> Option<PictureItem> {
        self.items.position(entity).and_then(|idx| self.items.get(idx))
    }

    /// Those of these entities that it shows, in the order of `ids`: one look through the picture for all of them.
    #[must_use]
    pub fn items_of(&self, ids: &[EntityId]) -> Vec<PictureItem> {
        if let [id] = ids {
            return self.item(*id).into_iter().collect();
        }
        let mut wanted: Vec<(EntityId, usize)> = ids.iter().copied().zip(0..).collect();
        wanted.sort_unstable();
        let members = self.items.roster.members().iter().enumerate();
        let mut found: Vec<(usize, usize)> = members
            .filter_map(|(idx, member)| {
                let at = wanted.binary_search_by_key(&member.entity, |(id, _)| *id).ok()?;
                Some((wanted[at].1, idx))
            })
            .collect();
        found.sort_unstable();
        found.into_iter().filter_map(|(_, idx)| self.items.get(idx)).collect()
    }

    /// The poses it is drawn between; `None` until a picture is drawn in which it is selected.
    #[must_use]
    pub fn tick_poses(&self, entity: EntityId) -> Option<&TickPoses> {
        self.selected.as_ref().filter(|poses| poses.entity == entity)
    }
}

impl Outlook {
    /// Of a picture of this size, taken through a lens.
    #[must_use]
    pub fn new(lens: &super::view::Lens, size: [u32; 2]) -> Self {
        Self {
            view_projection: lens.clip_from_world,
            eye: lens.eye,
            size,
            orthographic: lens.orthographic.is_some(),
            pixels_per_metre: lens.pixels_per_metre(size),
            nearest: lens.nearest(),
        }
    }

    /// Where a world point stands, in pixels from the top left; `None` behind the eye.
    #[must_use]
    pub fn pixel(&self, point: Vec3) -> Option<Vec2> {
        project(&self.view_projection, point, self.size)
    }

    /// From the eye through a pixel: origin and unit direction. Without perspective it begins before all that is drawn.
    #[must_use]
    pub fn ray(&self, pixel: Vec2) -> (Vec3, Vec3) {
        let size = Vec2::new(self.size[0].max(1) as f32, self.size[1].max(1) as f32);
        let ndc = Vec2::new(pixel.x / size.x * 2.0 - 1.0, 1.0 - pixel.y / size.y * 2.0);
        let world_from_clip = self.view_projection.inverse();
        let through = world_from_clip.project_point3(ndc.extend(0.5));
        let origin =
            if self.orthographic { world_from_clip.project_point3(ndc.extend(0.0)) } else { self.eye };
        (origin, (through - origin).normalize_or(Vec3::NEG_Z))
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::Lens;
    use super::*;

    #[test]
    fn a_ray_through_the_pixel_of_a_point_meets_the_point() {
        let deep = Lens::fly(Vec3::new(1.0, 2.0, 8.0), 0.3, -0.2, 50.0, [960, 600]);
        let flat = Lens::orthographic(Vec3::new(1.0, 2.0, 0.0), 0.3, -0.2, 12.0, [960, 600]);
        for lens in [deep, flat] {
            let outlook = Outlook::new(&lens, [960, 600]);
            let point = Vec3::new(-2.0, 0.5, 1.0);
            let (origin, direction) = outlook.ray(outlook.pixel(point).unwrap());
            let along = (point - origin).dot(direction);
            assert!((origin + direction * along - point).length() < 1e-3);
        }
    }

    #[test]
    fn without_perspective_all_rays_go_where_the_lens_looks() {
        let lens = Lens::orthographic(Vec3::ZERO, 0.0, -std::f32::consts::FRAC_PI_2, 10.0, [300, 200]);
        let outlook = Outlook::new(&lens, [300, 200]);
        for pixel in [Vec2::new(0.0, 0.0), Vec2::new(290.0, 100.0)] {
            let (origin, direction) = outlook.ray(pixel);
            assert!((direction - Vec3::NEG_Y).length() < 1e-4, "{direction}");
            assert!(origin.y > 900.0, "it begins above all there is: {origin}");
        }
    }

    #[test]
    fn the_items_of_many_come_in_the_order_in_which_they_are_asked_for() {
        let items = (1..=4).map(|id| PictureItem { entity: EntityId(id), ..PictureItem::default() });
        let picture = Picture { items: items.collect(), ..Picture::default() };
        let found = |ids: &[u64]| {
            let ids: Vec<EntityId> = ids.iter().copied().map(EntityId).collect();
            picture.items_of(&ids).iter().map(|item| item.entity.0).collect::<Vec<_>>()
        };
        assert_eq!(found(&[3, 9, 1]), [3, 1]);
        assert_eq!(found(&[4]), [4]);
        assert_eq!(found(&[9]), [0; 0]);
        assert_eq!(found(&[]), [0; 0]);
    }
}
