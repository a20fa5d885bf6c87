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

/// How bodies move that physics moves, where its steps span several ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyPace {
    /// Ticks that a step spans.
    pub divisor: u32,
    /// Ticks since bodies were last given new poses; 0: in this one.
    pub since: u64,
}

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

    /// Where this tick stands; a window begins or ends with that.
    pub fn at(&mut self, tick: u64) -> Window {
        let first = self.under_way.is_none();
        let UnderWay { ticks, last } = *self.under_way.get_or_insert_with(|| {
            let divisor = u64::from(self.divisor);
            let ticks = divisor - tick % divisor;
            UnderWay { ticks: ticks as u32, last: tick + ticks - 1 }
        });
        let last = tick >= last;
        if last {
            self.under_way = None;
            self.pulled = tick;
        }
        Window { first, last, ticks }
    }

    /// None where a step spans one tick.
    pub fn of_bodies(&self, tick: u64) -> Option<BodyPace> {
        let since = tick.saturating_sub(self.pulled);
        (self.divisor > 1).then_some(BodyPace { divisor: self.divisor, since })
    }
}

impl BodyPace {
    /// How much of the way between its last two poses a body has gone, `ticks` ticks from this one.
    pub fn share(self, ticks: u64) -> f64 {
        ((self.since + ticks) as f64 / f64::from(self.divisor)).min(1.0)
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

    #[test]
    fn a_body_goes_the_divisors_share_of_its_way_in_each_tick() {
        let mut pace = PhysicsPace::default();
        assert_eq!(pace.of_bodies(5), None);
        pace.set_divisor(4);
        (1..=7).for_each(|tick| {
            pace.at(tick);
        });
        let shares = [7, 8, 9, 10, 11].map(|tick| pace.of_bodies(tick).map(|pace| pace.share(0)));
        assert_eq!(shares, [0.0, 0.25, 0.5, 0.75, 1.0].map(Some));
        assert_eq!(pace.of_bodies(10).map(|pace| pace.share(1)), Some(1.0));
    }
}
