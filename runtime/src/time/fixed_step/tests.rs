use super::*;
use crate::time::frame_clock::FrameClock;

fn rate(text: &str) -> Rate {
    text.parse().unwrap()
}

fn speed(text: &str) -> Speed {
    text.parse().unwrap()
}

const HOUR: i64 = 3_600_000_000_000;
const MS: i64 = 1_000_000;

/// Ticks of each frame on a grid of `frames` frames after frame 1, every frame on time.
fn ticks_on_grid(frame_rate: &str, tick_rate: &str, start: Nanos, frames: u64) -> Vec<u32> {
    let mut clock = FrameClock::started(start, rate(frame_rate));
    let mut step = FixedStep::new(rate(tick_rate));
    let mut last = clock.next(start).render_time;
    assert_eq!(step.advance(Nanos::ZERO).ticks, 0, "frame 1 has a delta of 0");
    let ticks = (0..frames).map(|_| {
        let planned = clock.next(last);
        let advance = step.advance(planned.render_time - last);
        last = planned.render_time;
        assert_eq!((advance.capped_ticks, advance.clamped, planned.late), (0, Nanos::ZERO, false));
        advance.ticks
    });
    let ticks = ticks.collect();
    assert!(step.totals().balanced);
    ticks
}

#[test]
fn the_table_at_50_hz_holds() {
    // Overstep before in ns, delta in ns, ticks, capped, overstep after in ns, alpha, clamped in ns.
    let table = [
        (0, 40 * MS, 2, 0, 0, 0.0, 0),
        (0, 50 * MS, 2, 0, 10 * MS, 0.5, 0),
        (0, 10 * MS, 0, 0, 10 * MS, 0.5, 0),
        (14 * MS, 12 * MS, 1, 0, 6 * MS, 0.3, 0),
        (0, 110 * MS, 5, 0, 10 * MS, 0.5, 0),
        (0, 145 * MS, 5, 2, 5 * MS, 0.25, 0),
        (0, 250 * MS, 5, 7, 10 * MS, 0.5, 0),
        (0, 1000 * MS, 5, 7, 10 * MS, 0.5, 750 * MS),
        (0, 8 * HOUR, 5, 7, 10 * MS, 0.5, 8 * HOUR - 250 * MS),
        (0, i64::MAX, 5, 7, 10 * MS, 0.5, i64::MAX - 250 * MS),
    ];
    for (before, delta, ticks, capped_ticks, after, alpha, clamped) in table {
        let mut step = FixedStep::new(rate("50"));
        step.set_max_ticks(MaxTicks::Fixed(5));
        assert_eq!(step.advance(Nanos(before)).ticks, 0);
        let expected = Advance {
            ticks,
            capped_ticks,
            cut_ticks: 0,
            clamped: Nanos(clamped),
            overstep: Nanos(after),
            alpha,
            time_reversal: false,
        };
        assert_eq!(step.advance(Nanos(delta)), expected, "{before} then {delta}");
        assert!(step.totals().balanced);
    }
}

#[test]
fn speed_multiplies_what_is_left_after_clamping() {
    for (factor, ticks, capped) in [("0", 0, 0), ("0.5", 2, 0), ("1", 4, 0), ("8", 5, 27)] {
        let mut step = FixedStep::new(rate("50"));
        step.set_speed(speed(factor));
        let advance = step.advance(Nanos(80 * MS));
        assert_eq!(
            (advance.ticks, advance.capped_ticks, advance.alpha),
            (ticks, capped, 0.0),
            "speed {factor}"
        );
    }
    // The 250 ms are real time: at half speed they are 125 ms of simulated time, 6.25 ticks.
    let mut step = FixedStep::new(rate("50"));
    step.set_speed(speed("0.5"));
    let advance = step.advance(Nanos(1000 * MS));
    assert_eq!((advance.ticks, advance.capped_ticks, advance.alpha), (5, 1, 0.25));
    assert_eq!(advance.clamped, Nanos(750 * MS));
}

