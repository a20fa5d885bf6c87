//! How the Pacing panel looks.

mod mesh;
mod which;

use egui::{Align2, Color32, Rect, Role, Sense, Shape, Stroke, Ui, UiBuilder, pos2, vec2};
use egui_plot::{
    GridMark, HLine, Line, LineStyle, Plot, PlotBounds, PlotPoints, PlotTransform, PlotUi, Points,
};
use framewalk_runtime::time::Nanos;

use self::mesh::Bars;
use self::which::{At, Which};
use super::State;
use super::columns::Trace;
use super::decimate::Segment;
use super::model::limits::Steps;
use super::model::{Key, Plots, Plotted, TimeView, Window, with_phase};
use crate::history::changes::{self, Change};
use crate::live::InspectorAction;
use crate::panels::marks::{self, CAPTION_HEIGHT};
use crate::stats::NEAREST_RANK;
use crate::theme::Theme;
use crate::view::View;
use crate::wording::{count, grouped, millis};

const GUTTER: f32 = 56.0;
const RIGHT_MARGIN: f32 = 10.0;
const AXIS_HEIGHT: f32 = 18.0;
const GAP: f32 = 7.0;
/// As high as this a plot has room for its name and for that of its limit.
const LEAST_NOTED: f32 = 28.0;
/// Values that the axis names lie at least so far from each other.
const NAMED_APART: f32 = 12.0;

pub fn ui(ui: &mut Ui, state: &mut State, view: &View<'_>) -> Option<InspectorAction> {
    let chosen = view.selection.frozen_frame();
    if state.chosen != chosen {
        state.chosen = chosen;
        let shown = Window::of(view, state.time);
        let at = view.entry().map(|entry| entry.played);
        let is_seen = chosen.is_some() && shown.zip(at).is_some_and(|(shown, at)| shown.holds(at));
        state.time.end = state.time.end.filter(|_| is_seen);
    }
    let Some(window) = Window::of(view, state.time) else {
        let press = marks::press("Play", view.live.keys.play);
        let what = "Alpha, overstep, frame interval and dropped frames will be here, on one time axis.";
        marks::empty_ui(ui, what, &press);
        return None;
    };
    let area = ui.available_rect_before_wrap();
    let columns = (area.width() - GUTTER - RIGHT_MARGIN).max(16.0) as usize;
    let key = Key {
        revision: view.selection.history(view.history).revision(),
        frozen: view.selection.frozen_frame(),
        window,
        columns,
    };
    if state.cached.as_ref().is_none_or(|(cached, _)| *cached != key) {
        state.cached = Some((key, Plots::of(view, window, columns, &mut state.ranks)));
    }
    let (_, plots) = state.cached.as_ref()?;
    let caption = with_phase(plots.caption(&window), view, &window);
    let mut top = area.top();
    let mut action = None;
    if view.captions {
        let line = Rect::from_min_size(area.min, vec2(area.width(), CAPTION_HEIGHT));
        ui.scope_builder(UiBuilder::new().max_rect(line), |ui| {
            marks::caption_ui(ui, &caption);
        });
        top += CAPTION_HEIGHT;
    }
    let left = area.left() + GUTTER;
    // A window may leave a panel less than its margins.
    let right = (area.right() - RIGHT_MARGIN).max(left + 1.0);
    let height = ((area.bottom() - AXIS_HEIGHT - top - 3.0 * GAP) / 4.0).max(14.0);
    let rects = [0.0, 1.0, 2.0, 3.0].map(|row| {
        let y = top + 2.0 + row * (height + GAP);
        Rect::from_min_max(pos2(left, y), pos2(right, y + height - 2.0))
    });
    let all = Rect::from_min_max(rects[0].min, rects[3].max);
    let response = ui.allocate_rect(area, Sense::click_and_drag());
    marks::label(&response, Role::Button, description(&caption, plots, &window));
    let shown = Which::all(window.plotted);
    for (which, rect) in shown.into_iter().zip(rects) {
        plot_ui(ui, which, rect, plots, window);
    }
    time_axis(ui, all, window);
    kept_from(ui, all, window, plots);
    range_band(ui, all, window, view);
    change_lines(ui, all, window, plots, &response, view);
    let hovered =
        response.hover_pos().filter(|pointer| all.x_range().contains(pointer.x)).and_then(|pointer| {
            let share = f64::from((pointer.x - all.left()) / all.width().max(1.0));
            let (from, to) = (window.seconds(window.from), window.seconds(window.to));
            At::nearest(view, &window, from + share * (to - from))
        });
    let theme = Theme::of(ui);
    let chosen = view.entry().filter(|_| !view.selection.is_live());
    let chosen = chosen.map(|entry| At::chosen(view, &window, entry));
    if let Some(at) = chosen {
        crosshair(ui, all, window, at.played(), theme.outline.gamma_multiply(0.75));
    }
    if let Some(at) = hovered {
        crosshair(ui, all, window, at.played(), theme.outline.gamma_multiply(0.4));
    }
    if let Some(at) = hovered.or(chosen) {
        for (which, rect) in shown.into_iter().zip(rects) {
            reading(ui, which, rect, at, &theme);
        }
    }
    if response.clicked() {
        action = hovered.map(|at| InspectorAction::Select(at.entry.frame()));
    }
    figures_labels(ui, area, plots, &window);
    let hint = format!(
        "{caption}\nanimation error p99 {} (absolute)\n{NEAREST_RANK}",
        plots.figures.error_p99.map_or_else(|| "–".to_owned(), millis)
    );
    // Over the caption only: over the plots the readings are the answer.
    if view.captions {
        let line = Rect::from_min_size(area.min, vec2(area.width(), CAPTION_HEIGHT));
        ui.interact(line, response.id.with("definition"), Sense::hover()).on_hover_text(hint);
    }
    let keys = marks::frame_keys(ui, &response);
    if response.has_focus() {
        marks::focus_ring(ui, area);
    }
    navigate(ui, &mut state.time, all, window, &response, keys.turns, view);
    action.or_else(|| view.walked(keys.steps))
}

