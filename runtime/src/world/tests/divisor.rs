//! A physics step that spans several ticks.

use super::*;
use crate::snapshot::Snapshot;
use crate::time::simulated::SimulatedTime;

const BALL: EntityId = EntityId(1);

/// A ball that flies and falls, far above everything.
fn flight() -> Entity {
    let body = body(BodyKind::Dynamic).map(|body| Body { velocity: Vec3::new(10.0, 0.0, 0.0), ..body });
    Entity { transform: at(0.0, 900.0, 0.0), shape: ball(), body, ..entity(1, "Ball") }
}

fn flying(entities: Vec<Entity>, divisor: u32) -> World {
    let scene = Scene { entities, ..Scene::default() };
    let mut world = World::new(&scene, Rate::hz(512).unwrap()).unwrap();
    world.set_physics_divisor(divisor);
    world
}

fn tick_512(world: &mut World, number: u64) {
    let tick_rate = Rate::hz(512).unwrap();
    let seconds = number as f64 / 512.0;
    world.tick(&TickStep { tick: Tick(number), seconds, tick_rate, input: &TickInput::default() });
}

fn position(world: &World, id: EntityId) -> Vec3 {
    world.local_pose(id).unwrap().position
}

#[test]
fn physics_steps_once_in_so_many_ticks_and_has_spent_their_time() {
    let (mut every, mut eighth) = (flying(vec![flight()], 1), flying(vec![flight()], 8));
    for number in 1..=512 {
        tick_512(&mut every, number);
        tick_512(&mut eighth, number);
        let steps = (number + 1) / 8;
        assert_eq!((every.physics_steps(), eighth.physics_steps()), (number, steps));
        // Pulled at 7, 15 and so on: then it is where it would be.
        let seconds = (8 * steps).saturating_sub(1) as f32 / 512.0;
        assert!((position(&eighth, BALL).x - 10.0 * seconds).abs() < 1e-3, "tick {number}");
    }
    // A step of eight ticks falls a little farther than eight of one.
    let fallen = 900.0 - position(&eighth, BALL).y;
    let expected = 0.5 * 9.81 * (511.0_f32 / 512.0).powi(2);
    assert!((fallen - expected).abs() < 0.08, "{fallen} {expected}");
    let (linear, _) = eighth.velocity(BALL).unwrap();
    assert!((linear.y + 9.81 * 511.0 / 512.0).abs() < 1e-3, "{linear}");
}

#[test]
fn a_body_is_drawn_at_its_own_speed_at_every_frame_rate() {
    for frames_a_second in [60.0, 75.0, 144.0, 240.0, 1000.0_f64] {
        let mut world = flying(vec![flight()], 8);
        let mut store = Interpolation::new(&world);
        let mut snapshot = Snapshot::default();
        let (mut ran, mut before) = (0_u64, None);
        for frame in 0..(2.0 * frames_a_second) as u64 {
            let due = frame as f64 / frames_a_second * 512.0;
            while ran < due as u64 {
                ran += 1;
                tick_512(&mut world, ran);
                store.roll(&world);
            }
            snapshot.alpha = due.fract();
            snapshot.fill(&world, &store);
            let drawn = snapshot.drawn_pose(BALL).unwrap().position;
            // From its second new pose on.
            if let Some(before) = before.filter(|_| ran > 40) {
                let moved: Vec3 = drawn - before;
                let along = f64::from(moved.x) * frames_a_second / 10.0;
                assert!(
                    (along - 1.0).abs() < 0.01,
                    "{frames_a_second} Hz, frame {frame}: {along} of its speed"
                );
                // Eight ticks ago in the middle of the frame, as fast as it fell then.
                let then = (due - 8.0) / 512.0 - 0.5 / frames_a_second;
                let down = f64::from(-moved.y) * frames_a_second - 9.81 * then;
                assert!(down.abs() < 0.2, "{frames_a_second} Hz, frame {frame}: {down} m/s off");
            }
            before = Some(drawn);
        }
    }
}

