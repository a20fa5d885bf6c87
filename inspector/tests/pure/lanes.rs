//! Timeline, handoff and histogram: what they show, by literal values.

use framewalk_inspector::LiveView;
use framewalk_inspector::history::History;
use framewalk_inspector::history::zones::ZONES_KEPT;
use framewalk_inspector::panels::handoff::model::{holders_after, holders_within};
use framewalk_inspector::panels::histogram::model::Bins;
use framewalk_inspector::panels::timeline::model::{
    End, Ending, Gap, Lane, Missing, Span, Work, ZoneSpan, timeline,
};
use framewalk_inspector::selection::Selection;
use framewalk_inspector::view::View;
use framewalk_runtime::frame::details::{StageDetails, TickRow};
use framewalk_runtime::frame::record::{FrameRecord, RenderRecord, Shown, ShownRecord, StageTiming};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::frame::zones::{Zone, ZoneThread};
use framewalk_runtime::time::{FrameIndex, Nanos, Tick};

/// A frame at `start`: six stages of 100 ns each.
fn record(frame: u64, start: i64) -> FrameRecord {
    let mut stages = [StageTiming::default(); Stage::COUNT];
    for (position, stage) in stages.iter_mut().enumerate() {
        *stage = StageTiming { start: Nanos(start + 100 * position as i64), duration: Nanos(100) };
    }
    FrameRecord {
        run: 1,
        frame: FrameIndex(frame),
        render_time: Nanos(start),
        stages,
        ..FrameRecord::default()
    }
}

fn with_buffer(frame: u64, buffer: u8, replaced: Option<u64>) -> FrameRecord {
    let mut record = record(frame, 0);
    record.figures.snapshot_buffer = buffer;
    record.replaced = replaced.map(FrameIndex);
    record
}

#[test]
fn the_timeline_places_stages_batch_submit_shown_and_dropped() {
    let mut history = History::new(100);
    history.ingest_frame(record(1, 10_000));
    history.ingest_render(RenderRecord {
        run: 1,
        frame: FrameIndex(1),
        batch_start: Nanos(10_600),
        batch: Nanos(50),
        submit_start: Nanos(10_650),
        submit: Nanos(400),
        ..RenderRecord::default()
    });
    history.ingest_shown(ShownRecord {
        run: 1,
        frame: FrameIndex(1),
        shown: Shown::Presented { at: Nanos(12_000), shown_time: Some(Nanos::ZERO) },
    });
    history.ingest_frame(record(2, 20_000));
    history.ingest_frame(FrameRecord { replaced: Some(FrameIndex(2)), ..record(3, 30_000) });
    let details = StageDetails {
        ticks: vec![TickRow {
            tick: Tick(9),
            start: Nanos(30_310),
            duration: Nanos(60),
            ..TickRow::default()
        }],
        ..StageDetails::default()
    };
    let live = LiveView { details: Some(&details), details_frame: FrameIndex(3), ..LiveView::default() };
    let selection = Selection::Live;
    let view = View { history: &history, selection: &selection, live: &live, captions: true };

    let shown = timeline(&view, Nanos(10_000), Nanos(40_000), Nanos(1));
    assert_eq!(shown.spans.len(), 3 * 6 + 2 + 1);
    let submit = Span {
        work: Work::Submit,
        frame: FrameIndex(1),
        from: Nanos(10_650),
        to: Nanos(11_050),
        picture: None,
    };
    assert!(shown.spans.contains(&submit));
    let tick = Span {
        work: Work::Tick(Tick(9)),
        frame: FrameIndex(3),
        from: Nanos(30_310),
        to: Nanos(30_370),
        picture: None,
    };
    assert!(shown.spans.contains(&tick));
    let presented =
        Ending { end: End::Shown, frame: FrameIndex(1), published: Nanos(10_500), at: Nanos(12_000) };
    // Frame 2 waited in the slot from its publishing to that of frame 3.
    let dropped = Ending {
        end: End::Dropped { by: FrameIndex(3) },
        frame: FrameIndex(2),
        published: Nanos(20_500),
        at: Nanos(30_500),
    };
    assert_eq!(shown.endings, [presented, dropped]);
    assert_eq!(dropped.sentence(), "frame 2 dropped, replaced by 3 after 0.01 ms in the slot");
    assert_eq!(submit.sentence(), "submit 0.00 ms, frame 1");

    let middle = timeline(&view, Nanos(20_000), Nanos(20_250), Nanos(1));
    assert_eq!(middle.spans.len(), 3);
    assert!(middle.endings.is_empty());
}

