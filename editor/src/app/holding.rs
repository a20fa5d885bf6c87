//! Two editors on one project: the first writes, the second reads and may take over.

use std::path::Path;
use std::time::Duration;

use framewalk_runtime::time::Nanos;

use framewalk_inspector::theme::Theme;

use super::EditorApp;
use crate::command::{Action, EditorCommand};
use crate::project::store::lock::{Asked, ProjectLock, is_gone, want, want_no_more};
use crate::shell::status::Message;

/// How often it is looked whether another editor wants to take over, where the system does not tell.
const LOOK_PERIOD: Duration = Duration::from_secs(1);
/// How often it is tried to take what another editor gives up.
const TAKE_PERIOD: Duration = Duration::from_millis(100);
const TAKE_AFTER: Nanos = Nanos::from_millis(100);
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
            Ok(Asked::Ours(mut lock)) => {
                lock.watch(self.waker.call());
                Access::Write(Some(lock))
            }
            Ok(Asked::Theirs(holder)) => {
                // What was killed a moment ago gives up by itself: nobody has to ask for it.
                let wanted_until = holder.filter(|process| is_gone(*process)).map(|_| self.now() + PATIENCE);
                self.taking_tried = Nanos::ZERO;
                Access::Read { holder, wanted_until }
            }
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
        self.taking_tried = Nanos::ZERO;
    }

    /// Asks no more: this editor goes on reading.
    pub(crate) fn cancel_take_over(&mut self) {
        let data = self.store.data_folder().map(Path::to_owned);
        let (Some(data), Some(workspace)) = (data, &mut self.workspace) else { return };
        let Access::Read { wanted_until, .. } = &mut workspace.access else { return };
        *wanted_until = None;
        want_no_more(&data, &workspace.project.root);
        self.say(Message::info("The project is not taken over: it stays read-only here."));
    }

    /// Gives up what another editor wants, and takes what it has given up.
    pub(super) fn follow_holding(&mut self, ctx: &egui::Context) {
        let now = self.now();
        match self.workspace.as_ref().map(|workspace| &workspace.access) {
            // One look at a file that is not there costs microseconds: at every pass, which its change causes.
            Some(Access::Write(Some(lock))) => {
                if !lock.is_watched() {
                    ctx.request_repaint_after(LOOK_PERIOD);
                }
                if let Some(holder) = lock.wanted() {
                    self.give_up(holder, ctx);
                }
            }
            Some(Access::Read { wanted_until: Some(_), .. }) => {
                ctx.request_repaint_after(TAKE_PERIOD);
                if self.taking_tried == Nanos::ZERO || now >= self.taking_tried + TAKE_AFTER {
                    self.taking_tried = now;
                    self.take_given_up(now, ctx);
                }
            }
            _ => {}
        }
    }

    fn give_up(&mut self, holder: u32, ctx: &egui::Context) {
        let Some(workspace) = &mut self.workspace else { return };
        // What is not saved goes over too: it is kept, and offered there.
        let mut waits = false;
        for scene in workspace.scenes.iter_mut().filter(|scene| scene.is_to_be_kept()) {
            if !scene.autosave.is_kept(scene.document.revision()) {
                scene.autosave.hurry();
                waits = true;
            }
        }
        if waits {
            // Not at once: where it cannot be kept, it is tried until the other one asks no more.
            ctx.request_repaint_after(TAKE_PERIOD);
            return;
        }
        if self.jobs.is_busy() {
            ctx.request_repaint_after(TAKE_PERIOD);
            return;
        }
        let Some(workspace) = &mut self.workspace else { return };
        workspace.access = Access::Read { holder: Some(holder), wanted_until: None };
        // Kept work is the other editor's to put back or to throw away: it is offered there.
        self.recoveries.clear();
        self.dialogs.forget_recovered();
        self.say(Message::warning(format!(
            "{} has taken this project over: here it is read-only now. What was not saved is offered there.",
            named(Some(holder))
        )));
    }

    fn take_given_up(&mut self, now: Nanos, ctx: &egui::Context) {
        let data = self.store.data_folder().map(Path::to_owned);
        let (Some(data), Some(workspace)) = (data, &mut self.workspace) else { return };
        let root = workspace.project.root.clone();
        let Access::Read { wanted_until, holder } = &mut workspace.access else { return };
        match ProjectLock::ask(&data, &root) {
            Ok(Asked::Ours(mut lock)) => {
                lock.watch(self.waker.call());
                workspace.access = Access::Write(Some(lock));
                // What lies where this editor kept its work is the other one's by now.
                workspace.scenes.iter_mut().for_each(|scene| scene.autosave.begin_anew());
                self.say(Message::info("The project is yours: what you change here can be saved."));
                // What is unsaved here is not thrown away for what was written there: it is asked about.
                self.follow_disk();
                self.poll_jobs(ctx);
                self.find_recoveries(&root);
            }
            Ok(Asked::Theirs(pid)) => {
                *holder = pid;
                if wanted_until.is_some_and(|until| now >= until) {
                    *wanted_until = None;
                    // Else it would give up later, to nobody.
                    want_no_more(&data, &root);
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

impl EditorApp {
    /// Says in a line of its own that another editor writes, with what can be done about it.
    pub(super) fn holding_ui(&self, ui: &mut egui::Ui, bar: egui::Frame, actions: &mut Vec<Action>) {
        let Some(reason) = self.read_only_reason() else { return };
        let theme = Theme::of(ui);
        let asks = matches!(
            self.workspace.as_ref().map(|workspace| &workspace.access),
            Some(Access::Read { wanted_until: Some(_), .. })
        );
        let bar = bar.inner_margin(egui::Margin::symmetric(12, 4));
        egui::Panel::top("read_only").frame(bar).show_separator_line(false).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.colored_label(theme.late, "⚠");
                ui.label(egui::RichText::new(reason).color(theme.text));
                let command = EditorCommand::TakeOver;
                let label = if asks { "Asking…" } else { "Take over" };
                let button = ui.add_enabled(!asks, egui::Button::new(label));
                if button.on_hover_text(command.tooltip()).clicked() {
                    actions.push(Action::Command(command));
                }
                if asks {
                    let cancel = ui.button("Cancel").accessible_name("Do not take the project over");
                    if cancel.on_hover_text("Asks no more, and goes on reading here.").clicked() {
                        actions.push(Action::CancelTakeOver);
                    }
                }
            });
        });
    }
}

fn named(process: Option<u32>) -> String {
    process.map_or_else(|| "Another editor".to_owned(), |pid| format!("Another editor (process {pid})"))
}
