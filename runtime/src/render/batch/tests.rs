use super::*;
use crate::scene::look::{Look, LookKind};
use crate::scene::{Color, EntityId, Pose, Shape, ShapeKind};
use crate::snapshot::{SnapshotCamera, SnapshotItem};
use fearless_simd::Simd;
use glam::Quat;

const RED: Color = Color { red: 255, green: 0, blue: 0 };
const BALL: Shape = Shape { kind: ShapeKind::Sphere { radius: 0.5 }, color: RED };

fn at(x: f32, y: f32, z: f32) -> Pose {
    Pose { position: Vec3::new(x, y, z), ..Pose::default() }
}

fn item(id: u64, previous: Pose, current: Pose, shape: Option<Shape>) -> SnapshotItem {
    let entity = EntityId(id);
    let look = shape.into();
    SnapshotItem { entity, parent: SnapshotItem::NO_PARENT, previous, current, simulated: true, look }
}

fn standing(id: u64, pose: Pose, shape: Shape) -> SnapshotItem {
    SnapshotItem { simulated: false, ..item(id, pose, pose, Some(shape)) }
}

fn from_ten_metres() -> View {
    let eye = Vec3::new(0.0, 0.0, 10.0);
    View { camera: ViewCamera::Fly { eye, yaw: 0.0, pitch: 0.0, fov_degrees: 50.0 }, ..View::default() }
}

fn batch_of(snapshot: &Snapshot, view: &View) -> Batch {
    let mut batch = Batch::default();
    batch.fill(snapshot, view, view.size);
    batch
}

#[test]
fn a_body_is_drawn_between_its_two_ticks_by_alpha() {
    for (alpha, x) in [(0.0, 1.0), (0.25, 1.5), (0.5, 2.0), (0.75, 2.5)] {
        let items = vec![item(1, at(1.0, 0.0, 0.0), at(3.0, 0.0, 0.0), Some(BALL))];
        let batch =
            batch_of(&Snapshot { alpha, items: items.into(), ..Snapshot::default() }, &from_ten_metres());
        assert_eq!(batch.items.get(0).unwrap().drawn.position, Vec3::new(x, 0.0, 0.0), "alpha {alpha}");
        let drawn: Vec<_> = batch.meshes.iter().flat_map(|mesh| &*mesh[Part::Casting]).collect();
        assert_eq!(drawn.len(), 1);
        assert_eq!(drawn[0].position(), Vec3::new(x, 0.0, 0.0));
    }
}

/// One of every kind, turned, scaled and moved by as much as `step` asks for; every third one stands.
fn crowd(count: u64, step: f32) -> Vec<SnapshotItem> {
    let kinds = [
        ShapeKind::Cube { size: Vec3::new(0.2, 0.5, 0.3) },
        ShapeKind::Sphere { radius: 0.3 },
        ShapeKind::Capsule { radius: 0.2, half_height: 0.4 },
        ShapeKind::Cylinder { radius: 0.3, half_height: 0.1 },
        ShapeKind::Plane { width: 0.5, depth: 0.7 },
    ];
    let pose = |idx: f32, step: f32| Pose {
        position: Vec3::new(idx.sin() * 3.0 + step, idx.cos() * 2.0, step * 2.0 - idx * 0.1),
        rotation: Quat::from_euler(glam::EulerRot::XYZ, idx + step, idx * 0.3 - step * 2.0, step),
        scale: Vec3::new(1.0, 1.0 + step * 0.1, 1.0),
    };
    let items = (0..count).map(|id| {
        let (idx, still) = (id as f32, id % 3 == 2);
        let current = pose(idx, if still { 0.0 } else { step });
        let shape = Shape { kind: kinds[id as usize % kinds.len()], color: RED };
        SnapshotItem { simulated: !still, ..item(id, pose(idx, 0.0), current, Some(shape)) }
    });
    items.collect()
}

