//! A run on a manual clock and on one thread: the same Sim, slot and renderer, in the same order every time.
//!
//! Only `load` components and the render cost take time, by moving the clock. Render events that fall inside a load
//! happen as the clock passes them; at equal times render-done comes before take, and take before publish.

use super::control::guarded;
use super::observe::{Observation, ObservationReceiver, observations};
use super::{Control, Next, RunFailure, RunSettings, RunState, Sim};
use crate::frame::core::FrameError;
use crate::frame::record::{FrameRecord, HandoffCounts, RenderOutcome, RenderRecord};
use crate::handoff::{FrameConsumer, FrameDescriptor, frame_handoff};
use crate::jobs::Workers;
use crate::render::guarded::guarded as guarded_call;
use crate::render::{Attention, BatchFigures, Renderer};
use crate::scene::Scene;
use crate::snapshot::Snapshot;
use crate::time::source::{RealClock, TimeSource};
use crate::time::{FrameIndex, Nanos, Rate, Tick};
use crate::world::WorldError;

/// So often it is looked whether the renderer has done what it was asked beside its frames: for some seconds.
const MOST_LOOKS: u32 = 2_000_000;

/// What stage durations are measured with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stamps {
    /// The manual clock: every figure is the same each time.
    #[default]
    Virtual,
    /// A real clock plus the time that loads moved: real costs, different each time.
    Measured,
}

