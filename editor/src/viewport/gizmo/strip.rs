//! The strip of tools at the left of the picture: which tool, along which axes, in which steps, from which side.

use egui::{Align, Color32, DragValue, Layout, Painter, Rect, Response, RichText, Stroke, Ui, pos2, vec2};
use framewalk_inspector::theme::{Theme, size};

use super::{Gizmo, Space, Steps, Tool};
use crate::command::keymap::Keymap;
use crate::command::{Action, EditorCommand};

/// A square button, in points.
const BUTTON: f32 = 28.0;
const GAP: f32 = 2.0;

/// What the strip shows.
pub struct StripFacts<'a> {
    pub gizmo: &'a Gizmo,
    pub keymap: &'a Keymap,
    pub orthographic: bool,
}

/// Draws the strip with its top left corner at `at`; nothing where the picture is too small for it.
pub fn ui(ui: &mut Ui, theme: &Theme, rect: Rect, facts: &StripFacts<'_>, actions: &mut Vec<Action>) {
    let height = 7.0 * (BUTTON + GAP) + 12.0;
    let area = Rect::from_min_size(pos2(rect.left() + 12.0, rect.top() + 62.0), vec2(BUTTON + 6.0, height));
    if !rect.shrink(4.0).contains_rect(area) {
        return;
    }
    ui.painter().rect(
        area,
        6.0,
        theme.bg1.gamma_multiply(0.88),
        Stroke::new(1.0, theme.line),
        egui::StrokeKind::Inside,
    );
    let builder = egui::UiBuilder::new().max_rect(area.shrink(3.0)).layout(Layout::top_down(Align::Center));
    let ui = &mut ui.new_child(builder);
    ui.spacing_mut().item_spacing.y = GAP;
    for tool in Tool::ALL {
        let command = EditorCommand::Tool(tool);
        let active = facts.gizmo.tool == tool;
        let response = button_ui(ui, theme, active, command.label(), |painter, rect, ink| match tool {
            Tool::Select => select_icon(painter, rect, ink),
            Tool::Move => move_icon(painter, rect, ink),
            Tool::Rotate => rotate_icon(painter, rect, ink),
            Tool::Scale => scale_icon(painter, rect, ink),
        });
        command_tip(response, command, facts.keymap, actions);
    }
    line(ui, theme);
    let local = facts.gizmo.space == Space::Local;
    let command = EditorCommand::LocalAxes;
    let response = button_ui(ui, theme, local, command.label(), |painter, rect, ink| {
        if local { cube_icon(painter, rect, ink) } else { globe_icon(painter, rect, ink) }
    });
    command_tip(response, command, facts.keymap, actions);
    let response = button_ui(ui, theme, false, "Snapping steps", magnet_icon);
    let response = response.on_hover_text("What Ctrl rounds to while something is moved, turned or scaled.");
    egui::Popup::menu(&response)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| steps_ui(ui, facts.gizmo.steps, actions));
    line(ui, theme);
    let command = EditorCommand::Orthographic;
    let response = button_ui(ui, theme, facts.orthographic, command.label(), |painter, rect, ink| {
        frustum_icon(painter, rect, ink, facts.orthographic);
    });
    command_tip(response, command, facts.keymap, actions);
}

/// The three steps as numbers to drag or type.
pub fn steps_ui(ui: &mut Ui, steps: Steps, actions: &mut Vec<Action>) {
    let mut wanted = steps;
    // In a menu fields would look like its entries, and not as if they could be typed into.
    ui.reset_style();
    ui.set_min_width(170.0);
    ui.label(RichText::new("With Ctrl, in steps of").size(size::SMALL));
    egui::Grid::new("snapping_steps").num_columns(2).spacing([12.0, 4.0]).show(ui, |ui| {
        let fields = [
            ("Move", "Move in steps of", &mut wanted.metres, 0.001..=1000.0, " m", 0.05),
            ("Rotate", "Rotate in steps of", &mut wanted.degrees, 0.1..=180.0, "°", 1.0),
            ("Scale", "Scale in steps of", &mut wanted.factor, 0.001..=10.0, "", 0.01),
        ];
        for (label, name, value, range, unit, speed) in fields {
            ui.label(label);
            let field = DragValue::new(value).range(range).speed(speed).max_decimals(3).suffix(unit);
            ui.add_sized([90.0, 22.0], field).accessible_name(name);
            ui.end_row();
        }
    });
    if wanted != steps {
        actions.push(Action::SetSteps(wanted));
    }
}

fn command_tip(response: Response, command: EditorCommand, keymap: &Keymap, actions: &mut Vec<Action>) {
    let keys = keymap.text(&response.ctx, command);
    let response = response.on_hover_text(format!("{}\n{keys}", command.tooltip()));
    if response.clicked() {
        actions.push(Action::Command(command));
    }
}

fn line(ui: &mut Ui, theme: &Theme) {
    let (rect, _) = ui.allocate_exact_size(vec2(BUTTON, 3.0), egui::Sense::hover());
    ui.painter().hline(rect.x_range().shrink(3.0), rect.center().y, Stroke::new(1.0, theme.line));
}

fn button_ui(
    ui: &mut Ui,
    theme: &Theme,
    active: bool,
    label: &str,
    icon: impl FnOnce(&Painter, Rect, Color32),
) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(BUTTON, BUTTON), egui::Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, active, label));
    let corner = f32::from(size::CORNER);
    if active {
        ui.painter().rect_filled(rect, corner, theme.selection);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, corner, theme.hover);
    }
    if response.has_focus() {
        let stroke = Stroke::new(1.0, theme.accent);
        ui.painter().rect_stroke(rect, corner, stroke, egui::StrokeKind::Inside);
    }
    let ink = if active { theme.accent } else { theme.text };
    icon(ui.painter(), Rect::from_center_size(rect.center(), vec2(16.0, 16.0)), ink);
    response
}

