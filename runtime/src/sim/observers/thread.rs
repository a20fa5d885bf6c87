//! The threads of the observers: each a loop around one look at the frame that was just published.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::{Looks, Sight, Sightings, compare_last};
use crate::frame::record::MOST_OBSERVERS;
use crate::handoff::{FrameDescriptor, FrameObserver};
use crate::joining::{Joinable, LeftThread};
use crate::render::guarded::panic_message;
use crate::render::thread::StartError;
use crate::sim::RunFailure;
use crate::snapshot::Snapshot;
use crate::time::Nanos;
use crate::time::source::{RealClock, TimeSource};

/// What the threads are called.
const NAMES: [&str; MOST_OBSERVERS] =
    ["observer 1", "observer 2", "observer 3", "observer 4", "observer 5", "observer 6"];

/// What an observer does with each frame, between two looks at all of it. The simulation and the renderer wait for that.
pub type Reading = Box<dyn FnMut(&FrameDescriptor, &Snapshot) + Send>;

/// Keeps a core busy for so long with each frame; the two looks come to that.
#[must_use]
pub fn busy_for(cost: Nanos) -> Reading {
    let mut clock = RealClock::new();
    Box::new(move |_, _| clock.spend(cost))
}

/// The observers of a run, each on a thread of its own. They end when the run does: once it is over, or the handoff was
/// told to let everybody go, they can be joined.
#[derive(Default)]
pub struct Observers {
    threads: Vec<Observing>,
}

struct Observing {
    // None once it has been joined or left.
    thread: Option<Joinable>,
    told: Arc<OnceLock<Told>>,
}

/// What is known of an observer once it has ended.
struct Told {
    looks: Looks,
    failure: Option<RunFailure>,
}

impl Observers {
    /// Starts them; `reading` says what each does with a frame, by its number from 0.
    ///
    /// # Errors
    /// A thread does not start. The run fails then, for its observers are gone.
    pub fn start(
        observers: Vec<FrameObserver<Snapshot>>,
        mut reading: impl FnMut(usize) -> Reading,
    ) -> Result<Self, StartError> {
        let mut threads = Vec::new();
        for observer in observers {
            let told = Arc::new(OnceLock::new());
            let (number, tells) = (observer.number(), told.clone());
            let (name, reading) = (NAMES[number], reading(number));
            let thread = Joinable::spawn(std::thread::Builder::new(), name, move || {
                observe(observer, reading, name, &tells);
            })
            .map_err(|source| StartError { name: name.to_owned(), source })?;
            threads.push(Observing { thread: Some(thread), told });
        }
        Ok(Self { threads })
    }

    /// Waits until all of them have ended, as long as it takes.
    pub fn join(&mut self) {
        for observing in &mut self.threads {
            if let Some(thread) = observing.thread.take() {
                // A panic in it has been caught and kept.
                let _ = thread.join();
            }
        }
    }

    /// As [`Observers::join`], but waits so long at most for each; hands out those that have not ended.
    pub fn join_within(&mut self, patience: Duration) -> Vec<LeftThread> {
        let threads = self.threads.iter_mut().filter_map(|observing| observing.thread.take());
        threads.filter_map(|thread| thread.join_within(patience).err()).collect()
    }

    /// What each of those that have ended saw.
    #[must_use]
    pub fn sightings(&self) -> Vec<Sightings> {
        let told = self.threads.iter().filter_map(|observing| observing.told.get());
        let mut all: Vec<Looks> = told.map(|told| told.looks).collect();
        compare_last(&mut all);
        all.into_iter().map(|looks| looks.seen).collect()
    }

    /// The first that panicked, and over which frame. It is known before anybody is let go because of it.
    #[must_use]
    pub fn failure(&self) -> Option<RunFailure> {
        self.threads.iter().find_map(|observing| observing.told.get()?.failure.clone())
    }
}

fn observe(
    mut observer: FrameObserver<Snapshot>,
    reading: Reading,
    name: &'static str,
    tells: &OnceLock<Told>,
) {
    tracing::info!(target: "framewalk", thread = name, "thread_started");
    let mut looks = Looks::default();
    let mut frame = FrameDescriptor::default();
    let ended = catch_unwind(AssertUnwindSafe(|| {
        let mut reading = reading;
        // Where a meeting comes about no more, the run is over.
        while let Ok(met) = observer.meet(None) {
            frame = met;
            look(&mut observer, &frame, &mut looks, &mut reading);
        }
    }));
    let failure = ended.err().map(|payload| RunFailure {
        thread: name,
        frame: frame.frame,
        tick: frame.tick,
        stage: None,
        message: format!("panicked: {}", panic_message(&*payload)),
    });
    // Set once, by this thread alone.
    let _ = tells.set(Told { looks, failure });
    tracing::info!(target: "framewalk", thread = name, "thread_stopped");
    // Last: by this the others are let go, and ask why.
    drop(observer);
}

/// Reads a frame from its beginning to its end, and holds the one before against what the first observer saw of it.
fn look(
    observer: &mut FrameObserver<Snapshot>,
    frame: &FrameDescriptor,
    looks: &mut Looks,
    reading: &mut Reading,
) {
    if let Some(first) = observer.said(0) {
        looks.compare(first);
    }
    let snapshot = observer.snapshot();
    let begin = Sight::of(frame, snapshot);
    reading(frame, snapshot);
    let end = Sight::of(frame, snapshot);
    observer.say(end.hash);
    looks.add(frame.frame, begin, end);
}
