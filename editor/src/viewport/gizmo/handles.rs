//! The handles as they stand on screen: the same marks are painted and found under the pointer.

use glam::{Vec2, Vec3};

use super::{Axis, Handle, Sight, Stand, Tool};

/// One mark on screen, in points.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    Line(Vec<Vec2>),
    /// The corners of a convex area.
    Area(Vec<Vec2>),
    /// A circle about a place.
    Circle(Vec2, f32),
}

/// One handle on screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    pub handle: Handle,
    pub marks: Vec<Mark>,
    /// How far it stands towards whoever looks: what is nearer is painted over what is farther.
    pub nearness: f32,
}

/// How far beside a line the pointer may be, in points.
const REACH: f32 = 7.0;
/// An axis that points so nearly at the eye cannot be dragged along.
const TOO_STEEP: f32 = 0.985;
/// A plane seen so nearly from its edge cannot be dragged in.
const TOO_FLAT: f32 = 0.18;
/// From where to where the squares of planes lie, and where axes begin, as parts of an axis.
const SQUARE: [f32; 2] = [0.30, 0.52];
const AXIS_START: f32 = 0.16;
/// The ring in the plane of the picture is larger than the others.
pub const OUTER_RING: f32 = 1.22;
const RING_CORNERS: usize = 96;

/// Every handle of a tool that can be dragged as it is seen now, farthest first.
#[must_use]
pub fn drawn(tool: Tool, stand: &Stand, sight: &Sight) -> Vec<Drawn> {
    let mut found: Vec<Drawn> = match tool {
        Tool::Select => Vec::new(),
        Tool::Move | Tool::Scale => {
            let axes = Axis::ALL.into_iter().filter_map(|axis| arrow(tool, axis, stand, sight));
            let planes = Axis::ALL.into_iter().filter_map(|axis| square(axis, stand, sight));
            planes.chain(axes).chain(middle(tool, stand, sight)).collect()
        }
        Tool::Rotate => {
            let rings = Axis::ALL.into_iter().map(|axis| ring(axis, stand, sight));
            rings.chain([outer_ring(stand, sight)]).collect()
        }
    };
    found.retain(|drawn| !drawn.marks.is_empty());
    found.sort_by(|a, b| a.nearness.total_cmp(&b.nearness));
    found
}

/// The handle under the pointer: the nearest one, and of equally near ones that which is painted last.
#[must_use]
pub fn hit(drawn: &[Drawn], at: Vec2) -> Option<Handle> {
    let near = drawn.iter().rev().filter_map(|drawn| {
        let distance = drawn.marks.iter().map(|mark| distance(mark, at)).min_by(f32::total_cmp)?;
        (distance <= REACH).then_some((drawn.handle, distance))
    });
    near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(handle, _)| handle)
}

fn arrow(tool: Tool, axis: Axis, stand: &Stand, sight: &Sight) -> Option<Drawn> {
    if stand.facing(axis) > TOO_STEEP {
        return None;
    }
    let direction = stand.direction(axis);
    let along = |part: f32| sight.place(stand.center + direction * (stand.length * part));
    let (start, tip) = (along(AXIS_START)?, along(1.0)?);
    let run = tip - start;
    let toward = run.normalize_or(Vec2::X);
    let side = toward.perp();
    let head = 15.0_f32.min(run.length());
    let (line_end, area) = if tool == Tool::Move {
        let base = tip - toward * head;
        (base, vec![tip, base + side * 5.5, base - side * 5.5])
    } else {
        let (half, middle) = (5.0, tip - toward * 5.0);
        let corners = [toward + side, side - toward, -toward - side, toward - side];
        (middle, corners.iter().map(|corner| middle + *corner * half).collect())
    };
    let marks = vec![Mark::Line(vec![start, line_end]), Mark::Area(area)];
    Some(Drawn { handle: Handle::Axis(axis), marks, nearness: direction.dot(stand.towards_eye) })
}

fn square(across: Axis, stand: &Stand, sight: &Sight) -> Option<Drawn> {
    if stand.facing(across) < TOO_FLAT {
        return None;
    }
    let [a, b] = across.others().map(|axis| stand.direction(axis) * stand.length);
    let [low, high] = SQUARE;
    let corners = [(low, low), (high, low), (high, high), (low, high)];
    let corners = corners.map(|(s, t)| sight.place(stand.center + a * s + b * t));
    let area: Vec<Vec2> = corners.into_iter().flatten().collect();
    let middle = (a + b).normalize_or_zero() * 0.5;
    let marks = if area.len() == 4 { vec![Mark::Area(area)] } else { Vec::new() };
    Some(Drawn { handle: Handle::Plane(across), marks, nearness: middle.dot(stand.towards_eye) })
}

