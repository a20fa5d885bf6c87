//! What stands where on the timeline, without egui. Long because each kind of thing on its axis has its span, its sentence
//! and its way out of the records here.

use framewalk_runtime::frame::record::{FrameRecord, HandoffMode, MOST_OBSERVERS, RenderRecord};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::frame::zones::ZoneThread;
use framewalk_runtime::time::{FrameIndex, Nanos, Tick};

use crate::history::passes::Stretch;
use crate::history::{Entry, Fate, RunFrames};
use crate::panels::handoff::model::lockstep;
use crate::view::View;
use crate::wording::{count, grouped, millis};

/// The least and the most time on show.
pub const LEAST_SPAN: Nanos = Nanos(20_000);
pub const MOST_SPAN: Nanos = Nanos(2_000_000_000);
/// Frames before the stretch whose work may still reach into it.
const RUN_IN: usize = 8;
/// Most frames looked at: what the longest span holds at the highest frame rate.
const MOST_FRAMES: usize = 2_048;

/// Whose work it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    Ui,
    Sim,
    Render,
    /// One more reader of the lockstep, by its number from 0.
    Observer(u8),
    /// One of those that do nothing but jobs, by its number.
    Worker(u8),
}

impl Lane {
    pub const THREADS: [Self; 3] = [Self::Ui, Self::Sim, Self::Render];

    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Ui => "ui".to_owned(),
            Self::Sim => "sim".to_owned(),
            Self::Render => "render".to_owned(),
            Self::Observer(number) => format!("observer {}", number + 1),
            Self::Worker(number) => format!("worker {number}"),
        }
    }
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    Stage(Stage),
    /// Inside stage 4; known of the frame that is stepped through.
    Tick(Tick),
    Batch,
    Submit,
    /// An observer's, of the frame it met for last: from that meeting until it came to the next.
    Read(u8),
}

impl Work {
    #[must_use]
    pub const fn lane(self) -> Lane {
        match self {
            Self::Stage(_) | Self::Tick(_) => Lane::Sim,
            Self::Batch | Self::Submit => Lane::Render,
            Self::Read(number) => Lane::Observer(number),
        }
    }

    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Stage(stage) => stage.name().to_owned(),
            Self::Tick(tick) => format!("tick {}", grouped(tick.0)),
            Self::Batch => "batch".to_owned(),
            Self::Submit => "submit".to_owned(),
            Self::Read(_) => "read".to_owned(),
        }
    }
}

/// Work from one time to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub work: Work,
    pub frame: FrameIndex,
    pub from: Nanos,
    pub to: Nanos,
    /// Of a frame that was drawn more than once: which of its pictures, from 1.
    pub picture: Option<u32>,
}

impl Span {
    /// `submit 3.92 ms, frame 1 203`; of a frame drawn more than once `submit 3.92 ms, frame 12, picture 3`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let took = Nanos(self.to.0.saturating_sub(self.from.0));
        let picture =
            self.picture.map_or_else(String::new, |nth| format!(", picture {}", grouped(nth.into())));
        format!("{} {}, frame {}{picture}", self.work.name(), millis(took), grouped(self.frame.0))
    }
}

/// A part of a pass of the window, in the order in which they follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassPart {
    Logic,
    Layout,
    Paint,
}

impl PassPart {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logic => "logic",
            Self::Layout => "layout",
            Self::Paint => "paint, present",
        }
    }
}

/// One part of a pass of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassSpan {
    pub part: PassPart,
    pub from: Nanos,
    pub to: Nanos,
    /// The frame that the pass painted for the first time.
    pub shown: Option<FrameIndex>,
}

impl PassSpan {
    /// `layout 2.10 ms; the pass showed frame 1 203`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let took = millis(Nanos(self.to.0.saturating_sub(self.from.0)));
        let shown = match self.shown {
            Some(frame) => format!("the pass showed frame {}", grouped(frame.0)),
            None => "the pass showed no new frame".to_owned(),
        };
        format!("{} {took}; {shown}", self.part.name())
    }
}

/// Zones in more others than this are drawn as if in so many.
pub const DEEPEST: u32 = 3;

