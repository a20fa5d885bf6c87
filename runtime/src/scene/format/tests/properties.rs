//! Whatever scene there is comes back from its text; whatever text there is comes to a scene or to faults.

use super::{faults, samples};
use crate::scene::check::ranges::{self, Range};
use crate::scene::format::{format_text, parse_scene, update_scene, write_scene};
use crate::scene::project::{HandoffMode, Limits, PhysicsDivisor, Project, parse_project, write_project};
use crate::scene::{
    Body, BodyKind, Camera, Color, Controlled, Crowd, Entity, EntityId, Follow, Load, Motion, Scene, Shape,
    ShapeKind, Sky, Sound, SoundWhen, Spawner, Sun, Teleporter, Transform, Wave,
};
use crate::time::fixed_step::MaxTicks;
use crate::time::{Nanos, Rate, Speed};
use glam::Vec3;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

/// Any number that a scene may have there, also very small, very large and -0.
fn number(range: Range) -> impl Strategy<Value = f32> {
    let finite = prop_oneof![
        -10.0..10.0_f32,
        (-1000..1000_i32).prop_map(|n| n as f32 / 8.0),
        proptest::num::f32::NORMAL | proptest::num::f32::SUBNORMAL | proptest::num::f32::ZERO,
        Just(range.least),
        Just(range.most),
    ];
    // Boxed: a scene is made of so many of them that they would not fit on a test's stack.
    finite.prop_map(move |x| if range.holds(x) { x } else { range.nearest(x) }).boxed()
}

fn vector(range: Range) -> impl Strategy<Value = Vec3> {
    [number(range), number(range), number(range)].prop_map(Vec3::from)
}

fn direction() -> impl Strategy<Value = Vec3> {
    vector(ranges::DIRECTION).prop_map(|v| if v.abs().max_element() < 1e-3 { Vec3::X } else { v })
}

/// Scales and sizes that stay in their ranges when they are multiplied, also over a chain of parents.
fn factor() -> Range {
    Range { least: 0.5, most: 2.0, unit: "" }
}

fn length() -> Range {
    Range { least: 0.01, most: 1.0, unit: "m" }
}

fn transform(position: Range) -> impl Strategy<Value = Transform> {
    let whole = (vector(position), vector(ranges::ANGLE), vector(factor()))
        .prop_map(|(position, rotation_degrees, scale)| Transform { position, rotation_degrees, scale });
    prop_oneof![Just(Transform::default()), whole]
}

fn color() -> impl Strategy<Value = Color> {
    (0..0x0100_0000_u32).prop_map(Color::hex)
}

fn shape() -> impl Strategy<Value = Shape> {
    let kind = prop_oneof![
        vector(length()).prop_map(|size| ShapeKind::Cube { size }),
        number(length()).prop_map(|radius| ShapeKind::Sphere { radius }),
        (number(length()), number(length()))
            .prop_map(|(radius, half_height)| ShapeKind::Capsule { radius, half_height }),
        (number(length()), number(length()))
            .prop_map(|(radius, half_height)| ShapeKind::Cylinder { radius, half_height }),
        (number(length()), number(length())).prop_map(|(width, depth)| ShapeKind::Plane { width, depth }),
    ];
    (kind, color()).prop_map(|(kind, color)| Shape { kind, color })
}

fn body() -> impl Strategy<Value = Body> {
    let kind = prop_oneof![Just(BodyKind::Fixed), Just(BodyKind::Kinematic), Just(BodyKind::Dynamic)];
    (
        kind,
        number(ranges::MASS),
        number(ranges::FRICTION),
        number(ranges::BOUNCE),
        vector(ranges::VELOCITY),
        vector(ranges::SPIN),
    )
        .prop_map(|(kind, mass, friction, bounce, velocity, spin)| Body {
            kind,
            mass,
            friction,
            bounce,
            velocity,
            spin,
        })
}

fn turning() -> impl Strategy<Value = f32> {
    number(ranges::TURNING).prop_map(|x| if x == 0.0 { 1.0 } else { x })
}

