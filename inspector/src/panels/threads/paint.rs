//! How the Threads panel looks: a bar for each thread, and a line for each queue.

use egui::{Align, Align2, Layout, Rect, RichText, Role, ScrollArea, Sense, Ui, pos2, vec2};
use framewalk_runtime::jobs::{JobsStats, Queue};
use framewalk_runtime::time::Nanos;

use super::model::{Drawing, Lane, Since, drawing, lanes, seats_sentence, workers};
use crate::panels::handoff::hatched;
use crate::panels::marks;
use crate::theme::Theme;
use crate::view::View;
use crate::wording::grouped;

const LANE_HEIGHT: f32 = 22.0;
const NAME_WIDTH: f32 = 78.0;
/// Of the tables below the lanes.
const ROW_HEIGHT: f32 = 16.0;
/// Figures have at least this, and then as many steps more as the longest of them needs: bars do not move with a digit.
const FIGURES_WIDTH: f32 = 300.0;
const FIGURES_STEP: f32 = 40.0;
/// A bar is never shorter; figures that leave no room for it are cut, and whole in the tooltip.
const LEAST_BAR: f32 = 48.0;
const MARGIN: f32 = 14.0;

pub fn ui(ui: &mut Ui, since: &Since, pass_millis: Option<f32>, view: &View<'_>) {
    let lanes = lanes(view, since, pass_millis);
    if lanes.is_empty() {
        let press = marks::press("Play", view.live.keys.play);
        let what = "What each thread worked and waited, its jobs, and the queues they wait in will be here.";
        return marks::empty_ui(ui, what, &press);
    }
    let theme = Theme::of(ui);
    ScrollArea::vertical().id_salt("threads").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add_space(8.0);
        let width_of = |lane: &Lane| {
            ui.painter().layout_no_wrap(lane.figures(), Theme::figure_font(ui), theme.dim).size().x
        };
        let longest = lanes.iter().map(width_of).fold(0.0, f32::max);
        let figures_width =
            FIGURES_WIDTH + FIGURES_STEP * ((longest - FIGURES_WIDTH) / FIGURES_STEP).ceil().max(0.0);
        let longest_place = lanes.iter().map(|lane| width_of_place(ui, lane)).fold(0.0, f32::max);
        let place_width = if longest_place > 0.0 { longest_place + 14.0 } else { 0.0 };
        for lane in &lanes {
            lane_ui(ui, lane, place_width, figures_width, &theme);
        }
        ui.add_space(8.0);
        egui::Frame::new().inner_margin(egui::Margin::symmetric(14, 0)).show(ui, |ui| {
            if let Some(drawing) = drawing(view) {
                drawing_ui(ui, &drawing, &theme);
                ui.add_space(8.0);
            }
            if let Some(jobs) = view.live.jobs {
                queues_ui(ui, jobs.stats, &theme);
            }
            no_workers_ui(ui, view, &theme);
            if let Some(sentence) = seats_sentence(view.live.seating) {
                ui.add_space(4.0);
                ui.add(egui::Label::new(RichText::new(sentence).color(theme.dim)).wrap());
            }
        });
        ui.add_space(8.0);
    });
}

fn width_of_place(ui: &Ui, lane: &Lane) -> f32 {
    ui.painter().layout_no_wrap(lane.place.clone(), Theme::figure_font(ui), egui::Color32::WHITE).size().x
}

fn lane_ui(ui: &mut Ui, lane: &Lane, place_width: f32, figures_width: f32, theme: &Theme) {
    let (area, response) = ui.allocate_exact_size(vec2(ui.available_width(), LANE_HEIGHT), Sense::hover());
    marks::label(&response, Role::Label, lane.label());
    let painter = ui.painter_at(area);
    let at = pos2(area.left() + MARGIN, area.center().y);
    painter.text(at, Align2::LEFT_CENTER, &lane.name, Theme::text_font(ui), theme.text);
    if !lane.place.is_empty() {
        let at = pos2(area.left() + MARGIN + NAME_WIDTH, area.center().y);
        painter.text(at, Align2::LEFT_CENTER, &lane.place, Theme::figure_font(ui), theme.dim);
    }
    let left = area.left() + MARGIN + NAME_WIDTH + place_width;
    let right = (area.right() - MARGIN - 10.0 - figures_width).max(left + LEAST_BAR);
    let bar = Rect::from_min_max(pos2(left, area.top() + 4.0), pos2(right, area.bottom() - 4.0));
    painter.rect_filled(bar, 2.0, theme.bg0);
    if let Some(shares) = lane.shares {
        let worked = left + shares.worked * bar.width();
        let waited = (worked + shares.waited * bar.width()).min(right);
        let filled = Rect::from_min_max(bar.min, pos2(worked, bar.bottom()));
        painter.rect_filled(filled, 2.0, theme.accent.gamma_multiply(0.75));
        hatched(ui, Rect::from_min_max(pos2(worked, bar.top()), pos2(waited, bar.bottom())), theme.dim);
    }
    let figures = marks::cut(ui, &lane.figures(), area.right() - MARGIN - right - 10.0, theme.dim);
    let at = pos2(right + 10.0, area.center().y - figures.size().y / 2.0);
    painter.galley(at, figures, theme.dim);
    let queues = lane.queues().map_or_else(String::new, |queues| format!("\n{queues}"));
    response.on_hover_text(format!(
        "{}\n{}{queues}\nFilled: at work, of the last second. Hatched: waiting for another thread. The rest it slept until its next \
         deadline. Helped: jobs that it ran in either of the two.",
        lane.label(),
        lane.what
    ));
}

