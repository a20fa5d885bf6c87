//! Lockstep: two buffers with the barrier between them, and below it how long each of the two worked and waited.

use egui::{Align2, Rect, Role, Sense, Stroke, Ui, pos2, vec2};
use framewalk_runtime::time::Nanos;

use super::shapes::{BOX_HEIGHT, Row, arrow_ui, box_ui, buffer_color, buffer_ui, hatched};
use crate::glossary::sense;
use crate::panels::handoff::model::lockstep::{Lockstep, Meeting, Party};
use crate::panels::marks;
use crate::theme::Theme;
use crate::wording::{count, grouped, millis};

const LANE_HEIGHT: f32 = 16.0;
const NAME_WIDTH: f32 = 52.0;
const FIGURES_WIDTH: f32 = 200.0;

/// Of an observer's box: how high it is, between two of them, the widest, and from which width on its words are whole and the
/// buffer has its number.
const OBSERVER_HEIGHT: f32 = 44.0;
const OBSERVER_GAP: f32 = 8.0;
const MOST_OBSERVER: f32 = 168.0;
const WHOLE_OBSERVER: f32 = 120.0;
const NUMBERED_OBSERVER: f32 = 84.0;
/// From the barrier down to the boxes of the observers.
const DROP: f32 = 14.0;

pub fn ui(ui: &mut Ui, lockstep: &Lockstep, theme: &Theme) {
    let size = vec2(ui.available_width(), BOX_HEIGHT + 16.0);
    let (area, response) = ui.allocate_exact_size(size, Sense::hover());
    marks::label(&response, Role::Label, sentence(lockstep));
    let (row, counts) = (Row::new(area), &lockstep.counts);
    let front = lockstep.back.map(|back| 1 - back);
    let is_rendering = counts.in_flight > 0;
    box_ui(ui, row.place(0), "sim", "writes the back buffer", false, theme);
    buffer_ui(ui, row.place(0), lockstep.back, theme);
    barrier_ui(ui, row.place(1), lockstep, theme);
    box_ui(ui, row.place(2), "render", "reads the front buffer", is_rendering, theme);
    buffer_ui(ui, row.place(2), front, theme);
    box_ui(ui, row.place(3), "window", "shows the newest", false, theme);
    arrow_ui(ui, row.place(0), row.place(1), "meet", Some(counts.published), theme);
    arrow_ui(ui, row.place(1), row.place(2), "front", None, theme);
    arrow_ui(ui, row.place(2), row.place(3), "rendered", Some(counts.rendered), theme);
    observers_ui(ui, row.place(1), lockstep, theme);
    meeting_ui(ui, lockstep, theme);
}

/// A box for each observer, hung from the barrier, with the buffer it reads and how long it waited; nothing where there is none.
fn observers_ui(ui: &mut Ui, barrier: Rect, lockstep: &Lockstep, theme: &Theme) {
    let observers = &lockstep.meeting.observers;
    if observers.is_empty() {
        return;
    }
    let (area, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), OBSERVER_HEIGHT + 10.0), Sense::hover());
    let inner = area.shrink2(vec2(14.0, 0.0));
    let gaps = (observers.len() - 1) as f32 * OBSERVER_GAP;
    let width = ((inner.width() - gaps) / observers.len() as f32).clamp(20.0, MOST_OBSERVER);
    let all = gaps + observers.len() as f32 * width;
    // Under the barrier, as far as there is room.
    let first = (barrier.center().x - all / 2.0).min(inner.right() - all).max(inner.left());
    let boxes = (0..observers.len()).map(|column| {
        let left = first + column as f32 * (width + OBSERVER_GAP);
        Rect::from_min_size(pos2(left, area.top() + 4.0), vec2(width, OBSERVER_HEIGHT))
    });
    let boxes: Vec<Rect> = boxes.collect();
    hang_ui(ui, barrier, &boxes, theme);
    for (rect, (number, party)) in boxes.into_iter().zip(observers) {
        observer_ui(ui, rect, *number, *party, lockstep, theme);
    }
}

