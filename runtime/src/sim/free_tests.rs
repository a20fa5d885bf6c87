//! The free handoff where time stands, or where ticks and frames are not one to one: what is drawn when, on a manual clock.

use super::virtual_time::{VirtualOptions, VirtualRun};
use super::{Control, RunSettings};
use crate::frame::record::{FrameRecord, HandoffMode, RenderRecord};
use crate::render::NullRenderer;
use crate::scene::{Entity, EntityId, Motion, Scene};
use crate::time::{Nanos, Tick};
use HandoffMode::{Free, Slot};
use glam::Vec3;

fn settings(handoff: HandoffMode, tick_rate: &str, frame_rate: &str) -> RunSettings {
    RunSettings {
        handoff,
        tick_rate: tick_rate.parse().unwrap(),
        frame_rate: frame_rate.parse().unwrap(),
        ..RunSettings::default()
    }
}

fn run(settings: &RunSettings) -> VirtualRun {
    let mover = Entity {
        id: EntityId(1),
        name: "Mover".to_owned(),
        motion: Some(Motion::Steady { velocity: Vec3::X }),
        ..Entity::default()
    };
    let scene = Scene { entities: vec![mover], ..Scene::default() };
    VirtualRun::new(&scene, settings, Box::new(NullRenderer::new()), VirtualOptions::default()).unwrap()
}

fn set_speed(speed: &str) -> Control {
    Control::SetSpeed(speed.parse().unwrap())
}

/// The simulated time of each picture, in microseconds.
fn shown(run: &mut VirtualRun) -> Vec<i64> {
    run.drain_renders().map(|picture| picture.shown_time.0 / 1000).collect()
}

/// How far simulated time falls behind or goes ahead of the clock between two pictures, at most, in ns at this speed.
fn unsteadiness(pictures: &[RenderRecord], speed: f64) -> f64 {
    let steps = pictures.windows(2).map(|pair| {
        let passed = (pair[1].render_time - pair[0].render_time).0 as f64 * speed;
        ((pair[1].shown_time - pair[0].shown_time).0 as f64 - passed).abs()
    });
    steps.fold(0.0, f64::max)
}

/// Ticks of 20 ms, pictures every 16.7, paused 7 ms after tick 25.
fn paused_run() -> VirtualRun {
    let mut run = run(&settings(Free, "50", "60"));
    run.advance_to(Nanos::from_millis(507)).unwrap();
    run.drain_renders();
    run.control(Control::Pause).unwrap();
    run
}

#[test]
fn pausing_draws_the_picture_of_that_moment_and_no_time_passes() {
    let mut run = paused_run();
    assert_eq!(run.now(), Nanos::from_millis(507));
    // The motion of tick 25 is drawn from 501 ms on, so 6 of its 20 ms are over.
    let pictures: Vec<_> = run.drain_renders().collect();
    let [picture] = pictures[..] else { panic!("{} pictures", pictures.len()) };
    assert_eq!((picture.render_time, picture.shown_time), (Nanos(507_000_000), Nanos(486_000_000)));
    assert!((picture.alpha - 0.3).abs() < 1e-9 && picture.ends && !picture.held, "{picture:?}");
    run.advance_to(Nanos::from_secs(60)).unwrap();
    assert_eq!(shown(&mut run), [0_i64; 0], "nothing is drawn while it stands");
    assert!(run.counts().balanced() && run.counts().pending == 0);
}

#[test]
fn a_step_moves_the_picture_by_one_tick_and_keeps_alpha() {
    let mut run = paused_run();
    run.drain_renders();
    for _ in 0..2 {
        run.control(Control::StepTick).unwrap();
    }
    run.control(Control::StepFrame).unwrap();
    let pictures: Vec<_> = run.drain_renders().collect();
    let at: Vec<i64> = pictures.iter().map(|picture| picture.shown_time.0 / 1000).collect();
    assert_eq!(at, [506_000, 526_000, 546_000]);
    assert!(pictures.iter().all(|picture| (picture.alpha - 0.3).abs() < 1e-9 && !picture.held));
}

