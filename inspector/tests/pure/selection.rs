use framewalk_inspector::Inspector;
use framewalk_inspector::history::{Fate, History};
use framewalk_inspector::selection::Selection;
use framewalk_runtime::frame::record::{FrameRecord, RenderRecord};
use framewalk_runtime::time::FrameIndex;

fn grow(history: &mut History, run: u32, frames: std::ops::RangeInclusive<u64>) {
    for frame in frames {
        history.ingest_frame(FrameRecord { run, frame: FrameIndex(frame), ..FrameRecord::default() });
    }
}

fn chosen(selection: &Selection, history: &History) -> Option<u64> {
    selection.entry(history).map(|entry| entry.frame().0)
}

#[test]
fn live_follows_the_newest_frame() {
    let (mut history, selection) = (History::new(10), Selection::Live);
    assert_eq!(chosen(&selection, &history), None);
    grow(&mut history, 1, 1..=3);
    assert_eq!(chosen(&selection, &history), Some(3));
    grow(&mut history, 1, 4..=4);
    assert_eq!(chosen(&selection, &history), Some(4));
}

#[test]
fn a_chosen_frame_stays_when_the_history_has_moved_on() {
    let (mut history, mut selection) = (History::new(10), Selection::Live);
    grow(&mut history, 1, 1..=10);
    assert!(selection.select(&history, 1, FrameIndex(4)));
    grow(&mut history, 1, 11..=500);
    assert!(history.find(1, FrameIndex(4)).is_none());
    assert_eq!(chosen(&selection, &history), Some(4));
    assert_eq!(selection.history(&history).len(), 10);
    selection.go_live();
    assert_eq!(chosen(&selection, &history), Some(500));
}

#[test]
fn choosing_a_frame_that_is_held_nowhere_changes_nothing() {
    let (mut history, mut selection) = (History::new(10), Selection::Live);
    grow(&mut history, 1, 1..=3);
    assert!(!selection.select(&history, 1, FrameIndex(99)));
    assert!(selection.is_live());
}

#[test]
fn walking_stops_at_both_ends() {
    let (mut history, mut selection) = (History::new(10), Selection::Live);
    assert_eq!(selection.walk(&history, 1), None);
    grow(&mut history, 1, 1..=3);
    assert_eq!(selection.walk(&history, -1), Some(FrameIndex(2)));
    assert_eq!(selection.walk(&history, -5), Some(FrameIndex(1)));
    assert_eq!(selection.walk(&history, 9), Some(FrameIndex(3)));
}

#[test]
fn walking_past_the_end_goes_on_into_what_has_come_since() {
    let (mut history, mut selection) = (History::new(10), Selection::Live);
    grow(&mut history, 1, 1..=3);
    selection.select(&history, 1, FrameIndex(3));
    grow(&mut history, 1, 4..=5);
    assert_eq!(selection.walk(&history, 1), Some(FrameIndex(4)));
    assert_eq!(chosen(&selection, &history), Some(4));
}

#[test]
fn later_news_reach_a_frozen_frame() {
    let (mut history, mut selection) = (History::new(10), Selection::Live);
    grow(&mut history, 1, 1..=3);
    selection.select(&history, 1, FrameIndex(3));
    selection.ingest_render(RenderRecord { run: 1, frame: FrameIndex(3), ..RenderRecord::default() });
    assert_eq!(selection.entry(&history).unwrap().fate, Fate::Rendered);
}

#[test]
fn the_frozen_copy_counts_as_memory_held() {
    let (mut history, mut selection) = (History::new(10), Selection::Live);
    grow(&mut history, 1, 1..=3);
    assert_eq!(selection.bytes(), 0);
    selection.select(&history, 1, FrameIndex(2));
    assert!(selection.bytes() > 0);
}

#[test]
fn a_frozen_frame_learns_that_it_was_dropped_and_that_the_run_is_over() {
    let mut inspector = Inspector::new(10);
    let record = |frame: u64| FrameRecord { run: 1, frame: FrameIndex(frame), ..FrameRecord::default() };
    inspector.ingest_frame(record(1));
    inspector.ingest_frame(record(2));
    assert!(inspector.select(FrameIndex(2)));
    let fate = |inspector: &Inspector| inspector.chosen().map(|entry| entry.fate);
    assert_eq!(fate(&inspector), Some(Fate::Pending));
    inspector.ingest_frame(FrameRecord { replaced: Some(FrameIndex(2)), ..record(3) });
    assert_eq!(fate(&inspector), Some(Fate::Dropped { by: FrameIndex(3) }));
    assert!(inspector.select(FrameIndex(1)));
    inspector.end_run();
    assert_eq!(fate(&inspector), Some(Fate::Abandoned));
    assert!(!inspector.is_live());
}
