//! How many threads help a run, and which cores they stay on.

use crate::project::store::Pipes;
use crate::project::store::load::read_text;
use clap::Args;
use framewalk_runtime::jobs::thread::{MOST_WORKERS, Placement, WorkersOptions, usual_workers, waiting_help};
use framewalk_runtime::jobs::topology::{Core, Topology, usable_cores};
use std::path::Path;

/// What is said about them on a command line.
#[derive(Args, Debug, Default)]
pub struct WorkersArgs {
    /// Threads that help with a tick, 0 to 48; what a run does is the same with any number of them
    /// [default: two fewer than there are cores, but one where there are two; none with --pace instant]
    #[arg(long, value_name = "N", value_parser = workers, allow_negative_numbers = true)]
    pub workers: Option<usize>,
    /// Keep each of them, sim and render on a core of its own, as far as there are enough: physical ones first, core 0 last;
    /// where there is none left for render, it shares the one of sim. Without this a worker only keeps off sim's core
    #[arg(long)]
    pub pin: bool,
}

impl WorkersArgs {
    /// For a run in real time, whose other threads wait.
    #[must_use]
    pub fn options(&self) -> WorkersOptions {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let options = self.options_or(usual_workers(cores));
        WorkersOptions { waiting_help: waiting_help(cores, options.workers), ..options }
    }

    /// With so many where nothing is said.
    #[must_use]
    pub fn options_or(&self, usual: usize) -> WorkersOptions {
        let workers = self.workers.unwrap_or(usual);
        let placement =
            if self.pin { Placement::Pinned(topology().seats(workers)) } else { Placement::default() };
        WorkersOptions { placement, ..WorkersOptions::of(workers) }
    }
}

/// What the system says of the cores that this program may use; where it says nothing, each counts as one of its own.
fn topology() -> Topology {
    let siblings = |core: Core| {
        let path = format!("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", core.0);
        read_text(Path::new(&path), Pipes::Refused).unwrap_or_default()
    };
    let cores: Vec<(Core, String)> = usable_cores().into_iter().map(|core| (core, siblings(core))).collect();
    Topology::new(cores.iter().map(|(core, siblings)| (*core, siblings.as_str())))
}

fn workers(text: &str) -> Result<usize, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let workers = text.parse().ok().filter(|workers| plain && *workers <= MOST_WORKERS);
    workers.ok_or_else(|| format!("write a whole number from 0 to {MOST_WORKERS}"))
}
