//! Lockstep: two buffers with the barrier between them, and below it how long each of the two worked and waited.

use egui::{Align2, Rect, Role, Sense, Stroke, Ui, pos2, vec2};
use framewalk_runtime::time::Nanos;

use super::shapes::{BOX_HEIGHT, Row, arrow_ui, box_ui, buffer_ui, hatched};
use crate::panels::handoff::model::lockstep::{Lockstep, Meeting, Party};
use crate::panels::marks;
use crate::theme::Theme;
use crate::wording::{grouped, millis};

const LANE_HEIGHT: f32 = 16.0;
const NAME_WIDTH: f32 = 52.0;
const FIGURES_WIDTH: f32 = 200.0;

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
    meeting_ui(ui, lockstep, theme);
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
    format!(
        "lockstep handoff: sim writes {}, render reads {}{met}; nothing is dropped",
        of(lockstep.back),
        of(lockstep.back.map(|back| 1 - back))
    )
}
