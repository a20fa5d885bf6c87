//! Many frames in few columns: the pyramid, the strip, the plots.

use std::cell::Cell;

use framewalk_inspector::LiveView;
use framewalk_inspector::history::{Entry, Fold, History, Outcome, pyramid::Pyramid, ring::SharedRing};
use framewalk_inspector::live::RunPhase;
use framewalk_inspector::panels::histogram::model::Histograms;
use framewalk_inspector::panels::pacing::columns::{Column, Columns, Trace, frames_a_column};
use framewalk_inspector::panels::pacing::model::{Plots, Ranks, TimeView, Window};
use framewalk_inspector::panels::strip::model::{Scale, layout};
use framewalk_inspector::panels::strip::range::RangeFigures;
use framewalk_inspector::selection::Selection;
use framewalk_inspector::view::View;
use framewalk_runtime::frame::record::{FrameKind, FrameRecord};
use framewalk_runtime::time::{FrameIndex, Nanos, Speed};

const MILLI: i64 = 1_000_000;
const SLOW: u64 = 617;

/// Frame `number` of a 100 Hz run; one of them takes 300 ms.
fn record(number: u64, slow: u64) -> FrameRecord {
    let late_by = if number > slow { 290 * MILLI } else { 0 };
    FrameRecord {
        run: 1,
        frame: FrameIndex(number),
        kind: if number == 1 { FrameKind::First } else { FrameKind::Running },
        render_time: Nanos(number as i64 * 10 * MILLI + late_by),
        delta: Nanos(if number == slow { 300 * MILLI } else { 10 * MILLI }),
        alpha: 0.25,
        ..FrameRecord::default()
    }
}

fn filled(frames: u64, capacity: usize, slow: u64) -> History {
    let mut history = History::new(capacity);
    for number in 1..=frames {
        history.ingest_frame(record(number, slow));
    }
    history
}

fn view<'a>(history: &'a History, selection: &'a Selection, live: &'a LiveView<'a>) -> View<'a> {
    View { history, selection, live, captions: true }
}

/// What frame `index` comes to, made when it is asked for: a million of them take no memory.
fn leaf(index: u64) -> Fold {
    let entry = Entry { record: record(index + 1, 617_283), ..Entry::default() };
    let before = record(index.max(1), 617_283);
    Fold::of(index, &entry, (index > 0).then_some(&before))
}

#[test]
fn a_single_slow_frame_is_still_seen_among_a_million() {
    let mut pyramid = Pyramid::new(1_000_000);
    for next in 1..=1_000_000 {
        pyramid.appended(next, leaf);
    }
    let whole = pyramid.fold(0..1_000_000, leaf);
    assert_eq!((whole.frames, whole.longest_index), (1_000_000, 617_282));
    assert_eq!(whole.longest(), Some(Nanos(300 * MILLI)));
    // In 800 columns of 1 250 frames exactly one holds it.
    let slow: Vec<u64> = (0..800)
        .filter(|column| {
            let fold = pyramid.fold(column * 1_250..(column + 1) * 1_250, leaf);
            fold.longest() == Some(Nanos(300 * MILLI))
        })
        .collect();
    assert_eq!(slow, [493]);
}

#[test]
fn a_pass_over_a_million_looks_at_a_few_frames_a_column_however_many_each_stands_for() {
    let mut pyramid = Pyramid::new(1_000_000);
    for next in 1..=1_000_000 {
        pyramid.appended(next, leaf);
    }
    for (columns, wide) in [(800, 1_250), (100, 10_000), (3, 333_333), (1, 1_000_000)] {
        let looked_at = Cell::new(0_u64);
        let counting = |index| {
            looked_at.set(looked_at.get() + 1);
            leaf(index)
        };
        let frames: u64 = (0..columns)
            .map(|column| u64::from(pyramid.fold(column * wide..(column + 1) * wide, counting).frames))
            .sum();
        assert_eq!(frames, columns * wide);
        // At each end of a column no more than lie outside of a whole group of four.
        assert!(looked_at.get() <= columns * 6, "{columns} columns of {wide}: {}", looked_at.get());
    }
}

#[test]
fn any_stretch_comes_to_what_its_frames_come_to_one_by_one() {
    let history = filled(3_000, 1_000, SLOW + 1_700);
    let frames = history.run(1);
    for (from, to) in [(0, 1_000), (1, 999), (3, 4), (7, 7), (317, 318), (250, 750), (63, 65), (995, 1_000)] {
        let fold = frames.fold_positions(from, to);
        let longest = frames.range(from, to).map(|entry| entry.record.delta).max();
        assert_eq!((fold.frames as usize, fold.longest()), (to - from, longest), "{from}..{to}");
    }
}

