//! What an observation says of the frames that were looked at, and of those that were not.

use crate::frame::details::{Note, TickRow};
use crate::handoff::Holder;
use crate::input::{InputEvent, InputKind, Key, KeySet};
use crate::render::NullRenderer;
use crate::scene::{Entity, EntityId, Motion, Scene};
use crate::sim::observe::Observation;
use crate::sim::virtual_time::{Observed, VirtualOptions, VirtualRun};
use crate::sim::{Control, RunSettings};
use crate::time::{FrameIndex, Tick};
use glam::Vec3;

fn run(observed: Observed) -> VirtualRun {
    let mover = Entity {
        id: EntityId(1),
        name: "Mover".to_owned(),
        motion: Some(Motion::Steady { velocity: Vec3::X }),
        ..Entity::default()
    };
    let scene = Scene { entities: vec![mover], ..Scene::default() };
    let options = VirtualOptions { observed, ..VirtualOptions::default() };
    VirtualRun::new(&scene, &RunSettings::default(), Box::new(NullRenderer::new()), options).expect("it runs")
}

fn frames(run: &mut VirtualRun, count: u32) {
    (0..count).for_each(|_| assert!(run.next_frame().expect("no fault"), "a frame is due"));
}

fn seen(run: &mut VirtualRun) -> &Observation {
    assert!(run.observations().refresh(), "there is a newer one");
    run.last_observation()
}

#[test]
fn of_a_frame_that_nobody_looked_at_an_observation_says_the_record_and_no_details() {
    let mut run = run(Observed::Yes);
    // Looked at are frame 1 and then, at 60 Hz, every third: 50 ms later.
    frames(&mut run, 3);
    assert_eq!(seen(&mut run).details_frame, Some(FrameIndex(1)));
    run.control(Control::Pause).expect("no fault");
    let paused = seen(&mut run);
    assert_eq!((paused.record.frame, paused.record.ticks), (FrameIndex(3), 1));
    assert_eq!((paused.details_frame, paused.details.systems.len()), (None, 0));
    // A step is looked at, also while it is under way.
    run.control(Control::StepStage).expect("no fault");
    assert_eq!(seen(&mut run).details_frame, Some(FrameIndex(4)));
    run.control(Control::StepFrame).expect("no fault");
    let stepped = seen(&mut run);
    assert_eq!((stepped.details_frame, stepped.details.systems.len()), (Some(FrameIndex(4)), 4));
    run.control(Control::Resume).expect("no fault");
    frames(&mut run, 2);
    run.control(Control::Pause).expect("no fault");
    assert_eq!(seen(&mut run).details_frame, None);
}

#[test]
fn every_stage_of_a_frame_that_is_looked_at_leaves_its_rows() {
    let mut run = run(Observed::Yes);
    frames(&mut run, 1);
    for kind in [InputKind::KeyDown(Key::W), InputKind::KeyDown(Key::Space), InputKind::KeyUp(Key::Space)] {
        run.control(Control::Input(InputEvent { at: run.now(), kind })).expect("no fault");
    }
    run.control(Control::StepFrame).expect("no fault");
    let details = &seen(&mut run).details;
    let words = |rows: &[crate::frame::details::TimedRow]| {
        rows.iter().map(|row| format!("{}: {}", row.name, row.note)).collect::<Vec<_>>()
    };
    let events: Vec<String> = details.events.iter().map(Note::to_string).collect();
    assert_eq!(events, ["W down", "Space down", "Space up"]);
    assert_eq!(details.held_keys, KeySet::from_iter([Key::W]));
    let systems =
        ["hand_edits: 0 changed by hand", "app_update: ", "settle_edits: ", "roster: 1 entities, unchanged"];
    assert_eq!(words(&details.systems), systems);
    assert_eq!(details.buffers, [Holder::Consumer, Holder::Producer, Holder::Slot]);
    let [pressed, released] =
        [&[Key::Space, Key::W][..], &[Key::Space]].map(|keys| keys.iter().copied().collect());
    let tick = TickRow { tick: Tick(1), pressed, released, ..TickRow::default() };
    let ticks: Vec<TickRow> = details
        .ticks
        .iter()
        .map(|row| TickRow { start: tick.start, duration: tick.duration, ..*row })
        .collect();
    assert_eq!(ticks, [tick]);
    let edges: Vec<String> = tick.edges().map(|edge| edge.to_string()).collect();
    assert_eq!(edges, ["Space down", "W down", "Space up"]);
    assert_eq!(words(&details.flows), ["scene_view: 1 entities, 1 of them blended"]);
    let agents: Vec<&str> = details.agents.iter().map(|agent| &*agent.name).collect();
    assert_eq!(agents, ["spawning", "motion", "physics", "teleporting", "rendering", "census"]);
    let descriptor = details.descriptor.expect("it was published");
    assert_eq!((descriptor.frame, descriptor.tick, descriptor.replaced), (FrameIndex(2), Tick(1), None));
    let maintenance = [
        "drain: census: 1 entities, 1 simulated",
        "compact: 0 rows freed",
        "prune: 0 interpolation entries pruned, 1 kept",
    ];
    assert_eq!(words(&details.maintenance), maintenance);
}

#[test]
fn a_copy_is_the_same_and_takes_the_place_of_what_was_there() {
    let mut run = run(Observed::Yes);
    frames(&mut run, 1);
    let first = seen(&mut run).details.clone();
    run.control(Control::StepTick).expect("no fault");
    let second = &seen(&mut run).details;
    assert_ne!(first, *second);
    let mut copy = first.clone();
    assert_eq!(copy, first);
    copy.clone_from(second);
    assert_eq!(copy, *second);
}

#[test]
fn nothing_is_observed_of_a_run_that_nobody_asked_to_look_at() {
    let mut run = run(Observed::No);
    frames(&mut run, 5);
    run.control(Control::StepFrame).expect("no fault");
    assert!(!run.observations().refresh());
    assert!(run.sim().core().details().systems.is_empty());
}
