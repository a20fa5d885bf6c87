//! An application's own code: how often it is called, what it is told, and what comes of what it does.

use super::virtual_time::{VirtualOptions, VirtualRun};
use super::{Control, RunSettings};
use crate::frame::application::{AppTick, AppUpdate};
use crate::frame::core::Time;
use crate::frame::record::{FrameRecord, HandoffMode};
use crate::frame::stage::Stage;
use crate::input::{InputEvent, InputKind, InputState, Key};
use crate::render::NullRenderer;
use crate::scene::{
    Body, BodyKind, Camera, Color, Entity, EntityId, Motion, Pose, Scene, Shape, ShapeKind, Transform,
};
use crate::time::{Nanos, Rate, Speed, Tick};
use crate::world::HandEdit;
use glam::Vec3;
use std::sync::{Arc, Mutex};

const MOVER: EntityId = EntityId(1);
const GUEST: EntityId = EntityId(2);
const BALL: EntityId = EntityId(3);
const CAMERA: EntityId = EntityId(4);

fn scene() -> Scene {
    let mover = Entity {
        id: MOVER,
        name: "Mover".to_owned(),
        motion: Some(Motion::Steady { velocity: Vec3::X }),
        ..Entity::default()
    };
    let guest = Entity { id: GUEST, name: "Guest".to_owned(), ..Entity::default() };
    let ball = Entity {
        id: BALL,
        name: "Ball".to_owned(),
        transform: Transform { position: Vec3::Y * 100.0, ..Transform::default() },
        shape: Some(Shape { kind: ShapeKind::Sphere { radius: 0.5 }, color: Color::WHITE }),
        body: Some(Body { kind: BodyKind::Dynamic, ..Body::default() }),
        ..Entity::default()
    };
    let camera = Entity {
        id: CAMERA,
        name: "Camera".to_owned(),
        camera: Some(Camera::default()),
        ..Entity::default()
    };
    Scene { entities: vec![mover, guest, ball, camera], ..Scene::default() }
}

fn run(settings: &RunSettings) -> VirtualRun {
    VirtualRun::new(&scene(), settings, Box::new(NullRenderer::new()), VirtualOptions::default())
        .expect("the scene is valid")
}

fn frames(run: &mut VirtualRun, count: usize) -> Vec<FrameRecord> {
    (0..count).for_each(|_| assert!(run.next_frame().expect("no fault"), "a frame is due"));
    run.drain_frames().collect()
}

fn at(x: f32) -> Pose {
    Pose { position: Vec3::X * x, ..Pose::default() }
}

/// What application code was told, kept for the test.
type Told<T> = Arc<Mutex<Vec<T>>>;

fn telling_tick<T: Send + 'static>(what: impl Fn(&Time) -> T + Send + 'static) -> (AppTick, Told<T>) {
    let told = Told::default();
    let tell = told.clone();
    (Box::new(move |time, _, _| tell.lock().unwrap().push(what(time))), told)
}

fn telling_update<T: Send + 'static>(what: impl Fn(&Time) -> T + Send + 'static) -> (AppUpdate, Told<T>) {
    let told = Told::default();
    let tell = told.clone();
    (Box::new(move |time, _, _| tell.lock().unwrap().push(what(time))), told)
}

