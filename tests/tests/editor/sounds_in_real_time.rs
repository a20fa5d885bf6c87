//! What a run sounds like does not wait for the passes of the window, and ends with the run whatever became of it.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use framewalk::audio::Output;
use framewalk::audio::spatial::Level;
use framewalk_runtime::scene::{EntityId, Sound};

use super::*;

/// Nobody waits so long for a tone that comes in three quarters of a second, on a machine with anything to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// What an output is told, as it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Start(u64),
    Held(bool),
    Volume,
    Dropped,
}

struct Heard {
    told: Sender<Told>,
    panics: bool,
}

impl Heard {
    fn tell(&self, told: Told) {
        let _ = self.told.send(told);
    }
}

impl Output for Heard {
    fn heard(&self) -> framewalk::audio::Heard {
        framewalk::audio::Heard::default()
    }

    fn start(&mut self, entity: EntityId, _: &Sound, _: Level) {
        self.tell(Told::Start(entity.0));
        assert!(!self.panics, "an output of a test that panics");
    }

    fn set(&mut self, _: EntityId, _: Level) {}

    fn stop(&mut self, _: EntityId) {}

    fn hold(&mut self, held: bool) {
        self.tell(Told::Held(held));
    }

    fn set_volume(&mut self, _: f32) {
        self.tell(Told::Volume);
    }
}

impl Drop for Heard {
    fn drop(&mut self) {
        self.tell(Told::Dropped);
    }
}

/// An editor on real threads, and what its next run sounds like.
fn editor(settings: &Path, panics: bool) -> (Harness<'static, EditorApp>, Receiver<Told>) {
    std::fs::write(settings.join("settings.ron"), "(format: 1, tour_taken: true)").unwrap();
    let options = EditorOptions {
        drive: Drive::Threads,
        ..options(Some(sample("first-steps")), settings, log_lines::channel().1)
    };
    let mut editor = Harness::builder()
        .with_size([1600.0, 1000.0])
        .with_max_steps(30)
        .build_eframe(|cc| EditorApp::new(cc, options));
    let (told, heard) = channel();
    editor.state_mut().hear_with(Box::new(Heard { told, panics }));
    (editor, heard)
}

/// One pass, in which this is clicked.
fn click(editor: &mut Harness<'_, EditorApp>, label: &str) {
    editor.get_all_by_label(label).next().unwrap_or_else(|| panic!("no {label}")).click();
    editor.step();
}

/// Waits until it is told so; everything before that.
fn wait_for(heard: &Receiver<Told>, wanted: impl Fn(Told) -> bool) -> Vec<Told> {
    let mut before = Vec::new();
    loop {
        let told = heard.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{error}: {before:?}"));
        if wanted(told) {
            return before;
        }
        before.push(told);
    }
}

#[test]
fn tones_begin_while_the_window_makes_no_pass_at_all() {
    let settings = tempfile::tempdir().unwrap();
    let (mut editor, heard) = editor(settings.path(), false);
    click(&mut editor, "Play");
    // Of its spawner, every 45 ticks.
    for _ in 0..3 {
        wait_for(&heard, |told| told == Told::Start(19));
    }
    click(&mut editor, "Stop");
    wait_for(&heard, |told| told == Told::Dropped);
}

#[test]
fn what_is_heard_stands_with_the_run_and_goes_on_with_it() {
    let settings = tempfile::tempdir().unwrap();
    let (mut editor, heard) = editor(settings.path(), false);
    click(&mut editor, "Play");
    wait_for(&heard, |told| told == Told::Start(19));
    click(&mut editor, "Pause");
    // That it stands is learned by a pass.
    while editor.state().phase() != Phase::Paused {
        editor.step();
    }
    editor.step();
    wait_for(&heard, |told| told == Told::Held(true));
    click(&mut editor, "Resume");
    while editor.state().phase() != Phase::Playing {
        editor.step();
    }
    editor.step();
    let meanwhile = wait_for(&heard, |told| told == Told::Held(false));
    assert_eq!(meanwhile, [], "nothing begins while everything stands");
    wait_for(&heard, |told| told == Told::Start(19));
}

#[test]
fn an_output_that_panics_is_heard_no_more_and_the_run_goes_on() {
    let settings = tempfile::tempdir().unwrap();
    let (mut editor, heard) = editor(settings.path(), true);
    click(&mut editor, "Play");
    wait_for(&heard, |told| told == Told::Dropped);
    let published = |editor: &Harness<'_, EditorApp>| {
        editor.state().workspace().unwrap().session.counts().map_or(0, |counts| counts.published)
    };
    let until = published(&editor) + 10;
    while published(&editor) < until {
        editor.step();
    }
    click(&mut editor, "Pause");
    click(&mut editor, "Stop");
    assert_eq!(editor.state().phase(), Phase::Edit);
}
