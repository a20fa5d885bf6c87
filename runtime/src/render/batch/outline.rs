//! The dashed outline of a shape at a pose, as thin triangles in clip space.
//!
//! Every shape here is convex, so the outline of a round one is the convex hull, on screen, of the circles where its
//! spheres and caps turn away from the eye; of a box or a plane, it is its edges.

use crate::render::view::Lens;
use crate::scene::{Pose, Shape, ShapeKind};
use glam::{Vec2, Vec3, Vec4};

/// A corner of a line's triangles: position in clip space (−1 to 1, y up) and sRGB colour with opacity.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct LineVertex {
    pub position: [f32; 2],
    pub color: [f32; 4],
}

/// Length of a dash and of the gap after it, and width of the line, in pixels.
const DASH: f32 = 6.0;
const GAP: f32 = 4.5;
const WIDTH: f32 = 1.7;
/// Corners of a circle.
const CIRCLE: usize = 72;

/// Working memory, kept from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    points: Vec<Vec2>,
    hull: Vec<Vec2>,
}

impl Scratch {
    /// Appends the outline; nothing where a part of it is behind the eye.
    pub fn dashed(
        &mut self,
        lens: &Lens,
        size: [u32; 2],
        pose: &Pose,
        shape: &Shape,
        color: Vec4,
        out: &mut Vec<LineVertex>,
    ) {
        let world = |local: Vec3| pose.position + pose.rotation * (pose.scale * local);
        let eye = (pose.rotation.inverse() * (lens.seen_from(pose.position) - pose.position)) / pose.scale;
        self.points.clear();
        let mut stroke = Stroke { size, color, out };
        let seen = match shape.kind {
            ShapeKind::Cube { size: edges } => {
                for (a, b) in box_edges(edges * 0.5) {
                    stroke.edge(lens, world(a), world(b));
                }
                return;
            }
            ShapeKind::Plane { width, depth } => {
                let corner = |x: f32, z: f32| world(Vec3::new(x * width * 0.5, 0.0, z * depth * 0.5));
                let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
                for idx in 0..4 {
                    stroke.edge(lens, corners[idx], corners[(idx + 1) % 4]);
                }
                return;
            }
            ShapeKind::Sphere { radius } => self.rim(lens, size, eye, Vec3::ZERO, radius, world),
            ShapeKind::Capsule { radius, half_height } => [half_height, -half_height]
                .into_iter()
                .all(|y| self.rim(lens, size, eye, Vec3::Y * y, radius, world)),
            ShapeKind::Cylinder { radius, half_height } => [half_height, -half_height]
                .into_iter()
                .all(|y| self.circle(lens, size, Vec3::Y * y, Vec3::X * radius, Vec3::Z * radius, world)),
        };
        if seen {
            convex_hull(&mut self.points, &mut self.hull);
            stroke.closed(&self.hull);
        }
    }

    /// The circle where a sphere turns away from the eye, both in the shape's own frame. An uneven scale keeps it a
    /// rim, since tangency outlives every affine map.
    fn rim(
        &mut self,
        lens: &Lens,
        size: [u32; 2],
        eye: Vec3,
        center: Vec3,
        radius: f32,
        world: impl Fn(Vec3) -> Vec3,
    ) -> bool {
        let to_eye = eye - center;
        let distance = to_eye.length();
        if distance <= radius * 1.0001 || !distance.is_finite() {
            return false;
        }
        let sine = radius / distance;
        let (across, along) = (to_eye / distance).any_orthonormal_pair();
        let ring = radius * (1.0 - sine * sine).sqrt();
        self.circle(lens, size, center + to_eye * (sine * sine), across * ring, along * ring, world)
    }

