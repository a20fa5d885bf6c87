//! A place where several threads meet, again and again: nobody leaves a meeting before everybody has come to it.
//!
//! One atomic word says who has come, who sleeps and how many meetings there were, so the arrival that completes a
//! meeting and the release of all the others are one exchange: it can be made by one party only, and a party that
//! went on and came back cannot slip into the meeting it has just left. That is what the two senses of a
//! sense-reversing barrier are for; here the count of meetings takes their place, and its parity is the sense.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use super::sync::{AtomicU64, Ordering, Thread, current, park, park_timeout, spin_loop};
use crate::time::Nanos;
use crate::time::source::RealClock;

/// The most parties of one barrier: what fits the word beside the count of meetings.
pub const MOST_PARTIES: usize = 8;

/// One bit for each party that has come to the meeting under way.
const ARRIVED: u64 = 0xff;
/// One bit for each party that sleeps and must be woken.
const SLEEPING: u64 = 0xff << SLEEPING_SHIFT;
const SLEEPING_SHIFT: u32 = 8;
/// A party is gone: no meeting can be completed any more.
const BROKEN: u64 = 1 << 16;
/// How many meetings were completed: 47 bits, enough for four thousand years at 1000 Hz.
const GENERATION_SHIFT: u32 = 17;

/// Looks before a party sleeps: about a microsecond, while the others may be on their last steps.
const SPINS: u32 = if cfg!(loom) { 1 } else { 60 };

/// The longest a waiting party with a limit sleeps before it looks at the clock.
const SLICE: Nanos = Nanos::from_millis(250);

/// Makes a barrier and hands out its parties, in order.
///
/// # Errors
/// No party at all, or more than [`MOST_PARTIES`].
pub fn barrier(parties: usize) -> Result<Vec<Party>, WrongParties> {
    if !(1..=MOST_PARTIES).contains(&parties) {
        return Err(WrongParties { given: parties });
    }
    let shared = Arc::new(Shared {
        word: CachePadded::new(AtomicU64::new(0)),
        sleepers: std::array::from_fn(|_| OnceLock::new()),
        parties: parties as u32,
    });
    let party = |index| Party { shared: shared.clone(), index: index as u32, passed: 0, arrived: false };
    Ok((0..parties).map(party).collect())
}

/// So many parties cannot meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a barrier has 1 to {most} parties, not {given}", most = MOST_PARTIES)]
pub struct WrongParties {
    pub given: usize,
}

/// A party has stopped, panicked or was told to: the meeting never comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the others are not waited for any more: one of them has ended")]
pub struct Broken;

/// Why a wait ended without a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WaitError {
    #[error(transparent)]
    Broken(#[from] Broken),
    #[error("the others did not come within {} s of running time", waited.as_secs_f64())]
    TooLong { waited: Nanos },
}

/// What an arrival did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// The meeting is over: this party was the last, or has been let go since it came.
    Met,
    /// Others are still to come.
    Waits,
}

struct Shared {
    word: CachePadded<AtomicU64>,
    sleepers: [OnceLock<Thread>; MOST_PARTIES],
    parties: u32,
}

/// One of those who meet. Dropping it breaks the barrier, as a panic of its thread does: the others are let go.
pub struct Party {
    shared: Arc<Shared>,
    index: u32,
    // Meetings this party has been through.
    passed: u64,
    // It has come to the next meeting and has not been let go.
    arrived: bool,
}

