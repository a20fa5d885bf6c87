//! When the next frame will be handed over, as far as one can know: by its deadline, and by how long after theirs the last
//! ones came. Pure.

use super::Nanos;

/// So many of the last frames are looked at.
const LOOKED_AT: usize = 8;

/// How long after its deadline a frame is handed over: as soon as the soonest of the last ones.
///
/// That is the time its stages take, and what waking for the deadline adds. Who waits by it is there in time for all but
/// the quickest frame, and spins as long as frames differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    last: [Nanos; LOOKED_AT],
    seen: usize,
}

impl Expectation {
    /// A frame was handed over so long after the time it was made for.
    pub fn note(&mut self, after_its_time: Nanos) {
        self.last[self.seen % LOOKED_AT] = after_its_time.max(Nanos::ZERO);
        self.seen += 1;
    }

    /// When the frame with this deadline is handed over at the soonest; its deadline where no frame was seen.
    #[must_use]
    pub fn of(&self, deadline: Nanos) -> Nanos {
        let known = &self.last[..self.seen.min(LOOKED_AT)];
        deadline + known.iter().copied().min().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_expected_as_soon_after_its_deadline_as_the_soonest_of_the_last_eight() {
        let mut expectation = Expectation::default();
        let deadline = Nanos::from_millis(100);
        assert_eq!(expectation.of(deadline), deadline);
        for (after, expected) in [(700, 700), (900, 700), (400, 400), (-3, 0)] {
            expectation.note(Nanos::from_micros(after));
            assert_eq!(expectation.of(deadline) - deadline, Nanos::from_micros(expected));
        }
        for after in 500..507 {
            expectation.note(Nanos::from_micros(after));
        }
        // The fifth to the last of eleven: one that came at once is still looked at.
        assert_eq!(expectation.of(deadline), deadline);
        expectation.note(Nanos::from_micros(507));
        assert_eq!(expectation.of(deadline) - deadline, Nanos::from_micros(500));
    }
}
