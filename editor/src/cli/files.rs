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
                    Err(CliError::fault(format!("error: {what} could not be written to stdout: {error}")))
                }
                _ => Ok(()),
            }
        }
        Output::File(path) => write_atomic(path, bytes).map_err(|error| {
            CliError::fault(format!(
                "error: {what} could not be written: {error}: {}; the old file, if there was one, is unchanged; \
                 choose a folder that exists and can be written to",
                path.display()
            ))
        }),
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
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".framewalk-").suffix(".tmp");
    // Temporary files are private by default; what is written here is as readable as any new file.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
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
        assert!(error.contains("the report could not be written"), "{error}");
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
