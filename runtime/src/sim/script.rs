//! A script: what to do before which frame, read from a RON list of `(frame, action)`.
//!
//! ```ron
//! [
//!     (10, pause),
//!     (10, step_tick),
//!     (10, key_down(ArrowRight)),
//!     (10, tilt(LeftX, -0.5)),
//!     (10, pointer(320, 200)),
//!     (10, wheel(1)),
//!     (10, set_tick_rate("59.94")),
//!     (10, set_physics_divisor(8)),
//!     (10, play),
//!     (90, stop),
//! ]
//! ```

use crate::input::{Axis, Key, Tilt};
use crate::scene::fault::Fault;
use crate::scene::format::{Misread, Misreadings, read_part, trimmed};
use crate::scene::project::{HandoffMode, Limits, PhysicsDivisor};
use crate::time::fixed_step::MaxTicks;
use crate::time::{Nanos, Rate, Speed};
use ron::value::RawValue;
use serde::Deserialize;
use std::collections::VecDeque;

/// One thing a script does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Runs on, where the run stands still.
    Play,
    Pause,
    StepFrame,
    StepTick,
    StepStage,
    KeyDown(Key),
    KeyUp(Key),
    Tilt(Axis, Tilt),
    /// In pixels from the top left of the picture.
    Pointer([i32; 2]),
    /// Thousandths of a line.
    Wheel(i32),
    SetTickRate(Rate),
    SetPhysicsDivisor(PhysicsDivisor),
    SetFrameRate(Rate),
    SetSpeed(Speed),
    SetMaxTicks(MaxTicks),
    SetMaxDelta(Nanos),
    SetHandoff(HandoffMode),
    /// Ends the run.
    Stop,
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    Act(Action),
    /// Nothing is due: the next frame runs.
    Run,
    /// The run stands still and nothing is left that could move it.
    End,
}

/// Actions in order, each with the frame before which it acts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    // Frames ascend.
    entries: VecDeque<(u64, Action)>,
}

impl Script {
    /// Reads a script; its frames ascend, and nothing follows a `stop`.
    ///
    /// # Errors
    /// Every faulty entry, with line and column.
    pub fn parse(text: &str) -> Result<Self, Vec<Fault>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut misreadings = Misreadings::of(text);
        let raw: Vec<&RawValue> = read_part(text, text).unwrap_or_else(|misread| {
            misreadings.push(misread);
            Vec::new()
        });
        let mut entries = VecDeque::new();
        let mut before = None;
        for raw in raw {
            let part = trimmed(raw);
            match parse_entry(text, part) {
                Ok(entry) => match refused(before, entry) {
                    Some(sentence) => misreadings.refuse(part, Fault::new(sentence)),
                    None => {
                        before = Some(entry);
                        entries.push_back(entry);
                    }
                },
                Err(misread) => misreadings.push(misread),
            }
        }
        if misreadings.is_empty() { Ok(Self { entries }) } else { Err(misreadings.in_order()) }
    }

    /// Nothing is left to do.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.entries.is_empty()
    }

    /// What is left to do, in order.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        self.entries.iter().map(|(_, action)| *action)
    }

    /// What is due before frame `next_frame`. While the run stands still the next action is due at once.
    pub fn due(&mut self, next_frame: u64, stands: bool) -> Due {
        let is_due = self.entries.front().is_some_and(|(frame, _)| stands || *frame <= next_frame);
        match (is_due, stands) {
            (true, _) => self.entries.pop_front().map_or(Due::End, |(_, action)| Due::Act(action)),
            (false, true) => Due::End,
            (false, false) => Due::Run,
        }
    }
}

fn refused(before: Option<(u64, Action)>, entry: (u64, Action)) -> Option<String> {
    let (frame, _) = entry;
    if frame == 0 {
        return Some("there is no frame 0: frames count from 1".to_owned());
    }
    match before {
        Some((_, Action::Stop)) => {
            Some("nothing happens after `stop`: remove this, or move it up".to_owned())
        }
        Some((earlier, _)) if frame < earlier => Some(format!(
            "frame {frame} stands after frame {earlier}: write the actions in the order of frames"
        )),
        _ => None,
    }
}

