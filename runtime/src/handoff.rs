//! How state crosses a thread: one slot, newest wins, every loss known to the operation that caused it.
//!
//! Three pooled buffers go round between a producer, one atomic word and a consumer; each of the three owns exactly
//! one of them at any time, and an exchange with the word is one atomic swap. Nothing is queued, locked or allocated.
//!
//! ```text
//!   Producer ── writes ──▶ buffer ──┐  publish: swap  ┌──▶ buffer ── reads ──▶ Consumer
//!                                   ├────▶ word ◀─────┤
//!     a replaced buffer comes back ─┘   take: swap    └─ the last one taken goes back
//! ```
//!
//! - [`slot()`]: the slot itself, for any type. It serves for frames, for finished targets and for the view.
//! - [`frames`]: the slot with a descriptor and exact counts, from the simulation to the render thread.
//! - [`inbox`](mod@inbox): no slot but two buffers, for events of which none may be lost: input on its way to the simulation.
//!
//! - [`task`], [`tally`], [`sleep`]: what `jobs` is made of. A closure as a value that may borrow, the count of those
//!   that are pending, and threads that sleep until one is over or another is there.
//!
//! `unsafe` stands in [`slot`](mod@slot), [`inbox`](mod@inbox), [`task`] and [`sleep`], and the whole of this module is model-checked under
//! `--cfg loom`.

mod counts;
pub(crate) mod idle;
pub(crate) mod sync;
mod word;

pub mod frames;
pub mod inbox;
pub mod sleep;
pub mod slot;
pub mod tally;
pub mod task;

#[cfg(all(test, loom))]
mod loom_models;
#[cfg(all(test, loom))]
mod loom_models_jobs;
#[cfg(all(test, not(loom)))]
mod stress;

pub use frames::{
    FrameConsumer, FrameDescriptor, FrameProducer, HandoffClosed, HandoffStats, Holder, Published,
    TakenFrame, frame_handoff,
};
pub use inbox::{InboxReader, InboxWriter, inbox};
pub use slot::{Consumer, Producer, SlotClosed, slot};
