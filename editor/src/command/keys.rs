//! The keys that commands have at first, where they come by the dozen: one a panel, one a place to look from.

use egui::{Key, KeyboardShortcut, Modifiers};

use crate::panels::Pane;
use crate::viewport::camera::Side;
use crate::viewport::gizmo::Tool;

/// The first key of a command, and one more where people expect it.
pub type Keys = &'static [KeyboardShortcut];

pub(super) const fn key(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

pub(super) const fn with(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(modifiers, key)
}

const DIGITS: [Key; 9] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];
pub(super) static GO_KEYS: [[KeyboardShortcut; 1]; 9] = digit_keys(Modifiers::SHIFT);
pub(super) static KEEP_KEYS: [[KeyboardShortcut; 1]; 9] =
    digit_keys(Modifiers::COMMAND.plus(Modifiers::SHIFT));

const fn digit_keys(modifiers: Modifiers) -> [[KeyboardShortcut; 1]; 9] {
    let mut keys = [[with(modifiers, Key::Num1)]; 9];
    let mut digit = 0;
    while digit < DIGITS.len() {
        keys[digit] = [with(modifiers, DIGITS[digit])];
        digit += 1;
    }
    keys
}

pub(super) fn place_keys(keys: &'static [[KeyboardShortcut; 1]; 9], place: u8) -> Keys {
    let key = usize::from(place).checked_sub(1).and_then(|digit| keys.get(digit));
    key.map_or(&[], |key| key)
}

pub(super) const fn tool_keys(tool: Tool) -> Keys {
    match tool {
        Tool::Select => const { &[key(Key::Q)] },
        Tool::Move => const { &[key(Key::W)] },
        Tool::Rotate => const { &[key(Key::E)] },
        Tool::Scale => const { &[key(Key::R)] },
    }
}

/// The next tab or the one before, as browsers and editors of text have it.
pub(super) const fn scene_keys(forward: bool) -> Keys {
    if forward {
        const { &[with(Modifiers::COMMAND, Key::Tab), with(Modifiers::COMMAND, Key::PageDown)] }
    } else {
        const {
            &[
                with(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Tab),
                with(Modifiers::COMMAND, Key::PageUp),
            ]
        }
    }
}

/// A digit looks from a side, with Ctrl from the opposite one.
pub(super) const fn side_keys(side: Side) -> Keys {
    match side {
        Side::Front => const { &[key(Key::Num1)] },
        Side::Back => const { &[with(Modifiers::COMMAND, Key::Num1)] },
        Side::Right => const { &[key(Key::Num3)] },
        Side::Left => const { &[with(Modifiers::COMMAND, Key::Num3)] },
        Side::Top => const { &[key(Key::Num7)] },
        Side::Bottom => const { &[with(Modifiers::COMMAND, Key::Num7)] },
    }
}

/// Alt and a digit bring a panel to the front, in the order of their first places.
pub(super) const fn panel_keys(pane: Pane) -> Keys {
    match pane {
        Pane::Outliner => const { &[with(Modifiers::ALT, Key::Num1)] },
        Pane::Scene => const { &[with(Modifiers::ALT, Key::Num2)] },
        Pane::Properties => const { &[with(Modifiers::ALT, Key::Num3)] },
        Pane::Strip => const { &[with(Modifiers::ALT, Key::Num4)] },
        Pane::Stages => const { &[with(Modifiers::ALT, Key::Num5)] },
        Pane::Timeline => const { &[with(Modifiers::ALT, Key::Num6)] },
        Pane::Record => const { &[with(Modifiers::ALT, Key::Num7)] },
        Pane::Log => const { &[with(Modifiers::ALT, Key::Num8)] },
        Pane::Pacing => const { &[with(Modifiers::ALT, Key::Num9)] },
        Pane::Handoff => const { &[with(Modifiers::ALT, Key::Num0)] },
        Pane::Camera
        | Pane::Project
        | Pane::History
        | Pane::Problems
        | Pane::Histogram
        | Pane::Threads
        | Pane::Compare => &[],
    }
}
