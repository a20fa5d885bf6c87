//! What the plots, the strip, the figures and the record show of the free handoff: its pictures, and not its ticks' grid.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use framewalk_inspector::history::{History, Outcome};
use framewalk_inspector::live::OnScreen;
use framewalk_inspector::panels::figures::{Figure, figures};
use framewalk_inspector::panels::handoff::model::{Way, handoff};
use framewalk_inspector::panels::histogram::model::{Histograms, Key as HistogramKey};
use framewalk_inspector::panels::pacing::columns::Trace;
use framewalk_inspector::panels::pacing::model::{Plots, Plotted, Ranks, Stem, TimeView, Window};
use framewalk_inspector::panels::record::model::groups;
use framewalk_inspector::panels::strip::model::{Scale, layout};
use framewalk_inspector::panels::strip::range::RangeFigures;
use framewalk_inspector::selection::Selection;
use framewalk_inspector::view::View;
use framewalk_inspector::{LiveView, RunPhase};
use framewalk_runtime::frame::record::{HandoffMode, RenderRecord};
use framewalk_runtime::time::{FrameIndex, Nanos};

use super::pictures::{drawn, frame, picture};

const MS: i64 = 1_000_000;

/// Ten frames of ten ticks a second, drawn fifty times a second; of frame 6 the third picture is 20 ms late and misses a
/// deadline, and the fifth was held.
fn uneven() -> History {
    let mut history = History::new(100);
    for n in 1..=10 {
        history.ingest_frame(frame(n));
        for nth in 0..5 {
            let mut picture = picture(n, nth);
            if (n, nth) == (6, 2) {
                continue;
            }
            if (n, nth) == (6, 3) {
                (picture.late, picture.missed) = (true, 1);
            }
            picture.held = (n, nth) == (6, 4);
            history.ingest_render(picture);
        }
    }
    history
}

fn view<'a>(history: &'a History, selection: &'a Selection, live: &'a LiveView<'a>) -> View<'a> {
    View { history, selection, live, captions: true }
}

/// The whole run as it is plotted into so many columns.
fn plots(history: &History, columns: usize) -> (Window, Plots) {
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = view(history, &selection, &live);
    let window = Window::of(&view, TimeView::default()).unwrap();
    (window, Plots::of(&view, window, columns, &mut Ranks::default()))
}

fn extent(trace: &Trace) -> (f64, f64) {
    let values: Vec<f64> = match trace {
        Trace::Line(lines) => lines.iter().flatten().map(|point| point[1]).collect(),
        Trace::Columns(columns) => columns.iter().flat_map(|column| [column.low, column.high]).collect(),
    };
    values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)))
}

#[test]
fn pacing_plots_the_pictures_against_the_display_s_deadline() {
    let history = uneven();
    let (window, plots) = plots(&history, 1_000);
    // The tenth tick was drawn until 80 ms after it came.
    assert_eq!((window.plotted, window.to, window.is_newest), (Plotted::Pictures, Nanos(980 * MS), true));
    assert_eq!(window.plotted_count(), 49);
    assert_eq!(extent(&plots.interval), (20.0, 40.0));
    assert_eq!(extent(&plots.alpha), (0.0, 0.8));
    assert!(plots.overstep.is_empty() && plots.drops.is_empty());
    assert_eq!(plots.deadline.levels(), [20.0]);
    assert_eq!(plots.late, [Stem { seconds: 0.56, count: 1 }]);
    assert_eq!(plots.held, [Stem { seconds: 0.58, count: 1 }]);
    assert_eq!(plots.pictures_from, None, "all are kept");
    let figures = plots.figures;
    assert_eq!((figures.p50, figures.p99), (Some(Nanos(20 * MS)), Some(Nanos(40 * MS))));
    assert_eq!((figures.worst, figures.worst_frame), (Some(Nanos(40 * MS)), Some(FrameIndex(6))));
    assert_eq!((figures.dropped, figures.late, figures.held), (0, 1, 1));
    assert_eq!(figures.caption(&window), "pictures p50 20.00 · p99 40.00 · worst 40.00 ms · last 10 s");
}

#[test]
fn more_pictures_than_columns_are_bars_that_keep_the_extremes() {
    let history = uneven();
    let (_, plots) = plots(&history, 10);
    let Trace::Columns(columns) = &plots.interval else { panic!("49 pictures in 10 columns are bars") };
    assert!(columns.len() <= 10, "{}", columns.len());
    assert_eq!(extent(&plots.interval), (20.0, 40.0));
    assert_eq!(extent(&plots.alpha), (0.0, 0.8));
    assert_eq!(plots.late.iter().map(|stem| stem.count).sum::<u32>(), 1);
}

