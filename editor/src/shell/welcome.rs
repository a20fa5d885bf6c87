//! The page that is shown while no project is open: recent projects, samples, and how to open one.

use std::path::{Path, PathBuf};

use egui::{RichText, Ui};
use framewalk_inspector::theme::Theme;

use crate::command::keymap::Keymap;
use crate::command::{Action, EditorCommand};
use crate::shell::areas;
use crate::shell::fonts::STRONG;
use crate::shell::menu::emblem;
use crate::shell::naming::Naming;

/// A project that can be opened with one click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub path: PathBuf,
    pub name: String,
    /// What the project says about itself; empty where nothing is known.
    pub about: String,
}

/// Draws the page.
pub fn ui(ui: &mut Ui, keymap: &Keymap, recent: &[Offer], samples: &[Offer], actions: &mut Vec<Action>) {
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

fn folder_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
