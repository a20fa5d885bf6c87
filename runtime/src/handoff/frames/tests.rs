//! The three ways through one face, driven from one thread: counts, changes of way, and what a picture is blended by.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use super::*;
use crate::frame::record::RenderOutcome;
use crate::time::Speed;
use crate::time::motion_clock::MotionClock;

type Ends = (FrameProducer<u64>, FrameConsumer<u64>, HandoffStats);

const MILLI: i64 = 1_000_000;
const MARGIN: MarginStep = MarginStep::steady(Nanos(MILLI));

/// One tick, due at this time and there in time.
const fn tick_at(due: Nanos, length: Nanos) -> TicksOfFrame {
    TicksOfFrame { due, lateness: Nanos::ZERO, length, speed: Speed::NORMAL }
}

/// A frame every 10 ms whose tick is 10 ms long.
fn hand_over(producer: &mut FrameProducer<u64>, n: u64) -> Option<u64> {
    *producer.snapshot_mut() = n;
    let time = Nanos(n as i64 * 10 * MILLI);
    let tick = Nanos(10 * MILLI);
    let span = TickSpan::of(&tick_at(time, tick), MARGIN, time - tick, tick);
    let publication = Publication {
        frame: FrameIndex(n),
        tick: Tick(n),
        render_time: time,
        span,
        ..Publication::default()
    };
    producer.hand_over(publication).unwrap().replaced.map(|frame| frame.0)
}

fn draw(consumer: &mut FrameConsumer<u64>) -> Option<u64> {
    let taken = consumer.take()?;
    assert_eq!(*consumer.snapshot(), taken.frame.0);
    consumer.finish(RenderOutcome::Rendered);
    Some(taken.frame.0)
}

fn assert_counts(stats: &HandoffStats, expected: [u64; 6]) {
    let counts = stats.counts();
    assert!(counts.balanced(), "{counts:?}");
    let HandoffCounts { published, rendered, dropped, undrawn, pending, in_flight, .. } = counts;
    assert_eq!([published, rendered, dropped, undrawn, pending, in_flight], expected, "{counts:?}");
}

#[test]
fn in_lockstep_a_frame_is_published_by_the_meeting_and_none_is_dropped() {
    let (mut producer, mut consumer, stats): Ends = frame_handoffs(HandoffMode::Lockstep);
    assert_eq!(draw(&mut consumer), None, "the renderer stands at the meeting");
    for n in 1..=5 {
        assert_eq!(hand_over(&mut producer, n), None);
        assert_counts(&stats, [n, n - 1, 0, 0, 0, 1]);
        assert_eq!(draw(&mut consumer), Some(n));
        assert_eq!(draw(&mut consumer), None);
        assert_counts(&stats, [n, n, 0, 0, 0, 0]);
    }
    assert_eq!(stats.waiting(), 1);
}

#[test]
fn a_renderer_at_the_meeting_may_look_at_its_last_frame_again() {
    let (mut producer, mut consumer, _stats): Ends = frame_handoffs(HandoffMode::Lockstep);
    assert_eq!(consumer.take(), None);
    assert_eq!(consumer.keep(), Some(&0));
    assert_eq!(consumer.take(), None);
    hand_over(&mut producer, 1);
    assert_eq!(consumer.keep(), None, "a frame has come: it is drawn instead");
    assert_eq!(draw(&mut consumer), Some(1));
    assert_eq!(consumer.keep(), Some(&1));
    assert_eq!(draw(&mut consumer), None);
    assert_eq!(consumer.keep(), Some(&1));
}

#[test]
fn the_end_of_either_side_lets_the_other_go() {
    let (mut producer, consumer, stats): Ends = frame_handoffs(HandoffMode::Lockstep);
    drop(consumer);
    assert_eq!(producer.publish(FrameIndex(1), Tick(1), Nanos::ZERO), Err(HandoffClosed));
    assert_counts(&stats, [0; 6]);

    let (producer, mut consumer, _): Ends = frame_handoffs(HandoffMode::Lockstep);
    drop(producer);
    assert_eq!(consumer.take(), None);
    assert!(!consumer.is_met());

    let (mut producer, _consumer, stats): Ends = frame_handoffs(HandoffMode::Lockstep);
    stats.release();
    assert_eq!(producer.publish(FrameIndex(1), Tick(1), Nanos::ZERO), Err(HandoffClosed));
}

