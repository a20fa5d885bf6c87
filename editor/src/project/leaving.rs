//! What would lose unsaved work, and what has been said about the scenes that have some.

use std::path::{Path, PathBuf};

use super::store::template::Template;

/// What is done once nothing unsaved stands in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    Quit,
    CloseProject,
    OpenPath(PathBuf),
    /// In this folder, from this template.
    MakeProject(PathBuf, Template),
    /// The scenes of these files.
    CloseScenes(Vec<PathBuf>),
    /// The scene of this file is read again from it.
    Revert(PathBuf),
}

/// Something that is to be done, and what has been said about the scenes that are not saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaving {
    pub next: Next,
    /// Files of scenes that are to be saved first.
    pub save: Vec<PathBuf>,
    /// Files of scenes that may be lost, with the document's revision: what is changed after that is asked about again.
    pub discard: Vec<(PathBuf, u64)>,
}

impl From<Next> for Leaving {
    fn from(next: Next) -> Self {
        Self { next, save: Vec::new(), discard: Vec::new() }
    }
}

impl Next {
    /// What is not saved of the scene of this file would be lost.
    #[must_use]
    pub fn is_about(&self, file: &Path) -> bool {
        match self {
            Self::Quit | Self::CloseProject | Self::OpenPath(_) | Self::MakeProject(..) => true,
            Self::CloseScenes(files) => files.iter().any(|closed| closed == file),
            Self::Revert(reverted) => reverted == file,
        }
    }
}
