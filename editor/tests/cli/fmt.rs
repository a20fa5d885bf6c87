//! `fmt`: canonical form, with comments, and nothing written where it was only asked for.

use crate::support::{TestProject, framewalk, sample};

const UGLY: &str = "// Mine.\n(format:1,entities:[\n(name:\"A\",id:1), // the first\n],)\n";

#[test]
fn a_scene_is_brought_into_canonical_form_once_and_keeps_its_comments() {
    let project = TestProject::new("");
    let scene = project.write("scenes/main.ron", UGLY);
    let done = framewalk(["fmt".as_ref(), project.path()]);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{done:?}");
    assert_eq!(done.stdout, format!("{}: rewritten\n", scene.display()));
    let text = std::fs::read_to_string(&scene).unwrap();
    let canonical = "// Mine.\n(\n    format: 1,\n    entities: [\n        (id: 1, name: \"A\"), // the first\n    ],\n)\n";
    assert_eq!(text, canonical);
    let again = framewalk(["fmt".as_ref(), scene.as_path()]);
    assert_eq!((again.status, again.stdout.as_str(), again.stderr.as_str()), (0, "", ""), "{again:?}");
}

#[test]
fn check_writes_nothing_names_what_differs_and_fails() {
    let project = TestProject::new("");
    let scene = project.write("scenes/main.ron", UGLY);
    let done = framewalk(["fmt".as_ref(), "--check".as_ref(), project.path()]);
    assert_eq!((done.status, done.stderr.as_str()), (1, ""), "{done:?}");
    assert_eq!(done.stdout, format!("{}: differs from canonical form\n", scene.display()));
    assert_eq!(std::fs::read_to_string(&scene).unwrap(), UGLY);
}

#[test]
fn a_file_that_is_refused_is_left_as_it_is_and_the_others_are_done() {
    let project = TestProject::new("");
    project.write("scenes/main.ron", UGLY);
    let broken = project.write("scenes/broken.ron", "(format: 1,\nentities: [(id: \"x\")])");
    let done = framewalk(["fmt".as_ref(), project.path()]);
    assert_eq!(done.status, 1, "{done:?}");
    assert!(done.stdout.ends_with("main.ron: rewritten\n"), "{done:?}");
    assert!(done.stderr.contains("broken.ron:2:") && done.stderr.contains("whole number"), "{done:?}");
    assert_eq!(std::fs::read_to_string(&broken).unwrap(), "(format: 1,\nentities: [(id: \"x\")])");
}

#[test]
fn the_samples_are_in_canonical_form_and_no_path_or_no_file_is_refused() {
    for name in ["crowd", "empty", "first-steps", "handoffs", "high-rate", "judder-lab", "overload", "pile"] {
        let done = framewalk(["fmt".as_ref(), "--check".as_ref(), sample(name).as_os_str()]);
        assert_eq!((done.status, done.stdout.as_str()), (0, ""), "{done:?}");
    }
    assert_eq!(framewalk(["fmt"]).status, 2);
    let missing = framewalk(["fmt", "nowhere.ron"]);
    assert_eq!(missing.status, 1, "{missing:?}");
    assert!(missing.stderr.contains("nowhere.ron: cannot be read: there is no such file"), "{missing:?}");
}
