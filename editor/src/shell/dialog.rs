//! Dialogs: the system's folder chooser on a thread of its own, our own path field where it fails, the
//! palette and the preferences.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use egui::{RichText, Ui};
use framewalk_inspector::theme::Theme;
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::source::RealClock;

use crate::command::{Action, Situation};
use crate::project::both::Both;
use crate::project::jobs::Progress;
use crate::shell::naming::{self, NamingView};
use crate::shell::palette::{self, PaletteView};
use crate::shell::preferences::{self, PreferencesFacts, PreferencesView};
use crate::shell::question::{self, Comparison, Question};

/// Nobody reads, decides and cancels in less: a chooser that answers sooner was never shown.
const FASTEST_CANCEL: Nanos = Nanos::from_millis(400);

/// The dialogs that are open.
#[derive(Default)]
pub struct Dialogs {
    chooser: Option<Chooser>,
    path: Option<PathField>,
    palette: Option<PaletteView>,
    preferences: Option<PreferencesView>,
    // The first one is shown.
    questions: VecDeque<Question>,
    // Whether that has been seen.
    seen: Seen,
    naming: Option<NamingView>,
    // Who had the keyboard before the palette or the preferences took it, and gets it back.
    focus_before: Option<egui::Id>,
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

    /// Asks something that must be answered before anything else is done, after what is asked already. What is asked
    /// already is not asked twice.
    pub fn ask(&mut self, question: Question) {
        match self.questions.iter_mut().find(|asked| asked.is_about_the_same(&question)) {
            // The file may have become something else since.
            Some(asked @ Question::ChangedOnDisk { .. }) => *asked = question,
            Some(_) => {}
            None => self.questions.push_back(question),
        }
    }

    /// The same, before what is asked already.
    pub fn ask_first(&mut self, question: Question) {
        self.questions.push_front(question);
        self.seen = Seen::default();
    }

    /// What is asked is about nothing that is open any more.
    pub fn forget_questions(&mut self) {
        self.seen = Seen::default();
        self.questions.drain(..).for_each(|question| question.give_up());
    }

    /// Both sides of a scene are being compared.
    #[must_use]
    pub fn comparing_sides(&self) -> Option<&Progress> {
        self.questions.iter().find_map(|question| match question {
            Question::BothSides { both: Comparison::Coming(progress), .. } => Some(progress),
            _ => None,
        })
    }

    /// Shows what was found to differ, where that is still asked for.
    pub fn compared(&mut self, progress: &Progress, found: Both) {
        for question in &mut self.questions {
            if let Question::BothSides { both, .. } = question
                && *both == Comparison::Coming(progress.clone())
            {
                *both = Comparison::There(found);
                return;
            }
        }
    }

    /// Both sides cannot be compared: it is asked without. False where nobody asks for that any more.
    pub fn not_compared(&mut self, progress: &Progress) -> bool {
        let before = self.questions.len();
        self.questions.retain(|question| {
            !matches!(question, Question::BothSides { both: Comparison::Coming(coming), .. } if coming == progress)
        });
        self.questions.len() < before
    }

    /// Kept work is not this editor's to offer any more.
    pub fn forget_recovered(&mut self) {
        self.seen = Seen::default();
        self.questions.retain(|question| !matches!(question, Question::Recovered { .. }));
    }

    /// A question waits for its answer.
    #[must_use]
    pub fn is_asking(&self) -> bool {
        !self.questions.is_empty()
    }

    /// The question that has just been answered.
    pub fn answered(&mut self) -> Option<Question> {
        self.seen = Seen::default();
        self.questions.pop_front()
    }

    /// Asks for a name.
    pub fn ask_name(&mut self, view: NamingView, ctx: &egui::Context) {
        self.keep_focus(ctx);
        self.naming = Some(view);
    }

    pub fn open_palette(&mut self, ctx: &egui::Context) {
        self.keep_focus(ctx);
        self.palette = Some(PaletteView::default());
    }

    pub fn open_preferences(&mut self, ctx: &egui::Context) {
        self.keep_focus(ctx);
        self.preferences = Some(PreferencesView::default());
    }

    fn keep_focus(&mut self, ctx: &egui::Context) {
        if !self.is_open() {
            self.focus_before = ctx.memory(egui::Memory::focused);
        }
    }

