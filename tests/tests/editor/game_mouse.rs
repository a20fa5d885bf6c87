//! The mouse of a running game: the game's over its own picture in the Camera panel, and the editor's everywhere else.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use egui::{Event, PointerButton, Pos2, vec2};
use framewalk::command::EditorCommand;
use framewalk::panels::Pane;
use framewalk_runtime::render::view::ViewCamera;

use super::comfort::{command, is_shown};
use super::space::{pointer, selected};
use super::*;

const GAMES: &str = "Keys and mouse go to the game · Esc takes them back";
const EDITORS: &str = "Keys and mouse go to the editor · click the picture to give them to the game";

/// The sample with the yellow cube, and the Camera panel before the Scene panel.
fn opened(settings: &Path) -> Harness<'static, EditorApp> {
    std::fs::write(settings.join("settings.ron"), "(format: 1, tour_taken: true)").unwrap();
    let mut editor = open(Some(sample("first-steps")), settings);
    editor.run();
    for _ in 0..2 {
        editor.state_mut().run_command(EditorCommand::TogglePanel(Pane::Camera));
        editor.run();
    }
    editor
}

/// Play gives the game the keys.
fn play(editor: &mut Harness<'_, EditorApp>) {
    editor.key_press(Key::F5);
    passes(editor, 5);
    assert!(editor.get_by_label("Camera viewport").accesskit_node().is_focused());
}

fn playing_in_camera(settings: &Path) -> Harness<'static, EditorApp> {
    let mut editor = opened(settings);
    play(&mut editor);
    editor
}

fn mouse(editor: &mut Harness<'_, EditorApp>, at: Pos2, button: PointerButton, pressed: bool) {
    editor.event(Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
    editor.step();
}

fn wheel(editor: &mut Harness<'_, EditorApp>, lines: f32) {
    let (unit, delta) = (egui::MouseWheelUnit::Line, vec2(0.0, lines));
    let (source, phase) = (egui::MouseWheelSource::Wheel, egui::TouchPhase::Move);
    editor.event(Event::MouseWheel { unit, delta, source, modifiers: Modifiers::NONE, phase });
    editor.step();
}

/// The pixel of the window in which a place lies, so many pixels from the top left of a picture.
fn place(editor: &Harness<'_, EditorApp>, picture: &str, x: f32, y: f32) -> Pos2 {
    (editor.get_by_label(picture).rect().min + vec2(x, y)).ceil()
}

/// What the game is given from here on, as stage 1 lists it in the next frame.
fn given(editor: &mut Harness<'_, EditorApp>) -> Vec<String> {
    editor.key_press(Key::F11);
    editor.run();
    let details = &editor.state().workspace().unwrap().session.observation().unwrap().details;
    let events = details.events.iter().map(ToString::to_string).collect();
    for _ in 0..5 {
        editor.key_press(Key::F11);
        editor.run();
    }
    assert_eq!(editor.state().phase(), Phase::Paused);
    events
}

pub(crate) fn held(editor: &mut Harness<'_, EditorApp>) -> Vec<&'static str> {
    passes(editor, 10);
    held_keys(editor)
}

#[test]
fn in_the_camera_panel_places_buttons_and_wheel_are_the_games_in_its_own_pixels() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = playing_in_camera(settings.path());
    assert!(is_shown(&editor, GAMES));
    editor.key_press(Key::F7);
    passes(&mut editor, 3);
    given(&mut editor);
    let (at, to) =
        (place(&editor, "Camera viewport", 30.0, 40.0), place(&editor, "Camera viewport", 37.0, 140.0));
    pointer(&mut editor, at);
    mouse(&mut editor, at, PointerButton::Primary, true);
    pointer(&mut editor, to);
    mouse(&mut editor, to, PointerButton::Primary, false);
    wheel(&mut editor, -1.5);
    mouse(&mut editor, to, PointerButton::Middle, true);
    mouse(&mut editor, to, PointerButton::Middle, false);
    assert_eq!(
        given(&mut editor),
        [
            "pointer at 30, 40",
            "MouseLeft down",
            "pointer at 37, 140",
            "MouseLeft up",
            "wheel -1.5",
            "MouseMiddle down",
            "MouseMiddle up",
        ]
    );
    assert_eq!(selected(&editor), [0; 0], "nothing was selected by it");
    // In the picture, and nowhere else.
    let beside = editor.get_by_label("Outliner panel").rect().center();
    pointer(&mut editor, beside);
    wheel(&mut editor, 1.0);
    assert_eq!(given(&mut editor), [""; 0]);
}

#[test]
fn the_click_that_gives_the_game_the_mouse_is_not_the_games() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = playing_in_camera(settings.path());
    editor.key_press(Key::F7);
    passes(&mut editor, 3);
    editor.key_press(Key::Escape);
    editor.run();
    assert!(is_shown(&editor, EDITORS) && !is_shown(&editor, GAMES));
    given(&mut editor);
    let at = place(&editor, "Camera viewport", 30.0, 40.0);
    pointer(&mut editor, at);
    wheel(&mut editor, 1.0);
    mouse(&mut editor, at, PointerButton::Primary, true);
    mouse(&mut editor, at, PointerButton::Primary, false);
    editor.run();
    assert!(is_shown(&editor, GAMES));
    assert_eq!(given(&mut editor), ["pointer at 30, 40"], "it is told where the mouse is, and no more");
}

