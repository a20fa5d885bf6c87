//! Which ticks a physics step spans, and how far bodies are drawn between two of them.

/// Windows of ticks, one after another: each ends where `tick % divisor == divisor − 1`.
#[derive(Clone, Copy, Debug)]
pub struct PhysicsPace {
    divisor: u32,
    /// What the window under way was begun with, and its last tick.
    under_way: Option<UnderWay>,
    /// The last tick of the last window that is over.
    pulled: u64,
}

#[derive(Clone, Copy, Debug)]
struct UnderWay {
    ticks: u32,
    last: u64,
}

/// A tick's place in its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub first: bool,
    pub last: bool,
    /// In the whole window.
    pub ticks: u32,
}

/// How bodies move that physics moves: known at the end of a step, and where they go until the next one not before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyPace {
    /// The last tick that was run.
    pub tick: u64,
    /// Ticks that a step spans, but for one that a change of this number makes shorter.
    pub ticks: u32,
    /// The tick that gave bodies new poses last, and the one that will.
    pub pulled: u64,
    pub next: u64,
}

/// The most of a body's way that one tick shows, in ticks.
const FASTEST: f64 = 1.01;

impl Default for PhysicsPace {
    fn default() -> Self {
        Self { divisor: 1, under_way: None, pulled: 0 }
    }
}

impl PhysicsPace {
    /// For the windows to come.
    pub fn set_divisor(&mut self, divisor: u32) {
        self.divisor = divisor.max(1);
    }

    pub const fn divisor(&self) -> u32 {
        self.divisor
    }

    /// Where this tick stands; a window begins or ends with that.
    pub fn at(&mut self, tick: u64) -> Window {
        let first = self.under_way.is_none();
        let UnderWay { ticks, last } = *self.under_way.get_or_insert_with(|| {
            let ticks = ticks_from(self.divisor, tick);
            UnderWay { ticks: ticks as u32, last: tick + ticks - 1 }
        });
        let last = tick >= last;
        if last {
            self.under_way = None;
            self.pulled = tick;
        }
        Window { first, last, ticks }
    }

    /// After this tick.
    pub fn of_bodies(&self, tick: u64) -> BodyPace {
        let next = match self.under_way {
            Some(window) => window.last,
            None => tick + ticks_from(self.divisor, tick + 1),
        };
        BodyPace { tick, ticks: self.divisor, pulled: self.pulled, next }
    }
}

/// Of the window that begins with this tick.
fn ticks_from(divisor: u32, tick: u64) -> u64 {
    u64::from(divisor) - tick % u64::from(divisor)
}

impl BodyPace {
    /// Up to where on its way a body is to be drawn, in ticks since Play, where steps have always been as long as now:
    /// at the tick before a step ends, where the step before it ended.
    pub fn due(self) -> f64 {
        self.tick as f64 + 1.0 - f64::from(self.ticks)
    }

