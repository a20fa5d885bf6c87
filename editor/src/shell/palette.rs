//! The command palette: every command by name, filtered while typing, run with Enter.

use egui::{Key, Modifiers, RichText, Sense, Ui, vec2};
use framewalk_inspector::theme::{Theme, size};

use crate::command::keymap::Keymap;
use crate::command::search::score;
use crate::command::{Action, EditorCommand, Situation};

const WIDTH: f32 = 560.0;
const ROW_HEIGHT: f32 = 26.0;
const ROWS: f32 = 12.0;
/// Rows that Page up and Page down walk.
const PAGE: isize = 10;

/// What the palette remembers while it is open.
#[derive(Clone, Debug, Default)]
pub struct PaletteView {
    query: String,
    chosen: usize,
}

/// One line of the palette.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    command: EditorCommand,
    label: String,
    /// `Err` says why it is not allowed now.
    allowed: Result<(), &'static str>,
}

/// Draws the palette; true when it is done.
pub fn ui(
    ui: &mut Ui,
    view: &mut PaletteView,
    keymap: &Keymap,
    situation: &Situation,
    actions: &mut Vec<Action>,
) -> bool {
    let theme = Theme::of(ui);
    ui.set_width(WIDTH.min(ui.ctx().content_rect().width() - 40.0));
    let toggles = keymap.keys(EditorCommand::Palette).to_vec();
    let (walk, enter, mut done) = ui.input_mut(|input| {
        let mut presses = |key| input.count_and_consume_key(Modifiers::NONE, key).cast_signed();
        let walk = presses(Key::ArrowDown) - presses(Key::ArrowUp)
            + PAGE * (presses(Key::PageDown) - presses(Key::PageUp));
        let enter = presses(Key::Enter) > 0;
        (walk, enter, toggles.iter().any(|keys| input.consume_shortcut(keys)))
    });
    let edit =
        egui::TextEdit::singleline(&mut view.query).hint_text("Find a command…").desired_width(f32::INFINITY);
    let edit = ui.add(edit).accessible_name("Find a command");
    if !edit.has_focus() {
        edit.request_focus();
    }
    if edit.changed() {
        view.chosen = 0;
    }
    let rows = rows(&view.query, situation);
    view.chosen = moved(view.chosen, walk, rows.len());
    ui.add_space(4.0);
    if rows.is_empty() {
        ui.label(RichText::new("No command has these letters in its name.").color(theme.dim));
    }
    let mut run = enter.then_some(view.chosen);
    egui::ScrollArea::vertical().max_height(ROWS * ROW_HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (index, row) in rows.iter().enumerate() {
            let chosen = index == view.chosen;
            let response = row_ui(ui, &theme, row, chosen, &keymap.text(ui.ctx(), row.command));
            if chosen && (walk != 0 || edit.changed()) {
                response.scroll_to_me(None);
            }
            if response.clicked() {
                run = Some(index);
            }
        }
    });
    if let Some(row) = rows.get(view.chosen) {
        ui.add_space(4.0);
        let (text, color) = match row.allowed {
            Ok(()) => (row.command.tooltip(), theme.dim),
            Err(reason) => (reason, theme.late),
        };
        ui.label(RichText::new(text).color(color));
    }
    if let Some(row) = run.and_then(|index| rows.get(index)).filter(|row| row.allowed.is_ok()) {
        actions.push(Action::Command(row.command));
        done = true;
    }
    done
}

/// The commands that match, best first; without a query all of them, in the order of the menus.
fn rows(query: &str, situation: &Situation) -> Vec<Row> {
    let mut found: Vec<(i32, Row)> = EditorCommand::every()
        .filter(|command| *command != EditorCommand::Palette)
        .filter_map(|command| {
            let label = command.full_label();
            let row = Row { command, allowed: command.allowed(situation), label };
            Some((score(query, &row.label)?, row))
        })
        .collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.into_iter().map(|(_, row)| row).collect()
}

/// Walks through the rows and stops at their ends.
fn moved(chosen: usize, by: isize, rows: usize) -> usize {
    chosen.saturating_add_signed(by).min(rows.saturating_sub(1))
}

fn row_ui(ui: &mut Ui, theme: &Theme, row: &Row, chosen: bool, keys: &str) -> egui::Response {
    let enabled = row.allowed.is_ok();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::MenuItem, enabled, chosen, &row.label));
    if ui.is_rect_visible(rect) {
        if chosen {
            ui.painter().rect_filled(rect, f32::from(size::CORNER), theme.selection);
        } else if response.hovered() {
            ui.painter().rect_filled(rect, f32::from(size::CORNER), theme.hover);
        }
        let ink = if enabled { theme.text } else { theme.faint };
        let font = Theme::text_font(ui);
        let painter = ui.painter();
        let left = rect.left_center() + vec2(8.0, 0.0);
        let after = painter.text(left, egui::Align2::LEFT_CENTER, &row.label, font, ink).right();
        let right = rect.right_center() - vec2(8.0, 0.0);
        let figures = Theme::figure_font(ui);
        let before = painter.text(right, egui::Align2::RIGHT_CENTER, keys, figures, theme.dim).left();
        if let Err(reason) = row.allowed {
            let room = egui::Rect::from_x_y_ranges(after + 12.0..=before - 8.0, rect.y_range());
            let at = room.left_center();
            let small = Theme::small_font(ui);
            painter.with_clip_rect(room).text(at, egui::Align2::LEFT_CENTER, reason, small, theme.faint);
        }
    }
    match row.allowed {
        Ok(()) => response.on_hover_text(row.command.tooltip()),
        Err(reason) => response.on_hover_text(reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Phase;

    const EDIT: Situation = Situation {
        phase: Phase::Edit,
        project_open: true,
        scene_broken: false,
        something_marked: false,
        something_selected: false,
        scene_has_camera: true,
        places_kept: 0,
        can_undo: false,
        can_redo: false,
        dirty: false,
        any_unsaved: false,
        scenes_open: 1,
        read_only: false,
    };

    #[test]
    fn without_a_query_every_command_is_listed_but_the_palette_itself() {
        assert_eq!(rows("", &EDIT).len(), EditorCommand::every().count() - 1);
    }

    #[test]
    fn what_is_not_allowed_is_listed_with_its_reason() {
        let rows = rows("stop", &EDIT);
        assert_eq!((rows[0].command, rows[0].allowed), (EditorCommand::Stop, Err("Nothing runs.")));
    }

    #[test]
    fn walking_stops_at_the_ends() {
        assert_eq!((moved(0, -1, 5), moved(3, 4, 5), moved(2, 1, 0)), (0, 4, 0));
    }
}
