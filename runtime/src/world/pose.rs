//! Poses under poses.

use crate::scene::Pose;
use crate::scene::check::ranges;

impl Pose {
    /// Where a child of this pose is, in the space this pose is in: `self` after `local`.
    ///
    /// Scales multiply by component; the shear that a turned child of an unevenly scaled parent would need is left
    /// out.
    #[must_use]
    pub fn of_child(&self, local: &Self) -> Self {
        Self {
            position: self.position + self.rotation * (self.scale * local.position),
            rotation: self.rotation * local.rotation,
            scale: self.scale * local.scale,
        }
    }

    /// What [`Self::of_child`] makes `world` of; `None` below a scale of nothing.
    #[must_use]
    pub fn child_of(&self, world: &Self) -> Option<Self> {
        let into = self.rotation.inverse();
        let local = Self {
            position: into * (world.position - self.position) / self.scale,
            rotation: into * world.rotation,
            scale: world.scale / self.scale,
        };
        local.is_finite().then_some(local)
    }

    /// Every component is a finite number.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }

    /// Finite, and in the ranges that a scene's own poses are held to.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.is_finite()
            && ranges::POSITION.holds_all(self.position)
            && ranges::SCALE.holds_all(self.scale.abs())
    }
}

/// The pose of `from` in the space its root is in: every local pose below that of its parent, root first.
///
/// No recursion, however deep; up to [`USUAL_DEPTH`] levels nothing is allocated.
pub(crate) fn composed<T: Copy>(from: T, parent: impl Fn(T) -> Option<T>, local: impl Fn(T) -> Pose) -> Pose {
    let Some(above) = parent(from) else { return local(from) };
    let (mut near, mut depth, mut far) = ([above; USUAL_DEPTH], 0, Vec::new());
    for at in std::iter::successors(Some(above), |at| parent(*at)) {
        match near.get_mut(depth) {
            Some(place) => (*place, depth) = (at, depth + 1),
            None => far.push(at),
        }
    }
    // From the root down: below uneven scales, the other way round gives another pose.
    let root_first = far.iter().rev().chain(near[..depth].iter().rev());
    let world = root_first.map(|at| local(*at)).reduce(|above, local| above.of_child(&local));
    world.map_or_else(|| local(from), |above| above.of_child(&local(from)))
}

/// Deeper than any scene is that somebody made.
const USUAL_DEPTH: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    #[test]
    fn a_child_is_scaled_then_turned_then_moved() {
        let parent = Pose {
            position: Vec3::new(10.0, 0.0, 0.0),
            rotation: Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
            scale: Vec3::splat(2.0),
        };
        let child = Pose { position: Vec3::new(1.0, 1.0, 0.0), scale: Vec3::splat(0.5), ..Pose::default() };
        let world = parent.of_child(&child);
        // A quarter turn about y takes +x to −z.
        assert!(world.position.abs_diff_eq(Vec3::new(10.0, 2.0, -2.0), 1e-6), "{world:?}");
        assert_eq!(world.scale, Vec3::ONE);
    }

    #[test]
    fn a_pose_is_composed_from_the_root_down_at_any_depth() {
        let turned = Pose {
            position: Vec3::new(0.25, 0.0, 0.5),
            rotation: Quat::from_rotation_y(0.4),
            scale: Vec3::new(2.0, 1.0, 0.5),
        };
        // Every second one undoes the scale of the one before.
        let local = |level: usize| Pose {
            scale: if level.is_multiple_of(2) { turned.scale } else { turned.scale.recip() },
            ..turned
        };
        for depth in [0, 1, 2, USUAL_DEPTH - 1, USUAL_DEPTH, USUAL_DEPTH + 1, 100, 100_000] {
            let down = (0..depth).fold(local(0), |above, level| above.of_child(&local(level + 1)));
            assert_eq!(composed(depth, |level| level.checked_sub(1), local), down, "{depth}");
        }
    }
}
