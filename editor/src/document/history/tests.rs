// Positions are set and read back, not reckoned.
#![allow(clippy::float_cmp)]

use super::*;
use crate::document::arrange::{self, Target};
use crate::document::clip;
use crate::document::component::{Component, ComponentKind, usual};
use crate::document::edit::tests::family;
use framewalk_runtime::scene::format::{parse_scene, update_scene, write_scene};
use framewalk_runtime::scene::{Body, BodyKind, Camera, Entity, EntityId, Transform};
use glam::Vec3;
use proptest::collection::vec;
use proptest::prelude::*;

fn move_to(x: f32) -> Edit {
    let transform = Transform { position: Vec3::new(x, 0.0, 0.0), ..Transform::default() };
    Edit::Place { id: EntityId(2), transform }
}

fn names(history: &History) -> Vec<&str> {
    history.names().collect()
}

#[test]
fn steps_have_names_and_can_be_jumped_to() {
    let (mut history, mut scene) = (History::default(), family());
    for seed in 1..=3 {
        history.apply(&mut scene, format!("Seed {seed}"), Edit::Seed(seed), None).expect("it fits");
    }
    assert_eq!((names(&history), history.done_count()), (vec!["Seed 1", "Seed 2", "Seed 3"], 3));
    assert_eq!(history.undo(&mut scene), Some("Seed 3"));
    assert_eq!((history.undo_name(), history.redo_name(), scene.seed), (Some("Seed 2"), Some("Seed 3"), 2));
    history.jump(&mut scene, 0);
    assert_eq!((scene.seed, history.undo(&mut scene)), (0, None));
    history.jump(&mut scene, 9);
    assert_eq!((scene.seed, history.redo(&mut scene)), (3, None));
    history.jump(&mut scene, 1);
    history.apply(&mut scene, "Other", Edit::Seed(7), None).expect("it fits");
    assert_eq!(names(&history), ["Seed 1", "Other"]);
}

#[test]
fn a_part_added_and_taken_away_in_one_gesture_is_undone_and_redone() {
    let (mut history, mut scene) = (History::default(), family());
    let kind = ComponentKind::Body;
    assert_eq!(kind.of(&scene.entities[1]), None);
    let component = Component::Body(Body::default());
    for edit in [Edit::Set { id: EntityId(2), component }, Edit::Unset { id: EntityId(2), kind }] {
        history.apply(&mut scene, "Try a body", edit, Some(Gesture(1))).expect("it fits");
    }
    assert_eq!((history.done_count(), &scene), (1, &family()));
    history.undo(&mut scene);
    assert_eq!(scene, family());
    history.redo(&mut scene);
    assert_eq!(scene, family());
}

#[test]
fn what_is_saved_is_the_scene_as_it_was_when_that_began() {
    let (mut history, mut scene) = (History::default(), family());
    let seed = |history: &mut History, scene: &mut IndexedScene, seed, gesture| {
        history.apply(scene, "Seed", Edit::Seed(seed), gesture).expect("it fits");
    };
    seed(&mut history, &mut scene, 1, Some(Gesture(1)));
    history.begin_save();
    // Of the same gesture, but not of what is being written.
    seed(&mut history, &mut scene, 2, Some(Gesture(1)));
    history.end_save(true);
    assert!(history.is_dirty());
    history.undo(&mut scene);
    assert_eq!((scene.seed, history.is_dirty()), (1, false));
    history.begin_save();
    history.undo(&mut scene);
    seed(&mut history, &mut scene, 3, None);
    history.end_save(true);
    assert!(history.is_dirty() && history.done_count() == 1, "no undo leads to what was written");
    history.begin_save();
    history.end_save(false);
    assert!(history.is_dirty(), "it could not be written");
}

