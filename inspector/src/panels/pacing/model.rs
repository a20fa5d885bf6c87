//! What the four plots show, without egui.

use framewalk_runtime::time::{FrameIndex, NANOS_PER_SECOND, Nanos};

use super::columns::{Columns, Trace, frames_a_column};
use super::decimate::Decimator;
use crate::history::changes::{self, Change};
use crate::history::{Entry, Fate};
use crate::live::RunPhase;
use crate::stats::{Quantile, frame_interval, select_rank};
use crate::view::View;
use crate::wording::{millis_number, short};

/// How much time the plots cover before anyone zooms; time in which everything stood is left out.
pub const WINDOW: Nanos = Nanos(10 * NANOS_PER_SECOND as i64);
/// The least they can cover.
pub const LEAST_SPAN: Nanos = Nanos(NANOS_PER_SECOND as i64 / 1_000);
/// Up to so many frames, percentiles are taken anew in every pass; beyond, when the frames are 1 in 32 newer.
pub const RANKED_AT_ONCE: usize = 8_192;
/// With more than three frames for two columns of pixels, a line would run up and down within one: bars are drawn.
const FOLDED_FROM: (usize, usize) = (3, 2);

/// How far the time axis is zoomed, and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeView {
    pub span: Nanos,
    /// Time at the right edge; none while it follows the newest frame, or the chosen one.
    pub end: Option<Nanos>,
}

impl Default for TimeView {
    fn default() -> Self {
        Self { span: WINDOW, end: None }
    }
}

impl TimeView {
    /// Zoomed so that the span is `factor` times as long, at most `longest`, with the time at `share` of the axis (0 to
    /// 1) staying where it is. With nothing fixed yet and `follows`, the right edge goes on following instead.
    #[must_use]
    pub fn zoomed(self, window: &Window, factor: f64, share: f64, longest: Nanos, follows: bool) -> Self {
        let longest = longest.max(LEAST_SPAN);
        let wanted = (self.span.0 as f64 * factor).clamp(LEAST_SPAN.0 as f64, longest.0 as f64);
        let span = if wanted.is_finite() { Nanos(wanted as i64) } else { self.span };
        if self.end.is_none() && follows {
            return Self { span, end: None };
        }
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 1.0 };
        let (before, after) = (window.to.0.saturating_sub(window.from.0) as f64, span.0 as f64);
        let moved = ((1.0 - share) * (after - before)) as i64;
        Self { span, end: Some(Nanos(window.to.0.saturating_add(moved))) }
    }

    /// Moved by a share of the axis, towards older frames where it is above 0.
    #[must_use]
    pub fn moved(self, window: &Window, share: f64) -> Self {
        if !share.is_finite() {
            return self;
        }
        let by = (self.span.0 as f64 * share) as i64;
        Self { end: Some(Nanos(window.to.0.saturating_sub(by))), ..self }
    }

    /// As it is, but following again where its end has been moved past the newest frame, and never before the oldest.
    #[must_use]
    pub fn held(self, oldest: Nanos, newest: Nanos) -> Self {
        let end = self.end.filter(|end| *end < newest).map(|end| end.max(oldest));
        Self { end, ..self }
    }
}

/// The stretch of played time on show, and the frames in it by position in their run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub from: Nanos,
    pub to: Nanos,
    /// It ends with the newest frame there is.
    pub is_newest: bool,
    first: usize,
    end: usize,
}

impl Window {
    /// The last stretch of time; with a frame chosen, the one that ends with the history as it stood, or the one around
    /// the frame where it lies further back. Where the view was moved, what it was moved to. None while there is no
    /// frame.
    #[must_use]
    pub fn of(view: &View<'_>, time: TimeView) -> Option<Self> {
        let frames = view.frames();
        let newest = frames.last()?.played;
        let span = time.span.0.max(1);
        let mut to = time.end.unwrap_or(newest);
        if time.end.is_none()
            && let Some(entry) = view.entry().filter(|_| !view.selection.is_live())
        {
            let at = entry.played;
            if at.0.saturating_add(span) < newest.0 {
                to = Nanos(at.0.saturating_add(span / 2));
            }
        }
        let from = Nanos(to.0.saturating_sub(span));
        let first = frames.position_at_time(from);
        let end = frames.position_at_time(Nanos(to.0.saturating_add(1))).max(first);
        Some(Self { from, to, is_newest: to == newest, first, end })
    }

