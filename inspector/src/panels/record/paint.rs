//! How the Record panel looks.

use egui::{Align2, Role, ScrollArea, Sense, Ui, pos2, vec2};

use super::model::{Group, Row, as_text, groups};
use crate::glossary;
use crate::live::InspectorAction;
use crate::panels::marks;
use crate::theme::Theme;
use crate::view::View;

const ROW_HEIGHT: f32 = 19.0;
const NAME_WIDTH: f32 = 150.0;
const HEAD_HEIGHT: f32 = 24.0;
/// Groups stand side by side as soon as there is this much room for each.
const COLUMN_LEAST: f32 = 380.0;

pub fn ui(ui: &mut Ui, view: &View<'_>) -> Option<InspectorAction> {
    let Some(entry) = view.entry() else {
        let press = marks::press("Play", view.live.keys.play);
        marks::empty_ui(ui, "Every field of the chosen frame will be here, with its unit.", &press);
        return None;
    };
    let groups = groups(entry);
    let mut action = head_ui(ui, view, &groups);
    ScrollArea::vertical().id_salt("record").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let columns = ((ui.available_width() / COLUMN_LEAST) as usize).clamp(1, 3);
        if columns == 1 {
            groups.iter().for_each(|group| group_ui(ui, group, &mut action));
        } else {
            let shares = share(&groups, columns);
            ui.columns(columns, |uis| {
                for (group, column) in groups.iter().zip(shares) {
                    group_ui(&mut uis[column], group, &mut action);
                }
            });
        }
        ui.add_space(8.0);
    });
    action
}

fn head_ui(ui: &mut Ui, view: &View<'_>, groups: &[Group]) -> Option<InspectorAction> {
    let theme = Theme::of(ui);
    let mut action = None;
    ui.add_space(5.0);
    ui.horizontal(|ui| {
        ui.add_space(12.0);
        let state = if view.selection.is_live() { "newest frame" } else { "frozen on this frame" };
        if view.captions {
            ui.label(theme.figure(super::caption(*view)));
        }
        ui.label(egui::RichText::new(state).color(theme.dim));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(8.0);
            if ui.button("Copy all").on_hover_text("Copies every field as text.").clicked() {
                action = Some(InspectorAction::Copy(as_text(groups)));
            }
            if !view.selection.is_live() && ui.button("Go live").clicked() {
                action = Some(InspectorAction::GoLive);
            }
        });
    });
    action
}

/// Which column each group goes to: in order, balanced by rows.
fn share(groups: &[Group], columns: usize) -> Vec<usize> {
    let cost = |group: &Group| group.rows.len() + 2;
    let per_column = groups.iter().map(cost).sum::<usize>().div_ceil(columns);
    let mut before = 0;
    groups
        .iter()
        .map(|group| {
            let middle = before + cost(group) / 2;
            before += cost(group);
            (middle / per_column.max(1)).min(columns - 1)
        })
        .collect()
}

fn group_ui(ui: &mut Ui, group: &Group, action: &mut Option<InspectorAction>) {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEAD_HEIGHT), Sense::hover());
    marks::label(&response, Role::Label, group.title);
    if let Some(term) = glossary::find(group.title) {
        response.on_hover_text(term.sense);
    }
    let head = egui::WidgetText::from(theme.section(group.title)).into_galley(
        ui,
        Some(egui::TextWrapMode::Extend),
        f32::INFINITY,
        egui::TextStyle::Small,
    );
    ui.painter().galley(pos2(rect.left() + 12.0, rect.bottom() - head.size().y - 3.0), head, theme.dim);
    for row in &group.rows {
        if row_ui(ui, row) {
            *action = Some(InspectorAction::Copy(format!("{}: {}", row.name, row.value)));
        }
    }
}

/// True when it is to be copied.
fn row_ui(ui: &mut Ui, row: &Row) -> bool {
    let theme = Theme::of(ui);
    // Not a stop of the Tab key: there are some sixty of them.
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::CLICK);
    if !ui.is_rect_visible(rect) {
        marks::label(&response, Role::Label, format!("{} {}", row.name, row.value));
        return false;
    }
    marks::label(&response, Role::Label, format!("{} {}", row.name, row.value));
    let painter = ui.painter_at(rect);
    if response.hovered() {
        painter.rect_filled(rect, 0.0, theme.hover);
    }
    let at = |x: f32| pos2(rect.left() + x, rect.center().y);
    painter.text(at(12.0), Align2::LEFT_CENTER, row.name, Theme::text_font(ui), theme.dim);
    let color = match (row.name, row.value.as_str()) {
        ("alpha", _) => theme.alpha,
        (_, "does not hold") => theme.drop,
        ("late", "yes") => theme.late,
        (_, "–") => theme.faint,
        _ => theme.text,
    };
    painter.text(at(12.0 + NAME_WIDTH), Align2::LEFT_CENTER, &row.value, Theme::figure_font(ui), color);
    marks::copy_asked(&response.on_hover_text(row.meaning()), "Copy field")
}
