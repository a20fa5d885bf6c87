//! The panels. Each reads the inspector and this instant, and returns what the person asked for.

pub mod compare;
pub mod figures;
pub mod handoff;
pub mod histogram;
pub mod marks;
pub mod pacing;
pub mod record;
pub mod stages;
pub mod strip;
pub mod threads;
pub mod timeline;

/// A panel that goes into a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Panel {
    Stages,
    Timeline,
    Record,
    Pacing,
    Handoff,
    Histogram,
    Threads,
    Compare,
}

impl Panel {
    pub const ALL: [Self; 8] = [
        Self::Stages,
        Self::Timeline,
        Self::Record,
        Self::Pacing,
        Self::Handoff,
        Self::Histogram,
        Self::Threads,
        Self::Compare,
    ];

    /// The title on its tab.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Stages => "Stages",
            Self::Timeline => "Timeline",
            Self::Record => "Record",
            Self::Pacing => "Pacing",
            Self::Handoff => "Handoff",
            Self::Histogram => "Histogram",
            Self::Threads => "Threads",
            Self::Compare => "Compare",
        }
    }
}
