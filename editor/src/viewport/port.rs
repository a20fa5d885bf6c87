//! The two panels that show the scene.

/// One of the two panels that show the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// Looked at as one likes.
    Scene,
    /// Always through the scene's own camera.
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
