//! Faults put into a run on purpose: a panic in any stage and in any call of the renderer, and a clock that leaps.

use super::virtual_time::{VirtualOptions, VirtualRun};
use super::{Moment, Next, RunFailure, RunSettings, RunState, Sim, StageHook};
use crate::frame::record::FrameRecord;
use crate::frame::stage::Stage;
use crate::handoff::{FrameDescriptor, frame_handoff};
use crate::render::{BatchFigures, NullRenderer, RenderError, Renderer};
use crate::scene::{Entity, EntityId, Motion, Scene};
use crate::snapshot::Snapshot;
use crate::time::source::ManualClock;
use crate::time::{FrameIndex, Nanos, Tick};
use glam::Vec3;

fn scene() -> Scene {
    let mover = Entity {
        id: EntityId(1),
        name: "Mover".to_owned(),
        motion: Some(Motion::Steady { velocity: Vec3::X }),
        ..Entity::default()
    };
    Scene { entities: vec![mover], ..Scene::default() }
}

fn run(renderer: impl Renderer<Snapshot> + 'static) -> VirtualRun {
    VirtualRun::new(&scene(), &RunSettings::default(), Box::new(renderer), VirtualOptions::default()).unwrap()
}

fn panics_before(stage: Stage) -> StageHook {
    Box::new(move |moment, now, core| {
        let here = (moment, now, core.record().frame) == (Moment::Before, stage, FrameIndex(3));
        assert!(!here, "out of cheese");
    })
}

fn fails_within_frames(run: &mut VirtualRun, count: usize) -> RunFailure {
    (0..count).find_map(|_| run.next_frame().err()).expect("the run fails")
}

#[test]
fn a_panic_in_any_stage_ends_the_run_and_names_frame_tick_and_stage() {
    for stage in Stage::ALL {
        let mut run = run(NullRenderer::new());
        run.sim_mut().set_stage_hook(panics_before(stage));
        let failure = fails_within_frames(&mut run, 3);
        let tick = if stage > Stage::RunScheduler { Tick(2) } else { Tick(1) };
        let message = "out of cheese".to_owned();
        assert_eq!(
            failure,
            RunFailure { thread: "sim", frame: FrameIndex(3), tick, stage: Some(stage), message }
        );
        assert_eq!(run.state(), RunState::Failed);
        assert_eq!(run.next_frame(), Err(failure.clone()), "no frame runs after it");
        assert_eq!(run.drain_frames().count(), 2, "the frame that failed is no finished frame");
        run.observations().refresh();
        let seen = run.last_observation();
        assert_eq!((seen.record.frame, usize::from(seen.stages_done)), (FrameIndex(3), stage.index()));
        run.abandon();
        assert!(run.counts().balanced());
        assert_eq!(
            failure.to_string(),
            format!(
                "the sim thread failed in frame 3 at tick {}, stage {}: out of cheese",
                tick.0,
                stage.name()
            )
        );
    }
}

#[test]
fn a_panic_in_the_application_s_update_is_one_of_its_stage() {
    let mut run = run(NullRenderer::new());
    run.sim_mut().core_mut().set_app_update(Box::new(|time, _, _| assert!(time.tick < Tick(7), "no more")));
    let failure = fails_within_frames(&mut run, 20);
    assert_eq!((failure.stage, failure.tick), (Some(Stage::RunAppUpdate), Tick(7)));
    assert_eq!(failure.message, "no more");
}

/// A call of the renderer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Start,
    Batch,
    Submit,
    ViewChanged,
    Redraw,
    Stop,
}

/// Panics in one of its calls, at frame 3 where the call has one.
struct Faulty(Call);

impl Renderer<Snapshot> for Faulty {
    fn on_start(&mut self) {
        assert!(self.0 != Call::Start, "out of paint");
    }
    fn on_stop(&mut self) {
        assert!(self.0 != Call::Stop, "out of paint");
    }
    fn batch(&mut self, frame: &FrameDescriptor, _: &Snapshot) -> Result<BatchFigures, RenderError> {
        assert!(self.0 != Call::Batch || frame.frame != FrameIndex(3), "out of paint");
        Ok(BatchFigures::default())
    }
    fn submit(&mut self, frame: &FrameDescriptor, _: &Snapshot) -> Result<(), RenderError> {
        assert!(self.0 != Call::Submit || frame.frame != FrameIndex(3), "out of paint");
        Ok(())
    }
    fn redraw(&mut self, _: &Snapshot) -> Result<bool, RenderError> {
        assert!(self.0 != Call::Redraw, "out of paint");
        Ok(false)
    }
    fn view_changed(&mut self) -> bool {
        assert!(self.0 != Call::ViewChanged, "out of paint");
        self.0 == Call::Redraw
    }
}

