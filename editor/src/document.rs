//! The scene as authored, what was done to it, and what of it is selected.

pub mod arrange;
pub mod clip;
pub mod compare;
pub mod component;
pub mod edit;
pub mod history;
pub mod indexed;
pub mod marks;
pub mod selection;
pub mod tabs;

use std::collections::BTreeSet;

use edit::{Edit, EditError, Reach};
use framewalk_runtime::scene::fault::Fault;
use framewalk_runtime::scene::{Entity, EntityId, Scene};

use history::{Gesture, History};
use indexed::IndexedScene;
use marks::Marks;
use selection::Selection;

/// An authored scene that is open. Playing never touches it.
#[derive(Clone, Debug, Default)]
pub struct Document {
    scene: IndexedScene,
    // Counts up whenever the scene becomes another one; what was made from it knows by this that it is old.
    revision: u64,
    history: History,
    pub selection: Selection,
    /// What is hidden and locked.
    pub marks: Marks,
}

impl Document {
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Changes whenever the scene does.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The scene, with where everything in it is.
    #[must_use]
    pub fn indexed(&self) -> &IndexedScene {
        &self.scene
    }

    /// Changes the scene, as one step of this name, or as part of the step of the same gesture. Only what is touched is
    /// looked at, so that what it costs does not grow with the scene. Returns what has changed, with all that hangs on
    /// it, parents first.
    ///
    /// # Errors
    /// The edit does not fit the scene, or would make of it what no scene must be: nothing is done.
    pub fn apply(
        &mut self,
        name: impl Into<String>,
        edit: Edit,
        gesture: Option<Gesture>,
    ) -> Result<Reach, EditError> {
        let reach = edit.reach();
        let new: Vec<EntityId> = reach
            .touched
            .iter()
            .copied()
            .filter(|id| reach.order && self.scene.place(*id).is_none())
            .collect();
        let foreseen = self.foreseen(reach);
        let inverse = edit.apply(&mut self.scene)?;
        let reach = self.settled(foreseen);
        let also = if reach.order { self.scene.followers().collect() } else { Vec::new() };
        let faults = self.scene.faults_of(reach.touched.iter().copied().chain(also));
        if !faults.is_empty() {
            inverse.apply(&mut self.scene).expect("what was just done can be undone");
            let mut sentences: Vec<String> = faults.iter().map(Fault::sentence).collect();
            sentences.dedup();
            return Err(EditError::Fault(sentences.join("\n")));
        }
        // Their ids may have been those of what was deleted, which keeps its marks only for an undo.
        self.marks.forget(&new);
        self.history.note(name, inverse, gesture);
        self.changed(&reach);
        Ok(reach)
    }

    /// What an edit reaches, with what hangs on that and what that hangs on before it is applied, where the order
    /// changes.
    fn foreseen(&self, reach: Reach) -> Reach {
        if !reach.order {
            return reach;
        }
        let touched = self.scene.with_descendants(reach.touched);
        let above = self.above(&touched);
        Reach { touched, above, order: true }
    }

    /// What was foreseen, with all that hangs on it now, parents first, and what it hangs on now.
    fn settled(&self, foreseen: Reach) -> Reach {
        let touched = self.scene.with_descendants(foreseen.touched);
        let mut above = foreseen.above;
        if foreseen.order {
            above.extend(self.above(&touched));
        }
        Reach { touched, above, order: foreseen.order }
    }

    fn above(&self, ids: &[EntityId]) -> Vec<EntityId> {
        let known: BTreeSet<EntityId> = ids.iter().copied().collect();
        let mut above = BTreeSet::new();
        for id in ids {
            // What hangs on one that was seen already hangs on what that hangs on.
            let parents = self.scene.parents(*id);
            let new = parents.take_while(|parent| !known.contains(parent) && !above.contains(parent));
            let new: Vec<EntityId> = new.collect();
            above.extend(new);
        }
        above.into_iter().collect()
    }

    /// Undoes or redoes until `count` of the steps of the history are done. Returns what has changed.
    pub fn jump(&mut self, count: usize) -> Reach {
        let before = self.history.done_count();
        let reach = self.history.between(count).map(Edit::reach).fold(Reach::default(), Reach::joined);
        let foreseen = self.foreseen(reach);
        self.history.jump(&mut self.scene, count);
        let reach = self.settled(foreseen);
        if self.history.done_count() != before {
            self.changed(&reach);
        }
        reach
    }

    /// Takes the last step back.
    pub fn undo(&mut self) -> Reach {
        self.jump(self.history.done_count().saturating_sub(1))
    }

    /// Does the step undone last again.
    pub fn redo(&mut self) -> Reach {
        self.jump(self.history.done_count() + 1)
    }

    /// Gives the history this much memory.
    pub fn set_undo_budget(&mut self, bytes: usize) {
        if self.history.budget_bytes() != bytes {
            self.history.set_budget(bytes);
        }
    }

    /// Says that the scene is now as in its file.
    pub fn mark_saved(&mut self) {
        self.history.mark_saved();
    }

    /// The scene as it is now is being written; it may change meanwhile.
    pub fn begin_save(&mut self) {
        self.history.begin_save();
    }

    /// What was begun has ended: the scene is as in its file where it was then, if it was written.
    pub fn end_save(&mut self, was_written: bool) {
        self.history.end_save(was_written);
    }

    /// Whether the scene is not as in its file.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.history.is_dirty()
    }

    fn changed(&mut self, reach: &Reach) {
        self.revision += 1;
        if reach.order {
            self.let_go_of_what_is_gone();
        }
    }

    /// Selects nothing that is not in the authored scene: what was deleted, and what a run had spawned.
    pub fn let_go_of_what_is_gone(&mut self) {
        let scene = &self.scene;
        self.selection.retain(|id| scene.place(id).is_some());
    }

    /// Puts another scene, as it is in its file, in place of this one; nothing of this one can be undone. A selected entity that is still there stays selected.
    pub fn replace(&mut self, scene: Scene) {
        self.scene = scene.into();
        self.history = History::with_budget(self.history.budget_bytes());
        self.changed(&Reach { order: true, ..Reach::default() });
    }

    /// The primary selected entity, where the author made it; a spawned one is not here.
    #[must_use]
    pub fn selected(&self) -> Option<&Entity> {
        self.selection.primary().and_then(|id| self.scene.entity(id))
    }

    /// Every selected entity that the author made, in the author's order.
    #[must_use]
    pub fn all_selected(&self) -> Vec<&Entity> {
        match self.selection.ids() {
            [] => Vec::new(),
            [id] => self.scene.entity(*id).into_iter().collect(),
            ids => {
                let mut places: Vec<usize> = ids.iter().filter_map(|id| self.scene.place(*id)).collect();
                places.sort_unstable();
                places.into_iter().map(|place| &self.scene.entities[place]).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests;
