//! The editor's own panels. Each reads the model and asks for actions; the inspector's panels are in its own crate.

pub mod history;
pub mod log;
pub mod outliner;
pub mod problems;
pub mod project;
pub mod properties;

use egui::Id;
use serde::{Deserialize, Serialize};

use crate::viewport::port::Port;

/// One panel. Every one is in the dock exactly once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Pane {
    Outliner,
    Scene,
    Camera,
    Properties,
    Project,
    History,
    Strip,
    Stages,
    Timeline,
    Record,
    Log,
    Problems,
    Pacing,
    Handoff,
    Histogram,
    Threads,
    Compare,
}

impl Pane {
    pub const ALL: [Self; 17] = [
        Self::Outliner,
        Self::Scene,
        Self::Camera,
        Self::Properties,
        Self::Project,
        Self::History,
        Self::Strip,
        Self::Stages,
        Self::Timeline,
        Self::Record,
        Self::Log,
        Self::Problems,
        Self::Pacing,
        Self::Handoff,
        Self::Histogram,
        Self::Threads,
        Self::Compare,
    ];

    /// The widget that stands for the panel where the keyboard walks from one to the next.
    #[must_use]
    pub fn focus_id(self) -> Id {
        // From a picture, keys go to the game.
        self.port().map_or_else(|| Id::unique(("framewalk_panel", self)), Port::id)
    }

    /// The picture that this panel is.
    #[must_use]
    pub const fn port(self) -> Option<Port> {
        match self {
            Self::Scene => Some(Port::Scene),
            Self::Camera => Some(Port::Camera),
            _ => None,
        }
    }

    /// The arrow keys move through what it lists; in all others they walk from frame to frame.
    #[must_use]
    pub const fn lists(self) -> bool {
        matches!(self, Self::Outliner | Self::Log | Self::Problems | Self::History)
    }

    /// The title on its tab.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Outliner => "Outliner",
            Self::Scene => "Scene",
            Self::Camera => "Camera",
            Self::Properties => "Properties",
            Self::Project => "Project",
            Self::History => "History",
            Self::Strip => "Frames",
            Self::Stages => "Stages",
            Self::Record => "Record",
            Self::Log => "Log",
            Self::Problems => "Problems",
            Self::Pacing => "Pacing",
            Self::Timeline => "Timeline",
            Self::Handoff => "Handoff",
            Self::Histogram => "Histogram",
            Self::Threads => "Threads",
            Self::Compare => "Compare",
        }
    }
}
