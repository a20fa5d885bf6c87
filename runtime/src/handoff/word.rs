//! The one atomic word of a slot: which buffer it holds, and what is to be known about it.
//!
//! Every change that the two sides make while the slot is open is a read-modify-write, so the changes form one
//! chain and each one knows exactly what it replaced. `AcqRel` on the two swaps makes each change happen after
//! every earlier one; that is what both the buffers and the counts rest on.

use super::sync::{AtomicU8, Ordering};

const INDEX: u8 = 0b0_0011;
/// The buffer was published and nobody has taken it.
const FRESH: u8 = 0b0_0100;
/// The consumer has nothing to do and waits to be woken.
const SLEEPING: u8 = 0b0_1000;
/// The consumer is gone; nothing is taken any more.
const CLOSED: u8 = 0b1_0000;

pub(super) struct Word(AtomicU8);

/// What a publication found in the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exchanged {
    /// The buffer that now belongs to the producer.
    pub(super) index: u8,
    /// It holds a value that was never taken.
    pub(super) replaced: bool,
    /// The consumer sleeps and must be woken.
    pub(super) wake: bool,
}

impl Word {
    /// A word that holds buffer `index`, with nothing new in it.
    pub(super) fn new(index: u8) -> Self {
        Self(AtomicU8::new(index))
    }

    /// The producer's exchange: gives `held` away as the newest and receives the buffer that was in the word.
    /// None where the consumer has closed: then nothing has changed and `held` is still the producer's.
    pub(super) fn publish(&self, held: u8) -> Option<Exchanged> {
        // Release: the consumer that takes `held` sees everything written into it.
        // Acquire: the consumer's reads of the buffer received are over before the producer writes into it.
        let before = self.0.swap(held | FRESH, Ordering::AcqRel);
        if before & CLOSED != 0 {
            // A consumer never touches the word after it has closed it, so nobody can have seen the exchange but
            // readers of counts, who see this side's epoch odd. Release: those see the epoch odd with it.
            self.0.store(before, Ordering::Release);
            return None;
        }
        Some(Exchanged { index: before & INDEX, replaced: before & FRESH != 0, wake: before & SLEEPING != 0 })
    }

    /// The producer's exchange where it takes back what nobody has taken: gives `held` away as nothing new.
    /// None where the consumer has closed, as in [`Word::publish`].
    pub(super) fn take_back(&self, held: u8) -> Option<Exchanged> {
        // AcqRel: as in `publish`.
        let before = self.0.swap(held, Ordering::AcqRel);
        if before & CLOSED != 0 {
            // Release: as in `publish`.
            self.0.store(before, Ordering::Release);
            return None;
        }
        Some(Exchanged { index: before & INDEX, replaced: before & FRESH != 0, wake: before & SLEEPING != 0 })
    }

    /// The consumer's exchange, until it closes: gives `held` back and receives the newest, if it has not taken it.
    pub(super) fn take(&self, held: u8) -> Option<u8> {
        // Relaxed: whatever is seen here, the exchange decides.
        let mut seen = self.0.load(Ordering::Relaxed);
        loop {
            if seen & (FRESH | CLOSED) != FRESH {
                return None;
            }
            // Acquire: everything written into the buffer received is visible.
            // Release: this side's reads of `held` are over before the producer receives it and writes.
            match self.0.compare_exchange(seen, held, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(before) => return Some(before & INDEX),
                Err(newer) => seen = newer,
            }
        }
    }

    /// Something was published and not taken, and the slot is open.
    pub(super) fn is_fresh(&self) -> bool {
        // Acquire, for readers of counts: one that sees a publication here also sees that the producer's epoch is
        // odd or has moved on. The consumer's own question needs no order, its swap has it.
        self.0.load(Ordering::Acquire) & (FRESH | CLOSED) == FRESH
    }

    /// Which buffer lies in the word.
    pub(super) fn index(&self) -> u8 {
        // Relaxed: a number to look at; no buffer is touched because of it.
        self.0.load(Ordering::Relaxed) & INDEX
    }

    pub(super) fn is_closed(&self) -> bool {
        // Relaxed: a hint. Whether a publication still counts is decided by its swap.
        self.0.load(Ordering::Relaxed) & CLOSED != 0
    }

    /// Consumer: from now on a publication says that somebody must be woken. False where something new is there
    /// already. Sleeping flag and publication share a word, so one of the two always sees the other: no wake-up is
    /// lost between looking and sleeping, and no fence is paid for it.
    pub(super) fn announce_sleep(&self) -> bool {
        // Relaxed: whatever is seen here, the exchange below decides.
        let seen = self.0.load(Ordering::Relaxed);
        if seen & FRESH != 0 {
            return false;
        }
        // Release: the producer that sees SLEEPING also sees which thread to wake.
        // Relaxed where it fails: something new is there, and its take acquires.
        seen & SLEEPING != 0
            || self.0.compare_exchange(seen, seen | SLEEPING, Ordering::Release, Ordering::Relaxed).is_ok()
    }

    /// Consumer, after a sleep: need not be woken any more, so that no publication pays for it.
    pub(super) fn get_up(&self) {
        // Relaxed: a link in the chain of exchanges that orders nothing itself; a wake-up too many does no harm.
        self.0.fetch_and(!SLEEPING, Ordering::Relaxed);
    }

    /// Consumer, once, and its last touch of the word. True where a publication was pending, and is lost by this.
    pub(super) fn close(&self) -> bool {
        // Acquire: counted after the publication it abandons. Release: the publication that is refused because of
        // this happens after it.
        let before = self.0.fetch_or(CLOSED, Ordering::AcqRel);
        before & FRESH != 0
    }
}
