//! Whether a device takes samples as time passes, and when another one is tried. Pure.

use std::time::Duration;

/// Without a sample taken for this long, a device stands: its server is stopped, or its sink suspended.
const STANDS_AFTER: Duration = Duration::from_millis(500);
/// One that takes this many times as much as time passes, for this long, plays nothing.
const RUSH: u64 = 4;
const RUSHES_AFTER: Duration = Duration::from_secs(1);

/// What a look at a device found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pacing {
    /// It takes samples.
    Taken,
    /// It took none since the last look, which may be chance.
    Waiting,
    /// Nobody takes any: time has to pass without.
    Unheard,
    /// It takes them faster than anybody could hear.
    Rushing,
}

/// How a device has taken samples lately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    taken: u64,
    stood: Duration,
    rushed: Duration,
}

impl Pace {
    /// One that was opened when so many frames had been taken by those before it.
    #[must_use]
    pub fn beginning_at(taken: u64) -> Self {
        Self { taken, ..Self::default() }
    }

    /// A look, so long after the last one: frames taken until now, and how many a second are to be.
    pub fn look(&mut self, passed: Duration, taken: u64, sample_rate: u32, is_open: bool) -> Pacing {
        let took = taken.saturating_sub(std::mem::replace(&mut self.taken, taken));
        if !is_open {
            (self.stood, self.rushed) = (Duration::ZERO, Duration::ZERO);
            return Pacing::Unheard;
        }
        let expected = (passed.as_secs_f64() * f64::from(sample_rate)) as u64;
        let rushes = took > expected.saturating_mul(RUSH) && !passed.is_zero();
        self.rushed = if rushes { self.rushed + passed } else { Duration::ZERO };
        if self.rushed >= RUSHES_AFTER {
            return Pacing::Rushing;
        }
        if took > 0 {
            self.stood = Duration::ZERO;
            return Pacing::Taken;
        }
        self.stood += passed;
        if self.stood >= STANDS_AFTER { Pacing::Unheard } else { Pacing::Waiting }
    }
}

/// When a device is tried: at once, then after longer and longer, so that one that cannot be had costs next to nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tries {
    // Between the last try and the next; none before the first failed.
    pause: Duration,
    left: Duration,
    well: Duration,
    given_up: bool,
}

impl Tries {
    const FIRST_PAUSE: Duration = Duration::from_secs(1);
    const LONGEST_PAUSE: Duration = Duration::from_secs(8);
    /// A device that was heard for so long was a good one.
    const WELL_AFTER: Duration = Duration::from_secs(2);

    /// So much time has passed without a device: is one to be tried?
    pub fn is_due(&mut self, passed: Duration) -> bool {
        self.left = self.left.saturating_sub(passed);
        self.left.is_zero() && !self.given_up
    }

    pub fn failed(&mut self) {
        self.pause = (self.pause * 2).clamp(Self::FIRST_PAUSE, Self::LONGEST_PAUSE);
        self.left = self.pause;
        self.well = Duration::ZERO;
    }

    /// So much longer it was heard.
    pub fn went_well(&mut self, passed: Duration) {
        self.well += passed;
        if self.well >= Self::WELL_AFTER {
            self.pause = Duration::ZERO;
        }
    }

    /// The one that was there is gone. After a good one the next is tried at once; one that goes as soon as it was opened
    /// counts as a try that failed.
    pub fn lost(&mut self) {
        if self.well >= Self::WELL_AFTER {
            (self.left, self.well) = (Duration::ZERO, Duration::ZERO);
        } else {
            self.failed();
        }
    }

    /// None is tried any more.
    pub fn give_up(&mut self) {
        self.given_up = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: Duration = Duration::from_millis(50);

    fn look_at(taken_each: impl Fn(u64) -> u64, looks: u64) -> Vec<Pacing> {
        let (mut pace, mut taken) = (Pace::beginning_at(7), 7);
        let mut found = Vec::new();
        for look in 0..looks {
            taken += taken_each(look);
            found.push(pace.look(LOOK, taken, 48_000, true));
        }
        found
    }

    #[test]
    fn a_device_that_takes_2400_frames_each_50_ms_keeps_time_and_its_clock_may_be_off() {
        for each in [2_400, 2_395, 2_405, 4_800, 1_000] {
            assert_eq!(look_at(|_| each, 1_000), vec![Pacing::Taken; 1_000]);
        }
        // One with large buffers fills them first, and takes the next part a third of a second later.
        let found = look_at(|look| if look % 8 == 0 { 19_200 } else { 0 }, 80);
        assert_eq!(found.iter().filter(|pacing| **pacing == Pacing::Taken).count(), 10);
        assert_eq!(found.iter().filter(|pacing| **pacing == Pacing::Waiting).count(), 70);
    }

    #[test]
    fn one_that_stands_for_half_a_second_is_not_waited_for_and_may_go_on() {
        let found = look_at(|look| if (10..30).contains(&look) { 0 } else { 2_400 }, 40);
        assert_eq!(found[..10], [Pacing::Taken; 10]);
        assert_eq!(found[10..19], [Pacing::Waiting; 9]);
        assert_eq!(found[19..30], [Pacing::Unheard; 11]);
        assert_eq!(found[30..], [Pacing::Taken; 10]);
    }

    #[test]
    fn one_that_takes_all_it_is_given_for_a_second_plays_nothing() {
        let found = look_at(|_| 500_000, 20);
        assert_eq!(found[..19], [Pacing::Taken; 19]);
        assert_eq!(found[19], Pacing::Rushing);
    }

    #[test]
    fn without_a_device_time_passes_unheard() {
        let mut pace = Pace::default();
        assert_eq!(pace.look(LOOK, 0, 48_000, false), Pacing::Unheard);
    }

    /// After how many looks of 50 ms each of the next tries is made, all of which fail.
    fn failing(tries: &mut Tries, count: usize) -> Vec<u32> {
        (0..count)
            .map(|_| {
                let mut looks = 0;
                while !tries.is_due(LOOK) {
                    looks += 1;
                }
                tries.failed();
                looks
            })
            .collect()
    }

    #[test]
    fn what_cannot_be_opened_is_tried_after_1_2_4_and_then_each_8_seconds() {
        assert_eq!(failing(&mut Tries::default(), 6), [0, 19, 39, 79, 159, 159]);
    }

    #[test]
    fn after_a_good_one_the_next_is_tried_at_once_and_after_one_that_went_at_once_it_is_not() {
        let mut tries = Tries::default();
        failing(&mut tries, 3);
        tries.went_well(Duration::from_secs(2));
        tries.lost();
        assert!(tries.is_due(Duration::ZERO));
        tries.went_well(Duration::from_millis(100));
        tries.lost();
        assert_eq!(failing(&mut tries, 2), [19, 39]);
        tries.give_up();
        assert!(!tries.is_due(Duration::from_secs(3_600)));
    }
}
