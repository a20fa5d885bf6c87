//! Writing a file whole or not at all: beside the old one, and then in its place. Nothing else in the program writes one.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::reason::reason;
use super::spelt;

/// What a file is: by that it is decided what may lie in its place, and who may read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What a command was told to write: into a folder that is there; a pipe or a device takes it as it is.
    Output,
    /// A file of a project, or the settings: a folder that is gone is made again.
    Document,
    /// The same, where nothing may lie yet.
    New,
    /// What the program keeps for itself of somebody's work: for nobody else to read.
    Private,
}

/// A file that was not written. What lay there is whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot write {}: {why}", spelt::path(path))]
pub struct NotWritten {
    /// The file that was meant, behind links.
    pub path: PathBuf,
    /// As the end of a sentence.
    pub why: String,
    pub kind: ErrorKind,
}

impl NotWritten {
    fn refused(path: &Path, kind: ErrorKind, why: impl Into<String>) -> Self {
        Self { path: path.to_owned(), why: why.into(), kind }
    }

    fn failed(path: &Path, error: &std::io::Error) -> Self {
        let why = match error.kind() {
            ErrorKind::NotFound => "there is no such folder".to_owned(),
            _ => reason(error),
        };
        Self { path: path.to_owned(), why, kind: error.kind() }
    }
}

/// Writes a file: into a temporary one beside it, which is flushed and put in its place, so that a reader sees the old
/// content or the new one, and never a part. A link stays, and what it names is written. A file keeps its rights and,
/// where the system lets it, its group and owner; a new one gets those that this user's files get. When it returns, the
/// file is there also after the power was cut, as far as the system can promise that.
///
/// # Errors
/// What lies there is no file, is write-protected or somebody else's, or any step failed: the old file is whole.
pub fn write(path: &Path, bytes: &[u8], kind: Kind) -> Result<(), NotWritten> {
    let target = behind_links(path);
    let failed = |error: std::io::Error| NotWritten::failed(&target, &error);
    let found = refuse(path, &target, kind)?;
    if found.as_ref().is_some_and(|found| is_taken_as_it_is(&target, found)) {
        let written = OpenOptions::new()
            .write(true)
            .truncate(true)
            .open(&target)
            .and_then(|mut pipe| pipe.write_all(bytes));
        return match written {
            // Whoever reads has read enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(failed),
        };
    }
    let folder = folder_of(&target);
    if kind != Kind::Output {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut temporary = temporary_in(folder, kind).map_err(failed)?;
    temporary.write_all(bytes).map_err(failed)?;
    if let Some(found) = &found {
        keep_owner(temporary.as_file(), found);
        temporary.as_file().set_permissions(found.permissions()).map_err(failed)?;
    }
    temporary.as_file().sync_all().map_err(failed)?;
    let placed = match kind {
        Kind::New => temporary.persist_noclobber(&target),
        _ => temporary.persist(&target),
    };
    placed.map_err(|error| failed(error.error))?;
    note_on_disk(folder);
    Ok(())
}

/// What would keep [`write()`] from writing there, as far as it can be known before.
///
/// # Errors
/// The same as that function's would be.
pub fn check(path: &Path, kind: Kind) -> Result<(), NotWritten> {
    let target = behind_links(path);
    if refuse(path, &target, kind)?.is_some_and(|found| is_taken_as_it_is(&target, &found)) {
        return Ok(());
    }
    // What is made is gone when this returns.
    match temporary_in(folder_of(&target), kind) {
        Ok(_) => Ok(()),
        Err(error) => Err(NotWritten::failed(&target, &error)),
    }
}

/// It cannot be replaced by a rename: a pipe, a device, or a file that has no name any more.
fn is_taken_as_it_is(target: &Path, found: &Metadata) -> bool {
    !found.is_file() || target.is_symlink()
}

/// What lies at the target, if it may be written over.
fn refuse(path: &Path, target: &Path, kind: Kind) -> Result<Option<Metadata>, NotWritten> {
    let refused = |kind, why: &str| Err(NotWritten::refused(target, kind, why));
    let found = match std::fs::metadata(target) {
        Ok(found) => Some(found),
        // However many links were followed, there is one more.
        Err(error) if target.is_symlink() => {
            return Err(NotWritten::refused(target, error.kind(), reason(&error)));
        }
        Err(_) => None,
    };
    match &found {
        // A file in place of these would be another thing than was there.
        Some(found) if found.is_dir() => refused(ErrorKind::IsADirectory, "it is a folder"),
        Some(_) if kind == Kind::New => refused(ErrorKind::AlreadyExists, "it is there already"),
        Some(found) if !found.is_file() && kind == Kind::Output => Ok(()),
        Some(found) if !found.is_file() => {
            refused(ErrorKind::Unsupported, "it is no file, but a pipe or a device")
        }
        Some(found) if found.permissions().readonly() => {
            refused(ErrorKind::PermissionDenied, "the file is write-protected")
        }
        // Who may write to the folder could put another file in place of one that is somebody else's.
        Some(_) if is_denied(target) => refused(ErrorKind::PermissionDenied, "permission denied"),
        // A drive that is not there now, for one: its folder is not made up.
        None if path.is_symlink() && !folder_of(target).is_dir() => {
            let why = format!("{} is a link into a folder that is not there", spelt::path(path));
            refused(ErrorKind::NotFound, &why)
        }
        _ => Ok(()),
    }?;
    Ok(found)
}

/// This user may not write to the file.
fn is_denied(file: &Path) -> bool {
    let opened = OpenOptions::new().write(true).open(file);
    opened.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
}

/// An empty file, which is removed unless it is put in another's place. By its name it is known what was left behind
/// where the program was killed.
fn temporary_in(folder: &Path, kind: Kind) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".framewalk-").suffix(".tmp");
    // By default such a file is the user's alone. Of these rights the system takes away what its `umask` says.
    #[cfg(unix)]
    if kind != Kind::Private {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = kind;
    builder.tempfile_in(folder)
}

/// The owner and the group that the old file has, where the system lets this user give them: else who shares it with a
/// group would have taken it away from the others.
#[cfg(unix)]
fn keep_owner(file: &File, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    if file.metadata().is_ok_and(|new| (new.uid(), new.gid()) != (old.uid(), old.gid())) {
        drop(fchown(file, None, Some(old.gid())));
        drop(fchown(file, Some(old.uid()), None));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

/// What was renamed in a folder has its new name also after the power was cut, as far as the system can promise that.
fn note_on_disk(folder: &Path) {
    if cfg!(unix)
        && let Ok(folder) = File::open(folder)
    {
        drop(folder.sync_all());
    }
}

/// The folder a file lies in, or would.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Behind a link lies the file that is meant, also one that is yet to be made; the link stays. Some links name nothing that
/// has a path, such as `/dev/fd/63` a pipe: these are what is meant, and so is one of a circle.
#[must_use]
pub fn behind_links(path: &Path) -> PathBuf {
    // As many as Linux follows: links may lead round in a circle.
    const MOST_LINKS: usize = 40;
    let mut at = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(target) = at.read_link() else { break };
        let target = folder_of(&at).join(target);
        if !is_path_to(&target, &at) {
            break;
        }
        at = target;
    }
    at
}

/// What a link reads as leads to the same as the link itself, which may be nothing.
#[cfg(unix)]
fn is_path_to(target: &Path, link: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let behind = |path: &Path| path.metadata().ok().map(|found| (found.dev(), found.ino()));
    behind(target) == behind(link)
}

#[cfg(not(unix))]
fn is_path_to(_: &Path, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests;
