//! A shape as it is drawn: worked out once, not in every frame.

use super::{Color, Shape, ShapeKind};
use glam::Vec3;

/// What a drawn shape is, or that there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum LookKind {
    #[default]
    Nothing,
    Cube,
    Plane,
    Sphere,
    Capsule,
    Cylinder,
}

impl LookKind {
    /// Cut into corners that are seen from near by, and so by its size on screen.
    #[must_use]
    pub const fn is_round(self) -> bool {
        matches!(self, Self::Sphere | Self::Capsule | Self::Cylinder)
    }
}

/// What is drawn where an entity stands. It holds the whole [`Shape`], so that either gives the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    // Made from a shape only: the numbers belong together.
    kind: LookKind,
    size: Vec3,
    half_height: f32,
    stretch: f32,
    radius: f32,
    color: [u8; 4],
}

impl Look {
    pub const NOTHING: Self = Self {
        kind: LookKind::Nothing,
        size: Vec3::ONE,
        half_height: 0.0,
        stretch: 0.0,
        radius: 0.0,
        color: [0; 4],
    };

    #[must_use]
    pub fn of(shape: &Shape) -> Self {
        let color = [shape.color.red, shape.color.green, shape.color.blue, 255];
        let look = |kind, size| Self { kind, size, color, ..Self::NOTHING };
        let look = match shape.kind {
            ShapeKind::Cube { size } => look(LookKind::Cube, size),
            ShapeKind::Sphere { radius } => look(LookKind::Sphere, Vec3::splat(radius)),
            ShapeKind::Capsule { radius, half_height } => Self {
                half_height,
                stretch: half_height / radius.max(f32::MIN_POSITIVE),
                ..look(LookKind::Capsule, Vec3::splat(radius))
            },
            ShapeKind::Cylinder { radius, half_height } => {
                Self { half_height, ..look(LookKind::Cylinder, Vec3::new(radius, half_height, radius)) }
            }
            ShapeKind::Plane { width, depth } => look(LookKind::Plane, Vec3::new(width, 1.0, depth)),
        };
        Self { radius: look.radius_scaled(Vec3::ONE), ..look }
    }

    /// The shape it was made of.
    #[must_use]
    pub const fn shape(&self) -> Option<Shape> {
        let (size, half_height) = (self.size, self.half_height);
        let kind = match self.kind {
            LookKind::Nothing => return None,
            LookKind::Cube => ShapeKind::Cube { size },
            LookKind::Plane => ShapeKind::Plane { width: size.x, depth: size.z },
            LookKind::Sphere => ShapeKind::Sphere { radius: size.x },
            LookKind::Capsule => ShapeKind::Capsule { radius: size.x, half_height },
            LookKind::Cylinder => ShapeKind::Cylinder { radius: size.x, half_height },
        };
        let [red, green, blue, _] = self.color;
        Some(Shape { kind, color: Color { red, green, blue } })
    }

    #[must_use]
    pub const fn kind(&self) -> LookKind {
        self.kind
    }

    /// There is something to draw.
    #[must_use]
    pub const fn is_something(&self) -> bool {
        !matches!(self.kind, LookKind::Nothing)
    }

    /// What its mesh is scaled by before the pose's scale.
    #[must_use]
    pub const fn size(&self) -> Vec3 {
        self.size
    }

    /// Capsules only: half height ÷ radius.
    #[must_use]
    pub const fn stretch(&self) -> f32 {
        self.stretch
    }

    /// sRGB, red first, alpha 255.
    #[must_use]
    pub const fn color(&self) -> [u8; 4] {
        self.color
    }

    /// Of a sphere about the shape's middle that holds it under this scale, in metres; 0 where there is nothing.
    #[must_use]
    #[inline]
    pub fn bounding_radius(&self, scale: Vec3) -> f32 {
        if scale == Vec3::ONE { self.radius } else { self.radius_scaled(scale) }
    }

    fn radius_scaled(&self, scale: Vec3) -> f32 {
        // Which way a shape is mirrored does not matter where its size is squared.
        let (size, diagonal) = (self.size, |a: f32, b: f32| (a * a + b * b).sqrt());
        match self.kind {
            LookKind::Nothing => 0.0,
            LookKind::Cube => (size * scale).length() * 0.5,
            LookKind::Sphere => size.x * scale.abs().max_element(),
            LookKind::Capsule => (size.x + self.half_height) * scale.abs().max_element(),
            LookKind::Cylinder => {
                diagonal(size.x * scale.x.abs().max(scale.z.abs()), self.half_height * scale.y)
            }
            LookKind::Plane => diagonal(size.x * scale.x, size.z * scale.z) * 0.5,
        }
    }
}

impl Default for Look {
    fn default() -> Self {
        Self::NOTHING
    }
}

impl From<Shape> for Look {
    fn from(shape: Shape) -> Self {
        Self::of(&shape)
    }
}

impl From<Option<Shape>> for Look {
    fn from(shape: Option<Shape>) -> Self {
        shape.as_ref().map_or(Self::NOTHING, Self::of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [ShapeKind; 5] = [
        ShapeKind::Cube { size: Vec3::new(1.0, 2.0, 2.0) },
        ShapeKind::Sphere { radius: 0.5 },
        ShapeKind::Capsule { radius: 0.3, half_height: 0.7 },
        ShapeKind::Cylinder { radius: 3.0, half_height: 4.0 },
        ShapeKind::Plane { width: 6.0, depth: 8.0 },
    ];

    #[test]
    fn a_look_gives_back_the_shape_it_was_made_of() {
        for kind in KINDS {
            let shape = Shape { kind, color: Color { red: 1, green: 2, blue: 3 } };
            assert_eq!(Look::of(&shape).shape(), Some(shape));
            assert_eq!(Look::of(&shape).color(), [1, 2, 3, 255]);
        }
        assert_eq!(Look::NOTHING.shape(), None);
        assert_eq!(Look::from(None), Look::NOTHING);
    }

    #[test]
    fn a_bounding_sphere_holds_the_scaled_shape() {
        let mirrored = Vec3::new(1.0, -3.0, 2.0);
        for (kind, scale, radius) in [
            (KINDS[0], Vec3::ONE, 1.5),
            (KINDS[0], Vec3::splat(-2.0), 3.0),
            (KINDS[1], mirrored, 1.5),
            (KINDS[2], Vec3::ONE, 1.0),
            (KINDS[2], mirrored, 3.0),
            (KINDS[3], Vec3::ONE, 5.0),
            (KINDS[3], Vec3::new(-2.0, 2.0, 1.0), 10.0),
            (KINDS[4], Vec3::ONE, 5.0),
            (KINDS[4], mirrored, 73.0_f32.sqrt()),
        ] {
            let look = Look::of(&Shape { kind, color: Color::WHITE });
            assert_eq!(look.bounding_radius(scale), radius, "{kind:?} by {scale}");
        }
        assert_eq!(Look::NOTHING.bounding_radius(Vec3::ONE), 0.0);
    }
}
