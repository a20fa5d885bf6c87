//! Commands that need a name before they are done.

/// What the name is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Naming {
    NewProject,
    NewScene,
    SaveAs,
    DuplicateScene,
    RenameScene,
}

impl Naming {
    pub const ALL: [Self; 5] =
        [Self::NewProject, Self::NewScene, Self::SaveAs, Self::DuplicateScene, Self::RenameScene];

    /// What menus call it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::NewProject => "New project…",
            Self::NewScene => "New scene…",
            Self::SaveAs => "Save scene as…",
            Self::DuplicateScene => "Duplicate scene…",
            Self::RenameScene => "Rename scene…",
        }
    }

    /// What it does, in a sentence.
    #[must_use]
    pub const fn tooltip(self) -> &'static str {
        match self {
            Self::NewProject => "Makes a project that plays at once, in a new folder, and opens it.",
            Self::NewScene => "Makes a scene with a camera, a sun and a floor in this project, and opens it.",
            Self::SaveAs => {
                "Writes the scene as it is here to a new file of the project, and goes on with that one."
            }
            Self::DuplicateScene => "Writes a copy of the scene as it is here; this one stays open.",
            Self::RenameScene => "Gives the scene's file another name, also in project.ron.",
        }
    }

    /// The title of the dialog that asks for it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::NewProject => "New project",
            Self::NewScene => "New scene",
            Self::SaveAs => "Save scene as",
            Self::DuplicateScene => "Duplicate scene",
            Self::RenameScene => "Rename scene",
        }
    }

    /// The button that does it.
    #[must_use]
    pub const fn button(self) -> &'static str {
        match self {
            Self::NewProject | Self::NewScene => "Make",
            Self::SaveAs => "Save",
            Self::DuplicateScene => "Duplicate",
            Self::RenameScene => "Rename",
        }
    }
}
