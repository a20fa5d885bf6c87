//! The fields of the transport: speed, rates, physics and handoff, each opening for another value.

use std::sync::Arc;

use egui::text::CCursorRange;
use egui::{Response, Sense, Ui, pos2, vec2};
use framewalk_inspector::theme::{Theme, size};
use framewalk_inspector::wording::off_display;
use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::scene::project::PhysicsDivisor;
use framewalk_runtime::time::{Rate, Speed};

use super::{BUTTON_HEIGHT, Field, Room, ToolbarFacts, ToolbarView, button_ui, handoffs};
use crate::command::{Action, EditorCommand};
use crate::session::{FrameRateChoice, RunChoices};

/// Those of the lower row, or of the only one.
pub(super) fn ui(
    ui: &mut Ui,
    view: &mut ToolbarView,
    choices: &RunChoices,
    facts: &ToolbarFacts<'_>,
    room: Room,
    actions: &mut Vec<Action>,
) {
    for shown in fields(choices, facts.frame_rate, view.open) {
        if room == Room::Beside || !shown.field.is_extra() {
            field_ui(ui, view, &shown, choices, facts, actions);
        }
    }
    if room == Room::Behind {
        more_ui(ui, view, choices, facts, actions);
    }
}

/// Physics and handoff alone.
pub(super) fn extras_ui(
    ui: &mut Ui,
    view: &mut ToolbarView,
    choices: &RunChoices,
    facts: &ToolbarFacts<'_>,
    actions: &mut Vec<Action>,
) {
    for shown in fields(choices, facts.frame_rate, view.open) {
        if shown.field.is_extra() {
            field_ui(ui, view, &shown, choices, facts, actions);
        }
    }
}

fn field_ui(
    ui: &mut Ui,
    view: &mut ToolbarView,
    shown: &Shown,
    choices: &RunChoices,
    facts: &ToolbarFacts<'_>,
    actions: &mut Vec<Action>,
) {
    let response = field_button(ui, shown).on_hover_text(shown.told(ui, choices, facts));
    if response.clicked() {
        if view.open == Some(shown.field) {
            view.open = None;
        } else {
            actions.push(Action::Command(shown.command));
        }
    }
    opened_ui(&response, view, shown.field, choices, actions);
}

/// What opens below a field, or below what stands for it.
fn opened_ui(
    response: &Response,
    view: &mut ToolbarView,
    field: Field,
    choices: &RunChoices,
    actions: &mut Vec<Action>,
) {
    if view.open != Some(field) {
        return;
    }
    match field {
        Field::Handoff => handoffs::ui(response, view, choices.handoff, actions),
        Field::Speed | Field::TickRate | Field::FrameRate | Field::Physics => {
            popup_ui(response, view, field, actions);
        }
    }
}

/// The label of the button behind which physics and handoff are where a row has no room for them.
pub(super) const MORE: &str = "More";

fn more_ui(
    ui: &mut Ui,
    view: &mut ToolbarView,
    choices: &RunChoices,
    facts: &ToolbarFacts<'_>,
    actions: &mut Vec<Action>,
) {
    let response = button_ui(ui, &Theme::of(ui), None, MORE, "", false, true);
    let response = response.on_hover_text("What this window is too narrow for.");
    let extras: Vec<Shown> =
        fields(choices, facts.frame_rate, view.open).filter(|shown| shown.field.is_extra()).collect();
    egui::Popup::menu(&response).show(|ui| {
        for shown in &extras {
            let told = shown.told(ui, choices, facts);
            if ui.button(shown.label()).on_hover_text(told).clicked() {
                actions.push(Action::Command(shown.command));
            }
        }
    });
    for shown in &extras {
        opened_ui(&response, view, shown.field, choices, actions);
    }
}

/// A field as it stands there.
pub(super) struct Shown {
    pub field: Field,
    command: EditorCommand,
    name: &'static str,
    value: String,
}

impl Shown {
    /// `Handoff slot`.
    fn label(&self) -> String {
        format!("{} {}", self.name, self.value)
    }

    fn told(&self, ui: &Ui, choices: &RunChoices, facts: &ToolbarFacts<'_>) -> String {
        let source = match choices.frame_rate {
            _ if self.field != Field::FrameRate => "",
            FrameRateChoice::Display => "\nNow the display's, or the project's where that is not known.",
            FrameRateChoice::Fixed(_) => "\nNow a number that was set.",
        };
        // Where no refresh of the display was found to be in step with, nothing is said of it.
        let phase = facts.live.phase_error.filter(|_| self.field == Field::FrameRate);
        let phase = phase.map_or_else(String::new, |error| format!("\nEach begins {}.", off_display(error)));
        let keys = facts.keymap.text(ui.ctx(), self.command);
        format!("{}{source}{phase}\n{keys}", self.command.tooltip())
    }
}

/// The fields in their order.
pub(super) fn fields(
    choices: &RunChoices,
    frame_rate: Rate,
    open: Option<Field>,
) -> impl Iterator<Item = Shown> {
    let divisor = choices.physics_divisor;
    let shows_physics = divisor != PhysicsDivisor::default() || open == Some(Field::Physics);
    let fields = [
        (Field::Speed, EditorCommand::EditSpeed, "Speed", format!("{:.2}×", choices.speed.as_f64())),
        (Field::TickRate, EditorCommand::EditTickRate, "Ticks", format!("{} Hz", choices.tick_rate)),
        (Field::FrameRate, EditorCommand::EditFrameRate, "Frames", format!("{frame_rate} Hz")),
        (Field::Physics, EditorCommand::EditPhysicsDivisor, "Physics", format!("÷ {divisor}")),
        (Field::Handoff, EditorCommand::EditHandoff, "Handoff", choices.handoff.name().to_owned()),
    ];
    fields
        .into_iter()
        .filter(move |(field, ..)| *field != Field::Physics || shows_physics)
        .map(|(field, command, name, value)| Shown { field, command, name, value })
}

/// What a field is wider than its two texts.
const FIELD_MARGIN: f32 = 26.0;

fn field_texts(ui: &Ui, theme: &Theme, name: &str, value: &str) -> (Arc<egui::Galley>, Arc<egui::Galley>) {
    let name = ui.painter().layout_no_wrap(name.to_owned(), Theme::text_font(ui), theme.dim);
    let value = ui.painter().layout_no_wrap(value.to_owned(), Theme::figure_font(ui), theme.text);
    (name, value)
}

/// What a field is wide: as its two texts, or the widest that it can come to where there are only a few.
pub(super) fn field_width(ui: &Ui, shown: &Shown) -> f32 {
    let values = match shown.field {
        Field::Handoff => HandoffMode::ALL.map(HandoffMode::name).to_vec(),
        Field::Speed | Field::TickRate | Field::FrameRate | Field::Physics => vec![shown.value.as_str()],
    };
    let theme = Theme::of(ui);
    let of = |value: &str| {
        let (name, value) = field_texts(ui, &theme, shown.name, value);
        name.size().x + value.size().x + FIELD_MARGIN
    };
    values.into_iter().map(of).fold(0.0, f32::max)
}

fn field_button(ui: &mut Ui, shown: &Shown) -> Response {
    let theme = Theme::of(ui);
    let (name_text, value_text) = field_texts(ui, &theme, shown.name, &shown.value);
    let wanted = vec2(field_width(ui, shown), BUTTON_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(wanted, Sense::click());
    let label = shown.label();
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
