//! The window around the panels: menu, transport, dock, status bar, welcome page, dialogs, faces.

pub mod dialog;
pub mod dock;
pub mod fonts;
pub mod menu;
pub mod status;
pub mod toolbar;
pub mod welcome;
