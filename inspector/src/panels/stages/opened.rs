//! What an open row lists, without egui.

use std::fmt::Display;

use framewalk_runtime::frame::details::{DescriptorRow, StageDetails, TimedRow};
use framewalk_runtime::frame::stage::{Phase, Stage};
use framewalk_runtime::handoff::Holder;

use crate::wording::{count, grouped, millis};

/// Said where the details of a frame are not there.
pub const NOT_KEPT: &str = "Details are kept only for the frame you step through.";

/// One line of an open row: a name, a figure, and a note; the last two may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub name: String,
    pub figure: String,
    pub note: String,
}

impl Line {
    fn new(name: impl Into<String>, figure: impl Into<String>, note: impl Into<String>) -> Self {
        Self { name: name.into(), figure: figure.into(), note: note.into() }
    }

    /// The line as text.
    #[must_use]
    pub fn label(&self) -> String {
        let parts = [self.name.as_str(), self.figure.as_str(), self.note.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// What a stage that has run produced; one line saying so where that is nothing.
#[must_use]
pub fn lines(stage: Stage, details: &StageDetails) -> Vec<Line> {
    let mut lines = match stage {
        Stage::DrainInputs => events(details),
        Stage::RunAppUpdate => timed(&details.systems),
        Stage::BeginRenderFrame => buffers(&details.buffers),
        Stage::RunScheduler => scheduler(details),
        Stage::EndRenderFrame => details.descriptor.iter().flat_map(descriptor).collect(),
        Stage::RunMaintenance => timed(&details.maintenance),
    };
    if lines.is_empty() {
        let nothing = match stage {
            Stage::DrainInputs => "no input event was waiting",
            Stage::RunAppUpdate => "no system ran",
            Stage::BeginRenderFrame => "nothing is known about the buffers",
            Stage::RunScheduler => "no tick, no flow, no agent",
            Stage::EndRenderFrame => "no descriptor",
            Stage::RunMaintenance => "nothing to drain, compact or prune",
        };
        lines.push(Line::new(nothing, "", ""));
    }
    lines
}

fn events(details: &StageDetails) -> Vec<Line> {
    let mut lines: Vec<Line> =
        details.events.iter().map(|event| Line::new(event.to_string(), "", "")).collect();
    if !details.held_keys.is_empty() {
        lines.push(Line::new("held", "", joined(details.held_keys.iter())));
    }
    lines
}

fn timed(rows: &[TimedRow]) -> Vec<Line> {
    rows.iter().map(|row| Line::new(&*row.name, millis(row.duration), row.note.to_string())).collect()
}

fn buffers(holders: &[Holder]) -> Vec<Line> {
    let line = |(idx, holder)| Line::new(format!("buffer {}: {holder}", idx + 1), "", "");
    holders.iter().enumerate().map(line).collect()
}

fn descriptor(row: &DescriptorRow) -> [Line; 5] {
    let replaced = row.replaced.map_or_else(|| "nothing".to_owned(), |frame| format!("frame {}", frame.0));
    [
        ("frame", row.frame.0.to_string()),
        ("tick", row.tick.0.to_string()),
        ("render time", format!("{} ns", row.render_time.0)),
        ("snapshot", format!("buffer {}", u32::from(row.buffer) + 1)),
        ("replaced", replaced),
    ]
    .map(|(name, value)| Line::new(name, value, ""))
}

/// One after another, as they read.
pub(super) fn joined(words: impl Iterator<Item = impl Display>) -> String {
    words.map(|word| word.to_string()).collect::<Vec<_>>().join(", ")
}

fn scheduler(details: &StageDetails) -> Vec<Line> {
    let mut lines = Vec::new();
    for row in &details.ticks {
        let mut notes = Vec::new();
        let edges = joined(row.edges());
        if !edges.is_empty() {
            notes.push(edges);
        }
        for (number, word) in
            [(row.spawned, "spawned"), (row.despawned, "removed"), (row.teleported, "teleported")]
        {
            if number > 0 {
                notes.push(format!("{} {word}", grouped(number.into())));
            }
        }
        lines.push(Line::new(
            format!("tick {}", grouped(row.tick.0)),
            millis(row.duration),
            notes.join("; "),
        ));
    }
    for row in &details.flows {
        lines.push(Line::new(format!("flow {}", row.name), millis(row.duration), row.note.to_string()));
    }
    for phase in Phase::ALL {
        let agents: Vec<_> = details.agents.iter().filter(|agent| agent.phase == phase).collect();
        if agents.is_empty() {
            continue;
        }
        lines.push(Line::new(
            format!("phase {}", phase.name()),
            "",
            count(agents.len() as u64, "agent", "agents"),
        ));
        for agent in agents {
            let name = format!("    {}", agent.name);
            if agent.skipped.is_empty() {
                lines.push(Line::new(name, millis(agent.duration), ""));
            } else {
                lines.push(Line::new(name, "–", &*agent.skipped));
            }
        }
    }
    lines
}
