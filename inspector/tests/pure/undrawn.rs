//! What becomes of the ticks of the free handoff.

use framewalk_inspector::Inspector;
use framewalk_inspector::history::Fate;
use framewalk_runtime::frame::record::{FrameRecord, HandoffMode, RenderRecord};
use framewalk_runtime::time::{FrameIndex, Tick};

#[test]
fn ticks_that_are_passed_over_are_undrawn_and_no_drops() {
    let mut inspector = Inspector::default();
    inspector.begin_run(1);
    for n in 1..=9_u64 {
        let mut frame = FrameRecord { run: 1, frame: FrameIndex(n), tick: Tick(n), ..FrameRecord::default() };
        frame.handoff.mode = HandoffMode::Free;
        inspector.ingest_frame(frame);
    }
    let picture = |n| RenderRecord { run: 1, frame: FrameIndex(n), ..RenderRecord::default() };
    inspector.ingest_render(picture(2));
    inspector.ingest_render(picture(7));
    let fates: Vec<Fate> = inspector.history().run(1).range(0, 9).map(|entry| entry.fate).collect();
    let (undrawn, rendered, pending) = (Fate::Undrawn, Fate::Rendered, Fate::Pending);
    assert_eq!(fates, [undrawn, rendered, undrawn, undrawn, undrawn, undrawn, rendered, pending, pending]);
    assert_eq!(inspector.history().totals().dropped, 0);
}
