//! The six stages of a frame and the six phases inside the fourth.

/// One of the six parts of a frame, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Stage {
    /// Takes the queued input events.
    DrainInputs,
    /// Systems that run once a frame, whatever its delta.
    RunAppUpdate,
    /// Takes the free snapshot buffer.
    BeginRenderFrame,
    /// Advances the accumulator, runs the ticks, then flows and phases.
    RunScheduler,
    /// Closes the snapshot and publishes the frame.
    EndRenderFrame,
    /// Drains what agents handed back and prunes what is gone.
    RunMaintenance,
}

impl Stage {
    /// How many stages a frame has.
    pub const COUNT: usize = 6;

    /// Every stage, in running order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::DrainInputs,
        Self::RunAppUpdate,
        Self::BeginRenderFrame,
        Self::RunScheduler,
        Self::EndRenderFrame,
        Self::RunMaintenance,
    ];

    /// The name used in code, files and on screen.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::DrainInputs => "drain_inputs",
            Self::RunAppUpdate => "run_app_update",
            Self::BeginRenderFrame => "begin_render_frame",
            Self::RunScheduler => "run_scheduler",
            Self::EndRenderFrame => "end_render_frame",
            Self::RunMaintenance => "run_maintenance",
        }
    }

    /// Position in [`Stage::ALL`], from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The stage after this one; none after the sixth.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        Self::ALL.get(self.index() + 1).copied()
    }
}

/// One of the six groups in which `run_scheduler` runs its agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Phase {
    Init,
    Observe,
    Transform,
    Mutate,
    Output,
    Finalize,
}

impl Phase {
    /// Every phase, in running order.
    pub const ALL: [Self; 6] =
        [Self::Init, Self::Observe, Self::Transform, Self::Mutate, Self::Output, Self::Finalize];

    /// The name used in code, files and on screen.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Init => "Init",
            Self::Observe => "Observe",
            Self::Transform => "Transform",
            Self::Mutate => "Mutate",
            Self::Output => "Output",
            Self::Finalize => "Finalize",
        }
    }
}
