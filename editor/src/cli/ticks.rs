//! How the ticks of a run go, over what its project says.

use super::workers::WorkersArgs;
use clap::Args;
use framewalk_runtime::scene::fault::Fault;
use framewalk_runtime::scene::project::{HandoffMode, Limits, PhysicsDivisor, Project};
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::time::fixed_step::MaxTicks;
use framewalk_runtime::time::{Rate, Speed};

/// What is said about them on a command line.
#[derive(Args, Debug)]
pub struct TickArgs {
    /// Ticks a second, 1 to 1000 [default: the project's]
    #[arg(long, value_name = "HZ", value_parser = rate, allow_hyphen_values = true)]
    pub tick_rate: Option<Rate>,
    /// Most ticks in one frame, 1 to 10000 [default: the project's, else the ticks in 5/60 s]
    #[arg(long, value_name = "N", value_parser = max_ticks, allow_hyphen_values = true)]
    pub max_ticks: Option<u32>,
    /// Simulated time against real time, 0 to 8 in steps of 0.001 [default: the project's]
    #[arg(long, value_name = "X", value_parser = speed, allow_hyphen_values = true)]
    pub speed: Option<Speed>,
    /// A physics step spans so many ticks, 1 to 64 [default: the project's]
    #[arg(long, value_name = "N", value_parser = physics_divisor, allow_hyphen_values = true)]
    pub physics_divisor: Option<PhysicsDivisor>,
    #[command(flatten)]
    pub workers: WorkersArgs,
}

impl TickArgs {
    /// The project's settings, and over them what a command was told; for a run in real time that nothing ends.
    #[must_use]
    pub fn settings(
        &self,
        project: &Project,
        frame_rate: Option<Rate>,
        handoff: Option<HandoffMode>,
    ) -> RunSettings {
        RunSettings {
            run: 1,
            tick_rate: self.tick_rate.unwrap_or(project.tick_rate),
            physics_divisor: self.physics_divisor.unwrap_or(project.physics_divisor),
            frame_rate: frame_rate.unwrap_or(project.frame_rate),
            speed: self.speed.unwrap_or(project.speed),
            max_ticks: self.max_ticks.map_or(project.limits.max_ticks, MaxTicks::Fixed),
            max_delta: project.limits.max_delta,
            handoff: handoff.unwrap_or(project.handoff),
            start_paused: false,
            tick_limit: None,
            workers: self.workers.options(),
        }
    }
}

/// Deadlines or ticks a second, as they are written on a command line.
pub(super) fn rate(text: &str) -> Result<Rate, String> {
    text.parse().map_err(|error: framewalk_runtime::time::RateError| error.to_string())
}

fn speed(text: &str) -> Result<Speed, String> {
    text.parse().map_err(|error: framewalk_runtime::time::SpeedError| error.to_string())
}

fn physics_divisor(text: &str) -> Result<PhysicsDivisor, String> {
    text.parse().map_err(|fault: Fault| fault.sentence())
}

fn max_ticks(text: &str) -> Result<u32, String> {
    Limits::max_ticks(text).map_err(|fault| fault.sentence())
}
