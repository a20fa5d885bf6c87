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
    // The same in blocks, as a batch reads it.
    lanes: Vec<LookLanes>,
    shaped: u32,
}

/// What a batch asks of sixteen entities. A set bit stands for the lane of that number.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct LookLanes {
    /// Of a sphere about the unscaled shape; NaN, which nothing compares with, where there is none.
    pub radius: Row,
    /// What the mesh is scaled by before the pose's scale: x, y, z.
    pub size: [Row; 3],
    pub stretch: Row,
    /// sRGB, red in the lowest byte, as the machine orders bytes.
    pub color: [u32; LANES],
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
}

impl Roster {
    pub fn len(&self) -> usize {
        self.members.len()
    }

    pub fn members(&self) -> &[Member] {
        &self.members
    }

    pub fn lanes(&self) -> &[LookLanes] {
        &self.lanes
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
        self.shaped = 0;
        self.extend(members);
    }

    /// Puts these behind all others.
    pub fn extend(&mut self, members: impl IntoIterator<Item = Member>) {
        let first = self.members.len();
        self.members.extend(members);
        let added = &self.members[first..];
        self.shaped += added.iter().filter(|member| member.look.is_something()).count() as u32;
        self.lanes.truncate(first / LANES);
        for at in (self.lanes.len() * LANES..self.members.len()).step_by(LANES) {
            let lanes = self.lanes_at(at);
            self.lanes.push(lanes);
        }
    }

    pub fn set_look(&mut self, idx: usize, look: Look) {
        let member = &mut self.members[idx];
        self.shaped -= u32::from(member.look.is_something());
        self.shaped += u32::from(look.is_something());
        member.look = look;
        let at = idx - idx % LANES;
        self.lanes[idx / LANES] = self.lanes_at(at);
    }

    /// Of the block from `at` on, all before them being done.
    fn lanes_at(&self, at: usize) -> LookLanes {
        let mut lanes = LookLanes {
            radius: [f32::NAN; LANES],
            size: [[1.0; LANES]; 3],
            stretch: [0.0; LANES],
            color: [0; LANES],
            kind: [LookKind::Nothing as u8; LANES],
            simulated: 0,
            moves: 0,
            hangs: 0,
            is_plane: 0,
            is_round: 0,
            alike: false,
        };
        for (lane, member) in self.members[at..].iter().take(LANES).enumerate() {
            let (bit, look) = (1 << lane, &member.look);
            if look.is_something() {
                lanes.radius[lane] = look.bounding_radius(Vec3::ONE);
            }
            for (row, number) in lanes.size.iter_mut().zip(look.size().to_array()) {
                row[lane] = number;
            }
            lanes.stretch[lane] = look.stretch();
            lanes.color[lane] = u32::from_ne_bytes(look.color());
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
        let block = &self.members[at..];
        let kind = |member: &Member| member.look.kind();
        lanes.alike = block.len() >= LANES
            && block[0].look.is_something()
            && block[..LANES].iter().all(|member| kind(member) == kind(&block[0]));
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
        assert_eq!((roster.lanes()[0].hangs, roster.lanes()[1].hangs), (0b110, 0b11));
    }

    #[test]
    fn a_look_taken_away_counts_no_more() {
        let mut roster: Roster = (1..=17).map(|id| member(id, NO_PARENT, false)).collect();
        assert_eq!((roster.shaped(), roster.lanes()[0].alike, roster.lanes()[1].alike), (17, true, false));
        roster.set_look(2, Look::NOTHING);
        assert_eq!((roster.shaped(), roster.lanes()[0].alike), (16, false));
        assert!(roster.lanes()[0].radius[2].is_nan());
        assert_eq!(roster.lanes()[0].radius[3], 4.0);
    }
}