#[test]
fn a_frame_met_and_not_taken_is_abandoned_by_the_end() {
    let (mut producer, mut consumer, stats): Ends = frame_handoffs(HandoffMode::Lockstep);
    consumer.take();
    hand_over(&mut producer, 1);
    drop(consumer);
    assert_counts(&stats, [1, 0, 0, 0, 0, 0]);
    assert_eq!(stats.counts().abandoned, 1);
}

#[test]
fn on_real_threads_a_simulation_in_lockstep_gives_up_after_its_patience() {
    let (mut producer, _consumer, stats): Ends = frame_handoffs(HandoffMode::Lockstep);
    let patience = Some(Nanos::from_millis(1));
    let error = producer.hand_over(Publication { patience, ..Publication::default() }).unwrap_err();
    assert!(matches!(error, PublishError::TooLong { waited } if waited >= Nanos::from_millis(1)), "{error}");
    assert_counts(&stats, [0; 6]);
}

#[test]
fn the_free_handoff_draws_a_tick_at_its_own_time_and_again_at_a_later_one() {
    let (mut producer, mut consumer, stats): Ends = frame_handoffs(HandoffMode::Free);
    (1..=3).for_each(|n| assert_eq!(hand_over(&mut producer, n), None));
    assert_counts(&stats, [3, 0, 0, 0, 3, 0]);
    // With a margin of 1 ms the motion of tick 2 is drawn from 21 ms to 31 ms.
    let mut at = |micros: i64| {
        let taken = consumer.take_at(Nanos(micros * 1000)).unwrap();
        consumer.finish(RenderOutcome::Rendered);
        let blend = taken.blend.unwrap();
        let alpha = (blend.alpha * 1000.0).round() / 1000.0;
        (taken.frame.frame.0, taken.again, alpha, blend.shown_time.0 / 1000, blend.held)
    };
    assert_eq!(at(21_000), (2, false, 0.0, 10_000, Held::No));
    assert_eq!(at(26_000), (2, true, 0.5, 15_000, Held::No));
    assert_eq!(at(31_000), (3, false, 0.0, 20_000, Held::No));
    assert_eq!(at(41_000), (3, true, 1.0, 29_999, Held::No), "at its end, and just below 1");
    assert_eq!(at(50_000), (3, true, 1.0, 29_999, Held::Late), "tick 4 has not come");
    assert_counts(&stats, [3, 2, 0, 1, 0, 0]);
}

#[test]
fn alpha_is_below_1_in_both_widths_however_late_the_next_tick_is() {
    let tick = Nanos(10 * MILLI);
    let span = TickSpan::of(&tick_at(Nanos::ZERO, tick), MARGIN, Nanos::ZERO, tick);
    for late in [0, 1, 9 * MILLI, 12 * MILLI, 10_000 * MILLI, i64::MAX] {
        let alpha = span.at(Nanos(late)).alpha;
        assert!((0.0..1.0).contains(&alpha) && (alpha as f32) < 1.0, "{alpha} at {late}");
    }
}

#[test]
fn a_motion_lies_behind_its_tick_by_the_margin_and_takes_as_long_as_its_ticks() {
    let (tick, due) = (Nanos(20 * MILLI), Nanos(100 * MILLI));
    let span = TickSpan::of(&tick_at(due, tick), MARGIN, Nanos(7), tick);
    assert_eq!((span.begin, span.end()), (Nanos(101 * MILLI), Nanos(121 * MILLI)));
    assert_eq!(span.at(Nanos(111 * MILLI)).shown_time, Nanos(7 + 10 * MILLI));
    // Where the margin grows the motion does, and ends where the next one begins.
    let grows = MarginStep { begin: Nanos(MILLI), end: Nanos(6 * MILLI) };
    let span = TickSpan::of(&tick_at(due, tick), grows, Nanos(7), tick);
    assert_eq!((span.begin, span.end()), (Nanos(101 * MILLI), Nanos(126 * MILLI)));
}