    /// Its frames by position: from, and before.
    #[must_use]
    pub const fn positions(&self) -> (usize, usize) {
        (self.first, self.end)
    }

    /// Frames in it.
    #[must_use]
    pub const fn frames(&self) -> usize {
        self.end - self.first
    }

    /// Whether a frame played at this time lies in it.
    #[must_use]
    pub fn holds(&self, time: Nanos) -> bool {
        (self.from..=self.to).contains(&time)
    }

    /// A time on the axis in seconds.
    #[must_use]
    pub fn seconds(&self, time: Nanos) -> f64 {
        time.as_secs_f64()
    }

    #[must_use]
    pub fn entries<'a>(&self, view: &View<'a>) -> impl DoubleEndedIterator<Item = &'a Entry> + use<'a> {
        view.frames().range(self.first, self.end)
    }

    /// `last 10 s`, `3.2 s to 13.2 s`: which stretch of time it is.
    #[must_use]
    pub fn named(&self) -> String {
        let length = |seconds: f64| {
            if seconds < 1.0 {
                format!("{} ms", short(seconds * 1e3))
            } else {
                format!("{} s", short(seconds))
            }
        };
        if self.is_newest {
            return format!("last {}", length(Nanos(self.to.0.saturating_sub(self.from.0)).as_secs_f64()));
        }
        format!("{} s to {} s", short(self.seconds(self.from).max(0.0)), short(self.seconds(self.to)))
    }

    /// The frame nearest to a time.
    #[must_use]
    pub fn nearest<'a>(&self, view: &View<'a>, seconds: f64) -> Option<&'a Entry> {
        let time = Nanos((seconds * 1e9) as i64);
        let frames = view.frames();
        let after = frames.position_at_time(time);
        let candidates = [after.checked_sub(1), Some(after)];
        candidates
            .into_iter()
            .flatten()
            .filter_map(|position| frames.at(position))
            .min_by_key(|entry| entry.played.0.abs_diff(time.0))
    }
}

/// The figures beside the plots, over the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    pub p50: Option<Nanos>,
    pub p99: Option<Nanos>,
    pub worst: Option<Nanos>,
    pub worst_frame: Option<FrameIndex>,
    pub dropped: u64,
    pub late: u64,
    /// p99 of the absolute animation error.
    pub error_p99: Option<Nanos>,
}

/// Percentiles as they were last taken, and over what.
#[derive(Clone, Debug, Default)]
pub struct Ranks {
    scratch: Vec<Nanos>,
    // The index after the newest frame: one is never used again, a position is once the oldest frames have gone.
    taken: Option<(RankKey, u64, [Option<Nanos>; 3])>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RankKey {
    run: u32,
    is_live: bool,
    span: i64,
    end: Option<Nanos>,
}

impl Ranks {
    /// p50 and p99 of the frame intervals, p99 of the absolute animation errors. Of many frames while they keep coming,
    /// those taken before at most 1 in 32 of them changed.
    fn of(&mut self, view: &View<'_>, window: Window) -> [Option<Nanos>; 3] {
        let key = RankKey {
            run: view.selection.run(view.history),
            is_live: view.selection.is_live(),
            span: window.to.0.saturating_sub(window.from.0),
            end: (!window.is_newest).then_some(window.to),
        };
        let newest_end = view.frames().indices().start + window.end as u64;
        if let Some((taken, end, ranks)) = &self.taken
            && *taken == key
            && window.frames() > RANKED_AT_ONCE
            && view.live.state == RunPhase::Playing
            && newest_end.abs_diff(*end) < (window.frames() / 32) as u64
        {
            return *ranks;
        }
        self.scratch.clear();
        self.scratch.extend(window.entries(view).filter_map(|entry| frame_interval(&entry.record)));
        let p50 = select_rank(&mut self.scratch, Quantile::P50);
        let p99 = select_rank(&mut self.scratch, Quantile::P99);
        self.scratch.clear();
        let errors = window.entries(view).filter_map(|entry| entry.animation_error);
        self.scratch.extend(errors.map(|error| Nanos(error.0.saturating_abs())));
        let ranks = [p50, p99, select_rank(&mut self.scratch, Quantile::P99)];
        self.taken = Some((key, newest_end, ranks));
        ranks
    }
}

impl Figures {
    #[must_use]
    pub fn of(view: &View<'_>, window: Window, ranks: &mut Ranks) -> Self {
        let frames = view.frames();
        let fold = frames.fold_positions(window.first, window.end);
        let [p50, p99, error_p99] = ranks.of(view, window);
        let worst_at = fold.longest().and_then(|_| frames.position_of_index(fold.longest_index));
        Self {
            p50,
            p99,
            worst: fold.longest(),
            worst_frame: worst_at.and_then(|position| frames.at(position)).map(Entry::frame),
            dropped: fold.dropped.into(),
            late: fold.late.into(),
            error_p99,
        }
    }

