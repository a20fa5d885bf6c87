//! The eye and the lock of a row of the outliner.

use egui::{Color32, Rect, Response, Sense, Ui, vec2};
use framewalk_inspector::theme::Theme;
use framewalk_runtime::world::EntityRow;

use super::ROW_HEIGHT;
use crate::command::Action;
use crate::document::marks::{Mark, Marks};

/// An eye and a lock at the right end of a row, drawn where they are on or the pointer is; true where one was clicked.
pub(super) fn marks_ui(
    ui: &Ui,
    theme: &Theme,
    response: &Response,
    row: &EntityRow,
    marks: &Marks,
    actions: &mut Vec<Action>,
) -> bool {
    let mut used = false;
    for (nth, mark) in [Mark::Locked, Mark::Hidden].into_iter().enumerate() {
        let on = marks.of(mark).contains(&row.id);
        let middle = egui::pos2(response.rect.right() - 12.0 - 20.0 * nth as f32, response.rect.center().y);
        let rect = Rect::from_center_size(middle, vec2(18.0, ROW_HEIGHT));
        let (label, tooltip) = match (mark, on) {
            (Mark::Hidden, false) => (
                "Hide",
                "Hides it in Edit, with all that hangs on it; a run draws it. Not saved: lasts while the scene is open.",
            ),
            (Mark::Hidden, true) => {
                ("Show", "Hidden in Edit: a click shows it. Not saved: lasts while the scene is open.")
            }
            (Mark::Locked, false) => (
                "Lock",
                "Keeps clicks in the picture from selecting it. Not saved: lasts while the scene is open.",
            ),
            (Mark::Locked, true) => (
                "Unlock",
                "Clicks in the picture do not select it: a click here lets them. Not saved: lasts while the scene is open.",
            ),
        };
        let area = ui.interact(rect, response.id.with(label_key(mark)), Sense::CLICK);
        area.widget_info(|| {
            egui::WidgetInfo::selected(egui::Role::Button, true, on, format!("{label} {}", row.name))
        });
        if on || response.hovered() || area.hovered() {
            let color = if area.hovered() || on { theme.text } else { theme.faint };
            match mark {
                Mark::Hidden => paint_eye(ui, middle, color, on),
                Mark::Locked => paint_lock(ui, middle, color, on),
            }
        }
        if area.clicked() {
            actions.push(Action::ToggleMark { mark, id: row.id });
            used = true;
        }
        area.on_hover_text(tooltip);
    }
    used
}

const fn label_key(mark: Mark) -> &'static str {
    match mark {
        Mark::Hidden => "hide",
        Mark::Locked => "lock",
    }
}

fn paint_eye(ui: &Ui, middle: egui::Pos2, color: Color32, closed: bool) {
    let stroke = egui::Stroke::new(1.3, color);
    let curve = |height: f32| {
        let points = (0..=8_u8).map(|step| {
            let along = f32::from(step) / 4.0 - 1.0;
            middle + vec2(along * 6.0, height * (1.0 - along * along))
        });
        egui::Shape::line(points.collect(), stroke)
    };
    ui.painter().add(curve(4.0));
    if closed {
        return;
    }
    ui.painter().add(curve(-4.0));
    ui.painter().circle_filled(middle, 1.7, color);
}

fn paint_lock(ui: &Ui, middle: egui::Pos2, color: Color32, closed: bool) {
    let body = Rect::from_center_size(middle + vec2(0.0, 2.0), vec2(9.0, 6.0));
    let stroke = egui::Stroke::new(1.3, color);
    let lift = if closed { 0.0 } else { -2.0 };
    let bow = [(-2.5, -1.0), (-2.5, -4.0 + lift), (2.5, -4.0 + lift), (2.5, -1.0 + 1.5 * lift)];
    ui.painter().add(egui::Shape::line(bow.map(|(x, y)| middle + vec2(x, y)).to_vec(), stroke));
    if closed {
        ui.painter().rect_filled(body, 1.0, color);
    } else {
        ui.painter().rect_stroke(body, 1.0, stroke, egui::StrokeKind::Inside);
    }
}