#[test]
fn a_quarter_second_at_60_hz_is_5_ticks_and_10_capped_with_nothing_over() {
    let mut step = FixedStep::new(Rate::HZ_60);
    let advance = step.advance(Nanos(250 * MS));
    assert_eq!(
        (advance.ticks, advance.capped_ticks, advance.overstep, advance.alpha),
        (5, 10, Nanos(0), 0.0)
    );
}

#[test]
fn the_default_cap_is_the_ticks_in_5_60_s_rounded_up_and_follows_the_rate() {
    let table = [
        ("1", 1),
        ("10", 1),
        ("25", 3),
        ("50", 5),
        ("59.94", 5),
        ("60", 5),
        ("64", 6),
        ("144", 12),
        ("512", 43),
    ];
    let mut step = FixedStep::new(rate("1000"));
    assert_eq!(step.max_ticks(), 84);
    for (text, ticks) in table {
        step.set_rate(rate(text));
        assert_eq!(step.max_ticks(), ticks, "{text} Hz");
    }
    step.set_max_ticks(MaxTicks::Fixed(7));
    step.set_rate(rate("1000"));
    assert_eq!(step.max_ticks(), 7);
    step.set_max_ticks(MaxTicks::Fixed(0));
    assert_eq!(step.max_ticks(), 1, "a cap of 0 would run nothing for ever");
}

#[test]
fn rounded_deltas_lose_no_tick() {
    let mut step = FixedStep::new(Rate::HZ_60);
    let mut ticks = 0;
    for _ in 0..400 {
        ticks += step.advance(Nanos(16_666_667)).ticks;
    }
    assert_eq!(ticks, 400);
    for _ in 0..200 {
        ticks += step.advance(Nanos(16_666_666)).ticks;
    }
    assert_eq!((ticks, step.overstep(), step.alpha()), (600, Nanos::ZERO, 0.0));
}

#[test]
fn ten_seconds_on_any_grid_are_600_ticks_at_60_hz_wherever_the_clock_starts() {
    for frames_per_second in [30, 60, 75, 90, 144, 165, 240, 500] {
        let text = frames_per_second.to_string();
        let at_zero = ticks_on_grid(&text, "60", Nanos::ZERO, 10 * frames_per_second);
        assert_eq!(at_zero.iter().sum::<u32>(), 600, "{text} Hz");
        for start in [Nanos(30 * HOUR), Nanos(1_234_567_891)] {
            assert_eq!(ticks_on_grid(&text, "60", start, 10 * frames_per_second), at_zero, "{text} Hz");
        }
    }
}

#[test]
fn sixty_ticks_on_a_60_hz_grid_are_one_a_frame_always() {
    assert!(ticks_on_grid("60", "60", Nanos(30 * HOUR), 36_000).iter().all(|ticks| *ticks == 1));
}

#[test]
fn ticks_a_little_faster_than_frames_make_a_two_tick_frame_at_even_distances() {
    // 999 frames at 59.94 Hz are 16.667 s; 1000 at 60000/1001 Hz are 16.683 s.
    for (text, frames_between) in [("59.94", 999), ("60000/1001", 1000)] {
        let ticks = ticks_on_grid(text, "60", Nanos::ZERO, 20 * frames_between);
        let double: Vec<u64> = (1..).zip(&ticks).filter(|(_, ticks)| **ticks == 2).map(|(n, _)| n).collect();
        let expected: Vec<u64> = (1..=20).map(|n| n * frames_between).collect();
        assert_eq!(double, expected, "{text} Hz");
        assert!(ticks.iter().all(|ticks| (1..=2).contains(ticks)));
    }
}

#[test]
fn frames_faster_than_ticks_go_without_one_as_often_as_they_must() {
    for (text, frames, without) in [("75", 75, 15), ("144", 144, 84)] {
        let ticks = ticks_on_grid(text, "60", Nanos::ZERO, 10 * frames);
        for second in ticks.chunks(frames as usize) {
            let empty = second.iter().filter(|ticks| **ticks == 0).count();
            assert_eq!((empty, second.iter().max()), (without, Some(&1)), "{text} Hz");
        }
    }
}

