//! Windows that are covered, minimised, taken away and as small as they get while a scene runs, and come back; and an
//! editor that rests.

use std::process::{Child, Command};
use std::time::Duration;

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{Atom, ConnectionExt as _, CreateWindowAux, InputFocus, PropMode, WindowClass};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use super::play_window::{Player, STEERED, a_moment, focused, project};
use super::{Display, Editor, Lines, number};

/// What is long enough to be called rest: a pass is asked for after a tenth of that, wherever one is asked for again and
/// again.
const REST: Duration = Duration::from_secs(2);

/// How a window is taken out of sight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Away {
    /// Behind another one.
    Covered,
    /// As a window manager does it: unmapped, and told so.
    Minimised,
    /// Unmapped, and not told.
    Unmapped,
    /// A pixel is as small as a window of this system gets.
    Shrunk,
}

impl Away {
    const ALL: [Self; 4] = [Self::Covered, Self::Minimised, Self::Unmapped, Self::Shrunk];

    /// The program can know that nothing of it is to be seen.
    fn is_told(self) -> bool {
        matches!(self, Self::Covered | Self::Minimised)
    }
}

/// A second client of the display, which does to windows what people and window managers do.
pub struct Hand {
    connection: RustConnection,
    root: u32,
    state: Atom,
    hidden: Atom,
    cover: u32,
}

impl Hand {
    pub fn at(display: &Display) -> Self {
        let (connection, screen) = RustConnection::connect(Some(&display.name)).unwrap();
        let root = connection.setup().roots[screen].root;
        let atom = |name: &str| connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
        let (state, hidden) = (atom("_NET_WM_STATE"), atom("_NET_WM_STATE_HIDDEN"));
        let cover = connection.generate_id().unwrap();
        let aux = CreateWindowAux::new().override_redirect(1).background_pixel(0);
        connection
            .create_window(0, cover, root, 0, 0, 1600, 1000, 0, WindowClass::INPUT_OUTPUT, 0, &aux)
            .unwrap();
        Self { connection, root, state, hidden, cover }
    }

    pub fn take_away(&self, window: u32, away: Away) {
        match away {
            Away::Covered => drop(self.connection.map_window(self.cover).unwrap()),
            Away::Minimised => {
                let property = (self.state, u32::from(x11rb::protocol::xproto::AtomEnum::ATOM));
                self.connection
                    .change_property32(PropMode::REPLACE, window, property.0, property.1, &[self.hidden])
                    .unwrap();
                self.connection.unmap_window(window).unwrap();
            }
            Away::Unmapped => drop(self.connection.unmap_window(window).unwrap()),
            Away::Shrunk => self.resize(window, [1, 1]),
        }
        self.sync();
    }

    fn bring_back(&self, window: u32, away: Away, size: [u32; 2]) {
        match away {
            Away::Covered => drop(self.connection.unmap_window(self.cover).unwrap()),
            Away::Minimised => {
                self.connection.delete_property(window, self.state).unwrap();
                self.connection.map_window(window).unwrap();
            }
            Away::Unmapped => drop(self.connection.map_window(window).unwrap()),
            Away::Shrunk => self.resize(window, size),
        }
        self.sync();
    }

    /// As any program may.
    pub fn destroy(&self, window: u32) {
        self.connection.destroy_window(window).unwrap();
        self.sync();
    }

    pub fn resize(&self, window: u32, [width, height]: [u32; 2]) {
        let size = x11rb::protocol::xproto::ConfigureWindowAux::new().width(width).height(height);
        self.connection.configure_window(window, &size).unwrap();
    }

    /// The server has done all of it.
    fn sync(&self) {
        self.connection.get_geometry(self.root).unwrap().reply().unwrap();
    }
}

/// One line of the log: a pass of the editor, and the newest frame it knew of.
#[derive(Clone, Copy, Debug)]
struct Pass {
    number: u64,
    hidden: bool,
    frame: u64,
    millis: u64,
}

impl Pass {
    fn parse(line: &str) -> Option<Self> {
        line.contains("pass_made").then_some(())?;
        Some(Self {
            number: number(line, "pass")?,
            hidden: line.contains("hidden=true"),
            frame: number(line, "frame")?,
            millis: number(line, "millis")?,
        })
    }
}

/// Focused, and pressed.
fn press(display: &Display, window: &str, key: &str) {
    display.xdotool(&["windowfocus", "--sync", window]);
    display.xdotool(&["key", key]);
}

