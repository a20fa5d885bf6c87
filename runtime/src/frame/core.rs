//! The frame core: the world, its clock of ticks, and the six stages that turn a delta into a picture.
//!
//! A frame knows no thread and no deadline: a driver grants it a delta with [`FrameCore::open`] and calls the six
//! stages in order, with whatever it likes before and after each of them.

mod free_pictures;
mod handing_over;
mod inputs;
mod scheduler;
mod update;

use self::free_pictures::FreePictures;
use self::handing_over::MotionOfFrame;
pub use self::update::UpdateTurn;
pub use super::application::Time;
use super::application::{AppTick, AppUpdate};
use super::details::{Note, StageDetails, TimedRow};
use super::record::{FrameKind, FrameRecord};
use super::sounds::SoundSender;
use super::stage::Stage;
use super::stall_log::StallLog;
use crate::handoff::{FrameProducer, InboxReader};
use crate::input::waiting::Losses;
use crate::input::{InputEvent, InputState};
use crate::interpolation::Interpolation;
use crate::jobs::{Helping, Jobs};
use crate::scene::project::PhysicsDivisor;
use crate::scene::{EntityId, Pose};
use crate::snapshot::Snapshot;
use crate::time::fixed_step::FixedStep;
use crate::time::simulated::SimulatedTime;
use crate::time::source::TimeSource;
use crate::time::{FrameIndex, Nanos, Rate, Tick};
use crate::world::{HandEdit, World};

/// Input events kept for one frame; more release every held key, so that none can stay down by a loss.
pub const INPUT_CAPACITY: usize = 1024;

/// What a driver grants a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameGrant {
    pub kind: FrameKind,
    pub render_time: Nanos,
    /// Negative counts as 0, and is counted.
    pub delta: Nanos,
    pub late: bool,
    pub missed: u64,
    pub wake_error: Nanos,
    pub frame_rate: Rate,
    pub render_rate: Rate,
    /// The deadline of the frame that follows; `None` where none does by itself.
    pub next_due: Option<Nanos>,
    /// A setting changed since the frame before.
    pub settings_changed: bool,
    pub update: UpdateTurn,
}

/// Whether somebody looks at what the stages produce at length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Looking {
    #[default]
    Away,
    AtThisFrame,
}

/// What an agent hands back to stage 6.
#[derive(Clone, Copy, Debug)]
struct Census {
    entities: u32,
    simulated: u32,
}

/// The running state of one Play, and the frame that is being made of it.
pub struct FrameCore {
    world: World,
    interpolation: Interpolation,
    input: InputState,
    queued: Vec<InputEvent>,
    // Taken since the last stage 1, by it or by an update between two frames, which the next one tells of.
    taken: Vec<InputEvent>,
    inbox: Option<InboxReader<InputEvent>>,
    input_losses: Losses,
    edits: Vec<(EntityId, HandEdit)>,
    app_tick: Option<AppTick>,
    app_update: Option<AppUpdate>,
    sounds: Option<SoundSender>,
    fixed_step: FixedStep,
    tick_limit: Option<u64>,
    tick: Tick,
    simulated: SimulatedTime,
    previous_simulated: SimulatedTime,
    last_tick_rate: Option<Rate>,
    time: Time,
    producer: FrameProducer<Snapshot>,
    handed_back: Option<Census>,
    probes: Vec<EntityId>,
    probe_poses: Vec<Option<Pose>>,
    looking: Looking,
    details: StageDetails,
    roster_revision: u64,
    // For so many entities there is room in every snapshot that was made ready.
    room: usize,
    grant: FrameGrant,
    record: FrameRecord,
    published: FrameIndex,
    patience: Nanos,
    // What is done while this thread waits, where it does anything.
    helping: Option<Helping>,
    // Whose waits are noted in the record.
    noted_jobs: Option<Jobs>,
    // For the free handoff.
    pictures: FreePictures,
    // What the snapshot's poses are blended over.
    motion: MotionOfFrame,
    stall_log: StallLog,
}

