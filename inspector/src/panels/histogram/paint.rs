//! How the Histogram panel looks.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Color32, Mesh, Rect, Role, Sense, Shape, Stroke, Ui, pos2, vec2};
use framewalk_runtime::frame::stage::Stage;

use super::State;
use super::model::{Bins, Histograms, Key};
use crate::panels::marks::{self, CAPTION_HEIGHT};
use crate::panels::pacing::model::Plotted;
use crate::stats::NEAREST_RANK;
use crate::theme::Theme;
use crate::view::View;
use crate::wording::grouped;

const GAP: f32 = 22.0;
const MARGIN: f32 = 14.0;
const HEAD: f32 = 24.0;
/// The ends of the axis, and below them the figures.
const AXIS: f32 = 18.0;
const FIGURES: f32 = 20.0;
/// With plots lower than this the ends of the axis give way, then the figures, then the names of the lines in the plot.
const LEAST_PLOT: f32 = 40.0;
/// All six stages together, and each of them.
const CHOICES: f32 = 7.0;
/// Width of a bin in points.
const BIN: f32 = 5.0;

/// One of the three.
struct Shown<'a> {
    name: &'static str,
    /// What is counted.
    of: &'static str,
    /// What the greatest value is called: a long time is bad, a large alpha is not.
    greatest: &'static str,
    bins: Option<&'a Bins>,
    color: Color32,
    /// A stage can be chosen beside its name.
    has_choice: bool,
    /// Places behind the point, and the unit.
    places: usize,
    unit: &'static str,
}

impl Shown<'_> {
    fn value(&self, value: f64) -> String {
        let text = format!("{value:.places$}{}", self.unit, places = self.places);
        // An alpha is below 1, and never rounded up to that.
        if self.unit.is_empty() && value < 1.0 && text == "1.000" { "0.999".to_owned() } else { text }
    }
}

pub fn ui(ui: &mut Ui, state: &mut State, view: &View<'_>) {
    let theme = Theme::of(ui);
    let mut area = ui.available_rect_before_wrap();
    let width = ((area.width() - 2.0 * MARGIN - 2.0 * GAP) / 3.0).max(20.0);
    let bins = (width / BIN).max(4.0) as usize;
    let Some(key) = Key::of(view, state.stage, bins) else {
        state.cached = None;
        let press = marks::press("Play", view.live.keys.play);
        let what = "How often which frame interval, frame time and alpha come up will be here.";
        marks::empty_ui(ui, what, &press);
        return;
    };
    let is_answered =
        state.cached.as_ref().is_some_and(|(older, _)| key.is_answered_by(older, view.live.state));
    if !is_answered {
        state.cached = Some((key, Histograms::of(view, state.stage, bins)));
    }
    let Some((_, histograms)) = &state.cached else { return };
    let response = ui.allocate_rect(area, Sense::hover());
    marks::label(&response, Role::Label, format!("histograms of {}", histograms.caption));
    if view.captions {
        let at = pos2(area.right() - 12.0, area.top() + CAPTION_HEIGHT / 2.0);
        let font = Theme::figure_font(ui);
        ui.painter().text(at, Align2::RIGHT_CENTER, &histograms.caption, font, theme.dim);
        area.min.y += CAPTION_HEIGHT;
    }
    let stage_color = state.stage.map_or(theme.ok, |stage| theme.stage(stage));
    let stage_name = state.stage.map_or("frame time", Stage::name);
    let (interval_name, alpha_name, of) = match histograms.plotted {
        Plotted::Frames => ("frame interval", "alpha", "frames"),
        Plotted::Pictures => ("between pictures", "drawn alpha", "pictures"),
    };
    let all = [
        Shown {
            name: interval_name,
            of,
            greatest: "worst",
            bins: histograms.interval.as_ref(),
            color: theme.ok,
            has_choice: false,
            places: 2,
            unit: " ms",
        },
        Shown {
            name: stage_name,
            of: "frames",
            greatest: "worst",
            bins: histograms.stage_time.as_ref(),
            color: stage_color,
            has_choice: true,
            places: 3,
            unit: " ms",
        },
        Shown {
            name: alpha_name,
            of,
            greatest: "most",
            bins: histograms.alpha.as_ref(),
            color: theme.alpha,
            has_choice: false,
            places: 3,
            unit: "",
        },
    ];
    for (column, shown) in all.iter().enumerate() {
        let left = area.left() + MARGIN + column as f32 * (width + GAP);
        let place = Rect::from_min_max(pos2(left, area.top()), pos2(left + width, area.bottom() - 6.0));
        one_ui(ui, place, shown, &theme);
        if column == 0 {
            deadlines_ui(ui, place, shown, histograms, &theme);
        }
        if column == 1 {
            choose_stage(ui, place, &mut state.stage, &theme);
        }
    }
}

