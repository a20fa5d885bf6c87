//! The page that is shown while no project is open: recent projects, samples, and how to open one.

use std::path::{Path, PathBuf};
use std::time::Duration;

use egui::{RichText, Ui};
use framewalk_inspector::theme::Theme;
use framewalk_inspector::wording;

use crate::command::keymap::Keymap;
use crate::command::naming::Naming;
use crate::command::{Action, EditorCommand};
use crate::shell::areas;
use crate::shell::emblem::emblem;
use crate::shell::fonts::STRONG;

/// A project that can be opened with one click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub path: PathBuf,
    pub name: String,
    /// What the project says about itself; empty where nothing is known.
    pub about: String,
}

/// Work on a scene that was not saved when its editor ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsaved {
    /// The folder of its project.
    pub root: PathBuf,
    /// The name of the project; `None` where that is not there any more.
    pub project: Option<String>,
    pub scene: String,
    /// How long ago it was kept.
    pub age: Option<Duration>,
    /// Where it is kept.
    pub file: PathBuf,
}

/// Draws the page.
pub fn ui(
    ui: &mut Ui,
    keymap: &Keymap,
    unsaved: &[Unsaved],
    (recent, samples): (&[Offer], &[Offer]),
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(ui);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let width = 620.0_f32.min(ui.available_width() - 32.0);
        let side = ((ui.available_width() - width) * 0.5).max(0.0);
        ui.add_space((ui.available_height() * 0.10).clamp(16.0, 110.0));
        ui.horizontal_top(|ui| {
            ui.add_space(side);
            ui.vertical(|ui| {
                ui.set_width(width);
                head_ui(ui, &theme, keymap, actions);
                if !unsaved.is_empty() {
                    unsaved_ui(ui, &theme, unsaved, actions);
                }
                if !recent.is_empty() {
                    section_ui(ui, &theme, "Recent", recent, true, actions);
                }
                if samples.is_empty() {
                    ui.add_space(18.0);
                    let text = "No sample projects were found beside the program. Make one: framewalk new DIR --template first-steps";
                    ui.label(RichText::new(text).color(theme.dim));
                } else {
                    section_ui(ui, &theme, "Samples", samples, false, actions);
                }
            });
        });
    });
}

fn head_ui(ui: &mut Ui, theme: &Theme, keymap: &Keymap, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        emblem(ui, theme);
        let strong = egui::FontFamily::Name(STRONG.into());
        ui.label(RichText::new("Framewalk").size(24.0).family(strong));
    });
    ui.add_space(2.0);
    ui.label(
        RichText::new("Open a project, press Play, and watch every frame walk through its six stages.")
            .color(theme.dim),
    );
    ui.add_space(14.0);
    ui.horizontal(|ui| {
        for command in [EditorCommand::OpenProject, EditorCommand::Name(Naming::NewProject)] {
            let keys = keymap.text(ui.ctx(), command);
            let mut button = egui::Button::new(command.label());
            if !keys.is_empty() {
                button = button.shortcut_text(format!("  {keys}"));
            }
            let button = ui.add(button.min_size(egui::vec2(190.0, 30.0)));
            if command == EditorCommand::OpenProject {
                areas::note(ui.ctx(), button.id, button.rect);
            }
            if button.on_hover_text(command.tooltip()).clicked() {
                actions.push(Action::Command(command));
            }
        }
    });
}

