//! What the pictures of the free handoff say of its frames, of which one may be drawn several times, or never.

use framewalk_runtime::frame::record::RenderRecord;

use super::{Fate, History};

impl History {
    /// The newest picture of the newest run that was rendered; of one frame there may be several.
    #[must_use]
    pub fn newest_picture(&self) -> Option<&RenderRecord> {
        self.newest_picture.as_ref().filter(|picture| picture.run == self.totals.run)
    }

    pub(super) fn note_picture(&mut self, picture: RenderRecord) {
        let key = (picture.run, picture.frame);
        if self.newest_picture.is_none_or(|newest| (newest.run, newest.frame) <= key) {
            self.newest_picture = Some(picture);
        }
    }

    /// Free handoff: ticks only go forward, so what waits behind one that was drawn never will be.
    pub(super) fn mark_undrawn_before(&mut self, index: u64) {
        let run = self.totals.run;
        for older in (self.run_start.max(self.entries.first())..index).rev() {
            if !self.at_index(older).is_some_and(|entry| entry.waits_in(run) && entry.is_free()) {
                break;
            }
            self.set_fate_at(older, Fate::Undrawn);
        }
    }
}
