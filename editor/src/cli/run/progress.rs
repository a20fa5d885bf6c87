//! A progress bar on stderr, where that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::OnceLock;

/// Steps of a full bar.
const STEPS: u64 = 1000;

// The bar of this process's one run, so that log lines can be written above it.
static BAR: OnceLock<ProgressBar> = OnceLock::new();

/// Stderr, with the bar out of the way while something is written.
#[derive(Clone, Copy, Debug)]
pub struct AboveTheBar;

impl Write for AboveTheBar {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let write = || std::io::stderr().write(bytes);
        BAR.get().map_or_else(write, |bar| bar.suspend(write))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stderr().flush()
    }
}

/// Shows how far a run has come; does nothing where nobody would see it.
pub struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// An empty bar, named after what runs.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(10);
            let bar = ProgressBar::with_draw_target(Some(STEPS), target).with_message(name.to_owned());
            // The template is a constant; were it ever wrong, the plain bar does.
            if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} %  {elapsed}") {
                bar.set_style(style);
            }
            BAR.get_or_init(|| bar).clone()
        });
        Self { bar }
    }

    /// `share` is 0–1.
    pub fn set(&self, share: f64) {
        if let Some(bar) = &self.bar {
            let step = (share * STEPS as f64) as u64;
            if step != bar.position() {
                bar.set_position(step);
            }
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
