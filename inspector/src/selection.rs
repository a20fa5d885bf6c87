//! Which frame is looked at: the newest, or one that stays while the run goes on.

use framewalk_runtime::frame::record::{FrameRecord, RenderRecord, ShownRecord};
use framewalk_runtime::time::FrameIndex;

use crate::history::{Entry, History};

/// Live, or frozen on a frame with a copy of the history as it stood. The copy shares what does not change.
#[derive(Clone, Debug, Default)]
pub enum Selection {
    /// The newest frame, whichever it is.
    #[default]
    Live,
    Frozen(Box<Frozen>),
}

/// A frame, and the history around it at the time it was chosen: kept however far the run goes on.
#[derive(Clone, Debug)]
pub struct Frozen {
    run: u32,
    frame: FrameIndex,
    // First and last frame of a selected stretch; the chosen frame lies in it.
    range: Option<(FrameIndex, FrameIndex)>,
    history: History,
}

impl Selection {
    /// Freezes on a frame. Of frames already kept the one is chosen without a new copy. False, and nothing changed,
    /// where the frame is held nowhere.
    pub fn select(&mut self, live: &History, run: u32, frame: FrameIndex) -> bool {
        if let Self::Frozen(frozen) = self
            && frozen.history.find(run, frame).is_some()
        {
            frozen.run = run;
            frozen.frame = frame;
            frozen.range = frozen.range.filter(|(first, last)| (*first..=*last).contains(&frame));
            return true;
        }
        if live.find(run, frame).is_none() {
            return false;
        }
        *self = Self::Frozen(Box::new(Frozen { run, frame, range: None, history: live.clone() }));
        true
    }

    /// Selects a stretch of frames, given by both ends in any order, and freezes on the one at `to`. False, and nothing
    /// changed, where that one is held nowhere.
    pub fn select_range(&mut self, live: &History, run: u32, from: FrameIndex, to: FrameIndex) -> bool {
        if !self.select(live, run, to) {
            return false;
        }
        if let Self::Frozen(frozen) = self {
            frozen.range = (from != to).then(|| (from.min(to), from.max(to)));
        }
        true
    }

    /// First and last frame of the selected stretch; none where only one frame is chosen, or none.
    #[must_use]
    pub fn range(&self) -> Option<(FrameIndex, FrameIndex)> {
        match self {
            Self::Live => None,
            Self::Frozen(frozen) => frozen.range,
        }
    }

    pub fn go_live(&mut self) {
        *self = Self::Live;
    }

    #[must_use]
    pub const fn is_live(&self) -> bool {
        matches!(self, Self::Live)
    }

    /// The chosen frame; the newest while live.
    #[must_use]
    pub fn entry<'a>(&'a self, live: &'a History) -> Option<&'a Entry> {
        match self {
            Self::Live => live.newest(),
            Self::Frozen(frozen) => frozen.history.find(frozen.run, frozen.frame),
        }
    }

    /// The history to draw: frozen with the selection.
    #[must_use]
    pub fn history<'a>(&'a self, live: &'a History) -> &'a History {
        match self {
            Self::Live => live,
            Self::Frozen(frozen) => &frozen.history,
        }
    }

    /// The run to draw.
    #[must_use]
    pub fn run(&self, live: &History) -> u32 {
        match self {
            Self::Live => live.totals().run,
            Self::Frozen(frozen) => frozen.run,
        }
    }

    /// The frozen frame; none while live.
    #[must_use]
    pub fn frozen_frame(&self) -> Option<FrameIndex> {
        match self {
            Self::Live => None,
            Self::Frozen(frozen) => Some(frozen.frame),
        }
    }

    /// Moves by so many frames of the same run, as far as there are any; from live it starts at the newest. Past the
    /// end of what was kept it goes on into what has come since.
    pub fn walk(&mut self, live: &History, steps: i64) -> Option<FrameIndex> {
        let (run, target) = self.walk_target(live, steps)?;
        self.select(live, run, target).then_some(target)
    }

    /// Where [`Selection::walk`] would go: run and frame.
    #[must_use]
    pub fn walk_target(&self, live: &History, steps: i64) -> Option<(u32, FrameIndex)> {
        let (run, frame) = match self {
            Self::Live => live.newest().map(|entry| (entry.record.run, entry.frame()))?,
            Self::Frozen(frozen) => (frozen.run, frozen.frame),
        };
        let frozen_frames = self.history(live).run(run);
        let at_end = frozen_frames.last().is_some_and(|last| last.frame() == frame);
        let frames = if steps > 0 && at_end && live.find(run, frame).is_some() {
            live.run(run)
        } else {
            frozen_frames
        };
        let position = frames.position(frame)? as i64;
        let target = position.saturating_add(steps).clamp(0, frames.len() as i64 - 1);
        Some((run, frames.at(usize::try_from(target).ok()?)?.frame()))
    }

    /// A later frame may have dropped one that is kept.
    pub fn ingest_frame(&mut self, record: &FrameRecord) {
        if let Self::Frozen(frozen) = self {
            frozen.history.note_dropped_by(record);
        }
    }

    /// The run is over: what is kept of it and was not rendered is abandoned.
    pub fn end_run(&mut self, run: u32) {
        if let Self::Frozen(frozen) = self
            && frozen.history.totals().run == run
        {
            frozen.history.end_run();
        }
    }

    /// Later news about frames that are kept reaches them too.
    pub fn ingest_render(&mut self, render: RenderRecord) {
        if let Self::Frozen(frozen) = self
            && frozen.history.find(render.run, render.frame).is_some()
        {
            frozen.history.ingest_render(render);
        }
    }

    /// As [`Selection::ingest_render`].
    pub fn ingest_shown(&mut self, shown: ShownRecord) {
        if let Self::Frozen(frozen) = self
            && frozen.history.find(shown.run, shown.frame).is_some()
        {
            frozen.history.ingest_shown(shown);
        }
    }

    /// Bytes held for the frozen copy alone: what it shares with the live history is counted there.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Live => 0,
            Self::Frozen(frozen) => frozen.history.own_bytes(),
        }
    }
}
