//! What the six rows say, without egui.

use framewalk_runtime::frame::details::StageDetails;
use framewalk_runtime::frame::record::{FrameKind, FrameRecord, HandoffMode};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::time::{FrameIndex, Nanos};

use super::opened::joined;
use crate::history::Fate;
use crate::live::RunPhase;
use crate::view::View;
use crate::wording::{alpha, count, grouped, millis, millis_signed};

/// How far a stage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Done,
    Next,
    /// The run ended in it by a panic or an error.
    Failed,
    ToCome,
}

impl Mark {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Next => "next",
            Self::Failed => "failed",
            Self::ToCome => "to come",
        }
    }
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub stage: Stage,
    pub mark: Mark,
    /// How long it took; none while it has not run.
    pub duration: Option<Nanos>,
    /// One plain sentence of what it did, or will do.
    pub sentence: String,
}

impl Row {
    /// The row in one line, for those who do not see it.
    #[must_use]
    pub fn label(&self) -> String {
        let took = self.duration.map_or_else(String::new, |duration| format!(", {}", millis(duration)));
        format!("{} {}{took}: {}", self.stage.name(), self.mark.name(), self.sentence)
    }
}

/// The frame the panel shows: the open one, the chosen one, or the newest.
#[derive(Clone, Copy, Debug)]
pub struct Looked<'a> {
    pub record: &'a FrameRecord,
    /// 6 where the frame is complete.
    pub stages_done: u8,
    /// The run failed in the stage after those.
    pub failed: bool,
    pub details: Option<&'a StageDetails>,
    /// The complete frame before it, and what became of that.
    pub before: Option<(&'a FrameRecord, Fate)>,
}

impl<'a> Looked<'a> {
    /// None while there is no frame at all.
    #[must_use]
    pub fn of(view: &View<'a>) -> Option<Self> {
        let frames = view.frames();
        let details_of = |frame: FrameIndex, is_newest: bool| {
            view.live.details.filter(|_| is_newest && view.live.details_frame == frame)
        };
        if let Some(open) = view.open() {
            let before = frames.last().map(|entry| (&entry.record, entry.fate));
            return Some(Self {
                record: open.record,
                stages_done: open.stages_done.min(Stage::COUNT as u8),
                failed: view.live.state == RunPhase::Failed,
                details: details_of(open.record.frame, true),
                before,
            });
        }
        let entry = view.entry()?;
        let position = frames.position(entry.frame());
        let before = position
            .and_then(|position| position.checked_sub(1))
            .and_then(|before| frames.at(before))
            .map(|entry| (&entry.record, entry.fate));
        let same_run = entry.record.run == view.history.totals().run;
        Some(Self {
            record: &entry.record,
            stages_done: Stage::COUNT as u8,
            failed: false,
            details: details_of(entry.frame(), same_run),
            before,
        })
    }

    #[must_use]
    pub const fn is_open(&self) -> bool {
        (self.stages_done as usize) < Stage::COUNT
    }

    #[must_use]
    pub const fn is_done(&self, stage: Stage) -> bool {
        stage.index() < self.stages_done as usize
    }
}

#[must_use]
pub fn caption(view: &View<'_>) -> String {
    let Some(looked) = Looked::of(view) else { return String::new() };
    let record = looked.record;
    let period = record.frame_rate.period();
    format!("frame {} · {} of {}", grouped(record.frame.0), millis(record.frame_time()), millis(period))
}

/// The six rows of a frame.
#[must_use]
pub fn rows(looked: &Looked<'_>) -> [Row; Stage::COUNT] {
    Stage::ALL.map(|stage| {
        let done = looked.is_done(stage);
        let mark = match stage.index().cmp(&(looked.stages_done as usize)) {
            std::cmp::Ordering::Less => Mark::Done,
            std::cmp::Ordering::Equal if looked.failed => Mark::Failed,
            std::cmp::Ordering::Equal => Mark::Next,
            std::cmp::Ordering::Greater => Mark::ToCome,
        };
        Row {
            stage,
            mark,
            duration: done.then(|| looked.record.stages[stage.index()].duration),
            sentence: match mark {
                Mark::Done => did(stage, looked),
                Mark::Failed => "the run failed here: the message says why".to_owned(),
                Mark::ToCome if looked.failed => "did not run".to_owned(),
                Mark::Next | Mark::ToCome => will(stage, looked),
            },
        }
    })
}