#[test]
fn every_item_of_a_crowd_is_drawn_where_the_blend_of_one_has_it() {
    // Steps that turn a little, by a quarter and by more than half a turn; numbers with and without a rest of four.
    for (count, step) in [(1, 0.1), (3, 0.02), (4, 0.02), (103, 0.05), (103, 0.9), (16, 2.5)] {
        for alpha in [0.0, 1e-9, 0.25, 0.6, 0.999_999_9] {
            let snapshot = Snapshot { alpha, items: crowd(count, step).into(), ..Snapshot::default() };
            let batch = batch_of(&snapshot, &from_ten_metres());
            assert_eq!(batch.items.len(), snapshot.items.len());
            for (placed, item) in batch.items.iter().zip(snapshot.items.iter()) {
                let expected = item.blended(alpha);
                let of = format!("{} of {count} by {step} at {alpha}", item.entity.0);
                assert_eq!(placed.drawn.position, expected.position, "{of}");
                assert_eq!(placed.drawn.scale, expected.scale, "{of}");
                // Half the angle between the two, in radians; a quaternion and its negative are one rotation.
                let chord = |sign: f32| (placed.drawn.rotation - expected.rotation * sign).length();
                assert!(chord(1.0).min(chord(-1.0)) < 1e-6, "{of}: {}", chord(1.0));
                assert_eq!(placed.radius, item.look.bounding_radius(expected.scale), "{of}");
            }
        }
    }
}

#[test]
fn a_child_finds_its_parent_beside_it_and_far_before_it() {
    let mut items = crowd(50, 0.3);
    for (idx, parent) in [(1, 0), (2, 1), (7, 2), (8, 7), (30, 2), (31, 30), (48, 47), (49, 0)] {
        items[idx].parent = parent;
    }
    // No parent comes after its child: such a one is none.
    items[20].parent = 21;
    let snapshot = Snapshot { alpha: 0.4, items: items.into(), ..Snapshot::default() };
    let batch = batch_of(&snapshot, &from_ten_metres());
    let mut expected = Vec::new();
    snapshot.drawn_all(0.4, &mut expected);
    for (idx, (placed, expected)) in batch.items.iter().zip(&expected).enumerate() {
        assert!((placed.drawn.position - expected.position).length() < 1e-5, "{idx}: {:?}", placed.drawn);
        assert!((placed.drawn.scale - expected.scale).length() < 1e-5, "{idx}: {:?}", placed.drawn);
    }
    // 2 and 8 stand, but hang on what moves; 47 stands alone.
    let simulated = [2, 8, 30, 47, 48].map(|idx| batch.items.get(idx).unwrap().simulated);
    assert_eq!(simulated, [true, true, true, false, true]);
}

#[test]
fn a_batch_used_again_holds_nothing_of_the_picture_before() {
    let (many, few) = (crowd(101, 0.3), crowd(6, 0.3));
    let mut used = Batch::default();
    for items in [many, few] {
        let snapshot = Snapshot { alpha: 0.3, items: items.into(), ..Snapshot::default() };
        let view = View { selection: Some(EntityId(4)), ..from_ten_metres() };
        used.fill(&snapshot, &view, view.size);
        let fresh = batch_of(&snapshot, &view);
        assert_eq!((used.drawn, used.culled, used.shadow), (fresh.drawn, fresh.culled, fresh.shadow));
        assert_eq!((&used.items, used.selected), (&fresh.items, fresh.selected));
        assert!(used.selected.is_some());
        for (used, fresh) in used.meshes.iter().zip(&fresh.meshes) {
            assert_eq!(used, fresh);
        }
    }
}

#[test]
fn every_length_of_register_makes_the_same_batch_to_the_bit() {
    let best = Level::new();
    let levels = [
        best.as_sse2().map(Simd::level),
        best.as_sse4_2().map(Simd::level),
        best.as_avx2().map(Simd::level),
        best.as_avx512().map(Simd::level),
    ];
    // Short and long arcs, all of a kind and mixed, children, and blocks that are not full.
    let mut hung = crowd(103, 0.3);
    (hung[1].parent, hung[40].parent, hung[100].parent) = (0, 2, 40);
    let cubes = crowd(500, 0.2).into_iter().filter(|item| item.look.kind() == LookKind::Cube);
    for items in [hung, crowd(64, 2.5), cubes.collect(), crowd(3, 0.05)] {
        let snapshot = Snapshot { alpha: 0.37, items: items.into(), ..Snapshot::default() };
        let bits = |level: Level| {
            let mut batch = Batch::default();
            batch.fill_with(level, &snapshot, &from_ten_metres(), [960, 600]);
            let pose = |pose: &Pose| {
                let parts = pose.position.to_array().into_iter().chain(pose.rotation.to_array());
                parts.chain(pose.scale.to_array()).map(f32::to_bits).collect::<Vec<_>>()
            };
            let poses: Vec<_> = batch.items.iter().map(|item| (pose(&item.drawn), item.radius)).collect();
            (poses, batch.meshes, batch.drawn, batch.shadow)
        };
        let expected = bits(best);
        for level in levels.into_iter().flatten() {
            assert!(bits(level) == expected, "{} items at {level:?}", snapshot.items.len());
        }
    }
}

