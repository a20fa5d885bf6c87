//! On whatever adapter there is, a software one included: `.ci` installs one, so a machine without any fails here.

use super::*;
use crate::scene::{Color, EntityId, Pose, Shape, ShapeKind};
use crate::snapshot::SnapshotItem;
use glam::Vec3;

const RED: Color = Color { red: 220, green: 30, blue: 30 };
const BALL: Shape = Shape { kind: ShapeKind::Sphere { radius: 0.5 }, color: RED };

fn at(x: f32, y: f32) -> Pose {
    Pose { position: Vec3::new(x, y, 0.0), ..Pose::default() }
}

/// A ball on its way from x = −2 to x = 2.
fn snapshot(frame: u64, alpha: f64) -> Snapshot {
    let ball = SnapshotItem {
        entity: EntityId(1),
        parent: SnapshotItem::NO_PARENT,
        previous: at(-2.0, 0.0),
        current: at(2.0, 0.0),
        simulated: true,
        look: BALL.into(),
    };
    Snapshot { run: 1, frame: FrameIndex(frame), alpha, items: [ball].into(), ..Snapshot::default() }
}

fn view() -> View {
    let eye = Vec3::new(0.0, 0.0, 6.0);
    View {
        camera: ViewCamera::Fly { eye, yaw: 0.0, pitch: 0.0, fov_degrees: 50.0 },
        size: [320, 200],
        grid: false,
        ..View::default()
    }
}

fn renderer(view: View) -> (GpuRenderer, TargetReceiver, ViewSender) {
    GpuRenderer::new(GpuContext::headless().expect("tests of drawing need an adapter"), view).unwrap()
}

fn descriptor(snapshot: &Snapshot) -> FrameDescriptor {
    FrameDescriptor { frame: snapshot.frame, ..FrameDescriptor::default() }
}

fn draw(renderer: &mut GpuRenderer, snapshot: &Snapshot) -> RgbaImage {
    renderer.batch(&descriptor(snapshot), snapshot).unwrap();
    renderer.submit(&descriptor(snapshot), snapshot).unwrap();
    renderer.read_back().unwrap()
}

fn send(sender: &mut ViewSender, view: View) {
    *sender.buffer_mut() = view;
    sender.publish();
}

fn reddish([red, green, blue]: [u8; 3]) -> bool {
    red > 80 && u32::from(red) > 2 * u32::from(green) && u32::from(red) > 2 * u32::from(blue)
}

#[test]
fn gpu_draws_a_moving_ball_where_alpha_puts_it() {
    let (mut renderer, _receiver, _sender) = renderer(view());
    // One metre is 200 ÷ 2 ÷ tan(25°) ÷ 6 = 35.7 pixels at that distance.
    for (alpha, x) in [(0.0, 160 - 71), (0.5, 160), (0.75, 160 + 36)] {
        let image = draw(&mut renderer, &snapshot(1, alpha));
        let red: Vec<u32> = (0..320).filter(|x| reddish(image.rgb(*x, 96).unwrap())).collect();
        let middle = (red[0] + red[red.len() - 1]) / 2;
        assert!(middle.abs_diff(x) <= 3, "alpha {alpha}: {middle}, not {x}");
        assert!((24..=37).contains(&red.len()), "alpha {alpha}: {} pixels wide", red.len());
    }
}

#[test]
fn gpu_marks_only_what_is_selected() {
    let count = |image: &RgbaImage, wanted: fn([u8; 3]) -> bool| {
        image.pixels.chunks(4).filter(|pixel| wanted([pixel[0], pixel[1], pixel[2]])).count()
    };
    let ring: fn([u8; 3]) -> bool = |[r, g, b]| r > 200 && (130..190).contains(&g) && b < 90;
    let ghost: fn([u8; 3]) -> bool = |[r, g, b]| (90..140).contains(&r) && g > 160 && b > 200;
    for (selection, ghosts, has_ring, has_ghosts) in [
        (None, true, false, false),
        (Some(EntityId(1)), true, true, true),
        (Some(EntityId(1)), false, true, false),
        (Some(EntityId(7)), true, false, false),
    ] {
        let (mut renderer, _receiver, _sender) = renderer(View { selection, ghosts, ..view() });
        let image = draw(&mut renderer, &snapshot(1, 0.5));
        assert_eq!(count(&image, ring) > 40, has_ring, "{selection:?}");
        assert_eq!(count(&image, ghost) > 20, has_ghosts, "{selection:?} {ghosts}");
    }
}