#[test]
fn far_out_the_timeline_leaves_out_what_lies_on_the_same_point() {
    let mut history = History::new(1_000);
    for frame in 1..=500 {
        history.ingest_frame(record(frame, 10_000 + 1_000 * frame as i64));
    }
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = View { history: &history, selection: &selection, live: &live, captions: true };
    let near = timeline(&view, Nanos(0), Nanos(1_000_000), Nanos(1)).spans.len();
    let far = timeline(&view, Nanos(0), Nanos(1_000_000), Nanos(10_000)).spans.len();
    assert_eq!(near, 3_000);
    assert!(far < 350, "{far}");
}

fn zone(name: &'static str, start: i64, duration: i64, depth: u32) -> Zone {
    Zone { name, start: Nanos(start), duration: Nanos(duration), depth, lost: 0 }
}

fn lost(zones: u32, start: i64, duration: i64) -> Zone {
    Zone { lost: zones, ..zone("lost", start, duration, 0) }
}

#[test]
fn zones_lie_in_rows_below_their_thread_and_are_said_with_their_frame() {
    let mut history = History::new(100);
    history.ingest_frame(record(1, 10_000));
    // Of frame 1's fourth stage, which began at 10 300: a tick, physics in it; and one of a frame long after.
    for zone in [zone("physics", 10_320, 30, 1), zone("tick", 10_310, 60, 0), zone("tick", 90_000, 60, 0)] {
        history.ingest_zone(ZoneThread::Sim, zone);
    }
    history.ingest_zone(ZoneThread::Render, zone("deep", 10_700, 20, 9));
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = View { history: &history, selection: &selection, live: &live, captions: true };
    let shown = timeline(&view, Nanos(10_000), Nanos(20_000), Nanos(1));
    let span = |lane, name, row, from, to| ZoneSpan { lane, name, row, from: Nanos(from), to: Nanos(to) };
    let physics = span(Lane::Sim, "physics", 1, 10_320, 10_350);
    let tick = span(Lane::Sim, "tick", 0, 10_310, 10_370);
    let deep = span(Lane::Render, "deep", 3, 10_700, 10_720);
    assert_eq!(shown.zones, [physics, tick, deep]);
    assert_eq!((shown.frame_of(&physics), shown.frame_of(&deep)), (Some(FrameIndex(1)), None));
    assert_eq!(physics.sentence(Some(FrameIndex(1))), "physics 0.00 ms, frame 1");
    assert_eq!(ZoneSpan { to: Nanos(3_010_320), ..physics }.sentence(None), "physics 3.00 ms");

    // One that only reaches into the stretch is there, one that ended before it is not.
    let later = timeline(&view, Nanos(10_360), Nanos(10_365), Nanos(1)).zones;
    assert_eq!(later, [tick]);
}

