//! Those of a crowd: made with the world, behind all that is authored, alike but for where they stand and how far they
//! are in their motion.

use super::build::Place;
use super::components::Spawned;
use super::motion::{Base, pose_at};
use super::random::Random;
use super::{NO_ROW, World};
use crate::scene::look::Look;
use crate::scene::{Crowd, Entity, EntityId, Motion, Pose, Scene};

impl World {
    /// Makes every crowd of a scene, in the author's order.
    pub(super) fn gather_crowds(&mut self, scene: &Scene) {
        for entity in &scene.entities {
            if let (Some(crowd), Some(handle)) = (&entity.crowd, self.ids.get(&entity.id).copied()) {
                self.gather(crowd, handle, entity);
            }
        }
    }

    fn gather(&mut self, crowd: &Crowd, by: hecs::Entity, entity: &Entity) {
        let about = self.world_pose_of(by);
        self.rows.reserve(crowd.count as usize);
        for (number, (motion, pose)) in (1..).zip(members(crowd, about, self.seed, entity.id)) {
            let member = Entity {
                name: format!("{} {number}", entity.name),
                shape: Some(crowd.shape),
                motion: Some(motion),
                ..Entity::default()
            };
            let id = EntityId(self.next_id);
            self.next_id += 1;
            let spawned = Spawned { by: Some(by), dies: None };
            self.add(&member, id, pose, (NO_ROW, None), Place::New(Some(spawned)));
        }
    }

    /// Calls `each` with the crowd, the look and the pose at Play of all that its crowds will be, where their entities
    /// stand now.
    pub(crate) fn each_to_gather(&self, mut each: impl FnMut(EntityId, Look, Pose)) {
        for (handle, crowd) in self.ecs.query::<(hecs::Entity, &Crowd)>().iter() {
            let row = self.row_of.get(handle.id() as usize);
            let Some(id) = row.and_then(|row| self.rows.get(*row as usize)).map(|row| row.id) else {
                continue;
            };
            let look = Look::of(&crowd.shape);
            for (_, pose) in members(crowd, self.world_pose_of(handle), self.seed, id) {
                each(id, look, pose);
            }
        }
    }
}

/// The motion of each of a crowd about this pose, and its pose at time 0. What they draw of chance is their own, by the
/// scene's seed and their crowd's id: nobody else's changes with their number.
fn members(
    crowd: &Crowd,
    about: Pose,
    seed: u64,
    id: EntityId,
) -> impl Iterator<Item = (Motion, Pose)> + use<> {
    let (crowd, mut random) = (*crowd, Random::from_seed(seed.rotate_left(32) ^ id.0));
    (0..crowd.count).map(move |number| {
        let place = about.of_child(&crowd.place(number));
        let seconds = f64::from(crowd.apart_seconds) * (random.signed_unit() * 0.5 + 0.5);
        ahead(&crowd.motion, &place, seconds)
    })
}

