//! The whole editor without a window, driven by accessible labels on a manual clock.

#[path = "editor/arranging.rs"]
mod arranging;
#[path = "editor/comfort.rs"]
mod comfort;
#[path = "editor/device_lost_in_real_time.rs"]
mod device_lost_in_real_time;
#[path = "editor/disk_in_real_time.rs"]
mod disk_in_real_time;
#[path = "editor/displays.rs"]
mod displays;
#[path = "editor/editing.rs"]
mod editing;
#[path = "editor/files_in_real_time.rs"]
mod files_in_real_time;
#[path = "editor/flying.rs"]
mod flying;
#[path = "editor/game_mouse.rs"]
mod game_mouse;
#[path = "editor/glossary.rs"]
mod glossary;
#[path = "editor/gone_in_real_time.rs"]
mod gone_in_real_time;
#[path = "editor/handoff_panels.rs"]
mod handoff_panels;
#[path = "editor/handoffs.rs"]
mod handoffs;
#[path = "editor/handoffs_in_real_time.rs"]
mod handoffs_in_real_time;
#[path = "editor/keyboard.rs"]
mod keyboard;
#[path = "editor/legible.rs"]
mod legible;
#[path = "editor/naming.rs"]
mod naming;
#[path = "editor/own_windows.rs"]
mod own_windows;
#[path = "editor/passes_in_real_time.rs"]
mod passes_in_real_time;
#[path = "editor/physics_divisor.rs"]
mod physics_divisor;
#[path = "editor/picking.rs"]
mod picking;
#[path = "editor/problems.rs"]
mod problems;
#[path = "editor/project_settings.rs"]
mod project_settings;
#[path = "editor/questions.rs"]
mod questions;
#[path = "editor/reading_in_real_time.rs"]
mod reading_in_real_time;
#[path = "editor/running.rs"]
mod running;
#[path = "editor/runs_apart.rs"]
mod runs_apart;
#[path = "editor/selecting.rs"]
mod selecting;
#[path = "editor/snapping.rs"]
mod snapping;
#[path = "editor/sounds.rs"]
mod sounds;
#[path = "editor/sounds_in_real_time.rs"]
mod sounds_in_real_time;
#[path = "editor/space.rs"]
mod space;
#[path = "editor/tabs.rs"]
mod tabs;
#[path = "editor/tabs_in_real_time.rs"]
mod tabs_in_real_time;
#[path = "editor/taking_over_in_real_time.rs"]
mod taking_over_in_real_time;
#[path = "editor/views.rs"]
mod views;

use std::path::{Path, PathBuf};

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use framewalk::app::{EditorApp, EditorOptions};
use framewalk::log_lines::{self, LogLines};
use framewalk::project::store::SettingsStore;
use framewalk::session::Phase;
use framewalk::session::run::Drive;
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::time::Nanos;

/// A display of 60 Hz is looked at this often: never a whole number of ticks, so alpha moves.
const PASS: Nanos = Nanos(23_456_789);
const STANDING: Nanos = Nanos(0);

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../projects").join(name)
}

fn options(project: Option<PathBuf>, settings: &Path, log: LogLines) -> EditorOptions {
    EditorOptions {
        settings: SettingsStore::in_folder(settings),
        log,
        drive: Drive::Virtual { step: STANDING },
        link: None,
        gate: std::sync::Arc::default(),
        project,
    }
}

fn open(project: Option<PathBuf>, settings: &Path) -> Harness<'static, EditorApp> {
    open_with(project, settings, log_lines::channel().1)
}

fn open_with(project: Option<PathBuf>, settings: &Path, log: LogLines) -> Harness<'static, EditorApp> {
    let options = options(project, settings, log);
    Harness::builder()
        .with_size([1600.0, 1000.0])
        .with_max_steps(30)
        .build_eframe(|cc| EditorApp::new(cc, options))
}

fn press(editor: &mut Harness<'_, EditorApp>, label: &str) {
    editor.get_all_by_label(label).next().unwrap_or_else(|| panic!("no {label}")).click();
    editor.run();
}

fn passes(editor: &mut Harness<'_, EditorApp>, count: usize) {
    editor.state_mut().set_virtual_step(PASS);
    editor.run_steps(count);
    editor.state_mut().set_virtual_step(STANDING);
    editor.run();
}