#[test]
fn one_drag_is_one_step() {
    let (mut history, mut scene) = (History::default(), family());
    let mut drag = |history: &mut History, x, gesture| {
        history.apply(&mut scene, "Move E2", move_to(x), gesture).expect("it fits");
    };
    let (first, second) = (Some(Gesture(1)), Some(Gesture(2)));
    for (x, gesture) in [(1.0, first), (2.0, first), (3.0, second), (4.0, second), (5.0, None), (6.0, None)] {
        drag(&mut history, x, gesture);
    }
    assert_eq!(names(&history).len(), 4);
    let before = history.bytes();
    drag(&mut history, 7.0, Some(Gesture(3)));
    let step = history.bytes() - before;
    (0..1000).for_each(|x| drag(&mut history, x as f32, Some(Gesture(3))));
    assert_eq!(history.bytes(), before + step);
    history.jump(&mut scene, 1);
    assert_eq!(scene.entities[1].transform.position.x, 2.0);
    history.jump(&mut scene, 0);
    assert_eq!(scene, family());
}

#[test]
fn a_long_drag_of_what_was_just_added_holds_on_to_no_more_than_a_short_one() {
    let (mut history, mut scene) = (History::default(), family());
    let mut drag = |history: &mut History, near: f32| {
        let component = Component::Camera(Camera { near, ..Camera::default() });
        let edit = Edit::Set { id: EntityId(2), component };
        history.apply(&mut scene, "Change Camera of E2", edit, Some(Gesture(1))).expect("it fits");
    };
    (1..=3).for_each(|near| drag(&mut history, near as f32));
    let before = history.bytes();
    (4..=1_000).for_each(|near| drag(&mut history, near as f32));
    assert_eq!(history.bytes(), before);
    history.undo(&mut scene);
    assert_eq!(scene, family());
    history.redo(&mut scene);
    assert_eq!(scene.entities[1].camera.map(|camera| camera.near), Some(1_000.0));
}

#[test]
fn a_gesture_of_several_edits_is_taken_back_in_order() {
    let (mut history, mut scene) = (History::default(), family());
    let new = Entity { id: EntityId(9), name: "New".to_owned(), ..Entity::default() };
    let camera = |near| Component::Camera(Camera { near, ..Camera::default() });
    for edit in [
        Edit::Insert(vec![(0, new)]),
        Edit::Set { id: EntityId(9), component: camera(1.0) },
        Edit::Set { id: EntityId(9), component: camera(2.0) },
        move_to(3.0),
    ] {
        history.apply(&mut scene, "Place a camera", edit, Some(Gesture(1))).expect("it fits");
    }
    let after = scene.clone();
    assert_eq!(names(&history), ["Place a camera"]);
    history.undo(&mut scene);
    assert_eq!(scene, family());
    history.redo(&mut scene);
    assert_eq!(scene, after);
}

#[test]
fn the_saved_point_decides_what_is_dirty() {
    let (mut history, mut scene) = (History::default(), family());
    let seed = |history: &mut History, scene: &mut IndexedScene, seed| {
        history.apply(scene, "Seed", Edit::Seed(seed), Some(Gesture(1))).expect("it fits");
    };
    assert!(!history.is_dirty());
    seed(&mut history, &mut scene, 1);
    assert!(history.is_dirty());
    history.mark_saved();
    assert!(!history.is_dirty());
    // A gesture that goes on after saving is a step of its own, so that an undo leads to what was saved.
    seed(&mut history, &mut scene, 2);
    assert!(history.is_dirty());
    history.undo(&mut scene);
    assert_eq!((history.is_dirty(), scene.seed), (false, 1));
    history.undo(&mut scene);
    assert!(history.is_dirty());
    // What was saved can be reached no more.
    seed(&mut history, &mut scene, 3);
    history.undo(&mut scene);
    assert!(history.is_dirty());
}

