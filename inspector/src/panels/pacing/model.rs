//! What the four plots show, without egui.

pub mod limits;
mod lines;
mod time_view;

use framewalk_runtime::time::{FrameIndex, Nanos};

use self::limits::{Held, Steps, held, rates_named};
use self::lines::{Lines, Stems};
pub use self::time_view::{LEAST_SPAN, TimeView, WINDOW};
use super::columns::Trace;
use crate::history::changes::Change;
use crate::history::{Entry, KeptPicture};
use crate::live::RunPhase;
use crate::stats::{Quantile, frame_interval, select_rank};
use crate::view::View;
use crate::wording::{millis_number, off_display, short};

/// Up to so many frames, percentiles are taken anew in every pass; beyond, when the frames are 1 in 32 newer.
pub const RANKED_AT_ONCE: usize = 8_192;

/// What is plotted over time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plotted {
    /// Each frame: in the slot and in lockstep it is what the display's clock asks for.
    #[default]
    Frames,
    /// Each picture. In the free handoff a frame is a tick, and the display's clock is that of the render thread.
    Pictures,
}

impl Plotted {
    /// By the handoff that this frame took.
    #[must_use]
    pub fn by(entry: Option<&Entry>) -> Self {
        if entry.is_some_and(Entry::is_free) { Self::Pictures } else { Self::Frames }
    }
}

/// The stretch of played time on show, and the frames in it by position in their run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub from: Nanos,
    pub to: Nanos,
    /// It ends with the newest frame, or picture, there is.
    pub is_newest: bool,
    /// By the newest frame in it.
    pub plotted: Plotted,
    first: usize,
    end: usize,
    // The pictures in it, by index; none where frames are plotted.
    first_picture: u64,
    end_picture: u64,
}

impl Window {
    /// The last stretch of time; with a frame chosen, the one that ends with the history as it stood, or the one around
    /// the frame where it lies further back. Where the view was moved, what it was moved to. None while there is no
    /// frame.
    #[must_use]
    pub fn of(view: &View<'_>, time: TimeView) -> Option<Self> {
        let frames = view.frames();
        let newest = frames.last()?;
        let pictures = view.selection.history(view.history).pictures();
        let run = newest.record.run;
        let drawn = pictures.newest_of(run).filter(|_| newest.is_free()).map(|picture| picture.played);
        // The last tick is drawn again and again until the next one comes.
        let newest = newest.played.max(drawn.unwrap_or(newest.played));
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
        let plotted = Plotted::by(end.checked_sub(1).and_then(|last| frames.at(last)));
        let pictures = match plotted {
            Plotted::Frames => 0..0,
            // Of frames that are no longer held nobody can be told.
            Plotted::Pictures => {
                let oldest = frames.at(0).map_or(from, |oldest| oldest.played);
                pictures.played_within(run, from.max(oldest), to)
            }
        };
        Some(Self {
            from,
            to,
            is_newest: to == newest,
            plotted,
            first,
            end,
            first_picture: pictures.start,
            end_picture: pictures.end,
        })
    }

    /// How many frames or pictures, whichever are plotted, lie in it.
    #[must_use]
    pub const fn plotted_count(&self) -> usize {
        match self.plotted {
            Plotted::Frames => self.frames(),
            Plotted::Pictures => (self.end_picture - self.first_picture) as usize,
        }
    }

    /// Too many frames or pictures to take their percentiles in every pass.
    #[must_use]
    pub const fn is_long(&self) -> bool {
        self.frames() > RANKED_AT_ONCE || self.plotted_count() > RANKED_AT_ONCE
    }

    /// Indices of the pictures in it; none where frames are plotted.
    #[must_use]
    pub const fn picture_indices(&self) -> std::ops::Range<u64> {
        self.first_picture..self.end_picture
    }

