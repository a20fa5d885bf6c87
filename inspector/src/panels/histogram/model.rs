//! Values sorted into bins, with their percentiles, without egui.

use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::time::FrameIndex;

use crate::history::{KeptPicture, RunFrames};
use crate::live::RunPhase;
use crate::panels::pacing::model::limits::{Steps, held};
use crate::panels::pacing::model::{Plotted, TimeView, Window};
use crate::stats::{Quantile, frame_interval, nearest_rank};
use crate::view::View;
use crate::wording::{count, grouped};

/// Most frames looked at: of more, the newest.
pub const MOST_FRAMES: usize = 20_000;
/// Beyond this share of the percentile 99, everything is one bin at the end.
const BEYOND_P99: f64 = 4.0;
/// Values that differ by no more than this share of themselves are one value: periods are rounded to whole ns.
const ALIKE: f64 = 1e-4;

/// How often which value came up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bins {
    /// Lower edge of the first bin, and the width of each.
    pub from: f64,
    pub width: f64,
    pub counts: Vec<u32>,
    /// The last bin also holds everything above it.
    pub is_open: bool,
    pub total: usize,
    pub p50: f64,
    pub p99: f64,
    pub worst: f64,
}

impl Bins {
    /// Sorts values into so many bins. With a range the axis is that one, else it goes from the least value to the
    /// greatest, or to four times the percentile 99 where that is less. What is not finite is left out; none where
    /// nothing is left.
    #[must_use]
    pub fn of(mut values: Vec<f64>, bins: usize, range: Option<(f64, f64)>) -> Option<Self> {
        values.retain(|value| value.is_finite());
        values.sort_unstable_by(f64::total_cmp);
        let (least, worst) = (*values.first()?, *values.last()?);
        let p50 = nearest_rank(&values, Quantile::P50)?;
        let p99 = nearest_rank(&values, Quantile::P99)?;
        let (mut from, mut to) = range.unwrap_or_else(|| (least, worst.min((p99 * BEYOND_P99).max(p99))));
        if to - from < ALIKE * from.abs().max(to.abs()) + 1e-9 {
            // All the same, but for rounding: the one value in the middle, but no time below 0.
            let low = ((from + to) * 0.5 - 0.5).max(f64::min(least, 0.0));
            (from, to) = (low, low + 1.0);
        }
        let bins = bins.max(1);
        let width = (to - from) / bins as f64;
        let mut counts = vec![0_u32; bins];
        for value in &values {
            let bin = ((value - from) / width).clamp(0.0, (bins - 1) as f64) as usize;
            counts[bin] = counts[bin].saturating_add(1);
        }
        Some(Self { from, width, counts, is_open: worst > to, total: values.len(), p50, p99, worst })
    }

    #[must_use]
    pub fn to(&self) -> f64 {
        self.from + self.width * self.counts.len() as f64
    }

    /// Whether a value lies on the axis.
    #[must_use]
    pub fn holds(&self, value: f64) -> bool {
        (self.from..=self.to()).contains(&value)
    }

    /// Where a value lies on the axis, 0 to 1.
    #[must_use]
    pub fn share(&self, value: f64) -> f32 {
        (((value - self.from) / (self.to() - self.from)) as f32).clamp(0.0, 1.0)
    }

    /// Height of a bin, 0 to 1, by the logarithm of its count: one frame among a million is still seen.
    #[must_use]
    pub fn height(&self, bin: usize) -> f32 {
        let peak = self.counts.iter().copied().max().unwrap_or(0);
        let count = self.counts.get(bin).copied().unwrap_or(0);
        if peak == 0 { 0.0 } else { (f64::from(count).ln_1p() / f64::from(peak).ln_1p()) as f32 }
    }
}

