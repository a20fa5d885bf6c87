//! A project that is open: where it lies, what its file says, and which of its scenes is shown.

pub mod both;
pub mod jobs;
pub mod opener;
pub mod problems;
pub mod store;
pub mod watch;

use std::path::{Path, PathBuf};

use framewalk_runtime::scene::Scene;
use framewalk_runtime::scene::project::Project;

/// A project and one of its scenes, as read.
#[derive(Clone, Debug)]
pub struct OpenProject {
    /// The folder that holds `project.ron`.
    pub root: PathBuf,
    pub project: Project,
    /// As named in the project's list of scenes.
    pub scene_name: String,
    /// The last text of the scene file that was read, good or not.
    pub scene_text: String,
    /// What is wrong with that text, one line each with its place; empty when it is good.
    pub scene_faults: Vec<String>,
}

impl OpenProject {
    /// The file of the scene that is shown.
    #[must_use]
    pub fn scene_path(&self) -> PathBuf {
        scene_path(&self.root, &self.scene_name)
    }

    /// Name of the project and of the scene, as the title shows them.
    #[must_use]
    pub fn title(&self) -> (String, String) {
        let file = self.scene_path();
        let file = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (self.project.name.clone(), file)
    }
}

/// Reads a project and its first scene. A scene that is refused leaves the project open, with its faults.
///
/// # Errors
/// What is wrong with the folder or with `project.ron`: one line each, with path, line and column.
pub fn open(path: &Path) -> Result<(OpenProject, Option<Scene>), Vec<String>> {
    let root = store::project_root(path).map_err(|message| vec![message])?;
    let project = store::read_project(&root)?;
    let Some(scene_name) = project.scenes.first().cloned() else {
        let file = root.join("project.ron");
        return Err(vec![format!("{}: `scenes` is empty: name at least one scene", file.display())]);
    };
    let mut open =
        OpenProject { root, project, scene_name, scene_text: String::new(), scene_faults: Vec::new() };
    let scene = read_scene(&mut open);
    Ok((open, scene))
}

/// Reads the shown scene again. `None` when it is refused; `scene_faults` then says why.
pub fn read_scene(open: &mut OpenProject) -> Option<Scene> {
    let read = store::read_scene(&open.scene_path());
    open.scene_text = read.text;
    match read.scene {
        Ok(scene) => {
            open.scene_faults.clear();
            Some(scene)
        }
        Err(faults) => {
            open.scene_faults = faults;
            None
        }
    }
}

/// `scenes/NAME.ron`, whether the name carries its ending or not.
#[must_use]
pub fn scene_path(root: &Path, name: &str) -> PathBuf {
    let file = if name.ends_with(".ron") { name.to_owned() } else { format!("{name}.ron") };
    root.join("scenes").join(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_found_with_and_without_its_ending() {
        let expected = PathBuf::from("p/scenes/main.ron");
        assert_eq!(scene_path(Path::new("p"), "main"), expected);
        assert_eq!(scene_path(Path::new("p"), "main.ron"), expected);
    }
}
