//! The status bar: state, handoff, adapter, the last message; what the history holds and what looking costs.

use egui::{Color32, RichText, Ui};
use framewalk_inspector::glossary::{explain, sense};
use framewalk_inspector::theme::Theme;
use framewalk_inspector::wording;
use framewalk_runtime::scene::project::HandoffMode;

use crate::session::Phase;

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Info,
    Warning,
    Error,
}

/// The newest thing the program has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub severity: Severity,
    pub text: String,
    /// Further lines, one a fault; shown in the banner.
    pub details: Vec<String>,
}

impl Message {
    #[must_use]
    pub fn info(text: impl Into<String>) -> Self {
        Self { severity: Severity::Info, text: text.into(), details: Vec::new() }
    }

    #[must_use]
    pub fn warning(text: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::info(text) }
    }

    #[must_use]
    pub fn error(text: impl Into<String>, details: Vec<String>) -> Self {
        Self { severity: Severity::Error, text: text.into(), details }
    }
}

/// A scene that is being written, or read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Writing {
    Nothing,
    Something,
    /// It takes long: so much of it is done, from 0 to 1.
    Part(f32),
    /// None is, but one is being read, which takes long.
    Reading,
}

/// What the bar shows.
pub struct StatusFacts<'a> {
    pub phase: Phase,
    pub handoff: HandoffMode,
    /// It was chosen, and frames take it from the next one on.
    pub handoff_waits: bool,
    pub adapter: &'a str,
    pub message: Option<&'a Message>,
    pub writing: Writing,
    pub frames_held: usize,
    pub bytes_held: usize,
    pub records_lost: u64,
    pub input_lost: u64,
    /// Threads of earlier runs that did not end.
    pub threads_left: usize,
    /// What drawing one window frame cost last, in milliseconds.
    pub pass_millis: Option<f32>,
}

/// From this width on the bar has room for the adapter's name, which may be long.
const ADAPTER_FROM: f32 = 1_000.0;

/// Draws the bar into a panel of its height.
pub fn ui(ui: &mut Ui, facts: &StatusFacts<'_>) {
    let theme = Theme::of(ui);
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 18.0;
        ui.style_mut().override_text_style = Some(egui::TextStyle::Small);
        ui.add_space(10.0);
        state_ui(ui, &theme, facts.phase);
        let handoff = match facts.handoff {
            HandoffMode::Slot => "slot handoff, 3 buffers",
            HandoffMode::Lockstep => "lockstep handoff, 2 buffers",
            HandoffMode::Free => "free handoff, 6 buffers",
        };
        let waits = if facts.handoff_waits { ", from the next frame" } else { "" };
        let handoff = format!("{handoff}{waits}");
        ui.label(RichText::new(handoff).color(theme.dim)).on_hover_text(sense("handoff"));
        // The last message comes first: it is said nowhere else as soon.
        if ui.max_rect().width() >= ADAPTER_FROM {
            ui.label(RichText::new(facts.adapter).color(theme.dim));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(8.0);
            if let Some(millis) = facts.pass_millis {
                ui.label(RichText::new(format!("interface {millis:.2} ms a pass")).color(theme.dim))
                    .on_hover_text("What laying out the whole window cost last, without painting it.");
            }
            let frames = wording::count(facts.frames_held as u64, "frame", "frames");
            let memory = wording::bytes(facts.bytes_held);
            let history = format!("history {frames} · {memory}");
            let label = ui.label(RichText::new(&history).color(theme.dim));
            label.on_hover_ui(|ui| _ = ui.label(explain(&history)));
            if facts.threads_left > 0 {
                let left = wording::count(facts.threads_left as u64, "thread", "threads");
                ui.colored_label(theme.drop, format!("{left} left behind"))
                    .on_hover_text("Threads of earlier runs that did not end at Stop.");
            }
            if facts.records_lost > 0 {
                let lost = format!("{} records lost", wording::grouped(facts.records_lost));
                ui.colored_label(theme.drop, lost);
            }
            if facts.input_lost > 0 {
                let lost = wording::count(facts.input_lost, "input event", "input events");
                ui.colored_label(theme.drop, format!("{lost} lost")).on_hover_text(
                    "They came while nothing took them for too long. Every key was let go for it.",
                );
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                match facts.writing {
                    Writing::Nothing => {}
                    Writing::Something => {
                        ui.add(egui::Spinner::new().size(10.0)).on_hover_text("A scene is being written.");
                    }
                    Writing::Reading => {
                        ui.add(egui::Spinner::new().size(10.0));
                        ui.label(RichText::new("Reading a scene…").color(theme.dim)).on_hover_text(
                            "Esc goes on with what is here, where that was to be thrown away for it.",
                        );
                    }
                    Writing::Part(part) => {
                        let text = format!("{:.0} %", part * 100.0);
                        // So that what is still to be written is seen too.
                        ui.visuals_mut().extreme_bg_color = theme.line;
                        let bar = egui::ProgressBar::new(part).desired_width(90.0).desired_height(12.0);
                        ui.add(bar.text(RichText::new(&text).size(9.0)))
                            .accessible_name(format!("Written: {text}"))
                            .on_hover_text("So much of the scene is written.");
                    }
                }
                if let Some(message) = facts.message {
                    let text = RichText::new(&message.text).color(severity_color(&theme, message.severity));
                    ui.add(egui::Label::new(text).truncate());
                }
            });
        });
    });
}

fn state_ui(ui: &mut Ui, theme: &Theme, phase: Phase) {
    let (text, color) = match phase {
        Phase::Edit => ("Edit", theme.dim),
        Phase::Playing => ("Playing", theme.run),
        Phase::Paused => ("Paused", theme.run),
        Phase::FrameOpen { .. } => ("Paused in a frame", theme.run),
        Phase::Failed => ("Failed", theme.drop),
    };
    let (dot, _) = ui.allocate_exact_size(egui::vec2(8.0, 8.0), egui::Sense::hover());
    ui.painter().circle_filled(dot.center(), 3.5, color);
    ui.add_space(-11.0);
    ui.label(RichText::new(text).color(color));
}

/// The colour a message is written in.
#[must_use]
pub fn severity_color(theme: &Theme, severity: Severity) -> Color32 {
    match severity {
        Severity::Info => theme.dim,
        Severity::Warning => theme.late,
        Severity::Error => theme.drop,
    }
}
