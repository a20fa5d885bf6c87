//! Blending on the GPU beside blending on the CPU: what it takes until all instances of a frame lie in the GPU's memory.
//!
//! The CPU's way is what the renderer does: a batch, which also culls, sorts and keeps every pose for picking, then a copy
//! of 48 bytes a body that changed, into memory that stays mapped. Beside it the same with every instance handed to the
//! queue anew, and what is left where nothing moves. The GPU's way copies both poses of a body, 96 bytes, once a tick, and blends them in a
//! compute shader once a frame; it culls nothing and leaves no pose behind for the window to read.
//!
//! `cargo bench -p framewalk-runtime --bench blend`

#[path = "shared/row.rs"]
mod row;

use framewalk_runtime::render::batch::{Batch, Changes, Holds, Instance, Part};
use framewalk_runtime::render::gpu::GpuContext;
use framewalk_runtime::render::view::{View, ViewCamera};
use framewalk_runtime::scene::{Color, EntityId, Pose, Shape, ShapeKind};
use framewalk_runtime::snapshot::{Snapshot, SnapshotItem};
use glam::{Quat, Vec3};
use row::Row;
use std::mem::size_of;

const SHADER: &str = "
@group(0) @binding(0) var<uniform> alpha: vec4<f32>;
@group(0) @binding(1) var<storage, read> poses: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> instances: array<vec4<f32>>;

@compute @workgroup_size(64)
fn blend(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.x * 6u;
    if at >= arrayLength(&poses) {
        return;
    }
    let position = mix(poses[at].xyz, poses[at + 3u].xyz, alpha.x);
    let from = poses[at + 1u];
    let to = poses[at + 4u] * select(1.0, -1.0, dot(from, poses[at + 4u]) < 0.0);
    // A straight blend made one long: as good as an arc for what turns a little in a tick.
    let rotation = normalize(mix(from, to, alpha.x));
    let scale = mix(poses[at + 2u], poses[at + 5u], alpha.x);
    let out = id.x * 3u;
    instances[out] = vec4<f32>(position, rotation.x);
    instances[out + 1u] = vec4<f32>(rotation.yzw, scale.x);
    instances[out + 2u] = vec4<f32>(scale.yz, poses[at].w, poses[at + 3u].w);
}
";

fn entry(binding: u32, of: &wgpu::Buffer) -> wgpu::BindGroupEntry<'_> {
    wgpu::BindGroupEntry { binding, resource: of.as_entire_binding() }
}

/// As the shader reads them: six rows of four a body.
type Poses = [[f32; 4]; 6];

fn snapshot(count: usize) -> Snapshot {
    let edge = (count as f32).sqrt().ceil() as usize;
    let items = (0..count).map(|idx| {
        let place = Vec3::new((idx % edge) as f32, 0.0, -((idx / edge) as f32)) * 0.2;
        let pose = |step: f32| Pose {
            position: place + Vec3::Y * step,
            rotation: Quat::from_rotation_y(idx as f32 + step),
            scale: Vec3::ONE,
        };
        let kind = ShapeKind::Cube { size: Vec3::splat(0.1) };
        SnapshotItem {
            entity: EntityId(idx as u64),
            parent: SnapshotItem::NO_PARENT,
            previous: pose(0.0),
            current: pose(0.02),
            simulated: true,
            look: Shape { kind, color: Color { red: 200, green: 120, blue: 40 } }.into(),
        }
    });
    Snapshot { alpha: 0.4, items: items.collect(), ..Snapshot::default() }
}

/// What both ways fill.
struct Gpu {
    context: GpuContext,
    instances: wgpu::Buffer,
    alpha: wgpu::Buffer,
    poses: wgpu::Buffer,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    count: u32,
}

