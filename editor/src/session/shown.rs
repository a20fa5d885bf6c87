//! Which rendered frames the window presented, and which it never showed. Pure.

use std::collections::VecDeque;

use framewalk_runtime::frame::record::{RenderOutcome, RenderRecord, Shown, ShownRecord};
use framewalk_runtime::time::FrameIndex;

/// Frames kept while either side has not reported yet; far more than can be between two window frames.
const UNDECIDED: usize = 4_096;

/// Matches what the render thread finished with what the window painted. The two reports of a frame come in any order.
#[derive(Clone, Debug, Default)]
pub struct ShownLedger {
    // Rendered and not decided, ascending.
    rendered: VecDeque<RenderRecord>,
    // Presented, and their rendering not yet reported, ascending.
    presented: VecDeque<FrameIndex>,
    // The newest frame that was presented.
    newest: FrameIndex,
}

impl ShownLedger {
    /// The render thread is done with a frame.
    pub fn rendered(&mut self, record: &RenderRecord, decide: &mut dyn FnMut(ShownRecord)) {
        if record.outcome != RenderOutcome::Rendered {
            return;
        }
        if record.frame > self.newest {
            if self.rendered.len() == UNDECIDED
                && let Some(oldest) = self.rendered.pop_front()
            {
                // So many newer ones are there: it is not presented any more.
                decide(ShownRecord { run: oldest.run, frame: oldest.frame, shown: Shown::Unseen });
            }
            self.rendered.push_back(*record);
            return;
        }
        while self.presented.front().is_some_and(|frame| *frame < record.frame) {
            self.presented.pop_front();
        }
        if self.presented.front() == Some(&record.frame) {
            self.presented.pop_front();
        } else {
            decide(ShownRecord { run: record.run, frame: record.frame, shown: Shown::Unseen });
        }
    }

    /// The window painted a frame for the first time: everything rendered before it and not presented is unseen.
    pub fn presented(&mut self, record: ShownRecord, decide: &mut dyn FnMut(ShownRecord)) {
        if record.frame <= self.newest {
            return;
        }
        self.newest = record.frame;
        let mut reported = false;
        while let Some(older) = self.rendered.front().filter(|older| older.frame <= record.frame).copied() {
            self.rendered.pop_front();
            if older.frame == record.frame {
                reported = true;
            } else {
                decide(ShownRecord { run: older.run, frame: older.frame, shown: Shown::Unseen });
            }
        }
        if !reported {
            if self.presented.len() == UNDECIDED {
                self.presented.pop_front();
            }
            self.presented.push_back(record.frame);
        }
        decide(record);
    }
}

#[cfg(test)]
mod tests {
    use framewalk_runtime::time::Nanos;

    use super::*;

    #[derive(Clone, Copy)]
    enum Event {
        Rendered(u64),
        Presented(u64),
    }
    use Event::{Presented, Rendered};

    fn outcomes(events: &[Event]) -> Vec<(u64, bool)> {
        let mut ledger = ShownLedger::default();
        let mut decided = Vec::new();
        let mut decide = |record: ShownRecord| {
            decided.push((record.frame.0, matches!(record.shown, Shown::Presented { .. })))
        };
        for event in events {
            match *event {
                Rendered(frame) => ledger.rendered(
                    &RenderRecord { run: 1, frame: FrameIndex(frame), ..RenderRecord::default() },
                    &mut decide,
                ),
                Presented(frame) => {
                    let shown = Shown::Presented { at: Nanos(0), shown_time: Some(Nanos(0)) };
                    ledger.presented(ShownRecord { run: 1, frame: FrameIndex(frame), shown }, &mut decide);
                }
            }
        }
        decided.sort_unstable();
        decided
    }

    #[test]
    fn every_rendered_frame_is_shown_or_unseen_once_in_any_order_of_reports() {
        let expected = [(1, true), (2, false), (3, true), (4, true)];
        let in_order =
            [Rendered(1), Presented(1), Rendered(2), Rendered(3), Presented(3), Rendered(4), Presented(4)];
        assert_eq!(outcomes(&in_order), expected);
        let late_reports =
            [Presented(1), Presented(3), Rendered(1), Rendered(2), Rendered(3), Presented(4), Rendered(4)];
        assert_eq!(outcomes(&late_reports), expected);
    }

    #[test]
    fn a_frame_painted_again_is_shown_once() {
        assert_eq!(outcomes(&[Rendered(1), Presented(1), Presented(1)]), [(1, true)]);
    }

    #[test]
    fn what_a_hidden_window_never_shows_is_unseen_however_long_it_is_hidden() {
        let events: Vec<Event> = (1..=5_000).map(Rendered).chain([Presented(5_000)]).collect();
        let decided = outcomes(&events);
        assert_eq!(decided.len(), 5_000);
        assert_eq!(decided.iter().filter(|(_, shown)| *shown).collect::<Vec<_>>(), [&(5_000, true)]);
    }

    #[test]
    fn a_frame_not_yet_painted_is_undecided() {
        assert_eq!(outcomes(&[Rendered(1), Presented(1), Rendered(2)]), [(1, true)]);
    }
}
