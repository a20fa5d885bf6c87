//! A place where several threads meet, again and again: nobody leaves a meeting before everybody has come to it.
//!
//! One atomic word says who has come, who sleeps and how many meetings there were, so the arrival that completes a
//! meeting and the release of all the others are one exchange: it can be made by one party only, and a party that
//! went on and came back cannot slip into the meeting it has just left. That is what the two senses of a
//! sense-reversing barrier are for; here the count of meetings takes their place, and its parity is the sense.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use super::sync::{AtomicU64, Ordering, Thread, current, spin_loop};
use crate::time::Nanos;
use crate::time::rest::{Asleep, Rest};
use crate::time::source::RealClock;

/// The most parties of one barrier: what fits the word beside the count of meetings.
pub const MOST_PARTIES: usize = 8;

/// One bit for each party that has come to the meeting under way.
const ARRIVED: u64 = 0xff;
/// One bit for each party that sleeps and must be woken.
const SLEEPING: u64 = 0xff << SLEEPING_SHIFT;
const SLEEPING_SHIFT: u32 = 8;
/// A party has ended: no meeting can be completed any more.
const BROKEN: u64 = 1 << 16;
/// One bit for each party that has gone and is not waited for.
const GONE: u64 = 0xff << GONE_SHIFT;
const GONE_SHIFT: u32 = 17;
/// How many meetings were completed: 39 bits, enough for seventeen years at 1000 Hz.
const GENERATION_SHIFT: u32 = 25;

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
    let party =
        |index| Party { shared: shared.clone(), index: index as u32, passed: 0, arrived: false, gone: false };
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

/// One of those who meet. Dropping it breaks the barrier, as a panic of its thread does: the others are let go with an error.
/// Who has had enough says so with [`Party::go`].
pub struct Party {
    shared: Arc<Shared>,
    index: u32,
    // Meetings this party has been through.
    passed: u64,
    // It has come to the next meeting and has not been let go.
    arrived: bool,
    // It went: its end breaks nothing.
    gone: bool,
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
            let is_last = self.shared.is_complete(seen | own);
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
        self.meet_by(limit, is_running, &mut Asleep)
    }

    /// As [`Self::meet`]; after the spin, `rest` says how it waits.
    ///
    /// # Errors
    /// As there.
    pub fn meet_by(
        &mut self,
        limit: Option<Nanos>,
        is_running: impl Fn() -> bool,
        rest: &mut impl Rest,
    ) -> Result<(), WaitError> {
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
                self.sleep_by(None, rest);
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
            self.sleep_by(Some(slice.to_duration()), rest);
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

    /// Goes for good: from now on the others meet without it, and where it was the last to be waited for, their meeting is
    /// over by this.
    pub fn go(mut self) {
        self.gone = true;
        let own = (1 << self.index) | (1 << (self.index + SLEEPING_SHIFT));
        let left = 1 << (self.index + GONE_SHIFT);
        // Relaxed: whatever is seen here, the exchange decides.
        let mut seen = self.shared.word.load(Ordering::Relaxed);
        while seen & BROKEN == 0 {
            let without = (seen & !own) | left;
            let is_last = self.shared.is_complete(without);
            let next = if is_last { next_meeting(without) } else { without };
            // AcqRel: as an arrival is, for what this party read, and for whoever is let go by it.
            match self.shared.word.compare_exchange(seen, next, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) if is_last => return self.shared.wake(without),
                Ok(_) => return,
                Err(newer) => seen = newer,
            }
        }
    }

    /// The meeting it came to is over, or never will be: to look at in a spin. [`Party::arrive`] says which.
    #[must_use]
    pub fn is_let_go(&self) -> bool {
        // Relaxed: nothing is read because of it.
        let seen = self.shared.word.load(Ordering::Relaxed);
        meetings(seen) != self.passed || seen & BROKEN != 0
    }

    /// After a sleep: need not be woken any more, so that nobody pays for it.
    pub fn get_up(&self) {
        // Relaxed: a link in the chain of exchanges that orders nothing itself; a wake-up too many does no harm.
        self.shared.word.fetch_and(!(1 << (self.index + SLEEPING_SHIFT)), Ordering::Relaxed);
    }

    /// Sleeps until the meeting is over or broken, somebody unparks this thread, or `at_most` has passed; not at all
    /// where it is over. It may return for no reason.
    ///
    /// # Panics
    /// Another thread has slept as this party before: one thread is woken.
    pub fn sleep(&self, at_most: Option<Duration>) {
        self.sleep_by(at_most, &mut Asleep);
    }

    /// As [`Self::sleep`], the way that `rest` says. True: it only slept.
    ///
    /// # Panics
    /// As there.
    pub fn sleep_by(&self, at_most: Option<Duration>, rest: &mut impl Rest) -> bool {
        let this_thread = current();
        let sleeper = self.shared.sleepers[self.index as usize].get_or_init(|| this_thread.clone());
        assert!(sleeper.id() == this_thread.id(), "one thread sleeps as one party");
        !self.announce_sleep() || rest.rest(at_most, &|| self.is_let_go())
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

    /// Ends this party: the others are let go with an error, as where its thread panics; [`Party::go`] parts in peace.
    /// True: a meeting was completed that it has not noticed.
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
        if !self.gone {
            self.leave();
        }
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

    /// A party, by its number from 0, stands at the meeting under way: to look at.
    #[must_use]
    pub fn has_come(&self, party: usize) -> bool {
        // Relaxed: as above.
        party < MOST_PARTIES && self.0.word.load(Ordering::Relaxed) & ARRIVED & 1 << party != 0
    }

    /// Lets everybody go with an error, now and from now on.
    pub fn break_up(&self) {
        self.0.break_up();
    }
}

impl Shared {
    /// Nobody is waited for any more, and there is somebody to go on.
    fn is_complete(&self, word: u64) -> bool {
        let gone = (word & GONE) >> GONE_SHIFT;
        let come = word & ARRIVED;
        come != 0 && (come | gone).count_ones() == self.parties
    }

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
mod tests;
