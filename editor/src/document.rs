//! The scene as authored, and what of it is selected.

use framewalk_runtime::scene::{Entity, EntityId, Scene};

/// An authored scene that is open. Playing never touches it.
#[derive(Clone, Debug, Default)]
pub struct Document {
    scene: Scene,
    // Counts up whenever the scene becomes another one; what was made from it knows by this that it is old.
    revision: u64,
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

    /// Puts another scene in place of this one. A selected entity that is still there stays selected.
    pub fn replace(&mut self, scene: Scene) {
        self.scene = scene;
        self.revision += 1;
        if self.selected().is_none() {
            self.selection = None;
        }
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
}
