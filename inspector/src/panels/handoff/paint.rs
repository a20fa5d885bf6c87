//! How the Handoff panel looks: sim, slot, render and the window in a row, with their buffers and counts.

use egui::{Align2, Color32, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2};

use super::model::{Handoff, Holder, handoff};
use crate::glossary::sense;
use crate::inspector::View;
use crate::panels::marks;
use crate::theme::Theme;
use crate::wording::grouped;

const BOX_HEIGHT: f32 = 76.0;
const ROW_HEIGHT: f32 = 20.0;

/// What a count is called and means.
struct Count {
    name: &'static str,
    value: String,
    meaning: String,
    color: Color32,
}

pub fn ui(ui: &mut Ui, view: &View<'_>) {
    let Some(handoff) = handoff(view) else {
        let press = marks::press("Play", view.live.keys.play);
        marks::empty_ui(ui, "The slot, its three buffers and who holds them will be here.", &press);
        return;
    };
    let theme = Theme::of(ui);
    egui::ScrollArea::vertical().id_salt("handoff").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add_space(10.0);
        drawing_ui(ui, &handoff, &theme);
        ui.add_space(8.0);
        equation_ui(ui, &handoff, &theme);
        counts_ui(ui, &handoff, &theme);
        ui.add_space(8.0);
    });
}

fn drawing_ui(ui: &mut Ui, handoff: &Handoff, theme: &Theme) {
    let (area, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), BOX_HEIGHT + 16.0), Sense::hover());
    marks::label(&response, Role::Label, sentence(handoff));
    let area = area.shrink2(vec2(14.0, 0.0));
    let gap = (area.width() * 0.1).clamp(52.0, 90.0);
    let width = ((area.width() - 3.0 * gap) / 4.0).max(30.0);
    let place = |column: usize| {
        let left = area.left() + column as f32 * (width + gap);
        Rect::from_min_size(pos2(left, area.top() + 8.0), vec2(width, BOX_HEIGHT))
    };
    let notes = [
        "writes the next frame",
        if handoff.counts.pending > 0 { "1 pending" } else { "nothing pending" },
        if handoff.counts.in_flight > 0 { "1 in flight" } else { "idle, keeps its last" },
    ];
    for (column, holder) in Holder::ALL.into_iter().enumerate() {
        let is_busy = match holder {
            Holder::Sim => false,
            Holder::Slot => handoff.counts.pending > 0,
            Holder::Render => handoff.counts.in_flight > 0,
        };
        box_ui(ui, place(column), holder.name(), notes[column], is_busy, theme);
        buffer_ui(ui, place(column), handoff.buffers[column], theme);
    }
    box_ui(ui, place(3), "window", "shows the newest", false, theme);
    let counts =
        [handoff.counts.published, handoff.counts.published - taken_not(handoff), handoff.counts.rendered];
    for (column, (name, number)) in ["publish", "take", "rendered"].into_iter().zip(counts).enumerate() {
        arrow_ui(ui, place(column), place(column + 1), name, number, theme);
    }
}

/// Frames that never left the slot for render.
fn taken_not(handoff: &Handoff) -> u64 {
    (handoff.counts.dropped + handoff.counts.pending).min(handoff.counts.published)
}

