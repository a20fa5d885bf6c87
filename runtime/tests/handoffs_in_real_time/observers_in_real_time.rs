//! Observers of the lockstep, on real threads: what they see, and what becomes of a run whose observer fails.

use framewalk_runtime::handoff::FrameObserver;
use framewalk_runtime::sim::observers::thread::busy_for;
use framewalk_runtime::sim::observers::{Sightings, fault};

use super::*;

#[test]
fn an_observer_of_a_run_sees_every_frame_until_it_leaves_and_its_waits_are_on_record() {
    let options = PacedOptions { observers: 2, ..PacedOptions::default() };
    let renderer = Box::new(NullRenderer::new());
    let mut live =
        LiveRun::start(&scene(), &settings(HandoffMode::Lockstep), renderer, options).expect("it can be run");
    let observe = |mut observer: FrameObserver<Snapshot>| {
        std::thread::spawn(move || {
            for n in 1..=10 {
                let frame = observer.meet(None).expect("nobody has ended");
                let snapshot = observer.snapshot();
                assert_eq!((frame.frame.0, snapshot.frame.0, snapshot.tick), (n, n, frame.tick));
            }
            observer.leave();
        })
    };
    let observers: Vec<_> = live.take_observers().into_iter().map(observe).collect();
    assert_eq!(observers.len(), 2);
    for observer in observers {
        observer.join().expect("it saw what was there to see");
    }
    let mut seen = Seen::default();
    seen.until(&mut live, "it runs on without them", |seen, _| seen.frames.len() >= 20);
    ended(&mut live);
    assert_eq!(live.failure(), None);
    let there =
        |frame: &FrameRecord| frame.observer_waits.iter().map(|(number, _)| number).collect::<Vec<_>>();
    // Of the tenth, one may have left before it is written down.
    assert!(
        seen.frames[..9].iter().all(|frame| there(frame) == [0, 1]),
        "{:?}",
        seen.frames[..9].iter().map(there)
    );
    assert!(seen.frames[11..].iter().all(|frame| there(frame).is_empty()));
    assert!(seen.frames.iter().all(FrameRecord::conserved));
}

#[test]
fn an_observer_that_panics_ends_the_run_with_a_sentence_and_the_renderer_with_it() {
    let options = PacedOptions { observers: 1, ..PacedOptions::default() };
    let renderer = Box::new(NullRenderer::new());
    let mut live =
        LiveRun::start(&scene(), &settings(HandoffMode::Lockstep), renderer, options).expect("it can be run");
    let mut observer = live.take_observers().remove(0);
    let panics = std::thread::spawn(move || {
        for _ in 0..5 {
            observer.meet(None).expect("nobody has ended");
        }
        std::panic::resume_unwind(Box::new("out of paper"));
    });
    assert!(panics.join().is_err());
    let mut seen = Seen::default();
    seen.until(&mut live, "the run fails", |_, live| live.failure().is_some());
    let failure = live.failure().expect("it failed");
    assert_eq!((failure.thread, failure.frame.0, failure.stage), ("sim", 6, Some(Stage::EndRenderFrame)));
    assert!(
        failure.message.starts_with("an observer of the frames ended before the meeting of frame 6"),
        "{failure}"
    );
    ended(&mut live);
    assert!(live.counts().balanced() && settled(&live), "{:?}", live.counts());
}

