//! A slot for one producer and one consumer: newest wins, and a replaced value comes back to whoever replaced it.

#![expect(
    unsafe_code,
    reason = "each of the three buffers has one owner at a time, which the type system cannot see"
)]

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crossbeam_utils::CachePadded;

use super::sync::UnsafeCell;
use super::word::{Exchanged, Word};

/// Makes a slot of three buffers of equal standing: the producer starts with the first, the consumer with the third.
///
/// What the buffers hold at the start is what [`Consumer::current`] shows before anything was taken. Nothing is
/// allocated afterwards, and neither side ever waits for the other.
#[must_use]
pub fn slot<T>(buffers: [T; 3]) -> (Producer<T>, Consumer<T>) {
    let shared = Shared {
        word: Arc::new(CachePadded::new(Word::new(1))),
        buffers: Arc::new(Buffers(buffers.map(|buffer| CachePadded::new(UnsafeCell::new(buffer))))),
    };
    (
        Producer { shared: shared.clone(), held: 0, owns: PhantomData },
        Consumer { shared, held: 2, closed: false, owns: PhantomData },
    )
}

/// The consumer is gone: nothing was published, and the buffer is still the producer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing can be published: the other end of the slot is closed")]
pub struct SlotClosed;

/// The writing end.
pub struct Producer<T> {
    shared: Shared<T>,
    // The buffer this side owns; differs from the word's and the consumer's, always.
    held: u8,
    // Hands out `&T` through `&self`, so it may be shared between threads only where a `T` may.
    owns: PhantomData<T>,
}

impl<T> Producer<T> {
    /// The buffer in hand. After a publication it holds something older: see [`Producer::publish`].
    #[must_use]
    pub fn buffer(&self) -> &T {
        // SAFETY: this side owns `held`; writing needs `&mut self`, which the borrow excludes.
        unsafe { self.shared.buffers.read(self.held) }
    }

    /// The buffer in hand, to be filled.
    #[must_use]
    pub fn buffer_mut(&mut self) -> &mut T {
        // SAFETY: this side owns `held`, and `&mut self` makes this the only reference to it.
        unsafe { self.shared.buffers.write(self.held) }
    }

    /// Which of the three buffers is in hand, from 0.
    #[must_use]
    pub fn buffer_index(&self) -> u8 {
        self.held
    }

    /// Makes the buffer in hand the newest. True: the buffer now in hand was published, never taken, and still
    /// holds that value. False: it holds something the consumer has seen (or what the slot was made with), or the
    /// consumer is gone and nothing was published.
    pub fn publish(&mut self) -> bool {
        self.try_publish().unwrap_or(false)
    }

    /// As [`Producer::publish`], but says when the consumer is gone.
    ///
    /// # Errors
    /// The consumer was closed or dropped; the buffer in hand is untouched.
    pub fn try_publish(&mut self) -> Result<bool, SlotClosed> {
        self.exchange().map(|exchanged| exchanged.replaced)
    }

    pub(super) fn exchange(&mut self) -> Result<Exchanged, SlotClosed> {
        let exchanged = self.shared.word.publish(self.held).ok_or(SlotClosed)?;
        self.held = exchanged.index;
        Ok(exchanged)
    }

    /// Takes back what nobody has taken; true where something was. The buffer then in hand holds it.
    ///
    /// # Errors
    /// The consumer was closed or dropped; the buffer in hand is untouched.
    pub(super) fn take_back(&mut self) -> Result<bool, SlotClosed> {
        let exchanged = self.shared.word.take_back(self.held).ok_or(SlotClosed)?;
        self.held = exchanged.index;
        Ok(exchanged.replaced)
    }

    /// The other end still takes what is published, as far as one can know without publishing.
    #[must_use]
    pub fn consumer_is_alive(&self) -> bool {
        !self.shared.word.is_closed()
    }

    /// Which buffer lies in the word; the consumer has the third. To look at, not to act on.
    pub(super) fn word_index(&self) -> u8 {
        self.shared.word.index()
    }

    pub(super) fn word(&self) -> Arc<CachePadded<Word>> {
        self.shared.word.clone()
    }
}

/// The reading end. Dropping it closes the slot.
pub struct Consumer<T> {
    shared: Shared<T>,
    held: u8,
    // Remembered here and not read from the word: a refused publication takes the word's own flag away for a moment.
    closed: bool,
    owns: PhantomData<T>,
}

impl<T> Consumer<T> {
    /// The newest, if something was published since the last take. The buffer held until now goes back.
    pub fn take(&mut self) -> Option<&mut T> {
        if self.closed {
            return None;
        }
        self.held = self.shared.word.take(self.held)?;
        Some(self.current_mut())
    }

    /// What was taken last, or what the slot was made with.
    #[must_use]
    pub fn current(&self) -> &T {
        // SAFETY: this side owns `held`; writing needs `&mut self`, which the borrow excludes.
        unsafe { self.shared.buffers.read(self.held) }
    }

    /// As [`Consumer::current`]; what is written here comes back to the producer with the buffer.
    #[must_use]
    pub fn current_mut(&mut self) -> &mut T {
        // SAFETY: this side owns `held`, and `&mut self` makes this the only reference to it.
        unsafe { self.shared.buffers.write(self.held) }
    }

    /// A take would find something.
    #[must_use]
    pub fn has_new(&self) -> bool {
        !self.closed && self.shared.word.is_fresh()
    }

