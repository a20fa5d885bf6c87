//! What is changed by hand in a run: at once where everything stands, before the ticks where it runs, and nowhere else.

use super::virtual_time::{VirtualOptions, VirtualRun};
use super::{Control, RunSettings};
use crate::frame::record::FrameKind;
use crate::frame::stage::Stage;
use crate::render::NullRenderer;
use crate::scene::{Entity, EntityId, Motion, Pose, Scene};
use crate::time::Nanos;
use crate::world::HandEdit;
use glam::Vec3;

const MOVER: EntityId = EntityId(1);

fn run() -> VirtualRun {
    let mover = Entity {
        id: MOVER,
        name: "Mover".to_owned(),
        motion: Some(Motion::Steady { velocity: Vec3::X }),
        ..Entity::default()
    };
    let scene = Scene { entities: vec![mover], ..Scene::default() };
    let (settings, options) = (RunSettings::default(), VirtualOptions::default());
    VirtualRun::new(&scene, &settings, Box::new(NullRenderer::default()), options)
        .expect("the scene is valid")
}

fn far() -> Control {
    let pose = Pose { position: Vec3::new(50.0, 0.0, 0.0), ..Pose::default() };
    Control::ByHand(vec![(MOVER, HandEdit::WorldPose(pose))])
}

fn poses(run: &VirtualRun) -> (f32, f32) {
    let (previous, current) = run.sim().core().interpolation().poses(MOVER).unwrap();
    (previous.position.x, current.position.x)
}

#[test]
fn while_paused_a_frame_without_time_shows_it_and_nothing_is_smeared() {
    let mut run = run();
    for _ in 0..5 {
        run.next_frame().unwrap();
    }
    run.control(Control::Pause).unwrap();
    let before = run.drain_frames().next_back().unwrap();
    run.control(far()).unwrap();
    let shown: Vec<_> = run.drain_frames().collect();
    assert_eq!(shown.len(), 1, "one frame, however many changes");
    assert_eq!((shown[0].kind, shown[0].delta, shown[0].ticks), (FrameKind::ByHand, Nanos(0), 0));
    assert_eq!((shown[0].tick, shown[0].alpha), (before.tick, before.alpha));
    assert!(shown[0].conserved() && shown[0].totals.balanced);
    assert_eq!(poses(&run), (50.0, 50.0), "previous = current");
    run.control(Control::StepTick).unwrap();
    let (previous, current) = poses(&run);
    assert!((previous, (current - 50.0 - 1.0 / 60.0).abs() < 1e-4) == (50.0, true), "{previous} {current}");
}

#[test]
fn while_it_plays_no_frame_is_added_and_the_next_one_begins_there() {
    let mut run = run();
    for _ in 0..5 {
        run.next_frame().unwrap();
    }
    run.drain_frames();
    run.control(far()).unwrap();
    assert_eq!(run.drain_frames().count(), 0);
    run.next_frame().unwrap();
    assert_eq!(run.drain_frames().map(|frame| frame.kind).collect::<Vec<_>>(), [FrameKind::Running]);
    let (previous, current) = poses(&run);
    assert!(previous >= 50.0 && current - previous < 0.02, "no smear: {previous} {current}");
}

#[test]
fn in_an_open_frame_it_waits_for_the_second_stage() {
    let mut run = run();
    run.next_frame().unwrap();
    run.control(Control::StepStage).unwrap();
    run.control(far()).unwrap();
    assert_eq!(poses(&run).1, 0.0);
    run.control(Control::StepStage).unwrap();
    assert_eq!(run.sim().state(), super::RunState::FrameOpen { next: Stage::BeginRenderFrame });
    assert_eq!(poses(&run), (50.0, 50.0));
}
