//! Several gamepads as one player's keys and sticks. Pure: no system, no device, no clock.
//!
//! A button is down while it is held on any of them. Sticks and triggers are those of one gamepad alone: the one that was
//! moved last. One that lies on a table and trembles moves nothing.

use framewalk_runtime::input::axes::{Axis, Tilt, stick};
use framewalk_runtime::input::{InputKind, Key, KeySet};

/// What happened on a gamepad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PadEvent {
    Down(Key),
    Up(Key),
    /// Its way across (part 0, positive to the right) or up (part 1), −1 to 1, with the noise of its middle.
    Stick(Stick, usize, f32),
    /// 0 let go, 1 pressed home.
    Trigger(Axis, f32),
    /// It was pulled out, or its battery is empty: it can let nothing go any more.
    Gone,
    /// Nothing to a game.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stick {
    Left,
    Right,
}

impl Stick {
    const fn axes(self) -> [Axis; 2] {
        match self {
            Self::Left => [Axis::LeftX, Axis::LeftY],
            Self::Right => [Axis::RightX, Axis::RightY],
        }
    }
}

/// Of each axis, in the order of the enum.
type Tilts = [Tilt; Axis::COUNT];

const AXES: [Axis; Axis::COUNT] =
    [Axis::LeftX, Axis::LeftY, Axis::RightX, Axis::RightY, Axis::LeftTrigger, Axis::RightTrigger];

/// What is held on all gamepads, and what a game knows of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hands {
    pads: Vec<Pad>,
    // Whose sticks and triggers count.
    steering: Option<usize>,
    sent: Tilts,
    heard: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Pad {
    id: usize,
    held: KeySet,
    sticks: [[f32; 2]; 2],
    tilts: Tilts,
}

impl Hands {
    /// Takes what waits in `next`, each with the number of its gamepad, and says to `sink` what that is to a game.
    ///
    /// What happened before a game listened is not told to it afterwards. When it begins to listen it learns where sticks
    /// and triggers are; a button that is held then counts from its next press on, as a key does.
    pub fn pass_on(
        &mut self,
        heard: bool,
        mut next: impl FnMut() -> Option<(usize, PadEvent)>,
        mut sink: impl FnMut(InputKind),
    ) {
        if self.heard != heard {
            // Who took the focus away has let everything go.
            (self.heard, self.sent) = (false, Tilts::default());
        }
        while let Some((pad, event)) = next() {
            self.take(pad, event, &mut sink);
        }
        self.heard = heard;
        self.tell_tilts(&mut sink);
    }

    fn take(&mut self, id: usize, event: PadEvent, sink: &mut impl FnMut(InputKind)) {
        match event {
            PadEvent::Down(key) => {
                self.pad(id).held.insert(key);
                // Down on another one too, it changes nothing.
                self.tell(InputKind::KeyDown(key), sink);
            }
            PadEvent::Up(key) => {
                self.pad(id).held.remove(key);
                self.let_go(key, sink);
            }
            PadEvent::Stick(which, part, way) => {
                let pad = self.pad(id);
                pad.sticks[which as usize][part] = way;
                let tilts = stick(pad.sticks[which as usize]);
                self.tilt(id, which.axes().into_iter().zip(tilts), sink);
            }
            PadEvent::Trigger(axis, way) => self.tilt(id, [(axis, Tilt::new(way))], sink),
            PadEvent::Gone => self.gone(id, sink),
            PadEvent::Other => {}
        }
    }

    /// What was held on it alone is let go, and nothing else: who plays with keys goes on.
    fn gone(&mut self, id: usize, sink: &mut impl FnMut(InputKind)) {
        let Some(at) = self.pads.iter().position(|pad| pad.id == id) else { return };
        let gone = self.pads.swap_remove(at);
        for key in gone.held.iter() {
            self.let_go(key, sink);
        }
        if self.steering == Some(id) {
            self.steering = None;
            self.tell_tilts(sink);
        }
    }

    /// Up, where no gamepad holds it any more.
    fn let_go(&self, key: Key, sink: &mut impl FnMut(InputKind)) {
        if !self.pads.iter().any(|pad| pad.held.contains(key)) {
            self.tell(InputKind::KeyUp(key), sink);
        }
    }

    fn tilt(
        &mut self,
        id: usize,
        tilts: impl IntoIterator<Item = (Axis, Tilt)>,
        sink: &mut impl FnMut(InputKind),
    ) {
        let pad = self.pad(id);
        let mut moved = false;
        for (axis, tilt) in tilts {
            let before = std::mem::replace(&mut pad.tilts[axis as usize], tilt);
            moved |= before != tilt && tilt != Tilt::ZERO;
        }
        if moved {
            self.steering = Some(id);
        }
        self.tell_tilts(sink);
    }

    /// Whatever of the sticks and triggers that count a game does not know yet.
    fn tell_tilts(&mut self, sink: &mut impl FnMut(InputKind)) {
        if !self.heard {
            return;
        }
        let steering = self.steering.and_then(|id| self.pads.iter().find(|pad| pad.id == id));
        let tilts = steering.map_or_else(Tilts::default, |pad| pad.tilts);
        for axis in AXES {
            let tilt = tilts[axis as usize];
            if std::mem::replace(&mut self.sent[axis as usize], tilt) != tilt {
                sink(InputKind::Tilt(axis, tilt));
            }
        }
    }