/// The wheel zooms around the pointer, a drag moves, a double click goes back to the last ten seconds.
fn navigate(
    ui: &Ui,
    time: &mut TimeView,
    all: Rect,
    window: Window,
    response: &egui::Response,
    pressed: i32,
    view: &View<'_>,
) {
    if response.double_clicked() {
        *time = TimeView::default();
        return;
    }
    let frames = view.frames();
    let (Some(oldest), Some(newest)) = (frames.at(0), frames.last()) else { return };
    let (oldest, newest) = (oldest.played, newest.played);
    let longest = Nanos(newest.0.saturating_sub(oldest.0)).max(super::model::WINDOW);
    let width = f64::from(all.width().max(1.0));
    let pointer = response.hover_pos();
    let turns = pressed + pointer.map_or(0, |_| marks::wheel_turns(ui));
    if turns != 0 {
        let share = pointer.map_or(0.5, |pointer| f64::from(pointer.x - all.left()) / width);
        let follows = view.selection.is_live();
        *time = time.zoomed(&window, 0.75_f64.powi(turns), share, longest, follows);
    }
    if response.dragged() && response.drag_delta().x != 0.0 {
        *time = time.moved(&window, f64::from(response.drag_delta().x) / width);
    }
    *time = time.held(oldest, newest);
}

/// Says where the pictures begin that are still kept, where that lies inside.
fn kept_from(ui: &Ui, all: Rect, window: Window, plots: &Plots) {
    let Some(seconds) = plots.pictures_from else { return };
    let theme = Theme::of(ui);
    let x = all.left() + share_of(window, Nanos((seconds * 1e9) as i64)).clamp(0.0, 1.0) * all.width();
    let line = [pos2(x, all.top()), pos2(x, all.bottom())];
    ui.painter().extend(Shape::dashed_line(&line, Stroke::new(1.0, theme.faint), 1.0, 3.0));
    let at = pos2(x - 5.0, all.center().y);
    chip(ui, at, Align2::RIGHT_CENTER, "older pictures are not kept", theme.dim, &theme);
}

/// The selected stretch of frames, as in the strip.
fn range_band(ui: &Ui, all: Rect, window: Window, view: &View<'_>) {
    let Some((first, last)) = view.selection.range() else { return };
    let frames = view.frames();
    let time_of = |frame| frames.at(frames.position_at_frame(frame)).map(|entry| entry.played);
    let (Some(first), Some(last)) = (time_of(first), time_of(last)) else { return };
    let theme = Theme::of(ui);
    let x = |time: Nanos| (all.left() + share_of(window, time) * all.width()).clamp(all.left(), all.right());
    let band = Rect::from_min_max(pos2(x(first), all.top()), pos2(x(last), all.bottom()));
    ui.painter().rect_filled(band, 0.0, theme.accent.gamma_multiply(0.12));
}