fn middle(tool: Tool, stand: &Stand, sight: &Sight) -> Option<Drawn> {
    let at = sight.place(stand.center)?;
    let mark = if tool == Tool::Move {
        Mark::Circle(at, 7.0)
    } else {
        let corners = [Vec2::ONE, Vec2::new(-1.0, 1.0), -Vec2::ONE, Vec2::new(1.0, -1.0)];
        Mark::Area(corners.iter().map(|corner| at + *corner * 6.0).collect())
    };
    Some(Drawn { handle: Handle::Screen, marks: vec![mark], nearness: 2.0 })
}

/// The half of a ring that is turned towards whoever looks; all of it where it is seen from its axis.
fn ring(axis: Axis, stand: &Stand, sight: &Sight) -> Drawn {
    let normal = stand.direction(axis);
    let [a, b] = axis.others().map(|axis| stand.direction(axis));
    let whole = stand.facing(axis) > TOO_STEEP;
    let mut points = circle(stand, a, b, 1.0).map(|point| {
        let turned = (point - stand.center).dot(stand.towards_eye) >= -0.02 * stand.length;
        sight.place(point).filter(|_| whole || turned)
    });
    // Begun where it comes into sight, so that it is one line.
    let hidden = points.iter().position(Option::is_none);
    points.rotate_left(hidden.unwrap_or(0));
    let mut lines: Vec<Vec<Vec2>> = vec![Vec::new()];
    for point in points.iter().chain(hidden.is_none().then_some(&points[0])) {
        match point {
            Some(point) => lines.last_mut().map_or((), |line| line.push(*point)),
            None => lines.push(Vec::new()),
        }
    }
    let marks = lines.into_iter().filter(|line| line.len() > 1).map(Mark::Line).collect();
    Drawn { handle: Handle::Axis(axis), marks, nearness: normal.dot(stand.towards_eye).abs() }
}

fn outer_ring(stand: &Stand, sight: &Sight) -> Drawn {
    let (a, b) = stand.towards_eye.any_orthonormal_pair();
    let mut line: Vec<Vec2> =
        circle(stand, a, b, OUTER_RING).into_iter().filter_map(|point| sight.place(point)).collect();
    line.extend(line.first().copied());
    let marks = if line.len() > RING_CORNERS { vec![Mark::Line(line)] } else { Vec::new() };
    Drawn { handle: Handle::Screen, marks, nearness: -1.0 }
}

fn circle(stand: &Stand, a: Vec3, b: Vec3, radius: f32) -> [Vec3; RING_CORNERS] {
    std::array::from_fn(|idx| {
        let (sine, cosine) = (std::f32::consts::TAU * idx as f32 / RING_CORNERS as f32).sin_cos();
        stand.center + (a * cosine + b * sine) * (stand.length * radius)
    })
}

fn distance(mark: &Mark, at: Vec2) -> f32 {
    match mark {
        Mark::Line(points) => to_line(points, at),
        Mark::Area(corners) => {
            let closed: Vec<Vec2> = corners.iter().chain(corners.first()).copied().collect();
            if is_within(&closed, at) { 0.0 } else { to_line(&closed, at) }
        }
        Mark::Circle(middle, radius) => (middle.distance(at) - radius).max(0.0),
    }
}

fn to_line(points: &[Vec2], at: Vec2) -> f32 {
    let to_piece = |piece: &[Vec2]| {
        let (a, b) = (piece[0], piece[1]);
        let along = ((at - a).dot(b - a) / (b - a).length_squared().max(1e-9)).clamp(0.0, 1.0);
        at.distance(a.lerp(b, along))
    };
    points.windows(2).map(to_piece).min_by(f32::total_cmp).unwrap_or(f32::INFINITY)
}

/// Inside a closed convex line, whichever way round it goes.
fn is_within(closed: &[Vec2], at: Vec2) -> bool {
    let mut sides = closed.windows(2).map(|piece| (piece[1] - piece[0]).perp_dot(at - piece[0]));
    let first = sides.next().unwrap_or(0.0);
    first != 0.0 && sides.all(|side| side * first > 0.0)
}
