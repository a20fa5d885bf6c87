//! What a viewer wants to see: camera, size, selection; and the lens that comes of it. Plain values, no device.

use crate::scene::{EntityId, Pose};
use glam::camera::rh::{
    proj::directx::{orthographic, perspective},
    view::look_to_mat4,
};
use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

/// So many entities besides the primary one are drawn with a ring.
pub const MOST_RINGS: usize = 1_000;

/// Where a picture is taken from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ViewCamera {
    /// The scene's own camera; where it has none, a place from which all its shapes are seen.
    #[default]
    Scene,
    /// Flown by a person. Yaw and pitch in radians: at 0, 0 it looks along −z with +y up; a positive yaw turns
    /// left, a positive pitch looks up. The field of view is vertical.
    Fly { eye: Vec3, yaw: f32, pitch: f32, fov_degrees: f32 },
    /// Without perspective: everything that is `height` metres high fills the picture, however far it is. Yaw and
    /// pitch as in [`Self::Fly`]. What stands beside `pivot`, or behind it or before it, is seen alike.
    Orthographic { pivot: Vec3, yaw: f32, pitch: f32, height: f32 },
}

/// What the window asks of the renderer; sent through a slot, so the newest wins.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    pub camera: ViewCamera,
    /// Width and height in pixels. A size of no area leaves the last one as it was.
    pub size: [u32; 2],
    pub selection: Option<EntityId>,
    /// Others that are selected too: they get the ring, and nothing else. By rising ids;
    /// the first [`MOST_RINGS`] of them are looked for.
    pub also_selected: Arc<[EntityId]>,
    /// Draw the poses of both ticks of the selected body as dashed outlines.
    pub ghosts: bool,
    pub grid: bool,
    /// Draw the last tick as simulated, instead of the blend.
    pub last_tick: bool,
    /// The same frame drawn once more from another place, as far as that has an area.
    pub second: Option<SecondView>,
}

/// Where else a frame is drawn from; grid, ghosts and selection are those of the [`View`] it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondView {
    pub camera: ViewCamera,
    /// Width and height in pixels.
    pub size: [u32; 2],
}

impl Default for View {
    fn default() -> Self {
        Self {
            camera: ViewCamera::Scene,
            size: [960, 600],
            selection: None,
            also_selected: Arc::default(),
            ghosts: true,
            grid: true,
            last_tick: false,
            second: None,
        }
    }
}

impl View {
    /// There is something to draw on.
    #[must_use]
    pub const fn has_area(&self) -> bool {
        self.size[0] > 0 && self.size[1] > 0
    }

    /// The second view as a view of its own.
    #[must_use]
    pub fn of_second(&self) -> Option<Self> {
        let second = self.second?;
        Some(Self { camera: second.camera, size: second.size, second: None, ..self.clone() })
    }
}

/// Nearest and farthest distance drawn where no scene camera says otherwise, in metres.
pub const NEAR: f32 = 0.1;
pub const FAR: f32 = 1000.0;
/// Vertical field of view where nothing says otherwise.
pub const FOV_DEGREES: f32 = 50.0;

/// A camera resolved for one picture: an eye, three axes and a projection (right-handed, depth 0 near to 1 far).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    pub eye: Vec3,
    /// Unit axes of the camera in the world.
    pub right: Vec3,
    pub up: Vec3,
    pub forward: Vec3,
    /// Tangent of half the field of view, vertically, and horizontally.
    pub tan_half: Vec2,
    /// Nearest distance drawn, in metres; below 0 where what lies behind the eye is drawn too.
    pub near: f32,
    pub clip_from_world: Mat4,
    /// Without perspective: the metres from the eye to what is looked at. A lens of perspective with the same eye and
    /// `tan_half` shows what stands there as large.
    pub orthographic: Option<f32>,
}

impl Default for Lens {
    fn default() -> Self {
        Self::new(&Pose::default(), FOV_DEGREES, NEAR, FAR, [1, 1])
    }
}

impl Lens {
    /// A camera at a pose, looking along its −z; the pose's scale is left out.
    #[must_use]
    pub fn new(pose: &Pose, fov_degrees: f32, near: f32, far: f32, size: [u32; 2]) -> Self {
        let aspect = size[0].max(1) as f32 / size[1].max(1) as f32;
        let fov = fov_degrees.clamp(1.0, 179.0).to_radians();
        let near = near.max(1e-3);
        let rotation = pose.rotation.normalize();
        let view = Mat4::from_rotation_translation(rotation, pose.position).inverse();
        let projection = perspective(fov, aspect, near, far.max(near * 2.0));
        let tan = (fov * 0.5).tan();
        Self {
            eye: pose.position,
            right: rotation * Vec3::X,
            up: rotation * Vec3::Y,
            forward: rotation * Vec3::NEG_Z,
            tan_half: Vec2::new(tan * aspect, tan),
            near,
            clip_from_world: projection * view,
            orthographic: None,
        }
    }

