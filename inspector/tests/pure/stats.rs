#![allow(clippy::float_cmp, reason = "the values are exact")]

use framewalk_inspector::stats::{AnimationError, Quantile, Summary, frame_interval, nearest_rank};
use framewalk_runtime::frame::record::{FrameKind, FrameRecord, RenderRecord};
use framewalk_runtime::time::{FrameIndex, Nanos, Rate, Speed};

fn q(num: u64, den: u64) -> Quantile {
    Quantile::new(num, den).expect("a quantile between 0 and 1")
}

fn nanos(values: &[i64]) -> Vec<Nanos> {
    values.iter().map(|value| Nanos(*value)).collect()
}

#[test]
fn nearest_rank_takes_the_values_of_the_table() {
    let to = |n: i64| (1..=n).collect::<Vec<_>>();
    for (values, quantile, expected) in [
        (to(10), q(9, 10), 9),
        (to(5), q(9, 10), 5),
        (to(20), q(9, 10), 18),
        (to(100), Quantile::P99, 99),
        (to(100), Quantile::P50, 50),
        (to(1000), Quantile::P999, 999),
        (to(1), Quantile::P99, 1),
    ] {
        assert_eq!(nearest_rank(&values, quantile), Some(expected), "{quantile:?} of {}", values.len());
    }
}

#[test]
fn nearest_rank_of_mixed_signs_is_always_a_given_value() {
    let mut values = [-1.0, 5.0, 0.0, -3.0, 10.0, -0.5, 4.0, 0.2, 1.0, 6.0];
    values.sort_by(f64::total_cmp);
    for (quantile, expected) in [(q(2, 10), -1.0), (q(5, 10), 0.2), (q(7, 10), 4.0), (Quantile::P99, 10.0)] {
        assert_eq!(nearest_rank(&values, quantile), Some(expected), "{quantile:?}");
    }
}

#[test]
fn ranks_are_exact_where_floats_are_not() {
    // 0.07 × 100 is 7.000000000000001 in f64: a float rank would be 8.
    assert_eq!(q(7, 100).rank(100), 7);
    assert_eq!(q(29, 100).rank(100), 29);
    assert_eq!(Quantile::P999.rank(10_000), 9_990);
}

#[test]
fn a_summary_of_nothing_is_nothing() {
    assert_eq!(Summary::of(&mut []), None);
    assert_eq!(Summary::of_absolute([]), None);
    assert_eq!(nearest_rank::<i64>(&[], Quantile::P50), None);
}

#[test]
fn one_value_is_every_figure() {
    let summary = Summary::of(&mut nanos(&[14_000_000])).unwrap();
    assert_eq!((summary.count, summary.p50, summary.p999), (1, Nanos(14_000_000), Nanos(14_000_000)));
    assert_eq!((summary.max, summary.mean_nanos), (Nanos(14_000_000), 14_000_000.0));
}

#[test]
fn figures_of_990_even_frames_and_ten_slow_ones() {
    let mut values: Vec<Nanos> = nanos(&[10; 990]);
    values.extend(nanos(&[20; 5]));
    values.extend(nanos(&[200; 5]));
    let summary = Summary::of(&mut values).unwrap();
    assert_eq!(summary.p99, Nanos(10));
    assert_eq!(summary.mean_nanos, 11.0);
}

#[test]
fn the_sum_of_the_longest_times_does_not_overflow() {
    let summary = Summary::of(&mut nanos(&[i64::MAX; 4])).unwrap();
    assert_eq!(summary.mean_nanos, i64::MAX as f64);
    assert_eq!(Summary::of_absolute([Nanos(i64::MIN)]).unwrap().max, Nanos(i64::MAX));
}

fn frame(frame: u64, kind: FrameKind, shown_millis: i64) -> FrameRecord {
    FrameRecord {
        run: 1,
        frame: FrameIndex(frame),
        kind,
        shown_time: Nanos::from_millis(shown_millis),
        ..FrameRecord::default()
    }
}

fn at(millis: i64) -> Option<Nanos> {
    Some(Nanos::from_millis(millis))
}

#[test]
fn even_motion_shown_evenly_has_no_error() {
    let mut error = AnimationError::default();
    assert_eq!(error.next(&frame(1, FrameKind::First, 1000), at(100)), None);
    assert_eq!(error.next(&frame(2, FrameKind::Running, 1016), at(116)), Some(Nanos::ZERO));
    assert_eq!(error.next(&frame(3, FrameKind::Running, 1032), at(132)), Some(Nanos::ZERO));
}

#[test]
fn a_positive_error_was_shown_too_soon() {
    let mut error = AnimationError::default();
    error.next(&frame(1, FrameKind::First, 1000), at(100));
    assert_eq!(error.next(&frame(2, FrameKind::Running, 1024), at(116)), Some(Nanos::from_millis(8)));
}

