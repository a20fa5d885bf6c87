//! Where the program keeps what is neither a setting nor a project: the user's data folder.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Overrides where data is kept: recovery files and locks; for tests.
pub const DATA_DIR_VARIABLE: &str = "FRAMEWALK_DATA_DIR";

/// The user's own data folder, or the one that the environment names; none where the system names none.
#[must_use]
pub fn data_folder_of_user() -> Option<PathBuf> {
    folder_named_by(std::env::var_os(DATA_DIR_VARIABLE)).or_else(|| {
        directories::ProjectDirs::from("", "", "framewalk").map(|dirs| dirs.data_local_dir().to_owned())
    })
}

/// The folder that a variable of the environment names. An empty one names none: as a path it would be the current folder,
/// which may well be a project.
pub(super) fn folder_named_by(variable: Option<OsString>) -> Option<PathBuf> {
    variable.filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// A name for a path that no other path has: its last part, for people, and a number of all of it.
#[must_use]
pub fn key_of(path: &Path) -> String {
    let last = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    let readable: String =
        last.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).take(40).collect();
    format!("{readable}-{:016x}", number_of(path.as_os_str().as_encoded_bytes()))
}

/// A number that is the same for the same bytes in every version of the program (FNV-1a, 64 bits).
#[must_use]
pub fn number_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_variable_names_no_folder() {
        assert_eq!(folder_named_by(None), None);
        assert_eq!(folder_named_by(Some(OsString::new())), None);
        assert_eq!(folder_named_by(Some("kept here".into())), Some(PathBuf::from("kept here")));
    }

    #[test]
    fn every_path_has_a_name_of_its_own_that_stays_the_same() {
        assert_eq!(number_of(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(number_of(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(key_of(Path::new("/a/main.ron")).split_once('-').map(|(name, _)| name), Some("mainron"));
        assert_ne!(key_of(Path::new("/a/main.ron")), key_of(Path::new("/b/main.ron")));
        assert!(key_of(Path::new("/")).starts_with('-'));
    }
}
