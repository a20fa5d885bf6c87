//! The panels. Each reads the inspector and this instant, and returns what the person asked for.

pub mod figures;
pub mod marks;
pub mod pacing;
pub mod record;
pub mod stages;
pub mod strip;

/// A panel that goes into a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Panel {
    Stages,
    Record,
    Pacing,
}

impl Panel {
    pub const ALL: [Self; 3] = [Self::Stages, Self::Record, Self::Pacing];

    /// The title on its tab.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Stages => "Stages",
            Self::Record => "Record",
            Self::Pacing => "Pacing",
        }
    }
}
