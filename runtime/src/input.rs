//! Keys, buttons, sticks and the mouse: events in, held keys and edges out; an edge is seen by exactly one tick.

pub mod axes;
pub mod keys;
pub mod waiting;

pub use axes::{Axis, Tilt};
pub use keys::{Key, KeyError, KeySet};

use crate::time::Nanos;
use std::fmt;

/// What happened, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputEvent {
    /// When it arrived, on the monotonic clock.
    pub at: Nanos,
    pub kind: InputKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// A repeat of a key that is down changes nothing.
    KeyDown(Key),
    KeyUp(Key),
    /// Stays so until it is tilted anew.
    Tilt(Axis, Tilt),
    /// Where the mouse is, in pixels from the top left of the picture.
    Pointer([i32; 2]),
    /// Thousandths of a line that the wheel was turned; positive away from the person.
    Wheel(i32),
    /// Every held key goes up and every stick to its middle: the focus went away, or events were lost.
    ReleaseAll,
}

/// One readable line, as stage 1 lists it.
impl fmt::Display for InputKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KeyDown(key) => write!(f, "{key} down"),
            Self::KeyUp(key) => write!(f, "{key} up"),
            Self::Tilt(axis, tilt) => write!(f, "{axis} {tilt}"),
            Self::Pointer([x, y]) => write!(f, "pointer at {x}, {y}"),
            Self::Wheel(thousandths) => write!(f, "wheel {}", f64::from(*thousandths) / 1000.0),
            Self::ReleaseAll => f.write_str("all keys up"),
        }
    }
}

/// The keys as they are now, and the edges that no tick has seen yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputState {
    held: KeySet,
    pressed: KeySet,
    released: KeySet,
    tilts: Tilts,
    // The left stick went back to its middle since the last tick.
    stick_let_go: bool,
    pointer: Option<[i32; 2]>,
    // Turned since the last tick.
    wheel: i32,
    // When the oldest event arrived that no tick has seen yet.
    unseen_since: Option<Nanos>,
}

impl InputState {
    pub fn apply(&mut self, event: &InputEvent) {
        self.unseen_since = self.unseen_since.or(Some(event.at));
        match event.kind {
            InputKind::KeyDown(key) => {
                if !self.held.contains(key) {
                    self.pressed.insert(key);
                }
                self.held.insert(key);
            }
            InputKind::KeyUp(key) => {
                if self.held.contains(key) {
                    self.released.insert(key);
                }
                self.held.remove(key);
            }
            InputKind::Tilt(axis, tilt) => {
                let tilted = self.left_stick_tilted();
                self.tilts[axis as usize] = tilt;
                self.stick_let_go |= tilted && !self.left_stick_tilted();
            }
            InputKind::Pointer(at) => self.pointer = Some(at),
            InputKind::Wheel(thousandths) => self.wheel = self.wheel.saturating_add(thousandths),
            InputKind::ReleaseAll => self.release_all(),
        }
    }

    /// What the next tick sees. Edges are handed out once; held keys again and again.
    ///
    /// A key that went down and up since the last tick counts as held for this one, so that no tap is lost.
    pub fn take_tick_input(&mut self) -> TickInput {
        let input = TickInput {
            held: self.held.union(self.pressed),
            pressed: self.pressed,
            released: self.released,
            tilts: self.tilts,
            stick_let_go: std::mem::take(&mut self.stick_let_go),
            pointer: self.pointer,
            wheel: std::mem::take(&mut self.wheel),
            since: self.unseen_since.take(),
        };
        self.pressed = KeySet::EMPTY;
        self.released = KeySet::EMPTY;
        input
    }

    #[must_use]
    pub const fn held(&self) -> KeySet {
        self.held
    }

    /// How far a stick or a trigger is tilted now.
    #[must_use]
    pub const fn tilt(&self, axis: Axis) -> Tilt {
        self.tilts[axis as usize]
    }

    /// Where the mouse is now, in pixels from the top left of the picture; `None` before it was ever there.
    #[must_use]
    pub const fn pointer(&self) -> Option<[i32; 2]> {
        self.pointer
    }

    /// Every held key goes up and every stick to its middle; the next tick sees that.
    pub fn release_all(&mut self) {
        self.released = self.released.union(self.held);
        self.held = KeySet::EMPTY;
        self.stick_let_go |= self.left_stick_tilted();
        self.tilts = Tilts::default();
    }

    /// Forgets held keys and edges alike.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn left_stick_tilted(&self) -> bool {
        [Axis::LeftX, Axis::LeftY].into_iter().any(|axis| self.tilt(axis) != Tilt::ZERO)
    }
}

/// Of each axis, in the order of the enum.
pub type Tilts = [Tilt; Axis::COUNT];