/// Positions that stay in their range when seven parents scale them.
fn below_parents() -> Range {
    Range { least: -4.0, most: 4.0, unit: "m" }
}

fn motion() -> impl Strategy<Value = Motion> {
    prop_oneof![
        vector(ranges::VELOCITY).prop_map(|velocity| Motion::Steady { velocity }),
        (direction(), turning())
            .prop_map(|(axis, degrees_per_second)| Motion::Spin { axis, degrees_per_second }),
        (vector(ranges::POSITION), turning()).prop_map(|(center, degrees_per_second)| Motion::Orbit {
            center,
            axis: Vec3::Y,
            degrees_per_second,
        }),
        (vector(ranges::POSITION), number(ranges::PERIOD), number(ranges::PHASE))
            .prop_map(|(amplitude, period, phase)| Motion::Oscillate { amplitude, period, phase }),
    ]
}

fn spawner() -> impl Strategy<Value = Spawner> {
    (1..=u32::MAX, 0..3_u32, 1..=ranges::MOST_SPAWNED, shape(), of(body()), number(ranges::SPREAD)).prop_map(
        |(every_ticks, lifetime_ticks, limit, shape, body, spread_degrees)| Spawner {
            every_ticks,
            lifetime_ticks,
            limit,
            shape,
            body,
            spread_degrees,
        },
    )
}

/// The farthest stands in range below parents, as everything else.
fn crowd() -> impl Strategy<Value = Crowd> {
    (1..=100_u32, 0.1..1.0_f32, shape(), motion(), number(ranges::APART)).prop_map(
        |(count, spacing, shape, motion, apart_seconds)| Crowd {
            count,
            spacing,
            shape,
            motion,
            apart_seconds,
        },
    )
}

fn camera() -> impl Strategy<Value = Camera> {
    (1.0..=179.0_f32, 0.001..1.0_f32, 1.5..1e6_f32).prop_map(|(fov_degrees, near, far)| Camera {
        fov_degrees,
        near,
        far,
        follow: None,
    })
}

fn sky() -> impl Strategy<Value = Sky> {
    (color(), color(), color(), 0.0..=1.0_f32).prop_map(|(top, horizon, ground, ambient)| Sky {
        top,
        horizon,
        ground,
        ambient,
    })
}

fn sound() -> impl Strategy<Value = Sound> {
    let when = (0..SoundWhen::ALL.len()).prop_map(|n| SoundWhen::ALL[n]);
    let wave = (0..Wave::ALL.len()).prop_map(|n| Wave::ALL[n]);
    let numbers = (
        number(ranges::HERTZ),
        number(ranges::SOUND_SECONDS),
        number(ranges::VOLUME),
        number(ranges::MAX_DISTANCE),
    );
    let any = (when, wave, numbers).prop_map(|(when, wave, (hertz, seconds, volume, max_distance))| Sound {
        when,
        wave,
        hertz,
        seconds,
        volume,
        max_distance,
    });
    prop_oneof![Just(Sound::default()), any]
}

fn load() -> impl Strategy<Value = Load> {
    let time = || prop_oneof![Just(0), 0..1_000_000_i64, 0..=10_000_000_000_i64].prop_map(Nanos);
    (time(), time(), time()).prop_map(|(tick, frame, submit)| Load { tick, frame, submit })
}

/// Names with everything that needs care in quotes.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Z][a-z]{1,8}( [0-9]{2})?", "\\PC{0,6}[\"\\\\\n\t\r\u{0}\u{7f}äß→{}]\\PC{0,6}x"]
}

