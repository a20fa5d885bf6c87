//! Where poses lie in memory, so that a walk over all of them can be shared: each job takes the rows of its own.
//!
//! Entities with the same parts lie together, in the order in which they came. So what stands in one row after another
//! mostly lies side by side too, in strips of many; asking row by row would cost ten times as much.

use super::World;
use super::components::Placed;
use super::sweep::is_wide;
use crate::jobs::Jobs;
use crate::scene::Pose;
use std::ops::Range;

/// How the entities of a world lie at one of its revisions.
#[derive(Clone, Debug, Default)]
pub(super) struct Strips {
    /// Of the rows; 0 before there are any strips.
    revision: u64,
    /// Of one archetype after another; in each, by rising rows.
    strips: Vec<Strip>,
    archetypes: Vec<OfArchetype>,
}

/// An archetype, by its place among them, and which of the strips are its.
#[derive(Clone, Debug)]
struct OfArchetype {
    place: usize,
    strips: Range<usize>,
}

/// Entities that lie side by side and stand in rows one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Strip {
    row: usize,
    lies: usize,
    len: usize,
}

/// The poses of a world, for walks over parts of its rows on any threads.
#[derive(Clone, Copy)]
pub(crate) struct PlacedRows<'w> {
    ecs: &'w hecs::World,
    row_of: &'w [u32],
    strips: &'w Strips,
}

impl World {
    /// Whom to share a walk over all rows with; `None` where nobody is there, or it is not worth it.
    pub(crate) fn sharers(&self) -> Option<&Jobs> {
        self.jobs.as_ref().filter(|jobs| jobs.are_shared() && is_wide(self.rows.len()))
    }

    /// `None` where there is nobody to share with, and between ticks where rows have changed since the last one.
    pub(crate) fn placed_rows(&self) -> Option<(&Jobs, PlacedRows<'_>)> {
        let strips = Some(&self.strips).filter(|strips| strips.revision == self.rows_revision)?;
        Some((self.sharers()?, PlacedRows { ecs: &self.ecs, row_of: &self.row_of, strips }))
    }

    /// Finds anew how entities lie, where that has changed and somebody may want to know.
    pub(super) fn find_strips(&mut self) {
        if self.strips.revision == self.rows_revision || self.sharers().is_none() {
            return;
        }
        let Self { ecs, row_of, strips: found, rows_revision, .. } = self;
        found.revision = *rows_revision;
        found.strips.clear();
        found.archetypes.clear();
        for (place, archetype) in ecs.archetypes().enumerate() {
            if !archetype.has::<Placed>() || archetype.is_empty() {
                continue;
            }
            let first = found.strips.len();
            for (lies, id) in archetype.ids().iter().enumerate() {
                let row = row_of[*id as usize] as usize;
                match found.strips[first..].last_mut() {
                    Some(strip) if strip.row + strip.len == row => strip.len += 1,
                    _ => found.strips.push(Strip { row, lies, len: 1 }),
                }
            }
            // Where one has gone, another has taken its place.
            found.strips[first..].sort_unstable_by_key(|strip| strip.row);
            found.archetypes.push(OfArchetype { place, strips: first..found.strips.len() });
        }
    }
}

impl PlacedRows<'_> {
    /// Calls `each` with the row, the pose and the count of cuts of everything in these rows, in no order that matters.
    pub fn each(&self, rows: Range<usize>, mut each: impl FnMut(usize, &Pose, u32)) {
        for of in &self.strips.archetypes {
            let strips = &self.strips.strips[of.strips.clone()];
            let first = strips.partition_point(|strip| strip.row + strip.len <= rows.start);
            let strips = strips[first..].iter().take_while(|strip| strip.row < rows.end);
            let archetype = self.ecs.archetypes().nth(of.place).expect("archetypes stay");
            let mut placed = None;
            for strip in strips {
                let placed = placed
                    .get_or_insert_with(|| archetype.get::<&Placed>().expect("an archetype keeps its parts"));
                let from = rows.start.max(strip.row);
                let until = rows.end.min(strip.row + strip.len);
                let lies = strip.lies + (from - strip.row)..strip.lies + (until - strip.row);
                debug_assert_eq!(self.row_of[archetype.ids()[lies.start] as usize] as usize, from);
                for (row, placed) in (from..until).zip(&placed[lies]) {
                    each(row, &placed.pose, placed.cuts);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::Workers;
    use crate::jobs::thread::WorkersOptions;
    use crate::scene::{Entity, EntityId, Motion, Scene, Transform};
    use crate::time::{Rate, Tick};
    use crate::world::TickStep;
    use glam::Vec3;

    const COUNT: u64 = 3_000;

    /// Two archetypes: every third entity moves.
    fn scene() -> Scene {
        let entity = |idx: u64| Entity {
            id: EntityId(idx + 1),
            name: format!("Entity {idx}"),
            transform: Transform { position: Vec3::new(idx as f32, 0.0, 0.0), ..Transform::default() },
            motion: idx.is_multiple_of(3).then_some(Motion::Steady { velocity: Vec3::X }),
            ..Entity::default()
        };
        Scene { entities: (0..COUNT).map(entity).collect(), ..Scene::default() }
    }

    /// The rows that a walk in parts of `part` rows meets, each with its place.
    fn met(world: &World, part: usize) -> Vec<(usize, f32)> {
        let (_, placed) = world.placed_rows().expect("somebody to share with");
        let mut met = Vec::new();
        for first in (0..world.rows().len()).step_by(part) {
            let rows = first..(first + part).min(world.rows().len());
            let at = met.len();
            placed.each(rows.clone(), |row, pose, _| met.push((row, pose.position.x)));
            assert!(met[at..].iter().all(|(row, _)| rows.contains(row)));
        }
        met.sort_by_key(|(row, _)| *row);
        met
    }

    fn by_row(world: &World) -> Vec<(usize, f32)> {
        let place = |row: &super::super::Row| world.local_pose(row.id).expect("it is there").position.x;
        world.rows().iter().map(place).enumerate().collect()
    }

    #[test]
    fn a_walk_in_parts_meets_every_row_once_also_after_some_have_gone_and_come() {
        let workers = Workers::start(&WorkersOptions::of(1)).expect("a thread");
        let mut world = World::new(&scene(), Rate::HZ_60).expect("in order");
        assert!(world.placed_rows().is_none(), "nobody to share with");
        world.set_jobs(Some(workers.jobs().clone()));
        let input = &crate::input::TickInput::default();
        let tick = |world: &mut World, tick| {
            let seconds = tick as f64 / 60.0;
            world.tick(&TickStep { tick: Tick(tick), seconds, tick_rate: Rate::HZ_60, input });
        };
        tick(&mut world, 1);
        assert_eq!(met(&world, 1_024), by_row(&world));
        for id in [1, 2, 700, 2_999] {
            assert!(world.despawn(EntityId(id)));
        }
        world.spawn(&Entity { name: "New".to_owned(), ..Entity::default() }).expect("no parent is asked for");
        assert!(world.placed_rows().is_none(), "rows have changed since the last tick");
        tick(&mut world, 2);
        for part in [16, 1_000, 1_024, 5_000] {
            assert_eq!(met(&world, part), by_row(&world), "{part}");
        }
        // A copy lies otherwise than the original.
        let mut copy = world.clone();
        assert!(copy.placed_rows().is_none());
        tick(&mut copy, 3);
        assert_eq!(met(&copy, 1_024), by_row(&copy));
    }
}
