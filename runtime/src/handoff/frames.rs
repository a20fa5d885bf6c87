//! Frames on their way from the simulation to the render thread: a descriptor, counts that add up, and one face over
//! the three ways there are.
//!
//! | way | what carries a frame | who waits | what is lost |
//! | --- | --- | --- | --- |
//! | slot | [`slot`]: three buffers, newest wins | nobody | dropped frames |
//! | lockstep | [`double_buffer`]: a meeting at the end of every frame | the faster | nothing |
//! | free | [`ring`]: the last four ticks, drawn at the renderer's own time | nobody | nothing: ticks may stay undrawn |
//!
//! In lockstep there may be more readers than the renderer: observers, each of which sees every frame whole between the
//! meeting that published it and the next.
//!
//! ```
//! use framewalk_runtime::frame::record::HandoffMode;
//! use framewalk_runtime::handoff::observed_handoffs;
//! use framewalk_runtime::time::{FrameIndex, Nanos, Tick};
//!
//! let mut ends = observed_handoffs::<u64>(HandoffMode::Lockstep, 1)?;
//! let mut observer = ends.observers.remove(0);
//! let recorder = std::thread::spawn(move || {
//!     let frame = observer.meet(None).expect("nobody has ended");
//!     let seen = (frame.frame, *observer.snapshot());
//!     observer.leave();
//!     seen
//! });
//! assert_eq!(ends.consumer.take(), None, "the renderer has come to the meeting");
//! *ends.producer.snapshot_mut() = 7;
//! ends.producer.publish(FrameIndex(1), Tick(0), Nanos::ZERO)?;
//! assert_eq!(recorder.join().unwrap(), (FrameIndex(1), 7));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blend;
mod consumer;
mod motion;
mod observer;
mod producer;

pub use blend::{Blend, Held, Margin, MarginStep, TickSpan, TicksOfFrame};
pub use consumer::{FrameConsumer, Taken, TakenFrame};
pub use observer::FrameObserver;
pub use producer::{FrameProducer, Publication, PublishError, Published};

use std::fmt;
use std::sync::{Arc, OnceLock};

use crossbeam_utils::CachePadded;

use super::barrier::{BarrierWatch, WaitError, WrongParties};
use super::counts::{Ledger, Standing};
use super::double_buffer::{Reader, Writer, double_buffer};
use super::ring::{BUFFERS, KEPT, RingConsumer, RingProducer, RingWord, ring};
use super::slot::slot;
use super::sync::{AtomicU32, AtomicU64, Ordering, Thread};
use super::word::Word;
use crate::frame::record::{HandoffCounts, HandoffMode};
use crate::time::{FrameIndex, Nanos, Rate, Tick};
use motion::SharedMotion;
use observer::ObserverBoard;

/// What is said about a published frame; its snapshot lies in the same buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct FrameDescriptor {
    pub frame: FrameIndex,
    /// The count of ticks after this frame.
    pub tick: Tick,
    /// The presentation time it is made for, ns on the monotonic clock; of a frame taken from the free handoff the
    /// renderer's own.
    pub render_time: Nanos,
    /// Which of the buffers holds its snapshot, from 0.
    pub snapshot: u64,
}

const _: () = assert!(size_of::<FrameDescriptor>() == 32, "a descriptor is 32 bytes, half a cache line");

/// When a frame was handed over, and when the next one will be: what a renderer goes to sleep by. On its own clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// When it was handed over; in lockstep when the simulation came to the meeting.
    pub published: Option<Nanos>,
    /// The next deadline of the simulation's frame clock; `None` where no frame follows by itself, or nobody knows when.
    pub next_due: Option<Nanos>,
}

/// The frame was not published, and counts nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no frame can be published: the renderer was shut down or has ended")]
pub struct HandoffClosed;

/// Who has one of the buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    Producer,
    Slot,
    Consumer,
    /// Free handoff: one of the last four ticks.
    Kept,
    /// Free handoff: nobody's at the moment.
    Spare,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Producer => "sim",
            Self::Slot => "slot",
            Self::Consumer => "render",
            Self::Kept => "kept",
            Self::Spare => "spare",
        })
    }
}

/// Makes a handoff that is a slot and stays one, over three snapshots whose memory goes round. It needs no thread: both
/// ends may be driven from one, which is what virtual time does.
#[must_use]
pub fn frame_handoff<S>(snapshots: [S; 3]) -> (FrameProducer<S>, FrameConsumer<S>, HandoffStats) {
    let (producer, consumer) = slot(snapshots.map(FrameBuffer::new));
    let shared = Arc::new(Shared::new(producer.word(), HandoffMode::Slot));
    let stats = HandoffStats { shared, others: None };
    (
        FrameProducer::new(producer, None, stats.clone()),
        FrameConsumer::new(consumer, None, stats.clone()),
        stats,
    )
}