#[test]
fn the_picture_under_the_pointer_is_the_nearest_one() {
    let history = uneven();
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = view(&history, &selection, &live);
    let window = Window::of(&view, TimeView::default()).unwrap();
    let nearest = |seconds| {
        let picture = window.nearest_picture(&view, seconds).unwrap();
        (picture.record.frame.0, picture.nth)
    };
    // Frame 6 was played at 0.5 s, and has no picture at 0.54 s.
    assert_eq!(
        [nearest(0.0), nearest(0.522), nearest(0.549), nearest(9.0)],
        [(1, 1), (6, 2), (6, 3), (10, 5)]
    );
}

#[test]
fn in_the_slot_the_plots_are_those_of_the_frames() {
    let mut history = History::new(100);
    for n in 1..=5 {
        let mut frame = frame(n);
        frame.handoff.mode = HandoffMode::Slot;
        history.ingest_frame(frame);
        history.ingest_render(picture(n, 0));
    }
    let (window, plots) = plots(&history, 1_000);
    assert_eq!((window.plotted, window.to), (Plotted::Frames, Nanos(400 * MS)));
    assert_eq!(extent(&plots.interval), (100.0, 100.0));
    assert_eq!(plots.deadline.levels(), [100.0]);
    assert!(plots.late.is_empty() && plots.held.is_empty());
}

#[test]
fn the_histogram_counts_pictures_and_is_made_anew_for_each_that_comes() {
    let mut history = uneven();
    let (selection, live) = (Selection::Live, LiveView { state: RunPhase::Playing, ..LiveView::default() });
    let of = |history: &History| {
        let view = view(history, &selection, &live);
        (HistogramKey::of(&view, None, 20).unwrap(), Histograms::of(&view, None, 20))
    };
    let (before, shown) = of(&history);
    assert_eq!(
        (shown.plotted, shown.caption.as_str()),
        (Plotted::Pictures, "10 frames · 49 pictures · last 10 s")
    );
    let interval = shown.interval.unwrap();
    assert_eq!((interval.total, interval.counts[0], interval.counts[19]), (48, 47, 1));
    assert_eq!(shown.alpha.unwrap().total, 49);
    assert_eq!(shown.stage_time.unwrap().total, 10, "stages are those of frames");
    history.ingest_render(picture(10, 5));
    let (after, _) = of(&history);
    assert!(!after.is_answered_by(&before, RunPhase::Playing));
    assert!(after.is_answered_by(&after, RunPhase::Playing));
}

#[test]
fn alpha_in_the_toolbar_is_that_of_the_picture_on_screen_and_overstep_that_of_the_frame() {
    let history = uneven();
    let told = |on_screen| {
        let live = LiveView { on_screen, ..LiveView::default() };
        let selection = Selection::Live;
        let all = figures(&view(&history, &selection, &live));
        all.map(|Figure { caption, value, .. }| format!("{caption} {value}"))
    };
    let newest = ["frame 10", "tick 10", "alpha 0.800", "overstep 0.00 ms", "dropped 0", "late 1"];
    assert_eq!(told(None), newest);
    let on_screen = OnScreen { run: 1, frame: FrameIndex(9), alpha: 0.25 };
    assert_eq!(told(Some(on_screen))[2..4], ["alpha 0.250", "overstep 0.00 ms"]);
    // What is left on screen of an older run is no news of this one.
    assert_eq!(told(Some(OnScreen { run: 7, ..on_screen })), newest);
}

#[test]
fn undrawn_ticks_have_a_bar_of_their_own_and_never_hide_one_that_was_drawn() {
    let mut history = History::new(100);
    (1..=8).for_each(|n| history.ingest_frame(frame(n)));
    for n in [2, 7] {
        history.ingest_render(picture(n, 0));
    }
    let outcomes = |scale: Scale| {
        let bars = layout(&history.run(1), None, None, 100, scale).bars;
        bars.iter().map(|bar| (bar.frame.0, bar.outcome)).collect::<Vec<_>>()
    };
    let (pending, undrawn, on_time) = (Outcome::Pending, Outcome::Undrawn, Outcome::OnTime);
    let each: Vec<Outcome> = outcomes(Scale::default()).into_iter().map(|(_, outcome)| outcome).collect();
    // The eighth may still be drawn.
    assert_eq!(each, [undrawn, on_time, undrawn, undrawn, undrawn, undrawn, on_time, pending]);
    // Two frames a column: the drawn one of them is the one that a click selects.
    let far = Scale::default().zoomed(-3);
    assert_eq!(far.frames_per_column(), 2);
    assert_eq!(outcomes(far), [(2, on_time), (3, undrawn), (5, undrawn), (7, on_time)]);
}

