// What every shader shares. Light is reckoned in linear light (a gamma of 2 stands for sRGB's curve); the last step
// encodes it, because the targets hold gamma-encoded values that the window samples as they stand.

struct Globals {
    clip_from_world: mat4x4<f32>,
    // To the shadow map: x and y in 0 to 1 from its top left, z its depth.
    shadow_from_world: mat4x4<f32>,
    // xyz: the eye; without perspective, what is looked at. w: the grid lies on the ground (0), or stands along xy (1)
    // or zy (2)
    eye: vec4<f32>,
    // Axes of the camera; right and up are as long as half the picture at a distance of 1.
    right: vec4<f32>,
    up: vec4<f32>,
    // w: 1 without perspective
    forward: vec4<f32>,
    // Unit, towards the sun
    to_sun: vec4<f32>,
    sun: vec4<f32>,
    light_above: vec4<f32>,
    light_below: vec4<f32>,
    sky_top: vec4<f32>,
    sky_horizon: vec4<f32>,
    sky_ground: vec4<f32>,
    // x: one texel, y: how far a surface is moved along its normal, in metres, z: shadow on bare ground, w: radius
    shadow: vec4<f32>,
    // x: how strongly the grid is drawn, y: how far it reaches, zw: size of the picture in pixels
    grid: vec4<f32>,
}

// Four looks into the shadow map instead of two.
override soft_shadows: bool = true;

@group(0) @binding(0) var<uniform> globals: Globals;
@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

// Linear below 0.7, then a shoulder that never reaches 1, so that no light burns out its colour.
fn encode(light: vec3<f32>) -> vec3<f32> {
    let over = max(light - vec3<f32>(0.7), vec3<f32>(0.0));
    let mapped = min(light, vec3<f32>(0.7)) + over * 0.3 / (over + vec3<f32>(0.3));
    return sqrt(mapped);
}

// Background in the direction of this height (the y of a unit vector), linear.
fn sky(height: f32) -> vec3<f32> {
    let below = 1.0 - max(height, 0.0);
    let up = 1.0 - below * below * below;
    let down = smoothstep(0.0, 0.62, -height);
    return mix(mix(globals.sky_horizon.rgb, globals.sky_top.rgb, up), globals.sky_ground.rgb, down);
}

// 1 in the sun, 0 in shadow.
fn sunlit(world: vec3<f32>, normal: vec3<f32>) -> f32 {
    let p = globals.shadow_from_world * vec4<f32>(world + normal * globals.shadow.y, 1.0);
    let aside = max(abs(p.x - 0.5), abs(p.y - 0.5));
    if aside > 0.49 || p.z > 1.0 {
        return 1.0;
    }
    let s = globals.shadow.x * 1.8;
    var lit = textureSampleCompareLevel(shadow_map, shadow_sampler, p.xy + vec2<f32>(-0.45, -0.75) * s, p.z);
    lit += textureSampleCompareLevel(shadow_map, shadow_sampler, p.xy + vec2<f32>(0.45, 0.75) * s, p.z);
    if soft_shadows {
        lit += textureSampleCompareLevel(shadow_map, shadow_sampler, p.xy + vec2<f32>(0.75, -0.45) * s, p.z);
        lit += textureSampleCompareLevel(shadow_map, shadow_sampler, p.xy + vec2<f32>(-0.75, 0.45) * s, p.z);
        lit *= 0.5;
    }
    return mix(lit * 0.5, 1.0, smoothstep(0.4, 0.49, aside));
}

// How much of a pixel the lines of this spacing cover; `width` in pixels. They fade where they stand closer than
// pixels.
fn lines(at: vec2<f32>, pixel: vec2<f32>, width: f32) -> f32 {
    let nearest = abs(fract(at - 0.5) - 0.5);
    let cover = clamp(vec2<f32>(0.5 + width * 0.5) - nearest / pixel, vec2<f32>(0.0), vec2<f32>(1.0));
    let apart = 1.0 - clamp(pixel * 2.5 - vec2<f32>(0.25), vec2<f32>(0.0), vec2<f32>(1.0));
    let even = cover * apart;
    return max(even.x, even.y);
}

// The ground grid at a place: encoded colour, and opacity. One line a metre, a stronger one each ten, and both axes:
// x reddish, z bluish.
fn grid(at: vec2<f32>, pixel: vec2<f32>, fade: f32) -> vec4<f32> {
    let minor = lines(at, pixel, 1.0) * 0.17;
    let major = lines(at * 0.1, pixel * 0.1, 1.3) * 0.28;
    let axis = clamp(vec2<f32>(1.2) - abs(at.yx) / pixel.yx, vec2<f32>(0.0), vec2<f32>(1.0));
    let strength = max(max(minor, major), max(axis.x, axis.y) * 0.5) * fade * globals.grid.x;
    var color = mix(vec3<f32>(0.62, 0.68, 0.78), vec3<f32>(0.85, 0.45, 0.42), axis.x);
    color = mix(color, vec3<f32>(0.42, 0.60, 0.92), axis.y);
    return vec4<f32>(color, strength);
}

// How strongly the grid is drawn this far from the eye.
fn grid_fade(distance: f32) -> f32 {
    return 1.0 - smoothstep(0.15, 1.0, distance / globals.grid.y);
}

// From a place towards the eye. Without perspective everything is seen from the same side, and nothing is far.
fn towards_eye(world: vec3<f32>) -> vec3<f32> {
    return mix(globals.eye.xyz - world, -globals.forward.xyz, globals.forward.w);
}

// Far things sink into the background.
fn hazed(light: vec3<f32>, distance_squared: f32, height: f32) -> vec3<f32> {
    return mix(light, sky(height), distance_squared / (distance_squared + 9000.0));
}