    fn tell(&self, kind: InputKind, sink: &mut impl FnMut(InputKind)) {
        if self.heard {
            sink(kind);
        }
    }

    fn pad(&mut self, id: usize) -> &mut Pad {
        let at = self.pads.iter().position(|pad| pad.id == id).unwrap_or_else(|| {
            self.pads.push(Pad { id, ..Pad::default() });
            self.pads.len() - 1
        });
        &mut self.pads[at]
    }
}

#[cfg(test)]
mod tests {
    use framewalk_runtime::input::{InputEvent, InputState, TickInput};
    use framewalk_runtime::time::Nanos;

    use super::*;

    const NOTHING: [&str; 0] = [];
    const SOUTH: PadEvent = PadEvent::Down(Key::PadSouth);
    const SOUTH_UP: PadEvent = PadEvent::Up(Key::PadSouth);

    const fn left(across: f32) -> PadEvent {
        PadEvent::Stick(Stick::Left, 0, across)
    }

    const fn right(across: f32) -> PadEvent {
        PadEvent::Stick(Stick::Right, 0, across)
    }

    /// Gamepads, and the game they are played with.
    struct Played {
        hands: Hands,
        game: InputState,
        heard: bool,
    }

    impl Played {
        fn new() -> Self {
            let mut played = Self { hands: Hands::default(), game: InputState::default(), heard: true };
            assert_eq!(played.take(&[]), NOTHING);
            played
        }

        /// What a game is told of these events.
        fn take(&mut self, events: &[(usize, PadEvent)]) -> Vec<String> {
            let mut waiting = events.iter().copied();
            let mut told = Vec::new();
            let game = &mut self.game;
            self.hands.pass_on(
                self.heard,
                || waiting.next(),
                |kind| {
                    game.apply(&InputEvent { at: Nanos::ZERO, kind });
                    told.push(kind.to_string());
                },
            );
            told
        }

        fn key(&mut self, kind: InputKind) {
            self.game.apply(&InputEvent { at: Nanos::ZERO, kind });
        }

        /// The focus goes away, or comes back.
        fn focus(&mut self, has_it: bool) {
            self.heard = has_it;
            if !has_it {
                self.key(InputKind::ReleaseAll);
            }
        }

        /// Across and up, in thousandths, as the next tick is steered.
        fn steering(&mut self) -> [i32; 2] {
            self.tick().steering().map(|way| (way * 1_000.0).round() as i32)
        }

        fn tick(&mut self) -> TickInput {
            self.game.take_tick_input()
        }
    }

    fn keys(keys: &[Key]) -> KeySet {
        keys.iter().copied().collect()
    }

    #[test]
    fn a_button_is_pressed_held_and_let_go_each_seen_by_one_tick() {
        let mut played = Played::new();
        assert_eq!(played.take(&[(0, SOUTH)]), ["PadSouth down"]);
        let south = keys(&[Key::PadSouth]);
        let tick = played.tick();
        assert_eq!((tick.pressed, tick.held), (south, south));
        let tick = played.tick();
        assert_eq!((tick.pressed, tick.held), (KeySet::EMPTY, south));
        assert_eq!(played.take(&[(0, SOUTH_UP), (0, PadEvent::Other)]), ["PadSouth up"]);
        assert_eq!(played.tick().released, south);
        assert_eq!(played.tick(), TickInput::default());
    }

    #[test]
    fn a_tap_between_two_looks_is_a_press_and_a_release() {
        let mut played = Played::new();
        assert_eq!(played.take(&[(0, SOUTH), (0, SOUTH_UP)]), ["PadSouth down", "PadSouth up"]);
        assert_eq!(played.tick().pressed, keys(&[Key::PadSouth]));
    }

    #[test]
    fn a_stick_that_trembles_in_its_middle_says_nothing_and_one_that_is_tilted_says_it_once() {
        let mut played = Played::new();
        assert_eq!(played.take(&[(0, left(0.1)), (0, left(-0.15))]), NOTHING);
        assert_eq!(played.take(&[(0, left(1.0)), (0, left(1.0))]), ["LeftX 1"]);
        assert_eq!(played.take(&[(0, PadEvent::Stick(Stick::Right, 1, 1.0))]), ["RightY 1"]);
        assert_eq!(played.take(&[(0, left(0.05))]), ["LeftX 0"]);
        // Half of the way that is left outside of its middle.
        assert_eq!(played.take(&[(0, left(-0.575))]), ["LeftX -0.5"]);
        assert_eq!(played.take(&[(0, left(f32::NAN))]), ["LeftX 0"]);
    }

    #[test]
    fn a_trigger_is_tilted_as_far_as_it_is_pressed() {
        let mut played = Played::new();
        let trigger = |way| (0, PadEvent::Trigger(Axis::RightTrigger, way));
        let told = played.take(&[trigger(0.25), trigger(1.0), trigger(7.0), trigger(0.0)]);
        assert_eq!(told, ["RightTrigger 0.25", "RightTrigger 1", "RightTrigger 0"]);
    }

