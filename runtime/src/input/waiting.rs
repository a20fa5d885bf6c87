//! How input waits for the next frame: bounded, and what is lost of it is counted and said.

use super::{InputEvent, InputKind};
use crate::time::Nanos;

/// Losses are said this often, at most.
const SAID_EVERY: Nanos = Nanos::from_secs(1);

/// Puts an event behind those that wait, of which there are `most` at most, 2 or more. Answers how many were lost by that.
///
/// Where there is no room, places that the mouse has left since go first: no tick would see them. Where that is not
/// enough, all that waits is lost, and every key is let go instead. Neither such places nor a release count as lost: of the
/// former nobody misses one, and the latter is replaced by another.
pub fn wait_behind(events: &mut Vec<InputEvent>, event: InputEvent, most: usize) -> u64 {
    let mut lost = 0;
    if events.len() >= most {
        forget_left_places(events);
    }
    if events.len() >= most {
        let is_lost = |event: &&InputEvent| event.kind != InputKind::ReleaseAll;
        lost = events.iter().filter(is_lost).count() as u64;
        events.clear();
        events.push(InputEvent { at: event.at, kind: InputKind::ReleaseAll });
    }
    events.push(event);
    lost
}

/// Of the places of the mouse that wait, the newest stays.
fn forget_left_places(events: &mut Vec<InputEvent>) {
    let is_place = |event: &InputEvent| matches!(event.kind, InputKind::Pointer(_));
    let newest = events.iter().rposition(is_place);
    let mut at = 0;
    events.retain(|event| {
        let stays = !is_place(event) || Some(at) == newest;
        at += 1;
        stays
    });
}

/// How many events were lost on one way, and when that was last said in the log.
#[derive(Debug, Default)]
pub struct Losses {
    total: u64,
    unsaid: u64,
    said: Option<Nanos>,
}

impl Losses {
    /// So many more were lost at this time; 0 is an answer too. The log hears of it once a second at most: with the next
    /// event after that, and at the end, of all that were lost meanwhile.
    pub fn note(&mut self, lost: u64, at: Nanos) {
        if let Some(lost) = self.due_now(lost, at) {
            self.line(lost);
        }
    }

    fn line(&self, lost: u64) {
        tracing::warn!(target: "framewalk", lost, "input_overflowed");
    }

    /// All of them.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    fn due_now(&mut self, lost: u64, at: Nanos) -> Option<u64> {
        self.total += lost;
        self.unsaid += lost;
        if self.unsaid == 0 || self.said.is_some_and(|said| at - said < SAID_EVERY) {
            return None;
        }
        self.said = Some(at);
        Some(std::mem::take(&mut self.unsaid))
    }
}

impl Drop for Losses {
    fn drop(&mut self) {
        if self.unsaid > 0 {
            self.line(self.unsaid);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Key;

    const DOWN: InputKind = InputKind::KeyDown(Key::W);
    const UP: InputKind = InputKind::KeyUp(Key::W);
    const ALL_UP: InputKind = InputKind::ReleaseAll;

    fn at(x: i32) -> InputKind {
        InputKind::Pointer([x, 0])
    }

    /// Four wait at most: what waits in the end, and how many were lost.
    fn after(kinds: &[InputKind]) -> (Vec<InputKind>, u64) {
        let mut events = Vec::new();
        let mut lost = 0;
        for (n, kind) in kinds.iter().enumerate() {
            lost += wait_behind(&mut events, InputEvent { at: Nanos(n as i64), kind: *kind }, 4);
        }
        (events.into_iter().map(|event| event.kind).collect(), lost)
    }

    #[test]
    fn places_that_the_mouse_has_left_go_first_and_nothing_is_lost() {
        for (kinds, waits) in [
            (&[at(1), at(2), at(3), at(4), at(5)][..], vec![at(4), at(5)]),
            (&[DOWN, at(1), at(2), UP, at(3)], vec![DOWN, at(2), UP, at(3)]),
            (&[at(1), DOWN, at(2), UP, DOWN], vec![DOWN, at(2), UP, DOWN]),
        ] {
            assert_eq!(after(kinds), (waits, 0), "{kinds:?}");
        }
    }

    #[test]
    fn an_overflow_lets_go_of_everything_and_a_release_of_its_own_is_not_lost() {
        assert_eq!(after(&[DOWN, UP, DOWN, UP, DOWN]), (vec![ALL_UP, DOWN], 4));
        // The second one finds a release and three keys.
        assert_eq!(after(&[DOWN, UP, DOWN, UP, DOWN, UP, DOWN, UP]), (vec![ALL_UP, UP], 4 + 3));
        assert_eq!(after(&[DOWN, UP, DOWN, at(1), UP]), (vec![ALL_UP, UP], 4), "the newest place too");
    }

    #[test]
    fn losses_are_counted_at_once_and_said_once_a_second_with_the_next_event() {
        let mut losses = Losses::default();
        let millis = Nanos::from_millis;
        for (lost, at, said) in [
            (0, 0, None),
            (3, 10, Some(3)),
            (4, 500, None),
            (0, 1_009, None),
            (5, 1_009, None),
            (0, 1_010, Some(9)),
            (0, 5_000, None),
            (1, 5_000, Some(1)),
        ] {
            assert_eq!(losses.due_now(lost, millis(at)), said, "{lost} at {at} ms");
        }
        assert_eq!(losses.total(), 13);
    }
}
