//! A run in real time on the calling thread, its frames rendered on a render thread.

use super::control::guarded;
use super::observe::{ObservationReceiver, Observed, observations};
use super::{Control, Next, RunFailure, RunSettings, RunState, Sim};
use crate::frame::core::{FrameError, LOCKSTEP_PATIENCE};
use crate::frame::record::{Flight, FrameRecord, HandoffCounts, MOST_OBSERVERS, Presented};
use crate::frame::recorder::{RECORD_RING_CAPACITY, RecordReceiver, record_ring};
use crate::frame::zones::{ZONE_RING_CAPACITY, ZoneReceiver, zone_ring};
use crate::handoff::{FrameDescriptor, FrameObserver, HandoffEnds, HandoffStats, observed_handoffs};
use crate::jobs::{Helping, Jobs, Queue, Workers};
use crate::render::thread::{RenderThread, RenderThreadOptions, StartError};
use crate::render::{Attention, BatchFigures, Finished, RenderError, Renderer, Room};
use crate::scene::Scene;
use crate::snapshot::Snapshot;
use crate::time::Nanos;
use crate::time::pacer::{Pacer, Pacing, Woken};
use crate::time::source::{RealClock, TimeSource};
use crate::world::WorldError;

/// How a run in real time is set up.
#[derive(Clone, Copy, Debug)]
pub struct PacedOptions {
    /// Time every frame's submit takes at least.
    pub render_cost: Nanos,
    /// How the sim thread meets its deadlines.
    pub pacing: Pacing,
    /// How the render thread meets its own, and waits for frames whose time it knows; relaxed where it is
    /// [kept on the core](crate::jobs::thread::Placement) of the sim thread.
    pub render_pacing: Pacing,
    /// So many readers of the lockstep beside the render thread, at most [`MOST_OBSERVERS`]: [`RenderSide::observers`].
    pub observers: usize,
    /// Lockstep: the longest that either side waits for the other, running time only.
    pub patience: Nanos,
    /// Whether somebody looks into the running world, by the [`ObservationReceiver`]. By default nobody does, and no frame
    /// pays for it.
    pub observed: Observed,
}

impl Default for PacedOptions {
    fn default() -> Self {
        Self {
            render_cost: Nanos::ZERO,
            pacing: Pacing::default(),
            render_pacing: Pacing::default(),
            observers: 0,
            patience: LOCKSTEP_PATIENCE,
            observed: Observed::No,
        }
    }
}

/// Why a run did not start.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    #[error(transparent)]
    World(#[from] WorldError),
    #[error(transparent)]
    Thread(#[from] StartError),
    #[error(
        "{asked} observers were asked for: {MOST_OBSERVERS} at most can meet with the simulation and the renderer"
    )]
    TooManyObservers { asked: usize },
}

/// The render thread's side of a run in real time, for whoever owns it.
pub struct RenderSide {
    pub thread: RenderThread,
    pub records: RecordReceiver,
    pub stats: HandoffStats,
    /// As many as were asked for, each to be moved to a thread of its own: the simulation waits for them in lockstep.
    pub observers: Vec<FrameObserver<Snapshot>>,
    /// Who does not look drops it.
    pub zones: ZoneReceiver,
}

/// How one wait or frame ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A frame ran, or in the free handoff an update between two.
    Frame,
    /// `interrupted` answered true before the frame was due.
    Interrupted,
}

/// The sim's side: waits for deadlines and runs frames on the calling thread.
pub struct PacedRun {
    sim: Sim,
    clock: RealClock,
    pacer: Pacer,
    failure: Option<RunFailure>,
    worker_zones: Vec<ZoneReceiver>,
    // Joined after all that hands jobs over is gone.
    workers: Option<Workers>,
}

impl PacedRun {
    /// Starts the render thread and makes the run; its first frame is due at once. Nothing ever comes to the receiver of a
    /// run that was not to be observed.
    ///
    /// # Errors
    /// A scene that cannot run, or a thread that does not start.
    pub fn start(
        scene: &Scene,
        settings: &RunSettings,
        renderer: Box<dyn Renderer<Snapshot>>,
        options: PacedOptions,
    ) -> Result<(Self, RenderSide, ObservationReceiver), PlayError> {
        let clock = RealClock::new();
        let asked = options.observers;
        let HandoffEnds { producer, consumer, observers, stats } =
            observed_handoffs(settings.handoff, asked).map_err(|_| PlayError::TooManyObservers { asked })?;
        let mut sim = Sim::new(scene, settings, producer, clock.now())?;
        sim.core_mut().set_patience(options.patience);
        let (sender, receiver) = observations();
        if options.observed == Observed::Yes {
            sim.set_observations(sender);
        }
        let (record_sender, records) = record_ring(RECORD_RING_CAPACITY);
        let (zone_sender, zones) = zone_ring(ZONE_RING_CAPACITY);
        let renderer = Box::new(Loaded { renderer, clock: clock.clone() });
        let (mut workers, mut worker_zones) = (None, Vec::new());
        if settings.workers.are_any() {
            let (started, zones) = Workers::start_recorded(&settings.workers)
                .map_err(|source| StartError { name: "worker".to_owned(), source })?;
            sim.core_mut().set_jobs(Some(started.jobs().clone()));
            sim.core_mut().note_waits(started.jobs());
            (workers, worker_zones) = (Some(started), zones);
        }
        let helped = workers.as_ref().map(Workers::jobs).filter(|_| settings.workers.waiting_help);
        sim.core_mut().set_helping(helped.map(|jobs| Helping::new(jobs, Queue::Logic)));
        let placement = &settings.workers.placement;
        // On the core of the simulation a spin would hold up the very frame that is waited for.
        let pacing = if placement.is_shared_with_sim() { Pacing::Relaxed } else { options.render_pacing };
        let thread = RenderThread::start(
            consumer,
            renderer,
            clock.clone(),
            RenderThreadOptions {
                name: "render".to_owned(),
                run: settings.run,
                submit_cost: options.render_cost,
                redraw_after: None,
                pacing,
                patience: options.patience,
                records: record_sender,
                zones: Some(zone_sender),
                jobs: helped.cloned(),
                seat: placement.of_render(),
            },
        )?;
        let pacer = Pacer::new(options.pacing);
        let run = Self { sim, clock, pacer, failure: None, worker_zones, workers };
        Ok((run, RenderSide { thread, records, stats, observers, zones }, receiver))
    }