/// Where a time lies on the axis: 0 at its start, 1 at its end.
fn share_of(window: Window, time: Nanos) -> f32 {
    let (from, to) = (window.seconds(window.from), window.seconds(window.to));
    ((window.seconds(time) - from) / (to - from).max(f64::MIN_POSITIVE)) as f32
}

/// Dashed lines where a rate, the speed or a setting changed, where it was paused and stepped; named on hover.
fn change_lines(
    ui: &Ui,
    all: Rect,
    window: Window,
    plots: &Plots,
    response: &egui::Response,
    view: &View<'_>,
) {
    let theme = Theme::of(ui);
    let painter = ui.painter();
    let (from, to) = (window.seconds(window.from), window.seconds(window.to));
    let x_of = |seconds: f64| {
        all.left() + ((seconds - from) / (to - from).max(f64::MIN_POSITIVE)) as f32 * all.width()
    };
    for mark in &plots.changes {
        let x = x_of(mark.seconds);
        let color = if mark.change == Change::Setting { theme.accent } else { theme.run };
        let line = [pos2(x, all.top()), pos2(x, all.bottom())];
        painter.extend(Shape::dashed_line(&line, Stroke::new(1.0, color.gamma_multiply(0.45)), 2.0, 4.0));
        marks::change_mark(painter, pos2(x, all.top() + 1.0), mark.change, &theme);
    }
    let Some(pointer) = response.hover_pos() else { return };
    let near = plots.changes.iter().find(|mark| (x_of(mark.seconds) - pointer.x).abs() < 5.0);
    let Some(mark) = near else { return };
    let frames = view.frames();
    let Some(position) = frames.position(mark.frame) else { return };
    let Some(entry) = frames.at(position) else { return };
    let lines = changes::sentences(frames.before(position), &entry.record).join(", ");
    let text = format!("before frame {}: {lines}", grouped(mark.frame.0));
    let is_left = x_of(mark.seconds) < all.center().x;
    let (align, aside) = if is_left { (Align2::LEFT_TOP, 7.0) } else { (Align2::RIGHT_TOP, -7.0) };
    chip(ui, pos2(x_of(mark.seconds) + aside, all.top() + 16.0), align, &text, theme.text, &theme);
}

/// The figures as text for those who do not see the plots, one label each.
fn figures_labels(ui: &Ui, area: Rect, plots: &Plots, window: &Window) {
    let figures = &plots.figures;
    let text = |value: Option<Nanos>| value.map_or_else(|| "–".to_owned(), millis);
    let corner = Rect::from_min_size(area.min, vec2(1.0, 1.0));
    let (what, counts) = match window.plotted {
        Plotted::Frames => ("frame interval", [("dropped", figures.dropped), ("late", figures.late)]),
        Plotted::Pictures => ("between pictures", [("late pictures", figures.late), ("held", figures.held)]),
    };
    let ranks = [("p50", figures.p50), ("p99", figures.p99), ("worst", figures.worst)];
    let ranks = ranks.map(|(name, value)| (format!("{what} {name}"), text(value)));
    let counts = counts.map(|(name, count)| (format!("{name}, {}", window.named()), grouped(count)));
    for (name, value) in ranks.into_iter().chain(counts) {
        let response = ui.interact(corner, ui.scope_id().with(&name), Sense::hover());
        marks::label(&response, Role::Label, format!("{name} {value}"));
    }
}

fn description(caption: &str, plots: &Plots, window: &Window) -> String {
    let figures = &plots.figures;
    match window.plotted {
        Plotted::Frames => format!(
            "pacing plots: {caption}, {}, {}",
            count(figures.dropped, "dropped frame", "dropped frames"),
            count(figures.late, "late frame", "late frames")
        ),
        Plotted::Pictures => format!(
            "pacing plots of the times between pictures: {caption}, {}, {}",
            count(figures.late, "late picture", "late pictures"),
            count(figures.held, "picture held", "pictures held")
        ),
    }
}

