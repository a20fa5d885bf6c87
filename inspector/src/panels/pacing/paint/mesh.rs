//! What a plot has many of, as one mesh: bars and crosses. Nothing of it is left to tessellate.

use egui::epaint::{Vertex, WHITE_UV};
use egui::{Color32, Mesh, Rect, Vec2, pos2, vec2};
use egui_plot::PlotTransform;

use crate::panels::pacing::columns::Column;
use crate::panels::pacing::model::Stem;

/// Half of the least height of a bar, in points: as thick as a line.
const HALF_A_LINE: f64 = 0.5;
/// How much of its colour is left inside of a band.
const PALE: f32 = 0.4;
/// How far each arm of a cross reaches along both axes, and how thick it is.
const ARM: f32 = 2.8;
const ARM_WIDTH: f32 = 0.8;

/// A bar for each column, from pixel to pixel: at least one wide and one high, so that none of them is lost. One that goes
/// on from the column before reaches to where that one was. What has others on all sides is paler: many bars beside each
/// other are a band with an edge, and one alone is seen.
pub fn bars(columns: &[Column], transform: &PlotTransform, pixels_per_point: f32, color: Color32) -> Bars {
    let axes = Axes::of(transform);
    let (pixels, point) = (f64::from(pixels_per_point), 1.0 / pixels_per_point);
    // To the nearest whole pixel, without a call for each of so many; no screen begins so far outside.
    let pixel = |at: f64| ((at * pixels + 65_536.5) as i64 - 65_536) as f32 * point;
    let mut bars = Bars::default();
    bars.solid.reserve_vertices(columns.len() * 8);
    bars.solid.reserve_triangles(columns.len() * 4);
    // Of a column, down is more; none before the first.
    let mut own_before: Option<(f64, f64)> = None;
    let mut bar_of = |column: &Column| {
        let (own_top, own_bottom) = (axes.y(column.high), axes.y(column.low));
        let (mut top, mut bottom) = (own_top, own_bottom);
        if let Some((top_before, bottom_before)) = own_before.filter(|_| column.joins) {
            (top, bottom) = (top.min(bottom_before), bottom.max(top_before));
        }
        own_before = Some((own_top, own_bottom));
        let left = pixel(axes.x(column.from));
        let right = pixel(axes.x(column.to)).max(left + point);
        Rect::from_min_max(pos2(left, pixel(top - HALF_A_LINE)), pos2(right, pixel(bottom + HALF_A_LINE)))
    };
    let pale = color.gamma_multiply(PALE);
    let mut next = columns.first().map(&mut bar_of);
    let mut before: Option<Rect> = None;
    for (idx, column) in columns.iter().enumerate() {
        let Some(bar) = next else { break };
        let following = columns.get(idx + 1);
        next = following.map(&mut bar_of);
        let left = before.filter(|_| column.joins);
        let right = next.filter(|_| following.is_some_and(|following| following.joins));
        let inner = match (left, right) {
            (Some(left), Some(right)) => {
                let top = bar.top().max(left.top()).max(right.top()) + point;
                let bottom = bar.bottom().min(left.bottom()).min(right.bottom()) - point;
                (bottom - top > point).then_some((top, bottom))
            }
            _ => None,
        };
        let part = |top: f32, bottom: f32| Rect::from_x_y_ranges(bar.x_range(), top..=bottom);
        match inner {
            None => bars.solid.add_colored_rect(bar, color),
            Some((top, bottom)) => {
                bars.solid.add_colored_rect(part(bar.top(), top), color);
                bars.band.add_colored_rect(part(top, bottom), pale);
                bars.solid.add_colored_rect(part(bottom, bar.bottom()), color);
            }
        }
        before = Some(bar);
    }
    bars
}

/// Bars beside each other.
#[derive(Clone, Debug, Default)]
pub struct Bars {
    /// What has others on all sides: it is to lie below the grid, which it would hide.
    pub band: Mesh,
    pub solid: Mesh,
}

/// Where values lie on screen, in points: a multiplication for each, where the plot's own answer takes a division.
struct Axes {
    left: f64,
    bottom: f64,
    least: [f64; 2],
    points: [f64; 2],
}

impl Axes {
    fn of(transform: &PlotTransform) -> Self {
        let frame = transform.frame();
        Self {
            left: f64::from(frame.left()),
            bottom: f64::from(frame.bottom()),
            least: transform.bounds().min(),
            points: transform.dpos_dvalue(),
        }
    }

    fn x(&self, value: f64) -> f64 {
        self.left + (value - self.least[0]) * self.points[0]
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom + (value - self.least[1]) * self.points[1]
    }
}

/// A cross at the height of each count, on a line from 0 up.
pub fn stems(stems: &[Stem], transform: &PlotTransform, pixels_per_point: f32, color: Color32) -> Mesh {
    let pixel = 1.0 / pixels_per_point;
    let arms = [arm(vec2(ARM, ARM), pixel, color), arm(vec2(ARM, -ARM), pixel, color)];
    let line = color.gamma_multiply(ARM_WIDTH);
    let bottom = transform.position_from_point_y(0.0);
    let mut mesh = Mesh::default();
    mesh.reserve_vertices(stems.len() * 16);
    mesh.reserve_triangles(stems.len() * 10);
    for stem in stems {
        let x = transform.position_from_point_x(stem.seconds);
        let y = transform.position_from_point_y(f64::from(stem.count));
        let left = (x * pixels_per_point).floor() * pixel;
        mesh.add_colored_rect(Rect::from_min_max(pos2(left, y), pos2(left + pixel, bottom)), line);
        let center = pos2(left + pixel * 0.5, y);
        for arm in &arms {
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend(arm.iter().map(|(aside, color)| Vertex {
                pos: center + *aside,
                uv: WHITE_UV,
                color: *color,
            }));
            for [a, b, c] in ARM_TRIANGLES {
                mesh.add_triangle(first + a, first + b, first + c);
            }
        }
    }
    mesh
}

