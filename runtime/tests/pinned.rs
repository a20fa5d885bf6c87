//! Where the threads of a run are kept, and that whoever starts one is left where it was. Real threads, real clock.

#![cfg(all(feature = "sim", target_os = "linux"))]

use framewalk_runtime::handoff::FrameDescriptor;
use framewalk_runtime::jobs::affinity::Mask;
use framewalk_runtime::jobs::seating::{Seated, Seating};
use framewalk_runtime::jobs::thread::{Placement, WorkersOptions};
use framewalk_runtime::jobs::topology::{Core, Topology, usable_cores};
use framewalk_runtime::jobs::{Counter, Queue, Workers};
use framewalk_runtime::render::{BatchFigures, RenderError, Renderer};
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::paced::PacedOptions;
use framewalk_runtime::sim::thread::LiveRun;
use framewalk_runtime::snapshot::Snapshot;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// Longer than anything here takes on a machine that does something.
const PATIENCE: Duration = Duration::from_secs(60);

fn my_cores() -> Vec<Core> {
    Mask::of_this_thread().expect("Linux says").cores()
}

/// Says at every batch what its thread may run on.
struct Tells(Sender<Vec<Core>>);

impl Renderer<Snapshot> for Tells {
    fn batch(&mut self, _: &FrameDescriptor, _: &Snapshot) -> Result<BatchFigures, RenderError> {
        // Once the first is told nobody may listen any more.
        let _ = self.0.send(my_cores());
        Ok(BatchFigures::default())
    }

    fn submit(&mut self, _: &FrameDescriptor, _: &Snapshot) -> Result<(), RenderError> {
        Ok(())
    }
}

fn told(told: &Receiver<Vec<Core>>) -> Vec<Core> {
    told.recv_timeout(PATIENCE).expect("it is told")
}

/// What a job of the only worker may run on.
fn told_by_a_job(jobs: &framewalk_runtime::jobs::Jobs) -> Vec<Core> {
    let (tell, receiver) = channel();
    jobs.submit(Queue::General, &mut Counter::new(), move || {
        tell.send(my_cores()).expect("it is waited for")
    });
    told(&receiver)
}

#[test]
fn on_real_threads_each_of_a_pinned_run_is_kept_on_its_core() {
    let before = my_cores();
    assert_eq!(usable_cores(), before);
    let seats = Topology::new(before.iter().map(|core| (*core, ""))).seats(1);
    let seating = Seating::from(seats.clone());
    let workers = WorkersOptions { placement: Placement::Pinned(seating.clone()), ..WorkersOptions::of(1) };
    let settings = RunSettings { workers, ..RunSettings::default() };
    let scene = parse_scene(include_str!("../../projects/first-steps/scenes/main.ron")).expect("a sample");
    let ((tell_sim, sim), (tell_render, render)) = (channel(), channel());
    let prepare = |sim: &mut framewalk_runtime::sim::Sim| {
        sim.set_stage_hook(Box::new(move |_, _, _| {
            let _ = tell_sim.send(my_cores());
        }));
    };
    let renderer = Box::new(Tells(tell_render));
    let mut run = LiveRun::start_with(&scene, &settings, renderer, PacedOptions::default(), prepare)
        .expect("it can be run");
    let kept = |core: Option<Core>| core.map_or_else(|| before.clone(), |core| vec![core]);
    assert_eq!(told(&sim), kept(seats.sim));
    assert_eq!(told(&render), kept(seats.render));
    assert_eq!(told_by_a_job(run.jobs().expect("it has a worker")), kept(seats.workers.first().copied()));
    let at = |thread: &str, core: Option<Core>| {
        Some(Seated { thread: thread.to_owned(), core: core?, stays: true })
    };
    let all =
        [at("sim", seats.sim), at("render", seats.render), at("worker 0", seats.workers.first().copied())];
    assert_eq!(seating.seated(), all.into_iter().flatten().collect::<Vec<_>>());
    assert_eq!(run.seating(), Some(&seating));
    run.stop();
    assert_eq!(run.failure(), None);
    assert_eq!(my_cores(), before);
}

#[test]
fn on_real_threads_a_worker_that_is_not_pinned_leaves_out_one_core_at_most() {
    let before = my_cores();
    for placement in [Placement::System, Placement::Apart] {
        let options = WorkersOptions { placement: placement.clone(), ..WorkersOptions::of(1) };
        let workers = Workers::start(&options).expect("a thread");
        for round in 0..50 {
            workers.jobs().help_is_for_this_thread();
            let cores = told_by_a_job(workers.jobs());
            assert!(cores.iter().all(|core| before.contains(core)), "{placement:?}: {cores:?}");
            let left_out = before.len() - cores.len();
            assert!(
                left_out <= usize::from(placement == Placement::Apart && before.len() > 1),
                "{placement:?}: {cores:?}"
            );
            // It lies down again, to be woken by the next one.
            while workers.jobs().stats().threads[0].parked <= round {
                std::thread::yield_now();
            }
        }
    }
    assert_eq!(my_cores(), before);
}
