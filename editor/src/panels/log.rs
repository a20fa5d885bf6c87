//! The Log panel: the newest lines, by level and search, followed or read in peace, copied as text.

mod place;
#[cfg(test)]
mod ui_tests;

use egui::{Color32, Key, Modifiers, RichText, ScrollArea, Sense, Ui, vec2};
use framewalk_inspector::theme::Theme;
use framewalk_runtime::time::Nanos;
use tracing::Level;

use self::place::Place;
use crate::command::Action;
use crate::log_lines::{LogLine, LogLines};

/// What the panel remembers: what is searched, what is shown, what is marked, and where it is being read.
#[derive(Clone, Debug)]
pub struct LogView {
    pub search: String,
    /// The least severe level that is shown.
    pub level: Level,
    /// The newest line stays in sight; else the line being read does.
    pub follow: bool,
    /// First and last marked line, by number.
    marked: Option<(u64, u64)>,
    place: Place,
    // Of the lines alone, as of the last pass: what a scroll bar takes is left out.
    height: f32,
    offset: f32,
    // How many lines the last pass had.
    rows: usize,
}

impl Default for LogView {
    fn default() -> Self {
        Self {
            search: String::new(),
            level: Level::TRACE,
            follow: true,
            marked: None,
            place: Place::default(),
            height: 0.0,
            offset: 0.0,
            rows: 0,
        }
    }
}

impl LogView {
    fn is_marked(&self, number: u64) -> bool {
        self.marked.is_some_and(|(first, last)| (first.min(last)..=first.max(last)).contains(&number))
    }

    fn shows(&self, line: &LogLine) -> bool {
        line.level <= self.level && matches(line, &self.search)
    }
}

/// Lines that Page up and Page down walk.
const PAGE: isize = 10;
/// What stands behind the level takes so much, with all that lies between.
const BUTTONS_WIDTH: f32 = 200.0;

const LEVELS: [(Level, &str); 4] = [
    (Level::TRACE, "Everything"),
    (Level::INFO, "Info and above"),
    (Level::WARN, "Warnings and errors"),
    (Level::ERROR, "Errors"),
];

/// Draws the panel; times count from `started`. While it has the keyboard, the arrows mark lines.
pub fn ui(
    ui: &mut Ui,
    view: &mut LogView,
    log: &LogLines,
    started: Nanos,
    has_keys: bool,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(ui);
    egui::Frame::new().inner_margin(egui::Margin::symmetric(8, 6)).show(ui, |ui| {
        bar_ui(ui, &theme, view, log, started, actions);
        let shown: Vec<(u64, &LogLine)> = log.numbered().filter(|(_, line)| view.shows(line)).collect();
        if shown.is_empty() {
            ui.add_space(6.0);
            let empty = if log.lines().len() == 0 {
                "What the program has to say appears here: threads, dropped frames, files read again."
            } else {
                "No line matches."
            };
            ui.label(RichText::new(empty).color(theme.dim));
            return;
        }
        if has_keys && ui.input(|input| input.events.contains(&egui::Event::Copy)) {
            actions.push(Action::CopyText(copied(view, log, started)));
        }
        let target = if has_keys { keys(ui, view, &shown) } else { None };
        lines_ui(ui, &theme, view, &shown, target, started, actions);
    });
}

/// What the keys mark; which of the lines shown is to be in sight.
fn keys(ui: &Ui, view: &mut LogView, shown: &[(u64, &LogLine)]) -> Option<usize> {
    let (by, extend) = ui.input(|input| {
        let presses = |key| input.num_presses(key).cast_signed();
        let by = presses(Key::ArrowDown) - presses(Key::ArrowUp)
            + PAGE * (presses(Key::PageDown) - presses(Key::PageUp));
        (by, input.modifiers.shift_only())
    });
    if by == 0 {
        return None;
    }
    let last = shown.len().checked_sub(1)?;
    // From the line that was marked last; at first from the end.
    let at = view.marked.and_then(|(_, end)| shown.iter().position(|(number, _)| *number == end));
    let to = at.map_or(last, |at| at.saturating_add_signed(by).min(last));
    let number = shown[to].0;
    view.marked = Some((view.marked.filter(|_| extend).map_or(number, |(first, _)| first), number));
    view.follow = false;
    Some(to)
}

fn bar_ui(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut LogView,
    log: &LogLines,
    started: Nanos,
    actions: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        // In a narrow panel the last button still has its room.
        let levels_width = (ui.available_width() - BUTTONS_WIDTH - 70.0).clamp(90.0, 130.0);
        let width = (ui.available_width() - BUTTONS_WIDTH - levels_width).clamp(60.0, 320.0);
        let search = egui::TextEdit::singleline(&mut view.search).hint_text("Search…").desired_width(width);
        ui.add(search).accessible_name("Search the log");
        let named = LEVELS.iter().find(|(level, _)| *level == view.level).map_or("Everything", |(_, name)| name);
        let levels = egui::ComboBox::from_id_salt("log_level").width(levels_width).truncate().selected_text(named);
        let levels = levels.show_ui(ui, |ui| {
            for (level, name) in LEVELS {
                ui.selectable_value(&mut view.level, level, name);
            }
        });
        levels.response.on_hover_text("Which lines are shown.").accessible_name(format!("Level: {named}"));
        ui.toggle_value(&mut view.follow, "Follow").on_hover_text(
            "On: the newest line stays in sight. Off, or after scrolling up: the line being read stays where it is.",
        );
        let tip = if view.marked.is_some() { "Copies the marked lines." } else { "Copies the lines shown." };
        if ui.button("Copy").on_hover_text(tip).clicked() {
            actions.push(Action::CopyText(copied(view, log, started)));
        }
        if ui.button("Clear").on_hover_text("Forgets every line.").clicked() {
            view.marked = None;
            actions.push(Action::ClearLog);
        }
        if log.lost() > 0 {
            ui.colored_label(theme.drop, format!("{} lines lost", log.lost()));
        }
    });
}

