//! The free handoff with more pictures than ticks: ten ticks a second, drawn fifty times a second.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use framewalk_inspector::LiveView;
use framewalk_inspector::comparison::{Measured, Recording};
use framewalk_inspector::history::changes::{Change, change, sentences};
use framewalk_inspector::history::passes::{PASSES_KEPT, Stretch, WindowPass};
use framewalk_inspector::history::pictures::PICTURES_KEPT;
use framewalk_inspector::history::{History, KeptPicture, Outcome};
use framewalk_inspector::panels::threads::model::{Since, lanes};
use framewalk_inspector::panels::timeline::model::{
    Lane, PassPart, PassSpan, Span, Work, ZoneSpan, timeline,
};
use framewalk_inspector::selection::Selection;
use framewalk_inspector::view::View;
use framewalk_runtime::frame::record::{FrameKind, FrameRecord, HandoffMode, RenderOutcome, RenderRecord};
use framewalk_runtime::frame::zones::{Zone, ZoneThread};
use framewalk_runtime::time::{FrameIndex, Nanos, Rate, Speed, Tick};

const MS: i64 = 1_000_000;

/// Frame n, which is tick n, at n × 100 ms.
pub fn frame(n: u64) -> FrameRecord {
    let mut frame = FrameRecord {
        run: 1,
        frame: FrameIndex(n),
        kind: if n == 1 { FrameKind::First } else { FrameKind::Running },
        tick: Tick(n),
        ticks: 1,
        render_time: Nanos(100 * MS * n as i64),
        delta: Nanos(100 * MS),
        simulated_time: Nanos(100 * MS * n as i64),
        tick_length: Nanos(100 * MS),
        tick_rate: Rate::new(10, 1).unwrap(),
        frame_rate: Rate::new(10, 1).unwrap(),
        render_rate: Rate::new(50, 1).unwrap(),
        ..FrameRecord::default()
    };
    frame.handoff.mode = HandoffMode::Free;
    frame.handoff.published = n;
    frame
}

/// Picture `nth` of frame n, from 0: 20 ms after the one before, a fifth of a tick further; batch and submit take 1 and
/// 2 ms.
pub fn picture(n: u64, nth: u64) -> RenderRecord {
    let at = 100 * MS * n as i64 + 20 * MS * nth as i64;
    RenderRecord {
        run: 1,
        frame: FrameIndex(n),
        taken: Nanos(at),
        render_time: Nanos(at),
        shown_time: Nanos(at - 100 * MS),
        alpha: 0.2 * nth as f64,
        again: nth > 0,
        wake_delay: Some(Nanos(1_000 * (1 + nth as i64))),
        render_wait: Nanos(17 * MS),
        batch_start: Nanos(at),
        batch: Nanos(MS),
        submit_start: Nanos(at + MS),
        submit: Nanos(2 * MS),
        ..RenderRecord::default()
    }
}

/// Frames 1 to `frames`, each drawn five times.
pub fn drawn(frames: u64) -> History {
    let mut history = History::new(1_000);
    for n in 1..=frames {
        history.ingest_frame(frame(n));
        (0..5).for_each(|nth| history.ingest_render(picture(n, nth)));
    }
    history
}

fn kept(history: &History) -> Vec<&KeptPicture> {
    history.pictures().range(0..history.pictures().next()).collect()
}

fn view<'a>(history: &'a History, selection: &'a Selection, live: &'a LiveView<'a>) -> View<'a> {
    View { history, selection, live, captions: true }
}