#[test]
fn while_the_clock_of_the_motion_stands_it_is_one_picture_and_then_goes_on_from_there() {
    let (mut producer, mut consumer, stats): Ends = frame_handoffs(HandoffMode::Free);
    (1..=3).for_each(|n| assert_eq!(hand_over(&mut producer, n), None));
    let at = |consumer: &mut FrameConsumer<u64>, micros: i64| {
        let taken = consumer.take_at(Nanos(micros * 1000)).unwrap();
        consumer.finish(RenderOutcome::Rendered);
        let blend = taken.blend.unwrap();
        let alpha = (blend.alpha * 1000.0).round() / 1000.0;
        (taken.frame.frame.0, alpha, blend.held)
    };
    assert_eq!(at(&mut consumer, 26_000), (2, 0.5, Held::No));
    // The motion of the third begins at 31 ms: it is not to be seen yet.
    producer.set_motion(MotionClock::standing_at(Nanos(28_500_000), Nanos(28_500_000)));
    producer.set_standing(true);
    assert_eq!(at(&mut consumer, 28_500), (2, 0.75, Held::Standing));
    assert_eq!(at(&mut consumer, 99_000), (2, 0.75, Held::Standing));
    assert!(!consumer.has_come() && consumer.has_new(), "it is known, and waits");
    assert_counts(&stats, [3, 1, 0, 1, 1, 0]);
    producer.set_motion(consumer.motion().running_at(Speed::NORMAL, Nanos(10_000 * MILLI)));
    producer.set_standing(false);
    assert_eq!(at(&mut consumer, 10_000_000), (2, 0.75, Held::No), "from where it stood");
    assert_eq!(at(&mut consumer, 10_002_500), (3, 0.0, Held::No));
    assert_eq!(at(&mut consumer, 10_007_500), (3, 0.5, Held::No));
    assert_counts(&stats, [3, 2, 0, 1, 0, 0]);
}

#[test]
fn a_picture_whose_own_tick_is_kept_no_longer_says_so() {
    let (mut producer, mut consumer, _): Ends = frame_handoffs(HandoffMode::Free);
    (1..=3).for_each(|n| assert_eq!(hand_over(&mut producer, n), None));
    let early = |consumer: &mut FrameConsumer<u64>| {
        let taken = consumer.take_at(Nanos(5 * MILLI)).unwrap();
        consumer.finish(RenderOutcome::Rendered);
        (taken.frame.frame.0, taken.blend.unwrap().held)
    };
    assert_eq!(early(&mut consumer), (1, Held::No), "nothing came before the first");
    (4..=8).for_each(|n| assert_eq!(hand_over(&mut producer, n), None));
    assert_eq!(early(&mut consumer), (5, Held::TooNew));
}

#[test]
fn what_falls_out_or_is_passed_over_is_undrawn_and_never_dropped() {
    let (mut producer, mut consumer, stats): Ends = frame_handoffs(HandoffMode::Free);
    (1..=10).for_each(|n| assert_eq!(hand_over(&mut producer, n), None));
    assert_counts(&stats, [10, 0, 0, 6, 4, 0]);
    assert_eq!(consumer.take_at(Nanos(95 * MILLI)).unwrap().frame.frame.0, 9);
    assert_counts(&stats, [10, 0, 0, 8, 1, 1]);
    consumer.finish(RenderOutcome::Rendered);
    assert_counts(&stats, [10, 1, 0, 8, 1, 0]);
    drop(consumer);
    assert_counts(&stats, [10, 1, 0, 8, 0, 0]);
    assert_eq!(stats.counts().abandoned, 1);
}