#[test]
fn resuming_goes_on_from_the_picture_that_stands_at_its_speed() {
    for steps in [0, 1, 3] {
        let mut run = paused_run();
        for _ in 0..steps {
            run.control(Control::StepTick).unwrap();
        }
        let stood = run.drain_renders().next_back().unwrap().shown_time;
        run.advance_to(Nanos::from_secs(60)).unwrap();
        run.control(Control::Resume).unwrap();
        run.advance_to(Nanos::from_secs(70)).unwrap();
        let pictures: Vec<_> = run.drain_renders().collect();
        assert!(pictures.iter().all(|picture| !picture.held), "after {steps} steps");
        // The picture that stands is that of the moment of the resume: the next comes a sixtieth of a second later.
        let passed = pictures[0].render_time - Nanos::from_secs(60);
        let off = (pictures[0].shown_time - stood - passed).0.abs();
        assert!(off < 100_000, "{off} ns beside its way after {steps} steps");
        // It is 14 ms behind tick 26, which runs at once; that goes back by a two hundredth of a tick a tick.
        let off = unsteadiness(&pictures, 1.0);
        assert!(off < 0.006 * 16_700_000.0, "{off} ns between two pictures");
        let behind = pictures.iter().map(|picture| (picture.render_time - picture.shown_time).0);
        let behind: Vec<i64> = behind.map(|nanos| nanos / 100_000).collect();
        let from = behind[0];
        assert!(behind.windows(2).all(|pair| pair[1] <= pair[0]), "it only catches up");
        assert!(from - behind[pairs_in(5)] > 100, "{from} and {} tenths of a ms", behind[pairs_in(5)]);
    }
}

/// The steps of simulated time between pictures, and how much of that each was more than what passed on the clock, in ns.
fn runs_ahead(pictures: &[RenderRecord], since: &RenderRecord, resumed: Nanos, speed: f64) -> f64 {
    // The picture that stood is that of the moment of the resume.
    let stood = RenderRecord { render_time: resumed, ..*since };
    let all: Vec<_> = std::iter::once(stood).chain(pictures.iter().copied()).collect();
    unsteadiness(&all, speed)
}

#[test]
fn a_pause_moves_nothing_however_soon_it_follows_a_resume() {
    // Of ten ticks a second; what is left of the motion at a resume is the margin of the tick that comes with it.
    for millis in [1, 17, 50, 100, 333, 5_000, 20_000] {
        let mut run = run(&settings(Free, "10", "60"));
        run.advance_to(Nanos::from_millis(5_002)).unwrap();
        run.control(Control::Pause).unwrap();
        let mut stood = run.drain_renders().next_back().unwrap();
        for pause in 1..=3 {
            let resumed = Nanos::from_secs(60 * pause);
            run.advance_to(resumed).unwrap();
            run.control(Control::Resume).unwrap();
            run.advance_to(resumed + Nanos::from_millis(millis)).unwrap();
            run.control(Control::Pause).unwrap();
            let pictures: Vec<_> = run.drain_renders().collect();
            let off = runs_ahead(&pictures, &stood, resumed, 1.0);
            // A two hundredth, or a third once the motion is more than two ticks behind.
            let most = if millis < 20_000 { 0.34 } else { 0.006 };
            assert!(off < most * 16_700_000.0, "{off} ns at pause {pause} after {millis} ms");
            assert_eq!(pictures.iter().filter(|picture| picture.held).count(), 0, "{millis} ms");
            let last = *pictures.last().unwrap_or(&stood);
            assert_eq!(last.render_time, resumed + Nanos::from_millis(millis), "of that moment");
            stood = last;
        }
        assert!(run.counts().balanced());
        run.finish();
        assert_eq!(run.counts().pending, 0);
    }
}