impl Party {
    /// Comes to the next meeting, without waiting; the second time it only looks whether the meeting is over.
    ///
    /// # Errors
    /// A party has ended. A meeting that was completed before that still counts.
    pub fn arrive(&mut self) -> Result<Arrival, Broken> {
        if self.arrived {
            return self.look();
        }
        let own = 1 << self.index;
        // Relaxed: whatever is seen here, the exchange decides.
        let mut seen = self.shared.word.load(Ordering::Relaxed);
        loop {
            if seen & BROKEN != 0 {
                return Err(Broken);
            }
            let is_last = ((seen | own) & ARRIVED).count_ones() == self.shared.parties;
            let next = if is_last { next_meeting(seen) } else { seen | own };
            // Release: what this party wrote and read before the meeting is over for whoever is let go by it.
            // Acquire, for the last: the same of all others, whose arrivals this exchange follows in one chain.
            match self.shared.word.compare_exchange(seen, next, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) if is_last => {
                    self.passed += 1;
                    self.shared.wake(seen);
                    return Ok(Arrival::Met);
                }
                Ok(_) => {
                    self.arrived = true;
                    return Ok(Arrival::Waits);
                }
                Err(newer) => seen = newer,
            }
        }
    }

    /// Comes to the next meeting and waits until it is over: a short spin, then sleep.
    ///
    /// `limit` counts only time in which `is_running` answers true at the end of a sleep, and nothing of it that this
    /// thread was kept from waking; without one the wait is as long as it takes. After [`WaitError::TooLong`] this party still stands at the meeting.
    ///
    /// # Errors
    /// A party has ended, or the limit has passed.
    pub fn meet(&mut self, limit: Option<Nanos>, is_running: impl Fn() -> bool) -> Result<(), WaitError> {
        if self.arrive()? == Arrival::Met {
            return Ok(());
        }
        for _ in 0..SPINS {
            spin_loop();
            if self.look()? == Arrival::Met {
                return Ok(());
            }
        }
        let Some(limit) = limit else {
            while self.look()? == Arrival::Waits {
                self.sleep(None);
            }
            return Ok(());
        };
        let clock = RealClock::new();
        let (mut waited, mut before) = (Nanos::ZERO, clock.now());
        while self.look()? == Arrival::Waits {
            if waited >= limit {
                return Err(WaitError::TooLong { waited });
            }
            let slice = (limit - waited).min(SLICE);
            self.sleep(Some(Duration::from_nanos(slice.0.unsigned_abs())));
            let now = clock.now();
            if is_running() {
                // No more than it meant to sleep: the rest was the machine's, or a debugger's, and nobody ran then.
                waited += (now - before).min(slice);
            }
            before = now;
        }
        Ok(())
    }

    /// Takes an arrival back, so that what this party reads stays as it is. False: the meeting was completed, and
    /// this party has been through it.
    pub fn withdraw(&mut self) -> bool {
        if !self.arrived {
            return true;
        }
        let own = (1 << self.index) | (1 << (self.index + SLEEPING_SHIFT));
        // Acquire: where the meeting is over, all that happened before it is seen.
        let mut seen = self.shared.word.load(Ordering::Acquire);
        loop {
            if meetings(seen) != self.passed {
                self.let_go();
                return false;
            }
            // Release: it continues the chain of arrivals, so that the last one still follows every other.
            match self.shared.word.compare_exchange(seen, seen & !own, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => {
                    self.arrived = false;
                    return true;
                }
                Err(newer) => seen = newer,
            }
        }
    }

    /// Sleeps until the meeting is over or broken, somebody unparks this thread, or `at_most` has passed; not at all
    /// where it is over. It may return for no reason.
    ///
    /// # Panics
    /// Another thread has slept as this party before: one thread is woken.
    pub fn sleep(&self, at_most: Option<Duration>) {
        let this_thread = current();
        let sleeper = self.shared.sleepers[self.index as usize].get_or_init(|| this_thread.clone());
        assert!(sleeper.id() == this_thread.id(), "one thread sleeps as one party");
        if self.announce_sleep() {
            match at_most {
                Some(at_most) => park_timeout(at_most),
                None => park(),
            }
        }
    }

    /// Meetings this party has been through.
    #[must_use]
    pub const fn passed(&self) -> u64 {
        self.passed
    }

    /// It has come to a meeting and was not let go yet, as far as it knows.
    #[must_use]
    pub const fn has_arrived(&self) -> bool {
        self.arrived
    }

    /// To look at the barrier and to break it, from any thread.
    #[must_use]
    pub fn watch(&self) -> BarrierWatch {
        BarrierWatch(self.shared.clone())
    }

    /// Ends this party: the others are let go with an error. True: a meeting was completed that it has not noticed.
    pub fn leave(&mut self) -> bool {
        let missed = meetings(self.shared.break_up()) != self.passed;
        if missed {
            self.let_go();
        }
        missed
    }

    fn look(&mut self) -> Result<Arrival, Broken> {
        // Acquire: what every party did before the meeting is seen.
        let seen = self.shared.word.load(Ordering::Acquire);
        if meetings(seen) != self.passed {
            self.let_go();
            return Ok(Arrival::Met);
        }
        if seen & BROKEN != 0 { Err(Broken) } else { Ok(Arrival::Waits) }
    }

    fn let_go(&mut self) {
        // No meeting can be completed without this party, so it was one, and not two.
        self.passed += 1;
        self.arrived = false;
    }

    /// False where there is nothing to sleep for. Flag and meeting share a word, so no wake-up is lost between looking
    /// and sleeping.
    fn announce_sleep(&self) -> bool {
        let own = 1 << (self.index + SLEEPING_SHIFT);
        // Relaxed: whatever is seen here, the exchange decides.
        let mut seen = self.shared.word.load(Ordering::Relaxed);
        loop {
            if meetings(seen) != self.passed || seen & BROKEN != 0 {
                return false;
            }
            // Release: the party that sees the flag also sees which thread to wake.
            match self.shared.word.compare_exchange(seen, seen | own, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(newer) => seen = newer,
            }
        }
    }
}

