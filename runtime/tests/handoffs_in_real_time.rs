//! Each handoff on real threads in real time: Play, pause, step, change of way, Stop, hangs and panics. No figure here
//! depends on how fast the machine is.

#![cfg(feature = "sim")]

#[path = "handoffs_in_real_time/observers_in_real_time.rs"]
mod observers_in_real_time;

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use framewalk_runtime::frame::record::{FrameKind, FrameRecord, HandoffMode, RenderRecord};
use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::handoff::FrameDescriptor;
use framewalk_runtime::joining::LeftThread;
use framewalk_runtime::render::{BatchFigures, NullRenderer, RenderError, Renderer};
use framewalk_runtime::scene::Scene;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::sim::paced::PacedOptions;
use framewalk_runtime::sim::thread::LiveRun;
use framewalk_runtime::sim::{Control, Moment, RunSettings};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::pacer::Pacing;

/// Long enough for any machine; a test that has to wait so long fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// The patience of a run that is to find a hang: each side has it with the other from the first frame on, so it is
/// longer than any thread is kept from a core on a machine with much to do.
const RUN_PATIENCE: Nanos = Nanos::from_secs(3);

fn scene() -> Scene {
    parse_scene(include_str!("../../projects/first-steps/scenes/main.ron")).expect("a sample")
}

fn settings(handoff: HandoffMode) -> RunSettings {
    RunSettings { handoff, ..RunSettings::default() }
}

fn start(handoff: HandoffMode, renderer: Box<dyn Renderer<Snapshot>>, patience: Nanos) -> LiveRun {
    let options = PacedOptions { patience, ..PacedOptions::default() };
    LiveRun::start(&scene(), &settings(handoff), renderer, options).expect("it can be run")
}

#[derive(Default)]
struct Seen {
    frames: Vec<FrameRecord>,
    pictures: Vec<RenderRecord>,
}

impl Seen {
    fn poll(&mut self, live: &mut LiveRun) {
        live.poll(|record| match record {
            RuntimeRecord::Frame(frame) => self.frames.push(frame),
            RuntimeRecord::Render(picture) => self.pictures.push(picture),
        });
    }

    /// Polls until something is so.
    fn until(&mut self, live: &mut LiveRun, what: &str, is_so: impl Fn(&Self, &LiveRun) -> bool) {
        let rounds = PATIENCE.as_millis();
        for _ in 0..rounds {
            self.poll(live);
            if is_so(self, live) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("waited in vain: {what}; {:?}, {:?}", live.counts(), live.failure());
    }
}

fn settled(live: &LiveRun) -> bool {
    let counts = live.counts();
    // The motion of the newest tick of the free handoff may not have begun where it stands.
    let pending = u64::from(counts.mode == HandoffMode::Free);
    counts.pending <= pending && counts.in_flight == 0
}

/// Stops it and waits until both threads have ended: Stop itself leaves one that is not scheduled for a moment.
fn ended(live: &mut LiveRun) {
    let left = live.stop();
    let all_ended = (0..PATIENCE.as_millis()).any(|_| {
        std::thread::sleep(Duration::from_millis(1));
        left.iter().all(LeftThread::has_ended)
    });
    assert!(all_ended, "{:?} never end", left.iter().map(LeftThread::name).collect::<Vec<_>>());
}

#[test]
fn each_handoff_plays_pauses_steps_and_stops() {
    for handoff in HandoffMode::ALL {
        let mut live = start(handoff, Box::new(NullRenderer::new()), Nanos::from_secs(10));
        let mut seen = Seen::default();
        seen.until(&mut live, "twenty frames", |seen, _| seen.frames.len() >= 20);
        live.control(Control::Pause);
        seen.until(&mut live, "it stands and all is drawn", |_, live| !live.awaits_answer() && settled(live));
        seen.poll(&mut live);
        let frames = seen.frames.len();
        std::thread::sleep(Duration::from_millis(50));
        seen.poll(&mut live);
        assert_eq!(seen.frames.len(), frames, "nothing runs while it stands");
        for _ in 0..5 {
            live.control(Control::StepTick);
        }
        seen.until(&mut live, "five steps", |seen, live| seen.frames.len() == frames + 5 && settled(live));
        assert!(seen.frames[frames..].iter().all(|frame| frame.kind == FrameKind::SteppedTick));
        let last = seen.frames.last().expect("five steps").frame.0 - live.counts().pending;
        seen.until(&mut live, "the last step is drawn", |seen, _| {
            seen.pictures.iter().any(|picture| picture.frame.0 == last)
        });
        for _ in 0..Stage::COUNT {
            live.control(Control::StepStage);
        }
        live.control(Control::Resume);
        seen.until(&mut live, "it runs on", |seen, _| seen.frames.len() >= frames + 20);
        ended(&mut live);
        seen.poll(&mut live);
        assert_eq!(live.failure(), None);
        assert!(seen.frames.iter().all(FrameRecord::conserved));
        let counts = live.counts();
        assert!(counts.balanced() && counts.pending == 0 && counts.in_flight == 0, "{counts:?}");
        if handoff != HandoffMode::Slot {
            assert_eq!(counts.dropped, 0);
        }
    }
}

#[test]
fn the_handoff_changes_while_it_runs_and_while_it_stands() {
    let mut live = start(HandoffMode::Slot, Box::new(NullRenderer::new()), Nanos::from_secs(10));
    let mut seen = Seen::default();
    for round in 0..12 {
        let handoff = HandoffMode::ALL[(round * 2 + 1) % 3];
        if round % 4 == 3 {
            live.control(Control::Pause);
        }
        live.control(Control::SetHandoff(handoff));
        live.control(if round % 4 == 3 { Control::StepFrame } else { Control::Resume });
        seen.until(&mut live, "frames of the new handoff", |seen, _| {
            seen.frames.last().is_some_and(|frame| frame.handoff.mode == handoff)
        });
        live.control(Control::Resume);
        let frames = seen.frames.len();
        seen.until(&mut live, "it runs", |seen, _| seen.frames.len() > frames + 3);
    }
    live.control(Control::Pause);
    seen.until(&mut live, "all is drawn", |_, live| !live.awaits_answer() && settled(live));
    ended(&mut live);
    assert_eq!(live.failure(), None);
    assert!(seen.frames.iter().all(FrameRecord::conserved));
    assert!(live.counts().balanced());
}

/// Stands in the batch of one frame until it is let go.
struct Stuck {
    frame: u64,
    arrived: Sender<()>,
    let_go: Receiver<()>,
}

fn stuck(frame: u64) -> (Box<Stuck>, Receiver<()>, Sender<()>) {
    let (arrived, has_arrived) = channel();
    let (go, let_go) = channel();
    (Box::new(Stuck { frame, arrived, let_go }), has_arrived, go)
}

impl Renderer<Snapshot> for Stuck {
    fn batch(&mut self, frame: &FrameDescriptor, _: &Snapshot) -> Result<BatchFigures, RenderError> {
        if frame.frame.0 == self.frame {
            let _ = self.arrived.send(());
            let _ = self.let_go.recv();
        }
        Ok(BatchFigures::default())
    }

