//! The newest zones of each thread, bounded; shared with copies of the history as its frames are.

use framewalk_runtime::frame::zones::{Zone, ZoneThread};
use framewalk_runtime::time::Nanos;

use super::ring::SharedRing;

/// How many zones of each thread are kept: those of some hundred frames. Older ones go, and their frames stay.
pub const ZONES_KEPT: usize = 8_192;

/// Zones of the threads of all runs, by the time at which they ended.
#[derive(Clone, Debug)]
pub struct Zones {
    sim: SharedRing<Zone>,
    render: SharedRing<Zone>,
    // By number; those of which a zone came.
    workers: Vec<SharedRing<Zone>>,
}

impl Default for Zones {
    fn default() -> Self {
        Self { sim: SharedRing::new(ZONES_KEPT), render: SharedRing::new(ZONES_KEPT), workers: Vec::new() }
    }
}

impl Zones {
    /// Zones of a thread come in the order in which they ended.
    pub fn push(&mut self, thread: ZoneThread, zone: Zone) {
        match thread {
            ZoneThread::Sim => self.sim.push(zone),
            ZoneThread::Render => self.render.push(zone),
            ZoneThread::Worker(number) => {
                let number = usize::from(number);
                while self.workers.len() <= number {
                    self.workers.push(SharedRing::new(ZONES_KEPT));
                }
                self.workers[number].push(zone);
            }
        }
    }

    /// One more than the highest number of a worker of which a zone ever came.
    #[must_use]
    pub fn workers(&self) -> u8 {
        self.workers.len().min(usize::from(u8::MAX)) as u8
    }

    /// Those of a thread of which some part lies between two times, in the order in which they ended.
    pub fn within(&self, thread: ZoneThread, from: Nanos, to: Nanos) -> impl Iterator<Item = &Zone> {
        let zones = self.of(thread);
        let get = move |index| zones.and_then(|zones| zones.get(index));
        let next = zones.map_or(0, SharedRing::next);
        let (mut first, mut end) = (zones.map_or(0, SharedRing::first), next);
        while first < end {
            let middle = first + (end - first) / 2;
            if get(middle).is_some_and(|zone| ended(zone) < from) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        // What lies in no other zone begins in the order in which it ends.
        (first..next)
            .map_while(get)
            .take_while(move |zone| zone.depth > 0 || zone.start <= to)
            .filter(move |zone| zone.start <= to)
    }

    /// Bytes taken for zones, shared with copies or not.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.rings().map(SharedRing::bytes).sum()
    }

    /// Bytes that no copy shares.
    #[must_use]
    pub fn own_bytes(&self) -> usize {
        self.rings().map(SharedRing::own_bytes).sum()
    }

    fn rings(&self) -> impl Iterator<Item = &SharedRing<Zone>> {
        [&self.sim, &self.render].into_iter().chain(&self.workers)
    }

    fn of(&self, thread: ZoneThread) -> Option<&SharedRing<Zone>> {
        match thread {
            ZoneThread::Sim => Some(&self.sim),
            ZoneThread::Render => Some(&self.render),
            ZoneThread::Worker(number) => self.workers.get(usize::from(number)),
        }
    }
}

fn ended(zone: &Zone) -> Nanos {
    Nanos(zone.start.0.saturating_add(zone.duration.0))
}
