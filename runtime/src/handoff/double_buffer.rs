//! Two buffers between one writer and any number of readers, who all meet at the end of every frame: what was written
//! is then read, and what was read is written next.
//!
//! The buffers change their parts when a meeting is completed, by whoever completes it, and by the completion itself:
//! the one to be read is that of the meetings' parity. So they are exchanged exactly once a frame, the one that is read
//! never goes back to an older frame, and nobody can see half an exchange.
//!
//! ```text
//!   Writer ── writes ──▶ back ─┐            ┌─▶ front ── read by ──▶ Reader, Reader, …
//!                              └─ meeting ──┘
//! ```
//!
//! Nothing is ever dropped: the slower of the two makes the faster wait.

#![expect(
    unsafe_code,
    reason = "which of the two buffers is written depends on a count of meetings, which the type system cannot see"
)]

use std::sync::Arc;
use std::time::Duration;

use crossbeam_utils::CachePadded;

use super::barrier::{Arrival, BarrierWatch, Broken, Party, WaitError, WrongParties, barrier};
use super::sync::UnsafeCell;
use crate::time::Nanos;
use crate::time::rest::Rest;

/// Makes a double buffer with so many readers. Before the first meeting they read the first of `buffers`, and the writer
/// has the second.
///
/// # Errors
/// More readers than meet at a barrier.
pub fn double_buffer<T>(
    buffers: [T; 2],
    readers: usize,
) -> Result<(Writer<T>, Vec<Reader<T>>), WrongParties> {
    let mut parties = barrier(readers.saturating_add(1))?.into_iter();
    let buffers = Arc::new(Buffers(buffers.map(|buffer| CachePadded::new(UnsafeCell::new(buffer)))));
    let Some(party) = parties.next() else { return Err(WrongParties { given: 0 }) };
    let reader = |party| Reader { buffers: buffers.clone(), party };
    Ok((Writer { buffers: buffers.clone(), party }, parties.map(reader).collect()))
}

/// The end that fills the back buffer. Dropping it lets the readers go with an error.
pub struct Writer<T> {
    buffers: Arc<Buffers<T>>,
    party: Party,
}

impl<T> Writer<T> {
    /// The back buffer. It holds what was written two frames ago.
    ///
    /// # Panics
    /// This end stands at a meeting: the buffer may be anybody's.
    #[must_use]
    pub fn back_mut(&mut self) -> &mut T {
        assert!(!self.party.has_arrived(), "what was brought to a meeting is not changed before it is over");
        // SAFETY: readers read the buffer of their own count's parity. All counts are the same but between the end of a
        // meeting and the moment a reader notices it, when it touches neither; so this is nobody else's buffer, and
        // `&mut self` makes this the only reference to it.
        unsafe { self.buffers.write(self.back_index()) }
    }

    /// Meetings this end has been through.
    #[must_use]
    pub const fn passed(&self) -> u64 {
        self.party.passed()
    }

    /// Which of the two the back buffer is.
    #[must_use]
    pub fn back_index(&self) -> u8 {
        ((self.party.passed() + 1) & 1) as u8
    }

    /// To look at the meetings and to break them up, from any thread.
    #[must_use]
    pub fn watch(&self) -> BarrierWatch {
        self.party.watch()
    }

    /// Brings the back buffer to the meeting, without waiting.
    ///
    /// # Errors
    /// A reader has ended.
    pub fn arrive(&mut self) -> Result<Arrival, Broken> {
        self.party.arrive()
    }

    /// Takes an arrival back, so that the back buffer is this end's again. False: the meeting is over, and what was brought
    /// to it is read.
    pub fn withdraw(&mut self) -> bool {
        self.party.withdraw()
    }

    /// Brings the back buffer to the meeting and waits until it is over; see [`Party::meet`].
    ///
    /// # Errors
    /// A reader has ended, or the limit has passed.
    pub fn meet(&mut self, limit: Option<Nanos>, is_running: impl Fn() -> bool) -> Result<(), WaitError> {
        self.party.meet(limit, is_running)
    }

    /// As [`Self::meet`]; see [`Party::meet_by`].
    ///
    /// # Errors
    /// As there.
    pub fn meet_by(
        &mut self,
        limit: Option<Nanos>,
        is_running: impl Fn() -> bool,
        rest: &mut impl Rest,
    ) -> Result<(), WaitError> {
        self.party.meet_by(limit, is_running, rest)
    }
}

/// One of the ends that read the front buffer. Dropping it lets the others go with an error; [`Reader::go`] does not.
pub struct Reader<T> {
    buffers: Arc<Buffers<T>>,
    party: Party,
}

impl<T> Reader<T> {
    /// The front buffer: whole, of one frame, and the same until this reader comes to the next meeting.
    ///
    /// # Panics
    /// This end stands at a meeting: the buffer may be written by now. [`Reader::withdraw`] first.
    #[must_use]
    pub fn front(&self) -> &T {
        assert!(!self.party.has_arrived(), "a reader that stands at a meeting has given its buffer back");
        // SAFETY: the writer writes the other buffer until a meeting that only comes about with this reader, or when it has
        // gone; its arrival needs `&mut self`, its going all of it, which the borrow excludes. Other readers only read: hence `T: Sync` below.
        unsafe { self.buffers.read((self.party.passed() & 1) as u8) }
    }

    /// Takes an arrival back, so that the front buffer can be read once more. False: the meeting is over, and the front
    /// buffer is the next frame's.
    pub fn withdraw(&mut self) -> bool {
        self.party.withdraw()
    }

    /// This end stands at a meeting, as far as it knows.
    #[must_use]
    pub const fn has_arrived(&self) -> bool {
        self.party.has_arrived()
    }

