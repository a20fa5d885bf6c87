//! What exact time costs: one `advance` against the accumulator in `f64` seconds that it replaces.
//!
//! `cargo bench -p framewalk-runtime --no-default-features --bench fixed_step`. Under `cargo test` it only runs once.

#[path = "shared/row.rs"]
mod row;

use std::hint::black_box;

use framewalk_runtime::time::fixed_step::FixedStep;
use framewalk_runtime::time::simulated::SimulatedTime;
use framewalk_runtime::time::{Nanos, Rate};
use row::Row;

/// What most loops do: seconds summed as floats, no books. It drifts, and its alpha reaches 1.0.
struct NaiveStep {
    accumulator_secs: f64,
    tick_secs: f64,
    max_ticks: u32,
}

impl NaiveStep {
    fn advance(&mut self, delta_secs: f64) -> (u32, f64) {
        self.accumulator_secs += delta_secs.min(0.25);
        let mut ticks = 0;
        while self.accumulator_secs >= self.tick_secs && ticks < self.max_ticks {
            self.accumulator_secs -= self.tick_secs;
            ticks += 1;
        }
        (ticks, self.accumulator_secs / self.tick_secs)
    }
}

/// Deltas as a real run at 144 Hz has them: uneven, now and then several ticks long.
fn deltas() -> Vec<Nanos> {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let next = |_| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let stall = if seed.is_multiple_of(97) { 40_000_000 } else { 0 };
        Nanos(6_444_445 + (seed >> 32) as i64 % 1_000_000 + stall)
    };
    (0..4096).map(next).collect()
}

fn main() {
    let rounds = if row::is_measured() { 301 } else { 1 };
    let deltas = deltas();
    row::header();
    for text in ["60", "59.94", "60000/1001", "1000"] {
        let rate: Rate = text.parse().expect("a rate written here");
        let (mut exact, mut told) = (FixedStep::new(rate), FixedStep::new(rate));
        let mut naive = NaiveStep {
            accumulator_secs: 0.0,
            tick_secs: rate.period_secs_f64(),
            max_ticks: exact.max_ticks(),
        };
        let (mut simulated, mut seconds) = (SimulatedTime::ZERO, 0.0);
        let each = |call: &mut dyn FnMut(Nanos)| deltas.iter().for_each(|delta| call(black_box(*delta)));
        let nanos = row::taking_turns(
            rounds,
            [
                &mut |_| each(&mut |delta| _ = black_box(exact.advance(delta))),
                &mut |_| {
                    each(&mut |delta| {
                        black_box(told.advance(delta));
                        black_box(told.totals());
                    });
                },
                &mut |_| each(&mut |delta| _ = black_box(naive.advance(delta.as_secs_f64()))),
                &mut |_| {
                    each(&mut |_| {
                        simulated.add_ticks(1, rate);
                        black_box(simulated.seconds_f64());
                    });
                },
                &mut |_| {
                    each(&mut |_| {
                        seconds += black_box(rate.period_secs_f64());
                        black_box(seconds);
                    });
                },
            ],
        );
        let [advance, totals, floats, sum, float_sum] = nanos.map(|nanos| nanos / deltas.len() as f64);
        let row = |what: &str, ours, peer| {
            Row { what: &format!("{what}, {text} Hz"), unit: "ns", ours, peer: Some(peer), aim: None }
                .print();
        };
        row("advance", advance, ("naive f64 accumulator", floats));
        row("advance and its totals", totals, ("naive f64 accumulator", floats));
        row("simulated time of a tick", sum, ("f64 seconds summed", float_sum));
    }
}