#[test]
fn the_oldest_steps_are_forgotten_beyond_the_budget() {
    let mut scene = family();
    let mut history = History::with_budget(10_000);
    for number in 0..100 {
        let edit = Edit::Rename { id: EntityId(1), name: format!("{number:>500}") };
        history.apply(&mut scene, "Rename E1", edit, None).expect("it fits");
        assert!(history.bytes() <= 10_000 && history.undo_name().is_some());
    }
    assert_eq!(history.forgotten() as usize + history.done_count(), 100);
    assert!(history.done_count() >= 10);
    history.jump(&mut scene, 0);
    assert!(history.is_dirty() && scene.entities[0].name.len() == 500);
    // One step beyond the budget is kept: what was just done can be undone.
    let large = Edit::About("x".repeat(50_000));
    history.apply(&mut scene, "About", large, None).expect("it fits");
    let again = Edit::About(String::new());
    history.apply(&mut scene, "About", again, None).expect("it fits");
    assert_eq!(history.done_count(), 1);
}

fn named(name: &str) -> Entity {
    Entity { name: name.to_owned(), ..Entity::default() }
}

#[test]
fn with_less_memory_the_oldest_steps_are_forgotten_at_once() {
    let mut scene = family();
    let mut history = History::with_budget(usize::MAX);
    for number in 0..10 {
        let edit = Edit::Rename { id: EntityId(1), name: format!("{number:>1000}") };
        history.apply(&mut scene, "Rename E1", edit, None).expect("it fits");
    }
    history.mark_saved();
    assert_eq!((history.forgotten(), history.done_count()), (0, 10));
    history.set_budget(5_000);
    assert!(history.bytes() <= 5_000 && history.done_count() >= 3);
    assert_eq!(history.forgotten() as usize + history.done_count(), 10);
    assert!(!history.is_dirty(), "what was saved is saved");
    history.set_budget(0);
    assert_eq!(history.done_count(), 1, "what was just done can be undone");
}

/// An edit for a scene, from numbers.
pub(in crate::document) fn edit(scene: &IndexedScene, what: u8, which: usize, number: u16) -> Edit {
    let Some(entity) = scene.entities.get(which % scene.entities.len().max(1)) else {
        return Edit::Seed(number.into());
    };
    let id = entity.id;
    let x = f32::from(number) / 8.0;
    let place = usize::from(number) % scene.entities.len();
    match what % 16 {
        0 => Edit::Rename { id, name: format!("N {number}") },
        1 => Edit::Place {
            id,
            transform: Transform { position: Vec3::new(x, 0.0, -x), ..Transform::default() },
        },
        2 => Edit::Set { id, component: Component::Camera(Camera { far: x + 1.0, ..Camera::default() }) },
        3 => Edit::Set {
            id,
            component: Component::Body(Body { kind: BodyKind::Fixed, mass: x + 1.0, ..Body::default() }),
        },
        4 => Edit::Unset { id, kind: ComponentKind::ALL[usize::from(number) % 11] },
        5 => {
            let new = EntityId(1000 + u64::from(number));
            Edit::Insert(vec![(place, Entity { id: new, parent: Some(id), ..named("New") })])
        }
        6 => Edit::deletion(scene, &[id]),
        7 => Edit::Reparent { id, parent: Some(scene.entities[place].id) },
        8 => Edit::Reorder { id, place },
        9 => clip::duplicated(scene, &[id]).0,
        // What hangs together gets another place, and stands where it stood.
        10 => {
            let to = Target {
                parent: (!number.is_multiple_of(3)).then_some(scene.entities[place].id),
                before: None,
            };
            arrange::moved(scene, &[id], to).ok().flatten().unwrap_or(Edit::Seed(number.into()))
        }
        11 => {
            let mut component = usual(ComponentKind::ALL[usize::from(number) % 11]);
            if let Component::Crowd(crowd) = &mut component {
                crowd.count = 3;
            }
            Edit::Set { id, component }
        }
        12 => Edit::Several(vec![
            Edit::Reorder { id, place },
            Edit::deletion(scene, &[scene.entities[place].id]),
            Edit::Insert(vec![(0, Entity { id: EntityId(2000 + u64::from(number)), ..named("First") })]),
        ]),
        // Copied as text, and pasted; a scene that could not be played is not copied.
        13 => match clip::read(&clip::copied(scene, &[id])) {
            Ok(entities) => clip::pasted(scene, entities).0,
            Err(_) => Edit::Seed(number.into()),
        },
        14 => Edit::Several(vec![Edit::Reparent { id, parent: None }, Edit::Reorder { id, place: 0 }]),
        _ => Edit::Several(vec![Edit::Seed(number.into()), Edit::Reparent { id, parent: None }]),
    }
}

