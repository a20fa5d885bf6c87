//! Projects and scenes from disk, and every fault in them with its place.

use super::reason::reason;
use super::spelt;
use super::{Pipes, read_bytes};
use crate::project::{PROJECT_FILE, scene_path, stem};
use framewalk_runtime::scene::Scene;
use framewalk_runtime::scene::fault::{Fault, Place};
use framewalk_runtime::scene::format::read_scene;
use framewalk_runtime::scene::project::{Project, ProjectReading, read_project};
use std::fmt;
use std::path::{Path, PathBuf};

/// One fault in one file: `path:line:column: message`, line and column where they are known.
#[derive(Clone, Debug)]
pub struct Problem {
    pub path: PathBuf,
    pub fault: Fault,
}

impl Problem {
    /// A fault of a whole file.
    pub fn of_file(path: &Path, message: impl Into<String>) -> Self {
        Self { path: path.to_path_buf(), fault: Fault::new(message) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", spelt::path(&self.path))?;
        if let Some(line) = self.fault.line {
            write!(f, "{line}:")?;
            if let Some(column) = self.fault.column {
                write!(f, "{column}:")?;
            }
        }
        write!(f, " {}", self.fault.sentence())
    }
}

/// A project read from its folder.
#[derive(Clone, Debug)]
pub struct LoadedProject {
    pub folder: PathBuf,
    pub project: Project,
    /// Where in its file each of its scenes is named, in their order.
    scene_places: Vec<Place>,
    /// What of its file this version does not know.
    pub unknown: Vec<Problem>,
}

impl LoadedProject {
    /// Where the scene of this name lies; names are file stems or file names.
    #[must_use]
    pub fn scene_path(&self, name: &str) -> PathBuf {
        scene_path(&self.folder, name)
    }

    /// A scene of this name that is not there is a fault of the file that names it: with its place in that.
    pub fn missing(&self, name: &str) -> Option<Problem> {
        let scene = self.scene_path(name);
        if scene.exists() || scene.is_symlink() {
            return None;
        }
        let idx = self.scene_names().position(|named| named == stem(name))?;
        let why = unreadable(&scene, &std::io::ErrorKind::NotFound.into());
        let fault = Fault::new(format!("the scene {name:?} is named here, and {why}"));
        let fault =
            self.scene_places.get(idx).map_or_else(|| fault.clone(), |place| fault.clone().at(*place));
        Some(Problem { path: self.folder.join(PROJECT_FILE), fault })
    }

    /// Reads the scene of this name, and checks what it says.
    ///
    /// # Errors
    /// Every fault in it, or that it is named and not there.
    pub fn load_scene(&self, name: &str) -> Result<Scene, Vec<Problem>> {
        match self.missing(name) {
            Some(missing) => Err(vec![missing]),
            None => load_scene_with_unknown(&self.scene_path(name)).map(|(scene, _)| scene),
        }
    }

    /// Names of the project's scenes, without their ending.
    pub fn scene_names(&self) -> impl Iterator<Item = &str> {
        self.project.scenes.iter().map(|name| stem(name))
    }
}

/// Reads the project in `path`, a folder or its `project.ron`.
///
/// # Errors
/// Every fault of its project file.
pub fn load_project(path: &Path) -> Result<LoadedProject, Vec<Problem>> {
    let (folder, file) = if path.is_dir() {
        (path.to_path_buf(), path.join(PROJECT_FILE))
    } else if path.file_name().is_some_and(|name| name == PROJECT_FILE) {
        (path.parent().map_or_else(PathBuf::new, Path::to_path_buf), path.to_path_buf())
    } else if path.try_exists().map_err(|error| vec![unreadable(path, &error)])? {
        let message = format!("not a project: give the folder that holds {PROJECT_FILE}");
        return Err(vec![Problem::of_file(path, message)]);
    } else {
        let message = "no such folder; `framewalk new DIR` makes a project";
        return Err(vec![Problem::of_file(path, message)]);
    };
    if !file.exists() && !file.is_symlink() {
        let message = format!("not a project: there is no {PROJECT_FILE} in this folder");
        return Err(vec![Problem::of_file(path, message)]);
    }
    let text = read_text(&file, Pipes::Refused).map_err(|problem| vec![problem])?;
    let mut reading = read_project(&text).map_err(|faults| problems(&file, faults))?;
    let unknown = problems(&file, std::mem::take(&mut reading.unknown));
    let ProjectReading { project, scene_places, .. } = reading;
    Ok(LoadedProject { folder, project, scene_places, unknown })
}

/// Reads one scene file, and checks what it says; and lists what of it this version does not know.
///
/// # Errors
/// Every fault in it.
pub fn load_scene_with_unknown(path: &Path) -> Result<(Scene, Vec<Problem>), Vec<Problem>> {
    let text = read_text(path, Pipes::Refused).map_err(|problem| vec![problem])?;
    let reading = read_scene(&text).map_err(|faults| problems(path, faults))?;
    Ok((reading.scene, problems(path, reading.unknown)))
}

/// Gives faults the file they are in.
pub fn problems(path: &Path, faults: Vec<Fault>) -> Vec<Problem> {
    faults.into_iter().map(|fault| Problem { path: path.to_path_buf(), fault }).collect()
}

/// The same as lines, as they are told to a person.
pub fn placed(path: &Path, faults: Vec<Fault>) -> Vec<String> {
    problems(path, faults).iter().map(Problem::to_string).collect()
}

/// Reads a text file whole.
///
/// # Errors
/// Not there, not readable, or not UTF-8; the place of the first wrong byte is named.
pub fn read_text(path: &Path, pipes: Pipes) -> Result<String, Problem> {
    let bytes = read_bytes(path, pipes).map_err(|error| unreadable(path, &error))?;
    let at = |valid: &[u8], message: &str| {
        let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
        let last_line = valid.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let column = String::from_utf8_lossy(last_line).chars().count() + 1;
        let mut problem = Problem::of_file(path, message);
        problem.fault.line = u32::try_from(line).ok();
        problem.fault.column = u32::try_from(column).ok();
        problem
    };
    if let Some(message) = no_text(&bytes) {
        return Err(at(&[], message));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        at(valid, "not UTF-8 text; save the file as UTF-8")
    })
}

