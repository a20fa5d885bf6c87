//! The last four values of a producer that never waits, for one consumer that takes the one it wants.
//!
//! Six pooled buffers: one the producer fills, four that are kept, one the consumer holds (which may be one of the four).
//! One atomic word says which is which, in what order the kept ones came, and how many of the newest nobody has taken;
//! every change is one exchange, so each side learns exactly from its own what it did to the other's.
//!
//! ```text
//!   Producer ── fills ──▶ buffer ── publish ──▶ newest, …, …, oldest ── take one ──▶ Consumer
//!                                                             └─ falls out, and is filled again
//! ```

#![expect(
    unsafe_code,
    reason = "each of the six buffers has one owner at a time, which the type system cannot see"
)]

use std::marker::PhantomData;
use std::sync::Arc;

use crossbeam_utils::CachePadded;

use super::slot::SlotClosed;
use super::sync::{AtomicU64, Ordering, UnsafeCell};

/// Values kept for the consumer.
pub const KEPT: usize = 4;
/// Buffers in all: the kept ones, the producer's and the consumer's.
pub const BUFFERS: usize = KEPT + 2;

/// What the consumer is told about each kept value before it takes one: any number that the producer gives it.
pub type Mark = i64;

/// Makes a ring over six buffers whose memory goes round.
#[must_use]
pub fn ring<T>(buffers: [T; BUFFERS]) -> (RingProducer<T>, RingConsumer<T>) {
    let word = Arc::new(CachePadded::new(RingWord(AtomicU64::new(State::START.0))));
    let buffers = Arc::new(Buffers {
        cells: buffers.map(|buffer| CachePadded::new(UnsafeCell::new(buffer))),
        marks: std::array::from_fn(|_| AtomicU64::new(0)),
    });
    (
        RingProducer { word: word.clone(), buffers: buffers.clone(), held: 0, owns: PhantomData },
        RingConsumer {
            word,
            buffers,
            held: State::START.pinned(),
            seen: 0,
            closed: false,
            owns: PhantomData,
        },
    )
}

/// What publishing a value did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingPublished {
    /// A value that nobody had taken fell out for it.
    pub lost: bool,
    /// The consumer sleeps and must be woken.
    pub(super) wake: bool,
}

/// What taking a value did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingTaken {
    /// It was not taken before.
    pub first: bool,
    /// Older values that nobody had taken and nobody will, since this one is newer.
    pub passed_over: u64,
}

/// The filling end.
pub struct RingProducer<T> {
    word: Arc<CachePadded<RingWord>>,
    buffers: Arc<Buffers<T>>,
    // The buffer this side owns: neither kept nor the consumer's.
    held: u8,
    owns: PhantomData<T>,
}

impl<T> RingProducer<T> {
    /// The buffer in hand, to be filled.
    #[must_use]
    pub fn buffer_mut(&mut self) -> &mut T {
        // SAFETY: this side owns `held`, and `&mut self` makes this the only reference to it.
        unsafe { self.buffers.write(self.held) }
    }

    /// Which of the six buffers is in hand, from 0.
    #[must_use]
    pub const fn buffer_index(&self) -> u8 {
        self.held
    }

    /// Makes the buffer in hand the newest of the kept ones, with a mark for the consumer to choose by.
    ///
    /// # Errors
    /// The consumer is gone; nothing was published.
    pub fn publish(&mut self, mark: Mark) -> Result<RingPublished, SlotClosed> {
        // Relaxed: the exchange below releases it with the buffer.
        self.buffers.marks[usize::from(self.held)].store(mark.cast_unsigned(), Ordering::Relaxed);
        // Relaxed: whatever is seen here, the exchange decides.
        let mut seen = State(self.word.0.load(Ordering::Relaxed));
        loop {
            if seen.has(CLOSED) {
                return Err(SlotClosed);
            }
            let next = seen.published(self.held);
            // Release: the consumer that takes this buffer sees all of it, and its mark.
            // Acquire: the consumer's reads of the buffer that is received are over.
            match self.word.0.compare_exchange(seen.0, next.0, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => {
                    self.held = next.free();
                    let lost = usize::from(seen.fresh()) == KEPT;
                    return Ok(RingPublished { lost, wake: seen.has(SLEEPING) });
                }
                Err(newer) => seen = State(newer),
            }
        }
    }

    /// One of the buffers named by `among` (a bit each, from the lowest), where it is neither in hand nor kept nor the
    /// consumer's: it may be written, and will be in hand some time. With its index.
    pub fn spare_mut(&mut self, among: u8) -> Option<(u8, &mut T)> {
        let state = self.word.state();
        let spare = (0..BUFFERS as u8)
            .find(|buffer| among >> buffer & 1 == 1 && *buffer != self.held && state.is_spare(*buffer))?;
        // SAFETY: the consumer takes none but kept buffers, and only this side makes a buffer a kept one, by publishing what
        // it has in hand: so what is neither kept nor the consumer's stays this side's, and `&mut self` makes this the only
        // reference to it. The state was acquired, so the consumer's reads of a buffer it has given back are over.
        Some((spare, unsafe { self.buffers.write(spare) }))
    }

