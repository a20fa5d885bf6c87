//! The Log panel: the newest lines, searched, coloured by level, copied as text.

use egui::{Color32, RichText, ScrollArea, Ui};
use framewalk_inspector::theme::Theme;
use framewalk_runtime::time::Nanos;
use tracing::Level;

use crate::command::Action;
use crate::log_lines::{LogLine, LogLines};

/// What the panel remembers: the search text.
#[derive(Clone, Debug, Default)]
pub struct LogView {
    pub search: String,
}

/// Draws the panel; times count from `started`.
pub fn ui(ui: &mut Ui, view: &mut LogView, log: &LogLines, started: Nanos, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let matching: Vec<&LogLine> = log.lines().filter(|line| matches(line, &view.search)).collect();
    egui::Frame::new().inner_margin(egui::Margin::symmetric(8, 6)).show(ui, |ui| {
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 170.0).clamp(80.0, 320.0);
            let search =
                egui::TextEdit::singleline(&mut view.search).hint_text("Search…").desired_width(width);
            ui.add(search).accessible_name("Search the log");
            if ui.button("Copy").on_hover_text("Copies the lines shown.").clicked() {
                let text = matching.iter().map(|line| written(line, started) + "\n").collect();
                actions.push(Action::CopyText(text));
            }
            if ui.button("Clear").on_hover_text("Forgets every line.").clicked() {
                actions.push(Action::ClearLog);
            }
            if log.lost() > 0 {
                ui.colored_label(theme.drop, format!("{} lines lost", log.lost()));
            }
        });
        if matching.is_empty() {
            ui.add_space(6.0);
            let empty = if log.lines().len() == 0 {
                "What the program has to say appears here: threads, dropped frames, files read again."
            } else {
                "No line matches."
            };
            ui.label(RichText::new(empty).color(theme.dim));
            return;
        }
        let row_height = ui.text_style_height(&egui::TextStyle::Monospace);
        ScrollArea::both().auto_shrink(false).stick_to_bottom(true).show_rows(
            ui,
            row_height,
            matching.len(),
            |ui, rows| {
                for line in &matching[rows] {
                    ui.horizontal(|ui| {
                        ui.spacing_mut().item_spacing.x = 10.0;
                        ui.label(theme.figure(seconds(line.at - started)).color(theme.dim));
                        ui.label(
                            theme.figure(format!("{:5}", line.level)).color(level_color(&theme, line.level)),
                        );
                        ui.label(theme.figure(short(&line.source)).color(theme.dim));
                        ui.add(
                            egui::Label::new(theme.figure(&line.text)).wrap_mode(egui::TextWrapMode::Extend),
                        );
                    });
                }
            },
        );
    });
}

fn level_color(theme: &Theme, level: Level) -> Color32 {
    match level {
        Level::ERROR => theme.drop,
        Level::WARN => theme.late,
        Level::INFO => theme.ok,
        _ => theme.faint,
    }
}

fn matches(line: &LogLine, search: &str) -> bool {
    let search = search.trim().to_lowercase();
    search.is_empty()
        || line.text.to_lowercase().contains(&search)
        || line.source.to_lowercase().contains(&search)
        || line.level.as_str().to_lowercase() == search
}

fn written(line: &LogLine, started: Nanos) -> String {
    format!("{} {} {} {}", seconds(line.at - started), line.level, line.source, line.text)
}

fn seconds(elapsed: Nanos) -> String {
    format!("{:>9.3} s", elapsed.as_secs_f64())
}

/// The last part of a module path: what people call the place.
fn short(source: &str) -> &str {
    source.rsplit("::").next().unwrap_or(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> LogLine {
        LogLine {
            at: Nanos(1_500_000_000),
            level: Level::WARN,
            source: "framewalk::sim".into(),
            text: text.into(),
        }
    }

    #[test]
    fn the_search_finds_text_source_and_level() {
        let line = line("frame_dropped dropped=7");
        for found in ["", "DROPPED", "sim", "warn"] {
            assert!(matches(&line, found), "{found}");
        }
        assert!(!matches(&line, "info"));
    }

    #[test]
    fn a_copied_line_reads_from_left_to_right() {
        assert_eq!(written(&line("x"), Nanos(500_000_000)), "    1.000 s WARN framewalk::sim x");
    }
}