#[test]
fn a_playing_editor_comes_back_from_wherever_its_window_was_and_not_one_frame_is_missing() {
    let display = Display::start();
    let hand = Hand::at(&display);
    let mut editor = Editor::open(&display, "(format: 1, tour_taken: true, when_hidden: KeepRunning)");
    editor.wait_for("the authored scene", |painted| painted.drawn == painted.wanted);
    let window = display.window("judder-lab|^Framewalk").expect("the main window is there");
    let id = window.parse().unwrap();
    press(&display, &window, "F5");
    let mut frame = editor.wait_for("a frame of the run", |painted| painted.frame > 0).frame;

    for away in Away::ALL {
        hand.take_away(id, away);
        let is_away = |pass: &Pass| pass.frame > frame && pass.hidden == away.is_told();
        let first = editor.log.wait_for("a pass out of sight", |line| Pass::parse(line).filter(is_away));
        let painted = editor.log.painted.len();
        let goes_on = |pass: &Pass| pass.frame >= first.frame + 60;
        let last = editor.log.wait_for("frames out of sight", |line| Pass::parse(line).filter(goes_on));
        if away.is_told() {
            assert_eq!(editor.log.painted.len(), painted, "nothing is painted: {away:?}");
        }
        // One for each picture, and one in a tenth of a second; some more just after Play.
        let most = last.frame - first.frame + (last.millis - first.millis) / 100 + 30;
        assert!(last.number - first.number <= most, "{away:?}: {first:?}, {last:?}");
        hand.bring_back(id, away, [1560, 940]);
        let is_back = editor.wait_for("a new picture in its full size", |painted| {
            painted.frame > last.frame && painted.drawn == painted.wanted
        });
        frame = is_back.frame;
        editor.is_well();
    }

    press(&display, &window, "F8");
    let found = |what: &'static str| move |line: &str| line.contains(what).then(|| line.to_owned());
    let ended = editor.log.wait_for("the end of the run", found("run_ended"));
    let kept = editor.log.wait_for("what is kept of it", found("run_kept"));
    let [frames, published, rendered, dropped, undrawn, abandoned, lost] =
        ["frames", "published", "rendered", "dropped", "undrawn", "abandoned", "lost_records"]
            .map(|name| number(&ended, name).unwrap_or_else(|| panic!("{name}: {ended}")));
    let [oldest, newest, held, missing, shown, unseen] =
        ["oldest", "newest", "held", "missing", "shown", "unseen"]
            .map(|name| number(&kept, name).unwrap_or_else(|| panic!("{name}: {kept}")));
    assert_eq!((oldest, newest, held, missing, lost), (1, frames, frames, 0, 0), "{ended}; {kept}");
    assert_eq!(published, rendered + dropped + undrawn + abandoned, "{ended}");
    assert_eq!(abandoned.min(2), abandoned, "at the end only: {ended}");
    // What was skipped out of sight is not called shown.
    assert!(shown <= editor.log.painted.len() as u64 && shown + unseen <= rendered, "{ended}; {kept}");
    assert!(shown > 0 && unseen > 0, "{kept}");
    editor.is_well();
}

#[test]
fn a_picture_in_its_own_window_goes_on_and_is_resized_while_the_main_one_is_minimised() {
    let display = Display::start();
    let hand = Hand::at(&display);
    let settings = "(format: 1, tour_taken: true, when_hidden: KeepRunning, undocked: [Scene])";
    let mut editor = Editor::open(&display, settings);
    editor.wait_for("the authored scene", |painted| painted.drawn == painted.wanted);
    let main = display.window("judder-lab|^Framewalk").expect("the main window is there");
    press(&display, &main, "F5");
    let mut frame = editor.wait_for("a frame of the run", |painted| painted.frame > 0).frame;
    let second: u32 = display.window("^Scene").expect("the panel has its own window").parse().unwrap();
    let id = main.parse().unwrap();
    hand.take_away(id, Away::Minimised);
    editor.log.wait_for("a pass of a minimised window", |line| Pass::parse(line).filter(|pass| pass.hidden));
    for step in 0..10_u32 {
        hand.resize(second, [300 + (step * 149) % 420, 160 + (step * 97) % 300]);
        hand.sync();
        frame = editor.wait_for("a frame after a resize", |painted| painted.frame > frame + 5).frame;
    }
    hand.bring_back(id, Away::Minimised, [1560, 940]);
    let shown = |pass: &Pass| !pass.hidden && pass.frame > frame;
    editor.log.wait_for("a pass of the main window", |line| Pass::parse(line).filter(shown));
    editor.is_well();
}