#[test]
fn every_picture_is_kept_with_its_number_its_place_and_the_time_since_the_one_before() {
    let history = drawn(2);
    let told: Vec<(u64, u32, i64, Option<i64>)> = kept(&history)
        .iter()
        .map(|kept| {
            let interval = kept.interval.map(|interval| interval.0 / MS);
            (kept.record.frame.0, kept.nth, kept.played.0 / MS, interval)
        })
        .collect();
    let since = Some(20);
    assert_eq!(
        told,
        [
            (1, 1, 0, None),
            (1, 2, 20, since),
            (1, 3, 40, since),
            (1, 4, 60, since),
            (1, 5, 80, since),
            (2, 1, 100, since),
            (2, 2, 120, since),
            (2, 3, 140, since),
            (2, 4, 160, since),
            (2, 5, 180, since),
        ]
    );
    let pictures = history.pictures();
    assert_eq!(pictures.played_within(1, Nanos(20 * MS), Nanos(100 * MS)), 1..6);
    assert_eq!(pictures.of_frames(1, FrameIndex(2), FrameIndex(9)), 5..10);
    assert_eq!((history.totals().pictures, history.totals().late_pictures), (10, 0));
}

#[test]
fn over_a_pause_a_step_and_an_end_of_motion_no_time_lies_between_two_pictures() {
    let mut history = drawn(1);
    // Paused for a second, then stepped, then resumed.
    for (n, kind) in [(2, FrameKind::SteppedTick), (3, FrameKind::Resumed), (4, FrameKind::Running)] {
        history.ingest_frame(FrameRecord { kind, ..frame(n) });
        history.ingest_render(picture(n, 0));
    }
    // It stood, and went on.
    history.ingest_frame(frame(5));
    history.ingest_render(RenderRecord { ends: true, ..picture(5, 0) });
    history.ingest_frame(frame(6));
    history.ingest_render(picture(6, 0));
    history.ingest_render(RenderRecord { outcome: RenderOutcome::Abandoned, ..picture(6, 1) });
    history.ingest_render(picture(6, 2));
    let since: Vec<Option<i64>> =
        kept(&history)[5..].iter().map(|kept| kept.interval.map(|interval| interval.0 / MS)).collect();
    // Of frames 2 to 6, and of the two more of frame 6, of which one failed.
    // One that stands is drawn for no deadline.
    assert_eq!(since, [None, None, Some(100), None, None, None, Some(40)]);
    let numbers: Vec<u32> = kept(&history)[8..].iter().map(|kept| kept.nth).collect();
    assert_eq!(numbers, [1, 1, 2, 3], "of frame 5, and of frame 6");
}

#[test]
fn in_the_slot_pictures_are_kept_and_no_time_is_measured_between_them() {
    let mut history = History::new(10);
    for n in 1..=3 {
        let mut frame = frame(n);
        frame.handoff.mode = HandoffMode::Slot;
        history.ingest_frame(frame);
        history.ingest_render(picture(n, 0));
    }
    assert_eq!(kept(&history).len(), 3);
    assert!(kept(&history).iter().all(|kept| kept.interval.is_none() && kept.nth == 1));
}

#[test]
fn only_the_newest_pictures_are_kept_and_a_frozen_view_keeps_its_own() {
    let mut history = drawn(1);
    let mut selection = Selection::Live;
    assert!(selection.select(&history, 1, FrameIndex(1)));
    let more = PICTURES_KEPT as u64;
    (5..5 + more).for_each(|nth| history.ingest_render(picture(1, nth)));
    let full = history.pictures().bytes();
    (0..more).for_each(|nth| history.ingest_render(picture(1, 5 + more + nth)));
    assert_eq!(history.pictures().bytes(), full, "as many bytes for twice as many pictures");
    assert_eq!(kept(&history).len(), PICTURES_KEPT);
    assert!(history.pictures().has_lost_some());
    assert_eq!(kept(selection.history(&history)).len(), 5);
    assert_eq!(history.find(1, FrameIndex(1)).unwrap().render, Some(picture(1, 0)), "the first stays");
}

