//! The Project panel: what `project.ron` says, physics and handoff to be chosen, and where the scene's file lies.

use egui::{RichText, ScrollArea, Ui};
use framewalk_inspector::glossary::sense;
use framewalk_inspector::theme::Theme;
use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::scene::project::{PhysicsDivisor, Project};
use framewalk_runtime::time::fixed_step::MaxTicks;

use crate::command::{Action, EditorCommand};
use crate::project::{OpenProject, SceneFile};

/// Draws the panel. While a scene runs, nothing of the project is changed here.
pub fn ui(ui: &mut Ui, open: &OpenProject, front: &SceneFile, runs: bool, actions: &mut Vec<Action>) {
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
                    ui.label(theme.figure(&fact.value)).on_hover_text(fact.explained);
                    ui.end_row();
                }
                ui.label("Physics").on_hover_text(EditorCommand::EditPhysicsDivisor.tooltip());
                physics_ui(ui, &theme, open.project.physics_divisor, runs, actions);
                ui.end_row();
                ui.label("Handoff").on_hover_text(sense("handoff"));
                handoff_ui(ui, &theme, open.project.handoff, runs, actions);
                ui.end_row();
            });
            let note = "Physics and handoff are written to project.ron as they are chosen here, which Undo does not take \
                        back. What was set in the transport counts until the project is closed.";
            ui.add(egui::Label::new(RichText::new(note).color(theme.dim)).wrap());
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
                    actions.push(Action::SetProjectPhysics(divisor));
                }
            }
        });
        shown
            .response
            .accessible_name("Physics of the project")
            .on_hover_text(EditorCommand::EditPhysicsDivisor.tooltip())
            .on_disabled_hover_text("Stop first: while a scene runs, the transport changes it for that run.");
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
                    actions.push(Action::SetProjectHandoff(handoff));
                }
            }
        });
        shown
            .response
            .accessible_name("Handoff of the project")
            .on_hover_text(EditorCommand::SetHandoff(now).tooltip())
            .on_disabled_hover_text("Stop first: while a scene runs, the transport changes it for that run.");
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
    if project.audio_rate != Project::AUDIO_RATE {
        facts.push(fact(
            "Audio rate",
            format!("{} Hz", project.audio_rate),
            "What sounds is looked after so often a second in a bare window; here each pass does.",
        ));
    }
    facts
}