fn entity() -> impl Strategy<Value = Entity> {
    let things = (of(shape()), of(body()), of(motion()), of(spawner()), of(crowd()));
    let teleporter = (1..100_u32, vec(transform(ranges::POSITION), 1..4))
        .prop_map(|(every_ticks, poses)| Teleporter { every_ticks, poses });
    let controlled = (number(ranges::CONTROLLED_SPEED), number(ranges::JUMP))
        .prop_map(|(speed, jump)| Controlled { speed, jump });
    let sun = (direction(), color(), number(ranges::STRENGTH)).prop_map(|(direction, color, strength)| Sun {
        direction,
        color,
        strength,
    });
    let others = (of(teleporter), of(controlled), of(camera()), of(sun), of(sky()), of(load()), of(sound()));
    (name(), transform(below_parents()), things, others).prop_map(|(name, transform, things, others)| {
        let (shape, mut body, motion, spawner, crowd) = things;
        let (teleporter, controlled, camera, sun, sky, load, sound) = others;
        body = body.filter(|_| shape.is_some());
        if motion.is_some() {
            body.iter_mut().for_each(|body| body.kind = BodyKind::Kinematic);
        }
        Entity {
            name,
            transform,
            shape,
            body,
            motion,
            spawner,
            crowd,
            teleporter,
            controlled,
            camera,
            sun,
            sky,
            load,
            sound,
            ..Entity::default()
        }
    })
}

/// A scene without faults: ids of their own, parents before their children, cameras that follow an earlier entity.
pub(super) fn scene() -> impl Strategy<Value = Scene> {
    let entities = vec((entity(), any::<prop::sample::Index>(), any::<bool>()), 0..8);
    (any::<u64>(), name(), entities).prop_map(|(seed, about, entities)| {
        let id = |index: usize| EntityId(97 - 7 * index as u64);
        let place = |(index, (mut entity, other, refers)): (usize, (Entity, prop::sample::Index, bool))| {
            entity.id = id(index);
            if refers && index > 0 {
                let other = id(other.index(index));
                entity.parent = Some(other);
                if let Some(camera) = &mut entity.camera {
                    camera.follow = Some(Follow { target: other, offset: Vec3::new(0.0, 2.5, -1.0) });
                }
            }
            entity
        };
        let entities = entities.into_iter().enumerate().map(place).collect();
        Scene { seed, about, entities, ..Scene::default() }
    })
}

fn project() -> impl Strategy<Value = Project> {
    let rate = || {
        prop_oneof![
            (1..=1000_u64).prop_map(|hz| (hz, 1)),
            (1_000..=1_000_000_u64).prop_map(|thousandths| (thousandths, 1000)),
            (1001..=1_001_000_u64).prop_map(|num| (num, 1001)),
        ]
        .prop_map(|(num, den)| Rate::new(num, den).expect("between 1 and 1000 Hz"))
    };
    let max_ticks = prop_oneof![Just(MaxTicks::Auto), (1..=10_000_u32).prop_map(MaxTicks::Fixed)];
    let limits = (1..=60_000_000_000_i64, max_ticks)
        .prop_map(|(max_delta, max_ticks)| Limits { max_delta: Nanos(max_delta), max_ticks });
    let limits = prop_oneof![Just(Limits::default()), limits];
    let divisor = (1..=64_u32).prop_map(|ticks| PhysicsDivisor::new(ticks).expect("in bounds"));
    (name(), name(), rate(), divisor, (rate(), rate()), 0..=8000_u32, limits).prop_map(
        |(name, about, tick_rate, physics_divisor, (frame_rate, audio_rate), speed, limits)| Project {
            name,
            about,
            scenes: vec!["main".to_owned(), "second one".to_owned()],
            tick_rate,
            physics_divisor,
            frame_rate,
            audio_rate,
            handoff: HandoffMode::Slot,
            speed: Speed::from_thousandths(speed).expect("at most 8"),
            limits,
            unknown: Vec::new(),
        },
    )
}

