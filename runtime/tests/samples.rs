//! Plays each sample project's scene, without threads or pictures, and holds it to what its `about` says.
//!
//! `FRAMEWALK_LONG=1 cargo test --release -p framewalk-runtime --test samples` plays each of them for ten minutes.

// Positions that are functions of time are right to the bit.
#![allow(clippy::float_cmp)]
#![cfg(feature = "sim")]

#[path = "samples/pile.rs"]
mod pile;

use framewalk_runtime::frame::record::{FrameRecord, HandoffCounts, HandoffMode, RenderRecord};
use framewalk_runtime::input::{InputEvent, InputKind, InputState, TickInput};
use framewalk_runtime::interpolation::Interpolation;
use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::format::{parse_scene, write_scene};
use framewalk_runtime::scene::project::parse_project;
use framewalk_runtime::sim::virtual_time::{Observed, VirtualOptions, VirtualRun};
use framewalk_runtime::sim::{Control, RunSettings};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::{Nanos, Rate, Tick};
use framewalk_runtime::world::{TickStep, World};

const SAMPLES: [(&str, &str, &str); 8] = [
    (
        "first-steps",
        include_str!("../../projects/first-steps/project.ron"),
        include_str!("../../projects/first-steps/scenes/main.ron"),
    ),
    (
        "judder-lab",
        include_str!("../../projects/judder-lab/project.ron"),
        include_str!("../../projects/judder-lab/scenes/main.ron"),
    ),
    (
        "empty",
        include_str!("../../projects/empty/project.ron"),
        include_str!("../../projects/empty/scenes/main.ron"),
    ),
    (
        "overload",
        include_str!("../../projects/overload/project.ron"),
        include_str!("../../projects/overload/scenes/main.ron"),
    ),
    (
        "pile",
        include_str!("../../projects/pile/project.ron"),
        include_str!("../../projects/pile/scenes/main.ron"),
    ),
    (
        "handoffs",
        include_str!("../../projects/handoffs/project.ron"),
        include_str!("../../projects/handoffs/scenes/main.ron"),
    ),
    (
        "high-rate",
        include_str!("../../projects/high-rate/project.ron"),
        include_str!("../../projects/high-rate/scenes/main.ron"),
    ),
    (
        "crowd",
        include_str!("../../projects/crowd/project.ron"),
        include_str!("../../projects/crowd/scenes/main.ron"),
    ),
];

/// Ten minutes of play instead of the seconds that the default run has time for.
fn long() -> bool {
    std::env::var_os("FRAMEWALK_LONG").is_some()
}

/// The scene after some ticks at a rate; `each` sees every tick.
fn play(name: &str, scene: &str, rate: Rate, ticks: u64, mut each: impl FnMut(u64, &Snapshot)) {
    let scene = parse_scene(scene).expect(name);
    let mut world = World::new(&scene, rate).expect(name);
    let project = parse_project(sample(name).1).expect(name);
    world.set_physics_divisor(project.physics_divisor.ticks());
    let mut store = Interpolation::new(&world);
    let mut snapshot = Snapshot::default();
    for tick in 1..=ticks {
        let seconds = tick as f64 * rate.period_secs_f64();
        world.tick(&TickStep { tick: Tick(tick), seconds, tick_rate: rate, input: &TickInput::default() });
        store.roll(&world);
        snapshot.fill(&world, &store);
        each(tick, &snapshot);
    }
}

#[test]
fn every_sample_keeps_its_things_in_sight() {
    for (name, project, scene) in SAMPLES {
        let seconds = match name {
            // As much work as all the others together.
            "crowd" => 1,
            _ if long() => 600,
            // A tick of it is worth a second of the others.
            "pile" => 3,
            _ => 20,
        };
        let rate = parse_project(project).expect(name).tick_rate;
        // These two leave for good, at one metre a second and at four.
        let far = match name {
            "judder-lab" => 40.0 + seconds as f32,
            "handoffs" => 80.0 + 4.0 * seconds as f32,
            _ => 60.0,
        };
        play(name, scene, rate, u64::from(rate.num() / rate.den()) * seconds, |tick, snapshot| {
            assert!(snapshot.camera.is_some() && snapshot.sun.is_some() && snapshot.sky.is_some(), "{name}");
            for item in snapshot.items.iter() {
                let position = item.current.position;
                let near = position.is_finite() && position.y > -1.0 && position.abs().max_element() < far;
                assert!(near, "{name}, tick {tick}: {:?} is at {position}", item.entity);
            }
        });
    }
}

#[test]
fn no_ball_of_the_first_steps_leaves_the_kerbs() {
    let (name, project, scene) = SAMPLES[0];
    let rate = parse_project(project).expect(name).tick_rate;
    let minutes = if long() { 10 } else { 2 };
    for rate in [rate, Rate::hz(20).expect("a rate")] {
        play(name, scene, rate, u64::from(rate.num()) * 60 * minutes, |tick, snapshot| {
            for item in snapshot.items.iter().filter(|item| item.look.is_something() && item.simulated) {
                let position = item.current.position;
                let inside = position.x.abs() < 7.0 && position.z.abs() < 7.0;
                assert!(inside, "{rate} Hz, tick {tick}: {:?} is at {position}", item.entity);
            }
        });
    }
}

