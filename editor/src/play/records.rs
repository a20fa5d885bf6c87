//! What a run in a window records: of every frame what it comes to, and the records themselves where a table is wanted.

use framewalk_runtime::frame::record::{FrameRecord, HandoffCounts, RenderOutcome, RenderRecord};
use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::sim::thread::LiveRun;
use framewalk_runtime::time::Nanos;

use super::Stop;
use crate::audio::AudioFigures;
use crate::outcome::figures::{RunFigures, Seen};
use crate::outcome::gathering::Gathering;
use crate::outcome::{Ending, InWindow, Outcome, PhaseFigures, Polls};
use crate::window::trouble::TRIES;

/// Frames in order, and what was drawn of them. Its memory does not grow with the run, but where all records are kept.
#[derive(Clone, Debug)]
pub struct Records {
    gathering: Gathering,
    kept: Option<Kept>,
    newest: Option<FrameRecord>,
    // Pictures that could not be drawn or shown, one after the other.
    failed_in_a_row: u32,
    elapsed: Nanos,
}

/// All of them.
#[derive(Clone, Debug, Default)]
struct Kept {
    frames: Vec<FrameRecord>,
    pictures: Vec<RenderRecord>,
}

impl Records {
    /// Where all are to be kept, each costs some 700 bytes.
    #[must_use]
    pub fn new(keep_all: bool) -> Self {
        Self {
            gathering: Gathering::into(RunFigures::new(Seen::InWindow)),
            kept: keep_all.then(Kept::default),
            newest: None,
            failed_in_a_row: 0,
            elapsed: Nanos::ZERO,
        }
    }

    pub fn take(&mut self, record: RuntimeRecord) {
        match record {
            RuntimeRecord::Frame(frame) => {
                self.elapsed += Nanos(frame.delta.0.max(0));
                self.newest = Some(frame);
                self.kept.iter_mut().for_each(|kept| kept.frames.push(frame));
                self.gathering.frame(frame);
            }
            RuntimeRecord::Render(picture) => {
                self.failed_in_a_row = match picture.outcome {
                    RenderOutcome::Rendered => 0,
                    RenderOutcome::Abandoned => self.failed_in_a_row.saturating_add(1),
                };
                self.kept.iter_mut().for_each(|kept| kept.pictures.push(picture));
                self.gathering.picture(picture);
            }
        }
    }

