//! The three icons of the transport.

use egui::{Color32, Rect, Ui, vec2};

use crate::command::EditorCommand;

/// What such a button shows.
#[derive(Clone, Copy)]
pub(super) enum Icon {
    Play,
    Pause,
    Stop,
}

/// The icon of a command, where it has one.
pub(super) fn icon_of(command: EditorCommand) -> Option<Icon> {
    match command {
        EditorCommand::PlayOrResume => Some(Icon::Play),
        EditorCommand::Pause => Some(Icon::Pause),
        EditorCommand::Stop => Some(Icon::Stop),
        _ => None,
    }
}

/// Paints it around its middle.
pub(super) fn paint_icon(ui: &Ui, icon: Icon, middle: egui::Pos2, color: Color32) {
    let painter = ui.painter();
    match icon {
        Icon::Play => {
            let points = vec![middle + vec2(-4.0, -5.5), middle + vec2(6.0, 0.0), middle + vec2(-4.0, 5.5)];
            painter.add(egui::Shape::convex_polygon(points, color, egui::Stroke::NONE));
        }
        Icon::Pause => {
            for x in [-4.5, 1.5] {
                let bar = Rect::from_min_size(middle + vec2(x, -5.0), vec2(3.0, 10.0));
                painter.rect_filled(bar, 0.5, color);
            }
        }
        Icon::Stop => {
            painter.rect_filled(Rect::from_center_size(middle, vec2(9.0, 9.0)), 0.5, color);
        }
    }
}
