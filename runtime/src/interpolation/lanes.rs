//! Poses side by side: sixteen in a block, each number of all sixteen in a row, as a walk over many of them computes.

use crate::scene::Pose;
use glam::{Quat, Vec3};

/// How many stand side by side in a block.
pub(crate) const LANES: usize = 16;

/// One number of each in a block: a cache line.
pub(crate) type Row = [f32; LANES];

/// Row poses. Whole cache lines, so that none is shared between two blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct PoseLanes {
    /// x, y, z.
    pub position: [Row; 3],
    /// x, y, z, w.
    pub rotation: [Row; 4],
    pub scale: [Row; 3],
}

/// A row that no walk splits between two cache lines.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct WholeRow(pub Row);

impl Default for PoseLanes {
    /// Row times [`Pose::default`].
    fn default() -> Self {
        let (none, one) = ([0.0; LANES], [1.0; LANES]);
        Self { position: [none; 3], rotation: [none, none, none, one], scale: [one; 3] }
    }
}

impl PoseLanes {
    #[inline]
    pub fn pose(&self, lane: usize) -> Pose {
        Pose {
            position: Vec3::from_array(self.position.map(|row| row[lane])),
            rotation: Quat::from_array(self.rotation.map(|row| row[lane])),
            scale: Vec3::from_array(self.scale.map(|row| row[lane])),
        }
    }

    #[inline]
    pub fn set(&mut self, lane: usize, pose: &Pose) {
        let rows = self.position.iter_mut().chain(&mut self.rotation).chain(&mut self.scale);
        let (at, turn, scale) = (pose.position, pose.rotation, pose.scale);
        let numbers = [at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w, scale.x, scale.y, scale.z];
        for (row, number) in rows.zip(numbers) {
            row[lane] = number;
        }
    }
}

/// Many poses, in blocks; the last block is filled up with default ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Poses {
    // As many as hold `len`. Lanes past it are default poses: whoever computes whole blocks meets no odd numbers there.
    blocks: Vec<PoseLanes>,
    len: usize,
}

impl Poses {
    pub const fn len(&self) -> usize {
        self.len
    }

    pub fn get(&self, idx: usize) -> Option<Pose> {
        (idx < self.len).then(|| self.blocks[idx / LANES].pose(idx % LANES))
    }

    /// # Panics
    /// There is no pose of this index.
    #[inline]
    pub fn set(&mut self, idx: usize, pose: &Pose) {
        assert!(idx < self.len, "pose {idx} of {}", self.len);
        self.blocks[idx / LANES].set(idx % LANES, pose);
    }

    /// Default poses come at the end, or the last ones go.
    pub fn resize(&mut self, len: usize) {
        let kept = self.len.min(len);
        self.blocks.resize(len.div_ceil(LANES), PoseLanes::default());
        self.len = len;
        if let Some(block) = self.blocks.get_mut(kept / LANES) {
            (kept % LANES..LANES).for_each(|lane| block.set(lane, &Pose::default()));
        }
    }

    /// Becomes equal to `other`, in its own memory.
    pub fn copy(&mut self, other: &Self) {
        self.blocks.clone_from(&other.blocks);
        self.len = other.len;
    }

    /// Becomes as long as `other`, and gives the parts of both, so many blocks each, of which all are to be copied for
    /// the two to be equal.
    pub fn copy_in_parts<'a>(
        &'a mut self,
        other: &'a Self,
        blocks: usize,
    ) -> impl Iterator<Item = (&'a mut [PoseLanes], &'a [PoseLanes])> {
        self.blocks.resize(other.blocks.len(), PoseLanes::default());
        self.len = other.len;
        self.blocks.chunks_mut(blocks).zip(other.blocks.chunks(blocks))
    }

    pub fn blocks(&self) -> &[PoseLanes] {
        &self.blocks
    }

    pub fn blocks_mut(&mut self) -> &mut [PoseLanes] {
        &mut self.blocks
    }
}

impl FromIterator<Pose> for Poses {
    fn from_iter<I: IntoIterator<Item = Pose>>(poses: I) -> Self {
        let poses = poses.into_iter();
        let mut own = Self::default();
        own.blocks.reserve(poses.size_hint().0.div_ceil(LANES));
        for pose in poses {
            if own.len % LANES == 0 {
                own.blocks.push(PoseLanes::default());
            }
            own.len += 1;
            own.set(own.len - 1, &pose);
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(x: f32) -> Pose {
        Pose {
            position: Vec3::new(x, x + 0.1, x + 0.2),
            rotation: Quat::from_xyzw(x + 0.3, x + 0.4, x + 0.5, x + 0.6),
            scale: Vec3::new(x + 0.7, x + 0.8, x + 0.9),
        }
    }

    #[test]
    fn every_pose_is_given_back_as_it_was_put() {
        let poses: Poses = (0..19).map(|idx| pose(idx as f32)).collect();
        assert_eq!((poses.len(), poses.blocks().len()), (19, 2));
        for idx in 0..19 {
            assert_eq!(poses.get(idx), Some(pose(idx as f32)), "{idx}");
        }
        assert_eq!(poses.get(19), None);
    }

    #[test]
    fn what_is_cut_off_and_comes_again_is_a_default_pose() {
        let mut poses: Poses = (1..=12).map(|idx| pose(idx as f32)).collect();
        poses.resize(3);
        poses.resize(40);
        let found: Vec<_> = (0..40).map(|idx| poses.get(idx).expect("there")).collect();
        assert_eq!(found[..3], [pose(1.0), pose(2.0), pose(3.0)]);
        assert!(found[3..].iter().all(|found| *found == Pose::default()));
        let mut other = Poses::default();
        other.copy(&poses);
        assert_eq!(other, poses);
    }
}
