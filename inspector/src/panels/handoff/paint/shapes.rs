//! The shapes that the pictures of all three ways are made of.

use egui::{Align2, Color32, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2};

use crate::panels::marks;
use crate::theme::Theme;
use crate::wording::grouped;

pub const BOX_HEIGHT: f32 = 76.0;

/// Where four boxes in a row stand, with room for an arrow between each two.
#[derive(Clone, Copy)]
pub struct Row {
    area: Rect,
    width: f32,
    gap: f32,
}

impl Row {
    /// At the top of `area`.
    pub fn new(area: Rect) -> Self {
        let area = area.shrink2(vec2(14.0, 0.0));
        let gap = (area.width() * 0.1).clamp(52.0, 90.0);
        Self { area, gap, width: ((area.width() - 3.0 * gap) / 4.0).max(30.0) }
    }

    pub fn place(&self, column: usize) -> Rect {
        let left = self.area.left() + column as f32 * (self.width + self.gap);
        Rect::from_min_size(pos2(left, self.area.top() + 8.0), vec2(self.width, BOX_HEIGHT))
    }
}

/// A holder with its name above and a note below.
pub fn box_ui(ui: &Ui, rect: Rect, name: &str, note: &str, is_busy: bool, theme: &Theme) {
    let painter = ui.painter_at(rect.expand(1.0));
    painter.rect_filled(rect, 4.0, theme.bg2);
    let border = if is_busy { Stroke::new(1.5, theme.accent) } else { Stroke::new(1.0, theme.line) };
    painter.rect_stroke(rect, 4.0, border, StrokeKind::Inside);
    let at = rect.left_top() + vec2(10.0, 8.0);
    painter.text(at, Align2::LEFT_TOP, name, Theme::text_font(ui), theme.text);
    let at = rect.left_bottom() + vec2(10.0, -8.0);
    let galley = painter.layout_no_wrap(note.to_owned(), Theme::small_font(ui), theme.dim);
    // A note that does not fit whole says less than none; the counts below say it too.
    if galley.size().x + 16.0 <= rect.width() {
        painter.galley(Align2::LEFT_BOTTOM.anchor_size(at, galley.size()).min, galley, theme.dim);
    }
}

/// The colour of a buffer, whoever holds it.
pub fn buffer_color(buffer: u8, theme: &Theme) -> Color32 {
    [theme.stages[0], theme.stages[4], theme.stages[2]][usize::from(buffer % 3)]
}

/// A buffer: its number on a chip, each with its own colour.
pub fn buffer_ui(ui: &Ui, holder: Rect, buffer: Option<u8>, theme: &Theme) {
    let is_wide = holder.width() > 110.0;
    let (text, color) = match buffer {
        Some(buffer) => {
            let number = buffer + 1;
            let text = if is_wide { format!("buffer {number}") } else { number.to_string() };
            (text, buffer_color(buffer, theme))
        }
        None => ("–".to_owned(), theme.faint),
    };
    let painter = ui.painter_at(holder);
    let galley = painter.layout_no_wrap(text, Theme::figure_font(ui), theme.text);
    let chip = Rect::from_min_size(
        pos2(holder.left() + 10.0, holder.center().y - galley.size().y / 2.0 - 2.0),
        galley.size() + vec2(22.0, 4.0),
    );
    painter.rect_filled(chip, 3.0, theme.bg1);
    marks::square(&painter, chip.left_center() + vec2(9.0, 0.0), 8.0, color);
    painter.galley(chip.min + vec2(18.0, 2.0), galley, theme.text);
}

/// From one box to the next, with what goes there and how often it did.
pub fn arrow_ui(ui: &Ui, from: Rect, to: Rect, name: &str, number: Option<u64>, theme: &Theme) {
    let y = from.center().y;
    let (left, right) = (from.right() + 4.0, to.left() - 4.0);
    let painter = ui.painter();
    painter.line_segment([pos2(left, y), pos2(right - 4.0, y)], Stroke::new(1.5, theme.dim));
    let head = vec![pos2(right - 6.0, y - 4.0), pos2(right, y), pos2(right - 6.0, y + 4.0)];
    painter.add(Shape::convex_polygon(head, theme.dim, Stroke::NONE));
    let middle = f32::midpoint(left, right);
    painter.text(pos2(middle, y - 5.0), Align2::CENTER_BOTTOM, name, Theme::small_font(ui), theme.dim);
    let font = egui::FontId { size: 11.0, ..Theme::figure_font(ui) };
    let number = number.map_or_else(String::new, grouped);
    painter.text(pos2(middle, y + 6.0), Align2::CENTER_TOP, number, font, theme.text);
}

/// Slanting lines: time in which somebody stood still. Never by colour alone.
pub fn hatched(ui: &Ui, rect: Rect, color: Color32) {
    if rect.width() < 1.0 {
        return;
    }
    let painter = ui.painter_at(rect);
    painter.rect_stroke(rect, 0.0, Stroke::new(1.0, color), StrokeKind::Inside);
    let mut x = rect.left() - rect.height();
    while x < rect.right() {
        painter.line_segment(
            [pos2(x, rect.bottom()), pos2(x + rect.height(), rect.top())],
            Stroke::new(1.0, color),
        );
        x += 6.0;
    }
}