#[test]
fn uneven_deltas_make_a_frame_without_a_tick_and_alpha_goes_on() {
    let mut step = FixedStep::new(Rate::HZ_60);
    let frames = [16_600_000, 16_600_000, 2_600_000, 17_400_000].map(|delta| {
        let advance = step.advance(Nanos(delta));
        (advance.ticks, advance.overstep)
    });
    // 53.2 ms in all: the time shown is 16.6, 33.2, 35.8 and 53.2 ms, less one tick.
    assert_eq!(
        frames,
        [(0, Nanos(16_600_000)), (1, Nanos(16_533_333)), (1, Nanos(2_466_666)), (1, Nanos(3_200_000))]
    );
    assert_eq!(step.alpha(), 0.192);
}

#[test]
fn fast_ticks_on_a_60_hz_grid_do_not_collapse() {
    for (text, most) in [("500", 9), ("1000", 17)] {
        let ticks = ticks_on_grid("60", text, Nanos::ZERO, 600);
        assert_eq!(ticks.iter().sum::<u32>(), 10 * text.parse::<u32>().unwrap());
        assert_eq!(ticks.iter().max(), Some(&most), "{text} Hz");
    }
    // A stall of 250 ms is capped, counted, and gone in the next frame.
    let mut step = FixedStep::new(rate("1000"));
    let stalled = step.advance(Nanos(250 * MS));
    assert_eq!((stalled.ticks, stalled.capped_ticks), (84, 166));
    assert_eq!(step.advance(Nanos(17 * MS)).ticks, 17);
}

#[test]
fn ticks_that_cost_twice_their_length_make_slow_motion_that_is_counted() {
    let mut step = FixedStep::new(Rate::HZ_60);
    let mut delta = Nanos(17 * MS);
    let (mut ticks, mut elapsed) = (0, Nanos::ZERO);
    for _ in 0..60 {
        let advance = step.advance(delta);
        assert!(advance.ticks <= 5);
        ticks += u64::from(advance.ticks);
        elapsed += delta;
        delta = Nanos(i64::from(advance.ticks) * 2 * 16_666_667).max(Nanos(17 * MS));
    }
    let totals = step.totals();
    assert_eq!((totals.ticks, totals.balanced), (ticks, true));
    // Half speed, and the other half is on the books.
    assert!(totals.capped.abs_diff(ticks) < 20, "{totals:?}");
    assert_eq!((totals.capped + ticks) as i64, elapsed.0 * 60 / 1_000_000_000);
}

#[test]
fn a_debugger_stop_of_8_hours_is_one_capped_frame_and_no_fast_forward() {
    let mut step = FixedStep::new(Rate::HZ_60);
    step.advance(Nanos(10 * MS));
    let stopped = step.advance(Nanos(8 * HOUR));
    assert_eq!((stopped.ticks, stopped.capped_ticks), (5, 10));
    assert_eq!((stopped.clamped, stopped.overstep), (Nanos(8 * HOUR - 250 * MS), Nanos(10 * MS)));
    assert_eq!(step.advance(Nanos(16_666_667)).ticks, 1);
    assert!(step.totals().balanced);
}

#[test]
fn time_that_runs_backward_counts_as_0_and_is_counted() {
    let mut step = FixedStep::new(rate("100"));
    step.advance(Nanos(7 * MS));
    let reversed = step.advance(Nanos(-MS));
    assert!(reversed.time_reversal);
    assert_eq!((reversed.ticks, reversed.overstep, reversed.clamped), (0, Nanos(7 * MS), Nanos::ZERO));
    assert!(step.advance(Nanos(i64::MIN)).time_reversal);
    assert_eq!(step.advance(Nanos(4 * MS)).ticks, 1);
    let totals = step.totals();
    assert_eq!((totals.time_reversals, totals.balanced), (2, true));
}