/// The three histograms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histograms {
    /// Whose intervals and alphas; the times of stages are always those of frames.
    pub plotted: Plotted,
    /// In ms.
    pub interval: Option<Bins>,
    /// Of all six stages, or of one; in ms.
    pub stage_time: Option<Bins>,
    pub alpha: Option<Bins>,
    /// The period of the deadlines of what is looked at, in ms, the newest first: one for each rate there was.
    pub deadlines: Vec<f64>,
    /// Those that were late, each by its own deadline.
    pub late: u64,
    pub caption: String,
}

/// When [`Histograms`] need not be made anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    run: u32,
    newest: FrameIndex,
    frames: usize,
    /// The pictures looked at, by index; none where frames are plotted.
    pictures: (u64, u64),
    frozen: Option<FrameIndex>,
    range: Option<(FrameIndex, FrameIndex)>,
    stage: Option<Stage>,
    bins: usize,
}

impl Key {
    /// None while there is no frame.
    #[must_use]
    pub fn of(view: &View<'_>, stage: Option<Stage>, bins: usize) -> Option<Self> {
        let newest = view.frames().last()?.frame();
        let looked = Looked::of(view)?;
        Some(Self {
            run: view.selection.run(view.history),
            newest,
            frames: looked.to - looked.from,
            pictures: (looked.pictures.start, looked.pictures.end),
            frozen: view.selection.frozen_frame(),
            range: view.selection.range(),
            stage,
            bins,
        })
    }

    /// Whether what was made for an older key will do: always for the same one; while frames keep coming, until 1 in 64
    /// of them is new.
    #[must_use]
    pub fn is_answered_by(&self, older: &Self, state: RunPhase) -> bool {
        let aged = self.newest.0.abs_diff(older.newest.0);
        let (pictures, drawn) =
            (self.pictures.1 - self.pictures.0, self.pictures.1.abs_diff(older.pictures.1));
        let aside = Self { newest: older.newest, frames: older.frames, pictures: older.pictures, ..*self };
        let near = self.frames.abs_diff(older.frames) as u64 <= aged;
        let is_young = match pictures {
            0 => aged < (self.frames / 64) as u64 && older.pictures.0 == older.pictures.1,
            // More or fewer of them than frames.
            _ => drawn < pictures / 64,
        };
        self == older || (state == RunPhase::Playing && aside == *older && near && is_young)
    }
}

/// What is looked at: the selected stretch, else the last ten seconds or those around the chosen frame.
struct Looked {
    plotted: Plotted,
    /// Frames, by position.
    from: usize,
    to: usize,
    /// As many frames has the whole stretch.
    all: usize,
    /// By index; none where frames are plotted.
    pictures: std::ops::Range<u64>,
}

impl Looked {
    fn of(view: &View<'_>) -> Option<Self> {
        let frames = view.frames();
        let (from, to, plotted, pictures) = match view.selection.range() {
            Some((first, last)) => {
                let after = frames.position_at_frame(FrameIndex(last.0.saturating_add(1)));
                let plotted = Plotted::by(after.checked_sub(1).and_then(|last| frames.at(last)));
                let pictures = view.selection.history(view.history).pictures();
                let run = view.selection.run(view.history);
                let pictures = match plotted {
                    Plotted::Frames => 0..0,
                    Plotted::Pictures => pictures.of_frames(run, first, last),
                };
                (frames.position_at_frame(first), after, plotted, pictures)
            }
            None => {
                let window = Window::of(view, TimeView::default())?;
                let (from, to) = window.positions();
                (from, to, window.plotted, window.picture_indices())
            }
        };
        let most = MOST_FRAMES as u64;
        let first_picture = pictures.start.max(pictures.end.saturating_sub(most));
        Some(Self {
            plotted,
            from: from.max(to.saturating_sub(MOST_FRAMES)),
            to,
            all: to.saturating_sub(from),
            pictures: first_picture..pictures.end,
        })
    }

