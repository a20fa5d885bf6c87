//! Notices when the files of the open project change on disk.

mod mounts;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use framewalk_runtime::time::Nanos;
use notify::{Config, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

/// A burst of writes is over after this long without one.
pub const QUIET: Nanos = Nanos::from_millis(150);
/// Writes without end are looked at after this long all the same.
pub const AT_LATEST: Nanos = Nanos::from_millis(1_000);

/// Where the system does not tell of changes, files are looked at this often.
pub const LOOK_PERIOD: Duration = Duration::from_secs(2);

/// The watched files of one project. Dropped with it.
pub struct Watch {
    // Held for its thread: the events end when it is dropped.
    watcher: Box<dyn Watcher + Send>,
    scenes: PathBuf,
    events: Receiver<Seen>,
    burst: Burst,
    unusual: Option<String>,
}

// What is called on the watch's thread at each event.
type Heard = Box<dyn FnMut(notify::Result<notify::Event>) + Send>;

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    File,
    /// The folder of scenes itself: gone, or made again.
    Folder,
    /// Events were lost, and nobody knows which.
    Lost,
}

impl Watch {
    /// Watches the project's folder and its scenes; `wake` is called from another thread at each change. Where the
    /// system cannot watch, or would not be told of changes, the files are looked at every [`LOOK_PERIOD`] instead:
    /// see [`Self::unusual`].
    ///
    /// Folders are watched rather than files, so that a file saved by renaming, or deleted and made again, is seen.
    ///
    /// # Errors
    /// A sentence when neither is possible; the editor then works without.
    pub fn start(root: &Path, wake: impl Fn() + Send + Clone + 'static) -> Result<Self, String> {
        let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap_or_default();
        let why = match mounts::network_kind(&mounts, root) {
            Some(kind) => format!("they lie on a network drive ({kind})"),
            None => match Self::told_by_system(root, wake.clone()) {
                Ok(watch) => return Ok(watch),
                Err(error) => error.to_string(),
            },
        };
        match Self::looking(root, wake, LOOK_PERIOD) {
            Ok(watch) => {
                let seconds = LOOK_PERIOD.as_secs();
                let text = format!(
                    "The system does not tell when the project's files change ({why}): they are looked at every {seconds} seconds."
                );
                Ok(Self { unusual: Some(text), ..watch })
            }
            Err(error) => Err(format!("files cannot be watched for changes: {why}; nor looked at: {error}")),
        }
    }

    fn told_by_system(root: &Path, wake: impl Fn() + Send + 'static) -> notify::Result<Self> {
        Self::by(root, wake, |handler| RecommendedWatcher::new(handler, Config::default()))
    }

    fn looking(root: &Path, wake: impl Fn() + Send + 'static, period: Duration) -> notify::Result<Self> {
        // Whoever writes twice within a second leaves the same time on some file systems: the text is compared too.
        let config = Config::default().with_poll_interval(period).with_compare_contents(true);
        Self::by(root, wake, |handler| PollWatcher::new(handler, config))
    }

    fn by<W: Watcher + Send + 'static>(
        root: &Path,
        wake: impl Fn() + Send + 'static,
        start: impl FnOnce(Heard) -> notify::Result<W>,
    ) -> notify::Result<Self> {
        let (sender, events) = channel();
        let scenes = root.join(super::SCENES_FOLDER);
        let folder = scenes.clone();
        let mut watcher = start(Box::new(move |event: notify::Result<notify::Event>| {
            let seen = seen(&event, &folder);
            if seen.is_some_and(|seen| sender.send(seen).is_ok()) {
                wake();
            }
        }))?;
        for folder in [root, &scenes] {
            if folder.is_dir() {
                watcher.watch(folder, RecursiveMode::NonRecursive)?;
            }
        }
        Ok(Self { watcher: Box::new(watcher), scenes, events, burst: Burst::default(), unusual: None })
    }

    /// What a person should know once: the system does not tell of changes, and why.
    pub fn unusual(&mut self) -> Option<String> {
        self.unusual.take()
    }

    /// A burst of changes is over: time to read again. Ask also at the time it names, if any.
    pub fn due(&mut self, now: Nanos) -> Due {
        while let Ok(seen) = self.events.try_recv() {
            if seen != Seen::File && self.scenes.is_dir() {
                // A new folder under the old name, as a checkout leaves it: the old one's watch went with it. Where it
                // cannot be watched, its files are still read now.
                let _ = self.watcher.watch(&self.scenes, RecursiveMode::NonRecursive);
            }
            self.burst.changed(now);
        }
        self.burst.due(now)
    }
}

