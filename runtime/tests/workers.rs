//! What a run does is the same with any number of workers, and whether a physics step spans one tick or several.
#![cfg(feature = "sim")]

use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::input::TickInput;
use framewalk_runtime::interpolation::Interpolation;
use framewalk_runtime::jobs::thread::WorkersOptions;
use framewalk_runtime::jobs::{Counter, Helping, Jobs, Queue, Workers};
use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::scene::{
    Body, BodyKind, Camera, Color, Entity, EntityId, Motion, Pose, Scene, Shape, ShapeKind, Transform,
};
use framewalk_runtime::sim::paced::PacedOptions;
use framewalk_runtime::sim::thread::LiveRun;
use framewalk_runtime::sim::virtual_time::{Observed, VirtualOptions, VirtualRun};
use framewalk_runtime::sim::{Control, RunSettings};
use framewalk_runtime::snapshot::{Snapshot, SnapshotItems};
use framewalk_runtime::time::rest::Rest;
use framewalk_runtime::time::simulated::SimulatedTime;
use framewalk_runtime::time::source::RealClock;
use framewalk_runtime::time::{Nanos, Rate, Tick};
use framewalk_runtime::world::{HandEdit, TickStep, World};
use glam::Vec3;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// A job that nobody runs fails a test, and does not hold it up for ever.
const PATIENCE: Duration = Duration::from_secs(60);

const SAMPLES: [(&str, &str, u64); 3] = [
    ("first-steps", include_str!("../../projects/first-steps/scenes/main.ron"), 600),
    ("judder-lab", include_str!("../../projects/judder-lab/scenes/main.ron"), 300),
    ("pile", include_str!("../../projects/pile/scenes/main.ron"), 120),
];

/// The state every so often, with so many workers, and what a snapshot then shows.
fn hashes(scene: &Scene, divisor: u32, workers: usize, ticks: u64) -> Vec<(u64, SnapshotItems)> {
    let workers = Workers::start(&WorkersOptions::of(workers)).expect("threads");
    hashes_by(scene, divisor, workers.jobs(), ticks)
}

fn hashes_by(scene: &Scene, divisor: u32, jobs: &Jobs, ticks: u64) -> Vec<(u64, SnapshotItems)> {
    hashes_at(scene, divisor, jobs, ticks, |_| Rate::HZ_60)
}

/// `rate_of` says how long each tick is.
fn hashes_at(
    scene: &Scene,
    divisor: u32,
    jobs: &Jobs,
    ticks: u64,
    rate_of: impl Fn(u64) -> Rate,
) -> Vec<(u64, SnapshotItems)> {
    let mut world = World::new(scene, rate_of(1)).expect("a scene");
    let mut time = SimulatedTime::ZERO;
    world.set_jobs(jobs.are_shared().then(|| jobs.clone()));
    world.set_physics_divisor(divisor);
    let (mut store, mut snapshot) = (Interpolation::new(&world), Snapshot::default());
    let mut hashes = Vec::new();
    for tick in 1..=ticks {
        let tick_rate = rate_of(tick);
        time.add_ticks(1, tick_rate);
        let seconds = time.seconds_f64();
        world.tick(&TickStep { tick: Tick(tick), seconds, tick_rate, input: &TickInput::default() });
        store.roll(&world);
        snapshot.fill(&world, &store);
        if tick % 7 == 0 || tick == ticks {
            hashes.push((world.state_hash(), snapshot.items.clone()));
        }
    }
    hashes
}

#[test]
fn the_samples_are_the_same_with_any_number_of_workers() {
    for (name, text, ticks) in SAMPLES {
        let scene = parse_scene(text).expect(name);
        for divisor in [1, 8] {
            let alone = hashes(&scene, divisor, 0, ticks);
            for workers in [1, 2, 8] {
                assert!(
                    hashes(&scene, divisor, workers, ticks) == alone,
                    "{name}, {divisor}, {workers} workers"
                );
            }
        }
    }
}

#[test]
fn ticks_that_change_their_length_in_the_middle_of_a_step_are_the_same_with_any_number_of_workers() {
    let rates = [60, 512, 10, 500, 144, 7].map(|rate| Rate::hz(rate).expect("a rate"));
    let rate_of = |tick: u64| rates[(tick / 37) as usize % rates.len()];
    let scene = parse_scene(SAMPLES[0].1).expect("a sample");
    let hashes = |workers| {
        let workers = Workers::start(&WorkersOptions::of(workers)).expect("threads");
        hashes_at(&scene, 8, workers.jobs(), 600, rate_of)
    };
    let alone = hashes(0);
    for workers in [1, 2, 8] {
        assert!(hashes(workers) == alone, "{workers} workers");
    }
}