#[test]
fn a_drop_that_is_learned_later_reaches_every_level() {
    let mut history = filled(300, 1_000, SLOW);
    assert_eq!(history.run(1).fold(0..256).dropped, 0);
    // A record that names a frame far back, as lost records can make it.
    history.ingest_frame(FrameRecord { replaced: Some(FrameIndex(5)), ..record(301, SLOW) });
    let fold = history.run(1).fold(0..256);
    assert_eq!((fold.dropped, fold.outcome, fold.worst_index), (1, Outcome::Dropped, 4));
}

#[test]
fn the_strip_shows_all_of_a_hundred_thousand_frames_with_the_slow_one() {
    let history = filled(100_000, 100_000, 61_728);
    let frames = history.run(1);
    let scale = Scale::that_holds(100_000, 800);
    assert_eq!((scale.column_width(), scale.frames_per_column()), (2.0, 128));
    let layout = layout(&frames, None, None, 800, scale);
    assert_eq!(layout.bars.len(), 782);
    let slow: Vec<_> = layout.bars.iter().filter(|bar| bar.interval == Nanos(300 * MILLI)).collect();
    assert_eq!(slow.len(), 1);
    assert_eq!((slow[0].frame, slow[0].frames, slow[0].is_cut), (FrameIndex(61_728), 128, true));
    assert_eq!(layout.frames_of(slow[0], &frames), (FrameIndex(61_697), FrameIndex(61_824)));
}

#[test]
fn a_column_stands_for_the_same_frames_while_more_come() {
    let mut history = filled(1_000, 2_000, SLOW);
    let scale = Scale::that_holds(1_000, 100);
    let before = layout(&history.run(1), None, None, 100, scale).bars[10];
    history.ingest_frame(record(1_001, SLOW));
    let after = layout(&history.run(1), None, None, 100, scale).bars[10];
    assert_eq!(before, after);
}

#[test]
fn the_strip_moves_to_the_chosen_frame_or_stands_where_it_was_put() {
    let history = filled(1_000, 2_000, SLOW);
    let frames = history.run(1);
    let scale = Scale::default();
    let chosen = layout(&frames, Some(FrameIndex(100)), None, 50, scale);
    assert!(chosen.bars.iter().any(|bar| bar.is_selected && bar.frame == FrameIndex(100)));
    let put = layout(&frames, Some(FrameIndex(100)), Some(499), 50, scale);
    assert_eq!((put.bars[0].frame, put.bars[49].frame), (FrameIndex(451), FrameIndex(500)));
    assert!(layout(&frames, None, None, 0, scale).bars.is_empty());
}

#[test]
fn figures_of_a_stretch_are_those_of_its_frames() {
    let history = filled(1_000, 1_000, SLOW);
    let figures = RangeFigures::of(&history.run(1), FrameIndex(601), FrameIndex(700));
    assert_eq!((figures.frames, figures.worst_frame), (100, Some(FrameIndex(SLOW))));
    assert_eq!((figures.p50, figures.p99), (Some(Nanos(10 * MILLI)), Some(Nanos(10 * MILLI))));
    assert_eq!(figures.worst, Some(Nanos(300 * MILLI)));
    assert_eq!(
        figures.caption(FrameIndex(601), FrameIndex(700)),
        "frames 601–700 · n 100 · p50 10.00 · p99 10.00 · worst 300.00 ms · 0 dropped · 0 late"
    );
    let nothing = RangeFigures::of(&history.run(1), FrameIndex(5_000), FrameIndex(6_000));
    assert_eq!((nothing.frames, nothing.p50), (0, None));
}

#[test]
fn a_plot_of_everything_costs_its_columns_and_keeps_the_slow_frame() {
    let history = filled(50_000, 50_000, 30_000);
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = view(&history, &selection, &live);
    let window = Window::of(&view, TimeView { span: Nanos(600_000 * MILLI), end: None }).unwrap();
    let plots = Plots::of(&view, window, 400, &mut Ranks::default());
    // 128 frames a bar, of 10 ms each; one bar reaches up to the slow frame.
    let Trace::Columns(columns) = &plots.interval else { panic!("so many are drawn as bars") };
    assert_eq!(columns.len(), 391);
    assert!(columns.iter().all(|column| (column.low, column.joins) == (10.0, column.from > 0.0)));
    let slow: Vec<&Column> = columns.iter().filter(|column| column.high > 10.0).collect();
    assert_eq!((slow.len(), slow[0].high), (1, 300.0));
    assert!((slow[0].from..slow[0].to).contains(&300.28), "{:?}", slow[0]);
    assert_eq!(plots.figures.worst_frame, Some(FrameIndex(30_000)));
    assert_eq!(window.named(), "last 600 s");
}

