//! How the Handoff panel looks: sim, what lies between, render and the window in a row; below it the equation and the
//! counts of the way that frames take.

mod free;
mod lockstep;
mod shapes;
mod slot;

pub(crate) use self::shapes::hatched;

use egui::{Align2, Color32, Rect, Role, Sense, Ui, pos2, vec2};
use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::time::Nanos;

use super::model::{Handoff, Way, handoff};
use crate::glossary::sense;
use crate::panels::marks;
use crate::panels::stages::equations::Equation;
use crate::stats::{NEAREST_RANK, Summary};
use crate::theme::Theme;
use crate::view::View;
use crate::wording::{grouped, micros, millis};

const ROW_HEIGHT: f32 = 20.0;
/// Between two columns of counts, at the least; and the widest that one is.
const COLUMN_GAP: f32 = 28.0;
const MOST_COUNT: f32 = 176.0;

/// What a count is called and means.
struct Count {
    name: &'static str,
    value: String,
    meaning: String,
    color: Color32,
}

pub fn ui(ui: &mut Ui, view: &View<'_>) {
    let Some(handoff) = handoff(view) else {
        let press = marks::press("Play", view.live.keys.play);
        let what = "How frames reach the render thread, who holds which buffer and who waits will be here.";
        marks::empty_ui(ui, what, &press);
        return;
    };
    let theme = Theme::of(ui);
    egui::ScrollArea::vertical().id_salt("handoff").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add_space(8.0);
        if let Some(next) = handoff.next {
            next_ui(ui, next, &theme);
        }
        match &handoff.way {
            Way::Slot(slot) => slot::ui(ui, slot, &theme),
            Way::Lockstep(lockstep) => lockstep::ui(ui, lockstep, &theme),
            Way::Free(free) => free::ui(ui, free, &theme),
        }
        ui.add_space(6.0);
        equation_ui(ui, handoff.way.equation(), &theme);
        counts_ui(ui, &handoff, &theme);
        ui.add_space(8.0);
    });
}

/// What was chosen and is not taken yet.
fn next_ui(ui: &mut Ui, next: HandoffMode, theme: &Theme) {
    let text = format!("{} from the next frame", next.name());
    ui.horizontal(|ui| {
        ui.add_space(14.0);
        ui.label(egui::RichText::new(text).color(theme.accent)).on_hover_text(
            "It was chosen, and no frame has been handed over since. Until the next one is, this stands as it was.",
        );
    });
    ui.add_space(6.0);
}

fn equation_ui(ui: &mut Ui, equation: &Equation, theme: &Theme) {
    let width = (ui.available_width() - 44.0).max(40.0);
    let galley = ui.painter().layout(equation.text.clone(), Theme::text_font(ui), theme.dim, width);
    let height = galley.size().y + 10.0;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    marks::label(&response, Role::Label, equation.label());
    let center = pos2(rect.left() + 20.0, rect.top() + 13.0);
    if equation.holds {
        marks::tick_mark(ui.painter(), center, theme.ok);
    } else {
        marks::cross_mark(ui.painter(), center, theme.drop);
    }
    ui.painter_at(rect).galley(pos2(rect.left() + 32.0, rect.top() + 5.0), galley, theme.dim);
    response.on_hover_text(equation.meaning);
}

/// A count that the glossary explains; in another colour where it is not 0.
fn count(theme: &Theme, name: &'static str, value: u64, color: Color32) -> Count {
    let color = if value == 0 { theme.text } else { color };
    Count { name, value: grouped(value), meaning: sense(name).to_owned(), color }
}

