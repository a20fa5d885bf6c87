//! The simulation: controls in, frames out. No thread, no waiting.
//!
//! A driver asks [`Sim::next`] when the next frame is due, waits (or moves a manual clock), and calls
//! [`Sim::run_frame`]; between frames it hands over controls one by one with [`Sim::apply`], which runs whatever
//! they ask for at once: ten step presses are ten steps.

pub mod control;
mod grants;
pub mod inputs;
pub mod observe;
pub mod observers;
pub mod paced;
pub mod script;
mod settings;
pub mod thread;
mod updates;
pub mod virtual_time;

pub use control::{Control, RunFailure, RunSettings, RunState};

use crate::frame::core::{FrameCore, FrameError, FrameGrant, Looking, UpdateTurn};
use crate::frame::record::{FrameKind, FrameRecord, HandoffMode};
use crate::frame::stage::Stage;
use crate::handoff::FrameProducer;
use crate::scene::{EntityId, Scene};
use crate::snapshot::Snapshot;
use crate::time::fixed_step::FixedStep;
use crate::time::frame_clock::FrameClock;
use crate::time::source::TimeSource;
use crate::time::{Nanos, Rate};
use crate::world::{World, WorldError};
use observe::ObservationSender;
use updates::Updates;

/// When the next frame runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// At once.
    Now,
    /// At this deadline.
    At(Nanos),
    /// Not before a control asks for it.
    Idle,
}

/// The frame under way, between two stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OpenFrame {
    next: Stage,
}

/// Whether frames follow the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Running,
    Paused,
    Stopped,
}

/// On which side of a stage a hook is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    Before,
    After,
}

/// A driver's own code around every stage, on the thread that runs it. What it takes counts as time of no stage; a
/// panic in it is a panic of the stage.
pub type StageHook = Box<dyn FnMut(Moment, Stage, &FrameCore) + Send>;

/// One Play: a running world, its frame clock, and what has been asked of it.
pub struct Sim {
    core: FrameCore,
    clock: FrameClock,
    // Of the grid that frames run on: the frame rate, but in the free handoff one frame a tick.
    grid_rate: Rate,
    // Of the display, or what stands for it.
    frame_rate: Rate,
    // Ticks are to come at a rate that no grid can have, and that was said.
    grid_refused: bool,
    mode: Mode,
    open: Option<OpenFrame>,
    // Frame 1 has not run: it does even when paused, and then stands.
    first_due: bool,
    // The next running frame is the first after a resume.
    resuming: bool,
    // Settings that wait for the open frame to end, and whether any acted since the last frame began.
    waiting_settings: Vec<Control>,
    settings_changed: bool,
    last_render_time: Nanos,
    // The update between ticks, where it has a rate of its own: while frames of the free handoff run on the clock.
    updates: Option<Updates>,
    // When the next frame reached the clock, if it has been there before a control interrupted its wait.
    arrived: Option<Nanos>,
    observations: Option<ObservationSender>,
    stage_hook: Option<StageHook>,
    finished: Vec<FrameRecord>,
}

impl Sim {
    /// A run of `scene`, at tick 0, its clock started at `now`.
    ///
    /// # Errors
    /// A scene that cannot run, with every reason.
    pub fn new(
        scene: &Scene,
        settings: &RunSettings,
        producer: FrameProducer<Snapshot>,
        now: Nanos,
    ) -> Result<Self, WorldError> {
        let mut world = World::new(scene, settings.tick_rate)?;
        world.set_physics_divisor(settings.physics_divisor.ticks());
        let mut fixed_step = FixedStep::new(settings.tick_rate);
        fixed_step.set_speed(settings.speed);
        fixed_step.set_max_ticks(settings.max_ticks);
        fixed_step.set_max_delta(settings.max_delta);
        let mut core = FrameCore::new(settings.run, world, fixed_step, producer);
        core.set_tick_limit(settings.tick_limit);
        core.producer_mut().set_render_rate(settings.frame_rate);
        if settings.start_paused {
            core.stand(now);
        }
        let mut sim = Self {
            core,
            clock: FrameClock::stopped(),
            grid_rate: settings.frame_rate,
            frame_rate: settings.frame_rate,
            grid_refused: false,
            mode: if settings.start_paused { Mode::Paused } else { Mode::Running },
            open: None,
            first_due: true,
            resuming: false,
            waiting_settings: Vec::with_capacity(16),
            settings_changed: false,
            last_render_time: now,
            updates: None,
            arrived: None,
            observations: None,
            stage_hook: None,
            finished: Vec::with_capacity(4),
        };
        sim.grid_rate = sim.wanted_grid_rate();
        sim.say_refused_grid();
        sim.clock = FrameClock::started(now, sim.grid_rate);
        Ok(sim)
    }

