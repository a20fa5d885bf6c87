//! Pictures drawn off screen, where there is an adapter (a software one will do).

use crate::support::{command, sample};

#[test]
fn a_screenshot_is_drawn_or_its_lack_is_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let (png, report) = (folder.path().join("shot.png"), folder.path().join("report.json"));
    let mut run = command();
    run.arg("run")
        .arg(sample("first-steps"))
        .args(["--pace", "instant", "--frames", "30", "--size", "320x200"]);
    let output = run.arg("--screenshot").arg(&png).arg("--report").arg(&report).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(report.is_file(), "{stderr}");
    if stderr.contains("no adapter to draw with") {
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr.contains("no screenshot") && !png.exists(), "{stderr}");
        return;
    }
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let picture = image::open(&png).unwrap().into_rgba8();
    assert_eq!((picture.width(), picture.height()), (320, 200));
    let first = *picture.get_pixel(0, 0);
    assert!(picture.pixels().any(|pixel| *pixel != first), "every pixel is {first:?}");
}

#[test]
fn without_a_display_and_a_project_the_reason_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut open = command();
    open.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").current_dir(folder.path());
    let output = open.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("no window can be opened") && stderr.contains("framewalk PROJECT"), "{stderr}");
}
