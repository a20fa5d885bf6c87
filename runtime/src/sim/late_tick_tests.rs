//! The free handoff where ticks come late, once or always: what is drawn when, on a manual clock.

use super::virtual_time::{VirtualOptions, VirtualRun};
use super::{Control, RunSettings};
use crate::frame::record::{HandoffMode, RenderRecord};
use crate::render::NullRenderer;
use crate::scene::{Entity, EntityId, Load, Motion, Scene};
use crate::time::Nanos;
use crate::world::HandEdit;
use glam::Vec3;

const MOVER: EntityId = EntityId(1);

fn run(handoff: HandoffMode, tick_rate: &str, frame_rate: &str) -> VirtualRun {
    let mover = Entity {
        id: MOVER,
        name: "Mover".to_owned(),
        motion: Some(Motion::Steady { velocity: Vec3::X }),
        load: Some(Load::default()),
        ..Entity::default()
    };
    let scene = Scene { entities: vec![mover], ..Scene::default() };
    let settings = RunSettings {
        handoff,
        tick_rate: tick_rate.parse().unwrap(),
        frame_rate: frame_rate.parse().unwrap(),
        ..RunSettings::default()
    };
    VirtualRun::new(&scene, &settings, Box::new(NullRenderer::new()), VirtualOptions::default()).unwrap()
}

/// What ticks cost from the next one on.
fn set_cost(run: &mut VirtualRun, millis: i64) {
    let load = Load { tick: Nanos::from_millis(millis), ..Load::default() };
    run.control(Control::ByHand(vec![(MOVER, HandEdit::Load(load))])).unwrap();
}

/// How far behind the clock each picture is that was made for a time from `millis` on, without the last, which may stand.
fn behind(pictures: &[RenderRecord], millis: i64) -> Vec<i64> {
    let pictures = &pictures[..pictures.len() - 1];
    let late = pictures.iter().filter(|picture| picture.render_time >= Nanos::from_millis(millis));
    late.map(|picture| (picture.render_time - picture.shown_time).0).collect()
}

#[test]
fn one_late_tick_holds_the_picture_and_costs_no_latency_afterwards() {
    let mut run = run(HandoffMode::Free, "100", "250");
    run.advance_to(Nanos::from_millis(500)).unwrap();
    // The tick of 510 ms takes 8 ms; the one of 520 ms comes in time.
    set_cost(&mut run, 8);
    run.advance_to(Nanos::from_millis(519)).unwrap();
    set_cost(&mut run, 0);
    run.advance_to(Nanos::from_secs(2)).unwrap();
    let pictures: Vec<_> = run.drain_renders().collect();
    // Its motion is to begin at 511 ms: the picture of 512 ms and that of 516 have nothing new to show.
    let held: Vec<i64> = pictures
        .iter()
        .filter(|picture| picture.held)
        .map(|picture| picture.render_time.0 / 1_000_000)
        .collect();
    assert_eq!(held, [512]);
    // A tick and the margin of a millisecond, before and from the next tick on.
    let late = behind(&pictures, 520);
    assert!(late.len() > 300, "{} pictures", late.len());
    assert!(late.iter().all(|behind| *behind == 11_000_000), "{late:?}");
}

#[test]
fn ticks_that_are_late_from_some_time_on_are_waited_for_and_the_wait_ends_with_them() {
    let mut run = run(HandoffMode::Free, "100", "250");
    run.advance_to(Nanos::from_millis(500)).unwrap();
    set_cost(&mut run, 8);
    run.advance_to(Nanos::from_secs(1)).unwrap();
    set_cost(&mut run, 0);
    run.advance_to(Nanos::from_secs(5)).unwrap();
    let pictures: Vec<_> = run.drain_renders().collect();
    let held: Vec<i64> = pictures
        .iter()
        .filter(|picture| picture.held)
        .map(|picture| picture.render_time.0 / 1_000_000)
        .collect();
    assert_eq!(held, [512, 524], "then ticks are expected as late as they come");
    // 10 ms, and 8 ms and an eighth.
    assert!(behind(&pictures, 600)[..90].iter().all(|behind| *behind == 19_000_000));
    assert!(behind(&pictures, 4_000).iter().all(|behind| *behind == 11_000_000));
    // Never back, and never faster than half a hundredth beyond its speed but where it catches up on what was held.
    let passed: Vec<i64> =
        pictures.windows(2).map(|pair| (pair[1].shown_time - pair[0].shown_time).0).collect();
    assert!(passed.iter().all(|passed| *passed >= 0), "{passed:?}");
    let late = pictures.iter().position(|picture| picture.render_time >= Nanos::from_millis(600)).unwrap();
    let (slowest, fastest) = (passed[late..passed.len() - 1].iter().min(), passed[late..].iter().max());
    assert_eq!((slowest, fastest), (Some(&4_000_000), Some(&4_020_101)));
}

#[test]
fn a_handoff_that_becomes_free_between_two_ticks_is_as_steady_as_any() {
    let mut run = run(HandoffMode::Slot, "50", "60");
    run.advance_to(Nanos::from_millis(120)).unwrap();
    let left_over = run.sim().core().fixed_step().overstep();
    assert_eq!(left_over.0 / 1_000_000, 16, "the last frame was at 116.7 ms, its last tick at 100");
    run.control(Control::SetHandoff(HandoffMode::Free)).unwrap();
    run.advance_to(Nanos::from_secs(2)).unwrap();
    let pictures: Vec<_> = run.drain_renders().collect();
    let settled: Vec<_> =
        pictures.iter().filter(|picture| picture.render_time >= Nanos::from_millis(300)).collect();
    assert_eq!(settled.iter().filter(|picture| picture.held).count(), 0);
    let uneven = settled.windows(2).map(|pair| {
        let shown = pair[1].shown_time - pair[0].shown_time;
        (shown - (pair[1].render_time - pair[0].render_time)).0.abs()
    });
    assert!(uneven.max().unwrap() <= 2, "no picture is a microsecond from steady motion");
}