    /// Without perspective; see [`ViewCamera::Orthographic`].
    #[must_use]
    pub fn orthographic(pivot: Vec3, yaw: f32, pitch: f32, height: f32, size: [u32; 2]) -> Self {
        let aspect = size[0].max(1) as f32 / size[1].max(1) as f32;
        let half = Vec2::new(aspect, 1.0) * (height.clamp(1e-3, 1e6) * 0.5);
        let tan = (FOV_DEGREES * 0.5).to_radians().tan();
        let distance = half.y / tan;
        let rotation = turned(yaw, pitch);
        let eye = pivot - rotation * Vec3::NEG_Z * distance;
        let (near, far) = (-FAR, distance + FAR);
        let view = Mat4::from_rotation_translation(rotation, eye).inverse();
        Self {
            eye,
            right: rotation * Vec3::X,
            up: rotation * Vec3::Y,
            forward: rotation * Vec3::NEG_Z,
            tan_half: Vec2::new(tan * aspect, tan),
            near,
            clip_from_world: orthographic(-half.x, half.x, -half.y, half.y, near, far) * view,
            orthographic: Some(distance),
        }
    }

    /// What is looked at: for a lens without perspective, what it turns about; else the eye.
    #[must_use]
    pub fn middle(&self) -> Vec3 {
        self.eye + self.forward * self.orthographic.unwrap_or(0.0)
    }

    /// From where a thing at this point is seen: the eye, or a place far off where there is no perspective.
    #[must_use]
    pub fn seen_from(&self, point: Vec3) -> Vec3 {
        if self.orthographic.is_some() { point - self.forward * 1e4 } else { self.eye }
    }

    /// Where along its depth a thing is drawn at its true size: what is nearer is not drawn larger.
    #[must_use]
    pub fn nearest(&self) -> f32 {
        self.orthographic.unwrap_or(self.near)
    }

    /// A camera flown by a person; see [`ViewCamera::Fly`].
    #[must_use]
    pub fn fly(eye: Vec3, yaw: f32, pitch: f32, fov_degrees: f32, size: [u32; 2]) -> Self {
        let pose = Pose { position: eye, rotation: turned(yaw, pitch), ..Pose::default() };
        Self::new(&pose, fov_degrees, NEAR, FAR, size)
    }

    /// From `eye` towards `target`, +y up; straight up or down, −z is up.
    #[must_use]
    pub fn looking_at(
        eye: Vec3,
        target: Vec3,
        fov_degrees: f32,
        near: f32,
        far: f32,
        size: [u32; 2],
    ) -> Self {
        let forward = (target - eye).try_normalize().unwrap_or(Vec3::NEG_Z);
        let up = if forward.y.abs() > 0.999 { Vec3::NEG_Z } else { Vec3::Y };
        let rotation = Quat::from_mat4(&look_to_mat4(Vec3::ZERO, forward, up)).inverse();
        Self::new(&Pose { position: eye, rotation, ..Pose::default() }, fov_degrees, near, far, size)
    }

    /// Sees the whole of a sphere, from above and a little to the side.
    #[must_use]
    pub fn framing(center: Vec3, radius: f32, size: [u32; 2]) -> Self {
        let aspect = size[0].max(1) as f32 / size[1].max(1) as f32;
        let half = (FOV_DEGREES * 0.5).to_radians();
        let narrow = half.min((half.tan() * aspect).atan());
        let distance = (radius.max(0.5) / narrow.sin()).min(FAR * 0.5);
        let eye = center + Vec3::new(0.35, 0.42, 0.84).normalize() * distance;
        Self::looking_at(eye, center, FOV_DEGREES, NEAR, FAR, size)
    }

    /// The six planes of what is seen, inward normals of unit length: a point p is in where `n·p + w ≥ 0`.
    #[must_use]
    pub fn planes(&self) -> [Vec4; 6] {
        planes(&self.clip_from_world)
    }

    /// Pixels that one metre covers at a distance of one metre.
    #[must_use]
    pub fn pixels_per_metre(&self, size: [u32; 2]) -> f32 {
        size[1] as f32 * 0.5 / self.tan_half.y
    }

    /// Where a point stands in the picture, in pixels from its top left; `None` behind the near plane.
    #[must_use]
    pub fn pixel(&self, point: Vec3, size: [u32; 2]) -> Option<Vec2> {
        project(&self.clip_from_world, point, size)
    }
}

/// How a camera of these angles is turned; see [`ViewCamera::Fly`].
fn turned(yaw: f32, pitch: f32) -> Quat {
    Quat::from_rotation_y(yaw) * Quat::from_rotation_x(pitch)
}

/// As [`Lens::planes`], of any projection: left, right, bottom, top, near, far.
#[must_use]
pub(super) fn planes(clip_from_world: &Mat4) -> [Vec4; 6] {
    let rows = clip_from_world.transpose();
    let (x, y, z, w) = (rows.x_axis, rows.y_axis, rows.z_axis, rows.w_axis);
    [w + x, w - x, w + y, w - y, z, w - z]
        .map(|plane| plane / plane.truncate().length().max(f32::MIN_POSITIVE))
}

