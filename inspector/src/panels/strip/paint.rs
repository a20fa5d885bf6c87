//! How the frame strip looks.

use egui::{
    Align2, Color32, Mesh, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2,
};

use super::State;
use super::model::{Bar, Layout, PERIODS_HIGH, layout};
use crate::history::{Fate, Outcome};
use crate::inspector::View;
use crate::live::InspectorAction;
use crate::panels::marks;
use crate::theme::{Theme, size};
use crate::wording::{alpha, grouped, millis};

/// Room at the right for the number of the newest bar when it is selected.
const RIGHT_MARGIN: f32 = 4.0;
const LEAST_BAR: f32 = 2.0;

pub fn ui(ui: &mut Ui, state: &mut State, view: &View<'_>) -> Option<InspectorAction> {
    let theme = Theme::of(ui);
    let height = ui.available_height().clamp(24.0, size::STRIP_HEIGHT * 2.0);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let frames = view.frames();
    ui.painter().rect_filled(rect, 0.0, theme.bg1);
    if frames.is_empty() {
        empty_ui(ui, rect, &response, view, &theme);
        return None;
    }
    zoom(ui, state, &response);
    let selected = view.selection.frozen_frame();
    let width = rect.width() - RIGHT_MARGIN;
    let columns = (width / state.scale.column_width()).max(0.0) as usize;
    let layout = layout(&frames, selected, columns, state.scale);
    let column_width = state.scale.column_width();
    let left = rect.right() - RIGHT_MARGIN - layout.bars.len() as f32 * column_width;

    marks::label(&response, Role::Button, description(&layout, view));
    paint_bars(ui, rect, left, column_width, &layout, &theme);
    paint_deadline(ui, rect, view, &theme);
    paint_selected(ui, rect, left, column_width, &layout, selected, &theme);
    if selected.is_some() {
        way_back(ui, rect, view, &theme);
    }
    let hovered = response.hover_pos().and_then(|pointer| bar_at(pointer, left, column_width, &layout));
    if let Some((position, bar)) = hovered {
        let x = left + (position as f32 + 0.5) * column_width;
        ui.painter().vline(x, rect.y_range(), Stroke::new(1.0, theme.outline.gamma_multiply(0.25)));
        let clicked = response.clicked();
        tooltip(response, view, bar, state.scale.frames_per_column());
        return clicked.then_some(InspectorAction::Select(bar.frame));
    }
    keys(ui, &response, view)
}

/// With the strip focused, arrows walk and End goes live, also where the program routes no keys.
fn keys(ui: &Ui, response: &Response, view: &View<'_>) -> Option<InspectorAction> {
    if !response.has_focus() || view.selection.is_live() {
        return None;
    }
    ui.input(|input| input.key_pressed(egui::Key::End)).then_some(InspectorAction::GoLive)
}

fn zoom(ui: &Ui, state: &mut State, response: &Response) {
    if !response.hovered() {
        return;
    }
    let turns = ui.input(|input| {
        input
            .events
            .iter()
            .filter_map(|event| match event {
                egui::Event::MouseWheel { delta, .. } if delta.y != 0.0 => Some(delta.y.signum() as i32),
                _ => None,
            })
            .sum::<i32>()
    });
    if turns != 0 {
        state.scale = state.scale.zoomed(turns);
    }
}

fn bar_at(pointer: Pos2, left: f32, column_width: f32, layout: &Layout) -> Option<(usize, Bar)> {
    let column = ((pointer.x - left) / column_width).floor();
    if column < 0.0 {
        return None;
    }
    layout.bars.get(column as usize).map(|bar| (column as usize, *bar))
}

fn paint_bars(ui: &Ui, rect: Rect, left: f32, column_width: f32, layout: &Layout, theme: &Theme) {
    let gap = if column_width >= 5.0 {
        1.0
    } else if column_width >= 3.0 {
        0.5
    } else {
        0.0
    };
    let mut mesh = Mesh::default();
    for (position, bar) in layout.bars.iter().enumerate() {
        let x = left + position as f32 * column_width;
        let top = rect.bottom() - 1.0 - (bar.height * (rect.height() - 2.0)).max(LEAST_BAR);
        let body = Rect::from_min_max(pos2(x, top), pos2(x + column_width - gap, rect.bottom() - 1.0));
        match bar.outcome {
            Outcome::OnTime => mesh.add_colored_rect(body, theme.ok.gamma_multiply(0.85)),
            Outcome::Late => mesh.add_colored_rect(body, theme.late),
            Outcome::Dropped => hatched(&mut mesh, body, theme.drop),
            Outcome::Abandoned => hollow(&mut mesh, body, theme.drop),
        }
        if bar.is_cut {
            let notch = Rect::from_min_max(pos2(x, top + 2.0), pos2(x + column_width - gap, top + 3.5));
            mesh.add_colored_rect(notch, theme.bg1);
        }
    }
    ui.painter_at(rect).add(Shape::mesh(mesh));
}

/// Dropped: in stripes, never by colour alone.
fn hatched(mesh: &mut Mesh, body: Rect, color: Color32) {
    let mut bottom = body.bottom();
    while bottom > body.top() {
        let top = (bottom - 3.0).max(body.top());
        mesh.add_colored_rect(Rect::from_min_max(pos2(body.left(), top), pos2(body.right(), bottom)), color);
        bottom -= 4.5;
    }
}