    fn circle(
        &mut self,
        lens: &Lens,
        size: [u32; 2],
        center: Vec3,
        a: Vec3,
        b: Vec3,
        world: impl Fn(Vec3) -> Vec3,
    ) -> bool {
        (0..CIRCLE).all(|idx| {
            let (sine, cosine) = (std::f32::consts::TAU * idx as f32 / CIRCLE as f32).sin_cos();
            let pixel = lens.pixel(world(center + a * cosine + b * sine), size);
            self.points.extend(pixel);
            pixel.is_some()
        })
    }
}

/// The twelve edges of a box about the origin.
fn box_edges(half: Vec3) -> impl Iterator<Item = (Vec3, Vec3)> {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].into_iter().flat_map(move |(s, t)| {
        [
            (Vec3::new(-1.0, s, t) * half, Vec3::new(1.0, s, t) * half),
            (Vec3::new(s, -1.0, t) * half, Vec3::new(s, 1.0, t) * half),
            (Vec3::new(s, t, -1.0) * half, Vec3::new(s, t, 1.0) * half),
        ]
    })
}

/// Puts the corners of the convex hull into `hull`, in order. (Andrew's monotone chain.)
fn convex_hull(points: &mut Vec<Vec2>, hull: &mut Vec<Vec2>) {
    points.retain(|point| point.is_finite());
    points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    hull.clear();
    let mut floor = 2;
    for half in 0..2 {
        for step in 0..points.len() {
            let point = if half == 0 { points[step] } else { points[points.len() - 1 - step] };
            while hull.len() >= floor && {
                let (a, b) = (hull[hull.len() - 2], hull[hull.len() - 1]);
                (b - a).perp_dot(point - b) <= 0.0
            } {
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
        floor = hull.len() + 2;
    }
}

struct Stroke<'a> {
    size: [u32; 2],
    color: Vec4,
    out: &'a mut Vec<LineVertex>,
}

impl Stroke<'_> {
    /// An edge in the world, cut off in front of the eye.
    fn edge(&mut self, lens: &Lens, a: Vec3, b: Vec3) {
        let depth = |point: Vec3| (point - lens.eye).dot(lens.forward) - (lens.near + lens.near.abs() * 0.01);
        let (depth_a, depth_b) = (depth(a), depth(b));
        if depth_a <= 0.0 && depth_b <= 0.0 {
            return;
        }
        let cut = |near: Vec3, far: Vec3, d_near: f32, d_far: f32| {
            if d_near < 0.0 { near + (far - near) * (d_near / (d_near - d_far)) } else { near }
        };
        let (a, b) = (cut(a, b, depth_a, depth_b), cut(b, a, depth_b, depth_a));
        if let (Some(a), Some(b)) = (lens.pixel(a, self.size), lens.pixel(b, self.size)) {
            // Far outside the picture a line would be cut into dashes nobody sees.
            let limit = 4.0 * self.size[0].max(self.size[1]) as f32;
            if a.abs().max_element() < limit && b.abs().max_element() < limit {
                self.dashes(&[a, b], whole_dashes(a.distance(b)));
            }
        }
    }

    /// A closed line through all corners; the dashes are fitted so that they close too.
    fn closed(&mut self, corners: &[Vec2]) {
        let Some(first) = corners.first() else { return };
        let length: f32 =
            corners.iter().zip(corners.iter().cycle().skip(1)).map(|(a, b)| a.distance(*b)).sum();
        if length > 16.0 * self.size[0].max(self.size[1]) as f32 {
            return;
        }
        let stretch = whole_dashes(length);
        let mut along = 0.0;
        for (a, b) in corners.iter().zip(corners.iter().skip(1).chain([first])) {
            along = self.dashes_from(*a, *b, along, stretch);
        }
    }

    fn dashes(&mut self, ends: &[Vec2; 2], stretch: f32) {
        self.dashes_from(ends[0], ends[1], 0.0, stretch);
    }

    /// Draws the dashes of one straight piece that begins `along` pixels down its line; returns where it ends.
    fn dashes_from(&mut self, a: Vec2, b: Vec2, along: f32, stretch: f32) -> f32 {
        let length = a.distance(b);
        let (dash, period) = (DASH * stretch, (DASH + GAP) * stretch);
        let mut start = (along / period).floor() * period;
        while start < along + length {
            let (from, to) = (start.max(along) - along, (start + dash).min(along + length) - along);
            if to > from {
                self.quad(a.lerp(b, from / length), a.lerp(b, to / length));
            }
            start += period;
        }
        along + length
    }

    fn quad(&mut self, a: Vec2, b: Vec2) {
        let side = (b - a).normalize_or_zero().perp() * (WIDTH * 0.5);
        let size = Vec2::new(self.size[0] as f32, self.size[1] as f32);
        let corner = |point: Vec2| LineVertex {
            position: [point.x / size.x * 2.0 - 1.0, 1.0 - point.y / size.y * 2.0],
            color: self.color.to_array(),
        };
        let [p, q, r, s] = [a + side, b + side, b - side, a - side].map(corner);
        self.out.extend([p, q, r, p, r, s]);
    }
}

