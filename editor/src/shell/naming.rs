//! What needs a name before it is done: a new project, a new scene, a copy of one, another name for one.

use std::path::PathBuf;

use egui::text::CCursorRange;
use egui::{RichText, Ui};
use framewalk_inspector::theme::Theme;

use crate::command::Action;
use crate::command::naming::Naming;
use crate::project::store::scenes::checked_name;
use crate::project::store::template::Template;

/// The dialog while it is open.
#[derive(Clone, Debug)]
pub struct NamingView {
    pub what: Naming,
    typed: String,
    template: Template,
    /// Names of the project's scenes.
    taken: Vec<String>,
    wants_focus: bool,
}

impl NamingView {
    /// `typed` stands in the field at first; `taken` are the names that there are.
    #[must_use]
    pub fn new(what: Naming, typed: String, taken: Vec<String>) -> Self {
        Self { what, typed, template: Template::FirstSteps, taken, wants_focus: true }
    }

    /// What is asked for, or why it is none yet.
    fn asked(&self) -> Result<Action, String> {
        if self.what == Naming::NewProject {
            let path = self.typed.trim();
            return match path {
                "" => Err("Type the path of a folder that is not there yet, or is empty.".to_owned()),
                path => Ok(Action::MakeProject { folder: PathBuf::from(path), template: self.template }),
            };
        }
        let name = checked_name(&self.typed, &self.taken)?;
        Ok(Action::Named { what: self.what, name })
    }
}

/// Draws the dialog. True when it is done.
pub fn ui(ui: &mut Ui, view: &mut NamingView, actions: &mut Vec<Action>) -> bool {
    let theme = Theme::of(ui);
    ui.set_width(440.0);
    ui.label(RichText::new(view.what.title()).size(15.0));
    ui.add_space(4.0);
    ui.add(egui::Label::new(RichText::new(view.what.tooltip()).color(theme.dim)).wrap());
    ui.add_space(8.0);
    let (hint, label) = match view.what {
        Naming::NewProject => ("/path/to/a/new/folder", "Folder of the project"),
        _ => ("arena", "Name of the scene"),
    };
    let field = egui::TextEdit::singleline(&mut view.typed).hint_text(hint).desired_width(f32::INFINITY);
    let mut output = field.show(ui);
    let field = output.response.response.accessible_name(label);
    if view.wants_focus {
        view.wants_focus = false;
        field.request_focus();
        // What is proposed is typed over.
        let all = CCursorRange::select_all_str(&view.typed);
        output.state.cursor.set_char_range(Some(all));
        output.state.store(ui.ctx(), field.id);
    }
    let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    if view.what == Naming::NewProject {
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            let choices =
                [(Template::FirstSteps, "First steps: a scene that moves"), (Template::Empty, "Empty")];
            for (template, name) in choices {
                ui.radio_value(&mut view.template, template, name);
            }
        });
    }
    let asked = view.asked();
    ui.add_space(4.0);
    // The line keeps its place, so that the buttons keep theirs.
    let why = asked.as_ref().err().filter(|_| !view.typed.is_empty()).cloned().unwrap_or_default();
    ui.label(RichText::new(why).color(theme.late));
    ui.add_space(4.0);
    let mut done = false;
    ui.horizontal(|ui| {
        let button = ui.add_enabled(asked.is_ok(), egui::Button::new(view.what.button()));
        if let (Ok(action), true) = (asked, button.clicked() || entered) {
            actions.push(action);
            done = true;
        }
        done |= ui.button("Cancel").clicked();
    });
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_asked_for_until_it_can_be_one() {
        let view = |what, typed: &str| NamingView::new(what, typed.to_owned(), vec!["main".to_owned()]);
        for bad in ["", " ", "main", "Main.ron", "a/b", ".hidden"] {
            assert!(view(Naming::NewScene, bad).asked().is_err(), "{bad}");
        }
        let Ok(Action::Named { what, name }) = view(Naming::SaveAs, " arena.ron ").asked() else { panic!() };
        assert_eq!((what, name.as_str()), (Naming::SaveAs, "arena"));
        assert!(view(Naming::NewProject, " ").asked().is_err());
        assert!(matches!(view(Naming::NewProject, "/tmp/x").asked(), Ok(Action::MakeProject { .. })));
    }
}
