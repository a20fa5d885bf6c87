//! Waiting for a deadline without keeping a core busy.
//!
//! A park with a time limit is an absolute sleep on Linux, as `clock_nanosleep` is one, and can be ended by whoever wants
//! the thread; `docs/pacing.md` has both measured, and every way of waiting there is here.

use super::Nanos;
use super::rest::{Asleep, Rest};
use super::source::RealClock;
use super::tail::AdaptiveTail;

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// The deadline has come; `wake_error` is how long after it the wait really ended, never negative.
    Deadline { wake_error: Nanos },
    /// Something else wants this thread before the deadline.
    Early,
}

/// How a thread meets its deadlines: what it pays for being on time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pacing {
    /// Parks to the deadline: late by what waking takes, some 100 µs, and nothing is spent.
    #[default]
    Relaxed,
    /// Parks until just before the deadline and spins from there; how long before follows how late waking has been.
    Precise,
    /// The same with a spin of this length; 500 µs at most.
    Tail(Nanos),
}

/// Waits by parking, then at most by a short spin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pacer {
    pacing: Pacing,
    tail: AdaptiveTail,
    // The thread that waits has been told to wake up sharp.
    sharpened: bool,
}

impl Pacer {
    /// The longest spin before a deadline; longer settings are shortened to it.
    pub const MAX_SPIN_TAIL: Nanos = AdaptiveTail::MOST;

    #[must_use]
    pub fn new(pacing: Pacing) -> Self {
        Self { pacing, ..Self::default() }
    }

    #[must_use]
    pub const fn pacing(&self) -> Pacing {
        self.pacing
    }

    /// How long before the next deadline the spin will begin.
    #[must_use]
    pub fn spin_tail(&self) -> Nanos {
        match self.pacing {
            Pacing::Relaxed => Nanos::ZERO,
            Pacing::Precise => self.tail.length(),
            Pacing::Tail(tail) => tail.clamp(Nanos::ZERO, Self::MAX_SPIN_TAIL),
        }
    }

    /// Parks the calling thread until `deadline`, or until `interrupted` answers true. A pacer waits on one thread.
    ///
    /// `interrupted` is asked before each park and after each wake, but no more once the deadline has come: a thread that
    /// wakes late has met its deadline all the same. Whoever makes it true does so first and then unparks this thread; no
    /// wake is lost, and an unpark for nothing only goes back to waiting.
    pub fn wait_until(
        &mut self,
        clock: &RealClock,
        deadline: Nanos,
        interrupted: impl Fn() -> bool,
    ) -> Woken {
        self.wait_until_by(clock, deadline, interrupted, &mut Asleep)
    }

    /// As [`Self::wait_until`]; until the spin begins, `rest` says how it waits.
    pub fn wait_until_by(
        &mut self,
        clock: &RealClock,
        deadline: Nanos,
        interrupted: impl Fn() -> bool,
        rest: &mut impl Rest,
    ) -> Woken {
        self.sharpen();
        let spin_from = deadline - self.spin_tail();
        loop {
            let now = clock.now();
            if now >= deadline {
                return Woken::Deadline { wake_error: now - deadline };
            }
            if interrupted() {
                return Woken::Early;
            }
            if now < spin_from {
                let slept = rest.rest(Some((spin_from - now).to_duration()), &interrupted);
                let woken = clock.now();
                if slept && woken >= spin_from {
                    self.tail.note(woken - spin_from);
                }
            } else {
                std::hint::spin_loop();
            }
        }
    }

    /// Rests until `deadline`, and spins for the last of it; whoever unparks the calling thread ends that. True: it has
    /// spun. Once, for a caller that asks again.
    pub fn nap_until(&mut self, clock: &RealClock, deadline: Nanos, rest: &mut impl Rest) -> bool {
        self.sharpen();
        let spin_from = deadline - self.spin_tail();
        let now = clock.now();
        if now < spin_from {
            let slept = rest.rest(Some((spin_from - now).to_duration()), &|| false);
            let woken = clock.now();
            if woken < spin_from {
                return false;
            }
            if slept {
                self.note_oversleep(woken - spin_from);
            }
        }
        let spins = clock.now() < deadline && self.pacing != Pacing::Relaxed;
        if spins {
            Self::spin_until(clock, deadline, || false);
        }
        spins
    }

