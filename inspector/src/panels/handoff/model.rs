//! Who holds which buffer, worked out from the records, without egui.

use framewalk_runtime::frame::record::{FrameRecord, HandoffCounts};
use framewalk_runtime::time::FrameIndex;

use crate::inspector::View;
use crate::panels::stages::equations::{self, Equation};

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
    pub counts: HandoffCounts,
    /// Which buffer each of [`Holder::ALL`] holds, from 0; none where the records do not say.
    pub buffers: [Option<u8>; 3],
    /// The newest frame that was published, and the one that it replaced.
    pub published: FrameIndex,
    pub replaced: Option<FrameIndex>,
    /// Of the frames held: shown by the window, and replaced before it showed them.
    pub shown: u64,
    pub unseen: u64,
    pub redraws: Option<u64>,
    pub equation: Equation,
}

/// The slot as it stands; with a frame chosen, as it stood at the end of that one. None while there is no frame.
#[must_use]
pub fn handoff(view: &View<'_>) -> Option<Handoff> {
    let frames = view.frames();
    let entry = view.entry()?;
    let position = frames.position(entry.frame())?;
    let is_live = view.selection.is_live();
    let newest = &entry.record;
    let counts = view.live.counts.filter(|_| is_live).unwrap_or(newest.handoff);
    let mut buffers = holders_after(newest, frames.before(position), counts.pending > 0);
    if let Some(open) = view.open().filter(|open| (3..5).contains(&open.stages_done)) {
        buffers = holders_within(open.record.figures.snapshot_buffer, newest, counts.pending > 0);
    }
    if let Some(open) = view.open().filter(|open| open.stages_done >= 5) {
        buffers = holders_after(open.record, Some(newest), counts.pending > 0);
    }
    let (shown, unseen) = frames.shown_and_unseen();
    Some(Handoff {
        counts,
        buffers,
        published: newest.frame,
        replaced: newest.replaced,
        shown,
        unseen,
        redraws: view.live.redraws.filter(|_| is_live),
        equation: equations::frames_equation(&counts),
    })
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
