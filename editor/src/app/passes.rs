//! What the passes of the window themselves took, measured where they are made, and told to the inspector.

use framewalk_inspector::history::passes::{Stretch, WindowPass};
use framewalk_runtime::time::Nanos;

use super::EditorApp;
use crate::session::Phase;
use crate::session::run::Drive;
use crate::viewport::Painted;

/// The pass that is being made, until it is known when its picture was handed over.
#[derive(Default)]
pub(super) struct Passes {
    under_way: Option<WindowPass>,
    // What the inspector held by the pass before.
    revision: u64,
}

impl EditorApp {
    /// The pass before is over: its picture was handed over, with this frame for the first time.
    pub(super) fn finish_pass(&mut self, painted: Option<Painted>) {
        let Some(mut pass) = self.window_passes.under_way.take() else { return };
        let presented = self.link.as_ref().and_then(|link| link.presented.get());
        if let (Some(layout), Some(at)) = (pass.layout, presented)
            && at >= layout.end()
        {
            pass.paint = Some(Stretch::between(layout.end(), at));
        }
        pass.shown = painted.filter(|painted| painted.run == pass.run).map(|painted| painted.frame);
        self.inspector.ingest_pass(pass);
    }

    /// What comes before the panels is done; it began then. Passes are recorded while frames come: what a person does
    /// while everything stands takes no room from those. In virtual time they are no part of what is shown.
    pub(super) fn note_logic(&mut self, began: Nanos) {
        let revision = self.inspector.history().revision();
        let news = std::mem::replace(&mut self.window_passes.revision, revision) != revision;
        let is_wanted = matches!(self.drive, Drive::Threads)
            && self.is_live()
            && (news || self.phase() == Phase::Playing);
        let run = self.workspace.as_ref().map(|workspace| workspace.session.number()).filter(|_| is_wanted);
        let logic = Stretch::between(began, self.now());
        self.window_passes.under_way = run.map(|run| WindowPass { run, logic, ..WindowPass::default() });
    }

    /// The panels are done. egui may ask for them twice in one pass: that is one stretch.
    pub(super) fn note_layout(&mut self, began: Nanos, ended: Nanos) {
        if let Some(pass) = &mut self.window_passes.under_way {
            let start = pass.layout.map_or(began, |first| first.start);
            pass.layout = Some(Stretch::between(start, ended));
        }
    }
}