/// Makes a handoff that starts as `mode` and can change it while it runs: [`FrameProducer::set_mode`].
#[must_use]
pub fn frame_handoffs<S: Default>(mode: HandoffMode) -> (FrameProducer<S>, FrameConsumer<S>, HandoffStats) {
    let ends = observed_handoffs(mode, 0).expect("a writer and a reader are two parties");
    (ends.producer, ends.consumer, ends.stats)
}

/// All ends of a handoff that may have observers.
pub struct HandoffEnds<S> {
    pub producer: FrameProducer<S>,
    pub consumer: FrameConsumer<S>,
    /// As many as were asked for.
    pub observers: Vec<FrameObserver<S>>,
    pub stats: HandoffStats,
}

/// As [`frame_handoffs`], with so many observers of the lockstep.
///
/// # Errors
/// More observers than there is room for at a meeting: [`MOST_OBSERVERS`](crate::frame::record::MOST_OBSERVERS).
pub fn observed_handoffs<S: Default>(
    mode: HandoffMode,
    observers: usize,
) -> Result<HandoffEnds<S>, WrongParties> {
    let new = || FrameBuffer::new(S::default());
    let (writer, mut readers) = double_buffer([new(), new()], observers.saturating_add(1))?;
    let (producer, consumer) = slot([new(), new(), new()]);
    let (ring_producer, ring_consumer) = ring(std::array::from_fn::<_, BUFFERS, _>(|_| new()));
    let shared = Arc::new(Shared::new(producer.word(), mode));
    let others = OtherWords { meetings: writer.watch(), ring: ring_producer.word() };
    let stats = HandoffStats { shared, others: Some(others) };
    let board = Arc::new(ObserverBoard::new(observers));
    let consumers = OtherConsumers { lockstep: readers.remove(0), free: ring_consumer };
    let producers = OtherProducers { lockstep: writer, free: ring_producer, board: board.clone(), observers };
    let observe = |(number, reader)| FrameObserver::new(reader, number, board.clone(), stats.clone());
    let observers = readers.into_iter().enumerate().map(observe).collect();
    Ok(HandoffEnds {
        producer: FrameProducer::new(producer, Some(producers), stats.clone()),
        consumer: FrameConsumer::new(consumer, Some(consumers), stats.clone()),
        observers,
        stats,
    })
}

/// What goes through each of the ways.
struct FrameBuffer<S> {
    descriptor: FrameDescriptor,
    span: TickSpan,
    times: Times,
    snapshot: S,
}

impl<S> FrameBuffer<S> {
    fn new(snapshot: S) -> Self {
        let (descriptor, span, times) = <(FrameDescriptor, TickSpan, Times)>::default();
        Self { descriptor, span, times, snapshot }
    }
}

struct OtherProducers<S> {
    lockstep: Writer<FrameBuffer<S>>,
    free: RingProducer<FrameBuffer<S>>,
    // When the observers of the lockstep came to its meetings, and how many there were.
    board: Arc<ObserverBoard>,
    observers: usize,
}

/// Who they are among the parties of the meeting; observers follow.
const WRITER: usize = 0;
const RENDERER: usize = 1;

struct OtherConsumers<S> {
    lockstep: Reader<FrameBuffer<S>>,
    free: RingConsumer<FrameBuffer<S>>,
}

/// What both ends and everybody who counts can see.
struct Shared {
    word: Arc<CachePadded<Word>>,
    ledger: Ledger,
    // The way that frames take, as `code`, and ASLEEP.
    mode: AtomicU32,
    // The thread that waits for frames, once one does.
    sleeper: OnceLock<Thread>,
    // 1 while no frame comes by itself: paused, stepping, stopped.
    stands: AtomicU32,
    // What the pictures of the free handoff are drawn by.
    motion: SharedMotion,
    // The renderer's frame rate: numerator above, denominator below.
    render_rate: AtomicU64,
    // How far the renderer's own grid is to be shifted, in ns, as far as it has not been: the free handoff.
    render_shift: AtomicU64,
}

/// The consumer has registered its thread and may be asleep in the way it knows of.
const ASLEEP: u32 = 1 << 8;

impl Shared {
    fn new(word: Arc<CachePadded<Word>>, mode: HandoffMode) -> Self {
        Self {
            word,
            ledger: Ledger::new(),
            mode: AtomicU32::new(code(mode)),
            sleeper: OnceLock::new(),
            stands: AtomicU32::new(0),
            motion: SharedMotion::new(),
            render_rate: AtomicU64::new(packed(Rate::HZ_60)),
            render_shift: AtomicU64::new(0),
        }
    }

