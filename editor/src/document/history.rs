//! What was done to a scene and what was undone: steps with names, as many as a budget of memory holds.

use super::edit::{Edit, EditError};
use super::indexed::IndexedScene;
use std::collections::VecDeque;

/// Memory that steps may take before the oldest are forgotten.
pub const BUDGET_BYTES: usize = 64 << 20;

/// One drag, one typed word, one colour picking: its edits are one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gesture(pub u64);

/// One thing that was done, or undone.
#[derive(Clone, Debug)]
struct Step {
    /// For people: `Move Mover`.
    name: String,
    /// What leads away from here: the inverse of what was done, or what was undone.
    edit: Edit,
    gesture: Option<Gesture>,
    size_bytes: usize,
}

/// The steps of one document.
#[derive(Clone, Debug)]
pub struct History {
    done: VecDeque<Step>,
    /// The last one undone last.
    undone: Vec<Step>,
    /// How many steps are done where the scene is as in its file; none where no undo leads there.
    saved: Option<usize>,
    /// The same of the scene that is being written; it becomes the saved one when it is.
    saving: Option<usize>,
    /// How many of the oldest steps were forgotten.
    forgotten: u64,
    bytes: usize,
    budget_bytes: usize,
}

impl Default for History {
    fn default() -> Self {
        Self::with_budget(BUDGET_BYTES)
    }
}

impl History {
    /// Of a scene that is as in its file, with this much memory for steps. The last step is kept whatever it takes.
    #[must_use]
    pub fn with_budget(budget_bytes: usize) -> Self {
        Self {
            done: VecDeque::new(),
            undone: Vec::new(),
            saved: Some(0),
            saving: None,
            forgotten: 0,
            bytes: 0,
            budget_bytes,
        }
    }

    /// Does something, as a step of this name. What was undone can be done again no more. An edit of the same gesture
    /// as the last step becomes part of it.
    ///
    /// # Errors
    /// The edit does not fit the scene: nothing is done.
    pub fn apply(
        &mut self,
        scene: &mut IndexedScene,
        name: impl Into<String>,
        edit: Edit,
        gesture: Option<Gesture>,
    ) -> Result<(), EditError> {
        let inverse = edit.apply(scene)?;
        self.note(name, inverse, gesture);
        Ok(())
    }

    /// Takes note of what was done already, as [`Self::apply`] does: by what takes it back.
    pub fn note(&mut self, name: impl Into<String>, inverse: Edit, gesture: Option<Gesture>) {
        if self.saved.is_some_and(|saved| saved > self.done.len()) {
            self.saved = None;
        }
        if self.saving.is_some_and(|saving| saving > self.done.len()) {
            self.saving = None;
        }
        self.bytes -= self.undone.drain(..).map(|step| step.size_bytes).sum::<usize>();
        let inverse = match self.continued(gesture) {
            None => inverse,
            Some(last) => {
                self.bytes -= last.size_bytes;
                joined(last.edit, inverse)
            }
        };
        self.push(Step { name: name.into(), size_bytes: inverse.size_bytes(), edit: inverse, gesture });
    }

    /// The last step, taken out, if it is of this gesture. A step that was saved stays as it is: an undo leads there.
    fn continued(&mut self, gesture: Option<Gesture>) -> Option<Step> {
        let same = gesture.is_some() && self.done.back()?.gesture == gesture;
        let here = Some(self.done.len());
        (same && self.saved != here && self.saving != here).then(|| self.done.pop_back()).flatten()
    }

    fn push(&mut self, step: Step) {
        self.bytes += step.size_bytes + step.name.len();
        let step = Step { size_bytes: step.size_bytes + step.name.len(), ..step };
        self.done.push_back(step);
        self.keep_to_budget();
    }

    /// Gives it this much memory for steps: with less, the oldest are forgotten at once.
    pub fn set_budget(&mut self, budget_bytes: usize) {
        self.budget_bytes = budget_bytes;
        self.keep_to_budget();
    }

    fn keep_to_budget(&mut self) {
        while self.bytes > self.budget_bytes && self.done.len() > 1 {
            let Some(oldest) = self.done.pop_front() else { break };
            self.bytes -= oldest.size_bytes;
            self.forgotten += 1;
            self.saved = self.saved.and_then(|saved| saved.checked_sub(1));
            self.saving = self.saving.and_then(|saving| saving.checked_sub(1));
        }
    }

