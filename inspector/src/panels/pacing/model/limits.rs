//! What frames were held to, stretch by stretch: the period of their deadlines, and the length of a tick.

use framewalk_runtime::frame::record::FrameRecord;
use framewalk_runtime::time::{Nanos, Rate};

use super::Plotted;
use crate::history::RunFrames;
use crate::view::View;

/// So many changes are looked for, from the newest on: more stand nearer to each other than lines can be told apart.
pub const MOST_CHANGES: usize = 256;

/// A stretch of frames whose deadlines came at one rate, and whose ticks did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Where its first frame lies on the time axis; none of the first stretch, which may have begun before what was looked at.
    pub from: Option<Nanos>,
    /// The grid that what is plotted was due on: a frame's own, or where pictures are plotted the display's.
    pub rate: Rate,
    pub tick_length: Nanos,
}

impl Held {
    fn of(record: &FrameRecord, plotted: Plotted, from: Option<Nanos>) -> Self {
        let rate = match plotted {
            Plotted::Frames => record.frame_rate,
            Plotted::Pictures => record.render_rate,
        };
        Self { from, rate, tick_length: record.tick_length }
    }

    const fn holds_to(&self) -> (Rate, Nanos) {
        (self.rate, self.tick_length)
    }
}

/// The stretches of the frames from position `first` to before `end`, oldest first; where there were more than
/// [`MOST_CHANGES`], the newest. It costs what the changes cost, however many frames there are.
#[must_use]
pub fn held(view: &View<'_>, plotted: Plotted, first: usize, end: usize) -> Vec<Held> {
    let frames = view.frames();
    let mut found = Vec::new();
    let mut until = end;
    while let Some(begin) = stretch_start(&frames, first, until) {
        let Some(entry) = frames.at(begin) else { break };
        let from = (begin > first).then_some(entry.played);
        found.push(Held::of(&entry.record, plotted, from));
        if begin == first || found.len() == MOST_CHANGES {
            break;
        }
        until = begin;
    }
    found.reverse();
    // Speed and handoff are settings too, and change neither.
    found.dedup_by(|later, before| later.holds_to() == before.holds_to());
    found
}

/// Where the frames of one setting begin that end before `until`; none where there are none.
fn stretch_start(frames: &RunFrames<'_>, first: usize, until: usize) -> Option<usize> {
    (first < until).then(|| {
        let changed = frames.fold_positions(first, until).setting_index;
        changed.and_then(|index| frames.position_of_index(index)).unwrap_or(first)
    })
}

/// A line that steps where a limit changed: on one level from a time on, to where the next begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps(Vec<Step>);

/// One level of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// In seconds on the time axis.
    pub from: f64,
    pub to: f64,
    pub length: Nanos,
}

impl Steps {
    /// One stretch after the other, from the left edge of the axis to the right one, in seconds.
    #[must_use]
    pub fn new(held: &[Held], from: f64, to: f64, of: fn(&Held) -> Nanos) -> Self {
        let mut steps: Vec<Step> = Vec::new();
        for stretch in held {
            let begins = stretch.from.map_or(from, Nanos::as_secs_f64);
            let length = of(stretch);
            if let Some(last) = steps.last_mut() {
                if last.length == length {
                    continue;
                }
                last.to = begins;
            }
            steps.push(Step { from: begins, to, length });
        }
        Self(steps)
    }

    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// In ms, the one in force at the right edge; 0 where there is none.
    #[must_use]
    pub fn newest(&self) -> f64 {
        self.0.last().map_or(0.0, |step| step.length.as_millis_f64())
    }

    #[must_use]
    pub fn highest(&self) -> f64 {
        self.0.iter().map(|step| step.length.as_millis_f64()).fold(0.0, f64::max)
    }

    /// Each level once, in ms, the newest first.
    #[must_use]
    pub fn levels(&self) -> Vec<f64> {
        let mut levels: Vec<Nanos> = Vec::new();
        for step in self.0.iter().rev() {
            if !levels.contains(&step.length) {
                levels.push(step.length);
            }
        }
        levels.into_iter().map(Nanos::as_millis_f64).collect()
    }

    /// Corners of the line, in seconds and ms.
    pub fn corners(&self) -> impl Iterator<Item = [f64; 2]> {
        self.0.iter().flat_map(|step| {
            let millis = step.length.as_millis_f64();
            [[step.from, millis], [step.to, millis]]
        })
    }
}

/// `60 and 144 Hz`, `30, 60 and 144 Hz`, and of more `5 rates, 30 to 144 Hz`; none where all came at one.
#[must_use]
pub fn rates_named(held: &[Held]) -> Option<String> {
    let mut rates: Vec<Rate> = held.iter().map(|stretch| stretch.rate).collect();
    rates.sort_unstable_by_key(|rate| std::cmp::Reverse(rate.period()));
    rates.dedup();
    match &rates[..] {
        [] | [_] => None,
        [slow, fast] => Some(format!("{slow} and {fast} Hz")),
        [slow, middle, fast] => Some(format!("{slow}, {middle} and {fast} Hz")),
        [slow, .., fast] => Some(format!("{} rates, {slow} to {fast} Hz", rates.len())),
    }
}
