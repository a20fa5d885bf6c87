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

pub use read::{FORMAT, part_place, read_part, trimmed};
pub use write::write_scene;

use super::check::{Found, check_entity, check_found};
use super::fault::Fault;
use super::{Entity, EntityId, Scene};
use file::{FileEntity, FileScene};
use read::{check_format, offset_in, place_of, without_mark};
use ron::value::RawValue;
use serde::Deserialize;

/// Reads a scene and checks it: what comes back can be played.
///
/// # Errors
/// Everything that is wrong, each with its line and column, in the order of the text. A text that RON cannot read
/// at all ends at its first error; otherwise every entity and every component is read on its own.
pub fn parse_scene(text: &str) -> Result<Scene, Vec<Fault>> {
    let source = without_mark(text);
    check_format(source, "scene").map_err(|fault| vec![fault])?;
    let file: FileScene<'_> = read_part(source, source).map_err(|fault| vec![fault])?;

    let mut scene = Scene { seed: file.seed, about: file.about, entities: Vec::new() };
    let mut places = Vec::new();
    let mut faults = Vec::new();
    for raw in file.entities {
        let Read { entity, places: parts, faults: broken } = read_entity(source, trimmed(raw));
        if broken.is_empty()
            && let Some(entity) = entity
        {
            places.push(parts);
            scene.entities.push(entity);
        }
        faults.extend(broken);
    }

    // With an entity missing, a reference to it would be reported as a fault of its own: only what stands on its own
    // is checked then.
    let found = if faults.is_empty() {
        check_found(&scene)
    } else {
        scene.entities.iter().enumerate().flat_map(|(index, entity)| check_entity(index, entity)).collect()
    };
    faults.extend(found.into_iter().map(|found| placed(source, found, &places)));
    if faults.is_empty() {
        return Ok(scene);
    }
    faults.sort_by_key(|fault| (fault.line, fault.column));
    Err(faults)
}

/// One entity as far as it could be read.
struct Read {
    entity: Option<Entity>,
    places: Places,
    faults: Vec<Fault>,
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
        faults: Vec::new(),
    };
    let entity = match read_part::<FileEntity<'_>>(source, part) {
        Err(fault) => {
            reader.faults.push(fault);
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
    Read { entity, places: reader.places, faults: reader.faults }
}

/// Reads the components of one entity, keeping their places and faults.
struct Components<'a> {
    source: &'a str,
    owner: String,
    places: Places,
    faults: Vec<Fault>,
}

impl<'a> Components<'a> {
    fn component<File, Value>(&mut self, name: &'static str, raw: Option<&'a RawValue>) -> Option<Value>
    where
        File: Deserialize<'a> + Into<Value>,
    {
        let part = trimmed(raw?);
        self.places.parts.push((name, offset_in(self.source, part)));
        match read_part::<File>(self.source, part) {
            Ok(file) => Some(file.into()),
            Err(fault) => {
                self.faults.push(Fault { entity: Some(self.owner.clone()), ..fault.in_field(name) });
                None
            }
        }
    }
}

/// The fault with the place of its component, or of its entity.
fn placed(source: &str, found: Found, places: &[Places]) -> Fault {
    let Some(places) = found.index.and_then(|index| places.get(index)) else { return found.fault };
    let component = found.fault.field.as_deref().and_then(|field| field.split('.').next());
    let part = places.parts.iter().find(|(name, _)| Some(*name) == component);
    found.fault.at(place_of(source, part.map_or(places.entity, |(_, offset)| *offset)))
}

#[cfg(test)]
mod tests;
