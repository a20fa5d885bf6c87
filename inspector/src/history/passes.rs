//! The newest passes of the window, bounded; shared with copies of the history as its frames are.

use framewalk_runtime::time::{FrameIndex, Nanos};

use super::History;
use super::ring::SharedRing;

/// How many passes are kept: a minute of them at 60 Hz. Older ones go.
pub const PASSES_KEPT: usize = 4_096;

/// A stretch of time on the window's thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// On the clock of the records.
    pub start: Nanos,
    pub duration: Nanos,
}

impl Stretch {
    #[must_use]
    pub const fn between(start: Nanos, end: Nanos) -> Self {
        let duration = end.0.saturating_sub(start.0);
        Self { start, duration: Nanos(if duration > 0 { duration } else { 0 }) }
    }

    #[must_use]
    pub const fn end(&self) -> Nanos {
        Nanos(self.start.0.saturating_add(self.duration.0))
    }
}

/// One pass of the window, as far as the program measured it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowPass {
    /// The run that went on meanwhile.
    pub run: u32,
    /// Everything that is done before the panels: records taken in, input sent on.
    pub logic: Stretch,
    /// The panels, and what was asked for in them. None where nothing was painted.
    pub layout: Option<Stretch>,
    /// From then until the picture of the window was handed over: shapes cut into triangles, given to the graphics device,
    /// and whatever the display made it wait. None where the program does not know.
    pub paint: Option<Stretch>,
    /// The frame that was painted for the first time.
    pub shown: Option<FrameIndex>,
}

impl WindowPass {
    fn end(&self) -> Nanos {
        self.paint.or(self.layout).unwrap_or(self.logic).end()
    }
}

/// Passes in the order in which they were made.
#[derive(Clone, Debug)]
pub struct Passes {
    ring: SharedRing<WindowPass>,
}

impl Default for Passes {
    fn default() -> Self {
        Self { ring: SharedRing::new(PASSES_KEPT) }
    }
}

impl Passes {
    pub(super) fn push(&mut self, pass: WindowPass) {
        self.ring.push(pass);
    }

    /// Those of a run of which some part lies between two times, oldest first.
    pub fn within(&self, run: u32, from: Nanos, to: Nanos) -> impl Iterator<Item = &WindowPass> {
        let (mut low, mut high) = (self.ring.first(), self.ring.next());
        let is_before = |index| {
            self.ring.get(index).is_some_and(|pass: &WindowPass| (pass.run, pass.end()) < (run, from))
        };
        while low < high {
            let middle = low + (high - low) / 2;
            if is_before(middle) { low = middle + 1 } else { high = middle }
        }
        (low..self.ring.next())
            .map_while(|index| self.ring.get(index))
            .take_while(move |pass| pass.run == run && pass.logic.start <= to)
    }

    /// Bytes taken for passes, shared with copies or not.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.ring.bytes()
    }

    /// Bytes that no copy shares.
    #[must_use]
    pub fn own_bytes(&self) -> usize {
        self.ring.own_bytes()
    }
}

impl History {
    /// Takes a pass of the window, in the order in which they were made. Nothing but the Timeline panel shows it: to the
    /// others nothing has changed.
    pub fn ingest_pass(&mut self, pass: WindowPass) {
        self.passes.push(pass);
    }

    /// The newest passes of the window.
    #[must_use]
    pub const fn passes(&self) -> &Passes {
        &self.passes
    }
}
