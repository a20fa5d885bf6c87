//! What a program tells the panels about this instant, and what the panels ask of it.

use framewalk_runtime::frame::details::StageDetails;
use framewalk_runtime::frame::record::{FrameRecord, HandoffCounts, HandoffMode};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::jobs::JobsStats;
use framewalk_runtime::jobs::seating::Seating;
use framewalk_runtime::time::{FrameIndex, Nanos};

use crate::comparison::{Comparison, ComparisonWanted};

/// Where the program around the panels stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunPhase {
    /// Nothing runs.
    #[default]
    Edit,
    Playing,
    Paused,
    /// Some stages of a frame are done, and everything stands.
    FrameOpen {
        next: Stage,
    },
    /// The run ended by a panic or an error.
    Failed,
}

impl RunPhase {
    /// A scene is playing, paused or in the middle of a frame.
    #[must_use]
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Playing | Self::Paused | Self::FrameOpen { .. })
    }
}

/// A frame of which some stages are done.
#[derive(Clone, Copy, Debug)]
pub struct OpenFrame<'a> {
    /// What is known so far; the fields of later stages are still at their defaults.
    pub record: &'a FrameRecord,
    /// 1 to 5.
    pub stages_done: u8,
}

/// The picture that the program shows now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OnScreen {
    pub run: u32,
    pub frame: FrameIndex,
    /// Where between the last two ticks it was blended, in [0, 1).
    pub alpha: f64,
}

/// Names of keys, for sentences that say what to press. An empty name leaves the key out.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeyNames<'a> {
    pub play: &'a str,
    pub step_stage: &'a str,
    pub go_live: &'a str,
}

/// What workers and queues have done since the run began.
#[derive(Clone, Copy, Debug)]
pub struct JobsView<'a> {
    pub stats: &'a JobsStats,
    /// When that was read, on the clock of the run.
    pub at: Nanos,
}

/// This instant, as the program around the panels knows it. Everything may be left at its default.
#[derive(Clone, Copy, Debug, Default)]
pub struct LiveView<'a> {
    pub state: RunPhase,
    pub open: Option<OpenFrame<'a>>,
    /// What the stages of frame `details_frame` produced so far. Frame 0, which there is none of, where nobody looked at one.
    pub details: Option<&'a StageDetails>,
    pub details_frame: FrameIndex,
    /// What of the run is on screen, where the program shows it.
    pub on_screen: Option<OnScreen>,
    /// The handoff's counts now; without them, those of the newest record are shown.
    pub counts: Option<HandoffCounts>,
    /// The handoff that the next frame takes; without it, nothing is said of one that waits.
    pub handoff_chosen: Option<HandoffMode>,
    /// How often the last snapshot was drawn again for another view, where the program counts it.
    pub redraws: Option<u64>,
    /// How far the newest deadline of the clock that paces the pictures lies after a refresh of the display; none where the
    /// two are not in step.
    pub phase_error: Option<Nanos>,
    /// Zones that found their thread's ring full.
    pub zones_lost: u64,
    /// Input events that came faster than they were taken.
    pub input_lost: u64,
    /// Workers and queues, where the program has any.
    pub jobs: Option<JobsView<'a>>,
    /// The seats of the run's threads, where each was to stay on a core of its own.
    pub seating: Option<&'a Seating>,
    /// How a person gets workers where there are none: a sentence, or empty.
    pub workers_hint: &'a str,
    /// The three handoffs side by side, where the program compares them.
    pub comparison: Option<&'a Comparison>,
    /// Why it does not now: a sentence.
    pub comparison_refused: Option<&'a str>,
    /// What the open scene's own loads make a submit take, in every run of it.
    pub scene_submit: Nanos,
    pub keys: KeyNames<'a>,
}

/// What a panel asks for. The selection is the inspector's own and already changed when `Select`, `SelectRange` or `GoLive` is
/// returned: they tell the program, which need not do anything. The rest is for the program to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InspectorAction {
    StepStage,
    StepFrame,
    StepTick,
    Select(FrameIndex),
    /// A stretch of frames, from where the person began to where they are now.
    SelectRange(FrameIndex, FrameIndex),
    GoLive,
    /// Put this text on the clipboard.
    Copy(String),
    /// Run the scene under each handoff.
    Compare(ComparisonWanted),
    CancelComparison,
}
