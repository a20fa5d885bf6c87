//! The deadline grid of frames: pure arithmetic, no waiting.

#[cfg(test)]
mod tests;

use super::{Nanos, Rate};

/// When the next frame is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Planned {
    /// Number of its grid point, counted from the reference.
    pub grid: u64,
    /// Exactly the deadline where the frame is on time (the caller waits for it), else now.
    pub render_time: Nanos,
    /// Reached the clock after its own deadline.
    pub late: bool,
    /// Grid points after its own deadline and up to now.
    pub missed: u64,
}

/// A grid of deadlines `reference + ⌈n × 10⁹ × den ÷ num⌉`. A stopped clock answers 0 to everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameClock {
    grid: Option<Grid>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Grid {
    reference: Nanos,
    rate: Rate,
    // The grid point of the next frame.
    next: u64,
    // Of the grid that the next frame begins: it is late on this one.
    then: Option<Rate>,
}

impl FrameClock {
    /// A grid whose first frame runs at once, at `reference`: hand [`FrameClock::next`] that same time for it, or
    /// it counts as late. Play and resume start one now.
    #[must_use]
    pub const fn started(reference: Nanos, rate: Rate) -> Self {
        Self { grid: Some(Grid { reference, rate, next: 0, then: None }) }
    }

    /// A grid whose first frame was at `reference`, whoever ran it: the next is a period later.
    #[must_use]
    pub const fn begun(reference: Nanos, rate: Rate) -> Self {
        Self { grid: Some(Grid { reference, rate, next: 1, then: None }) }
    }

    #[must_use]
    pub const fn stopped() -> Self {
        Self { grid: None }
    }

    /// A new rate, asked for `now`: a new grid from the last render time, whose point 0 was that frame, and whose first
    /// point after now is the next frame's. So a change makes no frame late and misses no deadline.
    ///
    /// Nor does it undo that a frame is late: where the next one `arrived` here after its own deadline, or has not yet and
    /// that is past, it runs as late as it is, and the new grid begins with it.
    pub fn change_rate(&mut self, last_render_time: Nanos, rate: Rate, arrived: Nanos, now: Nanos) {
        let is_late = arrived > self.next_deadline();
        let Some(grid) = &mut self.grid else { return };
        if is_late {
            grid.then = Some(rate);
        } else {
            let next = rate.last_point_at(now - last_render_time).saturating_add(1);
            *grid = Grid { reference: last_render_time, rate, next, then: None };
        }
    }

    /// Moves the whole grid, positive to later, by an eighth of a period at most: so a frame may be a little early or
    /// late by it, and there is never a burst.
    pub fn shift(&mut self, by: Nanos) {
        let most = self.period().0 / 8;
        if let Some(grid) = &mut self.grid {
            grid.reference += Nanos(by.0.clamp(-most, most));
        }
    }

    /// Deadline of grid point n.
    #[must_use]
    pub fn deadline(&self, n: u64) -> Nanos {
        self.grid.map_or(Nanos::ZERO, |grid| grid.reference + grid.rate.time_of(n))
    }

    /// Deadline of the next frame.
    #[must_use]
    pub fn next_deadline(&self) -> Nanos {
        self.grid.map_or(Nanos::ZERO, |grid| self.deadline(grid.next))
    }

    /// Plans the next frame for a caller that arrives `now`, and moves on by it.
    pub fn next(&mut self, now: Nanos) -> Planned {
        let deadline = self.next_deadline();
        let Some(grid) = &mut self.grid else { return Planned::default() };
        let own = grid.next;
        let planned = if now <= deadline {
            grid.next = own + 1;
            Planned { grid: own, render_time: deadline, late: false, missed: 0 }
        } else {
            let last = grid.rate.last_point_at(now - grid.reference).max(own);
            grid.next = last + 1;
            Planned { grid: own, render_time: now, late: true, missed: last - own }
        };
        if let Some(rate) = grid.then {
            *grid = Grid { reference: planned.render_time, rate, next: 1, then: None };
        }
        planned
    }

    #[must_use]
    pub fn rate(&self) -> Option<Rate> {
        self.grid.map(|grid| grid.rate)
    }

    /// `⌈10⁹ × den ÷ num⌉` ns; 0 when stopped.
    #[must_use]
    pub fn period(&self) -> Nanos {
        self.grid.map_or(Nanos::ZERO, |grid| grid.rate.period())
    }
}
