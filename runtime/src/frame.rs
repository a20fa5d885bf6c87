//! The six stages of a frame, and what is kept about it.

pub mod details;
pub mod record;
pub mod recorder;
pub mod stage;
