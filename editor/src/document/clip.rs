//! Entities as text: what Copy puts on the clipboard, and what Paste makes of a text.
//!
//! The text is a scene, `(format: 1, entities: [...])`, and nothing else: it can be read in a message, kept in a file
//! and pasted into another project.

use std::collections::{HashMap, HashSet};

use framewalk_runtime::scene::fault::Fault;
use framewalk_runtime::scene::format::{parse_scene, write_scene};
use framewalk_runtime::scene::{Entity, EntityId, Pose, Scene, Transform};
use glam::EulerRot;

use super::edit::Edit;
use super::indexed::IndexedScene;

/// These entities and all that hangs on them as a text, in the author's order. What hung on something that is not
/// copied hangs on nothing, and stands where it stood in the world; a camera follows nobody who is not copied.
#[must_use]
pub fn copied(scene: &IndexedScene, ids: &[EntityId]) -> String {
    let family: HashSet<EntityId> = scene.with_descendants(ids.iter().copied()).into_iter().collect();
    let mut places: Vec<usize> = family.iter().filter_map(|id| scene.place(*id)).collect();
    places.sort_unstable();
    let entities = places.into_iter().map(|place| {
        let mut copy = scene.entities[place].clone();
        if copy.parent.is_some_and(|parent| !family.contains(&parent)) {
            copy.transform = in_world(scene, &copy);
            copy.parent = None;
        }
        if let Some(camera) = &mut copy.camera {
            camera.follow = camera.follow.filter(|follow| family.contains(&follow.target));
        }
        copy
    });
    write_scene(&Scene { entities: entities.collect(), ..Scene::default() })
}

/// The same place in the world for what hangs on nothing. A scale that leans is as good as can be.
fn in_world(scene: &IndexedScene, entity: &Entity) -> Transform {
    let poses =
        scene.parents(entity.id).filter_map(|id| scene.entity(id)).map(|above| above.transform.pose());
    let pose = poses.fold(entity.transform.pose(), |pose, above: Pose| above.of_child(&pose));
    if pose == entity.transform.pose() {
        return entity.transform;
    }
    let (x, y, z) = pose.rotation.to_euler(EulerRot::XYZ);
    let rotation_degrees = glam::Vec3::new(x.to_degrees(), y.to_degrees(), z.to_degrees());
    Transform { position: pose.position, rotation_degrees, scale: pose.scale }
}

/// The entities of a text, checked: together they are a scene of their own.
///
/// # Errors
/// What is wrong with the text, each with its line and column.
pub fn read(text: &str) -> Result<Vec<Entity>, Vec<Fault>> {
    let scene = parse_scene(text)?;
    if scene.entities.is_empty() {
        return Err(vec![Fault::new("it is a scene without entities: there is nothing to paste")]);
    }
    Ok(scene.entities)
}

/// What puts these entities at the end of a scene, under ids of their own: parents and whom cameras follow are those
/// among them. Also the ids of those that hang on nothing.
#[must_use]
pub fn pasted(scene: &IndexedScene, entities: Vec<Entity>) -> (Edit, Vec<EntityId>) {
    let end = scene.entities.len();
    let ids = scene.free_ids(entities.len());
    let ids: HashMap<EntityId, EntityId> = entities.iter().map(|entity| entity.id).zip(ids).collect();
    let copies: Vec<Entity> = entities.into_iter().map(|entity| renumbered(entity, &ids)).collect();
    let roots = copies.iter().filter(|copy| copy.parent.is_none()).map(|copy| copy.id).collect();
    (Edit::Insert((end..).zip(copies).collect()), roots)
}

/// What copies these entities, each with all that hangs on it and right behind it. Also the ids of the copies of those
/// that were asked for.
#[must_use]
pub fn duplicated(scene: &IndexedScene, ids: &[EntityId]) -> (Edit, Vec<EntityId>) {
    let family: HashSet<EntityId> = scene.with_descendants(ids.iter().copied()).into_iter().collect();
    let asked: HashSet<EntityId> = ids.iter().copied().collect();
    let is_top = |entity: &Entity| {
        asked.contains(&entity.id) && scene.parents(entity.id).all(|id| !asked.contains(&id))
    };
    let mut tops: Vec<&Entity> =
        ids.iter().filter_map(|id| scene.entity(*id)).filter(|top| is_top(top)).collect();
    tops.sort_by_key(|top| scene.place(top.id));
    tops.dedup_by_key(|top| top.id);
    let mut order: Vec<&Entity> = family.iter().filter_map(|id| scene.entity(*id)).collect();
    order.sort_by_key(|entity| scene.place(entity.id));
    let new_ids: HashMap<EntityId, EntityId> =
        order.iter().map(|entity| entity.id).zip(scene.free_ids(order.len())).collect();
    let mut placed = Vec::with_capacity(order.len());
    for top in &tops {
        let place = scene.place(top.id).map_or(scene.entities.len(), |place| place + 1);
        let below = scene.with_descendants([top.id]);
        let mut below: Vec<&Entity> = below.iter().filter_map(|id| scene.entity(*id)).collect();
        below.sort_by_key(|entity| scene.place(entity.id));
        for entity in below {
            let mut copy = renumbered(entity.clone(), &new_ids);
            if entity.id == top.id {
                copy.name = format!("{} copy", copy.name);
            }
            // Behind its original, and behind the copies that were put in before it.
            placed.push((place + placed.len(), copy));
        }
    }
    let selected = tops.iter().filter_map(|top| new_ids.get(&top.id).copied()).collect();
    (Edit::Insert(placed), selected)
}

