//! The camera a person flies: pure, moved by what the panel saw of mouse and keys.

use framewalk_runtime::render::view::{FOV_DEGREES, ViewCamera};
use glam::{Quat, Vec2, Vec3};

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
        let mut camera = Self { eye: Vec3::ZERO, yaw: 0.4, pitch: -0.42, distance: 1.0 };
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
        Self { eye, yaw, pitch, distance: to.length().max(0.1) }
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
        ViewCamera::Fly { eye: self.eye, yaw: self.yaw, pitch: self.pitch, fov_degrees: FOV_DEGREES }
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
                let height = 2.0 * self.distance * (FOV_DEGREES * 0.5).to_radians().tan();
                self.eye += self.rotation() * Vec3::new(-part.x, part.y, 0.0) * height;
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
        self.yaw = (self.yaw - travel.x * TURN_PER_POINT).rem_euclid(std::f32::consts::TAU);
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
        let mut camera = FlyCamera { eye: Vec3::ZERO, yaw: 0.0, pitch: -0.5, distance: 10.0 };
        camera.apply(CameraMove::Fly { direction: Vec3::Z, seconds: 1.0, fast: false });
        assert!(camera.eye.normalize().abs_diff_eq(camera.forward(), 1e-4));
        let mut camera = FlyCamera { eye: Vec3::ZERO, ..camera };
        camera.apply(CameraMove::Fly { direction: Vec3::Y, seconds: 1.0, fast: false });
        assert!(camera.eye.x.abs() < 1e-6 && camera.eye.y > 0.0 && camera.eye.z.abs() < 1e-6);
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
