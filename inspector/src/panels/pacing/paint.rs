//! How the Pacing panel looks.

use egui::{Align2, Color32, Rect, Role, Sense, Stroke, Ui, UiBuilder, pos2, vec2};
use egui_plot::{
    GridMark, HLine, Line, LineStyle, MarkerShape, Plot, PlotBounds, PlotPoints, PlotUi, Points,
};

use super::State;
use super::decimate::Segment;
use super::model::{Key, Plots, Window};
use crate::history::{Entry, Fate};
use crate::inspector::View;
use crate::live::InspectorAction;
use crate::panels::marks::{self, CAPTION_HEIGHT};
use crate::stats::{NEAREST_RANK, frame_interval};
use crate::theme::Theme;
use crate::wording::{alpha, count, grouped, millis, short};

const GUTTER: f32 = 56.0;
const RIGHT_MARGIN: f32 = 10.0;
const AXIS_HEIGHT: f32 = 18.0;
const GAP: f32 = 7.0;

/// One of the four plots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    Alpha,
    Overstep,
    Interval,
    Dropped,
}

impl Which {
    const ALL: [Self; 4] = [Self::Alpha, Self::Overstep, Self::Interval, Self::Dropped];

    const fn name(self) -> &'static str {
        match self {
            Self::Alpha => "alpha",
            Self::Overstep => "overstep, ms",
            Self::Interval => "frame interval, ms",
            Self::Dropped => "dropped",
        }
    }

    fn color(self, theme: &Theme) -> Color32 {
        match self {
            Self::Alpha => theme.alpha,
            Self::Overstep => theme.stages[3],
            Self::Interval => theme.ok,
            Self::Dropped => theme.drop,
        }
    }

    fn top(self, plots: &Plots) -> f64 {
        match self {
            Self::Alpha => 1.08,
            Self::Overstep => plots.overstep_top,
            Self::Interval => plots.interval_top,
            Self::Dropped => plots.drops_top,
        }
    }

    /// The value the axis names at its upper end.
    fn named_top(self, plots: &Plots) -> (f64, String) {
        match self {
            Self::Alpha => (1.0, "1".to_owned()),
            Self::Overstep => (plots.one_tick_millis, format!("{:.1}", plots.one_tick_millis)),
            Self::Interval => (plots.deadline_millis, format!("{:.1}", plots.deadline_millis)),
            Self::Dropped => {
                let most = plots.drops.iter().map(|stem| stem.count).max().unwrap_or(0);
                (f64::from(most.max(1)), grouped(u64::from(most.max(1))))
            }
        }
    }

    fn reading(self, entry: &Entry) -> String {
        let record = &entry.record;
        match self {
            Self::Alpha => alpha(record.alpha),
            Self::Overstep => millis(record.overstep),
            Self::Interval => frame_interval(record).map_or_else(|| "–".to_owned(), millis),
            Self::Dropped => match entry.fate {
                Fate::Dropped { by } => {
                    format!("frame {}, replaced by {}", grouped(record.frame.0), grouped(by.0))
                }
                _ => format!("frame {}, not dropped", grouped(record.frame.0)),
            },
        }
    }
}