impl Gpu {
    fn new(context: GpuContext, count: usize) -> Self {
        let device = &context.device;
        let buffer = |label, size: usize, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size as u64,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let storage = wgpu::BufferUsages::STORAGE;
        let used = storage | wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_SRC;
        let instances = buffer("instances", count * size_of::<Instance>(), used);
        let alpha = buffer("alpha", 16, wgpu::BufferUsages::UNIFORM);
        let poses = buffer("poses", count * size_of::<Poses>(), storage);
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("blend"),
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("blend"),
            layout: None,
            module: &module,
            entry_point: Some("blend"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[entry(0, &alpha), entry(1, &poses), entry(2, &instances)],
        });
        let count = count as u32;
        Self { instances, alpha, poses, pipeline, group, count, context }
    }

    fn wait(&self, commands: Option<wgpu::CommandBuffer>) {
        self.context.queue.submit(commands);
        self.context.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device works");
    }

    /// What the renderer does, up to the drawing.
    fn by_ring(&self, buffer: &mut Buffer, batch: &mut Batch, snapshot: &Snapshot, view: &View) {
        const SIZE: usize = size_of::<Instance>();
        batch.fill(snapshot, view, view.size);
        buffer.changes.take(&mut batch.meshes);
        let Buffer { staging, changes, holds } = buffer;
        let (mut mapped, mut stretches) = (None, Vec::new());
        changes.lacking(holds.as_ref(), |begin, instances| {
            let map = || staging.get_mapped_range_mut(..).expect("the GPU is done with it");
            let bytes: &[u8] = bytemuck::cast_slice(instances);
            let begin = begin * SIZE;
            mapped.get_or_insert_with(map).slice(begin..begin + bytes.len()).copy_from_slice(bytes);
            stretches.push((begin as u64, bytes.len() as u64));
        });
        drop(mapped);
        *holds = Some(changes.now());
        if stretches.is_empty() {
            return self.wait(None);
        }
        staging.unmap();
        let mut encoder = self.context.device.create_command_encoder(&Default::default());
        for (begin, len) in stretches {
            encoder.copy_buffer_to_buffer(staging, begin, &self.instances, begin, len);
        }
        self.context.queue.submit([encoder.finish()]);
        staging.map_async(wgpu::MapMode::Write, .., |_| {});
        self.wait(None);
    }

    /// The same, every instance handed to the queue.
    fn by_queue(&self, batch: &mut Batch, snapshot: &Snapshot, view: &View) {
        batch.fill(snapshot, view, view.size);
        let mut at = 0;
        for mesh in &batch.meshes {
            for part in Part::ALL {
                let bytes: &[u8] = bytemuck::cast_slice(&mesh[part]);
                if !bytes.is_empty() {
                    self.context.queue.write_buffer(&self.instances, at, bytes);
                    at += bytes.len() as u64;
                }
            }
        }
        self.wait(None);
    }

    fn copy_poses(&self, snapshot: &Snapshot, gathered: &mut Vec<Poses>) {
        let rows = |pose: &Pose, size: Vec3, extra: f32| {
            [
                pose.position.extend(extra).to_array(),
                pose.rotation.to_array(),
                (pose.scale * size).extend(0.0).to_array(),
            ]
        };
        gathered.clear();
        gathered.extend(snapshot.items.iter().map(|item| {
            let look = &item.look;
            let [a, b, c] = rows(&item.previous, look.size(), look.stretch());
            let color = f32::from_bits(u32::from_le_bytes(look.color()));
            let [d, e, f] = rows(&item.current, look.size(), color);
            [a, b, c, d, e, f]
        }));
        self.context.queue.write_buffer(&self.poses, 0, bytemuck::cast_slice(gathered));
    }

    fn blend(&self, alpha: f64) {
        let alpha = [alpha as f32, 0.0, 0.0, 0.0];
        self.context.queue.write_buffer(&self.alpha, 0, bytemuck::cast_slice(&alpha));
        let mut encoder = self.context.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.group, &[]);
            pass.dispatch_workgroups(self.count.div_ceil(64), 1, 1);
        }
        self.wait(Some(encoder.finish()));
    }

    fn read(&self) -> Vec<Instance> {
        let size = self.instances.size();
        let readable = self.context.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = self.context.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&self.instances, 0, &readable, 0, size);
        self.context.queue.submit([encoder.finish()]);
        readable.map_async(wgpu::MapMode::Read, .., |_| {});
        self.wait(None);
        let bytes = readable.get_mapped_range(..).expect("it was waited for");
        bytemuck::pod_collect_to_vec(&bytes)
    }
}

