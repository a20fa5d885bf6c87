//! Frames of several rates: each is held to its own deadline, and the plots say so.

#![allow(clippy::float_cmp, reason = "levels are whole numbers of ms, and steps begin where frames lie")]

use framewalk_inspector::LiveView;
use framewalk_inspector::history::History;
use framewalk_inspector::panels::histogram::model::Histograms;
use framewalk_inspector::panels::pacing::model::limits::{Held, MOST_CHANGES, Step, held, rates_named};
use framewalk_inspector::panels::pacing::model::{Plots, Plotted, Ranks, TimeView, Window, caption};
use framewalk_inspector::panels::strip::model::{Scale, layout};
use framewalk_inspector::selection::Selection;
use framewalk_inspector::view::View;
use framewalk_runtime::frame::record::{FrameKind, FrameRecord, HandoffMode, RenderRecord};
use framewalk_runtime::time::{FrameIndex, Nanos, Rate, Speed};

const MS: i64 = 1_000_000;

fn hz(rate: u64) -> Rate {
    Rate::new(rate, 1).expect("a rate")
}

/// Frame n, `millis` after the one before, on a grid of `rate`.
struct Told {
    rate: u64,
    ticks: u64,
    late: bool,
}

/// One frame a line, on its own grid, beginning at 0.
fn history(frames: impl IntoIterator<Item = Told>) -> History {
    let mut history = History::new(4_096);
    let mut at = 0;
    for (n, told) in (1..).zip(frames) {
        let period = 1_000 * MS / told.rate.cast_signed();
        at += if n == 1 { 0 } else { period };
        history.ingest_frame(FrameRecord {
            run: 1,
            frame: FrameIndex(n),
            kind: if n == 1 { FrameKind::First } else { FrameKind::Running },
            render_time: Nanos(at),
            delta: Nanos(if n == 1 { 0 } else { period }),
            frame_rate: hz(told.rate),
            render_rate: hz(told.rate),
            tick_rate: hz(told.ticks),
            tick_length: Nanos(1_000 * MS / told.ticks.cast_signed()),
            late: told.late,
            ..FrameRecord::default()
        });
    }
    history
}

fn on_time(rate: u64, ticks: u64, frames: usize) -> impl Iterator<Item = Told> {
    (0..frames).map(move |_| Told { rate, ticks, late: false })
}