#[test]
fn a_stepped_tick_leaves_overstep_and_alpha_where_they_are_at_any_speed() {
    for factor in ["0", "0.25", "8"] {
        let mut step = FixedStep::new(rate("100"));
        step.advance(Nanos(7 * MS));
        step.set_speed(speed(factor));
        for _ in 0..60 {
            let stepped = step.step_tick();
            assert_eq!((stepped.ticks, stepped.overstep, stepped.alpha), (1, Nanos(7 * MS), 0.7));
        }
        let totals = step.totals();
        assert_eq!((totals.ticks, totals.stepped, totals.balanced), (60, 60, true));
    }
}

#[test]
fn ticks_beyond_what_the_run_was_asked_for_are_cut_after_the_cap() {
    let mut step = FixedStep::new(Rate::HZ_60);
    let advance = step.advance_up_to(Nanos(250 * MS), 3);
    assert_eq!((advance.ticks, advance.cut_ticks, advance.capped_ticks), (3, 2, 10));
    let totals = step.totals();
    assert_eq!((totals.ticks, totals.cut, totals.capped, totals.balanced), (3, 2, 10, true));
    assert_eq!(step.advance_up_to(Nanos(17 * MS), 0).cut_ticks, 1);
}

#[test]
fn a_change_of_tick_rate_keeps_alpha() {
    let mut step = FixedStep::new(rate("50"));
    step.advance(Nanos(6 * MS));
    for (text, overstep) in [("60", 5_000_000), ("1000", 300_000), ("1", 300_000_000), ("10", 30_000_000)] {
        step.set_rate(rate(text));
        assert_eq!((step.alpha(), step.overstep()), (0.3, Nanos(overstep)), "{text} Hz");
    }
    let totals = step.totals();
    assert_eq!((totals.rounded_ticks, totals.balanced), (0.0, true), "whole rates hold every alpha");
}

#[test]
fn what_a_new_tick_rate_cannot_hold_is_rounded_down_and_booked() {
    let mut step = FixedStep::new(rate("60000/1001"));
    // 1 ns is 60 000 000 of the 1001 × 10¹² units of a tick: at 50 Hz that is 59 940.06 of 10¹² units.
    step.advance(Nanos(1));
    step.set_rate(rate("50"));
    assert_eq!(step.overstep, 59_940);
    let lost_of_1001 = 60_000_000 % 1001;
    let totals = step.totals();
    assert_eq!((lost_of_1001, totals.balanced), (60, true));
    assert!((totals.rounded_ticks - 60.0 / 1001.0 / 1e12).abs() < 1e-28, "{totals:?}");
    assert!(step.advance(Nanos(20 * MS)).ticks == 1 && step.totals().balanced);
}

#[test]
fn alpha_is_below_1_as_f64_and_as_f32_at_every_rate() {
    let mut rates: Vec<Rate> = (1..=1000).map(|hz| Rate::hz(hz).unwrap()).collect();
    let nasty =
        ["59.94", "60000/1001", "1000000000/999999937", "999999937/1000003", "1.00000001", "999.999999"];
    rates.extend(nasty.map(rate));
    for rate in rates {
        let mut step = FixedStep::new(rate);
        // As close below one tick as the accumulator can be.
        step.overstep = units_per_tick(rate) - 1;
        let alpha = step.alpha();
        assert!(alpha < 1.0 && (alpha as f32) < 1.0, "{rate}: {alpha}");
        assert!(alpha > 0.999_999_9, "{rate}: {alpha}");
    }
    let mut step = FixedStep::new(rate("1"));
    step.set_max_delta(Nanos::MAX);
    let alpha = step.advance(Nanos(999_999_999)).alpha;
    assert!((999_999_999.0_f64 / 1e9) as f32 == 1.0 && (alpha as f32) < 1.0, "{alpha}");
}

#[test]
fn the_largest_deltas_and_rates_do_not_overflow() {
    let mut step = FixedStep::new(rate("1000000000/1000003"));
    step.set_max_delta(Nanos::MAX);
    step.set_speed(speed("8"));
    for _ in 0..100 {
        let advance = step.advance(Nanos::MAX);
        assert!(advance.ticks == 84 && advance.clamped == Nanos::ZERO);
    }
    assert!(step.totals().balanced);
    step.set_max_delta(Nanos(-1));
    assert_eq!(step.advance(Nanos(5)).clamped, Nanos(5));
}