    /// When the next frame is due.
    #[must_use]
    pub fn next(&self) -> Next {
        if self.mode == Mode::Stopped {
            Next::Idle
        } else if self.first_due {
            Next::Now
        } else if self.mode == Mode::Running {
            if self.resuming { Next::Now } else { Next::At(self.next_due()) }
        } else {
            Next::Idle
        }
    }

    /// When the next frame reached the clock: `now`, unless it is the same that has waited there before. For a driver that
    /// waits for deadlines and does controls meanwhile, and hands it to [`Sim::run_frame`].
    pub fn arrive(&mut self, now: Nanos) -> Nanos {
        *self.arrived.get_or_insert(now)
    }

    /// Runs the frame that [`Sim::next`] announced, for a driver that reached the frame clock at `arrived` and whose
    /// wait, where there was one, really ended at `woken`. In the free handoff that may be an update between two frames alone.
    ///
    /// # Errors
    /// The frame could not be published; the run is over.
    pub fn run_frame(
        &mut self,
        arrived: Nanos,
        woken: Nanos,
        time: &mut impl TimeSource,
    ) -> Result<(), FrameError> {
        if self.run_due_update(arrived, time) {
            return Ok(());
        }
        let mut grant = self.grant(FrameKind::Running);
        if self.first_due {
            self.first_due = false;
            self.clock = FrameClock::started(arrived, self.grid_rate);
            grant.kind = FrameKind::First;
            grant.render_time = self.clock.next(arrived).render_time;
        } else if self.resuming {
            self.clock = FrameClock::started(arrived, self.grid_rate);
            grant.kind = FrameKind::Resumed;
            grant.render_time = self.clock.next(arrived).render_time;
            grant.delta = self.grid_rate.period();
            if self.core.producer().mode() == HandoffMode::Free {
                grant.update = UpdateTurn::Due { since: self.frame_rate.period() };
            }
        } else {
            let planned = self.clock.next(arrived);
            if let Some(updates) = &mut self.updates {
                grant.update = updates.with_frame(planned.render_time);
            }
            grant.render_time = planned.render_time;
            grant.delta = planned.render_time - self.last_render_time;
            grant.late = planned.late;
            grant.missed = planned.missed;
            // A late frame has not waited.
            let waited_until = if planned.late { planned.render_time } else { woken };
            grant.wake_error = (waited_until - planned.render_time).max(Nanos::ZERO);
        }
        self.resuming = false;
        grant.next_due = (self.mode == Mode::Running).then(|| self.clock.next_deadline());
        self.run_whole_frame(grant, time)?;
        self.follow_ticks();
        self.follow_updates();
        Ok(())
    }

    /// Runs one frame with a delta of the driver's own, off the grid: a cadence that is replayed.
    /// Frame 1 has delta 0 whatever is given.
    ///
    /// # Errors
    /// The frame could not be published; the run is over.
    pub fn run_frame_with_delta(
        &mut self,
        delta: Nanos,
        time: &mut impl TimeSource,
    ) -> Result<(), FrameError> {
        let mut grant = self.grant(FrameKind::Running);
        if self.first_due {
            self.first_due = false;
            grant.kind = FrameKind::First;
            grant.render_time = self.last_render_time;
        } else if self.resuming {
            grant.kind = FrameKind::Resumed;
            grant.delta = self.grid_rate.period();
            // It runs at once, however long it is given: it is made for now, and the next delta counts from here.
            grant.render_time = time.now().max(self.last_render_time);
        } else {
            grant.delta = delta;
            grant.render_time = self.last_render_time + delta.max(Nanos::ZERO);
        }
        self.resuming = false;
        self.run_whole_frame(grant, time)
    }

