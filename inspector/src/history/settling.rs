//! When nothing later is expected about a frame: its animation error, from the picture of it that was seen.

use super::{Fate, History};

impl History {
    /// Hands settled frames to the animation error, in order. Each frame once: O(1) a frame over a run.
    pub(super) fn settle(&mut self) {
        let mut index = self.error_next.max(self.entries.first());
        while let Some(entry) = self.entries.get(index) {
            if !entry.is_settled(self.windowed) && index >= self.settled_end {
                break;
            }
            let display = entry.displayed(self.windowed);
            let error = match (entry.fate, entry.render.filter(|_| entry.is_free()).zip(display)) {
                // Of the picture that was seen, at the time it was: in the free handoff not always the frame's first.
                (Fate::Shown { at }, _) => self.error.next_seen(&entry.record, entry.seen_time, at),
                // It was drawn for a time of the render thread's own.
                (_, Some((picture, at))) => self.error.next_picture(&entry.record, &picture, at),
                (_, None) => self.error.next(&entry.record, display),
            };
            // Most frames of a run that nobody shows have none, and a chunk that is not written to stays shared.
            if entry.animation_error != error
                && let Some(entry) = self.entries.get_mut(index)
            {
                entry.animation_error = error;
            }
            index += 1;
        }
        self.error_next = index;
    }
}
