//! An output that writes down what it is told.

use std::sync::{Arc, Mutex, PoisonError};

use framewalk_runtime::scene::{EntityId, Sound};

use super::spatial::Level;
use super::{Heard, Output};

/// Clones write into the same book.
#[derive(Clone, Debug, Default)]
pub struct Recorded(Arc<Mutex<Vec<String>>>);

impl Recorded {
    /// What was told since the last call, a line each.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn write(&self, line: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }
}

impl Output for Recorded {
    fn heard(&self) -> Heard {
        Heard { device: Some("recorded".to_owned()), ..Heard::default() }
    }

    fn start(&mut self, entity: EntityId, sound: &Sound, level: Level) {
        self.write(format!("{} starts {} Hz {}", entity.0, sound.hertz, told(level)));
    }

    fn set(&mut self, entity: EntityId, level: Level) {
        self.write(format!("{} is {}", entity.0, told(level)));
    }

    fn stop(&mut self, entity: EntityId) {
        self.write(format!("{} stops", entity.0));
    }

    fn hold(&mut self, held: bool) {
        self.write(if held { "held" } else { "goes on" }.to_owned());
    }

    fn set_volume(&mut self, volume: f32) {
        self.write(format!("volume {volume}"));
    }
}

fn told(level: Level) -> String {
    format!("{:.3} at {:.2}", level.gain, level.pan)
}