fn one_ui(ui: &Ui, place: Rect, shown: &Shown<'_>, theme: &Theme) {
    let (plot, room) = (plot_of(place), Room::of(place.height()));
    let painter = ui.painter_at(place.expand(2.0));
    let head = pos2(place.left(), place.top() + HEAD / 2.0);
    // Of the one with stages to choose, as much of the name as they leave room for.
    let beside = if shown.has_choice { CHOICES * apart(place) + 6.0 } else { 0.0 };
    let mut name = LayoutJob::simple_singleline(shown.name.to_owned(), Theme::text_font(ui), theme.text);
    name.wrap = TextWrapping::truncate_at_width((place.width() - beside).max(0.0));
    let name = painter.layout_job(name);
    let name_at = Align2::LEFT_CENTER.anchor_size(head, name.size());
    painter.galley(name_at.min, name, theme.text);
    marks::explained(ui, name_at, shown.name);
    painter.rect_filled(plot, 2.0, theme.bg0);
    let Some(bins) = shown.bins else {
        let at = plot.center();
        painter.text(at, Align2::CENTER_CENTER, "no values yet", Theme::small_font(ui), theme.faint);
        return;
    };
    bars(&painter, plot, bins, shown.color);
    for (value, name, color) in [
        (bins.p50, "p50", theme.text),
        (bins.p99, "p99", theme.late),
        (bins.worst, shown.greatest, theme.drop),
    ] {
        let x = plot.left() + bins.share(value) * plot.width();
        let line = [pos2(x, plot.top()), pos2(x, plot.bottom())];
        painter.extend(Shape::dashed_line(&line, Stroke::new(1.0, color), 3.0, 3.0));
        if !room.names {
            continue;
        }
        if name == "p50" || (bins.share(value) - bins.share(bins.p50)) * plot.width() > 58.0 {
            let is_right = x > plot.right() - 34.0;
            let (align, aside) = if is_right { (Align2::RIGHT_TOP, -3.0) } else { (Align2::LEFT_TOP, 3.0) };
            let row = if name == shown.greatest { 14.0 } else { 2.0 };
            let text = painter.layout_no_wrap(name.to_owned(), Theme::small_font(ui), color);
            let place = align.anchor_size(pos2(x + aside, plot.top() + row), text.size());
            painter.rect_filled(place.expand2(vec2(2.0, 0.0)), 2.0, theme.bg0.gamma_multiply(0.88));
            painter.galley(place.min, text, color);
        }
    }
    feet(ui, place, plot, shown, bins, theme);
    reading(ui, plot, shown, bins, theme);
}

/// What has room above and below a histogram's bars. What has none is in the tooltip, and told to a screen reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Room {
    axis: bool,
    figures: bool,
    /// The names of the lines in the plot.
    names: bool,
}

impl Room {
    fn of(height: f32) -> Self {
        let left = height - HEAD;
        let figures = left - FIGURES >= LEAST_PLOT * 0.5;
        let axis = left - FIGURES - AXIS >= LEAST_PLOT;
        Self { axis, figures, names: left - if figures { FIGURES } else { 0.0 } >= LEAST_PLOT * 0.75 }
    }

    fn foot(self) -> f32 {
        (if self.axis { AXIS } else { 0.0 }) + if self.figures { FIGURES } else { 0.0 }
    }
}

/// Where a histogram's bars stand.
fn plot_of(place: Rect) -> Rect {
    let foot = Room::of(place.height()).foot();
    Rect::from_min_max(
        pos2(place.left(), place.top() + HEAD),
        pos2(place.right(), (place.bottom() - foot).max(place.top() + HEAD + 4.0)),
    )
}

