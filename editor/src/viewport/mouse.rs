//! What the mouse does over a picture: looking, flying, selecting, giving the game its keys.

use egui::{Key, PointerButton, Pos2, Rect, Response, Ui, Vec2};
use framewalk_runtime::render::picture::PictureItem;
use framewalk_runtime::scene::EntityId;

use super::camera::CameraMove;
use super::{Frame, Port, Viewport, ViewportFacts, picking};
use crate::command::Action;
use crate::document::selection::SelectionChange;

/// Turns what the mouse does over the picture into actions. Only the scene's panel can be flown through.
#[expect(clippy::too_many_arguments, reason = "one call, from one place, of what that place has at hand")]
pub(super) fn ui(
    ui: &Ui,
    rect: Rect,
    frame: Option<Frame>,
    response: &Response,
    viewport: &Viewport,
    port: Port,
    facts: &ViewportFacts<'_>,
    actions: &mut Vec<Action>,
) {
    let gives_keys = facts.live && !facts.game_has_keys;
    if response.clicked() || response.drag_started() {
        response.request_focus();
    }
    if response.has_focus() {
        // The arrow keys, Tab and Esc are the game's while it has the keyboard, not egui's. Else Tab leads on.
        let game = facts.game_has_keys;
        let filter =
            egui::EventFilter { tab: game, horizontal_arrows: true, vertical_arrows: game, escape: game };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(port.id(), filter));
    }
    if port == Port::Scene {
        move_camera(ui, rect, response, actions);
    }
    let (alt, more) =
        ui.input(|input| (input.modifiers.alt, input.modifiers.command || input.modifiers.shift));
    if response.clicked_by(PointerButton::Primary) && !alt {
        let picked = response
            .interact_pointer_pos()
            .zip(frame)
            .and_then(|(at, frame)| pick(viewport, facts, &frame, at));
        // A click that gives the game the keys is not meant for the floor: it selects bodies only.
        let is_meant = !gives_keys || picked.is_some_and(|id| is_simulated(viewport, id));
        if !is_meant {
            return;
        }
        match picked {
            // With Ctrl or Shift a click adds one, or lets go of it; beside everything it means nothing.
            Some(id) if more => actions.push(Action::ChangeSelection(SelectionChange::Toggle(id))),
            None if more => {}
            picked if facts.selected.ids() != picked.as_slice() => actions.push(Action::Select(picked)),
            _ => {}
        }
    }
}

/// Right button: look around and fly. Middle: orbit, with Shift pan. Wheel: zoom.
fn move_camera(ui: &Ui, rect: Rect, response: &Response, actions: &mut Vec<Action>) {
    let travel = |delta: Vec2| glam::vec2(delta.x, delta.y);
    let (alt, shift) = ui.input(|input| (input.modifiers.alt, input.modifiers.shift));
    if response.dragged_by(PointerButton::Secondary) {
        let delta = response.drag_delta();
        if delta != Vec2::ZERO {
            actions.push(Action::Camera(CameraMove::Look(travel(delta))));
        }
        fly(ui, shift, actions);
    } else if response.dragged_by(PointerButton::Middle) && shift {
        actions.push(Action::Camera(CameraMove::Pan(travel(response.drag_delta() / rect.height().max(1.0)))));
    } else if response.dragged_by(PointerButton::Middle)
        || (alt && response.dragged_by(PointerButton::Primary))
    {
        let delta = response.drag_delta();
        if delta != Vec2::ZERO {
            actions.push(Action::Camera(CameraMove::Orbit(travel(delta))));
        }
    }
    if response.hovered() {
        let wheel = ui.input(|input| input.smooth_scroll_delta().y);
        if wheel != 0.0 {
            actions.push(Action::Camera(CameraMove::Zoom(wheel / 50.0)));
        }
    }
}

/// While the right button is held: W A S D, and E and Q for up and down.
fn fly(ui: &Ui, fast: bool, actions: &mut Vec<Action>) {
    let (direction, seconds) = ui.input(|input| {
        let axis = |plus, minus| f32::from(input.key_down(plus)) - f32::from(input.key_down(minus));
        let direction = glam::vec3(axis(Key::D, Key::A), axis(Key::E, Key::Q), axis(Key::W, Key::S));
        (direction, input.stable_dt.min(0.1))
    });
    if direction != glam::Vec3::ZERO {
        actions.push(Action::Camera(CameraMove::Fly { direction, seconds, fast }));
        ui.ctx().request_repaint();
    }
}

fn is_simulated(viewport: &Viewport, id: EntityId) -> bool {
    viewport.picture().and_then(|picture| picture.item(id)).is_some_and(|item| item.simulated)
}

fn pick(viewport: &Viewport, facts: &ViewportFacts<'_>, frame: &Frame, at: Pos2) -> Option<EntityId> {
    let picture = viewport.picture()?;
    let free = |item: &&PictureItem| facts.live || !facts.locked.contains(&item.entity);
    let items = picture.items.iter().filter(free);
    let things = items.filter_map(|item| Some((item.entity, item.drawn, item.look.shape()?.kind)));
    picking::nearest(&frame.ray(at), things).map(|(id, _)| id)
}
