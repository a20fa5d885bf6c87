//! What is asked of a run, and what state it is in.

use super::Sim;
use crate::frame::core::FrameError;
use crate::frame::record::HandoffMode;
use crate::frame::stage::Stage;
use crate::input::InputEvent;
use crate::jobs::thread::WorkersOptions;
use crate::render::guarded::panic_message;
use crate::scene::project::PhysicsDivisor;
use crate::scene::{EntityId, Pose};
use crate::time::fixed_step::{DEFAULT_MAX_DELTA, MaxTicks};
use crate::time::{FrameIndex, Nanos, Rate, Speed, Tick};
use crate::world::HandEdit;

/// How a run starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSettings {
    /// Which Play this is, from 1.
    pub run: u32,
    pub tick_rate: Rate,
    pub physics_divisor: PhysicsDivisor,
    pub frame_rate: Rate,
    pub speed: Speed,
    pub max_ticks: MaxTicks,
    pub max_delta: Nanos,
    /// How frames reach the renderer.
    pub handoff: HandoffMode,
    /// Frame 1 is shown and stands.
    pub start_paused: bool,
    /// Ticks due beyond this count are cut.
    pub tick_limit: Option<u64>,
    /// Threads that help; none by default. What a run does is the same with any number of them.
    pub workers: WorkersOptions,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self {
            run: 1,
            tick_rate: Rate::HZ_60,
            physics_divisor: PhysicsDivisor::default(),
            frame_rate: Rate::HZ_60,
            speed: Speed::NORMAL,
            max_ticks: MaxTicks::Auto,
            max_delta: DEFAULT_MAX_DELTA,
            handoff: HandoffMode::Slot,
            start_paused: false,
            tick_limit: None,
            workers: WorkersOptions::default(),
        }
    }
}

/// One thing asked of a run. Queued, never merged, never lost.
#[derive(Clone, Debug, PartialEq)]
pub enum Control {
    /// Takes effect before the next frame.
    Pause,
    Resume,
    /// Exactly one frame of one period; finishes an open one instead.
    StepFrame,
    /// Finishes an open frame, then a frame of delta 0 with exactly one tick.
    StepTick,
    /// The next stage, and then everything stands.
    StepStage,
    SetSpeed(Speed),
    SetTickRate(Rate),
    /// How many ticks a physics step spans, from the end of the one under way on.
    SetPhysicsDivisor(PhysicsDivisor),
    SetFrameRate(Rate),
    /// Moves the grid of deadlines that paces the pictures a little, positive to later, to meet a display: the simulation's,
    /// but in the free handoff the renderer's own. No setting, and nothing that a person asks for. Nothing happens while
    /// everything stands.
    ShiftGrid(Nanos),
    SetMaxTicks(MaxTicks),
    SetMaxDelta(Nanos),
    /// Another way for frames to reach the renderer, from the next one on.
    SetHandoff(HandoffMode),
    Input(InputEvent),
    /// The entities whose properties the observation carries: the last one at length.
    Watch(Vec<EntityId>),
    /// A teleport by hand, before the next frame's ticks.
    SetPose {
        entity: EntityId,
        pose: Pose,
    },
    /// Changes of the running world, made in the next stage 2. While everything stands and no frame is open, a frame
    /// with delta 0 shows them at once.
    ByHand(Vec<(EntityId, HandEdit)>),
    /// Ends the run; an open frame is discarded, unpublished, or finished where it is published already.
    Stop,
}

impl Control {
    /// Somebody wants it done, and is to be told where it is not. False of what goes along with a run by itself: the input of
    /// its game, what is looked at, the way to a display's refreshes.
    #[must_use]
    pub const fn is_asked_for(&self) -> bool {
        !matches!(self, Self::Input(_) | Self::Watch(_) | Self::ShiftGrid(_))
    }
}

/// What a run is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunState {
    #[default]
    Running,
    Paused,
    /// Some stages of a frame are done, and everything stands.
    FrameOpen {
        next: Stage,
    },
    /// A panic or an error ended it.
    Failed,
    Stopped,
}

/// Where and why a run ended by a fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {thread} thread failed in frame {} at tick {}{}: {message}", frame.0, tick.0, in_stage(*stage))]
pub struct RunFailure {
    /// "sim", "render", or an observer by its number, as "observer 1".
    pub thread: &'static str,
    pub frame: FrameIndex,
    pub tick: Tick,
    /// None where it was not inside a stage of the six.
    pub stage: Option<Stage>,
    pub message: String,
}

fn in_stage(stage: Option<Stage>) -> String {
    stage.map_or_else(String::new, |stage| format!(", stage {}", stage.name()))
}

/// Runs `work` on the sim with a driver's `time`. A panic or an error in it, or what `elsewhere` then finds failed beside
/// the sim, is the failure that ends the run: it is kept in `failure`, and answers every later call.
pub(super) fn guarded<T>(
    failure: &mut Option<RunFailure>,
    sim: &mut Sim,
    time: &mut T,
    work: impl FnOnce(&mut Sim, &mut T) -> Result<(), FrameError>,
    elsewhere: impl FnOnce(&T) -> Option<RunFailure>,
) -> Result<(), RunFailure> {
    if failure.is_none() {
        *failure = caught(sim, |sim| work(sim, time)).err().or_else(|| elsewhere(time));
    }
    failure.clone().map_or(Ok(()), Err)
}

fn caught(sim: &mut Sim, work: impl FnOnce(&mut Sim) -> Result<(), FrameError>) -> Result<(), RunFailure> {
    // A panic leaves the sim half changed; the caller must not run another frame of it, and keeps the failure.
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(sim)));
    let message = match outcome {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) => error.to_string(),
        Err(panic) => panic_message(&*panic).to_owned(),
    };
    let stage = match sim.state() {
        RunState::FrameOpen { next } => Some(next),
        _ => None,
    };
    // What the fault left may not even bear to be looked at.
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| sim.observe_fault()));
    let record = sim.core().record();
    Err(RunFailure { thread: "sim", frame: record.frame, tick: sim.core().tick(), stage, message })
}