#[test]
fn a_body_is_drawn_at_its_own_speed_while_the_divisor_is_changed() {
    let mut world = flying(vec![flight()], 8);
    let mut store = Interpolation::new(&world);
    // Where physics had it after each tick that it stepped to.
    let mut pulled: Vec<(u64, Vec3)> = vec![(0, position(&world, BALL))];
    let mut shown = 0.0_f64;
    for number in 1..=1_500_u64 {
        match number {
            101 => world.set_physics_divisor(4),
            603 => world.set_physics_divisor(1),
            _ => {}
        }
        let steps = world.physics_steps();
        tick_512(&mut world, number);
        store.roll(&world);
        if world.physics_steps() > steps {
            pulled.push((number, position(&world, BALL)));
        }
        let (from, to) = store.poses(BALL).map(|(from, to)| (from.position, to.position)).unwrap();
        // It flies on at ten metres a second, so that its place tells the tick.
        let way = f64::from(to.x - from.x) * 512.0 / 10.0;
        let moves = number > 8;
        assert!(!moves || (0.98..1.02).contains(&way), "tick {number}: {way} of its speed");
        shown = f64::from(to.x) * 512.0 / 10.0;
        // It is where the steps had it, and falls as fast as it did there.
        let after = pulled.iter().position(|(tick, _)| *tick as f64 >= shown - 1e-2).unwrap_or(0);
        let (before, after) = (pulled[after.saturating_sub(1)], pulled[after]);
        let share = (shown - before.0 as f64) / (after.0.saturating_sub(before.0)).max(1) as f64;
        let expected = before.1.y + (after.1.y - before.1.y) * share as f32;
        assert!((to.y - expected).abs() < 2e-3, "tick {number}: {} and not {expected}", to.y);
    }
    // Seven ticks in hundredths: by then it is drawn as everything else is.
    assert!((shown - 1_500.0).abs() < 0.1, "{shown}");
    assert_eq!(store.poses(BALL).unwrap().1, world.local_pose(BALL).unwrap());
}

#[test]
fn where_steps_become_longer_a_body_is_drawn_a_hundredth_slower_until_it_is_far_enough_behind() {
    let mut world = flying(vec![flight()], 1);
    let mut store = Interpolation::new(&world);
    for number in 1..=2_000_u64 {
        match number {
            50 => world.set_physics_divisor(4),
            603 => world.set_physics_divisor(16),
            _ => {}
        }
        tick_512(&mut world, number);
        store.roll(&world);
        let (from, to) = store.poses(BALL).map(|(from, to)| (from.position, to.position)).unwrap();
        let way = f64::from(to.x - from.x) * 512.0 / 10.0;
        assert!((0.98..1.01).contains(&way), "tick {number}: {way} of its speed");
    }
    let shown = f64::from(store.poses(BALL).unwrap().1.position.x) * 512.0 / 10.0;
    assert!((shown - 1_985.0).abs() < 0.1, "{shown}");
}

/// A world whose ticks change their length.
struct Changing {
    world: World,
    store: Interpolation,
    number: u64,
    time: SimulatedTime,
}

impl Changing {
    fn new(entities: Vec<Entity>, divisor: u32) -> Self {
        let world = flying(entities, divisor);
        Self { store: Interpolation::new(&world), world, number: 0, time: SimulatedTime::ZERO }
    }

    fn tick(&mut self, rate: &str) {
        let tick_rate: Rate = rate.parse().unwrap();
        self.number += 1;
        self.time.add_ticks(1, tick_rate);
        let (tick, seconds) = (Tick(self.number), self.time.seconds_f64());
        self.world.tick(&TickStep { tick, seconds, tick_rate, input: &TickInput::default() });
        self.store.roll(&self.world);
    }

    fn ticks(&mut self, ticks: u64, rate: &str) {
        (0..ticks).for_each(|_| self.tick(rate));
    }

