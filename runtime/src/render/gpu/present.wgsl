// A finished target on a window's surface: one triangle that covers it.

// The surface encodes what is written to it; a target holds encoded colours already.
override surface_encodes: bool = false;

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var filtering: sampler;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,
}

@vertex
fn present_vertex(@builtin(vertex_index) index: u32) -> Corner {
    let at = vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u));
    return Corner(vec4<f32>(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.0, 1.0), at);
}

// IEC 61966-2-1.
fn linear(encoded: vec3<f32>) -> vec3<f32> {
    let low = encoded / 12.92;
    let high = pow((encoded + 0.055) / 1.055, vec3<f32>(2.4));
    return select(high, low, encoded <= vec3<f32>(0.04045));
}

@fragment
fn present_fragment(corner: Corner) -> @location(0) vec4<f32> {
    let color = textureSample(picture, filtering, corner.at).rgb;
    return vec4<f32>(select(color, linear(color), surface_encodes), 1.0);
}
