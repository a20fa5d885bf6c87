//! How a bar of the strip is filled by what became of its frame, and the legend that says so.

use egui::{Align2, Color32, Mesh, Rect, Shape, Ui, pos2, vec2};

use super::RIGHT_MARGIN;
use crate::history::Outcome;
use crate::panels::marks;
use crate::theme::Theme;

/// Fills one bar.
pub(super) fn fill(mesh: &mut Mesh, body: Rect, outcome: Outcome, theme: &Theme) {
    match outcome {
        Outcome::Pending => hollow(mesh, body, theme.dim),
        Outcome::Undrawn => dotted(mesh, body, theme.undrawn),
        Outcome::OnTime => mesh.add_colored_rect(body, theme.ok.gamma_multiply(0.85)),
        Outcome::Late => mesh.add_colored_rect(body, theme.late),
        Outcome::Dropped => hatched(mesh, body, theme.drop),
        Outcome::Abandoned => hollow(mesh, body, theme.drop),
    }
}

/// Dropped: in stripes, never by colour alone.
fn hatched(mesh: &mut Mesh, body: Rect, color: Color32) {
    let mut bottom = body.bottom();
    while bottom > body.top() {
        let top = (bottom - 3.0).max(body.top());
        mesh.add_colored_rect(Rect::from_min_max(pos2(body.left(), top), pos2(body.right(), bottom)), color);
        bottom -= 4.5;
    }
}

/// Undrawn: in fine stripes, wider apart than those of a dropped frame.
fn dotted(mesh: &mut Mesh, body: Rect, color: Color32) {
    let mut bottom = body.bottom();
    while bottom > body.top() {
        let top = (bottom - 1.5).max(body.top());
        mesh.add_colored_rect(Rect::from_min_max(pos2(body.left(), top), pos2(body.right(), bottom)), color);
        bottom -= 4.0;
    }
}

/// Abandoned, and in another colour what is not drawn yet: only its frame.
fn hollow(mesh: &mut Mesh, body: Rect, color: Color32) {
    let edge = 1.0_f32.min(body.width() / 3.0);
    let (min, max) = (body.min, body.max);
    mesh.add_colored_rect(Rect::from_min_max(min, pos2(min.x + edge, max.y)), color);
    mesh.add_colored_rect(Rect::from_min_max(pos2(max.x - edge, min.y), max), color);
    mesh.add_colored_rect(Rect::from_min_max(min, pos2(max.x, min.y + 1.0)), color);
    mesh.add_colored_rect(Rect::from_min_max(pos2(min.x, max.y - 1.0), max), color);
}

/// What the bars of the free handoff are: there most frames of a high tick rate are never drawn, and that is no loss.
/// `has_pending`: some of those in view are not drawn yet.
pub(super) fn legend(ui: &Ui, rect: Rect, has_pending: bool, theme: &Theme) {
    let painter = ui.painter_at(rect);
    let mut right = rect.right() - RIGHT_MARGIN - 6.0;
    let mut mesh = Mesh::default();
    let words = [
        (Outcome::Pending, "not yet drawn"),
        (Outcome::Late, "late"),
        (Outcome::Undrawn, "undrawn"),
        (Outcome::OnTime, "drawn"),
    ];
    for (outcome, word) in
        words.into_iter().filter(|(outcome, _)| *outcome != Outcome::Pending || has_pending)
    {
        let galley = painter.layout_no_wrap(word.to_owned(), Theme::small_font(ui), theme.dim);
        let middle = rect.top() + 4.0 + galley.size().y / 2.0;
        let text = Align2::RIGHT_CENTER.anchor_size(pos2(right, middle), galley.size());
        let body = Rect::from_center_size(pos2(text.left() - 9.0, middle), vec2(8.0, 9.0));
        let plate = Rect::from_min_max(pos2(body.left() - 4.0, text.top()), pos2(right + 2.0, text.bottom()));
        painter.rect_filled(plate, 2.0, theme.bg1.gamma_multiply(0.85));
        painter.galley(text.min, galley, theme.dim);
        fill(&mut mesh, body, outcome, theme);
        marks::explained(ui, text, word);
        right = plate.left() - 6.0;
    }
    painter.add(Shape::mesh(mesh));
}