#[test]
fn workers_have_lanes_of_their_own_and_say_what_they_did() {
    let mut history = History::new(100);
    history.ingest_frame(record(1, 10_000));
    // Two jobs in the fourth stage of frame 1, a sweep in the first; and a physics step that began before the time on show.
    for zone in [
        zone("sweep motions", 10_315, 20, 1),
        zone("logic job", 10_310, 30, 0),
        zone("logic job", 10_350, 10, 0),
    ] {
        history.ingest_zone(ZoneThread::Worker(1), zone);
    }
    history.ingest_zone(ZoneThread::Worker(0), zone("physics job", 9_000, 1_500, 0));
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = View { history: &history, selection: &selection, live: &live, captions: true };
    let shown = timeline(&view, Nanos(10_000), Nanos(20_000), Nanos(1));
    let lanes: Vec<(Lane, &str, u32)> =
        shown.zones.iter().map(|zone| (zone.lane, zone.name, zone.row)).collect();
    assert_eq!(
        lanes,
        [
            (Lane::Worker(0), "physics job", 0),
            (Lane::Worker(1), "sweep motions", 1),
            (Lane::Worker(1), "logic job", 0),
            (Lane::Worker(1), "logic job", 0),
        ]
    );
    assert_eq!(shown.frame_of(&shown.zones[1]), Some(FrameIndex(1)));
    let figures: Vec<(u8, u64, i64)> =
        shown.workers.iter().map(|worker| (worker.number, worker.jobs, worker.busy.0)).collect();
    assert_eq!(figures, [(0, 1, 500), (1, 2, 40)]);
    assert_eq!(shown.workers[1].sentence(), "worker 1: 2 jobs, 0.00 ms");
    // Drawn or not, every job counts.
    let far = timeline(&view, Nanos(0), Nanos(1_000_000_000), Nanos(1_000_000));
    assert_eq!(far.workers[1].jobs, 2);
}

#[test]
fn observers_read_from_one_meeting_until_they_come_to_the_next() {
    let mut history = History::new(100);
    // Stage 5 of each ends at 500 after its start, and its meeting is over 1 000 later.
    for (frame, start, waits) in [
        (1, 10_000, Some([0, 300])),
        (2, 20_000, Some([0, 4_000])),
        (3, 30_000, None),
        (4, 40_000, Some([0, 0])),
    ] {
        let mut record = FrameRecord { sim_wait: Nanos(1_000), ..record(frame, start) };
        for (number, wait) in waits.into_iter().flatten().enumerate() {
            record.observer_waits.set(number, Nanos(wait));
        }
        history.ingest_frame(record);
    }
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = View { history: &history, selection: &selection, live: &live, captions: true };
    let shown = timeline(&view, Nanos(10_000), Nanos(50_000), Nanos(1));
    let reads: Vec<Span> =
        shown.spans.iter().filter(|span| matches!(span.work, Work::Read(_))).copied().collect();
    let read = |number, from, to| Span {
        work: Work::Read(number),
        frame: FrameIndex(1),
        from: Nanos(from),
        to: Nanos(to),
        picture: None,
    };
    // Frame 3 went another way: nobody met for it, and nobody read it.
    assert_eq!(reads, [read(0, 11_500, 21_500), read(1, 11_500, 17_500)]);
    assert_eq!(reads[1].sentence(), "read 0.01 ms, frame 1");
    assert_eq!(reads[1].work.lane().name(), "observer 2");
}

#[test]
fn lost_zones_are_a_gap_in_their_lane_and_no_job_and_are_counted_by_thread() {
    let mut history = History::new(100);
    history.begin_run(1);
    history.ingest_frame(record(1, 10_000));
    let worker = ZoneThread::Worker(0);
    history.ingest_zone(worker, zone("logic job", 10_310, 30, 0));
    // They lie in a tick that was not lost.
    history.ingest_zone(ZoneThread::Sim, lost(2, 10_330, 20));
    history.ingest_zone(ZoneThread::Sim, zone("tick", 10_310, 60, 0));
    history.ingest_zone(worker, lost(31, 10_350, 4_000_000));
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = View { history: &history, selection: &selection, live: &live, captions: true };
    let shown = timeline(&view, Nanos(10_000), Nanos(20_000), Nanos(1));
    assert_eq!(shown.zones.iter().map(|zone| zone.name).collect::<Vec<_>>(), ["tick", "logic job"]);
    let gap = |lane, zones, from, to| {
        let missing = Missing::Zones(zones);
        Gap { lane, missing, from: Nanos(from), to: Nanos(to) }
    };
    let (of_sim, of_worker) =
        (gap(Lane::Sim, 2, 10_330, 10_350), gap(Lane::Worker(0), 31, 10_350, 4_010_350));
    assert_eq!(shown.gaps, [of_sim, of_worker]);
    assert_eq!(of_worker.name(), "31 zones lost");
    assert_eq!(
        of_worker.sentence(),
        "worker 0: 31 zones lost in 4.00 ms, since nobody took them from its ring in time"
    );
    assert_eq!(shown.workers[0].sentence(), "worker 0: 1 job, 0.00 ms, 31 zones lost");
    let lost_of =
        |history: &History| [ZoneThread::Sim, ZoneThread::Render, worker].map(|it| history.zones().lost(it));
    assert_eq!(lost_of(&history), [2, 0, 31]);

    // The tick is found behind them, however narrow the look.
    let narrow = timeline(&view, Nanos(10_312), Nanos(10_315), Nanos(1));
    assert_eq!((narrow.zones.len(), narrow.gaps.len()), (2, 0));
    history.begin_run(2);
    assert_eq!(lost_of(&history), [0, 0, 0], "of the newest run");
}

