//! Noticing that the whole program stood still: stopped by a debugger, or by a system that had no time for it. Pure.
//!
//! Two threads tell it together: whoever looks after the run did not look for a while, and a frame has the same while in
//! its delta. One alone is something else: a window that is dragged, or a tick that takes long.

use framewalk_runtime::frame::record::FrameRecord;
use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::time::Nanos;

/// What is shorter happens to any program.
const LEAST: Nanos = Nanos::from_secs(1);

/// A stretch of time, on the clock that records are stamped with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    from: Nanos,
    to: Nanos,
}

impl Stretch {
    /// As long as both last at once; negative where they do not meet.
    fn overlap(self, other: Self) -> Nanos {
        self.to.min(other.to) - self.from.max(other.from)
    }
}

/// What is known of both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standstill {
    looked: Option<Nanos>,
    // The last time that nobody looked, and the last frame that was long in coming.
    unseen: Option<Stretch>,
    frame: Option<Stretch>,
}

impl Standstill {
    /// The run is looked after, ten times a second at least while it plays.
    pub fn look(&mut self, now: Nanos) {
        let from = self.looked.replace(now).unwrap_or(now);
        if now - from >= LEAST {
            self.unseen = Some(Stretch { from, to: now });
        }
    }

    /// Something was recorded; only frames tell it.
    pub fn take(&mut self, record: &RuntimeRecord) {
        if let RuntimeRecord::Frame(frame) = record {
            self.frame(frame);
        }
    }

    fn frame(&mut self, frame: &FrameRecord) {
        // It was not due before a period was over; at 1 Hz that alone is a second.
        let late_by = frame.delta - frame.frame_rate.period();
        if late_by >= LEAST && frame.clamped > Nanos::ZERO {
            self.frame = Some(Stretch { from: frame.render_time - late_by, to: frame.render_time });
        }
    }

    /// As [`Self::look`], and then [`Self::over`].
    pub fn look_and_tell(&mut self, now: Nanos) -> Option<Nanos> {
        self.look(now);
        self.over()
    }

    /// How long everything stood, once, as soon as that is known.
    pub fn over(&mut self) -> Option<Nanos> {
        let stood = self.unseen?.overlap(self.frame?);
        if stood < LEAST {
            return None;
        }
        (self.unseen, self.frame) = (None, None);
        Some(stood)
    }
}

/// What is said of it.
#[must_use]
pub fn sentence(stood: Nanos) -> String {
    format!(
        "The whole program was stopped for {:.1} s, by the system or by a debugger. No time was made up for: the run goes \
         on from where it was.",
        stood.as_secs_f64()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(seconds: i64) -> Nanos {
        Nanos::from_secs(seconds)
    }

    fn frame(late_by: Nanos, render_time: Nanos) -> FrameRecord {
        let delta = late_by + FrameRecord::default().frame_rate.period();
        let clamped = (delta - Nanos::from_millis(250)).max(Nanos::ZERO);
        FrameRecord { delta, render_time, clamped, ..FrameRecord::default() }
    }

    /// Looks ten times a second up to `from`, and again at `to`.
    fn away(from: i64, to: i64) -> Standstill {
        let mut standstill = Standstill::default();
        (0..=from * 10).for_each(|look| standstill.look(Nanos::from_millis(look * 100)));
        standstill.look(s(to));
        standstill
    }

    #[test]
    fn a_minute_in_which_nobody_looked_and_no_frame_came_is_said_once_whichever_is_told_first() {
        let mut standstill = away(5, 66);
        assert_eq!(standstill.over(), None, "its frame has not come");
        standstill.frame(&frame(s(61), s(66)));
        assert_eq!(standstill.over(), Some(s(61)));
        assert_eq!(standstill.over(), None);

        let mut standstill = away(5, 5);
        standstill.frame(&frame(s(61), s(66)));
        assert_eq!(standstill.over(), None, "somebody may have looked meanwhile");
        standstill.look(s(66));
        assert_eq!(standstill.over(), Some(s(61)));
    }

    #[test]
    fn a_window_that_is_dragged_and_a_tick_that_takes_long_are_no_standstill() {
        let mut dragged = away(5, 66);
        dragged.frame(&frame(Nanos::from_millis(16), s(66)));
        assert_eq!(dragged.over(), None);
        let mut long = away(80, 80);
        long.frame(&frame(s(30), s(70)));
        assert_eq!(long.over(), None);
        // Each at a time of its own.
        let mut apart = away(5, 66);
        apart.frame(&frame(s(10), s(80)));
        assert_eq!(apart.over(), None);
    }

    #[test]
    fn a_run_of_one_frame_a_second_does_not_stand_still_while_its_window_is_dragged() {
        let mut dragged = away(5, 66);
        let rate = framewalk_runtime::time::Rate::hz(1).unwrap();
        let (delta, clamped) = (s(1), Nanos::from_millis(750));
        dragged.frame(&FrameRecord {
            delta,
            clamped,
            render_time: s(30),
            frame_rate: rate,
            ..FrameRecord::default()
        });
        assert_eq!(dragged.over(), None);
    }

    #[test]
    fn less_than_a_second_happens_to_any_program() {
        let mut standstill = away(5, 5);
        standstill.frame(&frame(Nanos::from_millis(900), Nanos::from_millis(5_900)));
        standstill.look(Nanos::from_millis(5_900));
        assert_eq!(standstill.over(), None);
    }

    #[test]
    fn it_is_said_how_long_and_that_nothing_is_made_up_for() {
        let said = "The whole program was stopped for 61.2 s, by the system or by a debugger. No time was made up for: the \
                    run goes on from where it was.";
        assert_eq!(sentence(Nanos::from_millis(61_234)), said);
    }
}
