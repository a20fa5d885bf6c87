//! Why the system refused something, as people say it: without the number of its error.

use std::io::{Error, ErrorKind};

use super::LARGEST_FILE;

/// What an I/O error means, as the end of a sentence.
#[must_use]
pub fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        ErrorKind::NotADirectory => "a part of the path is a file".to_owned(),
        ErrorKind::AlreadyExists => "it is there already".to_owned(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the disk is full".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        ErrorKind::InvalidData => "it is not UTF-8 text".to_owned(),
        ErrorKind::InvalidFilename => "its name is too long for this file system".to_owned(),
        ErrorKind::Unsupported => "it is no file, but a pipe or a device".to_owned(),
        ErrorKind::FileTooLarge => format!("it is larger than {} MiB", LARGEST_FILE >> 20),
        _ if is_circle(error) => "its links lead round in a circle".to_owned(),
        _ => without_number(error),
    }
}

/// Rust has a kind for it that is not to be named yet.
fn is_circle(error: &Error) -> bool {
    error.kind().to_string().starts_with("filesystem loop")
}

fn without_number(error: &Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" (os error ").filter(|_| error.raw_os_error().is_some());
    text[..end.unwrap_or(text.len())].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_said_without_numbers() {
        let full = Error::from(ErrorKind::QuotaExceeded);
        assert_eq!(reason(&full), "the disk is full", "whoever has used up what is theirs is told the same");
        assert_eq!(reason(&Error::other("the cable is out")), "the cable is out");
        // ENXIO has no kind.
        let unknown = Error::from_raw_os_error(6);
        assert!(!reason(&unknown).contains("os error"), "{}", reason(&unknown));
    }

    #[test]
    #[cfg(unix)]
    fn a_circle_of_links_and_a_name_without_end_are_said_as_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let circle = folder.path().join("circle.ron");
        std::os::unix::fs::symlink("circle.ron", &circle).unwrap();
        let read = |path: &std::path::Path| reason(&std::fs::read(path).unwrap_err());
        assert_eq!(read(&circle), "its links lead round in a circle");
        assert_eq!(read(&folder.path().join("x".repeat(300))), "its name is too long for this file system");
    }
}
