//! `framewalk fmt`: scene files in canonical form, with every comment still there.

use super::args::FmtArgs;
use super::{CliError, files};
use crate::project::store::Pipes;
use crate::project::store::load::{Problem, load_project, placed, read_text};
use crate::project::store::spelt;
use crate::project::store::whole::{self, Kind};
use crate::project::{PROJECT_FILE, SCENES_FOLDER};
use framewalk_runtime::scene::format::format_text;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Brings each scene into canonical form, and says on stdout which were rewritten; with `--check` nothing is written, and
/// stdout has those that differ. What is refused stays as it is, the others are done all the same.
///
/// # Errors
/// Every fault of what was refused; with `--check` also, without a line, that something differs.
pub fn fmt(args: &FmtArgs) -> Result<(), CliError> {
    let mut refused = Vec::new();
    let mut differs = false;
    let mut files: BTreeSet<PathBuf> = BTreeSet::new();
    for path in &args.paths {
        match scene_files(path) {
            Ok(found) => files.extend(found),
            Err(problem) => refused.push(problem.to_string()),
        }
    }
    for file in &files {
        match format_file(file, args.check) {
            Ok(false) => {}
            Ok(true) => {
                differs = true;
                let what = if args.check { "differs from canonical form" } else { "rewritten" };
                files::lines("what was done", &[format!("{}: {what}", spelt::path(file))])?;
            }
            Err(found) => refused.extend(found),
        }
    }
    if refused.is_empty() && !(args.check && differs) { Ok(()) } else { Err(CliError::Fault(refused)) }
}

/// The file itself, or every scene of a project: those it lists and those that lie beside them.
fn scene_files(path: &Path) -> Result<Vec<PathBuf>, Problem> {
    let is_project = path.is_dir() || path.file_name().is_some_and(|name| name == PROJECT_FILE);
    if !is_project {
        return Ok(vec![path.to_path_buf()]);
    }
    let folder = if path.is_dir() { path.to_path_buf() } else { path.with_file_name("") };
    if !folder.join(PROJECT_FILE).is_file() {
        let message = format!("not a project: there is no {PROJECT_FILE} in this folder");
        return Err(Problem::of_file(path, message));
    }
    let mut scenes: Vec<PathBuf> = Vec::new();
    if let Ok(loaded) = load_project(&folder) {
        scenes.extend(loaded.scene_names().map(|name| loaded.scene_path(name)));
    }
    if let Ok(entries) = folder.join(SCENES_FOLDER).read_dir() {
        let found = entries.filter_map(Result::ok).map(|entry| entry.path());
        scenes.extend(found.filter(|path| path.extension().is_some_and(|ending| ending == "ron")));
    }
    Ok(scenes)
}

/// Whether it is not in canonical form; it is, when this returns, unless only asked for.
fn format_file(file: &Path, only_check: bool) -> Result<bool, Vec<String>> {
    let text = read_text(file, Pipes::Refused).map_err(|problem| vec![problem.to_string()])?;
    let formatted = format_text(&text).map_err(|faults| placed(file, faults))?;
    if formatted == text {
        return Ok(false);
    }
    if !only_check {
        whole::write(file, formatted.as_bytes(), Kind::Document)
            .map_err(|problem| vec![format!("{problem}; the file is as it was")])?;
    }
    Ok(true)
}