/// By how much dashes and gaps are stretched so that a whole number of them fills this length.
fn whole_dashes(length: f32) -> f32 {
    let count = (length / (DASH + GAP)).round().max(1.0);
    length.max(1.0) / (count * (DASH + GAP))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Color;

    fn extent(lines: &[LineVertex]) -> (Vec2, Vec2) {
        lines.iter().fold((Vec2::MAX, Vec2::MIN), |(low, high), vertex| {
            (low.min(vertex.position.into()), high.max(vertex.position.into()))
        })
    }

    fn outline(kind: ShapeKind, pose: &Pose) -> Vec<LineVertex> {
        let lens = Lens::fly(Vec3::new(0.0, 0.0, 10.0), 0.0, 0.0, 90.0, [400, 400]);
        let shape = Shape { kind, color: Color { red: 0, green: 0, blue: 0 } };
        let mut lines = Vec::new();
        Scratch::default().dashed(&lens, [400, 400], pose, &shape, Vec4::ONE, &mut lines);
        lines
    }

    #[test]
    fn the_outline_of_a_sphere_is_the_circle_where_it_turns_away() {
        let (low, high) = extent(&outline(ShapeKind::Sphere { radius: 6.0 }, &Pose::default()));
        // tan(asin(6 ÷ 10)) = 0.75, and half the line's width: 0.85 pixels of 200.
        assert!((high - Vec2::splat(0.75 + 0.00425)).abs().max_element() < 0.004, "{high}");
        assert!((low + high).abs().max_element() < 0.004);
    }

    #[test]
    fn a_capsule_is_as_high_as_its_two_ends() {
        let kind = ShapeKind::Capsule { radius: 0.5, half_height: 1.5 };
        let (low, high) = extent(&outline(kind, &Pose::default()));
        assert!((0.19..0.22).contains(&high.y) && (-0.22..-0.19).contains(&low.y), "{low} {high}");
        assert!((0.045..0.06).contains(&high.x));
    }

    #[test]
    fn what_is_behind_the_eye_or_around_it_has_no_outline() {
        let behind = Pose { position: Vec3::new(0.0, 0.0, 20.0), ..Pose::default() };
        assert!(outline(ShapeKind::Sphere { radius: 1.0 }, &behind).is_empty());
        assert!(outline(ShapeKind::Cube { size: Vec3::ONE }, &behind).is_empty());
        assert!(outline(ShapeKind::Sphere { radius: 11.0 }, &Pose::default()).is_empty());
    }

    #[test]
    fn a_hull_leaves_inner_points_out() {
        let mut points =
            [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0), (1.0, 1.0), (1.0, 0.0)].map(Vec2::from).to_vec();
        let mut hull = Vec::new();
        convex_hull(&mut points, &mut hull);
        assert_eq!(hull.len(), 4);
    }
}