/// A zone that something on a thread left, below the bar of its lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneSpan {
    pub lane: Lane,
    pub name: &'static str,
    /// Row below the bar, from 0.
    pub row: u32,
    pub from: Nanos,
    pub to: Nanos,
}

impl ZoneSpan {
    /// `physics 0.31 ms, frame 1 203`.
    #[must_use]
    pub fn sentence(&self, frame: Option<FrameIndex>) -> String {
        let took = millis(Nanos(self.to.0.saturating_sub(self.from.0)));
        let of = frame.map_or_else(String::new, |frame| format!(", frame {}", grouped(frame.0)));
        format!("{} {took}{of}", self.name)
    }
}

/// Why nothing is known of what a thread did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The records of so many frames found the ring full.
    Frames(u64),
    /// So many zones found the thread's ring full.
    Zones(u64),
    /// Its zones are so old that they were let go.
    OldZones,
}

/// A time of which something of a thread is missing: what is empty in it was not idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    pub lane: Lane,
    pub missing: Missing,
    pub from: Nanos,
    pub to: Nanos,
}

impl Gap {
    /// `12 zones lost`.
    #[must_use]
    pub fn name(&self) -> String {
        match self.missing {
            Missing::Frames(frames) => format!("{} lost", count(frames, "record", "records")),
            Missing::Zones(zones) => format!("{} lost", count(zones, "zone", "zones")),
            Missing::OldZones => "zones not kept".to_owned(),
        }
    }

    /// `worker 0: 12 zones lost in 3.20 ms, since nobody took them from its ring in time`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (lane, name) = (self.lane.name(), self.name());
        match self.missing {
            Missing::Frames(_) | Missing::Zones(_) => {
                let took = millis(Nanos(self.to.0.saturating_sub(self.from.0)));
                format!("{lane}: {name} in {took}, since nobody took them from its ring in time")
            }
            Missing::OldZones => format!("{lane}: {name}, only the newest are"),
        }
    }
}

/// What became of a frame at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Painted by the window.
    Shown,
    /// Replaced in the slot: ends in a cross.
    Dropped { by: FrameIndex },
    /// Never rendered.
    Abandoned,
}

/// Where a frame ended, and since when it had waited there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    pub end: End,
    pub frame: FrameIndex,
    pub published: Nanos,
    pub at: Nanos,
}

impl Ending {
    #[must_use]
    pub fn sentence(&self) -> String {
        let frame = grouped(self.frame.0);
        let waited = millis(Nanos(self.at.0.saturating_sub(self.published.0)));
        match self.end {
            End::Shown => format!("frame {frame} shown, {waited} after it was published"),
            End::Dropped { by } => {
                format!("frame {frame} dropped, replaced by {} after {waited} in the slot", grouped(by.0))
            }
            End::Abandoned => format!("frame {frame} abandoned: published, never rendered"),
        }
    }

    #[must_use]
    pub const fn lane(&self) -> Lane {
        match self.end {
            End::Shown => Lane::Ui,
            End::Dropped { .. } | End::Abandoned => Lane::Render,
        }
    }
}

/// What a worker did in the time on show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerFigures {
    pub number: u8,
    pub jobs: u64,
    /// As much of them as lies in that time.
    pub busy: Nanos,
    /// Zones that are missing in it, jobs among them.
    pub lost: u64,
}

impl WorkerFigures {
    /// `worker 0: 31 jobs, 1.20 ms`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let jobs = count(self.jobs, "job", "jobs");
        let lost = match self.lost {
            0 => String::new(),
            lost => format!(", {} lost", count(lost, "zone", "zones")),
        };
        format!("{}: {jobs}, {}{lost}", Lane::Worker(self.number).name(), millis(self.busy))
    }
}

/// Everything between two times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// By frame; of one frame in the order of its work.
    pub spans: Vec<Span>,
    /// What the window did, oldest first.
    pub passes: Vec<PassSpan>,
    /// By lane, then in the order in which they ended.
    pub zones: Vec<ZoneSpan>,
    /// Of records, then of zones by lane; from old to new.
    pub gaps: Vec<Gap>,
    /// Of each worker that ever had a job.
    pub workers: Vec<WorkerFigures>,
    pub endings: Vec<Ending>,
    /// The render time each frame was made for.
    pub deadlines: Vec<(FrameIndex, Nanos)>,
}

