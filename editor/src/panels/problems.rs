//! The Problems panel: everything that is wrong with the files of the open project, and the file itself at that line.

mod text;

use egui::{Key, RichText, ScrollArea, Sense, Ui, vec2};
use framewalk_inspector::theme::Theme;

use crate::command::Action;
use crate::project::problems::Findings;
use crate::project::store::load::Problem;

/// What the panel remembers: which line of the list is chosen.
#[derive(Clone, Debug, Default)]
pub struct ProblemsView {
    chosen: Option<usize>,
    // The text is to be scrolled to the chosen line.
    jump: bool,
}

/// How much of a wide panel the list takes beside the text.
const LIST_SHARE: f32 = 0.5;
/// From this width on, text and list stand side by side.
const WIDE: f32 = 560.0;
const ROW_HEIGHT: f32 = 20.0;

/// Draws the panel. While it has the keyboard, the arrows walk the list. `found` is none while the first look goes on.
pub fn ui(
    ui: &mut Ui,
    view: &mut ProblemsView,
    found: Option<&Findings>,
    has_keys: bool,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(ui);
    let Some(found) = found else {
        return empty_ui(ui, &theme, "The project's files are being looked through.");
    };
    let rows: Vec<(&Problem, bool)> = (found.problems.iter().map(|problem| (problem, true)))
        .chain(found.unknown.iter().map(|part| (part, false)))
        .collect();
    if rows.is_empty() {
        let files = match found.scenes {
            1 => "scene file".to_owned(),
            scenes => format!("{scenes} scene files"),
        };
        let text = format!(
            "No problems in the project and its {files}. A fault in a file appears here as soon as it is saved, with its place."
        );
        return empty_ui(ui, &theme, &text);
    }
    // A mended file has fewer lines than before.
    view.chosen = Some(view.chosen.unwrap_or(0).min(rows.len() - 1));
    if has_keys {
        walk(ui, view, rows.len());
    }
    let chosen = view.chosen.and_then(|row| rows.get(row)).map(|(problem, _)| *problem);
    let area = ui.available_rect_before_wrap();
    let (list, shown) = if area.width() >= WIDE {
        area.split_left_right_at_fraction(LIST_SHARE)
    } else {
        area.split_top_bottom_at_fraction(LIST_SHARE)
    };
    ui.scope_builder(egui::UiBuilder::new().max_rect(list), |ui| list_ui(ui, &theme, view, &rows, has_keys));
    ui.scope_builder(egui::UiBuilder::new().max_rect(shown), |ui| {
        ui.painter().rect_filled(shown, 0.0, theme.bg0);
        if let Some(problem) = chosen {
            let text = found.texts.get(&problem.path).map(String::as_str);
            text::ui(ui, &theme, problem, text, std::mem::take(&mut view.jump), actions);
        }
    });
}

fn empty_ui(ui: &mut Ui, theme: &Theme, text: &str) {
    egui::Frame::new().inner_margin(egui::Margin::symmetric(10, 10)).show(ui, |ui| {
        ui.add(egui::Label::new(RichText::new(text).color(theme.dim)).wrap());
    });
}

fn walk(ui: &Ui, view: &mut ProblemsView, count: usize) {
    let by = ui.input(|input| {
        let presses = |key| input.num_presses(key).cast_signed();
        presses(Key::ArrowDown) - presses(Key::ArrowUp)
    });
    if by != 0 {
        let to = view.chosen.unwrap_or(0).saturating_add_signed(by).min(count - 1);
        view.choose(to);
    }
}

impl ProblemsView {
    fn choose(&mut self, row: usize) {
        self.chosen = Some(row);
        self.jump = true;
    }
}

fn list_ui(ui: &mut Ui, theme: &Theme, view: &mut ProblemsView, rows: &[(&Problem, bool)], has_keys: bool) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::both().id_salt("problems_list").auto_shrink(false);
    if has_keys && view.jump {
        let top = view.chosen.unwrap_or(0) as f32 * ROW_HEIGHT;
        area = area.vertical_scroll_offset((top - ui.available_height() * 0.5).max(0.0));
    }
    area.show_rows(ui, ROW_HEIGHT, rows.len(), |ui, range| {
        for row in range {
            let (problem, is_fault) = rows[row];
            if row_ui(ui, theme, problem, is_fault, view.chosen == Some(row)) {
                view.choose(row);
            }
        }
    });
}

/// True when it was clicked.
fn row_ui(ui: &mut Ui, theme: &Theme, problem: &Problem, is_fault: bool, chosen: bool) -> bool {
    let (mark, color) = if is_fault { ("✗", theme.drop) } else { ("?", theme.late) };
    let mut job = egui::text::LayoutJob::default();
    let font = Theme::text_font(ui);
    let figures = Theme::figure_font(ui);
    job.append(mark, 0.0, egui::TextFormat::simple(font.clone(), color));
    job.append(&place(problem), 8.0, egui::TextFormat::simple(figures, theme.dim));
    let sentence = problem.fault.sentence().replace('\n', " ");
    job.append(&sentence, 10.0, egui::TextFormat::simple(font, theme.text));
    let galley = ui.painter().layout_job(job);
    let width = (galley.size().x + 16.0).max(ui.available_width());
    let (id, rect) = ui.allocate_space(vec2(width, ROW_HEIGHT));
    // Where it can be seen: a long sentence reaches on under the text beside the list.
    let response = ui.interact(rect.intersect(ui.clip_rect()), id, Sense::CLICK);
    response.widget_info(|| {
        let name = format!("{} {sentence}", place(problem));
        egui::WidgetInfo::selected(egui::Role::ListItem, true, chosen, name)
    });
    if chosen || response.hovered() {
        ui.painter().rect_filled(rect, 0.0, if chosen { theme.selection } else { theme.hover });
    }
    let top = rect.center().y - galley.size().y * 0.5;
    ui.painter().galley(egui::pos2(rect.left() + 8.0, top), galley, theme.text);
    // A pass that egui runs again for its layout sees the same click twice.
    response.clicked() && ui.ctx().current_pass_index() == 0
}

/// `main.ron:12:5`, as far as it is known.
fn place(problem: &Problem) -> String {
    let file = problem.path.file_name().unwrap_or_default().to_string_lossy();
    match (problem.fault.line, problem.fault.column) {
        (Some(line), Some(column)) => format!("{file}:{line}:{column}"),
        (Some(line), None) => format!("{file}:{line}"),
        _ => file.into_owned(),
    }
}
