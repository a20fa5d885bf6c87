//! Opening a file or folder in the program that the system has for it: `xdg-open` and its like, never waited for.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::project::store::is_there;

/// The program that opens things here.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// Asks the system to open things, and hears later what went wrong.
pub struct Opener {
    program: String,
    send: Sender<String>,
    faults: Receiver<String>,
}

impl Default for Opener {
    fn default() -> Self {
        Self::with_program(OPENER)
    }
}

impl Opener {
    /// Through a program of one's own.
    #[must_use]
    pub fn with_program(program: &str) -> Self {
        let (send, faults) = channel();
        Self { program: program.to_owned(), send, faults }
    }

    /// Opens a file or folder; `wake` is called from another thread when that has failed.
    pub fn open(&self, path: &Path, wake: impl Fn() + Send + 'static) {
        let (program, path, send) = (self.program.clone(), path.to_owned(), self.send.clone());
        let ask = move || {
            if let Err(fault) = open_and_wait(&program, &path) {
                // Nobody listens any more when the window has closed.
                let _ = send.send(fault);
                wake();
            }
        };
        if let Err(error) = std::thread::Builder::new().name("opener".to_owned()).spawn(ask) {
            let _ = self.send.send(format!("cannot open anything: no thread could be started ({error})"));
        }
    }

    /// What could not be opened since the last call, and why.
    pub fn poll(&self) -> Option<String> {
        self.faults.try_recv().ok()
    }
}

fn open_and_wait(program: &str, path: &Path) -> Result<(), String> {
    let shown = path.display();
    if !is_there(path) {
        return Err(format!("cannot open {shown}: there is no such file or folder"));
    }
    let status = Command::new(program)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| format!("cannot open {shown}: {program} could not be started ({error})"))?;
    // Explorer answers 1 when all is well.
    if status.success() || cfg!(windows) {
        return Ok(());
    }
    Err(format!("cannot open {shown}: {program} says no ({status}). Is there a program for such files?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened_with(program: &str, path: &str) -> Result<(), String> {
        open_and_wait(program, Path::new(path))
    }

    #[test]
    fn what_is_not_there_is_not_opened() {
        let fault = opened_with("true", "/nowhere/at/all").unwrap_err();
        assert_eq!(fault, "cannot open /nowhere/at/all: there is no such file or folder");
    }

    #[test]
    fn a_program_that_is_missing_or_refuses_is_named() {
        let missing = opened_with("no-such-opener-here", ".").unwrap_err();
        assert!(missing.contains("no-such-opener-here could not be started"), "{missing}");
        if cfg!(unix) {
            assert!(opened_with("false", ".").unwrap_err().contains("false says no"));
            assert_eq!(opened_with("true", "."), Ok(()));
        }
    }
}