/// One careless edit of a text.
#[derive(Clone, Debug)]
enum Edit {
    Remove(prop::sample::Index, usize),
    Insert(prop::sample::Index, String),
    Repeat(prop::sample::Index, usize),
    Truncate(prop::sample::Index),
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<prop::sample::Index>;
    let token = prop_oneof![
        "[()\\[\\]{},:\"/*#'\\\\.0-9-]{1,3}",
        "(NaN|inf|-1|0|1e99|Some\\(|None|r#\"|b'|\\.\\.|//|/\\*|#!\\[enable\\(unwrap_newtypes\\)\\])",
        "\\PC{1,3}",
    ];
    prop_oneof![
        (at(), 1..12_usize).prop_map(|(at, length)| Edit::Remove(at, length)),
        (at(), token).prop_map(|(at, text)| Edit::Insert(at, text)),
        (at(), 1..60_usize).prop_map(|(at, length)| Edit::Repeat(at, length)),
        at().prop_map(Edit::Truncate),
    ]
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for edit in edits {
        let place = |index: &prop::sample::Index| index.index(chars.len() + 1);
        match edit {
            Edit::Remove(at, length) => {
                let at = place(at);
                let end = (at + length).min(chars.len());
                chars.drain(at..end);
            }
            Edit::Insert(at, text) => {
                let at = place(at);
                chars.splice(at..at, text.chars());
            }
            Edit::Repeat(at, length) => {
                let at = place(at);
                let copy = chars[at..(at + length).min(chars.len())].to_vec();
                chars.splice(at..at, copy);
            }
            Edit::Truncate(at) => chars.truncate(place(at)),
        }
    }
    chars.into_iter().collect()
}

/// Every fault has a place within the text and a message.
fn assert_places(text: &str, found: &[crate::scene::fault::Fault]) -> Result<(), TestCaseError> {
    let lines = text.split('\n').count() as u32;
    for fault in found {
        let (line, column) = (fault.line.unwrap_or(0), fault.column.unwrap_or(0));
        prop_assert!(
            (1..=lines).contains(&line) && column >= 1 && !fault.message.is_empty(),
            "{fault} in {text}"
        );
    }
    Ok(())
}

proptest! {
    #[test]
    fn every_scene_comes_back_from_its_text(scene in scene()) {
        let text = write_scene(&scene);
        prop_assert_eq!(faults(&text), Vec::<String>::new());
        let back = parse_scene(&text).expect("no faults");
        prop_assert_eq!(&back, &scene);
        prop_assert_eq!(write_scene(&back), text);
    }

    #[test]
    fn every_project_comes_back_from_its_text(project in project()) {
        let text = write_project(&project);
        let back = parse_project(&text);
        prop_assert_eq!(back.as_ref(), Ok(&project));
        prop_assert_eq!(write_project(&project), text);
    }

    #[test]
    fn no_edit_of_a_sample_makes_reading_it_panic(which in 0..3_usize, edits in vec(edit(), 1..6)) {
        let text = edited(samples()[which].1, &edits);
        match parse_scene(&text) {
            Ok(scene) => {
                prop_assert_eq!(update_scene(&text, &scene), Ok(text.clone()));
                let canonical = format_text(&text).expect("a scene");
                prop_assert_eq!(parse_scene(&canonical), Ok(scene.clone()), "{}", canonical);
                prop_assert_eq!(parse_scene(&write_scene(&scene)), Ok(scene));
            }
            Err(found) => assert_places(&text, &found)?,
        }
    }

    #[test]
    fn no_edit_of_a_project_makes_reading_it_panic(edits in vec(edit(), 1..6)) {
        let sample = "(format: 1, name: \"P\", scenes: [\"a\"], tick_rate: 59.94, handoff: slot, speed: 0.5, \
                      limits: (max_delta_ms: 250, max_ticks: 5))";
        let text = edited(sample, &edits);
        match parse_project(&text) {
            Ok(project) => prop_assert_eq!(parse_project(&write_project(&project)), Ok(project)),
            Err(found) => assert_places(&text, &found)?,
        }
    }

    #[test]
    fn no_bytes_at_all_make_reading_them_panic(bytes in vec(any::<u8>(), 0..200), begin in any::<bool>()) {
        let begin = if begin { "(format: 1, entities: [(id: 1, " } else { "" };
        let text = format!("{begin}{}", String::from_utf8_lossy(&bytes));
        if let Err(found) = parse_scene(&text) {
            assert_places(&text, &found)?;
        }
        if let Err(found) = parse_project(&text) {
            assert_places(&text, &found)?;
        }
    }
}