#[test]
fn what_is_drawn_does_not_depend_on_what_stands_beside_it() {
    // One that turns by more than half a turn among such as hardly turn.
    let mut items = crowd(32, 0.02);
    let alone = Snapshot { alpha: 0.4, items: items.clone().into(), ..Snapshot::default() };
    items[3].current.rotation = Quat::from_rotation_x(2.8) * items[3].previous.rotation;
    let beside = Snapshot { alpha: 0.4, items: items.into(), ..Snapshot::default() };
    let (alone, beside) = (batch_of(&alone, &from_ten_metres()), batch_of(&beside, &from_ten_metres()));
    for idx in (0..32).filter(|idx| *idx != 3) {
        assert_eq!(alone.items.get(idx), beside.items.get(idx), "{idx}");
    }
    assert_ne!(alone.items.get(3), beside.items.get(3));
}

#[test]
fn a_crowd_is_counted_once_whether_drawn_or_culled() {
    let snapshot = Snapshot { alpha: 0.5, items: crowd(103, 0.1).into(), ..Snapshot::default() };
    let eye = Vec3::new(0.0, 0.0, 6.0);
    let camera = ViewCamera::Fly { eye, yaw: 0.0, pitch: 0.0, fov_degrees: 20.0 };
    let batch = batch_of(&snapshot, &View { camera, ..View::default() });
    let listed = |pick: fn(&MeshInstances) -> usize| batch.meshes.iter().map(pick).sum::<usize>() as u32;
    assert_eq!(batch.drawn + batch.culled, 103);
    assert!(batch.culled > 0, "the crowd reaches past the picture");
    assert_eq!(
        listed(|mesh| mesh[Part::Ground].len() + mesh[Part::DrawnOnly].len() + mesh[Part::Casting].len()),
        batch.drawn
    );
    let planes = batch.lens.planes();
    let seen = batch
        .items
        .iter()
        .filter(|item| planes.iter().all(|plane| plane.dot(item.drawn.position.extend(1.0)) >= -item.radius));
    assert_eq!(seen.count() as u32, batch.drawn);
}

#[test]
fn the_last_tick_is_drawn_where_the_view_asks_for_it() {
    let items = vec![item(1, at(1.0, 0.0, 0.0), at(3.0, 0.0, 0.0), Some(BALL))];
    let snapshot = Snapshot { alpha: 0.25, items: items.into(), ..Snapshot::default() };
    let batch = batch_of(&snapshot, &View { last_tick: true, ..from_ten_metres() });
    assert_eq!(batch.items.get(0).unwrap().drawn.position, Vec3::new(3.0, 0.0, 0.0));
}

#[test]
fn a_child_is_placed_from_the_blended_pose_of_its_parent() {
    let quarter = Pose { rotation: Quat::from_rotation_y(std::f32::consts::FRAC_PI_2), ..at(0.0, 1.0, 0.0) };
    let parent = item(1, at(0.0, 1.0, 0.0), quarter, None);
    let child = SnapshotItem { parent: 0, ..standing(2, at(2.0, 0.0, 0.0), BALL) };
    let snapshot = Snapshot { alpha: 0.5, items: [parent, child].into(), ..Snapshot::default() };
    let batch = batch_of(&snapshot, &View { selection: Some(EntityId(2)), ..from_ten_metres() });
    let (placed, poses) = (batch.items.get(1).unwrap(), batch.selected_poses.unwrap());
    let half = std::f32::consts::FRAC_1_SQRT_2 * 2.0;
    assert!((placed.drawn.position - Vec3::new(half, 1.0, -half)).length() < 1e-5);
    assert_eq!(poses.entity, EntityId(2));
    assert!((poses.previous.position - Vec3::new(2.0, 1.0, 0.0)).length() < 1e-5);
    assert!((poses.current.position - Vec3::new(0.0, 1.0, -2.0)).length() < 1e-5);
    assert!(placed.simulated, "what hangs on a moving body moves");
}

