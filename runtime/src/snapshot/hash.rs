//! One number for what a snapshot shows.

use super::Snapshot;
use crate::hash::Hash;
use crate::interpolation::{LANES, Poses, Row};

/// Sums side by side, so that no step waits for the one before it: two numbers of a row to each.
const SUMS: usize = LANES / 2;

impl Snapshot {
    /// 64 bits over frame, tick and times, and over both poses of every entity, bit by bit: what two readers of one frame must
    /// agree on. Not over how entities look, which snapshots share. Nothing is allocated.
    #[must_use]
    pub fn pose_hash(&self) -> u64 {
        let mut hash = Hash::new();
        hash.word(u64::from(self.run));
        hash.word(self.frame.0);
        hash.word(self.tick.0);
        hash.word(self.render_time.0.cast_unsigned());
        hash.word(self.shown_time.0.cast_unsigned());
        hash.word(self.alpha.to_bits());
        hash.word(self.items.len() as u64);
        for poses in [self.items.previous(), self.items.current()] {
            sums(poses).into_iter().for_each(|sum| hash.word(sum.finish()));
        }
        hash.finish()
    }
}

fn sums(poses: &Poses) -> [Hash; SUMS] {
    let mut sums = [const { Hash::new() }; SUMS];
    for (number, block) in poses.blocks().iter().enumerate() {
        let rows = block.position.iter().chain(&block.rotation).chain(&poses.scales_or_ones(number).0);
        rows.for_each(|row| add(&mut sums, row));
    }
    sums
}

fn add(sums: &mut [Hash; SUMS], row: &Row) {
    for (sum, pair) in sums.iter_mut().zip(row.as_chunks::<2>().0) {
        sum.word(u64::from(pair[0].to_bits()) | u64::from(pair[1].to_bits()) << 32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::look::Look;
    use crate::scene::{EntityId, Pose};
    use crate::snapshot::SnapshotItem;
    use crate::time::{FrameIndex, Nanos, Tick};
    use glam::{Quat, Vec3};

    fn item(number: u64) -> SnapshotItem {
        let current = Pose { position: Vec3::new(number as f32, 0.5, -2.0), ..Pose::default() };
        SnapshotItem {
            entity: EntityId(number),
            parent: SnapshotItem::NO_PARENT,
            previous: Pose::default(),
            current,
            simulated: true,
            look: Look::default(),
        }
    }

    fn of(items: u64, change: impl FnOnce(&mut Snapshot, &mut Vec<SnapshotItem>)) -> u64 {
        let mut items: Vec<SnapshotItem> = (1..=items).map(item).collect();
        let mut snapshot = Snapshot { frame: FrameIndex(7), tick: Tick(6), ..Snapshot::default() };
        change(&mut snapshot, &mut items);
        snapshot.items = items.into();
        snapshot.pose_hash()
    }

    #[test]
    fn the_same_picture_has_the_same_hash_whatever_was_in_its_memory_before() {
        let mut reused: Snapshot = Snapshot { frame: FrameIndex(7), tick: Tick(6), ..Snapshot::default() };
        reused.items = (1..=40).map(item).collect::<Vec<_>>().into();
        reused.items = (1..=17).map(item).collect::<Vec<_>>().into();
        assert_eq!(reused.pose_hash(), of(17, |_, _| {}));
    }

    #[test]
    fn the_least_change_of_frame_time_or_any_pose_changes_it() {
        let mut hashes = vec![
            of(17, |_, _| {}),
            of(16, |_, _| {}),
            of(18, |_, _| {}),
            of(0, |_, _| {}),
            of(17, |snapshot, _| snapshot.frame = FrameIndex(8)),
            of(17, |snapshot, _| snapshot.tick = Tick(7)),
            of(17, |snapshot, _| snapshot.run = 2),
            of(17, |snapshot, _| snapshot.alpha = f64::MIN_POSITIVE),
            of(17, |snapshot, _| snapshot.render_time = Nanos(1)),
            of(17, |snapshot, _| snapshot.shown_time = Nanos(1)),
        ];
        for idx in [0, 1, 15, 16] {
            hashes.extend([
                of(17, |_, items| items[idx].current.position.y = 0.500_000_06),
                of(17, |_, items| items[idx].previous.position.z = -1.0e-45),
                of(17, |_, items| items[idx].current.rotation = Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)),
                of(17, |_, items| items[idx].current.scale.x = 2.0),
            ]);
        }
        let all = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!((all, hashes.len()), (26, 26));
    }
}
