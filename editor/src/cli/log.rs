//! Log lines on stderr, for the commands without a window.

use super::run::progress;
use crate::log_lines::LOG_VARIABLE;
use tracing_subscriber::EnvFilter;

/// What is logged without it: what this program says about a run, and the warnings of everything else.
const DEFAULT_FILTER: &str = "warn,framewalk=info";

/// Starts logging for the rest of the process. Lines carry no time, so that two runs can be compared.
pub fn to_stderr() {
    let filter = EnvFilter::try_from_env(LOG_VARIABLE).unwrap_or_else(|_| EnvFilter::new(DEFAULT_FILTER));
    let started = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| progress::AboveTheBar)
        .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
        .without_time()
        .with_target(false)
        .try_init();
    // Only a second call can fail, and the first one's logging goes on.
    drop(started);
}
