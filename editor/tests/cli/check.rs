//! `check`, and the same faults where `run` meets them.

use crate::support::{TestProject, framewalk, sample};

/// Runs `check` and `run` on a project that is at fault; both say the same. For `check` that is the data it was asked
/// for, on stdout; for `run` it is an error.
fn faults(project: &TestProject) -> String {
    let checked = framewalk(["check".as_ref(), project.path()]);
    assert_eq!((checked.status, checked.stderr.as_str()), (1, ""), "{checked:?}");
    let ran = framewalk(["run".as_ref(), project.path(), "--frames".as_ref(), "1".as_ref()]);
    assert_eq!((ran.status, ran.stdout.as_str()), (1, ""), "{ran:?}");
    for line in ran.stderr.lines() {
        assert!(checked.stdout.contains(line), "{line:?} is not in {:?}", checked.stdout);
    }
    checked.stdout
}

#[test]
fn a_clean_path_prints_one_line_and_succeeds() {
    let project = TestProject::mover();
    let scene = project.path().join("scenes/main.ron");
    let done = framewalk(["check".as_ref(), project.path(), scene.as_path()]);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{done:?}");
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with(project.path().to_str().unwrap()), "{lines:?}");
    assert!(lines[0].contains("1 scene, 1 entity"), "{lines:?}");
}

#[test]
fn the_samples_are_clean() {
    for name in ["crowd", "empty", "first-steps", "handoffs", "high-rate", "judder-lab", "overload", "pile"] {
        let done = framewalk(["check".as_ref(), sample(name).as_os_str()]);
        assert_eq!(done.status, 0, "{done:?}");
    }
}

#[test]
fn a_syntax_error_has_path_line_and_column() {
    let project = TestProject::new("");
    let path = project.write(
        "scenes/main.ron",
        "(\n    format: 1,\n    entities: [\n        (id: 1, name: \"A\",\n    ],\n)\n",
    );
    let found = faults(&project);
    assert!(found.starts_with(&format!("{}:5:5: ", path.display())), "{found}");
}

#[test]
fn a_misspelt_field_names_the_nearest() {
    let project = TestProject::new("\n(id: 1, name: \"A\", transform: (postion: (0, 0, 0)))");
    let found = faults(&project);
    assert!(found.contains("main.ron:2:") && found.contains("`position`"), "{found}");
}

#[test]
fn a_text_where_a_number_belongs_is_named_with_its_place() {
    let project = TestProject::new("\n(id: \"one\", name: \"A\")");
    let found = faults(&project);
    assert!(found.contains("main.ron:2:6: ") && found.contains("whole number"), "{found}");
}

#[test]
fn ten_thousand_brackets_are_refused_without_a_crash() {
    for bracket in ["[", "(", "{"] {
        let project = TestProject::new("");
        project.write("scenes/main.ron", &bracket.repeat(10_000));
        let found = faults(&project);
        assert!(found.contains("main.ron:1:"), "{found}");
    }
}

