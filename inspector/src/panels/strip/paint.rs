//! How the frame strip looks.

mod fills;

use egui::{Align2, Mesh, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2};
use framewalk_runtime::time::FrameIndex;

use self::fills::{fill, legend};
use super::State;
use super::model::{Bar, Layout, PERIODS_HIGH, layout};
use super::range::RangeFigures;
use crate::history::changes::{self, Change};
use crate::history::{Entry, Fate, Outcome, RunFrames};
use crate::live::InspectorAction;
use crate::panels::marks;
use crate::panels::pacing::model::Plotted;
use crate::theme::{Theme, size};
use crate::view::View;
use crate::wording::{alpha, count, grouped, millis, millis_number};

/// Room at the right for the number of the newest bar when it is selected.
const RIGHT_MARGIN: f32 = 4.0;
const LEAST_BAR: f32 = 2.0;

pub fn ui(ui: &mut Ui, state: &mut State, view: &View<'_>) -> Option<InspectorAction> {
    let theme = Theme::of(ui);
    let height = ui.available_height().clamp(24.0, size::STRIP_HEIGHT * 2.0);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
    let frames = view.frames();
    ui.painter().rect_filled(rect, 0.0, theme.bg1);
    if frames.is_empty() {
        empty_ui(ui, rect, &response, view, &theme);
        return None;
    }
    let selected = view.selection.frozen_frame();
    if state.chosen != selected {
        state.chosen = selected;
        let is_seen = state.drag_from.is_some() || is_in_view(state, &frames, selected, rect);
        state.end = state.end.filter(|_| is_seen);
    }
    let keys = marks::frame_keys(ui, &response);
    wheel(ui, state, &frames, rect, &response, keys.turns, view.selection.is_live());
    let columns = columns_in(rect, state);
    let layout = layout(&frames, selected, state.end, columns, state.scale);
    let column_width = state.scale.column_width();
    let left = rect.right() - RIGHT_MARGIN - layout.bars.len() as f32 * column_width;

    marks::label(&response, Role::Button, description(&layout, view));
    paint_bars(ui, rect, left, column_width, &layout, &theme);
    paint_range(ui, rect, left, column_width, &layout, view, &theme);
    paint_changes(ui, rect, left, column_width, &layout, &frames, &theme);
    paint_deadline(ui, rect, &layout, view, &theme);
    paint_selected(ui, rect, left, column_width, &layout, selected, &theme);
    if is_free(view) {
        let has_pending = layout.bars.iter().any(|bar| bar.outcome == Outcome::Pending);
        legend(ui, rect, has_pending, &theme);
    }
    if selected.is_some() && view.selection.range().is_none() {
        way_back(ui, rect, view, &theme);
    }
    range_caption(ui, state, rect, &response, view, &theme);
    if response.has_focus() {
        marks::focus_ring(ui, rect);
    }
    if let Some(action) = drag(ui, state, &response, left, column_width, &layout, &frames) {
        return Some(action);
    }
    let walked = walk(ui, &response, keys.steps, view);
    let hovered = response.hover_pos().and_then(|pointer| bar_at(pointer, left, column_width, &layout));
    if let Some((position, bar)) = hovered {
        let x = left + (position as f32 + 0.5) * column_width;
        ui.painter().vline(x, rect.y_range(), Stroke::new(1.0, theme.outline.gamma_multiply(0.25)));
        let clicked = response.clicked();
        tooltip(response, view, &frames, bar);
        return clicked.then_some(InspectorAction::Select(bar.frame)).or(walked);
    }
    walked
}

/// With the strip focused, arrows walk and End goes live, also where the program routes no keys.
fn walk(ui: &Ui, response: &Response, steps: i64, view: &View<'_>) -> Option<InspectorAction> {
    let is_end = response.has_focus() && ui.input(|input| input.key_pressed(egui::Key::End));
    if is_end && !view.selection.is_live() {
        return Some(InspectorAction::GoLive);
    }
    view.walked(steps)
}

fn columns_in(rect: Rect, state: &State) -> usize {
    ((rect.width() - RIGHT_MARGIN) / state.scale.column_width()).max(0.0) as usize
}

