//! What is selected: any number of entities, in the order in which they were chosen.

use std::collections::HashSet;

use framewalk_runtime::scene::EntityId;

/// Entities in the order in which they were chosen, each once. The one chosen last is the primary one: single things,
/// such as ghosts, trails and the running world's figures, are shown for it.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    ids: Vec<EntityId>,
    // The same ids, so that one of many thousands is found at once.
    known: HashSet<EntityId>,
}

/// How the selection is to change. Nothing of it can be undone: selecting is no change of the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectionChange {
    /// These, and no others; the last of them is the primary one.
    Set(Vec<EntityId>),
    /// Selects it where it is not selected, and lets go of it where it is.
    Toggle(EntityId),
    /// These as well; the last of them becomes the primary one.
    Extend(Vec<EntityId>),
}

impl Selection {
    /// The one chosen last.
    #[must_use]
    pub fn primary(&self) -> Option<EntityId> {
        self.ids.last().copied()
    }

    /// All of them in the order in which they were chosen; the primary one is the last.
    #[must_use]
    pub fn ids(&self) -> &[EntityId] {
        &self.ids
    }

    #[must_use]
    pub fn contains(&self, id: EntityId) -> bool {
        self.known.contains(&id)
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Does one change.
    pub fn change(&mut self, change: SelectionChange) {
        match change {
            SelectionChange::Set(ids) => self.set(ids),
            SelectionChange::Toggle(id) => self.toggle(id),
            SelectionChange::Extend(ids) => self.extend(ids),
        }
    }

    /// Selects these and no others.
    pub fn set(&mut self, ids: impl IntoIterator<Item = EntityId>) {
        self.clear();
        self.extend(ids);
    }

    /// Selects it as the primary one, or lets go of it where it was selected.
    pub fn toggle(&mut self, id: EntityId) {
        if self.known.remove(&id) {
            self.ids.retain(|other| *other != id);
        } else {
            self.extend([id]);
        }
    }

    /// Selects these as well. One that was selected already moves to the end, as if it had just been chosen.
    pub fn extend(&mut self, ids: impl IntoIterator<Item = EntityId>) {
        let mut seen = HashSet::new();
        let ids: Vec<EntityId> = ids.into_iter().filter(|id| seen.insert(*id)).collect();
        if ids.iter().any(|id| self.known.contains(id)) {
            self.ids.retain(|id| !seen.contains(id));
        }
        self.known.extend(&ids);
        self.ids.extend(ids);
    }

    pub fn clear(&mut self) {
        self.ids.clear();
        self.known.clear();
    }

    /// Lets go of those that the test refuses.
    pub fn retain(&mut self, mut keeps: impl FnMut(EntityId) -> bool) {
        let known = &mut self.known;
        self.ids.retain(|id| {
            let kept = keeps(*id);
            if !kept {
                known.remove(id);
            }
            kept
        });
    }
}

impl PartialEq for Selection {
    fn eq(&self, other: &Self) -> bool {
        self.ids == other.ids
    }
}

impl Eq for Selection {}

impl From<EntityId> for Selection {
    fn from(id: EntityId) -> Self {
        Self::from_iter([id])
    }
}

impl FromIterator<EntityId> for Selection {
    fn from_iter<T: IntoIterator<Item = EntityId>>(ids: T) -> Self {
        let mut selection = Self::default();
        selection.extend(ids);
        selection
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ids: &[u64]) -> Selection {
        ids.iter().copied().map(EntityId).collect()
    }

    fn numbers(selection: &Selection) -> Vec<u64> {
        assert_eq!(selection.len(), selection.known.len());
        assert!(selection.ids().iter().all(|id| selection.contains(*id)));
        selection.ids().iter().map(|id| id.0).collect()
    }

    #[test]
    fn the_one_chosen_last_is_the_primary_one() {
        let mut selection = of(&[3, 1, 2]);
        assert_eq!(selection.primary(), Some(EntityId(2)));
        selection.toggle(EntityId(2));
        assert_eq!((selection.primary(), numbers(&selection)), (Some(EntityId(1)), vec![3, 1]));
        selection.toggle(EntityId(9));
        assert_eq!(numbers(&selection), [3, 1, 9]);
        selection.clear();
        assert_eq!((selection.primary(), selection.is_empty()), (None, true));
    }

    #[test]
    fn extending_by_what_is_selected_moves_it_to_the_end_and_names_nothing_twice() {
        let mut selection = of(&[1, 2, 3]);
        selection.extend([2, 4, 4].map(EntityId));
        assert_eq!(numbers(&selection), [1, 3, 2, 4]);
    }

    #[test]
    fn every_change_leaves_exactly_what_it_says() {
        let mut selection = of(&[1, 2]);
        for (change, expected) in [
            (SelectionChange::Extend(vec![EntityId(3)]), vec![1, 2, 3]),
            (SelectionChange::Toggle(EntityId(1)), vec![2, 3]),
            (SelectionChange::Set(vec![EntityId(7), EntityId(2)]), vec![7, 2]),
            (SelectionChange::Set(Vec::new()), vec![]),
        ] {
            selection.change(change.clone());
            assert_eq!(numbers(&selection), expected, "{change:?}");
        }
        let mut selection = of(&[1, 2, 3, 4]);
        selection.retain(|id| id.0 % 2 == 0);
        assert_eq!(numbers(&selection), [2, 4]);
    }
}
