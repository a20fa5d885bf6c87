//! What changed before a frame: marks in strip and plots. Pure.

use framewalk_runtime::frame::record::{FrameKind, FrameRecord, HandoffMode};
use framewalk_runtime::time::Rate;

use crate::wording::grouped;

/// A line may be drawn from the frame before to this one: no pause, no step, no lost record lies between.
#[must_use]
pub fn continues(before: Option<&FrameRecord>, record: &FrameRecord) -> bool {
    before.is_some_and(|before| {
        record.kind == FrameKind::Running
            && before.run == record.run
            && before.frame.0.checked_add(1) == Some(record.frame.0)
    })
}

/// What kind of thing stands before a frame; the most telling one where there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A rate, the speed, the handoff, the physics divisor or a limit.
    Setting,
    /// The run had been paused.
    Paused,
    /// The frame or its tick was stepped, or it shows what was changed by hand.
    Stepped,
}

/// Whether anything changed before a frame of a run; never before the first.
#[must_use]
pub fn changed(before: Option<&FrameRecord>, record: &FrameRecord) -> bool {
    change(before, record).is_some()
}

/// The kind of change before a frame.
#[must_use]
pub fn change(before: Option<&FrameRecord>, record: &FrameRecord) -> Option<Change> {
    let before = before.filter(|before| before.run == record.run)?;
    if record.settings_changed || settings_of(before) != settings_of(record) {
        return Some(Change::Setting);
    }
    match record.kind {
        FrameKind::First | FrameKind::Running => None,
        FrameKind::Resumed => Some(Change::Paused),
        FrameKind::SteppedFrame | FrameKind::SteppedTick | FrameKind::ByHand => Some(Change::Stepped),
    }
}

/// All that changed before a frame, a line each: `speed 1 → 0.5`, `resumed after a pause`, `stepped tick`.
#[must_use]
pub fn sentences(before: Option<&FrameRecord>, record: &FrameRecord) -> Vec<String> {
    let Some(before) = before.filter(|before| before.run == record.run) else { return Vec::new() };
    let mut lines = Vec::new();
    if before.tick_rate != record.tick_rate {
        lines.push(format!("tick rate {} → {} Hz", before.tick_rate, record.tick_rate));
    }
    let (from, to) = (display_rate(before), display_rate(record));
    if from != to {
        lines.push(format!("frame rate {from} → {to} Hz"));
    }
    if before.speed != record.speed {
        lines.push(format!("speed {} → {} ×", before.speed, record.speed));
    }
    if before.max_ticks != record.max_ticks {
        let (from, to) = (grouped(before.max_ticks.into()), grouped(record.max_ticks.into()));
        lines.push(format!("most ticks in a frame {from} → {to}"));
    }
    if before.physics_divisor != record.physics_divisor {
        let (from, to) = (before.physics_divisor, record.physics_divisor);
        lines.push(format!("physics once in {from} → {to} ticks"));
    }
    if before.handoff.mode != record.handoff.mode {
        lines.push(format!("handoff {} → {}", before.handoff.mode.name(), record.handoff.mode.name()));
    }
    if lines.is_empty() && record.settings_changed {
        lines.push("a setting changed".to_owned());
    }
    match record.kind {
        FrameKind::First | FrameKind::Running => {}
        FrameKind::Resumed => lines.push("resumed after a pause".to_owned()),
        FrameKind::SteppedFrame => lines.push("stepped frame".to_owned()),
        FrameKind::SteppedTick => lines.push("stepped tick".to_owned()),
        FrameKind::ByHand => lines.push("changed by hand while everything stood".to_owned()),
    }
    lines
}

/// The rate at which pictures are due, which is what a person sets as the frame rate. In the free handoff the grid of the
/// frames is that of the ticks: it follows from tick rate and speed, and is no setting of its own.
const fn display_rate(record: &FrameRecord) -> Rate {
    match record.handoff.mode {
        HandoffMode::Free => record.render_rate,
        HandoffMode::Slot | HandoffMode::Lockstep => record.frame_rate,
    }
}

fn settings_of(record: &FrameRecord) -> impl PartialEq + use<> {
    let FrameRecord { tick_rate, speed, max_ticks, physics_divisor, handoff, .. } = record;
    (*tick_rate, display_rate(record), *speed, *max_ticks, *physics_divisor, handoff.mode)
}
