//! The same rules for the few entities that an edit touched, in a scene that kept all of them before it.

use super::Checker;
use super::placing::{faults_of_placed, in_range};
use super::references::{FIELD, FOLLOWS_ITSELF, absent};
use crate::scene::fault::Fault;
use crate::scene::{Entity, EntityId, Pose, Scene};

/// What [`super::check_scene`] would find wrong with these entities, by their indices, in the same words. `place_of` is
/// to find any entity's index at once: what this costs then grows with the touched ones and with how deep they hang,
/// and not with the scene.
///
/// What an edit cannot bring about is not looked for: ids that are there twice, and parents in a loop.
pub fn check_touched(
    scene: &Scene,
    touched: impl IntoIterator<Item = usize>,
    place_of: &dyn Fn(EntityId) -> Option<usize>,
) -> Vec<Fault> {
    let looked = Touched { scene, place_of };
    let mut found = Vec::new();
    for index in touched {
        let Some(entity) = scene.entities.get(index) else { continue };
        let mut checker = Checker::new(index, entity);
        checker.entity(entity);
        for (field, message) in looked.parent(entity).into_iter().chain(looked.target(entity)) {
            checker.refuse(field, message);
        }
        let placed = looked.above(entity).map(|above| above.of_child(&entity.transform.pose()));
        for (field, message) in placed.map_or_else(Vec::new, |pose| faults_of_placed(entity, &pose)) {
            checker.refuse(field, message);
        }
        found.extend(checker.found.into_iter().map(|found| found.fault));
    }
    found
}

struct Touched<'a> {
    scene: &'a Scene,
    place_of: &'a dyn Fn(EntityId) -> Option<usize>,
}

impl<'a> Touched<'a> {
    fn find(&self, id: EntityId) -> Option<&'a Entity> {
        (self.place_of)(id).and_then(|index| self.scene.entities.get(index))
    }

    /// The entity's parents, the nearest first. No chain is longer than the scene.
    fn parents(&self, entity: &'a Entity) -> impl Iterator<Item = &'a Entity> {
        let above = |entity: &'a Entity| entity.parent.and_then(|id| self.find(id));
        std::iter::successors(above(entity), move |entity| above(entity)).take(self.scene.entities.len())
    }

    fn parent(&self, entity: &Entity) -> Option<(&'static str, String)> {
        let parent = entity.parent?;
        self.find(parent).is_none().then(|| ("parent", absent(parent)))
    }

    fn target(&self, entity: &Entity) -> Option<(&'static str, String)> {
        let target = entity.camera.as_ref()?.follow.as_ref()?.target;
        let Some(followed) = self.find(target) else { return Some((FIELD, absent(target))) };
        let hangs = followed.id == entity.id || self.parents(followed).any(|above| above.id == entity.id);
        hangs.then(|| (FIELD, FOLLOWS_ITSELF.to_owned()))
    }

    /// Where its parent stands in the world; none below what is out of range: only the first of those is told.
    fn above(&self, entity: &'a Entity) -> Option<Pose> {
        let mut chain: Vec<&Entity> = self.parents(entity).collect();
        let mut pose = Pose::default();
        while let Some(parent) = chain.pop() {
            pose = Some(pose.of_child(&parent.transform.pose())).filter(in_range)?;
        }
        Some(pose)
    }
}

#[cfg(test)]
mod tests {
    use super::super::check_scene;
    use super::*;
    use crate::scene::{Camera, Follow, Shape, ShapeKind, Transform};
    use glam::Vec3;

    fn entity(id: u64, parent: Option<u64>) -> Entity {
        let parent = parent.map(EntityId);
        Entity { id: EntityId(id), name: format!("E{id}"), parent, ..Entity::default() }
    }

    fn scene() -> Scene {
        let shape =
            Some(Shape { kind: ShapeKind::Cube { size: Vec3::ONE }, color: crate::scene::Color::WHITE });
        let mut entities = vec![
            entity(1, None),
            entity(2, Some(1)),
            entity(3, Some(2)),
            entity(4, None),
            entity(5, Some(9)),
        ];
        entities[4].parent = Some(EntityId(4));
        entities[2].shape = shape;
        Scene { entities, ..Scene::default() }
    }

    #[test]
    fn every_fault_is_told_in_the_words_of_the_whole_check() {
        let follow = |target| {
            let follow = Some(Follow { target: EntityId(target), offset: Vec3::ONE });
            Some(Camera { follow, ..Camera::default() })
        };
        let far = Transform { position: Vec3::splat(90_000.0), ..Transform::default() };
        let wide = Transform { scale: Vec3::splat(900.0), ..Transform::default() };
        type Change<'a> = (&'a str, &'a dyn Fn(&mut Scene));
        let changes: [Change<'_>; 8] = [
            ("nothing", &|_| {}),
            ("no name", &|scene| scene.entities[1].name.clear()),
            ("no parent", &|scene| scene.entities[3].parent = Some(EntityId(77))),
            ("follows nobody", &|scene| scene.entities[3].camera = follow(77)),
            ("follows its child", &|scene| scene.entities[3].camera = follow(5)),
            ("follows another", &|scene| scene.entities[3].camera = follow(2)),
            ("far", &|scene| {
                scene.entities[0].transform = far;
                scene.entities[1].transform = far;
            }),
            ("wide", &|scene| {
                scene.entities[0].transform = wide;
                scene.entities[1].transform = wide;
                scene.entities[2].transform = wide;
            }),
        ];
        for (what, change) in changes {
            let mut scene = scene();
            change(&mut scene);
            let place_of = |id| scene.entities.iter().position(|entity| entity.id == id);
            let touched = check_touched(&scene, 0..scene.entities.len(), &place_of);
            assert_eq!(touched, check_scene(&scene), "{what}");
        }
    }
}
