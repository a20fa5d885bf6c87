//! How the Timeline panel looks.

use egui::{Align2, Color32, Mesh, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, pos2, vec2};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::time::{FrameIndex, Nanos};

use super::State;
use super::layout::Lanes;
use super::model::{
    DEEPEST, End, Gap, LEAST_SPAN, Lane, MOST_SPAN, Missing, PassPart, PassSpan, Timeline, Work, ZoneSpan,
    middle_and_period, timeline,
};
use crate::live::InspectorAction;
use crate::panels::handoff::hatched;
use crate::panels::marks::{self, CAPTION_HEIGHT};
use crate::theme::Theme;
use crate::view::View;
use crate::wording::{count, grouped, millis};

const GUTTER: f32 = 62.0;
/// Where the names of workers stand in it too, and where those of observers do.
const WIDE_GUTTER: f32 = 76.0;
const WIDEST_GUTTER: f32 = 88.0;
/// Lanes as far apart as this have their names.
const NAME_PITCH: f32 = 11.0;
const RIGHT_MARGIN: f32 = 10.0;
const AXIS_HEIGHT: f32 = 20.0;
/// At most so wide are the name of a part of a pass, and the number of a frame.
const PASS_NAME_WIDTH: f32 = 96.0;
const NUMBER_WIDTH: f32 = 56.0;
/// Periods on show before anyone zooms.
const PERIODS: i64 = 4;

/// The time axis: which times are where.
#[derive(Clone, Copy)]
struct Axis {
    from: Nanos,
    span: Nanos,
    area: Rect,
}

impl Axis {
    fn x(&self, at: Nanos) -> f32 {
        let share = (at.0.saturating_sub(self.from.0)) as f64 / self.span.0.max(1) as f64;
        // Far outside is as good as just outside, and keeps shapes in range.
        self.area.left() + share.clamp(-1.0, 2.0) as f32 * self.area.width()
    }

    fn to(&self) -> Nanos {
        Nanos(self.from.0.saturating_add(self.span.0))
    }

    fn time_at(&self, x: f32) -> Nanos {
        let share = f64::from((x - self.area.left()) / self.area.width().max(1.0));
        Nanos(self.from.0.saturating_add((share * self.span.0 as f64) as i64))
    }
}

pub fn ui(ui: &mut Ui, state: &mut State, view: &View<'_>) -> Option<InspectorAction> {
    let Some((own_middle, period)) = middle_and_period(view) else {
        let press = marks::press("Play", view.live.keys.play);
        let what = "What ui, sim, render and workers did in each frame will be here, on one time axis.";
        marks::empty_ui(ui, what, &press);
        return None;
    };
    let chosen = view.selection.frozen_frame();
    if state.chosen != chosen {
        state.chosen = chosen;
        state.middle = None;
    }
    let theme = Theme::of(ui);
    let mut area = ui.available_rect_before_wrap();
    let response = ui.allocate_rect(area, Sense::click_and_drag());
    if view.captions {
        let caption = super::caption(*view);
        let at = pos2(area.right() - 12.0, area.top() + CAPTION_HEIGHT / 2.0);
        ui.painter().text(at, Align2::RIGHT_CENTER, caption, Theme::figure_font(ui), theme.dim);
        area.min.y += CAPTION_HEIGHT;
    }
    let gutter = match (state.rows.observers(), state.rows.workers()) {
        (0, 0) => GUTTER,
        (0, _) => WIDE_GUTTER,
        _ => WIDEST_GUTTER,
    };
    let lanes_area = Rect::from_min_max(
        pos2(area.left() + gutter, area.top() + AXIS_HEIGHT),
        pos2((area.right() - RIGHT_MARGIN).max(area.left() + gutter + 1.0), area.bottom() - 8.0),
    );
    let span = state.span.unwrap_or(Nanos(period.0.saturating_mul(PERIODS)));
    let middle = state.middle.unwrap_or(own_middle);
    let axis = Axis { from: Nanos(middle.0.saturating_sub(span.0 / 2)), span, area: lanes_area };
    let least = Nanos(span.0 / lanes_area.width().max(1.0) as i64);
    let timeline = timeline(view, axis.from, axis.to(), least);
    marks::label(&response, Role::Button, description(&timeline, span));
    state.rows.hold(run_of(view), &timeline);
    let lanes = Lanes::within(lanes_area, &state.rows);
    label_workers(ui, &lanes, &timeline);
    backdrop(ui, &axis, &lanes, &timeline, view, &theme);
    paint_passes(ui, &axis, &lanes, &timeline, &theme);
    paint_spans(ui, &axis, &lanes, &timeline, &theme);
    paint_gaps(ui, &axis, &lanes, &timeline, &theme);
    paint_zones(ui, &axis, &lanes, &timeline, &theme);
    paint_endings(ui, &axis, &lanes, &timeline, &theme);
    let keys = marks::frame_keys(ui, &response);
    if response.has_focus() {
        marks::focus_ring(ui, response.rect);
    }
    navigate(ui, state, &axis, &response, keys.turns, middle);
    if let Some(walked) = view.walked(keys.steps) {
        return Some(walked);
    }
    let pointer = response.hover_pos()?;
    let hovered = hovered(pointer, &axis, &lanes, &timeline)?;
    let clicked = hovered.1.filter(|_| response.clicked()).map(InspectorAction::Select);
    response.on_hover_text_at_pointer(egui::RichText::new(hovered.0).text_style(egui::TextStyle::Monospace));
    clicked
}

