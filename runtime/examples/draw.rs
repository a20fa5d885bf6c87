//! Draws a scene off screen, from a few places, into PNG files.
//!
//! `cargo run -p framewalk-runtime --example draw -- FOLDER [WIDTHxHEIGHT [SCENE.ron…]]`; says what each picture cost.
//! Scenes from files are run for some ticks first.

use framewalk_runtime::handoff::FrameDescriptor;
use framewalk_runtime::input::TickInput;
use framewalk_runtime::interpolation::Interpolation;
use framewalk_runtime::render::Renderer;
use framewalk_runtime::render::gpu::{GpuContext, GpuRenderer, View, ViewCamera};
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::scene::{Color, EntityId, Pose, Shape, ShapeKind};
use framewalk_runtime::snapshot::{Snapshot, SnapshotItem};
use framewalk_runtime::time::source::RealClock;
use framewalk_runtime::time::{Rate, Tick};
use framewalk_runtime::world::{TickStep, World};
use glam::{Quat, Vec3};
use std::error::Error;

const PINK: Color = Color { red: 0xd2, green: 0x83, blue: 0xb3 };
const BLUE: Color = Color { red: 0x56, green: 0xb4, blue: 0xe9 };
const ORANGE: Color = Color { red: 0xee, green: 0x9a, blue: 0x2e };
const GREEN: Color = Color { red: 0x2b, green: 0xb5, blue: 0x8a };
const YELLOW: Color = Color { red: 0xe8, green: 0xd4, blue: 0x4d };

