//! `framewalk play` where there is no display, and on projects that cannot be played.

use crate::support::{TestProject, command};

fn without_display(project: &str) -> (i32, String, String) {
    let output = command()
        .args(["play", project])
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_display_it_says_so_and_what_to_do_instead() {
    let project = TestProject::mover();
    let path = project.path().to_str().unwrap();
    let (status, stdout, stderr) = without_display(path);
    assert_eq!((status, stdout.as_str()), (1, ""), "{stderr}");
    let expected = format!(
        "error: no window can be opened: neither WAYLAND_DISPLAY nor DISPLAY names a display; \
         `framewalk run {path}` runs the scene without one\n"
    );
    assert_eq!(stderr, expected);
}

#[test]
fn a_project_that_cannot_be_played_is_refused_before_any_window() {
    let project = TestProject::new("(id: 1, name: \"Cube\", shape: Cube(sise: (1, 1, 1)))");
    let (status, stdout, stderr) = without_display(project.path().to_str().unwrap());
    assert_eq!((status, stdout.as_str()), (1, ""), "{stderr}");
    assert!(stderr.contains("main.ron:1:") && stderr.contains("size"), "{stderr}");
    let (status, _, stderr) = without_display("/nowhere/at/all");
    assert_eq!(status, 1, "{stderr}");
    assert!(stderr.contains("no such folder"), "{stderr}");
}
