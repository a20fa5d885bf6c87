//! A warm frame allocates nothing, observed or not: counted by an allocator that every thread of this program uses. The same
//! around a run on threads of its own: `allocation_in_real_time.rs`.
//!
//! A program of its own, without the test harness, whose thread would be counted too.

use std::alloc::System;

use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::frame::recorder::{RuntimeRecord, record_ring};
use framewalk_runtime::frame::sounds::sounds;
use framewalk_runtime::frame::zones::zone_ring;
use framewalk_runtime::handoff::{FrameDescriptor, frame_handoff};
use framewalk_runtime::input::TickInput;
use framewalk_runtime::interpolation::Interpolation;
use framewalk_runtime::jobs::thread::WorkersOptions;
use framewalk_runtime::jobs::{Jobs, Queue, Workers};
use framewalk_runtime::render::batch::Batch;
use framewalk_runtime::render::thread::{RenderThread, RenderThreadOptions};
use framewalk_runtime::render::view::View;
use framewalk_runtime::render::{BatchFigures, NullRenderer, RenderError, Renderer};
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::scene::{Entity, EntityId, Motion, Pose, Scene};
use framewalk_runtime::sim::virtual_time::{Observed, VirtualOptions, VirtualRun};
use framewalk_runtime::sim::{Control, RunSettings};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::pacer::Pacing;
use framewalk_runtime::time::source::RealClock;
use framewalk_runtime::time::{FrameIndex, Nanos, Rate, Tick};
use framewalk_runtime::world::{HandEdit, TickStep, World};
use glam::Vec3;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Everything that moves without physics, and a child and a camera that hang on it.
const SCENE: &str = r##"(
    format: 1,
    entities: [
        (id: 1, name: "Camera", camera: (follow: (target: 4, offset: (0, 2, 7)))),
        (id: 2, name: "Sun", sun: ()),
        (id: 3, name: "Sky", sky: ()),
        (id: 4, name: "Mover", shape: Cube(size: (1, 1, 1), color: "#2bb58a"), motion: Oscillate(amplitude: (9, 0, 0), period: 1)),
        (id: 5, name: "Spinner", shape: Sphere(radius: 1, color: "#2bb58a"), motion: Spin(degrees_per_second: 300)),
        (id: 6, name: "Child", parent: 5, transform: (position: (2, 0, 0)), shape: Cube(size: (1, 1, 1), color: "#2bb58a")),
        (id: 7, name: "Teleporter", teleporter: (every_ticks: 7, poses: [(position: (4, 0, 0)), (position: (0, 1, 0))]), sound: (when: Teleport)),
        (id: 8, name: "Floor", shape: Plane(width: 20, depth: 20, color: "#2bb58a")),
    ],
)"##;

/// More than one swing of the Mover: by then everything has been in and out of sight.
const WARM_UP: u64 = 100;
const MEASURED: u64 = 1_000;

fn main() {
    a_warm_frame_allocates_nothing_on_the_sim_thread_nor_on_the_render_thread();
    println!("test a_warm_frame_allocates_nothing_on_the_sim_thread_nor_on_the_render_thread ... ok");
}

fn a_warm_frame_allocates_nothing_on_the_sim_thread_nor_on_the_render_thread() {
    for handoff in HandoffMode::ALL {
        for observed in [Observed::No, Observed::Yes] {
            let name = format!("{}, observed: {observed:?}", handoff.name());
            let how = format!("{name}, with a null renderer");
            frames_with(handoff, observed, Box::new(NullRenderer::new()), &how);
            let how = format!("{name}, with batches made");
            frames_with(handoff, observed, Box::<Batches>::default(), &how);
        }
    }
    render_thread();
    ticks_with_workers();
    a_buffer_that_is_used_late();
}

