//! A run on threads of its own allocates nothing once it is warm, while somebody looks into it: neither `sim` nor `render`
//! nor a worker, counted by an allocator that every thread of this program uses.
//!
//! What does allocate is no warm frame: one that is the first in its snapshot buffer, but in the free handoff, whose six are
//! made ready in the first frames; one in which an entity comes; one with
//! more input events or ticks than ever before (above
//! [`ROOM_FOR_EVENTS`](framewalk_runtime::frame::details::ROOM_FOR_EVENTS) and
//! [`ROOM_FOR_TICKS`](framewalk_runtime::frame::details::ROOM_FOR_TICKS)), a control that carries a list, and one that changes by hand what
//! is no pose and no velocity, which is checked as a scene is, with the sentences that would be said of it.
//!
//! A program of its own, without the test harness, whose thread would be counted too.

use std::alloc::System;
use std::time::Duration;

use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::jobs::thread::WorkersOptions;
use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::scene::{Entity, EntityId, Motion, Scene};
use framewalk_runtime::sim::observe::Observed;
use framewalk_runtime::sim::paced::PacedOptions;
use framewalk_runtime::sim::thread::LiveRun;
use framewalk_runtime::sim::{Control, RunSettings};
use framewalk_runtime::time::Rate;
use glam::Vec3;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Everything that moves without physics, and a child and a camera that hang on it.
const SCENE: &str = r##"(
    format: 1,
    entities: [
        (id: 1, name: "Camera", camera: (follow: (target: 2, offset: (0, 2, 7)))),
        (id: 2, name: "Mover", shape: Cube(size: (1, 1, 1), color: "#2bb58a"), motion: Oscillate(amplitude: (9, 0, 0), period: 1)),
        (id: 3, name: "Child", parent: 2, transform: (position: (2, 0, 0)), shape: Cube(size: (1, 1, 1), color: "#2bb58a")),
        (id: 4, name: "Teleporter", teleporter: (every_ticks: 7, poses: [(position: (4, 0, 0)), (position: (0, 1, 0))])),
    ],
)"##;

/// So many more movers that sweeps are shared among the workers.
const MOVERS: u64 = 3_000;
/// More than a swing of the Mover, and than it takes to look six times.
const WARM_UP: usize = 300;
const MEASURED: usize = 500;

fn main() {
    a_warm_frame_of_a_run_on_threads_of_its_own_allocates_nothing_while_it_is_observed();
    println!(
        "test a_warm_frame_of_a_run_on_threads_of_its_own_allocates_nothing_while_it_is_observed ... ok"
    );
}

fn a_warm_frame_of_a_run_on_threads_of_its_own_allocates_nothing_while_it_is_observed() {
    let scene = scene();
    for handoff in HandoffMode::ALL {
        for workers in [0, 1] {
            frames_of(&scene, handoff, workers);
        }
    }
}

fn scene() -> Scene {
    let mut scene = parse_scene(SCENE).expect("a scene");
    scene.entities.extend((100..100 + MOVERS).map(|id| Entity {
        id: EntityId(id),
        name: format!("Mover {id}"),
        motion: Some(Motion::Steady { velocity: Vec3::X }),
        ..Entity::default()
    }));
    scene
}

fn frames_of(scene: &Scene, handoff: HandoffMode, workers: usize) {
    let how = format!("{}, {workers} workers", handoff.name());
    let settings = RunSettings {
        // In the free handoff there are as many frames as ticks; in the others some have none.
        tick_rate: Rate::hz(500).expect("a rate"),
        frame_rate: Rate::hz(1000).expect("a rate"),
        handoff,
        workers: WorkersOptions { waiting_help: true, ..WorkersOptions::of(workers) },
        ..RunSettings::default()
    };
    let options = PacedOptions { observed: Observed::Yes, ..PacedOptions::default() };
    let mut live =
        LiveRun::start(scene, &settings, Box::new(NullRenderer::new()), options).expect("it can be run");
    // One at length, and two that are compared with it.
    live.control(Control::Watch([3, 4, 2].map(EntityId).to_vec()));
    let mut seen = Seen::default();
    run_frames(&mut live, WARM_UP, &mut seen, &how);
    // Three observations go round.
    while seen.looks < 4 {
        run_frames(&mut live, 1, &mut seen, &how);
    }
    // Three buffers go round in the slot, one of them seldom where the renderer is slow: filled for the first time it is not
    // warm yet. The six of the free handoff were made ready.
    loop {
        let buffers = seen.buffers;
        let region = Region::new(COUNTED);
        run_frames(&mut live, MEASURED, &mut seen, &how);
        let change = region.change();
        // Those under way at that moment, whose records come after it.
        run_frames(&mut live, 5, &mut seen, &how);
        if seen.buffers == buffers || handoff == HandoffMode::Free {
            let counts = (change.allocations, change.reallocations, change.deallocations);
            assert_eq!(counts, (0, 0, 0), "{how}: {change:?} in {MEASURED} frames");
            break;
        }
    }
    // So many frames take half a second at least, and each 50 ms of it there is a look; whoever polls may be kept from some.
    assert!(seen.looks > 0, "{how}");
    assert!(live.last_observation().watched.is_some(), "{how}");
    live.stop();
}

/// What has come of a run so far.
#[derive(Default)]
struct Seen {
    looks: u32,
    /// One bit for each snapshot buffer that a frame was made in.
    buffers: u8,
}

fn run_frames(live: &mut LiveRun, count: usize, seen: &mut Seen, how: &str) {
    let mut frames = 0;
    while frames < count {
        live.poll(|record| {
            if let RuntimeRecord::Frame(frame) = record {
                frames += 1;
                seen.buffers |= 1 << frame.figures.snapshot_buffer;
            }
        });
        live.poll_zones(|_, _| ());
        let before = live.last_observation().record.frame;
        seen.looks += u32::from(live.observation().record.frame != before);
        assert_eq!(live.failure(), None, "{how}");
        std::thread::sleep(Duration::from_millis(1));
    }
}
