//! What is seen of the editor from outside, and what only tests set.

use std::sync::mpsc::{Sender, channel};

use framewalk_inspector::Inspector;
use framewalk_runtime::time::Nanos;

use super::{EditorApp, Workspace};
use crate::command::{Action, EditorCommand};
use crate::document::selection::Selection;
use crate::project::jobs::Job;
use crate::project::opener::Opener;
use crate::session::Phase;
use crate::session::run::{Drive, Sabotage};
use crate::settings::Settings;
use crate::shell::status::Message;

impl EditorApp {
    /// How the run stands; Edit without a project.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.workspace.as_ref().map_or(Phase::Edit, |workspace| workspace.session.phase())
    }

    /// The project that is open.
    #[must_use]
    pub fn workspace(&self) -> Option<&Workspace> {
        self.workspace.as_ref()
    }

    #[must_use]
    pub fn inspector(&self) -> &Inspector {
        &self.inspector
    }

    /// The newest message, as the status bar shows it.
    #[must_use]
    pub fn message(&self) -> Option<&Message> {
        self.message.as_ref()
    }

    /// What is wrong with the project's files, as of the last look; none while the first goes on.
    #[must_use]
    pub fn problems(&self) -> Option<&crate::project::problems::Findings> {
        self.problems.found()
    }

    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What is asked of the renderer now.
    #[must_use]
    pub fn wanted_view(&self) -> framewalk_runtime::render::view::View {
        let nothing = Selection::default();
        let selection =
            self.workspace.as_ref().map_or(&nothing, |workspace| &workspace.scenes.front.document.selection);
        self.viewport.view(self.is_live(), selection)
    }

    /// What the picture on screen shows.
    #[must_use]
    pub fn picture(&self) -> Option<&framewalk_runtime::render::picture::Picture> {
        self.viewport.picture()
    }

    /// The poses between which the picture on screen draws what is selected.
    #[must_use]
    pub fn selected_tick_poses(&self) -> Option<framewalk_runtime::render::picture::TickPoses> {
        let selection = self.workspace.as_ref()?.scenes.front.document.selection.primary()?;
        self.viewport.picture()?.tick_poses(selection).copied()
    }

    /// Asks for a command, which the next pass gives.
    pub fn run_command(&mut self, command: EditorCommand) {
        self.actions.push(Action::Command(command));
    }

    /// Opens files through another program; only a test sets it.
    pub fn set_opener(&mut self, opener: Opener) {
        self.opener = opener;
    }

    /// How far a virtual clock moves each time `logic` runs; only a test sets it.
    pub fn set_virtual_step(&mut self, step: Nanos) {
        if let Drive::Virtual { step: present } = &mut self.drive {
            *present = step;
        }
    }

    /// Has the thread that works with files wait until what is returned is dropped; only a test does, in real time.
    pub fn hold_files(&mut self) -> Sender<()> {
        let (release, held) = channel();
        self.jobs.give(Job::Hold(held));
        release
    }

    /// Has the program end as the system would; only a test does.
    pub fn end_as_asked_by_the_system(&mut self) {
        self.asked_to_end = true;
    }

    /// Where the next run is heard; only a test sets it.
    pub fn hear_with(&mut self, output: Box<dyn crate::audio::Output>) {
        self.sounding.next_output = Some(output);
    }

    /// Puts faults into the next run; only a test does.
    pub fn sabotage(&mut self, sabotage: Sabotage) {
        self.sabotage = sabotage;
    }

    /// The picture on screen is one of the authored scene, and no older one is kept.
    #[must_use]
    pub fn shows_authored_picture(&self) -> bool {
        self.viewport.before.is_none() && self.viewport.picture().is_some_and(|picture| picture.run == 0)
    }
}
