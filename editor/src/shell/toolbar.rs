//! The transport: play, pause, stop, the three steps, the rates, and the six live figures.

mod handoffs;
mod icon;
mod plan;

use std::sync::Arc;

use egui::text::CCursorRange;
use egui::{Color32, Rect, Response, Sense, Ui, pos2, vec2};
use framewalk_inspector::theme::{Theme, size};
use framewalk_inspector::wording::off_display;
use framewalk_inspector::{Inspector, LiveView};
use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::scene::project::PhysicsDivisor;
use framewalk_runtime::time::{Rate, Speed};

use crate::command::keymap::Keymap;
use crate::command::{Action, EditorCommand, Situation};
use crate::session::{FrameRateChoice, Phase, RunChoices};
use crate::shell::{areas, tour};

use self::icon::{Icon, icon_of, paint_icon};
pub use self::plan::Plan;

/// A field of the transport that opens for typing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    Speed,
    TickRate,
    FrameRate,
    /// Ticks that a physics step spans; on show where that is not one, and where it is to be set.
    Physics,
    /// Chosen, not typed.
    Handoff,
}

/// What the transport remembers: which field is open, and what was typed.
#[derive(Clone, Debug, Default)]
pub struct ToolbarView {
    open: Option<Field>,
    text: String,
    problem: String,
    wants_focus: bool,
}

impl ToolbarView {
    /// Opens a field with its present value in it, ready to be typed over.
    pub fn open(&mut self, field: Field, choices: &RunChoices, frame_rate: Rate) {
        self.text = match field {
            Field::Speed => choices.speed.to_string(),
            Field::TickRate => choices.tick_rate.to_string(),
            Field::FrameRate => frame_rate.to_string(),
            Field::Physics => choices.physics_divisor.to_string(),
            Field::Handoff => String::new(),
        };
        self.open = Some(field);
        self.problem.clear();
        self.wants_focus = true;
    }
}

/// What the transport shows.
pub struct ToolbarFacts<'a> {
    pub situation: Situation,
    pub keymap: &'a Keymap,
    pub choices: Option<&'a RunChoices>,
    pub frame_rate: Rate,
    pub inspector: &'a Inspector,
    pub live: &'a LiveView<'a>,
}

const BUTTON_HEIGHT: f32 = 26.0;
const SPACING: f32 = 6.0;
const EDGE: f32 = 8.0;
const DIVIDER_WIDTH: f32 = 9.0;
const ICON_WIDTH: f32 = 18.0;
/// The labels of one button with an icon differ by a few points (Play, Playing, Resume): room for the widest.
const ICON_LABEL_WIDTH: f32 = 48.0;
const GROUPS: [[EditorCommand; 3]; 2] = [
    [EditorCommand::PlayOrResume, EditorCommand::Pause, EditorCommand::Stop],
    [EditorCommand::StepStage, EditorCommand::StepFrame, EditorCommand::StepTick],
];

/// Draws the transport into a panel of its height.
pub fn ui(
    ui: &mut Ui,
    view: &mut ToolbarView,
    facts: &ToolbarFacts<'_>,
    plan: Plan,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(ui);
    let buttons = |ui: &mut Ui, actions: &mut Vec<Action>| {
        ui.spacing_mut().item_spacing.x = SPACING;
        ui.add_space(SPACING);
        for (place, group) in GROUPS.into_iter().enumerate() {
            for command in group {
                if command_ui(ui, &theme, command, facts, plan.keys) {
                    actions.push(Action::Command(command));
                }
            }
            if place == 0 || plan.rows == 1 {
                divider(ui, &theme);
            }
        }
    };
    let rest = |ui: &mut Ui, view: &mut ToolbarView, actions: &mut Vec<Action>| {
        if let Some(choices) = facts.choices {
            fields_ui(ui, &theme, view, choices, facts, plan, actions);
            // In a row of their own nothing follows but the figures, far off.
            if plan.rows == 1 {
                divider(ui, &theme);
            }
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(EDGE);
            let asked = facts.inspector.figures_ui(ui, facts.live);
            actions.extend(asked.map(Action::Inspector));
        });
    };
    if plan.rows == 1 {
        ui.horizontal_centered(|ui| {
            buttons(ui, actions);
            rest(ui, view, actions);
        });
        return;
    }
    let (upper, lower) = ui.max_rect().split_top_bottom_at_fraction(0.5);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let row = |rect: Rect| egui::UiBuilder::new().max_rect(rect).layout(layout);
    ui.scope_builder(row(upper), |ui| buttons(ui, actions));
    ui.scope_builder(row(lower), |ui| {
        ui.spacing_mut().item_spacing.x = SPACING;
        ui.add_space(SPACING);
        rest(ui, view, actions);
    });
}