/// The run on show.
fn run_of(view: &View<'_>) -> u32 {
    let record = view.open().map(|open| open.record).or_else(|| view.entry().map(|entry| &entry.record));
    record.map_or(0, |record| record.run)
}

/// Each worker's lane says in words what it did.
fn label_workers(ui: &Ui, lanes: &Lanes, timeline: &Timeline) {
    for figures in &timeline.workers {
        let Some(bar) = lanes.bar(Lane::Worker(figures.number)) else { continue };
        let lane = ui.interact(bar, ui.scope_id().with(("worker", figures.number)), Sense::hover());
        marks::label(&lane, Role::Label, figures.sentence());
    }
}

fn color_of(work: Work, theme: &Theme) -> Color32 {
    match work {
        Work::Stage(stage) => theme.stage(stage),
        Work::Tick(_) => theme.bg0.gamma_multiply(0.55),
        Work::Batch => theme.alpha,
        Work::Submit => theme.accent.lerp_to_gamma(theme.bg1, 0.25),
        // Paler than a picture's work: nothing comes of it.
        Work::Read(_) => theme.alpha.lerp_to_gamma(theme.bg1, 0.35),
    }
}

/// Lane names, the frames with their deadlines, and the chosen frame as a band.
fn backdrop(ui: &Ui, axis: &Axis, lanes: &Lanes, timeline: &Timeline, view: &View<'_>, theme: &Theme) {
    let painter = ui.painter();
    let name = |y: f32, name: String| {
        let at = pos2(axis.area.left() - 10.0, y);
        painter.text(at, Align2::RIGHT_CENTER, name, Theme::figure_font(ui), theme.dim);
    };
    for (lane, rect) in lanes.shown() {
        painter.rect_filled(rect, 2.0, theme.bg0);
        if !matches!(lane, Lane::Observer(_) | Lane::Worker(_)) || lanes.pitch() >= NAME_PITCH {
            name(rect.center().y, lane.name());
        }
    }
    if lanes.pitch() < NAME_PITCH {
        let groups = lanes.groups().into_iter().filter_map(|(of, all)| Some((of, all?)));
        for (of, all) in groups {
            name(all.center().y, of.to_owned());
            if of == "workers" && lanes.left_out > 0 {
                name(all.center().y + 13.0, format!("+ {}", lanes.left_out));
            }
        }
    }
    let bottom = lanes.bottom();
    let chosen =
        view.open().map(|open| open.record.frame).or_else(|| view.entry().map(|entry| entry.frame()));
    let clip = ui.painter_at(axis.area.expand2(vec2(0.0, AXIS_HEIGHT)));
    if let Some(position) = timeline.deadlines.iter().position(|(frame, _)| Some(*frame) == chosen) {
        let from = axis.x(timeline.deadlines[position].1);
        let period = view.entry().map_or(Nanos(1), |entry| entry.record.frame_rate.period());
        let next = timeline
            .deadlines
            .get(position + 1)
            .map_or_else(|| Nanos(timeline.deadlines[position].1.0.saturating_add(period.0)), |(_, at)| *at);
        let band = Rect::from_min_max(pos2(from, axis.area.top()), pos2(axis.x(next), bottom));
        clip.rect_filled(band, 0.0, theme.outline.gamma_multiply(0.06));
    }
    let font = egui::FontId { size: 11.0, ..Theme::figure_font(ui) };
    let mut free_from = f32::NEG_INFINITY;
    for (frame, at) in &timeline.deadlines {
        let x = axis.x(*at);
        let is_chosen = Some(*frame) == chosen;
        let color = if is_chosen { theme.text } else { theme.faint };
        clip.vline(x, axis.area.top()..=bottom, Stroke::new(1.0, theme.line));
        if x >= free_from || is_chosen {
            let text = grouped(frame.0);
            free_from = x + 10.0 + 7.0 * text.len() as f32;
            clip.text(pos2(x + 3.0, axis.area.top() - 3.0), Align2::LEFT_BOTTOM, text, font.clone(), color);
        }
    }
    scale_ui(ui, axis, theme);
}

