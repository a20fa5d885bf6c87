//! What the shaders are told once a picture: camera, light, background, shadow map.

use crate::render::batch::{Batch, ShadowReach};
use crate::render::view::Lens;
use crate::scene::{Color, Sky};
use crate::snapshot::Snapshot;
use glam::camera::rh::view::look_to_mat4;
use glam::{Mat4, Vec2, Vec3, Vec4};

/// Texels along an edge of the shadow map: a few centimetres each in the sample scenes, which the filter hides.
pub(super) const SHADOW_TEXELS: u32 = 1024;

/// As `globals.wgsl` reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Globals {
    clip_from_world: [[f32; 4]; 4],
    shadow_from_world: [[f32; 4]; 4],
    eye: [f32; 4],
    right: [f32; 4],
    up: [f32; 4],
    forward: [f32; 4],
    to_sun: [f32; 4],
    sun: [f32; 4],
    light_above: [f32; 4],
    light_below: [f32; 4],
    sky_top: [f32; 4],
    sky_horizon: [f32; 4],
    sky_ground: [f32; 4],
    shadow: [f32; 4],
    grid: [f32; 4],
}

/// Light and background where a scene has none of its own: a studio at dusk.
const DEFAULT_SKY: Sky = Sky {
    top: Color { red: 0x1f, green: 0x25, blue: 0x30 },
    horizon: Color { red: 0x2a, green: 0x33, blue: 0x42 },
    ground: Color { red: 0x14, green: 0x17, blue: 0x1d },
    ambient: 0.30,
};
const DEFAULT_SUN_DIRECTION: Vec3 = Vec3::new(0.40, -1.0, -0.45);

impl Globals {
    pub fn new(batch: &Batch, snapshot: &Snapshot, grid: bool) -> Self {
        let lens = &batch.lens;
        let sky = snapshot.sky.unwrap_or(DEFAULT_SKY);
        let (direction, sun) = snapshot.sun.map_or((DEFAULT_SUN_DIRECTION, Vec3::ONE), |sun| {
            (sun.direction, linear(sun.color) * sun.strength.max(0.0))
        });
        let direction = direction.try_normalize().unwrap_or(Vec3::NEG_Y);
        let (shadow_from_world, texel_metres) = shadow_from_world(direction, &batch.shadow);
        let (above, below) = ambient(&sky);
        let plane = grid_plane(lens);
        let from_above = lens.eye.y > 0.0 && plane == 0.0;
        let shadow_on_ground = if batch.bare_ground && from_above { 0.5 } else { 0.0 };
        let flat = lens.orthographic;
        let reach = match flat {
            // Past every corner of the picture, also where the ground is seen aslant.
            Some(distance) => (lens.tan_half.max_element() * distance * 4.0).max(36.0),
            None => (lens.eye.y.abs() * 7.0).clamp(36.0, 160.0),
        };
        // Without perspective the background is the same all over: it is seen in one direction.
        let spread = if flat.is_some() { Vec2::ZERO } else { lens.tan_half };
        Self {
            clip_from_world: lens.clip_from_world.to_cols_array_2d(),
            shadow_from_world: shadow_from_world.to_cols_array_2d(),
            eye: lens.middle().extend(plane).into(),
            right: (lens.right * spread.x).extend(0.0).into(),
            up: (lens.up * spread.y).extend(0.0).into(),
            forward: lens.forward.extend(f32::from(u8::from(flat.is_some()))).into(),
            to_sun: (-direction).extend(0.0).into(),
            sun: sun.extend(0.0).into(),
            light_above: above.extend(0.0).into(),
            light_below: below.extend(0.0).into(),
            sky_top: linear(sky.top).extend(0.0).into(),
            sky_horizon: linear(sky.horizon).extend(0.0).into(),
            sky_ground: linear(sky.ground).extend(0.0).into(),
            shadow: [1.0 / SHADOW_TEXELS as f32, texel_metres * 1.2, shadow_on_ground, batch.shadow.radius],
            grid: [f32::from(u8::from(grid)), reach, batch.size[0] as f32, batch.size[1] as f32],
        }
    }
}