fn did(stage: Stage, looked: &Looked<'_>) -> String {
    let record = looked.record;
    let figures = &record.figures;
    match stage {
        Stage::DrainInputs => {
            let events = count(u64::from(figures.input_events), "event", "events");
            match looked.details.map(|details| joined(details.events.iter())) {
                Some(names) if !names.is_empty() => format!("{events}: {names}"),
                _ => events,
            }
        }
        Stage::RunAppUpdate => count(u64::from(figures.systems), "system", "systems"),
        Stage::BeginRenderFrame => {
            let buffers = record.snapshot_buffers();
            format!("snapshot buffer {} of {buffers}", u32::from(figures.snapshot_buffer) + 1)
        }
        Stage::RunScheduler => scheduled(record),
        Stage::EndRenderFrame => published(record),
        Stage::RunMaintenance => {
            let alive = count(u64::from(figures.entities), "entity", "entities");
            format!(
                "drained {}, pruned {}; {alive}",
                grouped(figures.drained.into()),
                grouped(figures.pruned.into())
            )
        }
    }
}

fn scheduled(record: &FrameRecord) -> String {
    let ticks = count(u64::from(record.ticks), "tick", "ticks");
    let mut text = match record.kind {
        FrameKind::SteppedTick => format!("{ticks}, stepped"),
        FrameKind::ByHand => format!("{ticks}, changed by hand"),
        _ => format!("{} → {ticks}", millis_signed(record.delta)),
    };
    text += &format!(", overstep {}, alpha {}", millis(record.overstep), alpha(record.alpha));
    if record.clamped > Nanos::ZERO {
        text += &format!(", {} clamped", millis(record.clamped));
    }
    if record.time_reversal {
        text += ", time went backwards: counted as 0";
    }
    for (number, word) in [
        (record.capped_ticks, "capped"),
        (record.cut_ticks, "cut"),
        (u64::from(record.figures.spawned), "spawned"),
        (u64::from(record.figures.despawned), "removed"),
    ] {
        if number > 0 {
            text += &format!(", {} {word}", grouped(number));
        }
    }
    text
}

fn published(record: &FrameRecord) -> String {
    let frame = grouped(record.frame.0);
    match record.replaced {
        Some(replaced) => {
            format!("published frame {frame}; {} was not taken and is dropped", grouped(replaced.0))
        }
        None => {
            let entities = u64::from(record.figures.snapshot_entities);
            let mut text = format!("published frame {frame} with {}", count(entities, "entity", "entities"));
            if record.handoff.mode == HandoffMode::Lockstep {
                text += &format!(", after a wait of {}", millis(record.sim_wait));
            }
            text
        }
    }
}

fn will(stage: Stage, looked: &Looked<'_>) -> String {
    match stage {
        Stage::DrainInputs => "will take the queued input events".to_owned(),
        Stage::RunAppUpdate => "will run the systems that run once a frame".to_owned(),
        Stage::BeginRenderFrame => "will take the free snapshot buffer".to_owned(),
        Stage::RunScheduler => match looked.record.kind {
            FrameKind::SteppedTick => "will run one tick, outside any delta".to_owned(),
            FrameKind::First => "will run no tick: the first frame has delta 0".to_owned(),
            FrameKind::ByHand => "will run no tick: it shows what was changed by hand".to_owned(),
            _ if looked.record.delta == Nanos::ZERO => "will run the ticks that are due".to_owned(),
            _ => format!("will add {} and run the ticks that are due", millis_signed(looked.record.delta)),
        },
        Stage::EndRenderFrame => {
            let frame = grouped(looked.record.frame.0);
            match looked.before {
                Some((before, Fate::Pending)) => {
                    format!("will publish frame {frame}; {} waits to be taken", grouped(before.frame.0))
                }
                Some((before, Fate::Dropped { .. })) => {
                    format!("will publish frame {frame}; {} was dropped", grouped(before.frame.0))
                }
                Some((before, Fate::Abandoned)) => {
                    format!("will publish frame {frame}; {} was abandoned", grouped(before.frame.0))
                }
                Some((before, _)) => {
                    format!("will publish frame {frame}; {} was taken", grouped(before.frame.0))
                }
                None => format!("will publish frame {frame}"),
            }
        }
        Stage::RunMaintenance => "will drain what agents handed back and prune what is gone".to_owned(),
    }
}
