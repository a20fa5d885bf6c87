//! What needs no window: tables of literal values, and histories told frame by frame.

#[path = "pure/comparison.rs"]
mod comparison;
#[path = "pure/decimate.rs"]
mod decimate;
#[path = "pure/free.rs"]
mod free;
#[path = "pure/glossary.rs"]
mod glossary;
#[path = "pure/history.rs"]
mod history;
#[path = "pure/lanes.rs"]
mod lanes;
#[path = "pure/limits.rs"]
mod limits;
#[path = "pure/pictures.rs"]
mod pictures;
#[path = "pure/scale.rs"]
mod scale;
#[path = "pure/selection.rs"]
mod selection;
#[path = "pure/stats.rs"]
mod stats;
#[path = "pure/theme.rs"]
mod theme;
#[path = "pure/threads.rs"]
mod threads;
#[path = "pure/undrawn.rs"]
mod undrawn;
#[path = "pure/wording.rs"]
mod wording;
