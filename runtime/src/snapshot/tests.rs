use super::*;
use crate::input::TickInput;
use crate::scene::{Camera, Entity, Follow, Motion, Scene, Teleporter, Transform};
use crate::time::Rate;
use crate::world::TickStep;

fn entity(id: u64, name: &str) -> Entity {
    Entity { id: EntityId(id), name: name.to_owned(), ..Entity::default() }
}

fn at(x: f32, y: f32, z: f32) -> Transform {
    Transform { position: Vec3::new(x, y, z), ..Transform::default() }
}

/// A world, its store and a snapshot, run as frames are: ticks, a roll after each, then one fill.
struct Run {
    world: World,
    store: Interpolation,
    snapshot: Snapshot,
    tick: u64,
    rate: u32,
}

impl Run {
    fn new(entities: Vec<Entity>, rate: u32) -> Self {
        let world = World::new(&Scene { entities, ..Scene::default() }, Rate::HZ_60).expect("in order");
        let store = Interpolation::new(&world);
        let mut run = Self { world, store, snapshot: Snapshot::default(), tick: 0, rate };
        run.frame(0, 0.0);
        run
    }

    fn frame(&mut self, ticks: u64, alpha: f64) {
        for _ in 0..ticks {
            self.tick += 1;
            self.world.tick(&TickStep {
                tick: Tick(self.tick),
                seconds: self.tick as f64 / f64::from(self.rate),
                tick_rate: Rate::hz(self.rate).expect("1 to 1000"),
                input: &TickInput::default(),
            });
            self.store.roll(&self.world);
        }
        self.snapshot.alpha = alpha;
        self.snapshot.fill(&self.world, &self.store);
        self.store.prune(&self.world);
    }

    fn drawn(&self, id: u64) -> Vec3 {
        self.snapshot.drawn_pose(EntityId(id)).expect("in the picture").position
    }
}

fn steady(id: u64, velocity: Vec3) -> Entity {
    Entity { motion: Some(Motion::Steady { velocity }), ..entity(id, "Mover") }
}

#[test]
fn a_steady_mover_is_drawn_at_tick_minus_one_plus_alpha_over_the_rate() {
    let mut run = Run::new(vec![steady(1, Vec3::X)], 10);
    for (tick, alpha, x) in [(1, 0.25, 0.025), (2, 0.5, 0.15), (3, 0.0, 0.2), (4, 0.75, 0.375)] {
        run.frame(1, alpha);
        assert_eq!(run.tick, tick);
        assert!((run.drawn(1).x - x).abs() < 1e-7, "tick {tick}: {}", run.drawn(1).x);
    }
}

#[test]
fn drawn_speed_is_one_from_the_second_tick_on_at_every_frame_rate() {
    for rate in [10_u64, 60, 64] {
        for frames in [25_u64, 30, 60, 75, 90, 144, 165, 240] {
            let mut run = Run::new(vec![steady(1, Vec3::X)], rate as u32);
            let mut last: Option<(u64, f64)> = None;
            for frame in 0..=3 * frames {
                // Whole numbers only: ticks due at frame ÷ frames seconds, and the rest of them.
                let due = frame * rate / frames;
                let alpha = (frame * rate % frames) as f64 / frames as f64;
                run.frame(due - run.tick, alpha);
                let x = f64::from(run.drawn(1).x);
                if due >= 1 {
                    let expected = (due as f64 - 1.0 + alpha) / rate as f64;
                    assert!((x - expected).abs() < 1e-6, "{rate} Hz at {frames}, frame {frame}: {x}");
                }
                // At tick 0 the picture stands at 0 whatever alpha is: steady from the second tick's interval on.
                if let Some((_, last)) = last.filter(|(ticks, _)| *ticks >= 1) {
                    let speed = (x - last) * frames as f64;
                    assert!((speed - 1.0).abs() < 2e-4, "{rate} Hz at {frames}, frame {frame}: {speed}");
                }
                last = Some((due, x));
            }
        }
    }
}

#[test]
fn no_pose_moves_backward_whatever_phase_the_clock_starts_in() {
    for phase in 0..100_u64 {
        let mut run = Run::new(vec![steady(1, Vec3::X)], 60);
        let mut last = 0.0;
        for frame in 0..60_u64 {
            // 144 frames a second, begun `phase` hundredths of a frame in.
            let hundredths = (frame * 100 + phase) * 60;
            let due = hundredths / 14_400;
            run.frame(due - run.tick, (hundredths % 14_400) as f64 / 14_400.0);
            assert!(run.drawn(1).x >= last, "phase {phase}, frame {frame}");
            last = run.drawn(1).x;
        }
    }
}

#[test]
fn spawned_and_put_somewhere_in_one_tick_is_first_drawn_there() {
    let mut run = Run::new(Vec::new(), 60);
    let id = run.world.spawn(&entity(0, "New")).expect("no parent");
    let five = Pose { position: Vec3::new(5.0, 0.0, 0.0), ..Pose::default() };
    assert!(run.world.set_pose(id, five));
    run.frame(1, 0.5);
    assert_eq!(run.drawn(id.0), Vec3::new(5.0, 0.0, 0.0));
}