/// What happened from `from` to `to`. Work shorter than `least` that follows other work of its kind at once is left
/// out: it would lie on the same point.
#[must_use]
pub fn timeline(view: &View<'_>, from: Nanos, to: Nanos, least: Nanos) -> Timeline {
    let frames = view.frames();
    let mut timeline = Timeline::default();
    let first = frames.position_at_render_time(from).saturating_sub(RUN_IN);
    let end = frames.position_at_render_time(Nanos(to.0.saturating_add(1))).min(first + MOST_FRAMES);
    for entry in frames.range(first, end) {
        record_spans(&mut timeline, &entry.record, Stage::COUNT);
        render_spans(&mut timeline, entry);
        timeline.endings.extend(ending(&frames, entry));
    }
    read_spans(&mut timeline, frames.range(first.saturating_sub(1), end + 1));
    // The first frame after the stretch says whether some are missing before it.
    frame_gaps(&mut timeline, frames.range(first, end + 1), from, to);
    if let Some(open) = view.open() {
        record_spans(&mut timeline, open.record, usize::from(open.stages_done).min(Stage::COUNT));
    }
    again_spans(&mut timeline, view, from, to);
    tick_spans(&mut timeline, view);
    timeline.spans.retain(|span| span.to >= from && span.from <= to);
    timeline.endings.retain(|ending| (from..=to).contains(&ending.at));
    timeline.deadlines.retain(|(_, at)| (from..=to).contains(at));
    thin(&mut timeline.spans, least);
    pass_spans(&mut timeline, view, from, to, least);
    zone_spans(&mut timeline, view, from, to, least);
    timeline
}

impl Timeline {
    /// The frame whose work a zone is part of; none where no record of it is on show. A job's is the one that was made
    /// while it ran: of the simulation's stages, or else of a picture.
    #[must_use]
    pub fn frame_of(&self, zone: &ZoneSpan) -> Option<FrameIndex> {
        let during = |lane| {
            let holds =
                |span: &&Span| span.work.lane() == lane && span.from <= zone.from && zone.from <= span.to;
            self.spans.iter().find(holds).map(|span| span.frame)
        };
        match zone.lane {
            Lane::Worker(_) => during(Lane::Sim).or_else(|| during(Lane::Render)),
            lane => during(lane),
        }
    }
}

/// A run numbers its frames one after the other: a number that is missing is that of a lost record.
fn frame_gaps<'a>(timeline: &mut Timeline, entries: impl Iterator<Item = &'a Entry>, from: Nanos, to: Nanos) {
    let mut before: Option<&FrameRecord> = None;
    for record in entries.map(|entry| &entry.record) {
        if let Some(before) = before.replace(record)
            && record.frame.0 > before.frame.0 + 1
        {
            let missing = Missing::Frames(record.frame.0 - before.frame.0 - 1);
            let gap = Gap {
                lane: Lane::Sim,
                missing,
                from: ended(before),
                to: started(record).unwrap_or(record.render_time),
            };
            if gap.to >= from && gap.from <= to {
                timeline.gaps.push(gap);
            }
        }
    }
}

fn zone_spans(timeline: &mut Timeline, view: &View<'_>, from: Nanos, to: Nanos, least: Nanos) {
    let zones = view.selection.history(view.history).zones();
    let workers = (0..zones.workers()).map(|number| (ZoneThread::Worker(number), Lane::Worker(number)));
    for (thread, lane) in
        [(ZoneThread::Sim, Lane::Sim), (ZoneThread::Render, Lane::Render)].into_iter().chain(workers)
    {
        let mut ends = [i64::MIN; DEEPEST as usize + 1];
        let (mut jobs, mut busy, mut lost) = (0, 0, 0);
        if let Some(kept_from) = zones.kept_from(thread).filter(|kept_from| *kept_from > from) {
            timeline.gaps.push(Gap { lane, missing: Missing::OldZones, from, to: kept_from.min(to) });
        }
        for zone in zones.within(thread, from, to) {
            let row = zone.depth.min(DEEPEST);
            let ended = plus(zone.start, zone.duration);
            if zone.lost > 0 {
                let zones = u64::from(zone.lost);
                lost += zones;
                timeline.gaps.push(Gap { lane, missing: Missing::Zones(zones), from: zone.start, to: ended });
                continue;
            }
            if row == 0 {
                jobs += 1;
                busy += ended.0.min(to.0).saturating_sub(zone.start.0.max(from.0));
            }
            let end = &mut ends[row as usize];
            let is_short = zone.duration < least;
            // It would lie on the same point as the one before it.
            if is_short && zone.start.0 >= *end && zone.start.0.saturating_sub(*end) < least.0 {
                continue;
            }
            *end = ended.0;
            timeline.zones.push(ZoneSpan { lane, name: zone.name, row, from: zone.start, to: ended });
        }
        if let Lane::Worker(number) = lane {
            timeline.workers.push(WorkerFigures { number, jobs, busy: Nanos(busy), lost });
        }
    }
}