#[test]
fn gpu_throws_a_shadow_on_the_ground_and_on_a_floor() {
    let eye = Vec3::new(0.0, 5.0, 5.0);
    let camera = ViewCamera::Fly { eye, yaw: 0.0, pitch: -std::f32::consts::FRAC_PI_4, fov_degrees: 50.0 };
    let mut ball = snapshot(1, 0.0);
    let item = ball.items.get(0).unwrap();
    let item = SnapshotItem { previous: at(0.0, 1.0), current: at(0.0, 1.0), ..item };
    ball.items = [item].into();
    let floor = Shape {
        kind: ShapeKind::Plane { width: 30.0, depth: 30.0 },
        color: Color { red: 90, green: 90, blue: 90 },
    };
    let mut floored = ball.clone();
    let floor = SnapshotItem {
        entity: EntityId(2),
        look: floor.into(),
        previous: Pose::default(),
        current: Pose::default(),
        simulated: false,
        ..item
    };
    floored.items = [item, floor].into();
    let (mut renderer, mut receiver, _sender) = renderer(View { camera, ..view() });
    for snapshot in [ball, floored] {
        let image = draw(&mut renderer, &snapshot);
        let picture = &receiver.take().unwrap().picture;
        let brightness = |x: f32, z: f32| {
            let pixel = picture.outlook.pixel(Vec3::new(x, 0.0, z)).unwrap();
            image.rgb(pixel.x as u32, pixel.y as u32).unwrap().iter().map(|c| u32::from(*c)).sum::<u32>()
        };
        // The default sun goes 0.4 to the right and 0.45 to the back for each metre down.
        let (shadow, lit) = (brightness(0.4, -0.45), brightness(-0.8, 0.9));
        assert!(shadow * 5 < lit * 4, "{} items: {shadow} is hardly darker than {lit}", snapshot.items.len());
    }
}

#[test]
fn gpu_makes_targets_anew_only_when_the_size_changes() {
    let (mut renderer, mut receiver, mut sender) = renderer(view());
    let mut generations = std::collections::BTreeSet::new();
    for frame in 1..=9 {
        draw(&mut renderer, &snapshot(frame, 0.5));
        let target = receiver.take().unwrap();
        assert_eq!((target.picture.frame, target.size), (FrameIndex(frame), [320, 200]));
        generations.insert((target.index, target.generation));
    }
    assert_eq!(generations.len(), 3, "{generations:?}");

    for step in 1..=50_u32 {
        let size = [64 + step * 7, 400 - step * 5];
        send(&mut sender, View { size, ..view() });
        let image = draw(&mut renderer, &snapshot(9 + u64::from(step), 0.5));
        let target = receiver.take().unwrap();
        assert_eq!((target.size, [target.texture.width(), target.texture.height()]), (size, size));
        assert_eq!([image.width, image.height], size);
        assert!(target.generation > 3, "a new size has a new generation");
    }
    assert_eq!(renderer.context().health.errors(), 0);
}

#[test]
fn gpu_keeps_the_last_size_where_the_view_has_no_area() {
    let (mut renderer, mut receiver, mut sender) = renderer(view());
    draw(&mut renderer, &snapshot(1, 0.5));
    for size in [[0, 0], [0, 200], [320, 0]] {
        send(&mut sender, View { size, ..view() });
        assert!(!renderer.redraw(&snapshot(1, 0.5)).unwrap(), "there is nothing new to draw");
    }
    send(&mut sender, View { size: [0, 0], ..view() });
    draw(&mut renderer, &snapshot(2, 0.5));
    assert_eq!(receiver.take().unwrap().size, [320, 200]);

    let (mut renderer, mut receiver, _sender) = self::renderer(View { size: [0, 0], ..view() });
    draw(&mut renderer, &snapshot(1, 0.5));
    assert_eq!(receiver.take().unwrap().size, [1, 1]);
}

