//! What a driver may rely on: pausing, stepping, counting and virtual time, by literal values.

use super::virtual_time::{VirtualOptions, VirtualRun};
use super::{Control, RunSettings, RunState};
use crate::frame::record::{FrameKind, FrameRecord, RenderRecord};
use crate::frame::stage::Stage;
use crate::input::{InputEvent, InputKind, InputState, Key};
use crate::render::NullRenderer;
use crate::scene::project::PhysicsDivisor;
use crate::scene::{Entity, EntityId, Load, Motion, Scene};
use crate::time::{FrameIndex, Nanos, Rate, Speed, Tick};
use glam::Vec3;
use std::sync::{Arc, Mutex};

const PERIOD_60: i64 = 16_666_667;

pub(super) fn mover_scene(load: Load) -> Scene {
    let mover = Entity {
        id: EntityId(1),
        name: "Mover".to_owned(),
        motion: Some(Motion::Steady { velocity: Vec3::X }),
        load: Some(load),
        ..Entity::default()
    };
    Scene { entities: vec![mover], ..Scene::default() }
}

pub(super) fn run_with(settings: &RunSettings, options: VirtualOptions, load: Load) -> VirtualRun {
    VirtualRun::new(&mover_scene(load), settings, Box::new(NullRenderer::default()), options)
        .expect("the scene is valid")
}

fn run(settings: &RunSettings) -> VirtualRun {
    run_with(settings, VirtualOptions::default(), Load::default())
}

pub(super) fn frames(run: &mut VirtualRun, count: usize) -> Vec<FrameRecord> {
    for _ in 0..count {
        assert!(run.next_frame().expect("no fault"), "a frame is due");
    }
    run.drain_frames().collect()
}

pub(super) fn only(run: &mut VirtualRun) -> FrameRecord {
    let frames: Vec<_> = run.drain_frames().collect();
    assert_eq!(frames.len(), 1);
    frames[0]
}

#[test]
fn frame_one_runs_at_once_with_delta_zero_and_no_tick() {
    let mut run = run(&RunSettings::default());
    let first = frames(&mut run, 1)[0];
    assert_eq!((first.frame, first.kind, first.tick), (FrameIndex(1), FrameKind::First, Tick(0)));
    assert_eq!((first.delta, first.render_time), (Nanos(0), Nanos(0)));
    assert_eq!((first.handoff.published, first.handoff.pending), (1, 1));
    assert!(first.conserved());
}

#[test]
fn sixty_ticks_on_a_sixty_hertz_grid_are_one_a_frame() {
    let mut run = run(&RunSettings::default());
    let all = frames(&mut run, 601);
    assert!(all[1..].iter().all(|frame| frame.ticks == 1));
    assert_eq!(all[600].tick, Tick(600));
    assert_eq!(all[600].render_time, Nanos::from_secs(10));
    assert!(all.iter().all(FrameRecord::conserved));
    run.finish();
    let counts = run.counts();
    assert_eq!((counts.published, counts.rendered, counts.dropped, counts.abandoned), (601, 601, 0, 0));
}

#[test]
fn a_clock_started_at_thirty_hours_changes_nothing() {
    let start = Nanos::from_secs(30 * 3600);
    let options = VirtualOptions { start, ..VirtualOptions::default() };
    let mut late = run_with(&RunSettings::default(), options, Load::default());
    let mut early = run(&RunSettings::default());
    for (late, early) in frames(&mut late, 300).iter().zip(frames(&mut early, 300)) {
        assert_eq!(late.render_time - start, early.render_time);
        assert_eq!((late.delta, late.ticks, late.alpha), (early.delta, early.ticks, early.alpha));
    }
}

#[test]
fn pausing_keeps_overstep_and_resuming_gives_one_period() {
    let settings = RunSettings { tick_rate: Rate::hz(50).unwrap(), ..RunSettings::default() };
    let mut run = run(&settings);
    let before = frames(&mut run, 4)[3];
    run.control(Control::Pause).unwrap();
    assert_eq!(run.state(), RunState::Paused);
    assert!(!run.next_frame().unwrap(), "nothing is due while it stands");
    run.advance_to(Nanos::from_secs(600)).unwrap();
    assert_eq!(run.drain_frames().count(), 0);
    run.control(Control::Resume).unwrap();
    let after = frames(&mut run, 1)[0];
    assert_eq!((after.kind, after.delta), (FrameKind::Resumed, Nanos(PERIOD_60)));
    assert_eq!((after.late, after.missed), (false, 0));
    assert_eq!(after.render_time, Nanos::from_secs(600));
    assert_eq!(after.totals.scaled_ticks, before.totals.scaled_ticks + PERIOD_60 as f64 / 2e7);
    assert!(after.conserved());
}

