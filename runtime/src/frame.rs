//! The six stages of a frame, and what is kept about it.

#[cfg(feature = "sim")]
pub mod agents;
#[cfg(feature = "sim")]
pub mod application;
#[cfg(feature = "sim")]
pub mod core;
pub mod details;
pub mod record;
pub mod recorder;
#[cfg(feature = "sim")]
pub mod sounds;
pub mod stage;
pub mod stall_log;
pub mod zones;