/// An instance buffer of the renderer.
struct Buffer {
    staging: wgpu::Buffer,
    changes: Changes,
    holds: Option<Holds>,
}

impl Buffer {
    fn new(gpu: &Gpu) -> Self {
        let staging = gpu.context.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: gpu.instances.size(),
            usage: wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: true,
        });
        Self { staging, changes: Changes::default(), holds: None }
    }
}

/// Both ways come to the same instances, or there is nothing to compare.
fn check(mut ours: Vec<Instance>, mut theirs: Vec<Instance>) {
    assert_eq!(ours.len(), theirs.len());
    // A batch sorts them, by whether they throw a shadow.
    let place = |of: &Instance| [of.position().z, of.position().x].map(|edge| (edge * 50.0).round() as i32);
    ours.sort_by_key(place);
    theirs.sort_by_key(place);
    for (a, b) in ours.iter().zip(&theirs) {
        let near = |a: Vec3, b: Vec3| a.abs_diff_eq(b, 1e-4);
        assert!(near(a.position(), b.position()) && near(a.scale(), b.scale()), "{a:?} {b:?}");
        let dot = a.rotation().dot(b.rotation());
        assert!(dot.abs() > 0.9999 && a.color() == b.color(), "{a:?} {b:?}");
    }
}

fn main() {
    let (counts, rounds): (&[usize], usize) =
        if row::is_measured() { (&[10_000, 100_000], 41) } else { (&[100], 1) };
    // From above, so that everything is seen.
    let view = View {
        camera: ViewCamera::Fly {
            eye: Vec3::new(30.0, 60.0, 60.0),
            yaw: 0.0,
            pitch: -0.6,
            fov_degrees: 120.0,
        },
        ..View::default()
    };
    let Ok(context) = GpuContext::headless() else {
        println!("blend: no graphics adapter, nothing to measure");
        return;
    };
    row::header();
    for &count in counts {
        let snapshot = snapshot(count);
        let gpu = Gpu::new(context.clone(), count);
        let (mut batch, mut gathered) = (Batch::default(), Vec::new());
        let mut buffer = Buffer::new(&gpu);
        gpu.by_ring(&mut buffer, &mut batch, &snapshot, &view);
        assert_eq!(batch.drawn as usize, count, "all is seen: the shader culls nothing");
        let by_cpu = gpu.read();
        gpu.copy_poses(&snapshot, &mut gathered);
        gpu.blend(snapshot.alpha);
        check(by_cpu, gpu.read());
        let mut other_gathered = Vec::new();
        let [mut queued, mut still] = [Batch::default(), Batch::default()];
        // Every body moves a little from picture to picture.
        let moved = [0.4, 0.41].map(|alpha| Snapshot { alpha, ..snapshot.clone() });
        let mut standing = Buffer::new(&gpu);
        let [cpu, handed, nothing, new_tick, same_tick] = row::taking_turns(
            rounds,
            [
                &mut |round| gpu.by_ring(&mut buffer, &mut batch, &moved[round % 2], &view),
                &mut |round| gpu.by_queue(&mut queued, &moved[round % 2], &view),
                &mut |_| gpu.by_ring(&mut standing, &mut still, &snapshot, &view),
                &mut |_| {
                    gpu.copy_poses(&snapshot, &mut other_gathered);
                    gpu.blend(snapshot.alpha);
                },
                &mut |_| gpu.blend(snapshot.alpha),
            ],
        )
        .map(|nanos| nanos / count as f64);
        let what = format!("blend and copy a body, of {count} that move");
        for (peer, theirs) in [
            ("every one handed to the queue", handed),
            ("where nothing moves", nothing),
            ("by the GPU, a new tick", new_tick),
            ("by the GPU, no new tick", same_tick),
        ] {
            Row { what: &what, unit: "ns", ours: cpu, peer: Some((peer, theirs)), aim: None }.print();
        }
    }
}
