//! The program `framewalk`: a command line, behind which lies the editor.
//!
//! ```text
//!   window ──▶ app ──▶ panels, viewport, inspector ──▶ Action ──▶ command::dispatch ──▶ document, session
//!                        (read the model)                            (the only changes)        │
//!                                                                                   LiveRun: sim + render threads
//! ```
//!
//! Only this crate does I/O. In reading order:

pub mod audio;
pub mod cli;
pub mod interrupt;
pub mod outcome;
pub mod play;
pub mod window;

pub mod app;
pub mod command;
pub mod cores;
pub mod document;
pub mod gamepads;
pub mod project;
pub mod session;
pub mod settings;

pub mod log_lines;
pub mod panels;
pub mod shell;
pub mod stamp;
pub mod viewport;
