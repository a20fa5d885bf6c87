//! Notices when the files of the open project change on disk.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};

use framewalk_runtime::time::Nanos;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

/// A burst of writes is over after this long without one.
pub const QUIET: Nanos = Nanos::from_millis(150);
/// Writes without end are looked at after this long all the same.
pub const AT_LATEST: Nanos = Nanos::from_millis(1_000);

/// The watched files of one project. Dropped with it.
pub struct Watch {
    // Held for its thread: the events end when it is dropped.
    _watcher: RecommendedWatcher,
    events: Receiver<()>,
    burst: Burst,
}

impl Watch {
    /// Watches the project's folder and its scenes; `wake` is called from another thread at each change.
    ///
    /// Folders are watched rather than files, so that a file saved by renaming, or deleted and made again, is seen.
    ///
    /// # Errors
    /// A sentence when the system cannot watch; the editor then works without.
    pub fn start(root: &Path, wake: impl Fn() + Send + 'static) -> Result<Self, String> {
        let (sender, events) = channel();
        let report = |error: notify::Error| format!("files cannot be watched for changes: {error}");
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| matters(&event)) && sender.send(()).is_ok() {
                wake();
            }
        })
        .map_err(report)?;
        for folder in [root.to_owned(), root.join("scenes")] {
            if folder.is_dir() {
                watcher.watch(&folder, RecursiveMode::NonRecursive).map_err(report)?;
            }
        }
        Ok(Self { _watcher: watcher, events, burst: Burst::default() })
    }

    /// A burst of changes is over: time to read again. Ask also at the time it names, if any.
    pub fn due(&mut self, now: Nanos) -> Due {
        while self.events.try_recv().is_ok() {
            self.burst.changed(now);
        }
        self.burst.due(now)
    }
}

fn matters(event: &notify::Event) -> bool {
    let ron = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "ron");
    !event.kind.is_access() && event.paths.iter().any(ron)
}

/// Whether it is time to read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    Nothing,
    Now,
    /// Not yet: ask again after so long.
    In(Nanos),
}

/// Many writes in a row, seen as one change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Burst {
    // When the first and the last of them were seen.
    times: Option<(Nanos, Nanos)>,
}

impl Burst {
    pub fn changed(&mut self, now: Nanos) {
        let first = self.times.map_or(now, |(first, _)| first);
        self.times = Some((first, now));
    }

    /// `Now` once a burst, when it has been quiet for long enough or has lasted too long.
    pub fn due(&mut self, now: Nanos) -> Due {
        let Some((first, last)) = self.times else { return Due::Nothing };
        let until = (last + QUIET).min(first + AT_LATEST);
        if now >= until {
            self.times = None;
            return Due::Now;
        }
        Due::In(until - now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: i64) -> Nanos {
        Nanos::from_millis(millis)
    }

    #[test]
    fn a_burst_is_one_change_after_it_is_quiet() {
        let mut burst = Burst::default();
        assert_eq!(burst.due(ms(0)), Due::Nothing);
        for at in [0, 50, 100] {
            burst.changed(ms(at));
        }
        assert_eq!(burst.due(ms(100)), Due::In(ms(150)));
        assert_eq!(burst.due(ms(250)), Due::Now);
        assert_eq!(burst.due(ms(251)), Due::Nothing);
    }

    #[test]
    fn writes_without_end_are_read_after_a_second() {
        let mut burst = Burst::default();
        let mut reads = 0;
        for at in (0..=2_000).step_by(50) {
            burst.changed(ms(at));
            reads += i32::from(burst.due(ms(at)) == Due::Now);
        }
        assert_eq!(reads, 1, "the first second ends in one reading, the next is not over");
    }
}