/// A stroke that is as heavy as the letters beside it.
fn pen(ink: Color32) -> Stroke {
    Stroke::new(1.5, ink)
}

fn select_icon(painter: &Painter, rect: Rect, ink: Color32) {
    let at = |x: f32, y: f32| rect.min + vec2(x, y);
    let arrow = [
        (3.5, 1.0),
        (3.5, 13.0),
        (6.6, 10.2),
        (8.7, 14.8),
        (10.8, 13.8),
        (8.8, 9.4),
        (12.8, 9.0),
        (3.5, 1.0),
    ];
    painter.line(arrow.iter().map(|(x, y)| at(*x, *y)).collect(), Stroke::new(1.3, ink));
}

fn move_icon(painter: &Painter, rect: Rect, ink: Color32) {
    let middle = rect.center();
    for out in [vec2(1.0, 0.0), vec2(-1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, -1.0)] {
        let (tip, side) = (middle + out * 7.6, out.rot90());
        painter.line_segment([middle, tip], pen(ink));
        painter.line_segment([tip, tip - out * 2.8 + side * 2.4], pen(ink));
        painter.line_segment([tip, tip - out * 2.8 - side * 2.4], pen(ink));
    }
}

fn rotate_icon(painter: &Painter, rect: Rect, ink: Color32) {
    let middle = rect.center();
    let on = |degrees: f32| middle + 6.4 * egui::Vec2::angled(degrees.to_radians());
    let arc: Vec<_> = (0..=28).map(|step| on(-60.0 + step as f32 * 10.0)).collect();
    painter.line(arc, pen(ink));
    let (tip, toward) = (on(-60.0), egui::Vec2::angled((-150.0_f32).to_radians()));
    painter.line_segment([tip, tip - toward.rot90() * 3.2 + toward * 1.0], pen(ink));
    painter.line_segment([tip, tip + toward * 3.4 + toward.rot90() * 0.6], pen(ink));
}

fn scale_icon(painter: &Painter, rect: Rect, ink: Color32) {
    let small = Rect::from_min_max(pos2(rect.left() + 1.0, rect.top() + 8.5), rect.min + vec2(7.5, 15.0));
    painter.rect_stroke(small, 1.0, pen(ink), egui::StrokeKind::Middle);
    let tip = rect.min + vec2(14.6, 1.4);
    painter.line_segment([rect.min + vec2(8.6, 7.4), tip], pen(ink));
    painter.line_segment([tip, tip + vec2(-4.6, 0.0)], pen(ink));
    painter.line_segment([tip, tip + vec2(0.0, 4.6)], pen(ink));
}

fn globe_icon(painter: &Painter, rect: Rect, ink: Color32) {
    let (middle, stroke) = (rect.center(), Stroke::new(1.2, ink));
    painter.circle_stroke(middle, 6.8, stroke);
    painter.hline(middle.x - 6.8..=middle.x + 6.8, middle.y, stroke);
    painter.add(egui::Shape::ellipse_stroke(middle, vec2(3.0, 6.8), stroke));
}

fn cube_icon(painter: &Painter, rect: Rect, ink: Color32) {
    let at = |x: f32, y: f32| rect.min + vec2(x, y);
    let stroke = Stroke::new(1.2, ink);
    let rim = [(8.0, 1.0), (14.2, 4.4), (14.2, 11.6), (8.0, 15.0), (1.8, 11.6), (1.8, 4.4), (8.0, 1.0)];
    painter.line(rim.iter().map(|(x, y)| at(*x, *y)).collect(), stroke);
    painter.line(vec![at(1.8, 4.4), at(8.0, 7.8), at(14.2, 4.4)], stroke);
    painter.line_segment([at(8.0, 7.8), at(8.0, 15.0)], stroke);
}

fn magnet_icon(painter: &Painter, rect: Rect, ink: Color32) {
    let middle = rect.min + vec2(8.0, 9.0);
    let bow = |radius: f32| -> Vec<egui::Pos2> {
        let arc =
            (0..=12).map(|step| middle + radius * egui::Vec2::angled(step as f32 * 15.0_f32.to_radians()));
        let mut line = vec![pos2(middle.x + radius, rect.top() + 1.5)];
        line.extend(arc);
        line.push(pos2(middle.x - radius, rect.top() + 1.5));
        line
    };
    let stroke = Stroke::new(1.3, ink);
    painter.line(bow(6.2), stroke);
    painter.line(bow(2.6), stroke);
    for side in [-1.0, 1.0] {
        for y in [1.5, 5.0] {
            let ends = [middle.x + side * 2.6, middle.x + side * 6.2].map(|x| pos2(x, rect.top() + y));
            painter.line_segment(ends, stroke);
        }
    }
}

/// What a camera sees, from above: narrow near the eye, or as wide everywhere.
fn frustum_icon(painter: &Painter, rect: Rect, ink: Color32, orthographic: bool) {
    let at = |x: f32, y: f32| rect.min + vec2(x, y);
    let near = if orthographic { 6.0 } else { 2.6 };
    let corners = [(8.0 - 6.0, 2.0), (8.0 + 6.0, 2.0), (8.0 + near, 14.0), (8.0 - near, 14.0), (2.0, 2.0)];
    let stroke = Stroke::new(1.3, ink);
    painter.line(corners.iter().map(|(x, y)| at(*x, *y)).collect(), stroke);
    let middle = (6.0 + near) * 0.5;
    painter.line_segment([at(8.0 - middle, 8.0), at(8.0 + middle, 8.0)], stroke);
}
