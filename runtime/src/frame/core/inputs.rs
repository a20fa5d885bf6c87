//! Stage 1 and the ways into it: events queued by whoever drives, and the inbox of another thread.

use super::{FrameCore, INPUT_CAPACITY, Looking, Stage, Time};
use crate::frame::details::Note;
use crate::handoff::InboxReader;
use crate::input::InputEvent;
use crate::input::waiting::wait_behind;
use crate::time::source::TimeSource;

impl FrameCore {
    /// Stage 1: takes the queued input events and publishes [`Time`].
    pub fn drain_inputs(&mut self, time: &mut impl TimeSource) {
        let start = time.stamp();
        let looking = self.looking == Looking::AtThisFrame;
        self.take_inputs();
        self.record.figures.input_events = self.taken.len() as u32;
        if looking {
            self.details.events.extend(self.taken.iter().map(|event| Note::Input(event.kind)));
            self.details.held_keys = self.input.held();
        }
        self.taken.clear();
        self.time = Time {
            delta: self.record.delta,
            scaled_delta: self.fixed_step.scaled(self.record.delta),
            tick_length: self.record.tick_length,
            alpha: self.record.alpha,
            frame: self.record.frame,
            tick: self.tick,
        };
        self.stamp(Stage::DrainInputs, start, time);
    }

    /// The input that has come acts; what was taken is kept for stage 1 to tell of.
    pub(super) fn take_inputs(&mut self) {
        if let Some(mut inbox) = self.inbox.take() {
            inbox.take(|event| self.queue_input(event));
            self.inbox = Some(inbox);
        }
        for event in &self.queued {
            self.input.apply(event);
        }
        self.taken.append(&mut self.queued);
    }

    /// Queues an input event for the next stage 1, by the rule of [`wait_behind`]: what is lost is counted, and said in the
    /// log.
    pub fn queue_input(&mut self, event: InputEvent) {
        let lost = wait_behind(&mut self.queued, event, INPUT_CAPACITY);
        self.input_losses.note(lost, event.at);
    }

    /// Another thread puts its input events in there; each stage 1 takes them out.
    pub fn set_inbox(&mut self, inbox: InboxReader<InputEvent>) {
        self.inbox = Some(inbox);
    }

    /// Input events lost to an overflow release, since Play.
    #[must_use]
    pub const fn input_lost(&self) -> u64 {
        self.input_losses.total()
    }
}