fn ticks(editor: &Harness<'_, EditorApp>) -> u64 {
    editor.state().inspector().history().newest().map_or(0, |entry| entry.record.tick.0)
}

#[test]
fn a_project_opened_by_path_plays_pauses_steps_through_six_stages_and_stops() {
    let settings = tempfile::tempdir().unwrap();
    let scene_file = sample("judder-lab").join("scenes/main.ron");
    let scene_before = std::fs::read(&scene_file).unwrap();
    let mut editor = open(Some(sample("judder-lab")), settings.path());
    editor.run();
    let authored_before = editor.state().workspace().unwrap().scenes.front.document.scene().clone();
    assert_eq!(editor.state().phase(), Phase::Edit);

    press(&mut editor, "Play");
    passes(&mut editor, 40);
    assert_eq!(editor.state().phase(), Phase::Playing);
    let history = editor.state().inspector().history();
    let alphas: Vec<f64> = history.run(1).range(0, usize::MAX).map(|entry| entry.record.alpha).collect();
    assert!(alphas.windows(2).any(|pair| (pair[0] - pair[1]).abs() > 0.0), "alpha moves: {alphas:?}");
    assert!(ticks(&editor) > 5, "ticks move");

    press(&mut editor, "Pause");
    let paused_at = ticks(&editor);
    passes(&mut editor, 20);
    assert_eq!(editor.state().phase(), Phase::Paused);
    assert_eq!(ticks(&editor), paused_at, "no tick runs while paused");

    for stage in Stage::ALL {
        press(&mut editor, "Step stage");
        let row = editor.get_by_label_contains(stage.name());
        let label = row.accesskit_node().label().unwrap_or_default();
        assert!(label.contains("done"), "{label}");
        match stage.next() {
            Some(next) => {
                assert_eq!(editor.state().phase(), Phase::FrameOpen { next });
                let following = editor.get_by_label_contains(next.name());
                let label = following.accesskit_node().label().unwrap_or_default();
                assert!(label.contains("next"), "{label}");
            }
            None => assert_eq!(editor.state().phase(), Phase::Paused),
        }
    }

    press(&mut editor, "Stop");
    assert_eq!(editor.state().phase(), Phase::Edit);
    assert_eq!(*editor.state().workspace().unwrap().scenes.front.document.scene(), authored_before);
    assert_eq!(std::fs::read(&scene_file).unwrap(), scene_before, "the scene's bytes are unchanged");
}

#[test]
fn of_a_frame_that_nobody_looked_at_an_open_row_says_so_and_not_that_nothing_ran() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(Some(sample("first-steps")), settings.path());
    editor.run();
    press(&mut editor, "Play");
    passes(&mut editor, 5);
    editor.get_by_label_contains("run_app_update done").click();
    editor.run();
    let mut not_kept = 0;
    // At 60 Hz every third frame is looked at, and a pass is as long as a frame and a half.
    for _ in 0..4 {
        press(&mut editor, "Pause");
        let shown = |words: &str| editor.query_all_by_label_contains(words).count();
        assert_eq!(shown("no system ran"), 0);
        let looked_at = editor.state().workspace().unwrap().session.observation().unwrap().details_frame;
        assert_eq!(shown("Details are kept only"), usize::from(looked_at.is_none()));
        assert_eq!(shown("hand_edits"), usize::from(looked_at.is_some()));
        not_kept += u32::from(looked_at.is_none());
        press(&mut editor, "Resume");
        passes(&mut editor, 3);
    }
    assert!(not_kept > 0);
}

#[test]
fn pause_before_play_shows_frame_one_and_stands_each_time() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(Some(sample("first-steps")), settings.path());
    editor.run();
    for _ in 0..2 {
        press(&mut editor, "Pause");
        press(&mut editor, "Play");
        passes(&mut editor, 10);
        assert_eq!(editor.state().phase(), Phase::Paused);
        let newest = editor.state().inspector().history().newest().unwrap().record;
        assert_eq!((newest.frame.0, newest.tick.0), (1, 0));
        press(&mut editor, "Stop");
    }
}

