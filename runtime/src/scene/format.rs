//! RON text ↔ scene.
//!
//! ```ron
//! (
//!     format: 1,
//!     entities: [
//!         (id: 3, name: "Mover", shape: Cube(size: (1, 1, 1), color: "#2bb58a"), motion: Steady(velocity: (1, 0, 0))),
//!     ],
//! )
//! ```
//!
//! A component that an entity lacks is not written, nor is a field that has its default. Positions and sizes are
//! metres, angles degrees, times what the field's name says.

mod canonical;
mod components;
pub(crate) mod fields;
pub(super) mod form;
pub(crate) mod read;
pub(super) mod scene;
pub(super) mod update;
pub(crate) mod write;

pub use canonical::format_text;
pub use read::{FORMAT, Misread, Misreadings, read_part, trimmed};
pub use scene::{SceneReading, read_scene};
pub use update::{update_scene, update_scene_telling};
pub use write::write_scene;

use super::Scene;
use super::fault::Fault;

/// Reads a scene and checks it: what comes back can be played.
///
/// # Errors
/// Everything that is wrong, each with its line and column, in the order of the text.
pub fn parse_scene(text: &str) -> Result<Scene, Vec<Fault>> {
    read_scene(text).map(|reading| reading.scene)
}

#[cfg(test)]
mod tests;
