//! The window around the panels: menu, transport, tabs of scenes, dock, panels in windows of their own, status bar, welcome page,
//! dialogs, palette, preferences, tour, faces.

pub mod areas;
pub mod both;
pub mod dialog;
pub mod dock;
pub mod emblem;
pub mod fonts;
pub mod menu;
pub mod naming;
pub mod palette;
pub mod preferences;
pub mod question;
pub mod status;
pub mod tabs;
pub mod toolbar;
pub mod tour;
pub mod undocked;
pub mod welcome;