#[test]
fn lost_records_are_a_gap_in_the_lane_of_the_simulation() {
    let mut history = History::new(100);
    for (frame, start) in [(1, 10_000), (2, 20_000), (7, 70_000)] {
        history.ingest_frame(record(frame, start));
    }
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = View { history: &history, selection: &selection, live: &live, captions: true };
    let gaps = |from, to| timeline(&view, Nanos(from), Nanos(to), Nanos(1)).gaps;
    let gap = Gap { lane: Lane::Sim, missing: Missing::Frames(4), from: Nanos(20_600), to: Nanos(70_000) };
    assert_eq!(gaps(10_000, 80_000), [gap]);
    assert_eq!(gaps(40_000, 50_000), [gap], "also where nothing else is on show");
    assert_eq!(gaps(10_000, 20_500), []);
    assert_eq!(
        gap.sentence(),
        "sim: 4 records lost in 0.05 ms, since nobody took them from its ring in time"
    );
}

#[test]
fn where_zones_are_kept_no_more_the_lane_says_so_and_is_not_taken_for_idle() {
    let mut history = History::new(100);
    history.ingest_frame(record(1, 10_000));
    for n in 0..ZONES_KEPT as i64 + 3 {
        history.ingest_zone(ZoneThread::Sim, zone("tick", 10_000 + 10 * n, 5, 0));
    }
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = View { history: &history, selection: &selection, live: &live, captions: true };
    let gaps = |from, to| timeline(&view, Nanos(from), Nanos(to), Nanos(1)).gaps;
    // The fourth is the oldest there is.
    let old = Gap { lane: Lane::Sim, missing: Missing::OldZones, from: Nanos(9_000), to: Nanos(10_035) };
    assert_eq!(gaps(9_000, 20_000), [old]);
    assert_eq!(gaps(9_000, 9_500), [Gap { to: Nanos(9_500), ..old }]);
    assert_eq!(gaps(10_035, 20_000), []);
    assert_eq!(old.sentence(), "sim: zones not kept, only the newest are");
}

#[test]
fn only_the_newest_zones_are_kept_and_a_frozen_view_keeps_its_own() {
    let mut history = History::new(100);
    history.ingest_frame(record(1, 10_000));
    let mut selection = Selection::Live;
    let zones = |from: i64, history: &mut History| {
        for n in from..from + ZONES_KEPT as i64 {
            history.ingest_zone(ZoneThread::Sim, zone("tick", 10_000 + 10 * n, 5, 0));
        }
    };
    zones(0, &mut history);
    let one = history.bytes();
    assert!(selection.select(&history, 1, FrameIndex(1)));
    zones(ZONES_KEPT as i64, &mut history);
    assert_eq!(history.bytes(), one, "as many bytes for twice as many zones");
    let first = |history: &History| {
        history.zones().within(ZoneThread::Sim, Nanos(0), Nanos::MAX).next().map(|zone| zone.start.0)
    };
    assert_eq!(first(&history), Some(10_000 + 10 * ZONES_KEPT as i64));
    assert_eq!(first(selection.history(&history)), Some(10_000));
}

