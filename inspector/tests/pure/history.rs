use framewalk_inspector::history::{Entry, Fate, History, Outcome, SLOWEST_KEPT};
use framewalk_runtime::frame::record::{
    FrameKind, FrameRecord, HandoffCounts, HandoffMode, RenderOutcome, RenderRecord, Shown, ShownRecord,
    StageTiming,
};
use framewalk_runtime::time::{FrameIndex, Nanos, Rate};

const MILLI: i64 = 1_000_000;

fn record(run: u32, frame: u64) -> FrameRecord {
    FrameRecord {
        run,
        frame: FrameIndex(frame),
        kind: if frame == 1 { FrameKind::First } else { FrameKind::Running },
        render_time: Nanos(frame as i64 * 16 * MILLI),
        shown_time: Nanos(frame as i64 * 16 * MILLI),
        delta: Nanos(16 * MILLI),
        ..FrameRecord::default()
    }
}

fn replacing(run: u32, frame: u64, replaced: u64) -> FrameRecord {
    FrameRecord { replaced: Some(FrameIndex(replaced)), ..record(run, frame) }
}

fn rendered(run: u32, frame: u64) -> RenderRecord {
    let submit_start = Nanos(frame as i64 * 16 * MILLI + 3 * MILLI);
    RenderRecord {
        run,
        frame: FrameIndex(frame),
        submit_start,
        submit: Nanos(MILLI),
        ..RenderRecord::default()
    }
}

fn shown(frame: u64, at: i64) -> ShownRecord {
    // As it is where each frame has one picture.
    let shown_time = Some(record(1, frame).shown_time);
    ShownRecord {
        run: 1,
        frame: FrameIndex(frame),
        shown: Shown::Presented { at: Nanos(at * MILLI), shown_time },
    }
}

fn fate(history: &History, frame: u64) -> Fate {
    history.find(1, FrameIndex(frame)).expect("the frame is in the history").fate
}

#[test]
fn a_frame_is_pending_then_in_flight_then_rendered_then_shown() {
    let mut history = History::new(100);
    history.ingest_frame(record(1, 1));
    assert_eq!(fate(&history, 1), Fate::Pending);
    history.ingest_frame(record(1, 2));
    assert_eq!(fate(&history, 1), Fate::InFlight);
    history.ingest_render(rendered(1, 1));
    assert_eq!(fate(&history, 1), Fate::Rendered);
    history.ingest_shown(shown(1, 20));
    assert_eq!(fate(&history, 1), Fate::Shown { at: Nanos(20 * MILLI) });
}

#[test]
fn a_frame_whose_slot_is_empty_at_its_end_is_in_flight() {
    let mut history = History::new(100);
    let mut taken = record(1, 1);
    taken.handoff = HandoffCounts { published: 1, in_flight: 1, ..HandoffCounts::default() };
    history.ingest_frame(taken);
    assert_eq!(fate(&history, 1), Fate::InFlight);
    let mut waiting = record(1, 2);
    waiting.handoff = HandoffCounts { published: 2, in_flight: 1, pending: 1, ..HandoffCounts::default() };
    history.ingest_frame(waiting);
    assert_eq!(fate(&history, 2), Fate::Pending);
}

#[test]
fn a_replaced_frame_is_dropped_and_names_its_successor() {
    let mut history = History::new(100);
    history.ingest_frame(record(1, 1));
    history.ingest_frame(replacing(1, 2, 1));
    assert_eq!(fate(&history, 1), Fate::Dropped { by: FrameIndex(2) });
    assert_eq!(history.find(1, FrameIndex(1)).unwrap().outcome(), Outcome::Dropped);
    assert_eq!(history.totals().dropped, 1);
}

#[test]
fn news_that_come_before_their_frame_are_joined_when_it_comes() {
    let mut history = History::new(100);
    history.ingest_render(rendered(1, 1));
    history.ingest_shown(shown(1, 20));
    history.ingest_frame(record(1, 1));
    let entry = history.find(1, FrameIndex(1)).unwrap();
    assert_eq!(entry.fate, Fate::Shown { at: Nanos(20 * MILLI) });
    assert_eq!(entry.render, Some(rendered(1, 1)));
    assert_eq!(history.unmatched(), 0);
}

#[test]
fn what_is_under_way_when_a_run_ends_is_abandoned() {
    let mut history = History::new(100);
    history.ingest_frame(record(1, 1));
    history.ingest_render(rendered(1, 1));
    history.ingest_frame(record(1, 2));
    history.ingest_frame(record(1, 3));
    history.end_run();
    assert_eq!(
        [1, 2, 3].map(|frame| fate(&history, frame)),
        [Fate::Rendered, Fate::Abandoned, Fate::Abandoned]
    );
}