#[test]
fn at_every_frame_rate_and_in_every_handoff_application_code_and_physics_run_once_a_tick() {
    for handoff in HandoffMode::ALL {
        for hz in [25, 59, 60, 144, 1_000] {
            let how = format!("{}, {hz} Hz", handoff.name());
            let settings =
                RunSettings { frame_rate: Rate::hz(hz).unwrap(), handoff, ..RunSettings::default() };
            let mut run = run(&settings);
            let (app_tick, ticks) = telling_tick(|time| (time.tick.0, time.tick_length));
            let (app_update, updates) = telling_update(|time| (time.frame.0, time.tick.0));
            run.sim_mut().core_mut().set_app_tick(app_tick);
            run.sim_mut().core_mut().set_app_update(app_update);
            let mut all = Vec::new();
            while run.sim().core().tick() < Tick(120) {
                all.extend(frames(&mut run, 1));
            }
            assert_eq!(run.sim().core().tick(), Tick(120), "{how}");
            assert_eq!(run.sim().core().world().physics_steps(), 120, "{how}");
            let every: Vec<_> = (1..=120).map(|tick| (tick, Nanos(16_666_667))).collect();
            assert_eq!(*ticks.lock().unwrap(), every, "{how}");
            // Two seconds of frames: at the frame rate, but in the free handoff at the rate of the ticks.
            let rate = if handoff == HandoffMode::Free { 60 } else { hz };
            assert_eq!(all.len(), 2 * rate as usize + 1, "{how}");
            if handoff == HandoffMode::Free {
                // Updates run at the frame rate there too.
                assert_eq!(updates.lock().unwrap().len(), 2 * hz as usize + 1, "{how}");
                continue;
            }
            // Between ticks, once a frame, with the count of ticks before that frame's own.
            let before = |frame: &FrameRecord| (frame.frame.0, frame.tick.0 - u64::from(frame.ticks));
            let between: Vec<_> = all.iter().map(before).collect();
            assert_eq!(*updates.lock().unwrap(), between, "{how}");
        }
    }
}

#[test]
fn a_stepped_tick_is_one_for_application_code_too_and_a_capped_one_is_none() {
    let mut run = run(&RunSettings::default());
    let (app_tick, ticks) = telling_tick(|time| time.tick.0);
    run.sim_mut().core_mut().set_app_tick(app_tick);
    frames(&mut run, 1);
    for control in [Control::StepTick, Control::StepTick, Control::StepFrame, Control::Resume] {
        run.control(control).unwrap();
    }
    assert_eq!(*ticks.lock().unwrap(), [1, 2, 3]);
    // Fifteen are due, five are run.
    run.next_frame_with_delta(Nanos::from_millis(250)).unwrap();
    run.next_frame_with_delta(Nanos::from_millis(250)).unwrap();
    let last = run.drain_frames().next_back().unwrap();
    assert_eq!((last.ticks, last.capped_ticks), (5, 10));
    assert_eq!(ticks.lock().unwrap().len() as u64, last.tick.0);
}

#[test]
fn application_code_sees_each_input_edge_in_the_tick_that_sees_it_and_in_no_other() {
    let mut run = run(&RunSettings { frame_rate: Rate::hz(144).unwrap(), ..RunSettings::default() });
    let told = Told::default();
    let tell = told.clone();
    run.sim_mut().core_mut().set_app_tick(Box::new(move |time, input, _| {
        if input.pressed.contains(Key::Space) {
            tell.lock().unwrap().push(time.tick.0);
        }
    }));
    frames(&mut run, 10);
    let tick = run.sim().core().tick().0;
    let event = InputEvent { at: run.now(), kind: InputKind::KeyDown(Key::Space) };
    run.control(Control::Input(event)).unwrap();
    frames(&mut run, 10);
    assert_eq!(*told.lock().unwrap(), [tick + 1]);
}

#[test]
fn what_a_tick_moves_is_drawn_blended_and_what_it_teleports_is_not() {
    let settings = RunSettings { tick_rate: Rate::hz(50).unwrap(), ..RunSettings::default() };
    let mut run = run(&settings);
    run.sim_mut().set_probes(vec![GUEST]);
    run.sim_mut().core_mut().set_app_tick(Box::new(|time, _, world| {
        let here = at(time.tick.0 as f32);
        if time.tick == Tick(4) {
            assert!(world.edit(GUEST, &HandEdit::Pose(at(400.0))));
        } else {
            assert!(world.move_to(GUEST, here));
        }
        assert_eq!(world.world().local_pose(GUEST).unwrap().position.x.fract(), 0.0);
    }));
    let mut drawn = Vec::new();
    for _ in 0..6 {
        let frame = frames(&mut run, 1)[0];
        let pose = run.sim().core().probe_poses()[0].unwrap();
        drawn.push((frame.tick.0, (pose.position.x * 1_000.0).round() / 1_000.0));
    }
    // Alpha of frames 3, 4, 5, 6: 0.667 (in the second tick), 0.5, 0.333, 0.167.
    let expected = [(0, 0.0), (0, 0.0), (1, 0.667), (2, 1.5), (3, 2.333), (4, 400.0)];
    assert_eq!(drawn, expected);
}

