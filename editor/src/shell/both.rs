//! Both texts of a scene that was changed here and on disk, line by line.

use egui::{Color32, RichText, Ui};
use framewalk_inspector::theme::{Theme, size};
use framewalk_inspector::wording;

use crate::project::both::{Both, Line, Side};

/// Draws what differs: a line of figures, and under it the lines, as many as are in sight.
pub fn ui(ui: &mut Ui, both: &Both) {
    let theme = Theme::of(ui);
    let lines = |count: usize| wording::count(count as u64, "line", "lines");
    let figures = format!("Only here: {}. Only on disk: {}.", lines(both.mine), lines(both.theirs));
    ui.label(RichText::new(figures).color(theme.dim));
    ui.add_space(4.0);
    egui::Frame::new().fill(theme.bg0).inner_margin(6).show(ui, |ui| {
        let (row, height) = (ui.text_style_height(&egui::TextStyle::Monospace), height(ui));
        let area = egui::ScrollArea::both().max_height(height).min_scrolled_height(height).auto_shrink(false);
        area.show_rows(ui, row, both.lines.len(), |ui, range| {
            for line in &both.lines[range] {
                line_ui(ui, &theme, line);
            }
        });
    });
}

/// Says that they are being compared, and how much of that is done.
pub fn coming_ui(ui: &mut Ui, part: f32) {
    let theme = Theme::of(ui);
    let text = format!("{:.0} %", part * 100.0);
    ui.label(RichText::new("Comparing…").color(theme.dim));
    ui.add_space(4.0);
    egui::Frame::new().fill(theme.bg0).inner_margin(6).show(ui, |ui| {
        ui.set_height(height(ui));
        ui.set_width(ui.available_width());
        ui.visuals_mut().extreme_bg_color = theme.line;
        let bar = egui::ProgressBar::new(part).desired_width(240.0).desired_height(12.0);
        ui.add(bar.text(RichText::new(&text).size(9.0)))
            .accessible_name(format!("Compared: {text}"))
            .on_hover_text("So much of both texts is compared. Esc gives it up.");
    });
}

/// Of the lines, from the first pass on, however many there will be: a dialog that grows or shrinks would move its buttons
/// away from the mouse.
fn height(ui: &Ui) -> f32 {
    let row = ui.text_style_height(&egui::TextStyle::Monospace);
    (ui.ctx().content_rect().height() - 260.0).clamp(row * 4.0, 420.0)
}

fn line_ui(ui: &mut Ui, theme: &Theme, line: &Line) {
    let (sign, colour, who) = signs(theme, line.side);
    let Line { number, text, .. } = line;
    let shown = match line.side {
        Side::LeftOut => {
            format!("       … {} that both have", wording::count(*number as u64, "line", "lines"))
        }
        _ => format!("{number:>6} {sign} {text}"),
    };
    let label =
        ui.add(egui::Label::new(RichText::new(shown).monospace().color(colour).size(size::SMALL)).extend());
    if !who.is_empty() {
        label.on_hover_text(who);
    }
}

fn signs(theme: &Theme, side: Side) -> (&'static str, Color32, &'static str) {
    match side {
        Side::Both => (" ", theme.dim, ""),
        Side::Mine => ("+", theme.accent, "Only here."),
        Side::Theirs => ("−", theme.late, "Only on disk."),
        Side::LeftOut => ("", theme.faint, ""),
    }
}
