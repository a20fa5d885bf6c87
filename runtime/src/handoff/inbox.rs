//! Two buffers and one atomic word: events of one thread for another, all of them, in order, and neither side waits.
//!
//! ```text
//!   writer ── takes the word's buffer, appends, puts it back ──▶ word ◀── exchanges it for its empty one ── reader
//! ```
//!
//! The writer has the buffer in hand for the few nanoseconds of an append. A reader that comes in that very moment goes
//! without, and finds the event the next time. Nothing is allocated once both buffers are made.

#![expect(
    unsafe_code,
    reason = "each of the two buffers has one owner at a time, which the type system cannot see"
)]

use std::fmt;
use std::sync::Arc;

use crossbeam_utils::CachePadded;

use super::sync::{AtomicU8, Ordering, UnsafeCell};

/// In the word while the writer has the buffer in hand.
const IN_HAND: u8 = 2;

/// Makes an inbox that holds at most `capacity` events between two visits of its reader.
#[must_use]
pub fn inbox<T>(capacity: usize) -> (InboxWriter<T>, InboxReader<T>) {
    let buffer = || CachePadded::new(UnsafeCell::new(Vec::with_capacity(capacity)));
    let shared = Arc::new(Shared {
        word: CachePadded::new(AtomicU8::new(0)),
        buffers: [buffer(), buffer()],
        capacity,
    });
    (InboxWriter { shared: shared.clone() }, InboxReader { shared, held: 1 })
}

/// The writing end.
pub struct InboxWriter<T> {
    shared: Arc<Shared<T>>,
}

impl<T> InboxWriter<T> {
    /// Puts an event behind the others.
    ///
    /// # Errors
    /// The inbox is full: nothing has changed, and the event comes back.
    pub fn push(&mut self, event: T) -> Result<(), T> {
        let capacity = self.capacity();
        self.with(|events| {
            if events.len() == capacity {
                return Err(event);
            }
            events.push(event);
            Ok(())
        })
    }

    /// Changes what was not taken yet; `change` is quick, since the reader goes without meanwhile, and leaves no more than
    /// the inbox holds.
    pub fn with<R>(&mut self, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        // Acquire: the reader is done with this buffer, and has emptied it.
        let index = self.shared.word.swap(IN_HAND, Ordering::Acquire);
        // SAFETY: the word said `index`, so the reader does not own it, and it takes nothing while the word says
        // `IN_HAND`. There is one writer, and it is borrowed for as long as this reference lives.
        let answer =
            self.shared.buffers[usize::from(index)].with_mut(|events| change(unsafe { &mut *events }));
        // Release: whoever takes the buffer sees what was written. Nobody else changes the word while it says `IN_HAND`.
        self.shared.word.store(index, Ordering::Release);
        answer
    }

    /// Events that fit between two visits of the reader.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.shared.capacity
    }
}

/// The reading end.
pub struct InboxReader<T> {
    shared: Arc<Shared<T>>,
    // The buffer this side owns; empty between two visits.
    held: u8,
}

impl<T> InboxReader<T> {
    /// Passes everything that has been put in to `sink`, oldest first. Answers how many there were.
    pub fn take(&mut self, sink: impl FnMut(T)) -> usize {
        let other = 1 - self.held;
        // AcqRel: what was written into `other` is visible here, and that `held` is empty is visible to the writer.
        // Relaxed on failure: the writer has it in hand, and nothing is read because of that.
        let exchanged =
            self.shared.word.compare_exchange(other, self.held, Ordering::AcqRel, Ordering::Relaxed);
        if exchanged.is_err() {
            return 0;
        }
        self.held = other;
        // SAFETY: the exchange made `other` this side's own, and `&mut self` makes this the only reference to it.
        self.shared.buffers[usize::from(other)].with_mut(|events| {
            let events = unsafe { &mut *events };
            let count = events.len();
            events.drain(..).for_each(sink);
            count
        })
    }
}

impl<T> fmt::Debug for InboxWriter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InboxWriter").field("capacity", &self.shared.capacity).finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for InboxReader<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InboxReader").field("held", &self.held).finish_non_exhaustive()
    }
}

