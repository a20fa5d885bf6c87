//! Runs on threads of their own with faults put into them: each ends in its own sentence, and none holds its owner.

#![cfg(feature = "sim")]
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::sync::mpsc::{Receiver, Sender, channel};

use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::handoff::FrameDescriptor;
use framewalk_runtime::input::{InputEvent, InputKind};
use framewalk_runtime::joining::LeftThread;
use framewalk_runtime::render::{BatchFigures, NullRenderer, RenderError, Renderer};
use framewalk_runtime::scene::Scene;
use framewalk_runtime::sim::paced::PacedOptions;
use framewalk_runtime::sim::thread::LiveRun;
use framewalk_runtime::sim::{Control, Moment, RunFailure, RunSettings, RunState, StageHook};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::{FrameIndex, Nanos, Tick};

fn play(renderer: impl Renderer<Snapshot> + 'static, hook: Option<StageHook>) -> LiveRun {
    let (scene, settings, options) = (Scene::default(), RunSettings::default(), PacedOptions::default());
    LiveRun::start_with(&scene, &settings, Box::new(renderer), options, |sim| {
        if let Some(hook) = hook {
            sim.set_stage_hook(hook);
        }
    })
    .unwrap()
}

fn failure_of(run: &LiveRun) -> RunFailure {
    loop {
        match run.failure() {
            Some(failure) => return failure,
            None => std::thread::yield_now(),
        }
    }
}

fn frames_come(run: &mut LiveRun) {
    let mut frames = 0;
    while frames < 5 {
        run.poll(|_| frames += 1);
        assert_eq!(run.failure(), None);
        std::thread::yield_now();
    }
}

fn wait_for_the_end(left: &[LeftThread]) {
    while !left.iter().all(LeftThread::has_ended) {
        std::thread::yield_now();
    }
}

/// This one stands still; another may have been left too, for it was not scheduled in that moment, and ends by itself.
fn only_left(left: Vec<LeftThread>, name: &str) -> LeftThread {
    let (mut named, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|left| left.name() == name);
    wait_for_the_end(&others);
    assert_eq!(named.len(), 1, "{name} is left");
    named.remove(0)
}

#[test]
fn on_real_threads_a_panic_in_any_stage_fails_the_run_and_the_next_one_plays() {
    for stage in Stage::ALL {
        let hook: StageHook = Box::new(move |moment, now, core| {
            let here = (moment, now, core.record().frame) == (Moment::Before, stage, FrameIndex(3));
            assert!(!here, "out of cheese");
        });
        let mut run = play(NullRenderer::new(), Some(hook));
        let failure = failure_of(&run);
        assert_eq!((failure.thread, failure.frame, failure.stage), ("sim", FrameIndex(3), Some(stage)));
        assert_eq!(failure.message, "out of cheese");
        assert_eq!(run.state(), RunState::Failed);
        wait_for_the_end(&run.stop());
        assert!(run.counts().balanced());
    }
    let mut run = play(NullRenderer::new(), None);
    frames_come(&mut run);
    wait_for_the_end(&run.stop());
}

#[test]
fn on_real_threads_controls_after_a_fault_are_refused_and_counted_and_none_is_kept() {
    let hook: StageHook = Box::new(|moment, now, core| {
        let here = (moment, now, core.record().frame) == (Moment::Before, Stage::RunScheduler, FrameIndex(3));
        assert!(!here, "out of cheese");
    });
    let mut run = play(NullRenderer::new(), Some(hook));
    failure_of(&run);
    assert_eq!((run.refused(), run.awaits_answer()), (0, false));
    // Many times what the queue holds.
    for asked in 1..=10_000 {
        run.control(if asked % 2 == 0 { Control::Resume } else { Control::StepTick });
        assert_eq!((run.refused(), run.awaits_answer(), run.backlog()), (asked, false, 0));
    }
    assert!(run.failure().unwrap().to_string().ends_with("out of cheese"), "and the reason is there");
    wait_for_the_end(&run.stop());
    assert_eq!(run.refused(), 10_000);
}

#[test]
fn on_real_threads_what_nobody_asked_for_is_not_among_the_controls_refused() {
    let (reached, stands) = channel();
    let (go_on, may_go_on) = channel::<()>();
    // In frame 3 it waits for what is handed over meanwhile, and panics then.
    let hook: StageHook = Box::new(move |moment, now, core| {
        if (moment, now, core.record().frame) == (Moment::Before, Stage::RunScheduler, FrameIndex(3)) {
            reached.send(()).unwrap();
            let _ = may_go_on.recv();
            panic!("out of cheese");
        }
    });
    let mut run = play(NullRenderer::new(), Some(hook));
    stands.recv().unwrap();
    let input = || Control::Input(InputEvent { at: Nanos::ZERO, kind: InputKind::ReleaseAll });
    for control in [input(), Control::Pause, Control::Watch(Vec::new()), input(), Control::StepTick] {
        run.control(control);
    }
    assert_eq!((run.refused(), run.awaits_answer()), (0, true));
    drop(go_on);
    failure_of(&run);
    assert_eq!((run.refused(), run.awaits_answer()), (2, false), "the pause and the step");
    for control in [input(), Control::ShiftGrid(Nanos(1)), Control::Resume] {
        run.control(control);
    }
    assert_eq!(run.refused(), 3);
    wait_for_the_end(&run.stop());
}