fn renumbered(mut entity: Entity, ids: &HashMap<EntityId, EntityId>) -> Entity {
    let new = |id: EntityId| ids.get(&id).copied().unwrap_or(id);
    entity.id = new(entity.id);
    entity.parent = entity.parent.map(new);
    if let Some(follow) = entity.camera.as_mut().and_then(|camera| camera.follow.as_mut()) {
        follow.target = new(follow.target);
    }
    entity
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::edit::tests::family;
    use framewalk_runtime::scene::check::check_scene;

    fn ids(numbers: &[u64]) -> Vec<EntityId> {
        numbers.iter().copied().map(EntityId).collect()
    }

    #[test]
    fn what_is_pasted_has_ids_of_its_own_and_parents_and_targets_among_itself() {
        let mut scene = family();
        let text = copied(&scene, &ids(&[3, 5]));
        assert!(text.starts_with("(\n    format: 1,\n    entities: ["), "{text}");
        let (edit, roots) = pasted(&scene, read(&text).expect("a scene"));
        edit.apply(&mut scene).expect("it fits");
        assert_eq!(check_scene(&scene), []);
        let new: Vec<(u64, &str, Option<u64>)> = scene.entities[5..]
            .iter()
            .map(|entity| (entity.id.0, entity.name.as_str(), entity.parent.map(|id| id.0)))
            .collect();
        assert_eq!(new, [(6, "E5", None), (7, "E3", None), (8, "E4", Some(7))]);
        assert_eq!(roots, ids(&[6, 7]));
        let follow = scene.entities[5].camera.and_then(|camera| camera.follow).expect("it follows");
        assert_eq!(follow.target, EntityId(8), "the copy of whom it followed");
    }

    #[test]
    fn what_was_left_behind_is_neither_hung_on_nor_followed_and_the_copy_stands_where_it_stood() {
        let mut scene = family();
        for (id, x) in [(1, 2.0), (3, 0.5)] {
            scene.change(EntityId(id), |entity| entity.transform.position.x = x);
        }
        let copies = read(&copied(&scene, &ids(&[3]))).expect("a scene");
        let copy = copies.iter().find(|entity| entity.id == EntityId(3)).expect("it is there");
        assert_eq!((copy.parent, copy.transform.position), (None, glam::Vec3::X * 2.5));
        let copies = read(&copied(&scene, &ids(&[5]))).expect("a scene");
        assert_eq!(copies[0].camera.expect("a camera").follow, None);
    }

    #[test]
    fn parts_that_are_not_known_here_are_kept() {
        let text = "(format: 1, entities: [(id: 1, name: \"A\", glow: Soft(3))])";
        let (edit, _) = pasted(&family(), read(text).expect("a scene"));
        let Edit::Insert(entities) = edit else { panic!("{edit:?}") };
        assert_eq!((entities[0].1.unknown[0].name.as_str(), entities[0].1.id.0), ("glow", 6));
    }

    #[test]
    fn a_text_that_is_no_scene_is_refused_with_its_place() {
        let refused = |text| read(text).expect_err("it is refused")[0].to_string();
        assert!(refused("hello there").starts_with("1:"), "{}", refused("hello there"));
        let text = "(format: 1, entities: [\n(id: 1, name: \"A\", shape: Cub(size: (1, 1, 1)))])";
        assert!(refused(text).starts_with("2:"), "{}", refused(text));
        assert!(refused("(format: 1, entities: [])").contains("nothing to paste"));
    }

    #[test]
    fn each_copy_stands_behind_its_original_with_its_children() {
        let mut scene = family();
        let (edit, selected) = duplicated(&scene, &ids(&[3, 5, 4]));
        edit.apply(&mut scene).expect("it fits");
        let names: Vec<&str> = scene.entities.iter().map(|entity| entity.name.as_str()).collect();
        assert_eq!(names, ["E1", "E2", "E5", "E5 copy", "E3", "E3 copy", "E4", "E4"]);
        assert_eq!(selected.len(), 2);
        assert_eq!(check_scene(&scene), []);
    }
}
