//! Dragging rows of the outliner to another place in the tree: where the pointer means, and how that is shown.

use egui::{Key, Pos2, Rect, Ui, pos2};
use framewalk_inspector::theme::Theme;
use framewalk_runtime::scene::EntityId;
use framewalk_runtime::world::EntityRow;

use super::{INDENT, Line, ROW_HEIGHT};
use crate::command::Action;
use crate::document::arrange::Target;

/// What is being dragged.
#[derive(Clone, Debug, Default)]
pub struct Dragging {
    ids: Vec<EntityId>,
}

/// What the pointer means on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drop {
    /// Between rows, above this one.
    Before,
    /// Between rows, below this one.
    After,
    /// On the row: to hang on it.
    On,
}

impl Dragging {
    /// Some rows are dragged.
    pub fn is_on(&self) -> bool {
        !self.ids.is_empty()
    }

    pub fn begin(&mut self, ids: Vec<EntityId>) {
        self.ids = ids;
    }

    /// Follows a drag over the rows that stand in `area`, the first of them at `top`: shows where a drop would lead,
    /// and asks for it when the pointer lets go. Esc ends it without.
    pub fn follow(
        &mut self,
        ui: &Ui,
        area: Rect,
        top: f32,
        (rows, lines): (&[EntityRow], &[Line]),
        actions: &mut Vec<Action>,
    ) {
        if !self.is_on() {
            return;
        }
        let escape = ui.ctx().input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Escape));
        let (pointer, released, down) = ui.input(|input| {
            (input.pointer.latest_pos(), input.pointer.any_released(), input.pointer.any_down())
        });
        let at = pointer.filter(|pointer| area.contains(*pointer));
        let found = at.and_then(|at| target_at(at, top, rows, lines));
        if escape || (!released && !down) {
            self.ids.clear();
            return;
        }
        if let Some((line, drop, target)) = found {
            let refused = self.refused(rows, target);
            if released && !refused {
                actions.push(Action::MoveEntities { ids: self.ids.clone(), to: target });
            }
            let told = told(rows, lines, line, drop, refused);
            paint(ui, area, top, (line, lines[line].depth), drop, refused, &told, at.unwrap_or_default());
        }
        if released {
            self.ids.clear();
        }
    }

    /// It would hang on itself, or on what hangs on it.
    fn refused(&self, rows: &[EntityRow], target: Target) -> bool {
        let mut above = target.parent;
        for _ in 0..rows.len() {
            let Some(id) = above else { return false };
            if self.ids.contains(&id) {
                return true;
            }
            above = rows.iter().find(|row| row.id == id).and_then(|row| row.under);
        }
        false
    }
}

/// The line, which part of it, and where a drop there leads; below all lines it is the end of the scene.
fn target_at(at: Pos2, top: f32, rows: &[EntityRow], lines: &[Line]) -> Option<(usize, Drop, Target)> {
    let last = lines.len().checked_sub(1)?;
    let offset = (at.y - top) / ROW_HEIGHT;
    if offset < 0.0 {
        return None;
    }
    let line = (offset as usize).min(last);
    if offset as usize > last {
        return Some((last, Drop::After, Target { parent: None, before: None }));
    }
    let drop = match offset.fract() {
        part if part < 0.25 => Drop::Before,
        part if part > 0.75 => Drop::After,
        _ => Drop::On,
    };
    Some((line, drop, target(rows, lines, line, drop)))
}

fn target(rows: &[EntityRow], lines: &[Line], line: usize, drop: Drop) -> Target {
    let row = &rows[lines[line].row];
    match drop {
        Drop::On => Target { parent: Some(row.id), before: None },
        Drop::Before => Target { parent: row.under, before: Some(row.id) },
        // Below a row that is unfolded is before its first child.
        Drop::After if lines[line].has_children && !lines[line].folded => {
            Target { parent: Some(row.id), before: lines.get(line + 1).map(|next| rows[next.row].id) }
        }
        Drop::After => {
            let next = lines[line + 1..].iter().find(|next| next.depth <= lines[line].depth);
            let next = next.map(|next| &rows[next.row]).filter(|next| next.under == row.under);
            Target { parent: row.under, before: next.map(|next| next.id) }
        }
    }
}

