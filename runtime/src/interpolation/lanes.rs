//! Poses side by side: sixteen in a block, each number of all sixteen in a row, as a walk over many of them computes.

use crate::scene::Pose;
use glam::{Quat, Vec3};

/// How many stand side by side in a block.
pub(crate) const LANES: usize = 16;

/// One number of each in a block: a cache line.
pub(crate) type Row = [f32; LANES];

/// Sixteen poses but for their scales. Whole cache lines, so that none is shared between two blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct PoseLanes {
    /// x, y, z.
    pub position: [Row; 3],
    /// x, y, z, w.
    pub rotation: [Row; 4],
}

/// The scales of sixteen poses: x, y, z.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct ScaleLanes(pub [Row; 3]);

/// A row that no walk splits between two cache lines.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct WholeRow(pub Row);

impl Default for PoseLanes {
    /// Sixteen times [`Pose::default`].
    fn default() -> Self {
        let (none, one) = ([0.0; LANES], [1.0; LANES]);
        Self { position: [none; 3], rotation: [none, none, none, one] }
    }
}

impl ScaleLanes {
    const ONE: Self = Self([[1.0; LANES]; 3]);

    pub fn get(&self, lane: usize) -> Vec3 {
        Vec3::from_array(self.0.map(|row| row[lane]))
    }

    fn set(&mut self, lane: usize, scale: Vec3) {
        for (row, number) in self.0.iter_mut().zip(scale.to_array()) {
            row[lane] = number;
        }
    }
}

impl PoseLanes {
    #[inline]
    pub fn position(&self, lane: usize) -> Vec3 {
        Vec3::from_array(self.position.map(|row| row[lane]))
    }

    #[inline]
    pub fn rotation(&self, lane: usize) -> Quat {
        Quat::from_array(self.rotation.map(|row| row[lane]))
    }

    #[inline]
    fn set(&mut self, lane: usize, pose: &Pose) {
        let rows = self.position.iter_mut().chain(&mut self.rotation);
        let (at, turn) = (pose.position, pose.rotation);
        let numbers = [at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w];
        for (row, number) in rows.zip(numbers) {
            row[lane] = number;
        }
    }
}

/// Many poses, in blocks; the last block is filled up with default ones.
///
/// Hardly anything is scaled, and where nothing in a block is, its scales are neither read nor written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Poses {
    // As many as hold `len`. Lanes past it are default poses: whoever computes whole blocks meets no odd numbers there.
    blocks: Vec<PoseLanes>,
    // As many. Those of a block that is not scaled are ones.
    scales: Vec<ScaleLanes>,
    // As many. Where all scales of a block are ones again, it may still count as scaled.
    is_scaled: Vec<bool>,
    len: usize,
}

impl PartialEq for Poses {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.blocks == other.blocks && self.scales == other.scales
    }
}

impl Poses {
    pub const fn len(&self) -> usize {
        self.len
    }

    pub fn get(&self, idx: usize) -> Option<Pose> {
        let (block, lane) = (idx / LANES, idx % LANES);
        (idx < self.len).then(|| Pose {
            position: self.blocks[block].position(lane),
            rotation: self.blocks[block].rotation(lane),
            scale: if self.is_scaled[block] { self.scales[block].get(lane) } else { Vec3::ONE },
        })
    }

    /// # Panics
    /// There is no pose of this index.
    #[inline]
    pub fn set(&mut self, idx: usize, pose: &Pose) {
        assert!(idx < self.len, "pose {idx} of {}", self.len);
        self.whole().set(idx, pose);
    }

    /// Default poses come at the end, or the last ones go.
    pub fn resize(&mut self, len: usize) {
        let kept = self.len.min(len);
        let blocks = len.div_ceil(LANES);
        self.blocks.resize(blocks, PoseLanes::default());
        self.scales.resize(blocks, ScaleLanes::ONE);
        self.is_scaled.resize(blocks, false);
        self.len = len;
        let block = kept / LANES;
        if block < blocks {
            for lane in kept % LANES..LANES {
                self.blocks[block].set(lane, &Pose::default());
                self.scales[block].set(lane, Vec3::ONE);
            }
        }
    }

