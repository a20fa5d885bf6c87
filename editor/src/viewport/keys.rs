//! Keys of the window and of egui as keys of the game, by place on the keyboard.

use framewalk_runtime::input::{InputEvent, InputKind, Key};
use framewalk_runtime::time::Nanos;
use winit::keyboard::{KeyCode, PhysicalKey};

/// A key event of the window; `None` for repeats and keys that no game reads.
#[must_use]
pub fn from_window(event: &winit::event::KeyEvent, at: Nanos) -> Option<InputEvent> {
    if event.repeat {
        return None;
    }
    let PhysicalKey::Code(code) = event.physical_key else { return None };
    let key = match code {
        KeyCode::ArrowLeft => Key::ArrowLeft,
        KeyCode::ArrowRight => Key::ArrowRight,
        KeyCode::ArrowUp => Key::ArrowUp,
        KeyCode::ArrowDown => Key::ArrowDown,
        KeyCode::Space => Key::Space,
        KeyCode::Enter => Key::Enter,
        KeyCode::ShiftLeft | KeyCode::ShiftRight => Key::Shift,
        KeyCode::KeyW => Key::W,
        KeyCode::KeyA => Key::A,
        KeyCode::KeyS => Key::S,
        KeyCode::KeyD => Key::D,
        KeyCode::KeyE => Key::E,
        KeyCode::KeyQ => Key::Q,
        KeyCode::KeyF => Key::F,
        KeyCode::KeyR => Key::R,
        KeyCode::Digit1 => Key::Digit1,
        KeyCode::Digit2 => Key::Digit2,
        KeyCode::Digit3 => Key::Digit3,
        _ => return None,
    };
    Some(event_of(key, event.state.is_pressed(), at))
}

/// A key event of egui's, where no window delivers it; `None` for repeats and keys that no game reads.
#[must_use]
pub fn from_egui(event: &egui::Event, at: Nanos) -> Option<InputEvent> {
    match event {
        egui::Event::Key { key, pressed, repeat: false, .. } => Some(event_of(of_egui(*key)?, *pressed, at)),
        _ => None,
    }
}

fn of_egui(key: egui::Key) -> Option<Key> {
    Some(match key {
        egui::Key::ArrowLeft => Key::ArrowLeft,
        egui::Key::ArrowRight => Key::ArrowRight,
        egui::Key::ArrowUp => Key::ArrowUp,
        egui::Key::ArrowDown => Key::ArrowDown,
        egui::Key::Space => Key::Space,
        egui::Key::Enter => Key::Enter,
        egui::Key::W => Key::W,
        egui::Key::A => Key::A,
        egui::Key::S => Key::S,
        egui::Key::D => Key::D,
        egui::Key::E => Key::E,
        egui::Key::Q => Key::Q,
        egui::Key::F => Key::F,
        egui::Key::R => Key::R,
        egui::Key::Num1 => Key::Digit1,
        egui::Key::Num2 => Key::Digit2,
        egui::Key::Num3 => Key::Digit3,
        _ => return None,
    })
}

const fn event_of(key: Key, pressed: bool, at: Nanos) -> InputEvent {
    InputEvent { at, kind: if pressed { InputKind::KeyDown(key) } else { InputKind::KeyUp(key) } }
}