fn told(rows: &[EntityRow], lines: &[Line], line: usize, drop: Drop, refused: bool) -> String {
    let name = &rows[lines[line].row].name;
    match (refused, drop) {
        (true, _) => "Nothing can hang on itself, or on what hangs on it".to_owned(),
        (false, Drop::On) => format!("Onto {name}"),
        (false, Drop::Before) => format!("Before {name}"),
        (false, Drop::After) => format!("After {name}"),
    }
}

#[expect(clippy::too_many_arguments, reason = "one call, from one place, of what that place has at hand")]
fn paint(
    ui: &Ui,
    area: Rect,
    top: f32,
    (line, depth): (usize, u8),
    drop: Drop,
    refused: bool,
    told: &str,
    at: Pos2,
) {
    let theme = Theme::of(ui);
    let color = if refused { theme.drop } else { theme.accent };
    let painter = ui.painter().with_clip_rect(area);
    let y = top + line as f32 * ROW_HEIGHT;
    let left = area.left() + 8.0 + INDENT * f32::from(depth);
    let stroke = egui::Stroke::new(2.0, color);
    match drop {
        Drop::On => {
            let rect = Rect::from_min_max(pos2(area.left(), y), pos2(area.right(), y + ROW_HEIGHT));
            painter.rect_stroke(rect.shrink(1.0), 2.0, stroke, egui::StrokeKind::Inside);
        }
        Drop::Before => _ = painter.hline(left..=area.right(), y, stroke),
        Drop::After => _ = painter.hline(left..=area.right(), y + ROW_HEIGHT, stroke),
    }
    // Over everything, beside the pointer.
    let layer = egui::LayerId::new(egui::Order::Tooltip, egui::Id::unique("framewalk_outliner_drag"));
    let painter = ui.ctx().layer_painter(layer);
    let galley = painter.layout_no_wrap(told.to_owned(), Theme::text_font(ui), theme.text);
    let rect = Rect::from_min_size(at + egui::vec2(14.0, 10.0), galley.size()).expand(5.0);
    painter.rect(rect, 3.0, theme.bg0, egui::Stroke::new(1.0, color), egui::StrokeKind::Inside);
    painter.galley(rect.min + egui::vec2(5.0, 5.0), galley, theme.text);
    ui.ctx().set_cursor_icon(if refused { egui::CursorIcon::NotAllowed } else { egui::CursorIcon::Grabbing });
}

#[cfg(test)]
mod tests {
    use super::super::lines::visible;
    use super::super::tests::row;
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_upper_edge_is_before_the_lower_after_and_the_middle_on_it() {
        let rows = [row(1, "a", None), row(2, "b", Some(1)), row(3, "c", None)];
        let lines = visible(&rows, "", &HashSet::new());
        let at = |y: f32| target_at(pos2(5.0, 100.0 + y), 100.0, &rows, &lines).map(|(_, _, target)| target);
        let to = |parent: Option<u64>, before: Option<u64>| {
            Some(Target { parent: parent.map(EntityId), before: before.map(EntityId) })
        };
        assert_eq!(at(2.0), to(None, Some(1)));
        assert_eq!(at(11.0), to(Some(1), None));
        assert_eq!(at(20.0), to(Some(1), Some(2)), "below an unfolded row is inside it");
        assert_eq!(at(24.0), to(Some(1), Some(2)));
        assert_eq!(at(42.0), to(Some(1), None), "the last child");
        assert_eq!(at(64.0), to(None, None));
        assert_eq!(at(900.0), to(None, None), "below all lines");
        assert_eq!(at(-5.0), None);
    }

    #[test]
    fn what_would_hang_on_itself_is_refused() {
        let rows = [row(1, "a", None), row(2, "b", Some(1)), row(3, "c", None)];
        let dragging = Dragging { ids: vec![EntityId(1)] };
        let onto = |id| Target { parent: Some(EntityId(id)), before: None };
        assert!(dragging.refused(&rows, onto(1)) && dragging.refused(&rows, onto(2)));
        assert!(!dragging.refused(&rows, onto(3)));
    }
}
