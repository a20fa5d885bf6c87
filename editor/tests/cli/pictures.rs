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

#[test]
fn a_shot_shows_a_panel_of_the_editor_in_the_theme_and_size_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let background = |theme: &str| {
        let png = folder.path().join(format!("{theme}.png"));
        let mut shot = command();
        shot.arg("shot").arg(sample("first-steps")).arg(&png);
        shot.args(["--panel", "Stages", "--size", "600x300", "--seconds", "0.2", "--theme", theme]);
        let output = shot.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        if stderr.contains("nothing can be drawn here") {
            assert!(output.status.code() == Some(1) && !png.exists(), "{stderr}");
            return None;
        }
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        let picture = image::open(&png).unwrap().into_rgba8();
        assert_eq!((picture.width(), picture.height()), (600, 300));
        let corner = *picture.get_pixel(599, 299);
        assert!(picture.pixels().any(|pixel| *pixel != corner), "every pixel is {corner:?}");
        Some(corner.0)
    };
    if let (Some(dark), Some(light)) = (background("dark"), background("light")) {
        assert_eq!((dark, light), ([0x19, 0x1c, 0x22, 0xff], [0xfa, 0xfb, 0xfc, 0xff]));
    }
}

#[test]
fn a_shot_of_what_is_not_there_says_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let shot = |more: &[&str]| {
        let mut shot = command();
        let png = folder.path().join("shot.png");
        let output = shot.arg("shot").arg(sample("first-steps")).arg(&png).args(more).output().unwrap();
        assert!(!png.exists());
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (status, said) = shot(&["--panel", "Stagse"]);
    assert!(status == Some(2) && said.contains("did you mean `Stages`?"), "{said}");
    let (status, said) = shot(&["--scene", "nowhere"]);
    let is_named = status == Some(2) && said.contains("it has main");
    let is_without_adapter = status == Some(1) && said.contains("nothing can be drawn");
    assert!(is_named || is_without_adapter, "{said}");
}