#[test]
fn another_speed_in_the_middle_of_a_tick_changes_how_fast_the_picture_moves_and_not_where_it_is() {
    // A margin of a millisecond is 2 of simulated time at speed 2, and 8 at 8: it grows to that by stretching motions, by half
    // at the most.
    for (before, after, most) in
        [("1", "2", 0.07), ("0.1", "8", 0.34), ("1", "1.001", 0.01), ("8", "7.5", 0.01)]
    {
        let mut run = run(&RunSettings { speed: before.parse().unwrap(), ..settings(Free, "60", "144") });
        run.advance_to(Nanos::from_millis(2_005)).unwrap();
        let stood = run.drain_renders().next_back().unwrap();
        run.control(set_speed(after)).unwrap();
        run.advance_to(Nanos::from_millis(2_500)).unwrap();
        let pictures: Vec<_> = run.drain_renders().collect();
        let (from, to): (f64, f64) = (before.parse().unwrap(), after.parse().unwrap());
        let period = 1e9 / 144.0;
        let first = (pictures[0].shown_time - stood.shown_time).0 as f64;
        assert!(first > from.min(to) * period * 0.99 && first < from.max(to) * period * 1.01, "{first}");
        let off = unsteadiness(&pictures, to);
        assert!(off < most * period * to, "{off} ns from {before} to {after}");
    }
}

#[test]
fn a_change_of_speed_or_rate_in_the_middle_of_a_tick_leaves_of_it_what_was_left() {
    // Half a tick is left, of 50 ms.
    let half_way = || {
        let mut run = run(&settings(Free, "10", "60"));
        run.advance_to(Nanos::from_millis(5_050)).unwrap();
        run.drain_frames();
        run
    };
    for (control, next_millis) in [
        (set_speed("0.5"), 5_150),
        (set_speed("0.25"), 5_250),
        (set_speed("2"), 5_075),
        (Control::SetTickRate("20".parse().unwrap()), 5_075),
    ] {
        let mut run = half_way();
        run.control(control.clone()).unwrap();
        run.advance_to(Nanos::from_millis(next_millis + 1)).unwrap();
        let frames: Vec<_> = run.drain_frames().collect();
        let ticks: Vec<_> = frames.iter().filter(|frame| frame.ticks > 0).collect();
        assert_eq!((ticks.len(), ticks[0].render_time.0 / 1_000_000), (1, next_millis), "{control:?}");
        // The time until the change is on record as it was.
        assert_eq!((frames[0].delta, frames[0].ticks), (Nanos::from_millis(50), 0));
        assert!((frames[0].alpha - 0.5).abs() < 1e-9 && frames.iter().all(FrameRecord::conserved));
        assert_eq!(run.drain_renders().filter(|picture| picture.held).count(), 0, "{control:?}");
    }
}

#[test]
fn at_speed_0_the_slot_goes_on_from_where_the_free_handoff_stands() {
    let mut run = run(&settings(Free, "1", "60"));
    run.advance_to(Nanos::from_millis(5_500)).unwrap();
    run.control(set_speed("0")).unwrap();
    run.advance_to(Nanos::from_secs(8)).unwrap();
    let stood = *shown(&mut run).last().unwrap();
    run.control(Control::SetHandoff(Slot)).unwrap();
    run.advance_to(Nanos::from_secs(9)).unwrap();
    let after = shown(&mut run);
    // The slot has no margin: it is a millisecond on.
    assert_eq!((after.is_sorted(), after.last()), (true, Some(&(stood + 1_000))), "{after:?} after {stood}");
}

#[test]
fn free_goes_on_from_where_the_slot_is_in_a_tick_that_had_another_rate_when_it_ran() {
    let mut run = run(&settings(Slot, "10", "60"));
    run.advance_to(Nanos::from_millis(1_050)).unwrap();
    run.control(Control::SetTickRate("1".parse().unwrap())).unwrap();
    run.advance_to(Nanos::from_millis(1_400)).unwrap();
    run.control(Control::SetHandoff(Free)).unwrap();
    run.advance_to(Nanos::from_millis(1_500)).unwrap();
    // The tick at a second was a tenth of one; of the second that it is drawn over half is gone soon, and was at the change.
    let pictures: Vec<_> = run.drain_renders().collect();
    assert!(pictures.windows(2).all(|pair| pair[0].shown_time <= pair[1].shown_time), "{pictures:?}");
    let last = pictures.last().unwrap();
    assert!((last.alpha - 0.95).abs() < 0.03 && !last.held, "{last:?}");
}