/// The file's own names. Arguments stay raw, so that `60`, `59.94` and `"60000/1001"` are all rates.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum FileAction<'a> {
    Play,
    Resume,
    Pause,
    StepFrame,
    StepTick,
    StepStage,
    KeyDown(#[serde(borrow)] &'a RawValue),
    KeyUp(#[serde(borrow)] &'a RawValue),
    Tilt(#[serde(borrow)] &'a RawValue, #[serde(borrow)] &'a RawValue),
    Pointer(#[serde(borrow)] &'a RawValue, #[serde(borrow)] &'a RawValue),
    Wheel(#[serde(borrow)] &'a RawValue),
    SetTickRate(#[serde(borrow)] &'a RawValue),
    SetPhysicsDivisor(#[serde(borrow)] &'a RawValue),
    SetFrameRate(#[serde(borrow)] &'a RawValue),
    SetSpeed(#[serde(borrow)] &'a RawValue),
    SetMaxTicks(#[serde(borrow)] &'a RawValue),
    SetMaxDelta(#[serde(borrow)] &'a RawValue),
    SetHandoff(#[serde(borrow)] &'a RawValue),
    Stop,
}

fn parse_entry(text: &str, part: &str) -> Result<(u64, Action), Misread> {
    let (frame, raw): (u64, &RawValue) = read_part(text, part)?;
    let action: FileAction<'_> = read_part(text, trimmed(raw))?;
    let action = match action {
        FileAction::Play | FileAction::Resume => Action::Play,
        FileAction::Pause => Action::Pause,
        FileAction::StepFrame => Action::StepFrame,
        FileAction::StepTick => Action::StepTick,
        FileAction::StepStage => Action::StepStage,
        FileAction::KeyDown(key) => Action::KeyDown(argument(text, key, parsed)?),
        FileAction::KeyUp(key) => Action::KeyUp(argument(text, key, parsed)?),
        FileAction::Tilt(axis, tilt) => {
            Action::Tilt(argument(text, axis, parsed)?, argument(text, tilt, parsed)?)
        }
        FileAction::Pointer(x, y) => Action::Pointer([argument(text, x, pixel)?, argument(text, y, pixel)?]),
        FileAction::Wheel(lines) => Action::Wheel(argument(text, lines, wheel)?),
        FileAction::SetTickRate(rate) => Action::SetTickRate(argument(text, rate, parsed)?),
        FileAction::SetPhysicsDivisor(ticks) => {
            Action::SetPhysicsDivisor(argument(text, ticks, project_setting)?)
        }
        FileAction::SetFrameRate(rate) => Action::SetFrameRate(argument(text, rate, parsed)?),
        FileAction::SetSpeed(speed) => Action::SetSpeed(argument(text, speed, parsed)?),
        FileAction::SetMaxTicks(ticks) => Action::SetMaxTicks(argument(text, ticks, max_ticks)?),
        FileAction::SetMaxDelta(millis) => Action::SetMaxDelta(argument(text, millis, max_delta)?),
        FileAction::SetHandoff(mode) => Action::SetHandoff(argument(text, mode, project_setting)?),
        FileAction::Stop => Action::Stop,
    };
    Ok((frame, action))
}

/// An argument, in quotes or not.
fn argument<T>(text: &str, raw: &RawValue, parse: fn(&str) -> Result<T, String>) -> Result<T, Misread> {
    let part = trimmed(raw);
    let bare = part.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(part);
    parse(bare).map_err(|message| Misread::of(text, part, Fault::new(message)))
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn pixel(text: &str) -> Result<i32, String> {
    let pixel = text.parse::<i32>().ok().filter(|pixel| pixel.abs() <= 100_000);
    pixel.ok_or_else(|| format!("{text} is no place: write whole pixels from the picture's top left"))
}

fn wheel(text: &str) -> Result<i32, String> {
    let lines = text.parse::<f64>().ok().filter(|lines| lines.abs() <= 1000.0);
    let thousandths = lines.map(|lines| (lines * 1000.0).round() as i32);
    thousandths
        .ok_or_else(|| format!("{text} is no turn of a wheel: write lines, -1000 to 1000, such as 1 or -0.5"))
}

fn project_setting<T: std::str::FromStr<Err = Fault>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|fault: Fault| fault.sentence())
}

fn max_ticks(text: &str) -> Result<MaxTicks, String> {
    if text == "auto" {
        return Ok(MaxTicks::Auto);
    }
    let refused = |fault: Fault| format!("{}, or auto", fault.sentence());
    Limits::max_ticks(text).map(MaxTicks::Fixed).map_err(refused)
}

fn max_delta(text: &str) -> Result<Nanos, String> {
    Limits::max_delta_millis(text.strip_suffix("ms").unwrap_or(text)).map_err(|fault| fault.sentence())
}

#[cfg(test)]
mod tests;