    /// The pictures in it, oldest first; none where frames are plotted.
    pub fn pictures<'a>(
        &self,
        view: &View<'a>,
    ) -> impl DoubleEndedIterator<Item = &'a KeptPicture> + use<'a> {
        view.selection.history(view.history).pictures().range(self.first_picture..self.end_picture)
    }

    /// The picture nearest to a time, of those in it.
    #[must_use]
    pub fn nearest_picture<'a>(&self, view: &View<'a>, seconds: f64) -> Option<&'a KeptPicture> {
        let time = Nanos((seconds * 1e9) as i64);
        let pictures = view.selection.history(view.history).pictures();
        let run = view.selection.run(view.history);
        let after = pictures.played_within(run, time, Nanos::MAX).start;
        pictures
            .range(after.saturating_sub(1)..after.saturating_add(1))
            .filter(|picture| picture.record.run == run)
            .min_by_key(|picture| picture.played.0.abs_diff(time.0))
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
    /// Pictures whose alpha was held below 1.
    pub held: u64,
    /// p99 of the absolute animation error.
    pub error_p99: Option<Nanos>,
}

/// Percentiles as they were last taken, and over what.
#[derive(Clone, Debug, Default)]
pub struct Ranks {
    scratch: Vec<Nanos>,
    // The index after the newest frame or picture: one is never used again, a position is once the oldest frames have gone.
    taken: Option<(RankKey, u64, [Option<Nanos>; 3])>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RankKey {
    run: u32,
    is_live: bool,
    plotted: Plotted,
    span: i64,
    end: Option<Nanos>,
}

impl Ranks {
    /// p50 and p99 of the frame intervals, or of the times between pictures; p99 of the absolute animation errors. Of many frames while they keep coming,
    /// those taken before at most 1 in 32 of them changed.
    fn of(&mut self, view: &View<'_>, window: Window) -> [Option<Nanos>; 3] {
        let key = RankKey {
            run: view.selection.run(view.history),
            is_live: view.selection.is_live(),
            plotted: window.plotted,
            span: window.to.0.saturating_sub(window.from.0),
            end: (!window.is_newest).then_some(window.to),
        };
        let newest_end = match window.plotted {
            Plotted::Frames => view.frames().indices().start + window.end as u64,
            Plotted::Pictures => window.end_picture,
        };
        if let Some((taken, end, ranks)) = &self.taken
            && *taken == key
            && window.is_long()
            && view.live.state == RunPhase::Playing
            && newest_end.abs_diff(*end) < (window.plotted_count() / 32) as u64
        {
            return *ranks;
        }
        self.scratch.clear();
        match window.plotted {
            Plotted::Frames => {
                self.scratch.extend(window.entries(view).filter_map(|entry| frame_interval(&entry.record)))
            }
            Plotted::Pictures => {
                self.scratch.extend(window.pictures(view).filter_map(|picture| picture.interval));
            }
        }
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
        if window.plotted == Plotted::Pictures {
            return Self { p50, p99, error_p99, ..Self::of_pictures(window.pictures(view)) };
        }
        let worst_at = fold.longest().and_then(|_| frames.position_of_index(fold.longest_index));
        Self {
            p50,
            p99,
            worst: fold.longest(),
            worst_frame: worst_at.and_then(|position| frames.at(position)).map(Entry::frame),
            dropped: fold.dropped.into(),
            late: fold.late.into(),
            held: 0,
            error_p99,
        }
    }

    /// All but the percentiles.
    fn of_pictures<'a>(pictures: impl Iterator<Item = &'a KeptPicture>) -> Self {
        let mut figures = Self::default();
        for picture in pictures.filter(|picture| picture.is_drawn()) {
            figures.late += u64::from(picture.record.late);
            figures.held += u64::from(picture.record.held);
            if picture.interval > figures.worst {
                (figures.worst, figures.worst_frame) = (picture.interval, Some(picture.record.frame));
            }
        }
        figures
    }

    /// `p50 6.94 · p99 7.21 · worst 21.40 ms · last 10 s`; where the times between pictures are plotted, `pictures`
    /// before it.
    #[must_use]
    pub fn caption(&self, window: &Window) -> String {
        let text = |value: Option<Nanos>| value.map_or_else(|| "–".to_owned(), millis_number);
        let what = match window.plotted {
            Plotted::Frames => "",
            Plotted::Pictures => "pictures ",
        };
        format!(
            "{what}p50 {} · p99 {} · worst {} ms · {}",
            text(self.p50),
            text(self.p99),
            text(self.worst),
            window.named()
        )
    }
}