impl FrameCore {
    /// The core of a run, at tick 0 of `world`.
    #[must_use]
    pub fn new(run: u32, world: World, fixed_step: FixedStep, producer: FrameProducer<Snapshot>) -> Self {
        let interpolation = Interpolation::new(&world);
        let mut core = Self {
            world,
            interpolation,
            input: InputState::default(),
            queued: Vec::with_capacity(INPUT_CAPACITY),
            taken: Vec::with_capacity(INPUT_CAPACITY),
            inbox: None,
            input_losses: Losses::default(),
            edits: Vec::with_capacity(16),
            app_tick: None,
            app_update: None,
            sounds: None,
            fixed_step,
            tick_limit: None,
            tick: Tick(0),
            simulated: SimulatedTime::default(),
            previous_simulated: SimulatedTime::default(),
            last_tick_rate: None,
            time: Time::default(),
            producer,
            handed_back: None,
            probes: Vec::new(),
            probe_poses: Vec::new(),
            looking: Looking::Away,
            details: StageDetails::with_room(),
            roster_revision: 0,
            room: 0,
            grant: FrameGrant::default(),
            record: FrameRecord { run, ..FrameRecord::default() },
            published: FrameIndex::default(),
            patience: LOCKSTEP_PATIENCE,
            helping: None,
            noted_jobs: None,
            pictures: FreePictures::default(),
            motion: MotionOfFrame::default(),
            stall_log: StallLog::default(),
        };
        core.go_on(Nanos::ZERO);
        core
    }

    /// Begins the next frame. No stage has run yet.
    pub fn open(&mut self, grant: FrameGrant) {
        self.grant = grant;
        self.details.clear();
        self.record = FrameRecord {
            run: self.record.run,
            frame: FrameIndex(self.record.frame.0 + 1),
            kind: grant.kind,
            tick: self.tick,
            render_time: grant.render_time,
            delta: Nanos(grant.delta.0.max(0)),
            alpha: self.fixed_step.alpha(),
            overstep: self.fixed_step.overstep(),
            tick_length: tick_length(self.fixed_step.rate()),
            tick_rate: self.fixed_step.rate(),
            frame_rate: grant.frame_rate,
            render_rate: grant.render_rate,
            speed: self.fixed_step.speed(),
            max_ticks: self.fixed_step.max_ticks(),
            physics_divisor: self.world.physics_divisor(),
            simulated_time: self.simulated.nanos(),
            shown_time: self.record.shown_time,
            late: grant.late,
            missed: grant.missed,
            wake_error: grant.wake_error,
            settings_changed: grant.settings_changed,
            handoff: self.producer.stats(),
            totals: self.fixed_step.totals(),
            ..FrameRecord::default()
        };
    }

    /// Runs one stage. The six public methods by name do the same.
    pub fn run_stage(&mut self, stage: Stage, time: &mut impl TimeSource) -> Result<(), FrameError> {
        match stage {
            Stage::DrainInputs => self.drain_inputs(time),
            Stage::RunAppUpdate => self.run_app_update(time),
            Stage::BeginRenderFrame => self.begin_render_frame(time),
            Stage::RunScheduler => self.run_scheduler(time),
            Stage::EndRenderFrame => return self.end_render_frame(time),
            Stage::RunMaintenance => self.run_maintenance(time),
        }
        Ok(())
    }

    /// Stage 2: pre-simulation systems, the application's update, post-simulation, pre-extract.
    pub fn run_app_update(&mut self, time: &mut impl TimeSource) {
        let start = time.stamp();
        let mut row_start = start;
        let edited = self.apply_hand_edits();
        self.system_row("hand_edits", &mut row_start, time, Note::ChangedByHand { entities: edited });

        let (edited_by_app, note) = match self.grant.update {
            UpdateTurn::NotDue => (0, Note::NotDue),
            UpdateTurn::EveryFrame => self.update(self.record.delta, time),
            UpdateTurn::Due { since } => self.update(since, time),
        };
        self.system_row("app_update", &mut row_start, time, note);

        self.settle_edits(edited + edited_by_app);
        self.system_row("settle_edits", &mut row_start, time, Note::Nothing);

        let revision = self.world.entities_revision();
        let changed = revision != self.roster_revision;
        self.roster_revision = revision;
        let entities = self.world.entity_count();
        self.system_row("roster", &mut row_start, time, Note::Roster { entities, changed });
        self.record.figures.systems = 4;
        self.stamp(Stage::RunAppUpdate, start, time);
    }

