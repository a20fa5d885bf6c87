//! Named stretches of time on a thread, for people to look at: a game's own systems, and what the runtime does below
//! its stages.
//!
//! ```
//! use framewalk_runtime::frame::zones::{zone, zone_ring};
//!
//! let (sender, mut receiver) = zone_ring(64);
//! sender.record_this_thread();
//! {
//!     zone!("think");
//!     zone!("find a path");
//! }
//! let mut names = Vec::new();
//! receiver.drain(|zone| names.push((zone.name, zone.depth)));
//! assert_eq!(names, [("find a path", 1), ("think", 0)]);
//! ```
//!
//! A zone is two readings of the machine's counter and one entry in its thread's own ring; ticks become nanoseconds
//! when they are drained. It works on every thread that has a ring: the threads `sim` and `render` of a
//! live run (`sim::thread::LiveRun`, of the feature `sim`), and its workers, have one, so an application's code in its
//! stages, systems and ticks, and a renderer, only write `zone!`. On any other thread, in virtual time too, it does nothing,
//! and costs next to nothing. No zone reaches a record, a report or a hash.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::time::Nanos;
use crate::time::source::RealClock;

/// A stretch of time on a thread that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    pub name: &'static str,
    /// On the scale of [`RealClock`], as the times in records.
    pub start: Nanos,
    pub duration: Nanos,
    /// In how many other zones it lies.
    pub depth: u32,
    /// Above 0: this is no zone, but the time of so many that found the ring full, from the start of the first of them to the
    /// end of the last. What else lies in it was not lost.
    pub lost: u32,
}

/// Which of a run's threads a zone is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneThread {
    Sim,
    Render,
    /// By its number.
    Worker(u8),
}

/// Whether zones are recorded, on all threads together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recording {
    Off,
    On,
}

/// Zones that wait in a ring: about a second of a busy game's. 320 KB.
pub const ZONE_RING_CAPACITY: usize = 8192;

/// A ring of at most `capacity` zones, for one thread.
///
/// A full ring keeps what it holds and loses the new zone; the loss is counted, and the time of what was lost comes in its
/// place, once what came before it has been taken.
#[must_use]
pub fn zone_ring(capacity: usize) -> (ZoneSender, ZoneReceiver) {
    let (producer, consumer) = rtrb::RingBuffer::new(capacity);
    let loss = Arc::new(Loss::default());
    // The first clock of a process is slow to make: here, not inside a zone.
    let sender = ZoneSender { producer, loss: loss.clone(), gap: None };
    (sender, ZoneReceiver { consumer, loss, told: 0, told_early: 0, clock: RealClock::new() })
}

/// Switches all zones on or off. They are on unless somebody switches them off.
pub fn switch(recording: Recording) {
    // Relaxed: a zone that is entered a moment later may still miss it, and nothing else is read because of it.
    ON.store(recording == Recording::On, Ordering::Relaxed);
}

/// Begins a zone that lasts to the end of the block. As a statement: `zone!("name");`.
#[macro_export]
macro_rules! zone {
    ($name:expr) => {
        let _zone = $crate::frame::zones::enter($name);
    };
}

pub use zone;

/// Begins a zone that lasts until the guard is dropped.
#[inline]
#[must_use = "a zone ends where its guard is dropped"]
pub fn enter(name: &'static str) -> ZoneGuard {
    // Relaxed: see `switch`.
    let recorded = ON.load(Ordering::Relaxed) && RECORDED.get();
    let start = recorded.then(|| {
        DEPTH.set(DEPTH.get() + 1);
        RealClock::new().raw()
    });
    ZoneGuard { name, start, on_this_thread: PhantomData }
}

/// A zone that is not over.
#[derive(Debug)]
pub struct ZoneGuard {
    name: &'static str,
    // Of the counter; none where nothing is recorded.
    start: Option<u64>,
    // Its end belongs into the ring of the thread it began on.
    on_this_thread: PhantomData<*const ()>,
}

impl Drop for ZoneGuard {
    #[inline]
    fn drop(&mut self) {
        let Some(start) = self.start else { return };
        let end = RealClock::new().raw();
        let depth = DEPTH.get() - 1;
        DEPTH.set(depth);
        // At the end of its thread the ring may be gone already.
        let _ = SENDER.try_with(|sender| {
            if let Some(sender) = &mut *sender.borrow_mut() {
                sender.send(RawZone { name: self.name, start, end, depth, lost: 0 });
            }
        });
    }
}

/// A zone as it lies in the ring, in ticks of the counter.
#[derive(Clone, Copy, Debug)]
struct RawZone {
    name: &'static str,
    start: u64,
    end: u64,
    depth: u32,
    lost: u32,
}

/// In place of a name.
const LOST: &str = "lost";

static ON: AtomicBool = AtomicBool::new(true);

