//! Work that is not saved, kept outside of the project: one file a scene under `recovery/` of the user's data.
//!
//! A file begins with comments that say which scene it is of, so that it is a scene itself and can be opened as one.

use std::cmp::Reverse;
use std::io;
use std::path::{Path, PathBuf};

use super::data::{key_of, number_of};
use super::read_text;
use super::reason::reason;
use super::whole::{self, Kind};

const FIRST_LINE: &str = "// Framewalk recovery 1: work on a scene that was not saved.";

/// Work that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// Where it is kept.
    pub file: PathBuf,
    /// The scene's own file.
    pub scene: PathBuf,
    /// Which text of that file the work began on, see [`number_of`].
    pub base: u64,
    /// The scene with the work, as text.
    pub text: String,
}

impl Recovered {
    /// The folder of the project it belongs to.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.scene.parent().and_then(Path::parent)
    }

    /// The name of its scene in the project.
    #[must_use]
    pub fn scene_name(&self) -> String {
        self.scene.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// Where the work on this scene is kept while it goes on.
#[must_use]
pub fn recovery_file(data: &Path, scene: &Path) -> PathBuf {
    folder_of(data).join(format!("{}.ron", key_of(scene)))
}

fn folder_of(data: &Path) -> PathBuf {
    data.join("recovery")
}

/// Keeps the work on a scene. `base` is the text of the file now: by it a later change of that file is seen.
///
/// # Errors
/// A sentence; what was kept before is whole then.
pub fn keep(data: &Path, scene: &Path, base: &str, text: &str) -> Result<(), String> {
    let file = recovery_file(data, scene);
    let path = written(scene);
    let base = number_of(base.as_bytes());
    let text = format!("{FIRST_LINE}\n// scene: {path}\n// base: {base:016x}\n{text}");
    whole::write(&file, text.as_bytes(), Kind::Private).map_err(|error| {
        format!("your work could not be kept for recovery in {}: {}", file.display(), error.why)
    })
}

/// A path in quotes; one that is no text, byte by byte.
fn written(path: &Path) -> String {
    match path.to_str() {
        Some(text) => format!("{text:?}"),
        None => format!("{:?}", path.as_os_str().as_encoded_bytes()),
    }
}

fn read_path(written: &str) -> Option<PathBuf> {
    if let Ok(text) = ron::from_str::<String>(written) {
        return Some(text.into());
    }
    path_of(ron::from_str(written).ok()?)
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_of(_: Vec<u8>) -> Option<PathBuf> {
    None
}

/// How long ago it was kept, where the system tells.
#[must_use]
pub fn age(file: &Path) -> Option<std::time::Duration> {
    file.metadata().ok()?.modified().ok()?.elapsed().ok()
}

/// The work on this scene need not be kept any more.
pub fn forget(data: &Path, scene: &Path) {
    remove(&recovery_file(data, scene));
}

/// Removes one file of work.
pub fn remove(file: &Path) {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(target: "framewalk", "{} could not be removed: {}", file.display(), reason(&error));
        }
        _ => {}
    }
}

/// Gives the file a name that newer work on the same scene is not written over.
///
/// # Errors
/// A sentence.
pub fn put_off(file: &Path) -> Result<PathBuf, String> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stem = stem.split('~').next().unwrap_or_default().to_owned();
    let names = (1..).map(|number: u32| file.with_file_name(format!("{stem}~{number}.ron")));
    let free = names.into_iter().find(|path| path == file || !path.exists());
    let free = free.unwrap_or_else(|| file.to_owned());
    std::fs::rename(file, &free)
        .map_err(|error| format!("{} could not be put off: {}", file.display(), reason(&error)))?;
    Ok(free)
}

/// Gives a file of work that was put off the name under which newer work on its scene is kept: it is written over then.
pub fn put_in_front(file: &Path, front: &Path) {
    if file != front
        && let Err(error) = std::fs::rename(file, front)
    {
        tracing::warn!(target: "framewalk", "{} could not be renamed: {}", file.display(), reason(&error));
    }
}

/// Everything that is kept, the newest first. What is no such file is left alone.
#[must_use]
pub fn found(data: &Path) -> Vec<Recovered> {
    let Ok(entries) = std::fs::read_dir(folder_of(data)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "ron"));
    // Of those whose times are the same to the system, by their names.
    files.sort_by_cached_key(|file| {
        (Reverse(file.metadata().and_then(|found| found.modified()).ok()), file.clone())
    });
    files.into_iter().filter_map(|file| read(&file)).collect()
}

fn read(file: &Path) -> Option<Recovered> {
    let whole = read_text(file).ok()?;
    let rest = whole.strip_prefix(FIRST_LINE)?.strip_prefix('\n')?;
    let (scene, rest) = rest.strip_prefix("// scene: ")?.split_once('\n')?;
    let (base, text) = rest.strip_prefix("// base: ")?.split_once('\n')?;
    let scene = read_path(scene)?;
    let base = u64::from_str_radix(base, 16).ok()?;
    Some(Recovered { file: file.to_owned(), scene, base, text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_with_its_scene_and_the_text_it_began_on() {
        let data = tempfile::tempdir().unwrap();
        let scene = Path::new("/games/a \"b\"\n/scenes/main.ron");
        assert_eq!(found(data.path()), []);
        keep(data.path(), scene, "old", "(format: 1)\n").unwrap();
        keep(data.path(), scene, "old", "(format: 1, seed: 2)\n").unwrap();
        let expected = Recovered {
            file: recovery_file(data.path(), scene),
            scene: scene.to_owned(),
            base: number_of(b"old"),
            text: "(format: 1, seed: 2)\n".to_owned(),
        };
        assert_eq!(found(data.path()), std::slice::from_ref(&expected));
        assert_eq!(expected.root(), Some(Path::new("/games/a \"b\"\n")));
        assert_eq!(expected.scene_name(), "main");
        forget(data.path(), scene);
        assert_eq!(found(data.path()), []);
    }

    #[test]
    #[cfg(unix)]
    fn a_scene_whose_path_is_no_text_is_found_again() {
        use std::os::unix::ffi::OsStrExt;
        let data = tempfile::tempdir().unwrap();
        let scene = Path::new(std::ffi::OsStr::from_bytes(b"/games/\xff/scenes/main.ron"));
        keep(data.path(), scene, "", "(format: 1)").unwrap();
        assert_eq!(found(data.path())[0].scene, scene);
    }

    #[test]
    fn what_is_put_off_is_not_written_over_and_what_is_something_else_is_left_alone() {
        let data = tempfile::tempdir().unwrap();
        let scene = Path::new("/games/a/scenes/main.ron");
        keep(data.path(), scene, "", "first").unwrap();
        let first = put_off(&recovery_file(data.path(), scene)).unwrap();
        assert_eq!(put_off(&first).unwrap(), first, "twice is once");
        keep(data.path(), scene, "", "second").unwrap();
        std::fs::write(data.path().join("recovery/else.ron"), "(format: 1)").unwrap();
        let texts: Vec<String> = found(data.path()).into_iter().map(|found| found.text).collect();
        assert_eq!(texts, ["second", "first"]);
        put_in_front(&first, &recovery_file(data.path(), scene));
        let texts: Vec<String> = found(data.path()).into_iter().map(|found| found.text).collect();
        assert_eq!(texts, ["first"]);
    }
}
