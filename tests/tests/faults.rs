//! The whole editor with faults put into its runs: each is named on screen, each is survived.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::mpsc::channel;
use std::time::Duration;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use framewalk::app::{EditorApp, EditorOptions};
use framewalk::log_lines;
use framewalk::project::store::SettingsStore;
use framewalk::session::Phase;
use framewalk::session::run::{Drive, Sabotage};
use framewalk::window::link::WindowLink;
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::handoff::FrameDescriptor;
use framewalk_runtime::render::{BatchFigures, RenderError, Renderer};
use framewalk_runtime::sim::{Moment, StageHook};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::{FrameIndex, Nanos};

const PASS: Nanos = Nanos(23_456_789);
const STANDING: Nanos = Nanos(0);

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../projects").join(name)
}

fn open(settings: &Path, drive: Drive) -> Harness<'static, EditorApp> {
    open_linked(settings, drive, None)
}

fn open_linked(settings: &Path, drive: Drive, link: Option<Rc<WindowLink>>) -> Harness<'static, EditorApp> {
    let options = EditorOptions {
        settings: SettingsStore::in_folder(settings),
        log: log_lines::channel().1,
        drive,
        link,
        gate: std::sync::Arc::default(),
        project: Some(sample("judder-lab")),
    };
    let mut editor = Harness::builder()
        .with_size([1600.0, 1000.0])
        .with_max_steps(30)
        .build_eframe(|cc| EditorApp::new(cc, options));
    editor.run_steps(3);
    editor
}

fn press(editor: &mut Harness<'_, EditorApp>, label: &str) {
    editor.get_all_by_label(label).next().unwrap_or_else(|| panic!("no {label}")).click();
    editor.run_steps(3);
}

fn passes(editor: &mut Harness<'_, EditorApp>, count: usize) {
    editor.state_mut().set_virtual_step(PASS);
    editor.run_steps(count);
    editor.state_mut().set_virtual_step(STANDING);
    editor.run_steps(3);
}

fn shows(editor: &Harness<'_, EditorApp>, text: &str) -> bool {
    editor.query_all_by_label_contains(text).next().is_some()
}

fn panics_before(stage: Stage) -> Sabotage {
    let hook: StageHook = Box::new(move |moment, now, core| {
        let here = (moment, now, core.record().frame) == (Moment::Before, stage, FrameIndex(3));
        assert!(!here, "out of cheese");
    });
    Sabotage { stage_hook: Some(hook), renderer: None }
}

/// Fails, or panics, in the submit of every frame from the third on.
struct FaultyRenderer {
    inner: Box<dyn Renderer<Snapshot>>,
    panics: bool,
}

impl Renderer<Snapshot> for FaultyRenderer {
    fn batch(&mut self, frame: &FrameDescriptor, snapshot: &Snapshot) -> Result<BatchFigures, RenderError> {
        self.inner.batch(frame, snapshot)
    }
    fn submit(&mut self, frame: &FrameDescriptor, snapshot: &Snapshot) -> Result<(), RenderError> {
        if frame.frame < FrameIndex(3) {
            return self.inner.submit(frame, snapshot);
        }
        assert!(!self.panics, "out of paint");
        Err(RenderError::new("the device is lost"))
    }
}

fn faulty_renderer(panics: bool) -> Sabotage {
    Sabotage {
        stage_hook: None,
        renderer: Some(Box::new(move |inner| Box::new(FaultyRenderer { inner, panics }))),
    }
}

#[test]
fn a_panic_in_any_stage_is_named_on_screen_and_play_works_again() {
    let settings = tempfile::tempdir().unwrap();
    let scene_file = sample("judder-lab").join("scenes/main.ron");
    let bytes = std::fs::read(&scene_file).unwrap();
    let mut editor = open(settings.path(), Drive::Virtual { step: STANDING });
    let authored = editor.state().workspace().unwrap().scenes.front.document.scene().clone();
    for stage in Stage::ALL {
        editor.state_mut().sabotage(panics_before(stage));
        press(&mut editor, "Play");
        passes(&mut editor, 10);
        assert_eq!(editor.state().phase(), Phase::Failed, "{stage:?}");
        let failure = editor.state().workspace().unwrap().session.failure().unwrap().clone();
        assert_eq!((failure.frame, failure.stage), (FrameIndex(3), Some(stage)));
        let sentence = format!("The run has failed: {failure}");
        assert!(sentence.contains("out of cheese") && shows(&editor, &sentence), "{sentence}");
        press(&mut editor, "Go to frame 3");
        let row = format!("{} failed: the run failed here", stage.name());
        assert!(shows(&editor, &row), "the stages panel says where: {row}");
        press(&mut editor, "Stop");
        assert_eq!(editor.state().phase(), Phase::Edit);
        assert!(!shows(&editor, "The run has failed"), "the banner is gone");
        assert_eq!(*editor.state().workspace().unwrap().scenes.front.document.scene(), authored);
    }
    press(&mut editor, "Play");
    passes(&mut editor, 20);
    assert_eq!(editor.state().phase(), Phase::Playing);
    assert!(editor.state().workspace().unwrap().session.newest().unwrap().frame > FrameIndex(10));
    press(&mut editor, "Stop");
    assert_eq!(std::fs::read(&scene_file).unwrap(), bytes);
}

