//! Projects and scenes from disk, and every fault in them with its place.

use super::reason::reason;
use super::{Pipes, read_bytes};
use crate::project::{PROJECT_FILE, scene_path, stem};
use framewalk_runtime::scene::Scene;
use framewalk_runtime::scene::fault::Fault;
use framewalk_runtime::scene::format::read_scene;
use framewalk_runtime::scene::project::{Project, read_project};
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
        write!(f, "{}:", self.path.display())?;
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
    /// What of its file this version does not know.
    pub unknown: Vec<Problem>,
}

impl LoadedProject {
    /// Where the scene of this name lies; names are file stems or file names.
    #[must_use]
    pub fn scene_path(&self, name: &str) -> PathBuf {
        scene_path(&self.folder, name)
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
    } else if path.exists() {
        let message = format!("not a project: give the folder that holds {PROJECT_FILE}");
        return Err(vec![Problem::of_file(path, message)]);
    } else {
        let message = "no such folder; `framewalk new DIR` makes a project";
        return Err(vec![Problem::of_file(path, message)]);
    };
    if !file.exists() {
        let message = format!("not a project: there is no {PROJECT_FILE} in this folder");
        return Err(vec![Problem::of_file(path, message)]);
    }
    let text = read_text(&file, Pipes::Refused).map_err(|problem| vec![problem])?;
    let reading = read_project(&text).map_err(|faults| problems(&file, faults))?;
    let unknown = problems(&file, reading.unknown);
    Ok(LoadedProject { folder, project: reading.project, unknown })
}

/// Reads one scene file, and checks what it says.
///
/// # Errors
/// Every fault in it.
pub fn load_scene(path: &Path) -> Result<Scene, Vec<Problem>> {
    load_scene_with_unknown(path).map(|(scene, _)| scene)
}

/// The same, with what of the file this version does not know.
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
    let bytes = read_bytes(path, pipes)
        .map_err(|error| Problem::of_file(path, format!("cannot be read: {}", reason(&error))))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
        let last_line = valid.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let column = String::from_utf8_lossy(last_line).chars().count() + 1;
        let mut problem = Problem::of_file(path, "not UTF-8 text; save the file as UTF-8");
        problem.fault.line = u32::try_from(line).ok();
        problem.fault.column = u32::try_from(column).ok();
        problem
    })
}
