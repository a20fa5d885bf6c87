//! What every panel is handed to read: the frames, which of them is looked at, and this instant.

use crate::history::{Entry, History, RunFrames, RunTotals};
use crate::live::{InspectorAction, LiveView, OpenFrame};
use crate::selection::Selection;

/// What a panel reads.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub history: &'a History,
    pub selection: &'a Selection,
    pub live: &'a LiveView<'a>,
    pub captions: bool,
}

impl<'a> View<'a> {
    /// The chosen frame; the newest while live.
    #[must_use]
    pub fn entry(&self) -> Option<&'a Entry> {
        self.selection.entry(self.history)
    }

    /// The history to draw: frozen with the selection.
    #[must_use]
    pub fn frames(&self) -> RunFrames<'a> {
        self.selection.history(self.history).run(self.selection.run(self.history))
    }

    /// What is asked for by walking so many frames from the chosen one.
    #[must_use]
    pub fn walked(&self, steps: i64) -> Option<InspectorAction> {
        let (_, frame) = self.selection.walk_target(self.history, steps).filter(|_| steps != 0)?;
        Some(InspectorAction::Select(frame))
    }

    /// The frame that is open now; none while another one is looked at.
    #[must_use]
    pub fn open(&self) -> Option<OpenFrame<'a>> {
        self.live.open.filter(|_| self.selection.is_live())
    }

    /// Where the time axis begins.
    #[must_use]
    pub fn totals(&self) -> &'a RunTotals {
        self.selection.history(self.history).totals()
    }
}
