//! What a batch costs an entity, beside a plain copy of as many bytes as it reads and writes.
//!
//! Counted is what a batch takes and leaves: both poses and the look of an entity; its drawn pose, which the window reads,
//! and its instance, which the GPU does. Each counts whole, also where it is held in fewer bytes: of sixteen poses of which
//! none is scaled, no scale is read or written; sixteen shapes of one size have that size once. The same places are read and written in each round, as a renderer does, so a
//! thousand stay in the nearest cache but one and a hundred thousand do not. Where memory is the limit, a batch is to take
//! one and a half times as long as the copy at most. Where they stay in the cache the copy shows what that cache can move,
//! less than the arithmetic of the blend alone takes, and a batch what it computes: there its cost itself is held to
//! [`MOST_NANOS`], which makes a hundredth of a frame at 60 Hz of 24,000 entities.
//!
//! `cargo bench -p framewalk-runtime --no-default-features --features sim --bench batch`

#[path = "shared/row.rs"]
mod row;

use framewalk_runtime::render::batch::{Batch, Instance};
use framewalk_runtime::render::view::{View, ViewCamera};
use framewalk_runtime::scene::{Color, EntityId, Pose, Shape, ShapeKind};
use framewalk_runtime::snapshot::{Snapshot, SnapshotItem};
use glam::{Quat, Vec3};
use row::{Aim, Row};
use std::hint::black_box;

/// An entity that is in the cache, nanoseconds at most.
const MOST_NANOS: f64 = 7.0;
/// So many are not in the cache.
const MANY: usize = 100_000;

/// What the entities are, and whether they move.
#[derive(Clone, Copy, PartialEq)]
enum Crowd {
    /// Cubes that move and turn a little with each tick.
    Moving,
    /// One of five kinds after another, moving: no branch on the kind is foreseen.
    MovingMixed,
    Standing,
}

fn snapshot(count: usize, crowd: Crowd) -> Snapshot {
    let edge = (count as f32).sqrt().ceil() as usize;
    let kinds = [
        ShapeKind::Cube { size: Vec3::splat(0.1) },
        ShapeKind::Sphere { radius: 0.1 },
        ShapeKind::Capsule { radius: 0.05, half_height: 0.1 },
        ShapeKind::Cylinder { radius: 0.1, half_height: 0.05 },
        ShapeKind::Plane { width: 0.1, depth: 0.2 },
    ];
    let items = (0..count).map(|idx| {
        let place = Vec3::new((idx % edge) as f32, 0.0, -((idx / edge) as f32)) * 0.2;
        let pose = |step: f32| Pose {
            position: place + Vec3::Y * step,
            rotation: Quat::from_rotation_y(idx as f32 + step),
            scale: Vec3::ONE,
        };
        // In no order that repeats soon.
        let kind = if crowd == Crowd::MovingMixed { (idx.wrapping_mul(0x9e37_79b9) >> 13) % 5 } else { 0 };
        let moving = crowd != Crowd::Standing;
        SnapshotItem {
            entity: EntityId(idx as u64),
            parent: SnapshotItem::NO_PARENT,
            previous: pose(0.0),
            current: pose(if moving { 0.02 } else { 0.0 }),
            simulated: moving,
            look: Shape { kind: kinds[kind], color: Color { red: 200, green: 120, blue: 40 } }.into(),
        }
    });
    Snapshot { alpha: 0.4, items: items.collect(), ..Snapshot::default() }
}

/// What a batch reads and writes of an entity, in bytes. That is all: what it notes in between is not counted.
struct Moved {
    read: usize,
    written: usize,
}

impl Moved {
    const fn of(crowd: Crowd) -> Self {
        // Ten numbers of four bytes; of what stands only the current one is read.
        let pose = 40;
        let poses = if matches!(crowd, Crowd::Standing) { pose } else { 2 * pose };
        // Of the look: radius, size, stretch, colour, kind.
        let look = 4 + 12 + 4 + 4 + 1;
        // The drawn pose, which travels with the picture, and the instance.
        Self { read: poses + look, written: pose + size_of::<Instance>() }
    }

    /// A copy of as many reads and writes so many bytes, and writes them again: both together are as many.
    const fn copied(&self) -> usize {
        (self.read + self.written) / 2
    }
}

fn main() {
    let (counts, rounds): (&[usize], usize) =
        if row::is_measured() { (&[1_000, 10_000, MANY], 101) } else { (&[100], 1) };
    let view = View {
        camera: ViewCamera::Fly {
            eye: Vec3::new(30.0, 40.0, 60.0),
            yaw: 0.0,
            pitch: -0.5,
            fov_degrees: 90.0,
        },
        ..View::default()
    };
    row::header();
    for &count in counts {
        for (crowd, name) in [
            (Crowd::Moving, "moving cubes"),
            (Crowd::MovingMixed, "moving shapes of five kinds"),
            (Crowd::Standing, "cubes that stand"),
        ] {
            let snapshot = snapshot(count, crowd);
            let source = vec![1_u8; count * Moved::of(crowd).copied()];
            let (mut copy, mut batch) = (source.clone(), Batch::default());
            // A small one is repeated, so that a round is long beside a reading of the clock.
            let times = (20_000 / count).max(1);
            let [ours, theirs] = row::taking_turns(
                rounds,
                [
                    &mut |_| {
                        for _ in 0..times {
                            batch.fill(black_box(&snapshot), &view, view.size);
                            black_box(&batch);
                        }
                    },
                    &mut |_| {
                        for _ in 0..times {
                            copy.copy_from_slice(black_box(&source));
                            black_box(&mut copy);
                        }
                    },
                ],
            )
            .map(|nanos| nanos / (count * times) as f64);
            Row {
                what: &format!("batch an entity, of {count} {name}"),
                unit: "ns",
                ours,
                peer: Some(("copy of the same bytes", theirs)),
                aim: Some(if count < MANY { Aim::Cost(MOST_NANOS) } else { Aim::Ratio(1.5) }),
            }
            .print();
        }
    }
}