fn plot_ui(ui: &mut Ui, which: Which, rect: Rect, plots: &Plots, window: Window) {
    let theme = Theme::of(ui);
    let bounds = PlotBounds::from_min_max(
        [window.seconds(window.from), 0.0],
        [window.seconds(window.to), which.top(plots)],
    );
    ui.painter().rect_filled(rect, 2.0, theme.bg0);
    let color = which.color(&theme);
    let (transform, pixels) = (PlotTransform::new(rect, bounds, false), ui.pixels_per_point());
    let many = match (which.trace(plots), which.stems(plots)) {
        (None, Some(stems)) => {
            Bars { solid: mesh::stems(stems, &transform, pixels, color), ..Bars::default() }
        }
        (Some(Trace::Columns(columns)), _) => mesh::bars(columns, &transform, pixels, color),
        (Some(Trace::Line(_)), _) | (None, None) => Bars::default(),
    };
    ui.painter_at(rect).add(Shape::mesh(many.band));
    ui.scope_builder(UiBuilder::new().max_rect(rect).id_salt(which.name()), |ui| {
        Plot::new(which.name())
            .show_axes(false)
            .show_background(false)
            .show_x(false)
            .show_y(false)
            .show_grid([true, false])
            .grid_color(theme.line)
            .x_grid_spacer(|input| round_times(input.bounds))
            .allow_zoom(false)
            .allow_drag(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .allow_double_click_reset(false)
            .allow_axis_zoom_drag(false)
            .sense(Sense::hover())
            .set_margin_fraction(egui::Vec2::ZERO)
            .min_size(vec2(1.0, 1.0))
            .width(rect.width())
            .height(rect.height())
            .show(ui, |plot| {
                plot.set_plot_bounds(bounds);
                content(plot, which, plots, color, &theme);
            })
    });
    ui.painter_at(rect).add(Shape::mesh(many.solid));
    labels(ui, which, rect, plots, &theme);
}

fn content(plot: &mut PlotUi<'_>, which: Which, plots: &Plots, color: Color32, theme: &Theme) {
    if let Some((limit, name)) = which.limit(plots) {
        limit_line(plot, name, limit, limit_color(which, theme).gamma_multiply(0.8));
    }
    if let Some(Trace::Line(segments)) = which.trace(plots) {
        lines(plot, which, segments, color);
    }
}

const fn limit_color(which: Which, theme: &Theme) -> Color32 {
    if matches!(which, Which::Overstep) { theme.drop } else { theme.dim }
}

/// Straight through where it is the same everywhere, else up and down where it changed.
fn limit_line(plot: &mut PlotUi<'_>, name: &str, limit: &Steps, color: Color32) {
    let style = LineStyle::Dashed { length: 5.0 };
    match limit.steps() {
        [] => {}
        [one] if one.length > Nanos::ZERO => {
            let line = HLine::new(name, one.length.as_millis_f64());
            plot.hline(line.color(color).width(1.0).style(style).allow_hover(false));
        }
        [_] => {}
        _ => {
            let line = Line::new(name, PlotPoints::new(limit.corners().collect()));
            plot.line(line.color(color).width(1.0).style(style).allow_hover(false));
        }
    }
}

fn lines(plot: &mut PlotUi<'_>, which: Which, segments: &[Segment], color: Color32) {
    for (position, segment) in segments.iter().enumerate() {
        let name = format!("{} {position}", which.name());
        let points = PlotPoints::new(segment.clone());
        if segment.len() == 1 {
            plot.points(Points::new(name, points).color(color).radius(1.5).allow_hover(false));
        } else {
            // A band would join pairs of points that share a pixel with the next such pair, however far that is: pictures
            // come in such pairs where the GPU is slow.
            let is_dense = matches!(which, Which::Alpha | Which::Overstep | Which::Interval);
            let line = Line::new(name, points).color(color).width(1.2).allow_hover(false);
            plot.line(line.allow_band(is_dense));
        }
    }
}

/// Marks at round times, as fine as the stretch of time asks for.
fn round_times(bounds: (f64, f64)) -> Vec<GridMark> {
    let step = round_step(bounds.1 - bounds.0, 10.0);
    let (from, to) = ((bounds.0 / step).ceil(), (bounds.1 / step).floor());
    if !from.is_finite() || !to.is_finite() || to - from > 100.0 {
        return Vec::new();
    }
    let steps = (to - from).max(-1.0) as i64;
    (0..=steps).map(|count| GridMark { value: (from + count as f64) * step, step_size: step }).collect()
}

/// The least of 1, 2, 5, 10 … (and their tenths) that divides a span into at most so many parts; 1 for no span.
fn round_step(span: f64, most: f64) -> f64 {
    if !span.is_finite() || span <= 0.0 {
        return 1.0;
    }
    let least = span / most;
    let decade = 10.0_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|factor| factor * decade).into_iter().find(|step| *step >= least).unwrap_or(1.0)
}