    /// Where the last tick is drawn to begin and to end.
    fn drawn(&self, id: EntityId) -> (Vec3, Vec3) {
        self.store.poses(id).map(|(from, to)| (from.position, to.position)).unwrap()
    }
}

#[test]
fn a_body_is_drawn_at_its_own_speed_and_steps_keep_simulated_time_while_the_tick_rate_is_changed() {
    for divisor in [2, 3, 8] {
        // In every place of a step, to ticks fifty times as long and as short, and to some a little longer.
        for shift in 0..8 {
            let mut of = Changing::new(vec![flight()], divisor);
            let parts =
                [(32 + shift, "512"), (9 + shift, "10"), (600 + shift, "512"), (101, "480"), (200, "59.94")];
            let mut last: Option<Vec3> = None;
            for (ticks, rate) in parts {
                let a_second = rate.parse::<f64>().unwrap();
                for _ in 0..ticks {
                    of.tick(rate);
                    let (from, to) = of.drawn(BALL);
                    let way = f64::from(to.x - from.x) * a_second / 10.0;
                    let at = format!("divisor {divisor}, shift {shift}, tick {} at {rate}", of.number);
                    assert!(of.number <= 8 || (0.98..1.02).contains(&way), "{at}: {way} of its speed");
                    // It goes on from where it was.
                    assert!(last.is_none_or(|last| (last - from).length() < 2e-3), "{at}: {last:?} {from}");
                    last = Some(to);
                    // Physics is where ticks are, but where it had computed a step already.
                    let apart = f64::from(position(&of.world, BALL).x) / 10.0 - of.time.seconds_f64();
                    let most = f64::from(divisor - 1) / 10.0 + 1e-3;
                    assert!((-most..most).contains(&apart), "{at}: {apart} s from simulated time");
                }
            }
            // All that was simulated up to the end of the last step, and nothing else.
            let (_, to) = of.drawn(BALL);
            let behind = of.time.seconds_f64() - f64::from(to.x) / 10.0;
            assert!((0.0..0.8).contains(&behind), "{behind} s");
            of.world.set_physics_divisor(1);
            of.ticks(8, "59.94");
            let flown = f64::from(position(&of.world, BALL).x) / 10.0;
            assert!((flown - of.time.seconds_f64()).abs() < 1e-3, "{flown} {}", of.time.seconds_f64());
        }
    }
}

#[test]
fn a_tick_rate_that_changes_in_the_middle_of_a_step_moves_nothing_that_sleeps_nor_what_was_put_somewhere() {
    let floor = Entity {
        shape: Some(shape(ShapeKind::Cube { size: Vec3::new(20.0, 1.0, 20.0) })),
        body: body(BodyKind::Fixed),
        ..entity(3, "Floor")
    };
    let resting = Entity {
        transform: at(5.0, 1.0, 0.0),
        shape: ball(),
        body: body(BodyKind::Dynamic),
        ..entity(2, "Rests")
    };
    let mut of = Changing::new(vec![flight(), resting, floor], 8);
    of.ticks(2_004, "512");
    let rests = position(&of.world, EntityId(2));
    for (before, after) in [("512", "10"), ("10", "512"), ("512", "500")] {
        // Into the middle of a step.
        while of.number % 8 != 4 {
            of.tick(before);
        }
        let there = Pose { position: Vec3::new(-50.0, 500.0, 0.0), ..Pose::default() };
        assert!(of.world.set_pose(BALL, there));
        of.store.settle(&of.world);
        let new = of.world.spawn(&flight()).unwrap();
        of.tick(after);
        // Their first step is that of the new ticks, and is drawn from where they stand.
        for (id, x) in [(BALL, -50.0), (new, 0.0)] {
            let (from, to) = of.drawn(id);
            let most = 10.0 * after.parse::<f32>().unwrap().recip() * 1.02;
            assert!(
                (x..=x + most).contains(&from.x) && (from.x..=x + most).contains(&to.x),
                "{after}: {from} {to}"
            );
        }
        assert_eq!(of.drawn(EntityId(2)), (rests, rests), "{before} to {after}");
        of.ticks(3, after);
    }
}