    #[test]
    fn of_two_gamepads_the_one_moved_last_steers_alone_with_both_its_sticks() {
        let mut played = Played::new();
        played.take(&[(0, left(1.0)), (0, right(-1.0)), (0, PadEvent::Trigger(Axis::LeftTrigger, 0.5))]);
        let down = (1, PadEvent::Stick(Stick::Left, 1, -1.0));
        assert_eq!(played.take(&[down]), ["LeftX 0", "LeftY -1", "RightX 0", "LeftTrigger 0"]);
        // And back, with all that is still held there.
        assert_eq!(
            played.take(&[(0, left(0.575))]),
            ["LeftX 0.5", "LeftY 0", "RightX -1", "LeftTrigger 0.5"]
        );
    }

    #[test]
    fn a_gamepad_that_lies_on_the_table_and_trembles_takes_no_stick_from_the_one_in_hand() {
        let mut played = Played::new();
        played.take(&[(0, left(1.0))]);
        assert_eq!(played.take(&[(1, left(0.02)), (1, right(-0.1)), (1, left(0.0))]), NOTHING);
        assert_eq!(played.steering(), [1_000, 0]);
    }

    #[test]
    fn a_button_held_on_two_gamepads_goes_up_with_the_second() {
        let mut played = Played::new();
        played.take(&[(0, SOUTH), (1, SOUTH)]);
        assert_eq!(played.take(&[(1, SOUTH_UP)]), NOTHING);
        assert_eq!(played.tick().held, keys(&[Key::PadSouth]));
        assert_eq!(played.take(&[(0, SOUTH_UP)]), ["PadSouth up"]);
    }

    #[test]
    fn a_gamepad_that_is_pulled_out_lets_go_what_it_held_and_nothing_else() {
        let mut played = Played::new();
        played.key(InputKind::KeyDown(Key::W));
        let start = PadEvent::Down(Key::PadStart);
        played.take(&[(0, SOUTH), (0, start), (0, left(1.0)), (1, SOUTH)]);
        assert_eq!(played.take(&[(0, PadEvent::Gone)]), ["PadStart up", "LeftX 0"]);
        played.tick();
        assert_eq!(played.tick().held, keys(&[Key::W, Key::PadSouth]), "a key, and the other gamepad");
        assert_eq!(played.take(&[(0, PadEvent::Gone), (7, PadEvent::Gone)]), NOTHING);
        assert_eq!(played.take(&[(1, PadEvent::Gone)]), ["PadSouth up"]);
    }

    #[test]
    fn one_that_comes_back_begins_with_nothing_held() {
        let mut played = Played::new();
        played.take(&[(0, SOUTH), (0, left(1.0)), (0, PadEvent::Gone)]);
        assert_eq!(played.take(&[(0, SOUTH_UP), (0, left(0.0))]), ["PadSouth up"], "up already: no edge");
        played.tick();
        assert_eq!(played.take(&[(0, SOUTH), (0, left(-1.0))]), ["PadSouth down", "LeftX -1"]);
        assert_eq!(played.tick().pressed, keys(&[Key::PadSouth]));
    }

    #[test]
    fn the_gamepad_that_steers_not_being_the_one_pulled_out_steers_on() {
        let mut played = Played::new();
        played.take(&[(0, left(1.0)), (1, left(-1.0))]);
        assert_eq!(played.take(&[(0, PadEvent::Gone)]), NOTHING);
        assert_eq!(played.steering(), [-1_000, 0]);
    }

    #[test]
    fn what_happens_while_the_focus_is_elsewhere_is_not_told_afterwards() {
        let mut played = Played::new();
        played.take(&[(0, SOUTH), (0, left(1.0))]);
        played.focus(false);
        assert_eq!(played.take(&[(0, SOUTH_UP), (0, SOUTH), (0, left(0.575))]), NOTHING);
        played.tick();
        assert_eq!(played.tick(), TickInput::default());
        // It comes back: presses that wait still are of before; the stick is where it is.
        played.focus(true);
        let start = PadEvent::Down(Key::PadStart);
        assert_eq!(played.take(&[(0, start)]), ["LeftX 0.5"]);
        assert_eq!(played.take(&[(0, SOUTH_UP)]), ["PadSouth up"]);
        assert_eq!(played.take(&[(0, SOUTH)]), ["PadSouth down"]);
        assert_eq!(played.tick().pressed, keys(&[Key::PadSouth]));
    }

    #[test]
    fn a_stick_let_go_while_the_focus_is_elsewhere_stands_in_its_middle_afterwards() {
        let mut played = Played::new();
        played.take(&[(0, left(1.0))]);
        played.focus(false);
        assert_eq!(played.take(&[(0, left(0.0))]), NOTHING);
        played.focus(true);
        assert_eq!(played.take(&[]), NOTHING);
        assert_eq!(played.steering(), [0, 0]);
    }
}