#[test]
fn ten_step_presses_are_ten_ticks_by_button_and_by_key() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(Some(sample("first-steps")), settings.path());
    editor.run();
    press(&mut editor, "Pause");
    press(&mut editor, "Play");
    for _ in 0..10 {
        editor.key_press_modifiers(Modifiers::SHIFT, Key::F10);
    }
    editor.run();
    assert_eq!(ticks(&editor), 10);
    for _ in 0..10 {
        press(&mut editor, "Step frame");
    }
    assert_eq!(ticks(&editor), 20);
}

#[test]
fn the_welcome_page_offers_the_samples_and_opens_one() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(None, settings.path());
    editor.run();
    press(&mut editor, "Open first-steps");
    assert_eq!(editor.state().workspace().unwrap().project.project.name, "first-steps");
    assert_eq!(editor.state().settings().recent.len(), 1);
}

#[test]
fn another_project_opened_from_the_menu_is_inspected_from_its_first_frame() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(Some(sample("first-steps")), settings.path());
    editor.run();
    press(&mut editor, "Play");
    passes(&mut editor, 60);
    press(&mut editor, "Stop");
    assert!(editor.state().inspector().history().len() > 40);

    press(&mut editor, "File");
    press(&mut editor, "Open recent or sample");
    press(&mut editor, "judder-lab");
    assert_eq!(editor.state().workspace().unwrap().project.project.name, "judder-lab");
    assert!(editor.state().inspector().history().is_empty(), "the other project's frames are gone");
    press(&mut editor, "Play");
    passes(&mut editor, 10);
    let frames = editor.state().inspector().history().len();
    assert!((5..=20).contains(&frames), "the new run is inspected: {frames} frames");
}

#[test]
fn a_rate_is_typed_over_the_one_that_stands_there() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(Some(sample("first-steps")), settings.path());
    editor.run();
    press(&mut editor, "Ticks 60 Hz");
    editor.event(egui::Event::Text("20".to_owned()));
    editor.run();
    editor.key_press(Key::Enter);
    editor.run();
    assert!(editor.query_by_label("Ticks 20 Hz").is_some(), "20, and not 6020");
}

#[test]
fn a_narrow_window_puts_the_transport_in_two_rows_and_leaves_nothing_out() {
    let few =
        ["Play", "Pause", "Stop", "Step tick", "Speed 1.00×", "Ticks 60 Hz", "Frames 60 Hz", "Handoff slot"];
    let many =
        ["Play", "Step tick", "Speed 1.00×", "Ticks 512 Hz", "Frames 60 Hz", "Physics ÷ 8", "Handoff free"];
    // The least width is that of 1280 at a zoom of 150 %.
    for (project, labels) in [("first-steps", &few[..]), ("high-rate", &many[..])] {
        let settings = tempfile::tempdir().unwrap();
        let mut editor = open(Some(sample(project)), settings.path());
        for width in [853.0, 900.0, 1300.0, 1600.0] {
            editor.set_size(egui::vec2(width, 700.0));
            editor.run();
            let figures = editor.get_by_label("live figures").rect();
            let mut right = 0.0_f32;
            for label in labels {
                let found = editor.get_all_by_label(label).next();
                let rect = found.unwrap_or_else(|| panic!("no {label} at {width}")).rect();
                assert!(!rect.intersects(figures), "{label} lies on the figures at {width}");
                right = right.max(rect.right());
            }
            assert!(right <= width && figures.right() <= width, "all of it is inside {width}");
        }
    }
}

#[test]
fn in_a_window_too_narrow_for_it_the_handoff_is_chosen_behind_a_button() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(Some(sample("first-steps")), settings.path());
    editor.set_size(egui::vec2(700.0, 700.0));
    editor.run();
    assert!(editor.query_by_label("Handoff slot").is_none());
    let figures = editor.get_by_label("live figures").rect();
    for label in ["Frames 60 Hz", "More"] {
        assert!(!editor.get_by_label(label).rect().intersects(figures), "{label} lies on the figures");
    }
    press(&mut editor, "More");
    press(&mut editor, "Handoff slot");
    press(&mut editor, "lockstep");
    press(&mut editor, "More");
    assert!(editor.query_by_label("Handoff lockstep").is_some());
}

#[test]
fn a_broken_settings_file_is_put_aside_and_the_window_says_so() {
    let settings = tempfile::tempdir().unwrap();
    std::fs::write(settings.path().join("settings.ron"), "(theme: Purple").unwrap();
    let mut editor = open(Some(sample("first-steps")), settings.path());
    editor.run();
    assert!(settings.path().join("settings.ron.broken").exists());
    assert!(editor.state().settings().layout.is_some(), "defaults are written anew");
}

