//! Runs that fail: the fault is said, and what was run until then is kept.

use super::super::paces::{Instant, Real};
use super::*;
use crate::outcome::Ending;
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::handoff::FrameDescriptor;
use framewalk_runtime::render::{BatchFigures, RenderError, Renderer};
use framewalk_runtime::scene::Scene;
use framewalk_runtime::scene::project::HandoffMode;
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::observers::thread::Observers;
use framewalk_runtime::sim::paced::{PacedOptions, PacedRun};
use framewalk_runtime::sim::virtual_time::{VirtualOptions, VirtualRun};
use framewalk_runtime::snapshot::Snapshot;

/// Draws until a frame that it panics in.
struct Brittle {
    breaks_at: u64,
}

impl Renderer<Snapshot> for Brittle {
    fn batch(&mut self, frame: &FrameDescriptor, _: &Snapshot) -> Result<BatchFigures, RenderError> {
        assert!(frame.frame.0 < self.breaks_at, "the brittle renderer broke");
        Ok(BatchFigures::default())
    }

    fn submit(&mut self, _: &FrameDescriptor, _: &Snapshot) -> Result<(), RenderError> {
        Ok(())
    }
}

fn course(frames: u64) -> Course {
    Course { stop: StopAt::Frames(frames), script: Script::default(), cadence: None, keeps_records: true }
}

fn instant(breaks_at: u64) -> Instant {
    let renderer = Box::new(Brittle { breaks_at });
    let options = VirtualOptions::default();
    Instant(VirtualRun::new(&Scene::default(), &RunSettings::default(), renderer, options).unwrap())
}

fn failed(outcome: &Outcome) -> &str {
    let Ending::Failed(message) = &outcome.ending else { panic!("{:?}", outcome.ending) };
    message
}

#[test]
fn a_panic_in_the_renderer_ends_the_run_and_keeps_its_frames() {
    let outcome = drive(&mut instant(5), course(100), &Progress::new("test"));
    let message = failed(&outcome);
    assert!(message.contains("frame 5") && message.contains("the brittle renderer broke"), "{message}");
    assert!((5..=6).contains(&outcome.frames.len()), "{}", outcome.frames.len());
    assert_eq!((outcome.counts.rendered, outcome.counts.abandoned >= 1), (4, true));
    assert!(outcome.conserved(), "{:?}", outcome.counts);
}

#[test]
fn a_fault_in_the_middle_of_a_frame_leaves_no_state_that_could_be_compared() {
    let whole = drive(&mut instant(u64::MAX), course(3), &Progress::new("test"));
    assert!(whole.ending == Ending::Finished && whole.state_hash.is_some(), "{:?}", whole.ending);
    let mut breaks = instant(u64::MAX);
    breaks.sim_mut().set_stage_hook(Box::new(|_, stage, core| {
        assert!((core.record().frame.0, stage) != (2, Stage::EndRenderFrame), "the hook broke");
    }));
    let outcome = drive(&mut breaks, course(3), &Progress::new("test"));
    assert!(failed(&outcome).contains("the hook broke"), "{}", failed(&outcome));
    assert_eq!((outcome.frames.len(), outcome.state_hash), (1, None));
}

#[test]
fn a_panic_in_the_last_frame_is_not_overlooked() {
    let outcome = drive(&mut instant(5), course(5), &Progress::new("test"));
    assert!(failed(&outcome).contains("the brittle renderer broke"));
    assert_eq!(outcome.frames.len(), 5);
}

#[test]
fn a_panic_on_the_render_thread_in_real_time_ends_the_run_too() {
    let settings = RunSettings {
        frame_rate: framewalk_runtime::time::Rate::hz(1000).unwrap(),
        ..RunSettings::default()
    };
    let renderer = Box::new(Brittle { breaks_at: 1 });
    let (run, render, _observations) =
        PacedRun::start(&Scene::default(), &settings, renderer, PacedOptions::default()).unwrap();
    let outcome = drive(
        &mut Real { run, render, observers: Observers::default() },
        course(100_000),
        &Progress::new("test"),
    );
    assert!(failed(&outcome).contains("the brittle renderer broke"), "{}", failed(&outcome));
    assert!(outcome.frames.len() < 100_000 && outcome.conserved());
}

