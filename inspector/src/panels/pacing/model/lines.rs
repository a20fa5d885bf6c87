//! What is drawn of a window, gathered one by one or in stretches.

use framewalk_runtime::time::{FrameIndex, Nanos};

use super::super::columns::{Columns, Trace, frames_a_column};
use super::super::decimate::Decimator;
use super::{ChangeMark, Plotted, Stem, Window};
use crate::history::changes::{self, Change};
use crate::history::{Fate, KeptPicture};
use crate::stats::frame_interval;
use crate::view::View;

/// With more than three frames for two columns of pixels, a line would run up and down within one: bars are drawn.
const FOLDED_FROM: (usize, usize) = (3, 2);
/// Into so many stretches the frames are divided to find where something changed, where pictures are plotted.
const CHANGE_COLUMNS: usize = 512;

/// What is drawn, gathered frame by frame, picture by picture or stretch by stretch.
pub(super) struct Lines {
    pub(super) alpha: Trace,
    pub(super) overstep: Trace,
    pub(super) interval: Trace,
    pub(super) drops: Stems,
    pub(super) late: Stems,
    pub(super) held: Stems,
    pub(super) changes: Vec<ChangeMark>,
    pub(super) pictures_from: Option<f64>,
    // Marks of changes nearer to each other than this are one.
    change_gap: f64,
}

impl Lines {
    pub(super) fn new(window: &Window, columns: usize) -> Self {
        let (from, to) = (window.seconds(window.from), window.seconds(window.to));
        Self {
            alpha: Trace::default(),
            overstep: Trace::default(),
            interval: Trace::default(),
            drops: Stems::new(from, to, columns),
            late: Stems::new(from, to, columns),
            held: Stems::new(from, to, columns),
            changes: Vec::new(),
            pictures_from: None,
            change_gap: (to - from) / columns as f64 * STEM_COLUMNS as f64,
        }
    }