    /// Meetings this reader has been through: the number of its frame.
    #[must_use]
    pub const fn passed(&self) -> u64 {
        self.party.passed()
    }

    /// See [`Party::sleep_by`].
    pub fn sleep_by(&self, at_most: Option<Duration>, rest: &mut impl Rest) -> bool {
        self.party.sleep_by(at_most, rest)
    }

    /// Reads no more: the others are let go with an error. True: a frame was published that it has not noticed.
    pub fn leave(&mut self) -> bool {
        self.party.leave()
    }

    /// Reads no more, and parts in peace: the writer and the other readers meet without it.
    pub fn go(self) {
        self.party.go();
    }

    /// See [`Party::is_let_go`].
    #[must_use]
    pub fn is_let_go(&self) -> bool {
        self.party.is_let_go()
    }

    /// See [`Party::get_up`].
    pub fn get_up(&self) {
        self.party.get_up();
    }

    /// Comes to the meeting, without waiting: the front buffer is given back.
    ///
    /// # Errors
    /// Another end is gone.
    pub fn arrive(&mut self) -> Result<Arrival, Broken> {
        self.party.arrive()
    }

    /// Comes to the meeting and waits until it is over; then the front buffer is the next frame's.
    ///
    /// # Errors
    /// Another end is gone, or the limit has passed.
    pub fn meet(&mut self, limit: Option<Nanos>, is_running: impl Fn() -> bool) -> Result<(), WaitError> {
        self.party.meet(limit, is_running)
    }
}

// One to a cache line, so that writing one does not slow down reading the other.
struct Buffers<T>([CachePadded<UnsafeCell<T>>; 2]);

// SAFETY: the writer alone writes the back buffer and readers, perhaps several at once, only read the front one, which
// wants `Sync`. The buffers change their parts by the barrier's exchanges, each of which releases what its party did and
// acquires what the others did; the writer passes a `T` to other threads by that, which wants `Send`.
unsafe impl<T: Send + Sync> Sync for Buffers<T> {}

impl<T> Buffers<T> {
    /// # Safety
    /// Nobody writes buffer `index` while the reference lives.
    unsafe fn read(&self, index: u8) -> &T {
        // SAFETY: by the caller's promise there is no `&mut` to this buffer.
        self.0[usize::from(index)].with(|buffer| unsafe { &*buffer })
    }

    /// # Safety
    /// The caller is the writer, `index` its back buffer, and no other reference to it lives.
    #[expect(
        clippy::mut_from_ref,
        reason = "the count of meetings, not the borrow of `self`, is what makes it unique"
    )]
    unsafe fn write(&self, index: u8) -> &mut T {
        // SAFETY: by the caller's promise this is the only reference to this buffer.
        self.0[usize::from(index)].with_mut(|buffer| unsafe { &mut *buffer })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that fails says where")]

    use super::*;

    #[test]
    fn a_reader_reads_each_frame_once_whole_and_in_order() {
        let (mut writer, mut readers) = double_buffer([0, 0], 1).unwrap();
        let reader = &mut readers[0];
        assert_eq!(*reader.front(), 0);
        for n in 1..=4 {
            *writer.back_mut() = n;
            assert_eq!(reader.arrive(), Ok(Arrival::Waits));
            assert_eq!(writer.arrive(), Ok(Arrival::Met), "the last to come exchanges the buffers");
            assert_eq!(reader.arrive(), Ok(Arrival::Met));
            assert_eq!(*reader.front(), n);
            *writer.back_mut() = 99;
            assert_eq!(*reader.front(), n, "what is written next is the other buffer");
        }
    }

    #[test]
    fn a_reader_that_takes_its_arrival_back_keeps_its_frame() {
        let (mut writer, mut readers) = double_buffer([7, 0], 1).unwrap();
        let reader = &mut readers[0];
        reader.arrive().unwrap();
        assert!(reader.withdraw());
        *writer.back_mut() = 1;
        assert_eq!(writer.arrive(), Ok(Arrival::Waits));
        assert_eq!(*reader.front(), 7);
        assert_eq!(reader.arrive(), Ok(Arrival::Met));
        assert_eq!(*reader.front(), 1);
    }

    #[test]
    fn without_readers_the_writer_never_waits() {
        let (mut writer, readers) = double_buffer([0, 0], 0).unwrap();
        assert!(readers.is_empty());
        for n in 1..=3 {
            *writer.back_mut() = n;
            assert_eq!(writer.arrive(), Ok(Arrival::Met));
        }
    }

    /// The demo of the seed, and the phase it lacks. There a worker reads, after the barrier, whatever is published by
    /// then: it may already be the next frame, half written. Here it is the frame just published, and stays so until
    /// the reader comes to the next meeting.
    #[test]
    fn on_real_threads_of_5_frames_2_readers_see_each_whole_when_it_is_published() {
        const FRAMES: u64 = 5;
        let (mut writer, readers) = double_buffer([[0; 2]; 2], 2).unwrap();
        let watch = writer.watch();
        let consistent: Vec<u64> = std::thread::scope(|scope| {
            let threads: Vec<_> = readers
                .into_iter()
                .map(|mut reader| {
                    scope.spawn(move || {
                        (1..=FRAMES)
                            .filter(|frame| {
                                reader.meet(None, || true).unwrap();
                                *reader.front() == [*frame, frame * 7]
                            })
                            .count() as u64
                    })
                })
                .collect();
            for frame in 1..=FRAMES {
                *writer.back_mut() = [frame, frame * 7];
                writer.meet(None, || true).unwrap();
            }
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(watch.generation(), 5);
        assert_eq!(consistent, [5, 5]);
    }
}
