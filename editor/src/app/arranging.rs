//! What is done to the selected entities: cut, copied, pasted, moved in the tree, hidden and locked.

use framewalk_runtime::scene::EntityId;

use super::EditorApp;
use crate::document::arrange::{self, Shift, Target};
use crate::document::clip;
use crate::document::edit::Edit;
use crate::document::indexed::IndexedScene;
use crate::document::marks::Mark;
use crate::document::selection::SelectionChange;
use crate::panels::Pane;
use crate::shell::status::Message;

impl EditorApp {
    /// The entities that a command is about, where the author made them, and what they are called together.
    fn chosen(&self) -> Option<(&IndexedScene, Vec<EntityId>, String)> {
        let document = &self.workspace.as_ref()?.scenes.front.document;
        let all = document.all_selected();
        let first = all.first()?;
        let called = if all.len() == 1 { first.name.clone() } else { format!("{} entities", all.len()) };
        Some((document.indexed(), all.iter().map(|entity| entity.id).collect(), called))
    }

    pub(crate) fn delete_selection(&mut self) {
        let Some((scene, ids, called)) = self.chosen() else { return };
        let edit = Edit::deletion(scene, &ids);
        self.edit(&format!("Delete {called}"), edit, None);
    }

    /// A copy of each selected entity, with all that hangs on it, right behind it; the copies are selected.
    pub(crate) fn duplicate_selection(&mut self) {
        let Some((scene, ids, called)) = self.chosen() else { return };
        let (edit, copies) = clip::duplicated(scene, &ids);
        self.edit(&format!("Duplicate {called}"), edit, None);
        self.select_made(copies);
    }

    /// The selected entities as text for the clipboard.
    fn copied(&self) -> Option<(String, String)> {
        let (scene, ids, called) = self.chosen()?;
        Some((clip::copied(scene, &ids), called))
    }

    pub(crate) fn copy_selection(&mut self, ctx: &egui::Context) {
        if let Some((text, called)) = self.copied() {
            ctx.copy_text(text);
            self.say(Message::info(format!("Copied {called}.")));
        }
    }

    pub(crate) fn cut_selection(&mut self, ctx: &egui::Context) {
        let Some((text, called)) = self.copied() else { return };
        let Some((scene, ids, _)) = self.chosen() else { return };
        let edit = Edit::deletion(scene, &ids);
        ctx.copy_text(text);
        self.edit(&format!("Cut {called}"), edit, None);
    }

    /// Puts the entities of a text at the end of the scene, and selects them.
    pub(crate) fn paste(&mut self, text: &str) {
        let Some(document) = self.workspace.as_ref().map(|workspace| &workspace.scenes.front.document) else {
            return;
        };
        let entities = match clip::read(text) {
            Ok(entities) => entities,
            Err(faults) => {
                let first = faults.first().map_or_else(String::new, ToString::to_string);
                let more = if faults.len() > 1 { " (and more, see the log)" } else { "" };
                let what = format!("The clipboard holds no entities that can be pasted: {first}{more}");
                let details = faults.iter().skip(1).map(ToString::to_string).collect();
                self.say(Message { details, ..Message::warning(what) });
                return;
            }
        };
        let called = match &entities[..] {
            [entity] => entity.name.clone(),
            several => format!("{} entities", several.len()),
        };
        let (edit, roots) = clip::pasted(document.indexed(), entities);
        self.edit(&format!("Paste {called}"), edit, None);
        self.select_made(roots);
    }

    /// Selects what was made, as far as it was.
    pub(super) fn select_made(&mut self, ids: Vec<EntityId>) {
        let Some(workspace) = &self.workspace else { return };
        let scene = workspace.scenes.front.document.indexed();
        let there: Vec<EntityId> = ids.into_iter().filter(|id| scene.place(*id).is_some()).collect();
        if !there.is_empty() {
            self.change_selection(SelectionChange::Set(there));
        }
    }

    pub(crate) fn shift_selection(&mut self, shift: Shift) {
        let Some((scene, ids, called)) = self.chosen() else { return };
        let (way, end) = if shift == Shift::Up { ("up", "first") } else { ("down", "last") };
        match arrange::shifted(scene, &ids, shift) {
            Some(edit) => self.edit(&format!("Move {called} {way}"), edit, None),
            None => self.say(Message::info(format!("{called} stands {end} already."))),
        }
    }

    pub(crate) fn make_child_of_previous(&mut self) {
        let Some((scene, ids, called)) = self.chosen() else { return };
        match arrange::child_of_previous(scene, &ids) {
            Some(edit) => self.edit(&format!("Hang {called} on the one before"), edit, None),
            None => self.say(Message::info(format!("Nothing stands before {called} on the same parent."))),
        }
    }

    pub(crate) fn unparent(&mut self) {
        let Some((scene, ids, called)) = self.chosen() else { return };
        match arrange::unparented(scene, &ids) {
            Some(edit) => self.edit(&format!("Unparent {called}"), edit, None),
            None => self.say(Message::info(format!("{called} hangs on nothing."))),
        }
    }

    /// Puts entities where they were dropped in the outliner.
    pub(crate) fn move_entities(&mut self, ids: &[EntityId], to: Target) {
        let Some(document) = self.workspace.as_ref().map(|workspace| &workspace.scenes.front.document) else {
            return;
        };
        let scene = document.indexed();
        let called = match ids {
            [id] => scene.entity(*id).map_or_else(String::new, |entity| entity.name.clone()),
            several => format!("{} entities", several.len()),
        };
        match arrange::moved(scene, ids, to) {
            Ok(Some(edit)) => self.edit(&format!("Move {called}"), edit, None),
            Ok(None) => {}
            Err(reason) => self.say(Message::warning(reason)),
        }
    }

    /// Hides or locks entities, or shows and unlocks them; what is selected where none are named.
    pub(crate) fn toggle_mark(&mut self, mark: Mark, ids: &[EntityId]) {
        let ids = match ids {
            [] => self.chosen().map(|(_, ids, _)| ids).unwrap_or_default(),
            named => named.to_vec(),
        };
        let Some(workspace) = &mut self.workspace else { return };
        workspace.scenes.front.document.marks.toggle(mark, &ids);
    }

    /// Nothing is hidden or locked any more.
    pub(crate) fn clear_marks(&mut self) {
        let Some(workspace) = &mut self.workspace else { return };
        workspace.scenes.front.document.marks.clear();
    }

    pub(crate) fn rename_selection(&mut self, ctx: &egui::Context) {
        let Some(entity) =
            self.workspace.as_ref().and_then(|workspace| workspace.scenes.front.document.selected())
        else {
            return;
        };
        let (id, name) = (entity.id, entity.name.clone());
        self.show_pane(Pane::Outliner, ctx);
        self.outliner.rename(id, name);
    }
}
