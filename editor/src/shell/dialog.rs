//! Dialogs: the system's folder chooser on a thread of its own, our own path field where it fails, and settings.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use egui::{RichText, Ui};
use framewalk_inspector::theme::Theme;
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::source::RealClock;

use crate::command::{Action, EditorCommand};
use crate::settings::{Settings, ThemeChoice, WhenHidden};

/// Nobody reads, decides and cancels in less: a chooser that answers sooner was never shown.
const FASTEST_CANCEL: Nanos = Nanos::from_millis(400);

/// The dialogs that are open.
#[derive(Default)]
pub struct Dialogs {
    chooser: Option<Chooser>,
    path: Option<PathField>,
    pub settings: bool,
}

struct Chooser {
    answer: Receiver<Answer>,
}

struct Answer {
    path: Option<PathBuf>,
    took: Nanos,
}

struct PathField {
    text: String,
    why: String,
    wants_focus: bool,
}

impl Dialogs {
    /// Asks the system for a folder; `wake` is called from another thread when it answers.
    pub fn choose_project(&mut self, start: Option<PathBuf>, wake: impl Fn() + Send + 'static) {
        if self.chooser.is_some() {
            return;
        }
        let (sender, answer) = channel();
        let ask = move || {
            let clock = RealClock::new();
            let began = clock.now();
            let mut dialog = rfd::FileDialog::new().set_title("Open a Framewalk project");
            if let Some(start) = start {
                dialog = dialog.set_directory(start);
            }
            let path = dialog.pick_folder();
            // Nobody listens any more when the window has closed.
            let _ = sender.send(Answer { path, took: clock.now() - began });
            wake();
        };
        match std::thread::Builder::new().name("chooser".to_owned()).spawn(ask) {
            Ok(_) => self.chooser = Some(Chooser { answer }),
            Err(error) => self.ask_for_path(format!("The folder chooser could not be started ({error}).")),
        }
    }

    /// Opens our own field for a path, saying why.
    pub fn ask_for_path(&mut self, why: impl Into<String>) {
        self.path = Some(PathField { text: String::new(), why: why.into(), wants_focus: true });
    }

    /// What the chooser answered, if it has.
    pub fn poll(&mut self) -> Option<PathBuf> {
        let answer = match self.chooser.as_ref()?.answer.try_recv() {
            Ok(answer) => answer,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Answer { path: None, took: Nanos::ZERO },
        };
        self.chooser = None;
        if answer.path.is_none() && answer.took < FASTEST_CANCEL {
            self.ask_for_path(
                "This system shows no folder chooser (no desktop portal answered). Type the path instead.",
            );
        }
        answer.path
    }

    /// Draws what is open.
    pub fn ui(&mut self, ctx: &egui::Context, settings: &Settings, file: &str, actions: &mut Vec<Action>) {
        if let Some(field) = &mut self.path {
            let modal = egui::Modal::new(egui::Id::unique("framewalk_path"))
                .show(ctx, |ui| path_ui(ui, field, actions));
            if modal.inner || modal.should_close() {
                self.path = None;
            }
        }
        if self.settings {
            let modal = egui::Modal::new(egui::Id::unique("framewalk_settings"))
                .show(ctx, |ui| settings_ui(ui, settings, file, actions));
            if modal.inner || modal.should_close() {
                self.settings = false;
            }
        }
    }

    /// A dialog of ours has the keyboard.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.path.is_some() || self.settings
    }
}

/// True when it is done.
fn path_ui(ui: &mut Ui, field: &mut PathField, actions: &mut Vec<Action>) -> bool {
    let theme = Theme::of(ui);
    ui.set_width(520.0);
    ui.label(RichText::new("Open a project").size(15.0));
    ui.add_space(4.0);
    ui.label(RichText::new(&field.why).color(theme.dim));
    ui.add_space(6.0);
    let edit = egui::TextEdit::singleline(&mut field.text)
        .hint_text("/path/to/a/folder/with/project.ron")
        .desired_width(f32::INFINITY);
    let edit = ui.add(edit).accessible_name("Path of the project");
    if field.wants_focus {
        field.wants_focus = false;
        edit.request_focus();
    }
    let entered = edit.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    ui.add_space(8.0);
    let mut done = false;
    ui.horizontal(|ui| {
        let filled = !field.text.trim().is_empty();
        let open = ui.add_enabled(filled, egui::Button::new("Open")).clicked();
        if (open || entered) && filled {
            actions.push(Action::OpenPath(PathBuf::from(field.text.trim())));
            done = true;
        }
        done |= ui.button("Cancel").clicked();
    });
    done
}

fn settings_ui(ui: &mut Ui, settings: &Settings, file: &str, actions: &mut Vec<Action>) -> bool {
    let theme = Theme::of(ui);
    ui.set_width(460.0);
    ui.label(RichText::new("Settings").size(15.0));
    ui.add_space(8.0);
    ui.label(theme.section("Theme"));
    ui.horizontal(|ui| {
        for (choice, command, label) in [
            (ThemeChoice::System, EditorCommand::ThemeSystem, "As the system"),
            (ThemeChoice::Dark, EditorCommand::ThemeDark, "Dark"),
            (ThemeChoice::Light, EditorCommand::ThemeLight, "Light"),
        ] {
            if ui.radio(settings.theme == choice, label).clicked() {
                actions.push(Action::Command(command));
            }
        }
    });
    ui.add_space(8.0);
    ui.label(theme.section("While the window is hidden"));
    ui.horizontal(|ui| {
        for (choice, label) in
            [(WhenHidden::KeepRunning, "A run goes on"), (WhenHidden::Pause, "A run is paused")]
        {
            if ui.radio(settings.when_hidden == choice, label).clicked() {
                actions.push(Action::SetWhenHidden(choice));
            }
        }
    });
    ui.add_space(8.0);
    ui.label(theme.section("Kept in"));
    ui.label(RichText::new(file).monospace().color(theme.dim));
    ui.add_space(8.0);
    ui.button("Close").clicked()
}
