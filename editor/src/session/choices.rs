//! What a person sets for runs, beside what the project says.

use framewalk_runtime::jobs::thread::WorkersOptions;
use framewalk_runtime::scene::project::{HandoffMode, PhysicsDivisor, Project};
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::observe::Observed;
use framewalk_runtime::sim::paced::PacedOptions;
use framewalk_runtime::time::pacer::Pacing;
use framewalk_runtime::time::{Nanos, Rate, Speed};

use super::{Phase, Session};

/// Where the frame rate comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameRateChoice {
    /// The display's, followed from one display to another; the project's where none is known.
    #[default]
    Display,
    /// A number a person has set, which wins.
    Fixed(Rate),
}

/// What a person has set for this and the next runs of a project.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunChoices {
    pub speed: Speed,
    pub tick_rate: Rate,
    /// How many ticks a physics step spans.
    pub physics_divisor: PhysicsDivisor,
    pub frame_rate: FrameRateChoice,
    /// How frames reach the render thread.
    pub handoff: HandoffMode,
    /// Pause was pressed before Play: frame 1 is shown and stands.
    pub start_paused: bool,
}

/// The rates and limits of a project.
pub(super) fn settings_of(project: &Project) -> RunSettings {
    RunSettings {
        tick_rate: project.tick_rate,
        physics_divisor: project.physics_divisor,
        frame_rate: project.frame_rate,
        speed: project.speed,
        max_ticks: project.limits.max_ticks,
        max_delta: project.limits.max_delta,
        ..RunSettings::default()
    }
}

/// How the threads of the next runs in real time are set up: it belongs to the machine, not to the project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunThreads {
    pub workers: WorkersOptions,
    /// How the simulation meets its deadlines.
    pub pacing: Pacing,
    /// How the render thread does.
    pub render_pacing: Pacing,
    /// More readers of the lockstep beside it, and what each takes at least with a frame.
    pub observers: usize,
    pub observer_cost: Nanos,
}

/// How a run is driven.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    pub paced: PacedOptions,
    /// What each observer takes at least with a frame.
    pub observer_cost: Nanos,
}

impl RunThreads {
    /// Options of a run that is looked at, with these.
    #[must_use]
    pub fn options(&self) -> RunOptions {
        let paced = PacedOptions {
            pacing: self.pacing,
            render_pacing: self.render_pacing,
            observers: self.observers,
            observed: Observed::Yes,
            ..PacedOptions::default()
        };
        RunOptions { paced, observer_cost: self.observer_cost }
    }
}

impl Session {
    /// Another handoff was chosen, and frames take it from the next one on.
    #[must_use]
    pub fn handoff_waits(&self) -> bool {
        let is_other = self.counts().is_some_and(|counts| counts.mode != self.choices.handoff);
        is_other && self.is_live() && self.phase != Phase::Playing
    }
}
