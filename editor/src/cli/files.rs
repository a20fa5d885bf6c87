//! What leaves the command line: whole files or none, stdout, and lines on stderr.

use super::CliError;
use super::args::Output;
use crate::project::store::reason::reason;
use crate::project::store::spelt;
use crate::project::store::whole::{self, Kind, NotWritten};
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
                    let reason = reason(&error);
                    Err(CliError::fault(format!("error: {what} could not be written to stdout: {reason}")))
                }
                _ => Ok(()),
            }
        }
        Output::File(path) => whole::write(path, bytes, Kind::Output)
            .map_err(|error| CliError::Fault(vec![unwritable(what, path, &error)])),
    }
}

/// What keeps `output` from ever being written, as far as it can be known before a run that may take long.
///
/// # Errors
/// It is a folder, it is write-protected, or no file can be made beside it.
pub fn refuse_unwritable(output: &Output, what: &str) -> Result<(), String> {
    let Output::File(path) = output else { return Ok(()) };
    whole::check(path, Kind::Output).map_err(|error| unwritable(what, path, &error))
}

fn unwritable(what: &str, path: &Path, error: &NotWritten) -> String {
    let advice = match error.kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some space, or choose another place",
        ErrorKind::IsADirectory => "add a file name",
        _ => "choose a folder that exists and can be written to",
    };
    let (why, path) = (&error.why, spelt::path(path));
    format!("error: {what} could not be written: {why}: {path}; an old file there is unchanged; {advice}")
}

/// Lines on stdout; a reader that closes it early is not an error.
///
/// # Errors
/// They could not be written.
pub fn lines(what: &str, lines: &[String]) -> Result<(), CliError> {
    let text: String = lines.iter().flat_map(|line| [spelt::line(line), "\n".into()]).collect();
    write_output(&Output::Stdout, what, text.as_bytes())
}

/// One line on stderr, with nothing in it that a terminal would obey; a closed stderr is not an error.
pub fn error_line(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", spelt::lines(text));
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
    #[cfg(target_os = "linux")]
    fn a_place_where_no_file_can_be_made_is_known_before_the_run() {
        let refused = refuse_unwritable(&Output::File("/proc/report.json".into()), "the report").unwrap_err();
        assert!(refused.starts_with("error: the report could not be written: "), "{refused}");
        let folder = tempfile::tempdir().unwrap();
        let fine = Output::File(folder.path().join("report.json"));
        assert_eq!(refuse_unwritable(&fine, "the report"), Ok(()));
        assert_eq!(refuse_unwritable(&Output::File("/dev/null".into()), "the report"), Ok(()));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
