// A shape of a mesh and where it stands: what every shader that draws shapes shares.

struct Vertex {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    // Away from the middle: where a ring around the shape is pushed to.
    @location(2) outward: vec3<f32>,
    // Capsules: +1 on the upper half sphere, −1 on the lower.
    @location(3) cap: f32,
}

struct Shape {
    @location(4) position: vec3<f32>,
    @location(5) rotation: vec4<f32>,
    @location(6) scale: vec3<f32>,
    @location(7) stretch: f32,
    @location(8) color: vec4<f32>,
}

fn turn(rotation: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(rotation.xyz, v);
    return v + rotation.w * t + cross(rotation.xyz, t);
}

fn place(v: Vertex, shape: Shape) -> vec3<f32> {
    let local = (v.position + vec3<f32>(0.0, v.cap * shape.stretch, 0.0)) * shape.scale;
    return shape.position + turn(shape.rotation, local);
}
