//! Gamepads, as the game's keys and sticks. Where there is none, or no way to ask, nothing happens.

pub mod hands;

use framewalk_runtime::input::{Axis, InputKind, Key};
use gilrs::{EventType, Gilrs};

use hands::{Hands, PadEvent, Stick};

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

    /// Passes what has happened since the last call to `sink`, where the game is to hear of it. It does not wait.
    ///
    /// Not `heard`: the focus is elsewhere, and who took it away has let everything go. To be called all the same, so that
    /// nothing of it comes late.
    pub fn poll(&mut self, heard: bool, sink: impl FnMut(InputKind)) {
        let Some(system) = &mut self.system else { return };
        let next = || {
            let event = system.next_event()?;
            match event.event {
                EventType::Connected => {
                    tracing::info!(target: "framewalk", name = system.gamepad(event.id).name(), "gamepad_connected");
                }
                EventType::Disconnected => {
                    tracing::info!(target: "framewalk", name = system.gamepad(event.id).name(), "gamepad_gone");
                }
                _ => {}
            }
            Some((event.id.into(), pad_event(event.event)))
        };
        self.hands.pass_on(heard, next, sink);
    }
}

/// What an event of the system's is to a game.
fn pad_event(event: EventType) -> PadEvent {
    let found = match event {
        EventType::ButtonPressed(button, _) => key_of(button).map(PadEvent::Down),
        EventType::ButtonReleased(button, _) => key_of(button).map(PadEvent::Up),
        EventType::ButtonChanged(button, way, _) => {
            trigger_of(button).map(|trigger| PadEvent::Trigger(trigger, way))
        }
        EventType::AxisChanged(axis, way, _) => {
            stick_of(axis).map(|(stick, part)| PadEvent::Stick(stick, part, way))
        }
        EventType::Disconnected => Some(PadEvent::Gone),
        _ => None,
    };
    found.unwrap_or(PadEvent::Other)
}

/// Which stick, and whether it is its way across (0) or up (1).
fn stick_of(axis: gilrs::Axis) -> Option<(Stick, usize)> {
    Some(match axis {
        gilrs::Axis::LeftStickX => (Stick::Left, 0),
        gilrs::Axis::LeftStickY => (Stick::Left, 1),
        gilrs::Axis::RightStickX => (Stick::Right, 0),
        gilrs::Axis::RightStickY => (Stick::Right, 1),
        _ => return None,
    })
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

    #[test]
    fn every_button_a_game_knows_has_one_of_its_own_and_a_trigger_is_tilted_and_not_pressed() {
        use gilrs::Button;
        let buttons = [
            Button::South,
            Button::East,
            Button::West,
            Button::North,
            Button::LeftTrigger,
            Button::RightTrigger,
            Button::Select,
            Button::Start,
            Button::LeftThumb,
            Button::RightThumb,
            Button::DPadUp,
            Button::DPadDown,
            Button::DPadLeft,
            Button::DPadRight,
        ];
        let names = buttons.map(|button| key_of(button).map_or_else(String::new, |key| key.to_string()));
        assert_eq!(
            names,
            [
                "PadSouth",
                "PadEast",
                "PadWest",
                "PadNorth",
                "PadLeftShoulder",
                "PadRightShoulder",
                "PadSelect",
                "PadStart",
                "PadLeftStick",
                "PadRightStick",
                "PadUp",
                "PadDown",
                "PadLeft",
                "PadRight"
            ]
        );
        for (button, axis) in
            [(Button::LeftTrigger2, Axis::LeftTrigger), (Button::RightTrigger2, Axis::RightTrigger)]
        {
            assert_eq!((key_of(button), trigger_of(button)), (None, Some(axis)));
        }
        assert_eq!((key_of(Button::Mode), trigger_of(Button::South)), (None, None));
    }

    #[test]
    fn the_four_ways_of_two_sticks_are_told_apart_and_a_cross_is_no_stick() {
        use gilrs::Axis::{DPadX, LeftStickX, LeftStickY, LeftZ, RightStickX, RightStickY};
        let sticks = [LeftStickX, LeftStickY, RightStickX, RightStickY].map(stick_of);
        let expected = [(Stick::Left, 0), (Stick::Left, 1), (Stick::Right, 0), (Stick::Right, 1)];
        assert_eq!(sticks, expected.map(Some));
        assert_eq!([DPadX, LeftZ].map(stick_of), [None, None]);
    }

    #[test]
    fn where_the_system_has_no_gamepads_to_give_nothing_is_said() {
        let mut pads = Gamepads { system: None, hands: Hands::default() };
        pads.poll(true, |kind| panic!("{kind}"));
    }
}