fn counts_ui(ui: &mut Ui, handoff: &Handoff, theme: &Theme) {
    let counts = handoff.way.counts();
    let plain = |name, value| count(theme, name, value, theme.text);
    let of_held =
        |count: Count| Count { meaning: format!("{}\nOf the frames held.", count.meaning), ..count };
    let mut rows = vec![plain("published", counts.published), plain("rendered", counts.rendered)];
    match &handoff.way {
        Way::Free(free) => {
            rows.push(plain("undrawn", counts.undrawn));
            let mut held = count(theme, "held", free.held, theme.late);
            held.meaning += &format!("\nOf the last {} pictures.", grouped(free.pictures));
            rows.push(held);
        }
        Way::Slot(_) | Way::Lockstep(_) => rows.push(count(theme, "dropped", counts.dropped, theme.drop)),
    }
    rows.extend([
        count(theme, "pending", counts.pending, theme.accent),
        count(theme, "in flight", counts.in_flight, theme.accent),
        count(theme, "abandoned", counts.abandoned, theme.drop),
        of_held(plain("shown", handoff.shown)),
        of_held(count(theme, "unseen", handoff.unseen, theme.late)),
    ]);
    rows.extend(handoff.redraws.map(|redraws| plain("redraws", redraws)));
    match &handoff.way {
        Way::Slot(_) => {}
        Way::Lockstep(lockstep) => {
            rows.extend(lockstep.generation.map(|generation| plain("generation", generation)));
            rows.push(waits("sim wait", lockstep.sim_waits.as_ref(), theme));
            rows.push(waits("render wait", lockstep.render_waits.as_ref(), theme));
        }
        Way::Free(free) => rows.push(waits("render wait", free.render_waits.as_ref(), theme)),
    }
    rows.push(summed("wake delay", handoff.wake_delays.as_ref(), micros, theme));
    grid_ui(ui, &rows, handoff.way.mode(), theme);
}

/// A wait at its median, with the rest of its figures on hover.
fn waits(name: &'static str, summary: Option<&Summary>, theme: &Theme) -> Count {
    summed(name, summary, millis, theme)
}

fn summed(name: &'static str, summary: Option<&Summary>, text: fn(Nanos) -> String, theme: &Theme) -> Count {
    let (value, figures) = match summary {
        Some(waits) => {
            let figures = format!(
                "p50 {} · p99 {} · max {}, of the last {} frames.\n{NEAREST_RANK}",
                text(waits.p50),
                text(waits.p99),
                text(waits.max),
                grouped(waits.count as u64)
            );
            (text(waits.p50), figures)
        }
        None => ("–".to_owned(), "Nothing is recorded yet.".to_owned()),
    };
    Count {
        name,
        value,
        meaning: format!("{}\nShown is the median.\n{figures}", sense(name)),
        color: theme.text,
    }
}

fn grid_ui(ui: &mut Ui, rows: &[Count], mode: HandoffMode, theme: &Theme) {
    let columns = ((ui.available_width() / 190.0) as usize).clamp(1, 5);
    for line in rows.chunks(columns) {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
        for (column, row) in line.iter().enumerate() {
            let width = (rect.width() - 14.0) / columns as f32;
            let left = rect.left() + 14.0 + column as f32 * width;
            // A figure stands nearer to its own name than to that of the next.
            let cell = vec2((width - COLUMN_GAP).min(MOST_COUNT), ROW_HEIGHT);
            let cell = Rect::from_min_size(pos2(left, rect.top()), cell);
            count_ui(ui, cell, row, mode, theme);
        }
    }
}

fn count_ui(ui: &Ui, cell: Rect, row: &Count, mode: HandoffMode, theme: &Theme) {
    let id = ui.scope_id().with(("handoff count", mode.name(), row.name));
    let response = ui.interact(cell, id, Sense::hover());
    marks::label(&response, Role::Label, format!("{} {}", row.name, row.value));
    let painter = ui.painter_at(cell);
    painter.text(cell.left_center(), Align2::LEFT_CENTER, row.name, Theme::text_font(ui), theme.dim);
    painter.text(cell.right_center(), Align2::RIGHT_CENTER, &row.value, Theme::figure_font(ui), row.color);
    response.on_hover_text(&row.meaning);
}
