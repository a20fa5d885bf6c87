//! What sounds in a run is the same each time, with any number of workers and with and without a listener.
#![cfg(feature = "sim")]

use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::frame::sounds::{CUE_CAPACITY, SoundReceiver, sounds};
use framewalk_runtime::jobs::Workers;
use framewalk_runtime::jobs::thread::WorkersOptions;
use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::scene::project::PhysicsDivisor;
use framewalk_runtime::scene::{EntityId, Scene};
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::virtual_time::{Observed, VirtualOptions, VirtualRun};
use framewalk_runtime::time::{FrameIndex, Nanos};
use glam::Vec3;

/// Balls that meet a floor and each other, a jumper, a source, and a camera to hear them with.
fn scene() -> Scene {
    let mut entities = vec![
        "(id: 1, name: \"Floor\", shape: Plane(width: 40, depth: 40, color: \"#ffffff\"), body: (kind: Fixed, bounce: 0.5), \
         sound: (when: Contact, hertz: 80))"
            .to_owned(),
        "(id: 2, name: \"Jumper\", teleporter: (every_ticks: 25, poses: [(position: (3, 0, 0)), (position: (0, 4, 0))]), \
         sound: (when: Teleport))"
            .to_owned(),
        "(id: 3, name: \"Source\", transform: (position: (-3, 3, 0)), spawner: (every_ticks: 40, limit: 3, shape: \
         Sphere(radius: 0.3, color: \"#ffffff\"), body: ()), sound: (when: Spawn))"
            .to_owned(),
        "(id: 4, name: \"Hum\", motion: Steady(velocity: (1, 0, 0)), sound: (seconds: 0))".to_owned(),
        "(id: 5, name: \"Camera\", transform: (position: (0, 2, 12)), camera: ())".to_owned(),
    ];
    entities.extend((10..30).map(|id| {
        let (x, y) = (0.1 * (id % 5) as f32, 1.0 + 1.1 * (id - 10) as f32);
        format!(
            "(id: {id}, name: \"Ball {id}\", transform: (position: ({x}, {y}, 0)), shape: Sphere(radius: 0.4, color: \
             \"#ffffff\"), body: (bounce: 0.6), sound: (when: Contact))"
        )
    }));
    parse_scene(&format!("(format: 1, entities: [{}])", entities.join(", "))).expect("a scene")
}

struct Heard {
    /// Tick, entity and the bits of the strength.
    cues: Vec<(u64, u64, u32)>,
    hash: u64,
    lost: u64,
    receiver: Option<SoundReceiver>,
    /// As the records of frames count them.
    counted: u64,
}

fn run(handoff: HandoffMode, divisor: u32, workers: usize, capacity: Option<usize>) -> Heard {
    let physics_divisor = PhysicsDivisor::new(divisor).expect("a divisor");
    let settings = RunSettings { handoff, physics_divisor, ..RunSettings::default() };
    let options = VirtualOptions { observed: Observed::No, ..VirtualOptions::default() };
    let mut run =
        VirtualRun::new(&scene(), &settings, Box::new(NullRenderer::default()), options).expect("it runs");
    if workers > 0 {
        run.set_workers(Workers::start(&WorkersOptions::of(workers)).expect("threads"));
    }
    let mut receiver = capacity.map(|capacity| {
        let (sender, receiver) = sounds(capacity);
        run.sim_mut().core_mut().set_sounds(sender);
        receiver
    });
    let mut cues = Vec::new();
    for tenth in 1..=40 {
        run.advance_to(Nanos::from_millis(100 * tenth)).expect("nothing fails in it");
        if capacity == Some(CUE_CAPACITY) {
            let take = |receiver: &mut SoundReceiver| {
                receiver.drain(|cue| cues.push((cue.tick.0, cue.entity.0, cue.strength.to_bits())));
            };
            receiver.iter_mut().for_each(take);
        }
    }
    let counted = run.drain_frames().map(|frame| u64::from(frame.figures.sound_cues)).sum();
    let lost = receiver.as_ref().map_or(0, SoundReceiver::lost);
    Heard { cues, hash: run.sim().core().world().state_hash(), lost, receiver, counted }
}

#[test]
fn the_same_is_heard_with_any_number_of_workers_and_each_time() {
    for (handoff, divisor) in [(HandoffMode::Slot, 1), (HandoffMode::Lockstep, 1), (HandoffMode::Slot, 4)] {
        let alone = run(handoff, divisor, 0, Some(CUE_CAPACITY));
        assert!(alone.cues.len() > 60, "{} cues", alone.cues.len());
        assert_eq!((alone.lost, alone.counted), (0, alone.cues.len() as u64));
        for workers in [0, 1, 2, 8] {
            let again = run(handoff, divisor, workers, Some(CUE_CAPACITY));
            assert!(
                again.cues == alone.cues && again.hash == alone.hash,
                "{handoff:?}, {divisor}, {workers}"
            );
        }
        let unheard = run(handoff, divisor, 0, None);
        assert_eq!((unheard.hash, unheard.counted), (alone.hash, alone.counted), "nobody listens");
    }
}

#[test]
fn the_first_cues_of_that_run_are_these() {
    let heard = run(HandoffMode::Slot, 1, 0, Some(CUE_CAPACITY));
    let first: Vec<(u64, u64)> = heard.cues.iter().map(|(tick, entity, _)| (*tick, *entity)).collect();
    assert_eq!(first[0], (1, 4), "the hum begins with the first tick");
    let of =
        |entity: u64| first.iter().filter(|(_, id)| *id == entity).map(|(tick, _)| *tick).collect::<Vec<_>>();
    assert_eq!(of(2), [25, 50, 75, 100, 125, 150, 175, 200, 225]);
    assert_eq!(of(3), [40, 80, 120]);
    // Each tick's cues stand in the order of the tick's parts, and in that of the scene.
    assert!(first.windows(2).all(|pair| pair[0].0 <= pair[1].0));
}

#[test]
fn a_queue_that_nobody_empties_keeps_the_first_and_counts_the_rest() {
    let mut heard = run(HandoffMode::Slot, 1, 0, Some(8));
    let mut kept = Vec::new();
    let receiver = heard.receiver.as_mut().expect("a listener");
    receiver.drain(|cue| kept.push(cue.tick.0));
    assert_eq!((kept.len(), kept[0]), (8, 1));
    assert_eq!(receiver.lost() + 8, heard.counted);
}

#[test]
fn the_newest_frame_says_where_everything_is_heard() {
    let mut heard = run(HandoffMode::Slot, 1, 0, Some(CUE_CAPACITY));
    let receiver = heard.receiver.as_mut().expect("a listener");
    let scape = receiver.soundscape();
    // Frames at 60 Hz, each drawn a tick behind: 4 s are frame 241, and show the 239th tick.
    assert_eq!(scape.frame, FrameIndex(241));
    assert_eq!(scape.listener.map(|pose| pose.position), Some(Vec3::new(0.0, 2.0, 12.0)));
    let hum = scape.place_of(EntityId(4)).expect("it is there");
    assert!((hum.x - 239.0 / 60.0).abs() < 1e-4, "{hum}");
    assert_eq!((scape.places.len(), scape.place_of(EntityId(5))), (24, None), "a camera makes no sound");
}