#[test]
fn a_late_picture_makes_its_frame_late_and_is_counted_in_the_run() {
    let mut history = drawn(2);
    history.ingest_render(RenderRecord { late: true, missed: 3, ..picture(2, 5) });
    let entry = history.find(1, FrameIndex(2)).unwrap();
    assert_eq!((entry.pictures, entry.late_pictures, entry.missed_pictures), (6, 1, 3));
    assert_eq!((entry.outcome(), entry.record.late), (Outcome::Late, false));
    assert_eq!((history.totals().late, history.totals().late_pictures), (0, 1));
    assert_eq!(history.run(1).fold_positions(0, 2).late, 1);
}

#[test]
fn the_timeline_has_every_picture_and_a_zone_below_it_finds_its_frame() {
    let mut history = drawn(3);
    // While the fourth picture of frame 2 was submitted.
    let encode = Zone { name: "encode", start: Nanos(261 * MS), duration: Nanos(MS), depth: 0, lost: 0 };
    history.ingest_zone(ZoneThread::Render, encode);
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = view(&history, &selection, &live);
    let shown = timeline(&view, Nanos(200 * MS), Nanos(299 * MS), Nanos(1));
    let submits: Vec<&Span> = shown.spans.iter().filter(|span| span.work == Work::Submit).collect();
    let mut places: Vec<(u64, i64, Option<u32>)> =
        submits.iter().map(|span| (span.frame.0, span.from.0 / MS, span.picture)).collect();
    places.sort_unstable();
    assert_eq!(
        places,
        [(2, 201, Some(1)), (2, 221, Some(2)), (2, 241, Some(3)), (2, 261, Some(4)), (2, 281, Some(5))]
    );
    let fourth = submits.iter().find(|span| span.picture == Some(4)).unwrap();
    assert_eq!(fourth.sentence(), "submit 2.00 ms, frame 2, picture 4");
    let below =
        ZoneSpan { lane: Lane::Render, name: "encode", row: 0, from: Nanos(261 * MS), to: Nanos(262 * MS) };
    assert_eq!(shown.zones, [below]);
    assert_eq!(shown.frame_of(&below), Some(FrameIndex(2)));
}

#[test]
fn threads_sum_up_all_pictures_and_say_how_late_each_of_them_woke() {
    let history = drawn(11);
    let (selection, live) = (Selection::Live, LiveView::default());
    let lanes = lanes(&view(&history, &selection, &live), &Since::default(), None);
    let render = lanes.iter().find(|lane| lane.name == "render").unwrap();
    // Ten frames in the last second, each with five pictures of 3 ms.
    let shares = render.shares.unwrap();
    assert!((shares.worked - 0.15).abs() < 1e-3 && (shares.waited - 0.85).abs() < 1e-3, "{shares:?}");
    // 1 to 5 µs late: of the first pictures alone it would be 1.
    assert_eq!(render.note, "woke 3.0 µs late");
}

#[test]
fn a_comparison_counts_pictures_and_measures_each_tick_once() {
    let frames: Vec<FrameRecord> = (1..=4).map(frame).collect();
    let mut renders: Vec<RenderRecord> =
        (1..=4).flat_map(|n| (0..5).map(move |nth| picture(n, nth))).collect();
    renders[7].late = true;
    renders[9].held = true;
    let measured = Measured::of(HandoffMode::Free, &Recording { frames, renders, ..Recording::default() });
    assert_eq!((measured.frames, measured.pictures, measured.late, measured.held), (4, 20, 1, 1));
    assert_eq!(measured.tick_to_drawn.unwrap().count, 4);
    // Each shows 20 ms more than the one before, 20 ms later; of frame 1 none is measured.
    let error = measured.animation_error.unwrap();
    assert_eq!((error.count, error.max), (15, Nanos::ZERO));
    assert_eq!(measured.render_wait.unwrap().p50, Nanos(17 * MS));
    assert_eq!(measured.drawing.unwrap().max, Nanos(3 * MS));
}

