//! On whatever adapter there is, as `gpu/tests.rs`.

use super::super::{GpuRenderer, Outlook, Picture, RgbaImage, SecondView, View, ViewCamera};
use super::*;
use crate::handoff::FrameDescriptor;
use crate::render::pick::PickAsker;
use crate::render::{RenderError, Renderer};
use crate::scene::{Color, Pose, Shape, ShapeKind};
use crate::snapshot::{Snapshot, SnapshotItem};
use crate::time::FrameIndex;
use glam::{Quat, Vec2, Vec3};

const COLORS: [Color; 3] = [
    Color { red: 230, green: 20, blue: 20 },
    Color { red: 20, green: 200, blue: 20 },
    Color { red: 30, green: 30, blue: 240 },
];

/// From (0, 1.5, 8) along −z, a little down.
fn view() -> View {
    let eye = Vec3::new(0.0, 1.5, 8.0);
    let camera = ViewCamera::Fly { eye, yaw: 0.0, pitch: -0.15, fov_degrees: 50.0 };
    View { camera, size: [320, 200], grid: false, ..View::default() }
}

fn pose(position: Vec3, turn: f32) -> Pose {
    let rotation = Quat::from_euler(glam::EulerRot::XYZ, turn, turn * 0.7, turn * 0.3);
    Pose { position, rotation, scale: Vec3::ONE }
}

fn item(id: u64, kind: ShapeKind, previous: Pose, current: Pose) -> SnapshotItem {
    let color = COLORS[id as usize % 3];
    SnapshotItem {
        entity: EntityId(id),
        parent: SnapshotItem::NO_PARENT,
        previous,
        current,
        simulated: true,
        look: Shape { kind, color }.into(),
    }
}

/// One of each kind, one before another, all of them on their way to the right.
fn crowd(frame: u64, alpha: f64) -> Snapshot {
    let kinds = [
        ShapeKind::Cube { size: Vec3::new(1.2, 1.6, 0.8) },
        ShapeKind::Sphere { radius: 0.7 },
        ShapeKind::Capsule { radius: 0.4, half_height: 0.6 },
        ShapeKind::Cylinder { radius: 0.6, half_height: 0.5 },
        ShapeKind::Cube { size: Vec3::new(0.5, 2.5, 0.5) },
        ShapeKind::Sphere { radius: 0.3 },
    ];
    let items = kinds.into_iter().zip(1_u8..).map(|(kind, id)| {
        let step = f32::from(id);
        let from = Vec3::new(step * 0.9 - 3.6, 1.0 + step.sin() * 0.4, step.cos() * 2.0);
        item(u64::from(id), kind, pose(from, step), pose(from + Vec3::X, step + 0.5))
    });
    Snapshot { run: 1, frame: FrameIndex(frame), alpha, items: items.collect(), ..Snapshot::default() }
}

struct Bench {
    renderer: GpuRenderer,
    targets: super::super::TargetReceiver,
    // Held, so that the slot has both ends.
    _views: super::super::ViewSender,
    asker: PickAsker,
}

impl Bench {
    fn new(view: View) -> Self {
        let context = GpuContext::headless().expect("tests of drawing need an adapter");
        let (mut renderer, targets, mut views) = GpuRenderer::new(context, view.clone()).unwrap();
        // A second view is only taken from here.
        *views.buffer_mut() = view;
        views.publish();
        let asker = renderer.asker();
        Self { renderer, targets, _views: views, asker }
    }

    fn draw(&mut self, snapshot: &Snapshot) -> (Picture, RgbaImage) {
        let frame = FrameDescriptor { frame: snapshot.frame, ..FrameDescriptor::default() };
        self.renderer.batch(&frame, snapshot).unwrap();
        self.renderer.submit(&frame, snapshot).unwrap();
        (self.targets.take().unwrap().picture.clone(), self.renderer.read_back().unwrap())
    }

    fn ask(&mut self, picture: &Picture, outlook: &Outlook, pixel: Vec2, locked: Option<u64>) {
        let mut pick = self.asker.blank();
        pick.ask(picture, outlook, pixel, |id| Some(id.0) != locked);
        assert!(self.asker.ask(pick));
    }

    fn answer(&mut self) -> Result<Option<u64>, RenderError> {
        loop {
            if let Some((_, found)) = self.asker.answer() {
                return found.map(|found| found.map(|id| id.0));
            }
            self.renderer.attend();
        }
    }

    fn pick(&mut self, picture: &Picture, pixel: Vec2) -> Option<u64> {
        self.ask(picture, &picture.outlook, pixel, None);
        self.answer().unwrap()
    }
}

/// Which of the three colours a pixel has, where that is plain.
fn hue(rgb: [u8; 3]) -> Option<u64> {
    let most = (0..3).max_by_key(|channel| rgb[*channel])?;
    let others = (0..3).filter(|channel| *channel != most).map(|channel| u32::from(rgb[channel]));
    (u32::from(rgb[most]) > 60 && others.max()? * 2 < u32::from(rgb[most])).then_some(most as u64)
}