    /// Everything in the window, into so many columns.
    pub(super) fn gather(&mut self, view: &View<'_>, window: &Window, columns: usize) {
        let is_many = is_folded(window.plotted_count(), columns);
        match (window.plotted, is_many) {
            (Plotted::Frames, true) => self.fold(view, window, columns),
            (Plotted::Frames, false) => self.each(view, window, columns),
            (Plotted::Pictures, _) => self.pictures(view, window, columns),
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

    /// Pictures; of many, the lowest and the highest of as many as stand in one column. Marks are those of the frames.
    fn pictures(&mut self, view: &View<'_>, window: &Window, columns: usize) {
        self.frame_changes(view, window);
        let pictures = view.selection.history(view.history).pictures();
        if pictures.has_lost_some() && pictures.first() >= window.first_picture {
            let first = pictures.at_index(window.first_picture).map(|picture| picture.played);
            let oldest = view.frames().at(0).map_or(window.from, |entry| entry.played.max(window.from));
            self.pictures_from = first.filter(|first| *first > oldest).map(|first| window.seconds(first));
        }
        for picture in window.pictures(view).filter(|picture| picture.is_drawn()) {
            let seconds = window.seconds(picture.played);
            if picture.record.late {
                self.late.push(seconds, 1);
            }
            if picture.record.held {
                self.held.push(seconds, 1);
            }
        }
        if is_folded(window.plotted_count(), columns) {
            self.pictures_folded(view, window, columns);
        } else {
            self.each_picture(view, window, columns);
        }
    }

    fn each_picture(&mut self, view: &View<'_>, window: &Window, columns: usize) {
        let (from, to) = (window.seconds(window.from), window.seconds(window.to));
        let [mut alpha, mut interval] = [(); 2].map(|()| Decimator::new(from, to, columns));
        for picture in window.pictures(view).filter(|picture| picture.is_drawn()) {
            let seconds = window.seconds(picture.played);
            match picture.interval {
                Some(since) => interval.push(seconds, since.as_millis_f64()),
                None => [&mut alpha, &mut interval].into_iter().for_each(Decimator::break_line),
            }
            alpha.push(seconds, picture.record.alpha);
        }
        [self.alpha, self.interval] = [alpha, interval].map(|line| Trace::Line(line.finish()));
    }

    /// Columns hold the pictures between whole multiples of an index, so that bars wander and never flicker.
    fn pictures_folded(&mut self, view: &View<'_>, window: &Window, columns: usize) {
        let width = frames_a_column(window.plotted_count(), columns);
        let [mut alpha, mut interval] = [(); 2].map(|()| Columns::default());
        let pictures = view.selection.history(view.history).pictures();
        let (first, end) = (window.first_picture, window.end_picture);
        let mut at = first - first % width;
        while at < end {
            let mut stretch = PictureFold::default();
            let indices = at.max(first)..(at + width).min(end);
            pictures
                .range(indices)
                .filter(|picture| picture.is_drawn())
                .for_each(|picture| stretch.add(picture));
            at += width;
            let Some(played) = stretch.from else { continue };
            let seconds = window.seconds(played);
            if stretch.is_broken {
                [&mut alpha, &mut interval].into_iter().for_each(Columns::break_line);
            }
            alpha.push(seconds, stretch.alpha.0, stretch.alpha.1);
            interval.push(seconds, stretch.millis.0, stretch.millis.1);
        }
        let last = window.pictures(view).next_back().map_or(window.to, |picture| picture.played);
        let last = window.seconds(last);
        [self.alpha, self.interval] = [alpha, interval].map(|bars| bars.finish(last));
    }

    /// Where something changed before a frame in the window: by the pyramid, at most as many looks as columns of marks.
    fn frame_changes(&mut self, view: &View<'_>, window: &Window) {
        let frames = view.frames();
        let start = frames.indices().start;
        let (first, end) = (start + window.first as u64, start + window.end as u64);
        let width = frames_a_column(window.frames(), CHANGE_COLUMNS);
        let mut at = first - first % width;
        while at < end {
            let fold = frames.fold(at.max(first)..(at + width).min(end));
            at += width;
            let changed = fold.change_index.and_then(|index| frames.position_of_index(index));
            if let Some(position) = changed
                && let Some(entry) = frames.at(position)
                && let Some(change) = changes::change(frames.before(position), &entry.record)
            {
                self.mark(window.seconds(entry.played), entry.frame(), change);
            }
        }
    }

    fn mark(&mut self, seconds: f64, frame: FrameIndex, change: Change) {
        if self.changes.last().is_none_or(|last| seconds - last.seconds >= self.change_gap) {
            self.changes.push(ChangeMark { seconds, frame, change });
        }
    }
}

/// So many values in so many columns of pixels are drawn as bars.
const fn is_folded(values: usize, columns: usize) -> bool {
    let (frames, of) = FOLDED_FROM;
    values.saturating_mul(of) > columns.saturating_mul(frames)
}

/// Lowest and highest of several pictures.
struct PictureFold {
    from: Option<Nanos>,
    alpha: (f64, f64),
    millis: (f64, f64),
    is_broken: bool,
}

impl Default for PictureFold {
    fn default() -> Self {
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        Self { from: None, alpha: none, millis: none, is_broken: false }
    }
}

impl PictureFold {
    fn add(&mut self, picture: &KeptPicture) {
        self.from.get_or_insert(picture.played);
        let widen = |extent: &mut (f64, f64), value: f64| {
            // What is no number is nothing.
            *extent = (extent.0.min(value), extent.1.max(value));
        };
        widen(&mut self.alpha, picture.record.alpha);
        match picture.interval {
            Some(since) => widen(&mut self.millis, since.as_millis_f64()),
            None => self.is_broken = true,
        }
    }
}

/// Counts by column, so that stems never lie on each other.
pub(super) struct Stems {
    from: f64,
    column_width: f64,
    stems: Vec<(i64, Stem)>,
}

/// Columns a stem takes: narrower ones would touch.
const STEM_COLUMNS: usize = 6;

impl Stems {
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

    pub(super) fn finish(self) -> Vec<Stem> {
        self.stems.into_iter().map(|(_, stem)| stem).collect()
    }
}
