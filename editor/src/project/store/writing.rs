//! Writing a file whole or not at all: beside the old one, and then in its place.

use std::io::{self, Write};
use std::path::Path;

use super::reason;
use crate::cli::files::{behind_links, folder_of};

/// Writes a file beside the old one, flushes it, and puts it in the old one's place.
///
/// # Errors
/// Whatever the file system says; the old file is whole then.
pub fn write_atomically(file: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with_rights(file, bytes, None)
}

/// An empty file, which is removed unless it is put in another's place. By its name it is known what was left behind
/// where the program was killed.
pub(super) fn temporary_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new().prefix(".framewalk-").suffix(".tmp").tempfile_in(folder)
}

fn write_with_rights(file: &Path, bytes: &[u8], rights: Option<std::fs::Permissions>) -> io::Result<()> {
    let folder = folder_of(file);
    std::fs::create_dir_all(folder)?;
    let mut temporary = temporary_in(folder)?;
    temporary.write_all(bytes)?;
    if let Some(rights) = rights {
        temporary.as_file().set_permissions(rights)?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(file).map_err(|error| error.error)?;
    Ok(())
}

/// Writes a text over an older one: through a link to the file itself, and with the rights that the file has, or the
/// usual ones where it is gone. When it returns, it is there also after the power was cut.
///
/// # Errors
/// Why not, and the old file is whole then.
pub fn save(file: &Path, text: &str) -> Result<(), String> {
    let target = std::fs::canonicalize(file).unwrap_or_else(|_| behind_links(file));
    let refused = |why: &str| Err(format!("cannot write {}: {why}", target.display()));
    let found = std::fs::metadata(&target).ok();
    match &found {
        // A file in place of these would be another thing than was there.
        Some(found) if found.is_dir() => return refused("it is a folder"),
        Some(found) if !found.is_file() => return refused("it is no file, but a pipe or a device"),
        Some(found) if found.permissions().readonly() => return refused("the file is write-protected"),
        // Who may write to the folder could put another file in place of one that is somebody else's.
        Some(_) if is_denied(&target) => return refused("permission denied"),
        // A drive that is not there now, for one: its folder is not made up.
        None if file.is_symlink() && !folder_of(&target).is_dir() => {
            return refused(&format!("{} is a link into a folder that is not there", file.display()));
        }
        _ => {}
    }
    let rights = found.map(|found| found.permissions()).or_else(usual_rights);
    write_with_rights(&target, text.as_bytes(), rights)
        .map_err(|error| format!("cannot write {}: {}", target.display(), reason(&error)))?;
    note_on_disk(folder_of(&target));
    Ok(())
}

/// This user may not write to the file.
fn is_denied(file: &Path) -> bool {
    let opened = std::fs::OpenOptions::new().write(true).open(file);
    opened.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
}

/// What was renamed in a folder has its new name also after the power was cut, as far as the system can promise that.
pub(super) fn note_on_disk(folder: &Path) {
    if cfg!(unix)
        && let Ok(folder) = std::fs::File::open(folder)
    {
        drop(folder.sync_all());
    }
}

/// Lets others read a new file, as other programs' files can be: a temporary one is the user's alone.
pub(super) fn give_usual_rights(file: &tempfile::NamedTempFile) {
    if let Some(rights) = usual_rights() {
        drop(file.as_file().set_permissions(rights));
    }
}

#[cfg(unix)]
fn usual_rights() -> Option<std::fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn usual_rights() -> Option<std::fs::Permissions> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_gone_is_written_anew_as_one_that_others_can_read() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("main.ron");
        let mode = || std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        save(&file, "first").unwrap();
        assert_eq!(mode(), 0o644);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
        save(&file, "second").unwrap();
        assert_eq!(mode(), 0o640, "what it has, it keeps");
    }

    #[test]
    fn what_is_no_file_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let (socket, inside) = (folder.path().join("socket.ron"), folder.path().join("folder.ron"));
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        std::fs::create_dir(&inside).unwrap();
        for (path, why) in [(&socket, "it is no file, but a pipe or a device"), (&inside, "it is a folder")] {
            let refused = save(path, "(format: 1)").unwrap_err();
            assert_eq!(refused, format!("cannot write {}: {why}", path.display()));
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside them");
    }

    #[test]
    fn a_link_to_a_file_that_is_gone_stays_a_link_and_no_folder_is_made_up_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("main.ron");
        std::os::unix::fs::symlink("shared.ron", &link).unwrap();
        save(&link, "here").unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("shared.ron")).unwrap(), "here");
        assert!(link.is_symlink());
        let far = folder.path().join("far.ron");
        std::os::unix::fs::symlink("drive/far.ron", &far).unwrap();
        let refused = save(&far, "here").unwrap_err();
        assert!(refused.ends_with("far.ron is a link into a folder that is not there"), "{refused}");
        assert!(far.is_symlink() && !folder.path().join("drive").exists());
    }
}
