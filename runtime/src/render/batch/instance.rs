//! What a GPU draws one shape from.

use crate::scene::Pose;
use crate::scene::look::Look;
use glam::{Quat, Vec3};
use std::fmt;

/// One shape to draw, as the vertex shader reads it: 48 bytes.
///
/// Position x y z; unit quaternion x y z w; the pose's scale times the shape's size, x y z; for capsules half height ÷
/// radius; sRGB, red first, alpha 255. Each is four bytes, and all stand in threes of four: so many are written at once.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Instance {
    pub(super) words: [[u32; 4]; 3],
}

impl Instance {
    #[must_use]
    pub fn new(pose: &Pose, look: &Look) -> Self {
        let (at, turn, scale) = (pose.position, pose.rotation, pose.scale * look.size());
        let numbers = [
            [at.x, at.y, at.z, turn.x],
            [turn.y, turn.z, turn.w, scale.x],
            [scale.y, scale.z, look.stretch(), 0.0],
        ];
        let mut words = numbers.map(|row| row.map(f32::to_bits));
        words[2][3] = u32::from_ne_bytes(look.color());
        Self { words }
    }

    /// The same in another colour.
    #[must_use]
    pub const fn colored(mut self, color: [u8; 4]) -> Self {
        self.words[2][3] = u32::from_ne_bytes(color);
        self
    }

    #[must_use]
    pub fn position(&self) -> Vec3 {
        Vec3::from_array([0, 1, 2].map(|word| self.number(word)))
    }

    #[must_use]
    pub fn rotation(&self) -> Quat {
        Quat::from_array([3, 4, 5, 6].map(|word| self.number(word)))
    }

    /// The pose's scale times the shape's size.
    #[must_use]
    pub fn scale(&self) -> Vec3 {
        Vec3::from_array([7, 8, 9].map(|word| self.number(word)))
    }

    /// Capsules only: half height ÷ radius.
    #[must_use]
    pub fn stretch(&self) -> f32 {
        self.number(10)
    }

    /// sRGB, red first, alpha 255.
    #[must_use]
    pub const fn color(&self) -> [u8; 4] {
        self.words[2][3].to_ne_bytes()
    }

    fn number(&self, word: usize) -> f32 {
        f32::from_bits(self.words[word / 4][word % 4])
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Instance")
            .field("position", &self.position())
            .field("rotation", &self.rotation())
            .field("scale", &self.scale())
            .field("stretch", &self.stretch())
            .field("color", &self.color())
            .finish()
    }
}
