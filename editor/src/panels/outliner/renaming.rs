//! Typing a new name in the row of an entity.

use egui::text::CCursorRange;
use egui::{Key, Ui, vec2};
use framewalk_runtime::world::EntityRow;

use super::{INDENT, Line, OutlinerView, ROW_HEIGHT};
use crate::command::Action;
use crate::document::edit::Edit;
use crate::panels::Pane;

/// The name as a field in the row: Enter takes it, Esc leaves it as it was.
pub(super) fn renaming_ui(
    ui: &mut Ui,
    view: &mut OutlinerView,
    row: &EntityRow,
    line: &Line,
    actions: &mut Vec<Action>,
) {
    let Some(renaming) = &mut view.renaming else { return };
    let mut done = false;
    ui.allocate_ui(vec2(ui.available_width(), ROW_HEIGHT), |ui| {
        ui.horizontal(|ui| {
            ui.add_space(30.0 + INDENT * f32::from(line.depth));
            let field = egui::TextEdit::singleline(&mut renaming.typed).desired_width(f32::INFINITY);
            let output = field.show(ui);
            let response = output.response.response.accessible_name("New name");
            if !renaming.focused {
                response.request_focus();
                renaming.focused = true;
                let mut state = output.state;
                let all = CCursorRange::select_all_str(&renaming.typed);
                state.cursor.set_char_range(Some(all));
                state.store(ui.ctx(), response.id);
            } else if response.lost_focus() || !response.has_focus() {
                let name = renaming.typed.trim().to_owned();
                let escaped = ui.input(|input| input.key_pressed(Key::Escape));
                if !escaped && !name.is_empty() && name != row.name {
                    let edit = Edit::Rename { id: row.id, name: name.clone() };
                    let name = format!("Rename {} to {name}", row.name);
                    actions.push(Action::Edit { name, edit: Box::new(edit), gesture: None });
                }
                done = true;
            }
        });
    });
    if done {
        view.renaming = None;
        // Back to where F2 came from.
        ui.memory_mut(|memory| memory.request_focus(Pane::Outliner.focus_id()));
    }
}
