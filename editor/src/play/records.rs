//! What a run in a window records, kept for its report: of every frame, or of the last ones and the sums.

use std::collections::VecDeque;

use framewalk_runtime::frame::record::{FrameRecord, RenderOutcome, RenderRecord};
use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::sim::thread::LiveRun;
use framewalk_runtime::time::Nanos;

use super::Stop;
use crate::audio::AudioFigures;
use crate::outcome::{Ending, Gone, InWindow, Outcome, PhaseFigures, Polls};
use crate::window::trouble::TRIES;

/// Frames kept where no report asks for all: minutes, and some 15 MB.
const KEPT: usize = 20_000;

/// Frames in order, and what was drawn of them.
#[derive(Clone, Debug, Default)]
pub struct Records {
    keep_all: bool,
    frames: VecDeque<FrameRecord>,
    renders: VecDeque<RenderRecord>,
    gone: Gone,
    shown: u64,
    unseen: u64,
    // Pictures that could not be drawn or shown, one after the other.
    failed_in_a_row: u32,
    elapsed: Nanos,
}

impl Records {
    /// Of the whole run, or of its end.
    #[must_use]
    pub fn new(keep_all: bool) -> Self {
        Self { keep_all, ..Self::default() }
    }

    pub fn take(&mut self, record: RuntimeRecord) {
        match record {
            RuntimeRecord::Frame(frame) => {
                self.elapsed += Nanos(frame.delta.0.max(0));
                self.frames.push_back(frame);
                if !self.keep_all && self.frames.len() > KEPT {
                    self.let_go();
                }
            }
            RuntimeRecord::Render(render) => {
                // A frame is shown once, however often it is drawn in the free handoff.
                let counts = render.outcome == RenderOutcome::Rendered && !render.again;
                self.shown += u64::from(counts && render.presented.is_some());
                self.unseen += u64::from(counts && render.presented.is_none());
                self.failed_in_a_row = match render.outcome {
                    RenderOutcome::Rendered => 0,
                    RenderOutcome::Abandoned => self.failed_in_a_row.saturating_add(1),
                };
                self.renders.push_back(render);
            }
        }
    }

    /// The oldest frame goes into the sums.
    fn let_go(&mut self) {
        let Some(frame) = self.frames.pop_front() else { return };
        self.gone.add(&frame);
        while self.renders.front().is_some_and(|render| render.frame <= frame.frame) {
            self.renders.pop_front();
        }
    }

    #[must_use]
    pub fn newest(&self) -> Option<&FrameRecord> {
        self.frames.back()
    }

    /// So many pictures in a row could not be drawn or shown that it is to be said.
    #[must_use]
    pub const fn are_blind(&self) -> bool {
        self.failed_in_a_row >= TRIES
    }

    /// The run has come as far as it was to come.
    #[must_use]
    pub fn reached(&self, stop: Stop) -> bool {
        match stop {
            Stop::Never => false,
            Stop::Frames(frames) => self.newest().is_some_and(|frame| frame.frame.0 >= frames),
            Stop::Elapsed(length) => self.elapsed >= length,
        }
    }

    /// All of it, once the run has ended.
    #[must_use]
    pub fn outcome(
        self,
        run: &LiveRun,
        (polls, phase, audio): (Polls, PhaseFigures, AudioFigures),
        input_lost: u64,
        ending: Ending,
    ) -> Outcome {
        Outcome {
            gone: self.gone,
            frames: self.frames.into(),
            poses: Vec::new(),
            renders: self.renders.into(),
            counts: run.counts(),
            redraws: run.redraws(),
            state_hash: run.state_hash().unwrap_or_default(),
            records_lost: run.records_lost(),
            input_lost,
            window: Some(InWindow { shown: self.shown, unseen: self.unseen, polls, phase, audio }),
            meetings: run.meetings(),
            sightings: run.sightings(),
            ending,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use framewalk_runtime::frame::record::{Presented, StageFigures, TickTotals};
    use framewalk_runtime::time::FrameIndex;

    fn fill(records: &mut Records, frames: u64) {
        for n in 1..=frames {
            let frame = FrameIndex(n);
            let delta = Nanos(if n == 1 { 0 } else { 10 });
            let late = n % 4 == 0;
            let figures = StageFigures { sound_cues: 2, ..StageFigures::default() };
            let totals = TickTotals { balanced: true, ..TickTotals::default() };
            let record = FrameRecord {
                frame,
                delta,
                late,
                missed: u64::from(late),
                totals,
                figures,
                ..FrameRecord::default()
            };
            records.take(RuntimeRecord::Frame(record));
            let presented = (n % 2 == 0).then(Presented::default);
            records.take(RuntimeRecord::Render(RenderRecord { frame, presented, ..RenderRecord::default() }));
        }
    }

    #[test]
    fn what_is_not_kept_is_in_the_sums() {
        let mut records = Records::new(false);
        fill(&mut records, KEPT as u64 + 8);
        assert_eq!(records.frames.len(), KEPT);
        assert_eq!(records.frames.front().map(|frame| frame.frame), Some(FrameIndex(9)));
        assert_eq!(records.renders.front().map(|render| render.frame), Some(FrameIndex(9)));
        assert_eq!(
            records.gone,
            Gone { frames: 8, late: 2, missed: 2, elapsed: Nanos(70), unbalanced: 0, sound_cues: 16 }
        );
        assert_eq!((records.shown, records.unseen), (KEPT as u64 / 2 + 4, KEPT as u64 / 2 + 4));
    }

    #[test]
    fn a_picture_whose_record_is_lost_is_neither_shown_nor_unseen() {
        let mut records = Records::new(true);
        let picture = |outcome, presented: bool, again| {
            let presented = presented.then(Presented::default);
            RuntimeRecord::Render(RenderRecord { outcome, presented, again, ..RenderRecord::default() })
        };
        // Of five rendered frames the record of one is lost; one is drawn a second time, and another one could not be.
        for (outcome, presented, again) in [
            (RenderOutcome::Rendered, true, false),
            (RenderOutcome::Rendered, true, true),
            (RenderOutcome::Rendered, false, false),
            (RenderOutcome::Abandoned, false, false),
            (RenderOutcome::Rendered, true, false),
            (RenderOutcome::Rendered, true, false),
        ] {
            records.take(picture(outcome, presented, again));
        }
        assert_eq!((records.shown, records.unseen), (3, 1));
    }

    #[test]
    fn eight_pictures_in_a_row_that_are_not_shown_are_to_be_said_and_the_next_one_ends_it() {
        let mut records = Records::new(false);
        let mut draw = |outcome| {
            records.take(RuntimeRecord::Render(RenderRecord { outcome, ..RenderRecord::default() }));
            records.are_blind()
        };
        let abandoned: Vec<bool> = (0..10).map(|_| draw(RenderOutcome::Abandoned)).collect();
        assert_eq!(abandoned, [[false; 7].as_slice(), &[true; 3]].concat());
        assert!(!draw(RenderOutcome::Rendered) && !draw(RenderOutcome::Abandoned));
    }

    #[test]
    fn a_run_is_over_with_the_first_frame_at_or_after_its_length() {
        let mut records = Records::new(true);
        fill(&mut records, 5);
        for (stop, over) in [
            (Stop::Never, false),
            (Stop::Frames(5), true),
            (Stop::Frames(6), false),
            (Stop::Elapsed(Nanos(40)), true),
            (Stop::Elapsed(Nanos(41)), false),
        ] {
            assert_eq!(records.reached(stop), over, "{stop:?}");
        }
    }
}
