//! `framewalk new`: a project that plays at once.

use super::CliError;
use super::args::NewArgs;
use super::files;
use crate::project::store::spelt;
use crate::project::store::template::make_project;

/// Makes the project, named after its folder.
///
/// # Errors
/// The folder is not empty, or cannot be written.
pub fn new(args: &NewArgs) -> Result<(), CliError> {
    let dir = &args.dir;
    make_project(dir, args.template).map_err(CliError::fault)?;
    let shown = spelt::path(dir);
    let made = format!("made {shown}: open it with `framewalk {shown}`");
    files::lines("what was made", &[made])
}