    fn submit(&mut self, _: &FrameDescriptor, _: &Snapshot) -> Result<(), RenderError> {
        Ok(())
    }
}

#[test]
fn in_lockstep_a_renderer_that_hangs_ends_the_run_after_the_patience_with_a_sentence() {
    let (renderer, has_arrived, let_go) = stuck(3);
    let mut live = start(HandoffMode::Lockstep, renderer, RUN_PATIENCE);
    has_arrived.recv_timeout(PATIENCE).expect("frame 3 is drawn");
    let mut seen = Seen::default();
    seen.until(&mut live, "the run fails", |_, live| live.failure().is_some());
    let failure = live.failure().expect("it failed");
    assert_eq!((failure.thread, failure.frame.0, failure.stage), ("sim", 4, Some(Stage::EndRenderFrame)));
    assert!(
        failure.message.starts_with("the render thread did not come to the meeting of frame 4 within 3"),
        "{failure}"
    );
    let_go.send(()).expect("it waits");
    ended(&mut live);
}

#[test]
fn in_lockstep_a_simulation_that_hangs_lets_the_renderer_go_with_a_sentence() {
    let (arrived, has_arrived) = channel();
    let (let_go, may_go) = channel::<()>();
    let options = PacedOptions { patience: RUN_PATIENCE, ..PacedOptions::default() };
    let mut live = LiveRun::start_with(
        &scene(),
        &settings(HandoffMode::Lockstep),
        Box::new(NullRenderer::new()),
        options,
        |sim| {
            sim.set_stage_hook(Box::new(move |moment, stage, core| {
                if (moment, stage, core.record().frame.0) == (Moment::Before, Stage::RunScheduler, 3) {
                    let _ = arrived.send(());
                    let _ = may_go.recv();
                }
            }));
        },
    )
    .expect("it can be run");
    has_arrived.recv_timeout(PATIENCE).expect("frame 3 runs");
    let mut seen = Seen::default();
    seen.until(&mut live, "the run fails", |_, live| live.failure().is_some());
    let failure = live.failure().expect("it failed");
    assert_eq!(failure.thread, "render");
    assert!(failure.message.contains("did not come to the meeting of the next frame"), "{failure}");
    let_go.send(()).expect("it waits");
    ended(&mut live);
}

#[test]
fn standing_still_counts_no_waiting_time() {
    let mut runs = HandoffMode::ALL.map(|handoff| {
        let mut live = start(handoff, Box::new(NullRenderer::new()), RUN_PATIENCE);
        let mut seen = Seen::default();
        seen.until(&mut live, "five frames", |seen, _| seen.frames.len() >= 5);
        live.control(Control::Pause);
        seen.until(&mut live, "it stands", |_, live| !live.awaits_answer());
        (handoff, live, seen)
    });
    std::thread::sleep(Duration::from_nanos(RUN_PATIENCE.0.unsigned_abs()) + Duration::from_millis(900));
    for (handoff, live, seen) in &mut runs {
        assert_eq!(live.failure(), None, "{}", handoff.name());
        live.control(Control::StepTick);
        live.control(Control::Resume);
        let frames = seen.frames.len();
        seen.until(live, "it runs on", |seen, _| seen.frames.len() > frames + 5);
        ended(live);
        assert_eq!(live.failure(), None);
    }
}

#[test]
fn stop_waits_neither_for_a_renderer_that_hangs_nor_for_a_simulation_that_waits_for_it() {
    for handoff in HandoffMode::ALL {
        let (renderer, has_arrived, let_go) = stuck(3);
        let mut live = start(handoff, renderer, Nanos::from_secs(60));
        has_arrived.recv_timeout(PATIENCE).expect("frame 3 is drawn");
        let left = live.stop();
        assert!(left.iter().any(|left| left.name() == "render"), "{}: it still hangs", handoff.name());
        // The simulation ends while it does.
        while !left.iter().all(|left| left.name() == "render" || left.has_ended()) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let_go.send(()).expect("it waits");
        drop(left);
        drop(live);
    }
}

/// Panics over one frame.
struct Breaks(u64);

impl Renderer<Snapshot> for Breaks {
    fn batch(&mut self, frame: &FrameDescriptor, _: &Snapshot) -> Result<BatchFigures, RenderError> {
        assert!(frame.frame.0 < self.0, "out of paint");
        Ok(BatchFigures::default())
    }

