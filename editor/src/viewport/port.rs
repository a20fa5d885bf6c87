//! The two panels that show the scene.

/// One of the two panels that show the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// Looked at as one likes. The mouse is the editor's here, whosever the keys are.
    Scene,
    /// Always through the scene's own camera: the game's own picture. Who gives the game the keys here gives it the
    /// mouse too.
    Camera,
}

impl Port {
    /// The place it has in egui: what has the keyboard when the game has it.
    #[must_use]
    pub fn id(self) -> egui::Id {
        match self {
            Self::Scene => egui::Id::unique("framewalk_viewport"),
            Self::Camera => egui::Id::unique("framewalk_camera_viewport"),
        }
    }
}