/// Abandoned: only its frame.
fn hollow(mesh: &mut Mesh, body: Rect, color: Color32) {
    let edge = 1.0_f32.min(body.width() / 3.0);
    let (min, max) = (body.min, body.max);
    mesh.add_colored_rect(Rect::from_min_max(min, pos2(min.x + edge, max.y)), color);
    mesh.add_colored_rect(Rect::from_min_max(pos2(max.x - edge, min.y), max), color);
    mesh.add_colored_rect(Rect::from_min_max(min, pos2(max.x, min.y + 1.0)), color);
    mesh.add_colored_rect(Rect::from_min_max(pos2(min.x, max.y - 1.0), max), color);
}

fn paint_deadline(ui: &Ui, rect: Rect, view: &View<'_>, theme: &Theme) {
    let Some(entry) = view.entry() else { return };
    let y = rect.bottom() - 1.0 - (rect.height() - 2.0) / PERIODS_HIGH as f32;
    let color = theme.dim.gamma_multiply(0.5);
    let dashes =
        Shape::dashed_line(&[pos2(rect.left(), y), pos2(rect.right(), y)], Stroke::new(1.0, color), 3.0, 4.0);
    let painter = ui.painter_at(rect);
    painter.extend(dashes);
    let text = millis(entry.record.frame_rate.period());
    let galley = painter.layout_no_wrap(text, Theme::figure_font(ui), theme.dim);
    let at = pos2(rect.left() + 8.0, y - galley.size().y - 1.0);
    painter.rect_filled(
        Rect::from_min_size(at, galley.size()).expand2(vec2(3.0, 0.0)),
        2.0,
        theme.bg1.gamma_multiply(0.8),
    );
    painter.galley(at, galley, theme.dim);
}

fn paint_selected(
    ui: &Ui,
    rect: Rect,
    left: f32,
    column_width: f32,
    layout: &Layout,
    selected: Option<framewalk_runtime::time::FrameIndex>,
    theme: &Theme,
) {
    let Some(frame) = selected else { return };
    let Some(position) = layout.bars.iter().position(|bar| bar.is_selected) else { return };
    let x = left + position as f32 * column_width;
    let outline =
        Rect::from_min_max(pos2(x - 1.0, rect.top() + 3.0), pos2(x + column_width, rect.bottom() - 1.0));
    let outline = outline.expand2(vec2((6.0 - column_width).max(0.0) / 2.0, 0.0));
    let painter = ui.painter_at(rect);
    painter.rect_stroke(outline, 1.0, Stroke::new(1.5, theme.outline), StrokeKind::Inside);
    let galley = painter.layout_no_wrap(grouped(frame.0), Theme::figure_font(ui), theme.outline);
    let is_right_free = outline.right() + 8.0 + galley.size().x < rect.right();
    let at = if is_right_free {
        pos2(outline.right() + 5.0, outline.top())
    } else {
        pos2(outline.left() - 5.0 - galley.size().x, outline.top())
    };
    painter.rect_filled(
        Rect::from_min_size(at, galley.size()).expand2(vec2(2.0, 0.0)),
        2.0,
        theme.bg1.gamma_multiply(0.85),
    );
    painter.galley(at, galley, theme.outline);
}

/// The strip stands still while a frame is chosen: says so, and what ends it.
fn way_back(ui: &Ui, rect: Rect, view: &View<'_>, theme: &Theme) {
    let key = view.live.keys.go_live;
    let text = if key.is_empty() {
        "a frame is chosen, so this stands still".to_owned()
    } else {
        format!("a frame is chosen, so this stands still · {key} goes live")
    };
    let painter = ui.painter_at(rect);
    let galley = painter.layout_no_wrap(text, Theme::small_font(ui), theme.dim);
    let at = rect.left_top() + vec2(8.0, 3.0);
    let plate = Rect::from_min_size(at, galley.size()).expand2(vec2(3.0, 0.0));
    painter.rect_filled(plate, 2.0, theme.bg1.gamma_multiply(0.85));
    painter.galley(at, galley, theme.dim);
}

fn tooltip(response: Response, view: &View<'_>, bar: Bar, stands_for: usize) {
    let history = view.selection.history(view.history);
    let Some(entry) = history.find(view.selection.run(view.history), bar.frame) else { return };
    let record = &entry.record;
    let outcome = match (entry.fate, record.late) {
        (Fate::Dropped { by }, _) => format!("dropped, replaced by {}", grouped(by.0)),
        (Fate::Abandoned, _) => "abandoned".to_owned(),
        (_, true) => format!("late, {} missed", grouped(record.missed)),
        (_, false) => "on time".to_owned(),
    };
    let mut text = format!(
        "frame {} · tick {} · {outcome}\ninterval {} · stages {}\nalpha {} · overstep {}",
        grouped(record.frame.0),
        grouped(record.tick.0),
        millis(bar.interval),
        millis(record.frame_time()),
        alpha(record.alpha),
        millis(record.overstep),
    );
    if stands_for > 1 {
        text += &format!("\nthe worst of {stands_for} frames");
    }
    response.on_hover_text_at_pointer(egui::RichText::new(text).text_style(egui::TextStyle::Monospace));
}

fn description(layout: &Layout, view: &View<'_>) -> String {
    let newest = layout.bars.last().map_or(0, |bar| bar.frame.0);
    let state = match view.selection.frozen_frame() {
        Some(frame) => format!("frozen on frame {}", grouped(frame.0)),
        None => "live".to_owned(),
    };
    format!("frame strip, {} bars to frame {}, {state}", layout.bars.len(), grouped(newest))
}

fn empty_ui(ui: &Ui, rect: Rect, response: &Response, view: &View<'_>, theme: &Theme) {
    let press = marks::press("Play", view.live.keys.play);
    let text = format!("One bar for each frame will be here, as high as its frame interval. {press}");
    marks::label(response, Role::Label, text.clone());
    ui.painter_at(rect).text(rect.center(), Align2::CENTER_CENTER, text, Theme::text_font(ui), theme.faint);
}
