//! Paints the handles over the picture, with the numbers of a drag beside them.

use egui::{Color32, Pos2, Shape, Stroke, Ui, pos2};
use framewalk_inspector::theme::Theme;
use glam::Vec2;

use super::drag::Change;
use super::handles::{Drawn, Mark, drawn, hit};
use super::{Axis, Gizmo, Handle, Held, Sight, Stand, Tool};

/// The handle under the pointer, as it is seen now.
#[must_use]
pub fn under(gizmo: &Gizmo, stand: &Stand, sight: &Sight, at: Vec2) -> Option<Handle> {
    hit(&drawn(gizmo.tool, stand, sight), at)
}

/// How much of the handles is seen while something behind them is to be seen.
const FAINT: f32 = 0.4;

/// Draws the handles of what is selected; of a drag, the one that is held, and its numbers. Faint ones let see what is
/// behind them, until the pointer is on them.
pub fn ui(
    ui: &Ui,
    theme: &Theme,
    gizmo: &Gizmo,
    (stand, sight): (&Stand, &Sight),
    hovered: Option<Handle>,
    is_faint: bool,
) {
    let rect = egui::Rect::from_min_size(point(sight.min), egui::vec2(sight.size.x, sight.size.y));
    let mut painter = ui.painter().with_clip_rect(rect);
    let held = gizmo.held.as_ref();
    if is_faint && held.is_none() && hovered.is_none() {
        painter.multiply_opacity(FAINT);
    }
    let stand = held.map_or(*stand, |held| followed(held, sight));
    if let Some(held) = held {
        trace(&painter, theme, held, sight);
    }
    let lit = held.map(|held| held.drag.handle).or(hovered);
    for handle in drawn(gizmo.tool, &stand, sight) {
        let is_lit = lit == Some(handle.handle);
        // While one is held the others would only be in the way.
        if held.is_some() && !is_lit {
            continue;
        }
        paint(&painter, theme, gizmo.tool, &handle, is_lit);
    }
    if let Some(held) = held {
        numbers(ui, &painter, theme, held, &stand, sight);
    }
}

/// The handles go along with what they move, and turn and grow with it where they lie along its own axes.
fn followed(held: &Held, sight: &Sight) -> Stand {
    let stand = held.drag.stand;
    let center = match held.change {
        Change::Move(by) => stand.center + by,
        Change::Turn { .. } | Change::Scale(_) => stand.center,
    };
    Stand::at(center, stand.axes, sight).unwrap_or(stand)
}

fn color(theme: &Theme, handle: Handle) -> Color32 {
    match handle {
        Handle::Axis(axis) | Handle::Plane(axis) => axis_color(theme, axis),
        Handle::Screen => theme.text,
    }
}

/// As beside the numbers in the properties: x, y and z.
pub fn axis_color(theme: &Theme, axis: Axis) -> Color32 {
    match axis {
        Axis::X => theme.drop,
        Axis::Y => theme.ok,
        Axis::Z => theme.accent,
    }
}

fn paint(painter: &egui::Painter, theme: &Theme, tool: Tool, handle: &Drawn, is_lit: bool) {
    let own = color(theme, handle.handle);
    let color = if is_lit { theme.late.lerp_to_gamma(theme.outline, 0.35) } else { own };
    let outer = tool == Tool::Rotate && handle.handle == Handle::Screen;
    let width = match (is_lit, outer) {
        (true, _) => 3.4,
        (false, true) => 1.4,
        (false, false) => 2.4,
    };
    // A dark rim keeps the handles apart from whatever is behind them.
    let rim = theme.bg0.gamma_multiply(if outer { 0.4 } else { 0.6 });
    for mark in &handle.marks {
        match mark {
            Mark::Line(line) => {
                let line: Vec<Pos2> = line.iter().copied().map(point).collect();
                painter.add(Shape::line(line.clone(), Stroke::new(width + 1.6, rim)));
                let color = if outer && !is_lit { color.gamma_multiply(0.6) } else { color };
                painter.add(Shape::line(line, Stroke::new(width, color)));
            }
            Mark::Area(corners) => {
                let corners: Vec<Pos2> = corners.iter().copied().map(point).collect();
                let plane = matches!(handle.handle, Handle::Plane(_));
                let fill = match (plane, is_lit) {
                    (true, false) => color.gamma_multiply(0.32),
                    (true, true) => color.gamma_multiply(0.62),
                    (false, _) => color,
                };
                let edge = if plane { Stroke::new(1.2, color) } else { Stroke::new(0.8, rim) };
                painter.add(Shape::convex_polygon(corners, fill, edge));
            }
            Mark::Circle(middle, radius) => {
                let fill = color.gamma_multiply(if is_lit { 0.6 } else { 0.22 });
                painter.circle(point(*middle), *radius, fill, Stroke::new(3.2, rim));
                painter.circle_stroke(point(*middle), *radius, Stroke::new(1.6, color));
            }
        }
    }
}