/// Wide enough that sweeps are shared: movers of all kinds, and bodies.
fn crowd() -> Scene {
    let cube = Shape { kind: ShapeKind::Cube { size: Vec3::splat(0.5) }, color: Color::WHITE };
    let motion = |idx: u64| match idx % 4 {
        0 => Motion::Steady { velocity: Vec3::new(1.0, idx as f32 * 0.01, 0.0) },
        1 => Motion::Spin { axis: Vec3::Y, degrees_per_second: 10.0 + idx as f32 },
        2 => Motion::Orbit { center: Vec3::ZERO, axis: Vec3::Z, degrees_per_second: 33.0 },
        _ => Motion::Oscillate { amplitude: Vec3::ONE, period: 2.0, phase: 0.001 * idx as f32 },
    };
    let entity = |idx: u64| {
        let position = Vec3::new((idx % 100) as f32, 2.0 * (idx / 100) as f32, 0.0);
        let falls = idx.is_multiple_of(3);
        Entity {
            id: EntityId(idx + 1),
            name: format!("Entity {idx}"),
            transform: Transform { position, ..Transform::default() },
            // Two archetypes of movers, one of bodies.
            shape: (falls || idx.is_multiple_of(2)).then_some(cube),
            motion: (!falls).then(|| motion(idx)),
            body: falls.then(|| Body { kind: BodyKind::Dynamic, velocity: Vec3::Z, ..Body::default() }),
            ..Entity::default()
        }
    };
    Scene { entities: (0..9000).map(entity).collect(), ..Scene::default() }
}

#[test]
fn a_crowd_is_the_same_with_any_number_of_workers() {
    let scene = crowd();
    for divisor in [1, 4] {
        let alone = hashes(&scene, divisor, 0, 20);
        for workers in [1, 2, 8] {
            assert!(hashes(&scene, divisor, workers, 20) == alone, "{divisor}, {workers} workers");
        }
    }
}

/// The state after each tick of a run in which application code moves, spawns, removes and pushes in its ticks, and between
/// them zooms a camera, which is no part of the state.
fn with_an_application(scene: &Scene, handoff: HandoffMode, workers: usize) -> BTreeMap<u64, u64> {
    let settings =
        RunSettings { handoff, frame_rate: Rate::hz(75).expect("a rate"), ..RunSettings::default() };
    let options = VirtualOptions { observed: Observed::No, ..VirtualOptions::default() };
    let mut run =
        VirtualRun::new(scene, &settings, Box::new(NullRenderer::new()), options).expect("it can be run");
    run.set_workers(Workers::start(&WorkersOptions::of(workers)).expect("threads"));
    let core = run.sim_mut().core_mut();
    let mut guests = VecDeque::new();
    core.set_app_tick(Box::new(move |time, _, world| {
        let tick = time.tick.0;
        let guest = Entity { name: "Guest".to_owned(), ..Entity::default() };
        guests.push_back(world.spawn(&guest).expect("nothing is wrong with it"));
        // Behind one that moves, wherever the sweep has brought it by now.
        let mover = world.world().local_pose(EntityId(2)).expect("it is there");
        for (idx, guest) in guests.iter().enumerate() {
            let position = mover.position - Vec3::X * (idx + 1) as f32;
            assert!(world.move_to(*guest, Pose { position, ..mover }));
        }
        if guests.len() > 5 {
            assert!(world.despawn(guests.pop_front().expect("there are six")));
        }
        let push = HandEdit::Velocity { linear: Vec3::Y * tick as f32, angular: Vec3::ZERO };
        assert!(world.edit(EntityId(1 + 3 * (tick % 1_000)), &push));
    }));
    core.set_app_update(Box::new(|time, _, world| {
        let fov_degrees = 50.0 + (time.frame.0 % 10) as f32;
        assert!(world.edit(EntityId(9_001), &HandEdit::Camera(Camera { fov_degrees, ..Camera::default() })));
    }));
    let mut hashes = BTreeMap::new();
    while run.sim().core().tick() < Tick(40) {
        run.next_frame().expect("nothing fails in it");
        let core = run.sim().core();
        let hash = core.world().state_hash();
        assert_eq!(
            *hashes.entry(core.tick().0).or_insert(hash),
            hash,
            "a frame without a tick changes nothing"
        );
    }
    hashes
}

