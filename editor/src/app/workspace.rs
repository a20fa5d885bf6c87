//! A project that is open: its scenes, each a document of its own, and its runs.

use std::path::{Path, PathBuf};

use framewalk_runtime::scene::Scene;
use framewalk_runtime::time::Rate;
use framewalk_runtime::world::EntityRow;

use super::autosave::Autosave;
use super::holding;
use super::on_disk::OnDisk;
use super::reading::Reading;
use super::saving::Saving;
use crate::document::Document;
use crate::document::tabs::Tabs;
use crate::panels::outliner::OutlinerView;
use crate::project::jobs::Job;
use crate::project::store::ReadScene;
use crate::project::watch::Watch;
use crate::project::{OpenProject, SceneFile, scene_text};
use crate::session::Session;
use crate::stamp::ListStamp;
use crate::viewport::authored::AuthoredWorld;
use crate::viewport::camera::FlyCamera;

/// What is said of a scene's file, see [`OpenScene::refusal`]: by these it is found again.
pub(super) const REFUSALS: [&str; 2] = [" cannot be used.", " is gone from the disk: "];

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
    pub on_disk: OnDisk,
    /// The text that the scene was read from: what is saved differs from it only where the scene does. Empty where none
    /// was read.
    pub base_text: String,
    pub(super) autosave: Autosave,
    pub(super) saving: Saving,
    /// Its file is being read.
    pub(super) reading: Option<Reading>,
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
            on_disk: OnDisk::AsRead,
            base_text: String::new(),
            autosave: Autosave::default(),
            saving: Saving::default(),
            reading: None,
            left_as: LeftAs::default(),
        };
        let scene = open.file.read();
        open.take(scene, tick_rate);
        open.left_as.camera = looks_at(open.document.scene());
        open
    }

    /// Takes a scene that was read from the file. False where it was refused: the last good one stays, and the file
    /// has the faults. Where it is the one that is here, all that was done to that can still be undone.
    pub fn take(&mut self, scene: Option<Scene>, tick_rate: Rate) -> bool {
        let Some(scene) = scene else { return false };
        self.base_text.clone_from(&self.file.text);
        if self.authored.is_some() && *self.document.scene() == scene {
            self.document.mark_saved();
            return true;
        }
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

    /// Its file is not there any more: the scene is here, and nowhere else.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.authored.is_some() && self.file.is_gone
    }

    /// Its file was looked for in order to take what it says, and was not there: that was said.
    pub(super) fn is_refused_as_gone(&self) -> bool {
        self.is_gone() && self.file.text.is_empty() && !self.file.faults.is_empty()
    }

    /// Its file is gone, or holds something else that cannot be used: the last good scene is only here.
    #[must_use]
    pub fn is_only_here(&self) -> bool {
        self.is_gone() || (self.authored.is_some() && !self.file.faults.is_empty())
    }

    /// The scene is not as in its file, or has none: what is asked about before it goes.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.document.is_dirty() || self.is_gone()
    }

    /// It would be lost if the program ended now: what is kept for recovery.
    pub(super) fn is_to_be_kept(&self) -> bool {
        self.document.is_dirty() || self.is_only_here()
    }

    /// Takes note of whether there is such a file. One that goes leaves the scene in no file: it is kept at once.
    pub(super) fn note_gone(&mut self, is_gone: bool) {
        if is_gone && !self.file.is_gone {
            self.autosave.hurry();
        }
        self.file.is_gone = is_gone;
    }

    /// It is in its file now, as this text.
    pub(super) fn note_written(&mut self, text: String) {
        self.file.text = text;
        self.file.faults.clear();
        self.file.is_gone = false;
        self.on_disk = OnDisk::AsRead;
    }

    /// What keeps it for recovery as it is now.
    pub(super) fn keeping(&self, data: &Path) -> Job {
        Job::Keep {
            data: data.to_owned(),
            file: self.file.path.clone(),
            base: self.base_text.clone(),
            on_disk: self.file.text.clone(),
            scene: self.document.scene().clone(),
        }
    }

    /// As the text that would be written.
    ///
    /// # Errors
    /// Why there is none, a sentence each.
    pub fn text(&self) -> Result<String, Vec<String>> {
        scene_text(&self.base_text, self.document.scene(), &|_| {})
            .map_err(|faults| faults.iter().map(ToString::to_string).collect())
    }

    /// The scene is not as in its file as far as is known here, and the file has become this: true if that is just what
    /// is here, whoever wrote it. Then nothing is unsaved any more, and nothing is to be asked.
    pub(super) fn take_as_written(&mut self, read: &ReadScene) -> bool {
        if self.saving.is_writing() || read.scene.as_ref().ok() != Some(self.document.scene()) {
            return false;
        }
        self.document.begin_save();
        self.document.end_save(true);
        self.base_text.clone_from(&read.text);
        self.note_written(read.text.clone());
        true
    }

    /// What is wrong with it, if anything: a sentence and its lines.
    #[must_use]
    pub fn refusal(&self) -> Option<(String, Vec<String>)> {
        if self.file.faults.is_empty() {
            return None;
        }
        let path = self.file.path.display();
        if self.is_gone() {
            return Some((gone_text(&path, "The last good scene is shown."), Vec::new()));
        }
        let kept = if self.authored.is_some() { " The last good scene is shown." } else { "" };
        Some((format!("The scene {path} cannot be used.{kept}"), self.file.faults.clone()))
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

    /// The files of the scenes that are not as in them, or that are gone, from left to right.
    #[must_use]
    pub fn unsaved(&self) -> Vec<PathBuf> {
        let unsaved = self.scenes.iter().filter(|scene| scene.is_unsaved());
        unsaved.map(|scene| scene.file.path.clone()).collect()
    }
}

/// That a scene's file is gone, and what stands in for it.
pub(super) fn gone_text(path: &dyn std::fmt::Display, instead: &str) -> String {
    format!("The scene {path} is gone from the disk: Save writes it again. {instead}")
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
