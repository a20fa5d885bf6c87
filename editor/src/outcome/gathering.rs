//! Frames and pictures as they come: each frame is told of once no other picture of it can come, and nothing is kept.

use std::collections::VecDeque;

use framewalk_runtime::frame::record::{FrameRecord, RenderRecord};

use super::figures::RunFigures;

/// A frame waits for its pictures until one of a later frame has come; where none comes, behind so many others at most. A GPU
/// that hangs for twenty seconds holds up as many at 1000 Hz.
const MOST_WAITING: usize = 20_000;

/// The figures of a run that goes on. Its memory does not grow with the run.
#[derive(Clone, Debug)]
pub struct Gathering {
    figures: RunFigures,
    // Of frames that may get pictures yet, in order, and pictures of these and of later ones.
    frames: VecDeque<FrameRecord>,
    pictures: VecDeque<RenderRecord>,
}

impl Gathering {
    /// Adds to these figures.
    #[must_use]
    pub const fn into(figures: RunFigures) -> Self {
        Self { figures, frames: VecDeque::new(), pictures: VecDeque::new() }
    }

    /// The next frame of the run.
    pub fn frame(&mut self, frame: FrameRecord) {
        self.frames.push_back(frame);
        if self.frames.len() > MOST_WAITING {
            self.settle_first();
        }
    }

    /// One more picture. They come in the order of frames.
    pub fn picture(&mut self, picture: RenderRecord) {
        self.figures.picture(&picture);
        self.pictures.push_back(picture);
        while self.frames.front().is_some_and(|frame| frame.frame < picture.frame) {
            self.settle_first();
        }
    }

    /// The oldest frame that waits will get no other pictures than those there are.
    fn settle_first(&mut self) {
        let Some(frame) = self.frames.pop_front() else { return };
        let pictures = self.pictures.make_contiguous();
        let before = pictures.iter().take_while(|picture| picture.frame < frame.frame).count();
        let own = pictures[before..].iter().take_while(|picture| picture.frame == frame.frame).count();
        self.figures.without_frame(&pictures[..before]);
        self.figures.frame(&frame, &pictures[before..before + own]);
        self.pictures.drain(..before + own);
    }

    /// Frames and pictures that are not settled yet.
    #[must_use]
    pub fn waiting(&self) -> (usize, usize) {
        (self.frames.len(), self.pictures.len())
    }

    /// The figures of all of it: no other record comes.
    #[must_use]
    pub fn finish(mut self) -> RunFigures {
        while !self.frames.is_empty() {
            self.settle_first();
        }
        self.figures.without_frame(self.pictures.make_contiguous());
        self.figures
    }
}