    /// Gives a widget the keyboard, after the dialog that has just closed: under it, egui lets no widget have it.
    pub fn give_focus(&mut self, ctx: &egui::Context, widget: egui::Id) {
        if ctx.memory(|memory| memory.top_modal_layer().is_some()) {
            self.focus_before = Some(widget);
        } else {
            ctx.memory_mut(|memory| memory.request_focus(widget));
        }
    }

    /// The keyboard goes back to who had it, unless something else has taken it.
    fn give_focus_back(&mut self, ctx: &egui::Context) {
        if self.is_open() || self.focus_before.is_none() {
            return;
        }
        ctx.request_repaint();
        if ctx.memory(|memory| memory.top_modal_layer().is_none())
            && let Some(before) = self.focus_before.take()
            && ctx.memory(egui::Memory::focused).is_none()
        {
            ctx.memory_mut(|memory| memory.request_focus(before));
        }
    }

    /// Draws what is open.
    pub fn ui(
        &mut self,
        ctx: &egui::Context,
        facts: &PreferencesFacts<'_>,
        situation: &Situation,
        actions: &mut Vec<Action>,
    ) {
        self.give_focus_back(ctx);
        if let Some(field) = &mut self.path {
            let modal = egui::Modal::new(egui::Id::unique("framewalk_path"))
                .frame(roomy(ctx))
                .show(ctx, |ui| path_ui(ui, field, actions));
            if modal.inner || modal.should_close() {
                self.path = None;
            }
        }
        if let Some(view) = &mut self.naming {
            let modal = egui::Modal::new(egui::Id::unique("framewalk_naming"))
                .frame(roomy(ctx))
                .show(ctx, |ui| naming::ui(ui, view, actions));
            if modal.inner || modal.should_close() {
                self.naming = None;
            }
        }
        if let Some(question) = self.questions.front() {
            let mut answers = Vec::new();
            let modal = egui::Modal::new(egui::Id::unique("framewalk_question"))
                .frame(roomy(ctx))
                .show(ctx, |ui| question::ui(ui, question, &mut answers));
            // Escape answers too: what a question is about may have to be told.
            if modal.should_close() {
                answers.push(Action::Answer(crate::command::answer::Answer::Cancel));
            }
            if self.seen.may_answer(ctx) {
                actions.append(&mut answers);
            }
        } else {
            self.seen = Seen::default();
        }
        if let Some(view) = &mut self.preferences {
            let asked = view.waits_for_key();
            let modal = egui::Modal::new(egui::Id::unique("framewalk_preferences"))
                .frame(roomy(ctx))
                .show(ctx, |ui| preferences::ui(ui, view, facts, actions));
            if modal.inner || (!asked && modal.should_close()) {
                self.preferences = None;
            }
        }
        if let Some(view) = &mut self.palette {
            let id = egui::Id::unique("framewalk_palette");
            let top = egui::Modal::default_area(id).anchor(egui::Align2::CENTER_TOP, [0.0, 56.0]);
            let modal = egui::Modal::new(id)
                .area(top)
                .show(ctx, |ui| palette::ui(ui, view, facts.keymap, situation, actions));
            if modal.inner || modal.should_close() {
                self.palette = None;
            }
        }
    }

    /// A dialog of ours has the keyboard.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_asking()
            || self.naming.is_some()
            || self.path.is_some()
            || self.palette.is_some()
            || self.preferences.is_some()
    }
}

/// Whether a question has been there long enough to be answered. It comes by itself, and perhaps after the window stood
/// still for a while: what was done meanwhile was not meant for it.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    // The frame of the window that drew it first.
    first: Option<u64>,
    // A button is held that went down before it could be seen.
    pressed_before: bool,
}

impl Seen {
    /// In the first one its size is found, in the second it is seen, and what arrived until then comes with the third.
    const UNSEEN_FRAMES: u64 = 3;

    /// Called in each pass in which it is drawn.
    fn may_answer(&mut self, ctx: &egui::Context) -> bool {
        let frame = ctx.cumulative_frame_nr();
        let drawn = frame.saturating_sub(*self.first.get_or_insert(frame));
        let is_held = ctx.input(|input| input.pointer.any_down());
        if drawn < Self::UNSEEN_FRAMES {
            self.pressed_before = is_held;
            // So that what arrived meanwhile comes at once.
            ctx.request_repaint();
            return false;
        }
        let may = !self.pressed_before;
        self.pressed_before &= is_held;
        may
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

/// A dialog's border with room inside.
fn roomy(ctx: &egui::Context) -> egui::Frame {
    egui::Frame::popup(&ctx.global_style()).inner_margin(16)
}
