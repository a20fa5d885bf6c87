//! A project that is open, where it lies and what its file says, and the files of its scenes.

pub mod both;
pub mod jobs;
pub mod leaving;
pub mod opener;
pub mod problems;
pub mod store;
pub mod watch;

use std::path::{Path, PathBuf};

use framewalk_runtime::scene::Scene;
use framewalk_runtime::scene::fault::Fault;
use framewalk_runtime::scene::format::{update_scene_telling, write_scene};
use framewalk_runtime::scene::project::Project;

use store::ReadScene;

/// The file that makes a folder a project.
pub const PROJECT_FILE: &str = "project.ron";
/// The folder of a project's scenes.
pub const SCENES_FOLDER: &str = "scenes";

/// A project, as its file says.
#[derive(Clone, Debug)]
pub struct OpenProject {
    /// The folder that holds `project.ron`.
    pub root: PathBuf,
    pub project: Project,
}

/// Reads a project.
///
/// # Errors
/// What is wrong with the folder or with `project.ron`: one line each, with path, line and column.
pub fn open(path: &Path) -> Result<OpenProject, Vec<String>> {
    let root = store::project_root(path).map_err(|message| vec![message])?;
    let project = store::read_project(&root)?;
    if project.scenes.is_empty() {
        let file = root.join(PROJECT_FILE);
        return Err(vec![format!("{}: `scenes` is empty: name at least one scene", file.display())]);
    }
    Ok(OpenProject { root, project })
}

/// The file of a scene, and what was read of it.
#[derive(Clone, Debug)]
pub struct SceneFile {
    /// As named in the project's list of scenes.
    pub name: String,
    pub path: PathBuf,
    /// The last text of it that was read, good or not.
    pub text: String,
    /// What is wrong with that text, one line each with its place; empty when it is good.
    pub faults: Vec<String>,
    /// There was no such file when it was last looked for.
    pub is_gone: bool,
}

impl SceneFile {
    /// Of the project in this folder. Nothing is read yet.
    #[must_use]
    pub fn new(root: &Path, name: &str) -> Self {
        let (text, faults) = Default::default();
        Self { name: name.to_owned(), path: scene_path(root, name), text, faults, is_gone: false }
    }

    /// Reads it. `None` when it is refused; `faults` then says why.
    pub fn read(&mut self) -> Option<Scene> {
        self.note_read(store::read_scene(&self.path))
    }

    /// Takes note of what was read of it. `None` when it is refused; `faults` then says why.
    pub fn note_read(&mut self, read: ReadScene) -> Option<Scene> {
        self.text = read.text;
        self.is_gone = read.is_gone;
        match read.scene {
            Ok(scene) => {
                self.faults.clear();
                Some(scene)
            }
            Err(faults) => {
                self.faults = told(faults);
                None
            }
        }
    }

    /// The file's name without its folder, as the title shows it.
    #[must_use]
    pub fn file_name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The scene's name without an ending, as its tab shows it.
    #[must_use]
    pub fn stem(&self) -> &str {
        stem(&self.name)
    }

    /// It goes by another name from now on.
    pub fn rename(&mut self, root: &Path, name: &str) {
        name.clone_into(&mut self.name);
        self.path = scene_path(root, name);
    }
}

/// A scene's name without its ending.
#[must_use]
pub fn stem(name: &str) -> &str {
    name.strip_suffix(".ron").unwrap_or(name)
}

/// What is wrong, as much of it as anybody reads: a mistake of a program may stand in each of a million lines.
fn told(mut faults: Vec<String>) -> Vec<String> {
    const MOST_TOLD: usize = 200;
    if faults.len() > MOST_TOLD {
        let more = faults.len() - MOST_TOLD;
        faults.truncate(MOST_TOLD);
        faults.push(format!("and {more} more: `framewalk check` names them all"));
    }
    faults
}

/// The text of a scene that was read from the text `base`: different from it only where the scene is. In canonical form
/// where nothing was read. How much of it is done is told meanwhile, from 0 to 1.
///
/// # Errors
/// The text it was read from is no scene: its faults.
pub fn scene_text(base: &str, scene: &Scene, tell: &dyn Fn(f32)) -> Result<String, Vec<Fault>> {
    if base.is_empty() { Ok(write_scene(scene)) } else { update_scene_telling(base, scene, tell) }
}

/// `scenes/NAME.ron`, whether the name carries its ending or not.
#[must_use]
pub fn scene_path(root: &Path, name: &str) -> PathBuf {
    root.join(SCENES_FOLDER).join(format!("{}.ron", stem(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_million_faults_the_first_are_told_and_the_rest_is_counted() {
        let faults = |count: usize| (1..=count).map(|line| line.to_string()).collect::<Vec<_>>();
        assert_eq!(told(faults(200)), faults(200));
        let told = told(faults(1_000));
        assert_eq!((told.len(), told[199].as_str()), (201, "200"));
        assert_eq!(told[200], "and 800 more: `framewalk check` names them all");
    }

    #[test]
    fn a_scene_is_found_with_and_without_its_ending() {
        let expected = PathBuf::from("p/scenes/main.ron");
        assert_eq!(scene_path(Path::new("p"), "main"), expected);
        assert_eq!(scene_path(Path::new("p"), "main.ron"), expected);
    }
}
