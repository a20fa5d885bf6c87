//! A fixed-step simulation, a newest-wins frame handoff and a render thread, every frame of it on record.
//!
//! ```text
//!   controls, input          one frame = six stages                  batch, submit
//!  ───────────────▶  sim ──────────────────────────▶  slot  ───────────────────────▶  render
//!                     │      newest wins, 3 buffers                                    │
//!                     └── FrameRecord ──▶ ring ──▶ whoever looks ◀── ring ◀── RenderRecord
//! ```
//!
//! The words are those of the glossary in `ARCHITECTURE.md`. In reading order:

#![cfg_attr(docsrs, feature(doc_cfg))]
// Tests hold literal values against exact results.
#![cfg_attr(test, allow(clippy::float_cmp))]

pub mod time;

pub mod handoff;

pub mod frame;
pub mod input;
pub mod jobs;
pub mod joining;
pub mod log_limit;

#[cfg(feature = "sim")]
pub mod scene;

#[cfg(feature = "sim")]
mod hash;

#[cfg(feature = "sim")]
pub mod interpolation;
#[cfg(feature = "sim")]
pub mod snapshot;
#[cfg(feature = "sim")]
pub mod world;

pub mod render;

#[cfg(feature = "sim")]
pub mod sim;
