//! Every frame is accounted for in each handoff, whatever is asked of a run and in which order: changes of way while a
//! frame is open, rates that change in the moment of a pause, more input than fits, and a Stop in the middle of it.

#![cfg(feature = "sim")]
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use framewalk_runtime::frame::record::{FrameRecord, HandoffCounts, HandoffMode, RenderRecord};
use framewalk_runtime::input::{InputEvent, InputKind, Key};
use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::project::PhysicsDivisor;
use framewalk_runtime::scene::{
    Body, Controlled, Entity, EntityId, Load, Motion, Pose, Scene, Shape, ShapeKind,
};
use framewalk_runtime::sim::virtual_time::{VirtualOptions, VirtualRun};
use framewalk_runtime::sim::{Control, RunSettings, RunState};
use framewalk_runtime::time::fixed_step::MaxTicks;
use framewalk_runtime::time::{Nanos, Rate, Speed};
use framewalk_runtime::world::HandEdit;
use glam::Vec3;
use proptest::prelude::*;

const BURNER: EntityId = EntityId(1);
const BODY: EntityId = EntityId(2);

/// One thing done to a run.
#[derive(Clone, Debug)]
enum Act {
    Frame,
    Pass(i64),
    Do(Control),
    /// So many key events at once.
    Keys(usize),
}

fn rates() -> impl Strategy<Value = Rate> {
    prop_oneof![
        (1_u32..=1000).prop_map(|hz| Rate::hz(hz).unwrap()),
        Just(Rate::new(60_000, 1001).unwrap()),
        Just(Rate::new(2997, 50).unwrap()),
    ]
}

fn handoffs() -> impl Strategy<Value = HandoffMode> {
    prop::sample::select(HandoffMode::ALL.to_vec())
}

fn controls() -> impl Strategy<Value = Control> {
    let speeds = prop_oneof![Just(0), Just(1_000), 0_u32..=8_000];
    let divisors = (1_u32..=64).prop_map(|ticks| PhysicsDivisor::new(ticks).unwrap());
    prop_oneof![
        2 => Just(Control::Pause),
        2 => Just(Control::Resume),
        2 => Just(Control::StepFrame),
        2 => Just(Control::StepTick),
        4 => Just(Control::StepStage),
        3 => handoffs().prop_map(Control::SetHandoff),
        1 => speeds.prop_map(|speed| Control::SetSpeed(Speed::from_thousandths(speed).unwrap())),
        1 => rates().prop_map(Control::SetTickRate),
        1 => rates().prop_map(Control::SetFrameRate),
        1 => divisors.prop_map(Control::SetPhysicsDivisor),
        1 => (1_u32..50).prop_map(|ticks| Control::SetMaxTicks(MaxTicks::Fixed(ticks))),
        1 => (1_i64..400_000_000).prop_map(|delta| Control::SetMaxDelta(Nanos(delta))),
        1 => (-20_000_000_i64..20_000_000).prop_map(|by| Control::ShiftGrid(Nanos(by))),
        1 => Just(Control::SetPose { entity: BODY, pose: Pose::default() }),
        1 => (0_i64..30_000_000).prop_map(|cost| {
            let load = Load { tick: Nanos(cost), ..Load::default() };
            Control::ByHand(vec![(BURNER, HandEdit::Load(load))])
        }),
        1 => Just(Control::Watch(vec![BODY, EntityId(99)])),
    ]
}

fn acts() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => Just(Act::Frame),
        3 => (0_i64..120_000_000).prop_map(Act::Pass),
        8 => controls().prop_map(Act::Do),
        1 => (0_usize..2_500).prop_map(Act::Keys),
    ]
}

fn scene() -> Scene {
    let burner =
        Entity { id: BURNER, name: "Burner".to_owned(), load: Some(Load::default()), ..Entity::default() };
    let body = Entity {
        id: BODY,
        name: "Body".to_owned(),
        shape: Some(Shape { kind: ShapeKind::Sphere { radius: 0.5 }, color: "#2bb58a".parse().unwrap() }),
        body: Some(Body::default()),
        ..Entity::default()
    };
    let controlled = Entity {
        id: EntityId(4),
        name: "Controlled".to_owned(),
        controlled: Some(Controlled { speed: 2.0, jump: 1.0 }),
        ..Entity::default()
    };
    let mover = Entity {
        id: EntityId(3),
        name: "Mover".to_owned(),
        motion: Some(Motion::Steady { velocity: Vec3::X }),
        ..Entity::default()
    };
    Scene { entities: vec![burner, body, mover, controlled], ..Scene::default() }
}

fn act(run: &mut VirtualRun, act: Act) {
    match act {
        Act::Frame => {
            run.next_frame().unwrap();
        }
        Act::Pass(by) => run.advance_to(run.now() + Nanos(by)).unwrap(),
        Act::Do(control) => run.control(control).unwrap(),
        Act::Keys(count) => {
            for n in 0..count {
                let kind = if n % 2 == 0 {
                    InputKind::KeyDown(Key::ArrowRight)
                } else {
                    InputKind::KeyUp(Key::ArrowRight)
                };
                run.control(Control::Input(InputEvent { at: run.now(), kind })).unwrap();
            }
        }
    }
}

