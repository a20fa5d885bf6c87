//! Whole files for the command line and for new projects, and why one could not be written, as people say it.

use super::LARGEST_FILE;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Why something could not be written, as people say it.
#[must_use]
pub fn write_reason(kind: ErrorKind) -> String {
    match kind {
        ErrorKind::NotFound => "there is no such folder".to_owned(),
        other => reason(other),
    }
}

/// An I/O error as people say it, without the number of the system call's error.
#[must_use]
pub fn reason(kind: ErrorKind) -> String {
    match kind {
        ErrorKind::NotFound => "no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        ErrorKind::NotADirectory => "a part of the path is a file".to_owned(),
        ErrorKind::StorageFull => "the disk is full".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        ErrorKind::Unsupported => "it is no file, but a pipe or a device".to_owned(),
        ErrorKind::FileTooLarge => format!("it is larger than {} MiB", LARGEST_FILE >> 20),
        other => other.to_string(),
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

/// Temporary file beside it, flush, rename: readers see the old content or the new, never a part.
///
/// # Errors
/// Any step failed; the file at `path` is as it was.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if path.is_dir() {
        return Err(std::io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
    }
    // A device or a pipe cannot be replaced by a rename.
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return std::fs::write(path, bytes);
    }
    let path = &behind_links(path);
    let mut file = temporary(path)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    if let Ok(metadata) = path.metadata() {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// An empty file beside `path`, which is removed unless it is put in its place.
///
/// # Errors
/// None can be made there.
pub fn temporary(path: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".framewalk-").suffix(".tmp");
    // Temporary files are private by default; what is written here is as readable as any new file.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder_of(path))
}

/// Behind a link lies the file that is meant, also one that is yet to be made; the link stays.
#[must_use]
pub fn behind_links(path: &Path) -> PathBuf {
    // As many as Linux follows: links may lead round in a circle.
    const MOST_LINKS: usize = 40;
    let mut at = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(target) = at.read_link() else { break };
        at = folder_of(&at).join(target);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_link_stays_and_what_it_names_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (link, file) = (folder.path().join("link"), folder.path().join("inside.json"));
        std::os::unix::fs::symlink("inside.json", &link).unwrap();
        for content in ["made", "replaced"] {
            write_atomic(&link, content.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&file).unwrap(), content);
            assert!(link.read_link().is_ok());
        }
        let circle = folder.path().join("circle");
        std::os::unix::fs::symlink("circle", &circle).unwrap();
        write_atomic(&circle, b"a circle names no file, and is replaced").unwrap();
        assert!(circle.read_link().is_err());
    }

    #[test]
    fn writing_replaces_the_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_atomic(&path, b"a long first content").unwrap();
        write_atomic(&path, b"short").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"short");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
