//! From where the scene is looked at: the two panels that show it, places that are kept, trails, the tour beside them.

use framewalk::command::EditorCommand;
use framewalk::shell::dock::Pane;
use framewalk_runtime::render::view::ViewCamera;

use super::*;

fn opened(settings: &Path) -> Harness<'static, EditorApp> {
    let mut editor = open(Some(sample("first-steps")), settings);
    editor.run();
    editor
}

fn is_shown(editor: &Harness<'_, EditorApp>, label: &str) -> bool {
    editor.query_all_by_label(label).next().is_some()
}

#[test]
fn the_camera_panel_in_front_of_the_scene_is_drawn_alone_through_the_scenes_camera() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    assert!(is_shown(&editor, "Viewport") && !is_shown(&editor, "Camera viewport"));
    assert!(editor.state().wanted_view().second.is_none());
    editor.state_mut().run_command(EditorCommand::TogglePanel(Pane::Camera));
    editor.run();
    editor.state_mut().run_command(EditorCommand::TogglePanel(Pane::Camera));
    editor.run();
    assert!(!is_shown(&editor, "Viewport") && is_shown(&editor, "Camera viewport"));
    let view = editor.state().wanted_view();
    assert_eq!((view.camera, view.second), (ViewCamera::Scene, None));
}

#[test]
fn the_game_gets_its_keys_in_the_camera_panel_too() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    for _ in 0..2 {
        editor.state_mut().run_command(EditorCommand::TogglePanel(Pane::Camera));
        editor.run();
    }
    editor.key_press(Key::F5);
    passes(&mut editor, 5);
    assert_eq!(editor.state().phase(), Phase::Playing);
    let focused = editor.get_by_label("Camera viewport").accesskit_node().is_focused();
    assert!(focused, "Play gives the game the keys");
    editor.key_press(Key::Escape);
    editor.run();
    assert!(!editor.get_by_label("Camera viewport").accesskit_node().is_focused(), "Escape takes them back");
}

#[test]
fn a_kept_place_is_come_back_to_and_outlives_the_program() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    let before = editor.state().wanted_view().camera;
    editor.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Num3);
    editor.run();
    editor.key_press(Key::C);
    editor.run();
    assert_eq!(editor.state().wanted_view().camera, ViewCamera::Scene);
    editor.key_press_modifiers(Modifiers::SHIFT, Key::Num3);
    editor.run();
    assert_eq!(editor.state().wanted_view().camera, before);
    drop(editor);
    let mut editor = opened(settings.path());
    editor.key_press(Key::C);
    editor.run();
    editor.key_press_modifiers(Modifiers::SHIFT, Key::Num3);
    editor.run();
    assert_eq!(editor.state().wanted_view().camera, before);
    let unset = editor.state().wanted_view();
    editor.key_press_modifiers(Modifiers::SHIFT, Key::Num4);
    editor.run();
    assert_eq!(editor.state().wanted_view(), unset, "nothing is kept there");
}

#[test]
fn a_key_of_a_sign_works_again_after_shift_was_let_go_first() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    let before = editor.state().wanted_view().camera;
    let with_ctrl = Modifiers::COMMAND | Modifiers::SHIFT;
    let event = |key, pressed, modifiers| egui::Event::Key {
        key,
        physical_key: Some(Key::Num1),
        pressed,
        repeat: false,
        modifiers,
    };
    // Ctrl, Shift and 1, let go in the order of pressing: what is let go last is no "!" any more.
    editor.event(event(Key::Exclamationmark, true, with_ctrl));
    editor.event(event(Key::Num1, false, Modifiers::NONE));
    editor.run();
    editor.key_press(Key::C);
    editor.run();
    assert_eq!(editor.state().wanted_view().camera, ViewCamera::Scene);
    editor.event(event(Key::Exclamationmark, true, Modifiers::SHIFT));
    editor.run();
    assert_eq!(editor.state().wanted_view().camera, before);
}

#[test]
fn play_moves_the_tour_on_and_escape_ends_it() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    assert!(is_shown(&editor, "Start here"));
    press(&mut editor, "Play");
    assert!(is_shown(&editor, "One frame, six stages"));
    editor.key_press(Key::Escape);
    editor.run();
    assert!(is_shown(&editor, "One frame, six stages"), "the game had the keys: they are taken back first");
    editor.key_press(Key::Escape);
    editor.run();
    assert!(!is_shown(&editor, "One frame, six stages"));
    assert!(editor.state().settings().tour_taken);
}

#[test]
fn a_display_of_another_rate_is_followed_from_the_next_frame_unless_a_number_was_chosen() {
    use framewalk::session::run::Sabotage;
    use framewalk::session::{FrameRateChoice, News, Session};
    use framewalk_runtime::render::NullRenderer;
    use framewalk_runtime::scene::format::parse_scene;
    use framewalk_runtime::scene::project::parse_project;
    use framewalk_runtime::time::Rate;

    let root = sample("judder-lab");
    let project = parse_project(&std::fs::read_to_string(root.join("project.ron")).unwrap()).unwrap();
    let scene = parse_scene(&std::fs::read_to_string(root.join("scenes/main.ron")).unwrap()).unwrap();
    let mut session = Session::new(&project);
    let drive = Drive::Virtual { step: STANDING };
    session.play(&scene, Box::new(NullRenderer::default()), drive, Sabotage::default()).unwrap();
    // A second in each place: the frames that it takes, and the rate that the last of them was run at.
    let second = |session: &mut Session| {
        let mut frames = Vec::new();
        session.advance(Nanos::from_secs(1));
        session.poll(&mut |news| {
            if let News::Frame(record) = news {
                frames.push(record);
            }
        });
        (frames.len(), frames.last().unwrap().frame_rate)
    };
    let hz = |hz| Rate::hz(hz).unwrap();
    assert_eq!(second(&mut session), (61, hz(60)), "the project's rate, where no display names one");
    session.set_display_rate(Some(hz(144)));
    let (frames, rate) = second(&mut session);
    assert!((143..=145).contains(&frames) && rate == hz(144), "{frames} {rate}");
    session.set_frame_rate(FrameRateChoice::Fixed(hz(30)));
    session.set_display_rate(Some(hz(75)));
    let (frames, rate) = second(&mut session);
    assert!((29..=32).contains(&frames) && rate == hz(30), "a number wins: {frames} {rate}");
    session.set_frame_rate(FrameRateChoice::Display);
    let (frames, rate) = second(&mut session);
    assert!((74..=77).contains(&frames) && rate == hz(75), "{frames} {rate}");
}