#[test]
fn gpu_redraws_for_another_view_and_makes_no_frame_unseen_by_it() {
    let (mut renderer, mut receiver, mut sender) = renderer(view());
    let unseen = renderer.unseen();
    let unseen = || unseen.load(Ordering::Relaxed);
    draw(&mut renderer, &snapshot(1, 0.5));
    assert!(!renderer.view_changed() && !renderer.redraw(&snapshot(1, 0.5)).unwrap());

    // Frame 1 waits for the window; a redraw takes its place and shows the same frame.
    send(&mut sender, View { size: [300, 180], ..view() });
    assert!(renderer.view_changed());
    assert!(renderer.redraw(&snapshot(1, 0.5)).unwrap());
    assert!(!renderer.view_changed());
    assert_eq!(unseen(), 0);
    // Frame 2 replaces it: now frame 1 was never seen.
    draw(&mut renderer, &snapshot(2, 0.5));
    assert_eq!(unseen(), 1);
    let target = receiver.take().unwrap();
    assert_eq!(
        (target.picture.frame, target.picture.redraw, target.size),
        (FrameIndex(2), false, [300, 180])
    );

    // Frame 2 was seen; that its redraw was not does not change it.
    send(&mut sender, View { selection: Some(EntityId(1)), ..view() });
    assert!(renderer.redraw(&snapshot(2, 0.5)).unwrap());
    draw(&mut renderer, &snapshot(3, 0.5));
    assert_eq!(unseen(), 1);
    // Frame 3 is replaced untaken.
    draw(&mut renderer, &snapshot(4, 0.5));
    assert_eq!(unseen(), 2);
}

#[test]
fn gpu_hands_the_poses_of_the_picture_to_the_window() {
    let (mut renderer, mut receiver, mut sender) = renderer(view());
    draw(&mut renderer, &snapshot(5, 0.25));
    let picture = &receiver.take().unwrap().picture;
    assert_eq!(picture.tick_poses(EntityId(1)), None, "nothing is selected");
    send(&mut sender, View { selection: Some(EntityId(1)), ..view() });
    draw(&mut renderer, &snapshot(5, 0.25));
    let picture = &receiver.take().unwrap().picture;
    let item = picture.item(EntityId(1)).unwrap();
    let poses = picture.tick_poses(EntityId(1)).unwrap();
    assert_eq!((poses.previous, poses.current, item.drawn), (at(-2.0, 0.0), at(2.0, 0.0), at(-1.0, 0.0)));
    assert_eq!(picture.tick_poses(EntityId(2)), None);
    assert_eq!(item.radius, 0.5);
    assert_eq!((picture.run, picture.alpha, picture.outlook.size), (1, 0.25, [320, 200]));
    let pixel = picture.outlook.pixel(item.drawn.position).unwrap();
    assert!((pixel - glam::Vec2::new(160.0 - 35.7, 100.0)).length() < 0.2, "{pixel}");
}

#[test]
fn gpu_says_so_where_there_is_no_picture_to_read_back() {
    let (mut renderer, _receiver, _sender) = renderer(view());
    assert!(renderer.read_back().unwrap_err().to_string().contains("nothing was drawn"));
}

#[test]
fn gpu_makes_an_error_of_a_refused_submit_and_goes_on() {
    let (mut renderer, mut receiver, mut sender) = renderer(view());
    draw(&mut renderer, &snapshot(1, 0.5));
    receiver.take();
    // Attachments of another size than the target: the device refuses the pass.
    renderer.attachments = Attachments::new(&renderer.context, [8, 8]);
    renderer.attachments.size = [320, 200];
    let frame = snapshot(2, 0.5);
    renderer.batch(&descriptor(&frame), &frame).unwrap();
    let refused = renderer.submit(&descriptor(&frame), &frame).unwrap_err();
    assert!(refused.message.starts_with("the graphics device refused the work"), "{}", refused.message);
    assert!(receiver.take().is_none(), "a failed submit publishes nothing");
    assert_eq!(renderer.context().health.errors(), 0, "it was caught, not left to the handler");

    send(&mut sender, View { size: [100, 80], ..view() });
    draw(&mut renderer, &snapshot(3, 0.5));
    assert_eq!(receiver.take().unwrap().picture.frame, FrameIndex(3));
}