#[test]
fn what_moves_by_itself_is_not_moved_and_what_is_not_there_or_out_of_range_is_refused() {
    let mut run = run(&RunSettings::default());
    let answers = Told::default();
    let tell = answers.clone();
    run.sim_mut().core_mut().set_app_tick(Box::new(move |_, _, world| {
        let refused = [
            world.move_to(MOVER, at(5.0)),
            world.move_to(BALL, at(5.0)),
            world.move_to(EntityId(77), at(5.0)),
            world.move_to(GUEST, at(f32::NAN)),
            world.edit(GUEST, &HandEdit::Velocity { linear: Vec3::X, angular: Vec3::ZERO }),
            world.despawn(EntityId(77)),
            world
                .spawn(&Entity { name: "Lost".to_owned(), parent: Some(EntityId(77)), ..Entity::default() })
                .is_some(),
            world
                .spawn(&Entity { name: "Bare".to_owned(), body: Some(Body::default()), ..Entity::default() })
                .is_some(),
        ];
        tell.lock().unwrap().extend(refused);
    }));
    frames(&mut run, 2);
    assert_eq!(*answers.lock().unwrap(), [false; 8]);
    let world = run.sim().core().world();
    assert_eq!((world.entity_count(), world.local_pose(GUEST).unwrap()), (4, Pose::default()));
}

#[test]
fn a_velocity_given_in_a_tick_is_that_of_its_own_physics_step() {
    let mut run = run(&RunSettings::default());
    run.sim_mut().core_mut().set_app_tick(Box::new(|time, _, world| {
        if time.tick == Tick(1) {
            let velocity = HandEdit::Velocity { linear: Vec3::X * 60.0, angular: Vec3::ZERO };
            assert!(world.edit(BALL, &velocity));
        }
    }));
    frames(&mut run, 2);
    let pose = run.sim().core().world().local_pose(BALL).unwrap();
    // One tick at 60 m/s.
    assert!((pose.position.x - 1.0).abs() < 1e-3, "{pose:?}");
}

#[test]
fn what_a_tick_spawns_and_removes_is_counted_and_seen_in_that_frame() {
    let mut run = run(&RunSettings::default());
    let spawned = Told::default();
    let tell = spawned.clone();
    run.sim_mut().core_mut().set_app_tick(Box::new(move |time, _, world| match time.tick.0 {
        1 => {
            let parent = Entity { name: "Parent".to_owned(), ..Entity::default() };
            let parent = world.spawn(&parent).expect("nothing is wrong with it");
            let child = Entity { name: "Child".to_owned(), parent: Some(parent), ..Entity::default() };
            let child = world.spawn(&child).expect("its parent is there");
            tell.lock().unwrap().extend([parent, child]);
        }
        3 => assert!(world.despawn(tell.lock().unwrap()[0])),
        _ => {}
    }));
    let all = frames(&mut run, 4);
    let figures = |frame: &FrameRecord| (frame.figures.spawned, frame.figures.despawned);
    assert_eq!(all.iter().map(figures).collect::<Vec<_>>(), [(0, 0), (2, 0), (0, 0), (0, 2)]);
    let entities = |frame: &FrameRecord| frame.figures.snapshot_entities;
    assert_eq!(all.iter().map(entities).collect::<Vec<_>>(), [4, 6, 6, 4]);
    assert_eq!(*spawned.lock().unwrap(), [EntityId(5), EntityId(6)]);
}