    /// Takes all kept values back: nothing can be taken before the next publication. How many nobody had taken.
    pub fn take_back(&mut self) -> u64 {
        let emptied =
            |state: State| (!state.has(CLOSED)).then(|| state.with_fresh(0).with_field(FILLED_SHIFT, 0));
        self.word.update(emptied).map_or(0, |before| u64::from(before.fresh()))
    }

    /// The kept buffers, newest first, and the consumer's: to look at.
    pub(super) fn places(&self) -> (impl Iterator<Item = u8> + use<T>, u8) {
        let state = self.word.state();
        ((0..state.filled()).map(move |depth| state.kept(depth)), state.pinned())
    }

    pub(super) fn word(&self) -> Arc<CachePadded<RingWord>> {
        self.word.clone()
    }
}

/// The taking end. Dropping it closes the ring.
pub struct RingConsumer<T> {
    word: Arc<CachePadded<RingWord>>,
    buffers: Arc<Buffers<T>>,
    held: u8,
    // How many publications there were when it looked last.
    seen: u64,
    closed: bool,
    owns: PhantomData<T>,
}

impl<T> RingConsumer<T> {
    /// Takes one of the kept values: `choose` is given their marks, newest first, and answers which of them, from 0.
    /// Never one older than the last taken: that one is taken again then. None where nothing was ever published.
    pub fn take(&mut self, choose: impl Fn(&[Mark]) -> usize) -> Option<RingTaken> {
        loop {
            let state = self.word.state();
            if self.closed || state.filled() == 0 {
                return None;
            }
            let mut marks = [0; KEPT];
            for depth in 0..state.filled() {
                let buffer = usize::from(state.kept(depth));
                // Relaxed: the state was acquired with the marks it names; where one has been written since, the state
                // has moved on, and the exchange below refuses.
                marks[usize::from(depth)] = self.buffers.marks[buffer].load(Ordering::Relaxed).cast_signed();
            }
            let fresh = state.fresh();
            // The one taken last lies right behind the fresh ones, if it is kept still.
            let oldest = fresh.min(state.filled() - 1);
            let depth = (choose(&marks[..usize::from(state.filled())]) as u8).min(oldest);
            let next = state.with_fresh(fresh.min(depth)).with_pinned(state.kept(depth)).without(SLEEPING);
            // Acquire: all of the buffer is visible. Release: this side's reads of the buffer it gives back are over.
            let exchanged =
                self.word.0.compare_exchange(state.0, next.0, Ordering::AcqRel, Ordering::Relaxed);
            if exchanged.is_ok() {
                (self.held, self.seen) = (next.pinned(), next.count());
                let first = depth < fresh;
                let passed_over = if first { u64::from(fresh - depth - 1) } else { 0 };
                return Some(RingTaken { first, passed_over });
            }
        }
    }

    /// What was taken last, or what the ring was made with.
    #[must_use]
    pub fn current(&self) -> &T {
        // SAFETY: this side owns `held`; writing needs `&mut self`, which the borrow excludes.
        unsafe { self.buffers.read(self.held) }
    }

    /// As [`RingConsumer::current`]; what is written here is still there when the same value is taken again.
    #[must_use]
    pub fn current_mut(&mut self) -> &mut T {
        // SAFETY: this side owns `held`, and `&mut self` makes this the only reference to it.
        unsafe { self.buffers.write(self.held) }
    }

    /// Values that were published and neither taken nor passed over.
    #[must_use]
    pub fn fresh(&self) -> u8 {
        if self.closed { 0 } else { self.word.state().fresh() }
    }

    /// Something was published since this side looked last, and not taken back.
    #[must_use]
    pub fn has_news(&self) -> bool {
        !self.closed && self.word.state().has_news_for(self.seen)
    }

    /// From now on a publication says that somebody must be woken. False where something was published since this side
    /// looked last.
    pub(super) fn announce_sleep(&mut self) -> bool {
        if self.closed {
            return false;
        }
        // Flag and publication share a word, so one of the two always sees the other.
        let seen = self.seen;
        self.word.update(|state| (!state.has_news_for(seen)).then(|| state.with(SLEEPING))).is_some()
    }

    /// Takes nothing any more, and lets the producer know. How many values are lost by this.
    pub fn close(&mut self) -> u64 {
        if std::mem::replace(&mut self.closed, true) {
            return 0;
        }
        self.word
            .update(|state| Some(state.with_fresh(0).with(CLOSED)))
            .map_or(0, |before| u64::from(before.fresh()))
    }
}

impl<T> Drop for RingConsumer<T> {
    fn drop(&mut self) {
        self.close();
    }
}

/// The word itself, for whoever counts.
pub(super) struct RingWord(AtomicU64);

impl RingWord {
    fn state(&self) -> State {
        // Acquire: the marks and the epoch that belong to this state are seen.
        State(self.0.load(Ordering::Acquire))
    }

    pub(super) fn fresh(&self) -> u64 {
        u64::from(self.state().fresh())
    }