#[test]
fn a_project_that_cannot_run_says_what_and_where() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("scenes")).unwrap();
    let project = "(format: 1, name: \"Broken\", about: \"\", scenes: [\"main\"], tick_rate: 60, frame_rate: 60, handoff: slot)";
    std::fs::write(folder.path().join("project.ron"), project).unwrap();
    std::fs::write(folder.path().join("scenes/main.ron"), "(format: 1, entities: [\n  (id: 1,").unwrap();
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(Some(folder.path().to_owned()), settings.path());
    editor.run();
    let fault = editor.state().workspace().unwrap().scenes.front.file.faults.join("\n");
    assert!(fault.contains("main.ron:2:"), "{fault}");
    assert!(editor.query_all_by_label_contains("main.ron:2:").next().is_some(), "the window shows it");
    press(&mut editor, "Play");
    assert_eq!(editor.state().phase(), Phase::Edit, "Play is disabled and does nothing");
}

#[test]
fn keys_go_to_the_game_until_escape_takes_them_back() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(Some(sample("first-steps")), settings.path());
    editor.run();
    press(&mut editor, "Play");
    passes(&mut editor, 3);
    editor.key_down(Key::ArrowRight);
    passes(&mut editor, 30);
    assert_eq!(held_keys(&editor), ["ArrowRight"]);
    editor.key_press(Key::Escape);
    passes(&mut editor, 30);
    assert_eq!(held_keys(&editor), [""; 0], "leaving the game releases every key");
}

/// What the game sees as down, by the names of the keys.
fn held_keys(editor: &Harness<'_, EditorApp>) -> Vec<&'static str> {
    let observation = editor.state().workspace().and_then(|workspace| workspace.session.observation());
    observation.map_or_else(Vec::new, |seen| seen.details.held_keys.iter().map(|key| key.name()).collect())
}

#[test]
fn the_whole_window_has_its_picture_on_the_software_adapter() {
    let settings = tempfile::tempdir().unwrap();
    let options = options(Some(sample("first-steps")), settings.path(), log_lines::channel().1);
    let mut editor = Harness::builder()
        .with_size([1280.0, 800.0])
        .with_max_steps(30)
        .wgpu()
        .build_eframe(|cc| EditorApp::new(cc, options));
    editor.run();
    press(&mut editor, "Play");
    passes(&mut editor, 30);
    press(&mut editor, "Pause");
    let image = editor.render().expect("the software adapter draws");
    if let Some(path) = std::env::var_os("FRAMEWALK_PICTURE") {
        image.save(path).unwrap();
    }
    // The line under the menu, a lit transport button's border and a colour of the scene: all of it was painted.
    let near = |x: u32, y: u32, wanted: [u8; 3]| {
        let found = image.get_pixel(x, y).0;
        (0..3).all(|channel| found[channel].abs_diff(wanted[channel]) < 12)
    };
    assert!(near(640, 31, [0xf0, 0xa0, 0x30]), "the run line: {:?}", image.get_pixel(640, 31));
    assert!(near(2, 60, [0x12, 0x14, 0x18]), "the window: {:?}", image.get_pixel(2, 60));
    let colours: std::collections::HashSet<[u8; 4]> =
        (0..300).map(|step| image.get_pixel(300 + step, 300).0).collect();
    assert!(colours.len() > 40, "the scene is drawn, not a flat plate: {} colours", colours.len());
}

#[test]
fn the_tick_rate_is_set_by_key_and_preset_and_not_before_enter() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(Some(sample("first-steps")), settings.path());
    editor.run();
    editor.key_press_modifiers(Modifiers::ALT, Key::T);
    editor.run();
    press(&mut editor, "128");
    let rate = |editor: &Harness<'_, EditorApp>| {
        editor.state().workspace().unwrap().session.choices.tick_rate.to_string()
    };
    assert_eq!(rate(&editor), "128");
    press(&mut editor, "Ticks 128 Hz");
    editor.get_by_label("Tick rate in Hz").type_text("5");
    editor.run();
    assert_eq!(rate(&editor), "128", "nothing is set before Enter");
}
