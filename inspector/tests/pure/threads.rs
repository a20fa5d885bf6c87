//! How busy workers were, of two readings.

use framewalk_inspector::live::JobsView;
use framewalk_inspector::panels::threads::model::Since;
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