    /// Stage 3: takes the free snapshot buffer; never waits for the render thread.
    pub fn begin_render_frame(&mut self, time: &mut impl TimeSource) {
        let start = time.stamp();
        self.record.figures.snapshot_buffer = self.producer.snapshot_buffer();
        self.record.figures.snapshot_buffers = self.producer.mode().buffers();
        if self.looking == Looking::AtThisFrame {
            self.producer.holders(&mut self.details.buffers);
        }
        self.stamp(Stage::BeginRenderFrame, start, time);
    }

    /// Stage 4: the accumulator, the ticks, the flow, then the phases with their agents.
    pub fn run_scheduler(&mut self, time: &mut impl TimeSource) {
        let start = time.stamp();
        let waited = self.time_waited();
        self.run_ticks(time);
        self.run_flow(time);
        self.run_phases(time);
        self.record.jobs_wait = self.time_waited() - waited;
        self.stamp(Stage::RunScheduler, start, time);
    }

    /// Stage 6: drains what agents handed back, compacts storage, prunes what is gone, and in the first frames of the free
    /// handoff makes a snapshot buffer ready in each.
    pub fn run_maintenance(&mut self, time: &mut impl TimeSource) {
        let start = time.stamp();
        let mut row_start = start;
        let census = self.handed_back.take();
        self.record.figures.drained = u32::from(census.is_some());
        let note = match census {
            Some(Census { entities, simulated }) => Note::Census { entities, simulated },
            None => Note::NothingHandedBack,
        };
        self.maintenance_row("drain", &mut row_start, time, note);
        let freed = self.world.compact();
        self.maintenance_row("compact", &mut row_start, time, Note::RowsFreed(freed));
        let pruned = self.interpolation.prune(&self.world);
        self.record.figures.pruned = pruned;
        let kept = self.interpolation.len();
        self.maintenance_row("prune", &mut row_start, time, Note::Pruned { entries: pruned, kept });
        self.record.figures.entities = self.world.entity_count() as u32;
        self.warm_a_buffer();
        self.stamp(Stage::RunMaintenance, start, time);
        // Read last: what happens after this instant belongs to the next frame's line.
        self.record.handoff = self.producer.stats();
        self.record.totals = self.fixed_step.totals();
    }

    /// Sets a pose before the next stage 2's simulation: a teleport.
    pub fn queue_pose(&mut self, id: EntityId, pose: Pose) {
        self.queue_edit(id, HandEdit::Pose(pose));
    }

    /// Changes an entity of the running world in the next stage 2.
    pub fn queue_edit(&mut self, id: EntityId, edit: HandEdit) {
        self.edits.push((id, edit));
    }

    /// The application's own code in every tick.
    pub fn set_app_tick(&mut self, app_tick: AppTick) {
        self.app_tick = Some(app_tick);
    }

    /// Who listens to what sounds; nobody by default. A run is the same with and without.
    pub fn set_sounds(&mut self, sounds: SoundSender) {
        self.sounds = Some(sounds);
    }

    /// Who may help with ticks; none by default.
    pub fn set_jobs(&mut self, jobs: Option<Jobs>) {
        self.world.set_jobs(jobs);
    }

    /// How long stage 4 stands still for jobs is noted in the record: real time, so not for a run on a manual clock.
    pub fn note_waits(&mut self, jobs: &Jobs) {
        self.noted_jobs = Some(jobs.clone());
    }

    /// The thread that runs the frames helps with jobs while it waits for the renderer, or by [`Self::helping_mut`] for
    /// something else; by default it sleeps.
    pub fn set_helping(&mut self, helping: Option<Helping>) {
        self.helping = helping;
    }

    pub const fn helping_mut(&mut self) -> &mut Option<Helping> {
        &mut self.helping
    }

    /// How many ticks a physics step spans; a step under way goes on to its end.
    pub fn set_physics_divisor(&mut self, divisor: PhysicsDivisor) {
        self.world.set_physics_divisor(divisor.ticks());
    }

    /// No tick beyond this count is run; what is due beyond is cut.
    pub fn set_tick_limit(&mut self, limit: Option<u64>) {
        self.tick_limit = limit;
    }

    /// Entities whose drawn pose is noted as each snapshot closes.
    pub fn set_probes(&mut self, probes: Vec<EntityId>) {
        self.probe_poses = vec![None; probes.len()];
        self.probes = probes;
    }

