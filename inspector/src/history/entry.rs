//! One frame, and what became of it.

use framewalk_runtime::frame::record::{FrameRecord, HandoffMode, RenderOutcome, RenderRecord};
use framewalk_runtime::time::{FrameIndex, Nanos};

/// What became of a frame, as far as the records say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fate {
    /// Published; nothing says yet that it was taken.
    #[default]
    Pending,
    /// It has left the slot and was not replaced, so it was taken; its render record is still to come.
    InFlight,
    /// Batch and submit both done; the window has said nothing about it.
    Rendered,
    /// Rendered, and painted by the window at `at`.
    Shown { at: Nanos },
    /// Rendered, and replaced by a newer one before the window painted it.
    Unseen,
    /// Replaced in the slot before it was taken.
    Dropped { by: FrameIndex },
    /// Free handoff: a tick that was never drawn, because a newer one was.
    Undrawn,
    /// Published, never rendered.
    Abandoned,
}

/// The colour a frame has in the strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Not drawn yet, as far as the records say, nor passed over.
    Pending,
    /// Free handoff: never drawn, which is no loss. Of several in one column those that were drawn are told.
    Undrawn,
    OnTime,
    Late,
    Abandoned,
    Dropped,
}

/// One frame, and all that is known about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    pub record: FrameRecord,
    /// Where the frame lies on the time axis: how long its run had gone on, standing still left out. Stepped frames
    /// and ticks take one period each.
    pub played: Nanos,
    pub fate: Fate,
    /// Its picture; of several in the free handoff the first.
    pub render: Option<RenderRecord>,
    /// Pictures drawn of it: more than one only in the free handoff.
    pub pictures: u32,
    /// As many were begun: those that could not be drawn too.
    pub tries: u32,
    /// Those of them that the render thread began after its own deadline, and the grid points that went by for that.
    pub late_pictures: u32,
    pub missed_pictures: u32,
    /// Those of them whose alpha was held below 1, for the tick that was due had not come.
    pub held: u32,
    /// What batch and submit of all of them took, and how long the render thread had waited before them.
    pub render_work: Nanos,
    pub render_wait: Nanos,
    /// The simulated time of the picture of it that a window showed first; none where none was, or where what it shows
    /// belongs to no moment.
    pub seen_time: Option<Nanos>,
    /// Where the frame was shown; see [`crate::stats::AnimationError`] for when it is empty.
    pub animation_error: Option<Nanos>,
}

impl Entry {
    #[must_use]
    pub const fn frame(&self) -> FrameIndex {
        self.record.frame
    }

    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        match self.fate {
            Fate::Dropped { .. } => Outcome::Dropped,
            Fate::Abandoned => Outcome::Abandoned,
            _ if self.is_late() => Outcome::Late,
            Fate::Undrawn => Outcome::Undrawn,
            // A program that hands no frames over tells nothing of drawing.
            Fate::Pending | Fate::InFlight if self.record.handoff.published > 0 => Outcome::Pending,
            _ => Outcome::OnTime,
        }
    }

    /// It reached the frame clock after its own deadline; in the free handoff, where the render thread has a clock too, also
    /// where one of its pictures did.
    #[must_use]
    pub const fn is_late(&self) -> bool {
        self.record.late || self.late_pictures > 0
    }

    pub(super) fn add_picture(&mut self, picture: &RenderRecord) {
        let is_drawn = picture.outcome == RenderOutcome::Rendered;
        self.tries = self.tries.saturating_add(1);
        self.late_pictures += u32::from(is_drawn && picture.late);
        let missed = if is_drawn { u32::try_from(picture.missed).unwrap_or(u32::MAX) } else { 0 };
        self.missed_pictures = self.missed_pictures.saturating_add(missed);
        self.pictures += u32::from(is_drawn);
        self.held += u32::from(is_drawn && picture.held);
        self.render_work += picture.batch + picture.submit - picture.flight.submit_wait;
        self.render_wait += picture.render_wait + picture.flight.wait + picture.flight.stall;
    }

    /// It takes the way of the free handoff, where nothing is dropped and much is never drawn.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.record.handoff.mode == HandoffMode::Free
    }

    /// A frame of this run that nobody is known to have taken.
    pub(super) fn waits_in(&self, run: u32) -> bool {
        self.record.run == run && self.fate == Fate::Pending
    }

    pub(super) const fn key(&self) -> (u32, FrameIndex) {
        (self.record.run, self.record.frame)
    }

    /// Nothing later is expected about it.
    pub(super) const fn is_settled(&self, windowed: bool) -> bool {
        match self.fate {
            Fate::Pending | Fate::InFlight => false,
            Fate::Rendered => !windowed,
            Fate::Shown { .. } | Fate::Unseen | Fate::Dropped { .. } | Fate::Undrawn | Fate::Abandoned => {
                true
            }
        }
    }

    /// When the picture stood on the display: the present, else the end of its submit; none where it never did.
    pub(super) fn displayed(&self, windowed: bool) -> Option<Nanos> {
        match self.fate {
            Fate::Shown { at } => Some(at),
            Fate::Rendered if !windowed => self.render.as_ref().map(RenderRecord::submitted),
            _ => None,
        }
    }
}