/// Whether the chosen frame lies in what is shown while the right edge stands.
fn is_in_view(state: &State, frames: &RunFrames<'_>, chosen: Option<FrameIndex>, rect: Rect) -> bool {
    let Some(end) = state.end else { return true };
    let Some(position) = chosen.and_then(|frame| frames.position(frame)) else { return false };
    let index = frames.indices().start + position as u64;
    let visible = (columns_in(rect, state) * state.scale.frames_per_column()) as u64;
    (end.saturating_sub(visible)..=end).contains(&index)
}

/// The wheel zooms: around the pointer once the view stands; while it follows the newest frame, that one stays at the
/// right edge. Sideways, or with Shift, it moves the view.
fn wheel(
    ui: &Ui,
    state: &mut State,
    frames: &RunFrames<'_>,
    rect: Rect,
    response: &Response,
    pressed: i32,
    is_live: bool,
) {
    let (mut turns, mut aside) = (pressed, 0_i32);
    ui.input(|input| {
        for event in input.events.iter().filter(|_| response.hovered()) {
            if let egui::Event::MouseWheel { delta, modifiers, .. } = event {
                let along = if modifiers.shift { delta.x + delta.y } else { delta.x };
                let turned = if modifiers.shift { 0.0 } else { delta.y };
                turns += if turned == 0.0 { 0 } else { turned.signum() as i32 };
                aside += if along == 0.0 { 0 } else { along.signum() as i32 };
            }
        }
    });
    if turns == 0 && aside == 0 {
        return;
    }
    let indices = frames.indices();
    let last = indices.end - 1;
    let shown = layout(frames, state.chosen, state.end, columns_in(rect, state), state.scale);
    let end_column = shown.bars.last().map_or(0, |bar| bar.column);
    let right = end_column.saturating_add(1).saturating_mul(shown.frames_per_column).saturating_sub(1);
    let mut end = right.min(last);
    if aside != 0 {
        let visible = (columns_in(rect, state) * state.scale.frames_per_column()) as i64;
        let moved = (end as i64).saturating_sub((visible / 8).max(1) * i64::from(aside));
        let least = (indices.start as i64).saturating_add(visible - 1).min(last as i64);
        end = moved.clamp(least, last as i64) as u64;
    }
    if turns != 0 {
        let columns_right = |scale: super::model::Scale| {
            let pointer = response.hover_pos().map_or(rect.right(), |pointer| pointer.x);
            ((rect.right() - RIGHT_MARGIN - pointer).max(0.0) / scale.column_width()) as u64
        };
        let before = columns_right(state.scale) * state.scale.frames_per_column() as u64;
        state.scale = state.scale.zoomed(turns);
        let after = columns_right(state.scale) * state.scale.frames_per_column() as u64;
        if !is_live || state.end.is_some() {
            end = end.saturating_sub(before).saturating_add(after).min(last);
        }
    }
    state.end = (end < last).then_some(end);
}

/// A drag selects the frames from where it began to where it is.
fn drag(
    ui: &Ui,
    state: &mut State,
    response: &Response,
    left: f32,
    column_width: f32,
    layout: &Layout,
    frames: &RunFrames<'_>,
) -> Option<InspectorAction> {
    if !response.dragged_by(egui::PointerButton::Primary) {
        state.drag_from = None;
        return None;
    }
    let bar_near = |at: Pos2| {
        let column = ((at.x - left) / column_width).floor().max(0.0) as usize;
        layout.bars.get(column.min(layout.bars.len().checked_sub(1)?))
    };
    let at = bar_near(response.interact_pointer_pos()?)?;
    let Some(from) = state.drag_from else {
        let origin = ui.input(|input| input.pointer.press_origin())?;
        let from = layout.frames_of(bar_near(origin)?, frames).0;
        state.drag_from = Some(from);
        // The view stands from here on, so that the bars stay under the pointer.
        let right = layout.bars.last()?.column.saturating_add(1).saturating_mul(layout.frames_per_column);
        state.end = Some(right.saturating_sub(1).min(frames.indices().end - 1));
        return Some(InspectorAction::Select(from));
    };
    let (first, last) = layout.frames_of(at, frames);
    let to = if last >= from { last } else { first };
    Some(InspectorAction::SelectRange(from, to))
}

