//! Faults of the machine and of runs: noticed as they come, said in a sentence that stays until it is put away.

use framewalk_inspector::wording::count;
use framewalk_runtime::frame::record::RenderOutcome;
use framewalk_runtime::time::source::RealClock;

use super::EditorApp;
use crate::session::Notice;
use crate::session::silence::Heard;
use crate::session::standstill;
use crate::shell::status::Message;
use crate::window::trouble::{TRIES, Trouble};

/// How it begins what is said of controls that a run refuses: over with that run.
pub(super) const DOES_NOTHING: &str = "The run has failed and does nothing any more";

/// What keeps going wrong.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Troubles {
    surface: Trouble,
    device: Trouble,
    /// Frames abandoned one after the other by the run's renderer.
    abandoned_in_a_row: u32,
    silence_said: bool,
    /// So many controls were refused by the run when that was last said.
    refused_said: u64,
}

impl Troubles {
    /// A new run starts with nothing held against it.
    pub(super) fn begin_run(&mut self) {
        self.abandoned_in_a_row = 0;
        self.silence_said = false;
        self.refused_said = 0;
    }

    /// Another device draws: nothing is held against that one.
    pub(super) fn begin_with_device(&mut self) {
        self.device = Trouble::default();
        self.abandoned_in_a_row = 0;
    }

    /// A frame was drawn or not: true when the last few all were not, once.
    pub(super) fn rendered(&mut self, outcome: RenderOutcome) -> bool {
        if outcome == RenderOutcome::Rendered {
            self.abandoned_in_a_row = 0;
            return false;
        }
        self.abandoned_in_a_row = self.abandoned_in_a_row.saturating_add(1);
        self.abandoned_in_a_row == TRIES
    }
}

impl EditorApp {
    /// Once a painted pass: does the window still get its pictures?
    pub(super) fn follow_device(&mut self) {
        let now = RealClock::new().now();
        let troubles = &mut self.troubles;
        let mut messages = Vec::new();
        if let Ok(graphics) = &self.graphics {
            let health = &graphics.context.health;
            health.look(now);
            let failing = troubles.device.tried(health.errors());
            // What is done where it is lost stands in `device_loss.rs`.
            if failing && health.lost().is_none() {
                let text = format!(
                    "The graphics device has refused work in {TRIES} pictures of the window in a row. It is tried \
                     again with each picture; if this stays, start the program again or update the driver."
                );
                messages.push(Message::error(text, health.last_error().into_iter().collect()));
            }
        }
        if let Some(link) = &self.link {
            if troubles.surface.tried(link.surface.failures()) {
                let text = format!(
                    "The window's surface was lost {TRIES} times in a row, and made anew each time. It is tried again \
                     a few times a second."
                );
                messages.push(Message::error(text, Vec::new()));
            }
            link.surface.note_in_a_row(troubles.surface.in_a_row());
            link.surface.look(now);
        }
        messages.into_iter().for_each(|message| self.say(message));
    }

    /// A run that has failed does nothing any more: what was asked of it since that was last said.
    pub(super) fn say_refused(&mut self) {
        let refused = self.workspace.as_ref().map_or(0, |workspace| workspace.session.refused());
        if refused <= self.troubles.refused_said {
            return;
        }
        self.troubles.refused_said = refused;
        let times = count(refused, "control", "controls");
        let text = format!(
            "{DOES_NOTHING}: {times} refused. Rates, speed, physics and handoff count from the next Play on; Stop it first."
        );
        self.say(Message::warning(text));
    }

    /// The renderer of the run fails again and again.
    pub(super) fn say_frames_abandoned(&mut self) {
        let text = format!(
            "The renderer fails: {TRIES} frames in a row could not be drawn and are abandoned. The run goes on; the log \
             says why, under render_failed."
        );
        self.say(Message::error(text, Vec::new()));
    }

    /// What the session noticed about threads that do not answer or do not end.
    pub(super) fn follow_threads(&mut self) {
        let now = self.now();
        let Some(workspace) = &mut self.workspace else { return };
        match workspace.session.look(now) {
            Some(Notice::Run(Heard::Silent)) => {
                let last = workspace.session.newest().map_or_else(String::new, |record| {
                    format!(" since frame {}, tick {}", record.frame.0, record.tick.0)
                });
                self.troubles.silence_said = true;
                let text = format!(
                    "The sim thread has not answered{last}: a tick or another stage may never end. Stop answers at once \
                     and leaves the thread to itself."
                );
                self.say(Message::error(text, Vec::new()));
            }
            Some(Notice::Run(Heard::Again)) if std::mem::take(&mut self.troubles.silence_said) => {
                self.banner = None;
                self.say(Message::info("The sim thread answers again."));
            }
            Some(Notice::LeftBehind(text)) => self.say(Message::error(text, Vec::new())),
            Some(Notice::Stood(stood)) => self.say(Message::warning(standstill::sentence(stood))),
            Some(Notice::Run(Heard::Again)) | None => {}
        }
    }
}