#[test]
fn pausing_and_resuming_between_two_frames_loses_and_doubles_no_tick() {
    let mut run = run(&RunSettings::default());
    frames(&mut run, 10);
    run.control(Control::Pause).unwrap();
    run.control(Control::Resume).unwrap();
    assert_eq!(frames(&mut run, 10)[9].tick, Tick(19));
}

#[test]
fn paused_before_play_shows_frame_one_and_stands() {
    let mut run = run(&RunSettings { start_paused: true, ..RunSettings::default() });
    assert!(run.next_frame().unwrap());
    assert!(!run.next_frame().unwrap());
    assert_eq!(only(&mut run).frame, FrameIndex(1));
    assert_eq!(run.state(), RunState::Paused);
    assert_eq!(run.counts().rendered, 1);
}

#[test]
fn sixty_presses_of_step_frame_are_sixty_ticks_and_one_second() {
    let mut run = run(&RunSettings::default());
    frames(&mut run, 1);
    for _ in 0..60 {
        run.control(Control::StepFrame).unwrap();
    }
    let stepped: Vec<_> = run.drain_frames().collect();
    assert_eq!(stepped.len(), 60);
    assert!(stepped.iter().all(|frame| frame.kind == FrameKind::SteppedFrame && frame.ticks == 1));
    assert_eq!((stepped[59].tick, stepped[59].simulated_time), (Tick(60), Nanos::from_secs(1)));
}

#[test]
fn a_stepped_tick_keeps_overstep_and_moves_by_one_tick_at_any_speed() {
    let settings = RunSettings {
        tick_rate: Rate::hz(50).unwrap(),
        speed: Speed::from_thousandths(0).unwrap(),
        ..RunSettings::default()
    };
    let mut run = run(&settings);
    frames(&mut run, 2);
    run.control(Control::SetSpeed(Speed::NORMAL)).unwrap();
    let before = frames(&mut run, 1)[0];
    run.control(Control::StepTick).unwrap();
    let after = only(&mut run);
    assert_eq!((after.kind, after.delta), (FrameKind::SteppedTick, Nanos(0)));
    assert_eq!((after.ticks, after.stepped_ticks), (1, 1));
    assert_eq!(after.tick, Tick(before.tick.0 + 1));
    assert_eq!((after.alpha, after.overstep), (before.alpha, before.overstep));
    assert_eq!(after.totals.stepped, 1);
    assert!(after.conserved());
}

#[test]
fn six_step_presses_are_one_frame_stage_by_stage() {
    let mut run = run(&RunSettings::default());
    frames(&mut run, 3);
    for next in &Stage::ALL[1..] {
        run.control(Control::StepStage).unwrap();
        assert_eq!(run.state(), RunState::FrameOpen { next: *next });
        assert_eq!(run.drain_frames().count(), 0);
    }
    run.control(Control::StepStage).unwrap();
    assert_eq!(run.state(), RunState::Paused);
    let stepped = only(&mut run);
    assert_eq!((stepped.frame, stepped.kind), (FrameIndex(4), FrameKind::SteppedFrame));
    assert_eq!((stepped.delta, stepped.ticks), (Nanos(PERIOD_60), 1));
}

#[test]
fn the_last_published_frame_stays_until_stage_five() {
    let mut run = run(&RunSettings::default());
    frames(&mut run, 3);
    for _ in 0..4 {
        run.control(Control::StepStage).unwrap();
        assert_eq!(run.sim().core().published(), FrameIndex(3));
    }
    run.control(Control::StepStage).unwrap();
    assert_eq!(run.sim().core().published(), FrameIndex(4));
    assert_eq!(run.counts().rendered, 4);
}