    /// Changes the word as `change` says; None, and nothing done, where that answers none. The state before.
    fn update(&self, change: impl Fn(State) -> Option<State>) -> Option<State> {
        let mut seen = self.state();
        loop {
            let next = change(seen)?;
            // AcqRel: a link in the chain of exchanges, as the two of publish and take are.
            match self.0.compare_exchange(seen.0, next.0, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Some(seen),
                Err(newer) => seen = State(newer),
            }
        }
    }
}

/// The consumer waits to be woken.
const SLEEPING: u64 = 1 << 21;
/// The consumer is gone.
const CLOSED: u64 = 1 << 22;
const FRESH_SHIFT: u32 = 12;
const FILLED_SHIFT: u32 = 15;
const PINNED_SHIFT: u32 = 18;
/// From here up: how many publications there were, so that no two states with other buffers in them look alike.
const COUNT_SHIFT: u32 = 23;

/// What the word says: four times three bits, newest first, for the kept buffers; how many of them are fresh, how many
/// there are, and which buffer the consumer holds.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State(u64);

impl State {
    /// Nothing is kept; the producer holds the first buffer, the consumer the last.
    const START: Self = Self((BUFFERS as u64 - 1) << PINNED_SHIFT);

    const fn field(self, shift: u32) -> u8 {
        ((self.0 >> shift) & 0b111) as u8
    }

    const fn with_field(self, shift: u32, value: u8) -> Self {
        Self((self.0 & !(0b111 << shift)) | ((value as u64) << shift))
    }

    const fn kept(self, depth: u8) -> u8 {
        self.field(3 * depth as u32)
    }

    const fn fresh(self) -> u8 {
        self.field(FRESH_SHIFT)
    }

    const fn with_fresh(self, fresh: u8) -> Self {
        self.with_field(FRESH_SHIFT, fresh)
    }

    const fn filled(self) -> u8 {
        self.field(FILLED_SHIFT)
    }

    const fn pinned(self) -> u8 {
        self.field(PINNED_SHIFT)
    }

    const fn count(self) -> u64 {
        self.0 >> COUNT_SHIFT
    }

    const fn has_news_for(self, seen: u64) -> bool {
        self.fresh() > 0 && self.count() != seen
    }

    const fn with_pinned(self, buffer: u8) -> Self {
        self.with_field(PINNED_SHIFT, buffer)
    }

    const fn has(self, flag: u64) -> bool {
        self.0 & flag != 0
    }

    const fn with(self, flag: u64) -> Self {
        Self(self.0 | flag)
    }

    const fn without(self, flag: u64) -> Self {
        Self(self.0 & !flag)
    }

    /// After `buffer` was published: it is the newest, the oldest of four is kept no longer.
    fn published(self, buffer: u8) -> Self {
        const KEPT_BITS: u64 = (1 << (3 * KEPT as u32)) - 1;
        let order = ((self.0 << 3) | u64::from(buffer)) & KEPT_BITS;
        let most = KEPT as u8;
        let counted = Self(((self.0 & !KEPT_BITS) | order).wrapping_add(1 << COUNT_SHIFT));
        counted
            .with_fresh((self.fresh() + 1).min(most))
            .with_field(FILLED_SHIFT, (self.filled() + 1).min(most))
            .without(SLEEPING)
    }

    /// It is neither kept nor the consumer's.
    fn is_spare(self, buffer: u8) -> bool {
        buffer != self.pinned() && (0..self.filled()).all(|depth| self.kept(depth) != buffer)
    }

    /// A buffer that is neither kept nor the consumer's: of six there is always one.
    fn free(self) -> u8 {
        (0..BUFFERS as u8)
            .find(|buffer| self.is_spare(*buffer))
            .expect("four kept buffers and the consumer's leave one of six")
    }
}

struct Buffers<T> {
    // One to a cache line, so that writing one does not slow down reading another.
    cells: [CachePadded<UnsafeCell<T>>; BUFFERS],
    marks: [AtomicU64; BUFFERS],
}

// SAFETY: a buffer is reached only by the side that owns its index: the producer its `held`, the consumer the one pinned
// in the word. The producer chooses its next one by the very exchange that shows it which are kept and pinned, and the
// consumer pins one of the kept by an exchange that fails if the producer has published since; each releases what its
// side did. So a `T` moves between threads but is never used by two at once: `Send` is enough.
unsafe impl<T: Send> Sync for Buffers<T> {}

impl<T> Buffers<T> {
    /// # Safety
    /// The caller owns buffer `index` and nobody writes it while the reference lives.
    unsafe fn read(&self, index: u8) -> &T {
        // SAFETY: by the caller's promise there is no `&mut` to this buffer.
        self.cells[usize::from(index)].with(|buffer| unsafe { &*buffer })
    }

    /// # Safety
    /// The caller owns buffer `index` and has no other reference to it while this one lives.
    #[expect(
        clippy::mut_from_ref,
        reason = "the index owned, not the borrow of `self`, is what makes it unique"
    )]
    unsafe fn write(&self, index: u8) -> &mut T {
        // SAFETY: by the caller's promise this is the only reference to this buffer.
        self.cells[usize::from(index)].with_mut(|buffer| unsafe { &mut *buffer })
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