#[test]
fn a_camera_that_the_update_puts_somewhere_in_every_frame_is_drawn_there_in_that_frame() {
    let settings = RunSettings { frame_rate: Rate::hz(240).unwrap(), ..RunSettings::default() };
    let mut run = run(&settings);
    run.sim_mut().set_probes(vec![CAMERA, MOVER]);
    run.sim_mut().core_mut().set_app_update(Box::new(|time, _, world| {
        assert!(world.edit(CAMERA, &HandEdit::Pose(at(time.frame.0 as f32))));
        assert!(!world.edit(EntityId(77), &HandEdit::Pose(at(0.0))));
    }));
    let mut without =
        VirtualRun::new(&scene(), &settings, Box::new(NullRenderer::new()), VirtualOptions::default())
            .expect("the scene is valid");
    without.sim_mut().set_probes(vec![CAMERA, MOVER]);
    for frame in 1..=20_u8 {
        frames(&mut run, 1);
        frames(&mut without, 1);
        let drawn = run.sim().core().probe_poses();
        assert_eq!(drawn[0], Some(at(frame.into())));
        assert_eq!(drawn[1], without.sim().core().probe_poses()[1], "what moves is blended as before");
    }
}

#[test]
fn what_the_update_changes_takes_part_in_the_next_tick() {
    let mut run = run(&RunSettings::default());
    run.sim_mut().core_mut().set_app_update(Box::new(|time, _, world| {
        if time.frame.0 == 2 {
            assert!(world.edit(MOVER, &HandEdit::Pose(at(50.0))));
        }
    }));
    frames(&mut run, 2);
    let x = run.sim().core().world().local_pose(MOVER).unwrap().position.x;
    assert!((x - (50.0 + 1.0 / 60.0)).abs() < 1e-4, "{x}");
}

#[test]
fn a_panic_in_an_applications_tick_ends_the_run_and_says_in_which() {
    let mut run =
        run(&RunSettings { speed: Speed::from_thousandths(2_000).unwrap(), ..RunSettings::default() });
    run.sim_mut()
        .core_mut()
        .set_app_tick(Box::new(|time, _, _| assert!(time.tick < Tick(4), "the fourth tick")));
    frames(&mut run, 2);
    let failure = run.next_frame().unwrap_err();
    assert_eq!((failure.stage, failure.frame.0, failure.tick), (Some(Stage::RunScheduler), 3, Tick(4)));
    assert!(failure.message.contains("the fourth tick"), "{failure}");
}

#[test]
fn of_frames_that_are_looked_at_the_applications_agent_is_listed_where_there_is_one() {
    let mut run = run(&RunSettings::default());
    let listed = |run: &mut VirtualRun| {
        frames(run, 1);
        assert!(run.observations().refresh());
        let agents = &run.last_observation().details.agents;
        agents.iter().find(|agent| agent.name == "application").map(|agent| agent.skipped.clone())
    };
    run.control(Control::Pause).unwrap();
    run.control(Control::StepTick).unwrap();
    run.control(Control::Resume).unwrap();
    assert_eq!(listed(&mut run), None);
    let (app_tick, _) = telling_tick(|_| ());
    run.sim_mut().core_mut().set_app_tick(app_tick);
    run.control(Control::Pause).unwrap();
    run.control(Control::Resume).unwrap();
    assert_eq!(listed(&mut run).as_deref(), Some("fixed step: ran in the ticks"));
}

/// The deltas of its updates, in microseconds.
fn update_deltas(run: &mut VirtualRun) -> Told<i64> {
    let (app_update, deltas) = telling_update(|time| time.delta.0 / 1000);
    run.sim_mut().core_mut().set_app_update(app_update);
    deltas
}