    fn mode(&self) -> HandoffMode {
        // Acquire: what went before a change of mode is seen with it: nothing more comes the old way.
        mode_of(self.mode.load(Ordering::Acquire))
    }

    /// Producer: the way that frames take from now on. True: a consumer may sleep on the old one.
    fn change_mode(&self, mode: HandoffMode) -> bool {
        // AcqRel, as is the consumer's exchange in `announce_sleep`: one of the two sees the other.
        self.mode.swap(code(mode), Ordering::AcqRel) & ASLEEP != 0
    }

    /// Consumer, before it sleeps as one of `mode`: false where the mode has changed.
    fn announce_sleep(&self, mode: HandoffMode) -> bool {
        // AcqRel: see `change_mode`.
        mode_of(self.mode.fetch_or(ASLEEP, Ordering::AcqRel)) == mode
    }

    fn stands(&self) -> bool {
        // Acquire: the clock of the motion is that of this standing, or of one that began since.
        self.stands.load(Ordering::Acquire) != 0
    }

    fn render_rate(&self) -> Rate {
        // Relaxed: a number on its own.
        let packed = self.render_rate.load(Ordering::Relaxed);
        Rate::new(packed >> 32, packed & u64::from(u32::MAX)).unwrap_or_default()
    }

    /// Producer: adds to the shift of the renderer's own grid.
    fn shift_render_grid(&self, by: Nanos) {
        // Relaxed: a number on its own. Wrapping addition is that of the signed number.
        self.render_shift.fetch_add(by.0.cast_unsigned(), Ordering::Relaxed);
    }

    /// Consumer: the shift that was asked for since it was last taken.
    fn take_render_shift(&self) -> Nanos {
        // Relaxed: as above. The look before spares the exchange where there is nothing, which is nearly always.
        if self.render_shift.load(Ordering::Relaxed) == 0 {
            return Nanos::ZERO;
        }
        Nanos(self.render_shift.swap(0, Ordering::Relaxed).cast_signed())
    }

    fn wake(&self) {
        if let Some(thread) = self.sleeper.get() {
            thread.unpark();
        }
    }
}

fn packed(rate: Rate) -> u64 {
    u64::from(rate.num()) << 32 | u64::from(rate.den())
}

fn code(mode: HandoffMode) -> u32 {
    mode as u32
}

fn mode_of(word: u32) -> HandoffMode {
    HandoffMode::ALL[(word & 0b11) as usize]
}

/// The words of the two other ways.
#[derive(Clone)]
struct OtherWords {
    meetings: BarrierWatch,
    ring: Arc<CachePadded<RingWord>>,
}

/// Reads the counts of a handoff, from any thread.
#[derive(Clone)]
pub struct HandoffStats {
    shared: Arc<Shared>,
    others: Option<OtherWords>,
}

impl HandoffStats {
    /// One consistent cut: the counts at an instant at which neither side was in the middle of a change.
    #[must_use]
    pub fn counts(&self) -> HandoffCounts {
        self.shared.ledger.cut(|| self.standing())
    }

    /// As [`HandoffStats::counts`], but gives up where a side moves meanwhile.
    #[must_use]
    pub fn try_counts(&self) -> Option<HandoffCounts> {
        self.shared.ledger.try_cut(|| self.standing())
    }

    /// Lockstep: how many stand at the meeting under way, waiting for the others; to look at.
    #[must_use]
    pub fn waiting(&self) -> u32 {
        self.others.as_ref().map_or(0, |others| others.meetings.arrived())
    }

    /// Meetings of the lockstep so far: each published a frame.
    #[must_use]
    pub fn meetings(&self) -> u64 {
        self.others.as_ref().map_or(0, |others| others.meetings.generation())
    }

    /// Lockstep: simulation and renderer stand at the meeting under way, so it is an observer that has not come; to look at.
    #[must_use]
    pub fn awaits_observer(&self) -> bool {
        self.others
            .as_ref()
            .is_some_and(|others| others.meetings.has_come(WRITER) && others.meetings.has_come(RENDERER))
    }

    /// Lets a simulation go that waits for the renderer: its frame is not published, now and from now on. For a Stop
    /// that waits for nobody. The other ways have no wait, and go on.
    pub fn release(&self) {
        if let Some(others) = &self.others {
            others.meetings.break_up();
        }
    }

    fn standing(&self) -> Standing {
        let slot = u64::from(self.shared.word.is_fresh());
        let (ring, meetings) =
            self.others.as_ref().map_or((0, 0), |others| (others.ring.fresh(), others.meetings.generation()));
        Standing { mode: self.shared.mode(), fresh: slot + ring, meetings }
    }
}

impl fmt::Debug for HandoffStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HandoffStats").field(&self.counts()).finish()
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
