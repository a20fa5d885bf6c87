//! The transport: play, pause, stop, the three steps, the rates, and the six live figures.

mod fields;
mod handoffs;
mod icon;
mod plan;

use egui::{Color32, Rect, Response, Sense, Ui, pos2, vec2};
use framewalk_inspector::theme::{Theme, size};
use framewalk_inspector::{Inspector, LiveView};
use framewalk_runtime::time::Rate;

use crate::command::keymap::Keymap;
use crate::command::{Action, EditorCommand, Situation};
use crate::session::{Phase, RunChoices};
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

impl Field {
    /// One of those that go elsewhere where a row has no room for all.
    const fn is_extra(self) -> bool {
        matches!(self, Self::Physics | Self::Handoff)
    }
}

/// Where physics and handoff stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Beside the other fields.
    Beside,
    /// In the upper row, behind the buttons.
    Above,
    /// In the menu of a button beside the other fields.
    Behind,
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
    let buttons = |ui: &mut Ui, view: &mut ToolbarView, actions: &mut Vec<Action>| {
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
        if let Some(choices) = facts.choices.filter(|_| plan.room == Room::Above) {
            divider(ui, &theme);
            fields::extras_ui(ui, view, choices, facts, actions);
        }
    };
    let rest = |ui: &mut Ui, view: &mut ToolbarView, actions: &mut Vec<Action>| {
        if let Some(choices) = facts.choices {
            fields::ui(ui, view, choices, facts, plan.room, actions);
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
            buttons(ui, view, actions);
            rest(ui, view, actions);
        });
        return;
    }
    let (upper, lower) = ui.max_rect().split_top_bottom_at_fraction(0.5);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let row = |rect: Rect| egui::UiBuilder::new().max_rect(rect).layout(layout);
    ui.scope_builder(row(upper), |ui| buttons(ui, view, actions));
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
