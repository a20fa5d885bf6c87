//! When sounds are looked after: a grid of their own, and how late each look was.

use std::time::Duration;

use framewalk_inspector::stats::Distribution;
use framewalk_runtime::time::frame_clock::FrameClock;
use framewalk_runtime::time::{Nanos, Rate};

/// A grid of updates. One that is late is made up for by nothing: the next is at the next point of the grid.
#[derive(Clone, Debug)]
pub struct AudioClock {
    grid: FrameClock,
    asked: Rate,
    last: Nanos,
    updates: u64,
    missed: u64,
    late: Distribution,
}

impl AudioClock {
    /// A grid that begins now.
    #[must_use]
    pub fn new(now: Nanos, asked: Rate) -> Self {
        Self {
            grid: FrameClock::started(now, asked),
            asked,
            last: now,
            updates: 0,
            missed: 0,
            late: Distribution::default(),
        }
    }

    /// An update is due now, and counts as made: the time since the last one.
    pub fn due(&mut self, now: Nanos) -> Option<Nanos> {
        let deadline = self.grid.next_deadline();
        if now < deadline {
            return None;
        }
        self.missed += self.grid.next(now).missed;
        self.updates += 1;
        self.late.add(now - deadline);
        Some(now - std::mem::replace(&mut self.last, now))
    }

    /// Nothing is due from now on: the time since the last update.
    pub fn stop(&mut self, now: Nanos) -> Nanos {
        now - std::mem::replace(&mut self.last, now)
    }

    /// The grid begins anew, now: what it would have had meanwhile is nobody's.
    pub fn go_on(&mut self, now: Nanos) {
        self.grid = FrameClock::started(now, self.asked);
        self.last = now;
    }

    /// How long nothing is due.
    #[must_use]
    pub fn wait(&self, now: Nanos) -> Duration {
        (self.grid.next_deadline() - now).to_duration()
    }

    #[must_use]
    pub const fn asked(&self) -> Rate {
        self.asked
    }

    #[must_use]
    pub const fn updates(&self) -> u64 {
        self.updates
    }

    /// Points of the grid that were left out.
    #[must_use]
    pub const fn missed(&self) -> u64 {
        self.missed
    }

    /// How late the updates were.
    #[must_use]
    pub const fn late(&self) -> &Distribution {
        &self.late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_update_is_followed_by_one_at_the_next_point_and_by_no_burst() {
        let mut clock = AudioClock::new(Nanos::ZERO, Rate::HZ_250);
        let micros = [0, 1_000, 4_000, 4_300, 8_250, 21_500, 22_000, 24_000];
        let due: Vec<Option<Nanos>> = micros.iter().map(|at| clock.due(Nanos::from_micros(*at))).collect();
        let passed = |micros| Some(Nanos::from_micros(micros));
        assert_eq!(
            due,
            [passed(0), None, passed(4_000), None, passed(4_250), passed(13_250), None, passed(2_500)]
        );
        // Due at 12 ms, and made at 21.5: 16 and 20 are left out.
        assert_eq!((clock.updates(), clock.missed()), (5, 2));
        assert_eq!(*clock.late(), [0, 0, 250, 9_500, 0].map(Nanos::from_micros).into_iter().collect());
        assert_eq!(clock.wait(Nanos::from_micros(25_000)), Duration::from_micros(3_000));
    }

    #[test]
    fn a_clock_that_stood_misses_nothing_of_what_it_stood_for() {
        let mut clock = AudioClock::new(Nanos::ZERO, Rate::HZ_250);
        assert_eq!(clock.due(Nanos::ZERO), Some(Nanos::ZERO));
        assert_eq!(clock.stop(Nanos::from_millis(3)), Nanos::from_millis(3));
        clock.go_on(Nanos::from_secs(600));
        assert_eq!(clock.due(Nanos::from_secs(600)), Some(Nanos::ZERO));
        assert_eq!(clock.due(Nanos::from_millis(600_004)), Some(Nanos::from_millis(4)));
        assert_eq!((clock.updates(), clock.missed()), (3, 0));
    }
}
