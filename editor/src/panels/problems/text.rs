//! A file at the place of its problem: its lines with their numbers, to read; editing is for the program it is opened in.

use egui::{Color32, RichText, ScrollArea, Stroke, Ui, pos2, vec2};
use framewalk_inspector::theme::Theme;

use crate::command::Action;
use crate::project::store::load::Problem;

/// Longer lines are cut off here, in characters: a file may be a single line of megabytes.
const LONGEST_LINE: usize = 400;

/// Draws the file. `text` is none where it cannot be shown; `jump`: the problem's line is scrolled to.
pub fn ui(
    ui: &mut Ui,
    theme: &Theme,
    problem: &Problem,
    text: Option<&str>,
    jump: bool,
    actions: &mut Vec<Action>,
) {
    egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 4, top: 4, bottom: 2 }).show(ui, |ui| {
        head_ui(ui, theme, problem, actions);
        let Some(text) = text else {
            let why = "The file cannot be shown: it is not there, no text, or larger than 16 MiB.";
            ui.add(egui::Label::new(RichText::new(why).color(theme.dim)).wrap());
            return;
        };
        lines_ui(ui, theme, problem, text, jump);
    });
}

fn head_ui(ui: &mut Ui, theme: &Theme, problem: &Problem, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Copy").on_hover_text("Copies the problem with its place.").clicked() {
                actions.push(Action::CopyText(problem.to_string()));
            }
            let open = ui.button("Open file").on_hover_text("Opens it in the program the system has for it.");
            if open.clicked() {
                actions.push(Action::OpenFile(problem.path.clone()));
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let path = problem.path.display().to_string();
                let name = problem.path.file_name().unwrap_or_default().to_string_lossy();
                let label = egui::Label::new(RichText::new(name).monospace().color(theme.dim)).truncate();
                ui.add(label).on_hover_text(path);
            });
        });
    });
    let sentence = RichText::new(problem.fault.sentence()).color(theme.text);
    ui.add(egui::Label::new(sentence).selectable(true).wrap());
    ui.add_space(4.0);
}

fn lines_ui(ui: &mut Ui, theme: &Theme, problem: &Problem, text: &str, jump: bool) {
    let row_height = ui.text_style_height(&egui::TextStyle::Monospace) + 2.0;
    ui.spacing_mut().item_spacing.y = 0.0;
    let starts = line_starts(text);
    let wrong = problem.fault.line.map(|line| line as usize);
    // Each problem has a place of its own in the text, and is scrolled to when it is first shown.
    let mut area = ScrollArea::both().id_salt(("problem_text", &problem.path, wrong)).auto_shrink(false);
    let first_time = ui.data_mut(|data| {
        let seen = data.get_temp_mut_or_default::<Option<(std::path::PathBuf, Option<usize>)>>(ui.scope_id());
        let now = (problem.path.clone(), wrong);
        seen.replace(now.clone()) != Some(now)
    });
    if let Some(line) = wrong.filter(|_| jump || first_time) {
        let middle = (line as f32 - 0.5) * row_height - ui.available_height() * 0.4;
        area = area.vertical_scroll_offset(middle.max(0.0));
    }
    let digits = starts.len().to_string().len().max(3);
    area.show_rows(ui, row_height, starts.len(), |ui, range| {
        for row in range {
            let line = line_at(text, &starts, row);
            let is_wrong = wrong == Some(row + 1);
            let column = problem.fault.column.filter(|_| is_wrong);
            line_ui(ui, theme, &format!("{:>digits$}", row + 1), line, is_wrong, column, row_height);
        }
    });
}

fn line_ui(
    ui: &mut Ui,
    theme: &Theme,
    number: &str,
    line: &str,
    is_wrong: bool,
    column: Option<u32>,
    height: f32,
) {
    let font = Theme::figure_font(ui);
    let glyph = ui.painter().layout_no_wrap("0".to_owned(), font.clone(), Color32::WHITE).size().x;
    let cut: String = line.chars().take(LONGEST_LINE).map(|c| if c == '\t' { ' ' } else { c }).collect();
    let galley = ui.painter().layout_no_wrap(cut.clone(), font.clone(), theme.text);
    let gutter = glyph * (number.len() as f32 + 2.0);
    let width = (gutter + galley.size().x + 12.0).max(ui.available_width());
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), egui::Sense::hover());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{} {cut}", number.trim_start()))
    });
    if is_wrong {
        ui.painter().rect_filled(rect, 0.0, theme.drop.gamma_multiply(0.14));
    }
    let at = |x: f32| pos2(rect.left() + x, rect.top() + 1.0);
    let faint = if is_wrong { theme.drop } else { theme.faint };
    ui.painter().text(at(0.0), egui::Align2::LEFT_TOP, number, font, faint);
    if let Some(column) = column {
        // From where the fault begins, a line below; at least as long as one character.
        let before: String = cut.chars().take(column.saturating_sub(1) as usize).collect();
        let word = cut.chars().skip(before.chars().count()).take_while(|c| is_word(*c)).count().max(1);
        let font = Theme::figure_font(ui);
        let from = gutter + ui.painter().layout_no_wrap(before, font, theme.text).size().x;
        let y = rect.bottom() - 1.0;
        let (left, right) = (rect.left() + from, rect.left() + from + glyph * word as f32);
        ui.painter().line_segment([pos2(left, y), pos2(right, y)], Stroke::new(2.0, theme.drop));
    }
    ui.painter().galley(at(gutter), galley, theme.text);
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where each line begins, in bytes. A text without any is one empty line.
fn line_starts(text: &str) -> Vec<usize> {
    let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
    let mut starts: Vec<usize> = std::iter::once(0).chain(breaks).collect();
    // What ends with a line break has no line after it.
    if starts.len() > 1 && starts.last() == Some(&text.len()) {
        starts.pop();
    }
    starts
}

fn line_at<'a>(text: &'a str, starts: &[usize], row: usize) -> &'a str {
    let from = starts.get(row).copied().unwrap_or(text.len());
    let to = starts.get(row + 1).copied().unwrap_or(text.len());
    text[from..to].trim_end_matches(['\n', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_as_people_count_them() {
        let lines = |text: &'static str| -> Vec<&str> {
            let starts = line_starts(text);
            (0..starts.len()).map(|row| line_at(text, &starts, row)).collect()
        };
        assert_eq!(lines(""), [""]);
        assert_eq!(lines("a"), ["a"]);
        assert_eq!(lines("a\r\nb\n"), ["a", "b"]);
        assert_eq!(lines("a\n\n\nb"), ["a", "", "", "b"]);
    }
}