#[test]
fn a_change_of_way_loses_nothing_from_the_equation() {
    use HandoffMode::{Free, Lockstep, Slot};
    let (mut producer, mut consumer, stats): Ends = frame_handoffs(Slot);
    hand_over(&mut producer, 1);
    producer.set_mode(Free);
    assert_eq!(stats.counts().mode, Slot, "it acts with the next frame");
    assert_eq!(hand_over(&mut producer, 2), Some(1), "what nobody had taken is replaced");
    assert_counts(&stats, [2, 0, 1, 0, 1, 0]);
    assert_eq!(draw(&mut consumer), Some(2));

    hand_over(&mut producer, 3);
    producer.set_mode(Slot);
    assert_eq!(hand_over(&mut producer, 4), None);
    assert_counts(&stats, [4, 1, 1, 1, 1, 0]);
    assert_eq!(draw(&mut consumer), Some(4));
    assert_eq!(draw(&mut consumer), None);

    // To a meeting the renderer must come first, where one thread does both.
    producer.set_mode(Lockstep);
    std::thread::scope(|scope| {
        let simulation = scope.spawn(|| (5..=8).map(|n| hand_over(&mut producer, n)).collect::<Vec<_>>());
        let mut drawn = Vec::new();
        while drawn.len() < 4 {
            drawn.extend(draw(&mut consumer));
            std::thread::yield_now();
        }
        assert_eq!(drawn, [5, 6, 7, 8]);
        assert_eq!(simulation.join().unwrap(), [None; 4]);
    });
    assert_counts(&stats, [8, 6, 1, 1, 0, 0]);

    assert_eq!(draw(&mut consumer), None, "it stands at a meeting that nobody comes to any more");
    producer.set_mode(Slot);
    hand_over(&mut producer, 9);
    assert_eq!(draw(&mut consumer), Some(9));
    // Told of the change, the renderer comes to the meeting first, and one thread can do both.
    producer.set_mode(Lockstep);
    producer.change_way().unwrap();
    assert_eq!(draw(&mut consumer), None);
    assert_eq!(hand_over(&mut producer, 10), None);
    assert_eq!(draw(&mut consumer), Some(10));
    assert_eq!(consumer.take(), None);
    assert_counts(&stats, [10, 8, 1, 1, 0, 0]);
}

#[test]
fn a_frame_that_nobody_came_for_in_time_counts_nowhere_and_may_be_tried_again() {
    let (mut producer, mut consumer, stats): Ends = frame_handoffs(HandoffMode::Lockstep);
    let publication =
        Publication { frame: FrameIndex(1), patience: Some(Nanos(1)), ..Publication::default() };
    *producer.snapshot_mut() = 1;
    assert!(matches!(producer.hand_over(publication), Err(PublishError::TooLong { .. })));
    assert_eq!(*producer.snapshot_mut(), 1, "it is this end's still");
    // A renderer that comes a moment later completes nothing.
    assert_eq!(consumer.take(), None);
    assert_counts(&stats, [0, 0, 0, 0, 0, 0]);
    producer.hand_over(publication).unwrap();
    assert_eq!(draw(&mut consumer), Some(1));
    assert_counts(&stats, [1, 1, 0, 0, 0, 0]);
}

#[test]
fn where_the_simulation_is_gone_everything_stands() {
    for mode in HandoffMode::ALL {
        let (producer, consumer, _): Ends = frame_handoffs(mode);
        assert!(!consumer.stands());
        drop(producer);
        assert!(consumer.stands(), "{}: no frame comes by itself", mode.name());
    }
}

/// Makes every snapshot ready that is to be now: how many.
fn made_ready(producer: &mut FrameProducer<u64>) -> usize {
    std::iter::from_fn(|| producer.cold_snapshot_mut().map(|snapshot| *snapshot = 0)).count()
}

#[test]
fn in_the_free_handoff_each_buffer_is_made_ready_once_and_anew_where_frames_have_grown() {
    let (mut producer, mut consumer, _stats): Ends = frame_handoffs(HandoffMode::Free);
    hand_over(&mut producer, 1);
    // One has frame 1, one is in hand, one is the renderer's.
    assert_eq!((made_ready(&mut producer), made_ready(&mut producer)), (3, 0));
    assert_eq!(draw(&mut consumer), Some(1));
    assert_eq!(made_ready(&mut producer), 1, "the one it began with");
    for n in 2..=20 {
        hand_over(&mut producer, n);
        assert_eq!(made_ready(&mut producer), 0, "{n}");
    }
    producer.cool_down();
    // Four are kept, one is in hand, and the renderer's is none of the kept.
    assert_eq!(made_ready(&mut producer), 0);
    assert!(draw(&mut consumer).is_some());
    assert_eq!(made_ready(&mut producer), 1);
    hand_over(&mut producer, 21);
    producer.set_mode(HandoffMode::Slot);
    assert_eq!(made_ready(&mut producer), 0);
}