#[test]
fn a_pass_of_the_window_lies_in_its_lane_in_three_parts() {
    let mut history = drawn(1);
    let stretch = |from: i64, to: i64| Stretch::between(Nanos(from * MS), Nanos(to * MS));
    let pass = |at: i64| WindowPass {
        run: 1,
        logic: stretch(at, at + 1),
        layout: Some(stretch(at + 1, at + 4)),
        paint: Some(stretch(at + 4, at + 9)),
        shown: Some(FrameIndex(1)),
    };
    let revision = history.revision();
    history.ingest_pass(pass(100));
    // A hidden window paints nothing; and one of another run is not on show.
    history.ingest_pass(WindowPass { layout: None, paint: None, shown: None, ..pass(120) });
    history.ingest_pass(WindowPass { run: 2, ..pass(130) });
    assert_eq!(history.revision(), revision, "to the other panels nothing has changed");
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = view(&history, &selection, &live);
    let span = |part, from: i64, to: i64, shown| PassSpan {
        part,
        from: Nanos(from * MS),
        to: Nanos(to * MS),
        shown,
    };
    let first = Some(FrameIndex(1));
    let layout = span(PassPart::Layout, 101, 104, first);
    let all = [
        span(PassPart::Logic, 100, 101, first),
        layout,
        span(PassPart::Paint, 104, 109, first),
        span(PassPart::Logic, 120, 121, None),
    ];
    assert_eq!(timeline(&view, Nanos(0), Nanos(200 * MS), Nanos(1)).passes, all);
    assert_eq!(layout.sentence(), "layout 3.00 ms; the pass showed frame 1");
    assert_eq!(all[3].sentence(), "logic 1.00 ms; the pass showed no new frame");
    let middle = timeline(&view, Nanos(102 * MS), Nanos(103 * MS), Nanos(1)).passes;
    assert_eq!(middle, [layout]);
}

#[test]
fn only_the_newest_passes_are_kept() {
    let mut history = History::new(10);
    let pass = |n: i64| WindowPass {
        run: 1,
        logic: Stretch::between(Nanos(n * MS), Nanos(n * MS + 1)),
        ..WindowPass::default()
    };
    (0..3 * PASSES_KEPT as i64).for_each(|n| history.ingest_pass(pass(n)));
    let within = |from: i64| history.passes().within(1, Nanos(from * MS), Nanos::MAX).count();
    assert_eq!((within(0), within(3 * PASSES_KEPT as i64 - 2)), (PASSES_KEPT, 2));
    assert_eq!(history.passes().bytes(), PASSES_KEPT * size_of::<WindowPass>());
}

#[test]
fn in_the_free_handoff_a_tick_rate_or_a_speed_is_not_called_a_frame_rate() {
    let hz = |rate| Rate::new(rate, 1).unwrap();
    let half = Speed::from_thousandths(500).unwrap();
    let slot = {
        let mut slot = FrameRecord { frame_rate: hz(50), ..frame(1) };
        slot.handoff.mode = HandoffMode::Slot;
        slot
    };
    let faster = FrameRecord { tick_rate: hz(512), frame_rate: hz(512), ..frame(2) };
    let slower = FrameRecord { speed: half, frame_rate: hz(5), ..frame(2) };
    let display = FrameRecord { render_rate: hz(144), ..frame(2) };
    for (before, after, told) in [
        (slot, frame(2), "handoff slot → free"),
        (frame(1), faster, "tick rate 10 → 512 Hz"),
        (frame(1), slower, "speed 1 → 0.5 ×"),
        (frame(1), display, "frame rate 50 → 144 Hz"),
        (frame(1), FrameRecord { frame: FrameIndex(2), ..slot }, "handoff free → slot"),
    ] {
        assert_eq!(sentences(Some(&before), &after), [told]);
        assert_eq!(change(Some(&before), &after), Some(Change::Setting));
    }
    assert_eq!(change(Some(&frame(1)), &frame(2)), None);
}
