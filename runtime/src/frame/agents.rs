//! The fixed list of agents: what each phase runs, and which of them ran in the ticks already.

use super::stage::Phase;

/// How often an agent runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cadence {
    /// In every tick, and not again in its phase.
    FixedStep,
    OnceAFrame,
}

/// The agents of today, in running order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    Spawning,
    Motion,
    Physics,
    Teleporting,
    /// Of an application that has any.
    Application,
    Rendering,
    Audio,
    Census,
}

impl Agent {
    /// Every agent, in running order.
    pub const ALL: [Self; 8] = [
        Self::Spawning,
        Self::Motion,
        Self::Physics,
        Self::Teleporting,
        Self::Application,
        Self::Rendering,
        Self::Audio,
        Self::Census,
    ];

    #[must_use]
    pub const fn phase(self) -> Phase {
        match self {
            Self::Spawning => Phase::Init,
            Self::Motion | Self::Physics => Phase::Transform,
            Self::Teleporting | Self::Application => Phase::Mutate,
            Self::Rendering | Self::Audio => Phase::Output,
            Self::Census => Phase::Finalize,
        }
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spawning => "spawning",
            Self::Motion => "motion",
            Self::Physics => "physics",
            Self::Teleporting => "teleporting",
            Self::Application => "application",
            Self::Rendering => "rendering",
            Self::Audio => "audio",
            Self::Census => "census",
        }
    }

    #[must_use]
    pub const fn cadence(self) -> Cadence {
        match self {
            Self::Rendering | Self::Audio | Self::Census => Cadence::OnceAFrame,
            _ => Cadence::FixedStep,
        }
    }
}
