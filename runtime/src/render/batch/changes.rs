//! What of a batch's instances is not what it was in the picture before: only that has to be copied. Pure.
//!
//! All lists of a batch are looked at as one row, in the order in which they lie in an instance buffer. A buffer was last
//! filled some pictures ago; it lacks what changed since, and what has moved along the row.

use std::ops::Range;

use super::{Instance, MeshKind, Meshes, Part};

/// Instances that are compared, and copied, together: 3 KiB. Those that moved differ in their first bytes, so comparing
/// costs something only where it saves a copy.
const CHUNK: usize = 64;
/// The lists of a batch.
const LISTS: usize = MeshKind::COUNT * Part::ALL.len();

/// The instances of the newest picture, and in which picture each stretch of them last changed.
#[derive(Debug)]
pub struct Changes {
    lists: Meshes,
    // Counted from 1.
    picture: u64,
    changed_in: [Vec<u64>; LISTS],
}

/// What an instance buffer holds: the instances of this picture, each list beginning there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holds {
    pub picture: u64,
    begins: [u32; LISTS],
}

impl Default for Changes {
    fn default() -> Self {
        Self { lists: Meshes::default(), picture: 0, changed_in: std::array::from_fn(|_| Vec::new()) }
    }
}

impl Changes {
    /// Takes the lists of another picture, and leaves those of the one before in their place, to be filled anew.
    pub fn take(&mut self, meshes: &mut Meshes) {
        self.picture += 1;
        let lists = meshes
            .iter()
            .zip(&self.lists)
            .flat_map(|(new, old)| Part::ALL.map(|part| (&*new[part], &*old[part])));
        for ((new, old), changed_in) in lists.zip(&mut self.changed_in) {
            changed_in.resize(new.len().div_ceil(CHUNK), 0);
            for ((at, chunk), changed_in) in new.chunks(CHUNK).enumerate().zip(changed_in) {
                let before = old.get(at * CHUNK..at * CHUNK + chunk.len());
                if before.is_none_or(|before| bytes(before) != bytes(chunk)) {
                    *changed_in = self.picture;
                }
            }
        }
        std::mem::swap(&mut self.lists, meshes);
    }

    /// All instances of the newest picture.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lists().map(<[Instance]>::len).sum()
    }

    /// What a buffer holds that has been given all it lacked.
    #[must_use]
    pub fn now(&self) -> Holds {
        let mut begins = [0; LISTS];
        let mut at = 0;
        for (begin, list) in begins.iter_mut().zip(self.lists()) {
            *begin = at;
            at += list.len() as u32;
        }
        Holds { picture: self.picture, begins }
    }

    /// Stretches of the row that a buffer lacks, in order, with where they begin in it.
    pub fn lacking(&self, holds: Option<&Holds>, mut each: impl FnMut(usize, &[Instance])) {
        let now = self.now();
        for ((idx, list), changed_in) in self.lists().enumerate().zip(&self.changed_in) {
            let begin = now.begins[idx] as usize;
            let held = holds.filter(|holds| holds.begins[idx] == now.begins[idx]);
            let Some(held) = held else {
                if !list.is_empty() {
                    each(begin, list);
                }
                continue;
            };
            let mut stretches = Stretches { changed_in, since: held.picture, at: 0 };
            while let Some(chunks) = stretches.next() {
                let range = chunks.start * CHUNK..(chunks.end * CHUNK).min(list.len());
                each(begin + range.start, &list[range]);
            }
        }
    }

    /// Every list as it stands in the row: of each mesh in turn, its parts.
    pub fn lists(&self) -> impl Iterator<Item = &[Instance]> {
        self.lists.iter().flat_map(|mesh| Part::ALL.map(|part| &*mesh[part]))
    }
}

/// Chunks beside one another that changed after a picture.
struct Stretches<'a> {
    changed_in: &'a [u64],
    since: u64,
    at: usize,
}

impl Stretches<'_> {
    fn next(&mut self) -> Option<Range<usize>> {
        let changed = |at: &usize| self.changed_in[*at] > self.since;
        let start = (self.at..self.changed_in.len()).find(changed)?;
        let end = (start..self.changed_in.len()).find(|at| !changed(at)).unwrap_or(self.changed_in.len());
        self.at = end;
        Some(start..end)
    }
}

