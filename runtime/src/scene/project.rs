//! A project: which scenes belong together, and how they are run.

use super::fault::Fault;
use super::format::FORMAT;
use super::format::read::{
    Misread, Misreadings, check_format, read_part, trimmed, unknown_name, without_mark,
};
use super::format::write::{decimal, quoted};
use crate::time::decimal::decimal_nanos;
use crate::time::fixed_step::{DEFAULT_MAX_DELTA, MaxTicks};
use crate::time::{Nanos, Rate, Speed};
use ron::value::RawValue;
use serde::Deserialize;
use std::collections::BTreeSet;

/// What `project.ron` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    pub name: String,
    /// What to look at, for people.
    pub about: String,
    /// Names of files in `scenes/`, without their ending; the first is opened and run. At least one, none twice.
    pub scenes: Vec<String>,
    pub tick_rate: Rate,
    /// Where no display says its own.
    pub frame_rate: Rate,
    pub handoff: HandoffMode,
    pub speed: Speed,
    pub limits: Limits,
}

/// How frames reach the render thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HandoffMode {
    /// One slot, newest wins.
    #[default]
    Slot,
}

impl HandoffMode {
    /// As it is written in files, on the command line and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Slot => "slot",
        }
    }
}

impl std::str::FromStr for HandoffMode {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        match text {
            "slot" => Ok(Self::Slot),
            "lockstep" | "free" => {
                Err(Fault::new(format!("the handoff `{text}` does not exist yet: write `slot`")))
            }
            other => Err(Fault::new(unknown_name("handoff", other, &["slot"]))),
        }
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
        Fault::new(format!("{given} is no most number of ticks in a frame: write 1 to {}", Self::MOST_TICKS))
    }

    fn refused_delta(given: &str) -> Fault {
        let most = Self::LONGEST_DELTA.as_millis_f64();
        Fault::new(format!("{given} ms is no longest delta: write a number above 0, at most {most}"))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_delta: DEFAULT_MAX_DELTA, max_ticks: MaxTicks::Auto }
    }
}

/// Reads a project.
///
/// # Errors
/// Everything that is wrong, with line and column; a text that RON cannot read ends at its first error.
pub fn parse_project(text: &str) -> Result<Project, Vec<Fault>> {
    let source = without_mark(text);
    let mut reader = Reader { source, misreadings: Misreadings::of(source) };
    let file = match read_file(source) {
        Ok(file) => file,
        Err(misread) => {
            reader.misreadings.push(misread);
            return Err(reader.misreadings.in_order());
        }
    };
    let project = Project {
        name: reader.name(file.name),
        about: file.about,
        scenes: reader.scenes(file.scenes),
        tick_rate: reader.setting("tick_rate", file.tick_rate),
        frame_rate: reader.setting("frame_rate", file.frame_rate),
        handoff: reader.setting("handoff", file.handoff),
        speed: reader.setting("speed", file.speed),
        limits: reader.limits(file.limits),
    };
    if reader.misreadings.is_empty() { Ok(project) } else { Err(reader.misreadings.in_order()) }
}

fn read_file(source: &str) -> Result<FileProject<'_>, Misread> {
    check_format(source, "project")?;
    read_part(source, source)
}

/// The project as RON; what has its default is left out, but for the rates, which people look for.
#[must_use]
pub fn write_project(project: &Project) -> String {
    let scenes: Vec<String> = project.scenes.iter().map(|scene| quoted(scene)).collect();
    let mut lines = vec![format!("format: {FORMAT}"), format!("name: {}", quoted(&project.name))];
    if !project.about.is_empty() {
        lines.push(format!("about: {}", quoted(&project.about)));
    }
    lines.push(format!("scenes: [{}]", scenes.join(", ")));
    lines.push(format!("tick_rate: {}", rate(project.tick_rate)));
    lines.push(format!("frame_rate: {}", rate(project.frame_rate)));
    lines.push(format!("handoff: {}", project.handoff.name()));
    if project.speed != Speed::NORMAL {
        lines.push(format!("speed: {}", project.speed));
    }
    if project.limits != Limits::default() {
        lines.push(format!("limits: ({})", limits(&project.limits).join(", ")));
    }
    format!("(\n    {},\n)\n", lines.join(",\n    "))
}

/// A number where RON can write it, else a text.
fn rate(rate: Rate) -> String {
    let text = rate.to_string();
    if text.contains('/') { quoted(&text) } else { text }
}

fn limits(limits: &Limits) -> Vec<String> {
    let mut fields = Vec::new();
    if limits.max_delta != DEFAULT_MAX_DELTA {
        fields.push(format!("max_delta_ms: {}", decimal(limits.max_delta, 1_000_000)));
    }
    if let MaxTicks::Fixed(ticks) = limits.max_ticks {
        fields.push(format!("max_ticks: {ticks}"));
    }
    fields
}