impl Drop for Party {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Looks at a barrier, and can break it.
#[derive(Clone)]
pub struct BarrierWatch(Arc<Shared>);

impl BarrierWatch {
    /// Meetings completed so far.
    #[must_use]
    pub fn generation(&self) -> u64 {
        // Acquire, for readers of counts: one that sees a meeting also sees the epoch of the side that completed it.
        meetings(self.0.word.load(Ordering::Acquire))
    }

    /// How many parties stand at the meeting under way: to look at.
    #[must_use]
    pub fn arrived(&self) -> u32 {
        // Relaxed: a number to look at.
        (self.0.word.load(Ordering::Relaxed) & ARRIVED).count_ones()
    }

    /// Lets everybody go with an error, now and from now on.
    pub fn break_up(&self) {
        self.0.break_up();
    }
}

impl Shared {
    /// The word before.
    fn break_up(&self) -> u64 {
        // Acquire: a sleeper's thread is seen with its flag. Release: what the party that ends did is seen by whoever is
        // let go by it.
        let before = self.word.fetch_or(BROKEN, Ordering::AcqRel);
        if before & BROKEN == 0 {
            self.wake(before);
        }
        before
    }

    /// Wakes whoever sleeps according to `word`.
    fn wake(&self, word: u64) {
        let mut sleeping = (word & SLEEPING) >> SLEEPING_SHIFT;
        while sleeping != 0 {
            let index = sleeping.trailing_zeros();
            sleeping &= sleeping - 1;
            if let Some(thread) = self.sleepers[index as usize].get() {
                thread.unpark();
            }
        }
    }
}

fn meetings(word: u64) -> u64 {
    word >> GENERATION_SHIFT
}

/// The word after the meeting that the last arrival completes: everybody is let go.
fn next_meeting(word: u64) -> u64 {
    (word & !(ARRIVED | SLEEPING)) + (1 << GENERATION_SHIFT)
}

#[cfg(all(test, not(loom)))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that fails says where")]

    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::time::source::TimeSource;

    #[test]
    fn no_party_and_too_many_are_errors_that_say_how_many_may_be() {
        for given in [0, 9] {
            let error = barrier(given).map(|_| ()).unwrap_err();
            assert_eq!(error.to_string(), format!("a barrier has 1 to 8 parties, not {given}"));
        }
        assert_eq!(barrier(8).unwrap().len(), 8);
    }

    #[test]
    fn a_party_alone_never_waits() {
        let mut alone = barrier(1).unwrap().remove(0);
        for n in 1..=3 {
            assert_eq!(alone.arrive(), Ok(Arrival::Met));
            assert_eq!((alone.passed(), alone.watch().generation()), (n, n));
        }
    }

