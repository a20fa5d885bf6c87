//! What leaves the command line: whole files or none, stdout, and lines on stderr.

use super::CliError;
use super::args::Output;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Writes all of `bytes` to where `output` says.
///
/// A reader that closes stdout early is not an error. `what` names the data in messages ("the report").
///
/// # Errors
/// The file could not be written; the old one, if any, is still whole.
pub fn write_output(output: &Output, what: &str, bytes: &[u8]) -> Result<(), CliError> {
    match output {
        Output::Stdout => {
            let mut stdout = std::io::stdout().lock();
            match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    let reason = reason(error.kind());
                    Err(CliError::fault(format!("error: {what} could not be written to stdout: {reason}")))
                }
                _ => Ok(()),
            }
        }
        Output::File(path) => write_atomic(path, bytes)
            .map_err(|error| CliError::Fault(vec![unwritable(what, path, error.kind())])),
    }
}

/// What keeps `output` from ever being written, as far as it can be known before a run that may take long.
///
/// # Errors
/// It is a folder, or its folder is not there.
pub fn refuse_unwritable(output: &Output, what: &str) -> Result<(), String> {
    let Output::File(path) = output else { return Ok(()) };
    let kind = if path.is_dir() {
        ErrorKind::IsADirectory
    } else if !folder_of(path).is_dir() {
        ErrorKind::NotFound
    } else {
        return Ok(());
    };
    Err(unwritable(what, path, kind))
}

fn unwritable(what: &str, path: &Path, kind: ErrorKind) -> String {
    let advice = match kind {
        ErrorKind::StorageFull => "free some space, or choose another place",
        ErrorKind::IsADirectory => "add a file name",
        _ => "choose a folder that exists and can be written to",
    };
    let why = write_reason(kind);
    let path = path.display();
    format!("error: {what} could not be written: {why}: {path}; an old file there is unchanged; {advice}")
}

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
    // Behind a link lies the file that is meant; the link stays.
    let target = path.canonicalize();
    let path = target.as_deref().unwrap_or(path);
    // A device or a pipe cannot be replaced by a rename.
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return std::fs::write(path, bytes);
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".framewalk-").suffix(".tmp");
    // Temporary files are private by default; what is written here is as readable as any new file.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder_of(path))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    if let Ok(metadata) = path.metadata() {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// One line on stdout; a closed stdout is not an error.
pub fn line(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// One line on stderr; a closed stderr is not an error.
pub fn error_line(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("nowhere").join("report.json");
        let error = write_output(&Output::File(missing), "the report", b"{}").unwrap_err().to_string();
        assert!(error.contains("the report could not be written: there is no such folder: "), "{error}");
        assert!(!error.contains(".framewalk-") && !error.contains("os error"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
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
