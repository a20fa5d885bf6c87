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

mod file;
pub(crate) mod read;
pub(crate) mod write;

pub use read::{FORMAT, Misread, Misreadings, read_part, trimmed};
pub use write::write_scene;

use super::check::{Found, check_entity, check_found};
use super::fault::Fault;
use super::{Entity, EntityId, Scene};
use file::{FileEntity, FileScene};
use read::{begun, check_format, offset_in, without_mark};
use ron::value::RawValue;
use serde::Deserialize;

/// Reads a scene and checks it: what comes back can be played.
///
/// # Errors
/// Everything that is wrong, each with its line and column, in the order of the text. A text that RON cannot read
/// at all ends at its first error; otherwise every entity and every component is read on its own.
pub fn parse_scene(text: &str) -> Result<Scene, Vec<Fault>> {
    let source = without_mark(text);
    let file = read_file(source).map_err(|misread| {
        let mut only = Misreadings::of(source);
        only.push(misread);
        only.in_order()
    })?;

    let mut scene = Scene { seed: file.seed, about: file.about, entities: Vec::new() };
    let mut places = Vec::new();
    let mut misreadings = Misreadings::of(source);
    for raw in file.entities {
        let Read { entity, places: parts, misread } = read_entity(source, begun(raw));
        if misread.is_empty()
            && let Some(entity) = entity
        {
            places.push(parts);
            scene.entities.push(entity);
        }
        misread.into_iter().for_each(|misread| misreadings.push(misread));
    }

    // With an entity missing, a reference to it would be reported as a fault of its own: only what stands on its own
    // is checked then.
    let found = if misreadings.is_empty() {
        check_found(&scene)
    } else {
        scene.entities.iter().enumerate().flat_map(|(index, entity)| check_entity(index, entity)).collect()
    };
    found.into_iter().for_each(|found| misreadings.push(placed(found, &places)));
    if misreadings.is_empty() { Ok(scene) } else { Err(misreadings.in_order()) }
}

fn read_file(source: &str) -> Result<FileScene<'_>, Misread> {
    match read_part::<FileScene<'_>>(source, source) {
        Ok(file) if file.format == FORMAT => Ok(file),
        // What this program cannot read may be what a newer one wrote.
        other => check_format(source, "scene").and(other),
    }
}

/// One entity as far as it could be read.
struct Read {
    entity: Option<Entity>,
    places: Places,
    misread: Vec<Misread>,
}

/// At which byte an entity and its components begin.
struct Places {
    entity: usize,
    parts: Vec<(&'static str, usize)>,
}

fn read_entity(source: &str, part: &str) -> Read {
    let mut reader = Components {
        source,
        owner: String::new(),
        places: Places { entity: offset_in(source, part), parts: Vec::new() },
        misread: Vec::new(),
    };
    let entity = match read_part::<FileEntity<'_>>(source, part) {
        Err(misread) => {
            reader.misread.push(misread);
            None
        }
        Ok(file) => {
            reader.owner = super::check::label(&file.name, EntityId(file.id));
            Some(Entity {
                id: EntityId(file.id),
                parent: file.parent.map(EntityId),
                transform: reader
                    .component::<file::FileTransform, _>("transform", file.transform)
                    .unwrap_or_default(),
                shape: reader.component::<file::FileShape, _>("shape", file.shape),
                body: reader.component::<file::FileBody, _>("body", file.body),
                motion: reader.component::<file::FileMotion, _>("motion", file.motion),
                spawner: reader.component::<file::FileSpawner, _>("spawner", file.spawner),
                teleporter: reader.component::<file::FileTeleporter, _>("teleporter", file.teleporter),
                controlled: reader.component::<file::FileControlled, _>("controlled", file.controlled),
                camera: reader.component::<file::FileCamera, _>("camera", file.camera),
                sun: reader.component::<file::FileSun, _>("sun", file.sun),
                sky: reader.component::<file::FileSky, _>("sky", file.sky),
                load: reader.component::<file::FileLoad, _>("load", file.load),
                name: file.name,
            })
        }
    };
    Read { entity, places: reader.places, misread: reader.misread }
}

/// Reads the components of one entity, keeping their places and faults.
struct Components<'a> {
    source: &'a str,
    owner: String,
    places: Places,
    misread: Vec<Misread>,
}

impl<'a> Components<'a> {
    fn component<File, Value>(&mut self, name: &'static str, raw: Option<&'a RawValue>) -> Option<Value>
    where
        File: Deserialize<'a> + Into<Value>,
    {
        let part = begun(raw?);
        self.places.parts.push((name, offset_in(self.source, part)));
        match read_part::<File>(self.source, part) {
            Ok(file) => Some(file.into()),
            Err(Misread { offset, fault }) => {
                let fault = Fault { entity: Some(self.owner.clone()), ..fault.in_field(name) };
                self.misread.push(Misread { offset, fault });
                None
            }
        }
    }
}

/// The fault with the place of its component, or of its entity.
fn placed(found: Found, places: &[Places]) -> Misread {
    let places = &places[found.index];
    let component = found.fault.field.as_deref().and_then(|field| field.split('.').next());
    let part = places.parts.iter().find(|(name, _)| Some(*name) == component);
    Misread { offset: part.map_or(places.entity, |(_, offset)| *offset), fault: found.fault }
}

#[cfg(test)]
mod tests;