/// Where the grid lies: 0 on the ground; without perspective, and seen along z or x, 1 or 2, upright behind everything.
fn grid_plane(lens: &Lens) -> f32 {
    let along = |axis: Vec3| lens.forward.dot(axis).abs() > 0.999;
    match lens.orthographic {
        Some(_) if along(Vec3::Z) => 1.0,
        Some(_) if along(Vec3::X) => 2.0,
        _ => 0.0,
    }
}

/// Light from above and from below: the colour of the sky there, at the strength that the scene asks for. Only the hue
/// is taken, since a dark background would leave no light at all.
fn ambient(sky: &Sky) -> (Vec3, Vec3) {
    let hue = |color: Vec3| (color / color.max_element().max(1e-4)).lerp(Vec3::ONE, 0.55);
    let above = hue((linear(sky.top) + linear(sky.horizon)) * 0.5) * sky.ambient;
    let below = hue(linear(sky.ground)) * (sky.ambient * 0.32);
    (above, below)
}

/// sRGB to linear by a gamma of 2, as the shaders do it: a square root is far cheaper than the exact curve, colours
/// come back as they were written, and only the fall of light is a shade different.
fn linear(color: Color) -> Vec3 {
    Vec3::new(f32::from(color.red), f32::from(color.green), f32::from(color.blue))
        .map(|c| (c / 255.0) * (c / 255.0))
}

/// From the world to the shadow map (x and y 0 to 1 from its top left, depth 0 to 1), and the metres of one texel. The
/// middle is moved in whole texels, so that edges of shadows stand still while it follows the bodies.
fn shadow_from_world(direction: Vec3, reach: &ShadowReach) -> (Mat4, f32) {
    let radius = reach.radius.max(0.1);
    let texel = 2.0 * radius / SHADOW_TEXELS as f32;
    let up = if direction.y.abs() > 0.99 { Vec3::Z } else { Vec3::Y };
    let light_from_world = look_to_mat4(Vec3::ZERO, direction, up);
    let center = light_from_world.transform_point3(reach.center);
    let snapped = (center / texel).round() * texel;
    // Twice the depth towards the sun: what stands there throws its shadow in.
    let map_from_light = Mat4::from_cols(
        Vec4::new(0.5 / radius, 0.0, 0.0, 0.0),
        Vec4::new(0.0, -0.5 / radius, 0.0, 0.0),
        Vec4::new(0.0, 0.0, -0.25 / radius, 0.0),
        Vec4::new(0.5, 0.5, 0.5, 1.0),
    ) * Mat4::from_translation(-snapped);
    (map_from_light * light_from_world, texel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_the_shadow_map_is_the_middle_of_its_reach() {
        let reach = ShadowReach { center: Vec3::new(3.0, 1.0, -2.0), radius: 8.0 };
        let (map, texel) = shadow_from_world(Vec3::new(0.4, -1.0, -0.3).normalize(), &reach);
        let middle = map.transform_point3(reach.center);
        assert!((middle - Vec3::splat(0.5)).abs().max_element() < 0.001, "{middle}");
        assert_eq!(texel, 16.0 / 1024.0);
    }

    #[test]
    fn the_grid_stands_upright_where_the_ground_would_be_a_line() {
        let (quarter, size) = (std::f32::consts::FRAC_PI_2, [160, 90]);
        let flat = |yaw, pitch| grid_plane(&Lens::orthographic(Vec3::ONE, yaw, pitch, 8.0, size));
        assert_eq!([flat(0.0, 0.0), flat(2.0 * quarter, 0.0)], [1.0, 1.0]);
        assert_eq!([flat(quarter, 0.0), flat(3.0 * quarter, 0.0)], [2.0, 2.0]);
        assert_eq!([flat(0.0, -quarter), flat(0.4, -0.4)], [0.0, 0.0]);
        assert_eq!(grid_plane(&Lens::fly(Vec3::ONE, 0.0, 0.0, 50.0, size)), 0.0);
    }

    #[test]
    fn what_is_nearer_to_the_sun_is_nearer_in_the_shadow_map() {
        let reach = ShadowReach { center: Vec3::ZERO, radius: 8.0 };
        let (map, _) = shadow_from_world(Vec3::NEG_Y, &reach);
        assert!(map.transform_point3(Vec3::Y).z < map.transform_point3(Vec3::ZERO).z);
    }
}
