//! Where time comes from: the only place that reads a clock.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};

use super::Nanos;

/// A clock that logic is given instead of reading one.
pub trait TimeSource {
    /// Now, on this source's own monotonic scale.
    fn now(&self) -> Nanos;

    /// Lets `work` pass the way work does: the real clock keeps the core busy, a manual one moves on.
    /// Nothing happens for zero or a negative time.
    fn spend(&mut self, work: Nanos);

    /// Lets happen what is due at this very instant, before the caller does what others will see. The real world needs
    /// no such call; on a manual clock the order of equal times is decided here.
    fn settle(&mut self) {}

    /// Lets the renderer finish what it draws, before the caller waits for it at a meeting. In the real world the wait
    /// itself does that; on a manual clock somebody must move the clock.
    fn meet(&mut self) {}

    /// What durations are measured with: this clock, unless a manual one is driven to measure real costs.
    fn stamp(&self) -> Nanos {
        self.now()
    }
}

/// The machine's monotonic clock. Every instance in the process counts from one anchor, set at the first
/// [`RealClock::new`], so times taken on different threads can be subtracted.
///
/// The first one in a process may take some 100 ms: the counter is measured against the system's clock.
#[derive(Clone)]
pub struct RealClock(&'static Anchor);

struct Anchor {
    clock: quanta::Clock,
    raw: u64,
}

impl RealClock {
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        static ANCHOR: OnceLock<Anchor> = OnceLock::new();
        Self(ANCHOR.get_or_init(|| {
            let clock = quanta::Clock::new();
            let raw = clock.raw();
            Anchor { clock, raw }
        }))
    }

    /// Time since the anchor; about 11 ns to read.
    #[must_use]
    pub fn now(&self) -> Nanos {
        self.time_of(self.raw())
    }

    /// The counter itself: for times that are taken often and looked at later.
    #[inline]
    #[must_use]
    pub fn raw(&self) -> u64 {
        self.0.clock.raw()
    }

    /// The time at which the counter stood there.
    #[must_use]
    pub fn time_of(&self, raw: u64) -> Nanos {
        // A core whose counter stands a little behind the anchor reads 0: the difference saturates.
        let nanos = self.0.clock.delta_as_nanos(self.0.raw, raw);
        Nanos(i64::try_from(nanos).unwrap_or(i64::MAX))
    }
}

impl Default for RealClock {
    fn default() -> Self {
        Self::new()
    }
}

impl TimeSource for RealClock {
    fn now(&self) -> Nanos {
        self.now()
    }

    /// Burns this core until `work` has passed: it stands for real work, so it neither sleeps nor pauses.
    fn spend(&mut self, work: Nanos) {
        if work <= Nanos::ZERO {
            return;
        }
        let end = self.now() + work;
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        while self.now() < end {
            // Enough arithmetic that the clock is read a few times a microsecond, not all the time.
            for _ in 0..64 {
                seed = black_box(seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
            }
        }
    }
}

/// A clock that moves only when it is told to. Clones share one time.
#[derive(Clone, Debug, Default)]
pub struct ManualClock {
    // Relaxed throughout: the time is the only thing shared, and no other memory is published through it.
    now: Arc<AtomicI64>,
}

impl ManualClock {
    #[must_use]
    pub fn new(start: Nanos) -> Self {
        Self { now: Arc::new(AtomicI64::new(start.0)) }
    }

    #[must_use]
    pub fn now(&self) -> Nanos {
        Nanos(self.now.load(Ordering::Relaxed))
    }

    /// Moves on to `time`, never backward: a time already passed leaves it where it is.
    pub fn advance_to(&self, time: Nanos) {
        self.now.fetch_max(time.0, Ordering::Relaxed);
    }

    /// Moves on by `by`, `i64::MAX` at most; a negative time leaves it where it is.
    pub fn advance(&self, by: Nanos) {
        self.advance_to(self.now() + by);
    }

    /// Sets it, backward too: a time reversal.
    pub fn set(&self, time: Nanos) {
        self.now.store(time.0, Ordering::Relaxed);
    }
}

impl TimeSource for ManualClock {
    fn now(&self) -> Nanos {
        self.now()
    }

    fn spend(&mut self, work: Nanos) {
        self.advance(work);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_of_a_manual_clock_share_one_time() {
        let clock = ManualClock::new(Nanos(5));
        let other = clock.clone();
        clock.advance(Nanos(7));
        assert_eq!(other.now(), Nanos(12));
    }

    #[test]
    fn a_manual_clock_goes_backward_only_when_set() {
        let clock = ManualClock::new(Nanos(100));
        clock.advance_to(Nanos(40));
        clock.advance(Nanos(-1));
        assert_eq!(clock.now(), Nanos(100));
        clock.set(Nanos(40));
        assert_eq!(clock.now(), Nanos(40));
        clock.advance(Nanos::MAX);
        assert_eq!(clock.now(), Nanos::MAX);
    }

    #[test]
    fn work_moves_a_manual_clock_by_exactly_its_length() {
        let mut clock = ManualClock::new(Nanos::ZERO);
        clock.spend(Nanos::from_micros(250));
        clock.spend(Nanos(-9));
        assert_eq!(clock.now(), Nanos(250_000));
    }

    #[test]
    fn the_real_clock_never_runs_backward_and_work_takes_at_least_its_length() {
        let mut clock = RealClock::new();
        let other = RealClock::new();
        let before = clock.now();
        clock.spend(Nanos::from_micros(300));
        let after = other.now();
        assert!(after - before >= Nanos::from_micros(300), "{before:?} to {after:?}");
        clock.spend(Nanos(-1));
        assert!(clock.now() >= after);
    }
}
