//! How busy workers were, of two readings, and what is said of jobs.

use framewalk_inspector::live::JobsView;
use framewalk_inspector::panels::threads::model::{Jobs, Lane, Since};
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
        since.busy("worker 0")
    };
    assert_eq!(read(0, 100), None, "one reading says nothing");
    assert_eq!(read(600, 400), Some(0.5));
    assert_eq!(read(700, 500), Some(0.5), "too soon for another");
    // Stopped and played again.
    assert_eq!(read(1_600, 20), None);
    assert_eq!(read(2_600, 270), Some(0.25));
}

#[test]
fn what_was_run_in_a_wait_for_something_else_is_told_apart() {
    let lane = |run, helped, parked| Lane {
        name: "sim".to_owned(),
        what: "",
        shares: None,
        jobs: Some(Jobs { run, helped, parked }),
        note: String::new(),
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