#[test]
fn far_out_zones_that_lie_on_the_same_point_are_left_out() {
    let mut history = History::new(10);
    for n in 0..1_000 {
        history.ingest_zone(ZoneThread::Render, zone("sort", 1_000 * n, 100, 0));
    }
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = View { history: &history, selection: &selection, live: &live, captions: true };
    let zones = |least| timeline(&view, Nanos(0), Nanos(1_000_000), Nanos(least)).zones.len();
    assert_eq!(zones(1), 1_000);
    assert!(zones(10_000) < 110, "{}", zones(10_000));
}

#[test]
fn who_holds_which_buffer_follows_from_two_records() {
    // Frame 2 in buffer 1, after frame 1 in buffer 0, which was taken: sim has the third.
    let (before, record) = (with_buffer(1, 0, None), with_buffer(2, 1, None));
    assert_eq!(holders_after(&record, Some(&before), true), [Some(2), Some(1), Some(0)]);
    assert_eq!(holders_after(&record, Some(&before), false), [Some(2), Some(0), Some(1)]);
    // Frame 1 was replaced: its buffer came back to sim.
    let record = with_buffer(2, 1, Some(1));
    assert_eq!(holders_after(&record, Some(&before), true), [Some(0), Some(1), Some(2)]);
    assert_eq!(holders_after(&record, Some(&before), false), [Some(0), Some(2), Some(1)]);
    // Of the first frame only its own is known.
    assert_eq!(holders_after(&before, None, false), [None, None, Some(0)]);
    // While a frame is written into buffer 2.
    let record = with_buffer(2, 1, None);
    assert_eq!(holders_within(2, &record, true), [Some(2), Some(1), Some(0)]);
    assert_eq!(holders_within(2, &record, false), [Some(2), Some(0), Some(1)]);
    // Records that contradict each other claim nothing.
    assert_eq!(holders_within(1, &record, false), [Some(1), None, None]);
    let lost = with_buffer(9, 2, None);
    assert_eq!(holders_after(&lost, Some(&before), true), [None, Some(2), None]);
}

#[test]
fn bins_hold_every_value_and_the_last_all_beyond() {
    let mut values = vec![10.0; 98];
    values.push(12.0);
    values.push(400.0);
    let bins = Bins::of(values, 38, None).unwrap();
    assert!((bins.from - 10.0).abs() < 1e-9 && (bins.to() - 48.0).abs() < 1e-9);
    assert_eq!((bins.counts[0], bins.counts[2], bins.counts[37]), (98, 1, 1));
    assert_eq!(bins.counts.iter().sum::<u32>(), 100);
    assert!(bins.is_open);
    assert!((bins.p50 - 10.0).abs() < 1e-9 && (bins.p99 - 12.0).abs() < 1e-9);
    assert!((bins.height(0) - 1.0).abs() < 1e-6);
    // By the logarithm: one among 98 is still a sixth as high.
    assert!((bins.height(37) - 0.150_8).abs() < 1e-3, "{}", bins.height(37));
}

#[test]
fn bins_of_nothing_of_one_value_and_of_what_is_not_finite() {
    assert_eq!(Bins::of(Vec::new(), 10, None), None);
    assert_eq!(Bins::of(vec![f64::NAN, f64::INFINITY], 10, None), None);
    let one = Bins::of(vec![7.0, f64::NAN], 10, None).unwrap();
    assert_eq!((one.total, one.counts.iter().sum::<u32>()), (1, 1));
    assert!((one.share(7.0) - 0.5).abs() < 1e-6);
    // 12 Hz in whole nanoseconds.
    let period = Bins::of(vec![83.333_333, 83.333_334, 83.333_333], 9, None).unwrap();
    assert_eq!(period.counts, [0, 0, 0, 0, 3, 0, 0, 0, 0]);
    let zero = Bins::of(vec![0.0, 0.0], 10, None).unwrap();
    assert_eq!((zero.from, zero.to()), (0.0, 1.0), "no time is below 0");
    let none = Bins::of(vec![1.0], 0, Some((0.0, 1.0))).unwrap();
    assert_eq!(none.counts, [1]);
}