    /// So many poses fit in without more memory.
    pub fn make_room(&mut self, len: usize) {
        let blocks = len.div_ceil(LANES);
        self.blocks.reserve(blocks.saturating_sub(self.blocks.len()));
        self.scales.reserve(blocks.saturating_sub(self.scales.len()));
        self.is_scaled.reserve(blocks.saturating_sub(self.is_scaled.len()));
    }

    /// Becomes equal to `other`, in its own memory.
    pub fn copy(&mut self, other: &Self) {
        let (mut to, from) = self.both_to_copy(other);
        to.copy(&from);
    }

    /// Becomes as long as `other`; both, of which all is to be copied for the two to be equal.
    pub fn both_to_copy<'a>(&'a mut self, other: &'a Self) -> (PosesPart<'a>, PosesFrom<'a>) {
        self.blocks.resize(other.blocks.len(), PoseLanes::default());
        self.scales.resize(other.scales.len(), ScaleLanes::ONE);
        self.is_scaled.resize(other.is_scaled.len(), false);
        self.len = other.len;
        let Self { blocks, scales, is_scaled, .. } = other;
        (self.whole(), PosesFrom { blocks, scales, is_scaled })
    }

    /// All of them, to be written part by part.
    pub fn whole(&mut self) -> PosesPart<'_> {
        PosesPart { blocks: &mut self.blocks, scales: &mut self.scales, is_scaled: &mut self.is_scaled }
    }

    pub fn blocks(&self) -> &[PoseLanes] {
        &self.blocks
    }

    pub fn blocks_mut(&mut self) -> &mut [PoseLanes] {
        &mut self.blocks
    }

    /// Of a block; none where all are one.
    #[inline(always)]
    pub fn scales(&self, block: usize) -> Option<&ScaleLanes> {
        if self.is_scaled[block] { Some(&self.scales[block]) } else { None }
    }

    /// As [`Poses::scales`], and ones where there was none.
    #[inline]
    pub fn scales_or_ones(&self, block: usize) -> &ScaleLanes {
        &self.scales[block]
    }

    /// To write the scales of a block: all of them.
    #[inline]
    pub fn scale(&mut self, block: usize) -> &mut ScaleLanes {
        self.is_scaled[block] = true;
        &mut self.scales[block]
    }

    /// Makes all scales of a block one.
    #[inline(always)]
    pub fn unscale(&mut self, block: usize) {
        if self.is_scaled[block] {
            self.is_scaled[block] = false;
            self.scales[block] = ScaleLanes::ONE;
        }
    }
}

/// Whole blocks of poses, one after another, to be written.
pub(crate) struct PosesPart<'a> {
    // As long as each other, and meant as those of [`Poses`].
    blocks: &'a mut [PoseLanes],
    scales: &'a mut [ScaleLanes],
    is_scaled: &'a mut [bool],
}

/// Whole blocks of poses, one after another, to be copied.
pub(crate) struct PosesFrom<'a> {
    blocks: &'a [PoseLanes],
    scales: &'a [ScaleLanes],
    is_scaled: &'a [bool],
}

/// As [`PosesPart`], as many blocks as the type says: as small as what a job holds may be.
pub(crate) struct PosesChunk<'a, const BLOCKS: usize> {
    blocks: &'a mut [PoseLanes; BLOCKS],
    scales: &'a mut [ScaleLanes; BLOCKS],
    is_scaled: &'a mut [bool; BLOCKS],
}

/// As [`PosesFrom`], as many blocks as the type says.
pub(crate) struct ChunkFrom<'a, const BLOCKS: usize> {
    blocks: &'a [PoseLanes; BLOCKS],
    scales: &'a [ScaleLanes; BLOCKS],
    is_scaled: &'a [bool; BLOCKS],
}

impl<const BLOCKS: usize> PosesChunk<'_, BLOCKS> {
    pub fn part(&mut self) -> PosesPart<'_> {
        PosesPart { blocks: self.blocks, scales: self.scales, is_scaled: self.is_scaled }
    }
}

impl<const BLOCKS: usize> ChunkFrom<'_, BLOCKS> {
    pub fn part(&self) -> PosesFrom<'_> {
        PosesFrom { blocks: self.blocks, scales: self.scales, is_scaled: self.is_scaled }
    }
}

