//! The history of the open scene: every step by its name, where the file is, and where one is; a click goes there.

use egui::{Key, RichText, ScrollArea, Ui};
use framewalk_inspector::theme::{Theme, size};

use crate::command::Action;
use crate::document::history::History;

const ROW_HEIGHT: f32 = 22.0;

/// Draws the panel. While it has the keyboard, the arrows go one step back or forth.
/// `refusal` says why no other step can be gone to.
pub fn ui(ui: &mut Ui, history: &History, refusal: Option<&str>, has_keys: bool, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let names: Vec<&str> = history.names().collect();
    let done = history.done_count();
    if names.is_empty() {
        egui::Frame::new().inner_margin(10).show(ui, |ui| {
            let text = match history.is_dirty() {
                true => "What was changed cannot be taken back any more.",
                false => "Nothing was changed yet: every change of the scene will stand here, to go back to.",
            };
            ui.label(RichText::new(text).color(theme.dim));
        });
        return;
    }
    if has_keys && refusal.is_none() {
        let pressed = |key| ui.input(|input| input.modifiers.is_none() && input.key_pressed(key));
        if pressed(Key::ArrowUp) && done > 0 {
            actions.push(Action::JumpInHistory(done - 1));
        } else if pressed(Key::ArrowDown) && done < names.len() {
            actions.push(Action::JumpInHistory(done + 1));
        }
    }
    let foot = ui.text_style_height(&egui::TextStyle::Body) + 10.0;
    ui.spacing_mut().item_spacing.y = 0.0;
    let height = (ui.available_height() - foot).max(ROW_HEIGHT);
    ScrollArea::vertical().auto_shrink(false).max_height(height).stick_to_bottom(true).show_rows(
        ui,
        ROW_HEIGHT,
        names.len() + 1,
        |ui, range| {
            for count in range {
                let name = match count {
                    0 if history.forgotten() > 0 => "Oldest state that is kept",
                    0 => "As opened",
                    step => names[step - 1],
                };
                let row = Row { name, current: count == done, undone: count > done };
                let saved = history.saved_count() == Some(count);
                if row_ui(ui, &theme, &row, saved, refusal) && count != done {
                    actions.push(Action::JumpInHistory(count));
                }
            }
        },
    );
    ui.horizontal(|ui| {
        ui.add_space(10.0);
        let text = RichText::new(figures(history)).size(size::SMALL).color(theme.faint);
        ui.label(text).on_hover_text(
            "Past this memory the oldest steps are forgotten; Preferences say how much it is. The history lasts as long as the scene is open.",
        );
    });
}

struct Row<'a> {
    name: &'a str,
    /// The scene is as it was after this step.
    current: bool,
    undone: bool,
}

fn row_ui(ui: &mut Ui, theme: &Theme, row: &Row<'_>, saved: bool, refusal: Option<&str>) -> bool {
    let color = if row.undone { theme.faint } else { theme.text };
    let text = RichText::new(row.name).color(color);
    let mut button = egui::Button::selectable(row.current, text).truncate();
    if saved {
        button = button.right_text(RichText::new("saved").size(size::SMALL).color(theme.ok));
    }
    let button = button.min_size(egui::vec2(ui.available_width(), ROW_HEIGHT));
    let label = match (saved, row.undone) {
        (true, _) => format!("{}, saved", row.name),
        (false, true) => format!("{}, undone", row.name),
        (false, false) => row.name.to_owned(),
    };
    let response = ui.add_enabled(refusal.is_none(), button).accessible_name(label);
    let response = match (row.current, row.undone) {
        (true, _) => response.on_hover_text("The scene is as after this step."),
        (false, true) => response.on_hover_text("Was undone: a click does it again, with all before it."),
        (false, false) => response.on_hover_text("A click takes back all that was done after it."),
    };
    response.on_disabled_hover_text(refusal.unwrap_or_default()).clicked()
}

/// `3 steps · 1.2 KiB of 64 MiB`.
fn figures(history: &History) -> String {
    let count = history.names().count();
    let plural = if count == 1 { "" } else { "s" };
    let forgotten = match history.forgotten() {
        0 => String::new(),
        forgotten => format!(" · {forgotten} forgotten"),
    };
    let used = memory(history.bytes());
    let budget = match history.budget_bytes() {
        usize::MAX => ", as much as there is".to_owned(),
        bytes => format!(" of {}", memory(bytes)),
    };
    format!("{count} step{plural} · {used}{budget}{forgotten}")
}

/// Bytes in the unit that fits.
#[must_use]
pub fn memory(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.0} MiB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.0} GiB", bytes as f64 / 1_073_741_824.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_written_in_the_unit_that_fits() {
        assert_eq!(memory(0), "0 B");
        assert_eq!(memory(1023), "1023 B");
        assert_eq!(memory(1536), "1.5 KiB");
        assert_eq!(memory(64 << 20), "64 MiB");
        assert_eq!(memory(4 << 30), "4 GiB");
    }

    #[test]
    fn the_figures_count_steps_and_memory() {
        let history = History::with_budget(2048);
        assert_eq!(figures(&history), "0 steps · 0 B of 2.0 KiB");
        let history = History::with_budget(usize::MAX);
        assert_eq!(figures(&history), "0 steps · 0 B, as much as there is");
    }
}
