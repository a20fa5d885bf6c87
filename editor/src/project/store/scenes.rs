//! Making and renaming scenes of a project: the file, and its name in `project.ron`, which changes only there.

use std::path::Path;

use framewalk_runtime::scene::project::{Project, parse_project, update_project};

use super::load::{placed, read_text};
use super::reason::reason;
use super::whole::{self, Kind};
use super::{Pipes, is_there};
use crate::project::{PROJECT_FILE, scene_path, stem};

/// What is wrong with a name for a new scene, if anything.
///
/// # Errors
/// A sentence that says what a name must be.
pub fn checked_name(given: &str, taken: &[String]) -> Result<String, String> {
    let name = given.trim();
    let name = stem(name).trim();
    if name.is_empty() {
        return Err("Give the scene a name.".to_owned());
    }
    if name.starts_with('.') || name.contains(['/', '\\', ':', '\0', '\n']) {
        return Err(format!("{name:?} is no name of a file: no /, \\ or : in it, and no dot before it."));
    }
    let same = |other: &String| stem(other).to_lowercase() == name.to_lowercase();
    if taken.iter().any(same) {
        return Err(format!("The project has a scene {name:?} already."));
    }
    Ok(name.to_owned())
}

/// Writes a scene that is not there yet, and names it in `project.ron`.
///
/// # Errors
/// What failed and why: a file of that name is there, or something cannot be written. Nothing is changed then.
pub fn make_scene(root: &Path, name: &str, text: &str) -> Result<Project, Vec<String>> {
    let file = scene_path(root, name);
    whole::write(&file, text.as_bytes(), Kind::New).map_err(|problem| vec![problem.to_string()])?;
    list_scene(root, name).inspect_err(|_| drop(std::fs::remove_file(&file)))
}

/// Names a scene in `project.ron`, at the end of its scenes.
///
/// # Errors
/// Every fault of that file, or why it cannot be written.
pub fn list_scene(root: &Path, name: &str) -> Result<Project, Vec<String>> {
    change_project(root, |project| {
        if !project.scenes.iter().any(|scene| scene == name) {
            project.scenes.push(name.to_owned());
        }
    })
}

/// Renames a scene: its file, and its name in `project.ron`.
///
/// # Errors
/// What failed and why; nothing is changed then.
pub fn rename_scene(root: &Path, from: &str, to: &str) -> Result<Project, Vec<String>> {
    let (old, new) = (scene_path(root, from), scene_path(root, to));
    // The same file by another spelling, where the file system knows no capitals; but a link to the other one is not
    // put in its place.
    let same_place = || old.canonicalize().is_ok_and(|old| new.canonicalize().is_ok_and(|new| old == new));
    let is_same = || !old.is_symlink() && !new.is_symlink() && same_place();
    if (is_there(&new) || new.is_symlink()) && !is_same() {
        return Err(vec![format!("{} is there already", new.display())]);
    }
    std::fs::rename(&old, &new)
        .map_err(|error| vec![format!("cannot rename {}: {}", old.display(), reason(&error))])?;
    let changed = change_project(root, |project| {
        for scene in project.scenes.iter_mut().filter(|scene| *scene == from) {
            to.clone_into(scene);
        }
    });
    changed.inspect_err(|_| drop(std::fs::rename(&new, &old)))
}

/// Changes `project.ron` where `change` does, as it is on disk now.
///
/// # Errors
/// Every fault of that file, or why it cannot be written.
pub fn change_project(root: &Path, change: impl FnOnce(&mut Project)) -> Result<Project, Vec<String>> {
    let file = root.join(PROJECT_FILE);
    let text = read_text(&file, Pipes::Refused).map_err(|problem| vec![problem.to_string()])?;
    let mut project = parse_project(&text).map_err(|faults| placed(&file, faults))?;
    change(&mut project);
    let changed = update_project(&text, &project).map_err(|faults| placed(&file, faults))?;
    if changed != text {
        whole::write(&file, changed.as_bytes(), Kind::Document)
            .map_err(|problem| vec![problem.to_string()])?;
    }
    Ok(project)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROJECT: &str =
        "// Mine.\n(format: 1, name: \"P\", scenes: [\"main\"], /* odd */ colour_of_menu: 3)\n";

    fn project() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("scenes")).unwrap();
        std::fs::write(folder.path().join("project.ron"), PROJECT).unwrap();
        std::fs::write(folder.path().join("scenes/main.ron"), "(format: 1)").unwrap();
        folder
    }

    fn text(folder: &tempfile::TempDir, file: &str) -> String {
        std::fs::read_to_string(folder.path().join(file)).unwrap()
    }

    #[test]
    fn a_new_scene_is_named_in_the_project_file_which_changes_only_there() {
        let folder = project();
        let made = make_scene(folder.path(), "second", "(format: 1, seed: 4)").unwrap();
        assert_eq!(made.scenes, ["main", "second"]);
        assert_eq!(text(&folder, "project.ron"), PROJECT.replace("[\"main\"]", "[\"main\", \"second\"]"));
        assert_eq!(text(&folder, "scenes/second.ron"), "(format: 1, seed: 4)");
        let refused = make_scene(folder.path(), "main", "(format: 1, seed: 5)").unwrap_err();
        assert!(refused[0].ends_with("main.ron: it is there already"), "{refused:?}");
        assert_eq!(text(&folder, "scenes/main.ron"), "(format: 1)");
    }

    #[test]
    fn a_scene_is_renamed_in_both_places_or_in_neither() {
        let folder = project();
        rename_scene(folder.path(), "main", "first").unwrap();
        assert_eq!(text(&folder, "project.ron"), PROJECT.replace("\"main\"", "\"first\""));
        assert_eq!(text(&folder, "scenes/first.ron"), "(format: 1)");
        std::fs::write(folder.path().join("project.ron"), "(format: 1,").unwrap();
        let faults = rename_scene(folder.path(), "first", "third").unwrap_err();
        assert!(faults[0].contains("project.ron:1:"), "{faults:?}");
        assert_eq!(text(&folder, "scenes/first.ron"), "(format: 1)", "the file has its name again");
    }

    #[test]
    #[cfg(unix)]
    fn a_link_is_not_put_in_place_of_the_file_that_it_leads_to() {
        let folder = project();
        let link = folder.path().join("scenes/alias.ron");
        std::os::unix::fs::symlink("main.ron", &link).unwrap();
        for (from, to) in [("alias", "main"), ("main", "alias")] {
            let refused = rename_scene(folder.path(), from, to).unwrap_err();
            assert!(refused[0].ends_with("is there already"), "{refused:?}");
        }
        assert_eq!(text(&folder, "scenes/main.ron"), "(format: 1)");
        assert!(link.is_symlink());
    }

    #[test]
    fn names_that_are_no_names_say_why() {
        let taken = ["main".to_owned()];
        for (given, expected) in [
            (" level 2.ron ", Ok("level 2")),
            ("", Err("Give the scene a name.")),
            (".ron", Err("Give the scene a name.")),
            ("a/b", Err("\"a/b\" is no name of a file: no /, \\ or : in it, and no dot before it.")),
            (".a", Err("\".a\" is no name of a file: no /, \\ or : in it, and no dot before it.")),
            ("Main", Err("The project has a scene \"Main\" already.")),
        ] {
            let found = checked_name(given, &taken);
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{given:?}");
        }
    }
}
