// Shapes in their numbers instead of their colours: what is drawn at a place.

@group(0) @binding(0) var<uniform> clip_from_world: mat4x4<f32>;

struct Numbered {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat) number: u32,
}

@vertex
fn pick_vertex(v: Vertex, shape: Shape) -> Numbered {
    var out: Numbered;
    out.clip = clip_from_world * vec4<f32>(place(v, shape), 1.0);
    // The four bytes of the number stand where a picture has the colour: here they come as parts of 255.
    out.number = pack4x8unorm(shape.color);
    return out;
}

@fragment
fn pick_fragment(in: Numbered) -> @location(0) u32 {
    return in.number;
}