/// A triangle on the axis for each deadline, and what they are beside the name, where there is room.
fn deadlines_ui(ui: &Ui, place: Rect, shown: &Shown<'_>, histograms: &Histograms, theme: &Theme) {
    let Some(bins) = shown.bins.filter(|_| !histograms.deadlines.is_empty()) else { return };
    let plot = plot_of(place);
    let painter = ui.painter_at(place.expand(2.0));
    for deadline in histograms.deadlines.iter().filter(|deadline| bins.holds(**deadline)) {
        let tip = pos2(plot.left() + bins.share(*deadline) * plot.width(), plot.bottom() - 6.0);
        triangle(&painter, tip, theme);
    }
    let sentence = histograms.deadline_sentence();
    let head = Rect::from_min_max(place.min, pos2(place.right(), plot.top()));
    let named = ui.painter().layout_no_wrap(shown.name.to_owned(), Theme::text_font(ui), theme.text).size().x;
    let key = match histograms.late {
        0 => "deadline".to_owned(),
        late => format!("deadline · {} late", grouped(late)),
    };
    let key = painter.layout_no_wrap(key, Theme::small_font(ui), theme.dim);
    let rect = Align2::RIGHT_CENTER.anchor_size(head.right_center(), key.size());
    if rect.left() - 12.0 > head.left() + named + 8.0 {
        painter.galley(rect.min, key, theme.dim);
        triangle(&painter, pos2(rect.left() - 7.0, rect.center().y - 3.0), theme);
    }
    let aside = Rect::from_min_max(pos2(head.left() + named, head.top()), head.max);
    let response = ui.interact(aside, ui.scope_id().with((shown.name, "deadline")), Sense::hover());
    marks::label(&response, Role::Label, sentence.clone());
    response.on_hover_text(format!("{sentence}\nEach by the frame rate that was in force."));
}

fn triangle(painter: &egui::Painter, tip: egui::Pos2, theme: &Theme) {
    let corners = vec![tip, tip + vec2(4.0, 6.0), tip + vec2(-4.0, 6.0)];
    painter.add(Shape::convex_polygon(corners, theme.text, Stroke::NONE));
}

fn bars(painter: &egui::Painter, plot: Rect, bins: &Bins, color: Color32) {
    let mut mesh = Mesh::default();
    let width = plot.width() / bins.counts.len().max(1) as f32;
    for (bin, count) in bins.counts.iter().enumerate() {
        if *count == 0 {
            continue;
        }
        let left = plot.left() + bin as f32 * width;
        let top = plot.bottom() - (bins.height(bin) * (plot.height() - 4.0)).max(1.5);
        let gap = if width > 3.0 { 1.0 } else { 0.0 };
        let body = Rect::from_min_max(pos2(left, top), pos2(left + width - gap, plot.bottom()));
        mesh.add_colored_rect(body, color.gamma_multiply(0.8));
    }
    painter.add(Shape::mesh(mesh));
}

/// The ends of the axis, and the figures as text.
fn feet(ui: &Ui, place: Rect, plot: Rect, shown: &Shown<'_>, bins: &Bins, theme: &Theme) {
    let painter = ui.painter_at(place.expand(2.0));
    let font = egui::FontId { size: 11.0, ..Theme::figure_font(ui) };
    let open = if bins.is_open { "≥ " } else { "" };
    let room = Room::of(place.height());
    let y = plot.bottom() + 3.0;
    let from = shown.value(bins.from);
    let to = format!("{open}{}", shown.value(bins.to()));
    if room.axis {
        let from = painter.text(pos2(plot.left(), y), Align2::LEFT_TOP, from, font.clone(), theme.faint);
        let to = painter.layout_no_wrap(to, font.clone(), theme.faint);
        // In a narrow one the end would lie over the beginning.
        if from.right() + 8.0 <= plot.right() - to.size().x {
            painter.galley(pos2(plot.right() - to.size().x, y), to, theme.faint);
        }
    }
    let figures = format!(
        "p50 {} · p99 {} · {} {}",
        shown.value(bins.p50),
        shown.value(bins.p99),
        shown.greatest,
        shown.value(bins.worst)
    );
    let top = plot.bottom() + if room.axis { AXIS } else { 1.0 };
    let row = Rect::from_min_max(pos2(place.left(), top), pos2(place.right(), top + 16.0));
    let response = ui.interact(row, ui.scope_id().with((shown.name, "figures")), Sense::hover());
    marks::label(&response, Role::Label, format!("{} {figures}", shown.name));
    if !room.figures {
        return;
    }
    let galley = painter.layout_no_wrap(figures, font.clone(), theme.dim);
    if galley.size().x <= row.width() {
        painter.galley(
            Align2::LEFT_CENTER.anchor_size(row.left_center(), galley.size()).min,
            galley,
            theme.dim,
        );
    } else {
        // Without units, which stand at the axis, and the worst only where there is room for it.
        let short = format!("p50 {:.*} p99 {:.*}", shown.places, bins.p50, shown.places, bins.p99);
        let short = painter.layout_no_wrap(short, font.clone(), theme.dim);
        let short = if short.size().x <= row.width() {
            short
        } else {
            painter.layout_no_wrap(format!("p50 {:.*}", shown.places, bins.p50), font, theme.dim)
        };
        painter.galley(
            Align2::LEFT_CENTER.anchor_size(row.left_center(), short.size()).min,
            short,
            theme.dim,
        );
    }
    response.on_hover_text(format!("Over {} values. {NEAREST_RANK}", grouped(bins.total as u64)));
}

