//! 64 bits that stand for many: the same for the same words in the same order.

use crate::scene::Pose;
use glam::Vec3;

/// FNV-1a's step over whole words, with SplitMix64's last mix so that every bit of the answer depends on every word.
pub(crate) struct Hash(u64);

impl Hash {
    pub const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    pub const fn word(&mut self, word: u64) {
        // The rotation carries high bits down, which multiplying alone never does.
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(29);
    }

    pub fn vector(&mut self, vector: Vec3) {
        vector.to_array().iter().for_each(|value| self.word(u64::from(value.to_bits())));
    }

    pub fn pose(&mut self, pose: &Pose) {
        self.vector(pose.position);
        pose.rotation.to_array().iter().for_each(|value| self.word(u64::from(value.to_bits())));
        self.vector(pose.scale);
    }

    pub const fn finish(self) -> u64 {
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }
}
