//! Gamepads, as the game's keys and sticks. Where there is none, or no way to ask, nothing happens.

use framewalk_runtime::input::axes::{Axis, Tilt, stick};
use framewalk_runtime::input::{InputKind, Key};
use gilrs::{EventType, Gilrs};

/// All gamepads together: whoever holds one plays.
pub struct Gamepads {
    // None where the system gives no gamepads.
    system: Option<Gilrs>,
    hands: Hands,
}

impl Gamepads {
    /// Asks the system for its gamepads, those too that are plugged in later.
    #[must_use]
    pub fn open() -> Self {
        let system = match Gilrs::new() {
            Ok(system) => Some(system),
            Err(error) => {
                tracing::info!(target: "framewalk", %error, "no gamepads");
                None
            }
        };
        for (_, pad) in system.iter().flat_map(Gilrs::gamepads) {
            tracing::info!(target: "framewalk", name = pad.name(), "gamepad_connected");
        }
        Self { system, hands: Hands::default() }
    }

    /// Passes what has happened since the last call to `sink`. It does not wait.
    pub fn poll(&mut self, mut sink: impl FnMut(InputKind)) {
        let Some(system) = &mut self.system else { return };
        while let Some(event) = system.next_event() {
            if event.event == EventType::Connected {
                let pad = system.gamepad(event.id);
                tracing::info!(target: "framewalk", name = pad.name(), "gamepad_connected");
            }
            self.hands.take(event.id.into(), event.event, &mut sink);
        }
    }
}

/// Where the sticks of the gamepad in use stand. Pure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Hands {
    // Whose sticks these are: the one that was moved last.
    pad: Option<usize>,
    sticks: [[f32; 2]; 2],
    sent: [[Tilt; 2]; 2],
}

const STICKS: [[Axis; 2]; 2] = [[Axis::LeftX, Axis::LeftY], [Axis::RightX, Axis::RightY]];

impl Hands {
    fn take(&mut self, pad: usize, event: EventType, sink: &mut impl FnMut(InputKind)) {
        match event {
            EventType::ButtonPressed(button, _) => {
                key_of(button).into_iter().for_each(|key| sink(InputKind::KeyDown(key)))
            }
            EventType::ButtonReleased(button, _) => {
                key_of(button).into_iter().for_each(|key| sink(InputKind::KeyUp(key)))
            }
            EventType::ButtonChanged(button, value, _) => {
                let axis = trigger_of(button);
                axis.into_iter().for_each(|axis| sink(InputKind::Tilt(axis, Tilt::new(value))));
            }
            EventType::AxisChanged(axis, value, _) => self.tilt(pad, axis, value, sink),
            EventType::Disconnected => self.gone(sink),
            _ => {}
        }
    }

    /// It can let nothing go any more.
    fn gone(&mut self, sink: &mut impl FnMut(InputKind)) {
        *self = Self::default();
        sink(InputKind::ReleaseAll);
    }

    fn tilt(&mut self, pad: usize, axis: gilrs::Axis, value: f32, sink: &mut impl FnMut(InputKind)) {
        let (which, part) = match axis {
            gilrs::Axis::LeftStickX => (0, 0),
            gilrs::Axis::LeftStickY => (0, 1),
            gilrs::Axis::RightStickX => (1, 0),
            gilrs::Axis::RightStickY => (1, 1),
            _ => return,
        };
        if self.pad.replace(pad) != Some(pad) {
            self.sticks = Default::default();
        }
        self.sticks[which][part] = value;
        let tilts = stick(self.sticks[which]);
        for idx in [0, 1] {
            if tilts[idx] != self.sent[which][idx] {
                sink(InputKind::Tilt(STICKS[which][idx], tilts[idx]));
            }
        }
        self.sent[which] = tilts;
    }
}

fn trigger_of(button: gilrs::Button) -> Option<Axis> {
    match button {
        gilrs::Button::LeftTrigger2 => Some(Axis::LeftTrigger),
        gilrs::Button::RightTrigger2 => Some(Axis::RightTrigger),
        _ => None,
    }
}

fn key_of(button: gilrs::Button) -> Option<Key> {
    Some(match button {
        gilrs::Button::South => Key::PadSouth,
        gilrs::Button::East => Key::PadEast,
        gilrs::Button::West => Key::PadWest,
        gilrs::Button::North => Key::PadNorth,
        gilrs::Button::LeftTrigger => Key::PadLeftShoulder,
        gilrs::Button::RightTrigger => Key::PadRightShoulder,
        gilrs::Button::Select => Key::PadSelect,
        gilrs::Button::Start => Key::PadStart,
        gilrs::Button::LeftThumb => Key::PadLeftStick,
        gilrs::Button::RightThumb => Key::PadRightStick,
        gilrs::Button::DPadUp => Key::PadUp,
        gilrs::Button::DPadDown => Key::PadDown,
        gilrs::Button::DPadLeft => Key::PadLeft,
        gilrs::Button::DPadRight => Key::PadRight,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tilted(hands: &mut Hands, pad: usize, axis: gilrs::Axis, value: f32) -> Vec<InputKind> {
        let mut events = Vec::new();
        hands.tilt(pad, axis, value, &mut |kind| events.push(kind));
        events
    }

    #[test]
    fn a_stick_that_trembles_in_its_middle_says_nothing_and_one_that_is_tilted_says_it_once() {
        let mut hands = Hands::default();
        assert_eq!(tilted(&mut hands, 0, gilrs::Axis::LeftStickX, 0.1), []);
        let full = InputKind::Tilt(Axis::LeftX, Tilt::new(1.0));
        assert_eq!(tilted(&mut hands, 0, gilrs::Axis::LeftStickX, 1.0), [full]);
        assert_eq!(tilted(&mut hands, 0, gilrs::Axis::LeftStickX, 1.0), []);
        assert_eq!(tilted(&mut hands, 0, gilrs::Axis::DPadX, 1.0), []);
        let up = InputKind::Tilt(Axis::RightY, Tilt::new(1.0));
        assert_eq!(tilted(&mut hands, 0, gilrs::Axis::RightStickY, 1.0), [up]);
        let back = InputKind::Tilt(Axis::LeftX, Tilt::ZERO);
        assert_eq!(tilted(&mut hands, 0, gilrs::Axis::LeftStickX, 0.05), [back]);
    }

    #[test]
    fn of_two_gamepads_the_one_moved_last_steers_alone() {
        let mut hands = Hands::default();
        tilted(&mut hands, 0, gilrs::Axis::LeftStickX, 1.0);
        let events = tilted(&mut hands, 1, gilrs::Axis::LeftStickY, -1.0);
        let expected = [(Axis::LeftX, 0.0), (Axis::LeftY, -1.0)];
        assert_eq!(events, expected.map(|(axis, tilt)| InputKind::Tilt(axis, Tilt::new(tilt))));
    }

    #[test]
    fn a_gamepad_that_is_pulled_out_lets_everything_go() {
        let mut hands = Hands::default();
        tilted(&mut hands, 0, gilrs::Axis::LeftStickX, 1.0);
        let mut events = Vec::new();
        hands.gone(&mut |kind| events.push(kind));
        assert_eq!((events, hands), (vec![InputKind::ReleaseAll], Hands::default()));
    }
}