    fn submit(&mut self, _: &FrameDescriptor, _: &Snapshot) -> Result<(), RenderError> {
        Ok(())
    }
}

#[test]
fn a_panic_on_either_side_ends_the_run_in_each_handoff() {
    for handoff in HandoffMode::ALL {
        let mut live = start(handoff, Box::new(Breaks(4)), Nanos::from_secs(60));
        let mut seen = Seen::default();
        seen.until(&mut live, "the renderer fails", |_, live| live.failure().is_some());
        let failure = live.failure().expect("it failed");
        assert_eq!(failure.thread, "render", "{}", handoff.name());
        assert!(failure.message.contains("out of paint"), "{failure}");
        ended(&mut live);
        assert!(live.counts().balanced() && settled(&live), "{:?}", live.counts());

        let mut live = LiveRun::start_with(
            &scene(),
            &settings(handoff),
            Box::new(NullRenderer::new()),
            PacedOptions::default(),
            |sim| {
                sim.set_stage_hook(Box::new(|_, stage, core| {
                    assert!(stage != Stage::RunScheduler || core.record().frame.0 < 4, "out of time");
                }));
            },
        )
        .expect("it can be run");
        seen.until(&mut live, "the simulation fails", |_, live| live.failure().is_some());
        assert_eq!(live.failure().expect("it failed").thread, "sim", "{}", handoff.name());
        // The renderer is not kept waiting.
        ended(&mut live);
        assert!(live.counts().balanced() && settled(&live), "{:?}", live.counts());
    }
}

/// Counted, not timed: while everything stands the render thread waits asleep for each step, however it is paced.
#[test]
fn nothing_spins_while_everything_stands() {
    for handoff in HandoffMode::ALL {
        let options = PacedOptions { render_pacing: Pacing::Precise, ..PacedOptions::default() };
        let renderer = Box::new(NullRenderer::new());
        let mut live =
            LiveRun::start(&scene(), &settings(handoff), renderer, options).expect("it can be run");
        let mut seen = Seen::default();
        seen.until(&mut live, "twenty frames", |seen, _| seen.frames.len() >= 20);
        live.control(Control::Pause);
        seen.until(&mut live, "it stands", |_, live| !live.awaits_answer() && settled(live));
        seen.poll(&mut live);
        let mut step = |live: &mut LiveRun| {
            live.control(Control::StepTick);
            let frames = seen.frames.len();
            seen.until(live, "the step is drawn", |seen, live| {
                let stepped = seen.frames.get(frames).map(|frame| frame.frame.0 - live.counts().pending);
                stepped.is_some() && seen.pictures.iter().any(|picture| Some(picture.frame.0) == stepped)
            });
            live.render_spins()
        };
        // A spin that was under way when everything came to stand is over by the first picture.
        step(&mut live);
        let spins = step(&mut live);
        for _ in 0..10 {
            assert_eq!(step(&mut live), spins, "{}", handoff.name());
        }
        ended(&mut live);
        assert_eq!(live.render_spins(), spins, "{}", handoff.name());
        assert_eq!(live.failure(), None);
    }
}