#[test]
fn gpu_draws_two_thousand_bodies_with_one_call_a_mesh() {
    let (mut renderer, _receiver, _sender) = renderer(view());
    let mut many = snapshot(1, 0.5);
    let ball = many.items.get(0).unwrap();
    many.items = (0..2000_u16)
        .map(|idx| {
            let (x, y) = (f32::from(idx % 50) * 0.1 - 2.5, f32::from(idx / 50) * 0.1 - 2.0);
            SnapshotItem { entity: EntityId(u64::from(idx)), previous: at(x, y), current: at(x, y), ..ball }
        })
        .collect();
    let figures = renderer.batch(&descriptor(&many), &many).unwrap();
    assert_eq!((figures.instances, figures.culled), (2000, 0));
    renderer.submit(&descriptor(&many), &many).unwrap();
    assert!(reddish(renderer.read_back().unwrap().rgb(160, 96).unwrap()));
}

#[test]
fn gpu_that_is_gone_is_a_sentence_for_every_frame_and_no_panic() {
    let (mut renderer, _receiver, _sender) = renderer(view());
    draw(&mut renderer, &snapshot(1, 0.5));
    renderer.context().device.destroy();
    for frame in 2..5 {
        let snapshot = snapshot(frame, 0.5);
        renderer.batch(&descriptor(&snapshot), &snapshot).unwrap();
        let refused = renderer.submit(&descriptor(&snapshot), &snapshot).unwrap_err().to_string();
        assert!(refused.starts_with("the graphics device"), "{refused}");
    }
    assert!(renderer.read_back().is_err());
}

#[test]
fn gpu_without_the_memory_that_is_asked_of_it_refuses_in_a_sentence() {
    let context = GpuContext::headless().expect("tests of drawing need an adapter");
    let refused = context.checked(|| {
        Ok(context.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("too much"),
            size: 1 << 50,
            usage: wgpu::BufferUsages::VERTEX,
            mapped_at_creation: false,
        }))
    });
    assert!(matches!(refused, Err(GpuError::Refused(_))), "{refused:?}");
    assert_eq!(context.health.lost(), None, "the device goes on");
}

#[test]
fn gpu_draws_the_same_frame_from_a_second_view_while_one_is_asked_for() {
    let (mut renderer, mut receiver, mut sender) = renderer(view());
    let aside = Vec3::new(6.0, 0.0, 0.0);
    // Looks along -x: the ball, whose way lies along x, stands in the middle wherever it is.
    let camera =
        ViewCamera::Fly { eye: aside, yaw: std::f32::consts::FRAC_PI_2, pitch: 0.0, fov_degrees: 50.0 };
    send(&mut sender, View { second: Some(SecondView { camera, size: [160, 120] }), ..view() });
    draw(&mut renderer, &snapshot(1, 0.25));
    let target = receiver.take().unwrap();
    let (first, second) = (target.picture.outlook, target.picture.second.unwrap());
    assert_eq!((first.size, second.size), ([320, 200], [160, 120]));
    let ball = target.picture.items.get(0).unwrap().drawn.position;
    assert!((second.pixel(ball).unwrap() - glam::vec2(80.0, 60.0)).length() < 0.5);
    let texture = target.second.as_ref().unwrap().texture.clone();
    let image = renderer.context().read_back(&texture).unwrap();
    assert!(reddish(image.rgb(80, 58).unwrap()), "{:?}", image.rgb(80, 58));
    assert!(!reddish(image.rgb(10, 58).unwrap()));
    for frame in 2..=5 {
        send(&mut sender, View { second: Some(SecondView { camera, size: [0, 120] }), ..view() });
        draw(&mut renderer, &snapshot(frame, 0.25));
        let target = receiver.take().unwrap();
        assert!(target.second.is_none() && target.picture.second.is_none(), "a view of no area is none");
    }
}

#[test]
fn gpu_time_is_told_where_the_device_has_timestamps() {
    let (mut renderer, _receiver, _sender) = renderer(view());
    assert_eq!(renderer.gpu_time(), None, "nothing was drawn yet");
    draw(&mut renderer, &snapshot(1, 0.25));
    let has_stamps = renderer.context().device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
    let time = renderer.gpu_time();
    assert_eq!(time.is_some(), has_stamps);
    assert!(time.is_none_or(|time| time > Nanos::ZERO && time < Nanos::from_millis(20_000)), "{time:?}");
}