    /// Does what a control asks, at once; steps run their frame or stage inside this call.
    ///
    /// # Errors
    /// A stepped frame could not be published; the run is over.
    pub fn apply(&mut self, control: Control, time: &mut impl TimeSource) -> Result<(), FrameError> {
        if self.mode == Mode::Stopped {
            return Ok(());
        }
        match control {
            Control::Pause => self.pause(time.now()),
            Control::Resume => {
                self.finish_open_frame(time)?;
                if self.mode == Mode::Paused {
                    self.mode = Mode::Running;
                    self.resuming = !self.first_due;
                    self.core.go_on(time.now());
                }
            }
            Control::StepFrame => {
                self.pause(time.now());
                if self.open.is_some() {
                    self.finish_open_frame(time)?;
                } else {
                    let grant = self.stepped_grant(FrameKind::SteppedFrame, time);
                    self.run_whole_frame(grant, time)?;
                }
            }
            Control::StepTick => {
                self.pause(time.now());
                self.finish_open_frame(time)?;
                let grant = self.stepped_grant(FrameKind::SteppedTick, time);
                self.run_whole_frame(grant, time)?;
            }
            Control::StepStage => {
                self.pause(time.now());
                if self.open.is_none() {
                    let grant = self.stepped_grant(FrameKind::SteppedFrame, time);
                    self.begin_frame(grant);
                    self.core.set_looking(Looking::AtThisFrame);
                }
                self.run_next_stage(time)?;
            }
            Control::Input(event) => {
                self.core.queue_input(event);
                return Ok(());
            }
            Control::SetPose { entity, pose } => self.core.queue_pose(entity, pose),
            Control::ByHand(edits) => {
                for (entity, edit) in edits {
                    self.core.queue_edit(entity, edit);
                }
                if self.mode == Mode::Paused && self.open.is_none() && !self.first_due {
                    let grant = self.stepped_grant(FrameKind::ByHand, time);
                    self.run_whole_frame(grant, time)?;
                }
            }
            Control::ShiftGrid(by) => {
                self.shift_grid(by);
                return Ok(());
            }
            Control::Watch(entities) => {
                if let Some(observations) = &mut self.observations {
                    observations.watch(entities);
                }
            }
            Control::SetSpeed(_)
            | Control::SetTickRate(_)
            | Control::SetPhysicsDivisor(_)
            | Control::SetFrameRate(_)
            | Control::SetMaxTicks(_)
            | Control::SetMaxDelta(_)
            | Control::SetHandoff(_) => {
                if self.open.is_some() {
                    self.waiting_settings.push(control);
                } else {
                    if matches!(control, Control::SetSpeed(_) | Control::SetTickRate(_)) {
                        self.book_time(time)?;
                    }
                    self.apply_setting(control, time.now());
                }
            }
            Control::Stop => {
                // An open frame is discarded, unpublished; what is published already is a frame, and is finished.
                if self.open.is_some_and(|open| open.next == Stage::RunMaintenance) {
                    self.finish_open_frame(time)?;
                }
                self.open = None;
                self.mode = Mode::Stopped;
                self.core.end(time.now());
                self.clock = FrameClock::stopped();
            }
        }
        self.observe_now(time);
        Ok(())
    }

