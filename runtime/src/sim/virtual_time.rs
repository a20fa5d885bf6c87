//! A run on a manual clock and on one thread: the same Sim, handoff and renderer, in the same order every time.
//!
//! Only `load` components and the render cost take time, by moving the clock. Render events that fall inside a load
//! happen as the clock passes them; at equal times render-done comes before take, and take before publish. In lockstep a
//! frame moves the clock on until the renderer is done; in the free handoff the renderer's own deadlines are render events
//! too.

mod render;

use super::control::guarded;
pub use super::observe::Observed;
use super::observe::{Observation, ObservationReceiver, observations};
use super::{Control, Next, RunFailure, RunSettings, RunState, Sim};
use crate::frame::core::FrameError;
use crate::frame::record::{FrameRecord, HandoffCounts, RenderOutcome, RenderRecord};
use crate::handoff::frame_handoffs;
use crate::jobs::Workers;
use crate::render::Renderer;
use crate::scene::Scene;
use crate::snapshot::Snapshot;
use crate::time::Nanos;
use crate::time::source::{RealClock, TimeSource};
use crate::world::WorldError;
use render::VirtualRender;

/// What stage durations are measured with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stamps {
    /// The manual clock: every figure is the same each time.
    #[default]
    Virtual,
    /// A real clock plus the time that loads moved: real costs, different each time.
    Measured,
}

/// How a virtual run is set up.
#[derive(Clone, Copy, Debug, Default)]
pub struct VirtualOptions {
    /// The clock at Play.
    pub start: Nanos,
    /// Time every frame's submit takes at least.
    pub render_cost: Nanos,
    pub stamps: Stamps,
    pub observed: Observed,
}

/// A run whose clock is moved by its driver.
pub struct VirtualRun {
    sim: Sim,
    time: VirtualTime,
    observations: ObservationReceiver,
    failure: Option<RunFailure>,
    // Joined after all that hands jobs over is gone.
    workers: Option<Workers>,
}

impl VirtualRun {
    /// # Errors
    /// A scene that cannot run, with every reason.
    pub fn new(
        scene: &Scene,
        settings: &RunSettings,
        renderer: Box<dyn Renderer<Snapshot>>,
        options: VirtualOptions,
    ) -> Result<Self, WorldError> {
        let (producer, consumer, _) = frame_handoffs(settings.handoff);
        let mut sim = Sim::new(scene, settings, producer, options.start)?;
        let (sender, receiver) = observations();
        if options.observed == Observed::Yes {
            sim.set_observations(sender);
        }
        let mut render =
            VirtualRender::new(consumer, renderer, settings.run, options.start, options.render_cost);
        render.start();
        let real = (options.stamps == Stamps::Measured).then(RealClock::new);
        let failure = render.failure.clone();
        let time = VirtualTime { now: options.start, spent: Nanos::ZERO, real, render };
        Ok(Self { sim, time, observations: receiver, failure, workers: None })
    }

    /// Threads that help with its ticks, which take as much of the manual clock's time without them.
    pub fn set_workers(&mut self, workers: Workers) {
        self.sim.core_mut().set_jobs(Some(workers.jobs().clone()));
        self.workers = Some(workers);
    }

    /// The manual clock.
    #[must_use]
    pub const fn now(&self) -> Nanos {
        self.time.now
    }