/// A lockstep run in real time whose second observer panics over a frame.
fn with_a_brittle_observer(breaks_at: u64, frames: u64) -> Outcome {
    let settings = RunSettings {
        frame_rate: framewalk_runtime::time::Rate::hz(1000).unwrap(),
        handoff: HandoffMode::Lockstep,
        ..RunSettings::default()
    };
    let options = PacedOptions { observers: 2, ..PacedOptions::default() };
    let renderer = Box::new(Brittle { breaks_at: u64::MAX });
    let (run, mut render, _observations) =
        PacedRun::start(&Scene::default(), &settings, renderer, options).unwrap();
    let observers = std::mem::take(&mut render.observers);
    let observers = Observers::start(observers, |number| {
        Box::new(move |frame, _| {
            assert!(number != 1 || frame.frame.0 < breaks_at, "out of paper");
        })
    });
    let mut pace = Real { run, render, observers: observers.unwrap() };
    drive(&mut pace, course(frames), &Progress::new("test"))
}

#[test]
fn a_panic_of_an_observer_in_real_time_ends_the_run_with_its_name_and_frame() {
    let outcome = with_a_brittle_observer(5, 100_000);
    let said = failed(&outcome);
    assert!(said.starts_with("the observer 2 thread failed in frame 5 at tick "), "{said}");
    assert!(said.ends_with(": panicked: out of paper"), "{said}");
    // All had met for the fifth frame, and nobody for the sixth.
    assert_eq!((outcome.meetings, outcome.frames.len(), outcome.counts.published), (5, 5, 5));
    let seen: Vec<_> = outcome.sightings.iter().map(|own| (own.frames, own.whole, own.agreed)).collect();
    assert_eq!(seen, [(5, 5, 5), (4, 4, 4)]);
    assert!(outcome.conserved(), "{:?}", outcome.counts);
}

#[test]
fn a_panic_of_an_observer_over_the_last_frame_is_not_overlooked() {
    let outcome = with_a_brittle_observer(5, 5);
    assert!(failed(&outcome).contains("observer 2"), "{}", failed(&outcome));
    assert_eq!((outcome.meetings, outcome.frames.len()), (5, 5));
    let outcome = with_a_brittle_observer(6, 5);
    assert_eq!((outcome.ending.clone(), outcome.observers_fault()), (Ending::Finished, None));
    assert!(outcome.sightings.iter().all(|own| (own.frames, own.agreed) == (5, 5)));
}

#[test]
fn a_run_that_keeps_no_records_comes_to_the_same_as_all_records_together() {
    for handoff in HandoffMode::ALL {
        let run = |keeps_records| {
            let settings = RunSettings { handoff, ..RunSettings::default() };
            let options = VirtualOptions { render_cost: Nanos::from_millis(20), ..VirtualOptions::default() };
            let renderer = Box::new(Brittle { breaks_at: u64::MAX });
            let run = VirtualRun::new(&Scene::default(), &settings, renderer, options).unwrap();
            drive(&mut Instant(run), Course { keeps_records, ..course(500) }, &Progress::new("test"))
        };
        let (all, none) = (run(true), run(false));
        assert_eq!((all.frames.len(), none.frames.len(), none.renders.len()), (500, 0, 0));
        let together = RunFigures::of(&all.frames, &all.renders, Seen::AtSubmit);
        let exact = |figures: &RunFigures| {
            let times = [&figures.intervals, &figures.animation_errors, &figures.sim_waits];
            (
                figures.frames,
                figures.pictures,
                figures.elapsed,
                times.map(|times| format!("{:?}", times.summary())),
            )
        };
        assert_eq!(exact(&none.figures), exact(&together), "{handoff:?}");
        assert_eq!(exact(&all.figures), exact(&together), "{handoff:?}");
        assert!(none.figures.are_exact() && none.figures.pictures > 200, "{}", none.figures.pictures);
    }
}