#[test]
fn a_dropped_frame_is_empty_and_the_next_compares_with_the_last_shown() {
    let mut error = AnimationError::default();
    error.next(&frame(1, FrameKind::First, 1000), at(100));
    assert_eq!(error.next(&frame(2, FrameKind::Running, 1016), None), None);
    assert_eq!(error.next(&frame(3, FrameKind::Running, 1032), at(130)), Some(Nanos::from_millis(2)));
}

#[test]
fn the_first_frame_after_a_pause_or_a_step_is_empty() {
    for kind in [FrameKind::Resumed, FrameKind::SteppedFrame, FrameKind::SteppedTick, FrameKind::ByHand] {
        let mut error = AnimationError::default();
        error.next(&frame(1, FrameKind::First, 1000), at(100));
        assert_eq!(error.next(&frame(2, kind, 1016), at(5000)), None, "{kind:?}");
        assert_eq!(error.next(&frame(3, FrameKind::Running, 1032), at(5016)), Some(Nanos::ZERO), "{kind:?}");
    }
}

#[test]
fn a_pause_whose_first_frame_was_dropped_stays_empty_until_one_is_shown() {
    let mut error = AnimationError::default();
    error.next(&frame(1, FrameKind::First, 1000), at(100));
    assert_eq!(error.next(&frame(2, FrameKind::Resumed, 1016), None), None);
    assert_eq!(error.next(&frame(3, FrameKind::Running, 1032), at(9000)), None);
    assert_eq!(error.next(&frame(4, FrameKind::Running, 1048), at(9016)), Some(Nanos::ZERO));
}

#[test]
fn the_first_frame_after_a_change_of_rate_or_speed_is_empty() {
    let slow = Speed::from_thousandths(500).unwrap();
    let mut error = AnimationError::default();
    error.next(&frame(1, FrameKind::First, 1000), at(100));
    let changed = FrameRecord { speed: slow, ..frame(2, FrameKind::Running, 1016) };
    assert_eq!(error.next(&changed, at(116)), None);
    let half = FrameRecord { speed: slow, ..frame(3, FrameKind::Running, 1024) };
    assert_eq!(error.next(&half, at(132)), Some(Nanos::ZERO));
    let rate = FrameRecord { tick_rate: Rate::hz(30).unwrap(), ..half };
    assert_eq!(error.next(&FrameRecord { frame: FrameIndex(4), ..rate }, at(148)), None);
    let grid = FrameRecord { frame_rate: Rate::hz(144).unwrap(), ..rate };
    assert_eq!(error.next(&FrameRecord { frame: FrameIndex(5), ..grid }, at(155)), None);
    // The display's, where the renderer keeps its own time.
    let display = FrameRecord { render_rate: Rate::hz(75).unwrap(), ..grid };
    assert_eq!(error.next(&FrameRecord { frame: FrameIndex(6), ..display }, at(162)), None);
}

#[test]
fn two_runs_are_never_compared() {
    let mut error = AnimationError::default();
    error.next(&frame(1, FrameKind::First, 1000), at(100));
    let other = FrameRecord { run: 2, ..frame(1, FrameKind::Running, 16) };
    assert_eq!(error.next(&other, at(116)), None);
}

#[test]
fn first_stepped_tick_and_what_was_changed_by_hand_have_no_frame_interval() {
    let of = |kind| frame_interval(&FrameRecord { delta: Nanos(7), ..frame(1, kind, 0) });
    assert_eq!(of(FrameKind::First), None);
    assert_eq!(of(FrameKind::SteppedTick), None);
    assert_eq!(of(FrameKind::ByHand), None);
    assert_eq!(of(FrameKind::Running), Some(Nanos(7)));
    assert_eq!(of(FrameKind::Resumed), Some(Nanos(7)));
    assert_eq!(of(FrameKind::SteppedFrame), Some(Nanos(7)));
}

/// A run of the free handoff on a manual clock: 512 ticks a second on 60 pictures, of which the last is drawn when all is
/// over, to show the end of the last tick.
#[test]
fn a_picture_of_the_end_of_a_motion_has_no_error_and_nothing_is_measured_by_it() {
    let mut error = AnimationError::default();
    let record = |number| frame(number, FrameKind::Running, 0);
    let picture =
        |shown: i64, ends| RenderRecord { shown_time: Nanos(shown), ends, ..RenderRecord::default() };
    let mut next = |number, shown, display, ends| {
        error.next_picture(&record(number), &picture(shown, ends), Nanos(display))
    };
    assert_eq!(next(1, 0, 0, false), None);
    assert_eq!(next(9, 16_666_667, 16_666_667, false), Some(Nanos(0)));
    // 2.93 ms of motion in 16.67 ms: no fault of the picture.
    assert_eq!(next(11, 19_596_354, 33_333_334, true), None);
    assert_eq!(next(12, 33_333_334, 50_000_000, false), None, "compared with nothing");
    assert_eq!(next(20, 50_000_001, 66_666_667, false), Some(Nanos(0)));
}