/// The file. Settings stay raw text, so that a rate is read as it was written, exactly, and each says its place.
#[derive(Deserialize)]
#[serde(rename = "Project", deny_unknown_fields)]
struct FileProject<'a> {
    #[serde(rename = "format")]
    _format: u32,
    #[serde(borrow)]
    name: &'a RawValue,
    #[serde(default)]
    about: String,
    #[serde(borrow)]
    scenes: &'a RawValue,
    #[serde(borrow)]
    tick_rate: Option<&'a RawValue>,
    #[serde(borrow)]
    frame_rate: Option<&'a RawValue>,
    #[serde(borrow)]
    handoff: Option<&'a RawValue>,
    #[serde(borrow)]
    speed: Option<&'a RawValue>,
    #[serde(borrow)]
    limits: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename = "Limits", deny_unknown_fields)]
struct FileLimits<'a> {
    #[serde(borrow)]
    max_delta_ms: Option<&'a RawValue>,
    #[serde(borrow)]
    max_ticks: Option<&'a RawValue>,
}

struct Reader<'a> {
    source: &'a str,
    misreadings: Misreadings<'a>,
}

impl<'a> Reader<'a> {
    fn refuse(&mut self, part: &str, field: &str, message: impl Into<String>) {
        self.misreadings.refuse(part, Fault::new(message).in_field(field));
    }

    /// The value, or its default with the fault noted.
    fn value<T: Deserialize<'a>>(&mut self, part: &'a str, field: &str) -> Option<T> {
        read_part(self.source, part).map_err(|misread| self.misreadings.push(misread.in_field(field))).ok()
    }

    fn name(&mut self, raw: &'a RawValue) -> String {
        let part = trimmed(raw);
        let name: String = self.value(part, "name").unwrap_or_else(|| "?".to_owned());
        if name.trim().is_empty() {
            self.refuse(part, "name", "the name is empty: give the project one");
        }
        name
    }

    fn scenes(&mut self, raw: &'a RawValue) -> Vec<String> {
        let part = trimmed(raw);
        let Some(parts) = self.value::<Vec<&'a RawValue>>(part, "scenes") else { return Vec::new() };
        if parts.is_empty() {
            self.refuse(part, "scenes", "a project has at least one scene: name a file of `scenes/`");
        }
        let mut scenes: Vec<String> = Vec::new();
        let mut named = BTreeSet::new();
        for part in parts.into_iter().map(trimmed) {
            let Some(given) = self.value::<String>(part, "scenes") else { continue };
            let name = given.strip_suffix(".ron").unwrap_or(&given).to_owned();
            if name.trim().is_empty() || name.starts_with('.') || name.contains(['/', '\\', ':', '\0']) {
                self.refuse(part, "scenes", format!("{given:?} is no name of a file in `scenes/`"));
            } else if !named.insert(name.clone()) {
                self.refuse(part, "scenes", format!("the scene {name:?} is named twice"));
            } else {
                scenes.push(name);
            }
        }
        scenes
    }

    /// A number, a bare word or a text in quotes: read as it is written, so that 59.94 stays exact.
    fn setting<T>(&mut self, field: &str, raw: Option<&'a RawValue>) -> T
    where
        T: std::str::FromStr + Default,
        T::Err: std::fmt::Display,
    {
        let Some(part) = raw.map(trimmed) else { return T::default() };
        let text = if part.starts_with('"') {
            let Some(text) = self.value::<String>(part, field) else { return T::default() };
            text
        } else {
            part.to_owned()
        };
        text.parse().unwrap_or_else(|error: T::Err| {
            self.refuse(part, field, error.to_string());
            T::default()
        })
    }

    fn limits(&mut self, raw: Option<&'a RawValue>) -> Limits {
        let mut limits = Limits::default();
        let Some(file) = raw.and_then(|raw| self.value::<FileLimits<'a>>(trimmed(raw), "limits")) else {
            return limits;
        };
        if let Some(part) = file.max_delta_ms.map(trimmed)
            && let Some(millis) = self.value::<f64>(part, "limits.max_delta_ms")
        {
            limits.max_delta = Nanos((millis * 1e6).round() as i64);
            if !Limits::allows_delta(limits.max_delta) {
                self.refuse(part, "limits.max_delta_ms", Limits::refused_delta(part).message);
            }
        }
        if let Some(part) = file.max_ticks.map(trimmed)
            && let Some(ticks) = self.value::<u32>(part, "limits.max_ticks")
        {
            limits.max_ticks = MaxTicks::Fixed(ticks);
            if !(1..=Limits::MOST_TICKS).contains(&ticks) {
                self.refuse(part, "limits.max_ticks", Limits::refused_ticks(part).message);
            }
        }
        limits
    }
}

#[cfg(test)]
mod tests;
