//! The scene as authored, what was done to it, and what of it is selected.

pub mod compare;
pub mod component;
pub mod edit;
pub mod history;

use edit::{Edit, EditError};
use framewalk_runtime::scene::{Entity, EntityId, Scene};
use history::{Gesture, History};

/// An authored scene that is open. Playing never touches it.
#[derive(Clone, Debug, Default)]
pub struct Document {
    scene: Scene,
    // Counts up whenever the scene becomes another one; what was made from it knows by this that it is old.
    revision: u64,
    history: History,
    pub selection: Option<EntityId>,
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

    /// Changes the scene, as one step of this name, or as part of the step of the same gesture.
    ///
    /// # Errors
    /// The edit does not fit the scene: nothing is done.
    pub fn apply(
        &mut self,
        name: impl Into<String>,
        edit: Edit,
        gesture: Option<Gesture>,
    ) -> Result<(), EditError> {
        self.history.apply(&mut self.scene, name, edit, gesture)?;
        self.changed();
        Ok(())
    }

    /// Undoes or redoes until `count` of the steps of the history are done.
    pub fn jump(&mut self, count: usize) {
        let before = self.history.done_count();
        self.history.jump(&mut self.scene, count);
        if self.history.done_count() != before {
            self.changed();
        }
    }

    /// Takes the last step back.
    pub fn undo(&mut self) {
        self.jump(self.history.done_count().saturating_sub(1));
    }

    /// Does the step undone last again.
    pub fn redo(&mut self) {
        self.jump(self.history.done_count() + 1);
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

    fn changed(&mut self) {
        self.revision += 1;
        if self.selected().is_none() {
            self.selection = None;
        }
    }

    /// Puts another scene, as it is in its file, in place of this one; nothing of this one can be undone. A selected entity that is still there stays selected.
    pub fn replace(&mut self, scene: Scene) {
        self.scene = scene;
        self.history = History::default();
        self.changed();
    }

    /// The selected entity, where the author made it; a spawned one is not here.
    #[must_use]
    pub fn selected(&self) -> Option<&Entity> {
        self.selection.and_then(|id| self.scene.entity(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(ids: &[u64]) -> Scene {
        let entities = ids.iter().map(|&id| Entity { id: EntityId(id), ..Entity::default() }).collect();
        Scene { entities, ..Scene::default() }
    }

    #[test]
    fn a_reload_keeps_the_selection_where_it_can() {
        let mut document = Document::default();
        document.replace(scene(&[1, 2]));
        document.selection = Some(EntityId(2));
        document.replace(scene(&[2, 3]));
        assert_eq!(document.selection, Some(EntityId(2)));
        document.replace(scene(&[3]));
        assert_eq!(document.selection, None);
        assert_eq!(document.revision(), 3);
    }

    #[test]
    fn a_document_is_dirty_from_its_first_edit_until_it_is_saved_or_undone() {
        let mut document = Document::default();
        document.replace(scene(&[1, 2]));
        document.selection = Some(EntityId(2));
        document.apply("Delete E2", Edit::Delete(vec![EntityId(2)]), None).expect("it fits");
        assert_eq!((document.is_dirty(), document.selection, document.revision()), (true, None, 2));
        document.undo();
        assert_eq!((document.is_dirty(), document.scene(), document.revision()), (false, &scene(&[1, 2]), 3));
        document.undo();
        assert_eq!(document.revision(), 3);
        document.redo();
        document.redo();
        document.mark_saved();
        assert_eq!((document.is_dirty(), document.scene(), document.revision()), (false, &scene(&[1]), 4));
        // Selecting changes nothing, and another scene has a history of its own.
        document.selection = Some(EntityId(1));
        document.replace(scene(&[5]));
        assert_eq!((document.is_dirty(), document.history().done_count()), (false, 0));
    }
}
