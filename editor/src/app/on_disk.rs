//! How the file of an open scene stands to what is shown of it.

/// What another program has made of a scene's file, while nothing was taken from it for that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnDisk {
    /// Nothing, or it was asked about.
    #[default]
    AsRead,
    /// It is newer than what is shown, and nobody has said yet which of them counts.
    Newer,
    /// Nothing is in it, or it cannot be read.
    Empty,
}