pub(in crate::document) const COMMENTED: &str = "// A scene.
( format: 1, entities: [ /* the first */ (id: 1, name: \"A\", body: None, // none
    transform: (position: (1.0, 2., 3)) ), // done

    // ---- others ----

    ( name: \"B\", id: 2, parent: 1, shape: Cube(size: (1, 1, 1), color: \"#FFFFFF\"), glow: 3 ),
    // C
    (id: 3, name: \"C\")
], ) // end
";

proptest! {
    #[test]
    fn whatever_is_done_undone_and_redone_leads_to_the_same_bytes(
        steps in vec((any::<u8>(), 0..8_usize, any::<u16>(), 0..4_u64, 0..3_u8), 1..24)
    ) {
        let opened = parse_scene(COMMENTED).expect("a scene");
        let (mut scene, mut history) = (IndexedScene::from(opened.clone()), History::default());
        for (what, which, number, gesture, undos) in steps {
            let gesture = (gesture > 0).then_some(Gesture(gesture));
            let before = scene.clone();
            let done = edit(&scene, what, which, number);
            if history.apply(&mut scene, "Step", done, gesture).is_err() {
                prop_assert_eq!(&scene, &before);
            }
            for _ in 0..undos {
                history.undo(&mut scene);
            }
            scene.assert_true();
        }
        let text = |scene: &IndexedScene| update_scene(COMMENTED, scene).expect("a scene");
        let count = history.done_count();
        let (last, last_text) = (scene.clone(), text(&scene));
        history.jump(&mut scene, 0);
        prop_assert_eq!(&*scene, &opened);
        prop_assert_eq!(text(&scene), COMMENTED);
        history.jump(&mut scene, count);
        prop_assert_eq!(&scene, &last);
        prop_assert_eq!(text(&scene), last_text.clone());
        // What was written says the scene, where it can be played.
        if let Ok(read) = parse_scene(&last_text) {
            prop_assert_eq!(write_scene(&read), write_scene(&last));
        }
        history.jump(&mut scene, usize::MAX);
        history.jump(&mut scene, 0);
        prop_assert_eq!(text(&scene), COMMENTED);
    }
}

#[test]
fn what_is_pasted_and_undone_leaves_the_bytes_and_pasted_again_gives_the_same() {
    let opened = parse_scene(COMMENTED).expect("a scene");
    let (mut scene, mut history) = (IndexedScene::from(opened), History::default());
    let text = |scene: &IndexedScene| update_scene(COMMENTED, scene).expect("a scene");
    let copied = clip::copied(&scene, &[EntityId(1)]);
    let mut paste = |scene: &mut IndexedScene| {
        let edit = clip::pasted(scene, clip::read(&copied).expect("a scene")).0;
        history.apply(scene, "Paste A", edit, None).expect("it fits");
        let pasted = text(scene);
        history.undo(scene);
        pasted
    };
    let first = paste(&mut scene);
    assert_eq!(text(&scene), COMMENTED);
    assert_eq!(paste(&mut scene), first);
    // What stood there stands there still, comments and unknown parts as well; behind it are A and B under new ids.
    let behind = first.strip_prefix(COMMENTED.split("\n], )").next().expect("a list")).expect("it begins so");
    assert!(behind.contains("parent: 4") && behind.contains("glow: 3"), "{behind}");
}