#[test]
fn gpu_picks_what_each_pixel_of_the_picture_shows() {
    let mut bench = Bench::new(view());
    let (_, empty) = bench.draw(&Snapshot::default());
    let (picture, image) = bench.draw(&crowd(1, 0.4));
    let (mut bodies, mut beside) = (std::collections::BTreeSet::new(), 0);
    for (x, y) in (4..316).step_by(6).flat_map(|x| (4..196).step_by(6).map(move |y| (x, y))) {
        let around = |reach: i32| {
            let row = move |dy| (-reach..=reach).map(move |dx| ((x + dx) as u32, (y + dy) as u32));
            (-reach..=reach).flat_map(row)
        };
        let shown = image.rgb(x as u32, y as u32).and_then(hue);
        let is_inside = shown.is_some() && around(1).all(|(x, y)| image.rgb(x, y).and_then(hue) == shown);
        let is_beside = around(3).all(|(x, y)| image.rgb(x, y) == empty.rgb(x, y));
        let picked = bench.pick(&picture, Vec2::new(x as f32 + 0.5, y as f32 + 0.5));
        if is_inside {
            assert_eq!(picked.map(|id| id % 3), shown, "{x} {y}");
            bodies.extend(picked);
        } else if is_beside {
            assert_eq!(picked, None, "{x} {y}");
            beside += 1;
        }
    }
    assert_eq!(bodies.len(), 6, "each is seen somewhere: {bodies:?}");
    assert!(beside > 200, "{beside}");
}

#[test]
fn gpu_picks_from_the_picture_that_was_asked_about_whatever_was_drawn_since() {
    let mut bench = Bench::new(view());
    let (old, _) = bench.draw(&crowd(1, 0.0));
    let place = old.outlook.pixel(old.items[5].drawn.position).unwrap();
    let mut moved = crowd(2, 0.5);
    for item in &mut moved.items {
        item.current.position += Vec3::Y * 40.0;
    }
    bench.ask(&old, &old.outlook, place, None);
    let (new, _) = bench.draw(&moved);
    assert_eq!(bench.answer().unwrap(), Some(6));
    assert_eq!(bench.pick(&new, place), None, "in the newer picture it is gone from there");
}

#[test]
fn gpu_picks_what_lies_behind_what_is_locked() {
    let ball = ShapeKind::Sphere { radius: 0.6 };
    let [near, far] = [2.0, -2.0].map(|z| pose(Vec3::new(0.3, 1.0, z), 0.0));
    let items = vec![item(1, ball, far, far), item(2, ball, near, near)];
    let mut bench = Bench::new(view());
    let (picture, _) = bench.draw(&Snapshot { items, ..Snapshot::default() });
    let at = picture.outlook.pixel(far.position).unwrap();
    for (locked, found) in [(None, Some(2)), (Some(2), Some(1)), (Some(1), Some(2))] {
        bench.ask(&picture, &picture.outlook, at, locked);
        assert_eq!(bench.answer().unwrap(), found, "{locked:?} is locked");
    }
}

#[test]
fn gpu_picks_from_the_second_view() {
    let camera = ViewCamera::Fly {
        eye: Vec3::new(9.0, 1.0, 0.0),
        yaw: std::f32::consts::FRAC_PI_2,
        pitch: 0.0,
        fov_degrees: 50.0,
    };
    let mut bench = Bench::new(View { second: Some(SecondView { camera, size: [160, 120] }), ..view() });
    let (picture, _) = bench.draw(&crowd(1, 0.3));
    let second = picture.second.unwrap();
    // The tall one stands farthest to the right but one: from there it is before most of the others.
    let at = second.pixel(picture.items[4].drawn.position).unwrap();
    bench.ask(&picture, &second, at, None);
    assert_eq!(bench.answer().unwrap(), Some(5));
}

#[test]
fn gpu_waits_for_nothing_when_it_is_asked_and_answers_after_the_next_picture() {
    let mut bench = Bench::new(view());
    let (picture, _) = bench.draw(&crowd(1, 0.4));
    let at = picture.outlook.pixel(picture.items[5].drawn.position).unwrap();
    bench.ask(&picture, &picture.outlook, at, None);
    assert_eq!(bench.renderer.attend(), Attention::UnderWay, "it is handed over, no more");
    // The picture is waited for, and with it all that was handed over before.
    bench.draw(&crowd(2, 0.4));
    assert_eq!(bench.renderer.attend(), Attention::Answered);
    assert_eq!(bench.asker.answer().unwrap(), (0, Ok(Some(EntityId(6)))));
    assert_eq!(bench.renderer.attend(), Attention::Idle);
    // Where nothing can be, nothing is drawn to find out.
    bench.ask(&picture, &picture.outlook, Vec2::new(1.0, 1.0), None);
    assert_eq!(bench.renderer.attend(), Attention::Answered);
    assert_eq!(bench.asker.answer().unwrap(), (0, Ok(None)));
}

#[test]
fn gpu_that_is_gone_answers_with_a_sentence_and_each_question() {
    let mut bench = Bench::new(view());
    let (picture, _) = bench.draw(&crowd(1, 0.4));
    let at = picture.outlook.pixel(picture.items[5].drawn.position).unwrap();
    bench.ask(&picture, &picture.outlook, at, None);
    assert_eq!(bench.renderer.attend(), Attention::UnderWay);
    bench.renderer.context().device.destroy();
    for _ in 0..3 {
        bench.ask(&picture, &picture.outlook, at, None);
    }
    let answers: Vec<_> = (0..4).map(|_| bench.answer()).collect();
    // The first may have been drawn before the device went.
    for answer in &answers[1..] {
        let refused = answer.as_ref().unwrap_err().to_string();
        assert!(refused.starts_with("the graphics device"), "{refused}");
    }
}
