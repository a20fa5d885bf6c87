//! Where things stand, and how large they are, with all their parents: sums and products of numbers that are each in
//! their range, and may leave it together.

use super::ranges::{self, Range};
use super::vector;
use crate::scene::{Entity, Pose, Scene};
use glam::Vec3;

/// Every entity in the world, at Play.
pub(super) struct Placing<'a> {
    scene: &'a Scene,
    // None in a loop of parents, and below what is out of range: only the first of those is told.
    above: Vec<Option<Pose>>,
}

impl<'a> Placing<'a> {
    /// `parent_of` by index; an entity for which `in_loop` is true stands nowhere.
    pub fn new(scene: &'a Scene, parent_of: &[Option<usize>], in_loop: &[bool]) -> Self {
        let count = scene.entities.len();
        let mut placing = Self { scene, above: vec![None; count] };
        let mut done = vec![false; count];
        let mut chain = Vec::new();
        for start in 0..count {
            let mut at = Some(start);
            while let Some(index) = at.filter(|index| !done[*index]) {
                done[index] = true;
                chain.push(index);
                at = parent_of[index];
            }
            // Parents first: nothing recurses, however deep the chain.
            for index in chain.drain(..).rev() {
                placing.above[index] = match parent_of[index] {
                    _ if in_loop[index] => None,
                    None => Some(Pose::default()),
                    Some(parent) => placing.world_pose(parent).filter(in_range),
                };
            }
        }
        placing
    }

    /// Field and message of what leaves its range only together with the parents, or a scale.
    pub fn faults(&self, index: usize) -> Vec<(&'static str, String)> {
        self.world_pose(index)
            .map_or_else(Vec::new, |pose| faults_of_placed(&self.scene.entities[index], &pose))
    }

    fn world_pose(&self, index: usize) -> Option<Pose> {
        self.above[index].map(|above| above.of_child(&self.scene.entities[index].transform.pose()))
    }
}

/// The same of one entity, which stands here in the world.
pub(super) fn faults_of_placed(entity: &Entity, pose: &Pose) -> Vec<(&'static str, String)> {
    let (own, hangs) = (&entity.transform, entity.parent.is_some());
    if !ranges::POSITION.holds_all(own.position) || !ranges::SCALE.holds_all(own.scale) {
        return Vec::new();
    }
    let mut found = Vec::new();
    if hangs && !ranges::POSITION.holds_all(pose.position) {
        let message = told("with its parents it stands at", pose.position, ranges::POSITION);
        found.push(("transform.position", message));
    }
    if hangs && !ranges::SCALE.holds_all(pose.scale) {
        found.push(("transform.scale", told("with its parents its scale is", pose.scale, ranges::SCALE)));
        return found;
    }
    let spawned = entity.spawner.as_ref().map(|spawner| &spawner.shape);
    let crowd = entity.crowd.as_ref().filter(|crowd| ranges::SPACING.holds(crowd.spacing));
    if let Some(crowd) = crowd {
        let farthest = pose.of_child(&crowd.place(0)).position;
        if ranges::POSITION.holds_all(pose.position) && !ranges::POSITION.holds_all(farthest) {
            found.push(("crowd.spacing", told("its farthest stands at", farthest, ranges::POSITION)));
        }
    }
    let shapes = [
        ("shape", entity.shape.as_ref()),
        ("spawner.shape", spawned),
        ("crowd.shape", entity.crowd.as_ref().map(|crowd| &crowd.shape)),
    ];
    for (field, shape) in shapes {
        let Some(shape) = shape.filter(|shape| ranges::SIZE.holds_all(shape.lengths())) else { continue };
        let scaled = shape.lengths() * pose.scale;
        if !ranges::SIZE.holds_all(scaled) {
            found.push((field, told("with its scale it measures", scaled, ranges::SIZE)));
        }
    }
    found
}

fn told(what: &str, value: Vec3, range: Range) -> String {
    format!("{what} {}, outside {range}", range.with_unit(&vector(value)))
}

pub(super) fn in_range(pose: &Pose) -> bool {
    ranges::POSITION.holds_all(pose.position) && ranges::SCALE.holds_all(pose.scale)
}
