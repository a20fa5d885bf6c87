//! Who may write to a project: one editor at a time, by a lock that the system takes back when its holder is gone.
//!
//! Each project has a folder under `locks/` of the user's data. In it lie `lock`, which the holder keeps locked;
//! `holder`, which says who that is; and `wanted`, which another editor writes when a person wants to work there.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::data::key_of;
use super::read_text;
use super::reason::reason;
use super::whole::{self, Kind};

/// The right to write to a project, for as long as this lives.
#[derive(Debug)]
pub struct ProjectLock {
    // Held for its lock: the system takes it back when the file is closed, also by a crash.
    _file: File,
    folder: PathBuf,
    // Tells when another editor wants the right, for as long as it lives.
    watcher: Option<RecommendedWatcher>,
}

/// What became of asking for the right.
#[derive(Debug)]
pub enum Asked {
    Ours(ProjectLock),
    /// Another editor has it: its process, where that is known.
    Theirs(Option<u32>),
}

/// The folder of a project's lock.
#[must_use]
pub fn lock_folder(data: &Path, root: &Path) -> PathBuf {
    data.join("locks").join(key_of(root))
}

impl ProjectLock {
    /// Takes the right to write, if nobody has it. What was wanted of an earlier holder is forgotten.
    ///
    /// # Errors
    /// Why nobody can have it: the folder cannot be written, or its file system has no locks.
    pub fn ask(data: &Path, root: &Path) -> Result<Asked, String> {
        let folder = lock_folder(data, root);
        let failed = |error: std::io::Error| {
            format!(
                "another editor of this project would not be noticed: {}: {}",
                folder.display(),
                reason(&error)
            )
        };
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let options = OpenOptions::new().create(true).truncate(false).write(true).to_owned();
        let file = options.open(folder.join("lock")).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(Asked::Theirs(number_in(&folder.join("holder")))),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // Where these cannot be written, the lock is ours all the same: only the number is not told.
        drop(whole::write(&folder.join("holder"), own_number().as_bytes(), Kind::Private));
        drop(std::fs::remove_file(folder.join("wanted")));
        Ok(Asked::Ours(Self { _file: file, folder, watcher: None }))
    }

    /// Has `wake` called from another thread when another editor wants the right, where the system can tell.
    pub fn watch(&mut self, wake: impl Fn() + Send + 'static) {
        let told = move |event: notify::Result<notify::Event>| {
            // Looking for it is told too, and is nothing new.
            if !event.is_ok_and(|event| event.kind.is_access()) {
                wake();
            }
        };
        let watcher = notify::recommended_watcher(told);
        self.watcher = watcher.ok().and_then(|mut watcher| {
            watcher.watch(&self.folder, RecursiveMode::NonRecursive).ok()?;
            Some(watcher)
        });
    }

    /// It need not be looked whether another editor wants the right: that is told.
    #[must_use]
    pub fn is_watched(&self) -> bool {
        self.watcher.is_some()
    }

    /// Another editor wants the right: its process.
    #[must_use]
    pub fn wanted(&self) -> Option<u32> {
        number_in(&self.folder.join("wanted"))
    }
}

/// Asks whoever has the right to give it up.
///
/// # Errors
/// A sentence: it cannot be asked.
pub fn want(data: &Path, root: &Path) -> Result<(), String> {
    let file = lock_folder(data, root).join("wanted");
    whole::write(&file, own_number().as_bytes(), Kind::Private)
        .map_err(|error| format!("the other editor cannot be asked: {}: {}", file.display(), error.why))
}

/// Asks no more. What another editor has asked for since stays.
pub fn want_no_more(data: &Path, root: &Path) {
    let file = lock_folder(data, root).join("wanted");
    if number_in(&file) == Some(std::process::id()) {
        drop(std::fs::remove_file(file));
    }
}

/// Whether an editor has the right to write to a project now. Nothing is made or changed.
#[must_use]
pub fn is_held(data: &Path, root: &Path) -> bool {
    let file = OpenOptions::new().write(true).open(lock_folder(data, root).join("lock"));
    file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Whether this process has ended, or is about to: one that was killed may hold its locks for seconds yet. Where nobody
/// can tell, it has not.
#[must_use]
pub fn is_gone(process: u32) -> bool {
    if !cfg!(target_os = "linux") {
        return false;
    }
    // Its words go with its memory, before its files are closed.
    match std::fs::read(format!("/proc/{process}/cmdline")) {
        Ok(words) => words.is_empty(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

fn own_number() -> String {
    std::process::id().to_string()
}

fn number_in(file: &Path) -> Option<u32> {
    read_text(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_is_first_and_gets_it_once_the_first_is_gone() {
        let data = tempfile::tempdir().unwrap();
        let root = Path::new("/games/one");
        let Ok(Asked::Ours(first)) = ProjectLock::ask(data.path(), root) else { panic!("nobody has it") };
        let second = ProjectLock::ask(data.path(), root).unwrap();
        assert!(matches!(second, Asked::Theirs(Some(pid)) if pid == std::process::id()), "{second:?}");
        let other = ProjectLock::ask(data.path(), Path::new("/games/two")).unwrap();
        assert!(matches!(other, Asked::Ours(_)), "another project is another lock");
        assert_eq!(first.wanted(), None);
        want(data.path(), root).unwrap();
        assert_eq!(first.wanted(), Some(std::process::id()));
        want_no_more(data.path(), root);
        assert_eq!(first.wanted(), None, "it was taken back");
        assert!(is_held(data.path(), root) && !is_held(data.path(), Path::new("/games/three")));
        want(data.path(), root).unwrap();
        drop(first);
        assert!(!is_held(data.path(), root));
        let Ok(Asked::Ours(again)) = ProjectLock::ask(data.path(), root) else { panic!("it was let go") };
        assert_eq!(again.wanted(), None, "what was wanted of the first is not wanted of the next");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_that_has_ended_is_gone_and_this_one_is_not() {
        assert!(!is_gone(std::process::id()));
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        assert!(is_gone(child.id()));
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_said_in_a_sentence() {
        let data = tempfile::tempdir().unwrap();
        std::fs::write(data.path().join("locks"), "a file").unwrap();
        let problem = ProjectLock::ask(data.path(), Path::new("/games/one")).unwrap_err();
        assert!(problem.contains("would not be noticed"), "{problem}");
    }
}