#[test]
fn in_the_scene_panel_the_mouse_stays_the_editors_though_the_game_has_the_keys() {
    let settings = tempfile::tempdir().unwrap();
    std::fs::write(settings.path().join("settings.ron"), "(format: 1, tour_taken: true)").unwrap();
    let mut editor = open(Some(sample("first-steps")), settings.path());
    editor.run();
    editor.key_press(Key::F5);
    passes(&mut editor, 5);
    assert!(is_shown(&editor, "Keys go to the game · Esc takes them back"));
    editor.key_press(Key::F7);
    passes(&mut editor, 3);
    given(&mut editor);
    assert_eq!(editor.state().wanted_view().camera, ViewCamera::Scene);
    let at = place(&editor, "Viewport", 300.0, 200.0);
    pointer(&mut editor, at);
    mouse(&mut editor, at, PointerButton::Primary, true);
    mouse(&mut editor, at, PointerButton::Primary, false);
    wheel(&mut editor, 1.0);
    editor.run();
    assert!(matches!(editor.state().wanted_view().camera, ViewCamera::Fly { .. }), "the wheel zooms");
    assert_eq!(given(&mut editor), [""; 0]);
}

#[test]
fn escape_stop_and_a_panel_that_takes_the_keyboard_let_go_of_what_the_mouse_holds() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = playing_in_camera(settings.path());
    let press_left = |editor: &mut Harness<'_, EditorApp>| {
        let at = place(editor, "Camera viewport", 30.0, 40.0);
        pointer(editor, at);
        mouse(editor, at, PointerButton::Primary, true);
        at
    };
    let at = press_left(&mut editor);
    assert_eq!(held(&mut editor), ["MouseLeft"]);
    editor.key_press(Key::Escape);
    assert_eq!(held(&mut editor), [""; 0], "Escape releases it");
    mouse(&mut editor, at, PointerButton::Primary, false);
    command(&mut editor, "go to: camera");
    press_left(&mut editor);
    editor.key_down(Key::ArrowRight);
    assert_eq!(held(&mut editor), ["ArrowRight", "MouseLeft"]);
    // The game keeps the keys in the other panel, but not the mouse.
    editor.state_mut().run_command(EditorCommand::ShowPanel(Pane::Scene));
    assert_eq!(held(&mut editor), ["ArrowRight"]);
    mouse(&mut editor, at, PointerButton::Primary, false);
    editor.key_up(Key::ArrowRight);
    command(&mut editor, "go to: camera");
    press_left(&mut editor);
    assert_eq!(held(&mut editor), ["MouseLeft"]);
    editor.key_press(Key::F8);
    editor.run();
    editor.key_press(Key::F5);
    assert_eq!(held(&mut editor), [""; 0], "the next run begins with nothing held");
}

#[test]
fn the_right_button_in_the_camera_panel_takes_no_keys_from_the_game() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = playing_in_camera(settings.path());
    editor.key_down(Key::ArrowRight);
    let at = place(&editor, "Camera viewport", 30.0, 40.0);
    pointer(&mut editor, at);
    mouse(&mut editor, at, PointerButton::Secondary, true);
    assert_eq!(held(&mut editor), ["ArrowRight", "MouseRight"]);
    mouse(&mut editor, at, PointerButton::Secondary, false);
    assert_eq!(held(&mut editor), ["ArrowRight"]);
    assert_eq!(editor.state().wanted_view().camera, ViewCamera::Scene, "nothing flies");
}

#[test]
fn a_click_in_the_camera_panel_makes_the_cube_jump_and_its_latency_is_recorded() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    press(&mut editor, "Runner");
    play(&mut editor);
    let height = |editor: &Harness<'_, EditorApp>| {
        let session = &editor.state().workspace().unwrap().session;
        session.observation().unwrap().watched.as_ref().unwrap().world.position.y
    };
    passes(&mut editor, 60);
    let before = height(&editor);
    let at = place(&editor, "Camera viewport", 30.0, 40.0);
    pointer(&mut editor, at);
    let sent = editor.state().workspace().unwrap().session.now().unwrap();
    mouse(&mut editor, at, PointerButton::Primary, true);
    passes(&mut editor, 10);
    assert!(height(&editor) > before + 0.3, "{} from {before}", height(&editor));
    let history = editor.state().inspector().history();
    let saw = history.run(1).range(0, usize::MAX).filter_map(|entry| entry.record.input_arrived).next_back();
    assert_eq!(saw, Some(sent), "stamped when it arrived");
}
