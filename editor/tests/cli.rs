//! The command line from outside: the program itself, as a person or a script starts it.

// Helpers may unwrap like tests do, and values that are right are right to the bit.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

#[path = "cli/support.rs"]
mod support;

#[path = "cli/cadence.rs"]
mod cadence;
#[path = "cli/check.rs"]
mod check;
#[path = "cli/field_cases.rs"]
mod field_cases;
#[path = "cli/fmt.rs"]
mod fmt;
#[path = "cli/handoffs.rs"]
mod handoffs;
#[cfg(target_os = "linux")]
#[path = "cli/hung_up_in_real_time.rs"]
mod hung_up_in_real_time;
#[path = "cli/motion.rs"]
mod motion;
#[path = "cli/new.rs"]
mod new;
#[path = "cli/odd_files.rs"]
mod odd_files;
#[path = "cli/pictures.rs"]
mod pictures;
#[path = "cli/play.rs"]
mod play;
#[path = "cli/readme.rs"]
mod readme;
#[path = "cli/run.rs"]
mod run;
#[path = "cli/scripted.rs"]
mod scripted;
#[cfg(unix)]
#[path = "cli/stopped_in_real_time.rs"]
mod stopped_in_real_time;
#[path = "cli/usage.rs"]
mod usage;
