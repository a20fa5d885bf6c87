//! How the Stages panel looks.

use egui::{
    Align2, Color32, EventFilter, FontId, Key, Painter, Pos2, Rect, Role, ScrollArea, Sense, Stroke, Ui,
    pos2, vec2,
};
use framewalk_runtime::frame::stage::Stage;

use super::State;
use super::equations::{Equation, equations};
use super::model::{Looked, Mark, Row, caption, rows};
use super::opened::{Line, NOT_KEPT, lines};
use crate::glossary::sense;
use crate::live::InspectorAction;
use crate::panels::marks;
use crate::theme::{Theme, size};
use crate::view::View;
use crate::wording::millis;

const ROW_HEIGHT_MOST: f32 = 32.0;
const ROW_HEIGHT_LEAST: f32 = 22.0;
const LINE_HEIGHT: f32 = 18.0;
const EQUATIONS_HEIGHT: f32 = 48.0;
// Columns, from the left edge of a row.
const MARK_X: f32 = 18.0;
const SQUARE_X: f32 = 42.0;
const NAME_X: f32 = 54.0;
const DURATION_RIGHT: f32 = 248.0;
const SENTENCE_X: f32 = 260.0;

pub fn ui(ui: &mut Ui, state: &mut State, view: &View<'_>) -> Option<InspectorAction> {
    let Some(looked) = Looked::of(view) else {
        let press = marks::press("Play", view.live.keys.play);
        marks::empty_ui(ui, "The six stages of each frame will be here, and what each of them did.", &press);
        return None;
    };
    ui.spacing_mut().item_spacing.y = 0.0;
    if view.captions {
        marks::caption_ui(ui, &caption(view));
    }
    let mut action = None;
    let fixed = EQUATIONS_HEIGHT + 2.0;
    let row_height = ((ui.available_height() - fixed) / Stage::COUNT as f32)
        .floor()
        .clamp(ROW_HEIGHT_LEAST, ROW_HEIGHT_MOST);
    ScrollArea::vertical().id_salt("stages").auto_shrink([false, false]).show(ui, |ui| {
        for row in rows(&looked) {
            let opened = &mut state.opened[row.stage.index()];
            if let Some(asked) = row_ui(ui, &row, opened, row_height, view) {
                action = Some(asked);
            }
            if *opened {
                opened_ui(ui, &row, &looked);
            }
        }
        ui.add_space(6.0);
        let counts_now = view.live.counts.filter(|_| view.selection.is_live());
        for equation in equations(&looked, counts_now, view.totals().tick_rate_changed) {
            if equation_ui(ui, &equation) {
                action = Some(InspectorAction::Copy(equation.text));
            }
        }
    });
    action
}

fn row_ui(
    ui: &mut Ui,
    row: &Row,
    opened: &mut bool,
    height: f32,
    view: &View<'_>,
) -> Option<InspectorAction> {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let label = row.label();
    let enabled = ui.is_enabled();
    response.widget_info(|| {
        egui::WidgetInfo::selected(Role::DisclosureTriangle, enabled, *opened, label.clone())
    });
    let step_asked = row.mark == Mark::Next && response.double_clicked();
    if response.clicked() && !step_asked {
        *opened = !*opened;
    }
    if response.has_focus() {
        let (open, close) =
            ui.input(|input| (input.key_pressed(Key::ArrowRight), input.key_pressed(Key::ArrowLeft)));
        *opened = (*opened || open) && !close;
        let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    }
    let painter = ui.painter_at(rect);
    let background = match (row.mark, response.hovered()) {
        (Mark::Next, _) => Some(theme.run_faded),
        (Mark::Failed, _) => Some(theme.drop.gamma_multiply(0.16)),
        (_, true) => Some(theme.hover),
        (_, false) => None,
    };
    if let Some(color) = background {
        painter.rect_filled(rect, 0.0, color);
    }
    painter.hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, theme.line.gamma_multiply(0.6)));
    if response.has_focus() {
        marks::focus_ring(ui, rect);
    }
    paint_row(ui, &painter, rect, row, &theme);
    let chevron_at = pos2(rect.right() - 14.0, rect.center().y);
    if response.hovered() || response.has_focus() || *opened {
        marks::chevron(&painter, chevron_at, *opened, theme.faint);
    }
    // The sentence of what it did too: it may not fit into its row.
    let mut hint = format!("{}\n{}", sense(row.stage.name()), row.sentence);
    if row.mark == Mark::Next {
        hint += &format!("\n{}", marks::press("Step stage", view.live.keys.step_stage));
    }
    let response = response.on_hover_text(hint);
    if marks::copy_asked(&response, "Copy row") {
        return Some(InspectorAction::Copy(label));
    }
    step_asked.then_some(InspectorAction::StepStage)
}