/// What a file is instead of a text, where it can be known by its first bytes.
fn no_text(bytes: &[u8]) -> Option<&'static str> {
    const UTF_16: &str = "UTF-16 text; save the file as UTF-8";
    match bytes {
        [0, ..] if bytes.iter().all(|byte| *byte == 0) => Some(
            "nothing but zero bytes, as a crash of the system may leave a file: take it back from a copy of yours",
        ),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some(UTF_16),
        // Without a mark of the byte order: whatever these files begin with has a zero byte in it there.
        [0, 1..=0x7f, ..] | [1..=0x7f, 0, ..] => Some(UTF_16),
        _ => None,
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Problem {
    let why = match error.kind() {
        std::io::ErrorKind::NotFound if path.is_symlink() => "it is a link that leads nowhere".to_owned(),
        _ => reason(error),
    };
    Problem::of_file(path, format!("cannot be read: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_is_called_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("main.ron");
        let utf_16 = |text: &str, order: fn(u16) -> [u8; 2]| -> Vec<u8> {
            text.encode_utf16().flat_map(order).collect()
        };
        let utf_16_refused = "UTF-16 text; save the file as UTF-8";
        for (bytes, expected) in [
            (utf_16("\u{feff}(format: 1)", u16::to_le_bytes), Err(("1:1", utf_16_refused))),
            (utf_16("\u{feff}(format: 1)", u16::to_be_bytes), Err(("1:1", utf_16_refused))),
            (utf_16("(format: 1)", u16::to_le_bytes), Err(("1:1", utf_16_refused))),
            (utf_16("(format: 1)", u16::to_be_bytes), Err(("1:1", utf_16_refused))),
            (vec![0; 4096], Err(("1:1", "nothing but zero bytes"))),
            (b"(\n  ab\xff)".to_vec(), Err(("2:5", "not UTF-8 text; save the file as UTF-8"))),
            (Vec::new(), Ok(())),
            (b"(".to_vec(), Ok(())),
            ("\u{feff}(format: 1)".into(), Ok(())),
        ] {
            std::fs::write(&file, bytes).unwrap();
            let read = read_text(&file, Pipes::Refused).map(drop).map_err(|problem| problem.to_string());
            match (read, expected) {
                (Ok(()), Ok(())) => {}
                (Err(said), Err((place, why))) => {
                    let begin = format!("{}:{place}: {why}", file.display());
                    assert!(said.starts_with(&begin), "{said}, and not {begin}");
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_link_that_leads_nowhere_is_no_file_that_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        for (name, target, why) in [
            ("main.ron", "nowhere.ron", "it is a link that leads nowhere"),
            ("project.ron", "project.ron", "its links lead round in a circle"),
        ] {
            let link = folder.path().join(name);
            std::os::unix::fs::symlink(target, &link).unwrap();
            let said = read_text(&link, Pipes::Refused).unwrap_err().to_string();
            assert_eq!(said, format!("{}: cannot be read: {why}", link.display()));
        }
        let said = load_project(folder.path()).unwrap_err()[0].to_string();
        assert!(said.ends_with("project.ron: cannot be read: its links lead round in a circle"), "{said}");
    }
}
