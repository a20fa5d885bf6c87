//! The sim thread: a loop around a [`PacedRun`], fed by a bounded queue of controls.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::observe::{Observation, ObservationReceiver};
use super::observers::Sightings;
use super::observers::thread::{Observers, Reading};
use super::paced::{PacedOptions, PacedRun, PlayError, RenderSide};
use super::{Control, RunFailure, RunSettings, RunState, Sim};
use crate::frame::record::HandoffCounts;
use crate::frame::recorder::{
    RECORD_RING_CAPACITY, RecordReceiver, RecordSender, RuntimeRecord, record_ring,
};
use crate::frame::stage::Stage;
use crate::frame::zones::{ZONE_RING_CAPACITY, Zone, ZoneReceiver, ZoneSender, ZoneThread, zone_ring};
use crate::handoff::FrameObserver;
use crate::jobs::Jobs;
use crate::jobs::seating::{Seat, Seating};
use crate::joining::{Joinable, LeftThread};
use crate::render::Renderer;
use crate::render::thread::StartError;
use crate::scene::Scene;
use crate::snapshot::Snapshot;
use crate::time::{FrameIndex, Tick};

/// Controls that fit the queue; more wait on the sender's side, in order.
pub const CONTROL_CAPACITY: usize = 256;

/// Longest that [`LiveRun::stop`] waits for each of the two threads.
pub const STOP_PATIENCE: Duration = Duration::from_millis(100);

/// A run on threads of its own, and the handle to it.
pub struct LiveRun {
    controls: rtrb::Producer<Control>,
    backlog: VecDeque<Control>,
    // How many controls were handed over, and how many of them the sim thread has done.
    sent: Sent,
    done: Arc<Done>,
    state: Arc<SharedState>,
    stopping: Arc<AtomicBool>,
    failure: Arc<OnceLock<RunFailure>>,
    hash: Arc<OnceLock<u64>>,
    // None once it has been joined or left.
    sim: Option<Joinable>,
    frames: RecordReceiver,
    zones: ZoneReceiver,
    worker_zones: Vec<ZoneReceiver>,
    jobs: Option<Jobs>,
    render: RenderSide,
    observers: Observers,
    observations: ObservationReceiver,
    seating: Option<Seating>,
}

impl LiveRun {
    /// Starts the render thread, then the sim thread; frame 1 runs at once.
    ///
    /// # Errors
    /// A scene that cannot run, or a thread that does not start.
    pub fn start(
        scene: &Scene,
        settings: &RunSettings,
        renderer: Box<dyn Renderer<Snapshot>>,
        options: PacedOptions,
    ) -> Result<Self, PlayError> {
        Self::start_with(scene, settings, renderer, options, |_| {})
    }

    /// As [`LiveRun::start`]; `prepare` may give the run an application's code or a stage hook before frame 1.
    ///
    /// # Errors
    /// A scene that cannot run, or a thread that does not start.
    pub fn start_with(
        scene: &Scene,
        settings: &RunSettings,
        renderer: Box<dyn Renderer<Snapshot>>,
        options: PacedOptions,
        prepare: impl FnOnce(&mut Sim),
    ) -> Result<Self, PlayError> {
        let (mut run, render, observations) = PacedRun::start(scene, settings, renderer, options)?;
        prepare(run.sim_mut());
        let (jobs, worker_zones) = (run.jobs().cloned(), run.take_worker_zones());
        let (controls, queue) = rtrb::RingBuffer::new(CONTROL_CAPACITY);
        let (records, frames) = record_ring(2 * RECORD_RING_CAPACITY);
        let (zone_sender, zones) = zone_ring(ZONE_RING_CAPACITY);
        let stopping = Arc::new(AtomicBool::new(false));
        let failure = Arc::new(OnceLock::new());
        let hash = Arc::new(OnceLock::new());
        let done = Arc::new(Done::default());
        let state = Arc::new(SharedState::new(run.state()));
        let sim_loop = SimLoop {
            run,
            queue,
            records,
            zones: Some(zone_sender),
            done: done.clone(),
            state: state.clone(),
            stopping: stopping.clone(),
            failure: failure.clone(),
            hash: hash.clone(),
            seat: settings.workers.placement.of_sim(),
        };
        let sim = Joinable::spawn(std::thread::Builder::new(), "sim", move || sim_loop.run())
            .map_err(|source| StartError { name: "sim".to_owned(), source })?;
        Ok(Self {
            controls,
            backlog: VecDeque::new(),
            sent: Sent::default(),
            done,
            state,
            stopping,
            failure,
            hash,
            sim: Some(sim),
            frames,
            zones,
            worker_zones,
            jobs,
            render,
            observers: Observers::default(),
            observations,
            seating: settings.workers.placement.seating().cloned(),
        })
    }