#[test]
fn percentiles_follow_the_frames_also_where_the_history_is_full() {
    let mut history = History::new(10_000);
    let take = |history: &mut History, numbers: std::ops::RangeInclusive<u64>, millis: i64, from: i64| {
        for number in numbers {
            let time = Nanos((from + number as i64 * millis) * MILLI);
            history.ingest_frame(FrameRecord {
                render_time: time,
                delta: Nanos(millis * MILLI),
                ..record(number, 0)
            });
        }
    };
    let selection = Selection::Live;
    let live = LiveView { state: RunPhase::Playing, ..LiveView::default() };
    let mut ranks = Ranks::default();
    let mut p50 = |history: &History| {
        let view = view(history, &selection, &live);
        let window = Window::of(&view, TimeView { span: Nanos(1_000_000 * MILLI), end: None }).unwrap();
        Plots::of(&view, window, 400, &mut ranks).figures.p50
    };
    take(&mut history, 1..=10_000, 10, 0);
    assert_eq!(p50(&history), Some(Nanos(10 * MILLI)));
    take(&mut history, 10_001..=20_000, 20, -100_000);
    assert_eq!(p50(&history), Some(Nanos(20 * MILLI)));
}

#[test]
fn a_histogram_says_how_many_of_the_frames_it_looked_at() {
    let history = filled(30_000, 30_000, SLOW);
    let (mut selection, live) = (Selection::Live, LiveView::default());
    assert!(selection.select_range(&history, 1, FrameIndex(1), FrameIndex(30_000)));
    let caption = |selection: &Selection| Histograms::of(&view(&history, selection, &live), None, 40).caption;
    assert_eq!(caption(&selection), "newest 20 000 of 30 000 frames · frames 1–30 000");
    assert!(selection.select_range(&history, 1, FrameIndex(11), FrameIndex(110)));
    assert_eq!(caption(&selection), "100 frames · frames 11–110");
}

#[test]
fn a_bar_stands_for_a_power_of_two_of_frames() {
    for (frames, columns, expected) in
        [(0, 100, 1), (100, 100, 1), (101, 100, 2), (350, 100, 4), (100_000, 894, 128), (7, 0, 8)]
    {
        assert_eq!(frames_a_column(frames, columns), expected, "{frames} frames in {columns} columns");
    }
}

#[test]
fn bars_stand_beside_each_other_and_a_break_or_a_gap_parts_them() {
    let mut columns = Columns::default();
    columns.push(0.0, 1.0, 2.0);
    columns.push(1.0, 3.0, 3.0);
    columns.break_line();
    columns.push(2.0, 1.0, 1.0);
    columns.push(3.0, f64::INFINITY, f64::NEG_INFINITY);
    columns.push(5.0, 1.0, 4.0);
    let bar = |from, to, low, high, joins| Column { from, to, low, high, joins };
    assert_eq!(
        columns.finish(5.5),
        Trace::Columns(vec![
            bar(0.0, 1.0, 1.0, 2.0, false),
            bar(1.0, 2.0, 3.0, 3.0, true),
            bar(2.0, 3.0, 1.0, 1.0, false),
            bar(5.0, 5.5, 1.0, 4.0, false),
        ])
    );
}

#[test]
fn a_change_of_speed_and_a_pause_are_marked() {
    let mut history = filled(100, 1_000, SLOW);
    let half = Speed::from_thousandths(500).unwrap();
    history.ingest_frame(FrameRecord { speed: half, settings_changed: true, ..record(101, SLOW) });
    history.ingest_frame(FrameRecord { speed: half, ..record(102, SLOW) });
    for number in 103..200 {
        history.ingest_frame(FrameRecord { speed: half, ..record(number, SLOW) });
    }
    history.ingest_frame(FrameRecord { speed: half, kind: FrameKind::Resumed, ..record(200, SLOW) });
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = view(&history, &selection, &live);
    let window = Window::of(&view, TimeView::default()).unwrap();
    let plots = Plots::of(&view, window, 400, &mut Ranks::default());
    let marked: Vec<u64> = plots.changes.iter().map(|mark| mark.frame.0).collect();
    assert_eq!(marked, [101, 200]);
    let bars = layout(&history.run(1), None, None, 400, Scale::default()).bars;
    let marked: Vec<u64> =
        bars.iter().filter(|bar| bar.change_index.is_some()).map(|bar| bar.frame.0).collect();
    assert_eq!(marked, [101, 200]);
}

