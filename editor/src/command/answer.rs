//! Answers to what the editor asks.

/// What can be answered to what is asked before work would be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Save,
    SaveAll,
    Discard,
    DiscardAll,
    KeepMine,
    TakeTheirs,
    ShowBoth,
    SaveCopy,
    Restore,
    Later,
    Cancel,
}

impl Answer {
    /// The word on its button.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Save => "Save",
            Self::SaveAll => "Save all",
            Self::Discard => "Discard",
            Self::DiscardAll => "Discard all",
            Self::KeepMine => "Keep mine",
            Self::TakeTheirs => "Take theirs",
            Self::ShowBoth => "Show both",
            Self::SaveCopy => "Save mine as a copy",
            Self::Restore => "Restore",
            Self::Later => "Later",
            Self::Cancel => "Cancel",
        }
    }

    /// What it does, in a sentence.
    #[must_use]
    pub const fn tooltip(self) -> &'static str {
        match self {
            Self::Save => "Writes the scene to its file first.",
            Self::SaveAll => "Writes this scene and all others that are not saved to their files first.",
            Self::Discard => "What was changed since it was last saved is gone.",
            Self::DiscardAll => {
                "What was changed in this scene and all others since they were last saved is gone."
            }
            Self::KeepMine => "Writes yours over what the other program wrote.",
            Self::TakeTheirs => "Reads the file again; what you changed is gone.",
            Self::ShowBoth => "Shows the lines that differ; nothing is changed yet.",
            Self::SaveCopy => "Writes yours into a new file beside it, then reads the other one.",
            Self::Restore => "Puts it back, as one step that can be undone; it is not saved yet.",
            Self::Later => "Leaves it where it is; it is offered when the project is opened again.",
            Self::Cancel => "Nothing happens; you can go on working.",
        }
    }
}