/// How much time lies between the two ends of the panel.
fn scale_ui(ui: &Ui, axis: &Axis, theme: &Theme) {
    let text = format!("{} across", millis(axis.span));
    let text = ui.painter().layout_no_wrap(text, Theme::small_font(ui), theme.dim);
    let foot = axis.area.right_top() - vec2(0.0, 3.0);
    let place = Align2::RIGHT_BOTTOM.anchor_size(foot, text.size());
    // Over the number of a frame that stands there too.
    ui.painter().rect_filled(place.expand2(vec2(4.0, 0.0)), 0.0, theme.bg1);
    ui.painter().galley(place.min, text, theme.dim);
}

fn paint_spans(ui: &Ui, axis: &Axis, lanes: &Lanes, timeline: &Timeline, theme: &Theme) {
    let mut mesh = Mesh::default();
    let mut names = Vec::new();
    for span in &timeline.spans {
        let body = span_rect(axis, lanes, span.work, span.from, span.to);
        let color = color_of(span.work, theme);
        mesh.add_colored_rect(body, color);
        if body.intersect(axis.area).width() > 44.0 && body.height() > 13.0 {
            names.push((body, span.work.name()));
        }
    }
    let painter = ui.painter_at(axis.area);
    painter.add(Shape::mesh(mesh));
    // Dark on the bright colours of both themes.
    let ink = if theme.is_dark { theme.bg0 } else { Color32::WHITE };
    for (body, name) in names {
        name_inside(ui, axis, body, &name, ink);
    }
}

/// What the window did, in its own lane: paler than anything that is a frame's.
fn paint_passes(ui: &Ui, axis: &Axis, lanes: &Lanes, timeline: &Timeline, theme: &Theme) {
    let mut mesh = Mesh::default();
    let mut names = Vec::new();
    for pass in &timeline.passes {
        let body = pass_rect(axis, lanes, pass);
        let color = match pass.part {
            PassPart::Logic => theme.dim.lerp_to_gamma(theme.bg0, 0.35),
            PassPart::Layout => theme.accent.lerp_to_gamma(theme.bg0, 0.45),
            PassPart::Paint => theme.accent.lerp_to_gamma(theme.bg0, 0.7),
        };
        mesh.add_colored_rect(body, color);
        let seen = body.intersect(axis.area);
        // The number of a frame that was shown stands there too, and comes first.
        let is_free = || {
            let name = seen.left() - NUMBER_WIDTH..=seen.left() + PASS_NAME_WIDTH;
            let mut shown = timeline.endings.iter().filter(|ending| ending.end == End::Shown);
            !shown.any(|ending| name.contains(&axis.x(ending.at)))
        };
        if seen.width() > PASS_NAME_WIDTH && body.height() > 13.0 && is_free() {
            names.push((body, pass.part.name()));
        }
    }
    ui.painter_at(axis.area).add(Shape::mesh(mesh));
    for (body, name) in names {
        name_inside(ui, axis, body, name, theme.text);
    }
}