#[test]
fn in_the_free_handoff_the_update_runs_at_the_frame_rate_whatever_the_rate_of_the_ticks() {
    for (tick_rate, frames) in [(512, 1_025), (60, 121), (10, 21), (2, 5)] {
        let mut run = run(&RunSettings {
            tick_rate: Rate::hz(tick_rate).unwrap(),
            handoff: HandoffMode::Free,
            ..RunSettings::default()
        });
        let deltas = update_deltas(&mut run);
        run.advance_to(Nanos::from_secs(2)).unwrap();
        assert_eq!(run.drain_frames().count(), frames, "{tick_rate} ticks a second");
        let deltas = deltas.lock().unwrap();
        assert_eq!((deltas.len(), deltas[0]), (121, 0), "{tick_rate} ticks a second");
        // With ticks it waits for the next one, a 512th of a second at the most.
        let most = if tick_rate == 512 { 1_954 } else { 1 };
        assert!(deltas[1..].iter().all(|delta| (delta - 16_666).abs() <= most), "{deltas:?}");
        assert!((deltas.iter().sum::<i64>() - 2_000_000).abs() < 2_000, "it is given all the time there is");
    }
}

#[test]
fn an_update_between_two_ticks_of_the_free_handoff_sees_the_input_that_has_come_and_leaves_it_to_the_tick() {
    let mut run = run(&RunSettings {
        tick_rate: Rate::hz(2).unwrap(),
        handoff: HandoffMode::Free,
        ..RunSettings::default()
    });
    let (seen, ticks) = (Told::default(), Told::default());
    let (see, tick) = (seen.clone(), ticks.clone());
    let held = |input: &InputState| input.held().contains(Key::D);
    run.sim_mut()
        .core_mut()
        .set_app_update(Box::new(move |_, input, _| see.lock().unwrap().push(held(input))));
    run.sim_mut().core_mut().set_app_tick(Box::new(move |time, input, _| {
        tick.lock().unwrap().push((time.tick.0, input.pressed.contains(Key::D)));
    }));
    run.advance_to(Nanos::from_millis(600)).unwrap();
    let key = InputEvent { at: run.now(), kind: InputKind::KeyDown(Key::D) };
    run.control(Control::Input(key)).unwrap();
    run.advance_to(Nanos::from_millis(620)).unwrap();
    assert_eq!(seen.lock().unwrap().last(), Some(&true), "before the tick at 1 s");
    assert_eq!(ticks.lock().unwrap().len(), 1);
    run.advance_to(Nanos::from_millis(1_500)).unwrap();
    assert_eq!(*ticks.lock().unwrap(), [(1, false), (2, true), (3, false)]);
    let events: Vec<u32> = run.drain_frames().map(|frame| frame.figures.input_events).collect();
    assert_eq!(events, [0, 0, 1, 0], "told of in the frame of the tick");
}

#[test]
fn a_pause_stops_updates_and_a_resume_gives_the_first_one_a_period() {
    let mut run = run(&RunSettings {
        tick_rate: Rate::hz(10).unwrap(),
        handoff: HandoffMode::Free,
        ..RunSettings::default()
    });
    let deltas = update_deltas(&mut run);
    run.advance_to(Nanos::from_millis(140)).unwrap();
    run.control(Control::Pause).unwrap();
    let before = deltas.lock().unwrap().len();
    assert_eq!(before, 9);
    run.advance_to(Nanos::from_secs(60)).unwrap();
    assert_eq!(deltas.lock().unwrap().len(), before);
    run.control(Control::StepTick).unwrap();
    run.control(Control::Resume).unwrap();
    run.advance_to(Nanos::from_millis(60_034)).unwrap();
    assert_eq!(deltas.lock().unwrap()[before..], [0, 16_666, 16_666, 16_666]);
}

#[test]
fn out_of_the_free_handoff_updates_come_with_frames_again() {
    let mut run = run(&RunSettings {
        tick_rate: Rate::hz(10).unwrap(),
        handoff: HandoffMode::Free,
        ..RunSettings::default()
    });
    let deltas = update_deltas(&mut run);
    run.advance_to(Nanos::from_secs(1)).unwrap();
    for handoff in [HandoffMode::Slot, HandoffMode::Free] {
        let before = deltas.lock().unwrap().len();
        run.control(Control::SetHandoff(handoff)).unwrap();
        let now = run.now();
        run.advance_to(now + Nanos::from_secs(1)).unwrap();
        let ran = deltas.lock().unwrap().len() - before;
        assert!((59..=61).contains(&ran), "{ran} in a second of {}", handoff.name());
    }
}