    /// Takes the last step back, and returns its name; none where there is nothing to undo.
    pub fn undo(&mut self, scene: &mut IndexedScene) -> Option<&str> {
        let step = self.done.pop_back()?;
        let step = self.turned(step, scene);
        self.undone.push(step);
        self.undone.last().map(|step| step.name.as_str())
    }

    /// Does the step undone last again, and returns its name; none where there is nothing to redo.
    pub fn redo(&mut self, scene: &mut IndexedScene) -> Option<&str> {
        let step = self.undone.pop()?;
        let step = self.turned(step, scene);
        self.done.push_back(step);
        self.done.back().map(|step| step.name.as_str())
    }

    fn turned(&mut self, step: Step, scene: &mut IndexedScene) -> Step {
        let edit = step.edit.apply(scene).expect("nothing but this history changes its scene");
        let size_bytes = edit.size_bytes() + step.name.len();
        self.bytes = self.bytes - step.size_bytes + size_bytes;
        // A gesture is over once it was undone.
        Step { edit, size_bytes, gesture: None, ..step }
    }

    /// Undoes or redoes until `count` of the steps it knows are done.
    pub fn jump(&mut self, scene: &mut IndexedScene, count: usize) {
        while self.done.len() > count && self.undo(scene).is_some() {}
        while self.done.len() < count && self.redo(scene).is_some() {}
    }

    /// The steps that a jump to `count` would take back or do again, the first of them first.
    pub fn between(&self, count: usize) -> impl Iterator<Item = &Edit> {
        let back = self.done.iter().rev().take(self.done.len().saturating_sub(count));
        let forth = self.undone.iter().rev().take(count.saturating_sub(self.done.len()));
        back.chain(forth).map(|step| &step.edit)
    }

    /// The names of all steps, from the oldest, also of those undone.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let undone = self.undone.iter().rev();
        self.done.iter().chain(undone).map(|step| step.name.as_str())
    }

    /// How many of them are done.
    #[must_use]
    pub fn done_count(&self) -> usize {
        self.done.len()
    }

    /// What undo would take back.
    #[must_use]
    pub fn undo_name(&self) -> Option<&str> {
        self.done.back().map(|step| step.name.as_str())
    }

    /// What redo would do again.
    #[must_use]
    pub fn redo_name(&self) -> Option<&str> {
        self.undone.last().map(|step| step.name.as_str())
    }

    /// Says that the scene is now as in its file.
    pub fn mark_saved(&mut self) {
        self.saved = Some(self.done.len());
    }

    /// The scene as it is now is being written; it may change meanwhile.
    pub fn begin_save(&mut self) {
        self.saving = Some(self.done.len());
    }

    /// It was written, or it was not: the scene is then as in its file where it was when that began.
    pub fn end_save(&mut self, was_written: bool) {
        let saving = self.saving.take();
        if was_written {
            self.saved = saving;
        }
    }

    /// Whether the scene is not as in its file.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.saved != Some(self.done.len())
    }

    /// How many steps are done where the scene is as in its file; none where no undo or redo leads there.
    #[must_use]
    pub fn saved_count(&self) -> Option<usize> {
        self.saved
    }

    /// Memory that the steps take, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Memory that they may take before the oldest are forgotten.
    #[must_use]
    pub fn budget_bytes(&self) -> usize {
        self.budget_bytes
    }

    /// How many of the oldest steps were forgotten to keep within the budget.
    #[must_use]
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }
}

/// What takes back two edits of one gesture, the earlier of which `first` takes back.
fn joined(first: Edit, second: Edit) -> Edit {
    if first.covers(&second) {
        return first;
    }
    match first {
        // The later one is taken back first, unless that before it does so too: a long drag is no longer list.
        Edit::Several(edits) if edits.first().is_some_and(|last| last.covers(&second)) => {
            Edit::Several(edits)
        }
        Edit::Several(mut edits) => {
            edits.insert(0, second);
            Edit::Several(edits)
        }
        first => Edit::Several(vec![second, first]),
    }
}

#[cfg(test)]
pub(in crate::document) mod tests;