#[test]
fn an_open_frame_is_finished_by_step_frame_resume_and_step_tick_and_discarded_by_stop() {
    let opened = || {
        let mut run = run(&RunSettings::default());
        frames(&mut run, 3);
        run.control(Control::StepStage).unwrap();
        run.control(Control::StepStage).unwrap();
        run
    };
    let mut run = opened();
    run.control(Control::StepFrame).unwrap();
    assert_eq!(only(&mut run).frame, FrameIndex(4));
    assert_eq!(run.state(), RunState::Paused);

    let mut run = opened();
    run.control(Control::StepTick).unwrap();
    let finished: Vec<_> = run.drain_frames().map(|frame| (frame.frame.0, frame.kind)).collect();
    assert_eq!(finished, [(4, FrameKind::SteppedFrame), (5, FrameKind::SteppedTick)]);

    let mut run = opened();
    run.control(Control::Resume).unwrap();
    assert_eq!(only(&mut run).frame, FrameIndex(4));
    assert_eq!(frames(&mut run, 1)[0].kind, FrameKind::Resumed);

    let mut run = opened();
    run.control(Control::Stop).unwrap();
    assert_eq!((run.state(), run.drain_frames().count()), (RunState::Stopped, 0));
    assert_eq!(run.counts().published, 3);
}

#[test]
fn the_physics_divisor_changes_while_running_from_the_end_of_the_step_under_way_on() {
    let settings = RunSettings {
        tick_rate: Rate::hz(60).unwrap(),
        physics_divisor: PhysicsDivisor::new(8).unwrap(),
        ..RunSettings::default()
    };
    let mut run = run(&settings);
    let to_tick = |run: &mut VirtualRun, tick: u64| {
        let mut frames = Vec::new();
        while run.sim().core().tick().0 < tick {
            run.next_frame().unwrap();
            frames.extend(run.drain_frames());
        }
        (frames, run.sim().core().world().physics_steps())
    };
    // Steps end at 7 and 15, and the third is to end at 23.
    assert_eq!(to_tick(&mut run, 18).1, 2);
    run.control(Control::SetPhysicsDivisor(PhysicsDivisor::new(2).unwrap())).unwrap();
    let (frames, steps) = to_tick(&mut run, 22);
    assert_eq!(steps, 2, "the step under way goes on");
    let changed: Vec<bool> = frames.iter().map(|frame| frame.settings_changed).collect();
    assert_eq!(changed, [true, false, false, false]);
    assert!(frames.iter().all(|frame| frame.physics_divisor == 2 && frame.conserved()));
    // 23, then 25, 27 and 29.
    assert_eq!(to_tick(&mut run, 30).1, 6);
}

#[test]
fn settings_changed_with_a_frame_open_wait_for_its_end() {
    let mut run = run(&RunSettings::default());
    frames(&mut run, 2);
    run.control(Control::StepStage).unwrap();
    run.control(Control::SetTickRate(Rate::hz(120).unwrap())).unwrap();
    assert!(run.sim().settings_wait());
    run.control(Control::StepFrame).unwrap();
    assert_eq!(only(&mut run).tick_rate, Rate::HZ_60);
    assert!(!run.sim().settings_wait());
    run.control(Control::StepFrame).unwrap();
    let next = only(&mut run);
    assert_eq!((next.tick_rate.num(), next.settings_changed, next.ticks), (120, true, 2));
}

#[test]
fn a_new_frame_rate_starts_a_grid_at_the_last_render_time() {
    let mut run = run(&RunSettings::default());
    frames(&mut run, 4);
    run.control(Control::SetFrameRate(Rate::hz(100).unwrap())).unwrap();
    let next = frames(&mut run, 2);
    assert_eq!(next[0].render_time, Nanos(50_000_000 + 10_000_000));
    assert_eq!(next[1].delta, Nanos(10_000_000));
    assert_eq!(
        (next[0].frame, next[0].settings_changed, next[1].settings_changed),
        (FrameIndex(5), true, false)
    );
}

#[test]
fn a_frame_after_a_long_one_is_late_and_misses_grid_points_without_a_burst() {
    // One frame of 40 ms on a 10 ms grid: the next arrives at 40 ms for its deadline of 10 ms.
    let settings = RunSettings { frame_rate: Rate::hz(100).unwrap(), ..RunSettings::default() };
    let load = Load { frame: Nanos::from_millis(40), ..Load::default() };
    let mut run = run_with(&settings, VirtualOptions::default(), load);
    let all = frames(&mut run, 3);
    assert_eq!((all[1].render_time, all[1].late, all[1].missed), (Nanos(40_000_000), true, 3));
    assert_eq!((all[2].render_time, all[2].late, all[2].missed), (Nanos(80_000_000), true, 3));
}

