//! The camera a person flies: pure, moved by what the panel saw of mouse and keys.

use framewalk_runtime::render::view::{FOV_DEGREES, ViewCamera};
use glam::{Quat, Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// Radians turned by one point of mouse travel.
const TURN_PER_POINT: f32 = 0.005;
/// Nearer than this to straight up or down the view would flip.
const STEEPEST: f32 = 1.55;
/// Part of the distance to the pivot that one notch of the wheel travels.
const ZOOM_PER_NOTCH: f32 = 0.12;

/// Where the viewer's eye is. Yaw and pitch as in [`ViewCamera::Fly`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlyCamera {
    pub eye: Vec3,
    pub yaw: f32,
    pub pitch: f32,
    /// Metres from the eye to what is orbited, zoomed at and flown by.
    pub distance: f32,
    /// Without perspective: what stands at the pivot is drawn as large as with it.
    pub orthographic: bool,
}

/// A side from which a scene is looked at along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    Front,
    Back,
    Right,
    Left,
    Top,
    Bottom,
}

impl Side {
    pub const ALL: [Self; 6] = [Self::Front, Self::Back, Self::Right, Self::Left, Self::Top, Self::Bottom];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Front => "Front",
            Self::Back => "Back",
            Self::Right => "Right",
            Self::Left => "Left",
            Self::Top => "Top",
            Self::Bottom => "Bottom",
        }
    }

    /// Yaw and pitch of a camera that looks from this side: from the front along −z, from the right along −x.
    #[must_use]
    pub const fn angles(self) -> (f32, f32) {
        match self {
            Self::Front => (0.0, 0.0),
            Self::Back => (PI, 0.0),
            Self::Right => (FRAC_PI_2, 0.0),
            Self::Left => (PI + FRAC_PI_2, 0.0),
            Self::Top => (0.0, -FRAC_PI_2),
            Self::Bottom => (0.0, FRAC_PI_2),
        }
    }
}

/// A change of the camera, as the viewport asks for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraMove {
    /// Look around from where the eye is, by mouse travel in points.
    Look(Vec2),
    /// Turn about the pivot, by mouse travel in points.
    Orbit(Vec2),
    /// Move sideways and up, by mouse travel as a part of the viewport's height.
    Pan(Vec2),
    /// Towards the pivot, in notches of the wheel.
    Zoom(f32),
    /// Fly: right, up and forward as -1, 0 or 1 for so many seconds, faster or not.
    Fly { direction: Vec3, seconds: f32, fast: bool },
}

impl Default for FlyCamera {
    fn default() -> Self {
        Self::framing(Vec3::ZERO, 5.0)
    }
}

impl FlyCamera {
    /// Sees the whole of a sphere from above and a little to the side.
    #[must_use]
    pub fn framing(center: Vec3, radius: f32) -> Self {
        let mut camera = Self { eye: Vec3::ZERO, yaw: 0.4, pitch: -0.42, distance: 1.0, orthographic: false };
        camera.frame(center, radius);
        camera
    }

    /// Looks from one point towards another.
    #[must_use]
    pub fn looking_at(eye: Vec3, target: Vec3) -> Self {
        let to = target - eye;
        let flat = Vec2::new(to.x, to.z).length();
        let yaw = if flat > 1e-6 { (-to.x).atan2(-to.z) } else { 0.0 };
        let pitch = to.y.atan2(flat).clamp(-STEEPEST, STEEPEST);
        Self { eye, yaw, pitch, distance: to.length().max(0.1), orthographic: false }
    }