fn pass_rect(axis: &Axis, lanes: &Lanes, pass: &PassSpan) -> Rect {
    let lane = lanes.bar(Lane::Ui).unwrap_or(Rect::NOTHING);
    let (left, right) = (axis.x(pass.from), axis.x(pass.to));
    Rect::from_min_max(pos2(left, lane.top() + 2.0), pos2(right.max(left + 1.0), lane.bottom() - 2.0))
}

fn name_inside(ui: &Ui, axis: &Axis, body: Rect, name: &str, ink: Color32) {
    // The name stands where the bar can be seen, also of one that began before the panel's left edge.
    let seen = body.intersect(axis.area);
    let name = marks::cut_in(ui, name, Theme::small_font(ui), seen.width() - 10.0, ink);
    let at = seen.left_center() + vec2(5.0, -name.size().y / 2.0);
    ui.painter_at(seen).galley(at, name, ink);
}

/// Rows below the bars, paler the deeper.
fn paint_zones(ui: &Ui, axis: &Axis, lanes: &Lanes, timeline: &Timeline, theme: &Theme) {
    let mut mesh = Mesh::default();
    let mut names = Vec::new();
    for zone in &timeline.zones {
        let Some(mut body) = zone_rect(axis, lanes, zone) else { continue };
        if body.width() > 3.0 {
            body.max.x -= 0.5;
        }
        // A worker's jobs are its bar.
        let below = zone.row + u32::from(!matches!(zone.lane, Lane::Worker(_)));
        let paler = 0.2 + 0.15 * below.min(DEEPEST + 1) as f32;
        mesh.add_colored_rect(body, color_of_lane(zone.lane, theme).lerp_to_gamma(theme.bg1, paler));
        if body.intersect(axis.area).width() > 44.0 && body.height() > 10.0 {
            names.push((body, zone.name));
        }
    }
    ui.painter_at(axis.area).add(Shape::mesh(mesh));
    for (body, name) in names {
        name_inside(ui, axis, body, name, theme.text);
    }
}

/// Where something is missing the lane is hatched, and says so: what is empty there was not idle.
fn paint_gaps(ui: &Ui, axis: &Axis, lanes: &Lanes, timeline: &Timeline, theme: &Theme) {
    for gap in &timeline.gaps {
        let Some(body) = gap_rect(axis, lanes, gap) else { continue };
        let color = match gap.missing {
            Missing::Frames(_) | Missing::Zones(_) => theme.drop,
            Missing::OldZones => theme.faint,
        };
        hatched(ui, body, color);
        let name = marks::cut_in(ui, &gap.name(), Theme::small_font(ui), body.width() - 14.0, color);
        let place = Rect::from_center_size(body.center(), name.size() + vec2(8.0, 0.0)).intersect(body);
        if body.width() > 44.0 && body.height() > 10.0 {
            let painter = ui.painter_at(body);
            painter.rect_filled(place, 0.0, theme.bg1);
            painter.galley(body.center() - name.size() / 2.0, name, color);
        }
    }
}

/// As much of it as is on show.
fn gap_rect(axis: &Axis, lanes: &Lanes, gap: &Gap) -> Option<Rect> {
    let (top, bottom) = match gap.missing {
        Missing::Frames(_) => lanes.bar(gap.lane).map(|bar| (bar.top(), bar.bottom()))?,
        Missing::Zones(_) | Missing::OldZones => lanes.zones(gap.lane)?,
    };
    let left = axis.x(gap.from);
    let right = axis.x(gap.to).max(left + 2.0);
    let body = Rect::from_min_max(pos2(left, top), pos2(right, bottom)).intersect(axis.area);
    body.is_positive().then_some(body)
}