fn labels(ui: &Ui, which: Which, rect: Rect, plots: &Plots, theme: &Theme) {
    let painter = ui.painter();
    let figure = egui::FontId { size: 11.0, ..Theme::figure_font(ui) };
    let y_of = |value: f64| rect.bottom() - (value / which.top(plots)).clamp(0.0, 1.0) as f32 * rect.height();
    let mut taken: Vec<f32> = Vec::new();
    // Each where the ones before have left room.
    let zero = Some((0.0, "0".to_owned()));
    for (nth, (value, text)) in which.named(plots).into_iter().chain(zero).enumerate() {
        let y = y_of(value).clamp(rect.top() + 5.0, rect.bottom() - 5.0);
        if nth == 0 || taken.iter().all(|other| (other - y).abs() > NAMED_APART) {
            let at = pos2(rect.left() - 8.0, y);
            painter.text(at, Align2::RIGHT_CENTER, text, figure.clone(), theme.dim);
            taken.push(y);
        }
    }
    chip(ui, rect.left_top() + vec2(6.0, 3.0), Align2::LEFT_TOP, which.name(), theme.dim, theme);
    // In a lower plot it would lie over the next one.
    if let Some((limit, text)) = which.limit(plots).filter(|_| rect.height() >= LEAST_NOTED) {
        let (y, color) = (y_of(limit.newest()), limit_color(which, theme));
        let from_top = y - rect.top();
        let (align, offset) =
            if from_top > 16.0 { (Align2::RIGHT_BOTTOM, -2.0) } else { (Align2::RIGHT_TOP, 2.0) };
        chip(ui, pos2(rect.right() - 6.0, y + offset), align, text, color, theme);
    }
}

/// Small text that stays readable over a line.
fn chip(ui: &Ui, at: egui::Pos2, align: Align2, text: &str, color: Color32, theme: &Theme) {
    let painter = ui.painter();
    let galley = painter.layout_no_wrap(text.to_owned(), Theme::small_font(ui), color);
    let rect = align.anchor_size(at, galley.size());
    painter.rect_filled(rect.expand2(vec2(3.0, 0.0)), 2.0, theme.bg0.gamma_multiply(0.88));
    painter.galley(rect.min, galley, color);
    marks::explained(ui, rect, text);
}

fn reading(ui: &Ui, which: Which, rect: Rect, of: At<'_>, theme: &Theme) {
    let text = which.reading(of);
    let painter = ui.painter();
    let galley = painter.layout_no_wrap(text, Theme::figure_font(ui), which.color(theme));
    let at = pos2(rect.left() + which.name_width(), rect.top() + 2.0);
    let place = Rect::from_min_size(at, galley.size());
    painter.rect_filled(place.expand2(vec2(4.0, 1.0)), 2.0, theme.bg1.gamma_multiply(0.92));
    painter.galley(place.min, galley, theme.text);
}

fn crosshair(ui: &Ui, all: Rect, window: Window, played: Nanos, color: Color32) {
    let (from, to) = (window.seconds(window.from), window.seconds(window.to));
    let share = (window.seconds(played) - from) / (to - from).max(f64::MIN_POSITIVE);
    if !(0.0..=1.0).contains(&share) {
        return;
    }
    let x = all.left() + share as f32 * all.width();
    ui.painter().vline(x, all.y_range(), Stroke::new(1.0, color));
}

fn time_axis(ui: &Ui, all: Rect, window: Window) {
    let theme = Theme::of(ui);
    let (from, to) = (window.seconds(window.from), window.seconds(window.to));
    let font = egui::FontId { size: 11.0, ..Theme::figure_font(ui) };
    let step = round_step(to - from, f64::from((all.width() / 80.0).max(1.0)));
    let start = (from / step).ceil();
    for count in 0..((to - from) / step).clamp(0.0, 64.0) as u32 + 1 {
        let mark = GridMark { value: (start + f64::from(count)) * step, step_size: step };
        if mark.value < 0.0 || mark.value > to {
            continue;
        }
        let x = all.left() + ((mark.value - from) / (to - from).max(f64::MIN_POSITIVE)) as f32 * all.width();
        let places = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
        let text = format!("{:.places$} s", mark.value);
        let half = 4.0 * text.len() as f32;
        if x - half < all.left() - 20.0 || x + half > all.right() + 8.0 {
            continue;
        }
        ui.painter().text(pos2(x, all.bottom() + 3.0), Align2::CENTER_TOP, text, font.clone(), theme.faint);
    }
}
