//! What a GPU draws a shape from, and the lists that a batch sorts it into.

use super::MeshKind;
use super::transpose::Apart;
use crate::interpolation::{LANES, ask_beyond, ask_for};
use crate::scene::Pose;
use crate::scene::look::Look;
use fearless_simd::Simd;
use glam::{Quat, Vec3};
use std::fmt;
use std::ops::{Deref, Index};

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

/// A list of instances that keeps its memory, and what stands in it, from picture to picture.
#[derive(Clone, Default)]
pub struct Instances {
    // Longer than the list by what it once held more: room that need not be cleared before it is written.
    room: Vec<Block>,
    len: usize,
}

/// A block of instances, in whole cache lines.
#[repr(C, align(64))]
#[derive(Clone, Copy, Default, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Block(pub [Instance; LANES]);

impl Instances {
    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }

    /// Puts one of a block behind all others. `asks`: has the room for what follows a block later brought near; as each
    /// does so, all of it is.
    #[inline(always)]
    pub(super) fn push<S: Simd>(&mut self, simd: S, from: &Apart, lane: usize, asks: bool) {
        if self.len >= self.room.len() * LANES {
            self.grow();
        }
        let out = &mut bytemuck::cast_slice_mut::<Block, Instance>(&mut self.room)[self.len];
        if asks {
            ask_beyond(simd, out, size_of::<Block>());
        }
        from.write_one(lane, out);
        self.len += 1;
    }

    /// One more.
    #[cfg(test)]
    pub(super) fn push_one(&mut self, instance: &Instance) {
        self.len += 1;
        if self.len > self.room.len() * LANES {
            self.grow();
        }
        bytemuck::cast_slice_mut(&mut self.room)[self.len - 1] = *instance;
    }

    /// A block more, whatever it was before: all of it is to be written.
    #[inline(always)]
    pub(super) fn block_more(&mut self) -> &mut [Instance; LANES] {
        let start = self.len;
        self.len += LANES;
        if self.len > self.room.len() * LANES {
            self.grow();
        }
        bytemuck::cast_slice_mut(&mut self.room)[start..].first_chunk_mut().expect("it has grown")
    }

    /// Has the room for what follows so many blocks later brought near.
    #[inline(always)]
    pub(super) fn ask_for<S: Simd>(&self, simd: S, blocks: usize) {
        ask_for(simd, &self.room, self.len / LANES + blocks);
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.room.resize((self.len * 2).div_ceil(LANES).max(4), Block::default());
    }
}

impl Deref for Instances {
    type Target = [Instance];

    fn deref(&self) -> &[Instance] {
        &bytemuck::cast_slice(&self.room)[..self.len]
    }
}

impl PartialEq for Instances {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Instances {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, out)
    }
}

/// What is done with the instances of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Seen, and lying on the ground: drawn dull, with the grid on it.
    Ground,
    /// Seen, but too flat or too wide to throw a shadow on anything.
    DrawnOnly,
    /// Seen, and throws a shadow.
    Casting,
    /// Not seen, but its shadow may be.
    UnseenCasting,
}

impl Part {
    pub const ALL: [Self; 4] = [Self::Ground, Self::DrawnOnly, Self::Casting, Self::UnseenCasting];
}

/// The instances of one mesh, by what is done with them. Drawn: all but the last part; into the shadow map: the last two.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshInstances {
    pub(super) parts: [Instances; Part::ALL.len()],
}

impl MeshInstances {
    pub(super) fn clear(&mut self) {
        self.parts.iter_mut().for_each(Instances::clear);
    }
}

impl Index<Part> for MeshInstances {
    type Output = Instances;

    fn index(&self, part: Part) -> &Instances {
        &self.parts[part as usize]
    }
}

/// By [`MeshKind::idx`].
pub type Meshes = [MeshInstances; MeshKind::COUNT];