fn seen(event: &notify::Result<notify::Event>, scenes: &Path) -> Option<Seen> {
    let Ok(event) = event else { return Some(Seen::Lost) };
    if event.need_rescan() {
        Some(Seen::Lost)
    } else if event.kind.is_access() {
        None
    } else if event.paths.iter().any(|path| path == scenes) {
        Some(Seen::Folder)
    } else {
        let ron = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "ron");
        event.paths.iter().any(ron).then_some(Seen::File)
    }
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

    /// A project on disk, its watch, and what its watch's thread says.
    struct OnDisk {
        folder: tempfile::TempDir,
        watch: Watch,
        woken: Receiver<()>,
        now: Nanos,
    }

    impl OnDisk {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir(folder.path().join("scenes")).unwrap();
            std::fs::write(folder.path().join("scenes/main.ron"), "old").unwrap();
            let (sender, woken) = channel();
            let watch = Watch::start(folder.path(), move || sender.send(()).unwrap_or_default()).unwrap();
            Self { folder, watch, woken, now: ms(0) }
        }

        fn scene(&self) -> PathBuf {
            self.folder.path().join("scenes/main.ron")
        }

        /// Waits until the system has told of something, and a while more on the clock: how often it is time to read.
        fn reads(&mut self) -> usize {
            let patience = std::time::Duration::from_secs(20);
            self.woken.recv_timeout(patience).expect("the change is seen");
            // What belongs to the same change is told right behind it.
            while self.woken.recv_timeout(std::time::Duration::from_millis(500)).is_ok() {}
            let mut reads = 0;
            for _ in 0..20 {
                reads += usize::from(self.watch.due(self.now) == Due::Now);
                self.now += ms(20);
            }
            reads
        }
    }

    #[test]
    fn on_disk_every_way_of_saving_is_seen_as_one_change() {
        let mut disk = OnDisk::new();
        let scene = disk.scene();
        std::fs::write(&scene, "written over").unwrap();
        assert_eq!(disk.reads(), 1);
        let beside = disk.folder.path().join("scenes/.main.ron.tmp");
        std::fs::write(&beside, "saved by renaming").unwrap();
        std::fs::rename(&beside, &scene).unwrap();
        assert_eq!(disk.reads(), 1);
        std::fs::remove_file(&scene).unwrap();
        std::fs::write(&scene, "deleted and made again").unwrap();
        assert_eq!(disk.reads(), 1);
        for part in 0..100 {
            std::fs::write(&scene, "many writes ".repeat(part)).unwrap();
        }
        assert_eq!(disk.reads(), 1);
        std::fs::remove_dir_all(disk.folder.path().join("scenes")).unwrap();
        std::fs::create_dir(disk.folder.path().join("scenes")).unwrap();
        std::fs::write(&scene, "the folder as well").unwrap();
        assert_eq!(disk.reads(), 1);
        std::fs::write(&scene, "and in that folder").unwrap();
        assert_eq!(disk.reads(), 1);
    }

    #[test]
    fn an_overflow_of_the_queue_and_an_error_of_the_watch_lead_to_a_full_look() {
        let scenes = Path::new("/p/scenes");
        let overflow = notify::Event::new(notify::EventKind::Other).set_flag(notify::event::Flag::Rescan);
        assert_eq!(seen(&Ok(overflow), scenes), Some(Seen::Lost));
        assert_eq!(seen(&Err(notify::Error::generic("the queue broke")), scenes), Some(Seen::Lost));
        let file = |name: &str| notify::Event::new(notify::EventKind::Any).add_path(scenes.join(name));
        assert_eq!(seen(&Ok(file("main.ron")), scenes), Some(Seen::File));
        assert_eq!(seen(&Ok(file("notes.txt")), scenes), None);
    }

    #[test]
    fn on_disk_files_that_the_system_does_not_tell_of_are_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("scenes")).unwrap();
        let scene = folder.path().join("scenes/main.ron");
        std::fs::write(&scene, "old").unwrap();
        let (sender, woken) = channel();
        let wake = move || sender.send(()).unwrap_or_default();
        let mut watch = Watch::looking(folder.path(), wake, Duration::from_millis(50)).unwrap();
        for text in ["new", "wen"] {
            std::fs::write(&scene, text).unwrap();
            woken.recv_timeout(Duration::from_secs(20)).expect("the change is seen");
            assert!(matches!(watch.due(ms(0)), Due::In(_)));
            assert_eq!(watch.due(ms(1_000)), Due::Now);
        }
    }
}