/// The keys as one tick sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickInput {
    /// Down now, or tapped since the last tick.
    pub held: KeySet,
    /// Went down since the last tick.
    pub pressed: KeySet,
    /// Went up since the last tick.
    pub released: KeySet,
    /// Now, of each axis.
    pub tilts: Tilts,
    /// The left stick went back to its middle since the last tick.
    pub stick_let_go: bool,
    /// Where the mouse is, in pixels from the top left of the picture.
    pub pointer: Option<[i32; 2]>,
    /// Thousandths of a line that the wheel was turned since the last tick.
    pub wheel: i32,
    /// When the oldest event arrived that this tick is the first to see.
    pub since: Option<Nanos>,
}

impl TickInput {
    /// The edges this tick sees, downs first, each in the order of the keys.
    pub fn edges(&self) -> impl Iterator<Item = InputKind> + use<> {
        self.pressed.iter().map(InputKind::KeyDown).chain(self.released.iter().map(InputKind::KeyUp))
    }

    /// −1, 0 or 1: one key against its opposite.
    #[must_use]
    pub fn axis(&self, negative: Key, positive: Key) -> f64 {
        f64::from(u8::from(self.held.contains(positive))) - f64::from(u8::from(self.held.contains(negative)))
    }

    /// Where somebody steers: right and up, 1 long at most. Arrow keys, or a gamepad's cross, or its left stick, which goes
    /// less far where it is tilted less.
    #[must_use]
    pub fn steering(&self) -> [f64; 2] {
        let cross = |negative: [Key; 2], positive: [Key; 2]| {
            let [a, b] = [0, 1].map(|idx| self.axis(negative[idx], positive[idx]));
            (a + b).clamp(-1.0, 1.0)
        };
        let x = cross([Key::ArrowLeft, Key::PadLeft], [Key::ArrowRight, Key::PadRight]);
        let y = cross([Key::ArrowDown, Key::PadDown], [Key::ArrowUp, Key::PadUp]);
        match (x != 0.0, y != 0.0) {
            (false, false) => [Axis::LeftX, Axis::LeftY].map(|axis| self.tilts[axis as usize].value()),
            (true, true) => [x, y].map(|part| part * std::f64::consts::FRAC_1_SQRT_2),
            _ => [x, y],
        }
    }