fn color_of_lane(lane: Lane, theme: &Theme) -> Color32 {
    match lane {
        Lane::Ui => theme.ok,
        Lane::Sim => theme.stage(Stage::RunScheduler),
        Lane::Render | Lane::Observer(_) => theme.accent,
        Lane::Worker(_) => theme.stage(Stage::RunScheduler),
    }
}

fn zone_rect(axis: &Axis, lanes: &Lanes, zone: &ZoneSpan) -> Option<Rect> {
    let (top, bottom) = lanes.zone(zone)?;
    let left = axis.x(zone.from);
    let right = axis.x(zone.to).max(left + 1.0);
    Some(Rect::from_min_max(pos2(left, top), pos2(right, bottom)))
}

fn span_rect(axis: &Axis, lanes: &Lanes, work: Work, from: Nanos, to: Nanos) -> Rect {
    let lane = lanes.bar(work.lane()).unwrap_or(Rect::NOTHING);
    let (left, right) = (axis.x(from), axis.x(to));
    let right = right.max(left + 1.0);
    let top =
        if matches!(work, Work::Tick(_)) { lane.bottom() - lane.height() * 0.3 } else { lane.top() + 2.0 };
    let inset = if matches!(work, Work::Tick(_)) && right - left > 3.0 { 0.5 } else { 0.0 };
    Rect::from_min_max(pos2(left + inset, top), pos2(right - inset, lane.bottom() - 2.0))
}

/// A shown frame is a bar in the window's lane; a dropped one waits in the render lane and ends in a cross.
fn paint_endings(ui: &Ui, axis: &Axis, lanes: &Lanes, timeline: &Timeline, theme: &Theme) {
    let painter = ui.painter_at(axis.area.expand(4.0));
    let mut free_from = f32::NEG_INFINITY;
    for ending in &timeline.endings {
        let lane = lanes.bar(ending.lane()).unwrap_or(Rect::NOTHING);
        let x = axis.x(ending.at);
        match ending.end {
            End::Shown => {
                let bar =
                    Rect::from_min_max(pos2(x - 1.0, lane.top() + 2.0), pos2(x + 1.5, lane.bottom() - 2.0));
                painter.rect_filled(bar, 0.0, theme.ok);
                if x > free_from && lane.height() > 12.0 {
                    let text = grouped(ending.frame.0);
                    free_from = x + 14.0 + 7.0 * text.len() as f32;
                    let at = pos2(x + 5.0, lane.center().y);
                    painter.text(at, Align2::LEFT_CENTER, text, Theme::small_font(ui), theme.dim);
                }
            }
            End::Dropped { .. } | End::Abandoned => {
                let y = lane.top() + 8.0;
                let line = [pos2(axis.x(ending.published), y), pos2(x - 6.0, y)];
                painter.extend(Shape::dashed_line(&line, Stroke::new(1.2, theme.drop), 3.0, 3.0));
                painter.circle_filled(pos2(x, y), 7.0, theme.bg0);
                marks::cross_mark(&painter, pos2(x, y), theme.drop);
            }
        }
    }
}

/// What lies under the pointer, in words, and its frame.
fn hovered(
    pointer: Pos2,
    axis: &Axis,
    lanes: &Lanes,
    timeline: &Timeline,
) -> Option<(String, Option<FrameIndex>)> {
    let near = |ending: &&super::model::Ending| {
        let lane = lanes.bar(ending.lane()).unwrap_or(Rect::NOTHING);
        (axis.x(ending.at) - pointer.x).abs() < 7.0 && lane.y_range().contains(pointer.y)
    };
    if let Some(ending) = timeline.endings.iter().find(near) {
        return Some((ending.sentence(), Some(ending.frame)));
    }
    let lies_over = |zone: &&ZoneSpan| {
        zone_rect(axis, lanes, zone).is_some_and(|body| body.expand2(vec2(1.0, 0.0)).contains(pointer))
    };
    if let Some(zone) = timeline.zones.iter().rev().find(lies_over) {
        let frame = timeline.frame_of(zone);
        return Some((zone.sentence(frame), frame));
    }
    let is_missing = |gap: &&Gap| gap_rect(axis, lanes, gap).is_some_and(|body| body.contains(pointer));
    if let Some(gap) = timeline.gaps.iter().find(is_missing) {
        return Some((gap.sentence(), None));
    }
    // Ticks lie over their stage, so the last one wins.
    let over = |span: &&super::model::Span| {
        span_rect(axis, lanes, span.work, span.from, span.to).expand2(vec2(1.0, 2.0)).contains(pointer)
    };
    if let Some(span) = timeline.spans.iter().rev().find(over) {
        return Some((span.sentence(), Some(span.frame)));
    }
    let during = |pass: &&PassSpan| pass_rect(axis, lanes, pass).expand2(vec2(1.0, 2.0)).contains(pointer);
    let pass = timeline.passes.iter().rev().find(during)?;
    Some((pass.sentence(), pass.shown))
}

