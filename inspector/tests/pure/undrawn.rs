//! What becomes of the ticks of the free handoff.

use framewalk_inspector::Inspector;
use framewalk_inspector::history::Fate;
use framewalk_runtime::frame::record::{FrameRecord, HandoffMode, RenderRecord};
use framewalk_runtime::time::{FrameIndex, Nanos, Tick};

fn frame(n: u64, mode: HandoffMode) -> FrameRecord {
    let mut frame = FrameRecord { run: 1, frame: FrameIndex(n), tick: Tick(n), ..FrameRecord::default() };
    frame.handoff.mode = mode;
    frame
}

#[test]
fn ticks_that_are_passed_over_are_undrawn_and_no_drops() {
    let mut inspector = Inspector::default();
    inspector.begin_run(1);
    for n in 1..=9_u64 {
        inspector.ingest_frame(frame(n, HandoffMode::Free));
    }
    let picture = |n| RenderRecord { run: 1, frame: FrameIndex(n), ..RenderRecord::default() };
    inspector.ingest_render(picture(2));
    inspector.ingest_render(picture(7));
    let fates: Vec<Fate> = inspector.history().run(1).range(0, 9).map(|entry| entry.fate).collect();
    let (undrawn, rendered, pending) = (Fate::Undrawn, Fate::Rendered, Fate::Pending);
    assert_eq!(fates, [undrawn, rendered, undrawn, undrawn, undrawn, undrawn, rendered, pending, pending]);
    assert_eq!(inspector.history().totals().dropped, 0);
}

#[test]
fn ticks_that_wait_when_the_handoff_changes_are_undrawn_also_where_the_next_frame_is_dropped() {
    let mut inspector = Inspector::default();
    inspector.begin_run(1);
    (1..=3).for_each(|n| inspector.ingest_frame(frame(n, HandoffMode::Free)));
    inspector.ingest_frame(frame(4, HandoffMode::Slot));
    inspector.ingest_frame(FrameRecord { replaced: Some(FrameIndex(4)), ..frame(5, HandoffMode::Slot) });
    // The first had been taken: its picture was still under way.
    let picture = |n| RenderRecord { run: 1, frame: FrameIndex(n), ..RenderRecord::default() };
    inspector.ingest_render(picture(1));
    inspector.ingest_render(picture(5));
    let fates: Vec<Fate> = inspector.history().run(1).range(0, 9).map(|entry| entry.fate).collect();
    let dropped = Fate::Dropped { by: FrameIndex(5) };
    assert_eq!(fates, [Fate::Rendered, Fate::Undrawn, Fate::Undrawn, dropped, Fate::Rendered]);
}

#[test]
fn all_pictures_of_a_frame_count_in_what_the_render_thread_did_and_in_what_was_held() {
    let mut inspector = Inspector::default();
    inspector.begin_run(1);
    inspector.ingest_frame(frame(1, HandoffMode::Free));
    let picture = RenderRecord {
        run: 1,
        frame: FrameIndex(1),
        batch: Nanos(200),
        submit: Nanos(300),
        render_wait: Nanos(7_000),
        ..RenderRecord::default()
    };
    inspector.ingest_render(picture);
    inspector.ingest_render(RenderRecord { again: true, ..picture });
    inspector.ingest_render(RenderRecord { again: true, held: true, ..picture });
    let entry = inspector.history().find(1, FrameIndex(1)).unwrap();
    assert_eq!((entry.pictures, entry.held), (3, 1));
    assert_eq!((entry.render_work, entry.render_wait), (Nanos(1_500), Nanos(21_000)));
    assert_eq!(entry.render, Some(picture), "the first of them");
}
