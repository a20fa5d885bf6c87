//! The Project panel: what `project.ron` says, to be changed there and then, and where the scene's file lies.

pub mod change;

use egui::{RichText, ScrollArea, Ui};
use framewalk_inspector::glossary::sense;
use framewalk_inspector::theme::Theme;
use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::scene::project::{PhysicsDivisor, Project};

use self::change::{ProjectChange, Setting};
use crate::command::{Action, EditorCommand};
use crate::project::{OpenProject, SceneFile};

/// What is typed into a field, and why it was refused.
#[derive(Clone, Debug, Default)]
pub struct ProjectView {
    typed: Option<(Setting, String)>,
    refused: Option<(Setting, String)>,
}

/// Draws the panel. While a scene runs, nothing of the project is changed here.
pub fn ui(
    ui: &mut Ui,
    view: &mut ProjectView,
    open: &OpenProject,
    front: &SceneFile,
    runs: bool,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(ui);
    egui::Frame::new().inner_margin(egui::Margin::symmetric(10, 10)).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.label(RichText::new(&open.project.name).size(15.0));
            if !open.project.about.is_empty() {
                ui.add(egui::Label::new(RichText::new(&open.project.about).color(theme.dim)).wrap());
            }
            section(ui, &theme, "Runs");
            egui::Grid::new("project_facts").num_columns(2).spacing([12.0, 4.0]).show(ui, |ui| {
                for setting in Setting::ALL {
                    ui.label(setting.name()).on_hover_text(setting.explained());
                    setting_ui(ui, &theme, view, setting, &open.project, runs, actions);
                    ui.end_row();
                }
                ui.label("Physics").on_hover_text(EditorCommand::EditPhysicsDivisor.tooltip());
                physics_ui(ui, &theme, open.project.physics_divisor, runs, actions);
                ui.end_row();
                ui.label("Handoff").on_hover_text(sense("handoff"));
                handoff_ui(ui, &theme, open.project.handoff, runs, actions);
                ui.end_row();
            });
            let note = "What is entered here is written to project.ron at once, which Undo does not take back. What was set \
                        in the transport counts until the project is closed.";
            ui.add(egui::Label::new(RichText::new(note).color(theme.dim)).wrap());
            section(ui, &theme, "Scenes");
            scenes_ui(ui, &theme, &open.project, front, runs, actions);
            section(ui, &theme, "Files");
            let path = front.path.display().to_string();
            let short = RichText::new(short_path(open, front)).monospace().color(theme.dim);
            ui.add(egui::Label::new(short).selectable(true).wrap()).on_hover_text(&path);
            ui.horizontal_wrapped(|ui| {
                for command in [
                    EditorCommand::OpenSceneFile,
                    EditorCommand::OpenSceneFolder,
                    EditorCommand::OpenProjectFile,
                ] {
                    if ui.button(command.label()).on_hover_text(command.tooltip()).clicked() {
                        actions.push(Action::Command(command));
                    }
                }
                if ui.button("Copy path").on_hover_text("Copies the path of the scene's file.").clicked() {
                    actions.push(Action::CopyText(path));
                }
            });
        });
    });
}

/// A line each: shown by a click, and one of them the first that is opened.
fn scenes_ui(
    ui: &mut Ui,
    theme: &Theme,
    project: &Project,
    front: &SceneFile,
    runs: bool,
    actions: &mut Vec<Action>,
) {
    for (position, scene) in project.scenes.iter().enumerate() {
        ui.horizontal(|ui| {
            let shown = *scene == front.name;
            let line = ui.selectable_label(shown, scene.as_str()).on_hover_text(if shown {
                "This scene is in front."
            } else {
                "Brings this scene to the front, in a tab of its own."
            });
            if line.clicked() && !shown {
                actions.push(Action::OpenScene(scene.clone()));
            }
            if position == 0 {
                ui.label(RichText::new("opened first").color(theme.dim));
                return;
            }
            let make = ui
                .add_enabled(!runs, egui::Button::new("Open first").small())
                .accessible_name(format!("Open {scene} first"))
                .on_hover_text("Puts this scene first in project.ron: it is opened with the project, and run from the command line.")
                .on_disabled_hover_text(STOP_FIRST);
            if make.clicked() {
                actions.push(Action::ChangeProject(ProjectChange::FirstScene(scene.clone())));
            }
        });
    }
}

const STOP_FIRST: &str = "Stop first: while a scene runs, the transport changes it for that run.";

