//! What became of every frame: each side writes its own figures, anyone reads one consistent cut of both.

use crossbeam_utils::CachePadded;

use super::sync::{AtomicU64, Ordering, spin_loop, yield_now};
use crate::frame::record::{HandoffCounts, HandoffMode, RenderOutcome};

/// A number with one writer and any number of readers.
struct Count(AtomicU64);

impl Count {
    fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// For its writer only.
    fn add(&self, amount: u64) {
        // Relaxed: one's own last write. Release: a reader that sees the new figure also sees the epoch odd before
        // it, and so refuses a cut that is half old and half new.
        self.0.store(self.0.load(Ordering::Relaxed) + amount, Ordering::Release);
    }

    fn set(&self, value: u64) {
        // Release: as in `add`.
        self.0.store(value, Ordering::Release);
    }

    fn load(&self) -> u64 {
        // Acquire: the other half of `add`.
        self.0.load(Ordering::Acquire)
    }
}

/// Even while its side stands still, odd while it changes something.
struct Epoch(AtomicU64);

impl Epoch {
    fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// For its one writer: everything a side changes as one.
    fn during<R>(&self, change: impl FnOnce() -> R) -> R {
        // Relaxed: one's own last write.
        let even = self.0.load(Ordering::Relaxed);
        // Relaxed: what follows is a swap or a store that releases, so whoever sees any of it sees this too.
        self.0.store(even + 1, Ordering::Relaxed);
        let result = change();
        // Release: a reader that starts from this epoch sees every figure that belongs to it.
        self.0.store(even + 2, Ordering::Release);
        result
    }

    /// None while something changes.
    fn still(&self) -> Option<u64> {
        // Acquire: no figure older than this epoch is read after it.
        let epoch = self.0.load(Ordering::Acquire);
        epoch.is_multiple_of(2).then_some(epoch)
    }

    fn is_still(&self, epoch: u64) -> bool {
        // Relaxed: ordered after the figures by their acquiring loads, and they are what it must not overtake.
        self.0.load(Ordering::Relaxed) == epoch
    }
}

/// Written by the producer.
struct ProducerSide {
    epoch: Epoch,
    published: Count,
    dropped: Count,
    undrawn: Count,
}

/// Written by the consumer.
struct ConsumerSide {
    epoch: Epoch,
    rendered: Count,
    abandoned: Count,
    undrawn: Count,
    in_flight: Count,
    // Frames taken from a meeting; how many there were to take, the barrier says.
    met: Count,
}

/// What the words of the handoff say at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    /// The way that frames take now.
    pub(super) mode: HandoffMode,
    /// In the slot or kept in the ring, and not taken.
    pub(super) fresh: u64,
    /// Meetings of the lockstep: each of them published a frame.
    pub(super) meetings: u64,
}

/// The figures of one handoff, whichever ways its frames took. What is pending is not written down twice: the words
/// themselves say it, and the barrier's how many frames it published.
pub(super) struct Ledger {
    producer: CachePadded<ProducerSide>,
    consumer: CachePadded<ConsumerSide>,
}

impl Ledger {
    pub(super) fn new() -> Self {
        Self {
            producer: CachePadded::new(ProducerSide {
                epoch: Epoch::new(),
                published: Count::new(),
                dropped: Count::new(),
                undrawn: Count::new(),
            }),
            consumer: CachePadded::new(ConsumerSide {
                epoch: Epoch::new(),
                rendered: Count::new(),
                abandoned: Count::new(),
                undrawn: Count::new(),
                in_flight: Count::new(),
                met: Count::new(),
            }),
        }
    }

    /// Producer: counts the publication that `exchange` makes, if it makes one, and what is lost by it.
    pub(super) fn publish<P, E>(
        &self,
        exchange: impl FnOnce() -> Result<P, E>,
        lost: impl FnOnce(&P) -> Lost,
    ) -> Result<P, E> {
        self.producer.epoch.during(|| {
            let exchanged = exchange()?;
            self.producer.published.add(1);
            self.lose(lost(&exchanged));
            Ok(exchanged)
        })
    }

    /// Producer: comes to a meeting, which may complete it; the barrier counts what that publishes.
    pub(super) fn arrive<R>(&self, arrive: impl FnOnce() -> R) -> R {
        self.producer.epoch.during(arrive)
    }

    /// Producer: takes back what nobody has taken, for the frame that follows.
    pub(super) fn take_back<R>(&self, exchange: impl FnOnce() -> R, lost: impl FnOnce(&R) -> Lost) -> R {
        self.producer.epoch.during(|| {
            let exchanged = exchange();
            self.lose(lost(&exchanged));
            exchanged
        })
    }

