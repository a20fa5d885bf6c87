//! Drawing a frame: one renderer, two calls a frame, and a thread that makes them.

#[cfg(feature = "sim")]
pub mod batch;
pub(crate) mod begun;
pub mod flights;
pub(crate) mod frame_wait;
#[cfg(feature = "gpu")]
pub mod gpu;
pub(crate) mod guarded;
pub mod null;
pub(crate) mod own_clock;
#[cfg(feature = "sim")]
pub mod pick;
#[cfg(feature = "sim")]
pub mod picture;
pub mod thread;
pub mod timed;
#[cfg(feature = "sim")]
pub mod view;

pub use flights::{FlightLimits, Room};
pub use null::NullRenderer;
pub use thread::{RenderThread, RenderThreadDied, RenderThreadOptions, StartError};
pub use timed::Timed;

use crate::frame::record::{Flight, Presented};
use crate::handoff::FrameDescriptor;
use crate::time::{FrameIndex, Nanos};

/// Draws snapshots of type `S`; knows no thread and no simulation.
///
/// For every rendered frame `batch` is called once, then `submit` once, in frame order. An error abandons that frame
/// and the run goes on; a panic ends the thread that draws, and with it the run.
pub trait Renderer<S>: Send {
    /// On the drawing thread, before frame 1.
    fn on_start(&mut self) {}

    /// On the drawing thread, after the last frame; after a panic too.
    fn on_stop(&mut self) {}

    /// Blends, culls and gathers what is to be drawn.
    ///
    /// # Errors
    /// The frame is abandoned, without a submit.
    fn batch(&mut self, frame: &FrameDescriptor, snapshot: &S) -> Result<BatchFigures, RenderError>;

    /// Draws what was gathered.
    ///
    /// # Errors
    /// The frame is abandoned.
    fn submit(&mut self, frame: &FrameDescriptor, snapshot: &S) -> Result<(), RenderError>;

    /// Whether another picture may be begun now; looks, and waits for nothing. One that is done when its submit returns
    /// always has room.
    fn room(&mut self) -> Room {
        Room::Now
    }

    /// Pictures that were submitted and not handed out by [`Renderer::take_finished`] yet, redraws among them. One that is
    /// done when its submit returns has none.
    fn under_way(&self) -> usize {
        0
    }

    /// The oldest picture under way, once its pixels are there; looks, and waits for nothing.
    fn take_finished(&mut self) -> Option<Finished> {
        None
    }

    /// Waits until what was submitted is done; it is handed out by [`Renderer::take_finished`] then.
    fn settle(&mut self) {}

    /// How the last submit went through the GPU's queue.
    fn flight(&self) -> Flight {
        Flight::default()
    }

    /// How long the GPU was busy with the last submit, by its own clock; `None` where that cannot be told, or the picture
    /// is still under way.
    fn gpu_time(&self) -> Option<Nanos> {
        None
    }

    /// When the picture of the last submit went to a display; `None` where there is none, or it took no picture.
    fn presented(&self) -> Option<Presented> {
        None
    }

    /// Draws the last snapshot again for a changed view; no frame. True: something was drawn. Takes the view:
    /// [`Renderer::view_changed`] is false afterwards until another one comes.
    ///
    /// # Errors
    /// Logged; tried again no sooner than one period later.
    fn redraw(&mut self, snapshot: &S) -> Result<bool, RenderError> {
        let _ = snapshot;
        Ok(false)
    }

    /// Does what is asked of it beside its frames, such as saying what is drawn at a place, and waits for nothing.
    /// Called between two frames, and again soon while it is [`Attention::UnderWay`].
    fn attend(&mut self) -> Attention {
        Attention::Idle
    }

    /// A view waits to be drawn: its size, camera or selection changed since the last batch or redraw.
    fn view_changed(&mut self) -> bool {
        false
    }
}

/// A picture whose submit had returned before it was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    pub frame: FrameIndex,
    /// It was a redraw of that frame.
    pub redraw: bool,
    /// When its pixels were there; `None` where they never came, since the device went away or hung.
    pub at: Option<Nanos>,
    /// How long the GPU was busy with it, by its own clock; `None` where that cannot be told.
    pub gpu: Option<Nanos>,
}

/// What came of [`Renderer::attend`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// Nothing is asked.
    Idle,
    /// Something is asked and not answered yet.
    UnderWay,
    /// An answer was given; more may be asked.
    Answered,
}

/// What a batch gathered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchFigures {
    /// Instances to be drawn.
    pub instances: u32,
    /// Left out because the camera cannot see them.
    pub culled: u32,
}

/// Why a frame could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RenderError {
    pub message: String,
}

impl RenderError {
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}