#[test]
fn on_real_threads_controls_after_a_stop_are_refused_too_and_those_before_it_are_done() {
    let mut run = play(NullRenderer::new(), None);
    run.control(Control::Pause);
    run.control(Control::StepTick);
    run.control(Control::Stop);
    run.control(Control::StepTick);
    while run.state_hash().is_none() {
        std::thread::yield_now();
    }
    run.control(Control::Resume);
    assert_eq!((run.refused(), run.awaits_answer(), run.backlog()), (2, false, 0));
    assert_eq!(run.failure(), None);
    wait_for_the_end(&run.stop());
    run.control(Control::Resume);
    assert_eq!(run.refused(), 3);
}

/// Calls a closure in each call of the renderer, by name and frame.
struct Told<F>(F);

impl<F: FnMut(&str, u64) + Send> Renderer<Snapshot> for Told<F> {
    fn on_start(&mut self) {
        (self.0)("on_start", 0);
    }
    fn batch(&mut self, frame: &FrameDescriptor, _: &Snapshot) -> Result<BatchFigures, RenderError> {
        (self.0)("batch", frame.frame.0);
        Ok(BatchFigures::default())
    }
    fn submit(&mut self, frame: &FrameDescriptor, _: &Snapshot) -> Result<(), RenderError> {
        (self.0)("submit", frame.frame.0);
        Ok(())
    }
}

#[test]
fn on_real_threads_a_panic_of_the_renderer_fails_the_run_with_its_own_frame() {
    for name in ["on_start", "batch", "submit"] {
        let mut run = play(
            Told(move |call: &str, frame: u64| {
                assert!(call != name || (1..3).contains(&frame), "out of paint")
            }),
            None,
        );
        let failure = failure_of(&run);
        assert_eq!((failure.thread, failure.stage), ("render", None));
        if name == "on_start" {
            assert_eq!(
                (failure.frame, failure.message.as_str()),
                (FrameIndex(0), "panicked in on_start: out of paint")
            );
        } else {
            assert!(failure.frame >= FrameIndex(3));
            assert_eq!(
                failure.message,
                format!("panicked in {name} of frame {}: out of paint", failure.frame.0)
            );
        }
        wait_for_the_end(&run.stop());
        assert_eq!(failure_of(&run), failure, "the cause stays the cause");
        // The tick of that frame, as its record has it: a late frame has run more than one.
        let mut ticks = Vec::new();
        run.poll(|record| {
            if let RuntimeRecord::Frame(frame) = record {
                ticks.push((frame.frame, frame.tick));
            }
        });
        let expected = ticks.iter().find(|(frame, _)| *frame == failure.frame);
        assert_eq!(failure.tick, expected.map_or(Tick(0), |(_, tick)| *tick), "{name}");
    }
}

/// Stands in frame 3 until it is let go, and says when it got there.
fn gate() -> (impl FnMut(u64) + Send, Receiver<()>, Sender<()>) {
    let (arrived, has_arrived) = channel();
    let (let_go, may_go) = channel::<()>();
    let stand = move |frame| {
        if frame == 3 {
            arrived.send(()).unwrap();
            let _ = may_go.recv();
        }
    };
    (stand, has_arrived, let_go)
}

#[test]
fn on_real_threads_a_tick_that_never_ends_does_not_hold_stop() {
    let (mut stand, has_arrived, let_go) = gate();
    let hook: StageHook = Box::new(move |moment, stage, core| {
        if (moment, stage) == (Moment::Before, Stage::RunScheduler) {
            stand(core.record().frame.0);
        }
    });
    let mut run = play(NullRenderer::new(), Some(hook));
    has_arrived.recv().unwrap();
    run.control(Control::Pause);
    assert!(run.awaits_answer(), "nobody takes the control while the tick goes on");
    let left = only_left(run.stop(), "sim");
    assert!(run.stop().is_empty(), "stop a second time is nothing");
    let counts = run.counts();
    assert_eq!((counts.published, counts.pending, counts.in_flight), (2, 0, 0));

    // The next run plays while the thread of the first one still stands.
    let mut next = play(NullRenderer::new(), None);
    frames_come(&mut next);
    wait_for_the_end(&next.stop());
    assert!(!left.has_ended());
    drop(let_go);
    wait_for_the_end(&[left]);
    assert_eq!(run.counts().published, 2, "what was left publishes nothing");
    assert_eq!(run.failure(), None, "and is no fault");
}

#[test]
fn on_real_threads_a_submit_that_never_ends_does_not_hold_stop() {
    let (mut stand, has_arrived, let_go) = gate();
    let renderer = Told(move |call: &str, frame: u64| {
        if call == "submit" {
            // Whichever frame is first taken after the second: some may be dropped.
            stand(frame.clamp(0, 3));
        }
    });
    let mut run = play(renderer, None);
    has_arrived.recv().unwrap();
    let left = only_left(run.stop(), "render");
    assert_eq!(run.counts().in_flight, 1);
    drop(let_go);
    wait_for_the_end(&[left]);
    let counts = run.counts();
    assert!(counts.balanced() && counts.in_flight == 0 && counts.pending == 0, "{counts:?}");
}
