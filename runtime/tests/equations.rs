//! Both equations after every frame, over random rates, speeds, caps, loads, render costs, deltas and controls.

#![cfg(feature = "sim")]
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use framewalk_runtime::frame::record::FrameRecord;
use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::project::PhysicsDivisor;
use framewalk_runtime::scene::{Entity, EntityId, Load, Scene};
use framewalk_runtime::sim::virtual_time::{Observed, VirtualOptions, VirtualRun};
use framewalk_runtime::sim::{Control, RunSettings, RunState};
use framewalk_runtime::time::fixed_step::MaxTicks;
use framewalk_runtime::time::{Nanos, Rate, Speed};
use proptest::prelude::*;

/// One thing done to a run between two frames.
#[derive(Clone, Debug)]
enum Act {
    Frame,
    Delta(i64),
    Do(Control),
}

fn rates() -> impl Strategy<Value = Rate> {
    prop_oneof![
        (1_u32..=1000).prop_map(|hz| Rate::hz(hz).unwrap()),
        Just(Rate::new(60_000, 1001).unwrap()),
        Just(Rate::new(2997, 50).unwrap()),
        (1_u64..=1000, 1_u64..=997).prop_filter_map("outside 1 to 1000 Hz", |(whole, den)| Rate::new(
            whole * den + 1,
            den
        )
        .ok()),
    ]
}

fn acts() -> impl Strategy<Value = Act> {
    let speed = (0_u32..=8000).prop_map(|speed| Speed::from_thousandths(speed).unwrap());
    prop_oneof![
        8 => Just(Act::Frame),
        4 => (-2_000_000_i64..400_000_000).prop_map(Act::Delta),
        1 => Just(Act::Do(Control::Pause)),
        1 => Just(Act::Do(Control::Resume)),
        1 => Just(Act::Do(Control::StepFrame)),
        1 => Just(Act::Do(Control::StepTick)),
        2 => Just(Act::Do(Control::StepStage)),
        1 => speed.prop_map(|speed| Act::Do(Control::SetSpeed(speed))),
        1 => rates().prop_map(|rate| Act::Do(Control::SetTickRate(rate))),
        1 => rates().prop_map(|rate| Act::Do(Control::SetFrameRate(rate))),
        1 => (1_u32..=64).prop_map(|ticks| Act::Do(Control::SetPhysicsDivisor(PhysicsDivisor::new(ticks).unwrap()))),
        1 => (1_u32..50).prop_map(|ticks| Act::Do(Control::SetMaxTicks(MaxTicks::Fixed(ticks)))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn both_equations_hold_after_every_frame_whatever_is_done(
        tick_rate in rates(),
        frame_rate in rates(),
        render_cost in 0_i64..60_000_000,
        tick_load in 0_i64..3_000_000,
        acts in prop::collection::vec(acts(), 1..80),
    ) {
        let load = Load { tick: Nanos(tick_load), ..Load::default() };
        let burner = Entity { id: EntityId(1), name: "Burner".to_owned(), load: Some(load), ..Entity::default() };
        let scene = Scene { entities: vec![burner], ..Scene::default() };
        let settings = RunSettings { tick_rate, frame_rate, ..RunSettings::default() };
        let options = VirtualOptions {
            render_cost: Nanos(render_cost),
            observed: Observed::No,
            ..VirtualOptions::default()
        };
        let mut run = VirtualRun::new(&scene, &settings, Box::new(NullRenderer::default()), options).unwrap();
        let mut frames: Vec<FrameRecord> = Vec::new();
        for act in acts {
            match act {
                Act::Frame => { run.next_frame().unwrap(); }
                Act::Delta(delta) => { run.next_frame_with_delta(Nanos(delta)).unwrap(); }
                Act::Do(control) => run.control(control).unwrap(),
            }
            prop_assert!(run.counts().balanced(), "{:?}", run.counts());
            frames.extend(run.drain_frames());
        }
        if let RunState::FrameOpen { .. } = run.state() {
            run.control(Control::StepFrame).unwrap();
            frames.extend(run.drain_frames());
        }
        run.finish();
        let mut ticks = 0;
        for (index, frame) in frames.iter().enumerate() {
            prop_assert!(frame.conserved(), "{frame:?}");
            prop_assert_eq!(frame.frame.0, index as u64 + 1);
            ticks += u64::from(frame.ticks);
            prop_assert_eq!(frame.tick.0, ticks);
            prop_assert!((0.0..1.0).contains(&frame.alpha) && (frame.alpha as f32) < 1.0);
        }
        let counts = run.counts();
        prop_assert_eq!(counts.published, frames.len() as u64);
        prop_assert_eq!(counts.rendered + counts.dropped, counts.published);
        let replaced = frames.iter().filter(|frame| frame.replaced.is_some()).count();
        prop_assert_eq!(counts.dropped, replaced as u64);
    }
}