    /// Waits for the next frame's deadline and runs it, or comes back early when `interrupted` answers true.
    ///
    /// # Errors
    /// A fault ended the run.
    pub fn wait_and_run(&mut self, interrupted: impl Fn() -> bool) -> Result<Step, RunFailure> {
        let now = self.clock.now();
        let (arrived, woken) = match self.sim.next() {
            Next::Now => (now, now),
            Next::Idle => {
                Pacer::stand_by(&interrupted, self.sim.core_mut().helping_mut());
                return Ok(Step::Interrupted);
            }
            Next::At(deadline) => {
                // A control in the middle of a wait is done and waited on from: the frame does not arrive anew by that.
                let arrived = self.sim.arrive(now);
                let helping = self.sim.core_mut().helping_mut();
                match self.pacer.wait_until_by(&self.clock, deadline, &interrupted, helping) {
                    Woken::Early => return Ok(Step::Interrupted),
                    Woken::Deadline { .. } => (arrived, self.clock.now()),
                }
            }
        };
        if let Some(jobs) = self.jobs() {
            jobs.help_is_for_this_thread();
        }
        self.guarded(|sim, clock| sim.run_frame(arrived, woken, clock))?;
        Ok(Step::Frame)
    }

    /// Does what is asked, at once.
    ///
    /// # Errors
    /// A fault ended the run.
    pub fn control(&mut self, control: Control) -> Result<(), RunFailure> {
        self.guarded(|sim, clock| sim.apply(control, clock))
    }

    /// No frame follows: what is published is drawn, and then everything stands.
    pub fn end(&mut self) {
        let now = self.clock.now();
        self.sim.core_mut().end(now);
    }

    /// Records of the frames finished since the last call.
    pub fn drain_frames(&mut self) -> std::vec::Drain<'_, FrameRecord> {
        self.sim.drain_finished()
    }

    /// The way to whoever runs the run's jobs, and their figures; `None` where there are none.
    #[must_use]
    pub fn jobs(&self) -> Option<&Jobs> {
        self.workers.as_ref().map(Workers::jobs)
    }

    /// The zones of each worker, once, for whoever looks at them.
    pub fn take_worker_zones(&mut self) -> Vec<ZoneReceiver> {
        std::mem::take(&mut self.worker_zones)
    }

    #[must_use]
    pub fn counts(&self) -> HandoffCounts {
        self.sim.core().producer().stats()
    }

    #[must_use]
    pub fn state(&self) -> RunState {
        if self.failure.is_some() { RunState::Failed } else { self.sim.state() }
    }

    #[must_use]
    pub const fn sim(&self) -> &Sim {
        &self.sim
    }

    pub const fn sim_mut(&mut self) -> &mut Sim {
        &mut self.sim
    }

    #[must_use]
    pub const fn clock(&self) -> &RealClock {
        &self.clock
    }

    fn guarded(
        &mut self,
        work: impl FnOnce(&mut Sim, &mut RealClock) -> Result<(), FrameError>,
    ) -> Result<(), RunFailure> {
        // The render thread tells its own failures.
        guarded(&mut self.failure, &mut self.sim, &mut self.clock, work, |_| None)
    }
}

/// Burns the scene's submit load on the render thread, after the real submit.
struct Loaded {
    renderer: Box<dyn Renderer<Snapshot>>,
    clock: RealClock,
}

impl Renderer<Snapshot> for Loaded {
    fn on_start(&mut self) {
        self.renderer.on_start();
    }

    fn on_stop(&mut self) {
        self.renderer.on_stop();
    }

    fn batch(&mut self, frame: &FrameDescriptor, snapshot: &Snapshot) -> Result<BatchFigures, RenderError> {
        self.renderer.batch(frame, snapshot)
    }

    fn submit(&mut self, frame: &FrameDescriptor, snapshot: &Snapshot) -> Result<(), RenderError> {
        self.renderer.submit(frame, snapshot)?;
        self.clock.spend(snapshot.submit_load);
        Ok(())
    }

    fn room(&mut self) -> Room {
        self.renderer.room()
    }

    fn under_way(&self) -> usize {
        self.renderer.under_way()
    }

    fn take_finished(&mut self) -> Option<Finished> {
        self.renderer.take_finished()
    }

    fn settle(&mut self) {
        self.renderer.settle();
    }

    fn flight(&self) -> Flight {
        self.renderer.flight()
    }

    fn gpu_time(&self) -> Option<Nanos> {
        self.renderer.gpu_time()
    }

    fn presented(&self) -> Option<Presented> {
        self.renderer.presented()
    }

    fn redraw(&mut self, snapshot: &Snapshot) -> Result<bool, RenderError> {
        self.renderer.redraw(snapshot)
    }

    fn view_changed(&mut self) -> bool {
        self.renderer.view_changed()
    }

    fn attend(&mut self) -> Attention {
        self.renderer.attend()
    }
}