#[test]
fn an_edit_by_hand_is_shown_at_once_though_the_motion_of_its_frame_had_not_begun() {
    let mut run = run(&settings(Free, "10", "60"));
    run.advance_to(Nanos::from_millis(5_002)).unwrap();
    run.control(Control::Pause).unwrap();
    run.control(Control::Resume).unwrap();
    run.advance_to(Nanos::from_millis(5_010)).unwrap();
    run.control(Control::Pause).unwrap();
    assert_eq!(run.counts().pending, 1, "the tick of the resume");
    run.control(Control::SetSpeed("2".parse().unwrap())).unwrap();
    run.drain_renders();
    let moved = crate::world::HandEdit::Pose(crate::scene::Pose::default());
    run.control(Control::ByHand(vec![(EntityId(1), moved)])).unwrap();
    let pictures: Vec<_> = run.drain_renders().collect();
    assert_eq!((pictures.len(), run.counts().pending), (1, 0));
    assert_eq!(pictures[0].frame, run.sim().core().record().frame);
}

/// So many seconds of pictures at 60 Hz.
const fn pairs_in(seconds: usize) -> usize {
    60 * seconds
}

#[test]
fn a_run_that_is_paused_before_play_steps_from_tick_0_and_goes_on() {
    let mut run = run(&RunSettings { start_paused: true, ..settings(Free, "50", "60") });
    run.next_frame().unwrap();
    assert_eq!(shown(&mut run), [0]);
    run.control(Control::StepTick).unwrap();
    run.control(Control::StepTick).unwrap();
    // At alpha 0 the blend shows the tick before, as in the other handoffs.
    assert_eq!(shown(&mut run), [0, 20_000]);
    run.control(Control::Resume).unwrap();
    run.advance_to(Nanos::from_secs(1)).unwrap();
    let pictures: Vec<_> = run.drain_renders().collect();
    assert!(unsteadiness(&pictures, 1.0) < 0.006 * 16_700_000.0);
    assert!(pictures[0].shown_time < Nanos::from_millis(38), "{:?}", pictures[0]);
}

#[test]
fn at_speed_0_the_picture_stands_and_then_goes_on_from_there() {
    let mut run = run(&settings(Free, "50", "60"));
    run.advance_to(Nanos::from_millis(507)).unwrap();
    run.control(set_speed("0")).unwrap();
    run.drain_renders();
    run.advance_to(Nanos::from_secs(2)).unwrap();
    let stood = shown(&mut run);
    let last = *stood.last().unwrap();
    assert!(stood[10..].iter().all(|at| *at == last), "{stood:?}");
    run.control(set_speed("0.5")).unwrap();
    run.advance_to(Nanos::from_secs(4)).unwrap();
    let pictures: Vec<_> = run.drain_renders().collect();
    let off = unsteadiness(&pictures[2..pictures.len() - 1], 0.5);
    assert!(off < 0.006 * 16_700_000.0, "{off} ns");
    assert!((pictures[3].shown_time.0 / 1000 - last).abs() < 40_000, "{:?} after {last}", pictures[3]);
}

#[test]
fn free_has_as_many_ticks_as_the_slot_however_long_they_are() {
    let limit = Nanos::from_millis(50);
    let ticks = |handoff, rate: &str, speed: &str, max_delta: Nanos| {
        let speed = speed.parse().unwrap();
        let settings = RunSettings { speed, max_delta, ..settings(handoff, rate, "60") };
        let mut run = run(&settings);
        run.advance_to(Nanos::from_secs(10)).unwrap();
        let clamped: i64 = run.drain_frames().map(|frame| frame.clamped.0).sum();
        (run.sim().core().tick(), clamped)
    };
    let usual = RunSettings::default().max_delta;
    for (rate, speed, max_delta, expected) in [
        ("2", "1", usual, 20),
        ("1", "1", usual, 10),
        ("10", "0.1", usual, 10),
        ("60", "0.05", usual, 30),
        ("10", "0.05", usual, 5),
        ("10", "1", limit, 100),
    ] {
        for handoff in HandoffMode::ALL {
            let expected = (Tick(expected), 0);
            assert_eq!(
                ticks(handoff, rate, speed, max_delta),
                expected,
                "{rate} at {speed}, {}",
                handoff.name()
            );
        }
    }
}

