use proptest::prelude::*;

use super::*;
use crate::time::simulated::SimulatedTime;

/// Every tick rate below has a denominator that divides this, so that whole numbers of a `COMMON × 10¹²`th of a tick
/// hold every term of the tick equation, whatever rates follow one another.
const COMMON: u128 = 750_750;
const ONE_TICK: u128 = COMMON * 1_000_000_000_000;

#[derive(Clone, Debug)]
enum Act {
    Advance { delta: i64, allowed: u64 },
    StepTick,
    Rate(u64, u64),
    Speed(u32),
    MaxTicks(MaxTicks),
    MaxDelta(i64),
}

fn delta() -> impl Strategy<Value = i64> {
    prop_oneof![
        6 => 0..60_000_000_i64,
        2 => prop::sample::select(vec![16_666_666, 16_666_667, 16_683_350, 6_944_444, 4_166_667, 1_000_000, 0, 1]),
        1 => 0..2_000_000_000_i64,
        1 => any::<i64>(),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    let allowed = prop_oneof![9 => Just(u64::MAX), 1 => 0..8_u64];
    let rate = (1_u64..=1000, prop::sample::select(vec![1_u64, 2, 3, 7, 50, 125, 1001]));
    let max_ticks = prop_oneof![Just(MaxTicks::Auto), (0..40_u32).prop_map(MaxTicks::Fixed)];
    prop_oneof![
        12 => (delta(), allowed).prop_map(|(delta, allowed)| Act::Advance { delta, allowed }),
        2 => Just(Act::StepTick),
        2 => (rate, 0..1000_u64).prop_map(|((hz, den), part)| Act::Rate((hz * den + part % den).min(1000 * den), den)),
        1 => (0..=8000_u32).prop_map(Act::Speed),
        1 => max_ticks.prop_map(Act::MaxTicks),
        1 => (0..2_000_000_000_i64).prop_map(Act::MaxDelta),
    ]
}

/// The equation, kept apart from the code under test and in other units.
#[derive(Debug)]
struct Model {
    num: u128,
    den: u128,
    speed: u128,
    max_delta: i64,
    max_ticks: MaxTicks,
    scaled: u128,
    rounded: u128,
    ticks: u128,
    stepped: u128,
    capped: u128,
    cut: u128,
    clamped: i128,
    reversals: u64,
    /// Ticks run, and at which rate.
    lengths: Vec<(u64, Rate)>,
}

impl Model {
    fn overstep(&self) -> u128 {
        self.scaled + self.stepped * ONE_TICK
            - (self.ticks + self.capped + self.cut) * ONE_TICK
            - self.rounded
    }

    fn cap(&self) -> u128 {
        match self.max_ticks {
            MaxTicks::Fixed(ticks) => u128::from(ticks).max(1),
            MaxTicks::Auto => (self.num * 5).div_ceil(self.den * 60),
        }
    }

    fn advance(&mut self, delta: i64, allowed: u64) -> (u128, u128, u128, i64) {
        let accepted = delta.clamp(0, self.max_delta);
        let clamped = delta.max(0) - accepted;
        let before = self.overstep();
        // ns × thousandths × num/den Hz, in COMMON × 10¹²ths of a tick.
        let granted = accepted as u128 * self.speed * self.num * (COMMON / self.den);
        let due = (before + granted) / ONE_TICK;
        let run = due.min(self.cap()).min(u128::from(allowed));
        let cut = due.min(self.cap()) - run;
        let capped = due - run - cut;
        self.scaled += granted;
        self.ticks += run;
        self.cut += cut;
        self.capped += capped;
        self.clamped += i128::from(clamped);
        self.reversals += u64::from(delta < 0);
        (run, capped, cut, clamped)
    }

    fn set_rate(&mut self, num: u128, den: u128) {
        let unit = COMMON / den;
        self.rounded += self.overstep() % unit;
        (self.num, self.den) = (num, den);
    }
}

fn check(step: &FixedStep, model: &Model) -> Result<(), TestCaseError> {
    let overstep = step.overstep * (COMMON / u128::from(step.rate.den()));
    prop_assert_eq!(overstep, model.overstep());
    prop_assert!(overstep < ONE_TICK);
    let alpha = step.alpha();
    prop_assert!((0.0..1.0).contains(&alpha) && (alpha as f32) < 1.0);
    prop_assert!((alpha - overstep as f64 / ONE_TICK as f64).abs() < 6e-8);
    let totals = step.totals();
    prop_assert!(totals.balanced);
    prop_assert_eq!(u128::from(totals.ticks), model.ticks);
    prop_assert_eq!(u128::from(totals.stepped), model.stepped);
    prop_assert_eq!(u128::from(totals.capped), model.capped);
    prop_assert_eq!(u128::from(totals.cut), model.cut);
    prop_assert_eq!(totals.time_reversals, model.reversals);
    prop_assert_eq!(i128::from(totals.clamped.0), model.clamped.min(i128::from(i64::MAX)));
    let scaled = model.scaled as f64 / ONE_TICK as f64;
    prop_assert!((totals.scaled_ticks - scaled).abs() <= scaled * 1e-12);
    prop_assert!((totals.rounded_ticks - model.rounded as f64 / ONE_TICK as f64).abs() < 1e-18);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_tick_equation_holds_exactly_over_deltas_speeds_rates_caps_and_their_changes(
        acts in prop::collection::vec(act(), 1..120),
    ) {
        let mut step = FixedStep::new(Rate::HZ_60);
        let mut simulated = SimulatedTime::ZERO;
        let mut model = Model {
            num: 60, den: 1, speed: 1000, max_delta: 250_000_000, max_ticks: MaxTicks::Auto,
            scaled: 0, rounded: 0, ticks: 0, stepped: 0, capped: 0, cut: 0, clamped: 0, reversals: 0,
            lengths: Vec::new(),
        };
        for act in acts {
            match act {
                Act::Advance { delta, allowed } => {
                    let advance = step.advance_up_to(Nanos(delta), allowed);
                    let (run, capped, cut, clamped) = model.advance(delta, allowed);
                    prop_assert_eq!(u128::from(advance.ticks), run);
                    prop_assert_eq!(u128::from(advance.capped_ticks), capped);
                    prop_assert_eq!(u128::from(advance.cut_ticks), cut);
                    prop_assert_eq!(advance.clamped, Nanos(clamped));
                    prop_assert_eq!(advance.time_reversal, delta < 0);
                    prop_assert_eq!(advance.overstep, step.overstep());
                    simulated.add_ticks(u64::from(advance.ticks), step.rate());
                    model.lengths.push((u64::from(advance.ticks), step.rate()));
                }
                Act::StepTick => {
                    let before = (step.overstep, step.alpha());
                    prop_assert_eq!(step.step_tick().ticks, 1);
                    prop_assert_eq!((step.overstep, step.alpha()), before);
                    model.stepped += 1;
                    model.ticks += 1;
                    simulated.add_ticks(1, step.rate());
                    model.lengths.push((1, step.rate()));
                }
                Act::Rate(num, den) => {
                    let rate = Rate::new(num, den).unwrap();
                    step.set_rate(rate);
                    model.set_rate(u128::from(rate.num()), u128::from(rate.den()));
                }
                Act::Speed(thousandths) => {
                    step.set_speed(Speed::from_thousandths(thousandths).unwrap());
                    model.speed = u128::from(thousandths);
                }
                Act::MaxTicks(max_ticks) => {
                    step.set_max_ticks(max_ticks);
                    model.max_ticks = max_ticks;
                }
                Act::MaxDelta(max_delta) => {
                    step.set_max_delta(Nanos(max_delta));
                    model.max_delta = max_delta;
                }
            }
            check(&step, &model)?;
        }
        // Whatever the rates, the sum of the tick lengths as seconds is that of the parts, and within the last bits.
        let parts: f64 = model.lengths.iter().map(|(n, rate)| *n as f64 * rate.period_secs_f64()).sum();
        prop_assert!((simulated.seconds_f64() - parts).abs() <= parts * 1e-12);
    }

    #[test]
    fn it_holds_for_every_rate_that_can_be_written(
        num in 1_u64..=1_000_000_000,
        den in 1_u64..=1_000_000_000,
        thousandths in 0..=8000_u32,
        deltas in prop::collection::vec(delta(), 1..60),
    ) {
        let Ok(rate) = Rate::new(num.max(den), num.min(den)) else { return Ok(()) };
        let mut step = FixedStep::new(rate);
        step.set_speed(Speed::from_thousandths(thousandths).unwrap());
        let (mut granted, mut whole) = (0_u128, 0_u128);
        for delta in deltas {
            let advance = step.advance(Nanos(delta));
            granted += delta.clamp(0, 250_000_000) as u128;
            whole += u128::from(advance.ticks) + u128::from(advance.capped_ticks);
            // granted × thousandths × num ÷ (10¹² × den) = whole + a fraction below 1, which is alpha.
            let product = granted * u128::from(thousandths) * u128::from(rate.num());
            let per_tick = 1_000_000_000_000 * u128::from(rate.den());
            prop_assert_eq!(product / per_tick, whole);
            prop_assert_eq!(product % per_tick, step.overstep);
            prop_assert!(advance.capped_ticks == 0 || advance.ticks == step.max_ticks());
            prop_assert!(advance.alpha < 1.0 && (advance.alpha as f32) < 1.0 && step.totals().balanced);
        }
    }

    #[test]
    fn a_delta_given_in_parts_runs_as_many_ticks_as_given_whole(
        hz in 1_u32..=1000,
        parts in prop::collection::vec(0..4_000_000_i64, 1..20),
    ) {
        let mut in_parts = FixedStep::new(Rate::hz(hz).unwrap());
        in_parts.set_max_ticks(MaxTicks::Fixed(u32::MAX));
        let mut whole = in_parts.clone();
        let ticks: u32 = parts.iter().map(|part| in_parts.advance(Nanos(*part)).ticks).sum();
        prop_assert_eq!(ticks, whole.advance(Nanos(parts.iter().sum())).ticks);
        prop_assert_eq!(in_parts.overstep, whole.overstep);
    }
}
