//! What a batch costs an entity, beside a plain copy of as many bytes as it reads and writes.
//!
//! `cargo bench -p framewalk-runtime --bench batch`. Prints ns an entity: the median of interleaved rounds.

use framewalk_runtime::render::batch::{Batch, Instance};
use framewalk_runtime::render::picture::PictureItem;
use framewalk_runtime::render::view::{View, ViewCamera};
use framewalk_runtime::scene::{Color, EntityId, Pose, Shape, ShapeKind};
use framewalk_runtime::snapshot::{Snapshot, SnapshotItem};
use framewalk_runtime::time::source::RealClock;
use glam::{Quat, Vec3};
use std::hint::black_box;

const ROUNDS: usize = 41;

fn snapshot(count: usize, moving: bool) -> Snapshot {
    let edge = (count as f32).sqrt().ceil() as usize;
    let items = (0..count).map(|idx| {
        let place = Vec3::new((idx % edge) as f32, 0.0, -((idx / edge) as f32)) * 0.2;
        let pose = |step: f32| Pose {
            position: place + Vec3::Y * step,
            rotation: Quat::from_rotation_y(idx as f32 + step),
            scale: Vec3::ONE,
        };
        SnapshotItem {
            entity: EntityId(idx as u64),
            parent: SnapshotItem::NO_PARENT,
            previous: pose(0.0),
            current: pose(if moving { 0.02 } else { 0.0 }),
            simulated: moving,
            shape: Some(Shape {
                kind: ShapeKind::Cube { size: Vec3::splat(0.1) },
                color: Color { red: 200, green: 120, blue: 40 },
            }),
        }
    });
    Snapshot { alpha: 0.4, items: items.collect(), ..Snapshot::default() }
}

/// As many bytes moved as a batch must move: the items read, the picture's items and the instances written.
#[derive(Default)]
struct PlainCopy {
    read: Vec<SnapshotItem>,
    written: Vec<u8>,
}

impl PlainCopy {
    fn fill(&mut self, snapshot: &Snapshot, source: &[u8]) {
        self.read.clear();
        self.read.extend_from_slice(&snapshot.items);
        self.written.clear();
        self.written.extend_from_slice(source);
        black_box((&self.read, &self.written));
    }
}

fn median(mut nanos: Vec<f64>) -> f64 {
    nanos.sort_by(f64::total_cmp);
    nanos[nanos.len() / 2]
}

fn main() {
    let clock = RealClock::new();
    let view = View {
        camera: ViewCamera::Fly {
            eye: Vec3::new(30.0, 40.0, 60.0),
            yaw: 0.0,
            pitch: -0.5,
            fov_degrees: 90.0,
        },
        ..View::default()
    };
    println!("{:>8} {:>9} {:>10} {:>10} {:>7}", "entities", "moving", "batch ns", "copy ns", "ratio");
    for count in [1_000, 10_000, 100_000] {
        for moving in [true, false] {
            let snapshot = snapshot(count, moving);
            let bytes =
                count * (size_of::<PictureItem>() + size_of::<Instance>() - size_of::<SnapshotItem>());
            let (source, mut copy, mut batch) = (vec![1_u8; bytes], PlainCopy::default(), Batch::default());
            let (mut batches, mut copies) = (Vec::new(), Vec::new());
            for _ in 0..ROUNDS {
                let start = clock.now();
                batch.fill(black_box(&snapshot), &view, view.size);
                black_box(&batch);
                let between = clock.now();
                copy.fill(black_box(&snapshot), &source);
                let end = clock.now();
                batches.push((between - start).0 as f64 / count as f64);
                copies.push((end - between).0 as f64 / count as f64);
            }
            let (batch, copy) = (median(batches), median(copies));
            println!("{count:>8} {moving:>9} {batch:>10.1} {copy:>10.1} {:>7.1}", batch / copy);
        }
    }
}
