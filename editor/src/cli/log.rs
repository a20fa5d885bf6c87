//! Log lines on stderr, for the commands without a window.

use super::run::progress;
use crate::log_lines;

/// Starts logging for the rest of the process. Lines carry no time, so that two runs can be compared.
pub fn to_stderr() {
    let (filter, refused) = log_lines::filter();
    let started = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| progress::AboveTheBar)
        .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
        .without_time()
        .with_target(false)
        .try_init();
    // Only a second call can fail, and the first one's logging goes on.
    drop(started);
    if let Some(sentence) = refused {
        tracing::warn!(target: "framewalk", "{sentence}");
    }
}
