use super::*;
use framewalk_runtime::scene::check::check_scene;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::scene::{EntityId, Pose};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::Rate;
use framewalk_runtime::world::HandEdit;
use proptest::collection::vec;
use proptest::prelude::*;

use super::history::tests::{COMMENTED, edit};
use crate::viewport::authored::AuthoredWorld;

fn scene(ids: &[u64]) -> Scene {
    let entities = ids.iter().map(|&id| Entity { id: EntityId(id), ..Entity::default() }).collect();
    Scene { entities, ..Scene::default() }
}

#[test]
fn a_reload_keeps_the_selection_where_it_can() {
    let mut document = Document::default();
    document.replace(scene(&[1, 2]));
    document.selection = EntityId(2).into();
    document.replace(scene(&[2, 3]));
    assert_eq!(document.selection.ids(), [EntityId(2)]);
    document.replace(scene(&[3]));
    assert!(document.selection.is_empty());
    assert_eq!(document.revision(), 3);
}

#[test]
fn a_document_is_dirty_from_its_first_edit_until_it_is_saved_or_undone() {
    let mut document = Document::default();
    document.replace(scene(&[1, 2]));
    document.selection = EntityId(2).into();
    document.apply("Delete E2", Edit::Delete(vec![EntityId(2)]), None).expect("it fits");
    assert_eq!((document.is_dirty(), document.selection.len(), document.revision()), (true, 0, 2));
    document.undo();
    assert_eq!((document.is_dirty(), document.scene(), document.revision()), (false, &scene(&[1, 2]), 3));
    document.undo();
    assert_eq!(document.revision(), 3);
    document.redo();
    document.redo();
    document.mark_saved();
    assert_eq!((document.is_dirty(), document.scene(), document.revision()), (false, &scene(&[1]), 4));
    // Selecting changes nothing, and another scene has a history of its own.
    document.selection = EntityId(1).into();
    document.replace(scene(&[5]));
    assert_eq!((document.is_dirty(), document.history().done_count()), (false, 0));
}

#[test]
fn an_undo_brings_marks_back_and_a_new_entity_with_the_same_id_has_none() {
    let mut document = Document::default();
    document.replace(scene(&[1, 2]));
    let id = EntityId(2);
    document.marks.toggle(marks::Mark::Hidden, &[id]);
    document.apply("Delete E2", Edit::Delete(vec![id]), None).expect("it fits");
    document.undo();
    assert!(document.marks.hidden.contains(&id));
    document.redo();
    let new = Entity { id, name: "New".to_owned(), ..Entity::default() };
    document.apply("Add New", Edit::Insert(vec![(1, new)]), None).expect("it fits");
    assert!(document.marks.is_empty());
}

/// What the authored world draws and lists, and says of each.
fn shown(world: &mut AuthoredWorld) -> String {
    let mut snapshot = Snapshot::default();
    world.fill(&mut snapshot);
    let stage = (snapshot.camera, snapshot.sun, snapshot.sky, snapshot.submit_load);
    let items: Vec<_> = snapshot.items.iter().collect();
    let mut text = format!("{:#?}\n{items:#?}\n{stage:#?}", world.rows());
    for item in items {
        world.observe(Some(item.entity));
        text += &format!("\n{:#?}", world.observed());
    }
    text
}

#[test]
fn a_body_that_hangs_on_another_entity_is_listed_under_it_and_hidden_with_it() {
    let text = "(format: 1, entities: [(id: 1, name: \"A\"), (id: 2, name: \"B\", parent: 1, \
                shape: Sphere(radius: 1, color: \"#ffffff\"), body: ())])";
    let mut document = Document::default();
    document.replace(parse_scene(text).expect("a scene"));
    let rate = Rate::hz(60).expect("a rate");
    let mut world = AuthoredWorld::new(document.scene(), rate, 0).expect("a world");
    let row = &world.rows()[1];
    assert_eq!((row.parent, row.under), (None, Some(EntityId(1))), "physics moves it by itself");
    world.hide(&[EntityId(1)].into(), document.indexed());
    let mut snapshot = Snapshot::default();
    world.fill(&mut snapshot);
    assert_eq!(snapshot.items.get(1).unwrap().look.shape(), None);
    let edit = Edit::Reparent { id: EntityId(2), parent: None };
    let reach = document.apply("Unparent B", edit, None).expect("it fits");
    world.follow(&document, &reach, rate).expect("a world");
    world.hide(&[EntityId(1)].into(), document.indexed());
    world.fill(&mut snapshot);
    assert!(world.rows()[1].under.is_none() && snapshot.items.get(1).unwrap().look.shape().is_some());
}

proptest! {
    #[test]
    fn an_edit_is_checked_and_shown_as_if_the_whole_scene_were_read_anew(
        steps in vec((any::<u8>(), 0..8_usize, any::<u16>(), 0..3_u8), 1..24),
        jump in 0..24_usize,
    ) {
        let rate = Rate::hz(60).expect("a rate");
        let mut document = Document::default();
        document.replace(parse_scene(COMMENTED).expect("a scene"));
        let mut world = AuthoredWorld::new(document.scene(), rate, 0).expect("a world");
        for (what, which, number, undos) in steps {
            let step = edit(document.indexed(), what, which, number);
            let (before, mut whole) = (document.scene().clone(), document.indexed().clone());
            if let Some(entity) = before.entities.get(usize::from(number) % 16) {
                // Something is held by a handle, and let go by what comes next.
                let pose = Pose { position: glam::Vec3::splat(3.0), ..Pose::default() };
                world.preview(&[(entity.id, HandEdit::WorldPose(pose))]);
            }
            let fits = step.clone().apply(&mut whole).map(|_| check_scene(&whole));
            match (document.apply("Step", step, None), fits) {
                (Ok(reach), Ok(faults)) => {
                    prop_assert_eq!(faults, []);
                    prop_assert_eq!(document.scene(), &*whole);
                    world.follow(&document, &reach, rate).expect("a world");
                }
                (Err(EditError::Fault(text)), Ok(faults)) => {
                    let mut told: Vec<&str> = text.lines().collect();
                    let mut whole: Vec<String> = faults.iter().map(Fault::sentence).collect();
                    told.sort_unstable();
                    whole.sort_unstable();
                    prop_assert_eq!(told, whole);
                    prop_assert_eq!(document.scene(), &before);
                }
                (refused, fits) => prop_assert_eq!(refused.map(|_| ()), fits.map(|_| ())),
            }
            for _ in 0..undos {
                let reach = document.undo();
                world.follow(&document, &reach, rate).expect("a world");
            }
            world.follow(&document, &Reach::default(), rate).expect("a world");
            document.indexed().assert_true();
            let mut fresh = AuthoredWorld::new(document.scene(), rate, 0).expect("a world");
            prop_assert_eq!(shown(&mut world), shown(&mut fresh));
        }
        // Several steps at once, back and forth.
        for count in [jump / 2, jump, 0, 24, jump] {
            let reach = document.jump(count);
            world.follow(&document, &reach, rate).expect("a world");
            document.indexed().assert_true();
            let mut fresh = AuthoredWorld::new(document.scene(), rate, 0).expect("a world");
            prop_assert_eq!(shown(&mut world), shown(&mut fresh));
        }
    }
}