fn bytes(instances: &[Instance]) -> &[u8] {
    bytemuck::cast_slice(instances)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::look::Look;
    use crate::scene::{Color, Pose, Shape, ShapeKind};
    use glam::Vec3;

    fn instance(x: f32) -> Instance {
        let pose = Pose { position: Vec3::new(x, 0.0, 0.0), ..Pose::default() };
        let color = Color { red: 200, green: 30, blue: 30 };
        Instance::new(&pose, &Look::from(Shape { kind: ShapeKind::Sphere { radius: 0.5 }, color }))
    }

    /// So many cubes that cast a shadow, and spheres that lie on the ground, each at its number.
    fn meshes(cubes: u16, spheres: u16) -> Meshes {
        let mut meshes = Meshes::default();
        for n in 0..cubes {
            meshes[MeshKind::Cube.idx()].parts[Part::Casting as usize].push_one(&instance(f32::from(n)));
        }
        for n in 0..spheres {
            meshes[2].parts[Part::Ground as usize].push_one(&instance(-f32::from(n)));
        }
        meshes
    }

    fn lacking(changes: &Changes, holds: Option<&Holds>) -> Vec<(usize, usize)> {
        let mut stretches = Vec::new();
        changes.lacking(holds, |begin, instances| stretches.push((begin, instances.len())));
        stretches
    }

    /// What a buffer holds that was given what it lacked.
    fn row(changes: &Changes, holds: Option<&Holds>, row: &mut Vec<Instance>) {
        row.resize(changes.count(), Instance::default());
        changes.lacking(holds, |begin, instances| {
            row[begin..begin + instances.len()].copy_from_slice(instances)
        });
    }

    #[test]
    fn an_empty_buffer_lacks_all_and_one_that_has_it_nothing() {
        let mut changes = Changes::default();
        changes.take(&mut meshes(200, 100));
        assert_eq!(changes.count(), 300);
        assert_eq!(lacking(&changes, None), [(0, 200), (200, 100)]);
        assert_eq!(lacking(&changes, Some(&changes.now())), []);
        let before = changes.now();
        changes.take(&mut meshes(200, 100));
        assert_eq!(lacking(&changes, Some(&before)), [], "the same again");
    }

    #[test]
    fn one_that_moved_is_copied_with_its_neighbours_into_every_buffer_once() {
        let mut changes = Changes::default();
        changes.take(&mut meshes(200, 100));
        let (first, other) = (changes.now(), changes.now());
        let mut moved = meshes(200, 100);
        moved[MeshKind::Cube.idx()] = Default::default();
        for n in 0..200_u16 {
            let x = if n == 70 { 0.5 } else { f32::from(n) };
            moved[MeshKind::Cube.idx()].parts[Part::Casting as usize].push_one(&instance(x));
        }
        changes.take(&mut moved.clone());
        assert_eq!(lacking(&changes, Some(&first)), [(64, 64)]);
        let second = changes.now();
        changes.take(&mut moved);
        // A buffer that slept through a picture still gets what changed in it.
        assert_eq!(lacking(&changes, Some(&second)), []);
        assert_eq!(lacking(&changes, Some(&other)), [(64, 64)]);
    }

    #[test]
    fn what_moved_along_the_row_is_copied_though_it_did_not_change() {
        let mut changes = Changes::default();
        changes.take(&mut meshes(200, 100));
        let before = changes.now();
        changes.take(&mut meshes(201, 100));
        assert_eq!(lacking(&changes, Some(&before)), [(192, 9), (201, 100)]);
        let before = changes.now();
        changes.take(&mut meshes(130, 0));
        assert_eq!(lacking(&changes, Some(&before)), [], "those that are left stand where they stood");
    }

    #[test]
    fn three_buffers_in_turn_always_come_to_hold_the_newest_picture() {
        let mut changes = Changes::default();
        let mut buffers: [(Option<Holds>, Vec<Instance>); 3] = Default::default();
        for picture in 0..60_u16 {
            // Sizes and contents that come and go.
            let mut drawn = meshes(100 + picture % 7 * 30, picture % 5 * 40);
            if picture % 3 == 0 {
                drawn[MeshKind::Cube.idx()].parts[Part::DrawnOnly as usize]
                    .push_one(&instance(f32::from(picture)));
            }
            let expected: Vec<Instance> =
                drawn.iter().flat_map(|mesh| Part::ALL.map(|part| mesh[part].to_vec())).flatten().collect();
            changes.take(&mut drawn);
            let (holds, held) = &mut buffers[usize::from(picture * picture % 3)];
            row(&changes, holds.as_ref(), held);
            *holds = Some(changes.now());
            assert_eq!(*held, expected, "picture {picture}");
        }
    }
}
