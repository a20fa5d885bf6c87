//! Makes the scene of `projects/pile`: 2,000 bodies, stacked loosely and a little askew, over a pen.

use framewalk_runtime::scene::{
    Body, BodyKind, Camera, Color, Entity, EntityId, Scene, Shape, ShapeKind, Sky, Sun, Transform,
};
use glam::Vec3;

pub const BODIES: u32 = 2_000;
/// Bodies along one edge of a layer.
const EDGE: u32 = 14;
const FIRST_BODY: u64 = 10;
const GROUP: EntityId = EntityId(9);
const COLORS: [u32; 5] = [0x0056_b4e9, 0x00d2_83b3, 0x002b_b58a, 0x00ee_9a2e, 0x00e8_d44d];

/// The whole scene, the same each time.
pub fn scene() -> Scene {
    let mut entities = surroundings();
    entities.extend((0..BODIES).map(body));
    Scene {
        about: "Two thousand bodies fall into a pen: look at the cost of a tick while they tumble, and when they sleep."
            .to_owned(),
        entities,
        ..Scene::default()
    }
}

fn surroundings() -> Vec<Entity> {
    let entity = |id, name: &str| Entity { id: EntityId(id), name: name.to_owned(), ..Entity::default() };
    let at = |x, y, z| Transform { position: Vec3::new(x, y, z), ..Transform::default() };
    let fixed = Some(Body { kind: BodyKind::Fixed, ..Body::default() });
    let wall = |id, name, x, z, size| Entity {
        transform: at(x, 1.0, z),
        shape: Some(Shape { kind: ShapeKind::Cube { size }, color: Color::hex(0x002b_303a) }),
        body: fixed,
        ..entity(id, name)
    };
    let (along_x, along_z) = (Vec3::new(15.3, 2.0, 0.3), Vec3::new(0.3, 2.0, 14.7));
    let sun = Sun { direction: Vec3::new(-0.5, -1.0, -0.4), color: Color::hex(0x00ff_f4e0), strength: 1.1 };
    let camera = Transform { rotation_degrees: Vec3::new(-21.0, 0.0, 0.0), ..at(0.0, 13.0, 26.0) };
    let floor = ShapeKind::Plane { width: 60.0, depth: 60.0 };
    vec![
        Entity { transform: camera, camera: Some(Camera::default()), ..entity(1, "Camera") },
        Entity { sun: Some(sun), ..entity(2, "Sun") },
        Entity { sky: Some(Sky::default()), ..entity(3, "Sky") },
        Entity {
            shape: Some(Shape { kind: floor, color: Color::hex(0x0020_252e) }),
            body: fixed,
            ..entity(4, "Floor")
        },
        wall(5, "Wall west", -7.5, 0.0, along_z),
        wall(6, "Wall east", 7.5, 0.0, along_z),
        wall(7, "Wall north", 0.0, -7.5, along_x),
        wall(8, "Wall south", 0.0, 7.5, along_x),
        entity(GROUP.0, "Bodies"),
    ]
}

fn body(idx: u32) -> Entity {
    let kind = match idx % 4 {
        0 => ShapeKind::Cube { size: Vec3::splat(0.5) },
        1 => ShapeKind::Sphere { radius: 0.27 },
        2 => ShapeKind::Cube { size: Vec3::new(0.6, 0.3, 0.4) },
        _ => ShapeKind::Capsule { radius: 0.18, half_height: 0.14 },
    };
    let (layer, within) = (idx / (EDGE * EDGE), idx % (EDGE * EDGE));
    let along = |place: u32, salt: u32| hundredths(place as i32 * 66 - 429 + askew(idx, salt, 8));
    let position =
        Vec3::new(along(within % EDGE, 1), hundredths(60 + layer as i32 * 70), along(within / EDGE, 2));
    Entity {
        id: EntityId(FIRST_BODY + u64::from(idx)),
        name: format!("Body {:04}", idx + 1),
        parent: Some(GROUP),
        transform: Transform {
            position,
            rotation_degrees: Vec3::new(0.0, askew(idx, 3, 45) as f32, 0.0),
            ..Transform::default()
        },
        shape: Some(Shape { kind, color: Color::hex(COLORS[(idx % 5) as usize]) }),
        body: Some(Body::default()),
        ..Entity::default()
    }
}

/// Metres from whole centimetres, so that the file has short numbers.
fn hundredths(centimetres: i32) -> f32 {
    centimetres as f32 / 100.0
}

/// A whole number within ±`most` that looks like chance and is the same each time.
fn askew(idx: u32, salt: u32, most: i32) -> i32 {
    let mixed = (idx * 3 + salt).wrapping_mul(0x9e37_79b1);
    let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x85eb_ca6b);
    ((mixed ^ (mixed >> 13)) % (2 * most as u32 + 1)) as i32 - most
}