thread_local! {
    // Beside the sender, because it is asked more often and needs no destructor.
    static RECORDED: Cell<bool> = const { Cell::new(false) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static SENDER: RefCell<Option<ZoneSender>> = const { RefCell::new(None) };
}

/// What was lost, for whoever looks when nothing follows on it in the ring.
#[derive(Debug, Default)]
struct Loss {
    // Since the ring was made.
    zones: AtomicU64,
    // Of what was lost since the last zone in the ring, on the counter.
    since: AtomicU64,
    until: AtomicU64,
}

/// A thread's end of its ring.
#[derive(Debug)]
pub struct ZoneSender {
    producer: rtrb::Producer<RawZone>,
    loss: Arc<Loss>,
    // What was lost since the last zone in the ring.
    gap: Option<RawZone>,
}

impl ZoneSender {
    /// From now to its end, or to the next call, the zones of this thread go into this ring.
    pub fn record_this_thread(self) {
        SENDER.set(Some(self));
        RECORDED.set(true);
    }

    #[inline]
    fn send(&mut self, zone: RawZone) {
        // What was lost comes before what follows on it.
        if (self.gap.is_some() && !self.send_gap()) || self.producer.push(zone).is_err() {
            self.lose(zone);
        }
    }

    /// False: there is still no room.
    #[cold]
    fn send_gap(&mut self) -> bool {
        if let Some(gap) = self.gap
            && self.producer.push(gap).is_ok()
        {
            self.gap = None;
        }
        self.gap.is_none()
    }

    #[cold]
    fn lose(&mut self, zone: RawZone) {
        let gap = self.gap.unwrap_or(RawZone { name: LOST, depth: 0, lost: 0, ..zone });
        // One that others lie in began before them, and ends last.
        let (start, lost) = (gap.start.min(zone.start), gap.lost.saturating_add(1));
        self.gap = Some(RawZone { start, end: zone.end, lost, ..gap });
        // Relaxed: published by the count.
        self.loss.since.store(start, Ordering::Relaxed);
        self.loss.until.store(zone.end, Ordering::Relaxed);
        // Release: whoever sees it counted finds its time in there.
        self.loss.zones.fetch_add(1, Ordering::Release);
    }
}

impl Drop for ZoneSender {
    fn drop(&mut self) {
        self.send_gap();
    }
}

/// The end of whoever looks.
pub struct ZoneReceiver {
    consumer: rtrb::Consumer<RawZone>,
    loss: Arc<Loss>,
    // Lost zones handed over so far, and how many of them before they came through the ring.
    told: u64,
    told_early: u64,
    clock: RealClock,
}

impl ZoneReceiver {
    /// Hands over what is there now, in the order in which zones ended: one that lies in another comes before it.
    /// Returns how many.
    pub fn drain(&mut self, mut sink: impl FnMut(Zone)) -> usize {
        let mut drained = 0;
        for _ in 0..self.consumer.slots() {
            let Ok(zone) = self.consumer.pop() else { break };
            if zone.lost == 0 {
                sink(self.read(zone));
                drained += 1;
            } else {
                let known = self.told_early.min(zone.lost.into());
                self.told_early -= known;
                drained += self.tell(zone, u64::from(zone.lost) - known, &mut sink);
            }
        }
        if self.consumer.is_empty() {
            // A thread that stands still sends nothing that it would come with. Acquire: its time is there.
            let lost = self.loss.zones.load(Ordering::Acquire) - self.told;
            // Relaxed: ordered by the count.
            let (start, end) =
                (self.loss.since.load(Ordering::Relaxed), self.loss.until.load(Ordering::Relaxed));
            drained += self.tell(RawZone { name: LOST, start, end, depth: 0, lost: 0 }, lost, &mut sink);
            self.told_early += lost;
        }
        drained
    }

    /// So many more were lost in this time, if any.
    fn tell(&mut self, gap: RawZone, lost: u64, sink: &mut impl FnMut(Zone)) -> usize {
        if lost == 0 {
            return 0;
        }
        self.told += lost;
        sink(self.read(RawZone { lost: u32::try_from(lost).unwrap_or(u32::MAX), ..gap }));
        1
    }

    fn read(&self, zone: RawZone) -> Zone {
        let RawZone { name, start, end, depth, lost } = zone;
        let (start, end) = (self.clock.time_of(start), self.clock.time_of(end));
        Zone { name, start, duration: end - start, depth, lost }
    }

    /// Zones lost since the ring was made.
    #[must_use]
    pub fn lost(&self) -> u64 {
        // Relaxed: a plain count.
        self.loss.zones.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drained(receiver: &mut ZoneReceiver) -> Vec<Zone> {
        let mut zones = Vec::new();
        receiver.drain(|zone| zones.push(zone));
        zones
    }

    /// On a thread of its own: what a thread records into lasts as long as it does.
    fn on_a_thread(body: impl FnOnce() + Send + 'static) {
        std::thread::spawn(body).join().expect("it ends");
    }

    #[test]
    fn zones_lie_in_each_other_by_time_and_by_depth() {
        let (sender, mut receiver) = zone_ring(8);
        on_a_thread(|| {
            sender.record_this_thread();
            let outer = enter("outer");
            drop(enter("first"));
            drop(enter("second"));
            drop(outer);
        });
        let zones = drained(&mut receiver);
        let shape: Vec<_> = zones.iter().map(|zone| (zone.name, zone.depth)).collect();
        assert_eq!(shape, [("first", 1), ("second", 1), ("outer", 0)]);
        let end = |zone: &Zone| zone.start + zone.duration;
        let [first, second, outer] = zones[..] else { unreachable!("three of them") };
        assert!(outer.start <= first.start && end(&first) <= second.start && end(&second) <= end(&outer));
        assert_eq!(receiver.lost(), 0);
    }

    #[test]
    fn a_full_ring_keeps_the_old_zones_and_counts_the_lost_ones() {
        let (sender, mut receiver) = zone_ring(2);
        on_a_thread(|| {
            sender.record_this_thread();
            for name in ["a", "b", "c", "d", "e"] {
                drop(enter(name));
            }
        });
        let names: Vec<_> = drained(&mut receiver).iter().map(|zone| zone.name).collect();
        assert_eq!((names, receiver.lost()), (vec!["a", "b", "lost"], 3));
    }

    fn raw(name: &'static str, start: u64, end: u64) -> RawZone {
        RawZone { name, start, end, depth: 0, lost: 0 }
    }

    #[test]
    fn what_was_lost_is_handed_over_as_the_time_it_took_even_where_nothing_follows_on_it() {
        let (mut sender, mut receiver) = zone_ring(2);
        let anchor = RealClock::new().raw();
        let at = |ticks: u64| RealClock::new().time_of(anchor + ticks);
        let zone = |name, start, end| raw(name, anchor + start, anchor + end);
        let told = |receiver: &mut ZoneReceiver| {
            let zones = drained(receiver);
            zones.iter().map(|zone| (zone.name, zone.start, zone.start + zone.duration, zone.lost)).collect()
        };
        let (a, b) = (("a", at(1_000), at(2_000), 0), ("b", at(3_000), at(4_000), 0));
        sender.send(zone("a", 1_000, 2_000));
        sender.send(zone("b", 3_000, 4_000));
        // One lies in the other.
        sender.send(zone("inner", 6_000, 7_000));
        sender.send(zone("outer", 5_000, 8_000));
        let first: Vec<_> = told(&mut receiver);
        assert_eq!(first, [a, b, ("lost", at(5_000), at(8_000), 2)]);
        assert_eq!(told(&mut receiver), [], "once");
        // It came early: in the ring it comes again, and is not told again.
        sender.send(zone("c", 9_000, 9_500));
        assert_eq!(told(&mut receiver), [("c", at(9_000), at(9_500), 0)]);
        assert_eq!(receiver.lost(), 2);
    }

    #[test]
    fn every_loss_is_told_once_however_often_one_looks() {
        let (mut sender, mut receiver) = zone_ring(3);
        let (mut zones, mut lost, mut sent) = (0, 0, 0);
        for round in 1..=40_u64 {
            let start = RealClock::new().raw();
            for n in 0..round % 7 {
                sender.send(raw("zone", start + 10 * n, start + 10 * n + 5));
                sent += 1;
            }
            for zone in drained(&mut receiver) {
                zones += u64::from(zone.lost == 0);
                lost += u64::from(zone.lost);
            }
            assert_eq!((zones + lost, lost), (sent, receiver.lost()), "round {round}");
        }
        assert!(lost > 20, "{lost}");
    }

    #[test]
    fn a_thread_without_a_ring_records_nothing_and_another_ones_ring_stays_empty() {
        let (sender, mut receiver) = zone_ring(2);
        on_a_thread(|| drop(enter("nowhere")));
        on_a_thread(|| {
            drop(enter("too early"));
            sender.record_this_thread();
        });
        assert_eq!((drained(&mut receiver), receiver.lost()), (Vec::new(), 0));
    }

    #[test]
    fn a_zone_that_is_left_by_a_panic_is_over() {
        let (sender, mut receiver) = zone_ring(4);
        on_a_thread(|| {
            sender.record_this_thread();
            let panicked = std::panic::catch_unwind(|| {
                zone!("panics");
                std::panic::resume_unwind(Box::new("on purpose"));
            });
            assert!(panicked.is_err());
            zone!("after it");
        });
        let shape: Vec<_> = drained(&mut receiver).iter().map(|zone| (zone.name, zone.depth)).collect();
        assert_eq!(shape, [("panics", 0), ("after it", 0)]);
    }
}
