//! The free handoff: the kept ticks on a time axis, the two that are blended, and the render time between them.

use egui::{Align2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2};
use framewalk_runtime::time::Nanos;

use super::shapes::{BOX_HEIGHT, Row, arrow_ui, box_ui};
use crate::panels::handoff::model::free::{Free, KEPT, KeptTick, Pair};
use crate::panels::marks;
use crate::theme::Theme;
use crate::wording::{alpha, grouped, millis};

const AXIS_HEIGHT: f32 = 64.0;
const CELL_HEIGHT: f32 = 14.0;

pub fn ui(ui: &mut Ui, free: &Free, theme: &Theme) {
    let size = vec2(ui.available_width(), BOX_HEIGHT + 16.0);
    let (area, response) = ui.allocate_exact_size(size, Sense::hover());
    marks::label(&response, Role::Label, sentence(free));
    let (row, counts) = (Row::new(area), &free.counts);
    box_ui(ui, row.place(0), "sim", "publishes every tick", false, theme);
    ring_ui(ui, row.place(1), free, theme);
    let note = if counts.in_flight > 0 { "1 in flight" } else { "by its own clock" };
    box_ui(ui, row.place(2), "render", note, counts.in_flight > 0, theme);
    box_ui(ui, row.place(3), "window", "shows the newest", false, theme);
    if let Some(pair) = &free.pair {
        let at = row.place(2).left_center() + vec2(10.0, 0.0);
        let value = alpha(pair.alpha);
        // In a narrow panel its colour has to say what it is.
        let text = if row.place(2).width() < 110.0 { value } else { format!("alpha {value}") };
        let painter = ui.painter_at(row.place(2));
        painter.text(at, Align2::LEFT_CENTER, text, Theme::figure_font(ui), theme.alpha);
    }
    arrow_ui(ui, row.place(0), row.place(1), "publish", Some(counts.published), theme);
    arrow_ui(ui, row.place(1), row.place(2), "blend 2", None, theme);
    arrow_ui(ui, row.place(2), row.place(3), "rendered", Some(counts.rendered), theme);
    axis_ui(ui, free, theme);
}

/// The ring: a cell for each tick that is kept, newest at the right; the two that are blended stand out.
fn ring_ui(ui: &Ui, rect: Rect, free: &Free, theme: &Theme) {
    let note = format!("{} pending", free.counts.pending);
    let name = if rect.width() < 100.0 { "4 ticks" } else { "last 4 ticks" };
    box_ui(ui, rect, name, &note, free.counts.pending > 0, theme);
    let inner = rect.shrink2(vec2(10.0, 0.0));
    let width = (inner.width() - 3.0 * (KEPT as f32 - 1.0)) / KEPT as f32;
    let painter = ui.painter_at(rect);
    for place in 0..KEPT {
        let left = inner.left() + place as f32 * (width + 3.0);
        let top = rect.center().y - CELL_HEIGHT / 2.0;
        let cell = Rect::from_min_size(pos2(left, top), vec2(width, CELL_HEIGHT));
        let kept = free.kept.get(KEPT - 1 - place);
        let is_blended = kept.is_some_and(|kept| blends(free.pair.as_ref(), kept));
        let fill = if kept.is_some() { theme.bg1 } else { theme.bg2 };
        painter.rect_filled(cell, 2.0, fill);
        let border = if is_blended { Stroke::new(1.5, theme.alpha) } else { Stroke::new(1.0, theme.line) };
        painter.rect_stroke(cell, 2.0, border, StrokeKind::Inside);
        if is_blended {
            painter.circle_filled(cell.center(), 2.5, theme.alpha);
        }
    }
}

fn blends(pair: Option<&Pair>, kept: &KeptTick) -> bool {
    pair.is_some_and(|pair| kept.tick == pair.from.tick || kept.tick == pair.to.tick)
}

/// Ticks where their times are, and the time that the picture shows.
fn axis_ui(ui: &mut Ui, free: &Free, theme: &Theme) {
    let size = vec2(ui.available_width(), AXIS_HEIGHT);
    let (area, response) = ui.allocate_exact_size(size, Sense::hover());
    let Some((pair, newest)) = free.pair.as_ref().zip(free.kept.first()) else {
        marks::label(&response, Role::Label, "nothing was drawn yet");
        return;
    };
    let behind = pair.behind(*newest);
    let text = format!("{}; {} behind the newest tick", pair.sentence(), millis(behind));
    marks::label(&response, Role::Label, &text);
    let mut ticks: Vec<KeptTick> = free.kept.clone();
    // With a display slower than four ticks, what was drawn last may have gone out of the ring since.
    for tick in [pair.to, pair.from] {
        if ticks.iter().all(|kept| kept.tick != tick.tick) {
            ticks.push(tick);
        }
    }
    let oldest = ticks.iter().map(|tick| tick.time).min().unwrap_or(newest.time);
    let span = (newest.time.0 - oldest.0).max(1) as f64;
    let (left, right) = (area.left() + 44.0, (area.right() - 44.0).max(area.left() + 60.0));
    let x =
        |time: Nanos| left + ((time.0 - oldest.0) as f64 / span).clamp(-0.05, 1.05) as f32 * (right - left);
    let y = area.top() + 16.0;
    let painter = ui.painter_at(area);
    painter.line_segment([pos2(left - 12.0, y), pos2(right + 12.0, y)], Stroke::new(1.0, theme.line));
    painter
        .line_segment([pos2(x(pair.from.time), y), pos2(x(pair.to.time), y)], Stroke::new(3.0, theme.alpha));
    let mut taken = f32::NEG_INFINITY;
    ticks.sort_by_key(|tick| tick.time);
    for tick in ticks {
        let is_blended = blends(Some(pair), &tick);
        let color = if is_blended { theme.text } else { theme.dim };
        painter.line_segment(
            [pos2(x(tick.time), y - 5.0), pos2(x(tick.time), y + 5.0)],
            Stroke::new(1.5, color),
        );
        let number = painter.layout_no_wrap(grouped(tick.tick.0), Theme::figure_font(ui), color);
        let start = x(tick.time) - number.size().x / 2.0;
        // Ticks that lie too close for their numbers keep the mark.
        if start > taken + 4.0 {
            taken = start + number.size().x;
            painter.galley(pos2(start, y + 8.0), number, color);
        }
    }
    let at = x(pair.at);
    let flag = vec![pos2(at - 5.0, y - 14.0), pos2(at + 5.0, y - 14.0), pos2(at, y - 4.0)];
    painter.add(Shape::convex_polygon(flag, theme.alpha, Stroke::NONE));
    let note = pos2(area.left() + 14.0, area.bottom() - 2.0);
    painter.text(note, Align2::LEFT_BOTTOM, text, Theme::small_font(ui), theme.dim);
    response.on_hover_text(
        "The ticks that are kept, at their times. The thick line lies between the two that the newest picture blends, \
         the flag at the time that it shows.",
    );
}

/// The drawing for those who do not see it.
fn sentence(free: &Free) -> String {
    let kept = match free.kept.len() {
        1 => "1 tick is kept".to_owned(),
        kept => format!("{kept} ticks are kept"),
    };
    let pair = free.pair.as_ref().map_or_else(|| "nothing was drawn yet".to_owned(), Pair::sentence);
    format!("free handoff: {kept}, {} pending; {pair}", free.counts.pending)
}