/// Where the drag began: a line to there, or the slice that was turned.
fn trace(painter: &egui::Painter, theme: &Theme, held: &Held, sight: &Sight) {
    let stand = &held.drag.stand;
    let faint = Stroke::new(1.2, theme.text.gamma_multiply(0.55));
    if let Change::Move(by) = held.change
        && let Some((from, to)) = sight.place(stand.center).zip(sight.place(stand.center + by))
    {
        painter.extend(Shape::dashed_line(&[point(from), point(to)], faint, 4.0, 3.0));
        painter.circle_stroke(point(from), 3.0, faint);
    }
    if let (Change::Move(by), Handle::Axis(axis)) = (held.change, held.drag.handle) {
        // The line along which it can go.
        let (direction, middle) = (stand.direction(axis), stand.center + by);
        let far = |part: f32| sight.place(middle + direction * (stand.length * part));
        let ends = [far(-8.0).or_else(|| far(-2.0)), far(8.0).or_else(|| far(2.0))];
        if let [Some(a), Some(b)] = ends {
            let line = Stroke::new(1.0, axis_color(theme, axis).gamma_multiply(0.5));
            painter.line_segment([point(a), point(b)], line);
        }
    }
    if let (Change::Turn { degrees, .. }, Some((normal, start, _))) = (held.change, held.drag.slice()) {
        let color = color(theme, held.drag.handle);
        let outer = held.drag.handle == Handle::Screen;
        let radius = stand.length * if outer { super::handles::OUTER_RING } else { 1.0 };
        let turned = degrees.to_radians().clamp(-std::f32::consts::TAU, std::f32::consts::TAU);
        let pieces = ((turned.abs() / 0.06).ceil() as usize).clamp(1, 110);
        let on = |piece: usize| {
            let angle = turned * piece as f32 / pieces as f32;
            let out = glam::Quat::from_axis_angle(normal, angle) * start;
            sight.place(stand.center + out * radius)
        };
        let Some(middle) = sight.place(stand.center) else { return };
        for piece in 0..pieces {
            if let (Some(a), Some(b)) = (on(piece), on(piece + 1)) {
                let corners = vec![point(middle), point(a), point(b)];
                painter.add(Shape::convex_polygon(corners, color.gamma_multiply(0.20), Stroke::NONE));
            }
        }
        for end in [on(0), on(pieces)].into_iter().flatten() {
            painter.line_segment([point(middle), point(end)], Stroke::new(1.4, color));
        }
    }
}

/// The numbers of the drag, on a plate beside the handles.
fn numbers(ui: &Ui, painter: &egui::Painter, theme: &Theme, held: &Held, stand: &Stand, sight: &Sight) {
    let Some(at) = sight.place(stand.center) else { return };
    let text = held.drag.text(&held.change);
    let galley = painter.layout_no_wrap(text.clone(), Theme::figure_font(ui), theme.text);
    let size = galley.size() + egui::vec2(14.0, 8.0);
    let (low, high) = (sight.min, sight.min + sight.size);
    let wanted = at + Vec2::new(super::LENGTH * 0.35, super::LENGTH * 1.22);
    let room = (high - Vec2::new(size.x, size.y) - 4.0).max(low);
    let place = egui::Rect::from_min_size(point(wanted.clamp(low, room)), size);
    painter.rect(
        place,
        4.0,
        theme.bg1.gamma_multiply(0.94),
        Stroke::new(1.0, theme.line),
        egui::StrokeKind::Inside,
    );
    painter.galley(place.min + egui::vec2(7.0, 4.0), galley, theme.text);
    // Read by screen readers, and by tests.
    let response = ui.interact(place, egui::Id::unique("framewalk_gizmo_numbers"), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &text));
}

fn point(at: Vec2) -> Pos2 {
    pos2(at.x, at.y)
}
