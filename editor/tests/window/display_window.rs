//! A display that changes its refresh rate under a window that stays where it is.

use x11rb::connection::Connection;
use x11rb::protocol::randr::{ConnectionExt as _, ModeInfo, Rotation, SetConfig};
use x11rb::rust_connection::RustConnection;

use super::play_window::{Player, STEERED, focused, project};
use super::{Display, Editor};

/// Who sets the modes of a display.
struct Modes {
    connection: RustConnection,
    root: u32,
}

impl Modes {
    fn of(display: &Display) -> Self {
        let (connection, screen) = RustConnection::connect(Some(&display.name)).unwrap();
        let root = connection.setup().roots[screen].root;
        Self { connection, root }
    }

    /// The same size, so many times a second.
    fn refresh(&self, hertz: u32) {
        let connection = &self.connection;
        let resources = connection.randr_get_screen_resources_current(self.root).unwrap().reply().unwrap();
        let (output, crtc) = (resources.outputs[0], resources.crtcs[0]);
        let (width, height, name) = (1_600_u16, 1_000_u16, format!("at{hertz}"));
        let mode = ModeInfo {
            width,
            height,
            htotal: width,
            vtotal: height,
            dot_clock: u32::from(width) * u32::from(height) * hertz,
            name_len: name.len() as u16,
            ..ModeInfo::default()
        };
        let mode =
            connection.randr_create_mode(self.root, mode, name.as_bytes()).unwrap().reply().unwrap().mode;
        connection.randr_add_output_mode(output, mode).unwrap().check().unwrap();
        let set = connection
            .randr_set_crtc_config(
                crtc,
                0,
                resources.config_timestamp,
                0,
                0,
                mode,
                Rotation::ROTATE0,
                &[output],
            )
            .unwrap()
            .reply()
            .unwrap();
        assert_eq!(set.status, SetConfig::SUCCESS, "{hertz} Hz");
    }
}

/// The rate that is followed now, as the log says it.
fn followed(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("display_rate_followed rate=")?;
    rest.split_whitespace().next().map(str::to_owned)
}

#[test]
fn a_played_scene_follows_another_mode_of_its_display_and_says_so_in_title_and_report() {
    let display = Display::start();
    let modes = Modes::of(&display);
    let scene = project(STEERED);
    let mut player = Player::logging(&display, scene.path(), &[], "warn,framewalk=info");
    // The display says no rate: the project's.
    focused(&display, "Test / main.*frames 60 Hz");
    for hertz in [75, 120] {
        modes.refresh(hertz);
        let rate = player.log.wait_for("the display's rate", followed);
        assert_eq!(rate, hertz.to_string());
        focused(&display, &format!("Test / main.*frames {hertz} Hz"));
    }
    display.xdotool(&["key", "Escape"]);
    let (status, report, stderr) = player.end();
    assert_eq!(status, Some(0), "{stderr}");
    assert_eq!((&report["frame_rate"], &report["conserved"]), (&"120".into(), &true.into()));
    let changed = report["changed"].as_array().unwrap();
    assert!(changed.contains(&"frame_rate".into()), "{changed:?}");
}

#[test]
fn the_editor_follows_another_mode_of_its_display() {
    let display = Display::start();
    let modes = Modes::of(&display);
    let mut editor = Editor::open(&display, "(format: 1, tour_taken: true)");
    editor.wait_for("the authored scene", |painted| painted.drawn == painted.wanted);
    let window = display.window("judder-lab|^Framewalk").expect("the main window is there");
    display.xdotool(&["windowfocus", "--sync", &window]);
    display.xdotool(&["key", "F5"]);
    editor.wait_for("a frame of the run", |painted| painted.frame > 0);
    for hertz in [75, 30] {
        modes.refresh(hertz);
        assert_eq!(editor.log.wait_for("the display's rate", followed), hertz.to_string());
    }
    editor.is_well();
}