#[test]
fn a_tick_that_costs_twice_its_length_runs_in_slow_motion_and_counts_what_is_capped() {
    let load = Load { tick: Nanos(2 * PERIOD_60), ..Load::default() };
    let mut run = run_with(&RunSettings::default(), VirtualOptions::default(), load);
    let all = frames(&mut run, 60);
    let last = all[59];
    assert!(all.iter().all(|frame| frame.ticks <= 5));
    assert!(last.totals.capped > 100, "{:?}", last.totals);
    assert!(last.conserved());
}

#[test]
fn drops_on_a_manual_clock_are_the_same_every_time() {
    let outcome = || {
        let options = VirtualOptions { render_cost: Nanos::from_millis(25), ..VirtualOptions::default() };
        let mut run = run_with(&RunSettings::default(), options, Load::default());
        let all = frames(&mut run, 121);
        run.finish();
        let replaced: Vec<_> = all.iter().filter_map(|frame| frame.replaced).collect();
        let rendered: Vec<_> = run.drain_renders().map(|record| record.frame.0).collect();
        (replaced, rendered, run.counts())
    };
    let (replaced, rendered, counts) = outcome();
    assert_eq!((replaced.clone(), rendered.clone(), counts), outcome());
    assert_eq!(counts.published, 121);
    assert_eq!(counts.rendered + counts.dropped, 121);
    assert_eq!(counts.dropped, replaced.len() as u64);
    assert!(counts.dropped > 0 && rendered.is_sorted());
    // Frame 1 is taken at 0 and done at 25 ms; frame 2 (16.7 ms) waits, is taken at 25 and done at 50; frame 3 (33.3 ms)
    // waits; at 50.0 ms render-done and the take of frame 3 come before frame 4 is published.
    assert_eq!(rendered[..4], [1, 2, 3, 5]);
}

#[test]
fn a_submit_shorter_than_a_period_drops_nothing() {
    let options = VirtualOptions { render_cost: Nanos(PERIOD_60 - 1), ..VirtualOptions::default() };
    let mut run = run_with(&RunSettings::default(), options, Load::default());
    frames(&mut run, 100);
    run.finish();
    assert_eq!((run.counts().rendered, run.counts().dropped), (100, 0));
}

#[test]
fn while_paused_rendering_finishes_before_the_next_action() {
    let options = VirtualOptions { render_cost: Nanos::from_millis(500), ..VirtualOptions::default() };
    let mut run = run_with(&RunSettings::default(), options, Load::default());
    frames(&mut run, 1);
    for _ in 0..10 {
        run.control(Control::StepFrame).unwrap();
    }
    let renders: Vec<RenderRecord> = run.drain_renders().collect();
    assert_eq!((run.counts().rendered, run.counts().dropped), (11, 0));
    assert_eq!(renders.len(), 11);
}

#[test]
fn a_panic_in_application_code_ends_the_run_and_says_where() {
    let mut run = run(&RunSettings::default());
    run.sim_mut().core_mut().set_app_update(Box::new(|time, _, _| {
        assert!(time.frame.0 < 3, "the third frame is one too many");
    }));
    frames(&mut run, 2);
    let failure = run.next_frame().unwrap_err();
    assert_eq!((failure.thread, failure.frame, failure.tick), ("sim", FrameIndex(3), Tick(1)));
    assert_eq!(failure.stage, Some(Stage::RunAppUpdate));
    assert!(failure.message.contains("the third frame is one too many"), "{failure}");
    assert_eq!(run.state(), RunState::Failed);
    assert!(run.next_frame().is_err(), "a failed run runs no further frame");
}

#[test]
fn the_applications_update_is_told_its_delta_and_what_of_it_counts_at_the_present_speed() {
    let settings = RunSettings { speed: Speed::from_thousandths(500).unwrap(), ..RunSettings::default() };
    let mut run = run(&settings);
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = told.clone();
    run.sim_mut().core_mut().set_app_update(Box::new(move |time, _, _| {
        tell.lock().unwrap().push((time.delta.0, time.scaled_delta.0));
    }));
    frames(&mut run, 2);
    // 750 ms of it are clamped.
    run.next_frame_with_delta(Nanos::from_secs(1)).unwrap();
    run.control(Control::StepTick).unwrap();
    let expected = [(0, 0), (PERIOD_60, PERIOD_60 / 2), (1_000_000_000, 125_000_000), (0, 0)];
    assert_eq!(*told.lock().unwrap(), expected);
}