    /// Records of the frames finished since the last call, in order.
    pub fn drain_finished(&mut self) -> std::vec::Drain<'_, FrameRecord> {
        self.finished.drain(..)
    }

    #[must_use]
    pub fn state(&self) -> RunState {
        match (self.mode, self.open) {
            (Mode::Stopped, _) => RunState::Stopped,
            (_, Some(open)) => RunState::FrameOpen { next: open.next },
            (Mode::Paused, None) => RunState::Paused,
            (Mode::Running, None) => RunState::Running,
        }
    }

    /// Stages of the frame under way that are done, 6 when none is open (0 before frame 1).
    #[must_use]
    pub fn stages_done(&self) -> u8 {
        match self.open {
            Some(open) => open.next.index() as u8,
            None if self.core.record().frame.0 == 0 => 0,
            None => Stage::COUNT as u8,
        }
    }

    /// Settings wait for the open frame to end.
    #[must_use]
    pub fn settings_wait(&self) -> bool {
        !self.waiting_settings.is_empty()
    }

    #[must_use]
    pub const fn frame_rate(&self) -> Rate {
        self.frame_rate
    }

    #[must_use]
    pub const fn core(&self) -> &FrameCore {
        &self.core
    }

    pub const fn core_mut(&mut self) -> &mut FrameCore {
        &mut self.core
    }

    /// Where observations of the running world go.
    pub fn set_observations(&mut self, observations: ObservationSender) {
        self.observations = Some(observations);
    }

    /// Code of the driver's own, called before and after every stage.
    pub fn set_stage_hook(&mut self, hook: StageHook) {
        self.stage_hook = Some(hook);
    }

    /// Entities whose drawn pose is noted as each snapshot closes.
    pub fn set_probes(&mut self, probes: Vec<EntityId>) {
        self.core.set_probes(probes);
    }

    fn pause(&mut self, now: Nanos) {
        if self.mode == Mode::Running {
            self.mode = Mode::Paused;
            self.resuming = false;
            self.updates = None;
            self.core.stand(now);
            // What was to wait for one more frame does not any more.
            self.set_grid_rate();
        }
    }

    fn begin_frame(&mut self, mut grant: FrameGrant) {
        grant.settings_changed = std::mem::take(&mut self.settings_changed);
        self.last_render_time = grant.render_time;
        self.arrived = None;
        self.core.open(grant);
        self.open = Some(OpenFrame { next: Stage::DrainInputs });
    }

    fn run_whole_frame(&mut self, grant: FrameGrant, time: &mut impl TimeSource) -> Result<(), FrameError> {
        self.begin_frame(grant);
        let looking = match &self.observations {
            Some(observations) if grant.kind != FrameKind::Running || observations.is_due(time.now()) => {
                Looking::AtThisFrame
            }
            _ => Looking::Away,
        };
        self.core.set_looking(looking);
        self.finish_open_frame(time)?;
        if looking == Looking::AtThisFrame {
            self.observe_now(time);
        }
        Ok(())
    }

    fn finish_open_frame(&mut self, time: &mut impl TimeSource) -> Result<(), FrameError> {
        while self.open.is_some() {
            self.run_next_stage(time)?;
        }
        Ok(())
    }

    fn run_next_stage(&mut self, time: &mut impl TimeSource) -> Result<(), FrameError> {
        let Some(open) = self.open else { return Ok(()) };
        self.call_hook(Moment::Before, open.next);
        self.core.run_stage(open.next, time)?;
        self.call_hook(Moment::After, open.next);
        self.open = open.next.next().map(|next| OpenFrame { next });
        if self.open.is_none() {
            self.finished.push(*self.core.record());
            // Taken and put back, so that the list keeps its memory.
            let mut waiting = std::mem::take(&mut self.waiting_settings);
            let now = time.now();
            waiting.drain(..).for_each(|setting| self.apply_setting(setting, now));
            self.waiting_settings = waiting;
        }
        Ok(())
    }

    fn call_hook(&mut self, moment: Moment, stage: Stage) {
        if let Some(hook) = &mut self.stage_hook {
            hook(moment, stage, &self.core);
        }
    }

    /// A last look, at what a fault left.
    fn observe_fault(&mut self) {
        let Some(mut observations) = self.observations.take() else { return };
        observations.publish(self, self.last_render_time);
        self.observations = Some(observations);
    }

    fn observe_now(&mut self, time: &impl TimeSource) {
        let Some(mut observations) = self.observations.take() else { return };
        observations.publish(self, time.now());
        self.observations = Some(observations);
    }
}

#[cfg(test)]
mod application_tests;
#[cfg(test)]
mod by_hand_tests;
#[cfg(test)]
mod deadline_tests;
#[cfg(test)]
mod fault_tests;
#[cfg(test)]
mod free_tests;
#[cfg(test)]
mod handoff_tests;
#[cfg(test)]
mod late_tick_tests;
#[cfg(test)]
mod tests;
