//! A renderer that draws nothing, where there is nothing to draw with or nobody to see it.

use super::{BatchFigures, RenderError, Renderer};
use crate::handoff::FrameDescriptor;
use crate::time::FrameIndex;

/// Takes every frame, draws none, and counts what it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NullRenderer {
    pub batches: u64,
    pub submits: u64,
    /// The frame submitted last; 0 before the first.
    pub last_frame: FrameIndex,
}

impl NullRenderer {
    #[must_use]
    pub const fn new() -> Self {
        Self { batches: 0, submits: 0, last_frame: FrameIndex(0) }
    }
}

impl<S> Renderer<S> for NullRenderer {
    fn batch(&mut self, _frame: &FrameDescriptor, _snapshot: &S) -> Result<BatchFigures, RenderError> {
        self.batches += 1;
        Ok(BatchFigures::default())
    }

    fn submit(&mut self, frame: &FrameDescriptor, _snapshot: &S) -> Result<(), RenderError> {
        self.submits += 1;
        self.last_frame = frame.frame;
        Ok(())
    }
}