pub fn ui(ui: &mut Ui, state: &mut State, view: &View<'_>) -> Option<InspectorAction> {
    let Some(window) = Window::of(view) else {
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
        state.cached = Some((key, Plots::of(view, window, columns, &mut state.scratch)));
    }
    let (_, plots) = state.cached.as_ref()?;
    let mut top = area.top();
    let mut action = None;
    if view.captions {
        let line = Rect::from_min_size(area.min, vec2(area.width(), CAPTION_HEIGHT));
        ui.scope_builder(UiBuilder::new().max_rect(line), |ui| {
            marks::caption_ui(ui, &plots.figures.caption());
        });
        top += CAPTION_HEIGHT;
    }
    let left = area.left() + GUTTER;
    let right = area.right() - RIGHT_MARGIN;
    let height = ((area.bottom() - AXIS_HEIGHT - top - 3.0 * GAP) / 4.0).max(14.0);
    let rects = [0.0, 1.0, 2.0, 3.0].map(|row| {
        let y = top + 2.0 + row * (height + GAP);
        Rect::from_min_max(pos2(left, y), pos2(right, y + height - 2.0))
    });
    let all = Rect::from_min_max(rects[0].min, rects[3].max);
    let response = ui.allocate_rect(area, Sense::click());
    marks::label(&response, Role::Button, description(plots));
    for (which, rect) in Which::ALL.into_iter().zip(rects) {
        plot_ui(ui, which, rect, plots, window);
    }
    time_axis(ui, all, window);
    let hovered =
        response.hover_pos().filter(|pointer| all.x_range().contains(pointer.x)).and_then(|pointer| {
            let share = f64::from((pointer.x - all.left()) / all.width().max(1.0));
            let (from, to) = (window.from.as_secs_f64(), window.to.as_secs_f64());
            window.nearest(view, from + share * (to - from))
        });
    let theme = Theme::of(ui);
    let chosen = view.entry().filter(|_| !view.selection.is_live());
    if let Some(entry) = chosen {
        crosshair(ui, all, window, entry, theme.outline.gamma_multiply(0.75));
    }
    if let Some(entry) = hovered {
        crosshair(ui, all, window, entry, theme.outline.gamma_multiply(0.4));
    }
    if let Some(entry) = hovered.or(chosen) {
        for (which, rect) in Which::ALL.into_iter().zip(rects) {
            reading(ui, which, rect, entry, &theme);
        }
    }
    if response.clicked() {
        action = hovered.map(|entry| InspectorAction::Select(entry.frame()));
    }
    figures_labels(ui, area, plots);
    let hint = format!(
        "{}\nanimation error p99 {} (absolute)\n{NEAREST_RANK}",
        plots.figures.caption(),
        plots.figures.error_p99.map_or_else(|| "–".to_owned(), millis)
    );
    // Over the caption only: over the plots the readings are the answer.
    if view.captions {
        let line = Rect::from_min_size(area.min, vec2(area.width(), CAPTION_HEIGHT));
        ui.interact(line, response.id.with("definition"), Sense::hover()).on_hover_text(hint);
    }
    action
}

/// The figures as text for those who do not see the plots, one label each.
fn figures_labels(ui: &Ui, area: Rect, plots: &Plots) {
    let figures = &plots.figures;
    let text = |value: Option<framewalk_runtime::time::Nanos>| value.map_or_else(|| "–".to_owned(), millis);
    let corner = Rect::from_min_size(area.min, vec2(1.0, 1.0));
    for (name, value) in [
        ("frame interval p50", text(figures.p50)),
        ("frame interval p99", text(figures.p99)),
        ("frame interval worst", text(figures.worst)),
        ("dropped, last 10 s", grouped(figures.dropped)),
        ("late, last 10 s", grouped(figures.late)),
    ] {
        let response = ui.interact(corner, ui.scope_id().with(name), Sense::hover());
        marks::label(&response, Role::Label, format!("{name} {value}"));
    }
}

fn description(plots: &Plots) -> String {
    let figures = &plots.figures;
    format!(
        "pacing plots: {}, {}, {}",
        figures.caption(),
        count(figures.dropped, "dropped frame", "dropped frames"),
        count(figures.late, "late frame", "late frames")
    )
}

fn plot_ui(ui: &mut Ui, which: Which, rect: Rect, plots: &Plots, window: Window) {
    let theme = Theme::of(ui);
    let bounds = PlotBounds::from_min_max(
        [window.from.as_secs_f64(), 0.0],
        [window.to.as_secs_f64(), which.top(plots)],
    );
    ui.painter().rect_filled(rect, 2.0, theme.bg0);
    let color = which.color(&theme);
    ui.scope_builder(UiBuilder::new().max_rect(rect).id_salt(which.name()), |ui| {
        Plot::new(which.name())
            .show_axes(false)
            .show_background(false)
            .show_x(false)
            .show_y(false)
            .show_grid([true, false])
            .grid_color(theme.line)
            .x_grid_spacer(|input| whole_seconds(input.bounds))
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
            });
    });
    labels(ui, which, rect, plots, &theme);
}

fn content(plot: &mut PlotUi<'_>, which: Which, plots: &Plots, color: Color32, theme: &Theme) {
    match which {
        Which::Alpha => lines(plot, which, &plots.alpha, color),
        Which::Overstep => {
            limit(plot, "one tick", plots.one_tick_millis, theme.drop.gamma_multiply(0.8));
            lines(plot, which, &plots.overstep, color);
        }
        Which::Interval => {
            limit(plot, "deadline", plots.deadline_millis, theme.dim.gamma_multiply(0.8));
            lines(plot, which, &plots.interval, color);
        }
        Which::Dropped => {
            let stems: Vec<[f64; 2]> =
                plots.drops.iter().map(|stem| [stem.seconds, f64::from(stem.count)]).collect();
            plot.points(
                Points::new("dropped", PlotPoints::new(stems))
                    .color(color)
                    .shape(MarkerShape::Cross)
                    .radius(4.0)
                    .stems(0.0)
                    .allow_hover(false),
            );
        }
    }
}