#[test]
fn every_fault_is_named_and_not_only_the_first() {
    let project = TestProject::new(
        "(id: 1, name: \"A\", shape: Cube(size: (1, 1, 1), color: \"#ffffff\"), body: (mass: -1)),
         (id: 2, name: \"B\", transform: (scale: (0, 1, 1))),
         (id: 2, name: \"C\", parent: 9)",
    );
    let found = faults(&project);
    for part in ["\"A\"", "mass", "\"B\"", "scale", "\"C\"", "parent"] {
        assert!(found.contains(part), "{part}: {found}");
    }
    assert!(found.lines().count() >= 3, "{found}");
}

#[test]
fn a_newer_format_is_refused_with_a_sentence() {
    let project = TestProject::new("");
    project.write("scenes/main.ron", "(format: 99, entities: [], sparkle: true)");
    assert!(faults(&project).contains("format 99"));
}

#[test]
fn a_project_at_fault_says_where() {
    let project = TestProject::new("");
    project.write("project.ron", "(format: 1, name: \"T\", scenes: [\"main\"],\n tick_rate: 0)");
    let found = faults(&project);
    assert!(found.contains("project.ron:2:13: ") && found.contains("1 to 1000 Hz"), "{found}");

    let project = TestProject::new("");
    project.write("project.ron", "(format: 1, name: \"T\", scenes: [\"mian\"])");
    let found = faults(&project);
    assert!(found.contains("project.ron:1:33: the scene \"mian\" is named here, and "), "{found}");
    assert!(found.contains("mian.ron: cannot be read: there is no such file"), "{found}");
    let done = framewalk(["run".as_ref(), project.path().as_os_str()]);
    assert_eq!(
        (done.status, done.stderr.contains("project.ron:1:33: the scene \"mian\"")),
        (1, true),
        "{done:?}"
    );
}

#[test]
fn folders_and_files_that_are_no_project_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("nowhere");
    for (path, expected) in [(folder.path(), "there is no project.ron"), (missing.as_path(), "no such f")] {
        for command in ["check", "run"] {
            let done = framewalk([command.as_ref(), path.as_os_str()]);
            assert_eq!(done.status, 1, "{done:?}");
            assert_eq!(done.stdout, "", "{done:?}");
            assert!(done.stderr.starts_with(path.to_str().unwrap()), "{done:?}");
            assert!(done.stderr.contains(expected), "{done:?}");
        }
    }
    let done = framewalk([missing.as_os_str()]);
    assert!(done.status == 1 && done.stderr.contains("no such folder"), "{done:?}");
}

#[test]
fn a_file_that_is_no_utf8_names_the_first_wrong_byte() {
    let project = TestProject::new("");
    std::fs::write(project.path().join("scenes/main.ron"), b"(\n  ab\xff)").unwrap();
    let found = faults(&project);
    assert!(found.contains("main.ron:2:5: not UTF-8"), "{found}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_device_in_the_place_of_a_scene_is_refused_and_not_read_for_ever() {
    let project = TestProject::new("");
    let scene = project.path().join("scenes/main.ron");
    std::fs::remove_file(&scene).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &scene).unwrap();
    assert!(faults(&project).contains("main.ron: cannot be read: it is no file, but a pipe or a device"));
}

#[test]
#[cfg(target_os = "linux")]
fn findings_that_cannot_be_written_are_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let project = TestProject::mover();
    let done = crate::support::command().arg("check").arg(project.path()).stdout(full).output().unwrap();
    assert_eq!(done.status.code(), Some(1));
    let stderr = String::from_utf8(done.stderr).unwrap();
    assert_eq!(stderr, "error: the findings could not be written to stdout: the disk is full\n");
}

#[test]
fn a_control_character_is_named_and_not_printed() {
    let project = TestProject::new("");
    project.write("scenes/main.ron", "(format: 1, \u{1b}[31m)");
    let found = faults(&project);
    assert!(found.contains("1:13: ") && found.contains("\\u{1b}"), "{found:?}");
    assert!(!found.contains('\u{1b}'), "{found:?}");
}

#[test]
fn a_scene_with_a_fault_in_each_of_many_entities_names_every_one() {
    let entities: Vec<String> =
        (0..2_000).map(|id| format!("(id: {id}, name: \"E\", transform: (postion: (0, 0, 0)))")).collect();
    let project = TestProject::new(&entities.join(",\n"));
    let found = faults(&project);
    assert_eq!(found.lines().count(), 2_000);
    assert!(found.lines().last().unwrap().contains("main.ron:2000:"), "{}", found.lines().last().unwrap());
}

#[test]
fn a_broken_rule_has_the_place_of_its_very_field() {
    let project = TestProject::new("");
    let path = project.write(
        "scenes/main.ron",
        "(
    format: 1,
    entities: [
        (
            id: 1, name: \"A\",
            transform: (position: (0, 0, 0), scale: (0, 1, 1)),
            camera: (follow: (offset: (0, 1, 0), target: 7)),
        ),
        (id: 1, name: \"B\", parent: 9),
    ],
)
",
    );
    let stderr = faults(&project);
    let places: Vec<&str> = stderr
        .lines()
        .filter_map(|line| line.strip_prefix(path.to_str().unwrap())?.strip_prefix(':')?.split_once(": "))
        .map(|(place, _)| place)
        .collect();
    assert_eq!(places, ["6:53", "7:58", "9:14", "9:36"], "{stderr}");
}

#[test]
fn what_this_version_does_not_know_is_listed_and_no_fault() {
    let project = TestProject::new("");
    let text = "(format: 1, weather: Rain, entities: [(id: 1, name: \"A\", trail: (length: 3))])";
    let path = project.write("scenes/main.ron", text);
    let done = framewalk(["check".as_ref(), project.path()]);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{done:?}");
    let path = path.display();
    let kept = "this version does not know it: it is kept as it is written";
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(lines[0], format!("{path}:1:13: weather: {kept}"));
    assert_eq!(lines[1], format!("{path}:1:58: \"A\" (id 1), trail: {kept}"));
}