#[test]
fn a_child_is_where_its_teleported_parent_is_in_the_same_frame() {
    let parent = Entity {
        teleporter: Some(Teleporter { every_ticks: 2, poses: vec![at(1000.0, 0.0, 0.0)] }),
        ..entity(1, "Parent")
    };
    let still = Entity { parent: Some(EntityId(1)), transform: at(0.0, 1.0, 0.0), ..entity(2, "Still") };
    let moving = Entity { parent: Some(EntityId(1)), ..steady(3, Vec3::new(0.0, 0.0, 60.0)) };
    let mut run = Run::new(vec![parent, still, moving], 60);
    run.frame(1, 0.5);
    assert_eq!(run.drawn(2), Vec3::new(0.0, 1.0, 0.0));
    run.frame(1, 0.5);
    assert_eq!(run.drawn(1), Vec3::new(1000.0, 0.0, 0.0));
    assert_eq!(run.drawn(2), Vec3::new(1000.0, 1.0, 0.0));
    assert!(run.drawn(3).abs_diff_eq(Vec3::new(1000.0, 0.0, 1.5), 1e-4), "{}", run.drawn(3));
}

#[test]
fn a_pose_set_by_hand_is_drawn_at_once_even_without_a_tick() {
    let mut run = Run::new(vec![steady(1, Vec3::X)], 60);
    run.frame(2, 0.5);
    let pose = Pose { position: Vec3::new(0.0, 9.0, 0.0), ..Pose::default() };
    assert!(run.world.set_pose(EntityId(1), pose));
    run.frame(0, 0.7);
    assert_eq!(run.drawn(1), Vec3::new(0.0, 9.0, 0.0));
}

#[test]
fn spawned_and_gone_in_one_frame_is_not_drawn() {
    let mut run = Run::new(Vec::new(), 60);
    let id = run.world.spawn(&entity(0, "Spark")).expect("no parent");
    run.store.roll(&run.world);
    assert!(run.world.despawn(id));
    run.frame(1, 0.5);
    assert!(run.snapshot.items.is_empty());
    assert!(run.store.is_empty());
}

#[test]
fn parents_come_before_children_and_world_poses_follow_them() {
    let child = Entity { parent: Some(EntityId(2)), transform: at(0.0, 1.0, 0.0), ..entity(1, "Child") };
    let mut run = Run::new(vec![child, steady(2, Vec3::new(60.0, 0.0, 0.0))], 60);
    run.frame(2, 0.5);
    let order: Vec<(u64, u32)> = run.snapshot.items.iter().map(|item| (item.entity.0, item.parent)).collect();
    assert_eq!(order, [(2, SnapshotItem::NO_PARENT), (1, 0)]);
    let poses = run.snapshot.world_poses(1);
    let places = [poses.previous, poses.drawn, poses.current].map(|pose| pose.position);
    assert_eq!(places, [Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.5, 1.0, 0.0), Vec3::new(2.0, 1.0, 0.0)]);
    let mut all = Vec::new();
    run.snapshot.drawn_all(1.0, &mut all);
    assert_eq!(all.iter().map(|pose| pose.position.x).collect::<Vec<_>>(), [2.0, 2.0]);
}

#[test]
fn a_following_camera_stands_beside_the_drawn_target_and_looks_at_it() {
    let follow = Some(Follow { target: EntityId(1), offset: Vec3::new(0.0, 0.0, 4.0) });
    let camera = Camera { fov_degrees: 60.0, near: 0.1, far: 100.0, follow };
    let camera = Entity { camera: Some(camera), ..entity(2, "Camera") };
    let mut run = Run::new(vec![camera, steady(1, Vec3::new(60.0, 0.0, 0.0))], 60);
    run.frame(2, 0.5);
    let eye = run.snapshot.camera_pose(0.5).expect("a camera");
    assert_eq!(eye.position, Vec3::new(1.5, 0.0, 4.0));
    assert_eq!(run.snapshot.drawn_pose(EntityId(2)), Some(eye));
    assert!((eye.rotation * Vec3::NEG_Z).abs_diff_eq(Vec3::NEG_Z, 1e-6));
}

#[test]
fn a_camera_looking_along_any_direction_keeps_its_picture_upright() {
    let directions =
        [Vec3::X, Vec3::NEG_Z, Vec3::new(1.0, -1.0, 0.5), Vec3::Y, Vec3::NEG_Y, Vec3::new(0.0, -5.0, 3.0)];
    for direction in directions {
        let rotation = looking_along(direction);
        assert!((rotation.length() - 1.0).abs() < 1e-5);
        assert!((rotation * Vec3::NEG_Z).abs_diff_eq(direction.normalize(), 1e-5), "{direction}");
        assert!((rotation * Vec3::Y).y >= -1e-6, "{direction}");
        assert!((rotation * Vec3::X).y.abs() < 1e-6, "{direction}");
    }
}
