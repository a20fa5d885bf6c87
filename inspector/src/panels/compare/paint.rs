//! How the Compare panel looks: what to press, how far it has come, and the table.

use egui::{Align, Layout, ProgressBar, RichText, Role, ScrollArea, Ui, WidgetInfo};
use framewalk_runtime::time::Nanos;

use super::model::{Row, Table};
use super::{LEAST_SECONDS, MOST_RENDER_COST, MOST_SECONDS, State};
use crate::comparison::{Comparison, Pictures};
use crate::live::InspectorAction;
use crate::stats::NEAREST_RANK;
use crate::theme::Theme;
use crate::view::View;

const ROW_HEIGHT: f32 = 17.0;
/// What a group stands apart from the one above it.
const GROUP_GAP: f32 = 10.0;

pub fn ui(ui: &mut Ui, state: &mut State, view: &View<'_>) -> Option<InspectorAction> {
    let theme = Theme::of(ui);
    let comparison = view.live.comparison;
    let mut asked = None;
    egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 8)).show(ui, |ui| {
        asked = controls_ui(ui, state, view, &theme);
        let Some(comparison) = comparison else {
            empty_ui(ui, &theme);
            return;
        };
        if let Some(ended) = &comparison.ended {
            ui.add(egui::Label::new(RichText::new(ended).color(theme.late)).wrap());
        }
        if !comparison.measured.is_empty() {
            table_ui(ui, comparison, &theme);
        }
    });
    asked
}

/// What is compared, in words, before anything was.
fn empty_ui(ui: &mut Ui, theme: &Theme) {
    let what = "Drops, waits, latency, evenness and cost of the three handoffs will be here, side by side. Press Compare \
                handoffs: the open scene then runs under each of them, from the same seed, its pictures counted or drawn off \
                screen.";
    ui.add_space(8.0);
    ui.add(egui::Label::new(RichText::new(what).color(theme.dim)).wrap());
}

fn controls_ui(ui: &mut Ui, state: &mut State, view: &View<'_>, theme: &Theme) -> Option<InspectorAction> {
    let mut asked = None;
    ui.horizontal_wrapped(|ui| {
        let running = view.live.comparison.and_then(|comparison| comparison.running);
        if let Some((mode, share)) = running {
            if ui.button("Cancel").on_hover_text("Ends the comparison; what was measured stays.").clicked() {
                asked = Some(InspectorAction::CancelComparison);
            }
            let text = format!("{} · {:.0} %", mode.name(), 100.0 * share);
            let bar = ui.add(ProgressBar::new(share).desired_width(220.0).text(text.clone()));
            bar.widget_info(|| {
                WidgetInfo::labeled(Role::ProgressIndicator, true, format!("comparing {text}"))
            });
            return;
        }
        let refused = view.live.comparison_refused;
        let button = ui.add_enabled(refused.is_none(), egui::Button::new("Compare handoffs"));
        let button =
            button.on_hover_text("Runs the open scene under slot, lockstep and free, one after the other.");
        if button.on_disabled_hover_text(refused.unwrap_or_default()).clicked() {
            asked = Some(InspectorAction::Compare(state.wanted));
        }
        let seconds = egui::DragValue::new(&mut state.wanted.seconds)
            .range(LEAST_SECONDS..=MOST_SECONDS)
            .suffix(" s each");
        ui.add(seconds)
            .accessible_name("Seconds for each handoff")
            .on_hover_text("How long each of the three runs: 1 to 60 s.");
        render_cost_ui(ui, &mut state.wanted.render_cost, view.live.scene_submit);
        pictures_ui(ui, &mut state.wanted.pictures);
        if let Some(comparison) = view.live.comparison.filter(|comparison| !comparison.measured.is_empty()) {
            let copy = ui.button("Copy as text").on_hover_text("Copies the table, its cells apart by tabs.");
            if copy.clicked() {
                asked = Some(InspectorAction::Copy(Table::of(comparison).text(&comparison.about)));
            }
        }
    });
    let runs = view.live.comparison.is_some_and(|comparison| comparison.running.is_some());
    if let Some(refused) = view.live.comparison_refused.filter(|_| !runs) {
        ui.add(egui::Label::new(RichText::new(refused).color(theme.dim)).wrap());
    }
    asked
}

