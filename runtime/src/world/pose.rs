//! Poses under poses.

use crate::scene::Pose;

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

    /// Every component is a finite number.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

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
}
