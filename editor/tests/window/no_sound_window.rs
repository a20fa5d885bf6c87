//! A machine whose sound device cannot be opened: said once in the log, and by nobody else.

use std::process::Command;

use super::Display;
use super::play_window::project;

#[test]
fn of_a_device_that_cannot_be_opened_the_log_speaks_and_alsa_does_not() {
    let (display, folder) = (Display::start(), tempfile::tempdir().unwrap());
    let written = "pcm.!default { type hw card nosuch }\nctl.!default { type hw card nosuch }\n";
    std::fs::write(folder.path().join(".asoundrc"), written).unwrap();
    let scene = project(
        "(id: 1, name: \"Camera\", transform: (position: (0, 1, 6)), camera: ()), \
         (id: 2, name: \"Hum\", sound: (when: Start, seconds: 0, volume: 0.1))",
    );
    let output = Command::new(env!("CARGO_BIN_EXE_framewalk"))
        .arg("play")
        .arg(scene.path())
        .args(["--size", "320x200", "--frames", "61"])
        .env("DISPLAY", &display.name)
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("PULSE_SERVER")
        .env("XDG_RUNTIME_DIR", folder.path())
        .env("HOME", folder.path())
        .env("FRAMEWALK_LOG", "warn,framewalk=info")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert!(stderr.contains("audio_silent"), "{stderr}");
    assert!(!stderr.contains("ALSA lib"), "{stderr}");
}