/// As `run --render-cost`; at first, and at the least, what the scene itself makes a submit take.
fn render_cost_ui(ui: &mut Ui, cost: &mut Nanos, of_scene: Nanos) {
    let mut millis = (*cost).max(of_scene).as_millis_f64();
    let range = of_scene.as_millis_f64()..=MOST_RENDER_COST.max(of_scene).as_millis_f64();
    // As many digits as it has, to a microsecond.
    let shown = |millis: f64, _| format!("{}", (millis * 1000.0).round() / 1000.0);
    let value = egui::DragValue::new(&mut millis).range(range).speed(0.25).custom_formatter(shown);
    let what = format!(
        "How long the submit of each picture takes on the render thread, at the least: as run --render-cost. The loads of \
         the open scene come to {} ms, and it cannot be less.",
        of_scene.as_millis_f64()
    );
    let value = ui.add(value.prefix("render cost ").suffix(" ms"));
    if value.accessible_name("Render cost of each picture, ms").on_hover_text(what).changed() {
        *cost = Nanos((millis * 1e6).round() as i64);
    }
}

fn pictures_ui(ui: &mut Ui, pictures: &mut Pictures) {
    let mut drawn = *pictures == Pictures::Drawn;
    let what = "Draws every picture off screen, 1280 × 720, by a graphics device of its own, as run --renderer gpu does. \
                Otherwise pictures are counted and not drawn, and take as long as the render cost says.";
    if ui.checkbox(&mut drawn, "Draw off screen").on_hover_text(what).changed() {
        *pictures = if drawn { Pictures::Drawn } else { Pictures::Counted };
    }
}

fn table_ui(ui: &mut Ui, comparison: &Comparison, theme: &Theme) {
    let table = Table::of(comparison);
    ui.add_space(4.0);
    if !comparison.about.is_empty() {
        ui.add(egui::Label::new(RichText::new(&comparison.about).color(theme.dim)).wrap());
    }
    ScrollArea::both().id_salt("comparison").auto_shrink([false, false]).show(ui, |ui| {
        let grid = egui::Grid::new("comparison_table").spacing([20.0, 3.0]).min_col_width(64.0);
        grid.min_row_height(ROW_HEIGHT).show(ui, |ui| {
            for (place, (head, rows)) in table.groups.iter().enumerate() {
                let above = if place == 0 { 0.0 } else { GROUP_GAP };
                head_ui(ui, head, &table, above, theme);
                for row in rows {
                    row_ui(ui, row, &table, theme);
                }
            }
        });
        ui.add_space(4.0);
        let lost: u64 = comparison.measured.iter().map(|one| one.records_lost).sum();
        if lost > 0 {
            let text = format!("{lost} records were lost: what they would have said is in no figure.");
            ui.label(RichText::new(text).color(theme.late));
        }
    });
}

/// The head of a group and of its columns: however far the table is scrolled, one of them is in sight.
fn head_ui(ui: &mut Ui, head: &str, table: &Table, above: f32, theme: &Theme) {
    let head = egui::Label::new(theme.section(head)).extend();
    // The row is as much higher as what stands above its first cell; the other cells stand at its foot.
    let align = if above > 0.0 { Align::Max } else { Align::Center };
    if above > 0.0 {
        ui.vertical(|ui| {
            ui.add_space(above);
            ui.add(head);
        });
    } else {
        ui.add(head);
    }
    ui.label("");
    for mode in &table.columns {
        let explained = crate::glossary::sense(mode.name());
        let name = RichText::new(mode.name()).strong();
        ui.with_layout(Layout::right_to_left(align), |ui| ui.label(name).on_hover_text(explained));
    }
    ui.end_row();
}

fn row_ui(ui: &mut Ui, row: &Row, table: &Table, theme: &Theme) {
    let meaning = || {
        let rank = if row.name.contains(" p") { format!("\n{NEAREST_RANK}") } else { String::new() };
        let best = if row.best.is_some() { "\nThe lowest is marked: less is better here." } else { "" };
        format!("{}{rank}{best}", row.meaning)
    };
    let name = ui.label(row.name).on_hover_text(meaning());
    name.widget_info(|| WidgetInfo::labeled(Role::Label, true, row.label(&table.columns)));
    let unit = ui.label(RichText::new(row.unit).color(theme.dim));
    if let Some(term) = crate::glossary::find(row.unit) {
        unit.on_hover_text(term.sense);
    }
    for (column, cell) in row.cells.iter().enumerate() {
        let is_best = row.best == Some(column);
        // A mark beside it, so that it is not said by colour alone.
        let text = if is_best { format!("• {cell}") } else { cell.clone() };
        let color = if is_best { theme.accent } else { theme.text };
        right(ui, |ui| ui.label(theme.figure(text).color(color)).on_hover_text(meaning()));
    }
    ui.end_row();
}

fn right(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> egui::Response) {
    ui.with_layout(Layout::right_to_left(Align::Center), add);
}
