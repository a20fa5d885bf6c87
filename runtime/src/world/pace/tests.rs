//! Windows of ticks, the time of their steps, and how far behind bodies are drawn.

use super::*;
use proptest::prelude::*;

fn hz(rate: u32) -> Rate {
    Rate::hz(rate).unwrap()
}

/// A pace, and what is known of its ticks.
#[derive(Default)]
struct Run {
    pace: PhysicsPace,
    tick: u64,
    begun: u64,
    /// First tick, last tick.
    windows: Vec<(u64, u64)>,
    /// Where bodies are drawn, in seconds since Play.
    shown: Vec<f64>,
    /// Of all steps.
    stepped: f64,
}

impl Run {
    fn with_divisor(divisor: u32) -> Self {
        let mut run = Self::default();
        run.pace.set_divisor(divisor);
        run
    }

    /// Ticks up to this one.
    fn to(&mut self, tick: u64, rate: Rate) -> &mut Self {
        while self.tick < tick {
            self.tick += 1;
            let Turn { ends_early, window } = self.pace.at(self.tick, rate);
            if ends_early {
                self.windows.push((self.begun, self.tick));
            }
            if let Some(Window { first, last, seconds, .. }) = window {
                if first {
                    self.begun = self.tick;
                    self.stepped += seconds;
                }
                if last {
                    self.windows.push((self.begun, self.tick));
                }
            }
            self.shown.push(self.pace.now.seconds_f64() - self.pace.behind);
        }
        self
    }

    fn divisor(&mut self, divisor: u32) -> &mut Self {
        self.pace.set_divisor(divisor);
        self
    }

    /// How far they were drawn to go in each tick but the first, in lengths of ticks at this rate.
    fn ways(&self, rate: u32) -> Vec<f64> {
        self.shown.windows(2).map(|pair| (pair[1] - pair[0]) * f64::from(rate)).collect()
    }
}

#[test]
fn a_step_is_pushed_where_nothing_is_left_of_the_tick_and_pulled_before_the_next() {
    for (divisor, expected) in [
        (1, [(1, 1), (2, 2), (3, 3)]),
        (2, [(1, 1), (2, 3), (4, 5)]),
        (3, [(1, 2), (3, 5), (6, 8)]),
        (8, [(1, 7), (8, 15), (16, 23)]),
    ] {
        for rate in [1, 7, 60, 512, 1000] {
            let mut run = Run::with_divisor(divisor);
            assert_eq!(run.to(24, hz(rate)).windows[..3], expected, "{divisor} at {rate} Hz");
        }
    }
}

#[test]
fn no_tick_is_left_out_when_the_divisor_changes() {
    let mut run = Run::with_divisor(8);
    run.to(10, hz(60)).divisor(3).to(21, hz(60)).divisor(1).to(25, hz(60));
    // The window under way ends as it was begun.
    assert_eq!(run.windows, [(1, 7), (8, 15), (16, 17), (18, 20), (21, 23), (24, 24), (25, 25)]);
}

#[test]
fn a_body_goes_one_tick_a_tick_and_is_behind_by_what_a_step_spans() {
    for divisor in [1, 2, 3, 8, 64] {
        let mut run = Run::with_divisor(divisor);
        let expected: Vec<f64> =
            (1..=200).map(|tick| (f64::from(tick) + 1.0 - f64::from(divisor)) / 512.0).collect();
        assert_eq!(run.to(200, hz(512)).shown, expected, "{divisor}");
    }
}

#[test]
fn after_shorter_steps_it_catches_up_by_a_hundredth() {
    // Steps end at 7, 15, 19, 23 …, and from 41 on with every tick.
    let mut run = Run::with_divisor(8);
    run.to(9, hz(64)).divisor(4).to(40, hz(64)).divisor(1).to(1000, hz(64));
    let ways = run.ways(64);
    assert!(ways.iter().all(|way| (1.0 - 1e-9..=1.01 + 1e-9).contains(way)), "{ways:?}");
    let shown: Vec<f64> = run.shown.iter().map(|seconds| seconds * 64.0).collect();
    // Nothing to catch up before tick 15; after it 7 ticks in hundredths.
    assert_eq!(shown[13], 7.0);
    assert!((shown[14] - 8.01).abs() < 1e-9, "{}", shown[14]);
    assert!((shown[712] - 712.99).abs() < 1e-6, "{}", shown[712]);
    assert_eq!((shown[713], shown[999]), (714.0, 1000.0));
}

#[test]
fn steps_become_longer_as_fast_as_bodies_come_to_be_drawn_a_hundredth_slower() {
    let mut run = Run::with_divisor(1);
    run.to(7, hz(64)).divisor(4).to(400, hz(64));
    let ways = run.ways(64);
    assert!(ways.iter().all(|way| (0.99 - 1e-9..=1.0 + 1e-9).contains(way)), "{ways:?}");
    assert_eq!(run.shown[399] * 64.0, 397.0);
    // One tick behind after a hundred, two after two hundred, three after three hundred.
    let windows = &run.windows;
    assert_eq!(windows[105..109], [(106, 106), (107, 107), (108, 109), (110, 111)]);
    assert_eq!(windows[155..159], [(204, 205), (206, 207), (208, 210), (211, 211)]);
    assert_eq!(windows[206..210], [(307, 307), (308, 311), (312, 315), (316, 319)]);
}

