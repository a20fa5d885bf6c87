use proptest::prelude::*;

use super::*;

fn rate(text: &str) -> Rate {
    text.parse().unwrap()
}

const HOUR: i64 = 3_600_000_000_000;

#[test]
fn deadlines_are_rounded_up_from_the_exact_grid() {
    let table: [(&str, &[(u64, i64)]); 7] = [
        ("100", &[(0, 0), (1, 10_000_000), (2, 20_000_000), (1000, 10_000_000_000)]),
        (
            "60",
            &[(1, 16_666_667), (2, 33_333_334), (3, 50_000_000), (60, 1_000_000_000), (61, 1_016_666_667)],
        ),
        ("240", &[(1, 4_166_667), (2, 8_333_334), (3, 12_500_000), (240, 1_000_000_000)]),
        ("59.94", &[(1, 16_683_351), (2, 33_366_701), (2997, 50_000_000_000)]),
        ("60000/1001", &[(1, 16_683_334), (2, 33_366_667), (3, 50_050_000), (60_000, 1_001_000_000_000)]),
        ("1", &[(1, 1_000_000_000), (9_223_372_036, 9_223_372_036_000_000_000)]),
        ("1000", &[(1, 1_000_000), (3_600_000, HOUR)]),
    ];
    for (text, points) in table {
        for reference in [0, 12_345, 30 * HOUR] {
            let clock = FrameClock::started(Nanos(reference), rate(text));
            for (n, offset) in points {
                let deadline = Nanos(reference) + Nanos(*offset);
                assert_eq!(clock.deadline(*n), deadline, "{text} Hz, point {n} from {reference}");
            }
        }
    }
}

#[test]
fn ten_minutes_at_60_hz_are_36000_deadlines_and_end_at_exactly_600_s() {
    for reference in [0, 30 * HOUR] {
        let mut clock = FrameClock::started(Nanos(reference), Rate::HZ_60);
        let mut planned = Planned::default();
        for n in 0..=36_000 {
            planned = clock.next(clock.next_deadline());
            assert_eq!((planned.grid, planned.late, planned.missed), (n, false, 0));
        }
        assert_eq!(planned.render_time, Nanos(reference + 600_000_000_000));
    }
}

#[test]
fn a_deadline_beyond_the_clock_is_its_end() {
    for text in ["1", "60", "1000", "1000000000/999999937"] {
        let clock = FrameClock::started(Nanos(5), rate(text));
        assert_eq!(clock.deadline(u64::MAX), Nanos::MAX, "{text}");
    }
    let mut clock = FrameClock::started(Nanos::MAX, Rate::HZ_60);
    assert_eq!(clock.next(Nanos::MAX).render_time, Nanos::MAX);
    assert_eq!(clock.next(Nanos::MAX), Planned { grid: 1, render_time: Nanos::MAX, late: false, missed: 0 });
}

#[test]
fn frames_on_time_are_made_for_their_deadline_and_late_ones_for_now() {
    // Arrival in µs on a 100 Hz grid, then the render time in µs, late, missed.
    let table = [
        (0, 0, false, 0),
        (300, 10_000, false, 0),
        (20_000, 20_000, false, 0),
        (30_001, 30_001, true, 0),
        (30_002, 40_000, false, 0),
        (60_000, 60_000, true, 1),
        (60_000, 70_000, false, 0),
        (2_075_000, 2_075_000, true, 199),
        (2_075_001, 2_080_000, false, 0),
        (2_080_100, 2_090_000, false, 0),
    ];
    let mut clock = FrameClock::started(Nanos::ZERO, rate("100"));
    for (arrival, render_time, late, missed) in table {
        let planned = clock.next(Nanos::from_micros(arrival));
        let seen = (planned.render_time, planned.late, planned.missed);
        assert_eq!(seen, (Nanos::from_micros(render_time), late, missed), "arrival at {arrival} µs");
    }
}

#[test]
fn eight_hours_in_a_debugger_are_one_late_frame_and_no_burst() {
    let mut clock = FrameClock::started(Nanos::ZERO, Rate::HZ_60);
    clock.next(Nanos::ZERO);
    let stopped = clock.next(Nanos(8 * HOUR));
    assert_eq!(
        stopped,
        Planned { grid: 1, render_time: Nanos(8 * HOUR), late: true, missed: 8 * 3600 * 60 - 1 }
    );
    let following = clock.next(Nanos(8 * HOUR + 1));
    assert_eq!((following.render_time, following.late), (Nanos(8 * HOUR + 16_666_667), false));
}

