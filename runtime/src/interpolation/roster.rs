//! What of every entity stays the same from frame to frame: who it is, what it hangs on and what it looks like.

use super::lanes::{LANES, Row};
use crate::scene::EntityId;
use crate::scene::look::{Look, LookKind};
use glam::Vec3;

/// One entity of a roster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Member {
    pub entity: EntityId,
    /// Index of another member, or [`NO_PARENT`]. One that does not stand before it is none.
    pub parent: u32,
    /// Has two poses to blend.
    pub simulated: bool,
    pub look: Look,
}

pub(crate) const NO_PARENT: u32 = u32::MAX;

/// Everything there is, parents before children. Made anew where something comes, goes or changes its look; shared by
/// every snapshot and picture in between.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roster {
    members: Vec<Member>,
    // The same in blocks, as a batch reads it: as many of each.
    lanes: Vec<LookLanes>,
    sizes: Vec<SizeLanes>,
    colors: Vec<ColorLanes>,
    shaped: u32,
}

/// What a batch asks of sixteen entities in each of its walks: a cache line. A set bit stands for the lane of that number.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct LookLanes {
    /// Of the first one; of all of them where they have one shape.
    pub first: Size,
    /// [`LookKind`] as a number.
    pub kind: [u8; LANES],
    pub simulated: u16,
    /// Simulated, or below something that is.
    pub moves: u16,
    /// Has a parent.
    pub hangs: u16,
    pub is_plane: u16,
    pub is_round: u16,
    /// Every lane has a shape, and all have the same kind.
    pub alike: bool,
    /// They are also of one size, to the bit.
    pub one_size: bool,
}

/// How large a look is.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Size {
    /// Of a sphere about the unscaled shape; NaN, which nothing compares with, where there is none.
    pub radius: f32,
    /// What the mesh is scaled by before the pose's scale: x, y, z.
    pub size: [f32; 3],
    pub stretch: f32,
}

/// Sixteen sizes. Where all are the same, nobody reads them.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct SizeLanes {
    pub radius: Row,
    pub size: [Row; 3],
    pub stretch: Row,
}

/// Sixteen colours: sRGB, red in the lowest byte, as the machine orders bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct ColorLanes(pub [u32; LANES]);

/// All that a batch asks of a roster, in blocks: as many of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looks<'a> {
    pub lanes: &'a [LookLanes],
    pub sizes: &'a [SizeLanes],
    pub colors: &'a [ColorLanes],
}

impl Roster {
    pub fn len(&self) -> usize {
        self.members.len()
    }

    pub fn members(&self) -> &[Member] {
        &self.members
    }

    pub fn looks(&self) -> Looks<'_> {
        Looks { lanes: &self.lanes, sizes: &self.sizes, colors: &self.colors }
    }

    /// How many have a shape.
    pub const fn shaped(&self) -> u32 {
        self.shaped
    }

    /// Its pose, or that of a parent, is blended.
    pub fn moves(&self, idx: usize) -> bool {
        self.lanes.get(idx / LANES).is_some_and(|lanes| lanes.moves & (1 << (idx % LANES)) != 0)
    }

    pub fn position(&self, entity: EntityId) -> Option<usize> {
        self.members.iter().position(|member| member.entity == entity)
    }

    /// Becomes the roster of these, in its own memory.
    pub fn fill(&mut self, members: impl IntoIterator<Item = Member>) {
        self.members.clear();
        self.lanes.clear();
        self.sizes.clear();
        self.colors.clear();
        self.shaped = 0;
        self.extend(members);
    }

    /// Puts these behind all others.
    pub fn extend(&mut self, members: impl IntoIterator<Item = Member>) {
        let first = self.members.len();
        self.members.extend(members);
        let added = &self.members[first..];
        self.shaped += added.iter().filter(|member| member.look.is_something()).count() as u32;
        let whole = first / LANES;
        self.lanes.truncate(whole);
        self.sizes.truncate(whole);
        self.colors.truncate(whole);
        for at in (self.lanes.len() * LANES..self.members.len()).step_by(LANES) {
            let (lanes, sizes, colors) = self.block_at(at);
            self.lanes.push(lanes);
            self.sizes.push(sizes);
            self.colors.push(colors);
        }
    }

    pub fn set_look(&mut self, idx: usize, look: Look) {
        let member = &mut self.members[idx];
        self.shaped -= u32::from(member.look.is_something());
        self.shaped += u32::from(look.is_something());
        member.look = look;
        let block = idx / LANES;
        (self.lanes[block], self.sizes[block], self.colors[block]) = self.block_at(block * LANES);
    }

    /// The block from `at` on, all before it being done.
    fn block_at(&self, at: usize) -> (LookLanes, SizeLanes, ColorLanes) {
        let mut sizes =
            SizeLanes { radius: [f32::NAN; LANES], size: [[1.0; LANES]; 3], stretch: [0.0; LANES] };
        let mut colors = ColorLanes([0; LANES]);
        let block = &self.members[at..self.members.len().min(at + LANES)];
        for (lane, Member { look, .. }) in block.iter().enumerate() {
            if look.is_something() {
                sizes.radius[lane] = look.bounding_radius(Vec3::ONE);
            }
            for (row, number) in sizes.size.iter_mut().zip(look.size().to_array()) {
                row[lane] = number;
            }
            sizes.stretch[lane] = look.stretch();
            colors.0[lane] = u32::from_ne_bytes(look.color());
        }
        (self.lanes_at(at, block, &sizes), sizes, colors)
    }

    fn lanes_at(&self, at: usize, block: &[Member], sizes: &SizeLanes) -> LookLanes {
        let alike = block.len() == LANES
            && block[0].look.is_something()
            && block.iter().all(|member| member.look.kind() == block[0].look.kind());
        let [x, y, z] = &sizes.size;
        let one_size = [&sizes.radius, x, y, z, &sizes.stretch]
            .into_iter()
            .all(|row| row.iter().all(|number| number.to_bits() == row[0].to_bits()));
        let mut lanes = LookLanes {
            first: Size {
                radius: sizes.radius[0],
                size: sizes.size.map(|row| row[0]),
                stretch: sizes.stretch[0],
            },
            kind: [LookKind::Nothing as u8; LANES],
            simulated: 0,
            moves: 0,
            hangs: 0,
            is_plane: 0,
            is_round: 0,
            alike,
            one_size: alike && one_size,
        };
        for (lane, member) in block.iter().enumerate() {
            let (bit, look) = (1 << lane, &member.look);
            lanes.kind[lane] = look.kind() as u8;
            let parent = member.parent as usize;
            let below_moving = if parent < at {
                self.moves(parent)
            } else {
                parent < at + lane && lanes.moves & (1 << (parent - at)) != 0
            };
            let is = |yes: bool| if yes { bit } else { 0 };
            lanes.simulated |= is(member.simulated);
            lanes.moves |= is(member.simulated || below_moving);
            lanes.hangs |= is(member.parent != NO_PARENT);
            lanes.is_plane |= is(look.kind() == LookKind::Plane);
            lanes.is_round |= is(look.kind().is_round());
        }
        lanes
    }
}