/// Width of a button without its keys, and what these add.
fn button_widths(ui: &Ui, keymap: &Keymap, command: EditorCommand) -> (f32, f32) {
    let text = |text: String, font| ui.painter().layout_no_wrap(text, font, Color32::PLACEHOLDER).size().x;
    let label = text(command.label().to_owned(), Theme::text_font(ui));
    let keys = keys_text(ui, keymap, command);
    let chip = if keys.is_empty() { 0.0 } else { text(keys, key_font()) + 16.0 };
    let icon = icon_of(command).map_or(0.0, |_| ICON_WIDTH);
    let label = if icon > 0.0 { label.max(ICON_LABEL_WIDTH) } else { label };
    (icon + label + 20.0, chip)
}

const fn key_font() -> egui::FontId {
    egui::FontId::new(10.5, egui::FontFamily::Proportional)
}

fn keys_text(ui: &Ui, keymap: &Keymap, command: EditorCommand) -> String {
    keymap.text(ui.ctx(), command).replace("Shift+", "⇧")
}

fn command_ui(
    ui: &mut Ui,
    theme: &Theme,
    command: EditorCommand,
    facts: &ToolbarFacts<'_>,
    with_keys: bool,
) -> bool {
    let phase = facts.situation.phase;
    let allowed = command.allowed(&facts.situation);
    let armed = facts.choices.is_some_and(|choices| choices.start_paused);
    let lit = match command {
        EditorCommand::PlayOrResume => phase == Phase::Playing,
        EditorCommand::Pause => {
            matches!(phase, Phase::Paused | Phase::FrameOpen { .. }) || (phase == Phase::Edit && armed)
        }
        _ => false,
    };
    let label = match (command, phase) {
        (EditorCommand::PlayOrResume, Phase::Playing) => "Playing",
        _ => command.label_in(phase),
    };
    let keys = facts.keymap.text(ui.ctx(), command);
    let chip = if with_keys { keys_text(ui, facts.keymap, command) } else { String::new() };
    let response = button_ui(ui, theme, icon_of(command), label, &chip, lit, allowed.is_ok());
    if command == EditorCommand::PlayOrResume {
        tour::mark(ui.ctx(), tour::Target::Play, response.rect);
        areas::note(ui.ctx(), response.id, ui.max_rect());
    }
    let response = match allowed {
        Ok(()) => response.on_hover_text(format!("{}\n{}", command.tooltip(), keys)),
        Err(reason) => response.on_hover_text(reason),
    };
    allowed.is_ok() && response.clicked()
}