/// The wheel zooms around the pointer, a drag moves, a double click goes back to the chosen frame.
fn navigate(ui: &Ui, state: &mut State, axis: &Axis, response: &egui::Response, pressed: i32, middle: Nanos) {
    if response.double_clicked() {
        state.span = None;
        state.middle = None;
        return;
    }
    let pointer = response.hover_pos();
    let turns = pressed + pointer.map_or(0, |_| marks::wheel_turns(ui));
    if turns != 0 {
        let wanted = axis.span.0 as f64 * 0.75_f64.powi(turns);
        let span = wanted.clamp(LEAST_SPAN.0 as f64, MOST_SPAN.0 as f64) as i64;
        let fixed = pointer.map_or(middle, |pointer| axis.time_at(pointer.x));
        let ratio = span as f64 / axis.span.0.max(1) as f64;
        let from_fixed = (middle.0.saturating_sub(fixed.0)) as f64 * ratio;
        state.span = Some(Nanos(span));
        state.middle = Some(Nanos(fixed.0.saturating_add(from_fixed as i64)));
    }
    if response.dragged() && response.drag_delta().x != 0.0 {
        let share = f64::from(response.drag_delta().x / axis.area.width().max(1.0));
        let by = (share * axis.span.0 as f64) as i64;
        state.middle = Some(Nanos(middle.0.saturating_sub(by)));
    }
}

fn description(timeline: &Timeline, span: Nanos) -> String {
    let dropped = timeline.endings.iter().filter(|ending| matches!(ending.end, End::Dropped { .. })).count();
    let shown = timeline.endings.iter().filter(|ending| ending.end == End::Shown).count();
    let passes = timeline.passes.iter().filter(|pass| pass.part == PassPart::Logic).count() as u64;
    let passes = if passes == 0 {
        String::new()
    } else {
        format!(", {}", count(passes, "pass of the window", "passes of the window"))
    };
    let pictures = timeline.spans.iter().filter(|span| span.work == Work::Submit).count() as u64;
    let is_again = timeline.spans.iter().any(|span| span.picture.is_some());
    let pictures =
        if is_again { format!(", {}", count(pictures, "picture", "pictures")) } else { String::new() };
    let zones = timeline.zones.len() as u64;
    let zones = if zones == 0 { String::new() } else { format!(", {}", count(zones, "zone", "zones")) };
    let gaps: String =
        timeline.gaps.iter().map(|gap| format!("; {}: {}", gap.lane.name(), gap.name())).collect();
    let readers = timeline.spans.iter().filter_map(|span| match span.work {
        Work::Read(number) => Some(u64::from(number) + 1),
        _ => None,
    });
    let observers = match readers.max() {
        None => String::new(),
        Some(observers) => format!(", {}", count(observers, "observer", "observers")),
    };
    let jobs: u64 = timeline.workers.iter().map(|worker| worker.jobs).sum();
    let workers = match timeline.workers.len() as u64 {
        0 => String::new(),
        workers => format!(", {} with {}", count(workers, "worker", "workers"), count(jobs, "job", "jobs")),
    };
    format!(
        "timeline of {}: {}, {} shown, {} dropped{pictures}{passes}{zones}{observers}{workers}{gaps}",
        millis(span),
        count(timeline.deadlines.len() as u64, "frame", "frames"),
        shown,
        dropped
    )
}
