//! The Project panel: what `project.ron` says, where the scene's file lies, and which handoff is used now.

use egui::{RichText, ScrollArea, Ui};
use framewalk_inspector::glossary::sense;
use framewalk_inspector::theme::Theme;
use framewalk_runtime::scene::project::{HandoffMode, PhysicsDivisor};
use framewalk_runtime::time::fixed_step::MaxTicks;

use crate::command::{Action, EditorCommand};
use crate::project::{OpenProject, SceneFile};
use crate::shell::toolbar::handoff_chooser_ui;

/// Draws the panel.
pub fn ui(
    ui: &mut Ui,
    open: &OpenProject,
    front: &SceneFile,
    handoff: HandoffMode,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(ui);
    egui::Frame::new().inner_margin(egui::Margin::symmetric(10, 10)).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.label(RichText::new(&open.project.name).size(15.0));
            if !open.project.about.is_empty() {
                ui.add(egui::Label::new(RichText::new(&open.project.about).color(theme.dim)).wrap());
            }
            section(ui, &theme, "Files");
            let path = front.path.display().to_string();
            let short = RichText::new(short_path(open, front)).monospace().color(theme.dim);
            ui.add(egui::Label::new(short).selectable(true).wrap()).on_hover_text(&path);
            ui.horizontal_wrapped(|ui| {
                for command in [EditorCommand::OpenSceneFile, EditorCommand::OpenSceneFolder] {
                    if ui.button(command.label()).on_hover_text(command.tooltip()).clicked() {
                        actions.push(Action::Command(command));
                    }
                }
                if ui.button("Copy path").on_hover_text("Copies the path of the scene's file.").clicked() {
                    actions.push(Action::CopyText(path));
                }
            });
            section(ui, &theme, "Runs");
            egui::Grid::new("project_facts").num_columns(2).spacing([12.0, 4.0]).show(ui, |ui| {
                for fact in facts(open) {
                    ui.label(fact.name).on_hover_text(fact.explained);
                    if fact.name == HANDOFF {
                        handoff_chooser_ui(ui, &theme, handoff, actions);
                    } else {
                        ui.label(theme.figure(&fact.value)).on_hover_text(fact.explained);
                    }
                    ui.end_row();
                }
            });
            ui.label(
                RichText::new("What was set in the transport counts until the project is closed.")
                    .color(theme.dim),
            );
            section(ui, &theme, "Scenes");
            for scene in &open.project.scenes {
                let shown = *scene == front.name;
                let line = ui.selectable_label(shown, scene.as_str());
                if line
                    .on_hover_text(if shown {
                        "This scene is in front."
                    } else {
                        "Brings this scene to the front, in a tab of its own."
                    })
                    .clicked()
                    && !shown
                {
                    actions.push(Action::OpenScene(scene.clone()));
                }
            }
        });
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

/// The line that can be changed here; what is chosen counts until the project is closed, as in the transport.
const HANDOFF: &str = "Handoff";

/// One line of what the project says.
struct Fact {
    name: &'static str,
    value: String,
    explained: &'static str,
}

fn facts(open: &OpenProject) -> Vec<Fact> {
    let project = &open.project;
    let fact = |name, value, explained| Fact { name, value, explained };
    let cap = match project.limits.max_ticks {
        MaxTicks::Auto => format!("auto, {} here", project.limits.max_ticks.at(project.tick_rate)),
        MaxTicks::Fixed(most) => most.to_string(),
    };
    let mut facts = vec![
        fact("Tick rate", format!("{} Hz", project.tick_rate), sense("tick rate")),
        fact("Frame rate", format!("{} Hz", project.frame_rate), sense("frame rate")),
        fact("Speed", format!("{:.3}×", project.speed.as_f64()), sense("speed")),
        fact(HANDOFF, project.handoff.name().to_owned(), sense("handoff")),
        fact(
            "Longest delta",
            format!("{} ms", project.limits.max_delta.as_millis_f64()),
            "The longest delta that is accepted; the rest of it is clamped time.",
        ),
        fact(
            "Tick cap",
            cap,
            "Most ticks in one frame; the rest of what is due is capped: dropped, never queued.",
        ),
    ];
    let divisor = project.physics_divisor;
    if divisor != PhysicsDivisor::default() {
        facts.push(fact(
            "Physics",
            format!("once in {divisor} ticks"),
            "A physics step spans so many ticks; bodies are drawn in between.",
        ));
    }
    facts
}
