//! The comparison on real threads against the real clock, for some tenths of a second.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::time::Duration;

use framewalk::session::RunThreads;
use framewalk::session::compare::{Comparing, Wanted};
use framewalk_inspector::comparison::{Comparison, Measured, Pictures};
use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::sim::RunSettings;

use super::*;

fn wanted(lasting: Nanos) -> Wanted {
    let folder = sample("first-steps");
    let text = std::fs::read_to_string(folder.join("scenes/main.ron")).unwrap();
    let scene = framewalk_runtime::scene::format::parse_scene(&text).unwrap();
    let settings = RunSettings::default();
    Wanted {
        scene,
        settings,
        lasting,
        drive: Drive::Threads,
        threads: RunThreads::default(),
        pictures: Pictures::Counted,
        render_cost: Nanos::ZERO,
        about: "a test".to_owned(),
    }
}

fn until_over(comparing: &mut Comparing) {
    for _ in 0..1_200 {
        comparing.poll();
        if !comparing.is_running() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the comparison is not over after a minute");
}

fn compared(lasting: Nanos) -> Comparison {
    let mut comparing = Comparing::start(wanted(lasting), || {}).unwrap();
    until_over(&mut comparing);
    comparing.comparison().clone()
}

#[test]
fn all_three_are_measured_on_real_threads_with_what_they_cost() {
    // As long as it takes: on a machine that lets a key wait for a second, it was not drawn in the first of these.
    let lengths = [800, 4_000, 15_000].map(Nanos::from_millis);
    let (lasting, comparison) = lengths
        .into_iter()
        .map(|lasting| (lasting, compared(lasting)))
        .find(|(lasting, comparison)| {
            let drawn = |one: &Measured| one.tick_to_drawn.is_some() && one.input_to_drawn.is_some();
            comparison.measured.iter().all(drawn) || *lasting == lengths[2]
        })
        .unwrap();
    assert_eq!(comparison.ended, None);
    let modes: Vec<HandoffMode> = comparison.measured.iter().map(|one| one.mode).collect();
    assert_eq!(modes, HandoffMode::ALL);
    for one in &comparison.measured {
        assert!(one.frames > 0 && one.pictures > 0, "{one:?}");
        assert!(one.tick_to_drawn.is_some() && one.input_to_drawn.is_some(), "{one:?}");
        assert!(one.lasted >= lasting, "{one:?}");
        if cfg!(target_os = "linux") {
            assert!(one.cpu.is_some_and(|cpu| cpu.sim > Nanos::ZERO), "{one:?}");
        }
    }
    assert_eq!(comparison.measured[1].counts.dropped, 0, "lockstep drops nothing");
}

#[test]
fn a_cancelled_comparison_says_so_and_its_threads_end() {
    let mut comparing = Comparing::start(wanted(Nanos::from_secs(60)), || {}).unwrap();
    assert!(comparing.is_running());
    std::thread::sleep(Duration::from_millis(200));
    comparing.cancel();
    comparing.poll();
    assert!(!comparing.is_running());
    let ended = comparing.comparison().ended.clone().unwrap();
    assert_eq!(ended, "Cancelled before all three had run.");
}

#[test]
fn a_run_has_the_workers_that_were_asked_for() {
    use framewalk::session::Session;
    use framewalk::session::run::Sabotage;
    use framewalk_runtime::jobs::stats::Role;
    use framewalk_runtime::jobs::thread::WorkersOptions;
    use framewalk_runtime::render::NullRenderer;
    use framewalk_runtime::scene::project::parse_project;

    let text = std::fs::read_to_string(sample("first-steps").join("project.ron")).unwrap();
    let scene = wanted(Nanos::ZERO).scene;
    for workers in [2, 0] {
        let mut session = Session::new(&parse_project(&text).unwrap());
        session.threads = RunThreads { workers: WorkersOptions::of(workers), ..RunThreads::default() };
        let renderer = Box::new(NullRenderer::default());
        session.play(&scene, renderer, Drive::Threads, Sabotage::default()).unwrap();
        session.poll(&mut |_| {});
        let threads = session.jobs().map_or(&[][..], |jobs| &jobs.stats.threads);
        let started = threads.iter().filter(|thread| thread.role != Role::Helper).count();
        assert_eq!(started, workers);
        session.stop(Nanos::ZERO, &mut |_| {});
    }
}

#[test]
fn a_run_in_lockstep_has_the_observers_that_were_asked_for_and_in_another_handoff_they_hold_up_nobody() {
    use framewalk::session::run::Sabotage;
    use framewalk::session::{News, Session};
    use framewalk_runtime::render::NullRenderer;
    use framewalk_runtime::scene::project::parse_project;

    let text = std::fs::read_to_string(sample("first-steps").join("project.ron")).unwrap();
    let scene = wanted(Nanos::ZERO).scene;
    let mut session = Session::new(&parse_project(&text).unwrap());
    session.threads = RunThreads { observers: 2, ..RunThreads::default() };
    session.choices.handoff = HandoffMode::Slot;
    session.play(&scene, Box::new(NullRenderer::default()), Drive::Threads, Sabotage::default()).unwrap();
    for (mode, observers) in [(HandoffMode::Slot, 0), (HandoffMode::Lockstep, 2), (HandoffMode::Free, 0)] {
        session.set_handoff(mode);
        let mut met = 0;
        for _ in 0..60_000 {
            session.poll(&mut |news| {
                if let News::Frame(frame) = news
                    && frame.handoff.mode == mode
                {
                    assert_eq!(frame.observer_waits.iter().count(), observers, "{frame:?}");
                    met += 1;
                }
            });
            if met >= 5 {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(met >= 5, "{}: {:?}", mode.name(), session.failure());
    }
    assert_eq!(session.failure(), None);
    session.stop(Nanos::ZERO, &mut |_| {});
}

#[test]
fn each_observer_takes_at_least_what_it_is_said_to_cost_with_every_frame() {
    use framewalk::session::run::Sabotage;
    use framewalk::session::{News, Session};
    use framewalk_inspector::panels::handoff::model::lockstep;
    use framewalk_runtime::frame::record::FrameRecord;
    use framewalk_runtime::render::NullRenderer;
    use framewalk_runtime::scene::project::parse_project;

    let text = std::fs::read_to_string(sample("first-steps").join("project.ron")).unwrap();
    let mut session = Session::new(&parse_project(&text).unwrap());
    let cost = Nanos::from_millis(40);
    session.threads = RunThreads { observers: 2, observer_cost: cost, ..RunThreads::default() };
    session.choices.handoff = HandoffMode::Lockstep;
    let scene = wanted(Nanos::ZERO).scene;
    session.play(&scene, Box::new(NullRenderer::default()), Drive::Threads, Sabotage::default()).unwrap();
    let mut frames: Vec<FrameRecord> = Vec::new();
    for _ in 0..60_000 {
        session.poll(&mut |news| {
            if let News::Frame(frame) = news {
                frames.push(frame);
            }
        });
        if frames.len() >= 11 {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(frames.len() >= 11, "{:?}", session.failure());
    session.stop(Nanos::ZERO, &mut |_| {});
    // Ten meetings of 40 ms; without the cost ten frames take 167 ms. A meeting is known as late as sim wakes from it.
    let lasted = lockstep::met_at(&frames[10]) - lockstep::met_at(&frames[0]);
    assert!(lasted >= Nanos::from_millis(300), "{lasted:?}");
}