/// A line from `-half` to `half` as wide as an arm, which fades to both sides: its two ends, each with both edges.
fn arm(half: Vec2, pixel: f32, color: Color32) -> [(Vec2, Color32); 6] {
    // A line thinner than a pixel is drawn fainter instead.
    let edge = half.normalized().rot90() * pixel.max(ARM_WIDTH);
    let color = color.gamma_multiply((ARM_WIDTH / pixel).min(1.0));
    let clear = Color32::TRANSPARENT;
    [
        (edge - half, clear),
        (-half, color),
        (-edge - half, clear),
        (edge + half, clear),
        (half, color),
        (half - edge, clear),
    ]
}

/// Between the two ends of an arm.
const ARM_TRIANGLES: [[u32; 3]; 4] = [[0, 1, 3], [1, 4, 3], [1, 2, 4], [2, 5, 4]];

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "whole numbers of points")]
mod tests {
    use super::*;
    use egui_plot::PlotBounds;

    /// Ten seconds and ten values, ten pixels for each.
    fn transform() -> PlotTransform {
        let frame = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 100.0));
        PlotTransform::new(frame, PlotBounds::from_min_max([0.0, 0.0], [10.0, 10.0]), egui::Vec2b::FALSE)
    }

    fn rects(columns: &[Column]) -> Vec<[f32; 4]> {
        let mesh = bars(columns, &transform(), 1.0, Color32::WHITE).solid;
        let corner = |vertex: usize| mesh.vertices[vertex].pos;
        let count = mesh.vertices.len() / 4;
        (0..count)
            .map(|idx| (corner(idx * 4), corner(idx * 4 + 3)))
            .map(|(a, b)| [a.x, b.x, a.y, b.y])
            .collect()
    }

    fn column(from: f64, low: f64, high: f64, joins: bool) -> Column {
        Column { from, to: from + 1.0, low, high, joins }
    }

    #[test]
    fn a_bar_reaches_from_the_lowest_to_the_highest_and_is_never_thinner_than_a_pixel() {
        let narrow = Column { to: 4.001, ..column(4.0, 3.03, 3.03, false) };
        // Left, right, top, bottom; half a line above and below what it shows.
        assert_eq!(
            rects(&[column(1.0, 2.03, 7.05, false), narrow]),
            [[10.0, 20.0, 29.0, 80.0], [40.0, 41.0, 69.0, 70.0]]
        );
    }

    #[test]
    fn a_bar_that_goes_on_reaches_to_the_one_before() {
        let jump =
            [column(1.0, 1.03, 2.05, false), column(2.0, 6.05, 7.05, true), column(3.0, 1.03, 2.05, true)];
        let alone = jump.map(|column| Column { joins: false, ..column });
        assert_eq!(
            rects(&jump),
            [[10.0, 20.0, 79.0, 90.0], [20.0, 30.0, 29.0, 80.0], [30.0, 40.0, 39.0, 90.0]]
        );
        assert_eq!(rects(&alone)[1], [20.0, 30.0, 29.0, 40.0]);
    }

    #[test]
    fn what_has_bars_on_all_sides_is_paler_and_a_bar_alone_is_not() {
        // Four beside each other, the third of them higher; and one that stands behind a gap.
        let columns = [
            column(1.0, 1.03, 5.05, false),
            column(2.0, 1.03, 5.05, true),
            column(3.0, 1.03, 8.05, true),
            column(4.0, 1.03, 5.05, true),
            column(6.0, 1.03, 5.05, false),
        ];
        let bars = bars(&columns, &transform(), 1.0, Color32::WHITE);
        let inner: Vec<[f32; 4]> = bars
            .band
            .vertices
            .chunks(4)
            .map(|rect| [rect[0].pos.x, rect[3].pos.x, rect[0].pos.y, rect[3].pos.y])
            .collect();
        // One pixel of edge above and below, and all of the part that stands out.
        assert_eq!(inner, [[20.0, 30.0, 50.0, 89.0], [30.0, 40.0, 50.0, 89.0]]);
        assert!(bars.band.vertices.iter().all(|vertex| vertex.color != Color32::WHITE));
        // Of two bars the part above and that below, and three whole ones.
        assert_eq!(bars.solid.vertices.len() / 4, 2 * 2 + 3);
        assert!(bars.band.is_valid() && bars.solid.is_valid());
    }

    #[test]
    fn a_stem_stands_on_a_pixel_and_bears_its_cross() {
        let mesh = stems(&[Stem { seconds: 4.25, count: 3 }], &transform(), 1.0, Color32::RED);
        let corners: Vec<[f32; 2]> = mesh.vertices[..4].iter().map(|vertex| vertex.pos.into()).collect();
        assert_eq!(corners, [[42.0, 70.0], [43.0, 70.0], [42.0, 100.0], [43.0, 100.0]]);
        let colored = mesh.vertices[4..].iter().filter(|vertex| vertex.color != Color32::TRANSPARENT);
        let ends: Vec<[f32; 2]> = colored.map(|vertex| vertex.pos.into()).collect();
        assert_eq!(ends, [[39.7, 67.2], [45.3, 72.8], [39.7, 72.8], [45.3, 67.2]]);
        assert!(mesh.is_valid() && mesh.indices.len() == 3 * 10);
    }
}