    fn late(&self, view: &View<'_>, frames: &RunFrames<'_>) -> u64 {
        match self.plotted {
            Plotted::Frames => frames.fold_positions(self.from, self.to).late.into(),
            Plotted::Pictures => {
                let pictures = view.selection.history(view.history).pictures();
                let late = |picture: &&KeptPicture| picture.is_drawn() && picture.record.late;
                pictures.range(self.pictures.clone()).filter(late).count() as u64
            }
        }
    }

    /// Intervals in ms, and alphas.
    fn intervals_and_alphas(&self, view: &View<'_>, frames: &RunFrames<'_>) -> (Vec<f64>, Vec<f64>) {
        match self.plotted {
            Plotted::Frames => {
                let records = || frames.range(self.from, self.to).map(|entry| &entry.record);
                let intervals = records().filter_map(frame_interval).map(|interval| interval.as_millis_f64());
                (intervals.collect(), records().map(|record| record.alpha).collect())
            }
            Plotted::Pictures => {
                let pictures = view.selection.history(view.history).pictures();
                let drawn = || pictures.range(self.pictures.clone()).filter(|picture| picture.is_drawn());
                let intervals = drawn().filter_map(|picture| picture.interval);
                (
                    intervals.map(|interval| interval.as_millis_f64()).collect(),
                    drawn().map(|picture| picture.record.alpha).collect(),
                )
            }
        }
    }
}

impl Histograms {
    /// `deadline 6.94 ms, 3 late`, `deadlines 6.94 and 16.67 ms, none late`: each is late by its own. Empty where there is none.
    #[must_use]
    pub fn deadline_sentence(&self) -> String {
        let millis: Vec<String> = self.deadlines.iter().map(|millis| format!("{millis:.2}")).collect();
        let named = match &millis[..] {
            [] => return String::new(),
            [one] => format!("deadline {one} ms"),
            [others @ .., last] => format!("deadlines {} and {last} ms", others.join(", ")),
        };
        let late = if self.late == 0 { "none".to_owned() } else { grouped(self.late) };
        format!("{named}, {late} late")
    }

    #[must_use]
    pub fn of(view: &View<'_>, stage: Option<Stage>, bins: usize) -> Self {
        let Some(looked) = Looked::of(view) else { return Self::default() };
        let frames = view.frames();
        let (intervals, alphas) = looked.intervals_and_alphas(view, &frames);
        let times = frames.range(looked.from, looked.to).map(|entry| {
            let record = &entry.record;
            let time =
                stage.map_or_else(|| record.frame_time(), |stage| record.stages[stage.index()].duration);
            time.as_millis_f64()
        });
        let stretch = match view.selection.range() {
            Some((first, last)) => format!("frames {}–{}", grouped(first.0), grouped(last.0)),
            None => Window::of(view, TimeView::default()).map_or_else(String::new, |window| window.named()),
        };
        let counted = of_how_many(looked.to - looked.from, looked.all);
        let drawn = match looked.plotted {
            Plotted::Frames => String::new(),
            Plotted::Pictures => format!(" · {}", count(alphas.len() as u64, "picture", "pictures")),
        };
        let held = held(view, looked.plotted, looked.from, looked.to);
        let deadlines = Steps::new(&held, 0.0, 0.0, |stretch| stretch.rate.period()).levels();
        Self {
            plotted: looked.plotted,
            deadlines,
            late: looked.late(view, &frames),
            interval: Bins::of(intervals, bins, None),
            stage_time: Bins::of(times.collect(), bins, None),
            alpha: Bins::of(alphas, bins, Some((0.0, 1.0))),
            caption: format!("{counted}{drawn} · {stretch}"),
        }
    }
}

/// `1 441 frames`; `newest 20 000 of 100 000 frames` where not all of them were looked at.
fn of_how_many(looked_at: usize, all: usize) -> String {
    let all_of_them = count(all as u64, "frame", "frames");
    if looked_at == all {
        return all_of_them;
    }
    format!("newest {} of {all_of_them}", grouped(looked_at as u64))
}
