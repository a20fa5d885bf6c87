//! What exact time costs: one `advance` against the accumulator in `f64` seconds that it replaces.
//!
//! `cargo bench -p framewalk-runtime --no-default-features --bench fixed_step`. Under `cargo test` it only runs once.

use std::hint::black_box;

use framewalk_runtime::time::fixed_step::FixedStep;
use framewalk_runtime::time::simulated::SimulatedTime;
use framewalk_runtime::time::source::RealClock;
use framewalk_runtime::time::{Nanos, Rate};

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

/// ns a call: the median of `rounds` passes over the deltas.
fn measure(clock: &RealClock, rounds: usize, deltas: &[Nanos], mut call: impl FnMut(Nanos)) -> f64 {
    let pass = |_| {
        let start = clock.now();
        deltas.iter().for_each(|delta| call(black_box(*delta)));
        (clock.now() - start).0 as f64 / deltas.len() as f64
    };
    let mut passes: Vec<f64> = (0..rounds).map(pass).collect();
    passes.sort_by(f64::total_cmp);
    passes[rounds / 2]
}

fn main() {
    let rounds = if std::env::args().any(|argument| argument == "--bench") { 301 } else { 1 };
    let clock = RealClock::new();
    let deltas = deltas();
    println!("ns a call, median of {rounds} passes over {} deltas", deltas.len());
    for text in ["60", "59.94", "60000/1001", "1000"] {
        let rate: Rate = text.parse().expect("a rate written here");
        let mut exact = FixedStep::new(rate);
        let mut naive = NaiveStep {
            accumulator_secs: 0.0,
            tick_secs: rate.period_secs_f64(),
            max_ticks: exact.max_ticks(),
        };
        let advance = measure(&clock, rounds, &deltas, |delta| {
            black_box(exact.advance(delta));
        });
        let totals = measure(&clock, rounds, &deltas, |delta| {
            black_box(exact.advance(delta));
            black_box(exact.totals());
        });
        let floats = measure(&clock, rounds, &deltas, |delta| {
            black_box(naive.advance(delta.as_secs_f64()));
        });
        let mut simulated = SimulatedTime::ZERO;
        let sum = measure(&clock, rounds, &deltas, |_| {
            simulated.add_ticks(1, rate);
            black_box(simulated.seconds_f64());
        });
        println!(
            "{text:>10} Hz: advance {advance:6.1}, naive f64 {floats:5.1}, ratio {:4.1}; with totals {totals:6.1}; \
             simulated time a tick {sum:5.1}",
            advance / floats
        );
    }
}