#[test]
fn time_is_published_with_the_last_frames_tick_and_alpha_and_is_complete_after_the_frame() {
    let settings = RunSettings { tick_rate: Rate::hz(50).unwrap(), ..RunSettings::default() };
    let mut run = run(&settings);
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = told.clone();
    run.sim_mut().core_mut().set_app_update(Box::new(move |time, _, _| {
        // Alpha in millionths, rounded down.
        let alpha = (time.alpha * 1e6) as u32;
        tell.lock().unwrap().push((time.frame.0, time.tick.0, alpha, time.tick_length.0));
    }));
    for _ in 0..4 {
        let frame = frames(&mut run, 1)[0];
        let time = run.sim().core().time();
        assert_eq!((time.frame, time.tick), (frame.frame, frame.tick));
        assert_eq!(time.alpha.to_bits(), frame.alpha.to_bits(), "{frame:?}");
    }
    let expected = [
        (1, 0, 0, 20_000_000),
        (2, 0, 0, 20_000_000),
        (3, 0, 833_333, 20_000_000),
        (4, 1, 666_666, 20_000_000),
    ];
    assert_eq!(*told.lock().unwrap(), expected);
}

#[test]
fn a_tick_limit_cuts_what_is_due_beyond_it() {
    let settings =
        RunSettings { tick_rate: Rate::hz(240).unwrap(), tick_limit: Some(6), ..RunSettings::default() };
    let mut run = run(&settings);
    let all = frames(&mut run, 3);
    assert_eq!(all.iter().map(|frame| frame.ticks).collect::<Vec<_>>(), [0, 4, 2]);
    assert_eq!(all[2].cut_ticks, 2);
    assert!(all[2].conserved());
}

#[test]
fn of_two_frames_at_one_instant_the_first_is_taken_before_the_second_is_published() {
    // Resuming finishes the open frame; the steps after it publish at the same time of the manual clock.
    for step in [Control::StepFrame, Control::StepTick] {
        let mut run = run(&RunSettings::default());
        frames(&mut run, 1);
        for control in [Control::StepStage, Control::Resume, step.clone()] {
            run.control(control).expect("no fault");
        }
        let all: Vec<_> = run.drain_frames().collect();
        assert_eq!(all[1].render_time, all[0].render_time);
        assert_eq!(all.iter().map(|frame| frame.handoff.dropped).collect::<Vec<_>>(), [0, 0], "{step:?}");
        assert!(all.iter().all(FrameRecord::conserved));
        assert_eq!((run.counts().published, run.counts().rendered), (3, 3));
    }
    // The same within one control: a step tick finishes the open frame first.
    let mut run = run(&RunSettings::default());
    frames(&mut run, 1);
    for control in [Control::StepStage, Control::StepTick] {
        run.control(control).expect("no fault");
    }
    assert_eq!((run.counts().published, run.counts().rendered, run.counts().dropped), (3, 3, 0));
}

#[test]
fn a_mouse_that_moves_while_frames_stand_overflows_nothing_and_keeps_a_key_down() {
    let mut run = run(&RunSettings::default());
    let seen = Arc::new(Mutex::new(InputState::default()));
    let keep = seen.clone();
    run.sim_mut().core_mut().set_app_update(Box::new(move |_, input, _| *keep.lock().unwrap() = *input));
    frames(&mut run, 2);
    run.control(Control::Pause).unwrap();
    let give = |run: &mut VirtualRun, kind| {
        let event = InputEvent { at: run.now(), kind };
        run.control(Control::Input(event)).unwrap();
    };
    give(&mut run, InputKind::KeyDown(Key::W));
    for x in 0..5_000 {
        give(&mut run, InputKind::Pointer([x, 7]));
    }
    run.control(Control::StepTick).unwrap();
    let input = *seen.lock().unwrap();
    assert_eq!((run.sim().core().input_lost(), input.pointer()), (0, Some([4_999, 7])));
    assert!(input.held().contains(Key::W));
    // What may not be left out still overflows, and releases every key.
    for _ in 0..600 {
        give(&mut run, InputKind::KeyDown(Key::A));
        give(&mut run, InputKind::KeyUp(Key::A));
    }
    run.control(Control::StepTick).unwrap();
    assert_eq!(run.sim().core().input_lost(), 1_024);
    assert!(seen.lock().unwrap().held().is_empty());
}