fn with<R>(history: &History, of: impl FnOnce(&View<'_>, Window) -> R) -> R {
    let (selection, live) = (Selection::Live, LiveView::default());
    let view = View { history, selection: &selection, live: &live, captions: true };
    let window = Window::of(&view, TimeView::default()).expect("there are frames");
    of(&view, window)
}

#[test]
fn the_deadline_is_a_line_with_steps_where_the_frame_rate_changed() {
    // Six frames at 50 Hz, four at 100, and two at 50 again.
    let told = on_time(50, 20, 6).chain(on_time(100, 20, 4)).chain(on_time(50, 40, 2));
    let history = history(told);
    with(&history, |view, window| {
        let plots = Plots::of(view, window, 1_000, &mut Ranks::default());
        let step = |from, to, millis: i64| Step { from, to, length: Nanos(millis * MS) };
        // The first of 100 Hz lies at 110 ms, the first of 50 after it at 160.
        let (left, right) = (-9.82, 0.18);
        assert_eq!(
            plots.deadline.steps(),
            [step(left, 0.11, 20), step(0.11, 0.16, 10), step(0.16, right, 20)]
        );
        assert_eq!(plots.deadline.levels(), [20.0, 10.0]);
        let corners: Vec<[f64; 2]> = plots.deadline.corners().collect();
        assert_eq!(corners[1..4], [[0.11, 20.0], [0.11, 10.0], [0.16, 10.0]]);
        // Only the tick rate changed with the last two.
        assert_eq!(plots.one_tick.steps(), [step(left, 0.16, 50), step(0.16, right, 25)]);
        assert_eq!(plots.overstep_top, 50.0 * 1.12);
        let said = "p50 20.00 · p99 20.00 · worst 20.00 ms · last 10 s · 50 and 100 Hz";
        assert_eq!(plots.caption(&window), said);
        assert_eq!(caption(view, window), said);
    });
}

#[test]
fn of_one_rate_the_line_goes_straight_through_and_the_caption_says_none() {
    let history = history(on_time(50, 20, 6));
    with(&history, |view, window| {
        let plots = Plots::of(view, window, 1_000, &mut Ranks::default());
        assert_eq!(plots.deadline.steps(), [Step { from: -9.9, to: 0.1, length: Nanos(20 * MS) }]);
        assert_eq!(plots.caption(&window), "p50 20.00 · p99 20.00 · worst 20.00 ms · last 10 s");
    });
}

#[test]
fn a_speed_a_pause_and_a_step_are_no_other_rate() {
    let mut history = history(on_time(50, 20, 3));
    let last = with(&history, |view, _| view.frames().last().expect("three").record);
    for (n, kind, speed) in
        [(4, FrameKind::Running, 500), (5, FrameKind::SteppedFrame, 500), (6, FrameKind::Resumed, 1_000)]
    {
        history.ingest_frame(FrameRecord {
            frame: FrameIndex(n),
            kind,
            speed: Speed::from_thousandths(speed).expect("a speed"),
            render_time: Nanos(last.render_time.0 + 20 * MS * (n as i64 - 3)),
            ..last
        });
    }
    with(&history, |view, window| {
        let (first, end) = window.positions();
        assert_eq!(held(view, Plotted::Frames, first, end).len(), 1);
    });
}

#[test]
fn pictures_are_held_to_the_display_s_rate_whatever_ticks_do() {
    let mut history = History::new(100);
    for n in 1..=8_u64 {
        let at = Nanos(100 * MS * n as i64);
        let mut frame = FrameRecord {
            run: 1,
            frame: FrameIndex(n),
            kind: if n == 1 { FrameKind::First } else { FrameKind::Running },
            render_time: at,
            frame_rate: hz(if n < 5 { 10 } else { 20 }),
            tick_rate: hz(if n < 5 { 10 } else { 20 }),
            render_rate: hz(if n < 7 { 50 } else { 100 }),
            ..FrameRecord::default()
        };
        frame.handoff.mode = HandoffMode::Free;
        history.ingest_frame(frame);
        history.ingest_render(RenderRecord {
            run: 1,
            frame: FrameIndex(n),
            render_time: at,
            late: n == 7,
            ..RenderRecord::default()
        });
    }
    with(&history, |view, window| {
        assert_eq!(window.plotted, Plotted::Pictures);
        let plots = Plots::of(view, window, 1_000, &mut Ranks::default());
        assert_eq!(plots.deadline.levels(), [10.0, 20.0]);
        assert_eq!(plots.rates.as_deref(), Some("50 and 100 Hz"));
        let histograms = Histograms::of(view, None, 20);
        assert_eq!(histograms.deadline_sentence(), "deadlines 10.00 and 20.00 ms, 1 late");
    });
}

#[test]
fn a_histogram_has_each_deadline_and_counts_who_was_late_by_its_own() {
    // 20 ms is late by the deadline of 100 Hz, and on time by that of 50.
    let late = std::iter::once(Told { rate: 100, ticks: 20, late: true });
    let several = history(on_time(50, 20, 6).chain(late).chain(on_time(100, 20, 3)));
    let sentence = |history: &History| {
        with(history, |view, _| {
            let histograms = Histograms::of(view, None, 20);
            (histograms.deadlines.clone(), histograms.late, histograms.deadline_sentence())
        })
    };
    assert_eq!(sentence(&several), (vec![10.0, 20.0], 1, "deadlines 10.00 and 20.00 ms, 1 late".to_owned()));
    let one = history(on_time(50, 20, 6));
    assert_eq!(sentence(&one), (vec![20.0], 0, "deadline 20.00 ms, none late".to_owned()));
}

#[test]
fn the_strip_s_line_is_each_bar_s_own_period_and_all_of_those_in_view_are_known() {
    let history = history(on_time(50, 20, 6).chain(on_time(100, 20, 4)));
    with(&history, |view, _| {
        let periods = |columns| {
            let shown = layout(&view.frames(), None, None, columns, Scale::default());
            shown.periods(view)
        };
        assert_eq!(periods(10), [Nanos(10 * MS), Nanos(20 * MS)]);
        assert_eq!(periods(4), [Nanos(10 * MS)], "the others are out of view");
        assert_eq!(periods(0), []);
    });
}

#[test]
fn rates_are_named_from_the_slowest_on_and_many_by_their_number() {
    let of = |rates: &[u64]| {
        let stretch = |rate: &u64| Held { from: None, rate: hz(*rate), tick_length: Nanos(1) };
        rates_named(&rates.iter().map(stretch).collect::<Vec<_>>())
    };
    for (rates, named) in [
        (&[][..], None),
        (&[60, 60], None),
        (&[144, 60, 144], Some("60 and 144 Hz")),
        (&[144, 30, 60], Some("30, 60 and 144 Hz")),
        (&[144, 30, 60, 240, 100], Some("5 rates, 30 to 240 Hz")),
    ] {
        assert_eq!(of(rates).as_deref(), named, "{rates:?}");
    }
}

#[test]
fn of_more_changes_than_can_be_drawn_the_newest_are() {
    let told = (0..3 * MOST_CHANGES).map(|n| Told { rate: [50, 100][n % 2], ticks: 20, late: false });
    let history = history(told);
    with(&history, |view, window| {
        let found = held(view, Plotted::Frames, 0, window.positions().1);
        assert_eq!(found.len(), MOST_CHANGES);
        let newest = view.frames().last().expect("frames");
        assert_eq!(found.last().and_then(|last| last.from), Some(newest.played));
        let plots = Plots::of(view, window, 1_000, &mut Ranks::default());
        let from = plots.deadline.steps()[0].from;
        assert!(from > window.seconds(window.from), "what is not known is not drawn: {from}");
    });
}