#[test]
fn a_panic_in_batch_or_submit_ends_the_run_and_names_call_frame_and_tick() {
    for (call, name) in [(Call::Batch, "batch"), (Call::Submit, "submit")] {
        let mut run = run(Faulty(call));
        let failure = fails_within_frames(&mut run, 5);
        let message = format!("panicked in {name} of frame 3: out of paint");
        assert_eq!(
            failure,
            RunFailure { thread: "render", frame: FrameIndex(3), tick: Tick(2), stage: None, message }
        );
        run.abandon();
        let counts = run.counts();
        assert_eq!((counts.rendered, counts.in_flight), (2, 0));
        assert!(counts.balanced() && counts.abandoned >= 1, "{counts:?}");
    }
}

#[test]
fn a_panic_while_the_renderer_starts_fails_the_run_before_its_first_frame() {
    let mut run = run(Faulty(Call::Start));
    assert_eq!(run.state(), RunState::Failed);
    let failure = run.next_frame().unwrap_err();
    assert_eq!((failure.thread, failure.frame, failure.tick), ("render", FrameIndex(0), Tick(0)));
    assert_eq!(failure.message, "panicked in on_start: out of paint");
}

#[test]
fn a_panic_while_the_renderer_stops_is_kept() {
    let mut run = run(Faulty(Call::Stop));
    run.next_frame().unwrap();
    run.finish();
    assert_eq!(run.failure().unwrap().message, "panicked in on_stop: out of paint");
}

#[test]
fn a_panic_in_a_redraw_or_over_a_view_ends_the_run() {
    for call in [Call::Redraw, Call::ViewChanged] {
        let mut run = run(Faulty(call));
        let failure = (0..60).find_map(|_| {
            run.next_frame().err().or_else(|| {
                run.control(super::Control::Pause)
                    .err()
                    .or_else(|| run.control(super::Control::StepFrame).err())
            })
        });
        let failure = failure.expect("the run fails");
        assert_eq!(
            (failure.thread, failure.message.as_str()),
            ("render", "panicked in redraw: out of paint")
        );
    }
}

#[test]
fn a_run_that_failed_leaves_the_scene_and_the_next_run_alone() {
    let authored = scene();
    let mut failed = run(NullRenderer::new());
    failed.sim_mut().set_stage_hook(panics_before(Stage::RunScheduler));
    fails_within_frames(&mut failed, 3);
    drop(failed);
    assert_eq!(scene(), authored);
    let mut again = run(NullRenderer::new());
    for _ in 0..10 {
        assert_eq!(again.next_frame(), Ok(true));
    }
    assert_eq!(again.sim().core().tick(), Tick(9));
}

/// Paces a sim by a manual clock as a thread does by the real one; the wait for frame 6 ends `leap` too late.
fn frames_with_a_leap(leap: Nanos, count: u64) -> Vec<FrameRecord> {
    let (producer, _consumer, _) = frame_handoff(Default::default());
    let mut clock = ManualClock::new(Nanos::ZERO);
    let mut sim = Sim::new(&scene(), &RunSettings::default(), producer, Nanos::ZERO).unwrap();
    let mut frames = Vec::new();
    for frame in 1..=count {
        let arrived = clock.now();
        if let Next::At(deadline) = sim.next() {
            clock.advance_to(deadline);
        }
        if frame == 6 {
            clock.advance(leap);
        }
        let woken = clock.now();
        sim.run_frame(arrived, woken, &mut clock).unwrap();
        frames.extend(sim.drain_finished());
    }
    frames
}

#[test]
fn a_program_stopped_for_a_minute_has_one_late_frame_clamped_and_capped_and_no_burst() {
    let frames = frames_with_a_leap(Nanos::from_secs(60), 12);
    let stopped = &frames[5];
    assert_eq!((stopped.late, stopped.wake_error, stopped.ticks), (false, Nanos::from_secs(60), 1));
    let late = &frames[6];
    assert_eq!((late.late, late.missed, late.delta), (true, 3_599, Nanos::from_secs(60)));
    assert_eq!((late.clamped, late.ticks, late.capped_ticks), (Nanos::from_millis(59_750), 5, 10));
    for frame in &frames[7..] {
        assert_eq!((frame.late, frame.missed, frame.ticks, frame.clamped), (false, 0, 1, Nanos::ZERO));
    }
    assert!(frames.iter().all(FrameRecord::conserved));
}

#[test]
fn a_program_stopped_for_eight_hours_is_no_worse() {
    let frames = frames_with_a_leap(Nanos::from_secs(8 * 3600), 12);
    assert_eq!(frames.iter().filter(|frame| frame.late).count(), 1);
    assert_eq!(
        frames.iter().map(|frame| frame.ticks).collect::<Vec<_>>(),
        [0, 1, 1, 1, 1, 1, 5, 1, 1, 1, 1, 1]
    );
}