    /// The seats of its threads, where each was to stay on a core of its own.
    #[must_use]
    pub const fn seating(&self) -> Option<&Seating> {
        self.seating.as_ref()
    }

    /// Hands a control over; where the queue is full it waits here and goes with the next call, never lost. Where nobody
    /// takes controls any more it is refused: dropped and counted, see [`LiveRun::refused`].
    pub fn control(&mut self, control: Control) {
        self.sent.count(&control);
        self.backlog.push_back(control);
        self.flush();
    }

    /// A control has been handed over and the sim thread has not done it yet, but will. Where it has, the records of the
    /// frames up to then have arrived.
    #[must_use]
    pub fn awaits_answer(&self) -> bool {
        // Acquire: the records sent before it are seen.
        !self.takes_no_controls() && self.sent.all > self.done.all.load(Ordering::Acquire)
    }

    /// Controls that nobody does any more, since a fault or a Stop ended the run before their turn came;
    /// [`LiveRun::failure`] says why. Only what somebody [asked for](Control::is_asked_for): the game's input is none.
    #[must_use]
    pub fn refused(&self) -> u64 {
        // Acquire: as above.
        if self.takes_no_controls() {
            self.sent.asked_for - self.done.asked_for.load(Ordering::Acquire)
        } else {
            0
        }
    }

    /// Controls that wait here for room in the queue; none where they are refused.
    #[must_use]
    pub fn backlog(&self) -> usize {
        self.backlog.len()
    }

    /// The sim thread has ended, or was told to: what is in the queue stays there.
    fn takes_no_controls(&self) -> bool {
        // Each of the first two is set by that thread after the last control it does.
        self.failure.get().is_some()
            || self.hash.get().is_some()
            || self.controls.is_abandoned()
            || self.sim.is_none()
    }

    /// Passes every record that has arrived to `sink`, and hands over controls that waited.
    pub fn poll(&mut self, mut sink: impl FnMut(RuntimeRecord)) {
        self.flush();
        self.frames.drain(&mut sink);
        self.render.records.drain(&mut sink);
    }

    /// The observers that were asked for, once: each to be moved to a thread of its own.
    pub fn take_observers(&mut self) -> Vec<FrameObserver<Snapshot>> {
        std::mem::take(&mut self.render.observers)
    }

    /// Moves each of the observers that were asked for to a thread of its own, which ends with the run; `reading` says what
    /// it does with a frame, by its number from 0. Until then nobody comes to a meeting of the lockstep for them.
    ///
    /// # Errors
    /// A thread does not start.
    pub fn start_observers(&mut self, reading: impl FnMut(usize) -> Reading) -> Result<(), StartError> {
        self.observers = Observers::start(self.take_observers(), reading)?;
        Ok(())
    }

    /// What each observer saw that has a thread here and has ended.
    #[must_use]
    pub fn sightings(&self) -> Vec<Sightings> {
        self.observers.sightings()
    }

    /// Meetings of the lockstep so far: each published a frame.
    #[must_use]
    pub fn meetings(&self) -> u64 {
        self.render.stats.meetings()
    }

    /// How often the render thread has waited without sleep.
    #[must_use]
    pub fn render_spins(&self) -> u64 {
        self.render.thread.spins()
    }

    /// The way to whoever runs the run's jobs, and their figures; `None` where there are none.
    #[must_use]
    pub const fn jobs(&self) -> Option<&Jobs> {
        self.jobs.as_ref()
    }

