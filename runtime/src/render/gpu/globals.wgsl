// What every shader shares. Light is reckoned in linear light; the last step makes it sRGB, because the targets hold
// gamma-encoded values that the window samples as they stand.

struct Globals {
    clip_from_world: mat4x4<f32>,
    // To the shadow map: x and y in 0 to 1 from its top left, z its depth.
    shadow_from_world: mat4x4<f32>,
    // w: size of a pixel as a tangent
    eye: vec4<f32>,
    // Axes of the camera; right and up are as long as half the picture at a distance of 1.
    right: vec4<f32>,
    up: vec4<f32>,
    forward: vec4<f32>,
    // Unit, towards the sun; w: 1 where shadows are drawn
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

@group(0) @binding(0) var<uniform> globals: Globals;
@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

fn turn(rotation: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(rotation.xyz, v);
    return v + rotation.w * t + cross(rotation.xyz, t);
}

// Linear below 0.7, then a shoulder that never reaches 1, so that no light burns out its colour.
fn encode(light: vec3<f32>) -> vec3<f32> {
    let over = max(light - vec3<f32>(0.7), vec3<f32>(0.0));
    let mapped = min(light, vec3<f32>(0.7)) + over * 0.3 / (over + vec3<f32>(0.3));
    return pow(mapped, vec3<f32>(1.0 / 2.2));
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
    let s = globals.shadow.x * 1.6;
    var lit = textureSampleCompareLevel(shadow_map, shadow_sampler, p.xy + vec2<f32>(-0.35, -0.95) * s, p.z);
    lit += textureSampleCompareLevel(shadow_map, shadow_sampler, p.xy + vec2<f32>(0.95, -0.35) * s, p.z);
    lit += textureSampleCompareLevel(shadow_map, shadow_sampler, p.xy + vec2<f32>(0.35, 0.95) * s, p.z);
    lit += textureSampleCompareLevel(shadow_map, shadow_sampler, p.xy + vec2<f32>(-0.95, 0.35) * s, p.z);
    return mix(lit * 0.25, 1.0, smoothstep(0.4, 0.49, aside));
}
