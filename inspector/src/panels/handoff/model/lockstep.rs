//! The lockstep handoff: two buffers, a meeting at the end of every frame, and who waited there for whom.

use framewalk_runtime::frame::record::{FrameRecord, HandoffCounts};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::time::{FrameIndex, Nanos};

use crate::history::Entry;
use crate::panels::stages::equations::Equation;
use crate::stats::Summary;
use crate::wording::{grouped, millis};

/// What one party did from one meeting to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Party {
    /// At work, before it came to the meeting.
    pub worked: Nanos,
    /// There, until the other had come.
    pub waited: Nanos,
}

/// What each did around one frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    pub frame: FrameIndex,
    pub sim: Party,
    /// None while the frame is not rendered.
    pub render: Option<Party>,
    /// Each observer that was there, by its number.
    pub observers: Vec<(usize, Party)>,
}

impl Meeting {
    /// Of a frame; the one before says when the meeting was that observers came from.
    #[must_use]
    pub fn of(entry: &Entry, before: Option<&FrameRecord>) -> Self {
        let record = &entry.record;
        let render = entry.render.as_ref().map(|render| Party {
            worked: Nanos(render.batch.0.saturating_add(render.submit.0)),
            waited: render.render_wait,
        });
        let sim = Party { worked: record.frame_time(), waited: record.sim_wait };
        Self { frame: record.frame, sim, render, observers: observers(record, before).collect() }
    }

    /// The observer that came last of all, if it was one: it did not wait, and all others did.
    fn slowest_observer(&self) -> Option<usize> {
        let (number, last) = self.observers.iter().min_by_key(|(_, party)| party.waited)?;
        let others = self.render.map_or(self.sim.waited, |render| render.waited.min(self.sim.waited));
        (last.waited < others).then_some(*number)
    }

    /// Who waited for whom, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (sim, frame) = (self.sim.waited, grouped(self.frame.0));
        if let Some(slowest) = self.slowest_observer() {
            return format!("frame {frame}: sim waited {} for observer {}", millis(sim), slowest + 1);
        }
        let Some(render) = self.render else {
            return format!("frame {frame}: sim waited {} for render", millis(sim));
        };
        if sim > render.waited {
            format!("frame {frame}: sim waited {} for render", millis(sim))
        } else {
            format!("frame {frame}: render waited {} for sim", millis(render.waited))
        }
    }
}

/// Each observer that was at the meeting of a frame, by its number; the frame before says when the meeting was that they came
/// from.
pub fn observers(record: &FrameRecord, before: Option<&FrameRecord>) -> impl Iterator<Item = (usize, Party)> {
    let met = met_at(record);
    let since = before.filter(|before| before.frame.0.checked_add(1) == Some(record.frame.0)).map(met_at);
    record.observer_waits.iter().map(move |(number, waited)| {
        let worked = since.map_or(Nanos::ZERO, |since| met - since - waited);
        (number, Party { worked: worked.max(Nanos::ZERO), waited })
    })
}

/// When the meeting at the end of this frame was over.
#[must_use]
pub fn met_at(record: &FrameRecord) -> Nanos {
    let end = record.stages[Stage::EndRenderFrame.index()];
    end.start + end.duration + record.sim_wait
}

/// Everything the panel shows of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lockstep {
    pub counts: HandoffCounts,
    /// Meetings since the run began: each published a frame. None where other ways published some of them.
    pub generation: Option<u64>,
    /// Which of the two buffers, from 0, sim writes; render reads the other.
    pub back: Option<u8>,
    pub meeting: Meeting,
    /// Of the frames summed up; none while nobody has come to a meeting.
    pub sim_waits: Option<Summary>,
    pub render_waits: Option<Summary>,
    pub equation: Equation,
}
