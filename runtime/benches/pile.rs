//! The pile of `projects/pile` beside a bare rapier loop of the same bodies.
//!
//! `cargo bench -p framewalk-runtime --no-default-features --features sim --bench pile`. The contenders take turns tick by tick, so that a machine which
//! slows down slows them all; at the end both hold every body in the same place, to the bit, or the bench fails.

#[path = "shared/row.rs"]
mod row;

use std::hint::black_box;

use framewalk_runtime::input::TickInput;
use framewalk_runtime::interpolation::Interpolation;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::scene::{BodyKind, EntityId, Pose, Scene, ShapeKind};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::source::RealClock;
use framewalk_runtime::time::{Rate, Tick};
use framewalk_runtime::world::{TickStep, World};
use glam::Vec3;
use rapier3d::dynamics::{RigidBodyBuilder, RigidBodyHandle};
use rapier3d::geometry::ColliderBuilder;
use rapier3d::math::Pose as BodyPose;
use rapier3d::pipeline::PhysicsWorld;
use row::{Aim, Row};

/// First and last tick of each row: all fall and tumble; they settle; all sleep, and only looking at them costs.
const ROWS: [(&str, u64, u64); 3] = [("tumbling", 1, 180), ("settling", 181, 600), ("asleep", 781, 900)];

/// Whether a fast body is swept against everything, or against what is fixed alone.
#[derive(Clone, Copy, PartialEq)]
enum Sweep {
    Everything,
    FixedAlone,
}

fn main() {
    let scene = parse_scene(include_str!("../../projects/pile/scenes/main.ron")).expect("a sample");
    let rows = if row::is_measured() { &ROWS[..] } else { &[("a look", 1, 3)] };
    let clock = RealClock::new();
    let mut framewalk = Framewalk::new(&scene);
    let (mut bare, handles) = bare_world(&scene, Sweep::Everything);
    let (mut fixed_alone, _) = bare_world(&scene, Sweep::FixedAlone);
    row::header();
    for &(name, first, last) in rows {
        // Of the bare loops, of the tick alone, and of the tick with what a frame adds.
        let mut nanos = [0_i64; 4];
        while framewalk.world.last_tick().0 + 1 < first {
            bare.step();
            fixed_alone.step();
            framewalk.tick(framewalk.world.last_tick().0 + 1);
            framewalk.show();
        }
        for tick in first..=last {
            let start = clock.now();
            bare.step();
            let stepped = clock.now();
            fixed_alone.step();
            let swept = clock.now();
            framewalk.tick(tick);
            let ticked = clock.now();
            framewalk.show();
            let shown = clock.now();
            let costs = [stepped - start, swept - stepped, ticked - swept, shown - swept];
            nanos.iter_mut().zip(costs).for_each(|(sum, cost)| *sum += cost.0);
        }
        let [bare, fixed_alone, tick, frame] =
            nanos.map(|nanos| nanos as f64 / 1e6 / (last + 1 - first) as f64);
        let ticks = format!("{} bodies {name}, ticks {first} to {last}", handles.len());
        let row = |what: &str, ours, peer, theirs, aim| {
            Row { what: &format!("{what}, {ticks}"), unit: "ms", ours, peer: Some((peer, theirs)), aim }
                .print();
        };
        row("tick, roll, fill", frame, "bare rapier", bare, None);
        // Where all sleep there is nothing to be a twentieth of.
        let aim = (bare > 0.1).then_some(Aim::Ratio(1.05));
        row("tick", tick, "bare rapier", bare, aim);
        row("tick", tick, "bare rapier, fixed swept only", fixed_alone, None);
    }
    for (id, handle) in handles {
        let pose = framewalk.world.world_pose(id).expect("every body is there");
        let body = &bare.bodies[handle];
        assert_eq!((pose.position, pose.rotation), (body.translation(), *body.rotation()), "{id:?}");
    }
}

/// What a frame does with the bodies on the sim thread.
struct Framewalk {
    world: World,
    store: Interpolation,
    snapshot: Snapshot,
}

impl Framewalk {
    fn new(scene: &Scene) -> Self {
        let world = World::new(scene, Rate::HZ_60).expect("a sample");
        let store = Interpolation::new(&world);
        Self { world, store, snapshot: Snapshot::default() }
    }

    fn tick(&mut self, tick: u64) {
        black_box(self.world.tick(&TickStep {
            tick: Tick(tick),
            seconds: tick as f64 / 60.0,
            tick_rate: Rate::HZ_60,
            input: &TickInput::default(),
        }));
    }

    fn show(&mut self) {
        self.store.roll(&self.world);
        self.snapshot.fill(&self.world, &self.store);
        black_box(&self.snapshot);
    }
}

/// The same bodies, and nothing around them.
fn bare_world(scene: &Scene, sweep: Sweep) -> (PhysicsWorld, Vec<(EntityId, RigidBodyHandle)>) {
    let mut physics = PhysicsWorld { gravity: Vec3::new(0.0, -9.81, 0.0), ..PhysicsWorld::default() };
    physics.integration_parameters.dt = Rate::HZ_60.period_secs_f64() as f32;
    let mut handles = Vec::new();
    for entity in &scene.entities {
        let (Some(body), Some(shape)) = (entity.body, entity.shape) else { continue };
        let Pose { position, rotation, .. } = entity.transform.pose();
        let rigid = match body.kind {
            BodyKind::Dynamic => RigidBodyBuilder::dynamic().ccd_enabled(sweep == Sweep::Everything),
            _ => RigidBodyBuilder::fixed(),
        };
        let collider = match shape.kind {
            ShapeKind::Cube { size } => ColliderBuilder::cuboid(size.x / 2.0, size.y / 2.0, size.z / 2.0),
            ShapeKind::Sphere { radius } => ColliderBuilder::ball(radius),
            ShapeKind::Capsule { radius, half_height } => ColliderBuilder::capsule_y(half_height, radius),
            ShapeKind::Plane { width, depth } => {
                ColliderBuilder::cuboid(width / 2.0, 0.25, depth / 2.0).translation(Vec3::NEG_Y * 0.25)
            }
            ShapeKind::Cylinder { .. } => unreachable!("the pile has no cylinders"),
        };
        let collider = collider.mass(body.mass).friction(body.friction).restitution(body.bounce);
        let rigid = rigid.pose(BodyPose::from_parts(position, rotation));
        let handle = physics.insert(rigid, collider.build()).0;
        if body.kind == BodyKind::Dynamic {
            handles.push((entity.id, handle));
        }
    }
    (physics, handles)
}