/// The lines by which the boxes of the observers hang from the barrier.
fn hang_ui(ui: &Ui, barrier: Rect, boxes: &[Rect], theme: &Theme) {
    let (Some(first), Some(last)) = (boxes.first(), boxes.last()) else { return };
    let (stroke, x) = (Stroke::new(1.5, theme.dim), barrier.center().x);
    let y = first.top() - DROP / 2.0;
    let painter = ui.painter();
    painter.vline(x, egui::Rangef::new(barrier.bottom(), y), stroke);
    painter.hline(egui::Rangef::new(x.min(first.center().x), x.max(last.center().x)), y, stroke);
    for rect in boxes {
        painter.vline(rect.center().x, egui::Rangef::new(y, rect.top()), stroke);
    }
}

fn observer_ui(ui: &Ui, rect: Rect, number: usize, party: Party, lockstep: &Lockstep, theme: &Theme) {
    let front = lockstep.back.map(|back| 1 - back);
    let waited = millis(party.waited);
    let response = ui.interact(rect, ui.scope_id().with(("observer", number)), Sense::hover());
    let reads = front.map_or_else(|| "a buffer".to_owned(), |front| format!("buffer {}", front + 1));
    marks::label(&response, Role::Label, format!("observer {}: reads {reads}, waited {waited}", number + 1));
    let painter = ui.painter_at(rect.expand(1.0));
    painter.rect_filled(rect, 4.0, theme.bg2);
    painter.rect_stroke(rect, 4.0, Stroke::new(1.0, theme.line), egui::StrokeKind::Inside);
    let is_whole = rect.width() >= WHOLE_OBSERVER;
    let inner = rect.shrink2(vec2(if is_whole { 10.0 } else { 6.0 }, 6.0));
    let painter = ui.painter_at(inner);
    let name = if is_whole { "observer" } else { "obs" };
    let name = format!("{name} {}", number + 1);
    painter.text(inner.left_top(), Align2::LEFT_TOP, name, Theme::text_font(ui), theme.text);
    if let Some(front) = front {
        let at = inner.right_top() + vec2(-5.0, 7.0);
        marks::square(&painter, at, 8.0, buffer_color(front, theme));
        // Where there is no room for it beside the name, the box of render has the number of that colour.
        if rect.width() >= NUMBERED_OBSERVER {
            let at = at + vec2(-9.0, 0.0);
            let number = (front + 1).to_string();
            painter.text(at, Align2::RIGHT_CENTER, number, Theme::figure_font(ui), theme.dim);
        }
    }
    let text = if is_whole { format!("waited {waited}") } else { waited };
    painter.text(inner.left_bottom(), Align2::LEFT_BOTTOM, text, Theme::small_font(ui), theme.dim);
    response.on_hover_text(format!(
        "{}\nIt waited so long at the meeting of frame {} until all had come.",
        sense("observer"),
        grouped(lockstep.meeting.frame.0)
    ));
}

/// The barrier: a dashed line that both have to cross, the buffers changing sides at it.
fn barrier_ui(ui: &Ui, rect: Rect, lockstep: &Lockstep, theme: &Theme) {
    let note = lockstep.generation.map_or_else(
        || "buffers change here".to_owned(),
        |generation| format!("generation {}", grouped(generation)),
    );
    box_ui(ui, rect, "barrier", &note, false, theme);
    let painter = ui.painter_at(rect);
    let x = rect.right() - 16.0;
    let mut y = rect.top() + 8.0;
    while y < rect.bottom() - 8.0 {
        painter.line_segment([pos2(x, y), pos2(x, y + 5.0)], Stroke::new(2.0, theme.accent));
        y += 8.0;
    }
}

