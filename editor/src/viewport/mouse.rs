//! What the mouse does over a picture while it is the editor's: looking, flying, selecting, giving the game its keys.

use egui::{Key, PointerButton, Pos2, Rect, Response, Ui, Vec2};
use framewalk_runtime::scene::EntityId;

use super::camera::CameraMove;
use super::gizmo::{Grip, paint};
use super::picking::Click;
use super::port::Port;
use super::{Frame, Viewport, ViewportFacts};
use crate::command::Action;
use crate::session::Phase;

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
    // A drag of the left button is the tool's, not the game's.
    let tool_begins = facts.live && response.drag_started_by(PointerButton::Primary);
    if response.clicked() || (response.drag_started() && !tool_begins) {
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
    let scene_frame = frame.filter(|_| port == Port::Scene);
    if let Some(frame) = scene_frame {
        use_tool(ui, &frame, response, viewport, facts, actions);
    }
    let on_handle = scene_frame
        .zip(response.interact_pointer_pos())
        .is_some_and(|(frame, at)| handle_at(viewport, &frame, facts, at).is_some());
    // Where the game has the mouse too, it is the game that is clicked.
    let is_the_games = port == Port::Camera && facts.game_has_mouse;
    if response.clicked_by(PointerButton::Primary) && !alt && !on_handle && !is_the_games {
        let spot = response.interact_pointer_pos().zip(frame).map(|(at, frame)| frame.spot(at));
        actions.push(Action::Click(Click { spot, more, bodies_only: gives_keys }));
    }
}

fn handle_at(
    viewport: &Viewport,
    frame: &Frame,
    facts: &ViewportFacts<'_>,
    at: Pos2,
) -> Option<(super::gizmo::Handle, super::gizmo::Stand)> {
    let (stand, sight) = viewport.handles(frame, facts)?;
    paint::under(&viewport.gizmo, &stand, &sight, glam::vec2(at.x, at.y)).map(|handle| (handle, stand))
}

/// Left button: a drag of a handle, else a box around what is to be selected.
fn use_tool(
    ui: &Ui,
    frame: &Frame,
    response: &Response,
    viewport: &Viewport,
    facts: &ViewportFacts<'_>,
    actions: &mut Vec<Action>,
) {
    let (gizmo, sight) = (&viewport.gizmo, frame.sight());
    let (origin, latest, modifiers) = ui.input(|input| {
        let pointer = &input.pointer;
        (pointer.press_origin(), pointer.latest_pos(), input.modifiers)
    });
    let dragged = response.dragged_by(PointerButton::Primary);
    let Some(at) = latest.map(|at| glam::vec2(at.x, at.y)) else { return };
    if let Some(held) = &gizmo.held {
        let snap = modifiers.command;
        // A playing world goes on under a pointer that stands still.
        if held.at != (at, snap) || facts.phase == Phase::Playing {
            actions.push(Action::Grip(Grip::Drag { sight, at, snap }));
        }
        if !dragged {
            actions.push(Action::Grip(Grip::LetGo));
        }
    } else if let Some((from, to)) = gizmo.selecting {
        if dragged {
            if to != at {
                actions.push(Action::Grip(Grip::Box(Some((from, at)))));
            }
        } else {
            actions.push(Action::Grip(Grip::Box(None)));
            let ids = within(viewport, facts, frame, from, at);
            actions.push(Action::SelectBox { ids, add: modifiers.command });
        }
    } else if response.drag_started_by(PointerButton::Primary) && !modifiers.alt {
        let Some(from) = origin else { return };
        match handle_at(viewport, frame, facts, from) {
            Some((handle, stand)) => {
                let from = glam::vec2(from.x, from.y);
                actions.push(Action::Grip(Grip::Take { handle, stand, sight, at: from }));
                actions.push(Action::Grip(Grip::Drag { sight, at, snap: modifiers.command }));
            }
            None => actions.push(Action::Grip(Grip::Box(Some((glam::vec2(from.x, from.y), at))))),
        }
    }
}

/// The things whose middle is seen in a box.
fn within(
    viewport: &Viewport,
    facts: &ViewportFacts<'_>,
    frame: &Frame,
    a: glam::Vec2,
    b: glam::Vec2,
) -> Vec<EntityId> {
    let (low, high) = (a.min(b), a.max(b));
    let sight = frame.sight();
    let inside = |at: glam::Vec2| at.cmpge(low).all() && at.cmple(high).all();
    let items = viewport.picture().into_iter().flat_map(|picture| picture.items.iter());
    let free = |id: EntityId| facts.live || !facts.locked.contains(&id);
    let shapes = items.filter(|item| item.look.is_something() && free(item.entity));
    let seen = shapes.filter(|item| sight.place(item.drawn.position).is_some_and(inside));
    let mut ids: Vec<EntityId> = seen.map(|item| item.entity).collect();
    // In Edit all of a crowd are one, and stand together.
    ids.dedup();
    ids
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