    /// Spins until `has_come` answers true, or until then; true: it has come. It never yields, and it is the caller's business
    /// that `until` is near.
    pub fn spin_until(clock: &RealClock, until: Nanos, has_come: impl Fn() -> bool) -> bool {
        loop {
            if has_come() {
                return true;
            }
            if clock.now() >= until {
                return false;
            }
            std::hint::spin_loop();
        }
    }

    /// A sleep of this thread that was to end just before the spin ended so late.
    pub fn note_oversleep(&mut self, by: Nanos) {
        self.tail.note(by);
    }

    /// Has the calling thread woken sharp from now on, where it is to be on time.
    pub fn sharpen(&mut self) {
        if !self.sharpened && self.pacing != Pacing::Relaxed {
            self.sharpened = true;
            wake_sharp();
        }
    }

    /// Rests, however long, until `interrupted` answers true; under the same terms.
    pub fn stand_by(interrupted: impl Fn() -> bool, rest: &mut impl Rest) {
        while !interrupted() {
            rest.rest(None, &interrupted);
        }
    }
}

/// Asks the system to wake the calling thread when it is to wake, not up to 50 µs later with others at once.
pub fn wake_sharp() {
    #[cfg(target_os = "linux")]
    if let Err(error) = nix::sys::prctl::set_timerslack(1) {
        tracing::debug!(target: "framewalk", %error, "timer_slack_kept");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use std::thread;

    #[test]
    fn the_spin_before_a_deadline_is_bounded() {
        for (asked, kept) in [(0, 0), (-5, 0), (200_000, 200_000), (500_000, 500_000), (16_000_000, 500_000)]
        {
            assert_eq!(Pacer::new(Pacing::Tail(Nanos(asked))).spin_tail(), Nanos(kept));
        }
        assert_eq!(Pacer::default().spin_tail(), Nanos::ZERO);
        assert_eq!(Pacer::new(Pacing::Precise).spin_tail(), Nanos::from_micros(200));
    }

    #[test]
    fn a_real_wait_ends_at_or_after_its_deadline_and_says_by_how_much() {
        let clock = RealClock::new();
        for pacing in [Pacing::Relaxed, Pacing::Precise, Pacing::Tail(Nanos::from_micros(100))] {
            let deadline = clock.now() + Nanos::from_millis(2);
            let woken = Pacer::new(pacing).wait_until(&clock, deadline, || false);
            let now = clock.now();
            let Woken::Deadline { wake_error } = woken else { panic!("{woken:?}") };
            assert!(wake_error >= Nanos::ZERO && deadline + wake_error <= now, "{wake_error:?}");
        }
    }

    #[test]
    fn a_deadline_already_passed_does_not_wait_on_the_real_clock() {
        let clock = RealClock::new();
        let woken = Pacer::default().wait_until(&clock, Nanos(-3), || false);
        assert!(matches!(woken, Woken::Deadline { wake_error } if wake_error >= Nanos(3)), "{woken:?}");
    }

    #[test]
    fn a_deadline_already_passed_is_met_also_where_something_else_wants_the_thread() {
        let clock = RealClock::new();
        let woken = Pacer::default().wait_until(&clock, Nanos(-3), || true);
        assert!(matches!(woken, Woken::Deadline { wake_error } if wake_error >= Nanos(3)), "{woken:?}");
        let ahead = clock.now() + Nanos::from_secs(3600);
        assert_eq!(Pacer::default().wait_until(&clock, ahead, || true), Woken::Early);
    }

    #[test]
    fn a_control_ends_a_real_wait_early_and_an_empty_wake_does_not() {
        let wanted = Arc::new(AtomicBool::new(false));
        let asked = Arc::new(AtomicU32::new(0));
        let waiter = thread::spawn({
            let (wanted, asked) = (wanted.clone(), asked.clone());
            move || {
                let clock = RealClock::new();
                let far = clock.now() + Nanos::from_secs(3600);
                let interrupted = || {
                    asked.fetch_add(1, Ordering::AcqRel);
                    wanted.load(Ordering::Acquire)
                };
                let woken = Pacer::default().wait_until(&clock, far, interrupted);
                Pacer::stand_by(interrupted, &mut Asleep);
                woken
            }
        });
        while asked.load(Ordering::Acquire) < 3 {
            // Wakes for nothing: each is answered by asking again, not by returning.
            waiter.thread().unpark();
            thread::yield_now();
        }
        wanted.store(true, Ordering::Release);
        waiter.thread().unpark();
        assert_eq!(waiter.join().unwrap(), Woken::Early);
    }
}
