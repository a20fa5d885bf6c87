//! What the fields of an authored entity remember from one pass to the next.

use egui::{Id, Response};
use framewalk_runtime::scene::EntityId;

/// What the fields remember: which of them is being changed, so that one drag is one step.
#[derive(Debug, Default)]
pub struct EditingView {
    pub(super) gesture: u64,
    active: Option<Id>,
    /// A field is dragged or typed into: as of whoever asked last.
    pub is_busy: bool,
    /// What is typed as the name, until it is entered.
    pub(super) name: Option<(EntityId, String)>,
    /// Which field refused what was typed, and why.
    pub complaint: Option<(String, String)>,
    /// What the list of entities to choose from is filtered by.
    pub filter: String,
    // Whose fields are shown: a complaint is not for others.
    pub(super) shown: Vec<EntityId>,
}

impl EditingView {
    /// Follows a field; true where it has changed the value.
    pub fn follow(&mut self, response: &Response) -> bool {
        self.is_busy |= response.dragged() || response.has_focus();
        let begins = response.drag_started() || response.gained_focus();
        if begins || (response.changed() && self.active != Some(response.id)) {
            self.gesture += 1;
            self.active = Some(response.id);
        }
        response.changed()
    }

    /// Other entities are shown: nothing is being typed, and what is changed now is a step of its own.
    pub fn forget(&mut self) {
        *self = Self { gesture: self.gesture + 1, ..Self::default() };
    }

    /// What is changed now is a step of its own.
    pub fn next_gesture(&mut self) {
        self.gesture += 1;
        self.active = None;
    }
}