/// The middle of what a frame did, and its period: what the view opens on. In the free handoff ticks and pictures have one
/// each: the longer of the two, so that some of both are in sight.
#[must_use]
pub fn middle_and_period(view: &View<'_>) -> Option<(Nanos, Nanos)> {
    let record = view.open().map(|open| open.record).or_else(|| view.entry().map(|entry| &entry.record))?;
    let period = record.frame_rate.period();
    let start = started(record).unwrap_or(record.render_time);
    let of_pictures = match record.handoff.mode {
        HandoffMode::Free => record.render_rate.period(),
        HandoffMode::Slot | HandoffMode::Lockstep => period,
    };
    Some((Nanos(start.0.saturating_add(period.0 / 2)), period.max(of_pictures)))
}

fn started(record: &FrameRecord) -> Option<Nanos> {
    record.stages.first().map(|stage| stage.start).filter(|start| *start != Nanos::ZERO)
}

/// When the last of its stages was over.
fn ended(record: &FrameRecord) -> Nanos {
    let last = record.stages[Stage::COUNT - 1];
    plus(last.start.max(record.render_time), last.duration)
}

fn plus(start: Nanos, duration: Nanos) -> Nanos {
    Nanos(start.0.saturating_add(duration.0.max(0)))
}

fn record_spans(timeline: &mut Timeline, record: &FrameRecord, stages_done: usize) {
    timeline.deadlines.push((record.frame, record.render_time));
    for stage in Stage::ALL.into_iter().take(stages_done) {
        let timing = record.stages[stage.index()];
        if timing.start == Nanos::ZERO && timing.duration == Nanos::ZERO {
            continue;
        }
        timeline.spans.push(Span {
            work: Work::Stage(stage),
            frame: record.frame,
            from: timing.start,
            to: plus(timing.start, timing.duration),
            picture: None,
        });
    }
}

/// What observers of the lockstep did between two meetings: each read the frame that the first of them published.
fn read_spans<'a>(timeline: &mut Timeline, entries: impl Iterator<Item = &'a Entry>) {
    let mut before: Option<&FrameRecord> = None;
    for record in entries.map(|entry| &entry.record) {
        let Some(before) = before.replace(record).filter(|before| before.frame.0 + 1 == record.frame.0)
        else {
            continue;
        };
        let from = lockstep::met_at(before);
        for (number, party) in lockstep::observers(record, Some(before)) {
            // In another handoff there was nothing to read.
            if before.observer_waits.iter().any(|(own, _)| own == number) {
                let (to, work) = (plus(from, party.worked), Work::Read(number as u8));
                timeline.spans.push(Span { work, frame: before.frame, from, to, picture: None });
            }
        }
    }
}

/// The frame's picture; of several the first, which is kept for as long as the frame is.
fn render_spans(timeline: &mut Timeline, entry: &Entry) {
    if let Some(render) = &entry.render {
        timeline.spans.extend(picture_spans(render, (entry.tries > 1).then_some(1)));
    }
}

/// The pictures that frames of the free handoff were drawn in again.
fn again_spans(timeline: &mut Timeline, view: &View<'_>, from: Nanos, to: Nanos) {
    let run = view.selection.run(view.history);
    let pictures = view.selection.history(view.history).pictures().worked_within(run, from, to);
    for picture in pictures.filter(|picture| picture.record.again) {
        timeline.spans.extend(picture_spans(&picture.record, Some(picture.nth)));
    }
}