#[test]
fn the_pile_is_what_its_generator_writes() {
    let scene = pile::scene();
    let bodies = scene.entities.iter().filter(|entity| entity.name.starts_with("Body ")).count();
    assert_eq!(bodies, pile::BODIES as usize);
    let text = write_scene(&scene);
    if std::env::var_os("FRAMEWALK_WRITE_SAMPLES").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../projects/pile/scenes/main.ron");
        std::fs::write(path, &text).expect("the sample can be written");
    }
    // Not `assert_eq`: it would print both texts, ten thousand lines each.
    assert!(SAMPLES[4].2 == text, "run this test with FRAMEWALK_WRITE_SAMPLES=1, and build again");
}

#[test]
fn the_crowd_is_a_hundred_thousand_movers_and_the_same_each_time() {
    let (name, project, scene) = SAMPLES[7];
    let rate = parse_project(project).expect(name).tick_rate;
    let hash = || {
        let scene = parse_scene(scene).expect(name);
        let mut world = World::new(&scene, rate).expect(name);
        let authored = scene.entities.len();
        assert_eq!(world.entity_count(), authored + 100_000);
        let input = &TickInput::default();
        for tick in 1..=3 {
            let seconds = tick as f64 * rate.period_secs_f64();
            world.tick(&TickStep { tick: Tick(tick), seconds, tick_rate: rate, input });
        }
        world.state_hash()
    };
    assert_eq!(hash(), hash());
    play(name, scene, rate, 2, |tick, snapshot| {
        let movers = || snapshot.items.iter().filter(|item| item.simulated);
        assert_eq!(movers().count(), 100_000, "tick {tick}");
        // Where a swing turns back, two ticks may lie at the same place.
        let moved = movers().filter(|item| item.previous != item.current).count();
        assert!(moved > 99_900, "tick {tick}: {moved}");
    });
}

/// What the frames of ten seconds of the overload did, from second `from` on.
fn overloaded(tick_rate: Rate) -> (Vec<FrameRecord>, VirtualRun) {
    let (name, _, scene) = SAMPLES[3];
    let settings = RunSettings { tick_rate, ..RunSettings::default() };
    let options = VirtualOptions { observed: Observed::No, ..VirtualOptions::default() };
    let scene = parse_scene(scene).expect(name);
    let mut run = VirtualRun::new(&scene, &settings, Box::new(NullRenderer::default()), options).expect(name);
    run.advance_to(Nanos::from_secs(10)).expect(name);
    let frames = run.drain_frames().collect();
    (frames, run)
}

#[test]
fn the_overload_is_late_capped_and_dropped_and_does_not_run_away() {
    let (frames, mut run) = overloaded(Rate::HZ_60);
    // It takes a second to fall behind for good: each frame runs one tick more than the last.
    let settled: Vec<&FrameRecord> =
        frames.iter().filter(|frame| frame.render_time > Nanos::from_secs(1)).collect();
    assert!(settled.len() > 80, "{} frames", settled.len());
    for frame in settled {
        // Five ticks of 20 ms, whatever is due.
        assert_eq!((frame.ticks, frame.delta), (5, Nanos::from_millis(100)), "frame {}", frame.frame.0);
        assert!(frame.late && frame.capped_ticks == 1 && frame.conserved(), "frame {}", frame.frame.0);
    }
    run.control(Control::Stop).expect("it stops");
    run.finish();
    let counts = run.counts();
    assert!(counts.dropped > counts.published / 3, "{counts:?}");
    assert_eq!(counts.published, counts.rendered + counts.dropped, "{counts:?}");
}

#[test]
fn at_thirty_hertz_the_overload_keeps_up() {
    let (frames, run) = overloaded(Rate::hz(30).expect("a rate"));
    assert!(frames.iter().all(|frame| frame.capped_ticks == 0 && frame.ticks <= 1));
    assert_eq!(run.sim().core().tick(), Tick(300));
}

fn sample(name: &str) -> (&'static str, &'static str, &'static str) {
    SAMPLES.into_iter().find(|sample| sample.0 == name).expect("a sample of that name")
}

/// Ten seconds of the sample that shows the three handoffs apart.
fn handed_over(handoff: HandoffMode) -> (HandoffCounts, u64, Vec<RenderRecord>) {
    let (name, _, scene) = sample("handoffs");
    let settings = RunSettings { handoff, ..RunSettings::default() };
    let options = VirtualOptions { observed: Observed::No, ..VirtualOptions::default() };
    let scene = parse_scene(scene).expect(name);
    let mut run = VirtualRun::new(&scene, &settings, Box::new(NullRenderer::default()), options).expect(name);
    run.advance_to(Nanos::from_secs(10)).expect(name);
    run.finish();
    let late = run.drain_frames().filter(|frame| frame.late).count() as u64;
    (run.counts(), late, run.drain_renders().collect())
}

