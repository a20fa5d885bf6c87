//! The Threads panel: what each did, its jobs, and how pictures went to the GPU.

use super::*;
use framewalk_runtime::frame::record::Flight;
use framewalk_runtime::jobs::{QueueStats, Role, ThreadStats};

#[test]
fn threads_say_what_each_worked_and_waited_its_jobs_and_every_queue() {
    let harness = show(of_mode(HandoffMode::Lockstep), What::Panel(Panel::Threads));
    // 20 frames at 16 ms, and one period: 2.5 of each the simulation waited, 9 the renderer.
    harness.get_by_label("sim: worked 0 %, waited 16 %");
    harness.get_by_label("render: worked 0 %, waited 56 %");
    harness.get_by_label_contains("No workers: every job runs on the thread that waits for it.");

    let worker = |name: &str, role, jobs| ThreadStats {
        name: name.to_owned(),
        role,
        jobs: [jobs, 0, 1, 0],
        parked: 3,
        ..ThreadStats::default()
    };
    let mut desk = of_mode(HandoffMode::Lockstep);
    desk.jobs = Some(JobsStats {
        queues: [
            QueueStats { run: 1_204, overflowed: 2, on_the_spot: 1, depth: 5, capacity: 1_024 },
            QueueStats::default(),
            QueueStats::default(),
            QueueStats::default(),
        ],
        threads: vec![worker("worker 0", Role::PhysicsWorker, 900), worker("sim", Role::Helper, 303)],
    });
    let harness = show(desk, What::Panel(Panel::Threads));
    harness.get_by_label("worker 0: 901 jobs, parked 3 times");
    harness.get_by_label("sim: worked 0 %, waited 16 %, 304 jobs, parked 3 times");
    assert!(harness.query_by_label_contains("No workers").is_none());
    harness.get_by_label("logic queue: 5 of 1024 waiting, 1 204 run, 2 overflowed, 1 on the spot");

    let mut desk = of_mode(HandoffMode::Lockstep);
    let render = ThreadStats { helped: 12, ..worker("render", Role::Helper, 11) };
    desk.jobs = Some(JobsStats { threads: vec![render], ..JobsStats::default() });
    let harness = show(desk, What::Panel(Panel::Threads));
    harness
        .get_by_label("render: worked 0 %, waited 56 %, 12 jobs, 12 of them while it waited, parked 3 times");
    harness
        .get_by_label_contains("No workers: the simulation and the render thread run jobs while they wait");
}

#[test]
fn what_was_lost_of_the_input_stands_before_the_jobs() {
    let desk = of_mode(HandoffMode::Slot);
    let stats = JobsStats {
        queues: [QueueStats { run: 1_204, ..QueueStats::default() }; 4],
        threads: vec![ThreadStats { role: Role::Worker, ..ThreadStats::default() }],
    };
    let jobs = Some(JobsView { stats: &stats, at: Nanos::ZERO });
    let caption = |input_lost, jobs| {
        let live = LiveView { input_lost, jobs, ..LiveView::default() };
        desk.inspector.caption(Panel::Threads, &live)
    };
    assert_eq!(caption(0, None), "");
    assert_eq!(caption(1_204, None), "1 204 input events lost");
    assert_eq!(caption(1, jobs), "1 input event lost · 1 worker · 4 816 jobs");
    assert_eq!(caption(0, jobs), "1 worker · 4 816 jobs");
}

#[test]
fn a_simulation_that_stands_still_for_jobs_is_said_to_wait() {
    let mut inspector = Inspector::default();
    inspector.begin_run(1);
    let mut program = FrameLoop::new(1, 100);
    for _ in 0..50 {
        let mut frame = program.next_frame().frame;
        frame.stages = Default::default();
        frame.stages[Stage::RunScheduler.index()].duration = Nanos::from_millis(5);
        frame.jobs_wait = Nanos::from_millis(2);
        inspector.ingest_frame(frame);
    }
    let desk = Desk { inspector, ..Desk::new(0) };
    let harness = show(desk, What::Panel(Panel::Threads));
    harness.get_by_label_contains("sim: worked 30 %, waited 20 %");
}

#[test]
fn threads_say_how_pictures_went_to_the_gpu_and_how_often_no_buffer_was_free() {
    let mut desk = of_mode(HandoffMode::Slot);
    let flight = Flight {
        in_flight: 2,
        most_in_flight: 2,
        buffers_in_use: 3,
        buffers: 5,
        wait: Nanos(3_140_000),
        stalls: 1_204,
        stalled: Nanos(96_500_000),
        instance_bytes: 4_800_000,
        copied_bytes: 12_288,
        read: Some(Nanos(2_420_000)),
        ..Flight::default()
    };
    let picture = RenderRecord {
        run: 1,
        frame: FrameIndex(20),
        taken: Nanos(2_000_000),
        flight,
        ..RenderRecord::default()
    };
    desk.inspector.ingest_render(picture);
    let harness = show(desk, What::Panel(Panel::Threads));
    harness.get_by_label("snapshot: held for 0.42 ms");
    harness.get_by_label("pictures: 2 of 2 in flight, waited 3.14 ms");
    harness.get_by_label("instance buffers: 3 of 5 in use, stalls 1 204, 96.50 ms together");
    harness.get_by_label("copied: 12.3 kB of 4.8 MB");
    // One that is done when its submit returns has no queue.
    let harness = show(of_mode(HandoffMode::Slot), What::Panel(Panel::Threads));
    assert!(harness.query_by_label_contains("instance buffers").is_none());
}

#[test]
fn each_observer_of_the_lockstep_has_a_lane_with_what_it_worked_and_waited() {
    let harness = show(super::ways::observed(2), What::Panel(Panel::Threads));
    // From one meeting to the next it is 16 ms: 12 and 10.5 of work, but in the first frame, before which nobody met.
    harness.get_by_label("observer 1: worked 72 %, waited 25 %");
    harness.get_by_label("observer 2: worked 63 %, waited 34 %");
    let harness = show(super::ways::observed(0), What::Panel(Panel::Threads));
    assert!(harness.query_by_label_contains("observer").is_none());
}