/// A button with an icon, a label and its key; it keeps its width while its label changes.
fn button_ui(
    ui: &mut Ui,
    theme: &Theme,
    icon: Option<Icon>,
    label: &str,
    keys: &str,
    lit: bool,
    enabled: bool,
) -> Response {
    let ink = if enabled || lit { theme.text } else { theme.faint };
    let text = ui.painter().layout_no_wrap(label.to_owned(), Theme::text_font(ui), ink);
    let keys = ui.painter().layout_no_wrap(keys.to_owned(), key_font(), theme.faint);
    let chip = if keys.text().is_empty() { 0.0 } else { keys.size().x + 16.0 };
    let text_width = if icon.is_some() { text.size().x.max(ICON_LABEL_WIDTH) } else { text.size().x };
    let icon_width = if icon.is_some() { ICON_WIDTH } else { 0.0 };
    let wanted = vec2(icon_width + text_width + chip + 20.0, BUTTON_HEIGHT);
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(wanted, sense);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, enabled, lit, label));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let (fill, border) = if lit {
        (theme.run_faded, theme.run)
    } else if response.is_pointer_button_down_on() {
        (theme.selection, theme.accent)
    } else if response.hovered() && enabled {
        (theme.hover, theme.faint)
    } else {
        (theme.bg2, theme.line)
    };
    let painter = ui.painter();
    painter.rect(
        rect,
        f32::from(size::CORNER),
        fill,
        egui::Stroke::new(1.0, border),
        egui::StrokeKind::Inside,
    );
    let mut x = rect.left() + 10.0;
    if let Some(icon) = icon {
        let middle = pos2(x + 5.0, rect.center().y);
        let color = match (enabled, icon, lit) {
            (_, _, true) => theme.run,
            (false, ..) => theme.faint,
            (true, Icon::Play, _) => theme.ok,
            _ => theme.text,
        };
        paint_icon(ui, icon, middle, color);
        x += icon_width;
    }
    let y = rect.center().y - text.size().y * 0.5;
    painter.galley(pos2(x, y), text, ink);
    if chip > 0.0 {
        let at = Rect::from_min_size(
            pos2(rect.right() - keys.size().x - 16.0, rect.center().y - 7.5),
            vec2(keys.size().x + 8.0, 15.0),
        );
        let border = if lit { theme.run.gamma_multiply(0.5) } else { theme.line };
        painter.rect_stroke(at, 3.0, egui::Stroke::new(1.0, border), egui::StrokeKind::Inside);
        let text = egui::Align2::CENTER_CENTER.align_size_within_rect(keys.size(), at).min;
        painter.galley(text, keys, theme.faint);
    }
    response
}

fn divider(ui: &mut Ui, theme: &Theme) {
    let (rect, _) = ui.allocate_exact_size(vec2(DIVIDER_WIDTH, BUTTON_HEIGHT), Sense::hover());
    ui.painter().vline(rect.center().x, rect.shrink(3.0).y_range(), egui::Stroke::new(1.0, theme.line));
}

fn fields_ui(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut ToolbarView,
    choices: &RunChoices,
    facts: &ToolbarFacts<'_>,
    plan: Plan,
    actions: &mut Vec<Action>,
) {
    let frame_rate = facts.frame_rate;
    let source = match choices.frame_rate {
        FrameRateChoice::Display => "Now the display's, or the project's where that is not known.",
        FrameRateChoice::Fixed(_) => "Now a number that was set.",
    };
    // Where no refresh of the display was found to be in step with, nothing is said of it.
    let phase = facts.live.phase_error;
    let phase = phase.map_or_else(String::new, |error| format!("\nEach begins {}.", off_display(error)));
    for (field, command, name, value) in fields(choices, frame_rate, view.open) {
        if matches!(field, Field::Physics | Field::Handoff) && !plan.all_fields && view.open != Some(field) {
            continue;
        }
        let response = field_button(ui, theme, field, name, &value);
        let keys = facts.keymap.text(ui.ctx(), command);
        let note = if field == Field::FrameRate { format!("\n{source}{phase}") } else { String::new() };
        let response = response.on_hover_text(format!("{}{note}\n{keys}", command.tooltip()));
        if response.clicked() {
            if view.open == Some(field) {
                view.open = None;
            } else {
                actions.push(Action::Command(command));
            }
        }
        if view.open == Some(Field::Handoff) && field == Field::Handoff {
            handoffs::ui(&response, view, choices.handoff, actions);
        } else if view.open == Some(field) {
            popup_ui(&response, view, field, actions);
        }
    }
}

