//! Late frames and missed deadlines: only what a frame caused counts, whatever is asked for in between.

use super::tests::{frames, mover_scene, only, run_with};
use super::virtual_time::VirtualOptions;
use super::{Control, Next, RunSettings, Sim};
use crate::frame::record::{FrameRecord, HandoffMode};
use crate::handoff::frame_handoffs;
use crate::scene::{EntityId, Load};
use crate::time::source::ManualClock;
use crate::time::{Nanos, Rate};

fn at_10_hz() -> RunSettings {
    RunSettings { frame_rate: Rate::hz(10).unwrap(), ..RunSettings::default() }
}

#[test]
fn a_control_while_a_frame_wakes_for_its_deadline_leaves_it_on_time() {
    let (producer, _consumer, _) = frame_handoffs(HandoffMode::Slot);
    let mut clock = ManualClock::new(Nanos::ZERO);
    let mut sim = Sim::new(&mover_scene(Load::default()), &at_10_hz(), producer, Nanos::ZERO).unwrap();
    sim.run_frame(Nanos::ZERO, Nanos::ZERO, &mut clock).unwrap();

    // It waits from 1 ms on, wakes 300 µs after its deadline of 100 ms, and finds that somebody watches something.
    assert_eq!(sim.next(), Next::At(Nanos::from_millis(100)));
    assert_eq!(sim.arrive(Nanos::from_millis(1)), Nanos::from_millis(1));
    clock.set(Nanos::from_micros(100_300));
    sim.apply(Control::Watch(vec![EntityId(1)]), &mut clock).unwrap();
    let arrived = sim.arrive(Nanos::from_micros(100_400));
    sim.run_frame(arrived, Nanos::from_micros(100_500), &mut clock).unwrap();
    // The next one comes after its deadline by itself.
    clock.set(Nanos::from_millis(220));
    let arrived = sim.arrive(Nanos::from_millis(220));
    sim.run_frame(arrived, Nanos::from_millis(220), &mut clock).unwrap();

    let seen: Vec<FrameRecord> = sim.drain_finished().collect();
    let figures = |frame: &FrameRecord| (frame.render_time, frame.late, frame.missed, frame.wake_error);
    assert_eq!(figures(&seen[1]), (Nanos::from_millis(100), false, 0, Nanos::from_micros(500)));
    assert_eq!(figures(&seen[2]), (Nanos::from_millis(220), true, 0, Nanos::ZERO));
}

#[test]
fn a_new_frame_rate_misses_no_deadline_that_had_passed_before_it_was_asked_for() {
    let mut run = run_with(&at_10_hz(), VirtualOptions::default(), Load::default());
    frames(&mut run, 1);
    run.advance_to(Nanos::from_millis(90)).unwrap();
    run.control(Control::SetFrameRate(Rate::hz(1000).unwrap())).unwrap();
    frames_are(&mut run, &[(91_000_000, false, 0), (92_000_000, false, 0)]);
}

#[test]
fn a_new_frame_rate_does_not_undo_that_a_frame_is_late() {
    // Each frame takes 40 ms on a grid of 10 ms: the one after the change arrives at 40 ms for its deadline of 10 ms.
    let settings = RunSettings { frame_rate: Rate::hz(100).unwrap(), ..RunSettings::default() };
    let load = Load { frame: Nanos::from_millis(40), ..Load::default() };
    let mut run = run_with(&settings, VirtualOptions::default(), load);
    frames(&mut run, 1);
    run.control(Control::SetFrameRate(Rate::hz(20).unwrap())).unwrap();
    // Three points of the old grid are missed. The new one begins at 40 ms: its first point is at 90 ms.
    frames_are(&mut run, &[(40_000_000, true, 3), (90_000_000, false, 0)]);
}

fn frames_are(run: &mut super::virtual_time::VirtualRun, expected: &[(i64, bool, u64)]) {
    for (render_time, late, missed) in expected {
        assert!(run.next_frame().unwrap());
        let frame = only(run);
        assert_eq!((frame.render_time, frame.late, frame.missed), (Nanos(*render_time), *late, *missed));
    }
}
