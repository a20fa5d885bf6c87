//! Input from the thread that a window lives on, past the queue of controls: stamped there, taken in stage 1.

use crate::frame::core::INPUT_CAPACITY;
use crate::handoff::{InboxReader, InboxWriter, inbox};
use crate::input::waiting::{Losses, wait_behind};
use crate::input::{InputEvent, InputKind};
use crate::time::Nanos;

/// A way in for input events, and its end for [`crate::frame::core::FrameCore::set_inbox`].
#[must_use]
pub fn inputs() -> (InputSender, InboxReader<InputEvent>) {
    // As much as a frame takes: there it never overflows.
    let (writer, reader) = inbox(INPUT_CAPACITY);
    (InputSender { writer, losses: Losses::default() }, reader)
}

/// The window's end.
#[derive(Debug)]
pub struct InputSender {
    writer: InboxWriter<InputEvent>,
    losses: Losses,
}

impl InputSender {
    /// Sends an event that arrived at this time. It never waits: where no frame has taken anything for long, the rule of
    /// [`wait_behind`] says what goes for it.
    pub fn send(&mut self, at: Nanos, kind: InputKind) {
        let capacity = self.writer.capacity();
        let lost = self.writer.with(|events| wait_behind(events, InputEvent { at, kind }, capacity));
        self.losses.note(lost, at);
    }

    /// Events lost by an overflow.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.losses.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Key;

    #[test]
    fn an_overflow_lets_go_of_everything_and_keeps_the_newest_event() {
        let (mut sender, mut reader) = inputs();
        for n in 0..=INPUT_CAPACITY as i64 {
            sender.send(Nanos(n), InputKind::KeyDown(Key::W));
        }
        let mut events = Vec::new();
        reader.take(|event| events.push(event));
        let at = Nanos(INPUT_CAPACITY as i64);
        assert_eq!(
            events,
            [
                InputEvent { at, kind: InputKind::ReleaseAll },
                InputEvent { at, kind: InputKind::KeyDown(Key::W) }
            ]
        );
        assert_eq!(sender.lost(), INPUT_CAPACITY as u64);
    }

    #[test]
    fn a_second_overflow_before_a_frame_loses_no_release_of_its_own() {
        let (mut sender, mut reader) = inputs();
        for n in 0..2 * INPUT_CAPACITY as i64 {
            sender.send(Nanos(n), InputKind::KeyDown(Key::W));
        }
        let taken = reader.take(|_| {}) as u64;
        // One of those taken is the release.
        assert_eq!(sender.lost(), 2 * INPUT_CAPACITY as u64 - (taken - 1));
    }

    #[test]
    fn a_mouse_that_moves_while_no_frame_runs_loses_no_key() {
        let (mut sender, mut reader) = inputs();
        sender.send(Nanos::ZERO, InputKind::KeyDown(Key::W));
        for x in 0..5_000 {
            sender.send(Nanos(x), InputKind::Pointer([x as i32, 7]));
        }
        let mut kinds = Vec::new();
        reader.take(|event| kinds.push(event.kind));
        assert_eq!(kinds.first(), Some(&InputKind::KeyDown(Key::W)));
        assert_eq!(kinds.last(), Some(&InputKind::Pointer([4_999, 7])));
        assert_eq!(sender.lost(), 0);
    }
}