fn paint_row(ui: &Ui, painter: &Painter, rect: Rect, row: &Row, theme: &Theme) {
    let y = rect.center().y;
    let at = |x: f32| pos2(rect.left() + x, y);
    let stage_color = theme.stage(row.stage);
    let (name_color, square_color, sentence_color) = match row.mark {
        Mark::Done => (theme.text, stage_color, theme.dim),
        Mark::Next => (theme.text, stage_color, theme.text.lerp_to_gamma(theme.dim, 0.4)),
        Mark::Failed => (theme.drop, stage_color, theme.drop),
        Mark::ToCome => (theme.faint, stage_color.gamma_multiply(0.55), theme.faint),
    };
    match row.mark {
        Mark::Done => marks::tick_mark(painter, at(MARK_X), theme.ok),
        Mark::Next => marks::next_mark(painter, at(MARK_X), theme.run),
        Mark::Failed => marks::cross_mark(painter, at(MARK_X), theme.drop),
        Mark::ToCome => marks::dot_mark(painter, at(MARK_X), theme.faint),
    }
    marks::square(painter, at(SQUARE_X), size::SQUARE, square_color);
    painter.text(at(NAME_X), Align2::LEFT_CENTER, row.stage.name(), Theme::text_font(ui), name_color);
    if let Some(duration) = row.duration {
        let figure = Theme::figure_font(ui);
        painter.text(at(DURATION_RIGHT), Align2::RIGHT_CENTER, millis(duration), figure, theme.text);
    }
    let width = rect.width() - SENTENCE_X - 28.0;
    clipped_text(painter, at(SENTENCE_X), &row.sentence, Theme::text_font(ui), sentence_color, width);
}

/// One line that ends in … where it does not fit.
fn clipped_text(painter: &Painter, at: Pos2, text: &str, font: FontId, color: Color32, width: f32) {
    let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width.max(0.0));
    let galley = painter.layout_job(job);
    let rect = Align2::LEFT_CENTER.anchor_size(at, galley.size());
    painter.galley(rect.min, galley, color);
}

fn opened_ui(ui: &mut Ui, row: &Row, looked: &Looked<'_>) {
    let theme = Theme::of(ui);
    let listed = match (row.mark, looked.details) {
        (Mark::Done, Some(details)) => lines(row.stage, details),
        (Mark::Done, None) => vec![Line { name: NOT_KEPT.to_owned(), ..Line::default() }],
        (Mark::Failed, _) => {
            let name = "Did not end: the run failed in it.".to_owned();
            vec![Line { name, ..Line::default() }]
        }
        (Mark::Next | Mark::ToCome, _) => {
            vec![Line { name: "Has not run yet in this frame.".to_owned(), ..Line::default() }]
        }
    };
    let top = ui.cursor().top();
    ui.add_space(4.0);
    for line in listed {
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), LINE_HEIGHT), Sense::hover());
        marks::label(&response, Role::Label, line.label());
        let painter = ui.painter_at(rect);
        let at = |x: f32| pos2(rect.left() + x, rect.center().y);
        let alone = line.figure.is_empty() && line.note.is_empty();
        let name_width = if alone { rect.width() - NAME_X - 12.0 } else { DURATION_RIGHT - NAME_X - 70.0 };
        clipped_text(&painter, at(NAME_X), &line.name, Theme::text_font(ui), theme.dim, name_width);
        if row.stage == Stage::EndRenderFrame {
            clipped_text(
                &painter,
                at(SENTENCE_X),
                &line.figure,
                Theme::figure_font(ui),
                theme.text,
                rect.width(),
            );
        } else if !line.figure.is_empty() {
            painter.text(
                at(DURATION_RIGHT),
                Align2::RIGHT_CENTER,
                &line.figure,
                Theme::figure_font(ui),
                theme.text,
            );
        }
        let width = rect.width() - SENTENCE_X - 12.0;
        clipped_text(&painter, at(SENTENCE_X), &line.note, Theme::text_font(ui), theme.dim, width);
    }
    ui.add_space(6.0);
    let left = ui.max_rect().left() + SQUARE_X;
    let span = egui::Rangef::new(top + 4.0, ui.cursor().top() - 6.0);
    ui.painter().vline(left, span, Stroke::new(2.0, theme.stage(row.stage).gamma_multiply(0.6)));
}

/// True when it is to be copied.
fn equation_ui(ui: &mut Ui, equation: &Equation) -> bool {
    let theme = Theme::of(ui);
    let width = ui.available_width() - 38.0;
    let color = if equation.holds { theme.dim } else { theme.drop };
    let galley = ui.painter().layout(
        equation.text.clone(),
        FontId { size: 12.0, ..Theme::text_font(ui) },
        color,
        width.max(80.0),
    );
    let height = galley.size().y.max(15.0) + 4.0;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::CLICK);
    marks::label(&response, Role::Label, equation.label());
    let painter = ui.painter_at(rect);
    let mark_at = pos2(rect.left() + MARK_X, rect.top() + 9.0);
    if equation.holds {
        marks::tick_mark(&painter, mark_at, theme.ok);
    } else {
        marks::cross_mark(&painter, mark_at, theme.drop);
    }
    painter.galley(pos2(rect.left() + MARK_X + 12.0, rect.top() + 2.0), galley, color);
    marks::copy_asked(&response.on_hover_text(equation.meaning), "Copy equation")
}