/// Free: a picture takes longer than four ticks, so the last of six buffers is used, which was not before.
fn a_buffer_that_is_used_late() {
    let scene = parse_scene(SCENE).expect("a scene");
    let settings = RunSettings {
        tick_rate: Rate::hz(10).expect("a rate"),
        handoff: HandoffMode::Free,
        ..RunSettings::default()
    };
    let options = VirtualOptions { render_cost: Nanos::from_millis(10), ..VirtualOptions::default() };
    let mut run =
        VirtualRun::new(&scene, &settings, Box::<Batches>::default(), options).expect("it can be run");
    let run_frames = |run: &mut VirtualRun, count| {
        let mut buffers = 0_u8;
        for _ in 0..count {
            run.next_frame().expect("nothing fails in it");
            run.drain_frames().for_each(|frame| buffers |= 1 << frame.figures.snapshot_buffer);
            run.drain_renders();
        }
        buffers
    };
    assert_eq!(run_frames(&mut run, WARM_UP), 0b01_1111);
    run.control(Control::SetTickRate(Rate::hz(1_000).expect("a rate"))).expect("nothing fails in it");
    let region = Region::new(COUNTED);
    let buffers = run_frames(&mut run, MEASURED);
    nothing_since(&region, "in a buffer that is used late");
    assert_eq!(buffers, 0b11_1111);
}

/// Wide sweeps, rolls and snapshots, and physics steps that span several ticks, as jobs.
fn ticks_with_workers() {
    let mover = |id: u64| Entity {
        id: EntityId(id),
        name: format!("Mover {id}"),
        motion: Some(Motion::Steady { velocity: Vec3::X }),
        ..Entity::default()
    };
    let scene = Scene { entities: (1..=10_000).map(mover).collect(), ..Scene::default() };
    let mut world = World::new(&scene, Rate::HZ_60).expect("it can be run");
    let (workers, mut zones) = Workers::start_recorded(&WorkersOptions::of(2)).expect("threads");
    world.set_jobs(Some(workers.jobs().clone()));
    world.set_physics_divisor(4);
    let mut stats = workers.jobs().stats();
    let (mut store, mut snapshot) = (Interpolation::new(&world), Snapshot::default());
    let mut run_ticks = |ticks: std::ops::RangeInclusive<u64>| {
        for tick in ticks {
            let seconds = tick as f64 / 60.0;
            let input = &TickInput::default();
            world.tick(&TickStep { tick: Tick(tick), seconds, tick_rate: Rate::HZ_60, input });
            store.roll(&world);
            snapshot.fill(&world, &store);
            workers.jobs().read_stats(&mut stats);
            for zones in &mut zones {
                zones.drain(|_| ());
            }
        }
    };
    run_ticks(1..=WARM_UP);
    let region = Region::new(COUNTED);
    run_ticks(WARM_UP + 1..=WARM_UP + MEASURED);
    nothing_since(&region, "with workers");
    // Ten batches a tick, nine whole parts of its roll, two of each half of the snapshot; and a physics step that begins
    // with the first tick and with every fourth.
    let jobs: u64 = stats.threads.iter().map(|thread| thread.all_jobs()).sum();
    let ticks = WARM_UP + MEASURED;
    assert!((23 * ticks + ticks / 4..=23 * ticks + ticks / 4 + 1).contains(&jobs), "{stats:?}");
}

/// Frames on one thread, both sides of the handoff.
fn frames_with(handoff: HandoffMode, observed: Observed, renderer: Box<dyn Renderer<Snapshot>>, how: &str) {
    let scene = parse_scene(SCENE).expect("a scene");
    // At 50 Hz some frames run no tick.
    let settings =
        RunSettings { tick_rate: Rate::hz(50).expect("a rate"), handoff, ..RunSettings::default() };
    let options = VirtualOptions { observed, ..VirtualOptions::default() };
    let mut run = VirtualRun::new(&scene, &settings, renderer, options).expect("it can be run");
    let (zones, mut zone_receiver) = zone_ring(64);
    zones.record_this_thread();
    let (sounding, mut listener) = sounds(16);
    run.sim_mut().core_mut().set_sounds(sounding);
    // A game that moves something in every tick, and its camera in every frame.
    run.sim_mut().core_mut().set_app_tick(Box::new(|time, _, world| {
        let position = Vec3::Z * time.tick.0 as f32;
        assert!(world.move_to(EntityId(7), Pose { position, ..Pose::default() }));
    }));
    run.sim_mut().core_mut().set_app_update(Box::new(|time, _, world| {
        let position = Vec3::Y * time.frame.0 as f32;
        assert!(world.edit(EntityId(1), &HandEdit::Pose(Pose { position, ..Pose::default() })));
    }));
    // One at length, and two that are compared with it.
    run.control(Control::Watch([5, 7, 4].map(EntityId).to_vec())).expect("nothing fails in it");
    let (mut cues, mut looks) = (0, 0);
    let mut run_frames = |count| {
        for _ in 0..count {
            run.next_frame().expect("nothing fails in it");
            assert_eq!(run.drain_frames().count(), 1);
            run.drain_renders();
            assert!(zone_receiver.drain(|_| ()) > 0, "zones are recorded");
            listener.drain(|_| cues += 1);
            assert_eq!(listener.soundscape().places.len(), 1);
            looks += u64::from(run.observations().refresh());
        }
    };
    run_frames(WARM_UP);
    let region = Region::new(COUNTED);
    run_frames(MEASURED);
    nothing_since(&region, how);
    assert!(cues > MEASURED / 10, "{cues} cues");
    match observed {
        Observed::No => assert_eq!(looks, 0),
        // Every 50 ms: at 60 Hz every third frame, and at the 50 Hz of the free handoff too.
        Observed::Yes => assert!(looks >= (WARM_UP + MEASURED) / 3, "{looks} looks"),
    }
    assert_eq!(run.counts().published, WARM_UP + MEASURED);
}

