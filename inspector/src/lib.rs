//! Turns frame records into pictures and numbers, in any egui program.
//!
//! ```text
//!   FrameRecord ──▶ Inspector::ingest_frame ─┐
//!   RenderRecord ─▶ Inspector::ingest_render ├─▶ History ─▶ Selection ─▶ panels ─▶ InspectorAction
//!   ShownRecord ──▶ Inspector::ingest_shown ─┘     (bounded)   (live or frozen)
//! ```
//!
//! It sees plain records, never a thread, a world or an editor: `examples/other_program.rs` feeds it those of a frame
//! loop that has nothing to do with this project. In reading order:

pub mod live;
pub mod theme;

pub mod comparison;
pub mod history;
pub mod selection;
pub mod stats;
pub mod view;

pub mod glossary;
pub mod inspector;
pub mod panels;
pub mod wording;

pub use inspector::Inspector;
pub use live::{InspectorAction, JobsView, KeyNames, LiveView, OnScreen, OpenFrame, RunPhase};
pub use panels::Panel;
pub use theme::Theme;