/// The motion of one that stands at `place` and is ahead by so many seconds, and its pose at time 0.
fn ahead(motion: &Motion, place: &Pose, seconds: f64) -> (Motion, Pose) {
    let base = Base::of(place);
    match *motion {
        // It swings about its place, and only begins elsewhere.
        Motion::Oscillate { amplitude, period, phase } => {
            let phase = ((f64::from(phase) + seconds / f64::from(period)) % 1.0) as f32;
            let motion = Motion::Oscillate { amplitude, period, phase };
            (motion, pose_at(&motion, &base, 0.0))
        }
        Motion::Orbit { center, axis, degrees_per_second } => {
            let motion = Motion::Orbit { center: place.position + center, axis, degrees_per_second };
            (motion, pose_at(&motion, &base, seconds))
        }
        Motion::Steady { .. } | Motion::Spin { .. } => (*motion, pose_at(motion, &base, seconds)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::TickInput;
    use crate::scene::{Color, Shape, ShapeKind, Transform};
    use crate::time::{Rate, Tick};
    use crate::world::TickStep;
    use glam::Vec3;

    const CUBE: Shape = Shape { kind: ShapeKind::Cube { size: Vec3::ONE }, color: Color::WHITE };
    const SWING: Motion = Motion::Oscillate { amplitude: Vec3::Y, period: 4.0, phase: 0.0 };

    fn scene(crowd: Crowd, seed: u64) -> Scene {
        let position = Vec3::new(10.0, 1.0, 0.0);
        let transform = Transform { position, ..Transform::default() };
        let entity = Entity {
            id: EntityId(7),
            name: "Crowd".to_owned(),
            transform,
            crowd: Some(crowd),
            ..Entity::default()
        };
        let after = Entity { id: EntityId(3), name: "After".to_owned(), ..Entity::default() };
        Scene { seed, entities: vec![entity, after], ..Scene::default() }
    }

    fn world(crowd: Crowd, seed: u64) -> World {
        World::new(&scene(crowd, seed), Rate::HZ_60).unwrap()
    }

    fn crowd(count: u32, motion: Motion, apart_seconds: f32) -> Crowd {
        Crowd { count, spacing: 2.0, shape: CUBE, motion, apart_seconds }
    }

    fn tick_to(world: &mut World, seconds: f64) {
        let input = TickInput::default();
        world.tick(&TickStep { tick: Tick(1), seconds, tick_rate: Rate::HZ_60, input: &input });
    }

    fn places(world: &World, ids: std::ops::Range<u64>) -> Vec<Vec3> {
        ids.map(|id| world.world_pose(EntityId(id)).unwrap().position).collect()
    }

    #[test]
    fn a_crowd_stands_in_rows_about_its_entity_with_ids_above_all_authored_ones() {
        let world = world(crowd(5, SWING, 0.0), 1);
        assert_eq!(world.entity_count(), 7);
        let at = |x: f32, z: f32| Vec3::new(10.0 + x, 1.0, z);
        assert_eq!(
            places(&world, 8..13),
            [at(-2.0, -1.0), at(0.0, -1.0), at(2.0, -1.0), at(-2.0, 1.0), at(0.0, 1.0)]
        );
        assert_eq!(world.find("Crowd 5"), Some(EntityId(12)));
    }

    #[test]
    fn all_of_a_crowd_move_and_apart_they_move_differently_but_by_the_seed_alike_each_time() {
        let heights = |apart, seed| {
            let mut world = world(crowd(40, SWING, apart), seed);
            tick_to(&mut world, 1.0);
            places(&world, 8..48).iter().map(|place| place.y).collect::<Vec<_>>()
        };
        // A quarter of the period is the top of the swing, for all that are in step.
        assert!(heights(0.0, 1).iter().all(|y| (y - 2.0).abs() < 1e-6));
        let apart = heights(4.0, 1);
        assert!(apart.iter().all(|y| (0.0..=2.0).contains(y)), "about their places: {apart:?}");
        let (low, high) =
            (apart.iter().filter(|y| **y < 0.5).count(), apart.iter().filter(|y| **y > 1.5).count());
        assert!(low > 5 && high > 5, "{apart:?}");
        assert_eq!(apart, heights(4.0, 1));
        assert_ne!(apart, heights(4.0, 2));
    }

    #[test]
    fn those_that_orbit_go_about_a_place_beside_their_own() {
        let orbit = Motion::Orbit { center: Vec3::X, axis: Vec3::Y, degrees_per_second: 180.0 };
        let mut world = world(crowd(4, orbit, 0.0), 1);
        let before = places(&world, 8..12);
        tick_to(&mut world, 1.0);
        for (before, after) in before.iter().zip(places(&world, 8..12)) {
            assert!((after - (*before + Vec3::X * 2.0)).length() < 1e-5, "{before} {after}");
        }
    }

    #[test]
    fn a_standing_world_has_the_crowd_alone_and_shows_those_of_it_where_they_will_be_at_play() {
        let of = crowd(5, SWING, 4.0);
        let played = world(of, 9);
        let standing = World::standing(&scene(of, 9), Rate::HZ_60).unwrap();
        assert_eq!((standing.entity_count(), standing.find("Crowd 1")), (2, None));
        let mut shown = Vec::new();
        standing.each_to_gather(|id, look, pose| shown.push((id, look.is_something(), pose.position)));
        let expected: Vec<_> =
            places(&played, 8..13).into_iter().map(|place| (EntityId(7), true, place)).collect();
        assert_eq!(shown, expected);
    }
}
