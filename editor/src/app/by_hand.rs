//! What was changed by hand in the run that lives, kept in the authored scene.

use framewalk_runtime::scene::EntityId;

use super::EditorApp;
use crate::document::edit::Edit;
use crate::panels::properties::by_hand::kept;
use crate::panels::properties::part::Part;
use crate::shell::status::Message;

impl EditorApp {
    /// Writes what the running world has now of the selected entities to the authored scene, as one step: their place,
    /// or what was changed by hand of the other parts. The run goes on as it was.
    pub(crate) fn keep(&mut self, parts: &'static [Part]) {
        if let Some(reason) = self.read_only_reason() {
            return self.say(Message::warning(reason));
        }
        let Some(workspace) = &mut self.workspace else { return };
        let Some(seen) = workspace.session.observation() else { return };
        let (document, by_hand) = (&workspace.scenes.front.document, &self.by_hand);
        let what = |id| if parts == [Part::Transform] { parts.to_vec() } else { by_hand.changed(id, parts) };
        let all = seen.others.iter().chain(&seen.watched);
        let selected = all.filter(|of| document.selection.contains(of.id));
        let mut edits: Vec<(EntityId, Edit)> =
            selected.filter_map(|of| Some((of.id, kept(document.indexed(), of, &what(of.id))?))).collect();
        let Some(part) = parts.first().map(|part| part.name()) else { return };
        let (called, edit) = match edits.len() {
            0 => return,
            1 => {
                let (id, edit) = edits.remove(0);
                let called = document.indexed().entity(id).map_or_else(String::new, |of| of.name.clone());
                (called, edit)
            }
            count => {
                let edits = edits.into_iter().map(|(_, edit)| edit).collect();
                (format!("{count} entities"), Edit::Several(edits))
            }
        };
        let name = format!("Keep {part} of {called}");
        match workspace.scenes.front.document.apply(name.as_str(), edit, None) {
            Ok(reach) => {
                self.show_change(&reach);
                let text = "is kept in the authored scene; Undo takes it back after Stop.";
                self.say(Message::info(format!("The {part} of {called} {text}")));
            }
            Err(problem) => self.say(Message::warning(format!("{name} was refused: {problem}"))),
        }
    }
}
