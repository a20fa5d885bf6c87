use super::*;
use crate::input::{InputEvent, InputKind, InputState, Key};
use crate::scene::format::parse_scene;
use crate::time::{Nanos, Rate};
use crate::world::{HandEdit, TickStep};

fn world(entities: &str) -> World {
    let scene = parse_scene(&format!("(format: 1, entities: [{entities}])")).expect("a scene");
    World::new(&scene, Rate::HZ_60).expect("it can be run")
}

/// The cues of ticks 1 to `ticks`: tick, entity and strength in thousandths.
fn cues(world: &mut World, ticks: u64) -> Vec<(u64, u64, u32)> {
    cues_with(world, 1..=ticks, &mut InputState::default())
}

fn cues_with(
    world: &mut World,
    ticks: std::ops::RangeInclusive<u64>,
    input: &mut InputState,
) -> Vec<(u64, u64, u32)> {
    let mut found = Vec::new();
    for tick in ticks {
        let seconds = tick as f64 / 60.0;
        let input = &input.take_tick_input();
        world.tick(&TickStep { tick: Tick(tick), seconds, tick_rate: Rate::HZ_60, input });
        found.extend(
            world
                .sound_cues()
                .iter()
                .map(|cue| (cue.tick.0, cue.entity.0, (cue.strength * 1000.0).round() as u32)),
        );
    }
    found
}

const BALL: &str = "shape: Sphere(radius: 0.5, color: \"#ffffff\"), body: (kind: Dynamic)";
const FLOOR: &str =
    "(id: 9, name: \"Floor\", shape: Plane(width: 20, depth: 20, color: \"#ffffff\"), body: (kind: Fixed))";

#[test]
fn what_sounds_at_the_start_sounds_in_its_first_tick_and_not_again() {
    let mut world = world("(id: 4, name: \"A\", sound: (when: Start)), (id: 2, name: \"B\", sound: ())");
    assert_eq!(cues(&mut world, 5), [(1, 4, 1000), (1, 2, 1000)]);
    // One that an application adds has its first tick later.
    let late = crate::scene::Entity { sound: Some(Sound::default()), ..crate::scene::Entity::default() };
    let id = world.spawn(&late).expect("it is there");
    assert_eq!(cues_with(&mut world, 6..=8, &mut InputState::default()), [(6, id.0, 1000)]);
}

#[test]
fn a_teleporter_and_a_spawner_sound_when_they_do_what_they_are_for() {
    let mut world = world(
        "(id: 1, name: \"Jumper\", teleporter: (every_ticks: 3, poses: [(position: (1, 0, 0)), (position: (5, 0, 0))]), \
         sound: (when: Teleport)), \
         (id: 2, name: \"Source\", spawner: (every_ticks: 2, limit: 2, shape: Cube(size: (1, 1, 1), color: \"#ffffff\")), \
         sound: (when: Spawn))",
    );
    let found = cues(&mut world, 7);
    assert_eq!(found, [(2, 2, 1000), (3, 1, 1000), (4, 2, 1000), (6, 1, 1000)], "at most two are alive");
    assert_eq!(world.sound_cues(), []);
    cues_with(&mut world, 8..=9, &mut InputState::default());
    let [cue] = world.sound_cues() else { panic!("one of tick 9") };
    assert_eq!(cue.place, Vec3::X, "where it was put");
}

#[test]
fn a_jump_sounds_once_for_the_press_and_only_of_what_can_jump() {
    let mut world = world(
        "(id: 1, name: \"Player\", controlled: (speed: 1, jump: 1), sound: (when: Jump)), \
         (id: 2, name: \"Walker\", controlled: (speed: 1), sound: (when: Jump)), \
         (id: 3, name: \"Faller\", controlled: (speed: 1, jump: 2), sound: (when: Jump), shape: Sphere(radius: 0.5, color: \"#ffffff\"), body: ())",
    );
    let mut input = InputState::default();
    assert_eq!(cues_with(&mut world, 1..=3, &mut input), []);
    input.apply(&InputEvent { at: Nanos::ZERO, kind: InputKind::KeyDown(Key::Space) });
    assert_eq!(cues_with(&mut world, 4..=9, &mut input), [(4, 1, 1000), (4, 3, 1000)]);
}

