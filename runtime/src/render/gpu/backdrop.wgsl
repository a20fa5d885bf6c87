struct Sky {
    @builtin(position) clip: vec4<f32>,
    @location(0) direction: vec3<f32>,
}

// One triangle over the whole picture, at the far end of the depth.
@vertex
fn sky_vertex(@builtin(vertex_index) idx: u32) -> Sky {
    let corner = vec2<f32>(f32(idx & 1u) * 4.0 - 1.0, f32(idx >> 1u) * 4.0 - 1.0);
    var out: Sky;
    out.clip = vec4<f32>(corner, 1.0, 1.0);
    out.direction = globals.forward.xyz + globals.right.xyz * corner.x + globals.up.xyz * corner.y;
    return out;
}

@fragment
fn sky_fragment(in: Sky) -> @location(0) vec4<f32> {
    let height = in.direction.y * inverseSqrt(dot(in.direction, in.direction));
    // Eight bits are too few for a dark gradient: a pattern of less than one step hides them.
    let noise = fract(52.9829189 * fract(dot(in.clip.xy, vec2<f32>(0.06711056, 0.00583715)))) - 0.5;
    return vec4<f32>(encode(sky(height)) + vec3<f32>(noise / 255.0), 1.0);
}

struct Ground {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec2<f32>,
}

// A square on the ground about the place under the eye, moved a little towards the eye, which changes nothing on
// screen but keeps it before a floor at the same height.
@vertex
fn grid_vertex(@builtin(vertex_index) idx: u32) -> Ground {
    let corner = vec2<f32>(f32(idx & 1u) * 2.0 - 1.0, f32(idx >> 1u) * 2.0 - 1.0);
    let world = globals.eye.xz + corner * globals.grid.y;
    let ground = vec3<f32>(world.x, 0.0, world.y);
    var out: Ground;
    out.clip = globals.clip_from_world * vec4<f32>(mix(ground, globals.eye.xyz, 0.0006), 1.0);
    out.world = world;
    return out;
}

// How much of a pixel the lines of this spacing cover; `width` in pixels.
fn lines(at: vec2<f32>, pixel: vec2<f32>, width: f32) -> f32 {
    let nearest = abs(fract(at - 0.5) - 0.5);
    let cover = clamp(vec2<f32>(0.5 + width * 0.5) - nearest / pixel, vec2<f32>(0.0), vec2<f32>(1.0));
    // Where the lines stand closer than pixels, what remains is their average.
    let crowd = clamp(pixel * 2.5 - vec2<f32>(0.25), vec2<f32>(0.0), vec2<f32>(1.0));
    let even = mix(cover, pixel * 0.0, crowd);
    return max(even.x, even.y);
}

@fragment
fn grid_fragment(in: Ground) -> @location(0) vec4<f32> {
    let world = vec3<f32>(in.world.x, 0.0, in.world.y);
    let apart = globals.eye.xyz - world;
    let distance = length(apart);
    let pixel = max(fwidth(in.world), vec2<f32>(1e-5));
    let fade = 1.0 - smoothstep(0.15, 1.0, distance / globals.grid.y);

    let minor = lines(in.world, pixel, 1.0) * 0.17;
    let major = lines(in.world * 0.1, pixel * 0.1, 1.3) * 0.30;
    // Both axes, x reddish and z bluish.
    let axis = clamp(vec2<f32>(1.2) - abs(in.world.yx) / pixel.yx, vec2<f32>(0.0), vec2<f32>(1.0));
    let strength = max(max(minor, major), max(axis.x, axis.y) * 0.55) * fade * globals.grid.x;
    var color = vec3<f32>(0.62, 0.68, 0.78);
    color = mix(color, vec3<f32>(0.85, 0.45, 0.42), axis.x);
    color = mix(color, vec3<f32>(0.42, 0.60, 0.92), axis.y);

    var dark = 0.0;
    if globals.shadow.z > 0.0 {
        dark = (1.0 - sunlit(world, vec3<f32>(0.0, 1.0, 0.0))) * globals.shadow.z * fade;
    }
    // First the shadow, over it the lines; opacity multiplied out.
    return vec4<f32>(color * strength, 1.0 - (1.0 - strength) * (1.0 - dark));
}

struct Line {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec4<f32>,
}

@vertex
fn line_vertex(@location(0) position: vec2<f32>, @location(1) color: vec4<f32>) -> Line {
    var out: Line;
    out.clip = vec4<f32>(position, 0.0, 1.0);
    out.color = vec4<f32>(color.rgb * color.a, color.a);
    return out;
}

@fragment
fn line_fragment(in: Line) -> @location(0) vec4<f32> {
    return in.color;
}
