//! `framewalk check`: every problem of projects and scenes, not only the first.

use super::args::CheckArgs;
use super::{CliError, files};
use crate::project::PROJECT_FILE;
use crate::project::problems::look;
use crate::project::store::load::{Problem, load_scene_with_unknown};
use crate::project::store::spelt;
use std::path::Path;

/// Checks each path: on stdout one line for each that is clean, after one for each part of it that this version does not
/// know and keeps, and one for every problem of the others. They are what was asked for; on stderr stands only what kept
/// a path from being checked.
///
/// # Errors
/// A fault with a line for each path that could not be checked; without a line where problems were found.
pub fn check(args: &CheckArgs) -> Result<(), CliError> {
    let mut clean = true;
    let mut unchecked = Vec::new();
    for path in &args.paths {
        match check_path(path) {
            Ok(Clean { summary, unknown }) => {
                let mut lines: Vec<String> = unknown.iter().map(Problem::to_string).collect();
                lines.push(format!("{}: {summary}", spelt::path(path)));
                files::lines("the findings", &lines)?;
            }
            Err(problems) => {
                clean = false;
                let (kept_from, found): (Vec<_>, Vec<_>) =
                    problems.into_iter().partition(|problem| keeps_from_checking(path, problem));
                unchecked.extend(kept_from.iter().map(Problem::to_string));
                let found: Vec<String> = found.iter().map(Problem::to_string).collect();
                files::lines("the findings", &found)?;
            }
        }
    }
    if clean { Ok(()) } else { Err(CliError::Fault(unchecked)) }
}

/// It is no fault in a file, but the path that was given could not be read, or is nothing that can be checked.
fn keeps_from_checking(path: &Path, problem: &Problem) -> bool {
    let given = problem.path == path || problem.path == path.join(PROJECT_FILE);
    given && problem.fault.line.is_none()
}

/// What is told of a path without a problem.
struct Clean {
    summary: String,
    unknown: Vec<Problem>,
}

fn check_path(path: &Path) -> Result<Clean, Vec<Problem>> {
    let is_project = path.is_dir() || path.file_name().is_some_and(|name| name == PROJECT_FILE);
    if is_project {
        return check_project(path);
    }
    // What cannot be looked at says why when it is read.
    if !path.try_exists().unwrap_or(true) && !path.is_symlink() {
        return Err(vec![Problem::of_file(path, "no such file or folder")]);
    }
    let (scene, unknown) = load_scene_with_unknown(path)?;
    let summary = format!("all is well, {}", counted(scene.entities.len(), "entity", "entities"));
    Ok(Clean { summary, unknown })
}

fn check_project(path: &Path) -> Result<Clean, Vec<Problem>> {
    let found = look(path);
    if !found.problems.is_empty() {
        return Err(found.problems);
    }
    let scenes = counted(found.scenes, "scene", "scenes");
    let summary = format!("all is well, {scenes}, {}", counted(found.entities, "entity", "entities"));
    Ok(Clean { summary, unknown: found.unknown })
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