/// The selected stretch as a band behind its figures.
fn paint_range(
    ui: &Ui,
    rect: Rect,
    left: f32,
    column_width: f32,
    layout: &Layout,
    view: &View<'_>,
    theme: &Theme,
) {
    let Some((first, last)) = view.selection.range() else { return };
    let is_in = |bar: &Bar| (first..=last).contains(&bar.frame);
    let Some(from) = layout.bars.iter().position(is_in) else { return };
    let to = layout.bars.iter().rposition(is_in).unwrap_or(from) + 1;
    let x = |column: usize| left + column as f32 * column_width;
    let band = Rect::from_min_max(pos2(x(from), rect.top()), pos2(x(to), rect.bottom()));
    let painter = ui.painter_at(rect);
    painter.rect_filled(band, 0.0, theme.accent.gamma_multiply(0.16));
    for edge in [band.left(), band.right()] {
        painter.vline(edge, rect.y_range(), Stroke::new(1.0, theme.accent));
    }
}

/// What changed before a frame: a triangle for a setting, two bars for a pause, a dot for a step.
fn paint_changes(
    ui: &Ui,
    rect: Rect,
    left: f32,
    column_width: f32,
    layout: &Layout,
    frames: &RunFrames<'_>,
    theme: &Theme,
) {
    let painter = ui.painter_at(rect);
    let mut free_from = f32::NEG_INFINITY;
    for (position, bar) in layout.bars.iter().enumerate() {
        let Some(index) = bar.change_index else { continue };
        let x = left + (position as f32 + 0.5) * column_width;
        if x < free_from {
            continue;
        }
        let Some(at) = frames.position_of_index(index) else { continue };
        let Some(entry) = frames.at(at) else { continue };
        free_from = x + 6.0;
        marks::change_mark(
            &painter,
            pos2(x, rect.top() + 5.0),
            changes::change(frames.before(at), &entry.record).unwrap_or(Change::Setting),
            theme,
        );
    }
}

/// The figures of the selected stretch, and what they mean.
fn range_caption(
    ui: &Ui,
    state: &mut State,
    rect: Rect,
    response: &Response,
    view: &View<'_>,
    theme: &Theme,
) {
    let Some(range @ (first, last)) = view.selection.range() else { return };
    let revision = view.selection.history(view.history).revision();
    if state.figures.is_none_or(|(known, of, _)| known != revision || of != range) {
        state.figures = Some((revision, range, figures_of(view, first, last)));
    }
    let Some((_, _, figures)) = state.figures else { return };
    let text = figures.caption(first, last);
    let painter = ui.painter_at(rect);
    let galley = painter.layout_no_wrap(text.clone(), Theme::figure_font(ui), theme.text);
    let place = Rect::from_min_size(rect.left_top() + vec2(10.0, 4.0), galley.size()).expand2(vec2(5.0, 2.0));
    painter.rect_filled(place, 3.0, theme.bg2.gamma_multiply(0.94));
    painter.galley(place.min + vec2(5.0, 2.0), galley, theme.text);
    let caption = ui.interact(place, response.id.with("range"), Sense::hover());
    marks::label(&caption, Role::Label, text);
    caption.on_hover_text(figures.meaning());
}

fn figures_of(view: &View<'_>, first: FrameIndex, last: FrameIndex) -> RangeFigures {
    let frames = view.frames();
    let after = frames.position_at_frame(FrameIndex(last.0.saturating_add(1)));
    match Plotted::by(after.checked_sub(1).and_then(|last| frames.at(last))) {
        Plotted::Frames => RangeFigures::of(&frames, first, last),
        Plotted::Pictures => {
            let pictures = view.selection.history(view.history).pictures();
            let indices = pictures.of_frames(view.selection.run(view.history), first, last);
            let held = after.saturating_sub(frames.position_at_frame(first));
            RangeFigures::of_pictures(held, pictures.range(indices))
        }
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
        fill(&mut mesh, body, bar.outcome, theme);
        if bar.is_cut {
            let notch = Rect::from_min_max(pos2(x, top + 2.0), pos2(x + column_width - gap, top + 3.5));
            mesh.add_colored_rect(notch, theme.bg1);
        }
    }
    ui.painter_at(rect).add(Shape::mesh(mesh));
}