/// What waits to be recovered, and the way to it: its project, which offers it once it is open.
fn unsaved_ui(ui: &mut Ui, theme: &Theme, all: &[Unsaved], actions: &mut Vec<Action>) {
    ui.add_space(22.0);
    ui.label(theme.section("Unsaved work"));
    ui.add_space(4.0);
    for unsaved in all {
        let Unsaved { root, project, scene, age, file } = unsaved;
        let name = project.clone().unwrap_or_else(|| folder_name(root));
        let when = age.map_or_else(String::new, |age| format!(", kept {}", ago(age)));
        ui.horizontal(|ui| {
            ui.colored_label(theme.late, "⚠");
            let text = format!("{scene} in {name}{when}");
            ui.add(egui::Label::new(RichText::new(text).color(theme.text)).truncate())
                .on_hover_text(root.display().to_string());
            if project.is_some() {
                let open = ui.button("Open").accessible_name(format!("Open {name} with unsaved work"));
                let tip = "Opens the project, and then asks whether the work is put back.";
                if open.on_hover_text(tip).clicked() {
                    actions.push(Action::OpenPath(root.clone()));
                }
            }
        });
        if project.is_none() {
            let text =
                format!("{} is not there any more. The work is kept in {}.", root.display(), file.display());
            ui.add(egui::Label::new(RichText::new(text).color(theme.dim)).selectable(true).wrap());
        }
    }
}

/// `3 minutes ago`.
fn ago(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    let told = match minutes {
        0 => return "a moment ago".to_owned(),
        1..60 => wording::count(minutes, "minute", "minutes"),
        60..1440 => wording::count(minutes / 60, "hour", "hours"),
        _ => wording::count(minutes / 1440, "day", "days"),
    };
    format!("{told} ago")
}

fn section_ui(
    ui: &mut Ui,
    theme: &Theme,
    title: &str,
    offers: &[Offer],
    forgettable: bool,
    actions: &mut Vec<Action>,
) {
    ui.add_space(22.0);
    ui.label(theme.section(title));
    ui.add_space(4.0);
    for offer in offers {
        offer_ui(ui, theme, offer, forgettable, actions);
        ui.add_space(4.0);
    }
}

fn offer_ui(ui: &mut Ui, theme: &Theme, offer: &Offer, forgettable: bool, actions: &mut Vec<Action>) {
    let missing = offer.about.is_empty() && forgettable && offer.name.is_empty();
    let response = egui::Frame::new()
        .fill(theme.bg1)
        .stroke(egui::Stroke::new(1.0, theme.line))
        .corner_radius(5.0)
        .inner_margin(egui::Margin::symmetric(14, 10))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal(|ui| {
                let strong = egui::FontFamily::Name(STRONG.into());
                let name = if missing { folder_name(&offer.path) } else { offer.name.clone() };
                ui.label(RichText::new(name).family(strong));
                let path = RichText::new(offer.path.display().to_string()).size(11.0).color(theme.faint);
                ui.add(egui::Label::new(path).truncate());
            });
            let about = if missing { "The project is not there any more." } else { offer.about.as_str() };
            if !about.is_empty() {
                ui.add(egui::Label::new(RichText::new(about).color(theme.dim)).wrap());
            }
        })
        .response;
    let id = ui.scope_id().with(("offer", &offer.path, forgettable));
    let click = ui.interact(response.rect, id, egui::Sense::click());
    let label =
        format!("Open {}", if offer.name.is_empty() { folder_name(&offer.path) } else { offer.name.clone() });
    click.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
    if click.hovered() || click.has_focus() {
        let border = egui::Stroke::new(1.0, theme.accent);
        ui.painter().rect_stroke(response.rect, 5.0, border, egui::StrokeKind::Inside);
    }
    if click.clicked() {
        actions.push(if missing {
            Action::ForgetRecent(offer.path.clone())
        } else {
            Action::OpenPath(offer.path.clone())
        });
    }
    if forgettable {
        click.context_menu(|ui| {
            if ui.button("Take off this list").clicked() {
                actions.push(Action::ForgetRecent(offer.path.clone()));
            }
        });
    }
}

pub fn folder_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_ago_is_told_in_the_unit_that_fits() {
        let told = |seconds| ago(Duration::from_secs(seconds));
        assert_eq!(told(59), "a moment ago");
        assert_eq!((told(60), told(3_599)), ("1 minute ago".to_owned(), "59 minutes ago".to_owned()));
        assert_eq!((told(3_600), told(86_399)), ("1 hour ago".to_owned(), "23 hours ago".to_owned()));
        assert_eq!(told(200_000), "2 days ago");
    }
}