/// The fields in their order: what each sets, its name and its value.
fn fields(
    choices: &RunChoices,
    frame_rate: Rate,
    open: Option<Field>,
) -> impl Iterator<Item = (Field, EditorCommand, &'static str, String)> {
    let divisor = choices.physics_divisor;
    let shows_physics = divisor != PhysicsDivisor::default() || open == Some(Field::Physics);
    let fields = [
        (Field::Speed, EditorCommand::EditSpeed, "Speed", format!("{:.2}×", choices.speed.as_f64())),
        (Field::TickRate, EditorCommand::EditTickRate, "Ticks", format!("{} Hz", choices.tick_rate)),
        (Field::FrameRate, EditorCommand::EditFrameRate, "Frames", format!("{frame_rate} Hz")),
        (Field::Physics, EditorCommand::EditPhysicsDivisor, "Physics", format!("÷ {divisor}")),
        (Field::Handoff, EditorCommand::EditHandoff, "Handoff", choices.handoff.name().to_owned()),
    ];
    fields.into_iter().filter(move |(field, ..)| *field != Field::Physics || shows_physics)
}

/// What a field is wider than its two texts.
const FIELD_MARGIN: f32 = 26.0;

fn field_texts(ui: &Ui, theme: &Theme, name: &str, value: &str) -> (Arc<egui::Galley>, Arc<egui::Galley>) {
    let name = ui.painter().layout_no_wrap(name.to_owned(), Theme::text_font(ui), theme.dim);
    let value = ui.painter().layout_no_wrap(value.to_owned(), Theme::figure_font(ui), theme.text);
    (name, value)
}

/// What a field is wide: as its two texts, or the widest that it can come to where there are only a few.
fn field_width(ui: &Ui, theme: &Theme, field: Field, name: &str, value: &str) -> f32 {
    let values = match field {
        Field::Handoff => HandoffMode::ALL.map(HandoffMode::name).to_vec(),
        Field::Speed | Field::TickRate | Field::FrameRate | Field::Physics => vec![value],
    };
    let of = |value: &str| {
        let (name, value) = field_texts(ui, theme, name, value);
        name.size().x + value.size().x + FIELD_MARGIN
    };
    values.into_iter().map(of).fold(0.0, f32::max)
}