    /// Passes every zone that has ended on any thread to `sink`; of one thread in the order in which they ended.
    pub fn poll_zones(&mut self, mut sink: impl FnMut(ZoneThread, Zone)) {
        self.zones.drain(|zone| sink(ZoneThread::Sim, zone));
        self.render.zones.drain(|zone| sink(ZoneThread::Render, zone));
        for (number, zones) in self.worker_zones.iter_mut().enumerate() {
            zones.drain(|zone| sink(ZoneThread::Worker(number as u8), zone));
        }
    }

    /// Zones lost to full rings, all threads together.
    #[must_use]
    pub fn zones_lost(&self) -> u64 {
        let workers: u64 = self.worker_zones.iter().map(ZoneReceiver::lost).sum();
        self.zones.lost() + self.render.zones.lost() + workers
    }

    /// The newest observation; an empty one where the run is [not observed](PacedOptions::observed).
    pub fn observation(&mut self) -> &Observation {
        self.observations.refresh();
        self.observations.current()
    }

    /// The observation taken last, without looking for a newer one.
    #[must_use]
    pub fn last_observation(&self) -> &Observation {
        self.observations.current()
    }

    /// One consistent cut of the handoff.
    #[must_use]
    pub fn counts(&self) -> HandoffCounts {
        self.render.stats.counts()
    }

    /// How often the last snapshot was drawn again for another view.
    #[must_use]
    pub fn redraws(&self) -> u64 {
        self.render.thread.redraws()
    }

    /// Records lost to full rings, both threads together.
    #[must_use]
    pub fn records_lost(&self) -> u64 {
        self.frames.lost() + self.render.records.lost()
    }

    /// Why the run ended, if a fault ended it.
    #[must_use]
    pub fn failure(&self) -> Option<RunFailure> {
        // Where the render thread died, the sim only found the slot closed: the cause is said, not the consequence.
        if let Some(message) = self.render.thread.failure() {
            let failed = self.render.thread.failed_frame();
            let (frame, tick) = failed.map_or((FrameIndex(0), Tick(0)), |failed| (failed.frame, failed.tick));
            return Some(RunFailure { thread: "render", frame, tick, stage: None, message });
        }
        // So with an observer: the sim only found it gone.
        self.observers.failure().or_else(|| self.failure.get().cloned())
    }

    /// Of the world as [`Control::Stop`] left it; `None` before, and after a fault.
    #[must_use]
    pub fn state_hash(&self) -> Option<u64> {
        self.hash.get().copied()
    }

    /// As the sim thread left it after the last frame or control.
    #[must_use]
    pub fn state(&self) -> RunState {
        if self.failure().is_some() { RunState::Failed } else { self.state.load() }
    }

    /// A view changed: the render thread looks whether it must draw again.
    pub fn wake_renderer(&self) {
        self.render.thread.wake();
    }

    /// Ends the run in order: the sim thread stops and joins, then the render thread, then observers. Idempotent.
    ///
    /// It waits [`STOP_PATIENCE`] for each of them at most. A thread that is in the middle of something longer, such
    /// as a tick that never ends, is left to itself and handed out; it stops when that ends, and publishes nothing.
    pub fn stop(&mut self) -> Vec<LeftThread> {
        self.stopping.store(true, Ordering::Release);
        // It may wait for the renderer, which may be in the middle of something long.
        self.render.stats.release();
        let mut left = Vec::new();
        if let Some(sim) = self.sim.take() {
            sim.thread().unpark();
            // A panic in it has been caught and kept as the failure.
            left.extend(sim.join_within(STOP_PATIENCE).err());
        }
        left.extend(self.render.thread.shutdown_within(STOP_PATIENCE));
        left.extend(self.observers.join_within(STOP_PATIENCE));
        left
    }

    fn flush(&mut self) {
        if self.takes_no_controls() {
            // Counted in `sent`. Whoever goes on asking costs no memory.
            self.backlog = VecDeque::new();
            return;
        }
        let mut pushed = false;
        while let Some(control) = self.backlog.pop_front() {
            if let Err(rtrb::PushError::Full(control)) = self.controls.push(control) {
                self.backlog.push_front(control);
                break;
            }
            pushed = true;
        }
        if let (true, Some(sim)) = (pushed, &self.sim) {
            sim.thread().unpark();
        }
    }
}