#[test]
fn an_editor_with_nothing_to_do_makes_no_pass_in_edit_nor_paused_nor_covered() {
    let display = Display::start();
    let hand = Hand::at(&display);
    let mut editor = Editor::open(&display, "(format: 1, tour_taken: true)");
    editor.wait_for("the authored scene", |painted| painted.drawn == painted.wanted);
    let window = display.window("judder-lab|^Framewalk").expect("the main window is there");
    display.xdotool(&["windowfocus", "--sync", &window]);
    editor.log.wait_for_rest("the editor in Edit", REST);
    // Pause, then Play: the first frame is shown and stands.
    display.xdotool(&["key", "F7"]);
    display.xdotool(&["key", "F5"]);
    editor.wait_for("the first frame", |painted| painted.frame == 1);
    editor.log.wait_for_rest("the paused editor", REST);
    hand.take_away(window.parse().unwrap(), Away::Covered);
    editor.log.wait_for_rest("the covered editor", REST);
    hand.bring_back(window.parse().unwrap(), Away::Covered, [1560, 940]);
    editor.wait_for("the first frame again", |painted| painted.frame == 1);
    editor.is_well();
}

#[test]
fn a_bare_window_comes_back_from_wherever_it_was_and_its_report_has_every_frame() {
    let display = Display::start();
    let hand = Hand::at(&display);
    let scene = project(STEERED);
    let mut player = Player::logging(&display, scene.path(), &[], "warn,framewalk=trace");
    let window = focused(&display, "Test / main.*frames");
    let id = window.parse().unwrap();
    let mut frame = 0;
    let mut go_on = |log: &mut Lines, what: &str| {
        let after = frame + 20;
        let drawn = |line: &str| line.contains("picture_drawn").then(|| number(line, "frame")).flatten();
        frame = log.wait_for(what, |line| drawn(line).filter(|drawn| *drawn > after));
        frame
    };
    // Each twice: what is lost once must be there to be lost again.
    for away in Away::ALL.into_iter().chain(Away::ALL) {
        hand.take_away(id, away);
        go_on(&mut player.log, "pictures out of sight");
        hand.bring_back(id, away, [320, 200]);
        go_on(&mut player.log, "pictures that are back");
    }
    let last = go_on(&mut player.log, "pictures that are back");
    let is_shown = |line: &str| line.contains("is_shown=true").then(|| number(line, "frame"))?;
    player.log.wait_for("a picture that is shown", |line| is_shown(line).filter(|shown| *shown > last));
    display.xdotool(&["windowfocus", "--sync", &window]);
    display.xdotool(&["key", "Escape"]);
    let (status, report, stderr) = player.end();
    assert_eq!(status, Some(0), "{stderr}");
    assert!(!stderr.contains("ERROR") && !stderr.contains("panicked"), "{stderr}");
    let count = |name: &str| report[name].as_u64().unwrap_or_else(|| panic!("{name}: {report}"));
    assert_eq!(report["conserved"], true);
    assert_eq!((count("frames"), report["measured"]["records_lost"].as_u64()), (count("published"), Some(0)));
    assert_eq!(count("published"), count("rendered") + count("dropped"), "{report}");
    assert_eq!(count("abandoned"), 0);
    assert_eq!(count("rendered"), count("shown") + count("unseen"));
}

/// A scene that plays until its window is destroyed as `by` does it: what it said.
fn destroyed(by: impl FnOnce(&Hand, &Player, u32)) -> String {
    let display = Display::start();
    let hand = Hand::at(&display);
    let scene = project(STEERED);
    let player = Player::logging(&display, scene.path(), &[], "warn,framewalk=info");
    let window = focused(&display, "Test / main.*frames").parse().unwrap();
    by(&hand, &player, window);
    let (status, report, stderr) = player.end();
    assert_eq!(status, Some(1), "{stderr}");
    let sentence = "error: the run failed: the window was destroyed by another program";
    assert!(stderr.contains(sentence), "{stderr}");
    assert!(report["frames"].as_u64().unwrap() > 0, "{report}");
    assert_eq!(report["conserved"], true);
    stderr
}

#[test]
fn a_bare_window_that_is_destroyed_by_somebody_else_leaves_a_report_of_what_was() {
    let stderr = destroyed(|hand, _, window| {
        hand.connection.set_input_focus(InputFocus::NONE, x11rb::NONE, x11rb::CURRENT_TIME).unwrap();
        hand.sync();
        a_moment();
        hand.destroy(window);
    });
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn a_bare_window_that_is_gone_before_winit_hears_of_what_happened_to_it_leaves_a_report_too() {
    let stderr = destroyed(|hand, player, window| {
        while_stopped(&player.program, || {
            hand.resize(window, [400, 300]);
            hand.destroy(window);
        });
    });
    assert!(stderr.contains("panicked"), "winit has learned to live with it: {stderr}");
}

/// Does something while a program hears nothing.
pub fn while_stopped(program: &Child, act: impl FnOnce()) {
    let signal = |name: &str| {
        // The shell's own: a bare machine has no program of this name.
        let kill = format!("kill -{name} {}", program.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success(), "{name}");
    };
    signal("STOP");
    act();
    signal("CONT");
}
