//! The graphics device is lost while the whole editor draws with it: what is kept, what is said, how it closes, and that
//! it goes on in another window with another device. On real threads and the software adapter.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::cell::RefCell;
use std::rc::Rc;

use eframe::wgpu::{Device, PollType};
use egui::{ViewportCommand, ViewportEvent, ViewportId};
use framewalk::command::{EditorCommand, NewEntity};
use framewalk_runtime::time::Nanos;

use super::files_in_real_time::{Home, SCENE, names};
use super::*;

/// An editor that draws, and its device.
struct Drawing {
    harness: Harness<'static, EditorApp>,
    device: Device,
    // What the window was told so far.
    commands: Vec<ViewportCommand>,
}

impl Drawing {
    fn open(home: &Home, drive: Drive) -> Self {
        let project = Some(home.folder.path().join("project"));
        let mut options = options(project, home.folder.path(), log_lines::channel().1);
        options.drive = drive;
        Self::build(move |cc| EditorApp::new(cc, options))
    }

    fn build(make: impl FnOnce(&mut eframe::CreationContext<'_>) -> EditorApp) -> Self {
        let device = Rc::new(RefCell::new(None));
        let of_editor = Rc::clone(&device);
        let harness = Harness::builder().with_size([1000.0, 700.0]).wgpu().build_eframe(move |cc| {
            *of_editor.borrow_mut() = cc.wgpu_render_state.as_ref().map(|state| state.device.clone());
            make(cc)
        });
        let device = device.take().expect("a software adapter draws");
        Self { harness, device, commands: Vec::new() }
    }

    /// The editor as it is goes on in another window, with another device.
    fn move_on(self) -> Self {
        let mut editor = self.harness.into_state();
        Self::build(move |cc| {
            editor.move_to(cc);
            editor
        })
    }

    fn step(&mut self) {
        self.harness.step();
        let output = &self.harness.output().viewport_output[&ViewportId::ROOT];
        self.commands.extend(output.commands.iter().cloned());
    }

    fn until(&mut self, what: &str, is_so: impl Fn(&EditorApp) -> bool) {
        for _ in 0..2_000 {
            self.step();
            if is_so(self.harness.state()) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let message = self.harness.state().message().map(|message| message.text.clone());
        panic!("never: {what}; the last message is {message:?}");
    }

    fn run(&mut self, command: EditorCommand) {
        self.harness.state_mut().run_command(command);
        self.step();
    }

    fn lose_device(&mut self) {
        self.device.destroy();
        // It says so once what it had to do is done, and it is asked.
        for _ in 0..2_000 {
            let _ = self.device.poll(PollType::Poll);
            self.step();
            if self.harness.state().device_lost().is_some() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        panic!("the device is not lost");
    }

    fn close(&mut self) {
        self.commands.clear();
        let viewport = self.harness.input_mut().viewports.entry(ViewportId::ROOT).or_default();
        viewport.events.push(ViewportEvent::Close);
        self.step();
        // As a window's loop: it was dealt with.
        self.harness.input_mut().viewports.entry(ViewportId::ROOT).or_default().events.clear();
    }

    fn titles(&self) -> Vec<String> {
        let title = |command: &ViewportCommand| match command {
            ViewportCommand::Title(title) => Some(title.clone()),
            _ => None,
        };
        self.commands.iter().filter_map(title).collect()
    }

    fn text(&self) -> String {
        self.harness.state().message().map(|message| message.text.clone()).unwrap_or_default()
    }
}

const KEPT: &str =
    "Framewalk — the graphics device is lost, your work is kept: close this window and start Framewalk again";

#[test]
fn in_the_pass_in_which_the_loss_is_seen_work_is_kept_and_the_title_says_what_to_do() {
    let home = Home::new();
    let mut editor = Drawing::open(&home, Drive::Virtual { step: Nanos::ZERO });
    editor.step();
    editor.run(EditorCommand::Add(NewEntity::Cube));
    assert_eq!((home.kept(), editor.titles().len()), (0, 0));
    editor.lose_device();
    assert_eq!(home.kept(), 1, "at once, whatever the settings say");
    assert_eq!(editor.titles(), [KEPT], "once");
    let said = "The graphics device is lost. Nothing more can be drawn: close this window and start Framewalk again. What \
                was not saved is kept, and offered then.";
    assert_eq!(editor.text(), said);
    editor.step();
    editor.step();
    assert_eq!(editor.titles(), [KEPT]);

    editor.close();
    assert!(!editor.commands.contains(&ViewportCommand::CancelClose), "{:?}", editor.commands);
    assert!(editor.harness.query_by_label("Discard").is_none(), "nothing is asked that nobody can read");
    eframe::App::on_exit(editor.harness.state_mut());
    assert_eq!((home.text("main"), home.kept()), (SCENE.to_owned(), 1), "closing gives nothing up");
    drop(editor);

    let mut again = home.open();
    press(&mut again, "Restore");
    assert_eq!(names(&again), ["Box", "Cube"]);
}

#[test]
fn a_window_that_is_closed_while_work_is_being_kept_closes_when_it_is() {
    let home = Home::new();
    let mut editor = Drawing::open(&home, Drive::Threads);
    editor.step();
    editor.run(EditorCommand::Add(NewEntity::Cube));
    let held = editor.harness.state_mut().hold_files();
    editor.lose_device();
    assert_eq!(editor.titles(), ["Framewalk — the graphics device is lost: unsaved work is being kept"]);
    editor.close();
    assert!(editor.commands.contains(&ViewportCommand::CancelClose));
    assert!(!editor.commands.contains(&ViewportCommand::Close));
    editor.commands.clear();
    drop(held);
    editor.until("it is kept", |_| home.kept() == 1);
    for _ in 0..200 {
        editor.step();
        if editor.commands.contains(&ViewportCommand::Close) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(editor.commands.contains(&ViewportCommand::Close), "{:?}", editor.commands);
    assert_eq!(editor.titles(), [KEPT]);
    editor.close();
    assert!(!editor.commands.contains(&ViewportCommand::CancelClose), "{:?}", editor.commands);
}

#[test]
fn where_work_cannot_be_kept_the_title_says_so_and_a_second_request_closes() {
    let home = Home::new();
    // Where a folder is to be, a file is.
    std::fs::create_dir_all(home.folder.path().join("data")).unwrap();
    std::fs::write(home.folder.path().join("data/recovery"), "no folder").unwrap();
    let mut editor = Drawing::open(&home, Drive::Virtual { step: Nanos::ZERO });
    editor.step();
    editor.run(EditorCommand::Add(NewEntity::Cube));
    editor.lose_device();
    let said = "Framewalk — the graphics device is lost and unsaved work cannot be kept: it is tried again; close twice to \
                leave without it";
    assert_eq!(editor.titles(), [said]);
    editor.close();
    assert!(editor.commands.contains(&ViewportCommand::CancelClose));
    editor.close();
    assert!(!editor.commands.contains(&ViewportCommand::CancelClose), "{:?}", editor.commands);
}

#[test]
fn in_another_window_the_editor_goes_on_with_its_work_its_undo_and_its_pictures() {
    let home = Home::new();
    let mut editor = Drawing::open(&home, Drive::Threads);
    editor.until("the authored scene", EditorApp::shows_authored_picture);
    editor.run(EditorCommand::Add(NewEntity::Cube));
    editor.lose_device();
    assert!(editor.harness.state().device_lost().is_some());
    let mut editor = editor.move_on();
    assert_eq!(editor.harness.state().device_lost(), None);
    editor.until("the authored scene on the other device", EditorApp::shows_authored_picture);
    let text = editor.text();
    assert!(
        text.starts_with("The graphics device was lost (") && text.contains("Nothing of your work is lost."),
        "{text}"
    );
    assert_eq!(names(&editor.harness), ["Box", "Cube"]);
    editor.run(EditorCommand::Undo);
    assert_eq!((names(&editor.harness), editor.harness.state().is_dirty()), (vec!["Box".to_owned()], false));
    editor.run(EditorCommand::Redo);
    editor.run(EditorCommand::PlayOrResume);
    editor.until("pictures of a run", |editor| {
        editor.workspace().unwrap().session.counts().is_some_and(|counts| counts.rendered >= 5)
    });
    // Another device may be lost as well.
    editor.run(EditorCommand::Stop);
    editor.lose_device();
    let mut editor = editor.move_on();
    editor.until("the authored scene on the third device", EditorApp::shows_authored_picture);
    assert_eq!(names(&editor.harness), ["Box", "Cube"]);
}

#[test]
fn a_run_goes_on_in_the_other_window_and_every_frame_of_it_is_accounted_for() {
    for mode in ["slot", "lockstep", "free"] {
        let home = Home::new();
        let project = format!("(format: 1, name: \"mine\", scenes: [\"main\"], handoff: {mode})");
        std::fs::write(home.folder.path().join("project/project.ron"), project).unwrap();
        let mut editor = Drawing::open(&home, Drive::Threads);
        editor.step();
        editor.run(EditorCommand::PlayOrResume);
        let rendered = |editor: &EditorApp| {
            editor.workspace().unwrap().session.counts().map_or(0, |counts| counts.rendered)
        };
        editor.until("pictures of the run", |editor| rendered(editor) >= 5);
        editor.lose_device();
        let newest = |editor: &EditorApp| {
            editor.workspace().unwrap().session.newest().map_or(0, |newest| newest.frame.0)
        };
        let at_loss = newest(editor.harness.state());
        editor.until("the run goes on without a device", |editor| newest(editor) > at_loss + 10);
        let mut editor = editor.move_on();
        assert!(editor.text().contains("The run goes on"), "{}", editor.text());
        let before = rendered(editor.harness.state());
        editor.until("pictures on the other device", |editor| rendered(editor) > before + 10);
        let drawn = |editor: &EditorApp| {
            editor.picture().is_some_and(|picture| picture.run == 1 && picture.frame.0 > at_loss)
        };
        editor.until("such a picture in the window", drawn);
        let session = &editor.harness.state().workspace().unwrap().session;
        assert_eq!((session.number(), session.failure()), (1, None), "the same run");
        let counts = session.counts().unwrap();
        let accounted = counts.rendered
            + counts.dropped
            + counts.undrawn
            + counts.pending
            + counts.in_flight
            + counts.abandoned;
        assert_eq!(counts.published, accounted, "{mode}: {counts:?}");
        assert!(counts.abandoned > 0, "{mode}: frames of that moment were not drawn: {counts:?}");
        editor.run(EditorCommand::Stop);
        assert_eq!(editor.harness.state().phase(), Phase::Edit);
    }
}

#[test]
fn a_run_that_stands_is_drawn_in_the_other_window_as_it_stood() {
    let home = Home::new();
    let mut editor = Drawing::open(&home, Drive::Threads);
    editor.step();
    editor.run(EditorCommand::PlayOrResume);
    let frame = |editor: &EditorApp| editor.picture().map_or(0, |picture| picture.frame.0);
    editor.until("pictures of the run", |editor| frame(editor) >= 3);
    editor.run(EditorCommand::Pause);
    editor.until("it stands", |editor| editor.phase() == Phase::Paused);
    for _ in 0..30 {
        editor.step();
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let stood = frame(editor.harness.state());
    editor.lose_device();
    let mut editor = editor.move_on();
    assert_eq!(editor.harness.state().phase(), Phase::Paused);
    editor.until("the picture that stood", |editor| frame(editor) == stood);
    editor.run(EditorCommand::StepTick);
    editor.until("the next one", |editor| frame(editor) == stood + 1);
}