/// A line as high as a bar that took its own period: bars are as high as they are long in periods, each in its own.
fn paint_deadline(ui: &Ui, rect: Rect, layout: &Layout, view: &View<'_>, theme: &Theme) {
    let Some(entry) = view.entry() else { return };
    let y = rect.bottom() - 1.0 - (rect.height() - 2.0) / PERIODS_HIGH as f32;
    let color = theme.dim.gamma_multiply(0.5);
    let dashes =
        Shape::dashed_line(&[pos2(rect.left(), y), pos2(rect.right(), y)], Stroke::new(1.0, color), 3.0, 4.0);
    let painter = ui.painter_at(rect);
    painter.extend(dashes);
    let periods = layout.periods(view);
    let period = match &periods[..] {
        [one] => millis(*one),
        [] => millis(entry.record.frame_rate.period()),
        [others @ .., last] => {
            let others: Vec<String> = others.iter().map(|period| millis_number(*period)).collect();
            format!("{} and {}, each its own", others.join(", "), millis(*last))
        }
    };
    // There a bar is as high as its tick is long, and the display's deadline is no line in here.
    let text = if is_free(view) && periods.len() < 2 { format!("one tick {period}") } else { period };
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
    selected: Option<FrameIndex>,
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

/// The frame that is looked at takes the way of the free handoff.
fn is_free(view: &View<'_>) -> bool {
    Plotted::by(view.entry()) == Plotted::Pictures
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

fn tooltip(response: Response, view: &View<'_>, frames: &RunFrames<'_>, bar: Bar) {
    let history = view.selection.history(view.history);
    let Some(entry) = history.find(view.selection.run(view.history), bar.frame) else { return };
    let record = &entry.record;
    let outcome = match (entry.fate, record.late) {
        (Fate::Dropped { by }, _) => format!("dropped, replaced by {}", grouped(by.0)),
        (Fate::Undrawn, _) => "undrawn, a newer tick was drawn".to_owned(),
        (Fate::Abandoned, _) => "abandoned".to_owned(),
        (_, true) if entry.is_free() => format!("its tick late, {} missed", grouped(record.missed)),
        (_, true) => format!("late, {} missed", grouped(record.missed)),
        (Fate::Pending | Fate::InFlight, false) => "on time, not yet drawn".to_owned(),
        (_, false) => "on time".to_owned(),
    };
    let outcome = outcome + &pictures_of(entry);
    let blended = match (entry.is_free(), &entry.render) {
        (true, Some(first)) => format!("first drawn at alpha {}", alpha(first.alpha)),
        (true, None) => "not drawn".to_owned(),
        (false, _) => format!("alpha {} · overstep {}", alpha(record.alpha), millis(record.overstep)),
    };
    let mut text = format!(
        "frame {} · tick {} · {outcome}\ninterval {} · stages {}\n{blended}",
        grouped(record.frame.0),
        grouped(record.tick.0),
        crate::stats::frame_interval(record).map_or_else(|| "–".to_owned(), millis),
        millis(record.frame_time()),
    );
    if bar.frames > 1 {
        text += &format!(
            "\nthe worst of {} frames; longest interval {}",
            grouped(bar.frames.into()),
            millis(bar.interval)
        );
    }
    if let Some(at) = bar.change_index.and_then(|index| frames.position_of_index(index))
        && let Some(changed) = frames.at(at)
    {
        for line in changes::sentences(frames.before(at), &changed.record) {
            text += &format!("\nbefore frame {}: {line}", grouped(changed.frame().0));
        }
    }
    response.on_hover_text_at_pointer(egui::RichText::new(text).text_style(egui::TextStyle::Monospace));
}

/// Of the free handoff, what became of a frame's pictures: `; 6 pictures, 1 late, 2 held`.
fn pictures_of(entry: &Entry) -> String {
    if !entry.is_free() || entry.pictures == 0 {
        return String::new();
    }
    let mut text = format!("; {}", count(entry.pictures.into(), "picture", "pictures"));
    for (number, what) in [(entry.late_pictures, "late"), (entry.held, "held")] {
        if number > 0 {
            text += &format!(", {} {what}", grouped(number.into()));
        }
    }
    text
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
    ui.painter_at(rect).text(rect.center(), Align2::CENTER_CENTER, text, Theme::text_font(ui), theme.dim);
}