#[test]
fn a_run_that_has_failed_says_why_its_controls_do_nothing_and_counts_them() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(settings.path(), Drive::Virtual { step: STANDING });
    editor.state_mut().sabotage(panics_before(Stage::RunScheduler));
    press(&mut editor, "Play");
    passes(&mut editor, 10);
    let session = |editor: &Harness<'_, EditorApp>| {
        let session = &editor.state().workspace().unwrap().session;
        (session.phase(), session.owes_answer(), session.refused())
    };
    assert_eq!(session(&editor), (Phase::Failed, false, 0));
    let key = |editor: &mut Harness<'_, EditorApp>, modifiers, key| {
        editor.key_press_modifiers(modifiers, key);
        editor.run_steps(3);
    };
    key(&mut editor, egui::Modifiers::NONE, egui::Key::F10);
    assert!(shows(&editor, "The run has failed: nothing runs that could step. Stop it first."));
    assert_eq!(session(&editor).2, 0, "it was not even asked");
    // Half the speed: for the next run.
    key(&mut editor, egui::Modifiers::ALT, egui::Key::Comma);
    assert!(shows(&editor, "The run has failed and does nothing any more: 1 control refused."));
    key(&mut editor, egui::Modifiers::ALT, egui::Key::Comma);
    assert!(shows(&editor, "2 controls refused."));
    assert!(shows(&editor, "out of cheese"), "what was wrong is still on screen");
    assert_eq!(session(&editor), (Phase::Failed, false, 2));
    press(&mut editor, "Stop");
    press(&mut editor, "Play");
    passes(&mut editor, 10);
    assert_eq!(session(&editor), (Phase::Playing, false, 0));
    let speed = editor.state().workspace().unwrap().session.newest().unwrap().speed;
    assert_eq!(speed.thousandths(), 250);
}

#[test]
fn a_panic_of_the_renderer_is_named_with_its_call_and_frame() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(settings.path(), Drive::Virtual { step: STANDING });
    editor.state_mut().sabotage(faulty_renderer(true));
    press(&mut editor, "Play");
    passes(&mut editor, 10);
    assert_eq!(editor.state().phase(), Phase::Failed);
    assert!(shows(&editor, "the render thread failed in frame 3"));
    assert!(shows(&editor, "panicked in submit of frame 3: out of paint"));
    press(&mut editor, "Stop");
    press(&mut editor, "Play");
    passes(&mut editor, 10);
    assert_eq!(editor.state().phase(), Phase::Playing);
}

#[test]
fn a_renderer_that_fails_again_and_again_is_said_and_the_run_goes_on() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(settings.path(), Drive::Virtual { step: STANDING });
    editor.state_mut().sabotage(faulty_renderer(false));
    press(&mut editor, "Play");
    passes(&mut editor, 30);
    assert_eq!(editor.state().phase(), Phase::Playing);
    assert!(shows(&editor, "8 frames in a row could not be drawn"));
    let counts = editor.state().workspace().unwrap().session.counts().unwrap();
    assert_eq!(counts.rendered, 2);
    assert!(counts.abandoned > 8 && counts.balanced(), "{counts:?}");
}