#[test]
fn observers_on_threads_of_their_own_read_every_frame_whole_and_alike_and_end_with_the_run() {
    let options = PacedOptions { observers: 3, ..PacedOptions::default() };
    let renderer = Box::new(NullRenderer::new());
    let mut live =
        LiveRun::start(&scene(), &settings(HandoffMode::Lockstep), renderer, options).expect("it can be run");
    live.start_observers(|number| busy_for(Nanos::from_micros(100 * number as i64))).expect("threads start");
    let mut seen = Seen::default();
    seen.until(&mut live, "twenty frames", |seen, _| seen.frames.len() >= 20);
    assert!(live.sightings().is_empty(), "they are still at it");
    live.control(Control::SetHandoff(HandoffMode::Slot));
    seen.until(&mut live, "frames of the slot", |seen, _| {
        seen.frames.last().is_some_and(|frame| frame.handoff.mode == HandoffMode::Slot)
    });
    live.control(Control::SetHandoff(HandoffMode::Lockstep));
    let frames = seen.frames.len();
    seen.until(&mut live, "it goes on", |seen, _| seen.frames.len() >= frames + 10);
    ended(&mut live);
    seen.poll(&mut live);
    assert_eq!(live.failure(), None);
    let sightings = live.sightings();
    let in_lockstep = seen.frames.iter().filter(|frame| frame.handoff.mode == HandoffMode::Lockstep).count();
    assert!(live.meetings() >= in_lockstep as u64 && in_lockstep >= 30, "{}", live.meetings());
    let all = Sightings {
        frames: live.meetings(),
        whole: live.meetings(),
        agreed: live.meetings(),
        ..Sightings::default()
    };
    assert_eq!(sightings, [all; 3]);
    assert_eq!(fault(&sightings), None);
}

#[test]
fn an_observer_that_hangs_ends_the_run_after_the_patience_and_is_named() {
    let (arrived, has_arrived) = channel();
    let (let_go, may_go) = channel::<()>();
    let options = PacedOptions { observers: 1, patience: RUN_PATIENCE, ..PacedOptions::default() };
    let renderer = Box::new(NullRenderer::new());
    let mut live =
        LiveRun::start(&scene(), &settings(HandoffMode::Lockstep), renderer, options).expect("it can be run");
    let mut ends = Some((arrived, may_go));
    live.start_observers(|_| {
        let (arrived, may_go) = ends.take().expect("there is one observer");
        Box::new(move |frame, _| {
            if frame.frame.0 == 3 {
                let _ = arrived.send(());
                let _ = may_go.recv();
            }
        })
    })
    .expect("its thread starts");
    has_arrived.recv_timeout(PATIENCE).expect("frame 3 is read");
    let mut seen = Seen::default();
    seen.until(&mut live, "the run fails", |_, live| live.failure().is_some());
    // Simulation and renderer wait for it alike: whichever has had enough first says so.
    let failure = live.failure().expect("it failed");
    assert!(failure.message.contains("an observer of the frames"), "{failure}");
    let_go.send(()).expect("it waits");
    ended(&mut live);
}

#[test]
fn an_observer_thread_that_panics_ends_the_run_and_is_named_with_its_frame() {
    let options = PacedOptions { observers: 2, ..PacedOptions::default() };
    let renderer = Box::new(NullRenderer::new());
    let mut live =
        LiveRun::start(&scene(), &settings(HandoffMode::Lockstep), renderer, options).expect("it can be run");
    live.start_observers(|number| {
        Box::new(move |frame, _| assert!(number != 1 || frame.frame.0 < 4, "out of paper"))
    })
    .expect("threads start");
    let mut seen = Seen::default();
    seen.until(&mut live, "the run fails", |_, live| live.failure().is_some());
    let failure = live.failure().expect("it failed");
    // Of which tick depends on how late a frame was.
    let said = failure.to_string();
    assert!(said.starts_with("the observer 2 thread failed in frame 4 at tick "), "{said}");
    assert!(said.ends_with(": panicked: out of paper"), "{said}");
    ended(&mut live);
    assert!(live.counts().balanced() && settled(&live), "{:?}", live.counts());
    assert_eq!(live.sightings().iter().map(|own| own.frames).collect::<Vec<_>>(), [4, 3]);
}

#[test]
fn more_observers_than_can_meet_are_refused_with_a_sentence() {
    let options = PacedOptions { observers: 7, ..PacedOptions::default() };
    let renderer = Box::new(NullRenderer::new());
    let refused = LiveRun::start(&scene(), &settings(HandoffMode::Lockstep), renderer, options).err();
    assert_eq!(
        refused.map(|error| error.to_string()).as_deref(),
        Some("7 observers were asked for: 6 at most can meet with the simulation and the renderer")
    );
}