#[test]
fn bodies_that_begin_to_touch_sound_by_how_fast_they_meet() {
    // From 1.25 m down a ball of half a metre falls 0.75 m: it meets the floor at √(2 · 9.81 · 0.75) = 3.8 m/s.
    let ball = |id: u64, height: f32, when: &str| {
        format!(
            "(id: {id}, name: \"Ball {id}\", transform: (position: ({}, {height}, 0)), {BALL}, sound: (when: {when}))",
            2 * id
        )
    };
    let low = "(id: 4, name: \"Low\", transform: (position: (-4, 0.5005, 0)), shape: Sphere(radius: 0.5, \
               color: \"#ffffff\"), body: (), sound: (when: Contact))";
    let mut world = world(
        &[FLOOR, &ball(1, 1.25, "Contact"), &ball(2, 1.25, "Start"), low, &ball(3, 6.0, "Contact")]
            .join(", "),
    );
    let found = cues(&mut world, 120);
    let of = |id: u64| found.iter().filter(|cue| cue.1 == id).copied().collect::<Vec<_>>();
    assert_eq!(of(2), [(1, 2, 1000)], "it sounds at the start, and is not heard to touch");
    assert_eq!(of(4), [], "too slow to be heard");
    let [(tick, _, strength)] = of(1)[..] else { panic!("once: {:?}", of(1)) };
    // 23.4 ticks of falling.
    assert!((22..=25).contains(&tick) && (720..=790).contains(&strength), "{tick}, {strength}");
    let [(_, _, strength)] = of(3)[..] else { panic!("once: {:?}", of(3)) };
    assert_eq!(strength, 1000, "faster than the loudest");
}

#[test]
fn who_listens_changes_nothing_of_what_happens() {
    let fall = |sound: &str| {
        let balls: Vec<String> = (1..8)
            .map(|id| {
                let height = 1.0 + 0.9 * id as f32;
                let x = 0.2 * id as f32;
                format!("(id: {id}, name: \"Ball {id}\", transform: (position: ({x}, {height}, 0)), {BALL}{sound})")
            })
            .collect();
        let mut world = world(&format!("{FLOOR}, {}", balls.join(", ")));
        let count = cues(&mut world, 240).len();
        (count, world.state_hash())
    };
    let (silent, hash) = fall("");
    let (heard, same) = fall(", sound: (when: Contact)");
    assert_eq!((silent, hash), (0, same));
    assert!(heard >= 7, "{heard}");
}

#[test]
fn another_sound_by_hand_is_heard_from_the_next_tick_on() {
    let mut world = world(&format!(
        "{FLOOR}, (id: 1, name: \"Ball\", transform: (position: (0, 2, 0)), {BALL}, sound: (when: Start))"
    ));
    assert_eq!(cues(&mut world, 2), [(1, 1, 1000)]);
    let contact = Sound { when: SoundWhen::Contact, ..Sound::default() };
    assert!(world.edit_by_hand(EntityId(1), &HandEdit::Sound(contact)));
    assert_eq!(cues_with(&mut world, 3..=90, &mut InputState::default()).len(), 1);
    assert!(!world.edit_by_hand(EntityId(1), &HandEdit::Sound(Sound { volume: 2.0, ..contact })));
    assert!(!world.edit_by_hand(EntityId(9), &HandEdit::Sound(contact)), "it has none");
}

#[test]
fn what_is_gone_is_not_heard_of() {
    let mut world = world("(id: 1, name: \"A\", sound: ()), (id: 2, name: \"B\", sound: ())");
    assert!(world.despawn(EntityId(1)));
    assert_eq!(cues(&mut world, 2), [(1, 2, 1000)]);
    let mut places = Vec::new();
    world.each_sounding(|row, id| places.push((row, id)));
    assert_eq!(places, [(0, EntityId(2))]);
}

#[test]
fn what_is_too_much_for_a_tick_is_lost_and_counted() {
    let all: Vec<String> = (0..300).map(|id| format!("(id: {id}, name: \"A\", sound: ())")).collect();
    let mut world = world(&all.join(", "));
    let found = cues(&mut world, 3);
    assert_eq!((found.len(), found.last()), (MOST_CUES, Some(&(1, 255, 1000))));
    assert_eq!(world.sound_cues_lost(), 44);
}

#[test]
fn a_copy_of_a_world_sounds_as_the_original_does() {
    let mut first = world(&format!(
        "{FLOOR}, (id: 1, name: \"Ball\", transform: (position: (0, 2, 0)), {BALL}, sound: (when: Contact))"
    ));
    cues(&mut first, 10);
    let mut second = first.clone();
    let rest = 11..=200;
    let heard = cues_with(&mut first, rest.clone(), &mut InputState::default());
    assert!(!heard.is_empty());
    assert_eq!(cues_with(&mut second, rest, &mut InputState::default()), heard);
}
