//! A run in the viewport is heard: it starts, stands still with the run, is muted, and ends with it.

use std::sync::{Arc, Mutex};

use framewalk::audio::Output;
use framewalk::audio::spatial::Level;
use framewalk_runtime::scene::{EntityId, Sound};

use super::comfort::command;
use super::*;

/// Counts what it is told; clones count together.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Told>>);

#[derive(Clone, Debug, Default, PartialEq)]
struct Told {
    started: Vec<u64>,
    sounding: Vec<u64>,
    held: bool,
    /// In hundredths.
    volume: i32,
}

impl Heard {
    fn now(&self) -> Told {
        self.0.lock().expect("nobody panics with it").clone()
    }
}

impl Output for Heard {
    fn heard(&self) -> framewalk::audio::Heard {
        framewalk::audio::Heard { device: Some("test".to_owned()), ..framewalk::audio::Heard::default() }
    }

    fn start(&mut self, entity: EntityId, _: &Sound, _: Level) {
        let mut told = self.0.lock().expect("nobody panics with it");
        told.started.push(entity.0);
        told.sounding.retain(|other| *other != entity.0);
        told.sounding.push(entity.0);
    }

    fn set(&mut self, _: EntityId, _: Level) {}

    fn stop(&mut self, entity: EntityId) {
        self.0.lock().expect("nobody panics with it").sounding.retain(|other| *other != entity.0);
    }

    fn hold(&mut self, held: bool) {
        self.0.lock().expect("nobody panics with it").held = held;
    }

    fn set_volume(&mut self, volume: f32) {
        self.0.lock().expect("nobody panics with it").volume = (volume * 100.0).round() as i32;
    }
}

#[test]
fn a_run_is_heard_until_it_pauses_or_is_muted_or_stops() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(Some(sample("first-steps")), settings.path());
    let heard = Heard::default();
    editor.state_mut().hear_with(Box::new(heard.clone()));
    press(&mut editor, "Play");
    passes(&mut editor, 240);
    let told = heard.now();
    // The spawner, every 45 ticks, and balls on the floor.
    assert!(told.started.contains(&19) && told.started.iter().any(|id| (11..=18).contains(id)), "{told:?}");
    assert_eq!((told.held, told.volume), (false, 75));

    press(&mut editor, "Pause");
    passes(&mut editor, 3);
    let paused = heard.now();
    assert!(paused.held);
    passes(&mut editor, 60);
    assert_eq!(heard.now(), paused, "nothing ends and nothing begins while everything stands");

    command(&mut editor, "mute sounds");
    assert_eq!(heard.now().volume, 0);
    command(&mut editor, "mute sounds");
    assert_eq!(heard.now().volume, 75);

    press(&mut editor, "Stop");
    let stopped = heard.now();
    assert_eq!((stopped.sounding, stopped.held), (Vec::new(), false));
}
