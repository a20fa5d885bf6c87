//! The lists of instances that a batch sorts its shapes into.

use super::MeshKind;
use super::instance::Instance;
use super::transpose::Apart;
use crate::interpolation::{LANES, ask_beyond, ask_for};
use fearless_simd::Simd;
use std::fmt;
use std::ops::{Deref, Index};

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
