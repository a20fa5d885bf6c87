//! A project: which scenes belong together, and how they are run.

mod read;
mod write;

pub use read::{ProjectReading, parse_project, read_project};
pub use write::{update_project, write_project};

pub use crate::frame::record::HandoffMode;

use super::Unknown;
use super::fault::Fault;
use super::format::read::unknown_name;
use crate::time::decimal::decimal_nanos;
use crate::time::fixed_step::{DEFAULT_MAX_DELTA, MaxTicks};
use crate::time::{Nanos, Rate, Speed};

/// What `project.ron` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    pub name: String,
    /// What to look at, for people.
    pub about: String,
    /// Names of files in `scenes/`, without their ending; the first is opened and run. At least one, none twice.
    pub scenes: Vec<String>,
    pub tick_rate: Rate,
    /// A physics step spans so many ticks.
    pub physics_divisor: PhysicsDivisor,
    /// Where no display says its own.
    pub frame_rate: Rate,
    /// What sounds is looked after so often a second.
    pub audio_rate: Rate,
    pub handoff: HandoffMode,
    pub speed: Speed,
    pub limits: Limits,
    /// Settings that this version does not know.
    pub unknown: Vec<Unknown>,
}

impl Project {
    pub const AUDIO_RATE: Rate = Rate::HZ_250;
}

impl std::str::FromStr for HandoffMode {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let named = Self::ALL.into_iter().find(|mode| mode.name() == text);
        named.ok_or_else(|| Fault::new(unknown_name("handoff", text, &Self::ALL.map(Self::name))))
    }
}

/// How many ticks a physics step spans, 1 to 64: at 512 ticks a second and 8, physics runs 64 times a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhysicsDivisor(u32);

impl PhysicsDivisor {
    const MOST: u32 = 64;

    /// None out of bounds.
    #[must_use]
    pub const fn new(ticks: u32) -> Option<Self> {
        if ticks >= 1 && ticks <= Self::MOST { Some(Self(ticks)) } else { None }
    }

    #[must_use]
    pub const fn ticks(self) -> u32 {
        self.0
    }
}

impl Default for PhysicsDivisor {
    fn default() -> Self {
        Self(1)
    }
}

impl std::fmt::Display for PhysicsDivisor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::str::FromStr for PhysicsDivisor {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit());
        let divisor = text.parse().ok().filter(|_| plain).and_then(Self::new);
        divisor.ok_or_else(|| {
            let (text, most) = (or_quotes(text), Self::MOST);
            Fault::new(format!("{text} is no number of ticks that a physics step spans: write 1 to {most}"))
        })
    }
}

/// What bounds the work of one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest accepted delta, above 0 and at most a minute; the rest is clamped.
    pub max_delta: Nanos,
    /// Most ticks in one frame, 1 to 10,000; the rest is capped.
    pub max_ticks: MaxTicks,
}

impl Limits {
    const LONGEST_DELTA: Nanos = Nanos::from_secs(60);
    const MOST_TICKS: u32 = 10_000;

    /// The most ticks in one frame, as people write it.
    ///
    /// # Errors
    /// It is no whole number, or out of bounds: the same sentence wherever it is written.
    pub fn max_ticks(text: &str) -> Result<u32, Fault> {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit());
        let ticks = text.parse().ok().filter(|ticks| plain && (1..=Self::MOST_TICKS).contains(ticks));
        ticks.ok_or_else(|| Self::refused_ticks(text))
    }

    /// The longest accepted delta, as people write it, in milliseconds.
    ///
    /// # Errors
    /// It is no plain decimal, or out of bounds: the same sentence wherever it is written.
    pub fn max_delta_millis(text: &str) -> Result<Nanos, Fault> {
        let delta = decimal_nanos(text, 6).filter(|delta| Self::allows_delta(*delta));
        delta.ok_or_else(|| Self::refused_delta(text))
    }

    fn allows_delta(delta: Nanos) -> bool {
        delta > Nanos::ZERO && delta <= Self::LONGEST_DELTA
    }

    fn refused_ticks(given: &str) -> Fault {
        let (given, most) = (or_quotes(given), Self::MOST_TICKS);
        Fault::new(format!("{given} is no most number of ticks in a frame: write 1 to {most}"))
    }

    fn refused_delta(given: &str) -> Fault {
        let (given, most) = (or_quotes(given), Self::LONGEST_DELTA.as_millis_f64());
        Fault::new(format!("{given} ms is no longest delta: write a number above 0, at most {most}"))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_delta: DEFAULT_MAX_DELTA, max_ticks: MaxTicks::Auto }
    }
}

/// As it was written; where nothing was, a sentence about it would begin with a gap.
const fn or_quotes(given: &str) -> &str {
    if given.is_empty() { "\"\"" } else { given }
}

#[cfg(test)]
mod tests;
