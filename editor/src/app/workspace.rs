//! A project that is open: its scenes, each a document of its own, and its runs.

use std::path::{Path, PathBuf};

use framewalk_runtime::scene::Scene;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::time::Rate;
use framewalk_runtime::world::EntityRow;

use super::autosave::Autosave;
use super::holding;
use super::saving::Saving;
use crate::document::Document;
use crate::document::tabs::Tabs;
use crate::panels::outliner::OutlinerView;
use crate::project::watch::Watch;
use crate::project::{OpenProject, SceneFile};
use crate::session::Session;
use crate::stamp::ListStamp;
use crate::viewport::authored::AuthoredWorld;
use crate::viewport::camera::FlyCamera;

/// A project that is open, its scenes and its runs.
pub struct Workspace {
    pub project: OpenProject,
    /// The open scenes, one tab each; the one in front is shown and changed.
    pub scenes: Tabs<OpenScene>,
    pub session: Session,
    pub watch: Option<Watch>,
    pub access: holding::Access,
}

/// A scene that is open: what its author did to it, and how it stands to its file.
pub struct OpenScene {
    pub file: SceneFile,
    pub document: Document,
    /// `None` while the scene is refused.
    pub authored: Option<AuthoredWorld>,
    /// The file is newer than what is shown, and nobody has said yet which of them counts.
    pub newer_on_disk: bool,
    /// The text that the scene was read from: what is saved differs from it only where the scene does.
    pub base_text: String,
    pub(super) autosave: Autosave,
    pub(super) saving: Saving,
    /// How it was looked at when another one came to the front.
    pub(super) left_as: LeftAs,
}

/// How a scene was looked at.
#[derive(Default)]
pub(super) struct LeftAs {
    pub camera: FlyCamera,
    pub outliner: OutlinerView,
}

impl OpenScene {
    /// Reads a scene. Where it is refused, there is none yet, and its file has the faults.
    #[must_use]
    pub fn read(root: &Path, name: &str, tick_rate: Rate) -> Self {
        let mut open = Self {
            file: SceneFile::new(root, name),
            document: Document::default(),
            authored: None,
            newer_on_disk: false,
            base_text: String::new(),
            autosave: Autosave::default(),
            saving: Saving::default(),
            left_as: LeftAs::default(),
        };
        let scene = open.file.read();
        open.take(scene, tick_rate);
        open.left_as.camera = looks_at(open.document.scene());
        open
    }

    /// Takes a scene that was read from the file. False where it was refused: the last good one stays, and the file
    /// has the faults.
    pub fn take(&mut self, scene: Option<Scene>, tick_rate: Rate) -> bool {
        let Some(scene) = scene else { return false };
        self.base_text.clone_from(&self.file.text);
        self.document.replace(scene);
        match AuthoredWorld::new(self.document.scene(), tick_rate, self.document.revision()) {
            Ok(world) => {
                self.authored = Some(world);
                true
            }
            Err(problem) => {
                self.authored = None;
                self.file.faults = vec![format!("{}: {problem}", self.file.path.display())];
                false
            }
        }
    }

    /// The file holds something else, which cannot be used, or is gone: the last good scene is only here.
    #[must_use]
    pub fn is_only_here(&self) -> bool {
        self.authored.is_some() && !self.file.faults.is_empty()
    }

    /// It is in its file now, as this text.
    pub(super) fn note_written(&mut self, text: String) {
        self.file.text = text;
        self.file.faults.clear();
        self.newer_on_disk = false;
    }

    /// The scene is not as in its file as far as is known here, and the file has become this text: true if that says
    /// just what is here, whoever wrote it. Then nothing is unsaved any more, and nothing is to be asked.
    pub(super) fn take_as_written(&mut self, text: &str) -> bool {
        if self.saving.is_writing() || parse_scene(text).ok().as_ref() != Some(self.document.scene()) {
            return false;
        }
        self.document.begin_save();
        self.document.end_save(true);
        text.clone_into(&mut self.base_text);
        self.note_written(text.to_owned());
        true
    }

    /// What is wrong with it, if anything: a sentence and its lines.
    #[must_use]
    pub fn refusal(&self) -> Option<(String, Vec<String>)> {
        if self.file.faults.is_empty() {
            return None;
        }
        let kept = if self.authored.is_some() { " The last good scene is shown." } else { "" };
        let text = format!("The scene {} cannot be used.{kept}", self.file.path.display());
        Some((text, self.file.faults.clone()))
    }
}

impl Workspace {
    /// Every entity that the outliner has: of the running world, or else of the authored one.
    #[must_use]
    pub fn rows(&self) -> &[EntityRow] {
        let authored = self.scenes.front.authored.as_ref().map_or(&[][..], |world| world.rows());
        self.session.observation().map_or(authored, |seen| &seen.entities)
    }

    /// Name of the project and file of the scene in front, as the title shows them.
    #[must_use]
    pub fn title(&self) -> (String, String) {
        (self.project.project.name.clone(), self.scenes.front.file.file_name())
    }

    /// Tells the list of these rows from any other.
    #[must_use]
    pub fn listed(&self) -> ListStamp {
        let authored = || self.scenes.front.authored.as_ref().map(AuthoredWorld::listed);
        self.session.listed().or_else(authored).unwrap_or_else(ListStamp::new)
    }

    /// Where in the row of tabs the scene of this file is.
    #[must_use]
    pub fn idx_of(&self, file: &Path) -> Option<usize> {
        self.scenes.position(|scene| scene.file.path == file)
    }

    /// Where in the row of tabs the scene of this name is.
    #[must_use]
    pub fn idx_named(&self, name: &str) -> Option<usize> {
        self.scenes.position(|scene| scene.file.name == name)
    }

    /// The open scene of this file.
    pub fn scene_mut(&mut self, file: &Path) -> Option<&mut OpenScene> {
        self.scenes.iter_mut().find(|scene| scene.file.path == file)
    }

    /// The files of the scenes that are not as in them, from left to right.
    #[must_use]
    pub fn unsaved(&self) -> Vec<PathBuf> {
        let unsaved = self.scenes.iter().filter(|scene| scene.document.is_dirty());
        unsaved.map(|scene| scene.file.path.clone()).collect()
    }
}

/// From where the scene's camera stands, or at everything.
fn looks_at(scene: &Scene) -> FlyCamera {
    let camera = scene.entities.iter().find_map(|entity| Some((entity, entity.camera?)));
    let Some((entity, camera)) = camera else { return FlyCamera::framing(glam::Vec3::Y, 6.0) };
    let target = camera.follow.and_then(|follow| {
        let target = scene.entity(follow.target)?.transform.position;
        Some((target + follow.offset, target))
    });
    let pose = entity.transform.pose();
    let (eye, at) =
        target.unwrap_or((pose.position, pose.position + pose.rotation * glam::Vec3::NEG_Z * 8.0));
    FlyCamera::looking_at(eye, at)
}