    #[must_use]
    pub fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(self.pitch)
    }

    #[must_use]
    pub fn forward(&self) -> Vec3 {
        self.rotation() * Vec3::NEG_Z
    }

    /// What is orbited and zoomed at.
    #[must_use]
    pub fn pivot(&self) -> Vec3 {
        self.eye + self.forward() * self.distance
    }

    /// As the renderer wants it.
    #[must_use]
    pub fn view(&self) -> ViewCamera {
        let (yaw, pitch) = (self.yaw, self.pitch);
        if self.orthographic {
            ViewCamera::Orthographic { pivot: self.pivot(), yaw, pitch, height: self.height() }
        } else {
            ViewCamera::Fly { eye: self.eye, yaw, pitch, fov_degrees: FOV_DEGREES }
        }
    }

    /// Metres that fill the picture from top to bottom, at the pivot.
    #[must_use]
    pub fn height(&self) -> f32 {
        2.0 * self.distance * (FOV_DEGREES * 0.5).to_radians().tan()
    }

    /// Looks at the same pivot from a side, without perspective.
    pub fn look_from(&mut self, side: Side) {
        let pivot = self.pivot();
        (self.yaw, self.pitch) = side.angles();
        self.orthographic = true;
        self.eye = pivot - self.forward() * self.distance;
    }

    /// The side from which it looks, where it looks along an axis.
    #[must_use]
    pub fn side(&self) -> Option<Side> {
        Side::ALL.into_iter().find(|side| {
            let (yaw, pitch) = side.angles();
            let aside = (self.yaw - yaw + PI).rem_euclid(TAU) - PI;
            (self.pitch - pitch).abs() < 1e-3 && aside.abs() < 1e-3
        })
    }

    /// What the view is called: `Top · orthographic`, `Perspective`.
    #[must_use]
    pub fn name(&self) -> String {
        let kind = if self.orthographic { "orthographic" } else { "perspective" };
        match self.side().filter(|_| self.orthographic) {
            Some(side) => format!("{} · {kind}", side.name()),
            None => kind[..1].to_uppercase() + &kind[1..],
        }
    }

    /// Keeps its direction and backs off until the sphere fills the view.
    pub fn frame(&mut self, center: Vec3, radius: f32) {
        let half = (FOV_DEGREES * 0.5).to_radians();
        // Of a small thing, what it stands among is seen too.
        let radius = radius.max(0.3);
        self.distance = ((radius + (radius * 1.4).min(3.0)) / half.sin()).min(500.0);
        self.eye = center - self.forward() * self.distance;
    }

    pub fn apply(&mut self, change: CameraMove) {
        match change {
            CameraMove::Look(travel) => self.turn(travel),
            CameraMove::Orbit(travel) => {
                let pivot = self.pivot();
                self.turn(travel);
                self.eye = pivot - self.forward() * self.distance;
            }
            CameraMove::Pan(part) => {
                // So that what lies at the pivot's distance stays under the pointer.
                self.eye += self.rotation() * Vec3::new(-part.x, part.y, 0.0) * self.height();
            }
            CameraMove::Zoom(notches) => {
                let pivot = self.pivot();
                self.distance = (self.distance * (1.0 - ZOOM_PER_NOTCH).powf(notches)).clamp(0.1, 900.0);
                self.eye = pivot - self.forward() * self.distance;
            }
            CameraMove::Fly { direction, seconds, fast } => {
                let speed = self.distance.clamp(2.0, 40.0) * if fast { 3.0 } else { 0.8 };
                let local = Vec3::new(direction.x, 0.0, -direction.z);
                let step = self.rotation() * local + Vec3::Y * direction.y;
                self.eye += step.normalize_or_zero() * speed * seconds;
            }
        }
    }

    fn turn(&mut self, travel: Vec2) {
        self.yaw = (self.yaw - travel.x * TURN_PER_POINT).rem_euclid(TAU);
        self.pitch = (self.pitch - travel.y * TURN_PER_POINT).clamp(-STEEPEST, STEEPEST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_at_a_point_looks_at_it() {
        let camera = FlyCamera::looking_at(Vec3::new(3.0, 2.0, 5.0), Vec3::new(-1.0, 0.5, 2.0));
        assert!(camera.pivot().abs_diff_eq(Vec3::new(-1.0, 0.5, 2.0), 1e-4), "{}", camera.pivot());
    }

    #[test]
    fn orbiting_keeps_the_pivot_and_the_distance() {
        let mut camera = FlyCamera::looking_at(Vec3::new(3.0, 2.0, 5.0), Vec3::ZERO);
        let distance = camera.eye.length();
        camera.apply(CameraMove::Orbit(Vec2::new(120.0, -40.0)));
        assert!(camera.pivot().length() < 1e-3);
        assert!((camera.eye.length() - distance).abs() < 1e-3);
    }

    #[test]
    fn looking_around_leaves_the_eye_where_it_is_and_never_flips() {
        let mut camera = FlyCamera::default();
        let eye = camera.eye;
        camera.apply(CameraMove::Look(Vec2::new(0.0, 10_000.0)));
        assert_eq!(camera.eye, eye);
        assert!(camera.pitch >= -STEEPEST);
    }

    #[test]
    fn framing_sees_the_whole_sphere() {
        let mut camera = FlyCamera::default();
        camera.frame(Vec3::new(4.0, 1.0, 0.0), 2.0);
        assert!(camera.pivot().abs_diff_eq(Vec3::new(4.0, 1.0, 0.0), 1e-4));
        assert!(camera.distance > 2.0 / 25.0_f32.to_radians().tan());
    }

    #[test]
    fn flying_forward_goes_where_it_looks_and_up_goes_up() {
        let mut camera =
            FlyCamera { eye: Vec3::ZERO, yaw: 0.0, pitch: -0.5, distance: 10.0, orthographic: false };
        camera.apply(CameraMove::Fly { direction: Vec3::Z, seconds: 1.0, fast: false });
        assert!(camera.eye.normalize().abs_diff_eq(camera.forward(), 1e-4));
        let mut camera = FlyCamera { eye: Vec3::ZERO, ..camera };
        camera.apply(CameraMove::Fly { direction: Vec3::Y, seconds: 1.0, fast: false });
        assert!(camera.eye.x.abs() < 1e-6 && camera.eye.y > 0.0 && camera.eye.z.abs() < 1e-6);
    }

    #[test]
    fn each_side_is_looked_from_along_its_axis_and_named() {
        let expected = [
            (Side::Front, Vec3::NEG_Z, "Front · orthographic"),
            (Side::Back, Vec3::Z, "Back · orthographic"),
            (Side::Right, Vec3::NEG_X, "Right · orthographic"),
            (Side::Left, Vec3::X, "Left · orthographic"),
            (Side::Top, Vec3::NEG_Y, "Top · orthographic"),
            (Side::Bottom, Vec3::Y, "Bottom · orthographic"),
        ];
        for (side, forward, name) in expected {
            let mut camera = FlyCamera::looking_at(Vec3::new(3.0, 2.0, 5.0), Vec3::ONE);
            camera.look_from(side);
            assert!(camera.forward().abs_diff_eq(forward, 1e-6), "{side:?}: {}", camera.forward());
            assert!(camera.pivot().abs_diff_eq(Vec3::ONE, 1e-4));
            assert_eq!((camera.side(), camera.name().as_str()), (Some(side), name));
            camera.apply(CameraMove::Orbit(Vec2::new(10.0, 0.0)));
            assert_eq!(camera.name(), "Orthographic", "{side:?}");
            camera.orthographic = false;
            assert_eq!(camera.name(), "Perspective");
        }
    }

    #[test]
    fn the_wheel_zooms_the_height_of_a_view_without_perspective() {
        let mut camera = FlyCamera::default();
        camera.look_from(Side::Top);
        let before = camera.height();
        camera.apply(CameraMove::Zoom(1.0));
        assert!((camera.height() / before - 0.88).abs() < 1e-4);
        let ViewCamera::Orthographic { pivot, height, .. } = camera.view() else { panic!("no perspective") };
        assert!(pivot.abs_diff_eq(camera.pivot(), 1e-6) && (height - camera.height()).abs() < 1e-6);
    }

    #[test]
    fn zooming_in_and_out_by_the_same_notches_comes_back() {
        let mut camera = FlyCamera::default();
        let before = camera.eye;
        camera.apply(CameraMove::Zoom(3.0));
        assert!(camera.eye.distance(before) > 0.1);
        camera.apply(CameraMove::Zoom(-3.0));
        assert!(camera.eye.abs_diff_eq(before, 1e-3));
    }
}
