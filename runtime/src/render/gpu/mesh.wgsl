struct Surface {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    // w: how much it shines; round shapes more than flat ones
    @location(2) @interpolate(flat) color: vec4<f32>,
}

@vertex
fn mesh_vertex(v: Vertex, shape: Shape) -> Surface {
    let world = place(v, shape);
    var out: Surface;
    out.clip = globals.clip_from_world * vec4<f32>(world, 1.0);
    out.world = world;
    out.normal = turn(shape.rotation, v.normal / shape.scale);
    let round = dot(v.normal, v.outward);
    out.color = vec4<f32>(shape.color.rgb * shape.color.rgb, 0.06 + 0.42 * round * round * round * round);
    return out;
}

@fragment
fn mesh_fragment(in: Surface) -> @location(0) vec4<f32> {
    let normal = normalize(in.normal);
    let apart = towards_eye(in.world);
    let distance_squared = dot(apart, apart);
    let to_eye = apart * inverseSqrt(distance_squared);
    let to_sun = globals.to_sun.xyz;

    let facing = dot(normal, to_sun);
    var lit = 0.0;
    if facing > 0.0 {
        lit = sunlit(in.world, normal);
    }
    let ambient = mix(globals.light_below.rgb, globals.light_above.rgb, normal.y * 0.5 + 0.5);
    // Surfaces that look down near the ground get little light from it.
    let near_ground = 1.0 - 0.45 * clamp(-normal.y, 0.0, 1.0) * (1.0 - smoothstep(0.0, 1.5, in.world.y));
    let halfway = normalize(to_sun + to_eye);
    var gloss = max(dot(normal, halfway), 0.0);
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    let edge = 1.0 - max(dot(normal, to_eye), 0.0);

    var light = in.color.rgb * (ambient * near_ground + globals.sun.rgb * (max(facing, 0.0) * lit));
    light += globals.sun.rgb * (gloss * in.color.w * lit);
    light += globals.light_above.rgb * (edge * edge * edge * 0.10);
    return vec4<f32>(encode(hazed(light, distance_squared, -to_eye.y)), 1.0);
}

// What lies on the ground: dull, and with the grid on it.
@fragment
fn ground_fragment(in: Surface) -> @location(0) vec4<f32> {
    let normal = normalize(in.normal);
    let apart = towards_eye(in.world);
    let distance_squared = dot(apart, apart);
    let nearness = inverseSqrt(distance_squared);
    let facing = max(dot(normal, globals.to_sun.xyz), 0.0);
    let ambient = mix(globals.light_below.rgb, globals.light_above.rgb, normal.y * 0.5 + 0.5);
    let light = in.color.rgb * (ambient + globals.sun.rgb * (facing * sunlit(in.world, normal)));
    let surface = encode(hazed(light, distance_squared, -apart.y * nearness));
    let fade = grid_fade(distance_squared * nearness) * step(0.9, normal.y);
    let drawn = grid(in.world.xz, max(fwidth(in.world.xz), vec2<f32>(1e-5)), fade);
    return vec4<f32>(mix(surface, drawn.rgb, drawn.a), 1.0);
}

@vertex
fn shadow_vertex(v: Vertex, shape: Shape) -> @builtin(position) vec4<f32> {
    let p = globals.shadow_from_world * vec4<f32>(place(v, shape), 1.0);
    return vec4<f32>(p.x * 2.0 - 1.0, 1.0 - p.y * 2.0, p.z, 1.0);
}

// The shape grown on screen by so many pixels.
fn grown(v: Vertex, shape: Shape, pixels: f32) -> vec4<f32> {
    let world = place(v, shape);
    let clip = globals.clip_from_world * vec4<f32>(world, 1.0);
    let ahead = globals.clip_from_world * vec4<f32>(world + turn(shape.rotation, v.outward) * 0.01 * clip.w, 1.0);
    let half_size = globals.grid.zw * 0.5;
    let toward = (ahead.xy / ahead.w - clip.xy / clip.w) * half_size;
    let pixel_length = max(length(toward), 1e-6);
    return vec4<f32>(clip.xy + toward / pixel_length * pixels / half_size * clip.w, clip.zw);
}

@vertex
fn mask_vertex(v: Vertex, shape: Shape) -> @builtin(position) vec4<f32> {
    return grown(v, shape, 1.2);
}

@vertex
fn ring_vertex(v: Vertex, shape: Shape) -> @builtin(position) vec4<f32> {
    return grown(v, shape, 3.4);
}

@fragment
fn ring_fragment() -> @location(0) vec4<f32> {
    return vec4<f32>(0.941, 0.627, 0.188, 1.0);
}