    fn lose(&self, lost: Lost) {
        match lost {
            Lost::Dropped(0) | Lost::Undrawn(0) => {}
            Lost::Dropped(frames) => self.producer.dropped.add(frames),
            Lost::Undrawn(frames) => self.producer.undrawn.add(frames),
        }
    }

    /// Consumer: counts the frame that `exchange` takes, if it takes one.
    pub(super) fn take<T>(
        &self,
        exchange: impl FnOnce() -> Option<T>,
        taken_as: impl FnOnce(&T) -> Taking,
    ) -> Option<T> {
        self.consumer.epoch.during(|| {
            let taken = exchange()?;
            match taken_as(&taken) {
                Taking::Again => {}
                Taking::First { passed_over } => {
                    if passed_over > 0 {
                        self.consumer.undrawn.add(passed_over);
                    }
                    self.consumer.in_flight.set(1);
                }
                Taking::Met => {
                    self.consumer.met.add(1);
                    self.consumer.in_flight.set(1);
                }
            }
            Some(taken)
        })
    }

    /// Consumer: the frame in flight is done with.
    pub(super) fn finish(&self, outcome: RenderOutcome) {
        self.consumer.epoch.during(|| {
            self.consumer.in_flight.set(0);
            match outcome {
                RenderOutcome::Rendered => self.consumer.rendered.add(1),
                RenderOutcome::Abandoned => self.consumer.abandoned.add(1),
            }
        });
    }

    /// Consumer: counts the pending frames that `close` abandons; it answers how many, and whether a meeting was one.
    pub(super) fn close(&self, close: impl FnOnce() -> (u64, bool)) {
        self.consumer.epoch.during(|| {
            let (fresh, met) = close();
            if met {
                self.consumer.met.add(1);
            }
            let abandoned = fresh + u64::from(met);
            if abandoned > 0 {
                self.consumer.abandoned.add(abandoned);
            }
        });
    }

    /// One consistent cut, from any thread: an instant at which both sides stood still.
    ///
    /// The two sides never wait for a reader. A reader tries again when one of them moved while it read; a frame is
    /// some microseconds at least, a reading some nanoseconds.
    pub(super) fn cut(&self, standing: impl Fn() -> Standing) -> HandoffCounts {
        const TRIES_BEFORE_YIELDING: u32 = 64;
        let mut tries = 0;
        loop {
            if let Some(counts) = self.try_cut(&standing) {
                return counts;
            }
            tries += 1;
            // The side that moves may wait for this very core.
            if tries < TRIES_BEFORE_YIELDING { spin_loop() } else { yield_now() }
        }
    }

    /// None where a side moved meanwhile.
    ///
    /// Why the cut is one: the changes of each word form a chain of acquiring and releasing swaps, each made while
    /// the epoch of its side is odd. A figure read here that depends on a change of the other side therefore brings
    /// that side's odd epoch with it, and the second look at the epochs refuses.
    pub(super) fn try_cut(&self, standing: impl Fn() -> Standing) -> Option<HandoffCounts> {
        let (producer, consumer) = (&*self.producer, &*self.consumer);
        let epochs = (producer.epoch.still()?, consumer.epoch.still()?);
        let (stands, met) = (standing(), consumer.met.load());
        let counts = HandoffCounts {
            mode: stands.mode,
            published: producer.published.load() + stands.meetings,
            rendered: consumer.rendered.load(),
            dropped: producer.dropped.load(),
            undrawn: producer.undrawn.load() + consumer.undrawn.load(),
            abandoned: consumer.abandoned.load(),
            pending: stands.fresh,
            // A meeting puts its frame into the renderer's hands, whether or not that has noticed. Where a side moved
            // meanwhile the difference may be anything: it is refused below.
            in_flight: consumer.in_flight.load().wrapping_add(stands.meetings.wrapping_sub(met)),
        };
        (producer.epoch.is_still(epochs.0) && consumer.epoch.is_still(epochs.1)).then_some(counts)
    }
}

/// What a publication costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// Frames that nobody had taken and that this one replaced.
    Dropped(u64),
    /// Ticks that fell out of the ring before anybody drew them.
    Undrawn(u64),
}

/// How a frame was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taking {
    /// For the first time; ticks older than it are never drawn any more.
    First { passed_over: u64 },
    /// From a meeting.
    Met,
    /// Once more: no frame, and counted nowhere.
    Again,
}