#[test]
fn a_following_camera_looks_at_the_blended_target() {
    let target = item(1, at(0.0, 0.0, 0.0), at(4.0, 0.0, 0.0), Some(BALL));
    let camera = SnapshotItem { look: Look::NOTHING, ..standing(2, at(9.0, 9.0, 9.0), BALL) };
    let snapshot = Snapshot {
        alpha: 0.5,
        items: [target, camera].into(),
        camera: Some(SnapshotCamera {
            item: 1,
            follow: Some((0, Vec3::new(0.0, 3.0, 8.0))),
            fov_degrees: 50.0,
            near: 0.1,
            far: 100.0,
        }),
        ..Snapshot::default()
    };
    let batch = batch_of(&snapshot, &View::default());
    assert!((batch.lens.eye - Vec3::new(2.0, 3.0, 8.0)).length() < 1e-5);
    let pixel = batch.lens.pixel(Vec3::new(2.0, 0.0, 0.0), [960, 600]).unwrap();
    assert!((pixel - glam::Vec2::new(480.0, 300.0)).length() < 0.05, "{pixel}");
}

#[test]
fn a_scene_without_a_camera_is_seen_whole() {
    let items = [(-4.0, 0.5), (4.0, 0.5), (0.0, 6.0)]
        .iter()
        .zip(1..)
        .map(|((x, y), id)| standing(id, at(*x, *y, 0.0), BALL));
    let batch = batch_of(&Snapshot { items: items.collect(), ..Snapshot::default() }, &View::default());
    assert_eq!((batch.drawn, batch.culled), (3, 0));
    for item in batch.items.iter() {
        let pixel = batch.lens.pixel(item.drawn.position, [960, 600]).unwrap();
        assert!((0.0..960.0).contains(&pixel.x) && (0.0..600.0).contains(&pixel.y), "{pixel}");
    }
    let empty = Snapshot::default();
    assert!(batch_of(&empty, &View::default()).lens.eye.is_finite());
}

#[test]
fn what_is_beside_or_behind_the_picture_is_culled_and_what_touches_it_is_not() {
    // Half the picture is tan(25°) × 1.6 × 10 = 7.46 m wide at z = 0.
    let cases =
        [(0.0, 0.0, true), (7.8, 0.0, true), (8.8, 0.0, false), (0.0, 20.0, false), (0.0, 10.4, true)];
    for (x, z, seen) in cases {
        let items = vec![standing(1, at(x, 0.0, z), BALL)];
        let batch = batch_of(&Snapshot { items: items.into(), ..Snapshot::default() }, &from_ten_metres());
        assert_eq!((batch.drawn, batch.culled), (u32::from(seen), u32::from(!seen)), "x {x} z {z}");
    }
}

#[test]
fn what_is_out_of_sight_still_throws_its_shadow() {
    let items = vec![standing(1, at(0.0, 0.0, 0.0), BALL), standing(2, at(0.0, 8.0, 0.0), BALL)];
    let batch = batch_of(&Snapshot { items: items.into(), ..Snapshot::default() }, &from_ten_metres());
    let count = |pick: fn(&MeshInstances) -> usize| batch.meshes.iter().map(pick).sum::<usize>();
    assert_eq!(count(|mesh| mesh[Part::Casting].len()), 1);
    assert_eq!(count(|mesh| mesh[Part::UnseenCasting].len()), 1);
}