    /// Something that steers was let go since the last tick.
    #[must_use]
    pub fn let_go_of_steering(&self) -> bool {
        use Key::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, PadDown, PadLeft, PadRight, PadUp};
        let keys = [ArrowLeft, ArrowRight, ArrowUp, ArrowDown, PadLeft, PadRight, PadUp, PadDown];
        self.stick_let_go || keys.into_iter().any(|key| self.released.contains(key))
    }

    /// Somebody jumps: Space, a gamepad's lower button, or a click.
    #[must_use]
    pub fn jumps(&self) -> bool {
        [Key::Space, Key::PadSouth, Key::MouseLeft].into_iter().any(|key| self.pressed.contains(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: InputKind) -> InputEvent {
        InputEvent { at: Nanos::ZERO, kind }
    }

    fn keys(keys: &[Key]) -> KeySet {
        keys.iter().copied().collect()
    }

    #[test]
    fn a_tap_between_two_ticks_is_seen_once_as_pressed_and_held() {
        let mut state = InputState::default();
        state.apply(&event(InputKind::KeyDown(Key::Space)));
        state.apply(&event(InputKind::KeyUp(Key::Space)));
        let space = keys(&[Key::Space]);
        let since = Some(Nanos::ZERO);
        assert_eq!(
            state.take_tick_input(),
            TickInput { held: space, pressed: space, released: space, since, ..TickInput::default() }
        );
        assert_eq!(state.take_tick_input(), TickInput::default());
    }

    #[test]
    fn an_edge_is_kept_until_a_tick_comes_and_not_repeated_by_the_next() {
        let mut state = InputState::default();
        state.apply(&event(InputKind::KeyDown(Key::ArrowRight)));
        // Frames without a tick ask for nothing.
        assert_eq!(state.held(), keys(&[Key::ArrowRight]));
        let right = keys(&[Key::ArrowRight]);
        assert_eq!(
            state.take_tick_input(),
            TickInput { held: right, pressed: right, since: Some(Nanos::ZERO), ..TickInput::default() }
        );
        assert_eq!(state.take_tick_input(), TickInput { held: right, ..TickInput::default() });
    }

    #[test]
    fn a_tick_knows_how_long_the_oldest_event_it_sees_has_waited() {
        let mut state = InputState::default();
        for (millis, kind) in [(3, InputKind::KeyDown(Key::W)), (5, InputKind::KeyUp(Key::W))] {
            state.apply(&InputEvent { at: Nanos::from_millis(millis), kind });
        }
        assert_eq!(state.take_tick_input().since, Some(Nanos::from_millis(3)));
        assert_eq!(state.take_tick_input().since, None);
    }

    #[test]
    fn a_repeated_key_down_is_no_edge() {
        let mut state = InputState::default();
        state.apply(&event(InputKind::KeyDown(Key::W)));
        state.take_tick_input();
        state.apply(&event(InputKind::KeyDown(Key::W)));
        assert!(state.take_tick_input().pressed.is_empty());
    }

    #[test]
    fn an_up_of_a_key_that_was_not_down_is_no_edge() {
        let mut state = InputState::default();
        state.apply(&event(InputKind::KeyUp(Key::W)));
        assert!(state.take_tick_input().edges().next().is_none());
    }

    #[test]
    fn release_all_lifts_every_held_key_once() {
        let mut state = InputState::default();
        state.apply(&event(InputKind::KeyDown(Key::A)));
        state.apply(&event(InputKind::KeyDown(Key::D)));
        state.take_tick_input();
        state.apply(&event(InputKind::ReleaseAll));
        let input = state.take_tick_input();
        assert_eq!(input.released, keys(&[Key::A, Key::D]));
        assert!(input.held.is_empty());
        assert_eq!(state.take_tick_input(), TickInput::default());
    }

    #[test]
    fn keys_steer_whole_and_a_stick_as_far_as_it_is_tilted() {
        let held = |names: &[Key]| TickInput { held: keys(names), ..TickInput::default() };
        let half = std::f64::consts::FRAC_1_SQRT_2;
        for (input, steering) in [
            (held(&[]), [0.0, 0.0]),
            (held(&[Key::ArrowRight]), [1.0, 0.0]),
            (held(&[Key::ArrowRight, Key::PadRight]), [1.0, 0.0]),
            (held(&[Key::ArrowRight, Key::PadLeft]), [0.0, 0.0]),
            (held(&[Key::ArrowLeft, Key::PadUp]), [-half, half]),
            (held(&[Key::ArrowUp, Key::ArrowDown]), [0.0, 0.0]),
        ] {
            assert_eq!(input.steering(), steering, "{input:?}");
        }
        let mut state = InputState::default();
        state.apply(&event(InputKind::Tilt(Axis::LeftX, Tilt::new(0.25))));
        assert_eq!(state.take_tick_input().steering(), [0.25, 0.0]);
        assert_eq!(state.take_tick_input().steering(), [0.25, 0.0], "a stick stays where it is");
        state.apply(&event(InputKind::Tilt(Axis::LeftX, Tilt::ZERO)));
        let let_go = state.take_tick_input();
        assert!(let_go.let_go_of_steering() && let_go.steering() == [0.0, 0.0]);
        assert!(!state.take_tick_input().let_go_of_steering(), "seen by exactly one tick");
    }

    #[test]
    fn a_wheel_is_summed_up_for_one_tick_and_a_pointer_stays() {
        let mut state = InputState::default();
        for kind in [InputKind::Wheel(500), InputKind::Pointer([3, 4]), InputKind::Wheel(-2_000)] {
            state.apply(&event(kind));
        }
        let input = state.take_tick_input();
        assert_eq!((input.wheel, input.pointer), (-1_500, Some([3, 4])));
        let input = state.take_tick_input();
        assert_eq!((input.wheel, input.pointer), (0, Some([3, 4])));
    }

    #[test]
    fn release_all_lets_a_tilted_stick_go_once() {
        let mut state = InputState::default();
        state.apply(&event(InputKind::Tilt(Axis::LeftY, Tilt::new(-1.0))));
        state.take_tick_input();
        state.apply(&event(InputKind::ReleaseAll));
        let input = state.take_tick_input();
        assert!(input.stick_let_go && input.steering() == [0.0, 0.0]);
        assert!(!state.take_tick_input().stick_let_go);
    }

    #[test]
    fn every_kind_of_event_reads_as_one_line() {
        for (kind, line) in [
            (InputKind::KeyDown(Key::PadSouth), "PadSouth down"),
            (InputKind::Tilt(Axis::LeftX, Tilt::new(-0.5)), "LeftX -0.5"),
            (InputKind::Pointer([12, 7]), "pointer at 12, 7"),
            (InputKind::Wheel(-1_500), "wheel -1.5"),
            (InputKind::ReleaseAll, "all keys up"),
        ] {
            assert_eq!(kind.to_string(), line);
        }
    }

    #[test]
    fn edges_read_downs_first() {
        let input = TickInput {
            pressed: keys(&[Key::Space]),
            released: keys(&[Key::ArrowLeft]),
            ..TickInput::default()
        };
        let names: Vec<String> = input.edges().map(|edge| edge.to_string()).collect();
        assert_eq!(names, ["Space down", "ArrowLeft up"]);
    }
}