fn field_button(ui: &mut Ui, theme: &Theme, field: Field, name: &str, value: &str) -> Response {
    let (name_text, value_text) = field_texts(ui, theme, name, value);
    let wanted = vec2(field_width(ui, theme, field, name, value), BUTTON_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(wanted, Sense::click());
    let label = format!("{name} {value}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
    let border = if response.hovered() { theme.faint } else { theme.line };
    let painter = ui.painter();
    let border = egui::Stroke::new(1.0, border);
    painter.rect(rect, f32::from(size::CORNER), theme.bg2, border, egui::StrokeKind::Inside);
    let y = rect.center().y;
    painter.galley(pos2(rect.left() + 10.0, y - name_text.size().y * 0.5), name_text, theme.dim);
    let x = rect.right() - 10.0 - value_text.size().x;
    painter.galley(pos2(x, y - value_text.size().y * 0.5), value_text, theme.text);
    response
}

fn popup_ui(response: &Response, view: &mut ToolbarView, field: Field, actions: &mut Vec<Action>) {
    let mut open = true;
    let mut chosen: Option<Result<Action, String>> = None;
    egui::Popup::from_response(response)
        .open_bool(&mut open)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            ui.set_width(190.0);
            let edit = egui::TextEdit::singleline(&mut view.text)
                .font(egui::TextStyle::Monospace)
                .desired_width(f32::INFINITY);
            let shown = edit.show(ui);
            let edit = shown.response.response.accessible_name(typed_name(field));
            if view.wants_focus {
                view.wants_focus = false;
                edit.request_focus();
                // All of it selected: what is typed replaces it.
                let mut state = shown.state;
                state.cursor.set_char_range(Some(CCursorRange::select_all_str(&view.text)));
                state.store(ui.ctx(), edit.id);
            }
            if edit.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
                chosen = Some(parse(field, &view.text));
            }
            if !view.problem.is_empty() {
                ui.colored_label(ui.visuals().error_fg_color, &view.problem);
            }
            if field == Field::FrameRate && ui.button("Follow the display").clicked() {
                chosen = Some(Ok(Action::SetFrameRate(FrameRateChoice::Display)));
            }
            ui.horizontal_wrapped(|ui| {
                for preset in presets(field) {
                    if ui.button(*preset).clicked() {
                        chosen = Some(parse(field, preset));
                    }
                }
            });
        });
    match chosen {
        Some(Ok(action)) => {
            actions.push(action);
            view.open = None;
        }
        Some(Err(problem)) => {
            // It stands under the field until it is mended; the log keeps it, once.
            if field == Field::FrameRate && view.problem != problem {
                tracing::warn!(target: "framewalk", asked = view.text.as_str(), accepted = "1 to 1000 Hz", "frame_rate_invalid");
            }
            view.problem = problem;
            view.wants_focus = true;
        }
        None if !open => view.open = None,
        None => {}
    }
}

const fn typed_name(field: Field) -> &'static str {
    match field {
        Field::Speed => "Speed, 0 to 8",
        Field::TickRate => "Tick rate in Hz",
        Field::FrameRate => "Frame rate in Hz",
        Field::Physics => "Ticks that a physics step spans, 1 to 64",
        Field::Handoff => "Handoff",
    }
}

const fn presets(field: Field) -> &'static [&'static str] {
    match field {
        Field::Speed => &["0", "0.1", "0.25", "0.5", "1", "2", "4", "8"],
        Field::TickRate => &["10", "20", "30", "50", "60", "64", "120", "128", "512"],
        Field::FrameRate => &["24", "25", "30", "59.94", "60", "75", "90", "120", "144", "165", "240"],
        Field::Physics => &["1", "2", "4", "8", "16", "32", "64"],
        Field::Handoff => &["slot", "lockstep", "free"],
    }
}

fn parse(field: Field, text: &str) -> Result<Action, String> {
    match field {
        Field::Speed => text.parse::<Speed>().map(Action::SetSpeed).map_err(|error| error.to_string()),
        Field::TickRate => text.parse::<Rate>().map(Action::SetTickRate).map_err(|error| error.to_string()),
        Field::FrameRate => text
            .parse::<Rate>()
            .map(|rate| Action::SetFrameRate(FrameRateChoice::Fixed(rate)))
            .map_err(|error| error.to_string()),
        Field::Physics => {
            text.parse::<PhysicsDivisor>().map(Action::SetPhysicsDivisor).map_err(|fault| fault.sentence())
        }
        Field::Handoff => text
            .parse::<HandoffMode>()
            .map(|handoff| Action::Command(EditorCommand::SetHandoff(handoff)))
            .map_err(|fault| fault.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_accepted() {
        for field in [Field::Speed, Field::TickRate, Field::FrameRate, Field::Physics, Field::Handoff] {
            for preset in presets(field) {
                assert!(parse(field, preset).is_ok(), "{field:?} {preset}");
            }
        }
    }

    #[test]
    fn what_is_no_rate_says_what_is_accepted() {
        assert!(parse(Field::TickRate, "0").unwrap_err().contains("1 to 1000 Hz"));
        assert!(parse(Field::Physics, "65").unwrap_err().contains("1 to 64"));
        assert!(parse(Field::Speed, "9").unwrap_err().contains("0 to 8"));
    }
}