/// Where a world point stands in a picture of this size, in pixels from its top left; `None` behind the eye.
#[must_use]
pub fn project(clip_from_world: &Mat4, point: Vec3, size: [u32; 2]) -> Option<Vec2> {
    let clip = *clip_from_world * point.extend(1.0);
    (clip.w > 1e-4 && clip.z >= 0.0).then(|| {
        let ndc = clip.truncate() / clip.w;
        Vec2::new((ndc.x * 0.5 + 0.5) * size[0] as f32, (0.5 - ndc.y * 0.5) * size[1] as f32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Vec3, b: Vec3) -> bool {
        (a - b).length() < 1e-5
    }

    #[test]
    fn a_fly_camera_at_no_angle_looks_along_minus_z() {
        let lens = Lens::fly(Vec3::new(0.0, 1.0, 5.0), 0.0, 0.0, 50.0, [100, 100]);
        assert!(close(lens.forward, Vec3::NEG_Z));
        assert!(close(lens.up, Vec3::Y));
        assert_eq!(lens.pixel(Vec3::new(0.0, 1.0, 0.0), [100, 100]), Some(Vec2::new(50.0, 50.0)));
    }

    #[test]
    fn a_quarter_turn_of_yaw_looks_left_and_of_pitch_looks_up() {
        let quarter = std::f32::consts::FRAC_PI_2;
        assert!(close(Lens::fly(Vec3::ZERO, quarter, 0.0, 50.0, [1, 1]).forward, Vec3::NEG_X));
        assert!(close(Lens::fly(Vec3::ZERO, 0.0, quarter, 50.0, [1, 1]).forward, Vec3::Y));
    }

    #[test]
    fn looking_at_a_target_puts_it_in_the_middle() {
        for eye in [Vec3::new(3.0, 4.0, 5.0), Vec3::new(0.0, 9.0, 0.0), Vec3::new(-2.0, -1.0, 0.5)] {
            let lens = Lens::looking_at(eye, Vec3::ZERO, 60.0, 0.1, 100.0, [200, 100]);
            let pixel = lens.pixel(Vec3::ZERO, [200, 100]).unwrap();
            assert!((pixel - Vec2::new(100.0, 50.0)).length() < 0.01, "{pixel}");
        }
    }

    #[test]
    fn without_perspective_a_metre_is_as_many_pixels_near_and_far_and_before_the_eye() {
        // 10 m high on 100 pixels.
        let lens = Lens::orthographic(Vec3::new(0.0, 1.0, 0.0), 0.0, 0.0, 10.0, [200, 100]);
        for z in [-400.0, 0.0, 7.0, 90.0] {
            assert_eq!(lens.pixel(Vec3::new(0.0, 1.0, z), [200, 100]), Some(Vec2::new(100.0, 50.0)), "{z}");
            let aside = lens.pixel(Vec3::new(1.0, 3.0, z), [200, 100]).unwrap();
            assert!((aside - Vec2::new(110.0, 30.0)).length() < 1e-3, "{z}: {aside}");
        }
        assert!(close(lens.middle(), Vec3::new(0.0, 1.0, 0.0)));
        assert!(close(lens.forward, Vec3::NEG_Z));
    }

    #[test]
    fn a_lens_without_perspective_shows_its_middle_as_large_as_one_with_it() {
        let flat = Lens::orthographic(Vec3::ZERO, 0.3, -0.2, 8.0, [160, 90]);
        let deep = Lens::fly(flat.eye, 0.3, -0.2, FOV_DEGREES, [160, 90]);
        let beside = flat.right * 2.0 + flat.up;
        let (a, b) = (flat.pixel(beside, [160, 90]).unwrap(), deep.pixel(beside, [160, 90]).unwrap());
        assert!((a - b).length() < 0.01, "{a} {b}");
    }

    #[test]
    fn what_is_behind_the_eye_has_no_pixel() {
        let lens = Lens::fly(Vec3::ZERO, 0.0, 0.0, 50.0, [100, 100]);
        assert_eq!(lens.pixel(Vec3::new(0.0, 0.0, 1.0), [100, 100]), None);
    }

    #[test]
    fn the_planes_hold_what_is_in_front_and_not_what_is_beside() {
        let planes = Lens::fly(Vec3::ZERO, 0.0, 0.0, 90.0, [100, 100]).planes();
        let within = |point: Vec3| planes.iter().all(|plane| plane.dot(point.extend(1.0)) >= 0.0);
        assert!(within(Vec3::new(0.0, 0.0, -5.0)));
        assert!(within(Vec3::new(4.9, 0.0, -5.0)));
        assert!(!within(Vec3::new(5.1, 0.0, -5.0)));
        assert!(!within(Vec3::new(0.0, 0.0, 5.0)));
    }
}