#[test]
fn a_change_of_rate_starts_a_grid_at_the_last_render_time() {
    let mut clock = FrameClock::started(Nanos::ZERO, rate("100"));
    clock.next(Nanos::ZERO);
    let late = clock.next(Nanos::from_micros(10_700));
    clock.change_rate(late.render_time, rate("50"), late.render_time, late.render_time);
    assert_eq!((clock.rate(), clock.period()), (Some(rate("50")), Nanos::from_millis(20)));
    let planned = clock.next(Nanos::from_micros(11_000));
    assert_eq!(planned, Planned { grid: 1, render_time: Nanos(30_700_000), late: false, missed: 0 });
}

#[test]
fn a_change_of_rate_makes_no_frame_late_and_undoes_none_that_is() {
    // 10 Hz until now, in ms: when the frame after point 0 arrived, when 1000 Hz was asked for; then its render time,
    // late, missed, and the deadline of the one after it.
    let table = [
        (90, 90, 91, false, 0, 92),
        (1, 90, 91, false, 0, 92),
        // It woke a little after its deadline, at which it had waited.
        (1, 101, 102, false, 0, 103),
        (100, 100, 101, false, 0, 102),
        (101, 101, 101, true, 0, 102),
        (350, 350, 350, true, 2, 351),
    ];
    for (arrived, asked, render_time, late, missed, following) in table {
        let mut clock = FrameClock::started(Nanos::ZERO, rate("10"));
        let first = clock.next(Nanos::ZERO).render_time;
        let millis = Nanos::from_millis;
        clock.change_rate(first, rate("1000"), millis(arrived), millis(asked));
        let planned = clock.next(millis(arrived));
        let seen = (planned.render_time, planned.late, planned.missed, clock.next_deadline());
        assert_eq!(seen, (millis(render_time), late, missed, millis(following)), "{arrived}, {asked}");
        assert_eq!(clock.rate(), Some(rate("1000")));
    }
}

#[test]
fn a_stopped_clock_answers_0_to_everything() {
    let mut clock = FrameClock::stopped();
    clock.change_rate(Nanos(77), Rate::HZ_60, Nanos(78), Nanos(79));
    assert_eq!(clock.next(Nanos(99)), Planned::default());
    assert_eq!(clock.next(Nanos::MAX), Planned::default());
    assert_eq!((clock.deadline(0), clock.deadline(u64::MAX)), (Nanos::ZERO, Nanos::ZERO));
    assert_eq!((clock.next_deadline(), clock.period(), clock.rate()), (Nanos::ZERO, Nanos::ZERO, None));
    assert_eq!(clock, FrameClock::default());
}

#[test]
fn microseconds_of_waking_late_never_make_a_frame_late() {
    // Each frame starts 1 to 900 µs after its deadline and takes 2 ms: the next one is planned well in time.
    let mut clock = FrameClock::started(Nanos::ZERO, Rate::HZ_60);
    let mut last = clock.next(Nanos::ZERO).render_time;
    for n in 1..=3600_i64 {
        let wake_error = 1_000 * (1 + n * 7919 % 900);
        let planned = clock.next(last + Nanos(wake_error + 2_000_000));
        assert_eq!((planned.late, planned.missed), (false, 0));
        assert_eq!(planned.render_time, clock.deadline(n as u64));
        last = planned.render_time;
    }
}

proptest! {
    #[test]
    fn every_grid_point_is_run_or_missed_and_none_comes_in_a_burst(
        num in 1_u64..1_000_000_000,
        den in 1_u64..1_000_000_000,
        reference in 0..30 * HOUR,
        pauses in prop::collection::vec(prop_oneof![0..2_000_000_i64, 0..3_000_000_000_i64], 1..60),
    ) {
        let Ok(rate) = Rate::new(num.max(den), num.min(den)) else { return Ok(()) };
        let mut clock = FrameClock::started(Nanos(reference), rate);
        let mut now = Nanos(reference);
        let mut passed = 0;
        for pause in pauses {
            let deadline = clock.next_deadline();
            let planned = clock.next(now);
            prop_assert_eq!(planned.grid, passed);
            prop_assert_eq!(planned.late, now > deadline);
            prop_assert_eq!(planned.render_time, now.max(deadline));
            passed += 1 + planned.missed;
            // The last point counted is not after this frame, the next one is.
            prop_assert!(clock.deadline(passed - 1) <= planned.render_time);
            prop_assert!(clock.next_deadline() > planned.render_time);
            prop_assert_eq!(clock.next_deadline(), clock.deadline(passed));
            now = planned.render_time + Nanos(pause);
        }
    }
}