fn picture_spans(render: &RenderRecord, picture: Option<u32>) -> impl Iterator<Item = Span> {
    let frame = render.frame;
    [(Work::Batch, render.batch_start, render.batch), (Work::Submit, render.submit_start, render.submit)]
        .into_iter()
        .filter(|(_, from, _)| *from != Nanos::ZERO)
        .map(move |(work, from, took)| Span { work, frame, from, to: plus(from, took), picture })
}

/// What lies on the same point as the part of its kind before it is left out.
fn pass_spans(timeline: &mut Timeline, view: &View<'_>, from: Nanos, to: Nanos, least: Nanos) {
    let run = view.selection.run(view.history);
    let mut ends = [i64::MIN; 3];
    for pass in view.selection.history(view.history).passes().within(run, from, to) {
        let parts = [
            (PassPart::Logic, Some(pass.logic)),
            (PassPart::Layout, pass.layout),
            (PassPart::Paint, pass.paint),
        ];
        for ((part, stretch), end) in parts.into_iter().zip(&mut ends) {
            let Some(stretch) = stretch.filter(|stretch| reaches_into(stretch, from, to)) else { continue };
            let is_short = stretch.duration < least;
            if is_short && stretch.start.0 >= *end && stretch.start.0.saturating_sub(*end) < least.0 {
                continue;
            }
            *end = stretch.end().0;
            timeline.passes.push(PassSpan {
                part,
                from: stretch.start,
                to: stretch.end(),
                shown: pass.shown,
            });
        }
    }
}

fn reaches_into(stretch: &Stretch, from: Nanos, to: Nanos) -> bool {
    stretch.end() >= from && stretch.start <= to
}

fn tick_spans(timeline: &mut Timeline, view: &View<'_>) {
    let Some(details) = view.live.details else { return };
    let frame = view.live.details_frame;
    // Rows of a frame that is not on show, or not of this run, would lie elsewhere.
    if !timeline.deadlines.iter().any(|(shown, _)| *shown == frame) {
        return;
    }
    timeline.spans.extend(details.ticks.iter().filter(|row| row.start != Nanos::ZERO).map(|row| Span {
        work: Work::Tick(row.tick),
        frame,
        from: row.start,
        to: plus(row.start, row.duration),
        picture: None,
    }));
}

fn published(record: &FrameRecord) -> Nanos {
    let stage = record.stages[Stage::EndRenderFrame.index()];
    plus(stage.start, stage.duration)
}

fn ending(frames: &RunFrames<'_>, entry: &Entry) -> Option<Ending> {
    let own = published(&entry.record);
    let (end, at) = match entry.fate {
        Fate::Shown { at } => (End::Shown, at),
        Fate::Dropped { by } => {
            let replaced_at = frames.position(by).and_then(|position| frames.at(position));
            (End::Dropped { by }, replaced_at.map_or(own, |by| published(&by.record)))
        }
        Fate::Abandoned => (End::Abandoned, own),
        Fate::Pending | Fate::InFlight | Fate::Rendered | Fate::Unseen | Fate::Undrawn => return None,
    };
    Some(Ending { end, frame: entry.frame(), published: own, at })
}

/// Leaves out what would lie on the same point as the work of its kind before it.
fn thin(spans: &mut Vec<Span>, least: Nanos) {
    let kind = |work: Work| match work {
        Work::Stage(stage) => stage.index(),
        Work::Tick(_) => Stage::COUNT,
        Work::Batch => Stage::COUNT + 1,
        Work::Submit => Stage::COUNT + 2,
        Work::Read(number) => Stage::COUNT + 3 + usize::from(number),
    };
    let mut ends = [i64::MIN; Stage::COUNT + 3 + MOST_OBSERVERS];
    spans.retain(|span| {
        let end = &mut ends[kind(span.work)];
        let is_short = span.to.0.saturating_sub(span.from.0) < least.0;
        let is_covered = is_short && span.from.0 >= *end && span.from.0.saturating_sub(*end) < least.0;
        if !is_covered {
            *end = span.to.0;
        }
        !is_covered
    });
}