/// The marked lines that are shown, or all that are.
fn copied(view: &LogView, log: &LogLines, started: Nanos) -> String {
    let shown = log.numbered().filter(|(_, line)| view.shows(line));
    let wanted = shown.filter(|(number, _)| view.marked.is_none() || view.is_marked(*number));
    wanted.map(|(_, line)| written(line, started) + "\n").collect()
}

fn lines_ui(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut LogView,
    shown: &[(u64, &LogLine)],
    target: Option<usize>,
    started: Nanos,
    actions: &mut Vec<Action>,
) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let row_height = ui.text_style_height(&egui::TextStyle::Monospace) + 2.0;
    let numbers = || shown.iter().map(|(number, _)| *number);
    let mut area = ScrollArea::both().auto_shrink(false).stick_to_bottom(view.follow);
    if let Some(offset) = view.place.offset(numbers(), row_height, view.follow) {
        // Not beyond the end: the panel would spring back from there.
        let height = if view.height > 0.0 { view.height } else { ui.available_height() };
        let end = (shown.len() as f32 * row_height - height).max(0.0);
        area = area.vertical_scroll_offset(offset.min(end));
    }
    if let Some(top) = target.map(|row| row as f32 * row_height) {
        let bottom = top + row_height - view.height;
        area = area.vertical_scroll_offset(view.offset.clamp(bottom.min(top).max(0.0), top));
    }
    let output = area.show_rows(ui, row_height, shown.len(), |ui, rows| {
        for &(number, line) in &shown[rows] {
            line_ui(ui, theme, view, number, line, row_height, started, actions);
        }
    });
    view.height = output.inner_rect.height();
    view.offset = output.state.clamped_offset().y;
    let bottom = (output.content_size.y - view.height).max(0.0);
    let at_bottom = output.state.clamped_offset().y >= bottom - 0.5 * row_height;
    view.follow =
        view.place.note(numbers(), output.state.clamped_offset().y, row_height, view.follow, at_bottom);
    // Lines that came in this pass are scrolled to in the next one.
    if view.follow && (!at_bottom || view.rows != shown.len()) {
        ui.ctx().request_repaint();
    }
    view.rows = shown.len();
}

#[expect(clippy::too_many_arguments, reason = "one line and all that it is drawn from")]
fn line_ui(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut LogView,
    number: u64,
    line: &LogLine,
    height: f32,
    started: Nanos,
    actions: &mut Vec<Action>,
) {
    let parts = [
        (seconds(line.at - started), theme.dim),
        (format!("{:5}", line.level), level_color(theme, line.level)),
        (short(&line.source).to_owned(), theme.dim),
        (line.text.clone(), theme.text),
    ];
    let font = Theme::figure_font(ui);
    let mut job = egui::text::LayoutJob::default();
    for (index, (text, color)) in parts.iter().enumerate() {
        let space = if index == 0 { 0.0 } else { 10.0 };
        job.append(&text.replace('\n', " "), space, egui::TextFormat::simple(font.clone(), *color));
    }
    let galley = ui.painter().layout_job(job);
    let width = galley.size().x.max(ui.available_width());
    // Not a stop of the Tab key: there are hundreds of them.
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::CLICK);
    let marked = view.is_marked(number);
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::ListItem, true, marked, written(line, started).trim_start())
    });
    if marked || response.hovered() {
        ui.painter().rect_filled(rect, 0.0, if marked { theme.selection } else { theme.hover });
    }
    ui.painter().galley(rect.min + vec2(0.0, 1.0), galley, theme.text);
    // A pass that egui runs again for its layout sees the same click twice.
    if response.clicked() && ui.ctx().current_pass_index() == 0 {
        let extend = ui.input(|input| input.modifiers.contains(Modifiers::SHIFT));
        view.marked = match view.marked {
            Some((first, _)) if extend => Some((first, number)),
            Some((first, last)) if first == last && first == number => None,
            _ => Some((number, number)),
        };
    }
    response.context_menu(|ui| {
        if ui.button("Copy line").clicked() {
            actions.push(Action::CopyText(written(line, started)));
        }
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
    let search = search.trim();
    if search.is_empty() {
        return true;
    }
    let search = search.to_lowercase();
    line.text.to_lowercase().contains(&search)
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
    fn a_level_shows_itself_and_what_is_more_severe() {
        let line = line("x");
        let shows = |level| LogView { level, ..LogView::default() }.shows(&line);
        assert_eq!(
            [Level::TRACE, Level::INFO, Level::WARN, Level::ERROR].map(shows),
            [true, true, true, false]
        );
    }

    #[test]
    fn a_copied_line_reads_from_left_to_right() {
        assert_eq!(written(&line("x"), Nanos(500_000_000)), "    1.000 s WARN framewalk::sim x");
    }
}
