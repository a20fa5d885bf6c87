//! What the four plots show, without egui.

use framewalk_runtime::frame::record::{FrameKind, FrameRecord};
use framewalk_runtime::time::{FrameIndex, NANOS_PER_SECOND, Nanos};

use super::decimate::{Decimator, Segment};
use crate::history::{Entry, Fate};
use crate::inspector::View;
use crate::stats::{Quantile, frame_interval};
use crate::wording::millis_number;

/// How much time the plots cover; time in which everything stood is left out.
pub const WINDOW: Nanos = Nanos(10 * NANOS_PER_SECOND as i64);

/// The stretch of played time on show, and the frames in it by position in their run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub from: Nanos,
    pub to: Nanos,
    first: usize,
    end: usize,
}

impl Window {
    /// The last ten seconds; with a frame chosen, those that end with the history as it stood, or those around the
    /// frame where it lies further back. None while there is no frame.
    #[must_use]
    pub fn of(view: &View<'_>) -> Option<Self> {
        let frames = view.frames();
        let newest = frames.last()?.played;
        let mut to = newest;
        if let Some(entry) = view.entry().filter(|_| !view.selection.is_live()) {
            let at = entry.played;
            if at + WINDOW < newest {
                to = at + Nanos(WINDOW.0 / 2);
            }
        }
        let from = to - WINDOW;
        let first = frames.position_at_time(from);
        let end = frames.position_at_time(Nanos(to.0.saturating_add(1)));
        Some(Self { from, to, first, end })
    }

    #[must_use]
    pub fn entries<'a>(&self, view: &View<'a>) -> impl DoubleEndedIterator<Item = &'a Entry> + use<'a> {
        view.frames().range(self.first, self.end)
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

impl Figures {
    #[must_use]
    pub fn of(view: &View<'_>, window: Window, scratch: &mut Vec<Nanos>) -> Self {
        let mut figures = Self::default();
        scratch.clear();
        for entry in window.entries(view) {
            figures.dropped += u64::from(matches!(entry.fate, Fate::Dropped { .. }));
            figures.late += u64::from(entry.record.late);
            if let Some(interval) = frame_interval(&entry.record) {
                if figures.worst.is_none_or(|worst| interval > worst) {
                    figures.worst = Some(interval);
                    figures.worst_frame = Some(entry.frame());
                }
                scratch.push(interval);
            }
        }
        figures.p50 = select_rank(scratch, Quantile::P50);
        figures.p99 = select_rank(scratch, Quantile::P99);
        scratch.clear();
        let errors = window.entries(view).filter_map(|entry| entry.animation_error);
        scratch.extend(errors.map(|error| Nanos(error.0.saturating_abs())));
        figures.error_p99 = select_rank(scratch, Quantile::P99);
        figures
    }

    #[must_use]
    pub fn caption(&self) -> String {
        let text = |value: Option<Nanos>| value.map_or_else(|| "–".to_owned(), millis_number);
        format!("p50 {} · p99 {} · worst {} ms · last 10 s", text(self.p50), text(self.p99), text(self.worst))
    }
}

/// The value at the nearest rank of values in any order, without sorting them all.
fn select_rank(values: &mut [Nanos], quantile: Quantile) -> Option<Nanos> {
    if values.is_empty() {
        return None;
    }
    let index = quantile.rank(values.len()) - 1;
    Some(*values.select_nth_unstable(index).1)
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
    pub alpha: Vec<Segment>,
    pub overstep: Vec<Segment>,
    pub interval: Vec<Segment>,
    pub drops: Vec<Stem>,
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

impl Plots {
    #[must_use]
    pub fn of(view: &View<'_>, window: Window, columns: usize, scratch: &mut Vec<Nanos>) -> Self {
        let (from, to) = (window.from.as_secs_f64(), window.to.as_secs_f64());
        let [mut alpha, mut overstep, mut interval] = [(); 3].map(|()| Decimator::new(from, to, columns));
        let mut drops = Drops::new(from, to, columns);
        let mut before: Option<&FrameRecord> = None;
        let mut newest: Option<&FrameRecord> = None;
        for entry in window.entries(view) {
            let record = &entry.record;
            let seconds = entry.played.as_secs_f64();
            if !continues(before, record) {
                alpha.break_line();
                overstep.break_line();
                interval.break_line();
            }
            alpha.push(seconds, record.alpha);
            overstep.push(seconds, record.overstep.as_millis_f64());
            if let Some(given) = frame_interval(record) {
                interval.push(seconds, given.as_millis_f64());
            }
            if matches!(entry.fate, Fate::Dropped { .. }) {
                drops.push(seconds);
            }
            before = Some(record);
            newest = Some(record);
        }
        let figures = Figures::of(view, window, scratch);
        let one_tick_millis = newest.map_or(0.0, |record| record.tick_length.as_millis_f64());
        let deadline_millis = newest.map_or(0.0, |record| record.frame_rate.period().as_millis_f64());
        let worst = figures.worst.map_or(0.0, Nanos::as_millis_f64);
        let drops = drops.finish();
        let most = drops.iter().map(|stem| stem.count).max().unwrap_or(0);
        Self {
            alpha: alpha.finish(),
            overstep: overstep.finish(),
            interval: interval.finish(),
            drops_top: f64::from(most.max(2)) * 1.25,
            drops,
            overstep_top: (one_tick_millis * 1.12).max(0.001),
            interval_top: coarse_top(worst, deadline_millis),
            one_tick_millis,
            deadline_millis,
            figures,
        }
    }
}

/// A line may be drawn from the frame before to this one: no pause, no step, no lost record lies between.
fn continues(before: Option<&FrameRecord>, record: &FrameRecord) -> bool {
    before.is_some_and(|before| {
        record.kind == FrameKind::Running
            && before.run == record.run
            && before.frame.0.checked_add(1) == Some(record.frame.0)
    })
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

    fn push(&mut self, seconds: f64) {
        let column = ((seconds - self.from) / self.column_width).floor() as i64;
        match self.stems.last_mut() {
            Some((last, stem)) if *last == column => stem.count += 1,
            _ => self.stems.push((column, Stem { seconds, count: 1 })),
        }
    }

    fn finish(self) -> Vec<Stem> {
        self.stems.into_iter().map(|(_, stem)| stem).collect()
    }
}