fn drawing_ui(ui: &mut Ui, drawing: &Drawing, theme: &Theme) {
    ui.label(theme.section("drawing"));
    ui.add_space(3.0);
    egui::Grid::new("drawing").spacing([20.0, 3.0]).min_row_height(ROW_HEIGHT).show(ui, |ui| {
        for (name, figures, meaning) in drawing.lines() {
            let named = ui.label(RichText::new(name).color(theme.dim)).on_hover_text(meaning);
            marks::label(&named, Role::Label, format!("{name}: {figures}"));
            let stalled = name == "instance buffers" && drawing.flight.stall > Nanos::ZERO;
            let color = if stalled { theme.late } else { theme.text };
            ui.label(theme.figure(figures).color(color)).on_hover_text(meaning);
            ui.end_row();
        }
    });
}

fn queues_ui(ui: &mut Ui, jobs: &JobsStats, theme: &Theme) {
    ui.label(theme.section("queues"));
    ui.add_space(3.0);
    egui::Grid::new("job_queues").spacing([20.0, 3.0]).min_row_height(ROW_HEIGHT).show(ui, |ui| {
        let heads = [
            ("queue", "Jobs wait in four of them, each with room for so many."),
            ("waiting", "Jobs that wait now, of how many have room."),
            ("run", "Jobs of this queue that were run, by whatever thread."),
            ("overflowed", "Jobs that found it full and went into general."),
            (
                "on the spot",
                "Jobs that found general full too, and were run by the thread that brought them.",
            ),
        ];
        for (column, (head, meaning)) in heads.into_iter().enumerate() {
            let head = RichText::new(head).color(theme.dim);
            // Above the right ends of its figures.
            let aligned = if column == 0 { Layout::left_to_right } else { Layout::right_to_left };
            ui.with_layout(aligned(Align::Center), |ui| ui.label(head).on_hover_text(meaning));
        }
        ui.end_row();
        for (kind, queue) in Queue::ALL.into_iter().zip(&jobs.queues) {
            let name = ui.label(kind.name());
            let label = format!(
                "{} queue: {} of {} waiting, {} run, {} overflowed, {} on the spot",
                kind.name(),
                queue.depth,
                queue.capacity,
                grouped(queue.run),
                grouped(queue.overflowed),
                grouped(queue.on_the_spot)
            );
            marks::label(&name, Role::Label, label);
            let mut figure = |text: String, color| {
                let text = theme.figure(text).color(color);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(text));
            };
            figure(format!("{} of {}", queue.depth, grouped(queue.capacity as u64)), theme.text);
            figure(grouped(queue.run), theme.text);
            for losses in [queue.overflowed, queue.on_the_spot] {
                figure(grouped(losses), if losses == 0 { theme.text } else { theme.late });
            }
            ui.end_row();
        }
    });
}

/// Who runs jobs where there are no workers, and how to get some.
fn no_workers_ui(ui: &mut Ui, view: &View<'_>, theme: &Theme) {
    let how = view.live.workers_hint;
    let who = match view.live.jobs {
        Some(jobs) if workers(jobs.stats).count() > 0 => return,
        Some(_) => {
            "the simulation and the render thread run jobs while they wait, for those and for anything else."
        }
        None => "every job runs on the thread that waits for it.",
    };
    let text = format!("No workers: {who} {how}");
    ui.add(egui::Label::new(RichText::new(text.trim_end()).color(theme.dim)).wrap());
}
