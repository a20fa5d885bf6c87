//! How state crosses a thread, in three ways: a slot where the newest wins, two buffers that are exchanged at a meeting of
//! both sides, and a ring of the last four ticks. In each of them every loss is known to the operation that caused it.
//!
//! The slot: three pooled buffers go round between a producer, one atomic word and a consumer; each of the three owns exactly
//! one of them at any time, and an exchange with the word is one atomic swap. Nothing is queued, locked or allocated.
//!
//! ```text
//!   Producer ── writes ──▶ buffer ──┐  publish: swap  ┌──▶ buffer ── reads ──▶ Consumer
//!                                   ├────▶ word ◀─────┤
//!     a replaced buffer comes back ─┘   take: swap    └─ the last one taken goes back
//! ```
//!
//! - [`slot()`]: the slot itself, for any type. It serves for frames, for finished targets and for the view.
//! - [`barrier`](mod@barrier) and [`double_buffer`](mod@double_buffer): where the parties of the lockstep meet, and what
//!   they exchange there.
//! - [`ring`](mod@ring): the last four ticks, for a renderer that keeps its own time.
//! - [`frames`]: one face over the three, with a descriptor and exact counts, from the simulation to the render thread.
//!
//! `unsafe` stands in the slot, the double buffer and the ring only, and the whole of this module is model-checked under
//! `--cfg loom`.

mod counts;
pub(crate) mod idle;
mod sync;
mod word;

pub mod barrier;
pub mod double_buffer;
pub mod frames;
pub mod ring;
pub mod slot;

#[cfg(all(test, loom))]
mod loom_models;
#[cfg(all(test, not(loom)))]
mod stress;

pub use barrier::barrier;
pub use double_buffer::double_buffer;
pub use frames::{
    Blend, FrameConsumer, FrameDescriptor, FrameProducer, HandoffClosed, HandoffStats, Held, Holder,
    Publication, PublishError, Published, Taken, TakenFrame, TickSpan, frame_handoff, frame_handoffs,
};
pub use slot::{Consumer, Producer, SlotClosed, slot};