    /// Up to where it is drawn after this tick, where it was drawn up to `shown` before it.
    ///
    /// One tick a tick. Where less of its way is known than that, as much as lasts until more is: so it is after steps
    /// have become longer. Where they have become shorter it is farther behind than it need be, and catches up by a
    /// hundredth of a tick in each.
    pub fn shown_after(self, shown: f64) -> f64 {
        let lasts = (self.pulled as f64 - shown) / (self.next - self.tick) as f64;
        let way = lasts.min((self.due() - shown).clamp(1.0, FASTEST));
        let after = shown + way;
        // Hundredths add up to whole ticks but for their rounding.
        if (after - self.due()).abs() < 1e-6 { self.due() } else { after }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The windows that ticks 1 to `until` make: first tick, last tick.
    fn windows(pace: &mut PhysicsPace, ticks: std::ops::RangeInclusive<u64>) -> Vec<(u64, u64, u32)> {
        let (mut windows, mut begun) = (Vec::new(), 0);
        for tick in ticks {
            let window = pace.at(tick);
            if window.first {
                begun = tick;
            }
            if window.last {
                windows.push((begun, tick, window.ticks));
            }
        }
        windows
    }

    #[test]
    fn a_step_is_pushed_where_nothing_is_left_of_the_tick_and_pulled_before_the_next() {
        for (divisor, expected) in [
            (1, vec![(1, 1, 1), (2, 2, 1), (3, 3, 1)]),
            (2, vec![(1, 1, 1), (2, 3, 2), (4, 5, 2)]),
            (3, vec![(1, 2, 2), (3, 5, 3), (6, 8, 3)]),
            (8, vec![(1, 7, 7), (8, 15, 8), (16, 23, 8)]),
        ] {
            let mut pace = PhysicsPace::default();
            pace.set_divisor(divisor);
            let found = windows(&mut pace, 1..=24);
            assert_eq!(found[..3], expected[..], "{divisor}");
        }
    }

    #[test]
    fn no_tick_is_left_out_when_the_divisor_changes() {
        let mut pace = PhysicsPace::default();
        pace.set_divisor(8);
        assert_eq!(windows(&mut pace, 1..=10), [(1, 7, 7)]);
        pace.set_divisor(3);
        // The window under way ends as it was begun.
        assert_eq!(windows(&mut pace, 11..=21), [(0, 15, 8), (16, 17, 2), (18, 20, 3)]);
        pace.set_divisor(1);
        assert_eq!(windows(&mut pace, 22..=25), [(0, 23, 3), (24, 24, 1), (25, 25, 1)]);
    }

    /// Up to where bodies are drawn after each tick, where `divisor` says from which tick on how many ticks a step spans.
    fn shown(divisors: &[(u64, u32)], until: u64) -> Vec<f64> {
        let mut pace = PhysicsPace::default();
        pace.set_divisor(divisors[0].1);
        let mut shown = pace.of_bodies(0).due();
        let tick = |tick| {
            if let Some((_, divisor)) = divisors.iter().find(|(from, _)| *from == tick) {
                pace.set_divisor(*divisor);
            }
            pace.at(tick);
            shown = pace.of_bodies(tick).shown_after(shown);
            shown
        };
        (1..=until).map(tick).collect()
    }

    #[test]
    fn a_body_goes_one_tick_a_tick_and_is_behind_by_what_a_step_spans() {
        for divisor in [1, 2, 3, 8, 64] {
            let expected: Vec<f64> =
                (1..=200).map(|tick| f64::from(tick) + 1.0 - f64::from(divisor)).collect();
            assert_eq!(shown(&[(1, divisor)], 200), expected, "{divisor}");
        }
    }

    #[test]
    fn whatever_the_change_a_body_goes_on_over_what_is_known_and_ends_as_far_behind_as_a_step_spans() {
        for (before, after) in (1..=12).flat_map(|before| (1..=12).map(move |after| (before, after))) {
            for changed_at in [40, 43, 46, 49, 50, 51] {
                let mut pace = PhysicsPace::default();
                pace.set_divisor(before);
                let mut shown = pace.of_bodies(0).due();
                for tick in 1..1_300 {
                    if tick == changed_at {
                        pace.set_divisor(after);
                    }
                    pace.at(tick);
                    let now = pace.of_bodies(tick);
                    let next = now.shown_after(shown);
                    let goes_on =
                        next <= now.pulled as f64 && (-1e-9..=FASTEST + 1e-9).contains(&(next - shown));
                    assert!(goes_on, "{before} to {after} at {changed_at}, tick {tick}: {shown} to {next}");
                    shown = next;
                }
                assert_eq!(shown, 1_300.0 - f64::from(after), "{before} to {after} at {changed_at}");
            }
        }
    }

    #[test]
    fn after_shorter_steps_it_catches_up_by_a_hundredth_and_after_longer_ones_waits_for_what_is_not_known_yet()
     {
        // Steps end at 7, 15, 19, 23 …, and from 41 on with every tick.
        let shorter = shown(&[(1, 8), (10, 4), (41, 1)], 1000);
        let ways: Vec<f64> = shorter.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(ways.iter().all(|way| (1.0..=1.01 + 1e-9).contains(way)), "{ways:?}");
        // Nothing to catch up before tick 15; after it 7 ticks in hundredths.
        assert_eq!(shorter[13], 7.0);
        assert!((shorter[14] - 8.01).abs() < 1e-9);
        assert!((shorter[712] - 712.99).abs() < 1e-6);
        assert_eq!((shorter[713], shorter[999]), (714.0, 1000.0));
        // Steps end at 3, 7, 11, 15, then at 23: the four ticks known last for eight, and then all is as always.
        let longer = shown(&[(1, 4), (13, 8)], 40);
        assert_eq!(longer[9..14], [7.0, 8.0, 9.0, 10.0, 11.0]);
        assert_eq!(longer[14..23], [11.5, 12.0, 12.5, 13.0, 13.5, 14.0, 14.5, 15.0, 16.0]);
        assert_eq!(longer[39], 33.0);
    }
}