    #[test]
    fn the_last_to_come_completes_the_meeting_once_for_all() {
        let [mut a, mut b, mut c] = <[Party; 3]>::try_from(barrier(3).unwrap()).ok().unwrap();
        assert_eq!(a.arrive(), Ok(Arrival::Waits));
        assert_eq!(a.arrive(), Ok(Arrival::Waits), "coming twice is coming once");
        assert_eq!(b.arrive(), Ok(Arrival::Waits));
        assert_eq!((a.watch().generation(), a.watch().arrived()), (0, 2));
        assert_eq!(c.arrive(), Ok(Arrival::Met));
        assert_eq!((a.watch().generation(), a.watch().arrived()), (1, 0));
        // One that goes on at once stands at the next meeting, not in the one it left.
        assert_eq!(c.arrive(), Ok(Arrival::Waits));
        assert_eq!(a.arrive(), Ok(Arrival::Met));
        assert_eq!(b.arrive(), Ok(Arrival::Met));
        assert_eq!((a.passed(), b.passed(), c.passed()), (1, 1, 1));
    }

    #[test]
    fn an_arrival_can_be_taken_back_until_the_meeting_is_over() {
        let [mut a, mut b] = <[Party; 2]>::try_from(barrier(2).unwrap()).ok().unwrap();
        assert!(a.withdraw(), "it has not come yet");
        a.arrive().unwrap();
        assert!(a.withdraw());
        assert_eq!(b.arrive(), Ok(Arrival::Waits), "nobody else is there");
        assert_eq!(a.arrive(), Ok(Arrival::Met));
        assert!(!b.withdraw(), "too late: the meeting is over");
        assert_eq!((a.passed(), b.passed()), (1, 1));
    }

    #[test]
    fn a_party_that_ends_lets_the_others_go_with_an_error() {
        let [mut a, mut b, c] = <[Party; 3]>::try_from(barrier(3).unwrap()).ok().unwrap();
        a.arrive().unwrap();
        drop(c);
        assert_eq!(a.arrive(), Err(Broken));
        assert_eq!(b.arrive(), Err(Broken));
        assert_eq!(b.meet(None, || true), Err(WaitError::Broken(Broken)));
    }

    #[test]
    fn a_meeting_completed_before_the_end_of_a_party_still_counts() {
        let [mut a, mut b] = <[Party; 2]>::try_from(barrier(2).unwrap()).ok().unwrap();
        a.arrive().unwrap();
        b.arrive().unwrap();
        drop(b);
        assert_eq!(a.arrive(), Ok(Arrival::Met));
        assert_eq!(a.arrive(), Err(Broken));
    }

    #[test]
    fn on_real_threads_a_panic_lets_a_sleeping_party_go() {
        let [mut a, b] = <[Party; 2]>::try_from(barrier(2).unwrap()).ok().unwrap();
        let watch = a.watch();
        let sleeper = std::thread::spawn(move || a.meet(None, || true));
        let panics = std::thread::spawn(move || {
            let _held = b;
            while watch.arrived() == 0 {
                std::thread::yield_now();
            }
            std::panic::resume_unwind(Box::new("out of paint"));
        });
        assert!(panics.join().is_err());
        assert_eq!(sleeper.join().unwrap(), Err(WaitError::Broken(Broken)));
    }

    #[test]
    fn on_real_threads_the_limit_counts_running_time_only() {
        let [mut a, _b] = <[Party; 2]>::try_from(barrier(2).unwrap()).ok().unwrap();
        let limit = Nanos::from_millis(1);
        // While nothing runs it may wait for ever: so long as here, twenty times the limit.
        let (asked, running) = (std::cell::Cell::new(0), AtomicBool::new(false));
        let waited = a.meet(Some(limit), || {
            asked.set(asked.get() + 1);
            if asked.get() > 20 {
                running.store(true, std::sync::atomic::Ordering::Relaxed);
            }
            running.load(std::sync::atomic::Ordering::Relaxed)
        });
        let Err(WaitError::TooLong { waited }) = waited else { panic!("{waited:?}") };
        assert!(waited >= limit && asked.get() > 20, "{waited:?} after {} looks", asked.get());
    }

    #[test]
    fn on_real_threads_the_limit_counts_nothing_of_the_time_in_which_the_program_stood_still() {
        let [mut a, _b] = <[Party; 2]>::try_from(barrier(2).unwrap()).ok().unwrap();
        let limit = SLICE + Nanos::from_millis(10);
        let stood_still = std::cell::Cell::new(false);
        let waited = a.meet(Some(limit), || {
            if !stood_still.replace(true) {
                RealClock::new().spend(limit + limit);
            }
            true
        });
        assert_eq!(waited, Err(WaitError::TooLong { waited: limit }));
    }
}