#[test]
fn the_handoffs_differ_as_their_sample_says() {
    let (slot, late, _) = handed_over(HandoffMode::Slot);
    assert_eq!((slot.published, late), (601, 0));
    assert_eq!((slot.rendered, slot.dropped, slot.undrawn), (402, 199, 0), "a third is dropped");

    let (lockstep, late, _) = handed_over(HandoffMode::Lockstep);
    assert_eq!((lockstep.dropped, lockstep.undrawn), (0, 0));
    assert_eq!(
        (lockstep.published, lockstep.rendered),
        (402, 402),
        "the simulation keeps the renderer's pace"
    );
    assert!(late > 390, "{late} frames late");

    let (free, late, pictures) = handed_over(HandoffMode::Free);
    assert_eq!((free.published, free.dropped, late), (601, 0, 0));
    assert_eq!((free.rendered, free.undrawn), (402, 199), "ticks that no picture needs");
    assert!(pictures.iter().all(|picture| !picture.held && !picture.again));
    let steps: Vec<i64> =
        pictures.windows(2).map(|pair| (pair[1].shown_time - pair[0].shown_time).0).collect();
    assert!(steps[2..400].iter().all(|step| (step - 25_000_000).abs() <= 2), "even: {steps:?}");
}

#[test]
fn at_512_hertz_most_ticks_stay_undrawn_and_the_motion_is_even() {
    let (name, project, scene) = sample("high-rate");
    let project = parse_project(project).expect(name);
    assert_eq!((project.tick_rate, project.handoff), (Rate::hz(512).expect("a rate"), HandoffMode::Free));
    assert_eq!(project.physics_divisor.ticks(), 8);
    let settings = RunSettings {
        tick_rate: project.tick_rate,
        physics_divisor: project.physics_divisor,
        handoff: project.handoff,
        ..RunSettings::default()
    };
    let options = VirtualOptions { observed: Observed::No, ..VirtualOptions::default() };
    let scene = parse_scene(scene).expect(name);
    let mut run = VirtualRun::new(&scene, &settings, Box::new(NullRenderer::default()), options).expect(name);
    run.advance_to(Nanos::from_secs(2)).expect(name);
    run.finish();
    let counts = run.counts();
    assert_eq!((counts.published, counts.dropped, run.sim().core().tick()), (1025, 0, Tick(1024)));
    assert_eq!(run.sim().core().world().physics_steps(), 128, "64 a second");
    assert_eq!(counts.rendered + counts.undrawn, 1025);
    let pictures: Vec<RenderRecord> = run.drain_renders().collect();
    assert!(pictures.iter().all(|picture| !picture.held && !picture.late));
    for pair in pictures[1..120].windows(2) {
        let shown = pair[1].shown_time - pair[0].shown_time;
        let passed = pair[1].render_time - pair[0].render_time;
        assert!((shown - passed).0.abs() <= 2, "{shown:?} in {passed:?}");
    }
}

#[test]
fn a_key_moves_the_cube_of_the_high_rate_in_the_next_tick_though_physics_steps_once_in_eight() {
    let (name, project, scene) = sample("high-rate");
    let project = parse_project(project).expect(name);
    let scene = parse_scene(scene).expect(name);
    let cube = scene.named("Yours").expect("a cube").id;
    let rate = project.tick_rate;
    // At each place in the eight ticks of a step.
    for pressed_at in 100..108 {
        let mut world = World::new(&scene, rate).expect(name);
        world.set_physics_divisor(project.physics_divisor.ticks());
        let mut input = InputState::default();
        let mut place = |tick| {
            if tick == pressed_at {
                let kind = InputKind::KeyDown("ArrowRight".parse().expect("a key"));
                input.apply(&InputEvent { at: Nanos::ZERO, kind });
            }
            let input = input.take_tick_input();
            let seconds = tick as f64 / 512.0;
            world.tick(&TickStep { tick: Tick(tick), seconds, tick_rate: rate, input: &input });
            world.local_pose(cube).expect("it is there").position.x
        };
        let places: Vec<f32> = (1..=pressed_at).map(&mut place).collect();
        // Four metres a second.
        assert_eq!(places[places.len() - 2..], [0.0, 4.0 / 512.0], "tick {pressed_at}");
    }
}

#[test]
fn the_mover_of_the_judder_lab_goes_one_metre_a_second_from_the_origin() {
    let (name, _, scene) = SAMPLES[1];
    let mover = parse_scene(scene).expect(name).named("Mover").expect("a Mover").id;
    play(name, scene, Rate::hz(10).expect("a rate"), 100, |tick, snapshot| {
        let item = snapshot.items.iter().find(|item| item.entity == mover).expect("the Mover");
        assert_eq!(item.current.position.x, (tick as f64 / 10.0) as f32, "tick {tick}");
        assert_eq!(item.previous.position.x, ((tick - 1) as f64 / 10.0) as f32, "tick {tick}");
    });
}