    /// Drawn poses of the probes in the snapshot closed last, also of a dropped one.
    #[must_use]
    pub fn probe_poses(&self) -> &[Option<Pose>] {
        &self.probe_poses
    }

    pub fn set_looking(&mut self, looking: Looking) {
        self.looking = looking;
    }

    /// Whether the details are filled.
    #[must_use]
    pub const fn looking(&self) -> Looking {
        self.looking
    }

    /// The accumulator, to change rates and limits between frames.
    pub fn fixed_step_mut(&mut self) -> &mut FixedStep {
        &mut self.fixed_step
    }

    #[must_use]
    pub const fn fixed_step(&self) -> &FixedStep {
        &self.fixed_step
    }

    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// The poses that frames blend between.
    #[must_use]
    pub const fn interpolation(&self) -> &Interpolation {
        &self.interpolation
    }

    #[must_use]
    pub const fn time(&self) -> &Time {
        &self.time
    }

    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.tick
    }

    /// The frame being made, or the one made last.
    #[must_use]
    pub const fn record(&self) -> &FrameRecord {
        &self.record
    }

    /// Of the frame being made or made last; filled where somebody [looks](Self::looking).
    #[must_use]
    pub const fn details(&self) -> &StageDetails {
        &self.details
    }

    /// The frame published last; 0 before the first.
    #[must_use]
    pub const fn published(&self) -> FrameIndex {
        self.published
    }

    #[must_use]
    pub const fn producer(&self) -> &FrameProducer<Snapshot> {
        &self.producer
    }

    /// The handoff, to change its way between frames.
    pub const fn producer_mut(&mut self) -> &mut FrameProducer<Snapshot> {
        &mut self.producer
    }

    fn time_waited(&self) -> Nanos {
        self.noted_jobs.as_ref().map_or(Nanos::ZERO, Jobs::time_waited_here)
    }

    fn system_row(&mut self, name: &'static str, row_start: &mut Nanos, time: &impl TimeSource, note: Note) {
        if self.looking == Looking::AtThisFrame {
            self.details.systems.push(timed_row(name, row_start, time, note));
        }
    }

    fn maintenance_row(
        &mut self,
        name: &'static str,
        row_start: &mut Nanos,
        time: &impl TimeSource,
        note: Note,
    ) {
        if self.looking == Looking::AtThisFrame {
            self.details.maintenance.push(timed_row(name, row_start, time, note));
        }
    }

    fn stamp(&mut self, stage: Stage, start: Nanos, time: &impl TimeSource) {
        let timing = &mut self.record.stages[stage.index()];
        timing.start = start;
        timing.duration = time.stamp() - start;
    }
}

fn timed_row(name: &'static str, row_start: &mut Nanos, time: &impl TimeSource, note: Note) -> TimedRow {
    let now = time.stamp();
    let duration = now - *row_start;
    *row_start = now;
    TimedRow { name: name.into(), duration, note }
}

/// One tick rounded to whole ns, for display.
fn tick_length(rate: Rate) -> Nanos {
    Nanos((rate.period_secs_f64() * 1e9).round() as i64)
}

/// The longest that a running frame of the lockstep waits for the renderer, and the renderer for it: so long on the clock
/// that nobody waits for a hang, and longer than a frame that is merely slow.
pub const LOCKSTEP_PATIENCE: Nanos = Nanos::from_secs(10);

/// Why a stage could not do its work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    #[error(
        "the render thread is gone, so the frame could not be published: stop the run and press Play again"
    )]
    HandoffClosed,
    #[error(
        "the render thread did not come to the meeting of frame {} within {} s: it hangs, or a picture takes longer than \
         that; the slot handoff waits for nobody",
        frame.0, waited.as_secs_f64()
    )]
    RendererTooLate { frame: FrameIndex, waited: Nanos },
    #[error(
        "an observer of the frames did not come to the meeting of frame {} within {} s: it hangs, or a look at a frame takes \
         longer than that; without observers nobody waits for them",
        frame.0, waited.as_secs_f64()
    )]
    ObserverTooLate { frame: FrameIndex, waited: Nanos },
    #[error(
        "an observer of the frames ended before the meeting of frame {} without leaving, as a panic of its thread does: stop \
         the run and press Play again",
        frame.0
    )]
    ObserverEnded { frame: FrameIndex },
}
