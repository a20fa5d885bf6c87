//! The entities of a snapshot: their poses in blocks, as a batch reads them, and the rest shared with other snapshots.

use super::SnapshotItem;
use crate::frame::zones::zone;
use crate::interpolation::{Interpolation, Member, PART_BLOCKS, Poses, Roster};
use crate::jobs::{Jobs, Queue};
use crate::scene::look::Look;
use std::sync::Arc;

/// Blocks of poses to a job: copying one is soon done, so it takes more of them than a roll does.
const COPIED_BLOCKS: usize = 4 * PART_BLOCKS;

/// Every entity of a snapshot, parents before children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SnapshotItems {
    // As long as each other.
    roster: Arc<Roster>,
    previous: Poses,
    current: Poses,
}

impl SnapshotItems {
    #[must_use]
    pub fn len(&self) -> usize {
        self.roster.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many of them have two poses to blend.
    #[must_use]
    pub fn simulated(&self) -> u32 {
        self.roster.simulated()
    }

    #[must_use]
    pub fn get(&self, idx: usize) -> Option<SnapshotItem> {
        let member = self.roster.members().get(idx)?;
        let (previous, current) = self.previous.get(idx).zip(self.current.get(idx))?;
        Some(SnapshotItem {
            entity: member.entity,
            parent: member.parent,
            previous,
            current,
            simulated: member.simulated,
            look: member.look,
        })
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = SnapshotItem> + '_ {
        (0..self.len()).map(|idx| self.get(idx).expect("every index below the length has an item"))
    }

    /// Draws an item otherwise than it looks in the world.
    ///
    /// # Panics
    /// There is no item of this index.
    pub fn set_look(&mut self, idx: usize, look: Look) {
        Arc::make_mut(&mut self.roster).set_look(idx, look);
    }

    /// Puts these behind all others; of what is not simulated, the current pose counts.
    pub(super) fn extend(&mut self, items: &[SnapshotItem]) {
        if items.is_empty() {
            return;
        }
        let first = self.len();
        Arc::make_mut(&mut self.roster).extend(items.iter().map(member));
        self.previous.resize(first + items.len());
        self.current.resize(first + items.len());
        for (idx, item) in (first..).zip(items) {
            self.previous.set(idx, if item.simulated { &item.previous } else { &item.current });
            self.current.set(idx, &item.current);
        }
    }

    pub(super) fn make_room(&mut self, items: usize) {
        self.previous.make_room(items);
        self.current.make_room(items);
    }

    /// Becomes what the store has: the poses are copied, by `sharers` too, and the rest is shared.
    pub(super) fn copy(&mut self, store: &Interpolation, sharers: Option<&Jobs>) {
        if !Arc::ptr_eq(&self.roster, store.roster()) {
            self.roster = Arc::clone(store.roster());
        }
        let Some(jobs) = sharers else {
            self.previous.copy(store.previous());
            self.current.copy(store.current());
            return;
        };
        let (previous, previous_of) = self.previous.both_to_copy(store.previous());
        let (current, current_of) = self.current.both_to_copy(store.current());
        let (previous, mut last_previous) = previous.in_chunks::<COPIED_BLOCKS>();
        let (previous_of, last_previous_of) = previous_of.in_chunks::<COPIED_BLOCKS>();
        let (current, mut last_current) = current.in_chunks::<COPIED_BLOCKS>();
        let (current_of, last_current_of) = current_of.in_chunks::<COPIED_BLOCKS>();
        last_previous.copy(&last_previous_of);
        last_current.copy(&last_current_of);
        let all = previous.zip(previous_of).chain(current.zip(current_of));
        jobs.each(Queue::Logic, all, |(mut to, from)| {
            zone!("copy poses");
            to.part().copy(&from.part());
        });
    }

    pub(crate) const fn roster(&self) -> &Arc<Roster> {
        &self.roster
    }

    pub(crate) const fn previous(&self) -> &Poses {
        &self.previous
    }

    pub(crate) const fn current(&self) -> &Poses {
        &self.current
    }
}

impl FromIterator<SnapshotItem> for SnapshotItems {
    fn from_iter<I: IntoIterator<Item = SnapshotItem>>(items: I) -> Self {
        let items: Vec<SnapshotItem> = items.into_iter().collect();
        let mut own = Self::default();
        own.extend(&items);
        own
    }
}

const fn member(item: &SnapshotItem) -> Member {
    Member { entity: item.entity, parent: item.parent, simulated: item.simulated, look: item.look }
}

impl From<Vec<SnapshotItem>> for SnapshotItems {
    fn from(items: Vec<SnapshotItem>) -> Self {
        items.into_iter().collect()
    }
}

impl<const N: usize> From<[SnapshotItem; N]> for SnapshotItems {
    fn from(items: [SnapshotItem; N]) -> Self {
        items.into_iter().collect()
    }
}
