//! What is tilted, not pressed: sticks and triggers, in whole thousandths, so that a run is the same everywhere.

use crate::time::decimal::decimal_nanos;
use std::fmt;
use std::str::FromStr;

/// A part of a gamepad that is moved by degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Axis {
    /// The left stick, positive to the right.
    LeftX,
    /// The left stick, positive upward.
    LeftY,
    RightX,
    RightY,
    /// The triggers: 0 let go, 1 pressed home.
    LeftTrigger,
    RightTrigger,
}

impl Axis {
    const NAMES: [(Self, &'static str); 6] = [
        (Self::LeftX, "LeftX"),
        (Self::LeftY, "LeftY"),
        (Self::RightX, "RightX"),
        (Self::RightY, "RightY"),
        (Self::LeftTrigger, "LeftTrigger"),
        (Self::RightTrigger, "RightTrigger"),
    ];
    /// How many there are.
    pub const COUNT: usize = Self::NAMES.len();

    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a text names no axis, or no tilt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AxisError {
    #[error("{0:?} is no axis: write LeftX, LeftY, RightX, RightY, LeftTrigger or RightTrigger")]
    Name(String),
    #[error("{0:?} is no tilt: write a number from -1 to 1 in steps of 0.001")]
    Tilt(String),
}

impl FromStr for Axis {
    type Err = AxisError;

    fn from_str(text: &str) -> Result<Self, AxisError> {
        let given = text.trim();
        let found = Self::NAMES.iter().find(|(_, name)| name.eq_ignore_ascii_case(given));
        found.map(|(axis, _)| *axis).ok_or_else(|| AxisError::Name(text.to_owned()))
    }
}

/// How far something is tilted: −1 to 1, in whole thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tilt(i16);

impl Tilt {
    pub const ZERO: Self = Self(0);
    const FULL: f32 = 1000.0;

    /// To the nearest thousandth; beyond −1 and 1 it is held, and what is no number is 0.
    #[must_use]
    pub fn new(value: f32) -> Self {
        // A cast of NaN is 0.
        Self((value.clamp(-1.0, 1.0) * Self::FULL).round() as i16)
    }

    #[must_use]
    pub fn value(self) -> f64 {
        f64::from(self.0) / f64::from(Self::FULL)
    }
}

impl fmt::Display for Tilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

impl FromStr for Tilt {
    type Err = AxisError;

    fn from_str(text: &str) -> Result<Self, AxisError> {
        let given = text.trim();
        let (sign, size) = given.strip_prefix('-').map_or((1, given), |size| (-1, size));
        // A decimal of three places, read as whole thousandths.
        let thousandths = decimal_nanos(size, 3).and_then(|size| i16::try_from(size.0).ok());
        thousandths
            .filter(|size| *size <= 1000)
            .map(|size| Self(sign * size))
            .ok_or_else(|| AxisError::Tilt(text.to_owned()))
    }
}

/// Within this part of its way a stick counts as let go: no stick rests exactly in its middle.
pub const DEADZONE: f32 = 0.15;

/// A stick's two tilts, from where it stands: 0 inside the deadzone, from there on even to 1 at its rim, in whatever
/// direction.
#[must_use]
pub fn stick(at: [f32; 2]) -> [Tilt; 2] {
    let [x, y] = at.map(|way| if way.is_finite() { way } else { 0.0 });
    let way = x.hypot(y);
    if way <= DEADZONE {
        return [Tilt::ZERO; 2];
    }
    let reach = ((way - DEADZONE) / (1.0 - DEADZONE)).min(1.0) / way;
    [Tilt::new(x * reach), Tilt::new(y * reach)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stick_is_dead_in_its_middle_and_full_at_its_rim_in_every_direction() {
        for (at, tilts) in [
            ([0.0, 0.0], [0, 0]),
            ([0.15, 0.0], [0, 0]),
            ([0.1, -0.1], [0, 0]),
            ([0.575, 0.0], [500, 0]),
            ([1.0, 0.0], [1000, 0]),
            ([0.0, -1.0], [0, -1000]),
            ([0.6, 0.8], [600, 800]),
            // A square rim goes no farther than a round one.
            ([1.0, 1.0], [707, 707]),
            ([f32::NAN, 1.0], [0, 1000]),
        ] {
            assert_eq!(stick(at), tilts.map(Tilt), "{at:?}");
        }
    }

    #[test]
    fn tilts_and_axes_read_back_to_the_same() {
        for (text, thousandths) in [("0", 0), ("1", 1000), ("-1", -1000), ("0.5", 500), ("-0.125", -125)] {
            assert_eq!(text.parse(), Ok(Tilt(thousandths)), "{text}");
            assert_eq!(Tilt(thousandths).to_string(), text);
        }
        for wrong in ["", "1.001", "2", "--1", "x", "NaN"] {
            assert_eq!(wrong.parse::<Tilt>(), Err(AxisError::Tilt(wrong.to_owned())), "{wrong}");
        }
        for (axis, name) in Axis::NAMES {
            assert_eq!(name.parse(), Ok(axis));
            assert_eq!(axis.name(), name);
        }
        assert!("Left".parse::<Axis>().is_err());
    }
}