/// Whether a virtual run is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Observed {
    #[default]
    Yes,
    /// No observation is made: nothing but the frames costs time.
    No,
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
        let (producer, consumer, _) = frame_handoff(Default::default());
        let mut sim = Sim::new(scene, settings, producer, options.start)?;
        let (sender, receiver) = observations();
        if options.observed == Observed::Yes {
            sim.set_observations(sender);
        }
        let mut render = VirtualRender {
            consumer,
            renderer,
            run: settings.run,
            cost: options.render_cost,
            redraw_after: settings.frame_rate.period(),
            in_flight: None,
            last_taken: None,
            records: Vec::with_capacity(16),
            failure: None,
        };
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

    /// Moves the clock to the next deadline and runs that frame; false when none is due before a control asks.
    ///
    /// # Errors
    /// A fault ended the run.
    pub fn next_frame(&mut self) -> Result<bool, RunFailure> {
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
            if !self.next_frame()? {
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
        if let Control::SetFrameRate(rate) = control {
            self.time.render.redraw_after = Rate::period(rate);
        }
        self.guarded(|sim, time| sim.apply(control, time))?;
        self.after_action();
        Ok(())
    }

    /// Rendering ends, and then the renderer stops: nothing is pending or in flight any more.
    pub fn finish(&mut self) {
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

    /// The renderer, for a last read of what it drew.
    pub fn renderer_mut(&mut self) -> &mut dyn Renderer<Snapshot> {
        &mut *self.time.render.renderer
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
        guarded(&mut self.failure, &mut self.sim, &mut self.time, work, rendering)
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

    fn stamp(&self) -> Nanos {
        self.real.as_ref().map_or(self.now, |real| real.now() + self.spent)
    }
}

impl VirtualTime {
    /// Moves the clock, never backward; render events happen on the way.
    fn advance_to(&mut self, time: Nanos) {
        loop {
            self.settle();
            match self.render.in_flight {
                Some(flight) if flight.done <= time => self.now = self.now.max(flight.done),
                _ => break,
            }
        }
        self.now = self.now.max(time);
        self.render.redraw_if_due(self.now);
    }

    /// Lets the clock run until nothing is pending or in flight.
    fn run_render_dry(&mut self) {
        self.settle();
        while let Some(flight) = self.render.in_flight {
            self.advance_to(flight.done);
            self.settle();
        }
        self.render.redraw_if_due(Nanos::MAX);
    }
}

#[derive(Clone, Copy, Debug)]
struct InFlight {
    done: Nanos,
    record: RenderRecord,
}

struct VirtualRender {
    consumer: FrameConsumer<Snapshot>,
    renderer: Box<dyn Renderer<Snapshot>>,
    run: u32,
    cost: Nanos,
    redraw_after: Nanos,
    in_flight: Option<InFlight>,
    last_taken: Option<Nanos>,
    records: Vec<RenderRecord>,
    failure: Option<RunFailure>,
}

impl VirtualRender {
    /// The frame in flight ends, if it is due; true when one did.
    fn finish_due(&mut self, now: Nanos) -> bool {
        match self.in_flight {
            Some(flight) if flight.done <= now => {
                self.in_flight = None;
                self.consumer.finish(flight.record.outcome);
                self.records.push(flight.record);
                true
            }
            _ => false,
        }
    }

    /// Takes a pending frame, if nothing is in flight; true when one was taken.
    fn take(&mut self, now: Nanos) -> bool {
        if self.in_flight.is_some() || self.failure.is_some() {
            return false;
        }
        let Some(frame) = self.consumer.take() else { return false };
        self.last_taken = Some(now);
        let cost = self.cost.max(self.consumer.snapshot().submit_load);
        let (figures, outcome) = self.draw(&frame);
        let record = RenderRecord {
            run: self.run,
            frame: frame.frame,
            outcome,
            taken: now,
            batch_start: now,
            batch: Nanos::ZERO,
            submit_start: now,
            submit: cost,
            instances: figures.instances,
            // Its time is not the run's.
            gpu: None,
            presented: None,
            culled: figures.culled,
        };
        self.in_flight = Some(InFlight { done: now + cost, record });
        true
    }

    fn start(&mut self) {
        let renderer = &mut self.renderer;
        let started = guarded_call("on_start", None, || renderer.on_start());
        self.settle_call(started);
    }

    fn draw(&mut self, frame: &FrameDescriptor) -> (BatchFigures, RenderOutcome) {
        let (renderer, snapshot) = (&mut self.renderer, self.consumer.snapshot());
        let of = Some(frame.frame);
        let drawn = guarded_call("batch", of, || renderer.batch(frame, snapshot)).and_then(|batched| {
            let Ok(figures) = batched else { return Ok(batched) };
            let submitted = guarded_call("submit", of, || renderer.submit(frame, snapshot))?;
            Ok(submitted.map(|()| figures))
        });
        match self.settle_call(drawn) {
            Some(Ok(figures)) => (figures, RenderOutcome::Rendered),
            Some(Err(error)) => {
                tracing::error!(target: "framewalk", frame = frame.frame.0, %error, "frame_abandoned");
                (BatchFigures::default(), RenderOutcome::Abandoned)
            }
            None => (BatchFigures::default(), RenderOutcome::Abandoned),
        }
    }

    fn redraw_if_due(&mut self, now: Nanos) {
        let Some(last) = self.last_taken else { return };
        if self.failure.is_some() || self.in_flight.is_some() || now - last < self.redraw_after {
            return;
        }
        let (renderer, snapshot) = (&mut self.renderer, self.consumer.snapshot());
        let redrawn = guarded_call("redraw", None, || match renderer.view_changed() {
            true => renderer.redraw(snapshot).map(|_| ()),
            false => Ok(()),
        });
        if let Some(Err(error)) = self.settle_call(redrawn) {
            tracing::error!(target: "framewalk", %error, "redraw_failed");
        }
    }

    fn attend(&mut self) {
        for _ in 0..MOST_LOOKS {
            let renderer = &mut self.renderer;
            let attended = guarded_call("attend", None, || renderer.attend());
            match self.settle_call(attended) {
                Some(Attention::UnderWay) => std::thread::yield_now(),
                Some(Attention::Answered) => {}
                Some(Attention::Idle) | None => break,
            }
        }
    }

    fn close(&mut self) {
        self.consumer.close();
        let renderer = &mut self.renderer;
        let stopped = guarded_call("on_stop", None, || renderer.on_stop());
        self.settle_call(stopped);
    }

    /// A panic ends the run: the first one is kept, with the frame taken last, and nothing more is drawn.
    fn settle_call<R>(&mut self, called: Result<R, String>) -> Option<R> {
        match called {
            Ok(result) => Some(result),
            Err(message) => {
                let taken = self.consumer.last_taken();
                let (frame, tick) = taken.map_or((FrameIndex(0), Tick(0)), |taken| (taken.frame, taken.tick));
                self.failure.get_or_insert(RunFailure {
                    thread: "render",
                    frame,
                    tick,
                    stage: None,
                    message,
                });
                None
            }
        }
    }
}
