//! What is asked before work would be lost. Escape and a click outside answer that nothing is done: what was kept for
//! recovery is left for later, and what is being compared is given up.

use std::path::PathBuf;

use egui::{RichText, Ui};
use framewalk_inspector::theme::Theme;

use crate::command::Action;
use crate::command::answer::Answer;
use crate::project::both::Both;
use crate::project::jobs::Progress;
use crate::project::leaving::{Leaving, Next};
use crate::project::store::recovery::Recovered;

/// A question that stands until it is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Something would throw unsaved work away.
    Unsaved {
        scene: String,
        /// Its file was removed: it is nowhere but here.
        is_gone: bool,
        /// So many more are not saved either.
        others: usize,
        leaving: Leaving,
    },
    /// The file was changed by another program since it was read, and here too. `became` ends a sentence about the file:
    /// what it is now.
    ChangedOnDisk { file: PathBuf, became: String },
    /// Work was not saved when the program ended; what of it differs from the file, in lines.
    Recovered { recovered: Box<Recovered>, differs: Vec<String> },
    /// The same, with what differs.
    BothSides { file: PathBuf, both: Comparison },
}

/// Both texts of a scene, side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They are being compared.
    Coming(Progress),
    There(Both),
}

impl Question {
    /// One answer would do for both: the first question stands.
    #[must_use]
    pub fn is_about_the_same(&self, other: &Self) -> bool {
        match (self, other) {
            // Whatever it was asked for: one thing at a time.
            (Self::Unsaved { .. }, Self::Unsaved { .. }) => true,
            (
                Self::ChangedOnDisk { file, .. } | Self::BothSides { file, .. },
                Self::ChangedOnDisk { file: other, .. },
            ) => file == other,
            _ => self == other,
        }
    }

    /// It was answered: what is still being looked for to show it is not wanted any more.
    pub fn give_up(&self) {
        if let Self::BothSides { both: Comparison::Coming(progress), .. } = self {
            progress.give_up();
        }
    }

    /// The question as it was before what differs was shown.
    #[must_use]
    pub fn without_lines(self) -> Self {
        match self {
            Self::BothSides { file, .. } => Self::ChangedOnDisk { file, became: String::new() },
            other => other,
        }
    }
}

fn unsaved_text(next: &Next, is_gone: bool, others: usize) -> String {
    let asked = match next {
        Next::Quit if is_gone => "Save it, which writes it again, before the program ends?",
        Next::CloseProject if is_gone => "Save it, which writes it again, before the project is closed?",
        Next::OpenPath(_) | Next::MakeProject(..) if is_gone => {
            "Save it, which writes it again, before another one is opened?"
        }
        Next::CloseScenes(_) if is_gone => "Save it, which writes it again, before it is closed?",
        Next::Quit => "Save them before the program ends?",
        Next::CloseProject => "Save them before the project is closed?",
        Next::OpenPath(_) | Next::MakeProject(..) => "Save them before another one is opened?",
        Next::CloseScenes(_) => "Save them before the scene is closed?",
        Next::Revert(_) => "Throw them away, and go back to what the file says?",
    };
    match others {
        0 => asked.to_owned(),
        1 => format!("{asked} Another scene is not saved either; nothing is done before the last answer."),
        more => format!(
            "{asked} {more} other scenes are not saved either; nothing is done before the last answer."
        ),
    }
}

/// Draws it. The answer goes out as an action.
pub fn ui(ui: &mut Ui, question: &Question, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let wide = matches!(question, Question::BothSides { .. });
    ui.set_width(if wide { 820.0_f32.min(ui.ctx().content_rect().width() - 60.0) } else { 460.0 });
    let (title, text, answers): (_, _, &[Answer]) = match question {
        Question::Unsaved { scene, is_gone, others, leaving } => (
            match is_gone {
                true => format!("{scene} is gone from the disk: it is only here"),
                false => format!("{scene} has changes that are not saved"),
            },
            unsaved_text(&leaving.next, *is_gone, *others),
            match (&leaving.next, others) {
                (Next::Revert(_), _) => &[Answer::Discard, Answer::Cancel],
                (_, 0) => &[Answer::Save, Answer::Discard, Answer::Cancel],
                _ => {
                    const { &[Answer::Save, Answer::Discard, Answer::SaveAll, Answer::DiscardAll, Answer::Cancel] }
                }
            },
        ),
        Question::ChangedOnDisk { file, became } => (
            "The scene was changed here and on disk".to_owned(),
            format!("{} {became} Which of them counts?", file.display()),
            &[Answer::KeepMine, Answer::TakeTheirs, Answer::ShowBoth, Answer::SaveCopy, Answer::Cancel],
        ),
        Question::BothSides { file, .. } => (
            "What differs here and on disk".to_owned(),
            file.display().to_string(),
            &[Answer::KeepMine, Answer::TakeTheirs, Answer::SaveCopy, Answer::Cancel],
        ),
        Question::Recovered { recovered, differs } => (
            format!("Work on {} was not saved", recovered.scene_name()),
            format!(
                "It was never written to {}. It is kept outside of the project, and this differs:\n{}",
                recovered.scene.display(),
                differs.join("\n")
            ),
            &[Answer::Restore, Answer::Discard, Answer::Later],
        ),
    };
    ui.label(RichText::new(title).size(15.0));
    ui.add_space(4.0);
    ui.add(egui::Label::new(RichText::new(text).color(theme.dim)).wrap());
    if let Question::BothSides { both, .. } = question {
        ui.add_space(6.0);
        match both {
            Comparison::Coming(progress) => super::both::coming_ui(ui, progress.part()),
            Comparison::There(both) => super::both::ui(ui, both),
        }
    }
    ui.add_space(10.0);
    ui.horizontal_wrapped(|ui| {
        for &answer in answers {
            if ui.button(answer.label()).on_hover_text(answer.tooltip()).clicked() {
                actions.push(Action::Answer(answer));
            }
        }
    });
}
