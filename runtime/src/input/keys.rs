//! What is pressed: its names, and sets of it.

use std::fmt;
use std::str::FromStr;

/// A key or a button that a game can see: of the keyboard, of the mouse, of a gamepad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Key {
    ArrowLeft,
    ArrowRight,
    ArrowUp,
    ArrowDown,
    Space,
    Enter,
    Shift,
    W,
    A,
    S,
    D,
    E,
    Q,
    F,
    R,
    Digit1,
    Digit2,
    Digit3,
    MouseLeft,
    MouseRight,
    MouseMiddle,
    /// Of the four under the right thumb, the lower one.
    PadSouth,
    PadEast,
    PadWest,
    PadNorth,
    PadLeftShoulder,
    PadRightShoulder,
    PadSelect,
    PadStart,
    PadLeftStick,
    PadRightStick,
    PadUp,
    PadDown,
    PadLeft,
    PadRight,
}

impl Key {
    /// Every key and its name, in the order of the enum.
    const NAMES: [(Self, &'static str); 35] = [
        (Self::ArrowLeft, "ArrowLeft"),
        (Self::ArrowRight, "ArrowRight"),
        (Self::ArrowUp, "ArrowUp"),
        (Self::ArrowDown, "ArrowDown"),
        (Self::Space, "Space"),
        (Self::Enter, "Enter"),
        (Self::Shift, "Shift"),
        (Self::W, "W"),
        (Self::A, "A"),
        (Self::S, "S"),
        (Self::D, "D"),
        (Self::E, "E"),
        (Self::Q, "Q"),
        (Self::F, "F"),
        (Self::R, "R"),
        (Self::Digit1, "1"),
        (Self::Digit2, "2"),
        (Self::Digit3, "3"),
        (Self::MouseLeft, "MouseLeft"),
        (Self::MouseRight, "MouseRight"),
        (Self::MouseMiddle, "MouseMiddle"),
        (Self::PadSouth, "PadSouth"),
        (Self::PadEast, "PadEast"),
        (Self::PadWest, "PadWest"),
        (Self::PadNorth, "PadNorth"),
        (Self::PadLeftShoulder, "PadLeftShoulder"),
        (Self::PadRightShoulder, "PadRightShoulder"),
        (Self::PadSelect, "PadSelect"),
        (Self::PadStart, "PadStart"),
        (Self::PadLeftStick, "PadLeftStick"),
        (Self::PadRightStick, "PadRightStick"),
        (Self::PadUp, "PadUp"),
        (Self::PadDown, "PadDown"),
        (Self::PadLeft, "PadLeft"),
        (Self::PadRight, "PadRight"),
    ];
    /// How many keys there are.
    pub const COUNT: usize = Self::NAMES.len();

    /// Every key, in the order of the enum.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::NAMES.iter().map(|(key, _)| *key)
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a text names no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{given:?} is no key: write ArrowLeft, ArrowRight, ArrowUp, ArrowDown, Space, Enter, Shift, \
         a letter of WASDEQFR, 1, 2, 3, MouseLeft, MouseRight, MouseMiddle, or a gamepad's PadSouth, PadEast, PadWest, \
         PadNorth, PadUp, PadDown, PadLeft, PadRight, PadLeftShoulder, PadRightShoulder, PadLeftStick, PadRightStick, \
         PadSelect, PadStart"
)]
pub struct KeyError {
    /// What was given.
    pub given: String,
}

/// A key's name in any case; an arrow also without the word `Arrow`, a letter or a digit also as browsers name them
/// (`KeyW`, `Digit1`).
impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let written = text.trim();
        let of_browsers = ["Key", "Digit"].iter().find_map(|prefix| written.strip_prefix(prefix));
        let given = of_browsers.filter(|rest| rest.len() == 1).unwrap_or(written);
        Self::NAMES
            .iter()
            .find(|(_, name)| {
                let short = name.strip_prefix("Arrow").unwrap_or(name);
                name.eq_ignore_ascii_case(given) || short.eq_ignore_ascii_case(given)
            })
            .map(|(key, _)| *key)
            .ok_or_else(|| KeyError { given: text.to_owned() })
    }
}

/// A set of keys, iterated in the order of the enum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeySet(u64);

impl KeySet {
    pub const EMPTY: Self = Self(0);

    #[must_use]
    pub const fn contains(self, key: Key) -> bool {
        self.0 & (1 << key as u64) != 0
    }

    pub const fn insert(&mut self, key: Key) {
        self.0 |= 1 << key as u64;
    }

    pub const fn remove(&mut self, key: Key) {
        self.0 &= !(1 << key as u64);
    }

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn iter(self) -> impl Iterator<Item = Key> {
        Key::all().filter(move |key| self.contains(*key))
    }
}

impl FromIterator<Key> for KeySet {
    fn from_iter<I: IntoIterator<Item = Key>>(keys: I) -> Self {
        let mut set = Self::EMPTY;
        keys.into_iter().for_each(|key| set.insert(key));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_to_the_same_key() {
        for key in Key::all() {
            assert_eq!(key.to_string().parse(), Ok(key));
        }
        assert_eq!("Right".parse(), Ok(Key::ArrowRight));
        assert_eq!("w".parse(), Ok(Key::W));
        assert_eq!("KeyW".parse(), Ok(Key::W));
        assert_eq!("Digit2".parse(), Ok(Key::Digit2));
        assert!("KeySpace".parse::<Key>().is_err());
        assert_eq!(Key::all().count(), Key::COUNT);
        assert!("Hyper".parse::<Key>().is_err());
    }
}