fn limit(plot: &mut PlotUi<'_>, name: &str, value: f64, color: Color32) {
    if value > 0.0 {
        let style = LineStyle::Dashed { length: 5.0 };
        plot.hline(HLine::new(name, value).color(color).width(1.0).style(style).allow_hover(false));
    }
}

fn lines(plot: &mut PlotUi<'_>, which: Which, segments: &[Segment], color: Color32) {
    for (position, segment) in segments.iter().enumerate() {
        let name = format!("{} {position}", which.name());
        let points = PlotPoints::new(segment.clone());
        if segment.len() == 1 {
            plot.points(Points::new(name, points).color(color).radius(1.5).allow_hover(false));
        } else {
            plot.line(Line::new(name, points).color(color).width(1.2).allow_hover(false));
        }
    }
}

/// A mark at each whole second.
fn whole_seconds(bounds: (f64, f64)) -> Vec<GridMark> {
    let (from, to) = (bounds.0.ceil(), bounds.1.floor());
    if !from.is_finite() || !to.is_finite() || to - from > 100.0 {
        return Vec::new();
    }
    let steps = (to - from).max(-1.0) as i64;
    (0..=steps).map(|step| GridMark { value: from + step as f64, step_size: 1.0 }).collect()
}

fn labels(ui: &Ui, which: Which, rect: Rect, plots: &Plots, theme: &Theme) {
    let painter = ui.painter();
    let figure = egui::FontId { size: 11.0, ..Theme::figure_font(ui) };
    let (value, text) = which.named_top(plots);
    let y = rect.bottom() - (value / which.top(plots)).clamp(0.0, 1.0) as f32 * rect.height();
    let at = |y: f32| pos2(rect.left() - 8.0, y);
    painter.text(at(y.max(rect.top() + 5.0)), Align2::RIGHT_CENTER, text, figure.clone(), theme.dim);
    if rect.bottom() - y > 18.0 {
        painter.text(at(rect.bottom() - 5.0), Align2::RIGHT_CENTER, "0", figure, theme.dim);
    }
    chip(ui, rect.left_top() + vec2(6.0, 3.0), Align2::LEFT_TOP, which.name(), theme.dim, theme);
    let note = match which {
        Which::Overstep => Some(("one tick", theme.drop)),
        Which::Interval => Some(("deadline", theme.dim)),
        Which::Alpha | Which::Dropped => None,
    };
    if let Some((text, color)) = note {
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
}

fn reading(ui: &Ui, which: Which, rect: Rect, entry: &Entry, theme: &Theme) {
    let text = which.reading(entry);
    let painter = ui.painter();
    let galley = painter.layout_no_wrap(text, Theme::figure_font(ui), which.color(theme));
    let name_width = 120.0;
    let at = pos2(rect.left() + name_width, rect.top() + 2.0);
    let place = Rect::from_min_size(at, galley.size());
    painter.rect_filled(place.expand2(vec2(4.0, 1.0)), 2.0, theme.bg1.gamma_multiply(0.92));
    painter.galley(place.min, galley, theme.text);
}

fn crosshair(ui: &Ui, all: Rect, window: Window, entry: &Entry, color: Color32) {
    let (from, to) = (window.from.as_secs_f64(), window.to.as_secs_f64());
    let share = (entry.played.as_secs_f64() - from) / (to - from).max(f64::MIN_POSITIVE);
    if !(0.0..=1.0).contains(&share) {
        return;
    }
    let x = all.left() + share as f32 * all.width();
    ui.painter().vline(x, all.y_range(), Stroke::new(1.0, color));
}

fn time_axis(ui: &Ui, all: Rect, window: Window) {
    let theme = Theme::of(ui);
    let (from, to) = (window.from.as_secs_f64(), window.to.as_secs_f64());
    let font = egui::FontId { size: 11.0, ..Theme::figure_font(ui) };
    let every = if all.width() < 260.0 {
        5.0
    } else if all.width() < 620.0 {
        2.0
    } else {
        1.0
    };
    for mark in whole_seconds((from, to)) {
        if mark.value < 0.0 || mark.value % every > 0.5 {
            continue;
        }
        let x = all.left() + ((mark.value - from) / (to - from).max(f64::MIN_POSITIVE)) as f32 * all.width();
        let text = format!("{} s", short(mark.value));
        let half = 4.0 * text.len() as f32;
        if x - half < all.left() - 20.0 || x + half > all.right() + 8.0 {
            continue;
        }
        ui.painter().text(pos2(x, all.bottom() + 3.0), Align2::CENTER_TOP, text, font.clone(), theme.faint);
    }
}
