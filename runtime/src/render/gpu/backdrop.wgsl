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
    // Along the grid
    @location(0) at: vec2<f32>,
}

// The place in the world of one on the grid.
fn on_grid(at: vec2<f32>) -> vec3<f32> {
    if globals.eye.w == 1.0 {
        return vec3<f32>(at.x, at.y, 0.0);
    }
    if globals.eye.w == 2.0 {
        return vec3<f32>(0.0, at.y, at.x);
    }
    return vec3<f32>(at.x, 0.0, at.y);
}

// A square on the ground about the place under the eye, moved a little away from the eye, which changes nothing on
// screen but keeps it behind a floor at the same height: that has lines of its own. An upright grid is behind everything.
@vertex
fn grid_vertex(@builtin(vertex_index) idx: u32) -> Ground {
    let corner = vec2<f32>(f32(idx & 1u) * 2.0 - 1.0, f32(idx >> 1u) * 2.0 - 1.0);
    var middle = globals.eye.xz;
    if globals.eye.w == 1.0 {
        middle = globals.eye.xy;
    } else if globals.eye.w == 2.0 {
        middle = globals.eye.zy;
    }
    var out: Ground;
    out.at = middle + corner * globals.grid.y;
    let world = on_grid(out.at);
    let behind = 0.0006 + globals.forward.w * 0.02;
    out.clip = globals.clip_from_world * vec4<f32>(world - towards_eye(world) * behind, 1.0);
    if globals.eye.w > 0.0 {
        out.clip.z = 0.99999 * out.clip.w;
    }
    return out;
}

@fragment
fn grid_fragment(in: Ground) -> @location(0) vec4<f32> {
    let world = on_grid(in.at);
    let fade = grid_fade(length(towards_eye(world)));
    let drawn = grid(in.at, max(fwidth(in.at), vec2<f32>(1e-5)), fade);
    var dark = 0.0;
    if globals.shadow.z > 0.0 {
        dark = (1.0 - sunlit(world, vec3<f32>(0.0, 1.0, 0.0))) * globals.shadow.z * fade;
    }
    // First the shadow, over it the lines; opacity multiplied out.
    return vec4<f32>(drawn.rgb * drawn.a, 1.0 - (1.0 - drawn.a) * (1.0 - dark));
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
