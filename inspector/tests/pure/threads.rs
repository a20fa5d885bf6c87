//! How busy workers were, of two readings, and what is said of jobs.

use framewalk_inspector::live::JobsView;
use framewalk_inspector::panels::threads::model::{Jobs, Lane, Shares, Since, seats_sentence};
use framewalk_runtime::jobs::seating::Seating;
use framewalk_runtime::jobs::topology::{Core, Seats};
use framewalk_runtime::jobs::{JobsStats, Role, ThreadStats};
use framewalk_runtime::time::Nanos;

fn busy(millis: i64) -> JobsStats {
    let worker = ThreadStats {
        name: "worker 0".to_owned(),
        role: Role::Worker,
        busy: Nanos::from_millis(millis),
        ..ThreadStats::default()
    };
    JobsStats { threads: vec![worker], ..JobsStats::default() }
}

#[test]
fn a_worker_of_another_run_is_not_measured_by_the_one_before() {
    let mut since = Since::default();
    let mut read = |millis, busy_millis| {
        since.note(JobsView { stats: &busy(busy_millis), at: Nanos::from_millis(millis) });
        since.shares("worker 0").map(|shares| shares.worked)
    };
    assert_eq!(read(0, 100), None, "one reading says nothing");
    assert_eq!(read(600, 400), Some(0.5));
    assert_eq!(read(700, 500), Some(0.5), "too soon for another");
    // Stopped and played again.
    assert_eq!(read(1_600, 20), None);
    assert_eq!(read(2_600, 270), Some(0.25));
}

#[test]
fn what_a_thread_stood_still_in_a_wait_for_jobs_is_no_work() {
    let mut since = Since::default();
    let mut read = |millis, busy_millis, waited| {
        let mut stats = busy(busy_millis);
        stats.threads[0].waited = Nanos::from_millis(waited);
        since.note(JobsView { stats: &stats, at: Nanos::from_millis(millis) });
        since.shares("worker 0")
    };
    assert_eq!(read(0, 100, 0), None);
    assert_eq!(read(1_000, 600, 125), Some(Shares { worked: 0.375, waited: 0.125 }));
}

#[test]
fn jobs_are_told_by_queue_and_by_who_hands_them_over() {
    let lane = |by_queue: [u64; 4], taken| Lane {
        name: "sim".to_owned(),
        what: "",
        shares: None,
        jobs: Some(Jobs { run: by_queue.iter().sum(), by_queue, taken, ..Jobs::default() }),
        note: String::new(),
        place: String::new(),
    };
    let said = |by_queue, taken| {
        let lane = lane(by_queue, taken);
        (lane.label(), lane.queues())
    };
    for (by_queue, taken, label, queues) in [
        ([0; 4], 0, "sim: 0 jobs, parked 0 times", None),
        (
            [1_204, 0, 3, 0],
            0,
            "sim: 1 207 jobs, parked 0 times",
            Some("Jobs by queue: logic 1 204, physics 3; none taken from another thread."),
        ),
        (
            [300, 7, 0, 0],
            7,
            "sim: 307 jobs, 7 taken from another, parked 0 times",
            Some("Jobs by queue: logic 300, render 7; 7 taken from another thread."),
        ),
        (
            [300, 0, 0, 1],
            301,
            "sim: 301 jobs, parked 0 times",
            Some("Jobs by queue: logic 300, general 1; all taken from those who hand them over."),
        ),
    ] {
        assert_eq!(said(by_queue, taken), (label.to_owned(), queues.map(str::to_owned)));
    }
}

#[test]
fn what_was_run_in_a_wait_for_something_else_is_told_apart() {
    let lane = |run, helped, parked| Lane {
        name: "sim".to_owned(),
        what: "",
        shares: None,
        jobs: Some(Jobs { run, helped, parked, ..Jobs::default() }),
        note: String::new(),
        place: String::new(),
    };
    for (lane, label, figures) in [
        (lane(304, 0, 3), "sim: 304 jobs, parked 3 times", "304 jobs, parked 3"),
        (
            lane(1304, 12, 3),
            "sim: 1 304 jobs, 12 of them while it waited, parked 3 times",
            "1 304 jobs, 12 helped, parked 3",
        ),
        (lane(40, 40, 0), "sim: 40 jobs, 40 of them while it waited, parked 0 times", "40 helped"),
    ] {
        assert_eq!((lane.label().as_str(), lane.figures().as_str()), (label, figures));
    }
}

#[test]
fn a_lane_says_where_its_thread_stays() {
    let lane = |place: &str| Lane {
        name: "sim".to_owned(),
        what: "",
        shares: None,
        jobs: None,
        note: "1 zone lost".to_owned(),
        place: place.to_owned(),
    };
    assert_eq!(lane("").label(), "sim: 1 zone lost");
    assert_eq!(lane("core 2").label(), "sim · core 2: 1 zone lost");
}

#[test]
fn what_cannot_be_had_of_cores_is_said() {
    let core = |number| Some(Core(number));
    let seats = |sim, render, workers: &[usize]| {
        Seating::from(Seats { sim, render, workers: workers.iter().copied().map(Core).collect() })
    };
    assert_eq!(seats_sentence(None), None, "nobody asked for any");
    assert_eq!(seats_sentence(Some(&seats(core(1), core(3), &[2]))), None);
    for (seating, sentence) in [
        (
            seats(None, None, &[]),
            "A core of its own was asked for each thread, and this program may use one core only: there is nothing to choose.",
        ),
        (seats(core(1), core(1), &[0]), "No core is left for render: it shares the one of sim."),
    ] {
        assert_eq!(seats_sentence(Some(&seating)).as_deref(), Some(sentence));
    }
}