/// One lane each: filled while it worked, hatched while it waited; all end where they met.
fn meeting_ui(ui: &mut Ui, lockstep: &Lockstep, theme: &Theme) {
    let meeting = &lockstep.meeting;
    let parties = [("sim".to_owned(), Some(meeting.sim)), ("render".to_owned(), meeting.render)];
    let observers =
        meeting.observers.iter().map(|(number, party)| (format!("obs {}", number + 1), Some(*party)));
    let parties: Vec<(String, Option<Party>)> = parties.into_iter().chain(observers).collect();
    let size = vec2(ui.available_width(), parties.len() as f32 * (LANE_HEIGHT + 4.0) + 4.0);
    let (area, response) = ui.allocate_exact_size(size, Sense::hover());
    marks::label(&response, Role::Label, spoken(meeting));
    let all = |party: Party| party.worked.0.saturating_add(party.waited.0).max(1);
    let longest = parties.iter().filter_map(|(_, party)| party.map(all)).max().unwrap_or(1);
    let left = area.left() + 14.0 + NAME_WIDTH;
    let right = (area.right() - 14.0 - FIGURES_WIDTH).max(left + 20.0);
    for (lane, (name, party)) in parties.into_iter().enumerate() {
        let top = area.top() + 4.0 + lane as f32 * (LANE_HEIGHT + 4.0);
        let rect = Rect::from_min_max(pos2(left, top), pos2(right, top + LANE_HEIGHT));
        let at = pos2(area.left() + 14.0, rect.center().y);
        ui.painter().text(at, Align2::LEFT_CENTER, name, Theme::text_font(ui), theme.dim);
        ui.painter().rect_filled(rect, 2.0, theme.bg0);
        let figures = pos2(right + 10.0, rect.center().y);
        let text = party.map_or_else(|| "not rendered yet".to_owned(), figures_of);
        let painter = ui.painter_at(area);
        painter.text(figures, Align2::LEFT_CENTER, text, Theme::figure_font(ui), theme.text);
        let Some(party) = party else { continue };
        let share = |time: Nanos| (time.0.max(0) as f64 / longest as f64) as f32 * rect.width();
        let met = right - share(party.waited);
        let began = met - share(party.worked);
        let work = Rect::from_min_max(pos2(began, rect.top()), pos2(met, rect.bottom()));
        painter.rect_filled(work, 0.0, theme.accent.gamma_multiply(0.75));
        hatched(ui, Rect::from_min_max(pos2(met, rect.top()), rect.max), theme.dim);
    }
    let line = egui::Rangef::new(area.top() + 1.0, area.bottom() - 3.0);
    ui.painter().vline(right, line, Stroke::new(2.0, theme.accent));
    response.on_hover_text(
        "Filled: at work. Hatched: waiting for the others. All end where they meet.\n\
         Of the newest frame that both have been through.",
    );
}

/// The lanes in words.
fn spoken(meeting: &Meeting) -> String {
    meeting.observers.iter().fold(meeting.sentence(), |text, (number, party)| {
        format!("{text}; observer {} waited {}", number + 1, millis(party.waited))
    })
}

fn figures_of(party: Party) -> String {
    format!("{} + {} wait", millis(party.worked), millis(party.waited))
}

/// The drawing for those who do not see it.
fn sentence(lockstep: &Lockstep) -> String {
    let of = |buffer: Option<u8>| {
        buffer.map_or_else(|| "a buffer".to_owned(), |buffer| format!("buffer {}", buffer + 1))
    };
    let met = lockstep
        .generation
        .map_or_else(String::new, |number| format!("; they have met {} times", grouped(number)));
    let readers = match lockstep.meeting.observers.len() as u64 {
        0 => "render reads".to_owned(),
        observers => format!("render and {} read", count(observers, "observer", "observers")),
    };
    format!(
        "lockstep handoff: sim writes {}, {readers} {}{met}; nothing is dropped",
        of(lockstep.back),
        of(lockstep.back.map(|back| 1 - back))
    )
}