fn box_ui(ui: &Ui, rect: Rect, name: &str, note: &str, is_busy: bool, theme: &Theme) {
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

/// A buffer: its number on a chip, each with its own colour.
fn buffer_ui(ui: &Ui, holder: Rect, buffer: Option<u8>, theme: &Theme) {
    let is_wide = holder.width() > 110.0;
    let (text, color) = match buffer {
        Some(buffer) => {
            let colors = [theme.stages[0], theme.stages[4], theme.stages[2]];
            let number = buffer + 1;
            let text = if is_wide { format!("buffer {number}") } else { number.to_string() };
            (text, colors[usize::from(buffer % 3)])
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

fn arrow_ui(ui: &Ui, from: Rect, to: Rect, name: &str, number: u64, theme: &Theme) {
    let y = from.center().y;
    let (left, right) = (from.right() + 4.0, to.left() - 4.0);
    let painter = ui.painter();
    painter.line_segment([pos2(left, y), pos2(right - 4.0, y)], Stroke::new(1.5, theme.dim));
    let head = vec![pos2(right - 6.0, y - 4.0), pos2(right, y), pos2(right - 6.0, y + 4.0)];
    painter.add(Shape::convex_polygon(head, theme.dim, Stroke::NONE));
    let middle = f32::midpoint(left, right);
    painter.text(pos2(middle, y - 5.0), Align2::CENTER_BOTTOM, name, Theme::small_font(ui), theme.dim);
    let font = egui::FontId { size: 11.0, ..Theme::figure_font(ui) };
    painter.text(pos2(middle, y + 6.0), Align2::CENTER_TOP, grouped(number), font, theme.text);
}

fn equation_ui(ui: &mut Ui, handoff: &Handoff, theme: &Theme) {
    let width = (ui.available_width() - 44.0).max(40.0);
    let text = handoff.equation.text.clone();
    let galley = ui.painter().layout(text, Theme::text_font(ui), theme.dim, width);
    let height = galley.size().y + 10.0;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    marks::label(&response, Role::Label, handoff.equation.label());
    let center = pos2(rect.left() + 20.0, rect.top() + 13.0);
    if handoff.equation.holds {
        marks::tick_mark(ui.painter(), center, theme.ok);
    } else {
        marks::cross_mark(ui.painter(), center, theme.drop);
    }
    ui.painter_at(rect).galley(pos2(rect.left() + 32.0, rect.top() + 5.0), galley, theme.dim);
    response.on_hover_text(handoff.equation.meaning);
}

fn counts_ui(ui: &mut Ui, handoff: &Handoff, theme: &Theme) {
    let counts = &handoff.counts;
    let count = |name, value: u64, color: Color32| {
        let color = if value == 0 { theme.text } else { color };
        Count { name, value: grouped(value), meaning: sense(name).to_owned(), color }
    };
    let of_held =
        |count: Count| Count { meaning: format!("{}\nOf the frames held.", count.meaning), ..count };
    let mut rows = vec![
        count("published", counts.published, theme.text),
        count("rendered", counts.rendered, theme.text),
        count("dropped", counts.dropped, theme.drop),
        count("pending", counts.pending, theme.accent),
        count("in flight", counts.in_flight, theme.accent),
        count("abandoned", counts.abandoned, theme.drop),
        of_held(count("shown", handoff.shown, theme.text)),
        of_held(count("unseen", handoff.unseen, theme.late)),
    ];
    rows.extend(handoff.redraws.map(|redraws| count("redraws", redraws, theme.text)));
    let columns = ((ui.available_width() / 190.0) as usize).clamp(1, 5);
    for line in rows.chunks(columns) {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
        for (column, row) in line.iter().enumerate() {
            let width = (rect.width() - 14.0) / columns as f32;
            let left = rect.left() + 14.0 + column as f32 * width;
            let cell = Rect::from_min_size(pos2(left, rect.top()), vec2(width - 16.0, ROW_HEIGHT));
            count_ui(ui, cell, row, theme);
        }
    }
}

fn count_ui(ui: &Ui, cell: Rect, row: &Count, theme: &Theme) {
    let response = ui.interact(cell, ui.scope_id().with(("handoff count", row.name)), Sense::hover());
    marks::label(&response, Role::Label, format!("{} {}", row.name, row.value));
    let painter = ui.painter_at(cell);
    painter.text(cell.left_center(), Align2::LEFT_CENTER, row.name, Theme::text_font(ui), theme.dim);
    painter.text(cell.right_center(), Align2::RIGHT_CENTER, &row.value, Theme::figure_font(ui), row.color);
    response.on_hover_text(&row.meaning);
}

/// The drawing for those who do not see it.
fn sentence(handoff: &Handoff) -> String {
    let of = |holder: usize| {
        handoff.buffers[holder]
            .map_or_else(|| "a buffer".to_owned(), |buffer| format!("buffer {}", buffer + 1))
    };
    format!(
        "handoff: sim holds {}, slot holds {}, render holds {}; {} pending, {} in flight",
        of(0),
        of(1),
        of(2),
        handoff.counts.pending,
        handoff.counts.in_flight
    )
}
