//! Which way frames take and how it stands, worked out from the records, without egui.

pub mod free;
pub mod lockstep;

use framewalk_runtime::frame::record::{FrameRecord, HandoffCounts, HandoffMode};
use framewalk_runtime::time::{FrameIndex, Nanos};

use self::free::Free;
use self::lockstep::{Lockstep, Meeting};
use crate::history::{Entry, RunFrames};
use crate::live::RunPhase;
use crate::panels::stages::equations::{Equation, frames_equation};
use crate::stats::Summary;
use crate::view::View;

/// Frames of which waits are summed up, the chosen one last: some seconds of them.
pub const FRAMES_SUMMED: usize = 1_000;

/// Who holds a buffer. Each of the three holds one, always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    Sim,
    Slot,
    Render,
}

impl Holder {
    pub const ALL: [Self; 3] = [Self::Sim, Self::Slot, Self::Render];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sim => "sim",
            Self::Slot => "slot",
            Self::Render => "render",
        }
    }
}

/// Everything the panel shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Handoff {
    pub way: Way,
    /// Another way was chosen, and is taken from the next frame on: nothing was handed over since.
    pub next: Option<HandoffMode>,
    /// Of the frames held: shown by the window, and replaced before it showed them.
    pub shown: u64,
    pub unseen: u64,
    pub redraws: Option<u64>,
    /// How late the render thread woke, of the frames summed up.
    pub wake_delays: Option<Summary>,
}

/// The chosen way, as it stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Way {
    Slot(Slot),
    Lockstep(Lockstep),
    Free(Free),
}

impl Way {
    #[must_use]
    pub const fn mode(&self) -> HandoffMode {
        match self {
            Self::Slot(_) => HandoffMode::Slot,
            Self::Lockstep(_) => HandoffMode::Lockstep,
            Self::Free(_) => HandoffMode::Free,
        }
    }

    #[must_use]
    pub const fn counts(&self) -> &HandoffCounts {
        match self {
            Self::Slot(slot) => &slot.counts,
            Self::Lockstep(lockstep) => &lockstep.counts,
            Self::Free(free) => &free.counts,
        }
    }

    #[must_use]
    pub const fn equation(&self) -> &Equation {
        match self {
            Self::Slot(slot) => &slot.equation,
            Self::Lockstep(lockstep) => &lockstep.equation,
            Self::Free(free) => &free.equation,
        }
    }
}

/// The slot: three buffers, and who holds which.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    pub counts: HandoffCounts,
    /// Which buffer each of [`Holder::ALL`] holds, from 0; none where the records do not say.
    pub buffers: [Option<u8>; 3],
    /// The newest frame that was published, and the one that it replaced.
    pub published: FrameIndex,
    pub replaced: Option<FrameIndex>,
    pub equation: Equation,
}

/// The handoff as it stands; with a frame chosen, as it stood at the end of that one. None while there is no frame.
#[must_use]
pub fn handoff(view: &View<'_>) -> Option<Handoff> {
    let frames = view.frames();
    let entry = view.entry()?;
    let position = frames.position(entry.frame())?;
    let is_live = view.selection.is_live();
    let counts = view.live.counts.filter(|_| is_live).unwrap_or(entry.record.handoff);
    let looked = Looked { view, frames, position, entry, counts };
    let way = match counts.mode {
        HandoffMode::Slot => Way::Slot(looked.slot()),
        HandoffMode::Lockstep => Way::Lockstep(looked.lockstep()),
        HandoffMode::Free => Way::Free(looked.free()),
    };
    let (shown, unseen) = frames.shown_and_unseen();
    let wake_delays = looked.waits(|entry| entry.render?.wake_delay);
    let redraws = view.live.redraws.filter(|_| is_live);
    // While it plays, the next frame is there before anybody has read of it.
    let waits = is_live && view.live.state != RunPhase::Playing;
    let next = view.live.handoff_chosen.filter(|chosen| waits && *chosen != counts.mode);
    Some(Handoff { way, next, shown, unseen, redraws, wake_delays })
}

/// The frame that is looked at, among those of its run, and the counts to show.
struct Looked<'a> {
    view: &'a View<'a>,
    frames: RunFrames<'a>,
    position: usize,
    entry: &'a Entry,
    counts: HandoffCounts,
}