#[test]
fn a_body_that_is_led_pushes_no_harder_where_steps_become_shorter() {
    let pusher = Entity {
        transform: at(-1.05, 900.0, 0.0),
        shape: Some(shape(ShapeKind::Cube { size: Vec3::new(1.0, 400.0, 40.0) })),
        body: body(BodyKind::Kinematic),
        motion: Some(Motion::Steady { velocity: Vec3::new(1.0, 0.0, 0.0) }),
        ..entity(2, "Pusher")
    };
    let stands = body(BodyKind::Dynamic);
    let pushed = Entity { transform: at(0.0, 900.0, 0.0), shape: ball(), body: stands, ..entity(1, "Ball") };
    let mut of = Changing::new(vec![pushed, pusher], 8);
    let mut fastest = 0.0_f32;
    for (ticks, rate) in [(45, "60"), (512, "512")] {
        for _ in 0..ticks {
            of.tick(rate);
            fastest = fastest.max(of.world.velocity(BALL).unwrap().0.x);
        }
    }
    assert!((0.5..1.5).contains(&fastest), "{fastest} m/s by what goes one");
}

#[test]
fn what_is_asked_of_a_body_while_a_step_is_under_way_is_done_when_it_is_over() {
    let mut world = flying(vec![flight()], 8);
    let mut store = Interpolation::new(&world);
    for number in 1..=10 {
        tick_512(&mut world, number);
        store.roll(&world);
    }
    // Put somewhere: there at once, and in both poses.
    let there = Pose { position: Vec3::new(-50.0, 500.0, 0.0), ..Pose::default() };
    assert!(world.set_pose(BALL, there));
    store.settle(&world);
    let poses = store.poses(BALL).map(|(from, to)| (from.position, to.position));
    assert_eq!(poses, Some((there.position, there.position)));
    // Another comes, and one of those that came goes again.
    let new = world.spawn(&flight()).unwrap();
    let gone = world.spawn(&flight()).unwrap();
    assert_eq!(world.velocity(new).map(|(linear, _)| linear), Some(Vec3::new(10.0, 0.0, 0.0)));
    assert!(world.despawn(gone));
    for number in 11..=15 {
        tick_512(&mut world, number);
        store.roll(&world);
        assert_eq!(position(&world, BALL), there.position, "tick {number}");
        assert_eq!(position(&world, new).x, 0.0, "tick {number}");
    }
    // From the next step on they move: eight ticks of 10 m/s.
    for number in 16..=23 {
        tick_512(&mut world, number);
        store.roll(&world);
    }
    let way = 10.0 * 8.0 / 512.0;
    assert!((position(&world, BALL).x - (there.position.x + way)).abs() < 1e-4);
    assert!((position(&world, new).x - way).abs() < 1e-4);
    let (from, to) = store.poses(BALL).unwrap();
    assert_eq!(from.position, there.position);
    assert!((to.position.x - (there.position.x + way / 8.0)).abs() < 1e-4);
}

#[test]
fn a_copy_made_while_a_step_is_under_way_goes_on_as_the_original_does() {
    let spawner = Spawner {
        every_ticks: 3,
        lifetime_ticks: 11,
        limit: 3,
        shape: shape(ShapeKind::Sphere { radius: 0.5 }),
        body: body(BodyKind::Dynamic),
        spread_degrees: 30.0,
    };
    let spawner = Entity { spawner: Some(spawner), ..entity(2, "Spawner") };
    let mut original = flying(vec![flight(), spawner], 8);
    (1..=20).for_each(|number| tick_512(&mut original, number));
    let mut copy = original.clone();
    assert_eq!(copy.state_hash(), original.state_hash());
    for number in 21..=100 {
        tick_512(&mut original, number);
        tick_512(&mut copy, number);
        assert_eq!(copy.state_hash(), original.state_hash(), "tick {number}");
    }
}