    /// Moves the clock to the next frame's deadline and runs it, with the updates before it; false when none is due before a
    /// control asks.
    ///
    /// # Errors
    /// A fault ended the run.
    pub fn next_frame(&mut self) -> Result<bool, RunFailure> {
        let before = self.sim.core().record().frame;
        while self.run_next()? {
            if self.sim.core().record().frame != before {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Runs what is due next, a frame or an update between two; false where nothing is.
    fn run_next(&mut self) -> Result<bool, RunFailure> {
        let arrived = self.time.now;
        match self.sim.next() {
            Next::Idle => return Ok(false),
            Next::Now => {}
            Next::At(deadline) => self.time.advance_to(deadline),
        }
        self.time.settle();
        self.guarded(|sim, time| {
            let woken = time.now;
            sim.run_frame(arrived, woken, time)
        })?;
        self.time.settle();
        self.after_action();
        Ok(true)
    }

    /// Runs a frame of the driver's own delta, and moves the clock by it; false when the run stands.
    ///
    /// # Errors
    /// A fault ended the run.
    pub fn next_frame_with_delta(&mut self, delta: Nanos) -> Result<bool, RunFailure> {
        if self.sim.next() == Next::Idle {
            return Ok(false);
        }
        if self.sim.next() != Next::Now {
            // The frame after a load that took longer than its delta starts when the load ends.
            let due = self.sim.core().record().render_time + delta.max(Nanos::ZERO);
            self.time.advance_to(due);
        }
        self.time.settle();
        self.guarded(|sim, time| sim.run_frame_with_delta(delta, time))?;
        self.time.settle();
        self.after_action();
        Ok(true)
    }

    /// Runs every frame due up to `time`, then leaves the clock there.
    ///
    /// # Errors
    /// A fault ended the run.
    pub fn advance_to(&mut self, time: Nanos) -> Result<(), RunFailure> {
        loop {
            match self.sim.next() {
                Next::Now => {}
                Next::At(deadline) if deadline <= time => {}
                Next::At(_) | Next::Idle => break,
            }
            if !self.run_next()? {
                break;
            }
        }
        if self.time.now < time {
            self.time.advance_to(time);
        }
        self.time.settle();
        Ok(())
    }

    /// Does what is asked at once. While the run stands, rendering finishes before this returns.
    ///
    /// # Errors
    /// A fault ended the run.
    pub fn control(&mut self, control: Control) -> Result<(), RunFailure> {
        self.guarded(|sim, time| sim.apply(control, time))?;
        self.after_action();
        Ok(())
    }

    /// Rendering ends, and then the renderer stops: nothing is pending or in flight any more.
    pub fn finish(&mut self) {
        let now = self.time.now;
        self.sim.core_mut().end(now);
        self.time.run_render_dry();
        self.close();
    }

    /// Ends at once, as an interrupt does: what is pending or in flight is abandoned.
    pub fn abandon(&mut self) {
        if self.time.render.in_flight.take().is_some() {
            self.time.render.consumer.finish(RenderOutcome::Abandoned);
        }
        self.close();
    }

    /// Lets the renderer do what is asked of it beside its frames, until it is done or takes too long.
    pub fn attend(&mut self) {
        self.time.render.attend();
    }

    /// Records of the frames finished since the last call.
    pub fn drain_frames(&mut self) -> std::vec::Drain<'_, FrameRecord> {
        self.sim.drain_finished()
    }

    /// Records of the frames rendered since the last call.
    pub fn drain_renders(&mut self) -> std::vec::Drain<'_, RenderRecord> {
        self.time.render.records.drain(..)
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

    pub const fn observations(&mut self) -> &mut ObservationReceiver {
        &mut self.observations
    }

    /// The observation taken last, without looking for a newer one.
    #[must_use]
    pub fn last_observation(&self) -> &Observation {
        self.observations.current()
    }

    #[must_use]
    pub const fn failure(&self) -> Option<&RunFailure> {
        self.failure.as_ref()
    }

    fn close(&mut self) {
        self.time.render.close();
        if self.failure.is_none() {
            self.failure.clone_from(&self.time.render.failure);
        }
    }

    fn after_action(&mut self) {
        if self.sim.state() != RunState::Running {
            self.time.run_render_dry();
        }
    }

    fn guarded(
        &mut self,
        work: impl FnOnce(&mut Sim, &mut VirtualTime) -> Result<(), FrameError>,
    ) -> Result<(), RunFailure> {
        let rendering = |time: &VirtualTime| time.render.failure.clone();
        if let Some(workers) = &self.workers {
            workers.jobs().help_is_for_this_thread();
        }
        let failed_before = self.failure.is_some();
        let done = guarded(&mut self.failure, &mut self.sim, &mut self.time, work, rendering);
        match rendering(&self.time) {
            // Where the renderer broke, that the sim could not hand its frame over is only what followed.
            Some(cause) if !failed_before => {
                self.failure = Some(cause.clone());
                Err(cause)
            }
            _ => done,
        }
    }
}

/// The manual clock, and the renderer whose events fall on it.
struct VirtualTime {
    now: Nanos,
    spent: Nanos,
    real: Option<RealClock>,
    render: VirtualRender,
}

impl TimeSource for VirtualTime {
    fn now(&self) -> Nanos {
        self.now
    }

    fn spend(&mut self, work: Nanos) {
        if work > Nanos::ZERO {
            self.spent += work;
            self.advance_to(self.now + work);
        }
    }

    /// Render events: done before take, and both before the caller publishes.
    fn settle(&mut self) {
        loop {
            if !self.render.finish_due(self.now) && !self.render.take(self.now) {
                break;
            }
        }
    }

    /// The clock goes on until the renderer is done with what it draws, and has come to the meeting.
    fn meet(&mut self) {
        self.settle();
        while let Some(flight) = self.render.in_flight {
            self.advance_to(flight.done);
        }
        if self.render.failure.is_some() {
            // It comes to no meeting any more; on this one thread nobody could wait for it.
            self.render.consumer.close();
        }
    }

    fn stamp(&self) -> Nanos {
        self.real.as_ref().map_or(self.now, |real| real.now() + self.spent)
    }
}

impl VirtualTime {
    /// Moves the clock, never backward; render events happen on the way.
    fn advance_to(&mut self, time: Nanos) {
        loop {
            self.settle();
            match self.render.next_event() {
                Some(event) if event <= time => self.now = self.now.max(event),
                _ => break,
            }
        }
        self.now = self.now.max(time);
        self.render.redraw_if_due(self.now);
        // A redraw takes the renderer away from a meeting: it comes back.
        self.settle();
    }

    /// Lets the clock run until nothing is pending or in flight, and nothing moves on screen any more.
    fn run_render_dry(&mut self) {
        self.settle();
        while let Some(event) = self.render.next_event() {
            self.advance_to(event);
        }
        self.render.redraw(self.now);
        self.settle();
    }
}