impl Looked<'_> {
    fn slot(&self) -> Slot {
        let (view, counts, newest) = (self.view, self.counts, &self.entry.record);
        let mut buffers = holders_after(newest, self.frames.before(self.position), counts.pending > 0);
        if let Some(open) = view.open().filter(|open| (3..5).contains(&open.stages_done)) {
            buffers = holders_within(open.record.figures.snapshot_buffer, newest, counts.pending > 0);
        }
        if let Some(open) = view.open().filter(|open| open.stages_done >= 5) {
            buffers = holders_after(open.record, Some(newest), counts.pending > 0);
        }
        let equation = frames_equation(&counts);
        Slot { counts, buffers, published: newest.frame, replaced: newest.replaced, equation }
    }

    fn lockstep(&self) -> Lockstep {
        let (position, entry) = (self.position, self.entry);
        // The newest frame is still with the renderer: the last that both were done with says who waited.
        let looked_back = self.frames.range(position.saturating_sub(3), position + 1).rev();
        let met = looked_back.into_iter().find(|entry| entry.render.is_some()).unwrap_or(entry);
        let before = self.frames.position(met.frame()).and_then(|position| self.frames.before(position));
        let open = self.view.open().filter(|open| open.stages_done >= 3);
        let back =
            open.map_or(entry.record.figures.snapshot_buffer, |open| open.record.figures.snapshot_buffer);
        let is_whole = !self.view.totals().handoff_changed;
        Lockstep {
            counts: self.counts,
            generation: is_whole.then_some(self.counts.published),
            back: Some(back).filter(|back| *back < 2),
            meeting: Meeting::of(met, before),
            sim_waits: self.waits(|entry| Some(entry.record.sim_wait)),
            render_waits: self.waits(render_wait),
            equation: frames_equation(&self.counts),
        }
    }

    fn free(&self) -> Free {
        let (view, end) = (self.view, self.position + 1);
        let from = end.saturating_sub(FRAMES_SUMMED);
        let newest_first = self.frames.range(end.saturating_sub(64), end).rev();
        // What was drawn before was handed over another way.
        let newest_drawn =
            newest_first.take_while(|entry| entry.is_free()).find(|entry| entry.render.is_some());
        let pair = newest_drawn.and_then(|entry| {
            let first = entry.render.as_ref()?;
            // While live the newest picture, be it the third of its frame.
            let newest = view.history.newest_picture().filter(|newest| newest.frame == entry.frame());
            Some(free::pair(entry, newest.filter(|_| view.selection.is_live()).unwrap_or(first)))
        });
        let sum = |of: fn(&Entry) -> u32| {
            let free = self.frames.range(from, end).filter(|entry| entry.is_free());
            free.map(|entry| u64::from(of(entry))).sum()
        };
        Free {
            counts: self.counts,
            kept: free::kept(&self.frames, end),
            pair,
            render_waits: self.waits(render_wait),
            held: sum(|entry| entry.held),
            pictures: sum(|entry| entry.pictures),
            equation: frames_equation(&self.counts),
        }
    }

    /// The waits of the last frames that took this way, the one looked at among them.
    fn waits(&self, wait: impl Fn(&Entry) -> Option<Nanos>) -> Option<Summary> {
        let end = self.position + 1;
        let summed = self.frames.range(end.saturating_sub(FRAMES_SUMMED), end);
        let of_mode = summed.filter(|entry| entry.record.handoff.mode == self.counts.mode);
        Summary::of(&mut of_mode.filter_map(wait).collect::<Vec<_>>())
    }
}

fn render_wait(entry: &Entry) -> Option<Nanos> {
    entry.render.as_ref().map(|render| render.render_wait)
}

/// After a frame was published into its buffer. A frame before it that was replaced gave its buffer back to sim; one
/// that was not is with render, or was until render took this one.
#[must_use]
pub fn holders_after(
    record: &FrameRecord,
    before: Option<&FrameRecord>,
    is_pending: bool,
) -> [Option<u8>; 3] {
    let own = record.figures.snapshot_buffer;
    let other = before
        .filter(|before| before.frame.0.checked_add(1) == Some(record.frame.0))
        .map(|before| before.figures.snapshot_buffer)
        .filter(|other| *other != own);
    let third = other.and_then(|other| the_third(own, other));
    let (sim, rest) = if record.replaced.is_some() { (other, third) } else { (third, other) };
    if is_pending { [sim, Some(own), rest] } else { [sim, rest, Some(own)] }
}

/// While a frame is written: sim has its buffer, the frame before it is in the slot or with render.
#[must_use]
pub fn holders_within(open_buffer: u8, before: &FrameRecord, is_pending: bool) -> [Option<u8>; 3] {
    let published = before.figures.snapshot_buffer;
    let third = the_third(open_buffer, published);
    let published = Some(published).filter(|_| third.is_some());
    if is_pending { [Some(open_buffer), published, third] } else { [Some(open_buffer), third, published] }
}

/// The buffer that is neither; none where these are not two of three.
fn the_third(one: u8, other: u8) -> Option<u8> {
    (one != other && one < 3 && other < 3).then(|| 3 - one - other)
}