#[test]
fn in_the_slot_a_frame_that_waits_or_is_being_drawn_is_not_told_to_be_drawn() {
    let mut history = History::new(100);
    for n in 1..=3 {
        let mut frame = frame(n);
        frame.handoff.mode = HandoffMode::Slot;
        history.ingest_frame(frame);
    }
    history.ingest_render(picture(1, 0));
    let outcomes: Vec<Outcome> = history.run(1).range(0, 3).map(|entry| entry.outcome()).collect();
    assert_eq!(outcomes, [Outcome::OnTime, Outcome::Pending, Outcome::Pending]);
    history.end_run();
    let outcomes: Vec<Outcome> = history.run(1).range(0, 3).map(|entry| entry.outcome()).collect();
    assert_eq!(outcomes, [Outcome::OnTime, Outcome::Abandoned, Outcome::Abandoned]);
}

#[test]
fn of_the_free_handoff_only_what_took_its_way_is_kept_drawn_and_counted() {
    let mut history = History::new(100);
    let with = |n, mode| {
        let mut frame = frame(n);
        frame.handoff.mode = mode;
        frame
    };
    for n in 1..=6 {
        history.ingest_frame(with(n, HandoffMode::Slot));
        history.ingest_render(picture(n, 0));
    }
    history.ingest_frame(with(7, HandoffMode::Free));
    let selection = Selection::Live;
    let shown = |history: &History| {
        let live = LiveView { state: RunPhase::Paused, ..LiveView::default() };
        let Way::Free(free) = handoff(&view(history, &selection, &live)).unwrap().way else { panic!("free") };
        let kept: Vec<u64> = free.kept.iter().map(|kept| kept.tick.0).collect();
        (kept, free.pair.map(|pair| pair.to.tick.0), free.pictures, free.held)
    };
    assert_eq!(shown(&history), (vec![7], None, 0, 0));
    history.ingest_render(RenderRecord { held: true, ..picture(7, 0) });
    history.ingest_frame(with(8, HandoffMode::Free));
    assert_eq!(shown(&history), (vec![8, 7], Some(7), 1, 1));
}

#[test]
fn a_handoff_that_was_chosen_while_everything_stands_is_said_to_be_the_next_frames() {
    let mut history = History::new(100);
    let mut first = frame(1);
    first.handoff.mode = HandoffMode::Slot;
    history.ingest_frame(first);
    let selection = Selection::Live;
    let next = |state, chosen| {
        let live = LiveView { state, handoff_chosen: chosen, ..LiveView::default() };
        handoff(&view(&history, &selection, &live)).unwrap().next
    };
    let (free, slot) = (Some(HandoffMode::Free), Some(HandoffMode::Slot));
    assert_eq!(next(RunPhase::Paused, free), free);
    assert_eq!(
        [next(RunPhase::Paused, slot), next(RunPhase::Paused, None), next(RunPhase::Playing, free)],
        [None; 3]
    );
}

#[test]
fn a_selected_stretch_is_summed_up_by_its_pictures() {
    let history = uneven();
    let pictures = history.pictures();
    let indices = pictures.of_frames(1, FrameIndex(5), FrameIndex(6));
    let figures = RangeFigures::of_pictures(2, pictures.range(indices));
    assert_eq!(
        figures.caption(FrameIndex(5), FrameIndex(6)),
        "frames 5–6 · 9 pictures · between them p50 20.00 · p99 40.00 · worst 40.00 ms · 1 late · 1 held"
    );
}

#[test]
fn the_record_says_which_picture_it_is_of_and_what_became_of_all() {
    let history = uneven();
    let told = |history: &History, n| {
        let groups = groups(history.find(1, FrameIndex(n)).unwrap());
        let group = groups.into_iter().find(|group| group.title == "render thread").unwrap();
        let rows = group.rows.iter().take(5).map(|row| format!("{}: {}", row.name, row.value));
        rows.collect::<Vec<_>>()
    };
    assert_eq!(
        told(&history, 6),
        [
            "render rate: 50 Hz",
            "picture: 1 of 4",
            "late pictures: 1 of 4",
            "missed by pictures: 1",
            "held pictures: 1 of 4"
        ]
    );
    let mut history = drawn(1);
    history.ingest_frame(frame(2));
    history.ingest_render(RenderRecord { frame: FrameIndex(3), ..picture(3, 0) });
    assert_eq!(told(&history, 2)[1], "picture: –");
}
