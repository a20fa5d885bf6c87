//! The editor's own panels. Each reads the model and asks for actions; the inspector's panels are in its own crate.

pub mod history;
pub mod log;
pub mod outliner;
pub mod problems;
pub mod project;
pub mod properties;
