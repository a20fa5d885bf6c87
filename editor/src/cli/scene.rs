//! Which scene of which project a command is about.

use super::CliError;
use crate::outcome::Identity;
use crate::project::stem;
use crate::project::store::load::{LoadedProject, load_project};
use clap::Args;
use framewalk_runtime::scene::Scene;
use framewalk_runtime::scene::fault::nearest_name;
use framewalk_runtime::scene::project::Project;
use framewalk_runtime::sim::RunSettings;
use std::path::PathBuf;

/// What is said about it on a command line.
#[derive(Args, Debug)]
pub struct SceneArgs {
    /// Project folder (it holds project.ron)
    #[arg(value_name = "PROJECT")]
    pub project: PathBuf,
    /// Which scene [default: the project's first]
    #[arg(long, value_name = "NAME")]
    pub scene: Option<String>,
}

/// A scene that can be run, with what its project says.
#[derive(Clone, Debug)]
pub struct LoadedScene {
    pub project: Project,
    /// Without its ending.
    pub name: String,
    pub scene: Scene,
}

impl SceneArgs {
    /// Reads and checks them.
    ///
    /// # Errors
    /// There is no such scene in the project, or every fault of the two files.
    pub fn load(&self) -> Result<LoadedScene, CliError> {
        let loaded = load_project(&self.project)?;
        let name = scene_name(&loaded, self.scene.as_deref())?;
        let scene = loaded.load_scene(&name)?;
        Ok(LoadedScene { project: loaded.project, name, scene })
    }
}

impl LoadedScene {
    /// What a run of it with these settings is to those who read its report; nothing is probed.
    #[must_use]
    pub fn identity(&self, settings: &RunSettings) -> Identity {
        Identity {
            project: self.project.name.clone(),
            scene: self.name.clone(),
            probes: Vec::new(),
            handoff: settings.handoff,
            tick_rate: settings.tick_rate,
            frame_rate: settings.frame_rate,
            physics_divisor: settings.physics_divisor.ticks(),
            cadence: false,
        }
    }
}

/// The scene that is asked for, or the project's first.
fn scene_name(project: &LoadedProject, asked: Option<&str>) -> Result<String, CliError> {
    let Some(asked) = asked else {
        // A project without a scene is refused where it is read.
        return Ok(project.scene_names().next().unwrap_or("main").to_owned());
    };
    let asked = stem(asked);
    if project.scene_names().any(|name| name == asked) {
        return Ok(asked.to_owned());
    }
    let names: Vec<&str> = project.scene_names().collect();
    Err(CliError::Usage(format!(
        "--scene: there is no scene {asked:?} in {}{}; its scenes: {}",
        project.folder.display(),
        did_you_mean(asked, names.iter().copied()),
        names.join(", ")
    )))
}

/// The known name that was most likely meant, for the end of a sentence; empty where there is none.
pub(super) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest_name(word, known).map_or_else(String::new, |name| format!(", did you mean {name:?}?"))
}
