//! The sign of the program.

use egui::Ui;
use framewalk_inspector::theme::Theme;

/// Six short lines in the colours of the six stages.
pub fn emblem(ui: &mut Ui, theme: &Theme) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(18.0, 16.0), egui::Sense::hover());
    for (index, color) in theme.stages.iter().enumerate().take(5) {
        let y = rect.top() + 1.5 + 3.2 * index as f32;
        let left = rect.left() + 1.6 * index as f32;
        let right = rect.right() - 1.2 * index as f32;
        ui.painter().hline(left..=right, y, egui::Stroke::new(1.8, *color));
    }
}