/// The bin under the pointer in words.
fn reading(ui: &Ui, plot: Rect, shown: &Shown<'_>, bins: &Bins, theme: &Theme) {
    let response = ui.interact(plot, ui.scope_id().with((shown.name, "bins")), Sense::hover());
    let Some(pointer) = response.hover_pos() else { return };
    let share = (pointer.x - plot.left()) / plot.width().max(1.0);
    let bin = ((share * bins.counts.len() as f32).max(0.0) as usize).min(bins.counts.len().saturating_sub(1));
    let from = bins.from + bin as f64 * bins.width;
    let width = plot.width() / bins.counts.len().max(1) as f32;
    let column =
        Rect::from_min_size(pos2(plot.left() + bin as f32 * width, plot.top()), vec2(width, plot.height()));
    ui.painter_at(plot).rect_filled(column, 0.0, theme.outline.gamma_multiply(0.12));
    let is_last = bin + 1 == bins.counts.len();
    let to = if is_last && bins.is_open {
        "and more".to_owned()
    } else {
        format!("to {}", shown.value(from + bins.width))
    };
    let count = bins.counts.get(bin).copied().unwrap_or(0);
    let text = format!(
        "{} {} {to}\n{} of {} {}\nheights are logarithmic",
        shown.name,
        shown.value(from),
        grouped(count.into()),
        grouped(bins.total as u64),
        shown.of
    );
    response.on_hover_text_at_pointer(egui::RichText::new(text).text_style(egui::TextStyle::Monospace));
}

/// How far the stages to choose lie from each other: beside the longest name where there is room, closer where there is not.
fn apart(place: Rect) -> f32 {
    ((place.width() - 112.0) / CHOICES).clamp(7.0, 15.0)
}

/// Seven squares: all stages together, or one of them.
fn choose_stage(ui: &Ui, place: Rect, chosen: &mut Option<Stage>, theme: &Theme) {
    let choices = std::iter::once(None).chain(Stage::ALL.into_iter().map(Some));
    let apart = apart(place);
    for (position, choice) in choices.enumerate() {
        let center = pos2(place.right() - 6.0 - (6 - position) as f32 * apart, place.top() + HEAD / 2.0);
        let rect = Rect::from_center_size(center, vec2(apart - 1.0, 18.0));
        let response = ui.interact(rect, ui.scope_id().with(("stage choice", position)), Sense::click());
        let name = choice.map_or("all six stages", Stage::name);
        marks::label(&response, Role::Button, format!("show the time of {name}"));
        let color = choice.map_or(theme.ok, |stage| theme.stage(stage));
        let side = if *chosen == choice { (apart - 1.0).min(10.0) } else { 5.0 };
        marks::square(ui.painter(), center, side, color);
        if response.has_focus() || response.hovered() {
            ui.painter().rect_stroke(rect, 2.0, Stroke::new(1.0, theme.accent), egui::StrokeKind::Inside);
        }
        if response.clicked() {
            *chosen = choice;
        }
        response.on_hover_text(name);
    }
}
