//! What a new project starts from, and making one.

use super::reason::reason;
use super::whole::{self, Kind, NotWritten};
use crate::project::{PROJECT_FILE, SCENES_FOLDER};
use clap::ValueEnum;
use framewalk_runtime::scene::project::{Project, parse_project, update_project};
use std::path::Path;

/// What a new project starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Template {
    /// A ground, a cube, a camera and a sun
    Empty,
    /// A copy of the first sample
    FirstSteps,
}

/// The files of a template: path inside the project, and text.
type TemplateFiles = &'static [(&'static str, &'static str)];

const EMPTY: TemplateFiles = &[
    ("project.ron", include_str!("../../../../projects/empty/project.ron")),
    ("scenes/main.ron", include_str!("../../../../projects/empty/scenes/main.ron")),
];

const FIRST_STEPS: TemplateFiles = &[
    ("project.ron", include_str!("../../../../projects/first-steps/project.ron")),
    ("scenes/main.ron", include_str!("../../../../projects/first-steps/scenes/main.ron")),
];

/// The scene of the empty template: what a new scene begins with.
pub const EMPTY_SCENE: &str = include_str!("../../../../projects/empty/scenes/main.ron");

/// Makes the project, named after its folder.
///
/// # Errors
/// A sentence: the folder is not empty, or cannot be written; nothing is left of a project half made.
pub fn make_project(dir: &Path, template: Template) -> Result<(), String> {
    refuse_occupied(dir)?;
    let template = match template {
        Template::Empty => EMPTY,
        Template::FirstSteps => FIRST_STEPS,
    };
    write_whole(dir, template)
}

/// All of the template, or nothing: half a project would be in the way of the next try.
fn write_whole(dir: &Path, template: TemplateFiles) -> Result<(), String> {
    let was_there = dir.exists();
    write_template(dir, template).inspect_err(|_| {
        // The error that is told is the first one; what cannot be removed stays.
        drop(std::fs::remove_dir_all(dir.join(SCENES_FOLDER)));
        drop(std::fs::remove_file(dir.join(PROJECT_FILE)));
        if !was_there {
            drop(std::fs::remove_dir(dir));
        }
    })
}

fn write_template(dir: &Path, template: TemplateFiles) -> Result<(), String> {
    let failed =
        |why: &str, path: &Path| format!("error: the project could not be made: {why}: {}", path.display());
    let scenes = dir.join(SCENES_FOLDER);
    std::fs::create_dir_all(&scenes).map_err(|error| failed(&reason(&error), &scenes))?;
    for (inside, text) in template {
        let path = dir.join(inside);
        let text =
            if *inside == PROJECT_FILE { renamed(text, &project_name(dir)) } else { (*text).to_owned() };
        // Whatever is not there must have been thought of before: no folder is made up on the way.
        let refused = |error: NotWritten| failed(&error.why, &path);
        whole::write(&path, text.as_bytes(), Kind::Output).map_err(refused)?;
    }
    Ok(())
}

/// A project is made in a folder that is not there yet, or is empty: nothing of anybody's is overwritten.
fn refuse_occupied(dir: &Path) -> Result<(), String> {
    if dir.is_symlink() && !dir.exists() {
        return Err(format!("error: {} is a link that leads nowhere; choose a new folder", dir.display()));
    }
    if !dir.exists() {
        return Ok(());
    }
    if !dir.is_dir() {
        return Err(format!("error: {} is a file; choose a new folder", dir.display()));
    }
    let unreadable = |error| format!("error: {} cannot be read: {}", dir.display(), reason(&error));
    let mut entries = dir.read_dir().map_err(unreadable)?;
    if entries.next().is_some() {
        return Err(format!("error: {} is not empty; choose a new or an empty folder", dir.display()));
    }
    Ok(())
}

/// The folder's own name, also for `.` and `..`.
fn project_name(dir: &Path) -> String {
    let named = dir.file_name().map(std::ffi::OsStr::to_os_string);
    let named = named.or_else(|| dir.canonicalize().ok()?.file_name().map(std::ffi::OsStr::to_os_string));
    named.map_or_else(|| "Untitled".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The template's project file under another name, everything else as its author wrote it.
fn renamed(text: &str, name: &str) -> String {
    let Ok(project) = parse_project(text) else { return text.to_owned() };
    let renamed = Project { name: name.to_owned(), ..project };
    update_project(text, &renamed).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use framewalk_runtime::scene::check::check_scene;
    use framewalk_runtime::scene::format::parse_scene;

    #[test]
    fn a_project_that_cannot_be_written_whole_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        const BROKEN: TemplateFiles =
            &[("project.ron", "()"), ("scenes/main.ron", "()"), ("nowhere/more.ron", "")];
        for (dir, stays) in [(folder.path().join("game"), false), (folder.path().to_path_buf(), true)] {
            let error = write_whole(&dir, BROKEN).unwrap_err();
            assert!(error.contains("there is no such folder") && error.contains("more.ron"), "{error}");
            assert_eq!(dir.exists(), stays);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn every_template_is_a_project_without_faults() {
        for template in [EMPTY, FIRST_STEPS] {
            for (path, text) in template {
                if *path == PROJECT_FILE {
                    let project = parse_project(text).unwrap();
                    assert_eq!(project.scenes.first().map(|name| crate::project::stem(name)), Some("main"));
                    assert_eq!(parse_project(&renamed(text, "a \"b\" c")).unwrap().name, "a \"b\" c");
                } else {
                    assert_eq!(check_scene(&parse_scene(text).unwrap()), vec![], "{path}");
                }
            }
        }
    }
}