impl Drop for LiveRun {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Controls that were handed over.
#[derive(Clone, Copy, Debug, Default)]
struct Sent {
    all: u64,
    // Of those, what somebody asked for.
    asked_for: u64,
}

impl Sent {
    fn count(&mut self, control: &Control) {
        self.all += 1;
        self.asked_for += u64::from(control.is_asked_for());
    }
}

/// Of those, what the sim thread has done. It alone writes.
#[derive(Debug, Default)]
struct Done {
    all: AtomicU64,
    asked_for: AtomicU64,
}

impl Done {
    // Release: with it all that was sent until now is seen.
    fn add(&self, done: Sent) {
        self.asked_for.fetch_add(done.asked_for, Ordering::Release);
        self.all.fetch_add(done.all, Ordering::Release);
    }
}

/// What a run is doing, told from its own thread to any other.
struct SharedState(AtomicU8);

impl SharedState {
    fn new(state: RunState) -> Self {
        Self(AtomicU8::new(Self::code(state)))
    }

    fn store(&self, state: RunState) {
        // Relaxed: nothing else is concluded from it. Who waits for a control to be done asks `done`.
        self.0.store(Self::code(state), Ordering::Relaxed);
    }

    fn load(&self) -> RunState {
        // Relaxed: see `store`.
        match self.0.load(Ordering::Relaxed) {
            0 => RunState::Running,
            1 => RunState::Paused,
            2 => RunState::Failed,
            3 => RunState::Stopped,
            open => RunState::FrameOpen { next: Stage::ALL[usize::from(open - Self::FIRST_OPEN)] },
        }
    }

    const FIRST_OPEN: u8 = 4;

    const fn code(state: RunState) -> u8 {
        match state {
            RunState::Running => 0,
            RunState::Paused => 1,
            RunState::Failed => 2,
            RunState::Stopped => 3,
            RunState::FrameOpen { next } => Self::FIRST_OPEN + next.index() as u8,
        }
    }
}

struct SimLoop {
    run: PacedRun,
    queue: rtrb::Consumer<Control>,
    records: RecordSender,
    // None once they are recorded.
    zones: Option<ZoneSender>,
    done: Arc<Done>,
    state: Arc<SharedState>,
    // Release by the handle before its unpark, Acquire here: what was sent before Stop is seen.
    stopping: Arc<AtomicBool>,
    failure: Arc<OnceLock<RunFailure>>,
    hash: Arc<OnceLock<u64>>,
    seat: Option<Seat>,
}

impl SimLoop {
    fn run(mut self) {
        tracing::info!(target: "framewalk", thread = "sim", "thread_started");
        let _stays = self.seat.take().and_then(|seat| seat.take("sim"));
        if let Some(zones) = self.zones.take() {
            zones.record_this_thread();
        }
        while !self.stopping.load(Ordering::Acquire) {
            if let Err(failure) = self.turn() {
                // Left behind by a Stop that did not wait: that the slot is closed by now is no fault.
                if self.stopping.load(Ordering::Acquire) {
                    break;
                }
                tracing::error!(target: "framewalk", %failure, "run_failed");
                // Set once: the first fault is the one that ended the run.
                let _ = self.failure.set(failure);
                break;
            }
            if self.run.state() == RunState::Stopped {
                // Set once: nothing moves this world any more.
                let _ = self.hash.set(self.run.sim().core().world().state_hash());
                break;
            }
        }
        tracing::info!(target: "framewalk", thread = "sim", "thread_stopped");
    }

    /// One control, or one frame.
    fn turn(&mut self) -> Result<(), RunFailure> {
        let control = self.queue.pop().ok();
        let mut done = Sent::default();
        let outcome = if let Some(control) = control {
            done.count(&control);
            self.run.control(control)
        } else {
            let (queue, stopping) = (&self.queue, &self.stopping);
            self.run.wait_and_run(|| !queue.is_empty() || stopping.load(Ordering::Acquire)).map(|_| ())
        };
        for record in self.run.drain_frames() {
            self.records.send(RuntimeRecord::Frame(record));
        }
        self.state.store(self.run.state());
        self.done.add(done);
        outcome
    }
}
