//! Noticing that a run has stopped answering: a tick, or another stage, that may never end. Pure.

use framewalk_runtime::time::{Nanos, Rate};

/// A run that owes a frame or an answer is said to be silent after this long, or after three periods.
const SILENT_AFTER: Nanos = Nanos::from_secs(2);
/// One look counts for so much at most: a program that was stopped itself accuses nobody.
const LONGEST_LOOK: Nanos = Nanos::from_millis(250);

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It has been silent for too long.
    Silent,
    /// It answers again.
    Again,
}

/// How long a run has owed an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Silence {
    last_look: Option<Nanos>,
    owed: Nanos,
    said: bool,
}

impl Silence {
    /// A look at the run: does it owe a frame or an answer, and did anything come since the last look?
    pub fn look(&mut self, now: Nanos, owes: bool, came: bool, frame_rate: Rate) -> Option<Heard> {
        let passed = self.last_look.replace(now).map_or(Nanos::ZERO, |last| now - last);
        if came || !owes {
            self.owed = Nanos::ZERO;
            return std::mem::take(&mut self.said).then_some(Heard::Again);
        }
        self.owed += Nanos(passed.0.clamp(0, LONGEST_LOOK.0));
        let limit = SILENT_AFTER.max(Nanos(frame_rate.period().0.saturating_mul(3)));
        if self.said || self.owed < limit {
            return None;
        }
        self.said = true;
        Some(Heard::Silent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look_each_100_ms(silence: &mut Silence, from: i64, looks: i64, rate: Rate) -> Vec<(i64, Heard)> {
        (1..=looks)
            .filter_map(|look| {
                let now = from + look * 100;
                silence.look(Nanos::from_millis(now), true, false, rate).map(|heard| (now, heard))
            })
            .collect()
    }

    #[test]
    fn two_seconds_without_a_frame_are_said_once_and_the_next_frame_ends_it() {
        let mut silence = Silence::default();
        silence.look(Nanos::ZERO, true, true, Rate::HZ_60);
        assert_eq!(look_each_100_ms(&mut silence, 0, 50, Rate::HZ_60), [(2_000, Heard::Silent)]);
        assert_eq!(silence.look(Nanos::from_secs(6), true, true, Rate::HZ_60), Some(Heard::Again));
        assert_eq!(silence.look(Nanos::from_secs(7), true, true, Rate::HZ_60), None);
    }

    #[test]
    fn a_frame_rate_of_1_hz_is_given_three_periods() {
        let mut silence = Silence::default();
        silence.look(Nanos::ZERO, true, true, Rate::hz(1).unwrap());
        assert_eq!(look_each_100_ms(&mut silence, 0, 40, Rate::hz(1).unwrap()), [(3_000, Heard::Silent)]);
    }

    #[test]
    fn a_program_that_was_stopped_for_a_minute_accuses_nobody() {
        let mut silence = Silence::default();
        silence.look(Nanos::ZERO, true, true, Rate::HZ_60);
        assert_eq!(silence.look(Nanos::from_secs(60), true, false, Rate::HZ_60), None);
        assert_eq!(silence.look(Nanos::from_millis(60_100), true, true, Rate::HZ_60), None);
    }

    #[test]
    fn a_run_that_stands_owes_nothing() {
        let mut silence = Silence::default();
        for second in 0..10 {
            assert_eq!(silence.look(Nanos::from_secs(second), false, false, Rate::HZ_60), None);
        }
    }
}