/// Frames from this thread to a real render thread, which makes their batches.
fn render_thread() {
    let scene = parse_scene(SCENE).expect("a scene");
    let world = World::new(&scene, Rate::HZ_60).expect("it can be run");
    let store = Interpolation::new(&world);
    let (mut producer, consumer, _) = frame_handoff(<[Snapshot; 3]>::default());
    let (records, mut receiver) = record_ring(16);
    let (zones, mut zone_receiver) = zone_ring(64);
    // It helps with jobs while it waits.
    let jobs = Jobs::alone();
    let options = RenderThreadOptions {
        name: "render".to_owned(),
        run: 1,
        submit_cost: Nanos::ZERO,
        redraw_after: Some(Nanos::from_secs(1)),
        pacing: Pacing::Precise,
        patience: Nanos::MAX,
        records,
        zones: Some(zones),
        jobs: Some(jobs.clone()),
        core: None,
    };
    let mut thread = RenderThread::start(consumer, Box::<Batches>::default(), RealClock::new(), options)
        .expect("a thread can be started");
    let (mut rendered, mut zones) = (0, 0);
    let mut send = |frames: std::ops::RangeInclusive<u64>| {
        for frame in frames {
            producer.snapshot_mut().fill(&world, &store);
            producer.publish(FrameIndex(frame), Tick(frame), Nanos::ZERO).expect("the thread runs");
            thread.wait_idle().expect("the thread lives");
            jobs.each(Queue::Logic, 0..20, |_| ());
            receiver.drain(|record| rendered += u64::from(matches!(record, RuntimeRecord::Render(_))));
            zones += zone_receiver.drain(|_| ());
        }
    };
    send(1..=WARM_UP);
    let region = Region::new(COUNTED);
    send(WARM_UP + 1..=WARM_UP + MEASURED);
    nothing_since(&region, "on the render thread");
    thread.shutdown();
    assert_eq!((thread.counts().rendered, thread.counts().dropped), (WARM_UP + MEASURED, 0));
    assert!(rendered >= WARM_UP + MEASURED - 1, "{rendered} records");
    // Two of every batch; those of the last may still be on their way.
    assert!(zones as u64 >= 2 * (WARM_UP + MEASURED - 1), "{zones} zones");
}

/// What any renderer does before it has a device.
#[derive(Default)]
struct Batches {
    batch: Batch,
    view: View,
}

impl Renderer<Snapshot> for Batches {
    fn batch(&mut self, _: &FrameDescriptor, snapshot: &Snapshot) -> Result<BatchFigures, RenderError> {
        self.batch.fill(snapshot, &self.view, self.view.size);
        Ok(BatchFigures { instances: self.batch.drawn, culled: self.batch.culled })
    }

    fn submit(&mut self, _: &FrameDescriptor, _: &Snapshot) -> Result<(), RenderError> {
        Ok(())
    }
}

fn nothing_since(region: &Region<'_, System>, how: &str) {
    let change = region.change();
    let counts = (change.allocations, change.reallocations, change.deallocations);
    assert_eq!(counts, (0, 0, 0), "{how}: {change:?} in {MEASURED} frames");
}