    /// The frame whose record came last.
    #[must_use]
    pub const fn newest(&self) -> Option<&FrameRecord> {
        self.newest.as_ref()
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

    /// All of it, once the run has ended and these are its last counts.
    #[must_use]
    pub fn outcome(
        self,
        run: &LiveRun,
        counts: HandoffCounts,
        (polls, phase, audio): (Polls, PhaseFigures, AudioFigures),
        input_lost: u64,
        ending: Ending,
    ) -> Outcome {
        let Kept { frames, pictures } = self.kept.unwrap_or_default();
        Outcome {
            figures: self.gathering.finish(),
            frames,
            poses: Vec::new(),
            renders: pictures,
            counts,
            redraws: run.redraws(),
            state_hash: run.state_hash(),
            records_lost: run.records_lost(),
            input_lost,
            window: Some(InWindow { polls, phase, audio }),
            meetings: run.meetings(),
            sightings: run.sightings(),
            ending,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "the values are exact")]

    use super::*;
    use framewalk_inspector::stats::Distribution;
    use framewalk_runtime::frame::record::{FrameKind, Presented, StageTiming, TickTotals};
    use framewalk_runtime::frame::stage::Stage;
    use framewalk_runtime::time::FrameIndex;

    fn fill(records: &mut Records, frames: u64) {
        for n in 1..=frames {
            let delta = Nanos(if n == 1 { 0 } else { 10 });
            let record = FrameRecord { frame: FrameIndex(n), delta, ..FrameRecord::default() };
            records.take(RuntimeRecord::Frame(record));
        }
    }

    #[test]
    fn a_stall_in_the_first_second_is_the_longest_frame_after_an_hour_too() {
        let mut records = Records::new(false);
        let frames = 3_600 * 60;
        for n in 1..=frames {
            let frame = FrameIndex(n);
            // One of a hundred takes twice as long, and one of all of them half a second.
            let length = match n {
                40 => 500_000_001,
                _ if n % 100 == 0 => 8_000_000,
                _ => 4_000_000,
            };
            let mut stages = [StageTiming::default(); Stage::COUNT];
            stages[Stage::RunScheduler.index()].duration = Nanos(length);
            let late = n == 40;
            let totals = TickTotals { balanced: true, ..TickTotals::default() };
            let delta = Nanos(if n == 1 { 0 } else { 16_666_667 });
            let frame = FrameRecord { frame, delta, late, stages, totals, ..FrameRecord::default() };
            records.take(RuntimeRecord::Frame(frame));
            let picture = RenderRecord { frame: frame.frame, ..RenderRecord::default() };
            records.take(RuntimeRecord::Render(picture));
        }
        assert_eq!(records.gathering.waiting(), (1, 1), "nothing else is kept");
        let figures = records.gathering.finish();
        assert_eq!((figures.frames, figures.late), (frames, 1));
        assert_eq!(figures.elapsed, Nanos(16_666_667 * (frames as i64 - 1)));
        let stage = figures.stages[Stage::RunScheduler.index()].summary().unwrap();
        assert_eq!((stage.count, stage.max), (216_000, Nanos(500_000_001)));
        // 4 and 8 ms, each the middle of a stretch of 1/1024 of the power of two below.
        assert_eq!(
            (stage.p50, stage.p99, stage.p999),
            (Nanos(4_000_768), Nanos(8_001_536), Nanos(8_001_536))
        );
        assert!(!figures.are_exact());
    }

    #[test]
    fn what_is_told_frame_by_frame_is_what_all_records_together_come_to() {
        let mut records = Records::new(true);
        let presented = |at| Some(Presented { at: Nanos(at), refresh: None });
        let frame = |n: u64, input: Option<i64>| FrameRecord {
            frame: FrameIndex(n),
            kind: if n == 1 { FrameKind::First } else { FrameKind::Running },
            delta: Nanos(if n == 1 { 0 } else { 10 }),
            shown_time: Nanos(10 * n as i64),
            input_arrived: input.map(Nanos),
            input_seen: input.map(|at| Nanos(at + 3)),
            ..FrameRecord::default()
        };
        let picture = |n: u64, at: Option<i64>, again| RenderRecord {
            frame: FrameIndex(n),
            presented: at.and_then(presented),
            shown_time: Nanos(10 * n as i64),
            again,
            ..RenderRecord::default()
        };
        // Frame 2 is drawn twice, 3 not shown, 4 dropped, the record of 5 lost, the picture of 6 before its frame.
        let all = [
            RuntimeRecord::Frame(frame(1, None)),
            RuntimeRecord::Render(picture(1, Some(20), false)),
            RuntimeRecord::Frame(frame(2, Some(15))),
            RuntimeRecord::Render(picture(2, Some(31), false)),
            RuntimeRecord::Render(picture(2, Some(36), true)),
            RuntimeRecord::Frame(frame(3, Some(22))),
            RuntimeRecord::Frame(frame(4, Some(24))),
            RuntimeRecord::Render(picture(3, None, false)),
            RuntimeRecord::Render(picture(5, Some(60), false)),
            RuntimeRecord::Render(picture(6, Some(71), false)),
            RuntimeRecord::Frame(frame(6, Some(50))),
            RuntimeRecord::Frame(frame(7, None)),
            RuntimeRecord::Render(picture(7, Some(82), false)),
            RuntimeRecord::Frame(frame(8, Some(78))),
        ];
        all.into_iter().for_each(|record| records.take(record));
        let kept = records.kept.as_ref().unwrap();
        let together = RunFigures::of(&kept.frames, &kept.pictures, Seen::InWindow);
        for figures in [records.gathering.finish(), together] {
            assert_eq!((figures.frames, figures.pictures), (7, 7));
            assert_eq!((figures.shown, figures.unseen), (5, 1));
            let of = |distribution: &Distribution| {
                let summary = distribution.summary().unwrap();
                (summary.count, summary.mean_nanos * summary.count as f64, summary.max)
            };
            // 31 - 15; 60 - 22 and 60 - 24, by the picture of the frame that is lost; 71 - 50.
            assert_eq!(of(&figures.input_to_shown), (4, 111.0, Nanos(38)));
            assert_eq!(of(&figures.input_to_tick), (5, 15.0, Nanos(3)));
            // Of 2: 11 passed for 10, and 5 for none; of 6: 35 for 40, as 3 to 5 are not known; of 7: 11 for 10.
            assert_eq!(of(&figures.animation_errors), (4, 12.0, Nanos(5)));
        }
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
        let figures = records.gathering.finish();
        assert_eq!((figures.shown, figures.unseen), (3, 1));
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