struct Shared<T> {
    word: CachePadded<AtomicU8>,
    // One to a cache line, so that writing one does not slow down reading the other.
    buffers: [CachePadded<UnsafeCell<Vec<T>>>; 2],
    capacity: usize,
}

// SAFETY: a buffer is reached only by the side that owns its index: the reader its `held`, the writer the other one while
// the word says `IN_HAND`. Ownership passes through the word, after the last access of the side that gave it away. So a
// `T` moves between threads but is never used by two at once: `Send` is enough.
unsafe impl<T: Send> Sync for Shared<T> {}

#[cfg(all(test, not(loom)))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that fails says where")]

    use super::*;

    fn taken(reader: &mut InboxReader<u32>) -> Vec<u32> {
        let mut events = Vec::new();
        assert_eq!(reader.take(|event| events.push(event)), events.len());
        events
    }

    #[test]
    fn events_come_out_once_and_in_order() {
        let (mut writer, mut reader) = inbox(8);
        assert_eq!(taken(&mut reader), []);
        writer.push(1).unwrap();
        writer.push(2).unwrap();
        assert_eq!(taken(&mut reader), [1, 2]);
        assert_eq!(taken(&mut reader), []);
        writer.push(3).unwrap();
        assert_eq!(taken(&mut reader), [3]);
    }

    #[test]
    fn a_full_inbox_gives_the_event_back_and_what_waits_can_be_changed() {
        let (mut writer, mut reader) = inbox(2);
        writer.push(1).unwrap();
        writer.push(2).unwrap();
        assert_eq!(writer.push(3), Err(3));
        writer.with(|events| {
            assert_eq!(events, &[1, 2]);
            events.clear();
            events.push(9);
        });
        writer.push(4).unwrap();
        assert_eq!(taken(&mut reader), [9, 4]);
        writer.push(5).unwrap();
        writer.push(6).unwrap();
        assert_eq!(taken(&mut reader), [5, 6], "the other buffer is as large");
    }

    #[test]
    fn on_real_threads_at_full_speed_a_hundred_thousand_events_come_out_in_order() {
        let (mut writer, mut reader) = inbox(64);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for n in 0..100_000_u32 {
                    let mut event = n;
                    while let Err(back) = writer.push(event) {
                        event = back;
                        std::thread::yield_now();
                    }
                }
            });
            let mut next = 0;
            while next < 100_000 {
                reader.take(|event| {
                    assert_eq!(event, next);
                    next += 1;
                });
                std::thread::yield_now();
            }
        });
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::*;
    use loom::thread;

    #[test]
    fn loom_every_event_comes_out_once_and_in_order_in_every_interleaving() {
        loom::model(|| {
            let (mut writer, mut reader) = inbox(2);
            let writing = thread::spawn(move || {
                let mut refused = 0;
                for n in 1..=3_u32 {
                    if writer.push(n).is_err() {
                        refused = n;
                    }
                }
                refused
            });
            let mut seen = Vec::new();
            for _ in 0..2 {
                reader.take(|event| seen.push(event));
            }
            let refused = writing.join().expect("the writer ends");
            reader.take(|event| seen.push(event));
            let expected: Vec<u32> = (1..=3).filter(|n| *n != refused).collect();
            assert_eq!(seen, expected, "refused {refused}");
        });
    }

    #[test]
    fn loom_an_overflow_leaves_what_stands_for_the_lost_events() {
        loom::model(|| {
            let (mut writer, mut reader) = inbox(2);
            let writing = thread::spawn(move || {
                let _ = writer.push(1);
                let _ = writer.push(2);
                writer.with(|events| {
                    let lost = events.len();
                    events.clear();
                    events.push(9);
                    lost
                })
            });
            let mut seen = Vec::new();
            reader.take(|event| seen.push(event));
            let lost = writing.join().expect("the writer ends");
            reader.take(|event| seen.push(event));
            assert_eq!(seen.len(), 2 - lost + 1, "{seen:?}");
            assert_eq!(seen.last(), Some(&9));
        });
    }
}