impl<'a> PosesFrom<'a> {
    /// So many blocks each, and what is left of them.
    pub fn in_chunks<const BLOCKS: usize>(self) -> (impl Iterator<Item = ChunkFrom<'a, BLOCKS>>, Self) {
        let (blocks, last_blocks) = self.blocks.as_chunks();
        let (scales, last_scales) = self.scales.as_chunks();
        let (is_scaled, last_is_scaled) = self.is_scaled.as_chunks();
        let chunks = blocks.iter().zip(scales.iter().zip(is_scaled));
        let chunks = chunks.map(|(blocks, (scales, is_scaled))| ChunkFrom { blocks, scales, is_scaled });
        (chunks, Self { blocks: last_blocks, scales: last_scales, is_scaled: last_is_scaled })
    }
}

impl<'a> PosesPart<'a> {
    /// So many blocks each, and what is left of them.
    pub fn in_chunks<const BLOCKS: usize>(self) -> (impl Iterator<Item = PosesChunk<'a, BLOCKS>>, Self) {
        let (blocks, last_blocks) = self.blocks.as_chunks_mut();
        let (scales, last_scales) = self.scales.as_chunks_mut();
        let (is_scaled, last_is_scaled) = self.is_scaled.as_chunks_mut();
        let chunks = blocks.iter_mut().zip(scales.iter_mut().zip(is_scaled));
        let chunks = chunks.map(|(blocks, (scales, is_scaled))| PosesChunk { blocks, scales, is_scaled });
        (chunks, Self { blocks: last_blocks, scales: last_scales, is_scaled: last_is_scaled })
    }

    /// Sets the pose that stands here, counted from the first of the part.
    ///
    /// # Panics
    /// The part has no such block.
    #[inline]
    pub fn set(&mut self, idx: usize, pose: &Pose) {
        let (block, lane) = (idx / LANES, idx % LANES);
        self.blocks[block].set(lane, pose);
        if self.is_scaled[block] || pose.scale != Vec3::ONE {
            self.is_scaled[block] = true;
            self.scales[block].set(lane, pose.scale);
        }
    }

    /// Becomes equal to as many others.
    pub fn copy(&mut self, from: &PosesFrom<'_>) {
        self.blocks.copy_from_slice(from.blocks);
        let own = self.scales.iter_mut().zip(self.is_scaled.iter_mut());
        for ((own, is_scaled), (other, other_is_scaled)) in own.zip(from.scales.iter().zip(from.is_scaled)) {
            if *other_is_scaled {
                *own = *other;
            } else if *is_scaled {
                *own = ScaleLanes::ONE;
            }
            *is_scaled = *other_is_scaled;
        }
    }
}

impl FromIterator<Pose> for Poses {
    fn from_iter<I: IntoIterator<Item = Pose>>(poses: I) -> Self {
        let poses = poses.into_iter();
        let mut own = Self::default();
        let blocks = poses.size_hint().0.div_ceil(LANES);
        own.blocks.reserve(blocks);
        own.scales.reserve(blocks);
        own.is_scaled.reserve(blocks);
        for pose in poses {
            if own.len % LANES == 0 {
                own.blocks.push(PoseLanes::default());
                own.scales.push(ScaleLanes::ONE);
                own.is_scaled.push(false);
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

    #[test]
    fn a_block_is_scaled_from_its_first_scale_on_until_it_is_unscaled() {
        let mut poses: Poses = (0..20).map(|_| Pose::default()).collect();
        assert!((0..2).all(|block| poses.scales(block).is_none()));
        let (large, twice) = (Pose { scale: Vec3::splat(2.0), ..Pose::default() }, Vec3::splat(2.0));
        poses.set(17, &large);
        assert!(poses.scales(0).is_none());
        assert_eq!(poses.scales(1).map(|scales| (scales.get(0), scales.get(1))), Some((Vec3::ONE, twice)));
        // A copy in the memory of other poses has the scales of the one, and no longer those of the other.
        let mut copy: Poses = (0..20).map(|_| large).collect();
        copy.copy(&poses);
        assert_eq!((&copy, copy.get(0), copy.get(17)), (&poses, Some(Pose::default()), Some(large)));
        poses.unscale(1);
        assert_eq!((poses.scales(1), poses.get(17)), (None, Some(Pose::default())));
    }
}