#[test]
fn an_unseen_frame_and_a_failed_submit_are_told_apart() {
    let mut history = History::new(100);
    history.ingest_frame(record(1, 1));
    history.ingest_frame(record(1, 2));
    history.ingest_render(rendered(1, 1));
    history.ingest_shown(ShownRecord { run: 1, frame: FrameIndex(1), shown: Shown::Unseen });
    history.ingest_render(RenderRecord { outcome: RenderOutcome::Abandoned, ..rendered(1, 2) });
    assert_eq!(fate(&history, 1), Fate::Unseen);
    assert_eq!(fate(&history, 2), Fate::Abandoned);
}

#[test]
fn runs_are_never_mixed() {
    let mut history = History::new(100);
    history.ingest_frame(record(1, 1));
    history.ingest_frame(record(1, 2));
    history.ingest_frame(record(2, 1));
    assert_eq!(history.run(1).len(), 2);
    assert_eq!(history.run(2).len(), 1);
    assert_eq!(history.find(2, FrameIndex(1)).unwrap().fate, Fate::Pending);
    assert_eq!(fate(&history, 2), Fate::Abandoned);
    assert_eq!((history.totals().run, history.totals().frames), (2, 1));
    assert!(history.run(3).is_empty());
}

#[test]
fn the_oldest_frames_go_and_lookups_still_find_the_rest() {
    let mut history = History::new(10);
    for frame in 1..=25 {
        history.ingest_frame(record(1, frame));
    }
    assert_eq!(history.len(), 10);
    assert!(history.find(1, FrameIndex(15)).is_none());
    assert_eq!(history.find(1, FrameIndex(16)).unwrap().frame(), FrameIndex(16));
    let frames = history.run(1);
    assert_eq!(frames.position(FrameIndex(20)), Some(4));
    assert_eq!(frames.position_at_time(Nanos(19 * 16 * MILLI)), 4);
    assert_eq!(frames.position_at_time(Nanos(19 * 16 * MILLI + 1)), 5);
}

#[test]
fn standing_still_takes_no_room_on_the_time_axis() {
    let mut history = History::new(10);
    let hour = Nanos(3_600_000 * MILLI);
    let kinds = [
        FrameKind::First,
        FrameKind::Running,
        FrameKind::SteppedTick,
        FrameKind::Resumed,
        FrameKind::Running,
    ];
    for (place, kind) in kinds.into_iter().enumerate() {
        let mut record = FrameRecord { kind, ..record(1, place as u64 + 1) };
        record.frame_rate = Rate::new(50, 1).unwrap();
        if place >= 2 {
            record.render_time += hour;
        }
        history.ingest_frame(record);
    }
    let played: Vec<i64> = history.run(1).range(0, 5).map(|entry| entry.played.0 / MILLI).collect();
    assert_eq!(played, [0, 16, 36, 56, 72], "a step and a resumed frame take one period of 20 ms each");
}

#[test]
fn memory_is_stated_and_does_not_grow_past_the_capacity() {
    let mut history = History::new(64);
    for frame in 1..=64 {
        history.ingest_frame(record(1, frame));
    }
    let full = history.bytes();
    assert!(full >= 64 * size_of::<Entry>());
    for frame in 65..=1000 {
        history.ingest_frame(record(1, frame));
    }
    assert_eq!(history.bytes(), full);
}

#[test]
fn a_record_that_is_not_newer_is_refused_and_counted() {
    let mut history = History::new(10);
    history.ingest_frame(record(1, 2));
    history.ingest_frame(record(1, 2));
    history.ingest_frame(record(1, 1));
    assert_eq!((history.len(), history.unmatched()), (1, 2));
}

#[test]
fn the_slowest_frames_stay_when_they_have_left_the_recent_ones() {
    let mut history = History::new(5);
    for frame in 1..=100 {
        let mut slow = record(1, frame);
        slow.stages[3] =
            StageTiming { start: Nanos::ZERO, duration: Nanos(if frame == 7 { 30 * MILLI } else { MILLI }) };
        history.ingest_frame(slow);
    }
    let slowest: Vec<_> = history.slowest().collect();
    assert_eq!(slowest.len(), SLOWEST_KEPT);
    assert_eq!(slowest[0].frame(), FrameIndex(7));
    assert!(history.find(1, FrameIndex(7)).is_none());
}

#[test]
fn without_a_window_animation_error_uses_the_end_of_submit() {
    let mut history = History::new(100);
    for frame in 1..=3 {
        history.ingest_frame(record(1, frame));
        history.ingest_render(rendered(1, frame));
    }
    let errors = [1, 2, 3].map(|frame| history.find(1, FrameIndex(frame)).unwrap().animation_error);
    assert_eq!(errors, [None, Some(Nanos::ZERO), Some(Nanos::ZERO)]);
}

#[test]
fn when_the_gpu_was_seen_to_be_done_is_in_no_animation_error() {
    let mut history = History::new(100);
    for frame in 1..=3 {
        history.ingest_frame(record(1, frame));
        let mut render = rendered(1, frame);
        if frame == 2 {
            render.flight.done = Some(render.submitted() + Nanos(4 * MILLI));
        }
        history.ingest_render(render);
    }
    let errors = [1, 2, 3].map(|frame| history.find(1, FrameIndex(frame)).unwrap().animation_error);
    assert_eq!(errors, [None, Some(Nanos::ZERO), Some(Nanos::ZERO)]);
}

