use super::*;
use framewalk_runtime::scene::{Body, BodyKind, Camera, Color, Follow, Load, Scene, Shape, ShapeKind};
use framewalk_runtime::time::Nanos;
use glam::Vec3;

fn id(number: u64) -> EntityId {
    EntityId(number)
}

/// Four entities: 2 and 3 hang on 1, 4 on 3; a camera on 5 follows 4.
pub(in crate::document) fn family() -> IndexedScene {
    let entity = |number, parent: Option<u64>| Entity {
        id: id(number),
        name: format!("E{number}"),
        parent: parent.map(EntityId),
        ..Entity::default()
    };
    let mut scene = Scene {
        entities: vec![
            entity(1, None),
            entity(2, Some(1)),
            entity(5, None),
            entity(3, Some(1)),
            entity(4, Some(3)),
        ],
        ..Scene::default()
    };
    let follow = Some(Follow { target: id(4), offset: Vec3::Y });
    scene.entities[2].camera = Some(Camera { follow, ..Camera::default() });
    scene.entities[1].shape = Some(Shape { kind: ShapeKind::Sphere { radius: 1.0 }, color: Color::WHITE });
    scene.into()
}

/// Applies an edit; its inverse leads back, and the inverse of that forth again.
fn after(edit: Edit) -> IndexedScene {
    let (before, mut scene) = (family(), family());
    let inverse = edit.clone().apply(&mut scene).expect("it fits");
    let after = scene.clone();
    let again = inverse.apply(&mut scene).expect("back");
    assert_eq!(scene, before, "{edit:?}");
    again.apply(&mut scene).expect("forth");
    assert_eq!(scene, after, "{edit:?}");
    after.assert_true();
    after
}

fn order(scene: &Scene) -> Vec<u64> {
    scene.entities.iter().map(|entity| entity.id.0).collect()
}

#[test]
fn every_edit_does_what_it_says_and_its_inverse_takes_it_back() {
    assert_eq!(after(Edit::Rename { id: id(3), name: "C".to_owned() }).entities[3].name, "C");
    let transform = Transform { position: Vec3::X, ..Transform::default() };
    assert_eq!(after(Edit::Place { id: id(4), transform }).entities[4].transform, transform);
    let load = Load { tick: Nanos(7), ..Load::default() };
    let set = |number, component| after(Edit::Set { id: id(number), component });
    assert_eq!(set(1, Component::Load(load)).entities[0].load, Some(load));
    let body = Body { kind: BodyKind::Fixed, ..Body::default() };
    assert_eq!(set(2, Component::Body(body)).entities[1].body, Some(body));
    assert_eq!(after(Edit::Unset { id: id(2), kind: ComponentKind::Shape }).entities[1].shape, None);
    assert_eq!(after(Edit::Seed(9)).seed, 9);
    assert_eq!(after(Edit::About("a".to_owned())).about, "a");
    let unknown = vec![Unknown { name: "trail".to_owned(), text: "3".to_owned() }];
    assert_eq!(after(Edit::SetUnknown { id: id(1), unknown: unknown.clone() }).entities[0].unknown, unknown);
    assert_eq!(after(Edit::Reparent { id: id(3), parent: Some(id(2)) }).entities[3].parent, Some(id(2)));
    assert_eq!(order(&after(Edit::Reorder { id: id(4), place: 0 })), [4, 1, 2, 5, 3]);
    assert_eq!(order(&after(Edit::Reorder { id: id(1), place: 4 })), [2, 5, 3, 4, 1]);
    let new = |number| Entity { id: id(number), ..Entity::default() };
    assert_eq!(
        order(&after(Edit::Insert(vec![(0, new(7)), (3, new(8)), (7, new(9))]))),
        [7, 1, 2, 8, 5, 3, 4, 9]
    );
    assert_eq!(order(&after(Edit::Delete(vec![id(3)]))), [1, 2, 5]);
    assert_eq!(order(&after(Edit::Delete(vec![id(4), id(1)]))), [5]);
}

#[test]
fn what_is_deleted_is_followed_no_more() {
    let scene = after(Edit::deletion(&family(), &[id(1)]));
    assert_eq!(order(&scene), [5]);
    assert_eq!(scene.entities[0].camera, Some(Camera::default()));
    assert_eq!(Edit::deletion(&family(), &[id(2)]), Edit::Delete(vec![id(2)]));
}

#[test]
fn an_edit_that_does_not_fit_changes_nothing() {
    let seven = || Entity { id: id(7), ..Entity::default() };
    for (edit, error) in [
        (Edit::Rename { id: id(6), name: String::new() }, EditError::NoEntity(id(6))),
        (Edit::Delete(vec![id(1), id(6)]), EditError::NoEntity(id(6))),
        (Edit::Reparent { id: id(1), parent: Some(id(6)) }, EditError::NoEntity(id(6))),
        (Edit::Reparent { id: id(1), parent: Some(id(1)) }, EditError::ParentLoop(id(1))),
        (Edit::Reparent { id: id(1), parent: Some(id(4)) }, EditError::ParentLoop(id(1))),
        (Edit::Reorder { id: id(1), place: 5 }, EditError::NoPlace(5)),
        (Edit::Insert(vec![(6, seven())]), EditError::NoPlace(6)),
        (Edit::Insert(vec![(0, seven()), (1, seven())]), EditError::SameId(id(7))),
        (
            Edit::Unset { id: id(1), kind: ComponentKind::Sky },
            EditError::NoComponent { id: id(1), kind: ComponentKind::Sky },
        ),
        (
            Edit::Several(vec![Edit::Seed(3), Edit::Delete(vec![id(1)]), Edit::Delete(vec![id(2)])]),
            EditError::NoEntity(id(2)),
        ),
    ] {
        let mut scene = family();
        assert_eq!(edit.clone().apply(&mut scene), Err(error), "{edit:?}");
        assert_eq!(scene, family(), "{edit:?}");
        scene.assert_true();
    }
}

#[test]
fn every_kind_of_component_is_taken_and_put_by_its_name() {
    let text = "(format: 1, entities: [(id: 1, name: \"A\", shape: Sphere(radius: 1, color: \"#ffffff\"), body: (kind: \
                Kinematic), motion: Steady(velocity: (1, 0, 0)), spawner: (every_ticks: 1, limit: 1, shape: \
                Sphere(radius: 1, color: \"#ffffff\")), crowd: (count: 2, spacing: 1, shape: Sphere(radius: 1, \
                color: \"#ffffff\"), motion: Steady(velocity: (1, 0, 0))), teleporter: (every_ticks: 1, poses: [()]), controlled: (speed: \
                1), sound: (), camera: (), sun: (), sky: (), load: ())])";
    let scene = framewalk_runtime::scene::format::parse_scene(text).expect("a scene");
    for kind in ComponentKind::ALL {
        let mut entity = scene.entities[0].clone();
        let component = kind.of(&entity).expect("it has all");
        assert_eq!(component.kind(), kind);
        assert_eq!(kind.take(&mut entity), Some(component.clone()));
        assert_eq!((kind.of(&entity), component.put(&mut entity)), (None, None));
        assert_eq!(entity, scene.entities[0]);
        assert!(text.contains(&format!("{}: ", kind.name())));
    }
}
