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
//! - [`inbox`](mod@inbox): no slot but two buffers, for events of which none may be lost: input on its way to the simulation.
//!
//! - [`task`], [`tally`], [`sleep`]: what `jobs` is made of. A closure as a value that may borrow, the count of those
//!   that are pending, and threads that sleep until one is over or another is there.
//!
//! `unsafe` stands in [`slot`](mod@slot), [`double_buffer`](mod@double_buffer), [`ring`](mod@ring), [`inbox`](mod@inbox),
//! [`task`] and [`sleep`], and the whole of this module is model-checked under
//! `--cfg loom`.

mod counts;
pub(crate) mod idle;
pub(crate) mod sync;
mod word;

pub mod barrier;
pub mod double_buffer;
pub mod frames;
pub mod inbox;
pub mod ring;
pub mod sleep;
pub mod slot;
pub mod tally;
pub mod task;

#[cfg(all(test, loom))]
mod loom_models;
#[cfg(all(test, loom))]
mod loom_models_jobs;
#[cfg(all(test, loom))]
mod loom_models_ways;
#[cfg(all(test, not(loom)))]
mod stress;

pub use barrier::barrier;
pub use double_buffer::double_buffer;
pub use frames::{
    Blend, FrameConsumer, FrameDescriptor, FrameObserver, FrameProducer, HandoffClosed, HandoffEnds,
    HandoffStats, Held, Holder, Margin, MarginStep, Publication, PublishError, Published, Taken, TakenFrame,
    TickSpan, TicksOfFrame, Times, frame_handoff, frame_handoffs, observed_handoffs,
};
pub use inbox::{InboxReader, InboxWriter, inbox};
pub use slot::{Consumer, Producer, SlotClosed, slot};
