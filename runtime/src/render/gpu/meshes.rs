//! The unit meshes, in one vertex and one index buffer.
//!
//! Cube and plane have edges of 1, sphere and cylinder a radius of 1 (the cylinder a half height of 1), a capsule is
//! a sphere cut at its equator whose halves the shader moves apart. Fronts turn counter-clockwise.

use crate::render::batch::{Detail, MeshKind};
use glam::Vec3;
use std::f32::consts::{PI, TAU};
use std::ops::Range;

/// As `mesh.wgsl` reads it: 40 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Vertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    /// Away from the middle, unit length; unlike the normal it is the same for all faces that meet at a corner.
    pub outward: [f32; 3],
    /// +1 on the upper half of a capsule, −1 on its lower half, 0 on everything else.
    pub cap: f32,
}

/// Where a mesh lies in the two buffers.
#[derive(Clone, Debug, Default)]
pub struct Span {
    pub indices: Range<u32>,
    pub base_vertex: i32,
}

/// All meshes, by [`MeshKind::idx`].
#[derive(Clone, Debug, Default)]
pub struct Meshes {
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u16>,
    pub spans: [Span; MeshKind::COUNT],
}

/// The meshes of the renderer, in its buffers.
pub struct MeshBuffers<'a> {
    pub meshes: &'a Meshes,
    pub vertices: &'a wgpu::Buffer,
    pub indices: &'a wgpu::Buffer,
}

impl Meshes {
    #[must_use]
    pub fn build() -> Self {
        let mut meshes = Self::default();
        for kind in MeshKind::ALL {
            let base_vertex = meshes.vertices.len();
            let first = meshes.indices.len() as u32;
            let mut mesh = Mesh { meshes: &mut meshes, base_vertex };
            match kind {
                MeshKind::Cube => mesh.cube(),
                MeshKind::Plane => mesh.face(Vec3::ZERO, Vec3::Z * 0.5, Vec3::X * 0.5),
                MeshKind::Sphere(detail) => mesh.sphere(detail, 0.0),
                MeshKind::Capsule(detail) => mesh.sphere(detail, 1.0),
                MeshKind::Cylinder(detail) => mesh.cylinder(detail),
            }
            let indices = first..meshes.indices.len() as u32;
            meshes.spans[kind.idx()] = Span { indices, base_vertex: base_vertex as i32 };
        }
        meshes
    }
}

/// Segments about the axis; a half circle has half as many.
const fn segments(detail: Detail) -> u16 {
    match detail {
        Detail::Coarse => 10,
        Detail::Medium => 20,
        Detail::Fine => 40,
    }
}

struct Mesh<'a> {
    meshes: &'a mut Meshes,
    base_vertex: usize,
}

impl Mesh<'_> {
    fn push(&mut self, position: Vec3, normal: Vec3, cap: f32) -> u16 {
        self.meshes.vertices.push(Vertex {
            position: position.to_array(),
            normal: normal.to_array(),
            outward: position.normalize_or(normal).to_array(),
            cap,
        });
        (self.meshes.vertices.len() - 1 - self.base_vertex) as u16
    }

    /// A flat quad about `center`; its front is where `a × b` points.
    fn face(&mut self, center: Vec3, a: Vec3, b: Vec3) {
        let normal = a.cross(b).normalize();
        let corners = [center - a - b, center + a - b, center + a + b, center - a + b];
        let [p, q, r, s] = corners.map(|corner| self.push(corner, normal, 0.0));
        self.meshes.indices.extend([p, q, r, p, r, s]);
    }

    fn cube(&mut self) {
        for (a, b) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)] {
            let out = a.cross(b) * 0.5;
            self.face(out, a * 0.5, b * 0.5);
            self.face(-out, b * 0.5, a * 0.5);
        }
    }

    /// Rings from the top down; with `cap` the equator is there twice, once for each half.
    fn sphere(&mut self, detail: Detail, cap: f32) {
        let around = segments(detail);
        let half_rings = around / 4 + 1;
        let quarter = PI * 0.5 / f32::from(half_rings);
        let upper = (0..=half_rings).map(|ring| (f32::from(ring) * quarter, cap));
        let lower = (0..=half_rings).map(|ring| (PI * 0.5 + f32::from(ring) * quarter, -cap));
        let lower = lower.skip(usize::from(cap == 0.0));
        let mut rings = 0;
        for (polar, cap) in upper.chain(lower) {
            for step in 0..=around {
                let turn = TAU * f32::from(step) / f32::from(around);
                let normal = Vec3::new(polar.sin() * turn.sin(), polar.cos(), polar.sin() * turn.cos());
                self.push(normal, normal, cap);
            }
            rings += 1;
        }
        self.strips(0, rings, around);
    }

    fn cylinder(&mut self, detail: Detail) {
        let around = segments(detail);
        for y in [1.0, -1.0] {
            for step in 0..=around {
                let normal = rim(step, around);
                self.push(normal + Vec3::Y * y, normal, 0.0);
            }
        }
        self.strips(0, 2, around);
        for y in [1.0, -1.0] {
            let center = self.push(Vec3::Y * y, Vec3::Y * y, 0.0);
            // Like that of its rim: the shader takes a shape whose normals point outward for a round one.
            if let Some(vertex) = self.meshes.vertices.last_mut() {
                vertex.outward = (rim(0, around) + Vec3::Y * y).normalize().to_array();
            }
            for step in 0..=around {
                self.push(rim(step, around) + Vec3::Y * y, Vec3::Y * y, 0.0);
            }
            for step in 1..=around {
                let (a, b) = (center + step, center + step + 1);
                self.meshes.indices.extend(if y > 0.0 { [center, a, b] } else { [center, b, a] });
            }
        }
    }

    /// Joins `rings` rings of `around + 1` vertices each, upper ones first.
    fn strips(&mut self, first: u16, rings: u16, around: u16) {
        for ring in 1..rings {
            for step in 0..around {
                let lower = first + ring * (around + 1) + step;
                let upper = lower - around - 1;
                self.meshes.indices.extend([upper, lower, lower + 1, upper, lower + 1, upper + 1]);
            }
        }
    }
}

fn rim(step: u16, around: u16) -> Vec3 {
    let turn = TAU * f32::from(step) / f32::from(around);
    Vec3::new(turn.sin(), 0.0, turn.cos())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_front_faces_outward() {
        let meshes = Meshes::build();
        for kind in MeshKind::ALL {
            let span = &meshes.spans[kind.idx()];
            let corners = &meshes.indices[span.indices.start as usize..span.indices.end as usize];
            assert!(!corners.is_empty());
            for triangle in corners.chunks(3) {
                let [a, b, c] = [0, 1, 2].map(|corner| {
                    let vertex = &meshes.vertices[span.base_vertex as usize + triangle[corner] as usize];
                    (Vec3::from(vertex.position), Vec3::from(vertex.normal))
                });
                let across = (b.0 - a.0).cross(c.0 - a.0);
                // At the poles of a sphere a triangle has no area.
                assert!(across.length() < 1e-6 || across.dot(a.1 + b.1 + c.1) > 0.0, "{kind:?} {triangle:?}");
            }
        }
    }
}