#[test]
fn a_floor_shows_shadows_in_place_of_the_bare_ground() {
    let ball = standing(1, at(0.0, 1.0, 0.0), BALL);
    let floor = Shape { kind: ShapeKind::Cube { size: Vec3::new(20.0, 0.2, 20.0) }, color: RED };
    let high = Shape { kind: ShapeKind::Plane { width: 20.0, depth: 20.0 }, color: RED };
    for (shape, y, bare) in [(floor, -0.1, false), (floor, 0.5, true), (high, 0.0, false), (high, 3.0, true)]
    {
        let items = vec![ball, standing(2, at(0.0, y, 0.0), shape)];
        let batch = batch_of(&Snapshot { items: items.into(), ..Snapshot::default() }, &from_ten_metres());
        assert_eq!(batch.bare_ground, bare, "{shape:?} at {y}");
    }
}

#[test]
fn a_pose_that_is_no_number_is_culled_and_spoils_nothing() {
    let items = vec![standing(1, at(f32::NAN, 0.0, 0.0), BALL), standing(2, at(0.0, 0.0, 0.0), BALL)];
    for camera in [from_ten_metres().camera, ViewCamera::Scene] {
        let snapshot = Snapshot { items: items.clone().into(), ..Snapshot::default() };
        let batch = batch_of(&snapshot, &View { camera, ..View::default() });
        assert_eq!((batch.drawn, batch.culled), (1, 1));
        assert!(batch.lens.eye.is_finite() && batch.shadow.radius.is_finite());
    }
}

#[test]
fn only_the_selected_body_has_ghosts_and_only_while_it_moves() {
    let moving = item(1, at(-2.0, 0.0, 0.0), at(2.0, 0.0, 0.0), Some(BALL));
    let resting = item(2, at(0.0, 2.0, 0.0), at(0.0, 2.0, 0.0), Some(BALL));
    let snapshot = Snapshot { alpha: 0.5, items: [moving, resting].into(), ..Snapshot::default() };
    let view = |id, ghosts| View { selection: id, ghosts, ..from_ten_metres() };
    let (first, second) = (Some(EntityId(1)), Some(EntityId(2)));
    for (selection, ghosts, lines, ring) in [
        (None, true, false, false),
        (first, true, true, true),
        (first, false, false, true),
        (second, true, false, true),
        (Some(EntityId(9)), true, false, false),
    ] {
        let batch = batch_of(&snapshot, &view(selection, ghosts));
        assert_eq!(
            (!batch.lines.is_empty(), batch.selected.is_some()),
            (lines, ring),
            "{selection:?} {ghosts}"
        );
    }
}

#[test]
fn every_selected_shape_in_sight_has_a_ring_of_its_own() {
    let items = (1..=4).map(|id| standing(id, at(id as f32 - 2.0, 0.0, 0.0), BALL));
    let mut items: Vec<SnapshotItem> = items.collect();
    items.push(standing(5, at(0.0, 0.0, 90.0), BALL));
    let snapshot = Snapshot { items: items.into(), ..Snapshot::default() };
    let also_selected = [1, 3, 5, 9].map(EntityId).into();
    let view = View { selection: Some(EntityId(4)), also_selected, ..from_ten_metres() };
    let mut batch = batch_of(&snapshot, &view);
    assert!(batch.selected.is_some());
    let at: Vec<f32> = batch.also_selected.iter().map(|(_, instance)| instance.position().x).collect();
    assert_eq!(at, [-1.0, 1.0], "5 is behind the eye, and 9 is not there");
    batch.fill(&snapshot, &from_ten_metres(), [100, 100]);
    assert!(batch.also_selected.is_empty());
}

#[test]
fn a_shape_on_screen_is_cut_as_finely_as_its_size_asks_for() {
    for (z, detail) in [(8.0, Detail::Fine), (0.0, Detail::Medium), (-50.0, Detail::Coarse)] {
        let items = vec![standing(1, at(0.0, 0.0, z), BALL)];
        let batch = batch_of(&Snapshot { items: items.into(), ..Snapshot::default() }, &from_ten_metres());
        let mesh = &batch.meshes[MeshKind::Sphere(detail).idx()];
        assert_eq!(mesh[Part::Casting].len(), 1, "z {z}");
    }
}

#[test]
fn every_mesh_kind_stands_at_its_index() {
    for (idx, kind) in MeshKind::ALL.into_iter().enumerate() {
        assert_eq!(kind.idx(), idx);
    }
}