    /// `p50 6.94 · p99 7.21 · worst 21.40 ms · last 10 s`.
    #[must_use]
    pub fn caption(&self, window: &Window) -> String {
        let text = |value: Option<Nanos>| value.map_or_else(|| "–".to_owned(), millis_number);
        format!(
            "p50 {} · p99 {} · worst {} ms · {}",
            text(self.p50),
            text(self.p99),
            text(self.worst),
            window.named()
        )
    }
}

/// A dropped frame, or several in one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stem {
    pub seconds: f64,
    pub count: u32,
}

/// Everything the four plots draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plots {
    pub alpha: Trace,
    pub overstep: Trace,
    pub interval: Trace,
    pub drops: Vec<Stem>,
    pub changes: Vec<ChangeMark>,
    /// Tops of the axes that follow the data, in ms and in drops; they move in coarse steps, so nothing trembles.
    pub overstep_top: f64,
    pub interval_top: f64,
    pub drops_top: f64,
    pub one_tick_millis: f64,
    pub deadline_millis: f64,
    pub figures: Figures,
}

/// When [`Plots`] need not be made anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    pub revision: u64,
    pub frozen: Option<FrameIndex>,
    pub window: Window,
    pub columns: usize,
}

/// Something changed before this frame: a rate, the speed, a pause, a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangeMark {
    pub seconds: f64,
    pub frame: FrameIndex,
    pub change: Change,
}

impl Plots {
    #[must_use]
    pub fn of(view: &View<'_>, window: Window, columns: usize, ranks: &mut Ranks) -> Self {
        let columns = columns.max(1);
        let mut lines = Lines::new(&window, columns);
        let (frames, of) = FOLDED_FROM;
        if window.frames().saturating_mul(of) > columns.saturating_mul(frames) {
            lines.fold(view, &window, columns);
        } else {
            lines.each(view, &window, columns);
        }
        let newest = view.frames().at(window.end.saturating_sub(1)).map(|entry| &entry.record);
        let figures = Figures::of(view, window, ranks);
        let one_tick_millis = newest.map_or(0.0, |record| record.tick_length.as_millis_f64());
        let deadline_millis = newest.map_or(0.0, |record| record.frame_rate.period().as_millis_f64());
        let worst = figures.worst.map_or(0.0, Nanos::as_millis_f64);
        let drops = lines.drops.finish();
        let most = drops.iter().map(|stem| stem.count).max().unwrap_or(0);
        Self {
            alpha: lines.alpha,
            overstep: lines.overstep,
            interval: lines.interval,
            drops_top: f64::from(most.max(2)) * 1.25,
            drops,
            changes: lines.changes,
            overstep_top: (one_tick_millis * 1.12).max(0.001),
            interval_top: coarse_top(worst, deadline_millis),
            one_tick_millis,
            deadline_millis,
            figures,
        }
    }
}

/// What is drawn, gathered frame by frame or stretch by stretch.
struct Lines {
    alpha: Trace,
    overstep: Trace,
    interval: Trace,
    drops: Drops,
    changes: Vec<ChangeMark>,
    // Marks of changes nearer to each other than this are one.
    change_gap: f64,
}

impl Lines {
    fn new(window: &Window, columns: usize) -> Self {
        let (from, to) = (window.seconds(window.from), window.seconds(window.to));
        Self {
            alpha: Trace::default(),
            overstep: Trace::default(),
            interval: Trace::default(),
            drops: Drops::new(from, to, columns),
            changes: Vec::new(),
            change_gap: (to - from) / columns as f64 * STEM_COLUMNS as f64,
        }
    }