/// A dropped frame, or a late picture or one that was held; or several in one column.
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
    /// Where pictures are plotted: those that were late, and those that were held.
    pub late: Vec<Stem>,
    pub held: Vec<Stem>,
    pub changes: Vec<ChangeMark>,
    /// Tops of the axes that follow the data, in ms and in drops; they move in coarse steps, so nothing trembles.
    pub overstep_top: f64,
    pub interval_top: f64,
    pub drops_top: f64,
    pub late_top: f64,
    pub held_top: f64,
    /// The length of a tick, and the period of the deadlines: those of each frame or picture.
    pub one_tick: Steps,
    pub deadline: Steps,
    /// `60 and 144 Hz` where deadlines came at more than one rate.
    pub rates: Option<String>,
    /// Where the pictures begin that are still kept: those before are gone, and the plots empty there.
    pub pictures_from: Option<f64>,
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
        lines.gather(view, &window, columns);
        let figures = Figures::of(view, window, ranks);
        let stretches = held(view, window.plotted, window.first, window.end);
        let (from, to) = (window.seconds(window.from), window.seconds(window.to));
        let steps = |of: fn(&Held) -> Nanos| Steps::new(&stretches, from, to, of);
        let one_tick = steps(|stretch| stretch.tick_length);
        let deadline = steps(|stretch| stretch.rate.period());
        let worst = figures.worst.map_or(0.0, Nanos::as_millis_f64);
        let [drops, late, held] = [lines.drops, lines.late, lines.held].map(Stems::finish);
        Self {
            alpha: lines.alpha,
            overstep: lines.overstep,
            interval: lines.interval,
            drops_top: stems_top(&drops),
            late_top: stems_top(&late),
            held_top: stems_top(&held),
            drops,
            late,
            held,
            changes: lines.changes,
            overstep_top: (one_tick.highest() * 1.12).max(0.001),
            interval_top: coarse_top(worst, deadline.highest()),
            one_tick,
            deadline,
            rates: rates_named(&stretches),
            pictures_from: lines.pictures_from,
            figures,
        }
    }

    /// `p50 6.94 · p99 16.67 · worst 21.40 ms · last 10 s · 60 and 144 Hz`: as [`Figures::caption`], and at how many rates
    /// deadlines came where that is more than one.
    #[must_use]
    pub fn caption(&self, window: &Window) -> String {
        with_rates(self.figures.caption(window), self.rates.clone())
    }
}

/// The same, of nothing but the figures.
#[must_use]
pub fn caption(view: &View<'_>, window: Window) -> String {
    let figures = Figures::of(view, window, &mut Ranks::default());
    let rates = rates_named(&held(view, window.plotted, window.first, window.end));
    with_rates(figures.caption(&window), rates)
}

fn with_rates(figures: String, rates: Option<String>) -> String {
    rates.map_or_else(|| figures.clone(), |rates| format!("{figures} · {rates}"))
}

/// A caption with how far this instant's frames, or pictures, begin from the display's refreshes; not beside older ones.
#[must_use]
pub fn with_phase(caption: String, view: &View<'_>, window: &Window) -> String {
    match view.live.phase_error.filter(|_| window.is_newest) {
        Some(error) => format!("{caption} · {}", off_display(error)),
        None => caption,
    }
}

fn stems_top(stems: &[Stem]) -> f64 {
    let most = stems.iter().map(|stem| stem.count).max().unwrap_or(0);
    f64::from(most.max(2)) * 1.25
}

/// The least of 1.5, 1.5², 1.5³ … deadlines that holds the worst interval.
fn coarse_top(worst: f64, deadline: f64) -> f64 {
    let mut top = deadline.max(0.1) * 1.5;
    while top < worst * 1.05 && top.is_finite() {
        top *= 1.5;
    }
    top
}