#[test]
fn with_a_window_animation_error_uses_the_present_and_skips_the_unseen() {
    let mut history = History::new(100);
    history.set_windowed(true);
    for frame in 1..=4 {
        history.ingest_frame(record(1, frame));
        history.ingest_render(rendered(1, frame));
    }
    history.ingest_shown(shown(1, 100));
    history.ingest_shown(ShownRecord { run: 1, frame: FrameIndex(2), shown: Shown::Unseen });
    history.ingest_shown(shown(3, 130));
    // The news about frame 4 never come; those about 5 do.
    history.ingest_frame(record(1, 5));
    history.ingest_render(rendered(1, 5));
    history.ingest_shown(shown(5, 162));
    let errors = [1, 2, 3, 4, 5].map(|frame| history.find(1, FrameIndex(frame)).unwrap().animation_error);
    assert_eq!(errors, [None, None, Some(Nanos(2 * MILLI)), None, Some(Nanos::ZERO)]);
}

#[test]
fn the_animation_error_of_a_frame_is_that_of_the_picture_of_it_which_was_seen() {
    let mut history = History::new(100);
    history.set_windowed(true);
    // Ticks of 40 ms, and a picture every 10: four of each frame.
    let frame = |frame: u64| FrameRecord {
        handoff: HandoffCounts { mode: HandoffMode::Free, ..HandoffCounts::default() },
        ..record(1, frame)
    };
    let picture = |frame: u64, shown: i64, again| RenderRecord {
        shown_time: Nanos(shown * MILLI),
        again,
        ..rendered(1, frame)
    };
    let seen = |frame: u64, shown: Option<i64>, at: i64| {
        let shown_time = shown.map(|shown| Nanos(shown * MILLI));
        let shown = Shown::Presented { at: Nanos(at * MILLI), shown_time };
        ShownRecord { run: 1, frame: FrameIndex(frame), shown }
    };
    (1..=6).for_each(|number| history.ingest_frame(frame(number)));
    for (number, first) in [(1, 10), (2, 50), (3, 90), (4, 130), (5, 170), (6, 210)] {
        history.ingest_render(picture(number, first, false));
        history.ingest_render(picture(number, first + 10, true));
    }
    history.ingest_shown(seen(1, Some(10), 20));
    // Its first picture was replaced before it was painted.
    history.ingest_shown(seen(2, Some(60), 70));
    history.ingest_shown(seen(3, Some(90), 100));
    // On the display 3 ms later than it should have been.
    history.ingest_shown(seen(4, Some(140), 153));
    // The end of a motion that was over before: neither it nor what follows is measured by it.
    history.ingest_shown(seen(5, None, 190));
    history.ingest_shown(seen(6, Some(210), 300));
    let errors = [1, 2, 3, 4, 5, 6].map(|frame| history.find(1, FrameIndex(frame)).unwrap().animation_error);
    let millis = |millis: i64| Some(Nanos(millis * MILLI));
    assert_eq!(errors, [None, millis(0), millis(0), millis(-3), None, None]);
}

#[test]
fn a_change_of_tick_rate_is_remembered_for_the_run() {
    let mut history = History::new(10);
    history.ingest_frame(record(1, 1));
    assert!(!history.totals().tick_rate_changed);
    let rate = framewalk_runtime::time::Rate::hz(30).unwrap();
    history.ingest_frame(FrameRecord { tick_rate: rate, ..record(1, 2) });
    assert!(history.totals().tick_rate_changed);
    history.ingest_frame(FrameRecord { tick_rate: rate, ..record(2, 1) });
    assert!(!history.totals().tick_rate_changed);
}

#[test]
fn another_capacity_keeps_the_newest_frames_and_what_became_of_them() {
    let mut history = History::new(10);
    for frame in 1..=6 {
        history.ingest_frame(record(1, frame));
    }
    history.ingest_frame(replacing(1, 8, 7));
    history.ingest_frame(replacing(1, 9, 8));
    history.set_capacity(4);
    let held = |history: &History| -> Vec<u64> {
        history.run(1).range(0, usize::MAX).map(|entry| entry.frame().0).collect()
    };
    assert_eq!(held(&history), [5, 6, 8, 9]);
    assert_eq!(fate(&history, 8), Fate::Dropped { by: FrameIndex(9) });
    assert_eq!(history.fold(history.run(1).indices()).frames, 4);
    history.set_capacity(100);
    history.ingest_frame(record(1, 10));
    history.ingest_render(rendered(1, 9));
    assert_eq!(held(&history), [5, 6, 8, 9, 10]);
    assert_eq!(fate(&history, 9), Fate::Rendered);
    assert_eq!(history.newest().expect("there is one").frame(), FrameIndex(10));
}
