//! The program `framewalk`: a command line, behind which lies the editor.

pub mod cli;

/// The window, not built yet: every start answers as a machine without a display does.
pub mod window {
    use std::path::PathBuf;

    /// # Errors
    /// Always: there is no window yet.
    pub fn open(_project: Option<PathBuf>) -> anyhow::Result<()> {
        anyhow::bail!("this build has no editor window yet")
    }

    /// # Errors
    /// Always: there is no window yet.
    pub fn display_available() -> Result<(), String> {
        Err("this build has no editor window yet".to_owned())
    }
}
