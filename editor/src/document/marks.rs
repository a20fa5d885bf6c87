//! What is hidden and locked in the editor. It is no part of the scene, is in no file, and no undo changes it: it lasts as
//! long as the document is open.

use std::collections::HashSet;

use framewalk_runtime::scene::EntityId;

/// How the editor treats entities, whatever they are in the scene.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Not drawn in Edit, with all that hangs on them; a run draws them.
    pub hidden: HashSet<EntityId>,
    /// Not picked by a click in the picture; the outliner selects them.
    pub locked: HashSet<EntityId>,
}

/// One of the two marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Hidden,
    Locked,
}

impl Marks {
    #[must_use]
    pub fn of(&self, mark: Mark) -> &HashSet<EntityId> {
        match mark {
            Mark::Hidden => &self.hidden,
            Mark::Locked => &self.locked,
        }
    }

    /// Marks all of them; where all of them are marked already, none of them.
    pub fn toggle(&mut self, mark: Mark, ids: &[EntityId]) {
        let marked = match mark {
            Mark::Hidden => &mut self.hidden,
            Mark::Locked => &mut self.locked,
        };
        if ids.iter().all(|id| marked.contains(id)) {
            ids.iter().for_each(|id| _ = marked.remove(id));
        } else {
            marked.extend(ids);
        }
    }

    /// None of these is marked.
    pub fn forget(&mut self, ids: &[EntityId]) {
        for id in ids {
            self.hidden.remove(id);
            self.locked.remove(id);
        }
    }

    /// Nothing is hidden or locked any more.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hidden.is_empty() && self.locked.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_are_marked_together_until_all_are() {
        let mut marks = Marks::default();
        let [one, two] = [1, 2].map(EntityId);
        marks.toggle(Mark::Hidden, &[one]);
        marks.toggle(Mark::Hidden, &[one, two]);
        assert_eq!((marks.hidden.len(), marks.locked.len()), (2, 0));
        marks.toggle(Mark::Hidden, &[one, two]);
        assert!(marks.is_empty());
        marks.toggle(Mark::Locked, &[two]);
        assert!(marks.of(Mark::Locked).contains(&two));
        marks.clear();
        assert!(marks.is_empty());
    }
}