    /// Takes nothing any more, and lets the producer know. True where a value was pending, and is lost by this.
    pub fn close(&mut self) -> bool {
        !std::mem::replace(&mut self.closed, true) && self.shared.word.close()
    }

    /// See [`Word::get_up`].
    pub(super) fn get_up(&self) {
        if !self.closed {
            self.shared.word.get_up();
        }
    }

    /// See [`Word::announce_sleep`].
    pub(super) fn announce_sleep(&mut self) -> bool {
        !self.closed && self.shared.word.announce_sleep()
    }
}

impl<T> Drop for Consumer<T> {
    fn drop(&mut self) {
        self.close();
    }
}

impl<T: fmt::Debug> fmt::Debug for Producer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Producer").field("held", &self.held).field("buffer", self.buffer()).finish()
    }
}

impl<T: fmt::Debug> fmt::Debug for Consumer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Consumer").field("held", &self.held).field("current", self.current()).finish()
    }
}

struct Shared<T> {
    // Apart from the buffers, so that counts can be read by somebody who knows nothing of `T`.
    word: Arc<CachePadded<Word>>,
    buffers: Arc<Buffers<T>>,
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self { word: self.word.clone(), buffers: self.buffers.clone() }
    }
}

// One to a cache line, so that writing one does not slow down reading another.
struct Buffers<T>([CachePadded<UnsafeCell<T>>; 3]);

// SAFETY: a buffer is reached only by the side that owns its index; ownership passes from thread to thread through
// the word's swaps, each of which happens after the last access of the side that gave the buffer away. So a `T`
// moves between threads but is never used by two at once: `Send` is enough.
unsafe impl<T: Send> Sync for Buffers<T> {}

impl<T> Buffers<T> {
    /// # Safety
    /// The caller owns buffer `index` and nobody writes it while the reference lives.
    unsafe fn read(&self, index: u8) -> &T {
        // SAFETY: by the caller's promise there is no `&mut` to this buffer.
        self.0[usize::from(index)].with(|buffer| unsafe { &*buffer })
    }

    /// # Safety
    /// The caller owns buffer `index` and has no other reference to it while this one lives.
    #[expect(
        clippy::mut_from_ref,
        reason = "the index owned, not the borrow of `self`, is what makes it unique"
    )]
    unsafe fn write(&self, index: u8) -> &mut T {
        // SAFETY: by the caller's promise this is the only reference to this buffer.
        self.0[usize::from(index)].with_mut(|buffer| unsafe { &mut *buffer })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_newest_wins_and_the_replaced_value_comes_back() {
        let (mut producer, mut consumer) = slot([0, 0, 0]);
        *producer.buffer_mut() = 1;
        assert!(!producer.publish(), "nothing was there to replace");
        *producer.buffer_mut() = 2;
        assert!(producer.publish(), "1 was not taken");
        assert_eq!(*producer.buffer(), 1);
        assert_eq!(consumer.take(), Some(&mut 2));
        assert_eq!(consumer.take(), None);
        *producer.buffer_mut() = 3;
        assert!(!producer.publish(), "2 was taken");
        assert_eq!(*consumer.current(), 2, "the last taken stays until the next take");
        assert!(consumer.has_new());
        assert_eq!(consumer.take(), Some(&mut 3));
    }

    #[test]
    fn what_the_consumer_writes_comes_back_with_the_buffer() {
        let (mut producer, mut consumer) = slot([0, 0, 0]);
        *consumer.current_mut() = 9;
        producer.publish();
        consumer.take();
        producer.publish();
        assert_eq!(*producer.buffer(), 9);
    }

    #[test]
    fn the_three_buffers_are_owned_by_three_at_any_time() {
        let (mut producer, mut consumer) = slot([0, 1, 2]);
        for round in 0..50 {
            if round % 3 != 0 {
                producer.publish();
            }
            if round % 4 != 0 {
                consumer.take();
            }
            let mut owned = [producer.buffer_index(), producer.word_index(), consumer.held];
            owned.sort_unstable();
            assert_eq!(owned, [0, 1, 2]);
        }
    }

    #[test]
    fn a_closed_slot_refuses_and_leaves_the_buffer_in_hand() {
        let (mut producer, mut consumer) = slot([0, 0, 0]);
        *producer.buffer_mut() = 1;
        producer.publish();
        assert!(producer.consumer_is_alive());
        assert!(consumer.close(), "1 was pending");
        assert!(!consumer.close(), "and is lost once only");
        assert_eq!(consumer.take(), None);
        *producer.buffer_mut() = 2;
        let held = producer.buffer_index();
        assert_eq!(producer.try_publish(), Err(SlotClosed));
        assert_eq!((producer.buffer_index(), *producer.buffer()), (held, 2));
        assert!(!producer.publish());
        drop(consumer);
        assert!(!producer.consumer_is_alive());
    }

    #[test]
    fn sleep_is_announced_to_the_next_publication_only() {
        let (mut producer, mut consumer) = slot([0, 0, 0]);
        assert!(consumer.announce_sleep());
        assert!(consumer.announce_sleep(), "still nothing new");
        assert_eq!(producer.exchange().map(|exchanged| exchanged.wake), Ok(true));
        assert_eq!(producer.exchange().map(|exchanged| exchanged.wake), Ok(false));
        assert!(!consumer.announce_sleep(), "something is there");
        consumer.take();
        assert!(consumer.announce_sleep());
    }
}
