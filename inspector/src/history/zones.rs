//! The newest zones of each thread, bounded; shared with copies of the history as its frames are.

use framewalk_runtime::frame::zones::{Zone, ZoneThread};
use framewalk_runtime::time::Nanos;

use super::ring::SharedRing;

/// How many zones of each thread are kept: those of some hundred frames, of thirty where a tick is made of many jobs. Older ones
/// go, and their frames stay.
pub const ZONES_KEPT: usize = 8_192;

/// Zones of the threads of all runs, by the time at which they ended.
#[derive(Clone, Debug)]
pub struct Zones {
    sim: SharedRing<Zone>,
    render: SharedRing<Zone>,
    // By number; those of which a zone came.
    workers: Vec<SharedRing<Zone>>,
    // Of the run: zones of sim, render and each worker that never came.
    lost: Lost,
}

#[derive(Clone, Debug, Default)]
struct Lost {
    sim: u64,
    render: u64,
    workers: Vec<u64>,
}

impl Default for Zones {
    fn default() -> Self {
        let (sim, render) = (SharedRing::new(ZONES_KEPT), SharedRing::new(ZONES_KEPT));
        Self { sim, render, workers: Vec::new(), lost: Lost::default() }
    }
}

impl Zones {
    /// What is lost is counted anew.
    pub fn begin_run(&mut self) {
        self.lost = Lost::default();
    }

    /// Zones of a thread come in the order in which they ended.
    pub fn push(&mut self, thread: ZoneThread, zone: Zone) {
        let (ring, lost) = match thread {
            ZoneThread::Sim => (&mut self.sim, &mut self.lost.sim),
            ZoneThread::Render => (&mut self.render, &mut self.lost.render),
            ZoneThread::Worker(number) => {
                let number = usize::from(number);
                while self.workers.len() <= number {
                    self.workers.push(SharedRing::new(ZONES_KEPT));
                }
                if self.lost.workers.len() <= number {
                    self.lost.workers.resize(number + 1, 0);
                }
                (&mut self.workers[number], &mut self.lost.workers[number])
            }
        };
        *lost += u64::from(zone.lost);
        ring.push(zone);
    }

    /// Zones of this thread that its ring had no room for, of the newest run.
    #[must_use]
    pub fn lost(&self, thread: ZoneThread) -> u64 {
        match thread {
            ZoneThread::Sim => self.lost.sim,
            ZoneThread::Render => self.lost.render,
            ZoneThread::Worker(number) => {
                self.lost.workers.get(usize::from(number)).copied().unwrap_or_default()
            }
        }
    }

    /// Zones of this thread that ended before then are kept no more; none while all are.
    #[must_use]
    pub fn kept_from(&self, thread: ZoneThread) -> Option<Nanos> {
        let zones = self.of(thread).filter(|zones| zones.first() > 0)?;
        zones.get(zones.first()).map(ended)
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
        // What lies in no other zone begins in the order in which it ends; what is lost may lie in one.
        (first..next)
            .map_while(get)
            .take_while(move |zone| zone.depth > 0 || zone.lost > 0 || zone.start <= to)
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