impl PartialEq for Roster {
    fn eq(&self, other: &Self) -> bool {
        // All else is made from the members.
        self.members == other.members
    }
}

impl FromIterator<Member> for Roster {
    fn from_iter<I: IntoIterator<Item = Member>>(members: I) -> Self {
        let mut roster = Self::default();
        roster.fill(members);
        roster
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Color, Shape, ShapeKind};

    fn member(id: u64, parent: u32, simulated: bool) -> Member {
        let kind = ShapeKind::Sphere { radius: id as f32 };
        let look = Shape { kind, color: Color { red: 1, green: 2, blue: 3 } }.into();
        Member { entity: EntityId(id), parent, simulated, look }
    }

    #[test]
    fn what_hangs_on_something_that_moves_moves() {
        // One hangs on the first, of another block; the third on one that comes later, which is no parent.
        let mut members: Vec<Member> = (0..18).map(|id| member(id, NO_PARENT, false)).collect();
        members[0].simulated = true;
        (members[1].parent, members[2].parent, members[16].parent) = (0, 3, 0);
        (members[3].simulated, members[17].parent) = (true, 16);
        let roster: Roster = members.into_iter().collect();
        let moving: Vec<usize> = (0..18).filter(|idx| roster.moves(*idx)).collect();
        assert_eq!(moving, [0, 1, 3, 16, 17]);
        assert_eq!((roster.looks().lanes[0].hangs, roster.looks().lanes[1].hangs), (0b110, 0b11));
    }

    #[test]
    fn a_look_taken_away_counts_no_more() {
        let mut roster: Roster = (1..=17).map(|id| member(id, NO_PARENT, false)).collect();
        let alike =
            |roster: &Roster| roster.looks().lanes.iter().map(|lanes| lanes.alike).collect::<Vec<_>>();
        assert_eq!((roster.shaped(), alike(&roster)), (17, vec![true, false]));
        roster.set_look(2, Look::NOTHING);
        assert_eq!((roster.shaped(), alike(&roster)), (16, vec![false, false]));
        assert!(roster.looks().sizes[0].radius[2].is_nan());
        assert_eq!(roster.looks().sizes[0].radius[3], 4.0);
    }

    #[test]
    fn a_block_is_of_one_size_where_all_of_it_is() {
        let mut roster: Roster = (0..16).map(|_| member(7, NO_PARENT, true)).collect();
        let block = roster.looks().lanes[0];
        assert_eq!(
            (block.alike, block.one_size, block.first.radius, block.first.size),
            (true, true, 7.0, [7.0; 3])
        );
        roster.set_look(5, member(8, NO_PARENT, true).look);
        assert_eq!((roster.looks().lanes[0].alike, roster.looks().lanes[0].one_size), (true, false));
        roster.set_look(5, Look::NOTHING);
        assert!(!roster.looks().lanes[0].one_size);
    }
}
