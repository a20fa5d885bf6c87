//! Input from the thread that a window lives on, past the queue of controls: stamped there, taken in stage 1.

use crate::frame::core::INPUT_CAPACITY;
use crate::frame::overflow_log::OverflowLog;
use crate::handoff::{InboxReader, InboxWriter, inbox};
use crate::input::{InputEvent, InputKind};
use crate::time::Nanos;

/// A way in for input events, and its end for [`crate::frame::core::FrameCore::set_inbox`].
#[must_use]
pub fn inputs() -> (InputSender, InboxReader<InputEvent>) {
    // One less than what a frame takes: there it never overflows.
    let (writer, reader) = inbox(INPUT_CAPACITY - 1);
    (InputSender { writer, lost: 0, overflow_log: OverflowLog::default() }, reader)
}

/// The window's end.
#[derive(Debug)]
pub struct InputSender {
    writer: InboxWriter<InputEvent>,
    lost: u64,
    overflow_log: OverflowLog,
}

impl InputSender {
    /// Sends an event that arrived at this time. It never waits: where no frame has taken anything for long, what has
    /// gathered is lost, and all that was held is let go instead.
    pub fn send(&mut self, at: Nanos, kind: InputKind) {
        if let Err(event) = self.writer.push(InputEvent { at, kind }) {
            let lost = self.writer.replace(InputEvent { at, kind: InputKind::ReleaseAll }) as u64;
            self.overflow_log.note(at, lost);
            self.lost += lost;
            // There is room now.
            let _ = self.writer.push(event);
        }
    }

    /// Events lost by an overflow.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Key;

    #[test]
    fn an_overflow_lets_go_of_everything_and_keeps_the_newest_event() {
        let (mut sender, mut reader) = inputs();
        for n in 0..INPUT_CAPACITY as i64 {
            sender.send(Nanos(n), InputKind::KeyDown(Key::W));
        }
        let mut events = Vec::new();
        reader.take(|event| events.push(event));
        let at = Nanos(INPUT_CAPACITY as i64 - 1);
        assert_eq!(
            events,
            [
                InputEvent { at, kind: InputKind::ReleaseAll },
                InputEvent { at, kind: InputKind::KeyDown(Key::W) }
            ]
        );
        assert_eq!(sender.lost(), INPUT_CAPACITY as u64 - 1);
    }
}
