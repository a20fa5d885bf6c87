//! Two editors on one project: the first writes, the second reads and may take over.

use std::path::Path;

use framewalk_runtime::time::Nanos;

use super::EditorApp;
use crate::project::store::lock::{Asked, ProjectLock, want};
use crate::shell::status::Message;

/// How often it is looked whether another editor wants to take over, or has given up.
const LOOK_PERIOD: Nanos = Nanos::from_millis(500);
const TAKE_PERIOD: Nanos = Nanos::from_millis(100);
/// How long another editor has to give up before it is said that it does not.
const PATIENCE: Nanos = Nanos::from_secs(5);

/// What may be done with the files of the open project.
#[derive(Debug)]
pub enum Access {
    /// Everything. Without a lock where the system lets nobody have one.
    Write(Option<ProjectLock>),
    /// Another editor writes: its process, where that is known.
    Read { holder: Option<u32>, wanted_until: Option<Nanos> },
}

impl Access {
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        matches!(self, Self::Read { .. })
    }
}

impl EditorApp {
    /// Why nothing may be changed, where that is so.
    #[must_use]
    pub fn read_only_reason(&self) -> Option<String> {
        match &self.workspace.as_ref()?.access {
            Access::Write(_) => None,
            Access::Read { holder, .. } => Some(format!(
                "{} has this project open, so it is read-only here. Take it over to change it here.",
                named(*holder)
            )),
        }
    }

    /// Asks for the right to write to a project that is being opened.
    pub(super) fn access(&mut self, root: &Path) -> Access {
        let Some(data) = self.store.data_folder() else { return Access::Write(None) };
        match ProjectLock::ask(data, root) {
            Ok(Asked::Ours(lock)) => Access::Write(Some(lock)),
            Ok(Asked::Theirs(holder)) => Access::Read { holder, wanted_until: None },
            Err(problem) => {
                self.say(Message::warning(problem));
                Access::Write(None)
            }
        }
    }

    /// Asks the editor that writes to give up, and writes here once it has.
    pub(crate) fn take_over(&mut self) {
        let until = self.now() + PATIENCE;
        let data = self.store.data_folder().map(Path::to_owned);
        let (Some(data), Some(workspace)) = (data, &mut self.workspace) else { return };
        let Access::Read { wanted_until, .. } = &mut workspace.access else { return };
        match want(&data, &workspace.project.root) {
            Ok(()) => *wanted_until = Some(until),
            Err(problem) => self.say(Message::error("The project was not taken over.", vec![problem])),
        }
        self.holding_looked = Nanos::ZERO;
    }

    /// Gives up what another editor wants, and takes what it has given up.
    pub(super) fn follow_holding(&mut self, ctx: &egui::Context) {
        let now = self.now();
        let Some(workspace) = &self.workspace else { return };
        let (period, waits) = match &workspace.access {
            Access::Write(None) | Access::Read { wanted_until: None, .. } => return,
            Access::Write(Some(_)) => (LOOK_PERIOD, false),
            Access::Read { .. } => (TAKE_PERIOD, true),
        };
        if waits {
            ctx.request_repaint_after(std::time::Duration::from_millis(100));
        }
        if self.holding_looked > Nanos::ZERO && now < self.holding_looked + period {
            return;
        }
        self.holding_looked = now;
        if waits { self.take_given_up(now) } else { self.give_up_wanted(ctx) }
    }

    fn give_up_wanted(&mut self, ctx: &egui::Context) {
        let Some(workspace) = &mut self.workspace else { return };
        let Access::Write(Some(lock)) = &workspace.access else { return };
        let Some(holder) = lock.wanted() else { return };
        // What is not saved goes over too: it is kept, and offered there.
        if workspace.document.is_dirty() && !workspace.autosave.is_kept(workspace.document.revision()) {
            workspace.autosave.hurry();
            self.holding_looked = Nanos::ZERO;
            ctx.request_repaint();
            return;
        }
        if self.jobs.is_busy() {
            self.holding_looked = Nanos::ZERO;
            ctx.request_repaint_after(std::time::Duration::from_millis(20));
            return;
        }
        let Some(workspace) = &mut self.workspace else { return };
        workspace.access = Access::Read { holder: Some(holder), wanted_until: None };
        self.say(Message::warning(format!(
            "{} has taken this project over: here it is read-only now. What was not saved is offered there.",
            named(Some(holder))
        )));
    }

    fn take_given_up(&mut self, now: Nanos) {
        let data = self.store.data_folder().map(Path::to_owned);
        let (Some(data), Some(workspace)) = (data, &mut self.workspace) else { return };
        let root = workspace.project.root.clone();
        let Access::Read { wanted_until, holder } = &mut workspace.access else { return };
        match ProjectLock::ask(&data, &root) {
            Ok(Asked::Ours(lock)) => {
                workspace.access = Access::Write(Some(lock));
                self.say(Message::info("The project is yours: what you change here can be saved."));
                self.reload();
                self.find_recoveries(&root);
            }
            Ok(Asked::Theirs(pid)) => {
                *holder = pid;
                if wanted_until.is_some_and(|until| now >= until) {
                    *wanted_until = None;
                    let text =
                        format!("{} does not give the project up: it may be busy. Ask again.", named(pid));
                    self.say(Message::warning(text));
                }
            }
            Err(problem) => {
                *wanted_until = None;
                self.say(Message::error("The project was not taken over.", vec![problem]));
            }
        }
    }
}

fn named(process: Option<u32>) -> String {
    process.map_or_else(|| "Another editor".to_owned(), |pid| format!("Another editor (process {pid})"))
}