/// A field to type in: taken with Enter or when it is left, given up with Escape. What is refused stays to be mended.
fn setting_ui(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut ProjectView,
    setting: Setting,
    project: &Project,
    runs: bool,
    actions: &mut Vec<Action>,
) {
    let now = setting.text(project);
    let is_typed = view.typed.as_ref().is_some_and(|(of, _)| *of == setting);
    let mut text = match &view.typed {
        Some((of, text)) if *of == setting => text.clone(),
        _ => now.clone(),
    };
    let refused = view.refused.as_ref().filter(|(of, _)| *of == setting).map(|(_, why)| why.clone());
    ui.vertical(|ui| {
        ui.horizontal(|ui| {
            let mut field =
                egui::TextEdit::singleline(&mut text).font(egui::TextStyle::Monospace).desired_width(64.0);
            if refused.is_some() {
                field = field.text_color(ui.visuals().error_fg_color);
            }
            let response = ui
                .add_enabled(!runs, field)
                .accessible_name(format!("{} of the project", setting.name()))
                .on_hover_text(setting.explained())
                .on_disabled_hover_text(format!("{}\n{STOP_FIRST}", setting.explained()));
            ui.label(RichText::new(setting.note(project)).color(theme.dim));
            if response.changed() {
                view.typed = Some((setting, text.clone()));
            }
            if !response.lost_focus() || !is_typed {
                return;
            }
            view.refused = None;
            if ui.input(|input| input.key_pressed(egui::Key::Escape)) || text.trim() == now {
                view.typed = None;
                return;
            }
            match setting.read(&text) {
                Ok(change) => {
                    actions.push(Action::ChangeProject(change));
                    view.typed = None;
                }
                Err(why) => view.refused = Some((setting, why)),
            }
        });
        if let Some(why) = refused {
            ui.add(egui::Label::new(RichText::new(why).color(ui.visuals().error_fg_color)).wrap());
        }
    });
}

/// How many ticks a physics step spans in the project's runs: written to `project.ron` when it is chosen.
fn physics_ui(ui: &mut Ui, theme: &Theme, now: PhysicsDivisor, runs: bool, actions: &mut Vec<Action>) {
    let named = |divisor: PhysicsDivisor| match divisor.ticks() {
        1 => "every tick".to_owned(),
        ticks => format!("once in {ticks} ticks"),
    };
    ui.add_enabled_ui(!runs, |ui| {
        let chosen = theme.figure(named(now));
        let list = egui::ComboBox::from_id_salt("project_physics").selected_text(chosen).width(128.0);
        let shown = list.show_ui(ui, |ui| {
            let usual = [1, 2, 4, 8, 16, 32, 64].into_iter().filter_map(PhysicsDivisor::new);
            for divisor in usual {
                let choice = ui.selectable_label(divisor == now, theme.figure(named(divisor)));
                if choice.clicked() && divisor != now {
                    actions.push(Action::ChangeProject(ProjectChange::Physics(divisor)));
                }
            }
        });
        shown
            .response
            .accessible_name("Physics of the project")
            .on_hover_text(EditorCommand::EditPhysicsDivisor.tooltip())
            .on_disabled_hover_text(STOP_FIRST);
    });
}

/// The way that the project's runs begin with: written to `project.ron` when it is chosen.
fn handoff_ui(ui: &mut Ui, theme: &Theme, now: HandoffMode, runs: bool, actions: &mut Vec<Action>) {
    ui.add_enabled_ui(!runs, |ui| {
        let chosen = theme.figure(now.name());
        let list = egui::ComboBox::from_id_salt("project_handoff").selected_text(chosen).width(96.0);
        let shown = list.show_ui(ui, |ui| {
            for handoff in HandoffMode::ALL {
                let command = EditorCommand::SetHandoff(handoff);
                let choice = ui.selectable_label(handoff == now, theme.figure(handoff.name()));
                let choice = choice.on_hover_text(command.tooltip());
                if choice.clicked() && handoff != now {
                    actions.push(Action::ChangeProject(ProjectChange::Handoff(handoff)));
                }
            }
        });
        shown
            .response
            .accessible_name("Handoff of the project")
            .on_hover_text(EditorCommand::SetHandoff(now).tooltip())
            .on_disabled_hover_text(STOP_FIRST);
    });
}

fn section(ui: &mut Ui, theme: &Theme, title: &str) {
    ui.add_space(8.0);
    ui.label(theme.section(title));
}

/// The scene's file from the project's folder on: the whole path is long, and shows on hover.
fn short_path(open: &OpenProject, front: &SceneFile) -> String {
    let above = open.root.parent().unwrap_or(&open.root);
    front.path.strip_prefix(above).unwrap_or(&front.path).display().to_string()
}