/// Balls, boxes, a capsule and a cylinder; the ball of id 1 and the box of id 2 are between two ticks.
fn scene() -> Snapshot {
    let ball = |radius| ShapeKind::Sphere { radius };
    let cube = |edge| ShapeKind::Cube { size: Vec3::splat(edge) };
    let turned = Quat::from_rotation_y(0.5);
    let shapes = [
        (1, ball(0.5), PINK, Vec3::new(0.2, 2.4, 0.0), Vec3::new(0.2, 1.7, 0.0), Quat::IDENTITY),
        (2, cube(1.0), GREEN, Vec3::new(1.0, 0.5, -1.2), Vec3::new(1.7, 0.5, -1.2), Quat::IDENTITY),
        (3, ball(0.5), PINK, Vec3::new(-2.2, 1.1, 1.2), Vec3::new(-2.2, 1.1, 1.2), Quat::IDENTITY),
        (4, ball(0.5), BLUE, Vec3::new(1.8, 0.6, 2.4), Vec3::new(1.8, 0.6, 2.4), Quat::IDENTITY),
        (5, ball(0.5), BLUE, Vec3::new(0.2, 0.9, 4.0), Vec3::new(0.2, 0.9, 4.0), Quat::IDENTITY),
        (6, cube(1.0), ORANGE, Vec3::new(-3.2, 0.7, 2.6), Vec3::new(-3.2, 0.7, 2.6), turned),
        (7, cube(0.55), ORANGE, Vec3::new(-2.5, 0.9, 1.6), Vec3::new(-2.5, 0.9, 1.6), turned),
        (
            8,
            ShapeKind::Capsule { radius: 0.35, half_height: 0.6 },
            YELLOW,
            Vec3::new(3.6, 0.95, -0.4),
            Vec3::new(3.6, 0.95, -0.4),
            Quat::from_rotation_z(0.25),
        ),
        (
            9,
            ShapeKind::Cylinder { radius: 0.5, half_height: 0.6 },
            GREEN,
            Vec3::new(-1.2, 0.6, -2.4),
            Vec3::new(-1.2, 0.6, -2.4),
            Quat::IDENTITY,
        ),
    ];
    let items = shapes.into_iter().map(|(id, kind, color, previous, current, rotation)| SnapshotItem {
        entity: EntityId(id),
        parent: SnapshotItem::NO_PARENT,
        previous: Pose { position: previous, rotation, scale: Vec3::ONE },
        current: Pose { position: current, rotation, scale: Vec3::ONE },
        simulated: true,
        look: Shape { kind, color }.into(),
    });
    Snapshot { alpha: 0.6, items: items.collect(), ..Snapshot::default() }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("say which folder to write to")?;
    let size = match arguments.next().as_deref().and_then(|text| text.split_once('x')) {
        Some((width, height)) => [width.parse()?, height.parse()?],
        None => [960, 600],
    };
    let context = GpuContext::headless()?;
    println!("{} ({})", context.adapter_name, context.backend);
    let (mut renderer, _receiver, mut views) = GpuRenderer::new(context, View { size, ..View::default() })?;
    let mut bare = scene();
    let floor = SnapshotItem {
        entity: EntityId(100),
        previous: Pose::default(),
        current: Pose::default(),
        look: Shape {
            kind: ShapeKind::Plane { width: 24.0, depth: 24.0 },
            color: Color { red: 0x3a, green: 0x42, blue: 0x50 },
        }
        .into(),
        ..bare.items.iter().next().ok_or("there are shapes")?
    };
    let fly = |eye, yaw, pitch| ViewCamera::Fly { eye, yaw, pitch, fov_degrees: 45.0 };
    let places = [
        ("front", fly(Vec3::new(0.8, 4.6, 11.0), 0.07, -0.30), Some(1)),
        ("box", fly(Vec3::new(5.0, 2.6, 4.5), 0.9, -0.30), Some(2)),
        ("low", fly(Vec3::new(-6.0, 0.8, 7.0), -0.75, 0.02), None),
        ("above", fly(Vec3::new(0.0, 14.0, 0.1), 0.0, -1.56), Some(3)),
        ("framed", ViewCamera::Scene, Some(8)),
    ];
    for floored in [false, true] {
        if floored {
            bare.items = bare.items.iter().chain([floor]).collect();
        }
        for (name, camera, selection) in &places {
            *views.buffer_mut() =
                View { camera: *camera, size, selection: selection.map(EntityId), ..View::default() };
            views.publish();
            let cost = draw(&mut renderer, &bare)?;
            let file = format!("{folder}/{name}{}.png", if floored { "-floor" } else { "" });
            save(&mut renderer, &file, cost)?;
        }
    }
    for file in arguments {
        let scene = parse_scene(&std::fs::read_to_string(&file)?).map_err(|faults| format!("{faults:?}"))?;
        let mut world = World::new(&scene, Rate::HZ_60).map_err(|error| format!("{error:?}"))?;
        let mut store = Interpolation::new(&world);
        let mut played = Snapshot { alpha: 0.6, ..Snapshot::default() };
        for tick in 1..=90_u32 {
            world.tick(&TickStep {
                tick: Tick(u64::from(tick)),
                seconds: f64::from(tick) / 60.0,
                tick_rate: Rate::HZ_60,
                input: &TickInput::default(),
            });
            store.roll(&world);
        }
        played.fill(&world, &store);
        let name = std::path::Path::new(&file).ancestors().nth(2).and_then(|project| project.file_name());
        let name = name.map_or_else(|| "scene".into(), |name| name.to_string_lossy().into_owned());
        let ball = scene.named("Ball 07").or(scene.named("Mover")).map(|entity| entity.id);
        let framing = fly(Vec3::new(0.0, 6.0, 13.0), 0.0, -0.36);
        for (place, camera) in [("camera", ViewCamera::Scene), ("fly", framing)] {
            *views.buffer_mut() = View { camera, size, selection: ball, ..View::default() };
            views.publish();
            let cost = draw(&mut renderer, &played)?;
            save(&mut renderer, &format!("{folder}/{name}-{place}.png"), cost)?;
        }
    }
    Ok(())
}

fn save(renderer: &mut GpuRenderer, file: &str, cost: f64) -> Result<(), Box<dyn Error>> {
    let image = renderer.read_back()?;
    let color = image::ExtendedColorType::Rgba8;
    image::save_buffer(file, &image.pixels, image.width, image.height, color)?;
    println!("{file}: {cost:.1} ms");
    Ok(())
}

/// Median of a few, in ms: batch, submit and the GPU's work.
fn draw(renderer: &mut GpuRenderer, snapshot: &Snapshot) -> Result<f64, Box<dyn Error>> {
    let clock = RealClock::new();
    let mut times = Vec::new();
    for _ in 0..9 {
        let start = clock.now();
        renderer.batch(&FrameDescriptor::default(), snapshot)?;
        renderer.submit(&FrameDescriptor::default(), snapshot)?;
        times.push((clock.now() - start).as_millis_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
