//! The mouse of a window as the game's. The picture fills the window: a place in one is a place in the other.

use framewalk_runtime::input::{InputKind, Key};
use winit::event::{MouseButton, MouseScrollDelta, WindowEvent};

use crate::viewport::game_mouse::PIXELS_A_LINE;

/// What the game is told of this event; `None` where it is no mouse's, or one that no game reads.
#[must_use]
pub fn from_window(event: &WindowEvent) -> Option<InputKind> {
    match event {
        WindowEvent::CursorMoved { position, .. } => {
            Some(InputKind::Pointer([position.x, position.y].map(|pixel| pixel.floor() as i32)))
        }
        WindowEvent::MouseInput { state, button, .. } => {
            let key = match button {
                MouseButton::Left => Key::MouseLeft,
                MouseButton::Right => Key::MouseRight,
                MouseButton::Middle => Key::MouseMiddle,
                _ => return None,
            };
            Some(if state.is_pressed() { InputKind::KeyDown(key) } else { InputKind::KeyUp(key) })
        }
        WindowEvent::MouseWheel { delta, .. } => {
            let lines = match delta {
                MouseScrollDelta::LineDelta(_, lines) => f64::from(*lines),
                MouseScrollDelta::PixelDelta(pixels) => pixels.y / f64::from(PIXELS_A_LINE),
            };
            Some(InputKind::Wheel((lines * 1000.0).round() as i32))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use winit::dpi::PhysicalPosition;
    use winit::event::{DeviceId, ElementState, TouchPhase};

    #[test]
    fn places_buttons_and_wheel_reach_the_game() {
        let device_id = DeviceId::dummy();
        let moved = WindowEvent::CursorMoved { device_id, position: PhysicalPosition::new(12.7, -0.2) };
        assert_eq!(from_window(&moved), Some(InputKind::Pointer([12, -1])));
        let press = |button, state| WindowEvent::MouseInput { device_id, state, button };
        for (button, key) in [
            (MouseButton::Left, Key::MouseLeft),
            (MouseButton::Right, Key::MouseRight),
            (MouseButton::Middle, Key::MouseMiddle),
        ] {
            assert_eq!(from_window(&press(button, ElementState::Pressed)), Some(InputKind::KeyDown(key)));
            assert_eq!(from_window(&press(button, ElementState::Released)), Some(InputKind::KeyUp(key)));
        }
        assert_eq!(from_window(&press(MouseButton::Back, ElementState::Pressed)), None);
        let wheel = |delta| WindowEvent::MouseWheel { device_id, delta, phase: TouchPhase::Moved };
        assert_eq!(
            from_window(&wheel(MouseScrollDelta::LineDelta(0.0, -1.0))),
            Some(InputKind::Wheel(-1000))
        );
        let pixels = MouseScrollDelta::PixelDelta(PhysicalPosition::new(0.0, 30.0));
        assert_eq!(from_window(&wheel(pixels)), Some(InputKind::Wheel(1500)));
        assert_eq!(from_window(&WindowEvent::Focused(true)), None);
    }
}
