//! When the window's thread looks after the run: a grid of its own, and what became of it.

use std::time::Duration;

use framewalk_inspector::stats::Distribution;
use framewalk_runtime::time::frame_clock::FrameClock;
use framewalk_runtime::time::{Nanos, Rate};

use crate::outcome::Polls;

/// A grid of looks. One that is late is made up for by nothing: the next is at the next point of the grid.
#[derive(Clone, Debug)]
pub struct PollClock {
    grid: FrameClock,
    asked: Rate,
    last: Option<Nanos>,
    intervals: Distribution,
}

impl PollClock {
    /// A grid that begins now.
    #[must_use]
    pub fn new(now: Nanos, asked: Rate) -> Self {
        let grid = FrameClock::started(now, asked);
        Self { grid, asked, last: None, intervals: Distribution::default() }
    }

    /// A look is due now, and counts as made.
    pub fn is_due(&mut self, now: Nanos) -> bool {
        if now < self.grid.next_deadline() {
            return false;
        }
        self.grid.next(now);
        if let Some(last) = self.last.replace(now) {
            self.intervals.add(now - last);
        }
        true
    }

    /// How long there is nothing to look after.
    #[must_use]
    pub fn wait(&self, now: Nanos) -> Duration {
        (self.grid.next_deadline() - now).to_duration()
    }

    /// What is reported.
    #[must_use]
    pub fn figures(&self) -> Polls {
        Polls { asked: self.asked, intervals: self.intervals.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_look_is_followed_by_one_at_the_next_point_and_by_no_burst() {
        let mut polls = PollClock::new(Nanos::ZERO, Rate::hz(1000).unwrap());
        let micros = [0, 400, 1_000, 4_700, 4_800, 5_000, 6_100];
        let due: Vec<bool> = micros.iter().map(|at| polls.is_due(Nanos::from_micros(*at))).collect();
        assert_eq!(due, [true, false, true, true, false, true, true]);
        assert_eq!(polls.wait(Nanos::from_micros(6_250)), Duration::from_micros(750));
        let intervals = [1_000, 3_700, 300, 1_100].map(Nanos::from_micros);
        assert_eq!(polls.figures().intervals, intervals.into_iter().collect());
    }
}