#[test]
fn a_step_that_ticks_of_another_length_meet_ends_with_the_first_of_them() {
    // Longer ones: the step under way spanned 15.6 ms, and what is left of the tenth of a second is stepped at once.
    let mut run = Run::with_divisor(8);
    run.to(18, hz(512)).to(20, hz(10));
    assert_eq!(run.windows[1..], [(8, 15), (16, 19), (19, 19), (20, 20)]);
    assert!((run.stepped - (18.0 / 512.0 + 0.2)).abs() < 1e-12, "{}", run.stepped);
    // Shorter ones: it spanned 0.8 s, up to 2.3 s, and the next begins with the tick that passes those.
    let mut run = Run::with_divisor(8);
    run.to(18, hz(10)).to(300, hz(512));
    let passes = 18 + 256 + 1;
    assert_eq!(run.windows[1..4], [(8, 15), (16, 19), (passes, 279)]);
    assert!((run.pace.pulled.seconds_f64() - (1.8 + 277.0 / 512.0)).abs() < 1e-12);
}

#[test]
fn what_leads_bodies_goes_as_fast_in_a_shorter_step_as_in_a_longer_one() {
    let mut pace = PhysicsPace::default();
    pace.set_divisor(8);
    let led = |pace: &mut PhysicsPace, tick, rate| pace.at(tick, hz(rate)).window.map(|window| window.led);
    for tick in 1..=23 {
        let expected = if [1, 8, 16].contains(&tick) { 1.0 } else { 0.0 };
        assert_eq!(led(&mut pace, tick, 64), Some(expected), "tick {tick}");
    }
    pace.set_divisor(1);
    // Eight ticks to go, in a step of one; then what is left of them and another.
    let first = led(&mut pace, 24, 64).unwrap();
    assert!((first - 1.01 / 8.0).abs() < 1e-9, "{first}");
    let second = led(&mut pace, 25, 64).unwrap();
    assert!((second - 1.01 / 7.99).abs() < 1e-9, "{second}");
    let ticks = (26..=2_000).find(|tick| led(&mut pace, *tick, 64) == Some(1.0));
    assert_eq!(ticks, Some(24 + 700));
}

#[derive(Clone, Debug)]
enum Change {
    Divisor(u32),
    Rate(Rate),
}

fn change() -> impl Strategy<Value = Change> {
    let rates = prop::sample::select(vec!["1", "7", "10", "59.94", "60", "144", "512", "997", "1000"]);
    prop_oneof![
        (1..=64_u32).prop_map(Change::Divisor),
        rates.prop_map(|rate| Change::Rate(rate.parse().unwrap())),
    ]
}

proptest! {
    #[test]
    fn whatever_changes_steps_are_as_long_as_their_ticks_and_bodies_go_on_over_what_is_known(
        divisor in 1..=64_u32,
        changes in prop::collection::vec((0..200_u64, change()), 0..40),
    ) {
        let mut pace = PhysicsPace::default();
        pace.set_divisor(divisor);
        let (mut tick, mut rate, mut stepped) = (0, Rate::HZ_60, 0.0_f64);
        let mut exact = SimulatedTime::ZERO;
        for (ticks, change) in changes {
            for _ in 0..ticks {
                tick += 1;
                exact.add_ticks(1, rate);
                let shown = pace.now.seconds_f64() - pace.behind;
                let Turn { window, .. } = pace.at(tick, rate);
                let length = rate.period_secs_f64();
                prop_assert_eq!(pace.now, exact);
                if let Some(window) = window {
                    if window.first {
                        prop_assert!(window.seconds >= SHORTEST_STEP, "{window:?}");
                        prop_assert!(window.led > 0.0 && window.led <= 1.0, "{window:?}");
                        stepped += window.seconds;
                    }
                    if window.last {
                        // Exactly, whatever was before; and so is the sum, but for the rounding of its parts.
                        prop_assert_eq!(pace.pulled, exact);
                        prop_assert!((stepped - exact.seconds_f64()).abs() < 1e-8);
                    }
                }
                let now_shown = pace.now.seconds_f64() - pace.behind;
                let way = (now_shown - shown) / length;
                let first = tick == 1;
                prop_assert!(first || (0.99 - 1e-6..=1.01 + 1e-6).contains(&way), "tick {tick}: {way}");
                let over = now_shown - pace.pulled.seconds_f64();
                prop_assert!(over <= length * 1e-5, "tick {tick}: {over} s beyond what is known");
            }
            match change {
                Change::Divisor(divisor) => pace.set_divisor(divisor),
                Change::Rate(to) => rate = to,
            }
        }
    }
}