#[test]
fn what_an_application_does_is_the_same_with_any_number_of_workers_and_in_every_handoff() {
    let mut scene = crowd();
    let camera = Entity { camera: Some(Camera::default()), name: "Camera".to_owned(), ..Entity::default() };
    scene.entities.push(Entity { id: EntityId(9_001), ..camera });
    let alone = with_an_application(&scene, HandoffMode::Slot, 0);
    assert_eq!(alone.len(), 41);
    for handoff in HandoffMode::ALL {
        for workers in [0, 1, 3] {
            let same = with_an_application(&scene, handoff, workers) == alone;
            assert!(same, "{}, {workers} workers", handoff.name());
        }
    }
}

#[test]
fn a_crowd_is_the_same_with_threads_that_help_while_they_wait() {
    let scene = crowd();
    for divisor in [1, 4] {
        let alone = hashes(&scene, divisor, 0, 20);
        for workers in [0, 1, 2] {
            let workers = Workers::start(&WorkersOptions::of(workers)).expect("threads");
            let over = AtomicBool::new(false);
            let is_over = || over.load(Ordering::Acquire);
            let helped = std::thread::scope(|scope| {
                let threads = [Queue::Logic, Queue::Render].map(|own| {
                    let mut helping = Helping::new(workers.jobs(), own);
                    scope.spawn(move || {
                        while !is_over() {
                            helping.rest(None, &is_over);
                        }
                    })
                });
                let helped = hashes_by(&scene, divisor, workers.jobs(), 20);
                over.store(true, Ordering::Release);
                threads.iter().for_each(|helping| helping.thread().unpark());
                helped
            });
            assert!(helped == alone, "{divisor}, {} workers", workers.jobs().workers());
        }
    }
}

#[test]
fn on_real_threads_a_run_without_workers_has_its_jobs_run_by_whoever_waits_in_it() {
    let scene = parse_scene(SAMPLES[0].1).expect("a sample");
    for start_paused in [true, false] {
        let workers = WorkersOptions { waiting_help: true, ..WorkersOptions::of(0) };
        let settings = RunSettings { workers, start_paused, ..RunSettings::default() };
        let renderer = Box::new(NullRenderer::new());
        let mut run =
            LiveRun::start(&scene, &settings, renderer, PacedOptions::default()).expect("it can be run");
        let jobs = run.jobs().expect("somebody helps").clone();
        let (mut counter, (ran, runs)) = (Counter::new(), mpsc::channel());
        for queue in [Queue::Logic, Queue::Render].into_iter().cycle().take(10) {
            let ran = ran.clone();
            jobs.submit(queue, &mut counter, move || {
                let name = std::thread::current().name().map(str::to_owned);
                ran.send(name).expect("it is waited for");
            });
            let name = runs.recv_timeout(PATIENCE).expect("it is run").expect("both have a name");
            assert!(["sim", "render"].contains(&name.as_str()), "{name}");
        }
        run.stop();
        assert_eq!(run.failure(), None);
        let stats = jobs.stats();
        assert_eq!(stats.threads.iter().map(|thread| thread.helped).sum::<u64>(), 10, "{stats:?}");
    }
}

#[test]
fn on_real_threads_what_a_tick_stands_still_for_jobs_is_in_the_record_of_its_frame() {
    let mover = |id| Entity {
        id: EntityId(id),
        name: format!("Mover {id}"),
        motion: Some(Motion::Steady { velocity: Vec3::X }),
        ..Entity::default()
    };
    let scene = Scene { entities: (1..=20_000).map(mover).collect(), ..Scene::default() };
    let settings = RunSettings { workers: WorkersOptions::of(1), ..RunSettings::default() };
    let renderer = Box::new(NullRenderer::new());
    let mut run =
        LiveRun::start(&scene, &settings, renderer, PacedOptions::default()).expect("it can be run");
    let jobs = run.jobs().expect("there is a worker").clone();
    let mut noted = Nanos::ZERO;
    let mut note = |record| {
        if let RuntimeRecord::Frame(frame) = record {
            assert!(frame.jobs_wait <= frame.stages[Stage::RunScheduler.index()].duration, "{frame:?}");
            noted += frame.jobs_wait;
        }
        noted
    };
    // Whenever the worker has the last job of a sweep, which is often.
    let (clock, mut waited) = (RealClock::new(), Nanos::ZERO);
    let give_up = clock.now() + Nanos::from_secs(60);
    while waited == Nanos::ZERO {
        assert!(clock.now() < give_up, "the worker never had the last job");
        run.poll(|record| waited = note(record));
        std::thread::yield_now();
    }
    run.control(Control::Stop);
    while run.state_hash().is_none() {
        std::thread::yield_now();
    }
    run.stop();
    run.poll(|record| waited = note(record));
    let stats = jobs.stats();
    let sim = stats.threads.iter().find(|thread| thread.name == "sim").expect("it has waited");
    assert_eq!(sim.waited, waited, "all of it, and nothing else");
}
