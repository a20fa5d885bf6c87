//! Further readers of the lockstep, as they are asked for on a command line.

use super::CliError;
use super::cost::cost_millis;
use clap::Args;
use framewalk_runtime::frame::record::MOST_OBSERVERS;
use framewalk_runtime::scene::project::HandoffMode;
use framewalk_runtime::sim::observers::thread::{Reading, busy_for};
use framewalk_runtime::time::Nanos;

/// What is said about them.
#[derive(Args, Debug, Default)]
pub struct ObserverArgs {
    /// Lockstep: so many more readers of every frame beside the render thread, 0 to 6, each on a thread of its own. All of
    /// them meet with the simulation at the end of every frame, and what each read is held against what the others did: a
    /// frame that was not whole, or not the same for all, is a fault. While a script has chosen another handoff they wait and
    /// read nothing. Not with --pace instant, which has one thread [default: 0]
    #[arg(long, value_name = "N", value_parser = observers, allow_negative_numbers = true)]
    pub observers: Option<usize>,
    /// Milliseconds that each of them takes at least with every frame: the simulation and the render thread wait for the
    /// slowest [default: 0]
    #[arg(long, value_name = "MS", value_parser = cost_millis, requires = "observers", allow_negative_numbers = true)]
    pub observer_cost: Option<Nanos>,
}

/// Where frames of a run go while it lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meets {
    /// In lockstep, from the first frame on or from a later one.
    Sometimes,
    /// Never: by the handoff that it begins with.
    Never(HandoffMode),
}

impl Meets {
    /// Of a run that begins with this handoff.
    #[must_use]
    pub fn of(handoff: HandoffMode) -> Self {
        if handoff == HandoffMode::Lockstep { Self::Sometimes } else { Self::Never(handoff) }
    }
}

impl ObserverArgs {
    /// How many.
    #[must_use]
    pub fn count(&self) -> usize {
        self.observers.unwrap_or(0)
    }

    /// What each of them does with a frame, beside reading it.
    #[must_use]
    pub fn reading(&self) -> Reading {
        busy_for(self.observer_cost.unwrap_or_default())
    }

    /// # Errors
    /// They would never meet anybody.
    pub fn refuse_idle(&self, meets: Meets) -> Result<(), CliError> {
        match meets {
            Meets::Never(handoff) if self.count() > 0 => Err(CliError::Usage(format!(
                "--observers are readers of the lockstep, and with handoff {} nobody meets them: add --handoff lockstep",
                handoff.name()
            ))),
            _ => Ok(()),
        }
    }

    /// # Errors
    /// There is one thread only, and some were asked for.
    pub fn refuse_one_thread(&self) -> Result<(), CliError> {
        if self.count() == 0 {
            return Ok(());
        }
        Err(CliError::Usage(
            "--observers are threads that meet with the simulation, and --pace instant or --cadence has one thread for all: use \
             --pace real"
                .to_owned(),
        ))
    }
}

fn observers(text: &str) -> Result<usize, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let observers = text.parse().ok().filter(|observers| plain && *observers <= MOST_OBSERVERS);
    observers.ok_or_else(|| {
        format!(
            "write a whole number from 0 to {MOST_OBSERVERS}: so many have room at a meeting with the simulation and the \
             render thread"
        )
    })
}