    fn each(&mut self, view: &View<'_>, window: &Window, columns: usize) {
        let (from, to) = (window.seconds(window.from), window.seconds(window.to));
        let mut lines = [(); 3].map(|()| Decimator::new(from, to, columns));
        let mut before = view.frames().before(window.first);
        for entry in window.entries(view) {
            let record = &entry.record;
            let seconds = window.seconds(entry.played);
            if !changes::continues(before, record) {
                lines.iter_mut().for_each(Decimator::break_line);
            }
            if let Some(change) = changes::change(before, record) {
                self.mark(seconds, record.frame, change);
            }
            let [alpha, overstep, interval] = &mut lines;
            alpha.push(seconds, record.alpha);
            overstep.push(seconds, record.overstep.as_millis_f64());
            if let Some(given) = frame_interval(record) {
                interval.push(seconds, given.as_millis_f64());
            }
            if matches!(entry.fate, Fate::Dropped { .. }) {
                self.drops.push(seconds, 1);
            }
            before = Some(record);
        }
        [self.alpha, self.overstep, self.interval] = lines.map(|line| Trace::Line(line.finish()));
    }

    /// Groups of the pyramid, at most as many as there are columns, so that a plot costs what its columns cost.
    fn fold(&mut self, view: &View<'_>, window: &Window, columns: usize) {
        let frames = view.frames();
        let width = frames_a_column(window.frames(), columns);
        let start = frames.indices().start;
        let (first, end) = (start + window.first as u64, start + window.end as u64);
        let mut bars = [(); 3].map(|()| Columns::default());
        let mut at = first - first % width;
        while at < end {
            let fold = frames.fold(at.max(first)..(at + width).min(end));
            at += width;
            let seconds = window.seconds(fold.from);
            if fold.is_broken {
                bars.iter_mut().for_each(Columns::break_line);
            }
            let changed = fold.change_index.and_then(|index| frames.position_of_index(index));
            if let Some(position) = changed
                && let Some(entry) = frames.at(position)
                && let Some(change) = changes::change(frames.before(position), &entry.record)
            {
                self.mark(window.seconds(entry.played), entry.frame(), change);
            }
            let [alpha, overstep, interval] = &mut bars;
            alpha.push(seconds, fold.alpha.low, fold.alpha.high);
            let millis = |nanos: i64| Nanos(nanos).as_millis_f64();
            overstep.push(seconds, millis(fold.overstep.low), millis(fold.overstep.high));
            interval.push(seconds, millis(fold.interval.low), millis(fold.interval.high));
            if fold.dropped > 0 {
                self.drops.push(seconds, fold.dropped);
            }
        }
        let last = frames.at(window.end.saturating_sub(1)).map_or(window.to, |entry| entry.played);
        let last = window.seconds(last);
        [self.alpha, self.overstep, self.interval] = bars.map(|bars| bars.finish(last));
    }

    fn mark(&mut self, seconds: f64, frame: FrameIndex, change: Change) {
        if self.changes.last().is_none_or(|last| seconds - last.seconds >= self.change_gap) {
            self.changes.push(ChangeMark { seconds, frame, change });
        }
    }
}

/// The least of 1.5, 1.5², 1.5³ … deadlines that holds the worst interval.
fn coarse_top(worst: f64, deadline: f64) -> f64 {
    let mut top = deadline.max(0.1) * 1.5;
    while top < worst * 1.05 && top.is_finite() {
        top *= 1.5;
    }
    top
}

/// Counts drops by column, so that stems never lie on each other.
struct Drops {
    from: f64,
    column_width: f64,
    stems: Vec<(i64, Stem)>,
}

/// Columns a stem takes: narrower ones would touch.
const STEM_COLUMNS: usize = 6;

impl Drops {
    fn new(from: f64, to: f64, columns: usize) -> Self {
        let width = (to - from) / (columns / STEM_COLUMNS).max(1) as f64;
        Self { from, column_width: if width > 0.0 { width } else { 1.0 }, stems: Vec::new() }
    }

    fn push(&mut self, seconds: f64, count: u32) {
        let column = ((seconds - self.from) / self.column_width).floor() as i64;
        match self.stems.last_mut() {
            Some((last, stem)) if *last == column => stem.count = stem.count.saturating_add(count),
            _ => self.stems.push((column, Stem { seconds, count })),
        }
    }

    fn finish(self) -> Vec<Stem> {
        self.stems.into_iter().map(|(_, stem)| stem).collect()
    }
}
