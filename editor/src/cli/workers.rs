//! How many threads help a run, and which cores they stay on.

use crate::cores::WorkersWanted;
use clap::Args;
use framewalk_runtime::jobs::thread::{MOST_WORKERS, WorkersOptions};
use std::fmt::Display;
use std::str::FromStr;

/// What is said about them on a command line.
#[derive(Args, Debug, Default)]
pub struct WorkersArgs {
    /// Threads that help with a tick, 0 to 48; what a run does is the same with any number of them
    /// [default: two fewer than there are cores, but one where there are two; none with --pace instant]
    #[arg(long, value_name = "N", value_parser = workers, allow_hyphen_values = true)]
    pub workers: Option<usize>,
    /// Keep each of them, sim and render on a core of its own, as far as there are enough: physical ones first, core 0 last;
    /// where there is none left for render, it shares the one of sim. Without this a worker only keeps off sim's core
    #[arg(long)]
    pub pin: bool,
    /// How many of a hundred workers look for physics first, 0 to 100; rounded to the nearest worker [default: 25]
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_hyphen_values = true)]
    pub physics_share: Option<u32>,
}

impl WorkersArgs {
    /// For a run in real time, whose other threads wait.
    #[must_use]
    pub fn options(&self) -> WorkersOptions {
        self.wanted().in_real_time()
    }

    /// With so many where nothing is said.
    #[must_use]
    pub fn options_or(&self, usual: usize) -> WorkersOptions {
        self.wanted().or(usual)
    }

    const fn wanted(&self) -> WorkersWanted {
        WorkersWanted { workers: self.workers, pin: self.pin, physics_percent: self.physics_share }
    }
}

fn workers(text: &str) -> Result<usize, String> {
    zero_to(text, MOST_WORKERS)
}

fn percent(text: &str) -> Result<u32, String> {
    zero_to(text, 100)
}

fn zero_to<N: FromStr + PartialOrd + Display>(text: &str, most: N) -> Result<N, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number| plain && *number <= most);
    number.ok_or_else(|| format!("write a whole number from 0 to {most}"))
}
