//! The areas of the window, in the order in which they are drawn: a key walks from one to the next.
//!
//! Each area has one widget that stands for it: the first button of a bar, the panel itself. Whoever draws it notes it
//! here; while a pass is drawn, the list of the pass before is complete.

use egui::{Context, Id, Rect};
use framewalk_inspector::theme::Theme;

use crate::viewport::port::Port;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Area {
    id: Id,
    rect: Rect,
}

#[derive(Clone, Debug, Default)]
struct Areas {
    pass: u64,
    now: Vec<Area>,
    before: Vec<Area>,
}

/// Where the list is kept between two passes: one for each window of the system.
fn place(ctx: &Context) -> Id {
    Id::unique(("framewalk_areas", ctx.viewport_id()))
}

/// This area has been drawn here; `id` is the widget that gets the keyboard for it.
pub fn note(ctx: &Context, id: Id, rect: Rect) {
    let (place, pass) = (place(ctx), ctx.cumulative_pass_nr());
    ctx.data_mut(|data| {
        let areas: &mut Areas = data.get_temp_mut_or_default(place);
        if areas.pass != pass {
            areas.before = std::mem::take(&mut areas.now);
            areas.pass = pass;
        }
        if areas.now.iter().all(|area| area.id != id) {
            areas.now.push(Area { id, rect });
        }
    });
}

/// Gives the keyboard to the area after or before the one that has it.
pub fn walk(ctx: &Context, forward: bool) {
    let areas: Areas = ctx.data(|data| data.get_temp(place(ctx)).unwrap_or_default());
    let areas = if areas.now.is_empty() { areas.before } else { areas.now };
    let focused = ctx.memory(egui::Memory::focused);
    let rect = focused.and_then(|id| ctx.read_response(id)).map(|response| response.rect);
    if let Some(next) = next_of(&areas, focused, rect, forward) {
        ctx.memory_mut(|memory| memory.request_focus(next));
        ctx.request_repaint();
    }
}

/// Shows where the keyboard is: a ring around the widget that has it, whatever the widget itself does about it. Called
/// when all is drawn. A picture has a ring of its own, which says whose the keys are.
pub fn ring(ctx: &Context) {
    let Some(id) =
        ctx.memory(egui::Memory::focused).filter(|id| ![Port::Scene.id(), Port::Camera.id()].contains(id))
    else {
        return;
    };
    let Some(response) = ctx.read_response(id) else { return };
    let theme = if ctx.global_style().visuals.dark_mode { Theme::dark() } else { Theme::light() };
    let painter = ctx.layer_painter(response.layer_id);
    let seen = response.interact_rect.intersect(response.rect);
    if seen.is_positive() {
        let stroke = egui::Stroke::new(1.5, theme.accent);
        painter.rect_stroke(seen, 2.0, stroke, egui::StrokeKind::Inside);
    }
}

/// The widget that stands for the next area: after the one that is focused, or in which the focused widget lies.
fn next_of(areas: &[Area], focused: Option<Id>, rect: Option<Rect>, forward: bool) -> Option<Id> {
    let holds = |area: &&Area| rect.is_some_and(|rect| area.rect.contains(rect.center()));
    let own = areas.iter().position(|area| Some(area.id) == focused);
    let at = own.or_else(|| {
        let smallest = areas.iter().filter(holds).min_by(|a, b| a.rect.area().total_cmp(&b.rect.area()))?;
        areas.iter().position(|area| area == smallest)
    });
    let next = match (at, forward) {
        (Some(at), true) => (at + 1) % areas.len(),
        (Some(at), false) => (at + areas.len() - 1) % areas.len(),
        (None, true) => 0,
        (None, false) => areas.len().checked_sub(1)?,
    };
    areas.get(next).map(|area| area.id)
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    fn area(name: &str, left: f32) -> Area {
        let rect = Rect::from_min_max(pos2(left, 0.0), pos2(left + 10.0, 10.0));
        Area { id: Id::unique(name), rect }
    }

    #[test]
    fn the_walk_goes_round_and_starts_where_the_keyboard_is() {
        let areas = [area("a", 0.0), area("b", 10.0), area("c", 20.0)];
        let next = |focused: Option<&str>, rect: Option<Rect>, forward| {
            let next = next_of(&areas, focused.map(Id::unique), rect, forward)?;
            areas.iter().position(|area| area.id == next)
        };
        assert_eq!(next(None, None, true), Some(0));
        assert_eq!(next(None, None, false), Some(2));
        assert_eq!(next(Some("a"), None, true), Some(1));
        assert_eq!(next(Some("c"), None, true), Some(0));
        assert_eq!(next(Some("a"), None, false), Some(2));
        let inside_b = Rect::from_min_max(pos2(12.0, 2.0), pos2(14.0, 4.0));
        assert_eq!(next(Some("a button in b"), Some(inside_b), true), Some(2));
        assert_eq!(next_of(&[], None, None, true), None);
    }
}