#[test]
fn on_real_threads_a_tick_that_never_ends_is_said_and_stop_answers_all_the_same() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(settings.path(), Drive::Threads);
    let (arrived, has_arrived) = channel();
    let (let_go, may_go) = channel::<()>();
    let hook: StageHook = Box::new(move |moment, stage, core| {
        if (moment, stage, core.record().frame) == (Moment::Before, Stage::RunScheduler, FrameIndex(3)) {
            arrived.send(()).unwrap();
            let _ = may_go.recv();
        }
    });
    editor.state_mut().sabotage(Sabotage { stage_hook: Some(hook), renderer: None });
    press(&mut editor, "Play");
    has_arrived.recv().unwrap();
    let wait_until_shown = |editor: &mut Harness<'_, EditorApp>, text: &str| {
        // Real time has to pass, about two seconds.
        for _ in 0..3_000 {
            editor.step();
            if shows(editor, text) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("never shown: {text}");
    };
    wait_until_shown(&mut editor, "The sim thread has not answered since frame 2, tick");
    press(&mut editor, "Stop");
    assert_eq!(editor.state().phase(), Phase::Edit, "while the tick still goes on");
    wait_until_shown(&mut editor, "The sim thread of run 1 did not end");
    // The render thread may have been left for a moment too.
    wait_until_shown(&mut editor, "1 thread left behind");

    press(&mut editor, "Play");
    while editor.state().workspace().unwrap().session.newest().is_none_or(|newest| newest.frame.0 < 5) {
        editor.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(let_go);
    while editor.state().workspace().unwrap().session.threads_left_behind() > 0 {
        editor.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    editor.step();
    assert!(!shows(&editor, "left behind"));
    press(&mut editor, "Stop");
}

/// Every frame of the run is in the history, one after the other.
fn history_has_no_hole(editor: &Harness<'_, EditorApp>) -> bool {
    let history = editor.state().inspector().history();
    let frames: Vec<u64> = history.run(1).range(0, usize::MAX).map(|entry| entry.record.frame.0).collect();
    let lost = editor.state().workspace().unwrap().session.lost_records();
    lost == 0 && frames.len() > 10 && frames.iter().copied().eq(1..=frames.len() as u64)
}

#[test]
fn a_window_of_no_size_is_survived_and_the_history_has_no_hole() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(settings.path(), Drive::Virtual { step: STANDING });
    press(&mut editor, "Play");
    for (width, height) in [(1.0, 1.0), (0.0, 0.0), (1_600.0, 1.0), (1.0, 1_000.0), (1_600.0, 1_000.0)] {
        editor.set_size(egui::vec2(width, height));
        passes(&mut editor, 5);
        assert_eq!(editor.state().phase(), Phase::Playing, "{width} × {height}");
    }
    assert!(history_has_no_hole(&editor));
}

#[test]
fn a_minimised_window_keeps_the_run_going_or_pauses_it_as_the_setting_says() {
    for (setting, wanted) in [("KeepRunning", Phase::Playing), ("Pause", Phase::Paused)] {
        let settings = tempfile::tempdir().unwrap();
        let text = format!("(format: 1, when_hidden: {setting})");
        std::fs::write(settings.path().join("settings.ron"), text).unwrap();
        let mut editor = open(settings.path(), Drive::Virtual { step: STANDING });
        press(&mut editor, "Play");
        passes(&mut editor, 5);
        let minimise = |editor: &mut Harness<'_, EditorApp>, minimised: bool| {
            let viewports = &mut editor.input_mut().viewports;
            viewports.get_mut(&egui::ViewportId::ROOT).unwrap().minimized = Some(minimised);
        };
        minimise(&mut editor, true);
        passes(&mut editor, 20);
        assert_eq!(editor.state().phase(), wanted, "{setting}");
        minimise(&mut editor, false);
        passes(&mut editor, 20);
        assert_eq!(editor.state().phase(), wanted, "{setting}: coming back changes nothing");
        let frames = editor.state().workspace().unwrap().session.newest().unwrap().frame.0;
        match wanted {
            Phase::Playing => assert!(frames > 40 && history_has_no_hole(&editor)),
            _ => assert!(frames < 20 && shows(&editor, "Paused because the window was hidden.")),
        }
    }
}

#[test]
fn a_surface_lost_once_is_no_word_and_lost_a_thousand_times_is_one_that_stays_while_the_run_goes_on() {
    let settings = tempfile::tempdir().unwrap();
    let link = Rc::new(WindowLink::default());
    let mut editor = open_linked(settings.path(), Drive::Virtual { step: STANDING }, Some(Rc::clone(&link)));
    press(&mut editor, "Play");
    let sentence = "The window's surface was lost 8 times in a row";
    editor.state_mut().set_virtual_step(PASS);
    link.surface.note_loss();
    editor.run_steps(20);
    assert!(!shows(&editor, sentence), "one loss is made good by the next picture");
    for loss in 1..=1_000 {
        link.surface.note_loss();
        editor.step();
        if loss < 8 {
            assert!(!shows(&editor, sentence), "{loss}");
        }
    }
    assert!(shows(&editor, sentence));
    assert_eq!(editor.state().phase(), Phase::Playing);
    editor.run_steps(100);
    assert!(shows(&editor, sentence), "it stays until it is put away");
    assert!(history_has_no_hole(&editor));
    press(&mut editor, "Stop");
    assert!(!shows(&editor, sentence));
}