#[test]
fn what_changed_is_said_in_words() {
    use framewalk_inspector::history::changes::sentences;
    let before = record(1, SLOW);
    let half = Speed::from_thousandths(500).unwrap();
    let after = FrameRecord { speed: half, kind: FrameKind::Resumed, ..record(2, SLOW) };
    assert_eq!(sentences(Some(&before), &after), ["speed 1 → 0.5 ×", "resumed after a pause"]);
    let stepped = FrameRecord { kind: FrameKind::SteppedTick, ..record(2, SLOW) };
    assert_eq!(sentences(Some(&before), &stepped), ["stepped tick"]);
    assert_eq!(sentences(Some(&before), &record(2, SLOW)), Vec::<String>::new());
    assert_eq!(sentences(None, &after), Vec::<String>::new());
}

#[test]
fn the_time_axis_zooms_around_the_pointer_and_holds_at_both_ends() {
    let history = filled(1_000, 1_000, SLOW);
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = view(&history, &selection, &live);
    let time = TimeView { span: Nanos(1_000 * MILLI), end: Some(Nanos(5_000 * MILLI)) };
    let window = Window::of(&view, time).unwrap();
    let longest = Nanos(10_000 * MILLI);
    let near = time.zoomed(&window, 0.5, 0.25, longest, true);
    // 4.25 s lay at a quarter of the axis, and does so still.
    assert_eq!(near, TimeView { span: Nanos(500 * MILLI), end: Some(Nanos(4_625 * MILLI)) });
    assert_eq!(time.zoomed(&window, 0.0, 0.5, longest, true).span, Nanos(MILLI));
    assert_eq!(time.zoomed(&window, f64::INFINITY, 0.5, longest, true).span, longest);
    assert_eq!(time.zoomed(&window, f64::NAN, f64::NAN, longest, true).span, Nanos(1_000 * MILLI));
    let held = time.held(Nanos::ZERO, Nanos(5_000 * MILLI));
    assert_eq!(held.end, None);
    let following = TimeView::default();
    let window = Window::of(&view, following).unwrap();
    assert_eq!(following.zoomed(&window, 0.5, 0.1, longest, true).end, None);
}

#[test]
fn one_frame_equal_frames_and_no_time_at_all_are_plotted_without_a_panic() {
    for frames in [1, 2, 50] {
        let mut history = History::new(100);
        for number in 1..=frames {
            let mut same = record(number, SLOW);
            same.render_time = Nanos(7);
            same.delta = Nanos::ZERO;
            same.alpha = if number % 2 == 0 { f64::NAN } else { f64::INFINITY };
            history.ingest_frame(same);
        }
        let (selection, live) = (Selection::Live, LiveView::default());
        let view = view(&history, &selection, &live);
        for span in [Nanos(0), Nanos(1), Nanos(i64::MAX)] {
            for columns in [0, 1, 1_000] {
                let window = Window::of(&view, TimeView { span, end: None }).unwrap();
                let plots = Plots::of(&view, window, columns, &mut Ranks::default());
                assert!(plots.alpha.is_empty(), "what is not finite is not drawn");
                assert!(plots.interval_top.is_finite());
            }
        }
    }
}

#[test]
fn a_copy_of_the_ring_keeps_what_it_had_and_shares_what_stays() {
    let mut ring = SharedRing::new(1_000);
    (0..1_000_u64).for_each(|value| ring.push(value));
    let copy = ring.clone();
    assert_eq!(copy.own_bytes(), 0);
    (1_000..1_100_u64).for_each(|value| ring.push(value));
    assert_eq!((copy.get(5), ring.get(5), ring.get(1_050)), (Some(&5), None, Some(&1_050)));
    // One chunk of 128 values was written to.
    assert_eq!(copy.own_bytes(), 128 * size_of::<u64>());
    assert_eq!(ring.bytes(), 1_000 * size_of::<u64>());
}

#[test]
fn freezing_a_hundred_thousand_frames_copies_none_of_them() {
    let history = filled(100_000, 100_000, SLOW);
    let mut selection = Selection::Live;
    assert!(selection.select(&history, 1, FrameIndex(99_000)));
    assert!(selection.bytes() < 64 * 1024, "{}", selection.bytes());
    assert!(history.bytes() / 100_000 <= History::BYTES_A_FRAME + 8, "{}", history.bytes());
}

#[test]
fn a_stretch_stays_selected_while_its_frames_are_walked() {
    let history = filled(100, 1_000, SLOW);
    let mut selection = Selection::Live;
    assert!(selection.select_range(&history, 1, FrameIndex(30), FrameIndex(20)));
    assert_eq!(selection.range(), Some((FrameIndex(20), FrameIndex(30))));
    assert_eq!(selection.frozen_frame(), Some(FrameIndex(20)));
    selection.walk(&history, 5);
    assert_eq!(selection.range(), Some((FrameIndex(20), FrameIndex(30))));
    selection.walk(&history, 20);
    assert_eq!(selection.range(), None);
}