/// What the counts and the records of a run that is over say of each other.
fn accounted(
    counts: HandoffCounts,
    frames: &[FrameRecord],
    pictures: &[RenderRecord],
) -> Result<(), TestCaseError> {
    prop_assert!(counts.balanced() && counts.pending == 0 && counts.in_flight == 0, "{counts:?}");
    let first_pictures = pictures.iter().filter(|picture| !picture.again).count() as u64;
    prop_assert_eq!(counts.rendered, first_pictures);
    let replaced = frames.iter().filter(|frame| frame.replaced.is_some()).count() as u64;
    prop_assert_eq!(counts.dropped, replaced);
    // No frame is drawn twice over as a new one, and none after a newer one.
    let drawn = pictures.windows(2).all(|pair| match pair[1].again {
        true => pair[1].frame == pair[0].frame,
        false => pair[1].frame > pair[0].frame,
    });
    prop_assert!(drawn);
    let mut ticks = 0;
    for (index, frame) in frames.iter().enumerate() {
        prop_assert!(frame.conserved(), "{frame:?}");
        prop_assert_eq!(frame.frame.0, index as u64 + 1);
        ticks += u64::from(frame.ticks);
        prop_assert_eq!(frame.tick.0, ticks);
    }
    Ok(())
}

#[test]
fn of_more_input_than_fits_each_event_is_counted_as_taken_or_lost() {
    let options = VirtualOptions::default();
    let settings = RunSettings::default();
    let mut run = VirtualRun::new(&scene(), &settings, Box::new(NullRenderer::new()), options).unwrap();
    run.next_frame().unwrap();
    act(&mut run, Act::Keys(2_500));
    assert_eq!(run.sim().core().input_lost(), 1_024 + 1_023);
    run.next_frame().unwrap();
    let taken = run.drain_frames().next_back().unwrap().figures.input_events;
    assert_eq!(taken, 2_500 - (1_024 + 1_023) + 1, "and one that lets go of every key");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn in_each_handoff_every_frame_is_accounted_for_whatever_is_done(
        handoff in handoffs(),
        tick_rate in rates(),
        frame_rate in rates(),
        start_paused in any::<bool>(),
        render_cost in 0_i64..60_000_000,
        acts in prop::collection::vec(acts(), 1..60),
    ) {
        let settings = RunSettings { handoff, tick_rate, frame_rate, start_paused, ..RunSettings::default() };
        let options = VirtualOptions { render_cost: Nanos(render_cost), ..VirtualOptions::default() };
        let mut run = VirtualRun::new(&scene(), &settings, Box::new(NullRenderer::new()), options).unwrap();
        let (mut frames, mut pictures) = (Vec::new(), Vec::new());
        for done in acts {
            act(&mut run, done);
            prop_assert!(run.counts().balanced(), "{:?}", run.counts());
            frames.extend(run.drain_frames());
            pictures.extend(run.drain_renders());
        }
        if let RunState::FrameOpen { .. } = run.state() {
            run.control(Control::StepFrame).unwrap();
        }
        run.finish();
        frames.extend(run.drain_frames());
        pictures.extend(run.drain_renders());
        let counts = run.counts();
        prop_assert_eq!(counts.published, frames.len() as u64);
        prop_assert_eq!(counts.abandoned, 0);
        accounted(counts, &frames, &pictures)?;
    }

    #[test]
    fn a_stop_anywhere_leaves_nothing_unaccounted_for_and_nothing_runs_after_it(
        handoff in handoffs(),
        render_cost in 0_i64..60_000_000,
        before in prop::collection::vec(acts(), 0..30),
        after in prop::collection::vec(acts(), 0..10),
        abandons in any::<bool>(),
    ) {
        let settings = RunSettings { handoff, ..RunSettings::default() };
        let options = VirtualOptions { render_cost: Nanos(render_cost), ..VirtualOptions::default() };
        let mut run = VirtualRun::new(&scene(), &settings, Box::new(NullRenderer::new()), options).unwrap();
        before.into_iter().for_each(|done| act(&mut run, done));
        run.control(Control::Stop).unwrap();
        let (published, tick) = (run.counts().published, run.sim().core().tick());
        after.into_iter().for_each(|done| act(&mut run, done));
        prop_assert_eq!(run.state(), RunState::Stopped);
        prop_assert_eq!((run.counts().published, run.sim().core().tick()), (published, tick));
        if abandons { run.abandon() } else { run.finish() }
        let (frames, pictures): (Vec<_>, Vec<_>) = (run.drain_frames().collect(), run.drain_renders().collect());
        let counts = run.counts();
        prop_assert_eq!(counts.published, frames.len() as u64);
        prop_assert!(abandons || counts.abandoned == 0);
        accounted(counts, &frames, &pictures)?;
    }
}