#[test]
fn gpu_with_two_pictures_in_flight_hands_each_out_in_order_and_draws_the_same_to_the_byte() {
    let (mut waiting, _receiver, _sender) = renderer(view());
    let (mut flying, mut receiver, _sender) = renderer(view());
    flying.fly(FlightLimits::nearest(2, 3));
    let mut finished = Vec::new();
    for frame in 1..=20 {
        let snapshot = snapshot(frame, frame as f64 / 32.0);
        flying.batch(&descriptor(&snapshot), &snapshot).unwrap();
        flying.submit(&descriptor(&snapshot), &snapshot).unwrap();
        let flight = flying.flight();
        assert!(
            (1..=2).contains(&flight.in_flight) && (1..=3).contains(&flight.buffers_in_use),
            "{flight:?}"
        );
        assert_eq!((flight.most_in_flight, flight.buffers), (2, 3));
        finished.extend(std::iter::from_fn(|| flying.take_finished()));
    }
    flying.settle();
    finished.extend(std::iter::from_fn(|| flying.take_finished()));
    assert_eq!(flying.under_way(), 0);
    assert_eq!(
        finished.iter().map(|picture| picture.frame.0).collect::<Vec<_>>(),
        (1..=20).collect::<Vec<_>>()
    );
    assert!(finished.is_sorted_by(|before, after| before.at.is_some() && before.at <= after.at));
    let has_stamps = flying.context().device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
    assert!(finished.iter().all(|picture| picture.gpu.is_some() == has_stamps), "{finished:?}");
    assert_eq!(receiver.take().unwrap().picture.frame, FrameIndex(20));
    assert!(flying.read_back().unwrap() == draw(&mut waiting, &snapshot(20, 20.0 / 32.0)));
    assert_eq!(flying.context().health.errors(), 0);
}

#[test]
fn gpu_with_one_instance_buffer_waits_for_it_and_draws_all_the_same() {
    let (mut renderer, mut receiver, _sender) = renderer(view());
    renderer.fly(FlightLimits::nearest(3, 1));
    for frame in 1..=5 {
        let snapshot = snapshot(frame, 0.5);
        renderer.batch(&descriptor(&snapshot), &snapshot).unwrap();
        renderer.submit(&descriptor(&snapshot), &snapshot).unwrap();
        assert_eq!((renderer.flight().in_flight, renderer.flight().buffers_in_use), (1, 1));
    }
    renderer.settle();
    assert_eq!(renderer.room(), Room::Now);
    assert_eq!(receiver.take().unwrap().picture.frame, FrameIndex(5));
}

#[test]
fn gpu_copies_only_what_changed() {
    let (mut renderer, _receiver, mut sender) = renderer(view());
    let copied = |renderer: &mut GpuRenderer, snapshot: &Snapshot| {
        draw(renderer, snapshot);
        (renderer.flight().copied_bytes, renderer.flight().instance_bytes)
    };
    assert_eq!(copied(&mut renderer, &snapshot(1, 0.5)), (48, 48));
    assert_eq!(copied(&mut renderer, &snapshot(2, 0.5)), (0, 48), "it stands");
    assert_eq!(copied(&mut renderer, &snapshot(3, 0.75)), (48, 48));
    // What is marked is drawn once more.
    send(&mut sender, View { selection: Some(EntityId(1)), ..view() });
    assert_eq!(copied(&mut renderer, &snapshot(3, 0.75)), (48, 96));
}

#[test]
fn gpu_that_goes_away_hands_out_what_was_under_way_as_never_finished() {
    let (mut renderer, mut receiver, _sender) = renderer(view());
    renderer.fly(FlightLimits::default());
    draw(&mut renderer, &snapshot(1, 0.5));
    while renderer.take_finished().is_some() {}
    receiver.take();
    let under_way = snapshot(2, 0.5);
    renderer.batch(&descriptor(&under_way), &under_way).unwrap();
    renderer.submit(&descriptor(&under_way), &under_way).unwrap();
    renderer.context().device.destroy();
    renderer.settle();
    let told = renderer.take_finished().unwrap();
    // Its pixels may have been there before the device went.
    assert_eq!((told.frame, told.redraw, renderer.under_way()), (FrameIndex(2), false, 0));
    assert_eq!(receiver.take().is_some(), told.at.is_some());
    assert_eq!(renderer.room(), Room::Now, "what is drawn now says what is wrong");
    let next = snapshot(3, 0.5);
    renderer.batch(&descriptor(&next), &next).unwrap();
    assert!(renderer.submit(&descriptor(&next), &next).is_err());
}
