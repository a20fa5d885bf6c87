//! Plays each sample project's scene in a world, without threads or pictures.

#![cfg(feature = "sim")]

use framewalk_runtime::input::TickInput;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::scene::project::parse_project;
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::Tick;
use framewalk_runtime::world::{TickStep, World};
use framewalk_runtime::{interpolation::Interpolation, time::Rate};

const SAMPLES: [(&str, &str, &str); 3] = [
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
];

/// The scene after some ticks at a rate; `each` sees every tick.
fn play(name: &str, scene: &str, rate: Rate, ticks: u64, mut each: impl FnMut(u64, &Snapshot)) {
    let scene = parse_scene(scene).expect(name);
    let mut world = World::new(&scene, rate).expect(name);
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
fn every_sample_plays_twenty_seconds_and_keeps_its_things_in_sight() {
    for (name, project, scene) in SAMPLES {
        let rate = parse_project(project).expect(name).tick_rate;
        let ticks = u64::from(rate.num() / rate.den()) * 20;
        play(name, scene, rate, ticks, |tick, snapshot| {
            assert!(snapshot.camera.is_some() && snapshot.sun.is_some() && snapshot.sky.is_some(), "{name}");
            for item in &snapshot.items {
                let position = item.current.position;
                let near = position.is_finite() && position.y > -1.0 && position.abs().max_element() < 60.0;
                assert!(near, "{name}, tick {tick}: {:?} is at {position}", item.entity);
            }
        });
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