#[test]
fn a_stall_is_clamped_in_free_as_elsewhere() {
    let mut run = run(&settings(Free, "60", "60"));
    run.next_frame_with_delta(Nanos::ZERO).unwrap();
    run.next_frame_with_delta(Nanos::from_secs(1)).unwrap();
    let frame = run.drain_frames().next_back().unwrap();
    assert_eq!((frame.clamped, frame.ticks, frame.capped_ticks), (Nanos::from_millis(750), 5, 10));
}

#[test]
fn a_switch_to_free_between_two_ticks_costs_no_latency() {
    for (ticks, frames, tick_millis) in [("10", "60", 100), ("60", "144", 17)] {
        for millis in [3_000, 3_017, 3_050, 3_083] {
            let mut run = run(&settings(Slot, ticks, frames));
            run.advance_to(Nanos::from_millis(1_000)).unwrap();
            run.control(Control::SetHandoff(Free)).unwrap();
            run.advance_to(Nanos::from_millis(2_000)).unwrap();
            run.control(Control::SetHandoff(Slot)).unwrap();
            run.advance_to(Nanos::from_millis(millis)).unwrap();
            run.drain_renders();
            run.control(Control::SetHandoff(Free)).unwrap();
            run.advance_to(Nanos::from_millis(millis + 3_000)).unwrap();
            let pictures: Vec<_> = run.drain_renders().collect();
            let behind = |picture: &RenderRecord| (picture.render_time - picture.shown_time).0 / 1_000_000;
            let most = pictures[2..].iter().map(behind).max().unwrap();
            assert!(most <= tick_millis + 1, "{most} ms behind, {ticks} on {frames} from {millis} ms on");
            assert!(unsteadiness(&pictures[2..], 1.0) < 1_000.0, "{ticks} on {frames} from {millis} ms on");
            assert_eq!(pictures.iter().filter(|picture| picture.held).count(), 0);
        }
    }
}

#[test]
fn ticks_that_share_a_frame_are_drawn_as_evenly_as_those_that_do_not() {
    // 2048 and 4096 ticks a second on frames of 1000 Hz.
    for speed in ["4", "8"] {
        let settings = RunSettings { speed: speed.parse().unwrap(), ..settings(Free, "512", "60") };
        let mut run = run(&settings);
        run.advance_to(Nanos::from_secs(2)).unwrap();
        let pictures: Vec<_> = run.drain_renders().collect();
        let off = unsteadiness(&pictures[60..], speed.parse().unwrap());
        // How late the first of a frame's ticks is changes a little, and the margin follows: 25 µs on the clock.
        assert!(off < 25_000.0 * speed.parse::<f64>().unwrap(), "{off} ns at {speed}");
        assert_eq!(pictures.iter().filter(|picture| picture.held).count(), 0, "at {speed}");
    }
}

#[test]
fn a_cadence_of_frames_of_eight_ticks_is_drawn_evenly() {
    let mut run = run(&settings(Free, "512", "60"));
    for _ in 0..300 {
        run.next_frame_with_delta(Nanos(16_666_667)).unwrap();
    }
    let pictures: Vec<_> = run.drain_renders().collect();
    let off = unsteadiness(&pictures[60..pictures.len() - 1], 1.0);
    assert!(off < 100_000.0, "{off} ns");
    let held = pictures[8..].iter().filter(|picture| picture.held).count();
    assert_eq!(held, 0);
}

#[test]
fn the_margin_is_there_from_the_first_frame() {
    let mut run = run(&settings(Free, "60", "59.94"));
    run.advance_to(Nanos::from_secs(1)).unwrap();
    assert_eq!(run.drain_renders().filter(|picture| picture.held).count(), 0);
}
