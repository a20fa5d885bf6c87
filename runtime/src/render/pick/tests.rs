use super::super::picture::PictureItem;
use super::super::view::Lens;
use super::*;
use crate::scene::{Color, Pose, Shape, ShapeKind};
use glam::Vec3;

const GREY: Color = Color { red: 90, green: 90, blue: 90 };
const BALL: ShapeKind = ShapeKind::Sphere { radius: 0.5 };
const FLOOR: ShapeKind = ShapeKind::Plane { width: 30.0, depth: 30.0 };

/// Seen from (0, 2, 10) along −z, 640 by 400.
fn picture(shapes: &[(u64, Vec3, ShapeKind)]) -> Picture {
    let size = [640, 400];
    let lens = Lens::fly(Vec3::new(0.0, 2.0, 10.0), 0.0, -0.1, 50.0, size);
    let item = |&(id, position, kind): &(u64, Vec3, ShapeKind)| {
        let look = Shape { kind, color: GREY }.into();
        let item = PictureItem { entity: EntityId(id), look, ..PictureItem::default() };
        let drawn = Pose { position, ..Pose::default() };
        PictureItem { drawn, radius: item.look.bounding_radius(Vec3::ONE), ..item }
    };
    Picture {
        outlook: Outlook::new(&lens, size),
        items: shapes.iter().map(item).collect(),
        ..Picture::default()
    }
}

fn asked(picture: &Picture, at: Vec3, free: impl FnMut(EntityId) -> bool) -> Pick {
    let mut pick = Pick::default();
    pick.ask(picture, &picture.outlook, picture.outlook.pixel(at).unwrap(), free);
    pick
}

#[test]
fn the_square_is_the_pixels_about_the_place() {
    let picture = picture(&[]);
    let pixel = Vec2::new(200.25, 130.75);
    let cropped = cropped(&picture.outlook, pixel);
    for (x, y, expected) in [
        // The middle of the pixel, an edge of the square, and its lower right corner: y goes down.
        (200.5, 130.5, Vec2::ZERO),
        (203.0, 130.5, Vec2::new(1.0, 0.0)),
        (203.0, 133.0, Vec2::new(1.0, -1.0)),
    ] {
        let clip = Vec2::new(x / 640.0 * 2.0 - 1.0, 1.0 - y / 400.0 * 2.0) * 7.0;
        let found = cropped * clip.extend(0.5).extend(7.0);
        assert!((Vec2::new(found.x, found.y) / found.w - expected).length() < 1e-3, "{x} {y}: {found}");
    }
}

#[test]
fn only_what_may_be_drawn_there_and_is_free_is_asked_about() {
    let at = Vec3::new(1.0, 2.0, 0.0);
    let behind = Vec3::new(1.1, 2.0, -3.0);
    let picture = picture(&[
        (1, at, BALL),
        (2, Vec3::new(-3.0, 2.0, 0.0), BALL),
        (3, behind, BALL),
        // Behind the eye, and no number.
        (4, Vec3::new(0.0, 2.0, 20.0), BALL),
        (5, Vec3::NAN, BALL),
    ]);
    assert_eq!(asked(&picture, at, |_| true).entities, [EntityId(1), EntityId(3)]);
    assert_eq!(asked(&picture, at, |id| id != EntityId(1)).entities, [EntityId(3)]);
    assert!(asked(&picture, Vec3::new(4.0, 4.0, 0.0), |_| true).is_empty());
}

#[test]
fn shapes_are_drawn_by_mesh_in_their_numbers_and_grounds_last() {
    let near = Vec3::new(0.0, 0.4, 9.0);
    let cube = ShapeKind::Cube { size: Vec3::ONE };
    let shapes =
        [(1, Vec3::ZERO, FLOOR), (2, near, BALL), (3, Vec3::new(0.0, 0.4, 0.0), cube), (4, near, BALL)];
    let picture = picture(&shapes);
    let pick = asked(&picture, Vec3::new(0.0, 0.3, 0.0), |_| true);
    assert_eq!(pick.entities, [3, 1].map(EntityId), "the near balls are beside the square");
    assert_eq!(pick.draws, [(MeshKind::Cube, 0..1), (MeshKind::Plane, 1..2)]);
    let numbers: Vec<u32> = pick.instances.iter().map(|one| u32::from_le_bytes(one.color())).collect();
    assert_eq!(numbers, [1, 2]);
}

#[test]
fn the_middle_counts_first_and_then_what_is_nearest_to_it() {
    let picture = picture(&[(7, Vec3::ZERO, BALL), (8, Vec3::ZERO, BALL)]);
    let pick = asked(&picture, Vec3::ZERO, |_| true);
    let mut numbers = [0; PATCH_TEXELS];
    assert_eq!(pick.found_in(&numbers), None);
    numbers[0] = 1;
    assert_eq!(pick.found_in(&numbers), Some(EntityId(7)), "a corner");
    numbers[13] = 2;
    assert_eq!(pick.found_in(&numbers), Some(EntityId(8)), "beside the middle");
    numbers[12] = 1;
    assert_eq!(pick.found_in(&numbers), Some(EntityId(7)));
    numbers[12] = 9;
    assert_eq!(pick.found_in(&numbers), None, "a number that was not given out");
}

#[test]
fn questions_are_answered_in_order_and_one_too_many_is_refused() {
    let (mut asker, mut desk) = pick_roads();
    let ask = |asker: &mut PickAsker, number| {
        let pick = Pick { number, ..asker.blank() };
        asker.ask(pick)
    };
    for number in 1..=PICK_CAPACITY as u64 {
        assert!(ask(&mut asker, number));
    }
    assert!(!ask(&mut asker, 99), "too many wait");
    for number in 1..=2 {
        let pick = desk.take_asked().unwrap();
        desk.answer(pick, Ok(Some(EntityId(number * 10))));
    }
    assert!(!ask(&mut asker, 99), "an answer keeps its room until it is taken");
    assert_eq!(asker.answer().unwrap(), (1, Ok(Some(EntityId(10)))));
    assert_eq!(asker.answer().unwrap(), (2, Ok(Some(EntityId(20)))));
    assert!(asker.answer().is_none());
    assert!(ask(&mut asker, 17));
    drop(desk);
    assert!(!ask(&mut asker, 18), "nobody is there to answer");
}
